"""The studies of this book: every module here that defines ``STUDIES`` adds its own.

All games of one horizon and repetition share a seed, ``(ROOT, T, repetition)``: algorithms and adversaries meet the
same random numbers, while different horizons and repetitions are independent.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Mapping
from types import MappingProxyType

from klcal.experiments.study import Study


def _collected() -> dict[str, Study]:
    found: dict[str, Study] = {}
    for module in sorted(each.name for each in pkgutil.iter_modules(__path__)):
        for study in getattr(importlib.import_module(f"{__name__}.{module}"), "STUDIES", ()):
            if study.name in found:
                raise ValueError(f"studies must have different names; got {study.name!r} twice")
            found[study.name] = study
    return found


#: Name -> study.
STUDIES: Mapping[str, Study] = MappingProxyType(_collected())
