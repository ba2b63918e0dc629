(** * The sign game

    The combinatorial core of the lower bound for Cal_2. There are n cells in a row, and each can be used once. In
    every round Nature points at a cell that is not used, and the forecaster writes a sign into it, + or -; then every
    - to the left of the cell and every + to its right is erased. How many signs can Nature keep? *)

From Coq Require Import List Arith Bool Lia.
Import ListNotations.

(** The signs that are left, each with its cell; true is +. *)
Definition board := list (nat * bool).

(** A sign survives if Nature points at cell c: a + to the left of c, or a - to the right. *)
Definition survives (c : nat) (cell : nat * bool) : bool :=
  let (d, plus) := cell in if plus then d <? c else c <? d.

(** The board after the forecaster has written a sign into cell c. *)
Definition write (c : nat) (plus : bool) (b : board) : board := (c, plus) :: filter (survives c) b.

(** Nature can bring about k signs on n cells: there are enough, or some unused cell leads there for both answers. *)
Inductive can_force (n k : nat) : list nat -> board -> Prop :=
  | enough used b : k <= length b -> can_force n k used b
  | point_at c used b : c < n -> ~ In c used ->
      (forall plus, can_force n k (c :: used) (write c plus b)) -> can_force n k used b.

(** ** Counting signs *)

Definition pluses_below (base : nat) (cell : nat * bool) : bool := snd cell && (fst cell <? base).
Definition minuses_from (c : nat) (cell : nat * bool) : bool := negb (snd cell) && (c <=? fst cell).
Definition number (p : nat * bool -> bool) (b : board) : nat := length (filter p b).

Lemma number_filter p q b : (forall x, p x = true -> q x = true) -> number p (filter q b) = number p b.
Proof.
  intros H. unfold number. induction b as [| x b IH]; [reflexivity |]. cbn [filter].
  destruct (q x) eqn:Q; cbn [filter]; destruct (p x) eqn:P; cbn [length]; rewrite ?IH; try reflexivity.
  rewrite (H x P) in Q. discriminate.
Qed.

Lemma two_kinds base c b : number (pluses_below base) b + number (minuses_from c) b <= length b.
Proof.
  unfold number. induction b as [| [d []] b IH]; cbn [filter length pluses_below minuses_from fst snd negb andb].
  - lia.
  - destruct (d <? base); cbn [length]; lia.
  - destruct (c <=? d); cbn [length]; lia.
Qed.

(** Signs that no later round touches: pluses to the left of all cells still to come, minuses to their right. *)
Lemma pluses_stay base c plus b : base <= c ->
  number (pluses_below base) b <= number (pluses_below base) (write c plus b).
Proof.
  intros H. unfold write. rewrite <- (number_filter (pluses_below base) (survives c) b).
  - unfold number. cbn [filter]. destruct (pluses_below base (c, plus)); cbn [length]; lia.
  - intros [d []]; cbn [pluses_below survives fst snd andb]; [| discriminate].
    rewrite !Nat.ltb_lt. lia.
Qed.

Lemma minuses_stay c b : number (minuses_from (S c)) b + 1 <= number (minuses_from c) (write c false b).
Proof.
  unfold write. rewrite <- (number_filter (minuses_from (S c)) (survives c) b).
  - unfold number. cbn [filter minuses_from fst snd negb andb]. rewrite Nat.leb_refl. cbn [length].
    enough (length (filter (minuses_from (S c)) (filter (survives c) b))
            <= length (filter (minuses_from c) (filter (survives c) b))) by lia.
    induction (filter (survives c) b) as [| [d []] l IH]; cbn [filter minuses_from fst snd negb andb]; [lia | lia |].
    destruct (S c <=? d) eqn:E, (c <=? d) eqn:E'; cbn [length]; try lia.
    apply Nat.leb_le in E. apply Nat.leb_gt in E'. lia.
  - intros [d []]; cbn [minuses_from survives fst snd negb andb]; [discriminate |].
    rewrite Nat.leb_le, Nat.ltb_lt. lia.
Qed.

Lemma one_more_plus base c b : base <= c ->
  number (pluses_below base) b + 1 <= number (pluses_below (S c)) (write c true b).
Proof.
  intros H. unfold write. rewrite <- (number_filter (pluses_below base) (survives c) b).
  - unfold number. cbn [filter pluses_below fst snd andb].
    replace (c <? S c) with true by (symmetry; apply Nat.ltb_lt; lia). cbn [length].
    enough (length (filter (pluses_below base) (filter (survives c) b))
            <= length (filter (pluses_below (S c)) (filter (survives c) b))) by lia.
    induction (filter (survives c) b) as [| [d []] l IH]; cbn [filter pluses_below fst snd andb]; [lia | | lia].
    destruct (d <? base) eqn:E, (d <? S c) eqn:E'; cbn [length]; try lia.
    apply Nat.ltb_lt in E. apply Nat.ltb_ge in E'. lia.
  - intros [d []]; cbn [pluses_below survives fst snd andb]; [| discriminate].
    rewrite !Nat.ltb_lt. lia.
Qed.

Lemma pluses_mono base base' b : base <= base' -> number (pluses_below base) b <= number (pluses_below base') b.
Proof.
  intros H. unfold number. induction b as [| [d []] b IH]; cbn [filter pluses_below fst snd andb]; [lia | | lia].
  destruct (d <? base) eqn:E, (d <? base') eqn:E'; cbn [length]; try lia.
  apply Nat.ltb_lt in E. apply Nat.ltb_ge in E'. lia.
Qed.

(** ** Nature's strategy *)

Fixpoint triangle (k : nat) : nat :=
  match k with
  | O => O
  | S j => S j + triangle j
  end.

(** From a position in which all cells from `base` on are unused: walk left through j more fresh cells while the answer
    is -, and at the first + go on to the right of these cells with k in place of k + 1. *)
Lemma walk n goal k base
  (later : forall base' used b, base' + triangle k <= n -> (forall c, In c used -> c < base') ->
     goal <= number (pluses_below base') b + k -> can_force n goal used b) :
  base + triangle (S k) <= n ->
  forall j used b, j <= S k ->
  (forall c, In c used -> c < base \/ base + j <= c < base + S k) ->
  goal <= number (pluses_below base) b + S k -> S k <= number (minuses_from (base + j)) b + j ->
  can_force n goal used b.
Proof.
  intros Hn. cbn [triangle] in Hn. induction j as [| j IH]; intros used b Hj Hused Hgoal Hminus.
  - apply enough. pose proof (two_kinds base (base + 0) b). lia.
  - apply point_at with (base + j).
    + lia.
    + intros H. apply Hused in H. lia.
    + intros [].
      * apply later with (base + S k).
        -- lia.
        -- intros c [<- | H]; [lia |]. apply Hused in H. lia.
        -- pose proof (one_more_plus base (base + j) b ltac:(lia)).
           pose proof (pluses_mono (S (base + j)) (base + S k) (write (base + j) true b) ltac:(lia)). lia.
      * apply IH.
        -- lia.
        -- intros c [<- | H]; [lia |]. apply Hused in H. lia.
        -- pose proof (pluses_stay base (base + j) false b ltac:(lia)). lia.
        -- pose proof (minuses_stay (base + j) b). replace (base + S j) with (S (base + j)) in Hminus by lia. lia.
Qed.

Lemma strategy n goal k : forall base used b, base + triangle k <= n -> (forall c, In c used -> c < base) ->
  goal <= number (pluses_below base) b + k -> can_force n goal used b.
Proof.
  induction k as [| k IH]; intros base used b Hn Hused Hgoal.
  - apply enough. pose proof (two_kinds base 0 b). lia.
  - apply (walk n goal k base IH Hn (S k)); [lia | | exact Hgoal | lia].
    intros c H. left. now apply Hused.
Qed.

Lemma triangle_closed k : triangle k = k * (k + 1) / 2.
Proof.
  assert (H : triangle k * 2 = k * (k + 1)) by (induction k as [| k IH]; cbn [triangle]; lia).
  rewrite <- H. symmetry. now apply Nat.div_mul.
Qed.

(** On k(k+1)/2 cells Nature keeps k signs, whatever the forecaster answers. *)
Theorem sign_game_lower k : can_force (k * (k + 1) / 2) k [] [].
Proof.
  apply (strategy _ k k 0); [rewrite triangle_closed; lia | easy | lia].
Qed.
