(** * Lemma 8 of the paper: Freedman's inequality, sharpened, on the game tree

    For x <= 1 we have e^x <= 1 + x + kappa x^2 with kappa = e - 2. So for differences D of mean 0, with
    D <= 1/mu and second moments at most v, exp (mu (sum of D) - kappa mu^2 (sum of v)) is a supermartingale,
    and Ville's inequality bounds the sum of D after all rounds at once. The rate mu must be fixed in
    advance. *)

From Coq Require Import Reals Lra Lia List.
Import ListNotations.
From KLCal Require Import Definitions Basics Ville.
Open Scope R_scope.

(** ** The scalar inequality *)

Definition kappa : R := exp 1 - 2.

Lemma kappa_bounds : / 2 < kappa <= 1.
Proof.
  unfold kappa. split; [| pose proof exp_le_3; lra].
  (* e = (e^(1/6))^6 >= (7/6)^6 > 5/2 *)
  pose proof (exp_ineq1_le (/ 6)) as H.
  assert (Hpow : exp 1 = exp (/ 6) ^ 6) by (cbn [pow]; rewrite Rmult_1_r, <- !exp_plus; f_equal; field).
  assert ((1 + / 6) ^ 6 <= exp (/ 6) ^ 6) by (apply pow_incr; lra). lra.
Qed.

(** The derivative of (1 + x + kappa x^2) e^(-x) is x (2 kappa - 1 - kappa x) e^(-x). *)
Lemma freedman_derivative x :
  derivable_pt_lim (fun u => (1 + u + kappa * (u * u)) * exp (- u)) x
    (x * (2 * kappa - 1 - kappa * x) * exp (- x)).
Proof.
  replace (x * (2 * kappa - 1 - kappa * x) * exp (- x))
    with ((0 + 1 + kappa * (1 * x + x * 1)) * exp (- x)
          + (1 + x + kappa * (x * x)) * (exp (- x) * - (1))) by ring.
  apply (derivable_pt_lim_mult (fun u => 1 + u + kappa * (u * u)) (fun u => exp (- u))).
  - apply (derivable_pt_lim_plus (fun u => 1 + u) (fun u => kappa * (u * u))).
    + apply (derivable_pt_lim_plus (fct_cte 1) id);
        [apply derivable_pt_lim_const | apply derivable_pt_lim_id].
    + apply (derivable_pt_lim_scal (fun u => u * u)).
      apply (derivable_pt_lim_mult id id); apply derivable_pt_lim_id.
  - apply (derivable_pt_lim_comp (fun u => - u) exp); [| apply derivable_pt_lim_exp].
    apply (derivable_pt_lim_opp id), derivable_pt_lim_id.
Qed.

Lemma freedman_scalar x : x <= 1 -> exp x <= 1 + x + kappa * (x * x).
Proof.
  intros Hx. pose proof kappa_bounds as Hk.
  set (g := fun u => (1 + u + kappa * (u * u)) * exp (- u)).
  set (g' := fun u => u * (2 * kappa - 1 - kappa * u) * exp (- u)).
  assert (H0 : g 0 = 1) by (unfold g; rewrite Ropp_0, exp_0; ring).
  assert (H1 : g 1 = 1).
  { unfold g. replace (1 + 1 + kappa * (1 * 1)) with (exp 1) by (unfold kappa; ring).
    rewrite <- exp_plus, Rplus_opp_r, exp_0. reflexivity. }
  assert (Hmvt : forall a b, a < b -> exists c, g b - g a = g' c * (b - a) /\ a < c < b).
  { intros a b Hab. apply MVT_cor2; [exact Hab |]. intros c _. apply freedman_derivative. }
  assert (Hg : 1 <= g x).
  { destruct (Rtotal_order x 0) as [Hneg | [-> | Hpos]]; [| lra |].
    - (* g falls before 0 *)
      destruct (Hmvt x 0 Hneg) as (c & Heq & Hc).
      assert (0 < exp (- c)) by apply exp_pos.
      assert (g' c * (0 - x) <= 0); [| lra].
      unfold g'. assert (0 <= 2 * kappa - 1 - kappa * c).
      { pose proof (Rmult_le_compat_l kappa c 0 ltac:(lra) ltac:(lra)). lra. }
      assert (0 <= (- c) * (2 * kappa - 1 - kappa * c) * exp (- c) * (0 - x))
        by (repeat apply Rmult_le_pos; lra). lra.
    - (* g first grows, then falls to g 1 *)
      destruct (Hmvt 0 x Hpos) as (c & Heq & Hc).
      assert (0 < exp (- c)) by apply exp_pos.
      destruct (Rle_lt_dec 0 (2 * kappa - 1 - kappa * c)) as [Hup | Hdown].
      + assert (0 <= g' c * (x - 0)) by (unfold g'; repeat apply Rmult_le_pos; lra). lra.
      + destruct Hx as [Hx | ->]; [| lra].
        destruct (Hmvt x 1 Hx) as (d & Heqd & Hd).
        assert (0 < exp (- d)) by apply exp_pos.
        assert (2 * kappa - 1 - kappa * d <= 0).
        { pose proof (Rmult_le_compat_l kappa c d ltac:(lra) ltac:(lra)). lra. }
        assert (0 <= d * - (2 * kappa - 1 - kappa * d) * exp (- d) * (1 - x))
          by (repeat apply Rmult_le_pos; lra).
        unfold g' in Heqd. lra. }
  apply (Rmult_le_compat_r (exp x)) in Hg; [| left; apply exp_pos].
  unfold g in Hg. rewrite Rmult_assoc, <- exp_plus, Rplus_opp_l, exp_0 in Hg. lra.
Qed.

(** ** Sums along a history *)

(** The sum of what each round contributes; D looks at the history that ends with the round. *)
Fixpoint total (D : history -> R) (h : history) : R :=
  match h with
  | [] => 0
  | _ :: past => D h + total D past
  end.

(** The sum of what is known before each round. *)
Fixpoint total_before (v : history -> R) (h : history) : R :=
  match h with
  | [] => 0
  | _ :: past => v past + total_before v past
  end.

Lemma total_scal c D h : total (fun k => c * D k) h = c * total D h.
Proof. induction h as [| r past IH]; cbn [total]; [ring | rewrite IH; ring]. Qed.

(** ** The supermartingale *)

Section Freedman.
  Variable F : forecaster.
  Variable A : adversary.
  Hypothesis proper_F : proper_forecaster F.
  Hypothesis proper_A : proper_adversary A.
  Variable possible : history -> Prop.
  Hypothesis invariance : invariant F possible.

  Lemma mean_of_round_le_possible h f g : possible h ->
    (forall i y, (i < choices F h)%nat -> 0 < weight F h i -> f ((i, y) :: h) <= g ((i, y) :: h)) ->
    mean_of_round F A h f <= mean_of_round F A h g.
  Proof using proper_F proper_A.
    intros Hh Hfg. apply weighted_sum_le.
    - intros i Hi. now apply (proj1 (proper_F h)).
    - intros i Hi Hw. pose proof (proper_A h) as HA.
      apply Rplus_le_compat; apply Rmult_le_compat_l; try lra; now apply Hfg.
  Qed.

  Definition freedman_process (mu : R) (D v : history -> R) (h : history) : R :=
    exp (mu * total D h - kappa * (mu * mu) * total_before v h).

  Lemma freedman_supermartingale mu D v :
    (forall h, possible h -> mean_of_round F A h D = 0) ->
    (forall h, possible h -> mean_of_round F A h (fun k => D k * D k) <= v h) ->
    (forall h i y, possible h -> (i < choices F h)%nat -> 0 < weight F h i -> mu * D ((i, y) :: h) <= 1) ->
    supermartingale_against F A possible (freedman_process mu D v).
  Proof using proper_F proper_A.
    intros Hmean Hvar Hstep h Hh.
    set (M := freedman_process mu D v h).
    set (c := kappa * (mu * mu)). set (e := exp (- (c * v h))).
    assert (HM : 0 < M) by apply exp_pos. assert (He : 0 < e) by apply exp_pos.
    assert (Hc : 0 <= c).
    { pose proof kappa_bounds. unfold c. apply Rmult_le_pos; [lra | apply Rle_0_sqr]. }
    apply Rle_trans with
      (mean_of_round F A h (fun k => M * e * (1 + (mu * D k + c * (D k * D k))))).
    - apply mean_of_round_le_possible; [exact Hh |]. intros i y Hi Hw.
      unfold freedman_process. cbn [total total_before]. fold c.
      replace (mu * (D ((i, y) :: h) + total D h) - c * (v h + total_before v h))
        with ((mu * total D h - c * total_before v h) + - (c * v h) + mu * D ((i, y) :: h)) by ring.
      rewrite !exp_plus. fold e. change (exp (mu * total D h - c * total_before v h)) with M.
      apply Rmult_le_compat_l; [left; now apply Rmult_lt_0_compat |].
      pose proof (freedman_scalar _ (Hstep h i y Hh Hi Hw)) as H. unfold c. lra.
    - rewrite mean_of_round_scal, mean_of_round_plus, mean_of_round_const by exact proper_F.
      rewrite mean_of_round_plus, !mean_of_round_scal, Hmean by exact Hh.
      specialize (Hvar h Hh). pose proof (Rmult_le_compat_l c _ _ Hc Hvar) as Hcv.
      pose proof (exp_ineq1_le (c * v h)) as Hexp.
      assert (Hinv : e * exp (c * v h) = 1) by (unfold e; rewrite <- exp_plus, Rplus_opp_l; apply exp_0).
      rewrite Rmult_assoc. rewrite <- (Rmult_1_r M) at 2. apply Rmult_le_compat_l; [lra |].
      rewrite <- Hinv. apply Rmult_le_compat_l; lra.
  Qed.

  Lemma freedman_process_start mu D v : freedman_process mu D v [] = 1.
  Proof. unfold freedman_process. cbn [total total_before]. rewrite <- exp_0. f_equal. ring. Qed.

  Lemma freedman_process_pos mu D v h : 0 < freedman_process mu D v h.
  Proof. apply exp_pos. Qed.

  (** What a bound on the process says. *)
  Lemma freedman_process_bound mu D v h c : 0 < mu -> 0 < c -> freedman_process mu D v h < c ->
    total D h <= kappa * mu * total_before v h + / mu * ln c.
  Proof.
    intros Hmu Hc Hlt. apply ln_increasing in Hlt; [| apply exp_pos].
    unfold freedman_process in Hlt. rewrite ln_exp in Hlt.
    apply Rmult_le_reg_l with mu; [exact Hmu |].
    replace (mu * (kappa * mu * total_before v h + / mu * ln c))
      with (kappa * (mu * mu) * total_before v h + ln c) by (field; lra). lra.
  Qed.

  Lemma supermartingale_against_plus a M b N : 0 <= a -> 0 <= b ->
    supermartingale_against F A possible M -> supermartingale_against F A possible N ->
    supermartingale_against F A possible (fun h => a * M h + b * N h).
  Proof using.
    intros Ha Hb HM HN h Hh. rewrite mean_of_round_plus, !mean_of_round_scal.
    apply Rplus_le_compat; apply Rmult_le_compat_l; auto.
  Qed.

  (** Lemma 8, sharpened. Let D be differences of mean 0 given the past, at most b in absolute value, and V
      the sum of their conditional second moments. For every fixed mu in (0, 1/b] and delta > 0, with
      probability at least 1 - delta, after all rounds up to T at once,

        |sum of D| <= (e - 2) mu V + (1/mu) ln (2/delta). *)
  Theorem freedman D b mu delta T :
    possible [] ->
    (forall h, possible h -> mean_of_round F A h D = 0) ->
    (forall h i y, possible h -> (i < choices F h)%nat -> 0 < weight F h i -> Rabs (D ((i, y) :: h)) <= b) ->
    0 < mu -> mu * b <= 1 -> 0 < delta ->
    1 - delta <= probability F A T (always (fun h =>
      at_most (Rabs (total D h))
        ((exp 1 - 2) * mu * total_before (fun k => mean_of_round F A k (fun k' => D k' * D k')) h
         + / mu * ln (2 / delta)))).
  Proof using proper_F proper_A invariance.
    intros Hstart Hmean Hb Hmu Hmub Hdelta. fold kappa.
    set (v := fun k => mean_of_round F A k (fun k' => D k' * D k')).
    set (minus := fun k => -1 * D k).
    assert (Hsmall : forall h i y, possible h -> (i < choices F h)%nat -> 0 < weight F h i ->
                       mu * D ((i, y) :: h) <= 1 /\ mu * minus ((i, y) :: h) <= 1).
    { intros h i y Hh Hi Hw. specialize (Hb h i y Hh Hi Hw). unfold minus.
      pose proof (Rmult_le_compat_l mu _ _ ltac:(lra) Hb). pose proof (Rle_abs (D ((i, y) :: h))) as Hp.
      pose proof (Rle_abs (- D ((i, y) :: h))) as Hm. rewrite Rabs_Ropp in Hm.
      pose proof (Rmult_le_compat_l mu _ _ ltac:(lra) Hp).
      pose proof (Rmult_le_compat_l mu _ _ ltac:(lra) Hm). lra. }
    set (M := fun h => / 2 * freedman_process mu D v h + / 2 * freedman_process mu minus v h).
    assert (HM0 : M [] = 1) by (unfold M; rewrite !freedman_process_start; lra).
    apply (ville_until F A proper_F proper_A possible invariance M); try assumption; try lra.
    - apply supermartingale_against_plus; try lra; apply freedman_supermartingale; auto.
      + intros h Hh. right. reflexivity.
      + intros h i y Hh Hi Hw. now apply Hsmall.
      + intros h Hh. unfold minus. rewrite mean_of_round_scal, Hmean by exact Hh. ring.
      + intros h Hh. right. unfold v, minus, mean_of_round. apply sum_ext. intros. ring.
      + intros h i y Hh Hi Hw. now apply Hsmall.
    - intros h Hh. pose proof (freedman_process_pos mu D v h).
      pose proof (freedman_process_pos mu minus v h). unfold M. lra.
    - intros h Hh _ Hlt. rewrite HM0 in Hlt. apply at_most_true.
      pose proof (freedman_process_pos mu D v h). pose proof (freedman_process_pos mu minus v h).
      assert (Hc : 0 < 2 / delta) by (apply Rdiv_lt_0_compat; lra).
      assert (H2 : 2 / delta = 2 * (1 / delta)) by (field; lra).
      pose proof (freedman_process_bound mu D v h _ Hmu Hc ltac:(unfold M in Hlt; lra)) as Hup.
      pose proof (freedman_process_bound mu minus v h _ Hmu Hc ltac:(unfold M in Hlt; lra)) as Hdown.
      unfold minus in Hdown. rewrite total_scal in Hdown. apply Rabs_le. lra.
  Qed.
End Freedman.
