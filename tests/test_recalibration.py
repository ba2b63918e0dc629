"""Forecasters inside the bins of a model, and Venn-Abers: the same as playing online, and as good as promised."""

from __future__ import annotations

import math
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from naive_measures import increasing_fits
from sklearn.utils.estimator_checks import check_estimator

import klcal
from klcal import Cells, Forecaster, full_grid, kl_calibration
from klcal.book.experiments.datasets import seattle_rain
from klcal.book.experiments.real_data import compare, deterministic, forecast_in_bins
from klcal.forecasters.baselines import calibeat
from klcal.forecasters.recalibrator import Recalibrator
from klcal.measures import total_loss
from klcal.measures.cells import move_to_bin_means, round_to_grid

ALGORITHMS = ["paper", "realised", "pair", "pair-expected"]


def sample(T: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """A model that forecasts 0.1, 0.5 or 0.9 where 0.3, 0.5 and 0.7 would be right."""
    rng = np.random.default_rng(seed)
    says = rng.integers(0, 3, size=T)
    outcomes = rng.random(T) < np.array([0.3, 0.5, 0.7])[says]
    return np.array([0.1, 0.5, 0.9])[says], outcomes.astype(np.uint8)


# --- rounding ---------------------------------------------------------------------------------------------


@given(st.lists(st.floats(0, 1), min_size=1, max_size=20), st.integers(2, 12))
def test_no_grid_point_has_a_nearer_angle(forecasts, K):
    points = full_grid(K).points
    angles = np.arcsin(np.sqrt(points))
    for p, q in zip(forecasts, round_to_grid(forecasts, full_grid(K)), strict=True):
        away = np.abs(angles - math.asin(math.sqrt(p)))
        assert away[points == q][0] <= away.min() + 1e-12


@given(st.lists(st.floats(0, 1), min_size=1, max_size=30), st.integers(1, 12))
def test_every_bin_is_moved_to_its_mean_and_bins_are_equally_wide_in_the_angle(forecasts, bins):
    moved = move_to_bin_means(forecasts, bins)
    ends = [math.sin(math.pi * i / (2 * bins)) ** 2 for i in range(bins + 1)]
    for z in set(moved.tolist()):
        inside = [p for p, q in zip(forecasts, moved, strict=True) if q == z]
        assert z == pytest.approx(math.fsum(inside) / len(inside), rel=1e-14)
        assert min(inside) <= z <= max(inside)
        width = [
            i for i in range(bins) if ends[i] - 1e-12 <= min(inside) and max(inside) <= ends[i + 1] + 1e-12
        ]
        assert width or len(set(inside)) == 1


def test_forecasts_that_are_alone_in_their_bin_stay_as_they_are():
    assert move_to_bin_means([0.1] * 7 + [0.7] * 3, 4).tolist() == [0.1] * 7 + [0.7] * 3
    with pytest.raises(ValueError, match="bins must be an integer that is at least 1; got 0"):
        move_to_bin_means([0.5], 0)


# --- one forecaster per bin -------------------------------------------------------------------------------


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_playing_bin_by_bin_is_playing_online_with_one_forecaster_per_bin(algorithm):
    bins, y = sample(300, 5)
    played = forecast_in_bins(bins, y, 4, algorithm, rng=7)
    streams = np.random.default_rng(7).spawn(3)
    team = {
        q: Forecaster(K=4, algorithm=algorithm, rng=stream)
        for q, stream in zip((0.1, 0.5, 0.9), streams, strict=True)
    }
    for t, (q, outcome) in enumerate(zip(bins.tolist(), y.tolist(), strict=True)):
        mixture = team[q].mixture()
        loss = -np.log(played.runs[0].grid.points if outcome else 1 - played.runs[0].grid.points)
        assert played.losses[t] == pytest.approx(float(mixture @ loss), rel=1e-12)
        assert played.forecasts[t] == team[q].predict()
        team[q].update(outcome)
    assert Cells.merged(*(f.realised for f in team.values())) == played.realised


@pytest.mark.parametrize("algorithm", ALGORITHMS)
@pytest.mark.parametrize("seed", range(5))
def test_both_inequalities_of_the_claim_hold_for_draws_and_for_mixtures(algorithm, seed):
    bins, y = sample(400, seed)
    model = Cells.from_forecasts(bins, y)
    played = forecast_in_bins(bins, y, 4, algorithm, rng=seed)
    for kind in ("realised", "expected"):
        together = getattr(played, kind)
        in_bins = sum(kl_calibration(getattr(run, kind)) for run in played.runs)
        assert kl_calibration(together) <= in_bins + 1e-9
        assert total_loss(together) <= total_loss(model) - kl_calibration(model) + in_bins + 1e-9
    assert played.losses.sum() == pytest.approx(total_loss(played.expected), rel=1e-12)


def test_bins_need_as_many_entries_as_outcomes():
    with pytest.raises(ValueError, match=r"bins must have the length of outcomes \(2\); got 1"):
        forecast_in_bins([0.5], [0, 1], 2)
    with pytest.raises(ValueError, match="K must be an integer that is at least 2; got 1"):
        forecast_in_bins([0.5], [1], 1)


# --- losses ------------------------------------------------------------------------------------


def test_a_wrong_certainty_is_infinitely_bad_and_a_right_one_costs_nothing():
    assert total_loss(Cells([0.0, 1.0], [3, 2], [0, 2])) == 0.0
    assert total_loss(Cells([0.0], [3], [1])) == math.inf


# --- the comparison on data -------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def seattle():
    return compare(seattle_rain())


def test_losses_and_cells_of_every_entry_belong_to_its_forecasts(seattle):
    y = seattle.series.outcomes
    for name, entry in seattle.entries.items():
        assert entry.cells.total == len(y) and entry.cells.ones.sum() == y.sum(), name
        if "bins" in name or "alone" in name:
            assert entry.cells == Cells.from_forecasts(entry.forecasts, y)
        else:
            assert entry.losses == pytest.approx(
                -np.log(np.where(y == 1, entry.forecasts, 1 - entry.forecasts))
            )
            assert set(entry.cells.points) == set(move_to_bin_means(entry.forecasts, 20))


def test_calibeating_repairs_overconfidence_on_real_data_and_single_forecasters_do_not_see_the_season(
    seattle,
):
    paid = {name: entry.losses.mean() for name, entry in seattle.entries.items()}
    assert paid["overconfident, calibeaten"] < paid["overconfident"]
    assert paid["alone"] > paid["climatology"]


def test_entries_of_certain_forecasts_may_be_infinitely_bad():
    assert deterministic([0.0, 1.0], [1, 1]).losses.tolist() == [math.inf, 0.0]


def test_calibeating_is_laplaces_rule_in_each_bin():
    bins, y = sample(60, 3)
    for q in (0.1, 0.5, 0.9):
        inside = y[bins == q]
        wanted = [(inside[:n].sum() + 1) / (n + 2) for n in range(len(inside))]
        np.testing.assert_allclose(calibeat(bins, y, prior=1.0)[bins == q], wanted, rtol=1e-15)


# --- scikit-learn's verbs ---------------------------------------------------------------------------------


class Squashed(Recalibrator):
    """Takes the last of any numbers for log odds, with the sign of the checks, which have no probabilities."""

    def _forecasts(self, rows):
        return super()._forecasts(1 / (1 + np.exp(3 * rows[:, -1:])))


def test_the_recalibrator_passes_the_checks_of_scikit_learn():
    plain = "a list of forecasts needs no second dimension"
    check_estimator(
        Squashed(),
        expected_failed_checks={"check_fit1d": plain, "check_fit2d_predict1d": plain},
        on_skip=None,
    )


def test_the_recalibrator_learns_the_same_in_pieces_from_both_columns_and_from_weights():
    said, y = sample(300, 7)
    at_once = Recalibrator().fit(np.column_stack([1 - said, said]), y == 1)
    online = Recalibrator()
    for some in np.array_split(np.random.default_rng(1).permutation(300), 7):
        online.partial_fit(said[some], y[some], classes=[0, 1])
    weighed, twice = Recalibrator(), np.random.default_rng(2).integers(0, 3, 300)
    repeated = Recalibrator().fit(np.repeat(said, twice), np.repeat(y, twice))
    asked = np.array([0.0, 0.1, 0.3, 0.5, 0.9, 1.0])
    found = at_once.predict_proba(np.column_stack([1 - asked, asked]))
    assert online.predict_proba(asked).tolist() == found.tolist()
    assert weighed.fit(said, y, twice).predict_proba(asked).tolist() == repeated.predict_proba(asked).tolist()
    assert (np.diff(found[:, 1]) >= 0).all() and found.min() > 0
    assert at_once.predict(np.array([[0.9, 0.1], [0.1, 0.9]])).tolist() == [False, True]


def test_the_recalibrator_says_what_venn_and_abers_say():
    said, y = sample(40, 3)
    said = said + np.arange(40) % 4 / 100
    repair = Recalibrator().fit(said, y)
    for p in (0.05, 0.11, 0.115, 0.52, 0.9, 1.0):
        cells = [Cells.from_forecasts([*said, p], [*y, label]) for label in (0, 1)]
        at = np.searchsorted(cells[0].points, p)
        p0, p1 = (float(increasing_fits(c.mass, c.ones)[at]) for c in cells)
        assert repair.predict_proba([p])[0, 1] == pytest.approx(p1 / (1 - p0 + p1), rel=1e-12)


def test_without_scikit_learn_the_package_works_and_names_what_the_recalibrator_needs(monkeypatch):
    for name in [name for name in sys.modules if name.split(".")[0] == "sklearn"]:
        monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.setitem(sys.modules, "sklearn", None)
    monkeypatch.delitem(sys.modules, "klcal.forecasters.recalibrator")
    monkeypatch.delitem(vars(klcal), "Recalibrator", raising=False)
    with pytest.raises(
        ModuleNotFoundError, match=r"^klcal\.Recalibrator needs scikit-learn, which is not installed"
    ):
        klcal.Recalibrator  # noqa: B018
    exec("from klcal import *", {})


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: Recalibrator().fit([0.5, 1.5], [0, 1]), r"X must lie in \[0, 1\]; got 1.5 at index 1"),
        (lambda: Recalibrator().fit([0.5, 0.5], [1, 1]), "y must have two classes; got one class"),
        (lambda: Recalibrator().fit(np.full((2, 3), 0.5), [0, 1]), "X must have one column, .*; got 3"),
        (
            lambda: Recalibrator().fit([0.5, 0.2], [0, 1], [1, -1]),
            "Negative values in data passed to `sample_weight`",
        ),
        (
            lambda: Recalibrator().fit([0.5, 0.2], [0, 1]).partial_fit([0.5], [2]),
            r"y must have no classes besides \[0, 1\]",
        ),
    ],
)
def test_what_cannot_be_recalibrated_is_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()
