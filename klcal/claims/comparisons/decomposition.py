r"""Losses split into calibration, resolution and uncertainty."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from itertools import product

import sympy as sp

from klcal.claims._combinators import jointly, vanishing
from klcal.claims._evidence import Evidence
from klcal.claims._legacy import Claim
from klcal.claims.comparisons._common import CHAPTER


class _Mean:
    """A number between 0 and 1 with the logarithms of itself and of its complement, as symbols."""

    def __init__(self, name: str, value: sp.Expr | None = None) -> None:
        self.value = sp.Symbol(name) if value is None else value
        self.log, self.log_complement = sp.symbols(f"log_{name} log_1-{name}")

    def entropies(self) -> tuple[sp.Expr, sp.Expr]:
        """Return what the mean itself loses per round: under the squared loss, and under the log loss."""
        x = self.value
        return x * (1 - x), -x * self.log - (1 - x) * self.log_complement

    def divergences(self, p: _Mean) -> tuple[sp.Expr, sp.Expr]:
        x = self.value
        kl = x * (self.log - p.log) + (1 - x) * (self.log_complement - p.log_complement)
        return (x - p.value) ** 2, kl

    def losses(self, p: _Mean) -> tuple[sp.Expr, sp.Expr]:
        """Return the loss per round of the forecast p on outcomes with this mean."""
        x, q = self.value, p.value
        return x * (1 - q) ** 2 + (1 - x) * q**2, -x * p.log - (1 - x) * p.log_complement


def split(sign: int = -1) -> Evidence:
    r"""Check both splits as algebra: one cell against its mean, and two cells against the overall mean.

    The first makes the loss of a cell its calibration error plus :math:`n_p H(\rho_p)`. The second makes
    :math:`\sum_p n_p H(\rho_p)` uncertainty minus resolution, for two cells and so, merging one after the other, for
    any number. Logarithms are symbols: :math:`\log\frac xp = \log x - \log p` is all that is used of them.

    Parameters
    ----------
    sign : int
        Sign of the resolution.
    """
    n, m = sp.symbols("n m", positive=True)
    x, y, p = _Mean("x"), _Mean("y"), _Mean("p")
    mean = _Mean("mean", (n * x.value + m * y.value) / (n + m))
    parts = []
    for which in (0, 1):
        parts.append(sp.expand(x.losses(p)[which] - x.divergences(p)[which] - x.entropies()[which]))
        resolution = n * x.divergences(mean)[which] + m * y.divergences(mean)[which]
        refinement = n * x.entropies()[which] + m * y.entropies()[which]
        parts.append(sp.cancel((n + m) * mean.entropies()[which] + sign * resolution - refinement))
    return vanishing("loss = calibration error + refinement, refinement = uncertainty - resolution", parts)


def split_in_fractions(shift: Fraction = Fraction(0)) -> Evidence:
    """Check the split of the squared loss on all games of four rounds with three forecasts, in fractions.

    Parameters
    ----------
    shift : Fraction
        Added to the resolution.
    """
    points = (Fraction(0), Fraction(1, 3), Fraction(1))
    wrong = games = 0
    for forecasts, outcomes in product(product(points, repeat=4), product((0, 1), repeat=4)):
        games += 1
        rounds = list(zip(forecasts, outcomes, strict=True))
        loss = sum((p - y) ** 2 for p, y in rounds)
        mean = Fraction(sum(outcomes), 4)
        error = resolution = Fraction(0)
        for point in set(forecasts):
            met = [y for p, y in rounds if p == point]
            rho = Fraction(sum(met), len(met))
            error += len(met) * (rho - point) ** 2
            resolution += len(met) * (rho - mean) ** 2
        wrong += loss != error - resolution - shift + 4 * mean * (1 - mean)
    text = (
        "games in which the squared loss is not Cal_2 - resolution + uncertainty, all of four rounds, exact"
    )
    return Evidence(wrong, 0, "==", text, {"games": games})


def murphy() -> Evidence:
    """Check the split as algebra, and in fractions on all short games."""
    return jointly(split(), split_in_fractions())


CLAIMS: tuple[Claim, ...] = (
    Claim(
        label="new:murphy",
        number="new",
        title="loss = calibration - resolution + uncertainty",
        kind="symbolic",
        chapter=CHAPTER,
        statement="With the overall mean y, the total squared loss is Cal_2 - sum n_p (rho_p - y)^2 + T y(1-y), and "
        "the total log loss is KLCal - sum n_p KL(rho_p, y) + T H(y); so external regret is swap regret minus "
        "resolution.",
        uses=("prop:swap_reg_breg_div",),
        check=murphy,
        spoil=(partial(split, 1), partial(split_in_fractions, Fraction(1, 100))),
    ),
)
