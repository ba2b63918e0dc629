"""Finished games on disk: one file each, whole or not at all, named by everything the result depends on."""

from __future__ import annotations

import hashlib
import json
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from klcal.experiments import _sources
from klcal.experiments._files import replace_files


@dataclass(frozen=True)
class Result:
    """The rows that a measure returned for one game, and how long it took."""

    rows: list[dict[str, Any]]
    seconds: float


def name_of(measure: Callable[..., Any]) -> str:
    """Return ``module.function``, or raise if a worker could not import that function by its name."""
    module, name = str(getattr(measure, "__module__", "")), str(getattr(measure, "__qualname__", ""))
    if module == "__main__" or getattr(sys.modules.get(module), name, None) is not measure:
        raise ValueError(f"measure must be a function that can be imported from a module; got {measure!r}")
    return f"{module}.{name}"


class Cache:
    """A folder of results of one measure; other measures, games and versions may share the folder."""

    def __init__(self, folder: str | os.PathLike[str], measure: Callable[..., Any]) -> None:
        self.folder = Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        module = measure.__module__
        self._context = [name_of(measure), _sources.fingerprint(module), _sources.loaded_code(module)]
        self._context.append(_sources.arithmetic())

    def _label(self, game: object) -> list[str]:
        return [*self._context, repr(game)]

    def path(self, game: object) -> Path:
        """Return the file of a game."""
        key = hashlib.sha256(json.dumps(self._label(game)).encode()).hexdigest()
        return self.folder / f"{key[:40]}.json"

    def load(self, game: object) -> Result | None:
        """Return the stored result, or None if there is none or its file is damaged."""
        try:
            checksum, _, body = self.path(game).read_bytes().partition(b"\n")
        except FileNotFoundError:
            return None
        if hashlib.sha256(body).hexdigest().encode() != checksum:
            return None
        stored = json.loads(body)
        if stored["label"] != self._label(game):
            return None
        return Result(stored["rows"], stored["seconds"])

    def save(self, game: object, result: Result) -> None:
        """Store a result; a reader sees the whole file or none, also if this process is killed."""
        stored = {"label": self._label(game), "rows": result.rows, "seconds": result.seconds}
        body = json.dumps(stored) + "\n"
        replace_files({self.path(game): hashlib.sha256(body.encode()).hexdigest() + "\n" + body})
