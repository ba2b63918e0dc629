"""The variant with log log T: steps of a proof that is printed; no program plays it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction

import sympy as sp

from klcal.claims._combinators import vanishing, worst
from klcal.claims._evidence import Evidence, cases, step
from klcal.claims._ledger import Chapter
from klcal.forecasters.tree import TreeNode, tree_node

chapter = Chapter("11_one_forecaster")


@chapter.claim(
    "new:tree/loglog",
    "Theorem H",
    "log log T in place of log T, orders only",
    kind="symbolic",
    scope=step("shares of the nodes"),
    controls={"1/1000 added to the share of the first node": {"extra": Fraction(1, 1000)}},
    steps=(
        "shares of the nodes",
        "new:pair-experts",
        "new:tree/cell",
        "new:tree/one-level",
        "new:msr_is_an_envelope",
    ),
)
def shares(extra: Fraction = Fraction(0)) -> Evidence:
    r"""With capacities $\lceil4^\ell\log(\ell+2)\rceil$, the share $\frac1{(\ell+1)(\ell+2)s(s+1)}$ for the $s$-th node
    that is created at level $\ell$, and in every node the experts of Theorem B with its capacity as horizon, with
    probability at least $1-\delta$, for all $T \ge 3$ at once, $\mathsf{KLCal} = O(T^{1/3}(\log\log T)^{2/3}+
    \log\frac1\delta)$ and $\mathsf{Msr}_{\mathcal L} = O(\sqrt{T\log\log T}+\sqrt{T\log\frac1\delta}+
    \sqrt{T/\log\log T}\,\log\frac1\delta)$.
    """
    level, s = sp.symbols("l s", positive=True, integer=True)
    levels = sp.summation(1 / ((level + 1) * (level + 2)), (level, 0, sp.oo))
    places = sp.summation(1 / (s * (s + 1)), (s, 1, sp.oo))
    return vanishing("the shares of all nodes add up to 1", [levels * places + sp.Rational(extra) - 1])


def _experts(node: TreeNode) -> int:
    """Return how many experts a node has: cash, and one for each scale above and below its cell."""
    N, lo, up = math.ceil(4**node.level * math.log(node.level + 2)), node.lower, node.upper
    above = math.ceil(math.log(N * (1 - up) / up, 4)) if up < 1 else 0
    below = math.ceil(math.log(N * lo / (1 - lo), 4)) if lo > 0 else 0
    return 1 + above + below


@chapter.evidence(
    "new:tree/loglog",
    kind="numeric",
    scope=cases("the number of experts, all cells of levels 1 to 12"),
    controls={"2.8 in place of 3, where 2.87 is needed": {"three": 2.8}},
)
def experts(three: float = 3.0) -> Evidence:
    r"""A node has at most $3+\log_2N_\ell$ experts."""

    def nodes() -> Iterator[TreeNode]:
        for level in range(1, 13):
            yield from (tree_node(level, j) for j in range(2**level))

    return worst(
        r"number of experts less $\log_2N_\ell$",
        nodes(),
        lambda node: _experts(node) - math.log2(math.ceil(4**node.level * math.log(node.level + 2))),
        three,
    )
