"""Claims on Corollary 2, term by term, and on one game judged by many losses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

import numpy as np

from klcal import adversaries, bounds, grids, measures
from klcal.claims._combinators import at_least, at_most, jointly, none_of, worst
from klcal.claims._evidence import Evidence, cases, step
from klcal.claims._ledger import Chapter
from klcal.claims.bregman.slow_loss import DISCLAIMER, EVERY_FORECASTER, outgrows
from klcal.exact.balls import ball, precision
from klcal.exact.certificates import largest_ratio
from klcal.exact.growth import horizons
from klcal.games.play import Run, run
from klcal.losses import LOSSES, ProperLoss, random_proper_loss
from klcal.measures.cells import Cells

chapter = Chapter("06_all_losses_at_once")

SEED = 20
GAMES = "T = 20000, all adversaries of klcal, one seed"


chapter.statement(
    "cor:simultaneous_bounds_psreg",
    "Corollary 2",
    "four bounds at once",
    r"Algorithm 1 has $\mathsf{PKLCal} = O(R)$, $\mathsf{PMsr}_{\mathcal L_G} = O(GR)$, "
    r"$\mathsf{PMsr}_{\mathcal L_2} = O(R)$ (to be read as $\mathsf{PSReg}^\ell = O(R)$ for each $\ell \in "
    r"\mathcal L_2$), $R = T^{1/3}(\log T)^{2/3}$, and $\mathsf{PMsr} = O(T^{2/3}(\log T)^{1/3})$ over the "
    "other proper losses in $[-1, 1]$.",
    proof="Appendix C.4, and Chapter 6",
    steps=(
        "thm:bound_pkcal",
        "prop:breg_div_decomposable",
        "prop:bound_breg_div_quadratically/kl",
        "appB:swap_regret_below_4_cal1",
        "sec1:cal1_below_cal2",
    ),
    repair=(
        r"With $B$ the right-hand side of Theorem 2: $\mathsf{PKLCal} \le B$; $\mathsf{PMsr}_{\mathcal L_G} \le "
        r"\frac G4B$; $\mathsf{PSReg}^\ell \le c_\ell B$ for each loss with $c_\ell = \sup p(1-p)|\ell''(p)|$ finite; "
        r"and $\mathsf{PMsr}_{\mathcal L} \le 4\sqrt{TB/2}$ for all proper losses in $[-1, 1]$. "
    )
    + DISCLAIMER
    + (
        r" As a supremum it would be the fourth: $\mathsf{PMsr}_{\mathcal L_2} = "
        r"\mathsf{PMsr}_{\mathcal L}$ (new:smooth_losses_suffice), of order $T^{2/3}(\log T)^{1/3}$ on this grid "
        "(new:grid_lower_bound/sine)."
    ),
    severity="statement",
    uses=(
        "thm:bound_pkcal/explicit",
        "cor:simultaneous_bounds_psreg/explicit",
        "sec1:for_each_loss_in_L_2",
        "new:grid_lower_bound/sine",
    ),
    rows=(88, 89),
)


@chapter.refutation(
    "cor:simultaneous_bounds_psreg",
    kind="symbolic",
    scope=step("the limit, given the lower bound of new:slow_loss"),
    controls={r"the rate $\sqrt T$ in place of $R$": {"power": Fraction(1, 2), "log_power": 0}},
)
def third_bound_fails(
    power: Fraction = Fraction(1, 3), log_power: Fraction | int = Fraction(2, 3)
) -> Evidence:
    """One fixed loss in L_2 has more pseudo swap regret than every multiple of the rate."""
    return outgrows(power, log_power).against(
        "the third bound fails for a single loss, for Algorithm 1 and for every other forecaster: "
        + EVERY_FORECASTER
        + r", and $\mathsf{PSReg}^\ell$ is at least as large"
    )


@chapter.claim(
    "cor:simultaneous_bounds_psreg/rates",
    "Corollary 2, constants",
    "the constants of the four rates",
    kind="certified",
    scope=step("the constants"),
    controls={
        "5.33 in place of 5.34": {"constant": Fraction(533, 100)},
        "0.98 in place of 0.97": {"share": Fraction(98, 100)},
    },
    steps=(
        "the constants",
        "thm:bound_pkcal/rate",
        "cor:simultaneous_bounds_psreg",
        "new:grid_lower_bound/sine",
    ),
    rows=(88,),
)
def constants_of_the_rates(
    constant: Fraction = Fraction(534, 100), share: Fraction = Fraction(97, 100)
) -> Evidence:
    r"""At the paper's $K$ and for $T \ge 2$, with $R = T^{1/3}(\log T)^{2/3}$: $\mathsf{PKLCal} \le 3.56\,R$,
    $\mathsf{PSReg}^\ell \le 3.56\,c_\ell R$, $\mathsf{PMsr}_{\mathcal L_G} \le 0.89\,G R$ and
    $\mathsf{PMsr}_{\mathcal L} \le 5.34\,T^{2/3}(\log T)^{1/3}$; from below, for $T \ge 10^6$ some coin makes the last
    one at least $0.97\,T^{2/3}(\log T)^{1/3}$ in expectation.

    From below T/K with K <= kappa + 1, kappa = (T/log T)^(1/3), is at least kappa/(kappa + 1) of the rate, which grows.
    """
    all_horizons: Any = horizons(100)
    rate = bounds.theorem_2_rate(all_horizons, version="best")
    ratio = largest_ratio(
        lambda T, K: bounds.theorem_2(T, K, version="best") / bounds.theorem_2_rate(T, version="best"),
        bounds.rates.real_resolution,
    )
    with precision(96):
        kappa = (ball(10**6) / ball(10**6).log()).root(3)
        least = at_least(kappa / (kappa + 1), share, r"$\kappa/(\kappa+1)$ at $T = 10^6$")
    return jointly(
        at_most(ratio.upper, 1, r"$B$ over $3.56\,R$ at the paper's $K$, for all $T \ge 2$"),
        at_most(8 * rate.coefficient, constant**2, r"$(4\sqrt{3.56/2})^2$ against $5.34^2$"),
        least,
    )


@cache
def games(T: int = 20_000, seed: int = SEED) -> Mapping[str, Run]:
    """Play Algorithm 1 against every adversary of `klcal.adversaries`, once; games by the adversary's name."""
    fixed = {name: run(make(T, seed), rng=seed) for name, make in adversaries.OBLIVIOUS.items()}
    return fixed | {name: run(make(T), rng=seed) for name, make in adversaries.ADAPTIVE.items()}


@chapter.claim(
    "cor:simultaneous_bounds_psreg/games",
    "Corollary 2, in games",
    "the four bounds against every adversary",
    kind="numeric",
    scope=cases(GAMES),
    controls={"0.395 of the bounds, where the largest share is 0.3954": {"allowed": 0.395}},
    uses=("cor:simultaneous_bounds_psreg",),
    rows=(88,),
)
def terms_in_games(allowed: float = 1.0) -> Evidence:
    """In games of 20000 rounds against every adversary of this book all four terms stay below their bounds."""

    def share(game: Run) -> float:
        cells, T, K = game.expected, game.horizon, grids.resolution(game.horizon)
        B = bounds.theorem_2(T, K, version="best")
        everything = bounds.swap_regret_from_cal1(bounds.cal1_from_cal2(T, bounds.cal2_from_kl(B)))
        shares = [
            measures.kl_calibration(cells) / B,
            measures.max_swap_regret(cells) / everything,
            *(measures.max_swap_regret(cells, G) / bounds.proposition_3_from_kl(G, B) for G in (1, 4, 16)),
            *(measures.swap_regret(cells, f) / bounds.proposition_2(f, B) for f in LOSSES.values()),
        ]
        return float(max(shares))

    found = {name: share(game) for name, game in games().items()}
    return worst("largest share of its bound that a term takes", found, found.__getitem__, allowed, seed=SEED)


def _random_losses(count: int) -> Iterator[ProperLoss]:
    rng = np.random.default_rng(SEED)
    for number in range(count):
        yield random_proper_loss("steps" if number % 2 else "kinks", 1 + number % 7, rng=rng)


@chapter.claim(
    "new:one_game_all_losses",
    "Propositions 2 and 3, in games",
    "one game, many losses",
    kind="numeric",
    scope=cases(GAMES + ", mixtures and draws; the named losses and eight random ones"),
    controls={"0.999 of the bounds": {"factor": 0.999}},
    uses=("prop:breg_div_decomposable", "prop:bound_breg_div_quadratically/sharp", "new:msr_is_an_envelope"),
)
def one_game_all_losses(factor: float = 1.0) -> Evidence:
    r"""In games of 20000 rounds against every adversary of this book the named losses and eight random proper losses
    have swap regret at most $c_\ell\,\mathsf{KLCal}$, at most $\frac G2\mathsf{Cal}_2$ and at most
    $\mathsf{Msr}_{\mathcal L}$, for mixtures and for draws.
    """
    rounding = 1 + 1e-12

    def violates(case: tuple[Cells, ProperLoss]) -> bool:
        cells, loss = case
        regret = measures.swap_regret(cells, loss)
        limits = [factor * bound for bound in measures.calibration_bounds(cells, loss)]
        if loss.name != "log":
            limits.append(measures.max_swap_regret(cells))
        return any(regret > bound * rounding for bound in limits)

    cells = [each for game in games().values() for each in (game.expected, game.realised)]
    losses = (*LOSSES.values(), *_random_losses(8))
    return none_of("swap regrets above one of their bounds", product(cells, losses), violates, seed=SEED)
