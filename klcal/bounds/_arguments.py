"""What every bound shares: checked arguments, for floats, arrays and balls alike.

A ball, `flint.arb` or any number with its methods, stands for all real numbers in it. A bound that is given one
answers with a ball that holds its value at all of them; T and K may then be real, as the proofs of the rates need it.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from functools import wraps
from typing import Any, ParamSpec, TypeVar

import numpy as np
import numpy.typing as npt
from flint import arb, fmpq

from klcal import _checks

# A float for scalar arguments, a ball for balls, else an array; as a union every caller would have to cast.
Value = Any
# Numbers, arrays of them, or a ball; mypy has no word for what NumPy takes beside balls.
Argument = Any
# Checked arguments: a float64 array, a ball, or an object array of balls.
Checked = Any

_P = ParamSpec("_P")
_R = TypeVar("_R")


def is_ball(value: object) -> bool:
    """Tell whether `value` is a ball or behaves like one.

    Examples
    --------
    >>> is_ball(arb(2)), is_ball(2.0), is_ball(np.ones(3))
    (True, False, False)
    """
    return hasattr(value, "log1p")


def holds_balls(value: object) -> bool:
    """Tell whether `value` is a ball or a list or array that holds one.

    Examples
    --------
    >>> holds_balls([1, arb(2)]), holds_balls(np.ones(3)), holds_balls("best")
    (True, False, False)
    """
    if isinstance(value, np.ndarray) and value.dtype.kind != "O":
        return False
    if isinstance(value, (np.ndarray, list, tuple)):
        return any(is_ball(element) for element in np.asarray(value, dtype=object).ravel())
    return is_ball(value)


def exactly(value: Any) -> Any:
    """Return numbers as balls of radius 0, lists and arrays as object arrays of them, anything else as it is.

    Examples
    --------
    >>> exactly(3).is_exact(), exactly([0.5, 1]).dtype, exactly("best")
    (True, dtype('O'), 'best')
    """
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


def accepts_balls(bound: Callable[_P, _R]) -> Callable[_P, _R]:
    """Let a bound take balls: if one argument holds a ball, all numbers become balls, and none is rounded.

    Examples
    --------
    >>> third = accepts_balls(lambda x, y: x / y)
    >>> third(1, 4), third(arb(1), 4)
    (0.25, 0.250000000000000)
    """

    @wraps(bound)
    def evaluate(*arguments: _P.args, **options: _P.kwargs) -> _R:
        if not any(map(holds_balls, (*arguments, *options.values()))):
            return bound(*arguments, **options)
        return bound(*map(exactly, arguments), **{name: exactly(value) for name, value in options.items()})

    return evaluate


def plain(value: Any) -> Value:
    """Return a 0-dimensional result as a Python float, balls and arrays as they are."""
    if holds_balls(value):
        return value.item() if isinstance(value, np.ndarray) and value.ndim == 0 else value
    array = np.asarray(value, dtype=np.float64)
    return float(array) if array.ndim == 0 else array


def _certain(name: str, rule: str, value: Any, holds: Callable[[Any], bool]) -> Checked:
    """Return balls all of whose numbers keep the rule."""
    for index, number in np.ndenumerate(np.asarray(value, dtype=object)):
        if not holds(number):
            place = f"[{', '.join(map(str, index))}]" if index else ""
            raise ValueError(f"{name}{place} must certainly {rule}; got {_ends(number)}")
    return value


def _ends(number: Any) -> str:
    """Return what a reader can tell a ball by: repr shows only the digits that are certain."""
    if not isinstance(number, arb):
        return repr(number)
    low, high = float(number.lower()), float(number.upper())
    return repr(low) if number.is_exact() or math.isnan(low) else f"a ball from {low!r} to {high!r}"


def integers(name: str, value: npt.ArrayLike, *, least: int) -> Checked:
    """Return one integer or an array of integers, each at least `least`; in a ball also the real numbers between."""
    if holds_balls(value):
        return _certain(name, f"be at least {least}", value, lambda number: number >= least)
    if np.ndim(value) == 0:
        return _checks.real_array(name, _checks.integer(name, value, least=least))
    array = np.asarray(value)
    bad = array < least if array.dtype.kind in "iu" else np.ones(array.shape, dtype=np.bool_)
    for index in np.argwhere(bad)[:1].tolist():
        place = ", ".join(str(i) for i in index)
        _checks.integer(f"{name}[{place}]", array[tuple(index)].item(), least=least)
    return array.astype(np.float64)


def integer(name: str, value: Any, *, least: int) -> int:
    """Return one integer; of balls only one of radius 0 is an integer."""
    single = value.unique_fmpz() if isinstance(value, arb) and value.is_exact() else None
    if single is not None:
        value = int(single)
    return _checks.integer(name, value, least=least)


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


def probabilities(name: str, value: npt.ArrayLike) -> Checked:
    """Return numbers in [0, 1]."""
    if holds_balls(value):
        return _certain(name, "lie in [0, 1]", value, lambda number: number >= 0 and number <= 1)
    return _checks.probabilities(name, value)


def positive(name: str, value: npt.ArrayLike) -> Checked:
    """Return finite numbers greater than 0."""
    if holds_balls(value):
        return _certain(name, "be greater than 0", value, lambda number: number > 0)
    array = _checks.nonnegative(name, value)
    for index in np.argwhere(array == 0.0)[:1].tolist():
        place = f"[{', '.join(str(i) for i in index)}]" if index else ""
        _checks.real(name + place, 0.0, above=0.0)
    return array


def failure_probability(delta: npt.ArrayLike) -> Checked:
    """Return delta in (0, 1]."""
    probabilities("delta", delta)
    return positive("delta", delta)


def extended(name: str, value: npt.ArrayLike) -> Checked:
    """Return numbers at least 0 that may be infinite, as KLCal is after a wrong forecast of 0 or 1."""
    if holds_balls(value):
        return nonnegative(name, value)
    array = _checks.real_array(name, value)
    _checks.nonnegative(name, np.where(np.isposinf(array), 0.0, array))
    return array
