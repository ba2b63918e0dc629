(** * Numbers: logarithms of small numbers, pi; powers and chords of the logarithm; ceilings *)

From Coq Require Import Reals ZArith Lra Psatz.
From KLCal Require Import Definitions Basics KT.
Open Scope R_scope.

Lemma ln_pow a n : 0 < a -> ln (a ^ n) = INR n * ln a.
Proof. intros Ha. rewrite <- Rpower_pow by exact Ha. apply ln_exp. Qed.

Lemma ln_lower u : 1 <= u -> 2 * (u - 1) / (u + 1) <= ln u.
Proof.
  intros Hu. pose proof (ln_ge_quotient u Hu). apply Rmult_le_reg_r with (u + 1); [lra |].
  replace (2 * (u - 1) / (u + 1) * (u + 1)) with (2 * (u - 1)) by (field; lra). lra.
Qed.

Lemma ln_between u : 1 <= u -> 2 * (u - 1) / (u + 1) <= ln u <= (u - / u) / 2.
Proof. intros Hu. split; [now apply ln_lower | now apply ln_le_half_difference]. Qed.

(** 2, 3 and 5 are products of powers of 16/15, 25/24 and 81/80, and these of numbers still nearer to 1. *)
Lemma ln_2_3_5 :
  0.6930 <= ln 2 <= 0.6933 /\ 1.0985 <= ln 3 <= 1.0988 /\ 1.6093 <= ln 5 <= 1.6097
  /\ 2 * ln 2 - ln 3 <= 0.2878.
Proof.
  assert (E1 : ln (32 / 31) + ln (31 / 30) = 4 * ln 2 - ln 3 - ln 5).
  { rewrite <- ln_mult by lra. replace (32 / 31 * (31 / 30)) with (2 * 2 * 2 * 2 / (3 * 5)) by lra.
    rewrite ln_div, !ln_mult by lra. ring. }
  assert (E2 : ln (50 / 49) + ln (49 / 48) = 2 * ln 5 - 3 * ln 2 - ln 3).
  { rewrite <- ln_mult by lra. replace (50 / 49 * (49 / 48)) with (5 * 5 / (2 * 2 * 2 * 3)) by lra.
    rewrite ln_div, !ln_mult by lra. ring. }
  assert (E3 : ln (81 / 80) = 4 * ln 3 - 4 * ln 2 - ln 5).
  { replace (81 / 80) with (3 * 3 * 3 * 3 / (2 * 2 * 2 * 2 * 5)) by lra. rewrite ln_div, !ln_mult by lra. ring. }
  pose proof (ln_between (32 / 31) ltac:(lra)). pose proof (ln_between (31 / 30) ltac:(lra)).
  pose proof (ln_between (50 / 49) ltac:(lra)). pose proof (ln_between (49 / 48) ltac:(lra)).
  pose proof (ln_between (81 / 80) ltac:(lra)). lra.
Qed.

Lemma ln_2_bounds : 0.6930 <= ln 2 <= 0.6933.
Proof. apply ln_2_3_5. Qed.

Lemma ln_3_bounds : 1.0985 <= ln 3 <= 1.0988.
Proof. apply ln_2_3_5. Qed.

Lemma ln_5_bounds : 1.6093 <= ln 5 <= 1.6097.
Proof. apply ln_2_3_5. Qed.

Lemma ln_4 : ln 4 = 2 * ln 2.
Proof. replace 4 with (2 * 2) by lra. rewrite ln_mult by lra. ring. Qed.

Lemma ln_4_3 : ln (4 / 3) <= 0.2878.
Proof. rewrite ln_div, ln_4 by lra. apply ln_2_3_5. Qed.

(** The logarithm lies above its chords. *)
Lemma ln_above_chord a b x : 0 < a -> a <= x <= b -> (b - x) * ln a + (x - a) * ln b <= (b - a) * ln x.
Proof.
  intros Ha Hx. pose proof (ln_tangent a x ltac:(lra) ltac:(lra)) as T1.
  pose proof (ln_tangent b x ltac:(lra) ltac:(lra)) as T2.
  apply (Rmult_le_compat_l (b - x)) in T1; [| lra]. apply (Rmult_le_compat_l (x - a)) in T2; [| lra].
  apply Rle_trans with ((b - x) * (ln x + a / x - 1) + (x - a) * (ln x + b / x - 1)); [lra |].
  right. field. lra.
Qed.

(** From sin (PI/6) = 1/2 and sin x >= x - x^3/6. *)
Lemma PI_upper : PI <= 3.144.
Proof.
  pose proof PI_RGT_0 as H0. pose proof PI_4 as H4. set (x := PI / 6).
  pose proof (pre_sin_bound x 0 ltac:(unfold x; lra) ltac:(unfold x; lra)) as [H _].
  replace (sin x) with (1 / 2) in H by (unfold x; rewrite sin_PI6; reflexivity).
  cbn in H. unfold sin_term in H. cbn in H.
  assert (Hx : x - x * x * x / 6 <= 1 / 2) by (unfold Rdiv in *; lra).
  destruct (Rle_dec x 0.524) as [Hle | Hgt]; [unfold x in Hle; lra | exfalso].
  assert (0.524 < x <= 2 / 3) by (unfold x in *; lra).
  assert (0 < (x - 0.524) * (6 - (x * x + 0.524 * x + 0.524 * 0.524))) by (apply Rmult_lt_0_compat; nra).
  nra.
Qed.

Lemma ceiling_bounds x : 0 <= x -> x <= INR (ceiling x) < x + 1.
Proof.
  intros Hx. unfold ceiling. destruct (base_Int_part (- x)) as [H1 H2].
  rewrite INR_IZR_INZ, Z2Nat.id.
  - rewrite opp_IZR. lra.
  - apply le_IZR. rewrite opp_IZR. lra.
Qed.
