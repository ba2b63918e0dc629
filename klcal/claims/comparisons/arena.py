"""What the stored games of all forecasters show; observations, not theorems."""

from __future__ import annotations

from functools import partial

import numpy as np

from klcal import bounds
from klcal.claims._combinators import jointly
from klcal.claims._evidence import Evidence
from klcal.claims._legacy import Claim
from klcal.claims.comparisons._common import CHAPTER
from klcal.experiments import Table, stored

# Their grids have no 0 and no 1; the other grids have both.
SINE = ("paper", "realised", "pair", "linear rounding", "nearest rounding")
UNIFORM = ("squared loss", "two neighbours", "internal regret")
# Against a forecaster that starts with 0 or moves there, Push says 0 for ever.
CONSTANT = ("zeros", "push")


def _column(table: Table, forecaster: str, name: str) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    values: np.ndarray[tuple[int], np.dtype[np.float64]] = table.where(forecaster=forecaster)[name]
    return values


def promises_kept(scale: float = 1.0) -> Evidence:
    """Check three promises in every row of the stored table.

    Parameters
    ----------
    scale : float
        Factor on the bounds.
    """
    table = stored("arena")
    T, K = (_column(table, "paper", name).astype(int) for name in ("T", "K"))
    squared = bounds.squared_loss_pcal2(T, K)
    shares = {
        "PKLCal of Algorithm 1 over Theorem 2": _column(table, "paper", "pkl") / bounds.theorem_2(T, K),
        "PCal_2 of the squared-loss algorithm over its bound": _column(table, "squared loss", "pcal2")
        / squared,
        "median Cal_2 of two neighbours over its bound": _column(table, "two neighbours", "cal2") / squared,
    }
    parts = [
        Evidence(float(values.max()), scale, "<=", f"{name}, {len(values)} rows")
        for name, values in shares.items()
    ]
    return jointly(*parts)


def infinities(uniform: tuple[str, ...] = UNIFORM) -> Evidence:
    """Count games that are infinite where they should not be, and rows that are finite where they should not be.

    Parameters
    ----------
    uniform : tuple of str
        Forecasters whose mixtures must be infinitely wrong in all games whose outcomes are not constant.
    """
    table = stored("arena")
    varied = [name for name in table.unique("adversary") if name not in CONSTANT]
    wrong = sum(int(_column(table, who, "infinite").sum()) for who in SINE)
    for who in uniform:
        wrong += int(np.isfinite(table.where(forecaster=who, adversary=varied)["pkl"]).sum())
    text = "games with KLCal = inf on a sine grid, rows with median PKLCal < inf on a grid with 0 and 1"
    return Evidence(wrong, 0, "==", text, {"rows": len(table)})


def opposition(nearest: float = 0.03, paper: float = 0.0001) -> Evidence:
    """Compare KLCal a round of two roundings in the longest games against the adversary that opposes.

    Parameters
    ----------
    nearest, paper : float
        What the nearest point must at least have, and what Algorithm 4 must at most have.
    """
    rows = stored("arena").where(adversary="oppose")
    longest = rows.where(T=int(rows["T"].max()))
    per_round = {row["forecaster"]: row["kl"] / row["T"] for row in longest.rows()}
    return jointly(
        Evidence(
            per_round["nearest rounding"], nearest, ">=", "KLCal/T with the nearest point, longest games"
        ),
        Evidence(per_round["paper"], paper, "<=", "KLCal/T with Algorithm 4"),
    )


def losses_of_ours(times: float = 40.0) -> Evidence:
    """Find by how much Algorithm 1 and PAIR are beaten at worst by each other in the stored games.

    Parameters
    ----------
    times : float
        What the larger ratio of the two must reach.
    """
    table = stored("arena")
    paper, pair = (np.maximum(_column(table, who, "kl"), 1.0) for who in ("paper", "pair"))
    larger, smaller = (float(f((pair / paper).max(), (paper / pair).max())) for f in (max, min))
    return jointly(
        Evidence(
            larger, times, ">=", "largest ratio of KLCal between Algorithm 1 and PAIR, in one direction"
        ),
        Evidence(smaller, 2.0, ">=", "and in the other"),
    )


def observed() -> Evidence:
    """Check everything that is said about the stored games."""
    return jointly(promises_kept(), infinities(), opposition(), losses_of_ours())


CLAIMS: tuple[Claim, ...] = (
    Claim(
        label="new:arena",
        number="new",
        title="what the stored games of all forecasters show",
        kind="numeric",
        chapter=CHAPTER,
        statement="In every row of the stored table the bounds of Algorithm 1, of the squared-loss algorithm and of "
        "two neighbours hold. KLCal is finite in every game on a sine grid; on every grid with 0 and 1 the median "
        "PKLCal is infinite, except against 'zeros' and 'push'. Against opposition and in the longest games "
        "(even K) the nearest point has KLCal > 0.03 T, Algorithm 4 < 0.0001 T. Algorithm 1 and PAIR each lose some "
        "games to the other by a factor of more than 2.",
        uses=("thm:bound_pkcal/explicit", "new:two-neighbours", "sec:bound_calibration/squared-loss"),
        check=observed,
        spoil=(
            partial(promises_kept, 0.2),
            partial(infinities, (*UNIFORM, "Laplace")),
            partial(opposition, 0.1),
            partial(losses_of_ours, 1000.0),
        ),
    ),
)
