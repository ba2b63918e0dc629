(** * The divergence D(k, A) = k ln (k/A) - k + A of two Poisson laws

    Three facts for Theorem C. (1) In one cell, n KL(k/n, z) is at most (e - 1) times its pseudo counterpart
    plus multiples of D(k, A) and D(a, B), where k, a are the realised and A, B the expected numbers of ones
    and zeros. (2) x -> k x - A (e^x - 1) has the maximum D(k, A), and a short list of exponents x comes
    within a factor 2 of it. (3) A mixture over x of exp (k x - A (e^x - 1)) gains nothing in a round, in the
    sense that makes products of powers of such mixtures a supermartingale. *)

From Coq Require Import Reals Lra Lia List.
Import ListNotations.
From KLCal Require Import Definitions Basics KT Freedman Experts.
Open Scope R_scope.

Definition divergence (k A : R) : R := k * ln k - k * ln A - k + A.

(** ** Scalar inequalities *)

(** The derivative of a polynomial plus a polynomial times an exponential. *)
Lemma derivative_quadratic_exp p0 p1 p2 a b c r x :
  derivable_pt_lim (fun u => (p0 + p1 * u + p2 * (u * u)) + (a + b * u + c * (u * u)) * exp (r * u)) x
    ((p1 + 2 * p2 * x) + ((b + 2 * c * x) + r * (a + b * x + c * (x * x))) * exp (r * x)).
Proof.
  assert (Hpoly : forall k0 k1 k2 u,
            derivable_pt_lim (fun v => k0 + k1 * v + k2 * (v * v)) u (k1 + 2 * k2 * u)).
  { intros k0 k1 k2 u. replace (k1 + 2 * k2 * u) with (0 + k1 * 1 + k2 * (1 * u + u * 1)) by ring.
    apply (derivable_pt_lim_plus (fun v => k0 + k1 * v) (fun v => k2 * (v * v))).
    - apply (derivable_pt_lim_plus (fct_cte k0) (fun v => k1 * v)); [apply derivable_pt_lim_const |].
      apply (derivable_pt_lim_scal id), derivable_pt_lim_id.
    - apply (derivable_pt_lim_scal (fun v => v * v)).
      apply (derivable_pt_lim_mult id id); apply derivable_pt_lim_id. }
  apply (derivable_pt_lim_plus (fun u => p0 + p1 * u + p2 * (u * u))); [apply Hpoly |].
  replace (((b + 2 * c * x) + r * (a + b * x + c * (x * x))) * exp (r * x))
    with ((b + 2 * c * x) * exp (r * x) + (a + b * x + c * (x * x)) * (exp (r * x) * (r * 1))) by ring.
  apply (derivable_pt_lim_mult (fun u => a + b * u + c * (u * u)) (fun u => exp (r * u))); [apply Hpoly |].
  apply (derivable_pt_lim_comp (fun u => r * u) exp); [| apply derivable_pt_lim_exp].
  apply (derivable_pt_lim_scal id), derivable_pt_lim_id.
Qed.

(** Such a function is nonnegative on [0, oo) if it vanishes at 0 and its derivative is nonnegative. *)
Lemma nonneg_quadratic_exp p0 p1 p2 a b c r :
  p0 + a = 0 ->
  (forall x, 0 <= x ->
     0 <= (p1 + 2 * p2 * x) + ((b + 2 * c * x) + r * (a + b * x + c * (x * x))) * exp (r * x)) ->
  forall x, 0 <= x -> 0 <= (p0 + p1 * x + p2 * (x * x)) + (a + b * x + c * (x * x)) * exp (r * x).
Proof.
  intros H0 Hd x Hx.
  apply (nonneg_by_derivative
           (fun u => (p0 + p1 * u + p2 * (u * u)) + (a + b * u + c * (u * u)) * exp (r * u))
           (fun u => (p1 + 2 * p2 * u) + ((b + 2 * c * u) + r * (a + b * u + c * (u * u))) * exp (r * u)) 0);
    auto.
  - intros u _. apply derivative_quadratic_exp.
  - cbv beta. rewrite !Rmult_0_r, exp_0. lra.
Qed.

Lemma exp_le_one x : x <= 0 -> exp x <= 1.
Proof. intros [Hx | ->]; [| rewrite exp_0; lra]. left. rewrite <- exp_0. now apply exp_increasing. Qed.

(** x - 1 + e^(-x) <= x^2/2 and 1 - (1 + x) e^(-x) <= x^2/2 for x >= 0. *)
Lemma square_above_1 x : 0 <= x -> x - 1 + exp (- x) <= x * x / 2.
Proof.
  intros Hx. pose proof (nonneg_quadratic_exp 1 (-1) (/ 2) (-1) 0 0 (-1) ltac:(lra)) as H.
  specialize (H (fun u Hu => ltac:(pose proof (exp_ineq1_le (-1 * u)); lra)) x Hx).
  replace (-1 * x) with (- x) in H by ring. lra.
Qed.

Lemma square_above_2 x : 0 <= x -> 1 - (1 + x) * exp (- x) <= x * x / 2.
Proof.
  intros Hx. pose proof (nonneg_quadratic_exp (-1) 0 (/ 2) 1 1 0 (-1) ltac:(lra)) as H.
  assert (Hd : forall u, 0 <= u -> u * exp (-1 * u) <= u).
  { intros u Hu. rewrite <- (Rmult_1_r u) at 3. apply Rmult_le_compat_l; [lra |]. apply exp_le_one. lra. }
  specialize (H (fun u Hu => ltac:(pose proof (Hd u Hu); lra)) x Hx).
  replace (-1 * x) with (- x) in H by ring. lra.
Qed.

(** s^2 e^s <= (2 + max(s, 0)) (e^s (s - 1) + 1). *)
Lemma square_of_logarithm s : s * s * exp s <= (2 + Rmax s 0) * (exp s * (s - 1) + 1).
Proof.
  destruct (Rle_lt_dec 0 s) as [Hs | Hs].
  - rewrite Rmax_left by lra.
    assert (H' : forall u, 0 <= u -> 0 <= 1 + (u - 1) * exp u).
    { intros u Hu. pose proof (nonneg_quadratic_exp 1 0 0 (-1) 1 0 1 ltac:(lra)) as H.
      assert (Hd : forall v, 0 <= v -> 0 <= v * exp (1 * v)).
      { intros v Hv. apply Rmult_le_pos; [exact Hv | left; apply exp_pos]. }
      specialize (H (fun v Hv => ltac:(pose proof (Hd v Hv); lra)) u Hu).
      rewrite Rmult_1_l in H. lra. }
    pose proof (nonneg_quadratic_exp 2 1 0 (-2) 1 0 1 ltac:(lra)) as H.
    specialize (H (fun u Hu => ltac:(pose proof (H' u Hu); rewrite (Rmult_1_l u); lra)) s Hs).
    rewrite Rmult_1_l in H. lra.
  - rewrite Rmax_right by lra.
    pose proof (nonneg_quadratic_exp 2 0 0 (-2) (-2) (-1) (-1) ltac:(lra)) as H.
    assert (Hd : forall u, 0 <= u * u * exp (-1 * u)).
    { intros u. apply Rmult_le_pos; [apply Rle_0_sqr | left; apply exp_pos]. }
    specialize (H (fun u _ => ltac:(pose proof (Hd u); lra)) (- s) ltac:(lra)).
    replace (-1 * - s) with s in H by ring. lra.
Qed.

(** ** The divergence *)

Lemma divergence_nonneg k A : 0 <= k -> 0 < A -> 0 <= divergence k A.
Proof.
  intros [Hk | <-] HA; unfold divergence; [| lra].
  pose proof (ln_le_minus_1 (A / k) ltac:(now apply Rdiv_lt_0_compat)) as H. rewrite ln_div in H by lra.
  apply (Rmult_le_compat_l k) in H; [| lra].
  replace (k * (A / k - 1)) with (A - k) in H by (field; lra). lra.
Qed.

(** Fenchel: k u - A (e^u - 1) <= D(k, A). *)
Lemma divergence_fenchel k A u : 0 <= k -> 0 < A -> k * u - A * (exp u - 1) <= divergence k A.
Proof.
  intros Hk HA. assert (HAu : 0 < A * exp u) by (apply Rmult_lt_0_compat; [lra | apply exp_pos]).
  pose proof (divergence_nonneg k (A * exp u) Hk HAu) as H.
  unfold divergence in *. rewrite ln_mult, ln_exp in H by (lra || apply exp_pos). lra.
Qed.

(** ** One cell *)

(** The divergence of a coordinate; it is 0 if nothing was expected (and then nothing happened). *)
Definition divergence_of (k A : R) : R := if Req_EM_T A 0 then 0 else divergence k A.

(** One outcome: k realised, A expected out of mass S, probability z. *)
Lemma divergence_transfer k A S z : 0 <= k -> 0 <= A <= S -> 0 < S -> 0 < z < 1 -> (A = 0 -> k = 0) ->
  divergence k (S * z) <= (exp 1 - 1) * divergence A (S * z) + (3 - ln z) * divergence_of k A.
Proof.
  intros Hk HA HS Hz H0. unfold divergence_of. set (mu := S * z).
  assert (Hmu : 0 < mu) by (apply Rmult_lt_0_compat; lra).
  pose proof kappa_bounds as Hkap. unfold kappa in Hkap.
  destruct (Req_EM_T A 0) as [E | N].
  - rewrite (H0 E), E. unfold divergence. pose proof (Rmult_le_pos (exp 1 - 2) mu ltac:(lra) ltac:(lra)). lra.
  - assert (HApos : 0 < A) by lra.
    set (s := ln A - ln mu). set (tau := 2 - ln z).
    assert (Hlnz : ln z <= 0) by (apply ln_nonpos; lra).
    assert (Hs : s <= - ln z).
    { unfold s, mu. rewrite ln_mult by lra. pose proof (ln_le A S HApos ltac:(lra)). lra. }
    assert (Hsplit : divergence k mu = divergence k A + divergence A mu + (k - A) * s)
      by (unfold divergence, s; ring).
    pose proof (divergence_nonneg A mu ltac:(lra) Hmu) as HDA.
    (* A s^2 <= tau D(A, mu) *)
    assert (Hsquare : A * (s * s) <= tau * divergence A mu).
    { pose proof (square_of_logarithm s) as H.
      assert (HA' : A = mu * exp s).
      { unfold s, Rminus. rewrite exp_plus, exp_Ropp, !exp_ln by lra. field. lra. }
      assert (HD : divergence A mu = mu * (exp s * (s - 1) + 1)).
      { unfold divergence. replace (ln A) with (ln mu + s) by (unfold s; ring). rewrite HA'. ring. }
      apply (Rmult_le_compat_l mu) in H; [| lra].
      apply Rle_trans with ((2 + Rmax s 0) * divergence A mu); [rewrite HD, HA' at 1; lra |].
      apply Rmult_le_compat_r; [exact HDA |]. unfold tau. apply Rplus_le_compat_l.
      apply Rmax_lub; lra. }
    (* Fenchel at u = s / tau *)
    assert (Htau : 2 <= tau) by (unfold tau; lra).
    set (u := s / tau).
    assert (Hu : u <= 1).
    { unfold u. apply Rmult_le_reg_r with tau; [lra |]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra.
      unfold tau. lra. }
    pose proof (divergence_fenchel k A u Hk HApos) as HF. pose proof (freedman_scalar u Hu) as Hexp.
    unfold kappa in Hexp.
    assert (Hdev : (k - A) * u <= divergence k A + (exp 1 - 2) * (A * (u * u))).
    { pose proof (Rmult_le_compat_l A _ _ ltac:(lra) Hexp). lra. }
    apply (Rmult_le_compat_l tau) in Hdev; [| lra].
    replace (tau * ((k - A) * u)) with ((k - A) * s) in Hdev by (unfold u; field; lra).
    assert (Hlast : tau * (A * (u * u)) <= divergence A mu).
    { replace (tau * (A * (u * u))) with (A * (s * s) * / tau) by (unfold u; field; lra).
      apply Rmult_le_reg_r with tau; [lra |]. rewrite Rmult_assoc, Rinv_l by lra. lra. }
    apply (Rmult_le_compat_l (exp 1 - 2)) in Hlast; [| lra].
    rewrite Hsplit. unfold tau in *. lra.
Qed.

(** One cell: k ones and a zeros realised, A and B expected, z the forecast. *)
Theorem cell_transfer k a A B z : 0 <= k -> 0 <= a -> 0 <= A -> 0 <= B -> 0 < z < 1 ->
  (A = 0 -> k = 0) -> (B = 0 -> a = 0) ->
  (k + a) * KL (k / (k + a)) z
  <= (exp 1 - 1) * ((A + B) * KL (A / (A + B)) z)
     + ((3 - ln z) * divergence_of k A + (3 - ln (1 - z)) * divergence_of a B).
Proof.
  intros Hk Ha HA HB Hz H1 H0.
  destruct (Req_EM_T (A + B) 0) as [E | N].
  - assert (A = 0) by lra. assert (B = 0) by lra. rewrite (H1 ltac:(lra)), (H0 ltac:(lra)).
    unfold divergence_of.
    destruct (Req_EM_T A 0); [| lra]. destruct (Req_EM_T B 0); [| lra]. rewrite E. lra.
  - assert (HS : 0 < A + B) by lra.
    pose proof (divergence_transfer k A (A + B) z Hk ltac:(lra) HS Hz H1) as T1.
    pose proof (divergence_transfer a B (A + B) (1 - z) Ha ltac:(lra) HS ltac:(lra) H0) as T0.
    pose proof (divergence_nonneg (k + a) (A + B) ltac:(lra) HS) as HD.
    rewrite !scaled_KL by lra. unfold best_loss. replace (k + a - k) with a by ring.
    replace (A + B - A) with B by ring.
    unfold divergence in *. rewrite !ln_mult in * by lra. lra.
Qed.

(** ** A short list of exponents *)

(** 0, then -2, -1, ..., -2/2^M, then X, X/2, ..., X/2^N. *)
Definition exponents (X : R) (M N : nat) : list R :=
  0 :: map (fun j => -2 / 2 ^ j) (seq 0 (S M)) ++ map (fun j => X / 2 ^ j) (seq 0 (S N)).

Lemma length_exponents X M N : length (exponents X M N) = (3 + M + N)%nat.
Proof. unfold exponents. cbn [length]. rewrite app_length, !map_length, !seq_length. lia. Qed.

Lemma exponent_below X M N j : (j <= M)%nat -> In (-2 / 2 ^ j) (exponents X M N).
Proof.
  intros Hj. right. apply in_or_app. left. apply in_map_iff. exists j.
  split; [reflexivity | apply in_seq; lia].
Qed.

Lemma exponent_above X M N j : (j <= N)%nat -> In (X / 2 ^ j) (exponents X M N).
Proof.
  intros Hj. right. apply in_or_app. right. apply in_map_iff. exists j.
  split; [reflexivity | apply in_seq; lia].
Qed.

Lemma exp_chord l x : 0 <= l <= 1 -> exp (l * x) <= 1 + l * (exp x - 1).
Proof.
  intros Hl. pose proof (exp_pos x) as He.
  pose proof (ln_jensen2 l (1 - l) (exp x) 1 ltac:(lra) ltac:(lra) ltac:(lra) He ltac:(lra)) as H.
  replace (l + (1 - l)) with 1 in H by ring. rewrite ln_exp, ln_1 in H.
  replace ((l * exp x + (1 - l) * 1) / 1) with (1 + l * (exp x - 1)) in H by field.
  assert (Hpos : 0 < 1 + l * (exp x - 1)).
  { destruct (Req_dec l 0) as [-> | N]; [lra |].
    pose proof (Rmult_lt_0_compat l (exp x) ltac:(lra) He). lra. }
  rewrite <- (exp_ln _ Hpos).
  destruct (Rle_lt_or_eq_dec (l * x) (ln (1 + l * (exp x - 1)))) as [Hlt | ->];
    [lra | left; now apply exp_increasing | right; reflexivity].
Qed.

Lemma e_squared : exp (-2) <= / 6.
Proof.
  pose proof kappa_bounds as Hk. unfold kappa in Hk.
  assert (H2 : 6 <= exp 2).
  { replace 2 with (1 + 1) by ring. rewrite exp_plus.
    assert (5 / 2 * (5 / 2) <= exp 1 * exp 1) by (apply Rmult_le_compat; lra). lra. }
  replace (-2) with (- (2)) by ring. rewrite exp_Ropp. apply Rinv_le_contravar; lra.
Qed.

(** Some exponent of the list earns half of the divergence, up to 1/2. *)
Lemma suitable_exponent T X M N k A :
  0 <= k <= T -> 0 <= A <= T -> 0 < T -> 0 < X -> (A = 0 -> k = 0) -> (0 < k -> ln k - ln A <= X) ->
  2 * T <= 4 ^ M -> X * X * T <= 2 * 4 ^ N ->
  exists x, In x (exponents X M N) /\ (divergence_of k A - 1) / 2 <= k * x - A * (exp x - 1).
Proof.
  intros Hk HA HT HX H0 Hratio HM HN. unfold divergence_of.
  assert (Hzero : forall D, D <= 1 ->
            exists x, In x (exponents X M N) /\ (D - 1) / 2 <= k * x - A * (exp x - 1)).
  { intros D HD. exists 0. split; [now left |]. rewrite exp_0. lra. }
  destruct (Req_EM_T A 0) as [E | NA]; [apply Hzero; lra |].
  assert (HApos : 0 < A) by lra.
  destruct (Rle_lt_dec (divergence k A) 1) as [HD | HD]; [now apply Hzero |].
  pose proof e_squared as He2.
  assert (Hminus2 : In (-2) (exponents X M N)).
  { replace (-2) with (-2 / 2 ^ 0) by (cbn; field). apply exponent_below. lia. }
  destruct (proj1 Hk) as [Hkpos | Hk0].
  - set (x := ln k - ln A).
    assert (Hkx : k = A * exp x).
    { unfold x, Rminus. rewrite exp_plus, exp_Ropp, !exp_ln by lra. field. lra. }
    assert (Hmax : divergence k A = k * x - A * (exp x - 1)).
    { replace (A * (exp x - 1)) with (k - A) by (rewrite Hkx; ring). unfold divergence, x. ring. }
    (* a fraction l of the best exponent earns at least the fraction l *)
    assert (Hfraction : forall l, / 2 <= l <= 1 ->
              (divergence k A - 1) / 2 <= k * (l * x) - A * (exp (l * x) - 1)).
    { intros l Hl. pose proof (exp_chord l x ltac:(lra)) as Hc.
      apply (Rmult_le_compat_l A) in Hc; [| lra].
      assert (Hprod : l * divergence k A = k * (l * x) - A * (l * (exp x - 1))) by (rewrite Hmax; ring).
      pose proof (Rmult_le_compat_r (divergence k A) _ _ ltac:(lra) (proj1 Hl)). lra. }
    (* |x| is not small, and halving steps reach it *)
    assert (Hhalving : forall Y J, 0 < Y -> Rabs x <= Y -> Y * Y * T <= 2 * 4 ^ J -> 1 < T * (x * x) / 2 ->
              exists j, (j <= J)%nat /\ / 2 <= Y / 2 ^ j / Rabs x <= 1).
    { intros Y J HY HxY HJ Hx. set (a := Rabs x) in *.
      assert (Ha2 : a * a = x * x) by (unfold a; rewrite <- Rabs_mult; apply Rabs_pos_eq, Rle_0_sqr).
      assert (Ha : 0 < a).
      { destruct (Rabs_pos x) as [H | H]; [exact H |]. fold a in H.
        rewrite <- H, Rmult_0_l in Ha2. rewrite <- Ha2 in Hx. lra. }
      assert (H2J : 0 < 2 ^ J) by (apply pow_lt; lra).
      assert (H4J : 4 ^ J = 2 ^ J * 2 ^ J) by (rewrite <- Rpow_mult_distr; f_equal; lra).
      assert (HYJ : Y <= a * 2 ^ J).
      { apply Rnot_lt_le. intros Hlt.
        assert (Hsq : a * 2 ^ J * (a * 2 ^ J) <= Y * Y).
        { apply Rmult_le_compat; try lra; apply Rmult_le_pos; lra. }
        apply (Rmult_le_compat_r T) in Hsq; [| lra].
        assert (Hbig : 2 * 4 ^ J < a * 2 ^ J * (a * 2 ^ J) * T).
        { rewrite H4J. replace (a * 2 ^ J * (a * 2 ^ J) * T) with (T * (x * x) * (2 ^ J * 2 ^ J))
            by (rewrite <- Ha2; ring).
          apply Rmult_lt_compat_r; [apply Rmult_lt_0_compat; lra | lra]. }
        lra. }
      destruct (Nat.eq_dec J 0) as [-> | HJ0].
      - exists 0%nat. cbn [pow] in *. replace Y with a by lra. split; [lia |].
        replace (a / 1 / a) with 1 by (field; lra). lra.
      - destruct (suitable_power J (a / Y)) as (j & Hj & Hp); [lia | |].
        + split.
          * apply Rmult_le_reg_r with (Y * 2 ^ J); [apply Rmult_lt_0_compat; lra |].
            replace (/ 2 ^ J * (Y * 2 ^ J)) with Y by (field; lra).
            replace (a / Y * (Y * 2 ^ J)) with (a * 2 ^ J) by (field; lra). lra.
          * apply Rmult_le_reg_r with Y; [lra |]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra.
        + exists j. split; [lia |].
          assert (H2j : 0 < 2 ^ j) by (apply pow_lt; lra).
          replace (Y / 2 ^ j / a) with (/ 2 ^ j * (Y / a)) by (field; lra).
          assert (HYa : 0 < Y / a) by (apply Rdiv_lt_0_compat; lra).
          split.
          * apply Rle_trans with (a / Y / 2 * (Y / a)); [right; field; lra | apply Rmult_le_compat_r; lra].
          * apply Rle_trans with (a / Y * (Y / a)); [apply Rmult_le_compat_r; lra | right; field; lra]. }
    destruct (Rle_lt_dec 0 x) as [Hx0 | Hx0].
    + (* more than expected *)
      assert (Hlarge : 1 < T * (x * x) / 2).
      { pose proof (square_above_1 x Hx0) as H. rewrite exp_Ropp in H.
        assert (HDk : divergence k A = k * (x - 1 + / exp x)).
        { rewrite Hmax. rewrite Hkx at 2. pose proof (exp_pos x). rewrite Hkx. field. lra. }
        assert (0 <= x * x / 2) by (pose proof (Rle_0_sqr x); unfold Rsqr in *; lra).
        apply (Rmult_le_compat_l k) in H; [| lra].
        pose proof (Rmult_le_compat_r (x * x / 2) k T ltac:(lra) (proj2 Hk)). lra. }
      assert (HxX : Rabs x <= X) by (rewrite Rabs_pos_eq by lra; now apply Hratio).
      destruct (Hhalving X N HX HxX HN Hlarge) as (j & Hj & Hl).
      rewrite Rabs_pos_eq in Hl by lra. exists (X / 2 ^ j). split; [now apply exponent_above |].
      assert (H2j : 0 < 2 ^ j) by (apply pow_lt; lra).
      assert (Hxpos : 0 < x) by (destruct Hx0 as [H | E0]; [exact H | rewrite <- E0 in Hlarge; lra]).
      replace (X / 2 ^ j) with (X / 2 ^ j / x * x) by (field; split; lra).
      now apply Hfraction.
    + (* fewer than expected *)
      destruct (Rle_lt_dec (-2) x) as [Hx2 | Hx2].
      * assert (Hlarge : 1 < T * (x * x) / 2).
        { pose proof (square_above_2 (- x) ltac:(lra)) as H. rewrite Ropp_involutive in H.
          assert (HDA : divergence k A = A * (1 - (1 + - x) * exp x)) by (rewrite Hmax, Hkx; ring).
          assert (0 <= x * x / 2) by (pose proof (Rle_0_sqr x); unfold Rsqr in *; lra).
          apply (Rmult_le_compat_l A) in H; [| lra].
          pose proof (Rmult_le_compat_r (x * x / 2) A T ltac:(lra) (proj2 HA)). lra. }
        assert (Hx2' : Rabs x <= 2) by (rewrite Rabs_left by lra; lra).
        destruct (Hhalving 2 M ltac:(lra) Hx2' ltac:(lra) Hlarge) as (j & Hj & Hl).
        rewrite Rabs_left in Hl by lra. exists (-2 / 2 ^ j). split; [now apply exponent_below |].
        assert (H2j : 0 < 2 ^ j) by (apply pow_lt; lra).
        replace (-2 / 2 ^ j) with (2 / 2 ^ j / - x * x) by (field; split; lra).
        now apply Hfraction.
      * exists (-2). split; [exact Hminus2 |].
        assert (Hexp : exp x <= exp (-2)) by (left; now apply exp_increasing).
        pose proof (exp_pos x).
        assert (HDle : divergence k A <= A).
        { rewrite Hmax, Hkx. pose proof (Rmult_lt_0_compat A (exp x) HApos ltac:(assumption)) as HAe.
          pose proof (Rmult_le_compat_l (A * exp x) x 0 ltac:(lra) ltac:(lra)). lra. }
        assert (Hk6 : k <= A * / 6) by (rewrite Hkx; apply Rmult_le_compat_l; lra).
        pose proof (Rmult_le_compat_l A _ _ ltac:(lra) He2). lra.
  - (* nothing happened *)
    exists (-2). split; [exact Hminus2 |]. rewrite <- Hk0 in *.
    pose proof (Rmult_le_compat_l A _ _ ltac:(lra) He2). unfold divergence. lra.
Qed.

(** ** Mixtures over exponents *)

Definition mixture (G : list R) (k A : R) : R := over G (fun x => exp (k * x - A * (exp x - 1))).

Lemma mixture_pos G k A : G <> [] -> 0 < mixture G k A.
Proof.
  intros HG. destruct G as [| x G]; [congruence |].
  eapply Rlt_le_trans; [apply (exp_pos (k * x - A * (exp x - 1))) |].
  apply (over_member (x :: G) (fun x => exp (k * x - A * (exp x - 1)))); [now left |].
  intros y _. left. apply exp_pos.
Qed.

(** Let p be the probability of the coordinate in this round. U is the mixture after the round if it is not
    drawn, D if it is. *)
Lemma mixture_round G k A p : G <> [] -> 0 <= p ->
  let L := mixture G k A in
  let U := mixture G k (A + p) in
  let D := mixture G (k + 1) (A + p) in
  p * (D / U - 1) + (ln U - ln L) <= 0.
Proof.
  intros HG Hp L U D.
  assert (HL : 0 < L) by now apply mixture_pos. assert (HU : 0 < U) by now apply mixture_pos.
  set (m := D / U - 1).
  (* L = sum of w e^(p u) >= e^(p m) sum of w (1 + p (u - m)) = e^(p m) U, with u = e^x - 1 *)
  assert (Hjensen : exp (p * m) * U <= L).
  { set (w := fun x => exp (k * x - (A + p) * (exp x - 1))).
    assert (HD : D = over G (fun x => w x * exp x)).
    { apply over_ext. intros x _. unfold w. rewrite <- exp_plus. f_equal. ring. }
    assert (HUw : U = over G w) by reflexivity.
    apply Rle_trans with
      (over G (fun x => exp (p * m) * (1 - p - p * m) * w x + exp (p * m) * p * (w x * exp x))).
    - rewrite over_linear, <- HD, <- HUw. right. unfold m. field. lra.
    - apply over_le. intros x _.
      assert (Hw : 0 < w x) by apply exp_pos.
      replace (exp (k * x - A * (exp x - 1))) with (w x * exp (p * (exp x - 1)))
        by (unfold w; rewrite <- exp_plus; f_equal; ring).
      assert (Htangent : exp (p * m) * (1 + p * (exp x - 1 - m)) <= exp (p * (exp x - 1))).
      { replace (p * (exp x - 1)) with (p * m + p * (exp x - 1 - m)) by ring. rewrite exp_plus.
        apply Rmult_le_compat_l; [left; apply exp_pos | apply exp_ineq1_le]. }
      apply (Rmult_le_compat_l (w x)) in Htangent; [| lra]. lra. }
  apply ln_le in Hjensen; [| apply Rmult_lt_0_compat; [apply exp_pos | exact HU]].
  rewrite ln_mult, ln_exp in Hjensen by (auto; apply exp_pos). lra.
Qed.
