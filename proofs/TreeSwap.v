(** * Swap regret of the tree for all bounded proper losses at once (Theorem F)

    On the event of the martingale every node has n KL(rho, q) <= Lam = O(ln(T / delta)) for a point q of
    its cell. The excess of a gap is then of the order sqrt(T / ln T) ln(T / delta), because 2^L is of the
    order sqrt(T / L), and the swap regret of every bounded proper loss is at most 4 times the largest
    excess. The rest are numbers. *)

From Coq Require Import Reals Lra Psatz Lia List Arith Bool.
From KLCal Require Import Definitions Bounds Basics LossDefinitions KT Numbers Ville.
From KLCal Require Import TreeDefinitions TreeBasics TreeMartingale TreeKL TreeCounts TreeRate.
From KLCal Require Import TreeLoss TreeLevel TreeLevels.
Import ListNotations.
Local Open Scope R_scope.

(** ** The excess in closed form *)

Lemma sum_near_share Lam s L : (4 <= L)%nat -> 0 < Lam ->
  sum (S L) (near_share Lam s L) <= sqrt Lam * sqrt (INR L) * 2 ^ L / 8 + 3 * (Lam / (2 * s)).
Proof.
  intros HL HLam. replace (S L) with ((L - 2) + 3)%nat by lia. rewrite sum_split. apply Rplus_le_compat.
  - rewrite (sum_ext (L - 2) _ (fun l => sqrt Lam * sqrt (INR (capacity l)))).
    + rewrite sum_scal. pose proof (sum_sqrt_capacity L (L - 3) ltac:(lia)) as H.
      replace (S (L - 3)) with (L - 2)%nat in H by lia.
      apply (Rmult_le_compat_l (sqrt Lam)) in H; [| apply sqrt_pos].
      assert (E : 2 ^ L = 8 * 2 ^ (L - 3)).
      { replace L with (3 + (L - 3))%nat at 1 by lia. rewrite pow_add. lra. }
      rewrite E. lra.
    + intros l Hl. unfold near_share. destruct (Nat.ltb_spec l (L - 2)); [| lia].
      apply sqrt_mult_alt. lra.
  - cbn [sum]. unfold near_share. rewrite !(proj2 (Nat.ltb_ge _ _)) by lia. lra.
Qed.

Lemma sum_own_share Lam s L : (4 <= L)%nat ->
  sum (S L) (fun l => 2 * own_share Lam s L l + 2 * near_share Lam s L l)
  <= 4 * sum (S L) (near_share Lam s L) + PI / 8 * INR L * 2 ^ L.
Proof.
  intros HL.
  rewrite (sum_ext (S L) _ (fun l => 4 * near_share Lam s L l
    + (if (l <? L)%nat then INR (capacity l) * width l else 0))).
  2: { intros l _. unfold own_share. destruct (l <? L)%nat; field. }
  rewrite sum_plus, sum_scal. apply Rplus_le_compat_l.
  replace (S L) with (L + 1)%nat by lia.
  rewrite (sum_truncated L 1 (fun l => INR (capacity l) * width l)).
  pose proof (sum_capacity_width L (L - 1) ltac:(lia) ltac:(lia)) as H.
  replace (S (L - 1)) with L in H by lia. apply Rle_trans with (1 := H). right.
  assert (E : 2 ^ L = 2 * 2 ^ (L - 1)) by (replace L with (S (L - 1)) at 1 by lia; reflexivity).
  rewrite E. field.
Qed.

Lemma excess_closed_form h Lam L tau a b : played h = true -> (4 <= L)%nat ->
  (capacity (L - 1) < length h <= capacity L)%nat -> 0 < Lam ->
  (forall i, (1 <= i)%nat -> (level i <= L)%nat -> (0 < count h i)%nat ->
     INR (count h i) * KL (frequency_of h i) (clipped_mean h i) <= Lam) ->
  INR (length h) = tau * (INR L * (2 ^ L * 2 ^ L) / 16) -> 1 <= tau -> 0 <= a -> a <= b -> b <= 1 ->
  excess h (S L + length h) a b <=
    3.4643 * (sqrt Lam * sqrt (INR (length h))) + PI / (4 * 2 ^ L) * INR (length h)
    + sqrt Lam * sqrt (INR L) * 2 ^ L / 2 + PI / 8 * INR L * 2 ^ L
    + Lam / PI * (2 ^ L * (5 / 2 + 2 * ln 4 + 2 * ln tau)).
Proof.
  intros Hh HL4 HL HLam Hb ET Htau Ha Hab Hb1. set (T := INR (length h)) in *.
  assert (HT : 0 < T) by (apply lt_0_INR; lia).
  pose proof (sqrt_lt_R0 T HT) as Ht. pose proof (sqrt_lt_R0 Lam HLam) as Hlam.
  set (s := 7 / 2 * (sqrt Lam / sqrt T)).
  assert (Hs : 0 < s) by (unfold s; apply Rmult_lt_0_compat; [lra | now apply Rdiv_lt_0_compat]).
  apply Rle_trans with (1 := excess_by_levels h Lam s L Hh ltac:(lia) HL HLam Hs Hb a b Ha Hab Hb1). fold T.
  pose proof (sum_own_share Lam s L HL4) as H1. pose proof (sum_near_share Lam s L HL4 HLam) as H2.
  pose proof PI_RGT_0 as HPI.
  assert (H3 : sum (S L) (fun l => Lam / (2 * width l) * (1 + ln (share T l)))
               <= Lam / PI * (2 ^ L * (5 / 2 + 2 * ln 4 + 2 * ln tau))).
  { rewrite (sum_ext (S L) _ (fun l => Lam / PI * (2 ^ l * (1 + ln (share T l))))).
    - rewrite sum_scal. apply Rmult_le_compat_l; [left; now apply Rdiv_lt_0_compat |].
      now apply sum_far_levels.
    - intros l _. unfold width. rewrite pow_add. pose proof (pow2_pos l). field. lra. }
  assert (Hline : s / 2 * T + 4 * (3 * (Lam / (2 * s))) <= 3.4643 * (sqrt Lam * sqrt T)).
  { assert (E1 : s / 2 * T = 7 / 4 * (sqrt Lam * sqrt T)).
    { unfold s. rewrite <- (sqrt_sqrt T) at 2 by lra. field. lra. }
    assert (E2 : 4 * (3 * (Lam / (2 * s))) = 12 / 7 * (sqrt Lam * sqrt T)).
    { unfold s. rewrite <- (sqrt_sqrt Lam) at 1 by lra. field. lra. }
    rewrite E1, E2. assert (0 < sqrt Lam * sqrt T) by now apply Rmult_lt_0_compat. lra. }
  assert (Hw : width L / 2 * T = PI / (4 * 2 ^ L) * T).
  { unfold width. rewrite pow_add. pose proof (pow2_pos L). field. lra. }
  lra.
Qed.

(** ** Numbers *)

Lemma ln_19683 : 9.873 <= ln 19683.
Proof.
  replace 19683 with (3 ^ 9) by lra. rewrite ln_pow by lra. pose proof ln_3_bounds. cbn [INR]. lra.
Qed.

(** Below 19683 = 3^9 rounds the bound is trivial. *)
Lemma few_rounds x : 2 <= x <= 19683 -> x <= 2025 * ln x.
Proof.
  intros Hx. pose proof ln_19683. pose proof ln_2_bounds.
  pose proof (ln_above_chord 2 19683 x ltac:(lra) Hx) as Hchord.
  assert (H1 : (19683 - x) * 0.69 <= (19683 - x) * ln 2) by (apply Rmult_le_compat_l; lra).
  assert (H2 : (x - 2) * 9.873 <= (x - 2) * ln 19683) by (apply Rmult_le_compat_l; lra).
  lra.
Qed.

Lemma ln7_lower : 1.94 <= ln 7.
Proof.
  assert (E : ln 7 = 3 * ln 2 - ln (8 / 7)).
  { replace (8 / 7) with (2 * 2 * 2 / 7) by lra. rewrite ln_div, !ln_mult by lra. ring. }
  pose proof ln_2_bounds. pose proof (ln_le_half_difference (8 / 7) ltac:(lra)). lra.
Qed.

(** l = ln T, x = L, S = ln tau: the size of L against ln T, from both sides. *)
Lemma level_upper x l S : 7 <= x -> 0 <= S -> l = S + (ln x + 2 * x * ln 2 - 4 * ln 2) ->
  x <= 0.8 * l /\ l <= 1.413 * x + S.
Proof.
  intros Hx HS ->. pose proof ln_2_bounds. pose proof ln7_lower. split.
  - assert (ln 7 <= ln x) by (apply ln_le; lra). nra.
  - pose proof (ln_tangent x 40 ltac:(lra) ltac:(lra)) as Ht.
    assert (ln 40 <= 3.7).
    { replace 40 with (2 * 2 * 2 * 2 * 2 * (5 / 4)) by lra. rewrite !ln_mult by lra.
      pose proof (ln_le_half_difference (5 / 4) ltac:(lra)). lra. }
    nra.
Qed.

(** What the budget of a node has beyond ln (T / delta). *)
Lemma budget_rest L l : (7 <= L)%nat -> 9.873 <= l -> ln (INR L) + 2 * INR L * ln 2 - 4 * ln 2 <= l ->
  4 * ln 2 + ln ((INR L + 1) * (INR L + 2)) - / 2 * ln (INR L) <= 0.63 * l.
Proof.
  intros HL Hl1 Hl2. pose proof ln_2_bounds as L2.
  destruct (Nat.eq_dec L 7) as [-> | HL8].
  - replace (INR 7) with 7 by (cbn; lra). pose proof ln7_lower. pose proof ln_3_bounds.
    replace ((7 + 1) * (7 + 2)) with (2 * 2 * 2 * 3 * 3) by lra. rewrite !ln_mult by lra. lra.
  - assert (Hx : 8 <= INR L) by (replace 8 with (INR 8) by (cbn; lra); apply le_INR; lia).
    set (x := INR L) in *.
    assert (H1 : ln ((x + 1) * (x + 2)) <= ln (45 / 32) + 2 * ln x).
    { rewrite <- ln_pow2, <- ln_mult by nra. apply ln_le; nra. }
    pose proof (ln_le_half_difference (45 / 32) ltac:(lra)) as H2.
    pose proof (ln_tangent x 8 ltac:(lra) ltac:(lra)) as H3.
    assert (E8 : ln 8 = 3 * ln 2) by (replace 8 with (2 * 2 * 2) by lra; rewrite !ln_mult by lra; ring).
    rewrite E8 in H3.
    assert (H4 : x * 0.69296 <= x * ln 2) by (apply Rmult_le_compat_l; lra).
    lra.
Qed.

(** (A + 2 ln tau) / sqrt tau is largest at tau = 1, also with the change of ln T against L. *)
Lemma far_factor A x l S : 5.27 <= A -> 7 <= x -> 0 <= S -> 0 <= l -> l <= 1.413 * x + S ->
  (A + 2 * S) ^ 2 * l <= 1.413 * x * A ^ 2 * exp S.
Proof.
  intros HA Hx HS Hl0 Hl.
  set (y := 2 * S / A). set (v := S / (1.413 * x)).
  assert (Hy : 0 <= y <= 0.38 * S).
  { unfold y. split; [apply Rmult_le_pos; [lra | left; apply Rinv_0_lt_compat; lra] |].
    apply Rmult_le_reg_r with A; [lra |]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. nra. }
  assert (Hv : 0 <= v <= 0.11 * S).
  { unfold v. split; [apply Rmult_le_pos; [lra | left; apply Rinv_0_lt_compat; lra] |].
    apply Rmult_le_reg_r with (1.413 * x); [lra |]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. nra. }
  assert (E1 : A + 2 * S = A * (1 + y)) by (unfold y; field; lra).
  assert (E2 : 1.413 * x + S = 1.413 * x * (1 + v)) by (unfold v; field; lra).
  assert (H1 : (1 + y) ^ 2 <= exp y * exp y).
  { pose proof (exp_ineq1_le y). replace ((1 + y) ^ 2) with ((1 + y) * (1 + y)) by ring.
    apply Rmult_le_compat; lra. }
  assert (H2 : 1 + v <= exp v) by apply exp_ineq1_le.
  assert (H3 : exp y * exp y * exp v <= exp S).
  { rewrite <- !exp_plus. destruct (Req_dec (y + y + v) S) as [-> | Hne]; [lra |].
    left. apply exp_increasing. lra. }
  rewrite E1, Rpow_mult_distr. apply Rle_trans with (A ^ 2 * (1 + y) ^ 2 * (1.413 * x * (1 + v))).
  - apply Rmult_le_compat_l; [apply Rmult_le_pos; apply pow2_ge_0 | lra].
  - apply Rle_trans with (1.413 * x * A ^ 2 * (exp y * exp y * exp v)).
    + replace (A ^ 2 * (1 + y) ^ 2 * (1.413 * x * (1 + v)))
        with (1.413 * x * A ^ 2 * ((1 + y) ^ 2 * (1 + v))) by ring.
      apply Rmult_le_compat_l; [apply Rmult_le_pos; [lra | apply pow2_ge_0] |].
      apply Rmult_le_compat; [apply pow2_ge_0 | lra | exact H1 | exact H2].
    + apply Rmult_le_compat_l; [apply Rmult_le_pos; [lra | apply pow2_ge_0] | exact H3].
Qed.

(** The closed form against the rate. t^2 = T, m^2 = L, lam^2 = Lam, sg^2 = tau, q^2 = ln T, and
    big = ln(T / delta). *)
Lemma closed_form_numbers t m lam sg q big A B r :
  0 < t -> 0 < m -> 0 < lam -> 1 <= sg <= 8 -> 0 < q -> q ^ 2 <= big ->
  r * (m * sg) = 4 * t -> lam ^ 2 <= 1.63 * big -> m ^ 2 <= 0.8 * q ^ 2 ->
  5.27 <= A <= 5.2741 -> 0 <= B -> B ^ 2 * q ^ 2 <= 1.413 * m ^ 2 * A ^ 2 * sg ^ 2 ->
  4 * (3.4643 * (lam * t) + PI / (4 * r) * t ^ 2 + lam * m * r / 2 + PI / 8 * m ^ 2 * r
       + lam ^ 2 / PI * (r * B))
  <= 90 * (t / q) * big.
Proof.
  intros Ht Hm Hlam Hsg Hq Hbig Hr HLam HmL HA HB Hfar.
  pose proof PI_upper as PU. pose proof PI2_3_2 as PL. pose proof PI_RGT_0 as P0.
  assert (Hbig0 : 0 < big) by nra.
  set (X := t / q * big).
  (* the three pieces of the order X *)
  assert (Hsq : q * sqrt big <= big).
  { rewrite <- (sqrt_sqrt big) at 2 by lra. apply Rmult_le_compat_r; [apply sqrt_pos |].
    rewrite <- (sqrt_pow2 q) by lra. apply sqrt_le_1_alt. lra. }
  assert (Hlamq : lam * q <= 1.277 * big).
  { apply Rle_trans with (1.277 * (q * sqrt big)); [| lra].
    assert (lam <= 1.277 * sqrt big).
    { rewrite <- (sqrt_pow2 lam) by lra. rewrite <- (sqrt_pow2 1.277) by lra.
      rewrite <- sqrt_mult_alt by lra. apply sqrt_le_1_alt. lra. }
    nra. }
  assert (X1 : lam * t <= 1.277 * X).
  { unfold X. apply Rmult_le_reg_r with q; [exact Hq |].
    replace (1.277 * (t / q * big) * q) with (t * (1.277 * big)) by (field; lra).
    replace (lam * t * q) with (t * (lam * q)) by ring. apply Rmult_le_compat_l; lra. }
  assert (Hmq : m <= 0.8945 * q).
  { rewrite <- (sqrt_pow2 m), <- (sqrt_pow2 (0.8945 * q)) by lra. apply sqrt_le_1_alt.
    rewrite Rpow_mult_distr. assert (0 <= q ^ 2) by apply pow2_ge_0. lra. }
  assert (X2 : m * t <= 0.8945 * X).
  { unfold X. apply Rmult_le_reg_r with q; [exact Hq |].
    replace (0.8945 * (t / q * big) * q) with (t * (0.8945 * big)) by (field; lra).
    replace (m * t * q) with (t * (m * q)) by ring. apply Rmult_le_compat_l; [lra |].
    apply Rle_trans with (0.8945 * q * q); [apply Rmult_le_compat_r; lra |].
    replace (0.8945 * q * q) with (0.8945 * q ^ 2) by ring. lra. }
  assert (HBq : B * q <= 1.1888 * (m * A * sg)).
  { assert (Hmas : 0 <= m * A * sg) by (repeat apply Rmult_le_pos; lra).
    rewrite <- (sqrt_pow2 (B * q)) by (apply Rmult_le_pos; lra).
    rewrite <- (sqrt_pow2 (1.1888 * (m * A * sg))) by lra. apply sqrt_le_1_alt.
    assert (0 <= (m * A * sg) ^ 2) by apply pow2_ge_0.
    replace ((B * q) ^ 2) with (B ^ 2 * q ^ 2) by ring. apply Rle_trans with (1 := Hfar).
    replace (1.413 * m ^ 2 * A ^ 2 * sg ^ 2) with (1.413 * (m * A * sg) ^ 2) by ring.
    rewrite (Rpow_mult_distr 1.1888). lra. }
  assert (Hr0 : r = 4 * t / (m * sg)) by (rewrite <- Hr; field; lra).
  assert (X3 : lam ^ 2 * (r * B) <= 4 * 1.63 * 1.1888 * 5.2741 * X).
  { assert (HrB : r * B <= 4 * 1.1888 * 5.2741 * (t / q)).
    { apply Rmult_le_reg_r with (q * (m * sg)); [repeat apply Rmult_lt_0_compat; lra |].
      replace (r * B * (q * (m * sg))) with (4 * t * (B * q)) by (rewrite <- Hr; ring).
      replace (4 * 1.1888 * 5.2741 * (t / q) * (q * (m * sg))) with (4 * t * (1.1888 * 5.2741 * (m * sg)))
        by (field; lra).
      apply Rmult_le_compat_l; [lra |]. apply Rle_trans with (1 := HBq).
      assert (0 < m * sg) by (apply Rmult_lt_0_compat; lra).
      replace (1.1888 * (m * A * sg)) with (1.1888 * (m * sg) * A) by ring.
      replace (1.1888 * 5.2741 * (m * sg)) with (1.1888 * (m * sg) * 5.2741) by ring.
      apply Rmult_le_compat_l; lra. }
    assert (Hrp : 0 < r) by (rewrite Hr0; apply Rdiv_lt_0_compat; [lra | apply Rmult_lt_0_compat; lra]).
    apply Rle_trans with (1.63 * big * (4 * 1.1888 * 5.2741 * (t / q))).
    - apply Rmult_le_compat; [apply pow2_ge_0 | apply Rmult_le_pos; lra | exact HLam | exact HrB].
    - unfold X. right. ring. }
  assert (HX : 0 < X).
  { unfold X. apply Rmult_lt_0_compat; [apply Rdiv_lt_0_compat; lra | lra]. }
  (* the terms *)
  assert (E1 : PI / (4 * r) * t ^ 2 = PI / 16 * (m * t) * sg).
  { rewrite Hr0. field. repeat split; lra. }
  assert (E2 : lam * m * r / 2 = 2 * (lam * t) * / sg) by (rewrite Hr0; field; lra).
  assert (E3 : PI / 8 * m ^ 2 * r = PI / 2 * (m * t) * / sg) by (rewrite Hr0; field; lra).
  assert (Hinv : / sg <= 1) by (rewrite <- Rinv_1; apply Rinv_le_contravar; lra).
  assert (Hinv0 : 0 < / sg) by (apply Rinv_0_lt_compat; lra).
  assert (Hconv : sg / 16 + / sg / 2 <= 9 / 16).
  { apply Rmult_le_reg_r with (16 * sg); [lra |].
    replace ((sg / 16 + / sg / 2) * (16 * sg)) with (sg * sg + 8) by (field; lra). nra. }
  assert (Hlt : 0 < lam * t) by (apply Rmult_lt_0_compat; lra).
  assert (Hmt : 0 < m * t) by (apply Rmult_lt_0_compat; lra).
  assert (T2 : lam * m * r / 2 <= 2 * (lam * t)).
  { rewrite E2. rewrite <- (Rmult_1_r (2 * (lam * t))) at 2. apply Rmult_le_compat_l; lra. }
  assert (T13 : PI / (4 * r) * t ^ 2 + PI / 8 * m ^ 2 * r <= 1.7685 * (m * t)).
  { rewrite E1, E3. replace (PI / 16 * (m * t) * sg + PI / 2 * (m * t) * / sg)
      with (PI * (sg / 16 + / sg / 2) * (m * t)) by (field; lra).
    apply Rmult_le_compat_r; [lra |]. apply Rle_trans with (3.144 * (9 / 16)); [| lra].
    apply Rmult_le_compat; lra. }
  assert (T4 : lam ^ 2 / PI * (r * B) <= / 3 * (lam ^ 2 * (r * B))).
  { unfold Rdiv. rewrite (Rmult_comm (lam ^ 2) (/ PI)), Rmult_assoc. apply Rmult_le_compat_r.
    - apply Rmult_le_pos; [apply pow2_ge_0 |]. apply Rmult_le_pos; [| exact HB].
      rewrite Hr0. apply Rmult_le_pos; [lra |]. left. apply Rinv_0_lt_compat, Rmult_lt_0_compat; lra.
    - apply Rinv_le_contravar; lra. }
  replace (90 * (t / q) * big) with (90 * X) by (unfold X; ring). lra.
Qed.

(** ** The theorem *)

Lemma swap_regret_trivial l s h : class_L l -> swap_function s ->
  swap_regret l s midpoint h <= 2 * INR (length h).
Proof.
  intros [_ Hb] Hs. induction h as [| [i y] past IH]; [cbn; lra |].
  cbn [swap_regret length]. rewrite S_INR.
  pose proof (Hb (midpoint i) y (midpoint_unit i)).
  pose proof (Hb (s (midpoint i)) y (Hs _ (midpoint_unit i))). lra.
Qed.

Lemma swap_rate_form x delta : 1 < x -> swap_rate x delta = sqrt x / sqrt (ln x) * ln (x / delta).
Proof.
  intros Hx. unfold swap_rate. rewrite sqrt_div_alt by (apply ln_pos; exact Hx). reflexivity.
Qed.

Lemma swap_small delta x : 0 < delta <= 1 -> 2 <= x <= 19683 -> 2 * x <= 90 * swap_rate x delta.
Proof.
  intros Hd Hx. pose proof (few_rounds x Hx) as H. pose proof (ln_pos x ltac:(lra)) as Hl.
  rewrite swap_rate_form, ln_div by lra. assert (Hld : ln delta <= 0) by (apply ln_nonpos; lra).
  pose proof (sqrt_lt_R0 (ln x) Hl) as Hq. pose proof (sqrt_lt_R0 x ltac:(lra)) as Ht.
  assert (Htq : sqrt x <= 45 * sqrt (ln x)).
  { replace 45 with (sqrt 2025) by (replace 2025 with (45 * 45) by lra; apply sqrt_square; lra).
    rewrite <- sqrt_mult_alt by lra. apply sqrt_le_1_alt. exact H. }
  apply Rle_trans with (90 * (sqrt x / sqrt (ln x) * ln x)).
  - replace (90 * (sqrt x / sqrt (ln x) * ln x)) with (90 * (sqrt x * sqrt (ln x)))
      by (rewrite <- (sqrt_sqrt (ln x)) at 3 by lra; field; lra).
    rewrite <- (sqrt_sqrt x) at 1 by lra. nra.
  - apply Rmult_le_compat_l; [lra |]. apply Rmult_le_compat_l; [left; now apply Rdiv_lt_0_compat | lra].
Qed.

Lemma swap_bounded delta h l s : 0 < delta <= 1 -> wealth_bounded delta h = true -> (2 <= length h)%nat ->
  class_L l -> swap_function s -> swap_regret l s midpoint h <= 90 * swap_rate (INR (length h)) delta.
Proof.
  intros Hd Hw HT2 Hl Hs. set (T := INR (length h)).
  assert (HT2' : 2 <= T) by (replace 2 with (INR 2) by (cbn; lra); apply le_INR; exact HT2).
  destruct (Rle_dec T 19683) as [Hsmall | Hbig].
  { apply Rle_trans with (1 := swap_regret_trivial l s h Hl Hs). fold T. apply swap_small; [exact Hd | lra]. }
  pose proof (wealth_bounded_played _ _ Hw) as Hh.
  destruct (last_level_exists _ HT2) as (L' & HL1 & HL2). set (L := S L') in *.
  assert (HL7 : (7 <= L)%nat).
  { destruct (Nat.le_gt_cases 7 L) as [H7 | H7]; [exact H7 | exfalso].
    pose proof (capacity_mono L (6 - L)) as Hm. replace (L + (6 - L))%nat with 6%nat in Hm by lia.
    assert (H6 : (length h <= capacity 6)%nat) by lia. apply le_INR in H6. fold T in H6.
    unfold L in *. rewrite capacity_S in H6. cbn in H6. lra. }
  assert (HLR : 7 <= INR L) by (replace 7 with (INR 7) by (cbn; lra); apply le_INR; exact HL7).
  assert (HcL' : INR (capacity L') = INR L * (2 ^ L * 2 ^ L) / 16).
  { unfold L. destruct L' as [| k]; [unfold L in HL7; lia |]. rewrite capacity_S, !S_INR.
    change (2 ^ S (S k)) with (2 * (2 * 2 ^ k)). field. }
  assert (HcL : INR (capacity L) <= 2 * INR L * (2 ^ L * 2 ^ L) / 4).
  { unfold L. rewrite capacity_S, S_INR. change (2 ^ S L') with (2 * 2 ^ L'). pose proof (pow2_pos L') as Hp.
    assert (0 < 2 ^ L' * 2 ^ L') by now apply Rmult_lt_0_compat. pose proof (pos_INR L'). nra. }
  pose proof (pow2_pos L) as Hr. set (r := 2 ^ L) in *. set (x := INR L) in *.
  assert (Hr2 : 0 < r * r) by now apply Rmult_lt_0_compat.
  assert (Hxr : 0 < x * (r * r)) by (apply Rmult_lt_0_compat; lra).
  apply lt_INR in HL1 as HL1R. apply le_INR in HL2 as HL2R. fold T in HL1R, HL2R. rewrite HcL' in HL1R.
  set (tau := 16 * T / (x * (r * r))).
  assert (ET : T = tau * (x * (r * r) / 16)) by (unfold tau; field; split; lra).
  assert (Htau : 1 <= tau <= 8).
  { unfold tau. split; apply Rmult_le_reg_r with (x * (r * r)); try exact Hxr;
      unfold Rdiv; rewrite Rmult_assoc, Rinv_l by lra; lra. }
  set (Lam := node_budget L (length h) delta).
  pose proof ln_2_bounds as L2. pose proof (ln_pos T ltac:(lra)) as HlnT.
  assert (HlnT1 : 9.873 <= ln T).
  { apply Rle_trans with (1 := ln_19683). apply ln_le; lra. }
  assert (Hld : ln delta <= 0) by (apply ln_nonpos; lra).
  assert (Hlr : ln r = x * ln 2).
  { unfold r, x. rewrite <- Rpower_pow by lra. apply ln_exp. }
  assert (ElnT : ln T = ln tau + (ln x + 2 * x * ln 2 - 4 * ln 2)).
  { rewrite ET at 1. rewrite (ln_mult tau), (ln_div _ 16), (ln_mult x), (ln_mult r), Hlr by lra.
    replace 16 with (2 * 2 * 2 * 2) by lra. rewrite !ln_mult by lra. ring. }
  assert (Hlntau : 0 <= ln tau) by (apply ln_nonneg; lra).
  destruct (level_upper x (ln T) (ln tau) HLR Hlntau ElnT) as [Hup Hlow].
  assert (ELam : Lam = ln T - ln delta + (4 * ln 2 + ln ((x + 1) * (x + 2)) - / 2 * ln x) - / 2 * ln tau).
  { unfold Lam, node_budget. fold r x T.
    rewrite ln_div, (ln_mult (2 * r)), (ln_mult 2 r), (ln_mult 4), ln_4, Hlr by nra.
    lra. }
  pose proof (budget_rest L (ln T) HL7 HlnT1 ltac:(fold x; lra)) as Hrest. fold x in Hrest.
  assert (HLamU : Lam <= 1.63 * ln (T / delta)) by (rewrite ln_div by lra; lra).
  assert (HLam0 : 0 < Lam).
  { unfold Lam, node_budget. fold r x T.
    assert (0 < ln (4 * T)) by (apply ln_pos; lra).
    assert (0 <= ln (2 * r * ((x + 1) * (x + 2)) / delta)); [| lra].
    apply ln_nonneg. assert (1 <= r) by (apply pow_R1_Rle; lra).
    assert (1 <= 2 * r * ((x + 1) * (x + 2))) by nra.
    apply Rmult_le_reg_r with delta; [lra |]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. nra. }
  set (Phi := 3.4643 * (sqrt Lam * sqrt T) + PI / (4 * r) * T + sqrt Lam * sqrt x * r / 2 + PI / 8 * x * r
              + Lam / PI * (r * (5 / 2 + 2 * ln 4 + 2 * ln tau))).
  apply Rle_trans with (4 * Phi).
  - apply (swap_regret_le_excess l s h (S L + length h) Phi Hl Hs Hh ltac:(lia)).
    intros a b Ha Hab Hb. apply (excess_closed_form h Lam L tau a b Hh ltac:(lia)); try assumption; try lra.
    + replace (L - 1)%nat with L' by (unfold L; lia). split; assumption.
    + intros i Hi Hli Hn. now apply node_within_budget.
  - assert (HT0 : 0 <= T) by lra. assert (Hx0 : 0 <= x) by lra.
    assert (Sq : forall y, 0 <= y -> sqrt y ^ 2 = y).
    { intros y Hy. replace (sqrt y ^ 2) with (sqrt y * sqrt y) by ring. now apply sqrt_sqrt. }
    pose proof (closed_form_numbers (sqrt T) (sqrt x) (sqrt Lam) (sqrt tau) (sqrt (ln T)) (ln (T / delta))
      (5 / 2 + 2 * ln 4) (5 / 2 + 2 * ln 4 + 2 * ln tau) r) as H.
    rewrite !Sq in H by lra. rewrite swap_rate_form by lra. rewrite <- Rmult_assoc. unfold Phi.
    apply H; clear H.
    + apply sqrt_lt_R0; lra.
    + apply sqrt_lt_R0; lra.
    + apply sqrt_lt_R0; lra.
    + split; [rewrite <- sqrt_1; apply sqrt_le_1_alt; lra |].
      apply Rle_trans with (sqrt (8 * 8)); [apply sqrt_le_1_alt; lra | rewrite sqrt_square; lra].
    + apply sqrt_lt_R0; lra.
    + rewrite ln_div by lra. lra.
    + rewrite <- sqrt_mult_alt by lra.
      replace (x * tau) with (4 * 4 * T / (r * r)) by (unfold tau; field; lra).
      rewrite sqrt_div_alt, sqrt_mult_alt, !sqrt_square by lra. field. lra.
    + exact HLamU.
    + exact Hup.
    + rewrite ln_4. lra.
    + rewrite ln_4. lra.
    + pose proof (far_factor (5 / 2 + 2 * ln 4) x (ln T) (ln tau)) as H.
      rewrite exp_ln in H by lra. apply H; try lra. rewrite ln_4. lra.
Qed.

(** For every adversary and every delta in (0, 1], with probability at least 1 - delta, at all times t with
    2 <= t <= T at once, for every proper loss with values in [-1, 1] and every swap function, the swap
    regret is at most 90 sqrt(t / ln t) ln(t / delta). For delta >= 1/t this is at most 180 sqrt(t ln t).
    The forecaster knows neither T nor delta nor the loss. *)
Theorem tree_swap A T delta : proper_adversary A -> 0 < delta <= 1 ->
  holds_with_probability tree A T (1 - delta)
    (at_all_times (fun h => (2 <= length h)%nat -> forall l s, class_L l -> swap_function s ->
       swap_regret l s midpoint h <= 90 * swap_rate (INR (length h)) delta)).
Proof.
  intros HA Hd. exists (always (wealth_bounded delta)).
  split; [apply tree_wealth_bounded; [exact HA | lra] |].
  apply always_at_all_times. intros h Hw HT l s Hl Hs. now apply swap_bounded.
Qed.

(** The same as a rate in t alone, for delta >= 1/t. *)
Lemma swap_rate_le x delta : 1 < x -> / x <= delta -> swap_rate x delta <= 2 * sqrt (x * ln x).
Proof.
  intros Hx Hd. pose proof (ln_pos x Hx) as Hl. assert (Hx0 : 0 < / x) by (apply Rinv_0_lt_compat; lra).
  assert (Hd2 : ln (x / delta) <= 2 * ln x).
  { rewrite ln_div by lra. apply ln_le in Hd; [| exact Hx0]. rewrite ln_Rinv in Hd by lra. lra. }
  rewrite swap_rate_form, sqrt_mult_alt by lra. pose proof (sqrt_lt_R0 (ln x) Hl) as Hq.
  apply Rle_trans with (sqrt x / sqrt (ln x) * (2 * ln x)).
  - apply Rmult_le_compat_l; [| exact Hd2]. left. apply Rdiv_lt_0_compat; [apply sqrt_lt_R0; lra | exact Hq].
  - right. rewrite <- (sqrt_sqrt (ln x)) at 2 by lra. field. lra.
Qed.

(** What is at most 90 [swap_rate] whenever the capital is below 1/delta, for every delta, is bounded in the
    mean: take delta = 1/(1 + capital). *)
Lemma tree_mean A T f : proper_adversary A -> (2 <= T)%nat ->
  (forall delta h, 0 < delta <= 1 -> wealth_bounded delta h = true -> (2 <= length h)%nat ->
     f h <= 90 * swap_rate (INR (length h)) delta) ->
  expect tree A T f [] <= 90 * sqrt (INR T / ln (INR T)) * (ln (INR T) + ln 2).
Proof.
  intros HA HT Hf. set (c := 90 * sqrt (INR T / ln (INR T))).
  assert (Hc : 0 <= c) by (unfold c; pose proof (sqrt_pos (INR T / ln (INR T))); lra).
  assert (HT2 : 2 <= INR T) by (replace 2 with (INR 2) by (cbn; lra); apply le_INR; exact HT).
  apply Rle_trans with (expect tree A T (fun h => c * (ln (INR T) + ln 2 - / 2) * 1 + c / 2 * capital h) []).
  - apply (expect_le_possible tree A tree_is_proper HA _ played_invariant); [reflexivity |].
    intros h Hh Hlen. cbn [length] in Hlen. rewrite Nat.add_0_r in Hlen.
    pose proof (capital_pos h Hh) as Hp. set (delta := / (1 + capital h)).
    assert (Hd : 0 < delta <= 1).
    { unfold delta. split; [apply Rinv_0_lt_compat; lra |]. rewrite <- Rinv_1. apply Rinv_le_contravar; lra. }
    assert (Hw : wealth_bounded delta h = true).
    { unfold wealth_bounded. rewrite andb_true_iff, less_true. split; [exact Hh |].
      unfold delta. rewrite Rinv_inv. lra. }
    rewrite <- Hlen in HT.
    pose proof (Hf delta h Hd Hw HT) as H. rewrite Hlen in H.
    apply Rle_trans with (1 := H). unfold swap_rate. rewrite <- Rmult_assoc. fold c.
    rewrite ln_div by lra. unfold delta. rewrite ln_Rinv by lra.
    pose proof (ln_tangent (1 + capital h) 2 ltac:(lra) ltac:(lra)) as Ht.
    replace (c * (ln (INR T) + ln 2 - / 2) * 1 + c / 2 * capital h)
      with (c * (ln (INR T) + (ln 2 + (1 + capital h) / 2 - 1))) by field.
    apply Rmult_le_compat_l; [exact Hc | lra].
  - rewrite (expect_linear tree A T (c * (ln (INR T) + ln 2 - / 2)) (fun _ => 1) (c / 2) capital []).
    rewrite (expect_const tree A tree_is_proper).
    rewrite (martingale_mean tree A tree_is_proper HA _ played_invariant capital T []
      capital_is_a_martingale eq_refl).
    rewrite capital_start. right. field.
Qed.

(** For every adversary and every T >= 2: the mean of the largest swap regret over all proper losses with
    values in [-1, 1] is at most 90 sqrt(T / ln T) (ln T + ln 2). The loss and the swap function may be
    chosen after the play. *)
Theorem tree_swap_expectation A T (l : history -> loss_function) (s : history -> R -> R) :
  proper_adversary A -> (2 <= T)%nat -> (forall h, class_L (l h)) -> (forall h, swap_function (s h)) ->
  expect tree A T (fun h => swap_regret (l h) (s h) midpoint h) []
  <= 90 * sqrt (INR T / ln (INR T)) * (ln (INR T) + ln 2).
Proof.
  intros HA HT Hl Hs. apply tree_mean; try assumption. intros delta h Hd Hw HT2. now apply swap_bounded.
Qed.

(** Everything on one event. For every adversary and every delta in (0, 1], with probability at least
    1 - delta, at all times t with 2 <= t <= T at once: KL-calibration and the swap regret of the log loss are
    at most the bound of Theorem E, and the swap regrets of all proper losses with values
    in [-1, 1] are at most 90 sqrt(t / ln t) ln(t / delta). *)
Theorem tree_both_rates A T delta : proper_adversary A -> 0 < delta <= 1 ->
  holds_with_probability tree A T (1 - delta)
    (at_all_times (fun h => (2 <= length h)%nat ->
       tree_KLCal h <= tree_bound (length h) delta /\
       (forall s, (forall p, inside p -> inside (s p)) ->
          swap_regret loss s midpoint h <= tree_bound (length h) delta) /\
       (forall l s, class_L l -> swap_function s ->
          swap_regret l s midpoint h <= 90 * swap_rate (INR (length h)) delta))).
Proof.
  intros HA Hd. exists (always (wealth_bounded delta)).
  split; [apply tree_wealth_bounded; [exact HA | lra] |].
  apply always_at_all_times. intros h Hw HT. unfold tree_bound. pose proof (wealth_bounded_played _ _ Hw) as Hh.
  pose proof (tree_KLCal_bounded delta h ltac:(lra) Hw) as H1. pose proof (cost_le_rate h Hh HT) as H2.
  split; [lra |]. split; [| intros l s Hl Hs; now apply swap_bounded].
  intros s Hs. pose proof (log_swap_regret_le_tree_KLCal h s Hh Hs). lra.
Qed.
