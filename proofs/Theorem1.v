(** * Theorem 1 of the paper: some forecaster has E[KLCal] = O(T^(1/3) (ln T)^(5/3)), even with (ln T)^(2/3).

    The paper proves existence with the minimax theorem. An explicit forecaster proves it as well, and with a
    better power of the logarithm: Algorithm 1 with realised feedback. By
    Proposition 1, KLCal is the swap regret of the log loss. *)

From Coq Require Import Reals List Arith Lia Lra.
From KLCal Require Import Definitions Basics Lemma5 Realised Rate.
Import ListNotations.
Open Scope R_scope.

(** F forecasts on the n different points z 0 < z 1 < ... strictly between 0 and 1. *)
Definition forecaster_on (n : nat) (z : nat -> R) (F : forecaster) : Prop :=
  (forall i, (i < n)%nat -> 0 < z i < 1) /\
  (forall i j, (i < j < n)%nat -> z i < z j) /\
  (forall h, choices F h = n) /\ proper_forecaster F.

(** Theorem 1, with a better exponent and a constant. For every T >= 2 there are finitely many different
    forecasts strictly between 0 and 1 and a forecaster on them such that, against every adaptive adversary,
    E[KLCal] <= 3.7 T^(1/3) (ln T)^(2/3) after T rounds. *)
Theorem theorem1_better : forall T, (2 <= T)%nat -> exists n z F,
  forecaster_on n z F /\
  forall A, proper_adversary A -> expect F A T (KLCal n z) [] <= 3.7 * rate (INR T).
Proof.
  intros T HT. pose proof (resolution_ge_2 T) as HK. set (K := resolution T) in *.
  exists (K + 1)%nat, (grid K), (realised K). unfold forecaster_on. repeat apply conj.
  - intros i _. now apply grid_bounds.
  - intros i j Hij. apply grid_increasing; [assumption|lia].
  - reflexivity.
  - now apply realised_is_proper.
  - intros A HA. now apply realised_feedback_rate.
Qed.

(** Theorem 1. For every T >= 3 there are finitely many different forecasts strictly between 0 and 1 and a
    forecaster on them such that, against every adaptive adversary, E[KLCal] <= 3.7 T^(1/3) (ln T)^(5/3) after
    T rounds. *)
Theorem theorem1 : forall T, (3 <= T)%nat -> exists n z F,
  forecaster_on n z F /\
  forall A, proper_adversary A ->
    expect F A T (KLCal n z) [] <= 3.7 * (Rpower (INR T) (1 / 3) * Rpower (ln (INR T)) (5 / 3)).
Proof.
  intros T HT. destruct (theorem1_better T ltac:(lia)) as (n & z & F & HF & Hbound).
  exists n, z, F. split; [assumption|].
  intros A HA. eapply Rle_trans; [now apply Hbound|].
  apply Rmult_le_compat_l; [lra|]. unfold rate. apply Rmult_le_compat_l; [left; apply exp_pos|].
  assert (HT3 : 3 <= INR T) by (apply le_INR in HT; cbn in HT; lra).
  assert (HL : 1 <= ln (INR T)).
  { rewrite <- (ln_exp 1). apply ln_le; [apply exp_pos|]. pose proof exp_le_3. lra. }
  apply Rle_Rpower; lra.
Qed.
