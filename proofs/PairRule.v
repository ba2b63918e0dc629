(** * PAIR's mixture is a distribution on at most two points, and it balances

    For any means strictly between 0 and 1 the rule of PAIR finds a point whose mean lies in its cell, or two
    neighbours whose means lie beyond their common boundary on either side, mixed such that the means average
    to the boundary. So the mean of prob w y / prob q y over the draw is 1 for both outcomes y, where q is the
    mean w of the drawn point, clipped to its cell. *)

From Coq Require Import Reals Lra Lia Bool.
From KLCal Require Import Definitions Basics KT CellToPoint.
Open Scope R_scope.

Section Rule.
  Variable K : nat.
  Hypothesis HK : (2 <= K)%nat.
  Variable w : nat -> R.
  Hypothesis Hw : forall i, (i < K - 1)%nat -> 0 < w i < 1.

  Definition in_cell (i : nat) : Prop := boundary K i <= w i <= boundary K (S i).

  (** The means of i and of i + 1 lie beyond the boundary between them. *)
  Definition facing (i : nat) : Prop := w (S i) < boundary K (S i) < w i.

  (** The probability of the lower of two facing neighbours. *)
  Definition lower_share (i : nat) : R := (boundary K (S i) - w (S i)) / (w i - w (S i)).

  Lemma lower_share_bounds i : facing i -> 0 < lower_share i < 1.
  Proof using.
    intros [H1 H2]. unfold lower_share. split.
    - apply Rdiv_lt_0_compat; lra.
    - apply Rmult_lt_reg_r with (w i - w (S i)); [lra |].
      unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra.
  Qed.

  Lemma lower_share_balance i : facing i ->
    lower_share i * w i + (1 - lower_share i) * w (S i) = boundary K (S i).
  Proof using. intros [H1 H2]. unfold lower_share. field. lra. Qed.

  (** There is always a move. *)
  Lemma move_exists : (forall i, (i < K - 1)%nat -> ~ in_cell i) -> exists i, (S i < K - 1)%nat /\ facing i.
  Proof using HK Hw.
    intros Hout.
    assert (Hstep : forall i, (i < K - 1)%nat ->
              (exists j, (S j < K - 1)%nat /\ facing j) \/ boundary K (S i) < w i).
    { unfold in_cell, facing in *. induction i as [| i IH]; intros Hi.
      - right. pose proof (Hw 0%nat Hi). specialize (Hout 0%nat Hi). rewrite boundary_zero in Hout. lra.
      - destruct (IH ltac:(lia)) as [H | H]; [now left |].
        destruct (Rlt_dec (w (S i)) (boundary K (S i))) as [Hlt | Hge].
        + left. exists i. split; [lia | lra].
        + right. specialize (Hout (S i) Hi). lra. }
    destruct (Hstep (K - 2)%nat ltac:(lia)) as [H | H]; [exact H | exfalso].
    replace (S (K - 2)) with (K - 1)%nat in H by lia.
    rewrite boundary_last in H by exact HK. pose proof (Hw (K - 2)%nat ltac:(lia)). lra.
  Qed.

  (** What the rule does. *)
  Lemma pair_rule_cases :
    (exists i, (i < K - 1)%nat /\ in_cell i /\ forall j, pair_rule K w j = point i j)
    \/ (exists i, (S i < K - 1)%nat /\ facing i
                  /\ pair_rule K w i = lower_share i /\ pair_rule K w (S i) = 1 - lower_share i
                  /\ forall j, j <> i -> j <> S i -> pair_rule K w j = 0).
  Proof using HK Hw.
    unfold pair_rule.
    destruct (lowest (K - 1) _) as [i |] eqn:Hcell.
    - left. exists i. apply lowest_some in Hcell. destruct Hcell as (Hi & Htest & _).
      rewrite andb_true_iff, !at_most_true, Nat.add_1_r in Htest. now repeat split.
    - right. destruct (lowest (K - 2) _) as [i |] eqn:Hpair.
      + exists i. apply lowest_some in Hpair. destruct Hpair as (Hi & Htest & _).
        rewrite andb_true_iff, !less_true, !Nat.add_1_r in Htest. rewrite !Nat.add_1_r.
        unfold facing, lower_share. repeat split; try lia; try lra.
        * now rewrite Nat.eqb_refl.
        * rewrite Nat.eqb_refl. destruct (Nat.eqb_spec (S i) i); [lia | reflexivity].
        * intros j Hj Hj'. destruct (Nat.eqb_spec j i), (Nat.eqb_spec j (S i)); congruence || reflexivity.
      + exfalso. destruct move_exists as (i & Hi & Hface).
        * intros i Hi Hin. pose proof (lowest_none _ _ Hcell i Hi) as Htest. cbv beta in Htest.
          rewrite Nat.add_1_r, andb_false_iff, !at_most_false in Htest. unfold in_cell in Hin. lra.
        * pose proof (lowest_none _ _ Hpair i ltac:(lia)) as Htest. cbv beta in Htest.
          rewrite Nat.add_1_r, andb_false_iff, !less_false in Htest. unfold facing in Hface. lra.
  Qed.

  (** The mean of f over the draw. *)
  Lemma pair_rule_mean f :
    (exists i, (i < K - 1)%nat /\ in_cell i /\ sum (K - 1) (fun j => pair_rule K w j * f j) = f i)
    \/ (exists i, (S i < K - 1)%nat /\ facing i
                  /\ sum (K - 1) (fun j => pair_rule K w j * f j)
                     = lower_share i * f i + (1 - lower_share i) * f (S i)).
  Proof using HK Hw.
    destruct pair_rule_cases as [(i & Hi & Hin & Heq) | (i & Hi & Hface & Hlo & Hup & Hzero)].
    - left. exists i. repeat split; [exact Hi | apply Hin | apply Hin |].
      rewrite <- (sum_point (K - 1) i f Hi). apply sum_ext. intros j _. now rewrite Heq.
    - right. exists i. repeat split; [exact Hi | apply Hface | apply Hface |].
      rewrite (sum_pair (K - 1) i) by (auto; intros j _ H1 H2; rewrite Hzero by auto; ring).
      now rewrite Hlo, Hup.
  Qed.

  Theorem pair_rule_is_distribution : is_distribution (K - 1) (pair_rule K w).
  Proof using HK Hw.
    split.
    - intros j _. destruct pair_rule_cases as [(i & Hi & Hin & Heq) | (i & Hi & Hface & Hlo & Hup & Hzero)].
      + rewrite Heq. apply point_nonneg.
      + pose proof (lower_share_bounds i Hface).
        destruct (Nat.eq_dec j i) as [-> |]; [lra |].
        destruct (Nat.eq_dec j (S i)) as [-> |]; [lra |]. rewrite Hzero by auto. lra.
    - rewrite (sum_ext _ _ (fun j => pair_rule K w j * 1)) by (intros; ring).
      destruct (pair_rule_mean (fun _ => 1)) as [(i & _ & _ & ->) | (i & _ & _ & ->)]; ring.
  Qed.

  (** At most two points, which are neighbours, have positive probability. *)
  Theorem pair_rule_support : exists i, forall j, j <> i -> j <> S i -> pair_rule K w j = 0.
  Proof using HK Hw.
    destruct pair_rule_cases as [(i & Hi & Hin & Heq) | (i & Hi & Hface & Hlo & Hup & Hzero)].
    - exists i. intros j Hj _. rewrite Heq. now apply point_other, not_eq_sym.
    - now exists i.
  Qed.

  (** The mean w i, clipped to the cell of i. *)
  Definition clipped_mean (i : nat) : R := clip (boundary K i) (boundary K (S i)) (w i).

  (** The balance of a round: the quotients have mean 1, whatever the outcome. *)
  Theorem pair_rule_balance y :
    sum (K - 1) (fun i => pair_rule K w i * (prob (w i) y / prob (clipped_mean i) y)) = 1.
  Proof using HK Hw.
    destruct (pair_rule_mean (fun i => prob (w i) y / prob (clipped_mean i) y))
      as [(i & Hi & Hin & ->) | (i & Hi & Hface & ->)]; unfold clipped_mean.
    - rewrite clip_inside by exact Hin. pose proof (prob_pos (w i) y (Hw i Hi)). field. lra.
    - pose proof (point_in_cell K HK i ltac:(lia)) as Hcell.
      pose proof (point_in_cell K HK (S i) ltac:(lia)) as Hcell'.
      pose proof (boundary_inside K HK (S i) ltac:(lia)) as Hb.
      pose proof (lower_share_balance i Hface) as Hbal. unfold facing in Hface.
      rewrite clip_above, clip_below by lra.
      pose proof (prob_pos (boundary K (S i)) y Hb) as Hpos.
      replace (lower_share i * (prob (w i) y / prob (boundary K (S i)) y)
               + (1 - lower_share i) * (prob (w (S i)) y / prob (boundary K (S i)) y))
        with ((lower_share i * prob (w i) y + (1 - lower_share i) * prob (w (S i)) y)
              / prob (boundary K (S i)) y) by (field; lra).
      replace (lower_share i * prob (w i) y + (1 - lower_share i) * prob (w (S i)) y)
        with (prob (boundary K (S i)) y) by (destruct y; cbn [prob]; lra).
      field. lra.
  Qed.
End Rule.

(** After every history PAIR plays a distribution on its K - 1 points, and at most two of them, neighbours,
    have positive probability. *)
Theorem pair_mixture_is_distribution K h : (2 <= K)%nat ->
  is_distribution (K - 1) (pair_mixture K h)
  /\ exists i, forall j, j <> i -> j <> S i -> pair_mixture K h j = 0.
Proof.
  intros HK.
  assert (Hw : forall i, (i < K - 1)%nat -> 0 < kt (count_ones h i) (count h i) < 1).
  { intros i _. apply kt_open, count_ones_le. }
  split; [now apply pair_rule_is_distribution | now apply pair_rule_support].
Qed.

Corollary PAIR_is_proper K : (2 <= K)%nat -> proper_forecaster (PAIR K).
Proof. intros HK h. now apply pair_mixture_is_distribution. Qed.
