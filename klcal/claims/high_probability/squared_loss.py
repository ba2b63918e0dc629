r"""The other algorithm that Section 6 names: Blum-Mansour for the squared loss, with follow-the-leader."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np
import sympy as sp
from flint import arb, fmpq

from klcal.claims._combinators import jointly, positive, vanishing, worst
from klcal.claims._evidence import Evidence, cases, step
from klcal.claims._ledger import Chapter
from klcal.claims.constants.formulas import recompute
from klcal.forecasters.baselines import FastSquaredBlumMansour
from klcal.grids import uniform_grid
from klcal.measures import calibration_error

chapter = Chapter("07_high_probability")

LABEL = "sec:bound_calibration/squared-loss"


@chapter.claim(
    LABEL,
    "Section 6, the squared-loss algorithm",
    "PCal_2 of Blum-Mansour with follow-the-leader",
    kind="certified",
    scope=step("the potential"),
    controls={"0.72 of the logarithm (at $b = 1$ there is 0.721)": {"slope": Fraction(72, 100)}},
    steps=("one round", "the potential", "rounding", "alg:BM_log_loss/reduction", "equal masses are worst"),
    uses=("thm:high_prob_bound",),
)
def regret_potential(slope: Fraction = Fraction(1)) -> Evidence:
    r"""Let $h(s) = s$ for $s \le 1$ and $1 + \log s$ beyond. On the grid $0, \frac1K, \dots, 1$, learners that play the
    weighted mean of their outcomes, linear rounding and any stationary mixture have $\mathsf{PCal}_2 \le \sum_ih(S_i) +
    \frac T{4K^2} \le (K+1)h(\frac T{K+1}) + \frac T{4K^2}$ on every path.

    The potential grows by at least $\frac{p^2}{S+p}$ for 0 < p <= 1. Below 1 this says p <= S + p; above 1,
    x <= -log(1 - x). Across 1, with S = a, S + p = 1 + b, b <= a <= 1, the difference is concave in a, and at both
    ends, a = b and a = 1, it is $\log(1+b) - \frac{b^2}{1+b}$.
    """
    a, b = sp.symbols("a b", positive=True)
    across = a - b + sp.log(1 + b) - a**2 / (1 + b)
    direct = (1 - a) + sp.log(1 + b) - (1 + b - a) ** 2 / (1 + b)
    end = sp.log(1 + b) - b**2 / (1 + b)
    share = fmpq(slope.numerator, slope.denominator)
    return jointly(
        positive(
            r"$\log(1+b) > \frac{b^2}{1+b}$ for all $b \in (0, 1]$",
            lambda x: (1 + x).log() * share - x * x / (1 + x),
            1,
        ),
        vanishing(
            r"both ends and the concavity of $a - b + \log(1+b) - \frac{a^2}{1+b}$",
            [
                sp.expand(direct - across),
                across.subs(a, b) - end,
                sp.simplify(across.subs(a, 1) - end),
                sp.diff(across, a, 2) + 2 / (1 + b),
            ],
        ),
        positive(
            r"$-\log(1-x) > x$ for all $x \in (0, \frac12]$", lambda x: -(1 - x).log() - x, Fraction(1, 2)
        ),
    )


@chapter.evidence(
    LABEL,
    kind="symbolic",
    scope=step("one round"),
    controls={"0.99 of the regret": {"factor": Fraction(99, 100)}},
)
def regret_of_a_round(factor: Fraction | int = 1) -> Evidence:
    """Around the mean w the least sum of squares is Q + S(w - .)^2, and Q drops out."""
    p, S, w, y = sp.symbols("p S w y", positive=True)
    later = (S * w + p * y) / (S + p)
    growth = S * (w - later) ** 2 + p * (y - later) ** 2
    return vanishing(
        r"a weight $p$ on $y$ raises the regret of the mean $w$ by $\frac{p^2}{S+p}(w-y)^2$",
        [p * (w - y) ** 2 - growth - sp.Rational(factor) * p**2 / (S + p) * (w - y) ** 2],
    )


@chapter.evidence(
    LABEL,
    kind="symbolic",
    scope=step("rounding"),
    controls={"0.99 of the variance": {"factor": Fraction(99, 100)}},
)
def rounding_variance(factor: Fraction | int = 1) -> Evidence:
    """What linear rounding in a cell of width d costs."""
    q, d, y, z = sp.symbols("q d y z", real=True)
    cost = (1 - q) * (z - y) ** 2 + q * (z + d - y) ** 2 - (z + q * d - y) ** 2
    variance = q * (1 - q) * d**2
    return vanishing(
        r"linear rounding costs $q(1-q)d^2 = \frac{d^2}4 - (q-\frac12)^2d^2$",
        [cost - sp.Rational(factor) * variance, d**2 / 4 - variance - (q - sp.Rational(1, 2)) ** 2 * d**2],
    )


def second_bound(T: arb, K: arb) -> arb:
    """Return the right-hand side by T alone: all masses equal."""
    mass = T / (K + 1)
    return (K + 1) * (mass if mass <= 1 else 1 + mass.log()) + T / (4 * K * K)


recompute(
    LABEL,
    ("squared_loss_pcal2", second_bound, [(1, 2), (3.0000015, 2), (7.3, 11.9), (1000, 5), (1e9, 512.3)]),
)


@chapter.evidence(
    LABEL,
    kind="numeric",
    scope=cases("K = 2, 3, 4, T = 5, all outcomes"),
    controls={"0.43 of the bound": {"share": 0.43}},
)
def small_games(share: float = 1.0) -> Evidence:
    """The program against the first bound, mass by mass."""

    def ratio(case: tuple[int, tuple[int, ...]]) -> float:
        K, outcomes = case
        algorithm = FastSquaredBlumMansour(uniform_grid(K))
        for y in outcomes:
            algorithm.update(0, y)
        mass = algorithm.expected.mass
        potential = np.where(mass <= 1.0, mass, 1.0 + np.log(np.maximum(mass, 1.0))).sum()
        return float(calibration_error(algorithm.expected) / (potential + len(outcomes) / (4.0 * K**2)))

    return worst(
        r"largest $\mathsf{PCal}_2$ over the bound",
        product((2, 3, 4), product((0, 1), repeat=5)),
        ratio,
        share,
    )
