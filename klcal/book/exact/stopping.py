r"""An algorithm that stops at an excursion: what Theorem 3 says of "any algorithm" is false for it.

Outcomes alternate, 0 first. The forecaster mixes 1/2 and 1/2 + 1/T evenly until its own draws look bad after an even
number of rounds, and forecasts 1/2 + 2/T ever after. The mixtures are calibrated on every path: PCal_2 is
nearly 0. But the draws decide when it stops, and an excursion that has been waited for is never diluted again.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from klcal import _checks

# Beyond these the integers below would not fit into 64 bits.
_LARGEST, _FINEST = 1024, 1000

# Python integers or floats.
Table = npt.NDArray[Any]


def stopped_pcal2(T: int, stop: int) -> Fraction:
    r"""Return PCal_2 of the forecaster that stops after `stop` rounds: at most 1 for :math:`T \ge 6`.

    .. math:: \frac{s}{2T^2} + m\Bigl(\frac2T + \frac{[m\text{ odd}]}{2m}\Bigr)^2, \qquad m = T - s

    Parameters
    ----------
    T : int
        Horizon, at least 4, so that the three points lie in [0, 1].
    stop : int
        The even number s.

    Returns
    -------
    Fraction
        At most :math:`\frac4T` if T is even.

    Examples
    --------
    >>> stopped_pcal2(100, 20), stopped_pcal2(101, 100)
    (Fraction(33, 1000), Fraction(11225, 40804))
    """
    horizon, rounds = _horizon(T), _stop(T, stop)
    left = horizon - rounds
    value = Fraction(rounds, 2 * horizon**2)
    if left > 0:
        distance = Fraction(2, horizon) + (Fraction(1, 2 * left) if left % 2 else 0)
        value += left * distance**2
    return value


def errors_if_stopped(T: int, first: npt.ArrayLike) -> npt.NDArray[np.float64]:
    r"""Return Cal_2 at the end of one game, as it would be after stopping at 2, 4, ..., T.

    Parameters
    ----------
    T : int
        Even horizon, at least 4.
    first : array_like of bool, shape (T,)
        Whether 1/2 is drawn in a round, or else 1/2 + 1/T, as long as the forecaster has not stopped.

    Returns
    -------
    ndarray, shape (T / 2,)
        The draws so far are kept, and all later forecasts are 1/2 + 2/T.

    Examples
    --------
    >>> errors_if_stopped(4, [True, False, True, False]).tolist()
    [0.8125, 0.625]
    """
    horizon = _horizon(T)
    at_half = np.asarray(first, dtype=bool)
    outcomes = np.arange(horizon) % 2
    _checks.same_length("first", at_half, "the game", outcomes)
    total = np.zeros(horizon)
    for point, drawn in ((0.5, at_half), (0.5 + 1.0 / horizon, ~at_half)):
        rounds, ones = np.cumsum(drawn), np.cumsum(drawn * outcomes)
        total += (ones - rounds * point) ** 2 / np.maximum(rounds, 1)
    left = horizon - np.arange(1, horizon + 1)
    return np.asarray((total + left * (2.0 / horizon) ** 2)[1::2])


def _horizon(T: int) -> int:
    return _checks.integer("T", T, least=4)


def _stop(T: int, stop: int) -> int:
    rounds = _checks.integer("stop", stop, least=0)
    if rounds % 2 or rounds > T:
        raise ValueError(f"stop must be even and at most T ({T}); got {stop}")
    return rounds


@dataclass(frozen=True)
class FailureTable:
    r"""Probability that :math:`\mathsf{Cal}_2 \le 6\,\mathsf{PCal}_2` + constant fails, after stopping at 2, 4, ..., T.

    Parameters
    ----------
    stops : tuple of int
        2, 4, ..., T.
    fixed : tuple of float or Fraction
        Of the forecaster that stops there whatever it has drawn.
    stopped : tuple of float or Fraction
        Of the forecaster that stops as soon as the inequality fails, if it does so by then.
    """

    stops: tuple[int, ...]
    fixed: tuple[float | Fraction, ...]
    stopped: tuple[float | Fraction, ...]


def failure_table(T: int, constant: Any, *, exact: bool = False) -> FailureTable:
    r"""Return how often :math:`\mathsf{Cal}_2 \le 6\,\mathsf{PCal}_2` + constant fails: for fixed stops, and bad ones.

    Parameters
    ----------
    T : int
        Even horizon, at most 1024.
    constant : Fraction
        What stands in place of :math:`96|\mathcal Z|\log\frac{4|\mathcal Z|}\delta`; between -T and T, with a
        denominator of at most 1000.
    exact : bool
        Whether to count in integers and return fractions, or to add up floats.

    Returns
    -------
    FailureTable
        For every stop up to T. Whether the inequality fails is decided in integers in either case.

    Notes
    -----
    After h pairs of rounds let a of the zeros and b of the ones have been drawn at 1/2, independently binomial(h, 1/2).
    Then :math:`n_1 = a + b`, :math:`n_2 = 2h - n_1`, and the first two cells of Cal_2 are
    :math:`\frac{(a-b)^2}{4n_1}` and :math:`n_2\bigl(\frac1T + \frac{b-a}{2n_2}\bigr)^2`. The third cell is the same for
    the draws as for the mixtures. The chances of (a, b) follow from those one pair earlier.

    Examples
    --------
    >>> table = failure_table(8, Fraction(1, 4), exact=True)
    >>> max(table.fixed), table.stopped[-1]
    (Fraction(23, 128), Fraction(47, 256))
    """
    horizon = _horizon(T)
    if horizon % 2 or horizon > _LARGEST:
        raise ValueError(f"T must be even and at most {_LARGEST}; got {T}")
    if not hasattr(constant, "denominator") or abs(constant) > horizon or constant.denominator > _FINEST:
        raise ValueError(
            f"constant must be a fraction between -T and T with a denominator of at most {_FINEST}; got {constant}"
        )
    fixed: list[float | Fraction] = []
    stopped: list[float | Fraction] = []
    start = np.array([[1]], dtype=object) if exact else np.ones((1, 1))
    every, waiting, caught = start, start, Fraction(0) if exact else 0.0
    for pairs in range(1, horizon // 2 + 1):
        scale = Fraction(1, 4**pairs) if exact else 1.0
        bad = _fails(horizon, pairs, constant)
        every, waiting = _one_pair_later(every), _one_pair_later(waiting)
        fixed.append(every[bad].sum() * scale)
        caught += waiting[bad].sum() * scale
        stopped.append(caught)
        waiting[bad] = 0
    return FailureTable(tuple(range(2, horizon + 1, 2)), tuple(fixed), tuple(stopped))


def _one_pair_later(chances: Table) -> Table:
    """Draw for one outcome 0 and one outcome 1, each at 1/2 or not: counts if integers, chances if floats."""
    size = len(chances) + 1
    exact = chances.dtype == np.object_
    later = np.zeros((size, size), dtype=chances.dtype)
    part = chances if exact else chances * 0.25
    for a, b in _corners(size - 1):
        later[a, b] += part
    return later


def _corners(size: int) -> Iterator[tuple[slice, slice]]:
    for a in (0, 1):
        for b in (0, 1):
            yield slice(a, a + size), slice(b, b + size)


def _fails(T: int, pairs: int, constant: Fraction) -> npt.NDArray[np.bool_]:
    r"""Tell for all (a, b) whether Cal_2 > 6 PCal_2 + constant; multiplied by 4 n_1 n_2 T^2 both sides are integers."""
    a, b = np.arange(pairs + 1)[:, np.newaxis], np.arange(pairs + 1)[np.newaxis, :]
    first, stop = a + b, 2 * pairs
    second, gap = stop - first, b - a
    # Cells 1 and 2 times 4 n_1 n_2 T^2; an empty cell adds nothing, and then its n is replaced by 1.
    n1, n2 = np.maximum(first, 1), np.maximum(second, 1)
    cells = gap**2 * n2 * T**2 + np.where(second > 0, n1 * (2 * n2 + gap * T) ** 2, 0)
    pseudo, third = Fraction(stop, 2) + 4 * (T - stop), 4 * (T - stop)
    allowed = (6 * pseudo - third + constant * T**2) * 4
    bound = n1 * n2 * allowed.numerator
    return np.asarray(cells * allowed.denominator > bound)
