r"""One forecaster per bin of a model: what it guarantees, in exact fractions.

A cell of n rounds with k ones has the likelihood :math:`m(n, k) = (k/n)^k (1 - k/n)^{n-k} = e^{-nH(k/n)}` under its
own mean, a fraction, and :math:`e^{-n\,\mathrm{KL}(k/n, p)} = p^k (1-p)^{n-k} / m(n, k)`. Both inequalities of the
claim say that cutting a cell in two cannot lower the likelihood.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache, partial

from klcal.claims._combinators import jointly
from klcal.claims._evidence import Evidence
from klcal.claims._legacy import Claim

CHAPTER = "10_comparisons"
LONGEST = 10
# Forecasts of the model and of the forecasters in its bin.
POINTS = (Fraction(1, 10), Fraction(1, 2), Fraction(2, 3))


@cache
def own_likelihood(n: int, k: int) -> Fraction:
    """Return m(n, k), the likelihood of k ones in n rounds under their mean."""
    return likelihood(n, k, Fraction(k, n)) if n else Fraction(1)


@cache
def likelihood(n: int, k: int, p: Fraction) -> Fraction:
    """Return the likelihood of k ones in n rounds under the forecast p."""
    return p**k * (1 - p) ** (n - k)


def _cuts(longest: int) -> Iterator[tuple[int, int, int, int]]:
    """Yield every way to cut a cell of at most `longest` rounds into two cells with at least one round each."""
    for n in range(2, longest + 1):
        for first in range(1, n):
            for k_first in range(first + 1):
                for k_second in range(n - first + 1):
                    yield first, k_first, n - first, k_second


def together(times: int = 1) -> Evidence:
    """Check `times` the KLCal of two bins together against the sum of both, for all counts and some forecasts."""
    smallest = Fraction(10**9)
    for n, k, m, j in _cuts(LONGEST):
        for p in POINTS:
            merged = likelihood(n + m, k + j, p) / own_likelihood(n + m, k + j)
            apart = likelihood(n, k, p) / own_likelihood(n, k) * likelihood(m, j, p) / own_likelihood(m, j)
            smallest = min(smallest, merged**times / apart)
    text = f"smallest exp(sum of both - KLCal together), all cells of up to {LONGEST} rounds cut in two"
    return Evidence(smallest, 1, ">=", text, {"points": [str(p) for p in POINTS]})


def loss_in_a_bin(spared: bool = True) -> Evidence:
    """Check the log loss in one bin with two new forecasts; without the term of their KLCal if not `spared`."""
    smallest = Fraction(10**9)
    for n, k, m, j in _cuts(LONGEST):
        bound = own_likelihood(n + m, k + j)  # the model's loss minus its KLCal, whatever the model says
        for p, q in ((POINTS[0], POINTS[1]), (POINTS[1], POINTS[2])):
            ours = likelihood(n, k, p) * likelihood(m, j, q)
            price = ours / (own_likelihood(n, k) * own_likelihood(m, j)) if spared else Fraction(1)
            smallest = min(smallest, ours / (bound * price))
    text = f"smallest exp(bound - loss) in a bin of up to {LONGEST} rounds with two new forecasts"
    return Evidence(smallest, 1, ">=", text)


def both_inequalities() -> Evidence:
    """Check KLCal of several bins together, and the loss in each."""
    return jointly(together(), loss_in_a_bin())


CLAIMS: tuple[Claim, ...] = (
    Claim(
        label="new:one-forecaster-per-bin",
        number="new",
        title="one forecaster per bin: calibrated, and better than the model by its calibration error",
        kind="exact",
        chapter=CHAPTER,
        statement="Sort the rounds by a model's forecasts q into bins and run any forecaster in each. With KLCal_q "
        "that of the forecaster in bin q: KLCal of all rounds together is at most the sum of the KLCal_q, and the log "
        "loss is at most that of the model, minus the model's KLCal, plus the sum of the KLCal_q.",
        uses=("prop:swap_reg_breg_div", "new:murphy"),
        check=both_inequalities,
        spoil=(partial(together, 2), partial(loss_in_a_bin, False)),
    ),
)
