"""The one normal form in which the pages compare two sides of an identity.

Two rules make it short.  They are lawful because of one standing assumption: **all symbols are real, and the base of
every broken power and the argument of every logarithm is positive on the domain of the identity.**

Logarithms
    ``expand_log(force=True)`` replaces log(xy) by log(x) + log(y) without asking for signs.  On (0, 1) the
    numbers p, 1 - p, mu and 1 - mu are positive, so nothing needs to be asked.  When the argument is a sum it
    is factored over the rationals and log(+-f g ...) is read as log|f| + log|g| + ..., which for a positive
    argument is the same number; the sign of a factor is therefore dropped.
Angles
    With t = tan(x/2) every sine and cosine of an integer multiple of x is a rational function of t, by
    exp(i n x) = (1 + i t)^(2n) / (1 + t^2)^n.  So trigonometric identities become identities between
    rational functions, and need no simplifier that guesses.

What remains is a quotient of polynomials in the symbols, the logarithms, the powers with symbolic exponent
and the roots; roots are reduced by their defining equation.  A zero is then the zero polynomial.
"""

from __future__ import annotations

from klcal import _checks

with _checks.extra("verify"):
    import sympy as sp


def normal_form(expression: sp.Expr) -> sp.Expr:
    """Return `expression` as a reduced quotient of polynomials in independent real quantities.

    The result 0 proves that the expression vanishes on its domain.  Anything else proves nothing by itself,
    which is why `klcal.book.verify` also tries a slightly wrong identity.

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
    expression = _special_functions(expression)
    expression = _half_angle_tangents(expression)
    expression = _split_logarithms(expression)
    expression = _split_powers(expression)
    return _reduced_quotient(expression)


def _special_functions(expression: sp.Expr) -> sp.Expr:
    """Write Beta functions by Gamma functions, and Gamma(x+n) as x(x+1)...(x+n-1) Gamma(x) for integers n."""
    if not expression.has(sp.gamma, sp.beta):
        return expression
    return sp.expand_func(expression.rewrite(sp.gamma))


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
    tangents = {angle: sp.Dummy(f"t{n}", positive=True) for n, angle in enumerate(ordered)}

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
    return expression.replace(sp.log, _log_of_quotient).replace(sp.log, _log_of_factors)


def _log_of_quotient(argument: sp.Expr) -> sp.Expr:
    return sp.expand_log(sp.log(sp.together(argument)), force=True)


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
