r"""Tables of all right-hand sides that depend on T, K and delta alone, for the chapter on constants."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

from klcal import bounds, grids
from klcal.bounds.vacuous import last_vacuous
from klcal.claims._render import Table

_VERSIONS = ("paper", "repaired", "sharpened", "best")

# Power of K that makes a bound on one cell or one sum comparable between resolutions.
_POWERS = {
    "lemma_6a": 1,
    "lemma_6b": 2,
    "lemma_6c": -2,
    "lemma_6d": -1,
    "lemma_7": 2,
    "lemma_7_ends": 2,
    "rounding_cost": 2,
    "clamp_cost": 2,
    "comparator_error": 2,
    "comparator_error_inner": 2,
}

# What always saying 1/2 costs at most, per round: KLCal <= T log 2, Cal_2 <= T/4; no regret exceeds 2T.
_TRIVIAL = {
    "theorem_1": ("log 2", math.log(2.0)),
    "theorem_1_nearest": ("log 2", math.log(2.0)),
    "theorem_2": ("log 2", math.log(2.0)),
    "corollary_1": ("2", 2.0),
    "corollary_2": ("2", 2.0),
    "corollary_3": ("1/4", 0.25),
    "corollary_3_expectation": ("1/4", 0.25),
}


def _of(*parameters: str) -> Iterator[tuple[str, str, Callable[..., Any]]]:
    """Yield name, version and function of every bound that takes exactly these parameters, by name."""
    for name, function in bounds.BOUNDS.items():
        takes = list(inspect.signature(function).parameters)
        if takes == list(parameters):
            yield name, "", function
        elif takes == [*parameters, "version"]:
            documented = inspect.getdoc(function) or ""
            head = next(line for line in documented.splitlines() if line.startswith("version :"))
            for version in _VERSIONS:
                if f'"{version}"' in head:
                    yield name, version, partial(function, version=version)


def _resolution(name: str, version: str) -> Callable[[int], int]:
    """Return the K at which a bound is meant: the paper's own one for its Theorem 1 and Corollary 1."""
    printed = version == "paper" and name in ("theorem_1", "corollary_1")
    return bounds.theorem_1_paper_K if printed or name == "theorem_1_high_probability" else grids.resolution


def _text(value: float) -> str:
    return f"{value:,.0f}" if value >= 1000 or isinstance(value, int) else f"{value:#.5g}"


def of_resolution(resolutions: Sequence[int]) -> Table:
    """Return all bounds that depend on K alone, each multiplied by the power of K that makes it comparable.

    Parameters
    ----------
    resolutions : sequence of int
        Values of K, each at least 2.

    Returns
    -------
    Table
        One row per bound and version; "times" names the power.

    Examples
    --------
    >>> table = of_resolution([3])
    >>> [row for row in table.rows if row[0] == "rounding_cost"][1]
    ('rounding_cost', 'sharpened', '$K^2$', '3.0000')
    """
    rows = []
    for name, version, function in _of("K"):
        power = _POWERS.get(name, 0)
        scaled = (function(K) * float(K) ** power for K in resolutions)
        times = {0: "", 1: "$K$", -1: "$1/K$", 2: "$K^2$", -2: "$1/K^2$"}[power]
        rows.append((name, version, times, *map(_text, scaled)))
    columns = ("bound", "version", "times", *(f"$K = {K}$" for K in resolutions))
    return Table(columns, tuple(rows), right=True)


def of_horizon(horizons: Sequence[int], *, delta: float = 0.05) -> Table:
    """Return all bounds that depend on T, K and delta alone, each at the K that belongs to T.

    That is ``klcal.resolution(T)``, and ``bounds.theorem_1_paper_K(T)`` for Theorem 1 and Corollary 1 as printed.

    Parameters
    ----------
    horizons : sequence of int
        Values of T, each at least 26.
    delta : float
        Failure probability, where there is one.

    Returns
    -------
    Table
        One row per bound and version.

    Examples
    --------
    >>> table = of_horizon([1000])
    >>> [row for row in table.rows if row[0] == "theorem_2"][1]
    ('theorem_2', 'sharpened', '106.58')
    >>> [row for row in table.rows if row[0] == "theorem_1"][0]
    ('theorem_1', 'paper', '12,640')
    """
    alone = [
        ("resolution", "", [grids.resolution(T) for T in horizons]),
        *((name, version, [f(T) for T in horizons]) for name, version, f in _of("T")),
    ]
    chosen: list[tuple[str, str, Callable[..., Any]]] = [
        *_of("T", "K"),
        *((name, version, partial(f, delta=delta)) for name, version, f in _of("T", "K", "delta")),
    ]
    both = [(n, version, [f(T, _resolution(n, version)(T)) for T in horizons]) for n, version, f in chosen]
    rows = tuple((name, version, *map(_text, values)) for name, version, values in (*alone, *both))
    return Table(("bound", "version", *(f"$T$ = {T:,}" for T in horizons)), rows, right=True)


def vacuous(*, delta: float = 0.05) -> Table:
    """Return for the main bounds the last horizon at which they promise no more than always saying 1/2.

    Parameters
    ----------
    delta : float
        Failure probability, where there is one.

    Returns
    -------
    Table
        One row per bound and version, with what is free in each round and the last such T.

    Examples
    --------
    >>> rows = vacuous().rows
    >>> rows[0], [row for row in rows if row[0] == "theorem_2"][1]
    (('theorem_1', 'paper', 'log 2', '286,577'), ('theorem_2', 'sharpened', 'log 2', '6'))
    """
    entries = [*_of("T", "K")]
    entries += [(name, version, partial(f, delta=delta)) for name, version, f in _of("T", "K", "delta")]
    rows = []
    for name, version, function in entries:
        if name in _TRIVIAL:
            text, per_round = _TRIVIAL[name]
            last = last_vacuous(function, per_round, resolution=_resolution(name, version))
            rows.append((name, version, text, f"{last:,}"))
    return Table(("bound", "version", "free per round", "last vacuous $T$"), tuple(rows), right=True)
