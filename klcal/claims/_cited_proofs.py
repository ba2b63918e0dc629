"""Which claims rest on machine-checked proofs, and on which theorems of ``proofs/``.

A claim stands here without `part` only if the theorems say all of it; otherwise `part` names what they say.
"""

from __future__ import annotations

from klcal.claims._proofs import proved

# Sections 1 to 3
proved("lem:relate_breg_vbreg", "Lemma2.lemma2", part="both points inside (0, 1)")
proved("lem:characterization_proper_loss", "LossBasics.lemma1", part="losses with real values")
proved("sec1:kl_bounds_cal2", "Pinsker.Cal2_below_KLCal", part="the inequalities with the constant 2")
proved("prop:swap_reg_breg_div", "Proposition1.proposition1")
proved("prop:swap_reg_breg_div/realised", "Proposition1.proposition1")
proved("prop:swap_reg_breg_div/pseudo", "Proposition1.proposition1")
proved("sec3:squared_loss", "Proposition1.swap_regret_of_squared_loss")
proved("sec3:log_loss", "Proposition1.swap_regret_of_log_loss")
proved("sec3:pseudo_below_expected", "PseudoBelowExpected.pseudo_below_expected")
proved("sec3:pseudo_below_expected", "PseudoBelowExpected.pseudo_above_expected", against_the_print=True)
proved("lem:hessian_growth", "Lemma3Counterexample.lemma3_is_false", against_the_print=True)
proved("prop:breg_div_decomposable", "Proposition2.proposition2")
proved(
    "prop:breg_div_decomposable",
    "Lemma3Counterexample.proposition2_as_printed_is_false",
    against_the_print=True,
)
proved("new:growth_condition_is_necessary", "Proposition2.proposition2", part="for means in [0, 1]")
proved("prop:bound_breg_div_quadratically", "Proposition3.proposition3")
proved(
    "prop:bound_breg_div_quadratically",
    "Proposition3.proposition3_needs_regular_ends",
    against_the_print=True,
)
proved("prop:bound_breg_div_quadratically/sharp", "Proposition3.proposition3")
proved("prop:bound_breg_div_quadratically/kl", "Proposition3.proposition3", part="the inequalities with G/4")
proved("new:max_regret_over_L_G", "Proposition3.proposition3", part="the value of the maximum")
proved("new:slow_loss_rate", "SlowLoss.slow_loss_is_slow", part="some loss in L_2 has no such rate")
proved("sec1:for_each_loss_in_L_2", "SlowLoss.printed_rates_fail", against_the_print=True)
proved("sec1:for_each_loss_in_L_2", "Proposition2.proposition2", "Corollary1.corollary1")
proved("appB:swap_regret_below_4_cal1", "Cal1.swap_regret_of_bounded_losses", "Cal1.four_is_attained")

# Grids, rounding, one learner
proved("lem:discretization_II", "Lemma7.lemma7")
proved("pinsker", "Pinsker.pinsker", "Pinsker.pinsker_constants")
proved("alg:EWOO", "EwooMean.ewoo_is_mean", part="the mean as a limit of integrals over [e, 1 - e]")
proved("lem:EWOO_regret_bound", "Lemma4.lemma4")
proved("lem:EWOO_regret_bound/sharp", "Lemma4.lemma4", part="the bound by log(1 + S)")
proved("lem:rounding", "Lemma5.lemma5")
proved("new:rounding-log-secant", "Lemma5.lemma5_sharp", part="the bound 2 log sec")

# Section 4
proved(
    "thm:log_loss_swap_reg",
    "Theorem1.theorem1",
    "Theorem1.theorem1_better",
    "Proposition1.swap_regret_of_log_loss",
)
proved("lem:Freedman", "Freedman.freedman", part="games with finitely many moves and rounds")
proved("cor:simutaneous_bounds_msr", "Corollary1.corollary1")

# Section 5
proved("alg:BM_log_loss", "Theorem2.algorithm1_is_stationary", "Theorem2.algorithm1_is_causal")
proved("thm:bound_pkcal", "Theorem2.theorem2", "Theorem2.theorem2_sharp", "Rate.theorem2_rate")
proved("sec:pseudo-KL-Cal/doubling", "Doubling.doubling_by_epochs", part="the bound epoch by epoch")
proved("sec:pseudo-KL-Cal/doubling-rate", "Doubling.doubling_rate", part="18.5 T^(1/3)(log T)^(2/3) + 2")
proved("cor:simultaneous_bounds_psreg", "Corollary2.corollary2")

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
    part="the two bounds, by those of Theorem 2",
)

# Explicit algorithms
proved("new:realised", "Realised.realised_feedback")
proved("new:pair/choice", "PairRule.pair_mixture_is_distribution")
proved("new:pair/martingale", "TheoremA.pair_wealth_martingale")
proved("new:pair/clipped-leader", "KT.bucket_wealth")
proved("new:pair/cell-to-point", "CellToPoint.pair_cell_to_point")
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
proved("new:pair-experts", "TheoremB.theoremB", "TheoremB.theoremB_expectation")
proved("new:kl-from-pseudo", "TheoremC.theoremC", "TheoremCGrid.theoremC_grid")
proved("new:algorithm-1-tail", "TheoremCGrid.theoremC_algorithm1")
proved("new:realised-tail", "TheoremD.theoremD")
proved("new:fixed-grid", "FixedGrid.fixed_grid")
proved("new:tail", "Necessity.tail_is_necessary", "Necessity.additive_term")

# All losses at once; comparisons
proved("new:msr_is_an_envelope", "Envelope.envelope")
proved("new:ucal_is_an_envelope", "UCalibration.U_calibration_is_an_envelope")
proved(
    "new:one_kink_gets_half", "Envelope.one_kink_gets_half", part="at least half of the largest swap regret"
)
proved("new:smooth_losses_suffice", "SmoothLosses.smooth_losses_suffice", part="the two suprema are equal")
proved("new:msr_L2_lower_bound", "FairCoin.max_over_L2_fair_coin", part="with sqrt(T)/2, for T >= 4")
proved("new:grid_lower_bound/sine", "SineGridLowerBound.sine_grid_lower_bound", part="more than T/K")
proved("new:grid_lower_bound", "GridLowerBound.grid_lower_bound", part="external regret")
proved("new:murphy", "Murphy.murphy", part="swap regrets and the two named losses")

# The tree
proved("new:tree/move", "TreeBasics.tree_move_exists", "TreeBasics.tree_is_proper")
proved(
    "new:tree/martingale",
    "TreeMartingale.capital_is_a_martingale",
    "TreeMartingale.tree_wealth_bounded",
    "TreeMartingale.wealth_bounded_total",
    "TreeMartingale.wealth_bounded_node",
)
proved("new:tree/cell", "TreeCell.KL_midpoint_le_KL_cell")
proved(
    "new:tree",
    "TreeKL.tree_KL",
    "TreeKL.tree_KL_expectation",
    "TreeRate.tree_KL_rate",
    "TreeRate.tree_KL_rate_expectation",
)
proved("new:tree/swap", "TreeSwap.tree_both_rates", "TreeSwap.tree_swap", "TreeSwap.tree_swap_expectation")
