"""Simple forecasting models for a record of days, fitted online: a forecast sees earlier days only.

They are what one would do without any thought of calibration: frequencies of the season, and logistic regression on
the season and the day before.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from scipy.special import expit, logit

from klcal import _checks
from klcal._checks import FloatArray, IntArray, OutcomeArray
from klcal.book.experiments.datasets import DAYS_OF_CALENDAR, Series

_MOST_STEPS = 100
_SMALL_STEP = 1e-9
# Relative error of a sum of log losses.
_ROUNDING = 1e-12


def climatology(series: Series, half_width: int = 7) -> FloatArray:
    r"""Return for each day the frequency of ones at the same time of earlier years, by Laplace's rule.

    .. math:: \frac{k + 1}{n + 2}

    for n earlier days at most `half_width` from today's date, k of them ones; the calendar is a circle.

    Parameters
    ----------
    series : Series
        The record.
    half_width : int
        How many days before and after today's date count as the same time of the year, at least 0 and below 183.

    Returns
    -------
    ndarray, shape (T,)
        Forecasts strictly between 0 and 1.

    Examples
    --------
    The day before counts as well, since it is at most a week from today:

    >>> climatology(
    ...     Series(
    ...         "",
    ...         ["2012-07-01", "2012-07-02", "2012-12-01", "2013-07-01"],
    ...         [1, 1, 0, 1],
    ...     )
    ... )
    array([0.5       , 0.66666667, 0.5       , 0.75      ])
    """
    width = _checks.integer("half_width", half_width, least=0)
    if 2 * width + 1 > DAYS_OF_CALENDAR:
        raise ValueError(f"half_width must be below {DAYS_OF_CALENDAR // 2}; got {half_width!r}")
    near = np.arange(-width, width + 1)
    seen, ones = np.zeros(DAYS_OF_CALENDAR), np.zeros(DAYS_OF_CALENDAR)
    forecasts = np.empty(len(series))
    for t, (day, outcome) in enumerate(zip(series.calendar_days, series.outcomes, strict=True)):
        forecasts[t] = (ones[day] + 1.0) / (seen[day] + 2.0)
        places = (day + near) % DAYS_OF_CALENDAR
        seen[places] += 1.0
        ones[places] += outcome
    return forecasts


def weather_features(series: Series, waves: int = 1) -> FloatArray:
    r"""Return what a day's forecast may look at: a constant, the outcome before, and waves of the season.

    Parameters
    ----------
    series : Series
        The record.
    waves : int
        Number of harmonics of the year; wave j adds the cosine and the sine of :math:`2\pi j d/366` on day d of the
        calendar.

    Returns
    -------
    ndarray, shape (T, 2 + 2 waves)
        One row per day. The outcome before is that of the last day with a reading, and 0 on the first day.

    Examples
    --------
    >>> weather_features(Series("", ["2012-01-01", "2012-01-02"], [1, 0]), waves=0)
    array([[1., 0.],
           [1., 1.]])
    """
    number = _checks.integer("waves", waves, least=0)
    before = np.concatenate([[0.0], series.outcomes[:-1]])
    columns = [np.ones(len(series)), before]
    angle = 2.0 * np.pi * series.calendar_days / DAYS_OF_CALENDAR
    for wave in range(1, number + 1):
        columns += [np.cos(wave * angle), np.sin(wave * angle)]
    return np.column_stack(columns)


def _rows(features: npt.ArrayLike, outcomes: npt.ArrayLike) -> tuple[FloatArray, OutcomeArray]:
    """Return features and outcomes, a row and an outcome for each day."""
    x = _checks.real_array("features", features, ndim=2)
    y = _checks.outcomes("outcomes", outcomes)
    _checks.same_length("outcomes", y, "features", x)
    return x, y


def _newton(x: FloatArray, mass: FloatArray, ones: FloatArray, penalty: float, w: FloatArray) -> FloatArray:
    """Minimise the penalised log loss; row i of the features occurred `mass[i]` times, `ones[i]` of them with a one."""
    before = _objective(x, mass, ones, penalty, w)
    for _ in range(_MOST_STEPS):
        p = expit(x @ w)
        slope = x.T @ (mass * p - ones) + penalty * w
        curvature = (x.T * (mass * p * (1.0 - p))) @ x + penalty * np.eye(len(w))
        step = np.linalg.solve(curvature, slope)
        small = float(np.max(np.abs(step))) <= _SMALL_STEP
        after = _objective(x, mass, ones, penalty, w - step)
        while after > before + _ROUNDING * (1.0 + before):  # too long a step, far from the minimum
            step = step / 2.0
            after = _objective(x, mass, ones, penalty, w - step)
        w, before = w - step, after
        if small:
            return w
    raise ValueError(f"penalty must be large enough for Newton's method to end; got {penalty!r}")


def _objective(x: FloatArray, mass: FloatArray, ones: FloatArray, penalty: float, w: FloatArray) -> float:
    scores = x @ w
    return float(mass @ np.logaddexp(0.0, scores) - ones @ scores + penalty / 2.0 * w @ w)


def online_logistic(
    features: npt.ArrayLike, outcomes: npt.ArrayLike, blocks: npt.ArrayLike, penalty: float = 1.0
) -> FloatArray:
    r"""Return forecasts of a logistic regression that is fitted anew at the start of each block, on all days before.

    Its coefficients minimise :math:`\sum_t \ell(\sigma(\langle x_t, w\rangle), y_t) + \frac\lambda2 |w|^2` with the
    log loss :math:`\ell` and the logistic function :math:`\sigma`; the penalty makes the minimum unique and finite.

    Parameters
    ----------
    features : array_like, shape (T, d)
        What is known before each day's outcome.
    outcomes : array_like of {0, 1}, shape (T,)
        The outcomes.
    blocks : array_like of int, shape (T,)
        Number of the block that a day belongs to, never decreasing; for instance its month.
    penalty : float
        The weight :math:`\lambda`, greater than 0.

    Returns
    -------
    ndarray, shape (T,)
        Forecasts; 1/2 in the first block.

    Examples
    --------
    >>> online_logistic([[1], [1], [1], [1]], [1, 1, 1, 1], [0, 0, 1, 1]).round(3)
    array([0.5  , 0.5  , 0.663, 0.663])
    """
    x, y = _rows(features, outcomes)
    numbers = _checks.real_array("blocks", blocks, ndim=1)
    _checks.same_length("blocks", numbers, "features", x)
    back = np.diff(numbers) < 0
    if back.any():
        index = int(np.argmax(back)) + 1
        raise ValueError(f"blocks must not decrease; got {numbers[index].item()!r} at index {index}")
    weight = _checks.real("penalty", penalty, above=0.0)
    different, row, first = _distinct_rows(x)
    mass, ones = np.zeros(len(different)), np.zeros(len(different))
    forecasts = np.full(len(y), 0.5)
    w = np.zeros(x.shape[1])
    starts = np.flatnonzero(np.diff(numbers)) + 1
    for last, start, stop in zip([0, *starts], starts, [*starts[1:], len(y)], strict=False):
        mass += np.bincount(row[last:start], minlength=len(different))
        ones += np.bincount(row[last:start], y[last:start], minlength=len(different))
        seen = np.searchsorted(first, start)
        w = _newton(different[:seen], mass[:seen], ones[:seen], weight, w)
        forecasts[start:stop] = expit(x[start:stop] @ w)
    return forecasts


def _distinct_rows(x: FloatArray) -> tuple[FloatArray, IntArray, IntArray]:
    """Return the distinct rows in the order of their first appearance, the number of each row among them, and when.

    Days with equal features can be counted together, and of dates and yesterdays there are only so many. The order
    keeps later days out of every sum, down to the last bit.
    """
    rows, first, place = np.unique(x, axis=0, return_index=True, return_inverse=True)
    order = np.argsort(first)
    rank = np.empty(len(order), dtype=np.int64)
    rank[order] = np.arange(len(order))
    return rows[order], rank[place], first[order]


def sharpened(forecasts: npt.ArrayLike, factor: float = 2.0) -> FloatArray:
    """Return forecasts with their log odds multiplied: with a factor above 1, the same model, overconfident.

    Parameters
    ----------
    forecasts : array_like
        Numbers in [0, 1].
    factor : float
        Greater than 0.

    Returns
    -------
    ndarray
        Numbers in [0, 1]; 0, 1/2 and 1 stay where they are.

    Examples
    --------
    >>> sharpened([0.2, 0.5, 0.8])
    array([0.05882353, 0.5       , 0.94117647])
    """
    p = _checks.probabilities("forecasts", forecasts)
    return np.asarray(expit(_checks.real("factor", factor, above=0.0) * logit(p)))
