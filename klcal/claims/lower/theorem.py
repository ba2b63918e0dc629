"""Claims of chapter 12: Theorem L, and where its power passes the logarithm."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from flint import arb

from klcal import bounds
from klcal.claims._combinators import above, at_least, at_most, below, jointly
from klcal.claims._evidence import Evidence, all_cases, step
from klcal.claims._ledger import Chapter
from klcal.claims.constants.formulas import recompute
from klcal.exact import lower_bound
from klcal.exact.balls import ball, precision

chapter = Chapter("12_lower_bound")

LEMMAS = (
    "new:lower/freeze",
    "new:lower/cells",
    "new:lower/noise",
    "new:lower/sound",
    "new:lower/usable",
    "new:lower/walk",
    "new:lower/epochs",
    "new:lower/time",
)


@chapter.claim(
    "new:lower",
    "Theorem L",
    "a lower bound of order T^(1/6)",
    kind="certified",
    scope=step("the conclusion"),
    controls={
        r"$5.4\cdot10^{-8}$ in place of $5\cdot10^{-8}$": {"constant": Fraction(54, 10**9)},
        "51.5 in place of 51.6": {"root": Fraction(515, 10)},
        r"$k \ge 15$ in place of 16": {"first": 15},
    },
    steps=(*LEMMAS, "the conclusion", "pinsker"),
    uses=("new:lower/coin",),
)
def conclusion(
    constant: Fraction = Fraction(5, 10**8), root: Fraction = Fraction(516, 10), first: int = 16
) -> Evidence:
    r"""For every $T \ge 1$ there is an adaptive adversary, the same for all forecasters, which knows $T$ and sees past
    forecasts and outcomes only, such that every forecaster has $\mathbb E[\mathsf{Cal}_2] \ge 5\cdot10^{-8}\,T^{1/6}$
    and $\mathbb E[\mathsf{KLCal}] \ge 10^{-7}\,T^{1/6}$. If $k = \lfloor(T/A)^{1/6}\rfloor \ge 16$ with $A =
    500\cdot2^{14}\cdot48^2$, then $\mathsf{Cal}_2 \ge 4.2\cdot10^{-6}k$ with probability at least $1 - ke^{-k/4} -
    0.01$.

    The failures sum to less than $0.3$ for $k \ge 16$, and then the constants multiply.
    """
    A = 500 * lower_bound.PATIENCE * lower_bound.SPREAD**2
    with precision(128):
        k = arb(first)
        # Each term falls from here on, because k > 4.
        terms = (
            k * (-k / 4).exp(),
            k * ball(Fraction(37, 1000)) ** k,
            (k + 1) * arb(10) ** (-9 * k / 4),
            ball(Fraction(3, 1000)),
        )
        return jointly(
            below(terms[0] + terms[1] + terms[2] + terms[3], Fraction(3, 10), "all failures"),
            at_most(terms[1] + terms[2] + terms[3], Fraction(1, 100), "all but the first"),
            below(arb(A).root(6), root, "the sixth root of $A$"),
            at_least(
                Fraction(7, 10) * Fraction(42, 10**7) * Fraction(first, first + 1) / root,
                constant,
                "the constant",
            ),
            below(constant * first * root, Fraction(1, 4), "fair coins for smaller $T$"),
        )


recompute("new:lower", ("squares_lower_bound", lambda T: 5 * T.root(6) / 10**8, [(2,), (10**6,), (10**15,)]))


@chapter.claim(
    "new:lower/crossing",
    "Remark",
    "where the power passes the logarithm",
    kind="certified",
    scope=all_cases("T = 10^51 and T = 10^52"),
    controls={"10^51 in place of 10^52": {"late": 51}, "10^52 in place of 10^51": {"early": 52}},
)
def crossing(early: int = 51, late: int = 52) -> Evidence:
    r"""$5\cdot10^{-8}\,T^{1/6}$ is below $\frac16\log(T+2)$ at $T = 10^{51}$ and above it at $T = 10^{52}$."""

    def ratio(exponent: int) -> Any:
        T = arb(10) ** exponent
        return bounds.squares_lower_bound(T) / bounds.squares_log_lower_bound(T)

    return jointly(
        below(ratio(early), 1, "the quotient at the earlier $T$"),
        above(ratio(late), 1, "the quotient at the later $T$"),
    )
