"""klcal.book.verify: true comparisons pass with the right kind, false ones and those that cannot fail are refused."""

from __future__ import annotations

import json
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
import sympy as sp
from flint import arb

from klcal.book import verify
from klcal.book.exact.balls import Enclosure

p, q = sp.symbols("p q", positive=True)
HALF = Fraction(1, 2)


def test_the_kind_follows_from_the_numbers():
    def kind(left, right=1):
        return verify.at_most("a", left, right, "x", covers="a case").kind

    assert kind(HALF) == kind(np.int64(1)) == kind(np.arange(2)) == kind(sp.Rational(1, 2)) == "exact"
    assert kind(arb(1) / 3) == kind(Enclosure(0.0, 0.5, 1)) == kind([arb(1) / 3, HALF]) == "certified"
    assert kind(sp.sqrt(2) / 2) == "symbolic"
    assert kind(0.5) == kind([HALF, 0.5]) == kind([arb(1) / 3, 0.5]) == kind(np.float32(0.5)) == "numeric"
    assert kind(HALF, 1.0) == kind(pd.Series([0.5])) == "numeric"


@pytest.mark.parametrize("other", [p * q - q, (p**2 - p) * q / p])
def test_an_identity_is_decided_by_its_normal_form(other):
    assert verify.identity("a", {"q(p − 1)": (q * (p - 1), other)}, covers=verify.WHOLE).kind == "symbolic"


@pytest.mark.parametrize(
    ("sides", "said"),
    [
        ({"p²": (p**2, p**2 + p / 1000)}, "leaves"),
        ({"p²": (p**2, p**2)}, "compared with itself"),
        ({}, "nothing was compared"),
        ({"1": (sp.Integer(1), 2)}, "leaves"),
    ],
)
def test_a_false_or_empty_identity_is_refused(sides, said):
    with pytest.raises(verify.CheckFailed, match=said):
        verify.identity("a", sides, covers="all")


def test_equal_refuses_what_is_wrong_by_one_per_cent_and_what_cannot_be_wrong():
    assert verify.equal("a", [1, HALF], [1, HALF], "x", covers="two").control.startswith("equal,")
    with pytest.raises(verify.CheckFailed, match="wrong by"):
        verify.equal("a", 1.0, 1.01, "x", covers="one")
    with pytest.raises(verify.CheckFailed, match="cannot fail"):
        verify.equal("a", 1.0, 1.001, "x", covers="one", within=0.1)
    with pytest.raises(verify.CheckFailed, match="wrong by"):
        verify.equal("a", Fraction(1, 10**20), 0, "x", covers="one")
    numbers = np.ones(3)
    with pytest.raises(verify.CheckFailed, match="with themselves"):
        verify.equal("a", numbers, numbers[:], "x", covers="one")
    assert verify.equal("a", [1.0, np.inf], [1.0, np.inf], "x", covers="two")
    with pytest.raises(verify.CheckFailed, match="wrong by"):
        verify.equal("a", [1.0, 2.0], [1.0, np.inf], "x", covers="two")
    with pytest.raises(verify.CheckFailed, match="wrong by"):
        verify.equal("a", [2.0, arb(0, 100)], [2.0, 5.0], "x", covers="two")


def test_inequalities_name_the_worst_case_and_look_at_the_far_ends_of_balls():
    found = verify.at_most("a", [1, 2, 3], [2, 8, 4], "x", covers="three")
    assert found.control == "reaches 75 % of the bound"
    with pytest.raises(verify.CheckFailed, match="9 is not at most 8 at place 1"):
        verify.at_most("a", [1, 9], 8, "x", covers="two")
    with pytest.raises(verify.CheckFailed):
        verify.at_most("a", arb(1, 0.1), 1, "x", covers="one")  # the middle is within, the end is not
    with pytest.raises(verify.CheckFailed):
        verify.at_least("a", arb(1, 0.1), 1, "x", covers="one")
    with pytest.raises(verify.CheckFailed):
        verify.at_most("a", arb.nan(), 1, "x", covers="one")
    for close in (1 + 1e-15, 1.0, 1 - 1e-15):  # which is larger, the last digit of a logarithm may decide
        assert "floats within 1e-12" in verify.at_most("a", close, 1.0, "x", covers="one").control
    with pytest.raises(ValueError, match="must compare numbers; got None"):
        verify.at_most("a", np.ma.masked_array([1.0, 9.0], [False, True]), 3.0, "x", covers="two")
    with pytest.raises(verify.CheckFailed):
        verify.at_most("a", 1 + 1e-11, 1.0, "x", covers="one")
    for a, b in ((1.0, np.inf), (-np.inf, 1.0), ([np.inf, 0.5], [np.inf, 1.0]), (1, arb.pos_inf())):
        for check in (verify.at_most, verify.at_least, verify.exceeds):
            with pytest.raises(verify.CheckFailed, match="infinite"):
                check("a", a, b, "x", covers="one")
    assert verify.at_least("a", 4, 3, "x", covers="one").control == "at least 133 % of the bound"
    assert verify.at_most("a", -2, -1, "x", covers="one").control == "the bound is not positive"


def test_exceeds_refutes_and_is_strict():
    found = verify.exceeds("a", [3, 5], [2, 1], "x")
    assert found.refutes and found.control == "3 > 2"
    with pytest.raises(verify.CheckFailed, match="2 is not above 2"):
        verify.exceeds("a", 2, 2, "x")
    with pytest.raises(verify.CheckFailed, match=r"0.3 is not above 0.3"):
        verify.exceeds("a", 0.1 + 0.2, 0.3, "x")
    with pytest.raises(verify.CheckFailed, match="is not above 0"):
        verify.exceeds("a", 0.1 + 0.2 - 0.3, 0, "x")
    assert verify.exceeds("a", Fraction(3 * 10**20 + 1, 10**20), 3, "x").refutes


def test_signs():
    x = sp.Symbol("x", positive=True)
    assert verify.positive("a", {"x + 1": x + 1}, covers=verify.WHOLE).kind == "symbolic"
    assert verify.positive("a", {"gap": Enclosure(0.1, 0.2, 3)}, covers="a range").kind == "certified"
    assert verify.positive("a", {"(x − 1)²": (x - 1) ** 2}, covers="all", strict=False)
    for bad in (x - 1, (x - 1) ** 2):
        with pytest.raises(verify.CheckFailed, match="sympy does not see"):
            verify.positive("a", {"bad": bad}, covers="all")
    with pytest.raises(verify.CheckFailed, match="least value"):
        verify.positive("a", {"0": [1, 0]}, covers="all")
    with pytest.raises(verify.CheckFailed, match="nothing was compared"):
        verify.positive("a", {"none": []}, covers="all")
    with pytest.raises(verify.CheckFailed):
        verify.positive("a", {"gap": Enclosure(-0.1, 0.2, 3)}, covers="a range")


def test_rare_events_are_counted_against_the_exact_threshold():
    assert verify.rarely("a", 28, 1000, 0.01, "x", covers="one").kind == "statistical"
    with pytest.raises(verify.CheckFailed, match="29 of 1000 trials, 28 are allowed"):
        verify.rarely("a", 29, 1000, 0.01, "x", covers="one")
    with pytest.raises(verify.CheckFailed, match="too few"):
        verify.rarely("a", 0, 3, 0.5, "x", covers="one")
    for failures, trials, delta, said in (
        (0.3, 1000, 0.01, "failures of a must be an integer"),
        (True, 1000, 0.01, "failures of a must be an integer"),
        (1, 1000.5, 0.01, "trials of a must be an integer"),
        (1, 1000, 1.5, "delta of a must"),
        (1, 1000, 0.0, "delta of a must"),
        (1, 1000, np.nan, "delta of a must"),
    ):
        with pytest.raises(ValueError, match=said):
            verify.rarely("a", failures, trials, delta, "x", covers="one")


def test_covers_is_never_wider_than_what_floats_can_show():
    for covers in ("", " "):
        with pytest.raises(ValueError, match="covers must say"):
            verify.equal("a", 1, 2 - 1, "x", covers=covers)
    with pytest.raises(ValueError, match="less than the whole"):
        verify.at_most("a", 0.5, 1, "x", covers=verify.WHOLE)
    assert verify.at_most("a", HALF, 1, "x", covers=verify.WHOLE).covers == verify.WHOLE


@pytest.mark.parametrize("bad", [True, "1", None, 1j, p, np.nan])
def test_only_numbers_are_compared(bad):
    with pytest.raises(ValueError, match="my-label must compare numbers; got"):
        verify.equal("my-label", [1, bad], 1, "x", covers="two")


@pytest.mark.parametrize(
    ("left", "right", "said"),
    [
        ([1, 2], [1, 2, 3], r"one shape; got \(2,\) and \(3,\)"),
        ([1], [1, 1], r"one shape; got \(1,\) and \(2,\)"),
        (np.ones((2, 3)), np.ones((3, 2)), r"one shape; got \(2, 3\) and \(3, 2\)"),
        ({1: 2}, {1: 99}, "a must compare numbers or lists of them; got a dict"),
        ({1}, 1, "a must compare numbers or lists of them; got a set"),
        ("1", 1, "a must compare numbers or lists of them; got a str"),
    ],
)
def test_only_lists_of_one_shape_are_compared_and_a_number_with_all_of_them(left, right, said):
    for check in (verify.equal, verify.at_most, verify.at_least, verify.exceeds):
        with pytest.raises(ValueError, match=said):
            check("a", left, right, "x", covers="one")
    with pytest.raises(ValueError, match="a must compare numbers"):
        verify.positive("a", {"e": {1: -5}}, covers="one")
    with pytest.raises(ValueError, match="both sides of a must have one index"):
        verify.equal("a", pd.Series([1, 2]), pd.Series([1, 2], index=[1, 0]), "x", covers="two")
    for bound in (1, [1] * 6, np.ones((2, 3))):
        assert verify.at_most("a", np.ones((2, 3)), bound, "x", covers="all")


def test_the_record_is_json_and_the_verdict_is_markdown_without_html():
    sides = {"(1 − p)² < x_i": ((1 - p) ** 2, 1 - 2 * p + p**2)}
    data, metadata = verify.identity("a", sides, covers="all")._repr_mimebundle_()
    assert json.loads(json.dumps(metadata)) == metadata
    assert metadata["klcal"]["label"] == "a" and metadata["klcal"]["kind"] == "symbolic"
    assert set(data) == {"text/plain", "text/markdown"}
    assert r"\< x\_i = $p^{2} - 2 p + 1$" in data["text/markdown"] and "**symbolic**" in data["text/markdown"]
