(** * The third bound of Corollary 2 as printed is false: pseudo swap regret for one loss of L_2.

    [SlowLoss] has a loss and a coin for which every forecaster has a large external regret in the mean. If the
    mixtures are a function of earlier outcomes, as those of Algorithm 1 are, then given the outcomes the mean
    of external regret is pseudo swap regret for a constant swap function. So some sequence of outcomes makes
    PSReg large. *)

From Coq Require Import Reals Lra Lia Psatz List Arith Classical.
From KLCal Require Import Definitions Basics Histories LossDefinitions LossBasics Proposition1 Lemma5 Theorem2.
From KLCal Require Import Ville GridLowerBound SlowLoss Corollary2.
Import ListNotations.
Open Scope R_scope.

Section Mixtures.
Variables (n : nat) (z : nat -> R) (P : (nat -> bool) -> nat -> nat -> R) (l : loss_function).
Hypothesis P_distribution : forall y t, is_distribution n (P y t).
Hypothesis P_causal : forall y y' t, (forall u, (u < t)%nat -> y u = y' u) -> P y t = P y' t.

(** The forecaster that draws from the mixtures for the outcomes so far. *)
Definition drawing : forecaster := Forecaster (fun _ => n) (fun h => P (outcome_of h) (length h)).

(** The losses of the draws minus the mean losses of the mixtures. *)
Fixpoint luck (h : history) : R :=
  match h with
  | [] => 0
  | (i, y) :: past => luck past + (l (z i) y - sum n (fun j => P (outcome_of past) (length past) j * l (z j) y))
  end.

Lemma luck_is_martingale : martingale drawing (fun _ => True) luck.
Proof using P_distribution.
  intros h y _. unfold draw_mean. cbn [drawing choices weight luck].
  destruct (P_distribution (outcome_of h) (length h)) as [_ Hs]. set (p := P (outcome_of h) (length h)) in *.
  set (m := sum n (fun j => p j * l (z j) y)).
  rewrite (sum_ext n _ (fun i => p i * (luck h - m) + p i * l (z i) y)) by (intros; ring).
  rewrite sum_plus, sum_scal_r, Hs. fold m. ring.
Qed.

(** Without the luck, regret against a constant is pseudo swap regret for a constant swap function. *)
Lemma regret_without_luck q h :
  regret_against l z q h - luck h
  = pseudo_swap_regret_of l n z (P (outcome_of h)) (outcome_of h) (length h) (fun _ => q).
Proof using P_distribution P_causal.
  unfold pseudo_swap_regret_of. rewrite sum_swap.
  induction h as [|[i y] h IH]; [cbn; ring|]. cbn [regret_against luck length sum].
  rewrite (sum_ext (length h) _ (fun t => sum n (fun i => P (outcome_of h) t i
             * (l (z i) (outcome_of h t) - l q (outcome_of h t))))).
  - rewrite <- IH, (P_causal (outcome_of ((i, y) :: h)) (outcome_of h))
      by (intros u Hu; now apply earlier_round).
    rewrite (proj2 (last_round i y h)). destruct (P_distribution (outcome_of h) (length h)) as [_ Hs].
    set (p := P (outcome_of h) (length h)) in *.
    rewrite (sum_ext n (fun j => p j * (l (z j) y - l q y)) (fun j => p j * l (z j) y - p j * l q y))
      by (intros; ring).
    rewrite sum_minus, sum_scal_r, Hs. ring.
  - intros t Ht. apply sum_ext. intros j _. rewrite (proj2 (earlier_round (i, y) h t Ht)).
    rewrite (P_causal _ (outcome_of h)) by (intros u Hu; apply earlier_round; lia). reflexivity.
Qed.

Hypothesis z_different : different n z.
Hypothesis z_unit : forall i, (i < n)%nat -> in_unit (z i).
Hypothesis l_proper : proper l.

Lemma some_outcomes_are_bad T p B : in_unit p ->
  B < expect drawing (fun _ => p) T (external_regret l z) [] ->
  exists y v, is_pseudo_swap_regret l n z (P y) y T v /\ B < v.
Proof using P_distribution P_causal z_different z_unit l_proper.
  intros Hp HB. apply NNPP. intros Hno.
  assert (HF : proper_forecaster drawing) by (intros h; apply P_distribution).
  assert (HA : proper_adversary (fun _ => p)) by (intros h; exact Hp).
  assert (Hzero : expect drawing (fun _ => p) T luck [] = 0).
  { apply (martingale_mean drawing (fun _ => p) HF HA (fun _ => True)); auto using luck_is_martingale.
    now intros h i y. }
  assert (Hle : expect drawing (fun _ => p) T (external_regret l z) []
                <= expect drawing (fun _ => p) T (fun h => B + luck h) []).
  { apply expect_le_reachable; auto. intros h Hh. apply reachable_length in Hh.
    cbn [length] in Hh. rewrite Nat.add_0_r in Hh.
    set (q := ones h / INR (length h)). pose proof (regret_without_luck q h) as E. rewrite Hh in E.
    assert (HP : weights n (P (outcome_of h))) by (intros t i Hi; now apply P_distribution).
    pose proof (pseudo_swap_regret_is_sum n T z _ (outcome_of h) HP z_different z_unit l l_proper) as Hv.
    set (v := sum n _) in Hv.
    assert (Hvb : v <= B) by (apply Rnot_lt_le; intros H; apply Hno; now exists (outcome_of h), v).
    assert (Hq : pseudo_swap_regret_of l n z (P (outcome_of h)) (outcome_of h) T (fun _ => q) <= v).
    { apply Hv. exists (fun _ => q). split; [|reflexivity]. intros x _. apply ones_over_length_unit. }
    unfold external_regret. fold q. lra. }
  rewrite expect_plus, expect_const, Hzero in Hle by assumption. lra.
Qed.

End Mixtures.

(** The third bound of Corollary 2 as printed is false. There is a loss of L_2 such that for every C some number of
    rounds T has the following property: Algorithm 1, on whichever grid, has on some sequence of outcomes
    PSReg > C T^(1/3) (ln T)^(5/3). The same is true for any mixtures that are a function of earlier outcomes. *)
Theorem printed_pseudo_rate_fails : exists l, class_L2 l /\ forall C, exists T, (4 <= T)%nat
  /\ (forall K, (2 <= K)%nat -> exists y v,
        is_pseudo_swap_regret l (K + 1) (grid K) (algorithm1 K y) y T v
        /\ C * (Rpower (INR T) (1 / 3) * Rpower (ln (INR T)) (5 / 3)) < v)
  /\ (forall n z P, (forall y t, is_distribution n (P y t)) ->
        (forall y y' t, (forall u, (u < t)%nat -> y u = y' u) -> P y t = P y' t) ->
        different n z -> (forall i, (i < n)%nat -> in_unit (z i)) -> exists y v,
        is_pseudo_swap_regret l n z (P y) y T v
        /\ C * (Rpower (INR T) (1 / 3) * Rpower (ln (INR T)) (5 / 3)) < v).
Proof.
  destruct printed_rates_fail as (l & Hl & Hfail). exists l. split; [exact Hl|]. intros C.
  destruct (Hfail C) as (T & p & HT & Hp & Hbad). exists T. split; [exact HT|].
  assert (Hall : forall n z P, (forall y t, is_distribution n (P y t)) ->
        (forall y y' t, (forall u, (u < t)%nat -> y u = y' u) -> P y t = P y' t) ->
        different n z -> (forall i, (i < n)%nat -> in_unit (z i)) -> exists y v,
        is_pseudo_swap_regret l n z (P y) y T v
        /\ C * (Rpower (INR T) (1 / 3) * Rpower (ln (INR T)) (5 / 3)) < v).
  { intros n z P HP Hcausal Hz Hu. apply (some_outcomes_are_bad n z P l HP Hcausal Hz Hu) with (p := p).
    - apply Hl.
    - unfold inside, in_unit in *. lra.
    - apply Hbad; [intros h; apply HP|]. intros h i Hi. now apply Hu. }
  split; [|exact Hall]. intros K HK. apply (Hall (K + 1)%nat (grid K) (algorithm1 K)).
  - intros y t. now apply algorithm1_is_stationary.
  - intros y y' t. apply algorithm1_is_causal.
  - now apply grid_different.
  - intros i _. pose proof (grid_bounds K HK i). unfold in_unit. lra.
Qed.
