(** * Against a fair coin every forecaster pays sqrt T / 2 for one bounded loss, and for the supremum over
    L_2

    The loss has the form -|1 - 2p|, with the supergradient 0 at its kink. Whatever the forecasts, its
    expected external regret against a fair coin is at least the mean of |2B - T|, where B is the number of
    ones, and this is at least sqrt T / 2 by the second and the fourth moment. (The book has sqrt (T/2),
    from the exact distribution.) Since Msr over L_2 is Msr over L, no forecaster has E[Msr over L_2] of
    order T^(1/3). *)

From Coq Require Import Reals Lra Psatz Lia Arith List.
From KLCal Require Import Definitions Basics Histories LossDefinitions LossBasics Proposition1 Thresholds Envelope.
From KLCal Require Import GridLowerBound SlowLoss PseudoBelowExpected SmoothLosses.
Import ListNotations.
Open Scope R_scope.

(** Kinks of mass 2 at 1/2, one for each side. *)
Definition V_loss : loss_function := two_kinks 2 (1 / 2) true 2 (1 / 2) false.

Lemma V_loss_L : class_L V_loss.
Proof. apply two_kinks_L; unfold in_unit; lra. Qed.

Lemma V_loss_divergence : forall r, BREG V_loss r (1 / 2) = 2 * Rabs (r - 1 / 2).
Proof.
  intros r. unfold V_loss. rewrite two_kinks_divergence, !threshold_divergence, !above_kink. cbn [outcome].
  unfold Rmax, Rabs. destruct (Rle_dec 0 (r - 1 / 2)), (Rcase_abs (r - 1 / 2)); lra.
Qed.

Section Forecaster.

Variables (F : forecaster) (z : nat -> R) (T : nat).
Hypothesis F_proper : proper_forecaster F.
Hypothesis z_unit : forall h i, (i < choices F h)%nat -> in_unit (z i).

(** No forecast is better than 1/2. *)
Lemma bias_is_best : forall U h,
  regret_against V_loss z (1 / 2) h <= expect F (fun _ => 1 / 2) U (regret_against V_loss z (1 / 2)) h.
Proof using F_proper z_unit.
  assert (Hp : in_unit (1 / 2)) by (unfold in_unit; lra).
  induction U as [| U IH]; intros h; [cbn [expect]; lra |]. cbn [expect].
  destruct (F_proper h) as [Hweight Hsum].
  apply Rle_trans with (sum (choices F h) (fun i => weight F h i * regret_against V_loss z (1 / 2) h)).
  - rewrite sum_scal_r, Hsum. lra.
  - apply sum_le. intros i Hi. apply Rmult_le_compat_l; [now apply Hweight |].
    assert (H1 := IH ((i, true) :: h)). assert (H0 := IH ((i, false) :: h)). cbn [regret_against] in H1, H0.
    assert (He := BREG_not_negative V_loss (1 / 2) (z i) (proj1 V_loss_L) Hp (z_unit h i Hi)).
    rewrite BREG_is_excess in He. unfold mean_loss in He. lra.
Qed.

Theorem fair_coin_regret : (4 <= T)%nat ->
  sqrt (INR T) / 2 <= expect F (fun _ => 1 / 2) T (external_regret V_loss z) [].
Proof using F_proper z_unit.
  intros HT. assert (Hp : in_unit (1 / 2)) by (unfold in_unit; lra).
  assert (HT4 : 4 <= INR T) by (apply le_INR in HT; replace (INR 4) with 4 in HT by (cbn; ring); lra).
  apply Rle_trans with (expect F (fun _ => 1 / 2) T
    (fun k => regret_against V_loss z (1 / 2) k + 2 * Rabs (excess_ones (1 / 2) k)) []).
  - rewrite expect_plus, expect_scal by assumption.
    assert (H1 := bias_is_best T []). cbn [regret_against] in H1.
    assert (H2 := mean_deviation F (1 / 2) F_proper Hp T ltac:(lra)).
    replace (INR T * (1 / 2 * (1 - 1 / 2))) with (INR T * (/ 2) ^ 2) in H2 by field.
    rewrite sqrt_mult_alt, sqrt_pow2 in H2 by lra. lra.
  - apply expect_le_reachable; [assumption | intros h; exact Hp |]. intros k Hk.
    rewrite (regret_against_bias V_loss z (1 / 2) k), V_loss_divergence. apply Rplus_le_compat_l. right.
    assert (Hm := length_times_mean k). assert (HL := pos_INR (length k)).
    replace (INR (length k) * (2 * Rabs (ones k / INR (length k) - 1 / 2)))
      with (2 * (Rabs (INR (length k)) * Rabs (ones k / INR (length k) - 1 / 2)))
      by (rewrite (Rabs_right (INR (length k))) by lra; ring).
    rewrite <- Rabs_mult. do 2 f_equal. unfold excess_ones. lra.
Qed.

End Forecaster.

(** Against a fair coin every forecaster on any finite set of different forecasts has E[Msr over L_2] >=
    sqrt T / 2, for every T >= 4. Here M is Msr over L_2 as a function of the history. *)
Theorem max_over_L2_fair_coin : forall n z F T M, different n z -> (forall i, (i < n)%nat -> in_unit (z i)) ->
  proper_forecaster F -> (forall h, choices F h = n) -> (4 <= T)%nat ->
  (forall I y, (forall t, (t < T)%nat -> (I t < n)%nat) ->
     is_max_swap_regret class_L2 z I y T (M (rounds I y T))) ->
  sqrt (INR T) / 2 <= expect F (fun _ => 1 / 2) T M [].
Proof.
  intros n z F T M Hz Hunit HF Hch HT HM.
  assert (Hz' : forall h i, (i < choices F h)%nat -> in_unit (z i))
    by (intros h i Hi; apply Hunit; now rewrite Hch in Hi).
  apply Rle_trans with (1 := fair_coin_regret F z T HF Hz' HT).
  apply expect_le_reachable; [assumption | intros h; cbv beta; lra |]. intros k Hk.
  destruct (reachable_rounds F n T k Hch Hk) as (I & y & E & HI). rewrite <- E.
  assert (HS := swap_regret_on_is_SReg V_loss n z I y T (proj1 V_loss_L) Hz Hunit HI).
  apply Rle_trans with (1 := external_below_swap V_loss z I y T _ (proj1 V_loss_L) HS).
  destruct (proj2 (envelope n z y T Hz Hunit) I HI) as (h & _ & Hmax & _).
  assert (H2 := proj2 (smooth_losses_suffice n z y T Hz Hunit) I _ HI Hmax).
  rewrite (is_lub_unique _ _ _ (HM I y HI) H2). apply Hmax. exists V_loss. split; [exact V_loss_L | exact HS].
Qed.
