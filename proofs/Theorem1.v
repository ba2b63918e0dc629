(** * Theorem 1 of the paper: small KL-calibration is possible

    The paper shows that some forecaster exists, by the minimax theorem and a game in which the adversary
    moves first. Here it follows from Theorem A, which names one: PAIR with K = max(2, ceiling of
    (T / ln T)^(1/3)). The exponent of the logarithm is 2/3; the paper's 5/3 follows with twice the constant.
    The swap regret of the log loss is KLCal (Proposition 1). *)

From Coq Require Import Reals Lra Lia List.
Import ListNotations.
From KLCal Require Import Definitions Basics KT CellToPoint PairRule TheoremA PairRate.
Open Scope R_scope.

(** The swap regret of the log loss on a history, when forecast i is swapped for [s i]. *)
Fixpoint log_swap_regret (z s : nat -> R) (h : history) : R :=
  match h with
  | [] => 0
  | (i, y) :: past => loss (z i) y - loss (s i) y + log_swap_regret z s past
  end.

(** It is a sum over buckets, of the losses of z i and of s i on the outcomes of the bucket. *)
Lemma log_swap_regret_by_bucket n z s h : on_grid n h ->
  log_swap_regret z s h
  = sum n (fun i => mass_loss (INR (count_ones h i)) (INR (count h i) - INR (count_ones h i)) (z i)
                    - mass_loss (INR (count_ones h i)) (INR (count h i) - INR (count_ones h i)) (s i)).
Proof.
  induction 1 as [| [j y] past Hj Hpast IH]; cbn [log_swap_regret].
  - symmetry. apply sum_zero. intros i _. unfold mass_loss. cbn [count count_ones INR]. ring.
  - rewrite IH. symmetry.
    rewrite (sum_update n j (fun i =>
               mass_loss (INR (count_ones past i)) (INR (count past i) - INR (count_ones past i)) (z i)
               - mass_loss (INR (count_ones past i)) (INR (count past i) - INR (count_ones past i)) (s i)));
      [| exact Hj | intros i Hi; now rewrite count_other, count_ones_other].
    rewrite count_same, count_ones_same, S_INR. unfold mass_loss, loss.
    destruct y; cbn [prob]; rewrite ?S_INR; ring.
Qed.

(** No swap function gains more than KLCal. *)
Theorem log_swap_regret_le_KLCal n z s h : on_grid n h ->
  (forall i, (i < n)%nat -> 0 < z i < 1) -> (forall i, (i < n)%nat -> 0 < s i < 1) ->
  log_swap_regret z s h <= KLCal n z h.
Proof.
  intros Hh Hz Hs. rewrite (log_swap_regret_by_bucket n) by exact Hh. apply sum_le. intros i Hi.
  pose proof (count_ones_le h i) as Hle. apply le_INR in Hle. pose proof (pos_INR (count_ones h i)) as Hk.
  rewrite scaled_KL by auto.
  pose proof (best_loss_le (INR (count_ones h i)) (INR (count h i)) (s i) ltac:(lra) (Hs i Hi)).
  unfold mass_loss. lra.
Qed.

Lemma rate_le T : (2 <= T)%nat ->
  Rpower (INR T) (1 / 3) * Rpower (ln (INR T)) (2 / 3)
  <= 2 * (Rpower (INR T) (1 / 3) * Rpower (ln (INR T)) (5 / 3)).
Proof.
  intros HT.
  assert (HL : / 2 <= ln (INR T)).
  { pose proof ln_lt_2. eapply Rle_trans; [left; exact H |]. apply ln_le; [lra |]. now apply (INR_T T HT). }
  replace (5 / 3) with (2 / 3 + 1) by field. rewrite Rpower_plus, Rpower_1 by lra.
  set (a := Rpower (INR T) (1 / 3)). set (b := Rpower (ln (INR T)) (2 / 3)).
  assert (0 < a * b) by (apply Rmult_lt_0_compat; apply exp_pos).
  pose proof (Rmult_le_compat_l (a * b) _ _ ltac:(lra) HL). lra.
Qed.

(** Theorem 1. For every horizon T >= 2 some forecaster, with forecasts in a finite set of numbers strictly
    between 0 and 1, has against every adaptive adversary, randomised or not,

      E[KLCal] <= 4 T^(1/3) (ln T)^(2/3) <= 8 T^(1/3) (ln T)^(5/3).

    On every path no swap function gains more than KLCal in the log loss. *)
Theorem theorem1 : forall T, (2 <= T)%nat ->
  exists (n : nat) (z : nat -> R) (F : forecaster),
    (forall h, choices F h = n) /\ proper_forecaster F /\ (forall i, (i < n)%nat -> 0 < z i < 1)
    /\ (forall A, proper_adversary A ->
          expect F A T (KLCal n z) [] <= 4 * (Rpower (INR T) (1 / 3) * Rpower (ln (INR T)) (2 / 3))
          /\ expect F A T (KLCal n z) [] <= 8 * (Rpower (INR T) (1 / 3) * Rpower (ln (INR T)) (5 / 3)))
    /\ (forall s h, (forall i, (i < n)%nat -> 0 < s i < 1) -> on_grid n h ->
          log_swap_regret z s h <= KLCal n z h).
Proof.
  intros T HT. exists (tuned T - 1)%nat, (inner_grid (tuned T)), (PAIR (tuned T)).
  destruct (tuned_bounds T HT) as [HK _].
  assert (Hz : forall i, (i < tuned T - 1)%nat -> 0 < inner_grid (tuned T) i < 1).
  { intros i Hi. apply inner_grid_open; [exact HK | lia]. }
  repeat apply conj.
  - reflexivity.
  - now apply PAIR_is_proper.
  - exact Hz.
  - intros A HA. pose proof (pair_rate_expectation T HT A HA). pose proof (rate_le T HT). split; lra.
  - intros s h Hs Hh. now apply log_swap_regret_le_KLCal.
Qed.
