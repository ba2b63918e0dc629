"""What a number depends on: the sources behind a measure, the versions under it, and the machine's arithmetic.

A cached result may come back only while all of these are the same. Sources are compared byte by byte: a changed comment
costs a recomputation, a stale number never comes back.
"""

from __future__ import annotations

import ast
import hashlib
import importlib.metadata
import importlib.util
import json
import platform
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

import numpy as np

from klcal._kernels import watching
from klcal.experiments._own import described

PACKAGE = Path(__file__).resolve().parents[1]
# Libraries whose code the numbers pass through.
LIBRARIES = ("numpy", "scipy", "numba", "llvmlite", "python-flint")


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


# The package as it was when this process loaded it: what runs here, whatever the files say later.
_LOADED = {path: _digest(path.read_bytes()) for path in sorted(PACKAGE.rglob("*.py"))}


@cache
def _imports(source: bytes, module: str, is_package: bool) -> frozenset[str]:
    """Return the full names of everything a module imports; some may be names inside a module."""
    parents = module.split(".") if is_package else module.split(".")[:-1]
    names: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = ".".join(parents[: len(parents) - node.level + 1]) if node.level else ""
            full = ".".join(filter(None, [base, node.module]))
            names |= {full, *(f"{full}.{alias.name}" for alias in node.names)}
    return frozenset(names)


@cache
def _is_library(root: str) -> bool:
    """Whether a top-level name belongs to Python itself or to an installed library, known by its version."""
    if root == "klcal":
        return False
    spec = None if root in sys.stdlib_module_names else importlib.util.find_spec(root)
    if spec is None or spec.origin is None:
        return True
    return any(Path(spec.origin).is_relative_to(prefix) for prefix in {sys.prefix, sys.base_prefix})


def _file_of(module: str) -> Path | None:
    if module == "__main__":
        script = Path(getattr(sys.modules[module], "__file__", ""))
        if not script.is_file():
            raise ValueError(
                "players must be in a file, such as mine.py, for a cache or other processes; got some of this session"
            )
        return script
    try:
        spec = importlib.util.find_spec(module)
    except ModuleNotFoundError:  # a name inside a module
        return None
    return Path(spec.origin) if spec is not None and spec.origin and spec.has_location else None


def source_files(module: str) -> dict[str, Path]:
    """Return module `module` and all it imports, directly or not, except libraries: name -> file."""
    found: dict[str, Path] = {}
    waiting = [module]
    while waiting:
        name = waiting.pop()
        path = None if name in found else _file_of(name)
        if path is None:
            continue
        found[name] = path
        named = _imports(path.read_bytes(), name, path.name == "__init__.py")
        # The head of the package only passes names on, and the files they come from are named where they are used.
        waiting += [each for each in named if each != "klcal" and not _is_library(each.partition(".")[0])]
    return found


@cache
def fingerprint(module: str) -> str:
    """Return the digest of the sources behind `module`, with the versions of Python and of the libraries."""
    sources = {}
    for name, path in sorted(source_files(module).items()):
        sources[name] = _digest(path.read_bytes())
        if _LOADED.get(path.resolve(), sources[name]) != sources[name]:
            raise RuntimeError(f"{name} changed on disk after it was loaded: start Python again")
    return _digest(json.dumps([sources, versions()], sort_keys=True).encode())


@cache
def versions() -> dict[str, str]:
    """Return the versions a number depends on, and the kind of machine, but no names or paths."""
    libraries = {name: importlib.metadata.version(name) for name in LIBRARIES}
    return {
        "python": platform.python_version(),
        **libraries,
        "platform": f"{platform.system()} {platform.machine()}",
    }


def loaded_code(module: str) -> str:
    """Return the digest of the loaded functions behind `module` that are not of this package.

    It is what would run, even if their files were edited since; for this package `fingerprint` looks after that.
    """
    parts = []
    for name, path in sorted(source_files(module).items()):
        if path.resolve() not in _LOADED:
            functions = vars(sys.modules[name]).items() if name in sys.modules else ()
            parts += [
                (name, key, _code_parts(f.__code__)) for key, f in functions if isinstance(f, FunctionType)
            ]
    return _digest(repr(parts).encode())


def _code_parts(code: CodeType) -> tuple[Any, ...]:
    constants = [_code_parts(each) if isinstance(each, CodeType) else each for each in code.co_consts]
    # A set of constants has no fixed order.
    constants = [sorted(map(repr, each)) if isinstance(each, frozenset) else each for each in constants]
    return code.co_code, code.co_names, code.co_varnames, constants


@cache
def arithmetic() -> str:
    """Return a digest of this machine's logarithms, sines and powers on ten thousand numbers.

    Everything else the games do is IEEE arithmetic, which is the same everywhere. Where this digest agrees, tables
    can be expected to agree bit for bit; elsewhere the last digits of logarithms may differ.
    """
    values = np.arange(1.0, 10_001.0) / 4096.0
    compiled = np.empty_like(values)
    watching.logarithms(values, compiled)
    arrays = (compiled, np.log(values), np.log1p(values), np.sin(values), values**0.5, values**1.5)
    return _digest(b"".join(array.tobytes() for array in arrays))[:16]


def provenance(measure: Callable[..., Any]) -> dict[str, str]:
    """Return where numbers of this process come from: the measure, versions, the machine's arithmetic."""
    name = described(measure)
    klcal = importlib.metadata.version("klcal")
    return {"measure": name, "klcal": klcal, **versions(), "arithmetic": arithmetic()}
