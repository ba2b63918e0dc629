r"""Functions and constants for the formulas of the bounds that NumPy does not have for balls.

``np.log``, ``np.sin`` and the like call the method of that name of a ball; what stands here is the rest. A constant
takes the numbers beside it in the formula: beside balls it is a ball that holds its exact value.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt
from flint import arb
from scipy.special import hyp1f1

from klcal.bounds._arguments import Checked, exactly, failure_probability, holds_balls


def number(value: str | int, beside: Checked) -> Any:
    """Return a decimal number such as "3.96", exactly if it stands beside a ball.

    Examples
    --------
    >>> (
    ...     number("0.1", np.ones(2)),
    ...     number("0.1", arb(1)).contains(0.1)
    ...     and not number("0.1", arb(1)).is_exact(),
    ... )
    (0.1, True)
    """
    return exactly(Fraction(value)) if holds_balls(beside) else float(value)


def pi(beside: Checked) -> Any:
    r"""Return :math:`\pi`."""
    return arb.pi() if holds_balls(beside) else np.pi


def euler(beside: Checked) -> Any:
    r"""Return Euler's :math:`\gamma`."""
    return arb.const_euler() if holds_balls(beside) else np.euler_gamma


def angle(K: Checked) -> Checked:
    r"""Return :math:`\theta = \pi/2K`, the angle between neighbours of the sine grids."""
    return pi(K) / (2.0 * K)


def log_secant_squared(x: Checked) -> Checked:
    """Return -2 log cos(x), to full relative precision also for small angles."""
    return -np.log1p(-(np.sin(x) ** 2))


def cube_root(x: Checked) -> Checked:
    """Return the cube root."""
    return np.frompyfunc(lambda ball: ball.root(3), 1, 1)(x) if holds_balls(x) else np.cbrt(x)


def _log2(x: Any) -> Any:
    mantissa, exponent = x.man_exp() if isinstance(x, arb) and x.is_exact() else (0, 0)
    return arb(exponent) if mantissa == 1 else x.log() / arb(2).log()


def log2(x: Checked) -> Checked:
    """Return the logarithm to base 2, of powers of 2 exactly."""
    return np.frompyfunc(_log2, 1, 1)(x) if holds_balls(x) else np.log2(x)


def ceiling(x: Checked) -> Checked:
    """Return the smallest integer that is not smaller; of a ball a ball that holds those of all its numbers."""
    return np.frompyfunc(lambda ball: ball.ceil(), 1, 1)(x) if holds_balls(x) else np.ceil(x)


def exponential_excess(x: Checked) -> Checked:
    """Return (e^x - 1 - x) / x^2, to full relative precision also for small x."""
    hypergeometric = np.frompyfunc(lambda ball: ball.hypgeom_1f1(1, 3), 1, 1) if holds_balls(x) else None
    return 0.5 * (hyp1f1(1.0, 3.0, x) if hypergeometric is None else hypergeometric(x))


def _larger(left: Any, right: Any) -> Any:
    # An arb does not know the numbers that only behave like balls; they know it.
    return right.max(left) if isinstance(left, arb) else left.max(right)


def larger(left: Checked, right: Checked) -> Checked:
    """Return the larger number of each pair.

    Examples
    --------
    >>> larger(2.0, [1.0, 3.0]).tolist(), larger(arb(2), 3.0)
    ([2.0, 3.0], 3.00000000000000)
    """
    if holds_balls(left) or holds_balls(right):
        return np.frompyfunc(_larger, 2, 1)(exactly(left), exactly(right))
    return np.maximum(left, right)


def smaller(left: Checked, right: Checked) -> Checked:
    """Return the smaller number of each pair."""
    if holds_balls(left) or holds_balls(right):
        return -larger(-exactly(left), -exactly(right))
    return np.minimum(left, right)


def _select(left: Any, right: Any, then: Any, otherwise: Any) -> Any:
    if left <= right:
        return then
    return otherwise if left > right else then.union(otherwise)


def where_at_most(left: Checked, right: Checked, then: Checked, otherwise: Checked) -> Checked:
    """Return `then` where left <= right, and `otherwise` beyond; both, united, where balls leave it open.

    Examples
    --------
    >>> where_at_most(np.array([1.0, 2.0]), 1.0, 0.0, 5.0).tolist()
    [0.0, 5.0]
    >>> both = where_at_most(arb(1).union(arb(2)), 1.5, 0.0, 5.0)
    >>> both.contains(arb(0)), both.contains(arb(5))
    (True, True)
    """
    arguments = (left, right, then, otherwise)
    if any(map(holds_balls, arguments)):
        return np.frompyfunc(_select, 4, 1)(*map(exactly, arguments))
    return np.where(left <= right, then, otherwise)


def product(left: Checked, right: Checked) -> Checked:
    """Return left * right with 0 * inf = 0: no error, or no curvature, is no regret."""
    if holds_balls(left) or holds_balls(right):
        multiply = np.frompyfunc(lambda a, b: arb(0) if a == 0 or b == 0 else a * b, 2, 1)
        return multiply(exactly(left), exactly(right))
    left, right = np.broadcast_arrays(left, right)
    result = np.zeros(left.shape)
    return np.multiply(left, right, out=result, where=(left > 0.0) & (right > 0.0))


def quotient(left: Checked, right: Checked) -> Checked:
    """Return left / right for numbers at least 0, with 0 / 0 = 0 and x / 0 = inf; a ball over 0 is not known."""
    if holds_balls(left) or holds_balls(right):
        divide = np.frompyfunc(lambda a, b: arb(0) if a == 0 else a / b, 2, 1)
        return divide(exactly(left), exactly(right))
    left, right = np.broadcast_arrays(left, right)
    ratio = np.where(left > 0.0, np.inf, 0.0)
    with np.errstate(over="ignore"):
        return np.divide(left, right, out=ratio, where=right > 0.0)


def tail_term(delta: npt.ArrayLike | None, factor: float) -> Checked:
    """Return factor * log(1 / delta), and 0 for a bound on the expectation."""
    return 0.0 if delta is None else -factor * np.log(failure_probability(delta))
