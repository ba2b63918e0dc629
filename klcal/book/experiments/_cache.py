"""Finished games on disk: one file each, whole or not at all, named by everything the result depends on."""

from __future__ import annotations

import hashlib
import io
import json
import os
import pickle
import sys
from collections.abc import Callable
from functools import cache
from importlib import import_module, metadata
from pathlib import Path
from platform import machine, python_version, system
from typing import Any

from klcal.book.experiments.game import Game
from klcal.book.experiments.players import is_own

PACKAGE = Path(__file__).resolve().parents[2]
# Libraries whose code the numbers pass through.
LIBRARIES = ("numpy", "scipy", "numba", "llvmlite")
# What each source file held when it was first looked at.
_SEEN: dict[Path, str] = {}


class Cache:
    """A folder of results of one measure; other measures, games and versions may share the folder."""

    def __init__(self, folder: str | os.PathLike[str], measure: Callable[..., Any]) -> None:
        self.folder = Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self._measure, self._modules = _pickled(measure)

    def path(self, game: Game) -> Path:
        """Return the file of a game."""
        own = {name.partition(":")[0] for name in (game.algorithm, game.adversary) if is_own(name)}
        label = [self._measure, repr(game), versions(), package(), _sources(self._modules | own)]
        return self.folder / f"{hashlib.sha256(json.dumps(label).encode()).hexdigest()[:40]}.json"

    def load(self, game: Game) -> dict[str, Any] | None:
        """Return the stored result, or None if there is none or its file is damaged."""
        try:
            found: dict[str, Any] = json.loads(self.path(game).read_bytes())
        except (FileNotFoundError, ValueError):
            return None
        return found

    def save(self, game: Game, result: dict[str, Any]) -> None:
        """Store a result; a reader sees the whole file or none, also if this process is killed."""
        target = self.path(game)
        draft = target.with_name(f".{target.name}.{os.getpid()}.part")
        draft.write_text(json.dumps(result) + "\n", encoding="utf-8")
        os.replace(draft, target)


def importable(measure: Callable[..., Any]) -> None:
    """Raise unless other processes can import every function in a measure."""
    _pickled(measure)


def versions() -> dict[str, str]:
    """Return the versions a number depends on, and the kind of machine, but no names or paths."""
    libraries = {name: metadata.version(name) for name in LIBRARIES}
    return {"python": python_version(), **libraries, "platform": f"{system()} {machine()}"}


@cache
def package() -> str:
    """Return the digest of all sources of this package, as they were when this process first asked."""
    return hashlib.sha256(b"".join(path.read_bytes() for path in sorted(PACKAGE.rglob("*.py")))).hexdigest()


class _Pickler(pickle.Pickler):
    """Notes the module of everything that it pickles."""

    modules: set[str]

    def persistent_id(self, thing: Any) -> None:
        module = getattr(thing, "__module__", None)
        self.modules.add(module if isinstance(module, str) else type(thing).__module__)


def _pickled(measure: Callable[..., Any]) -> tuple[str, set[str]]:
    stream = io.BytesIO()
    pickler = _Pickler(stream)
    pickler.modules = set()
    try:
        pickler.dump(measure)
    except (pickle.PicklingError, AttributeError, TypeError):
        raise ValueError(
            f"measure must be a function that can be imported from a module; got {measure!r}"
        ) from None
    return hashlib.sha256(stream.getvalue()).hexdigest(), pickler.modules


def _sources(modules: set[str]) -> dict[str, str]:
    """Return the digests of the files of these modules and of all they import, except libraries."""
    found: dict[str, str] = {}
    waiting = sorted(modules)
    while waiting:
        name = waiting.pop()
        module = sys.modules[name] if name in sys.modules else import_module(name)
        if name in found or name.partition(".")[0] == "klcal" or _is_library(module):
            continue
        found[name] = _digest(_file(module))
        for thing in vars(module).values():
            behind = thing.__name__ if isinstance(thing, type(sys)) else getattr(thing, "__module__", None)
            waiting += [behind] if isinstance(behind, str) and behind in sys.modules else []
    return dict(sorted(found.items()))


def _is_library(module: Any) -> bool:
    if module.__name__ == "__main__":
        return False
    origin = getattr(module, "__file__", None)
    return origin is None or any(Path(origin).is_relative_to(each) for each in {sys.prefix, sys.base_prefix})


def _file(module: Any) -> Path:
    file = Path(getattr(module, "__file__", None) or "")
    if not file.is_file():
        raise ValueError(
            "players must be in a file, such as mine.py, for a cache or other processes; got some of this session "
            '(executor="serial" without a cache takes them)'
        )
    return file


def _digest(path: Path) -> str:
    """Return the digest of a file; it must stay what it was when this process first looked."""
    now = hashlib.sha256(path.read_bytes()).hexdigest()
    if _SEEN.setdefault(path, now) != now:
        raise RuntimeError(f"{path.name} changed on disk after it was loaded: start Python again")
    return now
