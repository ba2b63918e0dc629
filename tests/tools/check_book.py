"""Check a built book: every page is there, every link leads somewhere, and nothing is loaded from outside."""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

ROOT = Path(__file__).resolve().parents[2]
# Whatever else has an address is fetched by the browser itself.
FOLLOWED = {"a", "area", "form"}
ADDRESSES = ("action", "data", "href", "poster", "src", "xlink:href")
STYLED = re.compile(r"""url\(\s*['"]?([^'")]+)|@import\s+['"]([^'"]+)""")
WEB = re.compile(r"""https?://[^\s"'`<>(){}\\,]+""")


class Page(HTMLParser):
    """What a page loads, what it links to, and where it can be linked to."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.loads: list[str] = []
        self.links: list[str] = []
        self.ids: Counter[str] = Counter()
        text = path.read_text(encoding="utf-8")
        self.feed(text)
        for style in re.findall(r"<style.*?</style>|style=\"[^\"]*", text, re.DOTALL):
            self.loads += styled(style)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Sort the addresses and the id of one tag."""
        values = {name: value for name, value in attrs if value}
        self.ids.update([values["id"]] if "id" in values else [])
        found = [values[name] for name in ADDRESSES if name in values]
        found += [each.split()[0] for each in values.get("srcset", "").split(", ") if each.strip()]
        (self.links if tag in FOLLOWED else self.loads).extend(found)


def styled(text: str) -> list[str]:
    """Return the addresses that a style loads."""
    return [first or second for first, second in STYLED.findall(text)]


def is_outside(address: str) -> bool:
    """Tell whether loading `address` needs a network, or a place that only one machine has."""
    return address.startswith("//") or urlsplit(address).scheme not in ("", "data", "javascript")


def documented(folder: Path) -> set[str]:
    """Return the web addresses that the sources of the book name: references, and links in chapters."""
    text = "\n".join(
        p.read_text(encoding="utf-8") for e in ("bib", "ipynb", "md") for p in folder.glob(f"*.{e}")
    )
    dois = re.findall(r"doi\s*=\s*[{\"]([^}\"]+)", text)
    return {each.rstrip(".;:") for each in WEB.findall(text)} | {f"https://doi.org/{doi}" for doi in dois}


def problems(book: Path, known: set[str]) -> Iterator[str]:
    """Yield what is wrong with the book in a folder, whose pages may link to the `known` addresses of the web."""
    # Parts of libraries below _static are pages of nobody.
    paths = [path for path in sorted(book.rglob("*.html")) if "_static" not in path.relative_to(book).parts]
    pages = {path: Page(path) for path in paths}
    for path, page in pages.items():
        name = path.relative_to(book)
        yield from (f"{name}: loads {each} from outside the book" for each in page.loads if is_outside(each))
        yield from (f"{name}: {count} elements have the id {i}" for i, count in page.ids.items() if count > 1)
        for address in dict.fromkeys(page.loads + page.links):
            parts = urlsplit(address)
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            if is_outside(address):
                if address in page.links and address not in known:
                    yield f"{name}: {address} is no documented reference"
            elif not parts.scheme and not (target.is_relative_to(book) and target.exists()):
                yield f"{name}: {address} is not in the book"
            elif target in pages and parts.fragment and unquote(parts.fragment) not in pages[target].ids:
                yield f"{name}: {address} points to no place on that page"
    for path in sorted(book.rglob("*.css")):
        loaded = filter(is_outside, styled(path.read_text(encoding="utf-8", errors="replace")))
        yield from (f"{path.relative_to(book)}: loads {address} from outside the book" for address in loaded)


def main(arguments: list[str]) -> int:
    """Report on the book in the folder given, or in _build/html; return the exit status."""
    book = (Path(arguments[0]) if arguments else ROOT / "_build" / "html").resolve()
    entries = re.findall(r"(?:root|file): *(\S+)", (ROOT / "_toc.yml").read_text(encoding="utf-8"))
    found = [
        f"{entry}.html is missing" for entry in ["index", *entries] if not (book / f"{entry}.html").is_file()
    ]
    found += problems(book, documented(ROOT / "chapters"))
    print(
        "\n".join(found)
        or "Every page is there, every link leads somewhere, and nothing is loaded from outside."
    )
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
