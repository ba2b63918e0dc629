(** * PAIR with expected feedback: pseudo KL-calibration on every path

    Both points of a pair learn, with their probabilities as weights; the mean of a bucket is that of EWOO.
    The bound for one bucket holds with masses in place of counts: EWOO loses at most ln (1 + S) (Lemma 4),
    and the clipped leader does not care about the weights. In one round the mean of ln (prob w y / prob q y)
    over the mixture is at most ln 1 = 0, by Jensen's inequality and the balance of the pair. There is no
    probability: the bound holds for every outcome sequence, hence against every adversary, as the mixture of
    a round depends on earlier outcomes only. *)

From Coq Require Import Reals Lra Lia.
From KLCal Require Import Definitions Basics Lemma4 KT Lemma6 CellToPoint PairRule.
Open Scope R_scope.

(** ** One bucket, with masses *)

Section Bucket.
  Variables lo hi : R.
  Hypothesis Hcell : proper_cell lo hi.

  Lemma ewoo_is_smoothed a s : ewoo a s = smoothed 1 a (s - a).
  Proof. unfold ewoo, smoothed. f_equal. ring. Qed.

  Definition mass_bound (a s : R) : R := leader_loss lo hi 1 a (s - a) - potential a s.

  Lemma mass_bound_start : mass_bound 0 0 = 0.
  Proof.
    unfold mass_bound, potential. rewrite Rminus_0_r, leader_loss_start, best_loss_0, Rplus_0_r, ln_1. ring.
  Qed.

  Lemma mass_bound_step a s p y : 0 <= a <= s -> 0 <= p <= 1 ->
    mass_bound (a + p * outcome y) (s + p)
    <= mass_bound a s + p * ln (prob (ewoo a s) y / prob (clip lo hi (ewoo a s)) y).
  Proof using Hcell.
    intros Ha Hp. pose proof (ewoo_bounds a s Ha) as Hw.
    pose proof (clip_open lo hi _ Hcell Hw) as Hq.
    rewrite ln_div by now apply prob_pos.
    pose proof (ewoo_step a s p y Ha Hp) as Hewoo. unfold mass_bound.
    assert (Hleader : leader_loss lo hi 1 (a + p * outcome y) (s + p - (a + p * outcome y))
                      <= leader_loss lo hi 1 a (s - a) - p * ln (prob (clip lo hi (ewoo a s)) y)).
    { rewrite ewoo_is_smoothed. fold (clipped lo hi 1 a (s - a)). destruct y; cbn [outcome prob].
      - replace (s + p - (a + p * 1)) with (s - a) by ring. rewrite Rmult_1_r.
        apply leader_loss_step_one; auto; lra.
      - replace (s + p - (a + p * 0)) with (s - a + p) by ring. rewrite Rmult_0_r, Rplus_0_r.
        apply leader_loss_step_zero; auto; lra. }
    unfold loss in Hewoo. lra.
  Qed.

  Lemma mass_bound_end a s : 0 <= a <= s ->
    s * KL (a / s) (clip lo hi (ewoo a s)) - ln (1 + s) <= mass_bound a s.
  Proof using Hcell.
    intros Ha. pose proof (ewoo_bounds a s Ha) as Hw.
    rewrite scaled_KL by auto using clip_open.
    pose proof (leader_loss_end lo hi 1 Hcell ltac:(lra) a (s - a) ltac:(lra) ltac:(lra)) as Hend.
    rewrite ewoo_is_smoothed in *. fold (clipped lo hi 1 a (s - a)).
    unfold mass_bound, potential, mass_loss in *. lra.
  Qed.
End Bucket.

(** ** All rounds *)

Section Game.
  Variable K : nat.
  Hypothesis HK : (2 <= K)%nat.
  Variable y : nat -> bool.

  Let P := pair_expected K y.
  Let a t i := mass_of_ones P y t i.
  Let s t i := mass P t i.
  Let w t i := ewoo (a t i) (s t i).

  Lemma pair_received_is_mass t i :
    fst (pair_received K y t) i = a t i /\ snd (pair_received K y t) i = s t i.
  Proof.
    induction t as [| t [IHa IHs]]; [now split |].
    unfold a, s, mass_of_ones, mass in *. cbn [sum pair_received]. unfold P, pair_expected at 2 4.
    destruct (pair_received K y t) as [a' s']. cbn [fst snd] in *. now rewrite IHa, IHs.
  Qed.

  (** The mixture of round t is the rule of PAIR for the means (A + 1)/(S + 2). *)
  Lemma pair_rule_ext v v' j : (forall i, v i = v' i) -> pair_rule K v j = pair_rule K v' j.
  Proof using.
    intros H. unfold pair_rule.
    assert (Hlow : forall n test test', (forall i, test i = test' i) -> lowest n test = lowest n test').
    { intros n test test' Heq. induction n as [| n IH]; cbn [lowest]; [reflexivity |]. now rewrite IH, Heq. }
    rewrite (Hlow _ _ (fun i => (at_most (boundary K i) (v' i) && at_most (v' i) (boundary K (i + 1)))%bool))
      by (intros; now rewrite H).
    destruct (lowest (K - 1) _); [reflexivity |].
    rewrite (Hlow _ _ (fun i => (less (boundary K (i + 1)) (v' i)
                                 && less (v' (i + 1)%nat) (boundary K (i + 1)))%bool))
      by (intros; now rewrite !H).
    destruct (lowest (K - 2) _); [| reflexivity]. cbv zeta. now rewrite !H.
  Qed.

  Lemma pair_expected_rule t j : P t j = pair_rule K (w t) j.
  Proof using.
    unfold P, pair_expected, w. pose proof (pair_received_is_mass t) as Heq.
    destruct (pair_received K y t) as [a' s']. cbn [fst snd] in Heq.
    apply pair_rule_ext. intros i. destruct (Heq i) as [-> ->]. reflexivity.
  Qed.

  Lemma masses_bounds t : (forall u i, (u < t)%nat -> (i < K - 1)%nat -> 0 <= P u i) ->
    forall i, (i < K - 1)%nat -> 0 <= a t i <= s t i.
  Proof using.
    intros HP i Hi. unfold a, s, mass_of_ones, mass. split.
    - apply sum_nonneg. intros u Hu. apply Rmult_le_pos; [now apply HP | apply outcome_bounds].
    - apply sum_le. intros u Hu. pose proof (HP u i Hu Hi). pose proof (outcome_bounds (y u)).
      rewrite <- (Rmult_1_r (P u i)) at 2. apply Rmult_le_compat_l; lra.
  Qed.

  (** Every round's mixture is a distribution. *)
  Theorem pair_expected_is_distribution t : is_distribution (K - 1) (P t).
  Proof using HK.
    induction t as [t IH] using lt_wf_ind.
    assert (Hw : forall i, (i < K - 1)%nat -> 0 < w t i < 1).
    { intros i Hi. apply ewoo_bounds, masses_bounds; [| exact Hi].
      intros u j Hu Hj. now apply (proj1 (IH u Hu)). }
    destruct (pair_rule_is_distribution K HK (w t) Hw) as [Hpos Hsum]. split.
    - intros i Hi. rewrite pair_expected_rule. now apply Hpos.
    - rewrite <- Hsum. apply sum_ext. intros i _. apply pair_expected_rule.
  Qed.

  Lemma masses_ordered t i : (i < K - 1)%nat -> 0 <= a t i <= s t i.
  Proof using HK.
    intros Hi. apply masses_bounds; [| exact Hi].
    intros u j _ Hj. now apply (proj1 (pair_expected_is_distribution u)).
  Qed.

  Lemma means_open t i : (i < K - 1)%nat -> 0 < w t i < 1.
  Proof using HK. intros Hi. now apply ewoo_bounds, masses_ordered. Qed.

  Lemma P_bounds t i : (i < K - 1)%nat -> 0 <= P t i <= 1.
  Proof using HK. apply distribution_bounds, pair_expected_is_distribution. Qed.

  Let q t i := clip (boundary K i) (boundary K (S i)) (w t i).

  (** One round: the mean logarithm of the quotients is at most 0. *)
  Lemma round_loses t : sum (K - 1) (fun i => P t i * ln (prob (w t i) (y t) / prob (q t i) (y t))) <= 0.
  Proof using HK.
    rewrite <- ln_1, <- (pair_rule_balance K HK (w t) (means_open t) (y t)).
    rewrite (sum_ext (K - 1) (fun i => pair_rule K (w t) i * _)
               (fun i => P t i * (prob (w t i) (y t) / prob (q t i) (y t))))
      by (intros i _; rewrite pair_expected_rule; reflexivity).
    apply ln_jensen; [apply pair_expected_is_distribution |].
    intros i Hi _. apply Rdiv_lt_0_compat; apply prob_pos; [now apply means_open |].
    apply clip_open; [apply cell_is_proper; auto; lia | now apply means_open].
  Qed.

  Lemma mass_bound_total t :
    sum (K - 1) (fun i => mass_bound (boundary K i) (boundary K (S i)) (a t i) (s t i)) <= 0.
  Proof using HK.
    induction t as [| t IH].
    - right. apply sum_zero. intros i _. apply mass_bound_start.
    - eapply Rle_trans; [apply sum_le; intros i Hi |].
      + apply (mass_bound_step (boundary K i) (boundary K (S i)) (cell_is_proper K HK i ltac:(lia))
                 (a t i) (s t i) (P t i) (y t) (masses_ordered t i Hi) (P_bounds t i Hi)).
      + rewrite sum_plus. pose proof (round_loses t) as Hround. unfold q, w in Hround. lra.
  Qed.

  Lemma sum_of_masses t : sum (K - 1) (fun i => s t i) = INR t.
  Proof using HK.
    unfold s, mass. rewrite sum_swap. rewrite (sum_ext _ _ (fun _ => 1)).
    - rewrite sum_const. ring.
    - intros u _. apply (proj2 (pair_expected_is_distribution u)).
  Qed.

  (** On every path, with S_i the mass of point i after T rounds:
      PKLCal <= 2 (sum of ln (1 + S_i)) + 2 T ln sec (pi/2K). *)
  Theorem pair_expected_bound T :
    pseudo_KLCal (K - 1) (inner_grid K) (pair_expected K y) y T
    <= 2 * sum (K - 1) (fun i => ln (1 + mass (pair_expected K y) T i))
       + 2 * INR T * ln (/ cos (PI / (2 * INR K))).
  Proof using HK.
    fold P (theta K). set (L := ln (/ cos (theta K))).
    apply Rle_trans with
      (sum (K - 1) (fun i => 2 * mass_bound (boundary K i) (boundary K (S i)) (a T i) (s T i)
                             + (2 * ln (1 + s T i) + s T i * (2 * L)))).
    - apply sum_le. intros i Hi. fold (a T i) (s T i).
      pose proof (masses_ordered T i Hi) as Hm. pose proof (cell_is_proper K HK i ltac:(lia)) as Hcell.
      pose proof (mass_bound_end _ _ Hcell _ _ Hm) as Hend.
      assert (Hpoint : s T i * KL (a T i / s T i) (inner_grid K i)
                       <= s T i * (2 * KL (a T i / s T i) (q T i) + 2 * L)).
      { destruct (Req_dec (s T i) 0) as [H0 | H0]; [rewrite H0; lra |].
        pose proof (ratio_unit _ _ Hm ltac:(lra)) as Hr.
        apply Rmult_le_compat_l; [lra |].
        apply (pair_cell_to_point K HK i _ _ ltac:(lia) Hr (clip_open _ _ _ Hcell (means_open T i Hi))).
        apply clip_bounds. unfold proper_cell in Hcell. lra. }
      unfold q, w in Hpoint. lra.
    - rewrite !sum_plus, !sum_scal, sum_scal_r, sum_of_masses.
      pose proof (mass_bound_total T) as Htotal. unfold s in *. lra.
  Qed.

  (** Explicitly: PKLCal <= 2 (K - 1) ln (1 + T/(K - 1)) + 2 T ln sec (pi/2K), on every path. *)
  Theorem pair_expected_explicit T :
    pseudo_KLCal (K - 1) (inner_grid K) (pair_expected K y) y T
    <= 2 * INR (K - 1) * ln (1 + INR T / INR (K - 1)) + 2 * INR T * ln (/ cos (PI / (2 * INR K))).
  Proof using HK.
    eapply Rle_trans; [apply pair_expected_bound |]. apply Rplus_le_compat_r.
    rewrite Rmult_assoc. apply Rmult_le_compat_l; [lra |].
    assert (HN : 0 < INR (K - 1)) by (apply lt_0_INR; lia).
    replace (1 + INR T / INR (K - 1)) with ((INR (K - 1) + INR T) / INR (K - 1)) by (field; lra).
    apply sum_ln_le; [lia | |].
    - intros i Hi. pose proof (masses_ordered T i Hi) as H. unfold s, P in H. lra.
    - rewrite sum_plus, sum_const, Rmult_1_r. f_equal. exact (sum_of_masses T).
  Qed.
End Game.
