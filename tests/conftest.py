"""Settings of all tests: deterministic by default, thorough on demand.

``pytest --all-seeds`` (or ``KLCAL_SEEDS=all``, ``KLCAL_SEEDS=3-7``) runs every test that asks for a `seed`
with each of them; ``KLCAL_HYPOTHESIS=thorough`` looks for new counterexamples instead of repeating one.
"""

from __future__ import annotations

import os
import sys

import matplotlib
import pytest
from hypothesis import HealthCheck, settings

DEFAULT_SEEDS = range(1)
ALL_SEEDS = range(100)

# Scripts, not tests: importing them while collecting doctests would run nothing of use.
collect_ignore = ["benchmarks", "conftest.py", "tools"]

# How fast a shared machine happens to be decides no test.
settings.register_profile(
    "default", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile(
    "thorough",
    max_examples=2000,
    deadline=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile(os.environ.get("KLCAL_HYPOTHESIS", "default"))

# Tests draw without a screen. Kernels of notebooks inherit the environment, not this call: there the variable
# would replace the pictures in the outputs.
matplotlib.use("Agg")
os.environ.pop("MPLBACKEND", None)
os.environ.setdefault("PYTHONHASHSEED", "0")


def seeds_from(text: str) -> range:
    """Read ``"all"``, one seed as ``"7"``, or a range as ``"3-7"``; an empty text means the default."""
    if text == "":
        return DEFAULT_SEEDS
    if text == "all":
        return ALL_SEEDS
    first, _, last = text.partition("-")
    try:
        return range(int(first), int(last or first) + 1)
    except ValueError:
        raise pytest.UsageError(f"KLCAL_SEEDS must be 'all', '7' or '3-7'; got {text!r}") from None


class CleanCanvas:
    """Close all figures after each test, doctests included, and forget the styles it has set."""

    def __init__(self) -> None:
        self.settings = matplotlib.rcParams.copy()

    @pytest.hookimpl(trylast=True)
    def pytest_runtest_teardown(self) -> None:
        if "matplotlib.pyplot" in sys.modules:
            sys.modules["matplotlib.pyplot"].close("all")
        # Only what differs: setting the backend anew would cost time in every test.
        changed = {key: old for key, old in self.settings.items() if matplotlib.rcParams[key] != old}
        matplotlib.rcParams.update(changed)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--all-seeds", action="store_true", help="run tests that take a seed with 0..99")


def pytest_configure(config: pytest.Config) -> None:
    seeds = ALL_SEEDS if config.getoption("--all-seeds") else seeds_from(os.environ.get("KLCAL_SEEDS", ""))

    class Seeds:
        @pytest.fixture(params=seeds, ids=lambda seed: f"seed{seed}")
        def seed(self, request: pytest.FixtureRequest) -> int:
            """Return a seed for the generator of a test: one by default, a hundred on demand."""
            number: int = request.param
            return number

    config.pluginmanager.register(Seeds())
    # Registered, because the hooks of this file alone would not see the doctests of the package.
    config.pluginmanager.register(CleanCanvas())
