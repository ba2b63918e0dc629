"""The book's style, and where to draw."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from importlib.resources import as_file, files

import matplotlib.pyplot as plt
import numpy as np
import numpy.typing as npt
from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from klcal.figures.palette import BOUND, HIGHLIGHT, MEASURED, REFERENCE

__all__ = [
    "BOUND",
    "HIGHLIGHT",
    "MEASURED",
    "REFERENCE",
    "axes_or_new",
    "panels",
    "show_covered",
    "use_style",
]


def use_style() -> None:
    """Apply the book's style to all figures of this process; a chapter calls it once.

    In a notebook figures are stored as drawings (SVG) without a date, so that a second run leaves no difference.

    Examples
    --------
    >>> use_style()
    """
    with as_file(files("klcal.figures") / "klcal.mplstyle") as path:
        plt.style.use(path)
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    if shell is not None:
        from matplotlib_inline.backend_inline import set_matplotlib_formats

        nothing = dict.fromkeys(("Creator", "Date", "Format", "Type"))
        set_matplotlib_formats("svg", metadata=nothing)  # type: ignore[no-untyped-call]


def axes_or_new(ax: Axes | None, texts: Mapping[str, str] | None = None) -> Axes:
    """Return `ax`, or the axes of a new figure, with its texts.

    Parameters
    ----------
    ax : Axes or None
        Where to draw.
    texts : mapping from str to str, optional
        ``xlabel``, ``ylabel`` and ``title``.

    Returns
    -------
    Axes
        The axes.

    Examples
    --------
    >>> axes_or_new(None, {"title": "a grid"}).get_title()
    'a grid'
    """
    axes: Axes = plt.subplots()[1] if ax is None else ax
    axes.set(**(texts or {}))
    return axes


def panels(rows: int, columns: int, *, width: float = 3.3, height: float = 3.0) -> npt.NDArray[np.object_]:
    """Return a row or table of axes.

    Parameters
    ----------
    rows, columns : int
        Shape of the table.
    width, height : float
        Size of one panel in inches.

    Returns
    -------
    ndarray of Axes, shape (rows * columns,)
        The axes, row by row.

    Examples
    --------
    >>> len(panels(1, 2))
    2
    """
    axes = plt.subplots(rows, columns, figsize=(width * columns, height * rows), squeeze=False)[1]
    flat: npt.NDArray[np.object_] = axes.ravel()
    return flat


def show_covered(ax: Axes, lines: Sequence[Line2D] | None = None) -> None:
    """Let curves be seen that have others on top: they become broader, and what lies on a whole curve is broken.

    Parameters
    ----------
    ax : Axes
        With its scales and limits, before its legend is made.
    lines : sequence of Line2D, optional
        The curves; by default all. Straight lines between two points are left alone.

    Examples
    --------
    >>> ax = axes_or_new(None)
    >>> for name in "ab":
    ...     line = ax.plot([0, 1, 2], [0, 1, 4], label=name)
    >>> show_covered(ax)
    >>> (
    ...     ax.lines[0].get_linewidth() > ax.lines[1].get_linewidth(),
    ...     ax.lines[1].is_dashed(),
    ... )
    (True, True)
    """
    curves = [line for line in (ax.lines if lines is None else lines) if np.size(line.get_xdata()) > 2]
    layers: dict[Line2D, int] = {}
    twins: Counter[Line2D] = Counter()
    for line in sorted(curves, key=Line2D.get_zorder)[::-1]:
        shares = {other: _shared(ax, line, other) for other in layers}
        layers[line] = 1 + max((layers[other] for other, share in shares.items() if share > 0.2), default=-1)
        line.set_linewidth(line.get_linewidth() + 1.4 * layers[line])
        twins.update(other for other, share in shares.items() if share == 1.0 and not other.is_dashed())
    for line, number in twins.items():
        line.set_linestyle((0, (3, 3 * number)))


def _shared(ax: Axes, below: Line2D, above: Line2D) -> float:
    """Return on which share of its way a curve is so near to another one, upwards, that lines of usual width touch."""
    ax.autoscale_view()
    page = ax.transScale + ax.transLimits
    (x, y), (x_above, y_above) = (page.transform(line.get_xydata()).T for line in (below, above))
    across = np.linspace(x[0], x[-1], 200)
    one = np.interp(across, x, y)
    other = np.interp(across, x_above, y_above, left=np.nan, right=np.nan)
    seen = (one >= 0.0) & (one <= 1.0)
    return float(np.mean(np.abs(one - other)[seen] < 0.005)) if seen.any() else 0.0
