"""The recurring shapes of evidence: a comparison, the worst of many cases, none of many cases, several parts."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Any, TypeVar

import sympy as sp
from flint import arb

from klcal import bounds
from klcal.claims._evidence import FORMULA, Evidence, Number
from klcal.claims._ledger import Chapter
from klcal.exact.balls import Formula, ball, infimum_of_quotient, lower, upper
from klcal.exact.balls import Number as Real
from klcal.exact.certificates import disagreements
from klcal.symbolic import IDENTITIES, MISPRINTS, normal_form

Case = TypeVar("Case")
Side = Number | arb

_LETTERS = {"log_T": r"\log T", "log_K": r"\log K", "p_minus": "p_-", "p_plus": "p_+"}


def at_most(measured: Side, bound: Side, method: str, **parameters: Any) -> Evidence:
    """Compare ``measured <= bound``; of balls the far ends count, so that the comparison is rigorous.

    Examples
    --------
    >>> (
    ...     at_most(1, 2, "counted").holds,
    ...     at_most(arb(2).sqrt(), arb(2).sqrt(), "two balls").holds,
    ... )
    (True, False)
    """
    return Evidence(_high(measured), _low(bound), "<=", method, parameters)


def at_least(measured: Side, bound: Side, method: str, **parameters: Any) -> Evidence:
    """Compare ``measured >= bound``; see `at_most`.

    Examples
    --------
    >>> at_least(1, 2, "counted").holds
    False
    """
    return Evidence(_low(measured), _high(bound), ">=", method, parameters)


def below(measured: Side, bound: Side, method: str, **parameters: Any) -> Evidence:
    """Compare ``measured < bound``; see `at_most`.

    Examples
    --------
    >>> below(2, 2, "counted").holds
    False
    """
    return Evidence(_high(measured), _low(bound), "<", method, parameters)


def above(measured: Side, bound: Side, method: str, **parameters: Any) -> Evidence:
    """Compare ``measured > bound``, mostly to refute; see `at_most`.

    Examples
    --------
    >>> above(2, 2, "counted").holds
    False
    """
    return Evidence(_low(measured), _high(bound), ">", method, parameters)


def equal(measured: Number, bound: Number, method: str, **parameters: Any) -> Evidence:
    """Compare ``measured == bound`` exactly.

    Examples
    --------
    >>> equal(Fraction(1, 2), 0.5, "a half").holds
    True
    """
    return Evidence(measured, bound, "==", method, parameters)


def worst(
    method: str, over: Iterable[Case], value: Callable[[Case], Side], bound: Side, **parameters: Any
) -> Evidence:
    """Compare the largest of many values with `bound`; a NaN or an unbounded ball among them fails.

    Parameters
    ----------
    method : str
        What was computed, over which range.
    over : iterable
        The cases; there must be one at least.
    value : callable
        Case -> number or ball, of which the upper end counts.
    bound : number or ball
        What no value may exceed.
    **parameters
        Parameters of the run, seeds included.

    Returns
    -------
    Evidence
        With the number of cases, and the case that came nearest.

    Examples
    --------
    >>> evidence = worst("squares", range(4), lambda n: n * n, 9)
    >>> evidence.measured, dict(evidence.parameters)
    (9, {'cases': 4, 'at': 3})
    """
    best: Number = -math.inf
    at, count = None, 0
    for case in over:
        count += 1
        found = _high(value(case))
        if found != found:
            best, at = math.nan, case
            break
        if at is None or found > best:
            best, at = found, case
    if not count:
        raise ValueError(f"{method}: there must be a case to look at; got none")
    return Evidence(best, _low(bound), "<=", method, {"cases": count, "at": at, **parameters})


def smallest(
    method: str, over: Iterable[Case], value: Callable[[Case], Side], bound: Side, **parameters: Any
) -> Evidence:
    """Compare the smallest of many values with `bound`, as `worst` does with the largest.

    Examples
    --------
    >>> smallest("squares", range(2, 4), lambda n: n * n, 4).holds
    True
    """
    mirrored = worst(method, over, lambda case: -value(case), -_high(bound), **parameters)
    return replace(mirrored, measured=-mirrored.measured, bound=-mirrored.bound, relation=">=")


def none_of(method: str, over: Iterable[Case], fails: Callable[[Case], bool], **parameters: Any) -> Evidence:
    """Count the cases that fail; there may be none.

    Examples
    --------
    >>> none_of("odd squares are odd", range(1, 9, 2), lambda n: n * n % 2 == 0).holds
    True
    """
    count, bad = 0, []
    for case in over:
        count += 1
        if fails(case):
            bad.append(case)
    if not count:
        raise ValueError(f"{method}: there must be a case to look at; got none")
    first = {"first": bad[0]} if bad else {}
    return Evidence(len(bad), 0, "==", method, {"cases": count, **first, **parameters})


def jointly(*parts: Evidence) -> Evidence:
    """Return one piece of evidence that holds if all parts do; its sides are those of the first that fails.

    Examples
    --------
    >>> good, bad = Evidence(1, 2, "<=", "counted"), Evidence(3, 2, "<=", "weighed")
    >>> (
    ...     jointly(good, bad).method,
    ...     jointly(good, good).holds,
    ...     len(jointly(good, good).parts),
    ... )
    ('weighed', True, 2)
    """
    return replace(next((part for part in parts if not part.holds), parts[0]), parts=parts)


def closed(*names: str, factor: Fraction | int = 1) -> Evidence:
    """Count the identities of `klcal.symbolic` that leave a remainder; `factor` spoils their right sides.

    Examples
    --------
    >>> closed("kl-integral").holds, closed("kl-integral", factor=2).holds
    (True, False)
    """
    left_over = [name for name in names if IDENTITIES[name].residual(factor) != 0]
    statements = dict.fromkeys(IDENTITIES[name].statement for name in names)
    method = "sympy simplifies left minus right to 0: " + "; ".join(statements)
    return Evidence(len(left_over), 0, "==", method, {"remainder in": left_over} if left_over else {})


def vanishing(method: str, remainders: Iterable[sp.Expr]) -> Evidence:
    """Count the expressions whose normal form is not 0.

    Examples
    --------
    >>> x = sp.Symbol("x", positive=True)
    >>> vanishing("binomial", [(x + 1) ** 2 - x**2 - 2 * x - 1]).holds
    True
    """
    return Evidence(sum(normal_form(part) != 0 for part in remainders), 0, "==", method)


def misprinted(name: str, *, correct: bool = False) -> Evidence:
    """Return how far the sides of a printed equation are apart at an exact point; of the `correct` one, not at all.

    Examples
    --------
    >>> (
    ...     misprinted("pcal-1-rate").measured,
    ...     misprinted("pcal-1-rate", correct=True).holds,
    ... )
    (2.0, False)
    """
    entry = MISPRINTS[name]
    if correct:
        return Evidence(int(not entry.repaired().closes()), 0, ">", "the two sides of the correct equation")
    point = ", ".join(
        f"${_LETTERS.get(str(x), x)} = {sp.latex(value)}$" for x, value in entry.witness.items()
    )
    place = f" at {point}" if point else ""
    gap = sp.latex(sp.expand_log(entry.gap(), force=True))
    return Evidence(
        float(abs(entry.gap())),
        0,
        ">",
        f"the two printed sides at one exact point ({entry.note})",
        counterexample=f"{entry.statement}: the printed sides differ by ${gap}${place}",
    )


def repaired(name: str, factor: Fraction | int = 1) -> Evidence:
    """Return whether the repaired equation of a misprint closes; `factor` spoils its right side.

    Examples
    --------
    >>> repaired("pcal-1-rate").holds, repaired("pcal-1-rate", factor=2).holds
    (True, False)
    """
    entry = MISPRINTS[name].repaired()
    remainder = entry.residual(factor)
    return Evidence(int(remainder != 0), 0, "==", f"the repaired equation holds, by sympy: {entry.statement}")


def positive(method: str, formula: Formula, right: Side) -> Evidence:
    """Certify that formula(x) > 0 on (0, right], a zero at 0 divided out; `method` says the inequality.

    Examples
    --------
    >>> (
    ...     positive("sin x < x", lambda x: x - x.sin(), 1).holds,
    ...     positive("sin x > x", lambda x: x.sin() - x, 1).holds,
    ... )
    (True, False)
    """
    found = infimum_of_quotient(formula, right, above=0.0, bits=128)
    measured = found.lower if found.lower > 0 else found.upper
    return Evidence(measured, 0, ">", f"{method}, all of the range covered by balls", {"boxes": found.boxes})


def recomputed(
    name: str,
    formula: Callable[..., Any],
    over: Sequence[tuple[Any, ...]],
    versions: Sequence[str] = (),
    call: Callable[..., Any] | None = None,
    *,
    share: Fraction | int = 1,
    note: str = "",
) -> Evidence:
    """Count the arguments at which a function of `klcal.bounds`, read over balls, is not a formula to 58 digits.

    Parameters
    ----------
    name : str
        Of the bound.
    formula : callable
        Of balls; with `versions` also of ``version``. It does not call `klcal.bounds`: a bound and what it is compared
        with must not share a mistake.
    over : sequence of tuple
        Arguments.
    versions : sequence of str
        Which versions of the bound to look at.
    call : callable, optional
        Takes the bound and the arguments, if these are not the bound's own.
    share : Fraction
        Spoils the formula: this much of it is compared.
    note : str
        How the bound is called, if that needs to be said.

    Examples
    --------
    >>> recomputed(
    ...     "lemma_6c",
    ...     lambda K, version: 4 * (K * K - 1) / 3,
    ...     [(2,), (5.5,)],
    ...     ["sharpened"],
    ... ).holds
    True
    """
    # Looked up now, so that a changed bound is seen.
    bound = getattr(bounds, name)
    named: list[dict[str, str]] = [{"version": version} for version in versions] or [{}]
    wrong = 0
    for of in named:
        chosen = partial(call, partial(bound, **of)) if call else partial(bound, **of)
        wrong += len(disagreements(chosen, lambda *x, of=of: ball(share) * formula(*x, **of), over))
    which = f" ({', '.join(versions)})" if versions else ""
    text = (
        f"arguments at which `bounds.{name}`{which}{note and f' {note}'} is not the right side, to 58 digits"
    )
    return Evidence(wrong, 0, "==", text, {"cases": len(over) * len(named)})


def less_on(text: str, left: Formula, right: Formula, end: Real, share: Fraction | int = 1) -> Evidence:
    """Certify left(x) < share * right(x) on (0, end], for formulas that are both 0 at 0.

    Examples
    --------
    >>> sine, identity = (lambda x: x.sin()), (lambda x: x)
    >>> (
    ...     less_on("sin x < x", sine, identity, 1).holds,
    ...     less_on("", sine, identity, 1, Fraction(99, 100)).holds,
    ... )
    (True, False)
    """
    n, d = Fraction(share).as_integer_ratio()
    return positive(text, lambda x: n * right(x) - d * left(x), end)


def formulas(
    *entries: tuple[str, str, Callable[..., Any], Iterable[tuple[Any, ...]]],
) -> Callable[..., Evidence]:
    """Return a check that functions of `klcal.bounds` are these formulas; `share` spoils the formulas.

    Parameters
    ----------
    *entries : tuples
        Name of the function, version or "", the formula, and the arguments to compare them at.

    Examples
    --------
    >>> check = formulas(
    ...     ("lemma_6c", "sharpened", lambda K: 4 * (K * K - 1) / 3, [(2,), (5.5,)])
    ... )
    >>> check().holds, check(share=Fraction(999, 1000)).holds
    (True, False)
    """

    def part(
        name: str, version: str, formula: Callable[..., Any], over: Any, share: Fraction | int
    ) -> Evidence:
        versions = [version] if version else []
        return recomputed(name, lambda *x, **_: formula(*x), over, versions, share=share)

    return lambda share=1: jointly(*(part(*entry, share) for entry in entries))


def add_formulas(
    chapter: Chapter, label: str, *entries: tuple[str, str, Callable[..., Any], Iterable[tuple[Any, ...]]]
) -> None:
    """Add `formulas` to the evidence for a claim."""
    controls = {"0.999999 of the formulas": {"share": Fraction(999_999, 1_000_000)}}
    chapter.evidence(label, kind="exact", scope=FORMULA, controls=controls)(formulas(*entries))


def _high(value: Side) -> Number:
    return upper(value) if isinstance(value, arb) else value


def _low(value: Side) -> Number:
    return lower(value) if isinstance(value, arb) else value
