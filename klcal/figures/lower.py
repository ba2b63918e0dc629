"""Pictures of the lower bound: plays of the sign game, and a game against truths."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle
from matplotlib.patheffects import withStroke
from matplotlib.ticker import MaxNLocator

from klcal.figures.canvas import BOUND, HIGHLIGHT, MEASURED, REFERENCE, axes_or_new

_COLOURS = {"+": MEASURED, "-": BOUND, "x": REFERENCE}
_HALO = withStroke(linewidth=4, foreground="white")


def plot_boards(
    boards: Sequence[str], pointed: Sequence[int], *, ax: Axes | None = None, title: str = ""
) -> Axes:
    """Draw a play of the sign game, one row per turn, the first on top.

    Parameters
    ----------
    boards : sequence of str
        The board after each turn, as `klcal.minimax.sign_game.Board` writes it; fresh cells stay empty.
    pointed : sequence of int
        The cell of each turn, drawn with a frame.
    ax : Axes, optional
        Where to draw.
    title : str
        Title of the axes.

    Returns
    -------
    Axes
        The axes.

    Examples
    --------
    >>> ax = plot_boards(["..-", ".+-"], [2, 1])
    >>> [text.get_text() for text in ax.texts], len(ax.patches)
    (['−', '+', '−'], 8)
    """
    ax = axes_or_new(ax, {"xlabel": "cell", "ylabel": "turn", "title": title})
    for row, (board, cell) in enumerate(zip(boards, pointed, strict=True), start=1):
        for column, sign in enumerate(board, start=1):
            ax.add_patch(
                Rectangle((column - 0.5, row - 0.5), 1.0, 1.0, fill=False, edgecolor=REFERENCE, lw=0.4)
            )
            if sign != ".":
                text = {"-": "\N{MINUS SIGN}", "x": "\N{MULTIPLICATION SIGN}"}.get(sign, sign)
                weight, size = ("normal", 8) if sign == "x" else ("bold", 12)
                ax.text(
                    column,
                    row,
                    text,
                    color=_COLOURS[sign],
                    ha="center",
                    va="center",
                    fontsize=size,
                    weight=weight,
                )
        ax.add_patch(Rectangle((cell + 0.55, row - 0.45), 0.9, 0.9, fill=False, edgecolor=HIGHLIGHT, lw=1.8))
    ax.set(xlim=(0.5, len(boards[0]) + 0.5), ylim=(len(boards) + 0.5, 0.5), aspect="equal")
    ax.grid(visible=False)
    ax.xaxis.set_major_locator(MaxNLocator(integer=True, nbins=min(len(boards[0]), 10)))
    ax.yaxis.set_major_locator(MaxNLocator(integer=True, nbins=min(len(boards), 10)))
    return ax


def plot_truths(
    truths: npt.ArrayLike,
    forecasts: npt.ArrayLike,
    signs: Sequence[tuple[int, float, str]] = (),
    *,
    ax: Axes | None = None,
    title: str = "",
    every: int = 1,
) -> Axes:
    """Draw the truth of every round as a line, some forecasts as dots, and where signs were counted.

    Parameters
    ----------
    truths, forecasts : array_like, shape (T,)
        One number per round.
    signs : sequence of (int, float, str)
        Round, forecast at the middle of the cell, and "+" or "-".
    ax : Axes, optional
        Where to draw.
    title : str
        Title of the axes.
    every : int
        Draw one forecast in this many rounds.

    Returns
    -------
    Axes
        The axes.

    Examples
    --------
    >>> ax = plot_truths([0.5, 0.5, 0.7], [0.4, 0.6, 0.5], [(2, 0.4, "+")])
    >>> len(ax.lines), [text.get_text() for text in ax.texts]
    (1, ['+'])
    """
    ax = axes_or_new(ax, {"xlabel": "round", "ylabel": "forecast", "title": title})
    q, p = np.asarray(truths, dtype=float), np.asarray(forecasts, dtype=float)
    rounds = np.arange(1, len(q) + 1)
    ax.scatter(
        rounds[::every], p[::every], s=2.0, color=MEASURED, alpha=0.4, linewidths=0.0, label="forecasts"
    )
    ax.plot(rounds, q, color=HIGHLIGHT, drawstyle="steps-mid", label="truth")
    for at, level, sign in signs:
        text = "\N{MINUS SIGN}" if sign == "-" else sign
        ax.text(at, level, text, color=_COLOURS[sign], ha="center", va="center", fontsize=16, weight="bold")
        ax.texts[-1].set_path_effects([_HALO])
    ax.legend(loc="best", markerscale=4.0)
    return ax
