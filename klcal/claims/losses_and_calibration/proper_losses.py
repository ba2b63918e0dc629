"""Claims of Section 2 about proper losses."""

from __future__ import annotations

import itertools
from fractions import Fraction

import sympy as sp

from klcal.claims._combinators import above, closed, equal, jointly, none_of, vanishing
from klcal.claims._evidence import Evidence, cases, step
from klcal.claims._ledger import Chapter
from klcal.exact.counterexamples import BoundaryLoss, SharpV

chapter = Chapter("01_losses_and_calibration")

HALF = Fraction(1, 2)
QUARTERS = tuple(Fraction(k, 4) for k in range(5))


@chapter.claim(
    "sec2:smooth",
    "Section 2, notation",
    "what smooth means",
    kind="exact",
    scope=cases("the forms -a p^2, a = 1/4, 1/2, 1, 3, alpha = 0, 1, 2, 6, all pairs of quarters"),
    controls={"the absolute value dropped": {"absolute": False}},
    repair=r"$f$ is $\alpha$-smooth if $|f''| \le \alpha$; without the absolute value every concave $f$ is 0-smooth.",
    severity="misprint",
    proof="Chapter 2",
    rows=(8,),
)
def smooth_forms(absolute: bool = True) -> Evidence:
    r"""$f$ is $\alpha$-smooth if $f'' \le \alpha$."""
    forms = itertools.product((Fraction(1, 4), HALF, Fraction(1), Fraction(3)), (0, 1, 2, 6))
    called_smooth = [(a, alpha) for a, alpha in forms if (2 * a if absolute else -2 * a) <= alpha]

    def exceeds(case: tuple[tuple[Fraction, int], Fraction, Fraction]) -> bool:
        (a, alpha), rho, p = case
        divergence = -a * p**2 + a * rho**2 - 2 * a * p * (rho - p)  # f(p) - f(rho) + f'(p)(rho - p)
        return divergence > Fraction(alpha, 2) * (rho - p) ** 2

    return none_of(
        r"$\mathsf{BREG} > \frac\alpha2(\rho-p)^2$ for a form that the definition calls $\alpha$-smooth",
        itertools.product(called_smooth, QUARTERS, QUARTERS),
        exceeds,
    )


@chapter.refutation("sec2:smooth", kind="exact", controls={"a linear form": {"curvature": Fraction(0)}})
def one_sided_smoothness_is_void(curvature: Fraction = Fraction(2)) -> Evidence:
    """The printed definition calls the squared loss 0-smooth."""
    loss = BoundaryLoss(curvature, curvature / 2)
    return above(
        loss.divergence(1, HALF),
        0,
        "the squared loss has $f'' = -2 \\le 0$, so the printed definition calls it 0-smooth",
    ).against(r"$f(p) = p(1-p)$ is 0-smooth as printed, yet $\mathsf{BREG}(1, \frac12) = \frac14 > 0$")


chapter.statement(
    "lem:characterization_proper_loss",
    "Lemma 1",
    "proper losses are concave forms",
    r"$\ell : [0,1]\times\{0,1\} \to \mathbb R$ is proper exactly if $\ell(p, y) = f(p) + g_p(y - p)$ with $f$ concave "
    "and $g_p$ a supergradient of $f$ at $p$ (the paper says subgradient, a common convention for concave functions).",
    proof="cited by the paper (Savage; Gneiting and Raftery); Chapter 1",
    rows=(9,),
)


@chapter.claim(
    "sec2:named_losses",
    "Section 2",
    "squared, log and spherical loss are proper",
    kind="symbolic",
    controls={"0.99 of the curvature": {"factor": Fraction(99, 100)}},
    uses=("lem:characterization_proper_loss",),
    rows=(10,),
)
def named_losses(factor: Fraction | int = 1) -> Evidence:
    r"""The squared, log and spherical loss have the concave forms $p(1-p)$, the entropy and $-\|(p, 1-p)\|_2$, and are
    rebuilt from them.
    """
    parts = itertools.product(("squared", "log", "spherical"), ("univariate", "loss"))
    return jointly(
        closed(*map("-".join, parts)),
        closed("squared-curvature", "log-growth", "spherical-curvature", factor=factor),
    )


@chapter.claim(
    "lem:relate_breg_vbreg",
    "Lemma 2",
    "the divergence as an integral",
    kind="symbolic",
    scope=step("the fundamental theorem of calculus"),
    controls={"0.99 of the integral": {"factor": Fraction(99, 100)}},
    proof="Chapter 1, which generalises the paper's",
    rows=(11,),
)
def divergence_as_integral(factor: Fraction | int = 1) -> Evidence:
    r"""Let $u$ be concave on $[0,1]$, continuous at $\rho$, and twice continuously differentiable in $(0,1)$. Then
    $\mathsf{BREG}(\rho, p) = \int_p^\rho |u''(\mu)|(\rho - \mu)\,d\mu$ for $p \in (0, 1)$; true also from an end $p$ at
    which $u$ is continuous and has a finite slope, though $u''$ may be infinite there.
    """
    mu, rho = sp.symbols("mu rho", positive=True)
    root = sp.Rational(3, 2)
    beyond = sp.integrate(sp.Rational(3, 4) / sp.sqrt(mu) * (rho - mu), (mu, 0, rho)) - rho**root
    return jointly(
        closed("bregman-integral", factor=factor),
        vanishing(r"the integral from $p = 0$ for $u = -p^{3/2}$, whose $u''$ is infinite there", [beyond]),
    )


@chapter.claim(
    "sec3:bounded_losses",
    "Section 3.1",
    "bounded losses have Lipschitz forms",
    kind="symbolic",
    scope=step("the slope is a difference of two losses"),
    controls={"0.995 of the gap": {"factor": Fraction(199, 200)}},
    steps=("the slope is a difference of two losses", "lem:characterization_proper_loss"),
    rows=(18,),
)
def slope_is_a_difference(factor: Fraction | int = 1) -> Evidence:
    r"""A proper loss in $[-1, 1]$ has a concave form in $[-1, 1]$ that is Lipschitz with constant 2; this is
    attained.
    """
    f, g, p = sp.symbols("f g p", real=True)
    of_one, of_zero = f + g * (1 - p), f - g * p
    loss = SharpV(Fraction(2))
    return jointly(
        vanishing(
            r"$\ell(p,1) - \ell(p,0) = g$ for $\ell(p, y) = f + g(y - p)$, hence $|g| \le 2$",
            [of_one - of_zero - sp.Rational(factor) * g],
        ),
        equal(loss(1, 0) - loss(1, 1), 2, "the difference at $p = 1$ for $f(p) = -|1-2p|$, in fractions"),
    )
