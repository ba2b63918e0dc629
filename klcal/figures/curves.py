"""Curves over a common axis: measured ones and bounds, growth with the horizon, the profile over kinks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt
from matplotlib.axes import Axes

from klcal.figures.canvas import (
    BOUND,
    HIGHLIGHT,
    MEASURED,
    REFERENCE,
    axes_or_new,
    colours,
    panels,
    show_covered,
)
from klcal.measures.suprema import VProfile


def plot_curves(
    x: npt.ArrayLike,
    curves: Mapping[str, npt.ArrayLike],
    *,
    ax: Axes | None = None,
    log: str = "",
    bounds: Sequence[str] = (),
    ylim: tuple[float, float] | None = None,
    legend: bool = True,
    **texts: str,
) -> Axes:
    """Draw named curves over a common axis; the names in `bounds` are dashed.

    Parameters
    ----------
    x : array_like, shape (n,)
        Common horizontal axis.
    curves : mapping from str to array_like, shape (n,)
        What to draw, by name.
    ax : Axes, optional
        Where to draw.
    log : {"", "x", "y", "xy"}
        Which axes are logarithmic.
    bounds : sequence of str
        Curves that are bounds, not measurements.
    ylim : (float, float), optional
        Limits of the vertical axis.
    legend : bool
        Whether to list the names, where there are several.
    **texts : str
        Labels and title, for ``Axes.set``.

    Returns
    -------
    Axes
        The axes.

    Examples
    --------
    >>> [
    ...     line.get_label()
    ...     for line in plot_curves([0, 1], {"a": [1, 2], "b": [3, 4]}).lines
    ... ]
    ['a', 'b']
    """
    ax = axes_or_new(ax, texts)
    own = colours(name for name in curves if len(bounds) != 1 or name not in bounds)
    for name, y in curves.items():
        ax.plot(x, y, "--" if name in bounds else "-", color=own.get(name, BOUND), label=name)
    ax.set(**{f"{axis}scale": "log" for axis in log})
    if ylim is not None:
        ax.set_ylim(*ylim)
    show_covered(ax)
    if len(curves) > 1 and legend:
        ax.legend()
    return ax


def plot_multiples(
    x: npt.ArrayLike,
    multiples: Mapping[str, Mapping[str, npt.ArrayLike]],
    *,
    columns: int = 2,
    xlabel: str = "",
    log: str = "",
    bounds: Sequence[str] = (),
) -> npt.NDArray[np.object_]:
    """Draw one small panel per entry, all over the same axis, from 0 upwards unless logarithmic; one legend for all.

    Parameters
    ----------
    x : array_like, shape (n,)
        Common horizontal axis.
    multiples : mapping from str to mapping from str to array_like, shape (n,)
        Curves by name, as for `plot_curves`, by the title of their panel.
    columns : int
        Panels side by side.
    xlabel : str
        Text below the lowest panels.
    log : {"", "x", "y", "xy"}
        Which axes are logarithmic.
    bounds : sequence of str
        Curves that are bounds, not measurements.

    Returns
    -------
    ndarray of Axes
        The panels, row by row.

    Examples
    --------
    >>> axes = plot_multiples(
    ...     [1, 2], {"first": {"a": [1, 2]}, "second": {"a": [3, 4]}}
    ... )
    >>> [ax.get_title(loc="left") or ax.get_title() for ax in axes]
    ['first', 'second']
    """
    rows = -(-len(multiples) // columns)
    every = panels(rows, columns, width=3.9, height=2.5)
    axes = every[: len(multiples)]
    for spare in every[len(multiples) :]:
        spare.set_visible(False)
    for place, (ax, (title, curves)) in enumerate(zip(axes, multiples.items(), strict=True)):
        below = xlabel if place + columns >= len(multiples) else ""
        plot_curves(x, curves, ax=ax, title=title, xlabel=below, log=log, bounds=bounds, legend=place == 0)
        if "y" not in log:
            ax.set_ylim(bottom=0)
    return axes


def plot_paths(
    paths: Mapping[str, tuple[npt.ArrayLike, npt.ArrayLike]],
    bound: Mapping[str, tuple[npt.ArrayLike, npt.ArrayLike]],
    *,
    ax: Axes | None = None,
    log: str = "",
    legend: bool = True,
    **texts: str,
) -> Axes:
    """Draw named paths that each have a horizontal axis of their own, and bounds on them, dashed.

    Parameters
    ----------
    paths, bound : mapping from str to pair of array_like
        Both coordinates, by name.
    ax : Axes, optional
        Where to draw.
    log : {"", "x", "y", "xy"}
        Which axes are logarithmic.
    legend : bool
        Whether to list the names.
    **texts : str
        Labels and title, for ``Axes.set``.

    Returns
    -------
    Axes
        The axes.

    Examples
    --------
    >>> ax = plot_paths({"a": ([1, 2], [1, 1])}, {"bound": ([1, 2, 3], [1, 2, 3])})
    >>> [line.get_linestyle() for line in ax.lines]
    ['-', '--']
    """
    ax = axes_or_new(ax, texts)
    own = colours(paths)
    for name, (x, y) in paths.items():
        ax.plot(x, y, label=name, color=own[name])
    for name, (x, y) in bound.items():
        ax.plot(x, y, "--", color=BOUND, label=name)
    ax.set(**{f"{axis}scale": "log" for axis in log})
    show_covered(ax)
    if legend:
        ax.legend()
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
