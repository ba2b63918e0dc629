r"""Corollary 3: Cal_2 and the losses with a smooth univariate form; and the other algorithm that Section 6 names."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from itertools import product

import numpy as np
import numpy.typing as npt
import sympy as sp
from flint import arb, fmpq

from klcal import bounds
from klcal.claims._combinators import closed, jointly, vanishing
from klcal.claims._evidence import Evidence
from klcal.claims._legacy import Claim
from klcal.claims.constants._common import agrees
from klcal.claims.grids._common import positive
from klcal.claims.high_probability._common import CHAPTER, T, all_oblivious, covered
from klcal.exact.balls import ball, precision
from klcal.forecasters.baselines import FastSquaredBlumMansour
from klcal.games.deviations import Draws
from klcal.grids import resolution, uniform_grid
from klcal.measures import calibration_error, max_swap_regret
from klcal.measures.cells import Cells

BITS = 128
SMOOTHNESS = (1.0, 4.0, 16.0)


def _above(draws: Draws, delta: float, version: str, scale: float) -> npt.NDArray[np.bool_]:
    return np.asarray(draws.cal2 > scale * bounds.corollary_3(T, resolution(T), delta, version=version))


def _cells(draws: Draws, replicate: int) -> Cells:
    return Cells(draws.points, draws.count[replicate], draws.counts[replicate, 1])


def smooth_losses(constant: float = 0.5, replicates: int = 2) -> Evidence:
    """Check that no loss with |f''| <= G has a swap regret above G/2 Cal_2, on drawn cells, three G."""
    worst = 0.0
    for draws, G in product(all_oblivious(), SMOOTHNESS):
        for cells in (_cells(draws, r) for r in range(replicates)):
            worst = max(
                worst, max_swap_regret(cells, smoothness=G) / (constant * G * calibration_error(cells))
            )
    return Evidence(
        worst,
        1 + 1e-9,
        "<=",
        "largest swap regret over all losses with |f''| <= G, over G/2 Cal_2",
        {"G": SMOOTHNESS},
    )


def corollary_3(scale: float = 1.0) -> Evidence:
    """Check Corollary 3 for Algorithm 1 against every oblivious adversary, at T = 10^4, where it is not vacuous."""
    limit = float(bounds.corollary_3(T, resolution(T), 0.05))
    return jointly(
        covered(
            "Cal_2 against Corollary 3, sharpened",
            all_oblivious(),
            partial(_above, version="sharpened", scale=scale),
        ),
        Evidence(limit, T / 4, "<=", "the bound at delta = 1/20, against what always saying 1/2 guarantees"),
        smooth_losses(),
        closed("corollary-3-rate", "corollary-3-grid-term"),
    )


def regret_identity() -> Evidence:
    r"""Check that the mean with weight p added raises the least sum of squares by :math:`\frac{pS}{S+p}(w-y)^2`.

    So the regret of a learner that plays the mean grows by :math:`\frac{p^2}{S+p}(w-y)^2` in every round.
    """
    p, S, w, y = sp.symbols("p S w y", positive=True)
    later = (S * w + p * y) / (S + p)
    # The least sum of squares is Q + S (w - .)^2 around the mean w; Q drops out.
    growth = S * (w - later) ** 2 + p * (y - later) ** 2
    regret = p * (w - y) ** 2 - growth
    return vanishing(
        "one round of follow-the-leader under the squared loss",
        [growth - p * S / (S + p) * (w - y) ** 2, regret - p**2 / (S + p) * (w - y) ** 2],
    )


def regret_potential(slope: Fraction = Fraction(1)) -> Evidence:
    r"""Check :math:`\frac{p^2}{S+p} \le h(S+p) - h(S)` for :math:`0 < p \le 1`, h(s) = s up to 1 and 1 + log s beyond.

    Below 1 it says :math:`p \le S + p`; above 1, :math:`x \le -\log(1-x)`. Across 1, with :math:`S = a`,
    :math:`S + p = 1 + b`, :math:`b \le a \le 1`, the difference :math:`a - b + \log(1+b) - \frac{a^2}{1+b}` is concave
    in a, and at both ends, a = b and a = 1, it is :math:`\log(1+b) - \frac{b^2}{1+b}`. `slope` spoils the logarithm.
    """
    a, b = sp.symbols("a b", positive=True)
    across = a - b + sp.log(1 + b) - a**2 / (1 + b)
    direct = (1 - a) + sp.log(1 + b) - (1 + b - a) ** 2 / (1 + b)
    end = sp.log(1 + b) - b**2 / (1 + b)
    share = fmpq(slope.numerator, slope.denominator)
    return jointly(
        positive("log(1 + b) > b^2/(1 + b) on (0, 1]", lambda x: (1 + x).log() * share - x * x / (1 + x), 1),
        vanishing(
            "both ends and the concavity of the crossing case",
            [
                direct - across,
                across.subs(a, b) - end,
                sp.simplify(across.subs(a, 1) - end),
                sp.diff(across, a, 2) + 2 / (1 + b),
            ],
        ),
        positive("-log(1 - x) > x on (0, 1/2]", lambda x: -(1 - x).log() - x, Fraction(1, 2)),
    )


def rounding_variance() -> Evidence:
    r"""Check that linear rounding in a cell of width d costs :math:`q(1-q)d^2 \le d^2/4` under the squared loss."""
    q, d, y, z = sp.symbols("q d y z", real=True)
    w = z + q * d
    cost = (1 - q) * (z - y) ** 2 + q * (z + d - y) ** 2 - (w - y) ** 2
    return vanishing(
        "the cost of linear rounding is q(1 - q)d^2, at most d^2/4",
        [cost - q * (1 - q) * d**2, d**2 / 4 - q * (1 - q) * d**2 - (q - sp.Rational(1, 2)) ** 2 * d**2],
    )


def _pcal2_ball(rounds: int, K: int) -> arb:
    mass = ball(Fraction(rounds, K + 1))
    regret = mass if rounds <= K + 1 else 1 + mass.log()
    return (K + 1) * regret + ball(Fraction(rounds, 4 * K * K))


@precision(BITS)
def squared_loss(slope: Fraction = Fraction(1)) -> Evidence:
    """Check every step of PCal_2 <= sum h(S_i) + T/4K^2 for the squared-loss algorithm."""
    return jointly(
        regret_potential(slope),
        regret_identity(),
        rounding_variance(),
        agrees("(K + 1) h(T/(K + 1)) + T/4K^2", bounds.squared_loss_pcal2, _pcal2_ball),
    )


def squared_loss_games(scale: float = 1.0, rounds: int = 8) -> Evidence:
    """Play the squared-loss algorithm against all outcome sequences of `rounds` rounds on three grids."""
    worst = 0.0
    for K, bits in product((2, 3, 4), range(2**rounds)):
        algorithm = FastSquaredBlumMansour(uniform_grid(K))
        for t in range(rounds):
            algorithm.update(0, bits >> t & 1)
        mass = algorithm.expected.mass
        regrets = np.where(mass <= 1.0, mass, 1.0 + np.log(np.maximum(mass, 1.0)))
        limit = scale * (regrets.sum() + rounds / (4.0 * K**2))
        worst = max(worst, calibration_error(algorithm.expected) / limit)
    return Evidence(
        worst,
        1,
        "<=",
        "PCal_2 over its bound, all outcome sequences of eight rounds, K = 2, 3, 4",
        {"rounds": rounds},
    )


CLAIMS: tuple[Claim, ...] = (
    Claim(
        label="cor:cal_2_hp_bound",
        number="Corollary 3",
        title="Cal_2 of Algorithm 1, and all losses with a smooth univariate form",
        kind="statistical",
        chapter=CHAPTER,
        statement="Algorithm 1 at resolution K has, for oblivious outcomes and with probability at least 1 - "
        "delta, Cal_2 <= 3/2 PKLCal + 24(e-2)(K+1) log(3(K+1)/delta) = O(T^(1/3) (log T)^(-1/3) log(T/delta)), "
        "and then the swap regret of every bounded proper loss with |f''| <= G is at most G/2 times as large.",
        uses=(
            "thm:high_prob_bound/coverage",
            "cor:cal_2_hp_bound/explicit",
            "cor:cal_2_hp_bound/expectation",
            "prop:bound_breg_div_quadratically",
        ),
        check=corollary_3,
        spoil=(partial(corollary_3, 0.02), partial(smooth_losses, 0.49)),
        rows=(100,),
    ),
    Claim(
        label="sec:bound_calibration/squared-loss",
        number="Section 6, the squared-loss algorithm",
        title="PCal_2 of Blum-Mansour with follow-the-leader",
        kind="certified",
        chapter=CHAPTER,
        statement="On the uniform grid with K cells, learners that play the weighted mean of their outcomes, "
        "linear rounding and any stationary mixture have PCal_2 <= sum h(S_i) + T/4K^2 <= (K+1) h(T/(K+1)) + "
        "T/4K^2 on every path, h(s) = s up to 1 and 1 + log s beyond; so Theorem 3 gives the order of Corollary "
        "3.",
        uses=("alg:BM_log_loss/reduction", "thm:high_prob_bound/coverage"),
        check=squared_loss,
        spoil=(partial(squared_loss, Fraction(7, 10)),),
    ),
    Claim(
        label="sec:bound_calibration/squared-loss-games",
        number="Section 6, the squared-loss algorithm",
        title="all games of eight rounds",
        kind="numeric",
        chapter=CHAPTER,
        statement="In every game of eight rounds on the uniform grids with 2, 3 and 4 cells, PCal_2 of the "
        "squared-loss algorithm is at most sum h(S_i) + T/4K^2.",
        uses=("sec:bound_calibration/squared-loss",),
        check=squared_loss_games,
        spoil=(partial(squared_loss_games, 0.3),),
    ),
)
