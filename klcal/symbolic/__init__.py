"""The mathematics of the paper in sympy: losses, and a table of identities that must close to exact zero.

`IDENTITIES` maps short names to `Identity` objects, `MISPRINTS` holds equations that are false as printed
beside their repair, and `SYMBOLIC_LOSSES` has a twin of every loss in ``klcal.LOSSES``.  Entries are built
when they are asked for.

Examples
--------
>>> IDENTITIES["log-divergence"].closes()
True
>>> IDENTITIES["cell-tangent"].right
-tan(a - b)
>>> MISPRINTS["gamma-integral"].gap()
-exp(-1)
>>> len(IDENTITIES) > 100
True
"""

from __future__ import annotations

from klcal.symbolic import (
    _divergences,
    _grids,
    _learning,
    _loss_identities,
    _misprints,
    _rounding,
    _table,
)
from klcal.symbolic._losses import SYMBOLIC_LOSSES, SymbolicLoss
from klcal.symbolic._normal_form import normal_form, rational
from klcal.symbolic._symbols import DOMAINS, Domain
from klcal.symbolic._table import Identity, IdentityError, Misprint, Table

__all__ = [
    "DOMAINS",
    "IDENTITIES",
    "MISPRINTS",
    "SYMBOLIC_LOSSES",
    "Domain",
    "Identity",
    "IdentityError",
    "Misprint",
    "SymbolicLoss",
    "Table",
    "normal_form",
    "rational",
]

IDENTITIES: Table[Identity] = Table(
    _table.builders(
        *_loss_identities.DRAFTS,
        _divergences.DRAFTS,
        _grids.DRAFTS,
        _rounding.DRAFTS,
        _learning.DRAFTS,
    )
)
MISPRINTS: Table[Misprint] = Table(_table.builders(_misprints.DRAFTS))
