(** * Lemma 3 of the paper is false, and Proposition 2 falls with it

    The lemma: if f is concave, Lipschitz and bounded on [0, 1] and twice continuously differentiable in (0,
    1), then |f''(p)| <= c max (1/p, 1/(1 - p)) for some constant c. The counterexample: -f'' is a sum of
    tents. The tent number n = 1, 2, ... has its centre at 2^-n, the half-width 2^-(3n+2) and the mass 2^-n,
    so its height is 2^(2n+2), while the lemma would allow c 2^n. Moreover f(0) = 0 and f'(0) = 1/2. The
    tents pile up at 0 only, so near a point p > 0 all sums are finite. *)

From Coq Require Import Reals Lra Psatz Lia Arith ZArith.
From KLCal Require Import Definitions Basics LossDefinitions LossBasics Proposition1 Curvature Pinsker.
From KLCal Require Import Proposition2.
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

(** ** The tents, counted from 0: centre and mass 2^-(n+1), half-width a quarter of its cube *)

Definition centre (n : nat) : R := (/ 2) ^ S n.
Definition width (n : nat) : R := centre n ^ 3 / 4.

Definition term (n : nat) (p : R) : R := centre n * width n * tent_second ((centre n - p) / width n).
Definition term' (n : nat) (p : R) : R := centre n * tent_primitive ((centre n - p) / width n).
Definition term'' (n : nat) (p : R) : R := centre n / width n * tent ((centre n - p) / width n).

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

Lemma width_bounds : forall n, 0 < width n <= centre n.
Proof.
  intros n. unfold width. assert (H := centre_bounds n). assert (H1 : 0 < centre n * centre n <= / 4) by nra.
  replace (centre n ^ 3) with (centre n * (centre n * centre n)) by ring. split; nra.
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

Lemma term''_at_centre : forall n, term'' n (centre n) = 4 / centre n ^ 2.
Proof.
  intros n. unfold term''. assert (Hc := centre_bounds n). assert (Hw := width_bounds n).
  replace ((centre n - centre n) / width n) with 0 by (field; lra).
  destruct tent_at_0 as (-> & _ & _). unfold width. field. lra.
Qed.

(** What the n-th tent contributes to the divergence of centre + width from the centre. *)
Lemma term_divergence : forall n,
  term n (centre n + width n) - term n (centre n) + term' n (centre n) * width n = centre n * width n / 3.
Proof.
  intros n. unfold term, term'. assert (Hw := width_bounds n).
  replace ((centre n - (centre n + width n)) / width n) with (- 1) by (field; lra).
  replace ((centre n - centre n) / width n) with 0 by (field; lra).
  destruct (tent_far_left (- 1) ltac:(lra)) as (_ & _ & ->). destruct tent_at_0 as (_ & -> & ->). field.
Qed.

Lemma sum_of_centres : forall M, sum M centre = 1 - (/ 2) ^ M.
Proof.
  induction M as [| M IH]; cbn [sum pow]; [ring |]. rewrite IH. unfold centre. cbn [pow]. field.
Qed.

Lemma sum_of_squares : forall M, sum M (fun n => centre n ^ 2) = (1 - ((/ 2) ^ M) ^ 2) / 3.
Proof.
  induction M as [| M IH]; cbn [sum]; [cbn; field |]. rewrite IH. unfold centre. cbn [pow]. field.
Qed.

(** ** Derivatives of the terms and of finite sums *)

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

(** ** The form, its derivative and its second derivative *)

Definition spike_form (p : R) : R :=
  if Rle_dec p 0 then 0 else 1 / 3 - p / 2 - sum (relevant p) (fun n => term n p).
Definition spike_slope (p : R) : R :=
  if Rle_dec p 0 then 1 / 2 else - (1 / 2) + sum (relevant p) (fun n => term' n p).
Definition spike_second (p : R) : R :=
  if Rle_dec p 0 then 0 else - sum (relevant p) (fun n => term'' n p).

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

Section Enough.

Variables (M : nat) (p : R).
Hypothesis p_positive : 0 < p.
Hypothesis M_enough : (/ 2) ^ M <= p.

Lemma spike_form_sum : spike_form p = 1 / 3 - p / 2 - sum M (fun n => term n p).
Proof using p_positive M_enough.
  unfold spike_form. destruct (Rle_dec p 0) as [H | _]; [lra |].
  rewrite (sum_any_length term M p); try assumption; [reflexivity |]. intros n Hn. now apply term_vanishes.
Qed.

Lemma spike_slope_sum : spike_slope p = - (1 / 2) + sum M (fun n => term' n p).
Proof using p_positive M_enough.
  unfold spike_slope. destruct (Rle_dec p 0) as [H | _]; [lra |].
  rewrite (sum_any_length term' M p); try assumption; [reflexivity |]. intros n Hn. now apply term_vanishes.
Qed.

Lemma spike_second_sum : spike_second p = - sum M (fun n => term'' n p).
Proof using p_positive M_enough.
  unfold spike_second. destruct (Rle_dec p 0) as [H | _]; [lra |].
  rewrite (sum_any_length term'' M p); try assumption; [reflexivity |]. intros n Hn. now apply term_vanishes.
Qed.

End Enough.

(** Near p, that is between p/2 and 3p/2, the same finite sums serve. *)
Lemma near : forall p, inside p -> forall u, p / 2 < u < 3 * p / 2 -> 0 < u /\ (/ 2) ^ relevant (p / 2) <= u.
Proof.
  intros p [Hp _] u Hu. assert (H := relevant_enough (p / 2) ltac:(lra)). split; lra.
Qed.

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

(** ** The spikes are too high *)

Lemma small_centre : forall e, 0 < e -> exists n, centre n < e.
Proof.
  intros e He. exists (relevant e). assert (H := relevant_enough e He).
  assert (H1 := half_power_positive (relevant e)). unfold centre. cbn [pow]. lra.
Qed.

Lemma centre_inside : forall n, inside (centre n).
Proof. intros n. assert (H := centre_bounds n). unfold inside. lra. Qed.

Lemma spike_height : forall n, 4 / centre n ^ 2 <= Rabs (spike_second (centre n)).
Proof.
  intros n. assert (Hc := centre_bounds n).
  rewrite (spike_second_sum (S n) (centre n)); [| lra | unfold centre; lra].
  rewrite Rabs_Ropp, Rabs_right
    by (apply Rle_ge, sum_nonneg; intros; apply term''_not_negative).
  rewrite <- term''_at_centre. apply (sum_term_le (S n) (fun k => term'' k (centre n))); [| lia].
  intros k _. apply term''_not_negative.
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
  exists spike_form, spike_slope, spike_second. split; [| split; [| split; [| split; [| split; [| split]]]]].
  - intros a b s Ha Hb Hs.
    now apply supergradient_concave with spike_slope; [exact spike_supergradient | | |].
  - exists (1 / 2). intros a b Ha Hb.
    assert (H1 := spike_supergradient a b Ha Hb). assert (H2 := spike_supergradient b a Hb Ha).
    assert (H3 := spike_slope_bounds a Ha). assert (H4 := spike_slope_bounds b Hb).
    apply Rabs_le. unfold Rabs. destruct (Rcase_abs (a - b)); nra.
  - exists (1 / 2). intros a Ha. apply Rabs_le. now apply spike_form_bounds.
  - exact spike_form_derivative.
  - exact spike_slope_derivative.
  - exact spike_second_continuous.
  - intros [c Hc]. assert (Hpos := Rabs_pos c).
    destruct (small_centre (/ (Rabs c + 1)) ltac:(apply Rinv_0_lt_compat; lra)) as [n Hn].
    assert (Hb := centre_bounds n). specialize (Hc (centre n) (centre_inside n)).
    assert (Hh := spike_height n).
    rewrite Rmax_left in Hc by (apply Rinv_le_contravar; lra).
    assert (H : 4 / centre n ^ 2 <= c * / centre n) by lra.
    apply (Rmult_le_compat_r (centre n ^ 2)) in H; [| apply pow2_ge_0].
    replace (4 / centre n ^ 2 * centre n ^ 2) with 4 in H by (field; lra).
    replace (c * / centre n * centre n ^ 2) with (c * centre n) in H by (field; lra).
    assert (Hn' : centre n * (Rabs c + 1) < 1).
    { apply (Rmult_lt_compat_r (Rabs c + 1)) in Hn; [| lra]. rewrite Rinv_l in Hn by lra. exact Hn. }
    assert (Hle := Rle_abs c). nra.
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

(** The divergence of centre + width from the centre. *)
Lemma spike_divergence : forall n, centre n * width n / 3 <= BREG spike_loss (centre n + width n) (centre n).
Proof.
  intros n. assert (Hc := centre_bounds n). assert (Hw := width_bounds n).
  unfold spike_loss. rewrite BREG_of_loss_of. unfold bregman.
  assert (H1 : (/ 2) ^ S n <= centre n) by (unfold centre; lra).
  rewrite (spike_form_sum (S n) (centre n)), (spike_slope_sum (S n) (centre n)),
          (spike_form_sum (S n) (centre n + width n)) by lra.
  rewrite <- term_divergence.
  assert (H : term n (centre n + width n) - term n (centre n) + term' n (centre n) * width n
              <= sum (S n) (fun k => term k (centre n + width n) - term k (centre n)
                                     + term' k (centre n) * width n)).
  { apply (sum_term_le (S n) (fun k => term k (centre n + width n) - term k (centre n)
                                       + term' k (centre n) * width n)); [| lia].
    intros k _. assert (H := term_convex k (centre n) (centre n + width n)). lra. }
  rewrite sum_plus, sum_minus, sum_scal_r in H. lra.
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
  exists spike_loss. split; [exact spike_loss_L2 |]. intros c.
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
    (sum 1 (fun i => mass (drawn I) T i * BREG spike_loss (frequency (drawn I) y T i) (z i))).
  assert (Hz : different 1 z) by (intros i j Hi Hj _; lia).
  assert (Hin : forall i, (i < 1)%nat -> inside (z i)) by (intros; apply centre_inside).
  assert (HI : forall t, (t < T)%nat -> (I t < 1)%nat) by (intros; unfold I; lia).
  split; [assumption |]. split; [assumption |]. split; [assumption |]. split.
  - destruct spike_loss_L2 as ((Hproper & _) & _).
    apply (proposition1 spike_loss 1 z y T Hproper Hz); [| assumption].
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
    assert (HB := spike_divergence n).
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
    assert (H1 : c * KL (centre n + width n) (centre n) < BREG spike_loss (centre n + width n) (centre n)).
    { apply Rle_lt_trans with (Rabs c * KL (centre n + width n) (centre n)).
      - apply Rmult_le_compat_r; lra.
      - assert (H := Rmult_le_compat_l (Rabs c) _ _ Hpos HKL). lra. }
    apply (Rmult_lt_compat_l (INR T)) in H1; [| assumption]. lra.
Qed.
