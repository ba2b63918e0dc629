"""Where the nodes of a dependency graph go: columns given, rows chosen so that edges cross little."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import TypeVar

Node = TypeVar("Node", bound=Hashable)

_SWEEPS = 12


def depths(uses: Mapping[Node, Sequence[Node]]) -> dict[Node, int]:
    """Return the length of the longest chain of uses below each node.

    Parameters
    ----------
    uses : mapping
        Node -> nodes it builds on; all of them are keys.

    Returns
    -------
    dict
        Node -> depth, 0 for a node that uses nothing. A cycle raises ``ValueError``.

    Examples
    --------
    >>> depths({"a": [], "b": ["a"], "c": ["a", "b"]})
    {'a': 0, 'b': 1, 'c': 2}
    """
    found: dict[Node, int] = {}
    rest = dict(uses)
    while rest:
        ready = [node for node, below in rest.items() if all(used in found for used in below)]
        if not ready:
            raise ValueError(f"uses must have no cycle; got one among {sorted(map(str, rest))}")
        for node in ready:
            found[node] = 1 + max((found[used] for used in rest.pop(node)), default=-1)
    return {node: found[node] for node in uses}


def rows(columns: Mapping[Node, int], uses: Mapping[Node, Sequence[Node]]) -> dict[Node, int]:
    """Order the nodes of each column by the mean place of their neighbours, sweeping to and fro.

    Parameters
    ----------
    columns : mapping
        Node -> column.
    uses : mapping
        Node -> nodes it builds on.

    Returns
    -------
    dict
        Node -> row, from 0 in every column. The first order is that of `columns`, so the result is a function of it.

    Examples
    --------
    >>> rows({"a": 0, "b": 0, "x": 1, "y": 1}, {"a": [], "b": [], "x": ["b"], "y": ["a"]})
    {'a': 1, 'b': 0, 'x': 0, 'y': 1}
    """
    neighbours: dict[Node, list[Node]] = {node: list(uses[node]) for node in columns}
    for node in columns:
        for used in uses[node]:
            neighbours[used].append(node)
    members: dict[int, list[Node]] = {}
    for node, column in columns.items():
        members.setdefault(column, []).append(node)
    place = {node: row for column in members.values() for row, node in enumerate(column)}
    for sweep in range(_SWEEPS):
        for column in sorted(members, reverse=sweep % 2 == 1):
            share = {node: place[node] / max(len(members[columns[node]]) - 1, 1) for node in columns}
            wish = {
                node: _mean([share[other] for other in neighbours[node]], share[node])
                for node in members[column]
            }
            members[column].sort(key=wish.__getitem__)
            place.update((node, row) for row, node in enumerate(members[column]))
    return {node: place[node] for node in columns}


def _mean(values: Sequence[float], otherwise: float) -> float:
    return sum(values) / len(values) if values else otherwise


def crossings(
    columns: Mapping[Node, int], row: Mapping[Node, int], uses: Mapping[Node, Sequence[Node]]
) -> int:
    """Count pairs of edges between the same two columns that cross.

    Parameters
    ----------
    columns, row : mapping
        Where each node stands.
    uses : mapping
        Node -> nodes it builds on.

    Returns
    -------
    int
        Number of crossing pairs.

    Examples
    --------
    >>> uses = {"a": [], "b": [], "x": ["b"], "y": ["a"]}
    >>> crossings({"a": 0, "b": 0, "x": 1, "y": 1}, {"a": 0, "b": 1, "x": 0, "y": 1}, uses)
    1
    """
    spans: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for node, below in uses.items():
        for used in below:
            left, right = sorted((used, node), key=columns.__getitem__)
            if columns[left] < columns[right]:
                spans.setdefault((columns[left], columns[right]), []).append((row[left], row[right]))
    return sum(
        (a[0] - b[0]) * (a[1] - b[1]) < 0
        for edges in spans.values()
        for n, a in enumerate(edges)
        for b in edges[:n]
    )
