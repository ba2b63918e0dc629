"""Bad outcomes: nothing is missed when all games are played, and searches return what they say."""

from __future__ import annotations

from itertools import product

import naive_engine as naive
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from klcal import kl_calibration, run
from klcal.adversaries import Greedy, alternating, search


def naive_error(outcomes, K):
    mixtures, _ = naive.play(list(outcomes), [0.0] * len(outcomes), K, "paper")
    return naive.pseudo_kl(mixtures, outcomes, naive.grid(K))


@pytest.mark.parametrize("K", [2, 3, 4])
def test_the_worst_of_all_short_games_is_the_worst_by_the_definitions(K):
    by_length = search.worst_by_length(K, 4)
    for T in range(1, 5):
        values = {y: naive_error(y, K) for y in product((0, 1), repeat=T)}
        found = by_length[T - 1]
        assert found.value == pytest.approx(max(values.values()), rel=1e-12)
        assert values[tuple(found.outcomes.tolist())] == pytest.approx(found.value, rel=1e-12)
        assert found.games == 2**T


def test_one_round_costs_the_loss_of_one_half():
    # K = 2: the first forecast is 1/2 for certain, and one outcome makes its mean 0 or 1.
    found = search.exhaustive(2, 1)
    assert found.value == pytest.approx(np.log(2), rel=1e-15)
    assert (found.text, found.horizon, found.K) == ("0", 1, 2)


@pytest.mark.parametrize(("K", "T"), [(2, 9), (3, 8), (5, 7)])
def test_the_value_is_that_of_the_game_played_alone(K, T):
    for found in search.worst_by_length(K, T):
        assert found.value == pytest.approx(kl_calibration(run(found.outcomes, K, rng=0).expected), rel=1e-12)


def test_a_class_of_four_appears_first_after_the_known_thirteen_outcomes():
    found = search.worst_by_length(4, 13, goal="class")
    sizes = [one.value for one in found]
    assert max(sizes[:12]) == 3
    # The mirror image of 1111111111011 comes first in the order of words.
    assert (sizes[12], found[12].text) == (4, "0000000000100")


@pytest.mark.parametrize("K", [2, 6])
def test_looking_one_round_ahead_is_the_greedy_adversary(K):
    # Far from the first round, where both outcomes tie and rounding errors decide.
    mine, theirs = search.greedy(K, 60).outcomes, run(Greedy(60), K, rng=0).outcomes
    assert kl_calibration(run(mine, K, rng=0).expected) == pytest.approx(
        kl_calibration(run(theirs, K, rng=0).expected), rel=1e-12
    )


@pytest.mark.parametrize("K", [2, 3, 4])
def test_looking_ahead_to_the_end_finds_the_worst_game(K):
    assert search.greedy(K, 7, lookahead=7).value == search.exhaustive(K, 7).value
    assert search.greedy(K, 7, lookahead=16).value == search.exhaustive(K, 7).value


@given(
    K=st.integers(2, 6), start=st.lists(st.integers(0, 1), min_size=1, max_size=10), seed=st.integers(0, 99)
)
def test_local_search_never_does_harm_and_never_beats_the_worst(K, start, seed):
    before = kl_calibration(run(start, K, rng=0).expected)
    found = search.local_search(K, len(start), start=start, flips=30, rng=seed)
    assert found.value >= before - 1e-12
    assert found.value <= search.exhaustive(K, len(start)).value + 1e-12
    assert found.value == pytest.approx(
        kl_calibration(run(found.outcomes, K, rng=0).expected), rel=1e-12, abs=1e-12
    )


def test_local_search_climbs_and_repeats_itself():
    # On a grid with 1/2 alternating outcomes are nearly free, so there is room above.
    start = alternating(120)
    first, again = (search.local_search(4, 120, start=start, flips=300, rng=1) for _ in range(2))
    assert first.text == again.text
    assert first.value > 3 * kl_calibration(run(start, 4, rng=0).expected)
    assert first.games == 301
    assert search.local_search(4, 120, flips=0, rng=1).outcomes.shape == (120,)


def test_local_search_accepts_a_flip_that_changes_nothing():
    # By symmetry both outcomes of a single round cost the same.
    assert search.local_search(2, 1, start=[0], flips=1, rng=0).text == "1"


def test_a_search_without_flips_returns_its_start_and_leaves_it_alone():
    start = np.array([1, 0, 1, 1], dtype=np.uint8)
    found = search.local_search(2, 4, start=start, flips=50, rng=0)
    assert start.tolist() == [1, 0, 1, 1]
    assert search.local_search(2, 4, start=start, flips=0, rng=0).text == "1011"
    with pytest.raises(ValueError, match="read-only"):
        found.outcomes[0] = 1


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: search.exhaustive(2, 17), "T must be at most 16, as all sequences are looked at; got 17"),
        (lambda: search.exhaustive(2, 0), "T must be an integer that is at least 1; got 0"),
        (lambda: search.exhaustive(1, 3), "K must be an integer that is at least 2; got 1"),
        (lambda: search.exhaustive(2, 3, goal="loss"), "goal must be one of 'error', 'class'; got 'loss'"),
        (lambda: search.greedy(2, 5, lookahead=17), "lookahead must be at most 16"),
        (lambda: search.greedy(2, 0), "T must be an integer that is at least 1"),
        (lambda: search.local_search(2, 3, start=[0, 1]), "start must have T = 3 outcomes; got 2"),
        (lambda: search.local_search(2, 3, start=[0, 1, 2]), "start must be 0 or 1; got 2 at index 2"),
        (lambda: search.local_search(2, 3, flips=-1), "flips must be an integer that is at least 0"),
    ],
)
def test_what_cannot_be_searched_is_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()
