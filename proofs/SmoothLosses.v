(** * The supremum over L_2 is the supremum over all bounded proper losses

    A second derivative that is merely continuous does not help: replace each of the two kinks of the worst
    loss by a narrow tent of the same mass, on the side on which the kink counts. Between the break points
    of the game nothing changes except by the width. So Msr over L_2 equals Msr over L, and the bound of
    order T^(1/3) that Corollaries 1 and 2 print for it is false. *)

From Coq Require Import Reals Lra Psatz Lia Arith List.
From KLCal Require Import Definitions Basics Histories LossDefinitions LossBasics Proposition1 Curvature.
From KLCal Require Import Thresholds Envelope Spikes GridLowerBound PseudoBelowExpected.
Import ListNotations.
Open Scope R_scope.

(** ** A smooth kink: the positive part of x - c, rounded off inside c - w, c + w *)

Definition ramp (c w x : R) : R := w * tent_second ((x - c) / w).
Definition ramp' (c w x : R) : R := tent_primitive ((x - c) / w).
Definition ramp'' (c w x : R) : R := / w * tent ((x - c) / w).

(** Its divergence. *)
Definition ramp_divergence (c w r p : R) : R := ramp c w r - ramp c w p - ramp' c w p * (r - p).

Section Ramp.

Variables c w : R.
Hypothesis w_positive : 0 < w.

Lemma derivative_affine : forall f d x, derivable_pt_lim f ((x - c) / w) d ->
  derivable_pt_lim (fun u => f ((u - c) / w)) x (d * / w).
Proof using w_positive.
  intros f d x H. apply (derivable_pt_lim_comp (fun u => (u - c) / w) f); [| assumption].
  replace (/ w) with ((1 - 0) * / w + (x - c) * 0) by ring.
  apply (derivable_pt_lim_mult (fun u => u - c) (fun _ => / w)).
  - apply (derivable_pt_lim_minus (fun u => u) (fun _ => c));
      [apply derivable_pt_lim_id | apply derivable_pt_lim_const].
  - apply derivable_pt_lim_const.
Qed.

Lemma ramp_derivative : forall x, derivable_pt_lim (ramp c w) x (ramp' c w x).
Proof using w_positive.
  intros x. unfold ramp, ramp'.
  replace (tent_primitive ((x - c) / w)) with (w * (tent_primitive ((x - c) / w) * / w)) by (field; lra).
  apply (derivable_pt_lim_scal (fun u => tent_second ((u - c) / w))).
  apply derivative_affine, tent_second_derivative.
Qed.

Lemma ramp'_derivative : forall x, derivable_pt_lim (ramp' c w) x (ramp'' c w x).
Proof using w_positive.
  intros x. unfold ramp', ramp''. rewrite Rmult_comm. apply derivative_affine, tent_primitive_derivative.
Qed.

Lemma ramp''_continuous : forall x, continuity_pt (ramp'' c w) x.
Proof using w_positive.
  intros x. unfold ramp''. apply (continuity_pt_scal (fun u => tent ((u - c) / w))).
  apply (continuity_pt_comp (fun u => (u - c) / w) tent); [| apply continuity_tent].
  apply derivable_continuous_pt. exists (1 * / w). apply (derivative_affine (fun u => u)).
  apply derivable_pt_lim_id.
Qed.

Lemma ramp_divergence_not_negative : forall r p, 0 <= ramp_divergence c w r p.
Proof using w_positive.
  intros r p. unfold ramp_divergence, ramp, ramp'.
  assert (H := tent_second_convex ((p - c) / w) ((r - c) / w)).
  apply (Rmult_le_compat_l w) in H; [| lra].
  replace (w * (tent_second ((p - c) / w) + tent_primitive ((p - c) / w) * ((r - c) / w - (p - c) / w)))
    with (w * tent_second ((p - c) / w) + tent_primitive ((p - c) / w) * (r - p)) in H by (field; lra).
  lra.
Qed.

Lemma ramp_left : forall x, x <= c - w -> ramp c w x = 0 /\ ramp' c w x = 0.
Proof using w_positive.
  intros x Hx. assert (H : (x - c) / w <= - 1).
  { apply (Rmult_le_reg_r w); [lra |]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra. }
  unfold ramp, ramp'. destruct (tent_far_left _ H) as (_ & -> & ->). split; ring.
Qed.

Lemma ramp_right : forall x, c + w <= x -> ramp c w x = x - c /\ ramp' c w x = 1.
Proof using w_positive.
  intros x Hx. assert (H : 1 <= (x - c) / w).
  { apply (Rmult_le_reg_r w); [lra |]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra. }
  unfold ramp, ramp'. destruct (tent_far_right _ H) as (-> & ->). split; [field; lra | reflexivity].
Qed.

Lemma ramp'_bounds : forall x, 0 <= ramp' c w x <= 1.
Proof using. intros x. apply tent_primitive_bounds. Qed.

Lemma ramp_above : forall x, 0 <= ramp c w x /\ x - c <= ramp c w x.
Proof using w_positive.
  intros x. split.
  - assert (H := ramp_divergence_not_negative x (c - w)). unfold ramp_divergence in H.
    destruct (ramp_left (c - w) ltac:(lra)) as [E1 E2]. rewrite E1, E2 in H. lra.
  - assert (H := ramp_divergence_not_negative x (c + w)). unfold ramp_divergence in H.
    destruct (ramp_right (c + w) ltac:(lra)) as [E1 E2]. rewrite E1, E2 in H. lra.
Qed.

Hypothesis fits : 0 <= c - w /\ c + w <= 1.

(** What a kink of mass 1 adds to l(p, 0) and takes from l(p, 1). *)
Lemma ramp_range : forall p, in_unit p ->
  0 <= p * ramp' c w p - ramp c w p <= c /\ 0 <= ramp c w p + (1 - p) * ramp' c w p <= 1 - c.
Proof using w_positive fits.
  intros p [Hp0 Hp1]. assert (Hs := ramp'_bounds p). destruct (ramp_above p) as [Ha Hb].
  assert (H0 := ramp_divergence_not_negative 0 p). assert (H1 := ramp_divergence_not_negative 1 p).
  unfold ramp_divergence in H0, H1. destruct (ramp_left 0 ltac:(lra)) as [E0 _].
  destruct (ramp_right 1 ltac:(lra)) as [E1 _]. rewrite E0 in H0. rewrite E1 in H1.
  split; split; nra.
Qed.

End Ramp.

(** ** A loss with two smooth kinks *)

Definition smooth_form (m1 c1 m2 c2 w p : R) : R := 2 * p - 1 - m1 * ramp c1 w p - m2 * ramp c2 w p.
Definition smooth_slope (m1 c1 m2 c2 w p : R) : R := 2 - m1 * ramp' c1 w p - m2 * ramp' c2 w p.
Definition smooth_loss (m1 c1 m2 c2 w : R) : loss_function :=
  loss_of (smooth_form m1 c1 m2 c2 w) (smooth_slope m1 c1 m2 c2 w).

Lemma smooth_divergence : forall m1 c1 m2 c2 w r p,
  BREG (smooth_loss m1 c1 m2 c2 w) r p = m1 * ramp_divergence c1 w r p + m2 * ramp_divergence c2 w r p.
Proof.
  intros. unfold smooth_loss. rewrite BREG_of_loss_of.
  unfold bregman, smooth_form, smooth_slope, ramp_divergence. ring.
Qed.

Lemma smooth_loss_L2 : forall m1 c1 m2 c2 w, 0 < w -> 0 <= m1 -> 0 <= m2 ->
  0 <= c1 - w /\ c1 + w <= 1 -> 0 <= c2 - w /\ c2 + w <= 1 ->
  m1 * c1 + m2 * c2 <= 2 -> m1 * (1 - c1) + m2 * (1 - c2) <= 2 -> class_L2 (smooth_loss m1 c1 m2 c2 w).
Proof.
  intros m1 c1 m2 c2 w Hw Hm1 Hm2 Hc1 Hc2 H0 H1. split; [split |].
  - intros p q _ _. assert (H := BREG_is_excess (smooth_loss m1 c1 m2 c2 w) p q).
    rewrite smooth_divergence in H.
    assert (D1 := ramp_divergence_not_negative c1 w Hw p q).
    assert (D2 := ramp_divergence_not_negative c2 w Hw p q). nra.
  - intros p y Hp. unfold smooth_loss, loss_of, smooth_form, smooth_slope.
    destruct (ramp_range c1 w Hw Hc1 p Hp) as [A1 B1]. destruct (ramp_range c2 w Hw Hc2 p Hp) as [A2 B2].
    assert (M : forall m a b, 0 <= m -> 0 <= a <= b -> 0 <= m * a <= m * b).
    { intros m a b Hm Hab. split; [apply Rmult_le_pos | apply Rmult_le_compat_l]; lra. }
    assert (MA1 := M m1 _ _ Hm1 A1). assert (MB1 := M m1 _ _ Hm1 B1).
    assert (MA2 := M m2 _ _ Hm2 A2). assert (MB2 := M m2 _ _ Hm2 B2).
    destruct y; cbn [outcome]; lra.
  - exists (smooth_slope m1 c1 m2 c2 w), (fun p => - (m1 * ramp'' c1 w p) - m2 * ramp'' c2 w p).
    split; [| split].
    + intros p _. apply (derivable_pt_lim_ext (smooth_form m1 c1 m2 c2 w));
        [intros u; symmetry; apply form_of_loss_of |].
      unfold smooth_form, smooth_slope.
      apply (derivable_pt_lim_minus (fun p => 2 * p - 1 - m1 * ramp c1 w p) (fun p => m2 * ramp c2 w p)).
      * apply (derivable_pt_lim_minus (fun p => 2 * p - 1) (fun p => m1 * ramp c1 w p)).
        -- assert (H := derivable_pt_lim_minus (fun p => 2 * p) (fun _ => 1) p 2 0
                          (derivative_linear 2 p) (derivable_pt_lim_const 1 p)).
           rewrite Rminus_0_r in H. exact H.
        -- now apply (derivable_pt_lim_scal (ramp c1 w)), ramp_derivative.
      * now apply (derivable_pt_lim_scal (ramp c2 w)), ramp_derivative.
    + intros p _. unfold smooth_slope.
      apply (derivable_pt_lim_minus (fun p => 2 - m1 * ramp' c1 w p) (fun p => m2 * ramp' c2 w p)).
      * replace (- (m1 * ramp'' c1 w p)) with (0 - m1 * ramp'' c1 w p) by ring.
        apply (derivable_pt_lim_minus (fun _ => 2) (fun p => m1 * ramp' c1 w p));
          [apply derivable_pt_lim_const |].
        now apply (derivable_pt_lim_scal (ramp' c1 w)), ramp'_derivative.
      * now apply (derivable_pt_lim_scal (ramp' c2 w)), ramp'_derivative.
    + intros p _.
      apply (continuity_pt_minus (fun p => - (m1 * ramp'' c1 w p)) (fun p => m2 * ramp'' c2 w p)).
      * apply (continuity_pt_opp (fun p => m1 * ramp'' c1 w p)).
        now apply (continuity_pt_scal (ramp'' c1 w)), ramp''_continuous.
      * now apply (continuity_pt_scal (ramp'' c2 w)), ramp''_continuous.
Qed.

(** ** A narrow ramp is as good as the kink, at finitely many points *)

Lemma distance_to_others : forall (X : list R) u, exists d, 0 < d /\
  forall x, In x X -> x <> u -> x <= u - d \/ u + d <= x.
Proof.
  induction X as [| a X IH]; intros u; [exists 1; split; [lra | intros x []] |].
  destruct (IH u) as (d & Hd & H). destruct (Req_dec a u) as [-> | Hne].
  - exists d. split; [assumption |]. intros x [<- | Hx] Hxu; [congruence | now apply H].
  - exists (Rmin d (Rabs (a - u))).
    assert (H1 := Rmin_l d (Rabs (a - u))). assert (H2 := Rmin_r d (Rabs (a - u))).
    split; [apply Rmin_glb_lt; [assumption | apply Rabs_pos_lt; lra] |].
    intros x [<- | Hx] Hxu.
    + unfold Rabs in *. destruct (Rcase_abs (a - u)); lra.
    + destruct (H x Hx Hxu); lra.
Qed.

Lemma narrow_ramp : forall (X : list R) u b, in_unit u -> (forall x, In x X -> in_unit x) ->
  exists w0, 0 < w0 /\ forall w, 0 < w <= w0 -> exists c,
    0 <= c - w /\ c + w <= 1 /\ u - w <= c <= u + w
    /\ forall r p, In r X -> In p X -> BREG (threshold_loss u b) r p - w <= ramp_divergence c w r p.
Proof.
  intros X u b [Hu0 Hu1] HX. destruct (distance_to_others X u) as (d & Hd & Hfar). destruct b.
  - destruct Hu0 as [Hu0 | <-].
    + (* the tent to the left of u *)
      exists (Rmin d u / 2). assert (H1 := Rmin_l d u). assert (H2 := Rmin_r d u).
      assert (H3 := Rmin_glb_lt d u 0 Hd Hu0). split; [lra |]. intros w Hw. exists (u - w).
      split; [lra |]. split; [lra |]. split; [lra |].
      assert (Hside : forall x, In x X ->
                (u <= x /\ above u true x = 1 /\ ramp (u - w) w x = x - (u - w) /\ ramp' (u - w) w x = 1)
                \/ (x < u /\ above u true x = 0 /\ ramp (u - w) w x = 0 /\ ramp' (u - w) w x = 0)).
      { intros x Hx. destruct (Rle_or_lt u x) as [Hle | Hlt].
        - left. split; [assumption |]. split.
          + destruct Hle as [Hle | <-]; [now apply above_right | apply above_kink].
          + apply ramp_right; lra.
        - right. split; [assumption |]. split; [now apply above_left |].
          apply ramp_left; [lra |]. destruct (Hfar x Hx ltac:(lra)); lra. }
      intros r p Hr Hp. rewrite threshold_divergence. unfold ramp_divergence.
      destruct (Hside r Hr) as [(Lr & _ & -> & _) | (Lr & _ & -> & _)];
        destruct (Hside p Hp) as [(Lp & -> & -> & ->) | (Lp & -> & -> & ->)];
        [rewrite Rmax_right | rewrite Rmax_right | rewrite Rmax_left | rewrite Rmax_left]; lra.
    + (* u = 0 counts as above: nothing is lost *)
      exists (1 / 2). split; [lra |]. intros w Hw. exists w. split; [lra |]. split; [lra |]. split; [lra |].
      intros r p Hr Hp. assert (H := ramp_divergence_not_negative w w ltac:(lra) r p).
      rewrite threshold_divergence. destruct (HX r Hr) as [Hr0 _], (HX p Hp) as [Hp0 _].
      assert (E : above 0 true p = 1)
        by (destruct Hp0 as [Hlt | <-]; [now apply above_right | apply above_kink]).
      rewrite E, Rmax_right by lra. lra.
  - destruct Hu1 as [Hu1 | ->].
    + (* the tent to the right of u *)
      exists (Rmin d (1 - u) / 2). assert (H1 := Rmin_l d (1 - u)). assert (H2 := Rmin_r d (1 - u)).
      assert (H3 := Rmin_glb_lt d (1 - u) 0 Hd ltac:(lra)). split; [lra |]. intros w Hw. exists (u + w).
      split; [lra |]. split; [lra |]. split; [lra |].
      assert (Hside : forall x, In x X ->
                (u < x /\ above u false x = 1 /\ ramp (u + w) w x = x - (u + w) /\ ramp' (u + w) w x = 1)
                \/ (x <= u /\ above u false x = 0 /\ ramp (u + w) w x = 0 /\ ramp' (u + w) w x = 0)).
      { intros x Hx. destruct (Rle_or_lt x u) as [Hle | Hlt].
        - right. split; [assumption |]. split.
          + destruct Hle as [Hle | ->]; [now apply above_left | apply above_kink].
          + apply ramp_left; lra.
        - left. split; [assumption |]. split; [now apply above_right |].
          apply ramp_right; [lra |]. destruct (Hfar x Hx ltac:(lra)); lra. }
      intros r p Hr Hp. rewrite threshold_divergence. unfold ramp_divergence.
      destruct (Hside r Hr) as [(Lr & _ & -> & _) | (Lr & _ & -> & _)];
        destruct (Hside p Hp) as [(Lp & -> & -> & ->) | (Lp & -> & -> & ->)];
        [rewrite Rmax_right | rewrite Rmax_right | rewrite Rmax_left | rewrite Rmax_left]; lra.
    + (* u = 1 does not count as above: nothing is lost *)
      exists (1 / 2). split; [lra |]. intros w Hw. exists (1 - w). split; [lra |]. split; [lra |].
      split; [lra |]. intros r p Hr Hp. assert (H := ramp_divergence_not_negative (1 - w) w ltac:(lra) r p).
      rewrite threshold_divergence. destruct (HX r Hr) as [_ Hr1], (HX p Hp) as [_ Hp1].
      assert (E : above 1 false p = 0)
        by (destruct Hp1 as [Hlt | ->]; [now apply above_left | apply above_kink]).
      rewrite E, Rmax_left by lra. lra.
Qed.

(** ** The theorem *)

Lemma smooth_losses_reach : forall n T z P y h, weights n P -> (forall i, (i < n)%nat -> in_unit (z i)) ->
  is_envelope_at (profile n z P y T) (1 / 2) h -> forall e, 0 < e -> exists l, class_L2 l
    /\ 4 * h - e <= sum n (fun i => mass P T i * BREG l (frequency P y T i) (z i)).
Proof.
  intros n T z P y h HP Hz Henv e He. set (X := break_points n T z P y).
  destruct (envelope_of_cells n T z P y HP Hz)
    as (h' & u & v & s & b1 & b2 & Henv' & _ & Hu & Hv & _ & _ & Hs & Hmid & _ & Hvalue).
  assert (h' = h) as ->.
  { destruct Henv as [(g & Hg & E) Hmin], Henv' as [(g' & Hg' & E') Hmin'].
    assert (H1 := Hmin g' Hg'). assert (H2 := Hmin' g Hg). lra. }
  assert (HX := break_points_unit n T z P y HP Hz). fold X in Hu, Hv, HX.
  destruct (narrow_ramp X u b1 (HX u Hu) HX) as (w1 & Hw1 & R1).
  destruct (narrow_ramp X v b2 (HX v Hv) HX) as (w2 & Hw2 & R2).
  set (W := sum n (mass P T)).
  assert (HW : 0 <= W) by (apply sum_nonneg; intros; now apply mass_not_negative with (n := n)).
  assert (Hh : 0 <= h).
  { destruct Henv as [(g & [Hg1 Hg2] & <-) _].
    apply Rle_trans with (1 := profile_not_negative n T z P y HP (1 / 2)). apply Hg2. unfold in_unit; lra. }
  set (w3 := e / (8 * h + 4 * W + 1)).
  assert (Hw3 : 0 < w3) by (apply Rdiv_lt_0_compat; lra).
  set (w := Rmin (Rmin w1 w2) w3).
  assert (Hw : 0 < w /\ w <= w1 /\ w <= w2 /\ w <= w3).
  { unfold w. assert (A := Rmin_l (Rmin w1 w2) w3). assert (B := Rmin_r (Rmin w1 w2) w3).
    assert (C := Rmin_l w1 w2). assert (D := Rmin_r w1 w2).
    assert (E := Rmin_glb_lt w1 w2 0 Hw1 Hw2). assert (F := Rmin_glb_lt (Rmin w1 w2) w3 0 E Hw3).
    repeat split; lra. }
  destruct (R1 w ltac:(lra)) as (c1 & F1 & F1' & N1 & D1).
  destruct (R2 w ltac:(lra)) as (c2 & F2 & F2' & N2 & D2).
  set (k := / (1 + 2 * w)). assert (Hk : 0 < k <= 1).
  { unfold k. split; [apply Rinv_0_lt_compat; lra |]. rewrite <- Rinv_1 at 2. apply Rinv_le_contravar; lra. }
  assert (Hk1 : k * (1 + 2 * w) = 1) by (unfold k; apply Rinv_l; lra).
  unfold in_unit in Hs.
  exists (smooth_loss (k * (4 * s)) c1 (k * (4 * (1 - s))) c2 w). split.
  - assert (M0 : 4 * s * c1 + 4 * (1 - s) * c2 <= 2 + 4 * w) by nra.
    assert (M1 : 4 * s * (1 - c1) + 4 * (1 - s) * (1 - c2) <= 2 + 4 * w) by nra.
    apply smooth_loss_L2; try lra; try nra.
  - rewrite (sum_ext n _ (fun i => k * (4 * s * (mass P T i * ramp_divergence c1 w (frequency P y T i) (z i))
               + 4 * (1 - s) * (mass P T i * ramp_divergence c2 w (frequency P y T i) (z i)))))
      by (intros i _; rewrite smooth_divergence; ring).
    rewrite sum_scal, sum_plus, !sum_scal.
    assert (Hside : forall u0 b0 c0,
      (forall r p, In r X -> In p X -> BREG (threshold_loss u0 b0) r p - w <= ramp_divergence c0 w r p) ->
      functional n (mass P T) (frequency P y T) z (threshold_loss u0 b0) - w * W
      <= sum n (fun i => mass P T i * ramp_divergence c0 w (frequency P y T i) (z i))).
    { intros u0 b0 c0 H. unfold functional, W. rewrite <- sum_scal, <- sum_minus. apply sum_le. intros i Hi.
      assert (Hm := mass_not_negative n T P HP i Hi).
      assert (Hi' := H _ _ (frequency_break_point n T z P y i Hi) (forecast_break_point n T z P y i Hi)).
      apply (Rmult_le_compat_l _ _ _ Hm) in Hi'. lra. }
    assert (S1 := Hside u b1 c1 D1). assert (S2 := Hside v b2 c2 D2).
    rewrite functional_two_kinks in Hvalue.
    apply (Rmult_le_compat_l (4 * s)) in S1; [| lra].
    apply (Rmult_le_compat_l (4 * (1 - s))) in S2; [| lra].
    apply Rle_trans with (k * (4 * h - 4 * w * W)); [| apply Rmult_le_compat_l; lra].
    assert (Hloss : w * (8 * h + 4 * W) <= e).
    { apply Rle_trans with (w3 * (8 * h + 4 * W + 1)).
      - apply Rmult_le_compat; lra.
      - unfold w3. right. field. lra. }
    assert (HkW : k * (4 * w * W) <= 4 * w * W).
    { rewrite <- (Rmult_1_l (4 * w * W)) at 2. apply Rmult_le_compat_r; [| lra].
      apply Rmult_le_pos; lra. }
    assert (Hkh : 4 * h - k * (4 * h) = k * (2 * w) * (4 * h)).
    { replace (4 * h) with (k * (1 + 2 * w) * (4 * h)) at 1 by (rewrite Hk1; ring). ring. }
    assert (Hkh' : k * (2 * w) * (4 * h) <= 2 * w * (4 * h)).
    { apply Rmult_le_compat_r; [lra |]. rewrite <- (Rmult_1_l (2 * w)) at 2. apply Rmult_le_compat_r; lra. }
    lra.
Qed.

(** The supremum over L_2 is that over L: for different forecasts in [0, 1], whatever the game, PMsr over
    L_2 equals PMsr over all proper losses with values in [-1, 1], and Msr over L_2 equals Msr over L. *)
Theorem smooth_losses_suffice : forall n z y T, different n z -> (forall i, (i < n)%nat -> in_unit (z i)) ->
  (forall P v, weights n P ->
     is_max_pseudo_swap_regret class_L n z P y T v -> is_max_pseudo_swap_regret class_L2 n z P y T v)
  /\ (forall I v, (forall t, (t < T)%nat -> (I t < n)%nat) ->
        is_max_swap_regret class_L z I y T v -> is_max_swap_regret class_L2 z I y T v).
Proof.
  intros n z y T Hz Hunit.
  assert (Hpseudo : forall P v, weights n P ->
     is_max_pseudo_swap_regret class_L n z P y T v -> is_max_pseudo_swap_regret class_L2 n z P y T v).
  { intros P v HP Hv. destruct (proj1 (envelope n z y T Hz Hunit) P HP) as (h & Henv & Hmax & _).
    rewrite (is_lub_unique _ _ _ Hv Hmax). split.
    - intros x (l & Hl & Hx). apply Hmax. exists l. split; [apply Hl | assumption].
    - intros b Hb. apply le_epsilon. intros e He.
      destruct (smooth_losses_reach n T z P y h HP Hunit Henv e He) as (l & Hl & Hle).
      assert (H := Hb _ (ex_intro _ l (conj Hl (pseudo_swap_regret_is_sum n T z P y HP Hz Hunit l
                                                  (proj1 (proj1 Hl)))))).
      lra. }
  split; [exact Hpseudo |].
  intros I v HI [Hv1 Hv2].
  assert (Hsame : forall class u, is_max_pseudo_swap_regret class n z (drawn I) y T u
                                  <-> is_max_swap_regret class z I y T u).
  { intros class u. split; intros [H1 H2]; split.
    - intros x (l & Hl & Hx). apply H1. exists l. split; [assumption |]. now apply swap_regret_drawn.
    - intros b Hb. apply H2. intros x (l & Hl & Hx). apply Hb. exists l. split; [assumption |].
      now apply (swap_regret_drawn l n).
    - intros x (l & Hl & Hx). apply H1. exists l. split; [assumption |]. now apply (swap_regret_drawn l n).
    - intros b Hb. apply H2. intros x (l & Hl & Hx). apply Hb. exists l. split; [assumption |].
      now apply swap_regret_drawn. }
  apply Hsame, Hpseudo; [apply drawn_weights |]. apply Hsame. now split.
Qed.

(** Hence a fixed set of n forecasts costs T / (2n - 1) in Msr over L_2: for some coin every forecaster on
    these forecasts has E[Msr over L_2] >= T / (2n - 1), for every T. Here M is Msr as a function of the
    history. With n of order T^(1/3), as in the paper, this is of order T^(2/3). *)
Theorem max_over_L2_lower_bound : forall n z, (0 < n)%nat -> different n z ->
  (forall i, (i < n)%nat -> in_unit (z i)) ->
  exists p, in_unit p /\ forall F, proper_forecaster F -> (forall h, choices F h = n) -> forall T M,
    (forall I y, (forall t, (t < T)%nat -> (I t < n)%nat) ->
       is_max_swap_regret class_L2 z I y T (M (rounds I y T))) ->
    INR T / (2 * INR n - 1) <= expect F (fun _ => p) T M [].
Proof.
  intros n z Hn Hz Hunit. destruct (grid_lower_bound n z Hn Hunit) as (p & l & Hp & Hl & Hbound).
  exists p. split; [assumption |]. intros F HF Hch T M HM.
  apply Rle_trans with (1 := Hbound F HF (fun h => Nat.eq_le_incl _ _ (Hch h)) T).
  apply expect_le_reachable; [assumption | intros h; exact Hp |]. intros k Hk.
  destruct (reachable_rounds F n T k Hch Hk) as (I & y & E & HI). rewrite <- E.
  assert (HS := swap_regret_on_is_SReg l n z I y T (proj1 Hl) Hz Hunit HI).
  apply Rle_trans with (1 := external_below_swap l z I y T _ (proj1 Hl) HS).
  destruct (proj2 (envelope n z y T Hz Hunit) I HI) as (h & _ & Hmax & _).
  assert (H2 := proj2 (smooth_losses_suffice n z y T Hz Hunit) I _ HI Hmax).
  rewrite (is_lub_unique _ _ _ (HM I y HI) H2). apply Hmax. now exists l.
Qed.
