"""The normal form sees through every disguise of zero, and through nothing else."""

from __future__ import annotations

import pytest
import sympy as sp

from klcal.book.symbolic import normal_form

P, MASS = sp.Symbol("p", positive=True), sp.Symbol("S", positive=True)


@pytest.mark.parametrize(
    "expression",
    [
        sp.log(P / (1 - P)) - sp.log(P) + sp.log(1 - P),
        sp.log(P - P**2) - sp.log(P) - sp.log(1 - P),
        sp.sqrt(P**2 + 1) ** 3 - (P**2 + 1) * sp.sqrt(P**2 + 1),
        sp.sin(3 * P) - 3 * sp.sin(P) + 4 * sp.sin(P) ** 3,
        sp.sin(P + sp.pi / 2) - sp.cos(P),
        sp.tan(P) * sp.cot(P) - sp.sin(P) * sp.csc(P),
        sp.sin(P / 2) * sp.cos(P / 2) - sp.sin(P) / 2,
        P**MASS * P - P ** (MASS + 1),
        sp.log(6) - sp.log(2) - sp.log(3),
        sp.gamma(MASS + 3) / sp.gamma(MASS + 1) - (MASS + 1) * (MASS + 2),
        sp.Derivative(P * sp.log(P), P) - sp.log(P) - 1,
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


def test_normal_form_keeps_the_value_of_what_it_cannot_cancel() -> None:
    expression = sp.log((1 - P) / P) * sp.sqrt(P**2 + (1 - P) ** 2) / (1 + P) - P ** sp.Rational(5, 2)
    # Signs of factors are dropped under the logarithm, so the real part is what is compared.
    at = {P: sp.Rational(1, 7)}
    assert abs(sp.re(sp.N(normal_form(expression).subs(at), 30)) - sp.N(expression.subs(at), 30)) < 1e-25
