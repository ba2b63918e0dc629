(** * Corollary 2 of the paper, as repaired: pseudo swap regret of Algorithm 1 for all losses at once.

    Theorem 2 bounds PKLCal by 3.7 T^(1/3) (ln T)^(2/3). Proposition 3 carries this over to all losses of L_G
    together, Proposition 2 (as repaired) to every loss that grows as it asks, and Pinsker's inequality with
    PCal_1 <= sqrt (T PCal_2) to all bounded proper losses together. *)

From Coq Require Import Reals Arith Lia Lra.
From KLCal Require Import Definitions Bounds Basics Lemma5 Theorem2 Rate.
From KLCal Require Import LossDefinitions Curvature Pinsker Proposition2 Proposition3 Cal1.
Open Scope R_scope.

(** T^(2/3) (ln T)^(1/3), the rate for all bounded proper losses. *)
Definition slow_rate (T : R) : R := Rpower T (2 / 3) * Rpower (ln T) (1 / 3).

Lemma slow_rate_square T : 1 < T -> slow_rate T * slow_rate T = T * rate T.
Proof.
  intros HT. assert (HL : 0 < ln T) by (rewrite <- ln_1; apply ln_increasing; lra).
  unfold slow_rate, rate, Rpower. rewrite <- (exp_ln T) at 5 by lra. rewrite <- !exp_plus. f_equal. field.
Qed.

(** 4 sqrt (3.7/2) <= 5.5. *)
Lemma slow_rate_bound T c :
  1 < T -> c <= 3.7 * rate T -> 4 * sqrt (T * c / 2) <= 5.5 * slow_rate T.
Proof.
  intros HT Hc.
  assert (Hs : 0 < slow_rate T) by (apply Rmult_lt_0_compat; apply exp_pos).
  assert (Hle : T * c / 2 <= (1.375 * slow_rate T) * (1.375 * slow_rate T)).
  { replace ((1.375 * slow_rate T) * (1.375 * slow_rate T)) with (1.375 * 1.375 * (slow_rate T * slow_rate T))
      by ring.
    rewrite slow_rate_square by assumption.
    assert (0 < rate T) by (apply Rmult_lt_0_compat; apply exp_pos).
    assert (T * c <= T * (3.7 * rate T)) by (apply Rmult_le_compat_l; lra).
    assert (0 < T * rate T) by (apply Rmult_lt_0_compat; lra). lra. }
  apply sqrt_le_1_alt in Hle. rewrite sqrt_square in Hle by lra. lra.
Qed.

(** The points of the grid of Section 5 are different. *)
Lemma grid_different K : (2 <= K)%nat -> different (K + 1) (grid K).
Proof.
  intros HK i j Hi Hj E. destruct (Nat.lt_trichotomy i j) as [H|[H|H]]; [exfalso|assumption|exfalso].
  - pose proof (grid_increasing K HK i j ltac:(lia)). lra.
  - pose proof (grid_increasing K HK j i ltac:(lia)). lra.
Qed.

(** Four bounds at once by PKLCal alone: for every K >= 2, mixtures over the grid and outcomes, if PKLCal <= B,
    then PMsr over L_G <= G/4 B for every G >= 0, PSReg <= c B for every proper loss with p (1 - p) |f''(p)| <= c,
    and PMsr over L <= 4 sqrt (T B / 2). *)
Theorem four_bounds : forall K T P y B, (2 <= K)%nat -> (forall t, is_distribution (K + 1) (P t)) ->
  PKLCal K P y T <= B ->
  (forall G, 0 <= G -> exists v,
     is_max_pseudo_swap_regret (class_LG G) (K + 1) (grid K) P y T v /\ v <= G / 4 * B)
  /\ (forall l f' f'' c, proper l -> derivative_inside (form l) f' -> derivative_inside f' f'' ->
        0 <= c -> growth f'' c ->
        exists v, is_pseudo_swap_regret l (K + 1) (grid K) P y T v /\ v <= c * B)
  /\ (exists v, is_max_pseudo_swap_regret class_L (K + 1) (grid K) P y T v /\ v <= 4 * sqrt (INR T * B / 2)).
Proof.
  intros K T P y B HK Hd HB. pose proof (grid_different K HK) as Hz.
  assert (Hin : forall i, (i < K + 1)%nat -> inside (grid K i)) by (intros; now apply grid_bounds).
  assert (Hunit : forall i, (i < K + 1)%nat -> in_unit (grid K i)).
  { intros i Hi. specialize (Hin i Hi). unfold inside, in_unit in *. lra. }
  assert (HP : weights (K + 1) P) by (intros t i Hi; now apply (Hd t)).
  unfold PKLCal in *. repeat apply conj.
  - intros G HG. destruct (proposition3 G HG) as (_ & _ & H).
    destruct (H (K + 1)%nat (grid K) y T Hz Hin) as [H' _].
    destruct (H' P HP) as [(v & Hv & Hle & Hle') _]. exists v. split; [exact Hv|].
    apply (Rmult_le_compat_l (G / 4)) in HB; lra.
  - intros l f' f'' c Hl Hf' Hf'' Hc Hgrowth.
    destruct (proposition2 l f' f'' c Hl Hf' Hf'') as [_ H].
    destruct (H Hgrowth (K + 1)%nat (grid K) y T Hz Hin) as [H' _].
    destruct (H' P HP) as (v & Hv & Hle). exists v. split; [exact Hv|].
    apply (Rmult_le_compat_l c) in HB; [|assumption]. lra.
  - destruct (swap_regret_of_bounded_losses (K + 1) (grid K) y T Hz Hunit) as [H _].
    destruct (H P HP (fun t _ => proj2 (Hd t))) as ((v & Hv & Hle) & _ & Hle').
    exists v. split; [exact Hv|]. specialize (Hle' Hin). apply Rle_trans with (1 := Hle).
    apply Rle_trans with (1 := Hle'). apply Rmult_le_compat_l; [lra|]. apply sqrt_le_1_alt.
    pose proof (Rmult_le_compat_l _ _ _ (pos_INR T) HB). lra.
Qed.

(** Corollary 2 with the bound of Theorem 2 in its sharp form, for every K >= 2, every T and any stationary
    mixtures: PKLCal <= B = (K+1) ln (1 + T/(K+1)) + 2 T ln sec(pi/2K), PMsr over L_G <= G/4 B, PSReg <= c B and
    PMsr over L <= 4 sqrt (T B / 2). At K = 2 the angle is pi/8. *)
Theorem corollary2_sharp : forall K T P y, (2 <= K)%nat -> stationary_mixtures K P y ->
  let B := theorem2_sharp_bound K T in
  PKLCal K P y T <= B
  /\ (forall G, 0 <= G -> exists v,
        is_max_pseudo_swap_regret (class_LG G) (K + 1) (grid K) P y T v /\ v <= G / 4 * B)
  /\ (forall l f' f'' c, proper l -> derivative_inside (form l) f' -> derivative_inside f' f'' ->
        0 <= c -> growth f'' c ->
        exists v, is_pseudo_swap_regret l (K + 1) (grid K) P y T v /\ v <= c * B)
  /\ (exists v, is_max_pseudo_swap_regret class_L (K + 1) (grid K) P y T v /\ v <= 4 * sqrt (INR T * B / 2)).
Proof.
  intros K T P y HK HP B. destruct (theorem2_any_mixtures K T P y HK HP) as [H1 H2]. fold B in H2.
  assert (HB : PKLCal K P y T <= B) by lra. split; [exact HB|].
  apply four_bounds; [assumption| |exact HB]. intros t. apply (HP t).
Qed.

(** Corollary 2, as repaired. Let T >= 2 and K = max(2, ceiling of (T/ln T)^(1/3)). For every outcome sequence
    Algorithm 1 has after T rounds, at the same time,
    (1) PKLCal <= 3.7 T^(1/3) (ln T)^(2/3);
    (2) PMsr over L_G at most 0.925 G T^(1/3) (ln T)^(2/3), for every G >= 0;
    (3) PSReg <= 3.7 c T^(1/3) (ln T)^(2/3) for every proper loss with p (1 - p) |f''(p)| <= c;
    (4) PMsr over all proper losses with values in [-1, 1] at most 5.5 T^(2/3) (ln T)^(1/3). *)
Theorem corollary2 : forall T y, (2 <= T)%nat ->
  let K := resolution T in
  let P := algorithm1 K y in
  PKLCal K P y T <= 3.7 * rate (INR T)
  /\ (forall G, 0 <= G -> exists v,
        is_max_pseudo_swap_regret (class_LG G) (K + 1) (grid K) P y T v /\ v <= 0.925 * G * rate (INR T))
  /\ (forall l f' f'' c, proper l -> derivative_inside (form l) f' -> derivative_inside f' f'' ->
        0 <= c -> growth f'' c ->
        exists v, is_pseudo_swap_regret l (K + 1) (grid K) P y T v /\ v <= 3.7 * c * rate (INR T))
  /\ (exists v, is_max_pseudo_swap_regret class_L (K + 1) (grid K) P y T v /\ v <= 5.5 * slow_rate (INR T)).
Proof.
  intros T y HT K P. pose proof (resolution_ge_2 T) as HK. fold K in HK.
  pose proof (theorem2_rate T y HT) as Hrate. cbv zeta in Hrate. fold K P in Hrate.
  assert (HT2 : 1 < INR T) by (apply le_INR in HT; cbn in HT; lra).
  destruct (four_bounds K T P y _ HK (fun t => proj1 (algorithm1_is_stationary K y t HK)) Hrate)
    as (H2 & H3 & v4 & Hv4 & H4).
  split; [exact Hrate|]. repeat apply conj.
  - intros G HG. destruct (H2 G HG) as (v & Hv & Hle). exists v. split; [exact Hv|lra].
  - intros l f' f'' c Hl Hf' Hf'' Hc Hgrowth. destruct (H3 l f' f'' c Hl Hf' Hf'' Hc Hgrowth) as (v & Hv & Hle).
    exists v. split; [exact Hv|lra].
  - exists v4. split; [exact Hv4|]. pose proof (slow_rate_bound (INR T) _ HT2 (Rle_refl _)). lra.
Qed.
