"""Results become pictures; the only module that imports matplotlib.

Every function takes numbers, draws on `ax` (a new one by default) and returns it. Nothing here computes a quantity of
the theory, shows a window or saves a file, except `save_reliability` for the command line.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.resources import as_file, files
from pathlib import Path
from typing import Literal

import matplotlib.pyplot as plt
import numpy as np
import numpy.typing as npt
from matplotlib.axes import Axes

from klcal.cells import Cells

# One colour per role, in every figure of the book.
MEASURED, BOUND, REFERENCE, HIGHLIGHT = "#2a6f97", "#c8553d", "#888888", "#d9a441"


def use_style() -> None:
    """Apply the book's style to all figures of this process; a chapter calls it once.

    Examples
    --------
    >>> use_style()
    """
    with as_file(files("klcal") / "klcal.mplstyle") as path:
        plt.style.use(path)


def _axes(ax: Axes | None) -> Axes:
    return plt.subplots()[1] if ax is None else ax


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


def plot_curves(
    x: npt.ArrayLike,
    curves: Mapping[str, npt.ArrayLike],
    *,
    ax: Axes | None = None,
    xlabel: str = "",
    ylabel: str = "",
    title: str = "",
    log: str = "",
    bounds: Sequence[str] = (),
    ylim: tuple[float, float] | None = None,
    legend: bool = True,
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
    xlabel, ylabel, title : str
        Texts.
    log : {"", "x", "y", "xy"}
        Which axes are logarithmic.
    bounds : sequence of str
        Curves that are bounds, not measurements.
    ylim : (float, float), optional
        Limits of the vertical axis.
    legend : bool
        Whether to list the names, where there are several.

    Returns
    -------
    Axes
        The axes.

    Examples
    --------
    >>> [line.get_label() for line in plot_curves([0, 1], {"a": [1, 2], "b": [3, 4]}).lines]
    ['a', 'b']
    """
    ax = _axes(ax)
    for name, y in curves.items():
        if name in bounds:
            ax.plot(x, y, "--", color=BOUND if len(bounds) == 1 else None, label=name)
        else:
            ax.plot(x, y, label=name)
    if "x" in log:
        ax.set_xscale("log")
    if "y" in log:
        ax.set_yscale("log")
    if ylim is not None:
        ax.set_ylim(*ylim)
    ax.set(xlabel=xlabel, ylabel=ylabel, title=title)
    if len(curves) > 1 and legend:
        ax.legend()
    return ax


def plot_divergence(
    p: npt.ArrayLike,
    entropy: npt.ArrayLike,
    tangent: npt.ArrayLike,
    *,
    forecast: tuple[float, float],
    mean: tuple[float, float],
    on_tangent: float,
    ax: Axes | None = None,
    title: str = "",
    legend: Literal["lower center", "upper left"] = "lower center",
) -> Axes:
    """Draw a Bregman divergence as the gap between a concave curve and its tangent.

    Parameters
    ----------
    p, entropy, tangent : array_like, shape (n,)
        The curve and its tangent at the forecast.
    forecast : (float, float)
        The point of contact.
    mean : (float, float)
        The point of the curve above the mean.
    on_tangent : float
        Height of the tangent above the mean.
    ax : Axes, optional
        Where to draw.
    title : str
        Text above.
    legend : {"lower center", "upper left"}
        Where the names go.

    Returns
    -------
    Axes
        The axes.

    Examples
    --------
    >>> p = np.linspace(0, 1, 3)
    >>> ax = plot_divergence(p, p - p**2, 0.25 + 0 * p, forecast=(0.5, 0.25), mean=(1.0, 0.0), on_tangent=0.25)
    >>> ax.get_xlabel()
    'probability'
    """
    ax = _axes(ax)
    ax.plot(p, entropy, color=MEASURED, label="entropy: loss of the truth")
    ax.plot(p, tangent, "--", color=REFERENCE, label="tangent: loss of the forecast")
    ax.plot([mean[0], mean[0]], [mean[1], on_tangent], color=BOUND, lw=3, label="divergence")
    ax.plot(*forecast, "o", color=REFERENCE)
    ax.plot(*mean, "o", color=MEASURED)
    ax.set(xlabel="probability", ylabel="expected loss", title=title)
    ax.legend(loc=legend)
    return ax


def plot_reliability(cells: Cells, *, ax: Axes | None = None, title: str = "") -> Axes:
    """Draw empirical frequency against forecast, one disc per cell with area proportional to its mass.

    Parameters
    ----------
    cells : Cells
        Expected or realised cells; those without mass are left out.
    ax : Axes, optional
        Where to draw.
    title : str
        Text above.

    Returns
    -------
    Axes
        The axes.

    Examples
    --------
    >>> ax = plot_reliability(Cells([0.25, 0.75], [3, 0], [1, 0]))
    >>> len(ax.collections[0].get_offsets())
    1
    """
    ax = _axes(ax)
    seen = cells.mass > 0
    share = cells.mass[seen] / cells.mass.sum()
    ax.plot([0, 1], [0, 1], color=REFERENCE, lw=1)
    ax.vlines(cells.points[seen], cells.points[seen], cells.means[seen], color=BOUND, lw=1.2, zorder=2)
    ax.scatter(
        cells.points[seen],
        cells.means[seen],
        s=8 + 900 * share,
        color=MEASURED,
        alpha=0.65,
        zorder=3,
        clip_on=False,
    )
    ax.set(xlim=(-0.03, 1.03), ylim=(-0.03, 1.03), xlabel="forecast", ylabel="frequency of ones", title=title)
    ax.set_aspect("equal")
    return ax


def save_reliability(cells: Cells, path: Path) -> None:
    """Draw a reliability diagram into a file, for the command line.

    Parameters
    ----------
    cells : Cells
        What to draw.
    path : Path
        File whose ending names the format.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save_reliability(Cells([0.5], [1], [1]), Path(folder, "a.png"))
    ...     Path(folder, "a.png").exists()
    True
    """
    figure, ax = plt.subplots()
    plot_reliability(cells, ax=ax)
    figure.savefig(path)
    plt.close(figure)


def plot_grids(grids: Mapping[str, npt.ArrayLike], *, ax: Axes | None = None, title: str = "") -> Axes:
    """Draw the points of several grids as rows of ticks over [0, 1].

    Parameters
    ----------
    grids : mapping from str to array_like
        Points by name.
    ax : Axes, optional
        Where to draw.
    title : str
        Text above.

    Returns
    -------
    Axes
        The axes.

    Examples
    --------
    >>> [label.get_text() for label in plot_grids({"a": [0.5], "b": [0.25]}).get_yticklabels()]
    ['a', 'b']
    """
    ax = _axes(ax)
    for row, points in enumerate(grids.values()):
        ax.plot([0, 1], [row, row], color=REFERENCE, lw=0.8, zorder=1)
        ax.plot(points, np.full(np.shape(points), row), "|", ms=18, mew=2, zorder=2)
    ax.set_yticks(range(len(grids)), list(grids))
    ax.set(ylim=(len(grids) - 0.4, -0.6), xlabel="forecast", title=title)
    ax.grid(False)
    return ax


def plot_bars(
    values: Mapping[str, float],
    *,
    ax: Axes | None = None,
    xlabel: str = "",
    title: str = "",
    log: bool = False,
) -> Axes:
    """Draw named numbers as horizontal bars, first on top.

    Parameters
    ----------
    values : mapping from str to float
        Numbers by name.
    ax : Axes, optional
        Where to draw.
    xlabel, title : str
        Texts.
    log : bool
        Whether the axis is logarithmic.

    Returns
    -------
    Axes
        The axes.

    Examples
    --------
    >>> len(plot_bars({"a": 1.0, "b": 2.0}).patches)
    2
    """
    ax = _axes(ax)
    ax.barh(list(values), list(values.values()), color=MEASURED, height=0.6)
    ax.invert_yaxis()
    if log:
        ax.set_xscale("log")
    ax.set(xlabel=xlabel, title=title)
    ax.grid(axis="y", visible=False)
    return ax


def plot_landscape(
    targets: npt.ArrayLike,
    regret: npt.ArrayLike,
    *,
    best: tuple[float, float],
    start: tuple[float, float] | None = None,
    depth: float = 3.0,
    ax: Axes | None = None,
    xlabel: str = "",
    ylabel: str = "",
    title: str = "",
) -> Axes:
    """Draw the regret against swap functions of two forecasts as contours over their two images.

    Parameters
    ----------
    targets : array_like, shape (n,)
        Values that either forecast may be sent to.
    regret : array_like, shape (n, n)
        Row: image of the first forecast; column: image of the second.
    best : (float, float)
        Images under the best swap function.
    start : (float, float), optional
        The two forecasts themselves.
    depth : float
        How far below the largest regret the contours go.
    ax : Axes, optional
        Where to draw.
    xlabel, ylabel, title : str
        Texts.

    Returns
    -------
    Axes
        The axes.

    Examples
    --------
    >>> ax = plot_landscape([0.0, 0.5, 1.0], [[-1, 0, -1], [0, 1, 0], [-1, 0, -1]], best=(0.5, 0.5))
    >>> [line.get_xydata().tolist() for line in ax.lines]
    [[[0.5, 0.5]]]
    """
    ax = _axes(ax)
    heights = np.asarray(regret, dtype=float)
    top = float(heights.max())
    levels = np.linspace(top - depth, top, 13)
    ax.contourf(targets, targets, heights.T, levels=levels, cmap="Blues")
    ax.contour(targets, targets, heights.T, levels=levels, colors="white", linewidths=0.6, linestyles="-")
    if start is not None:
        ax.plot(*start, "o", color=BOUND, ms=7, label="forecasts")
    ax.plot(*best, "*", color=HIGHLIGHT, ms=14, mec="black", mew=0.6, label="means")
    ax.set(xlim=(0, 1), ylim=(0, 1), xlabel=xlabel, ylabel=ylabel, title=title)
    ax.set_aspect("equal")
    if start is not None:
        ax.legend(loc="lower left")
    return ax


def plot_two_ways(
    first: Mapping[str, float],
    second: Mapping[str, float],
    *,
    names: tuple[str, str],
    ax: Axes | None = None,
    xlabel: str = "",
    title: str = "",
) -> Axes:
    """Draw the same named numbers from two sources: bars for the first, crosses for the second.

    Parameters
    ----------
    first, second : mapping from str to float
        Numbers by name; both must have the same names.
    names : (str, str)
        What the two sources are called.
    ax : Axes, optional
        Where to draw.
    xlabel, title : str
        Texts.

    Returns
    -------
    Axes
        The axes, first name on top.

    Examples
    --------
    >>> ax = plot_two_ways({"a": 1.0, "b": 2.0}, {"b": 2.0, "a": 1.5}, names=("one", "two"))
    >>> [float(patch.get_width()) for patch in ax.patches], ax.lines[0].get_xdata().tolist()
    ([1.0, 2.0], [1.5, 2.0])
    """
    ax = _axes(ax)
    rows = range(len(first))
    ax.barh(rows, list(first.values()), color=MEASURED, height=0.6, label=names[0])
    ax.plot(np.array([second[name] for name in first]), rows, "x", color=BOUND, ms=9, mew=2, label=names[1])
    ax.set_yticks(rows, list(first))
    ax.invert_yaxis()
    ax.set(xlabel=xlabel, title=title)
    ax.grid(axis="y", visible=False)
    ax.legend(loc="lower right")
    return ax


def plot_histogram(
    values: npt.ArrayLike,
    marks: Mapping[str, float],
    *,
    ax: Axes | None = None,
    xlabel: str = "",
    ylabel: str = "",
    title: str = "",
) -> Axes:
    """Draw how often values occur, with named numbers as upright lines: the first solid, the others dashed.

    Parameters
    ----------
    values : array_like, shape (n,)
        What to count.
    marks : mapping from str to float
        Numbers to compare with, by name.
    ax : Axes, optional
        Where to draw.
    xlabel, ylabel, title : str
        Texts.

    Returns
    -------
    Axes
        The axes.

    Examples
    --------
    >>> ax = plot_histogram([1, 2, 2, 3], {"mean": 2.0})
    >>> sum(int(patch.get_height()) for patch in ax.patches), ax.lines[0].get_label()
    (4, 'mean')
    """
    ax = _axes(ax)
    ax.hist(np.asarray(values, dtype=float), bins=24, color=MEASURED, alpha=0.55)
    styles = ["-"] + ["--"] * (len(marks) - 1)
    colours = [MEASURED] + [BOUND] * (len(marks) - 1)
    for (name, value), style, colour in zip(marks.items(), styles, colours, strict=True):
        ax.axvline(value, ls=style, color=colour, lw=2.2, label=name)
    ax.set(xlabel=xlabel, ylabel=ylabel, title=title)
    ax.legend()
    return ax


def plot_levels(
    x: npt.ArrayLike,
    curves: Mapping[str, npt.ArrayLike],
    levels: Mapping[str, float],
    *,
    ax: Axes | None = None,
    xlabel: str = "",
    ylabel: str = "",
    title: str = "",
    ylim: tuple[float, float] | None = None,
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
    xlabel, ylabel, title : str
        Texts.
    ylim : (float, float), optional
        Limits of the vertical axis.

    Returns
    -------
    Axes
        The axes.

    Examples
    --------
    >>> ax = plot_levels([0, 1], {"a": [1, 2], "b": [3, 4]}, {"a": 2.0, "b": np.inf})
    >>> len(ax.lines), ax.lines[1].get_linestyle(), ax.lines[0].get_color() == ax.lines[1].get_color()
    (3, '--', True)
    """
    ax = _axes(ax)
    for name, y in curves.items():
        (line,) = ax.plot(x, y, label=name)
        if np.isfinite(levels.get(name, np.inf)):
            ax.axhline(levels[name], ls="--", lw=1.1, color=line.get_color(), zorder=1)
    if ylim is not None:
        ax.set_ylim(*ylim)
    ax.set(xlabel=xlabel, ylabel=ylabel, title=title)
    ax.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))
    return ax


def plot_spikes(
    points: npt.ArrayLike,
    heights: npt.ArrayLike,
    envelopes: Mapping[str, npt.ArrayLike],
    *,
    ax: Axes | None = None,
    xlabel: str = "",
    ylabel: str = "",
    title: str = "",
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
    xlabel, ylabel, title : str
        Texts.

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
    ax = _axes(ax)
    tips = np.asarray(heights, dtype=float)
    lowest = min(tips.min(), *(np.min(values) for values in envelopes.values())) / 3.0
    ax.vlines(points, lowest, tips, color=MEASURED, lw=1.4)
    ax.plot(points, tips, "o", color=MEASURED, ms=5, label="peaks")
    for number, (name, values) in enumerate(envelopes.items(), start=1):
        ax.plot(points, values, "--", color=f"C{number}", label=name)
    ax.set(xscale="log", yscale="log", ylim=(lowest, 3.0 * tips.max()))
    ax.set(xlabel=xlabel, ylabel=ylabel, title=title)
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
    """Draw one small panel per entry, all over the same axis and from 0 upwards; one legend for all.

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
    log : {"", "x"}
        Whether the horizontal axis is logarithmic.
    bounds : sequence of str
        Curves that are bounds, not measurements.

    Returns
    -------
    ndarray of Axes
        The panels, row by row.

    Examples
    --------
    >>> axes = plot_multiples([1, 2], {"first": {"a": [1, 2]}, "second": {"a": [3, 4]}})
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
        ax.set_ylim(bottom=0)
    return axes


def _angle(p: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    return np.arcsin(np.sqrt(np.clip(p, 0.0, 1.0)))


def _forecast(angle: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    return np.sin(angle) ** 2


def plot_over_cells(
    p: npt.ArrayLike,
    curves: Mapping[str, npt.ArrayLike],
    points: npt.ArrayLike,
    *,
    levels: Mapping[str, float] | None = None,
    ax: Axes | None = None,
    xlabel: str = "forecast",
    ylabel: str = "",
    title: str = "",
    xlim: tuple[float, float] = (0.0, 1.0),
    ylim: tuple[float, float] | None = None,
    legend: bool = True,
) -> Axes:
    """Draw curves over forecasts, with the cells of a grid and dashed levels that bound the curves.

    The axis is stretched at both ends so that the cells of a sine grid are equally wide.

    Parameters
    ----------
    p : array_like, shape (n,)
        Forecasts, increasing, in [0, 1].
    curves : mapping from str to array_like, shape (n,)
        What to draw, by name.
    points : array_like
        The grid; an upright line at each of its points.
    levels : mapping from str to float, optional
        Bounds by name.
    ax : Axes, optional
        Where to draw.
    xlabel, ylabel, title : str
        Texts.
    xlim : (float, float)
        Part of [0, 1] to show.
    ylim : (float, float), optional
        Limits of the vertical axis.
    legend : bool
        Whether to list the names.

    Returns
    -------
    Axes
        The axes.

    Examples
    --------
    >>> ax = plot_over_cells([0.0, 0.5, 1.0], {"a": [1, 2, 1]}, [0.25, 0.75], levels={"bound": 3.0})
    >>> [line.get_label() for line in ax.lines][-2:], ax.get_xlim()
    (['a', 'bound'], (np.float64(0.0), np.float64(1.0)))
    """
    ax = _axes(ax)
    for point in np.asarray(points, dtype=float):
        ax.axvline(point, color=REFERENCE, lw=0.6, alpha=0.6, zorder=1)
    for name, y in curves.items():
        ax.plot(p, y, label=name)
    colours = [BOUND, HIGHLIGHT, REFERENCE]
    for number, (name, level) in enumerate((levels or {}).items()):
        ax.axhline(level, ls="--", lw=1.4, color=colours[number % len(colours)], label=name, zorder=2)
    ax.set_xscale("function", functions=(_angle, _forecast))
    ticks = np.array([0, 0.02, 0.1, 0.25, 0.5, 0.75, 0.9, 0.98, 1])
    ax.set_xticks(ticks, [f"{tick:g}" for tick in ticks])
    ax.set(xlim=xlim, xlabel=xlabel, ylabel=ylabel, title=title)
    ax.grid(axis="x", visible=False)
    if ylim is not None:
        ax.set_ylim(*ylim)
    if legend:
        ax.legend()
    return ax


def plot_paths(
    paths: Mapping[str, tuple[npt.ArrayLike, npt.ArrayLike]],
    bound: Mapping[str, tuple[npt.ArrayLike, npt.ArrayLike]],
    *,
    ax: Axes | None = None,
    xlabel: str = "",
    ylabel: str = "",
    title: str = "",
    log: str = "",
) -> Axes:
    """Draw named paths that each have a horizontal axis of their own, and bounds on them, dashed.

    Parameters
    ----------
    paths, bound : mapping from str to pair of array_like
        Both coordinates, by name.
    ax : Axes, optional
        Where to draw.
    xlabel, ylabel, title : str
        Texts.
    log : {"", "x", "y", "xy"}
        Which axes are logarithmic.

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
    ax = _axes(ax)
    for name, (x, y) in paths.items():
        ax.plot(x, y, label=name)
    for name, (x, y) in bound.items():
        ax.plot(x, y, "--", color=BOUND, label=name)
    if "x" in log:
        ax.set_xscale("log")
    if "y" in log:
        ax.set_yscale("log")
    ax.set(xlabel=xlabel, ylabel=ylabel, title=title)
    ax.legend()
    return ax
