"""How far the draws stray from the mixtures: 1,000 draws of every game of up to a million rounds."""

from __future__ import annotations

from klcal.adversaries import ADAPTIVE, OBLIVIOUS
from klcal.experiments.game import games
from klcal.experiments.replicates import measure_replicates
from klcal.experiments.studies._common import EVERYONE, ROOT, repetitions
from klcal.experiments.study import Study

_FEEDBACK_T = 10**4

STUDIES = (
    Study(
        "high-probability",
        "Cal_2 of 1,000 draws of one game for mixtures known in advance, of 200 games where draws feed back.",
        (
            *(
                game
                for T in (10**3, 10**4, 10**5, 10**6)
                for game in games(adversary=OBLIVIOUS, T=T, seed=repetitions(T))
            ),
            *games(adversary=ADAPTIVE, T=_FEEDBACK_T, seed=repetitions(_FEEDBACK_T)),
            *games(algorithm="realised", adversary=EVERYONE, T=_FEEDBACK_T, seed=repetitions(_FEEDBACK_T)),
        ),
        ROOT,
        measure_replicates,
    ),
)
