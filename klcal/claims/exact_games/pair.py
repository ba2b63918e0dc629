r"""PAIR in balls: its worst case between value and bound, and its exponential moment."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache, partial

from flint import arb, fmpq

from klcal import bounds, minimax
from klcal.claims._combinators import jointly
from klcal.claims._evidence import Evidence
from klcal.claims._legacy import Claim
from klcal.claims.exact_games._common import (
    BITS,
    CHAPTER,
    Follow,
    State,
    divergence_costs,
    inner_grid,
    played,
    start,
)
from klcal.claims.exact_games.enclosures import enclosed, largest
from klcal.exact.balls import Undecided, ball, precision, upper

# Resolution and longest horizon; on the first grid the algorithm plays 1/4 first, on the second 1/2.
GAMES: Sequence[tuple[int, int]] = ((3, 8), (4, 6))


@cache
def boundaries(K: int) -> tuple[arb, ...]:
    r"""Return the ends of the cells of PAIR, :math:`\frac{z_is_{i+1} + z_{i+1}s_i}{s_i+s_{i+1}}` between 0 and 1.

    Examples
    --------
    >>> [float(m) for m in boundaries(3)]
    [0.0, 0.5, 1.0]
    """
    with precision(BITS):
        inner = []
        for i in range(1, K - 1):
            # The same number by the angles, and 1/2 exactly where the grid has its middle.
            ratio = arb.cos_pi_fmpq(fmpq(2 * i + 1, 2 * K)) / arb.cos_pi_fmpq(fmpq(1, 2 * K))
            inner.append(arb(0.5) if 2 * i + 1 == K else (1 - ratio) / 2)
        return (arb(0), *inner, arb(1))


def above(w: Fraction, border: arb) -> bool:
    """Return whether w > border; that must be certain.

    Examples
    --------
    >>> above(Fraction(1, 2), arb(0.5)), above(Fraction(2, 3), arb(0.5))
    (False, True)
    """
    x = ball(w)
    if x > border:
        return True
    if x < border or (border.is_exact() and x.is_exact() and (x - border).is_zero()):
        return False
    raise Undecided(f"the side of {w} is not certain")


def shares(state: State, K: int) -> dict[int, arb]:
    """Return the mixture of PAIR at a state.

    Examples
    --------
    >>> shares(((0, 0), (0, 0)), 3), sorted(shares(((0, 3), (1, 0)), 3))
    ({0: 1.00000000000000}, [0, 1])
    """
    means = [Fraction(2 * b + 1, 2 * (a + b) + 2) for a, b in zip(*state, strict=True)]
    ends = boundaries(K)
    too_high = [above(w, end) for w, end in zip(means, ends[1:], strict=True)]
    too_low = [above(1 - w, 1 - end) for w, end in zip(means, ends[:-1], strict=True)]
    for i in range(len(means)):
        if not too_high[i] and not too_low[i]:
            return {i: arb(1)}
    i = next(i for i in range(len(means) - 1) if too_high[i] and too_low[i + 1])
    up, down = ends[i + 1] - ball(means[i + 1]), ball(means[i]) - ends[i + 1]
    return {i: up / (up + down), i + 1: down / (up + down)}


def expectation(K: int, T: int, final: Callable[[State], arb]) -> arb:
    """Return the largest expectation of a function of the final counts over all adaptive adversaries."""
    known = cache(partial(shares, K=K))

    def step(state: State, follow: Follow) -> arb:
        mixture = known(state).items()
        return largest([sum((p * follow(i, y) for i, p in mixture), arb(0)) for y in (0, 1)])

    with precision(BITS):
        worst: arb = played(T, final, step)(start(K - 1))
        return worst


@cache
def worst_case(K: int, T: int) -> arb:
    """Return the worst case of E[KLCal] of PAIR, as a ball.

    Examples
    --------
    >>> worst_case(3, 1).overlaps(arb(4).log())
    True
    """
    with precision(BITS):
        return expectation(K, T, divergence_costs(inner_grid(K)))


def bets(state: State, K: int) -> arb:
    r"""Return :math:`\sum_{n_i \ge 1}\log(4n_i) + 2t\log\sec\frac\pi{2K}`, the bound for given counts."""
    counts = [a + b for a, b in zip(*state, strict=True)]
    learned = sum((arb(4 * n).log() for n in counts if n), arb(0))
    return learned - 2 * sum(counts) * arb.cos_pi_fmpq(fmpq(1, 2 * K)).log()


@cache
def moment(K: int, T: int) -> arb:
    """Return the largest E exp((KLCal - bound for its counts)/2), as a ball."""
    with precision(BITS):
        cost = divergence_costs(inner_grid(K))
        return expectation(K, T, lambda state: ((cost(state) - bets(state, K)) / 2).exp())


def sandwich(scale: Fraction = Fraction(1), first: int = 2, most: Fraction = Fraction(1)) -> Evidence:
    """Check value < worst case < bound and the exponential moment for PAIR, balls decide.

    Parameters
    ----------
    scale : Fraction
        Factor on the bound.
    first : int
        Shortest horizon; at K = 4 the first forecast, 1/2, is optimal.
    most : Fraction
        What the exponential moment must stay below.
    """
    games = [(K, T) for K, longest in GAMES for T in range(first, longest + 1)]
    over, where = max((upper(worst_case(K, T) / (ball(scale) * _bound(T, K))), (K, T)) for K, T in games)
    below = max(upper(enclosed("inner", K, T)[1] / worst_case(K, T)) for K, T in games)
    heavy = max(upper(moment(K, T)) for K, longest in GAMES for T in range(1, longest + 1))
    floats = sum(not abs(minimax.worst_case(K, T, "pair") - worst_case(K, T)) < 1e-12 for K, T in games)
    agrees = sum(not abs(float(bounds.pair(T, K)) - _bound(T, K)) < 1e-12 for K, T in games)
    return jointly(
        Evidence(over, 1, "<", "largest worst case of E[KLCal] over the bound, in balls", {"K, T": where}),
        Evidence(below, 1, "<", "largest value of the game over the worst case of PAIR, in balls"),
        Evidence(heavy, float(most), "<", "largest exponential moment of half the excess, in balls"),
        Evidence(floats, 0, "==", "klcal.minimax.worst_case agrees with its ball to 1e-12"),
        Evidence(agrees, 0, "==", "klcal.bounds.pair agrees with the bound in balls to 1e-12"),
    )


def _bound(T: int, K: int) -> arb:
    """Return the bound on E[KLCal] by T alone: equal counts in all buckets that can be used."""
    with precision(BITS):
        used = min(T, K - 1)
        return used * (arb(4 * T) / used).log() - 2 * T * arb.cos_pi_fmpq(fmpq(1, 2 * K)).log()


CLAIMS: tuple[Claim, ...] = (
    Claim(
        label="new:game-pair",
        number="new",
        title="PAIR between value and bound",
        kind="certified",
        chapter=CHAPTER,
        statement="For PAIR at K = 3 with 2 to 8 rounds and at K = 4 with 2 to 6, the worst case of E[KLCal] over all "
        "adaptive adversaries is strictly between the value of the game on its grid and its bound, and the largest "
        "E exp((KLCal - sum of log(4 n_i) - 2T log sec(pi/2K))/2) is below 1, also for one round.",
        uses=("new:game-values", "new:pair"),
        check=sandwich,
        spoil=(
            partial(sandwich, scale=Fraction(3, 4)),
            partial(sandwich, first=1),
            partial(sandwich, most=Fraction(17, 20)),
        ),
    ),
)
