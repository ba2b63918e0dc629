r"""The pair algorithm at K = 3, where everything that decides a move is a fraction: all games, in balls.

The points are 1/4 and 3/4, their boundary is 1/2, and the KT means are fractions, so the algorithm's choice is exact.
The largest expectation over all adaptive outcomes is a backward induction over the counts of zeros and ones.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from functools import cache, partial
from itertools import product

from flint import arb

from klcal import bounds
from klcal.claims._combinators import jointly
from klcal.claims._evidence import Evidence
from klcal.claims._legacy import Claim
from klcal.claims.constants._common import agrees, angle, learning
from klcal.claims.explicit._common import BITS, CHAPTER
from klcal.claims.grids._common import divergence
from klcal.exact.balls import ball, lower, precision, upper

# zeros and ones of the point 1/4, then of 3/4
State = tuple[int, int, int, int]
START: State = (0, 0, 0, 0)
POINTS = (Fraction(1, 4), Fraction(3, 4))
HALF = Fraction(1, 2)
LONGEST = 9
LONGEST_GAME = 12


def mean(zeros: int | Fraction, ones: int | Fraction, prior: Fraction = HALF) -> Fraction:
    """Return (ones + prior)/(zeros + ones + 2 prior).

    Examples
    --------
    >>> mean(0, 1), mean(0, 1, Fraction(1))
    (Fraction(3, 4), Fraction(2, 3))
    """
    return (ones + prior) / (zeros + ones + 2 * prior)


def shares(low: Fraction, high: Fraction) -> tuple[Fraction, Fraction]:
    """Return the probabilities of 1/4 and 3/4 for these two means.

    Examples
    --------
    >>> shares(HALF, HALF), shares(Fraction(3, 4), Fraction(1, 3))
    ((Fraction(1, 1), Fraction(0, 1)), (Fraction(2, 5), Fraction(3, 5)))
    """
    if low <= HALF:
        return Fraction(1), Fraction(0)
    if high >= HALF:
        return Fraction(0), Fraction(1)
    first = (HALF - high) / (low - high)
    return first, 1 - first


def moves(state: State) -> list[tuple[int, Fraction, Fraction]]:
    """Return index, probability and mean of the points that may be drawn.

    Examples
    --------
    >>> moves((0, 0, 0, 0))
    [(0, Fraction(1, 1), Fraction(1, 2))]
    """
    means = mean(state[0], state[1]), mean(state[2], state[3])
    both = zip(shares(*means), means, strict=True)
    return [(i, share, w) for i, (share, w) in enumerate(both) if share > 0]


def after(state: State, point: int, y: int) -> State:
    """Return the counts after `point` was drawn and y happened.

    Examples
    --------
    >>> after((0, 0, 0, 0), 1, 0)
    (0, 0, 1, 0)
    """
    counts = list(state)
    counts[2 * point + y] += 1
    return counts[0], counts[1], counts[2], counts[3]


def kl_calibration(state: State) -> arb:
    """Return KLCal of these counts.

    Examples
    --------
    >>> kl_calibration((0, 1, 0, 0)).overlaps(arb(4).log())
    True
    """
    total = arb(0)
    for i, z in enumerate(POINTS):
        zeros, ones = state[2 * i], state[2 * i + 1]
        if zeros + ones:
            total += (zeros + ones) * divergence(ball(Fraction(ones, zeros + ones)), ball(z))
    return total


def worst_expectation(payoff: Callable[[State], arb], T: int, *, sees_draw: bool = False) -> arb:
    """Return the largest expectation of a payoff of the counts after T rounds, over all adaptive outcomes.

    Parameters
    ----------
    payoff : callable
        From counts to a ball.
    T : int
        Number of rounds.
    sees_draw : bool
        Whether the outcome may also depend on the draw of its own round, which no theorem allows.

    Returns
    -------
    arb

    Examples
    --------
    >>> worst_expectation(kl_calibration, 1).overlaps(arb(4).log())
    True
    """

    @cache
    def value(state: State, left: int) -> arb:
        if left == 0:
            return payoff(state)
        draws = moves(state)
        later = [[value(after(state, i, y), left - 1) for i, _, _ in draws] for y in (0, 1)]
        if sees_draw:
            later = [[zero.max(one) for zero, one in zip(*later, strict=True)]] * 2
        means = [
            sum((ball(p) * v for (_, p, _), v in zip(draws, values, strict=True)), arb(0)) for values in later
        ]
        return means[0].max(means[1])

    return value(START, T)


def worst_calibration(rounds: Iterable[int], *, sees_draw: bool = False) -> list[float]:
    """Return the largest E[KLCal] of the pair algorithm at K = 3 for each number of rounds, to float precision.

    Parameters
    ----------
    rounds : iterable of int
        Numbers of rounds, each at least 1 and not far above 12.
    sees_draw : bool
        As for `worst_expectation`.

    Returns
    -------
    list of float

    Examples
    --------
    >>> [round(value, 6) for value in worst_calibration([1, 2])]
    [1.386294, 2.772589]
    """
    with precision(BITS):
        return [float(worst_expectation(kl_calibration, T, sees_draw=sees_draw).mid()) for T in rounds]


def wealth_has_mean_one(T: int = 8, tilt: Fraction = Fraction(0)) -> Evidence:
    """Check that the wealth has mean exactly 1 after T rounds against every adaptive outcome rule, in fractions."""

    @cache
    def extremes(state: State, left: int) -> tuple[Fraction, Fraction]:
        if left == 0:
            return Fraction(1), Fraction(1)
        low, high = [], []
        for y in (0, 1):
            least = most = Fraction(0)
            draws = moves(state)
            for i, p, w in draws:
                p = p + (tilt if i == 0 else -tilt) if len(draws) == 2 else p
                boundary = w if len(draws) == 1 else HALF
                factor = w / boundary if y else (1 - w) / (1 - boundary)
                below, above = extremes(after(state, i, y), left - 1)
                least, most = least + p * factor * below, most + p * factor * above
            low.append(least)
            high.append(most)
        return min(low), max(high)

    least, most = extremes(START, T)
    return Evidence(
        most - least + abs(most - 1), 0, "==", f"largest and least mean of the wealth are 1, T = {T}"
    )


def _half_excess(state: State, scale: Fraction) -> arb:
    """Return exp of half of KLCal minus the bound without its tail."""
    bets = arb(0)
    for zeros, ones in (state[:2], state[2:]):
        if zeros + ones:
            bets += ball(scale * (zeros + ones)).log()
    return ((kl_calibration(state) - bets - sum(state) * (arb(4) / 3).log()) / 2).exp()


@precision(BITS)
def small_games(scale: Fraction = Fraction(4), share: float = 1.0) -> Evidence:
    """Check both expectations of the theorem at K = 3 for 1 to 12 rounds: the exponential one and E[KLCal].

    Parameters
    ----------
    scale : Fraction
        In place of 4 in log(4 n).
    share : float
        Multiplies the bound on E[KLCal].
    """
    rounds = range(1, LONGEST_GAME + 1)
    tails = [upper(worst_expectation(partial(_half_excess, scale=scale), T)) for T in rounds]
    means = [
        upper(worst_expectation(kl_calibration, T) / (ball(share) * ball(bounds.pair(T, 3)))) for T in rounds
    ]
    return jointly(
        Evidence(
            max(tails),
            1,
            "<=",
            f"largest E exp(half the excess) over all adaptive outcomes, K = 3, T = 1..{LONGEST_GAME}",
            {"T": 1 + tails.index(max(tails))},
        ),
        Evidence(max(means), 1, "<=", "largest E[KLCal] over its bound, same games"),
        wealth_has_mean_one(),
    )


def _expected_game(outcomes: tuple[int, ...]) -> Iterator[tuple[arb, tuple[Fraction, Fraction]]]:
    """Yield PKLCal and the masses of the two points after each round of expected feedback."""
    zeros, ones = [Fraction(0)] * 2, [Fraction(0)] * 2
    for y in outcomes:
        means = [mean(a, b, Fraction(1)) for a, b in zip(zeros, ones, strict=True)]
        for i, share in enumerate(shares(means[0], means[1])):
            zeros[i] += share * (1 - y)
            ones[i] += share * y
        pseudo = arb(0)
        for a, b, z in zip(zeros, ones, POINTS, strict=True):
            if a + b:
                pseudo += ball(a + b) * divergence(ball(b / (a + b)), ball(z))
        yield pseudo, (zeros[0] + ones[0], zeros[1] + ones[1])


@precision(BITS)
def expected_feedback(learners: int = 2) -> Evidence:
    """Check PKLCal against 2 sum log(1 + S_i) + 2T log sec on all 512 paths of 9 rounds at K = 3, and the formula."""
    worst, cost = arb("-inf"), (arb(4) / 3).log()
    for outcomes in product((0, 1), repeat=LONGEST):
        for t, (pseudo, masses) in enumerate(_expected_game(outcomes), start=1):
            regrets = sum(((1 + ball(mass)).log() for mass in masses), arb(0))
            worst = worst.max(pseudo - learners * regrets - t * cost)
    return jointly(
        Evidence(upper(worst), 0, "<=", "largest PKLCal minus its bound, all paths of up to 9 rounds, K = 3"),
        agrees(
            "2(K-1) log(1 + T/(K-1)) + 2T log sec(pi/2K)",
            bounds.pair_expected,
            lambda T, K: learners * learning(T, K - 1) - 2 * T * angle(K).cos().log(),
        ),
    )


@precision(BITS)
def fair_coins(base: int = 2) -> Evidence:
    """Check that fair coins bring KLCal to m log 2 with probability at least 2^-m: pair algorithm, K = 3, m <= 8.

    In general, y_s is independent of the s-th forecast, so the outcomes agree with the less likely ones (or, at
    1/2, with 1) for m rounds with probability exactly 2^-m; then every bucket has only zeros or only ones, and
    each round costs at least log 2.
    """
    law: dict[State, Fraction] = {START: Fraction(1)}
    misses = 0
    for m in range(1, 9):
        following: dict[State, Fraction] = {}
        for state, probability in law.items():
            for (i, p, _), y in product(moves(state), (0, 1)):
                new = after(state, i, y)
                following[new] = following.get(new, Fraction(0)) + probability * p / 2
        law = following
        level = m * ball(base).log()
        likely = sum((p for state, p in law.items() if lower(kl_calibration(state) - level) > 0), Fraction(0))
        misses += likely < Fraction(1, 2**m)
    return jointly(
        Evidence(misses, 0, "==", "m at which P(KLCal_m > m log 2) is below 2^-m, exact probabilities"),
        agrees(
            "m log 2 with m = min(T, floor(log2(1/delta)))",
            bounds.tail_lower_bound,
            lambda T, delta: next(m for m in range(T, -1, -1) if delta * 2**m <= 1) * ball(2).log(),
            [(T, delta) for T in (1, 3, 40) for delta in (1.0, 0.75, 0.5, 0.2, 2.0**-7, 1e-9)],
        ),
    )


CLAIMS: tuple[Claim, ...] = (
    Claim(
        label="new:pair",
        number="Theorem A",
        title="KLCal of the pair algorithm, for all t at once",
        kind="certified",
        chapter=CHAPTER,
        statement="E exp((KLCal_t - sum log(4 n_i) - 2t log sec(pi/2K))/2) <= 1 against adaptive outcomes, "
        "hence the bound with 2 log(1/delta) and the bound on E[KLCal_t]. Here: all games of up "
        "to 12 rounds at K = 3, by backward induction in balls; the wealth has mean exactly 1.",
        uses=("new:pair/explicit",),
        check=small_games,
        spoil=(
            partial(small_games, Fraction(29, 10)),
            partial(small_games, share=0.4),
            partial(wealth_has_mean_one, tilt=Fraction(1, 100)),
        ),
    ),
    Claim(
        label="new:pair-expected",
        number="Remark to Theorem A",
        title="expected feedback without a stationary distribution",
        kind="certified",
        chapter=CHAPTER,
        statement="With weights P as feedback and the means (A+1)/(S+2) the pair algorithm has PKLCal <= 2 "
        "sum log(1 + S_i) + 2T log sec(pi/2K) on every path; all paths of up to 9 rounds at K = 3 "
        "in balls.",
        uses=("lem:EWOO_regret_bound/sharp", "new:pair/cell-to-point", "new:pair/choice"),
        check=expected_feedback,
        spoil=(partial(expected_feedback, 1),),
    ),
    Claim(
        label="new:tail",
        number="new",
        title="the term log(1/delta) is necessary",
        kind="exact",
        chapter=CHAPTER,
        statement="For every algorithm and fair coins, max KLCal_t reaches m log 2 with probability at "
        "least 2^-m for m <= T, so a bound f(T) + c log(1/delta) with f(T) = o(T) needs c >= 1; "
        "exact probabilities for the pair algorithm at K = 3, m <= 8.",
        check=fair_coins,
        spoil=(partial(fair_coins, 5),),
    ),
)
