r"""The pair algorithm with a tuned grid: one constant for all horizons, and for an unknown horizon."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from itertools import count

from flint import arb

from klcal import bounds, grids
from klcal.claims._combinators import jointly
from klcal.claims._evidence import Evidence
from klcal.claims._legacy import Claim
from klcal.claims.constants._common import agrees
from klcal.claims.constants.algorithm import last_horizon
from klcal.claims.explicit._common import BITS, CHAPTER, log_secant
from klcal.claims.explicit.betting import most_bets
from klcal.claims.grids._common import decided
from klcal.exact.balls import ball, infimum_of_quotient, lower, precision, supremum, upper

_LAST = 100_000


def rate(T: arb) -> arb:
    """Return T^(1/3) (log T)^(2/3).

    Examples
    --------
    >>> rate(arb(8)).overlaps(2 * (arb(8).log() ** 2).root(3))
    True
    """
    return ((T.log() + 2 * T.log().log()) / 3).exp()


def _over_rate(K: int, T: arb) -> arb:
    """Return the bound of the pair algorithm over its rate, for T >= K - 1."""
    return ((K - 1) * (4 * T / (K - 1)).log() + T * log_secant(K)) / rate(T)


def _later(L: arb) -> arb:
    """Return a falling bound on the same quotient for all T with log T >= L; see `rate_constant`."""
    kappa = ((L - L.log()) / 3).exp()
    return ball(Fraction(2, 3)) + (arb(4).log() + L.log() / 3) / L + kappa**2 * _secant(kappa)


def _secant(K: arb) -> arb:
    return -2 * (arb.pi() / (2 * K)).cos().log()


@precision(BITS)
def rate_constant(constant: Fraction = Fraction(352, 100)) -> Evidence:
    r"""Check that the pair algorithm's bound at K = ``resolution(T)`` is at most c times its rate, every T >= 2.

    The horizons of one K are an interval, covered by balls up to T = 100000. Beyond, with
    :math:`\kappa = (T/\log T)^{1/3}`, :math:`K - 1 \le \kappa \le K` and the rate :math:`\kappa\log T`:
    :math:`(K-1)\log\frac{4T}{K-1} \le \kappa\log\frac{4T}\kappa = \kappa(\frac23\log T + \log4 + \frac13\log\log T)`,
    and :math:`2T\log\sec\frac\pi{2K} \le \kappa\log T\cdot2\kappa^2\log\sec\frac\pi{2\kappa}`, as
    :math:`x^{-2}\log\sec x` increases. Both fall after division by the rate.
    """
    largest, where, first = 0.0, 0, 2
    for K in count(2):
        last = last_horizon(K)
        ratio = supremum(partial(_over_rate, K), [(first, last)], tolerance=1e-5, bits=64)
        largest, where = max((largest, where), (ratio.upper, K))
        first = last + 1
        if last > _LAST:
            break
    limit = ball(Fraction(2, 3)) + arb.pi() ** 2 / 4
    increasing = infimum_of_quotient(
        lambda x: x * x.tan() + 2 * x.cos().log(), arb.pi() / 4, above=0.0, bits=BITS
    )
    return jointly(
        Evidence(
            largest, float(constant), "<=", "bound over rate, all real T from 2 to 1e5 in balls", {"K": where}
        ),
        Evidence(largest - lower(_over_rate(2, arb(2))), 1e-4, "<=", "the quotient at T = 2 is the largest"),
        Evidence(upper(_later(ball(last).log())), float(constant), "<=", "the falling bound beyond 1e5"),
        decided(increasing, "x tan x > 2 log sec x, so log sec(x)/x^2 increases"),
        Evidence(
            upper(abs(_later(ball(60)) - (arb(4).log() + ball(60).log() / 3) / 60 - limit)),
            1e-9,
            "<=",
            "the falling bound tends to 2/3 + pi^2/4: the terms without 1/log T are there at T = e^60",
        ),
        agrees(
            "3.52 T^(1/3) (log T)^(2/3) + 2 log(1/delta)",
            bounds.pair_rate,
            lambda T, delta: ball(constant) * rate(ball(T)) - 2 * ball(delta).log(),
            [(T, delta) for T in (2, 26, 1000, 10**9) for delta in (1.0, 1e-6)],
        ),
    )


def _phases(T: int) -> arb:
    """Return log 2 plus the bounds of the phases of 2, 4, 8, ... rounds."""
    total, left, length = ball(2).log(), T - 1, 2
    while left > 0:
        K = grids.resolution(length)
        total += most_bets(min(left, length), K - 1) + min(left, length) * log_secant(K)
        left, length = left - length, 2 * length
    return total


@precision(BITS)
def anytime(constant: Fraction = Fraction(171, 10)) -> Evidence:
    r"""Check the bound for an unknown horizon: phases of 1, 2, 4, ... rounds, each at most 3.52 times its rate.

    For :math:`2^J \le T < 2^{J+1}` the phases add up to at most
    :math:`3.52\,(J\log2)^{2/3}\sum_{j\le J}2^{j/3} < 3.52\,(1-2^{-1/3})^{-1}2^{J/3}(J\log2)^{2/3}`. The bound of a
    phase grows with its rounds, so one that is cut short costs no more.
    """
    geometric = ball(Fraction(352, 100)) / (1 - (-ball(2).log() / 3).exp())
    horizons = (*range(2, 70), *(2**j + shift for j in range(7, 40, 4) for shift in (-1, 0, 1)))
    ratios = {T: (_phases(T) - ball(2).log()) / rate(ball(T)) for T in horizons}
    grows = min(lower(_phases(T + 1) - _phases(T)) for T in range(1, 300))
    return jointly(
        Evidence(upper(geometric), float(constant), "<=", "3.52/(1 - 2^(-1/3))"),
        Evidence(
            max(upper(r) for r in ratios.values()), upper(geometric), "<=", "sums over phases, 95 horizons"
        ),
        Evidence(grows, 0, ">", "the bound grows with every round, T <= 300"),
        agrees(
            "log 2 plus the sum over the phases plus 2 log(1/delta)",
            bounds.pair_anytime,
            lambda T, delta: _phases(T) - 2 * ball(delta).log(),
            [(T, delta) for T in (1, 2, 3, 7, 100, 10**6) for delta in (1.0, 1e-3)],
        ),
        agrees(
            "17.1 T^(1/3) (log T)^(2/3) + log 2 + 2 log(1/delta)",
            bounds.pair_anytime_rate,
            lambda T, delta: ball(constant) * rate(ball(T)) + ball(2).log() - 2 * ball(delta).log(),
            [(T, delta) for T in (2, 100, 10**6) for delta in (1.0, 1e-3)],
        ),
    )


CLAIMS: tuple[Claim, ...] = (
    Claim(
        label="new:pair/rate",
        number="Theorem A, rate",
        title="one constant for all horizons",
        kind="certified",
        chapter=CHAPTER,
        statement="At K = max(2, ceil((T/log T)^(1/3))) the pair algorithm's bound is at most 3.52 T^(1/3) "
        "(log T)^(2/3) + 2 log(1/delta) for every T >= 2; the largest quotient is at T = 2, the "
        "limit at most 2/3 + pi^2/4.",
        uses=("new:pair/explicit", "thm:bound_pkcal/rate"),
        check=rate_constant,
        spoil=(partial(rate_constant, Fraction(3512, 1000)),),
    ),
    Claim(
        label="new:pair-anytime",
        number="new",
        title="unknown horizon, delta paid once",
        kind="certified",
        chapter=CHAPTER,
        statement="With fresh counts for 1, 2, 4, ... rounds, KLCal_t <= 17.1 t^(1/3) (log t)^(2/3) + log 2 "
        "+ 2 log(1/delta) for all t >= 2 at once with probability at least 1 - delta, by one "
        "product of the phases' martingales.",
        uses=("new:pair", "new:pair/rate", "sec:pseudo-KL-Cal/doubling"),
        check=anytime,
        spoil=(partial(anytime, Fraction(17)),),
    ),
)
