"""Write the transcripts of the page "Play Nature": small games, told round by round by klcal.

``python tests/tools/transcripts.py`` writes them anew into tests/transcripts, and the first game into the page's board.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import live_figures
import numpy as np

import klcal
from klcal.adversaries import ADAPTIVE, AGAINST_THE_TREE, OBLIVIOUS
from klcal.forecasters.rounds import Reduction
from klcal.forecasters.stream import reduction_for
from klcal.forecasters.tree import Growing, tree_levels

FOLDER = Path(__file__).resolve().parents[1] / "transcripts"
BOARD = FOLDER.parents[1] / "chapters" / "_play" / "board.html"
ALGORITHMS = ("paper", "pair", "tree")
DELTA = 0.01

# One game per file: who chooses the outcomes and, if they look at the forecaster, at which.
GAMES: Mapping[str, Mapping[str, Any]] = {
    "by-hand": {"K": 2, "horizon": 20, "seed": 0, "outcomes": "11101101000011011110"},
    "three-states": {"K": 3, "horizon": 60, "seed": 1, "outcomes": "110" * 20},
    "coin": {"K": 6, "horizon": 100, "seed": 2, "nature": "coin 0.3", "against": "paper"},
    "oppose": {"K": 5, "horizon": 100, "seed": 3, "nature": "oppose", "against": "paper"},
    "oppose-pair": {"K": 5, "horizon": 100, "seed": 3, "nature": "oppose", "against": "pair"},
    "border": {"K": 4, "horizon": 100, "seed": 4, "nature": "border", "against": "paper"},
    "greedy": {"K": 6, "horizon": 60, "seed": 6, "nature": "greedy realised", "against": "paper"},
    "push-pair": {"K": 6, "horizon": 60, "seed": 5, "nature": "push", "against": "pair"},
    "threshold-tree": {"K": 6, "horizon": 100, "seed": 6, "nature": "threshold 0.05", "against": "tree"},
}


def play(game: Mapping[str, Any], algorithm: str, outcomes: Any) -> klcal.Run:
    """Play `outcomes` with one algorithm."""
    size = None if algorithm == "tree" else game["K"]
    return klcal.run(outcomes, size, algorithm, rng=game["seed"], record=True)


def outcomes_of(game: Mapping[str, Any]) -> list[int]:
    """Return what Nature says in a game, asking the adversary if there is one."""
    if "outcomes" in game:
        return [int(y) for y in game["outcomes"]]
    name, T = game["nature"], game["horizon"]
    if name in OBLIVIOUS:
        return OBLIVIOUS[name](T, game["seed"]).tolist()
    chosen: list[int] = play(game, game["against"], adversary(name, T)).outcomes.tolist()
    return chosen


def adversary(name: str, T: int) -> Any:
    """Return the adaptive adversary of this name."""
    return ADAPTIVE[name](T) if name in ADAPTIVE else AGAINST_THE_TREE[name](T, None)


def paid(algorithm: str, reduction: Reduction) -> float:
    """Return what a forecaster has paid: Algorithm 1 for its odds, the others for their draws."""
    return klcal.kl_calibration(reduction.expected if algorithm == "paper" else reduction.realised)


def bound(algorithm: str, reduction: Reduction, K: int, t: int) -> float:
    """Return the bound on what a forecaster has paid after round t."""
    if algorithm == "paper":
        return float(klcal.bounds.theorem_2(t, K))
    if algorithm == "pair":
        return float(klcal.bounds.pair(t, K, DELTA))
    assert isinstance(reduction, Growing)
    points, _, counts = reduction.everything()[:3]
    return float(klcal.bounds.tree_from_counts(counts.sum(axis=0).astype(int), tree_levels(points), DELTA))


def masses(reduction: Reduction) -> tuple[Any, Any]:
    """Return expected and drawn mass by outcome, over all forecasts so far in increasing order."""
    if not isinstance(reduction, Growing):
        return reduction.weights(), reduction.counts()
    points, weights, counts = reduction.everything()[:3]
    order = np.argsort(points)
    return weights[:, order], counts[:, order]


def told(algorithm: str, game: Mapping[str, Any], outcomes: list[int], stride: int) -> dict[str, Any]:
    """Tell one forecaster's side of a game: its mixtures and draws, its measures every `stride` rounds, its end."""
    run = play(game, algorithm, outcomes)
    reduction = reduction_for(algorithm, None, game["K"])
    forecasts = run.grid.points[run.draws].tolist()
    measures = []
    for t, (forecast, y) in enumerate(zip(forecasts, outcomes, strict=True), 1):
        reduction.update(reduction.grid.points.tolist().index(forecast), y)
        if t % stride == 0:
            told = {"paid": paid(algorithm, reduction), "bound": bound(algorithm, reduction, game["K"], t)}
            measures.append(told)
    points = run.grid.points.tolist()
    growing = isinstance(reduction, Growing)
    weights, counts = masses(reduction)
    return {
        "draws": forecasts,
        "mixtures": [[[points[i], float(row[i])] for i in row.nonzero()[0]] for row in run.mixtures],
        "weights": weights.tolist(),
        "counts": counts.tolist(),
        "points": points,
        "leanings": reduction.leanings().tolist(),
        "logWealths": reduction.log_wealths().tolist() if growing else [],
        "measures": measures,
    }


def transcript(game: Mapping[str, Any], stride: int = 1) -> dict[str, Any]:
    """Tell a whole game, all forecasters' sides, with measures every `stride` rounds."""
    outcomes = outcomes_of(game)
    sides = {algorithm: told(algorithm, game, outcomes, stride) for algorithm in ALGORITHMS}
    return {"K": game["K"], "outcomes": "".join(map(str, outcomes)), **sides}


def differences(told: Any, answered: Any, where: str = "") -> Iterator[str]:
    """Yield where an answer differs from what klcal tells.

    Measures and bounds contain logarithms of the mathematical library, whose last digit is its own business. All other
    numbers are made by additions, multiplications and divisions alone, and must be the same to the last bit.
    """
    if isinstance(told, dict) and isinstance(answered, dict) and told.keys() == answered.keys():
        for key in told:
            yield from differences(told[key], answered[key], f"{where}.{key}")
    elif isinstance(told, list) and isinstance(answered, list) and len(told) == len(answered):
        for index, (one, other) in enumerate(zip(told, answered, strict=True)):
            yield from differences(one, other, f"{where}[{index}]")
    elif ".measures[" in where and isinstance(told, float) and isinstance(answered, (float, int)):
        if not math.isclose(told, answered, rel_tol=1e-12, abs_tol=1e-14):
            yield f"{where}: {answered!r} instead of {told!r}"
    elif told != answered:
        yield f"{where}: {answered!r} instead of {told!r}"


def filled(board: str, parts: Mapping[str, str]) -> str:
    """Return the HTML of the board with `parts` in their places; each place is in one line."""
    for name, content in parts.items():
        place = re.compile(rf'(<(\w+)[^>]*data-show="{name}"[^>]*>).*(</\2>)')
        board, count = place.subn(lambda found: f"{found[1]}{content}{found[3]}", board)  # noqa: B023
        if count != 1:
            raise ValueError(f"the board must have one place for each part; got {count} for {name!r}")
    return board


def first_board(node: str) -> dict[str, str]:
    """Return what the board shows at first."""
    parts: dict[str, str] = live_figures.answers(node, FOLDER / "answer.mjs", [("firstBoard", None)])[0]
    return parts


def main() -> None:
    """Write all transcripts, and the first game into the board."""
    for name, game in GAMES.items():
        text = json.dumps({"game": game, "told": transcript(game)}, separators=(",", ":"))
        (FOLDER / f"{name}.json").write_text(text + "\n", encoding="utf-8")
        print(f"tests/transcripts/{name}.json")
    node = live_figures.node_program()
    if node is None:
        raise SystemExit("no Node on this machine")
    BOARD.write_text(filled(BOARD.read_text(encoding="utf-8"), first_board(node)), encoding="utf-8")
    print("chapters/_play/board.html")


if __name__ == "__main__":
    main()
