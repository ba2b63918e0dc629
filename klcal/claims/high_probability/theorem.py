r"""Theorem 3 (Theorem 4 in other numberings): false for any algorithm, its repair, and where both hold."""

from __future__ import annotations

import math
from fractions import Fraction

import sympy as sp
from flint import arb

from klcal import bounds
from klcal.claims._combinators import above, at_most, equal, jointly, none_of, smallest, vanishing, worst
from klcal.claims._evidence import Evidence, all_cases, step
from klcal.claims._ledger import Chapter
from klcal.exact.balls import ball, precision, upper
from klcal.exact.binomial import binomial_expectation
from klcal.exact.cells import ExactCells
from klcal.exact.counterexamples.stopping import failure_table, stopped_game, stopped_pcal2

chapter = Chapter("07_high_probability")


chapter.statement(
    "thm:high_prob_bound",
    "Theorem 3 (Theorem 4 in other numberings)",
    "from PCal_2 to Cal_2 with high probability",
    r"For any algorithm with forecasts in a finite set $\mathcal Z$, with probability at least $1 - \delta$, "
    r"$\mathsf{Cal}_2 \le 6\,\mathsf{PCal}_2 + 96|\mathcal Z|\log\frac{4|\mathcal Z|}\delta$. The rates in "
    "Freedman's inequality are tuned to masses that may depend on the draws. The counterexample is "
    "asymptotic: at any horizon that can be played the bound is true (thm:high_prob_bound/feasible).",
    proof="Chapter 7",
    repair=r"With $\kappa = e - 2$ and probability at least $1 - \delta$ each: (a) if the masses $S_i$ are known in "
    r"advance, for instance if outcomes are oblivious and mixtures a function of them, $\mathsf{Cal}_2 \le "
    r"3\,\mathsf{PCal}_2 + 24\kappa|\mathcal Z|\log\frac{3|\mathcal Z|}\delta$; (b) for every algorithm, also "
    r"if outcomes depend on earlier draws, with $J = \lceil\frac12\log_2T\rceil$, $\mathsf{Cal}_2 \le "
    r"3\,\mathsf{PCal}_2 + 27\kappa|\mathcal Z|\log\frac{4|\mathcal Z|(1+J)}\delta$.",
    severity="statement",
    uses=("lem:Freedman", "lem:Freedman/scalar", "thm:high_prob_bound/explicit"),
    rows=(95, 96, 98, 99, 101),
)


# ----- the counterexample ------------------------------------------------------------------------------------------


def pseudo_is_small() -> Evidence:
    r"""Check PCal_2 <= 1 for every T >= 6 and every even stop: all T up to 40 exactly, the others by a bound.

    If m = T - s is odd, PCal_2 is convex in m, hence at most its larger value at m = 1 and m = T, which falls with T.
    """
    games = [(T, stop) for T in range(6, 41) for stop in range(0, T + 1, 2)]
    exact = {game: ExactCells.from_rounds(*stopped_game(*game)).calibration_error(2) for game in games}
    T = Fraction(41)
    m, t = sp.symbols("m t", positive=True)
    odd = (t - m) / (2 * t**2) + m * (2 / t + 1 / (2 * m)) ** 2
    ends = [
        odd.subs(m, 1) - (sp.Rational(1, 4) + sp.Rational(5, 2) / t + sp.Rational(7, 2) / t**2),
        odd.subs(m, t) - sp.Rational(25, 4) / t,
        sp.diff(odd, m, 2) - 1 / (2 * m**3),
    ]
    return jointly(
        worst(
            r"$\mathsf{PCal}_2$ of the forecaster that stops, $6 \le T \le 40$, in fractions",
            games,
            exact.__getitem__,
            1,
        ),
        none_of(
            "games in which its formula says otherwise",
            games,
            lambda game: exact[game] != stopped_pcal2(*game),
        ),
        vanishing("its values at $m = 1$ and $m = T$, and its second derivative $1/(2m^3)$", ends),
        at_most(
            max(4 / T, Fraction(25, 4) / T, Fraction(1, 4) + Fraction(5, 2) / T + Fraction(7, 2) / T**2),
            1,
            "the bound that falls with $T$, beyond",
        ),
    )


def walk_moments(fourth: int = 3) -> Evidence:
    r"""Check :math:`P(W_N^2 \ge N/4) \ge \frac3{16}` for a simple random walk, by its second and fourth moment.

    :math:`\mathbb E W^4 = 3N^2 - 2N`, by induction, and the inequality of Paley and Zygmund.
    """
    N, w = sp.symbols("N w")
    moment = fourth * N**2 - 2 * N
    return jointly(
        vanishing(
            r"$\mathbb E W_N^4 = 3N^2 - 2N$, by induction",
            [
                sp.expand(((w + 1) ** 4 + (w - 1) ** 4) / 2 - (w**4 + 6 * w**2 + 1)),
                sp.expand(moment.subs(N, N + 1) - (moment + 6 * N + 1)),
            ],
        ),
        equal(
            Fraction(9, 16) / fourth,
            Fraction(3, 16),
            r"$(1-\frac14)^2(\mathbb E W^2)^2/\mathbb E W^4 \ge \frac3{16}$",
        ),
        smallest(
            r"smallest probability of $W_N^2 \ge \frac N4$, $N \le 60$, in fractions",
            range(1, 61),
            lambda n: binomial_expectation(n, Fraction(1, 2), lambda k: 4 * (2 * k - n) ** 2 >= n),
            Fraction(3, 16),
        ),
    )


@chapter.refutation(
    "thm:high_prob_bound",
    kind="exact",
    scope=step("how often to try, given the walk of Chapter 7"),
    controls={
        "127 in place of 128 stretches per unit": {"pieces": 127},
        "fourth moment of the walk 2/3 as large": {"fourth": 2},
    },
)
def counterexample(delta: Fraction = Fraction(1, 20), pieces: int = 128, fourth: int = 3) -> Evidence:
    r"""The printed bound fails with a probability above delta for a certain algorithm and a certain T.

    The forecaster of `klcal.exact.counterexamples.stopping` stops at the first even t with $M_t^2/n_t > \Theta$, the
    printed bound where PCal_2 = 1. As $n_t \le t$ it suffices that the walk $W = 4M$ has $W_t^2 > 16\Theta t$. Look at
    $t_j = 2^{j+1}k$. The rounds from $t_{j-1}$ to $t_j$ are k stretches of length $2^j$, each of which goes by at least
    half its root in the direction of $W_{t_{j-1}}$ (upwards if that is 0) with probability at least 3/32; if all do,
    $W^2 \ge \frac k8t_j$. With $k > 128\Theta$ one of $m = 2(32/3)^k$ attempts succeeds with probability above
    $1 - e^{-2}$.
    """
    with precision(128):
        theta = 6 + 3 * 96 * (12 / ball(delta)).log()
        k = math.floor(upper(pieces * theta)) + 1
        return jointly(
            above(
                1 - arb(-2).exp(),
                ball(delta),
                "probability that the printed bound fails, at least",
                stretches=k,
            ),
            above(arb(k) / 8 - 16 * theta, 0, r"$W^2/t - 16\Theta$ after a success, in balls"),
            pseudo_is_small(),
            walk_moments(fourth),
        ).against(
            rf"$\mathcal Z = \{{\frac12, \frac12 + \frac1T, \frac12 + \frac2T\}}$, outcomes $0, 1, 0, 1, \dots$, "
            rf"$T = 2^{{m+1}}k$ with $m = \lceil2(\frac{{32}}3)^k\rceil$, $k = {k}$; mix the first two points evenly "
            rf"until $M^2/n > {upper(theta):.6g}$ after an even number of rounds, then forecast the third"
        )


@chapter.claim(
    "thm:high_prob_bound/feasible",
    "Theorem 3, printed constants",
    "true for every algorithm up to T = 2^7382",
    kind="certified",
    controls={"$T = 2^{7383}$": {"exponent": 7383}},
    uses=("thm:high_prob_bound",),
    rows=(95,),
)
def feasible(exponent: int = 7382) -> Evidence:
    r"""For at least two points, every $\delta \in (0, 1]$ and every $T$ up to $2^{7382}$ the repaired bound (b) is
    below the printed one, so the printed one holds for every algorithm at these $T$. (With one point $\mathsf{Cal}_2 =
    \mathsf{PCal}_2$.)

    27 kappa log(4|Z|(1+J)/delta) <= 96 log(4|Z|/delta) says log(1+J) <= (96/(27 kappa) - 1) log(4|Z|/delta). The left
    side grows with T; the right side is smallest at two points and delta = 1.
    """
    with precision(128):
        none, one = (
            bounds.theorem_3(arb(pseudo), 2, 1, T=2**exponent, version="repaired") for pseudo in (0, 1)
        )
        printed, printed_one = (bounds.theorem_3(arb(pseudo), 2, 1, version="paper") for pseudo in (0, 1))
        return jointly(
            at_most(
                none,
                printed,
                r"the repaired bound at the largest $T$, two points, $\delta = 1$, against the printed one, in balls",
            ),
            at_most(one - none, printed_one - printed, r"what $\mathsf{PCal}_2$ is multiplied with"),
        )


@chapter.claim(
    "thm:high_prob_bound/stopping",
    "Theorem 3, the gap",
    "stopping at a bad moment, at T = 64",
    kind="exact",
    scope=all_cases("T = 64, all stops"),
    controls={"$T = 24$": {"T": 24}, r"$\frac78$ in place of $\frac54$": {"constant": Fraction(7, 8)}},
    uses=("thm:high_prob_bound",),
    rows=(95, 96),
)
def stopping(T: int = 64, constant: Fraction = Fraction(5, 4)) -> Evidence:
    r"""Let outcomes alternate, $T = 64$; mix $\frac12$ and $\frac12 + \frac1T$ evenly, and from some moment on forecast
    $\frac12 + \frac2T$. Whatever that moment, if it is fixed in advance, $\mathsf{Cal}_2 \le 6\,\mathsf{PCal}_2 +
    \frac54$ holds with probability at least 95%. If the forecaster changes when its draws look bad, it does not.
    """
    table, delta = failure_table(T, constant, exact=True), Fraction(1, 20)
    return jointly(
        above(
            Fraction(table.stopped[-1]),
            delta,
            "probability of a failure, change when the draws look bad, in fractions",
        ),
        at_most(Fraction(max(table.fixed)), delta, "the same for the worst of all moments fixed in advance"),
    )
