"""The claims of chapter 10 belong to it and notice changes in what they check."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from klcal import bounds
from klcal.claims import comparisons
from klcal.claims.comparisons import CLAIMS, _common, followers, neighbours

BY_LABEL = {claim.label: claim for claim in CLAIMS}


def test_labels_are_those_of_the_chapter():
    assert list(BY_LABEL) == [
        "new:murphy",
        "new:follow-the-leader",
        "new:calibeating",
        "new:two-neighbours",
        "new:two-neighbours-games",
        "new:certain-forecasts",
        "new:end-prices",
        "new:arena",
    ]
    assert comparisons.CLAIMS is CLAIMS
    assert {claim.chapter for claim in CLAIMS} == {_common.CHAPTER}


def test_the_worst_case_of_two_neighbours_in_one_round_is_one():
    # The first forecast is 0, and the outcome 1 makes it as wrong as can be.
    assert neighbours.worst(2, 1) == (Fraction(1), 0)
    # Two rounds at K = 2: after (0, wrong) the calibrated point 1/2 follows, which costs 1/4.
    assert neighbours.worst(2, 2)[0] == Fraction(5, 4)


def test_the_claim_notices_another_mixture(monkeypatch):
    neighbours.worst.cache_clear()

    def even(counts):
        wrong = np.zeros(np.shape(counts)[1])
        wrong[:2] = 0.5
        return wrong

    monkeypatch.setattr(neighbours, "neighbour_mixture", even)
    assert not neighbours.solved().holds
    neighbours.worst.cache_clear()


def test_the_claim_notices_another_bound(monkeypatch):
    monkeypatch.setattr(
        neighbours.bounds,
        "squared_loss_pcal2",
        lambda T, K, true=bounds.squared_loss_pcal2: true(T, K) * (1 - 1e-6),
    )
    assert not neighbours.proof().holds


def test_the_claim_notices_another_calibeating(monkeypatch):
    monkeypatch.setattr(followers, "calibeat", lambda forecasts, outcomes: np.asarray(forecasts, dtype=float))
    assert not followers.beaten().holds


def test_harmonic_numbers():
    assert [_common.harmonic(n) for n in range(4)] == [0, 1, Fraction(3, 2), Fraction(11, 6)]
