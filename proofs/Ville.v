(** * Expectations on the game tree, martingales, and Ville's inequality

    The forecaster is any proper one, and so is the adversary. A process M, a function of the history, is a
    (super)martingale for the forecaster if its mean over the draw of a round does not grow, whichever of the
    two outcomes the round has. It then is one against every adversary. Conditions on histories need only hold
    for possible histories, that is, under an invariant that every round of positive probability preserves;
    take [fun _ => True] if there is none. *)

From Coq Require Import Reals Lra Lia List Bool.
Import ListNotations.
From KLCal Require Import Definitions Basics.
Open Scope R_scope.

(** ** Weighted sums *)

(** The mean of f over the draw of one round. *)
Definition draw_mean (F : forecaster) (h : history) (f : nat -> R) : R :=
  sum (choices F h) (fun i => weight F h i * f i).

Lemma weighted_sum_le n w f g :
  (forall i, (i < n)%nat -> 0 <= w i) -> (forall i, (i < n)%nat -> 0 < w i -> f i <= g i) ->
  sum n (fun i => w i * f i) <= sum n (fun i => w i * g i).
Proof.
  induction n as [| n IH]; intros Hw Hfg; cbn [sum]; [lra |].
  apply Rplus_le_compat.
  - apply IH; intros i Hi; [apply Hw | apply Hfg]; lia.
  - destruct (Hw n ltac:(lia)) as [Hpos | Hzero].
    + apply Rmult_le_compat_l; [lra | apply Hfg; auto].
    + rewrite <- Hzero. lra.
Qed.

Lemma weighted_sum_linear n w a f b g :
  sum n (fun i => w i * (a * f i + b * g i))
  = a * sum n (fun i => w i * f i) + b * sum n (fun i => w i * g i).
Proof. induction n as [| n IH]; cbn [sum]; [ring | rewrite IH; ring]. Qed.

Section Game.
  Variable F : forecaster.
  Variable A : adversary.
  Hypothesis proper_F : proper_forecaster F.
  Hypothesis proper_A : proper_adversary A.

  (** [possible] holds for every history that can be reached. *)
  Variable possible : history -> Prop.

  Definition invariant : Prop :=
    forall h i y, possible h -> (i < choices F h)%nat -> 0 < weight F h i -> possible ((i, y) :: h).

  Hypothesis invariance : invariant.

  (** ** The expectation is monotone and linear *)

  Lemma expect_le_possible T f g h : possible h ->
    (forall h', possible h' -> length h' = (T + length h)%nat -> f h' <= g h') ->
    expect F A T f h <= expect F A T g h.
  Proof using proper_F proper_A invariance.
    revert h. induction T as [| T IH]; intros h Hh Hfg; cbn [expect].
    - now apply Hfg.
    - apply weighted_sum_le.
      + intros i Hi. now apply (proj1 (proper_F h)).
      + intros i Hi Hpos. pose proof (proper_A h) as HA.
        apply Rplus_le_compat; apply Rmult_le_compat_l; try lra; apply IH; auto;
          intros h' Hh' Hlen; apply Hfg; auto; cbn [length] in Hlen; lia.
  Qed.

  Lemma expect_linear T a f b g h :
    expect F A T (fun h' => a * f h' + b * g h') h = a * expect F A T f h + b * expect F A T g h.
  Proof.
    revert h. induction T as [| T IH]; intros h; cbn [expect]; [reflexivity |].
    rewrite <- weighted_sum_linear.
    induction (choices F h) as [| n IHn]; cbn [sum]; [reflexivity |].
    rewrite IHn, !IH. ring.
  Qed.

  Lemma expect_le_const T f h c : possible h ->
    (forall h', possible h' -> length h' = (T + length h)%nat -> f h' <= c) -> expect F A T f h <= c.
  Proof using proper_F proper_A invariance.
    intros Hh Hf. rewrite <- (expect_const F A proper_F T c h). now apply expect_le_possible.
  Qed.

  (** ** Martingales *)

  Definition supermartingale (M : history -> R) : Prop :=
    forall h y, possible h -> draw_mean F h (fun i => M ((i, y) :: h)) <= M h.

  Definition martingale (M : history -> R) : Prop :=
    forall h y, possible h -> draw_mean F h (fun i => M ((i, y) :: h)) = M h.

  (** The same for one adversary: its mean over draw and outcome does not grow. *)
  Definition supermartingale_against (M : history -> R) : Prop :=
    forall h, possible h -> mean_of_round F A h M <= M h.

  Lemma martingale_super M : martingale M -> supermartingale M.
  Proof. intros HM h y Hh. right. now apply HM. Qed.

  Lemma martingale_opp_super M : martingale M -> supermartingale (fun h => - M h).
  Proof.
    intros HM h y Hh. rewrite <- (HM h y Hh). unfold draw_mean.
    right. induction (choices F h) as [| n IH]; cbn [sum]; [ring | rewrite IH; ring].
  Qed.

  (** Either outcome, hence every adversary. *)
  Lemma supermartingale_any M : supermartingale M -> supermartingale_against M.
  Proof using proper_A.
    intros HM h Hh. unfold mean_of_round. rewrite weighted_sum_linear.
    pose proof (HM h true Hh) as H1. pose proof (HM h false Hh) as H0. unfold draw_mean in H1, H0.
    pose proof (proper_A h) as HA.
    pose proof (Rmult_le_compat_l (A h) _ _ ltac:(lra) H1).
    pose proof (Rmult_le_compat_l (1 - A h) _ _ ltac:(lra) H0). lra.
  Qed.

  (** The mean of a supermartingale does not grow. *)
  Theorem supermartingale_against_mean M T h :
    supermartingale_against M -> possible h -> expect F A T M h <= M h.
  Proof using proper_F proper_A invariance.
    intros HM. revert h. induction T as [| T IH]; intros h Hh; cbn [expect]; [lra |].
    eapply Rle_trans; [| now apply HM].
    apply weighted_sum_le.
    - intros i Hi. now apply (proj1 (proper_F h)).
    - intros i Hi Hpos. pose proof (proper_A h) as HA.
      apply Rplus_le_compat; apply Rmult_le_compat_l; try lra; apply IH; auto.
  Qed.

  Corollary supermartingale_mean M T h : supermartingale M -> possible h -> expect F A T M h <= M h.
  Proof using proper_F proper_A invariance.
    intros HM Hh. apply supermartingale_against_mean; auto using supermartingale_any.
  Qed.

  (** The mean of a martingale is its starting value. *)
  Theorem martingale_mean M T h : martingale M -> possible h -> expect F A T M h = M h.
  Proof using proper_F proper_A invariance.
    intros HM Hh. apply Rle_antisym.
    - apply supermartingale_mean; auto using martingale_super.
    - pose proof (supermartingale_mean (fun h => - M h) T h (martingale_opp_super M HM) Hh) as H.
      pose proof (expect_linear T (-1) M 0 M h) as Hlin.
      assert (Heq : expect F A T (fun h' => - M h') h = expect F A T (fun h' => -1 * M h' + 0 * M h') h).
      { apply Rle_antisym; apply expect_le_possible; auto; intros; lra. }
      lra.
  Qed.

  (** ** Probabilities *)

  Lemma indicator_bounds E h : 0 <= indicator E h <= 1.
  Proof. unfold indicator. destruct (E h); lra. Qed.

  Lemma probability_le E E' T : possible [] ->
    (forall h, possible h -> length h = T -> E h = true -> E' h = true) ->
    probability F A T E <= probability F A T E'.
  Proof using proper_F proper_A invariance.
    intros Hstart HE. apply expect_le_possible; auto. cbn [length]. rewrite Nat.add_0_r.
    intros h Hh Hlen. unfold indicator.
    destruct (E h) eqn:HEh; [rewrite (HE h Hh Hlen HEh); lra | destruct (E' h); lra].
  Qed.

  (** The complement of "always" is "ever not". *)
  Lemma always_ever E h : always E h = negb (ever (fun h' => negb (E h')) h).
  Proof.
    induction h as [| r past IH]; cbn [always ever].
    - now rewrite negb_involutive.
    - now rewrite IH, negb_orb, negb_involutive.
  Qed.

  Lemma probability_always E T :
    probability F A T (always E) = 1 - probability F A T (ever (fun h => negb (E h))).
  Proof using proper_F.
    unfold probability.
    pose proof (expect_linear T 1 (fun _ => 1) (-1) (indicator (ever (fun h => negb (E h)))) []) as Hlin.
    rewrite (expect_const F A proper_F) in Hlin. cbv beta in Hlin.
    replace (1 - expect F A T (indicator (ever (fun h => negb (E h)))) [])
      with (1 * 1 + -1 * expect F A T (indicator (ever (fun h => negb (E h)))) []) by ring.
    rewrite <- Hlin. clear Hlin.
    generalize (@nil (nat * bool)). induction T as [| T IH]; intros h; cbn [expect].
    - unfold indicator. rewrite always_ever. destruct (ever _ h); cbn [negb]; ring.
    - induction (choices F h) as [| n IHn]; cbn [sum]; [reflexivity |]. now rewrite IHn, !IH.
  Qed.

  (** ** Ville's inequality

      A nonnegative supermartingale ever reaches c > 0 with probability at most M_0 / c. *)

  Lemma expect_ever_le_one E T h : possible h -> expect F A T (indicator (ever E)) h <= 1.
  Proof using proper_F proper_A invariance.
    intros Hh. apply expect_le_const; auto. intros. apply indicator_bounds.
  Qed.

  Lemma ville_from M c T h : supermartingale_against M -> (forall h', possible h' -> 0 <= M h') -> 0 < c ->
    possible h -> ever (fun h' => at_most c (M h')) h = false ->
    expect F A T (indicator (ever (fun h' => at_most c (M h')))) h <= M h / c.
  Proof using proper_F proper_A invariance.
    intros HM Hpos Hc. set (reached := fun h' => at_most c (M h')).
    assert (Hinv : 0 < / c) by now apply Rinv_0_lt_compat.
    revert h. induction T as [| T IH]; intros h Hh Hnot; cbn [expect].
    - unfold indicator. rewrite Hnot. apply Rmult_le_pos; [auto | lra].
    - assert (Hnext : forall i y, (i < choices F h)%nat -> 0 < weight F h i ->
                expect F A T (indicator (ever reached)) ((i, y) :: h) <= / c * M ((i, y) :: h)).
      { intros i y Hi Hw. assert (Hchild : possible ((i, y) :: h)) by now apply invariance.
        destruct (reached ((i, y) :: h)) eqn:Hr.
        - eapply Rle_trans; [now apply expect_ever_le_one |].
          unfold reached, at_most in Hr. destruct (Rle_dec c (M ((i, y) :: h))) as [Hle |]; [| discriminate].
          apply Rmult_le_reg_l with c; [exact Hc |]. rewrite <- Rmult_assoc, Rinv_r by lra. lra.
        - rewrite Rmult_comm. apply IH; [exact Hchild |]. cbn [ever]. now rewrite Hr, Hnot. }
      apply Rle_trans with (/ c * M h); [| lra].
      eapply Rle_trans; [| apply Rmult_le_compat_l; [lra | exact (HM h Hh)]].
      unfold mean_of_round. rewrite <- sum_scal.
      rewrite (sum_ext _ (fun i => / c * _) (fun i => weight F h i * (/ c * (A h * M ((i, true) :: h)
                                                             + (1 - A h) * M ((i, false) :: h)))))
        by (intros; ring).
      apply weighted_sum_le.
      + intros i Hi. now apply (proj1 (proper_F h)).
      + intros i Hi Hw. pose proof (proper_A h) as HA.
        pose proof (Rmult_le_compat_l (A h) _ _ ltac:(lra) (Hnext i true Hi Hw)).
        pose proof (Rmult_le_compat_l (1 - A h) _ _ ltac:(lra) (Hnext i false Hi Hw)). lra.
  Qed.

  Theorem ville_against M c T :
    supermartingale_against M -> (forall h, possible h -> 0 <= M h) -> possible [] -> 0 < c ->
    probability F A T (ever (fun h => at_most c (M h))) <= M [] / c.
  Proof using proper_F proper_A invariance.
    intros HM Hpos Hstart Hc. unfold probability.
    destruct (ever (fun h => at_most c (M h)) []) eqn:H.
    - eapply Rle_trans; [now apply expect_ever_le_one |].
      cbn [ever] in H. unfold at_most in H. destruct (Rle_dec c (M [])) as [Hle |]; [| discriminate].
      apply Rmult_le_reg_r with c; [exact Hc |]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra.
    - now apply ville_from.
  Qed.

  (** An event that implies another on possible histories is at most as likely to happen ever. *)
  Lemma expect_ever_le E E' T h : possible h ->
    (forall h', possible h' -> (length h' <= T + length h)%nat -> E h' = true -> E' h' = true) ->
    (ever E h = true -> ever E' h = true) ->
    expect F A T (indicator (ever E)) h <= expect F A T (indicator (ever E')) h.
  Proof using proper_F proper_A invariance.
    revert h. induction T as [| T IH]; intros h Hh HE Hever; cbn [expect].
    - unfold indicator. destruct (ever E h); [rewrite Hever by reflexivity; lra | destruct (ever E' h); lra].
    - apply weighted_sum_le.
      + intros i Hi. now apply (proj1 (proper_F h)).
      + intros i Hi Hw. pose proof (proper_A h) as HA.
        assert (Hnext : forall y, expect F A T (indicator (ever E)) ((i, y) :: h)
                                  <= expect F A T (indicator (ever E')) ((i, y) :: h)).
        { intros y. assert (Hchild : possible ((i, y) :: h)) by now apply invariance.
          apply IH; [exact Hchild | |].
          - intros h' Hh' Hlen. apply HE; [exact Hh' | cbn [length] in Hlen; lia].
          - cbn [ever]. rewrite !orb_true_iff. intros [H | H]; auto.
            left. apply HE; [exact Hchild | cbn [length]; lia | exact H]. }
        apply Rplus_le_compat; apply Rmult_le_compat_l; try lra; apply Hnext.
  Qed.

  (** With probability at least 1 - delta, an event that holds wherever M < M_0 / delta, for histories of at
      most T rounds, holds after every round up to T. *)
  Theorem ville_until M delta T E :
    supermartingale_against M -> (forall h, possible h -> 0 <= M h) -> 0 < M [] -> possible [] -> 0 < delta ->
    (forall h, possible h -> (length h <= T)%nat -> M h < M [] / delta -> E h = true) ->
    1 - delta <= probability F A T (always E).
  Proof using proper_F proper_A invariance.
    intros HM Hpos H0 Hstart Hdelta HE. rewrite probability_always.
    assert (Hc : 0 < M [] / delta) by now apply Rdiv_lt_0_compat.
    pose proof (ville_against M (M [] / delta) T HM Hpos Hstart Hc) as Hville.
    replace (M [] / (M [] / delta)) with delta in Hville by (field; lra).
    assert (Himp : forall h, possible h -> (length h <= T)%nat ->
                     negb (E h) = true -> at_most (M [] / delta) (M h) = true).
    { intros h Hh Hlen Hnot. apply at_most_true. apply Rnot_lt_le. intros Hlt.
      rewrite HE in Hnot by assumption. discriminate. }
    enough (probability F A T (ever (fun h => negb (E h)))
            <= probability F A T (ever (fun h => at_most (M [] / delta) (M h)))) by lra.
    apply expect_ever_le; auto.
    - cbn [length]. rewrite Nat.add_0_r. exact Himp.
    - cbn [ever]. apply Himp; [exact Hstart | cbn [length]; lia].
  Qed.

  Corollary ville_always M delta T E :
    supermartingale M -> (forall h, possible h -> 0 <= M h) -> 0 < M [] -> possible [] -> 0 < delta ->
    (forall h, possible h -> M h < M [] / delta -> E h = true) ->
    1 - delta <= probability F A T (always E).
  Proof using proper_F proper_A invariance.
    intros HM Hpos H0 Hstart Hdelta HE. apply (ville_until M); auto using supermartingale_any.
  Qed.
End Game.
