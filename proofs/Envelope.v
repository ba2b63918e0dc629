(** * The largest swap regret over all bounded proper losses is four times a concave envelope

    Swap regret is linear in the loss, and at the forecasts and frequencies of a game a loss is a mixture of
    threshold losses. It fits into [-1, 1] exactly if its masses m at the kinks u have sum of m u <= 2 and
    sum of m (1 - u) <= 2. So the largest swap regret is a linear program with two constraints. Above: a
    line over the profile bounds it. Below: a chord of the profile over 1/2 is a loss with two kinks. The
    best chord and the best line meet at 1/2. *)

From Coq Require Import Reals Lra Psatz Lia Arith List.
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

(** ** The theorem for given cells *)

Section Cells.

Variables (n T : nat) (z : nat -> R) (P : nat -> nat -> R) (y : nat -> bool).
Hypothesis P_weights : weights n P.
Hypothesis z_different : different n z.
Hypothesis z_unit : forall i, (i < n)%nat -> in_unit (z i).

Let phi := profile n z P y T.
Let regret (l : loss_function) : R := sum n (fun i => mass P T i * BREG l (frequency P y T i) (z i)).

Lemma regret_of_threshold : forall u b, regret (threshold_loss u b) = threshold_regret n z P y T u b.
Proof using.
  intros u b. unfold regret, threshold_regret. apply sum_ext. intros i _. now rewrite threshold_divergence.
Qed.

Lemma threshold_regret_not_negative : forall u b, 0 <= threshold_regret n z P y T u b.
Proof using P_weights.
  intros u b. rewrite <- regret_of_threshold. apply sum_nonneg. intros i Hi.
  apply Rmult_le_pos; [now apply mass_not_negative with (n := n) | apply threshold_divergence_not_negative].
Qed.

Lemma threshold_below_profile : forall u b, threshold_regret n z P y T u b <= phi u.
Proof using. intros u []; [apply Rmax_r | apply Rmax_l]. Qed.

Lemma profile_not_negative : forall u, 0 <= phi u.
Proof using P_weights.
  intros u. apply Rle_trans with (1 := threshold_regret_not_negative u true). apply threshold_below_profile.
Qed.

Lemma profile_attained : forall u, exists b, threshold_regret n z P y T u b = phi u.
Proof using.
  intros u. unfold phi, profile, Rmax. destruct (Rle_dec _ _); [now exists true | now exists false].
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

(** A line above the profile at the break points bounds the regret of every bounded loss. *)
Lemma regret_below_line : forall l h s, class_L l ->
  (forall x, In x break_points -> phi x <= h + s * (x - 1 / 2)) -> regret l <= 4 * h.
Proof using P_weights z_unit.
  intros l h s [Hl Hbounded] Hline.
  destruct (divergence_is_mixture l break_points Hl) as (ks & Hgood & Hmix);
    [discriminate | exact break_points_unit |].
  set (alpha := h - s / 2). set (beta := h + s / 2).
  assert (H0 : In 0 break_points) by now left.
  assert (H1 : In 1 break_points) by (right; now left).
  assert (Halpha : 0 <= alpha).
  { assert (H := Hline 0 H0). assert (Hp := profile_not_negative 0). unfold alpha. lra. }
  assert (Hbeta : 0 <= beta).
  { assert (H := Hline 1 H1). assert (Hp := profile_not_negative 1). unfold beta. lra. }
  assert (Hmixture : regret l = mixture ks (fun u b => regret (threshold_loss u b))).
  { unfold regret. rewrite <- mixture_sum. apply sum_ext. intros i Hi.
    rewrite (Hmix _ _ (frequency_break_point i Hi) (forecast_break_point i Hi)). reflexivity. }
  (* every threshold is below the line, which is a combination of two divergences *)
  assert (Hle : regret l <= mixture ks (fun u b => alpha * BREG (threshold_loss u b) 1 0
                                                   + beta * BREG (threshold_loss u b) 0 1)).
  { rewrite Hmixture. apply mixture_le. intros m u b Hin. assert (Hk := Hgood _ Hin).
    split; [apply Hk |].
    assert (Hu : In u break_points) by apply Hk.
    assert (Huu := break_points_unit u Hu). unfold in_unit in Huu.
    rewrite regret_of_threshold, !threshold_divergence.
    rewrite (good_kink_above break_points m u b 1 Hk), (good_kink_below break_points m u b 0 Hk)
      by (intros x Hx; apply break_points_unit, Hx).
    rewrite (Rmax_right 0 (1 - u)), (Rmax_left 0 (0 - u)) by lra.
    assert (H2 := threshold_below_profile u b). assert (H3 := Hline u Hu). unfold alpha, beta. lra. }
  rewrite <- mixture_combine, <- !Hmix in Hle by assumption.
  rewrite !BREG_is_excess in Hle. unfold mean_loss in Hle.
  assert (B1 := Hbounded 0 true ltac:(unfold in_unit; lra)).
  assert (B2 := Hbounded 1 true ltac:(unfold in_unit; lra)).
  assert (B3 := Hbounded 0 false ltac:(unfold in_unit; lra)).
  assert (B4 := Hbounded 1 false ltac:(unfold in_unit; lra)).
  assert (A : alpha * (l 0 true - l 1 true) <= alpha * 2) by (apply Rmult_le_compat_l; lra).
  assert (B : beta * (l 1 false - l 0 false) <= beta * 2) by (apply Rmult_le_compat_l; lra).
  unfold alpha, beta in *. lra.
Qed.

(** A chord of the profile over 1/2 is a loss with two kinks. *)
Lemma chord_is_regret : forall u v s, in_unit u -> in_unit v -> in_unit s -> s * u + (1 - s) * v = 1 / 2 ->
  exists b1 b2, class_L (two_kinks (4 * s) u b1 (4 * (1 - s)) v b2)
    /\ regret (two_kinks (4 * s) u b1 (4 * (1 - s)) v b2) = 4 * (s * phi u + (1 - s) * phi v).
Proof using.
  intros u v s Hu Hv Hs Hmid.
  destruct (profile_attained u) as (b1 & H1). destruct (profile_attained v) as (b2 & H2).
  exists b1, b2. split.
  - apply two_kinks_L; [unfold in_unit in *; lra | now split | lra | lra].
  - unfold regret.
    rewrite (sum_ext n _ (fun i => 4 * s * (mass P T i * BREG (threshold_loss u b1) (frequency P y T i) (z i))
               + 4 * (1 - s) * (mass P T i * BREG (threshold_loss v b2) (frequency P y T i) (z i))))
      by (intros i _; rewrite two_kinks_divergence; ring).
    rewrite sum_plus, !sum_scal.
    fold (regret (threshold_loss u b1)) (regret (threshold_loss v b2)).
    rewrite !regret_of_threshold, H1, H2. ring.
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

Definition chord (c : R * R) : R :=
  let (u, v) := c in share u v * phi u + (1 - share u v) * phi v.

Definition over_half (c : R * R) : bool := (at_most (fst c) (1 / 2) && at_most (1 / 2) (snd c))%bool.

Definition chords : list (R * R) := filter over_half (list_prod break_points break_points).

Lemma chords_spec : forall u v, In (u, v) chords <->
  In u break_points /\ In v break_points /\ u <= 1 / 2 /\ 1 / 2 <= v.
Proof using.
  intros u v. unfold chords. rewrite filter_In. unfold over_half. cbn [fst snd].
  rewrite Bool.andb_true_iff, !at_most_true, in_prod_iff. tauto.
Qed.

Lemma best_chord : exists c, In c chords /\ forall c', In c' chords -> chord c' <= chord c.
Proof using.
  assert (H : forall L : list (R * R), L <> [] ->
            exists c, In c L /\ forall c', In c' L -> chord c' <= chord c).
  { induction L as [| a L IH]; intros Hne; [congruence |]. destruct L as [| b L].
    - exists a. split; [now left |]. intros c' [-> | []]. lra.
    - destruct IH as (c & Hc & Hle); [congruence |]. destruct (Rle_or_lt (chord a) (chord c)) as [Ha | Ha].
      + exists c. split; [now right |]. intros c' [<- | Hin]; auto.
      + exists a. split; [now left |]. intros c' [<- | Hin]; [lra |]. specialize (Hle c' Hin). lra. }
  apply H. intros Hnil. assert (Hin : In (0, 1) chords).
  { apply chords_spec. repeat split; [now left | right; now left | lra | lra]. }
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

Lemma envelope_of_cells : exists h u v s b1 b2,
  let l := two_kinks (4 * s) u b1 (4 * (1 - s)) v b2 in
  is_envelope_at phi (1 / 2) h
  /\ (forall l', class_L l' -> regret l' <= 4 * h)
  /\ In u break_points /\ In v break_points /\ u <= 1 / 2 /\ 1 / 2 <= v
  /\ in_unit s /\ s * u + (1 - s) * v = 1 / 2 /\ class_L l /\ regret l = 4 * h.
Proof using P_weights z_unit.
  destruct best_chord as ((u, v) & Hin & Hbest). set (h := chord (u, v)) in *.
  apply chords_spec in Hin. destruct Hin as (Hu & Hv & Huh & Hvh).
  destruct (share_spec u v Huh Hvh) as [Hs Hmid]. set (s := share u v) in *.
  destruct (chord_is_regret u v s (break_points_unit u Hu) (break_points_unit v Hv) Hs Hmid)
    as (b1 & b2 & Hclass & Hregret).
  exists h, u, v, s, b1, b2. cbv zeta.
  change (s * phi u + (1 - s) * phi v) with h in Hregret.
  (* the line above the break points bounds all losses *)
  assert (Hupper : forall l', class_L l' -> regret l' <= 4 * h).
  { destruct (line_above phi (fun x => In x break_points) h) as [slope Hline].
    - now left.
    - right. now left.
    - intros Hhalf. assert (H := Hbest (1 / 2, 1 / 2)). unfold chord in H at 1.
      unfold share in H. destruct (Rlt_dec (1 / 2) (1 / 2)); [lra |].
      assert (Hc : In (1 / 2, 1 / 2) chords) by (apply chords_spec; repeat split; (assumption || lra)).
      specialize (H Hc). lra.
    - intros x x' Hx Hx' Hlt Hgt. apply chord_value; [assumption | assumption |]. apply Hbest.
      apply chords_spec. repeat split; (assumption || lra).
    - intros l' Hl'. now apply regret_below_line with slope. }
  split; [| do 7 (split; [assumption |]); split; assumption].
  (* hence no chord in [0, 1] is higher, and there is a line above the whole profile *)
  assert (Hall : forall x x', in_unit x -> in_unit x' -> x <= 1 / 2 -> 1 / 2 <= x' -> chord (x, x') <= h).
  { intros x x' Hx Hx' Hlt Hgt. destruct (share_spec x x' Hlt Hgt) as [Hs' Hmid'].
    destruct (chord_is_regret x x' _ Hx Hx' Hs' Hmid') as (c1 & c2 & Hclass' & Hregret').
    assert (H := Hupper _ Hclass'). rewrite Hregret' in H. unfold chord. lra. }
  split.
  - destruct (line_above phi in_unit h) as [slope Hline].
    + unfold in_unit; lra.
    + unfold in_unit; lra.
    + intros Hhalf. assert (H := Hall (1 / 2) (1 / 2) Hhalf Hhalf ltac:(lra) ltac:(lra)).
      unfold chord, share in H.
      destruct (Rlt_dec (1 / 2) (1 / 2)); lra.
    + intros x x' Hx Hx' Hlt Hgt. apply chord_value; [assumption | assumption |].
      apply Hall; (assumption || lra).
    + exists (fun x => h + slope * (x - 1 / 2)). split; [split; [| exact Hline] | ring].
      intros a b t _ _ _. right. ring.
  - intros c [Hconcave Habove].
    assert (Hc := Hconcave u v s (break_points_unit u Hu) (break_points_unit v Hv) Hs).
    rewrite Hmid in Hc. apply Rle_trans with (2 := Hc). unfold h, chord. fold s.
    assert (H1 := Habove u (break_points_unit u Hu)). assert (H2 := Habove v (break_points_unit v Hv)).
    unfold in_unit in Hs. nra.
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
