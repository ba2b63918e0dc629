r"""Checks on the page: a cell computes, one call compares, shows a verdict and leaves a record for the ledger.

Each function raises `CheckFailed` if the comparison fails, so a red notebook is a false statement. What kind of
evidence it is nobody declares; it follows from the numbers:

===========  ==============================================================
symbolic     expressions of sympy, compared in their `normal_form`
certified    balls and enclosures; their far ends count
exact        integers and fractions, NumPy's integers too
numeric      anything with a float in it
statistical  trials, counted against an exact binomial threshold (`rarely`)
===========  ==============================================================

`covers`, how much of the statement was checked, is the one thing that is declared by hand. That a check can fail it
shows itself: an equation is tried again with a right side that is wrong by one per cent, and an inequality says how
much of its bound was used.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Set
from dataclasses import asdict, dataclass
from fractions import Fraction
from numbers import Integral, Rational
from typing import Any

import numpy as np
from scipy.stats import binom

from klcal import _checks
from klcal.book.exact.balls import Enclosure
from klcal.book.symbolic import common_points, normal_form

with _checks.extra("verify"):
    import sympy as sp
    from flint import arb

#: `covers` of a check that leaves nothing of its statement unchecked.
WHOLE = "the whole statement"
_NEAR = "1 % off is rejected"
_WHERE = "where both sides are real; "


class CheckFailed(AssertionError):
    """A statement of the book does not hold as computed, or a check could not have failed."""


@dataclass(frozen=True)
class Evidence:
    """What one cell found out about one statement: the verdict that a page shows, and the record that it stores.

    Parameters
    ----------
    label : str
        The statement: the label of its box.
    kind : {"symbolic", "certified", "exact", "statistical", "numeric"}
        How it was checked.
    covers : str
        How much of it was checked.
    lines : tuple of str
        What was compared, in Markdown.
    control : str
        What shows that the check can fail.
    refutes : bool
        Whether it was the printed statement that failed.
    """

    label: str
    kind: str
    covers: str
    lines: tuple[str, ...]
    control: str
    refutes: bool = False

    def __post_init__(self) -> None:
        if not self.covers.strip():
            raise ValueError(f"covers must say how much of {self.label} was checked; got {self.covers!r}")
        if self.covers == WHOLE and self.kind in ("numeric", "statistical"):
            raise ValueError(
                f"covers must be less than the whole of {self.label}, as the check is {self.kind}; got WHOLE"
            )

    def __repr__(self) -> str:
        return f"{self._sign} {self.label}: {self.kind}, {self.covers}; {self.control}"

    @property
    def _sign(self) -> str:
        return "✗ fails as printed:" if self.refutes else "✓"

    def _repr_mimebundle_(self, **_: Any) -> tuple[dict[str, str], dict[str, Any]]:
        verdict = f"{self._sign} **{self.kind}** · {_escaped(self.covers)} · {_escaped(self.control)}"
        verdict = verdict.replace(" %", "\N{NO-BREAK SPACE}%")
        shown = "\n\n".join(["\\\n".join(_escaped(line) for line in self.lines), verdict])
        record = asdict(self) | {"lines": list(self.lines)}  # as JSON has it
        return {"text/plain": repr(self), "text/markdown": shown}, {"klcal": record}


def identity(
    label: str, sides: Mapping[str, tuple[Any, Any]], *, covers: str, refutes: bool = False
) -> Evidence:
    """Check equations between expressions of sympy, which hold no floats.

    They are compared where all logarithms and broken powers are of positive numbers; there must be such points. If
    one side alone is real at others, the verdict says so. Both sides are also computed at some of these points.

    Parameters
    ----------
    label : str
        The statement: the label of its box.
    sides : dict of (left, right)
        The two sides of each equation by its name: the equation as a person writes it, or its left side.
    covers : str
        How much of the statement that is; `WHOLE` for all of it.
    refutes : bool
        Whether the equations show that the printed statement is false.

    Examples
    --------
    >>> p = sp.Symbol("p", positive=True)
    >>> identity(
    ...     "example", {"(1 − p)²": ((1 - p) ** 2, 1 - 2 * p + p**2)}, covers=WHOLE
    ... )
    ✓ example: symbolic, the whole statement; 1 % off is rejected
    """
    _some(sides, label)
    assumed = ""
    for name, pair in sides.items():
        left, right = map(sp.sympify, pair)
        _exact(label, name, left, right)
        if left == right and left.free_symbols:
            raise CheckFailed(
                f"{label}: both sides of {name!r} are {left}; an expression was compared with itself"
            )
        if (rest := normal_form(left - right)) != 0:
            raise CheckFailed(f"{label}: {name}: left minus right leaves {rest}")
        found, alone = common_points(left, right)
        if not found:
            raise CheckFailed(f"{label}: {name}: no point was found where every logarithm and root is real")
        if wrong := [(a, b) for a, b in found if abs(a - b) > 1e-30 * (1 + abs(a) + abs(b))]:
            raise CheckFailed(f"{label}: {name} fails at a point: {wrong[0][0]} is not {wrong[0][1]}")
        assumed = _WHERE if alone else assumed
        near = sp.Rational(99, 100) * right if normal_form(right) != 0 else sp.Rational(1, 100)
        if normal_form(left - near) == 0:
            raise CheckFailed(f"{label}: {name} passes with a wrong right side, so this check cannot fail")
    lines = (
        f"{name} = ${sp.latex(right)}$" if "=" not in name else name for name, (_, right) in sides.items()
    )
    return Evidence(label, "symbolic", covers, tuple(lines), assumed + _NEAR, refutes)


def equal(
    label: str, left: Any, right: Any, what: str, *, covers: str, within: float = 1e-9, refutes: bool = False
) -> Evidence:
    """Check that numbers are equal, one or a list: floats up to `within` of the right side or of 1, others exactly.

    Parameters
    ----------
    label
        As for `identity`.
    left, right : numbers or lists of numbers
        What is compared.
    what : str
        The equation, as a person writes it.
    covers
        As for `identity`.
    within : float
        How far floats may be apart.
    refutes
        As for `identity`.

    Examples
    --------
    >>> equal("example", [0.1 + 0.2], [0.3], "0.1 + 0.2 = 0.3", covers="one sum")
    ✓ example: numeric, one sum; equal within 1e-9, 1 % off is rejected
    """
    if _is_same(left, right):
        raise CheckFailed(f"{label}: the numbers of {what!r} were compared with themselves")
    pairs, kind = _pairs(left, right, label)
    if kind == "certified":
        raise ValueError(f"left and right of {label} must be no balls: their equality cannot be decided")
    allowed = within if kind == "numeric" else 0

    def off(factor: Any, shift: Any = 0) -> list[Any]:  # an infinite number is equal to itself alone
        tried = [(a, factor * b + shift, max(1, abs(b))) for a, b in pairs]
        return [abs(a - b) / unit for a, b, unit in tried if not (a == b or abs(a - b) / unit <= allowed)]

    if wrong := off(1):
        raise CheckFailed(f"{label}: {what} is wrong by {float(wrong[0]):.3g}")
    hundredth = 0.01 if kind == "numeric" else Fraction(1, 100)
    if not (off(1, hundredth) if all(b == 0 for _, b in pairs) else off(1 - hundredth)):
        raise CheckFailed(f"{label}: {what} passes with a wrong right side, so this check cannot fail")
    said = f"equal within {within:.0e}".replace("e-0", "e-") if kind == "numeric" else "equal"
    return Evidence(label, kind, covers, (what,), f"{said}, {_NEAR}", refutes)


def at_most(
    label: str, measured: Any, bound: Any, what: str, *, covers: str, within: float = 1e-12
) -> Evidence:
    """Check ``measured <= bound``, one number or a list; floats may be above by `within` of the bound.

    Parameters
    ----------
    label
        As for `identity`.
    measured, bound : numbers or lists of numbers
        What is compared; one bound may serve many.
    what : str
        The inequality, as a person writes it.
    covers
        As for `identity`.
    within : float
        How far a float may be above.

    Examples
    --------
    >>> at_most(
    ...     "example",
    ...     [Fraction(1, 3), 0],
    ...     [Fraction(1, 2), 1],
    ...     "1/3 ≤ 1/2, 0 ≤ 1",
    ...     covers="two",
    ... )
    ✓ example: exact, two; reaches 67 % of the bound
    """
    pairs, kind = _compared(label, measured, bound, what, "at most", within)
    shares = [float(_high(a)) / float(_low(b)) for a, b in pairs if _low(b) > 0]
    control = f"reaches {_percent(max(shares))} of the bound" if shares else "the bound is not positive"
    return Evidence(label, kind, covers, (what,), control + _slack(pairs, kind, within, -1))


def at_least(
    label: str, measured: Any, bound: Any, what: str, *, covers: str, within: float = 1e-12
) -> Evidence:
    """Check ``measured >= bound``, one number or a list; the arguments are those of `at_most`.

    Examples
    --------
    >>> at_least("example", 4, 3, "4 ≥ 3", covers="one case")
    ✓ example: exact, one case; at least 133 % of the bound
    """
    pairs, kind = _compared(label, measured, bound, what, "at least", within)
    times = [float(_low(a)) / float(_high(b)) for a, b in pairs if _high(b) > 0]
    least = min(times, default=0.0)
    share = f"{int(least):,} times" if least >= 10 else f"{int(100 * least + 1e-9)} % of"
    control = f"at least {share} the bound" if times else "the bound is not positive"
    return Evidence(label, kind, covers, (what,), control + _slack(pairs, kind, within, 1))


def exceeds(
    label: str, measured: Any, printed: Any, what: str, *, covers: str = "one counterexample"
) -> Evidence:
    """Check that a printed upper bound fails: ``measured > printed``, one number or a list; floats by more than 1e-12.

    A counterexample must also meet the hypotheses of the statement; the cell checks them itself.

    Examples
    --------
    >>> exceeds("example", 3, 2, "1 + 2 > 2")
    ✗ fails as printed: example: exact, one counterexample; 3 > 2
    """
    pairs, kind = _compared(label, measured, printed, what, "above", 1e-12)
    closest = min(pairs, key=lambda pair: _low(pair[0]) - _high(pair[1]))
    said = f"{_short(_low(closest[0]))} > {_short(_high(closest[1]))}"
    return Evidence(label, kind, covers, (what,), said, refutes=True)


def positive(label: str, quantities: Mapping[str, Any], *, covers: str, strict: bool = True) -> Evidence:
    """Check signs: of expressions for all values of their symbols, of enclosures, of numbers.

    Sympy decides from what it knows of the symbols, so let them be positive, and write p = 1/(1+x) for 0 < p < 1.

    Parameters
    ----------
    label
        As for `identity`.
    quantities : dict
        What is positive, by its name.
    covers
        As for `identity`.
    strict : bool
        Whether 0 is refused; if not, an expression that is 0 everywhere still is.

    Examples
    --------
    >>> x, y = sp.symbols("x y", positive=True)
    >>> positive("example", {"x² + xy + 1": x * (x + y) + 1}, covers=WHOLE)
    ✓ example: symbolic, the whole statement; every sign follows from those of the symbols
    """
    _some(quantities, label)
    numbers: list[Any] = []
    for name, value in quantities.items():
        if not (isinstance(value, sp.Expr) and value.free_symbols):
            numbers += _listed(value, label)[0]
            continue
        _exact(label, name, value)
        forms = (value, sp.factor(sp.together(value)), sp.expand(value))
        if not any(each.is_positive if strict else each.is_nonnegative for each in forms):
            raise CheckFailed(f"{label}: sympy does not see that {name} = {value} is positive")
        if sp.simplify(value) == 0:
            raise CheckFailed(f"{label}: {name} is 0 everywhere, so there is no sign to check")
    lines = tuple(f"{name} {'>' if strict else '≥'} 0" for name in quantities)
    if not numbers:
        return Evidence(label, "symbolic", covers, lines, "every sign follows from those of the symbols")
    least = min(numbers, key=_low)
    if not all(_low(each) > 0 if strict else _low(each) >= 0 for each in numbers):
        raise CheckFailed(f"{label}: {', '.join(quantities)}: the least value is {_short(_low(least))}")
    return Evidence(label, _kind(numbers), covers, lines, f"no value below {_short(_low(least))}")


def rarely(label: str, failures: int, trials: int, delta: float, what: str, *, covers: str) -> Evidence:
    r"""Check that an event of probability at most `delta` happened as rarely as it should.

    Allowed is the smallest number that is exceeded with probability at most :math:`10^{-6}` if the event has
    probability `delta` exactly; a statement that is true fails this at most once in a million times.

    Parameters
    ----------
    label
        As for `at_most`.
    failures, trials : int
        How often it happened, and in how many independent trials.
    delta : float
        The probability that is claimed.
    what, covers
        As for `at_most`.

    Examples
    --------
    >>> rarely("example", 7, 1000, 0.01, "KLCal > bound", covers="one game")
    ✓ example: statistical, one game; 7 of 1,000 trials; δ = 0.01 allows 28, 4.8 % would be noticed
    """
    failures = _checks.integer(f"failures of {label}", failures, least=0)
    trials = _checks.integer(f"trials of {label}", trials, least=1)
    if not 0 < _checks.probability(f"delta of {label}", delta) < 1:
        raise ValueError(f"delta of {label} must lie strictly between 0 and 1; got {delta!r}")
    allowed = int(binom.isf(1e-6, trials, delta))
    if allowed >= trials:
        raise CheckFailed(
            f"{label}: {trials} trials are too few for delta = {delta}, so this check cannot fail"
        )
    if failures > allowed:
        raise CheckFailed(f"{label}: {what} happened in {failures} of {trials} trials, {allowed} are allowed")
    # The least probability that would have been refused almost surely: where the check has power.
    low, high = delta, 1.0
    while high - low > 1e-4:
        middle = (low + high) / 2
        low, high = (low, middle) if binom.sf(allowed, trials, middle) > 0.999 else (middle, high)
    control = f"{failures} of {trials:,} trials; δ = {delta:g} allows {allowed}, {100 * high:.2g} % would be noticed"
    return Evidence(label, "statistical", covers, (what,), control)


def _compared(
    label: str, measured: Any, bound: Any, what: str, relation: str, within: float
) -> tuple[list[tuple[Any, Any]], str]:
    """Return the pairs and their kind, after every pair was found to be in the relation."""
    pairs, kind = _pairs(measured, bound, label)
    allowed = within if kind == "numeric" else 0
    if not all(math.isfinite(_low(end)) for pair in pairs for end in pair):
        raise CheckFailed(
            f"{label}: a number of {what!r} is infinite, so this check cannot fail or cannot hold"
        )
    for place, (a, b) in enumerate(pairs):
        holds = {
            "at most": lambda a=a, b=b: _high(a) <= _low(b) + allowed * abs(_low(b)),
            "at least": lambda a=a, b=b: _low(a) >= _high(b) - allowed * abs(_high(b)),
            "above": lambda a=a, b=b: _low(a) > _high(b) + allowed * max(1, abs(_high(b))),
        }[relation]()
        if not holds:
            where = f" at place {place}" if len(pairs) > 1 else ""
            raise CheckFailed(f"{label}: {what}: {_short(a)} is not {relation} {_short(b)}{where}")
    return pairs, kind


def _pairs(left: Any, right: Any, label: str) -> tuple[list[tuple[Any, Any]], str]:
    """Return what is compared with what, a lone number with all, a flat list row by row, and of which kind that is."""
    if not _checks.one_index(left, right):
        raise ValueError(f"both sides of {label} must have one index, in the same order; got two")
    (lefts, one), (rights, other) = _listed(left, label), _listed(right, label)
    if (
        () not in (one, other)
        and one != other
        and (len(lefts) != len(rights) or 1 not in (len(one), len(other)))
    ):
        raise ValueError(f"both sides of {label} must have one shape; got {one} and {other}")
    length = max(len(lefts), len(rights))
    lefts, rights = lefts * (length if one == () else 1), rights * (length if other == () else 1)
    return list(zip(lefts, rights, strict=True)), _kind([*lefts, *rights])


def _exact(label: str, name: str, *expressions: sp.Expr) -> None:
    if any(each.has(sp.Float) for each in expressions):
        raise CheckFailed(f"{label}: {name} holds a float; expressions must be exact")


def _some(things: Any, label: str) -> None:
    if len(things) == 0:
        raise CheckFailed(f"{label}: nothing was compared, so this check cannot fail")


def _listed(numbers: Any, label: str) -> tuple[list[Any], tuple[int, ...]]:
    """Return numbers as a flat list of Python's own, at least one, and their shape."""
    if isinstance(numbers, (Mapping, Set, str, bytes)):
        raise ValueError(f"{label} must compare numbers or lists of them; got a {type(numbers).__name__}")
    if hasattr(numbers, "to_numpy"):
        numbers = numbers.to_numpy()
    shape: tuple[int, ...] = getattr(numbers, "shape", ())
    if isinstance(numbers, np.ndarray):
        numbers = numbers.ravel().tolist()
    elif isinstance(numbers, Iterable):
        numbers = list(numbers)
        shape = (len(numbers),)
    found = [_number(each, label) for each in (numbers if isinstance(numbers, list) else [numbers])]
    _some(found, label)
    return found, shape


def _number(value: Any, label: str) -> Any:
    """Return a number as int, Fraction, float, ball, enclosure or a sympy number without symbols."""
    is_truth = isinstance(value, bool)
    if isinstance(value, (arb, Enclosure)):
        return value
    if isinstance(value, (float, np.floating)) and not np.isnan(value):
        return float(value)
    if isinstance(value, sp.Rational):
        return Fraction(int(value.p), int(value.q))
    if isinstance(value, sp.Expr) and value.is_real and not value.free_symbols:
        return value
    if isinstance(value, Rational) and not is_truth:
        return int(value) if isinstance(value, Integral) else Fraction(value)
    raise ValueError(f"{label} must compare numbers; got {value!r} of type {type(value).__name__}")


def _kind(numbers: list[Any]) -> str:
    if any(isinstance(each, (float, sp.Float)) for each in numbers):
        return "numeric"
    if any(isinstance(each, (arb, Enclosure)) for each in numbers):
        return "certified"
    return "symbolic" if any(isinstance(each, sp.Expr) for each in numbers) else "exact"


def _low(number: Any) -> Any:
    return _end(number, "lower")


def _high(number: Any) -> Any:
    return _end(number, "upper")


def _end(number: Any, side: str) -> Any:
    """Return the end of a ball or an enclosure as a fraction, any other number as it is."""
    if isinstance(number, Enclosure):
        end = getattr(number, side)
        return Fraction(end) if math.isfinite(end) else end
    if isinstance(number, arb):
        if not number.is_finite():
            return -math.inf if side == "lower" else math.inf
        mantissa, exponent = (int(part) for part in getattr(number, side)().mid().man_exp())
        return Fraction(mantissa) * Fraction(2) ** exponent
    return number


def _percent(share: float) -> str:
    # 99.6 % of a bound is not 100 %.
    return f"{100 * share:.0f} %" if share < 0.985 or share >= 1 - 1e-9 else f"{100 * share:.4g} %"


def _slack(pairs: list[tuple[Any, Any]], kind: str, within: float, sign: int) -> str:
    # Nearly equal floats are called so on both sides: which one is larger is another question on another machine.
    is_used = kind == "numeric" and any(
        sign * (_low(a) - _high(b)) < within * abs(_high(b)) for a, b in pairs
    )
    return f", floats within {within:.0e}".replace("e-0", "e-") if is_used else ""


def _short(number: Any) -> str:
    if isinstance(number, (int, Fraction)) and len(str(number)) < 14:
        return f"{number:,}" if isinstance(number, int) else str(number)
    return f"{float(_low(number)):,.6g}"


def _is_same(left: Any, right: Any) -> bool:
    """Tell whether two lists or arrays are one; two equal numbers may be one object in Python."""
    if isinstance(left, np.ndarray) and isinstance(right, np.ndarray):
        return np.shares_memory(left, right)
    return left is right and isinstance(left, Iterable)


def _escaped(line: str) -> str:
    """Return a line for Markdown: formulas between dollars as they are, signs of markup in the rest escaped."""
    parts = re.split(r"(\$[^$]+\$)", line)
    return "".join(
        part if n % 2 else re.sub(r"([\\`*_<>\[\]|~])", r"\\\1", part) for n, part in enumerate(parts)
    )
