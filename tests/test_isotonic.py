"""The split without bins, what chance makes of it, the repair, and the tilt."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from naive_measures import best_increasing_loss, increasing_fits
from scipy.optimize import minimize
from scipy.special import expit, logit

import klcal
from klcal import LOSSES, Cells
from klcal.losses import log, squared
from klcal.measures import isotonic as room
from klcal.measures import total_loss
from klcal.measures.isotonic import Isotonic, increasing_fit, most_likely_line, pooled, repaired, venn_abers

counts = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)).filter(any), min_size=1, max_size=7)


def cells_of(pairs: list[tuple[int, int]]) -> Cells:
    """Cells with so many zeros and ones."""
    points = (np.arange(len(pairs)) + 1) / (len(pairs) + 1)
    return Cells(points, [sum(pair) for pair in pairs], [ones for _, ones in pairs])


@given(counts)
def test_one_increasing_function_is_the_best_of_all_for_every_loss(pairs):
    cells = cells_of(pairs)
    fits = [float(q) for q in increasing_fits(cells.mass, cells.ones)]
    assert increasing_fit(cells.mass, cells.ones).x.tolist() == pytest.approx(fits, abs=1e-14)
    found, T = Isotonic(cells), cells.total
    for loss in LOSSES.values():
        best = best_increasing_loss(cells.mass.tolist(), cells.ones.tolist(), loss)
        assert found.repaired_loss(loss) * T == pytest.approx(best, rel=1e-9, abs=1e-12)
        assert best / T <= min(total_loss(cells, loss) / T, float(loss.entropy(cells.base_rate))) + 1e-12


def test_the_p_value_is_that_of_all_outcomes_up_to_its_thousand_throws():
    p, y = np.array([0.125, 0.25, 0.5, 0.5, 0.625, 0.75, 0.875]), np.array([1, 0, 1, 0, 1, 0, 1])
    costs = {}
    for thrown in product((0, 1), repeat=7):
        chance = math.prod(np.where(thrown, p, 1 - p))
        costs[thrown] = (chance, klcal.measure(p, thrown).parts("log")["miscalibration"])
    found = Isotonic(Cells.from_forecasts(p, y))
    exact = sum(chance for chance, cost in costs.values() if cost >= costs[tuple(y)][1] - 1e-12)
    assert found.p_value == pytest.approx(exact, abs=4 * math.sqrt(exact * (1 - exact) / 999))
    mean = sum(chance * cost for chance, cost in costs.values())
    spread = math.sqrt(sum(chance * (cost - mean) ** 2 for chance, cost in costs.values()))
    assert found.of_perfect["log"] == pytest.approx(mean, abs=4 * spread / math.sqrt(999))


def test_tails_that_bins_hide_are_seen():
    rng = np.random.default_rng(0)
    said = np.where(rng.random(20_000) < 0.2, 1e-9, rng.random(20_000))
    true = np.where(said < 1e-6, 0.01, said)
    y = (rng.random(20_000) < true).astype(int)
    report = klcal.measure(said, y)
    saved = (total_loss(said, y) - total_loss(true, y)) / 20_000  # by whoever knows the truth
    assert 0.02 < saved < 0.04
    assert report.parts()["miscalibration"] - report.isotonic.of_perfect["log"] == pytest.approx(
        saved, abs=0.001
    )
    assert report.isotonic.of_perfect["log"] == pytest.approx(0.0024, abs=0.0001)
    mean, error = report.isotonic.saving
    # A repair that has to be learned saves less than the truth, by no more than chance makes of perfect forecasts.
    assert saved - report.isotonic.of_perfect["log"] < mean < saved and 0.003 < error < 0.006
    assert report.isotonic.p_value == 0.001 and report.p_value < 1e-20


@pytest.mark.parametrize("seed", range(3))
def test_the_saving_is_that_of_repairs_that_did_not_see_their_row(seed):
    rng = np.random.default_rng(seed)
    p, y = rng.integers(1, 10, 50) / 10, rng.integers(0, 2, 50)
    losses = []
    for i in range(50):
        others = np.arange(50) != i
        said = repaired(*venn_abers(Cells.from_forecasts(p[others], y[others])), p[i : i + 1])
        losses.append(float(log(p[i], y[i]) - log(said[0], y[i])))
    mean, error = Isotonic(Cells.from_forecasts(p, y)).saving
    assert mean == pytest.approx(np.mean(losses), abs=1e-12)
    assert error == pytest.approx(np.std(losses) / math.sqrt(50), rel=1e-9)


@pytest.mark.parametrize("N", range(1, 8))
def test_the_repair_costs_the_fit_and_the_width_for_every_sequence(N):
    for y in product((0.0, 1.0), repeat=N):
        _, said = venn_abers(Cells((np.arange(N) + 1) / (N + 1), np.ones(N), y))
        for place, q in enumerate(said.tolist()):
            i, there = divmod(place, 2)
            mass = [1.0] * N if there else [1.0] * (N + 1)
            ones = list(y) if there else [*y[:i], 0.0, *y[i:]]
            mass[i] = 1.0 + there
            p0, p1 = (
                float(increasing_fits(mass, [k + label * (j == i) for j, k in enumerate(ones)])[i])
                for label in (0, 1)
            )
            price = math.log1p(p1 - p0)
            assert -math.log1p(-q) == pytest.approx(-math.log1p(-p0) + price, abs=1e-12)
            assert -math.log(q) == pytest.approx(-math.log(p1) + price, abs=1e-12)
        assert (np.diff(said) >= -1e-15).all() and said[0] >= 1 / (N + 2) - 1e-15
        assert said[-1] <= (N + 1) / (N + 2) + 1e-15


def test_a_repair_without_rows_says_one_half():
    assert repaired(*venn_abers(Cells([], [], [])), np.array([0.0, 0.3])).tolist() == [0.5, 0.5]


def test_pooling_keeps_sums_and_certainties_and_hardly_changes_the_split(monkeypatch):
    rng = np.random.default_rng(0)
    p = np.concatenate([np.zeros(5), np.ones(4), rng.beta(0.5, 2, 30_000)])
    cells = Cells.from_forecasts(p, rng.random(len(p)) < p)
    few = pooled(cells, 2_000)
    assert len(few) <= 2_002 and (few.total, few.ones.sum()) == (cells.total, cells.ones.sum())
    assert (few.mass[0], few.mass[-1]) == (5, 4) and few.points[[0, -1]].tolist() == [0, 1]
    assert few.mass @ few.points == pytest.approx(p.sum(), rel=1e-12)
    assert pooled(few, len(few)) is few
    ours = [Isotonic(cells).repaired_loss(loss) for loss in (log, squared)]
    monkeypatch.setattr(room, "_MOST", 10**6)
    assert ours == pytest.approx([Isotonic(cells).repaired_loss(loss) for loss in (log, squared)], abs=2e-5)


def test_nothing_is_simulated_before_it_is_asked_for(monkeypatch):
    monkeypatch.setattr(room, "_DRAWS", None)
    report = klcal.measure([0.2, 0.4, 0.6], [0, 1, 1])
    assert repr(report) and report.parts("log") and report.isotonic.saving and report.p_value


@pytest.mark.parametrize(("shift", "slope"), [(0.0, 1.0), (0.3, 0.7), (-1.0, 1.5)])
def test_the_tilt_is_the_most_likely_line(shift, slope):
    rng = np.random.default_rng(5)
    p = np.append(rng.random(2000), [0.0, 1.0])
    y = np.append(rng.random(2000) < expit(shift + slope * logit(p[:-2])), [0, 1])
    x = logit(p[:-2])
    best = minimize(lambda t: np.logaddexp(0, t[0] + t[1] * x).sum() - y[:-2] @ (t[0] + t[1] * x), [0, 1])
    found = klcal.measure(p, y).tilt
    assert found[:2] == pytest.approx(best.x, abs=1e-4)
    ratio = 2 * (total_loss(p, y) - best.fun)  # chi squared with two degrees in long games, as Rao's score is
    assert found.p_value == pytest.approx(math.exp(-ratio / 2), abs=0.03)
    assert (found.p_value > 0.05) == (slope == 1.0)


def test_the_p_value_of_the_tilt_is_that_of_all_outcomes_up_to_its_thousand_throws():
    p, y = np.array([0.125, 0.25, 0.5, 0.5, 0.625, 0.75, 1.0]), np.array([1, 1, 1, 0, 1, 0, 1])
    X = np.stack([np.ones(6), logit(p[:6])])
    inverse = np.linalg.inv(X @ np.diag(p[:6] * (1 - p[:6])) @ X.T)
    scores = {}
    for thrown in product((0, 1), repeat=6):
        score = X @ (np.array(thrown) - p[:6])
        scores[thrown] = (math.prod(np.where(thrown, p[:6], 1 - p[:6])), score @ inverse @ score)
    seen = scores[tuple(y[:6].tolist())][1]
    exact = sum(chance for chance, score in scores.values() if score >= seen - 1e-9)
    assert klcal.measure(p, y).tilt.p_value == pytest.approx(
        exact, abs=4 * math.sqrt(exact * (1 - exact) / 999)
    )


@pytest.mark.parametrize(
    ("cells", "found"),
    [
        (Cells([0.5], [4], [3]), (math.log(3), 1.0)),
        (Cells([1e-9, 0.5], [1000, 100], [10, 50]), (0.0, logit(0.01) / logit(1e-9))),
        (Cells([1e-300, 0.5], [10, 2], [5, 1]), (0.0, 0.0)),
        (Cells([0.5], [4], [4]), (math.nan, 1.0)),
        (Cells([0.4, 0.6], [4, 4], [0, 4]), (math.nan, math.nan)),
        (Cells([0.4, 0.5], [4, 4], [0, 2]), (math.nan, math.nan)),
        (Cells([0.0, 1.0], [4, 4], [0, 4]), (math.nan, 1.0)),
    ],
)
def test_tilts_by_hand_and_those_that_do_not_exist(cells, found):
    assert most_likely_line(cells) == pytest.approx(found, abs=1e-8, nan_ok=True)
    assert 0 < Isotonic(cells).tilt.p_value <= 1


def test_the_split_is_that_of_model_diagnostics():
    scoring = pytest.importorskip("model_diagnostics.scoring")
    rng = np.random.default_rng(0)
    p = rng.random(500)
    y = (rng.random(500) < p**2).astype(int)
    for name, score in (("log", scoring.LogLoss()), ("squared", scoring.SquaredError())):
        table = scoring.decompose(y, p, scoring_function=score)
        parts = klcal.measure(p, y).parts(name)
        for part in ("miscalibration", "discrimination", "uncertainty"):
            assert parts[part] == pytest.approx(float(table[part][0]), rel=1e-6, abs=1e-9)
