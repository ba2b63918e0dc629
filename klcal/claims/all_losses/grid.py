r"""Claims on forecasters with finitely many forecasts: some coin costs them T / (2N - 1), and Algorithm 1 pays."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import partial
from itertools import combinations, pairwise, product

import numpy as np
from flint import arb

from klcal import adversaries, bounds, grids, measures
from klcal.claims._combinators import jointly
from klcal.claims._evidence import Evidence
from klcal.claims._legacy import Claim
from klcal.exact.kinks import CHAPTER, Kink, loss_of
from klcal.claims.grids._common import full_points
from klcal.exact.balls import ball, lower, precision
from klcal.exact.counterexamples import unlucky_coin
from klcal.games.play import run


def _divergence(kinks: Sequence[Kink], rho: Fraction, p: Fraction) -> Fraction:
    """Return what forecast p costs more than rho if the outcome is 1 with probability rho."""
    return sum(
        (chance * (loss_of(kinks, p, y) - loss_of(kinks, rho, y)) for y, chance in ((1, rho), (0, 1 - rho))),
        Fraction(0),
    )


def _coins(points: Sequence[Fraction]) -> list[tuple[Fraction, tuple[Kink, ...]]]:
    """Return every coin between neighbours or at an end, with a loss in [-1, 1] that has kinks at the neighbours."""
    found: list[tuple[Fraction, tuple[Kink, ...]]] = []
    for low, high in pairwise(points):
        mass = 2 / max(low + high, 2 - low - high)
        found.append(((low + high) / 2, (Kink(low, mass), Kink(high, mass, Fraction(1)))))
    for coin, end in ((Fraction(0), points[0]), (Fraction(1), points[-1])):
        found.append((coin, (Kink(end, 2 / max(end, 1 - end), 1 - coin),)))
    return found


def _outside(kinks: Sequence[Kink]) -> bool:
    """Tell whether the losses of an outcome extend over more than 2."""
    extents = (sum(k.mass * (k.place if y == 0 else 1 - k.place) for k in kinks) for y in (0, 1))
    return max(extents) > 2


def grid_lower_bound(constant: Fraction = Fraction(1), parts: int = 8, most: int = 4) -> Evidence:
    """Find the worst coin for every set of up to four forecasts k/8, in fractions.

    A gap b - a inside costs at least (b - a)/2 in every round, as max(a + b, 2 - a - b) <= 2, and an end gap e
    at least 2e, as max(e, 1 - e) <= 1. The N - 1 inner gaps and the two end gaps add up to 1. If all costs
    were below c = 1/(2N - 1), the sum would be below (N - 1) 2c + 2 (c/2) = 1.

    Parameters
    ----------
    constant : Fraction
        Factor on 1/(2N - 1).
    parts : int
        Forecasts are multiples of 1/parts.
    most : int
        Largest number of forecasts.
    """
    places = [Fraction(k, parts) for k in range(parts + 1)]
    smallest, wrong, drift, tried = [], 0, 0.0, 0
    for N in range(1, most + 1):
        for number, points in enumerate(combinations(places, N)):
            costs = [min(_divergence(kinks, coin, z) for z in points) for coin, kinks in _coins(points)]
            wrong += sum(_outside(kinks) for _, kinks in _coins(points))
            smallest.append(max(costs) * (2 * N - 1))
            tried += 1
            if number % 5 == 0:
                float_points = np.array([float(z) for z in points])
                drift = max(drift, abs(unlucky_coin(float_points).per_round - float(max(costs))))
    return jointly(
        Evidence(
            min(smallest),
            constant,
            ">=",
            "smallest (2N - 1) times the cost per round of the worst coin, in fractions",
            {"sets of forecasts": tried},
        ),
        Evidence(wrong, 0, "==", "all losses stay in [-1, 1]"),
        Evidence(drift, 1e-15, "<=", "klcal.exact.counterexamples.unlucky_coin against the fractions"),
    )


def exact_worst_game(factor: Fraction = Fraction(1), T: int = 3) -> Evidence:
    """Average external regret over all outcomes, for all sequences of forecasts out of three.

    Looking at past outcomes does not help against a coin without memory: the expected loss of a round is at least
    that of the cheapest forecast, whatever was seen, so sequences fixed in advance include the best forecasters.

    Parameters
    ----------
    factor : Fraction
        On the lower bound.
    T : int
        Rounds.
    """
    points = (Fraction(1, 10), Fraction(3, 5), Fraction(9, 10))
    coin, kinks = max(_coins(points), key=lambda each: min(_divergence(each[1], each[0], z) for z in points))
    per_round = min(_divergence(kinks, coin, z) for z in points)
    totals = []
    for plays in product(points, repeat=T):
        total = Fraction(0)
        for outcomes in product((0, 1), repeat=T):
            chance = Fraction(1)
            paid = {q: Fraction(0) for q in (*points, coin)}
            mine = Fraction(0)
            for p, y in zip(plays, outcomes, strict=True):
                chance *= coin if y == 1 else 1 - coin
                mine += loss_of(kinks, p, y)
                for q in paid:
                    paid[q] += loss_of(kinks, q, y)
            total += chance * (mine - min(paid.values()))
        totals.append(total)
    return Evidence(
        min(totals),
        factor * T * per_round,
        ">=",
        "smallest expected external regret over all outcomes and all fixed sequences of forecasts, in fractions",
        {"T": T, "coin": str(coin)},
    )


def _sine_cost(K: int) -> arb:
    """Return what the coin next to 1/2 costs per round on the full grid, from the gap and the masses."""
    low, high = full_points(K)[K // 2 : K // 2 + 2]
    return (high - low) / (low + high).max(2 - low - high)


def sine_grid(constant: Fraction = Fraction(1), largest: int = 200) -> Evidence:
    r"""Check K times the cost per round on the full grid against 1: K from 3 to 200 in balls, all K by concavity.

    For odd K the gap around 1/2 is sin(pi/2K) and costs as much; for even K the gap beside 1/2 is
    :math:`x = \frac12\sin\frac\pi K` and costs x/(1 + x). The sine lies above its chords from 0:
    :math:`\sin\frac{\pi}{2K} \ge \frac{3}{2K}` for :math:`K \ge 3`, and :math:`x \ge \sqrt2/K` for
    :math:`K \ge 4`, so that :math:`Kx/(1+x) \ge \sqrt2/(1 + \sqrt2/4) = 1.04`.

    Parameters
    ----------
    constant : Fraction
        In place of 1.
    largest : int
        Last K in balls.
    """
    with precision(96):
        found = min(lower(K * _sine_cost(K)) for K in range(3, largest + 1))
        root = arb(2).sqrt()
        for_even = lower(root / (1 + root / 4))
        formula = max(
            float(abs(_sine_cost(K) - expected).upper())
            for K in (3, 7, 43)
            for expected in [(arb.pi() / (2 * K)).sin()]
        )
        formula = max(
            formula,
            *(
                float(abs(_sine_cost(K) - x / (1 + x)).upper())
                for K in (4, 8, 42)
                for x in [(arb.pi() / K).sin() / 2]
            ),
        )
    coins = [K * unlucky_coin(grids.full_grid(K)).per_round for K in range(3, 60)]
    return jointly(
        Evidence(
            found, constant, ">=", "smallest K times cost per round, in balls", {"K": f"3 to {largest}"}
        ),
        Evidence(min(for_even, 1.5), constant, ">=", "chords of the sine, all K >= 3"),
        Evidence(formula, 1e-20, "<=", "closed forms of the cost"),
        Evidence(min(coins), constant, ">=", "klcal.exact.counterexamples.unlucky_coin on the full grid"),
    )


def algorithm_pays(low: float = 0.98, high: float = 1.02, seed: int = 6) -> Evidence:
    """Play Algorithm 1 against the unlucky coin of its own grid, and compare pseudo regrets with T times its cost.

    Parameters
    ----------
    low, high : float
        Between which multiples swap and external regret of the loss must lie.
    seed : int
        Of outcomes and draws.
    """
    ratios, above = [], 0
    for T in (100_000, 300_000):
        for K in (grids.resolution(T), grids.resolution(T) + 1):
            coin = unlucky_coin(grids.full_grid(K))
            cells = run(adversaries.bernoulli(T, coin.probability, rng=seed), K, rng=seed).expected
            swap = measures.swap_regret(cells, coin.loss)
            external = measures.external_regret(cells, coin.loss)
            ratios += [swap / (T * coin.per_round), external / (T * coin.per_round)]
            above += not swap <= measures.max_swap_regret(cells) <= bounds.corollary_2(T, K)
    return jointly(
        Evidence(
            min(ratios), low, ">=", "smallest PSReg or PReg over T times the cost per round", {"seed": seed}
        ),
        Evidence(max(ratios), high, "<=", "largest such ratio"),
        Evidence(above, 0, "==", "PMsr between PSReg and Corollary 2"),
    )


def beats_the_print(log_power: int = 2, T: int = 10**24, constant: int = 10**6) -> Evidence:
    """Compare T/K, which the supremum over L_2 must be expected to reach, with C T^(1/3) (log T)^(2/3).

    Parameters
    ----------
    log_power : int
        Three times the power of the logarithm.
    T, constant : int
        Horizon and the C of the rate.
    """
    with precision(128):
        horizon = ball(T)
        # K <= (T/log T)^(1/3) + 1
        K = (horizon / horizon.log()).root(3) + 1
        rate = constant * horizon.root(3) * horizon.log() ** ball(Fraction(log_power, 3))
        ratio = lower(horizon / K / rate)
    return Evidence(
        ratio,
        1,
        ">",
        f"(T/K) / (C T^(1/3) (log T)^({log_power}/3)) in balls, with C = {constant}",
        {"T": f"{T:.0e}"},
        counterexample=(
            "outcomes from the coin halfway between two grid points beside 1/2, losses in L_2 that approach two"
            " kinks at these points: E[PMsr] >= T/K for every forecaster on the grid, of order"
            " T^(2/3) (log T)^(1/3)"
        ),
    )


CLAIMS: tuple[Claim, ...] = (
    Claim(
        label="new:grid_lower_bound",
        number="new",
        title="a fixed set of forecasts costs T / (2N - 1)",
        kind="exact",
        chapter=CHAPTER,
        statement=(
            "For every set of N forecasts there are a coin and a proper loss in [-1, 1] with which every forecaster"
            " that uses this set has E[Reg] >= T / (2N - 1), hence E[Msr] and E[PMsr] too, also over L_2."
        ),
        uses=("lem:characterization_proper_loss", "new:smooth_losses_suffice"),
        check=lambda: jointly(grid_lower_bound(), exact_worst_game()),
        spoil=(
            partial(grid_lower_bound, constant=Fraction(3, 2)),
            partial(exact_worst_game, factor=Fraction(5, 4)),
        ),
    ),
    Claim(
        label="new:grid_lower_bound/sine",
        number="new",
        title="on the paper's grid it costs more than T/K",
        kind="certified",
        chapter=CHAPTER,
        statement=(
            "On the full grid with K >= 3 the coin beside 1/2 costs sin(pi/2K) per round for odd K and x/(1+x),"
            " x = sin(pi/K)/2, for even K: at least 1/K."
        ),
        uses=("new:grid_lower_bound",),
        check=sine_grid,
        spoil=(partial(sine_grid, constant=Fraction(21, 20)),),
    ),
    Claim(
        label="new:grid_lower_bound/algorithm",
        number="new",
        title="Algorithm 1 pays exactly this",
        kind="numeric",
        chapter=CHAPTER,
        statement=(
            "Against the coin of its own grid, at T = 100000 and 300000 and for both parities of K, pseudo swap and"
            " external regret of Algorithm 1 are within 2% of T times the cost per round."
        ),
        uses=("new:grid_lower_bound/sine", "thm:bound_pkcal/explicit"),
        check=algorithm_pays,
        spoil=(partial(algorithm_pays, high=0.99), partial(algorithm_pays, low=1.01)),
    ),
)
