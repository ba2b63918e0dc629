"""Markov chains on a grid: states in a row, arrows above and below."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from matplotlib.axes import Axes
from matplotlib.patches import FancyArrowPatch

from klcal.figures.canvas import BOUND, HIGHLIGHT, MEASURED, REFERENCE, axes_or_new, panels
from klcal.figures.palette import EMPTY

_CLASS_COLOURS = (MEASURED, HIGHLIGHT, BOUND)
_BEND, _WIDTH = 0.6, 7.4


def plot_chain(
    Q: npt.ArrayLike,
    *,
    classes: Sequence[npt.ArrayLike] = (),
    mixture: npt.ArrayLike | None = None,
    points: npt.ArrayLike | None = None,
    part: tuple[int, int] | None = None,
    ax: Axes | None = None,
    **texts: str,
) -> Axes:
    """Draw a chain whose states stand in a row: arrows to the right run above, arrows to the left below.

    Parameters
    ----------
    Q : array_like, shape (n, n)
        Row-stochastic matrix; exact zeros have no arrow.
    classes : sequence of array_like of int
        Closed classes. Each gets a colour, and its arrows carry their probabilities; all other arrows are grey.
    mixture : array_like, shape (n,), optional
        Probabilities of the states; the area of a disc is proportional to its own.
    points : array_like, shape (n,), optional
        Forecasts of the states, written below them.
    part : (int, int), optional
        First state to show and first that is not, of a longer chain; arrows that leave the part are not drawn.
    ax : Axes, optional
        Where to draw; by default a new picture of the size that the states need.
    **texts : str
        Labels and title, for ``Axes.set``.

    Returns
    -------
    Axes
        The axes.

    Examples
    --------
    >>> ax = plot_chain([[0, 1], [0.5, 0.5]], classes=[[0, 1]])
    >>> len(ax.patches), [text.get_text() for text in ax.texts]
    (3, ['1', '0.5', '0.5'])
    """
    matrix = np.asarray(Q, dtype=float)
    first, end = (0, len(matrix)) if part is None else part
    matrix = matrix[first:end, first:end]
    arrows = np.argwhere(matrix > 0.0).tolist()
    above = max(0.6, *(_BEND * (j - i) / 2 + 0.2 for i, j in arrows))
    below = max(0.3, *(_BEND * (i - j) / 2 + 0.2 for i, j in arrows))
    if ax is None:
        # The text below the states needs about an inch.
        ax = panels(1, 1, width=_WIDTH, height=_WIDTH * (above + below) / (len(matrix) + 0.2) + 0.8)[0]
    ax = axes_or_new(ax, texts)
    colour_of = {
        int(i) - first: _CLASS_COLOURS[number % len(_CLASS_COLOURS)]
        for number, members in enumerate(classes)
        for i in np.asarray(members)
    }
    areas = np.full(len(matrix), 90.0)
    if mixture is not None:
        areas = 30.0 + 500.0 * np.asarray(mixture, dtype=float)[first:end]
    # Half the width of a disc in units of the axes, at least that of a loop.
    unit = 72.0 * _WIDTH / (len(matrix) + 0.2)
    radii = np.maximum(np.sqrt(areas) / 2 / unit, 0.14)
    for i, j in arrows:
        colour = colour_of.get(i)
        _arrow(ax, i, j, radii[i], colour or REFERENCE, faint=colour is None)
        if colour is not None:
            _probability(ax, i, j, radii[i], matrix[i, j], colour)
    colours = [colour_of.get(i, EMPTY) for i in range(len(matrix))]
    ax.scatter(np.arange(len(matrix)), np.zeros(len(matrix)), s=areas, c=colours, zorder=3, clip_on=False)
    names = [str(first + i) for i in range(len(matrix))]
    if points is not None:
        shown = np.asarray(points, dtype=float)[first:end]
        names = [f"{n}\n{z:.3g}" for n, z in zip(names, shown, strict=True)]
    ax.set_xticks(range(len(matrix)), names)
    ax.set(xlim=(-0.6, len(matrix) - 0.4), ylim=(-below, above))
    # Equal units make the top of an arc a known point.
    ax.set_aspect("equal")
    ax.set_yticks([])
    ax.grid(False)
    for side in ("left", "bottom"):
        ax.spines[side].set_visible(False)
    return ax


def _arrow(ax: Axes, i: int, j: int, radius: float, colour: str, *, faint: bool) -> None:
    """Draw the arrow from i to j, a loop on top of the disc if they are the same."""
    foot = 0.72 * radius
    start, end, bend = ((i - foot, foot), (i + foot, foot), -1.6) if i == j else ((i, 0.0), (j, 0.0), -_BEND)
    ax.add_patch(
        FancyArrowPatch(
            start,
            end,
            connectionstyle=f"arc3,rad={bend}",
            arrowstyle="-|>",
            mutation_scale=9 if faint else 12,
            shrinkA=0 if i == j else 7,
            shrinkB=0 if i == j else 7,
            color=colour,
            alpha=0.35 if faint else 0.9,
            lw=0.8 if faint else 1.5,
            zorder=1 if faint else 2,
        )
    )


def _probability(ax: Axes, i: int, j: int, radius: float, value: float, colour: str) -> None:
    """Write the probability at the top of its arrow."""
    # The middle of an arc lies half its bend times its length away from the straight line.
    height = 1.95 * radius if i == j else _BEND / 2 * (j - i)
    ax.text(
        (i + j) / 2,
        height,
        f"{value:.2g}",
        color=colour,
        ha="center",
        va="bottom" if i == j else "center",
        fontsize=8,
        bbox={"boxstyle": "round,pad=0.1", "facecolor": "white", "edgecolor": "none", "alpha": 0.85},
        zorder=4,
    )
