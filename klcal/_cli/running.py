"""``klcal run FILE.csv``: forecast the outcomes of a file, and hold the result against its bound."""

from __future__ import annotations

import argparse
import io
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import numpy.typing as npt

from klcal import _checks, bounds
from klcal._checks import FloatArray
from klcal._cli.files import PICTURES, add_file, check_target, columns, listed, outcome, write_text
from klcal._cli.measuring import add_outputs, save
from klcal.forecasters.tree import tree_levels
from klcal.games import Run, run
from klcal.grids import resolution
from klcal.measures import kl_calibration, measure, total_loss

# What each algorithm on a grid promises: for which quantity, and how large.
PROMISES: dict[str, tuple[str, Callable[[int, int], object]]] = {
    "paper": ("bound on pseudo KL-calibration (Theorem 2)", bounds.theorem_2),
    "realised": ("bound on the mean KL-calibration of the draws", bounds.realised_in_expectation),
    "pair": ("bound on the mean KL-calibration of the draws", bounds.pair),
}

# How often the promise of the tree may fail.
_RISK = 0.05
# Algorithms on a grid keep squares of this number.
_MOST_CELLS = 10_000


def add_options(parser: argparse.ArgumentParser) -> None:
    """Tell the parser what this command understands."""
    add_file(parser, "column: outcome")
    parser.add_argument("--cells", metavar="K", type=int, help="number of cells of the grid")
    parser.add_argument(
        "--algorithm", metavar="NAME", help="tree (the default), paper (with --cells), realised or pair"
    )
    parser.add_argument("--seed", metavar="N", type=int, default=0, help="seed of the draws, 0 by default")
    parser.add_argument(
        "--forecasts", metavar="FILE", type=Path, help="write the drawn forecasts to FILE, a CSV file"
    )
    add_outputs(parser)
    parser.set_defaults(command=_run)


def _run(options: argparse.Namespace) -> int:
    check_target("--plot", options.plot, PICTURES, options.file)
    check_target("--json", options.json, read=options.file)
    check_target("--forecasts", options.forecasts, (".csv",), options.file)
    if options.algorithm is None:
        options.algorithm = "tree" if options.cells is None else "paper"
    _checks.choice("--algorithm", options.algorithm, ("tree", *PROMISES))
    _checks.integer("--seed", options.seed, least=0)
    if options.cells is not None:
        _checks.integer("--cells", options.cells, least=2)
        if options.cells > _MOST_CELLS:
            raise ValueError(f"--cells must be at most {_MOST_CELLS}; got {options.cells}")
        if options.algorithm == "tree":
            raise ValueError(
                f"--cells must be left out with 'tree', which makes its own; got {options.cells}"
            )
    (outcomes,) = columns(options.file, {options.outcome: outcome}, options.sep)
    game = run(outcomes, options.cells, options.algorithm, rng=options.seed)
    cells, promise = _promises(game, options.cells)
    numbers: dict[str, int | float] = {
        "rounds": len(outcomes),
        "rounds with outcome 1": int(np.sum(outcomes)),
        **cells,
        "log loss per round, mean over the draws": total_loss(game.expected) / len(outcomes),
        "pseudo KL-calibration": kl_calibration(game.expected),
        "KL-calibration of the draws": kl_calibration(game.realised),
        **promise,
    }
    save(numbers, options, lambda: measure(game.forecasts, outcomes, bins=None).plot())
    if options.forecasts:
        write_text(options.forecasts, _csv(game.forecasts, outcomes))
    sys.stdout.write(listed(numbers) + "\n")
    return 0


def _promises(game: Run, K: int | None) -> tuple[dict[str, int], dict[str, float]]:
    """Return the number of cells and what the algorithm promises, each under its name."""
    if game.algorithm == "tree":
        used = game.realised.restricted()
        bound = bounds.tree_from_counts(used.mass.astype(int), tree_levels(used.points), _RISK)
        name = f"bound on KL-calibration of the draws, {1 - _RISK:.0%} sure"
        return {"cells used": len(used)}, {name: float(bound)}
    number = resolution(game.horizon) if K is None else K
    name, promised = PROMISES[game.algorithm]
    return {"cells K": number}, {name: float(promised(game.horizon, number))}  # type: ignore[arg-type]


def _csv(forecasts: FloatArray, outcomes: npt.ArrayLike) -> str:
    """Return the drawn forecasts beside their outcomes; all digits, so that they can be read back exactly."""
    stream = io.StringIO()
    stream.write("forecast,outcome\n")
    pairs = zip(forecasts.tolist(), np.asarray(outcomes).tolist(), strict=True)
    stream.writelines(f"{p!r},{int(y)}\n" for p, y in pairs)
    return stream.getvalue()
