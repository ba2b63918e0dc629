r"""Lemma 8, Freedman's inequality: all martingales with a few kinds of steps, binomial tails, and the best constant."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from functools import cache, partial
from itertools import product
from typing import Any

from flint import arb, fmpz

from klcal import bounds
from klcal.claims._combinators import jointly
from klcal.claims._evidence import Evidence
from klcal.claims._legacy import Claim
from klcal.claims.existence._common import BITS, CHAPTER
from klcal.exact.balls import ball, hull, lower, precision, upper

# A step goes up by a quarters or down by b, with probabilities b/(a + b) and a/(a + b): mean 0, variance ab/16.
STEPS = ((4, 4), (4, 2), (4, 1), (2, 4), (2, 2), (2, 1), (1, 4), (1, 1))
# All a + b divide it.
_COMMON = 120
_LEVELS = tuple(Fraction(k, 4) for k in (1, 2, 4, 8))
_RATES = (Fraction(1), Fraction(1, 2), Fraction(1, 4))

# Below e - 2 = 0.7182818..., so that what holds with it holds with e - 2.
KAPPA = Fraction(71828, 100000)


def best_chance(rounds: int, mu: Fraction, constant: Fraction, level: Fraction) -> Fraction:
    r"""Return the largest probability with which some martingale reaches :math:`S - c\,\mu V \ge` `level`.

    The martingale chooses each step from `STEPS`, knowing its past, and may stop: S is its value, V the sum of its
    conditional variances. Backward induction in integers over (S, V).

    Parameters
    ----------
    rounds : int
        Largest number of steps.
    mu, constant : Fraction
        The weight of V is constant times mu.
    level : Fraction
        What is to be reached, more than 0.

    Examples
    --------
    >>> best_chance(1, Fraction(1), Fraction(1), Fraction(1, 2))  # up 1 or down 1/2: 1 - 1/2 is reached in 1 of 3 cases
    Fraction(1, 3)
    """
    # S = s/4 and V = v/16; all numbers below are multiples of 1/unit.
    weight = constant * mu / 16
    unit = math.lcm(4, weight.denominator, level.denominator)
    quarter, sixteenth, goal = unit // 4, int(weight * unit), int(level * unit)

    @cache
    def chances(s: int, v: int, left: int) -> Any:
        """Count the favourable cases among 120^left."""
        position = s * quarter - v * sixteenth
        if position >= goal:
            return _COMMON**left
        if left == 0 or position + left * unit < goal:
            return 0
        return max(
            (b * chances(s + a, v + a * b, left - 1) + a * chances(s - b, v + a * b, left - 1))
            * (_COMMON // (a + b))
            for a, b in STEPS
        )

    return Fraction(chances(0, 0, rounds), _COMMON**rounds)


@precision(BITS)
def all_martingales(constant: Fraction = KAPPA, rounds: int = 7) -> Evidence:
    r"""Check :math:`P(S - c\mu V \ge x) \le e^{-\mu x}` for the worst martingale of `best_chance`, three mu, four x.

    With :math:`\delta = e^{-\mu x}` this is one side of Lemma 8, for the largest value over all times.
    """
    worst, where = 0.0, (Fraction(0), Fraction(0))
    for mu, level in product(_RATES, _LEVELS):
        chance = best_chance(rounds, mu, constant, level)
        ratio = upper(ball(chance) * ball(mu * level).exp())
        worst, where = max((worst, where), (ratio, (mu, level)))
    return Evidence(
        worst,
        1,
        "<=",
        f"largest probability over delta among all martingales of up to {rounds} steps of eight kinds, "
        "by dynamic programming in integers",
        {"mu": str(where[0]), "x": str(where[1])},
    )


def binomial_tail(n: int, p: Fraction, k: int) -> arb:
    r"""Return :math:`P(\mathrm{Bin}(n, p) \ge k)` in a ball.

    Terms are added until they no longer count. Beyond 2np each is less than half of the one before, so the rest is
    less than the last term.

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


def binomial_ratio(n: int, p: Fraction, mu: Fraction, constant: arb, k: int, tail: arb | None = None) -> arb:
    r"""Return :math:`P(\mathrm{Bin} \ge k)/\delta`, where Lemma 8 with this constant promises :math:`\delta` for k.

    The steps are :math:`1\{\cdot\} - p`, so :math:`V = np(1-p)` and
    :math:`\log\frac1\delta = \mu(k - np - c\mu V)`.

    Examples
    --------
    >>> binomial_ratio(1, Fraction(1, 2), Fraction(1), arb(1), 1).overlaps(arb(0.25).exp() / 2)
    True
    """
    variance = n * p * (1 - p)
    exponent = ball(mu) * (ball(k - n * p) - constant * ball(mu * variance))
    return (binomial_tail(n, p, k) if tail is None else tail) * exponent.exp()


def _binomials() -> Iterator[tuple[int, Fraction]]:
    yield from product((1, 10, 60, 200), (Fraction(1, 2), Fraction(1, 10), Fraction(1, 100)))


@precision(BITS)
def all_binomials(rates: tuple[Fraction, ...] = (*_RATES, Fraction(1, 20))) -> Evidence:
    r"""Check Lemma 8 with e - 2 on sums of centred coins: twelve laws, every threshold with :math:`\delta \le 1`.

    Parameters
    ----------
    rates : tuple of Fraction
        The mu; above 1 = 1/B the lemma does not hold.
    """
    kappa = arb(1).exp() - 2
    worst, where = 0.0, {}
    for n, p in _binomials():
        tails = {k: binomial_tail(n, p, k) for k in range(int(n * p) + 1, n + 1)}
        for mu, k in product(rates, tails):
            ratio = binomial_ratio(n, p, mu, kappa, k, tails[k])
            if upper(ratio) > worst and k >= n * p + KAPPA * mu * n * p * (1 - p):
                worst, where = upper(ratio), {"n": n, "p": str(p), "mu": str(mu), "k": k}
    return Evidence(worst, 1, "<=", "largest binomial tail over delta, twelve laws, in balls", where)


def freedman() -> Evidence:
    """Check Lemma 8 on all small martingales and on binomial laws."""
    return jointly(all_martingales(), all_binomials())


@precision(BITS)
def best_constant(
    constant: Fraction = Fraction(7, 10), n: int = 80_000, p: Fraction = Fraction(1, 200)
) -> Evidence:
    r"""Show that Lemma 8 fails at :math:`\mu = 1` if e - 2 is replaced by 0.7: a rare event, counted.

    For rare events :math:`\log\mathbb E e^{X}/\mathbb E X^2` tends to e - 2. By Cramér's theorem the tail has that
    exponent at the threshold where one expects e times as many events, and a smaller constant is beaten for large V.
    """
    k = round(float(n * p) * 2.718281828)
    ratio = binomial_ratio(n, p, Fraction(1), ball(constant), k)
    return Evidence(
        lower(ratio),
        1,
        ">",
        f"binomial tail over the delta that {float(constant)} would promise, in balls",
        {"n": n, "p": str(p), "k": k, "constant": str(constant)},
    )


def tail_curve(n: int, p: Fraction, deltas: list[float], version: str) -> list[float]:
    r"""Return the exact probability that :math:`|\mathrm{Bin}(n, p) - np|` exceeds the bound of Lemma 8, per delta.

    The rate is tuned to each delta: :math:`\mu = \min(1, \sqrt{L/(cV)})` with c = 1, e - 2, and 1/2 for the best
    version, whose constant depends on :math:`\mu` and is close to 1/2 for small ones.

    Parameters
    ----------
    n : int
        Number of coins.
    p : Fraction
        Their bias.
    deltas : list of float
        What Lemma 8 promises.
    version : {"paper", "sharpened", "best"}
        Which constant.

    Returns
    -------
    list of float
        The probabilities.

    Examples
    --------
    >>> tail_curve(2, Fraction(1, 2), [1.0], "paper")  # |Bin - 1| > 1/2 + log 2 never happens
    [0.0]
    """
    variance = float(n * p * (1 - p))
    constant = {"paper": 1.0, "sharpened": math.e - 2.0, "best": 0.5}[version]
    found = []
    with precision(BITS):
        for delta in deltas:
            mu = min(1.0, math.sqrt(math.log(2.0 / delta) / (constant * variance)))
            threshold = Fraction(bounds.freedman(variance, mu, delta, version=version))
            up, down = int(n * p + threshold) + 1, int(n * (1 - p) + threshold) + 1
            both = [binomial_tail(n, q, k) for q, k in ((p, up), (1 - p, down)) if k <= n]
            found.append(float(sum(both, arb(0)).mid()))
    return found


CLAIMS: tuple[Claim, ...] = (
    Claim(
        label="lem:Freedman",
        number="Lemma 8",
        title="Freedman's inequality",
        kind="exact",
        chapter=CHAPTER,
        statement="Let |X_i| <= B be martingale differences and V the sum of their conditional variances. For fixed mu "
        "in (0, 1/B] and delta in (0, 1], |X_1 + ... + X_n| <= c mu V + log(2/delta)/mu with probability at least 1 - "
        "delta, with c = 1 in print and c = e - 2 sharpened. (The paper's ranges include mu = 0 and delta = 0, where "
        "the right side has no value.)",
        uses=("lem:Freedman/scalar",),
        check=freedman,
        spoil=(
            partial(all_martingales, Fraction(2, 5)),
            partial(all_binomials, (Fraction(3),)),
        ),
        rows=(94,),
    ),
    Claim(
        label="new:freedman-constant",
        number="Lemma 8, sharpened",
        title="e - 2 cannot be improved at mu = 1/B",
        kind="certified",
        chapter=CHAPTER,
        statement="With 0.7 in place of e - 2 Lemma 8 fails at mu = 1/B: 80,000 coins of bias 1/200 exceed the bound "
        "with more than the promised probability.",
        uses=("lem:Freedman",),
        check=best_constant,
        spoil=(partial(best_constant, Fraction(72, 100)), partial(best_constant, n=2000)),
        rows=(94,),
    ),
)
