"""Claims of chapter 12: the steps of the proof of Theorem L."""

from __future__ import annotations

from fractions import Fraction

import sympy as sp
from flint import arb

from klcal.claims._combinators import above, at_least, at_most, below, jointly, none_of, smallest, vanishing
from klcal.claims._evidence import Evidence, cases, step
from klcal.claims._ledger import Chapter
from klcal.exact import lower_bound
from klcal.exact.balls import ball
from klcal.exact.binomial import binomial_tail
from klcal.exact.lower_bound import ProofCells

chapter = Chapter("12_lower_bound")

# ----- the lemmas of the proof -------------------------------------------------------------------------------------


@chapter.claim(
    "new:lower/freeze",
    "Theorem L, step 1",
    "what is expensive can be kept",
    kind="symbolic",
    scope=step("one visit"),
    controls={r"cells with $\sup J \le 2.01\inf J$": {"ratio": Fraction(201, 100)}},
)
def one_visit(ratio: Fraction = Fraction(2)) -> Evidence:
    r"""Let $C^-$ be the sum of $c_J = b_J^2/N_J$ over the cells $J \ne J_0$ with $b_J < 0$, and $C^+$ that over the
    cells $J \ne J_\infty$ with $b_J > 0$. The outcome 0 never lowers $C^-$, and the outcome 1 never lowers $C^+$.

    $N(2|b|p + p^2) - b^2 = 4N^2p^2s(1-s) + Np^2 \ge 0$ for $|b| = 2Nps$, $0 \le s \le 1$.
    """
    N, p, s = sp.symbols("N p s", positive=True)
    b = 2 * N * p * s
    left = N * (2 * b * p + p**2) - b**2
    largest = ratio / 2
    return jointly(
        vanishing(
            r"$N(2bp + p^2) - b^2 = 4N^2p^2s(1-s) + Np^2$ with $b = 2Nps$",
            [sp.expand(left - 4 * N**2 * p**2 * s * (1 - s) - N * p**2)],
        ),
        at_least(largest * (1 - largest), 0, "$s(1-s)$ at the largest $s$; it is concave and 0 at 0"),
    )


@chapter.claim(
    "new:lower/cells",
    "Theorem L, step 2",
    "counted cells are never passed again",
    kind="exact",
    scope=cases("k <= 4"),
    controls={r"$0.51g$ in place of $\frac g2$": {"margin": Fraction(51, 100)}},
    proof="Chapter 12",
)
def cells_of_the_proof(margin: Fraction = Fraction(1, 2)) -> Evidence:
    r"""The cells partition $[0,1]$. After a cell was counted as a plus, every truth of the adversary, until it freezes,
    is at least $\frac g2$ above the cell; after it was counted as a minus, every truth of the stage, and of the finish
    in that stage, is at least $\frac g2$ below it.
    """
    every = [ProofCells(k) for k in range(1, 5)]
    return jointly(
        none_of(
            "gaps between neighbouring cells",
            [gap for each in every for gap in each.gaps()],
            lambda gap: gap != 0,
        ),
        smallest(
            "distance of every truth that may follow, in $g$",
            [distance for each in every for distance in each.margins()],
            lambda distance: distance,
            margin,
        ),
    )


@chapter.claim(
    "new:lower/noise",
    "Theorem L, step 3",
    "clocks",
    kind="symbolic",
    scope=step("one tick"),
    controls={"0.24 in place of 1/4": {"quarter": Fraction(24, 100)}},
    steps=("one tick", "the mean"),
)
def one_tick(quarter: Fraction = Fraction(1, 4)) -> Evidence:
    r"""For visits to a cell between two stopping times let $W$ be the sum of $y_t - q_t$ after $r$ of them, and $Z =
    \sup(|W| - \frac{gr}4)^+$. Then $\mathbb P(Z > x) \le 2e^{-2gx}$ and $\mathbb E[Z] \le \frac1g$, given the past; and
    for $m$ clocks of which no two tick in the same round, all exceed $x$ with probability at most $(2e^{-2gx})^m$.

    $\log\mathbb E\,e^{\lambda(y-q)}$ vanishes at 0 with its slope, and its curvature is $u(1-u) \le \frac14$.
    """
    x, q = sp.symbols("x q", positive=True)
    cumulant = sp.log(1 - q + q * sp.exp(x)) - q * x
    u = q * sp.exp(x) / (1 - q + q * sp.exp(x))
    slope = sp.diff(cumulant, x)
    return jointly(
        vanishing(
            "value and slope at 0, curvature $u(1-u)$",
            [cumulant.subs(x, 0), slope.subs(x, 0), sp.simplify(sp.diff(slope, x) - u * (1 - u))],
        ),
        at_least(quarter, Fraction(1, 4), r"$u(1-u)$ at its maximum, $u = \frac12$"),
    )


@chapter.evidence(
    "new:lower/noise",
    kind="certified",
    scope=step("the mean"),
    controls={"0.846 in place of 1": {"bound": Fraction(846, 1000)}},
)
def mean_of_a_clock(bound: Fraction = Fraction(1)) -> Evidence:
    r"""$g\int_0^\infty\min(1, 2e^{-2gx})\,dx = \frac{1+\log2}2 \le 1$."""
    return at_most((1 + arb(2).log()) / 2, bound, "the integral in closed form, in balls")


@chapter.claim(
    "new:lower/sound",
    "Theorem L, step 4",
    "counted cells stay expensive",
    kind="certified",
    scope=step("the numbers"),
    controls={
        r"$4.3\cdot10^{-6}$ in place of $4.2\cdot10^{-6}$": {"rate": Fraction(43, 10**7)},
        "10^-9.1 in place of 10^-9": {"exponent": Fraction(91, 10)},
    },
    uses=("new:lower/cells", "new:lower/noise"),
)
def sound_cells(rate: Fraction = Fraction(42, 10**7), exponent: Fraction = Fraction(9)) -> Evidence:
    r"""A counted cell whose clock from then on has $Z \le \frac\theta4$ has $c_J \ge \frac9{32}\kappa$ at every later
    time before the truth passes it. Outside an event of probability $(k+1)10^{-9k/4}$, a game that finishes has
    $\mathsf{Cal}_2 \ge \frac k2\cdot\frac9{32}\kappa > 4.2\cdot10^{-6}k$.

    $\frac38g\theta \ge \frac9{32}\kappa$, $\frac9{64}\kappa > 4.2\cdot10^{-6}$, $4e\cdot2e^{-24} \le 10^{-9}$.
    """
    kappa = Fraction(1, 2 * lower_bound.PATIENCE)
    return jointly(
        at_least(Fraction(3, 8) * lower_bound.SPREAD, Fraction(9, 32) * kappa, "more visits than before"),
        above(Fraction(9, 64) * kappa, rate, "half of the cells are sound"),
        at_most(
            8 * arb(1 - lower_bound.SPREAD // 2).exp(), arb(10) ** -ball(exponent), "one more unsound cell"
        ),
    )


@chapter.claim(
    "new:lower/usable",
    "Theorem L, step 5",
    "few windows are unusable",
    kind="certified",
    scope=step("the numbers"),
    controls={
        "0.1519 in place of 0.152": {"fall": Fraction(1519, 10_000)},
        "0.0365 in place of 0.037": {"rate": Fraction(365, 10_000)},
        "0.1295 in place of 0.13": {"visits": Fraction(1295, 10_000)},
    },
    uses=("new:lower/noise", "new:lower/freeze"),
)
def usable_windows(
    fall: Fraction = Fraction(152, 1000),
    rate: Fraction = Fraction(37, 1000),
    visits: Fraction = Fraction(13, 100),
) -> Evidence:
    r"""In a stage fewer than $\frac52k$ of the $5k$ windows are unusable when their turn comes, outside an event of
    probability $0.037^k$.

    The quadratic inequalities of a typical cell, and the count of untypical ones.
    """
    found = lower_bound.usable_window(fall=fall)
    root_kappa = ball(Fraction(1, 2 * lower_bound.PATIENCE)).sqrt()
    return jointly(
        below(found.fall, fall, r"the fall before the stage, in $\theta$"),
        at_most(Fraction(1, 96), ball(Fraction(232, 10_000)), "its visits, if it did not fall"),
        at_most(found.earlier_visits, Fraction(232, 10_000), "its visits, if it fell"),
        at_most(fall + Fraction(1, 8), Fraction(1, 2), "the left half may be this far below"),
        below(found.late_root * root_kappa, 1, "a cell that is cheap has a small bias"),
        below(found.late_root, Fraction(22, 100), "the root of its visits"),
        at_most(found.visits, visits, r"visits when the turn comes, in $\theta^2$"),
        at_most((80 * arb(-11).exp()).sqrt(), rate, r"$\frac k2$ of $20k$ clocks are untypical"),
    )


@chapter.claim(
    "new:lower/walk",
    "Theorem L, step 6",
    "a walk that has time arrives",
    kind="certified",
    scope=step("the numbers"),
    controls={
        "1/10 in place of 1/8": {"chance": Fraction(1, 10)},
        "80.4 in place of 81": {"time": Fraction(804, 10)},
    },
)
def walks(chance: Fraction = Fraction(1, 8), time: Fraction = Fraction(81)) -> Evidence:
    r"""Let $S_j$ be a sum of $j$ independent copies of $y - q$, or its negative, with $q \in [\frac14,\frac34]$, and $a
    = 2\theta \ge 960$. Then $\mathbb P(S_j < a \text{ for all } j \le \frac L2) \le \frac18$. Hence an epoch ends by
    exhaustion with probability at most $\frac14$, given the past at its start.

    $P_- \le 0.0626$, $\mathbb E\tau \le 81a^2$, $0.0626 + \frac{648}C < \frac18$, for all $a \ge 960$ at once.
    """
    low, duration = lower_bound.walk_exit()
    return jointly(
        at_most(low, Fraction(626, 10_000), "the walk leaves below, for all $a$ at once"),
        at_most(duration, time, "mean exit time over $a^2$, for all $a$ at once"),
        below(
            Fraction(626, 10_000) + 8 * time / lower_bound.PATIENCE,
            chance,
            "Markov's inequality for the exit time",
        ),
    )


@chapter.claim(
    "new:lower/epochs",
    "Theorem L, step 7",
    "giving up is unlikely",
    kind="exact",
    scope=cases("k <= 100"),
    controls={"a thirteenth of the bound": {"part": Fraction(1, 13)}},
    proof="Chapter 12",
    uses=("new:lower/usable", "new:lower/walk"),
)
def many_tired_epochs(part: Fraction = Fraction(1)) -> Evidence:
    r"""The adversary gives up with probability at most $ke^{-k/4} + k\,0.037^k$.

    $\mathbb P(\mathrm{Bin}(2k, \frac14) \ge k+1) \le e^{-k/4}$.
    """
    return none_of(
        "$k$ whose exact binomial tail exceeds the exponential, in balls",
        range(1, 101),
        lambda k: not binomial_tail(2 * k, Fraction(1, 4), k + 1) <= ball(part) * (-arb(k) / 4).exp(),
    )


PRINTED_FORM = (
    ("kL", 4),
    ("k theta/g", 240),
    ("k/g2", 464),
    ("1", 4),
    ("Z1/g", 56),
    ("Z2/g", 16),
    ("Z4/g", 8),
    ("Z5/g", 8),
    ("Y/g", 8),
)


@chapter.claim(
    "new:lower/time",
    "Theorem L, step 8",
    "there is enough time",
    kind="exact",
    scope=step("the linear form"),
    controls={"463 in place of 464": {"printed": (*PRINTED_FORM[:2], ("k/g2", 463), *PRINTED_FORM[3:])}},
    steps=("the linear form", "the numbers"),
    uses=("new:lower/freeze", "new:lower/noise", "new:lower/cells"),
)
def visits_of_a_block(printed: tuple[tuple[str, int], ...] = PRINTED_FORM) -> Evidence:
    r"""If $T \ge 5k^2L$, then the adversary is neither frozen nor finished nor has it given up after $T - 1$ rounds
    with probability at most $0.003$.

    The bounds on the five kinds of visits, inserted into each other in fractions.
    """
    found, told = lower_bound.block_visits(), dict(printed)
    return none_of(
        "coefficients that differ from the printed ones",
        sorted({*found, *told}),
        lambda name: found.get(name, 0) != told.get(name, 0),
    )


@chapter.evidence(
    "new:lower/time",
    kind="exact",
    scope=step("the numbers"),
    controls={
        "4.0003 in place of 4.001": {"certain": Fraction(40_003, 10_000)},
        "0.0026 in place of 0.0027": {"mean": Fraction(26, 10_000)},
    },
)
def rounds_played(
    certain: Fraction = Fraction(4001, 1000), mean: Fraction = Fraction(27, 10_000)
) -> Evidence:
    r"""$4.001 + 0.99$ and the two outer cells leave less than $4.992\,k^2L$, and Markov gives $0.003$."""
    form = lower_bound.block_visits()
    outer = Fraction(32, lower_bound.SPREAD**2 * lower_bound.PATIENCE)
    return jointly(
        at_most(lower_bound.visits_in_patience(form), certain, "certain part of a block, in $kL$, $k = 1$"),
        at_most(lower_bound.mean_noise(form), mean, "mean of the random part, in $k^2L$, $k = 1$"),
        at_most(mean / Fraction(99, 100), Fraction(3, 1000), "Markov's inequality"),
        below(certain + Fraction(99, 100) + outer, Fraction(4992, 1000), "rounds played, in $k^2L$"),
        above(
            Fraction(8, 1000) * lower_bound.PATIENCE * 480**2, 1, "the room that is left, in rounds, $k = 1$"
        ),
    )
