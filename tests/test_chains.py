"""The chain of a round is that of the algorithm, whichever way one gets there."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from klcal import full_grid, run
from klcal.forecasters import BlumMansour, Chain

OUTCOMES = st.lists(st.integers(0, 1), min_size=1, max_size=30)


@given(K=st.integers(2, 9), outcomes=OUTCOMES)
def test_the_chain_of_a_finished_game_is_that_of_its_next_round(K, outcomes):
    reduction = BlumMansour(full_grid(K))
    for outcome in outcomes:
        reduction.update(0, outcome)
    chain = Chain(run(outcomes, K=K, rng=0).expected)
    assert np.array_equal(chain.points, reduction.grid.points)
    assert np.allclose(chain.leanings, reduction.leanings(), rtol=1e-12, atol=0)
    assert np.allclose(chain.mixture, reduction.mixture(), rtol=0, atol=1e-12)


@given(K=st.integers(2, 9), outcomes=OUTCOMES)
def test_a_step_of_the_chain_is_a_round_of_the_game(K, outcomes):
    last = outcomes[-1]
    stepped = Chain(run([*outcomes, 1 - last], K=K, rng=0).expected).after(last)
    played = Chain(run([*outcomes, 1 - last, last], K=K, rng=0).expected)
    assert np.allclose(stepped.cells.mass, played.cells.mass, rtol=1e-12, atol=1e-15)
    assert np.allclose(stepped.leanings, played.leanings, rtol=1e-12, atol=0)


def test_the_mixture_is_fixed_and_lives_on_the_lowest_class():
    outcomes = [int(y) for y in "11101101010111100101111"]
    chain = Chain(run(outcomes, K=38, rng=0).expected)
    assert np.allclose(chain.mixture @ chain.Q, chain.mixture, rtol=0, atol=1e-15)
    assert [members.tolist() for members in chain.classes] == [[20, 21], [22, 23]]
    assert np.flatnonzero(chain.mixture).tolist() == [20, 21]


def test_a_round_ends_with_zero_or_one():
    with pytest.raises(ValueError, match="outcome must be"):
        Chain(run([1], K=2, rng=0).expected).after(2)
