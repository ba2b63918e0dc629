"""`klcal.measure`: bins and errors as others count them, losses in parts, and a p-value that is one."""

from __future__ import annotations

import math
import re
import sys
from fractions import Fraction
from itertools import product

import numpy as np
import pandas as pd
import pytest
from oracles import consistency_band
from scipy.stats import kstest
from sklearn.calibration import calibration_curve
from sklearn.datasets import load_breast_cancer, make_classification
from sklearn.isotonic import IsotonicRegression
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import brier_score_loss, log_loss
from sklearn.naive_bayes import GaussianNB

import klcal
from klcal import measure
from klcal.measures.cells import SPACINGS, bin_places


def tumours() -> tuple[np.ndarray, np.ndarray]:
    X, y = load_breast_cancer(return_X_y=True)
    return GaussianNB().fit(X[::2], y[::2]).predict_proba(X[1::2])[:, 1], y[1::2]


def clusters() -> tuple[np.ndarray, np.ndarray]:
    X, y = make_classification(4000, flip_y=0.2, random_state=1)
    return LogisticRegression().fit(X[:1000], y[:1000]).predict_proba(X[1000:])[:, 1], y[1000:]


def tenths() -> tuple[np.ndarray, np.ndarray]:
    """Every forecast lies on a boundary of ten bins that are equally wide."""
    rng = np.random.default_rng(0)
    p = rng.integers(0, 11, 500) / 10
    return p, (rng.random(500) < p**2).astype(int)


DATA = {make.__name__: make() for make in (tumours, clusters, tenths)}


@pytest.mark.parametrize("name", DATA)
@pytest.mark.parametrize("bins", [10, 15])
def test_with_uniform_bins_the_ece_is_the_usual_one(name, bins):
    p, y = DATA[name]
    ends, total = np.linspace(0, 1, bins + 1), 0.0
    for i in range(bins):
        inside = (ends[i] < p) & (p <= ends[i + 1]) if i else p <= ends[1]
        if inside.any():
            total += inside.sum() / len(p) * abs(p[inside].mean() - y[inside].mean())
    assert measure(p, y, bins, "uniform").ece == pytest.approx(total, abs=1e-12, rel=0)


@pytest.mark.parametrize("name", DATA)
@pytest.mark.parametrize("spacing", ["uniform", "quantile"])
def test_the_reliability_diagram_is_that_of_scikit_learn(name, spacing):
    p, y = DATA[name]
    frequencies, means = calibration_curve(y, p, n_bins=10, strategy=spacing)
    report = measure(p, y, spacing=spacing)
    np.testing.assert_allclose(report.cells.points, means, rtol=1e-13)
    np.testing.assert_allclose(report.cells.means, frequencies, rtol=1e-13)


@pytest.mark.parametrize("bins", [None, 1, 10])
@pytest.mark.parametrize("spacing", SPACINGS)
def test_losses_are_those_of_the_forecasts_as_made_and_their_parts_add_up(bins, spacing):
    p, y = DATA["clusters"]
    report = measure(p, y, bins, spacing)
    best = IsotonicRegression().fit(p, y).predict(p)
    for name, score in (("log", log_loss), ("squared", brier_score_loss)):
        loss, base = score(y, p), score(y, np.full(len(y), y.mean()))
        wanted = {"loss": loss, "miscalibration": loss - score(y, best)}
        wanted |= {"discrimination": base - score(y, best), "uncertainty": base}
        assert report.parts(name) == pytest.approx(wanted, rel=1e-9)


SMALL = {
    "two bins": ([0.25, 0.25, 0.5, 0.75, 0.125, 0.875], 2, "angle"),
    "as they are": ([0.5, 0.5, 0.5, 0.25, 0.25, 0.75], None, "angle"),
    "quantiles": ([0.1, 0.2, 0.3, 0.5, 0.5, 0.9, 0.95], 3, "quantile"),
    "certain": ([0.0, 1.0, 0.5, 0.5, 0.5], 4, "uniform"),
}


@pytest.mark.parametrize("name", SMALL)
def test_the_p_value_of_perfect_forecasts_is_uniform_at_every_level_that_it_takes(name):
    p, bins, spacing = SMALL[name]
    chances: dict[float, Fraction] = {}
    for y in product((0, 1), repeat=len(p)):
        chance = Fraction(1)
        for forecast, outcome in zip(map(Fraction, p), y, strict=True):
            chance *= forecast if outcome else 1 - forecast
        if chance > 0:
            found = round(measure(p, y, bins, spacing).p_value, 12)  # equal up to last digits
            chances[found] = chances.get(found, Fraction(0)) + chance
    upto = Fraction(0)
    for level in sorted(chances):  # between two of these levels the probability stays, and the level grows
        upto += chances[level]
        assert float(upto) == pytest.approx(level, abs=2e-12)
    assert upto == 1 and len(chances) > 1


def test_the_p_values_of_a_thousand_perfect_records_are_uniform():
    rng, found = np.random.default_rng(1), []
    for _ in range(1000):
        p = rng.beta(0.5, 1.5, 400)
        found.append(measure(p, rng.random(400) < p, bins=5, spacing="angle").p_value)
    assert kstest(found, "uniform").pvalue > 0.05
    assert [sum(each <= level for each in found) for level in (0.01, 0.05, 0.5)] == pytest.approx(
        [10, 50, 500], rel=0.3
    )


def test_perfect_forecasts_and_the_band_are_those_of_coins():
    p, y = DATA["tenths"]
    report = measure(p, y, bins=None)
    band, wanted = report.band(0.9), consistency_band(report.cells, 0.9 ** (1 / len(report.cells)))
    assert band.lower.tolist() == wanted.lower.tolist() and band.upper.tolist() == wanted.upper.tolist()
    rng = np.random.default_rng(2)
    thrown = [measure(p, rng.random(len(p)) < p, bins=None).ece for _ in range(300)]
    expected = report.numbers()["ECE of perfect forecasts, mean"]
    assert np.mean(thrown) == pytest.approx(expected, abs=4 * np.std(thrown) / 300**0.5)


@pytest.mark.parametrize("level", [0.5, 0.95])
def test_the_band_holds_all_bins_at_once_and_how_often_is_a_product(level):
    p = [0.0, 0.002, 0.125, 0.1875, 0.5, 0.5, 0.625, 0.875, 1.0]
    band, cells = measure(p, [0] * 9).band(level), measure(p, [0] * 9).cells
    assert len(cells) >= 6  # tails are apart
    together, alone = Fraction(0), [Fraction(0)] * len(cells)
    for y in product((0, 1), repeat=len(p)):
        chance = math.prod(q if happened else 1 - q for q, happened in zip(map(Fraction, p), y, strict=True))
        inside = (band.lower <= (means := measure(p, y).cells.means)) & (means <= band.upper)
        together += chance * bool(inside.all())
        alone = [share + chance * bool(each) for share, each in zip(alone, inside, strict=True)]
    assert together == math.prod(alone) and together >= level


def test_bins_with_tails_split_those_of_the_angle_and_leave_certainties_alone():
    p = np.sort(
        np.concatenate([np.random.default_rng(0).beta(0.05, 0.05, 3000), [0.0, 1e-9, 0.01, 0.99, 1.0]])
    )
    fine, coarse = bin_places(p, 10, "tails"), bin_places(p, 10)
    cuts = [10.0**-k for k in range(9, 1, -1)]
    sides = np.array([[q == 0, *(q < c for c in cuts), *(1 - q < c for c in cuts), q == 1] for q in p])
    same = (fine[1:] == fine[:-1]).tolist()
    near = np.abs(p[:, None] - np.array(cuts + [1 - c for c in cuts])).min(axis=1) < 1e-12
    for i in np.flatnonzero(~near[1:] & ~near[:-1]).tolist():
        assert same[i] == (coarse[i] == coarse[i + 1] and (sides[i] == sides[i + 1]).all())
    assert bin_places([0.01, 0.99], 1, "tails").tolist() == bin_places([0.011, 0.989], 1, "tails").tolist()
    y = (np.random.default_rng(1).random(len(p)) < p).astype(int)
    assert measure(p, y).ece >= measure(p, y, spacing="angle").ece - 1e-15


@pytest.mark.parametrize("spacing", SPACINGS)
@pytest.mark.parametrize("bins", [None, 1, 10])
def test_a_forecast_of_0_that_met_a_1_has_p_value_0(spacing, bins):
    p = np.random.default_rng(0).random(1000)
    y = (np.random.default_rng(1).random(1000) < p).astype(int)
    p[0], y[0] = 0.0, 1
    report = measure(p, y, bins, spacing)
    assert report.p_value == report.isotonic.p_value == 0.0 and report.isotonic.impossible == 1
    assert report.parts("log")["miscalibration"] == math.inf > report.parts("squared")["miscalibration"]
    assert "A forecast of 0 met outcome 1 in 1 round. Perfect forecasts never do." in str(report)
    assert "A forecast of 1 met outcome 0 in 1 round." in str(measure(1 - p, 1 - y))


def test_with_too_many_bins_the_p_value_is_simulated_and_says_so():
    p = np.linspace(0.1, 0.9, 10_001)
    report = measure(p, np.random.default_rng(0).random(10_001) < p, None)
    assert report.p_value == report.isotonic.p_value and "the p-value is that of the misc" in str(report)


@pytest.mark.parametrize(
    ("p", "y", "words"),
    [
        ([0.1, 0.9] * 50, [0, 1, 1, 0] * 25, "Too sure"),
        ([0.4, 0.6] * 50, [0, 1, 0, 1, 1, 0, 0, 1, 0, 1] * 10, "Too timid"),
        ([0.5] * 100, [1, 1, 1, 0] * 25, "Too low"),
        ([0.5] * 100, [0, 0, 1, 0] * 25, "Too high"),
        ([0.5] * 100, [0, 1] * 50, "No clear tilt"),
        ([0.4, 0.6] * 50, [0, 1] * 50, "No tilt can be fitted"),
    ],
)
def test_the_tilt_is_said_in_words(p, y, words):
    assert re.search(rf"^{words}\b.*\.$", str(measure(p, y)), re.MULTILINE)


def test_a_report_shows_itself_in_one_line_as_a_table_and_in_markdown():
    p, y = DATA["tenths"]
    report = measure(p, y)
    assert re.fullmatch(r"Report\(500 rounds, 10 bins by tails: ECE 0.1\d+, .*, p-value \S+\)", repr(report))
    shown = str(report)
    assert shown.splitlines()[1].startswith("10 bins, by angle, and cut at 0.01, 0.001, ..., 1e-9")
    for word in re.split(r"\n|  +", shown):
        assert word in report._repr_markdown_()
    split = [*report.parts("squared").values(), *report.isotonic.of_perfect.values()]
    for value in (report.ece, report.p_value, report.isotonic.p_value, *split):
        assert f"{value:.4g}" in shown
    assert f"slope {report.tilt.slope:.2f}, shift {report.tilt.shift:+.2f}." in shown
    assert "With 500 bins for 500 rounds" in str(measure(np.linspace(0.1, 0.9, 500), y, None))


def test_the_picture_has_a_disc_for_each_bin_and_names_the_extra_if_it_cannot_be_drawn(monkeypatch):
    report = measure(*DATA["tenths"])
    assert len(report.plot().collections[-1].get_offsets()) == len(report.cells)
    for name in [name for name in sys.modules if name.startswith("klcal.figures")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(ModuleNotFoundError, match=r'extra "figures" brings it.*\.\[figures\]"'):
        report.plot()
    with pytest.raises(ValueError, match="bins must be at most 10000 for a picture; got 10001"):
        measure(np.linspace(0, 1, 10_001), np.zeros(10_001), None).plot()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            (pd.DataFrame({"p": [0.5]}), [1]),
            r"forecasts must be one number for each round.*; got a DataFrame",
        ),
        ((klcal.Cells([0.5], [1], [1]), [1]), r"forecasts must be one number for each round.*; got a Cells"),
        (([0.5], [1], 0), "bins must be an integer that is at least 1; got 0"),
        (([0.5], [1], 10**7), "bins must be at most 1000000; got 10000000"),
        (
            ([0.5], [1], 10, "mass"),
            "spacing must be one of 'tails', 'angle', 'uniform', 'quantile'; got 'mass'",
        ),
        (([0.5], [1, 0]), r"outcomes must have the length of forecasts \(1\); got 2"),
    ],
)
def test_what_cannot_be_reported_is_answered_in_a_sentence(arguments, message):
    with pytest.raises(ValueError, match=message):
        measure(*arguments)
