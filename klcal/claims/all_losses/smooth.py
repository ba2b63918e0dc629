"""Claims on suprema over smooth losses: without a cap on the curvature nothing is gained, with one it is a program."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import partial

import numpy as np
from scipy.optimize import linprog

from klcal import measures
from klcal._checks import FloatArray
from klcal.claims._combinators import jointly
from klcal.claims._evidence import Evidence
from klcal.claims._legacy import Claim
from klcal.exact.kinks import CHAPTER, HALF, Kink, optimum, small_games
from klcal.exact.counterexamples import Tent, TentLoss
from klcal.measures.cells import Cells


def smooth_twin(kinks: tuple[Kink, ...], half_width: Fraction, wrong_side: bool = False) -> TentLoss:
    """Return a loss in L_2 that has a tent beside each kink, on the side on which the kink was counted.

    Parameters
    ----------
    kinks : tuple of Kink
        A loss in [-1, 1] with kinks that use up the whole range, each tie 0 or 1.
    half_width : Fraction
        Of the tents; small enough that they are disjoint.
    wrong_side : bool
        Whether to put the tents on the other side.

    Returns
    -------
    TentLoss
        Scaled by 1 / (1 + 2 half_width), which makes room for the shift by one half-width.

    Examples
    --------
    >>> loss = smooth_twin((Kink(HALF, Fraction(4)),), Fraction(1, 8))
    >>> loss.curvature(Fraction(5, 8)), loss.curvature(HALF), loss(Fraction(1), 0), loss(Fraction(0), 0)
    (Fraction(128, 5), Fraction(0, 1), Fraction(1, 1), Fraction(-1, 1))
    """
    w, scale = half_width, 1 / (1 + 2 * half_width)

    def tent(kink: Kink) -> Tent:
        leftwards = kink.place == 1 or (kink.place > 0 and (kink.above == 1) != wrong_side)
        return Tent(kink.place - w if leftwards else kink.place + w, w, scale * kink.mass)

    tents = sorted((tent(kink) for kink in kinks if kink.mass > 0), key=lambda each: -each.centre)
    return TentLoss(lambda n: tents[n - 1], Fraction(-1), Fraction(-2), count=len(tents))


def smooth_losses_suffice(slack: Fraction = Fraction(1), wrong_side: bool = False) -> Evidence:
    """Compare the regret of a loss in L_2 with the supremum over all bounded proper losses, game by game.

    The profile is linear beside the kink, with a slope of at most T, so a tent one half-width w away collects
    all but T w of its height for every unit of mass. The masses add up to 4; scaling costs at most 2 w Msr.

    Parameters
    ----------
    slack : Fraction
        Factor on what may be missing.
    wrong_side : bool
        Whether to put the tents on the other side of the kinks.
    """
    half_width = Fraction(1, 1000)
    shares, outside, steep = [], Fraction(0), Fraction(0)
    for cells in small_games()[::2]:
        best, rounds = optimum(cells, "swap"), sum(cells.mass, Fraction(0))
        loss = smooth_twin(best.kinks, half_width, wrong_side)
        missing = best.value - cells.swap_regret(loss.divergence)
        shares.append(missing / ((4 * rounds + 2 * best.value) * half_width))
        # Losses of either outcome are monotone in the forecast, so the ends show the whole range.
        outside = max(outside, *(abs(loss(Fraction(p), y)) for p in (0, 1) for y in (0, 1)))
        steep = max(steep, *(loss.curvature(loss.tent(n + 1).centre) for n in range(loss.count or 0)))
    return jointly(
        Evidence(
            max(shares),
            slack,
            "<=",
            "largest (Msr - SReg) / ((4T + 2 Msr) w) of a loss with tents of half-width w, in fractions",
            {"w": str(half_width), "games": len(shares)},
        ),
        Evidence(outside, 1, "<=", "the loss stays in [-1, 1]"),
        Evidence(steep, 4 / half_width, "<=", "and in L_G with G = 4/w"),
    )


def _one_cell(G: Fraction, x: Fraction) -> tuple[Fraction, Fraction]:
    """Return primal and dual value for one round with forecast 1/2 and outcome 1, whose profile is 1 - u from 1/2 on.

    Primal: density G from 1/2 to x, which uses up the range of outcome 0 if G (x^2 - 1/4)/2 = 2. Dual: the
    line from (0, 0) through (x, 1 - x).
    """
    if G * (x**2 - HALF**2) != 4:
        raise ValueError(f"x must use up the range exactly; got {x}")
    primal = G * ((x - HALF) - (x**2 - HALF**2) / 2)
    b = (1 - x) / x
    return primal, 2 * b + primal - G * b * (x**2 - HALF**2) / 2


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


def _instances() -> Iterator[tuple[Cells, float]]:
    for seed in range(6):
        for cap in (4.5, 8.0, 40.0):
            yield _random_cells(seed), cap


def capped_program(linear: bool = False, both: bool = True) -> Evidence:
    """Compare `max_swap_regret` over L_G, G > 4, with a linear program and its dual, and with two exact values.

    Parameters
    ----------
    linear : bool
        Whether to take (G/2) Cal_2 instead, which is right for G <= 4 only.
    both : bool
        Whether both outcomes limit the range of the loss.
    """
    drift = 0.0
    for G, x in ((Fraction(64, 5), Fraction(3, 4)), (Fraction(256, 9), Fraction(5, 8))):
        primal, dual = _one_cell(G, x)
        value = measures.max_swap_regret(Cells([0.5], [1], [1]), smoothness=float(G))
        drift = max(drift, abs(value - float(primal)), abs(float(dual - primal)))
    wrong = tried = 0
    for cells, cap in _instances():
        value = (
            cap / 2 * measures.calibration_error(cells) if linear else measures.max_swap_regret(cells, cap)
        )
        low, high = _sandwich(cells, cap, both=both)
        wrong += not low * (1 - 1e-9) <= value <= high * (1 + 1e-9) <= low * 1.002
        tried += 1
    return jointly(
        Evidence(
            wrong,
            0,
            "==",
            "klcal.max_swap_regret lies between a linear program (HiGHS) and its dual, which are 0.2% apart",
            {"instances": tried},
        ),
        Evidence(drift, 4e-16, "<=", "one cell at G = 64/5 and 256/9: primal, dual and klcal agree"),
    )


CLAIMS: tuple[Claim, ...] = (
    Claim(
        label="new:smooth_losses_suffice",
        number="new",
        title="the supremum over L_2 is that over all bounded losses",
        kind="exact",
        chapter=CHAPTER,
        statement=(
            "Msr over L_2 equals Msr over all proper losses in [-1, 1], for all cells; and Msr over L_G is at least"
            " Msr - (16T + 8 Msr)/G once tents of half-width 4/G fit between the break points."
        ),
        uses=("new:msr_is_an_envelope",),
        check=smooth_losses_suffice,
        spoil=(
            partial(smooth_losses_suffice, wrong_side=True),
            partial(smooth_losses_suffice, slack=Fraction(99, 100)),
        ),
    ),
    Claim(
        label="new:max_regret_over_L_G/capped",
        number="new",
        title="the maximum over L_G beyond G = 4",
        kind="numeric",
        chapter=CHAPTER,
        statement=(
            "For G > 4, Msr over L_G is the smallest 2a + 2b + G times the integral of the positive part of"
            " phi(u) - a(1-u) - bu over a, b >= 0; in general less than (G/2) Cal_2."
        ),
        uses=("new:regret_is_linear_in_the_bend", "new:max_regret_over_L_G"),
        check=capped_program,
        spoil=(partial(capped_program, linear=True), partial(capped_program, both=False)),
    ),
)
