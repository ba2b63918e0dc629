r"""What the main bounds are at the grid chosen for the horizon: one constant times one power, for every T."""

from __future__ import annotations

import math

import numpy as np

from klcal import _checks
from klcal.bounds._arguments import Argument, Checked, Value, accepts_balls, integers, plain
from klcal.bounds._elementary import cube_root, number, tail_term


def _rate(T: Checked, power: int = 2) -> Checked:
    """Return T^(1/3) (log T)^(power/3)."""
    return cube_root(T * np.log(T) ** power)


@accepts_balls
def real_resolution(T: Argument, *, version: str = "sharpened") -> Value:
    r"""Return the real number that is rounded up to the resolution K, and to 2 if it is smaller.

    Parameters
    ----------
    T : array_like of int
        Horizon, at least 2.
    version : {"paper", "sharpened"}
        :math:`T^{1/3}/(\log T)^{5/6}`, the paper's choice for `theorem_1` (see `theorem_1_paper_K`);
        :math:`(T/\log T)^{1/3}`, that of Theorem 2 and of everything else (``klcal.resolution``).

    Returns
    -------
    float, ndarray or ball

    Notes
    -----
    K itself jumps, and a ball of horizons may hold a jump. What a certificate needs is this number x:
    :math:`x \le K \le x + 1` once :math:`x > 1`.

    Examples
    --------
    >>> (
    ...     round(real_resolution(10**6), 3),
    ...     round(real_resolution(10**6, version="paper"), 3),
    ... )
    (41.675, 11.212)
    """
    version = _checks.choice("version", version, ("paper", "sharpened"))
    rounds = integers("T", T, least=2)
    if version == "sharpened":
        return plain(cube_root(rounds / np.log(rounds)))
    return plain(cube_root(rounds) / np.sqrt(cube_root(np.log(rounds) ** 5)))


def theorem_1_paper_K(T: int) -> int:
    r"""Return the paper's resolution for Theorem 1 (``thm:log_loss_swap_reg``), as an integer.

    .. math:: K = \max\bigl(2, \lceil T^{1/3} / (\log T)^{5/6} \rceil\bigr)

    Parameters
    ----------
    T : int
        Horizon, at least 1; K = 2 for T = 1, where the formula has no value.

    Returns
    -------
    int

    Notes
    -----
    The paper has :math:`K = T^{1/3}/(\log T)^{5/6}`, which is no integer. Its version of `theorem_1` and `corollary_1`
    is meant at this K; at the larger one of Theorem 2 it would be smaller by a constant factor.

    Examples
    --------
    >>> [theorem_1_paper_K(T) for T in (1, 1000, 10**6, 10**9)]
    [2, 2, 12, 80]
    """
    T = _checks.integer("T", T, least=1)
    return 2 if T == 1 else max(2, math.ceil(math.cbrt(T) / math.log(T) ** (5.0 / 6.0)))


@accepts_balls
def theorem_1_rate(T: Argument, *, version: str = "sharpened") -> Value:
    r"""Return a bound on `theorem_1` at the resolution that belongs to its version (``thm:log_loss_swap_reg``).

    Parameters
    ----------
    T : array_like of int
        Horizon, at least 2; at least 26 for "paper".
    version : {"paper", "sharpened"}
        :math:`51\,T^{1/3}(\log T)^{5/3}`, for the paper's version at K = `theorem_1_paper_K`;
        :math:`3.28\,T^{1/3}(\log T)^{2/3}`, for the sharpened one at K = ``klcal.resolution(T)``.

    Returns
    -------
    float or ndarray

    Notes
    -----
    The largest ratios are 50.5403, at T = 1005, and 3.27421, at T = 26; the second tends to
    :math:`\frac23+\frac{\pi^2}4 = 3.1341`. The sharpened bound is also at most
    :math:`3.64\,T^{1/3}(\log T)^{5/3}` for every :math:`T \ge 2`, but at T = 2 this is smaller than the rate here:
    :math:`\log T > 1` only from T = 3 on.

    Examples
    --------
    >>> from klcal.bounds import theorem_1
    >>> round(theorem_1(26, 2) / theorem_1_rate(26) * 3.28, 5)
    3.2742
    """
    version = _checks.choice("version", version, ("paper", "sharpened"))
    if version == "paper":
        rounds = integers("T", T, least=26)
        return plain(51.0 * _rate(rounds, 5))
    rounds = integers("T", T, least=2)
    return plain(number("3.28", rounds) * _rate(rounds))


@accepts_balls
def theorem_2_rate(T: Argument, *, version: str = "sharpened") -> Value:
    r"""Return a bound on `theorem_2` at K = ``klcal.resolution(T)`` (``thm:bound_pkcal``).

    Parameters
    ----------
    T : array_like of int
        Horizon, at least 2.
    version : {"sharpened", "best"}
        :math:`3.96\,T^{1/3}(\log T)^{2/3}` and :math:`3.56\,T^{1/3}(\log T)^{2/3}`, each for the version of
        `theorem_2` of that name.

    Returns
    -------
    float or ndarray

    Notes
    -----
    The largest ratios are 3.95437 and 3.54482, both at T = 131, the last T with K = 3. From there on let
    :math:`\kappa = (T/\log T)^{1/3}`: :math:`\kappa \le K \le \kappa + 1` bounds the ratio by
    :math:`(1 + \frac2\kappa)(\frac23 + \frac{\log\log T}{3\log T})` plus :math:`K^2` times `rounding_cost`. It tends
    to :math:`\frac23 + \frac{\pi^2}4 = 3.1341`.

    Examples
    --------
    >>> from klcal.bounds import theorem_2
    >>> round(theorem_2(131, 3) / theorem_2_rate(131) * 3.96, 5)
    3.95437
    >>> bound = theorem_2(131, 3, version="best")
    >>> round(bound / theorem_2_rate(131, version="best") * 3.56, 5)
    3.54482
    """
    version = _checks.choice("version", version, ("sharpened", "best"))
    rounds = integers("T", T, least=2)
    return plain(number("3.96" if version == "sharpened" else "3.56", rounds) * _rate(rounds))


@accepts_balls
def pair_rate(T: Argument, delta: Argument | None = None) -> Value:
    r"""Return :math:`3.52\,T^{1/3}(\log T)^{2/3} + 2\log\frac1\delta`, at least `pair` at K = ``klcal.resolution(T)``.

    Parameters
    ----------
    T : array_like of int
        Horizon, at least 2.
    delta : array_like or None
        Failure probability, in (0, 1]; None for the expectation.

    Returns
    -------
    float or ndarray

    Notes
    -----
    The largest ratio of the first terms is 3.5121, at T = 2; from T = 3 on it is below 3.49, and it tends to
    :math:`\frac23 + \frac{\pi^2}4`.

    Examples
    --------
    >>> from klcal.bounds import pair
    >>> round(pair(2, 2) / pair_rate(2) * 3.52, 4)
    3.5121
    """
    rounds = integers("T", T, least=2)
    return plain(number("3.52", rounds) * _rate(rounds) + tail_term(delta, 2.0))


@accepts_balls
def pair_anytime_rate(T: Argument, delta: Argument | None = None) -> Value:
    r"""Return :math:`17.1\,T^{1/3}(\log T)^{2/3} + \log2 + 2\log\frac1\delta`, never less than `pair_anytime`.

    Parameters
    ----------
    T : array_like of int
        Rounds played so far, at least 2.
    delta : array_like or None
        Failure probability, in (0, 1]; None for the expectation.

    Returns
    -------
    float or ndarray

    Notes
    -----
    Each phase is at most `pair_rate`, and the phases up to :math:`2^J \le T` are a geometric sum:
    :math:`3.52/(1-2^{-1/3}) < 17.1`.

    Examples
    --------
    >>> from klcal.bounds import pair_anytime
    >>> pair_anytime_rate(2) > pair_anytime(3)
    True
    """
    rounds = integers("T", T, least=2)
    return plain(number("17.1", rounds) * _rate(rounds) + np.log(number(2, rounds)) + tail_term(delta, 2.0))
