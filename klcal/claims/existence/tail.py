r"""The dual game with high probability: an exponential moment, exactly in small games, and the experts of Chapter 8."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import sympy as sp
from flint import arb

from klcal import bounds, grids
from klcal._checks import FloatArray
from klcal.claims._combinators import add_formulas, vanishing, worst
from klcal.claims._evidence import Evidence, cases, step
from klcal.claims._ledger import Chapter
from klcal.claims.existence.answers import GAMES, sharpened_bound
from klcal.claims.existence.dual import SMALL
from klcal.exact.balls import ball, precision
from klcal.exact.binomial import allowed_failures
from klcal.exact.worst_cases import dual_moment
from klcal.games import dual_game

chapter = Chapter("04_existence")

Opponent = FloatArray | dual_game.Greedy


@chapter.claim(
    "new:dual-game-tail",
    "new",
    "the dual game with high probability",
    kind="exact",
    scope=cases("K = 2, ..., 6, T <= 80, 12, 6, 4, 3, all adversaries"),
    controls={
        "0.99 of the angle": {"share": Fraction(99, 100)},
        "the KL-nearest point": {"nearest": "kl"},
        "the Euclid-nearest point": {"nearest": "euclid"},
    },
    steps=(
        "new:laplace-in-buckets",
        "the mean of one factor",
        "new:nearest-answers",
        "Markov's inequality",
        "eq:minmax",
    ),
)
def exponential_moment(nearest: str = "chi-square", share: Fraction = Fraction(1)) -> Evidence:
    r"""Let the forecaster of the dual game answer with the $\chi^2$-nearest point of the inner grid. Against every
    adversary $\mathbb E\exp\frac12(\mathsf{KLCal} - \sum_i\log(1+n_i)) \le (\cos\frac\pi{2K})^{-T}$. So for every
    $\delta \in (0, 1]$, with probability at least $1 - \delta$, $\mathsf{KLCal} \le (K-1)\log(1 + \frac T{K-1}) -
    2T\log\cos\frac\pi{2K} + 2\log\frac1\delta$; and in the original game some mixed forecaster has the same against
    every adaptive adversary.
    """

    def excess(game: tuple[int, int]) -> arb:
        K, T = game
        return dual_moment(K, T, nearest) * (ball(share) * arb.pi() / (2 * K)).cos() ** T - 1

    with precision(128):
        # In some games both sides are equal, and a ball of radius 1e-37 is all that can be known.
        return worst(
            "largest exponential moment over its bound, minus 1, by backward induction in balls",
            [(K, T) for K, rounds in {**SMALL, 6: (1, 2, 3)}.items() for T in rounds],
            excess,
            1e-30,
        )


@chapter.evidence(
    "new:dual-game-tail",
    kind="symbolic",
    scope=step("the mean of one factor"),
    controls={"0.99 of the square": {"factor": Fraction(99, 100)}},
)
def one_factor(factor: Fraction | int = 1) -> Evidence:
    r"""By Cauchy and Schwarz the mean of $\sqrt{w(y)/p(y)}$ is at most $\sqrt{\sum_y\tilde p(y)^2/p(y)}$.

    Roots of the probabilities are symbols of their own: m = a^2, 1 - m = b^2, p = c^2, 1 - p = d^2.
    """
    a, b, c, d, r, s, p = sp.symbols("a b c d r s p", positive=True)
    mean, rest = r * a / c + s * b / d, r * b / c - s * a / d
    squares = (a**2 + b**2) * (r**2 / c**2 + s**2 / d**2)
    return vanishing(
        r"$(w(0)+w(1))\sum_y\frac{\tilde p(y)^2}{p(y)} - \bigl(\sum_y\tilde p(y)\sqrt{w(y)/p(y)}\bigr)^2$ is a square, "
        r"and $\sum_y\tilde p(y)^2/p(y) = 1 + \chi^2(\tilde p, p)$",
        [
            squares - mean**2 - sp.Rational(factor) * rest**2,
            r**2 / p + (1 - r) ** 2 / (1 - p) - 1 - (r - p) ** 2 / (p * (1 - p)),
        ],
    )


add_formulas(
    chapter,
    "new:dual-game-tail",
    (
        "theorem_1_tail",
        "",
        lambda T, K, delta: sharpened_bound(T, K) - 2 * delta.log(),
        [(*game, delta) for game in GAMES for delta in (1, 0.05, 1e-6)],
    ),
)


@chapter.evidence(
    "new:dual-game-tail",
    kind="statistical",
    scope=cases("T = 2000, 300 games against each of five announcers, delta = 1/20, seed 41"),
    controls={"0.75 of the bound": {"share": 0.75}},
)
def larger_games(share: float = 1.0) -> Evidence:
    """As many games as chance allows may exceed the bound."""
    T, games, chance = 2000, 300, Fraction(1, 20)
    K = grids.resolution(T)
    grid = grids.inner_grid(K)
    bound = bounds.theorem_1_tail(T, K, float(chance))
    fixed = (make(grid, T, "chi-square") for make in dual_game.ANNOUNCERS.values())
    opponents: list[Opponent] = [dual_game.Greedy(T), *fixed]
    allowed = allowed_failures(games, chance, tests=1 + len(dual_game.ANNOUNCERS))

    played = [
        np.sort(dual_game.play(announcer, grid, "chi-square", games=games, rng=41 + place).kl_calibration())
        for place, announcer in enumerate(opponents)
    ]
    largest = max(float(errors[-1]) for errors in played) / bound
    return worst(
        rf"the largest $\mathsf{{KLCal}}$ is {largest:.3f} of the bound; when the {allowed} largest of {games} games "
        "are left out, so that true statements fail one time in a million, the largest over the bound",
        played,
        lambda errors: float(errors[-1 - allowed] / bound),
        share,
    )


@chapter.claim(
    "new:dual-game-experts",
    "new",
    "the experts of Theorem B in the dual game",
    kind="symbolic",
    scope=step("the mean gain of a bucket"),
    controls={"the announcement 1/100 of the cell beyond its end": {"beyond": Fraction(1, 100)}},
    steps=(
        "the mean gain of a bucket",
        "new:pair-experts/count",
        "new:pair-experts/lemma",
        "new:pair/cell-to-point",
        "eq:minmax",
    ),
    uses=("new:pair-experts", "new:nearest-answers"),
)
def mean_gain(beyond: Fraction | int = 0) -> Evidence:
    r"""Let $K^2 \le T$, and let the forecaster of the dual game answer with the $\chi^2$-nearest point of the inner
    grid. Against every adversary $\mathbb E[\mathsf{KLCal}] \le 4(K-1)(\frac12 + \log(3 + \log_2T)) +
    2T\log\sec\frac\pi{2K}$, the bound of Theorem B (new:pair-experts). With $K$ of order $(T/\log\log T)^{1/3}$ this is
    $O(T^{1/3}(\log\log T)^{2/3})$.

    The cells of PAIR are the cells of the chi-square-nearest answer. A bucket whose cell [l, u] holds the announcement
    l + s(u - l) gains U(y - u) - D(y - l), with U, D >= 0: in the mean -(u - l)(U(1 - s) + D s), which is not positive
    for s in [0, 1]. So the product of the buckets' wealths is a supermartingale, and the rest is the proof of
    Theorem B.
    """
    U, D, low, high, s = sp.symbols("U D l u s", nonnegative=True)
    announced = low + (s + sp.Rational(beyond)) * (high - low)
    gain = U * (announced - high) - D * (announced - low)
    return vanishing(
        r"$U(\tilde p - u) - D(\tilde p - l) = -U(u - \tilde p) - D(\tilde p - l)$ with $\tilde p = l + s(u-l)$",
        [gain + (high - low) * (U * (1 - s) + D * s)],
    )
