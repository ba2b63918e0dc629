"""How claims turn identities, misprints and several partial checks into one `Evidence`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction

import sympy as sp

from klcal.claims._ledger import Evidence
from klcal.symbolic import IDENTITIES, MISPRINTS, normal_form


def jointly(headline: Evidence, *others: Evidence) -> Evidence:
    """Return the first part that does not hold, or the headline if all hold; all methods are told.

    Examples
    --------
    >>> good, bad = Evidence(1, 2, "<=", "counted"), Evidence(3, 2, "<=", "weighed")
    >>> jointly(good, bad).method, jointly(good, good).holds
    ('weighed', True)
    """
    for part in (headline, *others):
        if not part.holds:
            return part
    methods = "; ".join(dict.fromkeys(part.method for part in (headline, *others)))
    return replace(headline, method=methods, parameters={**headline.parameters, "parts": 1 + len(others)})


def closed(*names: str, factor: Fraction | int = 1) -> Evidence:
    """Count the identities of the table that leave a remainder; `factor` spoils their right sides.

    Examples
    --------
    >>> closed("log-divergence").holds, closed("log-divergence", factor=2).holds
    (True, False)
    """
    scale = sp.Rational(factor)
    entries = [IDENTITIES[name] for name in names]
    left_over = [entry.name for entry in entries if not replace(entry, right=scale * entry.right).closes()]
    method = f"sympy closes {', '.join(names)}"
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


def misprinted(name: str) -> Evidence:
    """Return the evidence that a printed equation is false: how far its sides are apart at an exact point.

    Examples
    --------
    >>> misprinted("pcal-1-rate").measured
    2.0
    """
    entry = MISPRINTS[name]
    point = ", ".join(f"{letter} = {value}" for letter, value in entry.witness.items())
    return Evidence(
        float(abs(entry.gap())),
        0,
        ">",
        f"the two printed sides at one exact point ({entry.note})",
        counterexample=f"{entry.statement}: the printed sides differ by {entry.gap()} at {point}",
    )


def repaired(name: str, factor: Fraction | int = 1) -> Evidence:
    """Return whether the repaired equation of a misprint closes; `factor` spoils its right side.

    Examples
    --------
    >>> repaired("pcal-1-rate").holds, repaired("pcal-1-rate", factor=2).holds
    (True, False)
    """
    entry = MISPRINTS[name].correct
    remainder = replace(entry, right=sp.Rational(factor) * entry.right).residual()
    return Evidence(int(remainder != 0), 0, "==", f"sympy closes the repaired equation: {entry.statement}")


def rational(number: sp.Expr) -> Fraction:
    """Return a sympy rational as a Fraction.

    Examples
    --------
    >>> rational(sp.Rational(2, 6))
    Fraction(1, 3)
    """
    exact = sp.Rational(number)
    return Fraction(int(exact.p), int(exact.q))
