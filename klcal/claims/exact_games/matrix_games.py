r"""Games with two columns, where two rows are enough, and the finite game against all deterministic players."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import partial
from itertools import combinations_with_replacement, product

from klcal import minimax
from klcal.claims._combinators import none_of, worst
from klcal.claims._evidence import Evidence, cases
from klcal.claims._ledger import Chapter
from klcal.exact.arithmetic import Mixture
from klcal.exact.cells import error, no_counts, square_cost
from klcal.exact.normal_form import History, Strategy, counted, expected_cost, strategies
from klcal.exact.saddle_points import Row, best_chance, best_rows, squared_game
from klcal.grids import Grid, full_grid, inner_grid

chapter = Chapter("09_the_game_solved")


@chapter.claim(
    "new:game-two-points",
    "new",
    "two points are enough to mix",
    kind="exact",
    scope=cases("all 714 games with up to four rows and entries 0, 1, 2"),
    controls={"one row only": {"support": 1}},
    proof="Chapter 9",
    credit="textbooks: the m x 2 matrix game",
)
def two_points(support: int = 2) -> Evidence:
    r"""Let $u, v \in \mathbb R^m$. Then $\min_P\max(\sum_iP_iu_i, \sum_iP_iv_i) =
    \max_{0 \le q \le 1}\min_i((1-q)u_i + qv_i)$, with $P$ over all distributions on $\{1, \dots, m\}$, and some optimal
    $P$ gives weight to at most two rows.

    A mixture never costs less than the cheapest row does against a fixed chance, so equality of the best two rows and
    the best chance settles the value over all mixtures.
    """
    numbers = [Fraction(k) for k in range(3)]
    every: list[Row] = [(u, v) for u in numbers for v in numbers]
    return none_of(
        "games in which the best two rows cost more than the best chance earns, in fractions",
        (game for count in range(1, 5) for game in combinations_with_replacement(every, count)),
        lambda game: best_rows(game, support)[0] != best_chance(game)[0],
    )


Game = tuple[tuple[Fraction, ...], int]

# Grids and horizons.
EXACT_GAMES: Sequence[Game] = (
    ((Fraction(1, 4), Fraction(3, 4)), 3),
    ((Fraction(1, 4), Fraction(1, 2)), 3),
    ((Fraction(1, 4), Fraction(1, 2), Fraction(3, 4)), 2),
    ((Fraction(0), Fraction(1, 2), Fraction(1)), 2),
    ((Fraction(1, 5), Fraction(1, 3), Fraction(3, 4)), 2),
)


def _after_forecasts(plan: Strategy, history: History) -> int:
    return plan[tuple(i for i, _ in history)]


def _after_outcomes(plan: Strategy, history: History) -> Mixture:
    return {plan[tuple(y for _, y in history)]: 1}


def guarantees(game: Game, tilt: Fraction, lean: Fraction) -> Iterator[Fraction]:
    """Yield what the two players of the exact solution pay at most and earn at least, over deterministic opponents."""
    points, T = game
    size, solution = len(points), squared_game(points, T)

    def cost(played: History) -> Fraction:
        return Fraction(error(points, counted(size, played), square_cost))

    def mixture(history: History) -> Mixture:
        shares = solution(counted(size, history)).shares
        return {i: (1 - tilt) * p + (tilt if i == min(shares) else 0) for i, p in shares.items()}

    def chance(history: History) -> Fraction:
        return (1 - lean) * solution(counted(size, history)).chance + lean / 2

    adversaries = (partial(_after_forecasts, plan) for plan in strategies(2, size, T))
    yield max(expected_cost(mixture, adversary, T, cost) for adversary in adversaries)
    forecasters = (partial(_after_outcomes, plan) for plan in strategies(size, 2, T))
    yield min(expected_cost(forecaster, chance, T, cost) for forecaster in forecasters)


@chapter.claim(
    "new:game-saddle-point",
    "new",
    "counts are enough to remember",
    kind="exact",
    scope=cases(
        "five rational grids of 2 or 3 points, T = 2, 3, the game for Cal_2, all deterministic opponents"
    ),
    controls={
        "shares moved by 1/1000": {"tilt": Fraction(1, 1000)},
        "chances moved to 1/2 by 1/1000": {"lean": Fraction(1, 1000)},
    },
    steps=("new:game-two-points", "induction"),
    rows=(36,),
)
def no_opponent_does_better(tilt: Fraction = Fraction(0), lean: Fraction = Fraction(0)) -> Evidence:
    r"""Let all $V_t(c)$ be finite. The forecaster that plays an optimal mixture of the induction over counts at every
    state pays at most $V_0(0)$ in expectation, against every adversary that may use the whole history and random
    numbers of its own; the adversary that flips a coin with an optimal chance at every state earns at least $V_0(0)$,
    against every forecaster on the grid. Hence $V_0(0)$ is the minimax value over all randomised strategies.
    """

    def missed(game: Game) -> bool:
        value = squared_game(*game)(no_counts(len(game[0]))).value
        return any(guarantee != value for guarantee in guarantees(game, tilt, lean))

    return none_of("games in which a guarantee is not the value, in fractions", EXACT_GAMES, missed)


@chapter.evidence(
    "new:game-saddle-point",
    kind="numeric",
    scope=cases("four rational grids, T = 1, 2, 3, the game for Cal_2"),
    controls={"values larger by 1e-12 of themselves": {"shift": 1e-12}},
)
def float_values(shift: float = 0.0) -> Evidence:
    """The package's values against fractions."""
    quarters = [Fraction(k, 4) for k in range(5)]
    grids = (quarters[1::2], quarters[1:4], quarters[::2], [Fraction(3, 8)])

    def drift(case: tuple[list[Fraction], int]) -> float:
        points, T = case
        exact = squared_game(points, T)(no_counts(len(points))).value
        value = minimax.value(Grid([float(z) for z in points]), T, "squared") * (1 + shift)
        return float(abs(Fraction(value) - exact) / exact)

    return worst(
        "`klcal.minimax.value` against fractions, relatively", product(grids, (1, 2, 3)), drift, 1e-13
    )


FORMS = {
    minimax.normal_form_value: ((inner_grid(3), 3), (inner_grid(4), 2), (full_grid(3), 2)),
    minimax.sequence_form_value: ((inner_grid(3), 4), (inner_grid(4), 3), (full_grid(3), 2)),
}


@chapter.claim(
    "new:game-linear-programs",
    "new",
    "von Neumann's theorem on small games",
    kind="numeric",
    scope=cases("sine grids of two to four points, T = 2, 3, 4"),
    controls={"values larger by 1e-8": {"shift": 1e-8}},
    uses=("new:game-saddle-point", "thm:von_neumann", "eq:minmax"),
)
def linear_programs(shift: float = 0.0) -> Evidence:
    r"""For $\mathsf{KLCal}$ and $\mathsf{Cal}_2$ on small sine grids, the linear program of the forecaster, that of the
    adversary and backward induction have one value to $10^{-9}$: in normal form, with up to 128 by 128 deterministic
    strategies, and in sequence form.
    """
    measures = ("kl", "squared")
    programs = [(form, game, of) for form, games in FORMS.items() for game in games for of in measures]
    return worst(
        "largest distance of a linear program's value from that of the induction; solved by HiGHS",
        range(len(programs)),
        lambda n: _distance(*programs[n], shift),
        1e-9,
    )


def _distance(
    form: Callable[..., minimax.BothSides], game: tuple[Grid, int], measure: str, shift: float
) -> float:
    value = minimax.value(*game, measure) + shift
    return max(abs(side - value) for side in form(*game, measure))
