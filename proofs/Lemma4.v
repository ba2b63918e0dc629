(** * Lemma 4 of the paper: the regret of EWOO is at most ln (1 + S), S being the mass it has received.

    No integral is needed. Let V (a, s) = s H(a/s) + ln (1 + s). A round with weight p <= 1 and outcome 1
    raises V by at least - p ln ((a + 1)/(s + 2)), the loss of EWOO: the difference of the two is concave
    in p, vanishes at p = 0, and is s ln (1 + 1/s) - a ln (1 + 1/a) >= 0 at p = 1. Outcome 0 is symmetric.
    Summing the rounds bounds the loss of EWOO by V. The concavity is used as Jensen's inequality between
    p = 0 and p = 1. *)

From Coq Require Import Reals Arith Lia Lra Psatz.
From KLCal Require Import Definitions Basics.
Open Scope R_scope.

(** The lower end of the chord: x ln (1 + 1/x) increases. *)
Lemma x_ln_increasing a s :
  0 <= a <= s -> a * (ln (a + 1) - ln a) <= s * (ln (s + 1) - ln s).
Proof.
  intros [[Ha| <-] Has].
  - assert (Hx : 0 < (a + 1) / a) by (apply Rdiv_lt_0_compat; lra).
    pose proof (ln_jensen2 a (s - a) ((a + 1) / a) 1 ltac:(lra) ltac:(lra) ltac:(lra) Hx ltac:(lra)) as H.
    replace ((a * ((a + 1) / a) + (s - a) * 1) / (a + (s - a))) with ((s + 1) / s) in H by (field; lra).
    rewrite ln_1, !ln_div in H by lra. replace (a + (s - a)) with s in H by ring. lra.
  - rewrite Rmult_0_l. destruct (Rle_lt_or_eq_dec _ _ Has) as [Hs| <-]; [|lra].
    apply Rmult_le_pos; [lra|]. pose proof (ln_increasing s (s + 1) Hs ltac:(lra)). lra.
Qed.

(** The three parts of V lie above their chords over 0 <= p <= 1. *)
Lemma chord_ln x p : 0 < x -> 0 <= p <= 1 -> (1 - p) * ln x + p * ln (x + 1) <= ln (x + p).
Proof.
  intros Hx Hp.
  pose proof (ln_jensen2 (1 - p) p x (x + 1) ltac:(lra) ltac:(lra) ltac:(lra) Hx ltac:(lra)) as H.
  replace (((1 - p) * x + p * (x + 1)) / (1 - p + p)) with (x + p) in H by (field; lra).
  replace (1 - p + p) with 1 in H by ring. lra.
Qed.

(** t ln ((t + b)/t) at t = a + p; at t = 0 it is 0. *)
Lemma chord_perspective a b p :
  0 <= a -> 0 <= b -> 0 < a + b -> 0 < p <= 1 ->
  (1 - p) * (a * (ln (a + b) - ln a)) + p * ((a + 1) * (ln (a + b + 1) - ln (a + 1)))
  <= (a + p) * (ln (a + b + p) - ln (a + p)).
Proof.
  intros [Ha| <-] Hb Hab Hp.
  - assert (Hx : 0 < (a + b) / a) by (apply Rdiv_lt_0_compat; lra).
    assert (Hy : 0 < (a + b + 1) / (a + 1)) by (apply Rdiv_lt_0_compat; lra).
    pose proof (ln_jensen2 ((1 - p) * a) (p * (a + 1)) _ _ ltac:(nra) ltac:(nra) ltac:(nra) Hx Hy) as H.
    replace ((1 - p) * a + p * (a + 1)) with (a + p) in H by ring.
    replace (((1 - p) * a * ((a + b) / a) + p * (a + 1) * ((a + b + 1) / (a + 1))) / (a + p))
      with ((a + b + p) / (a + p)) in H by (field; lra).
    rewrite !ln_div in H by lra. lra.
  - replace (0 + 1) with 1 by ring. rewrite !Rplus_0_l, ln_1.
    assert (H : ln (b + 1) <= ln (b + p) - ln p).
    { rewrite <- ln_div by lra. apply ln_le; [lra|].
      apply Rmult_le_reg_r with p; [lra|]. replace ((b + p) / p * p) with (b + p) by (field; lra). nra. }
    nra.
Qed.

(** ** One round *)

Definition potential (a s : R) : R := best_loss a s + ln (1 + s).

(** Outcome 1. *)
Lemma potential_step a s p :
  0 <= a <= s -> 0 <= p <= 1 -> - p * ln (ewoo a s) <= potential (a + p) (s + p) - potential a s.
Proof.
  intros Has [[Hp| <-] Hp1]; [|rewrite !Rplus_0_r; lra].
  unfold potential, ewoo, best_loss. rewrite ln_div by lra.
  replace (s + p - (a + p)) with (s - a) by ring.
  pose proof (chord_ln (1 + s) p ltac:(lra) ltac:(lra)) as H3.
  replace (1 + s + 1) with (s + 2) in H3 by ring. replace (1 + s + p) with (1 + (s + p)) in H3 by ring.
  destruct (Req_dec s 0) as [E|Hs0].
  - (* nothing was received before *)
    replace s with 0 in * by lra. replace a with 0 in * by lra. rewrite Rplus_0_r, ln_1 in *.
    replace (0 + 1) with 1 by ring. rewrite ln_1, Rplus_0_l in *. lra.
  - pose proof (chord_perspective a (s - a) p ltac:(lra) ltac:(lra) ltac:(lra) ltac:(lra)) as H1.
    replace (a + (s - a)) with s in H1 by ring.
    pose proof (chord_ln s p ltac:(lra) ltac:(lra)) as H2.
    pose proof (x_ln_increasing a s Has) as H0.
    apply (Rmult_le_compat_l (s - a)) in H2; [|lra].
    apply (Rmult_le_compat_l p) in H0; [|lra].
    replace (s + 1) with (1 + s) in * by ring. nra.
Qed.

Lemma ewoo_bounds a s : 0 <= a <= s -> 0 < ewoo a s < 1.
Proof.
  intros H. unfold ewoo. split; [apply Rdiv_lt_0_compat; lra|].
  apply Rmult_lt_reg_r with (s + 2); [lra|].
  replace ((a + 1) / (s + 2) * (s + 2)) with (a + 1) by (field; lra). lra.
Qed.

Lemma ewoo_sym a s : 0 <= a <= s -> 1 - ewoo a s = ewoo (s - a) s.
Proof. intros H. unfold ewoo. field. lra. Qed.

(** Either outcome. *)
Lemma ewoo_step a s p y :
  0 <= a <= s -> 0 <= p <= 1 ->
  p * loss (ewoo a s) y <= potential (a + p * outcome y) (s + p) - potential a s.
Proof.
  intros Has Hp. destruct y; unfold loss; cbn [prob outcome].
  - pose proof (potential_step a s p Has Hp) as H. rewrite Rmult_1_r. lra.
  - pose proof (potential_step (s - a) s p ltac:(lra) Hp) as H. rewrite ewoo_sym by assumption.
    unfold potential in *. rewrite best_loss_sym in H.
    replace (s - a + p) with (s + p - a) in H by ring. rewrite best_loss_sym in H.
    replace (a + p * 0) with a by ring. lra.
Qed.

(** ** All rounds: learner i of a game with mixtures P receives the mass [P t i] in round t *)

Section Regret.
Variables (P : nat -> nat -> R) (y : nat -> bool) (i : nat).
Hypothesis HP : forall t, 0 <= P t i <= 1.

Lemma mass_of_ones_bounds T : 0 <= mass_of_ones P y T i <= mass P T i.
Proof using HP.
  unfold mass_of_ones, mass. split.
  - apply sum_nonneg. intros t _. apply Rmult_le_pos; [apply HP|apply outcome_bounds].
  - apply sum_le. intros t _. pose proof (HP t). pose proof (outcome_bounds (y t)). nra.
Qed.

(** EWOO loses at most ln (1 + S) more than the best constant in hindsight. *)
Lemma lemma4_hindsight T :
  sum T (fun t => P t i * loss (ewoo (mass_of_ones P y t i) (mass P t i)) (y t))
  <= best_loss (mass_of_ones P y T i) (mass P T i) + ln (1 + mass P T i).
Proof using HP.
  induction T as [|T IH].
  - cbn. rewrite best_loss_0, Rplus_0_r, ln_1. lra.
  - pose proof (ewoo_step _ _ (P T i) (y T) (mass_of_ones_bounds T) (HP T)) as H.
    unfold potential in H. rewrite sum_succ.
    change (mass_of_ones P y (S T) i) with (mass_of_ones P y T i + P T i * outcome (y T)).
    change (mass P (S T) i) with (mass P T i + P T i). lra.
Qed.

Lemma constant_loss T w :
  sum T (fun t => P t i * loss w (y t))
  = - mass_of_ones P y T i * ln w - (mass P T i - mass_of_ones P y T i) * ln (1 - w).
Proof using.
  induction T as [|T IH]; [cbn; ring|]. rewrite sum_succ, IH, loss_split.
  change (mass_of_ones P y (S T) i) with (mass_of_ones P y T i + P T i * outcome (y T)).
  change (mass P (S T) i) with (mass P T i + P T i). ring.
Qed.

Lemma mass_bounds T : 0 <= mass P T i <= INR T.
Proof using HP.
  unfold mass. split; [apply sum_nonneg; intros; apply HP|].
  rewrite <- (Rmult_1_r (INR T)), <- sum_const. apply sum_le. intros. apply HP.
Qed.

(** Lemma 4. For weights P t i between 0 and 1 and every outcome sequence, the loss of EWOO exceeds that of
    any constant w in [0, 1] by at most ln (1 + S), where S is the mass received in T rounds; hence by at most
    ln (T + 1), the paper's bound. A constant 0 or 1 that meets the other outcome has infinite loss, which the
    library's logarithm does not show; the two last hypotheses leave it out. *)
Theorem lemma4 T w :
  0 <= w <= 1 ->
  (w = 0 -> mass_of_ones P y T i = 0) -> (w = 1 -> mass_of_ones P y T i = mass P T i) ->
  sum T (fun t => P t i * loss (ewoo (mass_of_ones P y t i) (mass P t i)) (y t))
  - sum T (fun t => P t i * loss w (y t))
  <= ln (1 + mass P T i) <= ln (1 + INR T).
Proof using HP.
  intros Hw H0 H1. pose proof (lemma4_hindsight T) as H. pose proof (mass_of_ones_bounds T) as Ha.
  pose proof (mass_bounds T) as Hs. rewrite constant_loss. split; [|apply ln_le; lra].
  destruct (Req_dec w 0) as [E|N0]; [|destruct (Req_dec w 1) as [E|N1]].
  - unfold best_loss in H. rewrite (H0 E), Rminus_0_r in H. rewrite (H0 E), E, !Rminus_0_r, ln_1. lra.
  - unfold best_loss in H. rewrite (H1 E), Rminus_eq_0 in H. rewrite (H1 E), E, !Rminus_eq_0, ln_1. lra.
  - pose proof (best_loss_le _ _ w Ha ltac:(lra)). lra.
Qed.

End Regret.
