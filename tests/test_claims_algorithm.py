"""The claims of chapter 5 are entered, and the games in balls are the games."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest
from flint import arb, ctx
from klcal.claims.algorithm._games import (
    BITS,
    all_positions,
    cell_of,
    closed_classes,
    exact_points,
    fixed_point,
    log_rounded,
    start,
    step,
)
from klcal.claims.algorithm.learner import nearest_rounded

from klcal import bounds, full_grid, kl_calibration, run
from klcal._kernels import blum_mansour
from klcal.claims.algorithm import CLAIMS, mixture, schemes
from klcal.exact.balls import Undecided, precision, upper
from klcal.forecasters.markov import closed_classes as float_classes
from klcal.forecasters.reduction import FastBlumMansour

BY_LABEL = {claim.label: claim for claim in CLAIMS}


def test_labels_are_unique_and_belong_to_one_chapter() -> None:
    assert len(BY_LABEL) == len(CLAIMS)
    assert {claim.chapter for claim in CLAIMS} == {"05_the_algorithm"}


def test_verifying_leaves_the_global_precision_as_it_was() -> None:
    before = ctx.prec
    BY_LABEL["thm:bound_pkcal"].verify()
    BY_LABEL["rem:rounding/nearest-game"].verify()
    assert ctx.prec == before


# ----- games in balls -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("K", [2, 3, 6, 12])
def test_rational_grid_points_are_exact_and_all_others_enclosed(K: int) -> None:
    points = exact_points(K)
    for z, found in zip(points, full_grid(K).points, strict=True):
        assert upper(abs(z - arb(float(found)))) < 1e-15
    exact = {i for i, z in enumerate(points) if z.is_exact()}
    assert exact == {i for i in range(1, K) if 3 * i in (K, 2 * K) or 2 * i == K}


def test_a_point_on_the_grid_has_no_cell_and_one_beyond_it_goes_to_the_end() -> None:
    points = exact_points(2)
    assert cell_of(arb(0.5), points) == (1, True)
    assert cell_of(arb(0.1), points) == (-1, True)
    assert cell_of(arb(0.9), points) == (2, True)
    assert log_rounded(arb(0.1), points) == {0: 1} and log_rounded(arb(0.9), points) == {2: 1}
    assert cell_of(arb(0.7), points) == (1, False)


def test_a_point_that_may_lie_in_two_cells_is_not_guessed() -> None:
    with pytest.raises(Undecided, match="the cell of"):
        cell_of(arb(0.5, 0.01), exact_points(2))
    with pytest.raises(Undecided, match="the point nearest to"):
        nearest_rounded((exact_points(4)[2] + exact_points(4)[3]) / 2, exact_points(4))


def test_shares_are_those_of_algorithm_4() -> None:
    # K = 3: halfway between 1/4 and 3/4 both neighbours get one half.
    shares = log_rounded(arb(0.5), exact_points(3))
    assert sorted(shares) == [1, 2]
    assert all(upper(abs(q - 0.5)) < 1e-15 for q in shares.values())


def test_fixed_points_of_small_chains() -> None:
    rows = [{1: arb(1)}, {0: arb(0.5), 1: arb(0.5)}, {2: arb(1)}]
    assert closed_classes(rows) == [(0, 1), (2,)]
    p = fixed_point(rows, (0, 1))
    assert upper(abs(p[0] - arb(1) / 3)) < 1e-15 and p[2].is_zero()


@pytest.mark.parametrize("K", [2, 3, 5])
def test_positions_are_the_games_of_the_package(K: int) -> None:
    with precision(BITS):
        points = exact_points(K)
        for position in all_positions(K, 4):
            game = run(position.outcomes, K, rng=0, record=True)
            for mass, truth in zip(game.expected.mass, position.mass, strict=True):
                assert upper(abs(arb(float(mass)) - truth)) < 1e-12
            error = position.error(points)
            assert upper(abs(error - kl_calibration(game.expected))) < 1e-12


def test_all_sequences_are_there_once() -> None:
    found = [position.outcomes for position in all_positions(2, 5)]
    assert sorted(found) == sorted(y for T in range(1, 6) for y in product((0, 1), repeat=T))


def test_one_round_by_hand() -> None:
    # K = 2: the mixture is the point 1/2, the learner loses log 2, the best point nothing, and rounding is free.
    with precision(BITS):
        for outcome, position in enumerate(step(start(2), exact_points(2))):
            assert [float(m) for m in position.mass] == [0, 1, 0]
            assert [float(w) for w in position.leanings()] == pytest.approx([0.5, (1 + outcome) / 3, 0.5])
            assert float(position.regrets()[1]) == pytest.approx(math.log(2))
            assert float(position.paid[1]) == 0
            assert upper(position.unfixed) == 0


# ----- what the claims would notice ---------------------------------------------------------------------------


def test_a_smaller_bound_turns_the_doubling_claim_red(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounds, "doubling_trick", lambda T, **_: 21 * T ** (1 / 3) * math.log(T) ** (2 / 3))
    assert BY_LABEL["sec:pseudo-KL-Cal/doubling-rate"].verify().status == "fails"


def test_another_engine_turns_the_fixed_point_claim_red(monkeypatch: pytest.MonkeyPatch) -> None:
    def one_off(K: int, T: int):
        lengths, masses, errors = all_games(K, T)
        return lengths, masses + 1e-9, errors

    all_games = mixture.all_games
    monkeypatch.setattr(mixture, "all_games", one_off)
    assert BY_LABEL["alg:BM_log_loss"].verify().status == "fails"


def test_trees_into_a_state_are_counted_by_cayley() -> None:
    for size in (2, 3, 4):
        for root in range(size):
            assert len(list(mixture._trees(root, size))) == size ** (size - 2)


@pytest.mark.parametrize("K", sorted(mixture.WITNESSES))
def test_large_classes_in_balls_are_those_of_the_engine(K: int) -> None:
    length, zeros = mixture.WITNESSES[K]
    reduction = FastBlumMansour(full_grid(K))
    for t in range(1, length + 1):
        reduction.update(0, int(t not in zeros))
    members = np.flatnonzero(reduction.mixture()).tolist()
    assert tuple(members) == mixture.class_after(K, length, zeros)
    assert int(reduction.bank.control[blum_mansour.SIZE]) == K // 2 + 2


def test_the_class_of_the_smallest_witness_by_hand() -> None:
    # K = 3 after 111: the learners of 1/4 and 3/4 lean to the last cell, that of the top point still to 1/2.
    reduction = FastBlumMansour(full_grid(3))
    for _ in range(3):
        reduction.update(0, 1)
    w = reduction.leanings()
    assert w[1] > 0.75 or w[2] > 0.75
    assert w[3] == 0.5
    assert mixture.class_after(3, 3, ()) == (1, 2, 3)
    Q = np.array([[float(row.get(j, 0)) for j in range(4)] for row in _rows(3, "111")])
    assert [c.tolist() for c in float_classes(Q)] == [[1, 2, 3]]


def _rows(K: int, outcomes: str) -> list[dict[int, arb]]:
    points, position = exact_points(K), start(K)
    for y in outcomes:
        position = step(position, points)[int(y)]
    return [log_rounded(w, points) for w in position.leanings()]


def test_nearest_games_in_balls_are_those_of_the_package() -> None:
    for K, T in ((4, 40), (8, 40)):
        from klcal import adversaries
        from klcal.games import run_rounded

        game = run_rounded(adversaries.Oppose(T), K, scheme="nearest")
        with precision(2 * BITS):
            error = schemes.error_of(game.outcomes, K, nearest_rounded)
        assert upper(abs(error - kl_calibration(game.expected))) < 1e-10
