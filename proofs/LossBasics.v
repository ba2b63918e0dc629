(** * Lemmas behind Proposition 1: a proper loss is a concave form with a supergradient (Lemma 1 of the
    paper); the cells of a game; swap functions with given values. *)

From Coq Require Import Reals Lra Psatz Lia Arith.
From KLCal Require Import Definitions Basics LossDefinitions.
Open Scope R_scope.

(** ** Proper losses *)

Lemma outcome_in_unit : forall y, in_unit (outcome y).
Proof. intros []; unfold outcome, in_unit; lra. Qed.

Lemma loss_from_form : forall l p y, l p y = form l p + slope l p * (outcome y - p).
Proof. intros l p []; unfold form, mean_loss, slope, outcome; ring. Qed.

Lemma mean_loss_from_form : forall l r p, mean_loss l r p = form l p + slope l p * (r - p).
Proof. intros l r p. unfold form, mean_loss, slope. ring. Qed.

(** The divergence is the excess of the mean loss. *)
Lemma BREG_is_excess : forall l r p, BREG l r p = mean_loss l r p - mean_loss l r r.
Proof. intros l r p. unfold BREG, bregman. rewrite mean_loss_from_form. unfold form. ring. Qed.

Lemma BREG_not_negative : forall l r p, proper l -> in_unit r -> in_unit p -> 0 <= BREG l r p.
Proof. intros l r p Hl Hr Hp. rewrite BREG_is_excess. specialize (Hl r p Hr Hp). lra. Qed.

Lemma BREG_diagonal : forall l r, BREG l r r = 0.
Proof. intros l r. rewrite BREG_is_excess. ring. Qed.

Lemma proper_supergradient : forall l, proper l -> supergradient (form l) (slope l).
Proof.
  intros l Hl p q Hp Hq. specialize (Hl q p Hq Hp). rewrite mean_loss_from_form in Hl.
  rewrite mean_loss_from_form in Hl. lra.
Qed.

Lemma supergradient_proper : forall l, supergradient (form l) (slope l) -> proper l.
Proof.
  intros l Hl p q Hp Hq. rewrite !mean_loss_from_form. specialize (Hl q p Hq Hp). lra.
Qed.

(** The loss made from a form and a supergradient. *)
Definition loss_of (f g : R -> R) : loss_function := fun p y => f p + g p * (outcome y - p).

Lemma form_of_loss_of : forall f g p, form (loss_of f g) p = f p.
Proof. intros f g p. unfold form, mean_loss, loss_of, outcome. ring. Qed.

Lemma slope_of_loss_of : forall f g p, slope (loss_of f g) p = g p.
Proof. intros f g p. unfold slope, loss_of, outcome. ring. Qed.

Lemma BREG_of_loss_of : forall f g r p, BREG (loss_of f g) r p = bregman f g r p.
Proof. intros f g r p. unfold BREG, bregman. now rewrite !form_of_loss_of, slope_of_loss_of. Qed.

Lemma loss_of_proper : forall f g, supergradient f g -> proper (loss_of f g).
Proof.
  intros f g H. apply supergradient_proper. intros p q Hp Hq.
  rewrite !form_of_loss_of, slope_of_loss_of. now apply H.
Qed.

(** A function with a supergradient is concave. *)
Lemma supergradient_concave : forall f g a b s, supergradient f g -> in_unit a -> in_unit b -> in_unit s ->
  s * f a + (1 - s) * f b <= f (s * a + (1 - s) * b).
Proof.
  intros f g a b s H Ha Hb Hs. set (c := s * a + (1 - s) * b).
  assert (Hc : in_unit c) by (unfold in_unit, c in *; nra).
  assert (H1 := H c a Hc Ha). assert (H2 := H c b Hc Hb).
  assert (s * f a <= s * (f c + g c * (a - c))) by (apply Rmult_le_compat_l; unfold in_unit in *; lra).
  assert ((1 - s) * f b <= (1 - s) * (f c + g c * (b - c)))
    by (apply Rmult_le_compat_l; unfold in_unit in *; lra).
  assert (Hmean : s * (f c + g c * (a - c)) + (1 - s) * (f c + g c * (b - c)) = f c)
    by (unfold c; ring).
  lra.
Qed.

(** The slope of a proper loss does not increase. *)
Lemma slopes_decrease : forall f g a b, supergradient f g -> in_unit a -> in_unit b ->
  (g b - g a) * (b - a) <= 0.
Proof.
  intros f g a b H Ha Hb. assert (H1 := H a b Ha Hb). assert (H2 := H b a Hb Ha). nra.
Qed.

(** Lemma 1 of the paper: a loss is proper if and only if, at forecasts in [0, 1], it is
    l(p, y) = f(p) + g(p) (y - p) with a supergradient g of a (then concave) function f. Moreover f is the
    univariate form. *)
Theorem lemma1 : forall l,
  (proper l <->
   exists f g, supergradient f g /\ forall p y, in_unit p -> l p y = f p + g p * (outcome y - p))
  /\ forall f g, (forall p y, in_unit p -> l p y = f p + g p * (outcome y - p)) ->
       forall p, in_unit p -> f p = form l p.
Proof.
  intros l. split; [split |].
  - intros Hl. exists (form l), (slope l). split; [now apply proper_supergradient |].
    intros. apply loss_from_form.
  - intros (f & g & Hfg & Heq) p q Hp Hq. unfold mean_loss.
    rewrite !Heq by assumption. unfold outcome. assert (H := Hfg q p Hq Hp). lra.
  - intros f g Heq p Hp. unfold form, mean_loss. rewrite !Heq by assumption. unfold outcome. ring.
Qed.

(** ** Cells *)

Section Cells.

Variables (n T : nat) (P : nat -> nat -> R) (y : nat -> bool).
Hypothesis P_weights : weights n P.

Lemma mass_not_negative : forall i, (i < n)%nat -> 0 <= mass P T i.
Proof using P_weights. intros i Hi. apply sum_nonneg. intros t _. now apply P_weights. Qed.

Lemma ones_not_negative : forall i, (i < n)%nat -> 0 <= mass_of_ones P y T i.
Proof using P_weights.
  intros i Hi. apply sum_nonneg. intros t _. assert (H := P_weights t i Hi).
  assert (H1 := outcome_in_unit (y t)). unfold in_unit in *. nra.
Qed.

Lemma ones_at_most_mass : forall i, (i < n)%nat -> mass_of_ones P y T i <= mass P T i.
Proof using P_weights.
  intros i Hi. apply sum_le. intros t _. assert (H := P_weights t i Hi).
  assert (H1 := outcome_in_unit (y t)). unfold in_unit in *. nra.
Qed.

(** Also for an empty cell, where both sides are 0. *)
Lemma mass_times_frequency : forall i, (i < n)%nat ->
  mass P T i * frequency P y T i = mass_of_ones P y T i.
Proof using P_weights.
  intros i Hi. unfold frequency.
  assert (H1 := ones_not_negative i Hi). assert (H2 := ones_at_most_mass i Hi).
  destruct (Req_dec (mass P T i) 0) as [H0 | H0].
  - rewrite H0. lra.
  - field. exact H0.
Qed.

Lemma frequency_in_unit : forall i, (i < n)%nat -> in_unit (frequency P y T i).
Proof using P_weights.
  intros i Hi. unfold in_unit.
  assert (H1 := ones_not_negative i Hi). assert (H2 := ones_at_most_mass i Hi).
  assert (H3 := mass_times_frequency i Hi).
  destruct (Req_dec (mass P T i) 0) as [H0 | H0].
  - unfold frequency. replace (mass_of_ones P y T i) with 0 by lra. unfold Rdiv. lra.
  - assert (0 < mass P T i) by lra. nra.
Qed.

(** In one cell any loss adds up to the mass times its mean. *)
Lemma loss_in_cell : forall (l : loss_function) q i, (i < n)%nat ->
  sum T (fun t => P t i * l q (y t)) = mass P T i * mean_loss l (frequency P y T i) q.
Proof using P_weights.
  intros l q i Hi. rewrite mean_loss_from_form.
  rewrite (sum_ext T _ (fun t => (form l q - slope l q * q) * P t i
                                   + slope l q * (P t i * outcome (y t))))
    by (intros t _; rewrite loss_from_form; ring).
  rewrite sum_plus, !sum_scal. fold (mass P T i) (mass_of_ones P y T i).
  rewrite <- (mass_times_frequency i Hi). ring.
Qed.

End Cells.

Lemma drawn_weights : forall n I, weights n (drawn I).
Proof. intros n I t i _. apply point_nonneg. Qed.

(** The weights 0 and 1 count rounds. *)
Lemma mass_counts : forall I y T i, mass (drawn I) T i = INR (count (rounds I y T) i).
Proof.
  intros I y T i. unfold mass. induction T as [| T IH]; [reflexivity |]. cbn [sum rounds count].
  rewrite IH. unfold drawn, point. destruct (I T =? i)%nat; [rewrite S_INR |]; lra.
Qed.

Lemma ones_count : forall I y T i, mass_of_ones (drawn I) y T i = INR (count_ones (rounds I y T) i).
Proof.
  intros I y T i. unfold mass_of_ones. induction T as [| T IH]; [reflexivity |].
  cbn [sum rounds count_ones]. rewrite IH. unfold drawn, point.
  destruct (I T =? i)%nat, (y T); cbn [andb outcome]; try rewrite S_INR; lra.
Qed.

Lemma drawn_KLCal : forall n z I y T, pseudo_KLCal n z (drawn I) y T = KLCal n z (rounds I y T).
Proof.
  intros n z I y T. unfold pseudo_KLCal, KLCal. apply sum_ext. intros i _.
  now rewrite (mass_counts I y), ones_count.
Qed.

(** A swap function with any given values at the points. *)
Definition reply (n : nat) (z r : nat -> R) (p : R) : R :=
  match lowest n (fun i => if Req_EM_T (z i) p then true else false) with
  | Some i => r i
  | None => p
  end.

Lemma reply_at_point : forall n z r i, different n z -> (i < n)%nat -> reply n z r (z i) = r i.
Proof.
  intros n z r i Hz Hi. unfold reply.
  destruct (lowest n _) as [j |] eqn:E.
  - apply lowest_some in E. destruct E as (Hj & Htest & _).
    destruct (Req_EM_T (z j) (z i)) as [Heq | _]; [| discriminate].
    now rewrite (Hz j i Hj Hi Heq).
  - apply lowest_none with (i := i) in E; [| assumption].
    destruct (Req_EM_T (z i) (z i)); [discriminate | congruence].
Qed.

Lemma reply_swaps : forall n z r, (forall i, (i < n)%nat -> in_unit (r i)) -> swap_function (reply n z r).
Proof.
  intros n z r Hr p Hp. unfold reply. destruct (lowest n _) as [j |] eqn:E; [| assumption].
  apply lowest_some in E. now apply Hr.
Qed.

Lemma is_lub_unique : forall E a b, is_lub E a -> is_lub E b -> a = b.
Proof. intros E a b [Ha1 Ha2] [Hb1 Hb2]. apply Rle_antisym; auto. Qed.

(** A greatest element is the least upper bound. *)
Lemma greatest_is_lub : forall (E : R -> Prop) m, E m -> (forall x, E x -> x <= m) -> is_lub E m.
Proof. intros E m H1 H2. split; [exact H2 |]. intros b Hb. now apply Hb. Qed.
