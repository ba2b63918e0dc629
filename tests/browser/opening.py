"""Open the pages of the built book in a real browser and write down what is wrong with them."""

from __future__ import annotations

import functools
import os
import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Literal

from playwright.sync_api import Browser, BrowserContext, Page, Playwright, ViewportSize

ROOT = Path(__file__).resolve().parents[2]
PROBE = (Path(__file__).parent / "probe.js").read_text(encoding="utf-8")
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
# Nothing that the browser does on its own account, and no sandbox, which needs rights that containers lack.
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)
WIDE, NARROW = ViewportSize(width=1280, height=900), ViewportSize(width=390, height=844)
SMALL = ViewportSize(width=320, height=640)  # what accessibility asks for; what fits here fits on 360 and 375


def browser_program() -> str | None:
    """Return the browser to use: the one that KLCAL_BROWSER names, or the first that is found."""
    return os.environ.get("KLCAL_BROWSER") or next(filter(None, map(shutil.which, NAMES)), None)


def launch(playwright: Playwright) -> Browser:
    """Start the browser."""
    return playwright.chromium.launch(executable_path=browser_program(), args=list(FLAGS))


class _Server(ThreadingHTTPServer):
    """A server that lets all requests of a page wait; five, the default, are fewer than a page has."""

    request_queue_size = 64


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Say nothing."""


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """Serve a folder on this machine and give its address."""
    with _Server(("127.0.0.1", 0), functools.partial(_Quiet, directory=str(folder))) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()
        thread.join()


def new_context(browser: Browser, size: ViewportSize, *, dark: bool = False) -> BrowserContext:
    """Return a reader: a window of some size on a light or dark system."""
    scheme: Literal["dark", "light"] = "dark" if dark else "light"
    context = browser.new_context(viewport=size, color_scheme=scheme, reduced_motion="reduce")
    context.add_init_script(PROBE)
    context.set_default_timeout(120_000)  # a busy machine is no reason to fail
    return context


def watch(page: Page, home: str) -> dict[str, list[str]]:
    """Note from now on every error, and every request that goes beyond the book at `home`."""
    seen: dict[str, list[str]] = {"errors": [], "requests": []}
    own = (home, "data:", "blob:", "about:")

    def error(is_one: bool, said: object) -> None:
        seen["errors"] += [str(said)] if is_one else []

    page.on("request", lambda r: seen["requests"].extend([] if r.url.startswith(own) else [r.url]))
    page.on("requestfailed", lambda request: error(True, f"not loaded: {request.url}"))
    page.on("pageerror", lambda problem: error(True, problem))
    page.on("console", lambda said: error(said.type == "error", said.text))
    page.on("response", lambda r: error(r.status >= 400, f"{r.status}: {r.url}"))
    return seen


def open_page(page: Page, address: str) -> None:
    """Open a page and wait until it is complete, with everything unfolded."""
    page.goto(address)
    page.evaluate("async () => { probe.unfold(); await probe.ready(); }")


def probe(page: Page, kind: str) -> list[str]:
    """Return the complaints of one kind about the page as it is now."""
    found: list[str] = page.evaluate(f"probe.{kind}()")
    return found


def turn_dark(page: Page) -> None:
    """Let the reader's system turn dark; the book follows."""
    page.emulate_media(color_scheme="dark")
    page.wait_for_function("document.documentElement.dataset.theme === 'dark'")


def look(page: Page, seen: dict[str, list[str]], address: str) -> dict[str, list[str]]:
    """Return complaints by kind about a page in a wide window, light and then dark, and at last in narrow ones.

    Loading takes most of the time. So a page is loaded once and then changed as a reader would change it, and all
    pages are opened in one tab, `page`, which remembers scripts and styles; `seen` has its errors and requests.
    """
    page.goto("about:blank")
    page.emulate_media(color_scheme="light")
    page.set_viewport_size(WIDE)
    seen |= {"errors": [], "requests": []}
    open_page(page, address)
    kinds = ("formulas", "pictures", "unlabelled", "overflow", "contrast")
    found = {**seen, **{kind: probe(page, kind) for kind in kinds}}
    turn_dark(page)
    found["contrast"] += [f"in dark: {each}" for each in probe(page, "contrast")]
    for size in (NARROW, SMALL):
        page.set_viewport_size(size)
        found["overflow"] += [f"on a phone, {size['width']} px: {each}" for each in probe(page, "overflow")]
    return found
