(** * Comparing divergences through second derivatives

    If the second derivative of a form f is at most c times that of a convex function N in absolute value,
    then the divergence of f is at most c times that of N: f + c N has an increasing derivative, so it lies
    above its tangents. No integral is needed. At the end points only the inequality of the supergradient is
    used. *)

From Coq Require Import Reals Lra Psatz Lia Arith.
From KLCal Require Import Definitions Basics LossDefinitions LossBasics.
Open Scope R_scope.

(** ** Signs of derivatives *)

Lemma derivative_right : forall f x d r, derivable_pt_lim f x d -> 0 < r ->
  (forall u, x < u < x + r -> f x <= f u) -> 0 <= d.
Proof.
  intros f x d r Hd Hr H. apply Rnot_lt_le. intros Hneg.
  destruct (Hd (- d) ltac:(lra)) as [[delta Hdelta] Hlim]. cbn [pos] in Hlim.
  set (h := Rmin delta r / 2).
  assert (Hh : 0 < h /\ h < delta /\ h < r)
    by (unfold h; assert (H1 := Rmin_l delta r); assert (H2 := Rmin_r delta r);
        assert (H3 := Rmin_glb_lt delta r 0 Hdelta Hr); lra).
  specialize (Hlim h ltac:(lra)). rewrite (Rabs_right h) in Hlim by lra. specialize (Hlim ltac:(lra)).
  apply Rabs_def2 in Hlim. specialize (H (x + h) ltac:(lra)).
  assert (Hq : 0 <= (f (x + h) - f x) / h).
  { apply Rmult_le_pos; [lra |]. apply Rlt_le, Rinv_0_lt_compat. lra. }
  lra.
Qed.

Lemma derivative_left : forall f x d r, derivable_pt_lim f x d -> 0 < r ->
  (forall u, x - r < u < x -> f u <= f x) -> 0 <= d.
Proof.
  intros f x d r Hd Hr H.
  assert (Hmirror : derivable_pt_lim (fun u => - f (- u)) (- x) d).
  { intros e He. destruct (Hd e He) as [delta Hlim]. exists delta. intros h Hh0 Hh.
    specialize (Hlim (- h) ltac:(lra) ltac:(now rewrite Rabs_Ropp)).
    replace (- (- x + h)) with (x + - h) by ring. rewrite Ropp_involutive.
    replace ((- f (x + - h) - - f x) / h) with ((f (x + - h) - f x) / - h) by (field; lra).
    exact Hlim. }
  apply (derivative_right _ (- x) d r Hmirror Hr). intros u Hu. rewrite Ropp_involutive.
  apply Ropp_le_contravar, H. lra.
Qed.

(** An inside point has a neighbourhood inside. *)
Lemma room_inside : forall p, inside p -> exists r, 0 < r /\ forall u, p - r < u < p + r -> inside u.
Proof.
  intros p [H0 H1]. exists (Rmin p (1 - p)). split; [apply Rmin_glb_lt; lra |].
  intros u Hu. assert (H2 := Rmin_l p (1 - p)). assert (H3 := Rmin_r p (1 - p)). split; lra.
Qed.

Lemma inside_unit : forall p, inside p -> in_unit p.
Proof. unfold inside, in_unit. intros; lra. Qed.

(** If h increases through p, its derivative at p is not negative. *)
Lemma derivative_of_increasing : forall h p d, inside p -> derivable_pt_lim h p d ->
  (forall u, inside u -> 0 <= (h u - h p) * (u - p)) -> 0 <= d.
Proof.
  intros h p d Hp Hd H. destruct (room_inside p Hp) as (r & Hr & Hin).
  apply (derivative_right h p d r Hd Hr). intros u Hu. specialize (H u (Hin u ltac:(lra))). nra.
Qed.

Lemma derivative_linear : forall c x, derivable_pt_lim (fun u => c * u) x c.
Proof.
  intros c x. assert (H := derivable_pt_lim_scal (fun u => u) c x 1 (derivable_pt_lim_id x)).
  rewrite Rmult_1_r in H. exact H.
Qed.

(** Where a form is differentiable there is only one supergradient. *)
Lemma slope_is_derivative : forall f g p d, supergradient f g -> inside p -> derivable_pt_lim f p d ->
  g p = d.
Proof.
  intros f g p d Hfg Hp Hd. destruct (room_inside p Hp) as (r & Hr & Hin).
  assert (Hdiff : derivable_pt_lim (fun u => g p * u - f u) p (g p - d)).
  { apply (derivable_pt_lim_minus (fun u => g p * u) f); [| assumption].
    apply derivative_linear. }
  assert (Habove : forall u, inside u -> g p * p - f p <= g p * u - f u).
  { intros u Hu. specialize (Hfg p u (inside_unit p Hp) (inside_unit u Hu)). lra. }
  assert (H1 : 0 <= g p - d).
  { apply (derivative_right _ p _ r Hdiff Hr). intros u Hu. apply Habove, Hin. lra. }
  assert (H2 : 0 <= - (g p - d)).
  { apply (derivative_left (fun u => - (g p * u - f u)) p _ r); [| assumption |].
    - now apply (derivable_pt_lim_opp (fun u => g p * u - f u)).
    - intros u Hu. apply Ropp_le_contravar, Habove, Hin. lra. }
  lra.
Qed.

(** ** A function with an increasing derivative lies above its tangents *)

Lemma increasing_if_derivative : forall h h', derivative_inside h h' ->
  (forall p, inside p -> 0 <= h' p) -> forall a b, inside a -> inside b -> a <= b -> h a <= h b.
Proof.
  intros h h' Hd Hpos a b Ha Hb [Hab | ->]; [| lra].
  destruct (MVT_cor2 h h' a b Hab) as (c & Hc & Hcab).
  - intros c Hc. apply Hd. unfold inside in *. lra.
  - assert (0 <= h' c) by (apply Hpos; unfold inside in *; lra). nra.
Qed.

Lemma above_tangents : forall phi h h', derivative_inside phi h -> derivative_inside h h' ->
  (forall p, inside p -> 0 <= h' p) ->
  forall r p, inside r -> inside p -> phi p + h p * (r - p) <= phi r.
Proof.
  intros phi h h' Hphi Hh Hpos r p Hr Hp.
  assert (Hmono := increasing_if_derivative h h' Hh Hpos).
  destruct (Rtotal_order p r) as [Hpr | [-> | Hrp]]; [| lra |].
  - destruct (MVT_cor2 phi h p r Hpr) as (c & Hc & Hcpr).
    + intros c Hc. apply Hphi. unfold inside in *. lra.
    + assert (h p <= h c) by (apply Hmono; unfold inside in *; lra). nra.
  - destruct (MVT_cor2 phi h r p Hrp) as (c & Hc & Hcpr).
    + intros c Hc. apply Hphi. unfold inside in *. lra.
    + assert (h c <= h p) by (apply Hmono; unfold inside in *; lra). nra.
Qed.

Lemma not_negative_if_above_small : forall k x, (forall e, inside e -> k * e <= x) -> 0 <= x.
Proof.
  intros k x H. apply Rnot_lt_le. intros Hneg.
  set (e := Rmin (1 / 2) (- x / (2 * (Rabs k + 1)))).
  assert (Hk := Rabs_pos k).
  assert (Hpos : 0 < - x / (2 * (Rabs k + 1))) by (apply Rdiv_lt_0_compat; lra).
  assert (He1 := Rmin_l (1 / 2) (- x / (2 * (Rabs k + 1)))). fold e in He1.
  assert (He2 := Rmin_r (1 / 2) (- x / (2 * (Rabs k + 1)))). fold e in He2.
  assert (He0 : 0 < e) by (apply Rmin_glb_lt; lra).
  specialize (H e ltac:(split; lra)).
  assert (Hmul : e * (2 * (Rabs k + 1)) <= - x).
  { apply (Rmult_le_compat_r (2 * (Rabs k + 1))) in He2; [| lra].
    unfold Rdiv in He2. rewrite Rmult_assoc, Rinv_l, Rmult_1_r in He2 by lra. exact He2. }
  assert (Habs := Rle_abs (- k)). rewrite Rabs_Ropp in Habs.
  assert (- k * e <= Rabs k * e) by (apply Rmult_le_compat_r; lra).
  nra.
Qed.

(** ** The comparison *)

Section Comparison.

Variables f g f' f'' N N' N'' : R -> R.
Variables c C : R.
Hypothesis f_supergradient : supergradient f g.
Hypothesis f_derivative : derivative_inside f f'.
Hypothesis f_second : derivative_inside f' f''.
Hypothesis N_derivative : derivative_inside N N'.
Hypothesis N_second : derivative_inside N' N''.
Hypothesis c_not_negative : 0 <= c.
Hypothesis curvature : forall p, inside p -> - f'' p <= c * N'' p.
(** N does not jump upwards as one moves away from the ends. *)
Hypothesis N_at_0 : forall p, inside p -> N p <= N 0 + C * p.
Hypothesis N_at_1 : forall p, inside p -> N p <= N 1 + C * (1 - p).

Lemma compare_divergences : forall r p, in_unit r -> inside p ->
  bregman f g r p <= c * (N r - N p - N' p * (r - p)).
Proof using All.
  intros r p Hr Hp. unfold bregman.
  rewrite (slope_is_derivative f g p (f' p) f_supergradient Hp (f_derivative p Hp)).
  assert (Htangent : forall u, inside u ->
            f p + c * N p + (f' p + c * N' p) * (u - p) <= f u + c * N u).
  { intros u Hu.
    apply (above_tangents (fun x => f x + c * N x) (fun x => f' x + c * N' x) (fun x => f'' x + c * N'' x));
      try assumption.
    - intros x Hx. apply (derivable_pt_lim_plus f (fun x => c * N x)); [now apply f_derivative |].
      now apply (derivable_pt_lim_scal N), N_derivative.
    - intros x Hx. apply (derivable_pt_lim_plus f' (fun x => c * N' x)); [now apply f_second |].
      now apply (derivable_pt_lim_scal N'), N_second.
    - intros x Hx. specialize (curvature x Hx). lra. }
  assert (Hu0 : in_unit 0) by (unfold in_unit; lra).
  assert (Hu1 : in_unit 1) by (unfold in_unit; lra).
  destruct (Req_dec r 0) as [-> | H0]; [| destruct (Req_dec r 1) as [-> | H1]].
  - assert (0 <= f 0 + c * N 0 - (f p + c * N p + (f' p + c * N' p) * (0 - p))); [| lra].
    apply not_negative_if_above_small with (f' p + c * N' p - g 0 - c * C). intros e He.
    specialize (Htangent e He).
    assert (Hf := f_supergradient 0 e Hu0 (inside_unit e He)).
    assert (HN := Rmult_le_compat_l c _ _ c_not_negative (N_at_0 e He)).
    lra.
  - assert (0 <= f 1 + c * N 1 - (f p + c * N p + (f' p + c * N' p) * (1 - p))); [| lra].
    apply not_negative_if_above_small with (- (f' p + c * N' p) + g 1 - c * C). intros e He.
    assert (He' : inside (1 - e)) by (unfold inside in *; lra).
    specialize (Htangent (1 - e) He').
    assert (Hf := f_supergradient 1 (1 - e) Hu1 (inside_unit _ He')).
    assert (HN := Rmult_le_compat_l c _ _ c_not_negative (N_at_1 (1 - e) He')).
    lra.
  - assert (Hin : inside r) by (unfold in_unit, inside in *; lra). specialize (Htangent r Hin). lra.
Qed.

End Comparison.

(** ** The negative entropy, whose divergence is KL *)

Definition neg_entropy (p : R) : R := p * ln p + (1 - p) * ln (1 - p).
Definition logit (p : R) : R := ln p - ln (1 - p).

Lemma derivative_ln_1_minus : forall p, inside p -> derivable_pt_lim (fun x => ln (1 - x)) p (- / (1 - p)).
Proof.
  intros p Hp. replace (- / (1 - p)) with (/ (1 - p) * (0 - 1)) by ring.
  apply (derivable_pt_lim_comp (fun x => 1 - x) ln).
  - apply (derivable_pt_lim_minus (fun _ => 1) (fun x => x));
      [apply derivable_pt_lim_const | apply derivable_pt_lim_id].
  - apply derivable_pt_lim_ln. unfold inside in Hp. lra.
Qed.

Lemma neg_entropy_derivative : derivative_inside neg_entropy logit.
Proof.
  intros p Hp. assert (Hp' : 0 < p /\ 0 < 1 - p) by (unfold inside in Hp; lra). unfold logit.
  replace (ln p - ln (1 - p))
    with ((1 * ln p + p * / p) + ((0 - 1) * ln (1 - p) + (1 - p) * (- / (1 - p)))) by (field; lra).
  apply (derivable_pt_lim_plus (fun x => x * ln x) (fun x => (1 - x) * ln (1 - x))).
  - apply (derivable_pt_lim_mult (fun x => x) ln); [apply derivable_pt_lim_id |].
    apply derivable_pt_lim_ln. lra.
  - apply (derivable_pt_lim_mult (fun x => 1 - x) (fun x => ln (1 - x))).
    + apply (derivable_pt_lim_minus (fun _ => 1) (fun x => x));
        [apply derivable_pt_lim_const | apply derivable_pt_lim_id].
    + now apply derivative_ln_1_minus.
Qed.

Lemma logit_derivative : derivative_inside logit (fun p => / (p * (1 - p))).
Proof.
  intros p Hp. assert (Hp' : 0 < p /\ 0 < 1 - p) by (unfold inside in Hp; lra).
  replace (/ (p * (1 - p))) with (/ p - - / (1 - p)) by (field; lra).
  apply (derivable_pt_lim_minus ln (fun x => ln (1 - x))).
  - apply derivable_pt_lim_ln. lra.
  - now apply derivative_ln_1_minus.
Qed.

Lemma neg_entropy_not_positive : forall p, in_unit p -> neg_entropy p <= 0.
Proof.
  intros p Hp. unfold neg_entropy, in_unit in *.
  assert (H1 := ln_nonpos p ltac:(lra)). assert (H2 := ln_nonpos (1 - p) ltac:(lra)). nra.
Qed.

Lemma neg_entropy_0 : neg_entropy 0 = 0.
Proof. unfold neg_entropy. rewrite Rminus_0_r, ln_1. ring. Qed.

Lemma neg_entropy_1 : neg_entropy 1 = 0.
Proof. unfold neg_entropy. rewrite ln_1. ring. Qed.

Lemma KL_is_divergence : forall r p, in_unit r -> inside p ->
  KL r p = neg_entropy r - neg_entropy p - logit p * (r - p).
Proof.
  intros r p Hr Hp. rewrite KL_expand by assumption. unfold neg_entropy, logit. ring.
Qed.
