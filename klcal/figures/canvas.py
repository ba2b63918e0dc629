"""The book's style, its colours, and where to draw."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.resources import as_file, files

import matplotlib.pyplot as plt
import numpy as np
import numpy.typing as npt
from matplotlib.axes import Axes

# One colour per role, in every figure of the book.
MEASURED, BOUND, REFERENCE, HIGHLIGHT = "#2a6f97", "#c8553d", "#888888", "#d9a441"


def use_style() -> None:
    """Apply the book's style to all figures of this process; a chapter calls it once.

    Examples
    --------
    >>> use_style()
    """
    with as_file(files("klcal.figures") / "klcal.mplstyle") as path:
        plt.style.use(path)


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
