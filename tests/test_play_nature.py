"""The page "Play Nature" plays the games of klcal: the same mixtures, draws and weights to the last bit."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path
from typing import Any

import live_figures
import numpy as np
import pytest
import transcripts
from klcal_book._live_figure import joined

import klcal
from klcal import _checks
from klcal._kernels.elementary import exp, ln
from klcal.adversaries import ADAPTIVE, AGAINST_THE_TREE, OBLIVIOUS
from klcal.forecasters.pair import pair_boundaries
from klcal.forecasters.tree import tree_node

PLAY = Path(__file__).resolve().parents[1] / "chapters" / "_play"
STORED = sorted(transcripts.FOLDER.glob("*.json"))
NATURES = """zeros, alternating, low discrepancy, fair coin, coin 0.3, rare events, oppose, threshold 0.05,
greedy, greedy realised, border, push, peak, feed the richer""".replace("\n", " ").split(", ")


def read(path: Path) -> dict[str, Any]:
    stored: dict[str, Any] = json.loads(path.read_text())
    return stored


@pytest.fixture(scope="module")
def node() -> str:
    program = live_figures.node_program()
    if program is None:
        pytest.skip(
            "no Node that runs on this machine: the module of 'Play Nature' was not run outside a browser"
        )
    return program


def ask(node: str, requests: list[tuple[str, Any]]) -> list[Any]:
    """Answer all requests in one process."""
    return live_figures.answers(node, transcripts.FOLDER / "answer.mjs", requests)


# --- stored transcripts -----------------------------------------------------------------------------------


def test_every_game_is_stored_and_nothing_else() -> None:
    assert {path.stem: read(path)["game"] for path in STORED} == transcripts.GAMES


@pytest.mark.parametrize("path", STORED, ids=lambda path: path.stem)
def test_stored_transcript_is_what_klcal_plays(path: Path) -> None:
    stored = read(path)
    assert list(transcripts.differences(stored["told"], transcripts.transcript(stored["game"]))) == []


def test_module_plays_the_stored_transcripts(node: str) -> None:
    stored = [read(path) for path in STORED]
    answers = ask(node, [("replay", one["game"]) for one in stored])
    for one, answer in zip(stored, answers, strict=True):
        assert list(transcripts.differences(one["told"], answer)) == []


def thinned(answer: dict[str, Any], stride: int) -> dict[str, Any]:
    """Return an answer with the measures of every `stride`-th round alone."""
    sides = {name: answer[name] for name in transcripts.ALGORITHMS}
    kept = {n: {**side, "measures": side["measures"][stride - 1 :: stride]} for n, side in sides.items()}
    return {**answer, **kept}


# --- fresh games ------------------------------------------------------------------------------------------


def test_grids_and_boundaries_are_correctly_rounded(node: str) -> None:
    sizes = list(range(2, 65))
    answers = ask(node, [("tables", K) for K in sizes])
    for K, answer in zip(sizes, answers, strict=True):
        assert answer["full"] == klcal.full_grid(K).points.tolist()
        assert answer["inner"] == klcal.inner_grid(K).points.tolist()
        assert answer["boundaries"] == pair_boundaries(K).tolist()


def test_cells_of_the_tree_are_correctly_rounded(node: str) -> None:
    nodes = [(level, j) for level in range(9) for j in range(2**level)]
    nodes += [(20, 0), (20, 2**20 - 1), (17, 77777)]
    (answers,) = ask(node, [("treeCells", nodes)])
    for place, answer in zip(nodes, answers, strict=True):
        twin = tree_node(*place)
        assert answer == {"lower": twin.lower, "upper": twin.upper, "point": twin.point}


def test_grid_sizes_are_those_of_the_package(node: str) -> None:
    horizons = [*range(1, 3000), 10**4, 10**5, 10**6]
    assert ask(node, [("resolutions", horizons)]) == [[klcal.resolution(T) for T in horizons]]


def test_uniform_numbers_are_those_of_numpy(node: str) -> None:
    seeds = [0, 1, 7, 2**32 - 1, 2**32, 2**53 - 1]
    keys = (None, 0, _checks._DRAWS)
    requests = [("uniforms", {"seed": s, "count": 20, "key": key}) for s in seeds for key in keys]
    streams = [
        (np.random.default_rng(s), np.random.default_rng(s).spawn(1)[0], _checks.draws(s)) for s in seeds
    ]
    assert ask(node, requests) == [each.random(20).tolist() for three in streams for each in three]


def test_logarithms_and_exponentials_are_those_of_the_package(node: str) -> None:
    rng = np.random.default_rng(3)
    positive = np.concatenate([2.0 ** rng.uniform(-1074, 1023, 3000), 1.0 + rng.uniform(-0.5, 1, 3000)])
    numbers = np.concatenate([rng.uniform(-760, 720, 3000), rng.uniform(-1, 1, 3000)])
    both = ("logarithms", positive), ("exponentials", numbers)
    asked = [(name, list(map(repr, values.tolist()))) for name, values in both]
    logarithms, exponentials = ask(node, asked)
    assert list(map(float, logarithms)) == [ln(x) for x in positive.tolist()]
    assert list(map(float, exponentials)) == [exp(x) for x in numbers.tolist()]


def test_natures_are_those_of_the_page_and_known_to_the_package() -> None:
    source = (PLAY / "nature.mjs").read_text().split("export const NATURES")[1]
    names = [line.strip().split(":")[0].strip('"') for line in source.splitlines()[1:]]
    assert [name for name in names if name in {*OBLIVIOUS, *ADAPTIVE, *AGAINST_THE_TREE}] == NATURES


def test_module_plays_new_games_against_every_nature(node: str, seed: int) -> None:
    rng = np.random.default_rng([seed, 9])
    games = []
    for name, algorithm in product(NATURES, transcripts.ALGORITHMS):
        sizes = {"K": int(rng.integers(2, 24)), "horizon": 120, "seed": int(rng.integers(2**40))}
        games.append({**sizes, "nature": name, "against": algorithm})
    for game, answer in zip(games, ask(node, [("replay", game) for game in games]), strict=True):
        told = transcripts.transcript(game, 20)
        assert list(transcripts.differences(told, thinned(answer, 20))) == [], game


@pytest.mark.parametrize(("K", "T", "pieces", "stride"), [(2, 4000, 8, 500), (16, 1500, 15, 100)])
def test_module_plays_long_games(node: str, seed: int, K: int, T: int, pieces: int, stride: int) -> None:
    rng = np.random.default_rng([seed, K])
    outcomes = "".join(map(str, (rng.random(T) < np.repeat(rng.random(pieces), T // pieces)).astype(int)))
    game = {"K": K, "horizon": T, "seed": seed, "outcomes": outcomes}
    (answer,) = ask(node, [("replay", game)])
    assert len(answer["tree"]["points"]) > 15  # several levels have split
    assert K == 2 or max(map(len, answer["paper"]["mixtures"])) > 3  # elimination was needed
    told = transcripts.transcript(game, stride)
    assert list(transcripts.differences(told, thinned(answer, stride))) == []


# --- the board --------------------------------------------------------------------------------------------


def test_score_of_the_first_board_is_that_of_klcal(node: str) -> None:
    T, K = 200, klcal.resolution(1000)
    opposed, greedy = (klcal.run(ADAPTIVE[name](T), K, rng=0) for name in ("oppose", "greedy"))
    paid = f"“oppose” made Algorithm 1 pay {klcal.kl_calibration(opposed.expected):.1f} in 200 rounds"
    rival = f"greedy makes it pay {klcal.kl_calibration(greedy.expected):.0f}"
    bound = f"the bound is {np.ceil(klcal.bounds.theorem_2(T, K)):.0f}."
    assert transcripts.first_board(node)["score"] == f"{paid}; {rival}; {bound}"


def test_greedy_of_the_score_is_that_of_klcal(node: str) -> None:
    T, K = 90, klcal.resolution(100)
    (answer,) = ask(node, [("rivals", {"horizon": 100, "seed": 5, "outcomes": "01" * 45})])
    for algorithm, told in zip(transcripts.ALGORITHMS, answer, strict=True):
        adversary = ADAPTIVE["greedy" if algorithm == "paper" else "greedy realised"](T)
        run = klcal.run(adversary, None if algorithm == "tree" else K, algorithm, rng=5)
        cells = run.expected if algorithm == "paper" else run.realised
        assert told == pytest.approx(klcal.kl_calibration(cells), rel=1e-12)


def test_board_without_scripts_shows_the_first_game(node: str) -> None:
    board = transcripts.BOARD.read_text(encoding="utf-8")
    assert board == transcripts.filled(board, transcripts.first_board(node))
    with pytest.raises(ValueError, match="one place for each part; got 0 for 'nowhere'"):
        transcripts.filled(board, {"nowhere": ""})


# --- joining the modules ----------------------------------------------------------------------------------


def test_joined_module_has_no_import_and_no_export_left() -> None:
    lines = joined(PLAY / "game.mjs").splitlines()
    assert [line for line in lines if line.startswith(("import", "export"))] == []
    assert sum(line.startswith("class Game") for line in lines) == 1
