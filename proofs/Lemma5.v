(** * Lemma 5 of the paper: rounding costs at most 2 ln sec(step K) <= tan^2(step K), clamped ends included.

    Let q be the rounded w. By Jensen's inequality the mean of ln (w(y)/q(y)) is at most the logarithm of the
    mean of w(y)/q(y). For z_i <= w < z_{i+1} that mean is the same for both outcomes,
    1 + (u - l)(w - l)(u - w)/(l(1 - l)(u - w) + u(1 - u)(w - l)) with l = z_i and u = z_{i+1}, and for
    l = sin^2 a, u = sin^2 b it is at most 1 + tan^2(b - a). Beyond the ends w(y)/z(y) <= 1/cos^2(pi/4K). *)

From Coq Require Import Reals Arith Lia Lra Psatz.
From KLCal Require Import Definitions Basics.
Open Scope R_scope.

(** ** Angles of the grid *)

Definition angle (K i : nat) : R :=
  if (i =? 0)%nat then PI / (4 * INR K)
  else if (i <? K)%nat then PI * INR i / (2 * INR K)
  else PI / 2 - PI / (4 * INR K).

Lemma grid_is_sin2 K i : grid K i = sin (angle K i) ^ 2.
Proof.
  unfold grid, angle. destruct (i =? 0)%nat; [reflexivity|]. destruct (i <? K)%nat; [reflexivity|].
  now rewrite sin_shift.
Qed.

Lemma div_le_compat x k c : 0 < x -> 0 < c <= k -> x / k <= x / c.
Proof. intros Hx Hk. apply Rmult_le_compat_l; [lra|]. apply Rinv_le_contravar; lra. Qed.

Section Grid.
Variable K : nat.
Hypothesis HK : (2 <= K)%nat.

Let k_ge_2 : 2 <= INR K.
Proof. now apply INR_ge_2. Qed.

Lemma quarter_angle_bounds : 0 < PI / (4 * INR K) <= PI / 8.
Proof using k_ge_2.
  pose proof PI_RGT_0. split; [apply Rdiv_lt_0_compat; lra|]. apply div_le_compat; lra.
Qed.

Lemma step_bounds : PI / (4 * INR K) <= step K <= PI / 6.
Proof using HK k_ge_2.
  pose proof PI_RGT_0. unfold step. destruct (K =? 2)%nat eqn:E.
  - apply Nat.eqb_eq in E. rewrite E. replace (INR 2) with 2 by (cbn; ring). lra.
  - apply Nat.eqb_neq in E. assert (3 <= INR K).
    { assert (H3 : (3 <= K)%nat) by lia. apply le_INR in H3. cbn in H3. lra. }
    split; apply div_le_compat; lra.
Qed.

Lemma cos_step_pos : 0 < cos (step K) <= 1.
Proof using HK k_ge_2.
  pose proof step_bounds. pose proof quarter_angle_bounds. pose proof PI_RGT_0.
  split; [apply cos_gt_0; lra|]. apply COS_bound.
Qed.

Lemma angle_bounds i : 0 < angle K i < PI / 2.
Proof using HK k_ge_2.
  pose proof PI_RGT_0. pose proof quarter_angle_bounds. unfold angle.
  destruct (i =? 0)%nat eqn:E0; [lra|]. apply Nat.eqb_neq in E0.
  destruct (i <? K)%nat eqn:EK; [|lra]. apply Nat.ltb_lt in EK.
  assert (0 < INR i) by (apply lt_0_INR; lia). apply lt_INR in EK.
  split; [apply Rdiv_lt_0_compat; nra|].
  apply Rmult_lt_reg_r with (2 * INR K); [lra|].
  replace (PI * INR i / (2 * INR K) * (2 * INR K)) with (PI * INR i) by (field; lra). nra.
Qed.

Lemma angle_step i : (i < K)%nat -> 0 < angle K (S i) - angle K i <= step K.
Proof using HK k_ge_2.
  intros Hi. pose proof PI_RGT_0. pose proof quarter_angle_bounds. pose proof step_bounds. unfold angle.
  replace (S i =? 0)%nat with false by reflexivity.
  destruct (Nat.eq_dec i 0) as [->|Hi0].
  - replace (1 <? K)%nat with true by (symmetry; apply Nat.ltb_lt; lia). cbn [Nat.eqb].
    replace (PI * INR 1 / (2 * INR K) - PI / (4 * INR K)) with (PI / (4 * INR K)) by (cbn [INR]; field; lra).
    lra.
  - replace (i =? 0)%nat with false by (symmetry; now apply Nat.eqb_neq).
    replace (i <? K)%nat with true by (symmetry; now apply Nat.ltb_lt).
    destruct (S i <? K)%nat eqn:E.
    + apply Nat.ltb_lt in E. rewrite S_INR. unfold step.
      replace (K =? 2)%nat with false by (symmetry; apply Nat.eqb_neq; lia).
      replace (PI * (INR i + 1) / (2 * INR K) - PI * INR i / (2 * INR K)) with (PI / (2 * INR K))
        by (field; lra).
      split; [apply Rdiv_lt_0_compat|]; lra.
    + apply Nat.ltb_ge in E. replace (INR i) with (INR K - 1).
      * replace (PI / 2 - PI / (4 * INR K) - PI * (INR K - 1) / (2 * INR K)) with (PI / (4 * INR K))
          by (field; lra).
        lra.
      * replace K with (S i) by lia. rewrite S_INR. ring.
Qed.

Lemma grid_bounds i : 0 < grid K i < 1.
Proof using HK k_ge_2.
  rewrite grid_is_sin2. pose proof (angle_bounds i) as H. pose proof PI_RGT_0.
  assert (0 < sin (angle K i)) by (apply sin_gt_0; lra).
  assert (0 < cos (angle K i)) by (apply cos_gt_0; lra).
  pose proof (sin2_cos2 (angle K i)) as Hsc. unfold Rsqr in Hsc. nra.
Qed.

(** The points of the grid are different, and increase. *)
Lemma grid_increasing_step i : (i < K)%nat -> grid K i < grid K (S i).
Proof using HK k_ge_2.
  intros Hi. rewrite !grid_is_sin2. pose proof (angle_step i Hi). pose proof PI_RGT_0.
  pose proof (angle_bounds i). pose proof (angle_bounds (S i)).
  assert (0 < sin (angle K i)) by (apply sin_gt_0; lra).
  assert (sin (angle K i) < sin (angle K (S i))) by (apply sin_increasing_1; lra). nra.
Qed.

Lemma grid_increasing i j : (i < j <= K)%nat -> grid K i < grid K j.
Proof using HK k_ge_2.
  intros [Hij Hj]. induction j as [|j IH]; [lia|].
  pose proof (grid_increasing_step j ltac:(lia)).
  destruct (Nat.eq_dec i j) as [->|Hne]; [assumption|]. specialize (IH ltac:(lia) ltac:(lia)). lra.
Qed.

Lemma inv_cos2_mono x : 0 <= x <= step K -> 1 <= / cos x ^ 2 <= / cos (step K) ^ 2.
Proof using HK k_ge_2.
  intros Hx. pose proof PI_RGT_0. pose proof step_bounds. pose proof cos_step_pos.
  assert (Hc : cos (step K) <= cos x) by (apply cos_decr_1; lra).
  pose proof (COS_bound x) as [_ Hle]. assert (Hpos : 0 < cos x ^ 2) by (apply pow_lt; lra).
  split.
  - rewrite <- Rinv_1 at 1. apply Rinv_le_contravar; [assumption|]. nra.
  - apply Rinv_le_contravar; [apply pow_lt; lra|]. apply pow_incr. lra.
Qed.

End Grid.

(** ** Between two neighbours *)

(** The mean of w(y)/q(y). *)
Lemma two_point_mean l u w y :
  0 < l < 1 -> 0 < u < 1 -> l <= w < u ->
  let share_of_lower := (u - w) / (u * (1 - u)) in
  let share_of_upper := (w - l) / (l * (1 - l)) in
  let D := share_of_upper + share_of_lower in
  share_of_lower / D * (prob w y / prob l y) + share_of_upper / D * (prob w y / prob u y)
  = 1 + (u - l) * (w - l) * (u - w) / (l * (1 - l) * (u - w) + u * (1 - u) * (w - l)).
Proof.
  intros Hl Hu Hw share_of_lower share_of_upper D.
  set (N := l * (1 - l) * (u - w) + u * (1 - u) * (w - l)).
  assert (HA : 0 < l * (1 - l)) by nra. assert (HB : 0 < u * (1 - u)) by nra.
  assert (HN : 0 < N) by (unfold N; nra).
  assert (HD : D = N / (l * (1 - l) * (u * (1 - u)))).
  { unfold D, N, share_of_lower, share_of_upper. field. lra. }
  assert (HL : share_of_lower / D = (u - w) * (l * (1 - l)) / N).
  { rewrite HD. unfold share_of_lower. field. repeat split; lra. }
  assert (HU : share_of_upper / D = (w - l) * (u * (1 - u)) / N).
  { rewrite HD. unfold share_of_upper. field. repeat split; lra. }
  rewrite HL, HU. apply Rmult_eq_reg_r with N; [|lra].
  destruct y; cbn [prob].
  - transitivity ((u - w) * (1 - l) * w + (w - l) * (1 - u) * w); [field; lra|].
    transitivity (N + (u - l) * (w - l) * (u - w)); [unfold N; ring|field; lra].
  - transitivity ((u - w) * l * (1 - w) + (w - l) * u * (1 - w)); [field; lra|].
    transitivity (N + (u - l) * (w - l) * (u - w)); [unfold N; ring|field; lra].
Qed.

Lemma two_point_mean_le a b w :
  0 < a -> a < b -> b < PI / 2 -> sin a ^ 2 <= w < sin b ^ 2 ->
  let l := sin a ^ 2 in
  let u := sin b ^ 2 in
  1 + (u - l) * (w - l) * (u - w) / (l * (1 - l) * (u - w) + u * (1 - u) * (w - l)) <= / cos (b - a) ^ 2.
Proof.
  intros Ha Hab Hb Hw l u.
  assert (Hsa : 0 < sin a) by (apply sin_gt_0; lra). assert (Hca : 0 < cos a) by (apply cos_gt_0; lra).
  assert (Hsb : 0 < sin b) by (apply sin_gt_0; lra). assert (Hcb : 0 < cos b) by (apply cos_gt_0; lra).
  assert (Hs : 0 < sin (a + b)) by (apply sin_gt_0; lra).
  assert (Hc : 0 < cos (b - a)) by (apply cos_gt_0; lra).
  assert (Hl1 : 1 - l = cos a ^ 2).
  { unfold l. pose proof (sin2_cos2 a) as H. unfold Rsqr in H. lra. }
  assert (Hu1 : 1 - u = cos b ^ 2).
  { unfold u. pose proof (sin2_cos2 b) as H. unfold Rsqr in H. lra. }
  (* u - l = sin (b - a) sin (a + b), and the two deviations add up to sin (a + b) cos (b - a) *)
  assert (Hd : u - l = sin (b - a) * sin (a + b)).
  { rewrite sin_minus, sin_plus. replace (u - l) with (u * (1 - l) - l * (1 - u)) by ring.
    rewrite Hl1, Hu1. unfold u, l. ring. }
  assert (Hdev : sin a * cos a + sin b * cos b = sin (a + b) * cos (b - a)).
  { rewrite sin_plus, cos_minus.
    transitivity (sin a * cos a * (u + (1 - u)) + sin b * cos b * (l + (1 - l))); [ring|].
    rewrite Hl1, Hu1. unfold u, l. ring. }
  set (x := w - l) in *. set (v := u - w) in *.
  assert (Hx : 0 <= x) by (unfold x, l; lra). assert (Hv : 0 < v) by (unfold v, u; lra).
  set (N := l * (1 - l) * v + u * (1 - u) * x).
  assert (HA : l * (1 - l) = (sin a * cos a) ^ 2) by (rewrite Hl1; unfold l; ring).
  assert (HB : u * (1 - u) = (sin b * cos b) ^ 2) by (rewrite Hu1; unfold u; ring).
  assert (HN : 0 < N).
  { unfold N. rewrite HA, HB. assert (0 < (sin a * cos a) ^ 2) by (apply pow_lt; nra). nra. }
  (* Cauchy and Schwarz *)
  assert (HCS : (sin (a + b) * cos (b - a)) ^ 2 * (x * v) <= N * (x + v)).
  { rewrite <- Hdev. unfold N. rewrite HA, HB.
    assert (0 <= (sin a * cos a * v - sin b * cos b * x) ^ 2) by apply pow2_ge_0. nra. }
  replace (x + v) with (u - l) in HCS by (unfold x, v; ring).
  assert (Hmain : cos (b - a) ^ 2 * ((u - l) * x * v) <= sin (b - a) ^ 2 * N).
  { apply Rmult_le_reg_l with (sin (a + b) ^ 2); [apply pow_lt; assumption|].
    apply Rle_trans with ((u - l) * (N * (u - l))).
    - replace (sin (a + b) ^ 2 * (cos (b - a) ^ 2 * ((u - l) * x * v)))
        with ((u - l) * ((sin (a + b) * cos (b - a)) ^ 2 * (x * v))) by ring.
      apply Rmult_le_compat_l; [|assumption]. unfold x, v in *. lra.
    - rewrite Hd. right. ring. }
  assert (Hone : sin (b - a) ^ 2 + cos (b - a) ^ 2 = 1).
  { pose proof (sin2_cos2 (b - a)) as H. unfold Rsqr in H. lra. }
  assert (Hc2 : 0 < cos (b - a) ^ 2) by now apply pow_lt.
  apply Rmult_le_reg_r with (N * cos (b - a) ^ 2); [nra|].
  replace (/ cos (b - a) ^ 2 * (N * cos (b - a) ^ 2)) with N by (field; lra).
  replace ((1 + (u - l) * x * v / N) * (N * cos (b - a) ^ 2))
    with (N * cos (b - a) ^ 2 + cos (b - a) ^ 2 * ((u - l) * x * v)) by (field; lra).
  replace N with (N * (sin (b - a) ^ 2 + cos (b - a) ^ 2)) at 2 by (rewrite Hone; ring). lra.
Qed.

(** ** The whole grid *)

Lemma rround_is_distribution K w : (2 <= K)%nat -> is_distribution (K + 1) (rround K w).
Proof.
  intros HK. unfold rround.
  destruct (lowest (K + 1) (fun i => less w (grid K i))) as [[|i]|] eqn:E.
  - apply point_is_distribution. lia.
  - apply lowest_some in E. destruct E as (Hi & Hup & Hlow).
    apply less_true in Hup. specialize (Hlow i ltac:(lia)). apply less_false in Hlow.
    pose proof (grid_bounds K HK i) as Hl. pose proof (grid_bounds K HK (S i)) as Hu.
    set (l := grid K i) in *. set (u := grid K (S i)) in *.
    set (sl := (u - w) / (u * (1 - u))). set (su := (w - l) / (l * (1 - l))).
    assert (Hsl : 0 < sl) by (apply Rdiv_lt_0_compat; nra).
    assert (Hsu : 0 <= su).
    { apply Rmult_le_pos; [lra|]. left. apply Rinv_0_lt_compat. nra. }
    assert (HD : 0 < / (su + sl)) by (apply Rinv_0_lt_compat; lra).
    split.
    + intros j _. destruct (j =? i)%nat; [|destruct (j =? S i)%nat; [|lra]]; unfold Rdiv; nra.
    + rewrite (sum_pair _ i); [|lia|].
      * rewrite Nat.eqb_refl. replace (S i =? i)%nat with false by (symmetry; apply Nat.eqb_neq; lia).
        rewrite Nat.eqb_refl. field. lra.
      * intros j _ H1 H2. apply Nat.eqb_neq in H1, H2. now rewrite H1, H2.
  - apply point_is_distribution. lia.
Qed.

(** The mean of w(y)/q(y) is at most 1/cos^2 of the step. *)
Lemma rround_mean K w y :
  (2 <= K)%nat -> 0 < w < 1 ->
  sum (K + 1) (fun j => rround K w j * (prob w y / prob (grid K j) y)) <= / cos (step K) ^ 2.
Proof.
  intros HK Hw. pose proof PI_RGT_0 as Hpi.
  pose proof (quarter_angle_bounds K HK) as Hq. pose proof (step_bounds K HK) as Hst.
  pose proof (inv_cos2_mono K HK (PI / (4 * INR K)) ltac:(lra)) as [Hone Hend].
  assert (Hcq : 0 < cos (PI / (4 * INR K))) by (apply cos_gt_0; lra).
  assert (Hcq2 : 0 < cos (PI / (4 * INR K)) ^ 2) by now apply pow_lt.
  assert (Hone' : cos (PI / (4 * INR K)) ^ 2 < 1).
  { pose proof (sin2_cos2 (PI / (4 * INR K))) as H. unfold Rsqr in H.
    assert (0 < sin (PI / (4 * INR K))) by (apply sin_gt_0; lra). nra. }
  (* a quotient of probabilities with denominator c^2 or with a smaller numerator *)
  assert (Hquot : forall p c, p <= 1 -> 0 < c -> p / c <= / c).
  { intros p c Hp Hc0. unfold Rdiv. rewrite <- (Rmult_1_l (/ c)) at 2.
    apply Rmult_le_compat_r; [left; now apply Rinv_0_lt_compat|assumption]. }
  assert (Hsmall : forall p c, p <= c -> 0 < c -> p / c <= 1).
  { intros p c Hp Hc0. apply Rmult_le_reg_r with c; [assumption|].
    replace (p / c * c) with p by (field; lra). lra. }
  unfold rround.
  destruct (lowest (K + 1) (fun i => less w (grid K i))) as [[|i]|] eqn:E.
  - (* below the grid *)
    apply lowest_some in E. destruct E as (_ & Hup & _). apply less_true in Hup.
    rewrite sum_point by lia. pose proof (grid_bounds K HK 0) as Hg.
    destruct y; cbn [prob].
    + pose proof (Hsmall w (grid K 0) ltac:(lra) ltac:(lra)). lra.
    + replace (1 - grid K 0) with (cos (PI / (4 * INR K)) ^ 2).
      * pose proof (Hquot (1 - w) _ ltac:(lra) Hcq2). lra.
      * unfold grid. cbn [Nat.eqb]. pose proof (sin2_cos2 (PI / (4 * INR K))) as H. unfold Rsqr in H. lra.
  - (* between two neighbours *)
    apply lowest_some in E. destruct E as (Hi & Hup & Hlow).
    apply less_true in Hup. specialize (Hlow i ltac:(lia)). apply less_false in Hlow.
    pose proof (grid_bounds K HK i) as Hl. pose proof (grid_bounds K HK (S i)) as Hu.
    rewrite (sum_pair _ i); [|lia|].
    + rewrite Nat.eqb_refl. replace (S i =? i)%nat with false by (symmetry; apply Nat.eqb_neq; lia).
      rewrite Nat.eqb_refl. rewrite two_point_mean by lra.
      pose proof (angle_bounds K HK i) as Ha. pose proof (angle_bounds K HK (S i)) as Hb.
      pose proof (angle_step K HK i ltac:(lia)) as Hab.
      rewrite (grid_is_sin2 K i), (grid_is_sin2 K (S i)) in *.
      eapply Rle_trans; [apply two_point_mean_le; lra|]. apply (inv_cos2_mono K HK). lra.
    + intros j _ H1 H2. apply Nat.eqb_neq in H1, H2. rewrite H1, H2. ring.
  - (* above the grid *)
    pose proof (lowest_none _ _ E K ltac:(lia)) as Hlow. apply less_false in Hlow.
    rewrite sum_point by lia.
    assert (HgK : grid K K = cos (PI / (4 * INR K)) ^ 2).
    { unfold grid. replace (K =? 0)%nat with false by (symmetry; apply Nat.eqb_neq; lia).
      now rewrite Nat.ltb_irrefl. }
    rewrite HgK in *. destruct y; cbn [prob].
    + pose proof (Hquot w _ ltac:(lra) Hcq2). lra.
    + pose proof (Hsmall (1 - w) (1 - cos (PI / (4 * INR K)) ^ 2) ltac:(lra) ltac:(lra)). lra.
Qed.

(** Lemma 5, sharp form. Rounding w by Algorithm 4 with clamped ends raises the log loss in the mean by at
    most 2 ln sec(step K), for either outcome. *)
Theorem lemma5_sharp K w y :
  (2 <= K)%nat -> 0 < w < 1 ->
  sum (K + 1) (fun j => rround K w j * loss (grid K j) y) - loss w y <= 2 * ln (/ cos (step K)).
Proof.
  intros HK Hw. destruct (rround_is_distribution K w HK) as [Hp Hs].
  pose proof (prob_pos w y Hw) as Hpw. pose proof (cos_step_pos K HK) as Hc.
  assert (Hpz : forall j, 0 < prob (grid K j) y < 1) by (intros; apply prob_pos, grid_bounds, HK).
  apply Rle_trans with (sum (K + 1) (fun j => rround K w j * ln (prob w y / prob (grid K j) y))).
  - right. rewrite (sum_ext _ (fun j => rround K w j * ln (prob w y / prob (grid K j) y))
      (fun j => rround K w j * loss (grid K j) y - rround K w j * loss w y)).
    + rewrite sum_minus, sum_scal_r, Hs. ring.
    + intros j _. pose proof (Hpz j). rewrite ln_div by lra. unfold loss. ring.
  - eapply Rle_trans; [apply ln_jensen; [now split|]|].
    + intros j _ _. pose proof (Hpz j). apply Rdiv_lt_0_compat; lra.
    + replace (2 * ln (/ cos (step K))) with (ln (/ cos (step K) ^ 2)).
      * apply ln_le; [|now apply rround_mean].
        destruct (Rle_lt_dec (sum (K + 1) (fun j => rround K w j * (prob w y / prob (grid K j) y))) 0)
          as [Hle|]; [|assumption]. exfalso.
        assert (Hterm : forall j, (j < K + 1)%nat -> prob w y * rround K w j
                                    <= rround K w j * (prob w y / prob (grid K j) y)).
        { intros j Hj. specialize (Hp j Hj). pose proof (Hpz j).
          assert (prob w y <= prob w y / prob (grid K j) y); [|nra].
          apply Rmult_le_reg_r with (prob (grid K j) y); [lra|].
          replace (prob w y / prob (grid K j) y * prob (grid K j) y) with (prob w y) by (field; lra). nra. }
        apply sum_le in Hterm. rewrite sum_scal, Hs in Hterm. lra.
      * rewrite <- pow_inv, ln_pow2 by (apply Rinv_0_lt_compat; lra). reflexivity.
Qed.

(** The logarithmic cost is at most the quadratic one. *)
Lemma two_ln_sec_le_tan2 x : 0 < cos x -> 2 * ln (/ cos x) <= tan x ^ 2.
Proof.
  intros Hc. assert (Hi : 0 < / cos x) by now apply Rinv_0_lt_compat.
  rewrite <- ln_pow2 by assumption.
  pose proof (ln_le_minus_1 ((/ cos x) ^ 2) (pow_lt _ 2 Hi)) as H.
  replace (tan x ^ 2) with ((/ cos x) ^ 2 - 1); [assumption|].
  unfold tan. pose proof (sin2_cos2 x) as Hsc. unfold Rsqr in Hsc.
  replace ((sin x / cos x) ^ 2) with ((sin x * sin x) / (cos x * cos x)) by (field; lra).
  replace (sin x * sin x) with (1 - cos x * cos x) by lra. field. lra.
Qed.

(** Lemma 5. For every K >= 2, every w strictly between 0 and 1 and either outcome y, rounding w by
    Algorithm 4 with clamped ends raises the log loss in the mean by at most tan^2(pi/2K), at K = 2 by at most
    tan^2(pi/8). (At w = 0 and w = 1 the loss of w may be infinite; EWOO never goes there.) *)
Theorem lemma5 K w y :
  (2 <= K)%nat -> 0 < w < 1 ->
  sum (K + 1) (fun j => rround K w j * loss (grid K j) y) - loss w y <= tan (step K) ^ 2.
Proof.
  intros HK Hw. eapply Rle_trans; [now apply lemma5_sharp|].
  apply two_ln_sec_le_tan2. now apply cos_step_pos.
Qed.
