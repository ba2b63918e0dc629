"""Corners of the compiled engine that ordinary games rarely visit: several closed classes, exact ties."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from klcal import full_grid, log_rounding
from klcal._kernels import blum_mansour, opponents
from klcal.adversaries import Border, View
from klcal.forecasters import FastBlumMansour, select
from klcal.forecasters.markov import closed_classes, stationary

PLACES = st.integers(0, 2**32)


def lean(fast, leanings):
    """Put every learner where `leanings` says, as if it had learned that."""
    fast.bank.reals[blum_mansour.LEANING] = leanings
    blum_mansour._round_all(fast.bank.reals, fast.bank.whole, fast.bank.control)
    fast._solved = False


def somewhere(points, place):
    """A grid point, the middle of a cell, or a place beyond the ends."""
    spots = np.concatenate([points, (points[1:] + points[:-1]) / 2, [0.0, 1.0]])
    return spots[place % len(spots)]


@given(
    K=st.integers(2, 9),
    places=st.lists(PLACES, min_size=10, max_size=10),
    moves=st.lists(PLACES, max_size=25),
)
def test_the_lowest_closed_class_is_found_also_among_several_and_after_its_members_moved(K, places, moves):
    fast = FastBlumMansour(full_grid(K))
    points = fast.grid.points
    leanings = np.array([somewhere(points, place) for place in places[: K + 1]])
    for move in (None, *moves):
        if move is not None:
            # Only members of the class ever learn.
            members = np.flatnonzero(fast.mixture())
            leanings[members[move % len(members)]] = somewhere(points, move // 7)
        lean(fast, leanings)
        Q = log_rounding(leanings, fast.grid)
        assert np.flatnonzero(fast.mixture()).tolist() == closed_classes(Q)[0].tolist()
        assert np.array_equal(fast.mixture(), stationary(Q))


def test_the_search_above_meets_several_closed_classes():
    """Learners on their own points are closed classes of one state each; the lowest wins, and stays until it moves."""
    fast = FastBlumMansour(full_grid(4))
    points = fast.grid.points
    lean(fast, points)
    assert len(closed_classes(log_rounding(points, fast.grid))) == 5
    assert np.flatnonzero(fast.mixture()).tolist() == [0]
    lean(fast, np.append(points[3], points[1:]))
    assert np.flatnonzero(fast.mixture()).tolist() == [1]


@given(st.floats(0, 1, exclude_max=True))
@example(0.25)
@example(0.0)
def test_a_draw_on_the_edge_of_a_cumulative_probability_goes_to_the_next_point(uniform):
    fast = FastBlumMansour(full_grid(2))
    blum_mansour.solve(*fast.bank)
    fast._solved = True
    fast.bank.control[blum_mansour.SIZE] = 2
    fast.bank.whole[blum_mansour.MEMBER, :2] = [0, 2]
    fast.bank.reals[blum_mansour.MIXTURE, :2] = [0.25, 0.75]
    assert fast.draw(uniform) == select(np.array([0.25, 0.0, 0.75]), uniform) == (0 if uniform < 0.25 else 2)


@pytest.mark.parametrize("K", [2, 3, 6])
def test_border_breaks_ties_upwards_in_both_engines(K):
    fast = FastBlumMansour(full_grid(K))
    points = fast.grid.points
    # Dyadic stand-ins for two neighbours, so that the middle is exactly in the middle.
    fast.bank.reals[blum_mansour.POINT, :2] = [0.25, 0.5]
    fast.bank.control[blum_mansour.SIZE] = 1
    fast.bank.whole[blum_mansour.MEMBER, 0] = 1
    fast.bank.whole[blum_mansour.CELL, 1] = 0
    fast.bank.reals[blum_mansour.MIXTURE, 0] = 1.0
    fast.bank.reals[blum_mansour.LEANING, 1] = 0.375
    view = View(
        grid=type(fast.grid)([0.25, 0.5, *points[points > 0.5]]),
        mixture=np.eye(2 + np.count_nonzero(points > 0.5))[1],
        leanings=np.full(2 + np.count_nonzero(points > 0.5), 0.375),
        weights=np.zeros((2, 1)),
        counts=np.zeros((2, 1)),
    )
    compiled = opponents.choose(fast.bank.reals, fast.bank.whole, fast.bank.control, opponents.BORDER)
    assert compiled == Border(1).choose(view) == 1
