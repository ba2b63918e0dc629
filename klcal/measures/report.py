"""`klcal.measure`: what there is to know about somebody's forecasts, in one report."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy.typing as npt

from klcal import _checks
from klcal.losses import ProperLoss, log, named, squared
from klcal.measures.cells import (
    Cells,
    calibration_error,
    external_regret,
    kl_calibration,
    move_to_bin_means,
    total_loss,
)
from klcal.measures.chance import MOST_EXACT, Band, Coins
from klcal.measures.isotonic import Isotonic, Tilt
from klcal.measures.suprema import max_swap_regret

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_CUT = {
    "tails": "by angle, and cut at 0.01, 0.001, ..., 1e-9 and their mirrors; 0 and 1 alone",
    "angle": "equally wide in arcsin(sqrt(p)), finer near 0 and 1",
    "uniform": "equally wide, as for the usual ECE",
    "quantile": "between quantiles of the forecasts",
}
# A shorter record is a toy, and needs no advice.
_FEW = 20
# More discs than these nobody can tell apart, and a million take a minute to draw.
_MOST_DRAWN = 10_000
# Less is no reason to speak of a tilt.
_SEEN = 0.05
# Smaller p-values have no digits to be relied on: numbers of ones with less than 1e-30 are left out.
_LEAST_SHOWN = 1e-20


@dataclass(frozen=True, eq=False, repr=False)
class Report:
    r"""How good forecasts are, and how good perfect ones would look: what `klcal.measure` returns.

    Losses, their parts and `ece` are means over rounds, the KL-calibration error is a sum, as in the paper. In a
    notebook the report shows itself as a table, and ``print(report)`` does the same with plain letters. What takes
    time is computed when it is asked for.

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
    spacing : {"tails", "angle", "uniform", "quantile"}
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
    def isotonic(self) -> Isotonic:
        """The split of losses without bins, its p-value, and what `klcal.Recalibrator` would save."""
        return Isotonic(self.made)

    @property
    def tilt(self) -> Tilt:
        """Shift and slope of the line from the log odds of the forecasts to those of the truth, and its p-value."""
        return self.isotonic.tilt

    @cached_property
    def p_value(self) -> float:
        """The probability that perfect forecasts have at least this KL-calibration error; see `Coins.kl_tail`.

        It is 0 if something happened that was forecast to be impossible. With more than 10,000 bins in use it is
        that of `isotonic`, which is simulated.
        """
        if self.isotonic.impossible:
            return 0.0
        return self.coins.kl_tail(self.cells) if len(self.cells) <= MOST_EXACT else self.isotonic.p_value

    @property
    def _shown_p_value(self) -> float | str:
        if self.p_value < _LEAST_SHOWN and not self.isotonic.impossible:
            return f"below {_LEAST_SHOWN:g}"
        return self.p_value

    def parts(self, loss: ProperLoss | str = "log") -> dict[str, float]:
        """Return the mean loss of a round and its parts: loss = miscalibration - discrimination + uncertainty.

        Parameters
        ----------
        loss : ProperLoss or str
            A proper loss, or its name in `klcal.LOSSES`.

        Returns
        -------
        dict
            The loss of the forecasts as they were made, and its parts by isotonic regression, without bins. What the
            best increasing function of the forecast, known afterwards, would have saved (miscalibration); what that
            function is better than the base rate (discrimination); the loss of the base rate (uncertainty).

        Examples
        --------
        >>> measure([0.25, 0.75, 0.25, 0.75], [0, 1, 0, 0]).parts("squared")
        {'loss': 0.1875, 'miscalibration': 0.0625, 'discrimination': 0.0625, 'uncertainty': 0.1875}
        """
        chosen = named(loss)
        made, repaired = total_loss(self.made, chosen) / self.rounds, self.isotonic.repaired_loss(chosen)
        base = float(chosen.entropy(self.made.base_rate))
        names = ("loss", "miscalibration", "discrimination", "uncertainty")
        return dict(zip(names, (made, made - repaired, base - repaired, base), strict=True))

    def band(self, level: float = 0.95) -> Band:
        r"""Return between which frequencies of ones all bins at once would lie if the forecasts were perfect.

        Parameters
        ----------
        level : float
            Probability that no bin of perfect forecasts lies outside, strictly between 0 and 1. Given the forecasts
            bins are independent, so each of m bins gets :math:`\mathrm{level}^{1/m}`, and all of them have at
            least `level` exactly.
        """
        return self.coins.band(_checks.probability("level", level) ** (1.0 / len(self.cells)))

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the reliability diagram: bins with their band, the isotonic steps, and where the forecasts are.

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

        return plot_reliability(self.cells, band=self.band(), made=self.made, ax=ax)

    def numbers(self) -> dict[str, Any]:
        """Return everything by name; losses and ECE are means over rounds. A tilt that does not exist is left out."""
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
            found[f"{loss} loss, miscalibration of perfect forecasts, mean"] = self.isotonic.of_perfect[loss]
            found[f"external regret, {loss} loss, sum over rounds"] = external_regret(self.cells, loss)
        found |= {f"tilt, {name.replace('_', '-')}": value for name, value in self.tilt._asdict().items()}
        saving, error = self.isotonic.saving
        found |= {
            "p-value of the miscalibration in log loss, simulated": self.isotonic.p_value,
            "log loss that klcal.Recalibrator saves on a new row": saving,
            "log loss that klcal.Recalibrator saves on a new row, standard error": error,
            "rounds that were forecast to be impossible": self.isotonic.impossible,
            "worst swap regret, bounded proper losses, sum over rounds": max_swap_regret(self.cells),
        }
        return {name: value for name, value in found.items() if value == value}

    def notes(self) -> Iterator[str]:
        """Say what a reader of the table may stumble over, a sentence or two each."""
        c = self.made
        for said, met in ((0, c.ones[c.points == 0.0]), (1, c.zeros[c.points == 1.0])):
            if rounds := int(met.sum()):
                met_it = f"met outcome {1 - said} in {rounds} round{'s' * (rounds > 1)}"
                yield f"A forecast of {said} {met_it}. Perfect forecasts never do."
        if len(self.cells) > MOST_EXACT:
            yield f"With more than {MOST_EXACT} bins the p-value is that of the miscalibration, simulated."
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

    def _shown(self) -> tuple[list[str], list[list[str]]]:
        """Return what is shown: a heading and a table."""
        heading = [f"{self.rounds} rounds, {int(self.made.ones.sum())} of them with outcome 1", self._cut]
        table = [
            ["per round", "loss", "miscalibration", "perfect ones", "p", "discrimination", "uncertainty"]
        ]
        for name, loss, p in (("log loss", log, shown(self.isotonic.p_value)), ("Brier score", squared, "")):
            one, *others = map(shown, self.parts(loss).values())
            table.append([name, one, others[0], shown(self.isotonic.of_perfect[loss.name]), p, *others[1:]])
        return heading, table

    def _words(self) -> Iterator[str]:
        """Say in words what the table does not: the usual error, the direction, and whether a repair pays."""
        kind = "exact" if len(self.cells) <= MOST_EXACT else "simulated"
        yield (
            f"ECE {shown(self.ece)} (perfect ones: {shown(self._perfect_ece)}); "
            f"{kind} p-value {shown(self._shown_p_value)}."
        )
        yield tilt_in_words(self.tilt)
        saving, error = self.isotonic.saving
        if math.isfinite(saving):
            yield f"klcal.Recalibrator would save {with_error(saving, error)} of the log loss on new rows."

    def __repr__(self) -> str:
        bins = "no bins" if self.bins is None else f"{self.bins} bins by {self.spacing}"
        found = (
            f"ECE {shown(self.ece)}, KL-calibration {shown(self.kl)}, p-value {shown(self._shown_p_value)}"
        )
        return f"Report({self.rounds} rounds, {bins}: {found})"

    def __str__(self) -> str:
        heading, table = self._shown()
        return "\n\n".join(["\n".join(heading), aligned(table), "\n".join(self._words()), *self.notes()])

    def _repr_markdown_(self) -> str:
        heading, table = self._shown()
        table.insert(1, ["---"] * len(table[0]))
        piped = "\n".join(f"| {' | '.join(row)} |" for row in table)
        return "\n\n".join(["; ".join(heading), piped, " ".join(self._words()), *self.notes()])


def measure(
    forecasts: npt.ArrayLike, outcomes: npt.ArrayLike, bins: int | None = 10, spacing: str = "tails"
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
    spacing : {"tails", "angle", "uniform", "quantile"}
        Bins that are equally wide in the angle :math:`\arcsin\sqrt p`, "tails" with further cuts at 0.01, 0.001, ...,
        1e-9 and at their mirrors, and with 0 and 1 alone; that are equally wide, as for the usual ECE; or that have
        about equally many forecasts. See `klcal.measures.cells.bin_places`.

    Returns
    -------
    Report
        With `ece`, `kl`, `p_value`, `parts`, `isotonic`, `tilt`, `band`, `plot` and more.

    Notes
    -----
    Perfect forecasts are those whose outcomes are independent coins, each with the bias that was forecast. Their
    error is not 0, because frequencies are not probabilities. Its law in bins is computed, that of the isotonic
    miscalibration is simulated. If the forecasts depend on earlier outcomes, p-values are yardsticks and not those of
    tests.

    Cuts in the tails split bins of the angle and join none, so they never make `ece` smaller, and larger only where
    errors of different sign inside a bin have cancelled.

    Examples
    --------
    >>> report = measure([0.25, 0.25, 0.25, 0.25, 0.75, 0.75], [0, 1, 0, 1, 1, 0])
    >>> report
    Report(6 rounds, 10 bins by tails: ECE 0.25, KL-calibration 0.863, p-value 0.6045)
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


def with_error(value: float, error: float) -> str:
    """Return a value and its standard error, which gets one digit.

    Examples
    --------
    >>> with_error(0.0307, 0.0036), with_error(12.0, 30.0)
    ('0.031 ± 0.004', '12 ± 30')
    """
    digits = min(max(0, -math.floor(math.log10(error))), 6) if error > 0.0 else 6
    return f"{value:.{digits}f} ± {error:.{digits}f}"


def tilt_in_words(tilt: Tilt) -> str:
    """Say in which direction forecasts are wrong.

    Examples
    --------
    >>> tilt_in_words(Tilt(shift=0.15, slope=0.75, p_value=1e-30))
    'Too sure: slope 0.75, shift +0.15.'
    >>> tilt_in_words(Tilt(shift=-0.07, slope=1.01, p_value=0.01))
    'Too high: slope 1.01, shift -0.07.'
    """
    if math.isnan(tilt.shift):
        return "No tilt can be fitted: zeros and ones do not overlap."
    if abs(tilt.shift) > abs(tilt.slope - 1.0):  # at log odds of 1 the shift moves more than the slope
        kind = "Too low" if tilt.shift > 0.0 else "Too high"
    else:
        kind = "Too sure" if tilt.slope < 1.0 else "Too timid"
    kind = kind if tilt.p_value <= _SEEN else "No clear tilt"
    return f"{kind}: slope {tilt.slope:.2f}, shift {tilt.shift:+.2f}."
