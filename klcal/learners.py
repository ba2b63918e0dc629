r"""External-regret learners for the (weighted) log loss.

Algorithm 1 runs one learner per grid point. They never talk to each other, so a whole bank of them is held in arrays.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from klcal import _checks
from klcal._checks import FloatArray


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
