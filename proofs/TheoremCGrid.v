(** * Theorem C on the paper's grid, and for Algorithm 1

    On the grid of Section 5 the weights of Theorem C add up to at most 8.78 (K + 1) + 2 ln K, and the largest
    is at most 3.7 + 2 ln K. For Algorithm 1, Theorem 2 bounds PKLCal on every path. *)

From Coq Require Import Reals Lra Lia List Bool.
Import ListNotations.
From KLCal Require Import Definitions Bounds Basics Lemma5 Lemma6 Theorem2 Ville CellToPoint TheoremB SineProduct.
From KLCal Require Freedman.
From KLCal Require Import Theorem3 Corollary3 Theorem2Adaptive PoissonDivergence Numbers TheoremC.
Open Scope R_scope.

Section Weights.
  Variable K : nat.
  Hypothesis HK : (2 <= K)%nat.

  Let a := PI / (4 * INR K).

  Lemma end_angle : 0 < a < PI / 4 /\ sin (2 * a) = sin (theta K).
  Proof using HK.
    pose proof (INR_ge_2 K HK). pose proof PI_RGT_0. unfold a. repeat split.
    - apply Rdiv_lt_0_compat; lra.
    - apply Rmult_lt_compat_l; [lra |]. apply Rinv_lt_contravar; lra.
    - f_equal. unfold theta. field. lra.
  Qed.

  Lemma end_trig : 0 < sin a /\ 0 < cos a.
  Proof using HK.
    destruct end_angle as [Ha _]. pose proof PI_RGT_0. split; [apply sin_gt_0 | apply cos_gt_0]; lra.
  Qed.

  Lemma first_point : grid K 0 = sin a ^ 2 /\ 1 - grid K 0 = cos a ^ 2.
  Proof using.
    unfold grid. cbn [Nat.eqb]. fold a. pose proof (sin2_cos2 a) as H. unfold Rsqr in H. split; lra.
  Qed.

  Lemma last_point : grid K K = cos a ^ 2 /\ 1 - grid K K = sin a ^ 2.
  Proof using HK.
    unfold grid. destruct (Nat.eqb_spec K 0); [lia |]. rewrite Nat.ltb_irrefl. fold a.
    pose proof (sin2_cos2 a) as H. unfold Rsqr in H. split; lra.
  Qed.

  (** The end points: sin a cos a = sin (pi/2K) / 2 >= 1/2K. *)
  Lemma end_weight : - ln (sin a ^ 2) - ln (cos a ^ 2) <= 2 * ln 2 + 2 * ln (INR K).
  Proof using HK.
    destruct end_trig as [Hs Hc]. destruct end_angle as [_ H2a]. pose proof (INR_ge_2 K HK) as HK2.
    rewrite !ln_pow2 by assumption. rewrite sin_2a in H2a. pose proof (sin_theta_ge K HK) as Hth.
    assert (Hinv : 0 < / INR K) by (apply Rinv_0_lt_compat; lra).
    pose proof (ln_le (/ INR K) (2 * sin a * cos a) Hinv ltac:(lra)) as H.
    rewrite ln_Rinv, !ln_mult in H by (try apply Rmult_lt_0_compat; lra). lra.
  Qed.

  (** K sin a >= sin (pi/4) *)
  Lemma sin_end_ge : - ln (sin a ^ 2) <= ln 2 + 2 * ln (INR K).
  Proof using HK.
    destruct end_trig as [Hs _]. pose proof (INR_ge_2 K HK) as HK2.
    pose proof (sin_multiple K a) as H. replace (INR K * a) with (PI / 4) in H by (unfold a; field; lra).
    rewrite sin_PI4 in H. assert (Hr : 0 < sqrt 2) by (apply sqrt_lt_R0; lra).
    assert (H1 : 0 < 1 / sqrt 2) by (apply Rdiv_lt_0_compat; lra).
    rewrite !Rabs_pos_eq in H by lra.
    pose proof (ln_le _ _ H1 H) as Hln. rewrite ln_div, ln_1, ln_mult in Hln by lra.
    assert (Hsq : ln 2 = ln (sqrt 2) + ln (sqrt 2)).
    { rewrite <- ln_mult by exact Hr. now rewrite sqrt_sqrt by lra. }
    rewrite ln_pow2 by exact Hs. lra.
  Qed.

  Lemma largest_weight i b : (i < K + 1)%nat -> omega (grid K) i b <= 3 + ln 2 + 2 * ln (INR K).
  Proof using HK.
    intros Hi. unfold omega. pose proof sin_end_ge as Hend. destruct end_trig as [Hs _].
    enough (sin a ^ 2 <= prob (grid K i) b).
    { pose proof (ln_le (sin a ^ 2) _ ltac:(now apply pow_lt) H). lra. }
    destruct first_point as [H0 _]. destruct last_point as [_ HKK].
    destruct b; cbn [prob].
    - rewrite <- H0. destruct (Nat.eq_dec i 0) as [-> | N]; [lra |].
      left. apply grid_increasing; [exact HK | lia].
    - rewrite <- HKK. destruct (Nat.eq_dec i K) as [-> | N]; [lra |].
      pose proof (grid_increasing K HK i K ltac:(lia)). lra.
  Qed.

  Lemma sum_of_spreads :
    sum (K + 1) (fun i => - ln (4 * (grid K i * (1 - grid K i)))) <= 2 * INR (K - 1) * ln 2 + 2 * ln (INR K).
  Proof using HK.
    rewrite (sum_ext _ _ (fun i => - ln 4 + (- ln (grid K i) - ln (1 - grid K i)))).
    - rewrite sum_plus, sum_const.
      replace (K + 1)%nat with (1 + ((K - 1) + 1))%nat at 2 by lia. rewrite !sum_split. cbn [sum].
      rewrite !Nat.add_0_r. replace (1 + (K - 1))%nat with K by lia.
      destruct first_point as [-> ->]. destruct last_point as [-> ->].
      rewrite (sum_ext (K - 1) _ (fun i => - ln (inner_grid K i) - ln (1 - inner_grid K i))).
      + rewrite sum_of_logarithms by lia. pose proof end_weight as Hend.
        rewrite plus_INR, minus_INR by lia. cbn [INR].
        rewrite ln_4.
        pose proof (INR_ge_2 K HK). lra.
      + intros i Hi. unfold grid. destruct (Nat.eqb_spec (1 + i) 0); [lia |].
        destruct (Nat.ltb_spec (1 + i) K); [| lia]. unfold inner_grid. rewrite (Nat.add_comm 1 i). ring.
    - intros i _. pose proof (grid_bounds K HK i). rewrite !ln_mult by (try apply Rmult_lt_0_compat; lra). ring.
  Qed.

  Lemma sum_of_weights :
    sum (K + 1) (fun i => 6 - ln (grid K i) - ln (1 - grid K i)) <= 8.78 * INR (K + 1) + 2 * ln (INR K).
  Proof using HK.
    rewrite (sum_ext _ _ (fun i => (6 + 2 * ln 2) + - ln (4 * (grid K i * (1 - grid K i))))).
    - rewrite sum_plus, sum_const. pose proof sum_of_spreads as Hs. pose proof ln_2_bounds.
      rewrite plus_INR, minus_INR in * by lia. cbn [INR] in *. pose proof (INR_ge_2 K HK).
      pose proof (Rmult_le_compat_l (INR K) _ _ ltac:(lra) (proj2 H)). lra.
    - intros i _. pose proof (grid_bounds K HK i).
      rewrite !ln_mult by (try apply Rmult_lt_0_compat; lra).
      rewrite ln_4. ring.
  Qed.

End Weights.

(** Theorem C on the paper's grid: every algorithm, every adaptive adversary. Let
    X = ln (2 T^2 (K+1) / delta) and J = 3 + M + N, where 4^M >= 2 T and 4^N >= X^2 T / 2 (for example the
    smallest such M and N). With probability at least 1 - delta, after all rounds up to T at once,

      KLCal <= (e - 1) PKLCal + (8.78 (K+1) + 2 ln K) (1 + 2 ln J) + (7.4 + 4 ln K) ln (2/delta). *)
Theorem theoremC_grid F A K T M N delta :
  proper_forecaster F -> proper_adversary A -> (forall h, choices F h = (K + 1)%nat) -> (2 <= K)%nat ->
  (0 < T)%nat -> 0 < delta <= 1 ->
  2 * INR T <= 4 ^ M -> ln (2 * INR T ^ 2 * INR (K + 1) / delta) ^ 2 * INR T <= 2 * 4 ^ N ->
  1 - delta <= probability F A T (always (fun h =>
    at_most (KLCal (K + 1) (grid K) h)
      ((exp 1 - 1) * pseudo_KLCal_along F (K + 1) (grid K) h
       + (8.78 * INR (K + 1) + 2 * ln (INR K)) * (1 + 2 * ln (INR (3 + M + N)))
       + (7.4 + 4 * ln (INR K)) * ln (2 / delta)))).
Proof.
  intros HF HA Hchoices HK HT Hdelta HM HN.
  assert (Hinv : invariant F (fun _ => True)) by (intros h i y _ _ _; exact I).
  eapply Rle_trans.
  - apply (theoremC F A (K + 1) (grid K) HF HA Hchoices) with (T := T) (M := M) (N := N)
      (delta := delta) (largest := 3 + ln 2 + 2 * ln (INR K)); auto.
    + intros i _. now apply grid_bounds.
    + lia.
    + intros i b Hi. now apply largest_weight.
  - apply (probability_le F A HF HA _ Hinv); [exact I |]. intros h _ _.
    pose proof (sum_of_weights K HK) as Hsum. pose proof ln_2_bounds as Hln2.
    assert (HJ : 0 <= ln (INR (3 + M + N))).
    { apply ln_nonneg. replace 1 with (INR 1) by reflexivity. apply le_INR. lia. }
    assert (Hd : 0 <= ln (2 / delta)).
    { apply ln_nonneg. apply Rmult_le_reg_r with delta; [lra |].
      unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra. }
    pose proof (Rmult_le_compat_r (1 + 2 * ln (INR (3 + M + N))) _ _ ltac:(lra) Hsum) as H1.
    pose proof (Rmult_le_compat_r (ln (2 / delta)) (2 * (3 + ln 2 + 2 * ln (INR K))) (7.4 + 4 * ln (INR K))
                  Hd ltac:(lra)) as H2.
    induction h as [| r past IH]; cbn [always].
    + rewrite !at_most_true. lra.
    + rewrite !andb_true_iff, !at_most_true. intros [Hnow Hpast]. split; [lra | now apply IH].
Qed.

(** Algorithm 1 with high probability: against every adaptive adversary, with probability at least 1 - delta,
    after all rounds t <= T at once,

      KLCal <= (e - 1) ((K+1) ln (1 + t/(K+1)) + t tan^2(pi/2K))
               + (8.78 (K+1) + 2 ln K) (1 + 2 ln J) + (7.4 + 4 ln K) ln (2/delta),

    with J as in Theorem C. (At K = 2 the angle is pi/8.) *)
Theorem theoremC_algorithm1 A K T M N delta :
  proper_adversary A -> (2 <= K)%nat -> (0 < T)%nat -> 0 < delta <= 1 ->
  2 * INR T <= 4 ^ M -> ln (2 * INR T ^ 2 * INR (K + 1) / delta) ^ 2 * INR T <= 2 * 4 ^ N ->
  1 - delta <= probability (algorithm1_draws K) A T (always (fun h =>
    at_most (KLCal (K + 1) (grid K) h)
      ((exp 1 - 1) * theorem2_bound K (length h)
       + (8.78 * INR (K + 1) + 2 * ln (INR K)) * (1 + 2 * ln (INR (3 + M + N)))
       + (7.4 + 4 * ln (INR K)) * ln (2 / delta)))).
Proof.
  intros HA HK HT Hdelta HM HN. pose proof (algorithm1_draws_proper K HK) as HF.
  assert (Hinv : invariant (algorithm1_draws K) (fun _ => True)) by (intros h i y _ _ _; exact I).
  eapply Rle_trans; [now apply (theoremC_grid _ A K T M N delta HF HA) |].
  apply (probability_le _ A HF HA _ Hinv); [exact I |]. intros h _ _.
  pose proof Freedman.kappa_bounds as Hkap. unfold Freedman.kappa in Hkap.
  assert (Hpath : forall k, (exp 1 - 1) * pseudo_KLCal_along (algorithm1_draws K) (K + 1) (grid K) k
            <= (exp 1 - 1) * theorem2_bound K (length k)).
  { intros k. apply Rmult_le_compat_l; [lra |]. rewrite pseudo_KLCal_along_is_PKLCal. now apply theorem2. }
  induction h as [| r past IH]; cbn [always].
  - rewrite !at_most_true. pose proof (Hpath []). lra.
  - rewrite !andb_true_iff, !at_most_true. intros [Hnow Hpast]. split; [| now apply IH].
    pose proof (Hpath (r :: past)). lra.
Qed.
