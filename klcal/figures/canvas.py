"""Where to draw, the book's style and its colours: one per role, forecaster and adversary, with a dark partner.

Figures are drawn once, on white. The book derives the dark variant from the drawing by exchanging every colour for its
partner (`on_dark`), so that what a caption says is true in both.
"""

from __future__ import annotations

import colorsys
import sys
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import as_file, files
from types import MappingProxyType
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import numpy.typing as npt
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap, to_hex, to_rgb

#: One colour per role, in every figure of the book.
MEASURED, BOUND, REFERENCE, HIGHLIGHT = "#2a6f97", "#c8553d", "#888888", "#d9a441"
#: One look for each kind of bound, in every figure: dotted the paper's, dashed this book's, dash-dotted lower bounds.
PAPERS_BOUND, OUR_BOUND, LOWER_BOUND = (
    MappingProxyType({"color": BOUND, "ls": style, "lw": 1.6}) for style in (":", "--", "-.")
)
#: Fields that hold nothing, text on fields with a strong and with a pale colour.
EMPTY, ON_STRONG, ON_PALE = "#cccccc", "#fefefe", "#111111"
#: Words beside a curve of a pale colour have a darker shade of it.
INK = MappingProxyType(
    {HIGHLIGHT: "#8c651c", "#c98232": "#8f5a1c", "#aa7892": "#8a5a75", "#5b8c5a": "#4a7549"}
)
#: For curves that have no colour of their own; the same as in ``klcal.mplstyle``.
CYCLE = (MEASURED, "#5b8c5a", "#aa7892", HIGHLIGHT, "#35305c", "#8a9cf5", "#8b5538", "#2bb5ba")
#: Every forecaster has one colour, under each of the names it is shown with.
FORECASTERS: Mapping[str, str] = MappingProxyType(
    {
        **dict.fromkeys(("Algorithm 1", "paper"), MEASURED),
        **dict.fromkeys(
            ("realised", "realised feedback", "Algorithm 1, realised", "bound, realised"), "#2bb5ba"
        ),
        **dict.fromkeys(("pair", "PAIR", "pair algorithm", "bound, PAIR"), "#5b8c5a"),
        **dict.fromkeys(("tree", "the tree", "the tree, from above", "weighted coin"), "#b01a72"),
        **dict.fromkeys(("squared loss", "squared-loss algorithm"), HIGHLIGHT),
        **dict.fromkeys(("value", "best forecaster"), "#35305c"),
        "two neighbours": "#8b5538",
        "calibeating": "#6a4c93",
        "internal regret": "#a34a28",
        "running mean": "#aa7892",
        "Laplace": "#8a9cf5",
        "linear rounding": "#0f5636",
        "nearest rounding": "#c98232",
        "plain coin": "#5a6f8c",
        # Forecasters of the weather.
        "climatology": "#aa7892",
        "logistic": "#35305c",
        "logistic, calibeaten": "#8a9cf5",
        "logistic, in bins": "#2bb5ba",
        "overconfident": HIGHLIGHT,
        "overconfident, calibeaten": "#8f2f45",
        "overconfident, in bins": "#5f5608",
    }
)
#: Every adversary has one colour.
ADVERSARIES: Mapping[str, str] = MappingProxyType(
    {
        "zeros": "#35305c",
        "fair coin": "#2a6f97",
        "coin 0.3": "#8a9cf5",
        "rare events": "#aa7892",
        "alternating": "#5b8c5a",
        "blocks": "#d9a441",
        "regimes": "#8b5538",
        "random walk": "#2bb5ba",
        "sinusoid": "#b0588c",
        "low discrepancy": "#b89d14",
        "oppose": "#6a4c93",
        "greedy": "#a34a28",
        "greedy realised": "#c98f55",
        "greedy exp 0.5": "#b01a72",
        "greedy exp 2": "#6f2f63",
        "threshold 0.05": "#5a6f8c",
        "push": "#0f5636",
        "border": "#c98232",
        "peak": "#5f5608",
        "feed the richer": "#4f7d3a",
        "threshold jumps 100": "#8f2f45",
        "threshold jumps 1000": "#b98aa0",
        "drifting coin": "#5b3a9e",
        "drifting coin, fast": "#1f78a8",
    }
)
#: What each colour becomes on a dark page.
PARTNERS: Mapping[str, str] = MappingProxyType(
    {
        MEASURED: "#7fbce0",
        BOUND: "#f0957f",
        REFERENCE: "#a3a3a3",
        HIGHLIGHT: "#f2cd5c",
        INK[HIGHLIGHT]: "#f2cd5c",
        INK["#c98232"]: "#dcb06a",
        INK["#aa7892"]: "#ba60a2",
        INK["#5b8c5a"]: "#7ccc79",
        EMPTY: "#565d66",
        ON_STRONG: "#ffffff",
        ON_PALE: "#eceff2",
        "#5b8c5a": "#7ccc79",
        "#aa7892": "#ba60a2",
        "#35305c": "#eef0fb",
        "#8a9cf5": "#6c80ff",
        "#8b5538": "#b9805a",
        "#2bb5ba": "#55f7e4",
        "#b01a72": "#fb68ae",
        "#b0588c": "#e89bc5",
        "#b89d14": "#ece04e",
        "#6a4c93": "#b396dd",
        "#a34a28": "#e58e6c",
        "#0f5636": "#3fa37c",
        "#c98232": "#dcb06a",
        "#5f5608": "#a9a024",
        "#c98f55": "#ecc48c",
        "#6f2f63": "#c77db9",
        "#5a6f8c": "#9db6d8",
        "#4f7d3a": "#9ccf83",
        "#8f2f45": "#f2709c",
        "#b98aa0": "#dbb8c8",
        "#5b3a9e": "#b98ef2",
        "#1f78a8": "#5cbcf2",
        "#ffffff": "#121212",
        "#000000": "#e6e9ec",
        "#333333": "#d5d9df",
        "#555555": "#a8adb5",
        "#dddddd": "#454b53",
        "#e6e6e6": "#30363d",
    }
)
# Name -> colours of a map on a light and on a dark page; the middle stays near the ground. The ends are near those
# of roles, but not equal: their partners carry text.
_MAPS = {
    "balance": (("#2b7098", "#f3f1ec", "#c7543c"), ("#2f7fae", "#2b3038", "#c2533a")),
    "standings": (("#2b7098", "#f3f1ec", "#d8a340", "#c6533c"), ("#2f7fae", "#2b3038", "#7d5a17", "#a33c26")),
}
BALANCE, STANDINGS = (
    LinearSegmentedColormap.from_list(name, light, bad="none") for name, (light, _) in _MAPS.items()
)


def colours(names: Iterable[str]) -> dict[str, str]:
    """Return a colour for each name: its own if it is a forecaster or an adversary, else the next that is free.

    Parameters
    ----------
    names : iterable of str
        Names of the curves of one picture.

    Returns
    -------
    dict
        Name -> colour.

    Examples
    --------
    >>> colours(["Algorithm 1", "mine", "pair"])
    {'Algorithm 1': '#2a6f97', 'mine': '#aa7892', 'pair': '#5b8c5a'}
    """
    wanted = list(names)
    table = FORECASTERS if any(name in FORECASTERS for name in wanted) else ADVERSARIES
    own = {name: table[name] for name in wanted if name in table}
    free = [colour for colour in CYCLE if colour not in own.values()] or list(CYCLE)
    rest = [name for name in wanted if name not in own]
    other = {name: free[number % len(free)] for number, name in enumerate(rest)}
    return {name: own.get(name) or other[name] for name in wanted}


@cache
def on_dark(colour: str) -> str:
    """Return the partner of a colour on a dark page.

    Parameters
    ----------
    colour : str
        Of the form ``#rrggbb``.

    Returns
    -------
    str
        Its partner in `PARTNERS`; for a colour of a colour map that of the same place in the dark map; otherwise the
        same hue with the lightness turned round.

    Examples
    --------
    >>> on_dark("#2a6f97"), on_dark("#2B7098"), on_dark("#404040")
    ('#7fbce0', '#2f7fae', '#bfbfbf')
    """
    colour = colour.lower()
    if colour in PARTNERS:
        return PARTNERS[colour]
    wanted = np.array(to_rgb(colour))
    light, dark = _steps()
    distances = np.abs(light - wanted).max(axis=1)
    if distances.min() < 0.012:
        return to_hex(dark[int(distances.argmin())])
    hue, lightness, saturation = colorsys.rgb_to_hls(*wanted)
    return to_hex(colorsys.hls_to_rgb(hue, 1.0 - lightness, saturation))


@cache
def _steps() -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Return the colours of all maps, light and dark: maps come near each other, so the nearest of all counts."""
    pairs = (map(LinearSegmentedColormap.from_list, ("light", "dark"), parts) for parts in _MAPS.values())
    places = np.arange(256)  # those that a drawing can have
    light, dark = zip(*((one(places)[:, :3], other(places)[:, :3]) for one, other in pairs), strict=True)
    return np.concatenate(light), np.concatenate(dark)


def use_style() -> None:
    """Apply the book's style to all figures of this process; a chapter calls it once.

    In a notebook figures are stored as drawings (SVG) without a date, so that a second run leaves no difference.

    Examples
    --------
    >>> use_style()
    """
    with as_file(files("klcal.figures") / "klcal.mplstyle") as path:
        plt.style.use(path)
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    if shell is not None:
        from matplotlib_inline.backend_inline import set_matplotlib_formats

        nothing = dict.fromkeys(("Creator", "Date", "Format", "Type"))
        set_matplotlib_formats("svg", metadata=nothing)  # type: ignore[no-untyped-call]


def axes_or_new(ax: Axes | None, texts: Mapping[str, str] | None = None) -> Axes:
    """Return `ax`, or the axes of a new figure, with its texts.

    Parameters
    ----------
    ax : Axes or None
        Where to draw.
    texts : mapping from str to str, optional
        ``xlabel``, ``ylabel`` and ``title``.

    Returns
    -------
    Axes
        The axes.

    Examples
    --------
    >>> axes_or_new(None, {"title": "a grid"}).get_title()
    'a grid'
    """
    axes: Axes = plt.subplots()[1] if ax is None else ax
    axes.set(**(texts or {}))
    return axes


def label(
    ax: Axes, words: str, at: tuple[float, float], shift: tuple[float, float] = (6, -3), **look: Any
) -> None:
    """Write a name beside a curve, in place of a legend.

    Parameters
    ----------
    ax : Axes
        Where to write.
    words : str
        The name.
    at : (float, float)
        A point of the curve, by default its right end.
    shift : (float, float)
        From there to the words, in points of 1/72 inch.
    **look
        ``color``, ``ha`` and what else ``Axes.annotate`` takes. A pale colour becomes its shade in `INK`.

    Examples
    --------
    >>> ax = axes_or_new(None)
    >>> label(ax, "bound", (1, 2), color=BOUND)
    >>> ax.texts[0].get_text()
    'bound'
    """
    if "color" in look:
        look["color"] = INK.get(to_hex(look["color"]), look["color"])
    ax.annotate(words, at, shift, textcoords="offset points", annotation_clip=False, fontsize=9, **look)


def panels(rows: int, columns: int, *, width: float = 3.3, height: float = 3.0) -> npt.NDArray[np.object_]:
    """Return a row or table of axes.

    Parameters
    ----------
    rows, columns : int
        Shape of the table.
    width, height : float
        Size of one panel in inches.

    Returns
    -------
    ndarray of Axes, shape (rows * columns,)
        The axes, row by row.

    Examples
    --------
    >>> len(panels(1, 2))
    2
    """
    axes = plt.subplots(rows, columns, figsize=(width * columns, height * rows), squeeze=False)[1]
    flat: npt.NDArray[np.object_] = axes.ravel()
    return flat
