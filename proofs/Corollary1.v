(** * Corollary 1 of the paper, as repaired: swap regret for all losses at once, in expectation.

    The forecaster is Algorithm 1 with realised feedback, whose E[KLCal] is at most 3.7 T^(1/3) (ln T)^(2/3)
    against every adaptive adversary. On every path the swap regret of a loss is bounded by KLCal
    (Propositions 2 and 3), or by 4 sqrt (T KLCal / 2); the mean of the root is bounded by its tangent. *)

From Coq Require Import Reals List Arith Lia Lra Psatz.
From KLCal Require Import Definitions Basics Histories Lemma5 Realised Rate.
From KLCal Require Import LossDefinitions LossBasics Curvature Pinsker Proposition1 Proposition2 Proposition3.
From KLCal Require Import Cal1 Corollary2.
From KLCal Require TreeDefinitions.
Import ListNotations.
Open Scope R_scope.

(** The swap regret of a history, for the loss l and the swap function s, on the forecasts z. *)
Notation swap_regret := TreeDefinitions.swap_regret.

(** ** On every path *)

Lemma swap_regret_as_sum l s z h :
  swap_regret l s z h = swap_regret_of l z (draw_of h) (outcome_of h) (length h) s.
Proof.
  induction h as [|[i y] h IH]; [reflexivity|]. unfold swap_regret_of in *. cbn [length].
  rewrite sum_succ. destruct (last_round i y h) as [-> ->].
  cbn [TreeDefinitions.swap_regret]. rewrite IH. f_equal. apply sum_ext. intros t Ht.
  now destruct (earlier_round (i, y) h t Ht) as [-> ->].
Qed.

Section Path.
Variables (n : nat) (z : nat -> R) (h : history).
Hypothesis Hz : different n z.
Hypothesis Hin : forall i, (i < n)%nat -> inside (z i).
Hypothesis Hh : within n h.

(** A loss whose divergence is at most c KL. *)
Lemma regret_by_KLCal l s c :
  proper l -> swap_function s -> (forall r p, in_unit r -> inside p -> BREG l r p <= c * KL r p) ->
  swap_regret l s z h <= c * KLCal n z h.
Proof using Hin Hh.
  intros Hl Hs Hc. pose proof (draws_within n h Hh) as HI. set (P := drawn (draw_of h)).
  rewrite <- (history_as_sequence h) at 2. rewrite <- drawn_KLCal, swap_regret_as_sum.
  rewrite (swap_regret_is_pseudo l n) by exact HI. fold P.
  assert (HP : weights n P) by apply drawn_weights.
  rewrite (pseudo_swap_regret_identity n (length h) z P (outcome_of h) HP).
  unfold pseudo_KLCal. rewrite <- sum_scal. apply sum_le. intros i Hi. fold (frequency P (outcome_of h) (length h) i).
  pose proof (frequency_in_unit n (length h) P (outcome_of h) HP i Hi) as Hf.
  pose proof (mass_not_negative n (length h) P HP i Hi) as Hm. set (r := frequency P _ _ i) in *.
  pose proof (Hc r (z i) Hf (Hin i Hi)) as H1.
  pose proof (BREG_not_negative l r (s (z i)) Hl Hf (Hs _ (inside_unit _ (Hin i Hi)))) as H2.
  apply Rle_trans with (mass P (length h) i * (c * KL r (z i))); [apply Rmult_le_compat_l; lra|lra].
Qed.

Lemma smooth_regret l s G :
  0 <= G -> class_LG G l -> swap_function s -> swap_regret l s z h <= G / 4 * KLCal n z h.
Proof using Hin Hh.
  intros HG Hl Hs. apply regret_by_KLCal; [apply Hl|assumption|]. intros r p Hr Hp.
  destruct (proposition3 G HG) as [H _]. assert (Hp' : in_unit p) by (unfold inside, in_unit in *; lra).
  pose proof (H l r p Hl Hr Hp' (or_introl Hp)). pose proof (proj1 (pinsker r p Hr Hp)) as Hpinsker.
  apply (Rmult_le_compat_l (G / 4)) in Hpinsker; [|lra]. lra.
Qed.

Lemma bounded_regret l s :
  class_L l -> swap_function s -> swap_regret l s z h <= 4 * sqrt (INR (length h) * KLCal n z h / 2).
Proof using Hz Hin Hh.
  intros Hl Hs.
  assert (Hunit : forall i, (i < n)%nat -> in_unit (z i)).
  { intros i Hi. specialize (Hin i Hi). unfold inside, in_unit in *. lra. }
  pose proof (draws_within n h Hh) as HI.
  destruct (swap_regret_of_bounded_losses n z (outcome_of h) (length h) Hz Hunit) as [_ H].
  destruct (H (draw_of h) HI) as ((v & [Hub _] & Hle) & _ & Hle'). specialize (Hle' Hin).
  destruct (proposition1 l n z (outcome_of h) (length h) (proj1 Hl) Hz Hunit) as [_ H1].
  destruct (H1 (draw_of h) HI) as (_ & Hreg & _).
  rewrite swap_regret_as_sum. rewrite history_as_sequence in Hle'.
  eapply Rle_trans; [apply Hreg; now exists s|].
  eapply Rle_trans; [apply Hub; now exists l|]. lra.
Qed.

End Path.

(** ** In expectation *)

(** What is bounded on every path by a multiple of KLCal, or by its root, is bounded in the mean. *)
Section Mean.
Variables (T : nat) (A : adversary).
Hypothesis HT : (2 <= T)%nat.
Hypothesis HA : proper_adversary A.

Let K := resolution T.
Let mean f := expect (realised K) A T f [].

Let HK : (2 <= K)%nat.
Proof. apply resolution_ge_2. Qed.

Lemma mean_of_affine f a b : 0 <= a ->
  (forall h, within (K + 1) h -> length h = T -> f h <= b + a * KLCal (K + 1) (grid K) h) ->
  mean f <= b + a * (3.7 * rate (INR T)).
Proof using HT HA HK.
  intros Ha H. pose proof (realised_is_proper K HK) as HF.
  apply Rle_trans with (mean (fun h => b + a * KLCal (K + 1) (grid K) h)).
  - apply expect_le_reachable; [assumption..|]. intros h Hh.
    apply (reachable_within _ (K + 1)) in Hh; [|reflexivity|constructor].
    destruct Hh as [Hw Hlen]. rewrite Nat.add_0_r in Hlen. now apply H.
  - unfold mean. rewrite expect_plus, expect_const, expect_scal by assumption.
    apply Rplus_le_compat_l, Rmult_le_compat_l; [assumption|]. now apply realised_feedback_rate.
Qed.

Lemma mean_of_multiple f a : 0 <= a ->
  (forall h, within (K + 1) h -> length h = T -> f h <= a * KLCal (K + 1) (grid K) h) ->
  mean f <= 3.7 * a * rate (INR T).
Proof using HT HA HK.
  intros Ha H. eapply Rle_trans; [apply (mean_of_affine f a 0 Ha)|lra].
  intros h Hw Hlen. rewrite Rplus_0_l. now apply H.
Qed.

Lemma mean_of_root f :
  (forall h, within (K + 1) h -> length h = T -> f h <= 4 * sqrt (INR T * KLCal (K + 1) (grid K) h / 2)) ->
  mean f <= 5.5 * slow_rate (INR T).
Proof using HT HA HK.
  intros H. set (m := 1.375 * slow_rate (INR T)).
  assert (HT2 : 1 < INR T) by (apply le_INR in HT; cbn in HT; lra).
  assert (Hin : forall i, (i < K + 1)%nat -> inside (grid K i)) by (intros; now apply grid_bounds).
  assert (Hm : 0 < m).
  { apply Rmult_lt_0_compat; [lra|]. apply Rmult_lt_0_compat; apply exp_pos. }
  assert (Hm2 : INR T * (3.7 * rate (INR T)) / 2 <= m * m).
  { replace (m * m) with (1.375 * 1.375 * (slow_rate (INR T) * slow_rate (INR T))) by (unfold m; ring).
    rewrite slow_rate_square by assumption.
    assert (0 < INR T * rate (INR T)).
    { apply Rmult_lt_0_compat; [lra|]. apply Rmult_lt_0_compat; apply exp_pos. }
    lra. }
  eapply Rle_trans; [apply (mean_of_affine f (INR T / m) (2 * m))|].
  + apply Rmult_le_pos; [lra|]. left. now apply Rinv_0_lt_compat.
  + intros h Hw Hlen. eapply Rle_trans; [now apply H|].
    (* the square root lies below its tangent at m^2 *)
    set (u := INR T * KLCal (K + 1) (grid K) h / 2).
    assert (Hu : 2 * sqrt u * m <= u + m * m).
    { destruct (Rle_lt_dec 0 u) as [H0|H0].
      - pose proof (sqrt_sqrt u H0). pose proof (Rle_0_sqr (sqrt u - m)) as Hsq. unfold Rsqr in Hsq. lra.
      - exfalso. assert (0 <= KLCal (K + 1) (grid K) h); [|unfold u in H0; nra].
        apply sum_nonneg. intros i Hi. rewrite scaled_KL; [|apply counts_bounds|now apply Hin].
        pose proof (best_loss_le _ _ (grid K i) (counts_bounds h i) (Hin i Hi)). lra. }
    apply Rmult_le_reg_r with m; [assumption|].
    replace ((2 * m + INR T / m * KLCal (K + 1) (grid K) h) * m) with (2 * (m * m) + 2 * u)
      by (unfold u; field; lra).
    lra.
  + apply Rmult_le_reg_r with m; [assumption|].
    replace ((2 * m + INR T / m * (3.7 * rate (INR T))) * m)
      with (2 * (m * m) + 2 * (INR T * (3.7 * rate (INR T)) / 2)) by (field; lra).
    replace (5.5 * slow_rate (INR T)) with (4 * m) by (unfold m; lra). lra.
Qed.

End Mean.
