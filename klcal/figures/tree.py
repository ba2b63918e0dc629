"""Pictures of the tree: which nodes a game used, and how often."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from klcal.figures.canvas import MEASURED, axes_or_new


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
