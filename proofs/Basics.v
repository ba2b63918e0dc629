(** * Lemmas that every proof may use: finite sums, logarithms, KL divergence, expectations of the game. *)

From Coq Require Import Reals List Arith Lia Lra Psatz.
From KLCal Require Import Definitions.
Import ListNotations.
Open Scope R_scope.

Lemma INR_ge_2 K : (2 <= K)%nat -> 2 <= INR K.
Proof. exact (le_INR 2 K). Qed.

(** ** Finite sums *)

Lemma sum_succ n f : sum (S n) f = sum n f + f n.
Proof. reflexivity. Qed.

Lemma sum_ext n f g : (forall i, (i < n)%nat -> f i = g i) -> sum n f = sum n g.
Proof.
  induction n as [|n IH]; intros H; cbn [sum]; [reflexivity|].
  rewrite (H n) by lia. f_equal. apply IH. intros. apply H. lia.
Qed.

Lemma sum_le n f g : (forall i, (i < n)%nat -> f i <= g i) -> sum n f <= sum n g.
Proof.
  induction n as [|n IH]; intros H; cbn [sum]; [lra|].
  apply Rplus_le_compat; [apply IH; intros; apply H; lia | apply H; lia].
Qed.

Lemma sum_plus n f g : sum n (fun i => f i + g i) = sum n f + sum n g.
Proof. induction n as [|n IH]; cbn [sum]; [|rewrite IH]; ring. Qed.

Lemma sum_minus n f g : sum n (fun i => f i - g i) = sum n f - sum n g.
Proof. induction n as [|n IH]; cbn [sum]; [|rewrite IH]; ring. Qed.

Lemma sum_opp n f : sum n (fun i => - f i) = - sum n f.
Proof. induction n as [|n IH]; cbn [sum]; [|rewrite IH]; ring. Qed.

Lemma sum_scal n c f : sum n (fun i => c * f i) = c * sum n f.
Proof. induction n as [|n IH]; cbn [sum]; [|rewrite IH]; ring. Qed.

Lemma sum_scal_r n c f : sum n (fun i => f i * c) = sum n f * c.
Proof. induction n as [|n IH]; cbn [sum]; [|rewrite IH]; ring. Qed.

Lemma sum_div n c f : sum n (fun i => f i / c) = sum n f / c.
Proof. apply (sum_scal_r n (/ c) f). Qed.

Lemma sum_const n c : sum n (fun _ => c) = INR n * c.
Proof. induction n as [|n IH]; [cbn; ring|]. rewrite sum_succ, IH, S_INR. ring. Qed.

Lemma sum_zero n f : (forall i, (i < n)%nat -> f i = 0) -> sum n f = 0.
Proof. intros H. rewrite (sum_ext n f (fun _ => 0) H), sum_const. ring. Qed.

Lemma sum_nonneg n f : (forall i, (i < n)%nat -> 0 <= f i) -> 0 <= sum n f.
Proof.
  intros H. replace 0 with (sum n (fun _ => 0)) by (rewrite sum_const; ring). apply sum_le, H.
Qed.

Lemma sum_term_le n f k : (forall i, (i < n)%nat -> 0 <= f i) -> (k < n)%nat -> f k <= sum n f.
Proof.
  induction n as [|n IH]; intros H Hk; [lia|]. rewrite sum_succ.
  destruct (Nat.eq_dec k n) as [->|Hne].
  - assert (0 <= sum n f) by (apply sum_nonneg; intros; apply H; lia). lra.
  - assert (f k <= sum n f) by (apply IH; [intros; apply H; lia | lia]).
    assert (0 <= f n) by (apply H; lia). lra.
Qed.

Lemma distribution_bounds n p i : is_distribution n p -> (i < n)%nat -> 0 <= p i <= 1.
Proof. intros [Hp Hs] Hi. split; [now apply Hp|]. rewrite <- Hs. now apply sum_term_le. Qed.

(** A sum of nonnegative terms vanishes only if every term does. *)
Lemma sum_zero_terms n f :
  (forall i, (i < n)%nat -> 0 <= f i) -> sum n f = 0 -> forall i, (i < n)%nat -> f i = 0.
Proof.
  intros H Hs i Hi. pose proof (H i Hi). pose proof (sum_term_le n f i H Hi). lra.
Qed.

Lemma sum_swap n m f :
  sum n (fun i => sum m (fun j => f i j)) = sum m (fun j => sum n (fun i => f i j)).
Proof.
  induction n as [|n IH]; cbn [sum].
  - rewrite sum_const. ring.
  - rewrite IH, <- sum_plus. reflexivity.
Qed.

Lemma sum_split n m f : sum (n + m) f = sum n f + sum m (fun i => f (n + i)%nat).
Proof.
  induction m as [|m IH]; [rewrite Nat.add_0_r; cbn; ring|].
  rewrite Nat.add_succ_r. cbn [sum]. rewrite IH. ring.
Qed.

(** A sum with one term. *)
Lemma sum_single n k f : (k < n)%nat -> (forall i, (i < n)%nat -> i <> k -> f i = 0) -> sum n f = f k.
Proof.
  induction n as [|n IH]; intros Hk H; [lia|]. rewrite sum_succ.
  destruct (Nat.eq_dec k n) as [->|Hne].
  - rewrite sum_zero; [ring|]. intros. apply H; lia.
  - rewrite IH; [|lia|intros; apply H; lia]. rewrite (H n) by lia. ring.
Qed.

(** A sum with two neighbouring terms. *)
Lemma sum_pair n k f :
  (S k < n)%nat -> (forall i, (i < n)%nat -> i <> k -> i <> S k -> f i = 0) -> sum n f = f k + f (S k).
Proof.
  induction n as [|n IH]; intros Hk H; [lia|]. rewrite sum_succ.
  destruct (Nat.eq_dec n (S k)) as [->|Hne].
  - rewrite (sum_single (S k) k); [ring|lia|]. intros. apply H; lia.
  - rewrite IH; [|lia|intros; apply H; lia]. rewrite (H n) by lia. ring.
Qed.

Lemma point_same i : point i i = 1.
Proof. unfold point. now rewrite Nat.eqb_refl. Qed.

Lemma point_other i j : i <> j -> point i j = 0.
Proof. intros H. unfold point. apply Nat.eqb_neq in H. now rewrite H. Qed.

Lemma point_nonneg i j : 0 <= point i j.
Proof. unfold point. destruct (i =? j)%nat; lra. Qed.

Lemma sum_point n k f : (k < n)%nat -> sum n (fun i => point k i * f i) = f k.
Proof.
  intros Hk. rewrite (sum_single n k); [rewrite point_same; ring|assumption|].
  intros i _ Hi. rewrite point_other by auto. ring.
Qed.

Lemma point_is_distribution n k : (k < n)%nat -> is_distribution n (point k).
Proof.
  intros Hk. split; [intros; apply point_nonneg|].
  rewrite (sum_single n k); [apply point_same|assumption|]. intros. now apply point_other; auto.
Qed.

(** ** The search for the lowest index *)

Lemma lowest_some n test i :
  lowest n test = Some i ->
  (i < n)%nat /\ test i = true /\ forall j, (j < i)%nat -> test j = false.
Proof.
  revert i. induction n as [|n IH]; intros i; cbn [lowest]; [discriminate|].
  destruct (lowest n test) as [k|] eqn:E.
  - intros [= <-]. destruct (IH k eq_refl) as (H1 & H2 & H3). split; [lia|]. split; assumption.
  - destruct (test n) eqn:Et; [|discriminate]. intros [= <-].
    split; [lia|]. split; [assumption|]. intros j Hj. clear IH Et.
    induction n as [|n IHn]; [lia|]. cbn [lowest] in E.
    destruct (lowest n test) as [k|] eqn:E'; [discriminate|].
    destruct (test n) eqn:En; [discriminate|].
    destruct (Nat.eq_dec j n) as [->|]; [assumption|]. apply IHn; [reflexivity|lia].
Qed.

Lemma lowest_none n test : lowest n test = None -> forall i, (i < n)%nat -> test i = false.
Proof.
  induction n as [|n IH]; cbn [lowest]; intros H i Hi; [lia|].
  destruct (lowest n test) as [k|]; [discriminate|].
  destruct (test n) eqn:Et; [discriminate|].
  destruct (Nat.eq_dec i n) as [->|]; [assumption|]. apply IH; [reflexivity|lia].
Qed.

Lemma less_true x y : less x y = true <-> x < y.
Proof. unfold less. destruct (Rlt_dec x y); split; intros; try assumption; try reflexivity; easy. Qed.

Lemma less_false x y : less x y = false <-> y <= x.
Proof. unfold less. destruct (Rlt_dec x y); split; intros; try reflexivity; try discriminate; lra. Qed.

Lemma at_most_true x y : at_most x y = true <-> x <= y.
Proof. unfold at_most. destruct (Rle_dec x y); split; intros; try assumption; try reflexivity; easy. Qed.

Lemma at_most_false x y : at_most x y = false <-> y < x.
Proof. unfold at_most. destruct (Rle_dec x y); split; intros; try reflexivity; try discriminate; lra. Qed.

(** ** Quotients and logarithms *)

Lemma ratio_unit a s : 0 <= a <= s -> 0 < s -> 0 <= a / s <= 1.
Proof.
  intros Ha Hs. split; [apply Rmult_le_pos; [lra|left; now apply Rinv_0_lt_compat]|].
  apply Rmult_le_reg_r with s; [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra.
Qed.

Lemma inv_ge_1 x : 0 < x <= 1 -> 1 <= / x.
Proof. intros Hx. rewrite <- Rinv_1. apply Rinv_le_contravar; lra. Qed.

Lemma ln_le_minus_1 x : 0 < x -> ln x <= x - 1.
Proof.
  intros Hx. pose proof (exp_ineq1_le (ln x)) as H. rewrite exp_ln in H by assumption. lra.
Qed.

Lemma ln_ge_1_minus_inv x : 0 < x -> 1 - / x <= ln x.
Proof.
  intros Hx. pose proof (ln_le_minus_1 (/ x) (Rinv_0_lt_compat x Hx)) as H.
  rewrite ln_Rinv in H by assumption. lra.
Qed.

Lemma ln_0 : ln 0 = 0.
Proof. unfold ln. destruct (Rlt_dec 0 0) as [H|H]; [exfalso; lra|reflexivity]. Qed.

Lemma ln_div x y : 0 < x -> 0 < y -> ln (x / y) = ln x - ln y.
Proof.
  intros Hx Hy. unfold Rdiv. rewrite ln_mult, ln_Rinv; [ring|assumption|assumption|].
  now apply Rinv_0_lt_compat.
Qed.

Lemma ln_le x y : 0 < x -> x <= y -> ln x <= ln y.
Proof. intros Hx [H|H]; [left; now apply ln_increasing|right; now rewrite H]. Qed.

Lemma ln_nonneg x : 1 <= x -> 0 <= ln x.
Proof. intros H. rewrite <- ln_1. apply ln_le; lra. Qed.

Lemma ln_inv_nonneg x : 0 < x <= 1 -> 0 <= ln (/ x).
Proof. intros Hx. now apply ln_nonneg, inv_ge_1. Qed.

Lemma ln_nonpos x : x <= 1 -> ln x <= 0.
Proof.
  intros H. destruct (Rlt_dec 0 x) as [Hx|Hx].
  - rewrite <- ln_1. now apply ln_le.
  - unfold ln. destruct (Rlt_dec 0 x); [contradiction|lra].
Qed.

Lemma ln_pow2 x : 0 < x -> ln (x ^ 2) = 2 * ln x.
Proof. intros Hx. replace (x ^ 2) with (x * x) by ring. rewrite ln_mult by assumption. ring. Qed.

(** The tangent of the logarithm at m. *)
Lemma ln_tangent x m : 0 < x -> 0 < m -> ln x <= ln m + x / m - 1.
Proof.
  intros Hx Hm. assert (Hd : 0 < x / m) by now apply Rdiv_lt_0_compat.
  pose proof (ln_le_minus_1 _ Hd) as H. rewrite ln_div in H by assumption. lra.
Qed.

(** Jensen's inequality for the logarithm; terms of weight 0 may be anything. *)
Lemma ln_jensen n p x :
  is_distribution n p -> (forall i, (i < n)%nat -> 0 < p i -> 0 < x i) ->
  sum n (fun i => p i * ln (x i)) <= ln (sum n (fun i => p i * x i)).
Proof.
  intros [Hp Hs] Hx. set (m := sum n (fun i => p i * x i)).
  assert (Hterm : forall i, (i < n)%nat -> 0 <= p i * x i).
  { intros i Hi. destruct (Hp i Hi) as [H|H].
    - apply Rmult_le_pos; [lra|]. left. now apply Hx.
    - rewrite <- H. lra. }
  assert (Hm0 : 0 <= m) by now apply sum_nonneg.
  assert (Hm : 0 < m).
  { destruct Hm0 as [H|H]; [assumption|]. exfalso.
    pose proof (sum_zero_terms n _ Hterm (eq_sym H)) as Hz.
    assert (sum n p = 0); [|lra]. apply sum_zero. intros i Hi.
    destruct (Hp i Hi) as [Hpi|Hpi]; [|now rewrite <- Hpi].
    pose proof (Hz i Hi) as Hzi. pose proof (Hx i Hi Hpi). cbn beta in Hzi. nra. }
  apply Rle_trans with (sum n (fun i => p i * (ln m - 1) + p i * x i * / m)).
  - apply sum_le. intros i Hi. destruct (Hp i Hi) as [Hpi|Hpi].
    + pose proof (ln_tangent (x i) m (Hx i Hi Hpi) Hm). unfold Rdiv in *. nra.
    + rewrite <- Hpi. lra.
  - rewrite sum_plus, sum_scal_r, sum_scal_r, Hs. fold m. right. field. lra.
Qed.

(** Two points, weights that need not add up to 1. *)
Lemma ln_jensen2 a b x y :
  0 <= a -> 0 <= b -> 0 < a + b -> 0 < x -> 0 < y ->
  a * ln x + b * ln y <= (a + b) * ln ((a * x + b * y) / (a + b)).
Proof.
  intros Ha Hb Hab Hx Hy. set (m := (a * x + b * y) / (a + b)).
  assert (Hnum : 0 < a * x + b * y) by (destruct Ha; nra).
  assert (Hm : 0 < m) by now apply Rdiv_lt_0_compat.
  pose proof (ln_tangent x m Hx Hm). pose proof (ln_tangent y m Hy Hm).
  apply Rle_trans with (a * (ln m + x / m - 1) + b * (ln m + y / m - 1)); [nra|].
  right. unfold m. field. split; lra.
Qed.

(** The concavity of sum of logarithms: n numbers with sum S. *)
Lemma sum_ln_le n x S :
  (0 < n)%nat -> (forall i, (i < n)%nat -> 0 < x i) -> sum n x = S ->
  sum n (fun i => ln (x i)) <= INR n * ln (S / INR n).
Proof.
  intros Hn Hx <-. assert (HN : 0 < INR n) by now apply lt_0_INR.
  assert (Hd : is_distribution n (fun _ => / INR n)).
  { split; [intros; left; now apply Rinv_0_lt_compat|]. rewrite sum_const. field. lra. }
  pose proof (ln_jensen n _ x Hd (fun i Hi _ => Hx i Hi)) as H.
  cbv beta in H. rewrite (sum_scal n (/ INR n) (fun i => ln (x i))), sum_scal in H.
  replace (sum n x / INR n) with (/ INR n * sum n x) by (unfold Rdiv; ring).
  apply Rmult_le_reg_l with (/ INR n); [now apply Rinv_0_lt_compat|].
  eapply Rle_trans; [exact H|]. right. field. lra.
Qed.

(** ** Entropy and KL divergence *)

(** s H(a/s): the log loss of the best constant forecast on mass s with the part a of ones. *)
Definition best_loss (a s : R) : R := s * ln s - a * ln a - (s - a) * ln (s - a).

Lemma best_loss_0 : best_loss 0 0 = 0.
Proof. unfold best_loss. ring. Qed.

Lemma best_loss_sym a s : best_loss (s - a) s = best_loss a s.
Proof. unfold best_loss. replace (s - (s - a)) with a by ring. ring. Qed.

(** The scaled KL divergence is the loss of z minus the loss of the best constant forecast. *)
Lemma scaled_KL a s z :
  0 <= a <= s -> 0 < z < 1 -> s * KL (a / s) z = - a * ln z - (s - a) * ln (1 - z) - best_loss a s.
Proof.
  intros [Ha Has] Hz. unfold KL, best_loss.
  destruct (Req_dec s 0) as [->|Hs0]; [replace a with 0 by lra; ring|].
  assert (Hs : 0 < s) by lra.
  replace (1 - a / s) with ((s - a) / s) by (field; lra).
  assert (Hln : forall b q, 0 <= b -> 0 < q -> s * (b / s * ln (b / s / q)) = b * (ln b - ln s - ln q)).
  { intros b q Hb Hq. destruct Hb as [Hb| <-].
    - assert (0 < b / s) by now apply Rdiv_lt_0_compat.
      rewrite ln_div, ln_div by assumption. field. lra.
    - replace (0 / s) with 0 by (field; lra). ring. }
  rewrite Rmult_plus_distr_l, Hln, Hln by lra. ring.
Qed.

(** Gibbs: a constant forecast has at least the loss of the best one. *)
Lemma best_loss_le a s z :
  0 <= a <= s -> 0 < z < 1 -> best_loss a s <= - a * ln z - (s - a) * ln (1 - z).
Proof.
  intros [Ha Has] Hz. unfold best_loss.
  destruct (Req_dec s 0) as [->|Hs0]; [replace a with 0 by lra; right; ring|].
  assert (Hs : 0 < s) by lra.
  assert (H : forall b q, 0 <= b -> 0 < q -> b * (ln q + ln s - ln b) <= s * q - b).
  { intros b q Hb Hq. destruct Hb as [Hb| <-].
    - assert (Hd : 0 < q * s / b) by (apply Rdiv_lt_0_compat; [now apply Rmult_lt_0_compat|assumption]).
      pose proof (ln_le_minus_1 _ Hd) as Ht.
      rewrite ln_div, ln_mult in Ht; try assumption; [|now apply Rmult_lt_0_compat].
      apply Rle_trans with (b * (q * s / b - 1)); [apply Rmult_le_compat_l; lra|]. right. field. lra.
    - nra. }
  pose proof (H a z Ha ltac:(lra)). pose proof (H (s - a) (1 - z) ltac:(lra) ltac:(lra)). lra.
Qed.

Lemma KL_nonneg r q : 0 <= r <= 1 -> 0 < q < 1 -> 0 <= KL r q.
Proof.
  intros Hr Hq. pose proof (scaled_KL r 1 q Hr Hq) as H. pose proof (best_loss_le r 1 q Hr Hq).
  replace (r / 1) with r in H by field. lra.
Qed.

Lemma KL_same r : KL r r = 0.
Proof.
  assert (H : forall x, x * ln (x / x) = 0).
  { intros x. destruct (Req_dec x 0) as [->|Hx]; [ring|].
    replace (x / x) with 1 by now field. rewrite ln_1. ring. }
  unfold KL. rewrite !H. ring.
Qed.

(** KL by cross-entropy and entropy. *)
Lemma KL_expand r q :
  0 <= r <= 1 -> 0 < q < 1 ->
  KL r q = r * ln r + (1 - r) * ln (1 - r) - r * ln q - (1 - r) * ln (1 - q).
Proof.
  intros Hr Hq. pose proof (scaled_KL r 1 q Hr Hq) as H. unfold best_loss in H. rewrite ln_1 in H.
  replace (r / 1) with r in H by field. lra.
Qed.

(** ** Outcomes, loss, counts *)

Lemma outcome_bounds y : 0 <= outcome y <= 1.
Proof. destruct y; cbn; lra. Qed.

Lemma prob_pos p y : 0 < p < 1 -> 0 < prob p y < 1.
Proof. destruct y; cbn; lra. Qed.

Lemma loss_split p y : loss p y = - outcome y * ln p - (1 - outcome y) * ln (1 - p).
Proof. destruct y; unfold loss; cbn; ring. Qed.

Definition is_used (h : history) (i : nat) : R := if (count h i =? 0)%nat then 0 else 1.

Lemma count_ones_le h i : (count_ones h i <= count h i)%nat.
Proof.
  induction h as [|[j y] h IH]; cbn [count count_ones]; [lia|].
  destruct (j =? i)%nat, y; cbn [andb]; lia.
Qed.

(** ** Expectations *)

(** What one round does. *)
Definition mean_of_round (F : forecaster) (A : adversary) (h : history) (f : history -> R) : R :=
  sum (choices F h)
    (fun i => weight F h i * (A h * f ((i, true) :: h) + (1 - A h) * f ((i, false) :: h))).

Lemma expect_succ F A T f h :
  expect F A (S T) f h = mean_of_round F A h (expect F A T f).
Proof. reflexivity. Qed.

Section Expectation.
Variables (F : forecaster) (A : adversary).
Hypothesis (HF : proper_forecaster F) (HA : proper_adversary A).

Lemma mean_of_round_le h f g :
  (forall i y, (i < choices F h)%nat -> f ((i, y) :: h) <= g ((i, y) :: h)) ->
  mean_of_round F A h f <= mean_of_round F A h g.
Proof using HA HF.
  intros H. apply sum_le. intros i Hi. destruct (HF h) as [Hw _]. specialize (Hw i Hi).
  apply Rmult_le_compat_l; [assumption|]. pose proof (HA h).
  apply Rplus_le_compat; (apply Rmult_le_compat_l; [lra|now apply H]).
Qed.

Lemma mean_of_round_plus h f g :
  mean_of_round F A h (fun k => f k + g k) = mean_of_round F A h f + mean_of_round F A h g.
Proof using. unfold mean_of_round. rewrite <- sum_plus. apply sum_ext. intros. ring. Qed.

Lemma mean_of_round_scal h c f : mean_of_round F A h (fun k => c * f k) = c * mean_of_round F A h f.
Proof using. unfold mean_of_round. rewrite <- sum_scal. apply sum_ext. intros. ring. Qed.

Lemma mean_of_round_const h c : mean_of_round F A h (fun _ => c) = c.
Proof using HF.
  unfold mean_of_round. rewrite (sum_ext _ _ (fun i => weight F h i * c)) by (intros; ring).
  rewrite sum_scal_r. destruct (HF h) as [_ ->]. ring.
Qed.

(** To compare two functions it is enough to look at histories that can be reached: T more rounds, every index
    a possible choice. *)
Fixpoint reachable (T : nat) (h k : history) : Prop :=
  match T with
  | O => k = h
  | S U => exists i y, (i < choices F h)%nat /\ reachable U ((i, y) :: h) k
  end.

Lemma expect_le_reachable T f g h :
  (forall k, reachable T h k -> f k <= g k) -> expect F A T f h <= expect F A T g h.
Proof using HA HF.
  revert h. induction T as [|T IH]; intros h H; [apply H; reflexivity|].
  rewrite !expect_succ. apply mean_of_round_le. intros i y Hi. apply IH. intros k Hk. apply H.
  now exists i, y.
Qed.

Lemma expect_le T f g h : (forall k, f k <= g k) -> expect F A T f h <= expect F A T g h.
Proof using HA HF. intros H. apply expect_le_reachable. intros. apply H. Qed.

Lemma expect_ext T f g h : (forall k, f k = g k) -> expect F A T f h = expect F A T g h.
Proof using HA HF. intros H. apply Rle_antisym; apply expect_le; intros; rewrite H; lra. Qed.

Lemma expect_plus T f g h :
  expect F A T (fun k => f k + g k) h = expect F A T f h + expect F A T g h.
Proof using.
  revert h. induction T as [|T IH]; intros h; [reflexivity|].
  rewrite !expect_succ, <- mean_of_round_plus. unfold mean_of_round. apply sum_ext. intros.
  now rewrite !IH.
Qed.

Lemma expect_scal T c f h : expect F A T (fun k => c * f k) h = c * expect F A T f h.
Proof using.
  revert h. induction T as [|T IH]; intros h; [reflexivity|].
  rewrite !expect_succ, <- mean_of_round_scal. unfold mean_of_round. apply sum_ext. intros.
  now rewrite !IH.
Qed.

Lemma expect_const T c h : expect F A T (fun _ => c) h = c.
Proof using HF.
  revert h. induction T as [|T IH]; intros h; [reflexivity|].
  rewrite expect_succ. transitivity (mean_of_round F A h (fun _ => c)); [|apply mean_of_round_const].
  unfold mean_of_round. apply sum_ext. intros. now rewrite !IH.
Qed.

(** Jensen's inequality for the logarithm of a positive function. *)
Lemma expect_ln_le T f h : (forall k, 0 < f k) -> expect F A T (fun k => ln (f k)) h <= ln (expect F A T f h).
Proof using HA HF.
  intros Hf.
  assert (Hpos : 0 < expect F A T f h).
  { revert h. induction T as [|T IH]; intros h; [apply Hf|]. rewrite expect_succ.
    destruct (HF h) as [Hw Hs]. pose proof (HA h) as Ha.
    assert (Hterm : forall i, (i < choices F h)%nat -> 0 <= weight F h i *
              (A h * expect F A T f ((i, true) :: h) + (1 - A h) * expect F A T f ((i, false) :: h))).
    { intros i Hi. pose proof (IH ((i, true) :: h)). pose proof (IH ((i, false) :: h)).
      apply Rmult_le_pos; [now apply Hw|nra]. }
    destruct (sum_nonneg _ _ Hterm) as [H|H]; [exact H|]. exfalso.
    pose proof (sum_zero_terms _ _ Hterm (eq_sym H)) as Hz.
    assert (sum (choices F h) (weight F h) = 0); [|lra].
    apply sum_zero. intros i Hi. specialize (Hz i Hi). cbn beta in Hz.
    pose proof (IH ((i, true) :: h)). pose proof (IH ((i, false) :: h)).
    apply Rmult_integral in Hz. destruct Hz as [Hz|Hz]; [assumption|]. exfalso. nra. }
  apply Rle_trans with (expect F A T (fun k => (ln (expect F A T f h) - 1) + / expect F A T f h * f k) h).
  - apply expect_le. intros k. pose proof (ln_tangent (f k) _ (Hf k) Hpos). unfold Rdiv in *. lra.
  - rewrite expect_plus, expect_const, expect_scal. right. field. lra.
Qed.

End Expectation.
