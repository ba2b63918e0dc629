"""Pictures of the dual game: one game round by round, and where answers change."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt
from matplotlib.axes import Axes

from klcal.figures.canvas import BOUND, HIGHLIGHT, MEASURED, REFERENCE, axes_or_new


def plot_dual_game(
    announcements: npt.ArrayLike,
    forecasts: npt.ArrayLike,
    outcomes: npt.ArrayLike,
    *,
    points: npt.ArrayLike = (),
    ax: Axes | None = None,
    **texts: str,
) -> Axes:
    """Draw one dual game: announced probabilities as a line, forecasts as steps, outcomes as ticks at 0 and 1.

    Parameters
    ----------
    announcements, forecasts : array_like, shape (T,)
        The numbers announced and answered.
    outcomes : array_like of {0, 1}, shape (T,)
        What happened.
    points : array_like
        The grid; a thin line at each of its points.
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
    >>> ax = plot_dual_game([0.2, 0.4], [0.25, 0.25], [0, 1], points=[0.25, 0.75])
    >>> [line.get_label() for line in ax.lines][2:]
    ['announced', 'forecast', 'outcome']
    """
    ax = axes_or_new(ax, {"xlabel": "round", "ylabel": "probability"} | texts)
    announced = np.asarray(announcements, dtype=float)
    rounds = np.arange(1, len(announced) + 1)
    for point in np.asarray(points, dtype=float):
        ax.axhline(point, color=REFERENCE, lw=0.6, alpha=0.6, zorder=1)
    ax.plot(rounds, announced, color=HIGHLIGHT, lw=1.6, label="announced")
    ax.step(rounds, np.asarray(forecasts, dtype=float), where="mid", color=MEASURED, lw=1.4, label="forecast")
    ax.plot(rounds, np.asarray(outcomes, dtype=float), "|", color=BOUND, ms=7, mew=0.8, label="outcome")
    ax.set(ylim=(-0.06, 1.06))
    ax.grid(axis="y", visible=False)
    ax.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))
    return ax


def plot_two_cells(
    p: npt.ArrayLike,
    costs: Mapping[str, npt.ArrayLike],
    borders: Mapping[str, float],
    *,
    level: tuple[str, float] | None = None,
    ax: Axes | None = None,
    ylim: tuple[float, float] | None = None,
    **texts: str,
) -> Axes:
    """Draw what two neighbouring answers cost, and where each of several rules changes from one to the other.

    Parameters
    ----------
    p : array_like, shape (n,)
        Announced probabilities.
    costs : mapping from str to array_like, shape (n,)
        Cost of each answer, by name.
    borders : mapping from str to float
        Upright dotted lines, by name.
    level : (str, float), optional
        A dashed bound, with its name.
    ax : Axes, optional
        Where to draw.
    ylim : (float, float), optional
        Limits of the vertical axis.
    **texts : str
        Labels and title, for ``Axes.set``.

    Returns
    -------
    Axes
        The axes.

    Examples
    --------
    >>> ax = plot_two_cells(
    ...     [0, 1],
    ...     {"low": [0, 1], "high": [1, 0]},
    ...     {"middle": 0.5},
    ...     level=("bound", 2.0),
    ... )
    >>> [line.get_label() for line in ax.lines]
    ['low', 'high', 'middle', 'bound']
    """
    ax = axes_or_new(ax, {"xlabel": "announced probability", "ylabel": "cost per round"} | texts)
    for name, cost in costs.items():
        ax.plot(p, cost, label=name)
    for number, (name, place) in enumerate(borders.items()):
        ax.axvline(place, ls=":", lw=1.8, color=f"C{len(costs) + number}", label=name)
    if level is not None:
        ax.axhline(level[1], ls="--", lw=1.4, color=BOUND, label=level[0])
    if ylim is not None:
        ax.set_ylim(*ylim)
    ax.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))
    return ax
