"""The package without the repository beside it: a wheel in an empty environment, used from another folder."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest

import klcal

ROOT = Path(__file__).resolve().parents[1]
# What a wheel is made of; copied, because building leaves a folder behind.
SOURCES = ("klcal", "pyproject.toml", "README.md", "LICENSE")
GAME = "import klcal; print(klcal.run([1, 0, 1, 1], 3, 'pair', rng=0, record=True).draws.tolist())"
# Examples that need stored tables and data; and two rooms that need none.
WITH_DATA = (
    "book/experiments/studies.py::klcal.book.experiments.studies.stored",
    "book/experiments/datasets.py",
    "measures",
    "losses",
)


def ran(*command: object, folder: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run a command in `folder` and require that it succeeds."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("NUMBA_", "PYTHON"))} | variables
    words = list(map(str, command))
    done = subprocess.run(words, cwd=folder, env=environment, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stdout + done.stderr
    return done


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel of the sources as they are."""
    folder = tmp_path_factory.mktemp("sources")
    for name in SOURCES:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(ROOT / name, folder)
    options = ["--quiet", "--no-deps", "--no-build-isolation", "--no-index", "--wheel-dir", "built"]
    ran(sys.executable, "-m", "pip", "wheel", *options, ".", folder=folder)
    (built,) = (folder / "built").glob("klcal-*.whl")
    return built


@pytest.fixture(scope="module")
def python(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return an interpreter that knows the wheel, and the libraries of the lock, but not this repository."""
    folder = tmp_path_factory.mktemp("elsewhere")
    venv.create(folder, with_pip=False, symlinks=os.name != "nt")
    program = folder / ("Scripts" if os.name == "nt" else "bin") / "python"
    (inside,) = folder.rglob("site-packages")
    # A folder that such a file names is not searched for further ones: the editable install is not found.
    (inside / "libraries.pth").write_text(sysconfig.get_path("purelib") + "\n")
    options = ["--quiet", "--no-deps", "--no-index", "--disable-pip-version-check", "--target", inside]
    ran(sys.executable, "-m", "pip", "install", *options, wheel, folder=folder)
    found = ran(program, "-c", "import klcal; print(klcal.__file__)", folder=folder).stdout
    assert Path(found.strip()).is_relative_to(inside), "not the one of the repository"
    return program


def test_the_wheel_holds_types_tables_data_and_style(wheel: Path) -> None:
    held = set(zipfile.ZipFile(wheel).namelist())
    files = [path for path in (ROOT / "klcal").rglob("*") if path.is_file()]
    tracked = {path.relative_to(ROOT).as_posix() for path in files if "__pycache__" not in path.parts}
    assert {name for name in held if not name.startswith("klcal-")} == tracked
    assert "klcal/py.typed" in tracked


def test_the_installed_package_measures_a_file_without_a_compiler(python: Path, tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("forecast,outcome\n0.5,1\n0.5,0\n0.25,0\n")
    (tmp_path / "numba.py").write_text("raise ImportError('there is no compiler')\n")
    found = ran(python, "-m", "klcal", "measure", "a.csv", folder=tmp_path)
    assert "miscalibration" in found.stdout and found.stderr == ""


def test_the_installed_package_says_when_it_compiles(python: Path, tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("outcome\n1\n0\n0\n")
    command = [python, "-m", "klcal", "run", "a.csv"]
    first, second = (ran(*command, folder=tmp_path, NUMBA_CACHE_DIR="cache") for _ in range(2))
    assert "KL-calibration" in first.stdout and first.stdout == second.stdout
    assert first.stderr == "klcal: compiling, which takes some seconds the first time ...\n"
    assert second.stderr == ""


def test_the_examples_of_the_installed_package_run(python: Path, tmp_path: Path) -> None:
    inside = next(python.parents[1].rglob("site-packages")) / "klcal"
    options = ["-q", "--doctest-modules", "-o", "doctest_optionflags=NORMALIZE_WHITESPACE"]
    done = ran(python, "-m", "pytest", *options, *(inside / part for part in WITH_DATA), folder=tmp_path)
    assert " passed" in done.stdout and "skipped" not in done.stdout


# --- unusual surroundings -----------------------------------------------------------------------------------


def test_games_are_the_same_without_the_compiler(tmp_path: Path) -> None:
    plain = ran(sys.executable, "-W", "error", "-c", GAME, folder=tmp_path, NUMBA_DISABLE_JIT="1")
    assert plain.stdout == ran(sys.executable, "-c", GAME, folder=tmp_path).stdout


def test_the_package_works_where_no_machine_code_can_be_kept(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "klcal", tmp_path / "klcal", ignore=shutil.ignore_patterns("__pycache__"))
    for folder in [path for path in tmp_path.rglob("*") if path.is_dir()]:
        (folder / "__pycache__").touch()  # a file, so that not even root can write into it
    nowhere = dict.fromkeys(("HOME", "XDG_CACHE_HOME", "USERPROFILE", "LOCALAPPDATA"), os.devnull)
    program = "import klcal.grids, klcal._kernels.elementary as e; print(e.ln(1.0), e.ln.stats.cache_path)"
    assert ran(sys.executable, "-c", program, folder=tmp_path, **nowhere).stdout == "0.0 None\n"


def test_importing_the_package_loads_neither_the_compiler_nor_scipy(tmp_path: Path) -> None:
    program = (
        "import sys, klcal; print([name for name in ('numba', 'numpy', 'scipy') if name in sys.modules])"
    )
    assert ran(sys.executable, "-c", program, folder=tmp_path).stdout == "[]\n"


def test_every_name_that_type_checkers_are_told_is_there() -> None:
    assert {*klcal.__all__, "ROOMS", "__version__"} <= set(dir(klcal))
    assert all(getattr(klcal, name) is not None for name in klcal.__all__)
