"""Counted work: the counts are those of the engine, asked round by round."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from klcal import adversaries, full_grid, run
from klcal._kernels import blum_mansour
from klcal.forecasters.reduction import FastBlumMansour
from klcal.games import workload


def asked(outcomes, K):
    """Fed learners, searches, largest class and solved entries, from the engine's own state in every round."""
    reduction = FastBlumMansour(full_grid(K))
    fed = searches = largest = solved = 0
    for outcome in outcomes:
        searches += int(reduction.bank.control[blum_mansour.STALE])
        size = int(np.count_nonzero(reduction.mixture()))
        fed, largest = fed + size, max(largest, size)
        solved += size**2 + (sum(k**2 for k in range(size)) if size > 3 else 0)
        reduction.update(0, int(outcome))
    return fed, searches, largest, solved


def counted(outcomes, K):
    work = workload.count_work(outcomes, K)
    return work.fed, work.searches, work.largest, work.solved


@given(K=st.integers(2, 12), outcomes=st.lists(st.integers(0, 1), min_size=1, max_size=80))
def test_counts_are_the_engines(K, outcomes):
    assert counted(outcomes, K) == asked(outcomes, K)


@pytest.mark.parametrize("name", ["zeros", "alternating", "sinusoid", "low discrepancy"])
def test_counts_are_the_engines_in_long_games_with_exact_ties(name):
    outcomes = adversaries.OBLIVIOUS[name](3000, 1)
    assert counted(outcomes, 12) == asked(outcomes, 12)


def test_pieces_do_not_change_the_counts(monkeypatch):
    outcomes = adversaries.sinusoid(500, rng=0)
    whole = workload.count_work(outcomes, 9)
    monkeypatch.setattr(workload, "_PIECE", 7)
    assert workload.count_work(outcomes, 9) == whole


def test_the_first_round_feeds_one_learner_on_an_even_grid_and_two_on_an_odd_one():
    assert counted([1], 2) == (1, 1, 1, 1)
    assert counted([1], 3) == (2, 1, 2, 4)


def test_totals_add_up():
    work = workload.Work(rounds=100, K=4, fed=210, solved=450, searches=3, largest=4)
    assert work.total == 210 + 450 + 2 * 3 * 5
    assert (work.dense, work.sparse) == (2500, 1000)


def test_the_resolution_is_that_of_the_theorem_by_default():
    outcomes = adversaries.constant(1000)
    assert workload.count_work(outcomes).K == run(outcomes, rng=0).grid.points.size - 1 == 6


def test_outcomes_other_than_zero_and_one_are_refused():
    with pytest.raises(ValueError, match="outcomes must be 0 or 1; got 2 at index 1"):
        workload.count_work([1, 2])
