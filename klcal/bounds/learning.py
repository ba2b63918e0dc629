r"""Section 5, one learner: the regret of EWOO (Lemma 4) and the price of a uniform start (Algorithm 1)."""

from __future__ import annotations

import numpy as np

from klcal import _checks
from klcal.bounds._arguments import Argument, Value, accepts_balls, horizon, nonnegative, plain, resolution
from klcal.bounds._elementary import angle, number


@accepts_balls
def ewoo_regret(T: Argument, mass: Argument, *, version: str = "sharpened") -> Value:
    r"""Return the bound on the regret of one EWOO learner with scaled losses (``lem:EWOO_regret_bound``).

    Parameters
    ----------
    T : array_like of int
        Number of rounds.
    mass : array_like
        Total weight :math:`S_i = \sum_t p_{t,i}` the learner received, at most T.
    version : {"paper", "sharpened"}
        :math:`\log(T + 1)`, or :math:`\log(1 + S_i)`.

    Returns
    -------
    float or ndarray

    Notes
    -----
    Exp-concavity bounds the learner's loss by that of the mixture, :math:`-\log\mathrm B(A+1, B+1)` for
    weights A, B of ones and zeros, so the regret is at most :math:`\log(1+S) + g(S) - g(A) - g(B)` with
    :math:`g(x) = \log\Gamma(x+1) - x\log x`. As :math:`g'' = \psi'(x+1) - \frac1x \le 0` and g(0) = 0, g is
    subadditive and the last three terms are at most 0. Equality for constant outcomes with unit weights.

    Examples
    --------
    >>> import math
    >>> (
    ...     ewoo_regret(7, 3.0) == math.log(4),
    ...     ewoo_regret(7, 3.0, version="paper") == math.log(8),
    ... )
    (True, True)
    """
    version = _checks.choice("version", version, ("paper", "sharpened"))
    rounds, weight = np.broadcast_arrays(horizon(T), nonnegative("mass", mass))
    # A sum of T weights may miss T by rounding.
    if not (weight <= rounds * (1.0 + _checks.SUM_TOLERANCE)).all():
        raise ValueError(f"mass must be at most T, the number of rounds; got {mass!r} with T = {T!r}")
    return plain(np.log1p(rounds if version == "paper" else weight))


@accepts_balls
def initialisation_cost(K: Argument) -> Value:
    r"""Return what a uniform start costs in round 1, where Algorithms 1 and 2 disagree.

    .. math:: \frac{1}{K+1}\sum_{j=0}^K \ell(z_j, y) - \ell(\tfrac12, y)
              = \frac{(K-1)\log 2 - \log K - 2\log\sin\frac{\pi}{2K}}{K+1}

    for both outcomes y.

    Parameters
    ----------
    K : array_like of int
        Resolution of the full grid, at least 2.

    Returns
    -------
    float or ndarray
        At most 0.72915 (at K = 28), with limit :math:`\log 2`.

    Notes
    -----
    ``alg:BM_log_loss`` starts every learner at the uniform distribution, ``alg:A_i`` at the rounded 1/2,
    which is what EWOO plays. By symmetry the mean log loss is that of :math:`-\frac12\log(z_j(1-z_j))`, and
    :math:`\prod_{i<K}\sin\frac{\pi i}K = K/2^{K-1}` adds up the inner points. The other rounds are untouched:
    with a uniform start, `theorem_2` holds with this in place of the `rounding_cost` of one round.

    Examples
    --------
    >>> import math
    >>> (
    ...     round(initialisation_cost(28), 6),
    ...     round(initialisation_cost(2) * 3 / math.log(2), 12),
    ... )
    (0.72914, 1.0)
    """
    cells = resolution(K)
    extreme = 2.0 * np.log(np.sin(angle(cells)))
    return plain(((cells - 1.0) * np.log(number(2, cells)) - np.log(cells) - extreme) / (cells + 1.0))
