(** * Histories: as sequences, their indices and counts, and which of them can be reached. *)

From Coq Require Import Reals List Arith Lia Lra.
From KLCal Require Import Definitions Basics LossDefinitions.
Import ListNotations.
Open Scope R_scope.

(** ** Histories as sequences *)

(** The index drawn and the outcome of round t; rounds count from 0. *)
Definition draw_of (h : history) (t : nat) : nat := fst (nth t (rev h) (0%nat, false)).
Definition outcome_of (h : history) (t : nat) : bool := snd (nth t (rev h) (0%nat, false)).

Lemma earlier_round r h t :
  (t < length h)%nat -> draw_of (r :: h) t = draw_of h t /\ outcome_of (r :: h) t = outcome_of h t.
Proof. intros Ht. unfold draw_of, outcome_of. cbn [rev]. now rewrite app_nth1 by now rewrite rev_length. Qed.

Lemma last_round i y h : draw_of ((i, y) :: h) (length h) = i /\ outcome_of ((i, y) :: h) (length h) = y.
Proof.
  unfold draw_of, outcome_of. cbn [rev]. rewrite app_nth2; rewrite rev_length; [|lia].
  now rewrite Nat.sub_diag.
Qed.

Lemma rounds_ext I J y x T :
  (forall t, (t < T)%nat -> I t = J t /\ y t = x t) -> rounds I y T = rounds J x T.
Proof.
  induction T as [|T IH]; intros H; [reflexivity|]. cbn [rounds].
  destruct (H T ltac:(lia)) as [-> ->]. f_equal. apply IH. intros. apply H. lia.
Qed.

Lemma history_as_sequence h : rounds (draw_of h) (outcome_of h) (length h) = h.
Proof.
  induction h as [|[i y] h IH]; [reflexivity|]. cbn [length rounds].
  destruct (last_round i y h) as [-> ->]. f_equal. etransitivity; [|exact IH]. apply rounds_ext.
  intros t Ht. now apply earlier_round.
Qed.

(** ** Indices *)

(** All drawn indices are below n. *)
Definition within (n : nat) (h : history) : Prop := Forall (fun round => (fst round < n)%nat) h.

Lemma draws_within n h : within n h -> forall t, (t < length h)%nat -> (draw_of h t < n)%nat.
Proof.
  intros H t Ht. apply Forall_rev in H. rewrite Forall_forall in H. apply H, nth_In. now rewrite rev_length.
Qed.

(** Histories that can be reached from the start have the right length and only possible indices. *)
Lemma reachable_within F n T h k :
  (forall g, choices F g = n) -> within n h -> reachable F T h k ->
  within n k /\ length k = (T + length h)%nat.
Proof.
  intros Hn. revert h. induction T as [|T IH]; intros h Hin; cbn [reachable].
  - intros ->. now split.
  - intros (i & y & Hi & Hk). rewrite Hn in Hi. apply IH in Hk.
    + destruct Hk as [Hk Hlen]. split; [assumption|]. rewrite Hlen. cbn [length]. lia.
    + now constructor.
Qed.

(** A play of T rounds from the start is a sequence of draws below n and outcomes. *)
Lemma reachable_rounds F n T k :
  (forall h, choices F h = n) -> reachable F T [] k ->
  exists I y, rounds I y T = k /\ forall t, (t < T)%nat -> (I t < n)%nat.
Proof.
  intros Hn Hk. apply (reachable_within F n) in Hk; [|exact Hn|constructor]. destruct Hk as [Hw Hlen].
  cbn [length] in Hlen. rewrite Nat.add_0_r in Hlen. exists (draw_of k), (outcome_of k). rewrite <- Hlen.
  split; [apply history_as_sequence|now apply draws_within].
Qed.

(** ** Counts *)

Lemma counts_bounds h i : 0 <= INR (count_ones h i) <= INR (count h i).
Proof. split; [apply pos_INR|]. apply le_INR, count_ones_le. Qed.

Lemma count_same h i y : count ((i, y) :: h) i = S (count h i).
Proof. cbn [count]. now rewrite Nat.eqb_refl. Qed.

Lemma count_other h i j y : i <> j -> count ((j, y) :: h) i = count h i.
Proof. intros H. cbn [count]. destruct (Nat.eqb_spec j i); [congruence | reflexivity]. Qed.

Lemma count_ones_same h i (y : bool) :
  count_ones ((i, y) :: h) i = if y then S (count_ones h i) else count_ones h i.
Proof. cbn [count_ones]. rewrite Nat.eqb_refl. now destruct y. Qed.

Lemma count_ones_other h i j y : i <> j -> count_ones ((j, y) :: h) i = count_ones h i.
Proof. intros H. cbn [count_ones]. destruct (Nat.eqb_spec j i); [congruence | reflexivity]. Qed.

(** Only the drawn bucket changes. *)
Lemma sum_update n j f g : (j < n)%nat -> (forall i, i <> j -> g i = f i) ->
  sum n g = sum n f + (g j - f j).
Proof.
  intros Hj Heq. rewrite <- (sum_single n j (fun i => g i - f i) Hj).
  - rewrite sum_minus. ring.
  - intros i _ Hi. rewrite Heq by exact Hi. ring.
Qed.

Lemma sum_of_counts n h : within n h -> sum n (fun i => INR (count h i)) = INR (length h).
Proof.
  induction 1 as [| [j y] past Hj Hpast IH].
  - cbn. rewrite sum_const. ring.
  - rewrite (sum_update n j (fun i => INR (count past i))); [| exact Hj |].
    + rewrite IH, count_same. cbn [length]. rewrite !S_INR. ring.
    + intros i Hi. now rewrite count_other.
Qed.

(** ** Outcomes that are fixed in advance *)

Definition oblivious (y : nat -> bool) : adversary := deterministic (fun h => y (length h)).

Lemma oblivious_proper y : proper_adversary (oblivious y).
Proof. intros h. apply outcome_bounds. Qed.
