"""Named numbers and many numbers: bars, pairs and histograms."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt
from matplotlib.axes import Axes

from klcal.figures.canvas import BOUND, MEASURED, axes_or_new

_STYLES = ("-", "--", ":", "-.")


def plot_bars(
    values: Mapping[str, float], *, ax: Axes | None = None, log: bool = False, **texts: str
) -> Axes:
    """Draw named numbers as horizontal bars, first on top.

    Parameters
    ----------
    values : mapping from str to float
        Numbers by name.
    ax : Axes, optional
        Where to draw.
    log : bool
        Whether the axis is logarithmic.
    **texts : str
        Labels and title, for ``Axes.set``.

    Returns
    -------
    Axes
        The axes.

    Examples
    --------
    >>> len(plot_bars({"a": 1.0, "b": 2.0}).patches)
    2
    """
    ax = axes_or_new(ax, texts)
    ax.barh(list(values), list(values.values()), color=MEASURED, height=0.6)
    ax.invert_yaxis()
    if log:
        ax.set_xscale("log")
    ax.grid(axis="y", visible=False)
    return ax


def plot_two_ways(
    first: Mapping[str, float],
    second: Mapping[str, float],
    *,
    names: tuple[str, str],
    ax: Axes | None = None,
    **texts: str,
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
    **texts : str
        Labels and title, for ``Axes.set``.

    Returns
    -------
    Axes
        The axes, first name on top.

    Examples
    --------
    >>> ax = plot_two_ways(
    ...     {"a": 1.0, "b": 2.0}, {"b": 2.0, "a": 1.5}, names=("one", "two")
    ... )
    >>> (
    ...     [float(patch.get_width()) for patch in ax.patches],
    ...     ax.lines[0].get_xdata().tolist(),
    ... )
    ([1.0, 2.0], [1.5, 2.0])
    """
    ax = axes_or_new(ax, texts)
    rows = range(len(first))
    ax.barh(rows, list(first.values()), color=MEASURED, height=0.6, label=names[0])
    ax.plot(np.array([second[name] for name in first]), rows, "x", color=BOUND, ms=9, mew=2, label=names[1])
    ax.set_yticks(rows, list(first))
    ax.invert_yaxis()
    ax.grid(axis="y", visible=False)
    ax.legend(loc="lower right")
    return ax


def plot_histogram(
    values: npt.ArrayLike, marks: Mapping[str, float], *, ax: Axes | None = None, **texts: str
) -> Axes:
    """Draw how often values occur, with named numbers as upright lines: the first solid, the others broken.

    Parameters
    ----------
    values : array_like, shape (n,)
        What to count.
    marks : mapping from str to float
        Numbers to compare with, by name.
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
    >>> ax = plot_histogram([1, 2, 2, 3], {"mean": 2.0})
    >>> sum(int(patch.get_height()) for patch in ax.patches), ax.lines[0].get_label()
    (4, 'mean')
    """
    ax = axes_or_new(ax, texts)
    ax.hist(np.asarray(values, dtype=float), bins=24, color=MEASURED, alpha=0.55)
    for number, (name, value) in enumerate(marks.items()):
        colour = BOUND if number else MEASURED
        ax.axvline(value, ls=_STYLES[number % len(_STYLES)], color=colour, lw=2.2, label=name)
    ax.legend()
    return ax
