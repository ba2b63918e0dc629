"""Pictures of the pair algorithm: cells, means and shares; and what many games showed, beside bounds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt
from matplotlib.axes import Axes

from klcal.figures.canvas import BOUND, HIGHLIGHT, MEASURED, axes_or_new, panels
from klcal.figures.palette import colours


def plot_balance(
    points: npt.ArrayLike,
    ends: npt.ArrayLike,
    means: npt.ArrayLike,
    shares: npt.ArrayLike,
    *,
    ax: Axes | None = None,
    **texts: str,
) -> Axes:
    """Draw one row per bucket: its cell, its point, its mean and, where it may be played, its share.

    Parameters
    ----------
    points : array_like, shape (n,)
        The grid.
    ends : array_like, shape (n + 1,)
        Ends of the cells; row i has the cell from ``ends[i]`` to ``ends[i + 1]``.
    means : array_like, shape (n,)
        Mean of each bucket.
    shares : array_like, shape (n,)
        Probability of each point in this round.
    ax : Axes, optional
        Where to draw.
    **texts : str
        Labels and title, for ``Axes.set``; the rows may be called otherwise.

    Returns
    -------
    Axes
        The axes, the lowest point in the lowest row; a dashed line where two cells in play meet.

    Examples
    --------
    >>> ax = plot_balance([0.25, 0.75], [0, 0.5, 1], [0.6, 0.3], [2 / 3, 1 / 3])
    >>> len(ax.patches), [text.get_text() for text in ax.texts]
    (2, ['0.667', '0.333'])
    """
    z, cuts = np.asarray(points, dtype=float), np.asarray(ends, dtype=float)
    w, p = np.asarray(means, dtype=float), np.asarray(shares, dtype=float)
    ax = axes_or_new(ax, {"xlabel": "probability of outcome 1", "ylabel": "bucket"} | texts)
    rows = np.arange(len(z))
    active = p > 0.0
    colours = [HIGHLIGHT if on else "#dddddd" for on in active]
    ax.barh(rows, np.diff(cuts), left=cuts[:-1], height=0.5, color=colours, alpha=0.6, zorder=1)
    ax.plot(z, rows, "o", color="black", label="point", zorder=3)
    ax.plot(w, rows, "D", color=MEASURED, label="mean", zorder=3)
    for row in rows[active]:
        ax.annotate(f"{p[row]:.3f}", (1.02, row), va="center", annotation_clip=False)
    for row in rows[:-1][active[:-1] & active[1:]]:
        ax.axvline(cuts[row + 1], ls="--", color=BOUND, lw=1.1, zorder=2, label="boundary")
    ax.set(xlim=(0, 1), yticks=rows)
    ax.set_yticklabels([str(row + 1) for row in rows])
    ax.grid(axis="y", visible=False)
    ax.legend(loc="upper center", bbox_to_anchor=(0.5, 1.16), ncols=3)
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
