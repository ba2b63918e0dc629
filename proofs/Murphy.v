(** * Calibration, resolution, uncertainty: Murphy's decomposition for every loss

    In one cell a loss adds up to its mass times the divergence of the forecast from the frequency, plus the
    mass times the form at the frequency. Apply this to the forecasts and to the constant forecast ybar, and
    subtract. *)

From Coq Require Import Reals Lra Psatz Lia Arith.
From KLCal Require Import Definitions Basics LossDefinitions LossBasics Proposition1.
Open Scope R_scope.

(** The total loss of the mixtures, and of the drawn forecasts. *)
Definition total_loss (l : loss_function) (n : nat) (z : nat -> R) (P : nat -> nat -> R) (y : nat -> bool)
    (T : nat) : R :=
  sum n (fun i => sum T (fun t => P t i * l (z i) (y t))).

Definition total_drawn_loss (l : loss_function) (z : nat -> R) (I : nat -> nat) (y : nat -> bool)
    (T : nat) : R :=
  sum T (fun t => l (z (I t)) (y t)).

(** The mean of all outcomes. *)
Definition mean_outcome (y : nat -> bool) (T : nat) : R := sum T (fun t => outcome (y t)) / INR T.

Definition entropy (p : R) : R := - p * ln p - (1 - p) * ln (1 - p).

Lemma total_loss_drawn : forall l n z I y T, (forall t, (t < T)%nat -> (I t < n)%nat) ->
  total_drawn_loss l z I y T = total_loss l n z (drawn I) y T.
Proof.
  intros l n z I y T HI. unfold total_drawn_loss, total_loss. rewrite sum_swap. apply sum_ext. intros t Ht.
  unfold drawn. now rewrite (sum_point n (I t) (fun i => l (z i) (y t))) by (apply HI; assumption).
Qed.

Lemma mean_outcome_in_unit : forall y T, in_unit (mean_outcome y T).
Proof.
  intros y T. unfold mean_outcome, in_unit. destruct (Nat.eq_dec T 0) as [-> | HT]; [cbn; unfold Rdiv; lra |].
  assert (HT' : 0 < INR T) by (apply lt_0_INR; lia).
  assert (H0 : 0 <= sum T (fun t => outcome (y t))) by (apply sum_nonneg; intros; apply outcome_in_unit).
  assert (H1 : sum T (fun t => outcome (y t)) <= sum T (fun _ => 1))
    by (apply sum_le; intros; apply outcome_in_unit).
  rewrite sum_const in H1. split.
  - apply Rmult_le_pos; [assumption |]. now apply Rlt_le, Rinv_0_lt_compat.
  - apply (Rmult_le_reg_r (INR T)); [assumption |].
    unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra.
Qed.

Section Mixtures.

Variables (n T : nat) (z : nat -> R) (P : nat -> nat -> R) (y : nat -> bool).
Hypothesis P_weights : weights n P.
Hypothesis P_sums_to_1 : forall t, (t < T)%nat -> sum n (P t) = 1.

Lemma total_mass : sum n (mass P T) = INR T.
Proof using P_sums_to_1.
  unfold mass. rewrite sum_swap. rewrite (sum_ext T _ (fun _ => 1)); [rewrite sum_const; ring |].
  intros t Ht. now apply P_sums_to_1.
Qed.

Lemma total_ones : sum n (mass_of_ones P y T) = INR T * mean_outcome y T.
Proof using P_sums_to_1.
  unfold mass_of_ones. rewrite sum_swap.
  rewrite (sum_ext T _ (fun t => outcome (y t))).
  - unfold mean_outcome. destruct (Req_dec (INR T) 0) as [H0 | H0]; [| field; assumption].
    assert (T = 0%nat) as -> by (apply INR_eq; exact H0).
    cbn [sum]. change (INR 0) with 0. unfold Rdiv. ring.
  - intros t Ht. rewrite sum_scal_r, P_sums_to_1 by assumption. ring.
Qed.

(** The mean of the frequencies is the mean of all outcomes. *)
Lemma mean_of_frequencies : forall a b,
  sum n (fun i => mass P T i * (a + b * (frequency P y T i - mean_outcome y T))) = INR T * a.
Proof using P_weights P_sums_to_1.
  intros a b.
  rewrite (sum_ext n _ (fun i => (a - b * mean_outcome y T) * mass P T i + b * mass_of_ones P y T i)).
  - rewrite sum_plus, !sum_scal, total_mass, total_ones. ring.
  - intros i Hi. rewrite <- (mass_times_frequency n T P y P_weights i Hi). ring.
Qed.

Lemma murphy_mixtures : forall l,
  total_loss l n z P y T
  = sum n (fun i => mass P T i * BREG l (frequency P y T i) (z i))
    - sum n (fun i => mass P T i * BREG l (frequency P y T i) (mean_outcome y T))
    + INR T * form l (mean_outcome y T).
Proof using P_weights P_sums_to_1.
  intros l. unfold total_loss.
  rewrite <- (mean_of_frequencies (form l (mean_outcome y T)) (slope l (mean_outcome y T))).
  rewrite <- sum_minus, <- sum_plus. apply sum_ext. intros i Hi.
  rewrite (loss_in_cell n T P y P_weights) by assumption. rewrite !BREG_is_excess, !mean_loss_from_form. ring.
Qed.

(** If the outcomes are all the same, so are the frequencies. *)
Lemma frequency_if_constant : forall i, (i < n)%nat -> 0 < mass P T i ->
  mean_outcome y T = 0 \/ mean_outcome y T = 1 -> frequency P y T i = mean_outcome y T.
Proof using P_weights P_sums_to_1.
  intros i Hi Hm Hy. assert (H := total_ones). assert (HM := total_mass).
  assert (Hf := mass_times_frequency n T P y P_weights i Hi).
  destruct Hy as [Hy | Hy]; rewrite Hy in *.
  - rewrite Rmult_0_r in H.
    assert (H0 := sum_zero_terms n _ (ones_not_negative n T P y P_weights) H i Hi). nra.
  - assert (Hz : sum n (fun j => mass P T j - mass_of_ones P y T j) = 0)
      by (rewrite (sum_minus n (mass P T) (mass_of_ones P y T)); lra).
    assert (H0 := sum_zero_terms n (fun j => mass P T j - mass_of_ones P y T j)).
    specialize (H0 ltac:(intros j Hj; assert (H1 := ones_at_most_mass n T P y P_weights j Hj); lra) Hz i Hi).
    cbv beta in H0. nra.
Qed.

Lemma murphy_log_mixtures : (forall i, (i < n)%nat -> inside (z i)) ->
  total_loss loss n z P y T
  = pseudo_KLCal n z P y T
    - sum n (fun i => mass P T i * KL (frequency P y T i) (mean_outcome y T))
    + INR T * entropy (mean_outcome y T).
Proof using P_weights P_sums_to_1.
  intros Hin. rewrite murphy_mixtures. f_equal; [f_equal |].
  - unfold pseudo_KLCal. apply sum_ext. intros i Hi. fold (frequency P y T i).
    rewrite KL_is_excess_log_loss, BREG_is_excess; [reflexivity | | now apply Hin].
    now apply frequency_in_unit with (n := n).
  - apply sum_ext. intros i Hi.
    destruct (Rle_lt_or_eq_dec 0 _ (mass_not_negative n T P P_weights i Hi)) as [Hm | <-]; [| ring].
    f_equal. assert (Hy := mean_outcome_in_unit y T).
    destruct (Req_dec (mean_outcome y T) 0) as [H0 | H0];
      [| destruct (Req_dec (mean_outcome y T) 1) as [H1 | H1]].
    + rewrite frequency_if_constant by auto. now rewrite KL_same, BREG_diagonal.
    + rewrite frequency_if_constant by auto. now rewrite KL_same, BREG_diagonal.
    + rewrite KL_is_excess_log_loss, BREG_is_excess; [reflexivity | |].
      * now apply frequency_in_unit with (n := n).
      * unfold in_unit, inside in *. lra.
  - f_equal. unfold form. rewrite mean_log_loss. reflexivity.
Qed.

End Mixtures.

Lemma drawn_sums_to_1 : forall n I T, (forall t, (t < T)%nat -> (I t < n)%nat) ->
  forall t, (t < T)%nat -> sum n (drawn I t) = 1.
Proof. intros n I T HI t Ht. now apply point_is_distribution, HI. Qed.

(** Murphy's decomposition. For drawn forecasts z (I t), with the mean ybar of all outcomes, the total
    squared loss is Cal_2 - (sum of n_p (rho_p - ybar)^2) + T ybar (1 - ybar), and for forecasts in (0, 1)
    the total log loss is KLCal - (sum of n_p KL (rho_p, ybar)) + T H (ybar). The same holds for mixtures,
    and for every loss with its divergence and its form. *)
Theorem murphy : forall n z y T,
  (forall P, weights n P -> (forall t, (t < T)%nat -> sum n (P t) = 1) -> forall l,
     total_loss l n z P y T
     = sum n (fun i => mass P T i * BREG l (frequency P y T i) (z i))
       - sum n (fun i => mass P T i * BREG l (frequency P y T i) (mean_outcome y T))
       + INR T * form l (mean_outcome y T))
  /\
  (forall I, (forall t, (t < T)%nat -> (I t < n)%nat) ->
     sum T (fun t => (z (I t) - outcome (y t)) ^ 2)
     = Cal2 n z (drawn I) y T
       - sum n (fun i => mass (drawn I) T i * (frequency (drawn I) y T i - mean_outcome y T) ^ 2)
       + INR T * (mean_outcome y T * (1 - mean_outcome y T)))
  /\
  ((forall i, (i < n)%nat -> inside (z i)) -> forall I, (forall t, (t < T)%nat -> (I t < n)%nat) ->
     sum T (fun t => loss (z (I t)) (y t))
     = KLCal n z (rounds I y T)
       - sum n (fun i => mass (drawn I) T i * KL (frequency (drawn I) y T i) (mean_outcome y T))
       + INR T * entropy (mean_outcome y T)).
Proof.
  intros n z y T. split; [intros; now apply murphy_mixtures |]. split.
  - intros I HI. change (sum T (fun t => (z (I t) - outcome (y t)) ^ 2))
      with (total_drawn_loss squared_loss z I y T).
    rewrite (total_loss_drawn squared_loss n) by assumption.
    rewrite murphy_mixtures; [| apply drawn_weights | now apply drawn_sums_to_1].
    f_equal; [f_equal |].
    + unfold Cal2. apply sum_ext. intros i _. now rewrite squared_loss_divergence.
    + apply sum_ext. intros i _. now rewrite squared_loss_divergence.
    + rewrite squared_loss_form. ring.
  - intros Hin I HI. rewrite <- drawn_KLCal.
    change (sum T (fun t => loss (z (I t)) (y t))) with (total_drawn_loss loss z I y T).
    rewrite (total_loss_drawn loss n) by assumption.
    apply murphy_log_mixtures; [apply drawn_weights | now apply drawn_sums_to_1 | assumption].
Qed.
