(** * Theorem A: PAIR's own KL-calibration, with high probability, against every adaptive adversary

    The wealth of PAIR is the product over all rounds of prob w y / prob q y, where w is the mean of the drawn
    bucket and q the mean clipped to its cell. On every path

      KLCal <= 2 ln wealth + (sum of ln (4 n_i) over the used buckets) + 2 t ln sec (pi/2K),

    by the bound for one bucket and the step from the cell to its point. The wealth is a martingale that
    starts at 1, whatever the adversary does. Ville's inequality gives the tail for all rounds at once, and
    ln x <= x - 1 the expectation. *)

From Coq Require Import Reals Lra Lia List Bool.
Import ListNotations.
From KLCal Require Import Definitions Basics Histories KT Lemma6 CellToPoint Ville PairRule.
Open Scope R_scope.

(** ** What the used buckets cost: the sum of ln (4 n_i) over the i < n with n_i > 0 *)

Definition cost_of_bucket (h : history) (i : nat) : R :=
  if (count h i =? 0)%nat then 0 else ln (4 * INR (count h i)).

Definition cost_of_buckets (n : nat) (h : history) : R := sum n (cost_of_bucket h).

(** ** The wealth *)

Definition bucket_factor (K : nat) (h : history) (i : nat) (y : bool) : R :=
  wealth_factor (boundary K i) (boundary K (S i)) (count_ones h i) (count h i) y.

Fixpoint pair_wealth (K : nat) (h : history) : R :=
  match h with
  | [] => 1
  | (i, y) :: past => pair_wealth K past * bucket_factor K past i y
  end.

(** Only the K - 1 points of PAIR are drawn. *)
Lemma pair_invariant K : invariant (PAIR K) (within (K - 1)).
Proof. intros h i y Hh Hi _. constructor; [exact Hi | exact Hh]. Qed.

(** ** The explicit form of the cost of the used buckets *)

Lemma one_le_ln_4 : 1 <= ln 4.
Proof. replace 4 with (2 * 2) by ring. rewrite ln_mult by lra. pose proof ln_lt_2. lra. Qed.

(** With t rounds and N = min(t, K - 1): at most N ln (4 t / N). *)
Theorem cost_of_buckets_le (m : nat) h : within m h ->
  let t := length h in
  let N := Nat.min t m in
  cost_of_buckets m h <= INR N * ln (4 * INR t / INR N).
Proof.
  intros Hh t N. pose proof (sum_of_counts m h Hh) as Hcount. fold t in Hcount.
  destruct (Nat.eq_dec N 0) as [HN | HN].
  - (* no rounds, or no buckets *)
    rewrite HN. cbn [INR]. rewrite Rmult_0_l. right. apply sum_zero. intros i Hi.
    assert (Ht : t = 0%nat) by (unfold N in HN; lia). unfold t in Ht.
    apply length_zero_iff_nil in Ht. rewrite Ht. reflexivity.
  - assert (HNpos : 0 < INR N) by (apply lt_0_INR; lia).
    assert (HNt : INR N <= INR t) by (apply le_INR; lia).
    set (mu := INR t / INR N).
    assert (Hmu : 1 <= mu).
    { unfold mu. apply Rmult_le_reg_r with (INR N); [lra |].
      unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra. }
    (* the tangent at the mean *)
    assert (Htangent : forall i, (i < m)%nat ->
              cost_of_bucket h i <= is_used h i * (ln (4 * mu) - 1) + INR (count h i) * / mu).
    { intros i Hi. unfold cost_of_bucket, is_used. destruct (Nat.eqb_spec (count h i) 0) as [-> | H0].
      - cbn [INR]. lra.
      - assert (Hc : 0 < INR (count h i)) by (apply lt_0_INR; lia).
        pose proof (ln_tangent (4 * INR (count h i)) (4 * mu) ltac:(lra) ltac:(lra)) as H.
        replace (4 * INR (count h i) / (4 * mu)) with (INR (count h i) * / mu) in H by (field; lra). lra. }
    (* the number of used buckets *)
    assert (Hused : sum m (is_used h) <= INR N).
    { unfold N. apply Nat.min_case.
      - rewrite <- Hcount. apply sum_le. intros i Hi. unfold is_used.
        destruct (Nat.eqb_spec (count h i) 0) as [-> | H0]; [cbn [INR]; lra |].
        replace 1 with (INR 1) by reflexivity. apply le_INR. lia.
      - rewrite <- (Rmult_1_r (INR m)), <- sum_const. apply sum_le. intros i Hi. unfold is_used.
        destruct (count h i =? 0)%nat; lra. }
    eapply Rle_trans; [apply sum_le; exact Htangent |].
    rewrite sum_plus, !sum_scal_r, Hcount.
    replace (INR t * / mu) with (INR N) by (unfold mu; field; unfold mu in Hmu; lra).
    replace (4 * INR t / INR N) with (4 * mu) by (unfold mu; field; lra).
    assert (Hln : 1 <= ln (4 * mu)) by (rewrite ln_mult by lra; pose proof one_le_ln_4;
                                        pose proof (ln_nonneg mu Hmu); lra).
    pose proof (Rmult_le_compat_r (ln (4 * mu) - 1) _ _ ltac:(lra) Hused). lra.
Qed.

Section Pair.
  Variable K : nat.
  Hypothesis HK : (2 <= K)%nat.

  Let z := inner_grid K.
  Let n := (K - 1)%nat.

  (** ** The wealth is a positive martingale *)

  Lemma pair_wealth_pos h : within n h -> 0 < pair_wealth K h.
  Proof using HK.
    induction 1 as [| [i y] past Hi Hpast IH]; cbn [pair_wealth]; [lra |].
    apply Rmult_lt_0_compat; [exact IH |].
    apply wealth_factor_pos; [| apply count_ones_le]. apply cell_is_proper; [exact HK | cbn in Hi; lia].
  Qed.

  (** In every round the mean of the wealth over the draw stays the same, for either outcome. *)
  Theorem pair_wealth_martingale possible : martingale (PAIR K) possible (pair_wealth K).
  Proof using HK.
    intros h y _. unfold draw_mean. cbn [pair_wealth PAIR choices weight].
    rewrite (sum_ext _ _ (fun i => pair_wealth K h * (pair_mixture K h i * bucket_factor K h i y)))
      by (intros; ring).
    rewrite sum_scal. unfold bucket_factor, wealth_factor, pair_mixture.
    rewrite pair_rule_balance; [ring | exact HK |]. intros i _. apply kt_open, count_ones_le.
  Qed.

  (** ** The pathwise inequality *)

  Lemma wealth_bound_total h : within n h ->
    sum n (fun i => wealth_bound (boundary K i) (boundary K (S i)) (count_ones h i) (count h i))
    <= ln (pair_wealth K h).
  Proof using HK.
    induction 1 as [| [j y] past Hj Hpast IH]; cbn [pair_wealth].
    - cbn [count count_ones]. rewrite ln_1. right. apply sum_zero. intros. apply wealth_bound_start.
    - assert (Hcell : proper_cell (boundary K j) (boundary K (S j)))
        by (apply cell_is_proper; [exact HK | cbn in Hj; lia]).
      pose proof (count_ones_le past j) as Hle.
      rewrite ln_mult by (try apply wealth_factor_pos; auto using pair_wealth_pos).
      eapply Rle_trans; [| apply Rplus_le_compat_r; exact IH].
      set (bound := fun i => wealth_bound (boundary K i) (boundary K (S i))
                                          (count_ones past i) (count past i)).
      rewrite (sum_update n j bound);
        [| exact Hj | intros i Hi; unfold bound; now rewrite count_other, count_ones_other].
      rewrite count_same, count_ones_same. unfold bound at 2.
      pose proof (wealth_bound_step _ _ _ _ y Hcell Hle) as Hstep. unfold bucket_factor. lra.
  Qed.

  Lemma bucket_calibration h i : (i < n)%nat ->
    INR (count h i) * KL (INR (count_ones h i) / INR (count h i)) (z i)
    <= 2 * wealth_bound (boundary K i) (boundary K (S i)) (count_ones h i) (count h i)
       + cost_of_bucket h i + 2 * ln (/ cos (theta K)) * INR (count h i).
  Proof using HK.
    intros Hi. unfold cost_of_bucket. pose proof (count_ones_le h i) as Hle.
    assert (HiK : (S i < K)%nat) by lia.
    pose proof (cell_is_proper K HK i HiK) as Hcell.
    set (k := count_ones h i) in *. set (m := count h i) in *.
    destruct (Nat.eqb_spec m 0) as [Hm | Hm].
    - rewrite Hm in *. replace k with 0%nat by lia. rewrite wealth_bound_start. cbn [INR]. lra.
    - assert (Hpos : 0 < INR m) by (apply lt_0_INR; lia).
      assert (Hk : 0 <= INR k <= INR m) by (split; [apply pos_INR | now apply le_INR]).
      pose proof (ratio_unit (INR k) (INR m) ltac:(lra) ltac:(lra)) as Hr.
      pose proof (wealth_bound_end _ _ k m Hcell Hle ltac:(lia)) as Hend.
      pose proof (pair_cell_to_point K HK i (INR k / INR m) (clip (boundary K i) (boundary K (S i)) (kt k m))
                    HiK Hr (clip_kt_open _ _ _ _ Hcell Hle)) as Hpoint.
      specialize (Hpoint ltac:(apply clip_bounds; unfold proper_cell in Hcell; lra)).
      apply (Rmult_le_compat_l (INR m)) in Hpoint; [| lra]. unfold z. lra.
  Qed.

  (** On every path: KLCal <= 2 ln wealth + sum over used buckets of ln (4 n_i) + 2 t ln sec (pi/2K). *)
  Theorem pair_pathwise h : within (K - 1) h ->
    KLCal (K - 1) (inner_grid K) h
    <= 2 * ln (pair_wealth K h) + cost_of_buckets (K - 1) h
       + 2 * INR (length h) * ln (/ cos (PI / (2 * INR K))).
  Proof using HK.
    intros Hh. fold n in Hh. fold n z (theta K). unfold KLCal, cost_of_buckets.
    eapply Rle_trans; [apply sum_le; intros i Hi; now apply bucket_calibration |].
    rewrite !sum_plus, !sum_scal, sum_of_counts by exact Hh.
    pose proof (wealth_bound_total h Hh). lra.
  Qed.
End Pair.

(** ** The theorems *)

Section Theorems.
  Variables (K : nat) (A : adversary).
  Hypothesis HK : (2 <= K)%nat.
  Hypothesis HA : proper_adversary A.

  (** The bound without the term for the probability. *)
  Definition pair_bound (h : history) : R :=
    cost_of_buckets (K - 1) h + 2 * INR (length h) * ln (/ cos (PI / (2 * INR K))).

  (** The same, with N = min(t, K - 1). *)
  Definition pair_bound_explicit (t : nat) : R :=
    let N := INR (Nat.min t (K - 1)) in
    N * ln (4 * INR t / N) + 2 * INR t * ln (/ cos (PI / (2 * INR K))).

  Lemma pair_bound_le h : within (K - 1) h -> pair_bound h <= pair_bound_explicit (length h).
  Proof using.
    intros Hh. unfold pair_bound, pair_bound_explicit. apply Rplus_le_compat_r. now apply cost_of_buckets_le.
  Qed.

  (** The wealth has mean 1 after any number of rounds. *)
  Theorem pair_wealth_mean T : expect (PAIR K) A T (pair_wealth K) [] = 1.
  Proof using HK HA.
    apply (martingale_mean (PAIR K) A (PAIR_is_proper K HK) HA _ (pair_invariant K)).
    - now apply pair_wealth_martingale.
    - constructor.
  Qed.

  (** E exp((KLCal - bound)/2) <= 1. *)
  Theorem pair_exponential_moment T :
    expect (PAIR K) A T (fun h => exp ((KLCal (K - 1) (inner_grid K) h - pair_bound h) / 2)) [] <= 1.
  Proof using HK HA.
    rewrite <- (pair_wealth_mean T).
    apply (expect_le_possible (PAIR K) A (PAIR_is_proper K HK) HA _ (pair_invariant K));
      [constructor |].
    intros h Hh _. rewrite <- (exp_ln (pair_wealth K h)) by now apply pair_wealth_pos.
    pose proof (pair_pathwise K HK h Hh) as Hpath.
    destruct (Rle_lt_or_eq_dec ((KLCal (K - 1) (inner_grid K) h - pair_bound h) / 2) (ln (pair_wealth K h)))
      as [Hlt | ->]; [unfold pair_bound; lra | left; now apply exp_increasing | right; reflexivity].
  Qed.

  (** E[KLCal] <= E[sum over used buckets of ln (4 n_i)] + 2 T ln sec (pi/2K). *)
  Theorem theoremA_expectation_used T :
    expect (PAIR K) A T (KLCal (K - 1) (inner_grid K)) []
    <= expect (PAIR K) A T (cost_of_buckets (K - 1)) [] + 2 * INR T * ln (/ cos (PI / (2 * INR K))).
  Proof using HK HA.
    set (L := ln (/ cos (PI / (2 * INR K)))).
    pose proof (PAIR_is_proper K HK) as HF.
    (* ln x <= x - 1 for the wealth *)
    apply Rle_trans with
      (expect (PAIR K) A T
         (fun h => 1 * (2 * pair_wealth K h + -2 * 1)
                   + 1 * (1 * cost_of_buckets (K - 1) h + 2 * INR T * L * 1)) []).
    - apply (expect_le_possible _ _ HF HA _ (pair_invariant K)); [constructor |].
      intros h Hh Hlen. cbn [length] in Hlen. rewrite Nat.add_0_r in Hlen.
      pose proof (pair_pathwise K HK h Hh) as Hpath. rewrite Hlen in Hpath. fold L in Hpath.
      pose proof (ln_le_minus_1 _ (pair_wealth_pos K HK h Hh)). lra.
    - rewrite (expect_linear (PAIR K) A T 1 _ 1), (expect_linear (PAIR K) A T 2 _ (-2)).
      rewrite (expect_linear (PAIR K) A T 1 _ (2 * INR T * L)).
      rewrite (expect_const _ _ HF), pair_wealth_mean. lra.
  Qed.

  (** The expectation of PAIR's KL-calibration after T rounds, against every adaptive adversary: at most
      N ln (4 T / N) + 2 T ln sec (pi/2K), N = min(T, K - 1). *)
  Theorem theoremA_expectation T :
    expect (PAIR K) A T (KLCal (K - 1) (inner_grid K)) [] <= pair_bound_explicit T.
  Proof using HK HA.
    eapply Rle_trans; [apply theoremA_expectation_used |]. unfold pair_bound_explicit.
    apply Rplus_le_compat_r.
    apply (expect_le_const (PAIR K) A (PAIR_is_proper K HK) HA _ (pair_invariant K));
      [constructor |].
    intros h Hh Hlen. cbn [length] in Hlen. rewrite Nat.add_0_r in Hlen. rewrite <- Hlen.
    now apply cost_of_buckets_le.
  Qed.

  (** An event that follows from wealth < 1 / delta. *)
  Lemma pair_ville T delta (good : history -> bool) : 0 < delta ->
    (forall h, within (K - 1) h -> (length h <= T)%nat -> ln (pair_wealth K h) <= ln (/ delta) ->
               good h = true) ->
    1 - delta <= probability (PAIR K) A T (always good).
  Proof using HK HA.
    intros Hdelta Hgood.
    apply (ville_until (PAIR K) A (PAIR_is_proper K HK) HA _ (pair_invariant K) (pair_wealth K)).
    - now apply supermartingale_any, martingale_super, pair_wealth_martingale.
    - intros h Hh. left. now apply pair_wealth_pos.
    - cbn [pair_wealth]. lra.
    - constructor.
    - exact Hdelta.
    - intros h Hh Hlen Hlt. apply Hgood; [exact Hh | exact Hlen |]. cbn [pair_wealth] in Hlt.
      unfold Rdiv in Hlt. rewrite Rmult_1_l in Hlt. apply ln_le; [now apply pair_wealth_pos | lra].
  Qed.

  (** Theorem A with an explicit right side: with probability at least 1 - delta, after all rounds t <= T at
      once, KLCal <= N ln (4 t / N) + 2 t ln sec (pi/2K) + 2 ln (1/delta), where N = min(t, K - 1). *)
  Theorem theoremA_explicit T delta : 0 < delta ->
    1 - delta <= probability (PAIR K) A T (always (fun h =>
      at_most (KLCal (K - 1) (inner_grid K) h) (pair_bound_explicit (length h) + 2 * ln (/ delta)))).
  Proof using HK HA.
    intros Hdelta. apply pair_ville; [exact Hdelta |]. intros h Hh _ Hln. apply at_most_true.
    pose proof (pair_pathwise K HK h Hh). pose proof (pair_bound_le h Hh). unfold pair_bound in *. lra.
  Qed.

  (** Theorem A. Let K >= 2 and delta > 0, and let the adversary be any adaptive one: it chooses outcome 1 in
      each round with a probability that may depend on all previous draws and outcomes, and so on the mixture
      of the round, but not on its draw. Then PAIR satisfies with probability at least 1 - delta, after all
      rounds t <= T at once,

        KLCal <= sum of ln (4 n_i) over the used buckets + 2 t ln sec (pi/2K) + 2 ln (1/delta). *)
  Theorem theoremA T delta : 0 < delta ->
    1 - delta <= probability (PAIR K) A T (always (fun h =>
      at_most (KLCal (K - 1) (inner_grid K) h)
        (cost_of_buckets (K - 1) h + 2 * INR (length h) * ln (/ cos (PI / (2 * INR K))) + 2 * ln (/ delta)))).
  Proof using HK HA.
    intros Hdelta. apply pair_ville; [exact Hdelta |]. intros h Hh _ Hln. apply at_most_true.
    pose proof (pair_pathwise K HK h Hh). lra.
  Qed.
End Theorems.
