r"""Step III in the proof of Theorem 1: what its parts add up to, and the rate with the constant of the proof."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import partial
from itertools import count

import numpy as np
from flint import arb

from klcal import bounds
from klcal.claims._combinators import jointly
from klcal.claims._evidence import Evidence
from klcal.claims._legacy import Claim
from klcal.claims._render import Table
from klcal.claims.constants._common import (
    agrees,
    angle,
    loss_range,
    printed_inverse_deviations,
    printed_inverse_variances,
    printed_steepness,
)
from klcal.claims.existence._common import BITS, CHAPTER
from klcal.claims.grids._common import positive
from klcal.exact.balls import ball, precision, supremum, upper
from klcal.games import dual_game


def parts(T: int, K: int, delta: float) -> dict[str, float]:
    r"""Return the summands of Theorem 1's bound by the paper's proof: what each step adds.

    Parameters
    ----------
    T, K : int
        Horizon and resolution.
    delta : float
        Failure probability of one deviation; the paper takes 1/T^2.

    Returns
    -------
    dict
        Four summands by name; at delta = 1/T^2 they add up to ``bounds.theorem_1(T, K, version="paper")``.

    Examples
    --------
    >>> round(sum(parts(1000, 5, 1e-6).values()), 3), round(bounds.theorem_1(1000, 5, version="paper"), 3)
    (4615.79, 4615.79)
    """
    log_term = float(np.log(2.0 / delta))
    many = np.pi / (2.0 * K) * bounds.lemma_6c(K, version="paper") + K - 1.0
    few = np.sqrt(8.0 * bounds.log_loss_range(K)) * bounds.lemma_6d(K, version="paper")
    return {
        "gaps, by Lemma 6 (b)": float(2.0 * bounds.lemma_6b(K, version="paper") * T),
        "Term II, by Lemma 6 (c)": float(8.0 * log_term * many),
        "Term I, by Lemma 6 (d)": float(log_term * few),
        "failure, by Equation 7": float(K * T * delta * T * bounds.log_loss_range(K)),
    }


def parts_table(horizons: Sequence[int]) -> Table:
    """Return `parts` at several horizons, with the paper's K and delta = 1/T^2, and what always saying 1/2 costs.

    Parameters
    ----------
    horizons : sequence of int
        Values of T, each at least 2.

    Returns
    -------
    Table
        One column per horizon.

    Examples
    --------
    >>> parts_table([1000]).rows[-2]
    ('sum', '12,640')
    """
    games = [(T, dual_game.resolution(T)) for T in horizons]
    columns = [parts(T, K, T**-2.0) for T, K in games]
    rows = [(name, *(f"{column[name]:,.0f}" for column in columns)) for name in columns[0]]
    rows.append(("sum", *(f"{sum(column.values()):,.0f}" for column in columns)))
    rows.append(("always 1/2: T log 2", *(f"{T * np.log(2.0):,.0f}" for T, _ in games)))
    return Table(("part", *(f"T = {T:.0e}, K = {K}" for T, K in games)), tuple(rows))


def last_horizon(K: int) -> int:
    """Return the largest T whose resolution in Theorem 1 is K, certified: T <= K^3 (log T)^(5/2), not so for T + 1.

    Examples
    --------
    >>> [last_horizon(K) for K in (2, 3)]
    [1005, 6037]
    """
    near = 100.0 * K**3
    for _ in range(200):
        near = K**3 * float(np.log(near)) ** 2.5
    return next(T for T in count(int(near) - 2) if K**3 * (ball(T + 1).log() ** 5).sqrt() < T + 1)


def _rate(T: arb) -> arb:
    """Return T^(1/3) (log T)^(5/3)."""
    return ((T.log() + 5 * T.log().log()) / 3).exp()


def _printed(K: int, T: arb) -> arb:
    """Return Theorem 1 by the paper's steps, delta = 1/T^2, for real T."""
    L = (2 * T**2).log()
    many = 8 * L * (angle(K) * printed_inverse_variances(K) + (K - 1))
    few = L * (8 * loss_range(K)).sqrt() * printed_inverse_deviations(K)
    return 2 * T * printed_steepness(K) + many + few + K * loss_range(K)


def _printed_over_rate(K: int, T: arb) -> arb:
    return _printed(K, T) / _rate(T)


def _beyond(L: arb) -> arb:
    r"""Return a bound on Theorem 1 over its rate for all T with log T >= L and K >= 8; see `printed_rate`."""
    kappa = ((2 * L - 5 * L.log()) / 6).exp()
    crowd = (1 + 1 / kappa) * (2 + arb(2).log() / L)
    gaps = 2 * arb.pi() ** 2 * (1 + 1 / (2 * (arb.pi() / (2 * kappa)).cos())) ** 2
    many = 8 * (1 + 8 / arb.pi()) * crowd / L ** ball(1.5)
    few = 4 / arb(3).sqrt() * 4 / arb.pi() * crowd * (ball(Fraction(1, 3)) + ball(0.6) / L)
    return gaps + many + few + ball(Fraction(2, 3)) * (1 + 1 / kappa) / L ** ball(1.5)


def _shortcuts() -> Evidence:
    r"""Check the inequalities behind `_beyond`: two for all x up to pi/8, and what follows at K = 8..200."""
    end, misses = arb.pi() / 8, 0
    for K in range(8, 201):
        by_angle = (2 * angle(K)) ** 2 * (1 + 1 / (2 * angle(K).cos())) ** 2
        misses += not printed_steepness(K) < by_angle
        misses += not angle(K) * printed_inverse_variances(K) + (K - 1) < K * (1 + 8 / arb.pi())
        misses += not printed_inverse_deviations(K) < 4 * K / arb.pi() * (arb(K).log() + ball(0.6))
        misses += not loss_range(K) < 2 * arb(K).log()
    return jointly(
        Evidence(misses, 0, "==", "the four shortcuts for K >= 8 hold at K = 8..200, in balls"),
        positive("csc^2 x < 1/x^2 + 3/5", lambda x: x.sin() * x.sin() * (3 * x * x + 5) - 5 * x * x, end),
        positive("csc x < 1/x + 1/15", lambda x: x.sin() * (x + 15) - 15 * x, end, switch=0.1),
    )


@precision(BITS)
def printed_rate(constant: Fraction = Fraction(51)) -> Evidence:
    r"""Check that Theorem 1 by the paper's steps is at most c times its rate for all T >= 26, at the paper's K.

    The horizons with the same K are an interval; up to K = 8 balls cover all real T in it. Beyond, put
    :math:`L = \log T` and :math:`\kappa = T^{1/3}/L^{5/6}`. Then the rate is :math:`\kappa L^{5/2}`, which is also
    :math:`T/\kappa^2`, and :math:`\kappa \le K \le \kappa + 1 \le T^{1/3}`. For :math:`x = \pi/K \le \frac\pi8` we have
    :math:`\csc^2x < x^{-2} + \frac35`, :math:`\csc x < \frac1x + \frac1{15}`, :math:`\cot x < \frac1x`,
    :math:`\cot\frac x2 < \frac2x`, and :math:`\theta \ge \sin\theta \ge \frac1K` for :math:`\theta = \frac x2`. So
    every summand over the rate is at most one that falls in T.
    """
    largest, where, boxes, wrong = 0.0, 0, 0, 0
    first = 26
    for K in range(2, 9):
        last = last_horizon(K)
        wrong += dual_game.resolution(last) != K or dual_game.resolution(last + 1) != K + 1
        ratio = supremum(partial(_printed_over_rate, K), [(first, last)], tolerance=1e-4, bits=64)
        largest, where = max((largest, where), (ratio.upper, K))
        boxes += ratio.boxes
        first = last + 1
    limit = 9 * arb.pi() ** 2 / 2 + 32 / (3 * arb(3).sqrt() * arb.pi())
    far = ball(10**9)
    return jointly(
        Evidence(
            largest,
            float(constant),
            "<=",
            "Theorem 1 over T^(1/3) (log T)^(5/3), all real T from 26 on up to K = 8 in balls",
            {"K": where, "boxes": boxes},
        ),
        Evidence(
            upper(_beyond(ball(last).log())), float(constant), "<=", "the falling bound on the ratio beyond"
        ),
        Evidence(wrong, 0, "==", "dual_game.resolution changes where T = K^3 (log T)^(5/2) says"),
        _shortcuts(),
        Evidence(
            upper(abs(_beyond(far) - limit)), 1e-4, "<=", "it tends to 9 pi^2/2 + 32/(3 sqrt(3) pi) = 46.37"
        ),
        agrees(
            "the paper's steps at delta = 1/T^2",
            partial(bounds.theorem_1, version="paper"),
            lambda T, K: _printed(K, ball(T)),
        ),
    )


CLAIMS: tuple[Claim, ...] = (
    Claim(
        label="thm:log_loss_swap_reg/rate",
        number="Theorem 1, rate",
        title="the constant of the paper's own proof",
        kind="certified",
        chapter=CHAPTER,
        statement="With K = max(2, ceil(T^(1/3)/(log T)^(5/6))) and delta = 1/T^2 the steps of the paper's proof add "
        "up to at most 51 T^(1/3) (log T)^(5/3) for every T >= 26.",
        uses=("thm:log_loss_swap_reg/explicit",),
        check=printed_rate,
        spoil=(partial(printed_rate, Fraction(50)),),
        rows=(31, 46),
    ),
)
