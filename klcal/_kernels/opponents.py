"""Adaptive adversaries, compiled; twins of the classes in `adversaries`.

Each sees the mixture of the round, never the draw. They read the fields that all banks share (`bank`), and are compiled
for the records of each forecaster.
"""

from __future__ import annotations

import math

from klcal._kernels.bank import Learner, Records, cell_of
from klcal._kernels.compiling import engine, inlined
from klcal._kernels.elementary import exp, ln

# Who chooses outcomes.
GIVEN, OPPOSE, GREEDY_EXPECTED, GREEDY_REALISED, BORDER, PUSH = 0, 1, 2, 3, 4, 5
# Those with a setting; it is part of the code, see `with_setting`.
THRESHOLD, GREEDY_EXP, PEAK, JUMP = 6, 7, 8, 9
# One more without a setting.
FEED = 10

# The fractional parts of its multiples are spread as evenly as those of any number.
GOLDEN_RATIO = (math.sqrt(5.0) - 1.0) / 2.0

_KINDS, _SETTING_STEPS, _MOST_STEPS = 16, 1000, 1 << 50


def with_setting(kind: int, setting: float) -> int | None:
    """Return the code of an adversary with a setting, or None if the setting is not a moderate multiple of 1/1000."""
    steps = round(setting * _SETTING_STEPS)
    fits = 0 <= steps < _MOST_STEPS and steps / _SETTING_STEPS == setting
    return kind + _KINDS * steps if fits else None


@engine
def log_regret(point: float, ones: float, zeros: float) -> float:
    """Return mass times KL(mean, point) of one cell; twin of `measures.kl_calibration` on it."""
    if (ones > 0.0 and point == 0.0) or (zeros > 0.0 and point == 1.0):
        return math.inf
    mass = ones + zeros
    value = 0.0
    if ones > 0.0:
        value += ones * ln(ones / (mass * point))
    if zeros > 0.0:
        value += zeros * ln(zeros / (mass * (1.0 - point)))
    return value


@engine
def rises(point: float, ones: float, zeros: float) -> tuple[float, float]:
    """Return by how much `log_regret` of a cell rises with an outcome 0, or 1."""
    before = log_regret(point, ones, zeros)
    return log_regret(point, ones, zeros + 1.0) - before, log_regret(point, ones + 1.0, zeros) - before


@engine
def _greedy(learners: Records, mixture: Records, members: int, expected: bool) -> int:
    """Return the outcome that raises (expected) KL-calibration more; twin of `adversaries.Greedy`."""
    gain = 0.0
    for s in range(members):
        p, learner = mixture[s].share, learners[mixture[s].member]
        z = learner.point
        if expected:
            ones, zeros = learner.weight[1], learner.weight[0]
            gain += log_regret(z, ones + p, zeros) - log_regret(z, ones, zeros + p)
        else:
            ones, zeros = float(learner.count[1]), float(learner.count[0])
            gain += p * (log_regret(z, ones + 1.0, zeros) - log_regret(z, ones, zeros + 1.0))
    return 1 if gain > 0.0 else 0


@engine
def _likeliest(mixture: Records, members: int) -> int:
    """Return the grid index of the largest probability, the lowest one on ties."""
    heaviest = 0
    for s in range(1, members):
        if mixture[s].share > mixture[heaviest].share:
            heaviest = s
    return mixture[heaviest].member  # type: ignore[no-any-return]


@inlined
def _border(learners: Records, mixture: Records, members: int) -> int:
    """Push the heaviest member's learner to its nearer cell border; twin of `adversaries.Border`."""
    learner = learners[_likeliest(mixture, members)]
    w = learner.leaning
    j = cell_of(learners, w, learner.cell)
    if j < 0:
        return 1
    if j == len(learners) - 1:
        return 0
    learner.cell = j  # the next search starts here
    return 1 if learners[j + 1].point - w <= w - learners[j].point else 0


@inlined
def _realised_regret(learner: Learner) -> float:
    """Return what the drawn forecasts of a grid point add to KL-calibration."""
    return log_regret(learner.point, float(learner.count[1]), float(learner.count[0]))


@inlined
def _rises(learner: Learner) -> tuple[float, float]:
    """Return by how much that rises if it is drawn and the outcome is 0, or 1."""
    return rises(learner.point, float(learner.count[1]), float(learner.count[0]))


@engine
def _greedy_exp(learners: Records, mixture: Records, members: int, rate: float) -> int:
    """Return the outcome that raises the exponential moment more; twin of `adversaries.GreedyExp`."""
    largest = -math.inf
    for s in range(members):
        if mixture[s].share > 0.0:
            with_zero, with_one = _rises(learners[mixture[s].member])
            largest = max(largest, max(with_zero, with_one))
    gain = 0.0
    for s in range(members):
        if mixture[s].share > 0.0:
            with_zero, with_one = _rises(learners[mixture[s].member])
            high = exp(rate * (with_one - largest))
            gain += mixture[s].share * (high - exp(rate * (with_zero - largest)))
    return 1 if gain > 0.0 else 0


@inlined
def _outwards(learner: Learner) -> int:
    """Return the outcome that moves the realised mean away from the grid point; twin of `adversaries.Push`."""
    z = learner.point
    ones = float(learner.count[1])
    share = (ones + float(learner.count[0])) * z
    if ones == share:
        return 1 if z > 0.5 else 0
    return 1 if ones > share else 0


@engine
def _mean_forecast(learners: Records, mixture: Records, members: int) -> float:
    """Return the mean of this round's forecast."""
    mean = 0.0
    for s in range(members):
        mean += mixture[s].share * learners[mixture[s].member].point
    return mean


@engine
def _counted(learners: Records) -> int:
    """Return the number of rounds of all grid points."""
    rounds = 0
    for j in range(len(learners)):
        rounds += learners[j].count[0] + learners[j].count[1]
    return rounds


@engine
def _peak(learners: Records, mixture: Records, members: int, level: float) -> int:
    """Play along until a bucket has reached the level, then push it; twin of `adversaries.Peak`."""
    learner = learners[_likeliest(mixture, members)]
    if _realised_regret(learner) >= level:
        return _outwards(learner)
    return 1 if (_counted(learners) * GOLDEN_RATIO) % 1.0 < _mean_forecast(learners, mixture, members) else 0


@engine
def _richest(learners: Records, mixture: Records, members: int) -> int:
    """Return the member with the largest realised regret, the lowest one on ties."""
    richest = 0
    for s in range(1, members):
        regret = _realised_regret(learners[mixture[s].member])
        if regret > _realised_regret(learners[mixture[richest].member]):
            richest = s
    return mixture[richest].member  # type: ignore[no-any-return]


@engine
def _feed(learners: Records, mixture: Records, members: int) -> int:
    """Oppose a certain forecast, push the richest member of a mixture; twin of `adversaries.Feed`."""
    if members == 1:
        return 1 if learners[mixture[0].member].point < 0.5 else 0
    return _outwards(learners[_richest(learners, mixture, members)])


@engine
def _jump(learners: Records, mixture: Records, members: int, period: float) -> int:
    """Compare the mean forecast with a threshold that jumps; twin of `adversaries.Jump`."""
    jumps = 1.0 + math.floor(_counted(learners) / period)
    return 1 if _mean_forecast(learners, mixture, members) < (jumps * GOLDEN_RATIO) % 1.0 else 0


@engine
def choose(learners: Records, mixture: Records, members: int, adversary: int) -> int:
    """Return the outcome of the adversary with this code."""
    if adversary == OPPOSE:
        return 1 if _mean_forecast(learners, mixture, members) < 0.5 else 0
    if adversary == BORDER:
        return _border(learners, mixture, members)
    if adversary == PUSH:
        return _outwards(learners[_likeliest(mixture, members)])
    if adversary == FEED:
        return _feed(learners, mixture, members)
    if adversary <= GREEDY_REALISED:
        return _greedy(learners, mixture, members, adversary == GREEDY_EXPECTED)
    kind, setting = adversary % _KINDS, (adversary // _KINDS) / _SETTING_STEPS
    if kind == THRESHOLD:
        return 1 if _mean_forecast(learners, mixture, members) < setting else 0
    if kind == GREEDY_EXP:
        return _greedy_exp(learners, mixture, members, setting)
    if kind == JUMP:
        return _jump(learners, mixture, members, setting)
    return _peak(learners, mixture, members, setting)
