"""The normal form and `identity`: through every disguise of zero they see, and through nothing else."""

from __future__ import annotations

import random

import pytest
import sympy as sp

from klcal.book import verify
from klcal.book.symbolic import common_points, normal_form

P, Q, S = sp.symbols("p q S", positive=True)
X, Y = sp.symbols("x y", real=True)
F = sp.Function("f", real=True)

# What is true of all a, b > 0 and of all real x, y: both sides of an equation.
TRUE = [
    lambda a, b: (sp.log(a * b), sp.log(a) + sp.log(b)),
    lambda a, b: (sp.log(a / b**2), sp.log(a) - 2 * sp.log(b)),
    lambda a, b: (sp.log(a**3 + a**2 * b), 2 * sp.log(a) + sp.log(a + b)),
    lambda a, b: (sp.log(1 - P) - sp.log(P), -sp.log(P / (1 - P))),
    lambda a, b: (sp.sqrt(a * b), sp.sqrt(a) * sp.sqrt(b)),
    lambda a, b: (sp.sqrt(a + b) ** 3, (a + b) * sp.sqrt(a + b)),
    lambda a, b: (a / (sp.sqrt(b + 1) - 1), a * (sp.sqrt(b + 1) + 1) / b),
    lambda a, b: (a ** (1 + S), a * a**S),
    lambda a, b: ((a**2 - b**2) / (a + b), a - b),
    lambda a, b: (1 / (1 + a / b), b / (a + b)),
    lambda a, b: (sp.gamma(S + 2), S * (S + 1) * sp.gamma(S)),
    lambda a, b: (sp.sin(2 * X) * a, 2 * a * sp.sin(X) * sp.cos(X)),
    lambda a, b: (sp.cos(X + Y), sp.cos(X) * sp.cos(Y) - sp.sin(X) * sp.sin(Y)),
    lambda a, b: (sp.sin(X + sp.pi / 2) ** 2, 1 - sp.sin(X) ** 2),
    lambda a, b: (sp.tan(X) * sp.cot(X) + a, sp.sin(X) * sp.csc(X) + a),
    lambda a, b: (sp.Derivative(P * sp.log(P), P), sp.log(P) + 1),
    lambda a, b: (sp.diff(F(P) * P, P), F(P) + P * sp.diff(F(P), P)),
]
# What is true on one branch only, or nowhere.
FALSE = [
    lambda a, b: (sp.Abs(sp.sin(X)), sp.sin(X)),
    lambda a, b: (sp.sqrt(sp.sin(X) ** 2), sp.sin(X)),
    lambda a, b: (sp.sqrt(sp.cos(X) ** 2), sp.cos(X)),
    lambda a, b: (sp.Max(sp.sin(X), 0), sp.sin(X)),
    lambda a, b: (sp.Min(sp.sin(X), 0), sp.Integer(0)),
    lambda a, b: (sp.sign(sp.sin(X)) * a, a),
    lambda a, b: (sp.sqrt(X**2) * a, X * a),
    lambda a, b: ((X**2) ** sp.Rational(3, 2), X**3),
    lambda a, b: (sp.sqrt((P - Q) ** 2) * a, (P - Q) * a),
    lambda a, b: (sp.sqrt(-X) * sp.sqrt(-Y), -sp.sqrt(X * Y)),
    lambda a, b: (sp.asin(sp.sin(X)), X),
    lambda a, b: (sp.atan(sp.tan(X)), X),
    lambda a, b: (sp.log(Q - 1), sp.log(1 - Q)),
    lambda a, b: (sp.log(-a), sp.log(a)),
    lambda a, b: (sp.log(a - b), sp.log(b - a)),
    lambda a, b: (sp.sqrt(-a) * sp.sqrt(-b), sp.sqrt(a * b)),
    lambda a, b: (sp.log((1 - P) / (P - 1)), sp.Integer(0)),
    lambda a, b: (sp.cos(X + Y), sp.cos(X) * sp.cos(Y) + sp.sin(X) * sp.sin(Y)),
]
PARTS = [P, Q, S, P + Q, 2 * P + 1, P * Q + 3, Q / 2, sp.Integer(5)]


def equation(chance, kind):
    """Both sides of a random equation: true, or false by its branch or domain, by a sign, or by a constant."""
    rules = chance.sample(TRUE, chance.randint(1, 3)) + ([chance.choice(FALSE)] if kind == "branch" else [])
    left, right = chance.choice(PARTS), sp.Integer(0)
    right += left
    for number, rule in enumerate(rules):
        one, other = rule(*chance.sample(PARTS[:-1], 2))
        size = chance.choice((1, -2, sp.Rational(3, 7), P))
        left, right = left + size * one, right + size * other
        if number == 0 and kind == "sign":
            right -= 2 * size * other
        if number == 0 and kind == "constant":
            right += size * other / 10 ** chance.randint(1, 12)
    return left, right


def passes(left, right):
    try:
        verify.identity("a", {"e": (left, right)}, covers="all")
    except verify.CheckFailed:
        return False
    return True


@pytest.mark.parametrize("kind", ["true", "branch", "sign", "constant"])
def test_no_false_identity_passes_and_hardly_a_true_one_is_refused(kind, seed, record_property):
    chance, tried = random.Random(f"{kind}{seed}"), []
    while len(tried) < 60:
        left, right = equation(chance, kind)
        if left != right:
            tried.append((passes(left, right), left, right))
    wrong = [each for each in tried if each[0] != (kind == "true")]
    record_property(f"error rate, {kind}", f"{len(wrong)} of {len(tried)}")
    assert wrong == []


@pytest.mark.parametrize("rule", FALSE, ids=lambda rule: str(rule(P, Q)))
def test_no_wrong_branch_passes_alone(rule):
    assert not passes(*rule(P, Q))


def test_what_only_one_side_is_real_for_is_named():
    def control(left, right):
        return verify.identity("a", {"e": (left, right)}, covers="all").control

    assert control(sp.log((1 - P) ** 2), 2 * sp.log(1 - P)).startswith("where both sides are real; 1 % off")
    assert control(sp.log(P * (1 - P)), sp.log(P) + sp.log(1 - P)).startswith("1 % off")
    assert common_points(sp.log(Q - 1), sp.log(1 - Q)) == ([], True)


@pytest.mark.parametrize("at", [P + 1 + sp.Float(1e-20), P + 1.0])
def test_a_float_is_no_expression(at):
    with pytest.raises(verify.CheckFailed, match="e holds a float"):
        verify.identity("a", {"e": (at, P + 1)}, covers="all")
    with pytest.raises(verify.CheckFailed, match="e holds a float"):
        verify.positive("a", {"e": at}, covers="all")


def test_normal_form_keeps_the_value_of_what_it_cannot_cancel():
    expression = sp.log((1 - P) / P) * sp.sqrt(P**2 + (1 - P) ** 2) / (1 + P) - P ** sp.Rational(5, 2)
    # Signs of factors are dropped under the logarithm, so the real part is what is compared.
    at = {P: sp.Rational(1, 7)}
    assert abs(sp.re(sp.N(normal_form(expression).subs(at), 30)) - sp.N(expression.subs(at), 30)) < 1e-25
