r"""How far the nearest grid point is from an announced probability, in three senses of near."""

from __future__ import annotations

from functools import partial
from itertools import pairwise, product

import sympy as sp
from flint import arb

from klcal import bounds, grids
from klcal.claims._combinators import jointly, vanishing
from klcal.claims._evidence import Evidence
from klcal.claims._legacy import Claim
from klcal.claims.constants._common import agrees, angle, inner_error, learning
from klcal.claims.existence._common import BITS, CHAPTER, border, inner
from klcal.claims.grids._common import divergence, positive
from klcal.exact.balls import ball, precision, upper
from klcal.games import dual_game

RULES = dual_game.NEAREST
RESOLUTIONS = range(2, 41)


def cost_at_borders(K: int, nearest: str) -> list[arb]:
    """Return the larger divergence from each border to the two points it separates.

    Examples
    --------
    >>> [cost.overlaps((arb(4) / 3).log() / 2) for cost in cost_at_borders(3, "euclid")]
    [True]
    """
    costs = []
    for low, high in pairwise(inner(K)):
        middle = border(low, high, nearest)
        costs.append(divergence(middle, low).max(divergence(middle, high)))
    return costs


def _middle_of_a_cell() -> Evidence:
    r"""Check two identities: the divergence from the middle of a cell to its lower end falls along the grid.

    Let the cell be :math:`[a, b] = [\sin^2(m-h), \sin^2(m+h)]` and p its middle. Then
    :math:`p - a = \frac12\sin2m\sin2h`, and
    :math:`\frac{d}{dm}\mathsf{KL}(p, a) = \sin2m\,(\cos2h\,\Lambda - \frac{2\sin2h}{\sin2(m-h)})`, where
    :math:`\Lambda` is the difference of the logits of p and a. As :math:`\log x \le \sqrt x - \frac1{\sqrt x}` for
    :math:`x \ge 1`, :math:`\Lambda \le \frac{p-a}{\sqrt{pa}} + \frac{p-a}{\sqrt{(1-p)(1-a)}}`, and with
    :math:`p = \sin^2x` this is at most :math:`\frac{4(p-a)}{\sin2x\,\sin2(m-h)}`. So the derivative is negative if
    :math:`\sin2m\cos2h \le \sin2x`, and indeed :math:`\sin^22x - \sin^22m\cos^22h = \sin^22h`.
    """
    m, h = sp.symbols("m h", positive=True)
    a, b = sp.sin(m - h) ** 2, sp.sin(m + h) ** 2
    p = (a + b) / 2
    first = p - a - sp.sin(2 * m) * sp.sin(2 * h) / 2
    second = 4 * p * (1 - p) - (sp.sin(2 * m) * sp.cos(2 * h)) ** 2 - sp.sin(2 * h) ** 2
    return vanishing(
        "two identities: the divergence from the middle to the lower end falls along the grid",
        [sp.expand(sp.expand_trig(part).rewrite(sp.exp)) for part in (first, second)],
    )


def equal_deviations() -> Evidence:
    r"""Check :math:`(z'-z)/(s+s') = \tan\theta` for neighbours, so that :math:`\chi^2 = \tan^2\theta` at borders."""
    x, t = sp.symbols("x t", positive=True)
    gap = sp.sin(x + t) ** 2 - sp.sin(x) ** 2
    deviations = (sp.sin(2 * x) + sp.sin(2 * x + 2 * t)) / 2
    left = gap * sp.cos(t) - deviations * sp.sin(t)
    return vanishing(
        "(z' - z)/(s + s') = tan theta for neighbours", [sp.expand(sp.expand_trig(left).rewrite(sp.exp))]
    )


def _first_cell(x: arb) -> arb:
    r"""Return a lower bound on :math:`-2\log\cos x - \mathsf{KL}(\frac{z_1+z_2}2, z_1)` with angle x.

    The middle p has :math:`p/z_1 = \frac12 + 2\cos^2x \le \frac52`, and :math:`\log\frac52 < 0.9163`.
    """
    sine, cosine = x.sin(), x.cos()
    p = sine * sine * (4 * cosine * cosine + 1) / 2
    rest = ((1 - p) / (cosine * cosine)).log()
    first: arb = -2 * cosine.log() - p * 9163 / 10000 - (1 - p) * rest
    return first


@precision(BITS)
def nearest_answers(factor: float = 1.0, uniform: bool = False) -> Evidence:
    r"""Check that all three answers are within :math:`-2\log\cos\frac\pi{2K}` of the announcement, in KL.

    Inside a region KL is convex in the announcement, so the ends count: 0 and 1, where the value is attained, and the
    borders. At K = 2..40 these are computed. For all K: for the KL-nearest point this is
    ``new:comparator-log-secant``. For the :math:`\chi^2`-nearest, KL is at most :math:`\log(1+\chi^2)`, and
    :math:`\chi^2 = \tan^2\theta` at every border. For the Euclid-nearest, the cost in the middle of a cell falls along
    the grid (`_middle_of_a_cell`), so the first cell is worst, and there `_first_cell` is positive.

    Parameters
    ----------
    factor : float
        Multiplies the constant.
    uniform : bool
        Put the first point at 1/K instead: a control.
    """
    ratios = [
        (upper(cost / (factor * inner_error(K))), K)
        for K, rule in product(RESOLUTIONS, RULES)
        for cost in cost_at_borders(K, rule)
    ]
    ends = {K: divergence(arb(0), arb(1) / K if uniform else inner(K)[0]) for K in RESOLUTIONS}
    missed = sum(not ends[K].overlaps(-2 * ball(factor) * angle(K).cos().log()) for K in RESOLUTIONS)
    rising = sum(
        not costs[i + 1] < costs[i]
        for K in range(4, 41)
        for costs in [[divergence(border(a, b, "euclid"), a) for a, b in pairwise(inner(K))]]
        for i in range(len(costs) - 1)
    )
    floats = max(
        upper(abs(ball(float(x)) - border(low, high, rule)))
        for K, rule in product((3, 4, 5, 16, 42), RULES)
        for x, (low, high) in zip(
            dual_game.borders(grids.inner_grid(K), rule), pairwise(inner(K)), strict=True
        )
    )
    worst, K = max(ratios)
    return jointly(
        Evidence(worst, 1, "<", "largest KL at a border over KL(0, z_1), three rules, K = 2..40", {"K": K}),
        Evidence(missed, 0, "==", "KL(0, z_1) is -2 log cos(pi/2K) at K = 2..40"),
        Evidence(
            rising, 0, "==", "from the middles of the cells to their lower ends KL falls along the grid"
        ),
        _middle_of_a_cell(),
        positive("KL from the middle of the first cell is smaller, all K >= 3", _first_cell, arb.pi() / 6),
        Evidence(upper((arb(5) / 2).log()), 0.9163, "<", "log(5/2)"),
        equal_deviations(),
        Evidence(int(floats > 1e-15), 0, "==", "klcal.games.dual_game.borders are these borders to 1e-15"),
        agrees(
            "(K-1) log(1 + T/(K-1)) + T KL(0, z_1), Euclid-nearest",
            partial(bounds.theorem_1_nearest, version="best"),
            lambda T, K: learning(T, K - 1) + T * inner_error(K),
        ),
    )


CLAIMS: tuple[Claim, ...] = (
    Claim(
        label="new:nearest-answers",
        number="Theorem 1, sharpened",
        title="how far an answer is from the announcement",
        kind="certified",
        chapter=CHAPTER,
        statement="On the inner grid KL(p, z) <= -2 log cos(pi/2K) for every p in [0, 1] and its nearest point z, "
        "whether nearest by distance, by KL or by chi-square, for every K >= 2, with equality at p = 0 and p = 1. So "
        "Theorem 1, sharpened, holds for the paper's own forecaster with the same right-hand side.",
        uses=("new:comparator-log-secant", "thm:log_loss_swap_reg/chi-square"),
        check=nearest_answers,
        spoil=(partial(nearest_answers, 0.99), partial(nearest_answers, uniform=True)),
    ),
)
