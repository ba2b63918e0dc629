(** * Theorem D: Algorithm 1 with realised feedback, with high probability

    In a round let X be the loss of the drawn point minus the loss of Laplace's rule in its bucket. KLCal is
    at most the sum of X plus the sum of ln (1 + n_i). Since e^(x - x^2) <= 1 + x for x >= -1/2, the sum of X
    exceeds its mean by at most lambda times the sum of X^2, plus ln (1/delta) / lambda. And X^2 is small if
    the bucket is calibrated: c X^2 <= (2 + max(X, 0)) (n KL(k/n, z) + b), where c is 1 plus the number of
    equal outcomes in the bucket. So the sum of X^2 is at most a multiple of the largest KLCal so far, which a
    small lambda absorbs. *)

From Coq Require Import Reals Lra Lia List Bool Psatz.
Import ListNotations.
From KLCal Require Import Definitions Bounds Basics Histories KT Lemma4 Lemma5 Theorem2 Realised Ville Freedman.
From KLCal Require Import PoissonDivergence Numbers CellToPoint SineProduct TheoremC TheoremCGrid.
Open Scope R_scope.

(** ** One round *)

(** e^(x - x^2) <= 1 + x for x >= -1/2. *)
Lemma exp_minus_square x : - / 2 <= x -> exp (x - x * x) <= 1 + x.
Proof.
  intros Hx.
  set (f := fun u => ln (1 + u) - (u - u * u)).
  set (f' := fun u => / (1 + u) * (0 + 1) - (1 - (1 * u + u * 1))).
  assert (Hd : forall u, - / 2 <= u -> derivable_pt_lim f u (f' u)).
  { intros u Hu. apply derivable_pt_lim_minus.
    - apply (derivable_pt_lim_comp (fun v => 1 + v) ln); [| apply derivable_pt_lim_ln; lra].
      apply (derivable_pt_lim_plus (fct_cte 1) id);
        [apply derivable_pt_lim_const | apply derivable_pt_lim_id].
    - apply (derivable_pt_lim_minus id (fun v => v * v)); [apply derivable_pt_lim_id |].
      apply (derivable_pt_lim_mult id id); apply derivable_pt_lim_id. }
  assert (Hval : forall u, - / 2 <= u -> f' u = u * ((1 + 2 * u) / (1 + u)))
    by (intros; unfold f'; field; lra).
  assert (Hquot : forall u, - / 2 <= u -> 0 <= (1 + 2 * u) / (1 + u)).
  { intros u Hu. apply Rmult_le_pos; [lra | left; apply Rinv_0_lt_compat; lra]. }
  assert (H0 : f 0 = 0) by (unfold f; rewrite Rplus_0_r, ln_1; ring).
  assert (Hf : 0 <= f x).
  { destruct (Rtotal_order x 0) as [Hneg | [-> | Hpos]]; [| lra |].
    - destruct (MVT_cor2 f f' x 0 Hneg) as (c & Heq & Hc); [intros c Hc; apply Hd; lra |].
      rewrite (Hval c ltac:(lra)) in Heq. pose proof (Hquot c ltac:(lra)) as Hq.
      set (q := (1 + 2 * c) / (1 + c)) in *. clearbody q.
      assert (0 <= - c * q * (0 - x)) by (repeat apply Rmult_le_pos; lra). lra.
    - destruct (MVT_cor2 f f' 0 x Hpos) as (c & Heq & Hc); [intros c Hc; apply Hd; lra |].
      rewrite (Hval c ltac:(lra)) in Heq. pose proof (Hquot c ltac:(lra)) as Hq.
      set (q := (1 + 2 * c) / (1 + c)) in *. clearbody q.
      assert (0 <= c * q * (x - 0)) by (repeat apply Rmult_le_pos; lra). lra. }
  unfold f in Hf. rewrite <- (exp_ln (1 + x)) by lra.
  destruct (Rle_lt_or_eq_dec (x - x * x) (ln (1 + x))) as [Hlt | ->];
    [lra | left; now apply exp_increasing | right; reflexivity].
Qed.

(** w ln^2 (w/z) <= (2 + max (ln (w/z), 0)) KL(w, z). *)
Lemma square_le_KL w z : 0 < w < 1 -> 0 < z < 1 ->
  let x := ln w - ln z in w * (x * x) <= (2 + Rmax x 0) * KL w z.
Proof.
  intros Hw Hz x.
  assert (Hwx : w = z * exp x).
  { unfold x, Rminus. rewrite exp_plus, exp_Ropp, !exp_ln by lra. field. lra. }
  assert (HD : divergence w z = z * (exp x * (x - 1) + 1)).
  { unfold divergence. replace (ln w) with (ln z + x) by (unfold x; ring). rewrite Hwx. ring. }
  pose proof (divergence_nonneg (1 - w) (1 - z) ltac:(lra) ltac:(lra)) as Hother.
  assert (HKL : divergence w z <= KL w z) by (rewrite KL_expand by lra; unfold divergence in *; lra).
  pose proof (square_of_logarithm x) as H. apply (Rmult_le_compat_l z) in H; [| lra].
  apply Rle_trans with ((2 + Rmax x 0) * divergence w z); [rewrite HD, Hwx at 1; lra |].
  apply Rmult_le_compat_l; [| exact HKL]. pose proof (Rmax_r x 0). lra.
Qed.

(** The price of a bucket that starts: 2 KL(1/2, z). *)
Definition price (z : R) : R := - ln 4 - ln z - ln (1 - z).

(** Convexity: (n + 2) KL((k+1)/(n+2), z) <= n KL(k/n, z) + 2 KL(1/2, z). *)
Lemma laplace_convex k n z : 0 <= k <= n -> 0 < z < 1 ->
  (n + 2) * KL (ewoo k n) z <= n * KL (k / n) z + price z.
Proof.
  intros Hk Hz. pose proof (ewoo_bounds k n Hk) as Hw. set (w := ewoo k n) in *.
  assert (Hopt : best_loss (k + 1) (n + 2) = - (k + 1) * ln w - (n + 2 - (k + 1)) * ln (1 - w)).
  { pose proof (scaled_KL (k + 1) (n + 2) w ltac:(lra) Hw) as H.
    change ((k + 1) / (n + 2)) with w in H. rewrite KL_same in H. lra. }
  pose proof (best_loss_le k n w Hk Hw) as H1. pose proof (best_loss_le 1 2 w ltac:(lra) Hw) as H2.
  assert (H12 : best_loss 1 2 = ln 4).
  { unfold best_loss. replace (2 - 1) with 1 by ring. rewrite ln_1, ln_4. ring. }
  unfold w, ewoo. rewrite !scaled_KL by lra. unfold price. lra.
Qed.

(** The pointwise bound. *)
Lemma pointwise k n z y : 0 <= k <= n -> 0 < z < 1 ->
  let x := loss z y - loss (ewoo k n) y in
  let c := if y then k + 1 else n - k + 1 in
  c * (x * x) <= (2 + Rmax x 0) * (n * KL (k / n) z + price z).
Proof.
  intros Hk Hz x c. pose proof (ewoo_bounds k n Hk) as Hw. pose proof (laplace_convex k n z Hk Hz) as Hconv.
  assert (Hmax : 0 <= 2 + Rmax x 0) by (pose proof (Rmax_r x 0); lra).
  eapply Rle_trans; [| apply Rmult_le_compat_l; [exact Hmax | exact Hconv]].
  assert (HsymKL : KL (1 - ewoo k n) (1 - z) = KL (ewoo k n) z).
  { unfold KL. replace (1 - (1 - ewoo k n)) with (ewoo k n) by ring.
    replace (1 - (1 - z)) with z by ring. ring. }
  unfold x, c, loss in *. destruct y; cbn [prob] in *.
  - pose proof (square_le_KL (ewoo k n) z Hw Hz) as H. cbv zeta in H.
    replace (ln (ewoo k n) - ln z) with (- ln z - - ln (ewoo k n)) in H by ring.
    apply (Rmult_le_compat_l (n + 2)) in H; [| lra].
    replace (k + 1) with ((n + 2) * ewoo k n) by (unfold ewoo; field; lra). lra.
  - pose proof (square_le_KL (1 - ewoo k n) (1 - z) ltac:(lra) ltac:(lra)) as H. cbv zeta in H.
    replace (ln (1 - ewoo k n) - ln (1 - z)) with (- ln (1 - z) - - ln (1 - ewoo k n)) in H by ring.
    rewrite HsymKL in H. apply (Rmult_le_compat_l (n + 2)) in H; [| lra].
    replace (n - k + 1) with ((n + 2) * (1 - ewoo k n)) by (unfold ewoo; field; lra). lra.
Qed.

Lemma price_nonneg z : 0 < z < 1 -> 0 <= price z.
Proof.
  intros Hz. unfold price. assert (Hzz : 0 < z * (1 - z)) by (apply Rmult_lt_0_compat; lra).
  assert (H : ln (4 * (z * (1 - z))) <= 0).
  { apply ln_nonpos. pose proof (Rle_0_sqr (1 - 2 * z)) as H. unfold Rsqr in H. lra. }
  rewrite !ln_mult in H by lra. lra.
Qed.

(** ** Harmonic sums *)

Definition harmonic (m : nat) : R := sum m (fun j => / INR (S j)).

Lemma harmonic_nonneg m : 0 <= harmonic m.
Proof. apply sum_nonneg. intros j _. left. apply Rinv_0_lt_compat, lt_0_INR. lia. Qed.

Lemma harmonic_le m T : (m <= T)%nat -> (1 <= T)%nat -> harmonic m <= 1 + ln (INR T).
Proof.
  intros HmT HT.
  assert (HlnT : 0 <= ln (INR T)).
  { apply ln_nonneg. replace 1 with (INR 1) by reflexivity. now apply le_INR. }
  destruct m as [| m]; [unfold harmonic; cbn [sum]; lra |].
  assert (H : harmonic (S m) <= 1 + ln (INR (S m))).
  { clear HmT. induction m as [| m IH].
    - unfold harmonic. cbn [sum INR]. rewrite ln_1. lra.
    - unfold harmonic in *. rewrite sum_succ.
      assert (Hpos : 0 < INR (S m)) by (apply lt_0_INR; lia).
      rewrite (S_INR (S m)). set (u := INR (S m)) in *.
      pose proof (ln_ge_1_minus_inv ((u + 1) / u) ltac:(apply Rdiv_lt_0_compat; lra)) as Hln.
      rewrite ln_div in Hln by lra.
      replace (1 - / ((u + 1) / u)) with (/ (u + 1)) in Hln by (field; lra). lra. }
  eapply Rle_trans; [exact H |]. apply Rplus_le_compat_l, ln_le; [apply lt_0_INR; lia | now apply le_INR].
Qed.

(** ** A supermartingale with squares *)

Section Squares.
  Variable F : forecaster.
  Variable A : adversary.
  Hypothesis proper_F : proper_forecaster F.
  Hypothesis proper_A : proper_adversary A.

  Definition square_process (l : R) (D v : history -> R) (h : history) : R :=
    exp (l * total D h - l * l * total (fun k => D k * D k) h - l * total_before v h).

  (** D has conditional mean at most v, and l D >= -1/2. *)
  Lemma square_supermartingale l D v (possible : history -> Prop) : 0 < l ->
    (forall h, possible h -> mean_of_round F A h D <= v h) ->
    (forall h i y, possible h -> (i < choices F h)%nat -> 0 < weight F h i -> - / 2 <= l * D ((i, y) :: h)) ->
    supermartingale_against F A possible (square_process l D v).
  Proof using proper_F proper_A.
    intros Hl Hmean Hlow h Hh. set (M := square_process l D v h). set (e := exp (- (l * v h))).
    assert (HM : 0 < M) by apply exp_pos. assert (He : 0 < e) by apply exp_pos.
    apply Rle_trans with (mean_of_round F A h (fun k => M * e * (1 + l * D k))).
    - apply mean_of_round_le_possible with (possible := possible); auto. intros i y Hi Hw.
      unfold square_process. cbn [total total_before]. set (d := D ((i, y) :: h)).
      replace (l * (d + total D h) - l * l * (d * d + total (fun k => D k * D k) h)
               - l * (v h + total_before v h))
        with ((l * total D h - l * l * total (fun k => D k * D k) h - l * total_before v h)
              + - (l * v h) + (l * d - l * d * (l * d))) by ring.
      rewrite !exp_plus. fold e. fold (square_process l D v h). fold M.
      apply Rmult_le_compat_l; [left; now apply Rmult_lt_0_compat |].
      apply exp_minus_square. now apply Hlow.
    - rewrite mean_of_round_scal, mean_of_round_plus by exact proper_F.
      rewrite mean_of_round_const, mean_of_round_scal by exact proper_F.
      specialize (Hmean h Hh). pose proof (Rmult_le_compat_l l _ _ ltac:(lra) Hmean) as Hlv.
      pose proof (exp_ineq1_le (l * v h)) as Hexp.
      assert (Hinv : e * exp (l * v h) = 1) by (unfold e; rewrite <- exp_plus, Rplus_opp_l; apply exp_0).
      rewrite Rmult_assoc. rewrite <- (Rmult_1_r M) at 2. apply Rmult_le_compat_l; [lra |].
      rewrite <- Hinv. apply Rmult_le_compat_l; lra.
  Qed.
End Squares.

(** ** The largest value so far *)

Fixpoint peak (f : history -> R) (h : history) : R :=
  match h with
  | [] => f []
  | _ :: past => Rmax (f h) (peak f past)
  end.

Lemma peak_ge f h : f h <= peak f h.
Proof. destruct h; cbn [peak]; [lra | apply Rmax_l]. Qed.

Lemma peak_past f r past : peak f past <= peak f (r :: past).
Proof. cbn [peak]. apply Rmax_r. Qed.

(** ** The theorem *)

Section TheoremD.
  Variables (K T : nat) (A : adversary).
  Hypothesis HK : (2 <= K)%nat.
  Hypothesis HT : (1 <= T)%nat.
  Hypothesis HA : proper_adversary A.

  Let cost (h : history) : R := KLCal (K + 1) (grid K) h.
  Let eps := 2 * ln (/ cos (step K)).
  Let a := 2 + ln 2 + 2 * ln (INR K).
  Let l := / (4 * a * (1 + ln (INR T)) * INR (K + 1)).

  (** X, the difference of losses in a round; 0 after T rounds. *)
  Definition difference (h : history) : R :=
    match h with
    | [] => 0
    | (i, y) :: past => if (length past <? T)%nat then loss (grid K i) y - loss (laplace past i) y else 0
    end.

  Lemma total_difference h : (length h <= T)%nat -> total difference h = excess (grid K) h.
  Proof using HK HT.
    induction h as [| [i y] past IH]; intros Hlen; cbn [total excess]; [reflexivity |].
    cbn [length] in Hlen. rewrite IH by lia. cbn [difference].
    destruct (Nat.ltb_spec (length past) T); [ring | lia].
  Qed.

  Lemma numbers : 0 <= ln (INR T) /\ 0 <= ln (INR K) /\ 2 <= a /\ 3 <= INR (K + 1) /\ 0.6930 <= ln 2 <= 0.6933.
  Proof using HK HT.
    pose proof ln_2_bounds. pose proof (INR_ge_2 K HK).
    assert (0 <= ln (INR T)).
    { apply ln_nonneg. replace 1 with (INR 1) by reflexivity. now apply le_INR. }
    assert (0 <= ln (INR K)) by (apply ln_nonneg; lra).
    assert (3 <= INR (K + 1)) by (rewrite plus_INR; cbn [INR]; lra). unfold a. lra.
  Qed.

  Lemma l_pos : 0 < l.
  Proof using HK HT.
    destruct numbers as (HlnT & HlnK & Ha & HK1 & Hln2). unfold l.
    apply Rinv_0_lt_compat. repeat apply Rmult_lt_0_compat; lra.
  Qed.

  Lemma eps_nonneg : 0 <= eps.
  Proof using HK. pose proof (ln_inv_nonneg _ (cos_step_pos K HK)). unfold eps. lra. Qed.

  (** Its conditional mean. *)
  Lemma difference_mean h :
    mean_of_round (realised K) A h difference <= if (length h <? T)%nat then eps else 0.
  Proof using HK HT HA.
    destruct (Nat.ltb_spec (length h) T) as [Hlt | Hge].
    - pose proof (excess_step K A h HK HA) as H. fold eps in H.
      assert (Heq : mean_of_round (realised K) A h difference
                    = mean_of_round (realised K) A h (fun k => excess (grid K) k + - excess (grid K) h)).
      { unfold mean_of_round. apply sum_ext. intros i _. cbn [difference excess].
        destruct (Nat.ltb_spec (length h) T); [ring | lia]. }
      rewrite Heq, mean_of_round_plus, mean_of_round_const by now apply realised_is_proper. lra.
    - right. unfold mean_of_round. apply sum_zero. intros i _. cbn [difference].
      destruct (Nat.ltb_spec (length h) T); [lia | ring].
  Qed.

  Lemma count_le_length h i : (count h i <= length h)%nat.
  Proof using HK HT.
    induction h as [| [j y] past IH]; cbn [count length]; [lia |]. destruct (j =? i)%nat; lia.
  Qed.

  (** It is at least - ln (T + 1), and at most ln 2 + 2 ln K. *)
  Lemma difference_low h i y : (i < K + 1)%nat -> - ln (INR T + 1) <= difference ((i, y) :: h).
  Proof using HK HT.
    intros Hi. cbn [difference]. destruct numbers as (HlnT & _).
    assert (HT1 : 1 <= INR T) by (replace 1 with (INR 1) by reflexivity; now apply le_INR).
    assert (HlnT1 : 0 <= ln (INR T + 1)) by (apply ln_nonneg; lra).
    destruct (Nat.ltb_spec (length h) T) as [Hlt | Hge]; [| lra].
    pose proof (counts_bounds h i) as Hc.
    assert (Hm : INR (count h i) + 2 <= INR T + 1).
    { pose proof (count_le_length h i). assert (INR (count h i) + 1 <= INR T); [| lra].
      rewrite <- S_INR. apply le_INR. lia. }
    set (k := INR (count_ones h i)) in *. set (m := INR (count h i)) in *.
    assert (Hprob : / (m + 2) <= prob (laplace h i) y).
    { unfold laplace. fold k m. apply Rmult_le_reg_r with (m + 2); [lra |]. rewrite Rinv_l by lra.
      destruct y; cbn [prob]; unfold ewoo; field_simplify; lra. }
    assert (Hgrid : ln (prob (grid K i) y) <= 0).
    { apply ln_nonpos. pose proof (grid_bounds K HK i). destruct y; cbn [prob]; lra. }
    pose proof (ln_le (/ (m + 2)) _ ltac:(apply Rinv_0_lt_compat; lra) Hprob) as H1.
    rewrite ln_Rinv in H1 by lra. pose proof (ln_le (m + 2) (INR T + 1) ltac:(lra) Hm).
    unfold loss. lra.
  Qed.

  Lemma rate_is_small h i y : (i < K + 1)%nat -> - / 2 <= l * difference ((i, y) :: h).
  Proof using HK HT.
    intros Hi. pose proof (difference_low h i y Hi) as Hlow. pose proof l_pos as Hl.
    destruct numbers as (HlnT & HlnK & Ha & HK1 & Hln2).
    assert (HT1 : 1 <= INR T) by (replace 1 with (INR 1) by reflexivity; now apply le_INR).
    assert (HlnT1 : ln (INR T + 1) <= 1 + ln (INR T)).
    { pose proof (ln_le (INR T + 1) (2 * INR T) ltac:(lra) ltac:(lra)) as H.
      rewrite ln_mult in H by lra. lra. }
    pose proof (Rmult_le_compat_l l _ _ ltac:(lra) Hlow) as H.
    assert (Hsmall : l * (1 + ln (INR T)) <= / 2).
    { unfold l. set (u := 1 + ln (INR T)) in *.
      replace (/ (4 * a * u * INR (K + 1)) * u) with (/ (4 * a * INR (K + 1))) by (field; unfold u; lra).
      apply Rinv_le_contravar; [lra |].
      pose proof (Rmult_le_compat 2 a 3 (INR (K + 1)) ltac:(lra) ltac:(lra) Ha HK1). lra. }
    pose proof (Rmult_le_compat_l l _ _ ltac:(lra) HlnT1). lra.
  Qed.

  Lemma difference_high h i y : (i < K + 1)%nat -> Rmax (loss (grid K i) y - loss (laplace h i) y) 0 <= a - 2.
  Proof using HK HT.
    intros Hi. destruct numbers as (_ & HlnK & Ha & _ & Hln2). apply Rmax_lub; [| lra].
    pose proof (largest_weight K HK i y Hi) as Hw. unfold omega in Hw.
    pose proof (ewoo_bounds _ _ (counts_bounds h i)) as Hb. fold (laplace h i) in Hb.
    assert (ln (prob (laplace h i) y) <= 0) by (apply ln_nonpos; destruct y; cbn [prob]; lra).
    unfold loss, a. lra.
  Qed.

  (** The sum of squares, by the largest KLCal so far. *)
  Definition square_bound (R0 : R) (h : history) (i : nat) : R :=
    a * (R0 + price (grid K i)) * (harmonic (count_ones h i) + harmonic (count h i - count_ones h i)).

  Lemma cost_nonneg h : 0 <= cost h.
  Proof using HK.
    apply sum_nonneg. intros i _. pose proof (counts_bounds h i) as Hc.
    destruct (Req_dec (INR (count h i)) 0) as [-> | N]; [lra |].
    apply Rmult_le_pos; [lra |]. apply KL_nonneg; [| now apply grid_bounds]. split.
    - apply Rmult_le_pos; [lra | left; apply Rinv_0_lt_compat; lra].
    - apply Rmult_le_reg_r with (INR (count h i)); [lra |]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra.
  Qed.

  Lemma squares_bound h : within (K + 1) h -> (length h <= T)%nat ->
    total (fun k => difference k * difference k) h <= sum (K + 1) (square_bound (peak cost h) h).
  Proof using HK HT.
    destruct numbers as (HlnT & HlnK & Ha & HK1 & Hln2).
    induction h as [| [j y] past IH]; intros Hin Hlen.
    - cbn [total]. right. symmetry. apply sum_zero. intros i _.
      unfold square_bound, harmonic. cbn [count count_ones Nat.sub sum]. ring.
    - inversion_clear Hin as [|? ? Hj Hpast]. cbn [fst] in Hj.
      specialize (IH Hpast ltac:(cbn [length] in Hlen; lia)).
      cbn [total]. set (R1 := peak cost ((j, y) :: past)).
      assert (HR : peak cost past <= R1) by apply peak_past.
      assert (Hpeak : 0 <= peak cost past).
      { eapply Rle_trans; [apply (cost_nonneg past) | apply peak_ge]. }
      (* earlier squares, with the larger R *)
      assert (Hold : total (fun k => difference k * difference k) past <= sum (K + 1) (square_bound R1 past)).
      { eapply Rle_trans; [exact IH |]. apply sum_le. intros i Hi. unfold square_bound.
        pose proof (harmonic_nonneg (count_ones past i)).
        pose proof (harmonic_nonneg (count past i - count_ones past i)).
        apply Rmult_le_compat_r; [lra |]. apply Rmult_le_compat_l; lra. }
      set (d := difference ((j, y) :: past)).
      assert (Hnew : d * d <= square_bound R1 ((j, y) :: past) j - square_bound R1 past j).
      { pose proof (counts_bounds past j) as Hc. pose proof (grid_bounds K HK j) as Hz.
        pose proof (pointwise _ _ (grid K j) y Hc Hz) as Hpoint. cbv zeta in Hpoint.
        pose proof (difference_high past j y Hj) as Hhigh.
        assert (Hd : d = loss (grid K j) y - loss (laplace past j) y).
        { unfold d. cbn [difference]. cbn [length] in Hlen.
          destruct (Nat.ltb_spec (length past) T); [reflexivity | lia]. }
        fold (laplace past j) in Hpoint. rewrite <- Hd in Hpoint, Hhigh.
        (* the bucket costs at most KLCal *)
        assert (Hbucket : INR (count past j) * KL (INR (count_ones past j) / INR (count past j)) (grid K j)
                          <= R1).
        { eapply Rle_trans; [| exact HR]. eapply Rle_trans; [| apply peak_ge].
          apply (sum_term_le (K + 1) (fun i => INR (count past i)
                   * KL (INR (count_ones past i) / INR (count past i)) (grid K i))); [| exact Hj].
          intros i _. pose proof (counts_bounds past i) as Hci.
          destruct (Req_dec (INR (count past i)) 0) as [-> | N]; [lra |].
          apply Rmult_le_pos; [lra |]. apply KL_nonneg; [| now apply grid_bounds]. split.
          - apply Rmult_le_pos; [lra | left; apply Rinv_0_lt_compat; lra].
          - apply Rmult_le_reg_r with (INR (count past i)); [lra |].
            unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra. }
        pose proof (price_nonneg (grid K j) Hz) as Hprice. set (b := price (grid K j)) in *.
        assert (Htop : (2 + Rmax d 0) * (INR (count past j)
                         * KL (INR (count_ones past j) / INR (count past j)) (grid K j) + b) <= a * (R1 + b)).
        { pose proof (Rmax_r d 0). apply Rle_trans with ((2 + Rmax d 0) * (R1 + b)).
          - apply Rmult_le_compat_l; lra.
          - apply Rmult_le_compat_r; lra. }
        pose proof (count_ones_le past j) as Hle.
        unfold square_bound. fold b. rewrite count_same, count_ones_same.
        destruct y.
        - replace (S (count past j) - S (count_ones past j))%nat
            with (count past j - count_ones past j)%nat by lia.
          unfold harmonic at 1. rewrite sum_succ. fold (harmonic (count_ones past j)).
          rewrite S_INR. set (c := INR (count_ones past j) + 1) in *.
          assert (0 < c) by (unfold c; lra).
          replace (_ - _) with (a * (R1 + b) * / c) by ring.
          apply Rmult_le_reg_r with c; [lra |].
          replace (a * (R1 + b) * / c * c) with (a * (R1 + b)) by (field; lra). lra.
        - replace (S (count past j) - count_ones past j)%nat
            with (S (count past j - count_ones past j)) by lia.
          unfold harmonic at 2. rewrite sum_succ. fold (harmonic (count past j - count_ones past j)).
          rewrite S_INR, minus_INR by exact Hle.
          set (c := INR (count past j) - INR (count_ones past j) + 1) in *.
          assert (0 < c) by (unfold c; lra).
          replace (_ - _) with (a * (R1 + b) * / c) by ring.
          apply Rmult_le_reg_r with c; [lra |].
          replace (a * (R1 + b) * / c * c) with (a * (R1 + b)) by (field; lra). lra. }
      rewrite (sum_update (K + 1) j (square_bound R1 past)); [lra | exact Hj |].
      intros i Hi. unfold square_bound. now rewrite count_other, count_ones_other.
  Qed.

  Lemma prices : sum (K + 1) (fun i => price (grid K i)) <= 2 * INR (K + 1).
  Proof using HK HT.
    destruct numbers as (HlnT & HlnK & Ha & HK1 & Hln2). pose proof (sum_of_weights K HK) as Hw.
    pose proof (INR_ge_2 K HK) as HK2.
    rewrite (sum_ext _ _ (fun i => (- 6 - ln 4) + (6 - ln (grid K i) - ln (1 - grid K i))))
      by (intros; unfold price; ring).
    rewrite sum_plus, sum_const.
    (* ln K <= ln (10/3) + 3K/10 - 1 *)
    pose proof (ln_tangent (INR K) (10 / 3) ltac:(lra) ltac:(lra)) as Htangent.
    assert (H103 : ln (10 / 3) <= 1.23).
    { replace (10 / 3) with (3 * (10 / 9)) by field. rewrite ln_mult by lra.
      pose proof ln_3_bounds. pose proof (ln_le_minus_1 (10 / 9) ltac:(lra)). lra. }
    assert (HKR : INR (K + 1) = INR K + 1) by (rewrite plus_INR; reflexivity).
    rewrite HKR in *. rewrite ln_4.
    pose proof (Rmult_le_compat_l (INR K + 1) 0.6922 (ln 2) ltac:(lra) ltac:(lra)). lra.
  Qed.

  (** lambda times the sum of squares is at most half the largest KLCal so far, plus 1. *)
  Lemma squares_absorbed h : within (K + 1) h -> (length h <= T)%nat ->
    l * total (fun k => difference k * difference k) h <= peak cost h / 2 + 1.
  Proof using HK HT.
    intros Hin Hlen. destruct numbers as (HlnT & HlnK & Ha & HK1 & Hln2). pose proof l_pos as Hl.
    set (u := 1 + ln (INR T)). set (R1 := peak cost h).
    assert (HR : 0 <= R1) by (eapply Rle_trans; [apply (cost_nonneg h) | apply peak_ge]).
    assert (Hsum : total (fun k => difference k * difference k) h
                   <= 2 * a * u * (INR (K + 1) * R1 + sum (K + 1) (fun i => price (grid K i)))).
    { eapply Rle_trans; [now apply squares_bound |]. fold R1.
      rewrite <- sum_const, <- sum_plus, <- sum_scal. apply sum_le. intros i _. unfold square_bound.
      pose proof (price_nonneg _ (grid_bounds K HK i)) as Hp. pose proof (count_ones_le h i).
      pose proof (count_le_length h i).
      pose proof (harmonic_le (count_ones h i) T ltac:(lia) HT) as H1.
      pose proof (harmonic_le (count h i - count_ones h i) T ltac:(lia) HT) as H2. fold u in H1, H2.
      replace (2 * a * u * (R1 + price (grid K i))) with (a * (R1 + price (grid K i)) * (u + u)) by ring.
      apply Rmult_le_compat_l; [apply Rmult_le_pos; lra | lra]. }
    apply (Rmult_le_compat_l l) in Hsum; [| lra]. eapply Rle_trans; [exact Hsum |].
    pose proof prices as Hprices. set (B := sum (K + 1) (fun i => price (grid K i))) in *.
    unfold l. fold u. assert (Hu : 1 <= u) by (unfold u; lra).
    replace (/ (4 * a * u * INR (K + 1)) * (2 * a * u * (INR (K + 1) * R1 + B)))
      with (R1 / 2 + B / (2 * INR (K + 1))) by (field; lra).
    apply Rplus_le_compat_l. apply Rmult_le_reg_r with (2 * INR (K + 1)); [lra |].
    replace (B / (2 * INR (K + 1)) * (2 * INR (K + 1))) with B by (field; lra). lra.
  Qed.

  Let drift (h : history) : R := if (length h <? T)%nat then eps else 0.

  Lemma total_drift h : total_before drift h <= eps * INR T.
  Proof using HK HT.
    pose proof eps_nonneg as He.
    assert (H : total_before drift h <= eps * INR (Nat.min (length h) T)).
    { induction h as [| r past IH]; cbn [total_before length]; [cbn; lra |]. unfold drift at 1.
      destruct (Nat.ltb_spec (length past) T) as [Hlt | Hge].
      - replace (Nat.min (S (length past)) T) with (S (Nat.min (length past) T)) by lia. rewrite S_INR. lra.
      - replace (Nat.min (S (length past)) T) with (Nat.min (length past) T) by lia. lra. }
    eapply Rle_trans; [exact H |]. apply Rmult_le_compat_l; [lra |]. apply le_INR. lia.
  Qed.

  Lemma within_invariant : invariant (realised K) (within (K + 1)).
  Proof using.
    intros h i y Hh Hi _. now constructor.
  Qed.

  Let main : R := INR (K + 1) * ln (1 + INR T / INR (K + 1)) + eps * INR T.

  (** While the supermartingale is below 1/delta. *)
  Lemma one_time delta h : 0 < delta -> within (K + 1) h -> (length h <= T)%nat ->
    square_process l difference drift h < / delta ->
    cost h <= main + 1 + / l * ln (/ delta) + peak cost h / 2.
  Proof using HK HT.
    intros Hdelta Hin Hlen Hlt. pose proof l_pos as Hl. destruct numbers as (HlnT & HlnK & Ha & HK1 & Hln2).
    apply ln_increasing in Hlt; [| apply exp_pos]. unfold square_process in Hlt. rewrite ln_exp in Hlt.
    rewrite total_difference in Hlt by exact Hlen.
    set (V := total (fun k => difference k * difference k) h) in *.
    assert (Hex : excess (grid K) h <= l * V + eps * INR T + / l * ln (/ delta)).
    { pose proof (total_drift h). apply Rmult_le_reg_l with l; [exact Hl |].
      replace (l * (l * V + eps * INR T + / l * ln (/ delta)))
        with (l * l * V + l * (eps * INR T) + ln (/ delta)) by (field; lra).
      pose proof (Rmult_le_compat_l l _ _ ltac:(lra) H). lra. }
    pose proof (squares_absorbed h Hin Hlen) as Habs. fold V in Habs.
    pose proof (KLCal_by_excess (K + 1) (grid K) h (fun i _ => grid_bounds K HK i) Hin) as Hcost.
    pose proof (sum_ln_counts (K + 1) h ltac:(lia) Hin) as Hln.
    assert (Hmono : INR (K + 1) * ln (1 + INR (length h) / INR (K + 1))
                    <= INR (K + 1) * ln (1 + INR T / INR (K + 1))).
    { apply le_INR in Hlen. pose proof (pos_INR (length h)).
      assert (Hinv : 0 < / INR (K + 1)) by (apply Rinv_0_lt_compat; lra).
      apply Rmult_le_compat_l; [lra |]. apply ln_le.
      - pose proof (Rmult_le_pos (INR (length h)) (/ INR (K + 1)) ltac:(lra) ltac:(lra)). unfold Rdiv. lra.
      - apply Rplus_le_compat_l. apply Rmult_le_compat_r; lra. }
    unfold cost, main in *. lra.
  Qed.

  (** Theorem D. Against every adaptive adversary, Algorithm 1 with realised feedback satisfies with
      probability at least 1 - delta, after all rounds t <= T at once,

        KLCal <= 2 ((K+1) ln (1 + T/(K+1)) + T tan^2(pi/2K)) + 2
                 + 8 (K+1) (2.7 + 2 ln K) (1 + ln T) ln (1/delta).

      (At K = 2 the angle is pi/8.) *)
  Theorem theoremD delta : 0 < delta <= 1 ->
    1 - delta <= probability (realised K) A T (always (fun h =>
      at_most (KLCal (K + 1) (grid K) h)
        (2 * theorem2_bound K T + 2
         + 8 * INR (K + 1) * (2.7 + 2 * ln (INR K)) * (1 + ln (INR T)) * ln (/ delta)))).
  Proof using HK HT HA.
    intros Hdelta. pose proof (realised_is_proper K HK) as HF. pose proof l_pos as Hl.
    destruct numbers as (HlnT & HlnK & Ha & HK1 & Hln2).
    assert (Hstart : within (K + 1) []) by constructor.
    set (M := square_process l difference drift).
    assert (HM0 : M [] = 1).
    { unfold M, square_process. cbn [total total_before]. rewrite <- exp_0. f_equal. ring. }
    apply Rle_trans with (probability (realised K) A T (always (fun h => less (M h) (/ delta)))).
    - apply (ville_until (realised K) A HF HA _ within_invariant M); auto; try lra.
      + apply square_supermartingale; auto.
        * intros h _. apply difference_mean.
        * intros h i y _ Hi _. now apply rate_is_small.
      + intros h _. left. apply exp_pos.
      + intros h _ _ Hlt. rewrite HM0 in Hlt. apply less_true. unfold Rdiv in Hlt. lra.
    - apply (probability_le (realised K) A HF HA _ within_invariant); [exact Hstart |].
      intros h Hin Hlen Halways.
      pose proof (ln_inv_nonneg delta Hdelta) as Hd.
      set (Q := main + 1 + / l * ln (/ delta)).
      set (bound := 2 * theorem2_bound K T + 2
                    + 8 * INR (K + 1) * (2.7 + 2 * ln (INR K)) * (1 + ln (INR T)) * ln (/ delta)).
      assert (HQ : 2 * Q <= bound).
      { assert (Heps : eps * INR T <= INR T * tan (step K) ^ 2).
        { pose proof (two_ln_sec_le_tan2 (step K) (proj1 (cos_step_pos K HK))) as H. fold eps in H.
          pose proof (Rmult_le_compat_r (INR T) _ _ (pos_INR T) H). lra. }
        assert (Hinvl : / l = 4 * a * (1 + ln (INR T)) * INR (K + 1)) by (unfold l; now rewrite Rinv_inv).
        assert (Htail : 2 * (/ l * ln (/ delta))
                        <= 8 * INR (K + 1) * (2.7 + 2 * ln (INR K)) * (1 + ln (INR T)) * ln (/ delta)).
        { rewrite Hinvl. rewrite <- Rmult_assoc. apply Rmult_le_compat_r; [exact Hd |].
          replace (2 * (4 * a * (1 + ln (INR T)) * INR (K + 1)))
            with (8 * INR (K + 1) * a * (1 + ln (INR T))) by ring.
          apply Rmult_le_compat_r; [lra |]. apply Rmult_le_compat_l; [lra |]. unfold a. lra. }
        unfold Q, main, bound, theorem2_bound. lra. }
      assert (Hlen' : (length h <= T)%nat) by lia. clear Hlen.
      enough (always (fun k => at_most (cost k) bound) h = true /\ peak cost h <= 2 * Q) by tauto.
      induction h as [| [i y] past IH]; cbn [always peak] in *.
      + apply less_true in Halways.
        pose proof (one_time delta [] (proj1 Hdelta) Hin Hlen' Halways) as H. fold Q in H. cbn [peak] in H.
        split; [apply at_most_true |]; lra.
      + apply andb_prop in Halways. destruct Halways as [Hnow Hpast]. apply less_true in Hnow.
        assert (Hin' : within (K + 1) past) by now inversion Hin.
        destruct (IH Hin' Hpast ltac:(cbn [length] in Hlen'; lia)) as [IH1 IH2].
        pose proof (one_time delta ((i, y) :: past) (proj1 Hdelta) Hin Hlen' Hnow) as H. fold Q in H.
        cbn [peak] in H.
        assert (Hcost : cost ((i, y) :: past) <= 2 * Q).
        { unfold Rmax in H. destruct (Rle_dec (cost ((i, y) :: past)) (peak cost past)); lra. }
        split; [| now apply Rmax_lub].
        rewrite IH1, andb_true_r. apply at_most_true. lra.
  Qed.
End TheoremD.
