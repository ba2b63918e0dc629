(** * Every bounded proper loss: swap regret is at most 4 Cal_1, and Cal_1 at most sqrt (T Cal_2)

    The divergences of a pair in both directions add up to the difference of the slopes times the distance,
    and slopes of losses with values in [-1, 1] lie in [-2, 2]. The second bound is the inequality of Cauchy
    and Schwarz. With Pinsker's inequality KL-calibration controls all of the class L, at the rate T^(2/3).
    *)

From Coq Require Import Reals Lra Psatz Lia Arith List.
From KLCal Require Import Definitions Basics LossDefinitions LossBasics Proposition1 Curvature Pinsker.
From KLCal Require Import Murphy Thresholds Envelope.
Open Scope R_scope.

Lemma slope_bounds : forall l p, class_L l -> in_unit p -> - 2 <= slope l p <= 2.
Proof.
  intros l p [_ Hb] Hp. assert (H1 := Hb p true Hp). assert (H0 := Hb p false Hp). unfold slope. lra.
Qed.

Lemma divergence_below_distance : forall l r p, class_L l -> in_unit r -> in_unit p ->
  BREG l r p <= 4 * Rabs (r - p).
Proof.
  intros l r p Hl Hr Hp. assert (Hback := BREG_not_negative l p r (proj1 Hl) Hp Hr).
  assert (H1 := slope_bounds l r Hl Hr). assert (H2 := slope_bounds l p Hl Hp).
  assert (Hsum : BREG l r p + BREG l p r = (slope l p - slope l r) * (r - p)) by (unfold BREG, bregman; ring).
  unfold Rabs. destruct (Rcase_abs (r - p)); nra.
Qed.

Lemma cauchy_schwarz : forall n (w d : nat -> R), (forall i, (i < n)%nat -> 0 <= w i) ->
  sum n (fun i => w i * d i) ^ 2 <= sum n w * sum n (fun i => w i * d i ^ 2).
Proof.
  intros n w d Hw. set (W := sum n w). set (A := sum n (fun i => w i * d i)).
  set (B := sum n (fun i => w i * d i ^ 2)).
  assert (HW : 0 <= W) by now apply sum_nonneg.
  destruct (Req_dec W 0) as [H0 | H0].
  - assert (HA : A = 0).
    { apply sum_zero. intros i Hi. rewrite (sum_zero_terms n w Hw H0 i Hi). ring. }
    rewrite HA, H0. lra.
  - assert (Hsquare : 0 <= sum n (fun i => w i * (W * d i - A) ^ 2)).
    { apply sum_nonneg. intros i Hi. apply Rmult_le_pos; [now apply Hw | apply pow2_ge_0]. }
    rewrite (sum_ext n _ (fun i => W ^ 2 * (w i * d i ^ 2) - 2 * W * A * (w i * d i) + A ^ 2 * w i))
      in Hsquare by (intros; ring).
    rewrite sum_plus, sum_minus, !sum_scal in Hsquare. fold A B W in Hsquare.
    assert (H : 0 <= W * (W * B - A ^ 2)) by lra.
    apply Rnot_lt_le. intros Hlt. nra.
Qed.

Section Cells.

Variables (n T : nat) (z : nat -> R) (P : nat -> nat -> R) (y : nat -> bool).
Hypothesis P_weights : weights n P.

Lemma Cal1_squared : Cal1 n z P y T ^ 2 <= sum n (mass P T) * Cal2 n z P y T.
Proof using P_weights.
  unfold Cal1, Cal2.
  rewrite (sum_ext n (fun i => mass P T i * (frequency P y T i - z i) ^ 2)
             (fun i => mass P T i * Rabs (frequency P y T i - z i) ^ 2))
    by (intros; now rewrite pow2_abs).
  apply cauchy_schwarz. intros i Hi. now apply mass_not_negative with (n := n).
Qed.

Lemma Cal1_not_negative : 0 <= Cal1 n z P y T.
Proof using P_weights.
  apply sum_nonneg. intros i Hi.
  apply Rmult_le_pos; [now apply mass_not_negative with (n := n) | apply Rabs_pos].
Qed.

Hypothesis z_unit : forall i, (i < n)%nat -> in_unit (z i).

Lemma regret_below_4_Cal1 : forall l, class_L l ->
  sum n (fun i => mass P T i * BREG l (frequency P y T i) (z i)) <= 4 * Cal1 n z P y T.
Proof using P_weights z_unit.
  intros l Hl. unfold Cal1. rewrite <- sum_scal. apply sum_le. intros i Hi.
  assert (Hm := mass_not_negative n T P P_weights i Hi).
  assert (Hf := frequency_in_unit n T P y P_weights i Hi).
  assert (HB := divergence_below_distance l _ (z i) Hl Hf (z_unit i Hi)).
  apply (Rmult_le_compat_l _ _ _ Hm) in HB. lra.
Qed.

Hypothesis P_sums_to_1 : forall t, (t < T)%nat -> sum n (P t) = 1.

Lemma Cal1_below_root : Cal1 n z P y T <= sqrt (INR T * Cal2 n z P y T).
Proof using P_weights P_sums_to_1.
  assert (H := Cal1_squared). rewrite total_mass in H by assumption.
  rewrite <- (sqrt_pow2 (Cal1 n z P y T)) by apply Cal1_not_negative. now apply sqrt_le_1_alt.
Qed.

End Cells.

(** For every proper loss with values in [-1, 1] and forecasts in [0, 1], PSReg <= 4 PCal_1, and
    PCal_1 <= sqrt (T PCal_2). If the forecasts lie in (0, 1), 4 PCal_1 <= 4 sqrt (T PKLCal / 2). The same for
    SReg, Cal_1, Cal_2 and KLCal. *)
Theorem swap_regret_of_bounded_losses : forall n z y T, different n z ->
  (forall i, (i < n)%nat -> in_unit (z i)) ->
  (forall P, weights n P -> (forall t, (t < T)%nat -> sum n (P t) = 1) ->
     (exists v, is_max_pseudo_swap_regret class_L n z P y T v /\ v <= 4 * Cal1 n z P y T)
     /\ Cal1 n z P y T <= sqrt (INR T * Cal2 n z P y T)
     /\ ((forall i, (i < n)%nat -> inside (z i)) ->
           4 * Cal1 n z P y T <= 4 * sqrt (INR T * pseudo_KLCal n z P y T / 2)))
  /\
  (forall I, (forall t, (t < T)%nat -> (I t < n)%nat) ->
     (exists v, is_max_swap_regret class_L z I y T v /\ v <= 4 * Cal1 n z (drawn I) y T)
     /\ Cal1 n z (drawn I) y T <= sqrt (INR T * Cal2 n z (drawn I) y T)
     /\ ((forall i, (i < n)%nat -> inside (z i)) ->
           4 * Cal1 n z (drawn I) y T <= 4 * sqrt (INR T * KLCal n z (rounds I y T) / 2))).
Proof.
  intros n z y T Hz Hunit.
  assert (Hroot : forall P, weights n P -> (forall t, (t < T)%nat -> sum n (P t) = 1) ->
     Cal1 n z P y T <= sqrt (INR T * Cal2 n z P y T)
     /\ ((forall i, (i < n)%nat -> inside (z i)) ->
           4 * Cal1 n z P y T <= 4 * sqrt (INR T * pseudo_KLCal n z P y T / 2))).
  { intros P HP Hsum. assert (H := Cal1_below_root n T z P y HP Hsum). split; [exact H |]. intros Hin.
    apply Rmult_le_compat_l; [lra |]. apply Rle_trans with (1 := H). apply sqrt_le_1_alt.
    assert (H2 := proj1 (Cal2_below_KLCal n z y T Hin) P HP). assert (HT := pos_INR T). nra. }
  destruct (envelope n z y T Hz Hunit) as [E1 E2]. split.
  - intros P HP Hsum. split; [| now apply Hroot].
    destruct (E1 P HP) as (h & _ & Hmax & _). exists (4 * h). split; [exact Hmax |].
    apply Hmax. intros x (l & Hl & Hx).
    rewrite (is_lub_unique _ _ _ Hx (pseudo_swap_regret_is_sum n T z P y HP Hz Hunit l (proj1 Hl))).
    now apply regret_below_4_Cal1.
  - intros I HI. rewrite <- drawn_KLCal.
    split; [| apply Hroot; [apply drawn_weights | now apply drawn_sums_to_1]].
    destruct (E2 I HI) as (h & _ & Hmax & _). exists (4 * h). split; [exact Hmax |].
    apply Hmax. intros x (l & Hl & Hx).
    assert (Hx' := proj1 (swap_regret_drawn l n z I y T x HI) Hx).
    rewrite (is_lub_unique _ _ _ Hx'
               (pseudo_swap_regret_is_sum n T z (drawn I) y (drawn_weights n I) Hz Hunit l (proj1 Hl))).
    apply regret_below_4_Cal1; [apply drawn_weights | assumption | assumption].
Qed.

(** The constant 4 is attained: the form -|1 - 2p| with the supergradient 2 at its kink, forecasts 1/2 and
    outcomes 1. *)
Theorem four_is_attained : forall T, exists l, class_L l /\
  is_swap_regret l (fun _ => 1 / 2) (fun _ => 0%nat) (fun _ => true) T
    (4 * Cal1 1 (fun _ => 1 / 2) (drawn (fun _ => 0%nat)) (fun _ => true) T).
Proof.
  intros T. exists (two_kinks 4 (1 / 2) false 0 (1 / 2) false).
  assert (Hl : class_L (two_kinks 4 (1 / 2) false 0 (1 / 2) false))
    by (apply two_kinks_L; unfold in_unit; lra).
  split; [assumption |].
  set (z := fun _ : nat => 1 / 2). set (I := fun _ : nat => 0%nat). set (y := fun _ : nat => true).
  assert (HI : forall t, (t < T)%nat -> (I t < 1)%nat) by (intros; unfold I; lia).
  assert (H := proj1 (proj2 (proj2 (proposition1 _ 1 z y T (proj1 Hl)
                 ltac:(intros i j Hi Hj _; lia) ltac:(intros; unfold in_unit, z; lra)) I HI))).
  replace (4 * Cal1 1 z (drawn I) y T)
    with (sum 1 (fun i => mass (drawn I) T i * BREG (two_kinks 4 (1 / 2) false 0 (1 / 2) false)
                                                 (frequency (drawn I) y T i) (z i))); [exact H |].
  unfold Cal1. cbn [sum]. rewrite !Rplus_0_l.
  assert (Hones : mass_of_ones (drawn I) y T 0 = mass (drawn I) T 0)
    by (apply sum_ext; intros t _; unfold y; cbn [outcome]; ring).
  destruct (Req_dec (mass (drawn I) T 0) 0) as [H0 | H0]; [rewrite H0; ring |].
  assert (Hf : frequency (drawn I) y T 0 = 1) by (unfold frequency; rewrite Hones; now apply Rinv_r).
  rewrite Hf, two_kinks_divergence, !threshold_divergence. unfold z. rewrite above_kink. cbn [outcome].
  rewrite Rmax_right, Rabs_right by lra. field.
Qed.
