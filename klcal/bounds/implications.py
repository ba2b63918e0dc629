r"""Sections 1 to 3: between divergences, calibration errors and regrets of other losses."""

from __future__ import annotations

from typing import Protocol

import numpy as np

from klcal import _checks
from klcal.bounds._arguments import Argument, Value, accepts_balls, extended, horizon, plain, probabilities
from klcal.bounds._elementary import product, quotient


class _HasConstant(Protocol):
    @property
    def kl_constant(self) -> float: ...


@accepts_balls
def pinsker(rho: Argument, p: Argument, *, version: str = "sharpened") -> Value:
    r"""Return the lower bound :math:`c\,(\rho - p)^2` on :math:`\mathsf{KL}(\rho, p)` (Section 1).

    Parameters
    ----------
    rho, p : array_like
        Means of two Bernoulli distributions.
    version : {"paper", "sharpened"}
        The paper uses c = 1; c = 2 is true and the largest constant.

    Returns
    -------
    float or ndarray

    Notes
    -----
    In :math:`\rho`, KL has value and slope 0 at p and second derivative :math:`1/(\rho(1-\rho)) \ge 4`;
    integrate twice. The second derivative is 4 at 1/2 only, so equality holds at :math:`\rho = p` alone, and
    at p = 1/2 the ratio :math:`\mathsf{KL}/(\rho-p)^2` tends to 2 as :math:`\rho \to p`.

    Examples
    --------
    >>> pinsker(1.0, 0.5), pinsker(1.0, 0.5, version="paper")
    (0.5, 0.25)
    """
    version = _checks.choice("version", version, ("paper", "sharpened"))
    gap = probabilities("rho", rho) - probabilities("p", p)
    return plain((1.0 if version == "paper" else 2.0) * gap**2)


@accepts_balls
def cal2_from_kl(kl: Argument, *, version: str = "sharpened") -> Value:
    r"""Return the upper bound on (P)Cal_2 that follows from (P)KLCal by `pinsker` (Section 1).

    Parameters
    ----------
    kl : array_like
        KLCal or PKLCal, or a bound on it.
    version : {"paper", "sharpened"}
        The paper has KLCal itself, the sharp constant gives half of it.

    Returns
    -------
    float or ndarray

    Notes
    -----
    Multiply `pinsker` by the mass of each cell and add up. Equality needs every cell calibrated; near
    forecasts of 1/2 the factor 1/2 is approached.

    Examples
    --------
    >>> cal2_from_kl(8.0), cal2_from_kl(8.0, version="paper")
    (4.0, 8.0)
    """
    version = _checks.choice("version", version, ("paper", "sharpened"))
    return plain((1.0 if version == "paper" else 0.5) * extended("kl", kl))


@accepts_balls
def chi_square(rho: Argument, p: Argument) -> Value:
    r"""Return :math:`\chi^2(\rho, p) = \frac{(\rho-p)^2}{p(1-p)}`, an upper bound on KL.

    Used for both terms in the proof of ``thm:log_loss_swap_reg``.

    Parameters
    ----------
    rho, p : array_like
        Means of two Bernoulli distributions.

    Returns
    -------
    float or ndarray
        At p in {0, 1}: 0 if :math:`\rho = p`, else infinity, as for KL itself.

    Notes
    -----
    :math:`\log x \le x - 1` under the mean over :math:`y \sim \rho` of :math:`\log(\rho(y)/p(y))`, whose
    likelihood ratio has mean :math:`1 + \chi^2`. Equality only at :math:`\rho = p`; `log_chi_square` skips
    the last step.

    Examples
    --------
    >>> chi_square(1.0, 0.5), chi_square(0.0, 0.0), chi_square(0.5, 0.0)
    (1.0, 0.0, inf)
    """
    means, points = probabilities("rho", rho), probabilities("p", p)
    return plain(quotient((means - points) ** 2, points * (1.0 - points)))


@accepts_balls
def log_chi_square(rho: Argument, p: Argument) -> Value:
    r"""Return :math:`\log(1 + \chi^2(\rho, p))`, a smaller upper bound on KL than `chi_square`.

    Parameters
    ----------
    rho, p : array_like
        Means of two Bernoulli distributions.

    Returns
    -------
    float or ndarray

    Notes
    -----
    KL is the mean of :math:`\log(\rho(y)/p(y))` over :math:`y \sim \rho`; Jensen takes the logarithm outside,
    and the mean of the ratio is :math:`1 + \chi^2`. Equality when :math:`\rho = p` and when
    :math:`\rho \in \{0, 1\}`. Not in the paper; it is what makes the "best" rounding cost smaller than the
    "sharpened" one.

    Examples
    --------
    >>> round(np.exp(log_chi_square(1.0, 0.25)).item(), 12)
    4.0
    """
    return plain(np.log1p(chi_square(rho, p)))


@accepts_balls
def proposition_2(loss: _HasConstant, kl: Argument) -> Value:
    r"""Return the bound :math:`c_\ell\,\mathsf{KLCal}` on SReg (``prop:breg_div_decomposable``, repaired).

    Parameters
    ----------
    loss : ProperLoss
        Its ``kl_constant`` is :math:`c_\ell = \sup_p p(1-p)|\ell''(p)|`.
    kl : array_like
        KLCal or PKLCal.

    Returns
    -------
    float or ndarray
        For :math:`c_\ell = \infty` infinity, but 0 where `kl` is 0: then every cell is calibrated.

    Notes
    -----
    BREG and KL are integrals of :math:`(\rho - \mu)` against :math:`|\ell''(\mu)|` and
    :math:`1/(\mu(1-\mu))`, so the ratio of the densities bounds the ratio of the integrals; letting
    :math:`\rho \to p` shows that no smaller constant will do. As printed (every twice continuously
    differentiable loss has some finite c) the statement is false.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> proposition_2(SimpleNamespace(kl_constant=0.5), [0.0, 8.0])
    array([0., 4.])
    """
    return plain(product(extended("loss.kl_constant", loss.kl_constant), extended("kl", kl)))


@accepts_balls
def proposition_3(G: Argument, cal2: Argument, *, version: str = "sharpened") -> Value:
    r"""Return the bound on SReg over :math:`\mathcal L_G` (``prop:bound_breg_div_quadratically``).

    Parameters
    ----------
    G : array_like
        Smoothness :math:`\sup|\ell''|` of the univariate forms, at least 0.
    cal2 : array_like
        Cal_2 or PCal_2.
    version : {"paper", "sharpened"}
        Stated with :math:`G\,\mathsf{Cal}_2`; the paper's own integral gives :math:`\frac G2`.

    Returns
    -------
    float or ndarray

    Notes
    -----
    :math:`\int_p^{\rho} G(\rho - \mu)\,d\mu = \frac G2(\rho - p)^2`. Equality for
    :math:`|\ell''| \equiv G`, for instance the squared loss with G = 2. At forecasts 0 and 1 the loss must
    use the one-sided derivative of its univariate form.

    Examples
    --------
    >>> proposition_3(2, 5.0), proposition_3(2, 5.0, version="paper")
    (5.0, 10.0)
    """
    version = _checks.choice("version", version, ("paper", "sharpened"))
    return plain((1.0 if version == "paper" else 0.5) * product(extended("G", G), extended("cal2", cal2)))


@accepts_balls
def proposition_3_from_kl(G: Argument, kl: Argument, *, version: str = "sharpened") -> Value:
    r"""Return the second bound of ``prop:bound_breg_div_quadratically``, the one from (P)KLCal.

    Parameters
    ----------
    G : array_like
        Smoothness of the univariate forms, at least 0.
    kl : array_like
        KLCal or PKLCal.
    version : {"paper", "sharpened"}
        :math:`G\,\mathsf{KLCal}` in the paper; :math:`\frac G4\mathsf{KLCal}` with both sharp constants.

    Returns
    -------
    float or ndarray

    Notes
    -----
    `proposition_3` after `cal2_from_kl`. The factor 1/4 is approached by the squared loss near forecasts of
    1/2.

    Examples
    --------
    >>> proposition_3_from_kl(2, 8.0), proposition_3_from_kl(2, 8.0, version="paper")
    (4.0, 16.0)
    """
    return proposition_3(G, cal2_from_kl(kl, version=version), version=version)


@accepts_balls
def cal1_from_cal2(T: Argument, cal2: Argument) -> Value:
    r"""Return the bound :math:`\sqrt{T\,\mathsf{Cal}_2}` on (P)Cal_1 (Appendices B and C).

    Parameters
    ----------
    T : array_like of int
        Horizon, which is the total mass of the cells.
    cal2 : array_like
        Cal_2 or PCal_2.

    Returns
    -------
    float or ndarray

    Notes
    -----
    Cauchy-Schwarz with the masses as weights; equality exactly when all used cells miss by the same amount.
    By Jensen it also holds between expectations.

    Examples
    --------
    >>> cal1_from_cal2(100, 4.0)
    20.0
    """
    return plain(np.sqrt(horizon(T) * extended("cal2", cal2)))


@accepts_balls
def swap_regret_from_cal1(cal1: Argument) -> Value:
    r"""Return the bound :math:`4\,\mathsf{Cal}_1` on SReg of any proper loss in [-1, 1] (Appendices B and C).

    Parameters
    ----------
    cal1 : array_like
        Cal_1 or PCal_1.

    Returns
    -------
    float or ndarray

    Notes
    -----
    Concavity gives :math:`\mathsf{BREG}(\rho, p) \le (\partial\ell(p) - \partial\ell(\rho))(\rho - p)`, and
    :math:`|\partial\ell| = |\ell(p,1) - \ell(p,0)| \le 2`. The constant 4 is tight: a V-shaped loss with its
    kink at 1/2 and forecasts just beside 1/2, on the wrong side of it.

    Examples
    --------
    >>> swap_regret_from_cal1(2.5)
    10.0
    """
    return plain(4.0 * extended("cal1", cal1))
