"""The book's own Sphinx extension on a small book: boxes with evidence, errata, pages of the ledger, citations."""

from __future__ import annotations

import io
import json
import re
import warnings
from pathlib import Path
from typing import Any

import bs4
import check_book
import pytest
from sphinx.application import Sphinx
from sphinx.util.docutils import docutils_namespace, patch_docutils

ROOT = Path(__file__).resolve().parents[1]
CHAPTERS = ROOT / "chapters"
CONFIG = """
extensions = ["myst_nb", "sphinx_external_toc", "sphinx_design", "sphinx_proof", "sphinxcontrib.bibtex", "klcal_book"]
myst_enable_extensions = ["colon_fence", "dollarmath", "deflist"]
external_toc_path = "_toc.yml"
nb_execution_mode = "off"
nb_render_markdown_format = "myst"
bibtex_bibfiles = ["references.bib"]
bibtex_reference_style = "author_year"
proof_title_format = "%t"
html_theme = "basic"
html_math_renderer = "klcal"
"""
TEXT = r"""# A page

By Lemma 5 it is so, not by Lemma 99 ($x$). See {cite:p}`turing,blum2007` and {cite:t}`machines`.

$$x = 1 \tag{∗}$$

:::{prf:lemma} Lemma 5 of the paper: rounding
:label: lem:rounding
:nonumber:
:class: main

It is $x < 1$.
:::

:::{dropdown} Proof
By [the other](#other). $\square$
:::

:::{erratum} lem:rounding
:severity: misprint
:where: Lemma 5
:read: $x < 1$

> $x > 1$
:::

:::{prf:proposition} Another
:label: other
:nonumber:
:class: main

Text.
:::

:::{erratum} other
:severity: false
:where: Section 3

> printed

It fails.
:::
"""
RECORD = {
    "label": "other",
    "kind": "symbolic",
    "covers": "the whole statement",
    "control": "c",
    "refutes": False,
}
PAGES = {
    "_toc.yml": "root: chapters/a\nsubtrees:\n- entries:\n"
    + "".join(f"  - file: chapters/{each}\n" for each in ("statements", "notation", "intro", "errata")),
    "chapters/statements.md": "# Statements\n\n```{counts}\n```\n\n```{statement-graph}\n```\n\n```{statements}\n```\n",
    "chapters/notation.md": "# Notation\n\n## Errors\n\n| symbol | meaning | defined in |\n|---|---|---|\n"
    "| $y_t \\in S$, $x$ | an outcome | [a box](#other) |\n| $n_i$ | a count | {doc}`intro` |\n",
    "chapters/intro.md": "# B with $y_t$\n\nOne letter: $x$. Outcomes: $y_t$, and $y_t$ again. Defined here: $n_i$.\n",
    "chapters/errata.md": "# Errata\n\n```{errata}\n```\n\n## Works\n\n```{bibliography}\n```\n",
    "proofs/cited.toml": '["lem:rounding"]\ntheorems = [{name = "Lemma5.lemma5", covers = "the first half"}]\n',
    "references.bib": """
@book{turing, author = {Turing, Alan}, title = {On <Numbers>}, publisher = {Oxford}, year = 1936,
  url = {https://example.org/x}}
@book{machines, author = {Turing, Alan}, title = {Machines}, publisher = {Oxford}, year = 1937}
@article{blum2007, author = {Blum, Avrim and Mansour, Yishay}, title = {From External to Internal Regret},
  journal = {Journal of Machine Learning Research}, year = 2007}
""",
}


def notebook() -> dict[str, Any]:
    """Return the notebook of the small book: its text, a check with its verdict."""
    verdict = {"text/markdown": "x = $y$\n\n✓ **symbolic**", "text/plain": "x"}
    output = {"output_type": "execute_result", "execution_count": 1, "data": verdict}
    output["metadata"] = {"klcal": RECORD}
    code = {
        "cell_type": "code",
        "id": "b",
        "execution_count": 1,
        "metadata": {},
        "source": "1",
        "outputs": [output],
    }
    text = {"cell_type": "markdown", "id": "a", "metadata": {}, "source": TEXT}
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    return {"cells": [text, code], "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sample")
    for name, text in {**PAGES, "conf.py": CONFIG, "chapters/a.ipynb": json.dumps(notebook())}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    complaints = io.StringIO()
    with warnings.catch_warnings(), patch_docutils(str(folder)), docutils_namespace():
        warnings.simplefilter("ignore")
        places = (str(folder), str(folder), str(folder / "html"), str(folder / "trees"))
        Sphinx(*places, "html", status=None, warning=complaints).build()
    told = [line for line in complaints.getvalue().splitlines() if line.strip()]
    assert told == []
    return folder / "html"


def soup(built: Path, page: str) -> bs4.BeautifulSoup:
    return bs4.BeautifulSoup((built / "chapters" / f"{page}.html").read_text(encoding="utf-8"), "html.parser")


def words(tag: bs4.Tag | None) -> str:
    assert tag is not None
    return " ".join(tag.text.split())


def test_a_box_says_its_status_and_its_evidence(built: Path) -> None:
    lemma, other = soup(built, "a").select("div.proof")
    assert "klcal-proved-here" in lemma["class"] and "klcal-checked" in other["class"]
    said = "proved here corrected what was checked Coq checked the first half: Lemma5.lemma5."
    assert words(lemma.select_one(".klcal-line")) == said
    said = "checked corrected what was checked Checked on this page: the whole statement, by sympy."
    assert words(other.select_one(".klcal-line")) == said
    assert words(lemma.select_one(".admonition-title")) == "Lemma 5 of the paper: rounding"
    assert words(other.select_one(".admonition-title")) == "Proposition. Another"


def test_a_check_has_a_place_that_links_reach_and_its_verdict_is_typeset(built: Path) -> None:
    page = soup(built, "a")
    check = page.find(id="check-other-1")
    assert check is not None and "klcal-checked" in check["class"]
    assert check.parent is not None and check.parent.name == "details"
    assert words(check.parent.summary) == "Check: the whole statement, by sympy"
    assert check.select_one(".cell_output math") and check.select_one(".cell_output strong")
    assert page.select_one('.klcal-line a[href="#check-other-1"]')


def preview(page: bs4.BeautifulSoup, link: Any) -> str:
    """Return what a link shows before it is followed."""
    return words(page.find(id=link["aria-describedby"]))


def test_links_and_numbers_show_the_statement(built: Path) -> None:
    page = soup(built, "a")
    number, again = page.select("a.klcal-number-link")  # in the text and in the erratum
    assert number["href"] == "#lem:rounding" and number.text == "Lemma 5"
    assert preview(page, number) == "Lemma 5 of the paper: rounding · proved hereIt is x<1."
    assert again["aria-describedby"] == number["aria-describedby"], "one preview for all links to a box"
    assert preview(page, page.select_one('details a[href="#other"]')).startswith("Another")


def test_the_first_mention_of_a_symbol_shows_its_meaning(built: Path) -> None:
    page = soup(built, "intro")
    (link,) = page.select("a.klcal-symbol")
    assert link["href"] == "notation.html#errors" and words(link) == "yt"
    assert page.select_one("p a.klcal-symbol") is link, "not in the title"
    assert preview(page, link).endswith("an outcome")


def test_the_page_of_statements_lists_and_draws_them(built: Path) -> None:
    page = soup(built, "statements")
    assert "2 statements: 1 checked and 1 proved here" in words(page)
    assert "1 checks: 1 by sympy" in words(page)
    assert len(page.select("svg.klcal-uses rect")) == 2
    assert page.select_one("svg a[href='a.html#lem:rounding']")


def test_the_page_of_errata_begins_with_what_stands_and_has_misprints_in_a_table(built: Path) -> None:
    page = soup(built, "errata")
    assert "What stands as printed, misprints and the ends of Algorithm 4 aside: Lemma 5." in words(page)
    headings = [each.text.rstrip("¶") for each in soup(built, "errata").select("h2")]
    assert headings[:2] == ["What is false", "Misprints"]
    assert len(soup(built, "errata").select("table.klcal-misprints tbody tr")) == 1


def test_every_link_of_the_sample_leads_somewhere(built: Path) -> None:
    pages = {path: check_book.Page() for path in built.glob("chapters/*.html")}
    for path, page in pages.items():
        page.feed(path.read_text(encoding="utf-8"))
    for path, page in pages.items():
        for link in page.links:
            file, _, anchor = link.partition("#")
            target = (path.parent / file).resolve() if file else path
            if target in pages and anchor:
                assert anchor in pages[target].anchors, link
        assert [name for name, times in page.ids.items() if times > 1] == []


def test_citations_carry_the_reference_without_its_address(built: Path) -> None:
    page = soup(built, "a")
    told = [preview(page, link) for link in page.select(".bibtex-citation a")]
    assert "Alan Turing. On <Numbers>. Oxford, 1936." in told
    assert "Alan Turing. Machines. Oxford, 1937." in told


def test_a_page_describes_itself_in_words(built: Path) -> None:
    described = soup(built, "a").select_one("meta[name=description]")
    assert str(described["content"]).startswith("By Lemma 5 it is so, not by Lemma 99")


def test_a_formula_has_its_tag_beside_it_and_its_brackets_in_its_line(built: Path) -> None:
    page = soup(built, "a")
    assert words(page.select_one("div.math > .eqno")) == "(∗)"
    assert words(page.select_one("div.math > math")) == "x=1"
    assert words(page.select_one(".klcal-kept:has(math)")) == "(x)."


def unfolded_proofs(text: str) -> list[str]:
    """Return the lines of a chapter that belong to a proof and stand outside every dropdown."""
    found, fences = [], []
    for line in text.splitlines():
        if opened := re.match(r"([:`]{3,})\{([\w:-]+)\}", line):
            fences.append((opened[1], opened[2]))
        elif fences and line.strip() == fences[-1][0]:
            fences.pop()
        elif "dropdown" not in [name for _, name in fences]:
            if r"\square" in line or re.match(r"\W*Proof\b\W*[.:]", line):
                found.append(line)
    return found


@pytest.mark.parametrize("path", sorted(CHAPTERS.glob("*.ipynb")), ids=lambda path: path.stem)
def test_every_proof_is_folded(path: Path) -> None:
    for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
        if cell["cell_type"] == "markdown":
            assert unfolded_proofs("".join(cell["source"])) == []
