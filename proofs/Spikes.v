(** * Losses with spikes: -f'' is a sum of tents that pile up at 0

    The tent number n = 1, 2, ... has its centre at 2^-n and the mass 2^-n; its half-width is free, but at
    most 2^-n. Moreover f(0) = 0 and f'(0) = 1/2. Near a point p > 0 all sums are finite, so f is twice
    continuously differentiable in (0, 1), and the loss with this form lies in L_2, whatever the widths. *)

From Coq Require Import Reals Lra Psatz Lia Arith ZArith.
From KLCal Require Import Definitions Basics LossDefinitions LossBasics Curvature.
Open Scope R_scope.

(** ** The positive part and its powers *)

Definition pos_part (x : R) : R := Rmax 0 x.

Lemma pos_part_right : forall x, 0 <= x -> pos_part x = x.
Proof. intros x Hx. now apply Rmax_right. Qed.

Lemma pos_part_left : forall x, x <= 0 -> pos_part x = 0.
Proof. intros x Hx. now apply Rmax_left. Qed.

(** Split at the point where the positive part bends. *)
Ltac split_at x :=
  let H := fresh "Hs" in
  destruct (Rle_or_lt 0 x) as [H | H];
  [rewrite (pos_part_right x) in * by exact H
  | rewrite (pos_part_left x) in * by (apply Rlt_le; exact H)].

Lemma derivative_square_pos : forall x, derivable_pt_lim (fun u => pos_part u ^ 2) x (2 * pos_part x).
Proof.
  intros x e He. exists (mkposreal e He). cbn [pos]. intros h Hh0 Hh.
  assert (Hq : 0 <= pos_part (x + h) ^ 2 - pos_part x ^ 2 - 2 * pos_part x * h <= h ^ 2)
    by (split_at x; split_at (x + h); nra).
  replace ((pos_part (x + h) ^ 2 - pos_part x ^ 2) / h - 2 * pos_part x)
    with ((pos_part (x + h) ^ 2 - pos_part x ^ 2 - 2 * pos_part x * h) / h) by (field; assumption).
  revert Hq. generalize (pos_part (x + h) ^ 2 - pos_part x ^ 2 - 2 * pos_part x * h). intros d Hd.
  unfold Rdiv. rewrite Rabs_mult, (Rabs_right d), Rabs_inv by lra.
  apply Rle_lt_trans with (Rabs h); [| assumption].
  assert (Hpos : 0 < Rabs h) by now apply Rabs_pos_lt.
  apply (Rmult_le_reg_r (Rabs h)); [assumption |].
  rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
  replace (Rabs h * Rabs h) with (h ^ 2) by (rewrite <- (pow2_abs h); ring). lra.
Qed.

Lemma derivative_cube_pos : forall x, derivable_pt_lim (fun u => pos_part u ^ 3) x (3 * pos_part x ^ 2).
Proof.
  intros x. apply (derivable_pt_lim_ext (fun u => u * pos_part u ^ 2)).
  - intros u. split_at u; ring.
  - replace (3 * pos_part x ^ 2) with (1 * pos_part x ^ 2 + x * (2 * pos_part x))
      by (split_at x; ring).
    apply (derivable_pt_lim_mult (fun u => u) (fun u => pos_part u ^ 2));
      [apply derivable_pt_lim_id | apply derivative_square_pos].
Qed.

Lemma continuity_pos_part : forall x, continuity_pt pos_part x.
Proof.
  intros x e He. exists e. split; [assumption |]. intros u [_ Hu]. cbn in *. unfold R_dist in *.
  apply Rle_lt_trans with (Rabs (u - x)); [| assumption].
  apply Rabs_le. unfold Rabs. split_at u; split_at x; destruct (Rcase_abs (u - x)); lra.
Qed.

(** ** The tent of mass 1 on [-1, 1] and its two primitives *)

Definition tent (x : R) : R := pos_part (x + 1) - 2 * pos_part x + pos_part (x - 1).
Definition tent_primitive (x : R) : R :=
  / 2 * (pos_part (x + 1) ^ 2 - 2 * pos_part x ^ 2 + pos_part (x - 1) ^ 2).
Definition tent_second (x : R) : R :=
  / 6 * (pos_part (x + 1) ^ 3 - 2 * pos_part x ^ 3 + pos_part (x - 1) ^ 3).

Lemma derivative_shift : forall f c x d, derivable_pt_lim f (x + c) d ->
  derivable_pt_lim (fun u => f (u + c)) x d.
Proof.
  intros f c x d H. replace d with (d * (1 + 0)) by ring.
  apply (derivable_pt_lim_comp (fun u => u + c) f); [| assumption].
  apply (derivable_pt_lim_plus (fun u => u) (fun _ => c));
    [apply derivable_pt_lim_id | apply derivable_pt_lim_const].
Qed.

Lemma derivative_three : forall f f' c, (forall x, derivable_pt_lim f x (f' x)) ->
  forall x, derivable_pt_lim (fun u => c * (f (u + 1) - 2 * f u + f (u - 1))) x
              (c * (f' (x + 1) - 2 * f' x + f' (x - 1))).
Proof.
  intros f f' c H x.
  apply (derivable_pt_lim_scal (fun u => f (u + 1) - 2 * f u + f (u - 1))).
  apply (derivable_pt_lim_plus (fun u => f (u + 1) - 2 * f u) (fun u => f (u - 1))).
  - apply (derivable_pt_lim_minus (fun u => f (u + 1)) (fun u => 2 * f u)).
    + now apply derivative_shift.
    + now apply (derivable_pt_lim_scal f).
  - now apply (derivative_shift f (- 1)).
Qed.

Lemma tent_second_derivative : forall x, derivable_pt_lim tent_second x (tent_primitive x).
Proof.
  intros x. unfold tent_second.
  replace (tent_primitive x)
    with (/ 6 * (3 * pos_part (x + 1) ^ 2 - 2 * (3 * pos_part x ^ 2) + 3 * pos_part (x - 1) ^ 2))
    by (unfold tent_primitive; field).
  apply (derivative_three (fun u => pos_part u ^ 3) (fun u => 3 * pos_part u ^ 2)).
  apply derivative_cube_pos.
Qed.

Lemma tent_primitive_derivative : forall x, derivable_pt_lim tent_primitive x (tent x).
Proof.
  intros x. unfold tent_primitive.
  replace (tent x)
    with (/ 2 * (2 * pos_part (x + 1) - 2 * (2 * pos_part x) + 2 * pos_part (x - 1)))
    by (unfold tent; field).
  apply (derivative_three (fun u => pos_part u ^ 2) (fun u => 2 * pos_part u)).
  apply derivative_square_pos.
Qed.

Lemma continuity_tent : forall x, continuity_pt tent x.
Proof.
  intros x. unfold tent.
  assert (Hshift : forall c, continuity_pt (fun u => pos_part (u + c)) x).
  { intros c. apply (continuity_pt_comp (fun u => u + c) pos_part); [| apply continuity_pos_part].
    apply derivable_continuous_pt. exists 1. replace 1 with (1 + 0) by ring.
    apply (derivable_pt_lim_plus (fun u => u) (fun _ => c));
      [apply derivable_pt_lim_id | apply derivable_pt_lim_const]. }
  apply (continuity_pt_plus (fun u => pos_part (u + 1) - 2 * pos_part u) (fun u => pos_part (u - 1))).
  - apply (continuity_pt_minus (fun u => pos_part (u + 1)) (fun u => 2 * pos_part u)); [apply Hshift |].
    apply (continuity_pt_scal pos_part). apply continuity_pos_part.
  - apply (Hshift (- 1)).
Qed.

Lemma tent_not_negative : forall x, 0 <= tent x.
Proof. intros x. unfold tent. split_at (x + 1); split_at x; split_at (x - 1); lra. Qed.

Lemma tent_primitive_increases : forall x y, x <= y -> tent_primitive x <= tent_primitive y.
Proof.
  intros x y [H | ->]; [| lra].
  destruct (MVT_cor2 tent_primitive tent x y H) as (c & Hc & _).
  - intros c _. apply tent_primitive_derivative.
  - assert (H1 := tent_not_negative c). nra.
Qed.

Lemma tent_second_convex : forall x y, tent_second x + tent_primitive x * (y - x) <= tent_second y.
Proof.
  intros x y. destruct (Rtotal_order x y) as [H | [-> | H]]; [| lra |].
  - destruct (MVT_cor2 tent_second tent_primitive x y H) as (c & Hc & Hcxy).
    + intros c _. apply tent_second_derivative.
    + assert (H1 := tent_primitive_increases x c ltac:(lra)). nra.
  - destruct (MVT_cor2 tent_second tent_primitive y x H) as (c & Hc & Hcxy).
    + intros c _. apply tent_second_derivative.
    + assert (H1 := tent_primitive_increases c x ltac:(lra)). nra.
Qed.

Ltac tent_value :=
  unfold tent, tent_primitive, tent_second;
  repeat match goal with
  | |- context [pos_part ?x] => first [rewrite (pos_part_right x) by lra | rewrite (pos_part_left x) by lra]
  end.

Lemma tent_far_left : forall x, x <= - 1 -> tent x = 0 /\ tent_primitive x = 0 /\ tent_second x = 0.
Proof. intros x Hx. repeat split; tent_value; field. Qed.

Lemma tent_far_right : forall x, 1 <= x -> tent_primitive x = 1 /\ tent_second x = x.
Proof. intros x Hx. split; tent_value; field. Qed.

Lemma tent_at_0 : tent 0 = 1 /\ tent_primitive 0 = / 2 /\ tent_second 0 = / 6.
Proof. repeat split; tent_value; field. Qed.

Lemma tent_primitive_bounds : forall x, 0 <= tent_primitive x <= 1.
Proof.
  intros x. destruct (Rle_or_lt x (- 1)) as [H | H]; [destruct (tent_far_left x H) as (_ & -> & _); lra |].
  destruct (Rle_or_lt 1 x) as [H' | H']; [destruct (tent_far_right x H') as (-> & _); lra |].
  destruct (tent_far_left (- 1) ltac:(lra)) as (_ & H0 & _).
  destruct (tent_far_right 1 ltac:(lra)) as (H1 & _).
  assert (H2 := tent_primitive_increases (- 1) x ltac:(lra)).
  assert (H3 := tent_primitive_increases x 1 ltac:(lra)). lra.
Qed.

Lemma tent_second_above : forall x, x <= tent_second x.
Proof.
  intros x. assert (H := tent_second_convex 1 x). destruct (tent_far_right 1 ltac:(lra)) as (H1 & H2).
  rewrite H1, H2 in H. lra.
Qed.

(** ** The tents, counted from 0: centre and mass 2^-(n+1) *)

Definition centre (n : nat) : R := (/ 2) ^ S n.

Lemma half_power_positive : forall n, 0 < (/ 2) ^ n.
Proof. intros n. apply pow_lt. lra. Qed.

Lemma half_power_decreases : forall m n, (m <= n)%nat -> (/ 2) ^ n <= (/ 2) ^ m.
Proof.
  intros m n H. induction H as [| n H IH]; [lra |]. cbn [pow]. assert (H1 := half_power_positive n). lra.
Qed.

Lemma centre_bounds : forall n, 0 < centre n <= / 2.
Proof.
  intros n. unfold centre. split; [apply half_power_positive |]. rewrite <- (pow_1 (/ 2)) at 2.
  apply half_power_decreases. lia.
Qed.

(** So many tents reach beyond p. *)
Definition relevant (p : R) : nat := Z.to_nat (up (/ p)).

Lemma relevant_enough : forall e, 0 < e -> (/ 2) ^ relevant e <= e.
Proof.
  intros e He. unfold relevant.
  assert (Hinv : 0 < / e) by now apply Rinv_0_lt_compat.
  destruct (archimed (/ e)) as [Hup _].
  assert (Hz : (0 <= up (/ e))%Z) by (apply le_IZR; lra).
  assert (HN : / e < INR (Z.to_nat (up (/ e)))) by (rewrite INR_IZR_INZ, Z2Nat.id by assumption; exact Hup).
  assert (Hpow : forall n, INR n <= 2 ^ n).
  { induction n as [| n IH]; [cbn; lra |]. rewrite S_INR. cbn [pow].
    assert (H1 : 1 <= 2 ^ n) by (apply pow_R1_Rle; lra). lra. }
  specialize (Hpow (Z.to_nat (up (/ e)))).
  rewrite pow_inv. apply Rle_trans with (/ / e); [apply Rinv_le_contravar; lra |].
  rewrite Rinv_inv. lra.
Qed.

Lemma sum_of_centres : forall M, sum M centre = 1 - (/ 2) ^ M.
Proof.
  induction M as [| M IH]; cbn [sum pow]; [ring |]. rewrite IH. unfold centre. cbn [pow]. field.
Qed.

Lemma sum_of_squares : forall M, sum M (fun n => centre n ^ 2) = (1 - ((/ 2) ^ M) ^ 2) / 3.
Proof.
  induction M as [| M IH]; cbn [sum]; [cbn; field |]. rewrite IH. unfold centre. cbn [pow]. field.
Qed.

(** ** Finite sums of functions *)

Lemma derivative_scaled : forall f d c w p, w <> 0 -> derivable_pt_lim f ((c - p) / w) d ->
  derivable_pt_lim (fun u => f ((c - u) / w)) p (- (d / w)).
Proof.
  intros f d c w p Hw H. replace (- (d / w)) with (d * ((0 - 1) * / w)) by (field; assumption).
  apply (derivable_pt_lim_comp (fun u => (c - u) / w) f); [| assumption].
  replace ((0 - 1) * / w) with ((0 - 1) * / w + (c - p) * 0) by ring.
  apply (derivable_pt_lim_mult (fun u => c - u) (fun _ => / w)).
  - apply (derivable_pt_lim_minus (fun _ => c) (fun u => u));
      [apply derivable_pt_lim_const | apply derivable_pt_lim_id].
  - apply derivable_pt_lim_const.
Qed.

Lemma sum_derivative : forall M (F F' : nat -> R -> R) p, (forall n, derivable_pt_lim (F n) p (F' n p)) ->
  derivable_pt_lim (fun u => sum M (fun n => F n u)) p (sum M (fun n => F' n p)).
Proof.
  intros M F F' p H. induction M as [| M IH]; cbn [sum].
  - apply derivable_pt_lim_const.
  - now apply (derivable_pt_lim_plus (fun u => sum M (fun n => F n u)) (F M)).
Qed.

Lemma sum_continuous : forall M (F : nat -> R -> R) p, (forall n, continuity_pt (F n) p) ->
  continuity_pt (fun u => sum M (fun n => F n u)) p.
Proof.
  intros M F p H. induction M as [| M IH]; cbn [sum].
  - apply continuity_pt_const. now intros x y.
  - now apply (continuity_pt_plus (fun u => sum M (fun n => F n u)) (F M)).
Qed.

Lemma sum_stable : forall f M N, (M <= N)%nat -> (forall n, (M <= n)%nat -> f n = 0) -> sum N f = sum M f.
Proof.
  intros f M N H Hzero. induction H as [| N H IH]; [reflexivity |]. cbn [sum].
  rewrite IH, (Hzero N H). ring.
Qed.

(** Any number of tents that is large enough gives the same sums. *)
Lemma sum_any_length : forall (F : nat -> R -> R) M p, 0 < p ->
  (forall n, (/ 2) ^ n <= p -> F n p = 0) -> (/ 2) ^ M <= p ->
  sum (relevant p) (fun n => F n p) = sum M (fun n => F n p).
Proof.
  intros F M p Hp Hzero HM. assert (HN := relevant_enough p Hp).
  assert (Hbeyond : forall K n, (/ 2) ^ K <= p -> (K <= n)%nat -> F n p = 0).
  { intros K n HK Hn. apply Hzero. apply Rle_trans with ((/ 2) ^ K); [| assumption].
    now apply half_power_decreases. }
  destruct (Nat.le_ge_cases M (relevant p)) as [H | H].
  - apply sum_stable; [assumption |]. intros n Hn. now apply Hbeyond with M.
  - symmetry. apply sum_stable; [assumption |]. intros n Hn. now apply Hbeyond with (relevant p).
Qed.

(** Near p, that is between p/2 and 3p/2, the same finite sums serve. *)
Lemma near : forall p, inside p -> forall u, p / 2 < u < 3 * p / 2 -> 0 < u /\ (/ 2) ^ relevant (p / 2) <= u.
Proof.
  intros p [Hp _] u Hu. assert (H := relevant_enough (p / 2) ltac:(lra)). split; lra.
Qed.

Lemma small_centre : forall e, 0 < e -> exists n, centre n < e.
Proof.
  intros e He. exists (relevant e). assert (H := relevant_enough e He).
  assert (H1 := half_power_positive (relevant e)). unfold centre. cbn [pow]. lra.
Qed.

Lemma centre_inside : forall n, inside (centre n).
Proof. intros n. assert (H := centre_bounds n). unfold inside. lra. Qed.

Section Spikes.

Variable width : nat -> R.
Hypothesis width_bounds : forall n, 0 < width n <= centre n.

Definition term (n : nat) (p : R) : R := centre n * width n * tent_second ((centre n - p) / width n).
Definition term' (n : nat) (p : R) : R := centre n * tent_primitive ((centre n - p) / width n).
Definition term'' (n : nat) (p : R) : R := centre n / width n * tent ((centre n - p) / width n).

(** From the n-th tent on, everything vanishes at p >= 2^-n. *)
Lemma term_vanishes : forall n p, (/ 2) ^ n <= p -> term n p = 0 /\ term' n p = 0 /\ term'' n p = 0.
Proof.
  intros n p Hp.
  assert (Hc : centre n = / 2 * (/ 2) ^ n) by reflexivity.
  assert (Hw := width_bounds n).
  assert (Hx : (centre n - p) / width n <= - 1).
  { apply (Rmult_le_reg_r (width n)); [lra |]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra. }
  unfold term, term', term''. destruct (tent_far_left _ Hx) as (-> & -> & ->). repeat split; ring.
Qed.

Lemma term_convex : forall n p q, term n p - term' n p * (q - p) <= term n q.
Proof.
  intros n p q. unfold term, term'. assert (Hc := centre_bounds n). assert (Hw := width_bounds n).
  assert (H := tent_second_convex ((centre n - p) / width n) ((centre n - q) / width n)).
  apply (Rmult_le_compat_l (centre n * width n)) in H; [| apply Rmult_le_pos; lra].
  replace (centre n * width n * (tent_second ((centre n - p) / width n)
             + tent_primitive ((centre n - p) / width n)
               * ((centre n - q) / width n - (centre n - p) / width n)))
    with (centre n * width n * tent_second ((centre n - p) / width n)
          - centre n * tent_primitive ((centre n - p) / width n) * (q - p)) in H by (field; lra).
  exact H.
Qed.

Lemma term_above : forall n p, centre n * (centre n - p) <= term n p.
Proof.
  intros n p. unfold term. assert (Hc := centre_bounds n). assert (Hw := width_bounds n).
  assert (H := tent_second_above ((centre n - p) / width n)).
  apply (Rmult_le_compat_l (centre n * width n)) in H; [| apply Rmult_le_pos; lra].
  replace (centre n * width n * ((centre n - p) / width n)) with (centre n * (centre n - p)) in H
    by (field; lra).
  exact H.
Qed.

Lemma term_at_0 : forall n, term n 0 = centre n ^ 2.
Proof.
  intros n. unfold term. assert (Hc := centre_bounds n). assert (Hw := width_bounds n).
  destruct (tent_far_right ((centre n - 0) / width n)) as (_ & ->).
  - apply (Rmult_le_reg_r (width n)); [lra |]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra.
  - field. lra.
Qed.

Lemma term'_bounds : forall n p, 0 <= term' n p <= centre n.
Proof.
  intros n p. unfold term'. assert (Hc := centre_bounds n).
  assert (H := tent_primitive_bounds ((centre n - p) / width n)). nra.
Qed.

Lemma term''_not_negative : forall n p, 0 <= term'' n p.
Proof.
  intros n p. unfold term''. assert (Hc := centre_bounds n). assert (Hw := width_bounds n).
  apply Rmult_le_pos; [| apply tent_not_negative]. apply Rlt_le, Rdiv_lt_0_compat; lra.
Qed.

Lemma term''_at_centre : forall n, term'' n (centre n) = centre n / width n.
Proof.
  intros n. unfold term''. assert (Hc := centre_bounds n). assert (Hw := width_bounds n).
  replace ((centre n - centre n) / width n) with 0 by (field; lra).
  destruct tent_at_0 as (-> & _ & _). ring.
Qed.

Lemma term_derivative : forall n p, derivable_pt_lim (term n) p (- term' n p).
Proof.
  intros n p. assert (Hw := width_bounds n). unfold term, term'.
  replace (- (centre n * tent_primitive ((centre n - p) / width n)))
    with (centre n * width n * - (tent_primitive ((centre n - p) / width n) / width n)) by (field; lra).
  apply (derivable_pt_lim_scal (fun u => tent_second ((centre n - u) / width n))).
  apply derivative_scaled; [lra | apply tent_second_derivative].
Qed.

Lemma term'_derivative : forall n p, derivable_pt_lim (term' n) p (- term'' n p).
Proof.
  intros n p. assert (Hw := width_bounds n). unfold term', term''.
  replace (- (centre n / width n * tent ((centre n - p) / width n)))
    with (centre n * - (tent ((centre n - p) / width n) / width n)) by (field; lra).
  apply (derivable_pt_lim_scal (fun u => tent_primitive ((centre n - u) / width n))).
  apply derivative_scaled; [lra | apply tent_primitive_derivative].
Qed.

Lemma term''_continuous : forall n p, continuity_pt (term'' n) p.
Proof.
  intros n p. assert (Hw := width_bounds n). unfold term''.
  apply (continuity_pt_scal (fun u => tent ((centre n - u) / width n))).
  apply (continuity_pt_comp (fun u => (centre n - u) / width n) tent); [| apply continuity_tent].
  apply derivable_continuous_pt. exists (- (1 / width n)).
  apply (derivative_scaled (fun u => u)); [lra | apply derivable_pt_lim_id].
Qed.

(** ** The form, its derivative and its second derivative *)

Definition spike_form (p : R) : R :=
  if Rle_dec p 0 then 0 else 1 / 3 - p / 2 - sum (relevant p) (fun n => term n p).
Definition spike_slope (p : R) : R :=
  if Rle_dec p 0 then 1 / 2 else - (1 / 2) + sum (relevant p) (fun n => term' n p).
Definition spike_second (p : R) : R :=
  if Rle_dec p 0 then 0 else - sum (relevant p) (fun n => term'' n p).

Section Enough.

Variables (M : nat) (p : R).
Hypothesis p_positive : 0 < p.
Hypothesis M_enough : (/ 2) ^ M <= p.

Lemma spike_form_sum : spike_form p = 1 / 3 - p / 2 - sum M (fun n => term n p).
Proof using width_bounds p_positive M_enough.
  unfold spike_form. destruct (Rle_dec p 0) as [H | _]; [lra |].
  rewrite (sum_any_length term M p); try assumption; [reflexivity |]. intros n Hn. now apply term_vanishes.
Qed.

Lemma spike_slope_sum : spike_slope p = - (1 / 2) + sum M (fun n => term' n p).
Proof using width_bounds p_positive M_enough.
  unfold spike_slope. destruct (Rle_dec p 0) as [H | _]; [lra |].
  rewrite (sum_any_length term' M p); try assumption; [reflexivity |]. intros n Hn. now apply term_vanishes.
Qed.

Lemma spike_second_sum : spike_second p = - sum M (fun n => term'' n p).
Proof using width_bounds p_positive M_enough.
  unfold spike_second. destruct (Rle_dec p 0) as [H | _]; [lra |].
  rewrite (sum_any_length term'' M p); try assumption; [reflexivity |]. intros n Hn. now apply term_vanishes.
Qed.

End Enough.

Lemma spike_form_derivative : derivative_inside spike_form spike_slope.
Proof.
  intros p Hp. set (M := relevant (p / 2)).
  assert (Hnear := near p Hp). fold M in Hnear.
  assert (Hmid : p / 2 < p < 3 * p / 2) by (unfold inside in Hp; lra).
  destruct (Hnear p Hmid) as [H0 H1]. rewrite (spike_slope_sum M p H0 H1).
  apply (derivable_pt_lim_locally_ext (fun u => 1 / 3 - / 2 * u - sum M (fun n => term n u))
           spike_form p (p / 2) (3 * p / 2)); [assumption | |].
  - intros u Hu. destruct (Hnear u Hu) as [Hu0 Hu1]. rewrite (spike_form_sum M u Hu0 Hu1). field.
  - replace (- (1 / 2) + sum M (fun n => term' n p)) with (0 - / 2 - sum M (fun n => - term' n p))
      by (rewrite sum_opp; field).
    apply (derivable_pt_lim_minus (fun u => 1 / 3 - / 2 * u) (fun u => sum M (fun n => term n u))).
    + apply (derivable_pt_lim_minus (fun _ => 1 / 3) (fun u => / 2 * u));
        [apply derivable_pt_lim_const | apply derivative_linear].
    + apply (sum_derivative M term (fun n u => - term' n u)). intros n. apply term_derivative.
Qed.

Lemma spike_slope_derivative : derivative_inside spike_slope spike_second.
Proof.
  intros p Hp. set (M := relevant (p / 2)).
  assert (Hnear := near p Hp). fold M in Hnear.
  assert (Hmid : p / 2 < p < 3 * p / 2) by (unfold inside in Hp; lra).
  destruct (Hnear p Hmid) as [H0 H1]. rewrite (spike_second_sum M p H0 H1).
  apply (derivable_pt_lim_locally_ext (fun u => - (1 / 2) + sum M (fun n => term' n u))
           spike_slope p (p / 2) (3 * p / 2)); [assumption | |].
  - intros u Hu. destruct (Hnear u Hu) as [Hu0 Hu1]. now rewrite (spike_slope_sum M u Hu0 Hu1).
  - replace (- sum M (fun n => term'' n p)) with (0 + sum M (fun n => - term'' n p))
      by (rewrite sum_opp; ring).
    apply (derivable_pt_lim_plus (fun _ => - (1 / 2)) (fun u => sum M (fun n => term' n u))).
    + apply derivable_pt_lim_const.
    + apply (sum_derivative M term' (fun n u => - term'' n u)). intros n. apply term'_derivative.
Qed.

Lemma spike_second_continuous : forall p, inside p -> continuity_pt spike_second p.
Proof.
  intros p Hp. set (M := relevant (p / 2)).
  assert (Hnear := near p Hp). fold M in Hnear.
  apply (continuity_pt_locally_ext (fun u => - sum M (fun n => term'' n u)) spike_second (p / 2) p).
  - unfold inside in Hp. lra.
  - intros u Hu. unfold R_dist in Hu. apply Rabs_def2 in Hu.
    destruct (Hnear u ltac:(lra)) as [Hu0 Hu1]. now rewrite (spike_second_sum M u Hu0 Hu1).
  - apply (continuity_pt_opp (fun u => sum M (fun n => term'' n u))).
    apply sum_continuous. intros n. apply term''_continuous.
Qed.

(** ** The form with its slope makes a loss in L_2 *)

Lemma spike_at_0 : spike_form 0 = 0 /\ spike_slope 0 = 1 / 2.
Proof. unfold spike_form, spike_slope. destruct (Rle_dec 0 0); [split; reflexivity | lra]. Qed.

Lemma spike_supergradient : supergradient spike_form spike_slope.
Proof.
  intros p q [Hp0 Hp1] [Hq0 Hq1]. destruct spike_at_0 as [Hf0 Hg0].
  destruct (Req_dec p 0) as [-> | Hp]; destruct (Req_dec q 0) as [-> | Hq].
  - lra.
  - (* from 0: every term lies above its last tangent *)
    rewrite Hf0, Hg0. set (M := relevant q). assert (HM := relevant_enough q ltac:(lra)). fold M in HM.
    rewrite (spike_form_sum M q ltac:(lra) HM).
    assert (Hsum : sum M (fun n => centre n ^ 2) - sum M centre * q <= sum M (fun n => term n q)).
    { rewrite <- sum_scal_r, <- sum_minus. apply sum_le. intros n _.
      assert (H := term_above n q). lra. }
    rewrite sum_of_squares, sum_of_centres in Hsum. assert (Hpos := half_power_positive M). nra.
  - (* towards 0: the terms at 0 add up to less than 1/3 *)
    rewrite Hf0. set (M := relevant p). assert (HM := relevant_enough p ltac:(lra)). fold M in HM.
    rewrite (spike_form_sum M p ltac:(lra) HM), (spike_slope_sum M p ltac:(lra) HM).
    assert (Hsum : sum M (fun n => term n p) + sum M (fun n => term' n p) * p
                   <= sum M (fun n => centre n ^ 2)).
    { rewrite <- sum_scal_r, <- sum_plus. apply sum_le. intros n _.
      assert (H := term_convex n p 0). rewrite term_at_0 in H. lra. }
    rewrite sum_of_squares in Hsum. assert (Hpos := pow2_ge_0 ((/ 2) ^ M)). lra.
  - set (M := Nat.max (relevant p) (relevant q)).
    assert (HMp : (/ 2) ^ M <= p).
    { apply Rle_trans with ((/ 2) ^ relevant p); [apply half_power_decreases; lia |].
      apply relevant_enough. lra. }
    assert (HMq : (/ 2) ^ M <= q).
    { apply Rle_trans with ((/ 2) ^ relevant q); [apply half_power_decreases; lia |].
      apply relevant_enough. lra. }
    rewrite (spike_form_sum M p ltac:(lra) HMp), (spike_slope_sum M p ltac:(lra) HMp).
    rewrite (spike_form_sum M q ltac:(lra) HMq).
    assert (Hsum : sum M (fun n => term n p) - sum M (fun n => term' n p) * (q - p)
                   <= sum M (fun n => term n q)).
    { rewrite <- sum_scal_r, <- sum_minus. apply sum_le. intros n _. apply term_convex. }
    lra.
Qed.

Lemma spike_slope_bounds : forall p, in_unit p -> - (1 / 2) <= spike_slope p <= 1 / 2.
Proof.
  intros p [Hp0 Hp1]. destruct (Req_dec p 0) as [-> | Hp]; [destruct spike_at_0 as [_ ->]; lra |].
  set (M := relevant p). assert (HM := relevant_enough p ltac:(lra)). fold M in HM.
  rewrite (spike_slope_sum M p ltac:(lra) HM).
  assert (H0 : 0 <= sum M (fun n => term' n p)) by (apply sum_nonneg; intros; apply term'_bounds).
  assert (H1 : sum M (fun n => term' n p) <= sum M centre) by (apply sum_le; intros; apply term'_bounds).
  rewrite sum_of_centres in H1. assert (Hpos := half_power_positive M). lra.
Qed.

Lemma spike_form_bounds : forall p, in_unit p -> - (1 / 2) <= spike_form p <= 1 / 2.
Proof.
  intros p Hp. destruct spike_at_0 as [Hf0 Hg0]. assert (Hu : in_unit 0) by (unfold in_unit; lra).
  assert (H1 := spike_supergradient 0 p Hu Hp). assert (H2 := spike_supergradient p 0 Hp Hu).
  assert (H3 := spike_slope_bounds p Hp). unfold in_unit in Hp. rewrite Hf0, Hg0 in *. nra.
Qed.

Definition spike_loss : loss_function := loss_of spike_form spike_slope.

Lemma spike_loss_form : forall p, form spike_loss p = spike_form p.
Proof. intros p. apply form_of_loss_of. Qed.

Lemma spike_loss_form_derivative : derivative_inside (form spike_loss) spike_slope.
Proof.
  intros p Hp. apply (derivable_pt_lim_ext spike_form); [| now apply spike_form_derivative].
  intros u. symmetry. apply spike_loss_form.
Qed.

Lemma spike_loss_L2 : class_L2 spike_loss.
Proof.
  split; [split |].
  - apply loss_of_proper, spike_supergradient.
  - intros p y Hp. unfold spike_loss, loss_of.
    assert (H1 := spike_form_bounds p Hp). assert (H2 := spike_slope_bounds p Hp). unfold in_unit in Hp.
    destruct y; cbn [outcome]; nra.
  - exists spike_slope, spike_second. split; [exact spike_loss_form_derivative |].
    split; [exact spike_slope_derivative | exact spike_second_continuous].
Qed.

(** ** The spikes are high *)

Lemma spike_height : forall n, centre n / width n <= Rabs (spike_second (centre n)).
Proof.
  intros n. assert (Hc := centre_bounds n).
  rewrite (spike_second_sum (S n) (centre n)); [| lra | unfold centre; lra].
  rewrite Rabs_Ropp, Rabs_right
    by (apply Rle_ge, sum_nonneg; intros; apply term''_not_negative).
  rewrite <- term''_at_centre. apply (sum_term_le (S n) (fun k => term'' k (centre n))); [| lia].
  intros k _. apply term''_not_negative.
Qed.

Lemma term_not_negative : forall n p, 0 <= term n p.
Proof.
  intros n p. unfold term. assert (Hc := centre_bounds n). assert (Hw := width_bounds n).
  apply Rmult_le_pos; [apply Rmult_le_pos; lra |].
  assert (H := tent_second_convex (- 1) ((centre n - p) / width n)).
  destruct (tent_far_left (- 1) ltac:(lra)) as (_ & H1 & H2). rewrite H1, H2 in H. lra.
Qed.

(** Fewer tents give a larger form. *)
Lemma spike_form_below : forall M r, in_unit r -> spike_form r <= 1 / 3 - r / 2 - sum M (fun n => term n r).
Proof.
  intros M r [Hr0 Hr1]. destruct (Req_dec r 0) as [-> | Hr].
  - destruct spike_at_0 as [-> _].
    rewrite (sum_ext M _ (fun n => centre n ^ 2)) by (intros; apply term_at_0).
    rewrite sum_of_squares. assert (H := pow2_ge_0 ((/ 2) ^ M)). lra.
  - set (N := Nat.max M (relevant r)).
    assert (HN : (/ 2) ^ N <= r).
    { apply Rle_trans with ((/ 2) ^ relevant r); [apply half_power_decreases; lia |].
      apply relevant_enough. lra. }
    rewrite (spike_form_sum N r ltac:(lra) HN).
    replace N with (M + (N - M))%nat by lia. rewrite sum_split.
    assert (H : 0 <= sum (N - M) (fun i => term (M + i) r))
      by (apply sum_nonneg; intros; apply term_not_negative).
    lra.
Qed.

(** What the n-th tent alone contributes to the divergence of r from its centre. *)
Lemma spike_divergence : forall n r, in_unit r ->
  let Y := (centre n - r) / width n in
  centre n * width n * (tent_second Y - / 6 - / 2 * Y) <= BREG spike_loss r (centre n).
Proof.
  intros n r Hr Y. assert (Hc := centre_bounds n). assert (Hw := width_bounds n).
  unfold spike_loss. rewrite BREG_of_loss_of. unfold bregman.
  assert (H1 : (/ 2) ^ S n <= centre n) by (unfold centre; lra).
  rewrite (spike_form_sum (S n) (centre n)), (spike_slope_sum (S n) (centre n)) by lra.
  assert (Hf := spike_form_below (S n) r Hr).
  assert (Hsum : term n r - term n (centre n) + term' n (centre n) * (r - centre n)
              <= sum (S n) (fun k => term k r - term k (centre n) + term' k (centre n) * (r - centre n))).
  { apply (sum_term_le (S n) (fun k => term k r - term k (centre n) + term' k (centre n) * (r - centre n)));
      [| lia].
    intros k _. assert (H := term_convex k (centre n) r). lra. }
  rewrite sum_plus, sum_minus, sum_scal_r in Hsum.
  assert (Hterm : centre n * width n * (tent_second Y - / 6 - / 2 * Y)
                  = term n r - term n (centre n) + term' n (centre n) * (r - centre n)); [| lra].
  unfold term, term'. replace ((centre n - centre n) / width n) with 0 by (field; lra).
  destruct tent_at_0 as (_ & -> & ->). fold Y.
  replace (r - centre n) with (- (width n * Y)) by (unfold Y; field; lra). field.
Qed.

Lemma spike_divergence_at_width : forall n, in_unit (centre n + width n) ->
  centre n * width n / 3 <= BREG spike_loss (centre n + width n) (centre n).
Proof.
  intros n Hr. assert (Hw := width_bounds n). assert (H := spike_divergence n _ Hr). cbv zeta in H.
  replace ((centre n - (centre n + width n)) / width n) with (- 1) in H by (field; lra).
  destruct (tent_far_left (- 1) ltac:(lra)) as (_ & _ & E). rewrite E in H. lra.
Qed.

(** Half of the tent lies between its centre and any r that is further away than its half-width. *)
Lemma spike_divergence_far : forall n r, in_unit r ->
  centre n / 2 * (Rabs (r - centre n) - width n) <= BREG spike_loss r (centre n).
Proof.
  intros n r Hr. assert (Hc := centre_bounds n). assert (Hw := width_bounds n).
  assert (H := spike_divergence n r Hr). cbv zeta in H. set (Y := (centre n - r) / width n) in *.
  replace (r - centre n) with (- (width n * Y)) by (unfold Y; field; lra).
  rewrite Rabs_Ropp, Rabs_mult, (Rabs_right (width n)) by lra.
  assert (Hpos : 0 <= tent_second Y).
  { assert (E := tent_second_convex (- 1) Y). destruct (tent_far_left (- 1) ltac:(lra)) as (_ & E1 & E2).
    rewrite E1, E2 in E. lra. }
  assert (Habove := tent_second_above Y).
  assert (Hgoal : / 2 * (Rabs Y - 1) <= tent_second Y - / 6 - / 2 * Y)
    by (unfold Rabs; destruct (Rcase_abs Y); lra).
  apply (Rmult_le_compat_l (centre n * width n)) in Hgoal; [| apply Rmult_le_pos; lra]. lra.
Qed.

End Spikes.
