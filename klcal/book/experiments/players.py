"""Players of one's own: functions and classes that any process can import, written ``module:name``.

A ``functools.partial`` of one has its arguments behind that: ``module:name(3, days=7)``.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from importlib import import_module
from typing import Any

import numpy as np

from klcal._checks import _complain

_PLAIN = "have plain arguments only: finite numbers, text, True, False, None, tuples of these"


def is_own(name: str) -> bool:
    """Whether a name is ``module:name``; no name of the package has a colon."""
    return ":" in name


def player_name(argument: str, player: str | Callable[..., Any]) -> str:
    """Return the name of a player: a string as it is, and for a function or class how to import it."""
    if isinstance(player, partial):
        base = player_name(argument, player.func)
        try:
            player = _written(base, player.args, player.keywords)
        except TypeError:
            raise _complain(argument, _PLAIN, player) from None
    if isinstance(player, str):
        if is_own(player):
            _read(argument, player)
        return player
    module, name = getattr(player, "__module__", None), getattr(player, "__qualname__", None)
    if module is None or name is None or getattr(sys.modules.get(module), name, None) is not player:
        raise ValueError(
            f"{argument} must be a name, or a function or class at the top of a module; got {player!r}"
        )
    return f"{module}:{name}"


def player(argument: str, name: str) -> Callable[..., Any]:
    """Return the function or class behind ``module:name``, or its partial."""
    name, args, keywords = _read(argument, name)
    module, _, attribute = name.partition(":")
    try:
        found = getattr(import_module(module), attribute)
    except (ImportError, AttributeError, ValueError) as problem:
        raise ValueError(
            f"{argument} must name something that can be imported; got {name!r} ({problem})"
        ) from None
    if not callable(found):
        raise ValueError(f"{argument} must name a function or a class; got {name!r}, which is {found!r}")
    return partial(found, *args, **keywords)


def _written(name: str, args: Iterable[object], keywords: Mapping[str, object]) -> str:
    """Return the one way to write a function or class with its arguments."""
    if not all(map(str.isidentifier, keywords)):
        raise TypeError
    words = [repr(_plain(each)) for each in args]
    words += [f"{key}={_plain(value)!r}" for key, value in sorted(keywords.items())]
    return f"{name}({', '.join(words)})" if words else name


def _plain(value: object) -> object:
    if isinstance(value, np.generic):
        value = value.item()
    if type(value) is tuple:
        return tuple(map(_plain, value))
    if value is None or type(value) in (bool, int, float, str):
        return value
    raise TypeError


def _read(argument: str, written: str) -> tuple[str, list[Any], dict[str, Any]]:
    """Return ``module:name`` and the arguments behind it."""
    name, bracket, rest = written.partition("(")
    if not bracket:
        return name, [], {}
    try:
        call = ast.parse(f"f({rest}", mode="eval").body
        if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Name)):
            raise ValueError
        args = [ast.literal_eval(each) for each in call.args]
        keywords = {str(each.arg): ast.literal_eval(each.value) for each in call.keywords}
        again = _written(name, args, keywords)
    except (SyntaxError, TypeError, ValueError):
        raise _complain(argument, _PLAIN, written) from None
    if again != written:
        raise _complain(argument, f"be written {again!r}", written)
    return name, args, keywords
