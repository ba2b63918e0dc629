(** * How many nodes a play can use

    A node is used only when its parent is full. With F_l full nodes at level l, F_l <= 2^l and the sum of
    N_l F_l is at most the number of rounds, so the sum of (level + 1) over the used nodes is at most a
    fractional knapsack, bounded here by its dual for every M. *)

From Coq Require Import Reals Lra Psatz Lia List Arith Bool.
From KLCal Require Import Definitions Basics KT TreeDefinitions TreeBasics TreeMartingale TreeKL.
Import ListNotations.
Local Open Scope R_scope.

(** ** Counts along a play *)

Lemma capacity_ge l : (l + 1 <= capacity l)%nat.
Proof.
  destruct l as [| k]; cbn [capacity]; [lia |]. pose proof (Nat.pow_nonzero 4 k ltac:(lia)). nia.
Qed.

Lemma capacity_pos l : (1 <= capacity l)%nat.
Proof. pose proof (capacity_ge l). lia. Qed.

Lemma used_level h i : played h = true -> (0 < count h i)%nat -> (1 <= i)%nat /\ (level i < length h)%nat.
Proof.
  induction h as [| [j y] past IH]; intros Hh Hc; cbn [count length] in *; [lia |].
  apply played_step in Hh. destruct Hh as [Ha Hp].
  destruct (Nat.eqb_spec j i) as [-> | _].
  - apply active_spec in Ha. lia.
  - specialize (IH Hp Hc). lia.
Qed.

Lemma count_le_capacity h i : played h = true -> (count h i <= capacity (level i))%nat.
Proof.
  induction h as [| [j y] past IH]; intros Hh; cbn [count]; [lia |].
  apply played_step in Hh. destruct Hh as [Ha Hp].
  destruct (Nat.eqb_spec j i) as [-> | _]; [| exact (IH Hp)].
  apply active_spec in Ha. destruct Ha as (_ & Hl & _ & [Hf | Hl']).
  - unfold full in Hf. apply Nat.leb_gt in Hf. lia.
  - destruct (Nat.eq_dec (count past i) 0) as [-> | Hc]; [apply capacity_pos |].
    pose proof (used_level past i Hp). lia.
Qed.

Lemma count_grows h i j y : (count h i <= count ((j, y) :: h) i)%nat.
Proof. cbn [count]. destruct (j =? i)%nat; lia. Qed.

Lemma used_parent_full h i : played h = true -> (0 < count h i)%nat -> i = 1%nat \/ full h (i / 2) = true.
Proof.
  induction h as [| [j y] past IH]; intros Hh Hc; [cbn in Hc; lia |].
  apply played_step in Hh. destruct Hh as [Ha Hp].
  assert (Hold : i = 1%nat \/ full past (i / 2) = true).
  { cbn [count] in Hc. destruct (Nat.eqb_spec j i) as [-> | _].
    - apply active_spec in Ha. tauto.
    - exact (IH Hp Hc). }
  destruct Hold as [E | Hf]; [left; exact E | right].
  unfold full in *. apply Nat.leb_le in Hf. apply Nat.leb_le. pose proof (count_grows past (i / 2) j y). lia.
Qed.

Lemma count_zero_index h : played h = true -> count h 0 = 0%nat.
Proof.
  intros Hh. destruct (count h 0) eqn:E; [reflexivity |].
  pose proof (used_level h 0 Hh). lia.
Qed.

Lemma sum_counts h L : played h = true -> (length h <= L)%nat ->
  sum (2 ^ L) (fun i => INR (count h i)) = INR (length h).
Proof.
  induction h as [| [i y] past IH]; intros Hh HL.
  - cbn [count length INR]. apply sum_zero. reflexivity.
  - destruct (played_lt_pow2 _ _ Hh HL i y past eq_refl) as [Hi1 Hi2].
    apply played_step in Hh. destruct Hh as [_ Hh]. cbn [length] in *. rewrite S_INR, <- (IH Hh) by lia.
    rewrite <- (sum_point (2 ^ L) i (fun _ => 1)) by exact Hi2.
    rewrite <- sum_plus. apply sum_ext. intros k _. cbn [count]. unfold point.
    destruct (i =? k)%nat; rewrite ?S_INR; lra.
Qed.

(** ** Sums by levels *)

Definition row (l : nat) (f : nat -> R) : R := sum (2 ^ l) (fun j => f (2 ^ l + j)%nat).

Lemma sum_by_rows L f : sum (2 ^ L) f = f 0%nat + sum L (fun l => row l f).
Proof.
  induction L as [| L IH]; [cbn; lra |].
  replace (2 ^ S L)%nat with (2 ^ L + 2 ^ L)%nat by (rewrite Nat.pow_succ_r'; lia).
  rewrite sum_split, IH. cbn [sum]. unfold row at 3. lra.
Qed.

Lemma sum_double n f : sum (2 * n) f = sum n (fun j => f (2 * j)%nat + f (2 * j + 1)%nat).
Proof.
  induction n as [| n IH]; [reflexivity |].
  replace (2 * S n)%nat with (S (S (2 * n))) by lia. cbn [sum]. rewrite IH.
  replace (2 * n + 1)%nat with (S (2 * n)) by lia. lra.
Qed.

Lemma row_le l f g : (forall i, level i = l -> (1 <= i)%nat -> f i <= g i) -> row l f <= row l g.
Proof.
  intros H. apply sum_le. intros j Hj. apply H; [apply level_of_row; exact Hj |].
  pose proof (Nat.pow_nonzero 2 l ltac:(lia)). lia.
Qed.

Lemma row_scal l c f : row l (fun i => c * f i) = c * row l f.
Proof. apply (sum_scal (2 ^ l) c (fun j => f (2 ^ l + j)%nat)). Qed.

Lemma row_const l c : row l (fun _ => c) = 2 ^ l * c.
Proof. unfold row. rewrite sum_const, INR_pow2. reflexivity. Qed.

(** Each node has two children. *)
Lemma row_of_parents l g : row (S l) (fun i => g (i / 2)%nat) = 2 * row l g.
Proof.
  unfold row. rewrite Nat.pow_succ_r', sum_double, <- sum_scal. apply sum_ext. intros j _.
  replace ((2 * 2 ^ l + 2 * j) / 2)%nat with (2 ^ l + j)%nat.
  - replace ((2 * 2 ^ l + (2 * j + 1)) / 2)%nat with (2 ^ l + j)%nat; [ring |].
    replace (2 * 2 ^ l + (2 * j + 1))%nat with ((2 ^ l + j) * 2 + 1)%nat by lia.
    rewrite Nat.div_add_l by lia. cbn. lia.
  - replace (2 * 2 ^ l + 2 * j)%nat with ((2 ^ l + j) * 2)%nat by lia. rewrite Nat.div_mul by lia.
    reflexivity.
Qed.

Definition is_full (h : history) (i : nat) : R := if full h i then 1 else 0.

Lemma used_row_le h l : played h = true -> row (S l) (is_used h) <= 2 * row l (is_full h).
Proof.
  intros Hh. rewrite <- row_of_parents. apply row_le. intros i Hl Hi. unfold is_used, is_full.
  destruct (Nat.eqb_spec (count h i) 0) as [_ | Hc]; [destruct (full h (i / 2)); lra |].
  destruct (used_parent_full h i Hh ltac:(lia)) as [-> | ->]; [discriminate Hl | lra].
Qed.

Lemma full_row_le h l : row l (is_full h) <= 2 ^ l.
Proof.
  rewrite <- (Rmult_1_r (2 ^ l)), <- row_const. apply row_le. intros i _ _. unfold is_full.
  destruct (full h i); lra.
Qed.

Lemma full_row_nonneg h l : 0 <= row l (is_full h).
Proof. apply sum_nonneg. intros. unfold is_full. destruct (full h _); lra. Qed.

Lemma full_rounds h L : played h = true -> (length h <= L)%nat ->
  sum L (fun l => INR (capacity l) * row l (is_full h)) <= INR (length h).
Proof.
  intros Hh HL. rewrite <- (sum_counts h L Hh HL), sum_by_rows, (count_zero_index h Hh). cbn [INR].
  rewrite Rplus_0_l. apply sum_le. intros l _. rewrite <- row_scal. apply row_le.
  intros i Hl _. unfold is_full, full. destruct (Nat.leb_spec (capacity (level i)) (count h i)) as [H | _].
  - rewrite Rmult_1_r, <- Hl. apply le_INR. exact H.
  - rewrite Rmult_0_r. apply pos_INR.
Qed.

(** The sum of (level + 1) over the used nodes. *)
Definition used_levels (h : history) (L : nat) : R := sum L (fun l => (INR l + 1) * row l (is_used h)).

Lemma used_levels_le h L : played h = true ->
  used_levels h (S L) <= 1 + 2 * sum L (fun l => (INR l + 2) * row l (is_full h)).
Proof.
  intros Hh. unfold used_levels. induction L as [| L IH].
  - cbn [sum]. unfold row. cbn [Nat.pow sum INR]. unfold is_used. destruct (count h (1 + 0) =? 0)%nat; lra.
  - cbn [sum]. cbn [sum] in IH. pose proof (used_row_le h L Hh) as H. rewrite S_INR.
    pose proof (pos_INR L). assert (0 <= INR L + 1 + 1) by lra.
    apply (Rmult_le_compat_l (INR L + 1 + 1)) in H; [| assumption]. lra.
Qed.

(** ** The knapsack *)

(** The rounds that fill all nodes of the levels below M. *)
Definition filling (M : nat) : R := sum M (fun l => 2 ^ l * INR (capacity l)).

Lemma sum_levels M : sum M (fun l => (INR l + 2) * 2 ^ l) = INR M * 2 ^ M.
Proof. induction M as [| M IH]; [cbn; lra |]. cbn [sum]. rewrite IH, S_INR, <- tech_pow_Rmult. ring. Qed.

(** (l+2) / N_l falls in l. *)
Lemma capacity_step l : ((l + 3) * capacity l <= (l + 2) * capacity (S l))%nat.
Proof.
  destruct l as [| k]; [cbn; lia |]. cbn [capacity]. rewrite (Nat.pow_succ_r' 4 k).
  pose proof (Nat.pow_nonzero 4 k ltac:(lia)). set (p := (4 ^ k)%nat) in *. nia.
Qed.

Lemma capacity_ratio l d : ((l + d + 2) * capacity l <= (l + 2) * capacity (l + d))%nat.
Proof.
  induction d as [| d IH]; [rewrite !Nat.add_0_r; lia |].
  pose proof (capacity_step (l + d)) as H. replace (l + S d)%nat with (S (l + d)) by lia.
  assert (H1 : ((S (l + d) + 2) * ((l + d + 2) * capacity l)
                <= (S (l + d) + 2) * ((l + 2) * capacity (l + d)))%nat)
    by (apply Nat.mul_le_mono_l; exact IH).
  assert (H2 : ((l + 2) * ((l + d + 3) * capacity (l + d))
                <= (l + 2) * ((l + d + 2) * capacity (S (l + d))))%nat)
    by (apply Nat.mul_le_mono_l; exact H).
  apply Nat.mul_le_mono_pos_l with (p := (l + d + 2)%nat); [lia |]. nia.
Qed.

(** The value of a level: its nodes are worth filling if l < M, at the price (M+2) / N_M a round. *)
Lemma knapsack_level l M F : 0 <= F <= 2 ^ l ->
  let price := (INR M + 2) / INR (capacity M) in
  (INR l + 2) * F <= price * (INR (capacity l) * F)
                     + (if (l <? M)%nat then (INR l + 2) * 2 ^ l - price * (2 ^ l * INR (capacity l)) else 0).
Proof.
  intros HF price. assert (HN : 0 < INR (capacity M)) by (apply lt_0_INR, capacity_pos).
  destruct (Nat.ltb_spec l M) as [Hlt | Hge].
  - assert (H : price * INR (capacity l) <= INR l + 2).
    { pose proof (capacity_ratio l (M - l)) as H. replace (l + (M - l))%nat with M in H by lia.
      apply le_INR in H. rewrite !mult_INR, !plus_INR in H. cbn [INR] in H.
      apply Rmult_le_reg_r with (INR (capacity M)); [exact HN |].
      unfold price. replace ((INR M + 2) / INR (capacity M) * INR (capacity l) * INR (capacity M))
        with ((INR M + 2) * INR (capacity l)) by (field; lra). lra. }
    assert (H2 : 0 <= (INR l + 2 - price * INR (capacity l)) * (2 ^ l - F)) by (apply Rmult_le_pos; lra). lra.
  - assert (H : INR l + 2 <= price * INR (capacity l)).
    { pose proof (capacity_ratio M (l - M)) as H. replace (M + (l - M))%nat with l in H by lia.
      apply le_INR in H. rewrite !mult_INR, !plus_INR in H. cbn [INR] in H.
      apply Rmult_le_reg_r with (INR (capacity M)); [exact HN |].
      unfold price. replace ((INR M + 2) / INR (capacity M) * INR (capacity l) * INR (capacity M))
        with ((INR M + 2) * INR (capacity l)) by (field; lra). lra. }
    assert (H2 : 0 <= (price * INR (capacity l) - (INR l + 2)) * F) by (apply Rmult_le_pos; lra). lra.
Qed.

Lemma sum_truncated M d f : sum (M + d) (fun l => if (l <? M)%nat then f l else 0) = sum M f.
Proof.
  rewrite sum_split, (sum_zero d), Rplus_0_r.
  - apply sum_ext. intros l Hl. destruct (Nat.ltb_spec l M); [reflexivity | lia].
  - intros l _. destruct (Nat.ltb_spec (M + l) M); [lia | reflexivity].
Qed.

Lemma knapsack h M : played h = true ->
  used_levels h (S (M + length h)) <=
  1 + 2 * (INR M * 2 ^ M + (INR M + 2) / INR (capacity M) * (INR (length h) - filling M)).
Proof.
  intros Hh. apply Rle_trans with (1 := used_levels_le h (M + length h) Hh).
  set (price := (INR M + 2) / INR (capacity M)).
  assert (Hprice : 0 <= price).
  { unfold price. apply Rmult_le_pos; [pose proof (pos_INR M); lra |].
    left. apply Rinv_0_lt_compat, lt_0_INR, capacity_pos. }
  assert (H : sum (M + length h) (fun l => (INR l + 2) * row l (is_full h)) <=
              price * INR (length h) + (INR M * 2 ^ M - price * filling M)); [| lra].
  pose proof (full_rounds h (M + length h) Hh ltac:(lia)) as Hr.
  apply (Rmult_le_compat_l price) in Hr; [| exact Hprice].
  apply Rle_trans with
    (price * sum (M + length h) (fun l => INR (capacity l) * row l (is_full h))
     + sum (M + length h) (fun l => if (l <? M)%nat
                                    then (INR l + 2) * 2 ^ l - price * (2 ^ l * INR (capacity l)) else 0)).
  - rewrite <- sum_scal, <- sum_plus. apply sum_le. intros l _. apply knapsack_level.
    split; [apply full_row_nonneg | apply full_row_le].
  - rewrite sum_truncated, sum_minus, sum_scal, sum_levels. unfold filling. lra.
Qed.

(** The rounds that fill all levels below M >= 1. *)
Lemma filling_value M : filling (S M) = ((7 * INR (S M) - 1) * 8 ^ S M + 148) / 196.
Proof.
  unfold filling. induction M as [| M IH].
  - cbn. lra.
  - change (sum (S (S M)) (fun l => 2 ^ l * INR (capacity l)))
      with (sum (S M) (fun l => 2 ^ l * INR (capacity l)) + 2 ^ S M * INR (capacity (S M))).
    rewrite IH. cbn [capacity]. rewrite mult_INR, pow_INR, plus_INR.
    replace (INR 4) with 4 by (cbn; lra). rewrite !S_INR. change (INR 0) with 0.
    replace (2 ^ S M) with (2 * 2 ^ M) by reflexivity. rewrite <- !tech_pow_Rmult.
    replace (8 ^ M) with (2 ^ M * 4 ^ M) by (rewrite <- Rpow_mult_distr; f_equal; lra). field.
Qed.

Lemma filling_next M : filling (S M) = filling M + 2 ^ M * INR (capacity M).
Proof. reflexivity. Qed.
