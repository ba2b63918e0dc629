(** * Which stationary distribution Algorithm 1 takes: the one on the lowest closed class.

    A closed class of a stochastic matrix is a set of states that no move leaves and that contains no smaller
    such set. [stationary] finds the stationary distribution of the closed class with the smallest member. The
    induction follows the elimination of the last state. With leaks a closed set must not leak. Elimination
    changes closed sets only by the eliminated state: it belongs to the set if some member moves to it. *)

From Coq Require Import Reals Arith Lia Lra Psatz Classical.
From KLCal Require Import Definitions Basics Stationary Theorem2 Lemma5.
Open Scope R_scope.

(** ** Definitions *)

(** No move leads from the states of C (among 0, ..., n) out of C. *)
Definition closed_set (n : nat) (Q : nat -> nat -> R) (C : nat -> Prop) : Prop :=
  (exists i, C i) /\
  forall i, C i -> (i <= n)%nat /\ forall j, (j <= n)%nat -> 0 < Q i j -> C j.

(** A closed set that is contained in every closed set that meets it. *)
Definition closed_class (n : nat) (Q : nat -> nat -> R) (C : nat -> Prop) : Prop :=
  closed_set n Q C /\
  forall D, closed_set n Q D -> (exists i, C i /\ D i) -> forall i, C i -> D i.

(** The same in a chain with leaks: a closed set does not leak. *)
Definition closed (n : nat) (Q : nat -> nat -> R) (leak : nat -> R) (C : nat -> Prop) : Prop :=
  closed_set n Q C /\ forall i, C i -> leak i = 0.

Definition minimal (n : nat) (Q : nat -> nat -> R) (leak : nat -> R) (C : nat -> Prop) : Prop :=
  closed n Q leak C /\ forall D, closed n Q leak D -> (exists i, C i /\ D i) -> forall i, C i -> D i.

Definition support (w : nat -> R) (i : nat) : Prop := 0 < w i.

(** ** Supports of fixed weights are closed *)

Lemma positive_term n f : (forall i, (i < n)%nat -> 0 <= f i) -> 0 < sum n f -> exists i, (i < n)%nat /\ 0 < f i.
Proof.
  intros Hf Hs. apply NNPP. intros Hno. assert (sum n f = 0); [|lra]. apply sum_zero. intros i Hi.
  destruct (Hf i Hi) as [H|H]; [|auto]. exfalso. apply Hno. now exists i.
Qed.

Lemma support_closed n Q leak w :
  leaky_chain n Q leak -> (forall i, 0 <= w i) -> (forall i, (n < i)%nat -> w i = 0) ->
  (forall j, (j <= n)%nat -> w j = sum (S n) (fun i => w i * Q i j)) ->
  (exists i, support w i) -> closed n Q leak (support w).
Proof.
  intros Hc Hw Hout Hfix Hex. pose proof Hc as (HQ & _ & _). split; [split; [exact Hex|]|].
  - intros i Hi. unfold support in *.
    assert (Hin : (i <= n)%nat) by (apply Nat.nlt_ge; intros H; rewrite (Hout i H) in Hi; lra).
    split; [exact Hin|]. intros j Hj HQj. rewrite (Hfix j Hj).
    apply Rlt_le_trans with (w i * Q i j); [now apply Rmult_lt_0_compat|].
    apply (sum_term_le (S n) (fun i => w i * Q i j)); [|lia]. intros k Hk.
    apply Rmult_le_pos; [apply Hw|apply HQ; lia].
  - intros i Hi. unfold support in Hi.
    assert (Hin : (i <= n)%nat) by (apply Nat.nlt_ge; intros H; rewrite (Hout i H) in Hi; lra).
    pose proof (fixed_weights_avoid_leaks n Q leak w Hc (fun k _ => Hw k) Hfix i Hin) as H.
    apply Rmult_integral in H. lra.
Qed.

(** ** The induction *)

(** What elimination finds: something if there is a closed set, and then a class, whose smallest member is at
    most that of any other class. *)
Definition finds_lowest (n : nat) (Q : nat -> nat -> R) (leak : nat -> R) (w : nat -> R) : Prop :=
  ((exists C, closed n Q leak C) -> exists i, support w i) /\
  ((exists i, support w i) -> minimal n Q leak (support w)) /\
  (forall C, minimal n Q leak C -> exists i, support w i /\ forall j, C j -> (i <= j)%nat).

(** The last state stays for ever. *)
Lemma lowest_kept n Q leak w :
  let last := S n in
  leaky_chain last Q leak -> leak last = 0 -> (forall j, (j <= n)%nat -> Q last j = 0) ->
  (forall i, (n < i)%nat -> w i = 0) -> finds_lowest n Q (fun i => leak i + Q i last) w ->
  ((exists i, support w i) -> finds_lowest last Q leak w) /\
  ((forall i, ~ support w i) -> finds_lowest last Q leak (point last)).
Proof.
  intros last (HQ & Hl & _) Hleak Hstay Hout (H1 & HA & HB).
  assert (Hzero : forall i, (i <= n)%nat -> leak i + Q i last = 0 -> leak i = 0 /\ Q i last = 0).
  { intros i Hi E. pose proof (Hl i ltac:(lia)). pose proof (HQ i last ltac:(lia) ltac:(lia)). lra. }
  (* the last state alone is closed *)
  assert (Halone : closed last Q leak (eq last)).
  { split; [split; [now exists last|]|]; intros i <-; [|exact Hleak]. split; [lia|].
    intros j Hj Hpos. destruct (Nat.eq_dec j last) as [->|Hne]; [reflexivity|].
    rewrite Hstay in Hpos by lia. lra. }
  (* closed sets without the last state are the closed sets of the smaller chain *)
  assert (Hdown : forall C, closed last Q leak C -> ~ C last -> closed n Q (fun i => leak i + Q i last) C).
  { intros C [[Hex HC] HCl] Hno. split; [split; [exact Hex|]|]; intros i Hi; destruct (HC i Hi) as [Hin Hcl].
    - split; [|intros j Hj; apply Hcl; lia].
      destruct (Nat.eq_dec i last) as [->|]; [contradiction|lia].
    - rewrite (HCl i Hi). destruct (HQ i last Hin (le_n _)) as [Hpos|Hz]; [|lra].
      exfalso. apply Hno, (Hcl last); [lia|exact Hpos]. }
  assert (Hup : forall C, closed n Q (fun i => leak i + Q i last) C -> closed last Q leak C).
  { intros C [[Hex HC] HCl]. split; [split; [exact Hex|]|]; intros i Hi; destruct (HC i Hi) as [Hin Hcl];
      destruct (Hzero i Hin (HCl i Hi)) as [E0 EQ]; [|exact E0].
    split; [lia|]. intros j Hj Hpos. destruct (Nat.eq_dec j last) as [->|]; [lra|]. apply Hcl; [lia|exact Hpos]. }
  assert (Hclass : forall C, minimal last Q leak C -> C last -> forall j, C j -> j = last).
  { intros C [_ Hmin] Hlast j Hj. symmetry. apply (Hmin _ Halone); [|exact Hj]. now exists last. }
  split.
  - intros Hex. specialize (HA Hex). destruct HA as [HAc HAm]. split; [auto|]. split; [intros _; split|].
    + now apply Hup.
    + intros D HD (k & Hk & HkD) i Hi. apply (HAm (fun i => support w i /\ D i)); [|now exists k|exact Hi].
      destruct HAc as [[_ Hc] Hcl], HD as [[_ HD] _]. split; [split; [now exists k|]|].
      * intros a [Ha HaD]. destruct (Hc a Ha) as [Han Hnext]. split; [exact Han|].
        intros j Hj Hpos. split; [now apply Hnext|]. apply (HD a HaD); [lia|exact Hpos].
      * intros a [Ha _]. now apply Hcl.
    + intros C HC. destruct (classic (C last)) as [Hlast|Hlast].
      * destruct Hex as [i Hi]. exists i. split; [exact Hi|]. intros j Hj. rewrite (Hclass C HC Hlast j Hj).
        destruct HAc as [[_ Hc] _]. destruct (Hc i Hi). lia.
      * apply HB. destruct HC as [HCc HCm]. split; [now apply Hdown|]. intros D HD. apply HCm. now apply Hup.
  - intros Hnone. assert (Hnot : forall C, closed last Q leak C -> C last).
    { intros C HC. apply NNPP. intros Hno. destruct H1 as [i Hi]; [exists C; now apply Hdown|].
      exact (Hnone i Hi). }
    assert (Hpt : forall i, support (point last) i <-> last = i).
    { intros i. unfold support, point. destruct (Nat.eqb_spec last i); split; intros; (lra || congruence). }
    split; [intros _; exists last; now apply Hpt|]. split.
    + intros _. split.
      * destruct Halone as [[_ Hc] Hcl]. split; [split; [exists last; now apply Hpt|]|]; intros i Hi;
          apply Hpt in Hi; [|now apply Hcl]. destruct (Hc i Hi) as [Hin Hnext]. split; [exact Hin|].
        intros j Hj Hpos. apply Hpt. now apply Hnext.
      * intros D HD _ i Hi. apply Hpt in Hi. subst i. now apply Hnot.
    + intros C HC. exists last. split; [now apply Hpt|]. intros j Hj.
      rewrite (Hclass C HC (Hnot C (proj1 HC)) j Hj). lia.
Qed.

(** The last state is eliminated. *)
Lemma lowest_eliminated n Q leak w v :
  let last := S n in
  let moves := leak last + sum last (Q last) in
  leaky_chain last Q leak -> 0 < moves -> (forall i, 0 <= w i) -> (forall i, (n < i)%nat -> w i = 0) ->
  (forall i, (i <= n)%nat -> v i = w i) -> v last = sum last (fun j => w j * Q j last) / moves ->
  ((exists i, support v i) -> closed last Q leak (support v)) ->
  finds_lowest n (fun i j => Q i j + Q i last * Q last j / moves)
    (fun i => leak i + Q i last * leak last / moves) w ->
  finds_lowest last Q leak v.
Proof.
  intros last moves (HQ & Hl & _) Hm Hw Hout Hv Hlast Hvc (H1 & HA & HB).
  assert (Hinv : 0 < / moves) by now apply Rinv_0_lt_compat.
  set (Q' := fun i j => Q i j + Q i last * Q last j / moves) in *.
  set (leak' := fun i => leak i + Q i last * leak last / moves) in *.
  assert (Hpass : forall a b, 0 <= a -> 0 <= b -> 0 <= a * b / moves).
  { intros a b Ha Hb. apply Rmult_le_pos; [now apply Rmult_le_pos|lra]. }
  assert (Hpass' : forall a b, 0 < a -> 0 < b -> 0 < a * b / moves).
  { intros a b Ha Hb. apply Rmult_lt_0_compat; [now apply Rmult_lt_0_compat|lra]. }
  assert (Hin : forall i, support w i -> (i <= n)%nat).
  { intros i Hi. apply Nat.nlt_ge. intros H. unfold support in Hi. rewrite (Hout i H) in Hi. lra. }
  assert (Hwv : forall i, support w i -> support v i).
  { intros i Hi. unfold support. rewrite Hv by now apply Hin. exact Hi. }
  assert (Hvw : forall i, (i <= n)%nat -> support v i -> support w i).
  { intros i Hi H. unfold support in H. now rewrite Hv in H by exact Hi. }
  (* the last state leads on, unless it leaks *)
  assert (Hnext : leak last = 0 -> exists j, (j <= n)%nat /\ 0 < Q last j).
  { intros E. destruct (positive_term last (Q last)) as (j & Hj & Hpos).
    - intros i Hi. apply HQ; lia.
    - unfold moves in Hm. lra.
    - exists j. split; [lia|exact Hpos]. }
  assert (Hdown : forall C, closed last Q leak C -> closed n Q' leak' (fun i => (i <= n)%nat /\ C i)).
  { intros C [[[k Hk] HC] HCl]. split; [split|].
    - destruct (HC k Hk) as [Hkn Hgo]. destruct (Nat.eq_dec k last) as [->|Hne].
      + destruct (Hnext (HCl last Hk)) as (j & Hj & Hpos). exists j. split; [exact Hj|]. apply Hgo; [lia|exact Hpos].
      + exists k. split; [lia|exact Hk].
    - intros i [Hi HiC]. split; [exact Hi|]. intros j Hj Hpos. split; [exact Hj|].
      destruct (HC i HiC) as [_ Hgo]. destruct (HQ i j ltac:(lia) ltac:(lia)) as [Hd|Hd].
      { apply Hgo; [lia|exact Hd]. }
      destruct (HQ i last ltac:(lia) (le_n _)) as [Ha|Ha]; [|unfold Q' in Hpos; rewrite <- Ha, <- Hd in Hpos; lra].
      destruct (HQ last j (le_n _) ltac:(lia)) as [Hb|Hb]; [|unfold Q' in Hpos; rewrite <- Hb, <- Hd in Hpos; lra].
      apply (proj2 (HC last (Hgo last (le_n _) Ha))); [lia|exact Hb].
    - intros i [Hi HiC]. unfold leak'. rewrite (HCl i HiC).
      destruct (HQ i last ltac:(lia) (le_n _)) as [Ha|Ha]; [|rewrite <- Ha; lra].
      rewrite (HCl last); [lra|]. apply (proj2 (HC i HiC)); [lia|exact Ha]. }
  set (extend := fun (D : nat -> Prop) i => D i \/ (i = last /\ exists k, D k /\ 0 < Q k last)).
  assert (Hup : forall D, closed n Q' leak' D -> closed last Q leak (extend D)).
  { intros D [[[k Hk] HD] HDl].
    assert (Hleak : forall i, D i -> leak i = 0 /\ (0 < Q i last -> leak last = 0)).
    { intros i Hi. destruct (HD i Hi) as [Hn _]. pose proof (HDl i Hi) as E. unfold leak' in E.
      pose proof (Hl i ltac:(lia)). pose proof (Hl last (le_n _)) as Hll.
      pose proof (Hpass _ _ (HQ i last ltac:(lia) (le_n _)) Hll). split; [lra|]. intros Hpos.
      destruct Hll as [Hll|]; [|auto]. pose proof (Hpass' _ _ Hpos Hll). lra. }
    split; [split; [exists k; now left|]|].
    - intros i [Hi|(-> & a & Ha & Hpos)].
      + destruct (HD i Hi) as [Hn Hgo]. split; [lia|]. intros j Hj Hp.
        destruct (Nat.eq_dec j last) as [->|Hne]; [right; split; [reflexivity|now exists i]|].
        left. apply Hgo; [lia|]. unfold Q'.
        pose proof (Hpass _ _ (HQ i last ltac:(lia) (le_n _)) (HQ last j (le_n _) ltac:(lia))). lra.
      + split; [lia|]. intros j Hj Hp. destruct (Nat.eq_dec j last) as [->|Hne].
        * right. split; [reflexivity|now exists a].
        * left. destruct (HD a Ha) as [Hn Hgo]. apply Hgo; [lia|]. unfold Q'.
          pose proof (HQ a j ltac:(lia) ltac:(lia)). pose proof (Hpass' _ _ Hpos Hp). lra.
    - intros i [Hi|(-> & a & Ha & Hpos)]; [now apply Hleak|now apply (Hleak a)]. }
  (* a positive weight of the last state comes from another one *)
  assert (Hcause : support v last -> exists k, support w k /\ 0 < Q k last).
  { unfold support at 1. rewrite Hlast. intros Hpos.
    destruct (positive_term last (fun j => w j * Q j last)) as (k & Hk & Hkpos).
    - intros i Hi. apply Rmult_le_pos; [apply Hw|apply HQ; lia].
    - apply Rmult_lt_reg_r with (/ moves); [lra|]. rewrite Rmult_0_l. exact Hpos.
    - exists k. pose proof (Hw k) as Hwk. pose proof (HQ k last ltac:(lia) (le_n _)) as HQk.
      unfold support. destruct Hwk as [|Ez]; [|rewrite <- Ez in Hkpos; lra].
      destruct HQk as [|Ez]; [auto|rewrite <- Ez in Hkpos; lra]. }
  assert (Hvw_ex : (exists i, support v i) -> exists i, support w i).
  { intros [i Hi]. destruct (proj2 (proj1 (Hvc (ex_intro _ i Hi))) i Hi) as [Hn _].
    destruct (Nat.eq_dec i last) as [->|Hne].
    - destruct (Hcause Hi) as (k & Hk & _). now exists k.
    - exists i. apply Hvw; [lia|exact Hi]. }
  split; [|split].
  - intros [C HC]. destruct H1 as [i Hi]; [eexists; exact (Hdown C HC)|]. exists i. now apply Hwv.
  - intros Hex. specialize (Hvc Hex). specialize (HA (Hvw_ex Hex)). destruct HA as [HAc HAm].
    split; [exact Hvc|]. intros D HD (k & Hk & HkD).
    assert (Hmeet : exists i, support w i /\ (i <= n)%nat /\ D i).
    { destruct Hvc as [[_ Hgo] _], HD as [[_ HD] HDl]. destruct (Hgo k Hk) as [Hkn Hgok].
      destruct (Nat.eq_dec k last) as [->|Hne].
      - destruct (Hnext (HDl last HkD)) as (j & Hj & Hpos). exists j.
        split; [apply Hvw; [exact Hj|apply Hgok; [lia|exact Hpos]]|]. split; [exact Hj|].
        apply (HD last HkD); [lia|exact Hpos].
      - exists k. split; [apply Hvw; [lia|exact Hk]|]. split; [lia|exact HkD]. }
    pose proof (HAm _ (Hdown D HD) Hmeet) as Hsub. intros i Hi.
    destruct Hvc as [[_ Hgo] _]. destruct (Hgo i Hi) as [Hn _].
    destruct (Nat.eq_dec i last) as [->|Hne]; [|apply Hsub, Hvw; [lia|exact Hi]].
    destruct (Hcause Hi) as (a & Ha & Hpos). destruct HD as [[_ HD] _].
    apply (HD a); [now apply Hsub|lia|exact Hpos].
  - intros C [HCc HCm]. destruct (HB (fun i => (i <= n)%nat /\ C i)) as (i & Hi & Hle).
    + split; [now apply Hdown|]. intros D HD (k & [Hkn HkC] & HkD) a [Han HaC].
      destruct (HCm (extend D) (Hup D HD)) with (i := a) as [Ha|[Ha _]]; [|exact HaC|exact Ha|lia].
      exists k. split; [exact HkC|now left].
    + exists i. split; [now apply Hwv|]. intros j Hj. destruct (Nat.eq_dec j last) as [->|Hne].
      * specialize (Hin i Hi). lia.
      * apply Hle. split; [|exact Hj]. destruct HCc as [[_ HC] _]. destruct (HC j Hj). lia.
Qed.

Lemma stationary_weights_lowest n : forall Q leak, leaky_chain n Q leak ->
  finds_lowest n Q leak (stationary_weights n Q leak).
Proof.
  induction n as [|n IH]; intros Q leak Hc.
  - cbn [stationary_weights]. destruct (Req_EM_T (leak 0%nat) 0) as [E|E].
    + assert (Hpt : forall i, support (fun i => point 0 i) i <-> i = 0%nat).
      { intros i. unfold support, point. destruct (Nat.eqb_spec 0 i); split; intros; (lra || congruence). }
      split; [intros _; exists 0%nat; now apply Hpt|]. split.
      * intros _. split; [split; [split|]|].
        -- exists 0%nat. now apply Hpt.
        -- intros i Hi. apply Hpt in Hi. split; [lia|]. intros j Hj _. apply Hpt. lia.
        -- intros i Hi. apply Hpt in Hi. now subst i.
        -- intros D HD (i & Hi & HiD) j Hj. apply Hpt in Hi, Hj. now subst.
      * intros C _. exists 0%nat. split; [now apply Hpt|]. intros. lia.
    + assert (Hno : forall C, ~ closed 0 Q leak C).
      { intros C [[[k Hk] HC] HCl]. destruct (HC k Hk) as [Hk0 _]. apply E.
        replace 0%nat with k by lia. now apply HCl. }
      split; [intros [C HC]; now apply Hno in HC|]. split.
      * intros [i Hi]. unfold support in Hi. lra.
      * intros C [HC _]. now apply Hno in HC.
  - pose proof (stationary_weights_correct (S n) Q leak Hc) as (_ & Hvout & Hvfix & _).
    pose proof (stationary_weights_correct (S n) Q leak Hc) as (Hvpos & _).
    cbn zeta in *. remember (stationary_weights (S n) Q leak) as v eqn:Ev.
    cbn [stationary_weights] in Ev. set (last := S n) in *.
    set (moves := leak last + sum last (Q last)) in *.
    assert (Hlast : 0 <= sum last (Q last)).
    { destruct Hc as (HQ & _). apply sum_nonneg. intros. apply HQ; lia. }
    assert (Hll : 0 <= leak last) by (destruct Hc as (_ & Hl & _); apply Hl; lia).
    destruct (Req_EM_T moves 0) as [Em|Em].
    + pose proof (drop_last_state n Q leak Hc) as Hc'.
      destruct (stationary_weights_correct n Q _ Hc') as (Hw & Hout & _).
      assert (Hstay : forall j, (j <= n)%nat -> Q last j = 0).
      { intros j Hj. destruct Hc as (HQ & _).
        apply (sum_zero_terms last (Q last)); [intros; apply HQ; lia|unfold moves in Em; lra|lia]. }
      destruct (lowest_kept n Q leak _ Hc ltac:(unfold moves in Em; fold last; lra) Hstay Hout (IH _ _ Hc'))
        as [H1 H2].
      fold last in H1, H2. fold last in Hw, Hout.
      set (w := stationary_weights n Q (fun i => leak i + Q i last)) in *.
      destruct (Req_EM_T (sum last w) 0) as [Es|Es]; subst v.
      * apply H2. intros i Hi. unfold support in Hi. destruct (le_lt_dec i n) as [Hin|Hin].
        -- rewrite (sum_zero_terms last w (fun k _ => Hw k) Es i ltac:(lia)) in Hi. lra.
        -- rewrite (Hout i Hin) in Hi. lra.
      * apply H1. destruct (positive_term last w) as (i & _ & Hi); [auto| |now exists i].
        pose proof (sum_nonneg last w (fun k _ => Hw k)). lra.
    + assert (Hm : 0 < moves) by (unfold moves in *; lra).
      pose proof (eliminate_last_state n Q leak Hc Em) as Hc'. fold last moves in Hc'.
      destruct (stationary_weights_correct n _ _ Hc') as (Hw & Hout & _).
      apply (lowest_eliminated n Q leak (stationary_weights n _ _) v Hc Hm Hw Hout).
      * intros i Hi. rewrite Ev. fold last.
        replace (i =? last)%nat with false by (symmetry; apply Nat.eqb_neq; lia). reflexivity.
      * rewrite Ev. fold last. now rewrite Nat.eqb_refl.
      * intros Hex. apply support_closed; auto.
      * now apply IH.
Qed.

(** ** A closed class has only one stationary distribution *)

Section OneClass.
Variables (n : nat) (Q : nat -> nat -> R) (C : nat -> Prop).
Hypothesis HQ : forall i, (i <= n)%nat -> is_distribution (n + 1) (Q i).
Hypothesis HC : closed_class n Q C.

(** Fixed weights inside the class are 0 or positive in the whole class. *)
Lemma positive_in_class u :
  (forall i, (i <= n)%nat -> 0 <= u i) -> (forall i, (i <= n)%nat -> 0 < u i -> C i) ->
  (forall j, (j <= n)%nat -> u j = sum (n + 1) (fun i => u i * Q i j)) ->
  (exists i, (i <= n)%nat /\ 0 < u i) -> forall i, C i -> 0 < u i.
Proof using HQ HC.
  rewrite Nat.add_1_r in *. intros Hu Hin Hfix (k & Hk & Hpos).
  assert (Hset : closed_set n Q (fun i => (i <= n)%nat /\ 0 < u i)).
  { split; [now exists k|]. intros i [Hi Hui]. split; [exact Hi|]. intros j Hj HQj. split; [exact Hj|].
    rewrite (Hfix j Hj). apply Rlt_le_trans with (u i * Q i j); [now apply Rmult_lt_0_compat|].
    apply (sum_term_le (S n) (fun i => u i * Q i j)); [|lia]. intros a Ha.
    apply Rmult_le_pos; [apply Hu; lia|]. apply (HQ a); lia. }
  intros i Hi. apply (proj2 HC _ Hset); [|exact Hi]. exists k. auto.
Qed.

Theorem class_has_one_distribution p q :
  is_distribution (n + 1) p -> is_distribution (n + 1) q ->
  (forall j, (j <= n)%nat -> p j = sum (n + 1) (fun i => p i * Q i j)) ->
  (forall j, (j <= n)%nat -> q j = sum (n + 1) (fun i => q i * Q i j)) ->
  (forall i, (i <= n)%nat -> 0 < p i -> C i) -> (forall i, (i <= n)%nat -> 0 < q i -> C i) ->
  forall i, (i <= n)%nat -> p i = q i.
Proof using HQ HC.
  intros [Hp Ps] [Hq Qs] Hpfix Hqfix HpC HqC.
  (* a state with the smallest quotient p / q *)
  assert (Hmin : forall m, (exists i, (i < m)%nat /\ 0 < q i) -> exists k, (k < m)%nat /\ 0 < q k /\
            forall i, (i < m)%nat -> 0 < q i -> p k * q i <= p i * q k).
  { induction m as [|m IH]; intros (i & Hi & Hqi); [lia|].
    destruct (classic (exists i, (i < m)%nat /\ 0 < q i)) as [Hex|Hno].
    - destruct (IH Hex) as (k & Hk & Hqk & Hle).
      destruct (Rle_lt_dec (p k * q m) (p m * q k)) as [Hm|Hm].
      + exists k. split; [lia|]. split; [exact Hqk|]. intros j Hj Hqj.
        destruct (Nat.eq_dec j m) as [->|]; [exact Hm|]. apply Hle; [lia|exact Hqj].
      + destruct (classic (0 < q m)) as [Hqm|Hqm].
        * exists m. split; [lia|]. split; [exact Hqm|]. intros j Hj Hqj.
          destruct (Nat.eq_dec j m) as [->|]; [lra|]. specialize (Hle j ltac:(lia) Hqj).
          apply Rmult_le_reg_r with (q k); [exact Hqk|]. nra.
        * exists k. split; [lia|]. split; [exact Hqk|]. intros j Hj Hqj.
          destruct (Nat.eq_dec j m) as [->|]; [contradiction|]. apply Hle; [lia|exact Hqj].
    - exists i. split; [exact Hi|]. split; [exact Hqi|]. intros j Hj Hqj.
      assert (Hlast : forall a, (a < S m)%nat -> 0 < q a -> a = m).
      { intros a Ha Hqa. destruct (Nat.eq_dec a m); [assumption|]. exfalso. apply Hno. exists a. split; [lia|auto]. }
      rewrite (Hlast i Hi Hqi), (Hlast j Hj Hqj). lra. }
  destruct (Hmin (n + 1)%nat) as (k & Hk & Hqk & Hle).
  { destruct (positive_term (n + 1) q Hq ltac:(lra)) as (i & Hi & Hqi). now exists i. }
  set (u := fun i => p i * q k - p k * q i).
  assert (Hu : forall i, (i <= n)%nat -> 0 <= u i).
  { intros i Hi. unfold u. destruct (Hq i ltac:(lia)) as [Hqi|Hqi]; [specialize (Hle i ltac:(lia) Hqi); lra|].
    rewrite <- Hqi. pose proof (Hp i ltac:(lia)). nra. }
  assert (Hzero : forall i, (i <= n)%nat -> u i = 0).
  { intros i Hi. destruct (Hu i Hi) as [Hpos|]; [exfalso|auto].
    assert (Huk : 0 < u k); [|unfold u in Huk; lra].
    apply (positive_in_class u Hu); [| |now exists i|apply HqC; [lia|exact Hqk]].
    - intros j Hj Huj. apply HpC; [exact Hj|]. pose proof (Hp j ltac:(lia)). pose proof (Hp k ltac:(lia)).
      pose proof (Hq j ltac:(lia)). unfold u in Huj. destruct (Req_dec (p j) 0) as [E|]; [|lra].
      rewrite E in Huj. nra.
    - intros j Hj. unfold u. rewrite (Hpfix j Hj), (Hqfix j Hj), <- sum_scal_r, <- sum_scal, <- sum_minus.
      apply sum_ext. intros. ring. }
  assert (Hsum : q k - p k = 0).
  { transitivity (sum (n + 1) u).
    - unfold u. rewrite sum_minus, sum_scal_r, sum_scal, Ps, Qs. ring.
    - apply sum_zero. intros i Hi. apply Hzero. lia. }
  intros i Hi. specialize (Hzero i Hi). unfold u in Hzero. replace (p k) with (q k) in Hzero by lra.
  apply Rmult_eq_reg_r with (q k); lra.
Qed.

End OneClass.

(** ** The theorem *)

(** For every stochastic matrix over 0, ..., n, the states to which [stationary] gives mass form a closed class,
    and no closed class has a smaller member than its smallest one. *)
Theorem stationary_on_lowest_class n Q :
  (forall i, (i <= n)%nat -> is_distribution (n + 1) (Q i)) ->
  closed_class n Q (fun i => 0 < stationary n Q i) /\
  forall C, closed_class n Q C -> exists i, 0 < stationary n Q i /\ forall j, C j -> (i <= j)%nat.
Proof.
  rewrite Nat.add_1_r. intros HQ.
  assert (Hc : leaky_chain n Q (fun _ => 0)).
  { repeat split.
    - intros i j Hi Hj. apply (HQ i Hi). lia.
    - intros. lra.
    - intros i Hi. destruct (HQ i Hi) as [_ ->]. ring. }
  destruct (stationary_weights_correct n Q _ Hc) as (Hw & Hout & _ & Hpos).
  specialize (Hpos (fun _ _ => eq_refl)).
  destruct (stationary_weights_lowest n Q _ Hc) as (_ & HA & HB).
  assert (Hno : forall C, closed n Q (fun _ => 0) C <-> closed_set n Q C).
  { intros C. split; [now intros [H _]|]. intros H. now split. }
  assert (Hs : forall i, 0 < stationary n Q i <-> support (stationary_weights n Q (fun _ => 0)) i).
  { intros i. unfold stationary, support. rewrite Nat.add_1_r. pose proof (Rinv_0_lt_compat _ Hpos).
    split; intros H0.
    - destruct (Hw i) as [|E]; [assumption|]. rewrite <- E in H0. unfold Rdiv in H0. lra.
    - now apply Rmult_lt_0_compat. }
  destruct HA as [HAc HAm].
  { destruct (positive_term (S n) _ (fun k _ => Hw k) Hpos) as (i & _ & Hi). now exists i. }
  apply (proj1 (Hno _)) in HAc. split; [split; [split|]|].
  - destruct HAc as [[i Hi] _]. exists i. now apply Hs.
  - intros i Hi. apply Hs in Hi. destruct HAc as [_ Hgo]. destruct (Hgo i Hi) as [Hn Hj].
    split; [exact Hn|]. intros j Hjn Hp. apply Hs. now apply Hj.
  - intros D HD (k & Hk & HkD) i Hi. apply (HAm D); [now apply (proj2 (Hno _))| |now apply Hs].
    exists k. split; [now apply Hs|exact HkD].
  - intros C [HCc HCm]. destruct (HB C) as (i & Hi & Hle).
    + split; [now apply (proj2 (Hno _))|]. intros D HD. apply HCm. now apply (proj1 (Hno _)).
    + exists i. split; [now apply Hs|exact Hle].
Qed.

(** The mixture of every round of Algorithm 1 is the stationary distribution on the closed class with the
    smallest member, for the matrix whose rows are the rounded points of the learners. *)
Theorem algorithm1_on_lowest_class K y t : (2 <= K)%nat ->
  let Q i := rround K (ewoo (mass_of_ones (algorithm1 K y) y t i) (mass (algorithm1 K y) t i)) in
  closed_class K Q (fun i => 0 < algorithm1 K y t i) /\
  forall C, closed_class K Q C -> exists i, 0 < algorithm1 K y t i /\ forall j, C j -> (i <= j)%nat.
Proof.
  intros HK Q.
  assert (E : Q = fun i => rround K (ewoo (fst (received K y t) i) (snd (received K y t) i))).
  { apply FunctionalExtensionality.functional_extensionality. intros i. unfold Q.
    now destruct (received_is_mass K y t i) as [-> ->]. }
  rewrite E. apply stationary_on_lowest_class. intros i _. now apply rround_is_distribution.
Qed.
