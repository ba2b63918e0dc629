r"""Appendix D, Equations 11 to 17, on the draws of Algorithm 1 against every oblivious adversary."""

from __future__ import annotations

import math
from functools import partial

import numpy as np
import numpy.typing as npt

from klcal import bounds
from klcal.claims._combinators import closed, jointly
from klcal.claims._evidence import Evidence
from klcal.claims._legacy import Claim
from klcal.claims.high_probability._common import CHAPTER, all_oblivious, covered
from klcal.games.deviations import Draws, deviation_ratios, printed_steps

# Rates fixed in advance; each has its own event, as no maximum over rates is taken.
RATES = (1.0, 1 / 4, 1 / 16, 1 / 64)

Failures = npt.NDArray[np.bool_]


def _fixed_rate(draws: Draws, delta: float, scale: float) -> Failures:
    """Tell where one of the two sums at one point exceeds mu S + log(4/delta)/mu, for each fixed mu."""
    mass = draws.mass
    ones, count = np.abs(draws.weights[:, 1] - draws.counts[:, 1]), np.abs(mass - draws.count)
    limits = [scale * (mu * mass + math.log(4.0 / delta) / mu) for mu in RATES]
    return np.concatenate([(ones > limit) | (count > limit) for limit in limits], axis=1)


def equation_11(scale: float = 1.0) -> Evidence:
    """Check both sums of one point at one fixed rate: all points, four rates, three deltas."""
    return covered(
        "one point, one rate mu fixed in advance", all_oblivious(), partial(_fixed_rate, scale=scale)
    )


def _any_point(
    draws: Draws, delta: float, names: tuple[str, ...], scale: float, mu: float | None
) -> Failures:
    """Tell in which replicates some point exceeds one of the named bounds, times scale."""
    ratios = deviation_ratios(draws, delta, mu)
    return np.asarray(np.stack([ratios[name] > scale for name in names]).any(axis=(0, 2)))


def at_fixed_rates(names: tuple[str, ...], scale: float = 1.0) -> Evidence:
    """Check the named deviations at all points at once, for rates fixed in advance."""

    def failing(draws: Draws, delta: float) -> Failures:
        return np.stack([_any_point(draws, delta, names, scale, mu) for mu in RATES], axis=1)

    return covered(f"{' and '.join(names)} of all points, rates fixed in advance", all_oblivious(), failing)


def _rate_misses(draws: Draws, delta: float, scale: float) -> Failures:
    square = (draws.rate - draws.expected_rate) ** 2
    bound = scale * bounds.rate_deviation(draws.mass, len(draws.points), delta)
    return np.asarray(((square > bound) & (draws.mass > 0.0)).any(axis=1))


def equation_15(scale: float = 1.0) -> Evidence:
    r"""Check :math:`(\rho_i - \tilde\rho_i)^2` at all points, the rates tuned to masses known in advance."""
    return covered("frequencies of all points", all_oblivious(), partial(_rate_misses, scale=scale))


def _count_misses(draws: Draws, delta: float, scale: float) -> Failures:
    bound = scale * bounds.count_deviation(draws.mass, len(draws.points), delta)
    return np.asarray(((np.abs(draws.mass - draws.count) > bound) & (draws.mass > 0.0)).any(axis=1))


def equation_16(scale: float = 1.0) -> Evidence:
    r"""Check :math:`|S_i - n_i|` at all points, the rates tuned to masses known in advance."""
    return covered("counts of all points", all_oblivious(), partial(_count_misses, scale=scale))


def _theorem(draws: Draws, delta: float, factor: float, additive: float) -> Failures:
    size = len(draws.points)
    return np.asarray(draws.cal2 > factor * draws.pcal2 + additive * size * math.log(4.0 * size / delta))


def equation_17(factor: float = 6.0, additive: float = 96.0) -> Evidence:
    """Check Cal_2 <= 6 PCal_2 + 96 |Z| log(4|Z|/delta) for Algorithm 1 against every oblivious adversary."""
    return covered(
        f"Cal_2 <= {factor:g} PCal_2 + {additive:g} |Z| log(4|Z|/delta)",
        all_oblivious(),
        partial(_theorem, factor=factor, additive=additive),
    )


def lines_in_order(second: float = 1.0) -> Evidence:
    """Compare every line of the printed proof with the one before, where Equations 15 and 16 hold.

    Parameters
    ----------
    second : float
        Factor on the second line; with 1/2 it is the false (a + b)^2 <= a^2 + b^2.
    """
    delta, worst = 0.05, math.inf
    for draws in all_oblivious():
        chain = np.stack(list(printed_steps(draws, delta).values()))
        chain[1] *= second
        good = ~(_rate_misses(draws, delta, 1.0) | _count_misses(draws, delta, 1.0))
        worst = min(worst, float((chain[1:, good] / chain[:-1, good]).min()))
    # Sums of the same numbers in another order may differ in the last digits.
    return Evidence(
        worst, 1 - 1e-12, ">=", "smallest ratio of a line of the proof to the one before, all replicates"
    )


CLAIMS: tuple[Claim, ...] = (
    Claim(
        label="eq:bounding_X_and_Y",
        number="Equation 11",
        title="both sums of one point",
        kind="statistical",
        chapter=CHAPTER,
        statement="For a point i and a rate mu in (0, 1] fixed in advance, with probability at least 1 - delta both "
        "|sum y (P - 1{i_t = i})| and |sum (P - 1{i_t = i})| are at most mu S + log(4/delta)/mu. True for every "
        "algorithm, as mu does not depend on S; here checked on Algorithm 1.",
        uses=("lem:Freedman",),
        check=equation_11,
        spoil=(partial(equation_11, 0.3),),
        rows=(96, 97),
    ),
    Claim(
        label="eq:bounding_diff_p_ind",
        number="Equation 12",
        title="sums of all points, rates fixed in advance",
        kind="statistical",
        chapter=CHAPTER,
        statement="For rates mu_i fixed in advance, with probability at least 1 - delta both sums of Equation 11 "
        "are at most mu_i S_i + log(4|Z|/delta)/mu_i at all points at once.",
        uses=("eq:bounding_X_and_Y",),
        check=partial(at_fixed_rates, ("ones", "count")),
        spoil=(partial(at_fixed_rates, ("ones", "count"), 0.3),),
        rows=(96, 97),
    ),
    Claim(
        label="eq:bounding_rho_union_bound",
        number="Equation 13",
        title="frequencies of all points, rates fixed in advance",
        kind="statistical",
        chapter=CHAPTER,
        statement="On the event of Equation 12, |rho_i - rho~_i| is at most 2 mu_i + 2 log(4|Z|/delta)/(mu_i "
        "S_i) at all points at once; also for points that were never drawn, with rho = 0.",
        uses=("eq:bounding_diff_p_ind",),
        check=partial(at_fixed_rates, ("ones", "count", "rate")),
        spoil=(partial(at_fixed_rates, ("rate",), 0.05),),
        rows=(96, 97),
    ),
    Claim(
        label="eq:defintion_I",
        number="Equation 14",
        title="the best rate",
        kind="symbolic",
        chapter=CHAPTER,
        statement="mu S + L/mu is smallest over (0, 1] at mu = sqrt(L/S) if S >= L, and at mu = 1 otherwise; so "
        "the set I of points with S_i >= L is decided by the masses. (Printed with 0 in the range of mu, where "
        "the bound has no value.) If the masses are random, so are the best rates.",
        check=partial(closed, "freedman-optimum", "freedman-capped"),
        spoil=(
            partial(closed, "freedman-optimum", factor=2),
            partial(closed, "freedman-capped", factor=2),
        ),
        rows=(98,),
    ),
    Claim(
        label="eq:final_bound_rho_tilde_rho",
        number="Equation 15",
        title="realised against expected frequency",
        kind="statistical",
        chapter=CHAPTER,
        statement="For masses S_i known in advance, with probability at least 1 - delta, (rho_i - rho~_i)^2 is "
        "at most 16 L/S_i where S_i >= L = log(4|Z|/delta), and at most 1 elsewhere, at all points at once.",
        uses=("eq:bounding_rho_union_bound", "eq:defintion_I", "eq:final_bound_rho_tilde_rho/explicit"),
        check=equation_15,
        spoil=(partial(equation_15, 0.004),),
        rows=(96, 98),
    ),
    Claim(
        label="eq:final_bound_diff_p_ind",
        number="Equation 16",
        title="count against mass",
        kind="statistical",
        chapter=CHAPTER,
        statement="For masses S_i known in advance, with probability at least 1 - delta, |S_i - n_i| is at most "
        "2 sqrt(L S_i) where S_i >= L = log(4|Z|/delta), and at most S_i + L elsewhere, at all points at once.",
        uses=("eq:bounding_diff_p_ind", "eq:defintion_I", "eq:final_bound_diff_p_ind/explicit"),
        check=equation_16,
        spoil=(partial(equation_16, 0.3),),
        rows=(96, 98),
    ),
    Claim(
        label="eq:hp_bound_cal_2",
        number="Equation 17",
        title="the conclusion, for mixtures known in advance",
        kind="statistical",
        chapter=CHAPTER,
        statement="If outcomes are oblivious and mixtures are a function of them, then with probability at least "
        "1 - delta Cal_2 <= 6 PCal_2 + 96 |Z| log(4|Z|/delta); and on the event of Equations 15 and 16 every "
        "line of the proof is at least the line before. Checked on Algorithm 1.",
        uses=(
            "eq:final_bound_rho_tilde_rho",
            "eq:final_bound_diff_p_ind",
            "thm:high_prob_bound/explicit",
        ),
        check=lambda: jointly(equation_17(), lines_in_order()),
        spoil=(partial(equation_17, 1.0, 0.1), partial(lines_in_order, 0.5)),
        rows=(95, 99),
    ),
)
