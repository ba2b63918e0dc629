"""The dependency graph: nodes, edges, layout, links, and the catalogue below it."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from klcal.claims import (
    KINDS,
    REGISTRY,
    SCOPES,
    STATUSES,
    _catalogue,
    _graph,
    _layout,
    graph,
    legend,
)
from klcal.claims._graph import Graph
from klcal.claims._markup import anchor, markup
from klcal.claims._nodes import ancestors, descendants, statements, surroundings
from klcal.claims._stored import boxes, chapter_titles, place, stored_evidence

CHAPTERS = Path(__file__).resolve().parents[1] / "chapters"
SVG = "{http://www.w3.org/2000/svg}"
CHAIN = {"a": ("b",), "b": ("c",), "c": ()}


@pytest.fixture(scope="module")
def drawing():
    return graph()


def parsed(picture):
    return ElementTree.fromstring(picture.svg())


# --- who builds on whom -----------------------------------------------------------------------------------


def test_every_entry_is_in_exactly_one_statement():
    labels = [label for node in statements() for label in node.labels]
    assert sorted(labels) == sorted(REGISTRY) and len(labels) == len(set(labels))


def test_an_edge_of_the_folded_graph_is_a_use_of_some_part():
    nodes = statements()
    name = {label: node.name for node in nodes for label in node.labels}
    folded = {(name[u], name[e]) for e in REGISTRY for u in REGISTRY[e].builds_on if name[u] != name[e]}
    assert {(used, node.name) for node in nodes for used in node.uses} == folded


def test_ancestors_and_descendants_are_each_others_mirror():
    for label in list(REGISTRY)[::17]:
        assert all(label in descendants([other]) for other in ancestors([label]))
        assert all(label in ancestors([other]) for other in descendants([label]))


def test_surroundings_of_one_statement_leave_out_the_unconnected():
    found = surroundings("lem:rounding")
    assert {"lem:rounding", "lem:rounding/explicit", "eq:convexity", "thm:bound_pkcal"} <= found
    assert "new:game-two-points" not in found
    with pytest.raises(ValueError, match="label must be one of the ledger; got 'lem:none'"):
        surroundings("lem:none")


# --- layout -----------------------------------------------------------------------------------------------


def graphs():
    """Nodes 0 to n - 1 with arbitrary edges, circles included."""
    edges = st.sets(st.tuples(st.integers(0, 11), st.integers(0, 11)), max_size=30)
    return st.tuples(st.integers(1, 12), edges).map(
        lambda pair: {n: [u for u in range(pair[0]) if u != n and (n, u) in pair[1]] for n in range(pair[0])}
    )


def test_depth_is_the_longest_chain_and_a_circle_is_an_error():
    assert _layout.depths(CHAIN) == {"a": 2, "b": 1, "c": 0}
    with pytest.raises(ValueError, match="cycle"):
        _layout.depths({"a": ("b",), "b": ("a",)})


@given(graphs())
def test_without_circles_nothing_is_left_that_goes_round_and_chains_are_kept(uses):
    kept = _layout.without_circles(uses)
    _layout.depths(kept)
    assert all(set(kept[node]) <= set(uses[node]) for node in uses)
    forward = {n: [u for u in below if u < n] for n, below in uses.items()}
    assert {n: list(below) for n, below in _layout.without_circles(forward).items()} == forward


@given(graphs(), st.integers(1, 4), st.integers(1, 3))
def test_no_two_nodes_stand_in_one_place_and_no_row_is_too_long(uses, width, bands):
    band = {node: node % bands for node in uses}
    row = _layout.rows(band, uses, width)
    slot = _layout.slots(row, uses, width)
    assert len({(row[node], slot[node]) for node in uses}) == len(uses)
    assert all(0 <= slot[node] < width and row[node][0] == band[node] for node in uses)


def test_a_node_stands_in_a_later_row_than_what_it_builds_on_if_rows_are_short():
    row = _layout.rows(dict.fromkeys(CHAIN, 0), CHAIN, 1)
    assert [row[name][1] for name in "cba"] == [0, 1, 2]


def test_sweeps_shorten_the_edges_of_the_ledger(drawing):
    width = 6
    bands = {node.name: drawing.headings.index(node.chapter) for node in drawing.nodes}
    row = _layout.rows(bands, drawing.uses, width)
    count = dict.fromkeys(row.values(), 0)
    first = {}
    for name, each in row.items():
        first[name], count[each] = count[each], count[each] + 1
    swept = _layout.slots(row, drawing.uses, width)
    edges = [(name, used) for name in row for used in drawing.uses[name]]
    lengths = [sum(abs(slot[name] - slot[used]) for name, used in edges) for slot in (swept, first)]
    assert lengths[0] < 0.9 * lengths[1]


# --- the drawing ------------------------------------------------------------------------------------------


def test_the_drawing_is_one_well_formed_svg_with_all_nodes_and_edges(drawing):
    root = parsed(drawing)
    nodes = [a for a in root.iter(f"{SVG}a") if "data-node" in a.attrib]
    edges = [p for p in root.iter(f"{SVG}path") if "data-edge" in p.attrib]
    assert [int(a.get("data-node")) for a in nodes] == list(range(len(drawing.nodes)))
    named = {
        (drawing.nodes[int(u)].name, drawing.nodes[int(v)].name)
        for u, v in (p.get("data-edge").split() for p in edges)
    }
    assert named == {(used, node.name) for node in drawing.nodes for used in node.uses}
    assert len(edges) == len(named)


def test_nodes_do_not_overlap_and_lie_inside_the_drawing(drawing):
    root = parsed(drawing)
    _, _, width, height = map(float, root.get("viewBox").split())
    boxes = [tuple(float(r.get(k)) for k in ("x", "y", "width", "height")) for r in root.iter(f"{SVG}rect")]
    for x, y, w, h in boxes:
        assert min(x, y) >= 0 and x + w <= width and y + h <= height
    for number, (x, y, w, h) in enumerate(boxes):
        assert all(abs(x - a) >= w or abs(y - b) >= h for a, b, _, _ in boxes[:number])


def test_fill_is_the_status_border_the_kind_and_bar_the_scope(drawing):
    for node, link in zip(
        drawing.nodes, (a for a in parsed(drawing).iter(f"{SVG}a") if "data-node" in a.attrib), strict=True
    ):
        css = link.find(f"{SVG}rect").get("class").split()
        assert f"klcal-{node.status.replace(' ', '-')}" in css and f"klcal-kind-{node.kind}" in css
        assert node.status in link.get("aria-label").lower() and node.kind in link.get("aria-label")
        bars = [float(path.get("d").partition("h")[2]) for path in link.iter(f"{SVG}path")]
        assert bars == [pytest.approx(_graph._BARS[node.scope] * 110, abs=0.5)] if node.scope else not bars


def test_a_node_shows_its_least_favourable_status(drawing):
    status = {node.name: node.status for node in drawing.nodes}
    assert status["prop:breg_div_decomposable"] == "refuted"
    assert status["thm:log_loss_swap_reg"] == "repaired"
    assert {node.status for node in drawing.nodes} <= set(STATUSES) - {"fails"}
    assert {node.kind for node in drawing.nodes} <= set(KINDS)


def test_what_a_node_lists_below_and_above_are_its_ancestors_and_descendants(drawing):
    links = [a for a in parsed(drawing).iter(f"{SVG}a") if "data-node" in a.attrib]
    number = {label: n for n, node in enumerate(drawing.nodes) for label in node.labels}
    for n, (node, link) in enumerate(zip(drawing.nodes, links, strict=True)):
        below = {number[e] for e in ancestors(node.labels)} - {n}
        assert {int(x) for x in link.get("data-below").split()} == below
        above = {number[e] for e in descendants(node.labels)} - {n}
        assert {int(x) for x in link.get("data-above").split()} == above


def test_every_node_links_to_a_theorem_box_of_the_notebooks_or_to_its_chapter(drawing):
    box = boxes(CHAPTERS)
    with_box = 0
    for node in drawing.nodes:
        page, _, fragment = node.address.partition("#")
        stem = page.removesuffix(".html")
        assert (CHAPTERS / f"{stem}.ipynb").is_file()
        if fragment:
            assert box[unquote(fragment)] == stem and unquote(fragment).partition("/")[0] == node.name
            with_box += 1
        else:
            assert not any(label in box for label in (node.name, *node.labels))
    assert with_box > len(drawing.nodes) // 2


def test_the_drawing_is_the_same_every_time_and_not_too_large(drawing):
    assert Graph(drawing.nodes, True, drawing.title)._repr_html_() == drawing._repr_html_()
    assert len(drawing._repr_html_()) < 200_000


def test_the_graph_around_one_statement_draws_parts_singly_and_flows_down():
    picture = graph("lem:rounding")
    assert {node.name for node in picture.nodes} == surroundings("lem:rounding")
    height = {name: y for name, (_, y) in picture.places.items()}
    assert all(height[used] < height[node.name] for node in picture.nodes for used in node.uses)


def test_the_key_explains_every_status_kind_scope_and_shape():
    told = repr(legend())
    for word in (*KINDS, *SCOPES, *(s for s in STATUSES if s != "fails"), "of the paper", "not in the paper"):
        assert word in told
    assert legend()._repr_html_().count("<svg") == len(told.splitlines())


# --- the catalogue ----------------------------------------------------------------------------------------


class Tags(HTMLParser):
    def __init__(self):
        super().__init__()
        self.ids, self.links, self.text = [], [], []

    def handle_starttag(self, tag, attrs):
        values = dict(attrs)
        self.ids += [values["id"]] if "id" in values else []
        self.links += [values["href"]] if tag == "a" else []

    def handle_data(self, data):
        self.text.append(data)


def page_of(*labels):
    tags = Tags()
    tags.feed(_catalogue.catalogue(*labels)._repr_html_())
    return tags


def test_anchors_of_all_entries_differ_and_are_plain():
    found = [anchor(label) for label in REGISTRY]
    assert len(set(found)) == len(REGISTRY)
    assert all(re.fullmatch(r"claim-[A-Za-z0-9_-]+", each) for each in found)


def test_every_row_has_its_anchor_its_command_and_links_that_exist():
    tags = page_of(*REGISTRY)
    assert tags.ids == [anchor(label) for label in REGISTRY]
    inside = {link[1:] for link in tags.links if link.startswith("#")}
    assert inside <= set(tags.ids)
    assert {link for link in tags.links if not link.startswith("#")} == {place(label) for label in REGISTRY}
    words = "".join(tags.text)
    assert all(f"python -m klcal verify --claim '{label}'" in words for label in REGISTRY)


def test_a_row_tells_statement_evidence_both_axes_and_controls():
    words = "".join(page_of("lem:EWOO_regret_bound").text)
    seen = stored_evidence()["lem:EWOO_regret_bound"]
    for part in ("statement", *(f"{each.kind}, {each.scope}" for each in seen), "near misses rejected"):
        assert part in words


def test_the_stored_page_shows_every_entry_and_the_whole_graph():
    notebook = json.loads((CHAPTERS / "claims.ipynb").read_text())
    shown = "".join(
        "".join(output.get("data", {}).get("text/html", ""))
        for cell in notebook["cells"]
        for output in cell.get("outputs", [])
    )
    assert len(shown) < 640_000  # a tenth of it marks formulas, which are set when they are opened
    missing = [label for label in REGISTRY if f'id="{anchor(label)}"' not in shown]
    assert not missing, f"run the page of claims again; it lacks {missing}"


def test_a_chapter_that_is_newer_than_the_store_is_drawn_under_the_name_of_its_file(monkeypatch):
    claim = replace(REGISTRY["pinsker"], label="new:later", chapter="99_later")
    monkeypatch.setitem(REGISTRY, claim.label, claim)
    chapter_titles.cache_clear()
    try:
        assert '<text x="14" y="' in graph().svg() and ">99. 99_later</text>" in graph().svg()
    finally:
        chapter_titles.cache_clear()


# --- formulas ---------------------------------------------------------------------------------------------


def test_formulas_code_and_labels_are_set_and_the_rest_is_escaped():
    shown = markup("$T^{1/3} < 1$ & `run`, (new:pair)", lambda label: f"#{anchor(label)}")
    assert r'<span class="math">\(T^{1/3} &lt; 1\)</span> &amp; <code>run</code>' in shown
    assert '(<a href="#claim-new-pair">new:pair</a>)' in shown
    assert markup("eq:psreg_[0,1]_to_psreg_Z", lambda label: "#x").count("<a") == 1
    assert "<a" not in markup("new:nothing", lambda label: "#x")


@given(st.text(max_size=60))
def test_no_text_can_smuggle_in_markup(text):
    bare = re.sub(r'</?(?:code|su[bp])>|<span class="math">|</span>', "", markup(text))
    assert "<" not in bare and ">" not in bare
