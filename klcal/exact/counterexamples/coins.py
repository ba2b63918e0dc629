r"""The coin and the loss that defeat every forecaster with a fixed finite set of forecasts."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from klcal import _checks
from klcal.grids import Grid
from klcal.losses import ProperLoss, mixture_of_v


@dataclass(frozen=True)
class UnluckyCoin:
    r"""A coin, and a loss against which no forecast of a finite set does well.

    Parameters
    ----------
    probability : float
        The chance of outcome 1, in every round.
    loss : ProperLoss
        A proper loss in [-1, 1] with one or two kinks.
    per_round : float
        The smallest :math:`\mathsf{BREG}(p, z)` over the forecasts z: what a round must be expected to cost
        more than the forecast p.
    """

    probability: float
    loss: ProperLoss
    per_round: float


def unlucky_coin(points: Grid | npt.ArrayLike) -> UnluckyCoin:
    r"""Return the coin between two neighbouring forecasts, or beyond the last one, and the loss with kinks at them.

    A forecast on its kink is counted on the side away from the coin. For a coin halfway between neighbours
    :math:`a < b` and for one at an end, 0 or 1, a round costs at least

    .. math:: \frac{b - a}{\max(a + b,\, 2 - a - b)}, \qquad \frac{2z_1}{\max(z_1, 1 - z_1)}, \qquad
              \frac{2(1 - z_N)}{\max(z_N, 1 - z_N)} .

    Parameters
    ----------
    points : Grid or array_like, shape (n,)
        The forecasts, increasing, in [0, 1].

    Returns
    -------
    UnluckyCoin
        The worst of these; with n forecasts it costs at least :math:`\frac1{2n-1}` in every round.

    Notes
    -----
    Whatever the forecaster does, the outcome of a round is independent of its forecast given the past, so
    with this loss the expected external regret against p alone is at least T times `per_round`.

    Examples
    --------
    >>> coin = unlucky_coin([0.0, 0.25, 0.75, 1.0])
    >>> coin.probability, coin.loss.form.kinks, coin.per_round
    (0.5, (0.25, 0.75), 0.5)
    >>> # always says 1/2, and all outcomes are the same
    >>> unlucky_coin([0.5]).per_round
    2.0
    """
    z = points.points if isinstance(points, Grid) else _checks.probabilities("points", points, ndim=1)
    _checks.nonempty("points", z)
    if not (np.diff(z) > 0.0).all():
        raise _checks._complain("points", "increase", z.tolist())
    low, high = z[:-1], z[1:]
    between = (high - low) / np.maximum(low + high, 2.0 - low - high)
    ends = 2.0 * np.array([z[0], 1.0 - z[-1]]) / np.maximum([z[0], z[-1]], [1.0 - z[0], 1.0 - z[-1]])
    if ends.max() >= between.max(initial=0.0):
        probability = float(np.argmax(ends))
        loss = mixture_of_v(
            [z[[0, -1]][np.argmax(ends)]], [1.0], ties=[1.0 - 2.0 * probability], name="unlucky"
        )
    else:
        j = int(np.argmax(between))
        probability = float((low[j] + high[j]) / 2.0)
        loss = mixture_of_v([low[j], high[j]], [1.0, 1.0], ties=[-1.0, 1.0], name="unlucky")
    return UnluckyCoin(probability, loss, float(loss.divergence(probability, z).min()))
