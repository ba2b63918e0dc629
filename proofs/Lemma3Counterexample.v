(** * Lemma 3 of the paper is false, and Proposition 2 falls with it

    The lemma: if f is concave, Lipschitz and bounded on [0, 1] and twice continuously differentiable in (0,
    1), then |f''(p)| <= c max (1/p, 1/(1 - p)) for some constant c. The counterexample: -f'' is a sum of
    tents. The tent number n = 1, 2, ... has its centre at 2^-n, the half-width 2^-(3n+2) and the mass 2^-n,
    so its height is 2^(2n+2), while the lemma would allow c 2^n. Moreover f(0) = 0 and f'(0) = 1/2. The
    construction is in [Spikes]. *)

From Coq Require Import Reals Lra Psatz Lia Arith.
From KLCal Require Import Definitions Basics LossDefinitions LossBasics Proposition1 Curvature Pinsker.
From KLCal Require Import Proposition2 Spikes.
Open Scope R_scope.

(** ** The spikes are too high *)

Definition width (n : nat) : R := centre n ^ 3 / 4.

Lemma width_bounds : forall n, 0 < width n <= centre n.
Proof.
  intros n. unfold width. assert (H := centre_bounds n).
  assert (H1 : 0 < centre n * centre n <= / 4) by nra.
  replace (centre n ^ 3) with (centre n * (centre n * centre n)) by ring. split; nra.
Qed.

Definition needle_loss : loss_function := spike_loss width.

Lemma needle_loss_L2 : class_L2 needle_loss.
Proof. apply spike_loss_L2, width_bounds. Qed.

Lemma needles_too_high :
  ~ exists c, forall p, inside p -> Rabs (spike_second width p) <= c * Rmax (/ p) (/ (1 - p)).
Proof.
  intros [c Hc]. assert (Hpos := Rabs_pos c).
  destruct (small_centre (/ (Rabs c + 1)) ltac:(apply Rinv_0_lt_compat; lra)) as [n Hn].
  assert (Hb := centre_bounds n). specialize (Hc (centre n) (centre_inside n)).
  assert (Hh := spike_height width width_bounds n).
  replace (centre n / width n) with (4 / centre n ^ 2) in Hh by (unfold width; field; lra).
  rewrite Rmax_left in Hc by (apply Rinv_le_contravar; lra).
  assert (H : 4 / centre n ^ 2 <= c * / centre n) by lra.
  apply (Rmult_le_compat_r (centre n ^ 2)) in H; [| apply pow2_ge_0].
  replace (4 / centre n ^ 2 * centre n ^ 2) with 4 in H by (field; lra).
  replace (c * / centre n * centre n ^ 2) with (c * centre n) in H by (field; lra).
  assert (Hn' : centre n * (Rabs c + 1) < 1).
  { apply (Rmult_lt_compat_r (Rabs c + 1)) in Hn; [| lra]. rewrite Rinv_l in Hn by lra. exact Hn. }
  assert (Hle := Rle_abs c). nra.
Qed.

(** Lemma 3 of the paper is false: there is a function that is concave, Lipschitz and bounded on [0, 1] and
    twice continuously differentiable in (0, 1), for which no constant c has |f''(p)| <= c max (1/p, 1/(1 -
    p)) in all of (0, 1). *)
Theorem lemma3_is_false : exists f f' f'',
  (forall a b s, in_unit a -> in_unit b -> in_unit s -> s * f a + (1 - s) * f b <= f (s * a + (1 - s) * b))
  /\ (exists L, forall a b, in_unit a -> in_unit b -> Rabs (f a - f b) <= L * Rabs (a - b))
  /\ (exists B, forall a, in_unit a -> Rabs (f a) <= B)
  /\ derivative_inside f f' /\ derivative_inside f' f'' /\ (forall p, inside p -> continuity_pt f'' p)
  /\ ~ exists c, forall p, inside p -> Rabs (f'' p) <= c * Rmax (/ p) (/ (1 - p)).
Proof.
  exists (spike_form width), (spike_slope width), (spike_second width).
  split; [| split; [| split; [| split; [| split; [| split]]]]].
  - intros a b s Ha Hb Hs.
    now apply supergradient_concave with (spike_slope width); [apply spike_supergradient, width_bounds | | |].
  - exists (1 / 2). intros a b Ha Hb.
    assert (H1 := spike_supergradient width width_bounds a b Ha Hb).
    assert (H2 := spike_supergradient width width_bounds b a Hb Ha).
    assert (H3 := spike_slope_bounds width width_bounds a Ha).
    assert (H4 := spike_slope_bounds width width_bounds b Hb).
    apply Rabs_le. unfold Rabs. destruct (Rcase_abs (a - b)); nra.
  - exists (1 / 2). intros a Ha. apply Rabs_le. now apply spike_form_bounds; [exact width_bounds |].
  - apply spike_form_derivative, width_bounds.
  - apply spike_slope_derivative, width_bounds.
  - apply spike_second_continuous, width_bounds.
  - exact needles_too_high.
Qed.

(** The same with a loss: the univariate form of a loss in L_2 (which is concave, bounded and Lipschitz on [0, 1],
    and twice continuously differentiable in (0, 1)) has a second derivative that no constant c bounds by
    c max (1/p, 1/(1 - p)). *)
Theorem lemma3_fails_in_L2 : exists l f' f'', class_L2 l
  /\ derivative_inside (form l) f' /\ derivative_inside f' f'' /\ (forall p, inside p -> continuity_pt f'' p)
  /\ ~ exists c, forall p, inside p -> Rabs (f'' p) <= c * Rmax (/ p) (/ (1 - p)).
Proof.
  exists needle_loss, (spike_slope width), (spike_second width). split; [exact needle_loss_L2 |].
  split; [apply spike_loss_form_derivative, width_bounds |].
  split; [apply spike_slope_derivative, width_bounds |].
  split; [apply spike_second_continuous, width_bounds | exact needles_too_high].
Qed.

(** ** Proposition 2 as printed is false *)

(** All forecasts are z; of the T rounds the first k have outcome 1. *)
Lemma first_ones_mass : forall T, mass (drawn (fun _ => 0%nat)) T 0 = INR T.
Proof.
  intros T. unfold mass, drawn. rewrite (sum_ext T _ (fun _ => 1)) by (intros; apply point_same).
  rewrite sum_const. ring.
Qed.

Lemma first_ones_sum : forall k T, (k <= T)%nat ->
  mass_of_ones (drawn (fun _ => 0%nat)) (fun t => t <? k)%nat T 0 = INR k.
Proof.
  intros k T H. unfold mass_of_ones, drawn.
  rewrite (sum_ext T _ (fun t => outcome (t <? k)%nat)) by (intros; rewrite point_same; ring).
  assert (Hk : forall m, (m <= k)%nat -> sum m (fun t => outcome (t <? k)%nat) = INR m).
  { induction m as [| m IH]; intros Hm; [reflexivity |]. cbn [sum]. rewrite IH, S_INR by lia.
    destruct (Nat.ltb_spec m k); [reflexivity | lia]. }
  rewrite (sum_stable (fun t => outcome (t <? k)%nat) k T H); [now apply Hk |].
  intros n Hn. destruct (Nat.ltb_spec n k); [lia | reflexivity].
Qed.

Lemma half_power_nat : forall k, (/ 2) ^ k * INR (2 ^ k) = 1.
Proof.
  intros k. rewrite pow_INR. change (INR 2) with 2. rewrite <- Rpow_mult_distr.
  replace (/ 2 * 2) with 1 by field. apply pow1.
Qed.

(** Proposition 2 as printed is false: one loss in L_2 has, for every constant c, a game with forecasts in
    (0, 1) in which its swap regret exceeds c KLCal. (For a large m there is one forecast, 2^-m, made in
    2^(3m+2) rounds, and one more outcome is 1 than it foresees.) In particular BREG <= c KL fails for every
    c. *)
Theorem proposition2_as_printed_is_false : exists l, class_L2 l /\
  forall c, exists n z I y T v,
    different n z /\ (forall i, (i < n)%nat -> inside (z i)) /\ (forall t, (t < T)%nat -> (I t < n)%nat)
    /\ is_swap_regret l z I y T v /\ c * KLCal n z (rounds I y T) < v.
Proof.
  exists needle_loss. split; [exact needle_loss_L2 |]. intros c.
  assert (Hpos := Rabs_pos c).
  destruct (small_centre (/ (2 * (Rabs c + 1))) ltac:(apply Rinv_0_lt_compat; lra)) as [n Hn].
  assert (Hb := centre_bounds n). assert (Hw := width_bounds n).
  set (T := (2 ^ (3 * S n + 2))%nat). set (k := (2 ^ (2 * S n + 2) + 1)%nat).
  assert (HT : width n * INR T = 1).
  { rewrite <- (half_power_nat (3 * S n + 2)). fold T. f_equal. unfold width, centre.
    rewrite <- pow_mult, pow_add. replace (S n * 3)%nat with (3 * S n)%nat by lia. cbn [pow]. field. }
  assert (HTpos : 0 < INR T) by nra.
  assert (Hk : INR k = INR T * (centre n + width n)).
  { unfold k. rewrite plus_INR. change (INR 1) with 1.
    assert (Hhalf := half_power_nat (2 * S n + 2)).
    assert (Hfour : width n = centre n * (/ 2) ^ (2 * S n + 2)).
    { unfold width, centre. rewrite pow_add. replace (2 * S n)%nat with (S n * 2)%nat by lia.
      rewrite pow_mult. field. }
    rewrite Rmult_plus_distr_l, (Rmult_comm _ (width n)), HT. f_equal.
    apply (Rmult_eq_reg_l ((/ 2) ^ (2 * S n + 2)));
      [| apply Rgt_not_eq, half_power_positive].
    rewrite Hhalf, <- HT, Hfour. ring. }
  assert (HkT : (k <= T)%nat).
  { apply INR_le. rewrite Hk. assert (centre n + width n <= 1) by lra. nra. }
  set (I := fun _ : nat => 0%nat). set (y := fun t => (t <? k)%nat).
  set (z := fun _ : nat => centre n).
  exists 1%nat, z, I, y, T,
    (sum 1 (fun i => mass (drawn I) T i * BREG needle_loss (frequency (drawn I) y T i) (z i))).
  assert (Hz : different 1 z) by (intros i j Hi Hj _; lia).
  assert (Hin : forall i, (i < 1)%nat -> inside (z i)) by (intros; apply centre_inside).
  assert (HI : forall t, (t < T)%nat -> (I t < 1)%nat) by (intros; unfold I; lia).
  split; [assumption |]. split; [assumption |]. split; [assumption |]. split.
  - destruct needle_loss_L2 as ((Hproper & _) & _).
    apply (proposition1 needle_loss 1 z y T Hproper Hz); [| assumption].
    intros i Hi. now apply inside_unit, Hin.
  - assert (Hfreq : frequency (drawn I) y T 0 = centre n + width n).
    { unfold frequency, I, y. rewrite first_ones_mass, first_ones_sum, Hk by assumption. field. lra. }
    rewrite <- drawn_KLCal. unfold pseudo_KLCal. cbn [sum].
    fold (frequency (drawn I) y T 0). rewrite Hfreq. unfold I at 1 2, z. rewrite first_ones_mass.
    rewrite !Rplus_0_l.
    assert (Hunit : in_unit (centre n + width n)) by (unfold in_unit; lra).
    assert (HKL0 := KL_nonneg _ (centre n) Hunit (centre_inside n)).
    assert (HKL : KL (centre n + width n) (centre n) <= 2 * width n ^ 2 / centre n).
    { destruct (pinsker _ (centre n) Hunit (centre_inside n)) as (_ & H1 & H2).
      apply Rle_trans with (chi2 (centre n + width n) (centre n)); [lra |]. unfold chi2.
      replace (centre n + width n - centre n) with (width n) by ring.
      replace (2 * width n ^ 2 / centre n) with (width n ^ 2 * (2 * / centre n)) by (field; lra).
      unfold Rdiv. apply Rmult_le_compat_l; [apply pow2_ge_0 |].
      replace (2 * / centre n) with (/ (centre n * / 2)) by (field; lra).
      apply Rinv_le_contravar; nra. }
    assert (HB := spike_divergence_at_width width width_bounds n Hunit). fold needle_loss in HB.
    assert (Hsmall : Rabs c * (2 * width n ^ 2 / centre n) < centre n * width n / 3).
    { apply (Rmult_lt_reg_r (centre n / width n)); [apply Rdiv_lt_0_compat; lra |].
      replace (Rabs c * (2 * width n ^ 2 / centre n) * (centre n / width n)) with (Rabs c * 2 * width n)
        by (field; lra).
      replace (centre n * width n / 3 * (centre n / width n)) with (centre n ^ 2 / 3) by (field; lra).
      assert (Hn' : centre n * (2 * (Rabs c + 1)) < 1).
      { apply (Rmult_lt_compat_r (2 * (Rabs c + 1))) in Hn; [| lra]. rewrite Rinv_l in Hn by lra. exact Hn. }
      assert (Hsq : 0 < centre n ^ 2) by (apply pow_lt; lra).
      replace (Rabs c * 2 * width n) with (centre n ^ 2 * (centre n * Rabs c / 2)) by (unfold width; field).
      replace (centre n ^ 2 / 3) with (centre n ^ 2 * (1 / 3)) by field.
      apply Rmult_lt_compat_l; [assumption |]. lra. }
    assert (Hle := Rle_abs c).
    assert (H1 : c * KL (centre n + width n) (centre n) < BREG needle_loss (centre n + width n) (centre n)).
    { apply Rle_lt_trans with (Rabs c * KL (centre n + width n) (centre n)).
      - apply Rmult_le_compat_r; lra.
      - assert (H := Rmult_le_compat_l (Rabs c) _ _ Hpos HKL). lra. }
    apply (Rmult_lt_compat_l (INR T)) in H1; [| assumption]. lra.
Qed.
