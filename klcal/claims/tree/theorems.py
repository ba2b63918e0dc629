"""The two theorems about the tree and the steps of their proofs, as Coq proves them."""

from __future__ import annotations

from fractions import Fraction

from flint import arb

from klcal.claims._combinators import jointly, recomputed
from klcal.claims._evidence import FORMULA, Evidence
from klcal.claims._ledger import Chapter

chapter = Chapter("11_one_forecaster")

PROOF = "Chapter 11"

chapter.statement(
    "new:tree/move",
    "Theorem E, step 0",
    "there is always a move",
    "After every history either the mean of an active node lies in its cell, or two neighbours have means beyond their "
    "common boundary on either side; the mixture of the tree is a distribution on one or two active nodes.",
    proof=PROOF,
)
chapter.statement(
    "new:tree/martingale",
    "Theorem E, step 1",
    "the capital is a martingale",
    r"$\frac12\Pi + \frac12\sum_b \pi_b W_b$ has the same mean after a round as before it, for either outcome. Hence "
    r"with probability at least $1 - \delta$, after all rounds up to $T$ at once, $\Pi < \frac2\delta$ and "
    r"$W_b < \frac2{\pi_b\delta}$ for every node, against every adaptive adversary.",
    proof=PROOF,
    uses=("new:tree/move",),
)
chapter.statement(
    "new:tree/cell",
    "Theorem E, step 3",
    "from a cell to its midpoint",
    r"For every $r \in [0,1]$, every cell of angular width $w$ with midpoint $z$ and every point $m$ in it, inside "
    r"$(0,1)$, $\mathsf{KL}(r, z) \le 2\,\mathsf{KL}(r, m) + \log(1 + \sin^2 w)$.",
    proof=PROOF,
)

LEVELS = (0, 1, 1, 2)
SPOILED = {"0.999999 of the formula": {"share": Fraction(999_999, 1_000_000)}}
# Rounds and failure probabilities; counts of nodes of these levels and a failure probability.
ROUNDS = ((2, 1), (53, Fraction(1, 8)), (1e6 + 0.25, 1e-9))
HORIZONS = ((2,), (1e6 + 0.25,))
COUNTS = ((1, 2, 0, 7, Fraction(1, 8)), (5, 0, 1, 300, 1))


def rate(T: arb) -> arb:
    """Return T^(1/3) (log T)^(2/3)."""
    return ((T.log() + 2 * T.log().log()) / 3).exp()


def cost_of_counts(*arguments: arb) -> arb:
    """Return what the nodes cost, one by one: their bets and the way to their midpoints."""
    *counts, delta = arguments
    widths = [arb.pi() / 2 ** (level + 1) for level in LEVELS]
    used = [(n, width) for n, width in zip(counts, widths, strict=True) if n > 0]
    costs = [(4 * n).log() + n * (1 + width.sin() ** 2).log() for n, width in used]
    return sum(costs, 2 * (2 / delta).log())


def swap_rate(T: arb, delta: arb) -> arb:
    """Return sqrt(T / log T) log(T / delta)."""
    return (T / T.log()).sqrt() * (T / delta).log()


@chapter.claim(
    "new:tree",
    "Theorem E",
    "KL-calibration of the tree",
    kind="exact",
    scope=FORMULA,
    controls=SPOILED,
    proof=PROOF,
    uses=("new:tree/move", "new:tree/martingale", "new:tree/cell", "new:pair/clipped-leader"),
)
def right_sides(share: Fraction | int = 1) -> Evidence:
    r"""Against every adaptive adversary, with probability at least $1 - \delta$, after all rounds $2 \le t \le T$ at
    once, $\mathsf{KLCal} \le \sum_{b\ \text{used}}(\log 4n_b + n_b\varepsilon_b) + 2\log\frac2\delta$, at most
    $11\,t^{1/3}(\log t)^{2/3} + 2\log\frac2\delta$, and $\mathbb E[\mathsf{KLCal}] \le 11\,T^{1/3}(\log T)^{2/3} +
    2\log2$ for $T \ge 2$. The forecaster does not know $T$ or $\delta$.

    The two bounds of Theorem E, with and without a failure probability.
    """
    return jointly(
        recomputed("tree", lambda T, delta: 11 * rate(T) + 2 * (2 / delta).log(), ROUNDS, share=share),
        recomputed(
            "tree", lambda T: 11 * rate(T) + arb(4).log(), HORIZONS, share=share, note=r"without $\delta$"
        ),
        recomputed(
            "tree_from_counts",
            cost_of_counts,
            COUNTS,
            call=lambda bound, *case: bound(case[:-1], LEVELS, case[-1]),
            share=share,
        ),
    )


@chapter.claim(
    "new:tree/swap",
    "Theorem F",
    "swap regret of the tree, all bounded losses together",
    kind="exact",
    scope=FORMULA,
    controls=SPOILED,
    proof=PROOF,
    uses=("new:tree/martingale", "new:pair/clipped-leader"),
)
def right_sides_of_the_swap_regret(share: Fraction | int = 1) -> Evidence:
    r"""On the same event, for all $2 \le t \le T$ and all proper losses with values in $[-1,1]$ at once, the swap
    regret is at most $90\sqrt{t/\log t}\,\log\frac t\delta$, which for $\delta \ge \frac1t$ is at most $180\sqrt{t\log
    t}$; and $\mathbb E[\mathsf{Msr}_{\mathcal L}] \le 90\sqrt{T/\log T}\,(\log T + \log 2)$ for $T \ge 2$.

    The bound of Theorem F, with and without a failure probability.
    """
    return jointly(
        recomputed("tree_swap", lambda T, delta: 90 * swap_rate(T, delta), ROUNDS, share=share),
        recomputed(
            "tree_swap",
            lambda T: 90 * swap_rate(T, arb(0.5)),
            HORIZONS,
            share=share,
            note=r"without $\delta$",
        ),
    )
