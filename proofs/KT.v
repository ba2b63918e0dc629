(** * One bucket: Krichevsky and Trofimov's rule against the clipped leader

    A bucket has a cell [lo, hi] and sees any sequence of outcomes. Before each outcome it has the mean
    [kt k n] and the same mean clipped to the cell; its wealth is the product of the quotients of the
    probabilities that the two give to the outcome. We prove, with q the clipped mean at the end,

      ln wealth >= n KL(k/n, q) - (1/2) ln (4 n).

    The product of the means is bounded step by step, with two elementary inequalities for the logarithm (no
    Gamma function). The clipped mean is the leader on the cell, so its losses add up to at least the smallest
    smoothed loss on the cell. The leader is treated with masses instead of counts and with any prior. *)

From Coq Require Import Reals Lra Lia Psatz List.
Import ListNotations.
From KLCal Require Import Definitions Basics.
Open Scope R_scope.

(** ** Elementary inequalities for the logarithm *)

(** A function with nonnegative derivative that starts at 0 is nonnegative. *)
Lemma nonneg_by_derivative f f' a :
  (forall x, a <= x -> derivable_pt_lim f x (f' x)) -> (forall x, a <= x -> 0 <= f' x) ->
  f a = 0 -> forall x, a <= x -> 0 <= f x.
Proof.
  intros Hd Hpos Ha x [Hax | <-]; [| lra].
  destruct (MVT_cor2 f f' a x Hax (fun c Hc => Hd c (proj1 Hc))) as (c & Heq & Hc1 & Hc2).
  assert (0 <= f' c * (x - a)) by (apply Rmult_le_pos; [apply Hpos |]; lra). lra.
Qed.

(** ln u >= 2 (u - 1) / (u + 1) for u >= 1. *)
Lemma ln_ge_quotient u : 1 <= u -> 2 * (u - 1) <= (u + 1) * ln u.
Proof.
  intros Hu.
  enough (0 <= (u + 1) * ln u - 2 * (u - 1)) by lra.
  apply (nonneg_by_derivative (fun x => (x + 1) * ln x - 2 * (x - 1))
           (fun x => ((1 + 0) * ln x + (x + 1) * / x) - 2 * (1 - 0)) 1); auto.
  - intros x Hx. apply derivable_pt_lim_minus.
    + apply (derivable_pt_lim_mult (fun x => x + 1) ln).
      * apply (derivable_pt_lim_plus id (fct_cte 1));
          [apply derivable_pt_lim_id | apply derivable_pt_lim_const].
      * apply derivable_pt_lim_ln; lra.
    + apply (derivable_pt_lim_scal (fun x => x - 1)).
      apply (derivable_pt_lim_minus id (fct_cte 1));
        [apply derivable_pt_lim_id | apply derivable_pt_lim_const].
  - intros x Hx. pose proof (ln_ge_1_minus_inv x ltac:(lra)).
    replace ((x + 1) * / x) with (1 + / x) by (field; lra). lra.
  - rewrite ln_1. ring.
Qed.

(** ln u <= (u - 1/u) / 2 for u >= 1. *)
Lemma ln_le_half_difference u : 1 <= u -> ln u <= (u - / u) / 2.
Proof.
  intros Hu.
  assert (H : 0 <= (u * u - 1) - 2 * (u * ln u)).
  { apply (nonneg_by_derivative (fun x => (x * x - 1) - 2 * (x * ln x))
             (fun x => ((1 * x + x * 1) - 0) - 2 * (1 * ln x + x * / x)) 1); auto.
    - intros x Hx. apply derivable_pt_lim_minus.
      + apply (derivable_pt_lim_minus (fun x => x * x) (fct_cte 1)); [| apply derivable_pt_lim_const].
        apply (derivable_pt_lim_mult id id); apply derivable_pt_lim_id.
      + apply (derivable_pt_lim_scal (fun x => x * ln x)).
        apply (derivable_pt_lim_mult id ln); [apply derivable_pt_lim_id | apply derivable_pt_lim_ln; lra].
    - intros x Hx. pose proof (ln_le_minus_1 x ltac:(lra)).
      replace (x * / x) with 1 by (field; lra). lra.
    - rewrite ln_1. ring. }
  apply Rmult_le_reg_l with (2 * u); [lra |].
  replace (2 * u * ((u - / u) / 2)) with (u * u - 1) by (field; lra). lra.
Qed.

(** ** The cross entropy and its minimum over an interval *)

(** Log loss of the forecast m on a ones and b zeros (masses, not necessarily integers). *)
Definition mass_loss (a b m : R) : R := - a * ln m - b * ln (1 - m).

(** If q is the projection of the mean a/(a+b) to a convex set that contains m (written as a variational
    inequality), then q has the smaller loss. *)
Lemma mass_loss_projection a b q m :
  0 <= a -> 0 <= b -> 0 < q < 1 -> 0 < m < 1 -> 0 <= (m - q) * ((a + b) * q - a) ->
  mass_loss a b q <= mass_loss a b m.
Proof.
  intros Ha Hb Hq Hm Hvar. unfold mass_loss.
  pose proof (ln_le_minus_1 (m / q) ltac:(apply Rdiv_lt_0_compat; lra)) as H1.
  pose proof (ln_le_minus_1 ((1 - m) / (1 - q)) ltac:(apply Rdiv_lt_0_compat; lra)) as H0.
  rewrite ln_div in H1, H0 by lra.
  pose proof (Rmult_le_compat_l a _ _ Ha H1) as H1'.
  pose proof (Rmult_le_compat_l b _ _ Hb H0) as H0'.
  assert (Hsum : a * (m / q - 1) + b * ((1 - m) / (1 - q) - 1)
                 = - ((m - q) * ((a + b) * q - a)) * / (q * (1 - q))) by (field; lra).
  assert (0 <= ((m - q) * ((a + b) * q - a)) * / (q * (1 - q))).
  { apply Rmult_le_pos; [exact Hvar |]. left. apply Rinv_0_lt_compat, Rmult_lt_0_compat; lra. }
  lra.
Qed.

(** ** Clipping to a cell *)

(** A closed interval inside [0, 1] that is not {0} or {1}: clipping keeps means in (0, 1). *)
Definition proper_cell (lo hi : R) : Prop := 0 <= lo <= hi /\ hi <= 1 /\ lo < 1 /\ 0 < hi.

Lemma clip_bounds lo hi x : lo <= hi -> lo <= clip lo hi x <= hi.
Proof.
  intros H. unfold clip, Rmax, Rmin. repeat destruct Rle_dec; lra.
Qed.

Lemma clip_inside lo hi x : lo <= x <= hi -> clip lo hi x = x.
Proof.
  intros H. unfold clip, Rmax, Rmin. repeat destruct Rle_dec; lra.
Qed.

Lemma clip_above lo hi x : lo <= hi -> hi <= x -> clip lo hi x = hi.
Proof.
  intros H H'. unfold clip, Rmax, Rmin. repeat destruct Rle_dec; lra.
Qed.

Lemma clip_below lo hi x : lo <= hi -> x <= lo -> clip lo hi x = lo.
Proof.
  intros H H'. unfold clip, Rmax, Rmin. repeat destruct Rle_dec; lra.
Qed.

Lemma clip_open lo hi x : proper_cell lo hi -> 0 < x < 1 -> 0 < clip lo hi x < 1.
Proof.
  unfold proper_cell. intros H Hx. unfold clip, Rmax, Rmin. repeat destruct Rle_dec; lra.
Qed.

(** Clipping is the projection: the variational inequality. *)
Lemma clip_variational lo hi x m : lo <= m <= hi -> 0 <= (m - clip lo hi x) * (clip lo hi x - x).
Proof.
  intros H. unfold clip, Rmax, Rmin. repeat destruct Rle_dec; nra.
Qed.

(** ** The clipped leader *)

Section Leader.
  (** Prior mass c on either outcome, mass a of ones and b of zeros so far. *)
  Variables lo hi c : R.
  Hypothesis Hcell : proper_cell lo hi.
  Hypothesis Hc : 0 < c.

  Definition smoothed (a b : R) : R := (a + c) / (a + b + 2 * c).
  Definition clipped (a b : R) : R := clip lo hi (smoothed a b).

  Lemma smoothed_open a b : 0 <= a -> 0 <= b -> 0 < smoothed a b < 1.
  Proof using Hc.
    intros Ha Hb. unfold smoothed. split.
    - apply Rdiv_lt_0_compat; lra.
    - apply Rmult_lt_reg_r with (a + b + 2 * c); [lra |].
      unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra.
  Qed.

  Lemma clipped_open a b : 0 <= a -> 0 <= b -> 0 < clipped a b < 1.
  Proof using Hc Hcell. intros. apply clip_open; auto using smoothed_open. Qed.

  Lemma clipped_in_cell a b : lo <= clipped a b <= hi.
  Proof using Hcell. apply clip_bounds. unfold proper_cell in Hcell. lra. Qed.

  (** The clipped mean minimises the smoothed loss on the cell. *)
  Lemma clipped_minimises a b m :
    0 <= a -> 0 <= b -> lo <= m <= hi -> 0 < m < 1 ->
    mass_loss (a + c) (b + c) (clipped a b) <= mass_loss (a + c) (b + c) m.
  Proof using Hc Hcell.
    intros Ha Hb Hm Hm01.
    apply mass_loss_projection; try lra.
    - now apply clipped_open.
    - replace (((a + c) + (b + c)) * clipped a b - (a + c))
        with ((a + b + 2 * c) * (clipped a b - smoothed a b)) by (unfold smoothed; field; lra).
      pose proof (clip_variational lo hi (smoothed a b) m Hm) as H. fold (clipped a b) in H.
      replace ((m - clipped a b) * ((a + b + 2 * c) * (clipped a b - smoothed a b)))
        with ((a + b + 2 * c) * ((m - clipped a b) * (clipped a b - smoothed a b))) by ring.
      apply Rmult_le_pos; lra.
  Qed.

  (** Smallest smoothed loss on the cell, and how it starts, grows and ends. *)
  Definition leader_loss (a b : R) : R :=
    mass_loss (a + c) (b + c) (clipped a b) - mass_loss c c (clipped 0 0).

  Lemma leader_loss_start : leader_loss 0 0 = 0.
  Proof. unfold leader_loss. rewrite Rplus_0_l. ring. Qed.

  Lemma leader_loss_step_one a b p : 0 <= a -> 0 <= b -> 0 <= p ->
    leader_loss (a + p) b <= leader_loss a b - p * ln (clipped a b).
  Proof using Hc Hcell.
    intros Ha Hb Hp. unfold leader_loss.
    pose proof (clipped_minimises (a + p) b (clipped a b) ltac:(lra) Hb
                  (clipped_in_cell a b) (clipped_open a b Ha Hb)) as H.
    unfold mass_loss in *. lra.
  Qed.

  Lemma leader_loss_step_zero a b p : 0 <= a -> 0 <= b -> 0 <= p ->
    leader_loss a (b + p) <= leader_loss a b - p * ln (1 - clipped a b).
  Proof using Hc Hcell.
    intros Ha Hb Hp. unfold leader_loss.
    pose proof (clipped_minimises a (b + p) (clipped a b) Ha ltac:(lra)
                  (clipped_in_cell a b) (clipped_open a b Ha Hb)) as H.
    unfold mass_loss in *. lra.
  Qed.

  Lemma leader_loss_end a b : 0 <= a -> 0 <= b -> mass_loss a b (clipped a b) <= leader_loss a b.
  Proof using Hc Hcell.
    intros Ha Hb. unfold leader_loss.
    pose proof (clipped_minimises 0 0 (clipped a b) ltac:(lra) ltac:(lra)
                  (clipped_in_cell a b) (clipped_open a b Ha Hb)) as H.
    rewrite Rplus_0_l in H. unfold mass_loss in *. lra.
  Qed.
End Leader.

(** ** Krichevsky and Trofimov's rule *)

(** The probability of a ones and b zeros under the best coin, logarithmically: minus n times the entropy. *)
Definition best_coin (a b : R) : R := a * ln a + b * ln b - (a + b) * ln (a + b).

Lemma best_coin_sym a b : best_coin a b = best_coin b a.
Proof. unfold best_coin. rewrite (Rplus_comm a b). ring. Qed.

(** The loss of q beyond that of the best coin is n KL(rho, q). *)
Lemma mass_loss_KL a b q : 0 <= a -> 0 <= b -> 0 < q < 1 ->
  (a + b) * KL (a / (a + b)) q = best_coin a b + mass_loss a b q.
Proof.
  intros Ha Hb Hq. rewrite scaled_KL by lra. unfold best_loss, best_coin, mass_loss.
  replace (a + b - a) with b by ring. ring.
Qed.

(** One more outcome of a kind seen a times: its price under the best coins is at most 1 beyond the rule's. *)
Lemma kt_one_side a : 0 <= a -> (a + 1) * ln (a + 1) - a * ln a - ln (a + / 2) <= 1.
Proof.
  intros [Ha | <-].
  - pose proof (ln_le_half_difference ((a + 1) / (a + / 2))) as H1.
    pose proof (ln_le_half_difference ((a + / 2) / a)) as H2.
    rewrite ln_div in H1, H2 by lra.
    assert (1 <= (a + 1) / (a + / 2)) by (apply Rmult_le_reg_r with (a + / 2); [lra | field_simplify; lra]).
    assert (1 <= (a + / 2) / a) by (apply Rmult_le_reg_r with a; [lra | field_simplify; lra]).
    specialize (H1 ltac:(assumption)). specialize (H2 ltac:(assumption)).
    apply Rmult_le_compat_l with (r := a + 1) in H1; [| lra].
    apply Rmult_le_compat_l with (r := a) in H2; [| lra].
    assert ((a + 1) * (((a + 1) / (a + / 2) - / ((a + 1) / (a + / 2))) / 2)
            + a * (((a + / 2) / a - / ((a + / 2) / a)) / 2) = 1) by (field; lra).
    lra.
  - rewrite !Rplus_0_l, ln_1, ln_Rinv by lra. pose proof (ln_le_minus_1 2 ltac:(lra)). lra.
Qed.

Lemma kt_total n : 0 < n -> 1 <= (n + / 2) * (ln (n + 1) - ln n).
Proof.
  intros Hn. rewrite <- ln_div by lra.
  assert (H1 : 1 <= (n + 1) / n) by (apply Rmult_le_reg_r with n; [lra | field_simplify; lra]).
  pose proof (ln_ge_quotient _ H1) as H.
  apply Rmult_le_reg_l with (2 / n); [apply Rdiv_lt_0_compat; lra |].
  replace (2 / n * ((n + / 2) * ln ((n + 1) / n)))
    with (((n + 1) / n + 1) * ln ((n + 1) / n)) by (field; lra).
  replace (2 / n * 1) with (2 * ((n + 1) / n - 1)) by (field; lra). exact H.
Qed.

(** Lower bound for the logarithm of the product of the rule's probabilities, as a function of the counts. *)
Definition kt_bound (k l : nat) : R :=
  match (k + l)%nat with
  | O => 0
  | S _ => best_coin (INR k) (INR l) - / 2 * ln (4 * INR (k + l))
  end.

Lemma kt_bound_used k l : (0 < k + l)%nat ->
  kt_bound k l = best_coin (INR k) (INR l) - / 2 * ln (4 * INR (k + l)).
Proof. unfold kt_bound. destruct (k + l)%nat; [lia | reflexivity]. Qed.

Lemma kt_bound_sym k l : kt_bound k l = kt_bound l k.
Proof. unfold kt_bound. now rewrite (Nat.add_comm k l), best_coin_sym. Qed.

Lemma kt_bound_step_one k l :
  kt_bound (S k) l <= kt_bound k l + ln (smoothed (/ 2) (INR k) (INR l)).
Proof.
  rewrite kt_bound_used by lia. unfold smoothed, best_coin.
  pose proof (pos_INR k) as Hk. pose proof (pos_INR l) as Hl.
  rewrite plus_INR, S_INR. rewrite ln_div by lra.
  replace (INR k + INR l + 2 * / 2) with (INR k + INR l + 1) by field.
  replace (INR k + 1 + INR l) with (INR k + INR l + 1) by ring.
  destruct (Nat.eq_dec (k + l) 0) as [H0 | H0].
  - assert (k = O /\ l = O) as [-> ->] by lia. unfold kt_bound. cbn [Nat.add INR].
    rewrite !Rplus_0_l, ln_1. replace (4 * 1) with (2 * 2) by ring.
    rewrite ln_mult, ln_Rinv by lra. lra.
  - rewrite kt_bound_used by lia. unfold best_coin. rewrite plus_INR.
    assert (Hn : 0 < INR k + INR l) by (rewrite <- plus_INR; apply lt_0_INR; lia).
    pose proof (kt_one_side _ Hk) as H1. pose proof (kt_total _ Hn) as H2.
    rewrite !ln_mult by lra. lra.
Qed.

Lemma smoothed_swap c a b : 0 < c -> 0 <= a -> 0 <= b -> 1 - smoothed c a b = smoothed c b a.
Proof. intros. unfold smoothed. field. lra. Qed.

Lemma kt_bound_step_zero k l :
  kt_bound k (S l) <= kt_bound k l + ln (1 - smoothed (/ 2) (INR k) (INR l)).
Proof.
  rewrite smoothed_swap by (lra || apply pos_INR).
  rewrite (kt_bound_sym k (S l)), (kt_bound_sym k l). apply kt_bound_step_one.
Qed.

(** ** One bucket *)

Lemma kt_is_smoothed k n : (k <= n)%nat -> kt k n = smoothed (/ 2) (INR k) (INR (n - k)).
Proof.
  intros H. unfold kt, smoothed. rewrite minus_INR by exact H.
  replace (INR k + (INR n - INR k) + 2 * / 2) with (INR n + 1) by field. reflexivity.
Qed.

Lemma kt_open k n : (k <= n)%nat -> 0 < kt k n < 1.
Proof. intros H. rewrite kt_is_smoothed by exact H. apply smoothed_open; (lra || apply pos_INR). Qed.

Lemma clip_kt_open lo hi k n : proper_cell lo hi -> (k <= n)%nat -> 0 < clip lo hi (kt k n) < 1.
Proof. intros Hcell H. apply clip_open; auto using kt_open. Qed.

(** By how much the wealth is multiplied by the outcome y, after n rounds with k ones. *)
Definition wealth_factor (lo hi : R) (k n : nat) (y : bool) : R :=
  prob (kt k n) y / prob (clip lo hi (kt k n)) y.

Lemma wealth_factor_pos lo hi k n y : proper_cell lo hi -> (k <= n)%nat -> 0 < wealth_factor lo hi k n y.
Proof. intros. apply Rdiv_lt_0_compat; apply prob_pos; auto using kt_open, clip_kt_open. Qed.

(** What the logarithm of the wealth is at least after n rounds with k ones. *)
Definition wealth_bound (lo hi : R) (k n : nat) : R :=
  kt_bound k (n - k) + leader_loss lo hi (/ 2) (INR k) (INR (n - k)).

Lemma wealth_bound_start lo hi : wealth_bound lo hi 0 0 = 0.
Proof. unfold wealth_bound. cbn [Nat.sub INR]. rewrite leader_loss_start. unfold kt_bound. cbn. ring. Qed.

Lemma wealth_bound_step lo hi k n (y : bool) : proper_cell lo hi -> (k <= n)%nat ->
  wealth_bound lo hi (if y then S k else k) (S n) <= wealth_bound lo hi k n + ln (wealth_factor lo hi k n y).
Proof.
  intros Hcell Hkn. unfold wealth_factor.
  pose proof (kt_open k n Hkn) as Hw. pose proof (clip_kt_open lo hi k n Hcell Hkn) as Hq.
  rewrite ln_div by (now apply prob_pos). unfold wealth_bound.
  rewrite (kt_is_smoothed k n Hkn). fold (clipped lo hi (/ 2) (INR k) (INR (n - k))).
  pose proof (pos_INR k) as Hk. pose proof (pos_INR (n - k)) as Hl.
  destruct y; cbn [prob].
  - replace (S n - S k)%nat with (n - k)%nat by lia.
    pose proof (kt_bound_step_one k (n - k)).
    pose proof (leader_loss_step_one lo hi (/ 2) Hcell ltac:(lra) _ _ 1 Hk Hl ltac:(lra)).
    rewrite S_INR. lra.
  - replace (S n - k)%nat with (S (n - k))%nat by lia.
    pose proof (kt_bound_step_zero k (n - k)).
    pose proof (leader_loss_step_zero lo hi (/ 2) Hcell ltac:(lra) _ _ 1 Hk Hl ltac:(lra)).
    rewrite S_INR. lra.
Qed.

Lemma wealth_bound_end lo hi k n : proper_cell lo hi -> (k <= n)%nat -> (0 < n)%nat ->
  INR n * KL (INR k / INR n) (clip lo hi (kt k n)) - / 2 * ln (4 * INR n) <= wealth_bound lo hi k n.
Proof.
  intros Hcell Hkn Hn. unfold wealth_bound. rewrite kt_bound_used by lia.
  replace (k + (n - k))%nat with n by lia.
  pose proof (pos_INR k) as Hk. pose proof (pos_INR (n - k)) as Hl.
  assert (Hsum : INR n = INR k + INR (n - k)) by (rewrite minus_INR by exact Hkn; ring).
  assert (Hpos : 0 < INR n) by now apply lt_0_INR.
  pose proof (leader_loss_end lo hi (/ 2) Hcell ltac:(lra) _ _ Hk Hl) as Hend.
  pose proof (mass_loss_KL (INR k) (INR (n - k)) (clip lo hi (kt k n)) Hk Hl
                (clip_kt_open lo hi k n Hcell Hkn)) as HKL.
  rewrite <- Hsum in HKL. rewrite HKL. rewrite (kt_is_smoothed k n Hkn).
  fold (clipped lo hi (/ 2) (INR k) (INR (n - k))). lra.
Qed.
