"""Say how large each room is: lines of code without docstrings, comments and blanks. Nothing fails."""

from __future__ import annotations

import ast
import sys
import tokenize
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SILENT = {
    tokenize.COMMENT,
    tokenize.NL,
    tokenize.NEWLINE,
    tokenize.INDENT,
    tokenize.DEDENT,
    tokenize.ENDMARKER,
    tokenize.ENCODING,
}


def lines_of_code(path: Path) -> int:
    """Count the lines of a file that hold more than a docstring or a comment."""
    with path.open("rb") as file:
        tokens = [token for token in tokenize.tokenize(file.readline) if token.type not in SILENT]
    rows = {row for token in tokens for row in range(token.start[0], token.end[0] + 1)}
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if (
            isinstance(node, ast.FunctionDef | ast.ClassDef | ast.Module)
            and ast.get_docstring(node) is not None
        ):
            rows -= set(range(node.body[0].lineno, (node.body[0].end_lineno or 0) + 1))
    return len(rows)


def main() -> None:
    """Print a line for each room."""
    rooms: dict[str, list[int]] = {}
    for top in ("klcal", "chapters/_ext", "tests"):
        for path in sorted((ROOT / top).rglob("*.py")):
            parts = path.relative_to(ROOT).parts
            room = "/".join(parts[: 3 if parts[1] == "book" else 2]) if top == "klcal" else top
            rooms.setdefault(room, []).append(lines_of_code(path))
    for room, sizes in rooms.items():
        sys.stdout.write(f"{sum(sizes):6,} lines in {len(sizes):2} files  {room}\n")
    for name, inside in (("klcal.book", True), ("the library", False)):
        chosen = [
            sizes
            for room, sizes in rooms.items()
            if room.startswith("klcal/") and room.startswith("klcal/book") == inside
        ]
        sys.stdout.write(f"{sum(map(sum, chosen)):6,} lines in {sum(map(len, chosen)):2} files  {name}\n")


if __name__ == "__main__":
    main()
