(** * The rate of Theorem 2: at most 3.56 T^(1/3) (ln T)^(2/3) for the paper's choice of K, for all T >= 2.

    Let L = ln T, x = (T/L)^(1/3) and g = T^(1/3) L^(2/3), so that g = x L, T = g x^2 and 3 ln x = L - ln L. The grid
    has K = max(2, ceiling x) cells. As ln sec u / u^2 increases, the cost 2 K^2 ln sec(pi/2K) of rounding decreases:
    it is 9 ln (4/3) at K = 3 and at most 2.5445 for K >= 4. For K >= 4 the logarithm in the first term is at most
    ln (T/x) = (2/3) L + (1/3) ln L <= 0.7753 L, as L >= 4.85; with v = x/K the bound of Theorem 2 divided by g is at
    most (5/4) 0.7753 / v + 2.5445 v^2. For K = 3 it is at most 4 (1 - (ln 4 - 4/T)/L) / x + ln (4/3) x^2, and
    L <= 4.8827. If x <= 2, then K = 2, and 3/x + (3/16) x^2 does. *)

From Coq Require Import Reals ZArith Arith Lia Lra Psatz.
From KLCal Require Import Definitions Bounds Basics KT Numbers Lemma5 Theorem2 Realised.
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

(** In units of 1/K^2 the cost falls. *)
Lemma ln_sec_from J K : (2 <= J <= K)%nat ->
  ln (/ cos (PI / (2 * INR K))) <= (INR J / INR K) ^ 2 * ln (/ cos (PI / (2 * INR J))).
Proof.
  intros [HJ HJK]. pose proof PI_RGT_0. pose proof (INR_ge_2 J HJ) as Hj.
  destruct (Nat.eq_dec J K) as [<- | Hne].
  - right. replace (INR J / INR J) with 1 by (field; lra). ring.
  - assert (Hk : INR J < INR K) by (apply lt_INR; lia).
    replace (PI / (2 * INR K)) with (INR J / INR K * (PI / (2 * INR J))) by (field; lra).
    apply ln_sec_chord.
    + split; [apply Rdiv_lt_0_compat; lra|]. replace (PI / 2) with (PI / (2 * 1)) by field.
      apply Rmult_lt_compat_l; [lra|]. apply Rinv_lt_contravar; lra.
    + split; [apply Rdiv_lt_0_compat; lra|]. apply Rmult_lt_reg_r with (INR K); [lra|].
      replace (INR J / INR K * INR K) with (INR J) by (field; lra). lra.
Qed.

Lemma cost_4 K : (4 <= K)%nat -> 2 * ln (/ cos (PI / (2 * INR K))) <= 2.5445 / INR K ^ 2.
Proof.
  intros HK. assert (Hk : 4 <= INR K) by (apply le_INR in HK; cbn in HK; lra).
  pose proof (ln_sec_from 4 K ltac:(lia)) as H. replace (INR 4) with 4 in H by (cbn; ring).
  enough (H8 : 32 * ln (/ cos (PI / (2 * 4))) <= 2.5445).
  { apply Rle_trans with (32 * ln (/ cos (PI / (2 * 4))) / INR K ^ 2).
    - apply (Rmult_le_compat_l 2) in H; [|lra]. apply Rle_trans with (1 := H). right. field. lra.
    - apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat, pow_lt; lra | exact H8]. }
  (* cos^2 (pi/8) = (2 + sqrt 2)/4 *)
  set (u := / cos (PI / (2 * 4)) ^ 2). pose proof PI_RGT_0.
  assert (Hc : 0 < cos (PI / (2 * 4))) by (apply cos_gt_0; lra).
  assert (Hu : / u = (1 + / sqrt 2) / 2).
  { unfold u. rewrite Rinv_inv. pose proof (cos_2a_cos (PI / (2 * 4))) as E.
    replace (2 * (PI / (2 * 4))) with (PI / 4) in E by field. rewrite cos_PI4 in E. unfold Rdiv in E. lra. }
  assert (Hroot : 0.7071 <= / sqrt 2 <= 0.7072).
  { pose proof (sqrt_lt_R0 2 ltac:(lra)) as H2. pose proof (sqrt_sqrt 2 ltac:(lra)).
    split; apply Rmult_le_reg_r with (sqrt 2); try lra; rewrite Rinv_l by lra; nra. }
  assert (Hpos : 0 < u) by (apply Rinv_0_lt_compat, pow_lt; lra).
  assert (Hu1 : u * / u = 1) by (apply Rinv_r; lra).
  assert (Hle : 1 <= u <= 1.1716) by (split; nra).
  pose proof (ln_le_half_difference u ltac:(lra)) as Hln.
  assert (E : ln u = 2 * ln (/ cos (PI / (2 * 4)))).
  { rewrite <- ln_pow2 by now apply Rinv_0_lt_compat. unfold u. f_equal. now rewrite pow_inv. }
  lra.
Qed.

Lemma cost_2 : 2 * ln (/ cos (step 2)) <= 3 / 16.
Proof.
  pose proof PI_RGT_0. change (step 2) with (PI / 8). replace (PI / 8) with (3 / 4 * (PI / 6)) by field.
  pose proof (ln_sec_chord (PI / 6) (3 / 4) ltac:(lra) ltac:(lra)). pose proof two_ln_sec_PI6.
  pose proof ln_4_3. lra.
Qed.

Lemma ln_sec_step_nonneg K : (2 <= K)%nat -> 0 <= ln (/ cos (step K)).
Proof. intros HK. now apply ln_inv_nonneg, cos_step_pos. Qed.

(** ** The two ways to write the rate *)

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
  x <= 2 -> 3 * ln (1 + INR T / 3) + 2 * INR T * ln (/ cos (step 2)) <= 3.56 * g.
Proof using T_ge_2.
  intros Hx2. pose proof x_ge_1. pose proof rate_pos. pose proof ln_T_pos.
  assert (Hlog : ln (1 + INR T / 3) <= ln (INR T)) by (apply ln_le; lra).
  assert (Hlog' : 3 * ln (INR T) <= (3 - 3 / 2 * (x - 1)) * g).
  { rewrite rate_is_x_ln_T.
    assert (0 <= (x - 1) * (2 - x)) by (apply Rmult_le_pos; lra).
    assert (3 <= (3 - 3 / 2 * (x - 1)) * x) by nra. nra. }
  assert (Hcost : 2 * INR T * ln (/ cos (step 2)) <= 3 / 16 * x ^ 2 * g).
  { pose proof cost_2. pose proof T_is_rate_x2. nra. }
  assert (3 - 3 / 2 * (x - 1) + 3 / 16 * x ^ 2 <= 3.56) by nra. nra.
Qed.

(** x - ln x increases, so a lower bound for x is one for ln T. *)
Lemma ln_T_ge b y : 1 <= b -> 2 <= y <= x -> b - ln b < 3 * ln y -> b <= ln (INR T).
Proof using T_ge_2.
  intros Hb Hy Hlt. pose proof ln_x as Hx. pose proof (ln_le y x ltac:(lra) ltac:(lra)) as Hyx.
  pose proof (ln_le 2 y ltac:(lra) ltac:(lra)) as H2y. pose proof (ln_le 2 (INR T) ltac:(lra) T_ge_2) as HL.
  pose proof ln_2_bounds as H2. set (L := ln (INR T)) in *.
  assert (HL1 : 1 <= L).
  { destruct (Rle_lt_dec 1 L) as [|H1]; [assumption|]. exfalso. pose proof (ln_ge_1_minus_inv L ltac:(lra)).
    assert (/ L <= / 0.693) by (apply Rinv_le_contravar; lra). lra. }
  destruct (Rle_lt_dec b L) as [|Hlb]; [assumption|]. exfalso.
  pose proof (ln_tangent b L ltac:(lra) ltac:(lra)) as Ht.
  assert (b / L - 1 <= b - L); [|lra].
  apply Rmult_le_reg_r with L; [lra|]. replace ((b / L - 1) * L) with (b - L) by (field; lra). nra.
Qed.

Lemma ln_T_three : 2 <= x -> 3.2 <= ln (INR T).
Proof using T_ge_2.
  intros Hx. apply (ln_T_ge 3.2 2); try lra.
  replace 3.2 with (2 * 2 * 2 * 2 / 5) at 2 by lra. rewrite ln_div, !ln_mult by lra. pose proof ln_2_3_5. lra.
Qed.

Lemma ln_T_four : 3 <= x -> 4.85 <= ln (INR T) /\ ln (ln (INR T)) <= 0.3258 * ln (INR T).
Proof using T_ge_2.
  intros Hx. assert (HL : 4.85 <= ln (INR T)).
  { apply (ln_T_ge 4.85 3); try lra. pose proof (ln_le 4.8 4.85 ltac:(lra) ltac:(lra)) as H.
    replace 4.8 with (2 * 2 * 2 * 3 / 5) in H by lra. rewrite ln_div, !ln_mult in H by lra.
    pose proof ln_2_3_5. lra. }
  split; [exact HL|]. pose proof (ln_tangent (ln (INR T)) 5 ltac:(lra) ltac:(lra)). pose proof ln_5_bounds. lra.
Qed.

(** At least four cells. *)
Lemma bound_four_cells K :
  (4 <= K)%nat -> x <= INR K < x + 1 ->
  theorem2_sharp_bound K T <= 3.56 * g.
Proof using T_ge_2.
  intros HK HKx. unfold theorem2_sharp_bound. pose proof rate_pos as Hg. pose proof rate_is_x_ln_T as Hg1.
  pose proof T_is_rate_x2 as Hg2.
  assert (Hk : 4 <= INR K) by (apply le_INR in HK; cbn in HK; lra).
  assert (Hx3 : 3 <= x) by lra. destruct (ln_T_four Hx3) as [HL HlnL].
  assert (HN : INR (K + 1) = INR K + 1) by (rewrite plus_INR; reflexivity).
  (* the logarithm in the first term *)
  assert (Hlog : ln (1 + INR T / INR (K + 1)) <= 0.7753 * ln (INR T)).
  { apply Rle_trans with (ln (INR T / x)); [|rewrite ln_div, ln_x by lra; lra].
    apply ln_le; [assert (0 < INR T / INR (K + 1)) by (apply Rdiv_lt_0_compat; lra); lra|].
    apply Rle_trans with (1 + INR T / (x + 1)); [apply Rplus_le_compat_l, div_le_compat; lra|].
    apply Rmult_le_reg_r with (x * (x + 1)); [nra|].
    replace ((1 + INR T / (x + 1)) * (x * (x + 1))) with (x * (x + 1) + INR T * x) by (field; lra).
    replace (INR T / x * (x * (x + 1))) with (INR T * x + INR T) by (field; lra).
    enough (x * (x + 1) <= INR T) by lra. rewrite Hg2, Hg1.
    replace (x * ln (INR T) * x ^ 2) with (x * (x * (x * ln (INR T)))) by ring.
    apply Rmult_le_compat_l; [lra|]. apply Rle_trans with (x * 4); [lra|]. apply Rmult_le_compat_l; nra. }
  (* the cost of rounding *)
  set (v := x / INR K).
  assert (Hxv : x = v * INR K) by (unfold v; field; lra).
  assert (Hv : 3 / 4 <= v <= 1).
  { split; apply Rmult_le_reg_r with (INR K); try lra; rewrite <- Hxv; lra. }
  assert (Hcost : 2 * INR T * ln (/ cos (step K)) <= 2.5445 * v ^ 2 * g).
  { pose proof (cost_4 K HK) as Hc. unfold step. replace (K =? 2)%nat with false by (symmetry; apply Nat.eqb_neq; lia).
    apply (Rmult_le_compat_l (INR T)) in Hc; [|lra].
    replace (2.5445 * v ^ 2 * g) with (INR T * (2.5445 / INR K ^ 2)) by (rewrite Hg2, Hxv; field; lra). lra. }
  (* the first term: (K + 1) L <= (5/4) (1/v) g, and 1/v lies below its chord *)
  assert (Hfirst : INR (K + 1) * ln (1 + INR T / INR (K + 1)) <= 0.9692 * (1 + 4 / 3 * (1 - v)) * g).
  { apply Rle_trans with (INR (K + 1) * (0.7753 * ln (INR T))); [apply Rmult_le_compat_l; lra|].
    assert (Hchord : 1 <= (1 + 4 / 3 * (1 - v)) * v) by nra.
    assert (Hsize : INR (K + 1) <= 5 / 4 * ((1 + 4 / 3 * (1 - v)) * x)) by (rewrite HN, Hxv; nra).
    rewrite Hg1. apply (Rmult_le_compat_r (0.7753 * ln (INR T))) in Hsize; [|lra].
    assert (0 <= (1 + 4 / 3 * (1 - v)) * x * ln (INR T)) by (repeat apply Rmult_le_pos; lra). lra. }
  assert (Hpoly : 0.9692 * (1 + 4 / 3 * (1 - v)) + 2.5445 * v ^ 2 <= 3.56) by nra.
  apply (Rmult_le_compat_r g) in Hpoly; lra.
Qed.

(** Three cells. *)
Lemma bound_three_cells :
  2 <= x <= 3 -> 4 * ln (1 + INR T / 4) + 2 * INR T * ln (/ cos (step 3)) <= 3.56 * g.
Proof using T_ge_2.
  intros Hx. pose proof rate_pos as Hg. pose proof rate_is_x_ln_T as Hg1. pose proof T_is_rate_x2 as Hg2.
  pose proof (ln_T_three (proj1 Hx)) as HL. pose proof ln_2_3_5 as Hn.
  assert (HU : ln (INR T) <= 4.8827).
  { pose proof ln_x. pose proof (ln_le x 3 ltac:(lra) ltac:(lra)).
    pose proof (ln_tangent (ln (INR T)) 5 ltac:(lra) ltac:(lra)). lra. }
  set (L := ln (INR T)) in *. set (p := / x).
  assert (Hp : p * x = 1) by (apply Rinv_l; lra).
  assert (Hp1 : / 3 <= p <= / 2) by (split; apply Rinv_le_contravar; lra).
  (* the logarithm *)
  assert (Hlog : ln (1 + INR T / 4) <= L - 1.386 + 5 / 4 * p ^ 3).
  { pose proof (ln_tangent (1 + INR T / 4) (INR T / 4) ltac:(lra) ltac:(lra)) as Ht.
    replace (ln (INR T / 4)) with (L - 2 * ln 2) in Ht by (rewrite ln_div, ln_4 by lra; reflexivity).
    replace ((1 + INR T / 4) / (INR T / 4)) with (1 + 4 / INR T) in Ht by (field; lra).
    enough (4 / INR T <= 5 / 4 * p ^ 3) by lra.
    apply Rle_trans with (4 / (16 / 5 * x ^ 3)); [|right; unfold p; field; lra]. apply div_le_compat; [lra|].
    rewrite Hg2, Hg1. assert (0 < x ^ 3) by (apply pow_lt; lra).
    split; [lra|]. replace (x * L * x ^ 2) with (L * x ^ 3) by ring. apply Rmult_le_compat_r; lra. }
  assert (Hp3 : 0 <= p ^ 3 <= / 8) by (split; [apply pow_le; lra|]; replace (/ 8) with ((/ 2) ^ 3) by lra;
    apply pow_incr; lra).
  assert (Hline : L - 1.386 + 5 / 4 * p ^ 3 <= L * (0.71615 + 0.2561 * p ^ 3)).
  { assert (H : 0 <= (1.386 - 5 / 4 * p ^ 3) * (4.8827 - L)) by (apply Rmult_le_pos; lra).
    assert (0 <= L * p ^ 3) by (apply Rmult_le_pos; lra). nra. }
  assert (Hp4 : p ^ 4 <= 65 / 216 * p - 57 / 648).
  { assert (0 <= (p - / 3) * (/ 2 - p) * (p ^ 2 + 5 / 6 * p + 57 / 108)) by (repeat apply Rmult_le_pos; nra). nra. }
  assert (HgL : L = g * p) by (rewrite Hg1; replace (x * L * p) with (L * (p * x)) by ring; rewrite Hp; ring).
  assert (Hfirst : 4 * ln (1 + INR T / 4) <= (2.8646 * p + 1.0244 * (65 / 216 * p - 57 / 648)) * g).
  { apply Rle_trans with (4 * (L * (0.71615 + 0.2561 * p ^ 3))); [lra|]. rewrite HgL at 1.
    replace (4 * (g * p * (0.71615 + 0.2561 * p ^ 3))) with ((2.8646 * p + 1.0244 * p ^ 4) * g) by lra.
    apply Rmult_le_compat_r; lra. }
  (* rounding *)
  assert (Hcost : 2 * INR T * ln (/ cos (step 3)) <= 0.2878 * x ^ 2 * g).
  { pose proof two_ln_sec_PI6 as H6. pose proof ln_4_3 as H43. change (step 3) with (PI / (2 * INR 3)).
    replace (PI / (2 * INR 3)) with (PI / 6) by (cbn; field). rewrite <- H6 in H43.
    apply (Rmult_le_compat_l (INR T)) in H43; [|lra]. rewrite Hg2 in *. lra. }
  assert (Hp6 : p <= 5 / 6 - x / 6).
  { apply Rmult_le_reg_r with x; [lra|]. rewrite Hp. nra. }
  assert (Hpoly : 2.8646 * p + 1.0244 * (65 / 216 * p - 57 / 648) + 0.2878 * x ^ 2 <= 3.56) by nra.
  apply (Rmult_le_compat_r g) in Hpoly; lra.
Qed.

(** The sharp bound of Theorem 2 for the paper's K. *)
Theorem bound_by_rate_sharp :
  let K := resolution T in
  theorem2_sharp_bound K T <= 3.56 * rate (INR T).
Proof using HT T_ge_2.
  intros K. unfold theorem2_sharp_bound. pose proof x_ge_1 as Hx. pose proof (ceiling_bounds x ltac:(lra)) as Hceil.
  assert (HKdef : K = Nat.max 2 (ceiling x)).
  { unfold K, resolution. replace (T <? 2)%nat with false by (symmetry; apply Nat.ltb_ge; lia). reflexivity. }
  destruct (Nat.le_gt_cases (ceiling x) 2) as [Hle|Hgt]; [|destruct (Nat.eq_dec (ceiling x) 3) as [E3|Hne]].
  - replace K with 2%nat by lia. replace (INR (2 + 1)) with 3 by (cbn; ring).
    apply bound_two_cells. apply le_INR in Hle. cbn in Hle. lra.
  - rewrite E3 in Hceil. replace K with 3%nat by lia. replace (INR (3 + 1)) with 4 by (cbn; ring).
    apply bound_three_cells. cbn in Hceil. lra.
  - replace K with (ceiling x) by lia. apply bound_four_cells; [lia|assumption].
Qed.

Theorem bound_by_rate :
  let K := resolution T in
  theorem2_sharp_bound K T <= 3.7 * rate (INR T).
Proof using HT T_ge_2.
  intros K. pose proof bound_by_rate_sharp as H. pose proof rate_pos as Hg. cbv zeta in H. fold K in H.
  unfold g in Hg. lra.
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
