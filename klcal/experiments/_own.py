"""Players of one's own: functions and classes that any process can import, known by ``module:name``."""

from __future__ import annotations

import pickle
import sys
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from hashlib import sha256
from importlib import import_module
from typing import Any


def is_own(name: str) -> bool:
    """Whether a name is ``module:name``; no name of the package has a colon."""
    return ":" in name


def player_name(argument: str, player: str | Callable[..., Any]) -> str:
    """Return the name of a player: a string as it is, and ``module:name`` for a function or class."""
    if isinstance(player, str):
        return player
    module, name = getattr(player, "__module__", None), getattr(player, "__qualname__", None)
    if module is None or name is None or getattr(sys.modules.get(module), name, None) is not player:
        raise ValueError(
            f"{argument} must be a name, or a function or class at the top of a module; got {player!r}"
        )
    return f"{module}:{name}"


def player(argument: str, name: str) -> Callable[..., Any]:
    """Return the function or class behind ``module:name``."""
    module, _, attribute = name.partition(":")
    try:
        found = getattr(import_module(module), attribute)
    except (ImportError, AttributeError, ValueError) as problem:
        raise ValueError(
            f"{argument} must name something that can be imported; got {name!r} ({problem})"
        ) from None
    if not callable(found):
        raise ValueError(f"{argument} must name a function or a class; got {name!r}, which is {found!r}")
    return found  # type: ignore[no-any-return]


def described(thing: object) -> str:
    """Return a text that is equal for equal functions and arguments, in every process."""
    if isinstance(thing, partial):
        keywords = {key: described(value) for key, value in sorted(thing.keywords.items())}
        return f"partial({described(thing.func)}, {[described(each) for each in thing.args]}, {keywords})"
    if isinstance(thing, Mapping):
        return str({key: described(value) for key, value in thing.items()})
    if isinstance(thing, (list, tuple)):
        return str([described(each) for each in thing])
    if callable(thing) and hasattr(thing, "__qualname__"):
        return f"{thing.__module__}.{thing.__qualname__}"
    if thing is None or isinstance(thing, (str, int, float)):
        return repr(thing)
    return f"{type(thing).__module__}.{type(thing).__qualname__} {sha256(pickle.dumps(thing)).hexdigest()}"


def importable(measure: Callable[..., Any]) -> None:
    """Raise unless every function in a measure can be imported by its name from a module other than the script."""
    for thing in _parts(measure):
        module, name = thing.__module__, thing.__qualname__
        if module == "__main__" or getattr(sys.modules.get(module), name, None) is not thing:
            raise ValueError(f"measure must be a function that can be imported from a module; got {thing!r}")


def modules(*things: object) -> list[str]:
    """Return the modules of all functions and classes in measures, and of players named ``module:name``."""
    found = set()
    for thing in things:
        if isinstance(thing, str):
            found |= {thing.partition(":")[0]} if is_own(thing) else set()
        else:
            found |= {part.__module__ for part in _parts(thing)}
    return sorted(found)


def _parts(thing: object) -> Iterator[Any]:
    if isinstance(thing, partial):
        for each in (thing.func, *thing.args, *thing.keywords.values()):
            yield from _parts(each)
    elif isinstance(thing, Mapping):
        for each in thing.values():
            yield from _parts(each)
    elif isinstance(thing, (list, tuple)):
        for each in thing:
            yield from _parts(each)
    elif callable(thing) and hasattr(thing, "__qualname__"):
        yield thing
    elif not (thing is None or isinstance(thing, (str, int, float))):
        yield type(thing)
