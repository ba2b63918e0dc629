"""``python -m klcal run FILE.csv``: forecast the outcomes of a file, and hold the result against its bound."""

from __future__ import annotations

import argparse
import io
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
import numpy.typing as npt

from klcal import _checks, bounds
from klcal._checks import FloatArray
from klcal._cli.files import PICTURES, aligned, check_target, columns, outcome, write_text
from klcal._cli.measuring import save
from klcal.experiments.measuring import bound_from_nodes
from klcal.forecasters.stream import EVERY_ALGORITHM
from klcal.forecasters.tree import TREES
from klcal.games import DoublingRun, Run, run, run_doubling
from klcal.grids import resolution
from klcal.measures import consistency_band, kl_calibration, total_loss

# What each algorithm on a grid promises: for which quantity, and how large.
PROMISES: dict[str, tuple[str, Callable[[int, int], object]]] = {
    "paper": ("bound on pseudo KL-calibration (Theorem 2)", bounds.theorem_2),
    "realised": ("bound on the mean KL-calibration of the draws", bounds.realised_in_expectation),
    "pair": ("bound on the mean KL-calibration of the draws", bounds.pair),
    "pair-expected": ("bound on pseudo KL-calibration", bounds.pair_expected),
}

# Algorithm 1 with the doubling trick: epochs of 1, 2, 4, ... rounds, each on a grid of its own.
DOUBLING = "doubling"

# How often the promise of the tree may fail.
_RISK = 0.05


def add_options(parser: argparse.ArgumentParser) -> None:
    """Tell the parser what this command understands."""
    parser.add_argument("file", metavar="FILE.csv", type=Path, help="column: outcome")
    parser.add_argument("--outcome", metavar="NAME", default="outcome", help="name of the column of outcomes")
    parser.add_argument("--cells", metavar="K", type=int, help="number of cells of the grid")
    parser.add_argument(
        "--algorithm",
        metavar="NAME",
        help=f"one of {', '.join(EVERY_ALGORITHM)}, {DOUBLING}; tree by default, paper with --cells",
    )
    parser.add_argument("--seed", metavar="N", type=int, default=0, help="seed of the draws, 0 by default")
    parser.add_argument(
        "--forecasts", metavar="FILE", type=Path, help="write the drawn forecasts to FILE, a CSV file"
    )
    parser.add_argument("--plot", metavar="FILE", type=Path, help="draw a reliability diagram into FILE")
    parser.add_argument("--json", metavar="FILE", type=Path, help="also write the numbers to FILE")
    parser.set_defaults(command=_run)


def _run(options: argparse.Namespace) -> int:
    check_target("--plot", options.plot, PICTURES, options.file)
    check_target("--json", options.json, read=options.file)
    check_target("--forecasts", options.forecasts, (".csv",), options.file)
    if options.algorithm is None:
        options.algorithm = "tree" if options.cells is None else "paper"
    _checks.choice("--algorithm", options.algorithm, (*EVERY_ALGORITHM, DOUBLING))
    _checks.integer("--seed", options.seed, least=0)
    if options.cells is not None:
        _checks.integer("--cells", options.cells, least=2)
        if options.algorithm in (*TREES, DOUBLING):
            raise ValueError(
                f"--cells must be left out with {options.algorithm!r}, which makes its own; got {options.cells}"
            )
    (outcomes,) = columns(options.file, {options.outcome: outcome})
    game = _game(outcomes, options)
    cells, promise = _promises(game, options)
    numbers: dict[str, int | float] = {
        "rounds": len(outcomes),
        "rounds with outcome 1": int(np.sum(outcomes)),
        **cells,
        "log loss per round, mean over the draws": total_loss(game.expected) / len(outcomes),
        "pseudo KL-calibration": kl_calibration(game.expected),
        "KL-calibration of the draws": kl_calibration(game.realised),
        **promise,
    }
    save(game.realised, numbers, options, partial(consistency_band, game.realised))
    if options.forecasts:
        write_text(options.forecasts, _csv(game.forecasts, outcomes))
    sys.stdout.write(aligned(numbers) + "\n")
    return 0


def _game(outcomes: npt.ArrayLike, options: argparse.Namespace) -> Run | DoublingRun:
    record = "draws" if options.forecasts else False
    if options.algorithm == DOUBLING:
        return run_doubling(outcomes, rng=options.seed, record=record)
    return run(outcomes, options.cells, options.algorithm, rng=options.seed, record=record)


def _promises(
    game: Run | DoublingRun, options: argparse.Namespace
) -> tuple[dict[str, int], dict[str, float]]:
    """Return the number of cells and what the algorithm promises, each under its name."""
    used = {"cells used": int((game.realised.mass > 0.0).sum())}
    if isinstance(game, DoublingRun):
        T = int(game.realised.total)
        return used, {"bound on pseudo KL-calibration (doubling)": float(bounds.doubling_trick(T))}
    if game.algorithm in TREES:
        return used, _promise_of_tree(game)
    K = resolution(game.horizon) if options.cells is None else options.cells
    name, bound = PROMISES[game.algorithm]
    return {"cells K": K}, {name: float(bound(game.horizon, K))}  # type: ignore[arg-type]


def _promise_of_tree(game: Run) -> dict[str, float]:
    """Return what the cells in use promise."""
    bound = bound_from_nodes(game.algorithm, game.expected, game.realised, _RISK)
    if game.algorithm == "tree-expected":
        return {"bound on pseudo KL-calibration": bound}
    return {f"bound on KL-calibration of the draws, {1 - _RISK:.0%} sure": bound}


def _csv(forecasts: FloatArray, outcomes: npt.ArrayLike) -> str:
    """Return the drawn forecasts beside their outcomes; all digits, so that they can be read back exactly."""
    stream = io.StringIO()
    stream.write("forecast,outcome\n")
    pairs = zip(forecasts.tolist(), np.asarray(outcomes).tolist(), strict=True)
    stream.writelines(f"{p!r},{int(y)}\n" for p, y in pairs)
    return stream.getvalue()
