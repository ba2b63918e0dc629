r"""Every right-hand side of the theory, one function per statement, free of data.

A statement of the paper with an unspecified constant is given here with an explicit one, and many statements
come in several versions, chosen by ``version=``:

- ``"paper"``: the paper's own constant; where it writes :math:`O(\cdot)`, what its proof displays, added up;
- ``"repaired"``: a true statement in place of one that is not true as printed;
- ``"sharpened"`` (the default): a simple form with a better constant, by the paper's argument or by one of ours;
- ``"best"``: a still smaller right-hand side, by another step or as the exact maximum.

Functions take scalars (and return a float), arrays (and broadcast) or balls (`flint.arb`, and return a ball that holds
the value at every number in them; T and K may then be real). `BOUNDS` lists them by name; those of the
paper live in `klcal.bounds.paper`, the others in `klcal.bounds.beyond`.
"""

from klcal.bounds._balls import BOUNDS as BOUNDS
from klcal.bounds.beyond import *  # noqa: F403
from klcal.bounds.paper import *  # noqa: F403
