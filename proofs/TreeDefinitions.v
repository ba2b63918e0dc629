(** * The tree: one forecaster without a horizon, for KL-calibration and for all bounded proper losses

    Definitions only. The forecasts are the midpoints of the cells of a binary tree over [0,1]; the root is
    the whole interval. A node is retired when it has had its capacity of rounds, and its two children take
    its place. Every round is played by the active nodes, whose cells tile [0,1]: if the mean of an active
    node lies in its cell, the node's forecast is announced; otherwise two neighbours are mixed by a coin,
    weighted by wealths.

    Nodes are numbered as in a heap: the root is 1, the children of i are 2i and 2i + 1. So node i is at
    level [Nat.log2 i], the nodes of level l are 2^l, ..., 2^(l+1) - 1 from left to right, and the nodes of
    the levels below L are the positive numbers below 2^L. The number 0 is not used. *)

From Coq Require Import Reals List Arith Bool.
From KLCal Require Import Definitions LossDefinitions.
Import ListNotations.
Open Scope R_scope.

(** ** Nodes: level, position, cell, forecast, capacity, prior *)

Definition level (i : nat) : nat := Nat.log2 i.
Definition position (i : nat) : nat := (i - 2 ^ level i)%nat.

(** The angular width of the cells of level l, where p = sin^2 (angle): pi / 2^(l+1). *)
Definition width (l : nat) : R := PI / 2 ^ (l + 1).

(** The cell of the j-th node of level l reaches from the angle j w to the angle (j+1) w, w the width. *)
Definition lower_angle (i : nat) : R := INR (position i) * width (level i).
Definition upper_angle (i : nat) : R := INR (position i + 1) * width (level i).
Definition lower (i : nat) : R := sin (lower_angle i) ^ 2.
Definition upper (i : nat) : R := sin (upper_angle i) ^ 2.
Definition midpoint (i : nat) : R := (lower i + upper i) / 2.

(** N_0 = 1, N_l = (l+1) 4^(l-1). *)
Definition capacity (l : nat) : nat :=
  match l with
  | O => 1
  | S k => (l + 1) * 4 ^ k
  end.

(** A prior over all nodes, of total mass 1: 2^-l / ((l+1)(l+2)). *)
Definition prior (i : nat) : R := / (2 ^ level i * (INR (level i) + 1) * (INR (level i) + 2)).

(** ** What a node knows after the history h *)

Definition mean (h : history) (i : nat) : R := kt (count_ones h i) (count h i).
Definition clipped_mean (h : history) (i : nat) : R := clip (lower i) (upper i) (mean h i).

(** What a bet of node i on the outcome y returns: its mean against its clipped mean. *)
Definition factor (h : history) (i : nat) (y : bool) : R := prob (mean h i) y / prob (clipped_mean h i) y.

(** The wealth of node i: the product of the factors of its own rounds. *)
Fixpoint wealth (h : history) (i : nat) : R :=
  match h with
  | [] => 1
  | (j, y) :: past => if (j =? i)%nat then wealth past i * factor past i y else wealth past i
  end.

(** The product of all wealths: the product of the factors of all rounds. *)
Fixpoint total_wealth (h : history) : R :=
  match h with
  | [] => 1
  | (j, y) :: past => total_wealth past * factor past j y
  end.

(** The weight of a node in the coin. *)
Definition stake (h : history) (i : nat) : R := total_wealth h + prior i * wealth h i.

(** ** The active nodes, from left to right

    From a node downwards: a full node is replaced by its children. No node below level [length h] can be full
    after the history h of a play, because all its ancestors have had a round; so this depth suffices. *)

Definition full (h : history) (i : nat) : bool := (capacity (level i) <=? count h i)%nat.

Fixpoint active_below (h : history) (depth i : nat) : list nat :=
  match depth with
  | O => [i]
  | S d => if full h i then active_below h d (2 * i) ++ active_below h d (2 * i + 1) else [i]
  end.

Definition active (h : history) : list nat := active_below h (length h) 1.

(** ** The mixture of a round *)

Definition mean_in_cell (h : history) (i : nat) : bool :=
  (at_most (lower i) (mean h i) && at_most (mean h i) (upper i))%bool.

(** The first two neighbours whose means lie beyond their common boundary on either side. *)
Fixpoint first_pair (h : history) (nodes : list nat) : option (nat * nat) :=
  match nodes with
  | i :: rest =>
      match rest with
      | j :: _ =>
          if (less (upper i) (mean h i) && less (mean h j) (lower j))%bool
          then Some (i, j)
          else first_pair h rest
      | [] => None
      end
  | [] => None
  end.

(** The lowest active node whose mean lies in its cell; otherwise the lowest pair i, j with boundary c,
    mixed such that p stake_i (mean_i - c) = (1 - p) stake_j (c - mean_j). (One of the two exists, so the
    last line is never reached.) *)
Definition tree_mixture (h : history) : nat -> R :=
  match find (mean_in_cell h) (active h) with
  | Some i => point i
  | None =>
      match first_pair h (active h) with
      | Some (i, j) =>
          let gain_i := stake h i * (mean h i - upper i) in
          let gain_j := stake h j * (lower j - mean h j) in
          fun k =>
            if (k =? i)%nat then gain_j / (gain_i + gain_j)
            else if (k =? j)%nat then gain_i / (gain_i + gain_j)
            else 0
      | None => point 1
      end
  end.

(** After t rounds the active nodes have levels at most t. *)
Definition tree : forecaster := Forecaster (fun h => (2 ^ (length h + 1))%nat) tree_mixture.

(** After t rounds the nodes that have been used have levels below t. *)
Definition tree_KLCal (h : history) : R := KLCal (2 ^ length h) midpoint h.

(** ** The bound *)

(** The price of a cell: from the cell to its midpoint. *)
Definition spread (i : nat) : R := ln (1 + sin (width (level i)) ^ 2).

(** What the used nodes cost: the sum of ln (4 n_i) + n_i spread_i over the nodes with n_i rounds, n_i > 0. *)
Definition cost_of_node (h : history) (i : nat) : R :=
  if (count h i =? 0)%nat then 0 else ln (4 * INR (count h i)) + INR (count h i) * spread i.

Definition cost_of_used (h : history) : R := sum (2 ^ length h) (cost_of_node h).

(** ** Swap regret (Sections 1 to 3 of the paper)

    Of the forecasts z i made in the history h, for the loss l, against the swap function s. *)

Fixpoint swap_regret (l : loss_function) (s : R -> R) (z : nat -> R) (h : history) : R :=
  match h with
  | [] => 0
  | (i, y) :: past => swap_regret l s z past + (l (z i) y - l (s (z i)) y)
  end.

(** The rate of the swap regret: sqrt(x / ln x) ln(x / delta). *)
Definition swap_rate (x delta : R) : R := sqrt (x / ln x) * ln (x / delta).

(** ** Statements about plays of T rounds *)

(** After every round, 0 rounds included. *)
Fixpoint at_all_times (P : history -> Prop) (h : history) : Prop :=
  match h with
  | [] => P []
  | _ :: past => P h /\ at_all_times P past
  end.

(** With probability at least p the history of T rounds has the property P: some event of at least this
    probability implies it. *)
Definition holds_with_probability (F : forecaster) (A : adversary) (T : nat) (p : R)
    (P : history -> Prop) : Prop :=
  exists event, p <= probability F A T event /\ forall h, event h = true -> P h.
