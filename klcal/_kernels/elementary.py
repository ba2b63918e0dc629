r"""Logarithm and exponential of plain IEEE arithmetic, so that games take the same course on every machine.

The mathematical libraries of two systems may differ in the last digit of a logarithm. An adversary that compares sums
of logarithms, or a forecaster that weighs by wealths, could then go another way. Both functions here consist of
additions, multiplications, divisions and shifts of the exponent, each correctly rounded everywhere; in the same order
they give the same bits in Python, compiled, and in the browser (``chapters/_play/elementary.mjs``).
"""

from __future__ import annotations

import math

import numpy as np

from klcal._kernels.compiling import engine, inlined

# log 2 = LN2_HIGH + LN2_LOW; the first has 32 trailing zero bits, so that its product with an exponent is exact.
LN2_HIGH = float.fromhex("0x1.62e42feep-1")
LN2_LOW = float.fromhex("0x1.a39ef35793c76p-33")
_INVERSE_LN2 = float.fromhex("0x1.71547652b82fep+0")
_LEAST_NORMAL, _TWO_54 = 2.0**-1022, 2.0**54
# The bits of sqrt(1/2), read as a whole number.
_SQRT_HALF_BITS = 0x3FE6A09E667F3BCD
# Beyond these the exponential is zero or infinite.
_LEAST, _LARGEST = -746.0, 710.0


@engine
def ln(x: float) -> float:
    r"""Return the natural logarithm, off by less than one unit in the last place.

    With :math:`x = 2^k(1 + f)`, :math:`\sqrt{1/2} \le 1 + f < \sqrt 2` and :math:`s = f/(2 + f)`,

    .. math:: \log x = k\log 2 + f - \tfrac{f^2}2 + s\bigl(\tfrac{f^2}2 + R\bigr),
              \qquad R = \sum_{j\ge1} \tfrac{2}{2j+1}s^{2j},

    because :math:`\log(1 + f) = 2\operatorname{artanh} s`; eleven terms of the sum are enough.

    Parameters
    ----------
    x : float
        A positive number; minus infinity is returned for 0, nan below.

    Examples
    --------
    >>> ln(1.0), ln(2.0), ln(0.0), ln(math.inf)
    (0.0, 0.6931471805599453, -inf, inf)
    """
    if not x > 0.0:
        return -math.inf if x == 0.0 else math.nan
    if x == math.inf:
        return math.inf
    k = 0.0
    if x < _LEAST_NORMAL:
        x *= _TWO_54
        k = -54.0
    bits = np.float64(x).view(np.int64)
    # The exponent, counted from the binary order in which the mantissa lies between sqrt(1/2) and sqrt(2).
    order = (bits - _SQRT_HALF_BITS) >> 52
    k += float(order)
    f = float(np.int64(bits - (order << 52)).view(np.float64)) - 1.0
    s = f / (2.0 + f)
    z = s * s
    series = 2.0 / 23.0
    series = series * z + 2.0 / 21.0
    series = series * z + 2.0 / 19.0
    series = series * z + 2.0 / 17.0
    series = series * z + 2.0 / 15.0
    series = series * z + 2.0 / 13.0
    series = series * z + 2.0 / 11.0
    series = series * z + 2.0 / 9.0
    series = series * z + 2.0 / 7.0
    series = series * z + 2.0 / 5.0
    series = series * z + 2.0 / 3.0
    half = (0.5 * f) * f
    return k * LN2_HIGH - ((half - (s * (half + series * z) + k * LN2_LOW)) - f)


@inlined
def _power_of_two(k: int) -> float:
    """Return 2**k for -1022 <= k <= 1023, put together from its bits."""
    return float(np.int64((k + 1023) << 52).view(np.float64))


@engine
def exp(x: float) -> float:
    r"""Return the exponential, off by less than one unit in the last place, or by the least positive number.

    With :math:`x = k\log 2 + r` and :math:`|r| \le \tfrac12\log 2` it is :math:`2^k` times the series of
    :math:`e^r`, up to the power 13.

    Parameters
    ----------
    x : float
        Any number.

    Examples
    --------
    >>> exp(0.0), exp(-1.0), exp(-math.inf), exp(1e9)
    (1.0, 0.36787944117144233, 0.0, inf)
    """
    if not x > _LEAST:
        return 0.0 if x <= _LEAST else math.nan
    if x > _LARGEST:
        return math.inf
    k = math.floor(x * _INVERSE_LN2 + 0.5)
    high, low = x - k * LN2_HIGH, k * LN2_LOW
    r = high - low
    series = 1.0 / 6227020800.0
    series = series * r + 1.0 / 479001600.0
    series = series * r + 1.0 / 39916800.0
    series = series * r + 1.0 / 3628800.0
    series = series * r + 1.0 / 362880.0
    series = series * r + 1.0 / 40320.0
    series = series * r + 1.0 / 5040.0
    series = series * r + 1.0 / 720.0
    series = series * r + 1.0 / 120.0
    series = series * r + 1.0 / 24.0
    series = series * r + 1.0 / 6.0
    series = series * r + 0.5
    lost = (high - r) - low
    total = 1.0 + (r + (series * (r * r) + lost))
    # In two steps, because 2**k itself may be no normal number.
    first = k >> 1
    return total * _power_of_two(first) * _power_of_two(k - first)
