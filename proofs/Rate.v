(** * The rate of Theorem 2: PKLCal <= 5 T^(1/3) (ln T)^(2/3) for the paper's choice of K.

    Let x = (T/ln T)^(1/3) and g = T^(1/3) (ln T)^(2/3), so that g = x ln T and T = g x^2. The grid has
    K = max(2, ceiling x) cells. Since tan is convex, tan^2(pi/2K) <= 3/K^2, with equality at K = 3; so
    rounding costs at most 3g. The logarithmic term is at most (x + 2) ln T = (1 + 2/x) g <= 2g if x >= 2. For
    x < 2 the grid has K = 2 cells, and the sum is at most 3g + (3/4)g. *)

From Coq Require Import Reals ZArith Arith Lia Lra Psatz.
From KLCal Require Import Definitions Basics Lemma5 Theorem2 Realised.
Open Scope R_scope.

(** ** Definitions *)

(** T^(1/3) (ln T)^(2/3). *)
Definition rate (T : nat) : R := Rpower (INR T) (1 / 3) * Rpower (ln (INR T)) (2 / 3).

Definition ceiling (x : R) : nat := Z.to_nat (- Int_part (- x)).

(** The paper's (T/ln T)^(1/3), made an integer, at least 2. *)
Definition resolution (T : nat) : nat :=
  if (T <? 2)%nat then 2%nat else Nat.max 2 (ceiling (Rpower (INR T / ln (INR T)) (1 / 3))).

(** ** The tangent lies below its chords from 0 *)

Lemma derivable_pt_lim_tan x : 0 < cos x -> derivable_pt_lim tan x (/ cos x ^ 2).
Proof.
  intros Hc. replace (/ cos x ^ 2) with ((cos x * cos x - - sin x * sin x) / Rsqr (cos x)).
  - apply (derivable_pt_lim_div sin cos); [apply derivable_pt_lim_sin|apply derivable_pt_lim_cos|lra].
  - pose proof (sin2_cos2 x) as H. unfold Rsqr in *.
    replace (cos x * cos x - - sin x * sin x) with 1 by lra. field. lra.
Qed.

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

Lemma tan2_PI6 : tan (PI / 6) ^ 2 = / 3.
Proof.
  rewrite tan_PI6. replace ((1 / sqrt 3) ^ 2) with (/ (sqrt 3 * sqrt 3)).
  - now rewrite sqrt_sqrt by lra.
  - field. intros H. pose proof (sqrt_lt_R0 3 ltac:(lra)). lra.
Qed.

(** The cost of rounding, for every K: at most 3/K^2, with equality at K = 3; at K = 2 at most 3/16. *)
Lemma tan2_step_le K : (2 <= K)%nat -> tan (step K) ^ 2 <= 3 / INR K ^ 2.
Proof.
  intros HK. pose proof (INR_ge_2 K HK) as Hk. pose proof PI_RGT_0 as Hpi.
  assert (H6 : 0 < tan (PI / 6)) by (apply tan_gt_0; lra).
  assert (Hle : tan (step K) <= 3 / INR K * tan (PI / 6) /\ 0 <= tan (step K)).
  { destruct (step_bounds K HK) as [Hs1 Hs2]. pose proof (quarter_angle_bounds K HK). split; cycle 1.
    { left. apply tan_gt_0; lra. }
    unfold step in *. destruct (K =? 2)%nat eqn:E.
    - apply Nat.eqb_eq in E. rewrite E. replace (INR 2) with 2 by (cbn; ring).
      pose proof (tan_chord (PI / 6) (3 / 4) ltac:(lra) ltac:(lra)) as H1.
      replace (3 / 4 * (PI / 6)) with (PI / 8) in H1 by field. lra.
    - apply Nat.eqb_neq in E. destruct (Nat.eq_dec K 3) as [->|H3].
      + replace (INR 3) with 3 by (cbn; ring). replace (PI / (2 * 3)) with (PI / 6) by field. lra.
      + assert (4 <= INR K).
        { assert (H4 : (4 <= K)%nat) by lia. apply le_INR in H4. cbn in H4. lra. }
        replace (PI / (2 * INR K)) with (3 / INR K * (PI / 6)) by (field; lra).
        apply tan_chord; [lra|]. split; [apply Rdiv_lt_0_compat; lra|].
        apply Rmult_lt_reg_r with (INR K); [lra|].
        replace (3 / INR K * INR K) with 3 by (field; lra). lra. }
  apply Rle_trans with ((3 / INR K * tan (PI / 6)) ^ 2); [now apply pow_incr|].
  right. rewrite Rpow_mult_distr, tan2_PI6. field. lra.
Qed.

Lemma tan2_step_2 : tan (step 2) ^ 2 <= 3 / 16.
Proof.
  pose proof PI_RGT_0. change (step 2) with (PI / 8).
  pose proof (tan_chord (PI / 6) (3 / 4) ltac:(lra) ltac:(lra)) as H1.
  replace (3 / 4 * (PI / 6)) with (PI / 8) in H1 by field.
  assert (0 < tan (PI / 8)) by (apply tan_gt_0; lra).
  apply Rle_trans with ((3 / 4 * tan (PI / 6)) ^ 2); [apply pow_incr; lra|].
  rewrite Rpow_mult_distr, tan2_PI6. lra.
Qed.

(** ** The two ways to write the rate *)

Lemma ceiling_bounds x : 0 <= x -> x <= INR (ceiling x) < x + 1.
Proof.
  intros Hx. unfold ceiling. destruct (base_Int_part (- x)) as [H1 H2].
  rewrite INR_IZR_INZ, Z2Nat.id.
  - rewrite opp_IZR. lra.
  - apply le_IZR. rewrite opp_IZR. lra.
Qed.

Section Rate.
Variable T : nat.
Hypothesis HT : (2 <= T)%nat.

Let x := Rpower (INR T / ln (INR T)) (1 / 3).

Let T_ge_2 : 2 <= INR T.
Proof. now apply INR_ge_2. Qed.

Lemma ln_T_pos : 0 < ln (INR T).
Proof using T_ge_2. rewrite <- ln_1. apply ln_increasing; lra. Qed.

Lemma rate_is_x_ln_T : rate T = x * ln (INR T).
Proof using T_ge_2.
  pose proof ln_T_pos. unfold rate, x, Rpower. rewrite ln_div by lra.
  rewrite <- (exp_ln (ln (INR T))) at 5 by assumption. rewrite <- !exp_plus. f_equal. field.
Qed.

Lemma T_is_rate_x2 : INR T = rate T * x ^ 2.
Proof using T_ge_2.
  pose proof ln_T_pos. unfold rate, x, Rpower. rewrite ln_div by lra.
  rewrite <- (exp_ln (INR T)) at 1 by lra. rewrite <- Rsqr_pow2. unfold Rsqr.
  rewrite <- !exp_plus. f_equal. field.
Qed.

Lemma x_ge_1 : 1 <= x.
Proof using T_ge_2.
  pose proof ln_T_pos as HL. unfold x, Rpower. rewrite ln_div by lra. rewrite <- exp_0 at 1.
  pose proof (ln_le_minus_1 _ HL).
  destruct (Rle_lt_or_eq_dec 0 (1 / 3 * (ln (INR T) - ln (ln (INR T)))) ltac:(lra)) as [Hlt|Heq].
  - left. now apply exp_increasing.
  - right. now rewrite <- Heq.
Qed.

Lemma rate_pos : 0 < rate T.
Proof using T_ge_2.
  rewrite rate_is_x_ln_T. apply Rmult_lt_0_compat; [pose proof x_ge_1; lra|apply ln_T_pos].
Qed.

(** The bound of Theorem 2 for the paper's K. *)
Theorem bound_by_rate :
  let K := resolution T in
  (2 <= K)%nat /\
  INR (K + 1) * ln (1 + INR T / INR (K + 1)) + INR T * tan (step K) ^ 2 <= 5 * rate T.
Proof using HT T_ge_2.
  intros K. pose proof x_ge_1 as Hx. pose proof ln_T_pos as HL. pose proof rate_pos as Hg.
  assert (HKdef : K = Nat.max 2 (ceiling x)).
  { unfold K, resolution. replace (T <? 2)%nat with false by (symmetry; apply Nat.ltb_ge; lia). reflexivity. }
  assert (HK : (2 <= K)%nat) by lia. split; [exact HK|].
  pose proof (ceiling_bounds x ltac:(lra)) as Hceil. pose proof (INR_ge_2 K HK) as Hk.
  assert (HN : INR (K + 1) = INR K + 1) by (rewrite plus_INR; reflexivity).
  (* the logarithmic term *)
  assert (Hlog : INR (K + 1) * ln (1 + INR T / INR (K + 1)) <= INR (K + 1) * ln (INR T)).
  { apply Rmult_le_compat_l; [lra|]. apply ln_le.
    - assert (0 < INR T / INR (K + 1)) by (apply Rdiv_lt_0_compat; lra). lra.
    - assert (INR T / INR (K + 1) <= INR T / 3) by (apply div_le_compat; lra). lra. }
  pose proof rate_is_x_ln_T as Hg1. pose proof T_is_rate_x2 as Hg2.
  assert (Hrate2 : 2 * ln (INR T) <= 2 * rate T) by (rewrite Hg1; nra).
  destruct (Nat.le_gt_cases (ceiling x) 2) as [Hle|Hgt].
  - (* two cells *)
    assert (EK : K = 2%nat) by lia. rewrite EK in *.
    assert (Hx2 : x <= 2) by (apply le_INR in Hle; cbn in Hle; lra).
    pose proof tan2_step_2 as Ht. replace (INR (2 + 1)) with 3 in * by (cbn; ring).
    assert (3 * ln (INR T) <= 3 * rate T) by (rewrite Hg1; nra).
    assert (INR T * tan (step 2) ^ 2 <= rate T * x ^ 2 * (3 / 16)).
    { rewrite <- Hg2. apply Rmult_le_compat_l; lra. }
    assert (x ^ 2 <= 4) by nra. nra.
  - (* K = ceiling x, at least 3 *)
    assert (EK : K = ceiling x) by lia.
    assert (HKx : x <= INR K < x + 1) by (rewrite EK; exact Hceil).
    assert (Hx2 : 2 <= x).
    { assert (H3 : (3 <= K)%nat) by lia. apply le_INR in H3. cbn in H3. lra. }
    assert (Hmain : INR (K + 1) * ln (INR T) <= 2 * rate T) by (rewrite Hg1, HN; nra).
    assert (Hround : INR T * tan (step K) ^ 2 <= 3 * rate T).
    { apply Rle_trans with (INR T * (3 / INR K ^ 2)).
      - apply Rmult_le_compat_l; [lra|]. now apply tan2_step_le.
      - rewrite Hg2. apply Rmult_le_reg_r with (INR K ^ 2); [nra|].
        replace (rate T * x ^ 2 * (3 / INR K ^ 2) * INR K ^ 2) with (3 * rate T * x ^ 2) by (field; nra).
        apply Rmult_le_compat_l; [lra|]. apply pow_incr. lra. }
    lra.
Qed.

End Rate.

(** Theorem 2 as the paper states it, with a constant. For every T >= 2 and every outcome sequence,
    Algorithm 1 with K = max(2, ceiling of (T/ln T)^(1/3)) has PKLCal <= 5 T^(1/3) (ln T)^(2/3) after T
    rounds. *)
Theorem theorem2_rate : forall T y, (2 <= T)%nat ->
  PKLCal (resolution T) (algorithm1 (resolution T) y) y T <= 5 * rate T.
Proof.
  intros T y HT. destruct (bound_by_rate T HT) as [HK Hb].
  eapply Rle_trans; [|exact Hb]. now apply theorem2.
Qed.

(** With realised feedback the same holds for the mean of KLCal, against every adaptive adversary. *)
Theorem realised_feedback_rate : forall T A, (2 <= T)%nat -> proper_adversary A ->
  expect (realised (resolution T)) A T (KLCal (resolution T + 1) (grid (resolution T))) nil <= 5 * rate T.
Proof.
  intros T A HT HA. destruct (bound_by_rate T HT) as [HK Hb].
  eapply Rle_trans; [|exact Hb]. now apply realised_feedback.
Qed.
