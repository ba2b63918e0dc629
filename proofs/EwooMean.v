(** * The output of EWOO (Algorithm 3) is (a + 1)/(s + 2).

    Algorithm 3 weighs w in [0, 1] by exp of minus the losses so far, which is w^a (1 - w)^(s - a), and plays
    the mean of w under this weight. Let G(w) = w (1 - w) weight(w). Its derivative is
    (a + 1) weight(w) - (s + 2) w weight(w), and G vanishes at both ends; so a + 1 times the integral of the
    weight is s + 2 times the integral of w weight(w). The logarithm is not defined at 0 and 1, so the
    integrals run from e to 1 - e, and e tends to 0. *)

From Coq Require Import Reals Lra Psatz.
From KLCal Require Import Definitions Basics Lemma4.
Open Scope R_scope.

(** After the mass s, of which a came with outcome 1, the losses of the constant w add up to
    a loss(w, 1) + (s - a) loss(w, 0) (lemma [losses_so_far]). *)
Definition ewoo_weight (a s w : R) : R := exp (- (a * loss w true + (s - a) * loss w false)).

Lemma losses_so_far P y i T w :
  sum T (fun t => P t i * loss w (y t))
  = mass_of_ones P y T i * loss w true + (mass P T i - mass_of_ones P y T i) * loss w false.
Proof. rewrite constant_loss. unfold loss. cbn [prob]. ring. Qed.

(** ** Integrals by antiderivatives *)

Lemma riemann_by_antiderivative f u v (pr : Riemann_integrable f u v) :
  u <= v -> (forall x, u <= x <= v -> continuity_pt f x) ->
  exists g, (forall x, u <= x <= v -> derivable_pt_lim g x (f x)) /\ RiemannInt pr = g v - g u.
Proof.
  intros Huv Hc. exists (primitive Huv (FTC_P1 Huv Hc)). split.
  - intros x Hx. now apply RiemannInt_P28.
  - unfold primitive.
    destruct (Rle_dec u v) as [H1|]; [|contradiction]. destruct (Rle_dec v v) as [H2|]; [|exfalso; lra].
    destruct (Rle_dec u u) as [H3|]; [|exfalso; lra]. destruct (Rle_dec u v) as [H4|]; [|contradiction].
    rewrite RiemannInt_P9, Rminus_0_r. apply RiemannInt_P5.
Qed.

Section Mean.
Variables a s : R.
Hypothesis Has : 0 <= a <= s.

Let weight := ewoo_weight a s.

Lemma weight_derivative w :
  0 < w < 1 -> derivable_pt_lim weight w (weight w * (a / w - (s - a) / (1 - w))).
Proof using.
  intros Hw. unfold weight, ewoo_weight, loss. cbn [prob].
  apply (derivable_pt_lim_comp (fun w => - (a * - ln w + (s - a) * - ln (1 - w))) exp);
    [|apply derivable_pt_lim_exp].
  replace (a / w - (s - a) / (1 - w)) with (- (a * - / w + (s - a) * - (/ (1 - w) * (0 - 1))))
    by (field; lra).
  apply (derivable_pt_lim_opp (fun w => a * - ln w + (s - a) * - ln (1 - w))).
  apply (derivable_pt_lim_plus (fun w => a * - ln w) (fun w => (s - a) * - ln (1 - w))).
  - apply (derivable_pt_lim_scal (fun w => - ln w)), (derivable_pt_lim_opp ln), derivable_pt_lim_ln. lra.
  - apply (derivable_pt_lim_scal (fun w => - ln (1 - w))), (derivable_pt_lim_opp (fun w => ln (1 - w))).
    apply (derivable_pt_lim_comp (fun w => 1 - w) ln); [|apply derivable_pt_lim_ln; lra].
    apply (derivable_pt_lim_minus (fun _ => 1) id); [apply derivable_pt_lim_const|apply derivable_pt_lim_id].
Qed.

Lemma weight_bounds w : 0 < w < 1 -> 0 < weight w <= 1.
Proof using Has.
  intros Hw. split; [apply exp_pos|]. unfold weight, ewoo_weight, loss. cbn [prob].
  pose proof (ln_nonpos w ltac:(lra)). pose proof (ln_nonpos (1 - w) ltac:(lra)).
  pose proof (Rmult_le_pos a (- ln w) ltac:(lra) ltac:(lra)).
  pose proof (Rmult_le_pos (s - a) (- ln (1 - w)) ltac:(lra) ltac:(lra)).
  apply Rle_trans with (exp 0); [|rewrite exp_0; lra].
  assert (Hexp : - (a * - ln w + (s - a) * - ln (1 - w)) <= 0) by lra.
  destruct Hexp as [Hexp|Hexp]; [left; now apply exp_increasing|right; now rewrite Hexp].
Qed.

(** The weight does not get small in the middle. *)
Lemma weight_in_the_middle w : / 4 <= w <= 3 / 4 -> exp (- (s * ln 4)) <= weight w.
Proof using Has.
  intros Hw. unfold weight, ewoo_weight, loss. cbn [prob].
  assert (H : forall x, / 4 <= x -> - ln x <= ln 4).
  { intros x Hx. pose proof (ln_le (/ 4) x ltac:(lra) Hx) as Hle. rewrite ln_Rinv in Hle by lra. lra. }
  pose proof (Rmult_le_compat_l a _ _ ltac:(lra) (H w ltac:(lra))).
  pose proof (Rmult_le_compat_l (s - a) _ _ ltac:(lra) (H (1 - w) ltac:(lra))).
  assert (Hexp : - (s * ln 4) <= - (a * - ln w + (s - a) * - ln (1 - w))) by lra.
  destruct Hexp as [Hexp|Hexp]; [left; now apply exp_increasing|right; now rewrite Hexp].
Qed.

Lemma product_derivative w :
  0 < w < 1 ->
  derivable_pt_lim (fun w => w * (1 - w) * weight w) w ((a + 1) * weight w - (s + 2) * (w * weight w)).
Proof using.
  intros Hw. replace ((a + 1) * weight w - (s + 2) * (w * weight w))
    with ((1 * (1 - w) + w * (0 - 1)) * weight w + w * (1 - w) * (weight w * (a / w - (s - a) / (1 - w))))
    by (field; lra).
  apply (derivable_pt_lim_mult (fun w => w * (1 - w)) weight); [|now apply weight_derivative].
  apply (derivable_pt_lim_mult id (fun w => 1 - w)); [apply derivable_pt_lim_id|].
  apply (derivable_pt_lim_minus (fun _ => 1) id); [apply derivable_pt_lim_const|apply derivable_pt_lim_id].
Qed.

Lemma weight_continuous w : 0 < w < 1 -> continuity_pt weight w.
Proof using. intros Hw. apply derivable_continuous_pt. eexists. now apply weight_derivative. Qed.

Lemma weighted_continuous w : 0 < w < 1 -> continuity_pt (fun w => w * weight w) w.
Proof using.
  intros Hw. apply (continuity_pt_mult id weight); [apply derivable_continuous_pt, derivable_pt_id|].
  now apply weight_continuous.
Qed.

(** ** Both integrals exist away from the ends, and their ratio tends to (a + 1)/(s + 2) *)

Lemma weights_integrable e :
  0 < e < / 2 ->
  inhabited (Riemann_integrable weight e (1 - e)) /\
  inhabited (Riemann_integrable (fun w => w * weight w) e (1 - e)).
Proof using.
  intros He. split; constructor; apply continuity_implies_RiemannInt; try lra;
    intros w Hw; [apply weight_continuous|apply weighted_continuous]; lra.
Qed.

Lemma mean_near_ewoo e (pr0 : Riemann_integrable weight e (1 - e))
  (pr1 : Riemann_integrable (fun w => w * weight w) e (1 - e)) :
  0 < e < / 4 ->
  Rabs (RiemannInt pr1 / RiemannInt pr0 - ewoo a s) <= e / exp (- (s * ln 4)).
Proof using Has.
  intros He. set (m := exp (- (s * ln 4))). assert (Hm : 0 < m) by apply exp_pos.
  destruct (riemann_by_antiderivative _ _ _ pr0) as (g0 & Hg0 & ->); [lra| |].
  { intros. apply weight_continuous. lra. }
  destruct (riemann_by_antiderivative _ _ _ pr1) as (g1 & Hg1 & ->); [lra| |].
  { intros. apply weighted_continuous. lra. }
  (* the mass in the middle *)
  assert (Hmass : m / 2 <= g0 (1 - e) - g0 e).
  { assert (Hpart : forall u v c, e <= u -> u < v -> v <= 1 - e -> (forall w, u <= w <= v -> c <= weight w) ->
                      c * (v - u) <= g0 v - g0 u).
    { intros u v c Hu Huv Hv Hc. destruct (MVT_cor2 g0 weight u v Huv) as (w & -> & Hw).
      - intros w Hw. apply Hg0. lra.
      - apply Rmult_le_compat_r; [lra|]. apply Hc. lra. }
    assert (Hpos : forall w, e <= w <= 1 - e -> 0 <= weight w) by (intros; left; apply exp_pos).
    pose proof (Hpart e (/ 4) 0 ltac:(lra) ltac:(lra) ltac:(lra) ltac:(intros; apply Hpos; lra)).
    pose proof (Hpart (/ 4) (3 / 4) m ltac:(lra) ltac:(lra) ltac:(lra) weight_in_the_middle).
    pose proof (Hpart (3 / 4) (1 - e) 0 ltac:(lra) ltac:(lra) ltac:(lra) ltac:(intros; apply Hpos; lra)).
    lra. }
  (* the identity of the two integrals, up to the values of w (1 - w) weight at the ends *)
  set (G := fun w => w * (1 - w) * weight w).
  assert (Hid : (a + 1) * (g0 (1 - e) - g0 e) - (s + 2) * (g1 (1 - e) - g1 e) = G (1 - e) - G e).
  { destruct (MVT_cor2 (fun w => (a + 1) * g0 w - (s + 2) * g1 w - G w)
      (fun w => (a + 1) * weight w - (s + 2) * (w * weight w)
                - ((a + 1) * weight w - (s + 2) * (w * weight w))) e (1 - e) ltac:(lra)) as (w & H & _).
    - intros w Hw. apply (derivable_pt_lim_minus (fun w => (a + 1) * g0 w - (s + 2) * g1 w) G).
      + apply (derivable_pt_lim_minus (fun w => (a + 1) * g0 w) (fun w => (s + 2) * g1 w)).
        * apply (derivable_pt_lim_scal g0), Hg0, Hw.
        * apply (derivable_pt_lim_scal g1 (s + 2) w (w * weight w)), Hg1, Hw.
      + apply product_derivative. lra.
    - rewrite Rminus_eq_0, Rmult_0_l in H. lra. }
  assert (HG : - e <= G (1 - e) - G e <= e).
  { unfold G. replace (1 - (1 - e)) with e by ring.
    pose proof (weight_bounds e ltac:(lra)). pose proof (weight_bounds (1 - e) ltac:(lra)).
    assert (0 < e * (1 - e) <= e) by nra. split; nra. }
  set (I0 := g0 (1 - e) - g0 e) in *. set (I1 := g1 (1 - e) - g1 e) in *.
  unfold ewoo. replace (I1 / I0 - (a + 1) / (s + 2)) with ((G e - G (1 - e)) * / ((s + 2) * I0)).
  - assert (Hden : m <= (s + 2) * I0) by nra.
    assert (Hinv : 0 < / ((s + 2) * I0) <= / m).
    { split; [apply Rinv_0_lt_compat; lra|apply Rinv_le_contravar; lra]. }
    apply Rabs_le. unfold Rdiv. split; nra.
  - replace (G e - G (1 - e)) with ((s + 2) * I1 - (a + 1) * I0) by lra. field. lra.
Qed.

End Mean.

(** The output of EWOO. Let 0 <= a <= s. As e tends to 0, the mean of w in [e, 1 - e] under the weight
    exp (- losses so far) of Algorithm 3 tends to (a + 1)/(s + 2). *)
Theorem ewoo_is_mean a s :
  0 <= a <= s ->
  forall eta, 0 < eta -> exists e0, 0 < e0 < / 2 /\
    forall e (pr0 : Riemann_integrable (ewoo_weight a s) e (1 - e))
             (pr1 : Riemann_integrable (fun w => w * ewoo_weight a s w) e (1 - e)),
      0 < e < e0 -> Rabs (RiemannInt pr1 / RiemannInt pr0 - ewoo a s) < eta.
Proof.
  intros Has eta Heta. set (m := exp (- (s * ln 4))). assert (Hm : 0 < m) by apply exp_pos.
  assert (Hem : 0 < eta * m) by now apply Rmult_lt_0_compat.
  exists (Rmin (/ 4) (eta * m)). split.
  - pose proof (Rmin_l (/ 4) (eta * m)). split; [apply Rmin_glb_lt; lra|lra].
  - intros e pr0 pr1 He. pose proof (Rmin_l (/ 4) (eta * m)). pose proof (Rmin_r (/ 4) (eta * m)).
    eapply Rle_lt_trans; [apply (mean_near_ewoo a s Has); lra|]. fold m.
    apply Rmult_lt_reg_r with m; [assumption|]. replace (e / m * m) with e by (field; lra). lra.
Qed.
