r"""What no forecaster avoids, whatever its points and its random numbers (chapter 12).

Both bounds are on :math:`\mathbb E[\mathsf{Cal}_2]`; :math:`\mathbb E[\mathsf{KLCal}]` is at least twice as large, by
Pinsker's inequality.
"""

from __future__ import annotations

import numpy as np

from klcal.bounds._arguments import Argument, Value, accepts_balls, horizon, plain
from klcal.bounds._elementary import number


@accepts_balls
def squares_log_lower_bound(T: Argument) -> Value:
    r"""Return what E[Cal_2] a coin with a random bias forces on every forecaster (``new:lower/coin``).

    .. math:: \frac16\log(T+2)

    Parameters
    ----------
    T : array_like of int
        Horizon, at least 1.

    Returns
    -------
    float or ndarray

    Notes
    -----
    The adversary is oblivious. The bound is a little below :math:`\frac16(1 + \frac12 + \dots + \frac1{T+1})`, which
    is what the proof gives.

    Examples
    --------
    >>> import math
    >>> round(squares_log_lower_bound(6) / math.log(8), 12) == round(1 / 6, 12)
    True
    """
    T = horizon(T)
    return plain(np.log(T + 2.0) / 6.0)


@accepts_balls
def squares_lower_bound(T: Argument) -> Value:
    r"""Return what E[Cal_2] an adaptive adversary forces on every forecaster (``new:lower``).

    .. math:: 5\cdot10^{-8}\,T^{1/6}

    Parameters
    ----------
    T : array_like of int
        Horizon, at least 1.

    Returns
    -------
    float or ndarray

    Notes
    -----
    The order is the message: below :math:`T \approx 10^{51}` `squares_log_lower_bound` is larger.

    Examples
    --------
    >>> round(squares_lower_bound(10**48), 9)
    5.0
    """
    T = horizon(T)
    return plain(T ** (number(1, T) / 6.0) / 2e7)
