"""The algebra of exponents in the theorems and corollaries; log T is a letter of its own."""

from __future__ import annotations

import sympy as sp

from klcal.symbolic._symbols import HORIZON, LOG_HORIZON, LOG_K, LOG_RATIO, K
from klcal.symbolic._table import Draft, Drafts

_THM_1 = "thm:log_loss_swap_reg"
_THM_2 = "thm:bound_pkcal"
_COR_1 = "cor:simutaneous_bounds_msr"
_COR_2 = "cor:simultaneous_bounds_psreg"
_COR_3 = "cor:cal_2_hp_bound"
_THIRD = sp.Rational(1, 3)


def rate(power: sp.Expr, log_power: sp.Expr) -> sp.Expr:
    """Return T^power (log T)^log_power, with log T as a letter of its own."""
    return HORIZON**power * LOG_HORIZON**log_power


def _theorem_1_resolution() -> sp.Expr:
    return rate(_THIRD, -sp.Rational(5, 6))


def _resolution() -> sp.Expr:
    return (HORIZON / LOG_HORIZON) ** _THIRD


DRAFTS: Drafts = {
    _THM_1: {
        "theorem-1-grid-term": Draft(
            "K = T^(1/3) (log T)^(-5/6): T/K^2 = T^(1/3) (log T)^(5/3)",
            lambda: (HORIZON / _theorem_1_resolution() ** 2, rate(_THIRD, sp.Rational(5, 3))),
        ),
        "theorem-1-log-term": Draft(
            "the same K: K (log T)^(3/2) log T = T^(1/3) (log T)^(5/3)",
            lambda: (
                _theorem_1_resolution() * LOG_HORIZON ** sp.Rational(3, 2) * LOG_HORIZON,
                rate(_THIRD, sp.Rational(5, 3)),
            ),
            "log K <= log T",
        ),
        "theorem-1-failure-term": Draft(
            "delta = 1/T^2: (K log K) T^2 delta = K log K",
            lambda: (K * LOG_K * HORIZON**2 * (1 / HORIZON**2), K * LOG_K),
        ),
    },
    _THM_2: {
        "theorem-2-grid-term": Draft(
            "K = (T/log T)^(1/3): T/K^2 = T^(1/3) (log T)^(2/3)",
            lambda: (HORIZON / _resolution() ** 2, rate(_THIRD, sp.Rational(2, 3))),
        ),
        "theorem-2-log-term": Draft(
            "the same K: K log T = T^(1/3) (log T)^(2/3)",
            lambda: (_resolution() * LOG_HORIZON, rate(_THIRD, sp.Rational(2, 3))),
        ),
    },
    "alg:BM_log_loss": {
        "algorithm-1-cost": Draft(
            "T rounds at K^2 each: T K^2 = T^(5/3) (log T)^(-2/3)",
            lambda: (HORIZON * _resolution() ** 2, rate(sp.Rational(5, 3), -sp.Rational(2, 3))),
        ),
    },
    _COR_1: {
        "corollary-1-rest": Draft(
            "sqrt(T T^(1/3) (log T)^(5/3)) = T^(2/3) (log T)^(5/6)",
            lambda: (
                sp.sqrt(HORIZON * rate(_THIRD, sp.Rational(5, 3))),
                rate(sp.Rational(2, 3), sp.Rational(5, 6)),
            ),
        ),
    },
    _COR_2: {
        "corollary-2-rest": Draft(
            "sqrt(T T^(1/3) (log T)^(2/3)) = T^(2/3) (log T)^(1/3)",
            lambda: (sp.sqrt(HORIZON * rate(_THIRD, sp.Rational(2, 3))), rate(sp.Rational(2, 3), _THIRD)),
        ),
    },
    _COR_3: {
        "corollary-3-rate": Draft(
            "K log(T/delta) = T^(1/3) (log T)^(-1/3) log(T/delta)",
            lambda: (_resolution() * LOG_RATIO, rate(_THIRD, -_THIRD) * LOG_RATIO),
        ),
        "corollary-3-grid-term": Draft(
            "T/K^2 = K log T, which is at most K log(T/delta)",
            lambda: (HORIZON / _resolution() ** 2, _resolution() * LOG_HORIZON),
        ),
        "distance-to-calibration-rate": Draft(
            "sqrt(T T^(1/3) (log T)^(-1/3) log(T/delta)) = T^(2/3) (log T)^(-1/6) sqrt(log(T/delta))",
            lambda: (
                sp.sqrt(HORIZON * rate(_THIRD, -_THIRD) * LOG_RATIO),
                rate(sp.Rational(2, 3), -sp.Rational(1, 6)) * sp.sqrt(LOG_RATIO),
            ),
        ),
    },
}
