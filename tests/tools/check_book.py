"""Check a built book: every page of the table of contents is there and loads nothing from outside."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import yaml

ROOT = Path(__file__).resolve().parents[2]
# What a browser fetches by itself; links that a reader may follow are not among them.
LOADED = {
    "audio": ("src",),
    "embed": ("src",),
    "iframe": ("src",),
    "img": ("src", "srcset"),
    "link": ("href",),
    "object": ("data",),
    "script": ("src",),
    "source": ("src", "srcset"),
    "video": ("src", "poster"),
}
# Relations of <link> that name another document and load nothing.
NAMING = {"author", "canonical", "index", "license", "next", "prev", "search"}


class Page(HTMLParser):
    """Collect what one page loads, what it links to and where it can be linked to."""

    def __init__(self) -> None:
        super().__init__()
        self.loads: list[str] = []
        self.links: list[str] = []
        self.anchors: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Sort the addresses of one tag."""
        values = {name: value or "" for name, value in attrs}
        self.anchors.update(values[name] for name in ("id", "name") if name in values)
        if tag == "a" and "href" in values:
            self.links.append(values["href"])
        relations = set(values.get("rel", "").split())
        if tag == "link" and relations and relations <= NAMING:
            return
        self.loads += [values[name] for name in LOADED.get(tag, ()) if values.get(name)]


def read(path: Path) -> Page:
    """Parse the page at `path`."""
    page = Page()
    page.feed(path.read_text(encoding="utf-8"))
    return page


def toc_entries(toc: dict[str, object]) -> Iterator[str]:
    """Yield every document that a Jupyter Book table of contents names."""
    for key, value in toc.items():
        if key in ("root", "file"):
            yield str(value)
        elif isinstance(value, list):
            for item in value:
                yield from toc_entries(item)


def is_outside(address: str) -> bool:
    """Tell whether loading `address` needs a network."""
    return address.startswith("//") or urlsplit(address).scheme not in ("", "data", "javascript")


def problems_of_page(path: Path, book: Path) -> Iterator[str]:
    """Yield what is wrong with one page: outside resources, missing files, links to nowhere."""
    page, name = read(path), path.relative_to(book)
    for address in page.loads:
        if is_outside(address):
            yield f"{name}: loads {address} from outside the book"
    for address in page.loads + page.links:
        parts = urlsplit(address)
        if is_outside(address) or parts.scheme:
            continue
        target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
        if not target.exists():
            yield f"{name}: {address} is not in the book"
        elif target.suffix == ".html" and parts.fragment:
            anchors = page.anchors if target == path else read(target).anchors
            if unquote(parts.fragment) not in anchors:
                yield f"{name}: {address} points to no place on that page"


def problems_of_book(book: Path, toc: dict[str, object]) -> Iterator[str]:
    """Yield everything that is wrong with the built `book`."""
    for entry in ["index", *toc_entries(toc)]:
        page = book / f"{entry}.html"
        if not page.is_file():
            yield f"{entry}.html is missing"
        elif page.stat().st_size == 0:
            yield f"{entry}.html is empty"
        else:
            yield from problems_of_page(page, book)
    if not (book / "_static" / "mathjax" / "tex-chtml.js").is_file():
        yield "MathJax is not in the book, so formulas would need a network"


def main(arguments: list[str]) -> int:
    """Report on the book in the folder given, or in _build/html; return the exit status."""
    book = (Path(arguments[0]) if arguments else ROOT / "_build" / "html").resolve()
    toc = yaml.safe_load((ROOT / "_toc.yml").read_text(encoding="utf-8"))
    problems = list(problems_of_book(book, toc))
    for problem in problems:
        print(problem, file=sys.stderr)
    if not problems:
        print(f"{len(list(toc_entries(toc)))} pages of the book are complete and load nothing from outside.")
    return int(bool(problems))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
