r"""Calibration errors, and the regrets against one loss."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from scipy.special import rel_entr

from klcal import _checks
from klcal._checks import FloatArray
from klcal.losses import ProperLoss, log, named
from klcal.measures.cells import Cells, measure_of_cells


@measure_of_cells
def kl_calibration(cells: Cells) -> float:
    r"""Return the KL-calibration :math:`\sum_p n_p\,\mathsf{KL}(\rho_p, p)` (``eq:KLCal_PKLCal_def``).

    By ``prop:swap_reg_breg_div`` it is the swap regret of the log loss.

    Parameters
    ----------
    cells : Cells
        Realised cells give KLCal, expected cells PKLCal.

    Returns
    -------
    float
        Infinite if a forecast 0 met an outcome 1 or a forecast 1 an outcome 0.

    Examples
    --------
    >>> kl_calibration(Cells([0.5], [3], [3]))  # 3 log 2
    2.0794415416798357
    >>> kl_calibration(Cells([0.0, 0.5], [1, 2], [1, 1]))
    inf

    Forecasts and outcomes will do as well, here as in every measure:

    >>> kl_calibration([0.5, 0.5, 0.5], [1, 1, 1])
    2.0794415416798357
    """
    return swap_regret(cells, log)


def cell_regrets(points: npt.ArrayLike, ones: npt.ArrayLike, zeros: npt.ArrayLike) -> FloatArray:
    r"""Return :math:`n\,\mathsf{KL}(k/n, z)`, what each cell adds to KL-calibration, for arrays of any shape.

    Parameters
    ----------
    points : array_like
        The forecasts z, in [0, 1].
    ones, zeros : array_like
        Mass that met outcome 1, k, and outcome 0, n - k.

    Returns
    -------
    ndarray
        Of the common shape; 0 for a cell without mass, infinite if a forecast 0 met a one or a forecast 1 a zero.

    Examples
    --------
    >>> cell_regrets([0.5, 0.0], [1, 0], [1, 5])
    array([0., 0.])
    """
    k, rest, z = (np.asarray(values, dtype=np.float64) for values in (ones, zeros, points))
    mass = k + rest
    return np.asarray(rel_entr(k, mass * z) + rel_entr(rest, mass * (1.0 - z)))


@measure_of_cells
def calibration_error(cells: Cells, order: float = 2.0) -> float:
    r"""Return the calibration error :math:`\mathsf{Cal}_q = \sum_p n_p\,|p - \rho_p|^q`.

    ``eq:ell_2_cal`` and ``eq:pseudo_ell_2_cal`` print no absolute value; without it odd orders cancel.

    Parameters
    ----------
    cells : Cells
        Realised cells give Cal, expected cells PCal.
    order : float, optional
        The exponent q, a finite number that is at least 1.

    Returns
    -------
    float
        Between 0 and the total mass.

    Examples
    --------
    >>> cells = Cells([0.25, 0.75], [4, 4], [2, 2])
    >>> calibration_error(cells), calibration_error(cells, order=1)
    (0.5, 2.0)
    """
    exponent = _checks.real("order", order, least=1.0)
    return float(np.sum(cells.mass * np.abs(cells.points - cells.means) ** exponent))


@measure_of_cells
def swap_regret(cells: Cells, loss: ProperLoss | str) -> float:
    r"""Return the swap regret of `loss`, in the form of ``prop:swap_reg_breg_div``.

    .. math:: \mathsf{SReg}^\ell = \sum_p n_p\,\mathsf{BREG}_{-\ell}(\rho_p, p)

    Parameters
    ----------
    cells : Cells
        Realised cells give SReg, expected cells PSReg.
    loss : ProperLoss or str
        The loss :math:`\ell`, or its name in `klcal.LOSSES`.

    Returns
    -------
    float
        What the best swap function, p to :math:`\rho_p`, would have gained: at least 0, possibly infinite.

    Examples
    --------
    >>> from klcal.losses import squared
    >>> swap_regret(Cells([0.25, 0.75], [4, 4], [2, 2]), squared)
    0.5
    >>> swap_regret([0.25, 0.75, 0.25], [1, 1, 0], "squared")
    0.1875
    """
    used = cells.restricted()
    return float(np.sum(used.mass * named(loss).divergence(used.means, used.points)))


@measure_of_cells
def external_regret(cells: Cells, loss: ProperLoss | str) -> float:
    r"""Return the external regret of `loss`: against the best constant, the overall mean :math:`\bar y`.

    .. math:: \mathsf{Reg}^\ell = \sum_p n_p\,\mathsf{BREG}_{-\ell}(\rho_p, p)
              - \sum_p n_p\,\mathsf{BREG}_{-\ell}(\rho_p, \bar y)

    Both sums measure from the losses at the :math:`\rho_p`, so no large totals cancel.

    Parameters
    ----------
    cells : Cells
        The cells.
    loss : ProperLoss or str
        The loss :math:`\ell`, or its name in `klcal.LOSSES`.

    Returns
    -------
    float
        Negative when the forecasts did better than every constant; possibly infinite.

    Examples
    --------
    >>> from klcal.losses import squared
    >>> external_regret(Cells([0.25, 0.75], [4, 4], [2, 2]), squared)
    0.5
    >>> external_regret(Cells([0.25, 0.75], [4, 4], [1, 3]), squared)
    -0.5
    """
    return swap_regret(cells, loss) - murphy_resolution(cells, loss)


@measure_of_cells
def murphy_resolution(cells: Cells, loss: ProperLoss | str) -> float:
    r"""Return the resolution :math:`\sum_p n_p\,\mathsf{BREG}_{-\ell}(\rho_p, \bar y)` (``murphy``).

    It is what knowing the mean of each cell is worth against knowing the overall mean :math:`\bar y`: the total loss is
    swap regret minus resolution plus the loss of the best constant.

    Parameters
    ----------
    cells : Cells
        The cells.
    loss : ProperLoss or str
        The loss :math:`\ell`, or its name in `klcal.LOSSES`.

    Returns
    -------
    float
        At least 0, up to rounding.

    Examples
    --------
    >>> from klcal.losses import squared
    >>> murphy_resolution(Cells([0.25, 0.75], [2, 2], [0, 2]), squared)
    1.0
    """
    used = cells.restricted()
    mean = used.base_rate
    means, place = used.distinct_means
    loss = named(loss)
    gained = float(np.sum(used.mass * loss.divergence(means, mean)[place]))
    if np.isfinite(gained):
        return gained
    # Both outcomes occur, but so unequally that their mean was rounded to 0 or 1.
    return used.total * loss.entropy(mean) - float(np.sum(used.mass * loss.entropy(used.means)))


@measure_of_cells
def total_loss(cells: Cells, loss: ProperLoss | str = log) -> float:
    r"""Return the total loss of all rounds, :math:`\sum_p k_p\,\ell(p, 1) + (n_p - k_p)\,\ell(p, 0)`.

    Parameters
    ----------
    cells : Cells
        Realised cells give the loss of the draws, expected cells its mean over the draws.
    loss : ProperLoss or str
        The loss, or its name in `klcal.LOSSES`; by default the log loss.

    Returns
    -------
    float
        A sum over rounds; infinite if a forecast 0 or 1 was wrong, under the log loss.

    Examples
    --------
    >>> from klcal.losses import squared
    >>> total_loss(Cells([0.25], [4], [1]), squared)
    0.75
    """
    used, loss = cells.restricted(), named(loss)
    # An infinite loss that nobody suffered counts nothing.
    suffered = (
        (mass[mass > 0.0], used.points[mass > 0.0], y) for mass, y in ((used.ones, 1), (used.zeros, 0))
    )
    return float(sum(np.sum(mass * loss(points, y)) for mass, points, y in suffered))
