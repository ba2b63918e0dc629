"""Pictures of a record of days: its forecasts, and how reliable several forecasters of it were."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt
from matplotlib.axes import Axes

from klcal.figures.canvas import BOUND, REFERENCE, axes_or_new, panels
from klcal.figures.forecasts import plot_reliability
from klcal.figures.palette import colours
from klcal.measures import Band
from klcal.measures.cells import Cells


def plot_reliabilities(
    cells: Mapping[str, Cells], bands: Mapping[str, Band], *, columns: int = 3
) -> npt.NDArray[np.object_]:
    """Draw a reliability diagram of every forecaster, side by side.

    Parameters
    ----------
    cells : mapping from str to Cells
        What each forecaster did, by name.
    bands : mapping from str to Band
        Where its frequencies may lie, under the same names.
    columns : int
        Panels in a row.

    Returns
    -------
    ndarray of Axes
        One per forecaster, row by row.

    Examples
    --------
    >>> axes = plot_reliabilities(
    ...     {"a": Cells([0.5], [2], [1])},
    ...     {"a": Band(np.array([0.0]), np.array([1.0]))},
    ... )
    >>> # where it stands is a matter of style
    >>> axes[0].get_title() or axes[0].get_title(loc="left")
    'a'
    """
    rows = -(-len(cells) // columns)
    axes = panels(rows, min(columns, len(cells)), width=3.3, height=3.4)
    for ax, (name, each) in zip(axes, cells.items(), strict=False):
        plot_reliability(each, band=bands[name], ax=ax, title=name)
        if ax is not axes[0]:
            ax.get_legend().remove()
    for ax in axes[len(cells) :]:
        ax.set_axis_off()
    return axes


def plot_record(
    dates: npt.NDArray[np.datetime64],
    forecasts: Mapping[str, npt.ArrayLike],
    outcomes: npt.ArrayLike,
    *,
    ax: Axes | None = None,
    **texts: str,
) -> Axes:
    """Draw forecasts of consecutive days as lines, and the days on which it happened as ticks on top.

    Parameters
    ----------
    dates : ndarray of datetime64, shape (n,)
        The days.
    forecasts : mapping from str to array_like, shape (n,)
        Forecasts by name.
    outcomes : array_like of {0, 1}, shape (n,)
        What happened.
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
    >>> days = np.array(["2012-01-01", "2012-01-02"], dtype="datetime64[D]")
    >>> ax = plot_record(days, {"a": [0.25, 0.5]}, [0, 1])
    >>> ax.lines[0].get_label(), len(ax.lines[-1].get_xdata())
    ('a', 1)
    """
    ax = axes_or_new(ax, {"ylabel": "forecast"} | texts)
    own = colours(forecasts)
    for name, values in forecasts.items():
        ax.plot(dates, np.asarray(values), lw=1.2, label=name, color=own[name])
    ax.axhline(1.0, color=REFERENCE, lw=0.6)
    happened = dates[np.asarray(outcomes) == 1]
    height = np.full(len(happened), 1.04)
    ax.plot(happened, height, "|", color=BOUND, ms=7, mew=0.9, label="it happened", clip_on=False)
    ax.set(ylim=(0.0, 1.08))
    ax.legend(loc="upper center", ncols=3, bbox_to_anchor=(0.5, -0.12))
    return ax
