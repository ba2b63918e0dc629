"""What the ledger knows about a claim, in words: the facts once, for every way to show them."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from klcal.claims._evidence import Evidence, Number
from klcal.claims._ledger import REGISTRY, Claim, Verdict

SIGNS = {"<=": "\u2264", ">=": "\u2265", "==": "="}
# What is smaller is a rounding error, whose digits depend on the machine; a larger bound is no allowance for it.
_ROUNDING, _ALLOWED = 1e-10, 1e-5
# A fraction with a larger denominator, or with a numerator beyond the square of this, is shown as a decimal.
_LONG = 1000
_RAISED = str.maketrans("-0123456789", "\u207b\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079")

# What pieces of one sentence may have in common: a bound that was computed twice; how they begin; how they end.
_COMPARED = re.compile(r"arguments at which (.*) is not the right side, to 58 digits \((\w+ of \d+)\)")
_SYMPY = "sympy simplifies left minus right to 0: "
_HEAD = re.compile(rf"{_SYMPY}|.*, (?=\$T = \d+\$ )")
_TAIL = re.compile(", all of the range covered by balls$")


def number_text(value: Number) -> str:
    """Write a number with six significant digits, short fractions exactly, far from 1 with a power of ten.

    Parameters
    ----------
    value : int, float or Fraction
        A side of some evidence.

    Returns
    -------
    str
        Its text.

    Examples
    --------
    >>> (
    ...     number_text(Fraction(1, 3)),
    ...     number_text(2.0),
    ...     number_text(1 / 3),
    ...     number_text(3.14159e-16),
    ... )
    ('1/3', '2', '0.333333', '3.1\u00b710\u207b\u00b9\u2076')

    Of exact numbers one digit more is the same on every machine:

    >>> (
    ...     number_text(Fraction(1, 60_000_000_000)),
    ...     number_text(18_874_368_000),
    ...     number_text(10**6),
    ... )
    ('1.67\u00b710\u207b\u00b9\u00b9', '1.89\u00b710\u00b9\u2070', '10\u2076')
    """
    exact = isinstance(value, int | Fraction)
    if isinstance(value, Fraction) and value.denominator == 1:
        value = value.numerator
    if isinstance(value, Fraction):
        if value.denominator < _LONG and abs(value.numerator) < _LONG**2:
            return str(value)
        digits = len(str(abs(value.numerator))) - len(str(value.denominator))
    else:
        digits = len(str(abs(value))) - 1 if isinstance(value, int) else 0
    if digits > 300:
        return f"about 10^{digits}"
    if isinstance(value, int) and abs(value) < 10**7 and abs(value) != 10**6:
        return str(value)
    number = float(value)
    if math.isfinite(number) and number == int(number) and abs(number) < 1e6:
        return str(int(number))
    mantissa, e, power = f"{number:.6g}".partition("e")
    if not e:
        return mantissa
    shown = f"{float(mantissa):.{3 if exact else 2}g}"
    raised = f"10{str(int(power)).translate(_RAISED)}"
    return raised if shown == "1" else f"{shown}\u00b7{raised}"


def both_sides(evidence: Evidence) -> tuple[str, str]:
    """Write both sides, a fraction beside a decimal as a decimal too."""
    pair = evidence.measured, evidence.bound
    texts = number_text(pair[0]), number_text(pair[1])
    if not any("." in text or "\u00b7" in text for text in texts):
        return texts
    first, second = (
        number_text(float(x)) if "/" in text else text for x, text in zip(pair, texts, strict=True)
    )
    return first, second


def is_rounding(evidence: Evidence) -> bool:
    """Tell whether a rounding error was measured: small enough, and another one on every machine.

    Parameters
    ----------
    evidence : Evidence
        What a check saw.

    Returns
    -------
    bool
        False for evidence that fails: then both sides matter.

    Examples
    --------
    >>> (
    ...     is_rounding(Evidence(2.2e-16, 1e-15, "<=", "compared")),
    ...     is_rounding(Evidence(0.1, 0.2, "<=", "compared")),
    ... )
    (True, False)
    >>> is_rounding(Evidence(2.2e-15, 1e-15, "<=", "compared"))
    False
    """
    small = isinstance(evidence.measured, float) and abs(evidence.measured) < _ROUNDING
    return small and evidence.relation in ("<=", "<") and 0 < evidence.bound < _ALLOWED and evidence.holds


def sides(evidence: Evidence) -> str:
    """Write what was measured and what was promised; nothing where the method says it all.

    Parameters
    ----------
    evidence : Evidence
        What a check saw.

    Returns
    -------
    str
        Its text.

    Examples
    --------
    >>> sides(Evidence(1, 2, "<=", "counted"))
    '1 \u2264 2'
    >>> (
    ...     sides(Evidence(0, 0, "==", "enumerated", {"cases": 64})),
    ...     sides(Evidence(0, 0, "==", "closed")),
    ... )
    ('none of 64', '')
    >>> sides(Evidence(4, 4, "<=", "attained")), sides(Evidence(2, 2, "==", "equal"))
    ('4, the bound itself', '')

    A fraction beside a decimal is written as one, and of what balls cover only the outcome is told:

    >>> sides(Evidence(0.0365532, Fraction(37, 1000), "<=", "bounded"))
    '0.0365532 \u2264 0.037'
    >>> method = "sin x < x, all of the range covered by balls"
    >>> sides(Evidence(0.0002, 0, ">", method, {"boxes": 3}))
    ''

    Of a rounding error only the bound is the same on every machine:

    >>> sides(Evidence(2.2e-16, 1e-15, "<=", "compared"))
    '\u2264 10\u207b\u00b9\u2075'
    """
    if "boxes" in evidence.parameters and evidence.bound == 0 and evidence.holds:
        return ""
    measured, bound = both_sides(evidence)
    if evidence.relation == "==" and evidence.bound == 0:
        count = evidence.parameters.get("cases")
        if evidence.measured == 0:
            return f"none of {count}" if count else ""
        return f"{measured} of {count}" if count else f"{measured} left"
    if evidence.measured == evidence.bound:
        if evidence.relation == "==":
            return ""
        return measured + (", the bound itself" if evidence.bound else "")
    if measured == bound:
        shown = "these" if "\u00b7" in measured else "six"
        return f"{measured}, the bound to {shown} digits"
    relation = SIGNS.get(evidence.relation, evidence.relation)
    if is_rounding(evidence):
        return f"{relation} {bound}"
    text = f"{measured} {relation} {bound}"
    if (
        evidence.kind == "statistical"
        and evidence.relation == "<="
        and evidence.bound > 0
        and evidence.bound != 1
    ):
        text += f", at most {number_text(float(evidence.measured / evidence.bound))} of the bound"
    return text


def without_stutter(pieces: Sequence[str]) -> list[str]:
    """Leave out what a piece of a sentence would say again after the one before it.

    What sympy closes comes last: nothing else may seem to stand below its head.

    Examples
    --------
    >>> said = (
    ...     "arguments at which `{}` is not the right side, to 58 digits (none of 3)"
    ... )
    >>> "; ".join(without_stutter([said.format(f) for f in "ab"]))
    'arguments at which a bound is not the right side, to 58 digits: for `a` none of 3; for `b` none of 3'
    >>> ratios = ["the ratio, $T = 2$ (1 > 0)", "the ratio, $T = 3$ (2 > 0)"]
    >>> "; ".join(without_stutter(ratios))
    'the ratio, $T = 2$ (1 > 0); $T = 3$ (2 > 0)'
    >>> said = "{} > 0, all of the range covered by balls"
    >>> "; ".join(without_stutter([said.format(x) for x in "xy"]))
    'x > 0, all of the range covered by balls; y > 0, likewise'
    """
    pieces = sorted(pieces, key=lambda piece: piece.startswith(_SYMPY))
    found = [_COMPARED.fullmatch(piece) for piece in pieces]
    told = []
    for place, (piece, match) in enumerate(zip(pieces, found, strict=True)):
        earlier = bool(place and found[place - 1])
        if match and (earlier or any(found[place + 1 : place + 2])):
            opening = "" if earlier else "arguments at which a bound is not the right side, to 58 digits: "
            told.append(f"{opening}for {match[1]} {match[2]}")
            continue
        head, tail = _HEAD.match(piece), _TAIL.search(piece)
        if place and head and pieces[place - 1].startswith(head[0]):
            piece = piece.removeprefix(head[0])
        if place and tail and pieces[place - 1].endswith(tail[0]):
            piece = piece.removesuffix(tail[0]) + ", likewise"
        told.append(piece)
    return told


def sentence(evidence: Evidence) -> str:
    """Write the method and both sides of some evidence, part by part.

    Parameters
    ----------
    evidence : Evidence
        What a check saw.

    Returns
    -------
    str
        With formulas in dollar signs.

    Examples
    --------
    >>> sentence(Evidence(1, 2, "<=", "counted"))
    'counted (1 \u2264 2)'
    """
    pieces = list(dict.fromkeys(map(sentence, evidence.parts))) if evidence.parts else [evidence.method]
    text = "; ".join(without_stutter(pieces))
    return f"{text} ({found})" if not evidence.parts and (found := sides(evidence)) else text


def strength(evidence: Evidence | None) -> str:
    """Write kind and scope of some evidence, both axes.

    Parameters
    ----------
    evidence : Evidence or None
        What a check saw; None for a cited statement.

    Returns
    -------
    str
        Such as ``"exact, cases: K = 3"``.

    Examples
    --------
    >>> strength(Evidence(1, 2, "<=", "counted", kind="exact"))
    'exact, whole'
    """
    return "cited" if evidence is None else f"{evidence.kind}, {evidence.scope}"


@dataclass(frozen=True)
class Seen:
    """What one check saw, in words.

    Parameters
    ----------
    kind, scope : str
        Both axes of its strength, such as "exact" and "cases: K = 3".
    text : str
        The method and what came out, with formulas in dollar signs.
    counterexample : str
        For a refutation: the object that shows the printed statement false.
    """

    kind: str
    scope: str
    text: str
    counterexample: str = ""

    @classmethod
    def of(cls, evidence: Evidence) -> Seen:
        """Return the words for some evidence."""
        return cls(evidence.kind, str(evidence.scope), sentence(evidence), evidence.counterexample)


def facts(found: Verdict) -> list[tuple[str, str]]:
    """Return everything that is known about one claim after its checks ran.

    Parameters
    ----------
    found : Verdict
        The claim and its evidence.

    Returns
    -------
    list of pairs
        What it is about, and the text: formulas in dollar signs, code in backticks, labels as they are.
    """
    seen = [Seen.of(each) for each in sorted(found.evidence, key=lambda e: e.strength)]
    told = [(f"{each.kind}, {each.scope}", each.text) for each in seen]
    for against in map(Seen.of, found.refutations):
        told += [
            ("counterexample", against.counterexample),
            (f"against the print, {against.kind}, {against.scope}", against.text),
        ]
    before, after = about(found.claim, found.steps_checked)
    return [*before, *((name, text) for name, text in told if text), *after]


def about(claim: Claim, steps_checked: int | str = "") -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    """Return what an entry itself says: the statements before the evidence, and the rest behind it."""
    before = [("statement", claim.statement), ("repaired", claim.repair), ("true instead", claim.instead)]
    number = "its one step" if len(claim.steps) == 1 else f"{steps_checked} of {len(claim.steps)} steps"
    # Where no step was checked by itself, evidence for the whole stands above.
    steps = (
        f"; {number} checked" if claim.steps and claim.proof and str(steps_checked) not in ("", "0") else ""
    )
    checked = {check.scope.text for check in claim.checks}
    by_hand = ", ".join(name for name in claim.steps if name not in checked and name not in REGISTRY)
    steps += f"; in print only: {by_hand}" if by_hand else ""
    distances = [distance for check in (*claim.checks, *claim.refutations) for distance in check.controls]
    after = [
        ("proof", f"{claim.proof}{steps}"),
        ("not checked", claim.reason),
        ("due to", claim.credit),
        ("near misses rejected", "; ".join(dict.fromkeys(distances))),
        ("builds on", ", ".join(claim.builds_on)),
        ("run again", f"`python -m klcal verify --claim '{claim.label}'`"),
    ]
    return [pair for pair in before if pair[1]], [pair for pair in after if pair[1]]


def title(claim: Claim) -> str:
    """Return number and title of a claim on one line."""
    return claim.title if claim.number == "new" else f"{claim.number}: {claim.title}"


def heading(found: Verdict) -> str:
    """Return number, title and label of a claim on one line."""
    return f"{title(found.claim)} [{found.claim.label}]"


def paragraph(found: Verdict, pairs: Iterable[tuple[str, str]]) -> str:
    """Return heading and status of a claim, and below them what is said about it."""
    return "\n".join([f"{heading(found)}: {found.status}", *(f"  {name}: {text}" for name, text in pairs)])
