r"""Every right-hand side of the theory, one function per statement, free of data.

A statement of the paper with an unspecified constant is given here with an explicit one, and many statements
come in several versions, chosen by ``version=``:

- ``"paper"``: the paper's own constant; where it writes :math:`O(\cdot)`, what its proof displays, added up;
- ``"repaired"``: a true statement in place of one that is not true as printed;
- ``"sharpened"`` (the default): the best simple constant for the paper's own argument;
- ``"best"``: the smallest right-hand side proved here, by another step or as the exact maximum (the default of
  `theorem_1_nearest`, where it is no more complicated).

Functions take scalars (and return a float), arrays (and broadcast) or balls (`flint.arb`, and return a ball that holds
the value at every number in them; T and K may then be real). `BOUNDS` lists them by name.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from klcal.bounds.algorithm import (
    corollary_2,
    doubling_trick,
    realised_in_expectation,
    theorem_2,
    theorem_2_best_K,
    theorem_2_from_masses,
)
from klcal.bounds.baselines import squared_loss_pcal2
from klcal.bounds.discretization import lemma_6a, lemma_6b, lemma_6c, lemma_6d, lemma_7, lemma_7_ends
from klcal.bounds.existence import (
    corollary_1,
    deviation,
    log_loss_range,
    theorem_1,
    theorem_1_full_grid,
    theorem_1_high_probability,
    theorem_1_nearest,
    theorem_1_tail,
)
from klcal.bounds.explicit import (
    pair,
    pair_anytime,
    pair_expected,
    pair_experts,
    pair_from_counts,
    realised_kt,
)
from klcal.bounds.high_probability import (
    corollary_3,
    corollary_3_expectation,
    count_deviation,
    freedman,
    rate_deviation,
    theorem_3,
)
from klcal.bounds.implications import (
    cal1_from_cal2,
    cal2_from_kl,
    chi_square,
    log_chi_square,
    pinsker,
    proposition_2,
    proposition_3,
    proposition_3_from_kl,
    swap_regret_from_cal1,
)
from klcal.bounds.learning import ewoo_regret, initialisation_cost
from klcal.bounds.lower import squares_log_lower_bound, squares_lower_bound
from klcal.bounds.rates import pair_anytime_rate, pair_rate, theorem_1_paper_K, theorem_1_rate, theorem_2_rate
from klcal.bounds.rounding_costs import (
    clamp_cost,
    comparator_error,
    comparator_error_inner,
    remark_1_linear,
    remark_1_nearest,
    rounding_cost,
    rounding_cost_cell,
)
from klcal.bounds.tails import (
    algorithm_1_high_probability,
    fixed_grid_lower_bound,
    kl_from_pseudo,
    realised_high_probability,
    tail_lower_bound,
)
from klcal.bounds.tree import (
    tree,
    tree_expected,
    tree_expected_from_masses,
    tree_expected_swap,
    tree_from_counts,
    tree_swap,
)

_BOUNDS: tuple[Callable[..., Any], ...] = (
    pinsker,
    cal2_from_kl,
    chi_square,
    log_chi_square,
    proposition_2,
    proposition_3,
    proposition_3_from_kl,
    cal1_from_cal2,
    swap_regret_from_cal1,
    lemma_6a,
    lemma_6b,
    lemma_6c,
    lemma_6d,
    lemma_7,
    lemma_7_ends,
    rounding_cost_cell,
    rounding_cost,
    clamp_cost,
    comparator_error,
    comparator_error_inner,
    remark_1_nearest,
    remark_1_linear,
    log_loss_range,
    deviation,
    theorem_1_high_probability,
    theorem_1,
    theorem_1_paper_K,
    theorem_1_rate,
    theorem_1_full_grid,
    theorem_1_nearest,
    theorem_1_tail,
    corollary_1,
    ewoo_regret,
    initialisation_cost,
    theorem_2,
    theorem_2_from_masses,
    theorem_2_rate,
    theorem_2_best_K,
    realised_in_expectation,
    doubling_trick,
    corollary_2,
    freedman,
    rate_deviation,
    count_deviation,
    theorem_3,
    corollary_3,
    corollary_3_expectation,
    squared_loss_pcal2,
    pair,
    pair_from_counts,
    pair_rate,
    pair_experts,
    pair_expected,
    pair_anytime,
    pair_anytime_rate,
    realised_kt,
    kl_from_pseudo,
    algorithm_1_high_probability,
    realised_high_probability,
    fixed_grid_lower_bound,
    tail_lower_bound,
    tree,
    tree_from_counts,
    tree_swap,
    tree_expected_from_masses,
    tree_expected,
    tree_expected_swap,
    squares_log_lower_bound,
    squares_lower_bound,
)

#: Name -> function, in the order of the paper.
BOUNDS: Mapping[str, Callable[..., Any]] = MappingProxyType({f.__name__: f for f in _BOUNDS})

__all__ = [
    "BOUNDS",
    "algorithm_1_high_probability",
    "cal1_from_cal2",
    "cal2_from_kl",
    "chi_square",
    "clamp_cost",
    "comparator_error",
    "comparator_error_inner",
    "corollary_1",
    "corollary_2",
    "corollary_3",
    "corollary_3_expectation",
    "count_deviation",
    "deviation",
    "doubling_trick",
    "ewoo_regret",
    "fixed_grid_lower_bound",
    "freedman",
    "initialisation_cost",
    "kl_from_pseudo",
    "lemma_6a",
    "lemma_6b",
    "lemma_6c",
    "lemma_6d",
    "lemma_7",
    "lemma_7_ends",
    "log_chi_square",
    "log_loss_range",
    "pair",
    "pair_anytime",
    "pair_anytime_rate",
    "pair_expected",
    "pair_experts",
    "pair_from_counts",
    "pair_rate",
    "pinsker",
    "proposition_2",
    "proposition_3",
    "proposition_3_from_kl",
    "rate_deviation",
    "realised_high_probability",
    "realised_in_expectation",
    "realised_kt",
    "remark_1_linear",
    "remark_1_nearest",
    "rounding_cost",
    "rounding_cost_cell",
    "squared_loss_pcal2",
    "squares_log_lower_bound",
    "squares_lower_bound",
    "swap_regret_from_cal1",
    "tail_lower_bound",
    "theorem_1",
    "theorem_1_full_grid",
    "theorem_1_high_probability",
    "theorem_1_nearest",
    "theorem_1_paper_K",
    "theorem_1_rate",
    "theorem_1_tail",
    "theorem_2",
    "theorem_2_best_K",
    "theorem_2_from_masses",
    "theorem_2_rate",
    "theorem_3",
    "tree",
    "tree_expected",
    "tree_expected_from_masses",
    "tree_expected_swap",
    "tree_from_counts",
    "tree_swap",
]
