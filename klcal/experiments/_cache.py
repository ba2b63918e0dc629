"""Finished games on disk: one file each, whole or not at all, named by everything the result depends on."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from klcal.experiments import _sources
from klcal.experiments._files import replace_files
from klcal.experiments._own import described, importable, modules
from klcal.experiments.game import Game


@dataclass(frozen=True)
class Result:
    """The rows that a measure returned for one game, and how long it took."""

    rows: list[dict[str, Any]]
    seconds: float


class Cache:
    """A folder of results of one measure; other measures, games and versions may share the folder."""

    def __init__(self, folder: str | os.PathLike[str], measure: Callable[..., Any]) -> None:
        self.folder = Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        importable(measure)
        self._measure = measure
        self._context = [described(measure), _sources.arithmetic()]

    def _label(self, game: Game) -> list[str]:
        behind = modules(self._measure, game.algorithm, game.adversary)
        sources = [f(module) for module in behind for f in (_sources.fingerprint, _sources.loaded_code)]
        return [*self._context, *sources, repr(game)]

    def path(self, game: Game) -> Path:
        """Return the file of a game."""
        key = hashlib.sha256(json.dumps(self._label(game)).encode()).hexdigest()
        return self.folder / f"{key[:40]}.json"

    def load(self, game: Game) -> Result | None:
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

    def save(self, game: Game, result: Result) -> None:
        """Store a result; a reader sees the whole file or none, also if this process is killed."""
        stored = {"label": self._label(game), "rows": result.rows, "seconds": result.seconds}
        body = json.dumps(stored) + "\n"
        replace_files({self.path(game): hashlib.sha256(body.encode()).hexdigest() + "\n" + body})
