"""Parameters on the pages about the code: a group stands together, defaults can be read, and none is a link."""

from __future__ import annotations

import re
from dataclasses import MISSING, fields, is_dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Any

from docutils import nodes  # type: ignore[import-untyped]
from sphinx.addnodes import desc, desc_parameter, desc_sig_name, desc_signature, pending_xref

if TYPE_CHECKING:
    from sphinx.application import Sphinx


def with_defaults(arguments: str, value: Any) -> str:
    """Return the arguments of a signature with what a factory makes, and with functions by their names.

    A protocol has none, whatever Python says.

    Examples
    --------
    >>> from klcal.claims import Evidence
    >>> with_defaults("(bound, parameters=<factory>, by=<function sum>)", Evidence)
    '(bound, parameters={}, by=sum)'
    >>> with_defaults("(*args, **kwargs)", Evidence)
    ''
    """
    for field in fields(value) if is_dataclass(value) else ():
        if field.default_factory is not MISSING:
            made = f"{field.name}={field.default_factory()!r}"
            arguments = arguments.replace(f"{field.name}=<factory>", made)
    return re.sub(r"<function (\w+)>", r"\1", "" if arguments == "(*args, **kwargs)" else arguments)


def join_groups(doctree: nodes.Element) -> None:
    """Put neighbours of a list of parameters together that have one type and one description."""
    for items in list(doctree.findall(nodes.bullet_list)):
        if not isinstance(items.parent, nodes.field_body):
            continue
        for _, group in groupby(list(items), lambda item: item.astext().removeprefix(item[0][0].astext())):
            first, *others = group
            for place, other in enumerate(others):
                first[0][2 * place + 1 : 2 * place + 1] = [nodes.Text(", "), other[0][0]]
                items.remove(other)
        if len(items) == 1:
            items.replace_self(items[0].children)


def _is_parameter(word: pending_xref) -> bool:
    """Tell whether a word is a parameter of something that is documented around it."""
    node = word.parent
    while node is not None:
        for signature in node.children if isinstance(node, desc) else ():
            if isinstance(signature, desc_signature):
                names = (
                    name for each in signature.findall(desc_parameter) for name in each.findall(desc_sig_name)
                )
                if word["reftarget"] in (name.astext() for name in names):
                    return True
        node = node.parent
    return False


def unlink(doctree: nodes.Element) -> None:
    """Keep as links of docstrings what may be an object: no parameter, and in a type only the name of a class."""
    for word in list(doctree.findall(pending_xref)):
        if word.get("refdomain") != "py":
            continue
        # Sphinx is to look for the name in its own module only; the rest is `_api.resolve`'s business.
        word.attributes.pop("refspecific", None)
        is_type = word["reftype"] == "class"
        if is_type:
            word.attributes.pop("py:class", None)  # as in "shape (n,)": no attribute of the class is meant
        if (is_type and word["reftarget"][:1].islower()) or _is_parameter(word):
            word.replace_self(word.children)


def _on_signature(
    app: Sphinx, what: str, name: str, value: Any, options: Any, *said: str
) -> tuple[str, str] | None:
    del app, what, name, options
    arguments, returned = said
    return (with_defaults(arguments, value), returned) if arguments else None


def _on_member(app: Sphinx, what: str, name: str, value: Any, is_skipped: bool, options: Any) -> bool | None:
    """Leave out the fields of a named tuple, which are its parameters."""
    del app, what, name, is_skipped, options
    return True if type(value).__name__ == "_tuplegetter" else None


def _on_read(app: Sphinx, doctree: nodes.document) -> None:
    del app
    join_groups(doctree)
    unlink(doctree)


def register(app: Sphinx) -> None:
    """Tell Sphinx to do so when it reads a page."""
    app.setup_extension("sphinx.ext.autodoc")
    app.connect("autodoc-process-signature", _on_signature)
    app.connect("autodoc-skip-member", _on_member)
    app.connect("doctree-read", _on_read)
