"""The one normal form in which the pages compare two sides of an identity.

Two rules make it short.  They are lawful because of one standing assumption: **all symbols are real, and the base of
every broken power and the argument of every logarithm is positive on the domain of the identity.**  `common_points`
looks whether there are such points, and what both sides are there: log(q - 1) = log(1 - q) holds nowhere.

Logarithms
    ``expand_log(force=True)`` replaces log(xy) by log(x) + log(y) without asking for signs.  On (0, 1) the
    numbers p, 1 - p, mu and 1 - mu are positive, so nothing needs to be asked.  When the argument is a sum it
    is factored over the rationals and log(+-f g ...) is read as log|f| + log|g| + ..., which for a positive
    argument is the same number; the sign of a factor is therefore dropped.
Angles
    With t = tan(x/2), real and of either sign, every sine and cosine of an integer multiple of x is a rational
    function of t, by exp(i n x) = (1 + i t)^(2n) / (1 + t^2)^n.  So trigonometric identities become identities between
    rational functions, and need no simplifier that guesses.

What remains is a quotient of polynomials in the symbols, the logarithms, the powers with symbolic exponent
and the roots; roots are reduced by their defining equation.  A zero is then the zero polynomial.
"""

from __future__ import annotations

import random
from contextlib import suppress
from typing import Any

from klcal import _checks

with _checks.extra("verify"):
    import mpmath
    import sympy as sp
    from sympy.core.function import AppliedUndef


def normal_form(expression: sp.Expr) -> sp.Expr:
    """Return `expression` as a reduced quotient of polynomials in independent real quantities.

    The result 0 proves that the expression vanishes on its domain, if it has one.  Anything else proves nothing by
    itself, which is why `klcal.book.verify` also tries a slightly wrong identity, and looks at points of the domain.

    Parameters
    ----------
    expression : sympy expression
        Positive under each root and each logarithm, see the head of this module.  Integrals, derivatives and limits
        are carried out first.

    Returns
    -------
    sympy expression

    Examples
    --------
    >>> p, x = sp.Symbol("p", positive=True), sp.Symbol("x", positive=True)
    >>> normal_form(sp.log(p / (1 - p)) - sp.log(p) + sp.log(1 - p))
    0
    >>> normal_form(sp.sin(3 * x) - 3 * sp.sin(x) + 4 * sp.sin(x) ** 3)
    0
    >>> normal_form(
    ...     sp.sqrt(p**2 + 1) ** 3 / (p**4 - 1) - sp.sqrt(p**2 + 1) / (p**2 - 1)
    ... )
    0
    >>> normal_form((p + 1) ** 2 - p**2 - 1)
    2*p
    """
    expression = sp.sympify(expression).doit()
    if expression.has(sp.gamma, sp.beta):  # Gamma functions alone; Gamma(x+n) is x(x+1)...(x+n-1) Gamma(x)
        expression = sp.expand_func(expression.rewrite(sp.gamma))
    expression = _split_logarithms(_half_angle_tangents(expression))
    return _reduced_quotient(_split_powers(expression))


def _half_angle_tangents(expression: sp.Expr) -> sp.Expr:
    """Replace every sine and cosine by its rational function of the tangents of half the basic angles."""
    for function, quotient in _QUOTIENTS.items():
        expression = expression.replace(function, quotient)
    waves = expression.atoms(sp.sin, sp.cos)
    angles = {wave: sp.expand(wave.args[0]).as_coefficients_dict() for wave in waves}
    parts: dict[sp.Expr, int] = {}
    for combination in angles.values():
        for angle, factor in combination.items():
            if not _is_right(angle, factor):
                parts[angle] = sp.ilcm(parts.get(angle, 1), factor.q)
    ordered = sorted(parts, key=sp.default_sort_key)
    tangents = {angle: sp.Dummy(f"t{n}", real=True) for n, angle in enumerate(ordered)}

    def turn(angle: sp.Expr, factor: sp.Rational) -> sp.Expr:
        if _is_right(angle, factor):
            return sp.I ** (2 * factor)
        return _turn(tangents[angle], int(factor * parts[angle]))

    table = {}
    for wave, combination in angles.items():
        numerator, denominator = sp.fraction(sp.Mul(*(turn(*term) for term in combination.items())))
        real, imaginary = sp.expand(numerator).as_real_imag()
        table[wave] = (imaginary if isinstance(wave, sp.sin) else real) / denominator
    return expression.xreplace(table)


def _is_right(angle: sp.Expr, factor: sp.Rational) -> bool:
    """Tell whether factor * angle is a multiple of the right angle, which turns by a power of i."""
    return bool(angle == sp.pi and (2 * factor).is_Integer)


_QUOTIENTS = {
    sp.tan: lambda x: sp.sin(x) / sp.cos(x),
    sp.cot: lambda x: sp.cos(x) / sp.sin(x),
    sp.csc: lambda x: 1 / sp.sin(x),
}


def _turn(tangent: sp.Expr, times: int) -> sp.Expr:
    """Return exp(i * times * x) for tangent = tan(x/2); a negative number of turns conjugates."""
    unit = sp.I if times > 0 else -sp.I
    return sp.expand((1 + unit * tangent) ** (2 * abs(times))) / (1 + tangent**2) ** abs(times)


def _split_logarithms(expression: sp.Expr) -> sp.Expr:
    """Write every logarithm as a sum of logarithms of irreducible factors."""
    split = expression.replace(sp.log, lambda x: sp.expand_log(sp.log(sp.together(x)), force=True))
    return split.replace(sp.log, _log_of_factors)


def _log_of_factors(argument: sp.Expr) -> sp.Expr:
    """Return log(argument) as a sum over its factors, each taken without its sign."""
    symbolic_power = any(not power.exp.is_Rational for power in argument.atoms(sp.Pow))
    if argument.is_Symbol or symbolic_power:
        return sp.log(argument)
    if not argument.free_symbols:
        return sp.expand_log(sp.log(argument), force=True, factor=True)
    content, factors = sp.factor_list(argument)
    return _log_of_factors(abs(content)) + sp.Add(*(power * sp.log(factor) for factor, power in factors))


def _split_powers(expression: sp.Expr) -> sp.Expr:
    """Write x^(a+b) as x^a x^b and (xy)^a as x^a y^a; all bases of such powers are positive."""

    def split(base: sp.Expr, exponent: sp.Expr) -> sp.Expr:
        return sp.Mul(*(base**term for term in sp.Add.make_args(sp.expand(exponent))))

    return sp.expand_power_base(expression, force=True).replace(sp.Pow, split)


def _reduced_quotient(expression: sp.Expr) -> sp.Expr:
    """Cancel `expression`; reduce its numerator by g^n = x for each n-th root g of x."""
    roots: dict[tuple[sp.Expr, int], sp.Symbol] = {}

    def generator(base: sp.Expr, exponent: sp.Expr) -> sp.Expr:
        if base.is_Symbol or exponent.is_Integer or not exponent.is_Rational:
            return base**exponent
        root = roots.setdefault((sp.expand(base), exponent.q), sp.Dummy("root", positive=True))
        return root**exponent.p

    numerator, denominator = sp.fraction(sp.cancel(sp.together(expression.replace(sp.Pow, generator))))
    for (base, order), root in roots.items():
        numerator = sp.rem(sp.expand(numerator), root**order - base, root)
    restored = {root: base ** sp.Rational(1, order) for (base, order), root in roots.items()}
    return sp.factor_terms(numerator / denominator).xreplace(restored)


def common_points(left: sp.Expr, right: sp.Expr, wanted: int = 12) -> tuple[list[tuple[Any, Any]], bool]:
    """Return both sides, to fifty digits, at random points where all logarithms and broken powers are of positives.

    A function without a name takes an arbitrary value, and so does its derivative. The points are always the same.

    Parameters
    ----------
    left, right : sympy expressions
        What is looked at.
    wanted : int
        How many points.

    Returns
    -------
    tuple of (list of pairs, bool)
        The values, and whether there are points where only one side is real.

    Examples
    --------
    >>> q = sp.Symbol("q", positive=True)
    >>> common_points(sp.log(q - 1), sp.log(1 - q))
    ([], True)
    >>> found, alone = common_points(sp.log(q**2), 2 * sp.log(q))
    >>> len(found), alone
    (12, False)
    """
    sides = [sp.sympify(side).doit() for side in (left, right)]
    unknown = sp.Tuple(*sides).atoms(AppliedUndef, sp.Derivative, sp.Subs)
    ordered = enumerate(sorted(unknown, key=sp.default_sort_key))
    names = {each: sp.Dummy(f"f{n}", real=True, positive=each.is_positive) for n, each in ordered}
    sides = [side.xreplace(names) for side in sides]
    symbols = sorted(sides[0].free_symbols | sides[1].free_symbols, key=str)
    rules, value = (sp.lambdify(symbols, what, "mpmath") for what in ([*map(_positives, sides)], sides))
    chance, alone = random.Random(0), False
    found: list[tuple[Any, Any]] = []
    for tried in range(4000 if symbols else 1):
        if tried >= 200 and len(found) >= wanted:
            break
        scale = chance.choice((1, 1, 8))
        with mpmath.workdps(50), suppress(ZeroDivisionError, ValueError):
            point = [_drawn(symbol, scale, chance) for symbol in symbols]
            real = [all(mpmath.im(x) == 0 < mpmath.re(x) for x in side) for side in rules(*point)]
            alone |= real[0] != real[1]
            if all(real) and len(found) < wanted and all(map(mpmath.isfinite, pair := tuple(value(*point)))):
                found.append(pair)
    return found, alone


def _positives(side: sp.Expr) -> list[sp.Expr]:
    """Return what has to be positive: the arguments of logarithms, the bases of powers that may be broken."""
    bases = {power.base for power in side.atoms(sp.Pow) if not power.exp.is_integer}
    return [*bases, *(log.args[0] for log in side.atoms(sp.log))]


def _drawn(symbol: sp.Symbol, scale: int, chance: random.Random) -> Any:
    """Return a random number that a symbol may stand for."""
    size = chance.randint(1, 8) if symbol.is_integer else mpmath.mpf(scale) * chance.randint(1, 9999) / 10_000
    is_left = symbol.is_negative or (not symbol.is_nonnegative and chance.random() < 0.5)
    return -size if is_left else size
