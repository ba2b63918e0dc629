"""Pages about the code, made from docstrings: a section per room, and names that link to where they stand."""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from types import ModuleType
from typing import TYPE_CHECKING, Any

from docutils import nodes  # type: ignore[import-untyped]
from docutils.statemachine import StringList  # type: ignore[import-untyped]
from sphinx.addnodes import index, pending_xref
from sphinx.pycode import ModuleAnalyzer
from sphinx.util.docutils import SphinxDirective
from sphinx.util.nodes import make_refnode

import klcal
from klcal_book._docstrings import prepare
from klcal_book._listing import chapters_of, is_documented, rooms

if TYPE_CHECKING:
    from sphinx.application import Sphinx

# Longer lists of keys are cut.
SHOWN_KEYS = 24
_MODULES = re.compile(r"[a-z_]\w*[.]")
MEMBERS = ("method", "classmethod", "staticmethod", "property", "attribute")


def directive_lines(place: ModuleType, name: str) -> list[str]:
    """Return the reStructuredText that documents one name, at the place where users import it from."""
    value, full = getattr(place, name), f"{place.__name__}.{name}"
    if inspect.isclass(value):
        return [f".. autoclass:: {full}", "   :members:", ""]
    if is_documented(value):
        return [f".. autofunction:: {full}", ""]
    told = [*comment(place, name), described(value), ""]
    return [f".. py:data:: {name}", f"   :module: {place.__name__}", "", *(f"   {line}" for line in told)]


def comment(place: ModuleType, name: str) -> list[str]:
    """Return the comment on a constant, from the module at or below `place` that has one.

    Examples
    --------
    >>> comment(klcal.bounds, "BOUNDS")
    ['Name -> function, in the order of the paper.', '']
    """
    for module in [known for known in sys.modules if f"{known}.".startswith(f"{place.__name__}.")]:
        if getattr(sys.modules[module], name, None) is getattr(place, name):
            if said := ModuleAnalyzer.for_module(module).find_attr_docs().get(("", name)):
                return said
    return []


def described(value: Any) -> str:
    """Say in a line what a constant holds.

    Examples
    --------
    >>> described({"a": 1, "b": 2})
    'A mapping with 2 keys: ``a``, ``b``.'
    >>> described({"len": len, "b": len}), described(Mapping[str, klcal.Grid])
    ('A mapping with 2 keys: `len`, ``b``.', 'A name for the type ``Mapping[str, Grid]``.')
    >>> described(("x", "y")), described("#fff")
    ("``('x', 'y')``", "``'#fff'``")
    """
    if isinstance(value, Mapping):
        keys = [
            f"`{key}`" if getattr(held, "__name__", "") == key else f"``{key}``"
            for key, held in value.items()
        ]
        rest = f" and {len(keys) - SHOWN_KEYS} more" if len(keys) > SHOWN_KEYS else ""
        return f"A mapping with {len(keys)} keys: {', '.join(keys[:SHOWN_KEYS])}{rest}."
    if isinstance(value, str | int | float | tuple | frozenset):
        return f"``{value!r}``"
    kind = type(value).__name__
    if kind in (
        "UnionType",
        "Union",
        "_UnionGenericAlias",
        "_GenericAlias",
        "GenericAlias",
        "_CallableGenericAlias",
    ):
        return f"A name for the type ``{_MODULES.sub('', str(value))}``."
    return f"A `{kind}`."


class RoomsDirective(SphinxDirective):
    """``.. klcal-rooms:: losses grids``: a section for each room from the first to the last."""

    required_arguments = 2
    has_content = False

    def run(self) -> list[nodes.Node]:
        """Return the sections of these rooms."""
        return [self.section(list(chapters_of(room).items())) for room in rooms(*self.arguments)]

    def section(self, places: Sequence[tuple[ModuleType, list[str]]]) -> nodes.section:
        """Return what the first module is for and its public names, then a section for each of the others."""
        (module, names), *others = places
        section = nodes.section(ids=[module.__name__.replace(".", "-")], classes=["klcal-api"])
        section += nodes.title("", "", nodes.literal("", module.__name__))
        lines = [f".. automodule:: {module.__name__}", ""]
        for name in names:
            lines += directive_lines(module, name)
        self.state.nested_parse(StringList(lines, source=module.__name__), 0, section)
        alone = f"{module.__name__} (module)"  # else the index has it twice, once below the word "module"
        for each in section.findall(index):
            each["entries"] = [
                ("single", alone, *entry[2:]) if entry[0] == "pair" else entry for entry in each["entries"]
            ]
        section.extend(self.section([other]) for other in others)
        return section


class IndexDirective(SphinxDirective):
    """``.. klcal-index::``: the names that stand at the top, and every room with its purpose."""

    has_content = False

    def run(self) -> list[nodes.Node]:
        """Hand the list to the parser."""
        found = nodes.container(classes=["klcal-index"])
        self.state.nested_parse(StringList(index_lines(), source="klcal"), 0, found)
        return [found]


def top_names() -> list[str]:
    """Return what stands at the top of the package, each name with the place where it is documented."""
    places = {
        id(getattr(place, name)): f"{place.__name__}.{name}"
        for room in klcal.ROOMS
        for place, names in chapters_of(room).items()
        for name in names
    }
    top = {name: getattr(klcal, name) for name in klcal.__all__}
    return [f":py:obj:`{name} <{places[id(value)]}>`" for name, value in top.items() if id(value) in places]


def index_lines() -> list[str]:
    """Return the index of all rooms as reStructuredText."""
    lines = ["Straight from ``klcal`` come " + ", ".join(top_names()) + ".", ""]
    for room, purpose in klcal.ROOMS.items():
        lines += [f":py:mod:`klcal.{room}`", f"   {purpose}", ""]
    return lines


def _package(name: str) -> str:
    return ".".join(name.split(".")[:2])


def candidates(name: str, names: Iterable[str], home: str) -> list[str]:
    """Return the documented objects that a bare name may mean: in its own package, else anywhere.

    Functions and classes come before methods of the same name.

    Examples
    --------
    >>> names = [
    ...     "klcal.symbolic.Table",
    ...     "klcal.experiments.Table",
    ...     "klcal.grids.Grid",
    ... ]
    >>> (
    ...     candidates("Grid", names, "klcal.measures.cells"),
    ...     candidates("Table", names, "klcal.symbolic.x"),
    ... )
    (['klcal.grids.Grid'], ['klcal.symbolic.Table'])
    >>> len(candidates("Table", names, "klcal.grids"))
    2
    """
    found = [full for full in names if full == name or full.endswith(f".{name}")]
    found = [full for full in found if _package(full) == _package(home)] or found
    least = min((full.count(".") for full in found), default=0)
    return [full for full in found if full.count(".") == least]


def spellings(target: str) -> list[str]:
    """Return the names under which a target may be documented.

    What stands at the top of the package is documented in its module, a field of a class with the class.

    Examples
    --------
    >>> spellings("klcal.Cells.mass"), spellings("log_rounding")
    (['klcal.Cells.mass', 'Cells.mass', 'Cells'], ['log_rounding'])
    """
    if not target.startswith("klcal."):
        return [target]
    rest = target.removeprefix("klcal.")
    return [target, rest, *([rest.rpartition(".")[0]] if "." in rest else [])]


def resolve(app: Sphinx, env: Any, node: pending_xref, content: nodes.Element) -> nodes.Element | None:
    """Resolve a name of the package that stands in another module; leave words such as a type's as they are.

    Docstrings write single quotes around parameters and names alike, and types in plain words, so that a name
    that means nothing is no mistake. A method or a field is meant with its class in front, or inside the class; a
    lower-case word of another room only if it stands at the top of the package.
    """
    if node.get("refdomain") != "py" or node.get("reftype") == "mod":
        return None
    objects = {name: entry for name, entry in env.get_domain("py").objects.items() if not entry.aliased}
    target = node["reftarget"].strip("~.").removesuffix("()")
    home = node.get("py:module") or "klcal"
    if "." not in target:
        is_local = target.islower() and target not in klcal.__all__
        objects = {
            name: entry
            for name, entry in objects.items()
            if entry.objtype not in MEMBERS and (not is_local or _package(name) == _package(home))
        }
    found = next(filter(None, (candidates(name, objects, home) for name in spellings(target))), [])
    if len(found) != 1:
        return content
    entry = objects[found[0]]
    return make_refnode(app.builder, node["refdoc"], entry.docname, entry.node_id, content, found[0])


def register(app: Sphinx) -> None:
    """Tell Sphinx about the directives, and how docstrings are read."""
    app.setup_extension("sphinx.ext.autodoc")
    app.setup_extension("sphinx.ext.napoleon")
    app.add_directive("klcal-rooms", RoomsDirective)
    app.add_directive("klcal-index", IndexDirective)
    # Before napoleon turns sections into fields.
    app.connect("autodoc-process-docstring", prepare, priority=400)
    app.connect("missing-reference", resolve)
