"""Machine code on disk follows every kernel that is built into it, not only the file it was written in."""

from __future__ import annotations

import os
import select
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import klcal._kernels

CALLER = """
from klcal._kernels.compiling import compiled
from klcal._kernels.callee import constant


@compiled
def ask():
    return constant()
"""
CALLEE = """
from klcal._kernels.compiling import compiled


@compiled
def constant():
    return {}
"""

SAID = "INFO:klcal:klcal: compiling, which takes some seconds the first time ...\n"


def answer(root):
    """What a fresh process gets from the caller, and what it logs."""
    program = (
        "import logging, numba; from klcal._kernels.caller import ask; logging.basicConfig(level='INFO');"
        "numba.njit(lambda: 1)(); print(ask(), sum(ask.stats.cache_hits.values()))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=root, capture_output=True, text=True, check=True, timeout=300
    )
    return [*done.stdout.split(), done.stderr]


def test_a_caller_in_another_file_is_compiled_anew_after_a_change_and_only_then(tmp_path):
    kernels = tmp_path / "klcal" / "_kernels"
    kernels.mkdir(parents=True)
    (tmp_path / "klcal" / "__init__.py").touch()
    here = Path(klcal._kernels.__file__).parent
    for name in ("__init__.py", "compiling.py"):
        shutil.copy(here / name, kernels)
    (kernels / "caller.py").write_text(CALLER)
    (kernels / "callee.py").write_text(CALLEE.format(1))
    assert answer(tmp_path) == ["1", "0", SAID]
    assert answer(tmp_path) == ["1", "1", ""]
    (kernels / "callee.py").write_text(CALLEE.format(2))
    assert answer(tmp_path) == ["2", "0", SAID]


def test_on_a_terminal_one_is_told_without_asking(tmp_path):
    try:
        seen, terminal = os.openpty()
    except (AttributeError, OSError):
        pytest.skip("no terminal can be opened here: what is said on one was not tried")
    program = "from klcal._kernels.compiling import compiled; print(compiled(abs_of)(-1))"
    (tmp_path / "mine.py").write_text(
        "def abs_of(x):\n    return abs(x)\n\nabs_of.__module__ = 'klcal.mine'\n" + program
    )
    command = [sys.executable, "mine.py"]
    done = subprocess.run(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=terminal, timeout=300)
    assert done.stdout.split() == [b"1"]
    assert select.select([seen], [], [], 5)[0], "nothing was said"
    assert os.read(seen, 1000) == b"klcal: compiling, which takes some seconds the first time ...\r\n"
    os.close(seen)
    os.close(terminal)
