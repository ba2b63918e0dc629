r"""Algorithm 2: one learner, its point rounded to the grid, and its regret."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import product

from flint import arb

from klcal.claims._combinators import closed, jointly
from klcal.claims._evidence import Evidence
from klcal.claims._legacy import Claim
from klcal.claims.algorithm._games import BITS, Position, Rounding, Row, cell_of, exact_points, log_rounded
from klcal.claims.constants._common import rounding
from klcal.claims.grids.ewoo import first_exit
from klcal.exact.balls import Undecided, precision, upper

CHAPTER = "05_the_algorithm"
RESOLUTIONS = (2, 3, 4, 5, 6)


def nearest_rounded(w: arb, points: Sequence[arb]) -> Row:
    """Return all mass on the nearest grid point, of two equally near ones on the lower.

    The middle of a cell is 1/2, exactly, if the cell lies symmetrically; other ties cannot be told and raise
    `Undecided`.

    Examples
    --------
    >>> nearest_rounded(arb(0.5), exact_points(5)) == {2: 1}, nearest_rounded(arb(0.51), exact_points(5)) == {3: 1}
    (True, True)
    """
    i, alone = cell_of(w, points)
    if alone:
        return {max(i, 0): arb(1)}
    middle = arb(0.5) if 2 * i + 2 == len(points) else (points[i] + points[i + 1]) / 2
    if w > middle:
        return {i + 1: arb(1)}
    if w < middle or (w - middle).is_zero():
        return {i: arb(1)}
    raise Undecided(f"the point nearest to {w} is not certain")


def _rounds(longest: int) -> Iterator[tuple[tuple[float, int], ...]]:
    """Yield all sequences of (weight, outcome) with weights 1/2 and 1."""
    letters = list(product((0.5, 1.0), (0, 1)))
    return (rounds for T in range(1, longest + 1) for rounds in product(letters, repeat=T))


def _own_regret(
    rounds: Sequence[tuple[float, int]], points: Sequence[arb], scheme: Rounding
) -> tuple[arb, arb]:
    """Return the regret of the rounded learner against its best fixed point in [0, 1], and the weight it received."""
    zeros, ones, lost, paid = arb(0), arb(0), arb(0), arb(0)
    for weight, outcome in rounds:
        w = (ones + 1) / (zeros + ones + 2)
        own = -(w if outcome else 1 - w).log()
        for j, q in scheme(w, points).items():
            paid += weight * q * (-(points[j] if outcome else 1 - points[j]).log() - own)
        lost += weight * own
        zeros, ones = zeros + weight * (1 - outcome), ones + weight * outcome
    end = Position((), (zeros,), (ones,), (lost,), (paid,))
    return end.regrets()[0] + paid, zeros + ones


@precision(BITS)
def rounded_regret(share: float = 1.0, scheme: Rounding = log_rounded) -> Evidence:
    r"""Check the regret of Algorithm 2: at most :math:`\log(1+S) + S\,c_K`, against every w in [0, 1].

    :math:`c_K` is the cost of rounding, :math:`-2\log\cos` of the widest cell's angle. For all weights and outcomes
    this is Lemma 4 plus S times Lemma 5. Here every sequence of up to 4 rounds with weights 1/2 and 1 is played out
    in balls, at K = 2..6.

    Parameters
    ----------
    share : float
        Part of the cost of rounding that is granted.
    scheme : callable
        How the learner's point is rounded.
    """
    worst, where = 0.0, 0
    for K in RESOLUTIONS:
        points, cost = exact_points(K), share * rounding(K, "best")
        for rounds in _rounds(4):
            regret, mass = _own_regret(rounds, points, scheme)
            worst, where = max((worst, where), (upper(regret / ((1 + mass).log() + mass * cost)), K))
    text = "largest regret of a rounded learner over its bound, all sequences of up to 4 rounds"
    return jointly(
        Evidence(worst, 1, "<=", text, {"K": where, "weights": "1/2, 1"}),
        closed("ewoo-tight", "cell-worst-cost"),
    )


def leaves_its_cells() -> Evidence:
    """Show that Algorithm 2 as printed stops: under zeros a learner's point leaves the cells that RROUND knows."""
    return Evidence(
        first_exit(3),
        22,
        "==",
        "first round in which a learner of Algorithm 1 plays w < z_0, in balls",
        {"K": 3},
        counterexample="K = 3, all outcomes 0: in round 22 a learner's w is below z_0, where RROUND has no output",
    )


CLAIMS: tuple[Claim, ...] = (
    Claim(
        label="alg:A_i",
        number="Algorithm 2",
        title="one learner: EWOO, rounded",
        kind="certified",
        chapter=CHAPTER,
        statement="Learner i rounds EWOO's point by RROUND; its regret is O(log T + S/K^2), S the weight it "
        "received.",
        repair="With clamped ends the learner always has an output, and its regret against every w in [0, 1] is at "
        "most log(1 + S) - 2 S log cos(angle of the widest cell).",
        uses=(
            "alg:EWOO",
            "alg:EWOO/outside",
            "alg:rounding_alg",
            "alg:rounding_alg/clamped",
            "lem:EWOO_regret_bound/sharp",
            "new:rounding-log-secant",
        ),
        check=rounded_regret,
        refute=leaves_its_cells,
        severity="statement",
        spoil=(partial(rounded_regret, 0.56), partial(rounded_regret, scheme=nearest_rounded)),
        rows=(72, 81),
    ),
)
