"""Pictures of the tree: its cells level by level, and which nodes a game used, how often."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from klcal.figures.canvas import MEASURED, REFERENCE, axes_or_new


def plot_nodes(
    forecasts: npt.ArrayLike, levels: npt.ArrayLike, rounds: npt.ArrayLike, *, ax: Axes | None = None
) -> Axes:
    """Draw the used nodes of the tree, one row per level, the root on top; the area of a dot is its rounds.

    Parameters
    ----------
    forecasts, levels, rounds : array_like, shape (n,)
        Forecast, level and number of rounds of each node; a node without rounds is a small open dot.
    ax : Axes, optional
        Where to draw.

    Returns
    -------
    Axes
        The axes.

    Examples
    --------
    >>> ax = plot_nodes([0.5, 0.25, 0.75], [0, 1, 1], [1, 2, 0])
    >>> len(ax.collections), ax.get_xlabel()
    (2, 'forecast')
    """
    z, rows, n = (np.asarray(values, dtype=float) for values in (forecasts, levels, rounds))
    ax = axes_or_new(ax, {"xlabel": "forecast", "ylabel": "level"})
    used = n > 0
    ax.scatter(
        z[used], rows[used], s=8.0 + 400.0 * n[used] / max(n.max(), 1.0), color=MEASURED, alpha=0.6, zorder=2
    )
    ax.scatter(z[~used], rows[~used], s=10.0, facecolors="none", edgecolors=MEASURED, zorder=2)
    ax.set_xlim(0.0, 1.0)
    ax.invert_yaxis()
    ax.yaxis.set_major_locator(MaxNLocator(integer=True))
    return ax


def plot_tree(
    ends: npt.ArrayLike, levels: npt.ArrayLike, filled: npt.ArrayLike, *, ax: Axes | None = None
) -> Axes:
    """Draw the cells of the tree, one row per level, the root on top; the darker a cell, the fuller it is.

    Parameters
    ----------
    ends : array_like, shape (n, 2)
        Both ends of each cell.
    levels : array_like, shape (n,)
        Level of each cell.
    filled : array_like, shape (n,)
        Share of its capacity that each cell has used, from 0 to 1.
    ax : Axes, optional
        Where to draw.

    Returns
    -------
    Axes
        The axes; a full cell has a thick edge and stands above its two halves.

    Examples
    --------
    >>> ax = plot_tree([(0, 1), (0, 0.5), (0.5, 1)], [0, 1, 1], [1, 0.5, 0])
    >>> len(ax.patches), ax.get_ylabel()
    (3, 'level')
    """
    cells, rows, shares = (np.asarray(values, dtype=float) for values in (ends, levels, filled))
    ax = axes_or_new(ax, {"xlabel": "probability of outcome 1", "ylabel": "level"})
    for (low, high), row, share in zip(cells, rows, shares, strict=True):
        ax.barh(row, high - low, left=low, height=0.86, color=MEASURED, alpha=0.06 + 0.74 * share, zorder=1)
        ax.patches[-1].set(edgecolor=REFERENCE, linewidth=1.4 if share >= 1.0 else 0.5)
    ax.set_xlim(0.0, 1.0)
    ax.set_ylim(rows.max() + 0.5, -0.5)
    ax.yaxis.set_major_locator(MaxNLocator(integer=True))
    ax.grid(visible=False)
    return ax
