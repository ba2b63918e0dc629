"""Files that are written whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from threading import get_ident


def replace_files(texts: Mapping[Path, str]) -> None:
    """Write all files or, if writing fails, none: each goes to a temporary name first."""
    drafts = {path: path.with_name(f".{path.name}.{os.getpid()}.{get_ident()}.part") for path in texts}
    try:
        for path, text in texts.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            with drafts[path].open("wb") as stream:
                stream.write(text.encode())
                stream.flush()
                os.fsync(stream.fileno())
        for path, draft in drafts.items():
            os.replace(draft, path)
    finally:
        for draft in drafts.values():
            draft.unlink(missing_ok=True)
