r"""A bound on the comparator error of every inner cell of the sine grids, for all angles at once."""

from __future__ import annotations

from fractions import Fraction

from flint import arb

from klcal.exact.balls import ball, hull

_PANELS = 16


def envelope(h: arb) -> arb:
    r"""Return a bound, over :math:`4h^2`, on :math:`\min_z\mathsf{KL}(\rho, z)` in the inner cells of half-width h.

    Let the cell be :math:`[\sin^2(m-h), \sin^2(m+h)]` with :math:`3h \le m \le \pi/4`, and write the divergences from
    :math:`\rho = \sin^2 m` to its ends as integrals of
    :math:`4\sin(m-\varphi)\sin(m+\varphi)/\sin2\varphi`. Their mean is

    .. math:: 2\sin^2h
              + 2\int_0^h \frac{\sin^2\varepsilon\,\sin4\varepsilon}{\sin^22m - \sin^22\varepsilon}\,d\varepsilon,

    which falls in m, so m = 3h is worst; that is the value returned.

    Parameters
    ----------
    h : flint.arb
        Half the angle of a cell, from 0 to :math:`\pi/12`.

    Returns
    -------
    flint.arb

    Notes
    -----
    It bounds the value V at the crossing :math:`\rho^*`, where both divergences are equal. With :math:`\ell` the logit,
    V is the mean plus half the integral of :math:`\ell(p^-) + \ell(p^+) - 2\ell(\rho)` from :math:`\rho^*` to
    :math:`\sin^2m`. The crossing is below :math:`\sin^2m`, since there the divergence to :math:`p^-` is the larger one:
    the difference of the two integrals has the sign of :math:`\sin4m`. On the way :math:`\ell(\rho)` is at least the
    mean of the two logits, as at that mean the divergence to :math:`p^-` is the smaller one: the mean is not positive
    for :math:`m \le \pi/4`, and
    :math:`\tanh(u+v) + \tanh(u-v) - 2\tanh u = 2\sinh2u\,(\frac{1}{\cosh2u+\cosh2v} - \frac{1}{\cosh2u+1})`
    has the sign of :math:`-u`.

    Examples
    --------
    >>> 0.5149 < envelope(arb(0)) < 0.5152
    True
    """
    total = arb(0)
    for j in range(_PANELS):
        # The integrand over (9 - x^2) sinc sinc is x^3 at epsilon = hx, and that factor is integrated exactly.
        weight = ball(Fraction((j + 1) ** 4 - j**4, 4 * _PANELS**4))
        x = hull(Fraction(j, _PANELS), Fraction(j + 1, _PANELS))
        spread = (h * x).sinc() ** 2 * (4 * h * x).sinc()
        total += weight * spread / ((9 - x**2) * (2 * h * (3 - x)).sinc() * (2 * h * (3 + x)).sinc())
    return (h.sinc() ** 2 + total) / 2
