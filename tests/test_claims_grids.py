"""The claims of chapter 3: their rows of the inventory, and the formulas behind them by hand."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import pytest
from flint import arb, ctx

from klcal.claims import REGISTRY
from klcal.claims.grids import comparator, formulas, rounding
from klcal.exact.balls import precision, upper
from klcal.exact.cell_envelope import envelope
from klcal.exact.cells import divergence
from klcal.exact.grids import border, full_grid, inner_grid
from klcal.exact.learners import best_probability, sequence_probability

CLAIMS = {label: claim for label, claim in REGISTRY.items() if claim.chapter == "03_grids"}
ROWS = {4, 32, 33, 42, 44, *range(47, 56), *range(61, 64), *range(68, 82), 85, 86}


def test_the_rows_of_the_inventory_are_covered() -> None:
    assert {row for claim in CLAIMS.values() for row in claim.rows} == ROWS


def test_nothing_of_chapter_3_builds_on_a_later_chapter() -> None:
    for claim in CLAIMS.values():
        assert set(claim.builds_on) <= set(CLAIMS), claim.label


def test_every_formula_belongs_to_a_claim_of_this_chapter() -> None:
    assert set(formulas.FORMULAS) <= set(CLAIMS)


def test_verifying_leaves_the_global_precision_as_it_was() -> None:
    before = ctx.prec
    CLAIMS["lem:rounding/lower-limit"].verify()
    CLAIMS["eq:psreg_[0,1]_to_psreg_Z"].verify()
    assert ctx.prec == before


@pytest.mark.parametrize("label", [label for label, claim in CLAIMS.items() if claim.refutations])
def test_a_refutation_names_its_counterexample(label: str) -> None:
    assert all(check.run().counterexample for check in CLAIMS[label].refutations)


def test_rounding_costs_nothing_on_a_grid_point() -> None:
    assert rounding.change(Fraction(1, 4), full_grid(3)).contains(arb(0))


def test_the_cells_of_three_have_these_ratios() -> None:
    # z = 0.067, 1/4, 3/4, 0.933: the middle cell has (1/2)^2 / (3/16) at either end.
    ratios = formulas.cell_ratios(3)
    assert ratios[2].overlaps(arb(4) / 3) and ratios[3].overlaps(arb(4) / 3)
    assert ratios[0].overlaps(ratios[5]) and ratios[0] > ratios[1]


def test_the_envelope_lies_above_every_inner_cell() -> None:
    with precision(128):
        for K in (3, 4, 7, 20):
            roof = envelope(arb.pi() / (4 * K)) * (arb.pi() / (2 * K)) ** 2
            points = inner_grid(K)
            for low, high in pairwise(points):
                assert upper(divergence(border(low, high, "kl"), low)) <= upper(roof)


def test_the_envelope_holds_the_mean_it_stands_for_and_no_other() -> None:
    with precision(128):
        assert comparator._holds_the_mean(5)
        assert not envelope(arb.pi() / 20).overlaps(envelope(arb.pi() / 12))


def test_the_regret_of_constant_outcomes_is_the_logarithm_of_one_plus_the_rounds() -> None:
    assert best_probability(7, 0) / sequence_probability(7, 0) == 8
    assert best_probability(1, 1) / sequence_probability(1, 1) == Fraction(1, 4) / Fraction(1, 6)
