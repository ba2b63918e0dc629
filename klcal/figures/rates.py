"""Growth with the horizon: many measured curves below few bounds."""

from __future__ import annotations

from collections.abc import Collection, Mapping

import numpy as np
import numpy.typing as npt
from matplotlib.axes import Axes

from klcal.figures.canvas import BOUND, REFERENCE, axes_or_new, show_covered
from klcal.figures.palette import colours

_DASHES = ("--", "-.", ":")


def plot_rates(
    measured: Mapping[str, tuple[npt.ArrayLike, npt.ArrayLike]],
    bounds: Mapping[str, tuple[npt.ArrayLike, npt.ArrayLike]],
    *,
    named: Collection[str] = (),
    others: str = "other adversaries",
    outside: bool = False,
    ax: Axes | None = None,
    **texts: str,
) -> Axes:
    """Draw measured growth and bounds on it, both axes logarithmic; only some curves have a colour of their own.

    Parameters
    ----------
    measured, bounds : mapping from str to pair of array_like
        Both coordinates, by name; points that are not positive are left out.
    named : collection of str
        Measured curves with a colour and a name of their own; the others share one.
    others : str
        What the others are called.
    outside : bool
        Whether the names stand beside the picture.
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
    >>> ax = plot_rates(
    ...     {"a": ([1, 10], [1, 2]), "b": ([1, 10], [0, 3])},
    ...     {"bound": ([1, 10], [4, 8])},
    ...     named=["b"],
    ... )
    >>> [line.get_label() for line in ax.lines], ax.lines[1].get_xdata().tolist()
    (['other adversaries', 'b', 'bound'], [10.0])
    """
    ax = axes_or_new(ax, {"xlabel": "horizon T"} | texts)
    faint, own = [name for name in measured if name not in named], colours(named)
    for number, name in enumerate([*faint, *(name for name in measured if name in named)]):
        across, up = (np.asarray(values, dtype=float) for values in measured[name])
        kept = (across > 0.0) & (up > 0.0)
        if name in named:
            ax.plot(across[kept], up[kept], "o-", ms=3, label=name, zorder=3, color=own[name])
        else:
            label = others if number == 0 else "_nolegend_"
            ax.plot(across[kept], up[kept], color=REFERENCE, lw=0.9, alpha=0.7, label=label, zorder=1)
    for number, (name, (x, y)) in enumerate(bounds.items()):
        ax.plot(x, y, _DASHES[number % len(_DASHES)], color=BOUND, label=name, zorder=2)
    ax.set(xscale="log", yscale="log")
    show_covered(ax, ax.lines[len(faint) :])
    if outside:
        ax.legend(fontsize=8, loc="center left", bbox_to_anchor=(1.0, 0.5))
    else:
        ax.legend(fontsize=8)
    return ax


def plot_tradeoff(
    measured: Mapping[str, tuple[npt.ArrayLike, npt.ArrayLike]],
    bounds: Mapping[str, tuple[npt.ArrayLike, npt.ArrayLike]],
    marks: Mapping[str, float],
    *,
    ax: Axes | None = None,
    **texts: str,
) -> Axes:
    """Draw curves with a minimum and bounds on them, both axes logarithmic, with named upright lines.

    Parameters
    ----------
    measured, bounds : mapping from str to pair of array_like
        Both coordinates, by name.
    marks : mapping from str to float
        Where the upright lines stand.
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
    >>> ax = plot_tradeoff(
    ...     {"a": ([1, 2, 4], [4, 2, 3])}, {"bound": ([1, 4], [5, 5])}, {"best": 2.0}
    ... )
    >>> [line.get_label() for line in ax.lines], ax.lines[-1].get_xdata()[0]
    (['a', 'bound', 'best'], 2.0)
    """
    ax = axes_or_new(ax, texts)
    own = colours(measured)
    for name, (x, y) in measured.items():
        ax.plot(x, y, "o-", ms=2.5, lw=1.2, label=name, color=own[name])
    for number, (name, (x, y)) in enumerate(bounds.items()):
        ax.plot(x, y, _DASHES[number % len(_DASHES)], color=BOUND, label=name)
    for number, (name, place) in enumerate(marks.items()):
        ax.axvline(place, ls=_DASHES[-1 - number % 2], lw=1.4, color=REFERENCE, label=name, zorder=1)
    ax.set(xscale="log", yscale="log")
    show_covered(ax)
    ax.legend(fontsize=8, loc="lower left")
    return ax
