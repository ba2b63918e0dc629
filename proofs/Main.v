(** * The main theorems in one place

    Every theorem of this file is stated in full and proved by the theorem of the same content in its own file, so
    to know what is proved one reads this file and the definitions that its statements use, and no proof.

    What to read.
    - [Definitions], except the parts on PAIR with expected feedback, and [LossDefinitions]: all of it.
    - [Bounds]: the right-hand sides that several theorems share, those of Theorems 2, 3 and E.
    - [TreeDefinitions], for Theorems E and F, and for [swap_regret], [at_all_times], [holds_with_probability].
    - Below, a name with a file in front of it is defined in that file. These are

        [Theorem1.forecaster_on]               a forecaster on n points of (0, 1)
        [Theorem2.stationary_mixtures]         any mixtures that Algorithm 1 of the paper may take
        [Theorem2Adaptive.pseudo_KLCal_along]  PKLCal of the mixtures along a history
        [LowestClass.closed_set], [closed_class]  closed classes of a stochastic matrix
        [Theorem3.realised_Cal2], [pseudo_Cal2], [mass_along], [ones_along]  Cal_2 and PCal_2 along a history
        [Theorem3.can_happen]                  every draw and outcome of the history had positive probability
        [Corollary2.slow_rate]                 T^(2/3) (ln T)^(1/3)
        [Histories.draw_of], [outcome_of], [oblivious]  a history as two sequences; outcomes fixed in advance
        [Companions.is_Msr], [is_SReg]         Msr and SReg of a history
        [Corollary3.algorithm1_draws]          Algorithm 1 as a forecaster
        [Proposition1.finite_after_swap], [is_log_swap_regret], [is_pseudo_log_swap_regret]  the log loss
        [Proposition2.growth]                  p (1 - p) |f''(p)| <= c
        [Proposition3.class_LG_regular]        losses of L_G with one-sided derivatives at the ends
        [GridLowerBound.regret_against], [ones], [external_regret]  external regret
        [Lemma6.sine_point]                    sin^2 (pi i / 2K)
        [LogOdds.increasing_grid], [radius]    any grid in (0, 1); the largest divergence from its nearest point
        [LogOdds.log_odds_round], [log_odds_algorithm], [log_odds_mixtures], [log_odds_draws], [log_odds_bound],
        [HalfCounts.half_counts], [LogOddsAdaptive.log_odds_forecaster]  Algorithm 1 with its two lines changed
        [Basics.best_loss]                     the log loss of the best constant in hindsight
        [PairHalf.pair_half]                   PAIR with expected feedback and half counts
        [TheoremA.cost_of_bucket], [cost_of_buckets]  the sum of ln (4 n_i) over the used points
        [TheoremB.PAIR_experts], [bucket_slope], [expert_rule], [log2], and the first 50 lines of [Experts]
        [Envelope.break_points]                0, 1, the forecasts, the frequencies
        [SignGame.board], [survives], [write], [can_force], [reaches], [pluses], [minuses], [wins]  the sign game

    Conventions of the library: ln x = 0 for x <= 0 and / 0 = 0. So KL and the log loss have wrong values at the
    forecasts 0 and 1 where the true value is infinite; every statement keeps away from these. *)

From Coq Require Import Reals List Bool.
From KLCal Require Import Definitions Bounds LossDefinitions TreeDefinitions.
From KLCal Require Basics Histories.
From KLCal Require LossBasics Proposition1 Proposition2 Proposition3 Lemma3Counterexample SlowLoss GridLowerBound.
From KLCal Require Lemma4 Lemma5 Lemma6 Lemma7 Theorem1 Theorem2 Theorem2Adaptive LowestClass Rate Doubling.
From KLCal Require Realised Corollary1 Corollary2 SlowPseudo Corollary3 Theorem3 Stopping Companions Envelope.
From KLCal Require HalfCounts LogOdds LogOddsAdaptive LogOddsDraws SineRadius LogOddsRate FixedGridSharp PairHalf.
From KLCal Require TheoremA PairRate TheoremB TheoremCGrid TheoremD TreeRate TreeSwap SignGame.
Import ListNotations.
Open Scope R_scope.

(** ** Section 3: proper losses, swap regret, Bregman divergences *)

(** Lemma 1. A loss is proper if and only if l(p, y) = f(p) + g(p) (y - p) with a supergradient g of f; then f is its
    univariate form. *)
Theorem lemma_1 : forall l,
  (proper l <->
   exists f g, supergradient f g /\ forall p y, in_unit p -> l p y = f p + g p * (outcome y - p))
  /\ forall f g, (forall p y, in_unit p -> l p y = f p + g p * (outcome y - p)) ->
       forall p, in_unit p -> f p = form l p.
Proof. exact LossBasics.lemma1. Qed.

(** Proposition 1. Swap regret is a sum of Bregman divergences, for one swap function and as a supremum; the best
    swap function sends a forecast to its frequency. For mixtures and for drawn forecasts, real-valued losses. *)
Theorem proposition_1 : forall l n z y T, proper l -> different n z ->
  (forall i, (i < n)%nat -> in_unit (z i)) ->
  (forall P, weights n P ->
     (forall s, pseudo_swap_regret_of l n z P y T s =
        sum n (fun i => mass P T i
                        * (BREG l (frequency P y T i) (z i) - BREG l (frequency P y T i) (s (z i)))))
     /\ is_pseudo_swap_regret l n z P y T (sum n (fun i => mass P T i * BREG l (frequency P y T i) (z i)))
     /\ exists s, swap_function s /\ (forall i, (i < n)%nat -> s (z i) = frequency P y T i)
                  /\ is_pseudo_swap_regret l n z P y T (pseudo_swap_regret_of l n z P y T s))
  /\
  (forall I, (forall t, (t < T)%nat -> (I t < n)%nat) ->
     let P := drawn I in
     (forall s, swap_regret_of l z I y T s =
        sum n (fun i => mass P T i
                        * (BREG l (frequency P y T i) (z i) - BREG l (frequency P y T i) (s (z i)))))
     /\ is_swap_regret l z I y T (sum n (fun i => mass P T i * BREG l (frequency P y T i) (z i)))
     /\ exists s, swap_function s /\ (forall i, (i < n)%nat -> s (z i) = frequency P y T i)
                  /\ is_swap_regret l z I y T (swap_regret_of l z I y T s)).
Proof. exact Proposition1.proposition1. Qed.

(** Proposition 1 for the log loss: its swap regret is KL-calibration, pseudo and realised. *)
Theorem proposition_1_log_loss : forall n z y T, different n z ->
  (forall i, (i < n)%nat -> inside (z i)) ->
  (forall P, weights n P -> Proposition1.is_pseudo_log_swap_regret n z P y T (pseudo_KLCal n z P y T))
  /\ (forall I, (forall t, (t < T)%nat -> (I t < n)%nat) ->
        Proposition1.is_log_swap_regret n z I y T (pseudo_KLCal n z (drawn I) y T)).
Proof. exact Proposition1.swap_regret_of_log_loss. Qed.

(** Proposition 2, repaired. p (1 - p) |f''(p)| <= c in (0, 1) if and only if BREG <= c KL; then PSReg <= c PKLCal
    and SReg <= c KLCal. *)
Theorem proposition_2 : forall l f' f'' c, proper l ->
  derivative_inside (form l) f' -> derivative_inside f' f'' ->
  (Proposition2.growth f'' c <-> forall r p, in_unit r -> inside p -> BREG l r p <= c * KL r p)
  /\
  (Proposition2.growth f'' c -> forall n z y T, different n z -> (forall i, (i < n)%nat -> inside (z i)) ->
     (forall P, weights n P ->
        exists v, is_pseudo_swap_regret l n z P y T v /\ v <= c * pseudo_KLCal n z P y T)
     /\ (forall I, (forall t, (t < T)%nat -> (I t < n)%nat) ->
           exists v, is_swap_regret l z I y T v /\ v <= c * KLCal n z (rounds I y T))).
Proof. exact Proposition2.proposition2. Qed.

(** The squared loss satisfies this for c >= 1/2. *)
Theorem proposition_2_instance :
  proper squared_loss /\ derivative_inside (form squared_loss) (fun p => 1 - 2 * p)
  /\ derivative_inside (fun p => 1 - 2 * p) (fun _ => - 2)
  /\ forall c, Proposition2.growth (fun _ => - 2) c <-> 1 / 2 <= c.
Proof. exact Companions.squared_loss_growth. Qed.

(** Proposition 2 as printed is false: one loss of L_2, every constant. *)
Theorem proposition_2_printed_is_false : exists l, class_L2 l /\
  forall c, exists n z I y T v,
    different n z /\ (forall i, (i < n)%nat -> inside (z i)) /\ (forall t, (t < T)%nat -> (I t < n)%nat)
    /\ is_swap_regret l z I y T v /\ c * KLCal n z (rounds I y T) < v.
Proof. exact Lemma3Counterexample.proposition2_as_printed_is_false. Qed.

(** Lemma 3 is false: the univariate form of some loss of L_2 has a second derivative that no constant c bounds by
    c max (1/p, 1/(1 - p)). *)
Theorem lemma_3_is_false : exists l f' f'', class_L2 l
  /\ derivative_inside (form l) f' /\ derivative_inside f' f'' /\ (forall p, inside p -> continuity_pt f'' p)
  /\ ~ exists c, forall p, inside p -> Rabs (f'' p) <= c * Rmax (/ p) (/ (1 - p)).
Proof. exact Lemma3Counterexample.lemma3_fails_in_L2. Qed.

(** One loss of L_2 has, for every C, a horizon T and a coin such that every forecaster has external regret (so
    swap regret too) above C T^(1/3) (ln T)^(5/3) in the mean: the third bound of Corollary 1 as printed fails. *)
Theorem printed_rates_fail : exists l, class_L2 l /\ forall C,
  exists T p, (4 <= T)%nat /\ inside p /\
    forall F z, proper_forecaster F -> (forall h i, (i < choices F h)%nat -> in_unit (z i)) ->
    C * (Rpower (INR T) (1 / 3) * Rpower (ln (INR T)) (5 / 3))
    < expect F (fun _ => p) T (GridLowerBound.external_regret l z) [].
Proof. exact SlowLoss.printed_rates_fail. Qed.

(** Proposition 3, repaired, with half the constant: BREG <= G/2 (r - p)^2 and Msr over L_G <= G/2 Cal_2, with
    equality for G <= 4. *)
Theorem proposition_3 : forall G, 0 <= G ->
  (forall l r p, class_LG G l -> in_unit r -> in_unit p -> inside p \/ regular_ends l ->
     BREG l r p <= G / 2 * (r - p) ^ 2)
  /\
  (forall n z y T, different n z -> (forall i, (i < n)%nat -> in_unit (z i)) ->
     (forall P, weights n P ->
        (exists v, is_max_pseudo_swap_regret (Proposition3.class_LG_regular G) n z P y T v
                   /\ v <= G / 2 * Cal2 n z P y T)
        /\ (G <= 4 -> is_max_pseudo_swap_regret (Proposition3.class_LG_regular G) n z P y T (G / 2 * Cal2 n z P y T)))
     /\ (forall I, (forall t, (t < T)%nat -> (I t < n)%nat) ->
           (exists v, is_max_swap_regret (Proposition3.class_LG_regular G) z I y T v
                      /\ v <= G / 2 * Cal2 n z (drawn I) y T)
           /\ (G <= 4 ->
               is_max_swap_regret (Proposition3.class_LG_regular G) z I y T (G / 2 * Cal2 n z (drawn I) y T))))
  /\
  (forall n z y T, different n z -> (forall i, (i < n)%nat -> inside (z i)) ->
     (forall P, weights n P ->
        (exists v, is_max_pseudo_swap_regret (class_LG G) n z P y T v
                   /\ v <= G / 2 * Cal2 n z P y T /\ G / 2 * Cal2 n z P y T <= G / 4 * pseudo_KLCal n z P y T)
        /\ (G <= 4 -> is_max_pseudo_swap_regret (class_LG G) n z P y T (G / 2 * Cal2 n z P y T)))
     /\ (forall I, (forall t, (t < T)%nat -> (I t < n)%nat) ->
           (exists v, is_max_swap_regret (class_LG G) z I y T v
                      /\ v <= G / 2 * Cal2 n z (drawn I) y T
                      /\ G / 2 * Cal2 n z (drawn I) y T <= G / 4 * KLCal n z (rounds I y T))
           /\ (G <= 4 -> is_max_swap_regret (class_LG G) z I y T (G / 2 * Cal2 n z (drawn I) y T)))).
Proof. exact Proposition3.proposition3. Qed.

(** ** Sections 4 and 5: Algorithm 1 *)

(** Lemma 4. The regret of EWOO is at most ln (1 + S), S the mass received, hence at most ln (T + 1). *)
Theorem lemma_4 P y i : (forall t, 0 <= P t i <= 1) ->
  forall T w,
  0 <= w <= 1 ->
  (w = 0 -> mass_of_ones P y T i = 0) -> (w = 1 -> mass_of_ones P y T i = mass P T i) ->
  sum T (fun t => P t i * loss (ewoo (mass_of_ones P y t i) (mass P t i)) (y t))
  - sum T (fun t => P t i * loss w (y t))
  <= ln (1 + mass P T i) <= ln (1 + INR T).
Proof. exact (Lemma4.lemma4 P y i). Qed.

(** Lemma 5, sharp form: rounding costs at most 2 ln sec(pi/2K) in the mean (pi/8 at K = 2). *)
Theorem lemma_5 K w y :
  (2 <= K)%nat -> 0 < w < 1 ->
  sum (K + 1) (fun j => rround K w j * loss (grid K j) y) - loss w y <= 2 * ln (/ cos (step K)).
Proof. exact (Lemma5.lemma5_sharp K w y). Qed.

(** Lemma 6, with constants: the grid of Section 4. *)
Theorem lemma_6 : forall K, (2 <= K)%nat ->
  (forall i, (0 < i <= K)%nat -> 0 < Lemma6.sine_point K i - Lemma6.sine_point K (i - 1) <= PI / (2 * INR K))
  /\ (forall i, (0 < i < K)%nat ->
        Rmax (Lemma6.sine_point K i - Lemma6.sine_point K (i - 1))
             (Lemma6.sine_point K (S i) - Lemma6.sine_point K i) ^ 2
          / (Lemma6.sine_point K i * (1 - Lemma6.sine_point K i))
        <= (sin (3 * (PI / (2 * INR K))) / cos (PI / (2 * INR K))) ^ 2)
  /\ Rmax (Lemma6.sine_point K 1 - Lemma6.sine_point K 0) (Lemma6.sine_point K 2 - Lemma6.sine_point K 1) ^ 2
       / (Lemma6.sine_point K 1 * (1 - Lemma6.sine_point K 1))
     = (sin (3 * (PI / (2 * INR K))) / cos (PI / (2 * INR K))) ^ 2
  /\ (sin (3 * (PI / (2 * INR K))) / cos (PI / (2 * INR K))) ^ 2 <= 9 * PI ^ 2 / (4 * INR K ^ 2)
  /\ sum (K - 1) (fun i => / (Lemma6.sine_point K (i + 1) * (1 - Lemma6.sine_point K (i + 1))))
     = 4 * (INR K ^ 2 - 1) / 3
  /\ sum (K - 1) (fun i => / sqrt (Lemma6.sine_point K (i + 1) * (1 - Lemma6.sine_point K (i + 1))))
     <= 4 * INR K / PI * ln (4 * INR K / PI).
Proof. exact Lemma6.lemma6. Qed.

(** Lemma 7, with its constant: the grid of Section 5. *)
Theorem lemma_7 : forall K, (2 <= K)%nat -> forall i, (0 < i <= K)%nat ->
  let d := grid K i - grid K (i - 1) in
  0 < d
  /\ d ^ 2 / (grid K i * (1 - grid K i)) <= 9 * PI ^ 2 / (4 * INR K ^ 2)
  /\ d ^ 2 / (grid K (i - 1) * (1 - grid K (i - 1))) <= 9 * PI ^ 2 / (4 * INR K ^ 2)
  /\ (i = 1%nat \/ i = K ->
        d ^ 2 / (grid K i * (1 - grid K i)) <= 9 * PI ^ 2 / (16 * INR K ^ 2)
        /\ d ^ 2 / (grid K (i - 1) * (1 - grid K (i - 1))) <= 9 * PI ^ 2 / (16 * INR K ^ 2)).
Proof. exact Lemma7.lemma7. Qed.

(** Theorem 1, with a constant and the exponent 2/3 of the logarithm in place of 5/3: for every T some forecaster has
    E[KLCal] <= 3.7 T^(1/3) (ln T)^(2/3) against every adaptive adversary. *)
Theorem theorem_1 : forall T, (2 <= T)%nat -> exists n z F,
  Theorem1.forecaster_on n z F /\
  forall A, proper_adversary A -> expect F A T (KLCal n z) [] <= 3.7 * rate (INR T).
Proof. exact Theorem1.theorem1_better. Qed.

(** Theorem 1 with the printed exponent. *)
Theorem theorem_1_printed : forall T, (3 <= T)%nat -> exists n z F,
  Theorem1.forecaster_on n z F /\
  forall A, proper_adversary A ->
    expect F A T (KLCal n z) [] <= 3.7 * (Rpower (INR T) (1 / 3) * Rpower (ln (INR T)) (5 / 3)).
Proof. exact Theorem1.theorem1. Qed.

(** Algorithm 1 is what it should be: its mixture of every round is a stationary distribution for the rounded points
    of its learners, ... *)
Theorem algorithm_1 K y t :
  (2 <= K)%nat ->
  let a := mass_of_ones (algorithm1 K y) y t in
  let s := mass (algorithm1 K y) t in
  is_distribution (K + 1) (algorithm1 K y t) /\
  forall j, (j <= K)%nat ->
    algorithm1 K y t j = sum (K + 1) (fun i => algorithm1 K y t i * rround K (ewoo (a i) (s i)) j).
Proof. exact (Theorem2.algorithm1_is_stationary K y t). Qed.

(** ... namely the one on the closed class with the smallest member ... *)
Theorem algorithm_1_lowest_class K y t : (2 <= K)%nat ->
  let Q i := rround K (ewoo (mass_of_ones (algorithm1 K y) y t i) (mass (algorithm1 K y) t i)) in
  LowestClass.closed_class K Q (fun i => 0 < algorithm1 K y t i) /\
  forall C, LowestClass.closed_class K Q C -> exists i, 0 < algorithm1 K y t i /\ forall j, C j -> (i <= j)%nat.
Proof. exact (LowestClass.algorithm1_on_lowest_class K y t). Qed.

(** ... (a closed class has only one) ... *)
Theorem algorithm_1_one_distribution n Q C :
  (forall i, (i <= n)%nat -> is_distribution (n + 1) (Q i)) -> LowestClass.closed_class n Q C ->
  forall p q,
  is_distribution (n + 1) p -> is_distribution (n + 1) q ->
  (forall j, (j <= n)%nat -> p j = sum (n + 1) (fun i => p i * Q i j)) ->
  (forall j, (j <= n)%nat -> q j = sum (n + 1) (fun i => q i * Q i j)) ->
  (forall i, (i <= n)%nat -> 0 < p i -> C i) -> (forall i, (i <= n)%nat -> 0 < q i -> C i) ->
  forall i, (i <= n)%nat -> p i = q i.
Proof. exact (LowestClass.class_has_one_distribution n Q C). Qed.

(** ... and it depends on the outcomes of earlier rounds only. *)
Theorem algorithm_1_causal K y y' t :
  (forall u, (u < t)%nat -> y u = y' u) -> algorithm1 K y t = algorithm1 K y' t.
Proof. exact (Theorem2.algorithm1_is_causal K y y' t). Qed.

(** Theorem 2: PKLCal of Algorithm 1 on every sequence of outcomes. *)
Theorem theorem_2 : forall K T y, (2 <= K)%nat ->
  PKLCal K (algorithm1 K y) y T <= theorem2_bound K T.
Proof. exact Theorem2.theorem2. Qed.

(** Theorem 2 in its sharp form, for any stationary mixtures. *)
Theorem theorem_2_sharp : forall K T P y, (2 <= K)%nat -> Theorem2.stationary_mixtures K P y ->
  PKLCal K P y T <= sum (K + 1) (fun i => ln (1 + mass P T i)) + 2 * INR T * ln (/ cos (step K))
  /\ sum (K + 1) (fun i => ln (1 + mass P T i)) + 2 * INR T * ln (/ cos (step K))
     <= theorem2_sharp_bound K T.
Proof. exact Theorem2.theorem2_any_mixtures. Qed.

(** Theorem 2 against adaptive adversaries: with probability 1, after all rounds at once. *)
Theorem theorem_2_adaptive : forall K A T, (2 <= K)%nat -> proper_adversary A ->
  probability (Corollary3.algorithm1_draws K) A T (always (fun h =>
    at_most (Theorem2Adaptive.pseudo_KLCal_along (Corollary3.algorithm1_draws K) (K + 1) (grid K) h)
            (theorem2_sharp_bound K (length h)))) = 1.
Proof. exact Theorem2Adaptive.theorem2_adaptive. Qed.

(** Theorem 2 as a rate: PKLCal <= 3.7 T^(1/3) (ln T)^(2/3) with the K of the paper. *)
Theorem theorem_2_rate : forall T y, (2 <= T)%nat ->
  PKLCal (resolution T) (algorithm1 (resolution T) y) y T <= 3.7 * rate (INR T).
Proof. exact Rate.theorem2_rate. Qed.

(** The bound of Theorem 2 as a rate, with a better constant. *)
Theorem theorem_2_rate_sharp : forall T, (2 <= T)%nat ->
  let K := resolution T in
  theorem2_sharp_bound K T <= 3.56 * rate (INR T).
Proof. exact Rate.bound_by_rate_sharp. Qed.

(** Without a horizon: the doubling trick. ([Companions.doubling_is_distribution]: its weights add up to 1.) *)
Theorem doubling_trick : forall (Z : list R) (y : nat -> bool) (T : nat),
  NoDup Z -> (2 <= T)%nat -> PKLCal_of_values Z (doubling y) y T <= 18.5 * rate (INR T) + 2.
Proof. exact Doubling.doubling_rate. Qed.

(** Algorithm 1 with realised feedback: E[KLCal] itself, against every adaptive adversary. *)
Theorem realised_feedback K A T :
  (2 <= K)%nat -> proper_adversary A ->
  expect (realised K) A T (KLCal (K + 1) (grid K)) [] <= theorem2_bound K T.
Proof. exact (Realised.realised_feedback K A T). Qed.

(** Corollary 1, its third bound repaired: four bounds at once in the mean, the suprema inside the mean. *)
Theorem corollary_1 : forall T A, (2 <= T)%nat -> proper_adversary A ->
  let K := resolution T in
  let mean := fun f => expect (realised K) A T f [] in
  mean (KLCal (K + 1) (grid K)) <= 3.7 * rate (INR T)
  /\ (forall G, 0 <= G -> exists M,
        (forall h, Companions.is_Msr (class_LG G) (grid K) h (M h)) /\ mean M <= 0.925 * G * rate (INR T))
  /\ (forall l f' f'' c, proper l -> derivative_inside (form l) f' -> derivative_inside f' f'' ->
        0 <= c -> Proposition2.growth f'' c -> exists M,
        (forall h, Companions.is_SReg l (grid K) h (M h)) /\ mean M <= 3.7 * c * rate (INR T))
  /\ (exists M, (forall h, Companions.is_Msr class_L (grid K) h (M h)) /\ mean M <= 5.5 * Corollary2.slow_rate (INR T)).
Proof. exact Companions.corollary1_suprema. Qed.

(** Corollary 2, its third bound repaired: four bounds at once on every sequence of outcomes. *)
Theorem corollary_2 : forall T y, (2 <= T)%nat ->
  let K := resolution T in
  let P := algorithm1 K y in
  PKLCal K P y T <= 3.7 * rate (INR T)
  /\ (forall G, 0 <= G -> exists v,
        is_max_pseudo_swap_regret (class_LG G) (K + 1) (grid K) P y T v /\ v <= 0.925 * G * rate (INR T))
  /\ (forall l f' f'' c, proper l -> derivative_inside (form l) f' -> derivative_inside f' f'' ->
        0 <= c -> Proposition2.growth f'' c ->
        exists v, is_pseudo_swap_regret l (K + 1) (grid K) P y T v /\ v <= 3.7 * c * rate (INR T))
  /\ (exists v, is_max_pseudo_swap_regret class_L (K + 1) (grid K) P y T v /\ v <= 5.5 * Corollary2.slow_rate (INR T)).
Proof. exact Corollary2.corollary2. Qed.

(** The third bound of Corollary 2 as printed is false: one loss of L_2, every constant, every grid, and also for any
    other mixtures that are a function of earlier outcomes. *)
Theorem corollary_2_printed_is_false : exists l, class_L2 l /\ forall C, exists T, (4 <= T)%nat
  /\ (forall K, (2 <= K)%nat -> exists y v,
        is_pseudo_swap_regret l (K + 1) (grid K) (algorithm1 K y) y T v
        /\ C * (Rpower (INR T) (1 / 3) * Rpower (ln (INR T)) (5 / 3)) < v)
  /\ (forall n z P, (forall y t, is_distribution n (P y t)) ->
        (forall y y' t, (forall u, (u < t)%nat -> y u = y' u) -> P y t = P y' t) ->
        different n z -> (forall i, (i < n)%nat -> in_unit (z i)) -> exists y v,
        is_pseudo_swap_regret l n z (P y) y T v
        /\ C * (Rpower (INR T) (1 / 3) * Rpower (ln (INR T)) (5 / 3)) < v).
Proof. exact SlowPseudo.printed_pseudo_rate_fails. Qed.

(** Corollary 2 with the sharp bound of Theorem 2, for every K and any stationary mixtures. *)
Theorem corollary_2_sharp : forall K T P y, (2 <= K)%nat -> Theorem2.stationary_mixtures K P y ->
  let B := theorem2_sharp_bound K T in
  PKLCal K P y T <= B
  /\ (forall G, 0 <= G -> exists v,
        is_max_pseudo_swap_regret (class_LG G) (K + 1) (grid K) P y T v /\ v <= G / 4 * B)
  /\ (forall l f' f'' c, proper l -> derivative_inside (form l) f' -> derivative_inside f' f'' ->
        0 <= c -> Proposition2.growth f'' c ->
        exists v, is_pseudo_swap_regret l (K + 1) (grid K) P y T v /\ v <= c * B)
  /\ (exists v, is_max_pseudo_swap_regret class_L (K + 1) (grid K) P y T v /\ v <= 4 * sqrt (INR T * B / 2)).
Proof. exact Corollary2.corollary2_sharp. Qed.

(** ** Half counts and log-odds: Algorithm 1 with two lines changed, on any grid *)

(** The radius is the largest divergence of a rate from the nearest point. *)
Theorem radius n z : LogOdds.increasing_grid n z ->
  (forall r, 0 <= r <= 1 -> exists i, (i < n)%nat /\ KL r (z i) <= LogOdds.radius n z)
  /\ exists r, 0 <= r <= 1 /\ forall i, (i < n)%nat -> LogOdds.radius n z <= KL r (z i).
Proof. exact (LogOdds.radius_is_max_min n z). Qed.

(** Rounding that keeps the log-odds on average costs at most the radius, for either outcome; ... *)
Theorem log_odds_rounding n z : LogOdds.increasing_grid n z -> forall w y, 0 < w < 1 ->
  sum n (fun j => LogOdds.log_odds_round n z w j * loss (z j) y) - loss w y <= LogOdds.radius n z.
Proof. exact (LogOdds.log_odds_cost n z). Qed.

(** ... and no rounding has a smaller bound. *)
Theorem no_rounding_is_better n z q c : LogOdds.increasing_grid n z ->
  (forall w, 0 < w < 1 -> is_distribution n (q w)) ->
  (forall w y, 0 < w < 1 -> sum n (fun j => q w j * loss (z j) y) - loss w y <= c) ->
  LogOdds.radius n z <= c.
Proof. exact (LogOddsDraws.no_rounding_is_better n z q c). Qed.

(** Half counts learn at the price of (1/2) ln (1 + 4 S). *)
Theorem half_counts_learning P y i T : (forall t, 0 <= P t i <= 1) ->
  sum T (fun t => P t i * loss (HalfCounts.half_counts (mass_of_ones P y t i) (mass P t i)) (y t))
  <= Basics.best_loss (mass_of_ones P y T i) (mass P T i) + / 2 * ln (1 + 4 * mass P T i).
Proof. exact (HalfCounts.half_counts_hindsight P y i T). Qed.

(** On every sequence of outcomes, PKLCal <= (n/2) ln (1 + 4 T/n) + T radius: for any stationary mixtures, ... *)
Theorem half_counts_any_mixtures n z : LogOdds.increasing_grid n z ->
  forall P y T, LogOdds.log_odds_mixtures n z P y ->
  pseudo_KLCal n z P y T
    <= sum n (fun i => / 2 * ln (1 + 4 * mass P T i)) + INR T * LogOdds.radius n z
  /\ sum n (fun i => / 2 * ln (1 + 4 * mass P T i)) + INR T * LogOdds.radius n z <= LogOdds.log_odds_bound n z T.
Proof. exact (LogOdds.log_odds_any_mixtures n z). Qed.

(** ... for the algorithm as a function of the outcomes, ... *)
Theorem half_counts n z : LogOdds.increasing_grid n z -> forall y T,
  pseudo_KLCal n z (LogOdds.log_odds_algorithm n z y) y T <= LogOdds.log_odds_bound n z T.
Proof. exact (LogOdds.log_odds_theorem n z). Qed.

(** ... and against adaptive adversaries, after all rounds at once. *)
Theorem half_counts_adaptive n z : LogOdds.increasing_grid n z -> forall A T, proper_adversary A ->
  probability (LogOddsAdaptive.log_odds_forecaster n z) A T (always (fun h =>
    at_most (Theorem2Adaptive.pseudo_KLCal_along (LogOddsAdaptive.log_odds_forecaster n z) n z h)
            (LogOdds.log_odds_bound n z (length h)))) = 1.
Proof. exact (LogOddsAdaptive.log_odds_adaptive n z). Qed.

(** Fed with its own draws, E[KLCal] has the same bound, against every adaptive adversary. *)
Theorem half_counts_draws n z : LogOdds.increasing_grid n z -> forall A T, proper_adversary A ->
  expect (LogOdds.log_odds_draws n z) A T (KLCal n z) [] <= LogOdds.log_odds_bound n z T.
Proof. exact (LogOddsDraws.log_odds_draws_theorem n z). Qed.

(** No forecaster on the grid guarantees less than T radius: one coin costs each of them as much. *)
Theorem grid_costs_its_radius n z : LogOdds.increasing_grid n z -> exists p, 0 <= p <= 1 /\
  forall F, proper_forecaster F -> (forall h, (choices F h <= n)%nat) ->
  forall T, INR T * LogOdds.radius n z <= expect F (fun _ => p) T (KLCal n z) [].
Proof. exact (LogOddsDraws.radius_lower_bound n z). Qed.

(** And the radius of n points is at least 2 ln sec (pi/(2 sqrt 2 (n + sqrt 2 - 1))). *)
Theorem fixed_grid n z : LogOdds.increasing_grid n z -> exists p, 0 <= p <= 1 /\
  forall F, proper_forecaster F -> (forall h, (choices F h <= n)%nat) ->
  forall T, 2 * INR T * ln (/ cos (PI / (2 * sqrt 2 * (INR n + sqrt 2 - 1))))
            <= expect F (fun _ => p) T (KLCal n z) []
    /\ PI ^ 2 / 8 * (INR T / (INR n + sqrt 2 - 1) ^ 2)
       <= 2 * INR T * ln (/ cos (PI / (2 * sqrt 2 * (INR n + sqrt 2 - 1)))).
Proof. exact (FixedGridSharp.fixed_grid_sharp n z). Qed.

(** On the grid of Section 5 the radius is at most 7/6 ln sec (pi/2K) for K >= 3, where Theorem 2 has 2; ... *)
Theorem radius_on_sine_grid K : (3 <= K)%nat ->
  LogOdds.radius (K + 1) (grid K) <= 7 / 6 * ln (/ cos (step K)).
Proof. exact (SineRadius.sine_radius_sharp K). Qed.

(** ... the bound is below that of Theorem 2 from T = 2 (K + 1) on; ... *)
Theorem half_counts_below_theorem_2 K T : (2 <= K)%nat -> (2 * (K + 1) <= T)%nat ->
  LogOdds.log_odds_bound (K + 1) (grid K) T <= theorem2_sharp_bound K T.
Proof. exact (LogOddsDraws.log_odds_below_theorem2 K T). Qed.

(** ... and the rate has 2.4 in place of 3.56, with mixtures ... *)
Theorem half_counts_rate : forall T y, (2 <= T)%nat ->
  PKLCal (resolution T) (LogOdds.log_odds_algorithm (resolution T + 1) (grid (resolution T)) y) y T
  <= 2.4 * rate (INR T).
Proof. exact LogOddsRate.log_odds_rate. Qed.

(** ... and with draws. *)
Theorem half_counts_draws_rate : forall T A, (2 <= T)%nat -> proper_adversary A ->
  expect (LogOdds.log_odds_draws (resolution T + 1) (grid (resolution T))) A T
    (KLCal (resolution T + 1) (grid (resolution T))) [] <= 2.4 * rate (INR T).
Proof. exact LogOddsRate.log_odds_draws_rate. Qed.

(** PAIR with expected feedback and half counts: ln (1 + 4 S) for 2 ln (1 + S). *)
Theorem pair_half_counts K : (2 <= K)%nat -> forall y T,
  pseudo_KLCal (K - 1) (inner_grid K) (PairHalf.pair_half K y) y T
  <= INR (K - 1) * ln (1 + 4 * INR T / INR (K - 1)) + 2 * INR T * ln (/ cos (PI / (2 * INR K))).
Proof. exact (PairHalf.pair_half_explicit K). Qed.

(** ** Section 6: from mixtures to draws *)

(** Theorem 3 (a): masses known in advance. *)
Theorem theorem_3_known_masses F A n z : proper_forecaster F -> proper_adversary A ->
  (forall h, choices F h = n) -> (forall i, (i < n)%nat -> 0 <= z i <= 1) ->
  forall T (S : nat -> R) delta,
  (0 < n)%nat -> 0 < delta <= 1 ->
  (forall h i, Theorem3.can_happen F A h = true -> length h = T -> (i < n)%nat -> Theorem3.mass_along F h i = S i) ->
  1 - delta <= probability F A T (fun h =>
    at_most (Theorem3.realised_Cal2 n z h) (3 * Theorem3.pseudo_Cal2 F n z h + known_masses_cost n delta)).
Proof. exact (Theorem3.theorem3_known_masses F A n z). Qed.

(** Theorem 3 (b): every algorithm, with ln (1 + J) more. *)
Theorem theorem_3_any_algorithm F A n z : proper_forecaster F -> proper_adversary A ->
  (forall h, choices F h = n) -> (forall i, (i < n)%nat -> 0 <= z i <= 1) ->
  forall T J delta,
  (0 < n)%nat -> INR T <= 4 ^ J -> 0 < delta <= 1 ->
  1 - delta <= probability F A T (always (fun h =>
    at_most (Theorem3.realised_Cal2 n z h) (3 * Theorem3.pseudo_Cal2 F n z h + any_masses_cost n J delta))).
Proof. exact (Theorem3.theorem3_any_algorithm F A n z). Qed.

(** The printed bound, for masses known in advance ... *)
Theorem theorem_3_printed F A n z : proper_forecaster F -> proper_adversary A ->
  (forall h, choices F h = n) -> (forall i, (i < n)%nat -> 0 <= z i <= 1) ->
  forall T (S : nat -> R) delta,
  (0 < n)%nat -> 0 < delta <= 1 ->
  (forall h i, Theorem3.can_happen F A h = true -> length h = T -> (i < n)%nat -> Theorem3.mass_along F h i = S i) ->
  1 - delta <= probability F A T (fun h =>
    at_most (Theorem3.realised_Cal2 n z h) (6 * Theorem3.pseudo_Cal2 F n z h + 96 * INR n * ln (4 * INR n / delta))).
Proof. exact (Theorem3.theorem3_printed F A n z). Qed.

(** ... and that it is false for some algorithms, for every delta. *)
Theorem theorem_3_printed_is_false : forall delta, 0 < delta < 1 ->
  exists T F z, proper_forecaster F /\ (forall h, choices F h = 3%nat) /\ different 3 z
    /\ (forall i, (i < 3)%nat -> inside (z i))
    /\ probability F (Histories.oblivious Nat.odd) T (fun h =>
         at_most (Theorem3.realised_Cal2 3 z h)
           (6 * Theorem3.pseudo_Cal2 F 3 z h + 96 * INR 3 * ln (4 * INR 3 / delta))) < 1 - delta.
Proof. exact Stopping.theorem3_as_printed_is_false. Qed.

(** Corollary 3: Cal_2 of the draws of Algorithm 1, for outcomes fixed in advance, ... *)
Theorem corollary_3 K y T delta : (2 <= K)%nat -> 0 < delta <= 1 ->
  1 - delta <= probability (Corollary3.algorithm1_draws K) (Histories.oblivious y) T (fun h =>
    at_most (Theorem3.realised_Cal2 (K + 1) (grid K) h)
      (3 / 2 * theorem2_bound K T + known_masses_cost (K + 1) delta)).
Proof. exact (Corollary3.corollary3 K y T delta). Qed.

(** ... against every adaptive adversary, ... *)
Theorem corollary_3_adaptive K A T J delta :
  (2 <= K)%nat -> proper_adversary A -> INR T <= 4 ^ J -> 0 < delta <= 1 ->
  1 - delta <= probability (Corollary3.algorithm1_draws K) A T (always (fun h =>
    at_most (Theorem3.realised_Cal2 (K + 1) (grid K) h)
      (3 / 2 * theorem2_bound K (length h) + any_masses_cost (K + 1) J delta))).
Proof. exact (Corollary3.corollary3_adaptive K A T J delta). Qed.

(** ... in the mean (the same bounds at delta = 1/4), for outcomes fixed in advance and ... *)
Theorem corollary_3_expectation K y T : (2 <= K)%nat ->
  expect (Corollary3.algorithm1_draws K) (Histories.oblivious y) T (Theorem3.realised_Cal2 (K + 1) (grid K)) []
  <= 3 / 2 * theorem2_bound K T + known_masses_cost (K + 1) (1 / 4).
Proof. exact (Corollary3.corollary3_expectation K y T). Qed.

(** ... against every adaptive adversary, ... *)
Theorem corollary_3_expectation_adaptive K A T J : (2 <= K)%nat -> proper_adversary A -> INR T <= 4 ^ J ->
  expect (Corollary3.algorithm1_draws K) A T (Theorem3.realised_Cal2 (K + 1) (grid K)) []
  <= 3 / 2 * theorem2_bound K T + any_masses_cost (K + 1) J (1 / 4).
Proof. exact (Corollary3.corollary3_expectation_adaptive K A T J). Qed.

(** ... and Msr over all L_G at once, for outcomes fixed in advance and ... *)
Theorem corollary_3_Msr K y T delta : (2 <= K)%nat -> 0 < delta <= 1 ->
  holds_with_probability (Corollary3.algorithm1_draws K) (Histories.oblivious y) T (1 - delta) (fun h =>
    forall G, 0 <= G -> exists v, Companions.is_Msr (class_LG G) (grid K) h v /\ v <= G / 2 *
      (3 / 2 * theorem2_bound K T + known_masses_cost (K + 1) delta)).
Proof. exact (Companions.corollary3_Msr K y T delta). Qed.

(** ... against every adaptive adversary. *)
Theorem corollary_3_Msr_adaptive K A T J delta :
  (2 <= K)%nat -> proper_adversary A -> INR T <= 4 ^ J -> 0 < delta <= 1 ->
  holds_with_probability (Corollary3.algorithm1_draws K) A T (1 - delta)
    (at_all_times (fun h =>
      forall G, 0 <= G -> exists v, Companions.is_Msr (class_LG G) (grid K) h v /\ v <= G / 2 *
        (3 / 2 * theorem2_bound K (length h) + any_masses_cost (K + 1) J delta))).
Proof. exact (Companions.corollary3_Msr_adaptive K A T J delta). Qed.

(** ** All bounded losses: Msr is an envelope *)

(** Msr over L is 4 times the value at 1/2 of the least concave function above the swap profile, attained by a loss
    with at most two kinks. *)
Theorem envelope : forall n z y T, different n z -> (forall i, (i < n)%nat -> in_unit (z i)) ->
  (forall P, weights n P -> exists h,
     is_envelope_at (profile n z P y T) (1 / 2) h
     /\ is_max_pseudo_swap_regret class_L n z P y T (4 * h)
     /\ exists u v s b1 b2,
          let l := two_kinks (4 * s) u b1 (4 * (1 - s)) v b2 in
          In u (Envelope.break_points n T z P y) /\ In v (Envelope.break_points n T z P y) /\ u <= 1 / 2 /\ 1 / 2 <= v
          /\ in_unit s /\ s * u + (1 - s) * v = 1 / 2
          /\ class_L l /\ is_pseudo_swap_regret l n z P y T (4 * h))
  /\
  (forall I, (forall t, (t < T)%nat -> (I t < n)%nat) -> exists h,
     is_envelope_at (profile n z (drawn I) y T) (1 / 2) h
     /\ is_max_swap_regret class_L z I y T (4 * h)
     /\ exists u v s b1 b2,
          let l := two_kinks (4 * s) u b1 (4 * (1 - s)) v b2 in
          In u (Envelope.break_points n T z (drawn I) y) /\ In v (Envelope.break_points n T z (drawn I) y)
          /\ u <= 1 / 2 /\ 1 / 2 <= v /\ in_unit s /\ s * u + (1 - s) * v = 1 / 2
          /\ class_L l /\ is_swap_regret l z I y T (4 * h)).
Proof. exact Envelope.envelope. Qed.

(** ** Explicit algorithms: Theorems A to F *)

(** Theorem A. PAIR, with high probability, all rounds at once, ... *)
Theorem theorem_A K A : (2 <= K)%nat -> proper_adversary A ->
  forall T delta,
  0 < delta ->
  1 - delta <= probability (PAIR K) A T (always (fun h =>
    at_most (KLCal (K - 1) (inner_grid K) h)
      (TheoremA.cost_of_buckets (K - 1) h + 2 * INR (length h) * ln (/ cos (PI / (2 * INR K))) + 2 * ln (/ delta)))).
Proof. exact (TheoremA.theoremA K A). Qed.

(** ... as a rate. *)
Theorem theorem_A_rate T A : (2 <= T)%nat -> proper_adversary A ->
  forall delta,
  0 < delta <= 1 ->
  1 - delta <= probability (PAIR (resolution T)) A T (always (fun h =>
    at_most (KLCal (resolution T - 1) (inner_grid (resolution T)) h)
      (3.52 * rate (INR T) + 2 * ln (/ delta)))).
Proof. intros HT HA. exact (PairRate.pair_rate_sharp T HT A HA). Qed.

(** Theorem B. PAIR with experts. *)
Theorem theorem_B T K A : (2 <= K)%nat -> (K * K <= T)%nat -> proper_adversary A ->
  forall delta,
  0 < delta ->
  1 - delta <= probability (TheoremB.PAIR_experts T K) A T (always (fun h =>
    at_most (KLCal (K - 1) (inner_grid K) h)
      (4 * INR (K - 1) * (/ 2 + ln (3 + TheoremB.log2 (INR T)))
       + 2 * INR (length h) * ln (/ cos (PI / (2 * INR K))) + 4 * ln (/ delta)))).
Proof. exact (TheoremB.theoremB T K A). Qed.

(** Theorem C on the grid of Section 5: from PKLCal to KLCal with high probability, for every forecaster. *)
Theorem theorem_C F A K T M N delta :
  proper_forecaster F -> proper_adversary A -> (forall h, choices F h = (K + 1)%nat) -> (2 <= K)%nat ->
  (0 < T)%nat -> 0 < delta <= 1 ->
  2 * INR T <= 4 ^ M -> ln (2 * INR T ^ 2 * INR (K + 1) / delta) ^ 2 * INR T <= 2 * 4 ^ N ->
  1 - delta <= probability F A T (always (fun h =>
    at_most (KLCal (K + 1) (grid K) h)
      ((exp 1 - 1) * Theorem2Adaptive.pseudo_KLCal_along F (K + 1) (grid K) h
       + (8.78 * INR (K + 1) + 2 * ln (INR K)) * (1 + 2 * ln (INR (3 + M + N)))
       + (7.4 + 4 * ln (INR K)) * ln (2 / delta)))).
Proof. exact (TheoremCGrid.theoremC_grid F A K T M N delta). Qed.

(** Theorem D. Algorithm 1 with realised feedback, with high probability. *)
Theorem theorem_D K T A : (2 <= K)%nat -> (1 <= T)%nat -> proper_adversary A ->
  forall delta,
  0 < delta <= 1 ->
  1 - delta <= probability (realised K) A T (always (fun h =>
    at_most (KLCal (K + 1) (grid K) h)
      (2 * theorem2_bound K T + 2
       + 8 * INR (K + 1) * (2.7 + 2 * ln (INR K)) * (1 + ln (INR T)) * ln (/ delta)))).
Proof. exact (TheoremD.theoremD K T A). Qed.

(** Theorem E. The tree: KL-calibration with high probability, at all times, without a horizon. *)
Theorem theorem_E A T delta : proper_adversary A -> 0 < delta ->
  1 - delta <= probability tree A T
    (always (fun h => (length h <? 2)%nat || at_most (tree_KLCal h) (tree_bound (length h) delta))).
Proof. exact (TreeRate.tree_KL_rate A T delta). Qed.

(** Theorem F. The tree: KL-calibration and all bounded proper losses on one event, ... *)
Theorem theorem_F A T delta : proper_adversary A -> 0 < delta <= 1 ->
  holds_with_probability tree A T (1 - delta)
    (at_all_times (fun h => (2 <= length h)%nat ->
       tree_KLCal h <= tree_bound (length h) delta /\
       (forall s, (forall p, inside p -> inside (s p)) ->
          swap_regret loss s midpoint h <= tree_bound (length h) delta) /\
       (forall l s, class_L l -> swap_function s ->
          swap_regret l s midpoint h <= 90 * swap_rate (INR (length h)) delta))).
Proof. exact (TreeSwap.tree_both_rates A T delta). Qed.

(** ... with Msr as a supremum, ... *)
Theorem theorem_F_Msr A T delta : proper_adversary A -> 0 < delta <= 1 ->
  holds_with_probability tree A T (1 - delta)
    (at_all_times (fun h => (2 <= length h)%nat ->
       exists v, Companions.is_Msr class_L midpoint h v
         /\ v <= 90 * swap_rate (INR (length h)) delta
         /\ (/ INR (length h) <= delta -> v <= 180 * sqrt (INR (length h) * ln (INR (length h)))))).
Proof. exact (Companions.tree_Msr A T delta). Qed.

(** ... and in the mean. *)
Theorem theorem_F_expectation A T : proper_adversary A -> (2 <= T)%nat ->
  exists M, (forall h, Companions.is_Msr class_L midpoint h (M h))
    /\ expect tree A T M [] <= 90 * sqrt (INR T / ln (INR T)) * (ln (INR T) + ln 2).
Proof. exact (Companions.tree_Msr_expectation A T). Qed.

(** The four bounds of Corollaries 1 and 2 for the tree, on one event. *)
Theorem tree_all_four A T delta : proper_adversary A -> 0 < delta <= 1 ->
  holds_with_probability tree A T (1 - delta)
    (at_all_times (fun h => (2 <= length h)%nat ->
       let R := tree_bound (length h) delta in
       tree_KLCal h <= R
       /\ (forall G, 0 <= G -> exists v, Companions.is_Msr (class_LG G) midpoint h v /\ v <= G / 4 * R)
       /\ (forall l f' f'' c, proper l -> derivative_inside (form l) f' -> derivative_inside f' f'' ->
             0 <= c -> Proposition2.growth f'' c ->
             exists v, Companions.is_SReg l midpoint h v /\ v <= c * R)
       /\ (exists v, Companions.is_Msr class_L midpoint h v
             /\ v <= 90 * swap_rate (INR (length h)) delta))).
Proof. exact (Companions.tree_all_four A T delta). Qed.

(** ** The sign game *)

(** On k(k+1)/2 cells Nature keeps k signs. *)
Theorem sign_game k : SignGame.can_force (k * (k + 1) / 2) k [] [].
Proof. exact (SignGame.sign_game_lower k). Qed.

(** Step aside: Q(A, B) is at most Q(a, b) + max (Q(A, B - M), Q(P, B - b)) + max (Q(A - a, M), Q(A - P, B)). *)
Theorem sidestep left q right A B a b M P : SignGame.wins q a b ->
  SignGame.wins left A (B - M) -> SignGame.wins left P (B - b) ->
  SignGame.wins right (A - a) M -> SignGame.wins right (A - P) B ->
  SignGame.wins (left + q + right) A B.
Proof. exact (SignGame.sidestep left q right A B a b M P). Qed.
