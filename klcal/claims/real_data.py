r"""Claims of chapter 13: scores that split, and models repaired in their bins."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

from klcal.claims._combinators import jointly, none_of, worst
from klcal.claims._evidence import Evidence, cases, step
from klcal.claims._ledger import Chapter
from klcal.claims.comparisons.followers import means, squared_regret
from klcal.claims.constants.theorem_2 import merging_cells
from klcal.exact.arithmetic import harmonic
from klcal.forecasters.baselines import calibeat

chapter = Chapter("13_real_data")


chapter.statement(
    "new:murphy",
    "new",
    "loss = calibration \N{MINUS SIGN} resolution + uncertainty",
    r"With the overall mean $\bar y$ the total squared loss is "
    r"$\mathsf{Cal}_2-\sum_pn_p(\rho_p-\bar y)^2+T\bar y(1-\bar y)$ and the total log loss is "
    r"$\mathsf{KLCal}-\sum_pn_p\,\mathsf{KL}(\rho_p, \bar y)+T\,H(\bar y)$; so for both losses external regret is swap "
    "regret minus resolution, the middle term.",
    proof="Chapter 13",
    uses=("prop:swap_reg_breg_div",),
    credit="Murphy 1973, for the squared loss",
)


@chapter.claim(
    "new:calibeating",
    "new",
    "calibeating: nearly as good as knowing the mean of every bin",
    kind="exact",
    scope=cases("squared loss, all games of up to 5 rounds of a base that says 0 or 1"),
    controls={"0.01 less in each bin": {"spare": Fraction(1, 100)}},
    steps=("new:follow-the-leader", "new:laplace-in-buckets"),
    uses=("new:murphy",),
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


chapter.claim(
    "new:one-forecaster-per-bin",
    "new",
    "one forecaster per bin: calibrated, and better than the model by its calibration error",
    kind="symbolic",
    scope=step("two cells merged"),
    controls={"0.99 of one divergence": {"share": Fraction(99, 100)}},
    statement=r"Sort the rounds by a model's forecasts $q$ into bins and run any forecaster in each. With "
    r"$\mathsf{KLCal}_q$ that of the forecaster in bin $q$, on every path $\mathsf{KLCal} \le \sum_q\mathsf{KLCal}_q$, "
    r"and the total log loss is at most that of the model minus the model's $\mathsf{KLCal}$ plus "
    r"$\sum_q\mathsf{KLCal}_q$. The same holds with $\mathsf{PKLCal}$ and the losses averaged over the draws.",
    steps=("two cells merged", "new:murphy"),
    uses=("prop:swap_reg_breg_div",),
    credit="after Foster and Hart 2023",
)(merging_cells)
