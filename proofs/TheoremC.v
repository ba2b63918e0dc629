(** * Theorem C: from PKLCal to KLCal, for every algorithm on a fixed grid

    A coordinate is a point and an outcome; it has a realised count N and an expected count A. For each of
    them we average exp (N x - A (e^x - 1)) over a short list of exponents x. Products of powers of these
    averages, with exponents in [0, 1], are supermartingales, whatever the algorithm and the adversary do. So
    the divergences D(N, A), weighted as the cells need them, are small after all rounds at once, and KLCal is
    at most (e - 1) PKLCal plus their weighted sum. ln ln T enters through the length of the list, and
    ln (1/delta) with the largest weight only. *)

From Coq Require Import Reals Lra Lia List Bool.
Import ListNotations.
From KLCal Require Import Definitions Basics Histories KT Ville Freedman Experts PoissonDivergence Theorem3.
From KLCal Require Import TheoremA Theorem2Adaptive.
Open Scope R_scope.

(** ** Coordinates *)

Fixpoint hits (h : history) (i : nat) (b : bool) : R :=
  match h with
  | [] => 0
  | (k, y) :: past => (if ((k =? i)%nat && eqb y b)%bool then 1 else 0) + hits past i b
  end.

Fixpoint expected (F : forecaster) (h : history) (i : nat) (b : bool) : R :=
  match h with
  | [] => 0
  | (_, y) :: past => (if eqb y b then weight F past i else 0) + expected F past i b
  end.

Lemma hits_counts h i :
  hits h i true = INR (count_ones h i) /\ hits h i true + hits h i false = INR (count h i).
Proof.
  induction h as [| [k y] past [IH1 IH2]]; cbn [hits count count_ones]; [cbn; lra |].
  destruct (k =? i)%nat, y; cbn [andb eqb]; rewrite ?S_INR; lra.
Qed.

Lemma expected_masses F h i :
  expected F h i true = ones_along F h i
  /\ expected F h i true + expected F h i false = mass_along F h i.
Proof.
  induction h as [| [k y] past [IH1 IH2]]; cbn [expected ones_along mass_along]; [lra |].
  destruct y; cbn [eqb outcome]; lra.
Qed.

Lemma hits_bounds h i b : 0 <= hits h i b <= INR (length h).
Proof.
  induction h as [| [k y] past IH]; cbn [hits length]; [cbn; lra |]. rewrite S_INR.
  destruct ((k =? i)%nat && eqb y b)%bool; lra.
Qed.

Section TheoremC.
  Variable F : forecaster.
  Variable A : adversary.
  Variable n : nat.
  Variable z : nat -> R.
  Hypothesis proper_F : proper_forecaster F.
  Hypothesis proper_A : proper_adversary A.
  Hypothesis choices_F : forall h, choices F h = n.
  Hypothesis Hz : forall i, (i < n)%nat -> 0 < z i < 1.

  Let anything (h : history) : Prop := True.

  Lemma expected_bounds h i b : (i < n)%nat -> 0 <= expected F h i b <= INR (length h).
  Proof using proper_F choices_F.
    intros Hi. induction h as [| [k y] past IH]; cbn [expected length]; [cbn; lra |]. rewrite S_INR.
    pose proof (weight_bounds F n proper_F choices_F past i Hi). destruct (eqb y b); lra.
  Qed.

  (** ** Products of powers of mixtures *)

  Section Mixtures.
    Variable G : list R.
    Hypothesis HG : G <> [].
    Variable gamma : nat -> bool -> R.
    Hypothesis Hgamma : forall i b, (i < n)%nat -> 0 <= gamma i b <= 1.

    Definition log_mixture (h : history) (i : nat) (b : bool) : R :=
      ln (mixture G (hits h i b) (expected F h i b)) - ln (INR (length G)).

    Definition log_wealth_of (h : history) (b : bool) : R := sum n (fun i => gamma i b * log_mixture h i b).

    Definition log_wealth (h : history) : R := log_wealth_of h true + log_wealth_of h false.

    Lemma log_wealth_start : log_wealth [] = 0.
    Proof using.
      assert (H : forall b, log_wealth_of [] b = 0).
      { intros b. apply sum_zero. intros i _. unfold log_mixture, mixture. cbn [hits expected].
        rewrite (over_ext G _ (fun _ => 1)).
        - rewrite over_const, Rmult_1_r. ring.
        - intros x _. rewrite <- exp_0. f_equal. ring. }
      unfold log_wealth. rewrite !H. ring.
    Qed.

    (** The other outcome's coordinates do not change. *)
    Lemma other_outcome h k y : log_wealth_of ((k, y) :: h) (negb y) = log_wealth_of h (negb y).
    Proof using.
      apply sum_ext. intros i _. unfold log_mixture. cbn [hits expected].
      replace (eqb y (negb y)) with false by now destruct y. rewrite andb_false_r, !Rplus_0_l. reflexivity.
    Qed.

    (** Mixtures after the round: not drawn, and drawn. *)
    Definition not_drawn (h : history) (y : bool) (i : nat) : R :=
      mixture G (hits h i y) (expected F h i y + weight F h i).
    Definition if_drawn (h : history) (y : bool) (i : nat) : R :=
      mixture G (hits h i y + 1) (expected F h i y + weight F h i).

    Lemma this_outcome h k y : (k < n)%nat ->
      log_wealth_of ((k, y) :: h) y
      = log_wealth_of h y
        + sum n (fun i => gamma i y * (ln (not_drawn h y i) - ln (mixture G (hits h i y) (expected F h i y))))
        + gamma k y * (ln (if_drawn h y k) - ln (not_drawn h y k)).
    Proof using.
      intros Hk. unfold log_wealth_of. rewrite <- sum_plus.
      rewrite (sum_update n k (fun i => gamma i y * log_mixture h i y
                 + gamma i y * (ln (not_drawn h y i) - ln (mixture G (hits h i y) (expected F h i y)))));
        [| exact Hk |].
      - f_equal. unfold log_mixture, if_drawn, not_drawn. cbn [hits expected].
        rewrite Nat.eqb_refl. replace (eqb y y) with true by now destruct y. cbn [andb].
        rewrite (Rplus_comm 1), (Rplus_comm (weight F h k)). ring.
      - intros i Hi. unfold log_mixture, not_drawn. cbn [hits expected].
        replace (k =? i)%nat with false by (symmetry; apply Nat.eqb_neq; auto). cbn [andb].
        replace (eqb y y) with true by now destruct y.
        rewrite Rplus_0_l, (Rplus_comm (weight F h i)). ring.
    Qed.

    Lemma log_wealth_supermartingale : supermartingale F anything (fun h => exp (log_wealth h)).
    Proof using HG Hgamma proper_F choices_F.
      intros h y _. unfold draw_mean. rewrite choices_F.
      destruct (proper_F h) as [Hpos Hsum]. rewrite choices_F in Hpos, Hsum.
      set (E := sum n (fun i => gamma i y * (ln (not_drawn h y i)
                                             - ln (mixture G (hits h i y) (expected F h i y))))).
      set (a := fun i => if_drawn h y i / not_drawn h y i).
      assert (HU : forall i, 0 < not_drawn h y i) by (intros i; now apply mixture_pos).
      assert (HD : forall i, 0 < if_drawn h y i) by (intros i; now apply mixture_pos).
      assert (Hstep : forall k, (k < n)%nat ->
                log_wealth ((k, y) :: h)
                = log_wealth h + E + gamma k y * (ln (if_drawn h y k) - ln (not_drawn h y k))).
      { intros k Hk. unfold log_wealth. pose proof (this_outcome h k y Hk) as H1. fold E in H1.
        pose proof (other_outcome h k y) as H2. destruct y; cbn [negb] in H2; rewrite H1, H2; ring. }
      (* e^(gamma ln a) <= 1 + gamma (a - 1) *)
      apply Rle_trans with
        (sum n (fun k => exp (log_wealth h + E) * (weight F h k + weight F h k * (gamma k y * (a k - 1))))).
      - apply sum_le. intros k Hk. rewrite Hstep, exp_plus by exact Hk.
        pose proof (exp_chord (gamma k y) (ln (if_drawn h y k) - ln (not_drawn h y k)) (Hgamma k y Hk)) as Hc.
        rewrite <- ln_div, exp_ln in Hc by (auto; now apply Rdiv_lt_0_compat). fold (a k) in Hc.
        rewrite <- ln_div by auto. fold (a k). specialize (Hpos k Hk).
        pose proof (Rmult_le_compat_l (weight F h k * exp (log_wealth h + E)) _ _
                      ltac:(apply Rmult_le_pos; [lra | left; apply exp_pos]) Hc). lra.
      - rewrite sum_scal, sum_plus, Hsum.
        set (Q := sum n (fun k => weight F h k * (gamma k y * (a k - 1)))).
        assert (HEQ : E + Q <= 0).
        { unfold E, Q. rewrite <- sum_plus. rewrite <- (Rmult_0_r (INR n)), <- sum_const. apply sum_le.
          intros i Hi.
          pose proof (mixture_round G (hits h i y) (expected F h i y) (weight F h i) HG (Hpos i Hi)) as H.
          cbv zeta in H. fold (not_drawn h y i) (if_drawn h y i) in H. fold (a i) in H.
          pose proof (Rmult_le_compat_l (gamma i y) _ _ (proj1 (Hgamma i y Hi)) H). lra. }
        apply Rle_trans with (exp (log_wealth h + E) * exp Q).
        + apply Rmult_le_compat_l; [left; apply exp_pos | apply exp_ineq1_le].
        + rewrite <- exp_plus.
          destruct (Rle_lt_or_eq_dec (log_wealth h + E + Q) (log_wealth h)) as [Hlt | ->];
            [lra | left; now apply exp_increasing | right; reflexivity].
    Qed.
  End Mixtures.

  (** ** Draws of tiny probability *)

  Section Rare.
    Variable T : nat.
    Variable eta : R.
    Hypothesis Heta : 0 < eta.

    (** How many of the first T draws had a probability below eta. *)
    Fixpoint rare (h : history) : R :=
      match h with
      | [] => 0
      | (k, _) :: past =>
          (if ((length past <? T)%nat && less (weight F past k) eta)%bool then 1 else 0) + rare past
      end.

    Definition rare_process (h : history) : R := rare h + INR (T - length h) * (INR n * eta).

    Lemma rare_nonneg h : 0 <= rare h.
    Proof using.
      induction h as [| [k y] past IH]; cbn [rare]; [lra |]. destruct (_ && _)%bool; lra.
    Qed.

    Lemma rare_process_nonneg h : rare h <= rare_process h.
    Proof using Heta.
      unfold rare_process. pose proof (pos_INR (T - length h)). pose proof (pos_INR n).
      pose proof (Rmult_le_pos (INR n) eta ltac:(lra) ltac:(lra)).
      pose proof (Rmult_le_pos (INR (T - length h)) (INR n * eta) ltac:(lra) ltac:(lra)). lra.
    Qed.

    Lemma rare_supermartingale : supermartingale F anything rare_process.
    Proof using Heta proper_F choices_F.
      intros h y _. unfold draw_mean, rare_process. rewrite choices_F. cbn [rare length].
      destruct (proper_F h) as [Hpos Hsum]. rewrite choices_F in Hpos, Hsum.
      set (c := rare h + INR (T - S (length h)) * (INR n * eta)).
      set (bad := fun i => if ((length h <? T)%nat && less (weight F h i) eta)%bool then 1 else 0).
      rewrite (sum_ext n _ (fun i => weight F h i * bad i + weight F h i * c))
        by (intros; unfold c, bad; ring).
      rewrite sum_plus, sum_scal_r, Hsum. unfold c, bad.
      destruct (Nat.ltb_spec (length h) T) as [Hlt | Hge]; cbn [andb].
      - assert (Hcount : sum n (fun i => weight F h i * (if less (weight F h i) eta then 1 else 0))
                         <= INR n * eta).
        { rewrite <- sum_const. apply sum_le. intros i Hi. specialize (Hpos i Hi).
          destruct (less (weight F h i) eta) eqn:Hless; [apply less_true in Hless |]; lra. }
        replace (T - length h)%nat with (S (T - S (length h))) by lia. rewrite S_INR. lra.
      - rewrite sum_zero by (intros; ring).
        replace (T - S (length h))%nat with 0%nat by lia. replace (T - length h)%nat with 0%nat by lia. lra.
    Qed.

    (** Without rare draws, what happened had a chance. *)
    Lemma not_rare h i b : (i < n)%nat -> (length h <= T)%nat -> rare h < 1 -> 0 < hits h i b ->
      eta <= expected F h i b.
    Proof using Heta proper_F choices_F.
      intros Hi.
      induction h as [| [k y] past IH]; cbn [hits expected rare length]; intros Hlen Hrare Hhits; [lra |].
      pose proof (rare_nonneg past) as Hr. pose proof (weight_bounds F n proper_F choices_F past i Hi) as Hw.
      pose proof (expected_bounds past i b Hi) as He.
      replace (length past <? T)%nat with true in Hrare by (symmetry; apply Nat.ltb_lt; lia).
      cbn [andb] in Hrare.
      destruct (Nat.eqb_spec k i) as [-> | Hne]; cbn [andb] in Hhits.
      - destruct (less (weight F past i) eta) eqn:Hless; [lra |]. apply less_false in Hless.
        destruct (eqb y b) eqn:Hyb; [lra |].
        assert (eta <= expected F past i b) by (apply IH; [lia | lra | lra]). lra.
      - assert (eta <= expected F past i b).
        { apply IH; [lia | destruct (less (weight F past k) eta); lra | lra]. }
        destruct (eqb y b); lra.
    Qed.

  End Rare.

  (** ** The theorem *)

  (** The weight of a coordinate. *)
  Definition omega (i : nat) (b : bool) : R := 3 - ln (prob (z i) b).

  Lemma omega_ge i b : (i < n)%nat -> 3 <= omega i b.
  Proof using Hz.
    intros Hi. specialize (Hz i Hi). unfold omega.
    assert (ln (prob (z i) b) <= 0) by (apply ln_nonpos; destruct b; cbn [prob]; lra). lra.
  Qed.

  Section Final.
    Variables (T M N : nat) (delta largest : R).
    Hypothesis HT : (0 < T)%nat.
    Hypothesis Hn : (0 < n)%nat.
    Hypothesis Hdelta : 0 < delta <= 1.

    Let X := ln (2 * INR T ^ 2 * INR n / delta).
    Let G := exponents X M N.
    Let eta := delta / (2 * INR T * INR n).

    Hypothesis HM : 2 * INR T <= 4 ^ M.
    Hypothesis HN : X ^ 2 * INR T <= 2 * 4 ^ N.
    Hypothesis Hlargest : forall i b, (i < n)%nat -> omega i b <= largest.

    Let gamma (i : nat) (b : bool) : R := omega i b / largest.

    Lemma sizes : 1 <= INR T /\ 1 <= INR n.
    Proof using HT Hn. split; replace 1 with (INR 1) by reflexivity; apply le_INR; lia. Qed.

    Lemma largest_pos : 0 < largest.
    Proof using Hz Hn Hlargest.
      pose proof (omega_ge 0 true Hn). pose proof (Hlargest 0%nat true Hn). lra.
    Qed.

    Lemma gamma_unit i b : (i < n)%nat -> 0 <= gamma i b <= 1.
    Proof using Hz Hn Hlargest.
      intros Hi. pose proof largest_pos as Hl. pose proof (omega_ge i b Hi). specialize (Hlargest i b Hi).
      apply ratio_unit; lra.
    Qed.

    Lemma eta_pos : 0 < eta.
    Proof using HT Hn Hdelta.
      destruct sizes. unfold eta. apply Rdiv_lt_0_compat; [lra |]. repeat apply Rmult_lt_0_compat; lra.
    Qed.

    Lemma X_pos : 0 < X.
    Proof using HT Hn Hdelta.
      destruct sizes as [H1 H2]. unfold X. rewrite <- ln_1. apply ln_increasing; [lra |].
      apply Rmult_lt_reg_r with delta; [lra |]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra.
      assert (1 <= INR T ^ 2) by (cbn [pow]; nra). nra.
    Qed.

    (** One coordinate: its divergence is at most twice the logarithm of its mixture, up to 1 + 2 ln J. *)
    Lemma coordinate_bound h i b : (i < n)%nat -> (length h <= T)%nat -> rare T eta h < 1 ->
      divergence_of (hits h i b) (expected F h i b)
      <= 2 * log_mixture G h i b + (1 + 2 * ln (INR (3 + M + N))).
    Proof using proper_F choices_F HT Hn Hdelta HM HN.
      intros Hi Hlen Hrare. pose proof eta_pos as Heta. destruct sizes as [HT1 Hn1].
      apply le_INR in Hlen as HlenR.
      pose proof (hits_bounds h i b) as Hh. pose proof (expected_bounds h i b Hi) as He.
      assert (Hchance : 0 < hits h i b -> eta <= expected F h i b).
      { intros H. now apply (not_rare T eta Heta). }
      assert (Hnone : expected F h i b = 0 -> hits h i b = 0).
      { intros E. destruct (proj1 Hh) as [Hpos | H0]; [specialize (Hchance Hpos); lra | symmetry; exact H0]. }
      assert (Hratio : 0 < hits h i b -> ln (hits h i b) - ln (expected F h i b) <= X).
      { intros Hpos. specialize (Hchance Hpos).
        pose proof (ln_le _ _ Hpos (Rle_trans _ _ _ (proj2 Hh) HlenR)) as H1.
        pose proof (ln_le _ _ Heta Hchance) as H2.
        assert (HX : X = ln (INR T) - ln eta).
        { rewrite <- ln_div by lra. unfold X, eta. f_equal. cbn [pow]. field. lra. }
        lra. }
      destruct (suitable_exponent (INR T) X M N (hits h i b) (expected F h i b)
                  ltac:(lra) ltac:(lra) ltac:(lra) X_pos Hnone Hratio HM ltac:(lra)) as (x & Hx & Hgain).
      - unfold log_mixture. unfold G at 2. rewrite length_exponents.
        enough (hits h i b * x - expected F h i b * (exp x - 1)
                <= ln (mixture G (hits h i b) (expected F h i b))) by lra.
        rewrite <- (ln_exp (hits h i b * x - expected F h i b * (exp x - 1))).
        apply ln_le; [apply exp_pos |].
        apply (over_member G (fun x => exp (hits h i b * x - expected F h i b * (exp x - 1)))); [exact Hx |].
        intros y _. left. apply exp_pos.
    Qed.

    Lemma pathwise_C h : (length h <= T)%nat -> rare T eta h < 1 -> log_wealth G gamma h <= ln (2 / delta) ->
      KLCal n z h
      <= (exp 1 - 1) * pseudo_KLCal_along F n z h
         + (1 + 2 * ln (INR (3 + M + N))) * sum n (fun i => 6 - ln (z i) - ln (1 - z i))
         + 2 * largest * ln (2 / delta).
    Proof using proper_F choices_F Hz HT Hn Hdelta HM HN Hlargest.
      intros Hlen Hrare Hwealth. pose proof largest_pos as Hl. pose proof eta_pos as Heta.
      set (c := 1 + 2 * ln (INR (3 + M + N))).
      apply Rle_trans with
        (sum n (fun i => (exp 1 - 1) * (mass_along F h i * KL (ones_along F h i / mass_along F h i) (z i))
                         + (c * (6 - ln (z i) - ln (1 - z i))
                            + 2 * largest * (gamma i true * log_mixture G h i true
                                             + gamma i false * log_mixture G h i false)))).
      - apply sum_le. intros i Hi. pose proof (Hz i Hi) as Hzi.
        destruct (hits_counts h i) as [H1 H2]. destruct (expected_masses F h i) as [E1 E2].
        pose proof (hits_bounds h i true). pose proof (hits_bounds h i false).
        pose proof (expected_bounds h i true Hi). pose proof (expected_bounds h i false Hi).
        assert (Hnone : forall b, expected F h i b = 0 -> hits h i b = 0).
        { intros b E. destruct (proj1 (hits_bounds h i b)) as [Hpos | H']; [| symmetry; exact H'].
          pose proof (not_rare T eta Heta h i b Hi Hlen Hrare Hpos). lra. }
        pose proof (cell_transfer (hits h i true) (hits h i false)
                      (expected F h i true) (expected F h i false) (z i)
                      ltac:(lra) ltac:(lra) ltac:(lra) ltac:(lra) Hzi (Hnone true) (Hnone false)) as Hcell.
        rewrite H2, E2, H1, E1 in Hcell.
        pose proof (coordinate_bound h i true Hi Hlen Hrare) as C1.
        pose proof (coordinate_bound h i false Hi Hlen Hrare) as C0. fold c in C1, C0. rewrite H1, E1 in C1.
        pose proof (omega_ge i true Hi) as W1. pose proof (omega_ge i false Hi) as W0.
        apply (Rmult_le_compat_l (omega i true)) in C1; [| lra].
        apply (Rmult_le_compat_l (omega i false)) in C0; [| lra].
        assert (G1 : largest * gamma i true = omega i true) by (unfold gamma; field; lra).
        assert (G0 : largest * gamma i false = omega i false) by (unfold gamma; field; lra).
        replace (2 * largest * (gamma i true * log_mixture G h i true
                                + gamma i false * log_mixture G h i false))
          with (2 * (largest * gamma i true * log_mixture G h i true
                     + largest * gamma i false * log_mixture G h i false)) by ring.
        rewrite G1, G0. unfold omega in *. cbn [prob] in *. lra.
      - rewrite !sum_plus, !sum_scal, sum_plus. fold (pseudo_KLCal_along F n z h).
        fold (log_wealth_of G gamma h true) (log_wealth_of G gamma h false). fold (log_wealth G gamma h).
        pose proof (Rmult_le_compat_l (2 * largest) _ _ ltac:(lra) Hwealth). lra.
    Qed.

    (** Theorem C. Let F be any forecaster on n points z_i in (0, 1), and the adversary adaptive. With
        X = ln (2 T^2 n / delta), J = 3 + M + N where 4^M >= 2 T and 4^N >= X^2 T / 2, and all weights
        3 + ln (1/z_i), 3 + ln (1/(1 - z_i)) at most w: with probability at least 1 - delta, after all rounds
        up to T at once,

          KLCal <= (e - 1) PKLCal + (1 + 2 ln J) (sum of all weights) + 2 w ln (2/delta). *)
    Theorem theoremC :
      1 - delta <= probability F A T (always (fun h =>
        at_most (KLCal n z h)
          ((exp 1 - 1) * pseudo_KLCal_along F n z h
           + (1 + 2 * ln (INR (3 + M + N))) * sum n (fun i => 6 - ln (z i) - ln (1 - z i))
           + 2 * largest * ln (2 / delta)))).
    Proof using proper_F proper_A choices_F Hz HT Hn Hdelta HM HN Hlargest.
      pose proof eta_pos as Heta. destruct sizes as [HT1 Hn1].
      assert (HG : G <> []) by discriminate.
      set (P := fun h => delta / 2 * exp (log_wealth G gamma h) + 1 * rare_process T eta h).
      assert (Hrare0 : forall h, 0 <= rare_process T eta h).
      { intros h. pose proof (rare_nonneg T eta h). pose proof (rare_process_nonneg T eta Heta h). lra. }
      assert (HP0 : P [] = delta).
      { unfold P, rare_process. rewrite log_wealth_start, exp_0. cbn [rare length]. rewrite Nat.sub_0_r.
        unfold eta. field. lra. }
      apply (ville_until F A proper_F proper_A anything (anything_invariant F) P); try exact I; try lra.
      - apply supermartingale_against_plus; try lra;
          apply (supermartingale_any F A proper_A).
        + apply log_wealth_supermartingale; [exact HG | apply gamma_unit].
        + now apply rare_supermartingale.
      - intros h _. unfold P. pose proof (Hrare0 h). pose proof (exp_pos (log_wealth G gamma h)).
        pose proof (Rmult_le_pos (delta / 2) (exp (log_wealth G gamma h)) ltac:(lra) ltac:(lra)). lra.
      - intros h _ Hlen Hlt. rewrite HP0 in Hlt. replace (delta / delta) with 1 in Hlt by (field; lra).
        unfold P in Hlt. pose proof (exp_pos (log_wealth G gamma h)) as Hpos. pose proof (Hrare0 h) as Hr0.
        pose proof (Rmult_lt_0_compat (delta / 2) (exp (log_wealth G gamma h)) ltac:(lra) Hpos) as Hprod.
        apply at_most_true. apply pathwise_C; [exact Hlen | |].
        + pose proof (rare_process_nonneg T eta Heta h). lra.
        + rewrite <- (ln_exp (log_wealth G gamma h)). apply ln_le; [exact Hpos |].
          apply Rmult_le_reg_l with (delta / 2); [lra |].
          replace (delta / 2 * (2 / delta)) with 1 by (field; lra). lra.
    Qed.
  End Final.
End TheoremC.
