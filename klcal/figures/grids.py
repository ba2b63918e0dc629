"""How a grid comes about, and how it is used: a projected semicircle, and the steps of one round of Algorithm 1."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from matplotlib.axes import Axes

from klcal.figures.canvas import BOUND, HIGHLIGHT, MEASURED, REFERENCE, axes_or_new


def plot_semicircle(points: npt.ArrayLike, *, ax: Axes | None = None, **texts: str) -> Axes:
    """Draw the semicircle over [0, 1] and the points of a grid below it; the outermost two in the colour of bounds.

    Parameters
    ----------
    points : array_like, shape (n,)
        Increasing numbers in [0, 1], at least two. Each is the shadow of the point of the semicircle above it.
    ax : Axes, optional
        Where to draw.
    **texts : str
        Labels and title, for ``Axes.set``.

    Returns
    -------
    Axes
        The axes.

    Examples
    --------
    >>> ax = plot_semicircle([0.25, 0.5, 0.75])
    >>> len(ax.lines), ax.get_aspect()
    (5, 1.0)
    """
    ax = axes_or_new(ax, {"xlabel": "forecast"} | texts)
    grid = np.asarray(points, dtype=float)
    angles = np.linspace(0.0, np.pi, 181)
    ax.plot((1.0 - np.cos(angles)) / 2.0, np.sin(angles) / 2.0, color=REFERENCE, lw=1.0)
    ax.axhline(0.0, color=REFERENCE, lw=1.0)
    for number, (z, height) in enumerate(zip(grid, np.sqrt(grid * (1.0 - grid)), strict=True)):
        colour = BOUND if number in (0, len(grid) - 1) else MEASURED
        ax.plot([0.5, z, z], [0.0, height, 0.0], color=colour, lw=0.8, alpha=0.8)
        ax.scatter([z, z], [height, 0.0], color=colour, s=[14, 26], zorder=3)
    ax.set(aspect="equal", ylim=(-0.04, 0.54))
    ax.set_yticks([])
    ax.grid(False)
    ax.spines["left"].set_visible(False)
    return ax


def plot_round(
    points: npt.ArrayLike,
    leanings: npt.ArrayLike,
    Q: npt.ArrayLike,
    mixture: npt.ArrayLike,
    drawn: int,
    *,
    ax: Axes | None = None,
    **texts: str,
) -> Axes:
    """Draw one round of Algorithm 1 from left to right, all steps on the same upright axis of forecasts.

    Parameters
    ----------
    points, leanings : array_like, shape (n,)
        The grid, and where the learner of each point leans.
    Q : array_like, shape (n, n)
        Row i is the leaning of learner i, rounded to the grid.
    mixture : array_like, shape (n,)
        The stationary distribution of Q.
    drawn : int
        Number of the point that is drawn.
    ax : Axes, optional
        Where to draw.
    **texts : str
        Labels and title, for ``Axes.set``.

    Returns
    -------
    Axes
        The axes.

    Examples
    --------
    >>> ax = plot_round([0.25, 0.75], [0.5, 0.75], [[0.5, 0.5], [0, 1]], [0, 1], 1)
    >>> [label.get_text() for label in ax.get_xticklabels()]
    ['points', 'learners', 'rounding', 'mixture', 'draw']
    """
    ax = axes_or_new(ax, {"ylabel": "forecast"} | texts)
    z, w, chances = (np.asarray(values, dtype=float) for values in (points, leanings, mixture))
    matrix = np.asarray(Q, dtype=float)
    for i, (point, leaning) in enumerate(zip(z.tolist(), w.tolist(), strict=True)):
        used = chances[i] > 0.0
        colour = MEASURED if used else REFERENCE
        ax.plot([0.0, 1.0], [point, leaning], color=colour, lw=1.0, zorder=2 if used else 1)
        for j in np.flatnonzero(matrix[i]).tolist():
            width = 0.4 + 2.6 * matrix[i, j]
            ax.plot([1.0, 2.0], [leaning, z[j]], color=colour, lw=width, alpha=0.8, zorder=2 if used else 1)
        ax.scatter([0.0, 1.0], [point, leaning], color=colour, s=16, zorder=3)
    ax.scatter(np.full(len(z), 2.0), z, color=REFERENCE, s=12, zorder=3)
    ax.barh(z, 0.85 * chances, height=0.025, left=2.55, color=MEASURED)
    ax.scatter([4.0], [z[drawn]], color=HIGHLIGHT, s=90, zorder=3)
    names = {0.0: "points", 1.0: "learners", 2.0: "rounding", 3.0: "mixture", 4.0: "draw"}
    ax.set_xticks(list(names), list(names.values()))
    ax.set(xlim=(-0.3, 4.4), ylim=(0.0, 1.0))
    ax.grid(False)
    return ax
