r"""Claims of chapter 13: scores that split, and models repaired in their bins."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import sympy as sp

from klcal.claims._combinators import jointly, none_of, vanishing, worst
from klcal.claims._evidence import Evidence, cases, step
from klcal.claims._ledger import Chapter
from klcal.claims.comparisons.followers import harmonic, means, squared_regret
from klcal.forecasters.baselines import calibeat

chapter = Chapter("13_real_data")

PROOF = "Chapter 13"


class _Mean:
    """A number between 0 and 1 with the logarithms of itself and of its complement, as symbols."""

    def __init__(self, name: str, value: sp.Expr | None = None) -> None:
        self.value = sp.Symbol(name) if value is None else value
        self.log, self.log_complement = sp.symbols(f"log_{name} log_1-{name}")

    def losses(self, p: _Mean) -> tuple[sp.Expr, sp.Expr]:
        """Return what the forecast p loses per round on outcomes with this mean: squared loss, log loss."""
        x, q = self.value, p.value
        return x * (1 - q) ** 2 + (1 - x) * q**2, -x * p.log - (1 - x) * p.log_complement

    def divergences(self, p: _Mean) -> tuple[sp.Expr, sp.Expr]:
        x = self.value
        kl = x * (self.log - p.log) + (1 - x) * (self.log_complement - p.log_complement)
        return (x - p.value) ** 2, kl


@chapter.claim(
    "new:murphy",
    "new",
    "loss = calibration - resolution + uncertainty",
    kind="symbolic",
    scope=step("one cell, and two cells merged"),
    controls={"0.99 of the resolution": {"share": Fraction(99, 100)}},
    proof=PROOF,
    steps=("one cell, and two cells merged",),
    uses=("prop:swap_reg_breg_div",),
    credit="Murphy 1973, for the squared loss",
)
def murphy(share: Fraction = Fraction(1)) -> Evidence:
    r"""With the overall mean $\bar y$ the total squared loss is
    $\mathsf{Cal}_2-\sum_pn_p(\rho_p-\bar y)^2+T\bar y(1-\bar y)$ and the total log loss is
    $\mathsf{KLCal}-\sum_pn_p\,\mathrm{KL}(\rho_p, \bar y)+T\,H(\bar y)$; so for both losses external regret is swap
    regret minus resolution, the middle term.

    Cells are merged one after the other. Of logarithms only $\log\frac xp = \log x-\log p$ is used.
    """
    n, m = sp.symbols("n m", positive=True)
    x, y, p = _Mean("x"), _Mean("y"), _Mean("p")
    mean = _Mean("mean", (n * x.value + m * y.value) / (n + m))
    parts = []
    for which in (0, 1):
        entropy = {cell: cell.losses(cell)[which] for cell in (x, y, mean)}
        resolution = n * x.divergences(mean)[which] + m * y.divergences(mean)[which]
        parts += [
            sp.expand(x.losses(p)[which] - x.divergences(p)[which] - entropy[x]),
            sp.cancel(
                (n + m) * entropy[mean] - sp.Rational(share) * resolution - n * entropy[x] - m * entropy[y]
            ),
        ]
    return vanishing("loss = calibration error + refinement, refinement = uncertainty - resolution", parts)


@chapter.claim(
    "new:calibeating",
    "new",
    "calibeating: nearly as good as knowing the mean of every bin",
    kind="exact",
    scope=cases("squared loss, all games of up to 5 rounds of a base that says 0 or 1"),
    controls={"0.01 less in each bin": {"spare": Fraction(1, 100)}},
    proof=PROOF,
    steps=("new:follow-the-leader", "new:laplace-in-buckets"),
    uses=("new:follow-the-leader", "new:laplace-in-buckets", "new:murphy"),
    credit="Foster and Hart 2023; for the log loss also Chen, Huang, Jordan, Luo 2026",
)
def calibeating(spare: Fraction = Fraction(0)) -> Evidence:
    r"""Replacing a base's forecast by the mean of the earlier outcomes in its bin gives, for every base and all
    outcomes, a total squared loss of at most $\sum_bn_b\,\rho_b(1-\rho_b)+\sum_b(1+\frac12+\dots+\frac1{n_b})$; with
    Laplace's rule in the bins the total log loss is at most $\sum_bn_bH(\rho_b)+\sum_b\log(n_b+1)$.
    """
    games = [game for T in range(1, 6) for game in product(product((0, 1), repeat=T), repeat=2)]

    def bins(game: tuple[tuple[int, ...], ...]) -> dict[int, list[int]]:
        return {b: [y for p, y in zip(*game, strict=True) if p == b] for b in set(game[0])}

    def excess(game: tuple[tuple[int, ...], ...]) -> Fraction:
        return sum(
            (squared_regret(ys, Fraction(b)) - harmonic(len(ys)) + spare for b, ys in bins(game).items()),
            Fraction(0),
        )

    def differs(game: tuple[tuple[int, ...], ...]) -> bool:
        earlier = {b: means(ys, Fraction(b)) for b, ys in bins(game).items()}
        return bool(calibeat(*game).tolist() != [float(next(earlier[b])[0]) for b in game[0]])

    return jointly(
        worst("loss minus refinement minus the harmonic numbers, in fractions", games, excess, 0),
        none_of("games in which `calibeat` forecasts otherwise", games, differs),
    )


# ----- one forecaster per bin ----------------------------------------------------------------------------------


@chapter.claim(
    "new:one-forecaster-per-bin",
    "new",
    "one forecaster per bin: calibrated, and better than the model by its calibration error",
    kind="symbolic",
    scope=step("two cells merged"),
    controls={"0.99 of the rest": {"share": Fraction(99, 100)}},
    proof=PROOF,
    steps=("two cells merged", "new:murphy"),
    uses=("prop:swap_reg_breg_div", "new:murphy"),
    credit="after Foster and Hart 2023",
)
def cells_merged(share: Fraction = Fraction(1)) -> Evidence:
    r"""Sort the rounds by a model's forecasts $q$ into bins and run any forecaster in each. With $\mathsf{KLCal}_q$
    that of the forecaster in bin $q$, on every path $\mathsf{KLCal} \le \sum_q\mathsf{KLCal}_q$, and the total log loss
    is at most that of the model minus the model's $\mathsf{KLCal}$ plus $\sum_q\mathsf{KLCal}_q$. The same
    holds with $\mathsf{PKLCal}$ and the losses averaged over the draws.

    Two cells apart are the merged cell plus $n\,\mathrm{KL}(x, c)+m\,\mathrm{KL}(y, c) \ge 0$, $c$ their common mean;
    and this is also by how much the refinement falls when a cell is cut in two.
    """
    n, m = sp.symbols("n m", positive=True)
    x, y, p = _Mean("x"), _Mean("y"), _Mean("p")
    c = _Mean("c", (n * x.value + m * y.value) / (n + m))

    def kl(rho: _Mean, q: _Mean) -> sp.Expr:
        return rho.divergences(q)[1]

    rest = sp.Rational(share) * (n * kl(x, c) + m * kl(y, c))
    entropies = {cell: cell.losses(cell)[1] for cell in (x, y, c)}
    return vanishing(
        "the calibration error and the refinement of two cells, apart and merged",
        [
            sp.cancel(n * kl(x, p) + m * kl(y, p) - (n + m) * kl(c, p) - rest),
            sp.cancel((n + m) * entropies[c] - n * entropies[x] - m * entropies[y] - rest),
        ],
    )
