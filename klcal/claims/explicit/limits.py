r"""What no algorithm avoids: a fixed grid costs T/N^2."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from itertools import combinations, pairwise

import sympy as sp
from flint import arb

from klcal import bounds
from klcal.claims._combinators import closed, jointly, vanishing
from klcal.claims._evidence import Evidence
from klcal.claims._legacy import Claim
from klcal.claims.constants._common import agrees
from klcal.claims.explicit._common import BITS, CHAPTER, smallest
from klcal.claims.grids._common import divergence
from klcal.exact.balls import ball, precision

_STEPS = 24


def _uncovered(angles: tuple[int, ...]) -> Fraction:
    """Return the largest distance of a point of [0, 24] to these integers."""
    inner = max((Fraction(high - low, 2) for low, high in pairwise(angles)), default=Fraction(0))
    return max(inner, Fraction(angles[0]), Fraction(_STEPS - angles[-1]))


def covering(share: Fraction = Fraction(1)) -> Evidence:
    """Check that N points of an interval leave a point at distance at least its length over 2N, N <= 4, exactly."""
    worst = min(
        _uncovered(angles) * 2 * N / _STEPS
        for N in range(1, 5)
        for angles in combinations(range(_STEPS + 1), N)
    )
    return Evidence(
        worst, share, ">=", "least largest distance times 2N over the length, all sets of up to 4 points"
    )


@precision(BITS)
def fixed_grid(share: Fraction = Fraction(1), points: int = 4) -> Evidence:
    r"""Check the lower bound: N angles leave one at distance :math:`\frac\pi{4N}`, and KL is at least -2 log cos of it.

    :math:`\sum_tn\mathsf{KL}` exceeds the log-likelihood ratio of any one p by :math:`\sum_in_i\mathsf{KL}(\rho_i,p)`.
    With :math:`\beta = \sqrt{pz}+\sqrt{(1-p)(1-z)}` and :math:`\tau = \sqrt{pz}/\beta`,
    :math:`\mathsf{KL}(p,z) = 2\mathsf{KL}(p,\tau) - 2\log\beta`, and :math:`\beta` is the cosine of the difference of
    the angles.
    """
    k, n, p, z, beta = sp.symbols("k n p z beta", positive=True)
    kl = p * sp.log(p / z) + (1 - p) * sp.log((1 - p) / (1 - z))
    to_tilted = p * (sp.log(p / z) / 2 + sp.log(beta)) + (1 - p) * (
        sp.log((1 - p) / (1 - z)) / 2 + sp.log(beta)
    )
    ratio = k * sp.log(p / z) + (n - k) * sp.log((1 - p) / (1 - z))
    rho = k / n

    def spent(q: sp.Expr) -> sp.Expr:
        return n * (rho * sp.log(rho / q) + (1 - rho) * sp.log((1 - rho) / (1 - q)))

    pairs = [(Fraction(i, 9), Fraction(j, 8)) for i in range(10) for j in range(1, 8)]
    gaps = [
        divergence(ball(x), ball(y))
        + 2 * ((ball(x) * ball(y)).sqrt() + ((1 - ball(x)) * (1 - ball(y))).sqrt()).log()
        for x, y in pairs
    ]
    return jointly(
        covering(share),
        vanishing(
            "KLCal exceeds the log-likelihood ratio of p by n KL(rho, p)", [spent(z) - ratio - spent(p)]
        ),
        vanishing("KL(p, z) = 2 KL(p, tau) - 2 log beta", [kl - 2 * to_tilted + 2 * sp.log(beta)]),
        closed("bhattacharyya"),
        smallest("KL + 2 log(Bhattacharyya coefficient) at 70 pairs", gaps),
        agrees(
            "2T log sec(pi/4N)",
            bounds.fixed_grid_lower_bound,
            lambda T, N: -2 * T * (arb.pi() / (points * N)).cos().log(),
            [(T, N) for T in (1, 1000, 10**9) for N in (1, 2, 10, 101)],
        ),
    )


CLAIMS: tuple[Claim, ...] = (
    Claim(
        label="new:fixed-grid",
        number="new",
        title="a fixed grid costs T/N^2",
        kind="symbolic",
        chapter=CHAPTER,
        statement="For every algorithm on N fixed points some Bernoulli outcomes force E[KLCal] >= 2T log "
        "sec(pi/4N), about pi^2 T/(16 N^2); the identities close symbolically, the covering of "
        "the angles is exact for N <= 4.",
        check=fixed_grid,
        spoil=(partial(fixed_grid, Fraction(101, 100)), partial(fixed_grid, points=3)),
    ),
)
