r"""Forecasters that follow a mean: what they promise under both losses."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product

import sympy as sp

from klcal.claims._combinators import jointly, none_of, vanishing, worst
from klcal.claims._evidence import Evidence, cases, step
from klcal.claims._ledger import Chapter
from klcal.exact.arithmetic import harmonic
from klcal.forecasters.baselines import RunningMean

chapter = Chapter("10_comparisons")

HALF = Fraction(1, 2)


def means(outcomes: Sequence[int], first: Fraction) -> Iterator[tuple[Fraction, int]]:
    """Yield the mean of the earlier outcomes, `first` before there are any, with the outcome that follows."""
    for n, y in enumerate(outcomes):
        yield Fraction(sum(outcomes[:n]), n) if n else first, y


def squared_regret(outcomes: Sequence[int], first: Fraction) -> Fraction:
    """Return the external regret of these means under the squared loss."""
    mean = Fraction(sum(outcomes), len(outcomes))
    lost = sum(((w - y) ** 2 for w, y in means(outcomes, first)), Fraction(0))
    return lost - len(outcomes) * mean * (1 - mean)


@chapter.claim(
    "new:follow-the-leader",
    "new",
    "the running mean: logarithmic under the squared loss, infinite under the log loss",
    kind="symbolic",
    scope=step("one round"),
    controls={"$n+1.01$ in place of $n+1$": {"added": Fraction(101, 100)}},
    uses=("new:laplace-in-buckets",),
    credit="well known; see Cesa-Bianchi and Lugosi 2006",
)
def one_round(added: Fraction = Fraction(1)) -> Evidence:
    r"""The running mean $w_t$, started at $\frac12$, has the external regret
    $\sum_t\frac{(w_t-y_t)^2}t \le 1+\frac12+\dots+\frac1T-\frac34$ under the squared loss, with equality at $T = 2$
    for unequal outcomes; under the log loss its regret is infinite as soon as both outcomes have occurred.

    With $V_n = nw(1-w)$ for the best constant, $V_{n+1} = V_n+\frac n{n+1}(w-y)^2$.
    """
    n, w, y = sp.symbols("n w y", positive=True)
    after = (n * w + y) / (n + 1)
    growth = (w - y) ** 2 - ((n + 1) * after * (1 - after) - n * w * (1 - w))
    wanted = (w - y) ** 2 / (n + sp.Rational(added))
    return vanishing(
        r"one round adds $(w-y)^2/(n+1)$ to the regret, for $y = 0$ and $y = 1$",
        [sp.cancel((growth - wanted).subs(y, outcome)) for outcome in (0, 1)],
    )


@chapter.evidence(
    "new:follow-the-leader",
    kind="exact",
    scope=cases("all sequences of 2 to 10 outcomes"),
    controls={"0.01 less": {"spare": Fraction(1, 100)}, "a prior of 1/100": {"prior": 0.01}},
)
def all_short_sequences(spare: Fraction = Fraction(0), prior: float = 0.0) -> Evidence:
    """The regret in fractions, the forecasts of the package, and the certain forecasts among them."""
    sequences = [outcomes for T in range(2, 11) for outcomes in product((0, 1), repeat=T)]
    mixed = [outcomes for outcomes in product((0, 1), repeat=3) if 0 < sum(outcomes) < 3]

    def is_finite(outcomes: tuple[int, ...]) -> bool:
        forecasts = RunningMean(prior).forecasts(outcomes).tolist()
        return all(p != 1 - y for p, y in zip(forecasts, outcomes, strict=True))

    return jointly(
        worst(
            "regret minus its bound",
            sequences,
            lambda outcomes: (
                squared_regret(outcomes, HALF) - (harmonic(len(outcomes)) - Fraction(3, 4) - spare)
            ),
            0,
        ),
        none_of(
            "sequences on which `RunningMean` does not forecast these means",
            [outcomes for outcomes in sequences if len(outcomes) == 8],
            lambda outcomes: (
                RunningMean().forecasts(outcomes).tolist() != [float(w) for w, _ in means(outcomes, HALF)]
            ),
        ),
        none_of("sequences of three outcomes, not all equal, with a finite log loss", mixed, is_finite),
    )
