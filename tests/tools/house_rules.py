"""The rules of the house, as functions from text to a list of complaints.

`tests/test_house.py` holds every rule against the repository, and against a small sample that breaks it.
"""

from __future__ import annotations

import ast
import inspect
import re
import statistics
from collections.abc import Collection, Iterator, Mapping
from typing import Any

import klcal

# A module may import only from those before it. A room counts as one module, and so does the book's extension.
MODULES = ("_checks", "_text", "_kernels", *klcal.ROOMS, "_cli", "__main__", "__init__", "klcal_book")
LEVEL_OF = {module: level for level, module in enumerate(MODULES)}

# A library with one room; whoever needs it goes through that room.
ROOM_OF = {"matplotlib": {"figures"}, "sympy": {"symbolic", "claims"}}
# Only chapters, tests, the command line and the pages about the code ask for these.
_OUTSIDE = {"_cli", "__main__", "__init__", "klcal_book"}
ENDS = {"claims": _OUTSIDE, "figures": _OUTSIDE}
# The generator's own classes; everything else in numpy.random works on hidden global state.
RANDOM_ALLOWED = {"default_rng", "Generator", "SeedSequence", "BitGenerator", "PCG64", "Philox"}

MAX_CELL_LINES = 15
MAX_LINE_LENGTH = 84  # what the column of a page shows
MAX_MEDIAN_LINES = 6
NOTEBOOK_METADATA = {
    "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
    "language_info": {"name": "python", "pygments_lexer": "python"},
}
CELL_METADATA = ("tags", "mystnb")
MAX_FILE_BYTES = 3_000_000

Function = ast.FunctionDef | ast.AsyncFunctionDef
Notebook = Mapping[str, Any]


# --- the package ------------------------------------------------------------------------------------------


def _imported(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Yield line and full name of everything that is imported; a relative import keeps its leading dots."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = "." * node.level + (node.module or "")
            yield from ((node.lineno, f"{base}.{alias.name}") for alias in node.names)


def import_complaints(module: str, source: str) -> list[str]:
    """Complain about imports that go upwards, sideways or around a room; `module` is a name in MODULES."""
    if module not in LEVEL_OF:
        return [f"{module} has no level: a new room stands in klcal.ROOMS"]
    complaints = []
    for line, name in _imported(ast.parse(source)):
        root, *rest = name.split(".")
        if root == "":
            complaints.append(f"{module}:{line} imports {name}: write the full name")
        if root in ROOM_OF and module not in ROOM_OF[root]:
            complaints.append(f"{module}:{line} imports {root}, which belongs to {sorted(ROOM_OF[root])}")
        if root not in ("klcal", "klcal_book"):
            continue
        inner = rest[0] if rest and rest[0] in LEVEL_OF else "__init__"
        target = inner if root == "klcal" else root
        if target == module:
            continue
        if LEVEL_OF[target] >= LEVEL_OF[module]:
            complaints.append(f"{module}:{line} imports {name}, which is not below it")
        elif module not in ENDS.get(target, {module}):
            complaints.append(
                f"{module}:{line} imports {name}, which is for chapters, tests and the command line"
            )
    return complaints


def _dotted(node: ast.AST) -> str:
    """Return ``"a.b.c"`` for an attribute chain, and ``""`` for anything else."""
    parts = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    return ".".join([node.id, *reversed(parts)]) if isinstance(node, ast.Name) else ""


def _bad_habit(node: ast.AST, module: str) -> str:
    """Name the bad habit that this one node shows, or return ``""``."""
    if isinstance(node, ast.Assert):
        return "assert: raise an error instead"
    if isinstance(node, ast.Global):
        return "global state"
    if isinstance(node, ast.Call) and _dotted(node.func) == "print" and module != "__main__":
        return "print"
    if isinstance(node, ast.Call) and _dotted(node.func) == "warnings.warn":
        return "a warning: raise an error or say nothing"
    if isinstance(node, ast.Attribute) and _dotted(node) == "sys.path":
        return "sys.path"
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        names, pattern = [name for _, name in _imported(node)], r"(?:numpy\.)?random\.(\w+)|(random)"
    else:
        names, pattern = [_dotted(node)], r"(?:np|numpy)\.random\.(\w+)"
    for name in names:
        if (found := re.fullmatch(pattern, name)) and found[1] not in RANDOM_ALLOWED:
            return f"{name}: pass a generator"
    return ""


def habit_complaints(module: str, source: str) -> list[str]:
    """Complain about print, assert, global randomness, warnings, `global` and edits of the import path."""
    found = ((node, _bad_habit(node, module)) for node in ast.walk(ast.parse(source)))
    return [f"{module}:{getattr(node, 'lineno', 0)} has {habit}" for node, habit in found if habit]


def _decorators(function: Function) -> set[str]:
    return {_dotted(d.func if isinstance(d, ast.Call) else d).split(".")[-1] for d in function.decorator_list}


def _is_public(name: str) -> bool:
    return not name.startswith("_")


def sections(docstring: str) -> dict[str, list[str]]:
    """Split a numpydoc docstring into its underlined sections."""
    lines = inspect.cleandoc(docstring).splitlines()
    found: dict[str, list[str]] = {}
    current: list[str] = []
    for line, below in zip(lines, [*lines[1:], ""], strict=True):
        if line and re.fullmatch(r"-{3,}", below) and len(below) >= len(line):
            current = found.setdefault(line, [])
        elif not re.fullmatch(r"-{3,}", line):
            current.append(line)
    return found


def documented_parameters(docstring: str) -> set[str]:
    """Return the names that the Parameters sections of a numpydoc docstring explain."""
    named = sections(docstring)
    lines = named.get("Parameters", []) + named.get("Other Parameters", [])
    heads = [line.partition(":")[0] for line in lines if line and not line[0].isspace()]
    return {name.strip().lstrip("*") for head in heads for name in head.split(",")}


def _parameters(function: Function) -> set[str]:
    a = function.args
    every = [
        *a.posonlyargs,
        *a.args,
        *a.kwonlyargs,
        *([a.vararg] if a.vararg else []),
        *([a.kwarg] if a.kwarg else []),
    ]
    return {argument.arg for argument in every if _is_public(argument.arg)}


def _methods(node: ast.ClassDef) -> dict[str, Function]:
    stubs = {"overload", "setter", "deleter"}
    every = [member for member in node.body if isinstance(member, Function)]
    return {m.name: m for m in every if _is_public(m.name) and not _decorators(m) & stubs}


def _inherited(node: ast.ClassDef, classes: Mapping[str, ast.ClassDef]) -> set[str]:
    """Return the methods that a base class of the same module documents."""
    bases = [classes[name] for base in node.bases if (name := _dotted(base)) in classes]
    own = {name for base in bases for name, method in _methods(base).items() if ast.get_docstring(method)}
    return own.union(*(_inherited(base, classes) for base in bases))


def reexports(source: str) -> set[tuple[str, str]]:
    """Return module and name of everything that a package's ``__init__`` passes on from klcal."""
    names = [name for _, name in _imported(ast.parse(source)) if name.startswith("klcal.")]
    return {(module, name) for module, _, name in (full.rpartition(".") for full in names)}


def docstring_complaints(
    module: str, source: str, public: Collection[str] | None = None, *, private: bool = False
) -> list[str]:
    """Complain about names without docstring, and public functions without parameters or examples in it.

    `public` lists the names that users see; by default all without a leading underscore. Functions beyond it
    need no more than a sentence, and in a `private` module they are left alone.
    """
    complaints = []
    tree = ast.parse(source)
    classes = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
    if not ast.get_docstring(tree):
        complaints.append(f"{module} has no docstring")
    for node in tree.body:
        if not isinstance(node, ast.ClassDef | Function) or not _is_public(node.name):
            continue
        seen = public is None or node.name in public
        if private and not seen:
            continue
        if isinstance(node, ast.ClassDef):
            documented = _inherited(node, classes)
            new = {f"{node.name}.{name}": m for name, m in _methods(node).items() if name not in documented}
            things: dict[str, ast.ClassDef | Function] = {node.name: node, **new}
        else:
            things = {} if "overload" in _decorators(node) else {node.name: node}
        for name, thing in things.items():
            if not ast.get_docstring(thing):
                complaints.append(f"{module}.{name} has no docstring")
            elif isinstance(node, Function) and seen:
                complaints += _function_complaints(f"{module}.{name}", node)
    return complaints


def _function_complaints(name: str, function: Function) -> list[str]:
    text = ast.get_docstring(function) or ""
    complaints = []
    if not any(line.startswith(">>>") for line in sections(text).get("Examples", [])):
        complaints.append(f"{name} has no Examples section with a doctest")
    actual, told = _parameters(function), documented_parameters(text)
    complaints += [f"{name} does not explain its parameter {p!r}" for p in sorted(actual - told)]
    complaints += [f"{name} explains {p!r}, which is no parameter" for p in sorted(told - actual)]
    return complaints


# --- the chapters -----------------------------------------------------------------------------------------


def _text(value: str | list[str]) -> str:
    return value if isinstance(value, str) else "".join(value)


def _cells(notebook: Notebook, kind: str) -> Iterator[tuple[int, Mapping[str, Any]]]:
    return ((n, cell) for n, cell in enumerate(notebook["cells"]) if cell["cell_type"] == kind)


def _lines(source: str) -> int:
    return sum(1 for line in source.splitlines() if line.strip())


def _source_complaints(source: str) -> Iterator[str]:
    if any(re.match(r"\s*[%!?]", line) for line in source.splitlines()):
        yield "has a magic or a shell command"
        return
    if re.search(r"#\s*(NBVAL|PYTEST_VALIDATE)_", source):
        yield "switches off the comparison of its output"
    if re.search(r";\s*(#.*)?$", source, re.MULTILINE):
        # The notebook test runs cells without history, where IPython does not look for the semicolon.
        yield "hides a result with a semicolon, which the tests do not see: give the result a name"
    if _lines(source) > MAX_CELL_LINES:
        yield f"has {_lines(source)} lines; at most {MAX_CELL_LINES}"
    longest = max(map(len, source.splitlines()), default=0)
    if longest > MAX_LINE_LENGTH:
        yield f"has a line of {longest} characters; at most {MAX_LINE_LENGTH}"
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            yield f"defines {node.name}: definitions live in the package"
        elif isinstance(node, (ast.For, ast.AsyncFor, ast.While)):
            yield "has a loop: loops live in the package"
        elif isinstance(node, ast.Name) and node.id in ("plt", "pyplot"):
            yield "draws with pyplot: drawings live in klcal.figures"
        elif isinstance(node, ast.Attribute) and _dotted(node) == "sys.path":
            yield "edits sys.path"
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            names = [name for _, name in _imported(node)]
            yield from (f"imports {n}: use klcal.figures" for n in names if n.startswith("matplotlib"))


def _output_complaints(cell: Mapping[str, Any]) -> Iterator[str]:
    alt = cell["metadata"].get("mystnb", {}).get("image", {}).get("alt", "")
    for output in cell["outputs"]:
        if output["output_type"] == "error":
            yield f"has a stored error: {output.get('ename', '')}"
        if output.get("name") == "stderr":
            yield "has stored text on stderr"
        data = output.get("data", {})
        shown = [_text(output.get("text", "")), *(_text(data[k]) for k in data if k.startswith("text/"))]
        if any(re.search(r"\bat 0x[0-9a-f]{6,}", text) for text in shown):
            yield "shows a memory address, which changes with every run"
        if any(kind.startswith("image/") for kind in data) and not alt.strip():
            yield 'shows a picture without alt text: metadata {"mystnb": {"image": {"alt": "..."}}}'


def code_complaints(notebook: Notebook) -> list[str]:
    """Complain about the code cells of a chapter: their content, their length, what they have stored."""
    complaints = []
    lengths, counts = [], []
    for number, cell in _cells(notebook, "code"):
        source = _text(cell["source"])
        lengths.append(_lines(source))
        counts.append(cell["execution_count"])
        complaints += [f"cell {number} {c}" for c in [*_source_complaints(source), *_output_complaints(cell)]]
        tags = cell["metadata"].get("tags", [])
        silent = [
            tag for tag in tags if tag.startswith("nbval") or tag in ("raises-exception", "skip-execution")
        ]
        complaints += [f"cell {number} has the tag {tag}, which weakens the tests" for tag in silent]
    if lengths and statistics.median(lengths) > MAX_MEDIAN_LINES:
        complaints.append(
            f"the median code cell has {statistics.median(lengths)} lines; at most {MAX_MEDIAN_LINES}"
        )
    if counts != list(range(1, len(counts) + 1)):
        complaints.append(f"execution counts are {counts}, not 1 to {len(counts)}: run make refresh")
    return complaints


def metadata_complaints(notebook: Notebook) -> list[str]:
    """Complain about metadata beyond what the book needs."""
    complaints = []
    if notebook["metadata"] != NOTEBOOK_METADATA:
        complaints.append("the notebook has other metadata than the house's: run make refresh")
    for number, cell in enumerate(notebook["cells"]):
        extra = sorted(set(cell["metadata"]) - set(CELL_METADATA))
        if extra:
            complaints.append(f"cell {number} has metadata {extra}: run make refresh")
    return complaints


def markdown_complaints(text: str) -> list[str]:
    """Complain about pictures in Markdown that a reader who cannot see them would miss."""
    complaints = []
    text = re.sub(r"`[^`\n]+`", "", text)
    complaints += [f"the picture {m[2]} has no alt text" for m in re.finditer(r"!\[(\s*)\]\(([^)]*)\)", text)]
    for tag in re.findall(r"<img\b[^>]*>", text):
        if not re.search(r"""\balt\s*=\s*["']\s*[^"'\s]""", tag):
            complaints.append(f"{tag} has no alt text")
    for block in re.finditer(r"^([`:]{3,})\{(figure|image)\}(.*?)^\1", text, re.MULTILINE | re.DOTALL):
        if not re.search(r"^\s*:alt:\s*\S", block[3], re.MULTILINE):
            complaints.append(
                f"the {block[2]} {block[3].split()[0] if block[3].split() else ''} has no :alt:"
            )
    return complaints


def chapter_complaints(notebook: Notebook) -> list[str]:
    """Return all complaints about one chapter."""
    told = [c for _, cell in _cells(notebook, "markdown") for c in markdown_complaints(_text(cell["source"]))]
    return [*code_complaints(notebook), *metadata_complaints(notebook), *told]


# --- every file -------------------------------------------------------------------------------------------

# Where packages come from is the business of whoever installs them.
REGISTRY = re.compile(
    r"\b(?:pypi\.org|pythonhosted\.org|npmjs\.\w+|anaconda\.org|registry\.[a-z]|\w*index\-url\b)"
)
# A folder of one machine; ends and starts of fractions and regular expressions are not meant.
MACHINE_PATH = re.compile(r"(?<![\w.\\)\]}/])/(?:work|root|tmp|home|Users|var/folders)/[\w.]|file:///\w")


def text_complaints(name: str, text: str) -> list[str]:
    """Complain about host names of package registries and paths of one machine."""
    complaints = []
    for number, line in enumerate(text.splitlines(), start=1):
        if found := REGISTRY.search(line):
            complaints.append(f"{name}:{number} names a package registry: {found[0]}")
        if found := MACHINE_PATH.search(line):
            complaints.append(f"{name}:{number} names a folder of one machine: {found[0]}")
    return complaints


def file_complaints(name: str, size: int) -> list[str]:
    """Complain about files that do not belong into the repository."""
    complaints = []
    if size > MAX_FILE_BYTES:
        complaints.append(f"{name} has {size} bytes; at most {MAX_FILE_BYTES}")
    if name.rsplit("/", 1)[-1] in ("package-lock.json", "yarn.lock", ".DS_Store", "Thumbs.db"):
        complaints.append(f"{name} does not belong here")
    return complaints
