"""Turn input into valid arrays, or raise ``ValueError``.

Every message names the argument, the rule, the offending value and, for arrays, its index.
Nothing is clipped, rounded or otherwise repaired.
"""

from __future__ import annotations

import operator
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from numbers import Real
from typing import Any

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
OutcomeArray = npt.NDArray[np.uint8]

# Draws of a forecaster whose seed is a number: no child that `spawn` makes, and not the stream of the number itself,
# which is where people take their data from.
_DRAWS = 0x6B6C6361  # "klca"; the pages that play a game in the browser know it too
# Whole numbers of one kind or another.
_PLAIN = (int, bool, np.bool_, np.uint8, np.int64)
# Rows of a mixture may miss one by this much: the rounding of a few hundred float additions.
SUM_TOLERANCE = 1e-9


def complaint(name: str, rule: str, value: object, index: tuple[int, ...] | None = None) -> ValueError:
    """Return the error that says which rule an argument breaks, and with what value at which index."""
    place = ""
    if index is not None and len(index) > 0:
        place = f" at index {index[0] if len(index) == 1 else index}"
    return ValueError(f"{name} must {rule}; got {value!r}{place}")


def _first(bad: npt.NDArray[np.bool_]) -> tuple[int, ...]:
    return tuple(int(i) for i in np.unravel_index(int(np.argmax(bad)), bad.shape))


def refuse(name: str, rule: str, array: npt.NDArray[Any], bad: npt.NDArray[np.bool_]) -> None:
    """Raise if an entry of `array` is `bad`; the message names the first."""
    if bad.any():
        index = _first(bad)
        raise complaint(name, rule, array[index].item(), index)


def unmasked(name: str, value: npt.ArrayLike) -> npt.ArrayLike:
    """Return `value` unless it has a mask, which would be lost."""
    if isinstance(value, np.ma.MaskedArray):
        raise ValueError(
            f"{name} must have no mask; got a masked array, {int(np.ma.getmaskarray(value).sum())} of it masked"
        )
    return value


def _numbers(name: str, value: npt.ArrayLike) -> npt.NDArray[Any]:
    """Return `value` as an array of real numbers of any type."""
    unmasked(name, value)
    try:
        raw = np.asarray(value)
    except ValueError:
        raise complaint(name, "be a rectangular array of real numbers", value) from None
    if raw.dtype.kind == "O":
        # Fractions and integers beyond int64 are real numbers too; None and strings are not.
        if not all(isinstance(element, Real) for element in raw.ravel()):
            raise complaint(name, "hold real numbers", value)
        try:
            raw = raw.astype(np.float64)
        except OverflowError:
            raise complaint(name, "hold numbers that a float can hold", value) from None
    if raw.dtype.kind not in "biuf":
        raise complaint(name, "hold real numbers", value)
    return raw


def real_array(name: str, value: npt.ArrayLike, ndim: int | tuple[int, ...] | None = None) -> FloatArray:
    """Return `value` as a float64 array of real numbers without NaN; infinities are allowed."""
    array = _floats(name, value, ndim)
    refuse(name, "not be NaN", array, np.isnan(array))
    return array


def _floats(name: str, value: npt.ArrayLike, ndim: int | tuple[int, ...] | None) -> FloatArray:
    """Return `value` as a float64 array of the right dimension, NaN included."""
    if type(value) is np.ndarray and value.dtype == np.float64:
        array: FloatArray = value
    else:
        array = _numbers(name, value).astype(np.float64, copy=False)
    if ndim is not None:
        allowed = (ndim,) if isinstance(ndim, int) else ndim
        if array.ndim not in allowed:
            wanted = " or ".join(str(d) for d in allowed)
            raise complaint(name, f"have {wanted} dimension(s)", array.shape)
    return array


def nonempty(name: str, array: npt.NDArray[Any]) -> None:
    """Raise unless `array` has at least one element."""
    if array.size == 0:
        raise complaint(name, "not be empty", array.shape)


def probabilities(name: str, value: npt.ArrayLike, ndim: int | tuple[int, ...] | None = None) -> FloatArray:
    """Return `value` as a float64 array with entries in [0, 1]."""
    array = _floats(name, value, ndim)
    if array.size and not (array.min() >= 0.0 and array.max() <= 1.0):
        refuse(name, "not be NaN", array, np.isnan(array))
        refuse(name, "lie in [0, 1]", array, ~((array >= 0.0) & (array <= 1.0)))
    return array


def probability(name: str, value: float) -> float:
    """Return the scalar `value` as a float in [0, 1]."""
    return float(probabilities(name, value, ndim=0))


def nonnegative(name: str, value: npt.ArrayLike, ndim: int | tuple[int, ...] | None = None) -> FloatArray:
    """Return `value` as a float64 array of finite numbers that are at least 0."""
    array = _floats(name, value, ndim)
    if array.size and not (array.min() >= 0.0 and array.max() < np.inf):
        refuse(name, "not be NaN", array, np.isnan(array))
        refuse(name, "be finite and at least 0", array, ~((array >= 0.0) & np.isfinite(array)))
    return array


def real(name: str, value: float, *, above: float | None = None, least: float | None = None) -> float:
    """Return the scalar `value` as a finite float, strictly above `above` and at least `least`."""
    number = float(real_array(name, value, ndim=0))
    if not np.isfinite(number):
        raise complaint(name, "be finite", number)
    if above is not None and not number > above:
        raise complaint(name, f"be greater than {above}", value)
    if least is not None and not number >= least:
        raise complaint(name, f"be at least {least}", value)
    return number


def integer(name: str, value: Any, *, least: int) -> int:
    """Return `value` as an int that is at least `least`; floats and booleans are not integers."""
    rule = f"be an integer that is at least {least}"
    if isinstance(value, (bool, np.bool_)):
        raise complaint(name, rule, value)
    try:
        number = operator.index(value)
    except TypeError:
        raise complaint(name, rule, value) from None
    if number < least:
        raise complaint(name, rule, value)
    return number


def outcome(name: str, value: Any) -> int:
    """Return the single outcome `value` as 0 or 1."""
    if type(value) in _PLAIN and (value == 0 or value == 1):  # the usual case of a stream, without an array
        return int(value)
    return int(outcomes(name, [value])[0])


def outcomes(name: str, value: npt.ArrayLike) -> OutcomeArray:
    """Return `value` as a non-empty one-dimensional uint8 array of zeros and ones."""
    raw = value if type(value) is np.ndarray and value.dtype.kind in "biu" else _numbers(name, value)
    if raw.ndim != 1:
        raise complaint(name, "be one-dimensional", raw.shape)
    nonempty(name, raw)
    if raw.dtype.kind == "b":
        return raw.view(np.uint8)
    if raw.dtype == np.uint8:
        # One reduction, no temporaries: the usual case for a hundred million outcomes.
        if int(raw.max()) <= 1:
            return raw
    refuse(name, "be 0 or 1", raw, ~((raw == 0) | (raw == 1)))
    return raw.astype(np.uint8)


def whole(name: str, array: FloatArray) -> IntArray:
    """Return an array of whole numbers as integers, or raise."""
    integers = array.astype(np.int64)
    refuse(name, "be whole numbers", array, integers != array)
    return integers


def by_outcome(name: str, value: npt.ArrayLike) -> FloatArray:
    """Return a (2, n) array of numbers that are at least 0: a row per outcome, a column per grid point."""
    array = nonnegative(name, value, ndim=2)
    if len(array) != 2:
        raise ValueError(f"{name} must have two rows, one per outcome; got {len(array)}")
    return array


def same_length(name: str, array: npt.NDArray[Any], other_name: str, other: npt.NDArray[Any]) -> None:
    """Raise unless both arrays have the same length along their first axis."""
    if len(array) != len(other):
        raise complaint(name, f"have the length of {other_name} ({len(other)})", len(array))


def one_index(left: Any, right: Any) -> bool:
    """Tell whether two Series of pandas have one index; anything else has none."""
    ours, theirs = (getattr(getattr(each, "index", None), "equals", None) for each in (left, right))
    return bool(ours(right.index)) if ours and theirs else True


def rounds(forecasts: npt.ArrayLike, happened: npt.ArrayLike) -> tuple[FloatArray, OutcomeArray]:
    """Return forecasts and outcomes of the same rounds; Series of pandas must have one index, as nothing is aligned."""
    p, y = probabilities("forecasts", forecasts, ndim=1), outcomes("outcomes", happened)
    same_length("outcomes", y, "forecasts", p)
    if not one_index(forecasts, happened):
        raise ValueError(
            "outcomes must have the index of forecasts, in the same order; got another one "
            "(outcomes.loc[forecasts.index] matches by label, .to_numpy() by position)"
        )
    return p, y


def mixtures(name: str, value: npt.ArrayLike, points: int) -> FloatArray:
    """Return `value` as rows of probabilities over `points` grid points, each row summing to one."""
    array = probabilities(name, value, ndim=2)
    if array.shape[1] != points:
        raise complaint(name, f"have {points} columns, one per grid point", array.shape)
    nonempty(name, array)
    sums = array.sum(axis=1)
    refuse(f"every row sum of {name}", "be 1", sums, np.abs(sums - 1.0) > SUM_TOLERANCE)
    return array


def increasing(name: str, array: FloatArray) -> None:
    """Raise unless `array` increases strictly."""
    bad = np.diff(array) <= 0.0
    if bad.any():
        index = int(np.argmax(bad)) + 1
        raise complaint(name, "increase strictly", array[index].item(), (index,))


def choice(name: str, value: object, options: Collection[str]) -> str:
    """Return `value` if it is one of `options`."""
    if not isinstance(value, str) or value not in options:
        allowed = ", ".join(repr(option) for option in options)
        raise complaint(name, f"be one of {allowed}", value)
    return value


def frozen(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return a read-only copy of `array`."""
    copy = array.copy()
    copy.flags.writeable = False
    return copy


def draws(rng: Any) -> np.random.Generator:
    """Return the source of a forecaster's draws; a number seeds a stream that nothing else uses.

    Outcomes from ``default_rng(0)`` and a forecaster with ``rng=0`` would share their uniform numbers otherwise, and
    forecasts that depend on the outcome they meet are calibrated by no algorithm.

    Examples
    --------
    >>> draws(0).random() == np.random.default_rng(0).random()
    False
    >>> generator = np.random.default_rng(0)
    >>> draws(generator) is generator
    True
    """
    if isinstance(rng, np.random.Generator | np.random.BitGenerator | np.random.SeedSequence | None):
        return np.random.default_rng(rng)
    return np.random.default_rng(np.random.SeedSequence(rng, spawn_key=(_DRAWS,)))


@contextmanager
def extra(name: str) -> Iterator[None]:
    """Say which extra brings a package that is imported here and missing."""
    try:
        yield
    except ModuleNotFoundError as problem:
        raise ModuleNotFoundError(
            f'{problem.name} is not installed; the extra "{name}" brings it: pip install ".[{name}]" in a clone',
            name=problem.name,
        ) from None
