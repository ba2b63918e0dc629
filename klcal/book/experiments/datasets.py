"""Two records of daily weather that come with the package: rain in Seattle, frost in Clemson.

Sources and licence are in ``klcal/book/experiments/data/README.md``.
"""

from __future__ import annotations

import calendar
import csv
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import files

import numpy as np
import numpy.typing as npt

from klcal import _checks
from klcal._checks import IntArray, OutcomeArray

DateArray = npt.NDArray[np.datetime64]

# A leap year's calendar, so that a date has the same number in every year.
DAYS_OF_CALENDAR = 366
_MONTH_STARTS = np.concatenate([[0], np.cumsum([calendar.monthrange(2000, m)[1] for m in range(1, 12)])])
# The minimum of this day reads -72 degrees Fahrenheit, between two nights of 70.
MISREAD = np.datetime64("1936-07-18")


@dataclass(frozen=True, eq=False, repr=False)
class Series:
    """A sequence of days and of what happened on each.

    Parameters
    ----------
    name : str
        What the outcome 1 means, and where.
    dates : array_like of datetime64[D], shape (T,)
        The days, strictly increasing; days without a reading are left out.
    outcomes : array_like of {0, 1}, shape (T,)
        What happened.

    Examples
    --------
    >>> series = Series("rain", ["2012-02-29", "2012-03-02"], [1, 0])
    >>> series
    Series('rain', 2 days, 2012-02-29 to 2012-03-02)
    >>> series.missing, series.calendar_days, series.months
    (1, array([59, 61]), array([0, 1]))
    """

    name: str
    dates: DateArray
    outcomes: OutcomeArray

    def __init__(self, name: str, dates: npt.ArrayLike, outcomes: npt.ArrayLike) -> None:
        days = np.asarray(dates, dtype="datetime64[D]")
        y = _checks.outcomes("outcomes", outcomes)
        _checks.same_length("dates", days, "outcomes", y)
        late = days[1:] <= days[:-1]
        if late.any():
            index = int(np.argmax(late)) + 1
            raise ValueError(f"dates must increase strictly; got {str(days[index])!r} at index {index}")
        object.__setattr__(self, "name", name)
        object.__setattr__(self, "dates", _checks.frozen(days))
        object.__setattr__(self, "outcomes", _checks.frozen(y))

    def __len__(self) -> int:
        return len(self.outcomes)

    def __repr__(self) -> str:
        return f"Series({self.name!r}, {len(self)} days, {self.dates[0]} to {self.dates[-1]})"

    @property
    def missing(self) -> int:
        """Number of days between the first and the last that have no reading."""
        return int((self.dates[-1] - self.dates[0]).astype(np.int64)) + 1 - len(self)

    @property
    def calendar_days(self) -> IntArray:
        """Place of each day in a leap year's calendar, from 0 to 365; 1 March is always number 60."""
        months = self.dates.astype("datetime64[M]")
        day = (self.dates - months).astype(np.int64)
        return np.asarray(_MONTH_STARTS[months.astype(np.int64) % 12] + day)

    @property
    def months(self) -> IntArray:
        """Number of each day's month, 0 for the first month of the record."""
        months = self.dates.astype("datetime64[M]").astype(np.int64)
        return np.asarray(months - months[0])


def _rows(name: str) -> Iterator[dict[str, str]]:
    text = (files("klcal.book.experiments") / "data" / name).read_text(encoding="ascii")
    yield from csv.DictReader(text.splitlines())


def seattle_rain() -> Series:
    """Return the days of Seattle with any precipitation, 2012 to 2015.

    Returns
    -------
    Series
        1,461 days without a gap.

    Examples
    --------
    >>> series = seattle_rain()
    >>> len(series), int(series.outcomes.sum()), str(series.dates[-1])
    (1461, 623, '2015-12-31')
    """
    rows = list(_rows("seattle-rain.csv"))
    rain = [float(row["precipitation"]) > 0.0 for row in rows]
    return Series("rain in Seattle", [row["date"] for row in rows], rain)


def clemson_frost(*, as_read: bool = False) -> Series:
    """Return the days of frost in Clemson, South Carolina, 1930 to 2020.

    Parameters
    ----------
    as_read : bool
        Whether to keep 18 July 1936, whose minimum was surely written down with a wrong sign, as a day of frost.

    Returns
    -------
    Series
        33,130 days, or 33,131 as read; 107 days have no reading.

    Examples
    --------
    >>> series = clemson_frost()
    >>> len(series), int(series.outcomes.sum()), str(series.dates[0])
    (33130, 5804, '1930-01-01')
    """
    dates, frost = [], []
    for row in _rows("clemson-frost.csv"):
        first = np.datetime64(row["month"], "D")
        for after, sign in enumerate(row["days"]):
            day = first + np.timedelta64(after, "D")
            if sign != "." and (as_read or day != MISREAD):
                dates.append(day)
                frost.append(int(sign))
    return Series("frost in Clemson", np.array(dates), frost)
