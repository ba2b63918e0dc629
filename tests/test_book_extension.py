"""The book's own Sphinx extension: evidence in theorem boxes, links from labels, citations, pages about the code."""

from __future__ import annotations

import ast
import importlib
import io
import json
import re
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import bs4
import check_book
import pybtex.database
import pytest
from klcal_book import (
    _api,
    _chapters,
    _checks_page,
    _citations,
    _docstrings,
    _entries,
    _evidence,
    _links,
    _listing,
    _parameters,
    _previews,
    _proof_pages,
    _punctuation,
    _static_math,
)
from pybtex.style.sorting import author_year_title
from sphinx.application import Sphinx
from sphinx.util.docutils import docutils_namespace, patch_docutils

import klcal
from klcal import claims
from klcal.__main__ import main
from klcal.claims import REGISTRY, Claim, stored
from klcal.claims._errata import erratum
from klcal.claims._markup import markup
from klcal.claims._words import title

ROOT = Path(__file__).resolve().parents[1]
CHAPTERS = ROOT / "chapters"
CONFIG = """
extensions = ["myst_parser", "sphinx_design", "sphinx_proof", "sphinxcontrib.bibtex", "klcal_book"]
myst_enable_extensions = ["colon_fence", "dollarmath"]
bibtex_bibfiles = ["references.bib"]
bibtex_reference_style = "author_year"
default_role = "py:obj"
proof_title_format = "%t"
autodoc_typehints = "none"
nitpicky = True
html_theme = "basic"
"""
PAGES = {
    "index.md": "# Start\n\n```{toctree}\n"
    "chapters/a\nchapters/claims\nchapters/errata\nchapters/api_checks\nchapters/api\n```\n\n"
    "```{bibliography}\n```\n",
    "chapters/a.md": """# A

See `lem:rounding/closed-forms`, `new:comparator-log-secant`, `nothing`, [`rem:rounding`](api.md),
`eq:bound_sreg_minimax`,
{cite:p}`turing,blum2007` and {cite:t}`turing,machines`. By Lemma 5 it is so, and by Algorithms 4 and 99.

:::{prf:algorithm} Algorithm 4 of the paper
:label: alg:rounding_alg
:nonumber:

Text.

1. One $x < 1$.
:::

:::{prf:theorem} Many entries
:label: lem:discretization
:nonumber:

Text.
:::

:::{prf:lemma} Rounding
:label: lem:rounding
:nonumber:

Text.
:::

:::{prf:theorem} Cited
:label: thm:von_neumann
:nonumber:

Text.
:::

:::{prf:definition} Not in the ledger
:label: def:nothing
:nonumber:

Text, and a link to {prf:ref}`the lemma <alg:rounding_alg>`.
:::

:::{prf:lemma} Pinsker
:label: pinsker
:nonumber:

Text.
:::

::::{prf:definition} Not in the ledger either
:label: def:joined
:nonumber:

Text.

```{klcal-evidence} eq:ell_2_cal eq:KLCal_PKLCal_def
```
::::

```{klcal-evidence} sec2:smooth
```
""",
    "chapters/errata.md": "# Errata\n\n```{eval-rst}\n.. raw:: html\n\n   ERRATA\n```\n",
    "chapters/claims.md": "# Claims\n\n```{eval-rst}\n.. raw:: html\n\n   ANCHORS\n```\n",
    "chapters/api_checks.md": "# Checks\n\n```{klcal-checks} 01_losses_and_calibration\n```\n\n"
    "```{klcal-checks} 03_grids\n```\n\n```{klcal-checks} 04_existence\n```\n",
    "chapters/api.md": "# API\n\n{py:obj}`klcal.Grid.points`\n\n"
    "```{eval-rst}\n.. klcal-rooms:: grids grids\n.. klcal-rooms:: forecasters forecasters\n\n"
    """.. py:currentmodule:: klcal.grids
.. py:class:: Maker(points, grid, level=1)

   Takes `points` from `level`, and `size`, not `mixture`.

   :param points: Text.
   :type points: array_like, shape (size,)
   :param grid: Both.
   :type grid: Grid
   :param level: Both.
   :type level: Grid

   .. py:attribute:: size

   .. py:method:: move(resolution)

      Moves `resolution` and `grid`.

Outside `size`, `Maker.size`, `resolution`, `gth`.
```
""",
    "references.bib": """
@book{turing, author = {Turing, Alan}, title = {On <Numbers>}, publisher = {Oxford}, year = 1936,
  url = {https://example.org/x}}
@book{machines, author = {Turing, Alan}, title = {Machines}, publisher = {Oxford}, year = 1936}
@book{uncited, author = {Turing, Alan}, title = {Uncited}, publisher = {Oxford}, year = 1936}
@article{blum2007, author = {Blum, Avrim and Mansour, Yishay}, title = {From External to Internal Regret},
  journal = {Journal of Machine Learning Research}, year = 2007}
""",
}


@dataclass
class Row:
    status: str
    kind: str = "exact"
    scope: str = "whole"
    steps: str = ""


def ledger() -> dict[str, Row]:
    """Return a made-up stored ledger, which differs from the truth where a test looks."""
    found = {label: Row("established") for label in REGISTRY}
    found["alg:rounding_alg"] = Row("refuted")
    found["lem:discretization/a"] = Row("repaired", "certified", "cases: K = 3")
    found["thm:von_neumann"] = Row("cited", "cited", "")
    del found["lem:discretization/b"]
    return found


def write_sources(folder: Path) -> None:
    anchors = "\n   ".join(f'<p id="{_links.claim_anchor(label)}">x</p>' for label in REGISTRY)
    errata = "".join(f'<p id="{erratum(label)}">x</p>' for label in REGISTRY if REGISTRY[label].refutations)
    for name, text in {**PAGES, "conf.py": CONFIG}.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        text = text.replace("ANCHORS", anchors).replace("ERRATA", errata)
        path.write_text(text, encoding="utf-8")


def build(folder: Path, builder: str, complaints: io.StringIO) -> Path:
    """Build the sample, collecting warnings, and forbidding that a check is run."""
    out = folder / builder
    namespace = (patch_docutils(str(folder)), docutils_namespace())
    with warnings.catch_warnings(), pytest.MonkeyPatch.context() as patch, namespace[0], namespace[1]:
        warnings.simplefilter("ignore")
        patch.setattr(Claim, "verify", lambda claim: pytest.fail("building the book ran a check"))
        options: dict[str, Any] = {"klcal_ledger": ledger()}
        app = Sphinx(
            str(folder),
            str(folder),
            str(out),
            str(folder / "trees"),
            builder,
            confoverrides=options,
            status=None,
            warning=complaints,
        )
        app.build()
    return out


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("sample")
    write_sources(folder)
    complaints = io.StringIO()
    built = {builder: build(folder, builder, complaints) for builder in ("html", "singlehtml")}
    told = [line for line in complaints.getvalue().splitlines() if "klcal_ledger" not in line]
    assert told == []
    return built


def soup(sample: dict[str, Path], page: str) -> bs4.BeautifulSoup:
    return bs4.BeautifulSoup((sample["html"] / page).read_text(encoding="utf-8"), "html.parser")


def box(sample: dict[str, Path], label: str) -> bs4.Tag:
    title = soup(sample, "chapters/a.html").find(id=label)
    assert title is not None and title.parent is not None
    return title.parent


# --- boxes ------------------------------------------------------------------------------------------------


def test_every_link_of_the_sample_leads_somewhere_and_no_id_occurs_twice(sample: dict[str, Path]) -> None:
    book = check_book.Book(sample["html"].resolve())
    for page in ("chapters/a.html", "chapters/api.html", "chapters/api_checks.html"):
        found = check_book.problems_of_page(book, book.folder / page)
        # The sample has no copy of MathJax; the book has.
        assert [problem for problem in found if "mathjax" not in problem] == []


def test_one_page_for_all_has_links_that_lead_somewhere(sample: dict[str, Path]) -> None:
    book = check_book.Book(sample["singlehtml"].resolve())
    page = book.folder / "index.html"
    assert len([link for link in book.page(page).links if "#claim-" in link or "#check-" in link]) > 20
    assert [problem for problem in check_book.problems_of_page(book, page) if ".html#" in problem] == []


def line(sample: dict[str, Path], label: str) -> str:
    summary = box(sample, label).select_one("details.klcal-evidence > summary")
    assert summary is not None
    return " ".join(summary.text.split())


def entries(found: bs4.Tag) -> dict[str, bs4.Tag]:
    sections = found.select("details.klcal-evidence > section.klcal-entry")
    return {section.select("p > code")[0].text: section for section in sections}


def test_one_line_says_status_kind_scope_and_whether_coq_has_it(sample: dict[str, Path]) -> None:
    assert line(sample, "alg:rounding_alg") == "refuted exact, the whole statement and 1 more"
    assert line(sample, "lem:discretization").startswith("established exact, the whole statement")
    assert line(sample, "thm:von_neumann") == "cited"
    assert line(sample, "pinsker") == "established exact, the whole statement \u2713 Coq"


def test_the_rest_is_folded_and_typeset_from_the_statement_of_the_ledger(sample: dict[str, Path]) -> None:
    found = box(sample, "lem:discretization")
    fold = found.select_one("details.klcal-evidence")
    assert fold is not None and not fold.has_attr("open")
    told = entries(found)
    assert list(told) == list(_links.parts("lem:discretization", REGISTRY))
    words = told["lem:discretization/a"]
    facts = {name.text: name.find_next("dd") for name in words.select("dt")}
    statement = facts["statement"]
    assert statement is not None
    for copy in statement.select("noscript"):
        copy.decompose()
    told_there = _punctuation.join_ledger(markup(REGISTRY["lem:discretization/a"].statement))
    assert statement.decode_contents() == told_there
    assert "not yet run" in told["lem:discretization/b"].select("p")[0].text, "it is not in the stored ledger"


def test_folded_evidence_leads_to_coq_to_the_source_of_the_check_and_to_the_errata(
    sample: dict[str, Path],
) -> None:
    told = entries(box(sample, "alg:rounding_alg"))["alg:rounding_alg"]
    links = {link.text: link["href"] for link in told.select("p.klcal-places a")}
    assert links["in the ledger"] == "claims.html#claim-alg-rounding_alg"
    checker = _entries.checker(REGISTRY["alg:rounding_alg"])
    assert links[f"source of the check {checker}"] == "api_checks.html#check-alg-rounding_alg"
    assert links["in the errata"] == "errata.html#erratum-alg-rounding_alg"
    proof = box(sample, "lem:discretization").select('dd a[href="../proofs/Lemma6.html#lemma6"]')
    assert {link.text for link in proof} == {"Lemma6.lemma6"}


def test_the_edge_has_the_status_of_the_boxs_own_entry(sample: dict[str, Path]) -> None:
    assert "klcal-refuted" in box(sample, "alg:rounding_alg")["class"]
    assert "klcal-established" in box(sample, "lem:discretization")["class"]
    assert not [name for name in box(sample, "def:nothing")["class"] if name.startswith("klcal")]


def test_titles_say_once_what_they_are(sample: dict[str, Path]) -> None:
    said = {
        label: " ".join(title.text.split())
        for label in ("alg:rounding_alg", "lem:rounding", "def:nothing")
        if (title := box(sample, label).select_one("p.admonition-title"))
    }
    assert said["alg:rounding_alg"] == f"Algorithm 4 of the paper: {REGISTRY['alg:rounding_alg'].title}"
    assert said["lem:rounding"] == "Lemma. Rounding"
    assert said["def:nothing"] == "Definition. Not in the ledger"


def test_entries_without_a_box_join_the_box_they_are_put_into_or_stand_alone(sample: dict[str, Path]) -> None:
    assert list(entries(box(sample, "def:joined"))) == ["eq:ell_2_cal", "eq:KLCal_PKLCal_def"]
    alone = soup(sample, "chapters/a.html").select_one("div.klcal-alone")
    assert alone is not None and "klcal-established" in alone["class"]
    assert alone.select_one("summary > b") is not None and list(entries(alone)) == ["sec2:smooth"]
    assert alone.text.count(REGISTRY["sec2:smooth"].title) == 1, (
        "its title is in the line, not again below it"
    )


def test_no_line_of_evidence_in_the_book_is_longer_than_a_line() -> None:
    """An entry that stands by itself has its title in the line; details that do not fit are told below it."""
    page: Any = SimpleNamespace(builder=SimpleNamespace(name="text")), "chapters/a"
    texts = "".join(path.read_text(encoding="utf-8") for path in CHAPTERS.glob("*.ipynb"))
    alone = set(" ".join(re.findall(r"{klcal-evidence} ([^\\]+)", texts)).split())
    assert len(alone) > 20
    for label, claim in REGISTRY.items():
        name, more = (title(claim), 0) if label in alone else ("", 1)
        line = _evidence.line(_entries.entry(label, stored()), more, page, name)
        shown = bs4.BeautifulSoup(line, "html.parser").text
        assert len(shown) <= 110, shown


def test_evidence_of_an_unknown_label_is_an_error_of_the_build(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_proof_pages, "pages", lambda app: [])
    (tmp_path / "conf.py").write_text(CONFIG, encoding="utf-8")
    (tmp_path / "references.bib").write_text("", encoding="utf-8")
    page = "# A\n\n::::{prf:definition} B\n:label: def:b\n\n:::{klcal-evidence} sec2:rough\n:::\n::::\n"
    (tmp_path / "index.md").write_text(page, encoding="utf-8")
    complaints = io.StringIO()
    build(tmp_path, "html", complaints)
    assert "klcal-evidence must name labels of the ledger; got 'sec2:rough'" in complaints.getvalue()


def test_every_check_is_called_by_a_name() -> None:
    assert [label for label, claim in REGISTRY.items() if "<" in _entries.checker(claim)] == []
    made = _entries.deciding(REGISTRY["pinsker"])
    assert made is not None and _entries.checker(REGISTRY["pinsker"]) == "formulas"
    assert _checks_page.source_of(made).startswith("def formulas("), "a line without a name tells nothing"


def test_no_line_of_a_log_is_stored_for_readers() -> None:
    told = [seen.text for each in claims.stored_evidence().values() for seen in each]
    assert len(told) > 300
    assert [text for text in told if re.search(r"margin|\((\S+) (?:=|\u2264|\u2265) \1\)", text)] == []


def test_what_is_stored_of_the_evidence_fits_the_ledger() -> None:
    told = claims.stored_evidence()
    assert list(told) == list(REGISTRY)
    for label, claim in REGISTRY.items():
        checks = (*claim.checks, *claim.refutations)
        assert [(seen.kind, seen.scope) for seen in told[label]] == [(c.kind, str(c.scope)) for c in checks]


def test_labels_in_the_text_lead_to_their_boxes_or_to_the_claims(sample: dict[str, Path]) -> None:
    paragraph = soup(sample, "chapters/a.html").select_one("h1 + p")
    assert paragraph is not None
    links = {link.code.text: link["href"] for link in paragraph.select("a.klcal-link") if link.code}
    assert links["lem:rounding/closed-forms"] == "#lem:rounding"
    assert links["new:comparator-log-secant"] == "claims.html#claim-new-comparator-log-secant"
    assert links["eq:bound_sreg_minimax"] == "claims.html#claim-eq-bound_sreg_minimax-explicit", "its part"
    assert "nothing" not in links
    assert "rem:rounding" not in links, "it is a link already"


def test_the_command_of_a_box_is_one_that_the_command_line_takes(
    capsys: pytest.CaptureFixture[str],
) -> None:
    labels = ["eq:ell_2_cal", "eq:psreg_[0,1]_to_psreg_Z"]
    words = _evidence.command(labels).split()
    assert words[:3] == ["python", "-m", "klcal"]
    assert main(words[3:]) == 0
    told = capsys.readouterr().out
    assert [line.split()[0] for line in told.splitlines()[1:3]] == labels


def test_anchors_of_all_claims_are_different() -> None:
    assert len({_links.claim_anchor(label) for label in REGISTRY}) == len(REGISTRY)
    assert all(re.fullmatch(r"claim-[\w-]+", _links.claim_anchor(label)) for label in REGISTRY)


def test_a_part_with_its_own_box_is_left_to_it() -> None:
    labels = ["a", "a/x", "a/x/y", "a/xz", "ab", "b"]
    assert _links.parts("a", labels) == ("a", "a/x", "a/x/y", "a/xz")
    assert _links.parts("a", labels, ["a", "a/x"]) == ("a", "a/xz")
    assert _links.parts("a/x", labels, ["a", "a/x"]) == ("a/x", "a/x/y")


def test_the_stored_ledger_has_a_status_for_every_claim() -> None:
    told = claims.stored()
    assert [label for label in REGISTRY if _entries.entry(label, told).status == _entries.UNKNOWN] == []


# --- chapters and previews ----------------------------------------------------------------------------------


def test_labels_and_numbers_of_statements_have_previews(sample: dict[str, Path]) -> None:
    page = soup(sample, "chapters/a.html")
    number = page.select_one("a.klcal-number-link")
    assert number is not None and number["href"] == "#lem:rounding"
    tip = number.select_one("span.klcal-tip[role=tooltip]")
    assert tip is not None and "rounding costs O(1/K<sup>2</sup>)" in str(tip) and "established" in tip.text
    assert tip.select("span.klcal-said") and not tip.select("span.math"), "typeset when it is looked at"
    label = page.select_one("a.klcal-link:has(> code)")
    assert label is not None and label.select_one(".klcal-tip") is not None


def test_the_preview_of_an_algorithm_shows_its_text(sample: dict[str, Path]) -> None:
    links = soup(sample, "chapters/a.html").select('a.klcal-number-link[href="#alg:rounding_alg"]')
    assert [link.contents[0] for link in links] == ["Algorithms 4"]
    said = links[0].select(".klcal-said > .klcal-step")
    assert [part.text for part in said] == ["Text.", r"1. One \(x < 1\)."]


def test_previews_are_not_in_the_index_of_the_search(sample: dict[str, Path]) -> None:
    text = (sample["html"] / "searchindex.js").read_text(encoding="utf-8")
    found = json.loads(text[text.index("(") + 1 : text.rindex(")")])
    where = {word: [pages] if isinstance(pages, int) else pages for word, pages in found["terms"].items()}
    page = found["docnames"].index("chapters/a")
    assert page in where["text"]
    assert where["oxford"] == [found["docnames"].index("index")], (
        "the list of references, not the tip of a citation"
    )


def test_no_preview_shows_a_label_in_brackets() -> None:
    tips = [_previews.tip(label, "") for label in REGISTRY]
    assert [tip for tip in tips if re.search(r"\((?:thm|new|prop|cor|lem):[^ ]+\)", tip)] == []


def test_a_number_inside_its_own_box_and_numbers_of_others_are_left_alone() -> None:
    said = [text for text, label in _previews.pieces("Theorem 2 of Foster, Lemma 99, and Lemma 5.") if label]
    assert said == ["Lemma 5"]
    said = [
        text for text, label in _previews.pieces("Theorems 1 and 2 of Foster; Equations 4, 7 and 99") if label
    ]
    assert said == ["Equations 4", "7"]


def test_the_style_sheet_shows_previews_on_hover_and_on_focus() -> None:
    style = (CHAPTERS / "_static" / "boxes.css").read_text()
    assert ":is(.klcal-link, .klcal-number-link):is(:hover, :focus) > .klcal-tip" in style


def test_a_notebook_says_its_number_where_it_is_and_how_to_run_it() -> None:
    told = _chapters.line("chapters/05_the_algorithm", "../_sources/chapters/05_the_algorithm.ipynb")
    assert (
        "Chapter 5" in told
        and 'href="../_sources/chapters/05_the_algorithm.ipynb"' in told
        and "make lab" in told
    )
    assert "Chapter" not in _chapters.line("chapters/errata", "x")


def test_every_chapter_of_the_graph_has_the_place_that_its_page_links_to() -> None:
    drawn = bs4.BeautifulSoup(claims.graph().svg(), "html.parser")
    places = [column["id"] for column in drawn.select("a.klcal-column")]
    chapters = {claim.chapter for claim in REGISTRY.values()}
    assert sorted(places) == sorted(_links.graph_anchor(stem) for stem in chapters)
    assert not bs4.BeautifulSoup(claims.graph("lem:rounding").svg(), "html.parser").select("a[id]")
    told = _chapters.below("chapters/03_grids", "claims.html#graph-03_grids")
    assert 'href="claims.html#graph-03_grids"' in told and "this chapter" in told
    assert "this page" in _chapters.below("chapters/constants", "x")


def test_each_formula_has_a_form_without_scripts(sample: dict[str, Path]) -> None:
    page = soup(sample, "chapters/api.html")
    formulas = page.select(".math")
    assert formulas and len(formulas) == len(page.select("noscript > math"))
    assert page.select("head noscript > style")


@pytest.mark.parametrize("formula", [r"\oops", r"a & b", r"\boldsymbol{A}"])
def test_a_formula_that_cannot_be_written_without_scripts_is_an_error(formula: str) -> None:
    with pytest.raises(ValueError, match="must have a form without scripts"):
        _static_math.mathml(formula, False)


def test_scripts_are_left_alone_and_macros_are_written_out() -> None:
    body = (
        r'<script>"<span class=\"math\">\(x\)</span>"</script><span class="math">\(\KL &lt; \frac12\)</span>'
    )
    told = _static_math.with_mathml(body, {"KL": r"\mathsf{KL}"})
    assert told.startswith(body) and told.count("<noscript>") == 1
    assert (
        "<mi>KL</mi>" in told
        and "<mo>&#x0003C;</mo>" in told
        and "<mfrac><mn>1</mn><mn>2</mn></mfrac>" in told
    )


def test_a_numbered_formula_is_a_line_of_its_own_without_scripts_too() -> None:
    number = '<span class="eqno">(1)<a class="headerlink" href="#e">#</a></span>'
    told = _static_math.with_mathml(rf'<div class="math" id="e"> {number}\[x\]</div>', {})
    assert '<noscript><math display="block">' in told


# --- citations --------------------------------------------------------------------------------------------


def test_citations_carry_authors_title_venue_and_year_without_a_script(sample: dict[str, Path]) -> None:
    links = soup(sample, "chapters/a.html").select("a.klcal-cite")
    assert len(links) == 4
    tips = [link.select_one("span.klcal-tip[role=tooltip]") for link in links]
    assert [tip.text for tip in tips if tip] == [  # type: ignore[comparison-overlap]
        "Avrim Blum and Yishay Mansour. From external to internal regret. "
        "Journal of Machine Learning Research, 2007.",
        "Alan Turing. On <Numbers>. Oxford, 1936a.",
        "Alan Turing. On <Numbers>. Oxford, 1936a.",
        "Alan Turing. Machines. Oxford, 1936b.",
    ]
    assert not any(link.has_attr("title") for link in links)


def test_works_that_would_be_cited_alike_have_letters_in_citations_and_references(
    sample: dict[str, Path],
) -> None:
    links = soup(sample, "chapters/a.html").select("a.klcal-cite")
    shown = [link.text.removesuffix(tip.text) for link in links if (tip := link.select_one(".klcal-tip"))]
    assert shown == ["Blum and Mansour, 2007", "Turing, 1936a", "1936a", "1936b"]
    listed = [found.text for found in soup(sample, "index.html").select(".citation")]
    assert [re.findall(r"\d{4}\w?", text) for text in listed] == [["2007"], ["1936a"], ["1936b"]]


def test_no_two_works_of_the_bibliography_are_cited_alike() -> None:
    works = pybtex.database.parse_file(CHAPTERS / "references.bib").entries.values()
    years = [work.fields["year"] for work in works]

    def shown() -> list[tuple[tuple[str, ...], str]]:
        return [(_citations.label(work)[0], work.fields["year"]) for work in works]

    assert len(set(shown())) < len(works), "the bibliography needs the letters"
    for _ in range(2):  # a second build finds the letters of the first
        _citations.tell_apart(works)
        assert len(set(shown())) == len(works)
        assert [work.fields["year"][:4] for work in works] == years
    listed = sorted(works, key=author_year_title.SortingStyle().sorting_key)
    lettered: dict[tuple[tuple[str, ...], str], str] = {}
    for work in listed:
        lettered[_citations.label(work)] = lettered.get(_citations.label(work), "") + work.fields["year"][4:]
    assert {letters for letters in lettered.values() if letters} <= {"ab", "abc"}, "in the order of the list"


def test_the_style_sheet_shows_citations_on_hover_and_on_focus() -> None:
    style = (CHAPTERS / "_static" / "boxes.css").read_text()
    assert ".klcal-cite:hover > .klcal-tip" in style
    assert ".klcal-cite:focus > .klcal-tip" in style


def test_addresses_are_left_to_the_list_of_references() -> None:
    assert _citations.plain("A. B. 1936. URL: https://x.org/a_b.") == "A. B. 1936."
    assert _citations.plain("A. B. 1936. doi:10.1/x.") == "A. B. 1936."
    assert _citations.plain("A.  B.\n1936.") == "A. B. 1936."


# --- pages about the code ---------------------------------------------------------------------------------


def test_functions_are_documented_with_signature_formula_parameters_and_examples(
    sample: dict[str, Path],
) -> None:
    page = soup(sample, "chapters/api.html")
    signature = page.find(id="klcal.grids.log_rounding")
    assert signature is not None and signature.parent is not None
    told = signature.parent
    assert "log_rounding(w, grid)" in signature.text
    assert told.select("div.math")
    assert "Parameters" in told.text and "Returns" in told.text
    assert ">>> log_rounding(0.5, Grid([0.25, 0.5, 0.75]))" in told.text


def test_names_and_labels_in_docstrings_are_links(sample: dict[str, Path]) -> None:
    page = soup(sample, "chapters/api.html")
    links = {(link.text, link["href"]) for link in page.select("a.reference")}
    assert ("alg:rounding_alg", "a.html#alg:rounding_alg") in links
    assert ("Grid", "#klcal.grids.Grid") in links
    assert ("klcal.Grid.points", "#klcal.grids.Grid") in links, "a field leads to its class"
    assert ("gth", "#klcal.forecasters.gth") in links


def test_only_what_surely_means_an_object_is_a_link(sample: dict[str, Path]) -> None:
    page = soup(sample, "chapters/api.html")
    signature = page.find(id="klcal.grids.Maker")
    assert signature is not None and signature.parent is not None
    links = [(link.text, link["href"]) for link in signature.parent.select("dd a.reference")]
    assert links == [("size", "#klcal.grids.Maker.size"), ("Grid", "#klcal.grids.Grid")]
    outside = signature.parent.find_next_sibling("p")
    assert outside is not None and [link.text for link in outside.select("a")] == ["Maker.size", "resolution"]


def test_parameters_that_are_described_together_stand_together(sample: dict[str, Path]) -> None:
    signature = soup(sample, "chapters/api.html").find(id="klcal.grids.Maker")
    assert signature is not None and signature.parent is not None
    items = [item.text.strip() for item in signature.parent.select("dl.field-list li")]
    assert items == ["points (array_like, shape (size,)) \u2013 Text.", "grid, level (Grid) \u2013 Both."]


def test_fields_of_a_named_tuple_are_told_with_its_parameters_only(sample: dict[str, Path]) -> None:
    page = soup(sample, "chapters/api.html")
    assert page.find(id="klcal.grids.Spacing") is not None
    assert page.find(id="klcal.grids.Spacing.gap") is None


def test_constants_are_shown_with_the_comment_on_them(sample: dict[str, Path]) -> None:
    page = soup(sample, "chapters/api.html")
    constant = page.find(id="klcal.forecasters.ENGINES")
    assert constant is not None and constant.parent is not None
    told = [line.text for line in constant.parent.select("dd > p")]
    assert len(told) == 2 and told[0].startswith("The compiled engine") and told[1] == "('fast', 'reference')"


def test_signatures_show_no_factory_and_no_address() -> None:
    shown = "(measured, parameters=<factory>, measure=<function play_game>)"
    assert _parameters.with_defaults(shown, claims.Evidence) == "(measured, parameters={}, measure=play_game)"
    assert _parameters.with_defaults("(*args, **kwargs)", klcal.forecasters.baselines.Plain) == ""
    assert _parameters.with_defaults("(a=<factory>)", len) == "(a=<factory>)"


def test_the_checks_of_a_chapter_are_listed_with_their_source(sample: dict[str, Path]) -> None:
    page = soup(sample, "chapters/api_checks.html")
    wanted = [
        label
        for chapter in ("01_losses_and_calibration", "03_grids", "04_existence")
        for label, claim in REGISTRY.items()
        if claim.chapter == chapter and _entries.deciding(claim) is not None
    ]
    found = page.select("p.klcal-check")
    assert [item["id"] for item in found] == [_links.check_anchor(label) for label in wanted]
    assert len(page.select("details.klcal-source pre")) == len(wanted)
    item = page.find(id=_links.check_anchor("lem:rounding"))
    assert item is not None
    function = _entries.deciding(REGISTRY["lem:rounding"])
    assert function is not None
    source = item.find_next("pre")
    assert source is not None and source.text == _checks_page.source_of(function)


def test_pages_list_every_room_once_and_in_the_order_of_the_house() -> None:
    pages = re.findall(r"chapters/(api\w*)", (ROOT / "_toc.yml").read_text())
    text = "".join((CHAPTERS / f"{page}.md").read_text(encoding="utf-8") for page in pages)
    ranges = re.findall(r"^\.\. klcal-rooms:: (\w+) (\w+)$", text, re.MULTILINE)
    assert [room for first, last in ranges for room in _listing.rooms(first, last)] == list(klcal.ROOMS)


def test_a_room_shows_what_it_passes_on_then_what_its_modules_keep() -> None:
    places = {place.__name__: names for place, names in _listing.chapters_of("forecasters").items()}
    assert next(iter(places)) == "klcal.forecasters"
    assert "Ewoo" in places["klcal.forecasters"]
    assert "klcal.forecasters.learners" not in places, "all its names stand at the room"
    assert "TwoNeighbours" in places["klcal.forecasters.baselines"]


def test_every_chapter_with_checks_is_on_the_page_of_checks() -> None:
    text = (CHAPTERS / "api_checks.md").read_text(encoding="utf-8")
    named = re.findall(r"^```\{klcal-checks\} (\S+)", text, re.MULTILINE)
    assert sorted(named) == sorted({claim.chapter for claim in REGISTRY.values() if _entries.deciding(claim)})


def defined_names() -> Iterator[tuple[str, str]]:
    """Yield module and name of every public function and class that the source of a public module defines."""
    for path in sorted((ROOT / "klcal").rglob("*.py")):
        parts = path.relative_to(ROOT / "klcal").with_suffix("").parts
        if any(part.startswith("_") for part in parts) or parts[0] == "claims":
            continue
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_"):
                yield ".".join(("klcal", *parts)), node.name


def listed_objects() -> list[int]:
    rooms = [_listing.chapters_of(room) for room in klcal.ROOMS]
    return [id(getattr(place, name)) for room in rooms for place, names in room.items() for name in names]


def test_every_public_function_and_class_is_listed_exactly_once() -> None:
    listed = listed_objects()
    defined = [id(getattr(importlib.import_module(module), name)) for module, name in set(defined_names())]
    assert len(defined) > 200
    assert all(listed.count(value) == 1 for value in defined)


def test_a_bare_name_means_the_object_of_its_own_package_first() -> None:
    names = ["klcal.a.X", "klcal.b.X", "klcal.b.c.Y"]
    assert _api.candidates("X", names, "klcal.b.z") == ["klcal.b.X"]
    assert _api.candidates("X", names, "klcal.c") == ["klcal.a.X", "klcal.b.X"]
    assert _api.candidates("Y", names, "klcal.a") == ["klcal.b.c.Y"]
    assert _api.candidates("Z", names, "klcal.a") == []


def test_a_function_is_meant_before_a_method_of_the_same_name() -> None:
    names = ["klcal.a.Cells.error", "klcal.b.error", "klcal.c.Cells.error"]
    assert _api.candidates("error", names, "klcal.d") == ["klcal.b.error"]
    assert _api.candidates("error", names, "klcal.a") == ["klcal.a.Cells.error"]


def test_everything_at_the_top_of_the_package_has_a_link() -> None:
    wanted = {name for name in klcal.__all__ if name not in klcal.ROOMS}
    assert {re.split("[`<]", line)[1].strip() for line in _api.top_names()} == wanted


def test_constants_are_described_by_what_they_hold() -> None:
    assert _api.described({str(key): 0 for key in range(30)}).endswith("``23`` and 6 more.")
    assert _api.described(int | None) == "A name for the type ``int | None``."
    assert _api.described(klcal.LOSSES["log"]) == "A `ProperLoss`."


@pytest.mark.parametrize(
    ("line", "prepared"),
    [
        ("the largest |f''| on it", r"the largest \|f″\| on it"),
        ("``|x|`` and :math:`|x|''` and `a|b`", "``|x|`` and :math:`|x|''` and `a|b`"),
        (
            "E[KLCal] or (P)Cal_2, KLCal",
            r":math:`\mathbb E[\mathsf{KLCal}]` or :math:`\mathsf{(P)Cal}_2`, KLCal",
        ),
        ("``E[KLCal]``, LCal_2 and Cal_20", "``E[KLCal]``, LCal_2 and Cal_20"),
        ("as shown [1]_.", "as shown [1]."),
        (".. [2] A. Turing", "2. A. Turing"),
        ("``eq:psreg_[0,1]_to_psreg_Z``", "``eq:psreg_[0,1]_to_psreg_Z``"),
        ("(b) Otherwise", r"\(b) Otherwise"),
        (".. math:: |x|", ".. math:: |x|"),
        (">>> 1 | 2", ">>> 1 | 2"),
    ],
)
def test_docstrings_are_read_as_they_are_meant(line: str, prepared: str) -> None:
    assert _docstrings.prepared([line]) == [prepared]


def test_only_prose_is_prepared() -> None:
    lines = ["Text |x|", "", ".. math::", "", "   |x|", "", "Text |x|", ">>> f(1)", "|1|", "", "|x|"]
    changed = [new != old for new, old in zip(_docstrings.prepared(lines), lines, strict=True)]
    assert [i for i, is_changed in enumerate(changed) if is_changed] == [0, 6, 10]


# --- proofs -----------------------------------------------------------------------------------------------


def unfolded_proofs(text: str) -> list[str]:
    """Return the lines of a chapter that belong to a proof and stand outside every dropdown."""
    found, fences = [], []
    for line in text.splitlines():
        if opened := re.match(r"([:`]{3,})\{([\w:-]+)\}", line):
            fences.append((opened[1], opened[2]))
            if opened[2] == "prf:proof" and "dropdown" not in [name for _, name in fences]:
                found.append(line)
        elif fences and line.strip() == fences[-1][0]:
            fences.pop()
        elif "dropdown" not in [name for _, name in fences]:
            if r"\square" in line or re.match(r"\W*Proof\b\W*[.:]", line):
                found.append(line)
    return found


@pytest.mark.parametrize("path", sorted(CHAPTERS.glob("*.ipynb")), ids=lambda path: path.stem)
def test_every_proof_is_folded(path: Path) -> None:
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    for cell in cells:
        if cell["cell_type"] == "markdown":
            assert unfolded_proofs("".join(cell["source"])) == []


@pytest.mark.parametrize(
    "text",
    [
        ":::{prf:proof}\nText.\n:::",
        "So it is. $\\square$",
        "*Proof.* Let us see.",
        "**Proof:** Let us see.",
        ":::{dropdown} Proof\nText.\n:::\n\n:::{prf:proof}\nText.\n:::",
        ":::{dropdown} Proof\nText. $\\square$\n:::\nAnd then. $\\square$",
    ],
)
def test_a_proof_that_is_not_folded_is_seen(text: str) -> None:
    assert len(unfolded_proofs(text)) == 1


def test_folded_proofs_are_allowed() -> None:
    text = "::::{dropdown} Proof\n:::{prf:proof}\nText. $\\square$\n:::\n*Proof.* Again. $\\square$\n::::\nA proof."
    assert unfolded_proofs(text) == []
