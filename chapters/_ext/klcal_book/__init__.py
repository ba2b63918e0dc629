"""What the book adds to Sphinx: evidence in theorem boxes, errata, previews, formulas as MathML, live figures.

The book's settings name this package among the extensions. Nothing here computes: statuses are read off the pages,
texts from the bibliography.
"""

from __future__ import annotations

from typing import Any

from docutils import nodes  # type: ignore[import-untyped]
from sphinx.application import Sphinx
from sphinx.writers.html5 import HTML5Translator
from sphinx_proof.domain import ProofDomain  # type: ignore[import-untyped]

from klcal_book import _boxes, _folds, _fonts, _formulas, _pages, _pictures, _previews, _proof_pages
from klcal_book._live_figure import LiveFigure

DIRECTIVES = {
    **dict.fromkeys(("counts", "coq-table", "errata", "statements"), _boxes.PageDirective),
    "coq-statement": _proof_pages.CoqStatementDirective,
    "coq-steps": _proof_pages.CoqStepsDirective,
    "erratum": _boxes.ErratumDirective,
    "live-figure": LiveFigure,
    "statement-graph": _boxes.GraphDirective,
}


def setup(app: Sphinx) -> dict[str, Any]:
    """Register everything with Sphinx; called once for each build."""
    for name, kind in ProofDomain.directives.items():
        box = type(kind.__name__, (_boxes.Evidenced, kind), {})
        app.add_directive_to_domain("prf", name, box, override=True)
    for name, directive in DIRECTIVES.items():
        app.add_directive(name, directive)
    app.add_role("coq", _proof_pages.CoqRole())
    app.add_role("status", _boxes.StatusRole())
    app.add_config_value("klcal_macros", {}, "env")
    app.add_html_math_renderer("klcal", (_formulas.visit_inline, None), (_formulas.visit_display, None))
    app.add_node(_folds.Fold, html=_folds.written("details"))
    app.add_node(_folds.Line, html=_folds.written("summary"))
    app.add_node(nodes.image, True, html=(_pictures.visit_image, HTML5Translator.depart_image))
    app.add_node(nodes.reference, True, html=(_previews.visit_reference, HTML5Translator.depart_reference))
    # Before Sphinx collects the pictures.
    app.connect("doctree-read", _pictures.add_dark_variants, priority=100)
    app.connect("doctree-read", _boxes.mark_cells)
    app.connect("doctree-read", _boxes.link_boxes)
    app.connect("doctree-read", _previews.keep_previews)
    app.connect("doctree-read", _previews.link_numbers)
    app.connect("env-updated", _pages.number_titles)
    app.connect("doctree-resolved", _formulas.keep)
    app.connect("doctree-resolved", _pages.complete_line)
    app.connect("doctree-resolved", _previews.link_symbols)
    app.connect("doctree-resolved", _previews.add_previews)
    app.connect("html-collect-pages", _proof_pages.pages)
    app.connect("html-page-context", _pages.complete_head)
    app.connect("html-page-context", _pages.complete_foot)
    app.connect("html-page-context", _previews.write_previews)
    app.connect("build-finished", _fonts.write_fonts)
    app.connect("build-finished", _pages.finish)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
