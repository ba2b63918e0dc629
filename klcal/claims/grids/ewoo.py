r"""Algorithm 3 and Lemma 4: EWOO, its regret, where it goes; and the Blum-Mansour step of Section 5."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import partial
from itertools import pairwise, product

import numpy as np
import sympy as sp
from flint import arb, arb_mat, fmpq, fmpq_mat

from klcal import bounds
from klcal.claims._combinators import closed, jointly, misprinted, repaired, vanishing
from klcal.claims._evidence import Evidence
from klcal.claims._legacy import Claim
from klcal.claims.grids._common import BITS, CHAPTER, decided, full_points, variance
from klcal.exact.balls import Undecided, ball, infimum, precision, upper
from klcal.forecasters.learners import beta_mean

_MEANS = (
    "ewoo-weight",
    "ewoo-mean",
    "ewoo-mean-gamma",
    "ewoo-mean-inverse",
    *(f"ewoo-mean-{ones}-{zeros}" for ones, zeros in ((0, 0), (1, 0), (0, 1), (2, 3), (5, 1), (4, 4))),
)


def beta_means(prior: Fraction = Fraction(1)) -> Evidence:
    r"""Check that EWOO plays the Beta mean :math:`\frac{\gamma+1}{\gamma+\delta+2}`.

    Here :math:`\gamma` and :math:`\delta` are the weights of ones and zeros so far. The weight function is
    :math:`w^\gamma(1-w)^\delta`, so the mean is a quotient of two Beta functions;
    sympy closes it for all positive weights.
    `klcal.forecasters.learners.beta_mean` is compared with the exact fraction.

    Parameters
    ----------
    prior : Fraction
        What is added to either weight; 1/2 would be the rule of Krichevsky and Trofimov.
    """
    worst = max(
        abs(Fraction(float(beta_mean(float(g), float(d)))) - (g + prior) / (g + d + 2 * prior))
        for g in map(Fraction, (0, 0.5, 1, 3, 1000))
        for d in map(Fraction, (0, 0.25, 2, 7, 10**6))
    )
    return jointly(
        Evidence(float(worst), 1e-15, "<=", "klcal.forecasters.learners.beta_mean against the exact mean"),
        closed(*_MEANS),
    )


def exp_concavity(heaviest: Fraction = Fraction(1)) -> Evidence:
    r"""Check that :math:`e^{-f}` is concave for the log loss scaled by any weight k up to `heaviest`.

    :math:`e^{-f}` is :math:`w^k` or :math:`(1-w)^k`; the sign of the second derivative is that of
    :math:`k(k-1)`, a convex function of k, so its largest value is at an end of
    :math:`[0, \texttt{heaviest}]`.
    """
    largest = max(k * (k - 1) for k in (Fraction(0), heaviest))
    return jointly(
        Evidence(largest, 0, "<=", "largest k(k-1) over the weights k"),
        closed("ewoo-weight", "exp-concave-1", "exp-concave-0", "exp-concave-joint"),
    )


def _concave(factor: float) -> Evidence:
    r"""Certify :math:`\psi'(x+1) < 1/x` on (0, 16]: there :math:`g(x) = \log\Gamma(x+1) - x\log x` is concave."""
    found = infimum(lambda x: factor - x * arb(2).zeta(x + 1), [(0, 16)], above=0.0)
    return decided(found, "trigamma(x+1) < 1/x on (0, 16], covered by balls")


def _concavity_defect_telescopes() -> Evidence:
    r"""Check :math:`D(x) - D(x+1) = \frac{1}{x(x+1)^2} > 0` for :math:`D(x) = \frac1x - \psi'(x+1)`.

    D tends to 0, so it is the sum of these steps and positive for all x > 0.
    """
    x = sp.Symbol("x", positive=True)

    def defect(at: sp.Expr) -> sp.Expr:
        return 1 / at - sp.expand_func(sp.polygamma(1, at + 1))

    step = sp.simplify(defect(x) - defect(x + 1) - 1 / (x * (x + 1) ** 2))
    return vanishing("1/x - trigamma(x+1) is a sum of positive terms, for all x > 0", [step])


def regret_ratio(rounds: Sequence[tuple[int, int]], cap: Fraction) -> Fraction:
    r"""Return :math:`e^{2R}/\texttt{cap}^2`, exactly, R the regret of EWOO on rounds of (half-weight, outcome).

    With weights that are multiples of 1/2 every power is an integer one. The best fixed w is the weighted
    mean.

    Examples
    --------
    >>> regret_ratio([(2, 1), (2, 1)], Fraction(3))
    Fraction(1, 1)
    """
    ones = zeros = 0
    learner = Fraction(1)
    for halves, y in rounds:
        w = Fraction(ones + 2, ones + zeros + 4)
        learner *= (w if y else 1 - w) ** halves
        ones, zeros = ones + halves * y, zeros + halves * (1 - y)
    best = Fraction(ones**ones * zeros**zeros, (ones + zeros) ** (ones + zeros))
    return best / learner / cap**2


def _sequences(halves: Iterable[int], longest: int) -> Iterable[tuple[tuple[int, int], ...]]:
    letters = list(product(halves, (0, 1)))
    return (rounds for T in range(1, longest + 1) for rounds in product(letters, repeat=T))


def _mass(rounds: Sequence[tuple[int, int]]) -> Fraction:
    return Fraction(sum(halves for halves, _ in rounds), 2)


def _by_counts(longest: int) -> Fraction:
    r"""Return the largest :math:`e^R/(1+n)` under unit weights, :math:`\binom nk(\frac kn)^k(1-\frac kn)^{n-k}`."""
    return max(
        Fraction(math.comb(n, k) * k**k * (n - k) ** (n - k), n**n)
        for n in range(1, longest + 1)
        for k in range(n + 1)
    )


def _agrees(version: str) -> Evidence:
    """Compare `bounds.ewoo_regret` with the logarithm it stands for."""
    pairs = [(T, Fraction(T * j, 4)) for T in (1, 2, 10, 1000) for j in range(1, 5)]
    worst = 0.0
    for T, mass in pairs:
        truth = (1 + (ball(mass) if version == "sharpened" else arb(T))).log()
        worst = max(
            worst, upper(abs(arb(bounds.ewoo_regret(T, float(mass), version=version)) - truth) / truth)
        )
    return Evidence(worst, 1e-15, "<=", f"klcal.bounds.ewoo_regret, {version}, agrees with its logarithm")


@precision(BITS)
def regret_by_rounds(offset: Fraction = Fraction(1)) -> Evidence:
    r"""Check that the regret of EWOO is at most :math:`\log(T + c)`, c = `offset`.

    Exactly, for all sequences of up to 5 rounds with weights 1/2 and 1, and for all counts under unit weights
    up to 60 rounds; for all sequences because S <= T in ``lem:EWOO_regret_bound/sharp``.
    """
    worst = max(regret_ratio(rounds, len(rounds) + offset) for rounds in _sequences((1, 2), 5))
    return jointly(
        Evidence(worst, 1, "<=", "largest e^(2 regret)/(T+1)^2 over all sequences, as an exact fraction"),
        Evidence(_by_counts(60), 1, "<=", "all counts under unit weights up to 60 rounds"),
        _concavity_defect_telescopes(),
        closed("ewoo-tight"),
        _agrees("paper"),
    )


@precision(BITS)
def regret_by_mass(
    slope: Fraction = Fraction(1), halves: tuple[int, ...] = (1, 2), concave_factor: float = 1.0
) -> Evidence:
    r"""Check that the regret of EWOO is at most :math:`\log(1 + S)`, S the sum of weights in [0, 1].

    By exp-concavity the learner loses at most :math:`-\log\mathrm B(\gamma+1, \delta+1)`, so the regret is at
    most :math:`\log(1+S) + g(S) - g(\gamma) - g(\delta)` with :math:`g(x) = \log\Gamma(x+1) - x\log x` and
    :math:`S = \gamma + \delta`. As :math:`g(0) = 0` and :math:`g'' = \psi'(x+1) - \frac1x < 0`, g is
    subadditive and the last three terms are at most 0. That :math:`\frac1x - \psi'(x+1) > 0` for all x > 0:
    it tends to 0 and its steps are :math:`\frac1{x(x+1)^2}`; besides, balls cover (0, 16].

    Parameters
    ----------
    slope : Fraction
        The bound tried is :math:`\log(1 + \texttt{slope}\cdot S)`.
    halves : tuple of int
        Twice the weights that the enumeration uses; above 2 exp-concavity is lost.
    concave_factor : float
        The bound tried on :math:`x\,\psi'(x+1)`.
    """
    worst = max(regret_ratio(rounds, 1 + slope * _mass(rounds)) for rounds in _sequences(halves, 5))
    return jointly(
        Evidence(worst, 1, "<=", "largest e^(2 regret)/(1+S)^2 over all sequences, as an exact fraction"),
        _concavity_defect_telescopes(),
        _concave(concave_factor),
        closed("ewoo-tight"),
        _agrees("sharpened"),
    )


def _stationary(rows: list[dict[int, arb]]) -> list[arb]:
    """Return the stationary distribution of a chain given by rows, which must have one closed class."""
    reach: list[set[int]] = [set(row) for row in rows]
    for _ in rows:
        reach = [set().union(ahead, *(reach[j] for j in ahead)) for ahead in reach]
    closed_classes = {frozenset(ahead) for ahead in reach if all(reach[j] == ahead for j in ahead)}
    if len(closed_classes) != 1:
        raise Undecided(f"the chain has {len(closed_classes)} closed classes")
    members = sorted(next(iter(closed_classes)))
    size = len(members)
    equations = [[rows[j].get(i, arb(0)) - (i == j) for j in members] for i in members[:-1]] + [
        [arb(1)] * size
    ]
    solution = arb_mat(equations).solve(arb_mat([[arb(int(i == size - 1))] for i in range(size)]))
    mass = [arb(0)] * len(rows)
    for place, i in enumerate(members):
        mass[i] = solution[place, 0]
    return mass


def _rounded(w: arb, points: list[arb]) -> dict[int, arb]:
    """Return the two shares of Algorithm 4; the cell of w must be certain."""
    for i, (low, high) in enumerate(pairwise(points)):
        if low < w and w < high:
            down, up = (high - w) / variance(high), (w - low) / variance(low)
            return {i: down / (down + up), i + 1: up / (down + up)}
    raise Undecided(f"the cell of {w} is not certain")


def first_exit(K: int) -> int:
    """Return the first round of Algorithm 1, all outcomes 0, in which some learner plays w < z_0; in balls.

    The start is the rounded 1/2 of Algorithm 2. Every comparison must be certain, and every chain must have a
    single closed class; otherwise `Undecided` is raised.

    Examples
    --------
    >>> first_exit(3)
    22
    """
    with precision(256):
        points = full_points(K)
        zeros = [arb(0)] * (K + 1)
        for t in range(1, 1000):
            plays = [1 / (mass + 2) for mass in zeros]
            if any(w < points[0] for w in plays):
                return t
            mixture = _stationary([_rounded(w, points) for w in plays])
            zeros = [mass + added for mass, added in zip(zeros, mixture, strict=True)]
    raise Undecided(f"no learner left the grid of K = {K} in 1000 rounds")


def leaves_the_grid(expected: tuple[int, ...] = (22, 72, 264)) -> Evidence:
    """Check that a learner of Algorithm 1 first plays below z_0 in rounds 22, 72, 264 at K = 3, 5, 9."""
    rounds = [first_exit(K) for K in (3, 5, 9)]
    misses = sum(found != wanted for found, wanted in zip(rounds, expected, strict=True))
    return Evidence(
        misses, 0, "==", "Algorithm 1 in ball arithmetic, all comparisons certain", {"rounds": rounds}
    )


def _random_fractions(rng: np.random.Generator, *shape: int) -> list[list[Fraction]]:
    return [[Fraction(int(x), 97) for x in row] for row in rng.integers(1, 98, size=shape)]


def _fixed_point(rows: list[list[Fraction]]) -> list[Fraction]:
    """Return the stationary distribution of a positive row-stochastic matrix, exactly."""
    n = len(rows)
    equations = [[rows[j][i] - (i == j) for j in range(n)] for i in range(n - 1)] + [[Fraction(1)] * n]
    matrix = fmpq_mat([[fmpq(x.numerator, x.denominator) for x in row] for row in equations])
    solution = matrix.solve(fmpq_mat([[int(i == n - 1)] for i in range(n)]))
    return [Fraction(int(solution[i, 0].p), int(solution[i, 0].q)) for i in range(n)]


Game = tuple[list[list[Fraction]], list[list[list[Fraction]]], list[list[Fraction]]]


def _game(rng: np.random.Generator, n: int, T: int, stationary: bool) -> Game:
    """Return mixtures, learners' rows and losses of T rounds with n points, all rational."""
    learners = [[[x / sum(row) for x in row] for row in _random_fractions(rng, n, n)] for _ in range(T)]
    losses = _random_fractions(rng, T, n)
    mixtures = [_fixed_point(rows) if stationary else [Fraction(1, n)] * n for rows in learners]
    return mixtures, learners, losses


def _swap_regret(game: Game) -> Fraction:
    """Return the largest pseudo swap regret over all maps of the points into themselves."""
    mixtures, _, losses = game
    points = range(len(losses[0]))
    rounds = list(zip(mixtures, losses, strict=True))
    regrets = [
        sum((p[i] * (loss[i] - loss[image[i]]) for p, loss in rounds for i in points), Fraction(0))
        for image in product(points, repeat=len(points))
    ]
    return max(regrets)


def _external_regret(game: Game, i: int) -> Fraction:
    """Return the regret of learner i under losses scaled by the mass of point i."""
    regrets = [Fraction(0)] * len(game[2][0])
    for p, rows, loss in zip(*game, strict=True):
        own = sum((q * x for q, x in zip(rows[i], loss, strict=True)), Fraction(0))
        regrets = [regret + p[i] * (own - x) for regret, x in zip(regrets, loss, strict=True)]
    return max(regrets)


def blum_mansour(stationary: bool = True, seed: int = 2) -> Evidence:
    r"""Check that the pseudo swap regret is the sum of the learners' external regrets, on random rational games.

    Since :math:`p_t` is stationary, :math:`\sum_i p_{t,i}\ell_t(i) = \sum_i p_{t,i}\langle q_{t,i}, \ell_t\rangle`.
    Subtract :math:`\sum_i p_{t,i}\ell_t(\sigma(i))`, sum over t, and take the best :math:`\sigma(i)` for each i
    separately: the supremum over all :math:`\sigma` *equals* :math:`\sum_i \mathrm{Reg}_i`, into the grid or into
    [0, 1] alike. Checked exactly with 3 points, 4 rounds, all 27 maps.

    Parameters
    ----------
    stationary : bool
        Whether the mixtures are fixed points; the uniform mixture serves as a control.
    seed : int
        Of the random games.
    """
    rng = np.random.default_rng(seed)
    games = [_game(rng, 3, 4, stationary) for _ in range(20)]
    gaps = [abs(_swap_regret(game) - sum(_external_regret(game, i) for i in range(3))) for game in games]
    return Evidence(max(gaps), 0, "==", "20 random rational games, all maps of the points", {"seed": seed})


CLAIMS: tuple[Claim, ...] = (
    Claim(
        label="alg:EWOO",
        number="Algorithm 3",
        title="EWOO is a Beta mean",
        kind="symbolic",
        chapter=CHAPTER,
        statement="EWOO with scaled log losses plays (gamma + 1)/(gamma + delta + 2), gamma and delta being "
        "the weights of the ones and of the zeros so far.",
        check=beta_means,
        spoil=(partial(beta_means, Fraction(1, 2)), partial(closed, "ewoo-mean", factor=2)),
        rows=(68,),
    ),
    Claim(
        label="alg:EWOO/gamma",
        number="Appendix C.1",
        title="the Gamma integral",
        kind="symbolic",
        chapter=CHAPTER,
        statement="Gamma(z) is the integral of e^(-t) t^(z-1) from 0 to 1.",
        repair="The integral goes from 0 to infinity.",
        check=partial(repaired, "gamma-integral"),
        refute=partial(misprinted, "gamma-integral"),
        severity="misprint",
        spoil=(partial(repaired, "gamma-integral", factor=2),),
        rows=(69,),
    ),
    Claim(
        label="alg:EWOO/exp-concave",
        number="Section 5",
        title="the scaled log loss is exp-concave",
        kind="symbolic",
        chapter=CHAPTER,
        statement="exp(-k l(w, y)) is concave in w for every weight k in [0, 1]; for k > 1 it is not.",
        check=exp_concavity,
        spoil=(partial(exp_concavity, Fraction(11, 10)),),
        rows=(70,),
    ),
    Claim(
        label="alg:EWOO/outside",
        number="Algorithms 2 and 4",
        title="EWOO leaves the grid",
        kind="certified",
        chapter=CHAPTER,
        statement="Under all-zero outcomes some learner of Algorithm 1 plays w < z_0, first in rounds 22, "
        "72, 264 at K = 3, 5, 9: outside the cells that RROUND is defined on.",
        uses=("alg:EWOO",),
        check=leaves_the_grid,
        spoil=(partial(leaves_the_grid, (22, 72, 265)),),
        rows=(72,),
    ),
    Claim(
        label="lem:EWOO_regret_bound",
        number="Lemma 4",
        title="regret of EWOO by rounds",
        kind="certified",
        chapter=CHAPTER,
        statement="The regret of EWOO after T rounds with weights in [0, 1] is at most log(T + 1), with "
        "equality for constant outcomes and unit weights.",
        uses=("alg:EWOO", "alg:EWOO/exp-concave", "lem:EWOO_regret_bound/sharp"),
        check=regret_by_rounds,
        spoil=(partial(regret_by_rounds, Fraction(99, 100)),),
        rows=(71,),
    ),
    Claim(
        label="lem:EWOO_regret_bound/sharp",
        number="Lemma 4, sharpened",
        title="regret of EWOO by weight",
        kind="certified",
        chapter=CHAPTER,
        statement="The regret of EWOO is at most log(1 + S), S the sum of the weights, each at most 1.",
        uses=("alg:EWOO", "alg:EWOO/exp-concave"),
        check=regret_by_mass,
        spoil=(
            partial(regret_by_mass, Fraction(99, 100)),
            partial(regret_by_mass, halves=(2, 4)),
            partial(regret_by_mass, concave_factor=0.95),
        ),
        rows=(71,),
    ),
    Claim(
        label="alg:BM_log_loss/reduction",
        number="Section 5",
        title="the Blum-Mansour step",
        kind="exact",
        chapter=CHAPTER,
        statement="With stationary mixtures the pseudo swap regret equals the sum of the external regrets "
        "of the learners 0, ..., K.",
        check=blum_mansour,
        spoil=(partial(blum_mansour, stationary=False),),
        rows=(64,),
    ),
)
