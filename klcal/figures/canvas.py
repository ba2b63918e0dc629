"""The book's style, and where to draw."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from importlib.resources import as_file, files

import matplotlib.pyplot as plt
import numpy as np
import numpy.typing as npt
from matplotlib.axes import Axes

from klcal.figures.palette import BOUND, HIGHLIGHT, MEASURED, REFERENCE

__all__ = ["BOUND", "HIGHLIGHT", "MEASURED", "REFERENCE", "axes_or_new", "panels", "use_style"]


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
