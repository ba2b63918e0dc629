"""Claims on the bounds above the largest swap regret: 4 Cal_1, 4 sqrt(T Cal_2), and what lies between."""

from __future__ import annotations

from fractions import Fraction

from klcal import measures
from klcal.claims._combinators import above, jointly, none_of, worst
from klcal.claims._evidence import Evidence, cases
from klcal.claims._ledger import Chapter
from klcal.claims.all_losses.envelope import SMALL
from klcal.exact.cells import ExactCells
from klcal.exact.kinks import HALF, optimum, small_games, straddling_mass

chapter = Chapter("06_all_losses_at_once")


@chapter.claim(
    "new:regret_ladder",
    "new",
    "four bounds above the largest swap regret",
    kind="exact",
    scope=cases(SMALL),
    controls={
        "3.99 in place of 4": {"constant": Fraction(399, 100)},
        "0.99 N in place of N": {"share": Fraction(99, 100)},
    },
    steps=("new:msr_is_an_envelope", "sec1:cal1_below_cal2"),
    uses=("appB:swap_regret_below_4_cal1",),
    rows=(60, 91),
)
def rungs_in_order(constant: Fraction = Fraction(4), share: Fraction = Fraction(1)) -> Evidence:
    r"""$\mathsf{Msr}_{\mathcal L} \le 4\max\varphi \le 4\min(\mathsf{Cal}_1, \sqrt{N\,\mathsf{Cal}_2}) \le
    4\sqrt{T\,\mathsf{Cal}_2}$, where $N$ is the largest mass of cells whose forecast and mean lie on different sides of
    a common point.
    """

    def out_of_order(cells: ExactCells) -> bool:
        best, mass, rounds = optimum(cells, "swap"), share * straddling_mass(cells), sum(cells.mass)
        highest, cal1, cal2 = (
            max(best.heights.values()),
            cells.calibration_error(1),
            cells.calibration_error(2),
        )
        return not (
            best.value <= 4 * highest <= constant * cal1
            and highest**2 <= mass * cal2
            and mass <= rounds
            and cal1**2 <= rounds * cal2
        )

    return none_of(
        "games in which two rungs are out of order, roots by their squares", small_games(), out_of_order
    )


@chapter.evidence(
    "new:regret_ladder", kind="numeric", scope=cases(SMALL), controls={"0.99 of the rungs": {"factor": 0.99}}
)
def rungs_in_the_package(factor: float = 1.0) -> Evidence:
    """`measures.regret_ladder` against the fractions."""

    def drift(cells: ExactCells) -> float:
        best, cal2 = optimum(cells, "swap"), float(cells.calibration_error(2))
        exact: tuple[float, ...] = (
            float(best.value),
            4 * float(max(best.heights.values())),
            4 * (float(straddling_mass(cells)) * cal2) ** 0.5,
            4 * float(cells.calibration_error(1)),
            4 * (float(sum(cells.mass)) * cal2) ** 0.5,
        )
        rungs = measures.regret_ladder(cells.as_floats()).values()
        return max(abs(factor * rung - float(truth)) for rung, truth in zip(rungs, exact, strict=True))

    return worst("`measures.regret_ladder` against the fractions", small_games(), drift, 2e-14)


@chapter.claim(
    "new:regret_ladder/tight",
    "new",
    "when four times Cal_1 is attained",
    kind="exact",
    scope=cases(SMALL + "; one game with a calibrated cell beside the one at 1/2"),
    controls={"one cell that misses, anywhere": {"anywhere": True}},
    steps=("new:msr_is_an_envelope",),
    rows=(60,),
)
def when_four_is_tight(anywhere: bool = False) -> Evidence:
    r"""$\mathsf{Msr}_{\mathcal L} = 4\,\mathsf{Cal}_1 > 0$ exactly if one cell only is not calibrated, and its forecast
    is $\frac12$.

    The envelope at 1/2 is a mean of values that are at most Cal_1; if it equals Cal_1, so do they. A value equals Cal_1
    only if every cell that misses has its forecast at that place, and the mean of the places is 1/2.
    """
    extra = ExactCells((HALF, Fraction(3, 4)), (Fraction(3), Fraction(4)), (Fraction(1), Fraction(3)))

    def is_tight(cells: ExactCells) -> bool:
        return 0 < 4 * cells.calibration_error(1) == optimum(cells, "swap").value

    def differs(cells: ExactCells) -> bool:
        misses = [p for p, _, rho in cells if p != rho]
        return is_tight(cells) != (len(misses) == 1 and (anywhere or misses == [HALF]))

    games = (*small_games(), extra)
    return jointly(
        none_of("games in which one holds without the other", games, differs),
        above(sum(map(is_tight, games)), 0, r"games in which $4\,\mathsf{Cal}_1$ is attained"),
    )
