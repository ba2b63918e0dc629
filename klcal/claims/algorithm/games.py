"""Algorithms 1 and 2 and Theorem 2: what is proved by machine, and what tests that the package plays it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cache
from typing import Any

from flint import arb

from klcal import adversaries, bounds
from klcal.bounds.rates import real_resolution
from klcal.claims._combinators import at_most, equal, jointly, none_of, smallest, worst
from klcal.claims._evidence import Evidence, all_cases, cases, step
from klcal.claims._ledger import Chapter
from klcal.claims.constants.fine_print import arrows, uniform
from klcal.exact.arithmetic import compare
from klcal.exact.balls import ball, precision
from klcal.exact.certificates import doubling_factor, largest_ratio
from klcal.exact.grids import full_grid
from klcal.exact.markov import closed_classes, stationary
from klcal.exact.positions import Position, all_positions, next_round, play
from klcal.exact.rounding import Rounding, log_rounding, nearest_rounding
from klcal.games import run, run_rounded

chapter = Chapter("05_the_algorithm")

BITS = 128
RESOLUTIONS = (2, 3, 4, 5, 6)


# ----- Algorithm 2 ---------------------------------------------------------------------------------------------


chapter.statement(
    "alg:A_i",
    "Algorithm 2",
    "one learner: EWOO, rounded",
    r"Learner $i$ rounds EWOO's point by RROUND; its regret is $O(\log T + S/K^2)$, $S$ the weight it "
    "received.",
    repair=r"With clamped ends the learner always has an output, and its regret against every $w \in [0, 1]$ is at "
    r"most $\log(1+S) + 2S\log\sec\theta_K$, where $\theta_K = \frac\pi{2K}$ for $K \ge 3$ and $\theta_2 = \frac\pi8$.",
    severity="statement",
    steps=("lem:EWOO_regret_bound/sharp", "new:rounding-log-secant"),
    uses=("alg:EWOO", "alg:EWOO/outside", "alg:rounding_alg", "alg:rounding_alg/clamped"),
    rows=(72, 81),
)


@cache
def first_exit(K: int) -> int:
    """Return the first round, all outcomes 0, in which a learner of Algorithm 1 plays below the grid, in balls."""
    with precision(2 * BITS):
        position = Position.start(full_grid(K))
        while all(
            compare(w, position.points[0]) >= 0
            for w in next_round(position.weights, position.points).leanings
        ):
            position = position.after()[0]
    return len(position.outcomes) + 1


@chapter.claim(
    "alg:EWOO/outside",
    "Algorithms 2 and 4",
    "EWOO leaves the grid",
    kind="exact",
    scope=all_cases("K = 3, 5, 9, outcomes 0"),
    controls={"one round later at K = 9": {"rounds": (22, 72, 265)}},
    uses=("alg:EWOO",),
    rows=(72,),
)
def leaves_the_grid(rounds: tuple[int, ...] = (22, 72, 264)) -> Evidence:
    r"""If all outcomes are 0, a learner of Algorithm 1 plays $w < z_0$, where RROUND has no output, for the first time
    in rounds 22, 72, 264 at $K = 3, 5, 9$.
    """
    return none_of(
        "the first round with $w < z_0$ is another one, in balls",
        zip((3, 5, 9), rounds, strict=True),
        lambda case: first_exit(case[0]) != case[1],
    )


@chapter.refutation("alg:A_i", kind="exact", controls={"round 21 in place of 22": {"round_": 21}})
def leaves_its_cells(round_: int = 22) -> Evidence:
    """As printed the algorithm stops: a learner's point leaves the cells that RROUND knows."""
    return equal(
        first_exit(3), round_, f"a learner of Algorithm 1 plays $w < z_0$ first in round {round_}, in balls"
    ).against(
        "$K = 3$, all outcomes 0: in round 22 a learner's $w$ is below $z_0$, where RROUND has no output"
    )


# ----- Algorithm 1 ---------------------------------------------------------------------------------------------


@cache
def _positions(K: int, T: int) -> tuple[Position, ...]:
    with precision(BITS):
        return tuple(all_positions(full_grid(K), T))


@chapter.claim(
    "alg:BM_log_loss",
    "Algorithm 1",
    "a fixed point in every round",
    kind="exact",
    scope=cases("the package, all 2550 games of up to 8 rounds at K = 2, ..., 6"),
    controls={"uniform mixtures": {"mix": uniform, "T": 1}, "masses larger by 1e-9": {"shift": 1e-9}},
    proof="Chapter 5: eliminate the last state, solve for the others, put it back",
    uses=("alg:A_i", "alg:BM_log_loss/start", "alg:BM_log_loss/stationary", "alg:BM_log_loss/reduction"),
    rows=(66,),
)
def package_plays_it(mix: Any = stationary, T: int = 8, shift: float = 0.0) -> Evidence:
    r"""In every round there is a mixture $\boldsymbol p_t$ with $Q_t\boldsymbol p_t = \boldsymbol p_t$. With the start
    of Algorithm 2, clamped ends and the lowest closed class it is a function of the outcomes before the round.
    """
    with precision(BITS):
        played = {K: all_positions(full_grid(K), T, mix=mix) for K in RESOLUTIONS} if mix is uniform else {}
        games = [(K, p) for K in RESOLUTIONS for p in played.get(K) or _positions(K, T)]

    def misses(game: tuple[int, Position]) -> bool:
        masses = run(game[1].outcomes, game[0], rng=0).expected.mass + shift
        pairs = zip(masses.tolist(), game[1].mass, strict=True)
        return not all(abs(arb(mass) - ball(truth)) < 1e-12 for mass, truth in pairs)

    return jointly(
        none_of(
            r"an entry of $Q_t\boldsymbol p_t - \boldsymbol p_t$ may exceed $10^{-20}$, in balls",
            games,
            lambda game: not ball(game[1].imbalance) < 1e-20,
        ),
        none_of("a mass of `klcal.run` misses its ball by $10^{-12}$", games, misses),
    )


chapter.statement(
    "alg:BM_log_loss/reduction",
    "Section 5",
    "the Blum-Mansour step",
    r"If $Q_t\boldsymbol p_t = \boldsymbol p_t$ in every round, the pseudo swap regret over maps into the "
    "grid, or into $[0, 1]$, is the sum of the learners' regrets against the same comparators.",
    proof="Section 5, and Chapter 5",
    uses=("prop:swap_reg_breg_div",),
    rows=(64,),
)


# Outcomes after which the class has floor(K/2) + 2 members: this many ones, except for zeros in these rounds.
WITNESSES: Mapping[int, tuple[int, tuple[int, ...]]] = {
    3: (3, ()),
    4: (13, (11,)),
    5: (15, ()),
    6: (35, (25,)),
    7: (35, ()),
    8: (70, (51,)),
    9: (64, ()),
}


def class_after(K: int, length: int, zeros: Sequence[int]) -> tuple[int, ...]:
    """Return the lowest closed class after `length` ones with zeros in the given rounds, in balls.

    Examples
    --------
    >>> class_after(3, 3, ())
    (1, 2, 3)
    """
    with precision(2 * BITS):
        position = play(full_grid(K), [int(t not in zeros) for t in range(1, length + 1)])
        return tuple(closed_classes(arrows(position))[0])


@chapter.claim(
    "new:closed-class",
    "new",
    "classes with half the grid",
    kind="exact",
    scope=all_cases("K = 3, ..., 9, one game each"),
    controls={"one member more": {"extra": 3}, "one member less": {"extra": 1}},
    uses=("alg:BM_log_loss",),
)
def large_classes(extra: int = 2) -> Evidence:
    r"""A closed class of $\lfloor K/2\rfloor + 2$ grid points occurs for $K = 3, \dots, 9$: after constant outcomes if
    $K$ is odd, after constant outcomes with one exception if $K$ is even.
    """
    return none_of(
        "the class after these outcomes has another number of members, in balls",
        WITNESSES,
        lambda K: len(class_after(K, *WITNESSES[K])) != K // 2 + extra,
    )


GAMES = ((4, 400), (8, 400))


@chapter.claim(
    "rem:rounding/nearest-game",
    "Remark 1 (a), in a game",
    "nearest rounding breaks the bound",
    kind="exact",
    scope=all_cases("two games of 400 rounds, K = 4 and 8"),
    controls={
        "5/3 in place of 3/2": {"share": Fraction(5, 3)},
        "Algorithm 4's rounding": {"rounding": log_rounding},
    },
    uses=("rem:rounding/a", "thm:bound_pkcal/explicit"),
    rows=(85,),
)
@precision(2 * BITS)
def nearest_loses(share: Fraction = Fraction(3, 2), rounding: Rounding = nearest_rounding) -> Evidence:
    r"""Algorithm 1 with the nearest point in place of Algorithm 4 has $\mathsf{PKLCal} \ge \frac32\frac TK$ in two
    games of 400 rounds, $K = 4$ and 8, more than the bound of Theorem 2; outcomes oppose the mean forecast.

    A learner whose point crosses the middle of its cell is rounded up when it has just become too high, and down when
    it has just become too low; so rounding costs the order of the cell's width in every round, and not of its square.
    """
    errors = {
        (K, T): play(
            full_grid(K),
            run_rounded(adversaries.Oppose(T), K, scheme="nearest").outcomes.tolist(),
            rounding=rounding,
        ).error()
        for K, T in GAMES
    }
    return jointly(
        smallest(
            r"smallest $\mathsf{PKLCal}\cdot K/T$ with nearest rounding, in balls",
            GAMES,
            lambda g: errors[g] * g[0] / g[1],
            share,
        ),
        smallest(
            r"$\mathsf{PKLCal}$ over the bound of Theorem 2, same games",
            GAMES,
            lambda g: errors[g] / bounds.theorem_2(ball(g[1]), g[0]),
            1,
        ),
    )


# ----- Theorem 2 -----------------------------------------------------------------------------------------------

chapter.statement(
    "thm:bound_pkcal",
    "Theorem 2",
    "PKLCal of Algorithm 1",
    r"For every $K \ge 2$, every $T$ and every sequence of outcomes, Algorithm 1 with Algorithm 4 clamped has "
    r"$\mathsf{PKLCal} \le (K+1)\log(1 + \frac T{K+1}) + 2T\log\sec\theta_K$, and $2\log\sec\theta_K \le "
    r"\tan^2\theta_K$, where $\theta_K = \frac\pi{2K}$ for $K \ge 3$ and $\theta_2 = \frac\pi8$. With "
    r"$K = \max(2, \lceil(T/\log T)^{1/3}\rceil)$ the bound is $O(T^{1/3}(\log T)^{2/3})$, as printed "
    "(thm:bound_pkcal/rate).",
    proof="Section 5 and Chapter 5",
    uses=(
        "alg:BM_log_loss",
        "alg:BM_log_loss/reduction",
        "alg:A_i",
        "lem:EWOO_regret_bound/sharp",
        "lem:rounding",
        "prop:swap_reg_breg_div",
        "sec3:log_loss",
        "thm:bound_pkcal/explicit",
        "thm:bound_pkcal/rate",
    ),
    rows=(82,),
)


@chapter.claim(
    "sec:pseudo-KL-Cal/doubling-rate",
    "Section 5, after Theorem 2",
    "a constant for doubling",
    kind="certified",
    scope=step("a geometric series"),
    controls={"19.2 in place of 20, by the same method": {"constant": Fraction("19.2")}},
    steps=("a geometric series", "thm:bound_pkcal/rate", "sec:pseudo-KL-Cal/doubling"),
    rows=(83,),
)
@precision(BITS)
def doubling_rate(constant: Fraction = Fraction(20)) -> Evidence:
    r"""Without knowing the horizon, Algorithm 1 restarted after 1, 2, 4, ... rounds has
    $\mathsf{PKLCal} \le 20\,T^{1/3}(\log T)^{2/3}$ after every $T \ge 2$ rounds.

    Epoch m has at most 2^m rounds and its own grid, so it costs at most 3.96 times its own rate for m >= 1, and epoch 0
    costs less than 1.04. A geometric series bounds the sum.
    """
    factor, first = doubling_factor(bounds.theorem_2_rate), bounds.theorem_2(arb(1), 2)

    def unit(T: Any) -> Any:
        return bounds.theorem_2_rate(T) / ball(Fraction("3.96"))

    decided = largest_ratio(
        lambda T, _: (first + factor * bounds.theorem_2_rate(T)) / unit(T),
        real_resolution,
        first=4,
        below=constant,
    )
    return jointly(
        at_most(
            decided.upper,
            constant,
            r"epoch 0 and the series $3.96/(1 - 2^{-1/3})$ over the rate, for every $T \ge 4$",
        ),
        worst(
            "`bounds.doubling_trick` over the rate at the two horizons below",
            (2, 3),
            lambda T: bounds.doubling_trick(arb(T)) / unit(arb(T)),
            constant,
        ),
    )
