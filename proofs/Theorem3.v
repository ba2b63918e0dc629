(** * Theorem 3 of the paper, as repaired: from mixtures to draws

    For every point z of the grid the realised count deviates from the mass, and the realised sum of z - y
    from the expected one, by martingale differences whose variances add up to at most the mass S. Freedman's
    inequality (with a fixed rate) bounds them. If the masses are known in advance, each point has its own
    best rate (a); if not, a list of rates 1, 1/2, ..., 2^-J serves every possible mass (b). In place of a
    union bound we add up the exponential supermartingales and apply Ville's inequality to the sum. *)

From Coq Require Import Reals Lra Lia Psatz List Bool.
Import ListNotations.
From KLCal Require Import Definitions Bounds Basics Ville Freedman.
Open Scope R_scope.

Lemma abs_le_bounds x b : Rabs x <= b -> - b <= x <= b.
Proof. unfold Rabs. destruct (Rcase_abs x); lra. Qed.

(** ** Calibration errors along a history *)

(** Cal_2 of the drawn forecasts. *)
Definition realised_Cal2 (n : nat) (z : nat -> R) (h : history) : R :=
  sum n (fun i => INR (count h i) * (INR (count_ones h i) / INR (count h i) - z i) ^ 2).

(** The mass that the forecaster gave to point i in the rounds of the history, and the part with outcome 1. *)
Fixpoint mass_along (F : forecaster) (h : history) (i : nat) : R :=
  match h with
  | [] => 0
  | _ :: past => weight F past i + mass_along F past i
  end.

Fixpoint ones_along (F : forecaster) (h : history) (i : nat) : R :=
  match h with
  | [] => 0
  | (_, y) :: past => weight F past i * outcome y + ones_along F past i
  end.

(** PCal_2: the same with masses in place of counts. *)
Definition pseudo_Cal2 (F : forecaster) (n : nat) (z : nat -> R) (h : history) : R :=
  sum n (fun i => mass_along F h i * (ones_along F h i / mass_along F h i - z i) ^ 2).

(** ** Histories that can happen

    Every draw and every outcome had a positive probability when it was made. *)
Fixpoint can_happen (F : forecaster) (A : adversary) (h : history) : bool :=
  match h with
  | [] => true
  | (i, y) :: past =>
      can_happen F A past && ((i <? choices F past)%nat && less 0 (weight F past i) && less 0 (prob (A past) y))
  end.

Lemma expect_le_can_happen F A T f g h : proper_forecaster F -> proper_adversary A -> can_happen F A h = true ->
  (forall h', can_happen F A h' = true -> length h' = (T + length h)%nat -> f h' <= g h') ->
  expect F A T f h <= expect F A T g h.
Proof.
  intros HF HA. revert h. induction T as [| T IH]; intros h Hh Hfg; cbn [expect]; [now apply Hfg |].
  apply weighted_sum_le; [intros i Hi; now apply (proj1 (HF h)) |]. intros i Hi Hpos.
  assert (Hnext : forall y, 0 < prob (A h) y ->
            expect F A T f ((i, y) :: h) <= expect F A T g ((i, y) :: h)).
  { intros y Hy. apply IH.
    - cbn [can_happen]. rewrite Hh, !andb_true_iff, Nat.ltb_lt, !less_true. auto.
    - intros h' Hr Hlen. apply Hfg; [exact Hr |]. cbn [length] in Hlen. lia. }
  pose proof (HA h) as Hp. pose proof (Hnext true) as H1. pose proof (Hnext false) as H0. cbn [prob] in H1, H0.
  apply Rplus_le_compat.
  - destruct (proj1 Hp) as [H | <-]; [apply Rmult_le_compat_l; auto; lra | lra].
  - destruct (proj2 Hp) as [H | ->]; [apply Rmult_le_compat_l; [lra | apply H0; lra] | lra].
Qed.

(** ** One cell

    Mass S with ones A, count N with ones k, a = S z - A and m = (N z - k) - a. *)

Lemma pseudo_cell S A z : 0 < S -> S * (A / S - z) ^ 2 = (S * z - A) ^ 2 / S.
Proof. intros HS. field. lra. Qed.

Lemma small_cell N k z : 0 <= k <= N -> 0 <= z <= 1 -> N * (k / N - z) ^ 2 <= N.
Proof.
  intros Hk Hz. destruct (Req_dec N 0) as [-> | HN]; [lra |].
  pose proof (ratio_unit k N Hk ltac:(lra)) as Hr.
  rewrite <- (Rmult_1_r N) at 3. apply Rmult_le_compat_l; [lra |]. nra.
Qed.

Lemma large_cell S A N k z B : 0 < S -> 0 <= B -> B * B <= S * S / 4 ->
  S - B <= N -> Rabs ((N * z - k) - (S * z - A)) <= B ->
  N * (k / N - z) ^ 2 <= 3 * (S * (A / S - z) ^ 2) + 6 * (B * B) / S.
Proof.
  intros HS HB HBS HN Hm.
  assert (HB2 : B <= S / 2) by (apply Rsqr_incr_0; [unfold Rsqr; lra | lra | lra]).
  assert (HNpos : S / 2 <= N) by lra.
  rewrite !pseudo_cell by lra.
  set (a := S * z - A) in *. set (m := (N * z - k) - a) in *.
  replace (N * z - k) with (a + m) by (unfold m; ring).
  assert (Hmm : m * m <= B * B).
  { replace (m * m) with (Rabs m * Rabs m) by (rewrite <- Rabs_mult; apply Rabs_pos_eq, Rle_0_sqr).
    apply Rmult_le_compat; auto using Rabs_pos. }
  assert (Hsq : (a + m) ^ 2 <= 3 / 2 * (a * a) + 3 * (B * B)).
  { pose proof (Rle_0_sqr (a - 2 * m)) as H. unfold Rsqr in H. nra. }
  assert (Hinv : / N <= 2 * / S).
  { replace (2 * / S) with (/ (S / 2)) by (field; lra). apply Rinv_le_contravar; lra. }
  apply Rle_trans with ((3 / 2 * (a * a) + 3 * (B * B)) * (2 * / S)).
  - apply Rmult_le_compat; [apply pow2_ge_0 | left; apply Rinv_0_lt_compat; lra | exact Hsq | exact Hinv].
  - right. field. lra.
Qed.

(** ** The deviations *)

Section Theorem3.
  Variable F : forecaster.
  Variable A : adversary.
  Variable n : nat.
  Variable z : nat -> R.
  Hypothesis proper_F : proper_forecaster F.
  Hypothesis proper_A : proper_adversary A.
  Hypothesis choices_F : forall h, choices F h = n.
  Hypothesis Hz : forall i, (i < n)%nat -> 0 <= z i <= 1.

  Let anything (h : history) : Prop := True.

  Lemma anything_invariant : invariant F anything.
  Proof. intros h i y _ _ _. exact I. Qed.

  Lemma weight_bounds h i : (i < n)%nat -> 0 <= weight F h i <= 1.
  Proof using proper_F choices_F. rewrite <- (choices_F h). now apply distribution_bounds, proper_F. Qed.

  (** Drawn or not, minus the probability, times a function of the outcome. *)
  Definition deviation_of (i : nat) (g : bool -> R) (h : history) : R :=
    match h with
    | [] => 0
    | (k, y) :: past => (point k i - weight F past i) * g y
    end.

  Lemma point_sym i k : point i k = point k i.
  Proof using. unfold point. now rewrite Nat.eqb_sym. Qed.

  Lemma deviation_mean i g h : (i < n)%nat -> mean_of_round F A h (deviation_of i g) = 0.
  Proof using proper_F choices_F.
    intros Hi. unfold mean_of_round. cbn [deviation_of]. rewrite choices_F.
    destruct (proper_F h) as [_ Hsum]. rewrite choices_F in Hsum.
    set (c := A h * g true + (1 - A h) * g false).
    rewrite (sum_ext n _ (fun k => c * (point i k * weight F h k) + - (c * weight F h i) * weight F h k))
      by (intros k _; rewrite (point_sym k i); unfold c; ring).
    rewrite sum_plus, !sum_scal, Hsum, sum_point by exact Hi. ring.
  Qed.

  Lemma deviation_square i g h : (i < n)%nat -> (forall y, Rabs (g y) <= 1) ->
    mean_of_round F A h (fun k => deviation_of i g k * deviation_of i g k) <= weight F h i.
  Proof using proper_F proper_A choices_F.
    intros Hi Hg. pose proof (weight_bounds h i Hi) as Hw. set (w := weight F h i) in *.
    destruct (proper_F h) as [_ Hsum]. rewrite choices_F in Hsum.
    assert (Hgg : forall y, 0 <= g y * g y <= 1).
    { intros y. split; [apply Rle_0_sqr |]. specialize (Hg y). apply abs_le_bounds in Hg. nra. }
    set (c := A h * (g true * g true) + (1 - A h) * (g false * g false)).
    assert (Hc : 0 <= c <= 1).
    { pose proof (proper_A h). pose proof (Hgg true). pose proof (Hgg false). unfold c. nra. }
    apply Rle_trans with (c * (w * (1 - w))).
    - right. unfold mean_of_round. cbn [deviation_of]. rewrite choices_F. fold w.
      rewrite (sum_ext n _ (fun k => c * (1 - 2 * w) * (point i k * weight F h k)
                                     + c * (w * w) * weight F h k)).
      + rewrite sum_plus, !sum_scal, Hsum, sum_point by exact Hi. fold w. ring.
      + intros k _. rewrite (point_sym k i). unfold c, point. destruct (i =? k)%nat; ring.
    - assert (0 <= w * (1 - w) <= w) by nra. nra.
  Qed.

  Lemma deviation_small i g k y h : (i < n)%nat -> (forall y, Rabs (g y) <= 1) ->
    Rabs (deviation_of i g ((k, y) :: h)) <= 1.
  Proof using proper_F choices_F.
    intros Hi Hg. cbn [deviation_of]. rewrite Rabs_mult. rewrite <- (Rmult_1_r 1).
    pose proof (weight_bounds h i Hi).
    apply Rmult_le_compat; auto using Rabs_pos. apply Rabs_le. unfold point. destruct (k =? i)%nat; lra.
  Qed.

  Lemma deviation_supermartingale mu i g : (i < n)%nat -> (forall y, Rabs (g y) <= 1) -> 0 < mu <= 1 ->
    supermartingale_against F A anything
      (freedman_process mu (deviation_of i g) (fun h => weight F h i)).
  Proof using proper_F proper_A choices_F.
    intros Hi Hg Hmu. apply freedman_supermartingale; auto.
    - intros h _. now apply deviation_mean.
    - intros h _. now apply deviation_square.
    - intros h k y _ _ _. pose proof (deviation_small i g k y h Hi Hg) as H. apply abs_le_bounds in H.
      pose proof (Rmult_le_compat_l mu _ 1 ltac:(lra) (proj2 H)). lra.
  Qed.

  (** The four deviations of a point: of the sum of z - y and of the count, with either sign. *)
  Definition test (i s : nat) (y : bool) : R :=
    match s with
    | 0%nat => z i - outcome y
    | 1%nat => outcome y - z i
    | 2%nat => 1
    | _ => -1
    end.

  Lemma test_bounds i s y : (i < n)%nat -> Rabs (test i s y) <= 1.
  Proof using Hz.
    intros Hi. specialize (Hz i Hi). pose proof (outcome_bounds y).
    apply Rabs_le. destruct s as [| [| [| s]]]; cbn [test]; lra.
  Qed.

  Lemma mass_is_total h i : total_before (fun k => weight F k i) h = mass_along F h i.
  Proof using.
    induction h as [| r past IH]; cbn [total_before mass_along]; [reflexivity | now rewrite IH].
  Qed.

  Lemma deviation_of_count h i : total (deviation_of i (fun _ => 1)) h = INR (count h i) - mass_along F h i.
  Proof using.
    induction h as [| [k y] past IH]; cbn [total deviation_of mass_along count]; [cbn; ring |].
    rewrite IH. unfold point. destruct (k =? i)%nat; rewrite ?S_INR; ring.
  Qed.

  Lemma deviation_of_sum h i :
    total (deviation_of i (fun y => z i - outcome y)) h
    = (INR (count h i) * z i - INR (count_ones h i)) - (mass_along F h i * z i - ones_along F h i).
  Proof using.
    induction h as [| [k y] past IH];
      cbn [total deviation_of mass_along ones_along count count_ones]; [cbn; ring |].
    rewrite IH. unfold point. destruct (k =? i)%nat, y; cbn [andb outcome]; rewrite ?S_INR; ring.
  Qed.

  Lemma total_ext D D' h : (forall k, D k = D' k) -> total D h = total D' h.
  Proof using. intros H. induction h as [| r past IH]; cbn [total]; [reflexivity | now rewrite IH, H]. Qed.

  (** The bound that all four deviations satisfy. *)
  Definition deviates_by (h : history) (i s : nat) (B : R) : Prop := total (deviation_of i (test i s)) h <= B.

  Lemma deviations_meaning h i B :
    (deviates_by h i 0 B -> deviates_by h i 1 B ->
       Rabs ((INR (count h i) * z i - INR (count_ones h i))
             - (mass_along F h i * z i - ones_along F h i)) <= B)
    /\ (deviates_by h i 2 B -> INR (count h i) <= mass_along F h i + B)
    /\ (deviates_by h i 3 B -> mass_along F h i - B <= INR (count h i)).
  Proof using.
    pose proof (deviation_of_sum h i) as Hs. pose proof (deviation_of_count h i) as Hc.
    assert (H0 : total (deviation_of i (test i 0)) h = total (deviation_of i (fun y => z i - outcome y)) h)
      by (apply total_ext; intros [| [k y] past]; reflexivity).
    assert (H1 : total (deviation_of i (test i 1)) h
                 = -1 * total (deviation_of i (fun y => z i - outcome y)) h).
    { rewrite <- total_scal. apply total_ext. intros [| [k y] past]; cbn [deviation_of test]; ring. }
    assert (H2 : total (deviation_of i (test i 2)) h = total (deviation_of i (fun _ => 1)) h)
      by (apply total_ext; intros [| [k y] past]; reflexivity).
    assert (H3 : total (deviation_of i (test i 3)) h = -1 * total (deviation_of i (fun _ => 1)) h).
    { rewrite <- total_scal. apply total_ext. intros [| [k y] past]; cbn [deviation_of test]; ring. }
    unfold deviates_by. repeat split; intros; try apply Rabs_le; lra.
  Qed.

  (** ** Averages of supermartingales *)

  Lemma supermartingale_against_sum m (M : nat -> history -> R) :
    (forall i, (i < m)%nat -> supermartingale_against F A anything (M i)) ->
    supermartingale_against F A anything (fun h => sum m (fun i => M i h)).
  Proof using.
    induction m as [| m IH]; intros HM h Hh; cbn [sum].
    - right. unfold mean_of_round. apply sum_zero. intros. ring.
    - rewrite (mean_of_round_plus F A h (fun k => sum m (fun i => M i k))).
      apply Rplus_le_compat; [| apply HM; [lia | exact Hh]].
      apply IH; [| exact Hh]. intros i Hi. apply HM. lia.
  Qed.

  (** With probability at least 1 - delta, m positive supermartingales that start at 1 or less all stay below
      m / delta. *)
  Lemma all_stay_below T m (M : nat -> history -> R) delta (good : history -> bool) :
    (0 < m)%nat -> 0 < delta ->
    (forall i, (i < m)%nat -> supermartingale_against F A anything (M i)) ->
    (forall i h, (i < m)%nat -> 0 < M i h) -> (forall i, (i < m)%nat -> M i [] = 1) ->
    (forall h, (length h <= T)%nat -> (forall i, (i < m)%nat -> M i h < INR m / delta) -> good h = true) ->
    1 - delta <= probability F A T (always good).
  Proof using proper_F proper_A.
    intros Hm Hdelta HM Hpos Hstart Hgood.
    assert (Hmpos : 0 < INR m) by now apply lt_0_INR.
    set (S := fun h => sum m (fun i => M i h)).
    assert (HS0 : S [] = INR m).
    { unfold S. rewrite (sum_ext m _ (fun _ => 1)) by exact Hstart. rewrite sum_const. ring. }
    apply (ville_until F A proper_F proper_A anything anything_invariant S); try exact I; try lra.
    - now apply supermartingale_against_sum.
    - intros h _. apply sum_nonneg. intros i Hi. left. now apply Hpos.
    - intros h _ Hlen Hlt. rewrite HS0 in Hlt. apply Hgood; [exact Hlen |]. intros i Hi.
      eapply Rle_lt_trans; [| exact Hlt].
      apply (sum_term_le m (fun j => M j h)); [| exact Hi]. intros j Hj. left. now apply Hpos.
  Qed.

  (** The deviations of a list of tests, each with its own rate: (point, sign, rate). *)
  Lemma deviations_bounded T (tests : list (nat * nat * R)) delta (good : history -> bool) :
    tests <> [] -> 0 < delta ->
    (forall i s mu, In (i, s, mu) tests -> (i < n)%nat /\ 0 < mu <= 1) ->
    (forall h, (length h <= T)%nat ->
       (forall i s mu, In (i, s, mu) tests ->
          deviates_by h i s (kappa * mu * mass_along F h i + / mu * ln (INR (length tests) / delta))) ->
       good h = true) ->
    1 - delta <= probability F A T (always good).
  Proof using proper_F proper_A choices_F Hz.
    intros Hne Hdelta Htests Hgood.
    assert (Hlen : (0 < length tests)%nat) by (destruct tests; [congruence | cbn; lia]).
    set (d := (0%nat, 0%nat, 1)).
    set (process := fun (x : nat * nat * R) =>
           let '(i, s, mu) := x in freedman_process mu (deviation_of i (test i s)) (fun h => weight F h i)).
    apply (all_stay_below T (length tests) (fun k => process (nth k tests d)) delta good Hlen Hdelta).
    - intros k Hk. pose proof (nth_In tests d Hk) as Hin. destruct (nth k tests d) as [[i s] mu].
      destruct (Htests i s mu Hin) as [Hi Hmu]. apply deviation_supermartingale; auto.
      intros y. now apply test_bounds.
    - intros k h _. destruct (nth k tests d) as [[i s] mu]. apply freedman_process_pos.
    - intros k _. destruct (nth k tests d) as [[i s] mu]. apply freedman_process_start.
    - intros h HlenT Hall. apply Hgood; [exact HlenT |]. intros i s mu Hin.
      destruct (Htests i s mu Hin) as [Hi Hmu].
      destruct (In_nth tests (i, s, mu) d Hin) as (k & Hk & Heq).
      specialize (Hall k Hk). rewrite Heq in Hall. cbn [process] in Hall.
      unfold deviates_by. rewrite <- mass_is_total.
      apply (freedman_process_bound mu _ (fun k => weight F k i)); [lra | | exact Hall].
      apply Rdiv_lt_0_compat; [now apply lt_0_INR | exact Hdelta].
  Qed.

  Lemma mass_along_bounds h i : (i < n)%nat -> 0 <= mass_along F h i <= INR (length h).
  Proof using proper_F choices_F.
    intros Hi. induction h as [| r past IH]; cbn [mass_along]; [cbn; lra |].
    pose proof (weight_bounds past i Hi). cbn [length]. rewrite S_INR. lra.
  Qed.

  (** ** (b): every algorithm, a list of rates *)

  (** Some rate of the list suits the mass. *)
  Lemma rate_exists J x : / 2 <= x -> x <= 2 * 4 ^ J -> exists j, (j <= J)%nat /\ / 2 <= x / 4 ^ j <= 2.
  Proof using.
    intros Hx. induction J as [| J IH]; intros HJ.
    - exists 0%nat. cbn [pow] in *. split; [lia | lra].
    - destruct (Rle_lt_dec x (2 * 4 ^ J)) as [Hle | Hgt].
      + destruct (IH Hle) as (j & Hj & Hv). exists j. split; [lia | exact Hv].
      + exists (S J). split; [lia |]. assert (Hpos : 0 < 4 ^ J) by (apply pow_lt; lra).
        cbn [pow] in *. split.
        * apply Rmult_le_reg_r with (4 * 4 ^ J); [lra |].
          unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra.
        * apply Rmult_le_reg_r with (4 * 4 ^ J); [lra |].
          unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra.
  Qed.

  (** The square of the bound at a rate mu, with v = kappa S mu^2 / L. *)
  Lemma bound_square S L v mu : 0 < S -> 0 < L -> 0 < v -> 0 < mu -> kappa * S * (mu * mu) = v * L ->
    (kappa * mu * S + / mu * L) * (kappa * mu * S + / mu * L) = (v + / v + 2) * (kappa * S * L).
  Proof using.
    intros HS HL Hv Hmu Heq. pose proof kappa_bounds as Hk.
    assert (HkS : 0 < kappa * S) by (apply Rmult_lt_0_compat; lra).
    assert (Hinv : / (mu * mu) * L = kappa * S * / v).
    { apply Rmult_eq_reg_r with (v * (mu * mu)); [| apply Rgt_not_eq; repeat apply Rmult_lt_0_compat; lra].
      transitivity (v * L); [field; lra |]. rewrite <- Heq. field. lra. }
    replace ((kappa * mu * S + / mu * L) * (kappa * mu * S + / mu * L))
      with (kappa * S * (kappa * S * (mu * mu)) + 2 * (kappa * S * L) + L * (/ (mu * mu) * L))
      by (field; lra).
    rewrite Heq, Hinv. ring.
  Qed.

  Lemma bound_pos S L mu : 0 <= S -> 0 <= L -> 0 < mu -> 0 <= kappa * mu * S + / mu * L.
  Proof using.
    intros HS HL Hmu. pose proof kappa_bounds. pose proof (Rinv_0_lt_compat mu Hmu).
    apply Rplus_le_le_0_compat; repeat apply Rmult_le_pos; lra.
  Qed.

  Lemma cell_b S a N k x L J :
    0 <= S -> 0 <= k <= N -> 0 <= x <= 1 -> ln 4 <= L -> S <= 4 ^ J ->
    (forall j, (j <= J)%nat -> let B := kappa * / 2 ^ j * S + / / 2 ^ j * L in
       Rabs ((N * x - k) - (S * x - a)) <= B /\ N <= S + B /\ S - B <= N) ->
    N * (k / N - x) ^ 2 <= 3 * (S * (a / S - x) ^ 2) + 27 * kappa * L.
  Proof using.
    intros HS Hk Hx HL HSJ Hdev. pose proof kappa_bounds as Hkap.
    assert (HL1 : 1 < L).
    { replace 4 with (2 * 2) in HL by ring. rewrite ln_mult in HL by lra. pose proof ln_lt_2. lra. }
    assert (Hpseudo : 0 <= 3 * (S * (a / S - x) ^ 2)).
    { apply Rmult_le_pos; [lra |]. apply Rmult_le_pos; [exact HS | apply pow2_ge_0]. }
    assert (HkL : / 2 * L <= kappa * L) by (apply Rmult_le_compat_r; lra).
    destruct (Rlt_le_dec (kappa * S) (L / 2)) as [Htiny | Hnot_tiny].
    - (* tiny cells: rate 1 *)
      destruct (Hdev 0%nat ltac:(lia)) as (_ & HN & _). cbn [pow] in HN. rewrite Rinv_1, Rinv_1 in HN.
      assert (S <= L) by (apply Rmult_le_reg_l with kappa; [lra |]; nra).
      pose proof (small_cell N k x Hk Hx). nra.
    - assert (HSpos : 0 < S) by (apply Rmult_lt_reg_l with kappa; lra).
      destruct (rate_exists J (kappa * S / L)) as (j & Hj & Hv).
      { apply Rmult_le_reg_r with L; [lra |]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra. }
      { apply Rmult_le_reg_r with L; [lra |]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra.
        assert (0 < 4 ^ J) by (apply pow_lt; lra). nra. }
      destruct (Hdev j Hj) as (Hm & HNup & HNdown).
      set (mu := / 2 ^ j) in *. set (v := kappa * S / L / 4 ^ j) in *.
      assert (H2j : 0 < 2 ^ j) by (apply pow_lt; lra).
      assert (Hmu : 0 < mu) by (unfold mu; now apply Rinv_0_lt_compat).
      assert (Hv2 : kappa * S * (mu * mu) = v * L).
      { unfold v, mu. replace (4 ^ j) with (2 ^ j * 2 ^ j) by (rewrite <- Rpow_mult_distr; f_equal; lra).
        field. lra. }
      assert (HB : (kappa * mu * S + / mu * L) * (kappa * mu * S + / mu * L) <= 9 / 2 * (kappa * S * L)).
      { rewrite (bound_square S L v mu) by lra.
        apply Rmult_le_compat_r; [repeat apply Rmult_le_pos; lra |].
        enough (v + / v <= 5 / 2) by lra.
        apply Rmult_le_reg_r with v; [lra |]. rewrite Rmult_plus_distr_r, Rinv_l by lra. nra. }
      pose proof (bound_pos S L mu HS ltac:(lra) Hmu) as HBpos.
      set (B := kappa * mu * S + / mu * L) in *.
      destruct (Rle_lt_dec (18 * kappa * L) S) as [Hlarge | Hsmall].
      + eapply Rle_trans; [apply (large_cell S a N k x B HSpos HBpos); auto |].
        * apply (Rmult_le_compat_r S) in Hlarge; [| lra]. lra.
        * apply Rplus_le_compat_l. apply Rmult_le_reg_r with S; [lra |].
          unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra.
      + pose proof (small_cell N k x Hk Hx).
        assert (HB9 : B <= 9 * (kappa * L)).
        { apply Rsqr_incr_0; [| exact HBpos | nra]. unfold Rsqr.
          apply (Rmult_lt_compat_l (kappa * L)) in Hsmall; [| apply Rmult_lt_0_compat; lra]. lra. }
        lra.
  Qed.

  (** Theorem 3 (b). For every forecaster on n points in [0, 1] and every adaptive adversary, with probability
      at least 1 - delta, after all rounds up to T at once,

        Cal_2 <= 3 PCal_2 + 27 (e - 2) n ln (4 n (1 + J) / delta),

      for every J with T <= 4^J, in particular J = ceiling of (1/2) log_2 T. *)
  Theorem theorem3_any_algorithm T J delta : (0 < n)%nat -> INR T <= 4 ^ J -> 0 < delta <= 1 ->
    1 - delta <= probability F A T (always (fun h =>
      at_most (realised_Cal2 n z h)
        (3 * pseudo_Cal2 F n z h + any_masses_cost n J delta))).
  Proof using proper_F proper_A choices_F Hz.
    intros Hn HTJ Hdelta. unfold any_masses_cost. fold kappa.
    set (rates := map (fun j => / 2 ^ j) (seq 0 (S J))).
    set (tests := list_prod (list_prod (seq 0 n) (seq 0 4)) rates).
    assert (Hlen : INR (length tests) = 4 * INR n * (1 + INR J)).
    { unfold tests, rates. rewrite !prod_length, map_length, !seq_length, !mult_INR, (S_INR J).
      cbn [INR]. ring. }
    assert (HnR : 1 <= INR n) by (replace 1 with (INR 1) by reflexivity; apply le_INR; lia).
    apply (deviations_bounded T tests delta); try lra.
    - intros Hnil. rewrite Hnil in Hlen. cbn [length INR] in Hlen. pose proof (pos_INR J). nra.
    - intros i s mu Hin. unfold tests in Hin. rewrite !in_prod_iff in Hin. destruct Hin as [[Hi _] Hmu].
      apply in_seq in Hi. split; [lia |]. unfold rates in Hmu. apply in_map_iff in Hmu.
      destruct Hmu as (j & <- & _). assert (1 <= 2 ^ j) by (apply pow_R1_Rle; lra). split.
      + apply Rinv_0_lt_compat. lra.
      + rewrite <- Rinv_1. apply Rinv_le_contravar; lra.
    - intros h HlenT Hdev. rewrite Hlen in Hdev. set (L := ln (4 * INR n * (1 + INR J) / delta)) in *.
      apply at_most_true. unfold realised_Cal2, pseudo_Cal2.
      assert (HL : ln 4 <= L).
      { apply ln_le; [lra |]. apply Rmult_le_reg_r with delta; [lra |].
        unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. pose proof (pos_INR J). nra. }
      replace (27 * kappa * INR n * L) with (INR n * (27 * kappa * L)) by ring.
      rewrite <- (sum_const n (27 * kappa * L)), <- sum_scal, <- sum_plus.
      apply sum_le. intros i Hi. pose proof (mass_along_bounds h i Hi) as Hmass.
      apply le_INR in HlenT.
      pose proof (count_ones_le h i) as Hle. apply le_INR in Hle. pose proof (pos_INR (count_ones h i)).
      apply (cell_b _ _ _ _ _ L J); auto; try lra.
      intros j Hj B.
      assert (Hin : forall s, (s < 4)%nat -> deviates_by h i s B).
      { intros s Hs. apply (Hdev i s (/ 2 ^ j)). unfold tests. rewrite !in_prod_iff.
        repeat split; try (apply in_seq; lia).
        unfold rates. apply in_map_iff. exists j. split; [reflexivity | apply in_seq; lia]. }
      destruct (deviations_meaning h i B) as (H1 & H2 & H3).
      repeat split; [apply H1 | apply H2 | apply H3]; apply Hin; lia.
  Qed.

  (** ** (a): masses known in advance, one rate per point *)

  Definition best_rate (S L : R) : R := if Rle_dec L (kappa * S) then sqrt (L / (kappa * S)) else 1.

  Lemma best_rate_bounds S L : 0 < L -> 0 < best_rate S L <= 1.
  Proof using.
    intros HL. unfold best_rate. destruct (Rle_dec L (kappa * S)) as [Hle | Hgt]; [| lra].
    assert (Hpos : 0 < L / (kappa * S)) by (apply Rdiv_lt_0_compat; lra).
    split; [now apply sqrt_lt_R0 |]. rewrite <- sqrt_1. apply sqrt_le_1_alt.
    apply Rmult_le_reg_r with (kappa * S); [lra |]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra.
  Qed.

  (** Large cells use three tests, small cells one (three times, so that all lists have the same length). *)
  Definition is_large (S L : R) : bool := at_most (16 * kappa * L) S.

  Definition tests_of_point (S : nat -> R) (L : R) (i : nat) : list (nat * nat * R) :=
    let mu := best_rate (S i) L in
    if is_large (S i) L then [(i, 0%nat, mu); (i, 1%nat, mu); (i, 3%nat, mu)]
    else [(i, 2%nat, mu); (i, 2%nat, mu); (i, 2%nat, mu)].

  Lemma length_of_tests S L m : length (flat_map (tests_of_point S L) (seq 0 m)) = (3 * m)%nat.
  Proof using.
    assert (H : forall l, length (flat_map (tests_of_point S L) l) = (3 * length l)%nat).
    { induction l as [| i l IH]; [reflexivity |]. cbn [flat_map]. rewrite app_length, IH.
      unfold tests_of_point. destruct (is_large (S i) L); cbn [length]; lia. }
    rewrite H, seq_length. reflexivity.
  Qed.

  Lemma cell_a S a N k x L : 0 <= S -> 0 <= k <= N -> 0 <= x <= 1 -> 0 < L ->
    (let B := kappa * best_rate S L * S + / best_rate S L * L in
     if is_large S L then Rabs ((N * x - k) - (S * x - a)) <= B /\ S - B <= N else N <= S + B) ->
    N * (k / N - x) ^ 2 <= 3 * (S * (a / S - x) ^ 2) + 24 * kappa * L.
  Proof using.
    intros HS Hk Hx HL Hdev. cbv zeta in Hdev. pose proof kappa_bounds as Hkap.
    pose proof (best_rate_bounds S L HL) as Hmu.
    pose proof (bound_pos S L (best_rate S L) HS ltac:(lra) (proj1 Hmu)) as HBpos.
    assert (Hpseudo : 0 <= 3 * (S * (a / S - x) ^ 2)).
    { apply Rmult_le_pos; [lra |]. apply Rmult_le_pos; [exact HS | apply pow2_ge_0]. }
    assert (HkL : / 2 * L < kappa * L) by (apply Rmult_lt_compat_r; lra).
    assert (HB : L <= kappa * S ->
              (kappa * best_rate S L * S + / best_rate S L * L)
              * (kappa * best_rate S L * S + / best_rate S L * L) = 4 * (kappa * S * L)).
    { intros Hle. assert (HSpos : 0 < S) by (apply Rmult_lt_reg_l with kappa; lra).
      rewrite (bound_square S L 1 (best_rate S L)); try lra. unfold best_rate.
      destruct (Rle_dec L (kappa * S)) as [_ | Hgt]; [| lra].
      rewrite sqrt_sqrt by (left; apply Rdiv_lt_0_compat; lra). field. lra. }
    set (B := kappa * best_rate S L * S + / best_rate S L * L) in *.
    unfold is_large in Hdev. destruct (at_most (16 * kappa * L) S) eqn:Hlarge.
    - apply at_most_true in Hlarge. destruct Hdev as [Hm HN].
      assert (Hle : L <= kappa * S) by nra.
      assert (HSpos : 0 < S) by (apply Rmult_lt_reg_l with kappa; lra).
      specialize (HB Hle).
      eapply Rle_trans; [apply (large_cell S a N k x B HSpos HBpos); auto |].
      + apply (Rmult_le_compat_r S) in Hlarge; [| lra]. lra.
      + apply Rplus_le_compat_l. apply Rmult_le_reg_r with S; [lra |].
        unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra.
    - apply at_most_false in Hlarge. pose proof (small_cell N k x Hk Hx).
      destruct (Rle_lt_dec L (kappa * S)) as [Hle | Hgt].
      + specialize (HB Hle).
        assert (HB8 : B <= 8 * (kappa * L)).
        { apply Rsqr_incr_0; [| exact HBpos | nra]. unfold Rsqr.
          apply (Rmult_lt_compat_l (kappa * L)) in Hlarge; [| apply Rmult_lt_0_compat; lra]. lra. }
        lra.
      + assert (HBtiny : B = kappa * S + L).
        { unfold B, best_rate. destruct (Rle_dec L (kappa * S)) as [Hle |]; [lra |]. rewrite Rinv_1. ring. }
        assert (S <= 2 * L) by (apply Rmult_le_reg_l with kappa; [lra |]; nra). lra.
  Qed.

  (** Theorem 3 (a). If the masses S_i after T rounds are known in advance (the same after every history that can
      happen), then against every adaptive adversary, with probability at least 1 - delta,

        Cal_2 <= 3 PCal_2 + 24 (e - 2) n ln (3 n / delta) <= 6 PCal_2 + 96 n ln (4 n / delta),

      after T rounds; the last expression is the paper's. *)
  Theorem theorem3_known_masses T (S : nat -> R) delta : (0 < n)%nat -> 0 < delta <= 1 ->
    (forall h i, can_happen F A h = true -> length h = T -> (i < n)%nat -> mass_along F h i = S i) ->
    1 - delta <= probability F A T (fun h =>
      at_most (realised_Cal2 n z h)
        (3 * pseudo_Cal2 F n z h + known_masses_cost n delta)).
  Proof using proper_F proper_A choices_F Hz.
    intros Hn Hdelta HS. unfold known_masses_cost. fold kappa.
    assert (HnR : 1 <= INR n) by (replace 1 with (INR 1) by reflexivity; apply le_INR; lia).
    set (L := ln (3 * INR n / delta)).
    assert (HL : 0 < L).
    { unfold L. rewrite <- ln_1. apply ln_increasing; [lra |]. apply Rmult_lt_reg_r with delta; [lra |].
      unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra. }
    set (tests := flat_map (tests_of_point S L) (seq 0 n)).
    assert (Hlen : INR (length tests) = 3 * INR n).
    { unfold tests. rewrite length_of_tests, mult_INR. cbn [INR]. ring. }
    set (good := fun h => at_most (realised_Cal2 n z h) (3 * pseudo_Cal2 F n z h + 24 * kappa * INR n * L)).
    set (claimed := fun h => (negb (length h =? T)%nat || negb (can_happen F A h) || good h)%bool).
    apply Rle_trans with (probability F A T (always claimed)).
    - apply (deviations_bounded T tests delta); try lra.
      + intros Hnil. rewrite Hnil in Hlen. cbn [length INR] in Hlen. lra.
      + intros i s mu Hin. unfold tests in Hin. apply in_flat_map in Hin. destruct Hin as (k & Hk & Hin).
        apply in_seq in Hk. pose proof (best_rate_bounds (S k) L HL). unfold tests_of_point in Hin.
        destruct (is_large (S k) L); cbn [In] in Hin;
          repeat destruct Hin as [Hin | Hin]; try easy; injection Hin as <- <- <-; split; (lia || lra).
      + intros h HlenT Hdev. rewrite Hlen in Hdev. fold L in Hdev.
        unfold claimed. destruct (Nat.eqb_spec (length h) T) as [HT | HT]; [| reflexivity].
        destruct (can_happen F A h) eqn:Hreach; [| reflexivity]. cbn [negb orb].
        unfold good. apply at_most_true. unfold realised_Cal2, pseudo_Cal2.
        replace (24 * kappa * INR n * L) with (INR n * (24 * kappa * L)) by ring.
        rewrite <- (sum_const n (24 * kappa * L)), <- sum_scal, <- sum_plus.
        apply sum_le. intros i Hi. pose proof (mass_along_bounds h i Hi) as Hmass.
        pose proof (count_ones_le h i) as Hle. apply le_INR in Hle. pose proof (pos_INR (count_ones h i)).
        apply cell_a; auto; try lra. intros B.
        assert (Hin : forall s mu, In (i, s, mu) (tests_of_point S L i) ->
                        deviates_by h i s (kappa * mu * mass_along F h i + / mu * L)).
        { intros s mu Hin. apply Hdev. unfold tests. apply in_flat_map. exists i.
          split; [apply in_seq; lia | exact Hin]. }
        destruct (deviations_meaning h i B) as (H1 & H2 & H3).
        unfold tests_of_point in Hin. unfold B in *. clear B. rewrite (HS h i Hreach HT Hi) in *.
        destruct (is_large (S i) L); cbn [In] in Hin.
        * split; [apply H1 | apply H3]; apply Hin; auto.
        * apply H2, Hin. auto.
    - apply expect_le_can_happen; auto. intros h Hreach HT. cbn [length] in HT. rewrite Nat.add_0_r in HT.
      assert (Hlast : always claimed h = true -> claimed h = true).
      { destruct h; cbn [always]; [auto |]. intros H. now apply andb_prop in H. }
      assert (Hgood : claimed h = good h) by (unfold claimed; now rewrite HT, Nat.eqb_refl, Hreach).
      unfold indicator. destruct (always claimed h).
      + rewrite Hgood in Hlast. rewrite (Hlast eq_refl). lra.
      + destruct (good h); lra.
  Qed.

  Corollary theorem3_printed T (S : nat -> R) delta : (0 < n)%nat -> 0 < delta <= 1 ->
    (forall h i, can_happen F A h = true -> length h = T -> (i < n)%nat -> mass_along F h i = S i) ->
    1 - delta <= probability F A T (fun h =>
      at_most (realised_Cal2 n z h) (6 * pseudo_Cal2 F n z h + 96 * INR n * ln (4 * INR n / delta))).
  Proof using proper_F proper_A choices_F Hz.
    intros Hn Hdelta HS. eapply Rle_trans; [now apply (theorem3_known_masses T S) |].
    apply (probability_le F A proper_F proper_A anything anything_invariant); [exact I |].
    intros h _ _. rewrite !at_most_true. intros H. unfold known_masses_cost in H. fold kappa in H.
    pose proof kappa_bounds.
    assert (HnR : 1 <= INR n) by (replace 1 with (INR 1) by reflexivity; apply le_INR; lia).
    assert (HP : 0 <= pseudo_Cal2 F n z h).
    { apply sum_nonneg. intros i Hi. pose proof (mass_along_bounds h i Hi).
      apply Rmult_le_pos; [lra | apply pow2_ge_0]. }
    assert (Hd : 0 < / delta) by (apply Rinv_0_lt_compat; lra).
    pose proof (inv_ge_1 delta ltac:(lra)) as H1.
    assert (HL : 0 <= ln (3 * INR n / delta) <= ln (4 * INR n / delta)).
    { unfold Rdiv. split.
      - apply ln_nonneg. nra.
      - apply ln_le; [apply Rmult_lt_0_compat; lra |]. apply Rmult_le_compat_r; lra. }
    assert (24 * kappa * INR n * ln (3 * INR n / delta) <= 96 * INR n * ln (4 * INR n / delta)).
    { apply Rmult_le_compat; try lra; [repeat apply Rmult_le_pos; lra |].
      apply Rmult_le_compat_r; lra. }
    lra.
  Qed.
End Theorem3.
