(** * The rate of PAIR: 3.52 T^(1/3) (ln T)^(2/3)

    Let L = ln T, kappa = (T/L)^(1/3) > 1 and K = max(2, ceiling of kappa), so that K - 1 <= kappa <= K and
    T^(1/3) L^(2/3) = kappa L. The first term of Theorem A grows in the number of buckets and in t, so it is at most
    (K - 1) ln (4T/(K - 1)); the second is at most T 9 ln (4/3) / K^2, and T 2.5445 / K^2 for K >= 4 ([Rate]). If
    K >= 4, the first is at most 0.948 K L, since L >= 4.85, and L >= 7.3 for K >= 7; if K = 3, it is at most
    2 (1 + ln 2 / 3.2) L. If kappa <= 2, then PAIR has one point, 1/2, and KLCal <= T ln 2 on every path. *)

From Coq Require Import Reals Lra Lia Psatz List.
Import ListNotations.
From KLCal Require Import Definitions Basics Histories KT Numbers Lemma5 Lemma6 CellToPoint Ville.
From KLCal Require Import PairRule TheoremA Rate.
Open Scope R_scope.

(** ** One point *)

(** PAIR with K = 2 always says 1/2, and pays at most ln 2 a round. *)
Lemma one_point_calibration h : within 1 h -> KLCal 1 (inner_grid 2) h <= INR (length h) * ln 2.
Proof.
  intros Hh. rewrite <- (sum_of_counts 1 h Hh), <- sum_scal_r. apply sum_le. intros i Hi.
  replace i with 0%nat by lia. clear i Hi.
  assert (Hz : inner_grid 2 0 = / 2).
  { unfold inner_grid. cbn [Nat.add INR]. replace (PI * 1 / (2 * (1 + 1))) with (PI / 4) by field.
    rewrite sin_PI4. unfold Rdiv. rewrite Rmult_1_l, <- Rsqr_pow2. unfold Rsqr.
    rewrite <- Rinv_mult, sqrt_sqrt by lra. reflexivity. }
  set (n := count h 0). pose proof (count_ones_le h 0) as Hle. fold n in Hle.
  set (k := count_ones h 0) in *. apply le_INR in Hle. pose proof (pos_INR k) as Hk.
  rewrite Hz, scaled_KL by lra. replace (1 - / 2) with (/ 2) by lra. rewrite ln_Rinv by lra.
  enough (0 <= best_loss (INR k) (INR n)) by lra.
  assert (Hterm : forall x, 0 <= x <= INR n -> x * ln x <= x * ln (INR n)).
  { intros x [[Hx | <-] Hxn]; [| lra]. apply Rmult_le_compat_l; [lra | now apply ln_le]. }
  unfold best_loss. pose proof (Hterm (INR k) ltac:(lra)). pose proof (Hterm (INR n - INR k) ltac:(lra)).
  lra.
Qed.

(** ** The choice of K *)

Section Rate.
  Variable T : nat.
  Hypothesis HT : (2 <= T)%nat.

  Let L := ln (INR T).
  Let kappa := Rpower (INR T / L) (1 / 3).
  Let K := resolution T.
  Let N := INR (K - 1).

  (** The number kappa is x of [Rate]. *)
  Let kappa_ge_1 : 1 <= kappa := x_ge_1 T HT.
  Let rate_is_kappa_L : rate (INR T) = kappa * L := rate_is_x_ln_T T HT.
  Let L_pos : 0 < L := ln_T_pos T HT.

  Lemma kappa_cube : kappa * kappa * kappa * L = INR T.
  Proof using HT. rewrite (T_is_rate_x2 T HT) at 1. rewrite (rate_is_x_ln_T T HT). unfold kappa, L. ring. Qed.

  Lemma K_is_ceiling : K = Nat.max 2 (ceiling kappa).
  Proof using HT. unfold K, resolution. destruct (Nat.ltb_spec T 2); [lia | reflexivity]. Qed.

  Lemma resolution_bounds : (2 <= K)%nat /\ INR K - 1 <= kappa <= INR K /\ N = INR K - 1.
  Proof using HT.
    pose proof kappa_ge_1 as Hk. destruct (ceiling_bounds kappa ltac:(lra)) as [H1 H2].
    assert (HK2 : (2 <= K)%nat) by apply resolution_ge_2. split; [exact HK2 |].
    split; [| unfold N; rewrite minus_INR by lia; reflexivity]. rewrite K_is_ceiling.
    destruct (Nat.max_spec 2 (ceiling kappa)) as [[Hlt ->] | [Hle ->]]; [lra |].
    apply le_INR in Hle. cbn [INR] in *. lra.
  Qed.

  (** The cost of at most K - 1 buckets in at most T rounds. *)
  Lemma first_term t : (t <= T)%nat -> 2 <= kappa ->
    let M := INR (Nat.min t (K - 1)) in M * ln (4 * INR t / M) <= N * ln (4 * INR T / N).
  Proof using HT.
    intros Ht Hk M. pose proof (INR_ge_2 T HT) as HT2. destruct resolution_bounds as (HK2 & HK & HN).
    assert (HNT : 1 <= N <= INR T).
    { split; [rewrite HN; apply INR_ge_2 in HK2; lra |]. rewrite <- kappa_cube.
      pose proof (ln_T_three T HT Hk) as HL. fold L in HL.
      replace (kappa * kappa * kappa * L) with (kappa * (kappa * kappa * L)) by ring.
      apply Rle_trans with (kappa * 1); [lra |]. apply Rmult_le_compat_l; nra. }
    assert (Hln : 1 <= ln (4 * INR T / N)).
    { apply Rle_trans with (ln 4); [apply one_le_ln_4 |]. apply ln_le; [lra |].
      apply Rmult_le_reg_r with N; [lra |]. replace (4 * INR T / N * N) with (4 * INR T) by (field; lra). lra. }
    destruct (Nat.eq_dec t 0) as [Ht0 | Ht0].
    - assert (HM0 : M = 0) by (unfold M; rewrite Ht0; reflexivity).
      rewrite HM0, Rmult_0_l. apply Rmult_le_pos; lra.
    - assert (HM : 1 <= M) by (apply (le_INR 1); lia). assert (HMN : M <= N) by (apply le_INR; lia).
      assert (Htpos : 1 <= INR t) by (apply (le_INR 1); lia). apply le_INR in Ht.
      (* M ln (N / M) <= N - M *)
      pose proof (ln_le_minus_1 (N / M) ltac:(apply Rdiv_lt_0_compat; lra)) as H.
      apply (Rmult_le_compat_l M) in H; [| lra]. rewrite ln_div in H by lra.
      replace (M * (N / M - 1)) with (N - M) in H by (field; lra).
      pose proof (ln_le (4 * INR t) (4 * INR T) ltac:(lra) ltac:(lra)) as Hmono.
      apply (Rmult_le_compat_l M) in Hmono; [| lra].
      pose proof (Rmult_le_pos (N - M) (ln (4 * INR T / N) - 1) ltac:(lra) ltac:(lra)).
      rewrite !ln_div in * by lra. lra.
  Qed.

  (** For K >= 4 the logarithm of the first term is near that of T / kappa. *)
  Lemma first_log : (4 <= K)%nat -> N * ln (4 * INR T / N) <= 0.948 * INR K * L.
  Proof using HT.
    intros HK4. pose proof (INR_ge_2 T HT). destruct resolution_bounds as (_ & HK & HN).
    assert (Hk4 : 4 <= INR K) by (apply le_INR in HK4; cbn in HK4; lra). pose proof ln_2_3_5 as Hn.
    destruct (ln_T_four T HT ltac:(fold L kappa; lra)) as [HL HlnL]. fold L in HL, HlnL.
    pose proof (ln_x T HT) as Hx. fold L kappa in Hx.
    assert (Hlog : N * ln (4 * INR T / N) <= N * (1.3866 + 2 / 3 * L + / 3 * ln L) + 1).
    { rewrite ln_div, ln_mult, ln_4 by lra. fold L.
      pose proof (ln_tangent kappa N ltac:(lra) ltac:(lra)) as Ht.
      apply (Rmult_le_compat_l N) in Ht; [| lra].
      replace (N * (ln N + kappa / N - 1)) with (N * ln N + kappa - N) in Ht by (field; lra).
      pose proof (Rmult_le_compat_l N (2 * ln 2) 1.3866 ltac:(lra) ltac:(lra)). rewrite Hx in Ht. lra. }
    apply Rle_trans with (1 := Hlog). destruct (Nat.le_gt_cases K 6) as [H6 | H7].
    - apply le_INR in H6. cbn in H6.
      assert (N * (1.3866 + 2 / 3 * L + / 3 * ln L) <= N * (1.0612 * L)) by (apply Rmult_le_compat_l; lra).
      assert (N * 1.0612 + 0.2064 <= 0.948 * INR K) by lra.
      assert ((N * 1.0612 + 0.2064) * L <= 0.948 * INR K * L) by (apply Rmult_le_compat_r; lra). lra.
    - assert (Hk7 : 7 <= INR K) by (apply le_INR in H7; cbn in H7; lra).
      assert (HL7 : 7.3 <= L).
      { apply (ln_T_ge T HT 7.3 6); try (fold L kappa; lra).
        pose proof (ln_le 7.2 7.3 ltac:(lra) ltac:(lra)) as H1. replace 6 with (2 * 3) by lra.
        replace 7.2 with (2 * 2 * 3 * 3 / 5) in H1 by lra. rewrite ln_div, !ln_mult in H1 by lra.
        rewrite ln_mult by lra. lra. }
      assert (HlnL7 : ln L <= 0.2726 * L).
      { pose proof (ln_tangent L 7.5 ltac:(lra) ltac:(lra)) as H1.
        replace 7.5 with (3 * 5 / 2) in H1 at 1 by lra. rewrite ln_div, ln_mult in H1 by lra. lra. }
      assert (N * (1.3866 + 2 / 3 * L + / 3 * ln L) <= N * (0.9476 * L)) by (apply Rmult_le_compat_l; lra).
      assert ((N * 0.9476 + 0.2064) * L <= 0.948 * INR K * L) by (apply Rmult_le_compat_r; lra). lra.
  Qed.

  (** If kappa > 2, the bound of Theorem A is at most 3.52 kappa L. *)
  Lemma bound_le_rate t : 2 < kappa -> (t <= T)%nat -> pair_bound_explicit K t <= 3.52 * (kappa * L).
  Proof using HT.
    intros Hk Ht. pose proof (first_term t Ht ltac:(lra)) as H1. cbv zeta in H1. unfold pair_bound_explicit.
    destruct resolution_bounds as (HK2 & HK & HN). pose proof kappa_cube as Hcube. pose proof L_pos as HL.
    pose proof (ln_sec_nonneg K HK2) as Hsec. unfold theta in Hsec. apply le_INR in Ht.
    assert (HtT : 2 * INR t * ln (/ cos (PI / (2 * INR K))) <= INR T * (2 * ln (/ cos (PI / (2 * INR K))))).
    { apply (Rmult_le_compat_r _ _ _ Hsec) in Ht. lra. }
    assert (HkL : 0 < kappa * L) by (apply Rmult_lt_0_compat; lra).
    destruct (Nat.eq_dec K 3) as [E3 | Hne].
    - (* two points *)
      assert (HN2 : N = 2) by (rewrite HN, E3; cbn; ring). rewrite E3 in HK, HtT |- *. cbn [INR] in HK.
      replace (PI / (2 * INR 3)) with (PI / 6) in HtT |- * by (cbn; field).
      pose proof two_ln_sec_PI6 as H6. pose proof ln_4_3 as H43. rewrite <- H6 in H43.
      pose proof (ln_T_three T HT ltac:(fold L kappa; lra)) as HL3. fold L in HL3. pose proof ln_2_bounds.
      assert (Hfirst : N * ln (4 * INR T / N) <= 2.4334 * L).
      { rewrite HN2. replace (4 * INR T / 2) with (2 * INR T) by field.
        pose proof (INR_ge_2 T HT). rewrite ln_mult by lra. fold L. lra. }
      apply (Rmult_le_compat_l (INR T)) in H43; [| apply pos_INR]. rewrite <- Hcube in H43 at 2.
      assert (Hpoly : 2.4334 + 0.2878 * (kappa * kappa * kappa) <= 3.52 * kappa).
      { assert (0 <= (kappa - 2) * (3 - kappa)) by (apply Rmult_le_pos; lra).
        assert (kappa * (kappa * kappa) <= kappa * (5 * kappa - 6)) by (apply Rmult_le_compat_l; lra). nra. }
      apply (Rmult_le_compat_r L) in Hpoly; [| lra]. rewrite E3 in H1. lra.
    - (* more points *)
      assert (HK4 : (4 <= K)%nat).
      { enough (~ (K <= 2)%nat) by lia. intros H2. apply le_INR in H2. cbn in H2. lra. }
      assert (Hk4 : 4 <= INR K) by (apply le_INR in HK4; cbn in HK4; lra).
      pose proof (first_log HK4) as Hfirst. pose proof (cost_4 K HK4) as Hc.
      apply (Rmult_le_compat_l (INR T)) in Hc; [| apply pos_INR].
      set (v := kappa / INR K). assert (Hkv : kappa = v * INR K) by (unfold v; field; lra).
      assert (Hv : 3 / 4 <= v <= 1).
      { split; apply Rmult_le_reg_r with (INR K); try lra; rewrite <- Hkv; lra. }
      replace (INR T * (2.5445 / INR K ^ 2)) with (2.5445 * v ^ 2 * (kappa * L)) in Hc
        by (rewrite <- Hcube, Hkv; field; lra).
      assert (Hsize : INR K <= (1 + 4 / 3 * (1 - v)) * kappa).
      { rewrite Hkv. assert (1 <= (1 + 4 / 3 * (1 - v)) * v) by nra. nra. }
      apply (Rmult_le_compat_r (0.948 * L)) in Hsize; [| lra].
      assert (Hpoly : 0.948 * (1 + 4 / 3 * (1 - v)) + 2.5445 * v ^ 2 <= 3.52) by nra.
      apply (Rmult_le_compat_r (kappa * L)) in Hpoly; [| lra]. lra.
  Qed.

  (** If kappa <= 2, there is one point only. *)
  Lemma one_point_rate h : kappa <= 2 -> within (K - 1) h -> (length h <= T)%nat ->
    KLCal (K - 1) (inner_grid K) h <= 3.52 * (kappa * L).
  Proof using HT.
    intros Hk Hh Hlen. pose proof kappa_ge_1 as Hk1. pose proof L_pos as HL. pose proof ln_2_bounds.
    assert (E2 : K = 2%nat).
    { destruct (ceiling_bounds kappa ltac:(lra)) as [_ H2].
      assert (Hc : (ceiling kappa < 3)%nat) by (apply INR_lt; cbn [INR]; lra). rewrite K_is_ceiling. lia. }
    rewrite E2 in *. cbn [Nat.sub] in *.
    eapply Rle_trans; [now apply one_point_calibration |]. apply le_INR in Hlen.
    apply Rle_trans with (INR T * 0.6933); [apply Rmult_le_compat; try lra; apply pos_INR |].
    rewrite <- kappa_cube. replace (kappa * kappa * kappa * L) with (kappa * kappa * (kappa * L)) by ring.
    assert (kappa * kappa <= 4) by nra. assert (0 < kappa * L) by (apply Rmult_lt_0_compat; lra). nra.
  Qed.

  Variable A : adversary.
  Hypothesis HA : proper_adversary A.

  Lemma pair_rate_with c delta : 3.52 <= c -> 0 < delta <= 1 ->
    1 - delta <= probability (PAIR (resolution T)) A T (always (fun h =>
      at_most (KLCal (resolution T - 1) (inner_grid (resolution T)) h)
        (c * rate (INR T) + 2 * ln (/ delta)))).
  Proof using HT HA.
    intros Hc Hdelta. fold K. destruct resolution_bounds as [HK2 _].
    pose proof (ln_inv_nonneg delta Hdelta) as Hln.
    assert (Hrate : 3.52 * (kappa * L) <= c * rate (INR T)).
    { rewrite rate_is_kappa_L. apply Rmult_le_compat_r; [apply Rmult_le_pos |]; pose proof kappa_ge_1;
        pose proof L_pos; lra. }
    apply pair_ville; [exact HK2 | exact HA | lra |].
    intros h Hh Hlen Hwealth. apply at_most_true.
    destruct (Rle_lt_dec kappa 2) as [Hk | Hk].
    - pose proof (one_point_rate h Hk Hh Hlen). lra.
    - pose proof (pair_pathwise K HK2 h Hh). pose proof (pair_bound_le K h Hh) as Hb.
      pose proof (bound_le_rate (length h) Hk Hlen). unfold pair_bound in Hb. lra.
  Qed.

  (** The rate with high probability: for every T >= 2 and 0 < delta <= 1, PAIR with
      K = max(2, ceiling of (T / ln T)^(1/3)) satisfies with probability at least 1 - delta, after all rounds
      t <= T at once, KLCal <= 3.52 T^(1/3) (ln T)^(2/3) + 2 ln (1/delta). *)
  Theorem pair_rate_sharp delta : 0 < delta <= 1 ->
    1 - delta <= probability (PAIR (resolution T)) A T (always (fun h =>
      at_most (KLCal (resolution T - 1) (inner_grid (resolution T)) h)
        (3.52 * rate (INR T) + 2 * ln (/ delta)))).
  Proof using HT HA. apply pair_rate_with. lra. Qed.

  Theorem pair_rate delta : 0 < delta <= 1 ->
    1 - delta <= probability (PAIR (resolution T)) A T (always (fun h =>
      at_most (KLCal (resolution T - 1) (inner_grid (resolution T)) h)
        (4 * rate (INR T) + 2 * ln (/ delta)))).
  Proof using HT HA. apply pair_rate_with. lra. Qed.
End Rate.
