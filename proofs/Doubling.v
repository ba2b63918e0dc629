(** * The doubling trick: Algorithm 1 without a horizon has PKLCal <= 18.5 T^(1/3) (ln T)^(2/3) + 2, T >= 2.

    Epoch r lasts 2^r rounds and starts Algorithm 1 afresh, with the grid for 2^r rounds. The grids of
    different epochs may share points, and PKLCal counts a forecast by its value, whatever the epoch. This can
    only help: s KL(a/s, z) is subadditive in (a, s). So PKLCal is at most the sum over the epochs, and the
    rates of the epochs grow geometrically, by at least 2^(1/3) from one to the next. *)

From Coq Require Import Reals List ZArith Arith Lia Lra Psatz.
From KLCal Require Import Definitions Bounds Basics Lemma4 Lemma5 Theorem2 Realised Rate.
Import ListNotations.
Open Scope R_scope.

(** ** Sums over finite sets of numbers *)

Definition total (Z : list R) (f : R -> R) : R := fold_right Rplus 0 (map f Z).

Lemma total_le Z f g : (forall x, f x <= g x) -> total Z f <= total Z g.
Proof. intros H. induction Z as [|x Z IH]; cbn; [lra|]. specialize (H x). unfold total in *. lra. Qed.

Lemma total_plus Z f g : total Z (fun x => f x + g x) = total Z f + total Z g.
Proof. induction Z as [|x Z IH]; cbn; [ring|]. unfold total in *. rewrite IH. ring. Qed.

Lemma total_sum Z n f : total Z (fun x => sum n (fun i => f i x)) = sum n (fun i => total Z (f i)).
Proof.
  induction Z as [|x Z IH]; cbn.
  - symmetry. apply sum_zero. reflexivity.
  - unfold total in *. rewrite IH, <- sum_plus. reflexivity.
Qed.

(** A set contains a number at most once. *)
Lemma total_indicator Z z c :
  NoDup Z -> 0 <= c -> total Z (fun x => if Req_EM_T z x then c else 0) <= c.
Proof.
  intros HZ Hc. induction HZ as [|x Z Hx HZ IH]; cbn; [assumption|].
  destruct (Req_EM_T z x) as [<-|Hne]; [|unfold total in IH; lra].
  assert (H0 : forall Z', ~ In z Z' -> total Z' (fun x => if Req_EM_T z x then c else 0) = 0).
  { induction Z' as [|x' Z' IH']; intros Hnot; cbn; [reflexivity|].
    destruct (Req_EM_T z x') as [<-|_]; [exfalso; apply Hnot; now left|].
    unfold total in IH'. rewrite IH'; [ring|]. intros Hin. apply Hnot. now right. }
  specialize (H0 Z Hx). unfold total in H0. lra.
Qed.

(** ** Subadditivity *)

Definition scaled (a s x : R) : R := s * KL (a / s) x.

Lemma scaled_nonneg a s x : 0 <= a <= s -> 0 < x < 1 -> 0 <= scaled a s x.
Proof.
  intros Ha Hx. unfold scaled. rewrite scaled_KL by assumption. pose proof (best_loss_le a s x Ha Hx). lra.
Qed.

(** The best constant for two blocks is not better than a best constant for each. *)
Lemma best_loss_superadditive a s b t :
  0 <= a <= s -> 0 <= b <= t -> best_loss a s + best_loss b t <= best_loss (a + b) (s + t).
Proof.
  intros Ha Hb. destruct (Req_dec (a + b) 0) as [E0|N0]; [|destruct (Req_dec (a + b) (s + t)) as [E1|N1]].
  - replace a with 0 by lra. replace b with 0 by lra. unfold best_loss. rewrite Rplus_0_r, !Rminus_0_r. lra.
  - replace a with s by lra. replace b with t by lra. unfold best_loss. rewrite !Rminus_eq_0. lra.
  - (* the mean of both is a forecast for either *)
    set (w := (a + b) / (s + t)).
    assert (Hw : 0 < w < 1).
    { split; [apply Rdiv_lt_0_compat; lra|]. apply Rmult_lt_reg_r with (s + t); [lra|].
      unfold w. replace ((a + b) / (s + t) * (s + t)) with (a + b) by (field; lra). lra. }
    pose proof (best_loss_le a s w Ha Hw). pose proof (best_loss_le b t w Hb Hw).
    assert (E : best_loss (a + b) (s + t) = - (a + b) * ln w - (s + t - (a + b)) * ln (1 - w)).
    { pose proof (scaled_KL (a + b) (s + t) w ltac:(lra) Hw) as HKL. fold w in HKL.
      rewrite KL_same in HKL. lra. }
    lra.
Qed.

Lemma scaled_subadditive a s b t x :
  0 <= a <= s -> 0 <= b <= t -> 0 < x < 1 -> scaled (a + b) (s + t) x <= scaled a s x + scaled b t x.
Proof.
  intros Ha Hb Hx. unfold scaled. rewrite !scaled_KL by lra.
  pose proof (best_loss_superadditive a s b t Ha Hb). lra.
Qed.

Lemma scaled_zero x : scaled 0 0 x = 0.
Proof. unfold scaled. ring. Qed.

Lemma scaled_sum_le n a s x :
  (forall i, (i < n)%nat -> 0 <= a i <= s i) -> 0 < x < 1 ->
  0 <= sum n a <= sum n s /\ scaled (sum n a) (sum n s) x <= sum n (fun i => scaled (a i) (s i) x).
Proof.
  intros Ha Hx. induction n as [|n IH]; cbn [sum].
  - rewrite scaled_zero. lra.
  - destruct IH as [Hb IH]; [intros; apply Ha; lia|]. specialize (Ha n ltac:(lia)).
    pose proof (scaled_subadditive (sum n a) (sum n s) (a n) (s n) x Hb Ha Hx). lra.
Qed.

(** ** One more epoch *)

Lemma epoch_of r u : (u < 2 ^ r)%nat -> epoch (start r + u) = r /\ (start r + u - start r = u)%nat.
Proof.
  intros Hu. unfold epoch, start. split; [|lia].
  assert (2 ^ r <> 0)%nat by (apply Nat.pow_nonzero; lia).
  replace (2 ^ r - 1 + u + 1)%nat with (2 ^ r + u)%nat by lia.
  apply Nat.log2_unique; [lia|]. cbn [Nat.pow]. lia.
Qed.

Lemma cells_of_epoch_ge_2 r : (2 <= cells_of_epoch r)%nat.
Proof. unfold cells_of_epoch, resolution. destruct (2 ^ r <? 2)%nat; lia. Qed.

Section Epochs.
Variables (Z : list R) (y : nat -> bool).
Hypothesis HZ : NoDup Z.

Let outcomes (r u : nat) : bool := y (start r + u)%nat.

(** What epoch r adds to the mass of a number in its first n rounds. *)
Lemma mass_of_epoch r n x :
  (n <= 2 ^ r)%nat ->
  let K := cells_of_epoch r in
  let P := algorithm1 K (outcomes r) in
  mass_at (doubling y) (start r + n) x
  = mass_at (doubling y) (start r) x
    + sum (K + 1) (fun i => if Req_EM_T (grid K i) x then mass P n i else 0) /\
  ones_at (doubling y) y (start r + n) x
  = ones_at (doubling y) y (start r) x
    + sum (K + 1) (fun i => if Req_EM_T (grid K i) x then mass_of_ones P (outcomes r) n i else 0).
Proof using.
  intros Hn K P. unfold mass_at, ones_at. rewrite !(sum_split (start r) n).
  assert (Hround : forall u, (u < n)%nat -> doubling y (start r + u) x
                             = sum (K + 1) (fun i => if Req_EM_T (grid K i) x then P u i else 0)).
  { intros u Hu. unfold doubling. destruct (epoch_of r u ltac:(lia)) as [-> ->]. reflexivity. }
  split; f_equal.
  - rewrite (sum_ext n _ _ Hround), sum_swap. apply sum_ext. intros i _.
    destruct (Req_EM_T (grid K i) x); [reflexivity|]. apply sum_zero. reflexivity.
  - rewrite (sum_ext n _ (fun u => sum (K + 1)
      (fun i => if Req_EM_T (grid K i) x then P u i * outcome (outcomes r u) else 0))).
    + rewrite sum_swap. apply sum_ext. intros i _.
      destruct (Req_EM_T (grid K i) x); [reflexivity|]. apply sum_zero. reflexivity.
    + intros u Hu. rewrite Hround, <- sum_scal_r by assumption. apply sum_ext. intros i _.
      unfold outcomes. destruct (Req_EM_T (grid K i) x); ring.
Qed.

Lemma masses_in_order T x : 0 <= ones_at (doubling y) y T x <= mass_at (doubling y) T x.
Proof using.
  unfold ones_at, mass_at.
  assert (H : forall t, 0 <= doubling y t x).
  { intros t. unfold doubling, by_value. apply sum_nonneg. intros i Hi.
    destruct (Req_EM_T _ _); [|lra]. now apply stationary_round_bounds; [apply cells_of_epoch_ge_2|]. }
  split.
  - apply sum_nonneg. intros t _. apply Rmult_le_pos; [apply H|apply outcome_bounds].
  - apply sum_le. intros t _. pose proof (H t). pose proof (outcome_bounds (y t)). nra.
Qed.

(** Numbers that are no forecasts have no mass. *)
Lemma no_mass_outside T x : ~ 0 < x < 1 -> mass_at (doubling y) T x = 0.
Proof using.
  intros Hx. apply sum_zero. intros t _. unfold doubling, by_value. apply sum_zero. intros i _.
  destruct (Req_EM_T _ _) as [E|]; [|reflexivity]. exfalso. apply Hx. rewrite <- E.
  apply grid_bounds, cells_of_epoch_ge_2.
Qed.

Lemma one_more_epoch r n :
  (n <= 2 ^ r)%nat ->
  let K := cells_of_epoch r in
  PKLCal_of_values Z (doubling y) y (start r + n)
  <= PKLCal_of_values Z (doubling y) y (start r) + PKLCal K (algorithm1 K (outcomes r)) (outcomes r) n.
Proof using HZ.
  intros Hn K. set (P := algorithm1 K (outcomes r)).
  pose proof (cells_of_epoch_ge_2 r) as HK. fold K in HK.
  assert (HP : forall i, (i < K + 1)%nat -> 0 <= mass_of_ones P (outcomes r) n i <= mass P n i).
  { intros i Hi. apply mass_of_ones_bounds. intros t. now apply stationary_round_bounds. }
  set (f i := scaled (mass_of_ones P (outcomes r) n i) (mass P n i) (grid K i)).
  assert (Hf : forall i, (i < K + 1)%nat -> 0 <= f i).
  { intros i Hi. apply scaled_nonneg; [now apply HP|now apply grid_bounds]. }
  apply Rle_trans with (total Z (fun x =>
    scaled (ones_at (doubling y) y (start r) x) (mass_at (doubling y) (start r) x) x
    + sum (K + 1) (fun i => if Req_EM_T (grid K i) x then f i else 0))).
  - apply total_le. intros x.
    fold (scaled (ones_at (doubling y) y (start r + n) x) (mass_at (doubling y) (start r + n) x) x).
    destruct (Rlt_dec 0 x) as [H0|H0]; [destruct (Rlt_dec x 1) as [H1|H1]|].
    2, 3: unfold scaled; rewrite !no_mass_outside by lra; rewrite !Rmult_0_l, Rplus_0_l;
      apply sum_nonneg; intros i Hi; destruct (Req_EM_T _ _); [now apply Hf|lra].
    destruct (mass_of_epoch r n x Hn) as [-> ->]. fold K P.
    set (a i := if Req_EM_T (grid K i) x then mass_of_ones P (outcomes r) n i else 0).
    set (s i := if Req_EM_T (grid K i) x then mass P n i else 0).
    assert (Has : forall i, (i < K + 1)%nat -> 0 <= a i <= s i).
    { intros i Hi. unfold a, s. destruct (Req_EM_T _ _); [now apply HP|lra]. }
    destruct (scaled_sum_le (K + 1) a s x Has ltac:(lra)) as [Hb Hle].
    eapply Rle_trans; [apply scaled_subadditive; [apply masses_in_order|exact Hb|lra]|].
    apply Rplus_le_compat_l. eapply Rle_trans; [exact Hle|]. right. apply sum_ext. intros i _.
    unfold a, s, f. destruct (Req_EM_T (grid K i) x) as [->|]; [reflexivity|apply scaled_zero].
  - rewrite total_plus. apply Rplus_le_compat; [unfold PKLCal_of_values, total, scaled; lra|].
    rewrite total_sum. apply sum_le. intros i Hi. fold (f i).
    apply (total_indicator Z (grid K i) (f i)); [assumption|now apply Hf].
Qed.

(** ** All epochs *)

(** Theorem 2, in its sharp form, for the first n rounds of epoch r. *)
Definition bound_of_epoch (r n : nat) : R :=
  theorem2_sharp_bound (cells_of_epoch r) n.

Lemma bound_of_epoch_mono r n m : (n <= m)%nat -> bound_of_epoch r n <= bound_of_epoch r m.
Proof using.
  intros H. apply le_INR in H. unfold bound_of_epoch, theorem2_sharp_bound. set (K := cells_of_epoch r).
  assert (HN : 0 < INR (K + 1)) by (apply lt_0_INR; lia). pose proof (pos_INR n).
  assert (Hd : 0 <= INR n / INR (K + 1) <= INR m / INR (K + 1)).
  { assert (0 <= / INR (K + 1)) by (left; now apply Rinv_0_lt_compat). unfold Rdiv. split; nra. }
  apply Rplus_le_compat.
  - apply Rmult_le_compat_l; [lra|]. apply ln_le; lra.
  - apply Rmult_le_compat_r; [apply ln_sec_step_nonneg, cells_of_epoch_ge_2|lra].
Qed.

Lemma full_epochs r :
  PKLCal_of_values Z (doubling y) y (start r) <= sum r (fun q => bound_of_epoch q (2 ^ q)).
Proof using HZ.
  induction r as [|r IH].
  - cbn. unfold PKLCal_of_values, mass_at. clear HZ. induction Z as [|x Z' IHZ]; cbn in *; [lra|].
    rewrite Rmult_0_l, Rplus_0_l. assumption.
  - replace (start (S r)) with (start r + 2 ^ r)%nat.
    + rewrite sum_succ. eapply Rle_trans; [now apply one_more_epoch|].
      apply Rplus_le_compat; [assumption|]. apply theorem2_sharp, cells_of_epoch_ge_2.
    + unfold start. cbn [Nat.pow]. assert (2 ^ r <> 0)%nat by (apply Nat.pow_nonzero; lia). lia.
Qed.

(** The doubling trick, before the rates are inserted. *)
Theorem doubling_by_epochs T :
  (1 <= T)%nat ->
  PKLCal_of_values Z (doubling y) y T <= sum (Nat.log2 T + 1) (fun r => bound_of_epoch r (2 ^ r)).
Proof using HZ.
  intros HT. pose proof (Nat.log2_spec T ltac:(lia)) as [H1 H2]. set (r := Nat.log2 T) in *.
  cbn [Nat.pow] in H2. assert (Hp : (2 ^ r <> 0)%nat) by (apply Nat.pow_nonzero; lia).
  replace T with (start r + (T - start r))%nat at 1 by (unfold start; lia).
  rewrite Nat.add_1_r, sum_succ. eapply Rle_trans; [apply one_more_epoch; unfold start; lia|].
  apply Rplus_le_compat; [apply full_epochs|].
  apply Rle_trans with (bound_of_epoch r (T - start r)); [apply theorem2_sharp, cells_of_epoch_ge_2|].
  apply bound_of_epoch_mono. unfold start. lia.
Qed.

End Epochs.

(** ** The rate *)

Lemma rate_mono T U : (2 <= T <= U)%nat -> rate (INR T) <= rate (INR U).
Proof.
  intros [HT HU]. pose proof (INR_ge_2 T HT). apply le_INR in HU.
  assert (HL : 0 < ln (INR T)) by now apply ln_T_pos.
  unfold rate. apply Rmult_le_compat; try (left; apply exp_pos).
  - apply Rle_Rpower_l; lra.
  - apply Rle_Rpower_l; [lra|]. split; [assumption|]. apply ln_le; lra.
Qed.

(** From one epoch to the next the rate grows by a factor of at least 2^(1/3), which is more than 5/4. *)
Lemma rate_doubles T : (2 <= T)%nat -> 5 / 4 * rate (INR T) <= rate (INR (2 * T)).
Proof.
  intros HT. pose proof (INR_ge_2 T HT) as HT2. assert (HL : 0 < ln (INR T)) by now apply ln_T_pos.
  assert (H2 : 5 / 4 <= Rpower 2 (1 / 3)).
  { rewrite <- (exp_ln (5 / 4)) by lra. unfold Rpower.
    assert (Hln : ln (5 / 4) <= 1 / 3 * ln 2).
    { assert (H : ln (5 / 4 * (5 / 4) * (5 / 4)) <= ln 2) by (apply ln_le; lra).
      rewrite !ln_mult in H by lra. lra. }
    destruct Hln as [Hln|Hln]; [left; now apply exp_increasing|right; now rewrite Hln]. }
  unfold rate. rewrite mult_INR. replace (INR 2) with 2 by (cbn; ring).
  rewrite <- Rpower_mult_distr, <- Rmult_assoc by lra.
  apply Rmult_le_compat; try (left; apply exp_pos).
  - left. apply Rmult_lt_0_compat; [lra|apply exp_pos].
  - apply Rmult_le_compat_r; [left; apply exp_pos|assumption].
  - apply Rle_Rpower_l; [lra|]. split; [assumption|]. apply ln_le; lra.
Qed.

Lemma bound_of_epoch_0 : bound_of_epoch 0 1 <= 2.
Proof.
  unfold bound_of_epoch, theorem2_sharp_bound. change (cells_of_epoch 0) with 2%nat.
  replace (INR (2 + 1)) with 3 by (cbn; ring). replace (INR 1) with 1 by reflexivity.
  pose proof cost_2. pose proof (ln_le_minus_1 (1 + 1 / 3) ltac:(lra)). lra.
Qed.

Lemma pow2_ge_2 r : (2 <= 2 ^ S r)%nat.
Proof. cbn [Nat.pow]. assert (2 ^ r <> 0)%nat by (apply Nat.pow_nonzero; lia). lia. Qed.

Lemma sum_of_epochs r : sum (S (S r)) (fun q => bound_of_epoch q (2 ^ q)) <= 2 + 18.5 * rate (INR (2 ^ S r)).
Proof.
  assert (Hb : forall q, bound_of_epoch (S q) (2 ^ S q) <= 3.7 * rate (INR (2 ^ S q))).
  { intros q. apply (bound_by_rate (2 ^ S q)), pow2_ge_2. }
  induction r as [|r IH].
  - rewrite !sum_succ. cbn [sum]. pose proof bound_of_epoch_0. pose proof (Hb 0%nat).
    pose proof (rate_pos (2 ^ 1) (pow2_ge_2 0)). change (2 ^ 0)%nat with 1%nat. lra.
  - rewrite sum_succ. pose proof (Hb (S r)). pose proof (rate_doubles (2 ^ S r) (pow2_ge_2 r)) as H2.
    change (2 * 2 ^ S r)%nat with (2 ^ S (S r))%nat in H2. lra.
Qed.

(** The doubling trick. Algorithm 1, started afresh in epochs of 1, 2, 4, ... rounds with the paper's grid for
    each, needs no horizon: for every outcome sequence and every T >= 2 its pseudo KL-calibration after T
    rounds is at most 18.5 T^(1/3) (ln T)^(2/3) + 2. Forecasts of different epochs with the same value are
    counted together; Z is any finite set of numbers, in particular that of all forecasts made. *)
Theorem doubling_rate : forall (Z : list R) (y : nat -> bool) (T : nat),
  NoDup Z -> (2 <= T)%nat -> PKLCal_of_values Z (doubling y) y T <= 18.5 * rate (INR T) + 2.
Proof.
  intros Z y T HZ HT. pose proof (doubling_by_epochs Z y HZ T ltac:(lia)) as H.
  pose proof (Nat.log2_spec T ltac:(lia)) as [Hlow _].
  pose proof (Nat.log2_le_mono 2 T HT) as Hlog. change (Nat.log2 2) with 1%nat in Hlog.
  destruct (Nat.log2 T) as [|r]; [lia|]. rewrite Nat.add_1_r in H.
  pose proof (sum_of_epochs r). pose proof (rate_mono (2 ^ S r) T (conj (pow2_ge_2 r) Hlow)). lra.
Qed.
