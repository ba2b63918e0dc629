"""The claims of chapter 9: what turns them red, and small cases by hand."""

from __future__ import annotations

from fractions import Fraction as F

import pytest
from flint import arb

from klcal import bounds, minimax
from klcal.claims import REGISTRY
from klcal.claims.exact_games import algorithms, matrix_games, observed

CLAIMS = {label: claim for label, claim in REGISTRY.items() if claim.chapter == "09_the_game_solved"}


@pytest.mark.parametrize(
    ("name", "label"),
    [
        ("value", "new:game-values"),
        ("value", "new:game-linear-programs"),
        ("value", "new:game-saddle-point"),
        ("worst_case", "new:realised-certified"),
        ("worst_case", "new:game-pair"),
        ("dual_worst_case", "new:game-two-sides"),
    ],
)
def test_a_wrong_value_or_worst_case_turns_its_claim_red(monkeypatch, name, label):
    right = getattr(minimax, name)
    monkeypatch.setattr(minimax, name, lambda *a, **k: right(*a, **k) * (1 + 1e-8))
    assert CLAIMS[label].verify().status == "fails"


@pytest.mark.parametrize(
    ("name", "label"), [("realised_in_expectation", "new:realised-certified"), ("pair", "new:game-pair")]
)
def test_a_bound_that_moved_turns_the_sandwich_red(monkeypatch, name, label):
    right = getattr(bounds, name)
    monkeypatch.setattr(bounds, name, lambda *a, **k: right(*a, **k) * 0.7)
    assert CLAIMS[label].verify().status == "fails"


def test_the_guarantees_of_a_spoiled_solution_are_on_the_wrong_side_of_the_value():
    game = matrix_games.EXACT_GAMES[0]
    paid, earned = matrix_games.guarantees(game, F(0), F(0))
    assert paid == earned
    more, less = matrix_games.guarantees(game, F(1, 1000), F(1, 1000))
    assert less < earned and paid < more


def test_exponential_moment_of_one_round_by_hand():
    # At K = 3 the first forecast is 1/4; the outcome 1 costs log 4, the bound is log 4 + log(4/3).
    assert algorithms.moment(3, 1).overlaps(arb(3).sqrt() / 2)


def test_refining_needs_a_grid_that_contains_the_other():
    assert observed.growth().holds and not observed.growth(pairs=((2, 3),)).holds
