r"""Claims on forecasters with finitely many forecasts: some coin costs them T / (2N - 1), and Algorithm 1 pays."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, product

from flint import arb

from klcal import adversaries, grids, measures
from klcal.claims._combinators import at_least, at_most, jointly, worst
from klcal.claims._evidence import Evidence, cases
from klcal.claims._ledger import Chapter
from klcal.exact.balls import precision
from klcal.exact.counterexamples import unlucky_coin
from klcal.exact.grids import full_grid
from klcal.exact.kinks import divergence_of, unlucky_coins
from klcal.games.play import run

chapter = Chapter("06_all_losses_at_once")

Points = tuple[Fraction, ...]
EIGHTHS = tuple(points for N in range(1, 5) for points in combinations([Fraction(k, 8) for k in range(9)], N))


def _dearest(points: Points) -> Fraction:
    """Return what a round costs at least with the worst coin for these forecasts."""
    return max(min(divergence_of(kinks, coin, z) for z in points) for coin, kinks in unlucky_coins(points))


@chapter.claim(
    "new:grid_lower_bound",
    "new",
    "a fixed set of forecasts costs T / (2N - 1)",
    kind="numeric",
    scope=cases("every fifth set of up to four forecasts k/8"),
    controls={"0.999 of the cost": {"factor": 0.999}},
    steps=("lem:characterization_proper_loss", "new:smooth_losses_suffice"),
)
def coin_of_the_package(factor: float = 1.0) -> Evidence:
    r"""For every set of $N$ forecasts there are a coin and a proper loss in $[-1, 1]$ with which every forecaster that
    uses this set has $\mathbb E[\mathsf{Reg}^\ell] \ge T/(2N-1)$, hence $\mathbb E[\mathsf{Msr}_{\mathcal L}]$,
    $\mathbb E[\mathsf{Msr}_{\mathcal L_2}]$ and the pseudo quantities too.

    `unlucky_coin` against the fractions.
    """
    return worst(
        "`unlucky_coin` against the fractions",
        EIGHTHS[::5],
        lambda points: abs(
            factor * unlucky_coin([float(z) for z in points]).per_round - float(_dearest(points))
        ),
        1e-15,
    )


@chapter.claim(
    "new:grid_lower_bound/sine",
    "new",
    "on the paper's grid it costs more than T/K",
    kind="exact",
    scope=cases("the prices are these, K = 3 to 200, in balls"),
    controls={"the closed form for K + 1": {"shift": 1}},
    steps=("new:grid_lower_bound",),
)
def closed_forms(shift: int = 0) -> Evidence:
    r"""On the full grid with $K \ge 3$ the coin beside $\frac12$ costs $\sin\frac\pi{2K}$ per round for odd $K$ and
    $\frac x{1+x}$, $x = \frac12\sin\frac\pi K$, for even $K$: in both cases more than $\frac1K$.
    """

    def distance(K: int) -> arb:
        low, high = full_grid(K)[K // 2 : K // 2 + 2]
        cost = (high - low) / (low + high).max(2 - low - high)
        x = (arb.pi() / (K + shift)).sin() / 2
        return abs(cost - ((arb.pi() / (2 * (K + shift))).sin() if K % 2 else x / (1 + x)))

    with precision(96):
        return worst("distance of the cost on the grid from its closed form", range(3, 201), distance, 1e-20)


@chapter.claim(
    "new:grid_lower_bound/algorithm",
    "new",
    "Algorithm 1 pays this, within 2% in the games played",
    kind="numeric",
    scope=cases("T = 100000 and 300000, both parities of K, one seed"),
    controls={"at most 0.99 of the cost": {"high": 0.99}, "at least 1.01 of the cost": {"low": 1.01}},
    uses=("new:grid_lower_bound/sine", "thm:bound_pkcal/explicit"),
)
def algorithm_pays(low: float = 0.98, high: float = 1.02, seed: int = 6) -> Evidence:
    r"""Against the coin of its own grid, at $T = 10^5$ and $3\cdot10^5$ and for both parities of $K$, pseudo swap and
    external regret of Algorithm 1 are within 2% of $T$ times the cost per round.
    """
    ratios = []
    for T, parity in product((100_000, 300_000), (0, 1)):
        K = grids.resolution(T) + parity
        coin = unlucky_coin(grids.full_grid(K))
        cells = run(adversaries.bernoulli(T, coin.probability, rng=seed), K, rng=seed).expected
        regrets = measures.swap_regret(cells, coin.loss), measures.external_regret(cells, coin.loss)
        ratios += [regret / (T * coin.per_round) for regret in regrets]
    return jointly(
        at_least(
            min(ratios),
            low,
            r"smallest $\mathsf{PSReg}$ or $\mathsf{PReg}$ over $T$ times the cost per round",
            seed=seed,
        ),
        at_most(max(ratios), high, "largest such ratio"),
    )
