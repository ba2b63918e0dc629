"""How kernels are compiled."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
import numpy as np
import numpy.typing as npt

Reals = npt.NDArray[np.float64]
Whole = npt.NDArray[np.int64]

_Function = TypeVar("_Function", bound=Callable[..., Any])


def _fingerprint(folder: Path) -> bytes:
    """Return a digest of all kernel sources in `folder`."""
    digest = hashlib.sha256()
    for file in sorted(folder.glob("*.py")):
        digest.update(file.name.encode() + b"\0" + file.read_bytes() + b"\0")
    return digest.digest()


_SOURCES = _fingerprint(Path(__file__).parent)


def _compile(function: _Function, **options: Any) -> _Function:
    """Compile without ``fastmath``, and with machine code that is kept for later processes.

    The compiler keeps it as long as the file of `function` itself stands unchanged. But code of other kernels is built
    into it: after a change there it would go on running the old code. So the key gets the digest of all kernels.
    """
    dispatcher = numba.njit(cache=True, nogil=True, error_model="numpy", **options)(function)
    file = dispatcher._cache._cache_file
    file._source_stamp = (file._source_stamp, _SOURCES)
    return cast(_Function, dispatcher)


def compiled(function: _Function) -> _Function:
    """Compile `function` once for all processes, with infinities instead of exceptions."""
    return _compile(function)


def engine(function: _Function) -> _Function:
    """Compile a step of the game: it allocates nothing, so reference counting, two thirds of its time, is off."""
    return _compile(function, _nrt=False)


def inlined(function: _Function) -> _Function:
    """Compile a step of the game into its callers, where a call would cost more than the work."""
    return _compile(function, _nrt=False, inline="always")
