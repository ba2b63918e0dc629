(** * Theorem 2 against adaptive adversaries, in the game of the other theorems.

    Algorithm 1 draws its forecasts from its mixtures, and the adversary may answer to all earlier draws. Its
    mixtures do not depend on the draws, and they do not look ahead; so along every history they are
    [algorithm1 K] of the outcomes of that history, and Theorem 2 applies to them. *)

From Coq Require Import Reals List Bool.
From KLCal Require Import Definitions Bounds Basics Histories Theorem2 Theorem3 Corollary3.
Import ListNotations.
Open Scope R_scope.

(** PKLCal of the mixtures that a forecaster gave along a history. *)
Definition pseudo_KLCal_along (F : forecaster) (n : nat) (z : nat -> R) (h : history) : R :=
  sum n (fun i => mass_along F h i * KL (ones_along F h i / mass_along F h i) (z i)).

Lemma pseudo_KLCal_along_is_PKLCal K h :
  pseudo_KLCal_along (algorithm1_draws K) (K + 1) (grid K) h
  = PKLCal K (algorithm1 K (outcome_of h)) (outcome_of h) (length h).
Proof. apply sum_ext. intros i _. now destruct (masses_along K h i) as [-> ->]. Qed.

Lemma certain F A T event :
  proper_forecaster F -> proper_adversary A -> (forall h, event h = true) -> probability F A T event = 1.
Proof.
  intros HF HA H. unfold probability. rewrite (expect_ext F A HF HA T _ (fun _ => 1)).
  - now apply expect_const.
  - intros h. unfold indicator. now rewrite H.
Qed.

Lemma always_certain event : (forall h, event h = true) -> forall h, always event h = true.
Proof. intros H h. induction h as [|r h IH]; cbn [always]; [apply H|]. now rewrite H, IH. Qed.

(** Theorem 2 for adaptive adversaries. Let K >= 2. Whatever an adaptive adversary does, with probability 1
    Algorithm 1 has, after all rounds t <= T at once, PKLCal <= (K+1) ln (1 + t/(K+1)) + 2 t ln sec(pi/2K),
    which is at most (K+1) ln (1 + t/(K+1)) + t tan^2(pi/2K); at K = 2 the angle is pi/8. *)
Theorem theorem2_adaptive : forall K A T, (2 <= K)%nat -> proper_adversary A ->
  probability (algorithm1_draws K) A T (always (fun h =>
    at_most (pseudo_KLCal_along (algorithm1_draws K) (K + 1) (grid K) h)
      (theorem2_sharp_bound K (length h)))) = 1.
Proof.
  intros K A T HK HA. apply certain; [now apply algorithm1_draws_proper|assumption|].
  apply always_certain. intros h. apply at_most_true. rewrite pseudo_KLCal_along_is_PKLCal.
  now apply theorem2_sharp.
Qed.
