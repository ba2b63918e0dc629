(** * The rate of PAIR: 4 T^(1/3) (ln T)^(2/3)

    Let L = ln T, kappa = (T/L)^(1/3) > 1 and K = max(2, ceiling of kappa), so that K - 1 <= kappa <= K and
    T^(1/3) L^(2/3) = kappa L. The first term of Theorem A grows in the number of buckets, so it is at most
    kappa ln (4T/kappa) = kappa (ln 4 + (2/3) L + (1/3) ln L). In the second, ln sec x / x^2 increases, so
    2 K^2 ln sec (pi/2K) <= 4 ln 2. If kappa > 2, then T >= 26, and the sum is at most 4 kappa L. If
    kappa <= 2, then PAIR has one point, 1/2, and KLCal <= T ln 2 <= 4 kappa L on every path. *)

From Coq Require Import Reals Lra Lia Psatz List.
Import ListNotations.
From KLCal Require Import Definitions Basics KT CellToPoint Ville PairRule TheoremA Rate.
Open Scope R_scope.

(** ** Numbers *)

Lemma ln_next_ge k : 0 < k -> 2 / (2 * k + 1) <= ln (k + 1) - ln k.
Proof.
  intros Hk. rewrite <- ln_div by lra.
  assert (H1 : 1 <= (k + 1) / k) by (apply Rmult_le_reg_r with k; [lra | field_simplify; lra]).
  pose proof (ln_ge_quotient _ H1) as H.
  apply Rmult_le_reg_l with ((k + 1) / k + 1); [lra |].
  replace (((k + 1) / k + 1) * (2 / (2 * k + 1))) with (2 * ((k + 1) / k - 1)) by (field; lra). exact H.
Qed.

Lemma ln_next_le k : 0 < k -> ln (k + 1) - ln k <= (/ k + / (k + 1)) / 2.
Proof.
  intros Hk. rewrite <- ln_div by lra.
  assert (H1 : 1 <= (k + 1) / k) by (apply Rmult_le_reg_r with k; [lra | field_simplify; lra]).
  pose proof (ln_le_half_difference _ H1) as H.
  replace ((/ k + / (k + 1)) / 2) with (((k + 1) / k - / ((k + 1) / k)) / 2) by (field; lra). exact H.
Qed.

Ltac ln_steps lemma k m :=
  match eval compute in (Z.ltb k m) with
  | true => let H := fresh "H" in
            pose proof (lemma (IZR k) ltac:(lra)) as H;
            let k' := eval compute in (k + 1)%Z in
            replace (IZR k + 1) with (IZR k') in H by lra;
            ln_steps lemma k' m
  | false => idtac
  end.

Lemma ln_12 : ln 12 = ln 2 + ln 6.
Proof. replace 12 with (2 * 6) by lra. apply ln_mult; lra. Qed.

Lemma ln_2_bounds : 0.6922 <= ln 2 <= 0.695.
Proof.
  pose proof ln_12. split.
  - ln_steps ln_next_ge 6%Z 12%Z. lra.
  - ln_steps ln_next_le 6%Z 12%Z. lra.
Qed.

Lemma ln_3_bounds : 1.092 <= ln 3 <= 1.112.
Proof.
  pose proof ln_2_bounds.
  pose proof (ln_next_ge 2 ltac:(lra)) as Hlo. pose proof (ln_next_le 2 ltac:(lra)) as Hup.
  replace (2 + 1) with 3 in Hlo, Hup by lra. lra.
Qed.

Lemma ln_26 : 3.25 <= ln 26.
Proof.
  assert (H26 : ln 26 = ln 2 + ln 13) by (replace 26 with (2 * 13) by lra; apply ln_mult; lra).
  assert (H8 : ln 8 = 3 * ln 2).
  { replace 8 with (2 * (2 * 2)) by lra. rewrite !ln_mult by lra. lra. }
  pose proof ln_2_bounds. ln_steps ln_next_ge 8%Z 13%Z. lra.
Qed.

(** Before T = 26, T <= 8 ln T. *)
Lemma small_horizon T : (2 <= T <= 25)%nat -> INR T <= 8 * ln (INR T).
Proof.
  intros HT. pose proof ln_2_bounds. pose proof ln_3_bounds. pose proof ln_12.
  assert (H4 : ln 4 = ln 2 + ln 2) by (replace 4 with (2 * 2) by lra; apply ln_mult; lra).
  assert (H6 : ln 6 = ln 2 + ln 3) by (replace 6 with (2 * 3) by lra; apply ln_mult; lra).
  assert (H18 : ln 18 = ln 6 + ln 3) by (replace 18 with (6 * 3) by lra; apply ln_mult; lra).
  assert (H24 : ln 24 = ln 2 + ln 12) by (replace 24 with (2 * 12) by lra; apply ln_mult; lra).
  assert (Hfrom : forall a b, (a <= Z.of_nat T <= b)%Z -> 0 < IZR a -> IZR b <= 8 * ln (IZR a) ->
                    INR T <= 8 * ln (INR T)).
  { intros a b [Ha Hb] Hpos Hab. apply IZR_le in Ha, Hb. rewrite INR_IZR_INZ.
    pose proof (ln_le _ _ Hpos Ha). lra. }
  destruct (le_lt_dec T 4); [apply (Hfrom 2 5)%Z; lia || lra |].
  destruct (le_lt_dec T 11); [apply (Hfrom 4 11)%Z; lia || lra |].
  destruct (le_lt_dec T 19); [apply (Hfrom 12 19)%Z; lia || lra |].
  destruct (le_lt_dec T 23); [apply (Hfrom 18 23)%Z; lia || lra |].
  apply (Hfrom 24 25)%Z; lia || lra.
Qed.

(** ** The cost of the grid *)

(** 2 K^2 ln sec (pi/2K) <= 4 ln 2 for K >= 2. *)
Lemma ln_sec_le K : (2 <= K)%nat -> 2 * ln (/ cos (PI / (2 * INR K))) <= 4 * ln 2 / (INR K * INR K).
Proof.
  intros HK. pose proof (INR_K K HK) as HK2. pose proof PI_RGT_0 as HPI.
  assert (Hend : ln (/ cos (PI / 4)) = ln 2 / 2).
  { assert (Hs : 0 < sqrt 2) by (apply sqrt_lt_R0; lra).
    rewrite cos_PI4. replace (/ (1 / sqrt 2)) with (sqrt 2) by (field; lra).
    rewrite <- (sqrt_sqrt 2) at 2 by lra. rewrite ln_mult by exact Hs. field. }
  replace (4 * ln 2 / (INR K * INR K)) with (2 * ((2 / INR K) ^ 2 * ln (/ cos (PI / 4))))
    by (rewrite Hend; field; lra).
  apply Rmult_le_compat_l; [lra |].
  replace (PI / (2 * INR K)) with (2 / INR K * (PI / 4)) by (field; lra).
  destruct (Nat.eq_dec K 2) as [-> | Hne].
  - right. replace (2 / INR 2) with 1 by (cbn; field). rewrite pow1, !Rmult_1_l. reflexivity.
  - assert (H3 : 3 <= INR K) by (assert (H3 : (3 <= K)%nat) by lia; apply le_INR in H3; cbn in H3; lra).
    apply ln_sec_chord; [lra |]. split; [apply Rdiv_lt_0_compat; lra |].
    apply Rmult_lt_reg_r with (INR K); [lra |]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra.
Qed.

(** ** One point *)

(** PAIR with K = 2 always says 1/2, and pays at most ln 2 a round. *)
Lemma one_point_calibration h : on_grid 1 h -> KLCal 1 (inner_grid 2) h <= INR (length h) * ln 2.
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

  Lemma L_bounds : 0.6922 <= L < INR T.
  Proof using HT.
    pose proof (INR_K T HT). pose proof ln_2_bounds. unfold L. split.
    - pose proof (ln_le 2 (INR T) ltac:(lra) ltac:(lra)). lra.
    - pose proof (ln_le_minus_1 (INR T) ltac:(lra)). lra.
  Qed.

  (** The number kappa is x of [Rate]. *)
  Lemma kappa_ge_1 : 1 <= kappa.
  Proof using HT. now apply x_ge_1. Qed.

  Lemma ln_kappa : 3 * ln kappa = L - ln L.
  Proof using HT. unfold kappa, L. rewrite (ln_x T HT). field. Qed.

  (** T^(1/3) L^(2/3) = kappa L *)
  Lemma rate_is_kappa_L : rate (INR T) = kappa * L.
  Proof using HT. now apply rate_is_x_ln_T. Qed.

  Lemma kappa_cube : kappa * kappa * kappa * L = INR T.
  Proof using HT. rewrite (T_is_rate_x2 T HT) at 1. rewrite (rate_is_x_ln_T T HT). unfold kappa, L. ring. Qed.

  Lemma K_is_ceiling : K = Nat.max 2 (ceiling kappa).
  Proof using HT. unfold K, resolution. destruct (Nat.ltb_spec T 2); [lia | reflexivity]. Qed.

  Lemma resolution_bounds : (2 <= K)%nat /\ INR K - 1 <= kappa <= INR K.
  Proof using HT.
    pose proof kappa_ge_1 as Hk. destruct (ceiling_bounds kappa ltac:(lra)) as [H1 H2].
    rewrite K_is_ceiling. split; [lia |].
    destruct (Nat.max_spec 2 (ceiling kappa)) as [[Hlt ->] | [Hle ->]]; [lra |].
    apply le_INR in Hle. cbn [INR] in *. lra.
  Qed.

  (** The cost of at most kappa buckets in at most T rounds. *)
  Lemma first_term t : (t <= T)%nat ->
    let N := INR (Nat.min t (K - 1)) in
    N * ln (4 * INR t / N) <= kappa * (ln 4 + 2 / 3 * L + 1 / 3 * ln L).
  Proof using HT.
    intros Ht N. pose proof kappa_ge_1 as Hk. pose proof (INR_K T HT) as HT2. pose proof L_bounds as HL.
    destruct resolution_bounds as [HK2 HK].
    assert (Hln4 : ln 4 = ln 2 + ln 2) by (replace 4 with (2 * 2) by lra; apply ln_mult; lra).
    pose proof ln_2_bounds as Hln2.
    set (M := ln 4 + 2 / 3 * L + 1 / 3 * ln L).
    assert (HM : M = ln (4 * INR T / kappa)).
    { rewrite ln_div, ln_mult by lra. fold L. pose proof ln_kappa. unfold M. lra. }
    assert (HM1 : 1 <= M).
    { pose proof (ln_ge_1_minus_inv L ltac:(lra)) as H.
      assert (/ L <= 1.45) by (apply Rmult_le_reg_l with L; [lra | rewrite Rinv_r by lra; lra]).
      unfold M. lra. }
    destruct (Nat.eq_dec t 0) as [Ht0 | Ht0].
    - assert (HN0 : N = 0) by (unfold N; rewrite Ht0; reflexivity).
      rewrite HN0, Rmult_0_l. apply Rmult_le_pos; lra.
    - assert (HN : 1 <= N) by (replace 1 with (INR 1) by reflexivity; apply le_INR; lia).
      assert (HNk : N <= kappa).
      { apply Rle_trans with (INR (K - 1)); [apply le_INR; lia |]. rewrite minus_INR by lia. cbn [INR]. lra. }
      assert (Htpos : 1 <= INR t) by (replace 1 with (INR 1) by reflexivity; apply le_INR; lia).
      apply le_INR in Ht.
      (* N ln (kappa / N) <= kappa - N *)
      assert (Hshift : N * ln (4 * INR t / N) <= N * M + (kappa - N)).
      { pose proof (ln_le_minus_1 (kappa / N) ltac:(apply Rdiv_lt_0_compat; lra)) as H.
        apply (Rmult_le_compat_l N) in H; [| lra].
        replace (N * (kappa / N - 1)) with (kappa - N) in H by (field; lra).
        rewrite ln_div in H by lra.
        pose proof (ln_le (4 * INR t) (4 * INR T) ltac:(lra) ltac:(lra)) as Hmono.
        apply (Rmult_le_compat_l N) in Hmono; [| lra].
        rewrite HM, !ln_div by lra. lra. }
      pose proof (Rmult_le_compat_r (M - 1) N kappa ltac:(lra) HNk). lra.
  Qed.

  (** The cost of the grid. *)
  Lemma second_term t : (t <= T)%nat ->
    2 * INR t * ln (/ cos (PI / (2 * INR K))) <= 4 * ln 2 * (kappa * L).
  Proof using HT.
    intros Ht. pose proof kappa_ge_1 as Hk. pose proof L_bounds as HL. destruct resolution_bounds as [HK2 HK].
    pose proof ln_2_bounds as Hln2. pose proof (ln_sec_le K HK2) as Hsec.
    pose proof (ln_sec_nonneg K HK2) as Hpos. unfold theta in Hpos. apply le_INR in Ht.
    apply Rle_trans with (INR T * (4 * ln 2 / (INR K * INR K))).
    - pose proof (Rmult_le_compat_r _ _ _ Hpos Ht). pose proof (pos_INR t).
      pose proof (Rmult_le_compat_l (INR T) _ _ ltac:(lra) Hsec). lra.
    - pose proof kappa_cube as Hcube.
      apply Rmult_le_reg_r with (INR K * INR K); [apply Rmult_lt_0_compat; lra |].
      replace (INR T * (4 * ln 2 / (INR K * INR K)) * (INR K * INR K))
        with (4 * ln 2 * INR T) by (field; lra).
      rewrite <- Hcube.
      replace (4 * ln 2 * (kappa * kappa * kappa * L))
        with (4 * ln 2 * (kappa * L) * (kappa * kappa)) by ring.
      apply Rmult_le_compat_l; [repeat apply Rmult_le_pos; lra |]. apply Rmult_le_compat; lra.
  Qed.

  (** If kappa > 2, the bound of Theorem A is at most 4 kappa L. *)
  Lemma bound_le_rate t : 2 < kappa -> (t <= T)%nat -> pair_bound_explicit K t <= 4 * (kappa * L).
  Proof using HT.
    intros Hk2 Ht. pose proof (first_term t Ht) as H1. pose proof (second_term t Ht) as H2.
    cbv zeta in H1. unfold pair_bound_explicit. pose proof L_bounds as HL.
    assert (HL325 : 3.25 <= L).
    { destruct (le_lt_dec T 25) as [Hle | Hgt].
      - exfalso. pose proof (small_horizon T ltac:(lia)) as H8. fold L in H8. rewrite <- kappa_cube in H8.
        assert (8 < kappa * kappa * kappa).
        { replace 8 with (2 * 2 * 2) by ring.
          apply Rmult_le_0_lt_compat; try lra. apply Rmult_le_0_lt_compat; lra. }
        pose proof (Rmult_lt_compat_r L 8 (kappa * kappa * kappa) ltac:(lra) ltac:(assumption)). lra.
      - unfold L. eapply Rle_trans; [apply ln_26 |]. apply ln_le; [lra |].
        replace 26 with (INR 26) by (rewrite INR_IZR_INZ; reflexivity). apply le_INR. lia. }
    pose proof ln_2_bounds. pose proof ln_3_bounds.
    assert (Hln4 : ln 4 = ln 2 + ln 2) by (replace 4 with (2 * 2) by lra; apply ln_mult; lra).
    assert (HlnL : ln L <= ln 3 + L / 3 - 1) by (apply ln_tangent; lra).
    assert (Hsum : ln 4 + 2 / 3 * L + 1 / 3 * ln L <= (4 - 4 * ln 2) * L).
    { pose proof (Rmult_le_compat_r L (ln 2) 0.695 ltac:(lra) ltac:(lra)). lra. }
    apply (Rmult_le_compat_l kappa) in Hsum; [| lra]. lra.
  Qed.

  (** If kappa <= 2, there is one point only. *)
  Lemma one_point : kappa <= 2 -> K = 2%nat.
  Proof using HT.
    intros Hk. pose proof kappa_ge_1 as Hk1. destruct (ceiling_bounds kappa ltac:(lra)) as [_ H].
    assert (Hc : (ceiling kappa < 3)%nat) by (apply INR_lt; cbn [INR]; lra).
    rewrite K_is_ceiling. lia.
  Qed.

  Lemma one_point_rate h : kappa <= 2 -> on_grid (K - 1) h -> (length h <= T)%nat ->
    KLCal (K - 1) (inner_grid K) h <= 4 * (kappa * L).
  Proof using HT.
    intros Hk Hh Hlen. pose proof kappa_ge_1 as Hk1. pose proof L_bounds as HL. pose proof ln_2_bounds.
    rewrite (one_point Hk) in *. cbn [Nat.sub] in *.
    eapply Rle_trans; [now apply one_point_calibration |]. apply le_INR in Hlen.
    apply Rle_trans with (INR T * 1); [apply Rmult_le_compat; try lra; apply pos_INR |].
    rewrite <- kappa_cube, Rmult_1_r.
    replace (kappa * kappa * kappa * L) with (kappa * kappa * (kappa * L)) by ring.
    apply Rmult_le_compat_r; [apply Rmult_le_pos; lra |].
    replace 4 with (2 * 2) by ring. apply Rmult_le_compat; lra.
  Qed.

  Variable A : adversary.
  Hypothesis HA : proper_adversary A.

  (** The rate with high probability: for every T >= 2 and 0 < delta <= 1, PAIR with
      K = max(2, ceiling of (T / ln T)^(1/3)) satisfies with probability at least 1 - delta, after all rounds
      t <= T at once, KLCal <= 4 T^(1/3) (ln T)^(2/3) + 2 ln (1/delta). *)
  Theorem pair_rate delta : 0 < delta <= 1 ->
    1 - delta <= probability (PAIR (resolution T)) A T (always (fun h =>
      at_most (KLCal (resolution T - 1) (inner_grid (resolution T)) h)
        (4 * rate (INR T) + 2 * ln (/ delta)))).
  Proof using HT HA.
    intros Hdelta. rewrite rate_is_kappa_L. fold K. destruct resolution_bounds as [HK2 _].
    assert (Hln : 0 <= ln (/ delta)).
    { apply ln_nonneg. rewrite <- Rinv_1. apply Rinv_le_contravar; lra. }
    apply pair_ville; [exact HK2 | exact HA | lra |].
    intros h Hh Hlen Hwealth. apply at_most_true.
    destruct (Rle_lt_dec kappa 2) as [Hk | Hk].
    - pose proof (one_point_rate h Hk Hh Hlen). lra.
    - pose proof (pair_pathwise K HK2 h Hh). pose proof (pair_bound_le K h Hh) as Hb.
      pose proof (bound_le_rate (length h) Hk Hlen). unfold pair_bound in Hb. lra.
  Qed.
End Rate.
