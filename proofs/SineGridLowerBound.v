(** * On the grid of Algorithm 1 the fixed forecasts cost more than T / K

    The gap next to 1/2 is the one to use: for odd K the coin 1/2 lies in the middle between two forecasts,
    for even K the coin lies between 1/2 and the next forecast. With K of order (T / log T)^(1/3) this is
    the rate T^(2/3) (log T)^(1/3) of Corollary 2 for all bounded proper losses, so that rate is right on
    this grid. *)

From Coq Require Import Reals Lra Psatz Lia Arith List.
From KLCal Require Import Definitions Basics Lemma5 LossDefinitions LossBasics Thresholds Envelope.
From KLCal Require Import GridLowerBound.
Import ListNotations.
Open Scope R_scope.

(** Two forecasts a < b with none between them: kinks at both, of the largest mass that fits. *)
Lemma coin_between_neighbours : forall N z a b, in_unit a -> in_unit b -> a < b ->
  (forall i, (i < N)%nat -> z i <= a \/ b <= z i) ->
  exists l, class_L l /\ forall i, (i < N)%nat ->
    (b - a) / Rmax (a + b) (2 - a - b) <= BREG l ((a + b) / 2) (z i).
Proof.
  intros N z a b Ha Hb Hab Hside. unfold in_unit in *.
  set (D := Rmax (a + b) (2 - a - b)).
  assert (H1 := Rmax_l (a + b) (2 - a - b)). assert (H2 := Rmax_r (a + b) (2 - a - b)). fold D in H1, H2.
  assert (HD : 0 < D) by lra. assert (Hinv : 0 < / D) by now apply Rinv_0_lt_compat.
  assert (HDD : / D * D = 1) by (apply Rinv_l; lra).
  exists (two_kinks (2 * / D) a false (2 * / D) b true). split.
  - apply two_kinks_L; unfold in_unit; try lra; nra.
  - intros i Hi. rewrite two_kinks_divergence.
    assert (G1 := threshold_divergence_not_negative a false ((a + b) / 2) (z i)).
    assert (G2 := threshold_divergence_not_negative b true ((a + b) / 2) (z i)).
    destruct (Hside i Hi) as [H | H].
    + rewrite (threshold_divergence a) in *.
      assert (E : above a false (z i) = 0)
        by (destruct H as [H | ->]; [now apply above_left | apply above_kink]).
      rewrite E, Rmax_right in * by lra. unfold Rdiv at 1. nra.
    + rewrite (threshold_divergence b) in *.
      assert (E : above b true (z i) = 1)
        by (destruct H as [H | <-]; [now apply above_right | apply above_kink]).
      rewrite E, Rmax_left in * by lra. unfold Rdiv at 1. nra.
Qed.

(** The sine lies above its chords from 0. *)
Lemma sine_above_chord : forall x y, 0 < x <= y -> y <= PI / 2 -> sin y * x <= sin x * y.
Proof.
  intros x y [Hx [Hxy | ->]] Hy; [| lra].
  destruct (MVT_cor2 sin cos 0 x Hx) as (c1 & E1 & H1); [intros; apply derivable_pt_lim_sin |].
  destruct (MVT_cor2 sin cos x y Hxy) as (c2 & E2 & H2); [intros; apply derivable_pt_lim_sin |].
  rewrite sin_0 in E1. assert (Hcos : cos c2 <= cos c1) by (apply cos_decr_1; lra).
  replace (sin y) with (cos c1 * x + cos c2 * (y - x)) by lra. replace (sin x) with (cos c1 * x) by lra.
  assert (H : 0 <= x * ((cos c1 - cos c2) * (y - x)))
    by (apply Rmult_le_pos; [lra | apply Rmult_le_pos; lra]).
  lra.
Qed.

Lemma grid_half_angle : forall K i, (0 < i < K)%nat ->
  grid K i = (1 - cos (PI * INR i / INR K)) / 2.
Proof.
  intros K i Hi. assert (HK : 0 < INR K) by (apply lt_0_INR; lia).
  unfold grid. destruct (Nat.eqb_spec i 0); [lia |]. destruct (Nat.ltb_spec i K); [| lia].
  replace (PI * INR i / INR K) with (2 * (PI * INR i / (2 * INR K))) by (field; lra).
  rewrite cos_2a_sin. field.
Qed.

Lemma grid_neighbours : forall K i, (2 <= K)%nat -> (0 < i)%nat -> (S i < K)%nat ->
  forall j, (j < K + 1)%nat -> grid K j <= grid K i \/ grid K (S i) <= grid K j.
Proof.
  intros K i HK Hi HiK j Hj. destruct (Nat.le_gt_cases j i) as [H | H].
  - left. destruct (Nat.eq_dec j i) as [-> | Hne]; [lra |].
    apply Rlt_le, grid_increasing; [assumption | lia].
  - right. destruct (Nat.eq_dec j (S i)) as [-> | Hne]; [lra |].
    apply Rlt_le, grid_increasing; [assumption | lia].
Qed.

(** The price of the gap next to 1/2. *)
Definition gap_price (K : nat) : R :=
  if Nat.odd K then sin (PI / (2 * INR K))
  else (sin (PI / INR K) / 2) / (1 + sin (PI / INR K) / 2).

Lemma gap_at_half : forall K, (3 <= K)%nat -> exists i, (0 < i)%nat /\ (S i < K)%nat
  /\ (grid K (S i) - grid K i) / Rmax (grid K i + grid K (S i)) (2 - grid K i - grid K (S i)) = gap_price K.
Proof.
  intros K HK. unfold gap_price. assert (HPI := PI_RGT_0).
  assert (HK3 : 3 <= INR K) by (apply le_INR in HK; replace (INR 3) with 3 in HK by (cbn; ring); lra).
  destruct (Nat.odd K) eqn:Hodd.
  - apply Nat.odd_spec in Hodd. destruct Hodd as [j Hj]. exists j. split; [lia |]. split; [lia |].
    rewrite !grid_half_angle by lia.
    assert (HjK : INR j = (INR K - 1) / 2).
    { rewrite Hj. replace (2 * j + 1)%nat with (S (2 * j)) by lia. rewrite S_INR, mult_INR.
      replace (INR 2) with 2 by (cbn; ring). field. }
    replace (PI * INR j / INR K) with (PI / 2 - PI / (2 * INR K)) by (rewrite HjK; field; lra).
    replace (PI * INR (S j) / INR K) with (PI / 2 + PI / (2 * INR K)) by (rewrite S_INR, HjK; field; lra).
    rewrite cos_shift.
    replace (PI / 2 + PI / (2 * INR K)) with (PI / 2 - - (PI / (2 * INR K))) by ring.
    rewrite cos_shift, sin_neg.
    replace ((1 - sin (PI / (2 * INR K))) / 2 + (1 - - sin (PI / (2 * INR K))) / 2) with 1 by field.
    replace (2 - (1 - sin (PI / (2 * INR K))) / 2 - (1 - - sin (PI / (2 * INR K))) / 2) with 1 by field.
    rewrite Rmax_left by lra. field.
  - assert (Heven : Nat.even K = true) by (rewrite <- Nat.negb_odd, Hodd; reflexivity).
    apply Nat.even_spec in Heven. destruct Heven as [j Hj]. exists j. split; [lia |]. split; [lia |].
    rewrite !grid_half_angle by lia.
    assert (HjK : INR j = INR K / 2).
    { rewrite Hj, mult_INR. replace (INR 2) with 2 by (cbn; ring). field. }
    replace (PI * INR j / INR K) with (PI / 2) by (rewrite HjK; field; lra).
    replace (PI * INR (S j) / INR K) with (PI / 2 - - (PI / INR K)) by (rewrite S_INR, HjK; field; lra).
    rewrite cos_PI2, cos_shift, sin_neg.
    assert (Hsin : 0 <= sin (PI / INR K)).
    { apply sin_ge_0; [apply Rlt_le, Rdiv_lt_0_compat; lra |].
      apply (Rmult_le_reg_r (INR K)); [lra |]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. nra. }
    rewrite Rmax_left by lra. field. lra.
Qed.

Lemma gap_price_above : forall K, (3 <= K)%nat -> / INR K < gap_price K.
Proof.
  intros K HK. unfold gap_price. assert (HPI := PI_RGT_0).
  assert (HK3 : 3 <= INR K) by (apply le_INR in HK; replace (INR 3) with 3 in HK by (cbn; ring); lra).
  assert (Hinv : 0 < / INR K) by (apply Rinv_0_lt_compat; lra).
  assert (HKK : / INR K * INR K = 1) by (apply Rinv_l; lra).
  destruct (Nat.odd K) eqn:Hodd.
  - (* sin t >= (3/pi) t up to pi/6 *)
    assert (H := sine_above_chord (PI / (2 * INR K)) (PI / 6)).
    assert (Hx : PI / (2 * INR K) = PI / 2 * / INR K) by (field; lra).
    rewrite sin_PI6 in H. rewrite Hx in *.
    assert (Hle : PI / 2 * / INR K <= PI / 6).
    { replace (PI / 6) with (PI / 2 * / 3) by field. apply Rmult_le_compat_l; [lra |].
      apply Rinv_le_contravar; lra. }
    specialize (H ltac:(split; [apply Rmult_lt_0_compat; lra | exact Hle]) ltac:(lra)).
    apply (Rmult_lt_reg_r (PI / 6)); [lra |]. apply Rlt_le_trans with (2 := H). nra.
  - assert (HK4 : (4 <= K)%nat).
    { destruct (Nat.eq_dec K 3) as [-> | Hne]; [discriminate | lia]. }
    assert (HK4' : 4 <= INR K) by (apply le_INR in HK4; replace (INR 4) with 4 in HK4 by (cbn; ring); lra).
    (* sin t >= (2 sqrt 2 / pi) t up to pi/4, and 2 sqrt 2 > 8/3 *)
    assert (H := sine_above_chord (PI / INR K) (PI / 4)).
    assert (Hle : PI * / INR K <= PI * / 4)
      by (apply Rmult_le_compat_l; [lra | apply Rinv_le_contravar; lra]).
    assert (Hx0 : 0 < PI * / INR K) by (apply Rmult_lt_0_compat; lra).
    unfold Rdiv in H at 1 2 3. specialize (H ltac:(split; lra) ltac:(lra)).
    fold (PI / INR K) in H. set (s := sin (PI / INR K)) in *.
    assert (Hroot : 2 / 3 < sin (PI / 4)).
    { rewrite sin_PI4. assert (Hsq := sqrt_sqrt 2 ltac:(lra)). assert (Hpos := sqrt_lt_R0 2 ltac:(lra)).
      apply (Rmult_lt_reg_r (sqrt 2)); [assumption |].
      replace (1 / sqrt 2 * sqrt 2) with 1 by (field; lra). nra. }
    fold (PI / 4) in H.
    assert (Hs : 8 / 3 * / INR K <= s).
    { apply (Rmult_le_reg_r (PI / 4)); [lra |]. apply Rle_trans with (2 := H).
      replace (8 / 3 * / INR K * (PI / 4)) with (2 / 3 * (PI / INR K)) by (unfold Rdiv; field; lra).
      apply Rmult_le_compat_r; [unfold Rdiv; lra | lra]. }
    apply (Rmult_lt_reg_r (1 + s / 2)); [nra |].
    replace (s / 2 / (1 + s / 2) * (1 + s / 2)) with (s / 2) by (field; nra).
    assert (Hq : / INR K <= / 4) by (apply Rinv_le_contravar; lra). nra.
Qed.

(** The grid of Algorithm 1. For K >= 3 there are a bias p and a proper loss with values in [-1, 1] such
    that every forecaster on the grid of Section 5 has, against independent outcomes that are 1 with
    probability p, an expected external regret of at least T sin (pi/2K) if K is odd, and of at least T x /
    (1 + x) with x = sin (pi/K) / 2 if K is even. Both are more than T / K. *)
Theorem sine_grid_lower_bound : forall K, (3 <= K)%nat ->
  / INR K < gap_price K /\
  exists p l, in_unit p /\ class_L l /\
    forall F, proper_forecaster F -> (forall h, (choices F h <= K + 1)%nat) ->
    forall T, INR T * gap_price K <= expect F (fun _ => p) T (external_regret l (grid K)) [].
Proof.
  intros K HK. split; [now apply gap_price_above |].
  destruct (gap_at_half K HK) as (i & Hi & HiK & Hprice). rewrite <- Hprice.
  set (a := grid K i) in *. set (b := grid K (S i)) in *.
  assert (Ha : 0 < a < 1) by (apply grid_bounds; lia). assert (Hb : 0 < b < 1) by (apply grid_bounds; lia).
  assert (Hab : a < b) by (apply grid_increasing; lia).
  destruct (coin_between_neighbours (K + 1) (grid K) a b) as (l & Hl & Hexcess);
    [unfold in_unit; lra | unfold in_unit; lra | assumption | apply grid_neighbours; lia |].
  exists ((a + b) / 2), l. split; [unfold in_unit; lra |]. split; [assumption |]. intros F HF Hch T.
  apply (expected_regret F (K + 1) (grid K) l); try assumption; [unfold in_unit; lra | apply Hl].
Qed.
