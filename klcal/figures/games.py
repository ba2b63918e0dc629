"""Pictures of solved games: one matrix game in the plane, and moves over counts."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
import numpy.typing as npt
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from klcal.figures.canvas import BOUND, HIGHLIGHT, MEASURED, REFERENCE, axes_or_new
from klcal.figures.palette import BALANCE


def plot_matrix_game(
    payoff: npt.ArrayLike,
    mixture: npt.ArrayLike,
    *,
    chance: float | None = None,
    names: tuple[str, ...] = (),
    ax: Axes | None = None,
    legend: bool = True,
    **texts: str,
) -> Axes:
    """Draw a game with two columns: each row is a point of the plane, a mixture lies between them.

    Parameters
    ----------
    payoff : array_like, shape (m, 2)
        Cost of each row by column.
    mixture : array_like, shape (m,)
        The shares of an optimal mixture; the rows that have one are joined.
    chance : float, optional
        The column player's chance of the second column; the line of all points with the mixture's mean cost at this
        chance is dashed.
    names : tuple of str
        Text beside each row.
    ax : Axes, optional
        Where to draw.
    legend : bool
        Whether to explain the marks.
    **texts : str
        Labels and title, for ``Axes.set``.

    Returns
    -------
    Axes
        The axes, with equal scales. The square holds all pairs of costs that are at most those of the mixture.

    Examples
    --------
    >>> ax = plot_matrix_game([[0.0, 2.0], [1.0, 0.0]], [1 / 3, 2 / 3])
    >>> [float(x.round(3)) for x in ax.collections[-1].get_offsets()[0]]
    [0.667, 0.667]
    """
    ax = axes_or_new(ax, {"xlabel": "cost if 0 happens", "ylabel": "cost if 1 happens"} | texts)
    points, shares = np.asarray(payoff, dtype=np.float64), np.asarray(mixture, dtype=np.float64)
    optimum = shares @ points
    used = points[shares > 0.0]
    low, high = float(points.min()), float(points.max())
    reach = np.array([low - 0.06 * (high - low), high + 0.18 * (high - low)])
    corner = float(optimum.max())
    ax.fill_between([reach[0], corner], reach[0], corner, color=HIGHLIGHT, alpha=0.15, linewidth=0)
    ax.plot(reach, reach, color=REFERENCE, linewidth=1, label="equal costs")
    if chance is not None:
        normal = np.array([1.0 - chance, chance])
        across = 2.0 * (high - low) * np.array([[-normal[1], normal[0]], [normal[1], -normal[0]]])
        ax.plot(*(optimum + across).T, "--", color=BOUND, linewidth=1.2, label="what the adversary ensures")
    if len(used) > 1:
        ax.plot(used[:, 0], used[:, 1], color=MEASURED, label="mixtures of two rows")
    ax.scatter(points[:, 0], points[:, 1], color=MEASURED, zorder=3, label="rows")
    ax.scatter(*optimum, color=BOUND, marker="D", zorder=4, label="optimal mixture")
    for name, (x, y) in zip(names, points, strict=False):
        # Beside the diagonal where the point lies on it.
        offset = (12, -3) if abs(x - y) < 0.02 * (high - low) else (6, 4)
        ax.annotate(name, (x, y), xytext=offset, textcoords="offset points", fontsize=9)
    ax.set(xlim=reach, ylim=reach, aspect="equal")
    if legend:
        ax.legend(loc="center right", bbox_to_anchor=(1, 0.33), fontsize=8)
    return ax


def plot_counts(
    values: npt.ArrayLike,
    *,
    ax: Axes | None = None,
    limits: tuple[float, float] = (0.0, 1.0),
    label: str = "",
    **texts: str,
) -> Axes:
    """Draw a number for each pair of counts as a coloured square; pairs without one stay empty.

    Parameters
    ----------
    values : array_like, shape (n, n)
        Entry (a, b) after a zeros and b ones; NaN where there is none.
    ax : Axes, optional
        Where to draw.
    limits : (float, float)
        The numbers at both ends of the colour scale.
    label : str
        Text beside the colour scale.
    **texts : str
        Labels and title, for ``Axes.set``.

    Returns
    -------
    Axes
        The axes.

    Examples
    --------
    >>> ax = plot_counts([[0.5, 0.7], [0.3, float("nan")]], label="chance")
    >>> ax.get_xlabel(), ax.get_ylabel()
    ('zeros', 'ones')
    """
    ax = axes_or_new(ax, {"xlabel": "zeros", "ylabel": "ones"} | texts)
    table = np.asarray(values, dtype=np.float64)
    edges = np.arange(len(table) + 1) - 0.5
    fields = np.ma.masked_invalid(table.T)
    image = ax.pcolormesh(edges, edges, fields, cmap=BALANCE, vmin=limits[0], vmax=limits[1])
    image.set(edgecolor="face", linewidth=0.3)
    ax.set_aspect("equal")
    ax.grid(visible=False)
    ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    ax.yaxis.set_major_locator(MaxNLocator(integer=True))
    bar = plt.colorbar(image, ax=ax, label=label, shrink=0.85)
    # A raster image would keep its light colours in a dark page.
    plt.setp(bar.ax.collections, rasterized=False, edgecolor="face")
    return ax
