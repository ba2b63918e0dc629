"""A browser for the tests that look at the book."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import opening
import pytest
from playwright.sync_api import Browser, sync_playwright


@pytest.fixture(scope="module")  # not longer: its event loop would disturb what other files do
def browser() -> Iterator[Browser]:
    if opening.browser_program() is None:
        pytest.skip(
            "no Chromium on this machine: the book was not opened in a browser "
            "(install the package chromium, or name a browser in KLCAL_BROWSER)"
        )
    with sync_playwright() as playwright:
        started = opening.launch(playwright)
        yield started
        started.close()


@pytest.fixture(scope="session")
def book() -> Path:
    """Return the folder of the built book."""
    folder = opening.ROOT / "_build" / "html"
    assert (folder / "index.html").is_file(), "make book comes first; make test calls it"
    return folder
