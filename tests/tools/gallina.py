"""Run the definitions of the Coq sources in floating point: a reader and an evaluator for the language they use.

Natural numbers are ints, reals are floats, lists are tuples, functions remember their values. A definition that is a
proposition or a type is left out. The conventions are those of Coq's library: ln x = 0 for x <= 0, natural numbers
stop at 0 when they are subtracted, and a quotient by 0, which the library leaves open, is 0 here: the definitions only
multiply it by 0.
"""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable, Sequence
from functools import partial, reduce
from typing import Any

Value = Any
Node = Callable[[dict[str, Value]], Value]

_TOKEN = re.compile(
    r"%\w+|[A-Za-z_][\w']*(?:\.[A-Za-z_][\w']*)*|\d+|:=|=>|->|<=\?|<\?|=\?|::|\+\+|&&|\|\||[^\s]"
)
# Reals that are closer than this count as equal: equal numbers may be computed in two ways.
TIE = 1e-12
_RIGHT = {"::", "++", "^"}
_STOP = {")", "]", ",", "then", "else", "with", "end", "in", "|", "=>", ":=", "}", ";", ":"}


def without_comments(source: str) -> str:
    """Return Coq source without its comments, which may be nested."""
    kept, depth = [], 0
    for piece in re.split(r"(\(\*|\*\))", source):
        depth += {"(*": 1, "*)": -1}.get(piece, 0)
        if depth == 0 and piece != "*)":
            kept.append(piece)
    return "".join(kept)


class Function:
    """A function of `names`, which may be given fewer arguments or more."""

    def __init__(
        self, names: Sequence[str], body: Node, scope: dict[str, Value], is_real: bool = False
    ) -> None:
        self.names, self.body, self.scope, self.is_real = tuple(names), body, scope, is_real
        self.known: dict[tuple[Value, ...], Value] = {}

    def __call__(self, *arguments: Value) -> Value:
        arity = len(self.names)
        if len(arguments) < arity:
            return partial(self, *arguments)
        own, more = arguments[:arity], arguments[arity:]
        if own not in self.known:
            found = self.body({**self.scope, **dict(zip(self.names, own, strict=True))})
            self.known[own] = float(found) if self.is_real and isinstance(found, int) else found
        return self.known[own](*more) if more else self.known[own]


def native(function: Callable[..., Value], arity: int) -> Callable[..., Value]:
    """Return a Python function of `arity` arguments that may be given fewer."""

    def call(*arguments: Value) -> Value:
        return function(*arguments) if len(arguments) == arity else partial(call, *arguments)

    return call


def _divided(x: Value, y: Value) -> float:
    return 0.0 if y == 0 else x / y


# Level of each infix operator, tighter ones higher, and what it does; "::" and "++" lean to the right.
_INFIX: dict[str, tuple[int, Callable[[Value, Value], Value]]] = {
    "||": (1, operator.or_),
    "&&": (4, operator.and_),
    "=?": (0, operator.eq),
    "<?": (0, operator.lt),
    "<=?": (0, operator.le),
    "::": (2, lambda x, y: (x, *y)),
    "++": (2, operator.add),
    "+": (3, operator.add),
    "-": (3, lambda x, y: max(x - y, 0) if isinstance(x, int) and isinstance(y, int) else x - y),
    "*": (5, operator.mul),
    "/": (5, _divided),
    "^": (7, operator.pow),
}

LIBRARY: dict[str, Value] = {
    "true": True,
    "false": False,
    "O": 0,
    "None": None,
    "nil": (),
    "PI": math.pi,
    "S": lambda n: n + 1,
    "Some": lambda x: (x,),
    "cons": lambda x, rest: (x, *rest),
    "fst": lambda pair: pair[0],
    "snd": lambda pair: pair[1],
    "negb": lambda truth: not truth,
    "length": len,
    "nth": lambda n, items, default: items[n] if n < len(items) else default,
    "rev": lambda items: items[::-1],
    "filter": lambda test, items: tuple(x for x in items if test(x)),
    "find": lambda test, items: next(((x,) for x in items if test(x)), None),
    "Nat.log2": lambda n: max(n.bit_length() - 1, 0),
    "INR": float,
    "ln": lambda x: math.log(x) if x > 0 else 0.0,
    "sin": math.sin,
    "cos": math.cos,
    "tan": math.tan,
    "exp": math.exp,
    "sqrt": lambda x: math.sqrt(x) if x > 0 else 0.0,
    "Rpower": lambda x, y: math.exp(y * math.log(x)) if x > 0 else 1.0,
    "Rabs": abs,
    "Rmax": max,
    "Rmin": min,
    "Rlt_dec": lambda x, y: x < y - TIE,
    "Rle_dec": lambda x, y: x <= y + TIE,
    "Req_EM_T": lambda x, y: abs(x - y) <= TIE,
    "Rplus": lambda x, y: x + y,
    "Int_part": math.floor,
    "Z.to_nat": lambda n: max(n, 0),
    "Nat.max": max,
    "Nat.min": min,
    "map": lambda f, items: tuple(f(x) for x in items),
    "fold_right": lambda f, start, items: reduce(lambda rest, x: f(x, rest), reversed(items), start),
}


class Unreadable(ValueError):
    """The text is not in the part of the language that is read here."""


class Reader:
    """A reader of one sentence: terms become functions from the names in scope to values."""

    def __init__(self, text: str) -> None:
        self.tokens = [token for token in _TOKEN.findall(text) if not token.startswith("%")]
        self.at = 0

    def peek(self) -> str:
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def take(self, expected: str = "") -> str:
        token = self.peek()
        if not token or (expected and token != expected):
            raise Unreadable(
                f"expected {expected or 'more'}, got {token!r} at {self.tokens[self.at - 3 : self.at + 3]}"
            )
        self.at += 1
        return token

    def binders(self, *stops: str) -> list[str]:
        """Read names, single or in brackets with their type."""
        names: list[str] = []
        while self.peek() not in stops:
            if self.peek() != "(":
                names.append(self.take())
                continue
            self.take("(")
            while self.peek() != ":":
                names.append(self.take())
            depth = 1
            while depth:
                depth += {"(": 1, ")": -1}.get(self.take(), 0)
        return names

    def listed(self, read: Callable[[], Value]) -> list[Value]:
        """Read what stands between commas, to the bracket that closes."""
        parts = [read()]
        while self.peek() == ",":
            self.take()
            parts.append(read())
        self.take(")")
        return parts

    def term(self) -> Node:
        keyword = {"fun": self.function, "let": self.binding, "if": self.choice}.get(self.peek())
        return keyword() if keyword else self.infix(0)

    def function(self) -> Node:
        self.take("fun")
        names = self.binders("=>")
        self.take("=>")
        body = self.term()
        return lambda scope: Function(names, body, scope)

    def binding(self) -> Node:
        self.take("let")
        pattern = self.pattern()
        self.take(":=")
        value = self.term()
        self.take("in")
        body = self.term()
        return lambda scope: body({**scope, **(pattern(value(scope)) or {})})

    def choice(self) -> Node:
        self.take("if")
        test = self.term()
        self.take("then")
        yes = self.term()
        self.take("else")
        no = self.term()
        return lambda scope: yes(scope) if test(scope) else no(scope)

    def infix(self, level: int) -> Node:
        left = self.prefix()
        while self.peek() in _INFIX and _INFIX[self.peek()][0] >= level:
            sign = self.take()
            tightness, does = _INFIX[sign]
            right = self.infix(tightness + (sign not in _RIGHT))
            left = (lambda a, b, f: lambda scope: f(a(scope), b(scope)))(left, right, does)
        return left

    def prefix(self) -> Node:
        if self.peek() not in ("-", "/"):
            return self.application()
        sign, body = self.take(), self.infix(6)
        return lambda scope: -body(scope) if sign == "-" else _divided(1.0, body(scope))

    def application(self) -> Node:
        head = self.atom()
        arguments = []
        while self.peek() and self.peek() not in _STOP and self.peek() not in _INFIX:
            arguments.append(self.term() if self.peek() == "fun" else self.atom())
        return (lambda scope: head(scope)(*(a(scope) for a in arguments))) if arguments else head

    def atom(self) -> Node:
        token = self.peek()
        if token == "match":
            return self.match()
        if token == "[":
            self.take()
            item = None if self.peek() == "]" else self.term()
            self.take("]")
            return lambda scope: () if item is None else (item(scope),)
        if token == "(":
            self.take()
            parts = self.listed(self.term)
            return parts[0] if len(parts) == 1 else lambda scope: tuple(part(scope) for part in parts)
        if not re.fullmatch(r"[\w.']+", token) or token in ("forall", "exists"):
            raise Unreadable(f"no term begins with {token!r}")
        self.take()
        if token.isdigit():
            number = int(token)
            return lambda scope: number
        return lambda scope: scope[token]

    def match(self) -> Node:
        self.take("match")
        value = self.term()
        self.take("with")
        cases = []
        while self.peek() == "|":
            self.take()
            pattern = self.pattern()
            self.take("=>")
            cases.append((pattern, self.term()))
        self.take("end")

        def decide(scope: dict[str, Value]) -> Value:
            found = value(scope)
            for pattern, body in cases:
                names = pattern(found)
                if names is not None:
                    return body({**scope, **names})
            raise Unreadable(f"no case for {found!r}")

        return decide

    def pattern(self) -> Callable[[Value], dict[str, Value] | None]:
        """Read a pattern: a function from a value to the names it gives, or None if it does not fit."""
        first = self.simple_pattern()
        if self.peek() != "::":
            return first
        self.take()
        rest = self.pattern()
        return lambda value: _joined(first(value[0]), rest(value[1:])) if value else None

    def simple_pattern(self) -> Callable[[Value], dict[str, Value] | None]:
        token = self.take()
        if token == "(":
            parts = self.listed(self.pattern)
            if len(parts) == 1:
                return parts[0]
            return lambda value: _joined(*(part(each) for part, each in zip(parts, value, strict=True)))
        if token == "[":
            self.take("]")
            return lambda value: {} if value == () else None
        if token in ("O", "None", "nil"):
            constant = LIBRARY[token]
            return lambda value: {} if value == constant and value is not False else None
        if token == "S":
            inner = self.simple_pattern()
            return lambda value: inner(value - 1) if value > 0 else None
        if token == "Some":
            inner = self.simple_pattern()
            return lambda value: inner(value[0]) if value is not None else None
        return lambda value: {} if token == "_" else {token: value}


def _joined(*found: dict[str, Value] | None) -> dict[str, Value] | None:
    names: dict[str, Value] = {}
    for each in found:
        if each is None:
            return None
        names.update(each)
    return names


def _record(text: str, scope: dict[str, Value]) -> None:
    """Enter the constructor and the projections of a record."""
    maker, _, fields = text.partition(":=")[2].partition("{")
    names = re.findall(r"([\w']+)\s*:", fields)
    scope[maker.strip()] = lambda *values: values
    for index, name in enumerate(names):
        scope[name] = lambda value, *more, index=index: value[index](*more) if more else value[index]


def definitions(*sources: str) -> dict[str, Value]:
    """Return the values of all names that some Coq sources define, in their order; propositions and types are left out.

    Parameters
    ----------
    *sources : str
        The texts of the files.

    Returns
    -------
    dict
        Name -> number, or function.
    """
    scope = dict(LIBRARY)
    for source in sources:
        for sentence in re.split(r"\.(?=\s|$)", without_comments(source)):
            word, _, rest = sentence.strip().partition(" ")
            if word == "Record":
                _record(rest, scope)
            elif word in ("Definition", "Fixpoint"):
                name = rest.split()[0]
                if name in scope and name not in LIBRARY:
                    raise Unreadable(f"{name} is defined twice")
                _enter(rest, scope)
    return scope


def _enter(text: str, scope: dict[str, Value]) -> None:
    reader = Reader(text)
    name = reader.take()
    names = reader.binders(":", ":=")
    kind = []
    while reader.peek() != ":=":
        kind.append(reader.take())
    reader.take(":=")
    if kind[-1:] in (["Prop"], ["Type"]):
        return
    try:
        body = reader.term()
    except Unreadable as problem:
        raise Unreadable(f"{name}: {problem}") from problem
    if reader.peek():
        raise Unreadable(f"{name}: {reader.peek()!r} is left over")
    is_real = kind == [":", "R"]
    scope[name] = Function(names, body, scope, is_real) if names else body(scope)
