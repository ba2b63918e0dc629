"""What every bound shares: checked arguments and elementary functions, for floats, arrays and balls alike.

A ball, `flint.arb` or any number with its methods, stands for all real numbers in it. A bound that is given one
answers with a ball that holds its value at all of them; T and K may then be real, as the proofs of the rates need it.
``np.log``, ``np.sin`` and the like call the method of that name of a ball; the rest stands here. A constant takes the
numbers beside it in the formula: beside balls it is a ball that holds its exact value. Who brings a ball has `flint`,
so it is imported only there.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import wraps
from typing import Any, ParamSpec, TypeVar

import numpy as np
import numpy.typing as npt

from klcal import _checks

# A float for scalar arguments, a ball for balls, else an array; as a union every caller would have to cast.
Value = Any
# Numbers, arrays of them, or a ball; mypy has no word for what NumPy takes beside balls.
Argument = Any
# Checked arguments: a float64 array, a ball, or an object array of balls.
Checked = Any

# Of a smaller delta not even 10**20/delta is a float; a ball may be smaller.
_LEAST = 1e-280

_P = ParamSpec("_P")
_R = TypeVar("_R")

#: Name -> function, in the order of the paper.
BOUNDS: dict[str, Callable[..., Any]] = {}


def bound(function: Callable[_P, _R]) -> Callable[_P, _R]:
    """Enter a bound into `BOUNDS` and let it take balls: beside one, all numbers become balls, and none is rounded."""

    @wraps(function)
    def evaluate(*arguments: _P.args, **options: _P.kwargs) -> _R:
        if not any(map(holds_balls, (*arguments, *options.values()))):
            return function(*arguments, **options)
        return function(*map(exactly, arguments), **{name: exactly(value) for name, value in options.items()})

    BOUNDS[function.__name__] = evaluate
    return evaluate


def holds_balls(value: object) -> bool:
    """Tell whether `value` is a ball or a list or array that holds one.

    Examples
    --------
    >>> from flint import arb
    >>> holds_balls([1, arb(2)]), holds_balls(np.ones(3)), holds_balls("best")
    (True, False, False)
    """
    if isinstance(value, np.ndarray) and value.dtype.kind != "O":
        return False
    if isinstance(value, (np.ndarray, list, tuple)):
        return any(map(holds_balls, np.asarray(value, dtype=object).ravel()))
    return hasattr(value, "log1p")


def exactly(value: Any) -> Any:
    """Return numbers as balls of radius 0, lists and arrays as object arrays of them, anything else as it is.

    Examples
    --------
    >>> exactly(3).is_exact(), exactly([0.5, 1]).dtype, exactly("best")
    (True, dtype('O'), 'best')
    """
    from flint import arb, fmpq

    if isinstance(value, (list, tuple, np.ndarray)):
        array = np.asarray(value, dtype=object)
        return np.frompyfunc(exactly, 1, 1)(array) if array.size > 0 else array
    if isinstance(value, (bool, np.bool_)):
        return value
    if isinstance(value, Fraction):
        return arb(fmpq(value.numerator, value.denominator))
    if isinstance(value, (int, np.integer)):
        return arb(int(value))
    return arb(float(value)) if isinstance(value, (float, np.floating)) else value


def plain(value: Any) -> Value:
    """Return a 0-dimensional result as a Python float, balls and arrays as they are."""
    if holds_balls(value):
        return value.item() if isinstance(value, np.ndarray) and value.ndim == 0 else value
    array = np.asarray(value, dtype=np.float64)
    return float(array) if array.ndim == 0 else array


def _certain(name: str, rule: str, value: Any, holds: Callable[[Any], bool]) -> Checked:
    """Return balls all of whose numbers keep the rule."""
    for number in np.ravel(np.asarray(value, dtype=object)):
        if not holds(number):
            ends = f"a ball from {float(number.lower())!r} to {float(number.upper())!r}"
            raise ValueError(f"{name} must certainly {rule}; got {ends}")
    return value


def integers(name: str, value: npt.ArrayLike, *, least: int) -> Checked:
    """Return one integer or an array of integers, each at least `least`; in a ball also the real numbers between."""
    if holds_balls(value):
        return _certain(name, f"be at least {least}", value, lambda number: number >= least)
    if np.ndim(value) == 0:
        return _checks.real_array(name, _checks.integer(name, value, least=least))
    array = np.asarray(_checks.unmasked(name, value))
    if array.dtype.kind not in "iu" or (array.size and array.min() < least):
        for index, number in np.ndenumerate(array.astype(object)):
            _checks.integer(f"{name}[{', '.join(map(str, index))}]", number, least=least)
    return _checks.real_array(name, array)


def integer(name: str, value: Any, *, least: int) -> int:
    """Return one integer; of balls only one of radius 0 is an integer."""
    single = value.unique_fmpz() if hasattr(value, "unique_fmpz") and value.is_exact() else None
    return _checks.integer(name, value if single is None else int(single), least=least)


def whole(name: str, value: npt.ArrayLike, *, least: int) -> npt.NDArray[np.object_]:
    """Return integers as Python's, without rounding and of any size, in an object array."""
    integers(name, value, least=least)
    check = np.frompyfunc(lambda number: integer(name, number, least=least), 1, 1)
    return np.asarray(check(np.asarray(value, dtype=object)), dtype=object)


def horizon(T: npt.ArrayLike) -> Checked:
    """Return the horizon T >= 1."""
    return integers("T", T, least=1)


def resolution(K: npt.ArrayLike) -> Checked:
    """Return the resolution K >= 2."""
    return integers("K", K, least=2)


def nonnegative(name: str, value: npt.ArrayLike) -> Checked:
    """Return finite numbers that are at least 0."""
    if holds_balls(value):
        return _certain(name, "be at least 0", value, lambda number: number >= 0)
    return _checks.nonnegative(name, value)


def failure_probability(delta: npt.ArrayLike) -> Checked:
    """Return delta in (0, 1]."""
    if holds_balls(delta):
        return _certain("delta", "lie in (0, 1]", delta, lambda number: number > 0 and number <= 1)
    array = _checks.probabilities("delta", delta)
    if not np.all(array >= _LEAST):
        raise ValueError(f"delta must be greater than 0, in floats at least {_LEAST}; got {delta!r}")
    return array


def number(value: str | int, beside: Checked) -> Any:
    """Return a decimal number such as "3.96", exactly if it stands beside a ball.

    Examples
    --------
    >>> from flint import arb
    >>> number("0.1", np.ones(2)), number("0.1", arb(1)).is_exact()
    (0.1, False)
    """
    return exactly(Fraction(value)) if holds_balls(beside) else float(value)


def pi(beside: Checked) -> Any:
    r"""Return :math:`\pi`."""
    return exactly(0).pi() if holds_balls(beside) else np.pi  # any ball knows it


def euler(beside: Checked) -> Any:
    r"""Return Euler's :math:`\gamma`."""
    return exactly(0).const_euler() if holds_balls(beside) else np.euler_gamma


def angle(K: Checked) -> Checked:
    r"""Return :math:`\theta = \pi/2K`, the angle between neighbours of the sine grids."""
    return pi(K) / (2.0 * K)


def log_secant_squared(x: Checked) -> Checked:
    """Return -2 log cos(x), to full relative precision also for small angles."""
    return -np.log1p(-(np.sin(x) ** 2))


def rate(T: Checked) -> Checked:
    """Return T^(1/3) (log T)^(2/3), the rate of all theorems about KLCal."""
    cube = T * np.log(T) ** 2
    return np.frompyfunc(lambda ball: ball.root(3), 1, 1)(cube) if holds_balls(cube) else np.cbrt(cube)


def ceiling_of_log2(x: Checked) -> Checked:
    """Return the logarithm to base 2, rounded up; of a ball a ball that holds those of all its numbers."""
    if holds_balls(x):
        return np.frompyfunc(lambda ball: (ball.log() / exactly(2).log()).ceil(), 1, 1)(x)
    return np.ceil(np.log2(x))


def _larger(left: Any, right: Any) -> Any:
    # An arb does not know the numbers that only behave like balls; they know it.
    return right.max(left) if hasattr(left, "unique_fmpz") else left.max(right)


def larger(left: Checked, right: Checked) -> Checked:
    """Return the larger number of each pair.

    Examples
    --------
    >>> from flint import arb
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
    >>> from flint import arb
    >>> both = where_at_most(arb(1).union(arb(2)), 1.5, 0.0, 5.0)
    >>> both.contains(arb(0)), both.contains(arb(5))
    (True, True)
    """
    arguments = (left, right, then, otherwise)
    if any(map(holds_balls, arguments)):
        return np.frompyfunc(_select, 4, 1)(*map(exactly, arguments))
    return np.where(left <= right, then, otherwise)


def tail_term(delta: npt.ArrayLike | None, factor: float) -> Checked:
    """Return factor * log(1 / delta), and 0 for a bound on the expectation."""
    return 0.0 if delta is None else -factor * np.log(failure_probability(delta))
