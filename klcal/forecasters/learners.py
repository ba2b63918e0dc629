r"""External-regret learners for the (weighted) log loss.

Algorithm 1 runs one learner per grid point. They never talk to each other, so a whole bank of them is held in arrays.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from klcal import _checks
from klcal._checks import FloatArray
from klcal.losses import log


def beta_mean(ones: npt.ArrayLike, zeros: npt.ArrayLike) -> FloatArray:
    r"""Return what EWOO plays after weights `ones` of outcome 1 and `zeros` of outcome 0.

    The weight function of ``alg:EWOO`` is :math:`w^{\gamma}(1-w)^{\delta}`, so its mean is that of a Beta distribution,

    .. math:: w = \frac{\gamma + 1}{\gamma + \delta + 2}.

    Parameters
    ----------
    ones, zeros : array_like
        :math:`\gamma = \sum_t p_{t,i} y_t` and :math:`\delta = \sum_t p_{t,i}(1 - y_t)`, at least 0.

    Returns
    -------
    ndarray
        Means in (0, 1); with unit weights this is Laplace's rule.

    Examples
    --------
    >>> beta_mean([0, 1, 0.5], [0, 0, 0.5])
    array([0.5       , 0.66666667, 0.5       ])
    """
    hits = _checks.nonnegative("ones", ones)
    misses = _checks.nonnegative("zeros", zeros)
    return np.asarray((hits + 1.0) / ((hits + misses) + 2.0))


class Ewoo:
    r"""A bank of `size` EWOO learners (``alg:EWOO``) under the scaled log loss.

    Learner i receives :math:`f_{t,i}(w) = p_{t,i}\,\ell(w, y_t)`. Sums are compensated (Kahan): after a hundred million
    rounds they are still right to the last digits, and a learner that receives weight 0 is left untouched.

    Parameters
    ----------
    size : int
        Number of learners.

    Examples
    --------
    >>> bank = Ewoo(2)
    >>> bank.update([1.0, 0.0], 1)
    >>> bank.predict()
    array([0.66666667, 0.5       ])
    """

    def __init__(self, size: int) -> None:
        self._size = _checks.integer("size", size, least=1)
        self.reset()

    def reset(self) -> None:
        """Forget all rounds."""
        # Row y holds the weights of outcome y, and what their running sums have lost to rounding.
        self._sums = np.zeros((2, self._size))
        self._carry = np.zeros((2, self._size))

    @property
    def ones(self) -> FloatArray:
        r"""Weights received with outcome 1, :math:`\gamma_i`."""
        return np.array(self._sums[1])

    @property
    def zeros(self) -> FloatArray:
        r"""Weights received with outcome 0, :math:`\delta_i`."""
        return np.array(self._sums[0])

    def predict(self) -> FloatArray:
        """Return the point :math:`w_{t,i}` of every learner."""
        return beta_mean(self._sums[1], self._sums[0])

    def update(self, weights: npt.ArrayLike, outcome: int) -> None:
        """Give learner i the outcome with weight ``weights[i]``.

        Parameters
        ----------
        weights : array_like, shape (size,)
            Weights, at least 0.
        outcome : {0, 1}
            What happened.
        """
        y = _checks.outcome("outcome", outcome)
        added = _checks.nonnegative("weights", weights, ndim=1)
        if len(added) != self._size:
            raise ValueError(f"weights must have one entry per learner ({self._size}); got {len(added)}")
        fed = added > 0.0
        corrected = added[fed] - self._carry[y, fed]
        total = self._sums[y, fed] + corrected
        self._carry[y, fed] = (total - self._sums[y, fed]) - corrected
        self._sums[y, fed] = total


def _received(weights: npt.ArrayLike, outcomes: npt.ArrayLike) -> tuple[FloatArray, FloatArray]:
    """Return the weights of the ones and of the zeros, round by round, one column per learner."""
    given = _checks.nonnegative("weights", weights, ndim=(1, 2))
    y = _checks.outcomes("outcomes", outcomes)
    _checks.same_length("weights", given, "outcomes", y)
    hit = (y == 1).reshape(-1, *(1,) * (given.ndim - 1))
    return np.where(hit, given, 0.0), np.where(hit, 0.0, given)


def _before(added: FloatArray) -> FloatArray:
    """Return the sums over all earlier rounds."""
    return np.concatenate([np.zeros_like(added[:1]), np.cumsum(added, axis=0)[:-1]])


def ewoo_plays(weights: npt.ArrayLike, outcomes: npt.ArrayLike) -> FloatArray:
    r"""Return what EWOO (``alg:EWOO``) plays in every round of a known game.

    Parameters
    ----------
    weights : array_like, shape (T,) or (T, n)
        Weights :math:`p_{t,i}`, at least 0, of one learner or of n learners.
    outcomes : array_like of {0, 1}, shape (T,)
        What happened.

    Returns
    -------
    ndarray, same shape as `weights`
        :math:`w_{t,i}`, which depends on the rounds before t only.

    Examples
    --------
    >>> ewoo_plays([1, 1, 1], [1, 1, 0])
    array([0.5       , 0.66666667, 0.75      ])
    """
    ones, zeros = _received(weights, outcomes)
    return beta_mean(_before(ones), _before(zeros))


def ewoo_regret_path(weights: npt.ArrayLike, outcomes: npt.ArrayLike) -> FloatArray:
    r"""Return the regret of EWOO under the scaled log loss after every round (``lem:EWOO_regret_bound``).

    .. math:: \sum_{s \le t} p_s\,\ell(w_s, y_s) - \min_{w \in [0, 1]} \sum_{s \le t} p_s\,\ell(w, y_s)

    Parameters
    ----------
    weights : array_like, shape (T,) or (T, n)
        Weights :math:`p_{t,i}`, at least 0; the lemma is about weights of at most 1.
    outcomes : array_like of {0, 1}, shape (T,)
        What happened.

    Returns
    -------
    ndarray, same shape as `weights`
        One regret per round and learner; the best fixed w is the weighted mean of the outcomes so far.

    Examples
    --------
    >>> path = ewoo_regret_path([1, 1, 1], [1, 1, 1])
    >>> path.round(6).tolist() == np.log([2, 3, 4]).round(6).tolist()
    True
    """
    ones, zeros = _received(weights, outcomes)
    plays = beta_mean(_before(ones), _before(zeros))
    losses = np.where(ones > 0.0, log(plays, 1), log(plays, 0))
    # A round of weight 0 adds nothing, whatever its loss.
    scaled = np.multiply(ones + zeros, losses, out=np.zeros_like(ones), where=ones + zeros > 0.0)
    spent = np.cumsum(scaled, axis=0)
    hits, misses = np.cumsum(ones, axis=0), np.cumsum(zeros, axis=0)
    mass = hits + misses
    mean = np.divide(hits, mass, out=np.zeros_like(mass), where=mass > 0.0)
    return np.asarray(spent - mass * log.entropy(mean))
