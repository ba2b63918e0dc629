"""Curves over a common axis, measured and bounds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt
from matplotlib.axes import Axes

from klcal.figures.canvas import BOUND, MEASURED, axes_or_new, panels, show_covered
from klcal.figures.palette import colours


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


def plot_levels(
    x: npt.ArrayLike,
    curves: Mapping[str, npt.ArrayLike],
    levels: Mapping[str, float],
    *,
    ax: Axes | None = None,
    ylim: tuple[float, float] | None = None,
    **texts: str,
) -> Axes:
    """Draw named curves, and the level of each as a dashed line in the colour of its curve.

    Parameters
    ----------
    x : array_like, shape (n,)
        Common horizontal axis.
    curves : mapping from str to array_like, shape (n,)
        What to draw, by name.
    levels : mapping from str to float
        A level for some or all of the curves; infinite ones are left out.
    ax : Axes, optional
        Where to draw.
    ylim : (float, float), optional
        Limits of the vertical axis.
    **texts : str
        Labels and title, for ``Axes.set``.

    Returns
    -------
    Axes
        The axes.

    Examples
    --------
    >>> ax = plot_levels([0, 1], {"a": [1, 2], "b": [3, 4]}, {"a": 2.0, "b": np.inf})
    >>> (
    ...     len(ax.lines),
    ...     ax.lines[1].get_linestyle(),
    ...     ax.lines[0].get_color() == ax.lines[1].get_color(),
    ... )
    (3, '--', True)
    """
    ax = axes_or_new(ax, texts)
    own, drawn = colours(curves), list[float]()
    for name, y in curves.items():
        ax.plot(x, y, label=name, color=own[name])
        level = levels.get(name, np.inf)
        if np.isfinite(level):
            # The dashes of a second level at the same height fill the gaps of the first.
            shift = 4 * sum(np.isclose(level, drawn))
            ax.axhline(level, ls=(shift, (4, 4)), lw=1.1, color=own[name], zorder=1)
            drawn.append(level)
    if ylim is not None:
        ax.set_ylim(*ylim)
    show_covered(ax)
    ax.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))
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


def plot_spikes(
    points: npt.ArrayLike,
    heights: npt.ArrayLike,
    envelopes: Mapping[str, npt.ArrayLike],
    *,
    ax: Axes | None = None,
    **texts: str,
) -> Axes:
    """Draw needles too thin to see as upright lines, and curves that ought to bound them, dashed.

    Parameters
    ----------
    points, heights : array_like, shape (n,)
        Where the needles stand and how high they are, both positive.
    envelopes : mapping from str to array_like, shape (n,)
        Values of the bounds at `points`, by name.
    ax : Axes, optional
        Where to draw.
    **texts : str
        Labels and title, for ``Axes.set``.

    Returns
    -------
    Axes
        Both axes are logarithmic.

    Examples
    --------
    >>> ax = plot_spikes([0.25, 0.5], [8.0, 4.0], {"bound": [5.0, 5.0]})
    >>> ax.get_yscale(), ax.lines[0].get_ydata().tolist()
    ('log', [8.0, 4.0])
    """
    ax = axes_or_new(ax, texts)
    tips = np.asarray(heights, dtype=float)
    lowest = min(tips.min(), *(np.min(values) for values in envelopes.values())) / 3.0
    ax.vlines(points, lowest, tips, color=MEASURED, lw=1.4)
    ax.plot(points, tips, "o", color=MEASURED, ms=5, label="peaks")
    for number, (name, values) in enumerate(envelopes.items(), start=1):
        ax.plot(points, values, "--", color=f"C{number}", label=name)
    ax.set(xscale="log", yscale="log", ylim=(lowest, 3.0 * tips.max()))
    ax.legend()
    return ax
