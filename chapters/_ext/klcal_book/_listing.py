"""What the pages about the code list: every room in the order of the house, every public name once."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import klcal


def rooms(first: str, last: str) -> list[str]:
    """Return the rooms from `first` to `last`, in the order in which they may import each other.

    Examples
    --------
    >>> rooms("forecasters", "games")
    ['forecasters', 'adversaries', 'games']
    """
    every = list(klcal.ROOMS)
    return every[every.index(first) : every.index(last) + 1]


def submodules(module: ModuleType) -> Iterator[ModuleType]:
    """Yield the public modules below a package, at any depth."""
    for found in pkgutil.iter_modules(getattr(module, "__path__", ())):
        if not found.name.startswith("_"):
            below = importlib.import_module(f"{module.__name__}.{found.name}")
            yield below
            yield from submodules(below)


def _home(value: Any) -> str:
    return str(getattr(value, "__module__", ""))


def own_names(module: ModuleType) -> list[str]:
    """Return the public names of a module: those it lists, or those it defines, in their order."""
    if hasattr(module, "__all__"):
        return [name for name in module.__all__ if not inspect.ismodule(getattr(module, name))]
    named = {name: value for name, value in vars(module).items() if not name.startswith("_")}
    return [
        name
        for name, value in named.items()
        if (inspect.isclass(value) or inspect.isroutine(value)) and _home(value) == module.__name__
    ]


def _is_passed_on(value: Any, module: ModuleType) -> bool:
    """Tell whether another public module of the package lists this value."""
    package, *rest = _home(value).split(".")
    own = module.__name__.split(".")[1]
    return package == "klcal" and rest[:1] != [own] and not rest[0].startswith("_")


def public_names(module: ModuleType) -> Iterator[tuple[ModuleType, str]]:
    """Yield module and name of all that users of a module or package see, each object once.

    What a package passes on stands at the package; a module below it adds what the package keeps to itself.

    Examples
    --------
    >>> from klcal.grids import rounding
    >>> [name for _, name in public_names(rounding)]
    ['log_rounding', 'linear_rounding', 'nearest_rounding', 'rounding_change']
    """
    seen: set[int] = set()
    for place in (module, *submodules(module)):
        for name in own_names(place):
            value = getattr(place, name)
            if id(value) not in seen and not _is_passed_on(value, module):
                seen.add(id(value))
                yield place, name


def chapters_of(room: str) -> dict[ModuleType, list[str]]:
    """Return the modules of a room that show something, each with its names; the room itself comes first.

    The ledger shows only what it passes on: its checks have a page of their own.

    Examples
    --------
    >>> {
    ...     module.__name__: len(names)
    ...     for module, names in chapters_of("grids").items()
    ... }
    {'klcal.grids': 12}
    """
    module = importlib.import_module(f"klcal.{room}")
    found: dict[ModuleType, list[str]] = {module: []}
    for place, name in public_names(module):
        if room != "claims" or place is module:
            found.setdefault(place, []).append(name)
    return found


def is_documented(value: Any) -> bool:
    """Tell whether a value has a docstring of its own, as functions and classes have."""
    return inspect.isclass(value) or inspect.isroutine(value)
