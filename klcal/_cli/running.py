"""``python -m klcal run FILE.csv``: forecast the outcomes of a file, and hold the result against its bound."""

from __future__ import annotations

import argparse
import io
import sys
from collections.abc import Callable
from pathlib import Path

from klcal import _checks, bounds
from klcal._cli.files import PICTURES, check_target, columns, outcome, write_text
from klcal._cli.measuring import save
from klcal.experiments._csv import aligned, cell
from klcal.experiments.recalibration import total_loss
from klcal.forecasters.reduction import EVERY_ALGORITHM
from klcal.forecasters.tree import TREES, tree_levels
from klcal.games import play
from klcal.grids import resolution
from klcal.measures import kl_calibration

# What each algorithm on a grid promises: for which quantity, and how large.
PROMISES: dict[str, tuple[str, Callable[[int, int], object]]] = {
    "paper": ("bound on pseudo KL-calibration (Theorem 2)", bounds.theorem_2),
    "realised": ("bound on the mean KL-calibration of the draws", bounds.realised_in_expectation),
    "pair": ("bound on the mean KL-calibration of the draws", bounds.pair),
    "pair-expected": ("bound on pseudo KL-calibration", bounds.pair_expected),
}

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
        default="paper",
        help=f"one of {', '.join(EVERY_ALGORITHM)}; paper by default",
    )
    parser.add_argument("--seed", metavar="N", type=int, default=0, help="seed of the draws, 0 by default")
    parser.add_argument(
        "--forecasts", metavar="FILE", type=Path, help="write the drawn forecasts to FILE, a CSV file"
    )
    parser.add_argument("--plot", metavar="FILE", type=Path, help="draw a reliability diagram into FILE")
    parser.add_argument("--json", metavar="FILE", type=Path, help="also write the numbers to FILE")
    parser.set_defaults(command=_run)


def _run(options: argparse.Namespace) -> int:
    check_target("--plot", options.plot, PICTURES)
    check_target("--json", options.json)
    check_target("--forecasts", options.forecasts, (".csv",))
    if options.forecasts is not None and options.forecasts.resolve() == options.file.resolve():
        raise ValueError(f"--forecasts must not be the file that is read; got {str(options.forecasts)!r}")
    _checks.choice("--algorithm", options.algorithm, EVERY_ALGORITHM)
    _checks.integer("--seed", options.seed, least=0)
    if options.cells is not None:
        _checks.integer("--cells", options.cells, least=2)
        if options.algorithm in TREES:
            raise ValueError(
                f"--cells must be left out with {options.algorithm!r}, which makes its own; got {options.cells}"
            )
    (outcomes,) = columns(options.file, {options.outcome: outcome})
    game = play.run(
        outcomes, options.cells, options.algorithm, rng=options.seed, record=options.forecasts is not None
    )
    cells, promise = _promises(game, options.cells)
    numbers: dict[str, int | float] = {
        "rounds": game.horizon,
        "rounds with outcome 1": int(game.outcomes.sum()),
        **cells,
        "log loss per round, mean over the draws": total_loss(game.expected) / game.horizon,
        "pseudo KL-calibration": kl_calibration(game.expected),
        "KL-calibration of the draws": kl_calibration(game.realised),
        **promise,
    }
    save(game.realised, numbers, options)
    if options.forecasts:
        write_text(options.forecasts, _csv(game))
    sys.stdout.write(aligned([(name, cell(value)) for name, value in numbers.items()]) + "\n")
    return 0


def _promises(game: play.Run, cells: int | None) -> tuple[dict[str, int], dict[str, float]]:
    """Return the number of cells and what the algorithm promises, each under its name."""
    if game.algorithm in TREES:
        return {"cells used": int((game.realised.mass > 0.0).sum())}, _promise_of_tree(game)
    K = resolution(game.horizon) if cells is None else cells
    name, bound = PROMISES[game.algorithm]
    return {"cells K": K}, {name: float(bound(game.horizon, K))}  # type: ignore[arg-type]


def _promise_of_tree(game: play.Run) -> dict[str, float]:
    """Return what the cells in use promise; with expected feedback nothing is stored about them."""
    if game.algorithm == "tree-expected":
        return {}
    used = game.realised.restricted()
    bound = bounds.tree_from_counts(used.mass.astype(int), tree_levels(used.points), _RISK)
    return {f"bound on KL-calibration of the draws, {1 - _RISK:.0%} sure": float(bound)}


def _csv(game: play.Run) -> str:
    """Return the drawn forecasts beside their outcomes; all digits, so that they can be read back exactly."""
    stream = io.StringIO()
    stream.write("forecast,outcome\n")
    draws = [] if game.draws is None else game.grid.points[game.draws].tolist()
    stream.writelines(f"{p!r},{y}\n" for p, y in zip(draws, game.outcomes.tolist(), strict=True))
    return stream.getvalue()
