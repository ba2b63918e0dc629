(** * Lemma 7 of the paper, with its constant: the grid of Section 5

    The inner cells are those of Lemma 6 (b). The first and the last cell are mirror images of each other
    and half as wide in angle; there the bound is a quarter of the general one. *)

From Coq Require Import Reals Lra Psatz Lia Arith.
From KLCal Require Import Definitions Basics Lemma6.
Open Scope R_scope.

Section Grid.

Variable K : nat.
Hypothesis K_two : (2 <= K)%nat.
Let phi := theta K / 2.

Lemma angles : 0 < phi /\ phi <= PI / 8 /\ theta K = 2 * phi.
Proof using K_two.
  assert (H := theta_bounds K K_two). unfold phi. repeat split; lra.
Qed.

Lemma grid_first : grid K 0 = sin phi ^ 2.
Proof using K_two.
  assert (HK := INR_ge_2 K K_two). unfold grid. cbn [Nat.eqb].
  do 2 f_equal. unfold phi, theta. field. lra.
Qed.

Lemma grid_last : grid K K = 1 - sin phi ^ 2.
Proof using K_two.
  assert (HK := INR_ge_2 K K_two). unfold grid.
  destruct (Nat.eqb_spec K 0); [lia |]. rewrite Nat.ltb_irrefl.
  replace (PI / (4 * INR K)) with phi by (unfold phi, theta; field; lra).
  assert (H := sin2_cos2 phi). unfold Rsqr in H. lra.
Qed.

Lemma grid_inner : forall i, (0 < i < K)%nat -> grid K i = sine_point K i.
Proof using K_two.
  intros i Hi. unfold grid. destruct (Nat.eqb_spec i 0); [lia |]. destruct (Nat.ltb_spec i K); [| lia].
  reflexivity.
Qed.

Lemma grid_second : grid K 1 = sin (theta K) ^ 2.
Proof using K_two.
  rewrite grid_inner by lia. rewrite sine_point_angle by assumption. change (INR 1) with 1.
  do 2 f_equal. ring.
Qed.

Lemma grid_last_but_one : grid K (K - 1) = 1 - sin (theta K) ^ 2.
Proof using K_two.
  rewrite grid_inner by lia. rewrite sine_point_angle by assumption.
  rewrite minus_INR by lia. change (INR 1) with 1.
  assert (H := theta_times K K_two).
  replace ((INR K - 1) * theta K) with (PI / 2 - theta K) by lra. rewrite sin_shift.
  assert (H1 := sin2_cos2 (theta K)). unfold Rsqr in H1. lra.
Qed.

(** The gap of the end cells. *)
Lemma end_gap : sin (theta K) ^ 2 - sin phi ^ 2 = sin phi * sin (3 * phi).
Proof using K_two.
  destruct angles as (_ & _ & Htheta). rewrite Htheta.
  replace (sin (2 * phi)) with (sin (3 * phi / 2 + phi / 2)) by (f_equal; field).
  replace (sin phi) with (sin (3 * phi / 2 - phi / 2)) at 1 by (f_equal; field).
  rewrite sin_squared_gap. f_equal; f_equal; field.
Qed.

(** Both ratios of an end cell. *)
Lemma end_ratio : forall x, x = phi \/ x = theta K ->
  (sin phi * sin (3 * phi)) ^ 2 / (sin x ^ 2 * (1 - sin x ^ 2)) <= 9 * PI ^ 2 / (16 * INR K ^ 2).
Proof using K_two.
  intros x Hx. destruct angles as (H0 & H1 & H2). assert (HPI := PI_RGT_0).
  assert (HK := INR_ge_2 K K_two).
  assert (Hs : 0 < sin phi) by (apply sin_gt_0; lra).
  assert (Hc : 0 < cos phi) by (apply cos_gt_0; lra).
  assert (H3 : 0 < sin (3 * phi)) by (apply sin_gt_0; lra).
  assert (Hvar : (sin phi * cos phi) ^ 2 <= sin x ^ 2 * (1 - sin x ^ 2)).
  { rewrite sine_variance. apply pow_incr.
    assert (Hlow : sin phi * cos phi = sin (theta K) / 2) by (rewrite H2, sin_2a; field).
    split; [apply Rmult_le_pos; lra |]. rewrite Hlow.
    destruct Hx as [-> | ->]; [rewrite <- H2; lra |].
    assert (sin (theta K) <= sin (2 * theta K)); [| lra].
    apply sin_incr_1; lra. }
  replace (9 * PI ^ 2 / (16 * INR K ^ 2)) with ((3 * phi) ^ 2) by (unfold phi, theta; field; lra).
  assert (Hpos : 0 < (sin phi * cos phi) ^ 2) by (apply pow_lt, Rmult_lt_0_compat; assumption).
  apply Rle_trans with ((sin phi * sin (3 * phi)) ^ 2 / (sin phi * cos phi) ^ 2).
  - unfold Rdiv. apply Rmult_le_compat_l; [apply pow2_ge_0 |]. now apply Rinv_le_contravar.
  - replace ((sin phi * sin (3 * phi)) ^ 2 / (sin phi * cos phi) ^ 2) with ((sin (3 * phi) / cos phi) ^ 2)
      by (field; lra).
    apply pow_incr. split; [apply Rlt_le, Rdiv_lt_0_compat; assumption |]. apply triple_below; lra.
Qed.

Lemma quarter_below : 9 * PI ^ 2 / (16 * INR K ^ 2) <= 9 * PI ^ 2 / (4 * INR K ^ 2).
Proof using K_two.
  assert (HK := INR_ge_2 K K_two).
  assert (HPI := pow2_ge_0 PI). assert (HK2 : 0 < INR K ^ 2) by (apply pow_lt; lra).
  unfold Rdiv. apply Rmult_le_compat_l; [lra |]. apply Rinv_le_contravar; lra.
Qed.

(** A square below the square of the larger gap. *)
Lemma below_larger_gap : forall i (d : R), (0 < i < K)%nat -> 0 <= d ->
  (d <= sine_point K i - sine_point K (i - 1) \/ d <= sine_point K (S i) - sine_point K i) ->
  d ^ 2 / (sine_point K i * (1 - sine_point K i)) <= 9 * PI ^ 2 / (4 * INR K ^ 2).
Proof using K_two.
  intros i d Hi Hd Hle. apply Rle_trans with (2 := worst_ratio K K_two).
  apply Rle_trans with (2 := lemma6b K K_two i Hi). unfold Rdiv. apply Rmult_le_compat_r.
  - rewrite variance by assumption. assert (Hs := sine_inside K K_two i Hi).
    apply Rlt_le, Rinv_0_lt_compat, pow_lt. lra.
  - apply pow_incr. split; [assumption |].
    destruct Hle as [H | H]; (apply Rle_trans with (1 := H); [apply Rmax_l || apply Rmax_r]).
Qed.

End Grid.

(** Lemma 7, with its constant. Let K >= 2, let z_0 < ... < z_K be the grid of Section 5, and d_i = z_i -
    z_(i-1) for 1 <= i <= K. Then d_i^2 / (z_i (1 - z_i)) and d_i^2 / (z_(i-1) (1 - z_(i-1))) are at most 9
    pi^2 / 4K^2; in the first and in the last cell they are at most 9 pi^2 / 16K^2. *)
Theorem lemma7 : forall K, (2 <= K)%nat -> forall i, (0 < i <= K)%nat ->
  let d := grid K i - grid K (i - 1) in
  0 < d
  /\ d ^ 2 / (grid K i * (1 - grid K i)) <= 9 * PI ^ 2 / (4 * INR K ^ 2)
  /\ d ^ 2 / (grid K (i - 1) * (1 - grid K (i - 1))) <= 9 * PI ^ 2 / (4 * INR K ^ 2)
  /\ (i = 1%nat \/ i = K ->
        d ^ 2 / (grid K i * (1 - grid K i)) <= 9 * PI ^ 2 / (16 * INR K ^ 2)
        /\ d ^ 2 / (grid K (i - 1) * (1 - grid K (i - 1))) <= 9 * PI ^ 2 / (16 * INR K ^ 2)).
Proof.
  intros K HK i Hi d.
  destruct (angles K HK) as (H0 & H1 & H2).
  set (phi := theta K / 2) in *. assert (HPI := PI_RGT_0).
  assert (Hend : 0 < sin phi * sin (3 * phi))
    by (apply Rmult_lt_0_compat; apply sin_gt_0; lra).
  assert (Hq := quarter_below K HK).
  assert (Hr1 := end_ratio K HK phi (or_introl eq_refl)).
  assert (Hr2 := end_ratio K HK (theta K) (or_intror eq_refl)).
  assert (Hgap := end_gap K HK). fold phi in Hr1, Hr2, Hgap.
  destruct (Nat.eq_dec i 1) as [-> | Hi1]; [| destruct (Nat.eq_dec i K) as [-> | HiK]].
  - assert (Hd : d = sin phi * sin (3 * phi))
      by (unfold d; cbn [Nat.sub]; rewrite grid_first, grid_second by assumption; exact Hgap).
    rewrite Hd. cbn [Nat.sub]. rewrite grid_first, grid_second by assumption.
    fold phi. repeat split; lra.
  - assert (Hd : d = sin phi * sin (3 * phi)).
    { unfold d. rewrite grid_last, grid_last_but_one by assumption. fold phi. lra. }
    rewrite Hd, grid_last, grid_last_but_one by assumption. fold phi.
    replace ((1 - sin phi ^ 2) * (1 - (1 - sin phi ^ 2))) with (sin phi ^ 2 * (1 - sin phi ^ 2)) by ring.
    replace ((1 - sin (theta K) ^ 2) * (1 - (1 - sin (theta K) ^ 2)))
      with (sin (theta K) ^ 2 * (1 - sin (theta K) ^ 2)) by ring.
    repeat split; lra.
  - assert (Hg := gap_positive K HK (i - 1) ltac:(lia)). replace (S (i - 1)) with i in Hg by lia.
    unfold d. rewrite !grid_inner by lia.
    split; [lra |]. split; [| split; [| lia]].
    + apply below_larger_gap; [assumption | lia | lra | left; lra].
    + apply below_larger_gap; [assumption | lia | lra | right].
      replace (S (i - 1)) with i by lia. lra.
Qed.
