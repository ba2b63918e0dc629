r"""Theorem 2: the proof step by step on every short game, and the price of not knowing the horizon."""

from __future__ import annotations

from fractions import Fraction
from functools import partial

import sympy as sp
from flint import arb

from klcal import bounds, grids
from klcal.claims._combinators import jointly, vanishing
from klcal.claims._evidence import Evidence
from klcal.claims._legacy import Claim
from klcal.claims.algorithm._games import BITS, all_positions, exact_points
from klcal.claims.algorithm.learner import CHAPTER, RESOLUTIONS
from klcal.claims.algorithm.mixture import ROUNDS
from klcal.claims.constants._common import learning, rounding, theorem_2
from klcal.exact.balls import ball, lower, precision, upper

# The two sides of an exact equality are told apart by nothing, and differ by the width of their balls.
_WIDTH = 1e-20


def _total(parts: list[arb] | tuple[arb, ...]) -> arb:
    return sum(parts, arb(0))


@precision(BITS)
def every_step(
    stationary: bool = True, share: float = 1.0, constant: Fraction = Fraction(396, 100)
) -> Evidence:
    r"""Check the steps of the proof of Theorem 2 in every game of up to 8 rounds, K = 2..6, in balls.

    1. :math:`\mathsf{PKLCal} = \sum_i R_i + \sum_i C_i`, with :math:`R_i` the regret of EWOO learner i and
       :math:`C_i` what rounding its points costs: here the mixture must be a fixed point.
    2. :math:`R_i \le \log(1+S_i)`, with equality for constant outcomes.
    3. :math:`C_i \le S_i c_K`.
    4. :math:`\sum_i\log(1+S_i) \le (K+1)\log(1+\frac T{K+1})`.
    5. At the resolution of the theorem the sum is at most :math:`3.96\,T^{1/3}(\log T)^{2/3}`.

    For all games the steps are the claims that this one builds on.

    Parameters
    ----------
    stationary : bool
        Whether mixtures are fixed points; as a control they are uniform, and step 1 fails.
    share : float
        Part of the cost of rounding that is granted in step 3.
    constant : Fraction
        The constant of step 5.
    """
    rounds = ROUNDS if stationary else 1
    unequal = regret = cost = jensen = 0.0
    for K in RESOLUTIONS:
        points, cap = exact_points(K), share * rounding(K, "best")
        for position in all_positions(K, rounds, stationary):
            regrets, mass = position.regrets(), position.mass
            error, logs = position.error(points), [(1 + m).log() for m in mass]
            unequal = max(unequal, upper(abs(error - _total(regrets) - _total(position.paid))))
            regret = max(regret, *(upper(r - log) for r, log in zip(regrets, logs, strict=True)))
            cost = max(cost, *(upper(c - m * cap) for c, m in zip(position.paid, mass, strict=True)))
            jensen = max(jensen, upper(_total(logs) - learning(len(position.outcomes), K + 1)))
    games = {"K": "2..6", "rounds": rounds, "games": len(RESOLUTIONS) * (2 ** (rounds + 1) - 2)}
    s, m = sp.symbols("s m", positive=True)
    return jointly(
        _at_its_resolution(constant),
        Evidence(
            unequal, _WIDTH, "<=", "PKLCal is regrets plus rounding, largest difference in all games", games
        ),
        Evidence(regret, _WIDTH, "<=", "regret of a learner minus log(1 + S), largest"),
        Evidence(cost, _WIDTH, "<=", "cost of rounding of a learner minus S times that of a cell, largest"),
        Evidence(jensen, _WIDTH, "<=", "sum of log(1 + S_i) minus its value at equal masses, largest"),
        vanishing(
            "the tangent of the logarithm at equal masses", [(1 + s) / (1 + m) - 1 - (s - m) / (1 + m)]
        ),
    )


def _at_its_resolution(constant: Fraction) -> Evidence:
    """Compare PKLCal with the rate in all games of 2 to 8 rounds at the resolution of the theorem."""
    worst = 0.0
    for position in all_positions(2, ROUNDS):
        T = len(position.outcomes)
        if T > 1 and grids.resolution(T) == 2:
            rate = (arb(T) * arb(T).log() ** 2).root(3)
            worst = max(worst, upper(position.error(exact_points(2)) / (ball(constant) * rate)))
    return Evidence(worst, 1, "<=", "largest PKLCal over 3.96 T^(1/3) (log T)^(2/3), games of 2 to 8 rounds")


@precision(BITS)
def short_sequences(share: float = 1.0, learners: int = 1) -> Evidence:
    r"""Certify :math:`\mathsf{PKLCal} \le` the bound by masses and the bound by T, all sequences, K = 2..6.

    Every mixture, every comparison with a grid point and every logarithm is enclosed; no comparison was left open.

    Parameters
    ----------
    share : float
        Part of both bounds that is granted.
    learners : int
        0 leaves out the cost of rounding.
    """
    by_masses = by_horizon = 0.0
    where: tuple[int, ...] = ()
    for K in RESOLUTIONS:
        points = exact_points(K)
        for position in all_positions(K, ROUNDS):
            T, error = len(position.outcomes), position.error(points)
            bound = _total([(1 + m).log() for m in position.mass]) + learners * T * rounding(K, "best")
            ratio = upper(error / (share * bound))
            if ratio > by_masses:
                by_masses, where = ratio, (K, *position.outcomes)
            by_horizon = max(by_horizon, upper(error / (share * theorem_2(T, K, "best"))))
    games = {
        "K": where[0],
        "outcomes": "".join(map(str, where[1:])),
        "sequences": 5 * (2 ** (ROUNDS + 1) - 2),
    }
    return jointly(
        Evidence(by_masses, 1, "<=", "largest PKLCal over the bound by its masses, in balls", games),
        Evidence(by_horizon, 1, "<=", "largest PKLCal over the bound by K and T, same sequences"),
    )


@precision(BITS)
def doubling_rate(constant: int = 20) -> Evidence:
    r"""Check that the doubling trick costs at most :math:`20\,T^{1/3}(\log T)^{2/3}`, for every T >= 2.

    Epoch m has at most :math:`2^m` rounds and its own grid, so it costs at most
    :math:`3.96\,2^{m/3}(m\log 2)^{2/3}` for m >= 1 (``thm:bound_pkcal/rate``), and epoch 0 costs less than 1.04.
    The last epoch M has :math:`2^M \le T`. A geometric series bounds the sum:
    :math:`\sum_{m\le M}2^{m/3} \le 2^{M/3}/(1 - 2^{-1/3})`. So the constant is
    :math:`3.96/(1 - 2^{-1/3}) + 1.04/r`, with r the rate at T = 4; T = 2 and 3 are computed.

    Parameters
    ----------
    constant : int
        The constant tried.
    """
    series = ball(Fraction(396, 100)) / (1 - 1 / arb(2).root(3))
    first = theorem_2(1, 2, "sharpened")
    small = [(T, (arb(T) * arb(T).log() ** 2).root(3)) for T in (2, 3)]
    bound = series + first / (arb(4) * arb(4).log() ** 2).root(3)
    many = [2**m + d for m in range(2, 40) for d in (-1, 0, 2 ** (m - 2))]
    seen = max(bounds.doubling_trick(T) / (bounds.theorem_2_rate(T) / 3.96) for T in many)
    return jointly(
        Evidence(upper(bound), constant, "<=", "3.96/(1 - 2^(-1/3)) and epoch 0, over the rate, all T >= 4"),
        *(
            Evidence(upper(ball(bounds.doubling_trick(T)) / rate), constant, "<=", f"the same at T = {T}")
            for T, rate in small
        ),
        Evidence(upper(first), 1.04, "<=", "epoch 0"),
        Evidence(
            seen, constant, "<=", "klcal.bounds.doubling_trick over the rate at 114 horizons up to 2^40"
        ),
        Evidence(lower(series), 19, ">", "what the series alone needs"),
    )


CLAIMS: tuple[Claim, ...] = (
    Claim(
        label="thm:bound_pkcal",
        number="Theorem 2",
        title="PKLCal of Algorithm 1",
        kind="certified",
        chapter=CHAPTER,
        statement="At K = max(2, ceil((T/log T)^(1/3))), Algorithm 1 has PKLCal <= sum of log(1 + S_i) + T "
        "tan^2(pi/2K) (at K = 2: pi/8) <= 3.96 T^(1/3) (log T)^(2/3) on every path, for every T >= 2; each step of "
        "the proof is checked in all games of up to 8 rounds at K = 2..6.",
        uses=(
            "alg:BM_log_loss",
            "alg:BM_log_loss/reduction",
            "alg:A_i",
            "lem:EWOO_regret_bound/sharp",
            "lem:rounding",
            "prop:swap_reg_breg_div",
            "sec3:log_loss",
            "thm:bound_pkcal/explicit",
            "thm:bound_pkcal/rate",
        ),
        check=every_step,
        spoil=(
            partial(every_step, stationary=False),
            partial(every_step, share=0.63),
            partial(every_step, constant=Fraction(127, 100)),
        ),
        rows=(82,),
    ),
    Claim(
        label="thm:bound_pkcal/all-short-sequences",
        number="Theorem 2, short games",
        title="every sequence of up to 8 outcomes",
        kind="certified",
        chapter=CHAPTER,
        statement="For each of the 2550 sequences of 1 to 8 outcomes at K = 2, ..., 6 Algorithm 1 has PKLCal <= sum "
        "of log(1 + S_i) - 2T log cos(angle) <= the bound by T alone; the games are enclosed in ball arithmetic.",
        uses=("thm:bound_pkcal/explicit", "alg:BM_log_loss"),
        check=short_sequences,
        spoil=(partial(short_sequences, 0.9), partial(short_sequences, learners=0)),
        rows=(82,),
    ),
    Claim(
        label="sec:pseudo-KL-Cal/doubling-rate",
        number="Section 5, after Theorem 2",
        title="one constant for the doubling trick",
        kind="certified",
        chapter=CHAPTER,
        statement="Without knowing the horizon, Algorithm 1 restarted after 1, 2, 4, ... rounds has PKLCal <= 20 "
        "T^(1/3) (log T)^(2/3) after every T >= 2 rounds.",
        uses=("sec:pseudo-KL-Cal/doubling", "thm:bound_pkcal/rate"),
        check=doubling_rate,
        spoil=(partial(doubling_rate, 19),),
        rows=(83,),
    ),
)
