"""Where the nodes of a dependency graph go: bands from top to bottom, rows within a band, short edges."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from graphlib import TopologicalSorter
from typing import TypeVar

import numpy as np
from scipy.optimize import linear_sum_assignment

Node = TypeVar("Node", bound=Hashable)

_SWEEPS = 24


def depths(uses: Mapping[Node, Sequence[Node]]) -> dict[Node, int]:
    """Return the length of the longest chain of uses below each node.

    Parameters
    ----------
    uses : mapping
        Node -> nodes it builds on; all of them are keys.

    Returns
    -------
    dict
        Node -> depth, 0 for a node that uses nothing. A cycle raises ``graphlib.CycleError``, a ``ValueError``.

    Examples
    --------
    >>> depths({"a": [], "b": ["a"], "c": ["a", "b"]})
    {'a': 0, 'b': 1, 'c': 2}
    """
    found: dict[Node, int] = {}
    for node in TopologicalSorter(uses).static_order():
        found[node] = 1 + max((found[used] for used in uses[node]), default=-1)
    return {node: found[node] for node in uses}


def without_circles(uses: Mapping[Node, Sequence[Node]]) -> dict[Node, tuple[Node, ...]]:
    """Leave out the uses that close a circle; statements folded with their parts may have some.

    Parameters
    ----------
    uses : mapping
        Node -> nodes it builds on.

    Returns
    -------
    dict
        The same without the edges back to a node that is being visited, in the order of `uses`.

    Examples
    --------
    >>> without_circles({"a": ["b"], "b": ["a"]})
    {'a': ('b',), 'b': ()}
    """
    kept: dict[Node, tuple[Node, ...]] = {}

    def visit(node: Node, path: frozenset[Node]) -> None:
        if node in kept:
            return
        forward = [used for used in uses[node] if used in uses and used not in path]
        for used in forward:
            visit(used, path | {node})
        kept[node] = tuple(forward)

    for node in uses:
        visit(node, frozenset((node,)))
    return {node: kept[node] for node in uses}


def rows(
    bands: Mapping[Node, int], uses: Mapping[Node, Sequence[Node]], width: int
) -> dict[Node, tuple[int, int]]:
    """Give every node a row: bands in turn, each filled row by row, a node after all that it builds on there.

    Parameters
    ----------
    bands : mapping
        Node -> band.
    uses : mapping
        Node -> nodes it builds on.
    width : int
        Most nodes in a row.

    Returns
    -------
    dict
        Node -> (band, row within the band). The rows of a band differ by at most one node in length.

    Examples
    --------
    >>> rows(
    ...     {"a": 0, "b": 0, "c": 0, "x": 1},
    ...     {"a": [], "b": ["a"], "c": [], "x": ["a"]},
    ...     2,
    ... )
    {'a': (0, 0), 'b': (0, 1), 'c': (0, 0), 'x': (1, 0)}
    """
    found: dict[Node, tuple[int, int]] = {}
    for band in sorted(set(bands.values())):
        members = [node for node in bands if bands[node] == band]
        depth = depths(without_circles({n: [u for u in uses[n] if bands.get(u) == band] for n in members}))
        members.sort(key=depth.__getitem__)
        count = -(-len(members) // width)
        for number, node in enumerate(members):
            found[node] = (band, number * count // len(members))
    return {node: found[node] for node in bands}


def slots(
    row: Mapping[Node, tuple[int, int]], uses: Mapping[Node, Sequence[Node]], width: int
) -> dict[Node, int]:
    """Give every node a place in its row, as near as possible to its neighbours, by sweeps down and up.

    Parameters
    ----------
    row : mapping
        Node -> row, as `rows` returns it.
    uses : mapping
        Node -> nodes it builds on.
    width : int
        Number of places in a row.

    Returns
    -------
    dict
        Node -> place from 0 to ``width - 1``; the same input gives the same places.

    Examples
    --------
    >>> slots(
    ...     {"a": (0, 0), "b": (0, 0), "x": (1, 0), "y": (1, 0)},
    ...     {"a": [], "b": [], "x": ["b"], "y": ["a"]},
    ...     2,
    ... )
    {'a': 1, 'b': 0, 'x': 0, 'y': 1}
    """
    order = sorted(set(row.values()))
    height = {each: number for number, each in enumerate(order)}
    members = {each: [node for node in row if row[node] == each] for each in order}
    near: dict[Node, list[Node]] = {node: [used for used in uses[node] if used in row] for node in row}
    for node in row:
        for used in uses[node]:
            if used in row:
                near[used].append(node)
    place: dict[Node, float] = {}
    for each in order:
        start = (width - len(members[each])) // 2
        place.update((node, float(start + number)) for number, node in enumerate(members[each]))

    def wish(node: Node) -> float:
        others = [(1 / max(1, abs(height[row[node]] - height[row[o]])), place[o]) for o in near[node]]
        pull = [(0.05, place[node]), *others] if others else [(1.0, place[node])]
        return sum(w * x for w, x in pull) / sum(w for w, _ in pull)

    for sweep in range(_SWEEPS):
        for each in reversed(order) if sweep % 2 else order:
            wishes = np.array([wish(node) for node in members[each]])
            cost = (wishes[:, None] - np.arange(width)[None, :]) ** 2
            for node, slot in zip(members[each], linear_sum_assignment(cost)[1], strict=True):
                place[node] = float(slot)
    return {node: int(place[node]) for node in row}
