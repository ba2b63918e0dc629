(** * What a grid of n fixed points costs, twice the bound of [FixedGrid] for large n

    Let th = pi/(2 (n + sqrt 2 - 1)). The two end gaps of the angles and the n - 1 inner ones add up to pi/2
    = (n - 1) th + 2 th/sqrt 2. So an end gap is at least th/sqrt 2, and then 0 or 1 has the divergence
    2 ln sec(th/sqrt 2) from the nearest point; or an inner gap is at least th, and then the radius is at least
    ln sec th, by [cell_radius_lower], which is no less. *)

From Coq Require Import Reals Arith Lia Lra Psatz List.
From KLCal Require Import Definitions Basics LogOdds LogOddsDraws SineRadius Rate FixedGrid.
From KLCal Require TreeAngle.
Import ListNotations.
Open Scope R_scope.

Notation angle := TreeAngle.angle.

Lemma angle_inside p : 0 < p < 1 -> 0 < angle p < PI / 2 /\ sin (angle p) ^ 2 = p.
Proof.
  intros Hp. pose proof (TreeAngle.sin_angle p ltac:(lra)) as Hs.
  pose proof (TreeAngle.angle_range p ltac:(lra)) as Hr. split; [|exact Hs]. split.
  - destruct (proj1 Hr) as [H|H]; [exact H|]. rewrite <- H, sin_0 in Hs. lra.
  - destruct (proj2 Hr) as [H|H]; [exact H|]. rewrite H, sin_PI2 in Hs. lra.
Qed.

Section Grid.
Variables (n : nat) (z : nat -> R).
Hypothesis Hgrid : increasing_grid n z.

Let a (i : nat) : R := angle (z i).

Let a_inside i : (i < n)%nat -> 0 < a i < PI / 2 /\ sin (a i) ^ 2 = z i.
Proof. intros Hi. now apply angle_inside, Hgrid. Qed.

Lemma gap_positive i : (S i < n)%nat -> a i < a (S i).
Proof using Hgrid a_inside.
  intros Hi. destruct (a_inside i ltac:(lia)) as [H1 E1]. destruct (a_inside (S i) Hi) as [H2 E2].
  destruct (Rlt_le_dec (a i) (a (S i))) as [|Hle]; [assumption|]. exfalso.
  pose proof (TreeAngle.sin_sq_le (a (S i)) (a i) ltac:(lra) ltac:(lra) Hle).
  pose proof (proj2 (proj2 Hgrid) i Hi). lra.
Qed.

(** An inner gap. *)
Lemma radius_by_gap i : (S i < n)%nat -> ln (/ cos (a (S i) - a i)) <= radius n z.
Proof using Hgrid a_inside.
  intros Hi. pose proof PI_RGT_0. eapply Rle_trans; [|now apply (radius_above_cell n z Hgrid i)].
  pose proof (gap_positive i Hi) as Hgap.
  destruct (a_inside i ltac:(lia)) as [H1 E1]. destruct (a_inside (S i) Hi) as [H2 E2]. rewrite <- E1, <- E2.
  pose proof (sin2_cos2 (a i)) as Ea. pose proof (sin2_cos2 (a (S i))) as Eb. rewrite !Rsqr_pow2 in Ea, Eb.
  assert (Hsa : 0 < sin (a i)) by (apply sin_gt_0; lra).
  assert (Hcb : 0 < cos (a (S i))) by (apply cos_gt_0; lra).
  assert (Hsb : sin (a i) < sin (a (S i))) by (apply sin_increasing_1; lra).
  assert (Hca : cos (a (S i)) < cos (a i)) by (apply cos_decreasing_1; lra).
  pose proof (cell_radius_lower _ _ _ _ Hsa Hsb Hcb Hca Ea Eb) as H0.
  rewrite cos_minus. replace (cos (a (S i)) * cos (a i) + sin (a (S i)) * sin (a i))
    with (cos (a i) * cos (a (S i)) + sin (a i) * sin (a (S i))) by ring. exact H0.
Qed.

(** The two end gaps. *)
Lemma radius_by_ends :
  2 * ln (/ cos (a 0)) <= radius n z /\ 2 * ln (/ cos (PI / 2 - a (n - 1))) <= radius n z.
Proof using Hgrid a_inside.
  pose proof PI_RGT_0. destruct Hgrid as (Hn & Hz & _). destruct (radius_above_ends n z Hgrid) as [R0 R1].
  rewrite KL_0 in R0 by now apply Hz. rewrite KL_1 in R1 by (apply Hz; lia).
  unfold loss in R0, R1. cbn [prob] in R0, R1.
  destruct (a_inside 0 Hn) as [H0 E0]. destruct (a_inside (n - 1) ltac:(lia)) as [H1 E1].
  rewrite <- E0 in R0. rewrite <- E1 in R1. pose proof (sin2_cos2 (a 0)) as Es. rewrite !Rsqr_pow2 in Es.
  replace (1 - sin (a 0) ^ 2) with (cos (a 0) ^ 2) in R0 by lra. rewrite cos_shift.
  assert (Hc : 0 < cos (a 0)) by (apply cos_gt_0; lra). assert (Hs : 0 < sin (a (n - 1))) by (apply sin_gt_0; lra).
  rewrite ln_pow2 in R0, R1 by assumption. rewrite !ln_Rinv by assumption. lra.
Qed.

(** The cost of the points: no increasing grid of n points has a smaller radius. *)
Theorem radius_at_least :
  2 * ln (/ cos (PI / (2 * sqrt 2 * (INR n + sqrt 2 - 1)))) <= radius n z.
Proof using Hgrid a_inside.
  pose proof PI_RGT_0 as HPI. pose proof (proj1 Hgrid) as Hn.
  assert (Hn1 : 1 <= INR n) by now apply (le_INR 1).
  pose proof (sqrt_lt_R0 2 ltac:(lra)) as H2. pose proof (sqrt_sqrt 2 ltac:(lra)) as H22.
  assert (H1 : 1 < sqrt 2) by nra.
  set (th := PI / (2 * (INR n + sqrt 2 - 1))). set (s := th / sqrt 2).
  assert (Hth : 0 < th) by (unfold th; apply Rdiv_lt_0_compat; lra).
  assert (Es : PI / (2 * sqrt 2 * (INR n + sqrt 2 - 1)) = s) by (unfold s, th; field; lra).
  assert (Eth : th = sqrt 2 * s) by (unfold s; field; lra).
  assert (Hs : 0 < s) by (unfold s; apply Rdiv_lt_0_compat; lra).
  assert (Esum : (INR n - 1) * th + 2 * s = PI / 2).
  { replace (2 * s) with (sqrt 2 * th); [unfold th; field; lra|]. rewrite Eth, <- Rmult_assoc, H22. reflexivity. }
  rewrite Es. destruct radius_by_ends as [R0 R1].
  assert (Hmono : forall u v, 0 <= u <= v -> v < PI / 2 -> ln (/ cos u) <= ln (/ cos v)).
  { intros u v Huv Hv. assert (0 < cos v) by (apply cos_gt_0; lra).
    assert (cos v <= cos u) by (apply cos_decr_1; lra).
    apply ln_le; [apply Rinv_0_lt_compat; lra|]. apply Rinv_le_contravar; lra. }
  destruct (a_inside 0 Hn) as [A0 _]. destruct (a_inside (n - 1) ltac:(lia)) as [A1 _].
  destruct (Rle_lt_dec s (a 0)) as [Hle|Hlt0]; [pose proof (Hmono s (a 0%nat) ltac:(lra) ltac:(lra)); lra|].
  destruct (Rle_lt_dec s (PI / 2 - a (n - 1))) as [Hle|Hlt1];
    [pose proof (Hmono s (PI / 2 - a (n - 1)%nat) ltac:(lra) ltac:(lra)); lra|].
  destruct (lowest (n - 1) (fun i => at_most th (a (S i) - a i))) as [i|] eqn:E.
  - apply lowest_some in E. destruct E as (Hi & Ht & _). apply at_most_true in Ht.
    pose proof (radius_by_gap i ltac:(lia)) as Hr.
    destruct (a_inside i ltac:(lia)) as [B0 _]. destruct (a_inside (S i) ltac:(lia)) as [B1 _].
    pose proof (Hmono th (a (S i) - a i) ltac:(lra) ltac:(lra)) as Hm.
    (* 2 ln sec(th / sqrt 2) <= ln sec th *)
    assert (Hl : 0 < / sqrt 2 < 1).
    { split; [now apply Rinv_0_lt_compat|]. rewrite <- Rinv_1. apply Rinv_lt_contravar; lra. }
    pose proof (ln_sec_chord th (/ sqrt 2) ltac:(lra) Hl) as Hc.
    replace (/ sqrt 2 * th) with s in Hc by (unfold s; field; lra).
    replace ((/ sqrt 2) ^ 2) with (/ 2) in Hc; [lra|].
    rewrite <- H22 at 1. field. lra.
  - exfalso. pose proof (lowest_none _ _ E) as Hall.
    assert (Hchain : forall j, (j <= n - 1)%nat -> a j <= a 0 + INR j * th).
    { induction j as [|j IH]; intros Hj; [cbn [INR]; lra|].
      specialize (Hall j ltac:(lia)). apply at_most_false in Hall. specialize (IH ltac:(lia)). rewrite S_INR. lra. }
    specialize (Hchain (n - 1)%nat (le_n _)). rewrite minus_INR in Hchain by lia. cbn [INR] in Hchain. lra.
Qed.

End Grid.

(** For every increasing grid of n points there is a coin that costs every forecaster on it
    2 T ln sec(pi/(2 sqrt 2 (n + sqrt 2 - 1))), for every T; this is at least pi^2 T/(8 (n + sqrt 2 - 1)^2). *)
Theorem fixed_grid_sharp n z : increasing_grid n z -> exists p, 0 <= p <= 1 /\
  forall F, proper_forecaster F -> (forall h, (choices F h <= n)%nat) ->
  forall T, 2 * INR T * ln (/ cos (PI / (2 * sqrt 2 * (INR n + sqrt 2 - 1))))
            <= expect F (fun _ => p) T (KLCal n z) []
    /\ PI ^ 2 / 8 * (INR T / (INR n + sqrt 2 - 1) ^ 2)
       <= 2 * INR T * ln (/ cos (PI / (2 * sqrt 2 * (INR n + sqrt 2 - 1)))).
Proof.
  intros Hgrid. destruct (radius_lower_bound n z Hgrid) as (p & Hp & H). exists p. split; [exact Hp|].
  intros F HF Hc T. pose proof (pos_INR T) as HT. split.
  - eapply Rle_trans; [|now apply H]. pose proof (radius_at_least n z Hgrid) as Hr.
    apply (Rmult_le_compat_l (INR T)) in Hr; lra.
  - pose proof PI_RGT_0 as HPI. assert (Hn : 1 <= INR n) by (apply (le_INR 1); apply Hgrid).
    pose proof (sqrt_lt_R0 2 ltac:(lra)) as H2. pose proof (sqrt_sqrt 2 ltac:(lra)) as H22.
    set (m := INR n + sqrt 2 - 1). assert (Hm : sqrt 2 <= m) by (unfold m; lra).
    set (x := PI / (2 * sqrt 2 * m)).
    assert (Hx : 0 < x) by (unfold x; apply Rdiv_lt_0_compat; nra).
    assert (Hx4 : x <= PI / 4).
    { unfold x, Rdiv. apply Rmult_le_compat_l; [lra|]. apply Rinv_le_contravar; nra. }
    assert (Hcos : 0 < cos x) by (apply cos_gt_0; lra).
    pose proof (TreeAngle.minus_two_ln_cos x ltac:(rewrite Rabs_pos_eq; lra)) as Hln.
    rewrite ln_Rinv by exact Hcos. apply (Rmult_le_compat_l (INR T)) in Hln; [|exact HT].
    replace (PI ^ 2 / 8 * (INR T / m ^ 2)) with (INR T * x ^ 2); [lra|].
    replace (x ^ 2) with (PI ^ 2 / (4 * (sqrt 2 * sqrt 2) * m ^ 2)) by (unfold x; field; lra).
    rewrite H22. field. lra.
Qed.
