"""What is measured in games of the tree: both of its errors beside what its cells promise, and its wealths."""

from __future__ import annotations

from typing import Any

import numpy as np

from klcal import bounds
from klcal._checks import FloatArray, IntArray
from klcal.experiments.game import Game
from klcal.experiments.table import Table
from klcal.forecasters.tree import FastTree, tree_levels
from klcal.games.play import _opponent, _pieces, _play
from klcal.measures import kl_calibration, max_swap_regret
from klcal.measures.cells import Cells


def measure_swap(game: Game) -> dict[str, Any]:
    """Play a game and return KL-calibration and the largest swap regret, with what the used cells promise.

    Parameters
    ----------
    game : Game
        A game of the tree, or of PAIR to compare it with.

    Returns
    -------
    dict
        Number of forecasts that were ``used``; KLCal and the largest swap regret over all proper losses in [-1, 1] of
        the draws (``kl``, ``msr``) and of the mixtures (``pkl``, ``pmsr``). ``cost`` is the bound by used cells, on
        E[KLCal] or, with expected feedback, on PKLCal.

    Examples
    --------
    >>> row = measure_swap(Game("tree", "fair coin", 1000))
    >>> row["used"] < 40, row["kl"] < row["cost"]
    (True, True)
    """
    run = game.play()
    drawn, mixed = run.realised.restricted(), run.expected.restricted()
    return {
        "used": len(drawn),
        "kl": kl_calibration(drawn),
        "pkl": kl_calibration(mixed),
        "msr": max_swap_regret(drawn),
        "pmsr": max_swap_regret(mixed),
        "cost": _cost_of_pair(game, run.realised)
        if game.algorithm == "pair"
        else bound_from_nodes(game.algorithm, mixed, drawn),
    }


def _cost_of_pair(game: Game, drawn: Cells) -> float:
    return float(bounds.pair_from_counts(drawn.mass.astype(int), game.row()["K"]))


def bound_from_nodes(algorithm: str, expected: Cells, realised: Cells, delta: float | None = None) -> float:
    """Return what the nodes that a tree has used promise: a bound on PKLCal for "tree-expected", else on KLCal.

    Parameters
    ----------
    algorithm : {"tree", "tree-plain", "tree-expected"}
        Which tree.
    expected, realised : Cells
        Cells of its mixtures, and of its drawn forecasts.
    delta : float, optional
        For the bound on KLCal; see `klcal.bounds.tree_from_counts`.

    Returns
    -------
    float

    Examples
    --------
    >>> root = Cells([0.5], [1.0], [1.0])
    >>> bound_from_nodes("tree", root, root) == bounds.tree_from_counts([1], [0])
    True
    """
    if algorithm == "tree-expected":
        mixed = expected.restricted()
        return float(bounds.tree_expected_from_masses(mixed.mass, tree_levels(mixed.points)))
    drawn = realised.restricted()
    return float(bounds.tree_from_counts(drawn.mass.astype(int), tree_levels(drawn.points), delta))


def measure_wealth(game: Game) -> dict[str, Any]:
    """Play a game of the tree and return how rich its nodes became.

    Parameters
    ----------
    game : Game
        A game of the tree.

    Returns
    -------
    dict
        ``largest``: the largest logarithm of a node's wealth, looked at after every 1024 rounds, when a node was
        full, and at the end; ``total``: the logarithm of the product of all wealths at the end; ``used``: how many
        nodes were forecast.

    Examples
    --------
    >>> measure_wealth(Game("tree", "zeros", 1))
    {'largest': 0.0, 'total': 0.0, 'used': 1}
    """
    tree, generator = FastTree(game.algorithm), game.streams()[0]
    adversary, outcomes = _opponent(game.opponent())
    largest = 0.0
    for start, stop in _pieces(np.append(np.arange(1024, game.T, 1024), game.T)):
        _play(tree, adversary, outcomes[start:stop], generator.random(stop - start))
        largest = max(largest, float(tree.everything().log_wealths.max()))
    used = int(np.count_nonzero(tree.realised.mass))
    return {"largest": largest, "total": tree.log_total_wealth(), "used": used}


def largest_means(table: Table, column: str) -> tuple[IntArray, FloatArray]:
    """Return the horizons of a table, and for each the largest mean over repetitions among the adversaries.

    Parameters
    ----------
    table : Table
        Rows of `measure_swap`, of one algorithm.
    column : str
        What to average.

    Returns
    -------
    T : ndarray of int64, shape (n,)
    largest : ndarray of float64, shape (n,)

    Examples
    --------
    >>> rows = {
    ...     "T": [10, 10, 10, 20],
    ...     "adversary": ["a", "a", "b", "a"],
    ...     "kl": [1.0, 3.0, 1.5, 4.0],
    ... }
    >>> largest_means(Table(rows), "kl")
    (array([10, 20]), array([2., 4.]))
    """
    groups = {T: part.groups("adversary").values() for T, part in table.groups("T").items()}
    largest = [max(float(np.mean(part[column])) for part in parts) for parts in groups.values()]
    return np.array(list(groups), dtype=np.int64), np.array(largest)
