"""Live figures show the numbers of klcal, and a page without scripts shows their first picture."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product
from typing import Any

import live_figures
import numpy as np
import pandas as pd
import pytest
import sign_boards
from oracles import by

import klcal
from klcal.adversaries import ADAPTIVE
from klcal.forecasters.pair import pair_boundaries
from klcal.forecasters.stream import reduction_for
from klcal.forecasters.tree import tree_node, tree_nodes
from klcal.grids import linear_rounding, log_rounding

BY_HAND = ["one", "one", "zero", "one", "zero", "zero", "zero"] * 20


@pytest.fixture(scope="module")
def node() -> str:
    program = live_figures.node_program()
    if program is None:
        pytest.skip("no Node that runs on this machine: the live figures were not run outside a browser")
    return program


def numbers(node: str, name: str, *requests: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the numbers of a figure for each request."""
    return [answer["numbers"] for answer in live_figures.asked(node, [{"name": name, **r} for r in requests])]


def at_values(node: str, name: str, cases: list[dict[str, Any]]) -> Iterator[tuple[Any, Any]]:
    """Return each choice of values with the numbers of a figure for it."""
    return zip(cases, numbers(node, name, *({"values": case} for case in cases)), strict=True)


def test_first_pictures_are_those_of_the_modules(node: str) -> None:
    answers = live_figures.asked(node, [{"name": name} for name in live_figures.NAMES])
    for name, answer in zip(live_figures.NAMES, answers, strict=True):
        assert live_figures.still(name).read_text() == answer["still"] + "\n", name


@pytest.mark.parametrize("name", live_figures.NAMES)
def test_every_part_of_a_picture_has_its_style(name: str) -> None:
    folder = live_figures.ROOT / "chapters" / "_static"
    sheets = "".join(sheet.read_text() for sheet in folder.glob("*.css"))
    drawn = " ".join(re.findall(r'class="(klcal-(?:play|sand)-[^"]*)"', live_figures.still(name).read_text()))
    missing = {part for part in drawn.split() if not re.search(rf"\.{part}(?![\w-])", sheets)}
    assert missing == set()  # what has none is black


def test_every_figure_stands_in_exactly_one_chapter() -> None:
    pages = (live_figures.ROOT / "chapters").iterdir()
    chapters = [path.read_text() for path in pages if path.suffix in (".ipynb", ".md")]
    used = re.findall(r"\{live-figure\} _live/(\w+)\.mjs", "".join(chapters))
    assert sorted(used) == live_figures.NAMES


@pytest.mark.parametrize(
    ("player", "algorithm", "K"),
    [("Algorithm 1", "paper", 10), ("PAIR", "pair", 10), ("the tree", "tree", None)],
)
def test_first_page_plays_the_games_of_klcal(node: str, player: str, algorithm: str, K: int | None) -> None:
    chosen = {"player": player}
    requests = ({"values": chosen, "actions": actions} for actions in (["nature"] * 12, BY_HAND))
    spiteful, by_hand = numbers(node, "two_forecasters", *requests)
    adversary = klcal.adversaries.ADAPTIVE["oppose"](300)
    assert spiteful["outcomes"] == klcal.run(adversary, K, algorithm, rng=0).outcomes.tolist()
    assert by_hand["outcomes"] == by_hand["rain"] == [int(action == "one") for action in BY_HAND]
    for told in (spiteful, by_hand):
        run = klcal.run(told["outcomes"], K, algorithm, rng=0, record=True)
        assert told["draws"] == run.grid.points[run.draws].tolist()
        assert told["klcal"] == pytest.approx(klcal.kl_calibration(run.realised), rel=1e-12)
        assert told["right"] * len(told["outcomes"]) == pytest.approx(klcal.calibration_error(run.realised))
        ones, days = np.cumsum([0, *told["rain"][:-1]]), np.arange(len(told["rain"]))
        assert told["said"] == ((ones + 1) / (days + 2)).tolist()
    assert spiteful["rain"] == [int(said < 0.5) for said in spiteful["said"]]


def at_the_end(algorithm: str, K: int | None, outcomes: list[int]) -> tuple[Any, list[float]]:
    """Return a forecaster after a game, and its draws."""
    run = klcal.run(outcomes, K, algorithm, rng=0, record=True)
    reduction = reduction_for(by(algorithm, "reference"), K, 2)
    draws = run.grid.points[run.draws].tolist()
    for forecast, y in zip(draws, outcomes, strict=True):
        reduction.update(reduction.grid.points.tolist().index(forecast), y)
    return reduction, draws


def shares(reduction: Any) -> tuple[list[int], list[float]]:
    """Return the members of the next mixture, and their probabilities."""
    mixture = reduction.mixture()
    members = np.flatnonzero(mixture)
    return members.tolist(), mixture[members].tolist()


def wealths(told: dict[str, Any], points: list[float]) -> list[float]:
    """Return what the book of each point has won: its mean against the nearest point of its cell, round by round."""
    found = []
    for z, low, up in zip(points, told["boundaries"], told["boundaries"][1:], strict=False):
        own = np.array(told["outcomes"])[np.array(told["draws"]) == z]
        mean = (own.cumsum() - own + 0.5) / np.arange(1, len(own) + 1)
        clipped = mean.clip(low, up)
        found.append(float(np.where(own, mean / clipped, (1 - mean) / (1 - clipped)).prod()))
    return found


@pytest.mark.parametrize("K", [3, 5, 9])
def test_pair_rule_is_that_of_klcal(node: str, K: int) -> None:
    requests = ({"actions": BY_HAND}, {"actions": ["oppose"] * 150})
    for told in numbers(node, "pair_rule", *({"values": {"K": K}, **request} for request in requests)):
        pair, draws = at_the_end("pair", K, told["outcomes"])
        assert told["draws"] == draws
        assert told["means"] == pair.leanings().tolist()
        assert told["boundaries"] == pair_boundaries(K).tolist()
        assert (told["members"], told["shares"]) == shares(pair)
        assert told["wealths"] == pytest.approx(wealths(told, pair.grid.points.tolist()))
    assert told["outcomes"] == klcal.run(ADAPTIVE["oppose"](150), K, "pair", rng=0).outcomes.tolist()


NATURES_OF_THE_SAND = {
    "coin 0.3": lambda T: klcal.adversaries.bernoulli(T, 0.3, rng=0),
    "constant": klcal.adversaries.constant,
    "drift": lambda T: klcal.adversaries.random_walk(T, rng=0),
    "spite": klcal.adversaries.Oppose,
}


def agree_on_the_sand(told: dict[str, Any], forecasts: Any, outcomes: Any) -> None:
    """Compare a heap with the drawn forecasts and the outcomes of a game of klcal."""
    points, index = np.unique(forecasts, return_inverse=True)
    counts, ones = np.bincount(index), np.bincount(index, outcomes)
    nodes = [(tree_node(level, j), n, k) for level, j, n, k in told["nodes"]]
    played = sorted((node.point, n, k) for node, n, k in nodes if n)
    assert played == list(zip(points, counts, ones, strict=True))
    assert told["cells"] == sum(n < node.capacity for node, n, _ in nodes)
    levels = [node.level for node in tree_nodes(points)]
    allowed = klcal.bounds.tree_from_counts(counts, levels, 0.01)
    assert told["learning"] + told["width"] + told["chance"] == pytest.approx(allowed, rel=1e-12)
    assert told["learning"] == pytest.approx(np.log(4 * counts).sum(), rel=1e-12)
    paid = klcal.kl_calibration(klcal.Cells(points, counts, ones))
    assert told["klcal"] == pytest.approx(paid, rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("tab", NATURES_OF_THE_SAND)
def test_sand_is_the_play_of_the_tree(node: str, tab: str) -> None:
    times = [0, 1, 12, 40, 70, 89]
    answers = numbers(node, "sand", *({"values": {"tab": tab, "time": time}} for time in times))
    run = klcal.run(NATURES_OF_THE_SAND[tab](100_000), algorithm="tree", rng=0, record="draws")
    assert [told["t"] for told in answers][-1] == 100_000
    for told in answers:
        t = told["t"]
        agree_on_the_sand(told, run.forecasts[:t], run.outcomes[:t])
        if t > 1:
            assert told["worst"] == pytest.approx(klcal.bounds.tree(t, 0.01), rel=1e-12)


@pytest.mark.parametrize("tab", NATURES_OF_THE_SAND)
def test_fixed_grid_beside_the_sand_is_pair(node: str, tab: str) -> None:
    requests = ({"values": {"tab": tab, "time": time, "fixed": True}} for time in (30, 89))
    for told in numbers(node, "sand", *requests):
        fixed, t = told["fixed"], told["t"]
        assert fixed["cells"] == told["cells"]
        run = klcal.run(NATURES_OF_THE_SAND[tab](t), fixed["cells"] + 1, "pair", rng=0)
        assert fixed["klcal"] == pytest.approx(klcal.kl_calibration(run.realised), rel=1e-9, abs=1e-9)
        counts = run.realised.mass.astype(int)
        allowed = klcal.bounds.pair_from_counts(counts, fixed["cells"] + 1, 0.01)
        assert fixed["learning"] + fixed["width"] + fixed["chance"] == pytest.approx(allowed, rel=1e-12)


def test_sand_of_your_own(node: str) -> None:
    outcomes = [int(action == "one") for action in BY_HAND]
    requests = ({"actions": BY_HAND}, {"actions": [*BY_HAND, "again", "one"], "values": {"fixed": True}})
    told, new = numbers(node, "sand", *requests)
    assert told["t"] == 140 and new["t"] == 1
    run = klcal.run(outcomes, algorithm="tree", rng=0, record="draws")
    agree_on_the_sand(told, run.forecasts, run.outcomes)


@pytest.mark.parametrize("K", [2, 5, 10])
def test_chain_is_that_of_algorithm_1(node: str, K: int) -> None:
    requests = ({"actions": BY_HAND[:30]}, {"actions": ["border"] * 80})
    for told in numbers(node, "chain", *({"values": {"K": K}, **request} for request in requests)):
        paper, draws = at_the_end("paper", K, told["outcomes"])
        assert told["draws"] == draws
        assert told["leanings"] == paper.leanings().tolist()
        assert told["matrix"] == log_rounding(paper.leanings(), paper.grid).tolist()
        kept = [(i, share) for i, share in zip(told["members"], told["shares"], strict=True) if share > 0]
        assert kept == list(zip(*shares(paper), strict=True))


def test_two_forces_are_those_of_theorem_2(node: str) -> None:
    cases = [{"logT": log_T, "logK": np.log10(K)} for log_T in (2, 4, 5, 6.35, 8) for K in (3, 21, 349, 1000)]
    requests = ({"values": case, "actions": actions} for case in cases for actions in ([], ["best"]))
    for told in numbers(node, "two_forces", *requests):
        T, K = told["T"], told["K"]
        assert told["bound"] == pytest.approx(klcal.bounds.theorem_2(T, K), rel=1e-13)
        assert told["learning"] == pytest.approx((K + 1) * np.log1p(T / (K + 1)), rel=1e-13)
        assert told["learning"] + told["rounding"] == told["bound"]
        assert told["best"] == klcal.bounds.theorem_2_best_K(T)
        assert told["least"] == pytest.approx(klcal.bounds.theorem_2(T, told["best"]), rel=1e-13)
        assert told["paper"] == klcal.resolution(T)
    assert told["K"] == told["best"] == 349


def test_dots_of_the_two_forces_are_the_stored_games(node: str) -> None:
    games = pd.DataFrame(klcal.book.experiments.stored("resolution"))
    for power in (4, 5, 6):
        (told,) = numbers(node, "two_forces", {"values": {"logT": power}})
        worst = games[games["T"] == 10**power].groupby("K")["pkl"].max()
        assert told["played"] == [[K, float(f"{worst[K]:.4g}")] for K, _ in told["played"]]
        assert len(told["played"]) > 15
    worst = pd.DataFrame(klcal.book.experiments.stored("rate")).groupby("T")["pkl"].max()
    assert told["playedLong"] == [[T, float(f"{error:.4g}")] for T, error in worst.items()]


def test_bregman_divergences_are_those_of_klcal(node: str) -> None:
    names = {name: name for name in ("log", "squared", "spherical")}
    names |= {"Tsallis, α = 1.5": "tsallis-1.5", "Tsallis, α = 3": "tsallis-3", "V-shaped": "v-0.5"}
    cases = [
        dict(zip(("loss", "p", "rho"), each, strict=True))
        for each in product(names, (0.01, 0.2, 0.5), (0.2, 0.77))
    ]
    for case, told in at_values(node, "bregman", cases):
        loss = klcal.losses.LOSSES[names[case["loss"]]]
        expected = {
            "entropy": loss.entropy(case["rho"]),
            "slope": loss.slope(case["p"]),
            "breg": loss.divergence(case["rho"], case["p"]),
            "kl": klcal.losses.log.divergence(case["rho"], case["p"]),
        }
        assert told == pytest.approx(expected, rel=1e-12, abs=1e-14), case


def test_grid_and_rounding_are_those_of_klcal(node: str) -> None:
    schemes, log = {"Algorithm 4": log_rounding, "linear": linear_rounding}, klcal.LOSSES["log"]
    every = product((2, 6, 24), (0.01, 0.25, 0.37, 0.99), schemes)
    for case, told in at_values(
        node, "sine_grid", [dict(zip(("K", "w", "scheme"), each, strict=True)) for each in every]
    ):
        grid = klcal.full_grid(case["K"])
        rounding = schemes[case["scheme"]]
        spread = np.zeros(len(grid))
        spread[told["neighbours"]] = told["shares"]
        assert told["points"] == grid.points.tolist()
        assert spread.tolist() == rounding(case["w"], grid).tolist(), case
        expected = [spread @ log(grid.points, y) - log(case["w"], y) for y in (0, 1)]
        assert told["changes"] == pytest.approx(expected, rel=1e-12, abs=1e-14), case


def test_swap_regret_of_kinks_is_that_of_klcal(node: str) -> None:
    cases = [(0.05, 0.2, 0.6), (0.1, 0.1, 0.25), (0.17, 0.3, 0.99)]
    values = [dict(zip(("first", "second", "third"), case, strict=True)) for case in cases]
    for kinks, told in at_values(node, "kinks", values):
        run = klcal.run(ADAPTIVE["greedy realised"](400), 6, "pair", rng=0)
        assert told["outcomes"] == run.outcomes.tolist()
        loss = klcal.losses.mixture_of_v([*kinks.values()], [1, 1, 1])
        assert told["regret"] == pytest.approx(klcal.swap_regret(run.realised, loss), rel=1e-12)
        assert told["largest"] == pytest.approx(klcal.max_swap_regret(run.realised), rel=1e-12)


def test_sign_game_of_the_page_is_played_by_its_rules(node: str) -> None:
    size = {"size": "10 cells, 4 signs"}
    as_forecaster, as_nature = numbers(
        node,
        "sign_game",
        {"values": size, "actions": ["plus", "minus"] * 5},
        {"values": {**size, "cell": 4}, "actions": ["point"] * 2},
    )
    point, row = sign_boards.page()["point"], "." * 10
    for (cell, sign, after), written in zip(as_forecaster["turns"], "+-" * 5, strict=False):
        row = point(row, cell, sign)
        assert (sign, after) == (written, row)
    assert as_forecaster["signs"] == row.count("+") + row.count("-") == 4 and as_forecaster["next"] is None
    # A cell is usable once.
    assert as_nature["cells"] in [point("." * 10, 3, sign) for sign in "+-"]
