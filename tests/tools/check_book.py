"""Check a built book: every page is there, every link leads somewhere, and nothing is loaded from outside."""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Collection, Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import yaml

ROOT = Path(__file__).resolve().parents[2]
# What a browser fetches by itself; links that a reader may follow are not among them.
LOADED = {
    "audio": ("src",),
    "embed": ("src",),
    "feimage": ("href", "xlink:href"),
    "iframe": ("src",),
    "image": ("href", "xlink:href"),
    "img": ("src", "srcset"),
    "input": ("src",),
    "link": ("href",),
    "object": ("data",),
    "script": ("src",),
    "source": ("src", "srcset"),
    "track": ("src",),
    "use": ("href", "xlink:href"),
    "video": ("src", "poster"),
}
FOLLOWED = {"a": ("href", "xlink:href"), "area": ("href",), "form": ("action",)}
# Relations of <link> that name another document and load nothing.
NAMING = {"author", "canonical", "index", "license", "next", "prev", "search"}
# In a style: url(...), and what @import names.
STYLED = re.compile(r"""url\(\s*['"]?([^'")]+)|@import\s+['"]([^'"]+)""")
ADDRESS = re.compile(r"""https?://[^\s"'`<>(){}\\,]+""")


class Page(HTMLParser):
    """Collect what one page loads, what it links to, where it can be linked to, and pictures without words."""

    def __init__(self) -> None:
        super().__init__()
        self.loads: list[str] = []
        self.links: list[str] = []
        self.ids: Counter[str] = Counter()
        self.names: set[str] = set()
        self.wordless: list[str] = []
        self._style = False
        self._drawing: list[str] = []

    @property
    def anchors(self) -> set[str]:
        """Return where a link may point to."""
        return set(self.ids) | self.names

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Sort the addresses and names of one tag."""
        values = {name: value or "" for name, value in attrs}
        if "id" in values:
            self.ids[values["id"]] += 1
        if tag == "a" and "name" in values:
            self.names.add(values["name"])
        self._style = tag == "style"
        self.loads += styled(values.get("style", ""))
        self.links += [values[name] for name in FOLLOWED.get(tag, ()) if name in values]
        self._look_for_words(tag, values)
        relations = set(values.get("rel", "").split())
        if tag == "link" and relations and relations <= NAMING:
            return
        for name in LOADED.get(tag, ()):
            if values.get(name):
                self.loads += sources(values[name]) if name == "srcset" else [values[name]]

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Read a tag that closes itself, as in a drawing."""
        self.handle_starttag(tag, attrs)
        self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        """Leave a style, or a drawing that had to be named and was not."""
        self._style = False
        if tag == "svg" and self._drawing and self._drawing.pop() == "nameless":
            self.wordless.append("a drawing (svg)")

    def handle_data(self, data: str) -> None:
        """Read the addresses in a style."""
        if self._style:
            self.loads += styled(data)

    def _look_for_words(self, tag: str, values: dict[str, str]) -> None:
        if tag == "img" and not values.get("alt", "").strip():
            self.wordless.append(values.get("src", "an image")[:80])
        if tag == "svg":
            decoration = values.get("aria-hidden") == "true" or values.get("role") == "presentation"
            named = decoration or values.get("aria-label") or values.get("aria-labelledby")
            # Parts of a drawing are named with it.
            self._drawing.append("named" if named or self._drawing else "nameless")
        if tag == "title" and self._drawing:
            self._drawing[-1] = "named"


def sources(srcset: str) -> list[str]:
    """Return the addresses in a list such as ``a.png 1x, b.png 2x``."""
    return [candidate.split()[0] for candidate in srcset.split(", ") if candidate.strip()]


def styled(text: str) -> list[str]:
    """Return the addresses that a style loads."""
    return [first or second for first, second in STYLED.findall(text)]


class Book:
    """A folder of pages, each read once."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._pages: dict[Path, Page] = {}

    def page(self, path: Path) -> Page:
        """Return the page at `path`."""
        if path not in self._pages:
            self._pages[path] = page = Page()
            page.feed(path.read_text(encoding="utf-8"))
            page.close()
        return self._pages[path]

    def name(self, path: Path) -> str:
        """Return the path within the book."""
        return str(path.relative_to(self.folder))


def toc_entries(toc: dict[str, object]) -> Iterator[str]:
    """Yield every document that a Jupyter Book table of contents names."""
    for key, value in toc.items():
        if key in ("root", "file"):
            yield str(value)
        elif isinstance(value, list):
            for item in value:
                yield from toc_entries(item)


def is_outside(address: str) -> bool:
    """Tell whether loading `address` needs a network, or a place that only one machine has."""
    return address.startswith("//") or urlsplit(address).scheme not in ("", "data", "javascript")


def documented(folder: Path) -> set[str]:
    """Return the web addresses that the sources of the book name: references, and links in chapters."""
    paths = [path for ending in ("bib", "ipynb", "md") for path in folder.glob(f"*.{ending}")]
    texts = [path.read_text(encoding="utf-8") for path in sorted(paths)]
    found = {address.rstrip(".;:") for text in texts for address in ADDRESS.findall(text)}
    dois = {doi for text in texts for doi in re.findall(r"doi\s*=\s*[{\"]([^}\"]+)", text)}
    return found | {f"https://doi.org/{doi}" for doi in dois}


def _dead_links(book: Book, path: Path) -> Iterator[str]:
    page, name = book.page(path), book.name(path)
    for address in dict.fromkeys(page.loads + page.links):
        parts = urlsplit(address)
        if is_outside(address) or parts.scheme:
            continue
        target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
        if not target.is_relative_to(book.folder):
            yield f"{name}: {address} leaves the book"
        elif not target.exists():
            yield f"{name}: {address} is not in the book"
        elif target.suffix == ".html" and parts.fragment:
            if unquote(parts.fragment) not in book.page(target).anchors:
                yield f"{name}: {address} points to no place on that page"


def problems_of_page(book: Book, path: Path, references: Collection[str] | None = None) -> Iterator[str]:
    """Yield what is wrong with one page.

    That is: outside resources, missing files, links to nowhere, links to undocumented places of the web, an id
    that two elements have, pictures without words. `references` are the web addresses that may be linked to.
    """
    page, name = book.page(path), book.name(path)
    yield from (f"{name}: loads {load} from outside the book" for load in page.loads if is_outside(load))
    yield from _dead_links(book, path)
    for address in dict.fromkeys(page.links):
        if is_outside(address) and references is not None and address not in references:
            yield f"{name}: {address} is no documented reference"
    yield from (f"{name}: {count} elements have the id {i}" for i, count in page.ids.items() if count > 1)
    yield from (f"{name}: {picture} has no alt text" for picture in page.wordless)


def problems_of_styles(book: Book) -> Iterator[str]:
    """Yield the outside addresses in the style sheets of the book."""
    for path in sorted(book.folder.rglob("*.css")):
        for address in styled(path.read_text(encoding="utf-8", errors="replace")):
            if is_outside(address):
                yield f"{book.name(path)}: loads {address} from outside the book"


def problems_of_book(
    folder: Path, toc: dict[str, object], references: Collection[str] | None = None
) -> Iterator[str]:
    """Yield everything that is wrong with the built book in `folder`."""
    book = Book(folder.resolve())
    for entry in ["index", *toc_entries(toc)]:
        page = book.folder / f"{entry}.html"
        if not page.is_file():
            yield f"{entry}.html is missing"
        elif page.stat().st_size == 0:
            yield f"{entry}.html is empty"
    for path in sorted(book.folder.rglob("*.html")):
        # Parts of libraries below _static are pages of nobody.
        if "_static" not in path.relative_to(book.folder).parts and path.stat().st_size:
            yield from problems_of_page(book, path, references)
    yield from problems_of_styles(book)
    if not (book.folder / "_static" / "formulas.css").is_file():
        yield "the font of formulas is not in the book"


def main(arguments: list[str]) -> int:
    """Report on the book in the folder given, or in _build/html; return the exit status."""
    book = (Path(arguments[0]) if arguments else ROOT / "_build" / "html").resolve()
    toc = yaml.safe_load((ROOT / "_toc.yml").read_text(encoding="utf-8"))
    problems = list(problems_of_book(book, toc, documented(ROOT / "chapters")))
    for problem in problems:
        print(problem, file=sys.stderr)
    if not problems:
        print(
            f"{len(list(toc_entries(toc)))} pages of the book are complete, "
            "every link leads somewhere, and nothing is loaded from outside."
        )
    return int(bool(problems))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
