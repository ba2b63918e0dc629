(** * Algorithm 2 and the Blum-Mansour step

    One learner: EWOO, rounded to the grid. All learners: if the mixture of every round is stationary, the swap regret
    is the sum of their regrets. *)

From Coq Require Import Reals Lra Lia List.
From KLCal Require Import Definitions Basics LossDefinitions Lemma4 Lemma5.
Open Scope R_scope.

(** For weights P t i between 0 and 1 and every outcome sequence, the loss of the rounded learner exceeds that of any
    constant w in [0, 1] by at most ln (1 + S) + 2 S ln sec(step K), where S is the mass received in T rounds. (A
    constant 0 or 1 that meets the other outcome has infinite loss, which the library's logarithm does not show; the
    two last hypotheses leave it out.) *)
Theorem rounded_learner K P y i T w : (2 <= K)%nat -> (forall t, 0 <= P t i <= 1) -> 0 <= w <= 1 ->
  (w = 0 -> mass_of_ones P y T i = 0) -> (w = 1 -> mass_of_ones P y T i = mass P T i) ->
  sum T (fun t => P t i * sum (K + 1) (fun j => rround K (ewoo (mass_of_ones P y t i) (mass P t i)) j
                                                * loss (grid K j) (y t)))
  - sum T (fun t => P t i * loss w (y t))
  <= ln (1 + mass P T i) + 2 * mass P T i * ln (/ cos (step K)).
Proof.
  intros HK HP Hw H0 H1. destruct (lemma4 P y i HP T w Hw H0 H1) as [H4 _].
  set (c := 2 * ln (/ cos (step K))).
  enough (sum T (fun t => P t i * sum (K + 1) (fun j => rround K (ewoo (mass_of_ones P y t i) (mass P t i)) j
                                                        * loss (grid K j) (y t)))
          <= sum T (fun t => P t i * loss (ewoo (mass_of_ones P y t i) (mass P t i)) (y t)) + c * mass P T i).
  { unfold c in *. lra. }
  unfold mass at 3. rewrite <- sum_scal, <- sum_plus. apply sum_le. intros t _.
  pose proof (ewoo_bounds _ _ (mass_of_ones_bounds P y i HP t)) as Hb.
  pose proof (lemma5_sharp K _ (y t) HK Hb) as H5. fold c in H5.
  pose proof (Rmult_le_compat_l (P t i) _ _ (proj1 (HP t)) H5). lra.
Qed.

(** If P t is stationary for the moves Q t in every round, the pseudo swap regret of any loss and any swap function is
    the sum over i of the regret of a learner that plays row i of Q t with weight P t i. *)
Theorem sum_of_regrets (l : loss_function) n z P (Q : nat -> nat -> nat -> R) y T s :
  (forall t j, (j < n)%nat -> P t j = sum n (fun i => P t i * Q t i j)) ->
  pseudo_swap_regret_of l n z P y T s
  = sum n (fun i => sum T (fun t => P t i * sum n (fun j => Q t i j * l (z j) (y t)))
                    - sum T (fun t => P t i * l (s (z i)) (y t))).
Proof.
  intros HQ. unfold pseudo_swap_regret_of. rewrite sum_minus.
  rewrite (sum_ext n _ (fun i => sum T (fun t => P t i * l (z i) (y t))
                                 - sum T (fun t => P t i * l (s (z i)) (y t)))).
  2: { intros i _. rewrite <- sum_minus. apply sum_ext. intros. ring. }
  rewrite sum_minus. f_equal. rewrite !(sum_swap n T). apply sum_ext. intros t _.
  rewrite (sum_ext n _ (fun j => sum n (fun i => P t i * (Q t i j * l (z j) (y t))))).
  2: { intros j Hj. rewrite (HQ t j Hj), Rmult_comm, <- sum_scal. apply sum_ext. intros. ring. }
  rewrite sum_swap. apply sum_ext. intros i _. now rewrite sum_scal.
Qed.
