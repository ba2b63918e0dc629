r"""Forecasters as functions from counts to mixtures: Algorithm 1, PAIR, two neighbours.

With integer counts a function describes the forecaster that is fed with its own draws, with weights the one that is fed
with its mixtures. Read over fractions or balls; an uncertain comparison raises `Undecided`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any

from klcal.exact.arithmetic import Exact, Mixture, compare, quotient, total
from klcal.exact.cells import Counts
from klcal.exact.grids import borders
from klcal.exact.learners import KT, LAPLACE, beta_mean
from klcal.exact.markov import stationary
from klcal.exact.rounding import Rounding, log_rounding

#: From the counts so far to the mixture of the next round.
Rule = Callable[[Counts], Mixture]


def algorithm_1(
    points: Sequence[Exact], rounding: Rounding = log_rounding, prior: int | Fraction = LAPLACE
) -> Rule:
    r"""Return Algorithm 1 (``alg:BM_log_loss``): the stationary mixture of its learners' rounded points.

    Parameters
    ----------
    points : sequence of Fraction or arb
        The grid, in the paper `klcal.exact.grids.full_grid`.
    rounding : callable
        How a learner's point is rounded.
    prior : int or Fraction
        What a learner adds to its counts; see `klcal.exact.learners.beta_mean`.

    Returns
    -------
    callable
        From counts to mixtures. Of several closed classes the lowest is played.

    Examples
    --------
    >>> grid = (Fraction(1, 4), Fraction(1, 2), Fraction(3, 4))
    >>> # learner 1 leans to 2/3, the others to 1/2
    >>> algorithm_1(grid)(((0, 0), (0, 1), (0, 0)))
    {1: Fraction(5, 8), 2: Fraction(3, 8)}
    """

    def mixture(counts: Counts) -> Mixture:
        return stationary([rounding(beta_mean(zeros, ones, prior), points) for zeros, ones in counts])

    return mixture


def pair(points: Sequence[Exact], prior: int | Fraction = KT) -> Rule:
    r"""Return PAIR: a point whose mean lies in its cell, or two neighbours whose means balance at their border.

    Parameters
    ----------
    points : sequence of Fraction or arb
        The grid, in the book `klcal.exact.grids.inner_grid`.
    prior : int or Fraction
        What a mean adds to the counts: 1/2 for drawn feedback, 1 for expected feedback.

    Returns
    -------
    callable
        From counts to mixtures.

    Examples
    --------
    >>> rule = pair((Fraction(1, 4), Fraction(3, 4)))
    >>> rule(((0, 0), (0, 0))), rule(((0, 1), (1, 0)))
    ({0: 1}, {0: Fraction(1, 2), 1: Fraction(1, 2)})
    """
    ends = borders(points, "chi-square")

    def mixture(counts: Counts) -> Mixture:
        means = [beta_mean(zeros, ones, prior) for zeros, ones in counts]
        low = [compare(w, end) < 0 for w, end in zip(means, ends[:-1], strict=True)]
        high = [compare(w, end) > 0 for w, end in zip(means, ends[1:], strict=True)]
        for i in range(len(means)):
            if not low[i] and not high[i]:
                return {i: 1}
        i = next(i for i in range(len(means) - 1) if high[i] and low[i + 1])
        return _balance(i, total((means[i], -ends[i + 1])), total((ends[i + 1], -means[i + 1])))

    return mixture


def two_neighbours(points: Sequence[Fraction]) -> Rule:
    r"""Return the rule of two neighbours: a calibrated point, or two neighbours whose errors have opposite signs.

    Parameters
    ----------
    points : sequence of Fraction
        The grid, from 0 to 1.

    Returns
    -------
    callable
        From counts to mixtures; of several choices the lowest is taken.

    Examples
    --------
    >>> two_neighbours((Fraction(0), Fraction(1, 2), Fraction(1)))(
    ...     ((0, 1), (2, 1), (1, 0))
    ... )
    {0: Fraction(1, 7), 1: Fraction(6, 7)}
    """

    def mixture(counts: Counts) -> Mixture:
        cells = zip(points, counts, strict=True)
        gaps = [_gap(z, zeros, ones) for z, (zeros, ones) in cells]
        for i, gap in enumerate(gaps):
            if gap == 0:
                return {i: 1}
        i = next(i for i, (gap, after) in enumerate(pairwise(gaps)) if gap > 0 > after)
        return _balance(i, gaps[i], -gaps[i + 1])

    return mixture


def _gap(z: Fraction, zeros: Exact, ones: Exact) -> Any:
    mass = total((zeros, ones))
    return Fraction(0) if mass == 0 else quotient(ones, mass) - z


def _balance(i: int, above: Any, below: Any) -> Mixture:
    """Return the mixture of points i and i + 1 under which two errors of opposite signs have mean 0."""
    return {i: quotient(below, above + below), i + 1: quotient(above, above + below)}
