(** * From the cell to its point

    For every r, KL(r, z) <= 2 KL(r, q) + ln (1 + chi^2(q, z)), by Jensen's inequality. The cell of a point z
    of PAIR is exactly the set where chi^2(q, z) <= tan^2 theta, theta = pi/2K: its ends are z - s tan theta
    and z + s tan theta with s = sqrt (z (1 - z)), the outer ends 0 and 1 included. So the price of going from
    a point of the cell to z is 2 ln sec theta. *)

From Coq Require Import Reals Lra Lia Psatz.
From KLCal Require Import Definitions Basics KT TreeCell Lemma6.
Open Scope R_scope.

(** ** Jensen's inequality *)

Lemma sec_square theta : cos theta <> 0 -> / cos theta * / cos theta = 1 + tan theta ^ 2.
Proof.
  intros Hcos. unfold tan. pose proof (sin2_cos2 theta) as H. unfold Rsqr in H.
  transitivity ((sin theta * sin theta + cos theta * cos theta) / (cos theta * cos theta)).
  - rewrite H. field. lra.
  - field. lra.
Qed.

Theorem KL_cell_to_point r q z theta :
  0 <= r <= 1 -> 0 < q < 1 -> 0 < z < 1 -> 0 < cos theta ->
  (q - z) ^ 2 <= tan theta ^ 2 * (z * (1 - z)) ->
  KL r z <= 2 * KL r q + 2 * ln (/ cos theta).
Proof.
  intros Hr Hq Hz Hcos Hchi.
  assert (Hzz : 0 < z * (1 - z)) by (apply Rmult_lt_0_compat; lra).
  eapply Rle_trans; [apply (KL_two_steps r q z); lra |]. apply Rplus_le_compat_l.
  assert (Hinv : 0 < / cos theta) by now apply Rinv_0_lt_compat.
  replace (2 * ln (/ cos theta)) with (ln (/ cos theta * / cos theta)) by (rewrite ln_mult by lra; ring).
  rewrite sec_square by lra. apply ln_le.
  - enough (0 <= (q - z) ^ 2 / (z * (1 - z))) by lra.
    apply Rmult_le_pos; [apply pow2_ge_0 | left; now apply Rinv_0_lt_compat].
  - apply Rplus_le_compat_l. apply Rmult_le_reg_r with (z * (1 - z)); [lra |].
    unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra.
Qed.

(** ** The grid and the cells of PAIR *)

(** The angle of grid point i; neighbours differ by [theta K]. *)
Definition angle (K i : nat) : R := PI * INR i / (2 * INR K).

Section Cells.
  Variable K : nat.
  Hypothesis HK : (2 <= K)%nat.

  Lemma cos_theta_pos : 0 < cos (theta K).
  Proof using HK. pose proof (theta_bounds K HK). apply cos_gt_0; lra. Qed.

  Lemma sin_theta_pos : 0 < sin (theta K).
  Proof using HK. pose proof (theta_bounds K HK). apply sin_gt_0; lra. Qed.

  Lemma ln_sec_nonneg : 0 <= ln (/ cos (theta K)).
  Proof using HK.
    pose proof cos_theta_pos. pose proof (COS_bound (theta K)). apply ln_inv_nonneg. lra.
  Qed.

  Lemma angle_zero : angle K 0 = 0.
  Proof. unfold angle. cbn [INR]. unfold Rdiv. ring. Qed.

  Lemma angle_succ i : angle K (S i) = angle K i + theta K.
  Proof using HK. pose proof (INR_ge_2 K HK). unfold angle, theta. rewrite S_INR. field. lra. Qed.

  Lemma angle_last : angle K K = PI / 2.
  Proof using HK. pose proof (INR_ge_2 K HK). unfold angle. field. lra. Qed.

  Lemma angle_bounds i : (0 < i < K)%nat -> 0 < angle K i < PI / 2.
  Proof using HK.
    intros [Hi HiK]. pose proof (INR_ge_2 K HK). pose proof PI_RGT_0.
    assert (0 < INR i) by now apply lt_0_INR. assert (INR i < INR K) by now apply lt_INR.
    rewrite <- angle_last. unfold angle. split.
    - apply Rdiv_lt_0_compat; [now apply Rmult_lt_0_compat | lra].
    - apply Rmult_lt_compat_r; [apply Rinv_0_lt_compat; lra | now apply Rmult_lt_compat_l].
  Qed.

  Lemma sin_cos_angle_pos i : (0 < i < K)%nat -> 0 < sin (angle K i) /\ 0 < cos (angle K i).
  Proof using HK.
    intros Hi. pose proof (angle_bounds i Hi). pose proof PI2_RGT_0.
    split; [apply sin_gt_0 | apply cos_gt_0]; lra.
  Qed.

  Lemma inner_grid_angle i : inner_grid K i = sin (angle K (S i)) ^ 2.
  Proof. unfold inner_grid, angle. now rewrite Nat.add_1_r. Qed.

  Lemma inner_grid_complement i : 1 - inner_grid K i = cos (angle K (S i)) ^ 2.
  Proof.
    rewrite inner_grid_angle. pose proof (sin2_cos2 (angle K (S i))) as H. unfold Rsqr in H. lra.
  Qed.

  Lemma inner_grid_open i : (S i < K)%nat -> 0 < inner_grid K i < 1.
  Proof using HK.
    intros Hi. pose proof (sin_cos_angle_pos (S i) ltac:(lia)) as [Hs Hc].
    pose proof (inner_grid_complement i) as H. pose proof (pow_lt _ 2 Hc).
    split; [rewrite inner_grid_angle; now apply pow_lt | lra].
  Qed.

  Lemma deviation_angle i : (S i < K)%nat ->
    deviation (inner_grid K i) = sin (angle K (S i)) * cos (angle K (S i)).
  Proof using HK.
    intros Hi. pose proof (sin_cos_angle_pos (S i) ltac:(lia)) as [Hs Hc].
    unfold deviation. rewrite inner_grid_complement, inner_grid_angle.
    replace (sin (angle K (S i)) ^ 2 * cos (angle K (S i)) ^ 2)
      with (Rsqr (sin (angle K (S i)) * cos (angle K (S i)))) by (unfold Rsqr; ring).
    apply sqrt_Rsqr. left. now apply Rmult_lt_0_compat.
  Qed.

  (** The boundary between the angles a and b, the ends 0 and 1 included: sin a sin b / cos (b - a). *)
  Lemma boundary_angle i : (i < K)%nat ->
    boundary K i = sin (angle K i) * sin (angle K (S i)) / cos (theta K).
  Proof using HK.
    intros Hi. pose proof cos_theta_pos as Hcos. unfold boundary.
    destruct (Nat.eqb_spec i 0) as [-> | Hi0].
    { rewrite angle_zero, sin_0. unfold Rdiv. ring. }
    destruct (Nat.ltb_spec i (K - 1)) as [HiK | HiK].
    - rewrite !deviation_angle, !inner_grid_angle by lia.
      replace (S (i - 1)) with i by lia.
      pose proof (sin_cos_angle_pos i ltac:(lia)) as [Hs Hc].
      pose proof (sin_cos_angle_pos (S i) ltac:(lia)) as [Hs' Hc'].
      assert (Hth : theta K = angle K (S i) - angle K i) by (rewrite angle_succ; ring).
      rewrite Hth in Hcos |- *. rewrite cos_minus in Hcos |- *.
      set (s := sin (angle K i)) in *. set (c := cos (angle K i)) in *.
      set (s' := sin (angle K (S i))) in *. set (c' := cos (angle K (S i))) in *.
      assert (Hone : s * s + c * c = 1) by (unfold s, c; exact (sin2_cos2 _)).
      assert (Hone' : s' * s' + c' * c' = 1) by (unfold s', c'; exact (sin2_cos2 _)).
      assert (Hden : s * c + s' * c' = (s * c' + s' * c) * (c' * c + s' * s)).
      { transitivity (s * c * (s' * s' + c' * c') + s' * c' * (s * s + c * c)); [rewrite Hone, Hone' |];
          ring. }
      assert (0 < s * c' + s' * c) by (apply Rplus_lt_0_compat; now apply Rmult_lt_0_compat).
      rewrite Hden. field. lra.
    - assert (Hlast : S i = K) by lia.
      assert (Hangle : angle K i = PI / 2 - theta K).
      { rewrite <- angle_last. pose proof (angle_succ i) as H. rewrite Hlast in H. lra. }
      rewrite Hangle, Hlast, angle_last, sin_PI2, sin_shift. field. lra.
  Qed.

  (** The cell of z reaches from z - s tan theta to z + s tan theta, s the standard deviation. *)
  Lemma lower_end i : (S i < K)%nat ->
    boundary K i = inner_grid K i - tan (theta K) * deviation (inner_grid K i).
  Proof using HK.
    intros Hi. pose proof cos_theta_pos as Hcos.
    rewrite boundary_angle, deviation_angle, inner_grid_angle by lia.
    replace (angle K i) with (angle K (S i) - theta K) by (rewrite angle_succ; ring).
    rewrite sin_minus. unfold tan. field. lra.
  Qed.

  Lemma upper_end i : (S i < K)%nat ->
    boundary K (S i) = inner_grid K i + tan (theta K) * deviation (inner_grid K i).
  Proof using HK.
    intros Hi. pose proof cos_theta_pos as Hcos.
    rewrite boundary_angle, deviation_angle, inner_grid_angle by lia.
    rewrite (angle_succ (S i)), sin_plus. unfold tan. field. lra.
  Qed.

  Lemma half_width_pos i : (S i < K)%nat -> 0 < tan (theta K) * deviation (inner_grid K i).
  Proof using HK.
    intros Hi. pose proof (sin_cos_angle_pos (S i) ltac:(lia)) as [Hs Hc].
    rewrite deviation_angle by exact Hi. apply Rmult_lt_0_compat; [| now apply Rmult_lt_0_compat].
    apply Rdiv_lt_0_compat; [apply sin_theta_pos | apply cos_theta_pos].
  Qed.

  (** Every point lies inside its cell, and the cells lie in [0, 1]. *)
  Lemma point_in_cell i : (S i < K)%nat -> boundary K i < inner_grid K i < boundary K (S i).
  Proof using HK.
    intros Hi. pose proof (half_width_pos i Hi). rewrite lower_end, upper_end by exact Hi. lra.
  Qed.

  Lemma boundary_zero : boundary K 0 = 0.
  Proof. reflexivity. Qed.

  Lemma boundary_last : boundary K (K - 1) = 1.
  Proof using HK.
    unfold boundary. destruct (Nat.eqb_spec (K - 1) 0); [lia |]. now rewrite Nat.ltb_irrefl.
  Qed.

  Lemma boundary_inside i : (0 < i < K - 1)%nat -> 0 < boundary K i < 1.
  Proof using HK.
    intros Hi. pose proof (point_in_cell (i - 1) ltac:(lia)) as Hl.
    replace (S (i - 1)) with i in Hl by lia.
    pose proof (point_in_cell i ltac:(lia)) as Hu.
    pose proof (inner_grid_open (i - 1) ltac:(lia)). pose proof (inner_grid_open i ltac:(lia)). lra.
  Qed.

  Lemma cell_is_proper i : (S i < K)%nat -> proper_cell (boundary K i) (boundary K (S i)).
  Proof using HK.
    intros Hi. pose proof (point_in_cell i Hi) as Hin. pose proof (inner_grid_open i Hi) as Hz.
    assert (Hlo : 0 <= boundary K i).
    { destruct (Nat.eq_dec i 0) as [-> | H0]; [rewrite boundary_zero; lra |].
      pose proof (boundary_inside i ltac:(lia)). lra. }
    assert (Hhi : boundary K (S i) <= 1).
    { destruct (Nat.eq_dec (S i) (K - 1)) as [-> | H0]; [rewrite boundary_last; lra |].
      pose proof (boundary_inside (S i) ltac:(lia)). lra. }
    unfold proper_cell. lra.
  Qed.

  Lemma cell_chi_square i q : (S i < K)%nat -> boundary K i <= q <= boundary K (S i) ->
    (q - inner_grid K i) ^ 2 <= tan (theta K) ^ 2 * (inner_grid K i * (1 - inner_grid K i)).
  Proof using HK.
    intros Hi Hq. rewrite lower_end, upper_end in Hq by exact Hi.
    pose proof (inner_grid_open i Hi) as Hz. pose proof (half_width_pos i Hi) as Hw.
    assert (Hdev : inner_grid K i * (1 - inner_grid K i) = deviation (inner_grid K i) ^ 2).
    { unfold deviation. rewrite <- Rsqr_pow2, Rsqr_sqrt; [reflexivity |]. apply Rmult_le_pos; lra. }
    rewrite Hdev, <- Rpow_mult_distr, <- !Rsqr_pow2. apply Rsqr_le_abs_1.
    rewrite (Rabs_pos_eq (tan _ * _)) by lra. apply Rabs_le. lra.
  Qed.

  (** For every r, every point z of PAIR's grid and every q in its cell:
      KL(r, z) <= 2 KL(r, q) + 2 ln sec (pi/2K). *)
  Theorem pair_cell_to_point i r q : (S i < K)%nat -> 0 <= r <= 1 -> 0 < q < 1 ->
    boundary K i <= q <= boundary K (S i) ->
    KL r (inner_grid K i) <= 2 * KL r q + 2 * ln (/ cos (theta K)).
  Proof using HK.
    intros Hi Hr Hq Hcell. apply KL_cell_to_point; auto using inner_grid_open, cos_theta_pos.
    now apply cell_chi_square.
  Qed.
End Cells.
