"""Machine code on disk follows every kernel that is built into it, not only the file it was written in."""

from __future__ import annotations

import os
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


def answer(root, first="", **folders):
    """What a fresh process gets from the caller, and what it logs; the user's folders are those of `root`."""
    environment = {key: value for key, value in os.environ.items() if key != "NUMBA_CACHE_DIR"}
    environment |= {"HOME": str(root / "home"), "LOCALAPPDATA": str(root / "home")}
    environment.pop("XDG_CACHE_HOME", None)
    program = (
        f"{first}import logging, numba; from klcal._kernels.caller import ask; logging.basicConfig(level='INFO');"
        "numba.njit(lambda: 1)(); print(ask(), sum(ask.stats.cache_hits.values()))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=root,
        env=environment | folders,
        capture_output=True,
        text=True,
        check=True,
        timeout=300,
    )
    return [*done.stdout.split(), done.stderr]


@pytest.fixture
def kernels(tmp_path):
    """A package whose kernels are a caller and a callee in another file."""
    kernels = tmp_path / "klcal" / "_kernels"
    kernels.mkdir(parents=True)
    (tmp_path / "klcal" / "__init__.py").touch()
    here = Path(klcal._kernels.__file__).parent
    for name in ("__init__.py", "compiling.py"):
        shutil.copy(here / name, kernels)
    (kernels / "caller.py").write_text(CALLER)
    (kernels / "callee.py").write_text(CALLEE.format(1))
    return kernels


def test_a_caller_in_another_file_is_compiled_anew_after_a_change_and_only_then(tmp_path, kernels):
    assert answer(tmp_path) == ["1", "0", SAID]
    assert answer(tmp_path) == ["1", "1", ""]
    (kernels / "callee.py").write_text(CALLEE.format(2))
    assert answer(tmp_path) == ["2", "0", SAID]


def test_machine_code_goes_to_the_folder_of_the_user_so_that_a_package_can_be_removed(tmp_path, kernels):
    package = kernels.parent

    def machine_code(folder):
        return [path for path in folder.rglob("*") if path.suffix in (".nbi", ".nbc")]

    answer(tmp_path)
    assert machine_code(tmp_path / "home") and not machine_code(package)
    shutil.rmtree(tmp_path / "home")
    assert answer(tmp_path, NUMBA_CACHE_DIR=str(tmp_path / "chosen")) == ["1", "0", SAID]
    assert machine_code(tmp_path / "chosen") and not machine_code(package)


@pytest.mark.usefixtures("kernels")
def test_damaged_machine_code_and_a_full_disk_mean_compiling_and_one_line_in_the_log(tmp_path):
    def flipped(data):
        return data[:5000] + bytes([data[5000] ^ 255]) + data[5001:]  # what the processor would run

    full = "import resource as r; r.setrlimit(r.RLIMIT_FSIZE, (0, 0)); "
    found = [answer(tmp_path, full)]
    answer(tmp_path)
    for name, damage in (("*.nbc", flipped), ("*.nbc", lambda data: data[:50]), ("*.nbi", lambda data: b"")):
        for file in (tmp_path / "home").rglob(name):
            file.write_bytes(damage(file.read_bytes()))
        found.append(answer(tmp_path))
    for value, hits, said in found:
        assert (value, hits) == ("1", "0") and SAID in said
        assert said.count("could not be read or written, so kernels are compiled") == 1
    assert answer(tmp_path) == ["1", "1", ""]
