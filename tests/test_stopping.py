"""The forecaster that stops at a bad moment: every draw enumerated, PCal_2 from its definition."""

from __future__ import annotations

import itertools
from collections import defaultdict
from fractions import Fraction as F

import pytest

from klcal.book.exact import stopping
from klcal.book.exact.stopping import failure_table, stopped_pcal2


def stopped_game(T, stop):
    """Mixtures and outcomes of the forecaster that leaves the first two points after `stop` rounds."""
    half, step = F(1, 2), F(1, T)
    mixtures = [{half: half, half + step: half}] * stop + [{half + 2 * step: F(1)}] * (T - stop)
    return mixtures, [t % 2 for t in range(T)]


def squared_error(mixtures, outcomes):
    """Cal_2 or PCal_2 from the definition, in fractions."""
    mass, ones = defaultdict(F), defaultdict(F)
    for mixture, y in zip(mixtures, outcomes, strict=True):
        for point, weight in mixture.items():
            mass[point] += weight
            ones[point] += weight * y
    return sum((mass[p] * (p - ones[p] / mass[p]) ** 2 for p in mass), F(0))


def excess(T, stop, drawn):
    """Cal_2 - 6 PCal_2 if `drawn` says for each of the first `stop` rounds whether 1/2 was drawn."""
    mixtures, outcomes = stopped_game(T, stop)
    half, step = F(1, 2), F(1, T)
    forecasts = [half if first else half + step for first in drawn] + [half + 2 * step] * (T - stop)
    realised = squared_error([{forecast: F(1)} for forecast in forecasts], outcomes)
    return realised - 6 * squared_error(mixtures, outcomes)


def naive_table(T, constant):
    """Failure probabilities by going through all draws."""
    stops = range(2, T + 1, 2)
    fixed, first_failure = dict.fromkeys(stops, F(0)), dict.fromkeys(stops, F(0))
    for drawn in itertools.product([True, False], repeat=T):
        failed = [s for s in stops if excess(T, s, drawn[:s]) > constant]
        for s in failed:
            fixed[s] += F(1, 2**T)
        if failed:
            first_failure[failed[0]] += F(1, 2**T)
    return tuple(fixed.values()), tuple(itertools.accumulate(first_failure.values()))


@pytest.mark.parametrize(
    ("T", "constant"), [(4, F(1, 8)), (6, F(-1, 3)), (6, F(1, 5)), (8, F(1, 4)), (8, F(3, 4))]
)
def test_chances_are_those_of_all_draws(T, constant):
    table = failure_table(T, constant, exact=True)
    assert table.stops == tuple(range(2, T + 1, 2))
    assert (table.fixed, table.stopped) == naive_table(T, constant)
    floats = failure_table(T, constant)
    assert floats.fixed == pytest.approx([float(p) for p in table.fixed])
    assert floats.stopped == pytest.approx([float(p) for p in table.stopped])


@pytest.mark.parametrize("T", range(4, 25))
def test_pseudo_calibration_is_that_of_the_mixtures(T):
    for stop in range(0, T + 1, 2):
        mixtures, outcomes = stopped_game(T, stop)
        assert len(mixtures) == len(outcomes) == T
        assert stopped_pcal2(T, stop) == squared_error(mixtures, outcomes)
        if T >= 6:
            assert stopped_pcal2(T, stop) <= 1
        if T % 2 == 0:
            assert stopped_pcal2(T, stop) <= F(4, T)


@pytest.mark.parametrize("constant", [F(1024), F(-1024), F(999, 1000), F(511999, 1000)])
def test_integers_do_not_overflow_at_the_largest_horizon(constant):
    """All draws of the zeros on one point and of the ones on the other: Cal_2 is T/2, up to terms of order 1."""
    bad = stopping._fails(1024, 512, constant)
    for a, b in ((512, 0), (0, 512), (256, 256), (512, 512), (300, 500)):
        drawn = [True] * a + [False] * (512 - a), [True] * b + [False] * (512 - b)
        alternating = [first for pair in zip(*drawn, strict=True) for first in pair]
        assert bad[a, b] == (excess(1024, 1024, alternating) > constant)


def test_errors_of_one_path_are_those_of_every_stop():
    T = 6
    for drawn in itertools.product((True, False), repeat=T):
        errors = stopping.errors_if_stopped(T, drawn)
        stops = range(2, T + 1, 2)
        exact = [excess(T, stop, drawn[:stop]) + 6 * stopped_pcal2(T, stop) for stop in stops]
        assert errors.tolist() == pytest.approx([float(value) for value in exact], rel=1e-12)
    with pytest.raises(ValueError, match="first"):
        stopping.errors_if_stopped(T, [True] * 5)
