r"""How far the nearest grid point is from an announced probability, in three senses of near."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise, product
from typing import Any

import sympy as sp
from flint import arb

from klcal.claims._combinators import add_formulas, at_most, jointly, less_on, vanishing, worst
from klcal.claims._evidence import Evidence, cases, step
from klcal.claims._ledger import Chapter
from klcal.exact.arithmetic import maximum
from klcal.exact.balls import ball, precision
from klcal.exact.cells import divergence
from klcal.exact.grids import NEAREST, borders, inner_grid

chapter = Chapter("04_existence")

# Arguments without a pattern, at which two formulas that agree are the same.
GAMES = ((1, 2), (3, 2), (7.3, 3.1), (1000, 5), (123456.7, 41.9), (1e12, 3000))


def sharpened_bound(T: arb, K: arb) -> arb:
    """Return learning plus grid: Theorem 1, sharpened, for all three rules."""
    return (K - 1) * (1 + T / (K - 1)).log() - 2 * T * (arb.pi() / (2 * K)).cos().log()


@chapter.claim(
    "new:nearest-answers",
    "Theorem 1, sharpened",
    "how far an answer is from the announcement",
    kind="exact",
    scope=cases("K = 2, ..., 40, all borders, and 0"),
    controls={"0.99 of the bound": {"share": Fraction(99, 100)}},
    steps=(
        "new:comparator-log-secant",
        "chi-square at a border",
        "thm:log_loss_swap_reg/chi-square",
        "along the grid",
        "the first cell",
    ),
)
def costs_at_borders(share: Fraction = Fraction(1)) -> Evidence:
    r"""Let $K \ge 2$. For every $p \in [0, 1]$ the point $z$ of the inner grid that is nearest to $p$, by distance, by
    $\mathsf{KL}(p, z)$ or by $\chi^2(p, z) = \frac{(p-z)^2}{z(1-z)}$, has
    $\mathsf{KL}(p, z) \le -2\log\cos\frac\pi{2K}$, with equality at $p = 0$ and $p = 1$. For the $\chi^2$-nearest point
    $1 + \chi^2(p, z) \le \cos^{-2}\frac\pi{2K}$.

    Inside a cell the costs are convex in p, so its ends count.
    """

    def largest(case: tuple[int, str]) -> arb:
        K, rule = case
        points = inner_grid(K)
        ends = zip(points, pairwise(borders(points, rule)), strict=True)
        costs = [divergence(end, z) for z, cell in ends for end in cell]
        return ball(maximum(costs)) / (-2 * (arb.pi() / (2 * K)).cos().log()) - ball(share)

    with precision(128):
        # At 0 and 1 there is equality, and a ball of radius 1e-37 is all that can be known.
        return worst(
            r"largest $\mathsf{KL}$ from an end of a cell over the bound, minus 1, three rules, in balls",
            product(range(2, 41), NEAREST),
            largest,
            1e-30,
        )


@chapter.evidence(
    "new:nearest-answers",
    kind="symbolic",
    scope=step("chi-square at a border"),
    controls={"0.99 of the gap": {"factor": Fraction(99, 100)}},
)
def equal_deviations(factor: Fraction | int = 1) -> Evidence:
    """With z = sin^2 x and its neighbour, and s their standard deviations."""
    x, t = sp.symbols("x t", positive=True)
    gap = sp.sin(x + t) ** 2 - sp.sin(x) ** 2
    deviations = (sp.sin(2 * x) + sp.sin(2 * x + 2 * t)) / 2
    return vanishing(
        r"$(z'-z)/(s+s') = \tan\theta$ for neighbours, so that $\chi^2 = \tan^2\theta$ at every border",
        [sp.Rational(factor) * gap * sp.cos(t) - deviations * sp.sin(t)],
    )


@chapter.evidence(
    "new:nearest-answers",
    kind="symbolic",
    scope=step("along the grid"),
    controls={r"$\sin2m\sin2h$ times 0.99": {"factor": Fraction(99, 100)}},
)
def cost_falls_along_the_grid(factor: Fraction | int = 1) -> Evidence:
    r"""The identities by which the cost in the middle of a cell falls from cell to cell.

    The cell is $[a, b] = [\sin^2(m-h), \sin^2(m+h)]$ and q its middle. The derivative of KL(q, a) in m is
    $q'\Lambda - a'\frac{q-a}{a(1-a)}$ with the difference $\Lambda$ of the logits, and $\Lambda$ is bounded by
    $\log u \le \sqrt u - \frac1{\sqrt u}$ for $u \ge 1$.
    """
    m, h, u = sp.symbols("m h u", positive=True)
    a, b = sp.sin(m - h) ** 2, sp.sin(m + h) ** 2
    q = (a + b) / 2
    root = sp.sqrt(u)
    return jointly(
        vanishing(
            r"$q - a = \frac12\sin2m\sin2h$, $q' = \sin2m\cos2h$, $a(1-a) = \frac14\sin^22(m-h)$, "
            r"$4q(1-q) = \sin^22m\cos^22h + \sin^22h$",
            [
                q - a - sp.Rational(factor) * sp.sin(2 * m) * sp.sin(2 * h) / 2,
                sp.diff(q, m) - sp.sin(2 * m) * sp.cos(2 * h),
                a * (1 - a) - sp.sin(2 * m - 2 * h) ** 2 / 4,
                4 * q * (1 - q) - (sp.sin(2 * m) * sp.cos(2 * h)) ** 2 - sp.sin(2 * h) ** 2,
            ],
        ),
        vanishing(
            r"$\frac{d}{du}(\sqrt u - \frac1{\sqrt u} - \log u) = \frac{(\sqrt u-1)^2}{2u^{3/2}} \ge 0$",
            [sp.diff(root - 1 / root - sp.log(u), u) - (root - 1) ** 2 / (2 * u * root)],
        ),
    )


@chapter.evidence(
    "new:nearest-answers",
    kind="certified",
    scope=step("the first cell"),
    controls={"0.78 of the bound (the limit of the ratio at 0 is 0.79)": {"share": Fraction(78, 100)}},
)
def first_cell(share: Fraction = Fraction(1)) -> Evidence:
    r"""The middle q of the first cell has $q/z_1 = \frac12 + 2\cos^2\theta \le \frac52$, and $\log\frac52 < 0.9163$."""

    def most(x: Any) -> Any:
        sine, cosine = x.sin(), x.cos()
        q = sine * sine * (4 * cosine * cosine + 1) / 2
        return q * 9163 / 10000 + (1 - q) * ((1 - q) / (cosine * cosine)).log()

    with precision(128):
        return jointly(
            less_on(
                r"the bound on $\mathsf{KL}(q, z_1)$ against $-2\log\cos\theta$ for all $\theta \in (0, \frac\pi6]$",
                most,
                lambda x: -2 * x.cos().log(),
                arb.pi() / 6,
                share,
            ),
            at_most((arb(5) / 2).log(), 0.9163, r"$\log\frac52$"),
        )


add_formulas(chapter, "new:nearest-answers", ("theorem_1_nearest", "best", sharpened_bound, GAMES))
