(** * Corollary 3 of the paper, with its constants: Cal_2 of Algorithm 1's draws, with high probability and in the mean

    Algorithm 1 is fed the mixtures, so its mixtures are a function of the outcomes alone. If these are fixed
    in advance, the masses are known in advance, and part (a) of Theorem 3 applies; against an adaptive
    adversary part (b) does. PCal_2 <= PKLCal / 2 by Pinsker's inequality, and Theorem 2 bounds PKLCal. The tails
    for all delta add up to a bound for the mean. *)

From Coq Require Import Reals Lra Lia List Bool.
Import ListNotations.
From KLCal Require Import Definitions Bounds Basics Numbers Histories Lemma5 Theorem2 LossDefinitions Pinsker.
From KLCal Require Import Ville Freedman Theorem3.
Open Scope R_scope.

(** ** Algorithm 1 as a forecaster that draws *)

(** After every history: the mixture of Algorithm 1 for the outcomes so far. *)
Definition algorithm1_draws (K : nat) : forecaster :=
  Forecaster (fun _ => (K + 1)%nat) (fun h => algorithm1 K (outcome_of h) (length h)).

Lemma outcomes_past r h t : (t < length h)%nat -> outcome_of (r :: h) t = outcome_of h t.
Proof. exact (fun Ht => proj2 (earlier_round r h t Ht)). Qed.

Lemma outcomes_last i y h : outcome_of ((i, y) :: h) (length h) = y.
Proof. exact (proj2 (last_round i y h)). Qed.

Lemma algorithm1_draws_proper K : (2 <= K)%nat -> proper_forecaster (algorithm1_draws K).
Proof. intros HK h. now apply algorithm1_is_stationary. Qed.

(** What is summed along a history is what PKLCal sums. *)
Lemma masses_along K h i :
  mass_along (algorithm1_draws K) h i = mass (algorithm1 K (outcome_of h)) (length h) i
  /\ ones_along (algorithm1_draws K) h i
     = mass_of_ones (algorithm1 K (outcome_of h)) (outcome_of h) (length h) i.
Proof.
  induction h as [| [j y] past [IHm IHo]]; [now split |].
  cbn [mass_along ones_along length]. rewrite IHm, IHo. cbn [algorithm1_draws weight].
  assert (Hcausal : forall t, (t <= length past)%nat ->
            algorithm1 K (outcome_of ((j, y) :: past)) t = algorithm1 K (outcome_of past) t).
  { intros t Ht. apply algorithm1_is_causal. intros u Hu. apply outcomes_past. lia. }
  unfold mass, mass_of_ones. cbn [sum]. rewrite outcomes_last, Hcausal by lia. split.
  - rewrite (sum_ext _ (fun t => algorithm1 K (outcome_of ((j, y) :: past)) t i)
               (fun t => algorithm1 K (outcome_of past) t i)); [ring |].
    intros t Ht. now rewrite Hcausal by lia.
  - rewrite (sum_ext _ (fun t => algorithm1 K (outcome_of ((j, y) :: past)) t i
                                 * outcome (outcome_of ((j, y) :: past) t))
               (fun t => algorithm1 K (outcome_of past) t i * outcome (outcome_of past t))); [ring |].
    intros t Ht. now rewrite Hcausal, outcomes_past by lia.
Qed.

Lemma pseudo_Cal2_le K h : (2 <= K)%nat ->
  2 * pseudo_Cal2 (algorithm1_draws K) (K + 1) (grid K) h
  <= PKLCal K (algorithm1 K (outcome_of h)) (outcome_of h) (length h).
Proof.
  intros HK. set (y := outcome_of h).
  assert (Heq : pseudo_Cal2 (algorithm1_draws K) (K + 1) (grid K) h
                = Cal2 (K + 1) (grid K) (algorithm1 K y) y (length h)).
  { apply sum_ext. intros i _. destruct (masses_along K h i) as [-> ->]. reflexivity. }
  rewrite Heq. apply Cal2_below_KLCal.
  - intros i _. now apply grid_bounds.
  - intros t i Hi. now apply (algorithm1_is_stationary K y t HK).
Qed.

Lemma grid_in_unit K i : (2 <= K)%nat -> 0 <= grid K i <= 1.
Proof. intros HK. pose proof (grid_bounds K HK i). lra. Qed.

(** ** Adaptive adversaries *)

(** Against every adaptive adversary, with probability at least 1 - delta, after all rounds t <= T at once,
    Cal_2 of the draws of Algorithm 1 is at most 3/2 of the bound of Theorem 2 and what Theorem 3 (b) adds, for every
    J with T <= 4^J. *)
Theorem corollary3_adaptive K A T J delta :
  (2 <= K)%nat -> proper_adversary A -> INR T <= 4 ^ J -> 0 < delta <= 1 ->
  1 - delta <= probability (algorithm1_draws K) A T (always (fun h =>
    at_most (realised_Cal2 (K + 1) (grid K) h)
      (3 / 2 * theorem2_bound K (length h) + any_masses_cost (K + 1) J delta))).
Proof.
  intros HK HA HTJ Hdelta. pose proof (algorithm1_draws_proper K HK) as HF.
  assert (Hinv : invariant (algorithm1_draws K) (fun _ => True)) by (intros h i y _ _ _; exact I).
  eapply Rle_trans.
  - apply (theorem3_any_algorithm (algorithm1_draws K) A (K + 1) (grid K) HF HA) with (T := T) (J := J); auto.
    + intros i _. now apply grid_in_unit.
    + lia.
  - apply (probability_le _ _ HF HA _ Hinv); [exact I |]. intros h _ _.
    assert (Hstep : forall h, at_most (realised_Cal2 (K + 1) (grid K) h)
              (3 * pseudo_Cal2 (algorithm1_draws K) (K + 1) (grid K) h + any_masses_cost (K + 1) J delta) = true ->
            at_most (realised_Cal2 (K + 1) (grid K) h)
              (3 / 2 * theorem2_bound K (length h) + any_masses_cost (K + 1) J delta) = true).
    { intros k. rewrite !at_most_true. intros H. pose proof (pseudo_Cal2_le K k HK).
      pose proof (theorem2 K (length k) (outcome_of k) HK). lra. }
    induction h as [| r past IH]; cbn [always]; [apply Hstep |].
    rewrite !andb_true_iff. intros [Hnow Hpast]. split; [now apply Hstep | now apply IH].
Qed.

(** ** Outcomes fixed in advance *)

Definition follows (y : nat -> bool) (h : history) : Prop :=
  forall t, (t < length h)%nat -> outcome_of h t = y t.

Lemma follows_step y h i : follows y h -> follows y ((i, y (length h)) :: h).
Proof.
  intros Hh t Ht. cbn [length] in Ht. destruct (Nat.eq_dec t (length h)) as [-> | Hne].
  - apply outcomes_last.
  - rewrite outcomes_past by lia. apply Hh. lia.
Qed.

Lemma indicator_le (E E' : history -> bool) h :
  (E h = true -> E' h = true) -> indicator E h <= indicator E' h.
Proof.
  intros H. unfold indicator. destruct (E h); [rewrite H by reflexivity; lra | destruct (E' h); lra].
Qed.

(** Two forecasters that agree as long as the outcomes are y cannot be told apart. *)
Lemma expect_oblivious_le y F G f g T h :
  (forall k, follows y k -> choices F k = choices G k /\ forall i, weight F k i = weight G k i) ->
  (forall k i, (i < choices F k)%nat -> 0 <= weight F k i) ->
  (forall k, follows y k -> length k = (T + length h)%nat -> f k <= g k) -> follows y h ->
  expect F (oblivious y) T f h <= expect G (oblivious y) T g h.
Proof.
  intros Hagree Hpos. revert h. induction T as [| T IH]; intros h Hfg Hh; cbn [expect].
  - now apply Hfg.
  - destruct (Hagree h Hh) as [Hchoices Hweight]. rewrite <- Hchoices.
    apply sum_le. intros i Hi. rewrite <- Hweight. apply Rmult_le_compat_l; [now apply Hpos |].
    pose proof (follows_step y h i Hh) as Hnext. unfold oblivious, deterministic.
    destruct (y (length h)); cbn [outcome]; rewrite ?Rminus_eq_0, ?Rminus_0_r, ?Rmult_0_l, ?Rmult_1_l;
      rewrite ?Rplus_0_r, ?Rplus_0_l; apply IH; auto; intros k Hk Hlen; apply Hfg; auto;
      cbn [length] in Hlen; lia.
Qed.

Lemma sum_along_length (P : nat -> nat -> R) n h i :
  mass_along (Forecaster (fun _ => n) (fun k => P (length k))) h i = mass P (length h) i.
Proof.
  induction h as [| r past IH]; [reflexivity |]. cbn [mass_along length weight]. rewrite IH.
  unfold mass. cbn [sum]. ring.
Qed.

(** Corollary 3. For every sequence of outcomes fixed in advance, with probability at least 1 - delta over the
    draws, after T rounds Cal_2 of Algorithm 1 is at most 3/2 of the bound of Theorem 2 and what Theorem 3 (a)
    adds. *)
Theorem corollary3 K y T delta : (2 <= K)%nat -> 0 < delta <= 1 ->
  1 - delta <= probability (algorithm1_draws K) (oblivious y) T (fun h =>
    at_most (realised_Cal2 (K + 1) (grid K) h)
      (3 / 2 * theorem2_bound K T + known_masses_cost (K + 1) delta)).
Proof.
  intros HK Hdelta.
  set (G := Forecaster (fun _ => (K + 1)%nat) (fun h => algorithm1 K y (length h))).
  assert (HG : proper_forecaster G) by (intros h; now apply algorithm1_is_stationary).
  eapply Rle_trans.
  - apply (theorem3_known_masses G (oblivious y) (K + 1) (grid K) HG (oblivious_proper y)) with
      (T := T) (S := fun i => mass (algorithm1 K y) T i) (delta := delta); auto.
    + intros i _. now apply grid_in_unit.
    + lia.
    + intros h i _ <- _. apply sum_along_length.
  - assert (Hagree : forall k, follows y k ->
                       algorithm1 K y (length k) = algorithm1 K (outcome_of k) (length k)).
    { intros k Hk. apply algorithm1_is_causal. intros u Hu. symmetry. now apply Hk. }
    apply expect_oblivious_le.
    + intros k Hk. cbn [G algorithm1_draws choices weight]. split; [reflexivity |]. intros i.
      now rewrite Hagree.
    + intros k i Hi. now apply (proj1 (HG k)).
    + intros k Hk Hlen. cbn [length] in Hlen. rewrite Nat.add_0_r in Hlen.
      assert (Hpseudo : pseudo_Cal2 G (K + 1) (grid K) k
                        = pseudo_Cal2 (algorithm1_draws K) (K + 1) (grid K) k).
      { assert (Halong : forall i, mass_along G k i = mass_along (algorithm1_draws K) k i
                                   /\ ones_along G k i = ones_along (algorithm1_draws K) k i).
        { intros i. clear Hlen. induction k as [| [j b] past IH]; [now split |].
          assert (Hpast : follows y past).
          { intros t Ht. rewrite <- (outcomes_past (j, b) past t Ht). apply Hk. cbn [length]. lia. }
          cbn [mass_along ones_along G algorithm1_draws weight]. destruct (IH Hpast) as [-> ->].
          now rewrite (Hagree past Hpast). }
        apply sum_ext. intros i _. destruct (Halong i) as [-> ->]. reflexivity. }
      apply indicator_le. rewrite Hpseudo, !at_most_true. intros Hgood.
      pose proof (pseudo_Cal2_le K k HK) as Hle.
      pose proof (theorem2 K (length k) (outcome_of k) HK) as Hbound. rewrite Hlen in *. lra.
    + intros t Ht. cbn [length] in Ht. lia.
Qed.

(** ** In the mean *)

(** Tails of 2^-j at the distance c j give a mean of at most 2 c more. *)
Lemma mean_from_tails F A T a c J : proper_forecaster F -> proper_adversary A -> 0 <= c -> forall f,
  (forall h, reachable F T [] h -> f h <= a + c * INR J) ->
  (forall j, 1 - (/ 2) ^ j <= probability F A T (fun h => at_most (f h) (a + c * INR j))) ->
  expect F A T f [] <= a + c * (2 - 2 * (/ 2) ^ J).
Proof.
  intros HF HA Hc. induction J as [| J IH]; intros f Hbound Htail.
  - rewrite <- (expect_const F A HF T (a + c * (2 - 2 * (/ 2) ^ 0)) []).
    apply expect_le_reachable; auto. intros h Hh. specialize (Hbound h Hh). cbn [INR pow] in *. lra.
  - set (g := fun h => Rmin (f h) (a + c * INR J)). set (E := fun h => at_most (f h) (a + c * INR J)).
    apply Rle_trans with (expect F A T (fun h => g h + (c + - c * indicator E h)) []).
    + apply expect_le_reachable; auto. intros h Hh. specialize (Hbound h Hh). rewrite S_INR in Hbound.
      unfold g, indicator, E, Rmin, at_most. destruct (Rle_dec (f h) (a + c * INR J)); lra.
    + rewrite !expect_plus, expect_const, expect_scal by assumption.
      change (expect F A T (indicator E) []) with (probability F A T E).
      assert (Hg : expect F A T g [] <= a + c * (2 - 2 * (/ 2) ^ J)).
      { apply IH; [intros h _; apply Rmin_r |]. intros j. eapply Rle_trans; [apply (Htail j) |].
        apply expect_le; auto. intros h. apply indicator_le. rewrite !at_most_true. unfold g.
        intros H. apply Rle_trans with (2 := H). apply Rmin_l. }
      pose proof (Rmult_le_compat_l c _ _ Hc (Htail J)) as Hj. fold E in Hj. cbn [pow]. lra.
Qed.

Lemma realised_Cal2_le n z h : (forall i, (i < n)%nat -> 0 <= z i <= 1) -> within n h ->
  realised_Cal2 n z h <= INR (length h).
Proof.
  intros Hz Hh. rewrite <- (sum_of_counts n h Hh). apply sum_le. intros i Hi.
  apply small_cell; [apply counts_bounds | now apply Hz].
Qed.

Lemma Cal2_mean K A T main q w : (2 <= K)%nat -> proper_adversary A -> 0 <= main -> 2 <= q -> 1 <= w ->
  (forall delta, 0 < delta <= 1 -> 1 - delta <= probability (algorithm1_draws K) A T (fun h =>
     at_most (realised_Cal2 (K + 1) (grid K) h) (main + q * ln (w / delta)))) ->
  expect (algorithm1_draws K) A T (realised_Cal2 (K + 1) (grid K)) [] <= main + q * ln (w / (1 / 4)).
Proof.
  intros HK HA Hmain Hq Hw Htail. replace (w / (1 / 4)) with (w * 4) by field. rewrite ln_mult, ln_4 by lra.
  pose proof (algorithm1_draws_proper K HK) as HF. pose proof ln_lt_2 as H2.
  pose proof (ln_nonneg w Hw) as Hlnw.
  assert (Hqw : 0 <= q * ln w) by (apply Rmult_le_pos; lra).
  assert (Hq2 : 1 <= q * ln 2) by (apply Rle_trans with (2 * / 2); [lra | apply Rmult_le_compat; lra]).
  eapply Rle_trans; [apply (mean_from_tails _ _ T (main + q * ln w) (q * ln 2) T HF HA) |].
  - lra.
  - intros h Hh. apply (reachable_within _ (K + 1)) in Hh; [| reflexivity | constructor].
    destruct Hh as [Hh Hlen]. pose proof (realised_Cal2_le (K + 1) (grid K) h) as H.
    specialize (H (fun i _ => grid_in_unit K i HK) Hh). rewrite Hlen, Nat.add_0_r in H.
    pose proof (Rmult_le_compat_r (INR T) _ _ (pos_INR T) Hq2). lra.
  - intros j. assert (Hpow : 0 < (/ 2) ^ j <= 1).
    { split; [apply pow_lt; lra |]. rewrite <- (pow1 j). apply pow_incr. lra. }
    eapply Rle_trans; [apply (Htail ((/ 2) ^ j) Hpow) |]. right. unfold probability. f_equal.
    assert (E : ln (w / (/ 2) ^ j) = ln w + INR j * ln 2).
    { rewrite ln_div by lra. rewrite <- (Rpower_pow j (/ 2)) by lra. unfold Rpower.
      rewrite ln_exp, ln_Rinv by lra. ring. }
    rewrite E. replace (main + q * (ln w + INR j * ln 2)) with (main + q * ln w + q * ln 2 * INR j) by ring.
    reflexivity.
  - assert (0 <= (/ 2) ^ T) by (apply pow_le; lra).
    assert (0 <= q * ln 2 * (/ 2) ^ T) by (apply Rmult_le_pos; lra). lra.
Qed.

Lemma bound_nonneg K t : (2 <= K)%nat ->
  0 <= 3 / 2 * theorem2_bound K t /\ 3 <= INR (K + 1).
Proof.
  intros HK. unfold theorem2_bound. apply INR_ge_2 in HK. rewrite plus_INR. cbn [INR]. pose proof (pos_INR t) as Ht.
  split; [| lra]. apply Rmult_le_pos; [lra |]. apply Rplus_le_le_0_compat.
  - apply Rmult_le_pos; [lra |]. apply ln_nonneg.
    assert (0 <= INR t / (INR K + 1)) by (apply Rmult_le_pos; [lra | left; apply Rinv_0_lt_compat; lra]). lra.
  - apply Rmult_le_pos; [lra | apply pow2_ge_0].
Qed.

(** E[Cal_2] of Algorithm 1 for outcomes fixed in advance is at most the bound of Corollary 3 at delta = 1/4. *)
Theorem corollary3_expectation K y T : (2 <= K)%nat ->
  expect (algorithm1_draws K) (oblivious y) T (realised_Cal2 (K + 1) (grid K)) []
  <= 3 / 2 * theorem2_bound K T + known_masses_cost (K + 1) (1 / 4).
Proof.
  intros HK. unfold known_masses_cost. destruct (bound_nonneg K T HK) as [HB HK1]. pose proof kappa_bounds as Hk.
  unfold kappa in Hk.
  apply Cal2_mean; auto using oblivious_proper; try lra; try nra. intros delta Hd. now apply corollary3.
Qed.

(** Against every adaptive adversary too, for every J with T <= 4^J. *)
Theorem corollary3_expectation_adaptive K A T J : (2 <= K)%nat -> proper_adversary A -> INR T <= 4 ^ J ->
  expect (algorithm1_draws K) A T (realised_Cal2 (K + 1) (grid K)) []
  <= 3 / 2 * theorem2_bound K T + any_masses_cost (K + 1) J (1 / 4).
Proof.
  intros HK HA HTJ. unfold any_masses_cost. destruct (bound_nonneg K T HK) as [HB HK1]. pose proof kappa_bounds as Hk.
  unfold kappa in Hk.
  pose proof (pos_INR J) as HJ. apply Cal2_mean; auto; try lra; try nra. intros delta Hd.
  eapply Rle_trans; [now apply (corollary3_adaptive K A T J delta) |].
  apply expect_le_reachable; [now apply algorithm1_draws_proper | exact HA |]. intros h Hh.
  apply (reachable_within _ (K + 1)) in Hh; [| reflexivity | constructor]. destruct Hh as [_ Hlen].
  rewrite Nat.add_0_r in Hlen. apply indicator_le. rewrite <- Hlen.
  destruct h as [| r past]; cbn [always]; [easy |]. now rewrite andb_true_iff.
Qed.
