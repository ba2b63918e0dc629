(** * Algorithm 1 with realised feedback: a concrete algorithm for KL-calibration itself, in expectation.

    Learner i sees the rounds in which its own point was drawn, with weight 1, so EWOO is Laplace's rule
    (k + 1)/(n + 2) on the counts of its bucket. On every path KLCal is at most the sum of ln (1 + n_i) plus
    the losses of the drawn points minus the losses of the drawn learners' points (Lemma 4 inside each
    bucket). Given the past, the draw does not depend on the outcome, and the mixture is stationary; so the
    mean of that difference is at most the cost of rounding, round by round. *)

From Coq Require Import Reals List Arith Lia Lra Psatz.
From KLCal Require Import Definitions Bounds Basics Histories Lemma4 Lemma5 Theorem2.
Import ListNotations.
Open Scope R_scope.

(** ** Inside the buckets: any n forecasts z strictly between 0 and 1, any history *)

(** Laplace's rule in bucket i. *)
Definition laplace (h : history) (i : nat) : R := ewoo (INR (count_ones h i)) (INR (count h i)).

(** Losses of the drawn forecasts minus losses of Laplace's rule in their buckets. *)
Fixpoint excess (z : nat -> R) (h : history) : R :=
  match h with
  | [] => 0
  | (i, y) :: past => excess z past + (loss (z i) y - loss (laplace past i) y)
  end.

(** What a bucket contributes to KLCal, beyond ln (1 + n_i). *)
Definition bucket (z : nat -> R) (h : history) (i : nat) : R :=
  INR (count h i) * KL (INR (count_ones h i) / INR (count h i)) (z i) - ln (1 + INR (count h i)).

Lemma bucket_step z h i y :
  0 < z i < 1 ->
  bucket z ((i, y) :: h) i - bucket z h i <= loss (z i) y - loss (laplace h i) y.
Proof.
  intros Hz. unfold bucket.
  rewrite (scaled_KL _ _ _ (counts_bounds h i) Hz), (scaled_KL _ _ _ (counts_bounds ((i, y) :: h) i) Hz).
  rewrite count_same, count_ones_same, S_INR.
  replace (INR (if y then S (count_ones h i) else count_ones h i)) with (INR (count_ones h i) + outcome y)
    by (destruct y; rewrite ?S_INR; cbn [outcome]; ring).
  pose proof (ewoo_step _ _ 1 y (counts_bounds h i) ltac:(lra)) as H. unfold potential in H.
  rewrite !Rmult_1_l in H. fold (laplace h i) in H. rewrite loss_split. lra.
Qed.

Lemma bucket_other z h i j y : j <> i -> bucket z ((j, y) :: h) i = bucket z h i.
Proof. intros H. unfold bucket. now rewrite count_other, count_ones_other by auto. Qed.

Lemma KLCal_by_excess n z h :
  (forall i, (i < n)%nat -> 0 < z i < 1) -> within n h ->
  KLCal n z h <= sum n (fun i => ln (1 + INR (count h i))) + excess z h.
Proof.
  intros Hz Hin.
  assert (H : sum n (bucket z h) <= excess z h).
  { induction Hin as [|[j y] h Hj _ IH]; cbn [excess].
    - right. apply sum_zero. intros i _. unfold bucket. cbn. rewrite Rplus_0_r, ln_1. ring.
    - cbn [fst] in Hj. rewrite (sum_update n j (bucket z h)) by (auto; intros i Hi; apply bucket_other; auto).
      pose proof (bucket_step z h j y (Hz j Hj)). lra. }
  unfold bucket in H. rewrite sum_minus in H. unfold KLCal. lra.
Qed.

(** The logarithmic term is largest if all buckets are equally full. *)
Lemma sum_ln_counts n h :
  (0 < n)%nat -> within n h ->
  sum n (fun i => ln (1 + INR (count h i))) <= INR n * ln (1 + INR (length h) / INR n).
Proof.
  intros Hn Hin. assert (HN : 0 < INR n) by now apply lt_0_INR.
  replace (1 + INR (length h) / INR n) with ((INR n + INR (length h)) / INR n) by (field; lra).
  apply sum_ln_le; [assumption| |].
  - intros i _. pose proof (pos_INR (count h i)). lra.
  - rewrite sum_plus, sum_const, sum_of_counts by assumption. ring.
Qed.

(** ** The game *)

Theorem realised_is_proper K : (2 <= K)%nat -> proper_forecaster (realised K).
Proof. intros HK h. now apply stationary_round_correct. Qed.

(** Given the past, the mean of the new difference of losses is at most the cost of rounding. *)
Lemma excess_step K A h :
  (2 <= K)%nat -> proper_adversary A ->
  mean_of_round (realised K) A h (excess (grid K)) <= excess (grid K) h + 2 * ln (/ cos (step K)).
Proof.
  intros HK HA. specialize (HA h). unfold mean_of_round. cbn [choices weight realised excess].
  set (p := stationary_round K (fun i => INR (count_ones h i)) (fun i => INR (count h i))).
  assert (Hround : forall y, sum (K + 1) (fun i => p i * (loss (grid K i) y - loss (laplace h i) y))
                             <= 2 * ln (/ cos (step K))).
  { intros y.
    pose proof (blum_mansour_round K (fun i => INR (count_ones h i)) (fun i => INR (count h i)) y HK) as H.
    cbv zeta in H. fold p in H. specialize (H (fun i _ => counts_bounds h i)).
    rewrite (sum_ext _ _ (fun i => p i * loss (grid K i) y - p i * loss (laplace h i) y)) by (intros; ring).
    rewrite sum_minus. unfold laplace. lra. }
  assert (Hp : sum (K + 1) p = 1).
  { destruct (realised_is_proper K HK h) as [_ Hs]. exact Hs. }
  rewrite (sum_ext _ _ (fun i => p i * excess (grid K) h
    + (A h * (p i * (loss (grid K i) true - loss (laplace h i) true))
       + (1 - A h) * (p i * (loss (grid K i) false - loss (laplace h i) false))))) by (intros; ring).
  rewrite sum_plus, sum_plus, !sum_scal, sum_scal_r, Hp.
  pose proof (Hround true). pose proof (Hround false). nra.
Qed.

Lemma expect_excess K A T h :
  (2 <= K)%nat -> proper_adversary A ->
  expect (realised K) A T (excess (grid K)) h <= excess (grid K) h + INR T * (2 * ln (/ cos (step K))).
Proof.
  intros HK HA. revert h. induction T as [|T IH]; intros h; [cbn; lra|].
  rewrite expect_succ, S_INR. set (c := 2 * ln (/ cos (step K))) in *.
  apply Rle_trans with (mean_of_round (realised K) A h (fun k => excess (grid K) k + INR T * c)).
  - apply mean_of_round_le; [now apply realised_is_proper|assumption|]. intros. apply IH.
  - rewrite mean_of_round_plus, mean_of_round_const by now apply realised_is_proper.
    pose proof (excess_step K A h HK HA). fold c in H. lra.
Qed.

(** Realised feedback, sharp form. *)
Theorem realised_feedback_sharp K A T :
  (2 <= K)%nat -> proper_adversary A ->
  expect (realised K) A T (KLCal (K + 1) (grid K)) [] <= theorem2_sharp_bound K T.
Proof.
  intros HK HA. unfold theorem2_sharp_bound. pose proof (realised_is_proper K HK) as HF.
  set (L := INR (K + 1) * ln (1 + INR T / INR (K + 1))).
  apply Rle_trans with (expect (realised K) A T (fun k => L + excess (grid K) k) []).
  - apply expect_le_reachable; [assumption..|]. intros k Hk.
    apply (reachable_within _ (K + 1)) in Hk; [|reflexivity|constructor].
    destruct Hk as [Hin Hlen]. rewrite Nat.add_0_r in Hlen.
    pose proof (KLCal_by_excess (K + 1) (grid K) k (fun i _ => grid_bounds K HK i) Hin) as H.
    pose proof (sum_ln_counts (K + 1) k ltac:(lia) Hin) as Hln. rewrite Hlen in Hln. fold L in Hln. lra.
  - rewrite expect_plus, expect_const by assumption.
    pose proof (expect_excess K A T [] HK HA) as H. cbn [excess] in H. lra.
Qed.

(** Realised feedback. For every K >= 2, every number of rounds T and every adaptive adversary, deterministic
    or randomised, Algorithm 1 with realised feedback has
    E[KLCal] <= (K+1) ln (1 + T/(K+1)) + T tan^2(pi/2K); at K = 2 the angle is pi/8. *)
Theorem realised_feedback K A T :
  (2 <= K)%nat -> proper_adversary A ->
  expect (realised K) A T (KLCal (K + 1) (grid K)) [] <= theorem2_bound K T.
Proof.
  intros HK HA. pose proof (realised_feedback_sharp K A T HK HA). unfold theorem2_bound, theorem2_sharp_bound in *.
  pose proof (two_ln_sec_le_tan2 (step K) (proj1 (cos_step_pos K HK))). pose proof (pos_INR T). nra.
Qed.
