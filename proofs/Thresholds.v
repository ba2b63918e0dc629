(** * Every proper loss is, at finitely many forecasts, a mixture of threshold losses

    Between two neighbouring forecasts x < x' the slope of a proper loss falls from g(x) to the slope c of
    the chord of its form, and then to g(x'). Put a kink of mass g(x) - c at x, counted on the right, and
    one of mass c - g(x') at x', counted on the left. So no measure theory is needed: all that is known of a
    loss in a game is its values at the forecasts and the frequencies. *)

From Coq Require Import Reals Lra Psatz Lia Arith List.
From KLCal Require Import Definitions Basics LossDefinitions LossBasics.
Import ListNotations.
Open Scope R_scope.

(** ** Threshold losses *)

Lemma above_right : forall u b p, u < p -> above u b p = 1.
Proof. intros u b p H. unfold above. destruct (Rlt_dec u p); [reflexivity | contradiction]. Qed.

Lemma above_left : forall u b p, p < u -> above u b p = 0.
Proof.
  intros u b p H. unfold above. destruct (Rlt_dec u p); [lra |]. destruct (Rlt_dec p u); [reflexivity | lra].
Qed.

Lemma above_kink : forall u b, above u b u = outcome b.
Proof. intros u b. unfold above. destruct (Rlt_dec u u); [lra | reflexivity]. Qed.

Lemma above_bounds : forall u b p, 0 <= above u b p <= 1.
Proof.
  intros u b p. unfold above. destruct (Rlt_dec u p); [lra |]. destruct (Rlt_dec p u); [lra |].
  apply outcome_bounds.
Qed.

Lemma mean_threshold_loss : forall u b r p, mean_loss (threshold_loss u b) r p = - above u b p * (r - u).
Proof. intros u b r p. unfold mean_loss, threshold_loss, outcome. ring. Qed.

Lemma above_own : forall u b r, above u b r * (r - u) = Rmax 0 (r - u).
Proof.
  intros u b r. destruct (Rtotal_order r u) as [H | [-> | H]].
  - rewrite above_left, Rmax_left by lra. ring.
  - rewrite Rmax_left by lra. ring.
  - rewrite above_right, Rmax_right by lra. ring.
Qed.

Lemma threshold_divergence : forall u b r p,
  BREG (threshold_loss u b) r p = Rmax 0 (r - u) - above u b p * (r - u).
Proof.
  intros u b r p. rewrite BREG_is_excess, !mean_threshold_loss, <- (above_own u b r). ring.
Qed.

Lemma threshold_divergence_not_negative : forall u b r p, 0 <= BREG (threshold_loss u b) r p.
Proof.
  intros u b r p. rewrite threshold_divergence. assert (H := above_bounds u b p).
  unfold Rmax. destruct (Rle_dec 0 (r - u)); nra.
Qed.

(** ** Finite mixtures: lists of masses, kinks and sides *)

Fixpoint mixture (ks : list (R * (R * bool))) (F : R -> bool -> R) : R :=
  match ks with
  | [] => 0
  | (m, (u, b)) :: rest => m * F u b + mixture rest F
  end.

Lemma mixture_combine : forall ks a b F G,
  a * mixture ks F + b * mixture ks G = mixture ks (fun u s => a * F u s + b * G u s).
Proof.
  intros ks a b F G. induction ks as [| (m, (u, s)) ks IH]; cbn [mixture]; [| rewrite <- IH]; ring.
Qed.

Lemma mixture_sum : forall ks n (w : nat -> R) (F : nat -> R -> bool -> R),
  sum n (fun i => w i * mixture ks (F i)) = mixture ks (fun u b => sum n (fun i => w i * F i u b)).
Proof.
  intros ks n w F. induction ks as [| (m, (u, b)) ks IH]; cbn [mixture].
  - apply sum_zero. intros; ring.
  - rewrite <- IH, <- sum_scal, <- sum_plus. apply sum_ext. intros; ring.
Qed.

Lemma mixture_ext : forall ks F G, (forall m u b, In (m, (u, b)) ks -> F u b = G u b) ->
  mixture ks F = mixture ks G.
Proof.
  induction ks as [| (m, (u, b)) ks IH]; intros F G H; cbn [mixture]; [reflexivity |].
  rewrite (H m u b) by now left. rewrite (IH F G); [reflexivity |]. intros m' u' b' Hin. apply (H m').
  now right.
Qed.

Lemma mixture_le : forall ks F G, (forall m u b, In (m, (u, b)) ks -> 0 <= m /\ F u b <= G u b) ->
  mixture ks F <= mixture ks G.
Proof.
  induction ks as [| (m, (u, b)) ks IH]; intros F G H; cbn [mixture]; [lra |].
  destruct (H m u b) as [Hm Hle]; [now left |].
  assert (mixture ks F <= mixture ks G) by (apply IH; intros m' u' b' Hin; apply H; now right).
  assert (m * F u b <= m * G u b) by now apply Rmult_le_compat_l. lra.
Qed.

(** ** The representation *)

Lemma list_has_max : forall X : list R, X <> [] -> exists M, In M X /\ forall x, In x X -> x <= M.
Proof.
  induction X as [| a X IH]; intros H; [congruence |]. destruct X as [| b X].
  - exists a. split; [now left |]. intros x [-> | []]. lra.
  - destruct IH as (M & HM & Hle); [congruence |]. destruct (Rle_or_lt a M) as [Ha | Ha].
    + exists M. split; [now right |]. intros x [<- | Hx]; auto.
    + exists a. split; [now left |]. intros x [<- | Hx]; [lra |]. specialize (Hle x Hx). lra.
Qed.

(** A kink of the mixture lies at a point of X. It has points of X on its right or at the kink, and on its
    left or at the kink, that it counts as above and as not above. *)
Definition good_kink (X : list R) (k : R * (R * bool)) : Prop :=
  let '(m, (u, b)) := k in
  0 <= m /\ In u X
  /\ (exists x, In x X /\ u <= x /\ (b = false -> u < x))
  /\ (exists x, In x X /\ x <= u /\ (b = true -> x < u)).

Lemma good_kink_more : forall X Y k, (forall x, In x X -> In x Y) -> good_kink X k -> good_kink Y k.
Proof.
  intros X Y (m, (u, b)) H (Hm & Hu & (x & Hx & Hx1) & (x' & Hx' & Hx1')).
  repeat split; auto; [exists x | exists x']; auto.
Qed.

(** Beyond all points a mixture no longer changes. *)
Lemma good_kink_above : forall X m u b p, good_kink X (m, (u, b)) -> (forall x, In x X -> x <= p) ->
  above u b p = 1.
Proof.
  intros X m u b p (_ & _ & (x & Hx & Hux & Hb) & _) Hp. specialize (Hp x Hx).
  destruct (Rlt_or_le u p) as [H | H]; [now apply above_right |].
  assert (u = p) as -> by lra. rewrite above_kink. destruct b; [reflexivity |].
  specialize (Hb eq_refl). lra.
Qed.

Lemma good_kink_below : forall X m u b p, good_kink X (m, (u, b)) -> (forall x, In x X -> p <= x) ->
  above u b p = 0.
Proof.
  intros X m u b p (_ & _ & _ & (x & Hx & Hux & Hb)) Hp. specialize (Hp x Hx).
  destruct (Rlt_or_le p u) as [H | H]; [now apply above_left |].
  assert (u = p) as -> by lra. rewrite above_kink. destruct b; [| reflexivity].
  specialize (Hb eq_refl). lra.
Qed.

Lemma loss_is_mixture : forall l, proper l -> forall k X, (length X <= k)%nat -> X <> [] ->
  (forall x, In x X -> in_unit x) ->
  exists ks a b, (forall kink, In kink ks -> good_kink X kink)
    /\ forall x y, In x X -> l x y = a + b * outcome y + mixture ks (fun u s => threshold_loss u s x y).
Proof.
  intros l Hl. induction k as [| k IH]; intros X Hlen Hne Hunit.
  { destruct X; [congruence | cbn in Hlen; lia]. }
  destruct (list_has_max X Hne) as (M & HM & Hmax).
  set (X' := remove Req_EM_T M X).
  assert (HX' : forall x, In x X' -> In x X /\ x <> M) by (intros x Hx; now apply in_remove in Hx).
  assert (HX : forall x, In x X -> x = M \/ In x X').
  { intros x Hx. destruct (Req_EM_T x M) as [-> | Hneq]; [now left | right]. now apply in_in_remove. }
  destruct (list_eq_dec Req_EM_T X' []) as [Hnil | Hne'].
  - (* one point *)
    exists [], (l M false), (slope l M). split; [intros kink [] |].
    intros x y Hx. destruct (HX x Hx) as [-> | Hin]; [| rewrite Hnil in Hin; destruct Hin].
    cbn [mixture]. unfold slope. destruct y; cbn [outcome]; ring.
  - destruct (IH X') as (ks & a & b & Hgood & Hrep).
    + assert (H := remove_length_lt Req_EM_T X M HM). fold X' in H. lia.
    + assumption.
    + intros x Hx. now apply Hunit, HX'.
    + destruct (list_has_max X' Hne') as (x0 & Hx0 & Hmax').
      assert (Hlt : x0 < M).
      { destruct (HX' x0 Hx0) as [Hin Hneq]. specialize (Hmax x0 Hin). lra. }
      assert (Hx0X : In x0 X) by now apply HX'.
      set (c := (form l M - form l x0) / (M - x0)).
      assert (Hc : c * (M - x0) = form l M - form l x0) by (unfold c; field; lra).
      assert (Hs := proper_supergradient l Hl).
      assert (H1 := Hs x0 M (Hunit x0 Hx0X) (Hunit M HM)).
      assert (H2 := Hs M x0 (Hunit M HM) (Hunit x0 Hx0X)).
      exists ((slope l x0 - c, (x0, false)) :: (c - slope l M, (M, true)) :: ks), a, b. split.
      * intros kink [<- | [<- | Hin]].
        -- repeat split; [nra | assumption | exists M | exists x0]; repeat split; auto; try lra; discriminate.
        -- repeat split; [nra | assumption | exists M | exists x0]; repeat split; auto; try lra; discriminate.
        -- apply good_kink_more with X'; [intros x Hx; now apply HX' | now apply Hgood].
      * intros x y Hx. cbn [mixture]. destruct (HX x Hx) as [-> | Hin].
        -- assert (Hsame : mixture ks (fun u s => threshold_loss u s M y)
                           = mixture ks (fun u s => threshold_loss u s x0 y)).
           { apply mixture_ext. intros m u s Hin. unfold threshold_loss.
             rewrite (good_kink_above X' m u s M (Hgood _ Hin)), (good_kink_above X' m u s x0 (Hgood _ Hin));
               [reflexivity | assumption |].
             intros x1 Hx1. specialize (Hmax' x1 Hx1). lra. }
           rewrite Hsame. assert (Hold := Hrep x0 y Hx0). unfold threshold_loss at 1 2.
           rewrite (above_right x0 false M) by assumption. rewrite above_kink. cbn [outcome].
           assert (HlM := loss_from_form l M y). assert (Hlx := loss_from_form l x0 y).
           rewrite HlM. rewrite Hlx in Hold.
           replace (form l M) with (form l x0 + c * (M - x0)) by lra. lra.
        -- assert (Hxx0 := Hmax' x Hin). unfold threshold_loss at 1 2.
           rewrite (above_left M true x) by lra.
           assert (Hzero : above x0 false x = 0).
           { destruct Hxx0 as [H | ->]; [now apply above_left | apply above_kink]. }
           rewrite Hzero, (Hrep x y Hin). ring.
Qed.

(** Divergences between the points are mixtures of those of threshold losses. *)
Lemma divergence_is_mixture : forall l X, proper l -> X <> [] -> (forall x, In x X -> in_unit x) ->
  exists ks, (forall kink, In kink ks -> good_kink X kink)
    /\ forall r p, In r X -> In p X -> BREG l r p = mixture ks (fun u b => BREG (threshold_loss u b) r p).
Proof.
  intros l X Hl Hne Hunit.
  destruct (loss_is_mixture l Hl (length X) X (le_n _) Hne Hunit) as (ks & a & b & Hgood & Hrep).
  exists ks. split; [assumption |]. intros r p Hr Hp.
  assert (Hmean : forall q, In q X ->
            mean_loss l r q = a + b * r + mixture ks (fun u s => mean_loss (threshold_loss u s) r q)).
  { intros q Hq. unfold mean_loss. rewrite !Hrep by assumption. rewrite <- mixture_combine.
    cbn [outcome]. ring. }
  rewrite BREG_is_excess, !Hmean by assumption.
  rewrite (mixture_ext ks (fun u s => BREG (threshold_loss u s) r p)
             (fun u s => 1 * mean_loss (threshold_loss u s) r p + (-1) * mean_loss (threshold_loss u s) r r))
    by (intros; rewrite BREG_is_excess; ring).
  rewrite <- mixture_combine. ring.
Qed.
