"""Claims on the supremum over all bounded proper losses: linear in the bend, and a concave envelope at 1/2."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from fractions import Fraction
from functools import partial

from klcal import measures
from klcal.claims._combinators import jointly
from klcal.claims._evidence import Evidence
from klcal.claims._legacy import Claim
from klcal.exact.kinks import (
    CHAPTER,
    HALF,
    REGRETS,
    Kink,
    break_points,
    loss_of,
    optimum,
    profile,
    regret_of,
    small_games,
)
from klcal.claims.losses_and_calibration.calibration import as_cells
from klcal.exact.counterexamples import ExactCells

_MAXIMA = {"swap": measures.max_swap_regret, "external": measures.max_external_regret}
_SIXTHS = tuple(Fraction(k, 6) for k in range(7))


def _some_losses() -> Iterator[tuple[Kink, ...]]:
    """Yield losses with two or three kinks: at forecasts, at means, at ends, with several ties."""
    for tie in (Fraction(0), Fraction(1, 3), Fraction(1)):
        yield Kink(HALF, Fraction(3), tie), Kink(Fraction(1, 3), Fraction(2), 1 - tie)
        yield Kink(Fraction(0), Fraction(1)), Kink(Fraction(2, 5), HALF, tie), Kink(Fraction(7, 8), HALF, tie)


def _extent(kinks: tuple[Kink, ...], y: int) -> Fraction:
    values = [loss_of(kinks, p, y) for p in _SIXTHS]
    return max(values) - min(values)


def _integral(cells: ExactCells) -> Fraction:
    """Return the integral of the swap profile: linear between break points, so its values halfway suffice."""
    pieces = itertools.pairwise(break_points(cells))
    return sum(((v - u) * profile(cells, (u + v) / 2, "swap") for u, v in pieces), Fraction(0))


def linear_in_the_bend(flipped: bool = False, weight: int = 2) -> Evidence:
    """Compare the regret of kinked losses, comparators tried one by one, with the sum of m_j phi(u_j).

    For each kink alone the comparators rho_p (swap) and ybar (external) are best, whatever its place, because
    the loss is proper. One comparator is therefore best for all kinks at once, the minimum and the sum can be
    exchanged, and regret is linear. `flipped` reads every tie from the wrong side; `weight` is the density
    of the squared loss.

    Parameters
    ----------
    flipped : bool
        Whether to spoil the ties.
    weight : int
        The constant |f''| of the loss whose regret is Cal_2.
    """
    wrong = tried = 0
    for number, cells in enumerate(small_games()):
        for regret in REGRETS if number % 15 == 0 else ():
            for kinks in _some_losses():
                parts = (
                    kink.mass * profile(cells, kink.place, regret, 1 - kink.above if flipped else kink.above)
                    for kink in kinks
                )
                wrong += regret_of(cells, kinks, regret) != sum(parts, Fraction(0))
                tried += 1
    stretched = sum(
        _extent(kinks, y) != sum((k.mass * (k.place if y == 0 else 1 - k.place) for k in kinks), Fraction(0))
        for kinks in _some_losses()
        for y in (0, 1)
    )
    smooth = sum(weight * _integral(cells) != cells.calibration_error(2) for cells in small_games()[::2])
    return jointly(
        Evidence(
            wrong, 0, "==", "regret, all comparators tried, against the sum over kinks", {"tried": tried}
        ),
        Evidence(
            stretched, 0, "==", "losses of outcome 0 extend over sum m u, of outcome 1 over sum m (1 - u)"
        ),
        Evidence(smooth, 0, "==", "for |f''| = 2, the squared loss, the integral is Cal_2"),
    )


def is_an_envelope(regret: str, centre: Fraction = HALF, constant: Fraction = Fraction(4)) -> Evidence:
    """Exhibit a loss and a line with the same value in every small game, and compare with `klcal.measures`.

    The loss lies in [-1, 1] and its regret is the value; the line lies above the profile, and twice the sum of
    its end values, `constant` times its height at 1/2, is the value too. By weak duality both are optimal.

    Parameters
    ----------
    regret : {"swap", "external"}
        Which regret.
    centre : Fraction
        Where the envelope is taken.
    constant : Fraction
        What its height there is multiplied by.
    """
    wrong, tried, drift = 0, 0, 0.0
    for number, cells in enumerate(small_games()):
        best = optimum(cells, regret, centre)
        height = sum(best.ends) / 2
        wrong += best.value != constant * height or best.excess > 0 or min(best.ends) < 0
        wrong += max(best.ranges) > 2 or len(best.kinks) > 2
        if number % 9 == 0:
            wrong += regret_of(cells, best.kinks, regret) != best.value
        drift = max(drift, abs(_MAXIMA[regret](as_cells(cells)) - float(best.value)))
        tried += 1
    name = _MAXIMA[regret].__name__
    return jointly(
        Evidence(
            wrong, 0, "==", "a loss in [-1, 1] and a line above the profile with one value", {"games": tried}
        ),
        Evidence(drift, 4e-15, "<=", f"klcal.{name} against the fractions"),
    )


def _best_single(cells: ExactCells, regret: str) -> Fraction:
    """Return the largest regret of a loss with one kink, as large as [-1, 1] allows."""
    return max(2 * profile(cells, u, regret) / max(u, 1 - u) for u in break_points(cells))


_APART = ExactCells(
    (Fraction(0), Fraction(1)), (Fraction(8), Fraction(8)), (Fraction(1), Fraction(7))
)  # one outcome of eight is wrong at either end: two kinks, at 0 and 1, punish both


def one_kink_gets_half(share: Fraction = HALF) -> Evidence:
    """Compare the best loss with a single kink with the supremum: at least half of it, and half is attained.

    Each of the two kinks of an optimal loss fits into [-1, 1] alone, so one of them brings half the value.

    Parameters
    ----------
    share : Fraction
        What the single kink must reach.
    """
    games = [*small_games(), _APART]
    found = [
        (_best_single(cells, regret), optimum(cells, regret).value) for cells in games for regret in REGRETS
    ]
    lowest = min(single / every for single, every in found if every > 0)
    attained = [_best_single(_APART, regret) / optimum(_APART, regret).value for regret in REGRETS]
    return jointly(
        Evidence(
            lowest,
            share,
            ">=",
            "smallest share that one kink reaches, over small games",
            {"games": len(games)},
        ),
        Evidence(max(attained), HALF, "==", "forecasts 0 and 1, each wrong once in eight: exactly one half"),
    )


CLAIMS: tuple[Claim, ...] = (
    Claim(
        label="new:regret_is_linear_in_the_bend",
        number="new",
        title="regret is linear in the bend of the loss",
        kind="exact",
        chapter=CHAPTER,
        statement=(
            "With mu = -f'', swap and external regret are the integral of the profile phi against mu, and the losses"
            " of the outcomes 0 and 1 extend over the integrals of u and of 1 - u."
        ),
        uses=("prop:swap_reg_breg_div", "lem:characterization_proper_loss"),
        check=linear_in_the_bend,
        spoil=(partial(linear_in_the_bend, flipped=True), partial(linear_in_the_bend, weight=1)),
    ),
    Claim(
        label="new:msr_is_an_envelope",
        number="new",
        title="the largest swap regret is a concave envelope",
        kind="exact",
        chapter=CHAPTER,
        statement=(
            "Msr over all proper losses in [-1, 1] is 4 times the concave envelope of the swap profile at 1/2,"
            " attained by a loss with at most two kinks."
        ),
        uses=("new:regret_is_linear_in_the_bend",),
        check=partial(is_an_envelope, "swap"),
        spoil=(
            partial(is_an_envelope, "swap", centre=Fraction(9, 20)),
            partial(is_an_envelope, "swap", constant=Fraction(399, 100)),
        ),
    ),
    Claim(
        label="new:ucal_is_an_envelope",
        number="new",
        title="so is the U-calibration error",
        kind="exact",
        chapter=CHAPTER,
        statement=(
            "The largest external regret over all proper losses in [-1, 1] is 4 times the concave envelope of the"
            " external profile at 1/2."
        ),
        uses=("new:regret_is_linear_in_the_bend",),
        check=partial(is_an_envelope, "external"),
        spoil=(
            partial(is_an_envelope, "external", centre=Fraction(9, 20)),
            partial(is_an_envelope, "external", constant=Fraction(399, 100)),
        ),
    ),
    Claim(
        label="new:one_kink_gets_half",
        number="new",
        title="one threshold finds half of it",
        kind="exact",
        chapter=CHAPTER,
        statement=(
            "The best loss with a single kink has at least half of the largest swap regret, and of the largest"
            " external regret; the half is attained."
        ),
        uses=("new:msr_is_an_envelope", "new:ucal_is_an_envelope"),
        check=one_kink_gets_half,
        spoil=(partial(one_kink_gets_half, share=Fraction(51, 100)),),
    ),
)
