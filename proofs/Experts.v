(** * PAIR with experts: the forecaster, and the wealth of one bucket

    In the bucket with the cell [lo, hi] a few experts bet. Cash never bets. An expert above the cell says
    hi + (1 - hi)/2^j and bets against hi; one below says lo - lo/2^j and bets against lo. The wealth of the
    bucket is the mean of the experts' wealths. If the frequency r of the bucket lies beyond an end c of the
    cell, some expert lies in the half of the interval from c to r that is nearer to r, so it earns half of
    n KL(r, c); or n KL(r, c) <= 1, and cash is enough. *)

From Coq Require Import Reals Lra Lia List ZArith.
Import ListNotations.
From KLCal Require Import Definitions Basics KT Numbers.
From KLCal Require Pinsker.
Open Scope R_scope.

(** ** Definitions *)

(** An expert says the first number and bets against the second. *)
Definition expert : Type := R * R.

(** The ceiling of log_4 x, at least 0. *)
Definition scales (x : R) : nat := ceiling (ln x / ln 4).

Definition experts_above (T : nat) (hi : R) : list expert :=
  map (fun j => (hi + (1 - hi) / 2 ^ j, hi)) (seq 1 (scales (INR T * (1 - hi) / hi))).

Definition experts_below (T : nat) (lo : R) : list expert :=
  map (fun j => (lo - lo / 2 ^ j, lo)) (seq 1 (scales (INR T * lo / (1 - lo)))).

(** There is none above if hi = 1, and none below if lo = 0. The first expert is cash. *)
Definition experts (T : nat) (lo hi : R) : list expert :=
  (/ 2, / 2) :: experts_above T hi ++ experts_below T lo.

(** Sums over a list. *)
Definition over {X : Type} (l : list X) (f : X -> R) : R := fold_right (fun x rest => f x + rest) 0 l.

(** The wealth of an expert after n rounds with k ones. *)
Definition expert_wealth (e : expert) (k n : nat) : R :=
  (fst e / snd e) ^ k * ((1 - fst e) / (1 - snd e)) ^ (n - k).

(** The mean wealth in a bucket. *)
Definition mean_wealth (T : nat) (lo hi : R) (k n : nat) : R :=
  over (experts T lo hi) (fun e => expert_wealth e k n) / INR (length (experts T lo hi)).

(** An outcome y multiplies the wealth of an expert (a, c) by 1 + slope (y - c). *)
Definition slope_of_expert (e : expert) : R := (fst e - snd e) / (snd e * (1 - snd e)).

(** The slope of a bucket: the mean over its experts, weighted by their wealths. *)
Definition slope (T : nat) (lo hi : R) (k n : nat) : R :=
  over (experts T lo hi) (fun e => expert_wealth e k n * slope_of_expert e)
  / over (experts T lo hi) (fun e => expert_wealth e k n).

(** ** Sums over lists *)

Lemma over_le {X} (l : list X) f g : (forall x, In x l -> f x <= g x) -> over l f <= over l g.
Proof.
  induction l as [| x l IH]; intros H; cbn [over fold_right]; [lra |].
  apply Rplus_le_compat; [apply H; now left | apply IH; intros y Hy; apply H; now right].
Qed.

Lemma over_ext {X} (l : list X) f g : (forall x, In x l -> f x = g x) -> over l f = over l g.
Proof. intros H. apply Rle_antisym; apply over_le; intros x Hx; rewrite H; auto; lra. Qed.

Lemma over_linear {X} (l : list X) a f b g :
  over l (fun x => a * f x + b * g x) = a * over l f + b * over l g.
Proof.
  induction l as [| x l IH]; cbn [over fold_right]; [ring |].
  unfold over in IH. rewrite IH. ring.
Qed.

Lemma over_const {X} (l : list X) c : over l (fun _ => c) = INR (length l) * c.
Proof.
  induction l as [| x l IH]; [cbn; ring |]. cbn [over fold_right length]. unfold over in IH.
  rewrite IH, S_INR. ring.
Qed.

Lemma over_member {X} (l : list X) f x : In x l -> (forall y, In y l -> 0 <= f y) -> f x <= over l f.
Proof.
  induction l as [| y l IH]; intros Hx Hpos; [easy |]. cbn [over fold_right].
  assert (Hrest : 0 <= over l f).
  { rewrite <- (Rmult_0_r (INR (length l))), <- over_const. apply over_le. intros. apply Hpos. now right. }
  unfold over in *. destruct Hx as [<- | Hx]; [lra |].
  pose proof (Hpos y (or_introl eq_refl)).
  pose proof (IH Hx (fun u Hu => Hpos u (or_intror Hu))). lra.
Qed.

(** ** The experts *)

Lemma ceiling_ge x : x <= INR (ceiling x).
Proof. destruct (Rle_lt_dec 0 x); [now apply ceiling_bounds | pose proof (pos_INR (ceiling x)); lra]. Qed.

Lemma scales_enough x : 0 < x -> x <= 4 ^ scales x.
Proof.
  intros Hx. pose proof ln_4 as E4. pose proof ln_2_bounds as B2. unfold scales.
  rewrite <- Rpower_pow by lra. unfold Rpower. rewrite <- (exp_ln x Hx) at 1.
  pose proof (ceiling_ge (ln x / ln 4)) as H. apply (Rmult_le_compat_r (ln 4)) in H; [| lra].
  unfold Rdiv in H. rewrite Rmult_assoc, Rinv_l, Rmult_1_r in H by lra.
  destruct H as [H | H]; [left; now apply exp_increasing | right; f_equal; exact H].
Qed.

Lemma scales_few x : 1 <= x -> INR (scales x) <= 1 + ln x / ln 4.
Proof.
  intros Hx. pose proof ln_4 as E4. pose proof ln_2_bounds as B2. pose proof (ln_nonneg x Hx).
  unfold scales. rewrite Rplus_comm.
  apply Rlt_le, ceiling_bounds. apply Rmult_le_pos; [lra | left; apply Rinv_0_lt_compat; lra].
Qed.

Lemma scales_none : scales 0 = 0%nat.
Proof.
  unfold scales. rewrite ln_0. unfold Rdiv. rewrite Rmult_0_l.
  destruct (ceiling_bounds 0 ltac:(lra)) as [_ H]. rewrite Rplus_0_l in H. apply (INR_lt _ 1) in H. lia.
Qed.

Lemma power_of_half j : (1 <= j)%nat -> 0 < / 2 ^ j <= / 2.
Proof.
  intros Hj. assert (H : 2 <= 2 ^ j).
  { replace j with (S (j - 1)) by lia. cbn [pow]. assert (1 <= 2 ^ (j - 1)) by (apply pow_R1_Rle; lra). lra. }
  split; [apply Rinv_0_lt_compat; lra | apply Rinv_le_contravar; lra].
Qed.

Lemma expert_kinds T lo hi e : proper_cell lo hi -> In e (experts T lo hi) ->
  0 < snd e < 1 /\ 0 < fst e < 1
  /\ (fst e = snd e \/ (snd e = hi /\ hi <= fst e) \/ (snd e = lo /\ fst e <= lo)).
Proof.
  unfold proper_cell. intros Hcell [<- | Hin]; [cbn [fst snd]; lra |].
  apply in_app_or in Hin. destruct Hin as [Hin | Hin]; apply in_map_iff in Hin;
    destruct Hin as (j & <- & Hj); apply in_seq in Hj; cbn [fst snd]; unfold Rdiv at 1.
  - assert (Hhi : hi < 1).
    { destruct Hcell as (_ & [H | ->] & _); [exact H |]. exfalso.
      replace (INR T * (1 - 1) / 1) with 0 in Hj by field. rewrite scales_none in Hj. lia. }
    pose proof (power_of_half j ltac:(lia)) as Hp.
    assert (0 < (1 - hi) * / 2 ^ j < 1 - hi).
    { split; [apply Rmult_lt_0_compat; lra |]. rewrite <- (Rmult_1_r (1 - hi)) at 2.
      apply Rmult_lt_compat_l; lra. }
    unfold Rdiv. split; [lra |]. split; [lra |]. right. left. split; [reflexivity | lra].
  - assert (Hlo : 0 < lo).
    { destruct Hcell as ([[H | <-] _] & _); [exact H |]. exfalso.
      replace (INR T * 0 / (1 - 0)) with 0 in Hj by field. rewrite scales_none in Hj. lia. }
    pose proof (power_of_half j ltac:(lia)) as Hp.
    assert (0 < lo * / 2 ^ j < lo).
    { split; [apply Rmult_lt_0_compat; lra |]. rewrite <- (Rmult_1_r lo) at 2.
      apply Rmult_lt_compat_l; lra. }
    unfold Rdiv. split; [lra |]. split; [lra |]. right. right. split; [reflexivity | lra].
Qed.

(** ** One round *)

Section Bucket.
  Variables (T : nat) (lo hi : R).
  Hypothesis Hcell : proper_cell lo hi.

  Let kinds e := expert_kinds T lo hi e Hcell.

  Lemma expert_wealth_pos e k n : In e (experts T lo hi) -> 0 < expert_wealth e k n.
  Proof using Hcell.
    intros He. destruct (kinds e He) as (Hc & Ha & _). unfold expert_wealth.
    apply Rmult_lt_0_compat; apply pow_lt, Rdiv_lt_0_compat; lra.
  Qed.

  Lemma sum_of_wealths_pos k n : 0 < over (experts T lo hi) (fun e => expert_wealth e k n).
  Proof using Hcell.
    assert (Hin : In (/ 2, / 2) (experts T lo hi)) by now left.
    eapply Rlt_le_trans; [apply (expert_wealth_pos _ k n Hin) |].
    apply (over_member _ (fun e => expert_wealth e k n) _ Hin).
    intros e He. left. now apply expert_wealth_pos.
  Qed.

  Lemma number_pos : 0 < INR (length (experts T lo hi)).
  Proof using. apply lt_0_INR. cbn. lia. Qed.

  Lemma mean_wealth_pos k n : 0 < mean_wealth T lo hi k n.
  Proof using Hcell. apply Rdiv_lt_0_compat; [apply sum_of_wealths_pos | apply number_pos]. Qed.

  Lemma mean_wealth_start : mean_wealth T lo hi 0 0 = 1.
  Proof using.
    unfold mean_wealth. rewrite (over_ext _ _ (fun _ => 1)).
    - rewrite over_const. pose proof number_pos. field. lra.
    - intros e _. unfold expert_wealth. cbn [Nat.sub pow]. ring.
  Qed.

  Lemma expert_wealth_step e k n (y : bool) : In e (experts T lo hi) -> (k <= n)%nat ->
    expert_wealth e (if y then S k else k) (S n)
    = expert_wealth e k n * (1 + slope_of_expert e * (outcome y - snd e)).
  Proof using Hcell.
    intros He Hkn. destruct (kinds e He) as (Hc & Ha & _). unfold expert_wealth, slope_of_expert.
    destruct y; cbn [outcome].
    - replace (S n - S k)%nat with (n - k)%nat by lia. cbn [pow]. field. lra.
    - replace (S n - k)%nat with (S (n - k)) by lia. cbn [pow]. field. lra.
  Qed.

  (** The gain of a round is at most slope (y - b), for both ends b of the cell. *)
  Lemma mean_wealth_step k n (y : bool) b : (k <= n)%nat -> b = lo \/ b = hi ->
    mean_wealth T lo hi (if y then S k else k) (S n) / mean_wealth T lo hi k n
    <= 1 + slope T lo hi k n * (outcome y - b).
  Proof using Hcell.
    intros Hkn Hb. pose proof (sum_of_wealths_pos k n) as HW. pose proof number_pos as HN.
    unfold mean_wealth, slope. set (E := experts T lo hi) in *.
    set (W := over E (fun e => expert_wealth e k n)) in *.
    set (D := over E (fun e => expert_wealth e k n * slope_of_expert e)).
    set (W' := over E (fun e => expert_wealth e (if y then S k else k) (S n))).
    replace (W' / INR (length E) / (W / INR (length E))) with (W' / W) by (field; lra).
    apply Rmult_le_reg_r with W; [exact HW |].
    replace ((1 + D / W * (outcome y - b)) * W) with (1 * W + (outcome y - b) * D) by (field; lra).
    unfold Rdiv. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
    unfold W', W, D. rewrite <- over_linear. apply over_le. intros e He.
    rewrite expert_wealth_step by assumption.
    pose proof (expert_wealth_pos e k n He) as Hpos.
    enough (slope_of_expert e * (b - snd e) <= 0).
    { pose proof (Rmult_le_compat_l (expert_wealth e k n) _ _ ltac:(lra) H). lra. }
    destruct (kinds e He) as (Hc & Ha & Hkind). unfold proper_cell in Hcell.
    assert (Hinv : 0 < / (snd e * (1 - snd e))) by (apply Rinv_0_lt_compat, Rmult_lt_0_compat; lra).
    unfold slope_of_expert, Rdiv.
    enough (0 <= (snd e - fst e) * (b - snd e)).
    { pose proof (Rmult_le_pos _ _ H (Rlt_le _ _ Hinv)). lra. }
    destruct Hkind as [-> | [[-> H] | [-> H]]], Hb as [-> | ->]; try lra.
    - replace ((hi - fst e) * (lo - hi)) with ((fst e - hi) * (hi - lo)) by ring. apply Rmult_le_pos; lra.
    - apply Rmult_le_pos; lra.
  Qed.

  (** ** The wealth of a bucket *)

  (** An expert between the end c of the cell and the frequency r. *)
  Lemma expert_earns c a x k n : 0 < c < 1 -> (k <= n)%nat -> (0 < n)%nat -> 0 <= x <= 1 ->
    a = (1 - x) * c + x * (INR k / INR n) -> 0 < a < 1 ->
    x * (INR n * KL (INR k / INR n) c) <= ln (expert_wealth (a, c) k n).
  Proof using.
    intros Hc Hkn Hn Hx Ha Ha01. unfold expert_wealth. cbn [fst snd].
    assert (HN : 0 < INR n) by now apply lt_0_INR.
    assert (H1 : 0 < a / c) by (apply Rdiv_lt_0_compat; lra).
    assert (H0 : 0 < (1 - a) / (1 - c)) by (apply Rdiv_lt_0_compat; lra).
    rewrite ln_mult by now apply pow_lt.
    rewrite !ln_pow by assumption.
    set (r := INR k / INR n) in *.
    assert (Hk : INR k = INR n * r) by (unfold r; field; lra).
    assert (Hnk : INR (n - k) = INR n * (1 - r)) by (rewrite minus_INR by exact Hkn; rewrite Hk; ring).
    assert (Hr : 0 <= r <= 1).
    { pose proof (pos_INR k). pose proof (pos_INR (n - k)). split.
      - apply Rmult_le_reg_l with (INR n); lra.
      - apply Rmult_le_reg_l with (INR n); lra. }
    (* one outcome: u = r(y), d = c(y), b = a(y) *)
    assert (Hterm : forall u d, 0 <= u <= 1 -> 0 < d < 1 -> 0 < (1 - x) * d + x * u ->
              x * (u * ln (u / d)) <= u * ln (((1 - x) * d + x * u) / d)).
    { intros u d [[Hu | <-] Hu1] Hd Hb; [| lra].
      rewrite !ln_div by lra.
      pose proof (ln_jensen2 (1 - x) x d u ltac:(lra) ltac:(lra) ltac:(lra) (proj1 Hd) Hu) as HJ.
      replace (1 - x + x) with 1 in HJ by ring.
      replace (((1 - x) * d + x * u) / 1) with ((1 - x) * d + x * u) in HJ by field.
      pose proof (Rmult_le_compat_l u _ _ ltac:(lra) HJ). lra. }
    pose proof (Hterm r c Hr Hc ltac:(rewrite <- Ha; lra)) as T1.
    assert (Ha0 : 1 - a = (1 - x) * (1 - c) + x * (1 - r)) by (rewrite Ha; ring).
    pose proof (Hterm (1 - r) (1 - c) ltac:(lra) ltac:(lra) ltac:(rewrite <- Ha0; lra)) as T0.
    rewrite <- Ha in T1. rewrite <- Ha0 in T0.
    rewrite Hk, Hnk. unfold KL.
    pose proof (Rmult_le_compat_l (INR n) _ _ ltac:(lra) (Rplus_le_compat _ _ _ _ T1 T0)). lra.
  Qed.

  (** A power of 1/2 between x/2 and x. *)
  Lemma suitable_power J x : (1 <= J)%nat -> / 2 ^ J <= x <= 1 ->
    exists j, (1 <= j <= J)%nat /\ x / 2 <= / 2 ^ j <= x.
  Proof using.
    induction J as [| J IH]; intros HJ Hx; [lia |].
    destruct (Nat.eq_dec J 0) as [-> | HJ0].
    - exists 1%nat. cbn [pow] in *. split; [lia |]. lra.
    - destruct (Rle_lt_dec (/ 2 ^ J) x) as [Hle | Hgt].
      + destruct (IH ltac:(lia) ltac:(lra)) as (j & Hj & H). exists j. split; [lia | exact H].
      + exists (S J). split; [lia |]. split; [| lra]. cbn [pow].
        assert (0 < 2 ^ J) by (apply pow_lt; lra). rewrite Rinv_mult by lra. lra.
  Qed.

  (** The frequency lies at the fraction x of the distance d from the end c. *)
  Lemma side_earns c d x J k n : 0 < c < 1 -> (k <= n)%nat -> (0 < n <= T)%nat -> 0 < x <= 1 ->
    INR k / INR n = c + x * d -> INR T * (d * d) / (c * (1 - c)) <= 4 ^ J ->
    (forall j, (1 <= j <= J)%nat -> In (c + d / 2 ^ j, c) (experts T lo hi)) ->
    exists e, In e (experts T lo hi)
              /\ / 2 * (INR n * KL (INR k / INR n) c) - / 2 <= ln (expert_wealth e k n).
  Proof using Hcell.
    intros Hc Hkn Hn Hx Hr HJ Hexperts.
    assert (HN : 0 < INR n) by (apply lt_0_INR; lia).
    assert (HNT : INR n <= INR T) by (apply le_INR; lia).
    pose proof (pos_INR k) as Hk0. assert (HkN : INR k <= INR n) by now apply le_INR.
    set (r := INR k / INR n) in *.
    pose proof (ratio_unit (INR k) (INR n) ltac:(lra) HN) as Hr01. fold r in Hr01.
    pose proof (KL_nonneg r c Hr01 Hc) as HKL0.
    assert (Hcash : exists e, In e (experts T lo hi) /\ ln (expert_wealth e k n) = 0).
    { exists (/ 2, / 2). split; [now left |]. unfold expert_wealth. cbn [fst snd].
      replace (/ 2 / / 2) with 1 by field. replace ((1 - / 2) / (1 - / 2)) with 1 by field.
      rewrite !pow1, Rmult_1_r. apply ln_1. }
    destruct (Rle_lt_dec (INR n * KL r c) 1) as [Hsmall | Hlarge].
    { destruct Hcash as (e & He & Hln). exists e. split; [exact He |]. rewrite Hln. lra. }
    (* the divergence is at most x^2 4^J *)
    assert (Hdiv : INR n * KL r c <= x * x * 4 ^ J).
    { pose proof (Pinsker.pinsker r c Hr01 Hc) as (_ & HKL1 & HKL2).
      pose proof (Rle_trans _ _ _ HKL1 HKL2) as H. unfold Pinsker.chi2 in H.
      replace ((r - c) ^ 2 / (c * (1 - c))) with (x * x * (d * d / (c * (1 - c)))) in H
        by (rewrite Hr; field; lra).
      assert (Hcc : 0 < c * (1 - c)) by (apply Rmult_lt_0_compat; lra).
      assert (Hq : 0 <= x * x * (d * d / (c * (1 - c)))) by lra.
      apply Rle_trans with (INR T * (x * x * (d * d / (c * (1 - c))))).
      - apply Rmult_le_compat; lra.
      - replace (INR T * (x * x * (d * d / (c * (1 - c))))) with (x * x * (INR T * (d * d) / (c * (1 - c))))
          by (field; lra).
        apply Rmult_le_compat_l; [apply Rle_0_sqr | exact HJ]. }
    assert (HxJ : / 2 ^ J <= x).
    { apply Rnot_lt_le. intros Hlt. assert (H2 : 0 < 2 ^ J) by (apply pow_lt; lra).
      assert (H4 : 4 ^ J = 2 ^ J * 2 ^ J) by (rewrite <- Rpow_mult_distr; f_equal; lra).
      apply (Rmult_lt_compat_r (2 ^ J)) in Hlt; [| exact H2]. rewrite Rinv_l in Hlt by lra.
      assert (x * 2 ^ J * (x * 2 ^ J) <= 1 * 1) by (apply Rmult_le_compat; nra).
      rewrite H4 in Hdiv. lra. }
    assert (HJ1 : (1 <= J)%nat).
    { destruct J; [exfalso | lia]. cbn [pow] in Hdiv.
      assert (x * x <= 1 * 1) by (apply Rmult_le_compat; lra). lra. }
    destruct (suitable_power J x HJ1 ltac:(lra)) as (j & Hj & Hjx).
    exists (c + d / 2 ^ j, c). split; [now apply Hexperts |].
    destruct (kinds _ (Hexperts j Hj)) as (_ & Ha & _). cbn [fst snd] in Ha.
    assert (Hlam : / 2 <= / 2 ^ j / x <= 1).
    { split; apply Rmult_le_reg_r with x; try lra; unfold Rdiv; rewrite Rmult_assoc, Rinv_l; lra. }
    eapply Rle_trans; [| apply (expert_earns c _ (/ 2 ^ j / x)); auto; try lra; try lia].
    - fold r. pose proof (Rmult_le_pos _ _ (Rlt_le _ _ HN) HKL0) as Hpos.
      pose proof (Rmult_le_compat_r (INR n * KL r c) _ _ Hpos (proj1 Hlam)). lra.
    - fold r. rewrite Hr. assert (0 < 2 ^ j) by (apply pow_lt; lra). field. lra.
  Qed.

  (** After n <= T rounds with k ones and frequency r = k/n, with q the point of the cell nearest to r:
      ln (mean wealth) >= (1/2) n KL(r, q) - 1/2 - ln (number of experts). *)
  Theorem mean_wealth_bound k n : (k <= n)%nat -> (0 < n <= T)%nat ->
    let r := INR k / INR n in
    / 2 * (INR n * KL r (clip lo hi r)) - / 2 - ln (INR (length (experts T lo hi)))
    <= ln (mean_wealth T lo hi k n).
  Proof using Hcell.
    intros Hkn Hn r. assert (HN : 0 < INR n) by (apply lt_0_INR; lia).
    pose proof (pos_INR k) as Hk0. assert (HkN : INR k <= INR n) by now apply le_INR.
    pose proof (ratio_unit (INR k) (INR n) ltac:(lra) HN) as Hr01. fold r in Hr01.
    enough (Hexp : exists e, In e (experts T lo hi)
              /\ / 2 * (INR n * KL r (clip lo hi r)) - / 2 <= ln (expert_wealth e k n)).
    { destruct Hexp as (e & He & Hln). unfold mean_wealth.
      rewrite ln_div by (apply sum_of_wealths_pos || apply number_pos).
      enough (ln (expert_wealth e k n) <= ln (over (experts T lo hi) (fun e => expert_wealth e k n))) by lra.
      apply ln_le; [now apply expert_wealth_pos |].
      apply (over_member _ (fun e => expert_wealth e k n) _ He).
      intros u Hu. left. now apply expert_wealth_pos. }
    pose proof Hcell as Hproper. unfold proper_cell in Hproper.
    destruct (Rle_lt_dec r hi) as [Hhi | Hhi].
    - destruct (Rle_lt_dec lo r) as [Hlo | Hlo].
      + (* inside the cell: cash *)
        exists (/ 2, / 2). split; [now left |]. rewrite clip_inside, KL_same by lra.
        unfold expert_wealth. cbn [fst snd]. replace (/ 2 / / 2) with 1 by field.
        replace ((1 - / 2) / (1 - / 2)) with 1 by field. rewrite !pow1, Rmult_1_r, ln_1. lra.
      + (* below *)
        rewrite clip_below by lra.
        apply (side_earns lo (- lo) ((lo - r) / lo) (scales (INR T * lo / (1 - lo)))); auto; try lra.
        * split; [apply Rdiv_lt_0_compat; lra |]. apply Rmult_le_reg_r with lo; [lra |].
          unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra.
        * fold r. field. lra.
        * replace (INR T * (- lo * - lo) / (lo * (1 - lo))) with (INR T * lo / (1 - lo)) by (field; lra).
          apply scales_enough. apply Rdiv_lt_0_compat; [| lra].
          apply Rmult_lt_0_compat; [apply lt_0_INR; lia | lra].
        * intros j Hj. replace (lo + - lo / 2 ^ j) with (lo - lo / 2 ^ j) by (unfold Rdiv; ring).
          right. apply in_or_app. right. apply in_map_iff. exists j. split; [reflexivity | apply in_seq; lia].
    - (* above *)
      rewrite clip_above by lra.
      apply (side_earns hi (1 - hi) ((r - hi) / (1 - hi)) (scales (INR T * (1 - hi) / hi))); auto; try lra.
      + split; [apply Rdiv_lt_0_compat; lra |]. apply Rmult_le_reg_r with (1 - hi); [lra |].
        unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra.
      + fold r. field. lra.
      + replace (INR T * ((1 - hi) * (1 - hi)) / (hi * (1 - hi)))
          with (INR T * (1 - hi) / hi) by (field; lra).
        apply scales_enough. apply Rdiv_lt_0_compat; [| lra].
        apply Rmult_lt_0_compat; [apply lt_0_INR; lia | lra].
      + intros j Hj. right. apply in_or_app. left. apply in_map_iff. exists j.
        split; [reflexivity | apply in_seq; lia].
  Qed.

  (** The first cell has no experts below, the last none above. *)
  Lemma slope_of_first k n : lo = 0 -> 0 <= slope T lo hi k n.
  Proof using Hcell.
    intros Hlo. apply Rmult_le_pos; [| left; apply Rinv_0_lt_compat, sum_of_wealths_pos].
    rewrite <- (Rmult_0_r (INR (length (experts T lo hi)))), <- over_const. apply over_le. intros e He.
    apply Rmult_le_pos; [left; now apply expert_wealth_pos |].
    destruct (kinds e He) as (Hc & _ & Hkind).
    apply Rmult_le_pos; [lra | left; apply Rinv_0_lt_compat, Rmult_lt_0_compat; lra].
  Qed.

  Lemma slope_of_last k n : hi = 1 -> slope T lo hi k n <= 0.
  Proof using Hcell.
    intros Hhi. pose proof (sum_of_wealths_pos k n) as HW.
    enough (over (experts T lo hi) (fun e => expert_wealth e k n * slope_of_expert e) <= 0).
    { unfold slope, Rdiv. pose proof (Rinv_0_lt_compat _ HW) as Hinv.
      apply (Rmult_le_compat_r (/ over (experts T lo hi) (fun e => expert_wealth e k n))) in H; lra. }
    rewrite <- (Rmult_0_r (INR (length (experts T lo hi)))), <- over_const. apply over_le. intros e He.
    pose proof (expert_wealth_pos e k n He). destruct (kinds e He) as (Hc & _ & Hkind).
    enough (0 <= - slope_of_expert e) by nra. unfold slope_of_expert, Rdiv.
    replace (- ((fst e - snd e) * / (snd e * (1 - snd e))))
      with ((snd e - fst e) * / (snd e * (1 - snd e))) by ring.
    apply Rmult_le_pos; [lra | left; apply Rinv_0_lt_compat, Rmult_lt_0_compat; lra].
  Qed.
End Bucket.
