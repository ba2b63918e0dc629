(** * Proposition 3 of the paper, repaired and with half the constant: smooth losses

    If |f''| <= G, the divergence is at most (G/2) (r - p)^2. For p inside (0, 1) this is the comparison of
    [Curvature] with the parabola. At p = 0 and p = 1 the loss has to use the one-sided derivative as its
    supergradient (the statement is false for other supergradients); there the bound follows by a limit of
    chords. For G <= 4 the loss (G/2) (p - y)^2 - 1 attains it. The paper has the constant G. *)

From Coq Require Import Reals Lra Psatz Lia Arith.
From KLCal Require Import Definitions Basics LossDefinitions LossBasics Proposition1 Curvature Pinsker.
Open Scope R_scope.

(** ** Derivatives relative to [0, 1] *)

Lemma derivative_on_unit_inside : forall f f', derivative_on_unit f f' -> derivative_inside f f'.
Proof.
  intros f f' H p Hp e He. destruct (room_inside p Hp) as (r & Hr & Hin).
  destruct (H p (inside_unit p Hp) e He) as (delta & Hdelta & Hlim).
  assert (Hmin : 0 < Rmin delta r) by (apply Rmin_glb_lt; lra).
  exists (mkposreal _ Hmin). cbn [pos]. intros h Hh0 Hh.
  assert (H1 := Rmin_l delta r). assert (H2 := Rmin_r delta r).
  specialize (Hlim (p + h)). cbn in Hlim. unfold R_dist in Hlim.
  replace (p + h - p) with h in Hlim by ring.
  apply Hlim. split; [| lra]. split; [| lra].
  apply inside_unit, Hin. assert (Hh' : Rabs h < r) by lra. apply Rabs_def2 in Hh'. lra.
Qed.

Lemma derivative_everywhere_on_unit : forall f f',
  (forall p, derivable_pt_lim f p (f' p)) -> derivative_on_unit f f'.
Proof.
  intros f f' H p _. apply D_in_imp with no_cond; [easy |]. now apply derivable_pt_lim_D_in.
Qed.

(** The quotients at the end points come as close to the derivative as we like. *)
Lemma quotient_at_0 : forall f f' e, derivative_on_unit f f' -> 0 < e ->
  exists d, 0 < d /\ forall x, 0 < x < d -> x <= 1 -> f' 0 < (f x - f 0) / x + e.
Proof.
  intros f f' e H He. destruct (H 0 ltac:(unfold in_unit; lra) e He) as (d & Hd & Hlim).
  exists d. split; [assumption |]. intros x Hx Hx1. specialize (Hlim x). cbn in Hlim.
  unfold R_dist in Hlim. rewrite Rminus_0_r, (Rabs_right x) in Hlim by lra.
  assert (Hclose : Rabs ((f x - f 0) / x - f' 0) < e).
  { apply Hlim. split; [| lra]. split; [unfold in_unit |]; lra. }
  apply Rabs_def2 in Hclose. lra.
Qed.

Lemma quotient_at_1 : forall f f' e, derivative_on_unit f f' -> 0 < e ->
  exists d, 0 < d /\ forall x, 0 < x < d -> x <= 1 -> (f 1 - f (1 - x)) / x < f' 1 + e.
Proof.
  intros f f' e H He. destruct (H 1 ltac:(unfold in_unit; lra) e He) as (d & Hd & Hlim).
  exists d. split; [assumption |]. intros x Hx Hx1. specialize (Hlim (1 - x)). cbn in Hlim.
  unfold R_dist in Hlim. replace (1 - x - 1) with (- x) in Hlim by ring.
  rewrite Rabs_Ropp, (Rabs_right x) in Hlim by lra.
  assert (Hclose : Rabs ((f (1 - x) - f 1) / - x - f' 1) < e).
  { apply Hlim. split; [| lra]. split; [unfold in_unit |]; lra. }
  replace ((f (1 - x) - f 1) / - x) with ((f 1 - f (1 - x)) / x) in Hclose by (field; lra).
  apply Rabs_def2 in Hclose. lra.
Qed.

(** ** The bound on the divergence *)

Section One_loss.

Variables (G : R) (l : loss_function).
Hypothesis l_LG : class_LG G l.

Lemma smooth_inside : forall r p, in_unit r -> inside p -> BREG l r p <= G / 2 * (r - p) ^ 2.
Proof using l_LG.
  intros r p Hr Hp. destruct l_LG as ((Hl & _) & f' & f'' & H1 & H2 & HG).
  assert (HG0 : 0 <= G).
  { assert (H := HG 0 ltac:(unfold in_unit; lra)). assert (H0 := Rabs_pos (f'' 0)). lra. }
  assert (H : BREG l r p <= G * (/ 2 * r ^ 2 - / 2 * p ^ 2 - p * (r - p))); [| lra].
  apply (compare_divergences (form l) (slope l) f' f'' (fun x => / 2 * x ^ 2) (fun x => x) (fun _ => 1)
           G (/ 2)); try assumption.
  - now apply proper_supergradient.
  - now apply derivative_on_unit_inside.
  - now apply derivative_on_unit_inside.
  - intros x _. replace x with (/ 2 * (2 * x)) at 2 by field.
    apply (derivable_pt_lim_scal (fun u => u ^ 2)), derivative_square.
  - intros x _. apply derivable_pt_lim_id.
  - intros x Hx. specialize (HG x (inside_unit x Hx)). assert (H := Rle_abs (- f'' x)).
    rewrite Rabs_Ropp in H. lra.
  - intros x [Hx0 Hx1]. nra.
  - intros x [Hx0 Hx1]. nra.
Qed.

Lemma smooth_at_0 : forall r f', derivative_on_unit (form l) f' -> slope l 0 = f' 0 -> in_unit r ->
  BREG l r 0 <= G / 2 * (r - 0) ^ 2.
Proof using l_LG.
  intros r f' Hf Hslope Hr.
  destruct (Req_dec r 0) as [-> | Hr0]; [rewrite BREG_diagonal; lra |].
  assert (Hpos : 0 < r <= 1) by (unfold in_unit in Hr; lra).
  assert (HG0 : 0 <= G).
  { destruct l_LG as (_ & g' & f'' & _ & _ & HG).
    assert (H := HG 0 ltac:(unfold in_unit; lra)). assert (H0 := Rabs_pos (f'' 0)). lra. }
  unfold BREG, bregman. rewrite Hslope.
  assert (Hchord : forall x, 0 < x < r ->
            (form l x - form l 0) / x <= (form l r - form l 0) / r + G / 2 * r).
  { intros x Hx. assert (Hin : inside x) by (split; lra).
    assert (H1 := smooth_inside r x Hr Hin).
    assert (H2 := smooth_inside 0 x ltac:(unfold in_unit; lra) Hin).
    unfold BREG, bregman in H1, H2.
    apply (Rmult_le_compat_l x) in H1; [| lra]. apply (Rmult_le_compat_l (r - x)) in H2; [| lra].
    assert (Hx2 : 0 <= G / 2 * (x * x * r)) by (apply Rmult_le_pos; [lra | nra]).
    apply (Rmult_le_reg_l (x * r)); [nra |].
    replace (x * r * ((form l x - form l 0) / x)) with (r * (form l x - form l 0)) by (field; lra).
    replace (x * r * ((form l r - form l 0) / r + G / 2 * r))
      with (x * (form l r - form l 0) + G / 2 * (x * r * r)) by (field; lra).
    lra. }
  assert (Hslope_bound : f' 0 <= (form l r - form l 0) / r + G / 2 * r).
  { apply le_epsilon. intros e He. destruct (quotient_at_0 (form l) f' e Hf He) as (d & Hd & Hq).
    set (x := Rmin d r / 2).
    assert (Hx : 0 < x /\ x < d /\ x < r)
      by (unfold x; assert (Hm1 := Rmin_l d r); assert (Hm2 := Rmin_r d r);
          assert (Hm3 := Rmin_glb_lt d r 0 Hd ltac:(lra)); lra).
    specialize (Hq x ltac:(lra) ltac:(lra)). specialize (Hchord x ltac:(lra)). lra. }
  apply (Rmult_le_compat_r r) in Hslope_bound; [| lra].
  replace (((form l r - form l 0) / r + G / 2 * r) * r) with (form l r - form l 0 + G / 2 * r ^ 2)
    in Hslope_bound by (field; lra).
  lra.
Qed.

Lemma smooth_at_1 : forall r f', derivative_on_unit (form l) f' -> slope l 1 = f' 1 -> in_unit r ->
  BREG l r 1 <= G / 2 * (r - 1) ^ 2.
Proof using l_LG.
  intros r f' Hf Hslope Hr.
  destruct (Req_dec r 1) as [-> | Hr1]; [rewrite BREG_diagonal; lra |].
  assert (Hpos : 0 < 1 - r <= 1) by (unfold in_unit in Hr; lra).
  assert (HG0 : 0 <= G).
  { destruct l_LG as (_ & g' & f'' & _ & _ & HG).
    assert (H := HG 0 ltac:(unfold in_unit; lra)). assert (H0 := Rabs_pos (f'' 0)). lra. }
  unfold BREG, bregman. rewrite Hslope.
  assert (Hchord : forall x, 0 < x < 1 - r ->
            (form l 1 - form l r) / (1 - r) - G / 2 * (1 - r) <= (form l 1 - form l (1 - x)) / x).
  { intros x Hx. assert (Hin : inside (1 - x)) by (unfold in_unit in Hr; split; lra).
    assert (H1 := smooth_inside r (1 - x) Hr Hin).
    assert (H2 := smooth_inside 1 (1 - x) ltac:(unfold in_unit; lra) Hin).
    unfold BREG, bregman in H1, H2.
    apply (Rmult_le_compat_l x) in H1; [| lra].
    apply (Rmult_le_compat_l (1 - r - x)) in H2; [| lra].
    assert (Hx2 : 0 <= G / 2 * (x * x * (1 - r))) by (apply Rmult_le_pos; [lra | nra]).
    apply (Rmult_le_reg_l (x * (1 - r))); [nra |].
    replace (x * (1 - r) * ((form l 1 - form l (1 - x)) / x))
      with ((1 - r) * (form l 1 - form l (1 - x))) by (field; lra).
    replace (x * (1 - r) * ((form l 1 - form l r) / (1 - r) - G / 2 * (1 - r)))
      with (x * (form l 1 - form l r) - G / 2 * (x * (1 - r) * (1 - r))) by (field; lra).
    lra. }
  assert (Hslope_bound : (form l 1 - form l r) / (1 - r) - G / 2 * (1 - r) <= f' 1).
  { apply le_epsilon. intros e He. destruct (quotient_at_1 (form l) f' e Hf He) as (d & Hd & Hq).
    set (x := Rmin d (1 - r) / 2).
    assert (Hx : 0 < x /\ x < d /\ x < 1 - r)
      by (unfold x; assert (Hm1 := Rmin_l d (1 - r)); assert (Hm2 := Rmin_r d (1 - r));
          assert (Hm3 := Rmin_glb_lt d (1 - r) 0 Hd ltac:(lra)); lra).
    specialize (Hq x ltac:(lra) ltac:(lra)). specialize (Hchord x ltac:(lra)). lra. }
  apply (Rmult_le_compat_r (1 - r)) in Hslope_bound; [| lra].
  replace (((form l 1 - form l r) / (1 - r) - G / 2 * (1 - r)) * (1 - r))
    with (form l 1 - form l r - G / 2 * (1 - r) ^ 2) in Hslope_bound by (field; lra).
  lra.
Qed.

Lemma smooth_divergence : forall r p, in_unit r -> in_unit p -> inside p \/ regular_ends l ->
  BREG l r p <= G / 2 * (r - p) ^ 2.
Proof using l_LG.
  intros r p Hr Hp [Hin | (f' & Hf & H0 & H1)]; [now apply smooth_inside |].
  destruct (Req_dec p 0) as [-> | Hp0]; [now apply smooth_at_0 with f' |].
  destruct (Req_dec p 1) as [-> | Hp1]; [now apply smooth_at_1 with f' |].
  apply smooth_inside; [assumption |]. unfold in_unit, inside in *. lra.
Qed.

End One_loss.

(** ** The loss that attains the bound *)

Definition quadratic_loss (G : R) : loss_function := fun p y => G / 2 * (p - outcome y) ^ 2 - 1.

Lemma quadratic_form : forall G p, form (quadratic_loss G) p = G / 2 * (p - p ^ 2) - 1.
Proof. intros G p. unfold form, mean_loss, quadratic_loss, outcome. field. Qed.

Lemma quadratic_slope : forall G p, slope (quadratic_loss G) p = G / 2 * (1 - 2 * p).
Proof. intros G p. unfold slope, quadratic_loss, outcome. field. Qed.

Lemma quadratic_divergence : forall G r p, BREG (quadratic_loss G) r p = G / 2 * (r - p) ^ 2.
Proof. intros G r p. unfold BREG, bregman. rewrite !quadratic_form, quadratic_slope. ring. Qed.

Lemma quadratic_derivative : forall G,
  derivative_on_unit (form (quadratic_loss G)) (fun p => G / 2 * (1 - 2 * p)).
Proof.
  intros G. apply derivative_everywhere_on_unit. intros p.
  apply (derivable_pt_lim_ext (fun x => G / 2 * (x - x ^ 2) - 1));
    [intros x; now rewrite quadratic_form |].
  replace (G / 2 * (1 - 2 * p)) with (G / 2 * (1 - 2 * p) - 0) by ring.
  apply (derivable_pt_lim_minus (fun x => G / 2 * (x - x ^ 2)) (fun _ => 1));
    [| apply derivable_pt_lim_const].
  apply (derivable_pt_lim_scal (fun x => x - x ^ 2)).
  apply (derivable_pt_lim_minus (fun x => x) (fun x => x ^ 2)).
  - apply derivable_pt_lim_id.
  - apply derivative_square.
Qed.

Lemma quadratic_second : forall G, derivative_on_unit (fun p => G / 2 * (1 - 2 * p)) (fun _ => - G).
Proof.
  intros G. apply derivative_everywhere_on_unit. intros p.
  replace (- G) with (G / 2 * (0 - 2)) by field.
  apply (derivable_pt_lim_scal (fun x => 1 - 2 * x)).
  apply (derivable_pt_lim_minus (fun _ => 1) (fun x => 2 * x)).
  - apply derivable_pt_lim_const.
  - apply derivative_linear.
Qed.

Lemma quadratic_LG : forall G G', 0 <= G <= 4 -> G <= G' -> class_LG G' (quadratic_loss G).
Proof.
  intros G G' HG HG'. split; [split |].
  - intros p q _ _. assert (H := BREG_is_excess (quadratic_loss G) p q). rewrite quadratic_divergence in H.
    assert (H0 := pow2_ge_0 (p - q)).
    assert (0 <= G / 2 * (p - q) ^ 2) by (apply Rmult_le_pos; [lra | assumption]). lra.
  - intros p y Hp. unfold quadratic_loss.
    assert (Hy := outcome_in_unit y). unfold in_unit in *.
    assert (Hsquare : 0 <= (p - outcome y) ^ 2 <= 1)
      by (split; [apply pow2_ge_0 | destruct y; cbn [outcome]; nra]).
    revert Hsquare. generalize ((p - outcome y) ^ 2). intros; nra.
  - exists (fun p => G / 2 * (1 - 2 * p)), (fun _ => - G). split; [apply quadratic_derivative |].
    split; [apply quadratic_second |]. intros p _. rewrite Rabs_Ropp, Rabs_right; lra.
Qed.

Lemma quadratic_regular_ends : forall G, regular_ends (quadratic_loss G).
Proof.
  intros G. exists (fun p => G / 2 * (1 - 2 * p)). split; [apply quadratic_derivative |].
  split; apply quadratic_slope.
Qed.

(** ** The supremum over the class *)

(** L_G, and in it the losses that use the one-sided derivatives at 0 and 1. *)
Definition class_LG_regular (G : R) (l : loss_function) : Prop := class_LG G l /\ regular_ends l.

Section Supremum.

Variables (G : R) (class : loss_function -> Prop) (n T : nat) (z : nat -> R) (y : nat -> bool).
Hypothesis G_not_negative : 0 <= G.
Hypothesis z_different : different n z.
Hypothesis z_unit : forall i, (i < n)%nat -> in_unit (z i).
Hypothesis class_smooth : forall l, class l -> class_LG G l.
Hypothesis class_bound : forall l i r, class l -> (i < n)%nat -> in_unit r ->
  BREG l r (z i) <= G / 2 * (r - z i) ^ 2.
Hypothesis class_quadratic : forall G', 0 <= G' <= 4 -> G' <= G -> class (quadratic_loss G').

Lemma regret_sum_below : forall P l, weights n P -> class l ->
  sum n (fun i => mass P T i * BREG l (frequency P y T i) (z i)) <= G / 2 * Cal2 n z P y T.
Proof using class_bound.
  intros P l HP Hl. unfold Cal2. rewrite <- sum_scal. apply sum_le. intros i Hi.
  assert (Hm := mass_not_negative n T P HP i Hi).
  assert (HB := class_bound l i _ Hl Hi (frequency_in_unit n T P y HP i Hi)).
  apply (Rmult_le_compat_l _ _ _ Hm) in HB. lra.
Qed.

Lemma regret_sum_quadratic : forall P,
  sum n (fun i => mass P T i * BREG (quadratic_loss G) (frequency P y T i) (z i)) = G / 2 * Cal2 n z P y T.
Proof using.
  intros P. unfold Cal2. rewrite <- sum_scal. apply sum_ext. intros i _.
  rewrite quadratic_divergence. ring.
Qed.

Lemma max_pseudo_swap_regret : forall P, weights n P ->
  (exists v, is_max_pseudo_swap_regret class n z P y T v /\ v <= G / 2 * Cal2 n z P y T)
  /\ (G <= 4 -> is_max_pseudo_swap_regret class n z P y T (G / 2 * Cal2 n z P y T)).
Proof using G_not_negative z_different z_unit class_smooth class_bound class_quadratic.
  intros P HP.
  assert (Hvalue : forall l, class l ->
            is_pseudo_swap_regret l n z P y T
              (sum n (fun i => mass P T i * BREG l (frequency P y T i) (z i)))).
  { intros l Hl. apply pseudo_swap_regret_is_sum; try assumption. now apply class_smooth. }
  assert (Hbound : forall x, (exists l, class l /\ is_pseudo_swap_regret l n z P y T x) ->
            x <= G / 2 * Cal2 n z P y T).
  { intros x (l & Hl & Hx). rewrite (is_lub_unique _ _ _ Hx (Hvalue l Hl)). now apply regret_sum_below. }
  split.
  - destruct (completeness (fun x => exists l, class l /\ is_pseudo_swap_regret l n z P y T x)) as [v Hv].
    + exists (G / 2 * Cal2 n z P y T). exact Hbound.
    + eexists. exists (quadratic_loss 0). split; [apply class_quadratic; lra |].
      apply Hvalue, class_quadratic; lra.
    + exists v. split; [exact Hv |]. apply Hv. exact Hbound.
  - intros HG4. apply greatest_is_lub; [| exact Hbound].
    assert (Hq : class (quadratic_loss G)) by (apply class_quadratic; lra).
    exists (quadratic_loss G). split; [assumption |].
    rewrite <- regret_sum_quadratic. now apply Hvalue.
Qed.

Lemma max_swap_regret : forall I, (forall t, (t < T)%nat -> (I t < n)%nat) ->
  (exists v, is_max_swap_regret class z I y T v /\ v <= G / 2 * Cal2 n z (drawn I) y T)
  /\ (G <= 4 -> is_max_swap_regret class z I y T (G / 2 * Cal2 n z (drawn I) y T)).
Proof using G_not_negative z_different z_unit class_smooth class_bound class_quadratic.
  intros I HI. destruct (max_pseudo_swap_regret (drawn I) (drawn_weights n I)) as [(v & Hv & Hle) Heq].
  assert (Hsame : forall v, is_max_pseudo_swap_regret class n z (drawn I) y T v ->
                            is_max_swap_regret class z I y T v).
  { intros u [H1 H2]. split.
    - intros x (l & Hl & Hx). apply H1. exists l. split; [assumption |]. now apply swap_regret_drawn.
    - intros b Hb. apply H2. intros x (l & Hl & Hx). apply Hb. exists l. split; [assumption |].
      now apply (swap_regret_drawn l n). }
  split; [exists v; split; [now apply Hsame | assumption] | intros HG4; now apply Hsame, Heq].
Qed.

End Supremum.

(** Proposition 3, repaired, with half the constant.
    (1) For a loss in L_G, r in [0, 1] and p in (0, 1): BREG (r, p) <= (G/2) (r - p)^2; also at p = 0 and p
    = 1 if the loss uses the one-sided derivatives there.
    (2) Let the forecasts be different numbers in [0, 1], and take the supremum over the losses of L_G that
    use the one-sided derivatives at 0 and 1. Then PMsr <= (G/2) PCal_2 and Msr <= (G/2) Cal_2, with
    equality for G <= 4.
    (3) If the forecasts lie in (0, 1), the same holds for the supremum over all of L_G, and (G/2) PCal_2 <=
    (G/4) PKLCal and (G/2) Cal_2 <= (G/4) KLCal. *)
Theorem proposition3 : forall G, 0 <= G ->
  (forall l r p, class_LG G l -> in_unit r -> in_unit p -> inside p \/ regular_ends l ->
     BREG l r p <= G / 2 * (r - p) ^ 2)
  /\
  (forall n z y T, different n z -> (forall i, (i < n)%nat -> in_unit (z i)) ->
     (forall P, weights n P ->
        (exists v, is_max_pseudo_swap_regret (class_LG_regular G) n z P y T v
                   /\ v <= G / 2 * Cal2 n z P y T)
        /\ (G <= 4 -> is_max_pseudo_swap_regret (class_LG_regular G) n z P y T (G / 2 * Cal2 n z P y T)))
     /\ (forall I, (forall t, (t < T)%nat -> (I t < n)%nat) ->
           (exists v, is_max_swap_regret (class_LG_regular G) z I y T v
                      /\ v <= G / 2 * Cal2 n z (drawn I) y T)
           /\ (G <= 4 -> is_max_swap_regret (class_LG_regular G) z I y T (G / 2 * Cal2 n z (drawn I) y T))))
  /\
  (forall n z y T, different n z -> (forall i, (i < n)%nat -> inside (z i)) ->
     (forall P, weights n P ->
        (exists v, is_max_pseudo_swap_regret (class_LG G) n z P y T v
                   /\ v <= G / 2 * Cal2 n z P y T /\ G / 2 * Cal2 n z P y T <= G / 4 * pseudo_KLCal n z P y T)
        /\ (G <= 4 -> is_max_pseudo_swap_regret (class_LG G) n z P y T (G / 2 * Cal2 n z P y T)))
     /\ (forall I, (forall t, (t < T)%nat -> (I t < n)%nat) ->
           (exists v, is_max_swap_regret (class_LG G) z I y T v
                      /\ v <= G / 2 * Cal2 n z (drawn I) y T
                      /\ G / 2 * Cal2 n z (drawn I) y T <= G / 4 * KLCal n z (rounds I y T))
           /\ (G <= 4 -> is_max_swap_regret (class_LG G) z I y T (G / 2 * Cal2 n z (drawn I) y T)))).
Proof.
  intros G HG. split; [intros l r p Hl; now apply smooth_divergence |]. split.
  - intros n z y T Hz Hunit.
    assert (H1 : forall l, class_LG_regular G l -> class_LG G l) by (intros l [Hl _]; exact Hl).
    assert (H2 : forall l i r, class_LG_regular G l -> (i < n)%nat -> in_unit r ->
              BREG l r (z i) <= G / 2 * (r - z i) ^ 2).
    { intros l i r [Hl Hends] Hi Hr. apply smooth_divergence; auto. }
    assert (H3 : forall G', 0 <= G' <= 4 -> G' <= G -> class_LG_regular G (quadratic_loss G')).
    { intros G' HG' Hle. split; [now apply quadratic_LG | apply quadratic_regular_ends]. }
    split; intros; [now apply max_pseudo_swap_regret | now apply max_swap_regret].
  - intros n z y T Hz Hin.
    assert (Hunit : forall i, (i < n)%nat -> in_unit (z i)) by (intros i Hi; now apply inside_unit, Hin).
    assert (H2 : forall l i r, class_LG G l -> (i < n)%nat -> in_unit r ->
              BREG l r (z i) <= G / 2 * (r - z i) ^ 2).
    { intros l i r Hl Hi Hr. apply smooth_divergence; auto. }
    assert (H3 : forall G', 0 <= G' <= 4 -> G' <= G -> class_LG G (quadratic_loss G'))
      by (intros; now apply quadratic_LG).
    destruct (Cal2_below_KLCal n z y T Hin) as [HP1 HP2].
    split.
    + intros P HP.
      destruct (max_pseudo_swap_regret G (class_LG G) n T z y HG Hz Hunit (fun l H => H) H2 H3 P HP)
        as [(v & Hv & Hle) Heq].
      split; [| exact Heq]. exists v. split; [assumption |]. split; [assumption |].
      specialize (HP1 P HP). nra.
    + intros I HI.
      destruct (max_swap_regret G (class_LG G) n T z y HG Hz Hunit (fun l H => H) H2 H3 I HI)
        as [(v & Hv & Hle) Heq].
      split; [| exact Heq]. exists v. split; [assumption |]. split; [assumption |].
      specialize (HP2 I). nra.
Qed.

(** The hypothesis on the ends is needed, even for the constant G of the paper: the form p (1 - p) / 2 has G
    = 1, and with the supergradient 1 at the point 0 the divergence of 1/10 from 0 is 11/200, more than
    1/100. *)
Theorem proposition3_needs_regular_ends :
  exists l, class_LG 1 l /\ BREG l (1 / 10) 0 = 11 / 200 /\ 1 * (1 / 10 - 0) ^ 2 < BREG l (1 / 10) 0.
Proof.
  set (g := fun p => if Req_EM_T p 0 then 1 else 1 / 2 - p).
  exists (loss_of (fun p => 1 / 2 * (p - p ^ 2)) g).
  assert (Hdiv : BREG (loss_of (fun p => 1 / 2 * (p - p ^ 2)) g) (1 / 10) 0 = 11 / 200).
  { rewrite BREG_of_loss_of. unfold bregman, g. destruct (Req_EM_T 0 0); [field | lra]. }
  split; [split; [split |] | split; [exact Hdiv |]].
  - apply loss_of_proper. intros p q Hp Hq. unfold g, in_unit in *.
    destruct (Req_EM_T p 0) as [-> | _]; [nra |]. assert (H := pow2_ge_0 (p - q)). lra.
  - intros p y Hp. unfold loss_of, g, in_unit in *.
    destruct (Req_EM_T p 0) as [-> | _]; destruct y; cbn [outcome]; nra.
  - exists (fun p => 1 / 2 * (1 - 2 * p)), (fun _ => - 1). split; [| split].
    + intros p Hp. apply D_in_ext with (fun x => 1 / 2 * (1 - 2 * x)); [reflexivity |].
      assert (H := quadratic_derivative 1 p Hp).
      unfold D_in, limit1_in, limit_in in *. intros e He. destruct (H e He) as (d & Hd & Hlim).
      exists d. split; [assumption |]. intros x Hx. specialize (Hlim x Hx).
      rewrite !form_of_loss_of. rewrite !quadratic_form in Hlim.
      replace (1 / 2 * (x - x ^ 2) - 1 / 2 * (p - p ^ 2))
        with (1 / 2 * (x - x ^ 2) - 1 - (1 / 2 * (p - p ^ 2) - 1)) by ring.
      exact Hlim.
    + apply (quadratic_second 1).
    + intros p _. rewrite Rabs_left; lra.
  - rewrite Hdiv. lra.
Qed.
