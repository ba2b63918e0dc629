(** * The term ln (1/delta) is necessary

    Against fair coins every forecaster is unlucky m times in a row with probability 2^-m: the outcome is 1 if
    the forecast is at most 1/2, and 0 otherwise. Then every bucket has only ones or only zeros, and every
    round costs at least ln 2. *)

From Coq Require Import Reals Lra Lia List Bool.
Import ListNotations.
From KLCal Require Import Definitions Basics Histories Ville TheoremA.
Open Scope R_scope.

(** Independent fair coins. *)
Notation fair_coins := (fun _ => / 2).

Lemma fair_coins_proper : proper_adversary fair_coins.
Proof. intros h. lra. Qed.

Section Necessity.
  Variable F : forecaster.
  Variable n : nat.
  Variable z : nat -> R.
  Hypothesis proper_F : proper_forecaster F.
  Hypothesis choices_F : forall h, (choices F h <= n)%nat.
  Hypothesis Hz : forall i, (i < n)%nat -> 0 < z i < 1.

  (** The outcome that hurts forecast i more. *)
  Definition bad (i : nat) : bool := at_most (z i) (/ 2).

  Definition unlucky (h : history) : Prop := Forall (fun r => (fst r < n)%nat /\ snd r = bad (fst r)) h.

  (** On an unlucky history a bucket has only ones, or only zeros. *)
  Lemma unlucky_counts h i : unlucky h -> count_ones h i = if bad i then count h i else 0%nat.
  Proof using.
    induction 1 as [| [j y] past [Hj Hy] Hpast IH]; cbn [count count_ones]; [now destruct (bad i) |].
    cbn [fst snd] in *. rewrite Hy. destruct (Nat.eqb_spec j i) as [-> | Hne]; cbn [andb]; [| exact IH].
    rewrite IH. now destruct (bad i).
  Qed.

  Lemma unlucky_within h : unlucky h -> within n h.
  Proof using. apply Forall_impl. now intros r [Hr _]. Qed.

  Lemma unlucky_cost h : unlucky h -> INR (length h) * ln 2 <= KLCal n z h.
  Proof using Hz.
    intros Hh. rewrite <- (sum_of_counts n h (unlucky_within h Hh)), <- sum_scal_r. apply sum_le.
    intros i Hi. rewrite (unlucky_counts h i Hh). specialize (Hz i Hi).
    set (m := INR (count h i)). assert (Hm : 0 <= m) by apply pos_INR.
    assert (Hhalf : ln (/ 2) = - ln 2) by (apply ln_Rinv; lra).
    unfold bad. destruct (at_most (z i) (/ 2)) eqn:Hbad.
    - apply at_most_true in Hbad. fold m. rewrite scaled_KL by lra. unfold best_loss.
      replace (m - m) with 0 by ring. pose proof (ln_le (z i) (/ 2) ltac:(lra) Hbad) as Hln.
      rewrite Hhalf in Hln. pose proof (Rmult_le_compat_l m _ _ Hm Hln). lra.
    - apply at_most_false in Hbad. cbn [INR]. fold m. rewrite scaled_KL by lra. unfold best_loss.
      replace (m - 0) with m by ring. pose proof (ln_le (1 - z i) (/ 2) ltac:(lra) ltac:(lra)) as Hln.
      rewrite Hhalf in Hln. pose proof (Rmult_le_compat_l m _ _ Hm Hln). lra.
  Qed.

  (** What has happened stays happened. *)
  Lemma ever_certain E A T h : proper_adversary A -> ever E h = true ->
    expect F A T (indicator (ever E)) h = 1.
  Proof using proper_F.
    intros HA. revert h. induction T as [| T IH]; intros h Hever; cbn [expect].
    - unfold indicator. now rewrite Hever.
    - rewrite (sum_ext _ _ (weight F h)); [apply (proj2 (proper_F h)) |].
      intros i _. rewrite !IH by (cbn [ever]; rewrite Hever; apply orb_true_r). ring.
  Qed.

  Lemma ever_nonneg E A T h : proper_adversary A -> 0 <= expect F A T (indicator (ever E)) h.
  Proof using proper_F.
    intros HA. rewrite <- (expect_const F A proper_F T 0 h). apply expect_le; auto.
    intros k. apply indicator_bounds.
  Qed.

  Lemma unlucky_probability E T m h : unlucky h -> (m <= T)%nat ->
    (forall k, unlucky k -> length k = (m + length h)%nat -> E k = true) ->
    (/ 2) ^ m <= expect F fair_coins T (indicator (ever E)) h.
  Proof using proper_F choices_F.
    revert T h. induction m as [| m IH]; intros T h Hh HmT HE.
    - rewrite ever_certain; [cbn; lra | apply fair_coins_proper |].
      destruct h as [| r past]; cbn [ever]; rewrite HE; auto.
    - destruct T as [| T]; [lia |]. cbn [expect pow].
      destruct (proper_F h) as [Hpos Hsum].
      replace (/ 2 * (/ 2) ^ m) with (sum (choices F h) (fun i => weight F h i * (/ 2 * (/ 2) ^ m)))
        by (rewrite sum_scal_r, Hsum; ring).
      apply sum_le. intros i Hi. apply Rmult_le_compat_l; [now apply Hpos |].
      assert (Hnext : (/ 2) ^ m <= expect F fair_coins T (indicator (ever E)) ((i, bad i) :: h)).
      { apply IH; [| lia |].
        - constructor; [| exact Hh]. cbn [fst snd]. specialize (choices_F h). split; [lia | reflexivity].
        - intros k Hk Hlen. apply HE; [exact Hk |]. cbn [length] in Hlen. lia. }
      pose proof (ever_nonneg E fair_coins T ((i, true) :: h) fair_coins_proper).
      pose proof (ever_nonneg E fair_coins T ((i, false) :: h) fair_coins_proper).
      destruct (bad i); lra.
  Qed.

  (** For every forecaster with forecasts strictly between 0 and 1, and independent fair coins: with
      probability at least 2^-m, KLCal is at least m ln 2 after some round up to T, for every m <= T. With
      delta = 2^-m this is ln (1/delta). *)
  Theorem tail_is_necessary T m : (m <= T)%nat ->
    (/ 2) ^ m <= probability F fair_coins T (ever (fun h => at_most (INR m * ln 2) (KLCal n z h))).
  Proof using proper_F choices_F Hz.
    intros HmT. apply unlucky_probability; [constructor | exact HmT |].
    intros k Hk Hlen. cbn [length] in Hlen. rewrite Nat.add_0_r in Hlen.
    apply at_most_true. rewrite <- Hlen. now apply unlucky_cost.
  Qed.

  (** So a bound f + c ln (1/delta) that holds after all rounds up to T, against fair coins, with probability
      at least 1 - delta for every delta in (0, 1], has f + c T ln 2 >= T ln 2; and c >= 1 if f = o(T). *)
  Corollary additive_term T f c :
    (forall delta, 0 < delta <= 1 ->
       1 - delta <= probability F fair_coins T (always (fun h =>
         at_most (KLCal n z h) (f + c * ln (/ delta))))) ->
    0 <= c -> INR T * ln 2 <= f + c * (INR T * ln 2).
  Proof using proper_F choices_F Hz.
    intros Hbound Hc. apply Rnot_lt_le. intros Hlt.
    (* a delta slightly below 2^-T for which the bound is still below T ln 2 *)
    set (gap := INR T * ln 2 - (f + c * (INR T * ln 2))).
    set (eta := gap / (2 * (c + 1))).
    assert (Hgap : 0 < gap) by (unfold gap; lra).
    assert (Heta : 0 < eta) by (unfold eta; apply Rdiv_lt_0_compat; lra).
    assert (Hceta : c * eta < gap).
    { unfold eta. apply Rmult_lt_reg_r with (2 * (c + 1)); [lra |].
      replace (c * (gap / (2 * (c + 1))) * (2 * (c + 1))) with (c * gap) by (field; lra). nra. }
    set (delta := exp (- (INR T * ln 2 + eta))).
    assert (Hln2 : 0 < ln 2) by (pose proof ln_lt_2; lra).
    assert (HT : 0 <= INR T * ln 2) by (apply Rmult_le_pos; [apply pos_INR | lra]).
    assert (Hdelta : 0 < delta <= 1).
    { split; [apply exp_pos |]. unfold delta. rewrite <- exp_0. left. apply exp_increasing. lra. }
    assert (Hlnd : ln (/ delta) = INR T * ln 2 + eta).
    { rewrite ln_Rinv by lra. unfold delta. rewrite ln_exp. ring. }
    assert (Hpow : (/ 2) ^ T = exp (- (INR T * ln 2))).
    { rewrite <- Rpower_pow by lra. unfold Rpower. rewrite ln_Rinv by lra. f_equal. ring. }
    assert (Hless : delta < (/ 2) ^ T) by (rewrite Hpow; unfold delta; apply exp_increasing; lra).
    specialize (Hbound delta Hdelta).
    rewrite (probability_always F fair_coins proper_F) in Hbound.
    pose proof (tail_is_necessary T T (Nat.le_refl T)) as Htail.
    assert (Hle : probability F fair_coins T (ever (fun h => at_most (INR T * ln 2) (KLCal n z h)))
                  <= probability F fair_coins T (ever (fun h =>
                       negb (at_most (KLCal n z h) (f + c * ln (/ delta)))))).
    { apply (expect_ever_le F fair_coins proper_F fair_coins_proper (fun _ => True)); try exact I.
      - intros h i y _ _ _. exact I.
      - intros h _ _. rewrite at_most_true. intros H. apply negb_true_iff, at_most_false.
        rewrite Hlnd. unfold gap in Hceta. lra.
      - cbn [ever]. rewrite at_most_true. intros H. apply negb_true_iff, at_most_false.
        rewrite Hlnd. unfold gap in Hceta. lra. }
    lra.
  Qed.
End Necessity.
