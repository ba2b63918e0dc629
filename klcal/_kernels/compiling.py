"""How kernels are compiled."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba
import numpy as np
import numpy.typing as npt

Reals = npt.NDArray[np.float64]
Whole = npt.NDArray[np.int64]

_Function = TypeVar("_Function", bound=Callable[..., Any])


def compiled(function: _Function) -> _Function:
    """Compile `function` once for all processes; no ``fastmath``, and infinities instead of exceptions."""
    return cast(_Function, numba.njit(cache=True, nogil=True, error_model="numpy")(function))


def engine(function: _Function) -> _Function:
    """Compile a step of the game: it allocates nothing, so reference counting, two thirds of its time, is off."""
    options: dict[str, Any] = {"cache": True, "nogil": True, "error_model": "numpy", "_nrt": False}
    return cast(_Function, numba.njit(**options)(function))


def inlined(function: _Function) -> _Function:
    """Compile a step of the game into its callers, where a call would cost more than the work."""
    options: dict[str, Any] = {
        "cache": True,
        "nogil": True,
        "error_model": "numpy",
        "_nrt": False,
        "inline": "always",
    }
    return cast(_Function, numba.njit(**options)(function))
