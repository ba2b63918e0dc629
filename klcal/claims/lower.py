"""Claims of chapter 12: how small calibration can be. None of them is in the paper."""

from __future__ import annotations

from fractions import Fraction

import sympy as sp
from flint import arb

from klcal import bounds
from klcal.claims._combinators import (
    above,
    at_least,
    at_most,
    below,
    jointly,
    none_of,
    recomputed,
    smallest,
    vanishing,
)
from klcal.claims._evidence import FORMULA, Evidence, all_cases, cases, step
from klcal.claims._ledger import Chapter
from klcal.exact import lower_bound
from klcal.exact.balls import ball, precision
from klcal.exact.binomial import binomial_tail
from klcal.exact.lower_bound import PATIENCE, SPREAD, ProofCells
from klcal.minimax import sign_game
from klcal.minimax.sign_game import Board

chapter = Chapter("12_lower_bound")

PROOF = "Chapter 12"
LEMMAS = (
    "new:lower/freeze",
    "new:lower/cells",
    "new:lower/noise",
    "new:lower/sound",
    "new:lower/usable",
    "new:lower/walk",
    "new:lower/epochs",
    "new:lower/time",
)

# ----- a coin ------------------------------------------------------------------------------------------------------

chapter.statement(
    "new:lower/coin",
    "Proposition",
    "a coin with a random bias",
    r"If the outcomes are flips of one coin whose bias is drawn uniformly from $[0,1]$, then every forecaster has "
    r"$\mathbb E[\mathsf{Cal}_2] \ge \frac16\bigl(1 + \frac12 + \dots + \frac1{T+1}\bigr) \ge \frac16\log(T+2)$.",
    proof=PROOF,
    credit="the textbook argument for external regret",
)


@chapter.evidence(
    "new:lower/coin",
    kind="exact",
    scope=cases("T <= 30"),
    controls={"0.1667 in place of 1/6": {"factor": Fraction(1667, 10_000)}},
)
def best_against_a_coin(factor: Fraction = Fraction(1, 6)) -> Evidence:
    """The regret of the best forecaster, in fractions, is the harmonic sum over 6."""
    return none_of(
        "the Bayes forecaster's regret for the squared loss, over all counts",
        range(1, 31),
        lambda T: lower_bound.coin_regret(T) != factor * lower_bound.harmonic(T + 1),
    )


@chapter.evidence(
    "new:lower/coin",
    kind="exact",
    scope=FORMULA,
    controls={"T + 2.01 in place of T + 2": {"shift": Fraction(201, 100)}},
)
def coin_formula(shift: Fraction = Fraction(2)) -> Evidence:
    """The right side as the package computes it."""
    return recomputed(
        bounds.squares_log_lower_bound, lambda T: (T + ball(shift)).log() / 6, [(1,), (1000,), (10**12,)]
    )


# ----- the sign game -----------------------------------------------------------------------------------------------


def fewest_signs(board: Board, k: int) -> int:
    """Return with how many signs the staircase ends in the worst case, over all answers."""
    cell = sign_game.staircase(board, k)
    if cell is None or cell not in board.fresh:
        return board.signs
    return min(fewest_signs(board.point(cell, sign), k) for sign in (sign_game.PLUS, sign_game.MINUS))


@chapter.claim(
    "new:lower/signs",
    "Lemma",
    "the staircase",
    kind="exact",
    scope=cases("k <= 6"),
    controls={"one cell less": {"fewer": 1}},
    proof=PROOF,
)
def staircase_wins(fewer: int = 0) -> Evidence:
    r"""On $\frac{k(k+1)}2$ cells Nature gets $k$ signs in the sign game, by walking left through blocks of
    $k, k-1, \dots, 1$ cells and going on in the next block at the first plus.
    """
    return none_of(
        "the package's staircase against all sequences of answers",
        range(1, 7),
        lambda k: fewest_signs(Board("." * (k * (k + 1) // 2 - fewer)), k) < k,
    )


@chapter.claim(
    "new:lower/signs-exact",
    "Table",
    "the smallest boards",
    kind="exact",
    scope=all_cases("1, 2, ..., 7 signs"),
    controls={"21 cells in place of 20 for six signs": {"sizes": (1, 3, 6, 10, 15, 21, 26)}},
)
def smallest_boards(sizes: tuple[int, ...] = (1, 3, 6, 10, 15, 20, 26)) -> Evidence:
    r"""The smallest boards on which Nature can force $1, 2, \dots, 7$ signs have $1, 3, 6, 10, 15, 20, 26$ cells."""
    return none_of(
        "backward induction over all boards, up to the fresh cells between signs",
        enumerate(sizes, start=1),
        lambda pair: (
            not sign_game.can_force(Board("." * pair[1]), pair[0])
            or sign_game.can_force(Board("." * (pair[1] - 1)), pair[0])
        ),
    )


# ----- the lemmas of the proof -------------------------------------------------------------------------------------

chapter.statement(
    "new:lower/freeze",
    "Theorem L, step 1",
    "what is expensive can be kept",
    r"Let $C^-$ be the sum of $c_J = b_J^2/N_J$ over the cells $J \ne J_0$ with $b_J < 0$, and $C^+$ that over the "
    r"cells $J \ne J_\infty$ with $b_J > 0$. The outcome 0 never lowers $C^-$, and the outcome 1 never lowers $C^+$.",
    proof=PROOF,
    steps=("one visit",),
)


@chapter.evidence(
    "new:lower/freeze",
    kind="symbolic",
    scope=step("one visit"),
    controls={"cells with sup J <= 2.01 inf J": {"ratio": Fraction(201, 100)}},
)
def one_visit(ratio: Fraction = Fraction(2)) -> Evidence:
    r"""$N(2|b|p + p^2) - b^2 = 4N^2p^2s(1-s) + Np^2 \ge 0$ for $|b| = 2Nps$, $0 \le s \le 1$."""
    N, p, s = sp.symbols("N p s", positive=True)
    b = 2 * N * p * s
    left = N * (2 * b * p + p**2) - b**2
    largest = ratio / 2
    return jointly(
        vanishing(
            "the difference as a polynomial", [sp.expand(left - 4 * N**2 * p**2 * s * (1 - s) - N * p**2)]
        ),
        at_least(largest * (1 - largest), 0, "s (1 - s) at the largest s; it is concave and 0 at 0"),
    )


@chapter.claim(
    "new:lower/cells",
    "Theorem L, step 2",
    "counted cells are never passed again",
    kind="exact",
    scope=cases("k <= 4"),
    controls={"0.51 g in place of g/2": {"margin": Fraction(51, 100)}},
    proof=PROOF,
)
def cells_of_the_proof(margin: Fraction = Fraction(1, 2)) -> Evidence:
    r"""The cells partition $[0,1]$. After a cell was counted as a plus, every truth of the adversary, until it freezes,
    is at least $\frac g2$ above the cell; after it was counted as a minus, every truth of the stage, and of the finish
    in that stage, is at least $\frac g2$ below it.
    """
    every = [ProofCells(k) for k in range(1, 5)]
    return jointly(
        none_of(
            "neighbouring cells meet", [gap for each in every for gap in each.gaps()], lambda gap: gap != 0
        ),
        smallest(
            "distance of every truth that may follow, in g",
            [distance for each in every for distance in each.margins()],
            lambda distance: distance,
            margin,
        ),
    )


chapter.statement(
    "new:lower/noise",
    "Theorem L, step 3",
    "clocks",
    r"For visits to a cell between two stopping times let $W$ be the sum of $y_t - q_t$ after $r$ of them, and "
    r"$Z = \sup(|W| - \frac{gr}4)^+$. Then $\mathbb P(Z > x) \le 2e^{-2gx}$ and $\mathbb E[Z] \le \frac1g$, given the "
    r"past; and for $m$ clocks of which no two tick in the same round, all exceed $x$ with probability at most "
    r"$(2e^{-2gx})^m$.",
    proof=PROOF,
    steps=("one tick", "the mean"),
)


@chapter.evidence(
    "new:lower/noise",
    kind="symbolic",
    scope=step("one tick"),
    controls={"0.24 in place of 1/4": {"quarter": Fraction(24, 100)}},
)
def one_tick(quarter: Fraction = Fraction(1, 4)) -> Evidence:
    r"""$\log\mathbb E\,e^{\lambda(y-q)}$ vanishes at 0 with its slope, and its curvature is $u(1-u) \le \frac14$."""
    x, q = sp.symbols("x q", positive=True)
    cumulant = sp.log(1 - q + q * sp.exp(x)) - q * x
    u = q * sp.exp(x) / (1 - q + q * sp.exp(x))
    slope = sp.diff(cumulant, x)
    return jointly(
        vanishing(
            "value and slope at 0, curvature u (1 - u)",
            [cumulant.subs(x, 0), slope.subs(x, 0), sp.simplify(sp.diff(slope, x) - u * (1 - u))],
        ),
        at_least(quarter, Fraction(1, 4), "u (1 - u) at its maximum, u = 1/2"),
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


chapter.statement(
    "new:lower/sound",
    "Theorem L, step 4",
    "counted cells stay expensive",
    r"A counted cell whose clock from then on has $Z \le \frac\theta4$ has $c_J \ge \frac9{32}\kappa$ at every later "
    r"time before the truth passes it. Outside an event of probability $(k+1)10^{-9k/4}$, a game that finishes has "
    r"$\mathsf{Cal}_2 \ge \frac k2\cdot\frac9{32}\kappa > 4.2\cdot10^{-6}k$.",
    proof=PROOF,
    steps=("the numbers",),
    uses=("new:lower/cells", "new:lower/noise"),
)


@chapter.evidence(
    "new:lower/sound",
    kind="certified",
    scope=step("the numbers"),
    controls={
        "4.3e-6 in place of 4.2e-6": {"rate": Fraction(43, 10**7)},
        "10^-9.1 in place of 10^-9": {"exponent": Fraction(91, 10)},
    },
)
def sound_cells(rate: Fraction = Fraction(42, 10**7), exponent: Fraction = Fraction(9)) -> Evidence:
    r"""$\frac38g\theta \ge \frac9{32}\kappa$, $\frac9{64}\kappa > 4.2\cdot10^{-6}$, $4e\cdot2e^{-24} \le 10^{-9}$."""
    kappa = Fraction(1, 2 * PATIENCE)
    return jointly(
        at_least(Fraction(3, 8) * SPREAD, Fraction(9, 32) * kappa, "more visits than before"),
        above(Fraction(9, 64) * kappa, rate, "half of the cells are sound"),
        at_most(8 * arb(1 - SPREAD // 2).exp(), arb(10) ** -ball(exponent), "one more unsound cell"),
    )


chapter.statement(
    "new:lower/usable",
    "Theorem L, step 5",
    "few windows are unusable",
    r"In a stage fewer than $\frac52k$ of the $5k$ windows are unusable when their turn comes, outside an event of "
    r"probability $0.037^k$.",
    proof=PROOF,
    steps=("the numbers",),
    uses=("new:lower/noise", "new:lower/freeze"),
)


@chapter.evidence(
    "new:lower/usable",
    kind="certified",
    scope=step("the numbers"),
    controls={
        "0.1519 in place of 0.152": {"fall": Fraction(1519, 10_000)},
        "0.0365 in place of 0.037": {"rate": Fraction(365, 10_000)},
        "0.1295 in place of 0.13": {"visits": Fraction(1295, 10_000)},
    },
)
def usable_windows(
    fall: Fraction = Fraction(152, 1000),
    rate: Fraction = Fraction(37, 1000),
    visits: Fraction = Fraction(13, 100),
) -> Evidence:
    """The quadratic inequalities of a typical cell, and the count of untypical ones."""
    found = lower_bound.usable_window(fall=fall)
    root_kappa = ball(Fraction(1, 2 * PATIENCE)).sqrt()
    return jointly(
        below(found.fall, fall, "the fall before the stage, in theta"),
        at_most(Fraction(1, 96), ball(Fraction(232, 10_000)), "its visits, if it did not fall"),
        at_most(found.earlier_visits, Fraction(232, 10_000), "its visits, if it fell"),
        at_most(fall + Fraction(1, 8), Fraction(1, 2), "the left half may be this far below"),
        below(found.late_root * root_kappa, 1, "a cell that is cheap has a small bias"),
        below(found.late_root, Fraction(22, 100), "the root of its visits"),
        at_most(found.visits, visits, "visits when the turn comes, in theta squared"),
        at_most((80 * arb(-11).exp()).sqrt(), rate, "k/2 of 20 k clocks are untypical"),
    )


chapter.statement(
    "new:lower/walk",
    "Theorem L, step 6",
    "a walk that has time arrives",
    r"Let $S_j$ be a sum of $j$ independent copies of $y - q$, or its negative, with $q \in [\frac14,\frac34]$, and "
    r"$a = 2\theta \ge 960$. Then $\mathbb P(S_j < a \text{ for all } j \le \frac L2) \le \frac18$. Hence an epoch "
    r"ends by exhaustion with probability at most $\frac14$, given the past at its start.",
    proof=PROOF,
    steps=("the numbers",),
)


@chapter.evidence(
    "new:lower/walk",
    kind="certified",
    scope=step("the numbers"),
    controls={
        "1/10 in place of 1/8": {"chance": Fraction(1, 10)},
        "80.4 in place of 81": {"time": Fraction(804, 10)},
    },
)
def walks(chance: Fraction = Fraction(1, 8), time: Fraction = Fraction(81)) -> Evidence:
    r"""$P_- \le 0.0626$, $\mathbb E\tau \le 81a^2$, $0.0626 + \frac{648}C < \frac18$, for all $a \ge 960$ at once."""
    low, duration = lower_bound.walk_exit()
    return jointly(
        at_most(low, Fraction(626, 10_000), "the walk leaves below, for all a at once"),
        at_most(duration, time, "mean exit time over a^2, for all a at once"),
        below(Fraction(626, 10_000) + 8 * time / PATIENCE, chance, "Markov's inequality for the exit time"),
    )


chapter.statement(
    "new:lower/epochs",
    "Theorem L, step 7",
    "giving up is unlikely",
    r"The adversary gives up with probability at most $ke^{-k/4} + k\,0.037^k$.",
    proof=PROOF,
    uses=("new:lower/usable", "new:lower/walk"),
)


@chapter.evidence(
    "new:lower/epochs",
    kind="exact",
    scope=cases("k <= 100"),
    controls={"a thirteenth of the bound": {"part": Fraction(1, 13)}},
)
def many_tired_epochs(part: Fraction = Fraction(1)) -> Evidence:
    r"""$\mathbb P(\mathrm{Bin}(2k, \frac14) \ge k+1) \le e^{-k/4}$."""
    return none_of(
        "exact binomial tails against the exponential, in balls",
        range(1, 101),
        lambda k: not binomial_tail(2 * k, Fraction(1, 4), k + 1) <= ball(part) * (-arb(k) / 4).exp(),
    )


chapter.statement(
    "new:lower/time",
    "Theorem L, step 8",
    "there is enough time",
    r"If $T \ge 5k^2L$, then the adversary is neither frozen nor finished nor has it given up after $T - 1$ rounds "
    r"with probability at most $0.003$.",
    proof=PROOF,
    steps=("the linear form", "the numbers"),
    uses=("new:lower/freeze", "new:lower/noise", "new:lower/cells"),
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


@chapter.evidence(
    "new:lower/time",
    kind="exact",
    scope=step("the linear form"),
    controls={"463 in place of 464": {"printed": (*PRINTED_FORM[:2], ("k/g2", 463), *PRINTED_FORM[3:])}},
)
def visits_of_a_block(printed: tuple[tuple[str, int], ...] = PRINTED_FORM) -> Evidence:
    """The bounds on the five kinds of visits, inserted into each other in fractions."""
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
    outer = Fraction(32, SPREAD**2 * PATIENCE)
    return jointly(
        at_most(lower_bound.visits_in_patience(form), certain, "certain part of a block, in k L, k = 1"),
        at_most(lower_bound.mean_noise(form), mean, "mean of the random part, in k^2 L, k = 1"),
        at_most(mean / Fraction(99, 100), Fraction(3, 1000), "Markov's inequality"),
        below(certain + Fraction(99, 100) + outer, Fraction(4992, 1000), "rounds played, in k^2 L"),
        above(Fraction(8, 1000) * PATIENCE * 480**2, 1, "the room that is left, in rounds, k = 1"),
    )


# ----- the theorem -------------------------------------------------------------------------------------------------

chapter.statement(
    "new:lower",
    "Theorem L",
    "a lower bound of order T^(1/6)",
    r"For every $T \ge 1$ there is an adaptive adversary, the same for all forecasters, which knows $T$ and sees past "
    r"forecasts and outcomes only, such that every forecaster has "
    r"$\mathbb E[\mathsf{Cal}_2] \ge 5\cdot10^{-8}\,T^{1/6}$ and "
    r"$\mathbb E[\mathsf{KLCal}] \ge 10^{-7}\,T^{1/6}$. If $k = \lfloor(T/A)^{1/6}\rfloor \ge 16$ with "
    r"$A = 500\cdot2^{14}\cdot48^2$, then $\mathsf{Cal}_2 \ge 4.2\cdot10^{-6}k$ with probability at least "
    r"$1 - ke^{-k/4} - 0.01$.",
    proof=PROOF,
    steps=(*LEMMAS, "the conclusion", "pinsker"),
    uses=(*LEMMAS, "new:lower/coin", "pinsker"),
)


@chapter.evidence(
    "new:lower",
    kind="certified",
    scope=step("the conclusion"),
    controls={
        "5.4e-8 in place of 5e-8": {"constant": Fraction(54, 10**9)},
        "51.5 in place of 51.6": {"root": Fraction(515, 10)},
        "k >= 15 in place of 16": {"first": 15},
    },
)
def conclusion(
    constant: Fraction = Fraction(5, 10**8), root: Fraction = Fraction(516, 10), first: int = 16
) -> Evidence:
    r"""The failures sum to less than $0.3$ for $k \ge 16$, and then the constants multiply."""
    A = 500 * PATIENCE * SPREAD**2
    with precision(128):
        k = arb(first)
        # Each term falls from here on, because k > 4.
        terms = (
            k * (-k / 4).exp(),
            k * ball(Fraction(37, 1000)) ** k,
            (k + 1) * arb(10) ** (-9 * k / 4),
            ball(Fraction(3, 1000)),
        )
        return jointly(
            below(terms[0] + terms[1] + terms[2] + terms[3], Fraction(3, 10), "all failures"),
            at_most(terms[1] + terms[2] + terms[3], Fraction(1, 100), "all but the first"),
            below(A, root**6, "the sixth root of A"),
            at_least(
                Fraction(7, 10) * Fraction(42, 10**7) * Fraction(first, first + 1) / root,
                constant,
                "the constant",
            ),
            below(constant * first * root, Fraction(1, 4), "fair coins for smaller T"),
        )


@chapter.evidence(
    "new:lower",
    kind="exact",
    scope=FORMULA,
    controls={"0.1666 in place of 1/6": {"power": Fraction(1666, 10_000)}},
)
def lower_bound_formula(power: Fraction = Fraction(1, 6)) -> Evidence:
    """The right side as the package computes it."""
    return recomputed(
        bounds.squares_lower_bound, lambda T: 5 * T ** ball(power) / 10**8, [(2,), (10**6,), (10**15,)]
    )


@chapter.claim(
    "new:lower/crossing",
    "remark",
    "where the power passes the logarithm",
    kind="certified",
    scope=all_cases("T = 10^{51} and T = 10^{52}"),
    controls={"10^51 in place of 10^52": {"late": 51}, "10^52 in place of 10^51": {"early": 52}},
)
def crossing(early: int = 51, late: int = 52) -> Evidence:
    r"""$5\cdot10^{-8}\,T^{1/6}$ is below $\frac16\log(T+2)$ at $T = 10^{51}$ and above it at $T = 10^{52}$."""

    def ratio(exponent: int) -> arb:
        T = arb(10) ** exponent
        return 30 * T ** (arb(1) / 6) / 10**8 / (T + 2).log()

    return jointly(
        below(ratio(early), 1, "the quotient at the earlier T"),
        above(ratio(late), 1, "the quotient at the later T"),
    )
