r"""One learner in fractions or balls: what it plays, and what its rule says of a whole sequence."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from flint import arb

from klcal.exact.arithmetic import Exact, product, quotient, total
from klcal.exact.balls import ball

#: What EWOO (``alg:EWOO``) and Laplace's rule add to both weights.
LAPLACE = 1
#: What the means of Krichevsky and Trofimov add, which PAIR plays.
KT = Fraction(1, 2)


def beta_mean(zeros: Exact, ones: Exact, prior: int | Fraction = LAPLACE) -> Any:
    r"""Return :math:`\frac{k + a}{n + 2a}`, what a learner plays after weights n - k of zeros and k of ones.

    Parameters
    ----------
    zeros, ones : int, Fraction or arb
        The weights.
    prior : int or Fraction
        The number a: 1 for EWOO, 1/2 for the KT means.

    Returns
    -------
    Fraction or arb

    Examples
    --------
    >>> beta_mean(0, 1), beta_mean(0, 1, KT)
    (Fraction(2, 3), Fraction(3, 4))
    """
    return quotient(total((ones, prior)), total((zeros, ones, 2 * prior)))


def sequence_probability(zeros: int, ones: int, prior: int | Fraction = LAPLACE) -> Fraction:
    r"""Return the probability that the rule gives to one order of these outcomes; it is the same for all orders.

    Parameters
    ----------
    zeros, ones : int
        How often each outcome happens.
    prior : int or Fraction
        As for `beta_mean`.

    Returns
    -------
    Fraction
        For Laplace's rule :math:`1/((n+1)\binom nk)`.

    Examples
    --------
    >>> sequence_probability(1, 1), sequence_probability(1, 1, KT)
    (Fraction(1, 6), Fraction(1, 8))
    """
    probability = Fraction(1)
    for k in range(ones):
        probability *= beta_mean(0, k, prior)
    for k in range(zeros):
        probability *= 1 - beta_mean(k, ones, prior)
    return probability


def best_probability(zeros: int, ones: int) -> Fraction:
    r"""Return :math:`(\frac kn)^k(\frac{n-k}n)^{n-k}`, the probability that the best constant gives to the outcomes.

    Parameters
    ----------
    zeros, ones : int
        How often each outcome happens, at least one of them.

    Returns
    -------
    Fraction

    Examples
    --------
    >>> best_probability(1, 2), best_probability(0, 5)
    (Fraction(4, 27), Fraction(1, 1))
    """
    n = zeros + ones
    return Fraction(ones**ones * zeros**zeros, n**n)


def log_loss(w: Exact, y: int) -> arb:
    """Return the log loss of a forecast, as a ball.

    Parameters
    ----------
    w : Fraction or arb
        The forecast.
    y : {0, 1}
        The outcome.

    Returns
    -------
    arb

    Examples
    --------
    >>> log_loss(Fraction(1, 4), 1).overlaps(arb(4).log())
    True
    """
    return -ball(w if y else 1 - w).log()


def best_loss(zeros: Exact, ones: Exact) -> arb:
    r"""Return :math:`k\log\frac nk + (n-k)\log\frac n{n-k}`, the log loss of the best fixed forecast in hindsight.

    Parameters
    ----------
    zeros, ones : int, Fraction or arb
        The weights n - k and k.

    Returns
    -------
    arb

    Examples
    --------
    >>> best_loss(2, 2).overlaps(4 * arb(2).log()), best_loss(0, 3) == 0
    (True, True)
    """
    mass = total((zeros, ones))
    parts = (product(k, log_loss(quotient(k, mass), 1)) for k in (zeros, ones) if k != 0)
    return ball(total(parts))
