r"""Lemma 8, Freedman's inequality: centred coins for which the constant e - 2 is nearly attained."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import cache

from flint import arb

from klcal.claims._combinators import above
from klcal.claims._evidence import Evidence, all_cases
from klcal.claims._ledger import Chapter
from klcal.exact.balls import ball, precision
from klcal.exact.binomial import binomial_tail

chapter = Chapter("04_existence")

# Number of coins, bias, rate, threshold.
Sum = tuple[int, Fraction, Fraction, int]

_tail = cache(binomial_tail)


def rare_events(n: int, mu: Fraction) -> Sum:
    """Return a sum of coins of bias 1/200 at the threshold where the tail of a Poisson law has its exponent."""
    p = Fraction(1, 200)
    return n, p, mu, round(float(n * p) * math.exp(mu))


def failure_over_promise(case: Sum, constant: arb, *, inequalities: int = 2) -> arb:
    r"""Return the probability that :math:`|\mathrm{Bin}(n, p) - np|` reaches k - np over what Lemma 8 promises.

    The steps are :math:`1\{\cdot\} - p`, so :math:`V = np(1-p)`; each of the inequalities that share
    :math:`\delta` may fail with probability :math:`e^{-\mu(k - np - c\mu V)}`.
    """
    n, p, mu, k = case
    mirrored = math.ceil(n * (1 - 2 * p) + k)
    both = _tail(n, p, k) + (_tail(n, 1 - p, mirrored) if mirrored <= n else 0)
    exponent = ball(mu) * (ball(k - n * p) - constant * ball(mu * n * p * (1 - p)))
    return both * exponent.exp() / inequalities


chapter.statement(
    "lem:Freedman",
    "Lemma 8",
    "Freedman's inequality",
    r"Let $X_1, \dots, X_n$ be martingale differences with $|X_i| \le b$, and let $V$ be the sum of their "
    r"conditional variances. For fixed $\mu \in (0, \frac1b]$ and $\delta \in (0, 1]$, with probability at "
    r"least $1 - \delta$, $|\sum_i X_i| \le (e-2)\mu V + \frac1\mu\log\frac2\delta$; as in the source, and a "
    r"fortiori with the 1 that the paper prints in place of $e - 2$. (The paper's ranges include $\mu = 0$ and "
    r"$\delta = 0$, where the right side has no value.)",
    steps=("lem:Freedman/scalar", "a supermartingale that starts at 1", "Markov's inequality"),
    rows=(94,),
)


@chapter.claim(
    "new:freedman-constant",
    "Lemma 8, sharpened",
    "0.7 in place of e - 2 fails at mu = 1/b",
    kind="exact",
    scope=all_cases("80,000 coins of bias 1/200"),
    controls={
        "0.71 in place of 0.7": {"constant": Fraction(71, 100)},
        "half as many coins": {"n": 40_000},
    },
    uses=("lem:Freedman",),
    rows=(94,),
)
def best_constant(constant: Fraction = Fraction(7, 10), n: int = 80_000) -> Evidence:
    r"""With 0.7 in place of $e - 2$ Lemma 8 is false at $\mu = \frac1b$: a sum of 80,000 centred coins of bias
    $\frac1{200}$ exceeds the bound with more than the promised probability.

    For rare events $\log\mathbb E e^X/\mathbb E X^2$ tends to e - 2, and by Cramér's theorem the tail has that exponent
    where one expects e times as many events; so a smaller constant is beaten for large V.
    """
    with precision(128):
        return above(
            failure_over_promise(rare_events(n, Fraction(1)), ball(constant)),
            1,
            r"probability of a failure over $\delta$, in balls",
        )
