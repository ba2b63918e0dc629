"""The numbers that are written in the functions of a package, read from its sources, and functions with one changed."""

from __future__ import annotations

import ast
import importlib
import inspect
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

# Arguments that are no numbers of a formula: how many results a ufunc has, which axis, which values are accepted.
NO_FORMULA = ("least", "axis", "dtype")
ROUNDED = ("ceil", "ceiling")


@dataclass(frozen=True)
class Literal:
    """A number in the source: its module, its function, its place among the numbers there, and how it is written."""

    module: str
    function: str
    place: int
    text: str
    rounded: bool

    def __str__(self) -> str:
        return f"{self.function}-{self.place}-{self.text}"


def _called(node: ast.Call) -> str:
    return getattr(node.func, "attr", getattr(node.func, "id", ""))


def _is_number(node: ast.AST) -> bool:
    if not isinstance(node, ast.Constant) or isinstance(node.value, bool):
        return False
    if isinstance(node.value, str):
        try:
            return Decimal(node.value).is_finite()
        except InvalidOperation:
            return False
    return isinstance(node.value, (int, float))


def _numbers(node: ast.AST, rounded: bool = False) -> Iterator[tuple[ast.Constant, bool]]:
    """Yield the numbers below a node that belong to a formula, and whether they stand under a ceiling."""
    if isinstance(node, ast.Constant) and _is_number(node):
        yield node, rounded
    elif isinstance(node, ast.Subscript):
        yield from _numbers(node.value, rounded)
    elif isinstance(node, ast.If) and all(isinstance(each, ast.Raise) for each in node.body):
        yield from (found for each in node.orelse for found in _numbers(each, rounded))
    elif isinstance(node, ast.Call) and _called(node) == "frompyfunc":
        yield from _numbers(node.args[0], rounded)
    elif not isinstance(node, ast.keyword) or node.arg not in NO_FORMULA:
        below = rounded or (isinstance(node, ast.Call) and _called(node) in ROUNDED)
        yield from (found for each in ast.iter_child_nodes(node) for found in _numbers(each, below))


def _functions(module: ModuleType) -> dict[str, ast.FunctionDef]:
    tree = ast.parse(Path(inspect.getfile(module)).read_text(encoding="utf-8"))
    return {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}


def modules(package: ModuleType) -> list[ModuleType]:
    """Return the modules of a package, in the order of their names."""
    stems = sorted(path.stem for path in Path(inspect.getfile(package)).parent.glob("*.py"))
    return [importlib.import_module(f"{package.__name__}.{stem}") for stem in stems if stem != "__init__"]


def literals(module: ModuleType) -> list[Literal]:
    """Return every number in the functions of a module, docstrings and refusals of bad arguments left out."""
    found = []
    for name, node in _functions(module).items():
        for place, (constant, rounded) in enumerate(_body(node)):
            found.append(Literal(module.__name__, name, place, str(constant.value), rounded))
    return found


def _body(node: ast.FunctionDef) -> list[tuple[ast.Constant, bool]]:
    first = 1 if ast.get_docstring(node) is not None else 0
    return [found for each in node.body[first:] for found in _numbers(each)]


def names_used(package: ModuleType) -> dict[str, set[str]]:
    """Return, for every function of a package, the names that its body mentions."""
    return {
        name: {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}
        for module in modules(package)
        for name, node in _functions(module).items()
    }


def _moved(value: Any, rounded: bool) -> Any:
    if isinstance(value, str):
        return str(Decimal(value) * (1 + Decimal("1e-6")))
    if isinstance(value, int):
        return value + 1
    return value + 0.5 if rounded else value * (1 + 1e-6) or 1e-6


@contextmanager
def changed(literal: Literal) -> Iterator[None]:
    """Let the function run with this number moved: by a millionth; by 1 an integer, by a half under a ceiling.

    The code of the function itself is exchanged, so that the change is seen wherever the function was imported.
    """
    module = importlib.import_module(literal.module)
    source = ast.parse(Path(inspect.getfile(module)).read_text(encoding="utf-8"))
    (node,) = (
        each for each in source.body if isinstance(each, ast.FunctionDef) and each.name == literal.function
    )
    constant, rounded = _body(node)[literal.place]
    constant.value = _moved(constant.value, rounded)
    whole = compile(source, inspect.getfile(module), "exec")
    (code,) = (
        each for each in whole.co_consts if isinstance(each, CodeType) and each.co_name == literal.function
    )
    function = inspect.unwrap(getattr(module, literal.function))
    if not isinstance(function, FunctionType):
        raise TypeError(f"{literal.function} must be a function; got {function!r}")
    kept, function.__code__ = function.__code__, code
    try:
        yield
    finally:
        function.__code__ = kept
