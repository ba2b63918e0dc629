"""Which claims rest on machine-checked proofs, and on which theorems of ``proofs/``.

A claim stands here without `part` only if the theorems say all of it; otherwise `part` names what they say.
"""

from __future__ import annotations

from klcal.claims._proofs import proved

# Sections 1 to 3
proved("lem:relate_breg_vbreg", "Lemma2.lemma2", part="both points inside (0, 1)")
proved("lem:characterization_proper_loss", "LossBasics.lemma1", "LossBasics.supergradient_concave")
proved(
    "sec1:kl_bounds_cal2",
    "Pinsker.pinsker",
    "Pinsker.Cal2_below_KLCal",
    part="the inequalities with the constant 2, for forecasts inside (0, 1)",
)
proved("sec1:cal1_below_cal2", "Cal1.swap_regret_of_bounded_losses", part="the inequalities")
proved("prop:swap_reg_breg_div", "Proposition1.proposition1")
proved("prop:swap_reg_breg_div/realised", "Proposition1.proposition1")
proved("prop:swap_reg_breg_div/pseudo", "Proposition1.proposition1")
proved(
    "sec3:squared_loss", "Proposition1.squared_loss_divergence", "Proposition1.swap_regret_of_squared_loss"
)
proved(
    "sec3:log_loss",
    "LossBasics.BREG_is_excess",
    "Proposition1.KL_is_excess_log_loss",
    "Proposition1.swap_regret_of_log_loss",
    "LossBasics.drawn_KLCal",
)
proved(
    "sec3:pseudo_below_expected",
    "PseudoBelowExpected.pseudo_below_expected",
    "PseudoBelowExpected.swap_regret_on_is_SReg",
    part="proper losses with real values",
)
proved(
    "sec3:pseudo_below_expected",
    "PseudoBelowExpected.pseudo_above_expected",
    "PseudoBelowExpected.swap_regret_on_is_SReg",
    "Proposition1.swap_regret_of_squared_loss",
    against_the_print=True,
)
proved("lem:hessian_growth", "Lemma3Counterexample.lemma3_is_false", against_the_print=True)
proved("prop:breg_div_decomposable", "Proposition2.proposition2")
proved(
    "prop:breg_div_decomposable",
    "Lemma3Counterexample.proposition2_as_printed_is_false",
    against_the_print=True,
)
proved(
    "new:growth_condition_is_necessary",
    "Proposition2.proposition2",
    part="if the inequality is assumed for all rho in [0, 1]",
)
proved("prop:bound_breg_div_quadratically", "Proposition3.proposition3")
proved(
    "prop:bound_breg_div_quadratically",
    "Proposition3.proposition3_needs_regular_ends",
    against_the_print=True,
)
proved(
    "prop:bound_breg_div_quadratically/sharp",
    "Proposition3.proposition3",
    "Proposition3.quadratic_divergence",
    "Proposition3.quadratic_LG",
    part="the inequality, and equality for some loss if G <= 4",
)
proved(
    "prop:bound_breg_div_quadratically/kl",
    "Proposition3.proposition3",
    part="the inequalities with G/4, for forecasts inside (0, 1)",
)
proved(
    "new:max_regret_over_L_G",
    "Proposition3.proposition3",
    "Proposition3.quadratic_divergence",
    "Proposition3.quadratic_LG",
    "Proposition3.quadratic_regular_ends",
    "Proposition1.proposition1",
)
proved(
    "new:slow_loss_rate",
    "SlowLoss.slow_loss_is_slow",
    part="another loss of L_2 exceeds C T^a, for every C and every a < 1/2",
)
proved(
    "sec1:for_each_loss_in_L_2",
    "SlowLoss.printed_rates_fail",
    "SlowLoss.slow_loss_is_slow",
    "GridLowerBound.external_below_swap",
    against_the_print=True,
)
proved("sec1:follow_the_leader", "SlowLoss.printed_rates_fail", against_the_print=True)
proved(
    "sec1:for_each_loss_in_L_2",
    "Proposition2.proposition2",
    "Corollary1.corollary1",
    part="the bounds for each loss with finite c",
)
proved("appB:swap_regret_below_4_cal1", "Cal1.swap_regret_of_bounded_losses", "Cal1.four_is_attained")

# Grids, rounding, one learner
proved(
    "lem:discretization", "Lemma6.lemma6", part="(a) to (c), and (d) with log 2 in place of Euler's constant"
)
proved("lem:discretization/a", "Lemma6.lemma6")
proved("lem:discretization/b", "Lemma6.lemma6")
proved("lem:discretization/c", "Lemma6.lemma6")
proved("lem:discretization/d", "Lemma6.lemma6", part="with log 2 in place of Euler's constant")
proved("lem:discretization_II", "Lemma7.lemma7")
proved("lem:discretization_II/a", "Lemma7.lemma7")
proved("lem:discretization_II/b", "Lemma7.lemma7")
proved("pinsker", "Pinsker.pinsker", "Pinsker.pinsker_constants")
proved("thm:log_loss_swap_reg/chi-square", "Pinsker.pinsker")
proved(
    "alg:EWOO",
    "EwooMean.ewoo_is_mean",
    "EwooMean.weights_integrable",
    "EwooMean.losses_so_far",
    part="the mean as a limit of integrals over [e, 1 - e]",
)
proved("lem:EWOO_regret_bound", "Lemma4.lemma4")
proved("lem:EWOO_regret_bound/sharp", "Lemma4.lemma4")
proved("lem:rounding", "Lemma5.lemma5", "Lemma5.lemma5_sharp", "Lemma5.two_ln_sec_le_tan2")
proved("new:rounding-log-secant", "Lemma5.lemma5_sharp")

# Section 4
proved(
    "thm:log_loss_swap_reg",
    "Theorem1.theorem1",
    "Theorem1.theorem1_better",
    "Proposition1.swap_regret_of_log_loss",
    "LossBasics.drawn_KLCal",
)
proved("lem:Freedman", "Freedman.freedman", part="games with finitely many moves and rounds")
proved("cor:simutaneous_bounds_msr", "Corollary1.corollary1")
proved(
    "cor:simutaneous_bounds_msr",
    "SlowLoss.printed_rates_fail",
    "GridLowerBound.external_below_swap",
    against_the_print=True,
)

# Section 5
proved("alg:A_i", "Learners.rounded_learner", "Lemma5.rround_is_distribution")
proved("alg:BM_log_loss/reduction", "Learners.sum_of_regrets")
proved("alg:BM_log_loss", "Theorem2.algorithm1_is_stationary", "Theorem2.algorithm1_is_causal")
proved(
    "thm:bound_pkcal",
    "Theorem2.theorem2",
    "Theorem2.theorem2_sharp",
    "Lemma5.two_ln_sec_le_tan2",
    "Rate.theorem2_rate",
)
proved(
    "thm:bound_pkcal/explicit",
    "Theorem2.theorem2_by_masses",
    "Theorem2.sum_ln_masses",
    "Lemma5.two_ln_sec_le_tan2",
    part="the bounds by the masses and by T",
)
proved(
    "sec:pseudo-KL-Cal/doubling",
    "Doubling.doubling_by_epochs",
    part="the bound by the sum of Theorem 2 over the epochs",
)
proved("sec:pseudo-KL-Cal/doubling-rate", "Doubling.doubling_rate", part="18.5 T^(1/3)(log T)^(2/3) + 2")
proved(
    "cor:simultaneous_bounds_psreg",
    "Theorem2.theorem2",
    "Theorem2.algorithm1_is_stationary",
    "Proposition2.proposition2",
    "Proposition3.proposition3",
    "Cal1.swap_regret_of_bounded_losses",
    "Corollary2.corollary2",
)

# Section 6
proved(
    "thm:high_prob_bound",
    "Theorem3.theorem3_any_algorithm",
    "Theorem3.theorem3_known_masses",
    "Theorem3.theorem3_printed",
)
proved(
    "cor:cal_2_hp_bound",
    "Corollary3.corollary3",
    "Corollary3.corollary3_adaptive",
    "Proposition3.proposition3",
    part="the two bounds, with that of Theorem 2 in place of PKLCal, and G/2 of Cal_2",
)

# Explicit algorithms
proved(
    "new:realised",
    "Realised.realised_feedback",
    part="the last bound, with the mixture on the lowest closed class",
)
proved("new:pair/choice", "PairRule.move_exists", "PairRule.pair_mixture_is_distribution")
proved("new:ville", "Ville.ville", part="games with finitely many moves and rounds")
proved("new:pair/martingale", "PairRule.pair_rule_balance", "TheoremA.pair_wealth_martingale")
proved("new:pair/kt", "KT.kt_regret")
proved("new:pair/clipped-leader", "KT.bucket_wealth")
proved("new:pair/cell-to-point", "CellToPoint.pair_cell_to_point", "TheoremB.KL_nearest")
proved("new:pair/used-buckets", "TheoremA.cost_of_buckets_le")
proved("new:pair/explicit", "TheoremA.theoremA_explicit", "TheoremA.theoremA_expectation")
proved(
    "new:pair",
    "TheoremA.theoremA",
    "TheoremA.theoremA_explicit",
    "TheoremA.theoremA_expectation_used",
    "TheoremA.theoremA_expectation",
    "TheoremA.pair_exponential_moment",
)
proved("new:pair/rate", "PairRate.pair_rate", part="with the constant 4")
proved("new:pair-expected", "PairExpected.pair_expected_bound", "PairExpected.pair_expected_explicit")
proved("new:pair-experts/count", "TheoremB.few_experts")
proved("new:pair-experts/lemma", "Experts.mean_wealth_bound", "TheoremB.few_experts")
proved("new:pair-experts", "TheoremB.theoremB", "TheoremB.theoremB_expectation")
proved("new:square-of-logarithm", "PoissonDivergence.square_of_logarithm")
proved("new:kl-from-pseudo/rare-draws", "TheoremC.rare_draws")
proved("new:kl-from-pseudo/net", "PoissonDivergence.few_exponents")
proved("new:kl-from-pseudo/weights", "TheoremCGrid.weights_of_the_grid")
proved("new:kl-from-pseudo/cell", "PoissonDivergence.cell_transfer")
proved("new:kl-from-pseudo", "TheoremC.theoremC", "TheoremCGrid.theoremC_grid")
proved("new:algorithm-1-tail", "TheoremCGrid.theoremC_algorithm1", "Theorem2Adaptive.theorem2_adaptive")
proved("new:realised-tail/scalar", "TheoremD.exp_minus_square")
proved("new:realised-tail/pointwise", "TheoremD.pointwise")
proved("new:realised-tail", "TheoremD.theoremD")
proved("new:fixed-grid", "FixedGrid.fixed_grid")
proved(
    "new:tail",
    "Necessity.tail_is_necessary",
    "Necessity.additive_term",
    part="forecasts inside (0, 1); T log 2 <= f + c T log 2 for c >= 0",
)

# All losses at once; comparisons
proved("new:msr_is_an_envelope", "Envelope.envelope")
proved("new:ucal_is_an_envelope", "UCalibration.U_calibration_is_an_envelope")
proved(
    "new:one_kink_gets_half", "Envelope.one_kink_gets_half", part="at least half of the largest swap regret"
)
proved("new:smooth_losses_suffice", "SmoothLosses.smooth_losses_suffice", part="the two suprema are equal")
proved(
    "new:msr_L2_lower_bound",
    "FairCoin.max_over_L2_fair_coin",
    part="E[Msr] is at least sqrt(T)/2, for T >= 4",
)
proved(
    "new:grid_lower_bound/sine",
    "SineGridLowerBound.sine_grid_lower_bound",
    part="at least these prices, and more than 1/K",
)
proved(
    "new:grid_lower_bound",
    "GridLowerBound.grid_lower_bound",
    "GridLowerBound.external_below_swap",
    "SmoothLosses.max_over_L2_lower_bound",
    part="external regret, and the largest swap regrets of the draws",
)
proved("new:murphy", "Murphy.murphy", part="the decompositions of both losses")

# The tree
proved("new:tree/move", "TreeBasics.tree_move_exists", "TreeBasics.tree_is_proper")
proved(
    "new:tree/martingale",
    "TreeMartingale.capital_is_a_martingale",
    "TreeMartingale.prior_wealth_sum",
    "TreeMartingale.tree_wealth_bounded",
    "TreeMartingale.wealth_bounded_total",
    "TreeMartingale.wealth_bounded_node",
)
proved("new:tree/cell", "TreeCell.KL_midpoint_le_KL_cell")
proved(
    "new:tree",
    "TreeKL.tree_KL",
    "TreeKL.tree_KL_expectation",
    "TreeRate.cost_le_rate",
    "TreeRate.tree_KL_rate",
    "TreeRate.tree_KL_rate_expectation",
)
proved("new:tree/swap", "TreeSwap.tree_both_rates", "TreeSwap.tree_swap", "TreeSwap.tree_swap_expectation")

# The lower bound
proved("new:lower/signs", "SignGame.sign_game_lower")
