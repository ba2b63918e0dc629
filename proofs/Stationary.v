(** * The mixtures of Algorithm 1 exist: elimination yields a stationary distribution.

    The induction eliminates the last state. It carries leaks (see the definition), so that the invariant is:
    rows with their leak add up to 1. Then the weights are nonnegative, are fixed by Q, put no mass on leaking
    states, and do not vanish if nothing leaks. *)

From Coq Require Import Reals Arith Lia Lra Psatz.
From KLCal Require Import Definitions Basics.
Open Scope R_scope.

(** The states 0, ..., n of a chain with leaks. *)
Definition leaky_chain (n : nat) (Q : nat -> nat -> R) (leak : nat -> R) : Prop :=
  (forall i j, (i <= n)%nat -> (j <= n)%nat -> 0 <= Q i j) /\
  (forall i, (i <= n)%nat -> 0 <= leak i) /\
  (forall i, (i <= n)%nat -> sum (S n) (Q i) + leak i = 1).

(** Dropping the last state: its share of a row becomes a leak. *)
Lemma drop_last_state n Q leak :
  leaky_chain (S n) Q leak -> leaky_chain n Q (fun i => leak i + Q i (S n)).
Proof.
  intros (HQ & Hl & Hrow). repeat split.
  - intros. apply HQ; lia.
  - intros i Hi. pose proof (HQ i (S n) ltac:(lia) ltac:(lia)). pose proof (Hl i ltac:(lia)). lra.
  - intros i Hi. pose proof (Hrow i ltac:(lia)) as H. rewrite sum_succ in H. lra.
Qed.

(** Eliminating the last state: its share of a row is passed on in the proportions of its moves. *)
Lemma eliminate_last_state n Q leak :
  let moves := leak (S n) + sum (S n) (Q (S n)) in
  leaky_chain (S n) Q leak -> moves <> 0 ->
  leaky_chain n (fun i j => Q i j + Q i (S n) * Q (S n) j / moves)
                (fun i => leak i + Q i (S n) * leak (S n) / moves).
Proof.
  intros moves (HQ & Hl & Hrow) Hm0.
  assert (Hm : 0 < moves).
  { assert (0 <= sum (S n) (Q (S n))) by (apply sum_nonneg; intros; apply HQ; lia).
    pose proof (Hl (S n) ltac:(lia)). unfold moves in *. lra. }
  assert (Hpass : forall x y, 0 <= x -> 0 <= y -> 0 <= x * y / moves).
  { intros x y Hx Hy. apply Rmult_le_pos; [now apply Rmult_le_pos|]. left. now apply Rinv_0_lt_compat. }
  repeat split.
  - intros i j Hi Hj. pose proof (HQ i j ltac:(lia) ltac:(lia)).
    pose proof (Hpass _ _ (HQ i (S n) ltac:(lia) ltac:(lia)) (HQ (S n) j ltac:(lia) ltac:(lia))). lra.
  - intros i Hi. pose proof (Hl i ltac:(lia)).
    pose proof (Hpass _ _ (HQ i (S n) ltac:(lia) ltac:(lia)) (Hl (S n) ltac:(lia))). lra.
  - intros i Hi. pose proof (Hrow i ltac:(lia)) as H. rewrite sum_succ in H.
    rewrite sum_plus, sum_div, sum_scal.
    replace (sum (S n) (Q (S n))) with (moves - leak (S n)) by (unfold moves; ring).
    rewrite <- H. field. lra.
Qed.

(** A fixed vector puts no mass on leaking states. *)
Lemma fixed_weights_avoid_leaks n Q leak w :
  leaky_chain n Q leak -> (forall i, (i <= n)%nat -> 0 <= w i) ->
  (forall j, (j <= n)%nat -> w j = sum (S n) (fun i => w i * Q i j)) ->
  forall i, (i <= n)%nat -> w i * leak i = 0.
Proof.
  intros (HQ & Hl & Hrow) Hw Hfix i Hi.
  apply (sum_zero_terms (S n) (fun i => w i * leak i)); [|clear i Hi|lia].
  - intros k Hk. apply Rmult_le_pos; [apply Hw|apply Hl]; lia.
  - assert (H : sum (S n) w = sum (S n) (fun i => w i * sum (S n) (Q i))).
    { transitivity (sum (S n) (fun j => sum (S n) (fun i => w i * Q i j))).
      - apply sum_ext. intros. apply Hfix. lia.
      - rewrite sum_swap. apply sum_ext. intros. apply sum_scal. }
    rewrite (sum_ext _ (fun i => w i * leak i) (fun i => w i - w i * sum (S n) (Q i))).
    + rewrite sum_minus. lra.
    + intros k Hk. pose proof (Hrow k ltac:(lia)) as Hr.
      replace (leak k) with (1 - sum (S n) (Q k)) by lra. ring.
Qed.

Lemma stationary_weights_correct n : forall Q leak, leaky_chain n Q leak ->
  let w := stationary_weights n Q leak in
  (forall i, 0 <= w i) /\
  (forall i, (n < i)%nat -> w i = 0) /\
  (forall j, (j <= n)%nat -> w j = sum (S n) (fun i => w i * Q i j)) /\
  ((forall i, (i <= n)%nat -> leak i = 0) -> 0 < sum (S n) w).
Proof.
  induction n as [|n IH]; intros Q leak Hc.
  - destruct Hc as (HQ & Hl & Hrow). cbn [stationary_weights].
    pose proof (Hrow 0%nat ltac:(lia)) as H0. cbn [sum] in H0.
    destruct (Req_EM_T (leak 0%nat) 0) as [E|E]; repeat split.
    + intros. apply point_nonneg.
    + intros. apply point_other. lia.
    + intros j Hj. replace j with 0%nat by lia. cbn [sum]. rewrite point_same. lra.
    + intros _. cbn [sum]. rewrite point_same. lra.
    + intros; lra.
    + intros. cbn [sum]. ring.
    + intros H. exfalso. apply E, H. lia.
  - remember (S n) as last eqn:Elast.
    assert (Hmoves : leak last + sum last (Q last) = 1 - Q last last).
    { destruct Hc as (_ & _ & Hrow). pose proof (Hrow last ltac:(lia)) as H. rewrite sum_succ in H. lra. }
    set (moves := leak last + sum last (Q last)) in *.
    assert (Hunfold : stationary_weights last Q leak =
      if Req_EM_T moves 0 then
        let w := stationary_weights n Q (fun i => leak i + Q i last) in
        if Req_EM_T (sum last w) 0 then point last else w
      else
        let w := stationary_weights n (fun i j => Q i j + Q i last * Q last j / moves)
                                      (fun i => leak i + Q i last * leak last / moves) in
        fun i => if (i =? last)%nat then sum last (fun j => w j * Q j last) / moves else w i)
      by (unfold moves; now rewrite Elast).
    cbv zeta in Hunfold |- *. rewrite Hunfold. clear Hunfold.
    destruct (Req_EM_T moves 0) as [Em|Em].
    + (* the last state never moves *)
      assert (Hc' : leaky_chain n Q (fun i => leak i + Q i last)).
      { rewrite Elast in *. now apply drop_last_state. }
      destruct (IH _ _ Hc') as (Hw & Hout & Hfix & _). clear IH.
      set (w := stationary_weights n Q (fun i => leak i + Q i last)) in *.
      destruct Hc as (HQ & Hl & _).
      destruct (Req_EM_T (sum last w) 0) as [Es|Es].
      * repeat split.
        -- intros. apply point_nonneg.
        -- intros. apply point_other. lia.
        -- intros j Hj. rewrite sum_point by lia.
           destruct (Nat.eq_dec j last) as [->|Hne]; [rewrite point_same; lra|].
           rewrite point_other by auto. symmetry.
           apply (sum_zero_terms last (Q last)); [intros; apply HQ; lia| |lia].
           assert (0 <= sum last (Q last)) by (apply sum_nonneg; intros; apply HQ; lia).
           pose proof (Hl last ltac:(lia)). unfold moves in Em. lra.
        -- intros _. destruct (point_is_distribution (S last) last ltac:(lia)) as [_ ->]. lra.
      * assert (Hlast : w last = 0) by (apply Hout; lia).
        repeat split.
        -- assumption.
        -- intros. apply Hout. lia.
        -- intros j Hj. rewrite sum_succ, Hlast, Rmult_0_l, Rplus_0_r.
           destruct (Nat.eq_dec j last) as [->|Hne].
           ++ rewrite Hlast. symmetry. apply sum_zero. intros i Hi.
              assert (H : w i * (leak i + Q i last) = 0).
              { apply (fixed_weights_avoid_leaks n Q _ w Hc'); [intros; apply Hw| |lia].
                rewrite <- Elast. exact Hfix. }
              pose proof (Hl i ltac:(lia)). pose proof (HQ i last ltac:(lia) ltac:(lia)). pose proof (Hw i).
              apply Rmult_integral in H. destruct H as [->|H]; [ring|].
              replace (Q i last) with 0 by lra. ring.
           ++ apply Hfix. lia.
        -- intros _. rewrite sum_succ, Hlast.
           assert (0 <= sum last w) by (apply sum_nonneg; intros; apply Hw). lra.
    + (* the last state is eliminated *)
      assert (Hc' : leaky_chain n (fun i j => Q i j + Q i last * Q last j / moves)
                                  (fun i => leak i + Q i last * leak last / moves)).
      { unfold moves in *. rewrite Elast in *. now apply eliminate_last_state. }
      destruct (IH _ _ Hc') as (Hw & Hout & Hfix & Hpos). clear IH.
      set (w := stationary_weights n (fun i j => Q i j + Q i last * Q last j / moves)
                  (fun i => leak i + Q i last * leak last / moves)) in *.
      destruct Hc as (HQ & Hl & _).
      assert (Hm : 0 < moves).
      { assert (0 <= sum last (Q last)) by (apply sum_nonneg; intros; apply HQ; lia).
        pose proof (Hl last ltac:(lia)). unfold moves in *. lra. }
      set (v := sum last (fun j => w j * Q j last) / moves).
      assert (Hv : 0 <= v).
      { apply Rmult_le_pos; [|left; now apply Rinv_0_lt_compat].
        apply sum_nonneg. intros. apply Rmult_le_pos; [apply Hw|apply HQ; lia]. }
      assert (Hsame : forall f, sum last (fun i => (if (i =? last)%nat then v else w i) * f i)
                                = sum last (fun i => w i * f i)).
      { intros f. apply sum_ext. intros i Hi.
        replace (i =? last)%nat with false by (symmetry; apply Nat.eqb_neq; lia). reflexivity. }
      repeat split.
      * intros i. destruct (i =? last)%nat; [assumption|apply Hw].
      * intros i Hi. replace (i =? last)%nat with false by (symmetry; apply Nat.eqb_neq; lia).
        apply Hout. lia.
      * intros j Hj. rewrite sum_succ, Hsame, Nat.eqb_refl.
        destruct (j =? last)%nat eqn:Ej.
        -- apply Nat.eqb_eq in Ej. subst j.
           replace (sum last (fun i => w i * Q i last)) with (v * moves) by (unfold v; field; lra).
           rewrite Hmoves. ring.
        -- apply Nat.eqb_neq in Ej. rewrite (Hfix j) at 1 by lia.
           rewrite (sum_ext _ _ (fun i => w i * Q i j + w i * Q i last * (Q last j / moves)))
             by (intros; unfold Rdiv; ring).
           rewrite sum_plus, sum_scal_r. unfold v, Rdiv. ring.
      * intros Hno. rewrite sum_succ, Nat.eqb_refl.
        rewrite (sum_ext _ _ w).
        -- assert (0 < sum last w); [|lra]. apply Hpos. intros i Hi.
           rewrite (Hno i), (Hno last) by lia. unfold Rdiv. ring.
        -- intros i Hi. replace (i =? last)%nat with false by (symmetry; apply Nat.eqb_neq; lia). reflexivity.
Qed.

(** ** The theorem: elimination finds a stationary distribution of every stochastic matrix over 0, ..., n. *)

Theorem stationary_correct n Q :
  (forall i, (i <= n)%nat -> is_distribution (n + 1) (Q i)) ->
  is_distribution (n + 1) (stationary n Q) /\
  forall j, (j <= n)%nat -> stationary n Q j = sum (n + 1) (fun i => stationary n Q i * Q i j).
Proof.
  rewrite Nat.add_1_r. intros HQ.
  assert (Hc : leaky_chain n Q (fun _ => 0)).
  { repeat split.
    - intros i j Hi Hj. apply (HQ i Hi). lia.
    - intros. lra.
    - intros i Hi. destruct (HQ i Hi) as [_ ->]. ring. }
  destruct (stationary_weights_correct n Q _ Hc) as (Hw & _ & Hfix & Hpos).
  specialize (Hpos (fun _ _ => eq_refl)). unfold stationary. rewrite Nat.add_1_r.
  set (w := stationary_weights n Q (fun _ => 0)) in *. set (total := sum (S n) w) in *.
  split; [split|].
  - intros i _. apply Rmult_le_pos; [apply Hw|]. left. now apply Rinv_0_lt_compat.
  - rewrite sum_div. fold total. field. lra.
  - intros j Hj. rewrite (Hfix j Hj) at 1. rewrite <- sum_div. apply sum_ext. intros. unfold Rdiv. ring.
Qed.
