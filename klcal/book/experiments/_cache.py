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
from importlib import metadata
from pathlib import Path
from platform import machine, python_version, system
from typing import Any

from klcal._cli.files import write_text
from klcal.book.experiments.game import Game

PACKAGE = Path(__file__).resolve().parents[2]
# Libraries whose code the numbers pass through.
LIBRARIES = ("numpy", "scipy", "numba", "llvmlite")
# What the sources in each folder were when they were first looked at.
_SEEN: dict[Path, str] = {}


class Cache:
    """A folder of results of one measure; other measures, games and versions may share the folder."""

    def __init__(self, folder: str | os.PathLike[str], measure: Callable[..., Any]) -> None:
        self.folder, self.measure = Path(folder), measure
        self.folder.mkdir(parents=True, exist_ok=True)

    def path(self, game: Game) -> Path:
        """Return the file of a game."""
        label = [game.row(), *identity(self.measure, game), versions(), package()]
        return self.folder / f"{_digest(label)[:40]}.json"

    def load(self, game: Game) -> dict[str, Any] | None:
        """Return the stored result, or None if there is none or its file is damaged."""
        try:
            found = json.loads(self.path(game).read_bytes())
            result: dict[str, Any] = found["result"]
            return result if found["sha256"] == _digest(result) else None
        except (FileNotFoundError, KeyError, RecursionError, TypeError, ValueError):
            return None

    def save(self, game: Game, result: dict[str, Any]) -> None:
        """Store a result; a reader sees the whole file or none, also if this process is killed."""
        write_text(self.path(game), json.dumps({"result": result, "sha256": _digest(result)}) + "\n")


def _digest(content: object) -> str:
    return hashlib.sha256(json.dumps(content).encode()).hexdigest()


def versions() -> dict[str, str]:
    """Return the versions a number depends on, and the kind of machine, but no names or paths."""
    libraries = {name: metadata.version(name) for name in LIBRARIES}
    return {"python": python_version(), **libraries, "platform": f"{system()} {machine()}"}


@cache
def package() -> str:
    """Return the digest of all sources of this package, as they were when this process first asked."""
    return _files(PACKAGE.rglob("*.py"))


class _Pickler(pickle.Pickler):
    """Notes the module of everything that it pickles."""

    modules: set[str]

    def persistent_id(self, thing: Any) -> None:
        module = getattr(thing, "__module__", None)
        self.modules.add(module if isinstance(module, str) else type(thing).__module__)


def identity(measure: Callable[..., Any], game: Game) -> tuple[str, list[str]]:
    """Return digests of a measure and of a game's own players, as they go to other processes, and of their sources."""
    own = [player for player in (game.algorithm, game.adversary) if callable(player)]
    pickler = _Pickler(stream := io.BytesIO())
    pickler.modules = set()
    try:
        pickler.dump((measure, own))
    except (pickle.PicklingError, AttributeError, TypeError):
        raise ValueError(
            f"measure and players must be such that they can be imported from a module; got {measure!r} and {game}"
        ) from None
    loaded = (sys.modules[name] for name in pickler.modules & sys.modules.keys())
    folders = {folder for module in loaded if (folder := _folder(module)) is not None}
    return hashlib.sha256(stream.getvalue()).hexdigest(), sorted(map(_sources, folders))


def _folder(module: Any) -> Path | None:
    """Return where the file of a module is, or None if it belongs to Python, to this package or to a library."""
    file = getattr(module, "__file__", None)
    if module.__name__ == "__main__" and not Path(file or "").is_file():
        raise ValueError(
            "players must be in a file, such as mine.py, for a cache or other processes; got some of this session "
            '(executor="serial" without a cache takes them)'
        )
    folder = Path(file or sys.prefix).resolve().parent
    installed = (Path(root).resolve() for root in (PACKAGE, sys.prefix, sys.base_prefix))
    return None if file is None or any(folder.is_relative_to(root) for root in installed) else folder


def _sources(folder: Path) -> str:
    """Return the digest of the Python files in a folder; they must stay what they were at the first look."""
    now = _files(folder.glob("*.py"))
    if _SEEN.setdefault(folder, now) != now:
        raise RuntimeError(f"a file in {folder.name} changed after it was loaded: start Python again")
    return now


def _files(paths: Any) -> str:
    return hashlib.sha256(b"".join(path.read_bytes() for path in sorted(paths))).hexdigest()
