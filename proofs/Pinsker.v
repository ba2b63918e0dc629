(** * Pinsker's inequality and its counterpart: KL lies between two parabolas

    On the left, the form f(p) = -2 p^2 has p (1 - p) |f''(p)| = 4 p (1 - p) <= 1, so its divergence 2 (r -
    p)^2 is at most KL, as in Proposition 2. On the right, Jensen's inequality for the logarithm. *)

From Coq Require Import Reals Lra Psatz Lia Arith.
From KLCal Require Import Definitions Basics LossDefinitions LossBasics Proposition1 Curvature.
Open Scope R_scope.

Definition chi2 (r p : R) : R := (r - p) ^ 2 / (p * (1 - p)).

Lemma derivative_square : forall x, derivable_pt_lim (fun u => u ^ 2) x (2 * x).
Proof.
  intros x. replace (2 * x) with (INR 2 * x ^ 1) by (cbn; ring). apply (derivable_pt_lim_pow x 2).
Qed.

Lemma pinsker_left : forall r p, in_unit r -> inside p -> 2 * (r - p) ^ 2 <= KL r p.
Proof.
  intros r p Hr Hp. rewrite KL_is_divergence by assumption.
  assert (H : bregman (fun x => - 2 * x ^ 2) (fun x => - 4 * x) r p
              <= 1 * (neg_entropy r - neg_entropy p - logit p * (r - p))).
  { apply (compare_divergences (fun x => - 2 * x ^ 2) (fun x => - 4 * x) (fun x => - 4 * x) (fun _ => - 4)
             neg_entropy logit (fun x => / (x * (1 - x))) 1 0); try assumption.
    - intros a b _ _. assert (H := pow2_ge_0 (a - b)). nra.
    - intros x _. replace (- 4 * x) with (- 2 * (2 * x)) by ring.
      apply (derivable_pt_lim_scal (fun u => u ^ 2)), derivative_square.
    - intros x _. apply derivative_linear.
    - exact neg_entropy_derivative.
    - exact logit_derivative.
    - lra.
    - intros x Hx. assert (Hpos : 0 < x * (1 - x)) by (unfold inside in Hx; nra).
      rewrite Rmult_1_l. apply (Rmult_le_reg_l (x * (1 - x))); [assumption |].
      rewrite Rinv_r by lra. assert (H := pow2_ge_0 (2 * x - 1)). lra.
    - intros x Hx. rewrite neg_entropy_0.
      assert (H := neg_entropy_not_positive x (inside_unit x Hx)). lra.
    - intros x Hx. rewrite neg_entropy_1.
      assert (H := neg_entropy_not_positive x (inside_unit x Hx)). lra. }
  unfold bregman in H. lra.
Qed.

Lemma KL_below_log_chi2 : forall r p, in_unit r -> inside p -> KL r p <= ln (1 + chi2 r p).
Proof.
  intros r p [Hr0 Hr1] [Hp0 Hp1]. unfold KL.
  assert (Hmean : 1 + chi2 r p = r * (r / p) + (1 - r) * ((1 - r) / (1 - p)))
    by (unfold chi2; field; lra).
  rewrite Hmean.
  destruct (Req_dec r 0) as [-> | H0]; [| destruct (Req_dec r 1) as [-> | H1]].
  - rewrite !Rmult_0_l, !Rplus_0_l, Rminus_0_r, !Rmult_1_l. lra.
  - replace (1 - 1) with 0 by ring. rewrite !Rmult_0_l, !Rplus_0_r, !Rmult_1_l. lra.
  - assert (H := ln_jensen2 r (1 - r) (r / p) ((1 - r) / (1 - p)) ltac:(lra) ltac:(lra) ltac:(lra)
                   ltac:(apply Rdiv_lt_0_compat; lra) ltac:(apply Rdiv_lt_0_compat; lra)).
    replace (r + (1 - r)) with 1 in H by ring. rewrite Rmult_1_l in H.
    replace ((r * (r / p) + (1 - r) * ((1 - r) / (1 - p))) / 1)
      with (r * (r / p) + (1 - r) * ((1 - r) / (1 - p))) in H by (field; lra).
    exact H.
Qed.

Lemma chi2_not_negative : forall r p, inside p -> 0 <= chi2 r p.
Proof.
  intros r p [Hp0 Hp1]. unfold chi2, Rdiv. apply Rmult_le_pos; [apply pow2_ge_0 |].
  apply Rlt_le, Rinv_0_lt_compat. nra.
Qed.

(** 2 (r - p)^2 <= KL (r, p) <= log (1 + chi^2 (r, p)) <= chi^2 (r, p) for r in [0, 1] and p in (0, 1). *)
Theorem pinsker : forall r p, in_unit r -> inside p ->
  2 * (r - p) ^ 2 <= KL r p /\ KL r p <= ln (1 + chi2 r p) /\ ln (1 + chi2 r p) <= chi2 r p.
Proof.
  intros r p Hr Hp. split; [now apply pinsker_left |]. split; [now apply KL_below_log_chi2 |].
  assert (H := chi2_not_negative r p Hp). assert (Hln := ln_le_minus_1 (1 + chi2 r p) ltac:(lra)). lra.
Qed.

(** Hence Cal_2 <= KLCal / 2, realised and pseudo (the paper has the constant 1 in place of 1/2). *)
Theorem Cal2_below_KLCal : forall n z y T, (forall i, (i < n)%nat -> inside (z i)) ->
  (forall P, weights n P -> 2 * Cal2 n z P y T <= pseudo_KLCal n z P y T)
  /\ (forall I, 2 * Cal2 n z (drawn I) y T <= KLCal n z (rounds I y T)).
Proof.
  intros n z y T Hin.
  assert (H : forall P, weights n P -> 2 * Cal2 n z P y T <= pseudo_KLCal n z P y T).
  { intros P HP. unfold Cal2, pseudo_KLCal. rewrite <- sum_scal. apply sum_le. intros i Hi.
    fold (frequency P y T i).
    assert (Hm := mass_not_negative n T P HP i Hi).
    assert (HB := pinsker_left _ (z i) (frequency_in_unit n T P y HP i Hi) (Hin i Hi)).
    apply (Rmult_le_compat_l _ _ _ Hm) in HB. lra. }
  split; [exact H |]. intros I. rewrite <- drawn_KLCal. apply H, drawn_weights.
Qed.

(** The constants 2 and 1 are the best ones: c (r - p)^2 <= KL for all pairs needs c <= 2, and KL <= c chi^2
    for all pairs needs c >= 1. *)
Theorem pinsker_constants : forall c,
  ((forall r p, inside r -> inside p -> c * (r - p) ^ 2 <= KL r p) -> c <= 2)
  /\ ((forall r p, in_unit r -> inside p -> KL r p <= c * chi2 r p) -> 1 <= c).
Proof.
  intros c. split; intros H.
  - (* add both directions: logit - 2 c x increases, and its derivative at 1/2 is 4 - 2 c *)
    assert (Hhalf : inside (1 / 2)) by (unfold inside; lra).
    assert (Hd : 0 <= / (1 / 2 * (1 - 1 / 2)) - 2 * c).
    { apply (derivative_of_increasing (fun x => logit x - 2 * c * x) (1 / 2)); [assumption | |].
      - apply (derivable_pt_lim_minus logit (fun x => 2 * c * x)); [now apply logit_derivative |].
        apply derivative_linear.
      - intros u Hu. assert (H1 := H u (1 / 2) Hu Hhalf). assert (H2 := H (1 / 2) u Hhalf Hu).
        rewrite KL_is_divergence in H1, H2 by (try apply inside_unit; assumption). lra. }
    replace (/ (1 / 2 * (1 - 1 / 2))) with 4 in Hd by field. lra.
  - (* r = 0 and p small: KL = - ln (1 - p) >= p, and chi^2 = p / (1 - p) *)
    apply Rnot_lt_le. intros Hc.
    set (p := Rmin (1 / 2) ((1 - c) / 2)).
    assert (Hp : 0 < p /\ p <= 1 / 2 /\ p <= (1 - c) / 2)
      by (unfold p; split; [apply Rmin_glb_lt; lra | split; [apply Rmin_l | apply Rmin_r]]).
    assert (Hin : inside p) by (unfold inside; lra).
    assert (Hle := H 0 p ltac:(unfold in_unit; lra) Hin).
    unfold KL, chi2 in Hle. rewrite Rmult_0_l, Rplus_0_l, Rminus_0_r, Rmult_1_l in Hle.
    rewrite ln_div, ln_1 in Hle by lra. assert (Hln := ln_le_minus_1 (1 - p) ltac:(lra)).
    apply (Rmult_le_compat_r (1 - p)) in Hle; [| lra].
    replace (c * ((0 - p) ^ 2 / (p * (1 - p))) * (1 - p)) with (c * p) in Hle by (field; lra).
    assert (Hlow : p * (1 - p) <= (0 - ln (1 - p)) * (1 - p)) by (apply Rmult_le_compat_r; lra).
    nra.
Qed.
