(** * The right-hand sides that several theorems share, each written once, and no proof.

    Who changes a constant of Theorem 2, 3 or E changes it here and in the file that proves it. *)

From Coq Require Import Reals.
From KLCal Require Import Definitions.
Open Scope R_scope.

(** Theorem 2, as printed and in its sharp form: (K+1) ln (1 + T/(K+1)) + T tan^2 (pi/2K), and with
    2 T ln sec (pi/2K) for the second term. At K = 2 the angle is pi/8. *)
Definition theorem2_bound (K T : nat) : R :=
  INR (K + 1) * ln (1 + INR T / INR (K + 1)) + INR T * tan (step K) ^ 2.

Definition theorem2_sharp_bound (K T : nat) : R :=
  INR (K + 1) * ln (1 + INR T / INR (K + 1)) + 2 * INR T * ln (/ cos (step K)).

(** Theorem 3: what drawing from n points adds to 3 PCal_2, if the masses are known in advance, and for every
    algorithm in at most 4^J rounds. At delta = 1/4 the logarithms are ln (3 n) + 2 ln 2 and
    ln (4 n (1 + J)) + 2 ln 2. *)
Definition known_masses_cost (n : nat) (delta : R) : R :=
  24 * (exp 1 - 2) * INR n * ln (3 * INR n / delta).

Definition any_masses_cost (n J : nat) (delta : R) : R :=
  27 * (exp 1 - 2) * INR n * ln (4 * INR n * (1 + INR J) / delta).

(** Theorem E: KLCal of the tree after t rounds, with probability at least 1 - delta. *)
Definition tree_bound (t : nat) (delta : R) : R := 11 * rate (INR t) + 2 * ln (2 / delta).
