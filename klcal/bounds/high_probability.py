r"""Section 6: from pseudo calibration to that of the drawn forecasts (Lemma 8, Theorem 3, Corollary 3)."""

from __future__ import annotations

from typing import Any

import numpy as np

from klcal import _checks
from klcal._checks import FloatArray
from klcal.bounds._arguments import (
    Argument,
    Checked,
    Value,
    accepts_balls,
    failure_probability,
    holds_balls,
    integers,
    nonnegative,
    plain,
    positive,
    resolution,
    whole,
)
from klcal.bounds._elementary import exponential_excess, larger, number, where_at_most
from klcal.bounds.algorithm import theorem_2
from klcal.bounds.implications import cal2_from_kl


def _kappa(beside: Checked) -> Any:
    """Return e - 2: e^x <= 1 + x + (e - 2) x^2 for x <= 1, with equality at 0 and 1."""
    return np.exp(number(1, beside)) - 2.0


@accepts_balls
def freedman(
    variance: Argument,
    mu: Argument,
    delta: Argument,
    *,
    step: float = 1.0,
    version: str = "sharpened",
) -> Value:
    r"""Return the bound :math:`c\,\mu V + \frac1\mu\log\frac2\delta` on a martingale (``lem:Freedman``).

    Parameters
    ----------
    variance : array_like
        Sum V of the conditional variances, at least 0.
    mu : array_like
        In (0, 1/B]. It must be fixed in advance: it may not depend on a random V.
    delta : array_like
        Failure probability, in (0, 1].
    step : float
        The bound B on the steps.
    version : {"paper", "sharpened", "best"}
        :math:`c = 1`; :math:`c = e - 2`; :math:`c = (e^x - 1 - x)/x^2` with :math:`x = \mu B \le 1`.

    Returns
    -------
    float or ndarray

    Notes
    -----
    :math:`(e^x-1-x)/x^2` increases, so
    :math:`\mathbb E e^{\mu X} \le 1 + c\mu^2\mathbb E X^2 \le e^{c\mu^2\mathbb E X^2}` for a centred step at
    most B; Markov's inequality for the product supermartingale, once for each sign, gives
    :math:`\log\frac2\delta`. "Best" meets :math:`e - 2` at :math:`\mu = 1/B` and falls to 1/2 for small :math:`\mu`.

    Examples
    --------
    >>> freedman(4.0, 1.0, 2 / np.e, version="paper")
    5.0
    >>> bound = 4 * (np.e - 2) + 1
    >>> bool(np.isclose(freedman(4.0, 1.0, 2 / np.e), bound, rtol=1e-14, atol=0.0))
    True
    """
    version = _checks.choice("version", version, ("paper", "sharpened", "best"))
    total, rate = nonnegative("variance", variance), positive("mu", mu)
    x = rate * positive("step", step)
    # mu = 1 / B, computed, may exceed the limit by an ulp.
    if not np.all(x <= 1.0 + 1e-12):
        raise ValueError(f"mu must be at most 1 / step = {1.0 / step!r}; got {mu!r}")
    constants = {"paper": 1.0, "sharpened": _kappa(x), "best": exponential_excess(x)}
    log_term = np.log(2.0 / failure_probability(delta))
    return plain(constants[version] * rate * total + log_term / rate)


def _log_tails(points: Argument, delta: Argument, tails: Checked) -> Checked:
    """Return log(tails * points / delta): so many deviations at each grid point must not fail."""
    return np.log(tails * integers("points", points, least=1) / failure_probability(delta))


@accepts_balls
def rate_deviation(mass: Argument, points: Argument, delta: Argument) -> Value:
    r"""Return the bound of ``eq:final_bound_rho_tilde_rho`` on :math:`(\rho_i - \tilde\rho_i)^2`.

    With :math:`L = \log\frac{4|\mathcal Z|}\delta` it is :math:`16L/S_i` if :math:`S_i \ge L`, else 1.

    Parameters
    ----------
    mass : array_like
        :math:`S_i = \sum_t\mathcal P_{t,i}`, known in advance (outcomes oblivious, mixtures a function of
        them alone).
    points : array_like of int
        Size of the grid.
    delta : array_like
        Probability, in (0, 1], that this or `count_deviation` fails at some grid point.

    Returns
    -------
    float or ndarray

    Notes
    -----
    Both :math:`\sum y_t(\mathcal P_{t,i} - 1\{i_t=i\})` and the same sum without :math:`y_t` are at most
    :math:`\mu S + L/\mu` by `freedman`; the difference of the two ratios is at most twice that over S. Take
    :math:`\mu = \sqrt{L/S} \le 1`. The bound exceeds 1, hence says nothing, until S reaches 16 L.

    Examples
    --------
    >>> rate_deviation([1.0, 32.0], 1, 4 * np.exp(-2.0)).round(12)
    array([1., 1.])
    """
    weight, log_term = nonnegative("mass", mass), _log_tails(points, delta, 4.0)
    return plain(where_at_most(log_term, weight, 16.0 * log_term / larger(weight, log_term), 1.0))


@accepts_balls
def count_deviation(mass: Argument, points: Argument, delta: Argument) -> Value:
    r"""Return the bound of ``eq:final_bound_diff_p_ind`` on :math:`|S_i - n_i|`, mass against count.

    With :math:`L = \log\frac{4|\mathcal Z|}\delta` it is :math:`2\sqrt{LS_i}` if :math:`S_i \ge L`, else
    :math:`S_i + L`.

    Parameters
    ----------
    mass : array_like
        :math:`S_i`, known in advance.
    points : array_like of int
        Size of the grid.
    delta : array_like
        Probability, in (0, 1], that this or `rate_deviation` fails at some grid point.

    Returns
    -------
    float or ndarray

    Notes
    -----
    `freedman` with constant 1, as :math:`\mu S + L/\mu` at its minimum over (0, 1]: at
    :math:`\mu = \sqrt{L/S}` or at 1.

    Examples
    --------
    >>> count_deviation([1.0, 8.0], 1, 4 * np.exp(-2.0)).round(12)
    array([3., 8.])
    """
    weight, log_term = nonnegative("mass", mass), _log_tails(points, delta, 4.0)
    return plain(where_at_most(log_term, weight, 2.0 * np.sqrt(log_term * weight), weight + log_term))


def _rates_needed(T: Argument) -> FloatArray:
    """Return 1 + ceil(log2(T) / 2), how many powers of 1/2 from 1 down reach 1 / sqrt(T)."""
    needed = np.frompyfunc(lambda rounds: 1 + ((rounds - 1).bit_length() + 1) // 2, 1, 1)
    return np.asarray(needed(whole("T", T, least=1)), dtype=np.float64)


@accepts_balls
def theorem_3(
    pcal2: Argument,
    points: Argument,
    delta: Argument,
    *,
    T: Argument | None = None,
    version: str = "sharpened",
) -> Value:
    r"""Return the bound on Cal_2 with probability :math:`1-\delta` (``thm:high_prob_bound``).

    Parameters
    ----------
    pcal2 : array_like
        PCal_2, at least 0.
    points : array_like of int
        Size :math:`|\mathcal Z|` of the grid.
    delta : array_like
        Failure probability, in (0, 1].
    T : array_like of int
        Horizon; needed by the repaired version, unused by the others.
    version : {"paper", "repaired", "sharpened"}
        :math:`6\,\mathsf{PCal}_2 + 96|\mathcal Z|\log\frac{4|\mathcal Z|}\delta`;
        :math:`3\,\mathsf{PCal}_2 + 27(e-2)|\mathcal Z|\log\frac{4|\mathcal Z|(1+J)}\delta`,
        :math:`J = \lceil\frac12\log_2T\rceil`;
        :math:`3\,\mathsf{PCal}_2 + 24(e-2)|\mathcal Z|\log\frac{3|\mathcal Z|}\delta`.

    Returns
    -------
    float or ndarray

    Notes
    -----
    "Paper" and "sharpened" need masses :math:`S_i` known in advance (Algorithm 1, oblivious outcomes); for
    "any algorithm" the printed form is false at astronomical T. "Repaired" holds for every algorithm, also
    against adaptive outcomes.

    With :math:`A = \sum\mathcal P(z-y)` and :math:`M = \sum(1\{i_t=i\} - \mathcal P)(z-y)` a cell contributes
    :math:`(A+M)^2/n \le (\frac32A^2 + 3M^2)/n`. `freedman` at the best :math:`\mu` bounds :math:`|M|` and
    :math:`|n - S|` by :math:`2\sqrt{(e-2)SL}`. If :math:`S \ge 16(e-2)L` then :math:`n \ge S/2` and the cell
    is at most :math:`3A^2/S + 24(e-2)L`; else it is at most :math:`n \le 24(e-2)L`. S decides the case in
    advance: the first needs three tails (both of M, the lower of n), the second one, so
    :math:`L = \log\frac{3|\mathcal Z|}\delta`. For random S allow all 1 + J powers of 1/2 as :math:`\mu`, and
    all four tails: some power is within a factor :math:`\sqrt2` of the best one, so the deviation grows to
    :math:`\frac3{\sqrt2}\sqrt{(e-2)SL}`, and 16 and 24 to 18 and 27.

    Examples
    --------
    >>> (
    ...     round(theorem_3(10.0, 7, 0.05), 3),
    ...     round(theorem_3(10.0, 7, 0.05, T=1000, version="repaired"), 3),
    ... )
    (758.886, 1132.292)
    >>> round(theorem_3(10.0, 7, 0.05, version="paper"), 3)
    4312.374
    """
    version = _checks.choice("version", version, ("paper", "repaired", "sharpened"))
    pseudo, size = nonnegative("pcal2", pcal2), integers("points", points, least=1)
    if version == "paper":
        return plain(6.0 * pseudo + 96.0 * size * _log_tails(points, delta, 4.0))
    if version == "sharpened":
        return plain(3.0 * pseudo + 24.0 * _kappa(size) * size * _log_tails(points, delta, 3.0))
    if T is None:
        raise ValueError("T must be given for version 'repaired'; got None")
    return plain(
        3.0 * pseudo + 27.0 * _kappa(size) * size * _log_tails(points, delta, 4.0 * _rates_needed(T))
    )


@accepts_balls
def corollary_3(T: Argument, K: Argument, delta: Argument, *, version: str = "sharpened") -> Value:
    r"""Return the bound on Cal_2 of Algorithm 1, with high probability (``cor:cal_2_hp_bound``).

    Parameters
    ----------
    T : array_like of int
        Horizon, at least 1.
    K : array_like of int
        Resolution of the full grid, at least 2.
    delta : array_like
        Failure probability, in (0, 1].
    version : {"paper", "repaired", "sharpened"}
        Version of `theorem_3`; "repaired" allows adaptive outcomes.

    Returns
    -------
    float or ndarray
        Times :math:`\frac G2` (`proposition_3`) it bounds the maximum swap regret over :math:`\mathcal L_G`.

    Notes
    -----
    `theorem_3` with K + 1 points and PCal_2 at most half of `theorem_2`, which holds on every path;
    sharpened :math:`\frac32\,\mathsf{PKLCal} + 24(e-2)(K+1)\log\frac{3(K+1)}\delta`. "Paper" takes its own
    `theorem_2` and Pinsker constant.

    Examples
    --------
    >>> corollary_3(1000, 6, 0.05) == theorem_3(theorem_2(1000, 6) / 2, 7, 0.05)
    True
    """
    version = _checks.choice("version", version, ("paper", "repaired", "sharpened"))
    theirs = "paper" if version == "paper" else "sharpened"
    pcal2 = cal2_from_kl(theorem_2(T, K, version=theirs), version=theirs)
    return theorem_3(pcal2, _points(K), delta, T=T, version=version)


@accepts_balls
def corollary_3_expectation(T: Argument, K: Argument, *, version: str = "sharpened") -> Value:
    r"""Return the bound on E[Cal_2] of Algorithm 1, oblivious outcomes (``cor:cal_2_hp_bound``).

    Parameters
    ----------
    T : array_like of int
        Horizon, at least 1.
    K : array_like of int
        Resolution of the full grid, at least 2.
    version : {"paper", "sharpened"}
        `corollary_3` at :math:`\delta = 1/T` plus :math:`\delta T = 1`; or the tail integrated, `corollary_3`
        at :math:`\delta = 1/e`.

    Returns
    -------
    float or ndarray

    Notes
    -----
    Paper: Cal_2 is at most T where the bound fails. Sharpened: the bound is
    :math:`a + b\log\frac1\delta` for every :math:`\delta`, so the excess of Cal_2 over a, divided by
    b, has a tail below :math:`e^{-u}` and a mean of at most 1.

    Examples
    --------
    >>> corollary_3_expectation(1000, 6) == corollary_3(1000, 6, 1 / np.e)
    True
    """
    version = _checks.choice("version", version, ("paper", "sharpened"))
    if version == "sharpened":
        return corollary_3(T, K, 1.0 / np.exp(number(1, resolution(K))))
    return plain(corollary_3(T, K, 1.0 / integers("T", T, least=1), version="paper") + 1.0)


def _points(K: Argument) -> Any:
    """Return K + 1, as integers or as balls."""
    points = resolution(K) + 1.0
    return points if holds_balls(points) else np.asarray(points, dtype=np.int64)
