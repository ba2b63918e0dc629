(** * Companions of the main theorems: suprema inside the mean, Corollary 3 for swap regret, instances.

    - Corollary 1 and Theorem F with Msr itself, the supremum over losses and swap functions, as a function of
      the history. (The theorems themselves let both be chosen after the play.)
    - Corollary 3 for Msr over L_G: Cal_2 of [Theorem3] is that of [LossDefinitions], and Proposition 3 applies.
    - The Blum-Mansour step with its suprema.
    - Proposition 1 for one swap function and the log loss.
    - The hypotheses of Proposition 2 are met by the squared loss, with c = 1/2.
    - Msr exists as a function of the history, also for games given by sequences.
    - The weights of the doubling forecaster add up to 1. *)

From Coq Require Import Reals List Arith Lia Lra Psatz Bool.
From KLCal Require Import Definitions Bounds Basics Histories Lemma5 Theorem2 Realised Rate Doubling Learners.
From KLCal Require Import LossDefinitions LossBasics Curvature Proposition1 Proposition2 Proposition3.
From KLCal Require Import Cal1 Corollary2 Corollary1 Ville Theorem3 Corollary3.
From KLCal Require PseudoBelowExpected TreeDefinitions TreeBasics TreeMartingale TreeKL TreeRate TreeSwap.
Import ListNotations.
Open Scope R_scope.

(** ** Msr and SReg as functions of the history *)

(** "v is Msr over a class of losses in the game h", and "v is SReg". *)
Definition is_Msr (class : loss_function -> Prop) (z : nat -> R) (h : history) (v : R) : Prop :=
  is_max_swap_regret class z (draw_of h) (outcome_of h) (length h) v.

Definition is_SReg (l : loss_function) (z : nat -> R) (h : history) (v : R) : Prop :=
  is_swap_regret l z (draw_of h) (outcome_of h) (length h) v.

Lemma SReg_below l z h v b :
  is_SReg l z h v -> (forall s, swap_function s -> swap_regret l s z h <= b) -> v <= b.
Proof.
  intros [_ H] Hb. apply H. intros x (s & Hs & ->). rewrite <- swap_regret_as_sum. now apply Hb.
Qed.

Lemma Msr_below class z h v b :
  is_Msr class z h v -> (forall l s, class l -> swap_function s -> swap_regret l s z h <= b) -> v <= b.
Proof.
  intros [_ H] Hb. apply H. intros x (l & Hl & Hx). apply (SReg_below l z h x b Hx). auto.
Qed.

(** A proper loss is at least its value at the forecast that is the outcome. So its swap regrets are bounded. *)
Lemma loss_ge_certain l q y : proper l -> in_unit q -> l (outcome y) y <= l q y.
Proof.
  intros Hl Hq. pose proof (Hl (outcome y) q (outcome_in_unit y) Hq) as H. unfold mean_loss in H.
  destruct y; cbn [outcome] in *; lra.
Qed.

Section Existence.
Variable z : nat -> R.
Hypothesis Hz : forall i, in_unit (z i).

Lemma swap_regrets_bounded l h : proper l -> exists b, forall s, swap_function s -> swap_regret l s z h <= b.
Proof using Hz.
  intros Hl. induction h as [|[i y] h [b IH]]; [exists 0; intros; cbn; lra|].
  exists (b + (l (z i) y - l (outcome y) y)). intros s Hs. cbn [TreeDefinitions.swap_regret].
  pose proof (IH s Hs). pose proof (loss_ge_certain l _ y Hl (Hs _ (Hz i))). lra.
Qed.

Lemma SReg_exists l : proper l -> exists M, forall h, is_SReg l z h (M h).
Proof using Hz.
  intros Hl.
  assert (H : forall h, {v | is_SReg l z h v}).
  { intros h. apply completeness.
    - destruct (swap_regrets_bounded l h Hl) as [b Hb]. exists b. intros x (s & Hs & ->).
      rewrite <- swap_regret_as_sum. now apply Hb.
    - eexists. exists (fun p => p). now split; [intros p Hp|]. }
  exists (fun h => proj1_sig (H h)). intros h. apply (proj2_sig (H h)).
Qed.

Lemma Msr_exists (class : loss_function -> Prop) :
  (forall l, class l -> class_L l) -> (exists l, class l) -> exists M, forall h, is_Msr class z h (M h).
Proof using Hz.
  intros Hclass [l0 Hl0].
  assert (H : forall h, {v | is_Msr class z h v}).
  { intros h. apply completeness.
    - exists (2 * INR (length h)). intros x (l & Hl & Hx). apply (SReg_below l z h x _ Hx).
      intros s Hs. apply Hclass in Hl. clear Hx. induction h as [|[i y] h IH]; [cbn; lra|].
      cbn [TreeDefinitions.swap_regret length]. rewrite S_INR. destruct Hl as [_ Hb].
      pose proof (Hb (z i) y (Hz i)). pose proof (Hb (s (z i)) y (Hs _ (Hz i))). lra.
    - destruct (SReg_exists l0 (proj1 (Hclass l0 Hl0))) as [M HM]. exists (M h), l0. split; [exact Hl0|apply HM]. }
  exists (fun h => proj1_sig (H h)). intros h. apply (proj2_sig (H h)).
Qed.

End Existence.

(** The same for games given by sequences: M is a function of the history, as the lower bounds for Msr over L_2
    ask for ([FairCoin.max_over_L2_fair_coin], [SmoothLosses.max_over_L2_lower_bound]). *)
Theorem Msr_of_games n z (class : loss_function -> Prop) :
  (forall i, (i < n)%nat -> in_unit (z i)) -> (forall l, class l -> class_L l) -> (exists l, class l) ->
  exists M, forall I y T, (forall t, (t < T)%nat -> (I t < n)%nat) ->
    is_max_swap_regret class z I y T (M (rounds I y T)).
Proof.
  intros Hz Hclass Hex. set (z' := fun i => if (i <? n)%nat then z i else 0).
  destruct (Msr_exists z') with (class := class) as [M HM]; auto.
  { intros i. unfold z'. destruct (Nat.ltb_spec i n); [now apply Hz|unfold in_unit; lra]. }
  assert (Hext : forall E E' v, (forall x, E x <-> E' x) -> is_lub E v -> is_lub E' v).
  { intros E E' v H [H1 H2]. split; [intros x Hx; now apply H1, H|]. intros b Hb. apply H2. intros x Hx.
    now apply Hb, H. }
  exists M. intros I y T HI. set (h := rounds I y T).
  assert (Hsame : forall l s, swap_regret_of l z' (draw_of h) (outcome_of h) (length h) s
                              = swap_regret_of l z I y T s).
  { intros l s. rewrite <- swap_regret_as_sum. unfold h. rewrite PseudoBelowExpected.swap_regret_rounds.
    apply sum_ext. intros t Ht. unfold z'. specialize (HI t Ht). apply Nat.ltb_lt in HI. now rewrite HI. }
  refine (Hext _ _ _ _ (HM h)). intros x. split; intros (l & Hl & Hx); exists l; (split; [exact Hl|]);
    refine (Hext _ _ _ _ Hx); intros v; split; intros (s & Hs & ->); exists s; split; auto.
Qed.

(** ** Corollary 1 with its suprema *)

Lemma grid_unit K i : (2 <= K)%nat -> in_unit (grid K i).
Proof. intros HK. pose proof (grid_bounds K HK i). unfold in_unit. lra. Qed.

(** Corollary 1, as repaired, with the suprema inside the means. Let T >= 2, K = max(2, ceiling of
    (T/ln T)^(1/3)), and let the adversary be any adaptive one. For Algorithm 1 with realised feedback
    (1) E[KLCal] <= 3.7 T^(1/3) (ln T)^(2/3);
    (2) E[Msr over L_G] <= 0.925 G T^(1/3) (ln T)^(2/3), for every G >= 0;
    (3) E[SReg] <= 3.7 c T^(1/3) (ln T)^(2/3) for every proper loss with p (1 - p) |f''(p)| <= c;
    (4) E[Msr over L] <= 5.5 T^(2/3) (ln T)^(1/3).
    Msr and SReg exist as functions M of the history, and they are unique. *)
Theorem corollary1_suprema : forall T A, (2 <= T)%nat -> proper_adversary A ->
  let K := resolution T in
  let mean := fun f => expect (realised K) A T f [] in
  mean (KLCal (K + 1) (grid K)) <= 3.7 * rate (INR T)
  /\ (forall G, 0 <= G -> exists M,
        (forall h, is_Msr (class_LG G) (grid K) h (M h)) /\ mean M <= 0.925 * G * rate (INR T))
  /\ (forall l f' f'' c, proper l -> derivative_inside (form l) f' -> derivative_inside f' f'' ->
        0 <= c -> growth f'' c -> exists M,
        (forall h, is_SReg l (grid K) h (M h)) /\ mean M <= 3.7 * c * rate (INR T))
  /\ (exists M, (forall h, is_Msr class_L (grid K) h (M h)) /\ mean M <= 5.5 * slow_rate (INR T)).
Proof.
  intros T A HT HA K mean. pose proof (resolution_ge_2 T) as HK. fold K in HK.
  pose proof (grid_different K HK) as Hz. pose proof (fun i => grid_unit K i HK) as Hu.
  assert (Hin : forall i, (i < K + 1)%nat -> inside (grid K i)) by (intros; now apply grid_bounds).
  split; [now apply realised_feedback_rate|]. repeat apply conj.
  - intros G HG. destruct (Msr_exists (grid K) Hu (class_LG G)) as [M HM].
    { now intros l [Hl _]. }
    { exists (quadratic_loss 0). apply quadratic_LG; lra. }
    exists M. split; [exact HM|].
    eapply Rle_trans; [apply (mean_of_multiple T A HT HA M (G / 4)); [lra|]|lra].
    intros h Hw _. apply (Msr_below _ _ _ _ _ (HM h)). intros l s Hl Hs. now apply smooth_regret.
  - intros l f' f'' c Hl Hf' Hf'' Hc Hgrowth. destruct (SReg_exists (grid K) Hu l Hl) as [M HM].
    exists M. split; [exact HM|]. apply (mean_of_multiple T A HT HA M c Hc).
    intros h Hw _. apply (SReg_below _ _ _ _ _ (HM h)). intros s Hs. apply regret_by_KLCal; auto.
    now apply (proposition2 l f' f'' c Hl Hf' Hf'').
  - destruct (Msr_exists (grid K) Hu class_L) as [M HM]; [auto| |].
    { exists (quadratic_loss 0). apply (quadratic_LG 0 0); lra. }
    exists M. split; [exact HM|]. apply (mean_of_root T A HT HA).
    intros h Hw <-. apply (Msr_below _ _ _ _ _ (HM h)). intros l s Hl Hs. now apply bounded_regret.
Qed.

(** ** Theorem F with its supremum *)

(** For every adaptive adversary and every T >= 2 the tree has E[Msr over L] at most
    90 sqrt(T / ln T) (ln T + ln 2), where Msr over L is a function M of the history. *)
Theorem tree_Msr_expectation A T : proper_adversary A -> (2 <= T)%nat ->
  exists M, (forall h, is_Msr class_L TreeDefinitions.midpoint h (M h))
    /\ expect TreeDefinitions.tree A T M [] <= 90 * sqrt (INR T / ln (INR T)) * (ln (INR T) + ln 2).
Proof.
  intros HA HT. destruct (Msr_exists TreeDefinitions.midpoint) with (class := class_L) as [M HM].
  - intros i. pose proof (TreeBasics.midpoint_in i). unfold in_unit. lra.
  - auto.
  - exists (quadratic_loss 0). apply (quadratic_LG 0 0); lra.
  - exists M. split; [exact HM|]. apply TreeSwap.tree_mean; try assumption. intros delta h Hd Hw HT2.
    apply (Msr_below _ _ _ _ _ (HM h)). intros l s Hl Hs. now apply TreeSwap.swap_bounded.
Qed.

Lemma tree_within h : TreeMartingale.played h = true -> within (2 ^ length h) h.
Proof.
  induction h as [|[j b] h IH]; intros Hh; [constructor|]. constructor; cbn [length].
  - now apply (TreeMartingale.played_lt_pow2 _ (S (length h)) Hh (le_n _) j b h).
  - apply TreeMartingale.played_step in Hh. apply (Forall_impl _ (P := fun r => (fst r < 2 ^ length h)%nat)).
    + intros r Hr. cbn [Nat.pow]. lia.
    + now apply IH.
Qed.

(** With probability at least 1 - delta, at all times t with 2 <= t <= T at once, Msr over L of the tree is at
    most 90 sqrt(t / ln t) ln(t / delta), which for delta >= 1/t is at most 180 sqrt(t ln t). *)
Theorem tree_Msr A T delta : proper_adversary A -> 0 < delta <= 1 ->
  TreeDefinitions.holds_with_probability TreeDefinitions.tree A T (1 - delta)
    (TreeDefinitions.at_all_times (fun h => (2 <= length h)%nat ->
       exists v, is_Msr class_L TreeDefinitions.midpoint h v
         /\ v <= 90 * TreeDefinitions.swap_rate (INR (length h)) delta
         /\ (/ INR (length h) <= delta -> v <= 180 * sqrt (INR (length h) * ln (INR (length h)))))).
Proof.
  intros HA Hd. destruct (Msr_exists TreeDefinitions.midpoint) with (class := class_L) as [M HM].
  - intros i. pose proof (TreeBasics.midpoint_in i). unfold in_unit. lra.
  - auto.
  - exists (quadratic_loss 0). apply (quadratic_LG 0 0); lra.
  - destruct (TreeSwap.tree_swap A T delta HA Hd) as (event & Hp & Hevent).
    exists event. split; [exact Hp|]. intros h Hh. specialize (Hevent h Hh). clear Hh Hp.
    assert (Hone : forall k, ((2 <= length k)%nat -> forall l s, class_L l -> swap_function s ->
       swap_regret l s TreeDefinitions.midpoint k <= 90 * TreeDefinitions.swap_rate (INR (length k)) delta) ->
       (2 <= length k)%nat -> exists v, is_Msr class_L TreeDefinitions.midpoint k v
         /\ v <= 90 * TreeDefinitions.swap_rate (INR (length k)) delta
         /\ (/ INR (length k) <= delta -> v <= 180 * sqrt (INR (length k) * ln (INR (length k))))).
    { intros k Hk H2. exists (M k). pose proof (Msr_below _ _ _ _ _ (HM k) (Hk H2)) as Hle.
      split; [apply HM|]. split; [exact Hle|]. intros Hinv. apply le_INR in H2. cbn in H2.
      pose proof (TreeSwap.swap_rate_le (INR (length k)) delta ltac:(lra) Hinv). lra. }
    induction h as [|r h IH]; cbn [TreeDefinitions.at_all_times] in *; [now apply Hone|].
    destruct Hevent as [Hnow Hpast]. split; [now apply Hone|now apply IH].
Qed.

(** The four bounds of the paper's Corollaries 1 and 2 for the tree, on one event. With R the
    bound of Theorem E, with probability at least 1 - delta, for all t with 2 <= t <= T at
    once, KLCal <= R, Msr over L_G <= G/4 R for all G >= 0, SReg <= c R for all proper losses with
    p (1 - p) |f''(p)| <= c, and Msr over L <= 90 sqrt(t / ln t) ln(t / delta). *)
Theorem tree_all_four A T delta : proper_adversary A -> 0 < delta <= 1 ->
  TreeDefinitions.holds_with_probability TreeDefinitions.tree A T (1 - delta)
    (TreeDefinitions.at_all_times (fun h => (2 <= length h)%nat ->
       let R := tree_bound (length h) delta in
       TreeDefinitions.tree_KLCal h <= R
       /\ (forall G, 0 <= G -> exists v, is_Msr (class_LG G) TreeDefinitions.midpoint h v /\ v <= G / 4 * R)
       /\ (forall l f' f'' c, proper l -> derivative_inside (form l) f' -> derivative_inside f' f'' ->
             0 <= c -> growth f'' c ->
             exists v, is_SReg l TreeDefinitions.midpoint h v /\ v <= c * R)
       /\ (exists v, is_Msr class_L TreeDefinitions.midpoint h v
             /\ v <= 90 * TreeDefinitions.swap_rate (INR (length h)) delta))).
Proof.
  intros HA Hd. exists (always (TreeMartingale.wealth_bounded delta)).
  split; [apply TreeMartingale.tree_wealth_bounded; [exact HA|lra]|].
  apply TreeKL.always_at_all_times. intros h Hw HT R.
  pose proof (TreeMartingale.wealth_bounded_played _ _ Hw) as Hh.
  assert (HR : TreeDefinitions.tree_KLCal h <= R).
  { pose proof (TreeKL.tree_KLCal_bounded delta h ltac:(lra) Hw).
    pose proof (TreeRate.cost_le_rate h Hh HT). unfold R, tree_bound. lra. }
  assert (Hu : forall i, in_unit (TreeDefinitions.midpoint i)).
  { intros i. pose proof (TreeBasics.midpoint_in i). unfold in_unit. lra. }
  assert (Hin : forall i, (i < 2 ^ length h)%nat -> inside (TreeDefinitions.midpoint i))
    by (intros i _; apply TreeBasics.midpoint_in).
  pose proof (tree_within h Hh) as Hwithin.
  split; [exact HR|]. repeat apply conj.
  - intros G HG. destruct (Msr_exists _ Hu (class_LG G)) as [M HM].
    { now intros l [Hl _]. }
    { exists (quadratic_loss 0). apply quadratic_LG; lra. }
    exists (M h). split; [apply HM|]. apply (Msr_below _ _ _ _ _ (HM h)). intros l s Hl Hs.
    pose proof (smooth_regret _ _ h Hin Hwithin l s G HG Hl Hs) as H. fold (TreeDefinitions.tree_KLCal h) in H.
    apply Rle_trans with (1 := H). apply Rmult_le_compat_l; lra.
  - intros l f' f'' c Hl Hf' Hf'' Hc Hgrowth. destruct (SReg_exists _ Hu l Hl) as [M HM].
    exists (M h). split; [apply HM|]. apply (SReg_below _ _ _ _ _ (HM h)). intros s Hs.
    pose proof (regret_by_KLCal _ _ h Hin Hwithin l s c Hl Hs) as H. fold (TreeDefinitions.tree_KLCal h) in H.
    apply Rle_trans with (c * TreeDefinitions.tree_KLCal h); [|now apply Rmult_le_compat_l].
    apply H. now apply (proposition2 l f' f'' c Hl Hf' Hf'').
  - destruct (Msr_exists _ Hu class_L) as [M HM]; [auto| |].
    { exists (quadratic_loss 0). apply (quadratic_LG 0 0); lra. }
    exists (M h). split; [apply HM|]. apply (Msr_below _ _ _ _ _ (HM h)). intros l s Hl Hs.
    now apply TreeSwap.swap_bounded.
Qed.

(** ** Corollary 3 for swap regret *)

(** The two definitions of Cal_2 agree: of the drawn forecasts of a history, and of the game with weights 0 and
    1. *)
Lemma realised_Cal2_is_Cal2 n z h :
  realised_Cal2 n z h = Cal2 n z (drawn (draw_of h)) (outcome_of h) (length h).
Proof.
  apply sum_ext. intros i _. unfold frequency.
  now rewrite (mass_counts _ (outcome_of h)), ones_count, history_as_sequence.
Qed.

Lemma Msr_below_Cal2 n z h b : different n z -> (forall i, (i < n)%nat -> inside (z i)) -> within n h ->
  realised_Cal2 n z h <= b ->
  forall G, 0 <= G -> exists v, is_Msr (class_LG G) z h v /\ v <= G / 2 * b.
Proof.
  intros Hz Hin Hw Hb G HG. destruct (proposition3 G HG) as (_ & _ & H).
  destruct (proj2 (H n z (outcome_of h) (length h) Hz Hin) (draw_of h) (draws_within n h Hw))
    as [(v & Hv & Hle & _) _].
  exists v. split; [exact Hv|]. rewrite <- realised_Cal2_is_Cal2 in Hle.
  apply Rle_trans with (1 := Hle). apply Rmult_le_compat_l; lra.
Qed.

(** The draws of a forecaster with n points are below n, so this may be added to every event. *)
Definition draws_below (n : nat) (h : history) : bool := forallb (fun r => (fst r <? n)%nat) h.

Lemma draws_below_within n h : draws_below n h = true -> within n h.
Proof.
  unfold draws_below. rewrite forallb_forall. intros H. apply Forall_forall. intros r Hr. now apply Nat.ltb_lt, H.
Qed.

Lemma add_draws_below F A T n E : proper_forecaster F -> proper_adversary A -> (forall h, choices F h = n) ->
  probability F A T E <= probability F A T (fun h => E h && draws_below n h)%bool.
Proof.
  intros HF HA Hn. apply (expect_le_possible F A HF HA (fun h => draws_below n h = true)); [|reflexivity|].
  - intros h i y Hh Hi _. unfold draws_below. cbn [forallb fst]. rewrite Hn in Hi.
    apply Nat.ltb_lt in Hi. now rewrite Hi.
  - intros h Hh _. unfold indicator. rewrite Hh, andb_true_r. lra.
Qed.

(** Corollary 3 for swap regret. For every sequence of outcomes fixed in advance, with probability at least
    1 - delta over the draws, after T rounds Algorithm 1 has, for all G >= 0 at once, Msr over L_G at most G/2 times
    the bound of Corollary 3. *)
Theorem corollary3_Msr K y T delta : (2 <= K)%nat -> 0 < delta <= 1 ->
  TreeDefinitions.holds_with_probability (algorithm1_draws K) (oblivious y) T (1 - delta) (fun h =>
    forall G, 0 <= G -> exists v, is_Msr (class_LG G) (grid K) h v /\ v <= G / 2 *
      (3 / 2 * theorem2_bound K T + known_masses_cost (K + 1) delta)).
Proof.
  intros HK Hd. eexists. split.
  - eapply Rle_trans; [now apply (corollary3 K y T delta)|].
    apply (add_draws_below _ _ T (K + 1));
      [now apply algorithm1_draws_proper|apply oblivious_proper|reflexivity].
  - intros h. cbv beta. rewrite andb_true_iff, at_most_true. intros [Hb Hw].
    apply (Msr_below_Cal2 (K + 1)); [now apply grid_different| |now apply draws_below_within|exact Hb].
    intros i _. now apply grid_bounds.
Qed.

(** Against every adaptive adversary, with probability at least 1 - delta, after all rounds t <= T and for all
    G >= 0 at once, Algorithm 1 has Msr over L_G at most G/2 times the bound of Corollary 3, for every J with
    T <= 4^J. *)
Theorem corollary3_Msr_adaptive K A T J delta :
  (2 <= K)%nat -> proper_adversary A -> INR T <= 4 ^ J -> 0 < delta <= 1 ->
  TreeDefinitions.holds_with_probability (algorithm1_draws K) A T (1 - delta)
    (TreeDefinitions.at_all_times (fun h =>
      forall G, 0 <= G -> exists v, is_Msr (class_LG G) (grid K) h v /\ v <= G / 2 *
        (3 / 2 * theorem2_bound K (length h) + any_masses_cost (K + 1) J delta))).
Proof.
  intros HK HA HTJ Hd. eexists. split.
  - eapply Rle_trans; [now apply (corollary3_adaptive K A T J delta)|].
    apply (add_draws_below _ _ T (K + 1)); [now apply algorithm1_draws_proper|assumption|reflexivity].
  - cbv beta. intros h. rewrite andb_true_iff. intros [Hb Hw].
    assert (Hone : forall k, draws_below (K + 1) k = true -> forall b, realised_Cal2 (K + 1) (grid K) k <= b ->
      forall G, 0 <= G -> exists v, is_Msr (class_LG G) (grid K) k v /\ v <= G / 2 * b).
    { intros k Hk b Hle. apply (Msr_below_Cal2 (K + 1)); [now apply grid_different| |
        now apply draws_below_within|exact Hle]. intros i _. now apply grid_bounds. }
    induction h as [|r h IH]; cbn [always TreeDefinitions.at_all_times] in *.
    + apply Hone; [exact Hw|]. now apply at_most_true in Hb.
    + apply andb_true_iff in Hb. destruct Hb as [Hnow Hpast].
      split; [apply Hone; [exact Hw|now apply at_most_true in Hnow]|]. apply IH; [exact Hpast|].
      unfold draws_below in *. cbn [forallb] in Hw. now apply andb_true_iff in Hw.
Qed.

(** ** The Blum-Mansour step with its suprema *)

(** Let the mixture of every round be stationary for the moves Q t, and let swap functions take their values in
    any set C of forecasts, for example the points themselves, or [0, 1], or (0, 1). If Reg i is the regret of
    learner i, which plays row i of Q t with weight P t i, against the best constant in C (a supremum), then
    the pseudo swap regret, the supremum over all swap functions into C, is the sum of the Reg i. *)
Theorem blum_mansour_suprema (l : loss_function) n z P (Q : nat -> nat -> nat -> R) y T
    (C : R -> Prop) (Reg : nat -> R) :
  different n z -> (forall t j, (j < n)%nat -> P t j = sum n (fun i => P t i * Q t i j)) ->
  (forall i, (i < n)%nat -> is_lub (fun x => exists q, C q /\
     x = sum T (fun t => P t i * sum n (fun j => Q t i j * l (z j) (y t))) - sum T (fun t => P t i * l q (y t)))
     (Reg i)) ->
  is_lub (fun x => exists s, (forall i, (i < n)%nat -> C (s (z i))) /\ x = pseudo_swap_regret_of l n z P y T s)
    (sum n Reg).
Proof.
  intros Hz HQ HReg. set (val := fun i q => sum T (fun t => P t i * sum n (fun j => Q t i j * l (z j) (y t)))
                                           - sum T (fun t => P t i * l q (y t))) in *.
  assert (Hval : forall s, pseudo_swap_regret_of l n z P y T s = sum n (fun i => val i (s (z i))))
    by (intros s; now apply sum_of_regrets).
  split.
  - intros x (s & Hs & ->). rewrite Hval. apply sum_le. intros i Hi.
    apply (HReg i Hi). exists (s (z i)). split; [now apply Hs|reflexivity].
  - intros b Hb. apply Rnot_lt_le. intros Hlt.
    set (e := (sum n Reg - b) / (INR n + 1)). pose proof (pos_INR n) as Hn.
    assert (He : 0 < e) by (apply Rdiv_lt_0_compat; lra).
    (* almost best constants, one for each learner *)
    assert (Hr : forall m, (m <= n)%nat -> exists r : nat -> R,
              forall i, (i < m)%nat -> C (r i) /\ Reg i - e < val i (r i)).
    { induction m as [|m IH]; intros Hm; [exists (fun _ => 0); lia|].
      destruct (IH ltac:(lia)) as [r Hr].
      assert (Hq : exists q, C q /\ Reg m - e < val m q).
      { apply Classical_Prop.NNPP. intros Hno. destruct (HReg m ltac:(lia)) as [_ Hleast].
        assert (Reg m <= Reg m - e); [|lra]. apply Hleast. intros x (q & Hq & ->).
        apply Rnot_lt_le. intros Hbig. apply Hno. now exists q. }
      destruct Hq as [q Hq]. exists (fun i => if (i =? m)%nat then q else r i). intros i Hi.
      destruct (Nat.eqb_spec i m) as [->|Hne]; [exact Hq|]. apply Hr. lia. }
    destruct (Hr n (le_n n)) as [r Hr'].
    assert (Hle : sum n (fun i => Reg i - e) <= pseudo_swap_regret_of l n z P y T (reply n z r)).
    { rewrite Hval. apply sum_le. intros i Hi. rewrite reply_at_point by assumption. now apply Rlt_le, Hr'. }
    assert (Hbound : pseudo_swap_regret_of l n z P y T (reply n z r) <= b).
    { apply Hb. exists (reply n z r). split; [|reflexivity]. intros i Hi. rewrite reply_at_point by assumption.
      now apply Hr'. }
    rewrite sum_minus, sum_const in Hle.
    assert (E : e * (INR n + 1) = sum n Reg - b) by (unfold e; field; lra). lra.
Qed.

(** ** Proposition 1 for the log loss and one swap function *)

(** Forecasts in (0, 1), before and after the swap. *)
Theorem log_loss_swap_identity : forall n z P y T s, weights n P ->
  (forall i, (i < n)%nat -> inside (z i)) -> (forall i, (i < n)%nat -> inside (s (z i))) ->
  pseudo_swap_regret_of loss n z P y T s
  = sum n (fun i => mass P T i * (KL (frequency P y T i) (z i) - KL (frequency P y T i) (s (z i)))).
Proof.
  intros n z P y T s HP Hz Hs. unfold pseudo_swap_regret_of. apply sum_ext. intros i Hi.
  rewrite (sum_ext T _ (fun t => P t i * loss (z i) (y t) - P t i * loss (s (z i)) (y t))) by (intros; ring).
  pose proof (frequency_in_unit n T P y HP i Hi) as Hf.
  rewrite sum_minus, !(loss_in_cell n T P y HP) by assumption.
  rewrite !KL_is_excess_log_loss by auto. ring.
Qed.

(** ** An instance of Proposition 2 *)

(** The squared loss satisfies all hypotheses of Proposition 2, Corollary 1 (3) and Corollary 2 (3), with c =
    1/2, and c = 1/2 is the least constant for it. *)
Theorem squared_loss_growth :
  proper squared_loss /\ derivative_inside (form squared_loss) (fun p => 1 - 2 * p)
  /\ derivative_inside (fun p => 1 - 2 * p) (fun _ => - 2)
  /\ forall c, growth (fun _ => - 2) c <-> 1 / 2 <= c.
Proof.
  split; [exact squared_loss_proper|]. split; [|split].
  - intros p _. apply (derivable_pt_lim_ext (fun x => x - x * x)); [intros; rewrite squared_loss_form; ring|].
    replace (1 - 2 * p) with (1 - (1 * p + p * 1)) by ring.
    apply (derivable_pt_lim_minus (fun x => x) (fun x => x * x)); [apply derivable_pt_lim_id|].
    apply (derivable_pt_lim_mult (fun x => x) (fun x => x)); apply derivable_pt_lim_id.
  - intros p _. replace (- 2) with (0 - 2) by ring.
    apply (derivable_pt_lim_minus (fun _ => 1) (fun x => 2 * x)); [apply derivable_pt_lim_const|].
    apply derivative_linear.
  - intros c. unfold growth. rewrite Rabs_left by lra. replace (- - 2) with 2 by ring. split; intros H.
    + specialize (H (1 / 2) ltac:(unfold inside; lra)). lra.
    + intros p Hp. unfold inside in Hp. pose proof (pow2_ge_0 (p - 1 / 2)). nra.
Qed.

(** ** The doubling forecaster *)

(** Its weights in every round are not negative, and they add up to 1: over every finite set of numbers that
    contains the points of the grid of the round's epoch, and every other number has weight 0. *)
Theorem doubling_is_distribution y t :
  let K := cells_of_epoch (epoch t) in
  (forall x, 0 <= doubling y t x)
  /\ (forall x, ~ In x (map (grid K) (seq 0 (K + 1))) -> doubling y t x = 0)
  /\ forall Z, NoDup Z -> (forall i, (i < K + 1)%nat -> In (grid K i) Z) ->
       fold_right Rplus 0 (map (doubling y t) Z) = 1.
Proof.
  intros K. pose proof (cells_of_epoch_ge_2 (epoch t)) as HK. fold K in HK.
  unfold doubling. fold K. set (p := algorithm1 K _ _).
  assert (Hp : is_distribution (K + 1) p) by now apply stationary_round_correct.
  destruct Hp as [Hp Hs]. split; [|split].
  - intros x. apply sum_nonneg. intros i Hi. destruct (Req_EM_T _ _); [now apply Hp|lra].
  - intros x Hx. apply sum_zero. intros i Hi. destruct (Req_EM_T _ _) as [<-|]; [|reflexivity].
    exfalso. apply Hx, in_map, in_seq. lia.
  - intros Z HZ Hall. fold (total Z (by_value K p)). unfold by_value.
    rewrite total_sum, <- Hs. apply sum_ext. intros i Hi. specialize (Hall i Hi).
    assert (H0 : forall Z', ~ In (grid K i) Z' -> total Z' (fun x => if Req_EM_T (grid K i) x then p i else 0) = 0).
    { induction Z' as [|x Z' IH]; intros Hnot; [reflexivity|]. cbn. unfold total in IH.
      destruct (Req_EM_T (grid K i) x) as [<-|_]; [exfalso; apply Hnot; now left|].
      rewrite IH; [ring|]. intros H. apply Hnot. now right. }
    induction HZ as [|x Z' Hx HZ IH]; [destruct Hall|]. cbn. unfold total in *.
    destruct (Req_EM_T (grid K i) x) as [<-|Hne].
    + rewrite H0 by exact Hx. ring.
    + rewrite IH; [ring|]. destruct Hall as [E|H]; [now symmetry in E|exact H].
Qed.
