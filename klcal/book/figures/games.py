"""Pictures of games: solved ones, standings, plays of the sign game, spreads of many runs, the cells of the tree."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import matplotlib.pyplot as plt
import numpy as np
import numpy.typing as npt
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle
from matplotlib.ticker import MaxNLocator

from klcal.figures.canvas import (
    BALANCE,
    BOUND,
    HIGHLIGHT,
    MEASURED,
    ON_PALE,
    ON_STRONG,
    REFERENCE,
    STANDINGS,
    axes_or_new,
    colours,
    panels,
)

_COLOURS = {"+": MEASURED, "-": BOUND, "x": REFERENCE}


def plot_matrix_game(
    payoff: npt.ArrayLike,
    mixture: npt.ArrayLike,
    *,
    chance: float | None = None,
    names: tuple[str, ...] = (),
    ax: Axes | None = None,
    legend: bool = True,
    **texts: str,
) -> Axes:
    """Draw a game with two columns: each row is a point of the plane, a mixture lies between them.

    Parameters
    ----------
    payoff : array_like, shape (m, 2)
        Cost of each row by column.
    mixture : array_like, shape (m,)
        The shares of an optimal mixture; the rows that have one are joined.
    chance : float, optional
        The column player's chance of the second column; the line of all points with the mixture's mean cost at this
        chance is dashed.
    names : tuple of str
        Text beside each row.
    ax : Axes, optional
        Where to draw.
    legend : bool
        Whether to explain the marks.
    **texts : str
        Labels and title, for ``Axes.set``.

    Returns
    -------
    Axes
        The axes, with equal scales. The square holds all pairs of costs that are at most those of the mixture.

    Examples
    --------
    >>> ax = plot_matrix_game([[0.0, 2.0], [1.0, 0.0]], [1 / 3, 2 / 3])
    >>> [float(x.round(3)) for x in ax.collections[-1].get_offsets()[0]]
    [0.667, 0.667]
    """
    ax = axes_or_new(ax, {"xlabel": "cost if 0 happens", "ylabel": "cost if 1 happens"} | texts)
    points, shares = np.asarray(payoff, dtype=np.float64), np.asarray(mixture, dtype=np.float64)
    optimum = shares @ points
    used = points[shares > 0.0]
    low, high = float(points.min()), float(points.max())
    reach = np.array([low - 0.06 * (high - low), high + 0.18 * (high - low)])
    corner = float(optimum.max())
    ax.fill_between([reach[0], corner], reach[0], corner, color=HIGHLIGHT, alpha=0.15, linewidth=0)
    ax.plot(reach, reach, color=REFERENCE, linewidth=1, label="equal costs")
    if chance is not None:
        normal = np.array([1.0 - chance, chance])
        across = 2.0 * (high - low) * np.array([[-normal[1], normal[0]], [normal[1], -normal[0]]])
        ax.plot(*(optimum + across).T, "--", color=BOUND, linewidth=1.2, label="what the adversary ensures")
    if len(used) > 1:
        ax.plot(used[:, 0], used[:, 1], color=MEASURED, label="mixtures of two rows")
    ax.scatter(points[:, 0], points[:, 1], color=MEASURED, zorder=3, label="rows")
    ax.scatter(*optimum, color=BOUND, marker="D", zorder=4, label="optimal mixture")
    for name, (x, y) in zip(names, points, strict=False):
        # Beside the diagonal where the point lies on it.
        offset = (12, -3) if abs(x - y) < 0.02 * (high - low) else (6, 4)
        ax.annotate(name, (x, y), xytext=offset, textcoords="offset points", fontsize=9)
    ax.set(xlim=reach, ylim=reach, aspect="equal")
    if legend:
        ax.legend(loc="center right", bbox_to_anchor=(1, 0.33), fontsize=8)
    return ax


def plot_counts(
    values: npt.ArrayLike,
    *,
    ax: Axes | None = None,
    limits: tuple[float, float] = (0.0, 1.0),
    label: str = "",
    **texts: str,
) -> Axes:
    """Draw a number for each pair of counts as a coloured square; pairs without one stay empty.

    Parameters
    ----------
    values : array_like, shape (n, n)
        Entry (a, b) after a zeros and b ones; NaN where there is none.
    ax : Axes, optional
        Where to draw.
    limits : (float, float)
        The numbers at both ends of the colour scale.
    label : str
        Text beside the colour scale.
    **texts : str
        Labels and title, for ``Axes.set``.

    Returns
    -------
    Axes
        The axes.

    Examples
    --------
    >>> ax = plot_counts([[0.5, 0.7], [0.3, float("nan")]], label="chance")
    >>> ax.get_xlabel(), ax.get_ylabel()
    ('zeros', 'ones')
    """
    ax = axes_or_new(ax, {"xlabel": "zeros", "ylabel": "ones"} | texts)
    table = np.asarray(values, dtype=np.float64)
    edges = np.arange(len(table) + 1) - 0.5
    fields = np.ma.masked_invalid(table.T)
    image = ax.pcolormesh(edges, edges, fields, cmap=BALANCE, vmin=limits[0], vmax=limits[1])
    image.set(edgecolor="face", linewidth=0.3)
    ax.set_aspect("equal")
    ax.grid(visible=False)
    ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    ax.yaxis.set_major_locator(MaxNLocator(integer=True))
    bar = plt.colorbar(image, ax=ax, label=label, shrink=0.85)
    # A raster image would keep its light colours in a dark page.
    plt.setp(bar.ax.collections, rasterized=False, edgecolor="face")
    return ax


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


def plot_boards(
    boards: Sequence[str], pointed: Sequence[int], *, ax: Axes | None = None, title: str = ""
) -> Axes:
    """Draw a play of the sign game, one row per turn, the first on top.

    Parameters
    ----------
    boards : sequence of str
        The board after each turn, as `klcal.book.minimax.sign_game.Board` writes it; fresh cells stay empty.
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


def plot_spreads(
    spreads: Mapping[str, Mapping[str, Sequence[float]]],
    levels: Mapping[str, Mapping[str, float]],
    *,
    xlabel: str = "",
) -> npt.NDArray[np.object_]:
    """Draw one panel per group; in it numbers of many runs by name, from least to largest, with their mean marked.

    Parameters
    ----------
    spreads : mapping from str to mapping from str to (float, float, float)
        By group and name: least, mean and largest value. All groups have the same names.
    levels : mapping from str to mapping from str to float
        By group: upright lines to compare with, by name.
    xlabel : str
        What the numbers are.

    Returns
    -------
    ndarray of Axes
        One per group, names on the first one, first name on top.

    Examples
    --------
    >>> axes = plot_spreads(
    ...     {"left": {"a": (1, 2, 4)}, "right": {"a": (2, 3, 3)}},
    ...     {"left": {"bound": 5.0}},
    ... )
    >>> (
    ...     len(axes),
    ...     axes[0].lines[-1].get_label(),
    ...     axes[0].get_yticklabels()[0].get_text(),
    ... )
    (2, 'bound', 'a')
    """
    names = list(next(iter(spreads.values())))
    axes = panels(1, len(spreads), width=2.8, height=0.9 + 0.28 * len(names))
    own = colours(spreads)
    for ax, (title, group) in zip(axes, spreads.items(), strict=True):
        for row, (least, mean, largest) in enumerate(group.values()):
            ax.plot([least, largest], [row, row], "-", color=own[title], lw=4, solid_capstyle="butt")
            ax.plot([mean], [row], "|", color="black", ms=9, mew=1.5)
        for (name, level), style in zip(levels.get(title, {}).items(), ("--", ":", "-."), strict=False):
            ax.axvline(level, ls=style, color=BOUND, lw=1.2, label=name)
        ax.set_yticks(range(len(names)), names if ax is axes[0] else [""] * len(names))
        ax.set_ylim(len(names) - 0.5, -0.5)
        ax.set(xlabel=xlabel, title=title)
        ax.set_xlim(left=0)
        ax.grid(axis="y", visible=False)
        if title in levels:
            ax.legend(loc="upper center", bbox_to_anchor=(0.5, -0.16))
    return axes
