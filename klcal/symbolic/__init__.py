"""The mathematics of the paper in sympy: losses, and a table of identities that must close to exact zero.

`IDENTITIES` maps short names to `Identity` objects, `MISPRINTS` holds equations that are false as printed
beside their repair, and `SYMBOLIC_LOSSES` has a twin of every loss in ``klcal.LOSSES``.

Examples
--------
>>> IDENTITIES["kl-integral"].closes()
True
>>> IDENTITIES["cell-tangent"].sides()[1]
-tan(a - b)
>>> MISPRINTS["gamma-integral"].gap()
-exp(-1)
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from klcal.symbolic import _divergences, _grids, _learning, _loss_identities, _misprints, _rounding
from klcal.symbolic._identity import Identity, Misprint
from klcal.symbolic._losses import SYMBOLIC_LOSSES, SymbolicLoss
from klcal.symbolic._normal_form import normal_form, rational

__all__ = [
    "IDENTITIES",
    "MISPRINTS",
    "SYMBOLIC_LOSSES",
    "Identity",
    "Misprint",
    "SymbolicLoss",
    "normal_form",
    "rational",
]

#: Name -> identity.
IDENTITIES: Mapping[str, Identity] = MappingProxyType(
    {
        **_loss_identities.IDENTITIES,
        **_divergences.IDENTITIES,
        **_grids.IDENTITIES,
        **_rounding.IDENTITIES,
        **_learning.IDENTITIES,
    }
)
#: Name -> misprint.
MISPRINTS: Mapping[str, Misprint] = MappingProxyType(_misprints.MISPRINTS)
