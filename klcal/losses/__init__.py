"""What a forecast costs: proper losses, their univariate forms and divergences (Sections 2 and 3)."""

from klcal.losses.forms import UnivariateForm as UnivariateForm
from klcal.losses.proper import LOSSES as LOSSES
from klcal.losses.proper import ProperLoss as ProperLoss
from klcal.losses.proper import check as check
from klcal.losses.proper import log as log
from klcal.losses.proper import mixture_of_v as mixture_of_v
from klcal.losses.proper import named as named
from klcal.losses.proper import spherical as spherical
from klcal.losses.proper import squared as squared
from klcal.losses.proper import tsallis as tsallis
from klcal.losses.proper import v_shaped as v_shaped
