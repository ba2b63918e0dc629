(** * The martingale of the tree

    Half the product of all wealths plus half the prior mean of the wealths, over all nodes of the infinite
    tree (a node without a round has wealth 1), is a martingale: drawing node i changes it by
    (1/2) stake_i (factor - 1), and the coin is weighted such that the mean of this is 0 for either outcome.
    By Ville's inequality, with probability 1 - delta, after every round the product of all wealths is less
    than 2 / delta, and the wealth of every node less than 2 / (prior delta). *)

From Coq Require Import Reals Lra Psatz Lia List Arith Bool.
From KLCal Require Import Definitions Basics Ville TreeDefinitions TreeBasics.
Import ListNotations.
Local Open Scope R_scope.

(** The prior mean of the wealths of all nodes, as it changes from round to round. *)
Fixpoint prior_wealth (h : history) : R :=
  match h with
  | [] => 1
  | (i, y) :: past => prior_wealth past + prior i * wealth past i * (factor past i y - 1)
  end.

Definition capital (h : history) : R := (total_wealth h + prior_wealth h) / 2.

Lemma capital_start : capital [] = 1.
Proof. unfold capital. cbn. lra. Qed.

Lemma capital_step h i y : capital ((i, y) :: h) = capital h + stake h i * (factor h i y - 1) / 2.
Proof. unfold capital, stake. cbn [total_wealth prior_wealth]. field. Qed.

(** ** Histories of plays: every drawn node was active *)

Fixpoint played (h : history) : bool :=
  match h with
  | [] => true
  | (i, _) :: past => (existsb (Nat.eqb i) (active past) && played past)%bool
  end.

Lemma played_step i y past : played ((i, y) :: past) = true <-> In i (active past) /\ played past = true.
Proof.
  cbn [played]. rewrite andb_true_iff, existsb_exists. split.
  - intros [(k & Hk & E) H]. apply Nat.eqb_eq in E. subst. tauto.
  - intros [H1 H2]. split; [exists i; rewrite Nat.eqb_refl; tauto | exact H2].
Qed.

Lemma drawn_is_active h i : 0 < tree_mixture h i -> In i (active h).
Proof.
  destruct (tree_move_exists h) as [k Hk _ | k j Hk Hj _ gain_k gain_j]; intros Hi.
  - unfold point in Hi. destruct (Nat.eqb_spec k i); [subst; exact Hk | lra].
  - destruct (Nat.eqb_spec i k); [subst; exact Hk |].
    destruct (Nat.eqb_spec i j); [subst; exact Hj | lra].
Qed.

Lemma played_invariant : invariant tree (fun h => played h = true).
Proof.
  intros h i y Hh _ Hw. apply played_step. split; [exact (drawn_is_active h i Hw) | exact Hh].
Qed.

(** ** The mean of the capital over the draw *)

Lemma factor_in_cell h i y : lower i <= mean h i <= upper i -> factor h i y = 1.
Proof.
  intros H. unfold factor, clipped_mean, clip. rewrite Rmin_right, Rmax_right by lra.
  pose proof (mean_in h i). destruct y; cbn [prob]; field; lra.
Qed.

Lemma factor_above h i y : upper i < mean h i ->
  factor h i y - 1 = (mean h i - upper i) * (if y then / upper i else - / (1 - upper i)).
Proof.
  intros H. unfold factor, clipped_mean, clip. pose proof (mean_in h i). pose proof (lower_lt_upper i).
  pose proof (lower_nonneg i). rewrite Rmin_left, Rmax_right by lra. destruct y; cbn [prob]; field; lra.
Qed.

Lemma factor_below h i y : mean h i < lower i ->
  factor h i y - 1 = - (lower i - mean h i) * (if y then / lower i else - / (1 - lower i)).
Proof.
  intros H. unfold factor, clipped_mean, clip. pose proof (mean_in h i). pose proof (lower_lt_upper i).
  pose proof (upper_le_1 i). rewrite Rmin_right, Rmax_left by lra. destruct y; cbn [prob]; field; lra.
Qed.

Theorem capital_is_a_martingale : martingale tree (fun h => played h = true) capital.
Proof.
  intros h y _. unfold draw_mean. cbn [choices weight tree].
  destruct (tree_move_exists h) as [i Hi Hc | i j Hi Hj Hc gain_i gain_j].
  - rewrite (sum_point _ i (fun k => capital ((k, y) :: h))) by (apply active_lt; exact Hi).
    rewrite capital_step, factor_in_cell by exact Hc. field.
  - destruct (gains_pos h i j Hc) as [Gi Gj]. fold gain_i in Gi. fold gain_j in Gj.
    rewrite (sum_two _ i j _ _ (fun k => capital ((k, y) :: h)));
      [| apply active_lt; exact Hi | apply active_lt; exact Hj | exact (neighbours_differ _ _ _ Hc)].
    destruct Hc as (E & Ha & Hb). rewrite !capital_step, factor_above, factor_below by assumption.
    rewrite <- E. set (x := if y then / upper i else - / (1 - upper i)).
    replace (stake h i * ((mean h i - upper i) * x)) with (gain_i * x) by (unfold gain_i; ring).
    replace (stake h j * (- (upper i - mean h j) * x)) with (- (gain_j * x))
      by (unfold gain_j; rewrite E; ring).
    field. lra.
Qed.

(** ** The prior mean is a sum over the nodes *)

(** The number 0 is not a node. *)
Definition node_prior (i : nat) : R := if (i =? 0)%nat then 0 else prior i.

Lemma node_prior_nonneg i : 0 <= node_prior i.
Proof. unfold node_prior. destruct (i =? 0)%nat; [lra | left; apply prior_pos]. Qed.

Lemma level_of_row l j : (j < 2 ^ l)%nat -> level (2 ^ l + j) = l.
Proof. intros Hj. apply Nat.log2_unique; [lia |]. rewrite Nat.pow_succ_r'. lia. Qed.

(** The nodes of the levels below L have prior mass 1 - 1/(L+1). *)
Lemma sum_node_prior L : sum (2 ^ L) node_prior = 1 - / (INR L + 1).
Proof.
  induction L as [| L IH].
  - cbn. lra.
  - replace (2 ^ S L)%nat with (2 ^ L + 2 ^ L)%nat by (rewrite Nat.pow_succ_r'; lia).
    rewrite sum_split, IH.
    rewrite (sum_ext _ (fun i => node_prior (2 ^ L + i)) (fun _ => / (2 ^ L * (INR L + 1) * (INR L + 2)))).
    + rewrite sum_const, INR_pow2, S_INR. pose proof (pow2_pos L). pose proof (pos_INR L). field. lra.
    + intros j Hj. unfold node_prior, prior. rewrite level_of_row by exact Hj.
      destruct (Nat.eqb_spec (2 ^ L + j) 0) as [E | _]; [| reflexivity].
      pose proof (Nat.pow_nonzero 2 L ltac:(lia)). lia.
Qed.

Lemma played_lt_pow2 h L : played h = true -> (length h <= L)%nat ->
  forall i y past, h = (i, y) :: past -> (1 <= i)%nat /\ (i < 2 ^ L)%nat.
Proof.
  intros Hh HL i y past ->. apply played_step in Hh. destruct Hh as [Hi _].
  split; [apply (active_spec past i Hi) |].
  apply Nat.lt_le_trans with (1 := active_lt past i Hi). apply Nat.pow_le_mono_r; [lia |].
  cbn [length] in HL. lia.
Qed.

Lemma prior_wealth_sum h L : played h = true -> (length h <= L)%nat ->
  prior_wealth h = sum (2 ^ L) (fun i => node_prior i * wealth h i) + / (INR L + 1).
Proof.
  induction h as [| [i y] past IH]; intros Hh HL.
  - cbn [prior_wealth wealth]. rewrite (sum_ext _ _ node_prior) by (intros; ring). rewrite sum_node_prior.
    ring.
  - destruct (played_lt_pow2 _ _ Hh HL i y past eq_refl) as [Hi1 Hi2].
    apply played_step in Hh. destruct Hh as [_ Hh]. cbn [length] in HL.
    cbn [prior_wealth]. rewrite (IH Hh) by lia.
    rewrite (sum_ext _ (fun k => node_prior k * wealth ((i, y) :: past) k)
               (fun k => node_prior k * wealth past k
                         + point i k * (prior i * wealth past i * (factor past i y - 1)))).
    + rewrite sum_plus, sum_point by exact Hi2. ring.
    + intros k _. cbn [wealth]. unfold point. destruct (Nat.eqb_spec i k) as [<- | _]; [| ring].
      unfold node_prior. destruct (Nat.eqb_spec i 0); [lia | ring].
Qed.

Lemma prior_wealth_ge_node h i : played h = true -> (1 <= i)%nat -> prior i * wealth h i < prior_wealth h.
Proof.
  intros Hh Hi. set (L := (length h + level i + 1)%nat).
  rewrite (prior_wealth_sum h L) by (exact Hh || unfold L; lia).
  assert (HiL : (i < 2 ^ L)%nat) by (apply lt_pow2_level; unfold L; lia).
  pose proof (sum_term_le (2 ^ L) (fun k => node_prior k * wealth h k) i) as H. cbv beta in H.
  replace (node_prior i) with (prior i) in H
    by (unfold node_prior; destruct (Nat.eqb_spec i 0); [lia | reflexivity]).
  assert (0 < / (INR L + 1)) by (apply Rinv_0_lt_compat; pose proof (pos_INR L); lra).
  assert (prior i * wealth h i <= sum (2 ^ L) (fun k => node_prior k * wealth h k)); [| lra].
  apply H; [| exact HiL]. intros k _. apply Rmult_le_pos; [apply node_prior_nonneg | left; apply wealth_pos].
Qed.

Lemma prior_wealth_pos h : played h = true -> 0 < prior_wealth h.
Proof.
  intros Hh. pose proof (prior_wealth_ge_node h 1 Hh ltac:(lia)). pose proof (prior_pos 1).
  pose proof (wealth_pos h 1). assert (0 < prior 1 * wealth h 1) by (apply Rmult_lt_0_compat; assumption).
  lra.
Qed.

Lemma capital_pos h : played h = true -> 0 < capital h.
Proof.
  intros Hh. unfold capital. pose proof (prior_wealth_pos h Hh). pose proof (total_wealth_pos h). lra.
Qed.

Lemma total_wealth_lt h c : played h = true -> capital h < c -> total_wealth h < 2 * c.
Proof. intros Hh. unfold capital. pose proof (prior_wealth_pos h Hh). lra. Qed.

Lemma wealth_lt h c i : played h = true -> (1 <= i)%nat -> capital h < c -> prior i * wealth h i < 2 * c.
Proof.
  intros Hh Hi. unfold capital. pose proof (prior_wealth_ge_node h i Hh Hi).
  pose proof (total_wealth_pos h). lra.
Qed.

(** ** The event *)

Definition wealth_bounded (delta : R) (h : history) : bool := (played h && less (capital h) (/ delta))%bool.

Lemma wealth_bounded_played delta h : wealth_bounded delta h = true -> played h = true.
Proof. unfold wealth_bounded. rewrite andb_true_iff. tauto. Qed.

Lemma wealth_bounded_total delta h : wealth_bounded delta h = true -> total_wealth h < 2 / delta.
Proof.
  unfold wealth_bounded. rewrite andb_true_iff, less_true. intros [H1 H2].
  now apply (total_wealth_lt h (/ delta)).
Qed.

Lemma wealth_bounded_node delta h i : wealth_bounded delta h = true -> (1 <= i)%nat ->
  prior i * wealth h i < 2 / delta.
Proof.
  unfold wealth_bounded. rewrite andb_true_iff, less_true. intros [H1 H2] Hi.
  now apply (wealth_lt h (/ delta)).
Qed.

(** With probability at least 1 - delta, against every adversary, the history is after each of T rounds one of
    active nodes with a capital less than 1 / delta. By the lemmas before, the product of all wealths is then
    less than 2 / delta and every wealth less than 2 / (prior delta). *)
Theorem tree_wealth_bounded A T delta : proper_adversary A -> 0 < delta ->
  1 - delta <= probability tree A T (always (wealth_bounded delta)).
Proof.
  intros HA Hdelta.
  apply (ville_always tree A tree_is_proper HA (fun h => played h = true) played_invariant capital delta).
  - apply martingale_super, capital_is_a_martingale.
  - intros h Hh. left. now apply capital_pos.
  - rewrite capital_start. lra.
  - reflexivity.
  - exact Hdelta.
  - intros h Hh Hlt. rewrite capital_start in Hlt. unfold wealth_bounded.
    rewrite andb_true_iff, less_true. split; [exact Hh |].
    replace (/ delta) with (1 / delta) by (field; lra). exact Hlt.
Qed.

(** The mean of the product of all wealths is at most 2. *)
Theorem tree_total_wealth_mean A T : proper_adversary A -> expect tree A T total_wealth [] <= 2.
Proof.
  intros HA.
  pose proof (martingale_mean tree A tree_is_proper HA _ played_invariant capital T []
                capital_is_a_martingale eq_refl) as H.
  rewrite capital_start in H.
  apply Rle_trans with (expect tree A T (fun h => 2 * capital h + 0 * capital h) []).
  - apply (expect_le_possible tree A tree_is_proper HA _ played_invariant); [reflexivity |].
    intros h Hh _. unfold capital. pose proof (prior_wealth_pos h Hh). lra.
  - rewrite (expect_linear tree A T 2 capital 0 capital []). lra.
Qed.
