(** * The objects of the paper and of PAIR, in the order of the paper, and no proof.

    [LossDefinitions] adds proper losses and swap regret, [TreeDefinitions] the tree. Some theorems define a few
    more objects in their own files; the head of [Main] lists those that the main theorems use.

    Conventions.
    - Rounds count from 0. Outcomes are booleans, [true] for 1. Indices of forecasts count from 0.
    - A finite sum is [sum n f], that is f 0 + ... + f (n - 1).
    - In the library's reals [ln x = 0] for x <= 0, so [0 * ln 0 = 0]; this is the convention 0 log 0 = 0.
      A division by 0 occurs only where its result is multiplied by 0 (the frequency of a forecast that was
      never made). All forecasts lie strictly between 0 and 1.
    - A distribution over the indices 0 .. n - 1 is a weight function [nat -> R] together with the bound n. *)

From Coq Require Import Reals List ZArith Arith Bool.
Import ListNotations.
Open Scope R_scope.

(** ** Sums, outcomes, searching *)

Fixpoint sum (n : nat) (f : nat -> R) : R :=
  match n with
  | O => 0
  | S m => sum m f + f m
  end.

Definition outcome (y : bool) : R := if y then 1 else 0.

(** All mass on the index i. *)
Definition point (i j : nat) : R := if (i =? j)%nat then 1 else 0.

(** The lowest index below n that passes a test. *)
Fixpoint lowest (n : nat) (test : nat -> bool) : option nat :=
  match n with
  | O => None
  | S m =>
      match lowest m test with
      | Some i => Some i
      | None => if test m then Some m else None
      end
  end.

Definition less (x y : R) : bool := if Rlt_dec x y then true else false.
Definition at_most (x y : R) : bool := if Rle_dec x y then true else false.

(** The number in [lo, hi] that is nearest to x. *)
Definition clip (lo hi x : R) : R := Rmax lo (Rmin hi x).

Definition ceiling (x : R) : nat := Z.to_nat (- Int_part (- x)).

(** ** Log loss and KL divergence (Sections 1 and 3) *)

(** The probability that the forecast p gives to the outcome y. *)
Definition prob (p : R) (y : bool) : R := if y then p else 1 - p.

Definition loss (p : R) (y : bool) : R := - ln (prob p y).

Definition KL (r q : R) : R := r * ln (r / q) + (1 - r) * ln ((1 - r) / (1 - q)).

(** ** Pseudo KL-calibration (equation 3): [P t i] is the probability of forecast i in round t. *)

Definition mass (P : nat -> nat -> R) (T i : nat) : R := sum T (fun t => P t i).

Definition mass_of_ones (P : nat -> nat -> R) (y : nat -> bool) (T i : nat) : R :=
  sum T (fun t => P t i * outcome (y t)).

(** For n forecasts z 0, ..., z (n - 1): *)
Definition pseudo_KLCal (n : nat) (z : nat -> R) (P : nat -> nat -> R) (y : nat -> bool) (T : nat) : R :=
  sum n (fun i => mass P T i * KL (mass_of_ones P y T i / mass P T i) (z i)).

(** ** The grid of Section 5: K + 1 points, K at least 2 *)

Definition grid (K i : nat) : R :=
  if (i =? 0)%nat then sin (PI / (4 * INR K)) ^ 2
  else if (i <? K)%nat then sin (PI * INR i / (2 * INR K)) ^ 2
  else cos (PI / (4 * INR K)) ^ 2.

Definition PKLCal (K : nat) (P : nat -> nat -> R) (y : nat -> bool) (T : nat) : R :=
  pseudo_KLCal (K + 1) (grid K) P y T.

(** The largest angle between neighbours of the grid, where z = sin^2 of the angle: pi/2K; at K = 2 both cells
    are end cells, and it is pi/4K = pi/8. *)
Definition step (K : nat) : R := if (K =? 2)%nat then PI / 8 else PI / (2 * INR K).

(** ** Randomised rounding (Algorithm 4), clamped to the end points outside the grid

    With z_i <= w < z_{i+1} the two neighbours get the shares of the paper; w < z_0 goes to z_0, and w >= z_K
    to z_K. The search finds the first grid point above w. *)

Definition rround (K : nat) (w : R) : nat -> R :=
  match lowest (K + 1) (fun i => less w (grid K i)) with
  | Some O => point 0
  | Some (S i) =>
      let lower := grid K i in
      let upper := grid K (S i) in
      let share_of_lower := (upper - w) / (upper * (1 - upper)) in
      let share_of_upper := (w - lower) / (lower * (1 - lower)) in
      let D := share_of_upper + share_of_lower in
      fun j =>
        if (j =? i)%nat then share_of_lower / D
        else if (j =? S i)%nat then share_of_upper / D
        else 0
  | None => point K
  end.

(** ** EWOO (Algorithm 3) for the scaled log loss

    The weight function is w^a (1 - w)^(s - a), where s is the mass a learner has received and a the part of
    it that came with outcome 1; its mean is that of a Beta distribution. *)

Definition ewoo (a s : R) : R := (a + 1) / (s + 2).

(** ** A stationary distribution by elimination

    States 0, ..., n move from i to j with probability [Q i j] and leave for ever with probability [leak i].
    Eliminate the last state, solve for the others, put it back. A last state that never moves to a lower one
    and never leaves is a closed class of its own; it is taken if the lower states have no closed class. The
    weights are 0 if everything leaks. Of several closed classes this finds the one with the lowest member
    ([LowestClass]). *)

Fixpoint stationary_weights (n : nat) (Q : nat -> nat -> R) (leak : nat -> R) : nat -> R :=
  match n with
  | O => fun i => if Req_EM_T (leak 0%nat) 0 then point 0 i else 0
  | S m =>
      let moves := leak n + sum n (Q n) in
      if Req_EM_T moves 0 then
        let w := stationary_weights m Q (fun i => leak i + Q i n) in
        if Req_EM_T (sum n w) 0 then point n else w
      else
        let w := stationary_weights m (fun i j => Q i j + Q i n * Q n j / moves)
                                      (fun i => leak i + Q i n * leak n / moves) in
        fun i => if (i =? n)%nat then sum n (fun j => w j * Q j n) / moves else w i
  end.

Definition stationary (n : nat) (Q : nat -> nat -> R) (i : nat) : R :=
  let w := stationary_weights n Q (fun _ => 0) in w i / sum (n + 1) w.

(** ** Algorithm 1, with Algorithm 2 as its learners

    Learner i has received the mass [s i], of which [a i] with outcome 1. Its point is rounded to the grid,
    which gives row i of a stochastic matrix (the paper stacks the same distributions as columns). The mixture
    of the round is stationary for it. Before the first round every learner's point is 1/2, as Algorithm 2 has
    it; the uniform start that Algorithm 1 mentions is not used. *)

Definition stationary_round (K : nat) (a s : nat -> R) : nat -> R :=
  stationary K (fun i => rround K (ewoo (a i) (s i))).

(** What the learners have received before round t: masses of ones and masses. *)
Fixpoint received (K : nat) (y : nat -> bool) (t : nat) : (nat -> R) * (nat -> R) :=
  match t with
  | O => (fun _ => 0, fun _ => 0)
  | S u =>
      let (a, s) := received K y u in
      let p := stationary_round K a s in
      (fun i => a i + p i * outcome (y u), fun i => s i + p i)
  end.

(** The probability of grid point i in round t. *)
Definition algorithm1 (K : nat) (y : nat -> bool) (t : nat) : nat -> R :=
  stationary_round K (fst (received K y t)) (snd (received K y t)).

(** ** The paper's choice of K, its rate, and the doubling trick *)

(** (T/ln T)^(1/3), made an integer, at least 2. *)
Definition resolution (T : nat) : nat :=
  if (T <? 2)%nat then 2%nat else Nat.max 2 (ceiling (Rpower (INR T / ln (INR T)) (1 / 3))).

Definition rate (T : R) : R := Rpower T (1 / 3) * Rpower (ln T) (2 / 3).

(** The probability of the number x under a mixture over the grid. *)
Definition by_value (K : nat) (p : nat -> R) (x : R) : R :=
  sum (K + 1) (fun i => if Req_EM_T (grid K i) x then p i else 0).

(** Pseudo KL-calibration by values, for forecasts on several grids: [P t x] is the probability that the
    forecast of round t is the number x. The sum runs over a finite set Z of numbers, a list without
    repetitions. *)
Definition mass_at (P : nat -> R -> R) (T : nat) (x : R) : R := sum T (fun t => P t x).

Definition ones_at (P : nat -> R -> R) (y : nat -> bool) (T : nat) (x : R) : R :=
  sum T (fun t => P t x * outcome (y t)).

Definition PKLCal_of_values (Z : list R) (P : nat -> R -> R) (y : nat -> bool) (T : nat) : R :=
  fold_right Rplus 0 (map (fun x => mass_at P T x * KL (ones_at P y T x / mass_at P T x) x) Z).

(** Epoch r consists of the 2^r rounds 2^r - 1, ..., 2^(r+1) - 2; it starts Algorithm 1 afresh. *)
Definition epoch (t : nat) : nat := Nat.log2 (t + 1).
Definition start (r : nat) : nat := (2 ^ r - 1)%nat.
Definition cells_of_epoch (r : nat) : nat := resolution (2 ^ r).

(** The probability that round t forecasts the number x. *)
Definition doubling (y : nat -> bool) (t : nat) : R -> R :=
  let r := epoch t in
  let K := cells_of_epoch r in
  by_value K (algorithm1 K (fun u => y (start r + u)%nat) (t - start r)).

(** ** Histories

    A round is the drawn index and the outcome; the latest round comes first. *)

Definition history : Type := list (nat * bool).

(** How often forecast i was drawn, and how often with outcome 1. *)
Fixpoint count (h : history) (i : nat) : nat :=
  match h with
  | [] => 0
  | (j, _) :: past => if (j =? i)%nat then S (count past i) else count past i
  end.

Fixpoint count_ones (h : history) (i : nat) : nat :=
  match h with
  | [] => 0
  | (j, y) :: past => if ((j =? i)%nat && y)%bool then S (count_ones past i) else count_ones past i
  end.

(** KL-calibration of the drawn forecasts (equation 3), for n forecasts z 0, ..., z (n - 1). *)
Definition KLCal (n : nat) (z : nat -> R) (h : history) : R :=
  sum n (fun i => INR (count h i) * KL (INR (count_ones h i) / INR (count h i)) (z i)).

(** ** The game

    A forecaster draws, after the history h, an index i < [choices h] with probability [weight h i]. An
    adversary chooses outcome 1 with a probability that may depend on the whole history (hence also on the
    mixture of the round), but not on its draw. Probabilities 0 and 1 are deterministic choices. *)

Record forecaster : Type := Forecaster { choices : history -> nat; weight : history -> nat -> R }.

Definition is_distribution (n : nat) (p : nat -> R) : Prop :=
  (forall i, (i < n)%nat -> 0 <= p i) /\ sum n p = 1.

Definition proper_forecaster (F : forecaster) : Prop := forall h, is_distribution (choices F h) (weight F h).

Definition adversary : Type := history -> R.

Definition proper_adversary (A : adversary) : Prop := forall h, 0 <= A h <= 1.

Definition deterministic (B : history -> bool) : adversary := fun h => outcome (B h).

(** The mean of f (final history), when T more rounds are played after the history h. *)
Fixpoint expect (F : forecaster) (A : adversary) (T : nat) (f : history -> R) (h : history) : R :=
  match T with
  | O => f h
  | S U =>
      sum (choices F h)
        (fun i => weight F h i * (A h * expect F A U f ((i, true) :: h)
                                  + (1 - A h) * expect F A U f ((i, false) :: h)))
  end.

Definition indicator (event : history -> bool) (h : history) : R := if event h then 1 else 0.

(** The probability of an event of the history of T rounds. *)
Definition probability (F : forecaster) (A : adversary) (T : nat) (event : history -> bool) : R :=
  expect F A T (indicator event) [].

(** An event held after some round, or after every round, 0 rounds included. *)
Fixpoint ever (event : history -> bool) (h : history) : bool :=
  match h with
  | [] => event []
  | _ :: past => event h || ever event past
  end.

Fixpoint always (event : history -> bool) (h : history) : bool :=
  match h with
  | [] => event []
  | _ :: past => event h && always event past
  end.

(** ** Algorithm 1 with realised feedback: only the drawn learner learns, with weight 1 *)

Definition realised (K : nat) : forecaster :=
  Forecaster (fun _ => (K + 1)%nat)
    (fun h => stationary_round K (fun i => INR (count_ones h i)) (fun i => INR (count h i))).

(** ** PAIR

    It plays on the grid of Section 4, sin^2(pi i / 2K) for 0 < i < K, counted from 0 here. *)

Definition inner_grid (K i : nat) : R := sin (PI * INR (i + 1) / (2 * INR K)) ^ 2.

Definition deviation (z : R) : R := sqrt (z * (1 - z)).

(** The cell of point i is closed, from boundary i to boundary i + 1. *)
Definition boundary (K i : nat) : R :=
  if (i =? 0)%nat then 0
  else if (i <? K - 1)%nat then
    let lower := inner_grid K (i - 1) in
    let upper := inner_grid K i in
    (lower * deviation upper + upper * deviation lower) / (deviation lower + deviation upper)
  else 1.

(** The mean of Krichevsky and Trofimov, after n rounds with k ones. *)
Definition kt (k n : nat) : R := (INR k + / 2) / (INR n + 1).

(** The mixture when bucket i has the mean [w i]: the lowest point whose mean lies in its cell; otherwise the
    lowest pair of neighbours whose means lie beyond their common boundary on either side, mixed such that the
    means average to the boundary. (One of the two exists, so the last line is never reached.) *)
Definition pair_rule (K : nat) (w : nat -> R) : nat -> R :=
  match lowest (K - 1) (fun i => (at_most (boundary K i) (w i)
                                  && at_most (w i) (boundary K (i + 1)))%bool) with
  | Some i => point i
  | None =>
      match lowest (K - 2) (fun i => (less (boundary K (i + 1)) (w i)
                                      && less (w (i + 1)%nat) (boundary K (i + 1)))%bool) with
      | Some i =>
          let p := (boundary K (i + 1) - w (i + 1)%nat) / (w i - w (i + 1)%nat) in
          fun j =>
            if (j =? i)%nat then p
            else if (j =? i + 1)%nat then 1 - p
            else 0
      | None => point 0
      end
  end.

Definition pair_mixture (K : nat) (h : history) : nat -> R :=
  pair_rule K (fun i => kt (count_ones h i) (count h i)).

Definition PAIR (K : nat) : forecaster := Forecaster (fun _ => (K - 1)%nat) (pair_mixture K).

(** PAIR with expected feedback: both points of a pair learn, with their probabilities as weights, and the
    mean of a bucket is that of EWOO. What the buckets have received before round t: masses of ones, and
    masses. *)
Fixpoint pair_received (K : nat) (y : nat -> bool) (t : nat) : (nat -> R) * (nat -> R) :=
  match t with
  | O => (fun _ => 0, fun _ => 0)
  | S u =>
      let (a, s) := pair_received K y u in
      let p := pair_rule K (fun i => ewoo (a i) (s i)) in
      (fun i => a i + p i * outcome (y u), fun i => s i + p i)
  end.

(** The probability of point i in round t. *)
Definition pair_expected (K : nat) (y : nat -> bool) (t : nat) : nat -> R :=
  let (a, s) := pair_received K y t in pair_rule K (fun i => ewoo (a i) (s i)).
