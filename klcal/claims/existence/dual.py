r"""The better exponent: one round, exact worst cases of the dual game, larger games, and the rate."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from itertools import product
from typing import Any

import sympy as sp

from klcal import bounds, grids
from klcal.claims._combinators import jointly, vanishing, worst
from klcal.claims._evidence import Evidence, cases, step
from klcal.claims._ledger import Chapter
from klcal.claims.existence.printed import PRINTED, rate_of_the_package, within
from klcal.exact.balls import ball, precision
from klcal.exact.grids import NEAREST
from klcal.exact.worst_cases import dual_worst_case
from klcal.games import dual_game

chapter = Chapter("04_existence")

# Horizons that backward induction in balls reaches within a fraction of a second.
SMALL = {2: (1, 10, 80), 3: (1, 2, 5, 12), 4: (1, 2, 6), 5: (1, 2, 4)}

# Grid, rule, K and T.
Game = tuple[str, str, int, int]


def small_games() -> Iterator[Game]:
    """Yield the games on the inner grid with all three rules, and on the full grid with the KL-nearest point."""
    for rule, (K, rounds) in product(NEAREST, SMALL.items()):
        yield from (("inner", rule, K, T) for T in rounds)
    yield from (("full", "kl", K, T) for K, T in ((2, 1), (2, 6), (3, 1), (3, 4)))


@chapter.claim(
    "new:dual-game-bound",
    "Theorem 1, sharpened",
    "the better exponent, against every adversary",
    kind="exact",
    scope=cases("K = 2, 3, 4, 5, T <= 80, 12, 6, 4, all adversaries"),
    controls={"0.92 of the bound": {"share": Fraction(92, 100)}},
    steps=(
        "new:laplace-in-buckets",
        "the mean of one round",
        "new:nearest-answers",
        "new:theorem-1-sharpened",
    ),
)
def worst_cases(share: Fraction = Fraction(1)) -> Evidence:
    r"""Let $K \ge 2$, and let the forecaster of the dual game answer with the nearest point of the inner grid, by
    distance, by $\mathsf{KL}$ or by $\chi^2$. Against every adversary $\mathbb E[\mathsf{KLCal}] \le
    (K-1)\log(1 + \frac T{K-1}) - 2T\log\cos\frac\pi{2K}$. With the $\mathsf{KL}$-nearest point of the full grid it is
    at most $(K+1)\log(1 + \frac T{K+1}) + T\varepsilon_K$, where $\varepsilon_K \le 1.2946/K^2$ is the worst divergence
    of an answer there.
    """

    def ratio(game: Game) -> Any:
        kind, rule, K, T = game
        full = partial(bounds.theorem_1_full_grid, version="best")
        bound = bounds.theorem_1 if kind == "inner" else full
        return dual_worst_case(kind, K, T, rule) / bound(ball(T), K)

    with precision(128):
        return worst(
            r"largest worst case of $\mathbb E[\mathsf{KLCal}]$ over the bound, by backward induction in balls",
            small_games(),
            ratio,
            ball(share),
        )


@chapter.evidence(
    "new:dual-game-bound",
    kind="symbolic",
    scope=step("the mean of one round"),
    controls={"the announcement moved by 1/100": {"moved": Fraction(1, 100)}},
)
def one_round(moved: Fraction | int = 0) -> Evidence:
    """Given the past, forecast p and Laplace's rule m are fixed, and the outcome is 1 with probability r."""
    p, m, r = sp.symbols("p m r", positive=True)

    def kl(z: sp.Expr) -> sp.Expr:
        return r * sp.log(r / z) + (1 - r) * sp.log((1 - r) / (1 - z))

    chance = r + sp.Rational(moved)
    mean = chance * (sp.log(m) - sp.log(p)) + (1 - chance) * (sp.log(1 - m) - sp.log(1 - p))
    return vanishing(
        r"$\mathbb E[\ell(p, y) - \ell(w, y)] = \mathsf{KL}(\tilde p, p) - \mathsf{KL}(\tilde p, w)$",
        [mean - kl(p) + kl(m)],
    )


@chapter.evidence(
    "new:dual-game-bound",
    kind="numeric",
    scope=cases("T = 100, 1000, 10000, four announcers that do not look at the outcomes, three rules"),
    controls={"0.78 of the bound": {"share": 0.78}},
)
def larger_games(share: float = 1.0) -> Evidence:
    """Against such announcers nothing has to be drawn."""

    def ratio(case: tuple[int, str, str]) -> float:
        T, rule, announcer = case
        K = grids.resolution(T)
        grid = grids.inner_grid(K)
        announced = dual_game.ANNOUNCERS[announcer](grid, T, rule)
        return float(dual_game.expected_kl_calibration(announced, grid, rule) / bounds.theorem_1(T, K))

    return worst(
        r"largest $\mathbb E[\mathsf{KLCal}]$ over the bound, from the law of the counts",
        product((10**2, 10**3, 10**4), NEAREST, dual_game.ANNOUNCERS),
        ratio,
        share,
    )


BETTER = (Fraction(1, 3), Fraction(2, 3))


@chapter.claim(
    "new:dual-game-rate",
    "Theorem 1, sharpened",
    "the better exponent with its constant",
    kind="certified",
    controls={
        "3.27 in place of 3.28": {"constant": Fraction("3.27")},
        "3.63 in place of 3.64": {"printed": Fraction("3.63")},
        "exponent of the logarithm smaller by 1/20": {"powers": (Fraction(1, 3), Fraction(37, 60))},
    },
    uses=("new:theorem-1-sharpened",),
)
def better_rate(
    constant: Fraction = Fraction("3.28"),
    powers: tuple[Fraction, Fraction] = BETTER,
    printed: Fraction = Fraction("3.64"),
) -> Evidence:
    r"""With $K = \max(2, \lceil(T/\log T)^{1/3}\rceil)$ the sharpened bound
    $B = (K-1)\log(1 + \frac T{K-1}) - 2T\log\cos\frac\pi{2K}$ is at most $3.28\,T^{1/3}(\log T)^{2/3}$ for every
    $T \ge 2$; and, separately, at most $3.64\,T^{1/3}(\log T)^{5/3}$ for every $T \ge 2$. (At $T = 2$ the first of
    these two right-hand sides is the larger one.)
    """
    return jointly(
        within("sharpened", constant, powers),
        within("sharpened", printed, PRINTED),
        rate_of_the_package("sharpened", Fraction("3.28"), BETTER),
    )
