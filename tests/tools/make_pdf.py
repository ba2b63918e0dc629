"""Print the whole book into one PDF with a title page, a table of contents and page numbers.

The pages of the built book are put together into one: every identifier gets the name of its page in front, so that
equal names on different pages stay apart, and links between pages become links inside the PDF. Folded proofs and
solutions are open. A browser that is installed on the machine typesets the formulas and prints.

Chromium writes the objects of a PDF as plain text; that is how the pages of the chapters get into the table of
contents: the book is printed twice, the second time with the numbers found in the first.
"""

from __future__ import annotations

import argparse
import copy
import html
import os
import re
import shutil
import sys
import tempfile
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import yaml
from bs4 import BeautifulSoup, Tag

ROOT = Path(__file__).resolve().parents[2]
STYLE = Path(__file__).with_name("print.css")
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "msedge")
# The width of the text on a page of A4 with the margins of the style, in CSS pixels.
TEXT_WIDTH = round((210 - 2 * 20) / 25.4 * 96)
# Height over width of a drawing that fills a page.
PAGE = 235 / 170
# So many pixels beyond the edge are rounding.
SLACK = 1.5
# Milliseconds; a busy machine needs minutes.
PATIENCE = 600_000


class NoBrowser(RuntimeError):
    """No browser is installed that could print."""


@dataclass(frozen=True)
class Part:
    """A part of the book: its caption, empty for the front page, and its pages."""

    caption: str
    pages: tuple[str, ...]


def parts_of(toc: Mapping[str, Any]) -> list[Part]:
    """Return the parts of a table of contents; pages are named as there, without extension."""
    rest = (Part(each.get("caption", ""), tuple(_files(each["chapters"]))) for each in toc.get("parts", ()))
    return [Part("", (toc["root"],)), *rest]


def _files(entries: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    for entry in entries:
        yield entry["file"]
        yield from _files(entry.get("sections", ()))


# --- one page out of many ---------------------------------------------------------------------------------


def name_of(page: str) -> str:
    """Return the short name of a page, the last part of its path.

    >>> name_of("chapters/03_grids")
    '03_grids'
    """
    return page.rpartition("/")[2]


def article_of(page: str, book: Path, folder: Path, pages: Sequence[str]) -> Tag:
    """Return the text of one page of the built book, ready to stand with others in a file in `folder`."""
    path = book / f"{page}.html"
    soup = BeautifulSoup(path.read_text(encoding="utf-8"), "html.parser")
    article = soup.select_one("article.bd-article")
    if article is None:
        raise ValueError(f"{page}.html has no article")
    # Paper is light, shows nothing on hover and runs nothing.
    for tag in article.select(
        "a.headerlink, script, noscript, style, button, img.klcal-dark, .klcal-tip, .klcal-above"
    ):
        tag.decompose()
    for fold in article.select("details"):
        fold["open"] = ""
    for drawing in article.select(".klcal-graph svg"):
        drawing.replace_with(*pages_of_graph(drawing))
    known = {(book / f"{each}.html").resolve(): name_of(each) for each in pages}
    for tag in [article, *article.find_all(True)]:
        _rename(tag, name_of(page))
        _relink(tag, path, folder, known)
    article["id"] = name_of(page)
    return article


def pages_of_graph(drawing: Tag) -> list[Tag]:
    """Return the graph of statements as drawings of whole chapters, each as many as fit on a page."""
    left, top, width, height = map(float, str(drawing["viewbox"]).split())
    # A chapter begins with a line across the drawing.
    tops = [float(re.split("[ H]", str(line["d"]))[1]) for line in drawing.select(".klcal-band")]
    cuts = [top]
    for start, end in pairwise([*tops, height]):
        if end - cuts[-1] > PAGE * width:
            cuts.append(start)
    found = []
    for start, end in pairwise([*cuts, height]):
        part = copy.copy(drawing)
        part["viewbox"] = f"{left:g} {start:g} {width:g} {end - start:g}"
        part["height"] = f"{end - start:g}"
        for node in part.select("a[data-node]"):
            if not start <= float(node.rect["y"]) < end:
                node.decompose()  # its link would be felt on the paper
        found.append(part)
    return found


def _rename(tag: Tag, name: str) -> None:
    """Put the name of the page in front of identifiers, and of references to them inside drawings."""
    for key in ("id", "name"):
        if key in tag.attrs and tag.name != "meta":
            tag[key] = f"{name}--{tag[key]}"
    for key, value in list(tag.attrs.items()):
        if isinstance(value, str) and "url(#" in value:
            tag[key] = value.replace("url(#", f"url(#{name}--")


def _relink(tag: Tag, path: Path, folder: Path, known: Mapping[Path, str]) -> None:
    """Let links between pages stay inside the document and pictures be found from `folder`."""
    for key in ("href", "xlink:href"):
        if key not in tag.attrs or tag.name == "image":
            continue
        parts = urlsplit(str(tag[key]))
        if parts.scheme:
            continue
        target = (path.parent / unquote(parts.path)).resolve() if parts.path else path.resolve()
        if target in known:
            place = unquote(parts.fragment)
            tag[key] = f"#{known[target]}--{place}" if place else f"#{known[target]}"
        else:
            del tag[key]  # a source file or a page that is not in the table of contents
    if tag.name == "img" and not urlsplit(str(tag["src"])).scheme:
        tag["src"] = os.path.relpath(path.parent / unquote(str(tag["src"])), folder)
        tag.attrs.pop("loading", None)


def head_of(book: Path, page: str, folder: Path) -> str:
    """Return the style sheets and the settings of MathJax of the book, for a file in `folder`."""
    path = book / f"{page}.html"
    soup = BeautifulSoup(path.read_text(encoding="utf-8"), "html.parser")
    kept = []
    for tag in soup.head.find_all(["link", "script"]) if soup.head else ():
        source = str(tag.get("href") or tag.get("src") or "")
        address = os.path.relpath(path.parent / urlsplit(source).path, folder) if source else ""
        if tag.name == "link" and "stylesheet" in tag.get("rel", ()):
            kept.append(f'<link rel="stylesheet" href="{address}">')
        elif tag.name == "script" and "window.MathJax" in tag.get_text():
            # On paper every formula is in sight.
            kept.append(re.sub(r'"loader": \{[^}]*\},? ?', "", str(tag)))
        elif tag.name == "script" and "mathjax" in source.lower():
            kept.append(f'<script defer src="{address}"></script>')
    return "\n".join(kept)


def spelled(tex: str) -> str:
    r"""Return a short formula as a line of plain text: names of commands for their signs, no braces.

    >>> spelled(r"\(\log\log T\)"), spelled(r"\(K^{2} \le e - 2\)")
    ('log log T', 'K^2 le e - 2')
    """
    bare = tex.removeprefix(r"\(").removesuffix(r"\)")
    return " ".join(re.sub(r"\\[,;!]|[{}]", "", bare).replace("\\", " ").split())


def spell_titles(article: Tag) -> None:
    """Put plain text next to the formulas of headings: a browser makes bookmarks from letters alone."""
    for formula in article.select(":is(h1, h2, h3, h4, h5, h6) .math"):
        letters = BeautifulSoup("", "html.parser").new_tag("span", attrs={"class": "for-bookmark"})
        letters.string = spelled(formula.get_text())
        formula.insert_after(letters)


def contents(parts: Sequence[Part], articles: Mapping[str, Tag]) -> str:
    """Return the table of contents: chapters and their sections, with room for page numbers."""
    lines = []
    for part in parts:
        if part.caption:
            lines.append(f'<p class="toc-part">{html.escape(part.caption)}</p>')
        for page in part.pages:
            lines.append(_entry("chapter", name_of(page), articles[page].find("h1")))
            # Of the reference to the package only the pages: their sections are single modules.
            sections = [] if name_of(page).startswith("api") else articles[page].select("section > h2")
            lines += [_entry("section", str(title.parent["id"]), title) for title in sections if title.parent]
    return "\n".join(['<nav class="toc"><p class="toc-title">Contents</p>', *lines, "</nav>"])


def _entry(kind: str, target: str, title: Tag | None) -> str:
    text = title.decode_contents() if title is not None else target
    number = f'<span data-page-of="{html.escape(target)}">000</span>'
    return (
        f'<p class="toc-{kind}"><a href="#{html.escape(target)}"><span>{text}</span><span class="leader"></span>'
        f"{number}</a></p>"
    )


def title_page(settings: Mapping[str, Any], version: str) -> str:
    """Return the title page."""
    title, _, subtitle = settings["title"].partition(": ")
    return f"""<header class="title-page">
<p class="title">{html.escape(title)}</p>
<p class="subtitle">{html.escape(subtitle)}</p>
<p class="authors">{html.escape(settings["author"])}</p>
<p class="version">Version {html.escape(version)}</p>
<p class="imprint">{html.escape(settings["copyright"])}. Printed from the web pages of the book; in a browser
its notebooks can be downloaded, and one page can be played with.</p>
</header>"""


def assemble(book: Path, folder: Path) -> str:
    """Return the whole book as one page of HTML, to be stored in `folder`."""
    settings = yaml.safe_load((ROOT / "_config.yml").read_text(encoding="utf-8"))
    parts = parts_of(yaml.safe_load((ROOT / "_toc.yml").read_text(encoding="utf-8")))
    version = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    pages = [page for part in parts for page in part.pages]
    articles = {page: article_of(page, book, folder, pages) for page in pages}
    listed = contents(parts, articles)
    for article in articles.values():
        spell_titles(article)
    return "\n".join(
        [
            '<!DOCTYPE html><html lang="en" data-theme="light" data-mode="light"><head><meta charset="utf-8">',
            f"<title>{html.escape(settings['title'])}</title>",
            head_of(book, pages[0], folder),
            f"<style>{STYLE.read_text(encoding='utf-8')}</style></head><body>",
            title_page(settings, version),
            listed,
            *(str(articles[page]) for page in pages),
            "</body></html>",
        ]
    )


def dead_links(text: str) -> list[str]:
    """Return the links inside the document that lead nowhere."""
    soup = BeautifulSoup(text, "html.parser")
    places = {str(tag[key]) for key in ("id", "name") for tag in soup.find_all(attrs={key: True})}
    links = {str(tag["href"])[1:] for tag in soup.select("a[href^='#']")}
    return sorted(link for link in links if link not in places)


# --- printing ---------------------------------------------------------------------------------------------

# What is too wide for the page is made smaller: formulas, tables, drawings and text. Text that would become too small
# is wrapped.
FIT = """([width, least]) => {
  for (const tag of document.querySelectorAll('mjx-container[display="true"], table, pre, svg')) {
    const outer = tag.parentElement.getBoundingClientRect();
    const room = Math.min(outer.width, width - outer.left) - 1;
    const ratio = room / Math.max(tag.scrollWidth || 0, tag.getBoundingClientRect().width);
    if (room <= 0 || ratio >= 1) continue;
    if (tag.tagName === 'PRE' && ratio < least) {
      for (const part of [tag, ...tag.querySelectorAll('code')])
        part.style.cssText += 'white-space: pre-wrap; overflow-wrap: anywhere;';
    } else {
      tag.style.zoom = String(ratio);
    }
  }
}"""
SMALLEST = 0.7

# A browser makes everything smaller when one thing is wider than the page.
TOO_WIDE = """([width, slack]) => {
  if (document.documentElement.scrollWidth <= width + slack) return [];
  const found = [];
  for (const tag of document.querySelectorAll('body *')) {
    if (tag.closest('mjx-container > *, svg > *')) continue;
    const box = tag.getBoundingClientRect();
    const zoom = Number(tag.style.zoom) || 1;
    const right = box.width ? Math.max(box.right, box.left + tag.scrollWidth * zoom) : 0;
    if (right > width + slack && ![...tag.children].some(c => c.getBoundingClientRect().right > width + slack))
      found.push(`${tag.tagName.toLowerCase()} in ${tag.closest('article')?.id}, ${Math.round(right - width)} `
        + `pixels: ${tag.textContent.trim().slice(0, 60)}`);
  }
  return found.length ? found : ['something that is not found here'];
}"""

READY = """() => Promise.resolve(window.MathJax?.startup?.promise).then(() => document.fonts.ready).then(() => true)"""

NOT_TYPESET = """() => document.querySelectorAll('.math:not(:has(mjx-container)), mjx-merror').length"""

NUMBERS = """(numbers) => {
  for (const tag of document.querySelectorAll('[data-page-of]')) tag.textContent = numbers[tag.dataset.pageOf] ?? '';
}"""


def find_browser() -> str:
    """Return the path of an installed browser that can print; KLCAL_BROWSER names another one."""
    named = os.environ.get("KLCAL_BROWSER")
    for name in [named] if named else BROWSERS:
        if found := shutil.which(name):
            return found
    wanted = named or "Chromium or Chrome"
    raise NoBrowser(
        f"make pdf needs a browser to print with, and {wanted} is not installed. Install one (on Debian: apt-get "
        "install chromium) or name it: KLCAL_BROWSER=/path/to/chrome make pdf. The book itself needs none: make book."
    )


def print_pdf(source: Path, target: Path, browser: str) -> list[str]:
    """Print the page `source` into the file `target`; return what is wrong with it."""
    from playwright.sync_api import sync_playwright

    options = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"]
    with sync_playwright() as driver, tempfile.TemporaryDirectory() as scratch:
        context = driver.chromium.launch_persistent_context(
            scratch, executable_path=browser, args=options, viewport={"width": TEXT_WIDTH, "height": 1000}
        )
        try:
            page = context.new_page()
            page.set_default_timeout(PATIENCE)
            page.emulate_media(media="print", color_scheme="light")
            page.goto(source.resolve().as_uri(), wait_until="load")
            page.evaluate(READY)
            page.evaluate(FIT, [TEXT_WIDTH, SMALLEST])
            problems = [
                f"wider than the page: {each}" for each in page.evaluate(TOO_WIDE, [TEXT_WIDTH, SLACK])
            ]
            if raw := page.evaluate(NOT_TYPESET):
                problems.append(f"{raw} formulas are not typeset")
            page.pdf(path=target, prefer_css_page_size=True)
            first = page_numbers(target.read_bytes())
            page.evaluate(NUMBERS, first)
            page.pdf(path=target, prefer_css_page_size=True, print_background=True, outline=True, tagged=True)
        finally:
            context.close()
    printed = single_titles(target.read_bytes())
    target.write_bytes(printed)
    second = page_numbers(printed)
    if moved := [name for name in first if second.get(name) != first[name]]:
        problems.append(f"page numbers in the table of contents are not those of {', '.join(moved)}")
    return problems


# --- reading the PDF --------------------------------------------------------------------------------------


def objects_of(pdf: bytes) -> dict[int, bytes]:
    """Return the objects of a PDF as Chromium writes it: number -> text, streams left out."""
    found = re.finditer(rb"(?m)^(\d+) 0 obj\s*(.*?)(?:stream\r?\n|endobj)", pdf, re.DOTALL)
    return {int(match[1]): match[2] for match in found}


def pages_in_order(objects: Mapping[int, bytes]) -> list[int]:
    """Return the numbers of the page objects from first to last."""
    root = next(
        n for n, text in objects.items() if re.search(rb"/Type\s*/Pages\b", text) and b"/Parent" not in text
    )

    def walk(number: int) -> Iterator[int]:
        text = objects[number]
        kids = re.search(rb"/Kids\s*\[(.*?)\]", text, re.DOTALL)
        if kids is None:
            yield number
        else:
            for kid in re.findall(rb"(\d+) 0 R", kids[1]):
                yield from walk(int(kid))

    return list(walk(root))


def page_numbers(pdf: bytes) -> dict[str, int]:
    """Return on which page each named place of a PDF is, counted from 1."""
    objects = objects_of(pdf)
    number = {page: k for k, page in enumerate(pages_in_order(objects), start=1)}
    places = rb"/([^\s/\[<>()]+)\s*\[\s*(\d+) 0 R\s*/XYZ"
    found = (match for text in objects.values() for match in re.finditer(places, text))
    # Bookmarks have a place too, under the name Dest.
    named = (match for match in found if match[1] not in (b"Dest", b"D"))
    return {_plain(match[1]): number[int(match[2])] for match in named if int(match[2]) in number}


def _plain(name: bytes) -> str:
    return re.sub(rb"#([0-9A-Fa-f]{2})", lambda m: bytes([int(m[1], 16)]), name).decode("utf-8", "replace")


def single_titles(pdf: bytes) -> bytes:
    """Return the PDF with bookmarks that say their title once; no byte moves.

    Chromium doubles the title of a heading that is the first thing on its page, and with formulas in it each part.

    >>> single_titles(b"/Title (CellsCells) /Title (Cells)")
    b'/Title (Cells)      /Title (Cells)'
    """

    def once(match: re.Match[bytes]) -> bytes:
        half, odd = divmod(len(match[2]), 2)
        title = match[2][:half]
        if odd or title != match[2][half:]:
            # Parts are long; what is short may be meant, as in "log log T".
            title = match[2] if b"FEFF" in match[1] else re.sub(rb"(.{6,}?)\1", rb"\1", match[2])
        return (match[1] + title + match[3]).ljust(len(match[0]))

    plain = re.sub(rb"(/Title \()((?:\\.|[^\\()])+)(\))", once, pdf)
    return re.sub(rb"(/Title <FEFF)([0-9A-F]+)(>)", once, plain)


def make(book: Path, target: Path) -> tuple[int, list[str]]:
    """Print the built book into `target`; return the number of pages and what is wrong."""
    browser = find_browser()
    folder = target.parent
    folder.mkdir(parents=True, exist_ok=True)
    source, text = folder / "book.html", assemble(book, folder)
    source.write_text(text, encoding="utf-8")
    problems = print_pdf(source, target, browser)
    problems += [f"a link to {link} leads nowhere" for link in dead_links(text)]
    return len(pages_in_order(objects_of(target.read_bytes()))), problems


def main(arguments: Sequence[str] | None = None) -> int:
    """Make the PDF; return the exit status."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--book", type=Path, default=ROOT / "_build" / "html", help="the built book")
    parser.add_argument("--out", type=Path, default=ROOT / "_build" / "pdf" / "klcal-book.pdf")
    options = parser.parse_args(arguments)
    try:
        pages, problems = make(options.book.resolve(), options.out.resolve())
    except NoBrowser as problem:
        print(problem, file=sys.stderr)
        return 2
    for problem in problems:
        print(problem, file=sys.stderr)
    print(f"{pages} pages, {options.out.stat().st_size / 1e6:.1f} MB: {options.out}")
    return int(bool(problems))


if __name__ == "__main__":
    sys.exit(main())
