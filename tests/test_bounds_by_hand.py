"""Every bound at arguments where a person can work it out: K = 3 has the angle pi/6, delta = 1 / e the logarithm 1."""

from __future__ import annotations

from math import e, log, pi, sqrt

import pytest

from klcal import bounds, full_grid

log_sec_2 = log(4 - 2 * sqrt(2))  # -2 log cos(pi / 8), the widest angle at K = 2
tan_2 = 3 - 2 * sqrt(2)  # tan^2(pi / 8)
log_sec_3 = log(4 / 3)  # -2 log cos(pi / 6)
steepest = (1 + 1 / sqrt(3)) ** 2  # (2 sin(pi/6) (1 + 1 / (2 cos(pi/6))))^2
gamma = 0.5772156649015329
sum_c = 8 * (4 / 3 + sqrt(3) / pi)  # 8 (csc^2(pi/3) + 3/pi cot(pi/3))
sum_d = 4 * (2 / sqrt(3) + 3 / pi * log(sqrt(3)))  # csc + cot = 3 / sqrt 3

BY_HAND = [
    ("lemma_6a", (3,), "paper", pi / 6),
    ("lemma_6a", (3,), "sharpened", 1 / 2),
    ("lemma_6a", (6,), "sharpened", 1 / 4),
    ("lemma_6b", (3,), "paper", steepest),
    ("lemma_6b", (3,), "sharpened", pi**2 / 4),
    ("lemma_6b", (3,), "best", 4 / 3),
    ("lemma_6c", (3,), "paper", sum_c),
    ("lemma_6c", (10,), "sharpened", 132),
    ("lemma_6d", (3,), "paper", sum_d),
    ("lemma_6d", (2,), "paper", 4),
    ("lemma_6d", (3,), "sharpened", 12 / pi * (log(6 / pi) + gamma)),
    ("rounding_cost", (3,), "paper", steepest),
    ("rounding_cost", (3,), "sharpened", 1 / 3),
    ("rounding_cost", (2,), "sharpened", tan_2),
    ("rounding_cost", (3,), "best", log_sec_3),
    ("rounding_cost", (2,), "best", log_sec_2),
    # Equation by equation: 2 T d^2 / (z (1 - z)), 8 log(2 T^2) (...), sqrt(8 log 4) log(2 T^2) ..., K log 4.
    (
        "theorem_1",
        (5, 3),
        "paper",
        10 * steepest + 8 * log(50) * (pi / 6 * sum_c + 2) + sqrt(8 * log(4)) * log(50) * sum_d + 3 * log(4),
    ),
    ("theorem_1", (6, 3), "sharpened", 2 * log(4) + 6 * log_sec_3),
    ("corollary_1", (6, 3), "sharpened", 4 * sqrt(3 * (2 * log(4) + 6 * log_sec_3))),
    ("theorem_2", (7, 3), "paper", 4 * log(8) + 7 * steepest + 7 * (2 - sqrt(2)) * pi**2 / 9),
    ("theorem_2", (12, 3), "sharpened", 4 * log(4) + 4),
    ("theorem_2", (6, 2), "sharpened", 3 * log(3) + 6 * tan_2),
    ("theorem_2", (12, 3), "best", 4 * log(4) + 12 * log_sec_3),
    ("theorem_2_rate", (8,), "sharpened", 3.96 * 2 * log(8) ** (2 / 3)),
    ("theorem_2_rate", (8,), "best", 3.56 * 2 * log(8) ** (2 / 3)),
    # 1 + 2 + 4 rounds, each epoch at K = 2.
    ("doubling_trick", (7,), "sharpened", 3 * (log(4 / 3) + log(5 / 3) + log(7 / 3)) + 7 * tan_2),
    ("doubling_trick", (7,), "best", 3 * (log(4 / 3) + log(5 / 3) + log(7 / 3)) + 7 * log_sec_2),
    ("corollary_2", (12, 3), "sharpened", 4 * sqrt(6 * (4 * log(4) + 4))),
    (
        "corollary_2",
        (7, 3),
        "paper",
        4 * sqrt(7 * (4 * log(8) + 7 * steepest + 7 * (2 - sqrt(2)) * pi**2 / 9)),
    ),
    ("freedman", (10.0, 0.5, 2 / e), "paper", 5 + 2),
    ("freedman", (10.0, 0.5, 2 / e), "sharpened", 5 * (e - 2) + 2),
    ("rate_deviation", (8.0, 1, 4 / e**2), None, 4),
    ("rate_deviation", (0.5, 1, 4 / e**2), None, 1),
    ("count_deviation", (8.0, 1, 4 / e**2), None, 8),
    ("count_deviation", (0.5, 1, 4 / e**2), None, 2.5),
    ("theorem_3", (1.0, 1, 4 / e**2), "paper", 6 + 96 * 2),
    ("theorem_3", (5.0, 7, 21 / e**4), "sharpened", 15 + 24 * (e - 2) * 7 * 4),
    ("corollary_3", (12, 3, 12 / e**3), "sharpened", 3 * (2 * log(4) + 2) + 24 * (e - 2) * 4 * 3),
    (
        "corollary_3",
        (7, 3, 16 / e**3),
        "paper",
        6 * (4 * log(8) + 7 * steepest + 7 * (2 - sqrt(2)) * pi**2 / 9) + 1152,
    ),
    # T = 12: four powers of 1/2, and so 4 * 4 * (1 + 2) tails.
    ("corollary_3", (12, 3, 48 / e**5), "repaired", 3 * (2 * log(4) + 2) + 27 * (e - 2) * 4 * 5),
    ("realised_in_expectation", (12, 3), "sharpened", 4 * log(4) + 4),
    ("realised_in_expectation", (12, 3), "best", 4 * log(4) + 12 * log_sec_3),
    ("half_counts", (6, [0.25, 0.75]), None, log(13) + 6 * log_sec_3),
    ("half_counts", (2, [0.5]), None, log(9) / 2 + 2 * log(2)),
    ("half_counts", (4, full_grid(3)), None, 2 * log(5) + 2 * log_sec_3),
    ("half_counts_rate", (8,), None, 4.8 * log(8) ** (2 / 3)),
    ("pair_expected", (2, 3), None, 4 * log(2) + 2 * log_sec_3),
    ("pair_from_counts", ([3, 0], 3), None, log(12) + 3 * log_sec_3),
    ("pair_from_counts", ([3, 2], 3, 1 / e), None, log(12) + log(8) + 5 * log_sec_3 + 2),
    ("pair", (16, 3), None, 2 * log(32) + 16 * log_sec_3),
    ("pair", (1, 3, 1 / e), None, log(4) + log_sec_3 + 2),
    # T = 2: half a logarithm of 4 is 1; X = log(8 * 4 / delta) = 4, so J = 3 + 1 + 2.
    (
        "kl_from_pseudo",
        (2.0, 2, 3, 32 / e**4),
        None,
        (e - 1) * 2 + (1 + 2 * log(6)) * (8.78 * 4 + 2 * log(3)) + (7.4 + 4 * log(3)) * (4 - log(16)),
    ),
    (
        "algorithm_1_high_probability",
        (2, 3, 32 / e**4),
        None,
        (e - 1) * (4 * log(1.5) + 2 / 3)
        + (1 + 2 * log(6)) * (8.78 * 4 + 2 * log(3))
        + (7.4 + 4 * log(3)) * (4 - log(16)),
    ),
    (
        "realised_high_probability",
        (12, 3, 1 / e**2),
        None,
        2 * (4 * log(4) + 4) + 2 + 8 * 4 * (2.7 + 2 * log(3)) * (1 + log(12)) * 2,
    ),
    # At level 0 a round costs log(1 + sin^2(pi/2)) = log 2, at level 1 log(3/2).
    ("tree_from_counts", ([3, 2], [0, 1]), None, log(12) + 3 * log(2) + log(8) + 2 * log(1.5) + 2 * log(2)),
    ("tree_from_counts", ([0, 1], [0, 1], 2 / e), None, log(4) + log(1.5) + 2),
    (
        "tree_expected_from_masses",
        ([3.0, 1.5], [0, 1]),
        None,
        2 * log(4) + 3 * log(2) + 2 * log(2.5) + 1.5 * log(1.5) + 2 * log(2),
    ),
    ("tree", (8,), None, 22 * log(8) ** (2 / 3) + 2 * log(2)),
    ("tree", (8, 2 / e), None, 22 * log(8) ** (2 / 3) + 2),
    ("tree_expected", (8,), None, 34.8 * log(8) ** (2 / 3) + 2 * log(2)),
    ("tree_swap", (100,), "proved", 900 / sqrt(log(100)) * log(200)),
    ("tree_swap", (100, 0.01), "certified", 480 / sqrt(log(100)) * log(10_000)),
    ("tree_expected_swap", (100,), None, 620 * sqrt(log(100))),
    # The radius of three points is -log(1 - sin^2(pi/8)), that of four is log(4/3) / 2.
    ("recalibration", (5, 2), None, 2 * log(1.5) + log_sec_2),
    ("recalibration", (7, 3), None, 2 * log(1.5) + log_sec_3 / 2),
    ("recalibration_lower", (27,), None, 1 / 729),
]


@pytest.mark.parametrize(("name", "arguments", "version", "value"), BY_HAND)
def test_a_bound_has_the_value_worked_out_by_hand(name, arguments, version, value):
    options = {} if version is None else {"version": version}
    assert getattr(bounds, name)(*arguments, **options) == pytest.approx(value, rel=1e-13)
