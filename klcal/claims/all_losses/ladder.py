"""Claims on the bounds above the largest swap regret: 4 Cal_1, 4 sqrt(T Cal_2), and what lies between."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from itertools import pairwise

from klcal import measures
from klcal.claims._combinators import jointly
from klcal.claims._evidence import Evidence
from klcal.claims._legacy import Claim
from klcal.exact.kinks import CHAPTER, HALF, break_points, optimum, small_games
from klcal.claims.losses_and_calibration.calibration import as_cells
from klcal.exact.counterexamples import ExactCells


def _straddling(cells: ExactCells) -> Fraction:
    """Return the largest mass of cells with forecast and mean on different sides of a point."""
    middles = [(u + v) / 2 for u, v in pairwise(break_points(cells))]
    return max(
        sum((mass for p, mass, rho in cells if min(p, rho) < u < max(p, rho)), Fraction(0)) for u in middles
    )


def _misses(cells: ExactCells) -> list[Fraction]:
    return [p for p, _, rho in cells if p != rho]


def ladder(constant: Fraction = Fraction(4), share: Fraction = Fraction(1)) -> Evidence:
    """Compare each rung with the next in every small game, in fractions, roots by their squares.

    Parameters
    ----------
    constant : Fraction
        In place of 4 in 4 Cal_1.
    share : Fraction
        Which share of the straddling mass N is taken.
    """
    wrong, drift, closest = 0, 0.0, Fraction(0)
    games = small_games()
    for cells in games:
        best = optimum(cells, "swap")
        cal1, cal2 = cells.calibration_error(1), cells.calibration_error(2)
        mass, rounds = share * _straddling(cells), sum(cells.mass, Fraction(0))
        highest = 4 * max(best.heights.values())
        wrong += not best.value <= highest
        wrong += not highest**2 <= 16 * mass * cal2
        closest = max(closest, highest / cal1 if cal1 > 0 else Fraction(0))
        wrong += not (mass <= rounds and cal1**2 <= rounds * cal2)
        rungs = measures.regret_ladder(as_cells(cells))
        exact = (float(best.value), float(highest), 4 * float(mass * cal2) ** 0.5, 4 * float(cal1))
        drift = max(drift, *(abs(a - b) for a, b in zip(rungs.values(), exact, strict=False)))
    return jointly(
        Evidence(closest, constant, "<=", "largest 4 max phi / Cal_1, in fractions", {"games": len(games)}),
        Evidence(wrong, 0, "==", "other rungs in order"),
        Evidence(drift, 2e-14, "<=", "klcal.measures.regret_ladder against the fractions"),
    )


def when_four_is_tight(anywhere: bool = False) -> Evidence:
    """Count games in which Msr = 4 Cal_1 > 0 and "only the cell at 1/2 misses" do not coincide.

    The envelope at 1/2 is a mean of values that are at most Cal_1; if it equals Cal_1, so do they. A value
    equals Cal_1 only if every cell that misses has its forecast at that place. There is one such place, and
    the mean of the places is 1/2.

    Parameters
    ----------
    anywhere : bool
        Whether to ask only that one cell misses, wherever it is.
    """
    games = (
        *small_games(),
        ExactCells((HALF, Fraction(3, 4)), (Fraction(3), Fraction(4)), (Fraction(1), Fraction(3))),
    )
    wrong = tight = 0
    for cells in games:
        is_tight = 0 < 4 * cells.calibration_error(1) == optimum(cells, "swap").value
        misses = _misses(cells)
        wrong += is_tight != (len(misses) == 1 and (anywhere or misses == [HALF]))
        tight += is_tight
    return jointly(
        Evidence(
            wrong,
            0,
            "==",
            "games in which one holds without the other",
            {"games": len(games), "tight": tight},
        ),
        Evidence(tight, 0, ">", "games in which 4 Cal_1 is attained"),
    )


CLAIMS: tuple[Claim, ...] = (
    Claim(
        label="new:regret_ladder",
        number="new",
        title="four bounds above the largest swap regret",
        kind="exact",
        chapter=CHAPTER,
        statement=(
            "Msr <= 4 max phi <= 4 min(Cal_1, sqrt(N Cal_2)) <= 4 sqrt(T Cal_2), N the largest mass of cells whose"
            " forecast and mean lie on different sides of a point."
        ),
        uses=("new:msr_is_an_envelope", "appB:swap_regret_below_4_cal1", "sec1:cal1_below_cal2"),
        check=ladder,
        spoil=(partial(ladder, constant=Fraction(399, 100)), partial(ladder, share=Fraction(99, 100))),
        rows=(60, 91),
    ),
    Claim(
        label="new:regret_ladder/tight",
        number="new",
        title="when four times Cal_1 is attained",
        kind="exact",
        chapter=CHAPTER,
        statement="Msr = 4 Cal_1 > 0 exactly if the one cell that is not calibrated has the forecast 1/2.",
        uses=("new:msr_is_an_envelope",),
        check=when_four_is_tight,
        spoil=(partial(when_four_is_tight, anywhere=True),),
        rows=(60,),
    ),
)
