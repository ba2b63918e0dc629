"""Every number in klcal.bounds is guarded: move it by a millionth, and an entry of the ledger turns red."""

from __future__ import annotations

import inspect
import math
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import gallina
import literals
import pytest

from klcal import bounds
from klcal.claims import REGISTRY

BOTH, ALL = ("paper", "sharpened"), ("paper", "sharpened", "best")


def _proved(file: str, statement: str) -> float:
    """Return the number in the statement of a theorem of the Coq sources, or raise if it is stated otherwise."""
    text = " ".join((PROOFS / file).read_text(encoding="utf-8").split())
    (constant,) = set(re.findall(re.escape(statement).replace("CONSTANT", r"(\d+)"), text))
    return float(constant)


def _tree_defined() -> dict[str, Any]:
    files = ("Definitions.v", "LossDefinitions.v", "TreeDefinitions.v")
    return gallina.definitions(*((PROOFS / file).read_text(encoding="utf-8") for file in files))


PROOFS = Path(__file__).resolve().parents[1] / "proofs"

# Function and versions -> the entry that must notice. None stands for a function without versions.
GUARDS: dict[str, dict[str | None, str]] = {
    "pinsker": dict.fromkeys(BOTH, "pinsker"),
    "cal2_from_kl": dict.fromkeys(BOTH, "cor:simultaneous_bounds_psreg/pcal2"),
    "chi_square": {None: "thm:log_loss_swap_reg/chi-square"},
    "log_chi_square": {None: "thm:log_loss_swap_reg/chi-square"},
    "proposition_2": {None: "new:kl_constants"},
    "proposition_3": dict.fromkeys(BOTH, "prop:bound_breg_div_quadratically/sharp"),
    "proposition_3_from_kl": dict.fromkeys(BOTH, "prop:bound_breg_div_quadratically/kl"),
    "cal1_from_cal2": {None: "sec1:cal1_below_cal2"},
    "swap_regret_from_cal1": {None: "appB:swap_regret_below_4_cal1"},
    "lemma_6a": dict.fromkeys(BOTH, "lem:discretization/a"),
    "lemma_6b": dict.fromkeys(ALL, "lem:discretization/b"),
    "lemma_6c": {"paper": "lem:discretization/c-display", "sharpened": "lem:discretization/c"},
    "lemma_6d": {"paper": "lem:discretization/d-display", "sharpened": "lem:discretization/d"},
    "lemma_7": dict.fromkeys(ALL, "lem:discretization_II/a"),
    "lemma_7_ends": dict.fromkeys(BOTH, "lem:discretization_II"),
    "rounding_cost_cell": dict.fromkeys(ALL, "lem:rounding/supremum"),
    "rounding_cost": {**dict.fromkeys(BOTH, "lem:rounding"), "best": "new:rounding-log-secant"},
    "clamp_cost": {None: "alg:rounding_alg/clamped"},
    "comparator_error": {
        "paper": "eq:psreg_[0,1]_to_psreg_Z",
        "sharpened": "new:comparator-log-secant",
        "best": "new:comparator-constant",
    },
    "comparator_error_inner": {None: "new:comparator-log-secant"},
    "remark_1_nearest": {None: "rem:rounding/a"},
    "remark_1_linear": {None: "rem:rounding/b"},
    "log_loss_range": {None: "eq:range_log_loss"},
    "deviation": {None: "eq:hp_bound_sum_X/explicit"},
    "theorem_1_high_probability": {None: "eq:bound_sreg_minimax/explicit"},
    "theorem_1": {"paper": "thm:log_loss_swap_reg/explicit", "sharpened": "new:theorem-1-sharpened"},
    "theorem_1_paper_K": {None: "thm:log_loss_swap_reg/rate"},
    "theorem_1_rate": {"paper": "thm:log_loss_swap_reg/rate", "sharpened": "new:dual-game-rate"},
    "theorem_1_full_grid": dict.fromkeys(("sharpened", "best"), "new:theorem-1-sharpened"),
    "theorem_1_nearest": {"sharpened": "new:theorem-1-sharpened", "best": "new:nearest-answers"},
    "theorem_1_tail": {None: "new:dual-game-tail"},
    "corollary_1": dict.fromkeys(BOTH, "cor:simutaneous_bounds_msr/explicit"),
    "ewoo_regret": {"paper": "lem:EWOO_regret_bound", "sharpened": "lem:EWOO_regret_bound/sharp"},
    "initialisation_cost": {None: "alg:BM_log_loss/start"},
    "theorem_2": dict.fromkeys(ALL, "thm:bound_pkcal/explicit"),
    "theorem_2_from_masses": dict.fromkeys(("sharpened", "best"), "thm:bound_pkcal/explicit"),
    "theorem_2_rate": dict.fromkeys(("sharpened", "best"), "thm:bound_pkcal/rate"),
    "theorem_2_best_K": dict.fromkeys(("sharpened", "best"), "thm:bound_pkcal/resolution"),
    "realised_in_expectation": dict.fromkeys(("sharpened", "best"), "new:realised-explicit"),
    "doubling_trick": dict.fromkeys(ALL, "sec:pseudo-KL-Cal/doubling"),
    "corollary_2": dict.fromkeys(BOTH, "cor:simultaneous_bounds_psreg/explicit"),
    "freedman": dict.fromkeys(ALL, "lem:Freedman/scalar"),
    "rate_deviation": {None: "eq:final_bound_rho_tilde_rho/explicit"},
    "count_deviation": {None: "eq:final_bound_diff_p_ind/explicit"},
    "theorem_3": dict.fromkeys(("paper", "repaired", "sharpened"), "thm:high_prob_bound/explicit"),
    "corollary_3": dict.fromkeys(("paper", "repaired", "sharpened"), "cor:cal_2_hp_bound/explicit"),
    "corollary_3_expectation": dict.fromkeys(BOTH, "cor:cal_2_hp_bound/expectation"),
    "squared_loss_pcal2": {None: "sec:bound_calibration/squared-loss"},
    "pair": {None: "new:pair/explicit"},
    "pair_from_counts": {None: "new:pair"},
    "pair_rate": {None: "new:pair/rate"},
    "pair_experts": {None: "new:pair-experts"},
    "pair_expected": {None: "new:pair-expected"},
    "pair_anytime": {None: "new:pair-anytime"},
    "pair_anytime_rate": {None: "new:pair-anytime"},
    "realised_kt": dict.fromkeys(("sharpened", "best"), "new:realised-kt"),
    "kl_from_pseudo": dict.fromkeys(("sharpened", "best"), "new:kl-from-pseudo"),
    "algorithm_1_high_probability": dict.fromkeys(("sharpened", "best"), "new:algorithm-1-tail"),
    "realised_high_probability": dict.fromkeys(("sharpened", "best"), "new:realised-tail"),
    "fixed_grid_lower_bound": {None: "new:fixed-grid"},
    "tail_lower_bound": {None: "new:tail"},
    "tree": {None: "new:tree"},
    "tree_from_counts": {None: "new:tree"},
    "tree_swap": {"proved": "new:tree/swap", "certified": "new:tree/swap-constant"},
    "tree_expected": {None: "new:tree/expected-rate"},
    "tree_expected_swap": {None: "new:tree/expected-swap"},
    "tree_expected_from_masses": {None: "new:tree/expected"},
    "squares_log_lower_bound": {None: "new:lower/coin"},
    "squares_lower_bound": {None: "new:lower"},
}

# Neither a check of arguments nor the search for the last vacuous horizon is a bound.
NO_BOUNDS = ("klcal.bounds._arguments", "klcal.bounds.vacuous")
NUMBERS = [
    each
    for module in literals.modules(bounds)
    if module.__name__ not in NO_BOUNDS
    for each in literals.literals(module)
]
WITH_NUMBERS = {each.function for each in NUMBERS}

# What is done to the value; a whole number moves by one.
CHANGES: dict[str, Callable[[Any], Any]] = {
    "larger": lambda value: value + 1 if isinstance(value, int) else value * (1 + 1e-6),
    "smaller": lambda value: value - 1 if isinstance(value, int) else value * (1 - 1e-6),
}


def versions(name: str) -> set[str | None]:
    """Return the versions that the signature and the docstring of a bound promise."""
    function = bounds.BOUNDS[name]
    if "version" not in inspect.signature(function).parameters:
        return {None}
    (listed,) = re.findall(r"^ *version : \{(.*)\}$", inspect.getdoc(function) or "", re.MULTILINE)
    return set(re.findall(r'"(\w+)"', listed))


def mutant(name: str, version: str | None, change: Callable[[Any], Any]) -> Callable[..., Any]:
    """Return the bound with `change` applied to the values of one version and to no other."""
    function = bounds.BOUNDS[name]
    signature = inspect.signature(function)

    def changed(*arguments: Any, **options: Any) -> Any:
        bound = signature.bind(*arguments, **options)
        bound.apply_defaults()
        value = function(*arguments, **options)
        return change(value) if bound.arguments.get("version") == version else value

    return changed


def guard_holds(label: str) -> bool:
    """Run the checks of an entry, without looking up a verdict that was computed before."""
    return all(check.run().holds for check in REGISTRY[label].checks)


def mutations() -> Iterator[Any]:
    first = [(name, version, label) for name, guards in GUARDS.items() for version, label in guards.items()]
    for name, version, label in first:
        # Where the numbers of a function are moved one by one, below, one direction is enough.
        changes = ["larger"] if name in WITH_NUMBERS else CHANGES
        yield from (pytest.param(name, version, c, label, id=f"{name}-{version}-{c}") for c in changes)


def test_every_version_of_every_bound_has_a_guard() -> None:
    assert {name: set(guards) for name, guards in GUARDS.items()} == {n: versions(n) for n in bounds.BOUNDS}


@pytest.mark.parametrize("label", sorted({label for guards in GUARDS.values() for label in guards.values()}))
def test_the_guard_holds_while_nothing_is_changed(label: str) -> None:
    assert guard_holds(label)


@pytest.mark.parametrize(("name", "version", "change", "label"), list(mutations()))
def test_a_changed_bound_turns_its_guard_red(
    name: str, version: str | None, change: str, label: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bounds, name, mutant(name, version, CHANGES[change]))
    assert not guard_holds(label), f"{label} does not notice that {name}, {version}, became {change}"


def test_a_mutant_that_changes_nothing_goes_unnoticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounds, "theorem_2", mutant("theorem_2", "sharpened", lambda value: value))
    assert guard_holds("thm:bound_pkcal/explicit")


def test_a_mutant_moves_its_own_version_only() -> None:
    moved = mutant("theorem_2", "sharpened", CHANGES["larger"])
    assert moved(100, 3) == (1 + 1e-6) * bounds.theorem_2(100, 3)
    assert moved(100, 3, version="best") == bounds.theorem_2(100, 3, version="best")


# ----- every number in the sources -----------------------------------------------------------------------------

# Numbers that may be another without changing a value: function and place -> why.
FREE = {
    ("_log2", 1): "the exponent of a ball that is not exact is not used",
    ("quotient", 0): "0/0 in balls, which no bound asks for",
    ("quotient", 1): "an exact 0 over a ball",
    ("quotient", 2): "where the divisor is 0",
    ("quotient", 3): "where the divisor is 0",
    ("quotient", 4): "which divisors are 0: variances are no smaller than a float can tell from 0",
    ("theorem_2_best_K", 0): "replaced by the first K that is tried",
    ("theorem_2_best_K", 2): "how many K are tried at once",
    ("theorem_2_best_K", 3): "how many K are tried at once",
    ("theorem_1_nearest", 0): "this is the larger side at K = 2 only, where the tangent is 1",
    ("pair_from_counts", 1): "counts are integers",
    ("tree_from_counts", 0): "counts are integers",
    ("_over_phases", 1): "only tells balls from floats",
    ("_widest_angle", 0): "K is an integer",
    ("_comparator_maximum", 3): "further cells are mirror images, and the dearest one is not in the middle",
    ("_comparator_maximum", 4): "further cells are mirror images",
}
# Functions beside the bounds, which entries use directly.
BESIDE = {"real_resolution": "thm:log_loss_swap_reg/rate"}
USED = literals.names_used(bounds)


def guards_of(function: str) -> list[str]:
    """Return the entries that guard a function, or, of one that is not public, those of the bounds that use it."""
    if function in GUARDS:
        return list(dict.fromkeys(GUARDS[function].values()))
    users = [name for name, used in USED.items() if function in used and name != function]
    found = [BESIDE[function]] if function in BESIDE else []
    return list(dict.fromkeys([*found, *(label for user in users for label in guards_of(user))]))


def is_red(label: str) -> bool:
    """Tell whether an entry no longer holds; a check that cannot even run does not."""
    try:
        return not guard_holds(label)
    except (ValueError, ArithmeticError):
        return True


@pytest.mark.parametrize("number", NUMBERS, ids=str)
def test_a_changed_number_turns_an_entry_red(number: literals.Literal) -> None:
    with literals.changed(number):
        noticed = any(is_red(label) for label in guards_of(number.function))
    free = (number.function, number.place) in FREE
    assert noticed != free, f"{guards_of(number.function)}: {FREE.get((number.function, number.place))}"


# ----- what Coq proves ------------------------------------------------------------------------------------------


def test_the_bound_of_the_tree_on_KLCal_is_the_one_that_Coq_proves() -> None:
    constant = _proved("TreeRate.v", "expect tree A T tree_KLCal [] <= CONSTANT * rate (INR T) + 2 * ln 2.")
    tail = _proved("TreeSwap.v", "tree_KLCal h <= CONSTANT * rate (INR (length h)) + 2 * ln (2 / delta)")
    rate = _tree_defined()["rate"]
    assert all(
        math.isclose(
            bounds.tree(T, delta), c * rate(float(T)) + 2 * math.log(2 / (delta or 1)), rel_tol=1e-12
        )
        for T in (2, 53, 10**6)
        for c, delta in ((constant, None), (tail, 0.125))
    )


def test_the_bound_of_the_tree_on_the_swap_regret_is_the_one_that_Coq_proves() -> None:
    mean = "<= CONSTANT * sqrt (INR T / ln (INR T)) * (ln (INR T) + ln 2)."
    tail = "swap_regret l s midpoint h <= CONSTANT * swap_rate (INR (length h)) delta"
    rate = _tree_defined()["swap_rate"]
    assert all(
        math.isclose(
            bounds.tree_swap(T, delta), _proved("TreeSwap.v", text) * rate(float(T), least), rel_tol=1e-12
        )
        for T in (2, 53, 10**6)
        for text, delta, least in ((mean, None, 0.5), (tail, 0.125, 0.125))
    )


def test_given_counts_of_the_tree_cost_what_the_Coq_sources_say() -> None:
    history = ((1, True), *((2, False),) * 2, *((5, True),) * 7)
    cost = sum(_tree_defined()["cost_of_node"](history, node) for node in range(1, 8))
    found = bounds.tree_from_counts([1, 2, 0, 7], [0, 1, 1, 2], 0.125)
    assert math.isclose(found, cost + 2 * math.log(16), rel_tol=1e-12)
