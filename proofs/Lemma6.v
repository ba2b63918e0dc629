(** * Lemma 6 of the paper, with constants: the grid z_i = sin^2 (i theta), theta = pi / 2K

    Parts (a) and (b) are identities between sines. Part (c) is exact: -K / (4 sin^2 (pi k / K)) are the
    Fourier coefficients of h(j) = j (K - j) / 2, because h has the second difference -1; add them up. Part
    (d) is a telescoping sum: the cosecant is convex, so its value at a point is at most its mean over an
    interval around the point, and its primitive is log tan (x/2). *)

From Coq Require Import Reals Lra Psatz Lia Arith.
From KLCal Require Import Definitions Basics.
Open Scope R_scope.

(** The point i of the grid with its ends: z_0 = 0 and z_K = 1 (the paper prints z_0 = 1). The points
    z_1, ..., z_(K-1) are the forecasts of Section 4, [inner_grid K 0] to [inner_grid K (K - 2)]. *)
Definition sine_point (K i : nat) : R := sin (PI * INR i / (2 * INR K)) ^ 2.

Lemma inner_grid_sine_point : forall K i, inner_grid K i = sine_point K (i + 1).
Proof. reflexivity. Qed.

(** ** Angles *)

Definition theta (K : nat) : R := PI / (2 * INR K).

Lemma theta_bounds : forall K, (2 <= K)%nat -> 0 < theta K <= PI / 4.
Proof.
  intros K HK. assert (HPI := PI_RGT_0). assert (H2 := INR_ge_2 K HK).
  unfold theta. split; [apply Rdiv_lt_0_compat; lra |].
  unfold Rdiv. apply Rmult_le_compat_l; [lra |]. apply Rinv_le_contravar; lra.
Qed.

Lemma theta_times : forall K, (2 <= K)%nat -> INR K * (2 * theta K) = PI.
Proof.
  intros K HK. assert (H2 := INR_ge_2 K HK). unfold theta. field. lra.
Qed.

Lemma sine_point_angle : forall K i, (2 <= K)%nat -> sine_point K i = sin (INR i * theta K) ^ 2.
Proof.
  intros K i HK. assert (H2 := INR_ge_2 K HK). unfold sine_point, theta.
  do 2 f_equal. field. lra.
Qed.

Lemma sin_squared_gap : forall x d, sin (x + d) ^ 2 - sin (x - d) ^ 2 = sin (2 * d) * sin (2 * x).
Proof.
  intros x d. rewrite sin_plus, sin_minus, !sin_2a. ring.
Qed.

Lemma sine_variance : forall x, sin x ^ 2 * (1 - sin x ^ 2) = (sin (2 * x) / 2) ^ 2.
Proof.
  intros x. assert (H := sin2_cos2 x). unfold Rsqr in H. rewrite sin_2a.
  replace (1 - sin x ^ 2) with (cos x ^ 2) by (rewrite <- H; ring). field.
Qed.

Lemma sin_below : forall x, 0 <= x -> sin x <= x.
Proof. intros x [H | <-]; [now apply Rlt_le, sin_lt_x | rewrite sin_0; lra]. Qed.

(** x <= tan x, without the division. *)
Lemma tangent_above : forall x, 0 <= x <= PI / 2 -> x * cos x <= sin x.
Proof.
  intros x [[H0 | <-] H1]; [| rewrite sin_0; lra].
  destruct (MVT_cor2 (fun u => sin u - u * cos u) (fun u => u * sin u) 0 x H0) as (c & Hc & Hc0).
  - intros u _. replace (u * sin u) with (cos u - (1 * cos u + u * - sin u)) by ring.
    apply (derivable_pt_lim_minus sin (fun u => u * cos u)); [apply derivable_pt_lim_sin |].
    apply (derivable_pt_lim_mult (fun u => u) cos); [apply derivable_pt_lim_id | apply derivable_pt_lim_cos].
  - assert (Hs : 0 <= sin c) by (apply sin_ge_0; lra).
    rewrite sin_0 in Hc. assert (0 <= c * sin c * (x - 0)) by (apply Rmult_le_pos; nra). lra.
Qed.

(** sin 3x / cos x = 2 sin 2x - tan x <= 3x. *)
Lemma triple_below : forall x, 0 <= x -> x < PI / 2 -> sin (3 * x) / cos x <= 3 * x.
Proof.
  intros x H0 H1. assert (Hc : 0 < cos x) by (apply cos_gt_0; lra).
  apply (Rmult_le_reg_r (cos x)); [assumption |].
  unfold Rdiv. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
  replace (3 * x) with (2 * x + x) at 1 by ring. rewrite sin_plus, cos_2a.
  assert (H := sin2_cos2 x). unfold Rsqr in H.
  assert (Hs := sin_below (2 * x) ltac:(lra)). assert (Ht := tangent_above x ltac:(lra)).
  rewrite sin_2a in *.
  replace (2 * sin x * cos x * cos x + (cos x * cos x - sin x * sin x) * sin x)
    with (2 * (2 * sin x * cos x) * cos x - sin x * (sin x * sin x + cos x * cos x)) by ring.
  rewrite H. nra.
Qed.

(** ** (a) and (b) *)

Section Grid.

Variable K : nat.
Hypothesis K_two : (2 <= K)%nat.

(** The gap of equation 9. *)
Lemma gap : forall i, sine_point K (S i) - sine_point K i = sin (theta K) * sin (2 * INR i * theta K + theta K).
Proof using K_two.
  intros i. rewrite !sine_point_angle by assumption. rewrite S_INR.
  replace ((INR i + 1) * theta K) with ((INR i * theta K + theta K / 2) + theta K / 2) by field.
  replace (INR i * theta K) with ((INR i * theta K + theta K / 2) - theta K / 2) at 2 by field.
  rewrite sin_squared_gap. f_equal; f_equal; field.
Qed.

Lemma variance : forall i, sine_point K i * (1 - sine_point K i) = (sin (2 * INR i * theta K) / 2) ^ 2.
Proof using K_two.
  intros i. rewrite sine_point_angle by assumption. rewrite sine_variance.
  do 3 f_equal. ring.
Qed.

Lemma multiple_of_angle : forall i, (i <= K)%nat -> 0 <= 2 * INR i * theta K <= PI.
Proof using K_two.
  intros i Hi. assert (H := theta_times K K_two).
  assert (Ht := theta_bounds K K_two).
  assert (H0 := pos_INR i). apply le_INR in Hi. nra.
Qed.

Lemma gap_positive : forall i, (i < K)%nat -> 0 < sine_point K (S i) - sine_point K i <= theta K.
Proof using K_two.
  intros i Hi. rewrite gap.
  assert (Ht := theta_bounds K K_two).
  assert (H0 := multiple_of_angle i ltac:(lia)). assert (H1 := multiple_of_angle (S i) ltac:(lia)).
  rewrite S_INR in H1. assert (HPI := PI_RGT_0).
  assert (Hs1 : 0 < sin (theta K)) by (apply sin_gt_0; lra).
  assert (Hs2 : 0 < sin (2 * INR i * theta K + theta K)) by (apply sin_gt_0; lra).
  assert (Hs3 := SIN_bound (2 * INR i * theta K + theta K)). assert (Hs4 := sin_below (theta K) ltac:(lra)).
  split; [now apply Rmult_lt_0_compat | nra].
Qed.

Lemma sine_inside : forall i, (0 < i < K)%nat -> 0 < sin (2 * INR i * theta K).
Proof using K_two.
  intros i Hi. assert (Ht := theta_bounds K K_two).
  assert (H1 := multiple_of_angle (S i) ltac:(lia)). rewrite S_INR in H1.
  assert (Hi1 : 1 <= INR i) by (apply (le_INR 1); lia). apply sin_gt_0; nra.
Qed.

(** sin 3t sin f - sin 2t sin (f + t) = sin t sin (f - 2t). *)
Lemma four_sines : forall t f, sin (3 * t) * sin f - sin (2 * t) * sin (f + t) = sin t * sin (f - 2 * t).
Proof using.
  intros t f. replace (3 * t) with (2 * t + t) by ring.
  rewrite !sin_plus, sin_minus, !cos_2a, sin_2a.
  assert (H := sin2_cos2 t). unfold Rsqr in H. ring [H].
Qed.

(** The ratio of a gap to the standard deviation, at either end of the gap. *)
Lemma gap_ratio : forall i e, (0 < i < K)%nat -> (e = 1 \/ e = - 1) ->
  2 * (sin (theta K) * sin (2 * INR i * theta K + e * theta K))
  <= sin (3 * theta K) / cos (theta K) * sin (2 * INR i * theta K).
Proof using K_two.
  intros i e Hi He.
  assert (Ht := theta_bounds K K_two). assert (HPI := PI_RGT_0).
  assert (Hc : 0 < cos (theta K)) by (apply cos_gt_0; lra).
  assert (H1 := multiple_of_angle (S i) ltac:(lia)). rewrite S_INR in H1.
  assert (Hi1 : 1 <= INR i) by (apply (le_INR 1); lia).
  assert (Hs : 0 <= sin (theta K)) by (apply sin_ge_0; lra).
  apply (Rmult_le_reg_r (cos (theta K))); [assumption |].
  replace (sin (3 * theta K) / cos (theta K) * sin (2 * INR i * theta K) * cos (theta K))
    with (sin (3 * theta K) * sin (2 * INR i * theta K)) by (field; lra).
  replace (2 * (sin (theta K) * sin (2 * INR i * theta K + e * theta K)) * cos (theta K))
    with (sin (2 * theta K) * sin (2 * INR i * theta K + e * theta K)) by (rewrite sin_2a; ring).
  destruct He as [-> | ->].
  - rewrite Rmult_1_l. assert (H := four_sines (theta K) (2 * INR i * theta K)).
    assert (0 <= sin (2 * INR i * theta K - 2 * theta K)) by (apply sin_ge_0; nra). nra.
  - assert (H := four_sines (theta K) (PI - 2 * INR i * theta K)).
    replace (PI - 2 * INR i * theta K + theta K) with (PI - (2 * INR i * theta K + - 1 * theta K)) in H by ring.
    replace (PI - 2 * INR i * theta K - 2 * theta K) with (PI - (2 * INR i * theta K + 2 * theta K)) in H by ring.
    rewrite !sin_PI_x in H.
    assert (0 <= sin (2 * INR i * theta K + 2 * theta K)) by (apply sin_ge_0; nra). nra.
Qed.

Lemma lower_gap : forall i, (0 < i)%nat ->
  sine_point K i - sine_point K (i - 1) = sin (theta K) * sin (2 * INR i * theta K + - 1 * theta K).
Proof using K_two.
  intros i Hi. replace i with (S (i - 1)) at 1 by lia. rewrite gap, minus_INR by lia.
  change (INR 1) with 1. do 2 f_equal. ring.
Qed.

Lemma upper_gap : forall i,
  sine_point K (S i) - sine_point K i = sin (theta K) * sin (2 * INR i * theta K + 1 * theta K).
Proof using K_two. intros i. rewrite gap. do 2 f_equal. ring. Qed.

Lemma gap_squared : forall i e, (0 < i < K)%nat -> (e = 1 \/ e = - 1) ->
  0 <= sin (theta K) * sin (2 * INR i * theta K + e * theta K) ->
  (sin (theta K) * sin (2 * INR i * theta K + e * theta K)) ^ 2 / (sine_point K i * (1 - sine_point K i))
  <= (sin (3 * theta K) / cos (theta K)) ^ 2.
Proof using K_two.
  intros i e Hi He Hd. assert (Hs := sine_inside i Hi). assert (H := gap_ratio i e Hi He).
  rewrite variance.
  revert Hd H. generalize (sin (theta K) * sin (2 * INR i * theta K + e * theta K)). intros d Hd H.
  apply (Rmult_le_reg_r ((sin (2 * INR i * theta K) / 2) ^ 2)); [apply pow_lt; lra |].
  unfold Rdiv at 1. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by (apply pow_nonzero; lra).
  rewrite <- Rpow_mult_distr. apply pow_incr. lra.
Qed.

Lemma worst_ratio : (sin (3 * theta K) / cos (theta K)) ^ 2 <= 9 * PI ^ 2 / (4 * INR K ^ 2).
Proof using K_two.
  assert (Ht := theta_bounds K K_two). assert (HPI := PI_RGT_0).
  assert (H2 := INR_ge_2 K K_two).
  replace (9 * PI ^ 2 / (4 * INR K ^ 2)) with ((3 * theta K) ^ 2) by (unfold theta; field; lra).
  apply pow_incr. split; [| apply triple_below; lra].
  apply Rmult_le_pos; [apply sin_ge_0; lra |]. apply Rlt_le, Rinv_0_lt_compat, cos_gt_0; lra.
Qed.

Lemma lemma6b : forall i, (0 < i < K)%nat ->
  Rmax (sine_point K i - sine_point K (i - 1)) (sine_point K (S i) - sine_point K i) ^ 2
    / (sine_point K i * (1 - sine_point K i))
  <= (sin (3 * theta K) / cos (theta K)) ^ 2.
Proof using K_two.
  intros i Hi. unfold Rmax. destruct (Rle_dec _ _).
  - assert (H := gap_positive i ltac:(lia)). rewrite upper_gap in *. apply gap_squared; auto. lra.
  - assert (H := gap_positive (i - 1) ltac:(lia)). replace (S (i - 1)) with i in H by lia.
    rewrite lower_gap in * by lia. apply gap_squared; auto. lra.
Qed.

Lemma lemma6b_attained :
  Rmax (sine_point K 1 - sine_point K 0) (sine_point K 2 - sine_point K 1) ^ 2
    / (sine_point K 1 * (1 - sine_point K 1))
  = (sin (3 * theta K) / cos (theta K)) ^ 2.
Proof using K_two.
  assert (Ht := theta_bounds K K_two). assert (HPI := PI_RGT_0).
  assert (Hc : 0 < cos (theta K)) by (apply cos_gt_0; lra).
  assert (Hs : 0 < sin (theta K)) by (apply sin_gt_0; lra).
  rewrite variance, !gap. change (INR 1) with 1. change (INR 0) with 0.
  replace (2 * 0 * theta K + theta K) with (theta K) by ring.
  replace (2 * 1 * theta K + theta K) with (3 * theta K) by ring.
  replace (2 * 1 * theta K) with (2 * theta K) by ring.
  rewrite Rmax_right.
  - rewrite sin_2a. field. lra.
  - apply Rmult_le_compat_l; [lra |].
    assert (H : sin (3 * theta K) - sin (theta K) = 2 * cos (2 * theta K) * sin (theta K)).
    { replace (3 * theta K) with (2 * theta K + theta K) by ring.
      replace (sin (theta K)) with (sin (2 * theta K - theta K)) at 1 by (f_equal; ring).
      rewrite sin_plus, sin_minus. ring. }
    assert (0 <= cos (2 * theta K)) by (apply cos_ge_0; lra).
    assert (0 <= 2 * cos (2 * theta K) * sin (theta K)) by (apply Rmult_le_pos; lra). lra.
Qed.

End Grid.

(** ** (c) The sum of the curvatures *)

Lemma sum_of_cosines : forall m x,
  2 * sin x * sum m (fun j => cos (2 * INR j * x)) = sin (2 * INR m * x - x) + sin x.
Proof.
  intros m x. induction m as [| m IH]; cbn [sum].
  - change (INR 0) with 0. replace (2 * 0 * x - x) with (- x) by ring. rewrite sin_neg. ring.
  - rewrite Rmult_plus_distr_l, IH, S_INR.
    replace (2 * (INR m + 1) * x - x) with (2 * INR m * x + x) by ring.
    rewrite sin_plus, sin_minus. ring.
Qed.

(** The parabola and the boundary term of summation by parts. *)
Definition parabola (N t : R) : R := t * (N - t) / 2.
Definition boundary_term (N x t : R) : R :=
  cos (2 * (t - 1) * x) * parabola N t - parabola N (t - 1) * cos (2 * t * x).

Lemma boundary_step : forall N x t,
  boundary_term N x (t + 1) - boundary_term N x t = (4 * sin x ^ 2 * parabola N t - 1) * cos (2 * t * x).
Proof.
  intros N x t. unfold boundary_term.
  replace (2 * (t + 1 - 1) * x) with (2 * t * x) by ring.
  replace (2 * (t + 1) * x) with (2 * t * x + 2 * x) by ring.
  replace (2 * (t - 1) * x) with (2 * t * x - 2 * x) by ring.
  replace (t + 1 - 1) with t by ring.
  rewrite cos_plus, cos_minus, cos_2a_sin. unfold parabola. field.
Qed.

Lemma summation_by_parts : forall N x m,
  sum m (fun j => (4 * sin x ^ 2 * parabola N (INR j) - 1) * cos (2 * INR j * x))
  = boundary_term N x (INR m) - (N + 1) / 2.
Proof.
  intros N x m. induction m as [| m IH]; cbn [sum].
  - change (INR 0) with 0. unfold boundary_term, parabola.
    replace (2 * 0 * x) with 0 by ring. rewrite cos_0. field.
  - rewrite IH, S_INR, <- boundary_step. ring.
Qed.

Section Curvatures.

Variable K : nat.
Hypothesis K_two : (2 <= K)%nat.

Let node (k : nat) : R := PI * INR k / INR K.

Lemma node_times : forall k, 2 * INR K * node k = 2 * INR k * PI.
Proof using K_two. intros k. assert (H := INR_ge_2 K K_two). unfold node. field. lra. Qed.

Lemma node_sine : forall k, (0 < k < K)%nat -> 0 < sin (node k).
Proof using K_two.
  intros k Hk. assert (H := INR_ge_2 K K_two). assert (HPI := PI_RGT_0).
  assert (H0 : 0 < INR k) by (apply lt_0_INR; lia).
  assert (H1 : INR k < INR K) by (apply lt_INR; lia).
  apply sin_gt_0.
  - unfold node. apply Rdiv_lt_0_compat; nra.
  - apply (Rmult_lt_reg_r (INR K)); [lra |]. unfold node.
    replace (PI * INR k / INR K * INR K) with (PI * INR k) by (field; lra). nra.
Qed.

Lemma cosines_cancel : forall k, (0 < k < K)%nat -> sum K (fun j => cos (2 * INR j * node k)) = 0.
Proof using K_two.
  intros k Hk. assert (H := sum_of_cosines K (node k)). assert (Hs := node_sine k Hk).
  rewrite node_times in H. replace (2 * INR k * PI - node k) with (- node k + 2 * INR k * PI) in H by ring.
  rewrite sin_period, sin_neg in H.
  apply (Rmult_eq_reg_l (2 * sin (node k))); [| lra]. rewrite H. ring.
Qed.

Lemma inverse_square_sine : forall k, (0 < k < K)%nat ->
  / sin (node k) ^ 2 = - (4 / INR K) * sum K (fun j => parabola (INR K) (INR j) * cos (2 * INR j * node k)).
Proof using K_two.
  intros k Hk. assert (HK := INR_ge_2 K K_two). assert (Hs := node_sine k Hk).
  assert (H := summation_by_parts (INR K) (node k) K).
  rewrite (sum_ext K _ (fun j => 4 * sin (node k) ^ 2 * (parabola (INR K) (INR j) * cos (2 * INR j * node k))
                                 - cos (2 * INR j * node k))) in H by (intros; ring).
  rewrite sum_minus, sum_scal, cosines_cancel in H by assumption.
  unfold boundary_term at 1 in H. rewrite node_times in H.
  replace (2 * INR k * PI) with (0 + 2 * INR k * PI) in H by ring. rewrite cos_period, cos_0 in H.
  unfold parabola at 2 3 in H.
  revert H. generalize (sum K (fun j => parabola (INR K) (INR j) * cos (2 * INR j * node k))). intros F H.
  assert (HF : 4 * sin (node k) ^ 2 * F = - INR K) by (rewrite Rminus_0_r in H; rewrite H; field).
  apply (Rmult_eq_reg_l (sin (node k) ^ 2 * INR K)); [| apply Rmult_integral_contrapositive_currified;
    [apply pow_nonzero |]; lra].
  replace (sin (node k) ^ 2 * INR K * / sin (node k) ^ 2) with (INR K) by (field; lra).
  replace (sin (node k) ^ 2 * INR K * (- (4 / INR K) * F)) with (- (4 * sin (node k) ^ 2 * F))
    by (field; lra).
  rewrite HF. ring.
Qed.

Lemma sum_of_parabola : forall N m,
  sum m (fun j => parabola N (INR j))
  = N * INR m * (INR m - 1) / 4 - INR m * (INR m - 1) * (2 * INR m - 1) / 12.
Proof using.
  intros N m. induction m as [| m IH]; cbn [sum].
  - change (INR 0) with 0. field.
  - rewrite IH, S_INR. unfold parabola. field.
Qed.

Lemma sum_of_inverse_squares : sum (K - 1) (fun i => / sin (node (S i)) ^ 2) = (INR K ^ 2 - 1) / 3.
Proof using K_two.
  assert (HK := INR_ge_2 K K_two).
  rewrite (sum_ext (K - 1) _ (fun i => - (4 / INR K)
             * sum K (fun j => parabola (INR K) (INR j) * cos (2 * INR j * node (S i)))))
    by (intros i Hi; apply inverse_square_sine; lia).
  rewrite sum_scal, sum_swap.
  rewrite (sum_ext K _ (fun j => - parabola (INR K) (INR j))).
  - rewrite sum_opp, sum_of_parabola. field. lra.
  - intros j Hj. rewrite sum_scal. destruct (Nat.eq_dec j 0) as [-> | Hj0].
    + change (INR 0) with 0. unfold parabola. field.
    + replace (sum (K - 1) (fun i => cos (2 * INR j * node (S i)))) with (- (1)); [ring |].
      assert (H := cosines_cancel j ltac:(lia)).
      replace K with (1 + (K - 1))%nat in H at 1 by lia.
      rewrite sum_split in H. cbn [sum] in H.
      rewrite (sum_ext (K - 1) (fun i => cos (2 * INR (1 + i) * node j))
                 (fun i => cos (2 * INR j * node (S i)))) in H.
      * change (INR 0) with 0 in H. replace (2 * 0 * node j) with 0 in H by ring. rewrite cos_0 in H. lra.
      * intros i _. f_equal. unfold node. cbn [Nat.add]. field. lra.
Qed.

Lemma node_angle : forall i, node (S i) = 2 * INR (i + 1) * theta K.
Proof using K_two.
  intros i. assert (HK := INR_ge_2 K K_two). unfold node, theta. replace (i + 1)%nat with (S i) by lia.
  field. lra.
Qed.

Lemma lemma6c :
  sum (K - 1) (fun i => / (inner_grid K i * (1 - inner_grid K i))) = 4 * (INR K ^ 2 - 1) / 3.
Proof using K_two.
  rewrite (sum_ext (K - 1) _ (fun i => 4 * / sin (node (S i)) ^ 2)).
  - rewrite sum_scal, sum_of_inverse_squares. field.
  - intros i Hi. rewrite inner_grid_sine_point, variance by assumption. rewrite <- node_angle.
    assert (Hs := node_sine (S i) ltac:(lia)). field. lra.
Qed.

(** ** (d) The sum of the inverse standard deviations *)

Definition log_tan (t : R) : R := ln (sin (t / 2)) - ln (cos (t / 2)).

Lemma derivative_half : forall x, derivable_pt_lim (fun u => u / 2) x (/ 2).
Proof using.
  intros x. replace (/ 2) with (1 * / 2 + x * 0) by ring.
  apply (derivable_pt_lim_mult (fun u => u) (fun _ => / 2));
    [apply derivable_pt_lim_id | apply derivable_pt_lim_const].
Qed.

Lemma log_tan_derivative : forall t, 0 < t < PI -> derivable_pt_lim log_tan t (/ sin t).
Proof using.
  intros t Ht. assert (Hs : 0 < sin (t / 2)) by (apply sin_gt_0; lra).
  assert (Hc : 0 < cos (t / 2)) by (apply cos_gt_0; lra).
  assert (Hsin : sin t = 2 * sin (t / 2) * cos (t / 2)) by (rewrite <- sin_2a; f_equal; field).
  assert (H := sin2_cos2 (t / 2)). unfold Rsqr in H.
  replace (/ sin t)
    with (/ sin (t / 2) * (cos (t / 2) * / 2) - / cos (t / 2) * (- sin (t / 2) * / 2)).
  2: { rewrite Hsin.
       replace (/ sin (t / 2) * (cos (t / 2) * / 2) - / cos (t / 2) * (- sin (t / 2) * / 2))
         with ((sin (t / 2) * sin (t / 2) + cos (t / 2) * cos (t / 2)) / (2 * sin (t / 2) * cos (t / 2)))
         by (field; lra).
       rewrite H. field. lra. }
  apply (derivable_pt_lim_minus (fun u => ln (sin (u / 2))) (fun u => ln (cos (u / 2)))).
  - apply (derivable_pt_lim_comp (fun u => sin (u / 2)) ln); [| now apply derivable_pt_lim_ln].
    apply (derivable_pt_lim_comp (fun u => u / 2) sin); [apply derivative_half | apply derivable_pt_lim_sin].
  - apply (derivable_pt_lim_comp (fun u => cos (u / 2)) ln); [| now apply derivable_pt_lim_ln].
    apply (derivable_pt_lim_comp (fun u => u / 2) cos); [apply derivative_half | apply derivable_pt_lim_cos].
Qed.

(** The cosecant is convex. *)
Lemma cosecant_convex : forall x b, 0 < x - b -> x + b < PI -> 0 <= b ->
  2 / sin x <= / sin (x + b) + / sin (x - b).
Proof using.
  intros x b H0 H1 Hb.
  assert (Hu : 0 < sin (x + b)) by (apply sin_gt_0; lra).
  assert (Hv : 0 < sin (x - b)) by (apply sin_gt_0; lra).
  assert (Hw : 0 < sin x) by (apply sin_gt_0; lra).
  assert (Hsum : sin (x + b) + sin (x - b) <= 2 * sin x).
  { rewrite sin_plus, sin_minus. assert (Hc := COS_bound b). nra. }
  assert (Htangent : forall u, 0 < u -> 2 / sin x - u / sin x ^ 2 <= / u).
  { intros u Hpos. apply (Rmult_le_reg_r (u * sin x ^ 2)); [apply Rmult_lt_0_compat; [| apply pow_lt]; lra |].
    replace (/ u * (u * sin x ^ 2)) with (sin x ^ 2) by (field; lra).
    replace ((2 / sin x - u / sin x ^ 2) * (u * sin x ^ 2)) with (2 * u * sin x - u ^ 2) by (field; lra).
    assert (Hsq := pow2_ge_0 (sin x - u)). lra. }
  assert (T1 := Htangent _ Hu). assert (T2 := Htangent _ Hv).
  assert (Hsum' : (sin (x + b) + sin (x - b)) / sin x ^ 2 <= 2 / sin x).
  { apply (Rmult_le_reg_r (sin x ^ 2)); [apply pow_lt; lra |].
    replace ((sin (x + b) + sin (x - b)) / sin x ^ 2 * sin x ^ 2) with (sin (x + b) + sin (x - b))
      by (field; lra).
    replace (2 / sin x * sin x ^ 2) with (2 * sin x) by (field; lra). exact Hsum. }
  lra.
Qed.

Lemma cosecant_below_mean : forall x b, 0 < x - b -> x + b < PI -> 0 < b ->
  2 * b / sin x <= log_tan (x + b) - log_tan (x - b).
Proof using.
  intros x b H0 H1 Hb.
  destruct (MVT_cor2 (fun u => log_tan (x + u) - log_tan (x - u) - 2 / sin x * u)
              (fun u => / sin (x + u) * (0 + 1) - / sin (x - u) * (0 - 1) - 2 / sin x) 0 b Hb)
    as (c & Hc & Hc0).
  - intros u Hu.
    apply (derivable_pt_lim_minus (fun u => log_tan (x + u) - log_tan (x - u)) (fun u => 2 / sin x * u)).
    + apply (derivable_pt_lim_minus (fun u => log_tan (x + u)) (fun u => log_tan (x - u))).
      * apply (derivable_pt_lim_comp (fun u => x + u) log_tan); [| apply log_tan_derivative; lra].
        apply (derivable_pt_lim_plus (fun _ => x) (fun u => u));
          [apply derivable_pt_lim_const | apply derivable_pt_lim_id].
      * apply (derivable_pt_lim_comp (fun u => x - u) log_tan); [| apply log_tan_derivative; lra].
        apply (derivable_pt_lim_minus (fun _ => x) (fun u => u));
          [apply derivable_pt_lim_const | apply derivable_pt_lim_id].
    + assert (H := derivable_pt_lim_scal (fun u => u) (2 / sin x) u 1 (derivable_pt_lim_id u)).
      rewrite Rmult_1_r in H. exact H.
  - assert (H := cosecant_convex x c ltac:(lra) ltac:(lra) ltac:(lra)).
    rewrite Rplus_0_r, !Rminus_0_r, Rmult_0_r in Hc.
    assert (0 <= (/ sin (x + c) * (0 + 1) - / sin (x - c) * (0 - 1) - 2 / sin x) * b)
      by (apply Rmult_le_pos; lra).
    replace (2 * b / sin x) with (2 / sin x * b) by (unfold Rdiv; ring). lra.
Qed.

Lemma sum_telescopes : forall f m, sum m (fun i => f (S i) - f i) = f m - f 0%nat.
Proof using. intros f m. induction m as [| m IH]; cbn [sum]; [| rewrite IH]; ring. Qed.

Lemma lemma6d :
  sum (K - 1) (fun i => / sqrt (inner_grid K i * (1 - inner_grid K i)))
  <= 4 * INR K / PI * ln (4 * INR K / PI).
Proof using K_two.
  assert (HK := INR_ge_2 K K_two). assert (HPI := PI_RGT_0).
  assert (Ht := theta_bounds K K_two). assert (HKt := theta_times K K_two).
  set (t := theta K) in *.
  assert (Hterm : forall i, (i < K - 1)%nat ->
            / sqrt (inner_grid K i * (1 - inner_grid K i))
            <= / t * (log_tan ((2 * INR (S i) + 1) * t) - log_tan ((2 * INR i + 1) * t))).
  { intros i Hi. rewrite inner_grid_sine_point, variance by assumption. fold t.
    assert (Hs := sine_inside K K_two (i + 1) ltac:(lia)). fold t in Hs.
    rewrite sqrt_pow2 by lra.
    assert (Hi0 := pos_INR i).
    assert (Hi1 : INR (S i) <= INR (K - 1)) by (apply le_INR; lia).
    rewrite minus_INR in Hi1 by lia. change (INR 1) with 1 in Hi1. rewrite S_INR in *.
    replace (INR (i + 1)) with (INR i + 1) in * by (rewrite plus_INR; reflexivity).
    assert (H := cosecant_below_mean (2 * (INR i + 1) * t) t ltac:(nra) ltac:(nra) ltac:(lra)).
    replace (2 * (INR i + 1) * t + t) with ((2 * (INR i + 1) + 1) * t) in H by ring.
    replace (2 * (INR i + 1) * t - t) with ((2 * INR i + 1) * t) in H by ring.
    apply (Rmult_le_reg_l t); [lra |]. rewrite <- Rmult_assoc, Rinv_r, Rmult_1_l by lra.
    replace (t * / (sin (2 * (INR i + 1) * t) / 2)) with (2 * t / sin (2 * (INR i + 1) * t)) by (field; lra).
    exact H. }
  apply sum_le in Hterm. rewrite sum_scal in Hterm.
  rewrite (sum_telescopes (fun i => log_tan ((2 * INR i + 1) * t))) in Hterm.
  change (INR 0) with 0 in Hterm.
  rewrite minus_INR in Hterm by lia. change (INR 1) with 1 in Hterm.
  replace ((2 * (INR K - 1) + 1) * t) with (PI - t) in Hterm by (rewrite <- HKt; ring).
  replace ((2 * 0 + 1) * t) with t in Hterm by ring.
  assert (Hc : 0 < cos (t / 2)) by (apply cos_gt_0; lra).
  assert (Hs : 0 < sin (t / 2)) by (apply sin_gt_0; lra).
  assert (Hmirror : log_tan (PI - t) = - log_tan t).
  { unfold log_tan. replace ((PI - t) / 2) with (PI / 2 - t / 2) by field.
    rewrite sin_shift, cos_shift. ring. }
  assert (Hlog : - log_tan t <= ln (2 / t)).
  { unfold log_tan.
    replace (- (ln (sin (t / 2)) - ln (cos (t / 2)))) with (ln (cos (t / 2)) - ln (sin (t / 2))) by ring.
    rewrite <- ln_div by assumption. apply ln_le; [now apply Rdiv_lt_0_compat |].
    assert (H := tangent_above (t / 2) ltac:(lra)).
    apply (Rmult_le_reg_r (sin (t / 2) * (t / 2))); [apply Rmult_lt_0_compat; lra |].
    replace (cos (t / 2) / sin (t / 2) * (sin (t / 2) * (t / 2))) with (t / 2 * cos (t / 2)) by (field; lra).
    replace (2 / t * (sin (t / 2) * (t / 2))) with (sin (t / 2)) by (field; lra). exact H. }
  apply Rle_trans with (1 := Hterm). rewrite Hmirror.
  replace (4 * INR K / PI) with (2 / t) at 2 by (unfold t, theta; field; lra).
  replace (4 * INR K / PI) with (2 * / t) by (unfold t, theta; field; lra).
  assert (Hinv : 0 < / t) by (apply Rinv_0_lt_compat; lra). nra.
Qed.

End Curvatures.

(** Lemma 6, with constants. Let K >= 2, theta = pi / 2K, z_i = sin^2 (i theta) for i = 0, ..., K and
    d_i = z_i - z_(i-1). Then
    (a) 0 < d_i <= theta for 1 <= i <= K;
    (b) max (d_i, d_(i+1))^2 / (z_i (1 - z_i)) <= (sin 3 theta / cos theta)^2 <= 9 pi^2 / 4K^2 for
        0 < i < K, and the first inequality is an equality at i = 1;
    (c) the sum of 1 / (z_i (1 - z_i)) over 0 < i < K is 4 (K^2 - 1) / 3;
    (d) the sum of 1 / sqrt (z_i (1 - z_i)) over 0 < i < K is at most (4K / pi) log (4K / pi). *)
Theorem lemma6 : forall K, (2 <= K)%nat ->
  (forall i, (0 < i <= K)%nat -> 0 < sine_point K i - sine_point K (i - 1) <= PI / (2 * INR K))
  /\ (forall i, (0 < i < K)%nat ->
        Rmax (sine_point K i - sine_point K (i - 1)) (sine_point K (S i) - sine_point K i) ^ 2
          / (sine_point K i * (1 - sine_point K i))
        <= (sin (3 * (PI / (2 * INR K))) / cos (PI / (2 * INR K))) ^ 2)
  /\ Rmax (sine_point K 1 - sine_point K 0) (sine_point K 2 - sine_point K 1) ^ 2
       / (sine_point K 1 * (1 - sine_point K 1))
     = (sin (3 * (PI / (2 * INR K))) / cos (PI / (2 * INR K))) ^ 2
  /\ (sin (3 * (PI / (2 * INR K))) / cos (PI / (2 * INR K))) ^ 2 <= 9 * PI ^ 2 / (4 * INR K ^ 2)
  /\ sum (K - 1) (fun i => / (sine_point K (i + 1) * (1 - sine_point K (i + 1)))) = 4 * (INR K ^ 2 - 1) / 3
  /\ sum (K - 1) (fun i => / sqrt (sine_point K (i + 1) * (1 - sine_point K (i + 1))))
     <= 4 * INR K / PI * ln (4 * INR K / PI).
Proof.
  intros K HK. split; [| split; [| split; [| split; [| split]]]].
  - intros i Hi. assert (H := gap_positive K HK (i - 1) ltac:(lia)).
    replace (S (i - 1)) with i in H by lia. exact H.
  - intros i Hi. now apply lemma6b.
  - now apply lemma6b_attained.
  - now apply worst_ratio.
  - now apply lemma6c.
  - now apply lemma6d.
Qed.
