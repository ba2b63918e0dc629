r"""Values of the game in balls, and what lies above and below them."""

from __future__ import annotations

from fractions import Fraction

from flint import arb

from klcal import grids, minimax
from klcal.claims._combinators import jointly, worst
from klcal.claims._evidence import Evidence, all_cases, cases
from klcal.claims._ledger import Chapter
from klcal.exact.balls import ball, precision, upper
from klcal.exact.grids import worst_divergence
from klcal.exact.worst_cases import GRIDS, dual_worst_case, value_enclosure

chapter = Chapter("09_the_game_solved")

# Grid, resolution and longest horizon.
LONGEST = (("inner", 2, 8), ("inner", 3, 8), ("inner", 4, 6), ("inner", 5, 4), ("full", 3, 4))
GAMES = [(kind, K, T) for kind, K, last in LONGEST for T in range(1, last + 1)]
CASES = "inner grids with K = 2, 3 (T <= 8), 4 (T <= 6), 5 (T <= 4), and the full grid with K = 3 (T <= 4)"
FLOATS = {"inner": grids.inner_grid, "full": grids.full_grid}

Game = tuple[str, int, int]


@chapter.claim(
    "new:game-values",
    "new",
    "values of small games, enclosed",
    kind="exact",
    scope=all_cases(CASES),
    controls={"to 15 digits": {"digits": 15}},
    uses=("new:game-two-points",),
    rows=(31, 36),
)
def enclosures(digits: int = 13) -> Evidence:
    r"""On the inner grids with $K = 2$ and 3 (up to 8 rounds), 4 (up to 6) and 5 (up to 4), and on the full grid with
    $K = 3$ (up to 4), the minimax value of $\mathbb E[\mathsf{KLCal}]$ is known to 13 digits: some moves of the
    forecaster and some of the adversary guarantee it from both sides.

    Whatever mixtures a forecaster uses, the worst outcomes against them cost at least the value, and whatever chances
    an adversary uses, the cheapest points against them earn at most the value.
    """

    def width(game: Game) -> arb:
        low, high = value_enclosure(*game)
        return (high - low) / low

    with precision(128):
        return worst(
            "largest relative distance of the two guarantees, in balls; the moves, rational numbers, come from a "
            "solution of the game in machine numbers",
            GAMES,
            width,
            10.0**-digits,
        )


@chapter.evidence(
    "new:game-values", kind="numeric", scope=cases(CASES), controls={"values larger by 1e-9": {"shift": 1e-9}}
)
def float_values(shift: float = 0.0) -> Evidence:
    """The package's values have these digits."""

    def drift(game: Game) -> float:
        kind, K, T = game
        value = ball(minimax.value(FLOATS[kind](K), T) + shift)
        return max(upper(abs(value - side)) for side in value_enclosure(*game))

    with precision(128):
        return worst("`klcal.minimax.value` minus the guarantees", GAMES, drift, 1e-12)


@chapter.claim(
    "new:game-two-sides",
    "new",
    "a line below, a logarithm per point above",
    kind="exact",
    scope=cases(CASES + ", and the inner grid with K = 3 and T = 14"),
    controls={
        "1.01 times the line below": {"slope": Fraction(101, 100)},
        "1.14 times the line, two points alone": {"slope": Fraction(114, 100), "games": [("inner", 3, 14)]},
        "0.84 of the logarithms above": {"learned": Fraction(84, 100)},
    },
    steps=("outcomes as coins", "new:game-two-points", "new:laplace-in-buckets", "new:theorem-1-sharpened"),
    uses=("new:game-values",),
    rows=(31,),
)
def two_sides(
    slope: Fraction = Fraction(1), learned: Fraction = Fraction(1), games: list[Game] | None = None
) -> Evidence:
    r"""Let $\mathcal Z$ be a grid of $m$ points in $(0, 1)$ and $c = \max_\rho\min_{z\in\mathcal Z}\mathsf{KL}(\rho,
    z)$. For every $T \ge 1$ the value of the game lies between $Tc$ and $Tc + m\log(1 + \frac Tm)$; the forecaster of
    the dual game that plays the KL-nearest point lies between value and upper bound. On the inner grid $c =
    -2\log\cos\frac\pi{2K}$.

    On one point the value is T c itself, and a ball of radius 1e-37 is all that can be known.
    """
    chosen = games or [*GAMES, ("inner", 3, 14)]

    def line(game: Game) -> arb:
        kind, K, T = game
        return T * worst_divergence(GRIDS[kind](K))

    def above(game: Game) -> arb:
        kind, K, T = game
        m = len(GRIDS[kind](K))
        return dual_worst_case(kind, K, T) / (line(game) + ball(learned) * m * (1 + ball(T) / m).log())

    with precision(128):
        return jointly(
            worst(
                r"largest $Tc$ over the value of the game, minus 1, in balls",
                chosen,
                lambda game: ball(slope) * line(game) / value_enclosure(*game)[0] - 1,
                1e-12,
            ),
            worst(
                "largest value of the game over the dual worst case, minus 1, in balls",
                chosen,
                lambda game: value_enclosure(*game)[1] / dual_worst_case(*game) - 1,
                1e-12,
            ),
            worst(r"largest dual worst case over $Tc + m\log(1 + \frac Tm)$, in balls", chosen, above, 1),
        )


@chapter.evidence(
    "new:game-two-sides", kind="numeric", scope=cases(CASES), controls={"larger by 1e-9": {"shift": 1e-9}}
)
def float_dual_games(shift: float = 0.0) -> Evidence:
    """The package's worst cases of the dual game have these digits."""

    def drift(game: Game) -> arb:
        kind, K, T = game
        return abs(minimax.dual_worst_case(FLOATS[kind](K), T) + shift - dual_worst_case(*game))

    with precision(128):
        return worst("`klcal.minimax.dual_worst_case` minus its ball", GAMES, drift, 1e-12)
