r"""Calibration measures and regrets, each one functional of `Cells`.

Realised cells give KLCal, Cal and SReg, expected cells PKLCal, PCal and PSReg. All are sums over rounds, as
in the paper, not averages.
"""

from klcal.measures.cells import Cells as Cells
from klcal.measures.cells import calibration_error as calibration_error
from klcal.measures.cells import cell_regrets as cell_regrets
from klcal.measures.cells import external_regret as external_regret
from klcal.measures.cells import kl_calibration as kl_calibration
from klcal.measures.cells import murphy_resolution as murphy_resolution
from klcal.measures.cells import swap_regret as swap_regret
from klcal.measures.cells import total_loss as total_loss
from klcal.measures.chance import Band as Band
from klcal.measures.chance import Coins as Coins
from klcal.measures.isotonic import Isotonic as Isotonic
from klcal.measures.isotonic import Tilt as Tilt
from klcal.measures.report import Report as Report
from klcal.measures.report import measure as measure
from klcal.measures.suprema import VProfile as VProfile
from klcal.measures.suprema import max_external_regret as max_external_regret
from klcal.measures.suprema import max_swap_regret as max_swap_regret
from klcal.measures.suprema import v_profile as v_profile
from klcal.measures.suprema import worst_swap_loss as worst_swap_loss
