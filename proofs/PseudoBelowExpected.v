(** * Pseudo swap regret and expected swap regret (the remark after Proposition 1)

    The paper says that PSReg <= E[SReg] holds trivially. It holds if the outcomes are fixed in advance and
    the mixtures do not depend on earlier draws: then PSReg_s is the mean of SReg_s for every fixed swap
    function s, and the best s for the mixtures is one candidate for the draws. If a mixture may depend on
    an earlier draw it is false, already for two rounds and the squared loss. *)

From Coq Require Import Reals Lra Psatz Lia Arith List.
From KLCal Require Import Definitions Basics LossDefinitions LossBasics Proposition1 Histories.
From KLCal Require TreeDefinitions.
Import ListNotations.
Open Scope R_scope.

(** SReg of a history, by Proposition 1. *)
Definition swap_regret_on (l : loss_function) (n : nat) (z : nat -> R) (h : history) : R :=
  sum n (fun i => INR (count h i) * BREG l (INR (count_ones h i) / INR (count h i)) (z i)).

Lemma swap_regret_on_is_SReg : forall l n z I y T, proper l -> different n z ->
  (forall i, (i < n)%nat -> in_unit (z i)) -> (forall t, (t < T)%nat -> (I t < n)%nat) ->
  is_swap_regret l z I y T (swap_regret_on l n z (rounds I y T)).
Proof.
  intros l n z I y T Hl Hz Hunit HI.
  replace (swap_regret_on l n z (rounds I y T))
    with (sum n (fun i => mass (drawn I) T i * BREG l (frequency (drawn I) y T i) (z i))).
  - now apply (proposition1 l n z y T Hl Hz Hunit).
  - apply sum_ext. intros i _. unfold frequency. now rewrite (mass_counts I y), ones_count.
Qed.

(** The mixtures depend on the round only. *)
Definition scheduled (n : nat) (P : nat -> nat -> R) : forecaster :=
  Forecaster (fun _ => n) (fun h => P (length h)).

(** SReg_s on a history. *)
Notation swap_regret := TreeDefinitions.swap_regret.

Lemma swap_regret_rounds : forall l z s I y T,
  swap_regret l s z (rounds I y T) = swap_regret_of l z I y T s.
Proof.
  intros l z s I y T. unfold swap_regret_of.
  induction T as [| T IH]; cbn [rounds TreeDefinitions.swap_regret sum]; [reflexivity | now rewrite IH].
Qed.

Section Scheduled.

Variables (n T : nat) (z : nat -> R) (P : nat -> nat -> R) (y : nat -> bool) (l : loss_function).
Hypothesis P_distribution : forall t, is_distribution n (P t).

Let F := scheduled n P.
Let A := oblivious y.

Lemma scheduled_proper : proper_forecaster F.
Proof using P_distribution. intros h. apply P_distribution. Qed.

(** For a fixed swap function the mean of SReg_s is PSReg_s. *)
Lemma mean_of_swap : forall s U h,
  expect F A U (swap_regret l s z) h
  = swap_regret l s z h
    + sum U (fun u => sum n (fun i => P (length h + u)%nat i
                       * (l (z i) (y (length h + u)%nat) - l (s (z i)) (y (length h + u)%nat)))).
Proof using P_distribution.
  intros s. induction U as [| U IH]; intros h; [cbn [expect sum]; ring |].
  cbn [expect]. change (choices F h) with n. change (weight F h) with (P (length h)).
  replace (S U) with (1 + U)%nat by reflexivity. rewrite sum_split. cbn [sum].
  rewrite Nat.add_0_r, Rplus_0_l.
  set (rest := sum U _). destruct (P_distribution (length h)) as [_ Hsum].
  rewrite (sum_ext n _ (fun i => (swap_regret l s z h + rest) * P (length h) i
             + P (length h) i * (l (z i) (y (length h)) - l (s (z i)) (y (length h))))).
  - rewrite sum_plus, sum_scal, Hsum. ring.
  - intros i _.
    assert (Hrest : forall b, expect F A U (swap_regret l s z) ((i, b) :: h)
                              = swap_regret l s z h + (l (z i) b - l (s (z i)) b) + rest).
    { intros b. rewrite IH. cbn [TreeDefinitions.swap_regret length]. f_equal. unfold rest. apply sum_ext. intros u _.
      now replace (S (length h) + u)%nat with (length h + (1 + u))%nat by lia. }
    rewrite !Hrest. unfold A, oblivious, deterministic.
    destruct (y (length h)); cbn [outcome]; ring.
Qed.

Hypothesis z_different : different n z.
Hypothesis z_unit : forall i, (i < n)%nat -> in_unit (z i).
Hypothesis l_proper : proper l.

(** If the outcomes are fixed in advance and the mixtures do not depend on draws, PSReg <= E[SReg]. *)
Theorem pseudo_below_expected : forall v, is_pseudo_swap_regret l n z P y T v ->
  v <= expect (scheduled n P) (oblivious y) T (swap_regret_on l n z) [].
Proof using P_distribution z_different z_unit l_proper.
  intros v Hv. assert (HP : weights n P) by (intros t i Hi; now apply P_distribution).
  apply Hv. intros x (s & Hs & ->).
  apply Rle_trans with (expect F A T (swap_regret l s z) []).
  - rewrite mean_of_swap. cbn [TreeDefinitions.swap_regret length]. unfold pseudo_swap_regret_of. rewrite sum_swap.
    cbn [Nat.add]. lra.
  - apply expect_le_reachable; [exact scheduled_proper | apply oblivious_proper |]. intros k Hk.
    destruct (reachable_rounds F n T k (fun _ => eq_refl) Hk) as (I & b & E & HI).
    rewrite <- E, swap_regret_rounds.
    apply (swap_regret_on_is_SReg l n z I b T l_proper z_different z_unit HI). now exists s.
Qed.

End Scheduled.

(** ** Two rounds in which it fails *)

(** The mixtures that a forecaster has played along a history; rounds count from 0. *)
Definition mixtures (F : forecaster) (h : history) (t i : nat) : R := weight F (skipn (length h - t) h) i.

(** Round 0: forecast 1/2 or 51/100 with probability 1/2 each. Afterwards the forecast is repeated. *)
Definition repeater : forecaster :=
  Forecaster (fun _ => 2%nat)
    (fun h => match h with [] => fun _ => / 2 | (i, _) :: _ => point (Nat.min i 1) end).

Definition two_points (i : nat) : R := if (i =? 0)%nat then 1 / 2 else 51 / 100.

(** Outcome 1, then outcome 0. *)
Definition one_then_zero (t : nat) : bool := (t =? 0)%nat.

Lemma mean_over_repeater : forall f, expect repeater (oblivious one_then_zero) 2 f []
  = / 2 * f [(0%nat, false); (0%nat, true)] + / 2 * f [(1%nat, false); (1%nat, true)].
Proof.
  intros f. cbn -[Rmult Rplus Rminus Rinv IZR]. unfold oblivious, deterministic, one_then_zero.
  cbn -[Rmult Rplus Rminus Rinv IZR]. unfold point. cbn -[Rmult Rplus Rminus Rinv IZR]. ring.
Qed.

(** For the squared loss SReg = Cal_2 and PSReg = PCal_2 on every path (Proposition 1). With mixtures that
    depend on a draw, E[SReg] = 1/10000 and E[PSReg] = 5003/30000. *)
Theorem pseudo_above_expected :
  let A := oblivious one_then_zero in
  proper_forecaster repeater
  /\ expect repeater A 2 (swap_regret_on squared_loss 2 two_points) [] = 1 / 10000
  /\ expect repeater A 2 (fun h => Cal2 2 two_points (mixtures repeater h) one_then_zero 2) [] = 5003 / 30000.
Proof.
  intros A. split; [| split].
  - intros h. unfold repeater. cbn [choices weight]. destruct h as [| (j, b) h].
    + split; [intros; lra | cbn [sum]; field].
    + apply point_is_distribution. lia.
  - unfold A. rewrite mean_over_repeater. unfold swap_regret_on. cbn [sum].
    rewrite !squared_loss_divergence. unfold two_points. cbn -[Rmult Rplus Rminus Rdiv IZR pow].
    rewrite !Rmult_0_l. field.
  - unfold A. rewrite mean_over_repeater. unfold Cal2, frequency, mass, mass_of_ones, mixtures, one_then_zero.
    cbn -[Rmult Rplus Rminus Rdiv Rinv IZR pow]. unfold point, two_points.
    cbn -[Rmult Rplus Rminus Rdiv Rinv IZR pow]. field.
Qed.
