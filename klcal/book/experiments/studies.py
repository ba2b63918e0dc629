"""The studies of this book: named sweeps whose tables are part of the package.

`stored` reads a table in a moment, `python -m klcal tables` makes it again from nothing. All games of one horizon and
repetition share a seed, ``(ROOT, T, repetition)``: algorithms and adversaries meet the same random numbers, while
different horizons and repetitions are independent.
"""

from __future__ import annotations

import argparse
import hashlib
import io
import json
import os
import sys
from collections.abc import Iterable, Mapping
from concurrent.futures import Executor
from contextlib import nullcontext
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from klcal import _checks
from klcal._cli.files import written_whole
from klcal.book._kernels import watching
from klcal.book.experiments._cache import versions
from klcal.book.experiments.game import Game, SeedKey, games, seeds
from klcal.book.experiments.measuring import (
    RUNS,
    RUNS_IN_ARENA,
    measure_arena,
    measure_regrets,
    measure_replicates,
    measure_swap,
    measure_wealth,
    play_game,
    spread_of_games,
    watch_game,
)
from klcal.book.experiments.sweeping import Measure, process_pool, sweep
from klcal.grids import resolution

if TYPE_CHECKING:
    import pandas as pd

#: Where the tables of the package are.
TABLES = Path(__file__).resolve().parent / "tables"

ROOT = 20250216
# Who plays in the stored tables. An adversary that is added to the package joins them by being added here.
KNOWN_BEFORE = (
    *("zeros", "fair coin", "coin 0.3", "rare events", "alternating", "blocks", "regimes", "random walk"),
    *("sinusoid", "low discrepancy"),
)
ADAPTING = (
    *("oppose", "greedy", "greedy realised", "border", "threshold 0.05", "greedy exp 0.5", "greedy exp 2"),
    *("push", "peak"),
)
BREAKING = (
    "feed the richer",
    "threshold jumps 100",
    "threshold jumps 1000",
    "drifting coin",
    "drifting coin, fast",
)
EVERYONE = (*KNOWN_BEFORE, *ADAPTING)
# These compute exponentials of every candidate outcome: the only ones for which a hundred million rounds take minutes.
SLOW = ("greedy exp 0.5", "greedy exp 2")
# The other adaptive adversaries take logarithms of forecasts, or look at learners, which not every forecaster has.
IN_ARENA = (*KNOWN_BEFORE, "oppose", "threshold 0.05", "push")
# Coins whose probability never changes.
COINS = ("fair coin", "coin 0.3", "rare events")
# For games of a hundred million rounds: those that did most to the tree, and a coin.
LONGEST = ("coin 0.3", "random walk", "sinusoid", "border", "drifting coin, fast", "threshold jumps 1000")
ON_MANY_GRIDS = ("zeros", "fair coin", "coin 0.3", "random walk", "low discrepancy", "border")


@dataclass(frozen=True)
class Study:
    """A list of games and what to measure in each.

    Parameters
    ----------
    name : str
        Name of its table.
    description : str
        One sentence: what varies, what is measured.
    games : tuple of Game
        What is played, in the order of the rows; their seeds are spawned from `ROOT`.
    measure : callable
        What is measured, as for `sweep`.
    """

    name: str
    description: str
    games: tuple[Game, ...]
    measure: Measure = play_game

    def play(
        self, *, executor: Executor | str | None = None, cache: str | os.PathLike[str] | None = None
    ) -> pd.DataFrame:
        """Play all games; see `sweep`. The ``attrs`` of the table say where its numbers come from."""
        table = sweep(self.games, executor=executor, cache=cache, progress=self.name, measure=self.measure)
        table.attrs = {
            "study": self.name,
            "description": self.description,
            "command": f"python -m klcal tables {self.name}",
            "root": ROOT,
            "klcal": metadata.version("klcal"),
            **versions(),
            "arithmetic": arithmetic(),
            **table.attrs,
        }
        return table


def stored(name: str) -> pd.DataFrame:
    """Return the stored table of a study.

    A table has the columns of its games: ``algorithm``, ``adversary``, ``T``, ``K``, ``doubling`` and ``seed``, from
    which `Game.from_row` makes the same game again. The others are what the study measures.

    Parameters
    ----------
    name : str
        A name in `STUDIES`.

    Returns
    -------
    pandas.DataFrame
        Its ``attrs`` say how and with which versions it was made. A file that is not the one that was written
        raises ``ValueError``.

    Examples
    --------
    >>> table = stored("rate")
    >>> sorted(set(table.loc[table["T"] == 1000, "K"]))
    [6]
    """
    path = TABLES / f"{_checks.choice('name', name, STUDIES)}.csv"
    data = path.read_bytes()
    try:
        told, table = json.loads(path.with_suffix(".json").read_bytes()), read_table(io.BytesIO(data))
        is_whole = (told["sha256"], told["rows"]) == (hashlib.sha256(data).hexdigest(), len(table))
    except (KeyError, RecursionError, TypeError, ValueError):  # pandas' errors are ValueErrors
        is_whole = False
    if not is_whole:
        raise ValueError(
            f"{path.name} is not the table that {path.stem}.json describes; make tables writes both anew"
        )
    told.pop("seconds_per_game", None)
    table.attrs = told
    return table


def read_table(path: Any) -> pd.DataFrame:
    """Return the table of a CSV file, or of an open one, floats bit for bit."""
    import pandas as pd

    return pd.read_csv(path, keep_default_na=False, na_values=["nan"])


def write_table(table: pd.DataFrame, path: str | os.PathLike[str]) -> None:
    """Write a table as CSV that `read_table` turns back into the same bits, and its ``attrs`` beside it as JSON."""
    target = Path(path)
    text = table.to_csv(index=False, na_rep="nan", lineterminator="\n")
    told = {**table.attrs, "rows": len(table), "sha256": hashlib.sha256(text.encode()).hexdigest()}
    lines = [f" {json.dumps(key)}: {json.dumps(value)}" for key, value in told.items()]
    target.parent.mkdir(parents=True, exist_ok=True)
    # Both are on the disk before either gets its name.
    with written_whole(target.with_suffix(".json")) as beside, written_whole(target) as draft:
        draft.write_text(text, encoding="utf-8", newline="\n")
        beside.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8", newline="\n")


def differences(old: pd.DataFrame, new: pd.DataFrame) -> list[str]:
    """Say in which columns two tables differ, how far and where first; nothing if they are equal bit for bit.

    Parameters
    ----------
    old, new : pandas.DataFrame
        What is stored, and what was computed now.

    Returns
    -------
    list of str
        One sentence per column that differs.

    Examples
    --------
    >>> import pandas as pd
    >>> old = pd.DataFrame({"T": [10, 20], "kl": [1.0, 2.0]})
    >>> differences(old, pd.DataFrame({"T": [10, 20], "kl": [1.0, 2.5]}))
    ['kl differs in 1 of 2 rows, first in row 1: 2.0 became 2.5']
    >>> differences(old, old.iloc[:1])
    ['2 rows became 1']
    """
    if list(old) != list(new):
        return [f"columns {list(old)} became {list(new)}"]
    if len(old) != len(new):
        return [f"{len(old)} rows became {len(new)}"]
    found = []
    for name in old:
        pairs = list(zip(map(repr, old[name].tolist()), map(repr, new[name].tolist()), strict=True))
        bad = [index for index, (before, after) in enumerate(pairs) if before != after]
        if bad:
            before, after = pairs[bad[0]]
            rows = f"{len(bad)} of {len(old)} rows, first in row {bad[0]}"
            found.append(f"{name} differs in {rows}: {before} became {after}")
    return found


def arithmetic() -> str:
    """Return a digest of this machine's logarithms, sines and powers on ten thousand numbers.

    Everything else the games do is IEEE arithmetic, which is the same everywhere. Where this digest agrees, tables
    can be expected to agree bit for bit; elsewhere the last digits of logarithms may differ.
    """
    values = np.arange(1.0, 10_001.0) / 4096.0
    compiled = np.empty_like(values)
    watching.logarithms(values, compiled)
    arrays = (compiled, np.log(values), np.log1p(values), np.sin(values), values**0.5, values**1.5)
    return hashlib.sha256(b"".join(array.tobytes() for array in arrays)).hexdigest()[:16]


# ----- the plans ------------------------------------------------------------------------------------------------------


def half_decades(first: int, last: int) -> list[int]:
    """Return powers of ten between two exponents and, rounded, of its square root: 100, 316, 1000 from 2 to 3."""
    return [round(10 ** (k / 2)) for k in range(2 * first, 2 * last + 1)]


def _repetitions(T: int, n: int = 1) -> list[SeedKey]:
    """Return the seeds of n repetitions at horizon T."""
    return seeds(n, root=(ROOT, T))


def _at(horizons: Iterable[int], **choices: Any) -> tuple[Game, ...]:
    """Return the games of every horizon, each with its own seed."""
    return tuple(game for T in horizons for game in games(T=T, seed=_repetitions(T), **choices))


def _growing(algorithm: str, horizons: list[int]) -> tuple[Game, ...]:
    """Return three games per adversary up to a million rounds, then one, then without the slow adversaries."""
    found: list[Game] = []
    for T in horizons:
        names = [name for name in EVERYONE if T <= 10**6 or name not in SLOW]
        n = 3 if T <= 10**6 else 1
        found += games(algorithm=algorithm, adversary=names, T=T, seed=_repetitions(T, n))
    return tuple(found)


def _trees() -> tuple[Game, ...]:
    """Return three games of the tree per adversary up to a million rounds, then one; at the end few adversaries."""
    everyone = (*EVERYONE, *BREAKING)
    found: list[Game] = []
    for T in half_decades(3, 6):
        found += games(algorithm=["tree", "tree-plain"], adversary=everyone, T=T, seed=_repetitions(T, 3))
    quick = [name for name in everyone if name not in SLOW]
    for T in half_decades(6, 7)[1:]:
        found += games(algorithm=["tree", "tree-plain"], adversary=quick, T=T, seed=_repetitions(T))
    found += games(algorithm="tree", adversary=LONGEST, T=10**8, seed=_repetitions(10**8))
    for T in (10**4, 10**5, 10**6):
        found += games(algorithm=["tree-expected", "pair"], adversary=everyone, T=T, seed=_repetitions(T))
    return tuple(found)


def _coins() -> tuple[Game, ...]:
    """Return twenty games per coin up to a million rounds, then five."""
    found: list[Game] = []
    for T in half_decades(3, 7):
        n = 20 if T <= 10**6 else 5
        found += games(algorithm="tree", adversary=COINS, T=T, seed=_repetitions(T, n))
    return tuple(found)


def _cells(T: int) -> list[int]:
    """Return numbers of cells from 2 to four times ``resolution(T)``.

    All of them if these are few; otherwise all up to 27, then pairs K, K + 1, for both parities, ten percent apart.
    """
    last = 4 * resolution(T)
    if last <= 44:
        return list(range(2, last + 1))
    cells, K = {2, 3, last - 1, last, resolution(T)}, 4.0
    while last > K:
        cells |= {int(K), int(K) + 1}
        K = max(K + 2, K * 1.1)
    return sorted(cells)


_STUDIES = (
    Study(
        "arena",
        "Calibration errors and regrets of all forecasters against oblivious and adaptive adversaries, medians.",
        _at(RUNS_IN_ARENA, adversary=IN_ARENA),
        measure_arena,
    ),
    Study(
        "doubling",
        "Algorithm 1 with known horizon and with the doubling trick, on the same outcomes.",
        _at(half_decades(2, 7), adversary=KNOWN_BEFORE, doubling=[False, True]),
    ),
    Study(
        "explicit",
        "KLCal of the draws of three explicit algorithms, over 2000 games of 10^4 rounds, fewer of 10^5 and 10^6.",
        games(algorithm=["paper", "realised", "pair"], adversary=EVERYONE, T=list(RUNS), seed=(ROOT, 8)),
        spread_of_games,
    ),
    Study(
        "high-probability",
        "Cal_2 of 1,000 draws of one game for mixtures known in advance, of 200 games where draws feed back.",
        (
            *_at([10**3, 10**4, 10**5, 10**6], adversary=KNOWN_BEFORE),
            *_at([10**4], adversary=ADAPTING),
            *_at([10**4], algorithm="realised", adversary=EVERYONE),
        ),
        measure_replicates,
    ),
    Study(
        "losses",
        "Swap and external regret of many losses, and of the worst one, in the same games, both algorithms.",
        _at([10**2, 10**3, 10**4, 10**5, 10**6], algorithm=["paper", "realised"], adversary=EVERYONE),
        measure_regrets,
    ),
    Study(
        "rate",
        "Algorithm 1 on the grid of Theorem 2 against every adversary, for horizons from 100 to 100 million "
        "(two slow adversaries: to a million).",
        _growing("paper", [*half_decades(2, 7), 10**8]),
        watch_game,
    ),
    Study(
        "rate-realised",
        "The variant with realised feedback on the same grids and seeds, for horizons up to 10 million "
        "(two slow adversaries: to a million).",
        _growing("realised", half_decades(2, 7)),
        watch_game,
    ),
    Study(
        "resolution",
        "Algorithm 1 on grids from coarse to fine, up to four times the cells of Theorem 2, at three horizons.",
        tuple(
            game
            for T in (10**4, 10**5, 10**6)
            for game in games(adversary=ON_MANY_GRIDS, T=T, K=_cells(T), seed=_repetitions(T))
        ),
    ),
    Study(
        "tree",
        "KLCal and the largest swap regret of the tree against every adversary, horizons from 1000 to 100 million; "
        "at some horizons also of its expected version and of PAIR.",
        _trees(),
        measure_swap,
    ),
    Study(
        "tree-coins",
        "The tree on independent outcomes with one probability, horizons from 1000 to 10 million.",
        _coins(),
        measure_swap,
    ),
    Study(
        "tree-wealth",
        "How rich the nodes of the tree become, with the weighted and with the plain coin, against the adversary "
        "that feeds the richer member of a pair.",
        _at(half_decades(3, 7), algorithm=["tree", "tree-plain"], adversary="feed the richer"),
        measure_wealth,
    ),
)
#: Name -> study.
STUDIES: Mapping[str, Study] = MappingProxyType({study.name: study for study in _STUDIES})


# ----- the command: python -m klcal tables ----------------------------------------------------------------------------


def add_options(parser: argparse.ArgumentParser) -> None:
    """Tell the parser what this command understands."""
    parser.add_argument("names", metavar="NAME", nargs="*", help=f"all by default: {', '.join(STUDIES)}")
    parser.add_argument("--out", metavar="DIR", type=Path, help="where to write; the package by default")
    parser.add_argument(
        "--cache", metavar="DIR", type=Path, help="keep finished games here, to go on after a stop"
    )
    parser.add_argument("--jobs", metavar="N", type=int, help="number of processes; one per core by default")
    parser.add_argument(
        "--check", action="store_true", help="write nothing; exit 1 if a stored table differs"
    )
    parser.set_defaults(command=_tables)


def _tables(options: argparse.Namespace) -> int:
    if not (options.out or options.check) and "site-packages" in TABLES.parts:
        raise ValueError("--out must name a folder: an installed package stays as it is; got none")
    studies = [STUDIES[_checks.choice("NAME", name, STUDIES)] for name in options.names or STUDIES]
    folder = options.out or TABLES
    differ = False
    with nullcontext("serial") if options.jobs == 1 else process_pool(options.jobs) as executor:
        for study in studies:
            table = study.play(executor=executor, cache=options.cache)
            if options.check:
                found = differences(read_table(folder / f"{study.name}.csv"), table)
                result = "; ".join(found) or "the same, bit for bit"
                differ = differ or bool(found)
            else:
                write_table(table, folder / f"{study.name}.csv")
                result = f"{len(study.games)} games in {table.attrs['seconds']:.0f} seconds of one core"
            sys.stdout.write(f"{study.name}: {len(table)} rows, {result}\n")
            sys.stdout.flush()
    return int(differ)
