(** * One fixed loss in L_2 without the rate

    The third bounds of Corollaries 1 and 2 and the abstract of the paper promise, for each loss in L_2, a
    swap regret of order T^(1/3) up to logarithms. This is false: there is a loss in L_2 for which no
    forecaster has even an external regret of order T^e, for any e < 1/2. The loss has spikes at 2^-n with
    mass 2^-n and a half-width of 1 / T_n, where T_n = 2^(2^n). Against a coin with bias p = 2^-n the mean
    of T_n outcomes is typically about sqrt (p / T_n) away from p, so half of the spike lies between them.
    (The slow loss of the book has spikes at 1/(n+1) with mass 1/(n(n+1)); its lower bound falls short of
    sqrt T by a power of log log T, this one by a power of log T.) *)

From Coq Require Import Reals Lra Psatz Lia Arith List.
From KLCal Require Import Definitions Basics LossDefinitions LossBasics GridLowerBound Spikes.
Import ListNotations.
Open Scope R_scope.

(** ** Regret against the best constant, and against the bias *)

Lemma ones_over_length_unit : forall h, in_unit (ones h / INR (length h)).
Proof.
  intros h. assert (Hb := ones_bounds h). unfold in_unit.
  destruct (Req_dec (INR (length h)) 0) as [H0 | H0].
  - replace (ones h) with 0 by lra. unfold Rdiv. lra.
  - assert (Hpos : 0 < INR (length h)) by lra. split.
    + apply Rmult_le_pos; [lra |]. now apply Rlt_le, Rinv_0_lt_compat.
    + apply (Rmult_le_reg_r (INR (length h))); [assumption |].
      unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra.
Qed.

Lemma length_times_mean : forall h, INR (length h) * (ones h / INR (length h)) = ones h.
Proof.
  intros h. assert (Hb := ones_bounds h). destruct (Req_dec (INR (length h)) 0) as [H0 | H0].
  - rewrite H0. lra.
  - field. assumption.
Qed.

Lemma regret_against_bias : forall l z p h,
  external_regret l z h = regret_against l z p h + INR (length h) * BREG l (ones h / INR (length h)) p.
Proof.
  intros l z p h. unfold external_regret. rewrite BREG_is_excess. unfold mean_loss.
  assert (H := regret_difference l z (ones h / INR (length h)) p h).
  assert (Hm := length_times_mean h).
  set (r := ones h / INR (length h)) in *. rewrite <- Hm in H. lra.
Qed.

Lemma reachable_length : forall F T h k, reachable F T h k -> length k = (T + length h)%nat.
Proof.
  intros F. induction T as [| T IH]; intros h k H; cbn [reachable] in H; [now subst |].
  destruct H as (i & y & _ & H). apply IH in H. cbn [length] in H. lia.
Qed.

(** ** Moments of the number of ones *)

(** The deviation of the number of ones from its mean. *)
Definition excess_ones (p : R) (h : history) : R := ones h - INR (length h) * p.

Section Moments.

Variables (F : forecaster) (p : R).
Hypothesis F_proper : proper_forecaster F.
Hypothesis p_unit : in_unit p.
Let v := p * (1 - p).

Lemma deviation_step : forall i y h, excess_ones p ((i, y) :: h) = excess_ones p h + (outcome y - p).
Proof using.
  intros i y h. unfold excess_ones. cbn [ones length]. rewrite S_INR. ring.
Qed.

(** A round whose two values do not depend on the drawn index. *)
Lemma round_without_index : forall h a b,
  sum (choices F h) (fun i => weight F h i * (p * a + (1 - p) * b)) = p * a + (1 - p) * b.
Proof using F_proper. intros h a b. rewrite sum_scal_r. destruct (F_proper h) as [_ ->]. ring. Qed.

Lemma second_moment : forall T h,
  expect F (fun _ => p) T (fun k => excess_ones p k ^ 2) h = excess_ones p h ^ 2 + INR T * v.
Proof using F_proper.
  induction T as [| T IH]; intros h; [cbn [expect]; change (INR 0) with 0; ring |].
  cbn [expect].
  rewrite (sum_ext _ _ (fun i => weight F h i
             * (p * ((excess_ones p h + (1 - p)) ^ 2 + INR T * v)
                + (1 - p) * ((excess_ones p h + (0 - p)) ^ 2 + INR T * v)))).
  - rewrite round_without_index, S_INR. unfold v. ring.
  - intros i _. rewrite !IH, !deviation_step. reflexivity.
Qed.

Lemma fourth_moment : forall T h,
  expect F (fun _ => p) T (fun k => excess_ones p k ^ 4) h
  = excess_ones p h ^ 4 + 6 * (INR T * v) * excess_ones p h ^ 2
    + 4 * (INR T * v * (1 - 2 * p)) * excess_ones p h
    + 3 * v ^ 2 * (INR T * (INR T - 1)) + INR T * v * (1 - 3 * v).
Proof using F_proper.
  induction T as [| T IH]; intros h; [cbn [expect]; change (INR 0) with 0; ring |].
  cbn [expect].
  set (moment := fun x => x ^ 4 + 6 * (INR T * v) * x ^ 2 + 4 * (INR T * v * (1 - 2 * p)) * x
                          + 3 * v ^ 2 * (INR T * (INR T - 1)) + INR T * v * (1 - 3 * v)).
  rewrite (sum_ext _ _ (fun i => weight F h i * (p * moment (excess_ones p h + (1 - p))
                                                + (1 - p) * moment (excess_ones p h + (0 - p))))).
  - rewrite round_without_index, S_INR. unfold moment, v. ring.
  - intros i _. rewrite !IH, !deviation_step. reflexivity.
Qed.

(** |x| >= x^2 / s - (4/27) x^4 / s^3, because 1 - u + (4/27) u^3 = (1 - 2u/3)^2 (1 + u/3). *)
Lemma absolute_above : forall x s, 0 < s -> x ^ 2 / s - 4 / 27 * (x ^ 4 / s ^ 3) <= Rabs x.
Proof using.
  intros x s Hs. assert (Hx := Rabs_pos x).
  replace (x ^ 4) with (Rabs x ^ 4) by (replace 4%nat with (2 * 2)%nat by reflexivity;
    rewrite !pow_mult, pow2_abs; reflexivity).
  rewrite <- (pow2_abs x). revert Hx. generalize (Rabs x). intros a Ha.
  set (u := a / s). assert (Hu : 0 <= u) by (apply Rmult_le_pos; [lra | now apply Rlt_le, Rinv_0_lt_compat]).
  assert (Ea : a = u * s) by (unfold u; field; lra). rewrite Ea.
  replace ((u * s) ^ 2 / s - 4 / 27 * ((u * s) ^ 4 / s ^ 3)) with (s * u * (u - 4 / 27 * u ^ 3))
    by (field; lra).
  assert (H : 0 <= s * u * ((1 - 2 * u / 3) ^ 2 * (1 + u / 3))).
  { apply Rmult_le_pos; [apply Rmult_le_pos; lra |]. apply Rmult_le_pos; [apply pow2_ge_0 | lra]. }
  replace ((1 - 2 * u / 3) ^ 2 * (1 + u / 3)) with (1 - u + 4 / 27 * u ^ 3) in H by field. lra.
Qed.

Lemma mean_deviation : forall T, 1 <= INR T * v ->
  sqrt (INR T * v) / 2 <= expect F (fun _ => p) T (fun k => Rabs (excess_ones p k)) [].
Proof using F_proper p_unit.
  intros T HV. set (V := INR T * v) in *. set (s := 4 / 3 * sqrt V).
  assert (Hroot : 0 < sqrt V) by (apply sqrt_lt_R0; lra).
  assert (Hs : 0 < s) by (unfold s; lra).
  assert (Hsq : sqrt V * sqrt V = V) by (apply sqrt_sqrt; lra).
  apply Rle_trans with (expect F (fun _ => p) T
    (fun k => / s * excess_ones p k ^ 2 + (- (4 / (27 * s ^ 3))) * excess_ones p k ^ 4) []).
  - rewrite expect_plus, !expect_scal, second_moment, fourth_moment.
    assert (H0 : excess_ones p [] = 0) by (unfold excess_ones; cbn; ring). rewrite H0. fold V.
    replace (0 ^ 2 + V) with V by ring.
    replace (0 ^ 4 + 6 * V * 0 ^ 2 + 4 * (V * (1 - 2 * p)) * 0
             + 3 * v ^ 2 * (INR T * (INR T - 1)) + V * (1 - 3 * v))
      with (3 * V ^ 2 - 6 * (v * V) + V) by (unfold V; ring).
    assert (Hv : 0 <= v) by (unfold v, in_unit in *; nra).
    assert (Hfour : 3 * V ^ 2 - 6 * (v * V) + V <= 4 * V ^ 2) by nra.
    assert (Hs3 : 0 < s ^ 3) by now apply pow_lt.
    assert (Hc : 0 < 4 / (27 * s ^ 3)) by (apply Rdiv_lt_0_compat; lra).
    apply Rle_trans with (/ s * V + - (4 / (27 * s ^ 3)) * (4 * V ^ 2)).
    + assert (E : forall q, 0 < q ->
                q / 2 = / (4 / 3 * q) * (q * q) + - (4 / (27 * (4 / 3 * q) ^ 3)) * (4 * (q * q) ^ 2))
        by (intros; field; lra).
      right. rewrite (E _ Hroot), Hsq. reflexivity.
    + assert (H := Rmult_le_compat_l _ _ _ (Rlt_le _ _ Hc) Hfour). lra.
  - apply expect_le; [assumption | intros h; exact p_unit |]. intros k.
    assert (H := absolute_above (excess_ones p k) s Hs).
    replace (/ s * excess_ones p k ^ 2 + - (4 / (27 * s ^ 3)) * excess_ones p k ^ 4)
      with (excess_ones p k ^ 2 / s - 4 / 27 * (excess_ones p k ^ 4 / s ^ 3)) by (field; lra).
    exact H.
Qed.

End Moments.

(** ** The slow loss *)

(** T_n = 2^(2^(n+1)). *)
Definition horizon (n : nat) : nat := (2 ^ 2 ^ S n)%nat.
Definition slow_width (n : nat) : R := / INR (horizon n).

Lemma inverse_centre : forall n, centre n * INR (2 ^ S n) = 1.
Proof.
  intros n. unfold centre. rewrite pow_INR. change (INR 2) with 2. rewrite <- Rpow_mult_distr.
  replace (/ 2 * 2) with 1 by field. apply pow1.
Qed.

Lemma slow_width_bounds : forall n, 0 < slow_width n <= centre n.
Proof.
  intros n. assert (Hc := inverse_centre n).
  assert (H1 : (2 ^ S n <= horizon n)%nat).
  { unfold horizon. apply Nat.pow_le_mono_r; [lia |]. apply Nat.lt_le_incl, Nat.pow_gt_lin_r. lia. }
  assert (H0 : 0 < INR (2 ^ S n)) by (apply lt_0_INR; apply Nat.neq_0_lt_0, Nat.pow_nonzero; lia).
  apply le_INR in H1. unfold slow_width. split; [apply Rinv_0_lt_compat; lra |].
  replace (centre n) with (/ INR (2 ^ S n)); [apply Rinv_le_contravar; lra |].
  apply (Rmult_eq_reg_r (INR (2 ^ S n))); [| lra]. rewrite Hc. apply Rinv_l. lra.
Qed.

Definition slow_loss : loss_function := spike_loss slow_width.

(** Against the coin 2^-(n+1), for T_n rounds. *)
Lemma slow_regret : forall n F z, proper_forecaster F ->
  (forall h i, (i < choices F h)%nat -> in_unit (z i)) ->
  1 <= INR (horizon n) * (centre n * (1 - centre n)) ->
  centre n / 2 * (sqrt (INR (horizon n) * (centre n * (1 - centre n))) / 2 - 1)
  <= expect F (fun _ => centre n) (horizon n) (external_regret slow_loss z) [].
Proof.
  intros n F z HF Hz HV. assert (Hc := centre_bounds n). set (p := centre n) in *. set (T := horizon n) in *.
  assert (Hp : in_unit p) by (unfold in_unit; lra).
  destruct (spike_loss_L2 slow_width slow_width_bounds) as ((Hproper & _) & _).
  fold slow_loss in Hproper.
  assert (Hw := slow_width_bounds n).
  assert (HwT : INR T * slow_width n = 1)
    by (unfold slow_width; apply Rinv_r; fold T; intros H0; rewrite H0 in HV; lra).
  assert (HA : proper_adversary (fun _ => p)) by (intros h; exact Hp).
  (* the forecasts cost at least as much as the bias *)
  assert (Hcost : forall U h, regret_against slow_loss z p h
                              <= expect F (fun _ => p) U (regret_against slow_loss z p) h).
  { induction U as [| U IH]; intros h; [cbn [expect]; lra |]. cbn [expect]. destruct (HF h) as [Hweight Hsum].
    apply Rle_trans with (sum (choices F h) (fun i => weight F h i * regret_against slow_loss z p h)).
    - rewrite sum_scal_r, Hsum. lra.
    - apply sum_le. intros i Hi. apply Rmult_le_compat_l; [now apply Hweight |].
      assert (H1 := IH ((i, true) :: h)). assert (H0 := IH ((i, false) :: h)).
      cbn [regret_against] in H1, H0.
      assert (He := BREG_not_negative slow_loss p (z i) Hproper Hp (Hz h i Hi)).
      rewrite BREG_is_excess in He. unfold mean_loss in He. unfold in_unit in Hp.
      apply (Rmult_le_compat_l p) in H1; [| lra]. apply (Rmult_le_compat_l (1 - p)) in H0; [| lra]. lra. }
  apply Rle_trans with (expect F (fun _ => p) T
    (fun k => regret_against slow_loss z p k + (p / 2 * Rabs (excess_ones p k) + - (p / 2))) []).
  - rewrite expect_plus, expect_plus, expect_scal, expect_const by assumption.
    assert (H1 := Hcost T []). cbn [regret_against] in H1.
    assert (H2 := mean_deviation F p HF Hp T HV).
    apply (Rmult_le_compat_l (p / 2)) in H2; [| lra]. lra.
  - apply expect_le_reachable; [assumption | assumption |]. intros k Hk.
    assert (Hlen : length k = T) by (apply reachable_length in Hk; rewrite Nat.add_0_r in Hk; exact Hk).
    rewrite (regret_against_bias slow_loss z p k). apply Rplus_le_compat_l.
    assert (Hd := spike_divergence_far slow_width slow_width_bounds n _ (ones_over_length_unit k)).
    fold slow_loss p in Hd. assert (Hm := length_times_mean k). rewrite Hlen in *.
    assert (HT : 0 <= INR T) by apply pos_INR.
    apply (Rmult_le_compat_l (INR T)) in Hd; [| assumption].
    assert (Habs : INR T * Rabs (ones k / INR T - p) = Rabs (excess_ones p k)).
    { rewrite <- (Rabs_right (INR T)) at 1 by lra. rewrite <- Rabs_mult. f_equal.
      unfold excess_ones. rewrite Hlen, Rmult_minus_distr_l, Hm. reflexivity. }
    replace (INR T * (p / 2 * (Rabs (ones k / INR T - p) - slow_width n)))
      with (p / 2 * (INR T * Rabs (ones k / INR T - p)) - p / 2 * (INR T * slow_width n)) in Hd by ring.
    rewrite Habs, HwT in Hd. lra.
Qed.

(** ** Faster than every power below 1/2 *)

Lemma exp_above_cube : forall x, 0 <= x -> (x / 3) ^ 3 <= exp x.
Proof.
  intros x Hx. replace (exp x) with (exp (x / 3) ^ 3).
  - apply pow_incr. assert (H := exp_ineq1_le (x / 3)). lra.
  - cbn [pow]. rewrite Rmult_1_r, <- !exp_plus. f_equal. field.
Qed.

Lemma ln_horizon : forall n, ln (INR (horizon n)) = INR (2 ^ S n) * ln 2.
Proof.
  intros n. unfold horizon. rewrite pow_INR. change (INR 2) with 2. rewrite ln_pow by lra. reflexivity.
Qed.

Lemma horizon_large : forall n, 2 * INR (2 ^ S n) <= INR (horizon n).
Proof.
  intros n. assert (H : (2 * 2 ^ S n <= horizon n)%nat).
  { unfold horizon. rewrite <- Nat.pow_succ_r'. apply Nat.pow_le_mono_r; [lia |].
    apply Nat.pow_gt_lin_r. lia. }
  apply le_INR in H. rewrite mult_INR in H. exact H.
Qed.

(** One loss without the rate: there is a loss in L_2 such that for every constant C and every exponent e <
    1/2 there are a horizon T and a coin p against which every forecaster, with any forecasts in [0, 1], has
    an expected external regret (hence also swap regret) of more than C T^e. *)
Theorem slow_loss_is_slow : exists l, class_L2 l /\ forall C e, e < 1 / 2 ->
  exists T p, (4 <= T)%nat /\ inside p /\
    forall F z, proper_forecaster F -> (forall h i, (i < choices F h)%nat -> in_unit (z i)) ->
    C * Rpower (INR T) e < expect F (fun _ => p) T (external_regret l z) [].
Proof.
  exists slow_loss. split; [apply spike_loss_L2, slow_width_bounds |].
  assert (Hmain : forall C e, 0 <= e < 1 / 2 -> 0 <= C ->
    exists n, forall F z, proper_forecaster F -> (forall h i, (i < choices F h)%nat -> in_unit (z i)) ->
    C * Rpower (INR (horizon n)) e
    < expect F (fun _ => centre n) (horizon n) (external_regret slow_loss z) []).
  { intros C e He HC. set (d := 1 / 2 - e).
    assert (Hln2 : 0 < ln 2) by (rewrite <- ln_1; apply ln_increasing; lra).
    set (k := d * ln 2 / 3). assert (Hk : 0 < k) by (unfold k, d; apply Rdiv_lt_0_compat; nra).
    assert (Hk3 : 0 < k ^ 3) by now apply pow_lt.
    destruct (small_centre (k ^ 3 / (8 * (C + 2)))) as [n Hn]; [apply Rdiv_lt_0_compat; lra |].
    exists n. intros F z HF Hz. assert (Hc := centre_bounds n). assert (HL := inverse_centre n).
    set (L := INR (2 ^ S n)) in *. set (T := horizon n) in *.
    assert (HL0 : 2 <= L) by nra. assert (HTL := horizon_large n). fold L T in HTL.
    assert (HT : 0 < INR T) by lra.
    assert (HLC : 8 * (C + 2) <= k ^ 3 * L).
    { apply (Rmult_lt_compat_r (8 * (C + 2) * L)) in Hn; [| nra].
      replace (k ^ 3 / (8 * (C + 2)) * (8 * (C + 2) * L)) with (k ^ 3 * L) in Hn by (field; lra).
      replace (centre n * (8 * (C + 2) * L)) with (8 * (C + 2) * (centre n * L)) in Hn by ring.
      rewrite HL in Hn. lra. }
    (* the root of T is T^e T^d, and T^d is large *)
    set (Re := Rpower (INR T) e). set (D := Rpower (INR T) d).
    assert (Hroot : sqrt (INR T) = Re * D).
    { unfold Re, D. rewrite <- Rpower_plus. replace (e + d) with (/ 2) by (unfold d; field).
      symmetry. now apply Rpower_sqrt. }
    assert (HRe : 1 <= Re).
    { unfold Re. rewrite <- (Rpower_O (INR T)) by assumption. apply Rle_Rpower; lra. }
    assert (HD : 8 * (C + 2) * L ^ 2 <= D).
    { unfold D, Rpower. unfold T. rewrite ln_horizon. fold L.
      apply Rle_trans with ((d * (L * ln 2) / 3) ^ 3).
      - replace (d * (L * ln 2) / 3) with (k * L) by (unfold k; field).
        replace ((k * L) ^ 3) with (k ^ 3 * L * L ^ 2) by ring.
        apply Rmult_le_compat_r; [apply pow2_ge_0 | assumption].
      - apply exp_above_cube. apply Rmult_le_pos; [unfold d; lra | apply Rmult_le_pos; lra]. }
    assert (HV : INR T / (2 * L) <= INR T * (centre n * (1 - centre n))).
    { unfold Rdiv. apply Rmult_le_compat_l; [lra |].
      replace (/ (2 * L)) with (centre n / 2).
      - nra.
      - apply (Rmult_eq_reg_r (2 * L)); [| lra]. rewrite Rinv_l by lra. lra. }
    assert (HV1 : 1 <= INR T * (centre n * (1 - centre n))).
    { apply Rle_trans with (2 := HV). apply (Rmult_le_reg_r (2 * L)); [lra |].
      unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra. }
    assert (Hsqrt : Re * D / (2 * L) <= sqrt (INR T * (centre n * (1 - centre n)))).
    { apply Rle_trans with (sqrt (INR T / (2 * L))); [| now apply sqrt_le_1_alt].
      rewrite <- Hroot. rewrite sqrt_div_alt by lra. unfold Rdiv.
      apply Rmult_le_compat_l; [apply sqrt_pos |].
      apply Rinv_le_contravar; [apply sqrt_lt_R0; lra |].
      apply Rsqr_incr_0; [| apply sqrt_pos | lra]. rewrite Rsqr_sqrt by lra. unfold Rsqr. nra. }
    apply Rlt_le_trans with (2 := slow_regret n F z HF Hz HV1). fold T.
    assert (Hhalf : Re * (8 * (C + 2) * L ^ 2) / (2 * L) <= sqrt (INR T * (centre n * (1 - centre n)))).
    { apply Rle_trans with (2 := Hsqrt). unfold Rdiv.
      apply Rmult_le_compat_r; [apply Rlt_le, Rinv_0_lt_compat; lra |]. apply Rmult_le_compat_l; lra. }
    replace (Re * (8 * (C + 2) * L ^ 2) / (2 * L)) with (4 * (Re * (C + 2)) * L) in Hhalf by (field; lra).
    apply (Rmult_le_compat_l (centre n / 4)) in Hhalf; [| lra].
    replace (centre n / 4 * (4 * (Re * (C + 2)) * L)) with (Re * (C + 2) * (centre n * L)) in Hhalf by field.
    rewrite HL in Hhalf. nra. }
  intros C e He.
  assert (He' : 0 <= Rmax 0 e < 1 / 2) by (split; [apply Rmax_l | apply Rmax_lub_lt; lra]).
  destruct (Hmain (Rabs C) (Rmax 0 e) He' (Rabs_pos C)) as [n Hn].
  assert (HT : (4 <= horizon n)%nat).
  { unfold horizon. change 4%nat with (2 ^ 2)%nat. apply Nat.pow_le_mono_r; [lia |].
    change 2%nat with (2 ^ 1)%nat at 1. apply Nat.pow_le_mono_r; lia. }
  exists (horizon n), (centre n). split; [assumption |]. split; [apply centre_inside |].
  intros F z HF Hz. apply Rle_lt_trans with (2 := Hn F z HF Hz).
  apply le_INR in HT. replace (INR 4) with 4 in HT by (cbn; ring).
  assert (H1 : Rpower (INR (horizon n)) e <= Rpower (INR (horizon n)) (Rmax 0 e))
    by (apply Rle_Rpower; [lra | apply Rmax_r]).
  assert (H0 : 0 < Rpower (INR (horizon n)) e) by apply exp_pos.
  assert (HC := Rle_abs C). assert (HC0 := Rabs_pos C).
  apply Rle_trans with (Rabs C * Rpower (INR (horizon n)) e); [apply Rmult_le_compat_r; lra |].
  now apply Rmult_le_compat_l.
Qed.

(** In particular the rates of Corollaries 1 and 2 fail for this loss: for every C some T and p have
    E[Reg] > C T^(1/3) (log T)^(5/3), for every forecaster. *)
Corollary printed_rates_fail : exists l, class_L2 l /\ forall C,
  exists T p, (4 <= T)%nat /\ inside p /\
    forall F z, proper_forecaster F -> (forall h i, (i < choices F h)%nat -> in_unit (z i)) ->
    C * (Rpower (INR T) (1 / 3) * Rpower (ln (INR T)) (5 / 3))
    < expect F (fun _ => p) T (external_regret l z) [].
Proof.
  destruct slow_loss_is_slow as (l & Hl & Hslow). exists l. split; [assumption |]. intros C.
  destruct (Hslow (Rabs C * Rpower 20 (5 / 3)) (5 / 12) ltac:(lra)) as (T & p & HT & Hp & H).
  exists T, p. split; [assumption |]. split; [assumption |]. intros F z HF Hz.
  apply Rle_lt_trans with (2 := H F z HF Hz).
  assert (HT4 : 4 <= INR T) by (apply le_INR in HT; replace (INR 4) with 4 in HT by (cbn; ring); lra).
  assert (Hln : 0 < ln (INR T)) by (rewrite <- ln_1; apply ln_increasing; lra).
  assert (Hpos : 0 < Rpower (INR T) (1 / 20)) by apply exp_pos.
  assert (Hbound : ln (INR T) <= 20 * Rpower (INR T) (1 / 20)).
  { assert (E := ln_le_minus_1 _ Hpos). unfold Rpower at 1 in E. rewrite ln_exp in E. lra. }
  assert (Hpower : Rpower (ln (INR T)) (5 / 3) <= Rpower 20 (5 / 3) * Rpower (INR T) (1 / 12)).
  { apply Rle_trans with (Rpower (20 * Rpower (INR T) (1 / 20)) (5 / 3)).
    - apply Rle_Rpower_l; lra.
    - rewrite <- Rpower_mult_distr by lra. rewrite Rpower_mult.
      replace (1 / 20 * (5 / 3)) with (1 / 12) by field. lra. }
  replace (5 / 12) with (1 / 3 + 1 / 12) by field. rewrite Rpower_plus.
  assert (H1 : 0 < Rpower (INR T) (1 / 3)) by apply exp_pos.
  assert (H2 : 0 < Rpower (ln (INR T)) (5 / 3)) by apply exp_pos.
  assert (HC := Rle_abs C). assert (HC0 := Rabs_pos C).
  apply Rle_trans with (Rabs C * (Rpower (INR T) (1 / 3) * Rpower (ln (INR T)) (5 / 3))).
  - apply Rmult_le_compat_r; [apply Rmult_le_pos; lra | lra].
  - replace (Rabs C * Rpower 20 (5 / 3) * (Rpower (INR T) (1 / 3) * Rpower (INR T) (1 / 12)))
      with (Rabs C * (Rpower (INR T) (1 / 3) * (Rpower 20 (5 / 3) * Rpower (INR T) (1 / 12)))) by ring.
    apply Rmult_le_compat_l; [assumption |]. apply Rmult_le_compat_l; lra.
Qed.
