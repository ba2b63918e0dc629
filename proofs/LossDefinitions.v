(** * Proper losses, Bregman divergences and swap regret (Sections 1 to 3 of the paper): definitions only.

    Conventions, besides those of [Definitions].
    - A loss is a real function of a forecast and an outcome. Only its values at forecasts in [0, 1] matter.
      The log loss is infinite at two points and is therefore treated apart.
    - The forecaster uses the points z 0, ..., z (n - 1), which are different numbers in [0, 1].
    - A game of T rounds is given by weights: [P t i] is the probability of the forecast z i in round t. If
      the forecasts are drawn, the weights are 0 and 1, [drawn I], where [I t] is the index drawn in round t.
    - A supremum is a statement "v is the least upper bound of these values": [is_lub] of the library. *)

From Coq Require Import Reals.
From KLCal Require Import Definitions.
Open Scope R_scope.

Definition in_unit (p : R) : Prop := 0 <= p <= 1.
Definition inside (p : R) : Prop := 0 < p < 1.

(** ** Proper losses (Section 2) *)

Definition loss_function : Type := R -> bool -> R.

(** The mean loss of the forecast q when the outcome is 1 with probability p. *)
Definition mean_loss (l : loss_function) (p q : R) : R := p * l q true + (1 - p) * l q false.

Definition proper (l : loss_function) : Prop :=
  forall p q, in_unit p -> in_unit q -> mean_loss l p p <= mean_loss l p q.

(** The class L: proper losses with values in [-1, 1]. *)
Definition bounded (l : loss_function) : Prop := forall p y, in_unit p -> -1 <= l p y <= 1.
Definition class_L (l : loss_function) : Prop := proper l /\ bounded l.

(** The univariate form. *)
Definition form (l : loss_function) (p : R) : R := mean_loss l p p.

(** [g] is a supergradient of [f] at every point of [0, 1]; in particular f is concave there. *)
Definition supergradient (f g : R -> R) : Prop :=
  forall p q, in_unit p -> in_unit q -> f q <= f p + g p * (q - p).

(** The supergradient that a loss uses: l(p, y) = f(p) + g(p) (y - p) with g(p) = l(p, 1) - l(p, 0). *)
Definition slope (l : loss_function) (p : R) : R := l p true - l p false.

(** The Bregman divergence of the convex function -f, with the supergradient g of f. *)
Definition bregman (f g : R -> R) (r p : R) : R := f p + g p * (r - p) - f r.
Definition BREG (l : loss_function) (r p : R) : R := bregman (form l) (slope l) r p.

Definition squared_loss : loss_function := fun p y => (p - outcome y) ^ 2.

(** ** Derivatives on [0, 1] and the classes L_2 and L_G (Section 3)

    [D_in f f' D x] of the library says that f has at x, relative to the set D, the derivative f' x. At the
    points 0 and 1 the derivative relative to [0, 1] is the one-sided one. *)

Definition derivative_inside (f f' : R -> R) : Prop := forall p, inside p -> derivable_pt_lim f p (f' p).
Definition derivative_on_unit (f f' : R -> R) : Prop := forall p, in_unit p -> D_in f f' in_unit p.

(** The univariate form is twice continuously differentiable in (0, 1). *)
Definition class_L2 (l : loss_function) : Prop :=
  class_L l /\
  exists f' f'', derivative_inside (form l) f' /\ derivative_inside f' f''
                 /\ forall p, inside p -> continuity_pt f'' p.

(** The univariate form is twice differentiable on [0, 1], and the second derivative is at most G in absolute
    value. *)
Definition class_LG (G : R) (l : loss_function) : Prop :=
  class_L l /\
  exists f' f'', derivative_on_unit (form l) f' /\ derivative_on_unit f' f''
                 /\ forall p, in_unit p -> Rabs (f'' p) <= G.

(** At 0 and 1 a loss may use any supergradient. This says that it uses the one-sided derivative there. *)
Definition regular_ends (l : loss_function) : Prop :=
  exists f', derivative_on_unit (form l) f' /\ slope l 0 = f' 0 /\ slope l 1 = f' 1.

(** ** Cells and calibration errors (equations 1 to 3) *)

Definition drawn (I : nat -> nat) : nat -> nat -> R := fun t => point (I t).

Definition different (n : nat) (z : nat -> R) : Prop :=
  forall i j, (i < n)%nat -> (j < n)%nat -> z i = z j -> i = j.

(** The frequency of ones in cell i; 0 if its mass is 0. *)
Definition frequency (P : nat -> nat -> R) (y : nat -> bool) (T i : nat) : R :=
  mass_of_ones P y T i / mass P T i.

Definition Cal1 (n : nat) (z : nat -> R) (P : nat -> nat -> R) (y : nat -> bool) (T : nat) : R :=
  sum n (fun i => mass P T i * Rabs (frequency P y T i - z i)).

Definition Cal2 (n : nat) (z : nat -> R) (P : nat -> nat -> R) (y : nat -> bool) (T : nat) : R :=
  sum n (fun i => mass P T i * (frequency P y T i - z i) ^ 2).

(** KLCal and PKLCal are [pseudo_KLCal] of [Definitions], with [drawn I] and with the mixtures. (It is shown
    in [LossBasics] that [pseudo_KLCal] with [drawn I] is [KLCal] of the history of the drawn forecasts.) *)

(** The history of T rounds. *)
Fixpoint rounds (I : nat -> nat) (y : nat -> bool) (T : nat) : history :=
  match T with
  | O => nil
  | S t => cons (I t, y t) (rounds I y t)
  end.

(** ** Swap regret *)

Definition swap_function (s : R -> R) : Prop := forall p, in_unit p -> in_unit (s p).

(** Realised: the forecast of round t is z (I t). *)
Definition swap_regret_of (l : loss_function) (z : nat -> R) (I : nat -> nat) (y : nat -> bool) (T : nat)
    (s : R -> R) : R :=
  sum T (fun t => l (z (I t)) (y t) - l (s (z (I t))) (y t)).

(** Pseudo: the mean over the mixture of the round. *)
Definition pseudo_swap_regret_of (l : loss_function) (n : nat) (z : nat -> R) (P : nat -> nat -> R)
    (y : nat -> bool) (T : nat) (s : R -> R) : R :=
  sum n (fun i => sum T (fun t => P t i * (l (z i) (y t) - l (s (z i)) (y t)))).

(** "v is the supremum over all swap functions": SReg and PSReg. *)
Definition is_swap_regret l z I y T (v : R) : Prop :=
  is_lub (fun x => exists s, swap_function s /\ x = swap_regret_of l z I y T s) v.

Definition is_pseudo_swap_regret l n z P y T (v : R) : Prop :=
  is_lub (fun x => exists s, swap_function s /\ x = pseudo_swap_regret_of l n z P y T s) v.

(** "v is the largest swap regret over a class of losses": Msr and PMsr. *)
Definition is_max_swap_regret (class : loss_function -> Prop) z I y T (v : R) : Prop :=
  is_lub (fun x => exists l, class l /\ is_swap_regret l z I y T x) v.

Definition is_max_pseudo_swap_regret (class : loss_function -> Prop) n z P y T (v : R) : Prop :=
  is_lub (fun x => exists l, class l /\ is_pseudo_swap_regret l n z P y T x) v.

(** The weights of a game: not negative. (That they add up to 1 in every round is not needed.) *)
Definition weights (n : nat) (P : nat -> nat -> R) : Prop := forall t i, (i < n)%nat -> 0 <= P t i.

(** ** Threshold losses and the swap profile (not in the paper)

    A threshold loss asks only whether the forecast is above u. At the forecast u itself it may say either:
    [at_kink] says whether u counts as above. *)

Definition above (u : R) (at_kink : bool) (p : R) : R :=
  if Rlt_dec u p then 1 else if Rlt_dec p u then 0 else outcome at_kink.

Definition threshold_loss (u : R) (at_kink : bool) : loss_function :=
  fun p y => - above u at_kink p * (outcome y - u).

(** Its swap regret in given cells, and the larger of the two values at u. *)
Definition threshold_regret (n : nat) (z : nat -> R) (P : nat -> nat -> R) (y : nat -> bool) (T : nat)
    (u : R) (at_kink : bool) : R :=
  sum n (fun i => mass P T i * (Rmax 0 (frequency P y T i - u)
                                - above u at_kink (z i) * (frequency P y T i - u))).

Definition profile n z P y T (u : R) : R :=
  Rmax (threshold_regret n z P y T u false) (threshold_regret n z P y T u true).

(** Concave functions on [0, 1]; the value at x of the least concave function above phi. *)
Definition concave (c : R -> R) : Prop :=
  forall a b s, in_unit a -> in_unit b -> in_unit s -> s * c a + (1 - s) * c b <= c (s * a + (1 - s) * b).

Definition concave_above (phi c : R -> R) : Prop := concave c /\ forall u, in_unit u -> phi u <= c u.

Definition is_envelope_at (phi : R -> R) (x v : R) : Prop :=
  (exists c, concave_above phi c /\ c x = v) /\ forall c, concave_above phi c -> v <= c x.

(** A loss with two kinks, of masses m1 at u1 and m2 at u2. *)
Definition two_kinks (m1 u1 : R) (b1 : bool) (m2 u2 : R) (b2 : bool) : loss_function :=
  fun p y => 2 * outcome y - 1 + m1 * threshold_loss u1 b1 p y + m2 * threshold_loss u2 b2 p y.
