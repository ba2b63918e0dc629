"""What every bound shares: checked arguments, and floats out for scalars in."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from klcal import _checks
from klcal._checks import FloatArray

# A float for scalar arguments, else a float64 array; as a union every caller would have to cast.
Value = Any


def plain(value: npt.ArrayLike) -> Value:
    """Return a 0-dimensional result as a Python float and any other as it is."""
    array = np.asarray(value, dtype=np.float64)
    return float(array) if array.ndim == 0 else array


def integers(name: str, value: npt.ArrayLike, *, least: int) -> FloatArray:
    """Return one integer or an array of integers, each at least `least`, as float64 for the formulas."""
    if np.ndim(value) == 0:
        return _checks.real_array(name, _checks.integer(name, value, least=least))
    array = np.asarray(value)
    bad = array < least if array.dtype.kind in "iu" else np.ones(array.shape, dtype=np.bool_)
    for index in np.argwhere(bad)[:1].tolist():
        place = ", ".join(str(i) for i in index)
        _checks.integer(f"{name}[{place}]", array[tuple(index)].item(), least=least)
    return array.astype(np.float64)


def horizon(T: npt.ArrayLike) -> FloatArray:
    """Return the horizon T >= 1."""
    return integers("T", T, least=1)


def resolution(K: npt.ArrayLike) -> FloatArray:
    """Return the resolution K >= 2."""
    return integers("K", K, least=2)


def positive(name: str, value: npt.ArrayLike) -> FloatArray:
    """Return finite numbers greater than 0."""
    array = _checks.nonnegative(name, value)
    for index in np.argwhere(array == 0.0)[:1].tolist():
        place = f"[{', '.join(str(i) for i in index)}]" if index else ""
        _checks.real(name + place, 0.0, above=0.0)
    return array


def failure_probability(delta: npt.ArrayLike) -> FloatArray:
    """Return delta in (0, 1]."""
    _checks.probabilities("delta", delta)
    return positive("delta", delta)


def log_secant_squared(angle: npt.ArrayLike) -> FloatArray:
    """Return -2 log cos(angle), to full relative precision also for small angles."""
    return np.asarray(-np.log1p(-(np.sin(angle) ** 2)))


def extended(name: str, value: npt.ArrayLike) -> FloatArray:
    """Return numbers at least 0 that may be infinite, as KLCal is after a wrong forecast of 0 or 1."""
    array = _checks.real_array(name, value)
    _checks.nonnegative(name, np.where(np.isposinf(array), 0.0, array))
    return array


def product(left: FloatArray, right: FloatArray) -> FloatArray:
    """Return left * right with 0 * inf = 0: no error, or no curvature, is no regret."""
    left, right = np.broadcast_arrays(left, right)
    result = np.zeros(left.shape)
    return np.multiply(left, right, out=result, where=(left > 0.0) & (right > 0.0))
