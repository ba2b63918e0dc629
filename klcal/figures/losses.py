"""Many losses in one picture: the profile over kinks with its envelope, regrets below bounds, ladders of bounds."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt
from matplotlib.axes import Axes

from klcal.figures.canvas import BOUND, HIGHLIGHT, MEASURED, REFERENCE, axes_or_new
from klcal.figures.palette import colours
from klcal.measures.profiles import VProfile

_MARKERS = ("o", "D", "^", "s", "v", "P", "X")


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


def plot_below(
    groups: Mapping[str, tuple[npt.ArrayLike, npt.ArrayLike]],
    *,
    ax: Axes | None = None,
    lim: tuple[float, float] | None = None,
    **texts: str,
) -> Axes:
    """Draw values against their bounds on logarithmic axes: a value within its bound lies on or below the diagonal.

    Parameters
    ----------
    groups : mapping from str to pair of array_like
        Bounds and values, by name.
    ax : Axes, optional
        Where to draw.
    lim : (float, float), optional
        Limits of both axes; by default what is needed to show every point.
    **texts : str
        Labels and title, for ``Axes.set``.

    Returns
    -------
    Axes
        The axes; the diagonal is dashed.

    Examples
    --------
    >>> ax = plot_below({"a": ([1.0, 2.0], [0.5, 2.0])})
    >>> ax.lines[0].get_xydata().tolist(), ax.collections[0].get_offsets().tolist()
    ([[0.35, 0.35], [2.8, 2.8]], [[1.0, 0.5], [2.0, 2.0]])
    """
    ax = axes_or_new(ax, texts)
    if lim is None:
        every = np.concatenate(
            [np.ravel(np.asarray(part, dtype=float)) for pair in groups.values() for part in pair]
        )
        lim = (0.7 * float(every.min()), 1.4 * float(every.max()))
    ax.plot(lim, lim, "--", color=BOUND, label="bound", zorder=1)
    own = colours(groups)
    for number, (name, (bound, value)) in enumerate(groups.items()):
        marker = _MARKERS[number % len(_MARKERS)]
        ax.scatter(
            bound,
            value,
            s=24,
            marker=marker,
            lw=0.9,
            edgecolors=own[name],
            facecolors="none",
            label=name,
            zorder=3,
        )
    ax.set(xscale="log", yscale="log", xlim=lim, ylim=lim)
    ax.set_aspect("equal")
    ax.legend()
    return ax


def plot_rungs(ladders: Mapping[str, Mapping[str, float]], *, ax: Axes | None = None, **texts: str) -> Axes:
    """Draw one row per entry with a mark for each of its named numbers, on a logarithmic axis.

    Parameters
    ----------
    ladders : mapping from str to mapping from str to float
        Positive numbers by name, by row; all rows have the same names. The first is what was measured, the others
        bound it.
    ax : Axes, optional
        Where to draw.
    **texts : str
        Labels and title, for ``Axes.set``.

    Returns
    -------
    Axes
        The axes, first row on top.

    Examples
    --------
    >>> ax = plot_rungs(
    ...     {"a": {"value": 1.0, "bound": 2.0}, "b": {"value": 3.0, "bound": 4.0}}
    ... )
    >>> [line.get_xdata().tolist() for line in ax.lines], ax.get_xscale()
    ([[1.0, 3.0], [2.0, 4.0]], 'log')
    """
    ax = axes_or_new(ax, texts)
    rows = np.arange(len(ladders))
    names = list(next(iter(ladders.values())))
    table = np.array([[ladder[name] for name in names] for ladder in ladders.values()])
    ax.hlines(rows, table.min(axis=1), table.max(axis=1), color=REFERENCE, lw=0.8, zorder=1)
    for number, name in enumerate(names):
        marker, size = _MARKERS[number % len(_MARKERS)], 7 if number % 2 == 0 else 9
        # Hollow, so that marks at the same place are all seen.
        fill = "full" if number == 0 else "none"
        ax.plot(
            table[:, number], rows, marker, color=f"C{number}", ms=size, mew=1.4, fillstyle=fill, label=name
        )
    ax.set_yticks(rows, list(ladders))
    ax.invert_yaxis()
    ax.set(xscale="log")
    ax.grid(axis="y", visible=False)
    ax.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))
    return ax
