(** * Theorem 3 as printed is false: an algorithm that stops when its draws look bad.

    Outcomes alternate, 0 first. The forecaster mixes 1/2 and a point next to it evenly until, at the point 1/2,
    the zeros and ones of its own draws differ by more than 2 sqrt(Theta t) after t rounds; then it moves to a
    third point for good. The mixtures stay calibrated, PCal_2 <= 6. But what has been drawn at 1/2 stays there,
    and it contributes more than Theta to Cal_2.

    The stop comes: twice the difference, corrected by 1 in odd rounds, is a simple random walk w. As long as
    w^2 <= C t the mean of exp (2 w^2 / (t + N)) grows by at least 1/(t + N + 1) in round t, and this function is
    bounded up to the stop. The harmonic series diverges, so the probability not to stop within T rounds tends to
    0. *)

From Coq Require Import Reals Lra Lia Psatz List Bool Arith.
Import ListNotations.
From KLCal Require Import Definitions Basics Histories LossDefinitions Ville Theorem3 Corollary3.
Open Scope R_scope.

(** ** The forecaster *)

(** Zeros minus ones among the draws of the first point. *)
Definition drift (h : history) : R := INR (count h 0) - 2 * INR (count_ones h 0).

Definition looks_bad (Theta : R) (h : history) : bool := less (4 * Theta * INR (length h)) (drift h ^ 2).

Definition stopper (Theta : R) : forecaster :=
  Forecaster (fun _ => 3%nat)
    (fun h => if ever (looks_bad Theta) h then point 2 else fun i => if (i <? 2)%nat then / 2 else 0).

(** 0, 1, 0, 1, ... *)
Definition alternating : adversary := oblivious Nat.odd.

(** The three points: 1/2, and two points next to it. *)
Definition near_half (T : nat) (i : nat) : R := 1 / 2 + INR i / (8 * (INR T + 1)).

Lemma stopper_proper Theta : proper_forecaster (stopper Theta).
Proof.
  intros h. cbn [choices weight stopper]. destruct (ever (looks_bad Theta) h); [apply point_is_distribution; lia|].
  split; [intros i _; destruct (i <? 2)%nat; lra|]. cbn [sum Nat.ltb Nat.leb]. lra.
Qed.

Lemma near_half_close T i : (i < 3)%nat -> 0 <= near_half T i - 1 / 2 <= / (4 * (INR T + 1)).
Proof.
  intros Hi. unfold near_half. pose proof (pos_INR T). pose proof (pos_INR i).
  assert (Hi2 : INR i <= 2) by (replace 2 with (INR 2) by (cbn; ring); apply le_INR; lia).
  assert (Hinv : 0 < / (8 * (INR T + 1))) by (apply Rinv_0_lt_compat; lra).
  replace (/ (4 * (INR T + 1))) with (2 * / (8 * (INR T + 1))) by (field; lra). unfold Rdiv. split; nra.
Qed.

(** ** The growth of the potential *)

Lemma exp_above_square x : -2 <= x -> (1 + x / 2) ^ 2 <= exp x.
Proof.
  intros Hx. replace (exp x) with (exp (x / 2) ^ 2).
  - apply pow_incr. pose proof (exp_ineq1_le (x / 2)). lra.
  - cbn [pow]. rewrite Rmult_1_r, <- exp_plus. f_equal. field.
Qed.

(** One step of the walk, from w at the time tau. *)
Lemma potential_grows w tau C : 1 <= C -> 8 * C ^ 2 <= tau -> w ^ 2 <= C * tau ->
  exp (2 * w ^ 2 / tau) + / (tau + 1)
  <= / 2 * (exp (2 * (w + 1) ^ 2 / (tau + 1)) + exp (2 * (w - 1) ^ 2 / (tau + 1))).
Proof.
  intros HC Htau Hw. assert (Ht : 8 <= tau) by nra.
  set (q := / (tau + 1)). set (r := w ^ 2 / tau). set (x := 4 * w * q). set (y := 2 * q * (1 - r)).
  assert (Hq : 0 < q) by (apply Rinv_0_lt_compat; lra).
  assert (Hq1 : tau * q = 1 - q) by (unfold q; field; lra).
  assert (Hq2 : q <= / 2) by (apply Rinv_le_contravar; lra).
  assert (Hr : 0 <= r <= C).
  { unfold r. assert (Hi : 0 < / tau) by (apply Rinv_0_lt_compat; lra). pose proof (pow2_ge_0 w). split.
    - apply Rmult_le_pos; lra.
    - apply Rmult_le_reg_r with tau; [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra. }
  assert (HCq : 8 * C ^ 2 * q <= 1) by (apply Rle_trans with (tau * q); [apply Rmult_le_compat_r|]; lra).
  assert (Hrw : w ^ 2 = r * tau) by (unfold r; field; lra).
  assert (Hx2 : x ^ 2 = 16 * (r * q * (1 - q))).
  { rewrite <- Hq1. replace (x ^ 2) with (16 * (w ^ 2 * (q * q))) by (unfold x; ring). rewrite Hrw. ring. }
  assert (Hsmall : -2 <= x <= 2).
  { assert (x ^ 2 <= 4); [|nra]. rewrite Hx2. nra. }
  assert (Hy : 0 <= 1 + y) by (unfold y; nra).
  assert (Hup : 2 * (w + 1) ^ 2 / (tau + 1) = 2 * r + (y + x)).
  { unfold y, x. apply Rmult_eq_reg_r with (tau + 1); [|lra].
    replace (2 * (w + 1) ^ 2 / (tau + 1) * (tau + 1)) with (2 * (w ^ 2 + 2 * w + 1)) by (field; lra).
    rewrite Hrw. unfold q. field. lra. }
  assert (Hdown : 2 * (w - 1) ^ 2 / (tau + 1) = 2 * r + (y - x)).
  { unfold y, x. apply Rmult_eq_reg_r with (tau + 1); [|lra].
    replace (2 * (w - 1) ^ 2 / (tau + 1) * (tau + 1)) with (2 * (w ^ 2 - 2 * w + 1)) by (field; lra).
    rewrite Hrw. unfold q. field. lra. }
  replace (2 * w ^ 2 / tau) with (2 * r) by (unfold r; field; lra).
  rewrite Hup, Hdown. unfold Rminus at 1. rewrite !exp_plus.
  pose proof (exp_above_square x ltac:(lra)) as E1. pose proof (exp_above_square (- x) ltac:(lra)) as E2.
  pose proof (exp_ineq1_le y) as E3.
  assert (Hone : 1 <= exp (2 * r)) by (pose proof (exp_ineq1_le (2 * r)); lra).
  assert (Hprod : (1 + y) * (1 + x ^ 2 / 4) <= exp y * (/ 2 * (exp x + exp (- x)))).
  { pose proof (pow2_ge_0 x). apply Rmult_le_compat; [exact Hy|lra|exact E3|].
    replace (1 + x ^ 2 / 4) with (/ 2 * ((1 + x / 2) ^ 2 + (1 + - x / 2) ^ 2)) by field. lra. }
  assert (Hgain : 1 + q <= (1 + y) * (1 + x ^ 2 / 4)).
  { rewrite Hx2. unfold y.
    replace ((1 + 2 * q * (1 - r)) * (1 + 16 * (r * q * (1 - q)) / 4))
      with (1 + q + q * ((1 - 8 * r ^ 2 * q) + 2 * r * (1 - 2 * q) + 8 * r * q * (1 - q) + 8 * r ^ 2 * q * q))
      by field.
    assert (0 <= 1 - 8 * r ^ 2 * q) by nra.
    assert (0 <= 2 * r * (1 - 2 * q)) by nra.
    assert (Hrq : 0 <= r * q) by (apply Rmult_le_pos; lra).
    assert (0 <= r * q * (1 - q)) by (apply Rmult_le_pos; lra).
    assert (0 <= (r * q) * (r * q)) by now apply Rmult_le_pos.
    assert (0 <= q * ((1 - 8 * r ^ 2 * q) + 2 * r * (1 - 2 * q) + 8 * r * q * (1 - q) + 8 * r ^ 2 * q * q))
      by (apply Rmult_le_pos; lra).
    lra. }
  nra.
Qed.

(** ** The stop comes *)

Section Stop.
Variable Theta : R.
Hypothesis HTheta : 0 <= Theta.

Let F := stopper Theta.
Let bad := looks_bad Theta.

(** The walk: odd rounds have seen one zero more than ones. *)
Let walk (h : history) : R := 2 * drift h - outcome (Nat.odd (length h)).

Let C : R := 32 * Theta + 2.
Let time (h : history) : R := INR (length h) + 8 * C ^ 2.
Let potential (h : history) : R := exp (2 * walk h ^ 2 / time h).
Let most : R := exp (2 * (2 * C + 2)).

Lemma walk_steps h : let y := Nat.odd (length h) in
  (walk ((0%nat, y) :: h) = walk h + 1 /\ walk ((1%nat, y) :: h) = walk h - 1)
  \/ (walk ((0%nat, y) :: h) = walk h - 1 /\ walk ((1%nat, y) :: h) = walk h + 1).
Proof using.
  intros y. unfold walk, drift. cbn [length count count_ones Nat.eqb andb].
  rewrite Nat.odd_succ, <- Nat.negb_odd. fold y.
  destruct y; cbn [negb outcome]; rewrite !S_INR; [right|left]; split; ring.
Qed.

Lemma time_large h : 8 * C ^ 2 <= time h /\ 32 <= time h /\ INR (length h) <= time h.
Proof using HTheta. unfold time, C. pose proof (pos_INR (length h)). repeat split; nra. Qed.

Lemma walk_small h : bad h = false -> walk h ^ 2 <= C * time h.
Proof using HTheta.
  unfold bad, looks_bad. rewrite less_false. intros H. destruct (time_large h) as (_ & H1 & H2).
  unfold walk. pose proof (outcome_bounds (Nat.odd (length h))) as Ho.
  set (o := outcome _) in *. set (d := drift h) in *.
  assert (Hd : (2 * d - o) ^ 2 <= 8 * d ^ 2 + 2) by (pose proof (pow2_ge_0 (2 * d + o)); nra).
  unfold C. nra.
Qed.

Lemma potential_bounded h x k : walk h ^ 2 <= C * time h -> -1 <= x <= 1 -> 0 <= k ->
  exp (2 * (walk h + x) ^ 2 / (time h + k)) <= most.
Proof using HTheta.
  intros Hw Hx Hk. destruct (time_large h) as (_ & H1 & _). unfold most.
  assert (Hle : 2 * (walk h + x) ^ 2 / (time h + k) <= 2 * (2 * C + 2)).
  { apply Rmult_le_reg_r with (time h + k); [lra|].
    replace (2 * (walk h + x) ^ 2 / (time h + k) * (time h + k)) with (2 * (walk h + x) ^ 2) by (field; lra).
    assert ((walk h + x) ^ 2 <= 2 * walk h ^ 2 + 2) by (pose proof (pow2_ge_0 (walk h - x)); nra).
    assert (0 < C) by (unfold C; lra). nra. }
  destruct Hle as [Hle|Hle]; [left; now apply exp_increasing|right; now rewrite Hle].
Qed.

Lemma time_step r h : time (r :: h) = time h + 1.
Proof using. unfold time. cbn [length]. rewrite S_INR. ring. Qed.

(** The probability not to have stopped after U more rounds. *)
Let waiting (U : nat) (h : history) : R := expect F alternating U (indicator (fun k => negb (ever bad k))) h.

Lemma waiting_bounds U h : 0 <= waiting U h <= 1.
Proof using.
  pose proof (stopper_proper Theta) as HF. pose proof (oblivious_proper Nat.odd) as HA. unfold waiting. split.
  - rewrite <- (expect_const F alternating HF U 0 h). apply expect_le; auto. intros. apply indicator_bounds.
  - rewrite <- (expect_const F alternating HF U 1 h). apply expect_le; auto. intros. apply indicator_bounds.
Qed.

Lemma waiting_stopped U h : ever bad h = true -> waiting U h = 0.
Proof using.
  pose proof (stopper_proper Theta) as HF. revert h. unfold waiting.
  induction U as [|U IH]; intros h Hh; cbn [expect].
  - unfold indicator. now rewrite Hh.
  - apply sum_zero. intros i _. rewrite !IH; [ring| |]; cbn [ever]; now rewrite Hh, orb_true_r.
Qed.

Lemma waiting_step U h : ever bad h = false -> let y := Nat.odd (length h) in
  waiting (S U) h = / 2 * (waiting U ((0%nat, y) :: h) + waiting U ((1%nat, y) :: h)).
Proof using.
  intros Hh y. unfold waiting. cbn [expect choices F stopper sum weight]. fold bad. rewrite Hh.
  cbn [Nat.ltb Nat.leb]. unfold alternating, oblivious, deterministic. fold y. destruct y; cbn [outcome]; ring.
Qed.

(** What the potential gains while waiting. *)
Lemma stop_comes U : forall h, ever bad h = false ->
  potential h + waiting U h * sum U (fun u => / (time h + INR u + 1)) <= most.
Proof using HTheta.
  induction U as [|U IH]; intros h Hh.
  - assert (Hb : bad h = false) by (destruct h; cbn [ever] in Hh; [|apply orb_false_iff in Hh]; tauto).
    cbn [sum]. pose proof (potential_bounded h 0 0 (walk_small h Hb) ltac:(lra) ltac:(lra)) as H.
    rewrite !Rplus_0_r in H. unfold potential. lra.
  - assert (Hb : bad h = false) by (destruct h; cbn [ever] in Hh; [|apply orb_false_iff in Hh]; tauto).
    pose proof (walk_small h Hb) as Hw. set (y := Nat.odd (length h)).
    set (rest := sum U (fun u => / (time h + 1 + INR u + 1))).
    assert (Hsum : sum (S U) (fun u => / (time h + INR u + 1)) = / (time h + 1) + rest).
    { replace (S U) with (1 + U)%nat by lia. rewrite sum_split. cbn [sum]. f_equal.
      - cbn [INR]. now rewrite Rplus_0_l, Rplus_0_r.
      - apply sum_ext. intros u _. rewrite plus_INR. cbn [INR]. f_equal. ring. }
    assert (Hchild : forall i, (i < 2)%nat ->
              potential ((i, y) :: h) + waiting U ((i, y) :: h) * rest <= most).
    { intros i Hi. destruct (ever bad ((i, y) :: h)) eqn:Hstop.
      - rewrite waiting_stopped, Rmult_0_l, Rplus_0_r by exact Hstop. unfold potential. rewrite time_step.
        assert (Hs : exists x, -1 <= x <= 1 /\ walk ((i, y) :: h) = walk h + x).
        { destruct (walk_steps h) as [[E0 E1]|[E0 E1]]; fold y in E0, E1;
            destruct i as [|[|i]]; try lia; [exists 1|exists (-1)|exists (-1)|exists 1]; split; lra. }
        destruct Hs as (x & Hx & ->). apply potential_bounded; lra.
      - specialize (IH _ Hstop). rewrite time_step in IH. exact IH. }
    pose proof (Hchild 0%nat ltac:(lia)) as H0. pose proof (Hchild 1%nat ltac:(lia)) as H1.
    rewrite Hsum, waiting_step by exact Hh. fold y.
    destruct (time_large h) as (Ht & Ht2 & _).
    assert (Hgrow : potential h + / (time h + 1)
                    <= / 2 * (potential ((0%nat, y) :: h) + potential ((1%nat, y) :: h))).
    { pose proof (potential_grows (walk h) (time h) C ltac:(unfold C; lra) Ht Hw) as H.
      unfold potential. rewrite !time_step.
      destruct (walk_steps h) as [[E0 E1]|[E0 E1]]; fold y in E0, E1; rewrite E0, E1; lra. }
    pose proof (waiting_bounds U ((0%nat, y) :: h)) as W0. pose proof (waiting_bounds U ((1%nat, y) :: h)) as W1.
    assert (Hinv : 0 < / (time h + 1)) by (apply Rinv_0_lt_compat; lra).
    set (w0 := waiting U ((0%nat, y) :: h)) in *. set (w1 := waiting U ((1%nat, y) :: h)) in *.
    assert (/ 2 * (w0 + w1) * / (time h + 1) <= 1 * / (time h + 1)) by (apply Rmult_le_compat_r; lra).
    lra.
Qed.

(** The harmonic series diverges; an even number of terms will do. *)
Lemma harmonic a x : 0 < a -> exists T, Nat.even T = true /\ x < sum T (fun u => / (a + INR u)).
Proof using.
  intros Ha.
  assert (Hln : forall T, ln (a + INR T) - ln a <= sum T (fun u => / (a + INR u))).
  { induction T as [|T IH]; [cbn; rewrite Rplus_0_r; lra|]. cbn [sum]. rewrite S_INR. pose proof (pos_INR T).
    pose proof (ln_tangent (a + (INR T + 1)) (a + INR T) ltac:(lra) ltac:(lra)) as H1.
    replace ((a + (INR T + 1)) / (a + INR T)) with (1 + / (a + INR T)) in H1 by (field; lra). lra. }
  pose proof (exp_pos (x + ln a)) as He.
  destruct (archimed_cor1 (/ exp (x + ln a)) (Rinv_0_lt_compat _ He)) as (T & HT & HT0).
  apply lt_0_INR in HT0.
  assert (HT' : exp (x + ln a) < INR T).
  { apply Rnot_le_lt. intros H. apply Rinv_le_contravar in H; lra. }
  exists (2 * T)%nat. split; [apply Nat.even_mul|]. eapply Rlt_le_trans; [|apply Hln].
  rewrite mult_INR. replace (INR 2) with 2 by (cbn; ring).
  apply Rlt_le_trans with (ln (INR T) - ln a).
  - apply ln_increasing in HT'; [|exact He]. rewrite ln_exp in HT'. lra.
  - assert (ln (INR T) <= ln (a + 2 * INR T)) by (apply ln_le; lra). lra.
Qed.

Lemma stop_is_likely delta : delta < 1 ->
  exists T, Nat.even T = true /\ probability F alternating T (fun h => negb (ever bad h)) < 1 - delta.
Proof using HTheta.
  intros Hd. destruct (harmonic (8 * C ^ 2 + 1) (most / (1 - delta))) as (T & Heven & HT).
  { unfold C. nra. }
  exists T. split; [exact Heven|]. assert (Hstart : ever bad [] = false).
  { cbn [ever]. apply less_false. unfold drift. cbn. lra. }
  pose proof (stop_comes T [] Hstart) as H.
  assert (Hpos : 0 < potential []) by apply exp_pos. assert (Hmost : 0 < most) by apply exp_pos.
  rewrite (sum_ext T _ (fun u => / (8 * C ^ 2 + 1 + INR u))) in H.
  2: { intros u _. unfold time. cbn [length INR]. f_equal. ring. }
  set (s := sum T (fun u => / (8 * C ^ 2 + 1 + INR u))) in *.
  assert (Hs : 0 < s).
  { apply Rlt_trans with (2 := HT). apply Rdiv_lt_0_compat; lra. }
  change (waiting T [] < 1 - delta). apply Rmult_lt_reg_r with s; [exact Hs|].
  assert (most < (1 - delta) * s).
  { apply (Rmult_lt_compat_r (1 - delta)) in HT; [|lra]. unfold Rdiv in HT.
    rewrite Rmult_assoc, Rinv_l in HT by lra. lra. }
  lra.
Qed.

(** ** What the stop does *)

(** After a stop the first point keeps its draws. *)
Lemma stopped_Cal2 h : can_happen F alternating h = true -> ever bad h = true ->
  Theta < INR (count h 0) * (INR (count_ones h 0) / INR (count h 0) - 1 / 2) ^ 2.
Proof using HTheta.
  assert (Hnow : forall k, bad k = true ->
            Theta < INR (count k 0) * (INR (count_ones k 0) / INR (count k 0) - 1 / 2) ^ 2).
  { intros k Hk. apply less_true in Hk. unfold drift in Hk. pose proof (pos_INR (count k 0)) as Hn.
    assert (Hlen : INR (count k 0) <= INR (length k)).
    { apply le_INR. clear. induction k as [|[j y] k IH]; cbn [count length]; [lia|]. destruct (j =? 0)%nat; lia. }
    pose proof (count_ones_le k 0) as Hle. apply le_INR in Hle. pose proof (pos_INR (count_ones k 0)).
    set (n := INR (count k 0)) in *. set (m := INR (count_ones k 0)) in *.
    assert (Hpos : 0 < n).
    { destruct Hn as [|E]; [assumption|]. exfalso. assert (m = 0) by lra. rewrite <- E in *.
      pose proof (Rmult_le_pos _ _ HTheta (pos_INR (length k))). nra. }
    replace (n * (m / n - 1 / 2) ^ 2) with ((n - 2 * m) ^ 2 / (4 * n)) by (field; lra).
    apply Rmult_lt_reg_r with (4 * n); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. nra. }
  induction h as [|[i y] h IH]; cbn [can_happen ever].
  - intros _. apply Hnow.
  - rewrite !andb_true_iff, orb_true_iff. intros [Hpast [[_ Hi] _]] [Hb|Hb]; [now apply Hnow|].
    apply less_true in Hi. cbn [F stopper weight] in Hi. fold bad in Hi. rewrite Hb in Hi.
    unfold point in Hi. destruct (Nat.eqb_spec 2 i) as [<-|]; [|lra].
    cbn [count count_ones Nat.eqb andb]. now apply IH.
Qed.

(** The mixtures are calibrated: mass of ones minus half the mass, and the masses. *)
Lemma mixtures_calibrated h : can_happen F alternating h = true ->
  let e i := ones_along F h i - mass_along F h i / 2 in
  let o := outcome (Nat.odd (length h)) in
  (if ever bad h then (forall i, (i < 2)%nat -> - / 2 <= e i <= 0) /\ (e 2%nat = - o / 2 \/ e 2%nat = / 2 - o / 2)
   else (forall i, (i < 2)%nat -> e i = - o / 4) /\ e 2%nat = 0)
  /\ forall i, (i < 3)%nat -> mass_along F h i = 0 \/ / 2 <= mass_along F h i.
Proof using.
  induction h as [|[i y] h IH]; intros Hh e o.
  - unfold e, o. cbn [mass_along ones_along length].
    replace (ever bad []) with false.
    + cbn. repeat split; intros; try lra; now left.
    + symmetry. cbn [ever]. apply less_false. unfold drift. cbn. lra.
  - cbn [can_happen] in Hh. rewrite !andb_true_iff in Hh. destruct Hh as [Hpast [_ Hy]].
    specialize (IH Hpast). cbv zeta in IH. destruct IH as [He Hm].
    assert (E : y = Nat.odd (length h)).
    { apply less_true in Hy. unfold alternating, oblivious, deterministic in Hy.
      destruct y, (Nat.odd (length h)); cbn in Hy; (reflexivity || lra). }
    assert (Ho : o = 1 - outcome y).
    { unfold o. cbn [length]. rewrite Nat.odd_succ, <- Nat.negb_odd, <- E. destruct y; cbn; ring. }
    assert (Hstep : forall j, e j = ones_along F h j - mass_along F h j / 2
                                    + weight F h j * (outcome y - / 2)).
    { intros j. unfold e. cbn [ones_along mass_along]. field. }
    assert (Hw : forall j, weight F h j = if ever bad h then point 2 j else if (j <? 2)%nat then / 2 else 0).
    { intros j. cbn [F stopper weight]. fold bad. now destruct (ever bad h). }
    rewrite <- E in He. clearbody e o. cbn [ever]. pose proof (outcome_bounds y) as Hob. split.
    + destruct (ever bad h); destruct He as [He He2].
      * rewrite orb_true_r. split.
        -- intros j Hj. rewrite Hstep, Hw, point_other by lia. specialize (He j Hj). lra.
        -- rewrite Hstep, Hw, point_same. destruct He2; [left|right]; lra.
      * assert (H01 : forall j, (j < 2)%nat -> e j = - o / 4).
        { intros j Hj. rewrite Hstep, Hw, (He j Hj). apply Nat.ltb_lt in Hj. rewrite Hj. lra. }
        assert (H2 : e 2%nat = 0) by (rewrite Hstep, Hw, He2; cbn [Nat.ltb Nat.leb]; lra).
        rewrite orb_false_r. destruct (bad ((i, y) :: h)); [|now split]. split.
        -- intros j Hj. rewrite (H01 j Hj). lra.
        -- rewrite H2. destruct y; cbn [outcome] in Ho; [left|right]; lra.
    + intros j Hj. cbn [mass_along]. rewrite Hw. destruct (Hm j Hj) as [->|H];
        (destruct (ever bad h); [unfold point; destruct (2 =? j)%nat|destruct (j <? 2)%nat]); lra.
Qed.

Lemma PCal2_bounded T h : can_happen F alternating h = true -> length h = T -> ever bad h = true ->
  pseudo_Cal2 F 3 (near_half T) h <= 6.
Proof using.
  intros Hh HT Hb. destruct (mixtures_calibrated h Hh) as [He Hm]. cbv zeta in He. rewrite Hb in He.
  destruct He as [H01 H2]. pose proof (outcome_bounds (Nat.odd (length h))) as Ho.
  replace 6 with (sum 3 (fun _ => 2)) by (cbn; ring). apply sum_le. intros i Hi.
  set (S := mass_along F h i) in *. set (A := ones_along F h i) in *.
  assert (He : - / 2 <= A - S / 2 <= / 2).
  { destruct (Nat.eq_dec i 2) as [E|Hne]; [unfold S, A; rewrite E; lra|].
    specialize (H01 i ltac:(lia)). fold S A in H01. lra. }
  destruct (Hm i Hi) as [E|HS]; [fold S in E; rewrite E; lra|fold S in HS].
  assert (HST : S <= INR T).
  { rewrite <- HT. now apply (mass_along_bounds F 3 (stopper_proper Theta) (fun _ => eq_refl)). }
  assert (Hd : 0 <= S * (near_half T i - 1 / 2) <= / 4).
  { pose proof (near_half_close T i Hi) as Hz. pose proof (pos_INR T). split; [apply Rmult_le_pos; lra|].
    apply Rle_trans with (INR T * / (4 * (INR T + 1))); [apply Rmult_le_compat; lra|].
    apply Rmult_le_reg_r with (4 * (INR T + 1)); [lra|]. rewrite Rmult_assoc, Rinv_l by lra. lra. }
  rewrite pseudo_cell by lra. apply Rmult_le_reg_r with S; [lra|].
  unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra.
  set (d := S * near_half T i - A). assert (Hd' : -1 <= d <= 1) by (unfold d; lra). nra.
Qed.

End Stop.

(** ** The theorems *)

Lemma probability_negb F A T E : proper_forecaster F ->
  probability F A T (fun h => negb (E h)) = 1 - probability F A T E.
Proof.
  intros HF. unfold probability.
  assert (H : expect F A T (fun h => indicator (fun k => negb (E k)) h + indicator E h) []
              = expect F A T (fun _ => 1) []).
  { generalize (@nil (nat * bool)). induction T as [|T IH]; intros h; cbn [expect].
    - unfold indicator. destruct (E h); cbn [negb]; ring.
    - apply sum_ext. intros i _. now rewrite !IH. }
  rewrite expect_plus, expect_const in H by assumption. lra.
Qed.

(** No constants serve every algorithm. For all a, b >= 0 and delta < 1 there are an even number of rounds T and
    a forecaster on three points of (0, 1) such that, for the outcomes 0, 1, 0, 1, ..., the inequality
    Cal_2 <= a PCal_2 + b fails with probability above delta. *)
Theorem no_constants_serve_every_algorithm : forall a b delta, 0 <= a -> 0 <= b -> delta < 1 ->
  exists T F z, Nat.even T = true /\ proper_forecaster F /\ (forall h, choices F h = 3%nat)
    /\ different 3 z /\ (forall i, (i < 3)%nat -> inside (z i))
    /\ delta < probability F (oblivious Nat.odd) T (fun h =>
         negb (at_most (realised_Cal2 3 z h) (a * pseudo_Cal2 F 3 z h + b))).
Proof.
  intros a b delta Ha Hb Hd. set (Theta := 6 * a + b). assert (HTheta : 0 <= Theta) by (unfold Theta; lra).
  destruct (stop_is_likely Theta HTheta delta Hd) as (T & Heven & HT).
  exists T, (stopper Theta), (near_half T). split; [exact Heven|]. split; [apply stopper_proper|].
  split; [reflexivity|]. pose proof (pos_INR T) as HTpos.
  assert (Hinv : 0 < / (8 * (INR T + 1))) by (apply Rinv_0_lt_compat; lra).
  split; [|split].
  - intros i j _ _ E. unfold near_half, Rdiv in E. apply INR_eq.
    apply Rmult_eq_reg_r with (/ (8 * (INR T + 1))); lra.
  - intros i Hi. pose proof (near_half_close T i Hi) as Hz. unfold inside.
    assert (/ (4 * (INR T + 1)) <= / 4) by (apply Rinv_le_contravar; lra). lra.
  - rewrite probability_negb by apply stopper_proper.
    match goal with |- _ < 1 - ?p => enough (p < 1 - delta) by lra end.
    apply Rle_lt_trans with (2 := HT).
    apply (expect_le_can_happen (stopper Theta) alternating);
      [apply stopper_proper|apply oblivious_proper|reflexivity|].
    intros h Hh Hlen. cbn [length] in Hlen. rewrite Nat.add_0_r in Hlen. apply indicator_le.
    rewrite at_most_true. intros Hle. apply negb_true_iff.
    destruct (ever (looks_bad Theta) h) eqn:Hstop; [exfalso|reflexivity].
    pose proof (stopped_Cal2 Theta HTheta h Hh Hstop) as Hbig.
    pose proof (PCal2_bounded Theta T h Hh Hlen Hstop) as Hsmall.
    assert (Hcell : INR (count h 0) * (INR (count_ones h 0) / INR (count h 0) - 1 / 2) ^ 2
                    <= realised_Cal2 3 (near_half T) h).
    { replace (1 / 2) with (near_half T 0) by (unfold near_half; cbn [INR]; field; lra).
      apply (sum_term_le 3 (fun i =>
        INR (count h i) * (INR (count_ones h i) / INR (count h i) - near_half T i) ^ 2)); [|lia].
      intros i _. apply Rmult_le_pos; [apply pos_INR|apply pow2_ge_0]. }
    assert (a * pseudo_Cal2 (stopper Theta) 3 (near_half T) h <= a * 6) by now apply Rmult_le_compat_l.
    unfold Theta in Hbig. lra.
Qed.

(** Theorem 3 of the paper as printed is false, for every delta: for all 0 < delta < 1 there are a number of
    rounds T and an algorithm on three points such that, for the outcomes 0, 1, 0, 1, ..., the printed bound
    Cal_2 <= 6 PCal_2 + 96 n ln (4 n / delta), n = 3, holds with probability less than 1 - delta. *)
Theorem theorem3_as_printed_is_false : forall delta, 0 < delta < 1 ->
  exists T F z, proper_forecaster F /\ (forall h, choices F h = 3%nat) /\ different 3 z
    /\ (forall i, (i < 3)%nat -> inside (z i))
    /\ probability F (oblivious Nat.odd) T (fun h =>
         at_most (realised_Cal2 3 z h)
           (6 * pseudo_Cal2 F 3 z h + 96 * INR 3 * ln (4 * INR 3 / delta))) < 1 - delta.
Proof.
  intros delta Hd.
  destruct (no_constants_serve_every_algorithm 6 (96 * INR 3 * ln (4 * INR 3 / delta)) delta)
    as (T & F & z & _ & HF & Hn & Hz & Hin & Hp); [lra| |lra|].
  - replace (INR 3) with 3 by (cbn; ring). apply Rmult_le_pos; [lra|]. apply ln_nonneg.
    apply Rmult_le_reg_r with delta; [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra.
  - rewrite probability_negb in Hp by exact HF. exists T, F, z. repeat (split; [assumption|]). lra.
Qed.
