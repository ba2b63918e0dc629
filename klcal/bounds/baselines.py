r"""What the other forecasters of the paper's story promise."""

from __future__ import annotations

import numpy as np

from klcal.bounds._arguments import Argument, Value, accepts_balls, horizon, plain, resolution
from klcal.bounds._elementary import larger, where_at_most


@accepts_balls
def squared_loss_pcal2(T: Argument, K: Argument) -> Value:
    r"""Return the bound on PCal_2 of the squared-loss algorithm (``sec:bound_calibration/squared-loss``).

    .. math:: (K+1)\,h\Bigl(\frac{T}{K+1}\Bigr) + \frac{T}{4K^2},\qquad
              h(s) = s \text{ up to } 1,\quad 1 + \log s \text{ beyond}

    Parameters
    ----------
    T : array_like of int
        Horizon, at least 1.
    K : array_like of int
        Resolution of the uniform grid, at least 2.

    Returns
    -------
    float or ndarray

    Notes
    -----
    A learner that plays the weighted mean of its outcomes regrets at most :math:`h(S_i)` under the squared loss.
    Rounding to the two neighbours adds a variance of at most :math:`\frac1{4K^2}`. As h is concave, equal masses
    are worst.

    Examples
    --------
    >>> squared_loss_pcal2(3, 2) == 3 + 3 / 16
    True
    """
    rounds, cells = horizon(T), resolution(K)
    mass = rounds / (cells + 1.0)
    regret = where_at_most(mass, 1.0, mass, 1.0 + np.log(larger(mass, 1.0)))
    return plain((cells + 1.0) * regret + rounds / (4.0 * cells**2))
