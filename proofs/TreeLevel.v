(** * The excess of the nodes of one level

    Fix a gap from a to b and a level of cell width w. Suppose n KL(rho, q) <= Lam for each node, q a point
    of its cell. The node whose cell contains a has an excess of at most n w/2 + sqrt(Lam n), the next one
    on the left at most sqrt(Lam n), and the k-th after it at most Lam/(4 k w); the same on the right of b,
    with places counted from the right end. Only used nodes count, at most 2 F of them, so the far ones have at
    most (Lam/4w)(2 + 2 ln F) together. *)

From Coq Require Import Reals Lra Psatz Lia List Arith Bool.
From KLCal Require Import Definitions Basics LossDefinitions.
From KLCal Require Import TreeDefinitions TreeBasics TreeMartingale TreeKL TreeCounts TreeLoss TreeAngle.
Import ListNotations.
Local Open Scope R_scope.

(** ** Harmonic sums over at most F places *)

Definition beyond (F : R) (k : nat) : R := Rmax 0 (/ INR k - / F).

Lemma beyond_nonneg F k : 0 <= beyond F k.
Proof. apply Rmax_l. Qed.

Lemma inv_le_beyond F k : / INR k <= / F + beyond F k.
Proof. unfold beyond. pose proof (Rmax_r 0 (/ INR k - / F)). lra. Qed.

Lemma harmonic_short F n : 1 <= F -> INR (S n) <= F ->
  sum (S n) (fun k => beyond F (S k)) + INR (S n) / F <= 1 + ln (INR (S n)).
Proof.
  intros HF. induction n as [| n IH]; intros Hn.
  - cbn [sum INR]. rewrite ln_1. unfold beyond, Rdiv. cbn [INR]. rewrite Rinv_1.
    assert (/ F <= 1) by (rewrite <- Rinv_1; apply Rinv_le_contravar; lra). rewrite Rmax_right by lra. lra.
  - specialize (IH ltac:(rewrite S_INR in Hn; lra)). cbn [sum] in *.
    set (m := INR (S n)) in *. assert (Hm : 0 < m) by (apply lt_0_INR; lia).
    assert (E : INR (S (S n)) = m + 1) by (unfold m; rewrite (S_INR (S n)); reflexivity).
    assert (Hb : beyond F (S (S n)) = / (m + 1) - / F).
    { unfold beyond. rewrite E. apply Rmax_right.
      assert (/ F <= / (m + 1)) by (apply Rinv_le_contravar; lra). lra. }
    rewrite Hb, E.
    pose proof (ln_ge_1_minus_inv ((m + 1) / m) ltac:(apply Rdiv_lt_0_compat; lra)) as Hln.
    rewrite ln_div in Hln by lra.
    replace (1 - / ((m + 1) / m)) with (/ (m + 1)) in Hln by (field; lra).
    unfold Rdiv in *. lra.
Qed.

Lemma harmonic F n : 1 <= F -> sum n (fun k => beyond F (S k)) <= ln F.
Proof.
  intros HF. induction n as [| n IH]; [cbn [sum]; apply ln_nonneg; exact HF |].
  destruct (Rle_dec (INR (S n)) F) as [Hle | Hgt].
  - pose proof (harmonic_short F n HF Hle) as H. set (m := INR (S n)) in *.
    assert (Hm : 0 < m) by (apply lt_0_INR; lia).
    pose proof (ln_ge_1_minus_inv (F / m) ltac:(apply Rdiv_lt_0_compat; lra)) as Hln.
    rewrite ln_div in Hln by lra. replace (/ (F / m)) with (m / F) in Hln by (field; lra). lra.
  - cbn [sum]. assert (Hz : beyond F (S n) = 0); [| rewrite Hz; lra].
    unfold beyond. apply Rmax_left.
    assert (/ INR (S n) <= / F) by (apply Rinv_le_contravar; lra). lra.
Qed.

Lemma sum_reversed m f : sum m (fun j => f (m - j)%nat) = sum m (fun k => f (S k)).
Proof.
  induction m as [| m IH]; [reflexivity |]. rewrite sum_first. cbn [Nat.sub]. rewrite IH. cbn [sum]. lra.
Qed.

Lemma sum_far F n J : 1 <= F -> (J <= n)%nat ->
  sum n (fun j => if (S j <? J)%nat then beyond F (J - 1 - j) else 0) <= ln F.
Proof.
  intros HF HJ. destruct J as [| m].
  - rewrite sum_zero; [apply ln_nonneg; exact HF |]. intros j _. reflexivity.
  - replace n with (m + (n - m))%nat by lia.
    rewrite (sum_ext _ _ (fun j => if (j <? m)%nat then (fun j => beyond F (m - j)) j else 0)).
    + rewrite sum_truncated, (sum_reversed m (beyond F)). now apply harmonic.
    + intros j _. replace (S m - 1 - j)%nat with (m - j)%nat by lia. reflexivity.
Qed.

Lemma sum_one_place n J D : 0 <= D -> sum n (fun j => if (j =? J)%nat then D else 0) <= D.
Proof.
  intros HD. destruct (Nat.le_gt_cases n J) as [H | H].
  - rewrite sum_zero; [exact HD |]. intros j Hj. destruct (Nat.eqb_spec j J); [lia | reflexivity].
  - rewrite (sum_single n J); [rewrite Nat.eqb_refl; lra | exact H |].
    intros j _ Hj. destruct (Nat.eqb_spec j J); [lia | reflexivity].
Qed.

(** ** One node *)

Lemma near_and_far n X d Y Lam : 0 <= n -> 0 <= X -> 0 <= d -> X + d <= Y -> n * Y ^ 2 <= Lam ->
  n * X <= sqrt (Lam * n) /\ 4 * d * (n * X) <= Lam.
Proof.
  intros Hn HX Hd HY HL. assert (HXY : (X + d) ^ 2 <= Y ^ 2) by (apply pow_incr; lra).
  assert (HL2 : n * (X + d) ^ 2 <= Lam).
  { apply Rle_trans with (2 := HL). apply Rmult_le_compat_l; assumption. }
  split.
  - rewrite <- (sqrt_pow2 (n * X)) by (apply Rmult_le_pos; assumption). apply sqrt_le_1_alt.
    replace ((n * X) ^ 2) with ((n * X ^ 2) * n) by ring. apply Rmult_le_compat_r; [exact Hn |].
    apply Rle_trans with (2 := HL2). apply Rmult_le_compat_l; [exact Hn |]. apply pow_incr. lra.
  - apply Rle_trans with (2 := HL2).
    assert (0 <= n * (X - d) ^ 2) by (apply Rmult_le_pos; [exact Hn | apply pow2_ge_0]).
    lra.
Qed.

Section Level.
  Variables (h : history) (Lam : R) (l : nat).
  Hypothesis Hh : played h = true.
  Hypothesis Lam_nonneg : 0 <= Lam.
  Hypothesis bounded_nodes : forall i, level i = l -> (1 <= i)%nat -> (0 < count h i)%nat ->
    INR (count h i) * KL (frequency_of h i) (clipped_mean h i) <= Lam.

  Let w := width l.

  (** The angles of the frequency and of the clipped mean. *)
  Lemma node_angles i : level i = l -> (1 <= i)%nat -> (0 < count h i)%nat -> exists x y,
    0 <= x <= PI / 2 /\ sin x ^ 2 = frequency_of h i /\ sin y ^ 2 = clipped_mean h i /\ 0 <= y <= PI / 2 /\
    lower_angle i <= y <= upper_angle i /\ INR (count h i) * (x - y) ^ 2 <= Lam.
  Proof using bounded_nodes.
    intros Hl Hi Hn. pose proof (frequency_in h i Hn) as Hr. pose proof (clipped_mean_in h i) as Hq.
    pose proof (clipped_mean_in_cell h i) as Hc. pose proof PI_RGT_0 as HPI.
    pose proof (angle_range _ Hr) as Ax. pose proof (sin_angle _ Hr) as Sx.
    assert (Hq' : 0 <= clipped_mean h i <= 1) by lra.
    pose proof (angle_range _ Hq') as Ay. pose proof (sin_angle _ Hq') as Sy.
    pose proof (lower_angle_nonneg i) as L0. pose proof (upper_angle_le i) as U0.
    pose proof (lower_lt_upper_angle i) as LU.
    exists (angle (frequency_of h i)), (angle (clipped_mean h i)).
    split; [exact Ax |]. split; [exact Sx |]. split; [exact Sy |]. split; [exact Ay |]. split.
    - split; apply angle_le_from_sq; try lra; rewrite Sy; unfold lower, upper in Hc; lra.
    - apply Rle_trans with (2 := bounded_nodes i Hl Hi Hn). apply Rmult_le_compat_l; [apply pos_INR |].
      rewrite <- Sx at 2. rewrite <- Sy at 2. apply KL_ge_squared_angle; [exact Ax |].
      split.
      + destruct (proj1 Ay) as [H | H]; [exact H |]. rewrite <- H, sin_0 in Sy. lra.
      + destruct (proj2 Ay) as [H | H]; [exact H |]. rewrite H, sin_PI2 in Sy. lra.
  Qed.

  (** The node's own cell, whatever the gap. *)
  Lemma own_cell i : level i = l -> (1 <= i)%nat -> (0 < count h i)%nat ->
    INR (count h i) * Rabs (frequency_of h i - midpoint i)
    <= sqrt (Lam * INR (count h i)) + INR (count h i) * w / 2.
  Proof using bounded_nodes.
    intros Hl Hi Hn. destruct (node_angles i Hl Hi Hn) as (x & y & Hx & Sx & Sy & Hy & Hc & HL).
    set (n := INR (count h i)) in *. assert (Hn0 : 0 <= n) by apply pos_INR.
    assert (H1 : Rabs (frequency_of h i - clipped_mean h i) <= Rabs (x - y)).
    { rewrite <- Sx, <- Sy. destruct (Rle_dec x y) as [Hxy | Hxy].
      - pose proof (sin_sq_lipschitz x y ltac:(lra) ltac:(lra)).
        pose proof (sin_sq_le x y ltac:(lra) ltac:(lra) Hxy).
        rewrite Rabs_left1 by lra. rewrite Rabs_left1 by lra. lra.
      - pose proof (sin_sq_lipschitz y x ltac:(lra) ltac:(lra)).
        pose proof (sin_sq_le y x ltac:(lra) ltac:(lra) ltac:(lra)).
        rewrite Rabs_right by lra. rewrite Rabs_right by lra. lra. }
    assert (H2 : Rabs (clipped_mean h i - midpoint i) <= w / 2).
    { pose proof (clipped_mean_in_cell h i) as Hcell.
      pose proof (sin_sq_lipschitz (lower_angle i) (upper_angle i)
        ltac:(pose proof (lower_angle_nonneg i); pose proof (lower_lt_upper_angle i); lra)
        (upper_angle_le i)) as Hw.
      rewrite upper_minus_lower_angle, Hl in Hw. fold w in Hw. unfold midpoint. unfold lower, upper in *.
      apply Rabs_le. lra. }
    destruct (near_and_far n (Rabs (x - y)) 0 (Rabs (x - y)) Lam Hn0 (Rabs_pos _) (Rle_refl 0)) as [H3 _];
      [lra | rewrite RPow_abs, Rabs_right by (apply Rle_ge, pow2_ge_0); exact HL |].
    apply Rle_trans with (n * (Rabs (x - y) + w / 2)); [| lra].
    apply Rmult_le_compat_l; [exact Hn0 |].
    replace (frequency_of h i - midpoint i)
      with ((frequency_of h i - clipped_mean h i) + (clipped_mean h i - midpoint i)) by ring.
    apply Rle_trans with (1 := Rabs_triang _ _). lra.
  Qed.

  (** A node whose cell and frequency lie on different sides of a, the cell at an angular distance of at least
      d. *)
  Lemma far_cell i a d : level i = l -> (1 <= i)%nat -> (0 < count h i)%nat -> 0 <= a <= 1 -> 0 <= d ->
    (a <= frequency_of h i /\ upper_angle i + d <= angle a)
    \/ (frequency_of h i <= a /\ angle a + d <= lower_angle i) ->
    INR (count h i) * Rabs (frequency_of h i - a) <= sqrt (Lam * INR (count h i)) /\
    4 * d * (INR (count h i) * Rabs (frequency_of h i - a)) <= Lam.
  Proof using bounded_nodes.
    intros Hl Hi Hn Ha Hd Hside.
    destruct (node_angles i Hl Hi Hn) as (x & y & Hx & Sx & Sy & Hy & Hc & HL).
    pose proof (angle_range a Ha) as Aa. pose proof (sin_angle a Ha) as Sa.
    destruct Hside as [[Har Hdist] | [Har Hdist]].
    - assert (Hxa : angle a <= x) by (apply angle_le_from_sq; lra).
      pose proof (sin_sq_lipschitz (angle a) x ltac:(lra) ltac:(lra)) as Hlip. rewrite Sa, Sx in Hlip.
      rewrite Rabs_right by lra. apply near_and_far with (Y := x - y); try lra. apply pos_INR.
    - assert (Hxa : x <= angle a) by (apply angle_le_from_sq; lra).
      pose proof (sin_sq_lipschitz x (angle a) ltac:(lra) ltac:(lra)) as Hlip. rewrite Sa, Sx in Hlip.
      rewrite Rabs_left1 by lra. apply near_and_far with (Y := y - x); try lra. apply pos_INR.
  Qed.

  (** ** All nodes of the level *)

  (** Linear bounds for the square roots, valid for counts up to the capacity. *)
  Variables (c D E F : R).
  Hypothesis c_nonneg : 0 <= c.
  Hypothesis E_nonneg : 0 <= E.
  Hypothesis F_ge_1 : 1 <= F.
  Hypothesis near_bound : forall n, 0 <= n <= INR (capacity l) -> sqrt (Lam * n) <= c * n + E.
  Hypothesis own_bound : forall n, 0 <= n <= INR (capacity l) -> sqrt (Lam * n) + n * w / 2 <= c * n + D.

  Let kappa := Lam / (4 * w).

  Lemma w_pos : 0 < w.
  Proof using. apply width_pos. Qed.

  Lemma kappa_nonneg : 0 <= kappa.
  Proof using Lam_nonneg.
    unfold kappa. apply Rmult_le_pos; [exact Lam_nonneg |]. left. apply Rinv_0_lt_compat. pose proof w_pos.
    lra.
  Qed.

  Lemma D_nonneg : 0 <= D.
  Proof using own_bound.
    pose proof (own_bound 0 ltac:(split; [lra | apply pos_INR])) as H. rewrite Rmult_0_r, sqrt_0 in H. lra.
  Qed.

  (** What the node at place j may have beyond the line, if a lies at the place J on its right or in its cell. On
      the other side places are counted from the right end. *)
  Definition share_of (J j : nat) : R :=
    (if (j =? J)%nat then D else 0) + (if (S j =? J)%nat then E else 0)
    + kappa * (if (S j <? J)%nat then beyond F (J - 1 - j) else 0).

  Lemma share_of_nonneg J j : 0 <= share_of J j.
  Proof using Lam_nonneg own_bound E_nonneg.
    unfold share_of. pose proof D_nonneg. pose proof kappa_nonneg. pose proof (beyond_nonneg F (J - 1 - j)).
    assert (0 <= kappa * (if (S j <? J)%nat then beyond F (J - 1 - j) else 0))
      by (apply Rmult_le_pos; [assumption | destruct (S j <? J)%nat; lra]).
    destruct (j =? J)%nat, (S j =? J)%nat; lra.
  Qed.

  (** A far node: 4 k w (excess) <= Lam. *)
  Lemma far_bound t k : (1 <= k)%nat -> 4 * (INR k * w) * t <= Lam -> t <= kappa * / F + kappa * beyond F k.
  Proof using Lam_nonneg.
    intros Hk Ht. assert (Hk0 : 0 < INR k) by (apply lt_0_INR; lia). pose proof w_pos as Hw.
    apply Rle_trans with (kappa * / INR k).
    - apply Rmult_le_reg_l with (4 * (INR k * w)); [nra |]. apply Rle_trans with (1 := Ht).
      right. unfold kappa. field. lra.
    - rewrite <- Rmult_plus_distr_l. apply Rmult_le_compat_l; [exact kappa_nonneg | apply inv_le_beyond].
  Qed.

  Lemma position_angles i : level i = l ->
    lower_angle i = INR (position i) * w /\ upper_angle i = (INR (position i) + 1) * w.
  Proof using. intros Hl. unfold lower_angle, upper_angle. rewrite Hl, plus_INR. split; reflexivity. Qed.

  (** One side of the gap: the cell contains a (j = J), or is k = J - 1 - j cells away from that of a. *)
  Lemma one_side i a j J : level i = l -> (1 <= i)%nat -> (0 < count h i)%nat -> 0 <= a <= 1 -> (j <= J)%nat ->
    Rabs (frequency_of h i - a) <= Rabs (frequency_of h i - midpoint i) ->
    ((j < J)%nat ->
       (a <= frequency_of h i /\ upper_angle i + INR (J - 1 - j) * w <= angle a)
       \/ (frequency_of h i <= a /\ angle a + INR (J - 1 - j) * w <= lower_angle i)) ->
    INR (count h i) * Rabs (frequency_of h i - a) <= c * INR (count h i) + kappa * / F + share_of J j.
  Proof using bounded_nodes Hh Lam_nonneg c_nonneg near_bound own_bound F_ge_1 E_nonneg.
    intros Hl Hi Hn Ha HjJ Hnear Hfar.
    assert (Hcap : 0 <= INR (count h i) <= INR (capacity l)).
    { split; [apply pos_INR |]. rewrite <- Hl. apply le_INR, count_le_capacity. exact Hh. }
    set (n := INR (count h i)) in *. pose proof w_pos as Hw. pose proof kappa_nonneg as Hk.
    assert (HF : 0 <= kappa * / F) by (apply Rmult_le_pos; [exact Hk | left; apply Rinv_0_lt_compat; lra]).
    assert (Hcn : 0 <= c * n) by (apply Rmult_le_pos; lra).
    unfold share_of. destruct (Nat.eqb_spec j J) as [-> | Hne].
    - pose proof (own_cell i Hl Hi Hn) as H1. fold n in H1. pose proof (own_bound n Hcap).
      apply (Rmult_le_compat_l n) in Hnear; [| lra]. destruct (Nat.eqb_spec (S J) J); [lia |].
      destruct (Nat.ltb_spec (S J) J); [lia |]. lra.
    - destruct (far_cell i a (INR (J - 1 - j) * w) Hl Hi Hn Ha) as [H1 H2].
      { apply Rmult_le_pos; [apply pos_INR | lra]. }
      { apply Hfar. lia. }
      fold n in H1, H2.
      destruct (Nat.eqb_spec (S j) J) as [<- | HSj].
      + rewrite Nat.ltb_irrefl. pose proof (near_bound n Hcap). lra.
      + destruct (Nat.ltb_spec (S j) J); [| lia]. pose proof (far_bound _ (J - 1 - j) ltac:(lia) H2). lra.
  Qed.

  (** Angles are ordered as the points are, so the place of a is not beyond that of the cell. *)
  Lemma left_node i a J : level i = l -> (1 <= i)%nat -> (0 < count h i)%nat -> 0 <= a <= 1 ->
    INR J * w <= angle a < (INR J + 1) * w -> midpoint i <= a -> a <= frequency_of h i ->
    INR (count h i) * (frequency_of h i - a) <= c * INR (count h i) + kappa * / F + share_of J (position i).
  Proof using bounded_nodes Hh Lam_nonneg c_nonneg near_bound own_bound F_ge_1 E_nonneg.
    intros Hl Hi Hn Ha HJ Hza Har. destruct (position_angles i Hl) as [El Eu]. set (j := position i) in *.
    pose proof w_pos as Hw. pose proof (angle_range a Ha) as Aa. pose proof (sin_angle a Ha) as Sa.
    rewrite <- (Rabs_right (frequency_of h i - a)) by lra. apply one_side; auto.
    - destruct (Nat.le_gt_cases j J) as [H | Hgt]; [exact H | exfalso].
      assert (Hle : INR J + 1 <= INR j) by (rewrite <- S_INR; apply le_INR; lia).
      assert (Hla : angle a < lower_angle i) by (rewrite El; nra).
      pose proof (sin_sq_le (angle a) (lower_angle i) ltac:(lra)
        ltac:(pose proof (lower_lt_upper_angle i); pose proof (upper_angle_le i); lra) ltac:(lra)) as H1.
      rewrite Sa in H1. fold (lower i) in H1. unfold midpoint in Hza. pose proof (lower_lt_upper i). lra.
    - rewrite !Rabs_right by lra. lra.
    - intros Hlt. left. split; [exact Har |]. rewrite Eu, !minus_INR by lia. cbn [INR]. lra.
  Qed.

  Lemma right_node i b J : level i = l -> (1 <= i)%nat -> (0 < count h i)%nat -> 0 <= b <= 1 -> (J <= 2 ^ l)%nat ->
    INR J * w <= angle b < (INR J + 1) * w -> b <= midpoint i -> frequency_of h i <= b ->
    INR (count h i) * (b - frequency_of h i)
    <= c * INR (count h i) + kappa * / F + share_of (2 ^ l - J) (2 ^ l - position i).
  Proof using bounded_nodes Hh Lam_nonneg c_nonneg near_bound own_bound F_ge_1 E_nonneg.
    intros Hl Hi Hn Hb HJl HJ Hzb Hbr. destruct (position_angles i Hl) as [El Eu].
    pose proof (position_lt i) as Hj. rewrite Hl in Hj. set (j := position i) in *.
    pose proof w_pos as Hw. pose proof (angle_range b Hb) as Ab. pose proof (sin_angle b Hb) as Sb.
    replace (b - frequency_of h i) with (Rabs (frequency_of h i - b)) by (rewrite Rabs_left1; lra).
    apply one_side; auto.
    - enough (J <= j)%nat by lia. destruct (Nat.le_gt_cases J j) as [H | Hlt]; [exact H | exfalso].
      assert (Hle : INR j + 1 <= INR J) by (rewrite <- S_INR; apply le_INR; lia).
      assert (Hub : upper_angle i <= angle b) by (rewrite Eu; nra).
      pose proof (sin_sq_le (upper_angle i) (angle b)
        ltac:(pose proof (lower_lt_upper_angle i); pose proof (lower_angle_nonneg i); lra)
        ltac:(lra) Hub) as H1.
      rewrite Sb in H1. fold (upper i) in H1. unfold midpoint in Hzb. pose proof (lower_lt_upper i). lra.
    - rewrite !Rabs_left1 by lra. lra.
    - intros Hlt. right. split; [exact Hbr |].
      replace (2 ^ l - J - 1 - (2 ^ l - j))%nat with (j - J - 1)%nat by lia.
      rewrite El, !minus_INR by lia. cbn [INR]. lra.
  Qed.

  Lemma node_excess i a b Ja Jb : level i = l -> (1 <= i)%nat -> 0 <= a -> a <= b -> b <= 1 -> (Jb <= 2 ^ l)%nat ->
    INR Ja * w <= angle a < (INR Ja + 1) * w -> INR Jb * w <= angle b < (INR Jb + 1) * w ->
    INR (count h i) * gap_excess (midpoint i) (frequency_of h i) a b
    <= c * INR (count h i) + kappa * / F * is_used h i
       + (share_of Ja (position i) + share_of (2 ^ l - Jb) (2 ^ l - position i)).
  Proof using bounded_nodes Hh Lam_nonneg c_nonneg near_bound own_bound F_ge_1 E_nonneg.
    intros Hl Hi Ha Hab Hb HJl HJa HJb. unfold is_used.
    pose proof (share_of_nonneg Ja (position i)) as PL.
    pose proof (share_of_nonneg (2 ^ l - Jb) (2 ^ l - position i)) as PR.
    destruct (Nat.eqb_spec (count h i) 0) as [E0 | Hn]; [rewrite E0; cbn [INR]; lra |].
    assert (Hn' : (0 < count h i)%nat) by lia.
    assert (HF : 0 <= kappa * / F).
    { apply Rmult_le_pos; [exact kappa_nonneg | left; apply Rinv_0_lt_compat; lra]. }
    assert (Hcn : 0 <= c * INR (count h i)) by (apply Rmult_le_pos; [exact c_nonneg | apply pos_INR]).
    pose proof (fun Hz Hr => left_node i a Ja Hl Hi Hn' ltac:(lra) HJa Hz Hr) as HL.
    pose proof (fun Hz Hr => right_node i b Jb Hl Hi Hn' ltac:(lra) HJl HJb Hz Hr) as HR.
    unfold gap_excess.
    assert (Hzero : forall x, x = 0 -> INR (count h i) * x = 0) by (intros x ->; ring).
    destruct (Rle_dec (midpoint i) a) as [Hza |]; [destruct (Rle_dec b (frequency_of h i)) as [Hbr |] |];
      (destruct (Rle_dec (frequency_of h i) a) as [Hra |]; [destruct (Rle_dec b (midpoint i)) as [Hbz |] |]);
      rewrite ?Rplus_0_l, ?Rplus_0_r; try (rewrite (Hzero _) by lra; lra);
      try (specialize (HL Hza ltac:(lra)); lra); specialize (HR Hbz ltac:(lra)); lra.
  Qed.

  Lemma sum_share n J : (J <= n)%nat -> sum n (share_of J) <= D + E + kappa * ln F.
  Proof using Lam_nonneg own_bound E_nonneg F_ge_1.
    intros HJ. unfold share_of. rewrite !sum_plus, sum_scal.
    apply Rplus_le_compat; [apply Rplus_le_compat |].
    - apply sum_one_place, D_nonneg.
    - destruct J as [| J]; [rewrite sum_zero by reflexivity; exact E_nonneg |].
      rewrite (sum_ext n _ (fun j => if (j =? J)%nat then E else 0)) by reflexivity.
      apply sum_one_place, E_nonneg.
    - apply Rmult_le_compat_l; [exact kappa_nonneg | now apply sum_far].
  Qed.

  Lemma sum_share_reversed n J : (J <= n)%nat ->
    sum n (fun j => share_of (n - J) (n - j)) <= D + E + kappa * ln F.
  Proof using Lam_nonneg own_bound E_nonneg F_ge_1.
    intros HJ. rewrite (sum_reversed n (share_of (n - J))).
    apply Rle_trans with (2 := sum_share (S n) (n - J) ltac:(lia)). rewrite sum_first.
    pose proof (share_of_nonneg (n - J) 0). lra.
  Qed.

  (** The cell of level l that contains a point. *)
  Lemma place_exists a : 0 <= a <= 1 -> exists J, (J <= 2 ^ l)%nat /\ INR J * w <= angle a < (INR J + 1) * w.
  Proof using.
    intros Ha. pose proof (angle_range a Ha) as Aa. pose proof w_pos as Hw.
    assert (H : forall n, angle a < INR n * w -> exists J, (J < n)%nat /\
      INR J * w <= angle a < (INR J + 1) * w).
    { induction n as [| n IH]; intros Hn; [cbn [INR] in Hn; lra |].
      destruct (Rlt_dec (angle a) (INR n * w)) as [Hlt | Hge].
      - destruct (IH Hlt) as (J & HJ & HJ2). exists J. split; [lia | exact HJ2].
      - exists n. rewrite S_INR in Hn. split; [lia | lra]. }
    destruct (H (S (2 ^ l))) as (J & HJ & HJ2).
    - rewrite S_INR, INR_pow2. pose proof (width_row l) as Hrow. fold w in Hrow. lra.
    - exists J. split; [lia | exact HJ2].
  Qed.

  Lemma position_of_row j : (j < 2 ^ l)%nat -> position (2 ^ l + j) = j.
  Proof using. intros Hj. unfold position. rewrite level_of_row by exact Hj. lia. Qed.

  Theorem level_excess a b : 0 <= a -> a <= b -> b <= 1 -> row l (is_used h) <= 2 * F ->
    row l (fun i => INR (count h i) * gap_excess (midpoint i) (frequency_of h i) a b)
    <= c * row l (fun i => INR (count h i)) + 2 * D + 2 * E + kappa * (2 + 2 * ln F).
  Proof using bounded_nodes Hh Lam_nonneg c_nonneg near_bound own_bound F_ge_1 E_nonneg.
    intros Ha Hab Hb HU.
    destruct (place_exists a ltac:(lra)) as (Ja & HJa & Pa).
    destruct (place_exists b ltac:(lra)) as (Jb & HJb & Pb).
    apply Rle_trans with (c * row l (fun i => INR (count h i)) + kappa * / F * row l (is_used h)
                          + (sum (2 ^ l) (share_of Ja) + sum (2 ^ l) (fun j => share_of (2 ^ l - Jb) (2 ^ l - j)))).
    - unfold row. rewrite <- !sum_scal, <- !sum_plus. apply sum_le. intros j Hj.
      pose proof (Nat.pow_nonzero 2 l ltac:(lia)).
      pose proof (node_excess (2 ^ l + j) a b Ja Jb (level_of_row l j Hj) ltac:(lia) Ha Hab Hb HJb Pa Pb) as H1.
      rewrite (position_of_row j Hj) in H1. exact H1.
    - pose proof (sum_share (2 ^ l) Ja HJa). pose proof (sum_share_reversed (2 ^ l) Jb HJb).
      pose proof kappa_nonneg as Hk.
      assert (kappa * / F * row l (is_used h) <= kappa * 2).
      { rewrite Rmult_assoc. apply Rmult_le_compat_l; [exact Hk |].
        apply Rmult_le_reg_l with F; [lra |]. rewrite <- Rmult_assoc, Rinv_r by lra. lra. }
      lra.
  Qed.
End Level.
