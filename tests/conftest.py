"""Settings of all tests: deterministic by default, thorough on demand.

``KLCAL_SEEDS=100`` runs every test that asks for a `seed` with as many of them; ``KLCAL_HYPOTHESIS=thorough`` looks for
new counterexamples instead of repeating one.
"""

from __future__ import annotations

import os
import sys

import matplotlib
import pytest
from hypothesis import HealthCheck, settings

SEEDS = int(os.environ.get("KLCAL_SEEDS", "1"))

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
# Beside busy processes a worker of Dask takes its time to answer.
os.environ.setdefault("DASK_DISTRIBUTED__COMM__TIMEOUTS__CONNECT", "300s")


@pytest.fixture(params=range(SEEDS), ids=lambda seed: f"seed{seed}")
def seed(request: pytest.FixtureRequest) -> int:
    """Return a seed for the generator of a test: one by default, more on demand."""
    number: int = request.param
    return number


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


def pytest_configure(config: pytest.Config) -> None:
    # Registered, because the hooks of this file alone would not see the doctests of the package.
    config.pluginmanager.register(CleanCanvas())
