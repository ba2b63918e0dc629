(** * Theorem B: PAIR with experts, log log T in place of log T

    Each bucket holds a few experts. A round forecasts a point whose slope is 0 or, if there is none, two
    neighbours with slopes s > 0 > s', mixed such that the slopes average to 0. Then the product of the
    buckets' wealths is a supermartingale, whatever the adversary does. The logarithm of a bucket's wealth is
    at least (1/2) n KL(frequency, cell) - 1/2, less the logarithm of the number of experts, which is at most
    3 + log_2 T. *)

From Coq Require Import Reals Lra Lia List Bool.
Import ListNotations.
From KLCal Require Import Definitions Basics Histories KT Numbers Lemma6 CellToPoint Ville PairRule TheoremA Experts.
Open Scope R_scope.

(** ** The forecaster *)

(** The mixture when bucket i has the slope s i. (One of the two cases applies, so the last line is never
    reached.) *)
Definition expert_rule (K : nat) (s : nat -> R) : nat -> R :=
  match lowest (K - 1) (fun i => if Req_EM_T (s i) 0 then true else false) with
  | Some i => point i
  | None =>
      match lowest (K - 2) (fun i => (less 0 (s i) && less (s (i + 1)%nat) 0)%bool) with
      | Some i =>
          let p := - s (i + 1)%nat / (s i - s (i + 1)%nat) in
          fun j =>
            if (j =? i)%nat then p
            else if (j =? i + 1)%nat then 1 - p
            else 0
      | None => point 0
      end
  end.

Definition bucket_slope (T K : nat) (h : history) (i : nat) : R :=
  slope T (boundary K i) (boundary K (i + 1)) (count_ones h i) (count h i).

(** PAIR with experts, for T rounds. *)
Definition PAIR_experts (T K : nat) : forecaster :=
  Forecaster (fun _ => (K - 1)%nat) (fun h => expert_rule K (bucket_slope T K h)).

(** ** The rule *)

Section Rule.
  Variable K : nat.
  Hypothesis HK : (2 <= K)%nat.
  Variable s : nat -> R.
  Hypothesis Hfirst : 0 <= s 0%nat.
  Hypothesis Hlast : s (K - 2)%nat <= 0.

  Lemma slope_move : (forall i, (i < K - 1)%nat -> s i <> 0) ->
    exists i, (S i < K - 1)%nat /\ s (S i) < 0 < s i.
  Proof using HK Hfirst Hlast.
    intros Hne.
    assert (Hstep : forall i, (i < K - 1)%nat ->
              (exists j, (S j < K - 1)%nat /\ s (S j) < 0 < s j) \/ 0 < s i).
    { induction i as [| i IH]; intros Hi.
      - right. specialize (Hne 0%nat Hi). lra.
      - destruct (IH ltac:(lia)) as [H | H]; [now left |].
        specialize (Hne (S i) Hi). destruct (Rlt_dec (s (S i)) 0) as [Hlt | Hge]; [left | right; lra].
        exists i. split; [lia | lra]. }
    destruct (Hstep (K - 2)%nat ltac:(lia)) as [H | H]; [exact H | lra].
  Qed.

  (** The mean of f over the draw. *)
  Lemma expert_rule_cases :
    (exists i, (i < K - 1)%nat /\ s i = 0 /\ forall j, expert_rule K s j = point i j)
    \/ (exists i p, (S i < K - 1)%nat /\ 0 < p < 1 /\ p * s i + (1 - p) * s (S i) = 0
                    /\ expert_rule K s i = p /\ expert_rule K s (S i) = 1 - p
                    /\ forall j, j <> i -> j <> S i -> expert_rule K s j = 0).
  Proof using HK Hfirst Hlast.
    unfold expert_rule. destruct (lowest (K - 1) _) as [i |] eqn:Hzero.
    - left. exists i. apply lowest_some in Hzero. destruct Hzero as (Hi & Htest & _).
      destruct (Req_EM_T (s i) 0); [now repeat split | discriminate].
    - right. destruct (lowest (K - 2) _) as [i |] eqn:Hpair.
      + apply lowest_some in Hpair. destruct Hpair as (Hi & Htest & _).
        rewrite andb_true_iff, !less_true, Nat.add_1_r in Htest. rewrite Nat.add_1_r.
        exists i, (- s (S i) / (s i - s (S i))). repeat split; try lia.
        * apply Rdiv_lt_0_compat; lra.
        * apply Rmult_lt_reg_r with (s i - s (S i)); [lra |].
          unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra.
        * field. lra.
        * now rewrite Nat.eqb_refl.
        * rewrite Nat.eqb_refl. destruct (Nat.eqb_spec (S i) i); [lia | reflexivity].
        * intros j Hj Hj'. destruct (Nat.eqb_spec j i), (Nat.eqb_spec j (S i)); congruence || reflexivity.
      + exfalso. destruct slope_move as (i & Hi & Hs).
        * intros i Hi H. pose proof (lowest_none _ _ Hzero i Hi) as Htest. cbv beta in Htest.
          destruct (Req_EM_T (s i) 0); [discriminate | contradiction].
        * pose proof (lowest_none _ _ Hpair i ltac:(lia)) as Htest. cbv beta in Htest.
          rewrite Nat.add_1_r, andb_false_iff, !less_false in Htest. lra.
  Qed.

  Lemma expert_rule_is_distribution : is_distribution (K - 1) (expert_rule K s).
  Proof using HK Hfirst Hlast.
    destruct expert_rule_cases as [(i & Hi & _ & Heq) | (i & p & Hi & Hp & _ & Hlo & Hup & Hzero)].
    - destruct (point_is_distribution (K - 1) i Hi) as [Hpos Hsum]. split.
      + intros j Hj. rewrite Heq. now apply Hpos.
      + rewrite <- Hsum. apply sum_ext. intros. apply Heq.
    - split.
      + intros j _. destruct (Nat.eq_dec j i) as [-> |]; [lra |].
        destruct (Nat.eq_dec j (S i)) as [-> |]; [lra |]. rewrite Hzero by auto. lra.
      + rewrite (sum_pair (K - 1) i) by (auto; intros; now apply Hzero). lra.
  Qed.

  (** If every factor is at most 1 + s (y - b) for both ends b of the cell, the mean factor is at most 1. *)
  Lemma expert_rule_balance (y : bool) (f : nat -> R) :
    (forall i, (i < K - 1)%nat -> f i <= 1 + s i * (outcome y - boundary K i)
                                  /\ f i <= 1 + s i * (outcome y - boundary K (S i))) ->
    sum (K - 1) (fun i => expert_rule K s i * f i) <= 1.
  Proof using HK Hfirst Hlast.
    intros Hf.
    destruct expert_rule_cases as [(i & Hi & Hs & Heq) | (i & p & Hi & Hp & Hbal & Hlo & Hup & Hzero)].
    - rewrite (sum_ext _ _ (fun j => point i j * f j)) by (intros; now rewrite Heq).
      rewrite sum_point by exact Hi. destruct (Hf i Hi) as [H _]. rewrite Hs in H. lra.
    - rewrite (sum_pair (K - 1) i) by (auto; intros j _ H1 H2; rewrite Hzero by auto; ring).
      rewrite Hlo, Hup. destruct (Hf i ltac:(lia)) as [_ H1]. destruct (Hf (S i) ltac:(lia)) as [H2 _].
      set (m := outcome y - boundary K (S i)) in *.
      pose proof (Rmult_le_compat_l p _ _ ltac:(lra) H1).
      pose proof (Rmult_le_compat_l (1 - p) _ _ ltac:(lra) H2).
      assert (m * (p * s i + (1 - p) * s (S i)) = 0) by (rewrite Hbal; ring). lra.
  Qed.
End Rule.

(** ** The wealth *)

Section Pair.
  Variables T K : nat.
  Hypothesis HK : (2 <= K)%nat.

  Definition wealth_of_bucket (h : history) (i : nat) : R :=
    mean_wealth T (boundary K i) (boundary K (S i)) (count_ones h i) (count h i).

  Fixpoint experts_wealth (h : history) : R :=
    match h with
    | [] => 1
    | (i, y) :: past => experts_wealth past * (wealth_of_bucket ((i, y) :: past) i / wealth_of_bucket past i)
    end.

  Lemma wealth_of_bucket_pos h i : (i < K - 1)%nat -> 0 < wealth_of_bucket h i.
  Proof using HK. intros Hi. apply mean_wealth_pos, cell_is_proper; [exact HK | lia]. Qed.

  Lemma experts_wealth_pos h : within (K - 1) h -> 0 < experts_wealth h.
  Proof using HK.
    induction 1 as [| [i y] past Hi Hpast IH]; cbn [experts_wealth]; [lra |].
    apply Rmult_lt_0_compat; [exact IH |]. apply Rdiv_lt_0_compat; now apply wealth_of_bucket_pos.
  Qed.

  Lemma slope_ends h : 0 <= bucket_slope T K h 0 /\ bucket_slope T K h (K - 2) <= 0.
  Proof using HK.
    unfold bucket_slope. rewrite !Nat.add_1_r. split.
    - apply slope_of_first; [apply cell_is_proper; [exact HK | lia] | reflexivity].
    - apply slope_of_last; [apply cell_is_proper; [exact HK | lia] |].
      replace (S (K - 2)) with (K - 1)%nat by lia. now apply boundary_last.
  Qed.

  Theorem PAIR_experts_is_proper : proper_forecaster (PAIR_experts T K).
  Proof using HK. intros h. destruct (slope_ends h). now apply expert_rule_is_distribution. Qed.

  Lemma experts_invariant : invariant (PAIR_experts T K) (within (K - 1)).
  Proof using. intros h i y Hh Hi _. constructor; [exact Hi | exact Hh]. Qed.

  Theorem experts_supermartingale : supermartingale (PAIR_experts T K) (within (K - 1)) experts_wealth.
  Proof using HK.
    intros h y Hh. unfold draw_mean. cbn [PAIR_experts choices weight experts_wealth].
    set (s := bucket_slope T K h).
    set (f := fun i => wealth_of_bucket ((i, y) :: h) i / wealth_of_bucket h i).
    rewrite (sum_ext _ _ (fun i => experts_wealth h * (expert_rule K s i * f i)))
      by (intros; unfold f; ring).
    rewrite sum_scal. rewrite <- (Rmult_1_r (experts_wealth h)) at 2.
    apply Rmult_le_compat_l; [left; now apply experts_wealth_pos |].
    destruct (slope_ends h) as [H0 H1]. apply (expert_rule_balance K HK s H0 H1 y).
    intros i Hi. pose proof (cell_is_proper K HK i ltac:(lia)) as Hcell.
    pose proof (count_ones_le h i) as Hle. unfold f, wealth_of_bucket. rewrite count_same, count_ones_same.
    unfold s, bucket_slope. rewrite Nat.add_1_r.
    split; apply mean_wealth_step; auto.
  Qed.

  Lemma experts_wealth_total h : within (K - 1) h ->
    sum (K - 1) (fun i => ln (wealth_of_bucket h i)) = ln (experts_wealth h).
  Proof using HK.
    induction 1 as [| [j y] past Hj Hpast IH]; cbn [experts_wealth].
    - rewrite ln_1. apply sum_zero. intros i Hi. unfold wealth_of_bucket. cbn [count count_ones].
      rewrite mean_wealth_start. apply ln_1.
    - cbn [fst] in Hj. pose proof (wealth_of_bucket_pos past j Hj) as H1.
      pose proof (wealth_of_bucket_pos ((j, y) :: past) j Hj) as H2.
      rewrite ln_mult, ln_div by (auto using experts_wealth_pos; apply Rdiv_lt_0_compat; auto).
      rewrite <- IH.
      rewrite (sum_update (K - 1) j (fun i => ln (wealth_of_bucket past i))); [reflexivity | exact Hj |].
      intros i Hi. unfold wealth_of_bucket. now rewrite count_other, count_ones_other.
  Qed.
End Pair.

(** ** The number of experts *)

Definition log2 (x : R) : R := ln x / ln 2.

Lemma sin_multiple k x : Rabs (sin (INR k * x)) <= INR k * Rabs (sin x).
Proof.
  induction k as [| k IH].
  - cbn [INR]. rewrite !Rmult_0_l, sin_0, Rabs_R0. lra.
  - rewrite S_INR, Rmult_plus_distr_r, Rmult_1_l, sin_plus.
    eapply Rle_trans; [apply Rabs_triang |]. rewrite !Rabs_mult.
    assert (Hc : forall u, Rabs (cos u) <= 1) by (intros u; pose proof (COS_bound u); apply Rabs_le; lra).
    pose proof (Rmult_le_compat_l _ _ _ (Rabs_pos (sin (INR k * x))) (Hc x)).
    pose proof (Rmult_le_compat_r _ _ _ (Rabs_pos (sin x)) (Hc (INR k * x))). lra.
Qed.

Section Number.
  Variables T K : nat.
  Hypothesis HK : (2 <= K)%nat.
  Hypothesis HKT : (K * K <= T)%nat.

  Lemma sin_theta_ge : / INR K <= sin (theta K).
  Proof using HK.
    pose proof (INR_ge_2 K HK) as HK2. pose proof (sin_theta_pos K HK) as Hpos.
    pose proof (sin_multiple K (theta K)) as H.
    replace (INR K * theta K) with (PI / 2) in H by (unfold theta; field; lra).
    rewrite sin_PI2, Rabs_R1, Rabs_pos_eq in H by lra.
    apply Rmult_le_reg_l with (INR K); [lra |]. rewrite Rinv_r; lra.
  Qed.

  (** Grid points keep away from 0 and 1. *)
  Lemma grid_floor i : (S i < K)%nat ->
    1 <= INR T * inner_grid K i /\ 1 <= INR T * (1 - inner_grid K i).
  Proof using HK HKT.
    intros Hi. pose proof (INR_ge_2 K HK) as HK2. pose proof sin_theta_ge as Hth.
    pose proof (theta_bounds K HK) as Htb. pose proof PI_RGT_0 as HPI.
    assert (HT : INR K * INR K <= INR T) by (rewrite <- mult_INR; now apply le_INR).
    assert (Hfloor : forall u, sin (theta K) <= u -> 1 <= INR T * u ^ 2).
    { intros u Hu. assert (HuK : / INR K <= u) by lra.
      assert (Hinv : 0 < / INR K) by (apply Rinv_0_lt_compat; lra).
      assert (H1 : 1 <= INR K * u).
      { apply (Rmult_le_compat_l (INR K)) in HuK; [| lra]. rewrite Rinv_r in HuK; lra. }
      apply Rle_trans with (INR K * u * (INR K * u)).
      - rewrite <- (Rmult_1_r 1). apply Rmult_le_compat; lra.
      - replace (INR K * u * (INR K * u)) with (INR K * INR K * (u * u)) by ring.
        replace (u ^ 2) with (u * u) by ring. apply Rmult_le_compat_r; [apply Rle_0_sqr | exact HT]. }
    pose proof (angle_bounds K HK (S i) ltac:(lia)) as Ha.
    assert (Hlow : theta K <= angle K (S i)).
    { unfold angle, theta. apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; lra |].
      rewrite <- (Rmult_1_r PI) at 1. apply Rmult_le_compat_l; [lra |].
      replace 1 with (INR 1) by reflexivity. apply le_INR. lia. }
    assert (Hup : angle K (S i) <= PI / 2 - theta K).
    { assert (Hle : INR (S i) + 1 <= INR K) by (rewrite <- S_INR; apply le_INR; lia).
      rewrite <- (angle_last K HK). unfold angle, theta.
      apply Rmult_le_reg_r with (2 * INR K); [lra |]. field_simplify; [| lra..]. nra. }
    rewrite inner_grid_complement, inner_grid_angle. split; apply Hfloor.
    - apply sin_incr_1; lra.
    - rewrite <- (cos_shift (theta K)). apply cos_decr_1; lra.
  Qed.

  (** The scales on one side of a cell with the end b, a = 1 - b, times ln 4. *)
  Lemma side_few a b : 0 < a -> 0 < b <= 1 -> 0 < INR T -> 1 <= INR T * a ->
    INR (scales (INR T * a / b)) * ln 4 <= ln 4 + (ln (INR T) + ln a - ln b).
  Proof using.
    intros Ha Hb HT H1. pose proof ln_4. pose proof ln_2_bounds.
    assert (HX : 1 <= INR T * a / b).
    { apply Rmult_le_reg_r with b; [lra |]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra. }
    pose proof (scales_few _ HX) as H2. apply (Rmult_le_compat_r (ln 4)) in H2; [| lra].
    rewrite ln_div, ln_mult in H2 by lra.
    replace (ln 4 + (ln (INR T) + ln a - ln b)) with ((1 + (ln (INR T) + ln a - ln b) / ln 4) * ln 4)
      by (field; lra). exact H2.
  Qed.

  (** At most 3 + log_2 T experts per bucket. *)
  Theorem few_experts i : (S i < K)%nat ->
    INR (length (experts T (boundary K i) (boundary K (S i)))) <= 3 + log2 (INR T).
  Proof using HK HKT.
    intros Hi. pose proof (cell_is_proper K HK i Hi) as Hcell. unfold proper_cell in Hcell.
    pose proof (point_in_cell K HK i Hi) as Hin. pose proof (grid_floor i Hi) as [Hz Hz'].
    pose proof (inner_grid_open K HK i Hi) as Hopen.
    set (lo := boundary K i) in *. set (hi := boundary K (S i)) in *. set (z := inner_grid K i) in *.
    assert (HT4 : 4 <= INR T).
    { replace 4 with (INR 4) by (rewrite INR_IZR_INZ; reflexivity). apply le_INR. nia. }
    pose proof ln_4 as Hln4. pose proof ln_2_bounds as B2.
    unfold experts, experts_above, experts_below. cbn [length].
    rewrite app_length, !map_length, !seq_length, S_INR, plus_INR.
    (* each side, times ln 4 *)
    assert (Habove : hi < 1 -> INR (scales (INR T * (1 - hi) / hi)) * ln 4
                               <= ln 4 + (ln (INR T) + ln (1 - hi) - ln hi)).
    { intros Hhi. assert (HS : (S (S i) < K)%nat).
      { destruct (Nat.eq_dec (S i) (K - 1)) as [E | E]; [| lia].
        unfold hi in Hhi. rewrite E, boundary_last in Hhi by exact HK. lra. }
      pose proof (point_in_cell K HK (S i) HS) as Hin'. fold hi in Hin'.
      pose proof (proj2 (grid_floor (S i) HS)) as Hfloor.
      assert (H1 : 1 <= INR T * (1 - hi)).
      { eapply Rle_trans; [exact Hfloor |]. apply Rmult_le_compat_l; lra. }
      apply side_few; lra. }
    assert (Hbelow : 0 < lo -> INR (scales (INR T * lo / (1 - lo))) * ln 4
                               <= ln 4 + (ln (INR T) + ln lo - ln (1 - lo))).
    { intros Hlo. assert (Hi0 : (0 < i)%nat).
      { destruct i; [| lia]. unfold lo in Hlo. rewrite boundary_zero in Hlo. lra. }
      pose proof (point_in_cell K HK (i - 1) ltac:(lia)) as Hin'. replace (S (i - 1)) with i in Hin' by lia.
      fold lo in Hin'. pose proof (proj1 (grid_floor (i - 1) ltac:(lia))) as Hfloor.
      assert (H1 : 1 <= INR T * lo).
      { eapply Rle_trans; [exact Hfloor |]. apply Rmult_le_compat_l; lra. }
      apply side_few; lra. }
    assert (HlnT : 0 <= ln (INR T)) by (apply ln_nonneg; lra).
    (* - ln hi and - ln (1 - lo) are at most ln T *)
    assert (Hinvhi : - ln hi <= ln (INR T)).
    { assert (0 <= ln (INR T * hi)) by (apply ln_nonneg; eapply Rle_trans; [exact Hz |]; nra).
      rewrite ln_mult in H by lra. lra. }
    assert (Hinvlo : - ln (1 - lo) <= ln (INR T)).
    { assert (0 <= ln (INR T * (1 - lo))) by (apply ln_nonneg; eapply Rle_trans; [exact Hz' |]; nra).
      rewrite ln_mult in H by lra. lra. }
    apply Rmult_le_reg_r with (ln 4); [lra |].
    replace ((3 + log2 (INR T)) * ln 4) with (3 * ln 4 + 2 * ln (INR T))
      by (unfold log2; rewrite Hln4; field; lra).
    assert (Hnone : scales 0 = 0%nat) by apply scales_none.
    destruct (Rlt_dec hi 1) as [Hhi | Hhi], (Rlt_dec 0 lo) as [Hlo | Hlo].
    - specialize (Habove Hhi). specialize (Hbelow Hlo).
      pose proof (ln_le lo hi Hlo ltac:(lra)).
      pose proof (ln_le (1 - hi) (1 - lo) ltac:(lra) ltac:(lra)). lra.
    - replace lo with 0 by lra. replace (INR T * 0 / (1 - 0)) with 0 by field. rewrite Hnone. cbn [INR].
      specialize (Habove Hhi). pose proof (ln_nonpos (1 - hi) ltac:(lra)). lra.
    - replace hi with 1 by lra. replace (INR T * (1 - 1) / 1) with 0 by field. rewrite Hnone. cbn [INR].
      specialize (Hbelow Hlo). pose proof (ln_nonpos lo ltac:(lra)). lra.
    - replace lo with 0 by lra. replace hi with 1 by lra.
      replace (INR T * 0 / (1 - 0)) with 0 by field. replace (INR T * (1 - 1) / 1) with 0 by field.
      rewrite Hnone. cbn [INR]. lra.
  Qed.
End Number.

(** ** From the cell to its point, frequencies 0 and 1 included *)

Lemma KL_in_cell K i r : (2 <= K)%nat -> (S i < K)%nat -> 0 <= r <= 1 ->
  boundary K i <= r <= boundary K (S i) -> KL r (inner_grid K i) <= 2 * ln (/ cos (theta K)).
Proof.
  intros HK Hi Hr Hin. pose proof (inner_grid_open K HK i Hi) as Hz. set (z := inner_grid K i) in *.
  pose proof (cos_theta_pos K HK) as Hcos.
  pose proof (cell_chi_square K HK i r Hi Hin) as Hchi. fold z in Hchi.
  (* 1 <= (1 + tan^2) x gives - ln x <= 2 ln sec *)
  assert (Hln : forall x, 0 < x -> 1 <= (1 + tan (theta K) ^ 2) * x -> - ln x <= 2 * ln (/ cos (theta K))).
  { intros x Hx H. rewrite <- sec_square in H by lra.
    assert (Hinv : 0 < / cos (theta K)) by now apply Rinv_0_lt_compat.
    assert (0 <= ln (/ cos (theta K) * / cos (theta K) * x)) by (apply ln_nonneg; exact H).
    rewrite !ln_mult in H0 by (auto; apply Rmult_lt_0_compat; auto). lra. }
  destruct (Req_dec r 0) as [-> | N0]; [| destruct (Req_dec r 1) as [-> | N1]].
  - rewrite KL_expand by lra. rewrite Rminus_0_r, ln_1.
    pose proof (Hln (1 - z) ltac:(lra)) as H.
    enough (1 <= (1 + tan (theta K) ^ 2) * (1 - z)) by (specialize (H H0); lra).
    assert (z <= tan (theta K) ^ 2 * (1 - z)) by (apply Rmult_le_reg_r with z; lra). lra.
  - rewrite KL_expand by lra. rewrite Rminus_eq_0, ln_1.
    pose proof (Hln z ltac:(lra)) as H.
    enough (1 <= (1 + tan (theta K) ^ 2) * z) by (specialize (H H0); lra).
    assert (1 - z <= tan (theta K) ^ 2 * z) by (apply Rmult_le_reg_r with (1 - z); lra). lra.
  - pose proof (pair_cell_to_point K HK i r r Hi Hr ltac:(lra) Hin) as H.
    rewrite KL_same in H. fold z in H. lra.
Qed.

(** For every r, with q the point of the cell nearest to r: KL(r, z) <= 2 KL(r, q) + 2 ln sec (pi/2K). *)
Lemma KL_nearest K i r : (2 <= K)%nat -> (S i < K)%nat -> 0 <= r <= 1 ->
  KL r (inner_grid K i)
  <= 2 * KL r (clip (boundary K i) (boundary K (S i)) r) + 2 * ln (/ cos (theta K)).
Proof.
  intros HK Hi Hr. pose proof (cell_is_proper K HK i Hi) as Hcell. unfold proper_cell in Hcell.
  destruct (Rlt_dec r (boundary K i)) as [Hlo | Hlo];
    [| destruct (Rlt_dec (boundary K (S i)) r) as [Hhi | Hhi]].
  - rewrite clip_below by lra. apply pair_cell_to_point; auto; lra.
  - rewrite clip_above by lra. apply pair_cell_to_point; auto; lra.
  - rewrite clip_inside, KL_same by lra. pose proof (KL_in_cell K i r HK Hi Hr ltac:(lra)). lra.
Qed.

(** ** The theorems *)

Section TheoremB.
  Variables (T K : nat) (A : adversary).
  Hypothesis HK : (2 <= K)%nat.
  Hypothesis HKT : (K * K <= T)%nat.
  Hypothesis HA : proper_adversary A.

  (** The cost of the buckets. *)
  Definition experts_cost : R := 4 * INR (K - 1) * (/ 2 + ln (3 + log2 (INR T))).

  Lemma log2_nonneg : 0 <= log2 (INR T).
  Proof using HK HKT.
    unfold log2. apply Rmult_le_pos.
    - apply ln_nonneg. replace 1 with (INR 1) by reflexivity. apply le_INR. nia.
    - left. apply Rinv_0_lt_compat. pose proof ln_lt_2. lra.
  Qed.

  (** On every path of at most T rounds. *)
  Theorem experts_pathwise h : within (K - 1) h -> (length h <= T)%nat ->
    KLCal (K - 1) (inner_grid K) h
    <= 4 * ln (experts_wealth T K h) + experts_cost + 2 * INR (length h) * ln (/ cos (PI / (2 * INR K))).
  Proof using HK HKT.
    intros Hh Hlen. fold (theta K). set (L := ln (/ cos (theta K))).
    set (c := / 2 + ln (3 + log2 (INR T))). pose proof log2_nonneg as Hlog.
    assert (Hc : 0 <= c) by (unfold c; pose proof (ln_nonneg (3 + log2 (INR T)) ltac:(lra)); lra).
    apply Rle_trans with
      (sum (K - 1) (fun i => 4 * ln (wealth_of_bucket T K h i) + (4 * c + INR (count h i) * (2 * L)))).
    - apply sum_le. intros i Hi. assert (HiK : (S i < K)%nat) by lia.
      pose proof (cell_is_proper K HK i HiK) as Hcell.
      pose proof (count_ones_le h i) as Hle. set (k := count_ones h i) in *.
      assert (HmT : (count h i <= T)%nat).
      { apply INR_le. eapply Rle_trans; [| apply le_INR; exact Hlen].
        rewrite <- (sum_of_counts (K - 1) h Hh).
        apply (sum_term_le (K - 1) (fun i => INR (count h i))); [intros; apply pos_INR | exact Hi]. }
      unfold wealth_of_bucket. fold k. set (m := count h i) in *.
      destruct (Nat.eq_dec m 0) as [Hm | Hm].
      + rewrite Hm in *. replace k with 0%nat by lia. rewrite mean_wealth_start, ln_1. cbn [INR]. lra.
      + assert (Hpos : 0 < INR m) by (apply lt_0_INR; lia).
        assert (Hk : 0 <= INR k <= INR m) by (split; [apply pos_INR | now apply le_INR]).
        pose proof (ratio_unit (INR k) (INR m) ltac:(lra) ltac:(lra)) as Hr.
        pose proof (mean_wealth_bound T _ _ Hcell k m Hle ltac:(lia)) as Hw. cbv zeta in Hw.
        pose proof (KL_nearest K i _ HK HiK Hr) as HKL. fold L in HKL.
        apply (Rmult_le_compat_l (INR m)) in HKL; [| lra].
        pose proof (few_experts T K HK HKT i HiK) as Hfew.
        assert (HlnE : ln (INR (length (experts T (boundary K i) (boundary K (S i)))))
                       <= ln (3 + log2 (INR T))) by (apply ln_le; [apply number_pos | exact Hfew]).
        unfold c. lra.
    - rewrite !sum_plus, sum_scal, sum_const, sum_scal_r, sum_of_counts by exact Hh.
      rewrite experts_wealth_total by assumption. unfold experts_cost. fold c. lra.
  Qed.

  (** In expectation: E[KLCal] <= 4 (K - 1) (1/2 + ln (3 + log_2 T)) + 2 T ln sec (pi/2K). *)
  Theorem theoremB_expectation :
    expect (PAIR_experts T K) A T (KLCal (K - 1) (inner_grid K)) []
    <= 4 * INR (K - 1) * (/ 2 + ln (3 + log2 (INR T))) + 2 * INR T * ln (/ cos (PI / (2 * INR K))).
  Proof using HK HKT HA.
    pose proof (PAIR_experts_is_proper T K HK) as HF. fold experts_cost.
    set (B := experts_cost + 2 * INR T * ln (/ cos (PI / (2 * INR K)))).
    apply Rle_trans with (expect (PAIR_experts T K) A T (fun h => 4 * experts_wealth T K h + (B - 4) * 1) []).
    - apply (expect_le_possible _ _ HF HA _ (experts_invariant T K)); [constructor |].
      intros h Hh Hlen. cbn [length] in Hlen. rewrite Nat.add_0_r in Hlen.
      pose proof (experts_pathwise h Hh ltac:(lia)) as Hpath. rewrite Hlen in Hpath.
      pose proof (ln_le_minus_1 _ (experts_wealth_pos T K HK h Hh)). unfold B. lra.
    - rewrite (expect_linear (PAIR_experts T K) A T 4 _ (B - 4)), (expect_const _ _ HF).
      pose proof (supermartingale_mean _ A HF HA _ (experts_invariant T K) _ T []
                    (experts_supermartingale T K HK) (Forall_nil _)) as Hmean.
      cbn [experts_wealth] in Hmean. lra.
  Qed.

  (** Theorem B. Let K >= 2 and K^2 <= T. Against every adaptive adversary, PAIR with experts satisfies with
      probability at least 1 - delta, after all rounds t <= T at once,

        KLCal <= 4 (K - 1) (1/2 + ln (3 + log_2 T)) + 2 t ln sec (pi/2K) + 4 ln (1/delta). *)
  Theorem theoremB delta : 0 < delta ->
    1 - delta <= probability (PAIR_experts T K) A T (always (fun h =>
      at_most (KLCal (K - 1) (inner_grid K) h)
        (4 * INR (K - 1) * (/ 2 + ln (3 + log2 (INR T)))
         + 2 * INR (length h) * ln (/ cos (PI / (2 * INR K))) + 4 * ln (/ delta)))).
  Proof using HK HKT HA.
    intros Hdelta. fold experts_cost.
    apply (ville_until (PAIR_experts T K) A (PAIR_experts_is_proper T K HK) HA _ (experts_invariant T K)
             (experts_wealth T K)).
    - apply supermartingale_any; [exact HA | now apply experts_supermartingale].
    - intros h Hh. left. now apply experts_wealth_pos.
    - cbn [experts_wealth]. lra.
    - constructor.
    - exact Hdelta.
    - intros h Hh Hlen Hlt. apply at_most_true. cbn [experts_wealth] in Hlt.
      unfold Rdiv in Hlt. rewrite Rmult_1_l in Hlt.
      pose proof (ln_le _ _ (experts_wealth_pos T K HK h Hh) (Rlt_le _ _ Hlt)).
      pose proof (experts_pathwise h Hh Hlen). lra.
  Qed.
End TheoremB.
