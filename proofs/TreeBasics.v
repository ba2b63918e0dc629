(** * The cells of the tree and the moves of the forecaster

    The active nodes tile [0,1], whatever the history; so a move exists in every round, and the mixture is a
    distribution. *)

From Coq Require Import Reals Lra Psatz Lia List Arith Bool.
From KLCal Require Import Definitions Basics TreeDefinitions.
Import ListNotations.
Local Open Scope R_scope.

(** ** Levels and positions *)

Lemma level_left i : (1 <= i)%nat -> level (2 * i) = S (level i).
Proof. intros Hi. unfold level. apply Nat.log2_double. lia. Qed.

Lemma level_right i : (1 <= i)%nat -> level (2 * i + 1) = S (level i).
Proof. intros Hi. unfold level. apply Nat.log2_succ_double. lia. Qed.

Lemma pow2_level i : (1 <= i)%nat -> (2 ^ level i <= i < 2 ^ S (level i))%nat.
Proof. intros Hi. apply Nat.log2_spec. lia. Qed.

Lemma position_left i : (1 <= i)%nat -> position (2 * i) = (2 * position i)%nat.
Proof.
  intros Hi. unfold position. rewrite level_left by exact Hi.
  pose proof (pow2_level i Hi). rewrite Nat.pow_succ_r'. lia.
Qed.

Lemma position_right i : (1 <= i)%nat -> position (2 * i + 1) = (2 * position i + 1)%nat.
Proof.
  intros Hi. unfold position. rewrite level_right by exact Hi.
  pose proof (pow2_level i Hi). rewrite Nat.pow_succ_r'. lia.
Qed.

Lemma position_lt i : (position i < 2 ^ level i)%nat.
Proof.
  destruct i as [| i]; [cbn; lia |].
  pose proof (pow2_level (S i) ltac:(lia)) as H. rewrite Nat.pow_succ_r' in H. unfold position. lia.
Qed.

Lemma lt_pow2_level i L : (level i < L)%nat -> (i < 2 ^ L)%nat.
Proof.
  intros HL. destruct (Nat.eq_dec i 0) as [-> | Hi0].
  - pose proof (Nat.pow_nonzero 2 L). lia.
  - apply Nat.log2_lt_pow2; [lia | exact HL].
Qed.

(** ** Angles and cells *)

Lemma pow2_pos n : 0 < 2 ^ n.
Proof. apply pow_lt. lra. Qed.

Lemma INR_pow2 n : INR (2 ^ n) = 2 ^ n.
Proof. rewrite pow_INR. reflexivity. Qed.

Lemma width_pos l : 0 < width l.
Proof. unfold width. apply Rdiv_lt_0_compat; [apply PI_RGT_0 | apply pow2_pos]. Qed.

Lemma width_S l : width l = 2 * width (S l).
Proof.
  unfold width. replace (S l + 1)%nat with (S (l + 1)) by lia. rewrite <- tech_pow_Rmult.
  pose proof (pow2_pos (l + 1)). field. lra.
Qed.

Lemma width_row l : 2 ^ l * width l = PI / 2.
Proof. unfold width. rewrite pow_add. pose proof (pow2_pos l). field. lra. Qed.

Lemma upper_minus_lower_angle i : upper_angle i - lower_angle i = width (level i).
Proof. unfold upper_angle, lower_angle. rewrite plus_INR. cbn [INR]. ring. Qed.

Lemma lower_angle_nonneg i : 0 <= lower_angle i.
Proof. apply Rmult_le_pos; [apply pos_INR | left; apply width_pos]. Qed.

Lemma upper_angle_le i : upper_angle i <= PI / 2.
Proof.
  rewrite <- (width_row (level i)). apply Rmult_le_compat_r; [left; apply width_pos |].
  rewrite <- INR_pow2. apply le_INR. pose proof (position_lt i). lia.
Qed.

Lemma lower_lt_upper_angle i : lower_angle i < upper_angle i.
Proof. pose proof (upper_minus_lower_angle i). pose proof (width_pos (level i)). lra. Qed.

Lemma lower_angle_left i : (1 <= i)%nat -> lower_angle (2 * i) = lower_angle i.
Proof.
  intros Hi. unfold lower_angle. rewrite level_left, position_left by exact Hi.
  rewrite (width_S (level i)), mult_INR. cbn [INR]. ring.
Qed.

Lemma lower_angle_right i : (1 <= i)%nat -> lower_angle (2 * i + 1) = upper_angle (2 * i).
Proof.
  intros Hi. unfold lower_angle, upper_angle.
  rewrite level_left, level_right, position_left, position_right by exact Hi.
  reflexivity.
Qed.

Lemma upper_angle_right i : (1 <= i)%nat -> upper_angle (2 * i + 1) = upper_angle i.
Proof.
  intros Hi. unfold upper_angle. rewrite level_right, position_right by exact Hi.
  rewrite (width_S (level i)), !plus_INR, mult_INR. cbn [INR]. ring.
Qed.

Lemma sin_sq_increasing a b : 0 <= a < b -> b <= PI / 2 -> sin a ^ 2 < sin b ^ 2.
Proof.
  intros Ha Hb. pose proof PI_RGT_0.
  assert (sin a < sin b) by (apply sin_increasing_1; lra).
  assert (0 <= sin a) by (apply sin_ge_0; lra). nra.
Qed.

Lemma lower_lt_upper i : lower i < upper i.
Proof.
  apply sin_sq_increasing; [| apply upper_angle_le].
  split; [apply lower_angle_nonneg | apply lower_lt_upper_angle].
Qed.

Lemma lower_nonneg i : 0 <= lower i.
Proof. apply pow2_ge_0. Qed.

Lemma upper_le_1 i : upper i <= 1.
Proof. unfold upper. pose proof (SIN_bound (upper_angle i)). nra. Qed.

Lemma midpoint_in i : 0 < midpoint i < 1.
Proof.
  unfold midpoint. pose proof (lower_lt_upper i). pose proof (lower_nonneg i). pose proof (upper_le_1 i). lra.
Qed.

Lemma lower_left i : (1 <= i)%nat -> lower (2 * i) = lower i.
Proof. intros Hi. unfold lower. rewrite lower_angle_left by exact Hi. reflexivity. Qed.

Lemma lower_right i : (1 <= i)%nat -> lower (2 * i + 1) = upper (2 * i).
Proof. intros Hi. unfold lower, upper. rewrite lower_angle_right by exact Hi. reflexivity. Qed.

Lemma upper_right i : (1 <= i)%nat -> upper (2 * i + 1) = upper i.
Proof. intros Hi. unfold upper. rewrite upper_angle_right by exact Hi. reflexivity. Qed.

Lemma lower_root : lower 1 = 0.
Proof. unfold lower, lower_angle. cbn. rewrite Rmult_0_l, sin_0. ring. Qed.

Lemma upper_root : upper 1 = 1.
Proof.
  unfold upper. replace (upper_angle 1) with (PI / 2).
  - rewrite sin_PI2. ring.
  - unfold upper_angle, width. cbn. field.
Qed.

(** ** Means *)

Lemma mean_in h i : 0 < mean h i < 1.
Proof.
  unfold mean, kt. pose proof (le_INR _ _ (count_ones_le h i)). pose proof (pos_INR (count_ones h i)).
  split.
  - apply Rdiv_lt_0_compat; lra.
  - apply Rmult_lt_reg_r with (INR (count h i) + 1); [lra |]. unfold Rdiv.
    rewrite Rmult_assoc, Rinv_l by lra. lra.
Qed.

Lemma clipped_mean_in h i : 0 < clipped_mean h i < 1.
Proof.
  unfold clipped_mean, clip.
  pose proof (mean_in h i). pose proof (lower_lt_upper i). pose proof (lower_nonneg i).
  pose proof (upper_le_1 i).
  unfold Rmax, Rmin. destruct (Rle_dec (upper i) (mean h i)); destruct (Rle_dec (lower i) _); lra.
Qed.

Lemma factor_pos h i y : 0 < factor h i y.
Proof. apply Rdiv_lt_0_compat; eapply prob_pos; [apply mean_in | apply clipped_mean_in]. Qed.

Lemma wealth_pos h i : 0 < wealth h i.
Proof.
  induction h as [| [j y] past IH]; cbn [wealth]; [lra |].
  destruct (j =? i)%nat; [| exact IH]. apply Rmult_lt_0_compat; [exact IH | apply factor_pos].
Qed.

Lemma total_wealth_pos h : 0 < total_wealth h.
Proof.
  induction h as [| [j y] past IH]; cbn [total_wealth]; [lra |].
  apply Rmult_lt_0_compat; [exact IH | apply factor_pos].
Qed.

Lemma prior_pos i : 0 < prior i.
Proof.
  unfold prior. apply Rinv_0_lt_compat. pose proof (pos_INR (level i)). pose proof (pow2_pos (level i)).
  apply Rmult_lt_0_compat; [apply Rmult_lt_0_compat |]; lra.
Qed.

Lemma stake_pos h i : 0 < stake h i.
Proof.
  unfold stake. pose proof (total_wealth_pos h). pose proof (wealth_pos h i). pose proof (prior_pos i).
  assert (0 < prior i * wealth h i) by (apply Rmult_lt_0_compat; assumption). lra.
Qed.

(** ** The active nodes *)

(** A list of nodes tiles the interval from x to y. *)
Fixpoint tiles (x : R) (nodes : list nat) (y : R) : Prop :=
  match nodes with
  | [] => x = y
  | i :: rest => lower i = x /\ tiles (upper i) rest y
  end.

Lemma tiles_app x y z a b : tiles x a y -> tiles y b z -> tiles x (a ++ b) z.
Proof.
  revert x. induction a as [| i a IH]; cbn [tiles app]; intros x Ha Hb; [subst; exact Hb |].
  destruct Ha as [H1 H2]. split; [exact H1 | apply IH; assumption].
Qed.

Lemma active_below_tiles h depth : forall i, (1 <= i)%nat ->
  tiles (lower i) (active_below h depth i) (upper i).
Proof.
  induction depth as [| d IH]; intros i Hi; cbn [active_below]; [cbn; auto |].
  destruct (full h i); [| cbn; auto].
  apply tiles_app with (upper (2 * i)).
  - rewrite <- (lower_left i) by exact Hi. apply IH. lia.
  - rewrite <- (lower_right i), <- (upper_right i) by exact Hi. apply IH. lia.
Qed.

Lemma active_tiles h : tiles 0 (active h) 1.
Proof. rewrite <- lower_root at 1. rewrite <- upper_root. apply active_below_tiles. lia. Qed.

(** What is known of an active node: its level, that its parent is full, that it is not full. *)
Lemma active_below_spec h depth : forall i k, (1 <= i)%nat -> In k (active_below h depth i) ->
  (1 <= k)%nat /\ (level i <= level k <= level i + depth)%nat /\ (k = i \/ full h (k / 2) = true) /\
  (full h k = false \/ level k = (level i + depth)%nat).
Proof.
  induction depth as [| d IH]; intros i k Hi Hk; cbn [active_below] in Hk.
  - destruct Hk as [<- | []]. repeat split; auto; lia.
  - destruct (full h i) eqn:Hf.
    + apply in_app_or in Hk. destruct Hk as [Hk | Hk]; apply IH in Hk; try lia.
      * rewrite level_left in Hk by exact Hi. destruct Hk as (H1 & H2 & H3 & H4).
        split; [exact H1 |]. split; [lia |]. split.
        -- right. destruct H3 as [-> | H3]; [| exact H3]. rewrite Nat.mul_comm, Nat.div_mul by lia. exact Hf.
        -- destruct H4; [left; assumption | right; lia].
      * rewrite level_right in Hk by exact Hi. destruct Hk as (H1 & H2 & H3 & H4).
        split; [exact H1 |]. split; [lia |]. split.
        -- right. destruct H3 as [-> | H3]; [| exact H3].
           replace ((2 * i + 1) / 2)%nat with i; [exact Hf |].
           rewrite Nat.mul_comm, Nat.div_add_l by lia. cbn. lia.
        -- destruct H4; [left; assumption | right; lia].
    + destruct Hk as [<- | []]. repeat split; auto; lia.
Qed.

Lemma active_spec h k : In k (active h) ->
  (1 <= k)%nat /\ (level k <= length h)%nat /\ (k = 1%nat \/ full h (k / 2) = true) /\
  (full h k = false \/ level k = length h).
Proof.
  intros H. apply active_below_spec in H; [| lia]. change (level 1) with 0%nat in H.
  destruct H as (H1 & H2 & H3 & H4). cbn [Nat.add] in *. repeat split; auto; lia.
Qed.

Lemma active_lt h k : In k (active h) -> (k < 2 ^ (length h + 1))%nat.
Proof. intros H. apply active_spec in H. apply lt_pow2_level. lia. Qed.

(** ** A move exists *)

Lemma mean_in_cell_true h i : mean_in_cell h i = true <-> lower i <= mean h i <= upper i.
Proof. unfold mean_in_cell. rewrite andb_true_iff, !at_most_true. reflexivity. Qed.

Lemma outside_cell h i : mean_in_cell h i = false -> mean h i < lower i \/ upper i < mean h i.
Proof.
  intros H. destruct (Rlt_dec (mean h i) (lower i)); [left; assumption | right].
  destruct (Rlt_dec (upper i) (mean h i)); [assumption |].
  exfalso. assert (mean_in_cell h i = true) by (apply mean_in_cell_true; lra). congruence.
Qed.

(** What a move of two neighbours i, j is. *)
Definition neighbours_cross (h : history) (i j : nat) : Prop :=
  upper i = lower j /\ upper i < mean h i /\ mean h j < lower j.

Lemma first_pair_sound h : forall nodes x y i j, tiles x nodes y -> first_pair h nodes = Some (i, j) ->
  In i nodes /\ In j nodes /\ neighbours_cross h i j.
Proof.
  induction nodes as [| a nodes IH]; intros x y i j Ht Hf; [discriminate Hf |].
  destruct nodes as [| b rest]; [discriminate Hf |].
  cbn [first_pair] in Hf. destruct (less (upper a) (mean h a) && less (mean h b) (lower b))%bool eqn:E.
  - injection Hf as <- <-. apply andb_true_iff in E. rewrite !less_true in E.
    cbn [tiles] in Ht. cbn [In]. unfold neighbours_cross. intuition.
  - destruct Ht as [_ Ht]. destruct (IH _ _ _ _ Ht Hf) as (H1 & H2 & H3).
    split; [right; exact H1 |]. split; [right; exact H2 | exact H3].
Qed.

Lemma first_pair_exists h : forall nodes a x, tiles x (a :: nodes) 1 ->
  (forall i, In i (a :: nodes) -> mean_in_cell h i = false) -> upper a < mean h a ->
  first_pair h (a :: nodes) <> None.
Proof.
  induction nodes as [| b nodes IH]; intros a x Ht Hout Ha.
  - destruct Ht as [_ Ht]. cbn [tiles] in Ht. pose proof (mean_in h a). lra.
  - cbn [first_pair]. destruct (less (upper a) (mean h a) && less (mean h b) (lower b))%bool eqn:E;
      [discriminate |].
    destruct Ht as [_ Ht]. apply (IH b (upper a) Ht); [intros i Hi; apply Hout; right; exact Hi |].
    destruct (outside_cell h b) as [Hb | Hb]; [apply Hout; cbn; auto | | exact Hb].
    exfalso. apply andb_false_iff in E. rewrite !less_false in E. destruct E; lra.
Qed.

(** The two kinds of moves. *)
Inductive move (h : history) : (nat -> R) -> Prop :=
| move_in_cell i : In i (active h) -> lower i <= mean h i <= upper i -> move h (point i)
| move_pair i j : In i (active h) -> In j (active h) -> neighbours_cross h i j ->
    let gain_i := stake h i * (mean h i - upper i) in
    let gain_j := stake h j * (lower j - mean h j) in
    move h (fun k => if (k =? i)%nat then gain_j / (gain_i + gain_j)
                     else if (k =? j)%nat then gain_i / (gain_i + gain_j) else 0).

Theorem tree_move_exists h : move h (tree_mixture h).
Proof.
  unfold tree_mixture. destruct (find (mean_in_cell h) (active h)) as [i |] eqn:Hf.
  - apply find_some in Hf. apply move_in_cell; [tauto |]. apply mean_in_cell_true. tauto.
  - pose proof (find_none _ _ Hf) as Hout. pose proof (active_tiles h) as Ht.
    destruct (first_pair h (active h)) as [[i j] |] eqn:Hp.
    + destruct (first_pair_sound _ _ _ _ _ _ Ht Hp) as (H1 & H2 & H3). apply move_pair; assumption.
    + exfalso. destruct (active h) as [| a rest]; [cbn [tiles] in Ht; lra |].
      revert Hp. apply first_pair_exists with 0; [exact Ht | exact Hout |].
      destruct (outside_cell h a) as [Ha | Ha]; [apply Hout; left; reflexivity | | exact Ha].
      destruct Ht as [Ht _]. pose proof (mean_in h a). lra.
Qed.

(** ** Sums against a mixture of at most two nodes *)

Lemma sum_two n i j p q f : (i < n)%nat -> (j < n)%nat -> i <> j ->
  sum n (fun k => (if (k =? i)%nat then p else if (k =? j)%nat then q else 0) * f k) = p * f i + q * f j.
Proof.
  intros Hi Hj Hij.
  transitivity (sum n (fun k => point i k * (p * f k) + point j k * (q * f k))).
  - apply sum_ext. intros k _. unfold point. rewrite (Nat.eqb_sym i k), (Nat.eqb_sym j k).
    destruct (Nat.eqb_spec k i), (Nat.eqb_spec k j); try lra. congruence.
  - rewrite sum_plus, (sum_point n i (fun k => p * f k)), (sum_point n j (fun k => q * f k)) by assumption.
    reflexivity.
Qed.

Lemma neighbours_differ h i j : neighbours_cross h i j -> i <> j.
Proof. intros (H1 & _) ->. pose proof (lower_lt_upper j). lra. Qed.

Lemma gains_pos h i j : neighbours_cross h i j ->
  0 < stake h i * (mean h i - upper i) /\ 0 < stake h j * (lower j - mean h j).
Proof.
  intros (H1 & H2 & H3). pose proof (stake_pos h i). pose proof (stake_pos h j).
  split; apply Rmult_lt_0_compat; lra.
Qed.

(** The mixture is a distribution over the nodes of the levels up to the number of rounds. *)
Theorem tree_is_proper : proper_forecaster tree.
Proof.
  intros h. unfold is_distribution. cbn [choices weight tree].
  destruct (tree_move_exists h) as [i Hi _ | i j Hi Hj Hc gain_i gain_j].
  - split.
    + intros k _. unfold point. destruct (i =? k)%nat; lra.
    + rewrite <- (sum_point (2 ^ (length h + 1)) i (fun _ => 1)) by (apply active_lt; exact Hi).
      apply sum_ext. intros; ring.
  - destruct (gains_pos h i j Hc) as [Gi Gj]. fold gain_i in Gi. fold gain_j in Gj.
    split.
    + intros k _. destruct (k =? i)%nat; [left; apply Rdiv_lt_0_compat; lra |].
      destruct (k =? j)%nat; [left; apply Rdiv_lt_0_compat; lra | lra].
    + rewrite (sum_ext _ _ (fun k => (if (k =? i)%nat then gain_j / (gain_i + gain_j)
                     else if (k =? j)%nat then gain_i / (gain_i + gain_j) else 0) * 1)) by (intros; ring).
      rewrite sum_two; [field; lra | apply active_lt; exact Hi | apply active_lt; exact Hj |
                         exact (neighbours_differ _ _ _ Hc)].
Qed.
