"""The claims of chapter 8: complete, and about the algorithms that the package plays."""

from __future__ import annotations

from itertools import pairwise, product

import naive_bounds_explicit as naive
import numpy as np
import pytest
from flint import arb

from klcal.claims import REGISTRY, verdict
from klcal.claims.explicit import limits, rates, transfer
from klcal.exact.balls import ball, lower, precision, upper
from klcal.exact.forecasters import pair
from klcal.exact.grids import borders, inner_grid
from klcal.exact.learners import KT, beta_mean
from klcal.forecasters.pair import kt_means, pair_boundaries, pair_mixture
from klcal.grids import inner_grid as float_grid

CLAIMS = {label: claim for label, claim in REGISTRY.items() if claim.chapter == "08_explicit_algorithms"}
THEOREMS = ("new:pair", "new:pair-experts", "new:kl-from-pseudo", "new:realised-tail")


@pytest.mark.parametrize("label", CLAIMS)
def test_every_named_step_is_an_entry_or_has_evidence_of_its_own_unless_a_kernel_checks_the_whole(label):
    own = {check.scope.text for check in CLAIMS[label].checks if check.scope.name == "step"}
    open_steps = {name for name in CLAIMS[label].steps if name not in own and name not in REGISTRY}
    assert open_steps <= {"the drawn loss is the rounded loss", "covering the angles"}


@pytest.mark.parametrize("label", THEOREMS)
def test_a_theorem_with_a_probability_rests_on_villes_inequality_and_is_not_established_by_its_right_side(
    label,
):
    assert "new:ville" in CLAIMS[label].steps
    kinds = {(check.kind, check.scope.name) for check in CLAIMS[label].checks if check.kind != "proved"}
    assert all(scope in ("formula", "cases") for _, scope in kinds)


def test_what_is_not_ours_is_credited():
    credited = {label: claim.credit for label, claim in CLAIMS.items() if claim.credit}
    assert credited == {
        "new:ville": "Ville 1939",
        "new:pair/kt": "Krichevsky and Trofimov 1981",
        "new:kl-from-pseudo/supermartingale": "standard; see Freedman 1975",
        "new:realised-tail/scalar": "textbook: Cesa-Bianchi and Lugosi 2006, Lemma 2.4",
    }


# ----- the pair algorithm that is claimed is the one that is played -----------------------------------------
@pytest.mark.parametrize("K", [2, 3, 4, 9, 30])
def test_the_boundaries_of_the_package_are_the_exact_ones(K):
    with precision(128):
        exact = [ball(end) for end in borders(inner_grid(K), "chi-square")]
        floats = pair_boundaries(K)
        assert all(upper(abs(arb(float(m)) - e)) < 1e-15 for m, e in zip(floats, exact, strict=True))


@pytest.mark.parametrize("K", [2, 3, 4])
def test_mixtures_and_means_of_the_package_are_the_exact_ones(K):
    with precision(128):
        rule, grid = pair(inner_grid(K)), float_grid(K)
        for counts in product(product(range(3), repeat=2), repeat=K - 1):
            mixture = rule(counts)
            exact = [float(ball(mixture[i]).mid()) if i in mixture else 0.0 for i in range(K - 1)]
            assert pair_mixture(np.transpose(counts), grid) == pytest.approx(exact, abs=1e-14)
            means = [float(beta_mean(zeros, ones, KT)) for zeros, ones in counts]
            assert kt_means(np.transpose(counts)) == pytest.approx(means, rel=1e-15)


# ----- exponents, phases: against naive versions ---------------------------------------------------
@pytest.mark.parametrize(("T", "K", "delta"), [(1, 2, 1.0), (32, 3, 0.05), (33, 3, 0.05), (10**6, 42, 1e-9)])
def test_the_exponents_are_counted_as_in_the_naive_version_and_reach_the_smallest_that_matters(T, K, delta):
    with precision(128):
        values = transfer.exponents(T, K, delta)
        assert len(values) == naive.exponents(T, K, delta)
        least = (arb(2) / T).sqrt()
        assert min(upper(x) for x in values if x > 0) <= lower(least)
        assert max(lower(x) for x in values if x < 0) >= -upper(least)


@pytest.mark.parametrize("T", [1, 2, 3, 4, 100])
def test_phases_add_up_as_in_the_naive_version(T):
    assert float(rates._phases(arb(T), arb(1)).mid()) == pytest.approx(
        float(naive.anytime(T, 1.0)), rel=1e-14
    )


def test_the_played_games_are_not_all_alike():
    played = [max(limits.calibrations(who)) for who in limits.ADVERSARIES]
    assert len(set(played)) > 1
    assert "of the bound" in verdict("new:explicit-measured").evidence[0].method


def test_neighbouring_cells_share_their_boundary():
    with precision(128):
        assert all(low < high for low, high in pairwise(map(ball, borders(inner_grid(7), "chi-square"))))
