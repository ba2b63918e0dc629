(** * KL-calibration of the tree (Theorem 1 of the tree)

    One node: the bucket lemma bounds n KL(rho, cell) by its log wealth, and the cell lemma goes on to the
    midpoint. Summed over the nodes, KLCal <= 2 ln (product of all wealths) + the cost of the used nodes, on
    every history of a play. The martingale bounds the product of all wealths. *)

From Coq Require Import Reals Lra Psatz Lia List Arith Bool.
From KLCal Require Import Definitions Basics KT Ville TreeDefinitions TreeCell TreeBasics TreeMartingale.
Import ListNotations.
Local Open Scope R_scope.

(** ** One node *)

Lemma cell_is_proper i : proper_cell (lower i) (upper i).
Proof.
  unfold proper_cell. pose proof (lower_lt_upper i). pose proof (lower_nonneg i). pose proof (upper_le_1 i).
  lra.
Qed.

Lemma ln_wealth_ge h i : wealth_bound (lower i) (upper i) (count_ones h i) (count h i) <= ln (wealth h i).
Proof.
  induction h as [| [j y] past IH]; cbn [count count_ones wealth].
  - rewrite wealth_bound_start, ln_1. lra.
  - destruct (j =? i)%nat; cbn [andb]; [| exact IH].
    rewrite ln_mult by (apply wealth_pos || apply factor_pos).
    pose proof (wealth_bound_step (lower i) (upper i) _ _ y (cell_is_proper i) (count_ones_le past i)) as H.
    change (wealth_factor (lower i) (upper i) (count_ones past i) (count past i) y)
      with (factor past i y) in H.
    destruct y; lra.
Qed.

Definition frequency_of (h : history) (i : nat) : R := INR (count_ones h i) / INR (count h i).

Lemma frequency_in h i : (0 < count h i)%nat -> 0 <= frequency_of h i <= 1.
Proof.
  intros Hn. unfold frequency_of. pose proof (lt_0_INR _ Hn). pose proof (pos_INR (count_ones h i)).
  pose proof (le_INR _ _ (count_ones_le h i)).
  apply ratio_unit; lra.
Qed.

(** What a node has lost against its cell is at most its log wealth and a logarithm. *)
Lemma node_cell h i : (0 < count h i)%nat ->
  INR (count h i) * KL (frequency_of h i) (clipped_mean h i)
  <= ln (wealth h i) + / 2 * ln (4 * INR (count h i)).
Proof.
  intros Hn. pose proof (ln_wealth_ge h i) as H1.
  pose proof (wealth_bound_end (lower i) (upper i) _ _ (cell_is_proper i) (count_ones_le h i) Hn) as H2.
  change (clip (lower i) (upper i) (kt (count_ones h i) (count h i))) with (clipped_mean h i) in H2.
  unfold frequency_of. lra.
Qed.

Lemma clipped_mean_in_cell h i : lower i <= clipped_mean h i <= upper i.
Proof. apply KT.clip_bounds. left. apply lower_lt_upper. Qed.

Lemma node_midpoint h i :
  INR (count h i) * KL (frequency_of h i) (midpoint i) <= 2 * ln (wealth h i) + cost_of_node h i.
Proof.
  unfold cost_of_node. destruct (Nat.eqb_spec (count h i) 0) as [E | Hn].
  - pose proof (ln_wealth_ge h i) as H. pose proof (count_ones_le h i) as Hk. rewrite E in *.
    replace (count_ones h i) with 0%nat in H by lia. rewrite wealth_bound_start in H. cbn [INR]. lra.
  - assert (Hn' : (0 < count h i)%nat) by lia. pose proof (node_cell h i Hn') as H1.
    pose proof (clipped_mean_in_cell h i) as Hc. pose proof (clipped_mean_in h i) as Hq.
    pose proof (KL_midpoint_le_KL_cell (lower_angle i) (upper_angle i) (frequency_of h i) (clipped_mean h i)
                  (midpoint_in i) (frequency_in h i Hn') ltac:(lra) Hc ltac:(lra) ltac:(lra)) as H2.
    rewrite upper_minus_lower_angle in H2. fold (spread i) in H2.
    change ((sin (lower_angle i) ^ 2 + sin (upper_angle i) ^ 2) / 2) with (midpoint i) in H2.
    pose proof (lt_0_INR _ Hn') as Hpos.
    apply (Rmult_le_compat_l (INR (count h i))) in H2; [| lra]. lra.
Qed.

(** ** All nodes *)

Lemma sum_ln_wealth h L : played h = true -> (length h <= L)%nat ->
  sum (2 ^ L) (fun i => ln (wealth h i)) = ln (total_wealth h).
Proof.
  induction h as [| [i y] past IH]; intros Hh HL.
  - cbn [wealth total_wealth]. rewrite ln_1. apply sum_zero. reflexivity.
  - destruct (played_lt_pow2 _ _ Hh HL i y past eq_refl) as [Hi1 Hi2].
    apply played_step in Hh. destruct Hh as [_ Hh]. cbn [length] in HL. cbn [total_wealth].
    rewrite ln_mult by (apply total_wealth_pos || apply factor_pos). rewrite <- (IH Hh) by lia.
    rewrite <- (sum_point (2 ^ L) i (fun _ => ln (factor past i y))) by exact Hi2.
    rewrite <- sum_plus. apply sum_ext. intros k _. cbn [wealth]. unfold point.
    destruct (Nat.eqb_spec i k) as [<- | _]; [| lra].
    rewrite ln_mult by (apply wealth_pos || apply factor_pos). lra.
Qed.

(** On every history of a play. *)
Theorem tree_KLCal_pathwise h : played h = true -> tree_KLCal h <= 2 * ln (total_wealth h) + cost_of_used h.
Proof.
  intros Hh. rewrite <- (sum_ln_wealth h (length h) Hh (le_n _)).
  unfold tree_KLCal, KLCal, cost_of_used. rewrite <- sum_scal, <- sum_plus.
  apply sum_le. intros i _. apply node_midpoint.
Qed.

Lemma always_implies (E E' : history -> bool) : (forall h, E h = true -> E' h = true) ->
  forall h, always E h = true -> always E' h = true.
Proof.
  intros H. induction h as [| r past IH]; cbn [always]; [apply H |].
  rewrite !andb_true_iff. intros [H1 H2]. split; [apply H; exact H1 | apply IH; exact H2].
Qed.

Lemma always_at_all_times (E : history -> bool) (P : history -> Prop) : (forall h, E h = true -> P h) ->
  forall h, always E h = true -> at_all_times P h.
Proof.
  intros H. induction h as [| r past IH]; cbn [always at_all_times]; [apply H |].
  rewrite andb_true_iff. intros [H1 H2]. split; [apply H; exact H1 | apply IH; exact H2].
Qed.

Lemma tree_KLCal_bounded delta h : 0 < delta -> wealth_bounded delta h = true ->
  tree_KLCal h <= cost_of_used h + 2 * ln (2 / delta).
Proof.
  intros Hdelta H. pose proof (tree_KLCal_pathwise h (wealth_bounded_played _ _ H)) as H1.
  pose proof (wealth_bounded_total _ _ H) as H2.
  pose proof (ln_increasing _ _ (total_wealth_pos h) H2). lra.
Qed.

(** For every adversary, with probability at least 1 - delta, after each of T rounds at once:
    KLCal <= the sum over the used nodes of (ln (4 n) + n ln (1 + sin^2 width)) + 2 ln (2 / delta). *)
Theorem tree_KL A T delta : proper_adversary A -> 0 < delta ->
  1 - delta <= probability tree A T
                 (always (fun h => at_most (tree_KLCal h) (cost_of_used h + 2 * ln (2 / delta)))).
Proof.
  intros HA Hdelta. apply Rle_trans with (1 := tree_wealth_bounded A T delta HA Hdelta).
  apply (probability_le tree A tree_is_proper HA _ played_invariant); [reflexivity |].
  intros h _ _. apply always_implies. intros h' H. apply at_most_true. now apply tree_KLCal_bounded.
Qed.

(** For every adversary, after T rounds: the mean of KLCal is at most the mean of the sum over the used
    nodes of (ln (4 n) + n ln (1 + sin^2 width)), plus 2 ln 2. *)
Theorem tree_KL_expectation A T : proper_adversary A ->
  expect tree A T tree_KLCal [] <= expect tree A T cost_of_used [] + 2 * ln 2.
Proof.
  intros HA.
  apply Rle_trans with (expect tree A T (fun h => 2 * ln (total_wealth h) + 1 * cost_of_used h) []).
  - apply (expect_le_possible tree A tree_is_proper HA _ played_invariant); [reflexivity |].
    intros h Hh _. pose proof (tree_KLCal_pathwise h Hh). lra.
  - rewrite (expect_linear tree A T 2 (fun h => ln (total_wealth h)) 1 cost_of_used []).
    pose proof (expect_ln_le tree A tree_is_proper HA T total_wealth [] total_wealth_pos) as H1.
    pose proof (tree_total_wealth_mean A T HA) as H2.
    assert (H3 : ln (expect tree A T total_wealth []) <= ln 2).
    { destruct (Rlt_dec 0 (expect tree A T total_wealth [])) as [Hpos | Hneg]; [apply ln_le; assumption |].
      unfold ln at 1. destruct (Rlt_dec 0 (expect tree A T total_wealth [])); [contradiction |].
      apply ln_nonneg. lra. }
    lra.
Qed.

(** ** KLCal is the swap regret of the log loss

    [tree_KLCal] adds over nodes. No swap function gains more than it, so the calibration error of the
    announced numbers (should two nodes announce the same number) is not larger. *)

Lemma swap_regret_by_node l s z h L : played h = true -> (length h <= L)%nat ->
  swap_regret l s z h =
  sum (2 ^ L) (fun i => INR (count_ones h i) * (l (z i) true - l (s (z i)) true)
                  + (INR (count h i) - INR (count_ones h i)) * (l (z i) false - l (s (z i)) false)).
Proof.
  induction h as [| [i y] past IH]; intros Hh HL.
  - cbn. symmetry. apply sum_zero. intros. ring.
  - destruct (played_lt_pow2 _ _ Hh HL i y past eq_refl) as [Hi1 Hi2].
    apply played_step in Hh. destruct Hh as [_ Hh]. cbn [length] in HL. cbn [swap_regret].
    rewrite (IH Hh) by lia.
    rewrite <- (sum_point (2 ^ L) i (fun _ => l (z i) y - l (s (z i)) y)) by exact Hi2.
    rewrite <- sum_plus. apply sum_ext. intros k _. cbn [count count_ones]. unfold point.
    destruct (Nat.eqb_spec i k) as [<- | _]; cbn [andb]; [| ring].
    destruct y; rewrite ?S_INR; ring.
Qed.

Theorem log_swap_regret_le_tree_KLCal h s : played h = true -> (forall p, 0 < p < 1 -> 0 < s p < 1) ->
  swap_regret loss s midpoint h <= tree_KLCal h.
Proof.
  intros Hh Hs. rewrite (swap_regret_by_node _ _ _ h (length h) Hh (le_n _)). unfold tree_KLCal, KLCal.
  apply sum_le. intros i _. pose proof (midpoint_in i) as Hz. pose proof (Hs _ Hz) as Hsz.
  assert (Hk : 0 <= INR (count_ones h i) <= INR (count h i)).
  { split; [apply pos_INR | apply le_INR, count_ones_le]. }
  rewrite (scaled_KL _ _ _ Hk Hz). pose proof (best_loss_le _ _ _ Hk Hsz). unfold loss. cbn [prob]. lra.
Qed.
