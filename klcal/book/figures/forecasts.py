"""Drawings of one page each: cells, a profile, a round."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from matplotlib.axes import Axes

from klcal.figures.canvas import BOUND, HIGHLIGHT, MEASURED, REFERENCE, axes_or_new
from klcal.measures.suprema import VProfile


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
