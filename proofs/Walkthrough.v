(** * A short proof, step by step: the masses of the grid points add up to the number of rounds

    The book shows this proof with what is left to prove after each step. *)

From Coq Require Import Reals Arith Lia.
From KLCal Require Import Definitions Basics Theorem2.
Open Scope R_scope.

Theorem masses_add_up : forall K y T, (2 <= K)%nat ->
  sum (K + 1) (mass (algorithm1 K y) T) = INR T.
Proof.
  (* Let K, the outcomes y and the number of rounds T be given, with K at least 2. *)
  intros K y T HK.
  (* The mass of a point is the sum of its probabilities over the rounds. *)
  unfold mass.
  (* Two finite sums may be exchanged. *)
  rewrite sum_swap.
  (* It is enough that the inner sum is 1 in every round. That leaves two things to prove. *)
  rewrite (sum_ext T _ (fun _ => 1)).
  (* First: T times the number 1 is T. *)
  { rewrite sum_const. ring. }
  (* Second: the probabilities of a round add up to 1. *)
  intros t Ht.
  (* This is part of the theorem that every mixture of Algorithm 1 is a stationary distribution. *)
  apply (algorithm1_is_stationary K y t HK).
Qed.
