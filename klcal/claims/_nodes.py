"""The nodes of the graph: entries of the ledger, or statements together with their parts, and what rests on what."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable
from dataclasses import dataclass

from klcal.claims._evidence import Evidence
from klcal.claims._ledger import REGISTRY
from klcal.claims._stored import place, recalled
from klcal.claims._words import strength

# Letters that fit into a line of a node.
_LETTERS = 23
_NUMBERED = ("Algorithm", "Corollary", "Equation", "Lemma", "Proposition", "Remark", "Theorem")
# Least favourable first: a statement with several entries shows the first that occurs.
_FILL_ORDER = ("fails", "refuted", "repaired", "observed", "cited", "proved in print", "established")


def least_favourable(statuses: Iterable[str]) -> str:
    """Return the status that a box or node with several entries has; one that is not known comes first.

    Examples
    --------
    >>> least_favourable(["established", "repaired", "cited"])
    'repaired'
    """
    return min(statuses, key=lambda status: _FILL_ORDER.index(status) if status in _FILL_ORDER else -1)


@dataclass(frozen=True)
class Statement:
    """A node: one entry of the ledger, or a statement together with its parts.

    Parameters
    ----------
    name : str
        Label of the statement; the parts are ``name/...``.
    labels : tuple of str
        Entries that the node stands for.
    uses : tuple of str
        Names of the nodes it builds on.
    """

    name: str
    labels: tuple[str, ...]
    uses: tuple[str, ...]

    @property
    def chapter(self) -> str:
        """The page on which the reader finds it."""
        return self.address.partition(".html")[0]

    @property
    def first(self) -> str:
        """The entry with the statement's own label, or its first part."""
        return self.name if self.name in self.labels else self.labels[0]

    @property
    def is_new(self) -> bool:
        """Whether the statement is not in the paper."""
        return self.name.startswith("new:")

    @property
    def status(self) -> str:
        """The least favourable status among the entries."""
        return least_favourable(recalled(label).status for label in self.labels)

    @property
    def best(self) -> Evidence | None:
        """The strongest evidence for the statement itself; the weakest such among the parts if it has no entry."""
        own = [self.name] if self.name in self.labels else self.labels
        found = [best for label in own if (best := recalled(label).strongest) is not None]
        return max(found, key=lambda each: each.strength) if found else None

    @property
    def kind(self) -> str:
        """The kind of that evidence."""
        return "cited" if self.best is None else self.best.kind

    @property
    def scope(self) -> str:
        """Its scope; "" for a cited one."""
        return "" if self.best is None else self.best.scope.name

    @property
    def address(self) -> str:
        """Where the reader finds it: its theorem box, that of a part, or the chapter."""
        boxed = [found for label in (self.first, *self.labels) if "#" in (found := place(label))]
        return boxed[0] if boxed else place(self.first)

    @property
    def told(self) -> str:
        """The node in words."""
        claim = REGISTRY[self.first]
        many = f", {len(self.labels)} entries" if len(self.labels) > 1 else ""
        number = "" if claim.number == "new" else f"{claim.number}: "
        return f"{number}{claim.title}. {self.status.capitalize()}; {strength(self.best)}{many}"

    @property
    def is_numbered(self) -> bool:
        """Whether the node shows a number, such as that of a theorem."""
        number, _, more = self._number
        return number.split()[0] in _NUMBERED and not (self.is_new and more)

    @property
    def _number(self) -> tuple[str, str, str]:
        return REGISTRY[self.first].number.partition(" (")[0].partition(",")

    @property
    def lines(self) -> tuple[str, ...]:
        """What stands in the node, in at most three lines: a number and the title, or only the title."""
        number = [_shortened(self._number[0], _LETTERS - 4)] if self.is_numbered else []
        room = 3 - len(number)
        dots = "\N{HORIZONTAL ELLIPSIS}"
        title = textwrap.wrap(REGISTRY[self.first].title, _LETTERS, max_lines=room, placeholder=dots)
        return (*number, *title)


def statements(labels: Iterable[str] | None = None, *, parts: bool = False) -> tuple[Statement, ...]:
    """Collect entries of the ledger into nodes.

    Parameters
    ----------
    labels : iterable of str, optional
        Entries to include; all by default.
    parts : bool
        Whether every part is a node of its own.

    Returns
    -------
    tuple of Statement
        In the order of the ledger.

    Examples
    --------
    >>> [
    ...     node.name
    ...     for node in statements(["lem:discretization/a", "lem:discretization"])
    ... ]
    ['lem:discretization']
    """
    wanted = None if labels is None else set(labels)
    chosen = [label for label in REGISTRY if wanted is None or label in wanted]
    name = {label: label if parts else label.partition("/")[0] for label in chosen}
    collected: dict[str, list[str]] = {}
    for label in chosen:
        collected.setdefault(name[label], []).append(label)
    nodes = []
    for head, members in collected.items():
        used = [name[u] for member in members for u in REGISTRY[member].builds_on if u in name]
        nodes.append(Statement(head, tuple(members), tuple(dict.fromkeys(u for u in used if u != head))))
    return tuple(nodes)


def ancestors(labels: Iterable[str]) -> set[str]:
    """Return the entries that some entries build on, directly or not, these included.

    Parameters
    ----------
    labels : iterable of str
        Entries of the ledger.

    Returns
    -------
    set of str
        Their ancestors and themselves.

    Examples
    --------
    >>> sorted(ancestors(["eq:pseudo_ell_2_cal"]))
    ['eq:ell_2_cal', 'eq:pseudo_ell_2_cal']
    """
    found = set(labels)
    while (
        grown := {used for entry in found for used in REGISTRY[entry].builds_on if used in REGISTRY} - found
    ):
        found |= grown
    return found


def descendants(labels: Iterable[str]) -> set[str]:
    """Return the entries that build on some entries, directly or not, these included.

    Parameters
    ----------
    labels : iterable of str
        Entries of the ledger.

    Returns
    -------
    set of str
        Their descendants and themselves.

    Examples
    --------
    >>> "eq:pseudo_ell_2_cal" in descendants(["eq:ell_2_cal"])
    True
    """
    found = set(labels)
    while grown := {
        entry for entry in REGISTRY if entry not in found and found & set(REGISTRY[entry].builds_on)
    }:
        found |= grown
    return found


def surroundings(label: str) -> set[str]:
    """Return the entries that a statement builds on and those that build on it, directly or not.

    Parameters
    ----------
    label : str
        A label of the ledger, or the common part of several.

    Returns
    -------
    set of str
        Labels, those of the statement itself included. Raises ``ValueError`` for an unknown label.

    Examples
    --------
    >>> "lem:discretization/a" in surroundings("lem:discretization")
    True
    """
    own = {entry for entry in REGISTRY if entry == label or entry.startswith(f"{label}/")}
    if not own:
        raise ValueError(f"label must be one of the ledger; got {label!r}")
    return ancestors(own) | descendants(own)


def _shortened(text: str, letters: int) -> str:
    return text if len(text) <= letters else text[: letters - 1].rstrip() + "\N{HORIZONTAL ELLIPSIS}"
