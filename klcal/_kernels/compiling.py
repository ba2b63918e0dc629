"""How kernels are compiled."""

from __future__ import annotations

import hashlib
import logging
import pickle
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
import numpy as np
import numpy.typing as npt
from numba.core import caching, config, serialize
from numba.core.event import Event, Listener, register

COMPILING = "klcal: compiling, which takes some seconds the first time ..."

Reals = npt.NDArray[np.float64]
Whole = npt.NDArray[np.int64]

_Function = TypeVar("_Function", bound=Callable[..., Any])


def _fingerprint(package: Path) -> bytes:
    """Return a digest of all kernel sources in `package`: those of the library, and those of the book."""
    digest = hashlib.sha256()
    for file in sorted(package.rglob("_kernels/*.py")):
        digest.update(file.name.encode() + b"\0" + file.read_bytes() + b"\0")
    return digest.digest()


_SOURCES = _fingerprint(Path(__file__).parents[1])


class _Folder(caching.CompileResultCacheImpl):
    """Machine code in NUMBA_CACHE_DIR or the user's cache folder: beside the sources it would outlive the package."""

    _locator_classes = [  # noqa: RUF012
        each for each in caching.CompileResultCacheImpl._locator_classes if "InTree" not in each.__name__
    ]

    def reduce(self, data: Any) -> tuple[bytes, bytes]:
        """Return machine code and its digest: what damaged code does to a process nobody knows."""
        code = serialize.dumps(super().reduce(data))  # type: ignore[no-untyped-call]
        return code, hashlib.sha256(code).digest()

    def rebuild(self, target_context: Any, payload: tuple[bytes, bytes]) -> Any:
        """Return a kernel, unless its code was damaged."""
        code, digest = payload
        if hashlib.sha256(code).digest() != digest:
            raise ValueError("the machine code is not what was written")
        return super().rebuild(target_context, pickle.loads(code))  # type: ignore[no-untyped-call]


class _Cache(caching.FunctionCache):
    _impl_class = _Folder

    def _index_key(self, sig: Any, codegen: Any) -> Any:
        """Leave out the closure, whose kernels look new in every process: the name of the function tells it apart."""
        return sig, codegen.magic_tuple()

    def _load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return machine code, or None if there is none or it is damaged; then its index begins anew."""
        try:
            return super()._load_overload(sig, target_context)  # type: ignore[no-untyped-call]
        except Exception:  # a damaged file can end in any
            _lost(self.cache_path)
            with suppress(OSError):
                self.flush()  # type: ignore[no-untyped-call]

    def _save_overload(self, sig: Any, data: Any) -> None:
        """Keep machine code, where there is room for it."""
        try:
            super()._save_overload(sig, data)  # type: ignore[no-untyped-call]
        except Exception:
            _lost(self.cache_path)


@cache
def _lost(folder: str) -> None:
    """Log, once, why machine code in a folder was not read or written: kernels are compiled anew."""
    text = "klcal: machine code in %s could not be read or written, so kernels are compiled: %r"
    logging.getLogger("klcal").warning(text, folder, sys.exception())


def _compile(function: _Function, **options: Any) -> _Function:
    """Compile without ``fastmath``, and with machine code that is kept for later processes where there is room for it.

    The compiler keeps it as long as the file of `function` itself stands unchanged. But code of other kernels is built
    into it: after a change there it would go on running the old code. So the key gets the digest of all kernels.
    With ``NUMBA_DISABLE_JIT=1`` the function stays what it is.
    """
    if config.DISABLE_JIT:  # type: ignore[attr-defined]
        return function
    dispatcher = numba.njit(nogil=True, error_model="numpy", **options)(function)
    # Where nothing can be written every process compiles anew.
    with suppress(RuntimeError):
        dispatcher._cache = _Cache(function)  # type: ignore[no-untyped-call]
        file = dispatcher._cache._cache_file
        file._source_stamp = (file._source_stamp, _SOURCES)
    return cast(_Function, dispatcher)


class _Once(Listener):
    """Calls `tell` when the compiler starts on a kernel of this package for the first time."""

    def __init__(self, tell: Callable[[], object]) -> None:
        self._tell: Callable[[], object] | None = tell

    def on_start(self, event: Event) -> None:
        """Tell, and be silent from then on."""
        if not str(event.data["dispatcher"].py_func.__module__).startswith("klcal."):
            return
        tell, self._tell = self._tell, None
        if tell is not None:
            tell()

    def on_end(self, event: object) -> None:
        """Do nothing."""


def on_first_compilation(tell: Callable[[], object]) -> None:
    """Call `tell` when this process compiles a kernel for the first time; machine code from disk does not count.

    Parameters
    ----------
    tell : callable
        Takes no argument.

    Examples
    --------
    >>> on_first_compilation(lambda: None)
    """
    register("numba:compile", _Once(tell))  # type: ignore[no-untyped-call]


def _say() -> None:
    """Log, and on a terminal so that it is read without being asked for."""
    level = logging.WARNING if sys.stderr.isatty() else logging.INFO
    logging.getLogger("klcal").log(level, COMPILING)


on_first_compilation(_say)


def compiled(function: _Function) -> _Function:
    """Compile `function` once for all processes, with infinities instead of exceptions."""
    return _compile(function)


def engine(function: _Function) -> _Function:
    """Compile a step of the game: it allocates nothing, so reference counting, two thirds of its time, is off."""
    return _compile(function, _nrt=False)


def inlined(function: _Function) -> _Function:
    """Compile a step of the game into its callers, where a call would cost more than the work."""
    return _compile(function, _nrt=False, inline="always")
