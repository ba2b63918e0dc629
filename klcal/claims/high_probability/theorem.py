r"""Theorem 3 (Theorem 4 in other numberings): false for any algorithm, its repair, and where both hold."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import partial

import numpy as np
import numpy.typing as npt
import sympy as sp
from flint import arb

from klcal import bounds
from klcal.claims._combinators import jointly, vanishing
from klcal.claims._evidence import Evidence
from klcal.claims._legacy import Claim
from klcal.claims.high_probability._common import CHAPTER, all_oblivious, covered, replayed
from klcal.exact.balls import ball, lower, precision, upper
from klcal.exact.counterexamples.games import ExactCells
from klcal.exact.counterexamples.stopping import failure_table, stopped_game, stopped_pcal2
from klcal.games.deviations import Draws

BITS = 128


def kappa() -> arb:
    """Return e - 2."""
    return arb(1).exp() - 2


# ----- the repaired statement --------------------------------------------------------------------------------------


def one_step() -> Evidence:
    r"""Check that :math:`X = (1\{i_t=i\} - P)(z - y)` has mean 0 and second moment :math:`P(1-P)(z-y)^2`."""
    P, x = sp.symbols("P x", real=True)
    mean = P * (1 - P) * x + (1 - P) * (-P) * x
    square = P * ((1 - P) * x) ** 2 + (1 - P) * (P * x) ** 2
    return vanishing(
        "one draw has mean 0 and variance P(1 - P)(z - y)^2", [mean, square - P * (1 - P) * x**2]
    )


def nearby_rate(width: Fraction) -> Evidence:
    r"""Check that some power of 1/2 makes :math:`\kappa\mu S + L/\mu` at most :math:`w\sqrt{\kappa SL}`, w^2 = `width`.

    With :math:`v = \mu^2\kappa S/L` the left side is :math:`(\sqrt v + 1/\sqrt v)\sqrt{\kappa SL}`, and the
    powers of 1/2 let v be chosen from [1/2, 2]. There :math:`(v+1)^2/v`, which is convex, is largest at the ends.
    """
    v = sp.symbols("v", positive=True)
    convex = sp.diff((v + 1) ** 2 / v, v, 2) - 2 / v**3
    ends = max((end + 1) ** 2 / end for end in (Fraction(1, 2), Fraction(2)))
    return jointly(
        Evidence(ends, width, "<=", "(v + 1)^2/v at v = 1/2 and 2"),
        vanishing("(v + 1)^2/v has second derivative 2/v^3", [convex]),
    )


@precision(BITS)
def rates_suffice(spare: int = 0) -> Evidence:
    r"""Check that rates down to :math:`2^{-J}`, :math:`4^J \ge T`, reach every mass: :math:`\kappa S/L \le 2\cdot4^J`.

    Since :math:`S \le T` and :math:`L \ge \log4`, this needs :math:`\kappa/\log4 \le 2`. `spare` rates fewer
    would not do.
    """
    return Evidence(upper(kappa() / arb(4).log() * 4**spare), 2, "<=", "kappa S/L over 4^J, at most")


def cell_by_cell(width: Fraction, cost: Fraction) -> Evidence:
    r"""Check what a cell adds, over :math:`\kappa L`, if counts and sums deviate by :math:`w\sqrt{\kappa SL}`.

    From :math:`S = 4w^2\kappa L` on, :math:`n \ge S/2`, and the cell adds :math:`6M^2/S \le 6w^2\kappa L` to
    three times its part of PCal_2. Below, it is at most :math:`n \le S + w\sqrt{\kappa SL}`, which increases with
    S.
    """
    v, w = sp.symbols("v w", positive=True)
    border = 4 * w**2
    many, few = 6 * (w * sp.sqrt(v)) ** 2 / v, border + w * sp.sqrt(border)
    return jointly(
        Evidence(
            6 * width, cost, "<=", "6 w^2, what a cell costs over kappa L at the border of the two cases"
        ),
        vanishing(
            "half the mass at the border, and both cases cost 6 w^2 there",
            [border / 2 - w * sp.sqrt(border), many - 6 * w**2, few - 6 * w**2],
        ),
    )


@precision(BITS)
def smallest_cells(cost: Fraction) -> Evidence:
    r"""Check cells with :math:`\kappa S < L/2`, where mu = 1 is the nearest rate: n <= (1 + kappa)S + L."""
    inside = (1 + kappa()) / (2 * kappa()) + 1
    return Evidence(upper(inside / kappa()), float(cost), "<=", "n over kappa L where kappa S < L/2")


def repaired(width: Fraction = Fraction(9, 2), cost: Fraction = Fraction(27), spare: int = 0) -> Evidence:
    r"""Check every analytic step of Cal_2 <= 3 PCal_2 + 27(e-2)|Z| log(4|Z|(1+J)/delta), for every algorithm.

    Freedman's inequality (``lem:Freedman/scalar`` gives its constant e - 2) is used at 1 + J fixed rates, for
    both tails of two sums at every point; the rest is here.
    """
    return jointly(
        cell_by_cell(width, cost),
        nearby_rate(width),
        rates_suffice(spare),
        smallest_cells(cost),
        one_step(),
    )


# ----- the counterexample ------------------------------------------------------------------------------------------


def pseudo_is_small(largest: int = 40) -> Evidence:
    r"""Check PCal_2 <= 1 for every T >= 6 and every even stop: all T up to `largest` exactly, the others by a bound.

    If m = T - s is odd, PCal_2 is convex in m, hence at most its larger value at m = 1 and m = T, which falls with T.
    """
    games = [(T, stop) for T in range(6, largest + 1) for stop in range(0, T + 1, 2)]
    exact = {game: ExactCells.from_rounds(*stopped_game(*game)).calibration_error(2) for game in games}
    T = Fraction(largest + 1)
    beyond = max(4 / T, Fraction(25, 4) / T, Fraction(1, 4) + Fraction(5, 2) / T + Fraction(7, 2) / T**2)
    m, t = sp.symbols("m t", positive=True)
    odd = (t - m) / (2 * t**2) + m * (2 / t + 1 / (2 * m)) ** 2
    ends = [
        odd.subs(m, 1) - (sp.Rational(1, 4) + sp.Rational(5, 2) / t + sp.Rational(7, 2) / t**2),
        odd.subs(m, t) - sp.Rational(25, 4) / t,
        sp.diff(odd, m, 2) - 1 / (2 * m**3),
    ]
    return jointly(
        Evidence(
            max(*exact.values(), beyond),
            1,
            "<=",
            "PCal_2 of the stopped forecaster, in fractions, every T >= 6",
        ),
        Evidence(
            sum(value != stopped_pcal2(*game) for game, value in exact.items()),
            0,
            "==",
            "its formula, same games",
        ),
        vanishing("its value at m = 1 and m = T, and its second derivative 1/(2m^3)", ends),
    )


def walk_moments(fourth: int = 3, largest: int = 60) -> Evidence:
    r"""Check :math:`P(W_N^2 \ge N/4) \ge \frac3{16}` for a simple random walk, by its second and fourth moment.

    :math:`\mathbb E W^4 = 3N^2 - 2N`, by induction, and the inequality of Paley and Zygmund. Exactly up to N =
    `largest`.
    """
    N, w = sp.symbols("N w")
    step = sp.expand(((w + 1) ** 4 + (w - 1) ** 4) / 2 - (w**4 + 6 * w**2 + 1))
    moment = fourth * N**2 - 2 * N
    induction = sp.expand(moment.subs(N, N + 1) - (moment + 6 * N + 1))
    smallest = Fraction(1)
    for n in range(1, largest + 1):
        far = sum(math.comb(n, k) for k in range(n + 1) if 4 * (2 * k - n) ** 2 >= n)
        smallest = min(smallest, Fraction(far, 2**n))
    return jointly(
        Evidence(
            smallest, Fraction(3, 16), ">=", "smallest probability of |W_N| >= sqrt(N)/2, N up to 60, exactly"
        ),
        vanishing("E W^4 = 3N^2 - 2N, by induction", [step, induction]),
        Evidence(Fraction(9, 16) / fourth, Fraction(3, 16), ">=", "(1 - 1/4)^2 (E W^2)^2/E W^4"),
    )


@precision(BITS)
def threshold(delta: Fraction) -> arb:
    """Return 6 + 96 |Z| log(4|Z|/delta) for three points: the printed bound where PCal_2 = 1."""
    return 6 + 3 * 96 * (12 / ball(delta)).log()


@precision(BITS)
def counterexample(delta: Fraction = Fraction(1, 20), pieces: int = 128) -> Evidence:
    r"""Show that the printed bound fails with a probability above delta for a certain algorithm and a certain T.

    The forecaster of `klcal.exact.counterexamples.stopping` stops at the first even t with :math:`M_t^2/n_t > \Theta`,
    the printed bound where PCal_2 = 1. As :math:`n_t \le t` it suffices that the walk :math:`W = 4M` has
    :math:`W_t^2 > 16\Theta t`. Look at :math:`t_j = 2^{j+1}k`. The rounds from :math:`t_{j-1}` to :math:`t_j` are
    k stretches of length :math:`2^j`, each of which goes by at least half its root in the direction of
    :math:`W_{t_{j-1}}` with probability at least 3/32; if all do, :math:`W^2 \ge \frac k8 t_j`. With k > 128
    Theta one of m = 2 (32/3)^k attempts succeeds with probability above :math:`1 - e^{-2}`.

    Parameters
    ----------
    delta : Fraction
        Failure probability that the printed bound promises.
    pieces : int
        k is the first integer above this multiple of Theta.
    """
    theta = threshold(delta)
    k = math.floor(upper(pieces * theta)) + 1
    return jointly(
        Evidence(
            lower(1 - arb(-2).exp()),
            float(delta),
            ">",
            "probability that the printed bound fails, at least",
            {"delta": str(delta), "stretches": k},
            counterexample=f"Z = {{1/2, 1/2 + 1/T, 1/2 + 2/T}}, outcomes 0, 1, 0, 1, ..., T = 2^(m+1) k with m = "
            f"ceil(2 (32/3)^k), k = {k}; mix the first two points evenly until M^2/n > {upper(theta):.6g} after "
            "an even number of rounds, then forecast the third",
        ),
        Evidence(lower(arb(k) / 8 - 16 * theta), 0, ">", "W^2/t - 16 Theta after a success"),
        pseudo_is_small(),
        walk_moments(),
    )


@precision(BITS)
def feasible(exponent: int = 7382) -> Evidence:
    r"""Check that the repaired bound is below the printed one for :math:`T \le 2^{7382}` and at least two points.

    :math:`27\kappa\log\frac{4|Z|(1+J)}\delta \le 96\log\frac{4|Z|}\delta` says :math:`\log(1+J) \le
    (\frac{96}{27\kappa} - 1)\log\frac{4|Z|}\delta`; the right side is smallest at two points and delta = 1.
    """
    rates = 1 + -(-exponent // 2)
    right = (96 / (27 * kappa()) - 1) * arb(8).log()
    largest_float = min(exponent, 1000)
    ratio = bounds.theorem_3(0.0, 2, 1.0, T=2**largest_float, version="repaired") / bounds.theorem_3(
        0.0, 2, 1.0, version="paper"
    )
    return jointly(
        Evidence(
            upper(arb(rates).log()),
            lower(right),
            "<=",
            "log(1 + J) against what the printed constant can spare",
        ),
        Evidence(
            ratio, 1.0, "<=", "repaired over printed bound by klcal.bounds, two points, delta = 1, T = 2^1000"
        ),
    )


# ----- the same at a horizon that can be played --------------------------------------------------------------------


def stopping(T: int = 64, constant: Fraction = Fraction(5, 4), delta: Fraction = Fraction(1, 20)) -> Evidence:
    """Show exactly that a bound which every fixed stop keeps is broken by stopping at a bad moment."""
    table = failure_table(T, constant, exact=True)
    return jointly(
        Evidence(
            Fraction(table.stopped[-1]),
            delta,
            ">",
            "probability that stopping when the draws look bad breaks the bound, in integers",
            {"T": T, "constant": str(constant), "delta": str(delta)},
        ),
        Evidence(
            Fraction(max(table.fixed)), delta, "<=", "the same for the worst of all stops fixed in advance"
        ),
    )


# ----- coverage ----------------------------------------------------------------------------------------------------


def _exceeds(draws: Draws, delta: float, version: str, horizon: int, scale: float) -> npt.NDArray[np.bool_]:
    bound = bounds.theorem_3(draws.pcal2, len(draws.points), delta, T=horizon, version=version)
    return np.asarray(draws.cal2 > scale * bound)


def known_in_advance(scale: float = 1.0) -> Evidence:
    """Check the sharpened bound for the two algorithms whose mixtures depend on the outcomes alone."""
    games = [*all_oblivious(), *all_oblivious("squared")]
    failing = partial(_exceeds, version="sharpened", horizon=10_000, scale=scale)
    return covered(
        "Cal_2 against the sharpened bound, Algorithm 1 and the squared-loss algorithm", games, failing
    )


# Games in which the draws feed back: into the mixtures, into the outcomes, or into both.
FEEDBACK = (("blocks", "realised"), ("greedy realised", "paper"), ("greedy realised", "realised"))


def with_feedback(scale: float = 1.0) -> Evidence:
    """Check the repaired bound where mixtures or outcomes depend on the draws."""
    games = [replayed(adversary, algorithm) for adversary, algorithm in FEEDBACK]
    failing = partial(_exceeds, version="repaired", horizon=10_000, scale=scale)
    return covered("Cal_2 against the repaired bound, draws feeding back", games, failing)


CLAIMS: tuple[Claim, ...] = (
    Claim(
        label="thm:high_prob_bound",
        number="Theorem 3 (Theorem 4 in other numberings)",
        title="from PCal_2 to Cal_2 with high probability",
        kind="certified",
        chapter=CHAPTER,
        statement="For any algorithm with forecasts in a finite set Z, with probability at least 1 - delta, "
        "Cal_2 <= 6 PCal_2 + 96 |Z| log(4|Z|/delta). False: the rates in Freedman's inequality are tuned to "
        "masses that may depend on the draws. The counterexample is asymptotic; at any horizon that can be "
        "played the bound is true.",
        uses=("lem:Freedman", "lem:Freedman/scalar", "thm:high_prob_bound/explicit"),
        check=repaired,
        spoil=(
            partial(repaired, width=Fraction(449, 100)),
            partial(repaired, cost=Fraction(2699, 100)),
            partial(repaired, spare=1),
            partial(counterexample, pieces=127),
            partial(walk_moments, 2),
        ),
        refute=counterexample,
        severity="statement",
        repair="For every algorithm, also against outcomes that depend on earlier draws, with probability at "
        "least 1 - delta, Cal_2 <= 3 PCal_2 + 27(e-2) |Z| log(4|Z|(1+J)/delta), J = ceil(log2(T)/2).",
        rows=(95, 96, 98, 101),
    ),
    Claim(
        label="thm:high_prob_bound/feasible",
        number="Theorem 3, printed constants",
        title="true for every algorithm up to T = 2^7382",
        kind="certified",
        chapter=CHAPTER,
        statement="For at least two points, every delta and every T up to 2^7382 the repaired bound is below the "
        "printed one, so the printed one holds for every algorithm at these T. (With one point Cal_2 = PCal_2.)",
        uses=("thm:high_prob_bound",),
        check=feasible,
        spoil=(partial(feasible, 7383),),
        rows=(95,),
    ),
    Claim(
        label="thm:high_prob_bound/stopping",
        number="Theorem 3, the gap",
        title="stopping at a bad moment, at T = 64",
        kind="exact",
        chapter=CHAPTER,
        statement="Mix 1/2 and 1/2 + 1/T evenly, then forecast 1/2 + 2/T, outcomes alternating, T = 64. Whatever "
        "the time of the change, if it is fixed in advance, Cal_2 <= 6 PCal_2 + 5/4 holds with probability at "
        "least 95%. If the forecaster changes when its draws look bad, it does not.",
        uses=("thm:high_prob_bound",),
        check=stopping,
        spoil=(partial(stopping, 8), partial(stopping, constant=Fraction(1, 2))),
        rows=(95, 96),
    ),
    Claim(
        label="thm:high_prob_bound/coverage",
        number="Theorem 3, sharpened",
        title="mixtures known in advance",
        kind="statistical",
        chapter=CHAPTER,
        statement="If outcomes are oblivious and mixtures are a function of them, then with probability at least "
        "1 - delta Cal_2 <= 3 PCal_2 + 24(e-2) |Z| log(3|Z|/delta). Checked on Algorithm 1 and on the "
        "squared-loss algorithm, against every oblivious adversary.",
        uses=("thm:high_prob_bound/explicit", "lem:Freedman"),
        check=known_in_advance,
        spoil=(partial(known_in_advance, 0.02),),
        rows=(95, 99),
    ),
    Claim(
        label="thm:high_prob_bound/adaptive",
        number="Theorem 3, repaired",
        title="draws that feed back",
        kind="statistical",
        chapter=CHAPTER,
        statement="The repaired bound holds with probability at least 1 - delta in games whose draws feed back "
        "into the mixtures (realised feedback), into the outcomes (an adaptive adversary), or into both.",
        uses=("thm:high_prob_bound",),
        check=with_feedback,
        spoil=(partial(with_feedback, 0.01),),
        rows=(101,),
    ),
)
