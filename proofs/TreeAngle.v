(** * Probabilities as angles: p = sin^2 x

    KL(sin^2 x, sin^2 y) >= -2 ln cos(x - y) >= (x - y)^2 (Bhattacharyya), and
    |sin^2 x - sin^2 y| <= |x - y|. *)

From Coq Require Import Reals Lra Psatz Lia.
From KLCal Require Import Definitions Basics KT TreeCell.
From KLCal Require Lemma6.
Local Open Scope R_scope.

Definition angle (p : R) : R := asin (sqrt p).

Lemma sqrt_unit p : 0 <= p <= 1 -> 0 <= sqrt p <= 1.
Proof.
  intros Hp. split; [apply sqrt_pos |]. rewrite <- sqrt_1. apply sqrt_le_1_alt. lra.
Qed.

Lemma sin_angle p : 0 <= p <= 1 -> sin (angle p) ^ 2 = p.
Proof.
  intros Hp. pose proof (sqrt_unit p Hp). unfold angle. rewrite sin_asin by lra.
  replace (sqrt p ^ 2) with (sqrt p * sqrt p) by ring. apply sqrt_sqrt. lra.
Qed.

Lemma angle_range p : 0 <= p <= 1 -> 0 <= angle p <= PI / 2.
Proof.
  intros Hp. pose proof (sqrt_unit p Hp). unfold angle. pose proof (asin_bound (sqrt p)).
  split; [| lra]. destruct (Rle_dec 0 (asin (sqrt p))) as [Hle | Hlt]; [exact Hle | exfalso].
  assert (Hs : sin (asin (sqrt p)) < sin 0) by (apply sin_increasing_1; pose proof PI_RGT_0; lra).
  rewrite sin_asin, sin_0 in Hs; lra.
Qed.

Lemma sin_sq_le a b : 0 <= a -> b <= PI / 2 -> a <= b -> sin a ^ 2 <= sin b ^ 2.
Proof.
  intros Ha Hb Hab. pose proof PI_RGT_0.
  assert (sin a <= sin b) by (apply sin_incr_1; lra).
  assert (0 <= sin a) by (apply sin_ge_0; lra). apply pow_incr. lra.
Qed.

Lemma angle_le_from_sq a b : 0 <= a <= PI / 2 -> 0 <= b <= PI / 2 -> sin a ^ 2 <= sin b ^ 2 -> a <= b.
Proof.
  intros Ha Hb H. pose proof PI_RGT_0. destruct (Rle_dec a b) as [Hle | Hgt]; [exact Hle | exfalso].
  assert (sin b < sin a) by (apply sin_increasing_1; lra).
  assert (0 <= sin b) by (apply sin_ge_0; lra). nra.
Qed.

Lemma sin_sq_lipschitz a b : 0 <= a <= b -> b <= PI / 2 -> sin b ^ 2 - sin a ^ 2 <= b - a.
Proof.
  intros Hab Hb. pose proof PI_RGT_0.
  rewrite sin_sq_difference. destruct (Req_dec a b) as [-> | Hne].
  { replace (b - b) with 0 by ring. rewrite sin_0. lra. }
  pose proof (sin_lt_x (b - a) ltac:(lra)). pose proof (sin_ge_0 (b - a) ltac:(lra) ltac:(lra)).
  pose proof (SIN_bound (a + b)). nra.
Qed.

(** One symbol of the Bhattacharyya bound: r = u^2, q = v^2. *)
Lemma bhattacharyya_term u v B : 0 <= u -> 0 < v -> 0 < B ->
  - 2 * (u ^ 2 * ln B) - 2 * (u * v / B) + 2 * u ^ 2 <= u ^ 2 * ln (u ^ 2 / v ^ 2).
Proof.
  intros [Hu | <-] Hv HB; [| unfold Rdiv; ring_simplify; lra].
  assert (Hx : 0 < v / (u * B)) by (apply Rdiv_lt_0_compat; nra).
  pose proof (ln_le_minus_1 _ Hx) as H.
  assert (E1 : ln (v / (u * B)) = ln v - ln u - ln B).
  { rewrite ln_div, ln_mult by nra. lra. }
  assert (E2 : ln (u ^ 2 / v ^ 2) = 2 * ln u - 2 * ln v).
  { rewrite ln_div, !ln_pow2 by nra. lra. }
  rewrite E1 in H. rewrite E2. apply (Rmult_le_compat_l (2 * u ^ 2)) in H; [| nra].
  replace (2 * u ^ 2 * (v / (u * B) - 1)) with (2 * (u * v / B) - 2 * u ^ 2) in H by (field; lra). lra.
Qed.

Lemma KL_bhattacharyya x y : 0 <= x <= PI / 2 -> 0 < y < PI / 2 ->
  - 2 * ln (cos (x - y)) <= KL (sin x ^ 2) (sin y ^ 2) /\ 0 < cos (x - y).
Proof.
  intros Hx Hy. pose proof PI_RGT_0.
  assert (HB : 0 < cos (x - y)) by (apply cos_gt_0; lra).
  split; [| exact HB].
  pose proof (sin_ge_0 x ltac:(lra) ltac:(lra)) as Sx. pose proof (cos_ge_0 x ltac:(lra) ltac:(lra)) as Cx.
  pose proof (sin_gt_0 y ltac:(lra) ltac:(lra)) as Sy. pose proof (cos_gt_0 y ltac:(lra) ltac:(lra)) as Cy.
  pose proof (bhattacharyya_term _ _ _ Sx Sy HB) as H1. pose proof (bhattacharyya_term _ _ _ Cx Cy HB) as H0.
  pose proof (sin2_cos2 x) as Ex. pose proof (sin2_cos2 y) as Ey. unfold Rsqr in *.
  assert (Exc : cos x ^ 2 = 1 - sin x ^ 2) by lra. assert (Eyc : cos y ^ 2 = 1 - sin y ^ 2) by lra.
  rewrite Exc, Eyc in H0. unfold KL.
  assert (EB : sin x * sin y / cos (x - y) + cos x * cos y / cos (x - y) = 1).
  { replace (sin x * sin y / cos (x - y) + cos x * cos y / cos (x - y))
      with ((cos x * cos y + sin x * sin y) / cos (x - y)) by (field; lra).
    rewrite <- cos_minus. field. lra. }
  lra.
Qed.

Lemma minus_two_ln_cos d : Rabs d < PI / 2 -> d ^ 2 <= - 2 * ln (cos d).
Proof.
  intros Hd.
  assert (Hpos : forall e, 0 <= e < PI / 2 -> e ^ 2 <= - 2 * ln (cos e)).
  { intros e He. set (h := e / 2). pose proof PI_RGT_0 as HPI.
    assert (HB : 0 < cos e) by (apply cos_gt_0; lra).
    pose proof (COS_bound e) as HB1.
    pose proof (ln_ge_quotient (/ cos e)) as H.
    rewrite ln_Rinv in H by exact HB.
    assert (H1 : 1 <= / cos e) by (rewrite <- Rinv_1 at 1; apply Rinv_le_contravar; lra).
    specialize (H H1). apply (Rmult_le_compat_l (cos e)) in H; [| lra].
    replace (cos e * (2 * (/ cos e - 1))) with (2 * (1 - cos e)) in H by (field; lra).
    replace (cos e * ((/ cos e + 1) * - ln (cos e))) with ((1 + cos e) * - ln (cos e)) in H by (field; lra).
    pose proof (Lemma6.tangent_above h ltac:(unfold h; lra)) as Ht.
    assert (Hc2 : cos e = 2 * cos h * cos h - 1).
    { replace e with (2 * h) by (unfold h; field). rewrite cos_2a_cos. ring. }
    assert (Hch : 0 < cos h) by (apply cos_gt_0; unfold h; lra).
    pose proof (sin2_cos2 h) as E. unfold Rsqr in E.
    assert (Hh : 0 <= h) by (unfold h; lra).
    assert (Hsq : (h * cos h) * (h * cos h) <= sin h * sin h) by (apply Rmult_le_compat; nra).
    apply Rmult_le_reg_l with (1 + cos e); [lra |].
    replace e with (2 * h) at 2 by (unfold h; field). nra. }
  destruct (Rle_dec 0 d) as [H | H].
  - apply Hpos. rewrite Rabs_right in Hd; lra.
  - rewrite <- cos_neg. replace (d ^ 2) with ((- d) ^ 2) by ring. apply Hpos. rewrite Rabs_left in Hd; lra.
Qed.

Lemma KL_ge_squared_angle x y : 0 <= x <= PI / 2 -> 0 < y < PI / 2 ->
  (x - y) ^ 2 <= KL (sin x ^ 2) (sin y ^ 2).
Proof.
  intros Hx Hy. destruct (KL_bhattacharyya x y Hx Hy) as [H _].
  apply Rle_trans with (2 := H). apply minus_two_ln_cos. apply Rabs_def1; lra.
Qed.
