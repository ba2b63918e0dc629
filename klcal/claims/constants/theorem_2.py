r"""Section 5: where the constants of Theorem 2 and its relatives come from."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from itertools import count, product
from typing import Any

import sympy as sp
from flint import arb

from klcal import bounds, grids
from klcal.bounds.rates import real_resolution
from klcal.claims._combinators import at_least, at_most, equal, jointly, none_of, vanishing
from klcal.claims._evidence import Evidence, all_cases, step
from klcal.claims._ledger import Chapter
from klcal.claims.constants.formulas import GAMES, integer, learning, recompute, rounding, theorem_2
from klcal.exact.balls import ball, precision
from klcal.exact.certificates import largest_ratio
from klcal.exact.growth import horizons

chapter = Chapter("constants")

BITS = 128
VERSIONS = ("sharpened", "best")
THIRD = Fraction(1, 3)


# ----- Theorem 2 -----------------------------------------------------------------------------------------------


chapter.statement(
    "thm:bound_pkcal/explicit",
    "Theorem 2, constants",
    "the bound on PKLCal is regrets plus rounding",
    r"On every path Algorithm 1, with clamped ends, has $\mathsf{PKLCal} \le \sum_{i=0}^K\log(1+S_i) + cT \le "
    r"(K+1)\log(1 + \frac T{K+1}) + cT$, $S_i$ the mass of $z_i$ and $c = \tan^2\frac\pi{2K}$, or $2\log\sec$ "
    r"of the same angle ($\frac\pi8$ at $K = 2$). The steps as the paper prints them add up to $(K+1)\log(T+1) "
    r"+ T(b + (2-\sqrt2)\frac{\pi^2}{K^2})$, $b$ the display behind Lemma 7.",
    proof="Chapter 5",
    steps=(
        "alg:BM_log_loss/reduction",
        "lem:EWOO_regret_bound/sharp",
        "lem:rounding/supremum",
        "new:rounding-log-secant",
    ),
    uses=("eq:psreg_[0,1]_to_psreg_Z",),
    rows=(82,),
)


def _by_masses(K: arb, *masses: arb, version: str) -> Any:
    regrets = sum(((1 + mass).log() for mass in masses), arb(0))
    return regrets + sum(masses, arb(0)) * rounding(K, version)


MASSES = [(K, *(scale * i**3 for i in range(K + 1))) for K in (2, 3, 16) for scale in (1, 0.2)]

recompute(
    "thm:bound_pkcal/explicit",
    ("theorem_2", theorem_2, GAMES, ("paper", *VERSIONS)),
    ("theorem_2_from_masses", _by_masses, MASSES, VERSIONS, lambda bound, K, *masses: bound(masses, K)),
)


@chapter.claim(
    "thm:bound_pkcal/rate",
    "Theorem 2, rate",
    "one constant for all horizons",
    kind="certified",
    controls={
        "3.954 in place of 3.96": {"constants": (Fraction("3.954"), Fraction("3.56"))},
        "3.544 in place of 3.56": {"constants": (Fraction("3.96"), Fraction("3.544"))},
        "exponent smaller by 1/20": {"power": THIRD - Fraction(1, 20)},
    },
    proof="Explicit constants",
    uses=("thm:bound_pkcal/explicit", "eq:bound_diff/sine"),
    rows=(82,),
)
@precision(BITS)
def rate_constants(
    constants: tuple[Fraction, Fraction] = (Fraction("3.96"), Fraction("3.56")), power: Fraction = THIRD
) -> Evidence:
    r"""At $K = \max(2, \lceil(T/\log T)^{1/3}\rceil)$ the explicit right-hand side of Theorem 2 is at most
    $3.96\,T^{1/3}(\log T)^{2/3}$ for every $T \ge 2$, and at most $3.56\,T^{1/3}(\log T)^{2/3}$ with
    $2T\log\sec\theta_K$ in place of $T\tan^2\theta_K$, $\theta_K$ as there. The largest ratios are 3.95437 and 3.54482,
    both at $T = 131$; from $T = 10^{100000}$ on both ratios are within $10^{-4}$ of $\frac23 + \frac{\pi^2}4 = 3.1341$.

    With $\kappa = (T/\log T)^{1/3}$ the rate is $\kappa\log T$, and $\kappa \le K \le \kappa + 1$.
    """

    def ratio(T: Any, K: Any, version: str) -> Any:
        return bounds.theorem_2(T, K, version=version) / (T * T.log() ** 2).root(3)

    parts = []
    for version, constant, largest in zip(VERSIONS, constants, ("3.95437", "3.54482"), strict=True):
        below = min(constant, Fraction(largest) + Fraction("0.00001"))
        found = largest_ratio(partial(ratio, version=version), real_resolution, below=below)
        rate = bounds.theorem_2_rate(horizons(100), version=version)
        T = horizons(10 ** (10**5))
        far = ratio(T, real_resolution(T), version).bound()
        parts += [
            at_most(found.upper, float(below), f"largest ratio for all $T \\ge 2$, {version}"),
            at_least(
                ratio(arb(131), arb(3), version), float(largest), f"the ratio at horizon 131, {version}"
            ),
            at_most(
                abs(far - ball(2) / 3 - arb.pi() ** 2 / 4),
                1e-4,
                f"distance from the limit for all $T \\ge 10^{{100000}}$, {version}",
            ),
            at_most(
                abs(rate.coefficient - ball(constant)),
                1e-30,
                f"constant of `bounds.theorem_2_rate`, {version}",
            ),
            equal(rate.powers[0], power, f"its power of $T$, {version}"),
            equal(rate.powers[1], 2 * THIRD, f"its power of $\\log T$, {version}"),
        ]
    return jointly(*parts)


@chapter.claim(
    "thm:bound_pkcal/resolution",
    "Theorem 2, resolution",
    "the best one",
    kind="exact",
    scope=all_cases("T = 1, 2, 7, 100, 1000, 10^5, 10^6, both versions"),
    controls={"the next resolution": {"shift": 1}},
    uses=("thm:bound_pkcal/explicit",),
)
@precision(BITS)
def best_resolution(shift: int = 0) -> Evidence:
    r"""At $T = 1, 2, 7, 100, 1000, 10^5, 10^6$ the $K$ that `bounds.theorem_2_best_K` names has a smaller right-hand
    side than every other $K \ge 2$.

    Only finitely many K compete: the learning term increases with K, and once it exceeds the best value no later K can
    win.
    """

    def wins(T: int, version: str) -> bool:
        values: dict[int, arb] = {}
        for K in count(2):
            values[K] = bounds.theorem_2(ball(T), K, version=version)
            if any(learning(ball(T), K + 2) > value for value in values.values()):
                break
        winner = values.pop(bounds.theorem_2_best_K(T, version=version) + shift, arb("inf"))
        return all(winner < other for other in values.values())

    games = list(product((1, 2, 7, 100, 1000, 10**5, 10**6), VERSIONS))
    return none_of("another resolution may be as good, in balls", games, lambda game: not wins(*game))


# ----- unknown horizon -----------------------------------------------------------------------------------------


@chapter.claim(
    "sec:pseudo-KL-Cal/doubling",
    "Section 5, after Theorem 2",
    "the doubling trick",
    kind="symbolic",
    scope=step("merging cells"),
    controls={"0.99 of one divergence": {"share": Fraction(99, 100)}},
    proof="Chapter 5",
    steps=("merging cells", "thm:bound_pkcal"),
    uses=("thm:bound_pkcal/explicit",),
    rows=(83,),
)
def merging_cells(share: Fraction | int = 1) -> Evidence:
    r"""With fresh copies of Algorithm 1 for $1, 2, 4, \dots$ rounds, $\mathsf{PKLCal}$ of all rounds is at most its sum
    over the epochs, hence at most the sum of the bounds of Theorem 2, each at the grid of its epoch.

    Cells with k ones of n and h ones of m lose n KL(k/n, c) + m KL(h/m, c) >= 0 when they become one, c = (k+h)/(n+m).
    """
    k, h, n, m, q, r = sp.symbols("k h n m q r", positive=True)

    def cost(ones: Any, mass: Any, q: Any, r: Any) -> Any:
        return ones * sp.log(ones / (mass * q)) + (mass - ones) * sp.log((mass - ones) / (mass * r))

    c = (k + h) / (n + m)
    apart = cost(k, n, q, r) + cost(h, m, q, r) - cost(k + h, n + m, q, r)
    gain = cost(k, n, c, 1 - c) + sp.Rational(share) * cost(h, m, c, 1 - c)
    return vanishing(
        r"two cells lose their divergences from the common mean when merged: so does the sum of "
        r"$n(\rho\log\frac\rho q + (1-\rho)\log\frac{1-\rho}r)$ for any $q, r > 0$, which is the calibration error "
        r"at $r = 1 - q$ and minus the refinement at $q = r = 1$",
        [apart - gain],
    )


def _epochs(T: arb, version: str) -> Any:
    total, left = arb(0), integer(T)
    for length in (2**m for m in range(left.bit_length())):
        total += theorem_2(ball(min(length, left)), ball(grids.resolution(length)), version)
        left -= length
    return total


recompute(
    "sec:pseudo-KL-Cal/doubling",
    ("doubling_trick", _epochs, [(T,) for T in (1, 2, 3, 7, 100, 10**6)], ("paper", *VERSIONS)),
)


# ----- Corollary 2, realised feedback --------------------------------------------------------------------------


chapter.statement(
    "cor:simultaneous_bounds_psreg/explicit",
    "Corollary 2, fourth bound",
    "all bounded proper losses, on every path",
    r"For all proper losses in $[-1, 1]$ at once $\mathsf{PSReg} \le 4\sqrt{T\,\mathsf{PCal}_2}$ with "
    r"$\mathsf{PCal}_2 \le \mathsf{PKLCal}$ in print and $\frac12\mathsf{PKLCal}$ sharpened, $\mathsf{PKLCal}$ bounded "
    r"by Theorem 2; of order $T^{2/3}(\log T)^{1/3}$ (cor:simultaneous_bounds_psreg/rates).",
    proof="Appendix C.4",
    steps=("thm:bound_pkcal", "pinsker", "appB:swap_regret_below_4_cal1", "sec1:cal1_below_cal2"),
    uses=("thm:bound_pkcal/explicit",),
    rows=(88,),
)
recompute(
    "cor:simultaneous_bounds_psreg/explicit",
    (
        "corollary_2",
        lambda T, K, version: 4 * (T * theorem_2(T, K, version) / (1 if version == "paper" else 2)).sqrt(),
        GAMES,
        ("paper", "sharpened"),
    ),
)

chapter.statement(
    "new:realised-explicit",
    "new",
    "realised feedback, explicit",
    r"Algorithm 1 fed with its own draws has $\mathbb E[\mathsf{KLCal}] \le (K+1)\log(1 + \frac T{K+1}) + cT$ against "
    r"adaptive outcomes, $c = \tan^2\frac\pi{2K}$ or $2\log\sec$ of the same angle ($\frac\pi8$ at $K = 2$): the "
    "right-hand side of Theorem 2, for another quantity and in expectation.",
    proof="Chapter 8",
    steps=("new:laplace-in-buckets", "new:realised", "lem:rounding/supremum", "new:rounding-log-secant"),
)
recompute("new:realised-explicit", ("realised_in_expectation", theorem_2, GAMES, VERSIONS))
