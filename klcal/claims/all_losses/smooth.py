"""Claims on suprema over smooth losses: without a cap on the curvature nothing is gained, with one it is a program."""

from __future__ import annotations

import itertools
from fractions import Fraction

import numpy as np
from scipy.optimize import linprog

from klcal import measures
from klcal._checks import FloatArray
from klcal.claims._combinators import at_most, equal, jointly, none_of, worst
from klcal.claims._evidence import Evidence, cases
from klcal.claims._ledger import Chapter
from klcal.exact.cells import ExactCells
from klcal.exact.counterexamples import BoundaryLoss, TentLoss
from klcal.exact.kinks import HALF, optimum, small_games, smooth_twin
from klcal.measures.cells import Cells

chapter = Chapter("06_all_losses_at_once")


@chapter.claim(
    "new:smooth_losses_suffice",
    "new",
    "the supremum over L_2 is that over all bounded losses",
    kind="exact",
    scope=cases("tents of half-width 1/1000 in every other small game of new:msr_is_an_envelope"),
    controls={
        "tents on the other side of the kinks": {"inside": False},
        "0.99 of what may be missing": {"slack": Fraction(99, 100)},
    },
    steps=("new:msr_is_an_envelope",),
)
def smooth_losses_suffice(slack: Fraction = Fraction(1), inside: bool = True) -> Evidence:
    r"""$\mathsf{Msr}_{\mathcal L_2} = \mathsf{Msr}_{\mathcal L}$ for all cells; and if tents of half-width $4/G$ fit
    between the break points, a loss in $\mathcal L_2 \cap \mathcal L_G$ has swap regret at least
    $\mathsf{Msr}_{\mathcal L} - \frac1G(16\,T + 8\,\mathsf{Msr}_{\mathcal L})$.

    The profile is linear beside a kink, with a slope of at most T, so a tent one half-width w away collects all but T w
    of its height for every unit of mass. The masses add up to 4; scaling costs at most 2 w Msr.
    """
    w = Fraction(1, 1000)
    twins = [
        (cells, optimum(cells, "swap").value, smooth_twin(optimum(cells, "swap").kinks, w, inside=inside))
        for cells in small_games()[::2]
    ]

    def missing(case: tuple[ExactCells, Fraction, TentLoss]) -> Fraction:
        cells, largest, loss = case
        return (largest - cells.swap_regret(loss.divergence)) / ((4 * sum(cells.mass) + 2 * largest) * w)

    # Losses of either outcome are monotone in the forecast, so the ends show the whole range.
    ends = itertools.product((Fraction(0), Fraction(1)), (0, 1))
    return jointly(
        worst(
            r"largest $(\mathsf{Msr} - \mathsf{SReg})/((4T + 2\,\mathsf{Msr})w)$ with tents of half-width $w$",
            twins,
            missing,
            slack,
        ),
        none_of(
            r"losses outside $[-1, 1]$ or with $|f''| > 4/w$",
            itertools.product((loss for *_, loss in twins), list(ends)),
            lambda case: (
                abs(case[0](*case[1])) > 1
                or any(case[0].curvature(tent.centre) > 4 / w for tent in case[0].tents_above(Fraction(0)))
            ),
        ),
    )


@chapter.claim(
    "new:max_regret_over_L_G/capped",
    "new",
    "the maximum over L_G for every G",
    kind="exact",
    scope=cases("one round with forecast 1/2 and outcome 1 at G = 64/5 and 256/9; forecast 0 at G = 1"),
    controls={
        "slope at 0 larger by 1/100 than the one-sided derivative": {"slope_at_zero": Fraction(51, 100)}
    },
    steps=("new:regret_is_linear_in_the_bend",),
    uses=("new:max_regret_over_L_G",),
)
def capped_in_fractions(slope_at_zero: Fraction = HALF) -> Evidence:
    r"""For forecasts in $(0, 1)$, or losses that use the one-sided derivative of their form at 0 and 1,
    $\mathsf{Msr}_{\mathcal L_G} = \min_{\alpha, \beta \ge 0}\, 2\alpha + 2\beta + G\int_0^1(\varphi(u) - \alpha(1-u) -
    \beta u)^+du$; for $G > 4$ it is in general less than $\frac G2\mathsf{Cal}_2$.

    One round with forecast 1/2 and outcome 1 has the profile 1 - u from 1/2 on. Primal: density G from 1/2 to x, which
    uses up the range of outcome 0 if G (x^2 - 1/4)/2 = 2. Dual: the line from (0, 0) through (x, 1 - x). An atom of the
    measure at 0 would be a free supergradient, which no cap on the density sees.
    """

    def gap(case: tuple[Fraction, Fraction]) -> Fraction:
        G, x = case
        primal = G * ((x - HALF) - (x**2 - HALF**2) / 2)
        beta = (1 - x) / x
        return abs(2 * beta + primal - G * beta * (x**2 - HALF**2) / 2 - primal)

    return jointly(
        worst(
            "a density and a line of one value",
            ((Fraction(64, 5), Fraction(3, 4)), (Fraction(256, 9), Fraction(5, 8))),
            gap,
            0,
        ),
        at_most(
            BoundaryLoss(Fraction(1), slope_at_zero).divergence(1, 0),
            HALF,
            r"forecast 0, outcome 1, $G = 1$: regret of $\frac12p(1-p)$ against the formula $\frac12$",
        ),
        equal(
            Fraction(measures.max_swap_regret(Cells([0.0], [1], [1]), smoothness=1)),
            HALF,
            "`max_swap_regret` gives the formula",
        ),
    )


def _random_cells(seed: int, n: int = 5) -> Cells:
    rng = np.random.default_rng(seed)
    points = np.sort(rng.random(n))
    mass = rng.gamma(0.7, 10.0, n)
    return Cells(points, mass, mass * np.clip(rng.normal(points, 0.4), 0.0, 1.0))


def _height(cells: Cells, u: FloatArray) -> FloatArray:
    """Return the swap profile away from its break points, from its definition."""
    p, rho, n = cells.points[:, None], cells.means[:, None], cells.mass[:, None]
    return np.asarray(
        (n * np.abs(rho - u) * ((np.minimum(p, rho) < u) & (u < np.maximum(p, rho)))).sum(axis=0)
    )


def _sandwich(cells: Cells, cap: float, mesh: int = 300, both: bool = True) -> tuple[float, float]:
    """Return bounds on the capped maximum: a program over densities on a mesh, and its multipliers in the dual.

    Break points are on the mesh, so the profile is linear on each part of it and midpoints are exact in the
    primal. In the dual the positive part of a linear function is at most its mean of absolute values at the ends.
    """
    edges = np.unique(np.concatenate([np.linspace(0.0, 1.0, mesh + 1), cells.points, cells.means]))
    begin, end = edges[:-1], edges[1:]
    middle, width = (begin + end) / 2.0, end - begin
    height = _height(cells, middle)
    usage = np.array([(1.0 - middle) * width, middle * width])
    room = [2.0, 2.0 if both else 1e9]
    found = linprog(-height * width, A_ub=usage, b_ub=room, bounds=(0.0, cap), method="highs")
    a, b = -found.ineqlin.marginals
    # The profile at both ends of each part, from two of its inner points.
    third = _height(cells, begin + width / 3.0), _height(cells, end - width / 3.0)
    at_begin, at_end = 2.0 * third[0] - third[1], 2.0 * third[1] - third[0]
    above = (at_begin - a * (1.0 - begin) - b * begin, at_end - a * (1.0 - end) - b * end)
    positive = (np.maximum(above[0], 0.0) + np.maximum(above[1], 0.0)) / 2.0
    return -float(found.fun), 2.0 * a + 2.0 * b + cap * float(positive @ width)


@chapter.evidence(
    "new:max_regret_over_L_G/capped",
    kind="numeric",
    scope=cases("six random sets of five cells, G = 4.5, 8, 40"),
    controls={
        "the formula for G <= 4": {"linear": True},
        "no limit on the range of outcome 0": {"both": False},
        "0.997 of the value": {"factor": 0.997},
    },
)
def between_two_programs(linear: bool = False, both: bool = True, factor: float = 1.0) -> Evidence:
    """`max_swap_regret` between a linear program and its dual."""

    def outside(case: tuple[int, float]) -> bool:
        seed, cap = case
        cells = _random_cells(seed)
        cal2 = measures.calibration_error(cells)
        value = factor * (cap / 2 * cal2 if linear else measures.max_swap_regret(cells, cap))
        low, high = _sandwich(cells, cap, both=both)
        return not low * (1 - 1e-9) <= value <= high * (1 + 1e-9) <= low * 1.002

    return none_of(
        "cells for which `max_swap_regret` is not between a linear program (HiGHS) and its dual, 0.2% apart",
        itertools.product(range(6), (4.5, 8.0, 40.0)),
        outside,
    )
