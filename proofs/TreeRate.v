(** * The rate of the tree: KLCal <= 11 T^(1/3) (ln T)^(2/3) + 2 ln (2/delta)

    The cost of the used nodes is at most an affine function of T between the numbers T_M of rounds that
    fill all levels below M (the knapsack), and at most T ln 6 + ln (4/3) for small T. The rate is concave,
    so only the ends of the pieces 2, 53 = T_3, T_4, T_5, ... count. *)

From Coq Require Import Reals Lra Psatz Lia List Arith Bool.
From KLCal Require Import Definitions Bounds Basics KT Numbers Ville.
From KLCal Require Import TreeDefinitions TreeBasics TreeMartingale TreeKL TreeCounts.
Import ListNotations.
Local Open Scope R_scope.

(** ** What a used node costs *)

Lemma spread_nonneg i : 0 <= spread i.
Proof. unfold spread. apply ln_nonneg. pose proof (pow2_ge_0 (sin (width (level i)))). lra. Qed.

Lemma width_le_PI2 l : width l <= PI / 2.
Proof.
  unfold width. rewrite pow_add. pose proof PI_RGT_0. assert (1 <= 2 ^ l) by (apply pow_R1_Rle; lra).
  apply Rmult_le_compat_l; [lra |]. apply Rinv_le_contravar; lra.
Qed.

Lemma sin_width_le l : 0 <= sin (width l) <= width l.
Proof.
  pose proof (width_pos l). pose proof (width_le_PI2 l). pose proof PI_RGT_0.
  split; [apply sin_ge_0; lra | left; apply sin_lt_x; lra].
Qed.

Lemma spread_le_width i : spread i <= width (level i) ^ 2.
Proof.
  unfold spread. pose proof (sin_width_le (level i)) as H. pose proof (pow2_ge_0 (sin (width (level i)))).
  pose proof (ln_le_minus_1 (1 + sin (width (level i)) ^ 2) ltac:(lra)). nra.
Qed.

Lemma spread_root i : level i = 0%nat -> spread i = ln 2.
Proof.
  intros E. unfold spread, width. rewrite E. f_equal.
  replace (PI / 2 ^ (0 + 1)) with (PI / 2) by (cbn; field).
  rewrite sin_PI2. lra.
Qed.

Lemma spread_not_root i : level i <> 0%nat -> spread i <= ln (3 / 2).
Proof.
  intros Hl. unfold spread. pose proof PI_RGT_0. set (w := width (level i)).
  assert (Hw : 0 < w <= PI / 4).
  { split; [apply width_pos |]. unfold w. destruct (level i) as [| l]; [congruence |].
    pose proof (width_le_PI2 l) as Hl2. rewrite width_S in Hl2. lra. }
  assert (Hs : sin w <= sin (PI / 4)) by (apply sin_incr_1; lra).
  assert (H0 : 0 <= sin w) by (apply sin_ge_0; lra).
  assert (Hq : sin (PI / 4) ^ 2 = 1 / 2).
  { rewrite sin_PI4. replace ((1 / sqrt 2) ^ 2) with (/ (sqrt 2 * sqrt 2)) by (field; apply sqrt2_neq_0).
    rewrite sqrt_sqrt; lra. }
  apply ln_le; nra.
Qed.

Lemma cost_of_node_nonneg h i : 0 <= cost_of_node h i.
Proof.
  unfold cost_of_node. destruct (Nat.eqb_spec (count h i) 0) as [_ | Hn]; [lra |].
  assert (1 <= INR (count h i)) by (apply (le_INR 1); lia).
  pose proof (ln_nonneg (4 * INR (count h i)) ltac:(lra)). pose proof (spread_nonneg i).
  assert (0 <= INR (count h i) * spread i) by (apply Rmult_le_pos; lra). lra.
Qed.

Lemma node_cost h i : played h = true -> cost_of_node h i <= 21 / 10 * ((INR (level i) + 1) * is_used h i).
Proof.
  intros Hh. unfold cost_of_node, is_used. pose proof ln_2_bounds as L2. pose proof ln_4 as L4.
  destruct (Nat.eqb_spec (count h i) 0) as [_ | Hn]; [lra |].
  pose proof (count_le_capacity h i Hh) as Hc. assert (Hn1 : 1 <= INR (count h i)) by (apply (le_INR 1); lia).
  pose proof (spread_le_width i) as Hs. destruct (level i) as [| k] eqn:El.
  - replace (count h i) with 1%nat by (cbn [capacity] in Hc; lia).
    rewrite spread_root by exact El. cbn [INR]. rewrite Rmult_1_r, L4. lra.
  - cbn [capacity] in Hc. apply le_INR in Hc. rewrite mult_INR, plus_INR, pow_INR in Hc.
    replace (INR 4) with 4 in Hc by (cbn; lra). change (INR 1) with 1 in Hc. rewrite S_INR in Hc |- *.
    set (n := INR (count h i)) in *. set (m := INR k + 1 + 1) in *. rewrite Rmult_1_r.
    pose proof (pos_INR k) as Hk. assert (Hm : 2 <= m) by (unfold m; lra).
    assert (Hp : 0 < 4 ^ k) by (apply pow_lt; lra).
    assert (H1 : ln (4 * n) <= m * ln 4 + ln (m / 4)).
    { apply Rle_trans with (ln (4 * (m * 4 ^ k))); [apply ln_le; lra |].
      rewrite ln_mult, ln_mult, ln_div by nra.
      rewrite <- (Rpower_pow k 4) by lra. unfold Rpower. rewrite ln_exp. unfold m. lra. }
    assert (H2 : ln (m / 4) <= m / 10.6).
    { pose proof (ln_tangent (m / 4) 2.65 ltac:(lra) ltac:(lra)) as Ht.
      assert (ln 2.65 <= 1).
      { replace 2.65 with (2 * 1.325) by lra. rewrite ln_mult by lra.
        pose proof (ln_le_half_difference 1.325 ltac:(lra)). lra. }
      lra. }
    assert (H3 : n * spread i <= m * (3.144 ^ 2 / 16)).
    { pose proof (spread_nonneg i) as H0.
      assert (Ew : (m * 4 ^ k) * width (S k) ^ 2 = m * (PI ^ 2 / 16)).
      { unfold width. replace (S k + 1)%nat with (S (S k)) by lia.
        change (2 ^ S (S k)) with (2 * (2 * 2 ^ k)).
        replace (4 ^ k) with (2 ^ k * 2 ^ k) by (rewrite <- Rpow_mult_distr; f_equal; lra).
        pose proof (pow2_pos k). field. lra. }
      apply Rle_trans with ((m * 4 ^ k) * width (S k) ^ 2).
      - apply Rmult_le_compat; lra.
      - rewrite Ew. apply Rmult_le_compat_l; [lra |]. pose proof PI_upper. pose proof PI_RGT_0.
        assert (PI ^ 2 <= 3.144 ^ 2) by (apply pow_incr; lra). lra. }
    assert (H4 : m * ln 4 <= m * 1.38704) by (apply Rmult_le_compat_l; lra).
    unfold m in *. lra.
Qed.

Lemma sum_extend n m f : (n <= m)%nat -> (forall i, 0 <= f i) -> sum n f <= sum m f.
Proof. intros Hnm H. induction Hnm as [| m _ IH]; cbn [sum]; [lra |]. pose proof (H m). lra. Qed.

Lemma cost_le_levels h M : played h = true -> cost_of_used h <= 21 / 10 * used_levels h (S (M + length h)).
Proof.
  intros Hh. unfold cost_of_used.
  apply Rle_trans with (sum (2 ^ S (M + length h)) (cost_of_node h)).
  - apply sum_extend; [apply Nat.pow_le_mono_r; lia | apply cost_of_node_nonneg].
  - rewrite sum_by_rows. unfold cost_of_node at 1. rewrite count_zero_index by exact Hh. cbn [Nat.eqb].
    rewrite Rplus_0_l. unfold used_levels. rewrite <- sum_scal. apply sum_le. intros l _.
    rewrite <- !row_scal. apply row_le. intros i <- _. rewrite Rmult_comm, Rmult_comm. apply node_cost.
    exact Hh.
Qed.

(** The bound by the knapsack, for every M. *)
Lemma cost_knapsack h M : played h = true ->
  cost_of_used h <=
  21 / 10 * (1 + 2 * (INR M * 2 ^ M + (INR M + 2) / INR (capacity M) * (INR (length h) - filling M))).
Proof.
  intros Hh. apply Rle_trans with (1 := cost_le_levels h M Hh). apply Rmult_le_compat_l; [lra |].
  now apply knapsack.
Qed.

(** The bound for few rounds. *)
Lemma cost_few_rounds h : played h = true -> (1 <= length h)%nat ->
  cost_of_used h <= INR (length h) * ln 6 + ln (4 / 3).
Proof.
  intros Hh HT. unfold cost_of_used. pose proof ln_2_bounds as L2. pose proof ln_4 as L4.
  assert (E6 : ln 6 = ln 4 + ln (3 / 2)) by (rewrite <- ln_mult by lra; f_equal; lra).
  assert (E43 : ln 6 + ln (4 / 3) = ln 4 + ln 2) by (rewrite <- !ln_mult by lra; f_equal; lra).
  assert (P43 : 0 <= ln (4 / 3)) by (apply ln_nonneg; lra).
  assert (H1 : (1 < 2 ^ length h)%nat).
  { apply Nat.lt_le_trans with (2 ^ 1)%nat; [cbn; lia | apply Nat.pow_le_mono_r; lia]. }
  rewrite <- (sum_counts h (length h) Hh (le_n _)), <- sum_scal_r.
  rewrite <- (sum_point (2 ^ length h) 1 (fun _ => ln (4 / 3))) by exact H1. rewrite <- sum_plus.
  apply sum_le. intros i _. unfold cost_of_node, point.
  destruct (Nat.eqb_spec (count h i) 0) as [E | Hn].
  - rewrite E. cbn [INR]. destruct (1 =? i)%nat; lra.
  - assert (Hn1 : 1 <= INR (count h i)) by (apply (le_INR 1); lia).
    destruct (used_level h i Hh ltac:(lia)) as [Hi _].
    destruct (Nat.eqb_spec 1 i) as [<- | Hi1].
    + pose proof (count_le_capacity h 1 Hh) as Hc. change (capacity (level 1)) with 1%nat in Hc.
      replace (count h 1) with 1%nat by lia. rewrite spread_root by reflexivity. cbn [INR].
      rewrite Rmult_1_r. lra.
    + assert (Hl : level i <> 0%nat).
      { intros El. pose proof (pow2_level i Hi) as Hp. rewrite El in Hp. cbn in Hp. lia. }
      pose proof (spread_not_root i Hl) as Hs.
      apply (Rmult_le_compat_l (INR (count h i))) in Hs; [| lra].
      rewrite ln_mult by lra. pose proof (ln_le_minus_1 (INR (count h i)) ltac:(lra)).
      assert (0 <= (INR (count h i) - 1) * (ln 4 - 1)) by (apply Rmult_le_pos; lra). rewrite E6. lra.
Qed.

(** ** The rate *)

Lemma ln_pos x : 1 < x -> 0 < ln x.
Proof. intros H. rewrite <- ln_1. apply ln_increasing; lra. Qed.

Lemma rate_pos x : 0 < rate x.
Proof. apply Rmult_lt_0_compat; apply exp_pos. Qed.

Lemma rate_cube x : 1 < x -> rate x ^ 3 = x * ln x ^ 2.
Proof.
  intros Hx. pose proof (ln_pos x Hx). unfold rate. rewrite Rpow_mult_distr.
  rewrite <- (Rpower_pow 3 (Rpower x _)), <- (Rpower_pow 3 (Rpower (ln x) _)) by apply exp_pos.
  rewrite !Rpower_mult. replace (1 / 3 * INR 3) with 1 by (cbn; field).
  replace (2 / 3 * INR 3) with (INR 2) by (cbn; field). rewrite Rpower_1, Rpower_pow by lra. reflexivity.
Qed.

(** Weighted means, written as a tangent: the rate at a against its value at x. *)
Lemma rate_tangent a x : 1 < a -> 1 < x -> rate a <= rate x * (1 / 3 * (a / x) + 2 / 3 * (ln a / ln x)).
Proof.
  intros Ha Hx. pose proof (ln_pos a Ha) as La. pose proof (ln_pos x Hx) as Lx.
  assert (Hq1 : 0 < a / x) by (apply Rdiv_lt_0_compat; lra).
  assert (Hq2 : 0 < ln a / ln x) by (apply Rdiv_lt_0_compat; lra).
  pose proof (ln_jensen2 (1 / 3) (2 / 3) (a / x) (ln a / ln x) ltac:(lra) ltac:(lra) ltac:(lra) Hq1 Hq2) as H.
  replace ((1 / 3 * (a / x) + 2 / 3 * (ln a / ln x)) / (1 / 3 + 2 / 3))
    with (1 / 3 * (a / x) + 2 / 3 * (ln a / ln x)) in H by (field; lra).
  assert (Hm : 0 < 1 / 3 * (a / x) + 2 / 3 * (ln a / ln x)) by lra.
  rewrite (ln_div a x), (ln_div (ln a) (ln x)) in H by lra.
  rewrite <- (exp_ln _ Hm). unfold rate, Rpower. rewrite <- !exp_plus.
  set (v := ln (1 / 3 * (a / x) + 2 / 3 * (ln a / ln x))) in *.
  assert (Hexp : 1 / 3 * ln a + 2 / 3 * ln (ln a) <= 1 / 3 * ln x + 2 / 3 * ln (ln x) + v) by lra.
  destruct Hexp as [Hlt | ->]; [left; apply exp_increasing; exact Hlt | right; reflexivity].
Qed.

(** The rate is concave: an affine function that is below it at a and b is below it between. *)
Lemma rate_above_affine c p q a b x : 0 < c -> 1 < a -> a <= x <= b ->
  p + q * a <= c * rate a -> p + q * b <= c * rate b -> p + q * x <= c * rate x.
Proof.
  intros Hc Ha Hx Hpa Hpb. destruct (Req_dec a b) as [<- | Hab].
  - replace x with a by lra. exact Hpa.
  - assert (Hba : 0 < b - a) by lra.
    pose proof (rate_tangent a x Ha ltac:(lra)) as Ta.
    pose proof (rate_tangent b x ltac:(lra) ltac:(lra)) as Tb.
    pose proof (ln_pos x ltac:(lra)) as Lx. pose proof (rate_pos x) as Rx.
    pose proof (ln_above_chord a b x ltac:(lra) Hx) as Hln.
    assert (Hmean : (b - x) * (1 / 3 * (a / x) + 2 / 3 * (ln a / ln x))
                    + (x - a) * (1 / 3 * (b / x) + 2 / 3 * (ln b / ln x)) <= b - a).
    { replace ((b - x) * (1 / 3 * (a / x) + 2 / 3 * (ln a / ln x))
               + (x - a) * (1 / 3 * (b / x) + 2 / 3 * (ln b / ln x)))
        with (1 / 3 * (b - a) + 2 / 3 * (((b - x) * ln a + (x - a) * ln b) / ln x)) by (field; lra).
      assert (((b - x) * ln a + (x - a) * ln b) / ln x <= b - a); [| lra].
      apply Rmult_le_reg_r with (ln x); [lra |]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra. }
    apply (Rmult_le_compat_l (b - x)) in Ta; [| lra]. apply (Rmult_le_compat_l (x - a)) in Tb; [| lra].
    apply (Rmult_le_compat_l (rate x)) in Hmean; [| lra].
    assert (Hr : (b - x) * rate a + (x - a) * rate b <= (b - a) * rate x) by lra.
    apply (Rmult_le_compat_l c) in Hr; [| lra].
    apply (Rmult_le_compat_l (b - x)) in Hpa; [| lra]. apply (Rmult_le_compat_l (x - a)) in Hpb; [| lra].
    apply Rmult_le_reg_l with (b - a); [exact Hba |].
    replace ((b - a) * (p + q * x)) with ((b - x) * (p + q * a) + (x - a) * (p + q * b)) by ring. lra.
Qed.

Lemma le_by_cubes v w : 0 <= w -> v ^ 3 <= w ^ 3 -> v <= w.
Proof.
  intros Hw H. destruct (Rle_dec v w) as [Hle | Hgt]; [exact Hle | exfalso].
  assert (0 < v - w) by lra. assert (0 < v * v + v * w + w * w) by nra.
  assert (0 < (v - w) * (v * v + v * w + w * w)) by (apply Rmult_lt_0_compat; assumption). lra.
Qed.

Lemma le_rate c v x : 0 <= c -> 1 < x -> v ^ 3 <= c ^ 3 * (x * ln x ^ 2) -> v <= c * rate x.
Proof.
  intros Hc Hx H. pose proof (rate_pos x). apply le_by_cubes; [nra |].
  rewrite Rpow_mult_distr, rate_cube by exact Hx. exact H.
Qed.

(** ** The ends of the pieces *)

Lemma ln_53 : 3.94 <= ln 53.
Proof.
  replace 53 with (2 * 2 * 2 * 2 * 2 * (53 / 32)) by lra. rewrite !ln_mult by lra.
  pose proof ln_2_bounds. pose proof (ln_lower (53 / 32) ltac:(lra)). lra.
Qed.

Lemma filling_3 : filling 3 = 53.
Proof. rewrite filling_value. replace (INR 3) with 3 by (cbn; lra). lra. Qed.

Lemma end_at_3 : 21 / 10 * (1 + 2 * (INR 3 * 2 ^ 3)) <= 11 * rate (filling 3).
Proof.
  rewrite filling_3. pose proof ln_53. apply le_rate; [lra | lra |]. replace (INR 3) with 3 by (cbn; lra).
  assert (3.94 ^ 2 <= ln 53 ^ 2) by (apply pow_incr; lra). lra.
Qed.

Lemma pow_split_8 M : 8 ^ M = 2 ^ M * (2 ^ M * 2 ^ M).
Proof. rewrite <- !Rpow_mult_distr. replace (2 * (2 * 2)) with 8 by lra. reflexivity. Qed.

Lemma end_from_4 M : (4 <= M)%nat -> 21 / 10 * (1 + 2 * (INR M * 2 ^ M)) <= 11 * rate (filling M).
Proof.
  intros HM. destruct M as [| M']; [lia |]. pose proof (filling_value M') as HT. set (M := S M') in *.
  assert (Hm : 4 <= INR M) by (replace 4 with (INR 4) by (cbn; lra); apply le_INR; exact HM).
  assert (Hp : 16 <= 2 ^ M).
  { replace 16 with (2 ^ 4) by lra. apply Rle_pow; [lra | exact HM]. }
  set (m := INR M) in *. rewrite pow_split_8 in HT.
  assert (E4 : 4 ^ M = 2 ^ M * 2 ^ M) by (rewrite <- Rpow_mult_distr; f_equal; lra).
  assert (L4 : ln (4 ^ M) = m * ln 4).
  { rewrite <- (Rpower_pow M 4) by lra. unfold Rpower. rewrite ln_exp. reflexivity. }
  set (p := 2 ^ M) in *. set (x := filling M) in *. clearbody p x.
  assert (Hp3 : 0 < p * (p * p)) by (repeat apply Rmult_lt_0_compat; lra).
  assert (Hx1 : 6.75 * m * (p * (p * p)) <= 196 * x).
  { assert (0 <= (0.25 * m - 1) * (p * (p * p))) by (apply Rmult_le_pos; lra). lra. }
  assert (Hx4 : p * p <= x).
  { assert (0 < p * p) by (apply Rmult_lt_0_compat; lra).
    assert (432 * (p * p) <= 6.75 * m * (p * (p * p))); [| lra].
    replace (6.75 * m * (p * (p * p))) with ((6.75 * m * p) * (p * p)) by ring.
    apply Rmult_le_compat_r; nra. }
  assert (Hx : 1 < x) by nra.
  assert (Hln : 1.3859 * m <= ln x).
  { apply Rle_trans with (ln (4 ^ M)); [| apply ln_le; rewrite E4; nra].
    rewrite L4, ln_4. pose proof ln_2_bounds. nra. }
  apply le_rate; [lra | exact Hx |].
  assert (Hv : 1 + 2 * (m * p) <= (1 + 1 / 128) * (2 * (m * p))) by nra.
  assert (Hv3 : (21 / 10 * (1 + 2 * (m * p))) ^ 3 <= (21 / 10 * ((1 + 1 / 128) * (2 * (m * p)))) ^ 3)
    by (apply pow_incr; nra).
  apply Rle_trans with (1 := Hv3).
  assert (Hl2 : 1.92 * (m * m) <= ln x ^ 2).
  { apply Rle_trans with ((1.3859 * m) ^ 2); [nra | apply pow_incr; nra]. }
  apply Rle_trans with (11 ^ 3 * ((6.75 / 196 * (m * (p * (p * p)))) * (1.92 * (m * m)))).
  - assert (0 <= m * (p * (p * p)) * (m * m)) by (repeat apply Rmult_le_pos; lra). nra.
  - apply Rmult_le_compat_l; [lra |]. apply Rmult_le_compat; try nra.
Qed.

Lemma end_of_piece M : (3 <= M)%nat -> 21 / 10 * (1 + 2 * (INR M * 2 ^ M)) <= 11 * rate (filling M).
Proof.
  intros HM. destruct (Nat.eq_dec M 3) as [-> | HM3]; [exact end_at_3 | apply end_from_4; lia].
Qed.

Lemma filling_mono M : filling M + 1 <= filling (S M).
Proof.
  rewrite filling_next. assert (1 <= 2 ^ M) by (apply pow_R1_Rle; lra).
  assert (1 <= INR (capacity M)) by (apply (le_INR 1), capacity_pos). nra.
Qed.

Lemma filling_ge_53 M : (3 <= M)%nat -> 53 <= filling M.
Proof.
  intros HM. induction HM as [| M HM IH]; [rewrite filling_3; lra |]. pose proof (filling_mono M). lra.
Qed.

Lemma piece_exists x : 53 <= x -> exists M, (3 <= M)%nat /\ filling M <= x <= filling (S M).
Proof.
  intros Hx.
  assert (H : forall k, x <= filling (3 + k) -> exists M, (3 <= M)%nat /\ filling M <= x <= filling (S M)).
  { induction k as [| k IH]; intros Hk.
    - exists 3%nat. change (3 + 0)%nat with 3%nat in Hk. rewrite filling_3 in Hk. pose proof (filling_mono 3).
      rewrite filling_3 in *. split; [lia | lra].
    - destruct (Rle_dec x (filling (3 + k))) as [Hle | Hgt]; [exact (IH Hle) |].
      exists (3 + k)%nat. replace (3 + S k)%nat with (S (3 + k)) in Hk by lia. split; [lia | lra]. }
  destruct (archimed x) as [Hup _].
  assert (Hbig : forall k, INR k <= filling (3 + k)).
  { induction k as [| k IH]; [change (3 + 0)%nat with 3%nat; rewrite filling_3; cbn; lra |].
    rewrite S_INR. replace (3 + S k)%nat with (S (3 + k)) by lia. pose proof (filling_mono (3 + k)). lra. }
  apply (H (Z.to_nat (up x))). apply Rle_trans with (2 := Hbig _).
  rewrite INR_IZR_INZ, Z2Nat.id; [lra |]. apply le_IZR. lra.
Qed.

(** ** The cost of the used nodes *)

Theorem cost_le_rate h : played h = true -> (2 <= length h)%nat ->
  cost_of_used h <= 11 * rate (INR (length h)).
Proof.
  intros Hh HT.
  assert (HT2 : 2 <= INR (length h)) by (replace 2 with (INR 2) by (cbn; lra); apply le_INR; exact HT).
  destruct (Rle_dec 53 (INR (length h))) as [Hbig | Hsmall].
  - destruct (piece_exists _ Hbig) as (M & HM & Hpiece).
    pose proof (cost_knapsack h M Hh) as Hc. pose proof (end_of_piece M HM) as E1.
    pose proof (end_of_piece (S M) ltac:(lia)) as E2. pose proof (filling_ge_53 M HM) as H53.
    set (price := (INR M + 2) / INR (capacity M)) in *.
    assert (Hprice : price * (filling (S M) - filling M) = (INR M + 2) * 2 ^ M).
    { rewrite filling_next. unfold price. field. apply not_0_INR. pose proof (capacity_pos M). lia. }
    apply Rle_trans with (1 := Hc).
    replace (21 / 10 * (1 + 2 * (INR M * 2 ^ M + price * (INR (length h) - filling M))))
      with (21 / 10 * (1 + 2 * (INR M * 2 ^ M - price * filling M)) + 21 / 5 * price * INR (length h))
      by field.
    apply rate_above_affine with (a := filling M) (b := filling (S M)); try lra.
    rewrite S_INR, <- tech_pow_Rmult in E2. lra.
  - pose proof (cost_few_rounds h Hh ltac:(lia)) as Hc. pose proof ln_2_bounds as L2.
    assert (L6 : 0 <= ln 6 <= 1.81).
    { split; [apply ln_nonneg; lra |]. replace 6 with (2 * 2 * 1.5) by lra. rewrite !ln_mult by lra.
      pose proof (ln_le_half_difference 1.5 ltac:(lra)). lra. }
    assert (L43 : 0 <= ln (4 / 3) <= 0.3).
    { split; [apply ln_nonneg; lra |]. pose proof (ln_le_half_difference (4 / 3) ltac:(lra)). lra. }
    apply Rle_trans with (0.3 + 1.81 * INR (length h)).
    { assert (INR (length h) * ln 6 <= INR (length h) * 1.81) by (apply Rmult_le_compat_l; lra). lra. }
    apply rate_above_affine with (a := 2) (b := 53); try lra.
    + apply le_rate; [lra | lra |]. assert (0.69 ^ 2 <= ln 2 ^ 2) by (apply pow_incr; lra). lra.
    + apply le_rate; [lra | lra |]. pose proof ln_53.
      assert (3.94 ^ 2 <= ln 53 ^ 2) by (apply pow_incr; lra). lra.
Qed.

(** For every adversary, with probability at least 1 - delta, at all times t with 2 <= t <= T at once:
    KLCal_t <= 11 t^(1/3) (ln t)^(2/3) + 2 ln (2 / delta). The forecaster knows neither T nor delta. *)
Theorem tree_KL_rate A T delta : proper_adversary A -> 0 < delta ->
  1 - delta <= probability tree A T
    (always (fun h => (length h <? 2)%nat || at_most (tree_KLCal h) (tree_bound (length h) delta))).
Proof.
  intros HA Hdelta. apply Rle_trans with (1 := tree_wealth_bounded A T delta HA Hdelta).
  apply (probability_le tree A tree_is_proper HA _ played_invariant); [reflexivity |].
  intros h _ _. apply always_implies. intros h' H. apply orb_true_iff.
  destruct (Nat.ltb_spec (length h') 2) as [_ | HT]; [left; reflexivity | right].
  apply at_most_true. unfold tree_bound. pose proof (tree_KLCal_bounded delta h' Hdelta H).
  pose proof (cost_le_rate h' (wealth_bounded_played _ _ H) HT). lra.
Qed.

(** For every adversary and every T >= 2 the mean of KLCal_T is at most 11 T^(1/3) (ln T)^(2/3) + 2 ln 2. *)
Theorem tree_KL_rate_expectation A T : proper_adversary A -> (2 <= T)%nat ->
  expect tree A T tree_KLCal [] <= 11 * rate (INR T) + 2 * ln 2.
Proof.
  intros HA HT. apply Rle_trans with (1 := tree_KL_expectation A T HA). apply Rplus_le_compat_r.
  apply (expect_le_const tree A tree_is_proper HA _ played_invariant); [reflexivity |].
  intros h Hh Hlen. cbn [length] in Hlen. rewrite Nat.add_0_r in Hlen. rewrite <- Hlen in HT |- *.
  now apply cost_le_rate.
Qed.
