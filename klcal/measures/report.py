"""`klcal.measure`: what there is to know about somebody's forecasts, in one report."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy.typing as npt

from klcal import _checks
from klcal.losses import LOSSES
from klcal.measures.cells import (
    Cells,
    calibration_error,
    external_regret,
    kl_calibration,
    move_to_bin_means,
    swap_regret,
    total_loss,
)
from klcal.measures.chance import Band, Coins
from klcal.measures.suprema import max_swap_regret

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_CUT = {
    "angle": "equally wide in arcsin(sqrt(p)), finer near 0 and 1",
    "uniform": "equally wide, as for the usual ECE",
    "quantile": "between quantiles of the forecasts",
}
# A shorter record is a toy, and needs no advice.
_FEW = 20
# More discs than these nobody can tell apart, and a million take a minute to draw.
_MOST_DRAWN = 10_000
# Smaller p-values have no digits to be relied on: numbers of ones with less than 1e-30 are left out.
_LEAST_SHOWN = 1e-20


@dataclass(frozen=True, eq=False, repr=False)
class Report:
    r"""How good forecasts are, and how good perfect ones would look: what `klcal.measure` returns.

    Losses, their parts and `ece` are means over rounds, the KL-calibration error is a sum, as in the paper. In a
    notebook the report shows itself as a table, and ``print(report)`` does the same with plain letters.

    Parameters
    ----------
    made : Cells
        The forecasts as they were made, one cell for each distinct number.
    cells : Cells
        The bins, each at its mean forecast; `klcal.swap_regret` and the other measures take them.
    coins : Coins
        Perfect forecasts in the same bins: each outcome a coin whose bias is the forecast that was made.
    bins : int or None
        How many bins there are; None if every distinct forecast is one.
    spacing : {"angle", "uniform", "quantile"}
        How they are cut.
    """

    made: Cells
    cells: Cells
    coins: Coins
    bins: int | None
    spacing: str

    @property
    def rounds(self) -> int:
        """The number T of rounds."""
        return int(self.made.total)

    @property
    def kl(self) -> float:
        r"""The KL-calibration error :math:`\sum_b n_b\,\mathsf{KL}(\rho_b, \bar p_b)`, a sum over rounds."""
        return kl_calibration(self.cells)

    @property
    def ece(self) -> float:
        r"""The expected calibration error :math:`\frac1T\sum_b n_b\,|\rho_b - \bar p_b|`, l1-calibration per round."""
        return calibration_error(self.cells, order=1) / self.rounds

    @cached_property
    def p_value(self) -> float:
        """The probability that perfect forecasts have at least this KL-calibration error; see `Coins.kl_tail`."""
        return self.coins.kl_tail(self.cells)

    @property
    def _shown_p_value(self) -> float | str:
        return self.p_value if self.p_value >= _LEAST_SHOWN else f"below {_LEAST_SHOWN:g}"

    def parts(self, loss: str = "log") -> dict[str, float]:
        """Return the mean loss of a round and its parts.

        Parameters
        ----------
        loss : str
            A name in `klcal.LOSSES`.

        Returns
        -------
        dict
            The loss of the forecasts as they were made; what it has from wrong numbers (calibration: of the log loss
            it is KL-calibration per round, of the squared loss l2-calibration), from bins that mix ones and zeros
            (refinement), and, if there are bins, from forecasts that differ inside a bin, which is negative if they
            tell more than the bin does. The parts add up to the loss.

        Examples
        --------
        >>> measure([0.25, 0.75, 0.25, 0.75], [0, 1, 0, 0], bins=1).parts("squared")
        {'loss': 0.1875, 'calibration': 0.0625, 'refinement': 0.1875, 'inside bins': -0.0625}
        """
        mean, chosen = total_loss(self.made, loss) / self.rounds, LOSSES[_checks.choice("loss", loss, LOSSES)]
        wrong = swap_regret(self.cells, chosen) / self.rounds
        mixed = float(self.cells.mass @ chosen.entropy(self.cells.means)) / self.rounds
        found = {"loss": mean, "calibration": wrong, "refinement": mixed}
        if self.bins is not None and math.isfinite(wrong):
            found["inside bins"] = mean - wrong - mixed
        return found

    def band(self, level: float = 0.95) -> Band:
        """Return between which frequencies of ones each bin would lie if the forecasts were perfect.

        Parameters
        ----------
        level : float
            Probability of the interval of one bin, strictly between 0 and 1.
        """
        return self.coins.band(level)

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the reliability diagram: frequency of ones against mean forecast, with the consistency band.

        Parameters
        ----------
        ax : Axes, optional
            Where to draw.
        """
        if len(self.cells) > _MOST_DRAWN:
            raise ValueError(
                f"bins must be at most {_MOST_DRAWN} for a picture; got {len(self.cells)}. Try 10"
            )
        from klcal.figures.forecasts import plot_reliability  # drawing is loaded only when asked for

        return plot_reliability(self.cells, band=self.band(), ax=ax)

    def numbers(self) -> dict[str, Any]:
        """Return everything by name; losses and ECE are means over rounds."""
        found = {
            "rounds": self.rounds,
            "rounds with outcome 1": int(self.made.ones.sum()),
            "distinct forecasts": len(self.made),
            "bins": self._cut,
            "bins in use": len(self.cells),
            "ECE (l1-calibration per round)": self.ece,
            "ECE of perfect forecasts, mean": self._perfect_ece,
            "KL-calibration, sum over rounds": self.kl,
            "KL-calibration of perfect forecasts, mean": self.coins.kl_mean,
            "KL-calibration of perfect forecasts, standard deviation": self.coins.kl_spread,
            "p-value: perfect forecasts have as much": self._shown_p_value,
        }
        for loss in ("log", "squared"):
            for part, value in self.parts(loss).items():
                found[f"{loss} loss" if part == "loss" else f"{loss} loss, {part}"] = value
            found[f"external regret, {loss} loss, sum over rounds"] = external_regret(self.cells, loss)
        found["worst swap regret, bounded proper losses, sum over rounds"] = max_swap_regret(self.cells)
        return found

    def notes(self) -> Iterator[str]:
        """Say what a reader of the table may stumble over, a sentence or two each."""
        if not math.isfinite(self.kl):
            yield (
                "KL-calibration is infinite because a forecast 0 met an outcome 1, or a forecast 1 an outcome 0; "
                "nothing is clipped. In a bin with other forecasts it is finite."
            )
        elif not math.isfinite(total_loss(self.made)):
            yield "The log loss is infinite because a forecast 0 or 1 was wrong; nothing is clipped."
        if 2 * len(self.cells) > self.rounds > _FEW:
            yield (
                f"With {len(self.cells)} bins for {self.rounds} rounds calibration says little more than the loss "
                "itself; 10 bins say more."
            )

    @property
    def _cut(self) -> str:
        if self.bins is None:
            return "no bins, every distinct forecast for itself"
        return f"{self.bins} bin{'s' * (self.bins > 1)}, {_CUT[self.spacing]}"

    @property
    def _perfect_ece(self) -> float:
        return self.coins.mean_error(1) / self.rounds

    def _shown(self) -> tuple[list[str], list[list[list[str]]]]:
        """Return what is shown: a heading and two tables."""
        ones = int(self.made.ones.sum())
        heading = [f"{self.rounds} rounds, {ones} of them with outcome 1", self._cut]
        log, squared = self.parts("log"), self.parts("squared")
        errors = [
            ["", "forecasts", "perfect ones, mean", "p-value"],
            ["ECE", shown(self.ece), shown(self._perfect_ece), ""],
            ["KL-calibration, sum", shown(self.kl), shown(self.coins.kl_mean), shown(self._shown_p_value)],
        ]
        losses = [
            ["per round", *squared],
            ["log loss", *(shown(log[part]) if part in log else "" for part in squared)],
            ["squared loss (Brier)", *map(shown, squared.values())],
        ]
        return heading, [errors, losses]

    def __repr__(self) -> str:
        bins = "no bins" if self.bins is None else f"{self.bins} bins by {self.spacing}"
        found = (
            f"ECE {shown(self.ece)}, KL-calibration {shown(self.kl)}, p-value {shown(self._shown_p_value)}"
        )
        return f"Report({self.rounds} rounds, {bins}: {found})"

    def __str__(self) -> str:
        heading, tables = self._shown()
        return "\n\n".join(["\n".join(heading), *map(aligned, tables), *self.notes()])

    def _repr_markdown_(self) -> str:
        heading, tables = self._shown()
        for table in tables:
            table.insert(1, ["---"] * len(table[0]))
        piped = ["\n".join(f"| {' | '.join(row)} |" for row in table) for table in tables]
        return "\n\n".join(["; ".join(heading), *piped, *self.notes()])


def measure(
    forecasts: npt.ArrayLike, outcomes: npt.ArrayLike, bins: int | None = 10, spacing: str = "angle"
) -> Report:
    r"""Measure forecasts against outcomes, and beside what perfect forecasts would have.

    Parameters
    ----------
    forecasts : array_like, shape (T,)
        Numbers in [0, 1]: a list, an array, a column of pandas or polars.
    outcomes : array_like, shape (T,)
        What happened, 0 or 1, or booleans.
    bins : int or None
        How many bins. Each is measured at its mean forecast, so that perfect forecasts stay perfect. None for
        forecasts that repeat themselves: every distinct number is then a bin.
    spacing : {"angle", "uniform", "quantile"}
        Bins that are equally wide in the angle :math:`\arcsin\sqrt p`; that are equally wide, as for the usual ECE;
        or that have about equally many forecasts. See `klcal.measures.cells.bin_places`.

    Returns
    -------
    Report
        With `ece`, `kl`, `p_value`, `parts`, `band`, `plot` and more.

    Notes
    -----
    Perfect forecasts are those whose outcomes are independent coins, each with the bias that was forecast. Their
    error is not 0, because frequencies are not probabilities; its law is computed, not simulated. If the forecasts
    depend on earlier outcomes, the p-value is a yardstick and not that of a test.

    Examples
    --------
    >>> report = measure([0.25, 0.25, 0.25, 0.25, 0.75, 0.75], [0, 1, 0, 1, 1, 0])
    >>> report
    Report(6 rounds, 10 bins by angle: ECE 0.25, KL-calibration 0.863, p-value 0.6045)
    >>> report.cells.points, report.cells.means
    (array([0.25, 0.75]), array([0.5, 0.5]))
    """
    if any(hasattr(forecasts, sign) for sign in ("columns", "realised", "points")):  # tables, games, cells
        rule = "be one number for each round, such as table['forecast'] or run.forecasts"
        raise ValueError(f"forecasts must {rule}; got a {type(forecasts).__name__}")
    made = Cells.from_forecasts(forecasts, outcomes)
    _checks.choice("spacing", spacing, _CUT)
    if bins is None:
        return Report(made, made, Coins.of_cells(made), None, spacing)
    moved = move_to_bin_means(forecasts, bins, spacing)
    return Report(
        made, Cells.from_forecasts(moved, outcomes), Coins.from_forecasts(forecasts, moved), bins, spacing
    )


def shown(value: object) -> str:
    """Return a value as people read it: floats with four significant digits, large ones whole.

    Examples
    --------
    >>> shown(2.0), shown(1 / 3), shown(12345.6), shown("ten")
    ('2', '0.3333', '12346', 'ten')
    """
    if not isinstance(value, float):
        return str(value)
    return f"{value:.0f}" if 1e3 <= abs(value) < 1e15 else f"{value:.4g}"


def aligned(rows: Sequence[Sequence[str]]) -> str:
    """Return rows of words in columns.

    Examples
    --------
    >>> print(aligned([["", "value"], ["number", "1"]]))
            value
    number  1
    """
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = ("  ".join(word.ljust(width) for word, width in zip(row, widths, strict=True)) for row in rows)
    return "\n".join(line.rstrip() for line in lines)
