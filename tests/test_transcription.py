"""The definitions of the Coq sources, run as they stand in floating point, against the package.

A proof is about its definitions, and these can be wrong. So their own text is executed (`gallina`) and plays the same
games as the package.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path

import gallina
import numpy as np
import pytest
import sign_boards
from oracles import by

import klcal
from klcal.forecasters import pair
from klcal.forecasters.algorithm_1 import stationary
from klcal.forecasters.tree import FastTree, TreeNode, tree_levels, tree_node
from klcal.grids import log_rounding

PROOFS = Path(__file__).resolve().parents[1] / "proofs"
FILES = ("Definitions.v", "Bounds.v", "LossDefinitions.v", "TreeDefinitions.v")
# Definitions that stand beside the theorems that speak of them; a name in brackets is a variable of their section.
BESIDE = {
    "Theorem3.v": "realised_Cal2 mass_along ones_along pseudo_Cal2",
    "Theorem2Adaptive.v": "pseudo_KLCal_along",
    "Histories.v": "outcome_of",
    "Corollary3.v": "algorithm1_draws",
    "TheoremA.v": "cost_of_bucket cost_of_buckets pair_bound[K] pair_bound_explicit[K]",
    "Doubling.v": "bound_of_epoch",
    "GridLowerBound.v": "regret_against ones external_regret",
    "Pinsker.v": "chi2",
    "Murphy.v": "entropy mean_outcome total_loss",
    "Lemma6.v": "sine_point",
    "Corollary2.v": "slow_rate",
    "HalfCounts.v": "half_counts",
    "LogOdds.v": "log_odds log_odds_round balance largest radius log_odds_mixture log_odds_received log_odds_algorithm "
    "log_odds_draws log_odds_bound",
    "Laplace.v": "rows_mean laplace_number bins_loss bins_divergence",
    "Borders.v": "border_bin score_loss bin_mass bin_rate fitted_loss fitted_divergence grid_divergence",
    "SignGame.v": "survives write number pluses minuses",
}


def beside(name: str, wanted: str) -> str:
    """Return the sentences of a file that define the wanted names, in their order."""
    source = gallina.without_comments((PROOFS / name).read_text(encoding="utf-8"))
    found = []
    for each in wanted.split():
        defined, _, variable = each.rstrip("]").partition("[")
        (sentence,) = re.findall(rf"(?:Definition|Fixpoint) {defined}[ :].*?\.(?=\s)", source, re.DOTALL)
        found.append(sentence.replace(defined, f"{defined} ({variable} : nat)", 1) if variable else sentence)
    return "\n".join(found) + "\n"


SOURCE = {name: (PROOFS / name).read_text(encoding="utf-8") for name in FILES}
SOURCE |= {name: beside(name, wanted) for name, wanted in BESIDE.items()}
Defined = dict[str, gallina.Value]


@pytest.fixture(scope="module", name="d")
def defined() -> Defined:
    return gallina.definitions(*SOURCE.values())


@pytest.fixture(autouse=True)
def deep():
    """Recursion over rounds goes as deep as there are rounds."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(20_000)
    yield
    sys.setrecursionlimit(before)


def close(found: object, expected: object) -> None:
    np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-12)


def sequences(count: int = 3, T: int = 16) -> Iterator[tuple[bool, ...]]:
    rng = np.random.default_rng(20250216)
    yield (True,) * T
    yield tuple(t % 3 == 0 for t in range(T))
    for chance in np.linspace(0.2, 0.7, count):
        yield tuple(bool(y) for y in rng.random(T) < chance)


# --- one comparison for each group of definitions ---------------------------------------------------------


def test_divergences(d: Defined) -> None:
    for r, q in ((0.0, 0.3), (0.25, 0.5), (1.0, 0.9), (0.7, 0.7)):
        close(d["KL"](r, q), klcal.LOSSES["log"].divergence(r, q))
    for p, y in ((0.25, True), (0.25, False)):
        close(d["loss"](p, y), klcal.LOSSES["log"](p, int(y)))


def test_grids(d: Defined) -> None:
    for K in (2, 3, 5, 8):
        close([d["grid"](K, i) for i in range(K + 1)], klcal.full_grid(K).points)
        close([d["inner_grid"](K, i) for i in range(K - 1)], klcal.inner_grid(K).points)
        widest = np.diff(np.arcsin(np.sqrt(klcal.full_grid(K).points))).max()
        close(d["step"](K), widest)


def test_rounding(d: Defined) -> None:
    for K in (2, 3, 6):
        grid = klcal.full_grid(K)
        for w in (0.0, 0.01, *np.linspace(0.05, 0.95, 13), *grid.points[1:-1], 0.999, 1.0):
            close([d["rround"](K, float(w))(i) for i in range(K + 1)], log_rounding(w, grid))


def test_stationary_mixtures(d: Defined) -> None:
    rng = np.random.default_rng(7)
    for rows in (
        [[0.5, 0.5], [0, 1]],
        [[0, 1, 0], [0.5, 0, 0.5], [0, 0, 1]],
        [[0, 1, 0], [1, 0, 0], [0.2, 0.3, 0.5]],
    ):
        given = gallina.native(lambda i, j, rows=rows: float(rows[i][j]), 2)
        close([d["stationary"](len(rows) - 1, given, i) for i in range(len(rows))], stationary(rows))
    for n in (1, 2, 4):
        for closed in (False, True):
            Q = rng.dirichlet(np.ones(n + 1), size=n + 1)
            if closed:  # the last state is a class of its own, and so is the first
                Q[n], Q[0] = np.eye(n + 1)[n], np.eye(n + 1)[0]
            moves = gallina.native(lambda i, j, Q=Q: float(Q[i, j]), 2)
            found = [d["stationary"](n, moves, i) for i in range(n + 1)]
            close(found, stationary(Q))


def test_algorithm_1(d: Defined) -> None:
    for K in (2, 3, 5):
        for y in sequences():
            run = klcal.run(np.array(y), K=K, algorithm=by("paper", "reference"), record=True, rng=0)
            play = d["algorithm1"](K, y.__getitem__)
            close([[play(t)(i) for i in range(K + 1)] for t in range(len(y))], run.mixtures)
            close(d["PKLCal"](K, play, y.__getitem__, len(y)), klcal.kl_calibration(run.expected))


def test_half_counts_and_log_odds(d: Defined) -> None:
    for points in (klcal.full_grid(3).points, np.array([0.1, 0.35, 0.8]), np.array([0.3])):
        grid, n = klcal.Grid(points), len(points)
        z = gallina.native(lambda i, points=points: float(points[i]), 1)
        for w in (0.01, 0.2, 0.5, *points, 0.97):
            close([d["log_odds_round"](n, z, w, j) for j in range(n)], klcal.log_odds_rounding(w, grid))
        close(
            [d["radius"](n, z), d["log_odds_bound"](n, z, 50)],
            [grid.radius(), klcal.bounds.half_counts(50, grid)],
        )
        for seed, y in enumerate(sequences()):
            run = klcal.run(np.array(y), algorithm=by("half-counts", "reference"), grid=grid, record=True)
            play = d["log_odds_algorithm"](n, z, y.__getitem__)
            close([[play(t)(i) for i in range(n)] for t in range(len(y))], run.mixtures)
            own = klcal.BlumMansour(grid, "realised", rounding=klcal.log_odds_rounding, prior=0.5)
            run = klcal.run(np.array(y), algorithm=own, record=True, rng=seed)
            weight, history = d["weight"](d["log_odds_draws"](n, z)), histories(run, y)
            T = len(y)
            close([[weight(history[T - t :])(i) for i in range(n)] for t in range(T)], run.mixtures)


def histories(run: klcal.Run, y: tuple[bool, ...]) -> tuple[tuple[int, bool], ...]:
    """The drawn indices and outcomes, latest first."""
    return tuple(zip(map(int, run.draws), y, strict=True))[::-1]


def drawn_games(algorithm: str) -> Iterator[tuple[klcal.Run, tuple[tuple[int, bool], ...], int]]:
    for K in (2, 3, 5):
        for seed, y in enumerate(sequences()):
            run = klcal.run(np.array(y), K=K, algorithm=by(algorithm, "reference"), record=True, rng=seed)
            yield run, histories(run, y), K


def test_realised_feedback(d: Defined) -> None:
    for run, history, K in drawn_games("realised"):
        weight = d["weight"](d["realised"](K))
        T, n = len(history), K + 1
        close([[weight(history[T - t :])(i) for i in range(n)] for t in range(T)], run.mixtures)
        close(d["KLCal"](n, d["grid"](K), history), klcal.kl_calibration(run.realised))
        close(d["choices"](d["realised"](K), history), n)


def test_pair_games(d: Defined) -> None:
    for run, history, K in drawn_games("pair"):
        T, n = len(history), K - 1
        close([d["boundary"](K, i) for i in range(n + 1)], pair.pair_boundaries(K))
        mixtures = [[d["pair_mixture"](K, history[T - t :])(i) for i in range(n)] for t in range(T)]
        close(mixtures, run.mixtures)
        close(d["KLCal"](n, d["inner_grid"](K), history), klcal.kl_calibration(run.realised))
        close(d["choices"](d["PAIR"](K), history), n)


def test_pair_with_expected_feedback(d: Defined) -> None:
    for K in (2, 3, 5):
        for y in sequences():
            run = klcal.run(np.array(y), K=K, algorithm=by("pair-expected", "reference"), record=True, rng=0)
            play = d["pair_expected"](K, y.__getitem__)
            close([[play(t)(i) for i in range(K - 1)] for t in range(len(y))], run.mixtures)
            pseudo = d["pseudo_KLCal"](K - 1, d["inner_grid"](K), play, y.__getitem__, len(y))
            close(pseudo, klcal.kl_calibration(run.expected))


def test_doubling_trick(d: Defined) -> None:
    T = 34  # the last epoch, from round 31 on, has three cells
    horizons = (1, 2, 3, 10, 26, 100, 1000)
    close([d["resolution"](t) for t in horizons], [klcal.resolution(t) for t in horizons])
    close(d["rate"](1000.0), 1000 ** (1 / 3) * np.log(1000) ** (2 / 3))
    for y in sequences(count=1, T=T):
        points: list[float] = []
        for K in map(d["cells_of_epoch"], range(6)):
            new = (d["grid"](K, i) for i in range(K + 1))
            points += [z for z in new if all(abs(z - x) > 1e-12 for x in points)]
        error = d["PKLCal_of_values"](tuple(points), d["doubling"](y.__getitem__), y.__getitem__, T)
        close(error, klcal.kl_calibration(klcal.run_doubling(np.array(y), rng=0).expected))


def heap_number(node: TreeNode) -> int:
    return int(2**node.level + node.position)


def test_tree_games(d: Defined) -> None:
    """Nodes, mixtures, wealths and bounds; short games for the sum over all nodes that could have been used."""
    for level, j in ((0, 0), (1, 1), (3, 2), (6, 63)):
        node = tree_node(level, j)
        i = heap_number(node)
        close([d["lower"](i), d["upper"](i), d["midpoint"](i)], [node.lower, node.upper, node.point])
        close([d["capacity"](level), d["prior"](i)], [node.capacity, np.exp(node.log_prior)])
    for seed, y in enumerate(sequences(T=24)):
        tree, rng, history = FastTree("tree"), np.random.default_rng(seed), ()
        for outcome in y:
            nodes = [heap_number(node) for node in tree.nodes()]
            assert d["active"](history) == tuple(nodes)
            close([d["tree_mixture"](history)(i) for i in nodes], tree.mixture())
            close([d["wealth"](history, i) for i in nodes], np.exp(tree.log_wealths()))
            close(d["total_wealth"](history), np.exp(tree.log_total_wealth()))
            if len(history) <= 7:
                cells = tree.realised.restricted()
                close(d["tree_KLCal"](history), klcal.kl_calibration(cells))
                costs = klcal.bounds.tree_from_counts(cells.mass.astype(int), tree_levels(cells.points))
                close(d["cost_of_used"](history), costs - 2 * np.log(2))
            index = tree.draw(rng.random())
            tree.update(index, int(outcome))
            history = ((nodes[index], outcome), *history)


def test_expectations(d: Defined) -> None:
    """E[KLCal] of PAIR against the worst adversary, found by asking `expect` for each of its moves."""
    forecaster = d["PAIR"](3)

    def worst(history: tuple[tuple[int, bool], ...], left: int) -> float:
        if left == 0:
            return float(d["KLCal"](2, d["inner_grid"](3), history))
        moves = [lambda h: 0.0, lambda h: 1.0]
        return max(d["expect"](forecaster, move, 1, lambda h: worst(h, left - 1), history) for move in moves)

    def chance(T: int, event: Callable[..., bool]) -> float:
        return float(d["probability"](forecaster, lambda h: 0.25, T, event))

    for T in (1, 2, 3, 4):
        close(worst((), T), klcal.book.minimax.worst_case(3, T, algorithm="pair"))
        close(chance(T, lambda h: h[0][1]), 0.25)
        close(chance(T, d["ever"](lambda h: bool(h) and h[0][1])), 1 - 0.75**T)
        close(chance(T, d["always"](lambda h: not h or not h[0][1])), 0.75**T)
        close(chance(T, d["ever"](lambda h: not h)), 1)
        close(chance(T, d["always"](lambda h: bool(h))), 0)


def cells_of(z: list[float], index: list[int], y: tuple[bool, ...]) -> klcal.Cells:
    return klcal.Cells.from_forecasts([z[i] for i in index], np.array(y, dtype=int))


def test_calibration_and_swap_regret(d: Defined) -> None:
    z, squared, index = [0.1, 0.4, 0.75], klcal.LOSSES["squared"], [t * t % 3 for t in range(9)]
    for y in sequences(T=9):
        cells = cells_of(z, index, y)
        game = (3, z.__getitem__, d["drawn"](index.__getitem__), y.__getitem__, 9)
        close(d["Cal1"](*game), klcal.calibration_error(cells, order=1))
        close(d["Cal2"](*game), klcal.calibration_error(cells, order=2))
        close(d["pseudo_KLCal"](*game), klcal.kl_calibration(cells))
        drawn = d["rounds"](index.__getitem__, y.__getitem__, 9)
        close(d["KLCal"](3, z.__getitem__, drawn), klcal.kl_calibration(cells))
        swap = dict.fromkeys(z, 0.0)
        swap.update({p: k / n for p, n, k in zip(cells.points, cells.mass, cells.ones, strict=True)})
        loss, rounds = d["squared_loss"], (index.__getitem__, y.__getitem__, 9)
        best = d["swap_regret_of"](loss, z.__getitem__, *rounds, swap.__getitem__)
        close(best, klcal.swap_regret(cells, squared))
        close(d["pseudo_swap_regret_of"](loss, *game, swap.__getitem__), best)
        for r, p in ((0.0, 0.3), (0.9, 0.2)):
            close(d["BREG"](loss, r, p), squared.divergence(r, p))
        for u in (0.05, 0.4, 0.5):
            kinks = [klcal.swap_regret(cells, klcal.v_shaped(u, tie=tie)) for tie in (-1.0, 1.0)]
            close(d["profile"](*game, u), max(kinks) * max(u, 1 - u) / 2)


def test_measures_along_a_game(d: Defined) -> None:
    """What the theorems about draws add: masses and counts along one history, external regret, Murphy's terms."""
    for run, history, K in drawn_games("realised"):
        n, z, F = K + 1, d["grid"](K), d["realised"](K)
        close([d["mass_along"](F, history, i) for i in range(n)], run.mixtures.sum(axis=0))
        close(d["pseudo_KLCal_along"](F, n, z, history), klcal.kl_calibration(run.expected))
        close(d["pseudo_Cal2"](F, n, z, history), klcal.calibration_error(run.expected))
        close(d["realised_Cal2"](n, z, history), klcal.calibration_error(run.realised))
        regret = d["external_regret"](d["squared_loss"], z, history)
        close(regret, klcal.external_regret(run.realised, klcal.LOSSES["squared"]))
        y, index = [b for _, b in history], [i for i, _ in history]
        drawn = d["drawn"](index.__getitem__)
        total = d["total_loss"](d["squared_loss"], n, z, drawn, y.__getitem__, len(y))
        close(total, sum((run.grid.points[i] - b) ** 2 for i, b in history))
        close(d["mean_outcome"](y.__getitem__, len(y)), np.mean(y))
    for K in (2, 3):
        for y in sequences(T=8):
            run = klcal.run(np.array(y), K=K, algorithm=by("paper", "reference"), record=True, rng=0)
            weight, history = d["weight"](d["algorithm1_draws"](K)), histories(run, y)
            rounds = range(len(y))
            close([[weight(history[len(y) - t :])(i) for i in range(K + 1)] for t in rounds], run.mixtures)


def test_right_hand_sides(d: Defined) -> None:
    for r, p in ((0.25, 0.5), (1.0, 0.9), (0.0, 0.125)):
        close(d["chi2"](r, p), (r - p) ** 2 / p + (r - p) ** 2 / (1 - p))
        close(d["entropy"](p), klcal.LOSSES["log"].entropy(p))
    for run, history, K in drawn_games("pair"):
        counts = np.bincount(run.draws, minlength=K - 1)
        close(d["pair_bound"](K, history), klcal.bounds.pair_from_counts(counts, K))
        close(d["pair_bound_explicit"](K, len(history)), klcal.bounds.pair(len(history), K))
    for K in (2, 3, 7):
        close([d["sine_point"](K, i) for i in range(1, K)], klcal.inner_grid(K).points)
    for T in (3, 1000):
        close(d["slow_rate"](float(T)), T ** (2 / 3) * np.log(T) ** (1 / 3))
    for K, T in ((2, 9), (7, 64)):
        close(d["theorem2_bound"](K, T), klcal.bounds.theorem_2(T, K))
        close(d["theorem2_sharp_bound"](K, T), klcal.bounds.theorem_2(T, K, version="best"))
        close(d["known_masses_cost"](K, 0.05), klcal.bounds.theorem_3(0, K, 0.05))
        close(d["any_masses_cost"](K, 3, 0.05), klcal.bounds.theorem_3(0, K, 0.05, T=64, version="repaired"))
        close(d["tree_bound"](T, 0.05), klcal.bounds.tree(T, 0.05))
        close(90 * d["swap_rate"](float(T), 0.05), klcal.bounds.tree_swap(T, 0.05))
    for r in range(7):
        K = klcal.resolution(2**r)
        close(d["bound_of_epoch"](r, 2**r), klcal.bounds.theorem_2(2**r, K, version="best"))


def test_sign_games(d: Defined) -> None:
    rng, point = np.random.default_rng(5), sign_boards.page()["point"]
    for _ in range(20):
        row, signs = "." * 9, ()
        for cell in map(int, rng.permutation(9)):
            plus = bool(rng.integers(2))
            row, signs = point(row, cell, "+-"[not plus]), d["write"](cell, plus, signs)
            shown = {i: sign == "+" for i, sign in enumerate(row) if sign in "+-"}
            assert dict(signs) == shown and len(signs) == len(shown)
            assert (d["pluses"](signs), d["minuses"](signs)) == (row.count("+"), row.count("-"))


def test_random_borders(d: Defined) -> None:
    """Bins between borders of one U, and Laplace's numbers in them, over all samples of up to three rows."""
    rng = np.random.default_rng(3)
    kl, log = klcal.LOSSES["log"].divergence, klcal.LOSSES["log"]

    class Same(np.random.Generator):
        def random(self, size):
            return np.full(size, U)

    for n in (0, 1, 2, 3):
        z, p, eta = np.sort(rng.random(3)), rng.random(3), rng.random(3)
        mass, U = rng.dirichlet(np.ones(3)), float(rng.random())
        Z, P, E, M = (gallina.native(lambda i, v=v: float(v[i]), 1) for v in (z, p, eta, mass))
        own = np.searchsorted(klcal.grids.random_borders(z, Same(np.random.PCG64())), p, side="right")
        assert [d["border_bin"](3, Z, U, float(w)) for w in p] == own.tolist()
        share, ones = np.bincount(own, mass, 3), np.bincount(own, mass * eta, 3)
        rate = ones / np.where(share > 0, share, 1)
        lost = diverged = 0.0
        for rows in product(product(range(3), (0, 1)), repeat=n):
            chance = np.prod([share[i] * (rate[i] if y else 1 - rate[i]) for i, y in rows])
            k, size = np.zeros(3), np.zeros(3)
            for i, y in rows:
                k[i], size[i] = k[i] + y, size[i] + 1
            w = (k + 1) / (size + 2)
            diverged += chance * (share @ kl(rate, w))
            lost += chance * (ones @ log(w, 1) + (share - ones) @ log(w, 0))
        bins = gallina.native(lambda x, own=own: int(own[x]), 1)
        close(d["fitted_divergence"](3, 3, M, E, n, bins), diverged)
        close(d["fitted_loss"](3, 3, M, E, n, bins), lost)
        close(d["grid_divergence"](3, 3, Z, M, E, bins), share @ kl(rate, z))
        close(d["score_loss"](3, M, E, P), mass @ (eta * log(p, 1) + (1 - eta) * log(p, 0)))
