(** * Proposition 2 of the paper, repaired: what KL-calibration controls

    The printed statement, BREG = O(KL) for every loss of the class L_2, is false ([Lemma3Counterexample]).
    With the growth rate p (1 - p) |f''(p)| <= c as a hypothesis it is true, with this constant, and the
    hypothesis is necessary. A loss with finite values needs no continuity at the ends: it follows from
    properness. *)

From Coq Require Import Reals Lra Psatz Lia Arith.
From KLCal Require Import Definitions Basics LossDefinitions LossBasics Proposition1 Curvature.
Open Scope R_scope.

(** The growth rate, with its constant: the constant c_l of the book is the least such c. *)
Definition growth (f'' : R -> R) (c : R) : Prop := forall p, inside p -> p * (1 - p) * Rabs (f'' p) <= c.

Section One_loss.

Variables (l : loss_function) (f' f'' : R -> R).
Hypothesis l_proper : proper l.
Hypothesis form_derivative : derivative_inside (form l) f'.
Hypothesis form_second : derivative_inside f' f''.

Lemma slope_inside : forall p, inside p -> slope l p = f' p.
Proof using l_proper form_derivative.
  intros p Hp. apply (slope_is_derivative (form l)); [now apply proper_supergradient | assumption |].
  now apply form_derivative.
Qed.

Lemma second_derivative_not_positive : forall p, inside p -> f'' p <= 0.
Proof using l_proper form_derivative form_second.
  intros p Hp.
  assert (0 <= - f'' p); [| lra].
  apply (derivative_of_increasing (fun x => - f' x) p); [assumption | |].
  - now apply (derivable_pt_lim_opp f'), form_second.
  - intros u Hu. rewrite <- !slope_inside by assumption.
    assert (H := slopes_decrease (form l) (slope l) p u (proper_supergradient l l_proper)
                   (inside_unit p Hp) (inside_unit u Hu)). lra.
Qed.

Lemma growth_sufficient : forall c, growth f'' c ->
  forall r p, in_unit r -> inside p -> BREG l r p <= c * KL r p.
Proof using l_proper form_derivative form_second.
  intros c Hc r p Hr Hp. rewrite KL_is_divergence by assumption.
  apply (compare_divergences (form l) (slope l) f' f'' neg_entropy logit (fun x => / (x * (1 - x))) c 0);
    try assumption.
  - now apply proper_supergradient.
  - exact neg_entropy_derivative.
  - exact logit_derivative.
  - assert (H := Hc (1 / 2) ltac:(unfold inside; lra)). assert (H0 := Rabs_pos (f'' (1 / 2))). lra.
  - intros x Hx. specialize (Hc x Hx). rewrite Rabs_left1 in Hc by now apply second_derivative_not_positive.
    assert (Hpos : 0 < x * (1 - x)) by (unfold inside in Hx; nra).
    apply (Rmult_le_reg_l (x * (1 - x))); [assumption |].
    replace (x * (1 - x) * (c * / (x * (1 - x)))) with c by (field; unfold inside in Hx; lra).
    exact Hc.
  - intros x Hx. rewrite neg_entropy_0.
    assert (H := neg_entropy_not_positive x (inside_unit x Hx)). lra.
  - intros x Hx. rewrite neg_entropy_1.
    assert (H := neg_entropy_not_positive x (inside_unit x Hx)). lra.
Qed.

(** Add the divergences of a pair in both directions: the forms cancel, and what is left says that
    f' + c logit increases. So its derivative is not negative. *)
Lemma growth_necessary : forall c,
  (forall r p, inside r -> inside p -> BREG l r p <= c * KL r p) -> growth f'' c.
Proof using l_proper form_derivative form_second.
  intros c H p Hp.
  assert (Hsum : 0 <= f'' p + c * / (p * (1 - p))).
  { apply (derivative_of_increasing (fun x => f' x + c * logit x) p); [assumption | |].
    - apply (derivable_pt_lim_plus f' (fun x => c * logit x)); [now apply form_second |].
      now apply (derivable_pt_lim_scal logit), logit_derivative.
    - intros u Hu. assert (H1 := H u p Hu Hp). assert (H2 := H p u Hp Hu).
      rewrite KL_is_divergence in H1, H2 by (try apply inside_unit; assumption).
      unfold BREG, bregman in H1, H2. rewrite !slope_inside in H1, H2 by assumption. lra. }
  rewrite Rabs_left1 by now apply second_derivative_not_positive.
  assert (Hpos : 0 < p * (1 - p)) by (unfold inside in Hp; nra).
  apply (Rmult_le_compat_l (p * (1 - p))) in Hsum; [| lra].
  rewrite Rmult_0_r, Rmult_plus_distr_l in Hsum.
  replace (p * (1 - p) * (c * / (p * (1 - p)))) with c in Hsum by (field; unfold inside in Hp; lra).
  lra.
Qed.

End One_loss.

(** If the divergence is at most c KL, swap regret is at most c KLCal. *)
Lemma regret_below_KLCal : forall l c n z y T, proper l -> different n z ->
  (forall i, (i < n)%nat -> inside (z i)) ->
  (forall r p, in_unit r -> inside p -> BREG l r p <= c * KL r p) ->
  (forall P, weights n P -> exists v, is_pseudo_swap_regret l n z P y T v /\ v <= c * pseudo_KLCal n z P y T)
  /\ (forall I, (forall t, (t < T)%nat -> (I t < n)%nat) ->
        exists v, is_swap_regret l z I y T v /\ v <= c * KLCal n z (rounds I y T)).
Proof.
  intros l c n z y T Hl Hz Hin Hc.
  assert (Hsum : forall P, weights n P ->
     sum n (fun i => mass P T i * BREG l (frequency P y T i) (z i)) <= c * pseudo_KLCal n z P y T).
  { intros P HP. unfold pseudo_KLCal. rewrite <- sum_scal. apply sum_le. intros i Hi.
    fold (frequency P y T i).
    assert (Hm := mass_not_negative n T P HP i Hi).
    assert (HB := Hc _ (z i) (frequency_in_unit n T P y HP i Hi) (Hin i Hi)).
    apply (Rmult_le_compat_l _ _ _ Hm) in HB. lra. }
  assert (Hunit : forall i, (i < n)%nat -> in_unit (z i)) by (intros i Hi; now apply inside_unit, Hin).
  destruct (proposition1 l n z y T Hl Hz Hunit) as [H1 H2]. split.
  - intros P HP. eexists. split; [now apply H1 | now apply Hsum].
  - intros I HI. rewrite <- drawn_KLCal. eexists.
    split; [now apply H2 | apply Hsum, drawn_weights].
Qed.

(** Proposition 2, repaired. Let l be a proper loss whose univariate form has a second derivative f'' inside
    (0, 1). Then p (1 - p) |f''(p)| <= c for all p in (0, 1) if and only if BREG (r, p) <= c KL (r, p) for
    all r in [0, 1] and p in (0, 1). In this case PSReg <= c PKLCal and SReg <= c KLCal for forecasts in (0,
    1). *)
Theorem proposition2 : forall l f' f'' c, proper l ->
  derivative_inside (form l) f' -> derivative_inside f' f'' ->
  (growth f'' c <-> forall r p, in_unit r -> inside p -> BREG l r p <= c * KL r p)
  /\
  (growth f'' c -> forall n z y T, different n z -> (forall i, (i < n)%nat -> inside (z i)) ->
     (forall P, weights n P ->
        exists v, is_pseudo_swap_regret l n z P y T v /\ v <= c * pseudo_KLCal n z P y T)
     /\ (forall I, (forall t, (t < T)%nat -> (I t < n)%nat) ->
           exists v, is_swap_regret l z I y T v /\ v <= c * KLCal n z (rounds I y T))).
Proof.
  intros l f' f'' c Hl H1 H2. split; [split |].
  - intros Hc. now apply growth_sufficient with f' f''.
  - intros H. apply growth_necessary with l f'; try assumption. intros r p Hr Hp.
    apply H; [now apply inside_unit | assumption].
  - intros Hc n z y T Hz Hin. apply regret_below_KLCal; try assumption.
    now apply growth_sufficient with f' f''.
Qed.
