"""Results become pictures; the only room that imports matplotlib.

Every function takes numbers, draws on `ax` (a new one by default) and returns it. Nothing here computes a quantity of
the theory, shows a window or saves a file.
"""

from __future__ import annotations

from klcal import _checks

with _checks.extra("figures"):
    from klcal.figures.canvas import BOUND as BOUND
    from klcal.figures.canvas import HIGHLIGHT as HIGHLIGHT
    from klcal.figures.canvas import LOWER_BOUND as LOWER_BOUND
    from klcal.figures.canvas import MEASURED as MEASURED
    from klcal.figures.canvas import OUR_BOUND as OUR_BOUND
    from klcal.figures.canvas import PAPERS_BOUND as PAPERS_BOUND
    from klcal.figures.canvas import REFERENCE as REFERENCE
    from klcal.figures.canvas import label as label
    from klcal.figures.canvas import panels as panels
    from klcal.figures.canvas import use_style as use_style
    from klcal.figures.forecasts import plot_reliability as plot_reliability
