"""The binomial distribution exactly: expectations, tails in balls, and how many failures chance allows."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache

from flint import arb, fmpz

from klcal import bounds
from klcal.exact.balls import ball, hull, precision

ONE_IN_A_MILLION = Fraction(1, 10**6)


def binomial_expectation(n: int, p: Fraction, function: Callable[[int], Fraction | int]) -> Fraction:
    r"""Return :math:`\mathbb E f(\mathrm{Bin}(n, p))`; of an event, given as 0 and 1, its probability.

    Parameters
    ----------
    n : int
        Number of trials.
    p : Fraction
        Probability of a success.
    function : callable
        From the number of successes to an exact number.

    Returns
    -------
    Fraction

    Examples
    --------
    >>> binomial_expectation(2, Fraction(1, 2), lambda k: abs(2 * k - 2))
    Fraction(1, 1)
    >>> binomial_expectation(3, Fraction(1, 3), lambda k: k >= 2)  # a probability
    Fraction(7, 27)
    """
    hits, misses = p.numerator, p.denominator - p.numerator
    favourable = Fraction(0)
    for k in range(n + 1):
        favourable += math.comb(n, k) * hits**k * misses ** (n - k) * function(k)
    return favourable / Fraction(p.denominator) ** n


def binomial_tail(n: int, p: Fraction, k: int) -> arb:
    r"""Return :math:`P(\mathrm{Bin}(n, p) \ge k)` as a ball, also for n in the hundred thousands.

    Terms are added until they no longer count. Beyond 2np each is less than half of the one before, so the rest is
    less than the last term.

    Parameters
    ----------
    n : int
        Number of trials.
    p : Fraction
        Probability of a success, strictly inside (0, 1).
    k : int
        At most n.

    Returns
    -------
    arb

    Examples
    --------
    >>> binomial_tail(2, Fraction(1, 2), 1).overlaps(arb(0.75))
    True
    """
    chance, odds = ball(p), ball(p / (1 - p))
    term = arb(fmpz.bin_uiui(n, k)) * chance**k * (1 - chance) ** (n - k)
    total = arb(0)
    for j in range(k, n + 1):
        total += term
        if j > 2 * n * p and term < total * 1e-40:
            return total + term * hull(0, 1)
        term = term * (n - j) * odds / (j + 1)
    return total


@cache
def allowed_failures(trials: int, delta: Fraction, tests: int = 1) -> int:
    """Return the smallest k such that more than k failures have probability at most 1e-6 / `tests`, exactly.

    Parameters
    ----------
    trials : int
        Number of independent replicates, at least 1.
    delta : Fraction
        Probability with which each may fail, between 0 and 1.
    tests : int
        How many counts share the million.

    Returns
    -------
    int
        From the binomial distribution, in integers.

    Examples
    --------
    >>> (
    ...     allowed_failures(100, Fraction(1, 20)),
    ...     [allowed_failures(n, Fraction(1, 2)) for n in (19, 20)],
    ... )
    (18, [19, 19])
    """
    hits, misses = delta.numerator, delta.denominator - delta.numerator
    limit = ONE_IN_A_MILLION * Fraction(delta.denominator) ** trials / tests
    # The chances of k failures, times the common denominator, from the rarest on.
    chance, tail = hits**trials, 0
    for k in range(trials, 0, -1):
        tail += chance
        if tail > limit:
            return k
        chance = chance * k * misses // ((trials - k + 1) * hits)
    return 0


def freedman_failures(n: int, p: Fraction, deltas: Sequence[float], version: str) -> list[float]:
    r"""Return the probability, per :math:`\delta`, that :math:`|\mathrm{Bin}(n, p) - np|` exceeds the bound of Lemma 8.

    The rate is tuned to each: :math:`\mu = \min(1, \sqrt{L/(cV)})` with c = 1, :math:`e - 2`, and 1/2 for the best
    version, whose constant depends on :math:`\mu` and is close to 1/2 for small ones.

    Parameters
    ----------
    n : int
        Number of coins.
    p : Fraction
        Their bias.
    deltas : sequence of float
        What Lemma 8 promises.
    version : {"paper", "sharpened", "best"}
        Which constant.

    Returns
    -------
    list of float
        The probabilities.

    Examples
    --------
    >>> # |Bin - 1| > 1/2 + log 2 never happens
    >>> freedman_failures(2, Fraction(1, 2), [1.0], "paper")
    [0.0]
    """
    variance = float(n * p * (1 - p))
    constant = {"paper": 1.0, "sharpened": math.e - 2.0, "best": 0.5}[version]
    failures = []
    with precision(128):
        for delta in deltas:
            mu = min(1.0, math.sqrt(math.log(2.0 / delta) / (constant * variance)))
            threshold = Fraction(bounds.freedman(variance, mu, delta, version=version))
            up, down = int(n * p + threshold) + 1, int(n * (1 - p) + threshold) + 1
            both = [binomial_tail(n, q, k) for q, k in ((p, up), (1 - p, down)) if k <= n]
            failures.append(float(sum(both, arb(0)).mid()))
    return failures
