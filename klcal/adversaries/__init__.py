r"""Who chooses the outcomes.

Oblivious adversaries are functions that return a whole sequence of outcomes, written before the game. Adaptive ones
are objects that choose round by round from a `View` of the game; the draw of the current round is never part of it.

Random sequences use a child of the given seed. So the same seed may be given to an adversary and to `klcal.run`: the
outcomes stay independent of the forecaster's draws, as every theorem about drawn forecasts requires.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from types import MappingProxyType
from typing import TypeVar

from klcal._checks import OutcomeArray
from klcal.adversaries.adaptive import Adaptive as Adaptive
from klcal.adversaries.adaptive import Border as Border
from klcal.adversaries.adaptive import Feed as Feed
from klcal.adversaries.adaptive import Greedy as Greedy
from klcal.adversaries.adaptive import GreedyExp as GreedyExp
from klcal.adversaries.adaptive import Jump as Jump
from klcal.adversaries.adaptive import Oppose as Oppose
from klcal.adversaries.adaptive import Peak as Peak
from klcal.adversaries.adaptive import Push as Push
from klcal.adversaries.adaptive import Threshold as Threshold
from klcal.adversaries.adaptive import View as View
from klcal.adversaries.oblivious import Seed
from klcal.adversaries.oblivious import alternating as alternating
from klcal.adversaries.oblivious import bernoulli as bernoulli
from klcal.adversaries.oblivious import blocks as blocks
from klcal.adversaries.oblivious import constant as constant
from klcal.adversaries.oblivious import low_discrepancy as low_discrepancy
from klcal.adversaries.oblivious import random_walk as random_walk
from klcal.adversaries.oblivious import regimes as regimes
from klcal.adversaries.oblivious import sinusoid as sinusoid

_Opponent = TypeVar("_Opponent")


def _fixed(make: Callable[[int], _Opponent], T: int, rng: Seed) -> _Opponent:
    del rng  # nothing about this opponent is random
    return make(T)


def _random(make: Callable[..., OutcomeArray], T: int, rng: Seed) -> OutcomeArray:
    return make(T, rng=rng)


#: Every oblivious adversary under a name, as a function of the horizon and a seed.
OBLIVIOUS: Mapping[str, Callable[[int, Seed], OutcomeArray]] = MappingProxyType(
    {
        "zeros": partial(_fixed, constant),
        "fair coin": partial(_random, bernoulli),
        "coin 0.3": partial(_random, partial(bernoulli, probability=0.3)),
        "rare events": partial(_random, partial(bernoulli, probability=0.01)),
        "alternating": partial(_fixed, alternating),
        "blocks": partial(_fixed, blocks),
        "regimes": partial(_random, regimes),
        "random walk": partial(_random, random_walk),
        "sinusoid": partial(_random, sinusoid),
        "low discrepancy": partial(_fixed, low_discrepancy),
    }
)
#: Every adaptive adversary under a name, as a function of the horizon.
ADAPTIVE: Mapping[str, Callable[[int], Adaptive]] = MappingProxyType(
    {
        "oppose": Oppose,
        "greedy": Greedy,
        "greedy realised": partial(Greedy, cells="realised"),
        "border": Border,
        "threshold 0.05": partial(Threshold, threshold=0.05),
        "greedy exp 0.5": partial(GreedyExp, rate=0.5),
        "greedy exp 2": partial(GreedyExp, rate=2.0),
        "push": Push,
        "peak": Peak,
    }
)
#: Made to break the tree, as functions of the horizon and a seed; of the stored tables only the tree's have them.
AGAINST_THE_TREE: Mapping[str, Callable[[int, Seed], OutcomeArray | Adaptive]] = MappingProxyType(
    {
        "feed the richer": partial(_fixed, Feed),
        "threshold jumps 100": partial(_fixed, partial(Jump, period=100)),
        "threshold jumps 1000": partial(_fixed, Jump),
        "drifting coin": partial(_random, partial(sinusoid, periods=0.5)),
        "drifting coin, fast": partial(_random, partial(sinusoid, periods=50.0)),
    }
)
