"""Algorithm 1 in long games: the stored tables, the largest classes, the work; in float64, observed only."""

from __future__ import annotations

from functools import cache

import numpy as np

from klcal import adversaries, bounds, experiments
from klcal.adversaries import search
from klcal.claims._combinators import at_least, at_most, jointly, worst
from klcal.claims._evidence import Evidence, cases
from klcal.claims._ledger import Chapter
from klcal.experiments.fitting import fit_power
from klcal.games import run, workload

chapter = Chapter("05_the_algorithm")


@chapter.claim(
    "new:closed-class/observed",
    "new",
    "no class was larger in the games played",
    kind="numeric",
    scope=cases("all games of up to 9 rounds at K = 2, ..., 7, and the stored games of up to 10^8 rounds"),
    controls={"one member less": {"extra": 1}},
    uses=("new:closed-class",),
)
def no_larger_class(extra: int = 2) -> Evidence:
    r"""No closed class with more than $\lfloor K/2\rfloor + 2$ members was seen; that this is the maximum is a
    conjecture.
    """
    table = experiments.stored("rate")

    def longest(K: int) -> int:
        return max(int(found.value) for found in search.worst_by_length(K, 9, goal="class")) - K // 2

    return jointly(
        at_most(
            int((table["class_max"] - table["K"] // 2).max()),
            extra,
            "largest class minus $\\lfloor K/2\\rfloor$, stored games",
        ),
        worst("the same, all short games", range(2, 8), longest, extra),
    )


@cache
def _works() -> dict[tuple[str, int], workload.Work]:
    """Return what the engine touches against ten oblivious adversaries and two that react, at three horizons."""
    found: dict[tuple[str, int], workload.Work] = {}
    for T in (10**3, 10**4, 10**5):
        outcomes = {name: make(T, 1) for name, make in adversaries.OBLIVIOUS.items()}
        outcomes |= {
            name: run(adversaries.ADAPTIVE[name](T), rng=1).outcomes for name in ("oppose", "border")
        }
        found |= {(name, T): workload.count_work(y) for name, y in outcomes.items()}
    return found


@chapter.claim(
    "alg:BM_log_loss/work",
    "Appendix C.1, counted",
    "entries touched per round",
    kind="numeric",
    scope=cases("twelve adversaries, one seed each, T = 10^3, 10^4, 10^5"),
    controls={"50 entries in place of 60": {"most": 50}},
    uses=("alg:BM_log_loss/cost",),
    rows=(84,),
)
def counted_work(most: int = 60) -> Evidence:
    """Against ten adversaries that fix their outcomes and two that react to the mixture the compiled engine touches at
    most 60 entries per round at $T = 10^3, 10^4, 10^5$, where the whole matrix has 49, 144, 484. Others may need more.
    """
    works = _works()
    fewer = min(work.dense / work.total for (_, rounds), work in works.items() if rounds == 10**5)
    return jointly(
        worst(
            "entries touched per round, counted",
            works,
            lambda game: works[game].total / works[game].rounds,
            most,
        ),
        at_least(fewer, 9, "times as many entries in the matrices of all rounds, at $T = 10^5$"),
    )


@chapter.claim(
    "thm:bound_pkcal/stored-games",
    "Theorem 2, long games",
    "the stored table",
    kind="numeric",
    scope=cases("the stored table: every adversary, T from 100 to 10^8"),
    controls={"0.57 of the bound": {"share": 0.57}},
    uses=("thm:bound_pkcal",),
    rows=(82,),
)
def stored_games(share: float = 1.0) -> Evidence:
    r"""In every stored game $\mathsf{PKLCal}$ is regrets plus rounding, each below its bound."""
    table = experiments.stored("rate")
    cap = table["T"] * bounds.rounding_cost(table["K"], version="best")
    apart = np.abs(table["pkl"] - (table["regret"] + table["rounding"])) / table["pkl"]
    shares = {
        "largest $\\mathsf{PKLCal}$ over the bound by its masses": table["pkl"]
        / (share * (table["log_mass"] + cap)),
        "largest sum of regrets over $\\sum_i\\log(1+S_i)$": table["regret"] / table["log_mass"],
        "largest cost of rounding over $T$ times that of a cell": table["rounding"] / cap,
    }
    return jointly(
        *(at_most(float(values.max()), 1, text, cases=len(table)) for text, values in shares.items()),
        at_most(
            float(apart.max()),
            1e-9,
            "$\\mathsf{PKLCal}$ is regrets plus rounding, relatively",
            cases=len(table),
        ),
    )


@chapter.claim(
    "thm:bound_pkcal/observed-slope",
    "Theorem 2, observed growth",
    "no steeper than the bound",
    kind="numeric",
    scope=cases("the stored table: every adversary, T from 100 to 10^8"),
    controls={"exponent larger by 1/20": {"power": 0.05}},
    uses=("thm:bound_pkcal/stored-games",),
    rows=(82,),
)
def no_steeper(power: float = 0.0) -> Evidence:
    r"""The fitted power of $T$ by which the largest $\mathsf{PKLCal}$ of the stored table grows is not shown to be
    above that of the bound: the bound's slope is not below its interval.
    """
    largest = experiments.stored("rate").largest("pkl", by="T")
    fit = fit_power(largest["T"], largest["pkl"] * largest["T"].astype(float) ** power)
    bound = fit_power(largest["T"], bounds.theorem_2(largest["T"], largest["K"]))
    text = "lower end of the fitted slope of the largest $\\mathsf{PKLCal}$, against the fitted slope of the bound"
    return at_most(fit.lower, bound.slope, text, slope=round(fit.slope, 3), horizons=fit.points)


@chapter.claim(
    "sec:pseudo-KL-Cal/doubling-stored",
    "Section 5, long games",
    "the doubling trick in the stored table",
    kind="numeric",
    scope=cases("the stored table: ten oblivious adversaries, T from 100 to 10^7"),
    controls={"0.45 of the bound": {"share": 0.45}},
    uses=("sec:pseudo-KL-Cal/doubling",),
    rows=(83,),
)
def stored_doubling(share: float = 1.0) -> Evidence:
    r"""In every stored game of unknown length $\mathsf{PKLCal}$ is below the bound of the doubling trick."""
    table = experiments.stored("doubling").where(doubling=True)
    caps = {int(T): share * bounds.doubling_trick(int(T), version="best") for T in table.unique("T")}
    ratio = table["pkl"] / np.array([caps[int(T)] for T in table["T"]])
    return at_most(float(ratio.max()), 1, "largest $\\mathsf{PKLCal}$ over the bound", cases=len(table))
