(** * The product of 2 (1 - cos (pi i/K)) over 0 < i < K is K, and so is that of 2 (1 + cos (pi i/K))

    sin (K t) = U(cos t) sin t for the Chebyshev polynomial U of degree K - 1, whose leading coefficient is
    2^(K-1). So U has the roots cos (pi i/K), and U(1) = K, U(-1) = (-1)^(K-1) K. In logarithms: the sum of
    ln (1/z) over the inner points z = sin^2(pi i/2K) of the grid is (K - 1) ln 4 - ln K, and likewise for
    1 - z. *)

From Coq Require Import Reals Lra Lia.
From KLCal Require Import Definitions Basics Numbers CellToPoint.
Open Scope R_scope.

(** ** Polynomials, as functions: degree at most d, and c the coefficient of x^d *)

Fixpoint polynomial (d : nat) (c : R) (f : R -> R) : Prop :=
  match d with
  | O => forall x, f x = c
  | S d' => exists a g, polynomial d' c g /\ forall x, f x = a + x * g x
  end.

Lemma polynomial_linear d : forall a c f b c' g, polynomial d c f -> polynomial d c' g ->
  polynomial d (a * c + b * c') (fun x => a * f x + b * g x).
Proof.
  induction d as [| d IH]; cbn [polynomial]; intros a c f b c' g Hf Hg.
  - intros x. now rewrite Hf, Hg.
  - destruct Hf as (u & f1 & Hf1 & Hf). destruct Hg as (v & g1 & Hg1 & Hg).
    exists (a * u + b * v), (fun x => a * f1 x + b * g1 x). split; [now apply IH |].
    intros x. rewrite Hf, Hg. ring.
Qed.

Lemma polynomial_raise d : forall c f, polynomial d c f -> polynomial (S d) 0 f.
Proof.
  induction d as [| d IH]; intros c f Hf.
  - cbn [polynomial] in *. exists c, (fun _ => 0). split; [reflexivity |]. intros x. rewrite Hf. ring.
  - destruct Hf as (a & g & Hg & Hf). exists a, g. split; [now apply (IH c) | exact Hf].
Qed.

Lemma polynomial_times_x d c f : polynomial d c f -> polynomial (S d) c (fun x => x * f x).
Proof. intros Hf. exists 0, f. split; [exact Hf |]. intros x. ring. Qed.

Lemma polynomial_ext d : forall c c' f g, polynomial d c f -> c = c' -> (forall x, f x = g x) ->
  polynomial d c' g.
Proof.
  destruct d as [| d]; cbn [polynomial]; intros c c' f g Hf <- Heq.
  - intros x. now rewrite <- Heq.
  - destruct Hf as (a & u & Hu & Hf). exists a, u. split; [exact Hu |]. intros x. now rewrite <- Heq.
Qed.

(** Division by x - r. *)
Lemma polynomial_divide d : forall c f r, polynomial (S d) c f ->
  exists g, polynomial d c g /\ forall x, f x - f r = (x - r) * g x.
Proof.
  induction d as [| d IH]; intros c f r (a & q & Hq & Hf).
  - exists q. split; [exact Hq |]. intros x. rewrite !Hf. cbn [polynomial] in Hq. rewrite !Hq. ring.
  - destruct (IH c q r Hq) as (q' & Hq' & Hdiv).
    exists (fun x => 1 * q x + r * q' x). split.
    + apply (polynomial_ext (S d) (1 * c + r * 0) c (fun x => 1 * q x + r * q' x));
        [| ring | reflexivity].
      apply polynomial_linear; [exact Hq | now apply (polynomial_raise d c)].
    + intros x. rewrite !Hf.
      replace (a + x * q x - (a + r * q r)) with ((x - r) * q x + r * (q x - q r)) by ring.
      rewrite Hdiv. ring.
Qed.

Fixpoint product (n : nat) (f : nat -> R) : R :=
  match n with
  | O => 1
  | S m => product m f * f m
  end.

Lemma product_scaled n c f : c ^ n * product n f = product n (fun i => c * f i).
Proof. induction n as [| n IH]; cbn [pow product]; [ring | rewrite <- IH; ring]. Qed.

Lemma product_ext n f g : (forall i, (i < n)%nat -> f i = g i) -> product n f = product n g.
Proof.
  induction n as [| n IH]; intros H; cbn [product]; [reflexivity |].
  rewrite (H n) by lia. rewrite IH; [reflexivity | intros i Hi; apply H; lia].
Qed.

Lemma product_ln n f : (forall i, (i < n)%nat -> 0 < f i) ->
  0 < product n f /\ ln (product n f) = sum n (fun i => ln (f i)).
Proof.
  induction n as [| n IH]; intros H; cbn [product sum].
  - split; [lra | apply ln_1].
  - destruct (IH ltac:(intros; apply H; lia)) as [Hpos Hln]. pose proof (H n ltac:(lia)).
    split; [now apply Rmult_lt_0_compat |]. rewrite ln_mult, Hln by assumption. reflexivity.
Qed.

(** A polynomial of degree d with d different roots is c times the product of x - root. *)
Lemma polynomial_roots d : forall c f (r : nat -> R), polynomial d c f ->
  (forall i, (i < d)%nat -> f (r i) = 0) -> (forall i j, (i < j < d)%nat -> r i <> r j) ->
  forall x, f x = c * product d (fun i => x - r i).
Proof.
  induction d as [| d IH]; intros c f r Hf Hroot Hdiff x; cbn [product].
  - cbn [polynomial] in Hf. rewrite Hf. ring.
  - destruct (polynomial_divide d c f (r d) Hf) as (g & Hg & Hdiv).
    assert (Hfg : forall u, f u = (u - r d) * g u).
    { intros u. pose proof (Hdiv u) as H. rewrite (Hroot d) in H by lia. lra. }
    rewrite Hfg, (IH c g r Hg); [ring | |].
    + intros i Hi. pose proof (Hroot i ltac:(lia)) as H. rewrite Hfg in H.
      apply Rmult_integral in H. destruct H as [H | H]; [| exact H].
      exfalso. apply (Hdiff i d); [lia | lra].
    + intros i j Hij. apply Hdiff. lia.
Qed.

(** ** Chebyshev polynomials of the second kind; the pair (U_n, U_(n+1)) *)

Fixpoint chebyshev_pair (n : nat) (x : R) : R * R :=
  match n with
  | O => (1, 2 * x)
  | S m => let (u, v) := chebyshev_pair m x in (v, 2 * (x * v) - u)
  end.

Definition chebyshev (n : nat) (x : R) : R := fst (chebyshev_pair n x).

Lemma chebyshev_recurrence n x : chebyshev (S (S n)) x = 2 * (x * chebyshev (S n) x) - chebyshev n x.
Proof. unfold chebyshev. cbn [chebyshev_pair]. now destruct (chebyshev_pair n x). Qed.

Lemma two_steps (P : nat -> Prop) : P 0%nat -> P 1%nat -> (forall n, P n -> P (S n) -> P (S (S n))) ->
  forall n, P n.
Proof.
  intros H0 H1 Hstep n. enough (P n /\ P (S n)) by tauto.
  induction n as [| n [IH IH']]; [now split | split; auto].
Qed.

Lemma chebyshev_polynomial n : polynomial n (2 ^ n) (chebyshev n).
Proof.
  induction n as [| | n IH IH'] using two_steps.
  - intros x. reflexivity.
  - exists 0, (fun _ => 2). split; [intros x; cbn; ring | intros x; cbn; ring].
  - apply (polynomial_ext (S (S n)) (2 * 2 ^ S n + -1 * 0) _
             (fun x => 2 * (x * chebyshev (S n) x) + -1 * chebyshev n x)).
    + apply polynomial_linear; [now apply polynomial_times_x |].
      apply (polynomial_raise (S n) 0). now apply (polynomial_raise n (2 ^ n)).
    + cbn [pow]. ring.
    + intros x. rewrite chebyshev_recurrence. ring.
Qed.

Lemma chebyshev_sine n t : chebyshev n (cos t) * sin t = sin (INR (S n) * t).
Proof.
  induction n as [| | n IH IH'] using two_steps.
  - cbn. replace (1 * t) with t by ring. ring.
  - cbn. replace ((1 + 1) * t) with (2 * t) by ring. rewrite sin_2a. ring.
  - rewrite chebyshev_recurrence.
    replace ((2 * (cos t * chebyshev (S n) (cos t)) - chebyshev n (cos t)) * sin t)
      with (2 * cos t * (chebyshev (S n) (cos t) * sin t) - chebyshev n (cos t) * sin t) by ring.
    rewrite IH, IH'. rewrite !S_INR.
    replace ((INR n + 1) * t) with ((INR n + 1 + 1) * t - t) by ring.
    replace ((INR n + 1 + 1 + 1) * t) with ((INR n + 1 + 1) * t + t) by ring.
    rewrite sin_plus, sin_minus. ring.
Qed.

Lemma chebyshev_at_one n : chebyshev n 1 = INR (S n).
Proof.
  induction n as [| | n IH IH'] using two_steps; [reflexivity | cbn; ring |].
  rewrite chebyshev_recurrence, IH, IH', !S_INR. ring.
Qed.

Lemma chebyshev_at_minus_one n : chebyshev n (-1) = (-1) ^ n * INR (S n).
Proof.
  induction n as [| | n IH IH'] using two_steps; [cbn; ring | cbn; ring |].
  rewrite chebyshev_recurrence, IH, IH', !S_INR. cbn [pow]. ring.
Qed.

(** ** The products *)

Section Products.
  Variable K : nat.
  Hypothesis HK : (1 <= K)%nat.

  Let root (i : nat) : R := cos (PI * INR (i + 1) / INR K).

  Lemma root_angle i : (i < K - 1)%nat -> 0 < PI * INR (i + 1) / INR K < PI.
  Proof using HK.
    intros Hi. pose proof PI_RGT_0. assert (HKR : 0 < INR K) by (apply lt_0_INR; lia).
    assert (H0 : 0 < INR (i + 1)) by (apply lt_0_INR; lia).
    assert (H1 : INR (i + 1) < INR K) by (apply lt_INR; lia). split.
    - apply Rdiv_lt_0_compat; [now apply Rmult_lt_0_compat | exact HKR].
    - apply Rmult_lt_reg_r with (INR K); [lra |]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra.
      rewrite Rmult_1_r. now apply Rmult_lt_compat_l.
  Qed.

  Lemma chebyshev_product x : chebyshev (K - 1) x = 2 ^ (K - 1) * product (K - 1) (fun i => x - root i).
  Proof using HK.
    apply polynomial_roots; [apply chebyshev_polynomial | |].
    - intros i Hi. pose proof (root_angle i Hi) as Ha. set (t := PI * INR (i + 1) / INR K) in *.
      assert (Hs : 0 < sin t) by (apply sin_gt_0; lra).
      pose proof (chebyshev_sine (K - 1) t) as H. replace (S (K - 1)) with K in H by lia.
      assert (Hzero : sin (INR K * t) = 0).
      { apply sin_eq_0_1. exists (Z.of_nat (i + 1)). rewrite <- INR_IZR_INZ. unfold t. field.
        apply not_0_INR. lia. }
      rewrite Hzero in H. apply Rmult_integral in H. destruct H; [exact H | lra].
    - intros i j Hij. pose proof (root_angle i ltac:(lia)). pose proof (root_angle j ltac:(lia)).
      apply Rgt_not_eq. apply cos_decreasing_1; try lra.
      assert (HKR : 0 < INR K) by (apply lt_0_INR; lia). pose proof PI_RGT_0.
      apply Rmult_lt_compat_r; [now apply Rinv_0_lt_compat |]. apply Rmult_lt_compat_l; [lra |].
      apply lt_INR. lia.
  Qed.

  Lemma root_and_point i : 2 * (1 - root i) = 4 * inner_grid K i /\ 2 * (1 + root i) = 4 * (1 - inner_grid K i).
  Proof using HK.
    assert (HKR : INR K <> 0) by (apply not_0_INR; lia).
    unfold root, inner_grid. set (t := PI * INR (i + 1) / (2 * INR K)).
    replace (PI * INR (i + 1) / INR K) with (2 * t) by (unfold t; field; exact HKR).
    rewrite cos_2a_sin. split; ring.
  Qed.

  Theorem product_of_points : product (K - 1) (fun i => 4 * inner_grid K i) = INR K.
  Proof using HK.
    pose proof (chebyshev_product 1) as H. rewrite chebyshev_at_one, product_scaled in H.
    replace (S (K - 1)) with K in H by lia. rewrite H. apply product_ext. intros i _.
    destruct (root_and_point i). lra.
  Qed.

  Theorem product_of_complements : product (K - 1) (fun i => 4 * (1 - inner_grid K i)) = INR K.
  Proof using HK.
    pose proof (chebyshev_product (-1)) as H. rewrite chebyshev_at_minus_one in H.
    replace (S (K - 1)) with K in H by lia.
    assert (Hsign : (-1) ^ (K - 1) * (-1) ^ (K - 1) = 1).
    { rewrite <- Rpow_mult_distr. replace (-1 * -1) with 1 by ring. apply pow1. }
    assert (HK' : INR K = (-1) ^ (K - 1) * ((-1) ^ (K - 1) * INR K)) by (rewrite <- Rmult_assoc, Hsign; ring).
    rewrite HK', H, product_scaled, product_scaled. apply product_ext. intros i _.
    destruct (root_and_point i). lra.
  Qed.

  (** In logarithms. *)
  Theorem sum_of_logarithms :
    sum (K - 1) (fun i => - ln (inner_grid K i) - ln (1 - inner_grid K i))
    = 4 * INR (K - 1) * ln 2 - 2 * ln (INR K).
  Proof using HK.
    destruct (product_ln (K - 1) (fun i => 4 * inner_grid K i)) as [_ H1].
    { intros i Hi. pose proof (inner_grid_open K ltac:(lia) i ltac:(lia)). lra. }
    destruct (product_ln (K - 1) (fun i => 4 * (1 - inner_grid K i))) as [_ H2].
    { intros i Hi. pose proof (inner_grid_open K ltac:(lia) i ltac:(lia)). lra. }
    rewrite product_of_points in H1. rewrite product_of_complements in H2.
    rewrite (sum_ext (K - 1) _ (fun i => ln 4 + ln (inner_grid K i))) in H1.
    2: { intros i Hi. pose proof (inner_grid_open K ltac:(lia) i ltac:(lia)). apply ln_mult; lra. }
    rewrite (sum_ext (K - 1) _ (fun i => ln 4 + ln (1 - inner_grid K i))) in H2.
    2: { intros i Hi. pose proof (inner_grid_open K ltac:(lia) i ltac:(lia)). apply ln_mult; lra. }
    rewrite sum_plus, sum_const in H1, H2.
    rewrite sum_minus, sum_opp. rewrite ln_4 in *. lra.
  Qed.
End Products.
