(** * The largest swap regret over all bounded proper losses is four times a concave envelope

    Swap regret is linear in the loss, and at the forecasts and frequencies of a game a loss is a mixture of
    threshold losses. It fits into [-1, 1] exactly if its masses m at the kinks u have sum of m u <= 2 and
    sum of m (1 - u) <= 2. So the largest swap regret is a linear program with two constraints. Above: a
    line over the profile bounds it. Below: a chord of the profile over 1/2 is a loss with two kinks. The
    best chord and the best line meet at 1/2. *)

From Coq Require Import Reals Lra Psatz Lia Arith List FunctionalExtensionality.
From KLCal Require Import Definitions Basics LossDefinitions LossBasics Proposition1 Thresholds.
Import ListNotations.
Open Scope R_scope.

(** ** A line above a function whose chords over 1/2 are low *)

(** The value at 1/2 of the chord from u to v is at most h, without a division. *)
Definition chord_below (phi : R -> R) (h u v : R) : Prop :=
  (v - 1 / 2) * phi u + (1 / 2 - u) * phi v <= h * (v - u).

Lemma line_above : forall (phi : R -> R) (S : R -> Prop) h,
  S 0 -> S 1 -> (S (1 / 2) -> phi (1 / 2) <= h) ->
  (forall u v, S u -> S v -> u < 1 / 2 -> 1 / 2 < v -> chord_below phi h u v) ->
  exists s, forall x, S x -> phi x <= h + s * (x - 1 / 2).
Proof.
  intros phi S h H0 H1 Hmid Hchord.
  set (slopes := fun q => exists v, S v /\ 1 / 2 < v /\ q = (phi v - h) / (v - 1 / 2)).
  assert (Hbound : forall u q, S u -> u < 1 / 2 -> slopes q -> q <= (h - phi u) / (1 / 2 - u)).
  { intros u q Hu Hlt (v & Hv & Hgt & ->). specialize (Hchord u v Hu Hv Hlt Hgt).
    unfold chord_below in Hchord.
    apply (Rmult_le_reg_r ((v - 1 / 2) * (1 / 2 - u))); [apply Rmult_lt_0_compat; lra |].
    replace ((phi v - h) / (v - 1 / 2) * ((v - 1 / 2) * (1 / 2 - u))) with ((phi v - h) * (1 / 2 - u))
      by (field; lra).
    replace ((h - phi u) / (1 / 2 - u) * ((v - 1 / 2) * (1 / 2 - u))) with ((h - phi u) * (v - 1 / 2))
      by (field; lra).
    lra. }
  destruct (completeness slopes) as [s [Hs1 Hs2]].
  - exists ((h - phi 0) / (1 / 2 - 0)). intros q Hq. apply Hbound; [assumption | lra | assumption].
  - exists ((phi 1 - h) / (1 - 1 / 2)), 1. repeat split; [assumption | lra].
  - exists s. intros x Hx. destruct (Rtotal_order x (1 / 2)) as [Hlt | [-> | Hgt]].
    + assert (Hle : s <= (h - phi x) / (1 / 2 - x)) by (apply Hs2; intros q Hq; now apply Hbound).
      apply (Rmult_le_compat_r (1 / 2 - x)) in Hle; [| lra].
      replace ((h - phi x) / (1 / 2 - x) * (1 / 2 - x)) with (h - phi x) in Hle by (field; lra). lra.
    + specialize (Hmid Hx). lra.
    + assert (Hle : (phi x - h) / (x - 1 / 2) <= s) by (apply Hs1; exists x; repeat split; assumption).
      apply (Rmult_le_compat_r (x - 1 / 2)) in Hle; [| lra].
      replace ((phi x - h) / (x - 1 / 2) * (x - 1 / 2)) with (phi x - h) in Hle by (field; lra). lra.
Qed.

(** ** Losses with two kinks *)

Section Two_kinks.

Variables (m1 u1 m2 u2 : R) (b1 b2 : bool).
Hypothesis masses : 0 <= m1 /\ 0 <= m2.
Hypothesis kinks : in_unit u1 /\ in_unit u2.
Hypothesis zeros_fit : m1 * u1 + m2 * u2 <= 2.
Hypothesis ones_fit : m1 * (1 - u1) + m2 * (1 - u2) <= 2.

Let l := two_kinks m1 u1 b1 m2 u2 b2.

Lemma two_kinks_divergence : forall r p,
  BREG l r p = m1 * BREG (threshold_loss u1 b1) r p + m2 * BREG (threshold_loss u2 b2) r p.
Proof using. intros r p. rewrite !BREG_is_excess. unfold l, two_kinks, mean_loss. ring. Qed.

Lemma two_kinks_L : class_L l.
Proof using masses kinks zeros_fit ones_fit.
  split.
  - intros p q _ _. assert (H := BREG_is_excess l p q). rewrite two_kinks_divergence in H.
    assert (H1 := threshold_divergence_not_negative u1 b1 p q).
    assert (H2 := threshold_divergence_not_negative u2 b2 p q). nra.
  - intros p y _. unfold l, two_kinks, threshold_loss, in_unit in *.
    assert (H1 := above_bounds u1 b1 p). assert (H2 := above_bounds u2 b2 p).
    revert H1 H2. generalize (above u1 b1 p) (above u2 b2 p). intros a1 a2 H1 H2.
    assert (Hm : forall m u a, 0 <= m -> 0 <= u <= 1 -> 0 <= a <= 1 ->
              0 <= m * (a * u) <= m * u /\ 0 <= m * (a * (1 - u)) <= m * (1 - u)).
    { intros m u a Hm Hu Ha. repeat split;
        try (apply Rmult_le_pos; [lra | apply Rmult_le_pos; lra]); apply Rmult_le_compat_l; nra. }
    destruct (Hm m1 u1 a1) as [A1 A2]; [lra | lra | lra |].
    destruct (Hm m2 u2 a2) as [B1 B2]; [lra | lra | lra |].
    destruct y; cbn [outcome]; lra.
Qed.

End Two_kinks.

(** ** The theorem for a linear functional of the loss

    Swap regret and external regret are sums of c_j BREG (r_j, p_j) with points r_j, p_j of a finite set X. *)

Section Functional.

Variables (n : nat) (c r p : nat -> R) (X : list R).
Hypothesis X_unit : forall x, In x X -> in_unit x.
Hypothesis X_0 : In 0 X.
Hypothesis X_1 : In 1 X.
Hypothesis X_r : forall j, (j < n)%nat -> In (r j) X.
Hypothesis X_p : forall j, (j < n)%nat -> In (p j) X.

Definition functional (l : loss_function) : R := sum n (fun j => c j * BREG l (r j) (p j)).

(** The larger of the two values of the threshold losses at u. *)
Definition functional_profile (u : R) : R :=
  Rmax (functional (threshold_loss u false)) (functional (threshold_loss u true)).

Let phi := functional_profile.

Hypothesis phi_0 : 0 <= phi 0.
Hypothesis phi_1 : 0 <= phi 1.

Lemma threshold_below_profile : forall u b, functional (threshold_loss u b) <= phi u.
Proof using. intros u []; [apply Rmax_r | apply Rmax_l]. Qed.

Lemma profile_attained : forall u, exists b, functional (threshold_loss u b) = phi u.
Proof using.
  intros u. unfold phi, functional_profile, Rmax.
  destruct (Rle_dec _ _); [now exists true | now exists false].
Qed.

(** A line above the profile at the points of X bounds the functional of every bounded loss. *)
Lemma functional_below_line : forall l h s, class_L l ->
  (forall x, In x X -> phi x <= h + s * (x - 1 / 2)) -> functional l <= 4 * h.
Proof using X_unit X_0 X_1 X_r X_p phi_0 phi_1.
  intros l h s [Hl Hbounded] Hline.
  destruct (divergence_is_mixture l X Hl) as (ks & Hgood & Hmix);
    [intros E; rewrite E in X_0; destruct X_0 | exact X_unit |].
  set (alpha := h - s / 2). set (beta := h + s / 2).
  assert (Halpha : 0 <= alpha) by (assert (H := Hline 0 X_0); unfold alpha; lra).
  assert (Hbeta : 0 <= beta) by (assert (H := Hline 1 X_1); unfold beta; lra).
  assert (Hmixture : functional l = mixture ks (fun u b => functional (threshold_loss u b))).
  { unfold functional. rewrite <- mixture_sum. apply sum_ext. intros j Hj.
    rewrite (Hmix _ _ (X_r j Hj) (X_p j Hj)). reflexivity. }
  (* every threshold is below the line, which is a combination of two divergences *)
  assert (Hle : functional l <= mixture ks (fun u b => alpha * BREG (threshold_loss u b) 1 0
                                                       + beta * BREG (threshold_loss u b) 0 1)).
  { rewrite Hmixture. apply mixture_le. intros m u b Hin. assert (Hk := Hgood _ Hin).
    split; [apply Hk |].
    assert (Hu : In u X) by apply Hk.
    assert (Huu := X_unit u Hu). unfold in_unit in Huu.
    assert (H2 := threshold_below_profile u b). assert (H3 := Hline u Hu).
    rewrite !threshold_divergence.
    rewrite (good_kink_above X m u b 1 Hk), (good_kink_below X m u b 0 Hk)
      by (intros x Hx; apply X_unit, Hx).
    rewrite (Rmax_right 0 (1 - u)), (Rmax_left 0 (0 - u)) by lra. unfold alpha, beta. lra. }
  rewrite <- mixture_combine, <- !Hmix in Hle by assumption.
  rewrite !BREG_is_excess in Hle. unfold mean_loss in Hle.
  assert (B1 := Hbounded 0 true ltac:(unfold in_unit; lra)).
  assert (B2 := Hbounded 1 true ltac:(unfold in_unit; lra)).
  assert (B3 := Hbounded 0 false ltac:(unfold in_unit; lra)).
  assert (B4 := Hbounded 1 false ltac:(unfold in_unit; lra)).
  assert (HA : alpha * (l 0 true - l 1 true) <= alpha * 2) by (apply Rmult_le_compat_l; lra).
  assert (HB : beta * (l 1 false - l 0 false) <= beta * 2) by (apply Rmult_le_compat_l; lra).
  unfold alpha, beta in *. lra.
Qed.

Lemma functional_two_kinks : forall m1 u1 b1 m2 u2 b2,
  functional (two_kinks m1 u1 b1 m2 u2 b2)
  = m1 * functional (threshold_loss u1 b1) + m2 * functional (threshold_loss u2 b2).
Proof using.
  intros m1 u1 b1 m2 u2 b2. unfold functional. rewrite <- !sum_scal, <- sum_plus. apply sum_ext. intros j _.
  rewrite two_kinks_divergence. ring.
Qed.

(** A chord of the profile over 1/2 is a loss with two kinks. *)
Lemma chord_is_functional : forall u v s, in_unit u -> in_unit v -> in_unit s ->
  s * u + (1 - s) * v = 1 / 2 ->
  exists b1 b2, class_L (two_kinks (4 * s) u b1 (4 * (1 - s)) v b2)
    /\ functional (threshold_loss u b1) = phi u /\ functional (threshold_loss v b2) = phi v
    /\ functional (two_kinks (4 * s) u b1 (4 * (1 - s)) v b2) = 4 * (s * phi u + (1 - s) * phi v).
Proof using.
  intros u v s Hu Hv Hs Hmid.
  destruct (profile_attained u) as (b1 & H1). destruct (profile_attained v) as (b2 & H2).
  exists b1, b2. split; [apply two_kinks_L; [unfold in_unit in *; lra | now split | lra | lra] |].
  split; [assumption |]. split; [assumption |]. rewrite functional_two_kinks, H1, H2. ring.
Qed.

(** The share of u in the chord from u to v over 1/2. *)
Definition share (u v : R) : R := if Rlt_dec u v then (v - 1 / 2) / (v - u) else 1.

Lemma share_spec : forall u v, u <= 1 / 2 -> 1 / 2 <= v ->
  in_unit (share u v) /\ share u v * u + (1 - share u v) * v = 1 / 2.
Proof using.
  intros u v Hu Hv. unfold share, in_unit. destruct (Rlt_dec u v) as [H | H]; [| split; lra].
  assert (Hpos : 0 < / (v - u)) by (apply Rinv_0_lt_compat; lra).
  split; [| field; lra]. split.
  - apply Rmult_le_pos; lra.
  - apply (Rmult_le_reg_r (v - u)); [lra |]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra.
Qed.

Definition chord (q : R * R) : R :=
  let (u, v) := q in share u v * phi u + (1 - share u v) * phi v.

Definition over_half (q : R * R) : bool := (at_most (fst q) (1 / 2) && at_most (1 / 2) (snd q))%bool.

Definition chords : list (R * R) := filter over_half (list_prod X X).

Lemma chords_spec : forall u v, In (u, v) chords <-> In u X /\ In v X /\ u <= 1 / 2 /\ 1 / 2 <= v.
Proof using.
  intros u v. unfold chords. rewrite filter_In. unfold over_half. cbn [fst snd].
  rewrite Bool.andb_true_iff, !at_most_true, in_prod_iff. tauto.
Qed.

Lemma best_chord : exists q, In q chords /\ forall q', In q' chords -> chord q' <= chord q.
Proof using X_0 X_1.
  assert (H : forall L : list (R * R), L <> [] ->
            exists q, In q L /\ forall q', In q' L -> chord q' <= chord q).
  { induction L as [| a L IH]; intros Hne; [congruence |]. destruct L as [| b L].
    - exists a. split; [now left |]. intros q' [-> | []]. lra.
    - destruct IH as (q & Hq & Hle); [congruence |]. destruct (Rle_or_lt (chord a) (chord q)) as [Ha | Ha].
      + exists q. split; [now right |]. intros q' [<- | Hin]; auto.
      + exists a. split; [now left |]. intros q' [<- | Hin]; [lra |]. specialize (Hle q' Hin). lra. }
  apply H. intros Hnil. assert (Hin : In (0, 1) chords).
  { apply chords_spec. repeat split; [assumption | assumption | lra | lra]. }
  rewrite Hnil in Hin. destruct Hin.
Qed.

Lemma chord_value : forall u v h, u < 1 / 2 -> 1 / 2 < v -> chord (u, v) <= h -> chord_below phi h u v.
Proof using.
  intros u v h Hu Hv H. unfold chord, share in H. destruct (Rlt_dec u v) as [Huv | Huv]; [| lra].
  unfold chord_below. apply (Rmult_le_compat_r (v - u)) in H; [| lra].
  replace (((v - 1 / 2) / (v - u) * phi u + (1 - (v - 1 / 2) / (v - u)) * phi v) * (v - u))
    with ((v - 1 / 2) * phi u + (1 / 2 - u) * phi v) in H by (field; lra).
  exact H.
Qed.

Lemma envelope_of_functional : exists h u v s b1 b2,
  let l := two_kinks (4 * s) u b1 (4 * (1 - s)) v b2 in
  is_envelope_at phi (1 / 2) h
  /\ (forall l', class_L l' -> functional l' <= 4 * h)
  /\ In u X /\ In v X /\ u <= 1 / 2 /\ 1 / 2 <= v
  /\ in_unit s /\ s * u + (1 - s) * v = 1 / 2 /\ class_L l /\ functional l = 4 * h.
Proof using X_unit X_0 X_1 X_r X_p phi_0 phi_1.
  destruct best_chord as ((u, v) & Hin & Hbest). set (h := chord (u, v)) in *.
  apply chords_spec in Hin. destruct Hin as (Hu & Hv & Huh & Hvh).
  destruct (share_spec u v Huh Hvh) as [Hs Hmid]. set (s := share u v) in *.
  destruct (chord_is_functional u v s (X_unit u Hu) (X_unit v Hv) Hs Hmid)
    as (b1 & b2 & Hclass & _ & _ & Hvalue).
  exists h, u, v, s, b1, b2. cbv zeta.
  change (s * phi u + (1 - s) * phi v) with h in Hvalue.
  (* the line above the points of X bounds all losses *)
  assert (Hupper : forall l', class_L l' -> functional l' <= 4 * h).
  { destruct (line_above phi (fun x => In x X) h) as [slope Hline].
    - assumption.
    - assumption.
    - intros Hhalf. assert (H := Hbest (1 / 2, 1 / 2)). unfold chord in H at 1.
      unfold share in H. destruct (Rlt_dec (1 / 2) (1 / 2)); [lra |].
      assert (Hc : In (1 / 2, 1 / 2) chords) by (apply chords_spec; repeat split; (assumption || lra)).
      specialize (H Hc). lra.
    - intros x x' Hx Hx' Hlt Hgt. apply chord_value; [assumption | assumption |]. apply Hbest.
      apply chords_spec. repeat split; (assumption || lra).
    - intros l' Hl'. now apply functional_below_line with slope. }
  split; [| do 7 (split; [assumption |]); split; assumption].
  (* hence no chord in [0, 1] is higher, and there is a line above the whole profile *)
  assert (Hall : forall x x', in_unit x -> in_unit x' -> x <= 1 / 2 -> 1 / 2 <= x' -> chord (x, x') <= h).
  { intros x x' Hx Hx' Hlt Hgt. destruct (share_spec x x' Hlt Hgt) as [Hs' Hmid'].
    destruct (chord_is_functional x x' _ Hx Hx' Hs' Hmid') as (c1 & c2 & Hclass' & _ & _ & Hvalue').
    assert (H := Hupper _ Hclass'). rewrite Hvalue' in H. unfold chord. lra. }
  split.
  - destruct (line_above phi in_unit h) as [slope Hline].
    + unfold in_unit; lra.
    + unfold in_unit; lra.
    + intros Hhalf. assert (H := Hall (1 / 2) (1 / 2) Hhalf Hhalf ltac:(lra) ltac:(lra)).
      unfold chord, share in H. destruct (Rlt_dec (1 / 2) (1 / 2)); lra.
    + intros x x' Hx Hx' Hlt Hgt. apply chord_value; [assumption | assumption |].
      apply Hall; (assumption || lra).
    + exists (fun x => h + slope * (x - 1 / 2)). split; [split; [| exact Hline] | ring].
      intros a b t _ _ _. right. ring.
  - intros g [Hconcave Habove].
    assert (Hg := Hconcave u v s (X_unit u Hu) (X_unit v Hv) Hs).
    rewrite Hmid in Hg. apply Rle_trans with (2 := Hg). unfold h, chord. fold s.
    assert (H1 := Habove u (X_unit u Hu)). assert (H2 := Habove v (X_unit v Hv)).
    unfold in_unit in Hs. nra.
Qed.

(** One of the two kinks alone, with its mass, has at least half. *)
Lemma one_kink_functional : forall h, is_envelope_at phi (1 / 2) h ->
  exists m u b, In u X /\ class_L (two_kinks m u b 0 u b) /\ 2 * h <= functional (two_kinks m u b 0 u b).
Proof using X_unit X_0 X_1 X_r X_p phi_0 phi_1.
  intros h Henv.
  destruct envelope_of_functional
    as (h' & u & v & s & b1 & b2 & Henv' & _ & Hu & Hv & _ & _ & Hs & Hmid & _ & Hl).
  assert (h = h') as ->.
  { destruct Henv as [(g & Hg & E) Hmin], Henv' as [(g' & Hg' & E') Hmin'].
    assert (H1 := Hmin g' Hg'). assert (H2 := Hmin' g Hg). lra. }
  rewrite functional_two_kinks in Hl. assert (Huu := X_unit u Hu). assert (Hvu := X_unit v Hv).
  unfold in_unit in *.
  destruct (Rle_or_lt (2 * h') (4 * s * functional (threshold_loss u b1))) as [H | H].
  - exists (4 * s), u, b1. split; [assumption |]. split.
    + apply two_kinks_L; unfold in_unit; nra.
    + rewrite functional_two_kinks. lra.
  - exists (4 * (1 - s)), v, b2. split; [assumption |]. split.
    + apply two_kinks_L; unfold in_unit; nra.
    + rewrite functional_two_kinks. lra.
Qed.

End Functional.

(** ** Swap regret in given cells *)

Section Cells.

Variables (n T : nat) (z : nat -> R) (P : nat -> nat -> R) (y : nat -> bool).
Hypothesis P_weights : weights n P.
Hypothesis z_unit : forall i, (i < n)%nat -> in_unit (z i).

Let regret := functional n (mass P T) (frequency P y T) z.

Lemma regret_of_threshold : forall u b, regret (threshold_loss u b) = threshold_regret n z P y T u b.
Proof using.
  intros u b. unfold regret, functional, threshold_regret. apply sum_ext. intros i _.
  now rewrite threshold_divergence.
Qed.

Lemma swap_profile : functional_profile n (mass P T) (frequency P y T) z = profile n z P y T.
Proof using.
  apply functional_extensionality. intros u. unfold functional_profile, profile.
  fold regret. now rewrite !regret_of_threshold.
Qed.

Lemma profile_not_negative : forall u, 0 <= profile n z P y T u.
Proof using P_weights.
  intros u. apply Rle_trans with (threshold_regret n z P y T u false); [| apply Rmax_l].
  rewrite <- regret_of_threshold. apply sum_nonneg. intros i Hi.
  apply Rmult_le_pos; [now apply mass_not_negative with (n := n) | apply threshold_divergence_not_negative].
Qed.

(** The break points: 0, 1, the forecasts and the frequencies. *)
Definition break_points : list R := 0 :: 1 :: map z (seq 0 n) ++ map (frequency P y T) (seq 0 n).

Lemma break_points_unit : forall x, In x break_points -> in_unit x.
Proof using P_weights z_unit.
  intros x [<- | [<- | H]]; [unfold in_unit; lra | unfold in_unit; lra |].
  apply in_app_or in H. destruct H as [H | H]; apply in_map_iff in H; destruct H as (i & <- & Hi);
    apply in_seq in Hi.
  - apply z_unit. lia.
  - apply frequency_in_unit with (n := n); [assumption | lia].
Qed.

Lemma forecast_break_point : forall i, (i < n)%nat -> In (z i) break_points.
Proof using.
  intros i Hi. right. right. apply in_or_app. left. apply in_map, in_seq. lia.
Qed.

Lemma frequency_break_point : forall i, (i < n)%nat -> In (frequency P y T i) break_points.
Proof using.
  intros i Hi. right. right. apply in_or_app. right. apply in_map, in_seq. lia.
Qed.

Lemma envelope_of_cells : exists h u v s b1 b2,
  let l := two_kinks (4 * s) u b1 (4 * (1 - s)) v b2 in
  is_envelope_at (profile n z P y T) (1 / 2) h
  /\ (forall l', class_L l' -> regret l' <= 4 * h)
  /\ In u break_points /\ In v break_points /\ u <= 1 / 2 /\ 1 / 2 <= v
  /\ in_unit s /\ s * u + (1 - s) * v = 1 / 2 /\ class_L l /\ regret l = 4 * h.
Proof using P_weights z_unit.
  rewrite <- swap_profile. apply envelope_of_functional.
  - exact break_points_unit.
  - now left.
  - right. now left.
  - exact frequency_break_point.
  - exact forecast_break_point.
  - rewrite swap_profile. apply profile_not_negative.
  - rewrite swap_profile. apply profile_not_negative.
Qed.

Lemma one_kink_of_cells : forall h, is_envelope_at (profile n z P y T) (1 / 2) h ->
  exists m u b, In u break_points /\ class_L (two_kinks m u b 0 u b)
                /\ 2 * h <= regret (two_kinks m u b 0 u b).
Proof using P_weights z_unit.
  rewrite <- swap_profile. apply one_kink_functional.
  - exact break_points_unit.
  - now left.
  - right. now left.
  - exact frequency_break_point.
  - exact forecast_break_point.
  - rewrite swap_profile. apply profile_not_negative.
  - rewrite swap_profile. apply profile_not_negative.
Qed.

End Cells.

(** The envelope theorem. Let the forecasts be different numbers in [0, 1], and let phi be the swap profile:
    phi (u) is the larger of the two swap regrets of the threshold losses at u. Then PMsr over all proper
    losses with values in [-1, 1] is 4 h, where h is the value at 1/2 of the least concave function above
    phi. It is attained by a loss with two kinks u <= 1/2 <= v, at 0, 1, forecasts or frequencies (u = v is
    one kink). The same for Msr, with the cells of the drawn forecasts. *)
Theorem envelope : forall n z y T, different n z -> (forall i, (i < n)%nat -> in_unit (z i)) ->
  (forall P, weights n P -> exists h,
     is_envelope_at (profile n z P y T) (1 / 2) h
     /\ is_max_pseudo_swap_regret class_L n z P y T (4 * h)
     /\ exists u v s b1 b2,
          let l := two_kinks (4 * s) u b1 (4 * (1 - s)) v b2 in
          In u (break_points n T z P y) /\ In v (break_points n T z P y) /\ u <= 1 / 2 /\ 1 / 2 <= v
          /\ in_unit s /\ s * u + (1 - s) * v = 1 / 2
          /\ class_L l /\ is_pseudo_swap_regret l n z P y T (4 * h))
  /\
  (forall I, (forall t, (t < T)%nat -> (I t < n)%nat) -> exists h,
     is_envelope_at (profile n z (drawn I) y T) (1 / 2) h
     /\ is_max_swap_regret class_L z I y T (4 * h)
     /\ exists u v s b1 b2,
          let l := two_kinks (4 * s) u b1 (4 * (1 - s)) v b2 in
          In u (break_points n T z (drawn I) y) /\ In v (break_points n T z (drawn I) y)
          /\ u <= 1 / 2 /\ 1 / 2 <= v /\ in_unit s /\ s * u + (1 - s) * v = 1 / 2
          /\ class_L l /\ is_swap_regret l z I y T (4 * h)).
Proof.
  intros n z y T Hz Hunit.
  assert (Hpseudo : forall P, weights n P -> exists h,
     is_envelope_at (profile n z P y T) (1 / 2) h
     /\ is_max_pseudo_swap_regret class_L n z P y T (4 * h)
     /\ exists u v s b1 b2,
          let l := two_kinks (4 * s) u b1 (4 * (1 - s)) v b2 in
          In u (break_points n T z P y) /\ In v (break_points n T z P y) /\ u <= 1 / 2 /\ 1 / 2 <= v
          /\ in_unit s /\ s * u + (1 - s) * v = 1 / 2
          /\ class_L l /\ is_pseudo_swap_regret l n z P y T (4 * h)).
  { intros P HP.
    assert (Hvalue : forall l, class_L l -> is_pseudo_swap_regret l n z P y T
              (sum n (fun i => mass P T i * BREG l (frequency P y T i) (z i))))
      by (intros l [Hl _]; now apply pseudo_swap_regret_is_sum).
    destruct (envelope_of_cells n T z P y HP Hunit)
      as (h & u & v & s & b1 & b2 & Henv & Hupper & Hu & Hv & Huh & Hvh & Hs & Hmid & Hclass & Hregret).
    exists h. split; [exact Henv |].
    assert (Hreach : is_pseudo_swap_regret (two_kinks (4 * s) u b1 (4 * (1 - s)) v b2) n z P y T (4 * h))
      by (rewrite <- Hregret; now apply Hvalue).
    split.
    - apply greatest_is_lub.
      + eexists. split; [exact Hclass | exact Hreach].
      + intros x (l & Hl & Hx). rewrite (is_lub_unique _ _ _ Hx (Hvalue l Hl)). now apply Hupper.
    - exists u, v, s, b1, b2. cbv zeta. do 7 (split; [assumption |]). exact Hreach. }
  split; [exact Hpseudo |].
  intros I HI. destruct (Hpseudo (drawn I) (drawn_weights n I))
    as (h & Henv & [Hmax1 Hmax2] & u & v & s & b1 & b2 & Hu & Hv & Huh & Hvh & Hs & Hmid & Hclass & Hreach).
  exists h. split; [exact Henv |]. split.
  - split.
    + intros x (l & Hl & Hx). apply Hmax1. exists l. split; [assumption |]. now apply swap_regret_drawn.
    + intros b Hb. apply Hmax2. intros x (l & Hl & Hx). apply Hb. exists l. split; [assumption |].
      now apply (swap_regret_drawn l n).
  - exists u, v, s, b1, b2. cbv zeta.
    do 7 (split; [assumption |]). now apply (swap_regret_drawn _ n).
Qed.

(** One kink gets half: some loss in L with a single kink, at a break point, has at least half of the largest
    pseudo swap regret; the same for drawn forecasts. *)
Theorem one_kink_gets_half : forall n z y T, different n z -> (forall i, (i < n)%nat -> in_unit (z i)) ->
  (forall P w, weights n P -> is_max_pseudo_swap_regret class_L n z P y T w -> exists m u b v,
     In u (break_points n T z P y) /\ class_L (two_kinks m u b 0 u b)
     /\ is_pseudo_swap_regret (two_kinks m u b 0 u b) n z P y T v /\ w / 2 <= v)
  /\
  (forall I w, (forall t, (t < T)%nat -> (I t < n)%nat) -> is_max_swap_regret class_L z I y T w ->
     exists m u b v, In u (break_points n T z (drawn I) y) /\ class_L (two_kinks m u b 0 u b)
     /\ is_swap_regret (two_kinks m u b 0 u b) z I y T v /\ w / 2 <= v).
Proof.
  intros n z y T Hz Hunit. destruct (envelope n z y T Hz Hunit) as [E1 E2]. split.
  - intros P w HP Hw. destruct (E1 P HP) as (h & Henv & Hmax & _).
    rewrite (is_lub_unique _ _ _ Hw Hmax).
    destruct (one_kink_of_cells n T z P y HP Hunit h Henv) as (m & u & b & Hu & Hl & Hle).
    exists m, u, b. eexists. split; [assumption |]. split; [assumption |].
    split; [apply pseudo_swap_regret_is_sum; try assumption; apply Hl |].
    unfold functional in Hle. lra.
  - intros I w HI Hw. destruct (E2 I HI) as (h & Henv & Hmax & _).
    rewrite (is_lub_unique _ _ _ Hw Hmax).
    destruct (one_kink_of_cells n T z (drawn I) y (drawn_weights n I) Hunit h Henv)
      as (m & u & b & Hu & Hl & Hle).
    exists m, u, b. eexists. split; [assumption |]. split; [assumption |].
    split; [apply (swap_regret_drawn _ n); [assumption |]; apply pseudo_swap_regret_is_sum; try assumption;
            [apply drawn_weights | apply Hl] |].
    unfold functional in Hle. lra.
Qed.
