"""Where the names of the package live: for type checkers, and for `__init__.py`, which loads them when asked."""

from typing import Final

from klcal import adversaries as adversaries
from klcal import book as book
from klcal import bounds as bounds
from klcal.forecasters.algorithm_1 import BlumMansour as BlumMansour
from klcal.forecasters.recalibrator import Recalibrator as Recalibrator
from klcal.forecasters.stream import Forecaster as Forecaster
from klcal.games.play import DoublingRun as DoublingRun
from klcal.games.play import Run as Run
from klcal.games.play import run as run
from klcal.games.play import run_doubling as run_doubling
from klcal.grids import Grid as Grid
from klcal.grids import full_grid as full_grid
from klcal.grids import inner_grid as inner_grid
from klcal.grids import linear_rounding as linear_rounding
from klcal.grids import log_odds_rounding as log_odds_rounding
from klcal.grids import log_rounding as log_rounding
from klcal.grids import nearest_rounding as nearest_rounding
from klcal.grids import resolution as resolution
from klcal.grids import uniform_grid as uniform_grid
from klcal.losses import LOSSES as LOSSES
from klcal.losses import ProperLoss as ProperLoss
from klcal.losses import tsallis as tsallis
from klcal.losses import v_shaped as v_shaped
from klcal.measures import calibration_error as calibration_error
from klcal.measures import external_regret as external_regret
from klcal.measures import kl_calibration as kl_calibration
from klcal.measures import max_external_regret as max_external_regret
from klcal.measures import max_swap_regret as max_swap_regret
from klcal.measures import swap_regret as swap_regret
from klcal.measures.cells import Cells as Cells
from klcal.measures.report import measure as measure

__version__: Final[str]
ROOMS: Final[dict[str, str]]
