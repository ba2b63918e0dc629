"""What the stored games of all forecasters show; observations, not theorems."""

from __future__ import annotations

import numpy as np

from klcal import bounds
from klcal.claims._combinators import above, at_least, at_most, equal, jointly
from klcal.claims._evidence import Evidence, cases
from klcal.claims._ledger import Chapter
from klcal.experiments import stored

chapter = Chapter("10_comparisons")

# Their grids have no 0 and no 1; the other grids have both.
SINE = ("paper", "realised", "pair", "tree", "linear rounding", "nearest rounding")
UNIFORM = ("squared loss", "two neighbours", "internal regret")
# Against a forecaster that starts with 0 or moves there, Push says 0 for ever.
CONSTANT = ("zeros", "push")


def _column(forecaster: str, name: str) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    values: np.ndarray[tuple[int], np.dtype[np.float64]] = stored("arena").where(forecaster=forecaster)[name]
    return values


@chapter.claim(
    "new:arena",
    "new",
    "what the stored games of all forecasters show",
    kind="numeric",
    scope=cases("the stored table, 3 to 20 games in each of its rows"),
    controls={
        "0.43 of the bounds, where 0.44 would do": {"share": 0.43},
        "Laplace among the forecasters that are infinitely wrong": {"uniform": (*UNIFORM, "Laplace")},
        "$0.031T$ in place of $0.03T$": {"nearest": 0.031},
        "a factor of 46 in place of 40": {"times": 46.0},
        "2.1 times as small in place of 1": {"lead": 2.1},
    },
    uses=("thm:bound_pkcal/explicit", "new:two-neighbours", "sec:bound_calibration/squared-loss"),
)
def arena(
    share: float = 1.0,
    uniform: tuple[str, ...] = UNIFORM,
    nearest: float = 0.03,
    times: float = 40.0,
    lead: float = 1.0,
) -> Evidence:
    r"""In every row of the stored table the bounds of Algorithm 1, of the squared-loss algorithm and of two neighbours
    hold. $\mathsf{KLCal}$ is finite in every game on a sine grid and of the tree; on every grid with 0 and 1 the median
    $\mathsf{PKLCal}$ is infinite, except against "zeros" and "push". Against opposition and in the longest games
    (even $K$) the nearest point has $\mathsf{KLCal} > 0.03\,T$, Algorithm 4 less than $0.0001\,T$. Algorithm 1 and PAIR
    each lose some games to the other by a factor of more than 2, and one of them by more than 40. In the longest games
    the tree has the smallest worst column of the largest swap regret.
    """
    table = stored("arena")
    T, K = (_column("paper", name).astype(int) for name in ("T", "K"))
    squared = bounds.squared_loss_pcal2(T, K)
    shares = (
        (
            r"$\mathsf{PKLCal}$ of Algorithm 1 over Theorem 2",
            _column("paper", "pkl") / bounds.theorem_2(T, K),
        ),
        (
            r"$\mathsf{PCal}_2$ of the squared-loss algorithm over its bound",
            _column("squared loss", "pcal2") / squared,
        ),
        (
            r"median $\mathsf{Cal}_2$ of two neighbours over its bound",
            _column("two neighbours", "cal2") / squared,
        ),
    )
    varied = [name for name in table.unique("adversary") if name not in CONSTANT]
    infinite = sum(int(_column(who, "infinite").sum()) for who in SINE)
    finite = sum(
        int(np.isfinite(table.where(forecaster=who, adversary=varied)["pkl"]).sum()) for who in uniform
    )
    opposed = table.where(adversary="oppose", T=int(table["T"].max())).rows()
    a_round = {row["forecaster"]: row["kl"] / row["T"] for row in opposed}
    paper, pair = (np.maximum(_column(who, "kl"), 1.0) for who in ("paper", "pair"))
    last = table.where(T=int(table["T"].max())).groups("forecaster")
    swap = {name: float(part["swap_bounded"].max()) for name, part in last.items()}
    factors = sorted((float((pair / paper).max()), float((paper / pair).max())))
    return jointly(
        *(at_most(float(values.max()), share, text, rows=len(values)) for text, values in shares),
        equal(infinite, 0, r"no game has $\mathsf{KLCal} = \infty$ on a sine grid"),
        equal(finite, 0, r"no median of $\mathsf{PKLCal}$ is finite on a grid with 0 and 1"),
        at_least(
            a_round["nearest rounding"], nearest, r"$\mathsf{KLCal}/T$ with the nearest point, longest games"
        ),
        at_most(a_round["paper"], 0.0001, r"$\mathsf{KLCal}/T$ with Algorithm 4"),
        above(
            factors[0],
            2.0,
            r"largest ratio of $\mathsf{KLCal}$ between Algorithm 1 and PAIR, in one direction",
        ),
        above(factors[1], times, "and in the other"),
        above(
            min(value for name, value in swap.items() if name != "tree") / swap["tree"],
            lead,
            r"smallest worst column of $\mathsf{Msr}_{\mathcal L}$ of all others over that of the tree",
        ),
    )
