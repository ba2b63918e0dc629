"""Spread and slack: ranges of many draws, and a chain of inequalities with what each of them costs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt
from matplotlib.axes import Axes

from klcal.figures.canvas import BOUND, MEASURED, REFERENCE, axes_or_new
from klcal.figures.palette import colours

_MARKERS = ("|", "x", "+")
_MIDDLES = ("o", "D", "^")


def plot_ranges(
    rows: Sequence[str],
    ranges: Mapping[str, tuple[npt.ArrayLike, npt.ArrayLike, npt.ArrayLike]],
    marks: Mapping[str, Mapping[str, npt.ArrayLike]],
    *,
    ax: Axes | None = None,
    log: bool = False,
    **texts: str,
) -> Axes:
    """Draw a range with a middle in every row, for several groups side by side, and marks to compare with.

    Parameters
    ----------
    rows : sequence of str
        Names of the rows, first on top.
    ranges : mapping from str to three array_like
        Lower ends, middles and upper ends, one of each per row, by the name of the group.
    marks : mapping from str to mapping from str to array_like
        One number per row and group to compare with, by the name of the mark and then of the group.
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
    >>> ax = plot_ranges(
    ...     ["a", "b"],
    ...     {"draws": ([1, 2], [2, 3], [4, 5])},
    ...     {"mean": {"draws": [2.5, 3.5]}},
    ... )
    >>> (
    ...     [label.get_text() for label in ax.get_yticklabels()],
    ...     ax.lines[0].get_xdata().tolist(),
    ... )
    (['a', 'b'], [2.0, 3.0])
    """
    alone, ax = ax is None, axes_or_new(ax, texts)
    figure = ax.get_figure(root=True)
    if alone and figure is not None:
        figure.set_figheight(max(3.8, 1.0 + 0.24 * len(rows)))
    places = np.arange(len(rows), dtype=float)
    heights = {name: places + 0.28 * (number - (len(ranges) - 1) / 2) for number, name in enumerate(ranges)}
    own = colours(ranges)
    for number, (name, values) in enumerate(ranges.items()):
        colour, middle_mark = own[name], _MIDDLES[number % len(_MIDDLES)]
        low, middle, high = (np.asarray(value, dtype=float) for value in values)
        ax.hlines(heights[name], low, high, color=colour, lw=3.5, alpha=0.65)
        ax.plot(middle, heights[name], middle_mark, color=colour, ms=4.5, label=name)
    for (name, groups), marker in zip(marks.items(), _MARKERS, strict=False):
        across = np.concatenate([np.asarray(numbers, dtype=float) for numbers in groups.values()])
        up = np.concatenate([heights[group] for group in groups])
        ax.plot(across, up, marker, color="black", ms=9, mew=1.6, label=name)
    ax.set_yticks(places, list(rows))
    ax.set_ylim(len(rows) - 0.4, -0.6)
    if log:
        ax.set_xscale("log")
    ax.grid(axis="y", visible=False)
    if len(ranges) + len(marks) > 1:
        ax.legend(fontsize=8, loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=len(ranges) + len(marks))
    return ax


def plot_steps(
    steps: Mapping[str, float], *, ax: Axes | None = None, xlabel: str = "", title: str = ""
) -> Axes:
    """Draw a chain of growing numbers as bars on a logarithmic axis, each with its factor over the one above.

    Parameters
    ----------
    steps : mapping from str to float
        Positive numbers by name, first on top.
    ax : Axes, optional
        Where to draw.
    xlabel, title : str
        Texts.

    Returns
    -------
    Axes
        The axes.

    Examples
    --------
    >>> ax = plot_steps({"measured": 2.0, "bound": 5.0})
    >>> [text.get_text() for text in ax.texts]
    ['2', '5  (×2.5)']
    """
    ax = axes_or_new(ax)
    values = np.array(list(steps.values()), dtype=float)
    rows = np.arange(len(values))
    colours = [MEASURED] + [REFERENCE] * (len(values) - 2) + [BOUND] * (len(values) > 1)
    ax.barh(rows, values, color=colours, height=0.62, alpha=0.85)
    for row, value in zip(rows.tolist(), values.tolist(), strict=True):
        factor = f"  (×{value / values[row - 1]:.3g})" if row else ""
        text = f"{value:,.0f}" if value >= 1000 else f"{value:.3g}"
        ax.text(value * 1.12, row, f"{text}{factor}", va="center", fontsize=8)
    ax.set_yticks(rows, list(steps))
    ax.invert_yaxis()
    ax.set(xscale="log", xlabel=xlabel, title=title)
    # Room for the longest text to the right of the longest bar.
    ax.set_xlim(values.min() / 3.0, values.max() * (values.max() / values.min()) ** 0.45 * 2.0)
    ax.grid(axis="y", visible=False)
    return ax
