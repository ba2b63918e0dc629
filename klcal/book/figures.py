"""Every drawing of the book: those of the library, and those that one page needs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from klcal import _checks
from klcal.figures import *  # noqa: F403
from klcal.measures.suprema import VProfile

with _checks.extra("figures"):
    import matplotlib.pyplot as plt
    from matplotlib.axes import Axes
    from matplotlib.ticker import MaxNLocator

    from klcal.figures.canvas import (
        BALANCE,
        BOUND,
        HIGHLIGHT,
        MEASURED,
        REFERENCE,
        axes_or_new,
        colours,
        panels,
    )


def _angle(p: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    return np.arcsin(np.sqrt(np.clip(p, 0.0, 1.0)))


def _forecast(angle: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    return np.sin(angle) ** 2


def plot_cells(points: npt.ArrayLike, *, ax: Axes | None = None, **texts: str) -> Axes:
    """Prepare axes for curves over forecasts: an upright line at each point of a grid, both ends stretched.

    The cells of a sine grid are equally wide on it.

    Parameters
    ----------
    points : array_like
        The grid.
    ax : Axes, optional
        Where to draw.
    **texts : str
        Labels and title, for ``Axes.set``.

    Returns
    -------
    Axes
        The axes, for curves and labels.

    Examples
    --------
    >>> ax = plot_cells([0.25, 0.75])
    >>> len(ax.lines), ax.get_xlim()
    (2, (np.float64(0.0), np.float64(1.0)))
    """
    ax = axes_or_new(ax, {"xlabel": "forecast"} | texts)
    for point in np.asarray(points, dtype=float):
        ax.axvline(point, color=REFERENCE, lw=0.6, alpha=0.6, zorder=1)
    ax.set_xscale("function", functions=(_angle, _forecast))
    ticks = np.array([0, 0.02, 0.1, 0.25, 0.5, 0.75, 0.9, 0.98, 1])
    ax.set_xticks(ticks, [f"{tick:g}" for tick in ticks])
    ax.set(xlim=(0.0, 1.0))
    ax.grid(axis="x", visible=False)
    return ax


def plot_profile(
    profile: VProfile,
    *,
    kinks: npt.ArrayLike | None = None,
    ax: Axes | None = None,
    legend: bool = True,
    **texts: str,
) -> Axes:
    """Draw a profile, the concave envelope above it, and the chord over 1/2 that a worst loss uses.

    Parameters
    ----------
    profile : VProfile
        A piecewise linear function with jumps.
    kinks : array_like, optional
        Break points where the chord ends, marked by discs; a star marks the height of the envelope at 1/2.
    ax : Axes, optional
        Where to draw.
    legend : bool
        Whether to list the names.
    **texts : str
        Labels and title, for ``Axes.set``.

    Returns
    -------
    Axes
        The axes; jumps are dotted.

    Examples
    --------
    >>> ax = plot_profile(
    ...     VProfile(np.array([0, 0.5, 1]), np.array([0, 0, 0]), np.array([0, 2, 0])),
    ...     kinks=[0.5],
    ... )
    >>> ax.lines[0].get_ydata().tolist(), ax.lines[-1].get_xydata().tolist()
    ([0.0, 0.0, nan, 2.0, 0.0, nan], [[0.5, 2.0]])
    """
    ax = axes_or_new(ax, {"xlabel": "place of the kink"} | texts)
    u, before, after = (
        np.asarray(part, dtype=float) for part in (profile.points, profile.left, profile.right)
    )
    gaps = np.full(len(u) - 1, np.nan)
    pieces = np.stack([u[:-1], u[1:], gaps], axis=1), np.stack([after[:-1], before[1:], gaps], axis=1)
    ax.plot(pieces[0].ravel(), pieces[1].ravel(), color=MEASURED, label="profile", zorder=3)
    ax.vlines(u, before, after, color=MEASURED, lw=0.9, ls=":", zorder=2)
    corners = profile.envelope()
    ax.plot(*corners, "--", color=BOUND, lw=1.6, label="concave envelope", zorder=3)
    ax.axvline(0.5, color=REFERENCE, lw=0.8, zorder=1)
    if kinks is not None:
        ax.plot(kinks, profile.at(kinks), "o", color=BOUND, ms=7, label="kinks of the worst loss", zorder=4)
        top = float(np.interp(0.5, *corners))
        ax.plot(
            [0.5], [top], "*", color=HIGHLIGHT, ms=15, mec="black", mew=0.6, label="height at 1/2", zorder=5
        )
    ax.set(xlim=(-0.02, 1.02))
    if legend:
        # Above the picture: inside, its disc and star would look like data.
        ax.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=2)
    return ax


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


def plot_spreads(
    spreads: Mapping[str, Mapping[str, Sequence[float]]],
    levels: Mapping[str, Mapping[str, float]],
    *,
    xlabel: str = "",
) -> npt.NDArray[np.object_]:
    """Draw one panel per group; in it numbers of many runs by name, from least to largest, with their mean marked.

    Parameters
    ----------
    spreads : mapping from str to mapping from str to (float, float, float)
        By group and name: least, mean and largest value. All groups have the same names.
    levels : mapping from str to mapping from str to float
        By group: upright lines to compare with, by name.
    xlabel : str
        What the numbers are.

    Returns
    -------
    ndarray of Axes
        One per group, names on the first one, first name on top.

    Examples
    --------
    >>> axes = plot_spreads(
    ...     {"left": {"a": (1, 2, 4)}, "right": {"a": (2, 3, 3)}},
    ...     {"left": {"bound": 5.0}},
    ... )
    >>> (
    ...     len(axes),
    ...     axes[0].lines[-1].get_label(),
    ...     axes[0].get_yticklabels()[0].get_text(),
    ... )
    (2, 'bound', 'a')
    """
    names = list(next(iter(spreads.values())))
    axes = panels(1, len(spreads), width=2.8, height=0.9 + 0.28 * len(names))
    own = colours(spreads)
    for ax, (title, group) in zip(axes, spreads.items(), strict=True):
        for row, (least, mean, largest) in enumerate(group.values()):
            ax.plot([least, largest], [row, row], "-", color=own[title], lw=4, solid_capstyle="butt")
            ax.plot([mean], [row], "|", color="black", ms=9, mew=1.5)
        for (name, level), style in zip(levels.get(title, {}).items(), ("--", ":", "-."), strict=False):
            ax.axvline(level, ls=style, color=BOUND, lw=1.2, label=name)
        ax.set_yticks(range(len(names)), names if ax is axes[0] else [""] * len(names))
        ax.set_ylim(len(names) - 0.5, -0.5)
        ax.set(xlabel=xlabel, title=title)
        ax.set_xlim(left=0)
        ax.grid(axis="y", visible=False)
        if title in levels:
            ax.legend(loc="upper center", bbox_to_anchor=(0.5, -0.16))
    return axes
