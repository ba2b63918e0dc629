(** * Proposition 1 of the paper: swap regret is a sum of Bregman divergences

    In one cell the mean of l(q, y) is the divergence of q from the frequency, plus a part that does not
    depend on q. Divergences are not negative, so the best swap sends every forecast to the frequency of its
    cell. Drawn forecasts are the weights 0 and 1. The two examples of the paper follow: swap regret is
    Cal_2 for the squared loss and KLCal for the log loss. *)

From Coq Require Import Reals Lra Psatz Lia Arith.
From KLCal Require Import Definitions Basics LossDefinitions LossBasics.
Open Scope R_scope.

(** ** Expected cells *)

Section Pseudo.

Variables (n T : nat) (z : nat -> R) (P : nat -> nat -> R) (y : nat -> bool).
Hypothesis P_weights : weights n P.

(** This part needs no properness: it is an identity. *)
Lemma pseudo_swap_regret_identity : forall l s,
  pseudo_swap_regret_of l n z P y T s =
  sum n (fun i => mass P T i * (BREG l (frequency P y T i) (z i) - BREG l (frequency P y T i) (s (z i)))).
Proof using P_weights.
  intros l s. unfold pseudo_swap_regret_of. apply sum_ext. intros i Hi.
  rewrite (sum_ext T _ (fun t => P t i * l (z i) (y t) - P t i * l (s (z i)) (y t)))
    by (intros; ring).
  rewrite sum_minus, !(loss_in_cell n T P y P_weights) by assumption.
  rewrite !BREG_is_excess. ring.
Qed.

Hypothesis z_different : different n z.

Lemma pseudo_swap_regret_attained : forall l,
  pseudo_swap_regret_of l n z P y T (reply n z (frequency P y T)) =
  sum n (fun i => mass P T i * BREG l (frequency P y T i) (z i)).
Proof using P_weights z_different.
  intros l. rewrite pseudo_swap_regret_identity. apply sum_ext. intros i Hi.
  rewrite reply_at_point by assumption. rewrite BREG_diagonal. ring.
Qed.

Hypothesis z_unit : forall i, (i < n)%nat -> in_unit (z i).

Lemma pseudo_swap_regret_is_sum : forall l, proper l ->
  is_pseudo_swap_regret l n z P y T (sum n (fun i => mass P T i * BREG l (frequency P y T i) (z i))).
Proof using P_weights z_different z_unit.
  intros l Hl. apply greatest_is_lub.
  - exists (reply n z (frequency P y T)). split.
    + apply reply_swaps. intros i Hi. now apply frequency_in_unit with (n := n).
    + now rewrite pseudo_swap_regret_attained.
  - intros x (s & Hs & ->). rewrite pseudo_swap_regret_identity. apply sum_le. intros i Hi.
    apply Rmult_le_compat_l; [now apply mass_not_negative with (n := n) |].
    assert (0 <= BREG l (frequency P y T i) (s (z i))); [| lra].
    apply BREG_not_negative; [assumption | now apply frequency_in_unit with (n := n) |].
    apply Hs. now apply z_unit.
Qed.

End Pseudo.

(** ** Realised cells *)

Lemma swap_regret_is_pseudo : forall l n z I y T s, (forall t, (t < T)%nat -> (I t < n)%nat) ->
  swap_regret_of l z I y T s = pseudo_swap_regret_of l n z (drawn I) y T s.
Proof.
  intros l n z I y T s HI. unfold swap_regret_of, pseudo_swap_regret_of.
  rewrite sum_swap. apply sum_ext. intros t Ht. unfold drawn.
  now rewrite (sum_point n (I t) (fun i => l (z i) (y t) - l (s (z i)) (y t))) by (apply HI; assumption).
Qed.

Lemma swap_regret_drawn : forall l n z I y T v, (forall t, (t < T)%nat -> (I t < n)%nat) ->
  is_swap_regret l z I y T v <-> is_pseudo_swap_regret l n z (drawn I) y T v.
Proof.
  intros l n z I y T v HI. unfold is_swap_regret, is_pseudo_swap_regret, is_lub, is_upper_bound.
  split; intros [H1 H2]; split.
  - intros x (s & Hs & ->). apply H1. exists s. split; [assumption |].
    now rewrite (swap_regret_is_pseudo l n).
  - intros b Hb. apply H2. intros x (s & Hs & ->). apply Hb. exists s. split; [assumption |].
    now rewrite <- (swap_regret_is_pseudo l n).
  - intros x (s & Hs & ->). apply H1. exists s. split; [assumption |].
    now rewrite <- (swap_regret_is_pseudo l n).
  - intros b Hb. apply H2. intros x (s & Hs & ->). apply Hb. exists s. split; [assumption |].
    now rewrite (swap_regret_is_pseudo l n).
Qed.

(** Proposition 1. Let l be a proper loss and let the forecasts z 0, ..., z (n - 1) be different numbers in
    [0, 1]. With the masses and frequencies of the expected cells, for every swap function s:
    PSReg_s = sum of mass * (BREG (frequency, z) - BREG (frequency, s z)), and
    PSReg = sum of mass * BREG (frequency, z), attained by the swap function that sends every forecast to its
    frequency. The same holds for SReg with the realised cells. *)
Theorem proposition1 : forall l n z y T, proper l -> different n z ->
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
Proof.
  intros l n z y T Hl Hz Hunit.
  assert (Hpseudo : forall P, weights n P ->
     (forall s, pseudo_swap_regret_of l n z P y T s =
        sum n (fun i => mass P T i
                        * (BREG l (frequency P y T i) (z i) - BREG l (frequency P y T i) (s (z i)))))
     /\ is_pseudo_swap_regret l n z P y T (sum n (fun i => mass P T i * BREG l (frequency P y T i) (z i)))
     /\ exists s, swap_function s /\ (forall i, (i < n)%nat -> s (z i) = frequency P y T i)
                  /\ is_pseudo_swap_regret l n z P y T (pseudo_swap_regret_of l n z P y T s)).
  { intros P HP. split; [| split].
    - intros s. now apply pseudo_swap_regret_identity.
    - now apply pseudo_swap_regret_is_sum.
    - exists (reply n z (frequency P y T)). split; [| split].
      + apply reply_swaps. intros i Hi. now apply frequency_in_unit with (n := n).
      + intros i Hi. now apply reply_at_point.
      + rewrite pseudo_swap_regret_attained by assumption. now apply pseudo_swap_regret_is_sum. }
  split; [exact Hpseudo |].
  intros I HI P. destruct (Hpseudo P (drawn_weights n I)) as (H1 & H2 & s & Hs & Hreply & H3).
  split; [| split].
  - intros s'. rewrite (swap_regret_is_pseudo l n) by assumption. apply H1.
  - rewrite (swap_regret_drawn l n) by assumption. exact H2.
  - exists s. split; [assumption |]. split; [assumption |].
    rewrite (swap_regret_drawn l n), (swap_regret_is_pseudo l n) by assumption. exact H3.
Qed.

(** ** The squared loss: swap regret is Cal_2 *)

Lemma squared_loss_form : forall p, form squared_loss p = p - p ^ 2.
Proof. intros p. unfold form, mean_loss, squared_loss, outcome. ring. Qed.

Lemma squared_loss_slope : forall p, slope squared_loss p = 1 - 2 * p.
Proof. intros p. unfold slope, squared_loss, outcome. ring. Qed.

Lemma squared_loss_divergence : forall r p, BREG squared_loss r p = (r - p) ^ 2.
Proof.
  intros r p. unfold BREG, bregman. rewrite !squared_loss_form, squared_loss_slope. ring.
Qed.

Lemma squared_loss_proper : proper squared_loss.
Proof.
  intros p q _ _. assert (H := BREG_is_excess squared_loss p q). rewrite squared_loss_divergence in H.
  assert (H0 := pow2_ge_0 (p - q)). lra.
Qed.

(** For the squared loss PSReg = PCal_2, and SReg = Cal_2. *)
Theorem swap_regret_of_squared_loss : forall n z y T, different n z ->
  (forall i, (i < n)%nat -> in_unit (z i)) ->
  (forall P, weights n P -> is_pseudo_swap_regret squared_loss n z P y T (Cal2 n z P y T))
  /\ (forall I, (forall t, (t < T)%nat -> (I t < n)%nat) ->
        is_swap_regret squared_loss z I y T (Cal2 n z (drawn I) y T)).
Proof.
  intros n z y T Hz Hunit.
  assert (Heq : forall P, Cal2 n z P y T
                = sum n (fun i => mass P T i * BREG squared_loss (frequency P y T i) (z i)))
    by (intros P; apply sum_ext; intros i _; now rewrite squared_loss_divergence).
  destruct (proposition1 squared_loss n z y T squared_loss_proper Hz Hunit) as [H1 H2].
  split.
  - intros P HP. rewrite Heq. now apply H1.
  - intros I HI. rewrite Heq. now apply H2.
Qed.

(** ** The log loss: swap regret is KLCal

    The log loss is infinite at the forecast 0 with outcome 1 and at the forecast 1 with outcome 0. A swap
    function that incurs an infinite loss has the regret minus infinity; so the supremum is over the others.
    *)

Definition finite_after_swap (n : nat) (z : nat -> R) (P : nat -> nat -> R) (y : nat -> bool) (T : nat)
    (s : R -> R) : Prop :=
  forall t i, (t < T)%nat -> (i < n)%nat -> 0 < P t i -> 0 < prob (s (z i)) (y t).

Definition is_pseudo_log_swap_regret n z P y T (v : R) : Prop :=
  is_lub (fun x => exists s, swap_function s /\ finite_after_swap n z P y T s
                             /\ x = pseudo_swap_regret_of loss n z P y T s) v.

Definition is_log_swap_regret n z I y T (v : R) : Prop :=
  is_lub (fun x => exists s, swap_function s /\ finite_after_swap n z (drawn I) y T s
                             /\ x = swap_regret_of loss z I y T s) v.

Lemma mean_log_loss : forall r q, mean_loss loss r q = - r * ln q - (1 - r) * ln (1 - q).
Proof. intros r q. unfold mean_loss, loss, prob. ring. Qed.

Lemma KL_is_excess_log_loss : forall r q, in_unit r -> inside q ->
  KL r q = mean_loss loss r q - mean_loss loss r r.
Proof. intros r q Hr Hq. rewrite KL_expand by assumption. rewrite !mean_log_loss. ring. Qed.

Section Log_loss.

Variables (n T : nat) (z : nat -> R) (P : nat -> nat -> R) (y : nat -> bool).
Hypothesis P_weights : weights n P.

(** If every outcome with positive weight in cell i is [b], then the frequency is [outcome b]. *)
Lemma frequency_one_sided : forall b i, (i < n)%nat -> 0 < mass P T i ->
  (forall t, (t < T)%nat -> 0 < P t i -> y t = b) -> frequency P y T i = outcome b.
Proof using P_weights.
  intros b i Hi Hm H. unfold frequency.
  assert (Hones : mass_of_ones P y T i = mass P T i * outcome b).
  { unfold mass_of_ones, mass. rewrite <- sum_scal_r. apply sum_ext. intros t Ht.
    destruct (Rle_lt_or_eq_dec 0 (P t i) (P_weights t i Hi)) as [Hpos | Hzero].
    - now rewrite (H t Ht Hpos).
    - rewrite <- Hzero. ring. }
  rewrite Hones. field. lra.
Qed.

Lemma frequency_positive : forall t i, (t < T)%nat -> (i < n)%nat -> 0 < P t i ->
  0 < prob (frequency P y T i) (y t).
Proof using P_weights.
  intros t i Ht Hi Hpos.
  assert (Hm : P t i <= mass P T i)
    by (unfold mass; apply (sum_term_le T (fun t => P t i)); [intros; now apply P_weights | assumption]).
  assert (Hf := mass_times_frequency n T P y P_weights i Hi).
  assert (Hu := frequency_in_unit n T P y P_weights i Hi). unfold in_unit in Hu.
  destruct (y t) eqn:Ey; cbn [prob].
  - assert (Hone : P t i * outcome (y t) <= mass_of_ones P y T i).
    { apply (sum_term_le T (fun t => P t i * outcome (y t))); [| assumption]. intros u _.
      apply Rmult_le_pos; [now apply P_weights | apply outcome_in_unit]. }
    rewrite Ey in Hone. cbn [outcome] in Hone. nra.
  - assert (Hzero : P t i * (1 - outcome (y t)) <= mass P T i - mass_of_ones P y T i).
    { unfold mass, mass_of_ones. rewrite <- sum_minus.
      rewrite (sum_ext T (fun i0 => _ - _) (fun u => P u i * (1 - outcome (y u)))) by (intros; ring).
      apply (sum_term_le T (fun u => P u i * (1 - outcome (y u)))); [| assumption]. intros u _.
      assert (H := outcome_in_unit (y u)). unfold in_unit in H.
      apply Rmult_le_pos; [now apply P_weights | lra]. }
    rewrite Ey in Hzero. cbn [outcome] in Hzero. nra.
Qed.

(** Gibbs' inequality in a cell, for a reply with finite loss. *)
Lemma best_reply_log_loss : forall i q, (i < n)%nat -> in_unit q ->
  (forall t, (t < T)%nat -> 0 < P t i -> 0 < prob q (y t)) ->
  mass P T i * mean_loss loss (frequency P y T i) (frequency P y T i)
  <= mass P T i * mean_loss loss (frequency P y T i) q.
Proof using P_weights.
  intros i q Hi Hq Hfin.
  destruct (Rle_lt_or_eq_dec 0 _ (mass_not_negative n T P P_weights i Hi)) as [Hm | <-]; [| lra].
  apply Rmult_le_compat_l; [lra |].
  assert (Hu := frequency_in_unit n T P y P_weights i Hi).
  destruct (Req_dec q 0) as [-> | H0]; [| destruct (Req_dec q 1) as [-> | H1]].
  - rewrite (frequency_one_sided false i Hi Hm); [cbn [outcome]; lra |].
    intros t Ht Hpos. specialize (Hfin t Ht Hpos). destruct (y t); cbn [prob] in Hfin; [lra | reflexivity].
  - rewrite (frequency_one_sided true i Hi Hm); [cbn [outcome]; lra |].
    intros t Ht Hpos. specialize (Hfin t Ht Hpos). destruct (y t); cbn [prob] in Hfin; [reflexivity | lra].
  - assert (Hin : inside q) by (unfold inside, in_unit in *; lra).
    assert (H := KL_nonneg _ q Hu Hin). rewrite KL_is_excess_log_loss in H by assumption. lra.
Qed.

Hypothesis z_different : different n z.
Hypothesis z_inside : forall i, (i < n)%nat -> inside (z i).

Lemma pseudo_log_swap_regret_is_KLCal :
  is_pseudo_log_swap_regret n z P y T (pseudo_KLCal n z P y T).
Proof using P_weights z_different z_inside.
  assert (Hcell : forall s, pseudo_swap_regret_of loss n z P y T s
            = sum n (fun i => mass P T i * mean_loss loss (frequency P y T i) (z i)
                              - mass P T i * mean_loss loss (frequency P y T i) (s (z i)))).
  { intros s. unfold pseudo_swap_regret_of. apply sum_ext. intros i Hi.
    rewrite <- !(loss_in_cell n T P y P_weights) by assumption. rewrite <- sum_minus.
    apply sum_ext. intros; ring. }
  assert (HKL : forall i, (i < n)%nat ->
            mass P T i * KL (mass_of_ones P y T i / mass P T i) (z i)
            = mass P T i * mean_loss loss (frequency P y T i) (z i)
              - mass P T i * mean_loss loss (frequency P y T i) (frequency P y T i)).
  { intros i Hi. fold (frequency P y T i). rewrite KL_is_excess_log_loss; [ring | | now apply z_inside].
    now apply frequency_in_unit with (n := n). }
  apply greatest_is_lub.
  - exists (reply n z (frequency P y T)). split; [| split].
    + apply reply_swaps. intros i Hi. now apply frequency_in_unit with (n := n).
    + intros t i Ht Hi Hpos. rewrite reply_at_point by assumption. now apply frequency_positive.
    + rewrite Hcell. unfold pseudo_KLCal. apply sum_ext. intros i Hi.
      rewrite reply_at_point by assumption. now apply HKL.
  - intros x (s & Hs & Hfin & ->). rewrite Hcell. unfold pseudo_KLCal. apply sum_le. intros i Hi.
    rewrite HKL by assumption. apply Rplus_le_compat_l, Ropp_le_contravar.
    apply best_reply_log_loss; [assumption | |].
    + apply Hs. destruct (z_inside i Hi). split; lra.
    + intros t Ht Hpos. now apply Hfin.
Qed.

End Log_loss.

(** For the log loss and forecasts in (0, 1), PSReg = PKLCal, and SReg = KLCal. *)
Theorem swap_regret_of_log_loss : forall n z y T, different n z ->
  (forall i, (i < n)%nat -> inside (z i)) ->
  (forall P, weights n P -> is_pseudo_log_swap_regret n z P y T (pseudo_KLCal n z P y T))
  /\ (forall I, (forall t, (t < T)%nat -> (I t < n)%nat) ->
        is_log_swap_regret n z I y T (pseudo_KLCal n z (drawn I) y T)).
Proof.
  intros n z y T Hz Hin. split.
  - intros P HP. now apply pseudo_log_swap_regret_is_KLCal.
  - intros I HI.
    destruct (pseudo_log_swap_regret_is_KLCal n T z (drawn I) y (drawn_weights n I) Hz Hin) as [H1 H2].
    split.
    + intros x (s & Hs & Hfin & ->). apply H1. exists s. split; [assumption |]. split; [assumption |].
      now apply swap_regret_is_pseudo.
    + intros b Hb. apply H2. intros x (s & Hs & Hfin & ->). apply Hb. exists s.
      split; [assumption |]. split; [assumption |]. symmetry. now apply swap_regret_is_pseudo.
Qed.
