(** * Lemma 2 of the paper: the Bregman divergence is an integral of |u''|

    For a concave u with a continuous second derivative, BREG (q, p) is the integral of |u''(m)| (q - m)
    over m from p to q. The function u(m) + u'(m) (q - m) has the derivative u''(m) (q - m); apply the
    fundamental theorem. The points p and q lie in (0, 1), where u is twice continuously
    differentiable; the paper asks for a second derivative on [0, 1] and says nothing of its continuity. *)

From Coq Require Import Reals Lra Psatz Lia Arith.
From KLCal Require Import Definitions Basics LossDefinitions LossBasics Curvature.
Open Scope R_scope.

(** The fundamental theorem, for a derivative that is continuous on [a, b]. *)
Lemma integral_of_derivative : forall (F f : R -> R) a b (pr : Riemann_integrable f a b), a <= b ->
  (forall x, a <= x <= b -> continuity_pt f x) -> (forall x, a <= x <= b -> derivable_pt_lim F x (f x)) ->
  RiemannInt pr = F b - F a.
Proof.
  intros F f a b pr Hab Hcont HF.
  assert (HP := RiemannInt_P29 Hab Hcont).
  assert (HA : antiderivative f F a b).
  { split; [| assumption]. intros x Hx. exists (exist _ (f x) (HF x Hx) : derivable_pt F x). reflexivity. }
  destruct (antiderivative_Ucte f _ F a b HP HA) as [c Hc].
  assert (Hb := Hc b ltac:(lra)). assert (Ha := Hc a ltac:(lra)).
  assert (E : RiemannInt pr = primitive Hab (FTC_P1 Hab Hcont) b
                              - primitive Hab (FTC_P1 Hab Hcont) a).
  { unfold primitive. destruct (Rle_dec a b) as [H1 | H1]; [| contradiction].
    destruct (Rle_dec b b) as [H2 | H2]; [| lra]. destruct (Rle_dec a a) as [H3 | H3]; [| lra].
    rewrite (RiemannInt_P9 (FTC_P1 Hab Hcont H3 H1)).
    rewrite Rminus_0_r. apply RiemannInt_P5. }
  rewrite E, Hb, Ha. ring.
Qed.

Section Lemma2.

Variables u u' u'' : R -> R.
Hypothesis u_derivative : derivative_inside u u'.
Hypothesis u_second : derivative_inside u' u''.
Hypothesis u_continuous : forall x, inside x -> continuity_pt u'' x.
Hypothesis u_concave : forall x, inside x -> u'' x <= 0.

Lemma integrand_derivative : forall q m, inside m ->
  derivable_pt_lim (fun x => - (u x + u' x * (q - x))) m (Rabs (u'' m) * (q - m)).
Proof using u_derivative u_second u_concave.
  intros q m Hm. rewrite (Rabs_left1 (u'' m)) by now apply u_concave.
  replace (- u'' m * (q - m)) with (- (u' m + (u'' m * (q - m) + u' m * (0 - 1)))) by ring.
  apply (derivable_pt_lim_opp (fun x => u x + u' x * (q - x))).
  apply (derivable_pt_lim_plus u (fun x => u' x * (q - x))); [now apply u_derivative |].
  apply (derivable_pt_lim_mult u' (fun x => q - x)); [now apply u_second |].
  apply (derivable_pt_lim_minus (fun _ => q) (fun x => x));
    [apply derivable_pt_lim_const | apply derivable_pt_lim_id].
Qed.

Lemma integrand_continuous : forall q m, inside m -> continuity_pt (fun x => Rabs (u'' x) * (q - x)) m.
Proof using u_continuous.
  intros q m Hm. apply (continuity_pt_mult (fun x => Rabs (u'' x)) (fun x => q - x)).
  - apply (continuity_pt_comp u'' Rabs); [now apply u_continuous | apply Rcontinuity_abs].
  - apply (continuity_pt_minus (fun _ => q) (fun x => x)).
    + apply continuity_pt_const. now intros x y.
    + apply derivable_continuous_pt, derivable_pt_id.
Qed.

(** Lemma 2. For p and q in (0, 1) the integrand |u''(m)| (q - m) is integrable between p and q, and its
    integral from p to q is the divergence u(p) + u'(p) (q - p) - u(q). (If q < p the integral from p to q
    is minus that from q to p.) *)
Theorem lemma2 : forall p q, inside p -> inside q ->
  exists pr : Riemann_integrable (fun m => Rabs (u'' m) * (q - m)) p q, RiemannInt pr = bregman u u' q p.
Proof using All.
  intros p q Hp Hq.
  assert (Hbetween : forall a b, inside a -> inside b -> forall x, a <= x <= b -> inside x)
    by (unfold inside; intros; lra).
  assert (Hforward : forall a b, inside a -> inside b -> a <= b ->
            {pr : Riemann_integrable (fun m => Rabs (u'' m) * (q - m)) a b |
             RiemannInt pr = - (u b + u' b * (q - b)) - - (u a + u' a * (q - a))}).
  { intros a b Ha Hb Hab.
    exists (continuity_implies_RiemannInt Hab
              (fun x Hx => integrand_continuous q x (Hbetween a b Ha Hb x Hx))).
    apply (integral_of_derivative (fun x => - (u x + u' x * (q - x)))); [assumption | |].
    - intros x Hx. apply integrand_continuous. now apply (Hbetween a b).
    - intros x Hx. apply integrand_derivative. now apply (Hbetween a b). }
  destruct (Rle_or_lt p q) as [H | H].
  - destruct (Hforward p q Hp Hq H) as [pr E]. exists pr. rewrite E. unfold bregman. ring.
  - destruct (Hforward q p Hq Hp (Rlt_le _ _ H)) as [pr E]. exists (RiemannInt_P1 pr).
    rewrite (RiemannInt_P8 (RiemannInt_P1 pr) pr), E. unfold bregman. ring.
Qed.

End Lemma2.
