"""Results become pictures; the only room that imports matplotlib.

Every function takes numbers, draws on `ax` (a new one by default) and returns it. Nothing here computes a quantity of
the theory, shows a window or saves a file.
"""

from __future__ import annotations

from klcal import _checks

with _checks.extra("figures"):
    from klcal.figures.canvas import (
        BOUND,
        HIGHLIGHT,
        LOWER_BOUND,
        MEASURED,
        OUR_BOUND,
        PAPERS_BOUND,
        REFERENCE,
        label,
        panels,
        use_style,
    )
    from klcal.figures.forecasts import plot_reliability
