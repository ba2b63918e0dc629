"""Every identity closes to exact zero, holds to 50 digits, and stops closing when it is spoiled."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import mpmath
import pytest
import sympy as sp
from symbolic_samples import EDGE, letters_of, points
from sympy.core.function import AppliedUndef, UndefinedFunction

from klcal import claims
from klcal.losses import LOSSES
from klcal.symbolic import (
    IDENTITIES,
    MISPRINTS,
    SYMBOLIC_LOSSES,
    Identity,
    _divergences,
    _grids,
    _learning,
    _loss_identities,
    _rounding,
    normal_form,
)
from klcal.symbolic._losses import bregman
from klcal.symbolic._normal_form import _log_of_factors
from klcal.symbolic._symbols import MASS, RHO, K, P, U, Y

DIGITS, CARRIED = 50, 160
NAMES = list(IDENTITIES)
CLAIMS = Path(claims.__file__).parent
WAVES = (sp.sin, sp.cos, sp.tan, sp.cot)


# The second route to each identity: numbers.  Integrals by quadrature, limits by a very close point.


def with_functions(expression: sp.Expr, point: Mapping[Any, Any]) -> sp.Expr:
    """Put the point's functions in place of undefined ones and carry out all derivatives."""
    for letter, function in point.items():
        if isinstance(letter, UndefinedFunction):
            expression = expression.replace(letter, function)
    return expression.replace(sp.Derivative, lambda *args: sp.Derivative(*args).doit())


@cache
def number(exact: sp.Expr) -> mpmath.mpf:
    return evaluate(exact, {})


@cache
def compiled(expression: sp.Expr) -> tuple[list[sp.Symbol], Callable[..., Any]]:
    letters = sorted(expression.free_symbols, key=str)
    # Nameless letters: one of the paper's is called gamma, like the function.
    nameless = {letter: sp.Dummy() for letter in letters}
    return letters, sp.lambdify(list(nameless.values()), expression.xreplace(nameless), "mpmath")


def evaluate(expression: sp.Expr, at: Mapping[sp.Symbol, mpmath.mpf]) -> mpmath.mpf:
    letters, function = compiled(expression)
    with mpmath.workdps(CARRIED):
        return mpmath.mpmathify(function(*(at[letter] for letter in letters)))


def breakpoints(start: mpmath.mpf, end: mpmath.mpf) -> list[mpmath.mpf]:
    """Subdivide so that the distance to 0, and to 1 from below, changes by a bounded factor in each piece."""
    if start == 0:
        return [start, end]
    below_1 = max(start, end) < 1
    low, high = (mpmath.log(x / (1 - x)) if below_1 else mpmath.log(x) for x in (start, end))
    inner = mpmath.linspace(low, high, 2 + int(abs(high - low) / 1.5))[1:-1]
    return [start, *(1 / (1 + mpmath.exp(-x)) if below_1 else mpmath.exp(x) for x in inner), end]


def quadrature(integral: sp.Integral, at: Mapping[sp.Symbol, mpmath.mpf]) -> mpmath.mpf:
    """Integrate by Gauss-Legendre rules on each piece."""
    integrand, (variable, start, end) = integral.args
    places = breakpoints(*(evaluate(limit, at) for limit in (start, end)))
    with mpmath.workdps(2 * DIGITS):
        return mpmath.quad(
            lambda x: evaluate(integrand, {**at, variable: x}), places, method="gauss-legendre"
        )


def close_to_limit(expression: sp.Expr, variable: sp.Symbol, target: sp.Expr, *_: object) -> sp.Expr:
    distance = sp.Integer(10) ** -40
    return expression.subs(variable, 1 / distance if target is sp.oo else target + distance)


def value(expression: sp.Expr, point: Mapping[Any, Any]) -> mpmath.mpf:
    """Return the expression at the point; enough digits are carried for 50 to survive every cancellation."""
    exact = {letter: sample for letter, sample in point.items() if isinstance(letter, sp.Symbol)}
    expression = with_functions(expression, point).replace(sp.Limit, close_to_limit)
    at = {letter: number(sample) for letter, sample in exact.items()}
    integrals = {integral: sp.Dummy() for integral in expression.atoms(sp.Integral)}
    with mpmath.workdps(CARRIED):
        known = {dummy: quadrature(integral, at) for integral, dummy in integrals.items()}
        return evaluate(expression.xreplace(integrals), at | known)


def agree(left: mpmath.mpf, right: mpmath.mpf) -> bool:
    with mpmath.workdps(CARRIED):
        scale = max(abs(left), abs(right))
        return bool(scale < mpmath.mpf(10) ** -90 or abs(left - right) <= scale * mpmath.mpf(10) ** -DIGITS)


@cache
def sides(name: str) -> list[tuple[mpmath.mpf, mpmath.mpf]]:
    """Return both sides of the identity at all its points."""
    identity = IDENTITIES[name]
    left, right = identity.sides()
    return [(value(left, point), value(right, point)) for point in points(identity)]


@pytest.mark.parametrize("name", NAMES)
def test_identity_closes_to_exact_zero_and_holds_to_fifty_digits_up_to_the_ends(name: str) -> None:
    assert IDENTITIES[name].residual() == 0
    for point, (left, right) in zip(points(IDENTITIES[name]), sides(name), strict=True):
        assert agree(left, right), f"{point}: {left} against {right}"


# A check that cannot fail is a defect: each identity is spoiled in every way that applies to it.


def with_right(identity: Identity, change: Callable[[sp.Expr], sp.Expr]) -> Identity:
    left, right = identity.sides()
    return replace(identity, sides=lambda: (left, change(right)))


def spoiled(identity: Identity) -> Iterator[tuple[str, Identity]]:
    tiny = sp.Rational(1, 10**6)
    left, right = identity.sides()
    if right == 0:
        yield "shifted", with_right(identity, lambda _: tiny)
    else:
        yield "scaled", with_right(identity, lambda side: side * (1 + tiny))
    if identity.primitive is not None:
        wrong = identity.primitive() + tiny * left.limits[0][0]
        yield "wrong primitive", replace(identity, primitive=lambda: wrong)


@pytest.mark.parametrize("name", NAMES)
def test_spoiled_identity_does_not_close_and_is_seen_by_the_numbers_too(name: str) -> None:
    for how, wrong in spoiled(IDENTITIES[name]):
        assert wrong.residual() != 0, how
    tiny = mpmath.mpf(10) ** -45
    spoils: list[Callable[[mpmath.mpf], mpmath.mpf]] = [
        lambda right: right * (1 + tiny),
        lambda right: -right,
    ]
    if IDENTITIES[name].sides()[1] == 0:
        spoils = [lambda right: right + tiny]
    with mpmath.workdps(CARRIED):
        for spoil in spoils:
            assert not all(agree(left, spoil(right)) for left, right in sides(name))


def displaceable(name: str) -> list[sp.Symbol]:
    """Return the letters of the right side; none if it has waves, whose seventh parts make large polynomials."""
    right = sp.sympify(IDENTITIES[name].sides()[1])
    return [] if right.has(AppliedUndef, sp.Derivative, *WAVES) else sorted(right.free_symbols, key=str)


@pytest.mark.parametrize("name", [name for name in NAMES if displaceable(name)])
def test_displaced_letter_on_the_right_does_not_close(name: str) -> None:
    letter = displaceable(name)[-1]
    displaced = with_right(IDENTITIES[name], lambda right: right.subs(letter, letter * sp.Rational(8, 7)))
    assert displaced.residual() != 0


# The assumptions under which the normal form is lawful.


def positive_parts(expression: sp.Expr) -> Iterator[sp.Expr]:
    """Yield what must be positive: arguments of logarithms, and the factors of the bases of broken powers."""
    for term in sp.preorder_traversal(expression):
        if isinstance(term, sp.log):
            yield term.args[0]
        elif isinstance(term, sp.Pow) and not term.exp.is_integer:
            yield from (factor.as_base_exp()[0] for factor in sp.Mul.make_args(term.base))


@pytest.mark.parametrize("name", NAMES)
def test_logarithms_and_broken_powers_only_see_positive_numbers(name: str) -> None:
    identity = IDENTITIES[name]
    both = [sp.sympify(side) for side in identity.sides()]
    for point in points(identity):
        for part in {part for side in both for part in positive_parts(with_functions(side, point))}:
            bound = part.free_symbols - set(letters_of(identity))
            assert bound or value(part, point) > 0, part


def test_samples_come_within_a_billionth_of_both_ends() -> None:
    visited = list(points(IDENTITIES["kl-integral"]))
    for letter in (P, RHO):
        assert {EDGE, 1 - EDGE} <= {point[letter] for point in visited}
    assert all(point[P] != point[RHO] for point in visited)


def test_all_letters_of_an_identity_are_sampled() -> None:
    assert set(letters_of(IDENTITIES["bregman-integral"])) == {P, RHO, U}
    assert letters_of(IDENTITIES["remark-ratio"]) == (K,)


# The normal form itself.


@pytest.mark.parametrize(
    "expression",
    [
        sp.log(P / (1 - P)) - sp.log(P) + sp.log(1 - P),
        sp.log(P - P**2) - sp.log(P) - sp.log(1 - P),
        sp.sqrt(P**2 + 1) ** 3 - (P**2 + 1) * sp.sqrt(P**2 + 1),
        sp.sin(3 * P) - 3 * sp.sin(P) + 4 * sp.sin(P) ** 3,
        sp.sin(P + sp.pi / 2) - sp.cos(P),
        P**MASS * P - P ** (MASS + 1),
        sp.log(6) - sp.log(2) - sp.log(3),
        sp.gamma(MASS + 3) / sp.gamma(MASS + 1) - (MASS + 1) * (MASS + 2),
    ],
    ids=str,
)
def test_normal_form_sees_through_each_kind_of_disguise(expression: sp.Expr) -> None:
    assert normal_form(expression) == 0
    assert normal_form(expression + sp.Rational(1, 10**9)) != 0


@pytest.mark.parametrize(
    "expression",
    [
        sp.cos(2 * P) - 2 * sp.cos(P) ** 2,
        sp.log(2 - 2 * P) - sp.log(1 - P),
        sp.log(P**2 + P) - sp.log(P) - 2 * sp.log(1 + P),
        sp.sqrt((P - 1) ** 2) - (P - 1),
        sp.sqrt(P**2 + 1) - P - 1,
        P ** (MASS + 1) - P**MASS,
        sp.sin(P + sp.pi / 2) - sp.sin(P),
        sp.gamma(MASS + 2) / sp.gamma(MASS + 1) - MASS,
    ],
    ids=str,
)
def test_normal_form_does_not_cancel_what_differs(expression: sp.Expr) -> None:
    assert normal_form(expression) != 0


def test_logarithm_of_a_product_keeps_its_constant_and_drops_signs_only() -> None:
    assert _log_of_factors(6 - 6 * P**2) == sp.log(2) + sp.log(3) + sp.log(P - 1) + sp.log(P + 1)


def test_normal_form_keeps_the_value_of_what_it_cannot_cancel() -> None:
    expression = sp.log((1 - P) / P) * sp.sqrt(P**2 + (1 - P) ** 2) / (1 + P) - P ** sp.Rational(5, 2)
    # Signs of factors are dropped under the logarithm, so the real part is what is compared.
    at = {P: sp.Rational(1, 7)}
    assert abs(sp.re(sp.N(normal_form(expression).subs(at), 30)) - sp.N(expression.subs(at), 30)) < 1e-25


# Identities and misprints.


def test_certificate_of_an_integral_is_checked_not_trusted() -> None:
    integral = IDENTITIES["kl-integral"]
    assert integral.primitive is not None
    primitive = integral.primitive()
    doubled = with_right(integral, lambda right: 2 * right)
    assert not replace(doubled, primitive=lambda: 2 * primitive).closes()
    assert replace(integral, primitive=lambda: primitive + 1).closes()


def test_every_entry_is_used_by_some_check() -> None:
    checks = "".join(path.read_text(encoding="utf-8") for path in CLAIMS.rglob("*.py"))
    # One check puts the names of the forms of three losses together.
    of_losses = re.compile(r"(squared|log|spherical)-(univariate|loss)")
    entries = [*IDENTITIES, *MISPRINTS]
    assert [name for name in entries if f'"{name}"' not in checks and not of_losses.fullmatch(name)] == []


def test_no_name_stands_in_two_tables() -> None:
    tables = (_divergences, _grids, _learning, _loss_identities, _rounding)
    assert sum(len(table.IDENTITIES) for table in tables) == len(IDENTITIES)


@pytest.mark.parametrize("name", list(MISPRINTS))
def test_printed_form_fails_and_repaired_form_closes(name: str) -> None:
    misprint = MISPRINTS[name]
    assert not Identity(misprint.statement, misprint.printed).closes()
    assert abs(sp.N(misprint.gap(), 20)) > 0.1
    assert misprint.repaired().closes()


def test_misprints_have_the_gaps_computed_by_hand() -> None:
    assert MISPRINTS["gamma-integral"].gap() == -sp.exp(-1)
    assert MISPRINTS["first-grid-point"].gap() == -1
    assert MISPRINTS["pcal-1-rate"].gap() == 4 - 2


# Exact values by hand.


def test_divergences_at_one_half_and_one_quarter() -> None:
    at = {P: sp.Rational(1, 2), RHO: sp.Rational(1, 4)}
    found = {name: sp.simplify(loss.divergence.subs(at)) for name, loss in SYMBOLIC_LOSSES.items()}
    assert found["squared"] == sp.Rational(1, 16)
    assert found["tsallis-2"] == sp.Rational(1, 16)
    assert found["tsallis-3"] == sp.Rational(1, 2) * (
        sp.Rational(1, 64) + sp.Rational(1, 4) - sp.Rational(3, 16)
    )
    assert found["v-0.5"] == sp.Rational(1, 2)
    assert found["v-0.25"] == 0
    assert sp.simplify(found["log"] - (sp.log(27) / 4 * 1 - sp.log(2))) == 0


SMOOTH = [name for name in SYMBOLIC_LOSSES if not name.startswith("v-")]


@pytest.mark.parametrize("name", SMOOTH)
def test_form_slope_and_divergence_of_a_smooth_loss_follow_from_each_other(name: str) -> None:
    loss = SYMBOLIC_LOSSES[name]
    rebuilt = loss.entropy + loss.slope * (Y - P)
    remainders = [(loss.loss - rebuilt).subs(Y, y) for y in (0, 1)]
    remainders += [sp.diff(loss.entropy, P) - loss.slope, bregman(loss.entropy) - loss.divergence]
    assert [normal_form(remainder) for remainder in remainders] == [0] * 4


@pytest.mark.parametrize("name", ["v-0.25", "v-0.5"])
def test_form_slope_and_divergence_of_a_v_shaped_loss_follow_from_each_other(name: str) -> None:
    loss = SYMBOLIC_LOSSES[name]
    rebuilt, tangent = (loss.entropy + loss.slope * (place - P) for place in (Y, RHO))
    for p, rho in product((sp.Rational(1, 5), sp.Rational(4, 5)), repeat=2):
        at = {P: p, RHO: rho}
        assert [(loss.loss - rebuilt).subs(at).subs(Y, y) for y in (0, 1)] == [0, 0]
        assert (tangent - loss.entropy.subs(P, RHO) - loss.divergence).subs(at) == 0


# The numeric twins in klcal.losses.

INSIDE = [1e-9, 1e-3, 0.2, 0.25, 0.5, 0.5000001, 0.7, 1 - 1e-9]


def exactly(expression: sp.Expr, letters: tuple[sp.Symbol, ...], *arguments: float) -> float:
    return float(evaluate(expression, dict(zip(letters, map(mpmath.mpf, arguments), strict=True))))


def test_symbolic_and_numeric_losses_have_the_same_names() -> None:
    assert set(SYMBOLIC_LOSSES) == set(LOSSES)
    assert all(loss.name == name for name, loss in SYMBOLIC_LOSSES.items())


@pytest.mark.parametrize("name", list(SYMBOLIC_LOSSES))
def test_numeric_twin_has_the_same_loss_form_and_slope(name: str) -> None:
    symbolic, numeric = SYMBOLIC_LOSSES[name], LOSSES[name]
    for p in INSIDE:
        for y in (0, 1):
            assert numeric(p, y) == pytest.approx(
                exactly(symbolic.loss, (symbolic.p, symbolic.y), p, y), rel=1e-13
            )
        assert numeric.entropy(p) == pytest.approx(exactly(symbolic.entropy, (symbolic.p,), p), rel=1e-13)
        assert numeric.slope(p) == pytest.approx(exactly(symbolic.slope, (symbolic.p,), p), rel=1e-13)


@pytest.mark.parametrize("name", list(SYMBOLIC_LOSSES))
def test_numeric_twin_has_the_same_divergence(name: str) -> None:
    symbolic, numeric = SYMBOLIC_LOSSES[name], LOSSES[name]
    for rho, p in product(INSIDE, repeat=2):
        expected = exactly(symbolic.divergence, (symbolic.rho, symbolic.p), rho, p)
        assert numeric.divergence(rho, p) == pytest.approx(expected, rel=1e-13, abs=1e-40)


@pytest.mark.parametrize("name", SMOOTH)
def test_numeric_twin_has_the_same_curvature(name: str) -> None:
    symbolic, numeric = SYMBOLIC_LOSSES[name], LOSSES[name]
    for p in INSIDE:
        assert numeric.curvature(p) == pytest.approx(exactly(symbolic.curvature, (symbolic.p,), p), rel=1e-13)


@pytest.mark.parametrize("name", list(SYMBOLIC_LOSSES))
def test_numeric_twin_has_the_same_constants(name: str) -> None:
    symbolic, numeric = SYMBOLIC_LOSSES[name], LOSSES[name]
    assert numeric.kl_constant == pytest.approx(float(symbolic.growth), rel=1e-14)
    assert numeric.quadratic_constant == pytest.approx(float(symbolic.smoothness / 2), rel=1e-14)
