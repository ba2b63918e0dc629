r"""Growth as a power of the horizon: a slope in logarithms, and how well the points determine it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.special import stdtrit

from klcal import _checks


@dataclass(frozen=True)
class PowerFit:
    """A line through points in logarithms.

    Parameters
    ----------
    slope, intercept : float
        Of the line: log value is about intercept + slope × log T.
    lower, upper : float
        Interval for the slope.
    level : float
        Its nominal level.
    points : int
        Number of points.
    """

    slope: float
    intercept: float
    lower: float
    upper: float
    level: float
    points: int

    def __str__(self) -> str:
        return f"{self.slope:.3f} ({self.lower:.3f} to {self.upper:.3f})"


def fit_power(T: npt.ArrayLike, value: npt.ArrayLike, *, level: float = 0.95) -> PowerFit:
    r"""Return the least-squares slope of log value over log T, with Student's interval.

    .. math:: \hat s \pm t_{n-2}\,\sqrt{\frac{\sum_k r_k^2}{(n-2)\sum_k(x_k - \bar x)^2}}

    with :math:`x_k = \log T_k` and :math:`r_k` the residuals. The interval would have its level if the residuals were
    independent and normal with one variance. Residuals of deterministic games are not; read it as a measure of their
    scatter about the line.

    Parameters
    ----------
    T : array_like, shape (n,)
        Positive, at least three of them, not all equal.
    value : array_like, shape (n,)
        Positive.
    level : float
        Nominal level of the interval, strictly between 0 and 1.

    Returns
    -------
    PowerFit

    Examples
    --------
    >>> fit = fit_power([10, 100, 1000], [2, 20, 200])
    >>> round(fit.slope, 12), round(fit.upper - fit.lower, 9)
    (1.0, 0.0)
    """
    across, up = _logarithms("T", T), _logarithms("value", value)
    _checks.same_length("value", up, "T", across)
    if len(across) < 3:
        raise ValueError(f"T must have at least three points for an interval; got {len(across)}")
    share = _checks.probability("level", level)
    if share in (0.0, 1.0):
        raise ValueError(f"level must lie strictly between 0 and 1; got {level!r}")
    x, y = across - across.mean(), up - up.mean()
    spread = float(x @ x)
    if spread == 0.0:
        raise ValueError(f"T must not be the same number throughout; got {float(np.exp(across[0]))!r}")
    slope = float(x @ y) / spread
    residuals = y - slope * x
    freedom = len(x) - 2
    half = float(stdtrit(freedom, (1.0 + share) / 2.0)) * float(
        np.sqrt(residuals @ residuals / freedom / spread)
    )
    intercept = float(up.mean() - slope * across.mean())
    return PowerFit(slope, intercept, slope - half, slope + half, share, len(x))


def _logarithms(name: str, values: npt.ArrayLike) -> npt.NDArray[np.float64]:
    array = _checks.nonnegative(name, values, ndim=1)
    if (array == 0.0).any():
        raise ValueError(f"{name} must be positive; got 0.0 at index {int(np.argmax(array == 0.0))}")
    return np.asarray(np.log(array))
