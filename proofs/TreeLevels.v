(** * The excess of a gap, added up over the levels

    Let N_{L-1} < T <= N_L; no node below level L is used. If n KL(rho, q) <= Lam for every node, q a point
    of its cell, the bounds of the levels 0, ..., L are added: square roots of counts by a line for the last
    three levels and by geometric sums for the others, harmonic sums by sums of 2^l (1 + ln (T / N_{l-1})). *)

From Coq Require Import Reals Lra Psatz Lia List Arith Bool.
From KLCal Require Import Definitions Basics LossDefinitions KT Numbers Ville.
From KLCal Require Import TreeDefinitions TreeBasics TreeMartingale TreeKL TreeCounts TreeRate.
From KLCal Require Import TreeLoss TreeLevel.
Import ListNotations.
Local Open Scope R_scope.

(** ** The levels that T rounds can reach *)

Lemma capacity_mono l d : (capacity l <= capacity (l + d))%nat.
Proof.
  induction d as [| d IH]; [rewrite Nat.add_0_r; lia |].
  apply Nat.le_trans with (1 := IH). replace (l + S d)%nat with (S (l + d)) by lia.
  destruct (l + d)%nat as [| k]; [cbn; lia |]. cbn [capacity]. rewrite (Nat.pow_succ_r' 4 k). nia.
Qed.

Lemma last_level_exists T : (2 <= T)%nat -> exists L, (capacity L < T <= capacity (S L))%nat.
Proof.
  intros HT.
  assert (H : forall n, (T <= capacity n)%nat -> exists L, (capacity L < T <= capacity (S L))%nat).
  { induction n as [| n IH]; intros Hn; [cbn in Hn; lia |].
    destruct (Nat.le_gt_cases T (capacity n)) as [Hle | Hgt]; [exact (IH Hle) | exists n; lia]. }
  apply (H T). pose proof (capacity_ge T). lia.
Qed.

Lemma count_two h i j : i <> j -> (count h i + count h j <= length h)%nat.
Proof.
  intros Hij. induction h as [| [k y] past IH]; cbn [count length]; [lia |].
  destruct (Nat.eqb_spec k i), (Nat.eqb_spec k j); lia.
Qed.

Lemma level_of_parent i : (2 <= i)%nat -> level i = S (level (i / 2)) /\ (1 <= i / 2 < i)%nat.
Proof.
  intros Hi. pose proof (Nat.div_mod i 2 ltac:(lia)) as E.
  pose proof (Nat.mod_upper_bound i 2 ltac:(lia)) as Hm.
  assert (Hp : (1 <= i / 2 < i)%nat) by lia. split; [| exact Hp].
  destruct (i mod 2)%nat as [| [| m]]; [| | lia].
  - replace i with (2 * (i / 2))%nat at 1 by lia. apply level_left. lia.
  - replace i with (2 * (i / 2) + 1)%nat at 1 by lia. apply level_right. lia.
Qed.

Lemma deep_node_unused h i L : played h = true -> (length h <= capacity L)%nat -> (L < level i)%nat ->
  count h i = 0%nat.
Proof.
  intros Hh HT Hl. destruct (Nat.eq_dec (count h i) 0) as [E | Hc]; [exact E | exfalso].
  destruct (used_level h i Hh ltac:(lia)) as [Hi _].
  destruct (Nat.eq_dec i 1) as [-> | Hi1]; [cbn in Hl; lia |].
  destruct (level_of_parent i ltac:(lia)) as [Hp Hlt].
  destruct (used_parent_full h i Hh ltac:(lia)) as [E | Hf]; [lia |].
  unfold full in Hf. apply Nat.leb_le in Hf. pose proof (count_two h i (i / 2) ltac:(lia)).
  pose proof (capacity_mono L (level (i / 2) - L)) as Hm.
  replace (L + (level (i / 2) - L))%nat with (level (i / 2)) in Hm by lia. lia.
Qed.

(** ** The bound for every node, on the event *)

Definition node_budget (L T : nat) (delta : R) : R :=
  ln (2 * 2 ^ L * ((INR L + 1) * (INR L + 2)) / delta) + / 2 * ln (4 * INR T).

Lemma node_within_budget delta h L i : 0 < delta -> wealth_bounded delta h = true -> (1 <= i)%nat ->
  (level i <= L)%nat -> (0 < count h i)%nat ->
  INR (count h i) * KL (frequency_of h i) (clipped_mean h i) <= node_budget L (length h) delta.
Proof.
  intros Hd Hw Hi Hl Hn. apply Rle_trans with (1 := node_cell h i Hn). unfold node_budget.
  pose proof (lt_0_INR _ Hn) as Hn0. pose proof (wealth_pos h i) as Wp.
  assert (HT : (count h i <= length h)%nat) by (pose proof (count_two h i (S i) ltac:(lia)); lia).
  apply le_INR in HT.
  assert (H1 : ln (4 * INR (count h i)) <= ln (4 * INR (length h))) by (apply ln_le; lra).
  pose proof (wealth_bounded_node delta h i Hw Hi) as H2. unfold prior in H2.
  pose proof (pos_INR (level i)) as Hl0. pose proof (pow2_pos (level i)) as Hp.
  set (P := 2 ^ level i * (INR (level i) + 1) * (INR (level i) + 2)) in *.
  assert (HP : 0 < P) by (unfold P; repeat apply Rmult_lt_0_compat; lra).
  assert (HPL : P <= 2 ^ L * ((INR L + 1) * (INR L + 2))).
  { unfold P. apply le_INR in Hl as HlR. rewrite Rmult_assoc.
    apply Rmult_le_compat; [lra | | apply Rle_pow; [lra | exact Hl] |].
    - apply Rmult_le_pos; lra.
    - apply Rmult_le_compat; lra. }
  assert (H3 : wealth h i < 2 * P / delta).
  { apply Rmult_lt_reg_l with (/ P); [now apply Rinv_0_lt_compat |].
    replace (/ P * (2 * P / delta)) with (2 / delta) by (field; lra). exact H2. }
  assert (H4 : ln (wealth h i) <= ln (2 * 2 ^ L * ((INR L + 1) * (INR L + 2)) / delta)).
  { apply ln_le; [exact Wp |]. apply Rle_trans with (2 * P / delta); [lra |].
    apply Rmult_le_compat_r; [left; now apply Rinv_0_lt_compat | lra]. }
  lra.
Qed.

(** ** Sums over the levels *)

Lemma sqrt_mean x y : 0 <= x -> 0 <= y -> sqrt (x * y) <= (x + y) / 2.
Proof.
  intros Hx Hy. rewrite <- (sqrt_pow2 ((x + y) / 2)) by lra. apply sqrt_le_1_alt.
  assert (0 <= (x - y) ^ 2) by apply pow2_ge_0. lra.
Qed.

(** Rounds per parent: the number of used nodes of level l is at most 2 share_l. *)
Definition share (T : R) (l : nat) : R := match l with O => 1 | S k => T / INR (capacity k) end.

Lemma used_row_share h l : played h = true -> row l (is_used h) <= 2 * share (INR (length h)) l.
Proof.
  intros Hh. destruct l as [| k]; cbn [share].
  - unfold row. cbn [Nat.pow sum]. unfold is_used. destruct (count h (1 + 0) =? 0)%nat; lra.
  - apply Rle_trans with (1 := used_row_le h k Hh). apply Rmult_le_compat_l; [lra |].
    assert (HN : 0 < INR (capacity k)) by (apply lt_0_INR; pose proof (capacity_pos k); lia).
    apply Rmult_le_reg_l with (INR (capacity k)); [exact HN |].
    replace (INR (capacity k) * (INR (length h) / INR (capacity k))) with (INR (length h)) by (field; lra).
    pose proof (full_rounds h (S k + length h) Hh ltac:(lia)) as H.
    apply Rle_trans with (2 := H).
    apply (sum_term_le (S k + length h) (fun l => INR (capacity l) * row l (is_full h)) k); [| lia].
    intros l _. apply Rmult_le_pos; [apply pos_INR | apply full_row_nonneg].
Qed.

Section Levels.
  Variables (h : history) (Lam s : R) (L : nat).
  Hypothesis Hh : played h = true.
  Hypothesis HL2 : (2 <= L)%nat.
  Hypothesis HL : (capacity (L - 1) < length h <= capacity L)%nat.
  Hypothesis Lam_pos : 0 < Lam.
  Hypothesis s_pos : 0 < s.
  Hypothesis budget : forall i, (1 <= i)%nat -> (level i <= L)%nat -> (0 < count h i)%nat ->
    INR (count h i) * KL (frequency_of h i) (clipped_mean h i) <= Lam.

  Let T := INR (length h).

  (** The square roots sqrt(Lam n), by a line for the three last levels, by the capacity for the others. *)
  Definition near_share (l : nat) : R :=
    if (l <? L - 2)%nat then sqrt (Lam * INR (capacity l)) else Lam / (2 * s).

  Definition own_share (l : nat) : R :=
    near_share l + (if (l <? L)%nat then INR (capacity l) * width l / 2 else 0).

  Lemma near_share_nonneg l : 0 <= near_share l.
  Proof using Lam_pos s_pos.
    unfold near_share. destruct (l <? L - 2)%nat; [apply sqrt_pos |]. left. apply Rdiv_lt_0_compat; lra.
  Qed.

  Lemma near_share_bound l n : 0 <= n <= INR (capacity l) -> sqrt (Lam * n) <= s / 2 * n + near_share l.
  Proof using Lam_pos s_pos.
    intros Hn. unfold near_share. destruct (l <? L - 2)%nat.
    - assert (0 <= s / 2 * n) by (apply Rmult_le_pos; lra).
      assert (sqrt (Lam * n) <= sqrt (Lam * INR (capacity l))); [| lra].
      apply sqrt_le_1_alt, Rmult_le_compat_l; lra.
    - assert (H1 : 0 <= Lam / s) by (left; apply Rdiv_lt_0_compat; lra).
      assert (H2 : 0 <= s * n) by (apply Rmult_le_pos; lra).
      pose proof (sqrt_mean (Lam / s) (s * n) H1 H2) as H.
      replace (Lam / s * (s * n)) with (Lam * n) in H by (field; lra).
      replace (Lam / (2 * s)) with (Lam / s / 2) by (field; lra). lra.
  Qed.

  Lemma share_ge_1 l : (l <= L)%nat -> 1 <= share T l.
  Proof using HL HL2.
    intros Hl. destruct l as [| k]; cbn [share]; [lra |].
    assert (HN : 0 < INR (capacity k)) by (apply lt_0_INR; pose proof (capacity_pos k); lia).
    assert (Hk : INR (capacity k) <= T).
    { apply le_INR. pose proof (capacity_mono k (L - 1 - k)) as Hm.
      replace (k + (L - 1 - k))%nat with (L - 1)%nat in Hm by lia. lia. }
    apply Rmult_le_reg_r with (INR (capacity k)); [exact HN |]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra.
  Qed.

  Lemma one_level l a b : (l <= L)%nat -> 0 <= a -> a <= b -> b <= 1 ->
    row l (fun i => INR (count h i) * gap_excess (midpoint i) (frequency_of h i) a b)
    <= (s + width L) / 2 * row l (fun i => INR (count h i)) + 2 * own_share l + 2 * near_share l
       + Lam / (4 * width l) * (2 + 2 * ln (share T l)).
  Proof using Hh HL HL2 Lam_pos s_pos budget.
    intros Hl Ha Hab Hb. pose proof (width_pos L) as HwL. pose proof (width_pos l) as Hwl.
    apply (level_excess h Lam l Hh (Rlt_le _ _ Lam_pos)); try assumption.
    - intros i Hi H1 Hn. apply budget; [exact H1 | lia | exact Hn].
    - lra.
    - apply near_share_nonneg.
    - now apply share_ge_1.
    - intros n Hn. pose proof (near_share_bound l n Hn).
      assert (0 <= width L / 2 * n) by (apply Rmult_le_pos; lra). lra.
    - intros n Hn. pose proof (near_share_bound l n Hn). unfold own_share.
      destruct (Nat.ltb_spec l L) as [Hlt | Hge].
      + assert (n * width l / 2 <= INR (capacity l) * width l / 2).
        { apply Rmult_le_compat_r; [lra |]. apply Rmult_le_compat_r; lra. }
        assert (0 <= width L / 2 * n) by (apply Rmult_le_pos; lra). lra.
      + replace l with L in * by lia. lra.
    - now apply used_row_share.
  Qed.

  Lemma deep_row l a b : (L < l)%nat ->
    row l (fun i => INR (count h i) * gap_excess (midpoint i) (frequency_of h i) a b) = 0.
  Proof using Hh HL HL2.
    intros Hl. apply sum_zero. intros j Hj.
    rewrite (deep_node_unused h (2 ^ l + j) L Hh) by (rewrite ?level_of_row by exact Hj; lia). cbn [INR].
    ring.
  Qed.

  Lemma excess_by_levels a b : 0 <= a -> a <= b -> b <= 1 ->
    excess h (S L + length h) a b
    <= (s + width L) / 2 * T + sum (S L) (fun l => 2 * own_share l + 2 * near_share l)
       + sum (S L) (fun l => Lam / (2 * width l) * (1 + ln (share T l))).
  Proof using Hh HL HL2 Lam_pos s_pos budget.
    intros Ha Hab Hb. unfold excess. rewrite sum_by_rows, (count_zero_index h Hh). cbn [INR].
    rewrite Rmult_0_l, Rplus_0_l, sum_split, (sum_zero (length h)), Rplus_0_r.
    2: { intros k _. apply deep_row. lia. }
    apply Rle_trans with (sum (S L) (fun l => (s + width L) / 2 * row l (fun i => INR (count h i))
      + (2 * own_share l + 2 * near_share l) + Lam / (2 * width l) * (1 + ln (share T l)))).
    - apply sum_le. intros l Hl. pose proof (one_level l a b ltac:(lia) Ha Hab Hb) as H.
      pose proof (width_pos l).
      replace (Lam / (2 * width l) * (1 + ln (share T l)))
        with (Lam / (4 * width l) * (2 + 2 * ln (share T l))) by (field; lra). lra.
    - rewrite !sum_plus. apply Rplus_le_compat_r, Rplus_le_compat_r. rewrite sum_scal.
      apply Rmult_le_compat_l; [pose proof (width_pos L); lra |].
      unfold T. rewrite <- (sum_counts h (S L + length h) Hh ltac:(lia)), sum_by_rows,
        (count_zero_index h Hh).
      cbn [INR]. rewrite Rplus_0_l. apply sum_extend; [lia |].
      intros l. apply sum_nonneg. intros. apply pos_INR.
  Qed.
End Levels.

(** ** The values of the sums *)

Lemma capacity_S k : INR (capacity (S k)) = (INR k + 2) * (2 ^ k * 2 ^ k).
Proof.
  cbn [capacity]. rewrite mult_INR, pow_INR, plus_INR, S_INR. replace (INR 4) with 4 by (cbn; lra).
  change (INR 1) with 1. replace (4 ^ k) with (2 ^ k * 2 ^ k) by (rewrite <- Rpow_mult_distr; f_equal; lra).
  ring.
Qed.

Lemma sum_sqrt_capacity L m : (S m <= L)%nat ->
  sum (S m) (fun l => sqrt (INR (capacity l))) <= sqrt (INR L) * 2 ^ m.
Proof.
  induction m as [| m IH]; intros Hm.
  - cbn [sum capacity INR]. rewrite sqrt_1. apply (le_INR 1) in Hm. cbn [INR] in Hm.
    assert (1 <= sqrt (INR L)) by (rewrite <- sqrt_1; apply sqrt_le_1_alt; lra). cbn [pow]. lra.
  - specialize (IH ltac:(lia)).
    change (sum (S (S m)) (fun l => sqrt (INR (capacity l))))
      with (sum (S m) (fun l => sqrt (INR (capacity l))) + sqrt (INR (capacity (S m)))).
    assert (H : sqrt (INR (capacity (S m))) <= sqrt (INR L) * 2 ^ m).
    { rewrite capacity_S, sqrt_mult_alt by (pose proof (pos_INR m); lra).
      rewrite sqrt_square by (left; apply pow2_pos).
      apply Rmult_le_compat_r; [left; apply pow2_pos |]. apply sqrt_le_1_alt.
      apply le_INR in Hm. rewrite !S_INR in Hm. lra. }
    change (2 ^ S m) with (2 * 2 ^ m). lra.
Qed.

Lemma sum_capacity_width L m : (2 <= L)%nat -> (S m <= L)%nat ->
  sum (S m) (fun l => INR (capacity l) * width l) <= PI / 4 * INR L * 2 ^ m.
Proof.
  intros HL. pose proof PI_RGT_0 as HPI. apply le_INR in HL. cbn [INR] in HL.
  induction m as [| m IH]; intros Hm.
  - cbn [sum capacity INR pow]. unfold width. replace (2 ^ (0 + 1)) with 2 by (cbn; lra).
    assert (PI / 4 * 2 <= PI / 4 * INR L) by (apply Rmult_le_compat_l; lra). lra.
  - specialize (IH ltac:(lia)).
    change (sum (S (S m)) (fun l => INR (capacity l) * width l))
      with (sum (S m) (fun l => INR (capacity l) * width l) + INR (capacity (S m)) * width (S m)).
    assert (H : INR (capacity (S m)) * width (S m) <= PI / 4 * INR L * 2 ^ m).
    { rewrite capacity_S. unfold width. replace (S m + 1)%nat with (S (S m)) by lia.
      change (2 ^ S (S m)) with (2 * (2 * 2 ^ m)). pose proof (pow2_pos m) as Hp.
      replace ((INR m + 2) * (2 ^ m * 2 ^ m) * (PI / (2 * (2 * 2 ^ m)))) with (PI / 4 * (INR m + 2) * 2 ^ m)
        by (field; lra).
      apply Rmult_le_compat_r; [lra |]. apply Rmult_le_compat_l; [lra |].
      apply le_INR in Hm. rewrite !S_INR in Hm. lra. }
    change (2 ^ S m) with (2 * 2 ^ m). lra.
Qed.

Lemma sum_pow2 L : sum (S L) (fun l => 2 ^ l) <= 2 * 2 ^ L.
Proof.
  induction L as [| L IH]; [cbn; lra |].
  change (sum (S (S L)) (fun l => 2 ^ l)) with (sum (S L) (fun l => 2 ^ l) + 2 ^ S L).
  change (2 ^ S L) with (2 * 2 ^ L). lra.
Qed.

Lemma sum_pow2_gap L : sum (S L) (fun l => 2 ^ l * (INR L - INR l)) <= 2 * 2 ^ L.
Proof.
  induction L as [| L IH]; [cbn; lra |].
  change (sum (S (S L)) (fun l => 2 ^ l * (INR (S L) - INR l)))
    with (sum (S L) (fun l => 2 ^ l * (INR (S L) - INR l)) + 2 ^ S L * (INR (S L) - INR (S L))).
  rewrite (sum_ext (S L) _ (fun l => 2 ^ l * (INR L - INR l) + 2 ^ l)) by (intros; rewrite S_INR; ring).
  rewrite (sum_plus (S L) (fun l => 2 ^ l * (INR L - INR l)) (fun l => 2 ^ l)).
  pose proof (sum_pow2 L). change (2 ^ S L) with (2 * 2 ^ L). lra.
Qed.

(** The sum of 2^l ln (L/l) over l = 1, ..., L, for L >= 4. *)
Lemma sum_pow2_ln L : (4 <= L)%nat -> sum L (fun k => 2 ^ S k * (ln (INR L) - ln (INR (S k)))) <= 2 ^ L / 2.
Proof.
  intros HL. induction HL as [| L HL IH].
  - cbn [sum]. replace (INR 1) with 1 by reflexivity. replace (INR 2) with 2 by (cbn; lra).
    replace (INR 3) with 3 by (cbn; lra). replace (INR 4) with 4 by (cbn; lra). rewrite ln_1, ln_4.
    assert (E : ln (4 / 3) = 2 * ln 2 - ln 3) by (rewrite ln_div, ln_4 by lra; reflexivity).
    pose proof (ln_le_half_difference (4 / 3) ltac:(lra)). pose proof ln_2_bounds. lra.
  - assert (HLR : 4 <= INR L) by (replace 4 with (INR 4) by (cbn; lra); apply le_INR; exact HL).
    change (sum (S L) (fun k => 2 ^ S k * (ln (INR (S L)) - ln (INR (S k)))))
      with (sum L (fun k => 2 ^ S k * (ln (INR (S L)) - ln (INR (S k))))
        + 2 ^ S L * (ln (INR (S L)) - ln (INR (S L)))).
    set (d := ln (INR (S L)) - ln (INR L)).
    rewrite (sum_ext L _ (fun k => 2 ^ S k * (ln (INR L) - ln (INR (S k))) + 2 * d * 2 ^ k)).
    2: { intros k _. unfold d. change (2 ^ S k) with (2 * 2 ^ k). ring. }
    rewrite (sum_plus L (fun k => 2 ^ S k * (ln (INR L) - ln (INR (S k)))) (fun k => 2 * d * 2 ^ k)).
    rewrite (sum_scal L (2 * d) (fun k => 2 ^ k)).
    assert (Hd : 0 <= d <= / INR L).
    { unfold d. rewrite S_INR. split.
      - assert (ln (INR L) <= ln (INR L + 1)) by (apply ln_le; lra). lra.
      - pose proof (ln_tangent (INR L + 1) (INR L) ltac:(lra) ltac:(lra)) as H.
        replace ((INR L + 1) / INR L) with (1 + / INR L) in H by (field; lra). lra. }
    assert (Hi : / INR L <= / 4) by (apply Rinv_le_contravar; lra).
    assert (Hs : sum L (fun k => 2 ^ k) <= 2 ^ L).
    { destruct L as [| L']; [cbn; lra |]. pose proof (sum_pow2 L'). change (2 ^ S L') with (2 * 2 ^ L').
      lra. }
    assert (0 <= sum L (fun k => 2 ^ k)) by (apply sum_nonneg; intros; left; apply pow2_pos).
    assert (2 * d * sum L (fun k => 2 ^ k) <= / 2 * 2 ^ L) by (apply Rmult_le_compat; lra).
    change (2 ^ S L) with (2 * 2 ^ L). lra.
Qed.

(** With tau = 16 T / (L 4^L), the share of level l = 1, ..., L is at most tau 4^(L-l) L / l. *)
Lemma ln_share_le T L k tau : (k < L)%nat -> 0 < T -> T = tau * (INR L * (2 ^ L * 2 ^ L) / 16) -> 0 < tau ->
  ln (share T (S k)) <= ln tau + (INR L - INR (S k)) * ln 4 + (ln (INR L) - ln (INR (S k))).
Proof.
  intros Hk HT ET Htau. cbn [share].
  assert (HL : 0 < INR L) by (apply lt_0_INR; lia). assert (Hk0 : 0 < INR (S k)) by (apply lt_0_INR; lia).
  assert (HN : INR (S k) * (2 ^ S k * 2 ^ S k) / 16 <= INR (capacity k)).
  { destruct k as [| k']; [cbn; lra |]. rewrite capacity_S, !S_INR.
    change (2 ^ S (S k')) with (2 * (2 * 2 ^ k')).
    right. field. }
  pose proof (pow2_pos L) as PL. pose proof (pow2_pos (S k)) as Pk.
  assert (Pk2 : 0 < 2 ^ S k * 2 ^ S k) by now apply Rmult_lt_0_compat.
  assert (PL2 : 0 < 2 ^ L * 2 ^ L) by now apply Rmult_lt_0_compat.
  assert (Pk3 : 0 < INR (S k) * (2 ^ S k * 2 ^ S k)) by now apply Rmult_lt_0_compat.
  assert (PL3 : 0 < INR L * (2 ^ L * 2 ^ L)) by now apply Rmult_lt_0_compat.
  rewrite ln_div by lra. apply ln_le in HN; [| lra].
  rewrite (ln_div _ 16), (ln_mult (INR (S k))), (ln_mult (2 ^ S k)), (ln_pow 2) in HN by (assumption || lra).
  assert (E : ln T = ln tau + (ln (INR L) + (INR L * ln 2 + INR L * ln 2) - ln 16)).
  { rewrite ET, (ln_mult tau), (ln_div _ 16), (ln_mult (INR L)), (ln_mult (2 ^ L)), (ln_pow 2)
      by (assumption || lra).
    reflexivity. }
  rewrite E, ln_4. lra.
Qed.

Lemma sum_far_levels T L tau : (4 <= L)%nat -> 0 < T -> T = tau * (INR L * (2 ^ L * 2 ^ L) / 16) ->
  1 <= tau ->
  sum (S L) (fun l => 2 ^ l * (1 + ln (share T l))) <= 2 ^ L * (5 / 2 + 2 * ln 4 + 2 * ln tau).
Proof.
  intros HL HT ET Htau. pose proof (ln_nonneg tau Htau) as Lt.
  assert (L4 : 0 <= ln 4) by (apply ln_nonneg; lra).
  rewrite sum_first. change (share T 0) with 1. rewrite ln_1, pow_O.
  apply Rle_trans with (1 + sum L (fun k => (1 + ln tau) * 2 ^ S k + ln 4 * (2 ^ S k * (INR L - INR (S k)))
    + 2 ^ S k * (ln (INR L) - ln (INR (S k))))).
  - rewrite Rmult_1_l, Rplus_0_r. apply Rplus_le_compat_l. apply sum_le. intros k Hk.
    pose proof (ln_share_le T L k tau Hk HT ET ltac:(lra)) as H.
    apply (Rmult_le_compat_l (2 ^ S k)) in H; [| left; apply pow2_pos]. lra.
  - rewrite !sum_plus, (sum_scal L (1 + ln tau) (fun k => 2 ^ S k)), sum_scal.
    pose proof (sum_pow2_ln L HL) as H1.
    pose proof (sum_pow2 L) as H2. rewrite sum_first, pow_O in H2.
    pose proof (sum_pow2_gap L) as H3. rewrite sum_first, pow_O in H3.
    set (A1 := sum L (fun k => 2 ^ S k)) in *.
    set (A2 := sum L (fun k => 2 ^ S k * (INR L - INR (S k)))) in *.
    assert (0 <= INR L) by apply pos_INR. change (INR 0) with 0 in H3.
    assert ((1 + ln tau) * A1 <= (1 + ln tau) * (2 * 2 ^ L - 1)) by (apply Rmult_le_compat_l; lra).
    assert (ln 4 * A2 <= ln 4 * (2 * 2 ^ L)) by (apply Rmult_le_compat_l; lra). lra.
Qed.
