"""Pictures whose axis is the forecast: reliability diagrams, grids, cells, divergences."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Literal

import matplotlib.pyplot as plt
import numpy as np
import numpy.typing as npt
from matplotlib.axes import Axes

from klcal.figures.canvas import BOUND, HIGHLIGHT, MEASURED, REFERENCE, axes_or_new, show_covered
from klcal.figures.palette import AMOUNT, colours
from klcal.measures import Band
from klcal.measures.cells import Cells


def plot_reliability(
    cells: Cells, *, band: Band | None = None, ax: Axes | None = None, title: str = ""
) -> Axes:
    """Draw empirical frequency against forecast, one disc per cell with area proportional to its mass.

    Parameters
    ----------
    cells : Cells
        Expected or realised cells; those without mass are left out.
    band : Band, optional
        Where the frequencies may lie, from `klcal.measures.consistency_band`; drawn as broad grey bars.
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
    >>> len(ax.collections[-1].get_offsets())
    1
    """
    ax = axes_or_new(ax)
    seen = cells.mass > 0
    share = cells.mass[seen] / cells.mass.sum()
    ax.plot([0, 1], [0, 1], color=REFERENCE, lw=1)
    if band is not None:
        ax.vlines(
            cells.points[seen],
            band.lower[seen],
            band.upper[seen],
            color=REFERENCE,
            lw=6,
            alpha=0.35,
            zorder=1.5,
            label="consistency band",
        )
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
    if band is not None:
        ax.legend(loc="upper left")
    return ax


def save_reliability(cells: Cells, path: Path, *, band: Band | None = None) -> None:
    """Draw a reliability diagram into a file, for the command line.

    Parameters
    ----------
    cells : Cells
        What to draw.
    path : Path
        File whose ending names the format.
    band : Band, optional
        Where the frequencies may lie.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save_reliability(Cells([0.5], [1], [1]), Path(folder, "a.png"))
    ...     Path(folder, "a.png").exists()
    True
    """
    figure, ax = plt.subplots()
    plot_reliability(cells, band=band, ax=ax)
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
    >>> [
    ...     label.get_text()
    ...     for label in plot_grids({"a": [0.5], "b": [0.25]}).get_yticklabels()
    ... ]
    ['a', 'b']
    """
    ax = axes_or_new(ax)
    for row, points in enumerate(grids.values()):
        ax.plot([0, 1], [row, row], color=REFERENCE, lw=0.8, zorder=1)
        ax.plot(points, np.full(np.shape(points), row), "|", ms=18, mew=2, zorder=2)
    ax.set_yticks(range(len(grids)), list(grids))
    ax.set(ylim=(len(grids) - 0.4, -0.6), xlabel="forecast", title=title)
    ax.grid(False)
    return ax


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
    xlim: tuple[float, float] = (0.0, 1.0),
    ylim: tuple[float, float] | None = None,
    legend: bool = True,
    **texts: str,
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
    xlim : (float, float)
        Part of [0, 1] to show.
    ylim : (float, float), optional
        Limits of the vertical axis.
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
    >>> ax = plot_over_cells(
    ...     [0.0, 0.5, 1.0], {"a": [1, 2, 1]}, [0.25, 0.75], levels={"bound": 3.0}
    ... )
    >>> [line.get_label() for line in ax.lines][-2:], ax.get_xlim()
    (['a', 'bound'], (np.float64(0.0), np.float64(1.0)))
    """
    ax = axes_or_new(ax, {"xlabel": "forecast"} | texts)
    for point in np.asarray(points, dtype=float):
        ax.axvline(point, color=REFERENCE, lw=0.6, alpha=0.6, zorder=1)
    own = colours(curves)
    for name, y in curves.items():
        ax.plot(p, y, label=name, color=own[name])
    dashed = [BOUND, HIGHLIGHT, REFERENCE]
    for number, (name, level) in enumerate((levels or {}).items()):
        ax.axhline(level, ls="--", lw=1.4, color=dashed[number % len(dashed)], label=name, zorder=2)
    ax.set_xscale("function", functions=(_angle, _forecast))
    ticks = np.array([0, 0.02, 0.1, 0.25, 0.5, 0.75, 0.9, 0.98, 1])
    ax.set_xticks(ticks, [f"{tick:g}" for tick in ticks])
    ax.set(xlim=xlim)
    ax.grid(axis="x", visible=False)
    if ylim is not None:
        ax.set_ylim(*ylim)
    show_covered(ax)
    if legend:
        ax.legend()
    return ax


def plot_divergence(
    p: npt.ArrayLike,
    entropy: npt.ArrayLike,
    tangent: npt.ArrayLike,
    *,
    forecast: float,
    mean: float,
    ax: Axes | None = None,
    legend: Literal["lower center", "upper left"] = "lower center",
    **texts: str,
) -> Axes:
    """Draw a Bregman divergence as the gap between a concave curve and its tangent.

    Parameters
    ----------
    p, entropy, tangent : array_like, shape (n,)
        The curve and its tangent at the forecast, over increasing `p`.
    forecast : float
        Where they touch.
    mean : float
        Where the gap is drawn.
    ax : Axes, optional
        Where to draw.
    legend : {"lower center", "upper left"}
        Where the names go.
    **texts : str
        Labels and title, for ``Axes.set``.

    Returns
    -------
    Axes
        The axes; heights between two `p` are interpolated.

    Examples
    --------
    >>> p = np.linspace(0, 1, 3)
    >>> ax = plot_divergence(p, p - p**2, 0.25 + 0 * p, forecast=0.5, mean=1.0)
    >>> ax.lines[2].get_xydata().tolist()
    [[1.0, 0.0], [1.0, 0.25]]
    """
    ax = axes_or_new(ax, {"xlabel": "probability", "ylabel": "expected loss"} | texts)
    x, curve, line = (np.asarray(values, dtype=float) for values in (p, entropy, tangent))
    low, high = np.interp(mean, x, curve), np.interp(mean, x, line)
    ax.plot(x, curve, color=MEASURED, label="entropy: loss of the truth")
    ax.plot(x, line, "--", color=REFERENCE, label="tangent: loss of the forecast")
    ax.plot([mean, mean], [low, high], color=BOUND, lw=3, label="divergence")
    ax.plot(forecast, np.interp(forecast, x, curve), "o", color=REFERENCE)
    ax.plot(mean, low, "o", color=MEASURED)
    ax.legend(loc=legend)
    return ax


def plot_landscape(
    targets: npt.ArrayLike,
    regret: npt.ArrayLike,
    *,
    best: tuple[float, float],
    start: tuple[float, float] | None = None,
    depth: float = 3.0,
    ax: Axes | None = None,
    **texts: str,
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
    **texts : str
        Labels and title, for ``Axes.set``.

    Returns
    -------
    Axes
        The axes.

    Examples
    --------
    >>> ax = plot_landscape(
    ...     [0.0, 0.5, 1.0], [[-1, 0, -1], [0, 1, 0], [-1, 0, -1]], best=(0.5, 0.5)
    ... )
    >>> [line.get_xydata().tolist() for line in ax.lines]
    [[[0.5, 0.5]]]
    """
    ax = axes_or_new(ax, texts)
    heights = np.asarray(regret, dtype=float)
    top = float(heights.max())
    levels = np.linspace(top - depth, top, 13)
    ax.contourf(targets, targets, heights.T, levels=levels, cmap=AMOUNT)
    ax.contour(targets, targets, heights.T, levels=levels, colors="white", linewidths=0.6, linestyles="-")
    if start is not None:
        ax.plot(*start, "o", color=BOUND, ms=7, label="forecasts")
    ax.plot(*best, "*", color=HIGHLIGHT, ms=16, mec="white", mew=0.9, label="means")
    ax.set(xlim=(0, 1), ylim=(0, 1))
    ax.set_aspect("equal")
    if start is not None:
        ax.legend(loc="lower left")
    return ax
