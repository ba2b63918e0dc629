r"""Remark 1 (a) in a game: with the nearest point, Algorithm 1 loses the order of T/K."""

from __future__ import annotations

from fractions import Fraction
from functools import partial

from flint import arb

from klcal import adversaries, bounds
from klcal._checks import OutcomeArray
from klcal.claims._combinators import jointly
from klcal.claims._evidence import Evidence
from klcal.claims._legacy import Claim
from klcal.claims.algorithm._games import BITS, Rounding, exact_points, log_rounded, start, step
from klcal.claims.algorithm.learner import CHAPTER, nearest_rounded
from klcal.exact.balls import ball, lower, precision
from klcal.games import run_rounded

GAMES = ((4, 400), (8, 400))


def error_of(outcomes: OutcomeArray, K: int, rounding: Rounding) -> arb:
    """Return PKLCal of Algorithm 1 with some rounding, in balls."""
    points, position = exact_points(K), start(K)
    for outcome in outcomes.tolist():
        position = step(position, points, rounding=rounding)[outcome]
    return position.error(points)


@precision(2 * BITS)
def nearest_loses(share: Fraction = Fraction(3, 2), rounding: Rounding = nearest_rounded) -> Evidence:
    r"""Check :math:`\mathsf{PKLCal} \ge \frac32\,T/K` with nearest rounding, in two games that are enclosed in balls.

    The outcomes oppose the mean forecast. A learner whose point crosses the middle of its cell is rounded up when it
    has just become too high, and down when it has just become too low; so rounding costs the order of the cell's width
    in every round, and not of its square. Both games exceed the bound of Theorem 2.

    Parameters
    ----------
    share : Fraction
        The factor before T/K.
    rounding : callable
        How learners round; with Algorithm 4 the claim fails.
    """
    shares, excess = [], []
    for K, T in GAMES:
        outcomes = run_rounded(adversaries.Oppose(T), K, scheme="nearest").outcomes
        error = error_of(outcomes, K, rounding)
        shares.append(lower(error * K / T))
        excess.append(lower(error / ball(bounds.theorem_2(T, K))))
    text = "smallest PKLCal over T/K with nearest rounding, opposing outcomes, in balls"
    return jointly(
        Evidence(min(shares), float(share), ">=", text, {"K": "4, 8", "T": 400}),
        Evidence(min(excess), 1, ">", "PKLCal over the bound of Theorem 2, same games"),
    )


CLAIMS: tuple[Claim, ...] = (
    Claim(
        label="rem:rounding/nearest-game",
        number="Remark 1 (a), in a game",
        title="nearest rounding breaks the bound",
        kind="certified",
        chapter=CHAPTER,
        statement="Algorithm 1 with the nearest point in place of Algorithm 4 has PKLCal >= (3/2) T/K in two games of "
        "400 rounds, K = 4 and 8, more than the bound of Theorem 2; outcomes oppose the mean forecast.",
        uses=("rem:rounding/a", "thm:bound_pkcal/explicit"),
        check=nearest_loses,
        spoil=(partial(nearest_loses, Fraction(17, 10)), partial(nearest_loses, rounding=log_rounded)),
        rows=(85,),
    ),
)
