(** * Swap regret of all bounded proper losses at once, by the excess of the forecasts

    The slope g of a proper loss falls by at most 4 if the values are in [-1,1]. The regret of a forecast z
    with frequency r is a Bregman divergence; it is at most the sum, over the gaps (a, b) of any finite set
    of points that contains z and r, of (fall of g in the gap) times r - a if z <= a < b <= r, or b - r if
    r <= a < b <= z. So the swap regret is at most 4 times the largest [excess] of a gap. No integral is
    needed. *)

From Coq Require Import Reals Lra Psatz Lia List Arith Bool Sorted Mergesort Permutation.
From KLCal Require Import Definitions Basics LossDefinitions LossBasics.
From KLCal Require Import TreeDefinitions TreeBasics TreeMartingale TreeKL.
Import ListNotations.
Local Open Scope R_scope.

(** ** Sorting real numbers *)

Module RealOrder <: Orders.TotalLeBool.
  Definition t := R.
  Definition leb := at_most.
  Theorem leb_total : forall x y, leb x y = true \/ leb y x = true.
  Proof. intros x y. unfold leb. rewrite !at_most_true. lra. Qed.
End RealOrder.

Module RealSort := Sort RealOrder.

Lemma sorted_nth (ps : list R) : LocallySorted (fun x y => is_true (at_most x y)) ps ->
  forall i, (S i < length ps)%nat -> nth i ps 0 <= nth (S i) ps 0.
Proof.
  induction 1 as [| x | x y ps H IH Hxy]; intros i Hi; cbn [length] in Hi; try lia.
  destruct i as [| i].
  - apply at_most_true. exact Hxy.
  - apply IH. cbn [length]. lia.
Qed.

Lemma sorted_points (ps : list R) : ps <> [] -> exists (k : nat) (p : nat -> R),
  (forall i, (i < k)%nat -> p i <= p (S i)) /\ (forall i, (i <= k)%nat -> In (p i) ps) /\
  (forall x, In x ps -> exists i, (i <= k)%nat /\ p i = x).
Proof.
  intros Hne. pose proof (RealSort.Permuted_sort ps) as HP. pose proof (RealSort.LocallySorted_sort ps) as HS.
  set (q := RealSort.sort ps) in *. exists (length q - 1)%nat, (fun i => nth i q 0).
  assert (Hq : (0 < length q)%nat).
  { rewrite <- (Permutation_length HP). destruct ps; [congruence | cbn; lia]. }
  repeat split.
  - intros i Hi. apply sorted_nth; [exact HS | lia].
  - intros i Hi. apply (Permutation_in _ (Permutation_sym HP)). apply nth_In. lia.
  - intros x Hx. apply (Permutation_in _ HP) in Hx. destruct (In_nth q x 0 Hx) as (i & Hi & E).
    exists i. split; [lia | exact E].
Qed.

(** ** One forecast *)

Section OneLoss.
  Variable l : loss_function.
  Hypothesis Hl : class_L l.

  Let f := form l.
  Let g := slope l.

  Lemma tangent_at p q : in_unit p -> in_unit q -> f q <= f p + g p * (q - p).
  Proof using Hl. intros Hp Hq. exact (proper_supergradient l (proj1 Hl) p q Hp Hq). Qed.

  Lemma slope_falls p q : in_unit p -> in_unit q -> p <= q -> g q <= g p.
  Proof using Hl.
    intros Hp Hq [Hlt | ->]; [| lra].
    pose proof (tangent_at p q Hp Hq). pose proof (tangent_at q p Hq Hp).
    apply Rmult_le_reg_r with (q - p); lra.
  Qed.

  Lemma slope_range p q : in_unit p -> in_unit q -> g p - g q <= 4.
  Proof using Hl.
    intros Hp Hq. destruct Hl as [_ Hb]. unfold g, slope.
    pose proof (Hb p true Hp). pose proof (Hb p false Hp). pose proof (Hb q true Hq).
    pose proof (Hb q false Hq). lra.
  Qed.

  Variables (k : nat) (p : nat -> R).
  Hypothesis p_unit : forall i, (i <= k)%nat -> in_unit (p i).
  Hypothesis p_sorted : forall i, (i < k)%nat -> p i <= p (S i).

  Definition fall (i : nat) : R := g (p i) - g (p (S i)).

  Lemma fall_nonneg i : (i < k)%nat -> 0 <= fall i.
  Proof using Hl p_unit p_sorted.
    intros Hi. unfold fall.
    pose proof (slope_falls _ _ (p_unit i ltac:(lia)) (p_unit (S i) ltac:(lia)) (p_sorted i Hi)). lra.
  Qed.

  Lemma sum_fall a m : sum m (fun i => fall (a + i)) = g (p a) - g (p (a + m)).
  Proof using.
    induction m as [| m IH]; cbn [sum]; [rewrite Nat.add_0_r; lra |].
    rewrite IH. unfold fall. replace (a + S m)%nat with (S (a + m)) by lia. lra.
  Qed.

  Lemma p_mono a m : (a + m <= k)%nat -> p a <= p (a + m).
  Proof using p_sorted.
    induction m as [| m IH]; intros H; [rewrite Nat.add_0_r; lra |].
    replace (a + S m)%nat with (S (a + m)) by lia.
    apply Rle_trans with (p (a + m)); [apply IH; lia | apply p_sorted; lia].
  Qed.

  (** The frequency p (a + m) is above the forecast p a. *)
  Lemma regret_above a m : (a + m <= k)%nat ->
    BREG l (p (a + m)) (p a) <= sum m (fun i => fall (a + i) * (p (a + m) - p (a + i))).
  Proof using Hl p_unit p_sorted.
    unfold BREG, bregman. fold f g. induction m as [| m IH]; intros Hm.
    - cbn [sum]. rewrite Nat.add_0_r. lra.
    - specialize (IH ltac:(lia)). cbn [sum]. replace (a + S m)%nat with (S (a + m)) in * by lia.
      pose proof (tangent_at _ _ (p_unit (S (a + m)) ltac:(lia)) (p_unit (a + m)%nat ltac:(lia))) as Ht.
      rewrite (sum_ext m _ (fun i => fall (a + i) * (p (a + m) - p (a + i))
                                     + (p (S (a + m)) - p (a + m)) * fall (a + i))) by (intros; ring).
      rewrite sum_plus, sum_scal, sum_fall. unfold fall at 2. lra.
  Qed.

  (** The frequency p a is below the forecast p (a + m). *)
  Lemma sum_first m F : sum (S m) F = F 0%nat + sum m (fun i => F (S i)).
  Proof using. replace (S m) with (1 + m)%nat by lia. rewrite sum_split. cbn [sum]. cbn [Nat.add]. lra. Qed.

  Lemma regret_below m : forall a, (a + m <= k)%nat ->
    BREG l (p a) (p (a + m)) <= sum m (fun i => fall (a + i) * (p (S (a + i)) - p a)).
  Proof using Hl p_unit p_sorted.
    unfold BREG, bregman. fold f g. induction m as [| m IH]; intros a Hm.
    - cbn [sum]. rewrite Nat.add_0_r. lra.
    - specialize (IH (S a) ltac:(lia)). rewrite sum_first, Nat.add_0_r.
      rewrite (sum_ext m (fun i => fall (a + S i) * _)
                 (fun i => fall (S a + i) * (p (S (S a + i)) - p (S a)) + (p (S a) - p a) * fall (S a + i))).
      2: { intros i _. replace (a + S i)%nat with (S a + i)%nat by lia. ring. }
      rewrite sum_plus, sum_scal, sum_fall. replace (a + S m)%nat with (S a + m)%nat by lia.
      pose proof (tangent_at _ _ (p_unit a ltac:(lia)) (p_unit (S a) ltac:(lia))) as Ht.
      unfold fall at 1. lra.
  Qed.

  (** What a forecast z with frequency r has in the gap from a to b. *)
  Definition gap_excess (z r a b : R) : R :=
    (if Rle_dec z a then if Rle_dec b r then r - a else 0 else 0)
    + (if Rle_dec r a then if Rle_dec b z then b - r else 0 else 0).

  Lemma gap_excess_nonneg z r a b : a <= b -> 0 <= gap_excess z r a b.
  Proof using.
    intros Hab. unfold gap_excess. destruct (Rle_dec z a), (Rle_dec b r), (Rle_dec r a), (Rle_dec b z); lra.
  Qed.

  Lemma sum_part a m F : (a + m <= k)%nat -> (forall i, (i < k)%nat -> 0 <= F i) ->
    sum m (fun i => F (a + i)%nat) <= sum k F.
  Proof using.
    intros Hk HF. replace k with (a + (m + (k - a - m)))%nat by lia. rewrite sum_split, sum_split.
    assert (0 <= sum a F) by (apply sum_nonneg; intros; apply HF; lia).
    assert (0 <= sum (k - a - m) (fun i => F (a + (m + i))%nat)) by (apply sum_nonneg; intros; apply HF; lia).
    lra.
  Qed.

  Lemma regret_by_gaps iz ir : (iz <= k)%nat -> (ir <= k)%nat ->
    BREG l (p ir) (p iz) <= sum k (fun i => fall i * gap_excess (p iz) (p ir) (p i) (p (S i))).
  Proof using Hl p_unit p_sorted.
    intros Hz Hr.
    assert (Hpos : forall i, (i < k)%nat -> 0 <= fall i * gap_excess (p iz) (p ir) (p i) (p (S i))).
    { intros i Hi. apply Rmult_le_pos; [now apply fall_nonneg | now apply gap_excess_nonneg, p_sorted]. }
    destruct (Nat.le_gt_cases iz ir) as [H | H].
    - set (m := (ir - iz)%nat). replace ir with (iz + m)%nat in * by lia.
      apply Rle_trans with (1 := regret_above iz m Hr).
      apply Rle_trans with (2 := sum_part iz m _ Hr Hpos).
      apply sum_le. intros i Hi. apply Rmult_le_compat_l; [apply fall_nonneg; lia |].
      unfold gap_excess. pose proof (p_mono iz i ltac:(lia)) as H1.
      pose proof (p_mono (S (iz + i)) (m - i - 1) ltac:(lia)) as H2.
      replace (S (iz + i) + (m - i - 1))%nat with (iz + m)%nat in H2 by lia.
      pose proof (p_sorted (iz + i) ltac:(lia)).
      destruct (Rle_dec (p iz) (p (iz + i))), (Rle_dec (p (S (iz + i))) (p (iz + m))); try lra.
      destruct (Rle_dec (p (iz + m)) (p (iz + i))), (Rle_dec (p (S (iz + i))) (p iz)); lra.
    - set (m := (iz - ir)%nat). replace iz with (ir + m)%nat in * by lia.
      apply Rle_trans with (1 := regret_below m ir Hz).
      apply Rle_trans with (2 := sum_part ir m _ Hz Hpos).
      apply sum_le. intros i Hi. apply Rmult_le_compat_l; [apply fall_nonneg; lia |].
      unfold gap_excess. pose proof (p_mono ir i ltac:(lia)) as H1.
      pose proof (p_mono (S (ir + i)) (m - i - 1) ltac:(lia)) as H2.
      replace (S (ir + i) + (m - i - 1))%nat with (ir + m)%nat in H2 by lia.
      pose proof (p_sorted (ir + i) ltac:(lia)).
      destruct (Rle_dec (p ir) (p (ir + i))), (Rle_dec (p (S (ir + i))) (p (ir + m))); try lra.
      destruct (Rle_dec (p (ir + m)) (p (ir + i))), (Rle_dec (p (S (ir + i))) (p ir)); lra.
  Qed.
End OneLoss.

(** ** All forecasts of a play *)

Definition excess (h : history) (L : nat) (a b : R) : R :=
  sum (2 ^ L) (fun i => INR (count h i) * gap_excess (midpoint i) (frequency_of h i) a b).

Lemma frequency_unit h i : in_unit (frequency_of h i).
Proof.
  destruct (Nat.eq_dec (count h i) 0) as [E | Hn]; [| apply frequency_in; lia].
  unfold frequency_of, in_unit. pose proof (count_ones_le h i) as Hk.
  replace (count_ones h i) with 0%nat by lia.
  cbn [INR]. unfold Rdiv. rewrite Rmult_0_l. lra.
Qed.

Lemma midpoint_unit i : in_unit (midpoint i).
Proof. pose proof (midpoint_in i). unfold in_unit. lra. Qed.

Lemma node_regret l s h i : class_L l -> swap_function s ->
  INR (count_ones h i) * (l (midpoint i) true - l (s (midpoint i)) true)
  + (INR (count h i) - INR (count_ones h i)) * (l (midpoint i) false - l (s (midpoint i)) false)
  <= INR (count h i) * BREG l (frequency_of h i) (midpoint i).
Proof.
  intros [Hp _] Hs. rewrite BREG_is_excess.
  pose proof (Hp _ _ (frequency_unit h i) (Hs _ (midpoint_unit i))) as H.
  apply (Rmult_le_compat_l (INR (count h i))) in H; [| apply pos_INR].
  assert (E : INR (count_ones h i) = INR (count h i) * frequency_of h i).
  { unfold frequency_of. destruct (Nat.eq_dec (count h i) 0) as [E | Hn].
    - pose proof (count_ones_le h i) as Hk. replace (count_ones h i) with 0%nat by lia. rewrite E. cbn. lra.
    - field. apply not_0_INR. exact Hn. }
  rewrite E. unfold mean_loss in *. lra.
Qed.

(** The swap regret of every loss of the class L, against every swap function, is at most 4 times the largest
    excess. *)
Theorem swap_regret_le_excess l s h L Phi : class_L l -> swap_function s -> played h = true ->
  (length h <= L)%nat ->
  (forall a b, 0 <= a -> a <= b -> b <= 1 -> excess h L a b <= Phi) -> swap_regret l s midpoint h <= 4 * Phi.
Proof.
  intros Hl Hs Hh HL HPhi. rewrite (swap_regret_by_node _ _ _ h L Hh HL).
  apply Rle_trans with (sum (2 ^ L) (fun i => INR (count h i) * BREG l (frequency_of h i) (midpoint i))).
  { apply sum_le. intros i _. now apply node_regret. }
  assert (HPhi0 : 0 <= Phi).
  { apply Rle_trans with (2 := HPhi 0 0 ltac:(lra) ltac:(lra) ltac:(lra)). apply sum_nonneg. intros i _.
    apply Rmult_le_pos; [apply pos_INR | apply gap_excess_nonneg; lra]. }
  set (nodes := seq 0 (2 ^ L)).
  destruct (sorted_points (0 :: map midpoint nodes ++ map (frequency_of h) nodes))
    as (k & p & Hsort & Hin & Hall); [discriminate |].
  assert (Hunit : forall i, (i <= k)%nat -> in_unit (p i)).
  { intros i Hi. specialize (Hin i Hi). destruct Hin as [E | Hin]; [rewrite <- E; unfold in_unit; lra |].
    apply in_app_or in Hin. rewrite !in_map_iff in Hin.
    destruct Hin as [(j & <- & _) | (j & <- & _)]; [apply midpoint_unit | apply frequency_unit]. }
  apply Rle_trans with (sum (2 ^ L) (fun i => INR (count h i) *
    sum k (fun j => fall l p j * gap_excess (midpoint i) (frequency_of h i) (p j) (p (S j))))).
  { apply sum_le. intros i Hi. apply Rmult_le_compat_l; [apply pos_INR |].
    assert (Hn : In i nodes) by (apply in_seq; lia).
    destruct (Hall (midpoint i)) as (iz & Hiz & <-).
    { right. apply in_or_app. left. apply in_map. exact Hn. }
    destruct (Hall (frequency_of h i)) as (ir & Hir & <-).
    { right. apply in_or_app. right. apply in_map. exact Hn. }
    now apply regret_by_gaps. }
  apply Rle_trans with (sum k (fun j => fall l p j * Phi)).
  - rewrite (sum_ext (2 ^ L) _ (fun i => sum k (fun j => fall l p j *
        (INR (count h i) * gap_excess (midpoint i) (frequency_of h i) (p j) (p (S j)))))).
    2: { intros i _. rewrite <- sum_scal. apply sum_ext. intros. ring. }
    rewrite sum_swap. apply sum_le. intros j Hj. rewrite sum_scal.
    apply Rmult_le_compat_l; [apply (fall_nonneg l Hl k); assumption |].
    apply HPhi; [apply Hunit; lia | apply Hsort; exact Hj | apply (Hunit (S j)); lia].
  - rewrite sum_scal_r. apply Rmult_le_compat_r; [exact HPhi0 |].
    rewrite (sum_ext k _ (fun i => fall l p (0 + i))) by reflexivity. rewrite sum_fall.
    apply (slope_range l Hl); apply Hunit; lia.
Qed.
