"""Who does how well against whom: a map of numbers, every field with its number."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from klcal.figures.canvas import REFERENCE, axes_or_new
from klcal.figures.palette import ON_PALE, ON_STRONG, STANDINGS


def plot_standings(
    ratios: npt.ArrayLike,
    forecasters: Sequence[str],
    adversaries: Sequence[str],
    *,
    most: float = 100.0,
    ax: Axes | None = None,
    **texts: str,
) -> Axes:
    """Draw ratios to the best of each column as a map with logarithmic colours and a number in every field.

    Parameters
    ----------
    ratios : array_like, shape (forecasters, adversaries)
        At least 1; infinity is hatched, and NaN stays empty.
    forecasters, adversaries : sequence of str
        Names of the rows, first on top, and of the columns.
    most : float
        Ratio from which on the colour stays the same.
    ax : Axes, optional
        Where to draw; by default on a new figure of suitable size.
    **texts : str
        Labels and title, for ``Axes.set``.

    Returns
    -------
    Axes
        The axes.

    Examples
    --------
    >>> ax = plot_standings(
    ...     [[1.0, 2.5], [np.inf, 1.0]], ["a", "b"], ["zeros", "coin"]
    ... )
    >>> [text.get_text() for text in ax.texts]
    ['1', '2.5', '∞', '1']
    """
    values = np.asarray(ratios, dtype=float)
    ax = axes_or_new(ax, texts)
    shown = np.log(np.minimum(values, most)) / np.log(most)
    finite = np.ma.masked_invalid(np.where(np.isinf(values), np.nan, shown))
    # Each field is a drawing of its own, so that its colour can be exchanged.
    ax.pcolormesh(finite, cmap=STANDINGS, vmin=0.0, vmax=1.0, edgecolors="face", linewidth=0.2)
    ax.set(xlim=(0, len(adversaries)), ylim=(len(forecasters), 0))
    for row, column in np.argwhere(~np.isnan(values)):
        _write(ax, int(row), int(column), float(values[row, column]), float(shown[row, column]))
    ax.set_yticks(np.arange(len(forecasters)) + 0.5, list(forecasters))
    ax.set_xticks(np.arange(len(adversaries)) + 0.5, list(adversaries), rotation=40, ha="right")
    ax.tick_params(length=0)
    ax.grid(visible=False)
    return ax


def _write(ax: Axes, row: int, column: int, value: float, shade: float) -> None:
    if np.isinf(value):
        ax.add_patch(
            Rectangle((column, row), 1.0, 1.0, facecolor="none", edgecolor=REFERENCE, hatch="////", lw=0)
        )
    strong = not np.isinf(value) and (shade < 0.12 or shade > 0.85)
    weight = "bold" if value == 1.0 or np.isinf(value) else "normal"
    colour = ON_STRONG if strong else ON_PALE
    place = (column + 0.5, row + 0.5)
    ax.text(*place, _label(value), ha="center", va="center", fontsize=7.5, weight=weight, color=colour)


def _label(value: float) -> str:
    if np.isinf(value):
        return "∞"
    if value == 1.0:
        return "1"
    # Two digits next to the winner, who alone is written as 1.
    return f"{value:.2f}" if value < 1.095 else f"{value:.1f}" if value < 9.95 else f"{value:,.0f}"
