(** * The U-calibration error is an envelope too

    The U-calibration error is the largest external regret over all proper losses with values in [-1, 1].
    The best constant for every loss is the mean of all outcomes, so external regret is a linear functional
    of the loss as well, and the argument of [Envelope] applies to the external profile. *)

From Coq Require Import Reals Lra Psatz Lia Arith List FunctionalExtensionality.
From KLCal Require Import Definitions Basics LossDefinitions LossBasics Proposition1 Murphy Thresholds.
From KLCal Require Import Envelope.
Import ListNotations.
Open Scope R_scope.

(** "v is the supremum over all constant replies": Reg, in the cells of the mixtures. *)
Definition is_external_regret l n z P y T (v : R) : Prop :=
  is_lub (fun x => exists q, in_unit q /\ x = pseudo_swap_regret_of l n z P y T (fun _ => q)) v.

(** "v is the U-calibration error." *)
Definition is_U_calibration n z P y T (v : R) : Prop :=
  is_lub (fun x => exists l, class_L l /\ is_external_regret l n z P y T x) v.

(** The external regret of a threshold loss, and the larger of the two values at u. *)
Definition external_threshold_regret (n : nat) (z : nat -> R) (P : nat -> nat -> R) (y : nat -> bool)
    (T : nat) (u : R) (at_kink : bool) : R :=
  INR T * Rmax 0 (mean_outcome y T - u)
  - sum n (fun i => mass P T i * (above u at_kink (z i) * (frequency P y T i - u))).

Definition external_profile n z P y T (u : R) : R :=
  Rmax (external_threshold_regret n z P y T u false) (external_threshold_regret n z P y T u true).

Section Cells.

Variables (n T : nat) (z : nat -> R) (P : nat -> nat -> R) (y : nat -> bool).
Hypothesis P_weights : weights n P.
Hypothesis P_sums_to_1 : forall t, (t < T)%nat -> sum n (P t) = 1.
Hypothesis z_unit : forall i, (i < n)%nat -> in_unit (z i).

Let ybar := mean_outcome y T.

(** The terms of the functional: n divergences of the forecasts, and n of the mean, with a minus. *)
Let coefficient (j : nat) : R := if (j <? n)%nat then mass P T j else - mass P T (j - n).
Let target (j : nat) : R := if (j <? n)%nat then frequency P y T j else frequency P y T (j - n).
Let source (j : nat) : R := if (j <? n)%nat then z j else ybar.
Let regret := functional (n + n) coefficient target source.

Lemma regret_sum : forall l,
  regret l
  = sum n (fun i => mass P T i * (BREG l (frequency P y T i) (z i) - BREG l (frequency P y T i) ybar)).
Proof using.
  intros l. unfold regret, functional. rewrite sum_split.
  rewrite (sum_ext n (fun j => coefficient j * BREG l (target j) (source j))
             (fun i => mass P T i * BREG l (frequency P y T i) (z i))).
  - rewrite (sum_ext n (fun i => coefficient (n + i) * BREG l (target (n + i)) (source (n + i)))
               (fun i => - (mass P T i * BREG l (frequency P y T i) ybar))).
    + rewrite sum_opp. unfold Rminus. rewrite <- sum_opp, <- sum_plus. apply sum_ext. intros; ring.
    + intros i _. unfold coefficient, target, source. destruct (Nat.ltb_spec (n + i) n); [lia |].
      replace (n + i - n)%nat with i by lia. ring.
  - intros i Hi. unfold coefficient, target, source. destruct (Nat.ltb_spec i n); [reflexivity | lia].
Qed.

Lemma regret_is_against_mean : forall l, regret l = pseudo_swap_regret_of l n z P y T (fun _ => ybar).
Proof using P_weights. intros l. rewrite regret_sum. now rewrite pseudo_swap_regret_identity. Qed.

(** The mean loss of a constant over all cells. *)
Lemma constant_loss : forall l q,
  sum n (fun i => mass P T i * mean_loss l (frequency P y T i) q) = INR T * mean_loss l ybar q.
Proof using P_weights P_sums_to_1.
  intros l q. rewrite mean_loss_from_form.
  rewrite <- (mean_of_frequencies n T P y P_weights P_sums_to_1 _ (slope l q)). fold ybar.
  apply sum_ext. intros i _. rewrite mean_loss_from_form. ring.
Qed.

Lemma external_regret_value : forall l, proper l -> is_external_regret l n z P y T (regret l).
Proof using P_weights P_sums_to_1.
  intros l Hl. assert (Hy : in_unit ybar) by apply mean_outcome_in_unit. apply greatest_is_lub.
  - exists ybar. split; [assumption | apply regret_is_against_mean].
  - intros x (q & Hq & ->). rewrite regret_is_against_mean, !pseudo_swap_regret_identity by assumption.
    assert (H := Hl ybar q Hy Hq). apply (Rmult_le_compat_l (INR T)) in H; [| apply pos_INR].
    rewrite <- !constant_loss in H.
    rewrite (sum_ext n (fun i => _ * (_ - BREG l _ q))
               (fun i => mass P T i * mean_loss l (frequency P y T i) (z i)
                         - mass P T i * mean_loss l (frequency P y T i) q))
      by (intros; rewrite !BREG_is_excess; ring).
    rewrite (sum_ext n (fun i => _ * (_ - BREG l _ ybar))
               (fun i => mass P T i * mean_loss l (frequency P y T i) (z i)
                         - mass P T i * mean_loss l (frequency P y T i) ybar))
      by (intros; rewrite !BREG_is_excess; ring).
    rewrite !sum_minus. lra.
Qed.

Lemma regret_of_threshold : forall u b,
  regret (threshold_loss u b) = external_threshold_regret n z P y T u b.
Proof using P_weights P_sums_to_1.
  intros u b. rewrite regret_sum. unfold external_threshold_regret. fold ybar.
  rewrite <- (above_own u b ybar).
  replace (INR T * (above u b ybar * (ybar - u))) with (- (INR T * mean_loss (threshold_loss u b) ybar ybar))
    by (rewrite mean_threshold_loss; ring).
  rewrite <- constant_loss, <- sum_opp, <- sum_minus. apply sum_ext. intros i _.
  rewrite !threshold_divergence, mean_threshold_loss. ring.
Qed.

Lemma external_profile_is : functional_profile (n + n) coefficient target source = external_profile n z P y T.
Proof using P_weights P_sums_to_1.
  apply functional_extensionality. intros u. unfold functional_profile, external_profile. fold regret.
  now rewrite !regret_of_threshold.
Qed.

(** At the ends the external profile is not negative. *)
Lemma external_profile_0 : 0 <= external_profile n z P y T 0.
Proof using P_weights P_sums_to_1.
  apply Rle_trans with (external_threshold_regret n z P y T 0 false); [| apply Rmax_l].
  unfold external_threshold_regret. assert (Hy := mean_outcome_in_unit y T). unfold in_unit in Hy.
  rewrite Rminus_0_r, Rmax_right by lra.
  rewrite <- (total_ones n T P y P_sums_to_1).
  apply Rge_le, Rge_minus, Rle_ge, sum_le. intros i Hi.
  assert (Hm := mass_not_negative n T P P_weights i Hi).
  assert (Hf := frequency_in_unit n T P y P_weights i Hi). unfold in_unit in Hf.
  rewrite <- (mass_times_frequency n T P y P_weights i Hi).
  apply Rmult_le_compat_l; [assumption |]. assert (Ha := above_bounds 0 false (z i)). nra.
Qed.

Lemma external_profile_1 : 0 <= external_profile n z P y T 1.
Proof using P_weights.
  apply Rle_trans with (external_threshold_regret n z P y T 1 true); [| apply Rmax_r].
  unfold external_threshold_regret. assert (Hy := mean_outcome_in_unit y T). unfold in_unit in Hy.
  rewrite Rmax_left by lra. rewrite Rmult_0_r. unfold Rminus. rewrite Rplus_0_l, <- sum_opp.
  apply sum_nonneg. intros i Hi.
  assert (Hm := mass_not_negative n T P P_weights i Hi).
  assert (Hf := frequency_in_unit n T P y P_weights i Hi). unfold in_unit in Hf.
  assert (Ha := above_bounds 1 true (z i)).
  replace (- (mass P T i * (above 1 true (z i) * (frequency P y T i + - (1)))))
    with (mass P T i * (above 1 true (z i) * (1 - frequency P y T i))) by ring.
  apply Rmult_le_pos; [assumption | apply Rmult_le_pos; lra].
Qed.

Definition external_break_points : list R := mean_outcome y T :: break_points n T z P y.

Lemma external_envelope : exists h u v s b1 b2,
  let l := two_kinks (4 * s) u b1 (4 * (1 - s)) v b2 in
  is_envelope_at (external_profile n z P y T) (1 / 2) h
  /\ (forall l', class_L l' -> regret l' <= 4 * h)
  /\ In u external_break_points /\ In v external_break_points /\ u <= 1 / 2 /\ 1 / 2 <= v
  /\ in_unit s /\ s * u + (1 - s) * v = 1 / 2 /\ class_L l /\ regret l = 4 * h.
Proof using P_weights P_sums_to_1 z_unit.
  rewrite <- external_profile_is. apply envelope_of_functional.
  - intros x [<- | Hx]; [apply mean_outcome_in_unit |].
    now apply (break_points_unit n T z P y P_weights z_unit).
  - right. now left.
  - right. right. now left.
  - intros j Hj. right. unfold target. destruct (Nat.ltb_spec j n); apply frequency_break_point; lia.
  - intros j Hj. unfold source.
    destruct (Nat.ltb_spec j n); [right; now apply forecast_break_point | now left].
  - rewrite external_profile_is. exact external_profile_0.
  - rewrite external_profile_is. exact external_profile_1.
Qed.

End Cells.

(** The U-calibration error, for mixtures (drawn forecasts are the weights [drawn I]). Let the forecasts lie
    in [0, 1] and let phi be the external profile. Then the supremum of the external regret over all proper
    losses with values in [-1, 1] is 4 h, where h is the value at 1/2 of the least concave function above
    phi; a loss with two kinks at 0, 1, forecasts, frequencies or the mean of all outcomes attains it. *)
Theorem U_calibration_is_an_envelope : forall n z P y T, weights n P ->
  (forall t, (t < T)%nat -> sum n (P t) = 1) -> (forall i, (i < n)%nat -> in_unit (z i)) ->
  exists h, is_envelope_at (external_profile n z P y T) (1 / 2) h
    /\ is_U_calibration n z P y T (4 * h)
    /\ exists u v s b1 b2,
         let l := two_kinks (4 * s) u b1 (4 * (1 - s)) v b2 in
         In u (external_break_points n T z P y) /\ In v (external_break_points n T z P y)
         /\ u <= 1 / 2 /\ 1 / 2 <= v /\ in_unit s /\ s * u + (1 - s) * v = 1 / 2
         /\ class_L l /\ is_external_regret l n z P y T (4 * h).
Proof.
  intros n z P y T HP Hsum Hz.
  destruct (external_envelope n T z P y HP Hsum Hz)
    as (h & u & v & s & b1 & b2 & Henv & Hupper & Hu & Hv & Huh & Hvh & Hs & Hmid & Hclass & Hregret).
  exists h. split; [exact Henv |].
  assert (Hreach : is_external_regret (two_kinks (4 * s) u b1 (4 * (1 - s)) v b2) n z P y T (4 * h))
    by (rewrite <- Hregret; apply external_regret_value; [assumption | assumption | apply Hclass]).
  split.
  - apply greatest_is_lub.
    + eexists. split; [exact Hclass | exact Hreach].
    + intros x (l & Hl & Hx).
      rewrite (is_lub_unique _ _ _ Hx (external_regret_value n T z P y HP Hsum l (proj1 Hl))).
      now apply Hupper.
  - exists u, v, s, b1, b2. cbv zeta. do 7 (split; [assumption |]). exact Hreach.
Qed.
