r"""Theorem A with a tuned grid: one constant for all horizons, and for an unknown horizon."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from flint import arb

from klcal import bounds, grids
from klcal.bounds.rates import real_resolution
from klcal.claims._combinators import at_most, jointly, recomputed
from klcal.claims._evidence import FORMULA, Evidence, step
from klcal.claims._ledger import Chapter
from klcal.claims.constants.formulas import recompute
from klcal.exact.balls import ball
from klcal.exact.certificates import doubling_factor, largest_ratio

chapter = Chapter("08_explicit_algorithms")

HORIZONS = (2, Fraction(52, 3), 10**9)
DELTAS = (1, Fraction(1, 20), Fraction(1, 10**6))


def _pair(T: arb, K: arb) -> arb:
    used = T.min(K - 1)
    return used * (4 * T / used).log() - 2 * T * (arb.pi() / (2 * K)).cos().log()


def _power(T: arb) -> arb:
    return (T * T.log() * T.log()).root(3)


@chapter.claim(
    "new:pair/explicit",
    "Theorem A, second line",
    "the bound of the pair algorithm",
    kind="exact",
    scope=FORMULA,
    controls={r"1.999 in place of 2 before $\log\frac1\delta$": {"tail": Fraction(1999, 1000)}},
    steps=("new:pair", "new:pair/used-buckets"),
)
def explicit(tail: Fraction = Fraction(2)) -> Evidence:
    r"""In Theorem A $\mathsf{KLCal}_t \le N\log\frac{4t}N+2t\log\sec\frac\pi{2K}+2\log\frac1\delta$ with
    $N = \min(t, K-1)$, and without the last term this bounds $\mathbb E[\mathsf{KLCal}_t]$.
    """
    games = [(1, 2), (2, 9), (Fraction(7, 2), Fraction(10, 3)), (131, 4), (10**9, Fraction(1001, 10))]
    return jointly(
        recomputed("pair", _pair, games, note=r"without $\delta$"),
        recomputed(
            "pair",
            lambda T, K, delta: _pair(T, K) - ball(tail) * delta.log(),
            [(*game, delta) for game in games for delta in DELTAS],
        ),
    )


@chapter.claim(
    "new:pair/rate",
    "Theorem A, rate",
    "one constant for all horizons",
    kind="certified",
    controls={"3.51 in place of 3.52": {"constant": Fraction(351, 100)}},
    uses=("new:pair/explicit", "thm:bound_pkcal/rate"),
)
def rate_constant(constant: Fraction = Fraction(352, 100)) -> Evidence:
    r"""At $K = \max(2, \lceil(T/\log T)^{1/3}\rceil)$ the bound of Theorem A is at most
    $3.52\,T^{1/3}(\log T)^{2/3}+2\log\frac1\delta$ for every $T \ge 2$; the first terms are nearest at $T = 2$.
    """

    def ratio(T: Any, K: Any) -> Any:
        return bounds.pair(T, K) / (ball(constant) * _power(T))

    largest = largest_ratio(ratio, real_resolution, tolerance=1e-6)
    return jointly(
        at_most(largest.upper, 1, "largest bound over rate, all integers $T \\ge 2$"),
        at_most(
            ball(largest.upper) - ratio(arb(2), arb(2)), 2e-6, "and how much less it is at the first horizon"
        ),
    )


recompute(
    "new:pair/rate",
    (
        "pair_rate",
        lambda T, delta: ball(Fraction(352, 100)) * _power(T) - 2 * delta.log(),
        [(T, delta) for T in HORIZONS for delta in DELTAS],
    ),
)


def _phases(T: arb, delta: arb) -> arb:
    """Return log 2 plus the bounds of the phases of 2, 4, 8, ... rounds, the last one cut short, plus the tail."""
    total, left, length = arb(2).log() - 2 * delta.log(), int(float(T)) - 1, 2
    while left > 0:
        total += _pair(arb(min(left, length)), arb(grids.resolution(length)))
        left, length = left - length, 2 * length
    return total


@chapter.claim(
    "new:pair-anytime",
    "new",
    "unknown horizon, delta paid once",
    kind="certified",
    scope=step("the phases add up"),
    controls={"17 in place of 17.1": {"constant": Fraction(17)}},
    steps=("new:pair", "new:ville", "new:pair/rate", "the phases add up", "sec:pseudo-KL-Cal/doubling"),
)
def anytime(constant: Fraction = Fraction(171, 10)) -> Evidence:
    r"""With fresh counts for $2^j$ rounds, $j = 0, 1, 2, \dots$, and $K = 2$ for $j = 0$,
    $K = \max(2, \lceil(2^j/\log2^j)^{1/3}\rceil)$ for $j \ge 1$, with probability at least $1-\delta$, for all
    $t \ge 2$ at once, $\mathsf{KLCal}_t \le 17.1\,t^{1/3}(\log t)^{2/3}+\log2+2\log\frac1\delta$.

    The phase $j \ge 1$ costs at most $3.52\cdot2^{j/3}(j\log2)^{2/3}$, a geometric series up to $2^J \le t$. The
    product of the martingales of the phases is one martingale.
    """
    factor = doubling_factor(bounds.pair_rate)

    def ratio(T: Any, _: Any) -> Any:
        return factor * bounds.pair_rate(T) / (ball(constant) * _power(T))

    return jointly(
        at_most(
            largest_ratio(ratio, real_resolution).upper, 1, "sum of the phases' rates over the rate, all $t$"
        ),
        recomputed(
            "pair_anytime_rate",
            lambda T, delta: ball(constant) * _power(T) + arb(2).log() - 2 * delta.log(),
            [(T, delta) for T in HORIZONS for delta in DELTAS],
        ),
        recomputed("pair_anytime", _phases, [(T, delta) for T in (1, 2, 3, 7, 10**6) for delta in DELTAS]),
    )
