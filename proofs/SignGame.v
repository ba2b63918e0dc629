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

(** ** So many pluses or so many minuses

    Nature stops when the board is as she likes it. *)
Inductive reaches (n : nat) (goal : board -> Prop) : list nat -> board -> Prop :=
  | stop used b : goal b -> reaches n goal used b
  | go_on c used b : c < n -> ~ In c used ->
      (forall plus, reaches n goal (c :: used) (write c plus b)) -> reaches n goal used b.

Definition pluses (b : board) : nat := number snd b.
Definition minuses (b : board) : nat := number (fun cell => negb (snd cell)) b.

(** On n cells Nature can get A pluses or B minuses: Q(A, B) <= n. *)
Definition wins (n A B : nat) : Prop := reaches n (fun b => A <= pluses b \/ B <= minuses b) [] [].

Definition inside (lo hi : nat) (cell : nat * bool) : bool := (lo <=? fst cell) && (fst cell <? hi).
Definition shift (lo : nat) (cell : nat * bool) : nat * bool := (lo + fst cell, snd cell).
Definition pluses_in lo hi b := pluses (filter (inside lo hi) b).
Definition minuses_in lo hi b := minuses (filter (inside lo hi) b).
Definition known (used : list nat) (b : board) : Prop := forall cell, In cell b -> In (fst cell) used.
Definition fresh (lo hi : nat) (used : list nat) : Prop := forall c, lo <= c < hi -> ~ In c used.

(** What play between lo and hi leaves alone: cells elsewhere, pluses to the left, minuses to the right. *)
Definition after (lo hi : nat) (used : list nat) (b : board) (used' : list nat) (b' : board) : Prop :=
  (forall c, In c used' -> In c used \/ lo <= c < hi) /\
  (forall x y, y <= lo -> pluses_in x y b <= pluses_in x y b') /\
  (forall x y, hi <= x -> minuses_in x y b <= minuses_in x y b') /\
  known used' b'.

Lemma filter_filter (p q : nat * bool -> bool) b : filter p (filter q b) = filter q (filter p b).
Proof.
  induction b as [| x b IH]; [reflexivity |]. cbn [filter].
  destruct (p x) eqn:P, (q x) eqn:Q; cbn [filter]; rewrite ?P, ?Q, ?IH; reflexivity.
Qed.

Lemma number_of_filter p q b : number p (filter q b) = number (fun x => p x && q x) b.
Proof.
  unfold number. induction b as [| x b IH]; [reflexivity |]. cbn [filter].
  destruct (q x), (p x) eqn:P; cbn [filter andb]; rewrite ?P; cbn [length]; congruence.
Qed.

Lemma number_le p q b : (forall x, p x = true -> q x = true) -> number p b <= number q b.
Proof.
  intros H. rewrite <- (number_filter p q b H). unfold number. induction b as [| x b IH]; [reflexivity |].
  cbn [filter]. destruct (q x) eqn:Q; cbn [filter]; destruct (p x) eqn:P; cbn [length]; try lia.
Qed.

Lemma number_two p q r b : (forall x, p x = true -> r x = true /\ q x = false) ->
  (forall x, q x = true -> r x = true) -> number p b + number q b <= number r b.
Proof.
  intros H K. unfold number. induction b as [| x b IH]; [reflexivity |]. cbn [filter].
  destruct (p x) eqn:P.
  - destruct (H x P) as [-> ->]. cbn [length]. lia.
  - destruct (q x) eqn:Q; [rewrite (K x Q); cbn [length]; lia |]. destruct (r x); cbn [length]; lia.
Qed.

Ltac cells := unfold inside in *; cbn [fst snd negb andb] in *;
  repeat (rewrite ?andb_true_iff, ?andb_false_iff, ?negb_true_iff, ?negb_false_iff, ?Nat.leb_le, ?Nat.ltb_lt,
    ?Nat.leb_gt, ?Nat.ltb_ge in *).

Lemma after_write lo hi c plus used b : lo <= c < hi -> known used b ->
  after lo hi used b (c :: used) (write c plus b).
Proof.
  intros Hc Hb. unfold after, pluses_in, minuses_in, pluses, minuses. repeat split.
  - intros d [<- | H]; [right; exact Hc | left; exact H].
  - intros x y Hy. rewrite !number_of_filter. unfold write.
    rewrite <- (number_filter _ (survives c) b).
    + unfold number. cbn [filter]. destruct (_ && _); cbn [length]; lia.
    + intros [d []]; cbn [snd andb inside survives fst]; [| discriminate]. intros H; cells; lia.
  - intros x y Hx. rewrite !number_of_filter. unfold write.
    rewrite <- (number_filter _ (survives c) b).
    + unfold number. cbn [filter]. destruct (_ && _); cbn [length]; lia.
    + intros [d []]; cbn [snd andb negb inside survives fst]; [discriminate |]. intros H; cells; lia.
  - intros cell [<- | H]; [left; reflexivity |]. apply filter_In in H. right. apply Hb, H.
Qed.

Lemma after_trans lo hi used b used' b' used'' b'' :
  after lo hi used b used' b' -> after lo hi used' b' used'' b'' -> after lo hi used b used'' b''.
Proof.
  intros (U & P & M & _) (U' & P' & M' & K'). repeat split; [| | | exact K'].
  - intros c H. apply U' in H as [H | H]; [apply U, H | right; exact H].
  - intros x y H. pose proof (P x y H). pose proof (P' x y H). lia.
  - intros x y H. pose proof (M x y H). pose proof (M' x y H). lia.
Qed.

Lemma after_wider lo hi lo' hi' used b used' b' : lo <= lo' -> hi' <= hi ->
  after lo' hi' used b used' b' -> after lo hi used b used' b'.
Proof.
  intros L H (U & P & M & K). repeat split; [| | | exact K].
  - intros c Hc. apply U in Hc as [Hc | Hc]; [left; exact Hc | right; lia].
  - intros x y Hy. apply P. lia.
  - intros x y Hx. apply M. lia.
Qed.

(** A game on q cells can be played in any q neighbouring fresh cells of a larger game. *)
Lemma in_a_block q small used0 b0 : reaches q small used0 b0 ->
  forall n goal lo used b, lo + q <= n -> known used b ->
  (forall c, c < q -> In (lo + c) used -> In c used0) ->
  filter (inside lo (lo + q)) b = map (shift lo) b0 ->
  (forall used' b' b1, after lo (lo + q) used b used' b' ->
     filter (inside lo (lo + q)) b' = map (shift lo) b1 -> small b1 -> reaches n goal used' b') ->
  (after lo (lo + q) used b used b) ->
  reaches n goal used b.
Proof.
  induction 1 as [used0 b0 H | c used0 b0 Hc Hu _ IH]; intros n goal lo used b Hn Hk Hused Hb later same.
  - exact (later used b b0 same Hb H).
  - apply go_on with (lo + c); [lia | intros H; apply Hu, Hused; assumption |].
    intros plus. assert (A := after_write lo (lo + q) (lo + c) plus used b ltac:(lia) Hk).
    apply (IH plus n goal lo); try assumption.
    + apply A.
    + intros d Hd [H | H]; [left; lia | right; apply Hused; assumption].
    + unfold write. cbn [filter map]. replace (inside lo (lo + q) (lo + c, plus)) with true
        by (unfold inside; cbn [fst]; symmetry; cells; lia).
      unfold shift at 1. cbn [fst snd]. f_equal. rewrite filter_filter, Hb.
      clear. induction b0 as [| [d s] b0 IH]; [reflexivity |]. cbn [map filter]. rewrite IH.
      replace (survives (lo + c) (shift lo (d, s))) with (survives c (d, s));
        [destruct (survives c (d, s)); reflexivity |].
      destruct s; cbn [survives shift fst snd]; apply eq_true_iff_eq; cells; lia.
    + intros used' b' b1 H. apply later. exact (after_trans _ _ _ _ _ _ _ _ A H).
    + repeat split; try (intros; lia); [intros d H; left; exact H | apply A].
Qed.

Lemma pluses_shift lo b : pluses (map (shift lo) b) = pluses b.
Proof. unfold pluses, number. induction b as [| [d []] b IH]; cbn; congruence. Qed.

Lemma minuses_shift lo b : minuses (map (shift lo) b) = minuses b.
Proof. unfold minuses, number. induction b as [| [d []] b IH]; cbn; congruence. Qed.

Lemma play q A B : wins q A B -> forall n goal lo used b, lo + q <= n -> known used b -> fresh lo (lo + q) used ->
  (forall used' b', after lo (lo + q) used b used' b' ->
     A <= pluses_in lo (lo + q) b' \/ B <= minuses_in lo (lo + q) b' -> reaches n goal used' b') ->
  reaches n goal used b.
Proof.
  intros W n goal lo used b Hn Hk Hf later. apply (in_a_block _ _ _ _ W n goal lo); try assumption.
  - intros c Hc H. exfalso. apply (Hf (lo + c)); [lia | exact H].
  - cbn [map]. destruct (filter _ b) as [| x l] eqn:E; [reflexivity | exfalso].
    assert (H : In x (filter (inside lo (lo + q)) b)) by (rewrite E; left; reflexivity).
    apply filter_In in H as [H I]. unfold inside in I. cells. exact (Hf (fst x) ltac:(lia) (Hk x H)).
  - intros used' b' b1 H E G. apply later; [exact H |]. unfold pluses_in, minuses_in.
    rewrite E, pluses_shift, minuses_shift. exact G.
  - repeat split; try (intros; lia); [intros d H; left; exact H | exact Hk].
Qed.

(** ** Step aside

    Three blocks: left, middle, right. Play in the middle; after pluses go right, and after minuses there go left of
    everything; after minuses the mirror image. Subtraction stops at 0: who needs no pluses has them. *)
Theorem sidestep left q right A B a b M P : wins q a b ->
  wins left A (B - M) -> wins left P (B - b) -> wins right (A - a) M -> wins right (A - P) B ->
  wins (left + q + right) A B.
Proof.
  intros Q L L' R R'. set (n := left + q + right).
  assert (more : forall x y z b, x <= y <= z -> pluses_in x y b + pluses_in y z b <= pluses b).
  { intros x y z b' H. unfold pluses_in, pluses. rewrite !number_of_filter.
    apply number_two; intros [d []]; cbn [snd andb inside fst]; try discriminate; cells; try lia; intuition. }
  assert (more' : forall x y z b, x <= y <= z -> minuses_in x y b + minuses_in y z b <= minuses b).
  { intros x y z b' H. unfold minuses_in, minuses. rewrite !number_of_filter.
    apply number_two; intros [d []]; cbn [snd andb negb inside fst]; try discriminate; cells; try lia; intuition. }
  assert (all : forall x y b, pluses_in x y b <= pluses b).
  { intros x y b'. unfold pluses_in, pluses. rewrite number_of_filter. apply number_le. intros z. cells. tauto. }
  assert (all' : forall x y b, minuses_in x y b <= minuses b).
  { intros x y b'. unfold minuses_in, minuses. rewrite number_of_filter. apply number_le. intros z. cells. tauto. }
  unfold wins. fold n.
  apply (play _ _ _ Q n _ left); [unfold n; lia | intros cell [] | intros c _ [] |].
  intros u1 b1 (U1 & _ & _ & K1) [H1 | H1].
  - apply (play _ _ _ R n _ (left + q)); [unfold n; lia | exact K1 | intros c Hc H; apply U1 in H as [[] | H]; lia |].
    intros u2 b2 (U2 & P2 & _ & K2) H2. specialize (P2 left (left + q) (le_n _)).
    destruct H2 as [H2 | H2].
    + apply stop. left. pose proof (more left (left + q) (left + q + right) b2). lia.
    + apply (play _ _ _ L n _ 0); [unfold n; lia | exact K2 |
        intros c Hc H; apply U2 in H as [H | H]; [apply U1 in H as [[] | H] |]; lia |].
      intros u3 b3 (_ & _ & M3 & _) [H3 | H3]; apply stop.
      * left. pose proof (all 0 (0 + left) b3). lia.
      * right. specialize (M3 (left + q) (left + q + right) ltac:(lia)).
        pose proof (more' 0 (left + q) (left + q + right) b3 ltac:(lia)).
        assert (minuses_in 0 (0 + left) b3 <= minuses_in 0 (left + q) b3).
        { unfold minuses_in, minuses. rewrite !number_of_filter. apply number_le.
          intros [d []] I; cells; intuition lia. }
        lia.
  - apply (play _ _ _ L' n _ 0); [unfold n; lia | exact K1 | intros c Hc H; apply U1 in H as [[] | H]; lia |].
    intros u2 b2 (U2 & _ & M2 & K2) H2. specialize (M2 left (left + q) ltac:(lia)).
    destruct H2 as [H2 | H2].
    + apply (play _ _ _ R' n _ (left + q)); [unfold n; lia | exact K2 |
        intros c Hc H; apply U2 in H as [H | H]; [apply U1 in H as [[] | H] |]; lia |].
      intros u3 b3 (_ & P3 & _ & _) [H3 | H3]; apply stop.
      * left. specialize (P3 0 left ltac:(lia)).
        pose proof (more 0 (left + q) (left + q + right) b3 ltac:(lia)).
        assert (pluses_in 0 left b3 <= pluses_in 0 (left + q) b3).
        { unfold pluses_in, pluses. rewrite !number_of_filter. apply number_le.
          intros [d []] I; cells; intuition lia. }
        cbn [Nat.add] in H2. lia.
      * right. pose proof (all' (left + q) (left + q + right) b3). lia.
    + apply stop. right. pose proof (more' 0 left (left + q) b2 ltac:(lia)). cbn [Nat.add] in H2. lia.
Qed.

(** ** Small boards *)

Lemma wins_nothing n A B : A = 0 \/ B = 0 -> wins n A B.
Proof. intros H. apply stop. lia. Qed.

Lemma wins_one : wins 1 1 1.
Proof. apply go_on with 0; [lia | intros [] |]. intros []; apply stop; [left | right]; cbn; lia. Qed.

(** On to the right for more pluses, on to the left for more minuses. *)
Lemma on_to_the_right q right A B a : wins q a B -> wins right (A - a) B -> wins (q + right) A B.
Proof.
  intros Q R. apply (sidestep 0 q right A B a B B A Q); try exact R; apply wins_nothing; lia.
Qed.

Lemma on_to_the_left left q A B b : wins q A b -> wins left A (B - b) -> wins (left + q) A B.
Proof.
  intros Q L. rewrite <- (Nat.add_0_r (left + q)).
  apply (sidestep left q 0 A B A b B A Q); try exact L; apply wins_nothing; lia.
Qed.

(** Q(A, B) <= A B. *)
Lemma rows A B : wins (A * B) A B.
Proof.
  induction A as [| A IH]; [apply wins_nothing; lia |]. cbn [Nat.mul].
  apply (on_to_the_right B (A * B) (S A) B 1); [clear; induction B as [| B IH] | now rewrite Nat.sub_1_r].
  - apply wins_nothing. lia.
  - rewrite <- Nat.add_1_r. apply (on_to_the_left B 1 1 (B + 1) 1 wins_one).
    replace (B + 1 - 1) with B by lia. exact IH.
Qed.

(** Fewer than A B cells: Q(3, 4) <= 11 and Q(4, 4) <= 15. *)
Theorem eleven_cells : wins 11 3 4.
Proof.
  exact (sidestep 6 1 4 3 4 1 1 2 2 wins_one (rows 3 2) (rows 2 3) (rows 2 2) (rows 1 4)).
Qed.

Theorem fifteen_cells : wins 15 4 4.
Proof.
  apply (sidestep 3 1 11 4 4 1 1 4 1 wins_one); [apply wins_nothing; lia | exact (rows 1 3) | |]; exact eleven_cells.
Qed.
