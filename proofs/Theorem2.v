(** * Theorem 2 of the paper, with explicit constants: pseudo KL-calibration of Algorithm 1.

    In every round the mixture is stationary for the rounded points of the learners, so its loss is at most
    the loss of the learners' points plus the cost of rounding (Lemma 5). Each learner competes with the best
    constant in hindsight (Lemma 4), whose loss is what the KL divergence subtracts. The masses S_i of the
    learners add up to T, and the logarithm is concave: the bound is largest if they are equal.

    The bound holds for any stationary mixtures. Those of [algorithm1] are a concrete function of the outcomes;
    they are stationary distributions, and the one of round t depends on the outcomes of earlier rounds only.
    The bound holds for every outcome sequence. Hence it holds for an adaptive adversary too, even one who sees
    all mixtures and all earlier draws: whatever the play, the outcomes form some sequence y, and the mixtures
    are [algorithm1 K y]. *)

From Coq Require Import Reals Arith Lia Lra Psatz.
From KLCal Require Import Definitions Bounds Basics Stationary Lemma4 Lemma5.
Open Scope R_scope.

(** ** One round of the Blum-Mansour reduction *)

(** The mixture is a stationary distribution of the learners' advice. *)
Lemma stationary_round_correct K a s :
  (2 <= K)%nat ->
  is_distribution (K + 1) (stationary_round K a s) /\
  forall j, (j <= K)%nat ->
    stationary_round K a s j
    = sum (K + 1) (fun i => stationary_round K a s i * rround K (ewoo (a i) (s i)) j).
Proof.
  intros HK. apply (stationary_correct K (fun i => rround K (ewoo (a i) (s i)))).
  intros i _. now apply rround_is_distribution.
Qed.

Lemma stationary_round_bounds K a s i :
  (2 <= K)%nat -> (i < K + 1)%nat -> 0 <= stationary_round K a s i <= 1.
Proof. intros HK. now apply distribution_bounds, stationary_round_correct. Qed.

(** The loss of a stationary mixture is at most that of the learners' points plus the cost of rounding. *)
Lemma stationary_loss K p w y :
  (2 <= K)%nat -> is_distribution (K + 1) p -> (forall i, (i < K + 1)%nat -> 0 < w i < 1) ->
  (forall j, (j <= K)%nat -> p j = sum (K + 1) (fun i => p i * rround K (w i) j)) ->
  sum (K + 1) (fun i => p i * loss (grid K i) y)
  <= sum (K + 1) (fun i => p i * loss (w i) y) + 2 * ln (/ cos (step K)).
Proof.
  intros HK [Hp Hs] Hw Hfix. set (q i := rround K (w i)) in *.
  apply Rle_trans with (sum (K + 1) (fun i => p i * sum (K + 1) (fun j => q i j * loss (grid K j) y))).
  - right. rewrite (sum_ext _ _ (fun j => sum (K + 1) (fun i => p i * q i j * loss (grid K j) y))).
    + rewrite sum_swap. apply sum_ext. intros i _. rewrite <- sum_scal. apply sum_ext. intros. ring.
    + intros j Hj. rewrite (Hfix j) at 1 by lia. symmetry. apply sum_scal_r.
  - apply Rle_trans with
      (sum (K + 1) (fun i => p i * loss (w i) y + p i * (2 * ln (/ cos (step K))))).
    + apply sum_le. intros i Hi. specialize (Hp i Hi).
      pose proof (lemma5_sharp K _ y HK (Hw i Hi)) as H. fold (q i) in H. nra.
    + rewrite sum_plus, sum_scal_r, Hs. lra.
Qed.

(** The same for the mixture of [stationary_round]. *)
Lemma blum_mansour_round K a s y :
  (2 <= K)%nat -> (forall i, (i < K + 1)%nat -> 0 <= a i <= s i) ->
  let p := stationary_round K a s in
  sum (K + 1) (fun i => p i * loss (grid K i) y)
  <= sum (K + 1) (fun i => p i * loss (ewoo (a i) (s i)) y) + 2 * ln (/ cos (step K)).
Proof.
  intros HK Has p. destruct (stationary_round_correct K a s HK) as [Hd Hfix].
  apply stationary_loss; auto. intros i Hi. now apply ewoo_bounds, Has.
Qed.

(** ** Algorithm 1 *)

(** What the learners have received is what the definition of PKLCal sums. *)
Lemma received_is_mass K y t i :
  fst (received K y t) i = mass_of_ones (algorithm1 K y) y t i /\
  snd (received K y t) i = mass (algorithm1 K y) t i.
Proof.
  induction t as [|t [IHa IHs]]; [now split|].
  unfold mass_of_ones, mass in *. cbn [sum received]. unfold algorithm1 at 2 4.
  destruct (received K y t) as [a s]. cbn [fst snd] in *. now rewrite IHa, IHs.
Qed.

(** The mixture of every round is a distribution, and stationary for the rounded points of EWOO. *)
Theorem algorithm1_is_stationary K y t :
  (2 <= K)%nat ->
  let a := mass_of_ones (algorithm1 K y) y t in
  let s := mass (algorithm1 K y) t in
  is_distribution (K + 1) (algorithm1 K y t) /\
  forall j, (j <= K)%nat ->
    algorithm1 K y t j = sum (K + 1) (fun i => algorithm1 K y t i * rround K (ewoo (a i) (s i)) j).
Proof.
  intros HK a s.
  destruct (stationary_round_correct K (fst (received K y t)) (snd (received K y t)) HK) as [Hd Hfix].
  split; [exact Hd|]. intros j Hj. unfold algorithm1 at 1. rewrite Hfix by assumption.
  apply sum_ext. intros i _. destruct (received_is_mass K y t i) as [-> ->]. reflexivity.
Qed.

(** Algorithm 1 does not look ahead: its mixture of round t depends on the outcomes of earlier rounds only. *)
Theorem algorithm1_is_causal K y y' t :
  (forall u, (u < t)%nat -> y u = y' u) -> algorithm1 K y t = algorithm1 K y' t.
Proof.
  intros H. assert (E : received K y t = received K y' t).
  { induction t as [|t IH]; [reflexivity|]. cbn [received].
    rewrite IH by (intros; apply H; lia). rewrite (H t) by lia. reflexivity. }
  unfold algorithm1. now rewrite E.
Qed.

(** ** The theorem, for any stationary mixtures

    The paper's Algorithm 1 takes any stationary mixture of the round; [algorithm1] takes a certain one. The
    bound does not depend on the choice. *)

(** In every round P t is a distribution over the grid that is stationary for the rounded points of EWOO. *)
Definition stationary_mixtures (K : nat) (P : nat -> nat -> R) (y : nat -> bool) : Prop :=
  forall t, is_distribution (K + 1) (P t) /\
    forall j, (j <= K)%nat ->
      P t j = sum (K + 1) (fun i => P t i * rround K (ewoo (mass_of_ones P y t i) (mass P t i)) j).

Section AnyMixtures.
Variables (K : nat) (P : nat -> nat -> R) (y : nat -> bool).
Hypothesis HK : (2 <= K)%nat.
Hypothesis HP : stationary_mixtures K P y.

Let P_bounds i t : (i < K + 1)%nat -> 0 <= P t i <= 1.
Proof. apply distribution_bounds, HP. Qed.

Lemma mass_of_mixtures T : sum (K + 1) (mass P T) = INR T.
Proof using HP.
  unfold mass. rewrite sum_swap, (sum_ext T _ (fun _ => 1)); [rewrite sum_const; ring|].
  intros t _. apply (HP t).
Qed.

(** PKLCal is the loss of the mixtures minus the loss of the best constants in hindsight. *)
Lemma PKLCal_by_losses T :
  PKLCal K P y T
  = sum T (fun t => sum (K + 1) (fun i => P t i * loss (grid K i) (y t)))
    - sum (K + 1) (fun i => best_loss (mass_of_ones P y T i) (mass P T i)).
Proof using HK P_bounds.
  rewrite (sum_swap T (K + 1)), <- sum_minus. apply sum_ext. intros i Hi.
  rewrite constant_loss. apply scaled_KL; [|now apply grid_bounds].
  apply mass_of_ones_bounds. intros. now apply P_bounds.
Qed.

(** The bound by the masses of the grid points. *)
Lemma any_mixtures_by_masses T :
  PKLCal K P y T
  <= sum (K + 1) (fun i => ln (1 + mass P T i)) + INR T * (2 * ln (/ cos (step K))).
Proof using HK HP P_bounds.
  rewrite PKLCal_by_losses.
  assert (Hrounds :
    sum T (fun t => sum (K + 1) (fun i => P t i * loss (grid K i) (y t)))
    <= sum (K + 1) (fun i => sum T (fun t =>
         P t i * loss (ewoo (mass_of_ones P y t i) (mass P t i)) (y t)))
       + INR T * (2 * ln (/ cos (step K)))).
  { rewrite (sum_swap (K + 1) T), <- sum_const, <- sum_plus. apply sum_le. intros t _.
    destruct (HP t) as [Hd Hfix]. apply stationary_loss; auto.
    intros i Hi. apply ewoo_bounds, mass_of_ones_bounds. intros. now apply P_bounds. }
  assert (Hlearners :
    sum (K + 1) (fun i => sum T (fun t =>
      P t i * loss (ewoo (mass_of_ones P y t i) (mass P t i)) (y t)))
    <= sum (K + 1) (fun i => best_loss (mass_of_ones P y T i) (mass P T i))
       + sum (K + 1) (fun i => ln (1 + mass P T i))).
  { rewrite <- sum_plus. apply sum_le. intros i Hi. apply lemma4_hindsight. intros. now apply P_bounds. }
  lra.
Qed.

Lemma sum_ln_masses T :
  sum (K + 1) (fun i => ln (1 + mass P T i)) <= INR (K + 1) * ln (1 + INR T / INR (K + 1)).
Proof using HK HP P_bounds.
  assert (HN : 0 < INR (K + 1)) by (apply lt_0_INR; lia).
  replace (1 + INR T / INR (K + 1)) with ((INR (K + 1) + INR T) / INR (K + 1)) by (field; lra).
  apply sum_ln_le; [lia| |].
  - intros i Hi. assert (0 <= mass P T i); [|lra]. apply sum_nonneg. intros. now apply P_bounds.
  - rewrite sum_plus, mass_of_mixtures, sum_const. ring.
Qed.

End AnyMixtures.

(** Theorem 2 for any stationary mixtures, sharp form. Let K >= 2, let y be any outcome sequence, and let the
    mixture of every round be any distribution over the grid that is stationary for the rounded points of the
    learners. Then for every T, PKLCal <= sum_i ln (1 + S_i) + 2 T ln sec(pi/2K), S_i the mass of point i, and
    this is at most (K+1) ln (1 + T/(K+1)) + 2 T ln sec(pi/2K); at K = 2 the angle is pi/8. *)
Theorem theorem2_any_mixtures : forall K T P y, (2 <= K)%nat -> stationary_mixtures K P y ->
  PKLCal K P y T <= sum (K + 1) (fun i => ln (1 + mass P T i)) + 2 * INR T * ln (/ cos (step K))
  /\ sum (K + 1) (fun i => ln (1 + mass P T i)) + 2 * INR T * ln (/ cos (step K))
     <= theorem2_sharp_bound K T.
Proof.
  intros K T P y HK HP. pose proof (any_mixtures_by_masses K P y HK HP T).
  pose proof (sum_ln_masses K P y HK HP T). unfold theorem2_sharp_bound. split; lra.
Qed.

(** ** The theorem, for Algorithm 1 *)

Lemma algorithm1_mixtures K y : (2 <= K)%nat -> stationary_mixtures K (algorithm1 K y) y.
Proof. intros HK t. now apply algorithm1_is_stationary. Qed.

(** Theorem 2, sharp form. For every K >= 2, every number of rounds T and every outcome sequence y,
    Algorithm 1 with clamped rounding has PKLCal <= (K+1) ln (1 + T/(K+1)) + 2 T ln sec(pi/2K), where at K = 2
    the angle is pi/8. *)
Theorem theorem2_sharp : forall K T y, (2 <= K)%nat ->
  PKLCal K (algorithm1 K y) y T <= theorem2_sharp_bound K T.
Proof.
  intros K T y HK. destruct (theorem2_any_mixtures K T _ y HK (algorithm1_mixtures K y HK)). lra.
Qed.

(** Theorem 2. For every K >= 2, every number of rounds T and every outcome sequence y, Algorithm 1 with
    clamped rounding has PKLCal <= (K+1) ln (1 + T/(K+1)) + T tan^2(pi/2K); at K = 2 the angle is pi/8. *)
Theorem theorem2 : forall K T y, (2 <= K)%nat ->
  PKLCal K (algorithm1 K y) y T <= theorem2_bound K T.
Proof.
  intros K T y HK. pose proof (theorem2_sharp K T y HK). unfold theorem2_bound, theorem2_sharp_bound in *.
  pose proof (two_ln_sec_le_tan2 (step K) (proj1 (cos_step_pos K HK))). pose proof (pos_INR T). nra.
Qed.
