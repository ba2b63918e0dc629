"""Pictures whose axis is the forecast: reliability diagrams, cells, profiles, one round of Algorithm 1."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from mpl_toolkits.axes_grid1 import make_axes_locatable  # type: ignore[import-untyped]

from klcal.figures.canvas import BOUND, HIGHLIGHT, MEASURED, REFERENCE, axes_or_new
from klcal.measures import Band
from klcal.measures.cells import Cells
from klcal.measures.isotonic import increasing_fit


def plot_reliability(
    cells: Cells,
    *,
    band: Band | None = None,
    made: Cells | None = None,
    ax: Axes | None = None,
    title: str = "",
) -> Axes:
    """Draw empirical frequency against forecast, one disc per cell; its area grows with its mass.

    Parameters
    ----------
    cells : Cells
        Expected or realised cells; those without mass are left out.
    band : Band, optional
        Where the frequencies may lie, from `klcal.measures.Coins.band`; drawn as broad grey bars.
    made : Cells, optional
        The forecasts before they were sorted into bins; drawn as the steps of isotonic regression, and as a histogram
        below. The band is then taken for one of all bins at once, as `klcal.measures.Report.band` returns it.
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
    >>> len(ax.collections[-1].get_offsets())
    1
    """
    ax = axes_or_new(ax)
    seen = cells.mass > 0
    share = cells.mass[seen] / cells.mass.sum()
    ax.plot([0, 1], [0, 1], color=REFERENCE, lw=1)
    if band is not None:
        ax.vlines(
            cells.points[seen],
            band.lower[seen],
            band.upper[seen],
            color=REFERENCE,
            lw=6,
            alpha=0.35,
            zorder=1.5,
            label="consistency band" if made is None else "95 % for all bins at once",
        )
    ax.vlines(cells.points[seen], cells.points[seen], cells.means[seen], color=BOUND, lw=1.2, zorder=2)
    ax.scatter(
        cells.points[seen],
        cells.means[seen],
        s=8 + 900 * share,
        color=MEASURED,
        alpha=0.65,
        zorder=3,
        clip_on=False,
    )
    ax.set(xlim=(-0.03, 1.03), ylim=(-0.03, 1.03), xlabel="forecast", ylabel="frequency of ones", title=title)
    ax.set_aspect("equal")
    if made is not None:
        _add_forecasts(ax, made.restricted())
    if band is not None:
        ax.legend(loc="upper left")
    return ax


def _add_forecasts(ax: Axes, made: Cells) -> None:
    """Draw the isotonic steps, and below how often each forecast was made."""
    fit = increasing_fit(made.mass, made.ones)
    ends = np.stack([fit.blocks[:-1], fit.blocks[1:] - 1], axis=1).ravel()
    ax.plot(made.points[ends], fit.x[ends], color=HIGHLIGHT, lw=1.5, zorder=2.5, label="isotonic regression")
    below = make_axes_locatable(ax).append_axes("bottom", "16%", pad=0.08, sharex=ax)
    below.hist(made.points, bins=50, range=(0.0, 1.0), weights=made.mass, color=MEASURED, alpha=0.65)
    below.set(xlabel=ax.get_xlabel(), ylabel="rounds")
    ax.set_xlabel("")
    ax.tick_params(labelbottom=False)
