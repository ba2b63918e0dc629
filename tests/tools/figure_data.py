"""What the figures of a notebook draw, taken from the figures themselves while the notebook runs.

A picture cannot be compared between machines: fonts and rendering move pixels. The numbers in it can. `watch` is called
in the kernel before the first cell; after each cell it writes one line of JSON for each figure that the cell shows.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

#: Numbers are kept and compared with this many significant digits.
DIGITS = 9
#: A figure drawn with other libraries or another processor may differ by so much, relative to the number itself; or by
#: so much relative to the largest number beside it.
TOLERANCE, OF_THE_LARGEST = 1e-8, 1e-12
#: So many numbers of each kind are kept in the record, to say how far a figure is off.
SAMPLE = 25

Series = dict[str, list[float | None]]


def rounded(values: Any) -> list[float | None]:
    """Return numbers with `DIGITS` significant digits; what is masked is None.

    >>> rounded([1 / 3, 0.0, float("inf")])
    [0.333333333, 0.0, inf]
    """
    array = np.ma.asarray(values, dtype=np.float64).ravel()
    # Adding zero turns -0.0, whose sign may depend on the machine, into 0.0.
    return [None if v is np.ma.masked else float(f"{v:.{DIGITS}g}") + 0.0 for v in array]


def _collection(artist: Any) -> Iterator[tuple[str, Any]]:
    from matplotlib.collections import PathCollection

    if isinstance(artist, PathCollection) and len(artist.get_offsets()):
        yield "points", artist.get_offsets()
        yield "sizes", artist.get_sizes()
    else:
        vertices = [path.vertices for path in artist.get_paths()]
        yield "vertices", np.concatenate(vertices) if vertices else []
    if artist.get_array() is not None:
        yield "values", artist.get_array()


def _patch(artist: Any) -> Iterator[tuple[str, Any]]:
    from matplotlib.patches import FancyArrowPatch

    if isinstance(artist, FancyArrowPatch):
        # Its outline depends on the size of the picture; its ends are the data.
        yield "ends", artist._posA_posB if artist._posA_posB is not None else []
    else:
        yield "vertices", artist.get_patch_transform().transform(artist.get_path().vertices)


def _artists(axes: Any) -> Iterator[tuple[str, Iterator[tuple[str, Any]]]]:
    """Yield name and arrays of all that is drawn in one coordinate system."""
    for number, line in enumerate(axes.lines):
        yield f"line {number}", iter([("x", line.get_xdata(orig=False)), ("y", line.get_ydata(orig=False))])
    for number, artist in enumerate(axes.collections):
        yield f"collection {number}", _collection(artist)
    for number, artist in enumerate(axes.patches):
        yield f"patch {number}", _patch(artist)
    for number, image in enumerate(axes.images):
        yield f"image {number}", iter([("values", image.get_array()), ("extent", image.get_extent())])
    texts = [text for text in axes.texts if text.get_text()]
    if texts:
        yield "texts", iter([("places", [text.get_position() for text in texts])])
    yield "limits", iter([("x", axes.get_xlim()), ("y", axes.get_ylim())])


def _words(axes: Any) -> list[str]:
    """Return what is written: titles, scales, labels, legend, notes, names at the ticks that were set by hand."""
    legend = axes.get_legend()
    named = [axis.get_ticklabels() for axis in (axes.xaxis, axes.yaxis) if _fixed(axis)]
    return [
        *(axes.get_title(loc) for loc in ("left", "center", "right")),
        *(axes.get_xlabel(), axes.get_ylabel(), axes.get_xscale(), axes.get_yscale()),
        *([text.get_text() for text in legend.get_texts()] if legend else []),
        *(text.get_text() for text in axes.texts),
        *(label.get_text() for labels in named for label in labels),
    ]


def _fixed(axis: Any) -> bool:
    from matplotlib.ticker import FixedFormatter

    return isinstance(axis.get_major_formatter(), FixedFormatter)


def drawn(figure: Any) -> dict[str, Any]:
    """Return all numbers and words of a figure: name of the series -> rounded numbers.

    >>> from matplotlib.figure import Figure
    >>> figure = Figure()
    >>> _ = figure.subplots().plot([1, 2], [0.1, 0.25], "o")
    >>> {
    ...     name: drawn(figure)["series"][name]
    ...     for name in ("axes 0, line 0, x", "axes 0, line 0, y")
    ... }
    {'axes 0, line 0, x': [1.0, 2.0], 'axes 0, line 0, y': [0.1, 0.25]}
    """
    series: Series = {}
    for place, axes in enumerate(figure.axes):
        for artist, arrays in _artists(axes):
            for kind, values in arrays:
                series[f"axes {place}, {artist}, {kind}"] = rounded(values)
    words = [[*_words(axes)] for axes in figure.axes]
    title = figure.get_suptitle() if hasattr(figure, "get_suptitle") else ""
    return {"series": series, "words": [[title], *words] if title else words}


def digest(data: Mapping[str, Any]) -> str:
    """Return the first 16 hexadecimal digits of the SHA-256 of the numbers and words of a figure."""
    return hashlib.sha256(json.dumps(data, sort_keys=True).encode()).hexdigest()[:16]


def sketch(data: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Return a short record of the numbers: of each kind their count, sum of absolute values, and a sample.

    Lines of one coordinate system are put together, and so are its patches and so on; up to `SAMPLE` numbers are kept,
    evenly spaced, the first and the last among them.

    >>> sketch(
    ...     {"series": {"axes 0, line 0, y": [1.0, -2.0], "axes 0, line 1, y": [4.0]}}
    ... )
    {'axes 0, line, y': {'count': 3, 'total': 7.0, 'sample': [1.0, -2.0, 4.0]}}
    """
    together: Series = {}
    for name, values in data["series"].items():
        kind = re.sub(r"(line|collection|patch|image) \d+", r"\1", name)
        together.setdefault(kind, []).extend(values)
    return {kind: _sketch(values) for kind, values in together.items()}


def _sketch(values: list[float | None]) -> dict[str, Any]:
    finite = [abs(v) for v in values if v is not None and math.isfinite(v)]
    places = np.unique(np.linspace(0, len(values) - 1, min(SAMPLE, len(values))).round().astype(int))
    # JSON has no infinities: they are kept as text.
    sample = [v if v is None or math.isfinite(v) else str(v) for v in (values[i] for i in places)]
    return {"count": len(values), "total": float(f"{math.fsum(finite):.12g}"), "sample": sample}


def largest_difference(old: Mapping[str, Any], new: Mapping[str, Any]) -> tuple[float, str]:
    """Return how far two sketches are apart and where: 0 if equal, infinity if they are different in kind.

    The distance of two numbers is relative to the larger one; what is below `OF_THE_LARGEST` of the largest number in
    the sample is no difference.

    >>> old = {"axes 0, line, y": {"count": 2, "total": 3.0, "sample": [1.0, 2.0]}}
    >>> new = {"axes 0, line, y": {"count": 2, "total": 3.5, "sample": [1.0, 2.5]}}
    >>> largest_difference(old, new)
    (0.2, 'axes 0, line, y')
    """
    if {kind: part["count"] for kind, part in old.items()} != {kind: new[kind]["count"] for kind in new}:
        return math.inf, "not as many numbers"
    worst, where = 0.0, ""
    for kind, part in old.items():
        other = new[kind]
        found = max(_distance(part["sample"], other["sample"]), _distance([part["total"]], [other["total"]]))
        if found > worst:
            worst, where = found, kind
    return worst, where


def _distance(before: Sequence[float | str | None], after: Sequence[float | str | None]) -> float:
    a, b = (np.array([math.nan if v is None else float(v) for v in values]) for values in (before, after))
    finite = np.isfinite(a)
    if (finite != np.isfinite(b)).any() or not np.array_equal(a[~finite], b[~finite], equal_nan=True):
        return math.inf
    a, b = a[finite], b[finite]
    size = np.maximum(np.abs(a), np.abs(b))
    apart = np.abs(a - b)
    apart[apart <= OF_THE_LARGEST * size.max(initial=0.0)] = 0.0
    return float((apart / np.where(apart > 0, size, 1.0)).max(initial=0.0))


def watch(shell: Any, target: str) -> None:
    """Let `shell` append the data of each figure that a cell leaves open to the file `target`.

    The hook is registered before Matplotlib's own, which shows the figures of a cell and closes them.
    """

    def after_cell() -> None:
        if "matplotlib.pyplot" not in sys.modules:
            return
        from matplotlib._pylab_helpers import Gcf

        cell = shell.execution_count - 1  # it has been counted up already
        for manager in Gcf.get_all_fig_managers():
            data = drawn(manager.canvas.figure)
            with Path(target).open("a", encoding="utf-8") as stream:
                stream.write(json.dumps({"cell": cell, **data}) + "\n")

    shell.events.register("post_execute", after_cell)
