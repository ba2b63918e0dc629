"""The claims of chapters 10 and 13 notice changes in what they check."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from klcal.claims import REGISTRY, real_data
from klcal.claims.comparisons import followers, neighbours

CHAPTERS = "10_comparisons", "13_real_data"
CLAIMS = {label: claim for label, claim in REGISTRY.items() if claim.chapter in CHAPTERS}


def test_what_is_not_ours_is_credited():
    ours = {label for label, claim in CLAIMS.items() if not claim.credit}
    assert ours == {"new:certain-forecasts", "new:end-prices", "new:arena"}
    assert "Foster and Hart 2023" in CLAIMS["new:calibeating"].credit
    assert "Chen, Huang, Jordan, Luo 2026" in CLAIMS["new:calibeating"].credit


def test_the_claim_notices_another_mixture(monkeypatch):
    def even(counts):
        wrong = np.zeros(np.shape(counts)[1])
        wrong[:2] = 0.5
        return wrong

    monkeypatch.setattr(neighbours, "neighbour_mixture", even)
    assert not neighbours.solved().holds


def test_the_claim_notices_another_calibeating(monkeypatch):
    monkeypatch.setattr(real_data, "calibeat", lambda forecasts, outcomes: np.asarray(forecasts, dtype=float))
    assert not real_data.calibeating().holds


def test_regrets_of_the_running_mean_by_hand():
    # 1/2 against 0, then 0 against 1: 1/4 + 1, and the best constant loses 1/2.
    assert followers.squared_regret((0, 1), Fraction(1, 2)) == Fraction(3, 4)
    assert [followers.harmonic(n) for n in range(4)] == [0, 1, Fraction(3, 2), Fraction(11, 6)]
