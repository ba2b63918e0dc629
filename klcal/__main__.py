"""The command line: ``klcal measure | run | tables``, ``--version``; also as ``python -m klcal``."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from importlib import import_module, metadata

# Every command, what it does, and the module that knows it. Only the one that is asked for is loaded.
COMMANDS = {
    "measure": ("measure the forecasts of a CSV file", "klcal._cli.measuring"),
    "run": ("forecast the outcomes of a CSV file", "klcal._cli.running"),
    "tables": ("make the stored tables again, from nothing", "klcal.book.experiments.studies"),
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command.

    Parameters
    ----------
    arguments : sequence of str, optional
        The words after the program's name; those of the process by default.

    Returns
    -------
    int
        Exit status: 0 if all is well, 1 if a stored table differs, 2 for input that cannot be used; 130 when
        interrupted, 141 when nobody reads the output.

    Examples
    --------
    >>> main(["measure", "nowhere.csv"])
    2
    """
    words = sys.argv[1:] if arguments is None else list(arguments)
    options = _parser(words[:1]).parse_args(words)
    # A command without kernels need not wait until the compiler is loaded; on a terminal the compiler speaks itself.
    if (compiling := sys.modules.get("klcal._kernels.compiling")) and not sys.stderr.isatty():
        compiling.on_first_compilation(lambda: sys.stderr.write(f"{compiling.COMPILING}\n"))
    try:
        status = int(options.command(options))
        sys.stdout.flush()
    except BrokenPipeError:
        # Nobody reads our output any more; Python must not try to write the rest of it at exit either.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141
    except KeyboardInterrupt:
        sys.stderr.write("klcal: interrupted\n")
        return 130
    except (MemoryError, ModuleNotFoundError, OSError, ValueError) as problem:
        sys.stderr.write(f"klcal: {problem}\n")
        return 2
    return status


def _parser(asked: Sequence[str]) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="klcal", description="KL-calibration, checked and measured.")
    parser.add_argument("--version", action="version", version=f"klcal {metadata.version('klcal')}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for name, (purpose, module) in COMMANDS.items():
        command = commands.add_parser(name, help=purpose, description=f"{purpose[0].upper()}{purpose[1:]}.")
        if name in asked:
            import_module(module).add_options(command)
    return parser


if __name__ == "__main__":
    sys.exit(main())
