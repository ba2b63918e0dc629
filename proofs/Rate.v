(** * The rate of Theorem 2: PKLCal <= 3.7 T^(1/3) (ln T)^(2/3) for the paper's choice of K, for all T >= 2.

    Let x = (T/ln T)^(1/3) and g = T^(1/3) (ln T)^(2/3), so that g = x ln T and T = g x^2. The grid has
    K = max(2, ceiling x) cells. As ln sec u / u^2 increases, the cost 2 ln sec(pi/2K) of rounding is at most
    9 ln (4/3) / K^2, with equality at K = 3. The logarithm in the first term is at most
    ln (T/x) = (2/3) ln T + (1/3) ln ln T <= 0.7935 ln T. For K >= 3 and v = x/K, between 2/3 and 1, the bound
    of Theorem 2 divided by g is therefore at most (4/3) 0.7935 / v + 9 ln (4/3) v^2 <= 3.7. If x <= 2, then
    K = 2, and 3/x + (3/16) x^2 does. *)

From Coq Require Import Reals ZArith Arith Lia Lra Psatz.
From KLCal Require Import Definitions Basics KT Lemma5 Theorem2 Realised.
Open Scope R_scope.

(** ** The cost of rounding *)

Lemma derivable_pt_lim_tan x : 0 < cos x -> derivable_pt_lim tan x (/ cos x ^ 2).
Proof.
  intros Hc. replace (/ cos x ^ 2) with ((cos x * cos x - - sin x * sin x) / Rsqr (cos x)).
  - apply (derivable_pt_lim_div sin cos); [apply derivable_pt_lim_sin|apply derivable_pt_lim_cos|lra].
  - pose proof (sin2_cos2 x) as H. unfold Rsqr in *.
    replace (cos x * cos x - - sin x * sin x) with 1 by lra. field. lra.
Qed.

(** The tangent lies below its chords from 0. *)
Lemma tan_chord a l : 0 < a < PI / 2 -> 0 < l < 1 -> tan (l * a) <= l * tan a.
Proof.
  intros Ha Hl. assert (Hla : 0 < l * a < a) by nra.
  assert (Hd : forall c, 0 <= c <= a -> derivable_pt_lim tan c (/ cos c ^ 2)).
  { intros c Hc. apply derivable_pt_lim_tan, cos_gt_0; lra. }
  destruct (MVT_cor2 tan (fun c => / cos c ^ 2) 0 (l * a) ltac:(lra)) as (c1 & H1 & Hc1).
  { intros c Hc. apply Hd. lra. }
  destruct (MVT_cor2 tan (fun c => / cos c ^ 2) (l * a) a ltac:(lra)) as (c2 & H2 & Hc2).
  { intros c Hc. apply Hd. lra. }
  rewrite tan_0 in H1.
  assert (Hsec : / cos c1 ^ 2 <= / cos c2 ^ 2).
  { assert (0 < cos c2) by (apply cos_gt_0; lra).
    apply Rinv_le_contravar; [now apply pow_lt|]. apply pow_incr. split; [lra|]. apply cos_decr_1; lra. }
  assert (H3 : l * a * (1 - l) * / cos c1 ^ 2 <= l * a * (1 - l) * / cos c2 ^ 2).
  { apply Rmult_le_compat_l; [|assumption]. left. apply Rmult_lt_0_compat; lra. }
  nra.
Qed.

(** ln sec (l a) <= l^2 ln sec a for 0 < l < 1: the difference has the derivative l (l tan a - tan (l a)). *)
Lemma ln_sec_chord a l : 0 < a < PI / 2 -> 0 < l < 1 -> ln (/ cos (l * a)) <= l ^ 2 * ln (/ cos a).
Proof.
  intros Ha Hl.
  assert (Hcos : forall c, 0 <= c <= a -> 0 < cos c) by (intros; apply cos_gt_0; lra).
  assert (Hcosl : forall c, 0 <= c <= a -> 0 < cos (l * c)) by (intros c Hc; apply Hcos; nra).
  destruct (MVT_cor2 (fun c => ln (cos (l * c)) - l ^ 2 * ln (cos c))
    (fun c => / cos (l * c) * (- sin (l * c) * (l * 1)) - l ^ 2 * (/ cos c * - sin c)) 0 a ltac:(lra))
    as (c & H & Hc).
  { intros c Hc. apply (derivable_pt_lim_minus (fun c => ln (cos (l * c))) (fun c => l ^ 2 * ln (cos c))).
    - apply (derivable_pt_lim_comp (fun c => cos (l * c)) ln).
      + apply (derivable_pt_lim_comp (fun c => l * c) cos); [|apply derivable_pt_lim_cos].
        apply (derivable_pt_lim_scal id l c 1), derivable_pt_lim_id.
      + now apply derivable_pt_lim_ln, Hcosl.
    - apply (derivable_pt_lim_scal (fun c => ln (cos c))).
      apply (derivable_pt_lim_comp cos ln); [apply derivable_pt_lim_cos|].
      now apply derivable_pt_lim_ln, Hcos. }
  rewrite Rmult_0_r, cos_0, ln_1 in H.
  rewrite (ln_Rinv (cos (l * a))), (ln_Rinv (cos a)) by ((apply Hcosl + apply Hcos); lra).
  pose proof (tan_chord c l ltac:(lra) Hl) as Ht. unfold tan in Ht.
  assert (Hder : / cos (l * c) * (- sin (l * c) * (l * 1)) - l ^ 2 * (/ cos c * - sin c)
                 = l * (l * (sin c / cos c) - sin (l * c) / cos (l * c))).
  { pose proof (Hcos c ltac:(lra)). pose proof (Hcosl c ltac:(lra)). field. lra. }
  rewrite Hder in H.
  assert (0 <= l * (l * (sin c / cos c) - sin (l * c) / cos (l * c)) * (a - 0)).
  { apply Rmult_le_pos; [apply Rmult_le_pos|]; lra. }
  lra.
Qed.

Lemma two_ln_sec_PI6 : 2 * ln (/ cos (PI / 6)) = ln (4 / 3).
Proof.
  assert (Hc : 0 < cos (PI / 6)) by (pose proof PI_RGT_0; apply cos_gt_0; lra).
  rewrite <- ln_pow2 by now apply Rinv_0_lt_compat. f_equal.
  rewrite pow_inv, cos_PI6. replace ((sqrt 3 / 2) ^ 2) with (sqrt 3 * sqrt 3 / 4) by field.
  rewrite sqrt_sqrt by lra. field.
Qed.

(** In units of 1/K^2 rounding costs most at K = 3. *)
Lemma cost_le K : (3 <= K)%nat -> 2 * ln (/ cos (step K)) <= 9 * ln (4 / 3) / INR K ^ 2.
Proof.
  intros HK. pose proof PI_RGT_0. assert (Hk : 3 <= INR K) by (apply le_INR in HK; cbn in HK; lra).
  unfold step. replace (K =? 2)%nat with false by (symmetry; apply Nat.eqb_neq; lia).
  rewrite <- two_ln_sec_PI6. destruct (Nat.eq_dec K 3) as [->|Hne].
  - replace (INR 3) with 3 by (cbn; ring). replace (PI / (2 * 3)) with (PI / 6) by field. lra.
  - assert (H4 : 4 <= INR K) by (assert (H4 : (4 <= K)%nat) by lia; apply le_INR in H4; cbn in H4; lra).
    replace (PI / (2 * INR K)) with (3 / INR K * (PI / 6)) by (field; lra).
    eapply Rle_trans; [apply Rmult_le_compat_l; [lra|apply ln_sec_chord]|].
    + lra.
    + split; [apply Rdiv_lt_0_compat; lra|]. apply Rmult_lt_reg_r with (INR K); [lra|].
      replace (3 / INR K * INR K) with 3 by (field; lra). lra.
    + right. field. lra.
Qed.

Lemma ln_4_3 : ln (4 / 3) <= 7 / 24.
Proof. pose proof (ln_le_half_difference (4 / 3) ltac:(lra)). lra. Qed.

Lemma cost_2 : 2 * ln (/ cos (step 2)) <= 3 / 16.
Proof.
  pose proof PI_RGT_0. change (step 2) with (PI / 8). replace (PI / 8) with (3 / 4 * (PI / 6)) by field.
  pose proof (ln_sec_chord (PI / 6) (3 / 4) ltac:(lra) ltac:(lra)). pose proof two_ln_sec_PI6.
  pose proof ln_4_3. lra.
Qed.

Lemma ln_sec_step_nonneg K : (2 <= K)%nat -> 0 <= ln (/ cos (step K)).
Proof.
  intros HK. pose proof (cos_step_pos K HK). apply ln_nonneg. rewrite <- Rinv_1 at 1.
  apply Rinv_le_contravar; lra.
Qed.

(** ** The two ways to write the rate *)

Lemma ceiling_bounds x : 0 <= x -> x <= INR (ceiling x) < x + 1.
Proof.
  intros Hx. unfold ceiling. destruct (base_Int_part (- x)) as [H1 H2].
  rewrite INR_IZR_INZ, Z2Nat.id.
  - rewrite opp_IZR. lra.
  - apply le_IZR. rewrite opp_IZR. lra.
Qed.

(** e >= (17/16)^16 > 2.63, so ln u <= u / 2.63. *)
Lemma ln_le_fraction u : 0 < u -> ln u <= u / 2.63.
Proof.
  intros Hu.
  assert (He : 2.63 <= exp 1).
  { assert (Hpow : forall n, exp (INR n * / 16) = exp (/ 16) ^ n).
    { induction n as [|n IH]; [rewrite Rmult_0_l; apply exp_0|].
      rewrite S_INR, Rmult_plus_distr_r, Rmult_1_l, exp_plus, IH. cbn [pow]. ring. }
    replace 1 with (INR 16 * / 16) by (cbn; lra). rewrite Hpow.
    apply Rle_trans with ((17 / 16) ^ 16); [lra|]. apply pow_incr. pose proof (exp_ineq1_le (/ 16)). lra. }
  pose proof (ln_tangent u (exp 1) Hu (exp_pos 1)) as H. rewrite ln_exp in H.
  pose proof (div_le_compat u (exp 1) 2.63 Hu ltac:(lra)). lra.
Qed.

Section Rate.
Variable T : nat.
Hypothesis HT : (2 <= T)%nat.

Let x := Rpower (INR T / ln (INR T)) (1 / 3).
Let g := rate (INR T).

Let T_ge_2 : 2 <= INR T.
Proof. now apply INR_ge_2. Qed.

Lemma ln_T_pos : 0 < ln (INR T).
Proof using T_ge_2. rewrite <- ln_1. apply ln_increasing; lra. Qed.

Lemma ln_x : ln x = (ln (INR T) - ln (ln (INR T))) / 3.
Proof using T_ge_2. pose proof ln_T_pos. unfold x, Rpower. rewrite ln_exp, ln_div by lra. field. Qed.

Lemma x_ge_1 : 1 <= x.
Proof using T_ge_2.
  pose proof ln_x as H. pose proof (ln_le_minus_1 _ ln_T_pos) as H'.
  assert (Hx : 0 < x) by apply exp_pos.
  destruct (Rle_lt_dec 1 x) as [|Hlt]; [assumption|]. exfalso.
  pose proof (ln_increasing x 1 Hx Hlt) as Hneg. rewrite ln_1 in Hneg. lra.
Qed.

Lemma rate_is_x_ln_T : g = x * ln (INR T).
Proof using T_ge_2.
  pose proof ln_T_pos. unfold g, rate, x, Rpower. rewrite ln_div by lra.
  rewrite <- (exp_ln (ln (INR T))) at 5 by assumption. rewrite <- !exp_plus. f_equal. field.
Qed.

Lemma T_is_rate_x2 : INR T = g * x ^ 2.
Proof using T_ge_2.
  pose proof ln_T_pos. unfold g, rate, x, Rpower. rewrite ln_div by lra.
  rewrite <- (exp_ln (INR T)) at 1 by lra. rewrite <- Rsqr_pow2. unfold Rsqr.
  rewrite <- !exp_plus. f_equal. field.
Qed.

Lemma rate_pos : 0 < g.
Proof using T_ge_2.
  rewrite rate_is_x_ln_T. apply Rmult_lt_0_compat; [pose proof x_ge_1; lra|apply ln_T_pos].
Qed.

(** Two cells. *)
Lemma bound_two_cells :
  x <= 2 -> 3 * ln (1 + INR T / 3) + 2 * INR T * ln (/ cos (step 2)) <= 3.7 * g.
Proof using T_ge_2.
  intros Hx2. pose proof x_ge_1. pose proof rate_pos. pose proof ln_T_pos.
  assert (Hlog : ln (1 + INR T / 3) <= ln (INR T)) by (apply ln_le; lra).
  assert (Hlog' : 3 * ln (INR T) <= (3 - 3 / 2 * (x - 1)) * g).
  { rewrite rate_is_x_ln_T.
    assert (0 <= (x - 1) * (2 - x)) by (apply Rmult_le_pos; lra).
    assert (3 <= (3 - 3 / 2 * (x - 1)) * x) by nra. nra. }
  assert (Hcost : 2 * INR T * ln (/ cos (step 2)) <= 3 / 16 * x ^ 2 * g).
  { pose proof cost_2. pose proof T_is_rate_x2. nra. }
  assert (3 - 3 / 2 * (x - 1) + 3 / 16 * x ^ 2 <= 3.7) by nra. nra.
Qed.

(** At least three cells. *)
Lemma bound_more_cells K :
  (3 <= K)%nat -> x <= INR K < x + 1 ->
  INR (K + 1) * ln (1 + INR T / INR (K + 1)) + 2 * INR T * ln (/ cos (step K)) <= 3.7 * g.
Proof using T_ge_2.
  intros HK HKx. pose proof rate_pos as Hg. pose proof ln_T_pos as HL.
  pose proof rate_is_x_ln_T as Hg1. pose proof T_is_rate_x2 as Hg2.
  assert (Hk : 3 <= INR K) by (apply le_INR in HK; cbn in HK; lra).
  assert (Hx2 : 2 <= x) by lra.
  assert (HN : INR (K + 1) = INR K + 1) by (rewrite plus_INR; reflexivity).
  (* ln T is not small *)
  assert (HL1 : 3 / 4 <= ln (INR T)).
  { assert (HT4 : 4 <= INR T).
    { rewrite Hg1 in Hg2. pose proof (ln_ge_1_minus_inv 2 ltac:(lra)).
      pose proof (ln_le 2 (INR T) ltac:(lra) T_ge_2).
      assert (4 * 2 <= x ^ 2 * x) by nra. nra. }
    pose proof (ln_le 4 (INR T) ltac:(lra) HT4). pose proof (ln_ge_1_minus_inv 4 ltac:(lra)). lra. }
  (* the logarithm in the first term *)
  assert (Hlog : ln (1 + INR T / INR (K + 1)) <= 0.7935 * ln (INR T)).
  { apply Rle_trans with (ln (INR T / x)).
    - apply ln_le.
      + assert (0 < INR T / INR (K + 1)) by (apply Rdiv_lt_0_compat; lra). lra.
      + apply Rle_trans with (1 + INR T / (x + 1)).
        * apply Rplus_le_compat_l, div_le_compat; lra.
        * apply Rmult_le_reg_r with (x * (x + 1)); [nra|].
          replace ((1 + INR T / (x + 1)) * (x * (x + 1))) with (x * (x + 1) + INR T * x) by (field; lra).
          replace (INR T / x * (x * (x + 1))) with (INR T * x + INR T) by (field; lra).
          enough (x * (x + 1) <= INR T) by lra. rewrite Hg2, Hg1.
          assert (x * (x + 1) <= x * (x * x * (3 / 4))) by nra.
          assert (x * (x * x * (3 / 4)) <= x * (x * x * ln (INR T))) by (repeat apply Rmult_le_compat_l; nra).
          lra.
    - rewrite ln_div, ln_x by lra. pose proof (ln_le_fraction _ HL). lra. }
  (* the cost of rounding *)
  set (v := x / INR K).
  assert (Hxv : x = v * INR K) by (unfold v; field; lra).
  assert (Hv : 2 / 3 <= v <= 1).
  { split; apply Rmult_le_reg_r with (INR K); try lra; rewrite <- Hxv; lra. }
  assert (Hcost : 2 * INR T * ln (/ cos (step K)) <= 2.625 * v ^ 2 * g).
  { pose proof (cost_le K HK) as Hc. pose proof ln_4_3.
    apply Rle_trans with (INR T * (2.625 / INR K ^ 2)).
    - replace (2 * INR T * ln (/ cos (step K))) with (INR T * (2 * ln (/ cos (step K)))) by ring.
      apply Rmult_le_compat_l; [lra|]. eapply Rle_trans; [exact Hc|].
      apply Rmult_le_compat_r; [|lra]. left. apply Rinv_0_lt_compat, pow_lt. lra.
    - right. rewrite Hg2, Hxv. field. lra. }
  (* the first term: (K + 1) ln T <= (4/3) (1/v) g, and 1/v lies below its chord *)
  assert (Hfirst : INR (K + 1) * ln (1 + INR T / INR (K + 1)) <= 1.058 * (1 + 3 / 2 * (1 - v)) * g).
  { apply Rle_trans with (INR (K + 1) * (0.7935 * ln (INR T))); [apply Rmult_le_compat_l; lra|].
    assert (Hchord : 1 <= (1 + 3 / 2 * (1 - v)) * v) by nra.
    assert (Hsize : INR (K + 1) <= 4 / 3 * ((1 + 3 / 2 * (1 - v)) * x)).
    { rewrite HN, Hxv. nra. }
    rewrite Hg1. apply (Rmult_le_compat_r (0.7935 * ln (INR T))) in Hsize; [|lra]. lra. }
  assert (Hpoly : 1.058 * (1 + 3 / 2 * (1 - v)) + 2.625 * v ^ 2 <= 3.7) by nra.
  apply (Rmult_le_compat_r g) in Hpoly; [|lra]. lra.
Qed.

(** The sharp bound of Theorem 2 for the paper's K. *)
Theorem bound_by_rate :
  let K := resolution T in
  INR (K + 1) * ln (1 + INR T / INR (K + 1)) + 2 * INR T * ln (/ cos (step K)) <= 3.7 * rate (INR T).
Proof using HT T_ge_2.
  intros K. pose proof x_ge_1 as Hx. pose proof (ceiling_bounds x ltac:(lra)) as Hceil.
  assert (HKdef : K = Nat.max 2 (ceiling x)).
  { unfold K, resolution. replace (T <? 2)%nat with false by (symmetry; apply Nat.ltb_ge; lia). reflexivity. }
  destruct (Nat.le_gt_cases (ceiling x) 2) as [Hle|Hgt].
  - replace K with 2%nat by lia. replace (INR (2 + 1)) with 3 by (cbn; ring).
    apply bound_two_cells. apply le_INR in Hle. cbn in Hle. lra.
  - replace K with (ceiling x) by lia. now apply bound_more_cells.
Qed.

End Rate.

Lemma resolution_ge_2 T : (2 <= resolution T)%nat.
Proof. unfold resolution. destruct (T <? 2)%nat; lia. Qed.

(** Theorem 2 as the paper states it, with a constant. For every T >= 2 and every outcome sequence,
    Algorithm 1 with K = max(2, ceiling of (T/ln T)^(1/3)) has PKLCal <= 3.7 T^(1/3) (ln T)^(2/3) after T
    rounds. *)
Theorem theorem2_rate : forall T y, (2 <= T)%nat ->
  PKLCal (resolution T) (algorithm1 (resolution T) y) y T <= 3.7 * rate (INR T).
Proof.
  intros T y HT. eapply Rle_trans; [apply theorem2_sharp, resolution_ge_2|now apply bound_by_rate].
Qed.

(** With realised feedback the same holds for the mean of KLCal, against every adaptive adversary. *)
Theorem realised_feedback_rate : forall T A, (2 <= T)%nat -> proper_adversary A ->
  expect (realised (resolution T)) A T (KLCal (resolution T + 1) (grid (resolution T))) nil
  <= 3.7 * rate (INR T).
Proof.
  intros T A HT HA. eapply Rle_trans; [|now apply bound_by_rate].
  apply realised_feedback_sharp; [apply resolution_ge_2|assumption].
Qed.
