"""The distance to calibration that the claims of Section 2 use, by hand."""

from __future__ import annotations

from fractions import Fraction as F

import pytest

from klcal.claims.losses_and_calibration import calibration


@pytest.mark.parametrize(
    ("forecasts", "outcomes", "distance"),
    [
        ([F(1, 2)], [1], F(1, 2)),
        ([F(1, 4), F(3, 4)], [0, 1], F(1, 2)),
        # Split the constant forecast 1/2: the calibrated sequence 1/2, 1/2, 0 is only 1/2 away, Cal_1 is 1/2 as well.
        ([F(1, 2)] * 3, [0, 1, 0], F(1, 2)),
        # Here splitting pays: Cal_1 = 4/5, but (1/2, 1/2, 1) is calibrated and closer.
        ([F(2, 5), F(3, 5), F(1)], [0, 1, 1], F(1, 5)),
    ],
)
def test_the_distance_to_calibration_by_hand(forecasts, outcomes, distance):
    assert calibration.distance_to_calibration(forecasts, outcomes) == distance


def test_there_are_as_many_partitions_as_bells_numbers():
    counts = [sum(1 for _ in calibration._set_partitions(tuple(range(n)))) for n in range(6)]
    assert counts == [1, 1, 2, 5, 15, 52]
