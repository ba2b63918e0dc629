(** * Log-odds rounding fed with its own draws; what no forecaster on the grid can avoid; the grid of Section 5

    As for Algorithm 1 with realised feedback ([Realised]): on every path KLCal is at most the sum of
    (1/2) ln (1 + 4 n_i) plus the losses of the drawn points minus those of the drawn learners' points, and the mean
    of a round's difference is at most the radius. A coin at the rate that is farthest from the grid costs every
    forecaster T radius ([FixedGrid]). On the grid of Section 5 the radius is at most the cost of Algorithm 4
    (Lemma 5). *)

From Coq Require Import Reals List Arith Lia Lra Psatz.
From KLCal Require Import Definitions Bounds Basics Histories Lemma4 Lemma5 HalfCounts LogOdds FixedGrid.
Import ListNotations.
Open Scope R_scope.

(** ** Inside the buckets: any n forecasts strictly between 0 and 1, any history *)

Definition half_count (h : history) (i : nat) : R := half_counts (INR (count_ones h i)) (INR (count h i)).

(** Losses of the drawn forecasts minus losses of half counts in their buckets. *)
Fixpoint half_excess (z : nat -> R) (h : history) : R :=
  match h with
  | [] => 0
  | (i, y) :: past => half_excess z past + (loss (z i) y - loss (half_count past i) y)
  end.

(** What a bucket contributes to KLCal, beyond (1/2) ln (1 + 4 n_i). *)
Definition half_bucket (z : nat -> R) (h : history) (i : nat) : R :=
  INR (count h i) * KL (INR (count_ones h i) / INR (count h i)) (z i) - / 2 * ln (1 + 4 * INR (count h i)).

Lemma half_bucket_step z h i y :
  0 < z i < 1 ->
  half_bucket z ((i, y) :: h) i - half_bucket z h i <= loss (z i) y - loss (half_count h i) y.
Proof.
  intros Hz. unfold half_bucket.
  rewrite (scaled_KL _ _ _ (counts_bounds h i) Hz), (scaled_KL _ _ _ (counts_bounds ((i, y) :: h) i) Hz).
  rewrite count_same, count_ones_same, S_INR.
  replace (INR (if y then S (count_ones h i) else count_ones h i)) with (INR (count_ones h i) + outcome y)
    by (destruct y; rewrite ?S_INR; cbn [outcome]; ring).
  pose proof (half_counts_step _ _ 1 y (counts_bounds h i) ltac:(lra)) as H. unfold half_potential in H.
  rewrite !Rmult_1_l in H. fold (half_count h i) in H. rewrite loss_split. lra.
Qed.

Lemma half_bucket_other z h i j y : j <> i -> half_bucket z ((j, y) :: h) i = half_bucket z h i.
Proof. intros H. unfold half_bucket. now rewrite count_other, count_ones_other by auto. Qed.

Lemma KLCal_by_half_excess n z h :
  (forall i, (i < n)%nat -> 0 < z i < 1) -> within n h ->
  KLCal n z h <= sum n (fun i => / 2 * ln (1 + 4 * INR (count h i))) + half_excess z h.
Proof.
  intros Hz Hin.
  assert (H : sum n (half_bucket z h) <= half_excess z h).
  { induction Hin as [|[j y] h Hj _ IH]; cbn [half_excess].
    - right. apply sum_zero. intros i _. unfold half_bucket. cbn. rewrite Rmult_0_r, Rplus_0_r, ln_1. ring.
    - cbn [fst] in Hj.
      rewrite (sum_update n j (half_bucket z h)) by (auto; intros i Hi; apply half_bucket_other; auto).
      pose proof (half_bucket_step z h j y (Hz j Hj)). lra. }
  unfold half_bucket in H. rewrite sum_minus in H. unfold KLCal. lra.
Qed.

(** ** The game *)

Section Grid.
Variables (n : nat) (z : nat -> R).
Hypothesis Hgrid : increasing_grid n z.

Theorem log_odds_draws_proper : proper_forecaster (log_odds_draws n z).
Proof using Hgrid. intros h. now apply log_odds_mixture_correct. Qed.

(** Given the past, the mean of the new difference of losses is at most the radius. *)
Lemma half_excess_step A h : proper_adversary A ->
  mean_of_round (log_odds_draws n z) A h (half_excess z) <= half_excess z h + radius n z.
Proof using Hgrid.
  intros HA. specialize (HA h). unfold mean_of_round. cbn [choices weight log_odds_draws half_excess].
  pose proof (log_odds_mixture_correct n z Hgrid
                (fun i => INR (count_ones h i)) (fun i => INR (count h i))) as [Hd Hfix].
  set (p := log_odds_mixture n z (fun i => INR (count_ones h i)) (fun i => INR (count h i))) in *.
  assert (Hround : forall y, sum n (fun i => p i * (loss (z i) y - loss (half_count h i) y)) <= radius n z).
  { intros y.
    pose proof (log_odds_stationary_loss n z Hgrid p (half_count h) y Hd
                  (fun i _ => half_counts_bounds _ _ (counts_bounds h i)) Hfix) as H.
    rewrite (sum_ext _ _ (fun i => p i * loss (z i) y - p i * loss (half_count h i) y)) by (intros; ring).
    rewrite sum_minus. lra. }
  rewrite (sum_ext _ _ (fun i => p i * half_excess z h
    + (A h * (p i * (loss (z i) true - loss (half_count h i) true))
       + (1 - A h) * (p i * (loss (z i) false - loss (half_count h i) false))))) by (intros; ring).
  rewrite sum_plus, sum_plus, !sum_scal, sum_scal_r, (proj2 Hd).
  pose proof (Hround true). pose proof (Hround false). nra.
Qed.

Lemma expect_half_excess A T h : proper_adversary A ->
  expect (log_odds_draws n z) A T (half_excess z) h <= half_excess z h + INR T * radius n z.
Proof using Hgrid.
  intros HA. revert h. induction T as [|T IH]; intros h; [cbn; lra|].
  rewrite expect_succ, S_INR.
  apply Rle_trans with (mean_of_round (log_odds_draws n z) A h (fun k => half_excess z k + INR T * radius n z)).
  - apply mean_of_round_le; [apply log_odds_draws_proper|assumption|]. intros. apply IH.
  - rewrite mean_of_round_plus, mean_of_round_const by apply log_odds_draws_proper.
    pose proof (half_excess_step A h HA). lra.
Qed.

(** With draws as feedback: for every T and every adaptive adversary, deterministic or randomised,
    E[KLCal] <= (n/2) ln (1 + 4 T/n) + T radius. *)
Theorem log_odds_draws_theorem A T : proper_adversary A ->
  expect (log_odds_draws n z) A T (KLCal n z) [] <= log_odds_bound n z T.
Proof using Hgrid.
  intros HA. pose proof log_odds_draws_proper as HF. destruct Hgrid as (Hn & Hz & _).
  set (L := INR n / 2 * ln (1 + 4 * INR T / INR n)).
  apply Rle_trans with (expect (log_odds_draws n z) A T (fun k => L + half_excess z k) []).
  - apply expect_le_reachable; [assumption..|]. intros k Hk.
    apply (reachable_within _ n) in Hk; [|reflexivity|constructor].
    destruct Hk as [Hin Hlen]. rewrite Nat.add_0_r in Hlen.
    pose proof (KLCal_by_half_excess n z k Hz Hin) as H.
    pose proof (sum_half_ln n (fun i => INR (count k i)) (INR T) Hn (fun i _ => pos_INR _)) as Hln.
    rewrite sum_of_counts, Hlen in Hln by assumption. specialize (Hln eq_refl). fold L in Hln. lra.
  - rewrite expect_plus, expect_const by assumption.
    pose proof (expect_half_excess A T [] HA) as H. cbn [half_excess] in H. unfold log_odds_bound. fold L. lra.
Qed.

(** No forecaster on the grid guarantees less than T radius: a coin against which every one has at least that. *)
Theorem radius_lower_bound : exists p, 0 <= p <= 1 /\
  forall F, proper_forecaster F -> (forall h, (choices F h <= n)%nat) ->
  forall T, INR T * radius n z <= expect F (fun _ => p) T (KLCal n z) [].
Proof using Hgrid.
  destruct (radius_is_max_min n z Hgrid) as [_ (p & Hp & Hfar)]. exists p. split; [exact Hp|].
  intros F HF Hchoices T. apply (coin_cost_total F n z HF Hchoices); auto. apply Hgrid.
Qed.

End Grid.

(** ** The grid of Section 5 *)

Lemma sine_grid_increasing K : (2 <= K)%nat -> increasing_grid (K + 1) (grid K).
Proof.
  intros HK. repeat split; [lia|now apply grid_bounds..|]. intros i Hi. apply grid_increasing_step; [exact HK|lia].
Qed.

(** A constant that bounds the cost of some rounding for both outcomes bounds the radius. *)
Lemma radius_below_cost n z (q : R -> nat -> R) c :
  increasing_grid n z ->
  (forall w, 0 < w < 1 -> is_distribution n (q w)) ->
  (forall w y, 0 < w < 1 -> sum n (fun j => q w j * loss (z j) y) - loss w y <= c) ->
  KL 0 (z 0%nat) <= c -> KL 1 (z (n - 1)%nat) <= c -> radius n z <= c.
Proof.
  intros Hgrid Hq Hcost H0 H1. apply radius_least; [exact Hgrid|]. destruct Hgrid as (Hn & Hz & _). intros r Hr.
  destruct (Req_dec r 0) as [->|N0]; [now exists 0%nat|].
  destruct (Req_dec r 1) as [->|N1]; [exists (n - 1)%nat; split; [lia|assumption]|].
  assert (Hr' : 0 < r < 1) by lra. destruct (Hq r Hr') as [Hp Hs].
  destruct (lowest n (fun j => at_most (KL r (z j)) c)) as [j|] eqn:E.
  - apply lowest_some in E. destruct E as (Hj & Ht & _). apply at_most_true in Ht. now exists j.
  - exfalso. pose proof (lowest_none _ _ E) as Hall.
    assert (Hmean : sum n (fun j => q r j * (KL r (z j) - c)) <= 0).
    { rewrite (sum_ext n _ (fun j => r * (q r j * loss (z j) true)
                 + (1 - r) * (q r j * loss (z j) false) + q r j * (- best_loss r 1 - c))).
      2: { intros j Hj. rewrite KL_by_losses by auto. ring. }
      rewrite !sum_plus, !sum_scal, sum_scal_r, Hs.
      pose proof (Hcost r true Hr'). pose proof (Hcost r false Hr').
      pose proof (KL_same r) as Es. rewrite KL_by_losses in Es by auto. nra. }
    assert (Hterm : forall j, (j < n)%nat -> 0 <= q r j * (KL r (z j) - c)).
    { intros j Hj. specialize (Hall j Hj). apply at_most_false in Hall. specialize (Hp j Hj). nra. }
    pose proof (sum_zero_terms n _ Hterm (Rle_antisym _ _ Hmean (sum_nonneg _ _ Hterm))) as Hzero.
    assert (sum n (q r) = 0); [|lra]. apply sum_zero. intros j Hj. specialize (Hzero j Hj). cbv beta in Hzero.
    specialize (Hall j Hj). apply at_most_false in Hall. apply Rmult_integral in Hzero. lra.
Qed.

(** No rounding does better than the radius: whatever it does near 0 and 1 must already pay for the ends. *)
Theorem no_rounding_is_better n z (q : R -> nat -> R) c :
  increasing_grid n z ->
  (forall w, 0 < w < 1 -> is_distribution n (q w)) ->
  (forall w y, 0 < w < 1 -> sum n (fun j => q w j * loss (z j) y) - loss w y <= c) ->
  radius n z <= c.
Proof.
  intros Hgrid Hq Hcost. pose proof Hgrid as (Hn & Hz & _).
  assert (Hfar : forall w y k, 0 < w < 1 -> (forall j, (j < n)%nat -> loss (z k) y <= loss (z j) y) ->
            loss (z k) y - loss w y <= c).
  { intros w y k Hw Hk. destruct (Hq w Hw) as [Hp Hs]. pose proof (Hcost w y Hw) as H.
    assert (loss (z k) y <= sum n (fun j => q w j * loss (z j) y)); [|lra].
    rewrite <- (Rmult_1_l (loss (z k) y)), <- Hs, <- sum_scal_r. apply sum_le. intros j Hj.
    apply Rmult_le_compat_l; auto. }
  assert (Hsmall : forall eps, 0 < eps -> 0 < exp (- eps) < 1).
  { intros eps He. split; [apply exp_pos|]. rewrite <- exp_0. apply exp_increasing. lra. }
  apply (radius_below_cost n z q c Hgrid Hq Hcost).
  - rewrite KL_0 by auto. apply le_epsilon. intros eps He. pose proof (Hsmall eps He) as Hs.
    assert (Hw : 0 < 1 - exp (- eps) < 1) by lra.
    assert (E : loss (1 - exp (- eps)) false = eps).
    { unfold loss. cbn [prob]. replace (1 - (1 - exp (- eps))) with (exp (- eps)) by ring. rewrite ln_exp. ring. }
    rewrite <- E at 1. enough (loss (z 0%nat) false - loss (1 - exp (- eps)) false <= c) by lra.
    apply Hfar; [exact Hw|]. intros j Hj. unfold loss. cbn [prob].
    pose proof (grid_order n z Hgrid 0 j ltac:(lia)) as Ho. pose proof (Hz j Hj). pose proof (Hz 0%nat Hn).
    apply Ropp_le_contravar, ln_le; lra.
  - rewrite KL_1 by (apply Hz; lia). apply le_epsilon. intros eps He. pose proof (Hsmall eps He) as Hw.
    assert (E : loss (exp (- eps)) true = eps) by (unfold loss; cbn [prob]; rewrite ln_exp; ring).
    rewrite <- E at 1. enough (loss (z (n - 1)%nat) true - loss (exp (- eps)) true <= c) by lra.
    apply Hfar; [exact Hw|]. intros j Hj. unfold loss. cbn [prob].
    pose proof (grid_order n z Hgrid j (n - 1) ltac:(lia)) as Ho. pose proof (Hz j Hj).
    pose proof (Hz (n - 1)%nat ltac:(lia)). apply Ropp_le_contravar, ln_le; lra.
Qed.

(** On this grid the radius is at most the cost of Algorithm 4, so the bound is below that of Theorem 2. *)
Theorem sine_radius K : (2 <= K)%nat -> radius (K + 1) (grid K) <= 2 * ln (/ cos (step K)).
Proof.
  intros HK. pose proof (cos_step_pos K HK) as Hc. pose proof PI_RGT_0 as HPI.
  assert (Hend : loss (cos (PI / (4 * INR K)) ^ 2) true <= 2 * ln (/ cos (step K))).
  { pose proof (step_bounds K HK). pose proof (quarter_angle_bounds K HK).
    unfold loss. cbn [prob].
    assert (Hcos : cos (step K) <= cos (PI / (4 * INR K))) by (apply cos_decr_1; lra).
    rewrite ln_pow2, ln_Rinv by lra. pose proof (ln_le _ _ (proj1 Hc) Hcos). lra. }
  apply (radius_below_cost _ _ (rround K)).
  - now apply sine_grid_increasing.
  - intros w _. now apply rround_is_distribution.
  - intros w y Hw. now apply lemma5_sharp.
  - rewrite KL_0 by now apply grid_bounds. unfold grid. cbn [Nat.eqb]. unfold loss in *. cbn [prob] in *.
    replace (1 - sin (PI / (4 * INR K)) ^ 2) with (cos (PI / (4 * INR K)) ^ 2); [exact Hend|].
    pose proof (sin2_cos2 (PI / (4 * INR K))) as Hsc. unfold Rsqr in Hsc. nra.
  - rewrite KL_1 by now apply grid_bounds. replace (K + 1 - 1)%nat with K by lia.
    unfold grid. replace (K =? 0)%nat with false by (symmetry; apply Nat.eqb_neq; lia).
    rewrite Nat.ltb_irrefl. exact Hend.
Qed.

(** (1/2) ln (1 + 4 x) <= ln (1 + x) for x >= 2 only; so the new bound is below the old one from T = 2 (K + 1) on. *)
Theorem log_odds_below_theorem2 K T : (2 <= K)%nat -> (2 * (K + 1) <= T)%nat ->
  log_odds_bound (K + 1) (grid K) T <= theorem2_sharp_bound K T.
Proof.
  intros HK HT. pose proof (sine_radius K HK) as Hr. unfold log_odds_bound, theorem2_sharp_bound.
  apply le_INR in HT. rewrite mult_INR in HT. replace (INR 2) with 2 in HT by (cbn; ring).
  set (N := INR (K + 1)) in *. assert (HN : 0 < N) by (apply lt_0_INR; lia). set (t := INR T) in *.
  set (x := t / N). replace (4 * t / N) with (4 * x) by (unfold x; field; lra).
  assert (Hx : 2 <= x).
  { unfold x. apply Rmult_le_reg_r with N; [lra|]. replace (t / N * N) with t by (field; lra). lra. }
  assert (Hln : ln (1 + 4 * x) <= 2 * ln (1 + x)).
  { rewrite <- ln_pow2 by lra. apply ln_le; [lra|nra]. }
  apply (Rmult_le_compat_l (N / 2)) in Hln; [|lra].
  assert (t * radius (K + 1) (grid K) <= t * (2 * ln (/ cos (step K)))) by (apply Rmult_le_compat_l; lra). lra.
Qed.
