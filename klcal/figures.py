"""Results become pictures; the only module that imports matplotlib.

Every function takes numbers, draws on `ax` (a new one by default) and returns it. Nothing here computes a quantity of
the theory, shows a window or saves a file, except `save_reliability` for the command line.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.resources import as_file, files
from pathlib import Path

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
    ax.legend(loc="lower center")
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
    ax.scatter(cells.points[seen], cells.means[seen], s=8 + 900 * share, color=MEASURED, alpha=0.65, zorder=3)
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
