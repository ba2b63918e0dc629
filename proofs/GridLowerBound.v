(** * A fixed set of N forecasts costs T / (2N - 1)

    For any N forecasts there are a coin and a bounded proper loss such that every forecaster who uses only
    these forecasts has, against this coin, an expected external regret of at least T / (2N - 1). Some gap
    between the forecasts and the ends 0 and 1 is large. The coin sits in the middle of an inner gap and the
    loss has kinks of mass 1 at its ends; or the coin sits at an end, and the loss has a kink of mass 2 at
    the forecast next to it. In every round every forecast then costs at least 1 / (2N - 1) more than the
    coin's own bias. *)

From Coq Require Import Reals Lra Psatz Lia Arith List.
From KLCal Require Import Definitions Basics LossDefinitions LossBasics Proposition1 Thresholds Envelope.
Import ListNotations.
Open Scope R_scope.

(** ** External regret on a history *)

(** What the constant forecast q would have saved. *)
Fixpoint regret_against (l : loss_function) (z : nat -> R) (q : R) (h : history) : R :=
  match h with
  | [] => 0
  | (i, y) :: past => regret_against l z q past + (l (z i) y - l q y)
  end.

Fixpoint ones (h : history) : R :=
  match h with
  | [] => 0
  | (_, y) :: past => ones past + outcome y
  end.

(** Reg: against the mean of the outcomes, which is the best constant. *)
Definition external_regret (l : loss_function) (z : nat -> R) (h : history) : R :=
  regret_against l z (ones h / INR (length h)) h.

Lemma ones_bounds : forall h, 0 <= ones h <= INR (length h).
Proof.
  induction h as [| (i, y) h IH]; cbn [ones length]; [cbn; lra |]. rewrite S_INR.
  assert (H := outcome_bounds y). lra.
Qed.

Lemma regret_difference : forall l z q q' h,
  regret_against l z q h - regret_against l z q' h
  = (ones h * l q' true + (INR (length h) - ones h) * l q' false)
    - (ones h * l q true + (INR (length h) - ones h) * l q false).
Proof.
  intros l z q q' h. induction h as [| (i, y) h IH]; cbn [regret_against ones length].
  - change (INR 0) with 0. ring.
  - rewrite S_INR. destruct y; cbn [outcome] in *; lra.
Qed.

(** Reg is the supremum over all constants. *)
Lemma external_regret_is_sup : forall l z h, proper l ->
  is_lub (fun x => exists q, in_unit q /\ x = regret_against l z q h) (external_regret l z h).
Proof.
  intros l z h Hl. assert (Hb := ones_bounds h).
  assert (Hunit : in_unit (ones h / INR (length h))).
  { unfold in_unit. destruct (Req_dec (INR (length h)) 0) as [H0 | H0].
    - replace (ones h) with 0 by lra. unfold Rdiv. lra.
    - assert (Hpos : 0 < INR (length h)) by lra. split.
      + apply Rmult_le_pos; [lra |]. now apply Rlt_le, Rinv_0_lt_compat.
      + apply (Rmult_le_reg_r (INR (length h))); [assumption |].
        unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra. }
  apply greatest_is_lub.
  - now exists (ones h / INR (length h)).
  - intros x (q & Hq & ->). unfold external_regret. assert (H := Hl _ q Hunit Hq). unfold mean_loss in H.
    set (r := ones h / INR (length h)) in *.
    assert (Hr : ones h = INR (length h) * r).
    { unfold r. destruct (Req_dec (INR (length h)) 0) as [H0 | H0]; [| field; assumption].
      rewrite H0. lra. }
    assert (Hd := regret_difference l z q r h). rewrite Hr in Hd.
    apply (Rmult_le_compat_l (INR (length h))) in H; [| apply pos_INR]. lra.
Qed.

(** A constant is a swap function: Reg <= SReg. *)
Lemma regret_against_is_swap : forall l z q I y T,
  regret_against l z q (rounds I y T) = swap_regret_of l z I y T (fun _ => q).
Proof.
  intros l z q I y T. unfold swap_regret_of.
  induction T as [| T IH]; cbn [rounds regret_against sum]; [reflexivity | now rewrite IH].
Qed.

Lemma external_below_swap : forall l z I y T v, proper l -> is_swap_regret l z I y T v ->
  external_regret l z (rounds I y T) <= v.
Proof.
  intros l z I y T v Hl [Hv _]. apply (external_regret_is_sup l z _ Hl). intros x (q & Hq & ->).
  apply Hv. exists (fun _ => q). split; [intros p _; exact Hq | apply regret_against_is_swap].
Qed.

(** ** One round *)

Section Coin.

Variables (F : forecaster) (N : nat) (z : nat -> R) (l : loss_function) (p c : R).
Hypothesis F_proper : proper_forecaster F.
Hypothesis F_choices : forall h, (choices F h <= N)%nat.
Hypothesis p_unit : in_unit p.
Hypothesis l_proper : proper l.
Hypothesis excess : forall i, (i < N)%nat -> c <= BREG l p (z i).

Lemma expected_regret_against_bias : forall T h,
  regret_against l z p h + INR T * c <= expect F (fun _ => p) T (regret_against l z p) h.
Proof using F_proper F_choices p_unit excess.
  induction T as [| T IH]; intros h; [cbn [expect]; change (INR 0) with 0; lra |].
  cbn [expect]. rewrite S_INR. destruct (F_proper h) as [Hw Hsum].
  apply Rle_trans with (sum (choices F h) (fun i => weight F h i * (regret_against l z p h + INR T * c + c))).
  - rewrite sum_scal_r, Hsum. lra.
  - apply sum_le. intros i Hi. apply Rmult_le_compat_l; [now apply Hw |].
    assert (H1 := IH ((i, true) :: h)). assert (H0 := IH ((i, false) :: h)). cbn [regret_against] in H1, H0.
    assert (He := excess i ltac:(specialize (F_choices h); lia)).
    rewrite BREG_is_excess in He. unfold mean_loss in He. unfold in_unit in p_unit.
    apply (Rmult_le_compat_l p) in H1; [| lra]. apply (Rmult_le_compat_l (1 - p)) in H0; [| lra].
    lra.
Qed.

Lemma expected_regret : forall T, INR T * c <= expect F (fun _ => p) T (external_regret l z) [].
Proof using F_proper F_choices p_unit l_proper excess.
  intros T. apply Rle_trans with (expect F (fun _ => p) T (regret_against l z p) []).
  - assert (H := expected_regret_against_bias T []). cbn [regret_against] in H. lra.
  - apply expect_le; [assumption | intros h; exact p_unit |].
    intros h. apply (external_regret_is_sup l z h l_proper). now exists p.
Qed.

End Coin.

(** ** A large gap *)

Lemma list_has_min : forall X : list R, X <> [] -> exists m, In m X /\ forall x, In x X -> m <= x.
Proof.
  intros X HX. destruct (list_has_max (map Ropp X)) as (M & HM & Hle).
  - destruct X; [congruence | discriminate].
  - apply in_map_iff in HM. destruct HM as (m & <- & Hm). exists m. split; [assumption |].
    intros x Hx. assert (H := Hle (- x) (in_map Ropp X x Hx)). lra.
Qed.

(** Walk from a to the right over at most k points: some inner gap is at least g, or the last one at least
    e. *)
Lemma some_gap : forall g e, 0 <= g -> forall k X a, (length X <= k)%nat -> (forall x, In x X -> a < x) ->
  g * INR k + e <= 1 - a ->
  (exists x y, (x = a \/ In x X) /\ In y X /\ g <= y - x /\ forall w, In w X -> w <= x \/ y <= w)
  \/ (exists x, (x = a \/ In x X) /\ e <= 1 - x /\ forall w, In w X -> w <= x).
Proof.
  intros g e Hg. induction k as [| k IH]; intros X a Hlen Ha Hroom.
  - destruct X as [| x X]; [| cbn in Hlen; lia]. right. exists a. split; [now left |].
    change (INR 0) with 0 in Hroom. split; [lra |]. intros w [].
  - destruct (list_eq_dec Req_EM_T X []) as [-> | HX].
    + right. exists a. split; [now left |]. assert (H := pos_INR (S k)). split; [nra |]. intros w [].
    + destruct (list_has_min X HX) as (b & Hb & Hmin). rewrite S_INR in Hroom.
      destruct (Rle_or_lt g (b - a)) as [Hgap | Hgap].
      { left. exists a, b. split; [now left |]. split; [assumption |]. split; [assumption |].
        intros w Hw. right. now apply Hmin. }
      assert (Hrem : forall w, In w X -> w = b \/ In w (remove Req_EM_T b X)).
      { intros w Hw. destruct (Req_EM_T w b) as [-> | Hne]; [now left | right]. now apply in_in_remove. }
      destruct (IH (remove Req_EM_T b X) b) as [(x & y & Hx & Hy & Hxy & Hno) | (x & Hx & Hxe & Hno)].
      * assert (H := remove_length_lt Req_EM_T X b Hb). lia.
      * intros x Hx. apply in_remove in Hx. destruct Hx as [Hx Hne]. specialize (Hmin x Hx). lra.
      * lra.
      * assert (Hbx : b <= x).
        { destruct Hx as [-> | Hx]; [lra |]. apply in_remove in Hx. now apply Hmin. }
        left. exists x, y.
        split; [right; destruct Hx as [-> | Hx]; [assumption | now apply in_remove in Hx] |].
        split; [now apply in_remove in Hy |]. split; [assumption |].
        intros w Hw. destruct (Hrem w Hw) as [-> | Hin]; [left; assumption | now apply Hno].
      * assert (Hbx : b <= x).
        { destruct Hx as [-> | Hx]; [lra |]. apply in_remove in Hx. now apply Hmin. }
        right. exists x. split; [right; destruct Hx as [-> | Hx]; [assumption | now apply in_remove in Hx] |].
        split; [assumption |]. intros w Hw. destruct (Hrem w Hw) as [-> | Hin]; [assumption | now apply Hno].
Qed.

(** ** The coin and the loss *)

Lemma unlucky_coin : forall N z, (0 < N)%nat -> (forall i, (i < N)%nat -> in_unit (z i)) ->
  exists p l, in_unit p /\ class_L l /\ forall i, (i < N)%nat -> / (2 * INR N - 1) <= BREG l p (z i).
Proof.
  intros N z HN Hz. set (c := / (2 * INR N - 1)).
  assert (HN1 : 1 <= INR N) by (apply (le_INR 1); lia).
  assert (Hc : 0 < c) by (apply Rinv_0_lt_compat; lra).
  assert (Hc1 : (2 * INR N - 1) * c = 1) by (unfold c; apply Rinv_r; lra).
  set (Z := map z (seq 0 N)).
  assert (HZ : forall x, In x Z -> in_unit x).
  { intros x Hx. apply in_map_iff in Hx. destruct Hx as (i & <- & Hi). apply in_seq in Hi. apply Hz. lia. }
  assert (HzZ : forall i, (i < N)%nat -> In (z i) Z) by (intros i Hi; apply in_map, in_seq; lia).
  assert (Hlen : length Z = N) by (unfold Z; now rewrite map_length, seq_length).
  destruct (list_has_min Z) as (m & Hm & Hmin).
  { intros Hnil. rewrite Hnil in Hlen. cbn in Hlen. lia. }
  destruct (Rle_or_lt (c / 2) m) as [Hleft | Hleft].
  { (* the left end: coin 0, a kink of mass 2 at the smallest forecast, which counts as above *)
    assert (Hmu := HZ m Hm). unfold in_unit in Hmu.
    exists 0, (two_kinks 2 m true 0 m true). split; [unfold in_unit; lra |]. split.
    - apply two_kinks_L; unfold in_unit; lra.
    - intros i Hi. rewrite two_kinks_divergence, !threshold_divergence.
      assert (Hge := Hmin (z i) (HzZ i Hi)).
      assert (Habove : above m true (z i) = 1)
        by (destruct Hge as [H | <-]; [now apply above_right | apply above_kink]).
      rewrite Habove, Rmax_left by lra. lra. }
  destruct (some_gap (2 * c) (c / 2) ltac:(lra) (N - 1) (remove Req_EM_T m Z) m)
    as [(a & b & Ha & Hb & Hab & Hno) | (x & Hx & Hxe & Hno)].
  - assert (H := remove_length_lt Req_EM_T Z m Hm). lia.
  - intros x Hx. apply in_remove in Hx. destruct Hx as [Hx Hne]. specialize (Hmin x Hx). lra.
  - rewrite minus_INR by lia. change (INR 1) with 1. lra.
  - (* an inner gap: the coin in the middle, kinks of mass 1 at both ends *)
    assert (Hau : in_unit a)
      by (destruct Ha as [-> | Ha]; [now apply HZ | apply in_remove in Ha; now apply HZ]).
    assert (Hbu : in_unit b) by (apply in_remove in Hb; now apply HZ).
    assert (Hma : m <= a) by (destruct Ha as [-> | Ha]; [lra | apply in_remove in Ha; now apply Hmin]).
    exists ((a + b) / 2), (two_kinks 1 a false 1 b true). unfold in_unit in *. split; [lra |]. split.
    + apply two_kinks_L; unfold in_unit; lra.
    + intros i Hi. rewrite two_kinks_divergence.
      assert (Hside : z i <= a \/ b <= z i).
      { destruct (Req_EM_T (z i) m) as [-> | Hne]; [left; assumption |]. apply Hno.
        apply in_in_remove; [assumption | now apply HzZ]. }
      assert (H1 := threshold_divergence_not_negative a false ((a + b) / 2) (z i)).
      assert (H2 := threshold_divergence_not_negative b true ((a + b) / 2) (z i)).
      destruct Hside as [Hside | Hside].
      * rewrite (threshold_divergence a).
        assert (Habove : above a false (z i) = 0)
          by (destruct Hside as [H | ->]; [now apply above_left | apply above_kink]).
        rewrite Habove, Rmax_right by lra. lra.
      * rewrite (threshold_divergence b).
        assert (Habove : above b true (z i) = 1)
          by (destruct Hside as [H | <-]; [now apply above_right | apply above_kink]).
        rewrite Habove, Rmax_left by lra. lra.
  - (* the right end: coin 1, a kink of mass 2 at the largest forecast, which counts as not above *)
    assert (Hxu : in_unit x)
      by (destruct Hx as [-> | Hx]; [now apply HZ | apply in_remove in Hx; now apply HZ]).
    assert (Hmx : m <= x) by (destruct Hx as [-> | Hx]; [lra | apply in_remove in Hx; now apply Hmin]).
    exists 1, (two_kinks 2 x false 0 x false). unfold in_unit in *. split; [lra |]. split.
    + apply two_kinks_L; unfold in_unit; lra.
    + intros i Hi. rewrite two_kinks_divergence, !threshold_divergence.
      assert (Hle : z i <= x).
      { destruct (Req_EM_T (z i) m) as [-> | Hne]; [assumption |]. apply Hno.
        apply in_in_remove; [assumption | now apply HzZ]. }
      assert (Habove : above x false (z i) = 0)
        by (destruct Hle as [H | ->]; [now apply above_left | apply above_kink]).
      rewrite Habove, Rmax_right by lra. lra.
Qed.

(** A fixed set of forecasts. For any N >= 1 forecasts in [0, 1] there are a bias p and a proper loss l with
    values in [-1, 1] such that every forecaster who draws only these forecasts has, against independent
    outcomes that are 1 with probability p, an expected external regret (the supremum over constants) of at
    least T / (2N - 1), for every T. Swap regret is at least as large on every history
    ([external_below_swap]), and so are the suprema over classes of losses that contain l. *)
Theorem grid_lower_bound : forall N z, (0 < N)%nat -> (forall i, (i < N)%nat -> in_unit (z i)) ->
  exists p l, in_unit p /\ class_L l /\
    forall F, proper_forecaster F -> (forall h, (choices F h <= N)%nat) ->
    forall T, INR T / (2 * INR N - 1) <= expect F (fun _ => p) T (external_regret l z) [].
Proof.
  intros N z HN Hz. destruct (unlucky_coin N z HN Hz) as (p & l & Hp & Hl & Hexcess).
  exists p, l. split; [assumption |]. split; [assumption |]. intros F HF Hchoices T.
  apply (expected_regret F N z l p (/ (2 * INR N - 1))); try assumption. apply Hl.
Qed.
