"""Measure the engines against each other in one run and store the table: ``make bench``.

All speeds are ratios within one run on one machine. The opponent of the fast engine is `plain_game` below: what a
reader would write in an afternoon, NumPy throughout, one dense linear solve a round; it ends as `klcal.run` does.
"""

from __future__ import annotations

import argparse
import os
import platform
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
from oracles import by

import klcal
from klcal.adversaries import ADAPTIVE, OBLIVIOUS
from klcal.forecasters.stream import ALGORITHMS, EVERY_ALGORITHM

RESULTS = Path(__file__).with_name("results.md")


def plain_game(outcomes: np.ndarray, K: int, rng: np.random.Generator) -> tuple[np.ndarray, ...]:
    """Algorithm 1 in plain NumPy; returns expected and realised mass by outcome and grid point, and the draws."""
    i = np.arange(1, K)
    angles = np.concatenate([[np.pi / (4 * K)], np.pi * i / (2 * K), [np.pi / 2 - np.pi / (4 * K)]])
    z = np.sin(angles) ** 2
    v = z * (1 - z)
    n = K + 1
    rows = np.arange(n)
    expected, realised = np.zeros((2, n)), np.zeros((2, n))
    draws = np.zeros(len(outcomes), dtype=np.int32)
    right = np.zeros(n)
    right[-1] = 1.0
    for t, y in enumerate(outcomes):
        w = np.minimum(np.maximum((expected[1] + 1) / (expected[0] + expected[1] + 2), z[0]), z[-1])
        cell = np.minimum(np.searchsorted(z, w, side="right") - 1, K - 1)
        low = (z[cell + 1] - w) / v[cell + 1]
        high = (w - z[cell]) / v[cell]
        total = low + high
        system = np.zeros((n, n))
        system[cell, rows] = low / total
        system[cell + 1, rows] = high / total
        system[rows, rows] -= 1.0
        system[-1] = 1.0
        p = np.linalg.solve(system, right)
        draws[t] = drawn = min(np.searchsorted(np.cumsum(p), rng.random(), side="right"), K)
        expected[y] += p
        realised[y, drawn] += 1
    return expected, realised, draws


def check_plain_game(outcomes: np.ndarray, K: int) -> None:
    """Raise unless the plain game is the game of the package: the same draws, the same mass up to rounding."""
    game = klcal.run(outcomes, K, rng=np.random.default_rng(1))
    expected, realised, draws = plain_game(outcomes, K, np.random.default_rng(1))
    np.testing.assert_array_equal(draws, game.draws)
    for mine, cells in ((expected, game.expected), (realised, game.realised)):
        np.testing.assert_allclose(mine.sum(axis=0), cells.mass, rtol=0, atol=1e-10)
        np.testing.assert_allclose(mine[1], cells.ones, rtol=0, atol=1e-10)


def seconds(function: Callable[[], object], repeats: int = 3) -> float:
    """Return the best of a few processor times: other work on the machine disturbs them less than the clock."""
    times = []
    for _ in range(repeats):
        start = time.process_time()
        function()
        times.append(time.process_time() - start)
    return min(times)


def second_process() -> float:
    """Return the time a new process needs for its first game, imports excluded: the compiler must stay silent."""
    code = (
        "import time, klcal; start = time.perf_counter(); klcal.run([0, 1] * 500, rng=0);"
        "print(time.perf_counter() - start)"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return float(result.stdout)


def streaming_round(algorithm: str, T: int) -> float:
    """Return the time of a round of `klcal.Forecaster`: a forecast, then its outcome."""
    outcomes = OBLIVIOUS["coin 0.3"](T, 0).tolist()

    def play() -> None:
        forecaster = klcal.Forecaster(T, algorithm=algorithm, rng=1)
        for outcome in outcomes:
            forecaster.predict()
            forecaster.update(outcome)

    return seconds(play) / T


def streaming_lines() -> list[str]:
    """Compare rounds of `klcal.Forecaster` with the one random number that each must draw."""
    rng = np.random.default_rng(0)
    number = 10**5

    def draws() -> None:
        for _ in range(number):
            rng.random()

    draw = seconds(draws) / number
    lines = ["| streaming, predict and update | time a round | ratio to one random number |", "|---|---|---|"]
    for algorithm in ("paper", "pair", "tree"):
        each = streaming_round(algorithm, 20_000)
        lines.append(f"| {algorithm} | {1e6 * each:.1f} us | {each / draw:.1f} |")
    return lines


def long_game(algorithm: str, T: int) -> str:
    """Return how long one game against a fair coin takes by the clock, and how much memory beyond its outcomes."""
    outcomes = OBLIVIOUS["fair coin"](T, 0)
    outcomes.flags.writeable = False  # a game keeps a copy of what may change
    start = time.perf_counter()
    tracemalloc.start()
    klcal.run(outcomes, algorithm=algorithm, rng=1, record=False)
    beyond = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    passed = time.perf_counter() - start
    return f"T = {T:,} against a fair coin, {algorithm}: {passed:.1f} s, {beyond / 2**20:.1f} MiB beyond the outcomes."


def main() -> None:
    """Run all measurements and write the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=10**6, help="horizon of the timed games")
    parser.add_argument("--long", type=int, default=10**8, help="horizon of the one long game")
    parser.add_argument("--output", type=Path, default=RESULTS)
    options = parser.parse_args()
    T, K = options.rounds, klcal.resolution(options.rounds)
    klcal.run([0, 1], rng=0)
    first_game = second_process()

    coin = OBLIVIOUS["coin 0.3"](T, 0)
    fast = seconds(lambda: klcal.run(coin, rng=1)) / T
    short = 4000
    check_plain_game(coin[:short], 24)
    readable = []
    for k in (24, K):
        plain = seconds(partial(plain_game, coin[:short], k, np.random.default_rng(1)), repeats=7) / short
        reference = (
            seconds(partial(klcal.run, coin[:short], k, by("paper", "reference"), rng=1), repeats=7) / short
        )
        readable.append(
            f"| {k} | {1e6 * plain:.0f} us | {1e6 * reference:.0f} us | {reference / plain:.2f} |"
        )

    rows = []
    for algorithm in EVERY_ALGORITHM:
        play = partial(klcal.run, algorithm=algorithm, rng=1)
        play([0, 1])
        for name, make in OBLIVIOUS.items():
            rows.append((algorithm, name, "oblivious", seconds(partial(play, make(T, 0))) / T))
        for name, adaptive in ADAPTIVE.items():
            rows.append((algorithm, name, "adaptive", seconds(partial(play, adaptive(T)), repeats=1) / T))

    long_games = [long_game(algorithm, options.long) for algorithm in ("paper", "tree")]

    worst = max(t for a, _, kind, t in rows if kind == "oblivious" and a in ALGORITHMS)
    lines = [
        "# Engine speed",
        "",
        "Written by `make bench` in one run on one core. Times a round are processor times, the best of three (one for",
        "adaptive adversaries, seven for readable code); long games record no draws and are timed by the clock, with",
        f"memory tracing on. Plain NumPy and the reference engine play the first {short:,} rounds of the same game.",
        "",
        f"- Python {platform.python_version()}, NumPy {np.__version__}, {os.cpu_count()} cores",
        f"- T = {T:,}, K = {K}",
        "",
        "| engine | time a round | ratio to fast |",
        "|---|---|---|",
        f"| fast | {1e9 * fast:.0f} ns | 1 |",
        f"| reference | {1e6 * reference:.0f} us | {reference / fast:,.0f} |",
        "",
        "| K | plain NumPy, one dense solve a round | reference | reference / plain |",
        "|---|---|---|---|",
        *readable,
        "",
        f"Slowest oblivious adversary of the algorithms on a grid: {1e9 * worst:.0f} ns a round.",
        *long_games,
        f"First game of a second process: {first_game:.2f} s (the compiled code comes from the cache).",
        "",
        *streaming_lines(),
        "",
        "| algorithm | adversary | kind | ns a round |",
        "|---|---|---|---|",
        *(f"| {a} | {name} | {kind} | {1e9 * t:.0f} |" for a, name, kind, t in rows),
        "",
    ]
    options.output.write_text("\n".join(lines))
    sys.stdout.write("\n".join(lines))


if __name__ == "__main__":
    main()
