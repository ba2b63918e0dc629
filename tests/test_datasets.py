"""The weather records: complete, as their README says, and read without repair."""

from __future__ import annotations

import calendar
import csv
import datetime
from importlib.resources import files

import numpy as np

from klcal.book.experiments.datasets import MISREAD, Series, clemson_frost, seattle_rain

DATA = files("klcal.book.experiments") / "data"


def rows(name: str) -> list[dict[str, str]]:
    return list(csv.DictReader((DATA / name).read_text().splitlines()))


def test_every_day_of_four_years_is_in_the_record_of_seattle():
    series = seattle_rain()
    assert len(series) == 3 * 365 + 366
    assert set(np.diff(series.dates).astype(int)) == {1}
    amounts = [float(row["precipitation"]) for row in rows("seattle-rain.csv")]
    assert min(amounts) == 0.0 and max(amounts) == 55.9
    assert series.outcomes.sum() == sum(amount > 0 for amount in amounts) == 623


def test_a_line_of_clemson_is_a_month_with_one_sign_per_day():
    lines = rows("clemson-frost.csv")
    assert [row["month"] for row in lines] == [
        f"{year}-{month:02d}" for year in range(1930, 2021) for month in range(1, 13)
    ]
    for row in lines:
        year, month = map(int, row["month"].split("-"))
        assert len(row["days"]) == calendar.monthrange(year, month)[1]
        assert set(row["days"]) <= set("01.")
    signs = "".join(row["days"] for row in lines)
    assert (signs.count("1"), signs.count("0"), signs.count(".")) == (5805, 27326, 107)


def test_the_misread_day_is_the_only_frost_between_may_and_september_but_one():
    as_read, kept = clemson_frost(as_read=True), clemson_frost()
    months = as_read.dates.astype("datetime64[M]").astype(int) % 12 + 1
    warm = as_read.dates[(as_read.outcomes == 1) & (months >= 5) & (months <= 9)]
    assert [str(day) for day in warm] == ["1936-07-18", "1989-05-08"]
    assert set(as_read.dates) - set(kept.dates) == {MISREAD}
    assert len(as_read) == len(kept) + 1


def test_a_date_has_the_same_place_in_the_calendar_of_every_year():
    days = ["2011-12-31", "2012-02-28", "2012-02-29", "2012-03-01", "2013-03-01", "2013-12-31"]
    assert Series("", days, [0] * 6).calendar_days.tolist() == [365, 58, 59, 60, 60, 365]
    series = seattle_rain()
    first = datetime.date(2000, 1, 1)
    expected = [(datetime.date(2000, d.month, d.day) - first).days for d in series.dates.tolist()]
    assert series.calendar_days.tolist() == expected
