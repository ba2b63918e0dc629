(** * A fixed grid of n points costs T / n^2

    For a coin p, KLCal is at least the log-likelihood ratio of p against the forecasts, whose mean grows by
    KL(p, z) in every round. In angles, KL (sin^2 x, sin^2 y) >= - 2 ln cos (x - y). The n + 1 angles
    0, pi/2n, ..., pi/2 cannot all be closer than pi/4n to one of n points. *)

From Coq Require Import Reals Lra Lia List Bool.
Import ListNotations.
From KLCal Require Import Definitions Basics Histories TreeAngle TheoremA.
Open Scope R_scope.

(** ** A coin against a forecaster *)

Section Coin.
  Variable F : forecaster.
  Variable n : nat.
  Variable z : nat -> R.
  Hypothesis proper_F : proper_forecaster F.
  Hypothesis choices_F : forall h, (choices F h <= n)%nat.
  Hypothesis Hz : forall i, (i < n)%nat -> 0 < z i < 1.
  Variable p : R.
  Hypothesis Hp : 0 <= p <= 1.

  (** The log-likelihood ratio of bucket i: k ones, m - k zeros. *)
  Definition ratio (h : history) (i : nat) : R :=
    let k := INR (count_ones h i) in
    let m := INR (count h i) in
    k * (ln p - ln (z i)) + (m - k) * (ln (1 - p) - ln (1 - z i)).

  (** Histories that the coin can produce. *)
  Definition produced (h : history) : Prop :=
    within n h /\ (p = 0 -> forall i, count_ones h i = 0%nat)
    /\ (p = 1 -> forall i, count_ones h i = count h i).

  Lemma produced_step h i (y : bool) : produced h -> (i < n)%nat ->
    (p = 0 -> y = false) -> (p = 1 -> y = true) -> produced ((i, y) :: h).
  Proof using.
    intros (Hgrid & H0 & H1) Hi Hy0 Hy1. repeat split.
    - constructor; [exact Hi | exact Hgrid].
    - intros E j. rewrite (Hy0 E). cbn [count_ones]. rewrite andb_false_r. now apply H0.
    - intros E j. rewrite (Hy1 E). cbn [count_ones count]. rewrite andb_true_r, (H1 E). reflexivity.
  Qed.

  Lemma ratio_le_KLCal h : produced h -> sum n (ratio h) <= KLCal n z h.
  Proof using Hz Hp.
    intros (_ & H0 & H1). apply sum_le. intros i Hi. unfold ratio.
    pose proof (count_ones_le h i) as Hle. apply le_INR in Hle. pose proof (pos_INR (count_ones h i)).
    rewrite scaled_KL by auto.
    set (k := INR (count_ones h i)) in *. set (m := INR (count h i)) in *.
    enough (best_loss k m <= - k * ln p - (m - k) * ln (1 - p)) by lra.
    destruct (Req_dec p 0) as [E0 | N0]; [| destruct (Req_dec p 1) as [E1 | N1]].
    - assert (Hk : k = 0) by (unfold k; rewrite (H0 E0); reflexivity).
      unfold best_loss. rewrite Hk, E0, !Rminus_0_r, ln_1. lra.
    - assert (Hk : k = m) by (unfold k, m; now rewrite (H1 E1)).
      unfold best_loss. rewrite Hk, E1, !Rminus_eq_0, ln_1. lra.
    - apply best_loss_le; lra.
  Qed.

  Lemma ratio_step h i (y : bool) : (i < n)%nat ->
    sum n (ratio ((i, y) :: h)) = sum n (ratio h) + (ln (prob p y) - ln (prob (z i) y)).
  Proof using.
    intros Hi. rewrite (sum_update n i (ratio h)); [| exact Hi |].
    - f_equal. unfold ratio. rewrite count_same, count_ones_same, S_INR.
      destruct y; cbn [prob]; rewrite ?S_INR; ring.
    - intros j Hj. unfold ratio. now rewrite count_other, count_ones_other.
  Qed.

  Lemma coin_cost c : (forall i, (i < n)%nat -> c <= KL p (z i)) ->
    forall T h, produced h -> sum n (ratio h) + INR T * c <= expect F (fun _ => p) T (KLCal n z) h.
  Proof using proper_F choices_F Hz Hp.
    intros Hc T. induction T as [| T IH]; intros h Hh; cbn [expect].
    - cbn [INR]. pose proof (ratio_le_KLCal h Hh). lra.
    - destruct (proper_F h) as [Hpos Hsum]. set (goal := sum n (ratio h) + INR (S T) * c).
      replace goal with (sum (choices F h) (fun i => weight F h i * goal))
        by (rewrite sum_scal_r, Hsum; ring).
      apply sum_le. intros i Hi. apply Rmult_le_compat_l; [now apply Hpos |].
      assert (Hin : (i < n)%nat) by (pose proof (choices_F h); lia).
      cbv beta.
      assert (H1 : p * (sum n (ratio h) + (ln p - ln (z i)) + INR T * c)
                   <= p * expect F (fun _ => p) T (KLCal n z) ((i, true) :: h)).
      { destruct (Req_dec p 0) as [-> | N0]; [lra |]. apply Rmult_le_compat_l; [lra |].
        eapply Rle_trans; [| apply IH; apply produced_step; auto; intros; lra].
        rewrite ratio_step by exact Hin. cbn [prob]. lra. }
      assert (H0 : (1 - p) * (sum n (ratio h) + (ln (1 - p) - ln (1 - z i)) + INR T * c)
                   <= (1 - p) * expect F (fun _ => p) T (KLCal n z) ((i, false) :: h)).
      { destruct (Req_dec p 1) as [-> | N1]; [lra |]. apply Rmult_le_compat_l; [lra |].
        eapply Rle_trans; [| apply IH; apply produced_step; auto; intros; lra].
        rewrite ratio_step by exact Hin. cbn [prob]. lra. }
      specialize (Hc i Hin). rewrite KL_expand in Hc by auto.
      unfold goal. rewrite S_INR. lra.
  Qed.

  Lemma coin_cost_total c T : (forall i, (i < n)%nat -> c <= KL p (z i)) ->
    INR T * c <= expect F (fun _ => p) T (KLCal n z) [].
  Proof using proper_F choices_F Hz Hp.
    intros Hc. pose proof (coin_cost c Hc T []) as H.
    assert (Hstart : produced []) by (repeat split; intros; constructor).
    specialize (H Hstart). rewrite (sum_zero n (ratio [])) in H; [lra |].
    intros i _. unfold ratio. cbn [count count_ones INR]. ring.
  Qed.
End Coin.

(** ** An angle that is far from n points *)

(** Pigeonholes: a relation that gives every k <= n some i < n gives two of them the same i. *)
Lemma pigeonhole n (g : nat -> nat) : (forall k, (k <= n)%nat -> (g k < n)%nat) ->
  exists k l, (k < l <= n)%nat /\ g k = g l.
Proof.
  revert g. induction n as [| n IH]; intros g Hg; [specialize (Hg 0%nat ltac:(lia)); lia |].
  (* remove the value of g at n + 1 *)
  set (v := g (S n)).
  destruct (lowest (S n) (fun k => g k =? v)%nat) as [k |] eqn:Hfind.
  - apply lowest_some in Hfind. destruct Hfind as (Hk & Heq & _). apply Nat.eqb_eq in Heq.
    exists k, (S n). split; [lia | exact Heq].
  - pose proof (lowest_none _ _ Hfind) as Hne. cbv beta in Hne.
    destruct (IH (fun k => if (v <? g k)%nat then (g k - 1)%nat else g k)) as (k & l & Hkl & Heq).
    + intros k Hk. pose proof (Hg k ltac:(lia)) as Hgk.
      pose proof (Hg (S n) ltac:(lia)) as Hgv. fold v in Hgv.
      specialize (Hne k ltac:(lia)). apply Nat.eqb_neq in Hne.
      destruct (Nat.ltb_spec v (g k)); lia.
    + exists k, l. split; [lia |].
      pose proof (Hne k ltac:(lia)) as Hnk. pose proof (Hne l ltac:(lia)) as Hnl.
      apply Nat.eqb_neq in Hnk, Hnl.
      destruct (Nat.ltb_spec v (g k)), (Nat.ltb_spec v (g l)); lia.
Qed.

Lemma far_angle n (a : nat -> R) : (0 < n)%nat ->
  exists x, 0 <= x <= PI / 2 /\ forall i, (i < n)%nat -> PI / (4 * INR n) <= Rabs (x - a i).
Proof.
  intros Hn. assert (HnR : 0 < INR n) by now apply lt_0_INR. pose proof PI_RGT_0 as HPI.
  set (d := PI / (4 * INR n)). assert (Hd : 0 < d) by (unfold d; apply Rdiv_lt_0_compat; lra).
  set (x := fun k => 2 * INR k * d).
  set (near := fun k i => less (Rabs (x k - a i)) d).
  assert (Hrange : forall k, (k <= n)%nat -> 0 <= x k <= PI / 2).
  { intros k Hk. apply le_INR in Hk. pose proof (pos_INR k). unfold x. split.
    - apply Rmult_le_pos; lra.
    - replace (PI / 2) with (2 * INR n * d) by (unfold d; field; lra).
      apply Rmult_le_compat_r; lra. }
  destruct (lowest (S n) (fun k => match lowest n (near k) with Some _ => false | None => true end))
    as [k |] eqn:Hfree.
  - apply lowest_some in Hfree. destruct Hfree as (Hk & Htest & _).
    destruct (lowest n (near k)) as [i |] eqn:Hnone; [discriminate |].
    exists (x k). split; [apply Hrange; lia |]. intros i Hi.
    pose proof (lowest_none _ _ Hnone i Hi) as H. now apply less_false in H.
  - exfalso. pose proof (lowest_none _ _ Hfree) as Hall. cbv beta in Hall.
    set (g := fun k => match lowest n (near k) with Some i => i | None => 0%nat end).
    assert (Hg : forall k, (k <= n)%nat -> (g k < n)%nat /\ Rabs (x k - a (g k)) < d).
    { intros k Hk. specialize (Hall k ltac:(lia)). unfold g.
      destruct (lowest n (near k)) as [i |] eqn:Hsome; [| discriminate].
      apply lowest_some in Hsome. destruct Hsome as (Hi & Htest & _). now apply less_true in Htest. }
    destruct (pigeonhole n g (fun k Hk => proj1 (Hg k Hk))) as (k & l & Hkl & Heq).
    destruct (Hg k ltac:(lia)) as [_ Hk]. destruct (Hg l ltac:(lia)) as [_ Hl]. rewrite <- Heq in Hl.
    assert (Hgap : 2 * d <= x l - x k).
    { assert (Hle : INR k + 1 <= INR l) by (rewrite <- S_INR; apply le_INR; lia).
      unfold x. pose proof (Rmult_le_compat_r (2 * d) _ _ ltac:(lra) Hle). lra. }
    apply Rabs_def2 in Hk. apply Rabs_def2 in Hl. lra.
Qed.

(** ** The theorem *)

(** For every forecaster with forecasts in n fixed numbers strictly between 0 and 1 there is a coin p such
    that independent outcomes with mean p give, for every T,

      E[KLCal] >= 2 T ln sec (pi/4n) >= (pi^2/16) T / n^2. *)
Theorem fixed_grid F n z : proper_forecaster F -> (forall h, (choices F h <= n)%nat) -> (0 < n)%nat ->
  (forall i, (i < n)%nat -> 0 < z i < 1) ->
  exists p, 0 <= p <= 1 /\ forall T,
    2 * INR T * ln (/ cos (PI / (4 * INR n))) <= expect F (fun _ => p) T (KLCal n z) []
    /\ PI ^ 2 / 16 * (INR T / INR n ^ 2) <= 2 * INR T * ln (/ cos (PI / (4 * INR n))).
Proof.
  intros HF Hchoices Hn Hz. pose proof PI_RGT_0 as HPI.
  assert (HnR : 1 <= INR n) by (replace 1 with (INR 1) by reflexivity; apply le_INR; lia).
  set (d := PI / (4 * INR n)).
  assert (Hd : 0 < d <= PI / 4).
  { unfold d. split; [apply Rdiv_lt_0_compat; lra |].
    apply Rmult_le_compat_l; [lra |]. apply Rinv_le_contravar; lra. }
  assert (Hcos : 0 < cos d) by (apply cos_gt_0; lra).
  destruct (far_angle n (fun i => angle (z i)) Hn) as (x & Hx & Hfar). fold d in Hfar.
  exists (sin x ^ 2). split.
  { pose proof (SIN_bound x). split; [apply pow2_ge_0 |]. rewrite <- (pow1 2). rewrite <- !Rsqr_pow2.
    apply Rsqr_le_abs_1. rewrite Rabs_R1. apply Rabs_le. lra. }
  intros T. split.
  - replace (2 * INR T * ln (/ cos d)) with (INR T * (- 2 * ln (cos d))) by (rewrite ln_Rinv by lra; ring).
    apply coin_cost_total; auto.
    { pose proof (SIN_bound x). split; [apply pow2_ge_0 |]. rewrite <- (pow1 2). rewrite <- !Rsqr_pow2.
      apply Rsqr_le_abs_1. rewrite Rabs_R1. apply Rabs_le. lra. }
    intros i Hi. specialize (Hz i Hi). specialize (Hfar i Hi). set (a := angle (z i)) in *.
    assert (Ha : 0 < a < PI / 2).
    { pose proof (angle_range (z i) ltac:(lra)) as Hr. fold a in Hr.
      pose proof (sin_angle (z i) ltac:(lra)) as Hs. fold a in Hs. split.
      - destruct Hr as [[Hr | <-] _]; [exact Hr |]. rewrite sin_0 in Hs. lra.
      - destruct Hr as [_ [Hr | Hr]]; [exact Hr |]. rewrite Hr, sin_PI2 in Hs. lra. }
    destruct (KL_bhattacharyya x a Hx Ha) as [HKL Hpos].
    replace (z i) with (sin a ^ 2) by (apply sin_angle; lra).
    eapply Rle_trans; [| exact HKL].
    enough (ln (cos (x - a)) <= ln (cos d)) by lra. apply ln_le; [exact Hpos |].
    replace (cos (x - a)) with (cos (Rabs (x - a))).
    + apply cos_decr_1; try lra. apply Rabs_le. lra.
    + unfold Rabs. destruct (Rcase_abs (x - a)); [apply cos_neg | reflexivity].
  - pose proof (minus_two_ln_cos d ltac:(rewrite Rabs_pos_eq; lra)) as Hln.
    rewrite ln_Rinv by lra. pose proof (pos_INR T) as HT.
    apply (Rmult_le_compat_l (INR T)) in Hln; [| exact HT].
    replace (PI ^ 2 / 16 * (INR T / INR n ^ 2)) with (INR T * d ^ 2) by (unfold d; field; lra). lra.
Qed.
