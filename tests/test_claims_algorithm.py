"""The claims of chapter 5: what they would notice, and the games in balls against the engine."""

from __future__ import annotations

import numpy as np
import pytest
from flint import ctx

from klcal import bounds, full_grid
from klcal._kernels import blum_mansour
from klcal.claims import REGISTRY
from klcal.claims.algorithm import games
from klcal.forecasters.reduction import FastBlumMansour

CLAIMS = {label: claim for label, claim in REGISTRY.items() if claim.chapter == "05_the_algorithm"}


def test_verifying_leaves_the_global_precision_as_it_was() -> None:
    before = ctx.prec
    CLAIMS["rem:rounding/nearest-game"].verify()
    CLAIMS["alg:BM_log_loss/reduction"].verify()
    assert ctx.prec == before


def test_a_smaller_bound_turns_the_doubling_claim_red(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounds, "doubling_trick", lambda T, **_: 21 * bounds.theorem_2_rate(T))
    assert not games.doubling_rate().holds


def test_another_engine_turns_the_fixed_point_claim_red(monkeypatch: pytest.MonkeyPatch) -> None:
    def one_round_more(outcomes, K, **options):
        return run((*outcomes, 0), K, **options)

    run = games.run
    monkeypatch.setattr(games, "run", one_round_more)
    assert not games.package_plays_it(T=2).holds


@pytest.mark.parametrize("K", sorted(games.WITNESSES))
def test_large_classes_in_balls_are_those_of_the_engine(K: int) -> None:
    length, zeros = games.WITNESSES[K]
    reduction = FastBlumMansour(full_grid(K))
    for t in range(1, length + 1):
        reduction.update(0, int(t not in zeros))
    assert tuple(np.flatnonzero(reduction.mixture()).tolist()) == games.class_after(K, length, zeros)
    assert int(reduction.bank.control[blum_mansour.SIZE]) == K // 2 + 2


def test_a_learner_first_leaves_the_grid_of_three_cells_in_round_22() -> None:
    assert games.first_exit(3) == 22
