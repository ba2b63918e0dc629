"""Claims on the supremum over all bounded proper losses: linear in the bend, and a concave envelope at 1/2."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from fractions import Fraction
from functools import partial

from klcal import measures
from klcal.claims._combinators import equal, jointly, none_of, smallest, worst
from klcal.claims._evidence import Evidence, cases
from klcal.claims._ledger import Chapter
from klcal.exact.cells import ExactCells
from klcal.exact.kinks import (
    HALF,
    REGRETS,
    Kink,
    break_points,
    extents,
    loss_of,
    optimum,
    profile,
    regret_of,
    small_games,
)

chapter = Chapter("06_all_losses_at_once")

SMALL = "all games of three rounds on 0, 1/3, 1/2, 7/8; two rounds of mixtures of 2/5 and 3/5"


def _some_losses() -> Iterator[tuple[Kink, ...]]:
    """Yield losses with two or three kinks: at forecasts, at means, at ends, with several ties."""
    for tie in (Fraction(0), Fraction(1, 3), Fraction(1)):
        yield Kink(HALF, Fraction(3), tie), Kink(Fraction(1, 3), Fraction(2), 1 - tie)
        yield Kink(Fraction(0), Fraction(1)), Kink(Fraction(2, 5), HALF, tie), Kink(Fraction(7, 8), HALF, tie)


@chapter.claim(
    "new:regret_is_linear_in_the_bend",
    "new",
    "regret is linear in the bend of the loss",
    kind="exact",
    scope=cases("every 15th of " + SMALL + "; six losses with two or three kinks"),
    controls={
        "every tie read from the wrong side": {"flipped": True},
        "$|f''| = 1.99$ in place of 2 for the squared loss": {"weight": Fraction(199, 100)},
    },
    steps=("lem:characterization_proper_loss", "prop:swap_reg_breg_div"),
    credit="Hu and Wu 2024, Lemma 3.8 (swap regret and V-shaped losses)",
)
def linear_in_the_bend(flipped: bool = False, weight: Fraction = Fraction(2)) -> Evidence:
    r"""Every proper loss with finite values is $a + by + \int \ell_u\,d\mu(u)$ with threshold losses
    $\ell_u(p, y) = -s_u(p)(y-u)$ and $\mu = -f''$; $\mathsf{SReg}^\ell = \int \mathsf{SReg}^{\ell_u}d\mu$ and
    $\mathsf{Reg}^\ell = \int \mathsf{Reg}^{\ell_u}d\mu$; and for suitable $a$, $b$ it lies in $[-1, 1]$ exactly if
    $\int u\,d\mu \le 2$ and $\int(1-u)\,d\mu \le 2$.

    The mean of a cell is the best reply to every threshold, whatever its place, because each is proper. So one
    comparator is best for all of them at once, and minimum and sum can be exchanged.
    """

    def differs(case: tuple[ExactCells, str, tuple[Kink, ...]]) -> bool:
        cells, regret, kinks = case
        ties = [1 - kink.above if flipped else kink.above for kink in kinks]
        parts = (
            kink.mass * profile(cells, kink.place, regret, tie) for kink, tie in zip(kinks, ties, strict=True)
        )
        return regret_of(cells, kinks, regret) != sum(parts, Fraction(0))

    def stretches(kinks: tuple[Kink, ...]) -> bool:
        values = [[loss_of(kinks, Fraction(k, 6), y) for k in range(7)] for y in (0, 1)]
        return tuple(max(each) - min(each) for each in values) != extents(kinks)

    def smooth_differs(cells: ExactCells) -> bool:
        # The profile is linear between break points, so that its values halfway suffice.
        area = sum(
            (v - u) * profile(cells, (u + v) / 2, "swap") for u, v in itertools.pairwise(break_points(cells))
        )
        return weight * area != cells.calibration_error(2)

    losses = tuple(_some_losses())
    return jointly(
        none_of(
            "cases in which regret, all comparators tried, is not the sum over kinks",
            itertools.product(small_games()[::15], REGRETS, losses),
            differs,
        ),
        none_of(
            "losses that do not extend over $\\int u\\,d\\mu$ and $\\int(1-u)\\,d\\mu$", losses, stretches
        ),
        none_of(
            r"games in which the integral for $|f''| = 2$ is not $\mathsf{Cal}_2$",
            small_games()[::2],
            smooth_differs,
        ),
    )


chapter.statement(
    "new:msr_is_an_envelope",
    "new",
    "the largest swap regret is a concave envelope",
    r"$\mathsf{Msr}_{\mathcal L} = 4\hat\varphi(\frac12)$ with $\hat\varphi$ the least concave function above "
    r"the swap profile $\varphi$, attained by a loss with at most two kinks, at break points $u \le \frac12 "
    r"\le v$.",
    steps=("new:regret_is_linear_in_the_bend",),
)


chapter.statement(
    "new:ucal_is_an_envelope",
    "new",
    "so is the U-calibration error",
    r"The U-calibration error $\sup_{\ell \in \mathcal L}\mathsf{Reg}^\ell$ is four times the least concave "
    r"function above the external profile, at $\frac12$.",
    steps=("new:regret_is_linear_in_the_bend",),
)


MAXIMA = {"swap": "new:msr_is_an_envelope", "external": "new:ucal_is_an_envelope"}


def maximum_in_the_package(function: str, regret: str) -> Evidence:
    """Compare `max_swap_regret` or `max_external_regret` with the fractions."""
    return worst(
        f"`max_{function}_regret` against the fractions",
        small_games(),
        lambda cells: abs(
            getattr(measures, f"max_{function}_regret")(cells.as_floats())
            - float(optimum(cells, regret).value)
        ),
        4e-15,
    )


for _regret, _other in (REGRETS, REGRETS[::-1]):
    chapter.evidence(
        MAXIMA[_regret],
        kind="numeric",
        scope=cases(SMALL),
        controls={f"{_other} regret in its place": {"regret": _other}},
    )(partial(maximum_in_the_package, _regret, regret=_regret))


# One outcome of eight is wrong at either end: two kinks, at 0 and 1, punish both.
_APART = ExactCells((Fraction(0), Fraction(1)), (Fraction(8), Fraction(8)), (Fraction(1), Fraction(7)))


@chapter.claim(
    "new:one_kink_gets_half",
    "new",
    "one threshold finds half of it",
    kind="exact",
    scope=cases(SMALL + "; an example with exactly one half"),
    controls={"0.51 in place of one half": {"share": Fraction(51, 100)}},
    steps=("new:msr_is_an_envelope", "new:ucal_is_an_envelope"),
    credit="Kleinberg et al. 2023, for external regret",
)
def one_kink(share: Fraction = HALF) -> Evidence:
    r"""The best loss in $\mathcal L$ with a single kink has at least half of the largest swap regret, and at least half
    of the largest external regret; for some cells it has exactly half.

    Each of the two kinks of an optimal loss fits into [-1, 1] alone, so one of them brings half the value.
    """

    def reached(case: tuple[ExactCells, str]) -> Fraction:
        cells, regret = case
        single = max(2 * profile(cells, u, regret) / max(u, 1 - u) for u in break_points(cells))
        value = optimum(cells, regret).value
        return single / value if value > 0 else Fraction(1)

    games = itertools.product((*small_games(), _APART), REGRETS)
    return jointly(
        smallest("smallest share of the supremum that one kink reaches", games, reached, share),
        equal(
            max(reached((_APART, regret)) for regret in REGRETS),
            HALF,
            "half of it with eight forecasts of 0 and of 1, one of each wrong",
        ),
    )
