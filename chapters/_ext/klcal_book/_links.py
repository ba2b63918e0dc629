"""Where things stand in the book: pages, anchors and the boxes of statements."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import Any

CLAIMS_PAGE = "chapters/claims"
CHECKS_PAGE = "chapters/api_checks"
ERRATA_PAGE = "chapters/errata"


def slug(label: str) -> str:
    """Return `label` with every character that is unusual in an address replaced by a hyphen.

    Examples
    --------
    >>> slug("eq:psreg_[0,1]_to_psreg_Z"), slug("new:pair/choice")
    ('eq-psreg_-0-1-_to_psreg_Z', 'new-pair-choice')
    """
    return re.sub(r"[^A-Za-z0-9_-]", "-", label)


def claim_anchor(label: str) -> str:
    """Return the place of a claim on the page of all claims.

    Examples
    --------
    >>> claim_anchor("lem:rounding")
    'claim-lem-rounding'
    """
    return f"claim-{slug(label)}"


def graph_anchor(chapter: str) -> str:
    """Return the place of a chapter in the graph on the page of all claims.

    Examples
    --------
    >>> graph_anchor("03_grids")
    'graph-03_grids'
    """
    return f"graph-{chapter}"


def check_anchor(label: str) -> str:
    """Return the place of a claim's check on the page of all checks.

    Examples
    --------
    >>> check_anchor("lem:rounding")
    'check-lem-rounding'
    """
    return f"check-{slug(label)}"


def parts(label: str, labels: Collection[str], boxes: Collection[str] = ()) -> tuple[str, ...]:
    """Return the entries among `labels` that a box with this label stands for: itself, and its parts.

    A part with a box of its own, and what is below it, is left to that box.

    Examples
    --------
    >>> parts("a", ["a", "a/x", "a/y", "a/y/z", "ab"], boxes=["a", "a/y"])
    ('a', 'a/x')
    """
    inner = [box for box in boxes if box.startswith(f"{label}/")]
    return tuple(
        entry
        for entry in labels
        if (entry == label or entry.startswith(f"{label}/"))
        and not any(entry == box or entry.startswith(f"{box}/") for box in inner)
    )


def nearest_box(label: str, boxes: Collection[str]) -> str | None:
    """Return the box that treats a label: its own, that of the whole it is a part of, or of its first part.

    Examples
    --------
    >>> boxes = ["a", "b/x"]
    >>> [nearest_box(label, boxes) for label in ("a", "a/y/z", "b", "c")]
    ['a', 'a', 'b/x', None]
    """
    whole = label
    while whole not in boxes and "/" in whole:
        whole = whole.rpartition("/")[0]
    if whole in boxes:
        return whole
    return next((box for box in boxes if box.startswith(f"{label}/")), None)


def boxes_of(env: Any) -> Mapping[str, str]:
    """Return label -> page of every statement that has a box in the book."""
    found: Mapping[str, Mapping[str, Any]] = getattr(env, "proof_list", {})
    return {label: entry["docname"] for label, entry in found.items()}


def address(builder: Any, page: str, target: str, anchor: str) -> str:
    """Return the address of a place, as seen from `page`; within the page itself only the anchor."""
    if page == target:
        return f"#{anchor}"
    return f"{builder.get_relative_uri(page, target)}#{anchor}"
