"""Pictures whose axis is the forecast: reliability diagrams, cells, profiles, one round of Algorithm 1."""

from __future__ import annotations

from matplotlib.axes import Axes

from klcal.figures.canvas import BOUND, MEASURED, REFERENCE, axes_or_new
from klcal.measures import Band
from klcal.measures.cells import Cells


def plot_reliability(
    cells: Cells, *, band: Band | None = None, ax: Axes | None = None, title: str = ""
) -> Axes:
    """Draw empirical frequency against forecast, one disc per cell; its area grows with its mass.

    Parameters
    ----------
    cells : Cells
        Expected or realised cells; those without mass are left out.
    band : Band, optional
        Where the frequencies may lie, from `klcal.measures.Coins.band`; drawn as broad grey bars.
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
            label="consistency band",
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
    if band is not None:
        ax.legend(loc="upper left")
    return ax
