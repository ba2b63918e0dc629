"""What the stored games of the tree show, and the worst cases of its shortest games; observations, not theorems."""

from __future__ import annotations

from typing import Any

import numpy as np

from klcal import bounds
from klcal.claims._combinators import above, at_least, at_most, below, jointly
from klcal.claims._evidence import Evidence, all_cases, cases
from klcal.claims._ledger import Chapter
from klcal.exact.balls import ball
from klcal.exact.tree import worst_tree
from klcal.experiments import stored
from klcal.experiments.trees import largest_means

chapter = Chapter("11_one_forecaster")


def _columns(algorithm: str, *names: str) -> list[Any]:
    rows = stored("tree").where(algorithm=algorithm)
    return [rows[name] for name in names]


@chapter.claim(
    "new:tree/games",
    "Theorems E to G, in play",
    "no stored game reaches the bounds",
    kind="numeric",
    scope=cases("the stored games, 10^3 to 10^8 rounds, 24 adversaries"),
    controls={
        "0.62 in place of 0.63": {"kl": 0.62},
        "0.074 in place of 0.076": {"msr": 0.074},
        "0.51 in place of 0.52": {"pkl": 0.51},
        "0.045 in place of 0.046": {"pmsr": 0.045},
    },
    uses=("new:tree", "new:tree/swap-constant", "new:tree/expected", "new:tree/expected-swap"),
)
def games(kl: float = 0.63, msr: float = 0.076, pkl: float = 0.52, pmsr: float = 0.046) -> Evidence:
    r"""In all stored games $\mathsf{KLCal}$ of the tree stays below 0.63 of the bound by used cells of Theorem E on the
    expectation, and $\mathsf{Msr}_{\mathcal L}$ below 0.076 of that of Theorem F with 48; with expected feedback
    $\mathsf{PKLCal}$ stays below 0.52 and the largest $\mathsf{PSReg}$ below 0.046 of the bounds of Theorem G.
    """
    error, cost, regret, T = _columns("tree", "kl", "cost", "msr", "T")
    pseudo, mass_cost, pseudo_regret, rounds = _columns("tree-expected", "pkl", "cost", "pmsr", "T")
    swap = bounds.tree_swap(T, version="certified")
    return jointly(
        at_most(float((error / cost).max()), kl, r"largest $\mathsf{KLCal}$ over its bound", games=len(T)),
        at_most(float((regret / swap).max()), msr, r"largest $\mathsf{Msr}_{\mathcal L}$ over its bound"),
        at_most(float((pseudo / mass_cost).max()), pkl, r"largest $\mathsf{PKLCal}$ over its bound"),
        at_most(
            float((pseudo_regret / bounds.tree_expected_swap(rounds)).max()),
            pmsr,
            r"largest $\mathsf{PMsr}_{\mathcal L}$ over its bound",
        ),
    )


@chapter.claim(
    "new:tree/rates",
    "Theorems E and F, in play",
    "the worst games grow like the rates",
    kind="numeric",
    scope=cases("worst mean among 24 adversaries, fewer from 10^6.5 on, 10^3 to 10^8 rounds"),
    controls={"1.5 in place of 1.6": {"kl": 1.5}, "3.6 in place of 3.7": {"msr": 3.6}},
    uses=("new:tree", "new:tree/swap"),
)
def rates(kl: float = 1.6, msr: float = 3.7) -> Evidence:
    r"""In the stored games the worst mean among the adversaries is at every horizon between 1.1 and 1.6 times
    $T^{1/3}(\log T)^{2/3}$ for $\mathsf{KLCal}$, and between 2.1 and 3.7 times $\sqrt{T\log T}$ for
    $\mathsf{Msr}_{\mathcal L}$.
    """
    rows = stored("tree").where(algorithm="tree")
    T, error = largest_means(rows, "kl")
    regret = largest_means(rows, "msr")[1]
    errors, regrets = error / np.cbrt(T * np.log(T) ** 2), regret / np.sqrt(T * np.log(T))
    return jointly(
        at_most(float(errors.max()), kl, r"largest worst mean of $\mathsf{KLCal}$ over its rate"),
        at_most(
            float(regrets.max()), msr, r"largest worst mean of $\mathsf{Msr}_{\mathcal L}$ over its rate"
        ),
        at_least(float(errors.min()), 1.1, r"least worst mean of $\mathsf{KLCal}$ over its rate"),
        at_least(float(regrets.min()), 2.1, r"least worst mean of $\mathsf{Msr}_{\mathcal L}$ over its rate"),
    )


@chapter.claim(
    "new:tree/coins",
    "Theorem E, in play",
    "independent outcomes cost a power of log T",
    kind="numeric",
    scope=cases("the stored games, three coins, 10^3 to 10^7 rounds"),
    controls={"2.6 in place of 2.5": {"least": 2.6}, "0.6 in place of 0.7": {"most": 0.6}},
    uses=("new:tree",),
)
def coins(least: float = 2.5, most: float = 0.7) -> Evidence:
    r"""In the stored games with independent outcomes of probability 0.5, 0.3 and 0.01, from $10^3$ to $10^7$ rounds,
    the mean of $\mathsf{KLCal}$ lies between $2.5\log T$ and $0.7(\log T)^2$.
    """
    parts = [largest_means(part, "kl") for part in stored("tree-coins").groups("adversary").values()]
    return jointly(
        at_least(
            min(float((mean / np.log(T)).min()) for T, mean in parts), least, r"least mean over $\log T$"
        ),
        at_most(
            max(float((mean / np.log(T) ** 2).max()) for T, mean in parts),
            most,
            r"largest mean over $(\log T)^2$",
        ),
    )


@chapter.claim(
    "new:tree/weights",
    "The plain coin, in play",
    "a node that is fed gets rich unless the coin is weighted",
    kind="numeric",
    scope=cases("the stored games against the adversary that feeds the richer, 10^3 to 10^7 rounds"),
    controls={
        "0.06 in place of 0.05": {"grows": 0.06},
        "5 in place of 6": {"stays": 5.0},
        "40 in place of 30": {"last": 40.0},
    },
    uses=("new:tree/plain", "new:tree/martingale"),
)
def weights(grows: float = 0.05, stays: float = 6.0, last: float = 30.0) -> Evidence:
    r"""In the stored games against the adversary that feeds the richer member of a pair, the largest logarithm of a
    wealth is at least $0.05(\log T)^2$ with the plain coin, above 30 at $10^7$ rounds, and below 6 with the weighted
    one.
    """
    table = stored("tree-wealth")
    plain, weighted = (table.where(algorithm=name) for name in ("tree-plain", "tree"))
    return jointly(
        at_least(
            float((plain["largest"] / np.log(plain["T"]) ** 2).min()), grows, r"plain coin, over $(\log T)^2$"
        ),
        below(float(weighted["largest"].max()), stays, "weighted coin"),
        above(float(plain["largest"][-1]), last, "plain coin, longest game"),
    )


@chapter.claim(
    "new:tree/small-games",
    "Theorem E, short games",
    "solved exactly",
    kind="exact",
    scope=all_cases("2 <= T <= 10"),
    controls={"up to ten rounds in place of nine": {"last": 10}},
    uses=("new:tree/move",),
)
def small_games(last: int = 9) -> Evidence:
    r"""The worst case of $\mathbb E[\mathsf{KLCal}]$ of the tree over all adaptive adversaries is larger than $T\log2$,
    which always saying $\frac12$ pays, for $2 \le T \le 9$, and smaller for $T = 10$.
    """
    log2 = ball(2).log()
    return jointly(
        *(
            above(worst_tree(T) / (T * log2), 1, f"worst case over $T\\log2$, $T = {T}$")
            for T in range(2, last + 1)
        ),
        below(worst_tree(10) / (10 * log2), 1, "worst case over $T\\log2$, $T = 10$"),
    )
