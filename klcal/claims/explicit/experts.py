r"""The pair algorithm that bets with a few experts per bucket: log log T in place of log T."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache, partial
from itertools import count, pairwise

import sympy as sp
from flint import arb

from klcal import bounds
from klcal.claims._combinators import jointly, vanishing
from klcal.claims._evidence import Evidence
from klcal.claims._legacy import Claim
from klcal.claims.constants._common import DELTAS, GAMES, agrees
from klcal.claims.explicit._common import BITS, CHAPTER, boundaries, log_secant, smallest, to_cell
from klcal.claims.explicit.games import START, State, after
from klcal.exact.balls import ball, lower, precision, upper

_TINY = 25


def gains(scale: int = 1) -> Evidence:
    r"""Check the gains: :math:`\theta(y)/u(y) - 1 = 2^{-j}(y-u)/u` upwards, :math:`-2^{-j}(y-l)/(1-l)` downwards.

    With :math:`s = U - D` the bucket's gain :math:`U(y-u) - D(y-l)` is :math:`s(y-u) - D(u-l)` and
    :math:`s(y-l) - U(u-l)`; drawing neighbours with :math:`ps_i = (1-p)|s_{i+1}|` cancels what depends on y.
    """
    u, low, h, U, D, s, r, m = sp.symbols("u l h U D s r m", positive=True)
    up, down = u + (1 - u) * h, low * (1 - h)
    p = r / (s + r)
    parts = [
        up / u - 1 - scale * h * (1 - u) / u,
        (1 - up) / (1 - u) - 1 + scale * h,
        down / low - 1 + scale * h,
        (1 - down) / (1 - low) - 1 - scale * h * low / (1 - low),
    ]
    for y in (0, 1):
        gain = U * (y - u) - D * (y - low)
        parts += [
            gain - (U - D) * (y - u) + D * (u - low),
            gain - (U - D) * (y - low) + U * (u - low),
            p * s * (y - m) + (1 - p) * r * (m - y),
        ]
    return vanishing("the gains of both kinds of experts, of a bucket and of a pair", parts)


def upward(u: arb, T: int) -> int:
    """Return how many experts look upwards from u: the least J >= 0 with 4^J u >= T (1 - u), one more if undecided.

    Examples
    --------
    >>> upward(arb(0.5), 9), upward(arb(1), 9)
    (2, 0)
    """
    return next(J for J in count() if 4**J * u >= T * (1 - u))


def experts(low: arb, high: arb, T: int) -> list[tuple[arb, arb]]:
    """Return the factors (for y = 0 and y = 1) of all experts of the cell [low, high]; the first keeps its cash.

    Examples
    --------
    >>> len(experts(arb(0), arb(0.5), 9))
    3
    """
    factors = [(arb(1), arb(1))]
    for j in range(1, upward(high, T) + 1):
        theta = high + (1 - high) / 2**j
        factors.append(((1 - theta) / (1 - high), theta / high))
    for j in range(1, upward(1 - low, T) + 1):
        theta = low - low / 2**j
        factors.append(((1 - theta) / (1 - low), theta / low))
    return factors


def _crowds(extra: int) -> Iterator[arb]:
    for K in (2, 3, 4, 5, 7, 12, 24):
        ends = boundaries(K)
        for T in (max(4, K * K), K * K + 1, 10 * K * K, 10**6, 10**12):
            room = extra + ball(T).log() / ball(2).log()
            for low, high in pairwise(ends):
                yield room - (1 + upward(high, T) + upward(1 - low, T))


@precision(BITS)
def few_experts(extra: int = 3) -> Evidence:
    r"""Check that a bucket has at most :math:`3 + \log_2T` experts if :math:`K^2 \le T`.

    For all K: :math:`\frac{1-u}u\cdot\frac l{1-l} < 1` bounds :math:`J_u + J_l` by :math:`2 + \log_4T^2`; in the end
    cells :math:`\frac1u \le \frac1{z_1} \le K^2 \le T`. Both numbers are at least 1, as
    :math:`l \ge m_1 > z_1 \ge \frac1T`.
    """
    return smallest("room minus number of experts, all cells at seven K and five T", _crowds(extra))


def _promises(share: float, room: arb) -> Iterator[arb]:
    """Yield mean wealth minus promise in logarithms, for all counts up to 25 in all cells of K = 2..5."""
    for K in (2, 3, 4, 5):
        ends = boundaries(K)
        for low, high in list(pairwise(ends))[: K // 2]:
            factors = experts(low, high, _TINY)
            for n in range(1, _TINY + 1):
                for k in range(n + 1):
                    mean = sum((miss ** (n - k) * hit**k for miss, hit in factors), arb(0)) / len(factors)
                    promised = ball(share) * n * to_cell(ball(Fraction(k, n)), low, high) - ball(0.5)
                    yield mean.log() - promised + room.log()


@precision(BITS)
def expert_lemma(share: float = 0.5) -> Evidence:
    r"""Check :math:`\log W \ge \frac12n\mathsf{KL}(\rho, C) - \frac12 - \log(3+\log_2T)` for all counts up to T = 25.

    In general: :math:`G(\theta) = \mathsf{KL}(\rho,u) - \mathsf{KL}(\rho,\theta)` is concave with G(u) = 0 and
    :math:`G(\rho) = \mathsf{KL}(\rho,u)`, so an expert with :math:`\frac12(\rho-u) \le \theta-u \le \rho-u` has
    at least half. The powers of 1/2 contain one, or :math:`\rho - u < (1-u)2^{-J}`; then
    :math:`n\mathsf{KL} \le T\chi^2 \le T(1-u)4^{-J}/u \le 1` and the cash suffices.
    """
    rho, theta, u = sp.symbols("rho theta u", positive=True)
    gain = rho * sp.log(theta / u) + (1 - rho) * sp.log((1 - theta) / (1 - u))
    curvature = rho / theta**2 + (1 - rho) / (1 - theta) ** 2
    room = 3 + ball(_TINY).log() / ball(2).log()
    return jointly(
        smallest(
            "log of the mean wealth minus the promise, all counts up to 25, K = 2..5", _promises(share, room)
        ),
        vanishing("the expert's wealth is concave in theta", [sp.diff(gain, theta, 2) + curvature]),
    )


# At K = 3 and T = 9 everything is a fraction: cash, 3/4 and 5/8 upwards from 1/2, and their mirror images.
_UP = ((Fraction(1), Fraction(1)), (Fraction(1, 2), Fraction(3, 2)), (Fraction(3, 4), Fraction(5, 4)))


def _wealth(zeros: int, ones: int, mirrored: bool) -> Fraction:
    if mirrored:
        zeros, ones = ones, zeros
    return sum((miss**zeros * hit**ones for miss, hit in _UP), Fraction(0)) / 3


def _slope(zeros: int, ones: int, mirrored: bool) -> Fraction:
    """Return U of the lower bucket, or D of its mirror image: relative gain per unit of y."""
    if mirrored:
        zeros, ones = ones, zeros
    weights = [miss**zeros * hit**ones for miss, hit in _UP]
    gain = sum((w * 2 * (hit - 1) for w, (_, hit) in zip(weights, _UP, strict=True)), Fraction(0))
    return gain / sum(weights)


def expert_games(tilt: Fraction = Fraction(0)) -> Evidence:
    """Check that the product of the buckets' wealths has mean at most 1 against all adaptive outcomes: K = 3, T = 9."""

    @cache
    def value(state: State, left: int) -> Fraction:
        if left == 0:
            return _wealth(*state[:2], False) * _wealth(*state[2:], True)
        rise, fall = _slope(*state[:2], False), _slope(*state[2:], True)
        p = fall / (rise + fall) + tilt
        return max(
            p * value(after(state, 0, y), left - 1) + (1 - p) * value(after(state, 1, y), left - 1)
            for y in (0, 1)
        )

    text = "largest mean of the product of the wealths, exact backward induction at K = 3, T = 9"
    return Evidence(value(START, 9), 1, "<=", text)


def _best(T: int, bound: str) -> tuple[arb, int]:
    """Return the least value over all K of one of the two bounds and its K; the bets alone end the search."""
    best, winner = arb("inf"), 0
    room = (ball(1) / 2 + (3 + ball(T).log() / ball(2).log()).log()) * 4
    for K in count(2):
        bets = _bets(T, K - 1) if bound == "pair" else (K - 1) * room
        if bets > best:
            return best, winner
        value = bets + T * log_secant(K)
        if value < best:
            best, winner = value, K
    return best, winner


def _bets(T: int, buckets: int) -> arb:
    """Return N log(4T/N) for N = buckets <= T, which increases."""
    return buckets * (ball(4 * T) / buckets).log()


@precision(BITS)
def crossing(tail: int = 4) -> Evidence:
    """Check the bound's formula, and that at the best K it beats the simple one at T = 10^10 but not at 10^9."""

    def exact(T: int, K: int, delta: float) -> arb:
        laid_out = max(T, K * K)
        bets = 2 * (K - 1) * (1 + 2 * (3 + ball(laid_out).log() / ball(2).log()).log())
        return bets + T * log_secant(K) - tail * ball(delta).log()

    early = _best(10**9, "experts")[0] / _best(10**9, "pair")[0]
    late = _best(10**10, "experts")[0] / _best(10**10, "pair")[0]
    return jointly(
        agrees(
            "4(K-1)(1/2 + log(3 + log2 T)) + 2T log sec(pi/2K) + 4 log(1/delta)",
            bounds.pair_experts,
            exact,
            [(T, K, delta) for T, K in GAMES for delta in DELTAS],
        ),
        Evidence(lower(early), 1, ">", "quotient of the two bounds at T = 10^9, each at its best K"),
        Evidence(upper(late), 1, "<", "the same at T = 10^10"),
    )


CLAIMS: tuple[Claim, ...] = (
    Claim(
        label="new:pair-experts/gain",
        number="Theorem B, step 1",
        title="gains of the experts",
        kind="symbolic",
        chapter=CHAPTER,
        statement="The relative gain of a bucket is at most s(y-u) if s = U - D >= 0 and |s|(l-y) if s <= "
        "0; two neighbours with p s_i = (1-p)|s_(i+1)| gain nothing on average, whatever y.",
        check=gains,
        spoil=(partial(gains, 2),),
    ),
    Claim(
        label="new:pair-experts/count",
        number="Theorem B, step 2",
        title="a bucket has few experts",
        kind="certified",
        chapter=CHAPTER,
        statement="If K^2 <= T, each bucket has at most 3 + log2 T experts; counted at seven K and five T "
        "in balls, proved for all.",
        check=few_experts,
        spoil=(partial(few_experts, 2),),
    ),
    Claim(
        label="new:pair-experts/lemma",
        number="Theorem B, step 3",
        title="wealth of a bucket",
        kind="certified",
        chapter=CHAPTER,
        statement="log W >= n KL(rho, C)/2 - 1/2 - log(3 + log2 T); all counts up to T = 25 in balls, the "
        "concavity for all.",
        uses=("new:pair-experts/gain", "new:pair-experts/count", "thm:log_loss_swap_reg/chi-square"),
        check=expert_lemma,
        spoil=(partial(expert_lemma, 0.7),),
    ),
    Claim(
        label="new:pair-experts/games",
        number="Theorem B, small games",
        title="the product of the wealths",
        kind="exact",
        chapter=CHAPTER,
        statement="Against every adaptive outcome rule of 9 rounds at K = 3 the product of the buckets' "
        "wealths has mean at most 1; backward induction in fractions.",
        uses=("new:pair-experts/gain",),
        check=expert_games,
        spoil=(partial(expert_games, Fraction(1, 100)),),
    ),
    Claim(
        label="new:pair-experts",
        number="Theorem B",
        title="log log T in place of log T",
        kind="certified",
        chapter=CHAPTER,
        statement="KLCal_t <= 4(K-1)(1/2 + log(3 + log2 T)) + 2t log sec(pi/2K) + 4 log(1/delta) for all t "
        "<= T, K^2 <= T: the right-hand side; at the best K it is below that of Theorem A at T = "
        "10^10, not at 10^9.",
        uses=("new:pair-experts/lemma", "new:pair-experts/games", "new:pair/cell-to-point"),
        check=crossing,
        spoil=(partial(crossing, 2),),
    ),
)
