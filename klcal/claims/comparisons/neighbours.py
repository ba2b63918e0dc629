r"""Foster's two neighbours: the steps of the proof of its bound, and its exact worst case in small games."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import numpy as np
import sympy as sp
from flint import arb

from klcal import bounds
from klcal.claims._combinators import at_most, jointly, none_of, vanishing, worst
from klcal.claims._evidence import Evidence, all_cases, step
from klcal.claims._ledger import Chapter
from klcal.claims.explicit.realised import harmonic_numbers
from klcal.exact.arithmetic import Mixture
from klcal.exact.balls import ball, precision
from klcal.exact.cells import Counts, add_draw, no_counts, square_cost
from klcal.exact.forecasters import two_neighbours
from klcal.exact.grids import uniform_grid
from klcal.exact.induction import summed
from klcal.exact.worst_cases import worst_expectation
from klcal.forecasters.baselines import neighbour_mixture
from klcal.symbolic import rational

chapter = Chapter("10_comparisons")

# Resolution and horizon of the games that are solved.
GAMES = ((2, 8), (3, 6))


@chapter.claim(
    "new:two-neighbours",
    "new",
    "two neighbours of a uniform grid: the bound on E[Cal_2]",
    kind="symbolic",
    scope=step("the drift of a round"),
    controls={"0.249 in place of 1/4": {"constant": Fraction(249, 1000)}},
    steps=("the drift of a round", "harmonic numbers"),
    credit="Foster 1999; Foster and Hart 2021",
)
def drift(constant: Fraction = Fraction(1, 4)) -> Evidence:
    r"""The forecaster that says the lowest calibrated point of the uniform grid if there is one, and else mixes the
    lowest two neighbours with gaps $a > 0$ and $-b < 0$ with probabilities $\frac b{a+b}$ and $\frac a{a+b}$, has
    $\mathbb E[\mathsf{Cal}_2] \le (K+1)\,h(\frac T{K+1})+\frac T{4K^2}$ against every adaptive adversary, where
    $h(s) = s$ up to 1 and $1+\log s$ beyond.

    A round adds $2g(y-z)-g^2+\frac{(y-\rho)^2}{n+1}$ to a cell. Over the two neighbours the first two terms have the
    mean $ab(\frac{2\delta}{a+b}-1)$, which does not depend on $y$; with $s = a+b$ and $ab \le \frac{s^2}4$ what is left
    to $\frac{\delta^2}4$ is a square.
    """
    n, rho, z, y = sp.symbols("n rho z y", positive=True)
    a, b, s, low, width = sp.symbols("a b s low width", positive=True)
    gap, mean, share = rho - z, (n * rho + y) / (n + 1), b / (a + b)
    added = (n + 1) * (mean - z) ** 2 - n * gap**2
    both = share * (2 * a * (y - low) - a**2) + (1 - share) * (-2 * b * (y - low - width) - b**2)
    drifts = a * b * (2 * width / (a + b) - 1)
    attained = rational(sp.cancel(drifts.subs({a: width / 2, b: width / 2}) / width**2))
    return jointly(
        vanishing(
            "the change of a cell, its drift over two neighbours, and what is left of a square",
            [
                sp.cancel(added - (2 * gap * (y - z) - gap**2 + (y - rho) ** 2 / (n + 1))),
                sp.cancel(both - drifts),
                sp.expand(width**2 / 4 - s**2 / 4 * (2 * width / s - 1) - (width - s) ** 2 / 4),
                sp.expand((a + b) ** 2 / 4 - a * b - (a - b) ** 2 / 4),
            ],
        ),
        at_most(attained, constant, r"the drift over $\delta^2$ where both gaps are half a cell"),
    )


chapter.evidence(
    "new:two-neighbours",
    kind="certified",
    scope=step("harmonic numbers"),
    controls={r"$\frac{1.01}{n+1}$ in place of $\frac1{n+1}$": {"numerator": 101}},
)(harmonic_numbers)


def _reachable(K: int, T: int) -> Iterator[Counts]:
    """Yield all counts that two neighbours can have before rounds 1, ..., T."""
    rule, last = two_neighbours(uniform_grid(K)), {no_counts(K + 1)}
    for _ in range(T):
        yield from last
        last = {add_draw(counts, i, y) for counts in last for i in rule(counts) for y in (0, 1)}


def _differs(counts: Counts) -> bool:
    mixture = two_neighbours(uniform_grid(len(counts) - 1))(counts)
    found = neighbour_mixture(np.transpose(counts))
    return any(abs(found[i] - float(mixture.get(i, 0))) > 1e-14 for i in range(len(counts)))


@chapter.claim(
    "new:two-neighbours-games",
    "new",
    "two neighbours: the exact worst case of small games",
    kind="exact",
    scope=all_cases("K = 2, T = 8 and K = 3, T = 6, all adaptive adversaries"),
    controls={
        "0.51 of the bound, where 0.52 would do": {"share": Fraction(51, 100)},
        "the lower neighbour always": {"lower": True},
    },
    uses=("new:two-neighbours",),
    credit="Foster 1999; Foster and Hart 2021, for the algorithm",
)
def solved(share: Fraction = Fraction(1), lower: bool = False) -> Evidence:
    r"""At $K = 2$, $T = 8$ and at $K = 3$, $T = 6$ the largest $\mathbb E[\mathsf{Cal}_2]$ over all adaptive
    adversaries, a fraction, is below the bound; always to say the lower of the two neighbours breaks it.
    """

    def quotient(game: tuple[int, int]) -> arb:
        K, T = game
        grid = uniform_grid(K)
        rule = two_neighbours(grid)

        def played(counts: Counts) -> Mixture:
            return {min(rule(counts)): 1} if lower else rule(counts)

        value = worst_expectation(played, K + 1, T, summed(grid, square_cost))
        bound: arb = bounds.squared_loss_pcal2(arb(T), K)
        return ball(value) / (ball(share) * bound)

    with precision(128):
        return jointly(
            worst(r"largest $\mathbb E[\mathsf{Cal}_2]$ over the bound", GAMES, quotient, 1),
            none_of(
                "counts at which `neighbour_mixture` is not this mixture",
                (counts for game in GAMES for counts in _reachable(*game)),
                _differs,
            ),
        )
