(** * From a cell to its midpoint

    For every frequency r and every point m of the cell of a node of angular width w with midpoint z,
      KL(r, z) <= 2 KL(r, m) + ln(1 + sin^2 w).
    Jensen's inequality gives the bound with 1 + (m-z)^2/(z(1-z)); the identity hi - lo = sin(b-a) sin(b+a)
    for lo = sin^2 a, hi = sin^2 b does the rest. *)

From Coq Require Import Reals Lra Psatz Lia.
From KLCal Require Import Definitions Basics.
Local Open Scope R_scope.

(** One symbol of Jensen's inequality: r is its frequency, m its probability in the cell, z the one at the
    midpoint. *)
Lemma jensen_term r m z S :
  0 <= r -> 0 <= m -> 0 < z -> 0 < S -> (m = 0 -> r = 0) ->
  r * ln (r / z) <= 2 * (r * ln (r / m)) + r * ln S + (m ^ 2 / (z * S) - r).
Proof.
  intros Hr Hm Hz HS H0.
  assert (HzS : 0 < z * S) by nra.
  destruct (Req_dec r 0) as [-> | Hr0].
  - assert (0 <= m ^ 2 / (z * S)); [| lra].
    apply Rmult_le_pos; [apply pow2_ge_0 | left; apply Rinv_0_lt_compat; lra].
  - assert (Hr' : 0 < r) by lra.
    assert (Hm' : 0 < m) by (destruct (Req_dec m 0); [exfalso; auto | lra]).
    assert (Hx : 0 < m ^ 2 / (r * (z * S))) by (apply Rdiv_lt_0_compat; nra).
    pose proof (ln_le_minus_1 _ Hx) as H.
    assert (E : ln (m ^ 2 / (r * (z * S))) = 2 * ln m - ln r - ln z - ln S).
    { unfold Rdiv. rewrite ln_mult, ln_Rinv, !ln_mult by (try apply Rinv_0_lt_compat; nra).
      replace (m ^ 2) with (m * m) by ring. rewrite ln_mult by lra. lra. }
    rewrite E in H. unfold Rdiv at 1 2. rewrite !ln_mult, !ln_Rinv by (try apply Rinv_0_lt_compat; lra).
    apply (Rmult_le_compat_l r) in H; [| lra].
    replace (r * (m ^ 2 / (r * (z * S)) - 1)) with (m ^ 2 / (z * S) - r) in H by (field; lra).
    lra.
Qed.

Lemma KL_two_steps r m z :
  0 <= r <= 1 -> 0 <= m <= 1 -> 0 < z < 1 -> (m = 0 -> r = 0) -> (m = 1 -> r = 1) ->
  KL r z <= 2 * KL r m + ln (1 + (m - z) ^ 2 / (z * (1 - z))).
Proof.
  intros Hr Hm Hz H0 H1.
  set (S := 1 + (m - z) ^ 2 / (z * (1 - z))).
  assert (HS : 0 < S).
  { assert (0 <= (m - z) ^ 2 / (z * (1 - z))); [| unfold S; lra].
    apply Rmult_le_pos; [apply pow2_ge_0 | left; apply Rinv_0_lt_compat; nra]. }
  assert (E : m ^ 2 / (z * S) + (1 - m) ^ 2 / ((1 - z) * S) = 1).
  { replace (m ^ 2 / (z * S) + (1 - m) ^ 2 / ((1 - z) * S))
      with ((m ^ 2 / z + (1 - m) ^ 2 / (1 - z)) / S) by (field; lra).
    replace (m ^ 2 / z + (1 - m) ^ 2 / (1 - z)) with S by (unfold S; field; lra).
    field; lra. }
  pose proof (jensen_term r m z S) as J1.
  pose proof (jensen_term (1 - r) (1 - m) (1 - z) S) as J0.
  specialize (J1 ltac:(lra) ltac:(lra) ltac:(lra) HS H0).
  specialize (J0 ltac:(lra) ltac:(lra) ltac:(lra) HS ltac:(intros; assert (r = 1) by (apply H1; lra); lra)).
  unfold KL. lra.
Qed.

Lemma sin_sq_difference a b : sin b ^ 2 - sin a ^ 2 = sin (b - a) * sin (a + b).
Proof.
  rewrite sin_minus, sin_plus. pose proof (sin2_cos2 a) as Sa. pose proof (sin2_cos2 b) as Sb.
  unfold Rsqr in *.
  transitivity (sin b * sin b * (sin a * sin a + cos a * cos a)
                - sin a * sin a * (sin b * sin b + cos b * cos b)); [rewrite Sa, Sb |]; ring.
Qed.

(** The squared half length of the cell [sin^2 a, sin^2 b], measured at its midpoint. *)
Lemma chi_square_of_cell a b :
  let z := (sin a ^ 2 + sin b ^ 2) / 2 in
  ((sin b ^ 2 - sin a ^ 2) / 2) ^ 2 <= sin (b - a) ^ 2 * (z * (1 - z)).
Proof.
  intros z. pose proof (sin_sq_difference a b) as E.
  assert (Ez : z * (1 - z) = (1 - (cos (a + b) * cos (b - a)) ^ 2) / 4).
  { assert (Ec : cos (a + b) * cos (b - a) = 1 - sin a ^ 2 - sin b ^ 2).
    { rewrite cos_plus, cos_minus. pose proof (sin2_cos2 a). pose proof (sin2_cos2 b). unfold Rsqr in *.
      transitivity ((cos a * cos a) * (cos b * cos b) - (sin a * sin a) * (sin b * sin b)); [ring |].
      replace (cos a * cos a) with (1 - sin a * sin a) by lra.
      replace (cos b * cos b) with (1 - sin b * sin b) by lra. ring. }
    rewrite Ec. unfold z. field. }
  rewrite E, Ez.
  pose proof (sin2_cos2 (a + b)) as H1. pose proof (sin2_cos2 (b - a)) as H2. unfold Rsqr in *.
  assert (H3 : 0 <= (sin (b - a) * sin (b - a))
                    * ((cos (a + b) * cos (a + b)) * (sin (b - a) * sin (b - a)))).
  { apply Rmult_le_pos; [nra |]. apply Rmult_le_pos; nra. }
  replace ((sin (b - a) * sin (a + b) / 2) ^ 2)
    with (sin (b - a) * sin (b - a) * (1 - cos (a + b) * cos (a + b)) / 4)
    by (replace (1 - cos (a + b) * cos (a + b)) with (sin (a + b) * sin (a + b)) by lra; field).
  replace ((cos (a + b) * cos (b - a)) ^ 2) with (cos (a + b) * cos (a + b) * (1 - sin (b - a) * sin (b - a)))
    by (replace (1 - sin (b - a) * sin (b - a)) with (cos (b - a) * cos (b - a)) by lra; ring).
  lra.
Qed.

(** From any point m of the cell [sin^2 a, sin^2 b] to its midpoint. *)
Lemma KL_midpoint_le_KL_cell a b r m :
  let z := (sin a ^ 2 + sin b ^ 2) / 2 in
  0 < z < 1 -> 0 <= r <= 1 -> 0 <= m <= 1 -> sin a ^ 2 <= m <= sin b ^ 2 ->
  (m = 0 -> r = 0) -> (m = 1 -> r = 1) ->
  KL r z <= 2 * KL r m + ln (1 + sin (b - a) ^ 2).
Proof.
  intros z Hz Hr Hm Hc H0 H1.
  apply Rle_trans with (1 := KL_two_steps r m z Hr Hm Hz H0 H1).
  apply Rplus_le_compat_l.
  assert (Hchi : (m - z) ^ 2 / (z * (1 - z)) <= sin (b - a) ^ 2).
  { assert (0 < z * (1 - z)) by nra.
    apply Rmult_le_reg_r with (z * (1 - z)); [lra |].
    replace ((m - z) ^ 2 / (z * (1 - z)) * (z * (1 - z))) with ((m - z) ^ 2) by (field; lra).
    apply Rle_trans with (2 := chi_square_of_cell a b). unfold z. nra. }
  assert (0 <= (m - z) ^ 2 / (z * (1 - z))).
  { apply Rmult_le_pos; [apply pow2_ge_0 | left; apply Rinv_0_lt_compat; nra]. }
  assert (Hpos : 0 < 1 + (m - z) ^ 2 / (z * (1 - z))) by lra.
  destruct (Rle_lt_or_eq_dec _ _ Hchi) as [Hlt | ->]; [left; apply ln_increasing; lra | right; reflexivity].
Qed.
