"""Adaptive adversaries, compiled; twins of the classes in `adversaries`.

Each sees the mixture of the round, never the draw. They read the rows that all banks share (`bank`), so one copy serves
every compiled forecaster.
"""

from __future__ import annotations

import math

from klcal._kernels.bank import CELL, COUNT, LEANING, MEMBER, MIXTURE, POINT, SIZE, SUM, cell_of
from klcal._kernels.compiling import Reals, Whole, engine
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
    mass = ones + zeros
    value = 0.0
    if ones > 0.0:
        value += ones * ln(ones / (mass * point))
    if zeros > 0.0:
        value += zeros * ln(zeros / (mass * (1.0 - point)))
    return value


@engine
def rises(point: float, ones: float, zeros: float) -> tuple[float, float]:
    """Return by how much `log_regret` of a cell rises with an outcome 0, or 1; twin of `adversaries.adaptive.rises`."""
    before = log_regret(point, ones, zeros)
    return log_regret(point, ones, zeros + 1.0) - before, log_regret(point, ones + 1.0, zeros) - before


@engine
def _greedy(reals: Reals, whole: Whole, control: Whole, expected: bool) -> int:
    """Return the outcome that raises (expected) KL-calibration more; twin of `adversaries.Greedy`."""
    gain = 0.0
    for s in range(control[SIZE]):
        i, p = whole[MEMBER, s], reals[MIXTURE, s]
        z = reals[POINT, i]
        if expected:
            ones, zeros = reals[SUM + 1, i], reals[SUM + 0, i]
            gain += log_regret(z, ones + p, zeros) - log_regret(z, ones, zeros + p)
        else:
            ones, zeros = float(whole[COUNT + 1, i]), float(whole[COUNT + 0, i])
            gain += p * (log_regret(z, ones + 1.0, zeros) - log_regret(z, ones, zeros + 1.0))
    return 1 if gain > 0.0 else 0


@engine
def _likeliest(reals: Reals, whole: Whole, control: Whole) -> int:
    """Return the grid index of the largest probability, the lowest one on ties."""
    heaviest = 0
    for s in range(1, control[SIZE]):
        if reals[MIXTURE, s] > reals[MIXTURE, heaviest]:
            heaviest = s
    return whole[MEMBER, heaviest]  # type: ignore[no-any-return]


@engine
def _border(reals: Reals, whole: Whole, control: Whole) -> int:
    """Push the heaviest member's learner to its nearer cell border; twin of `adversaries.Border`."""
    i = _likeliest(reals, whole, control)
    w = reals[LEANING, i]
    j = cell_of(reals, w, whole[CELL, i])
    if j < 0:
        return 1
    if j == reals.shape[1] - 1:
        return 0
    whole[CELL, i] = j  # the next search for i starts here
    return 1 if reals[POINT, j + 1] - w <= w - reals[POINT, j] else 0


@engine
def _realised_regret(reals: Reals, whole: Whole, i: int) -> float:
    """Return what the drawn forecasts of grid point i add to KL-calibration."""
    return log_regret(reals[POINT, i], float(whole[COUNT + 1, i]), float(whole[COUNT + 0, i]))


@engine
def _rises(reals: Reals, whole: Whole, i: int) -> tuple[float, float]:
    """Return by how much that rises if i is drawn and the outcome is 0, or 1."""
    return rises(reals[POINT, i], float(whole[COUNT + 1, i]), float(whole[COUNT + 0, i]))


@engine
def _greedy_exp(reals: Reals, whole: Whole, control: Whole, rate: float) -> int:
    """Return the outcome that raises the exponential moment more; twin of `adversaries.GreedyExp`."""
    largest = -math.inf
    for s in range(control[SIZE]):
        if reals[MIXTURE, s] > 0.0:
            with_zero, with_one = _rises(reals, whole, whole[MEMBER, s])
            largest = max(largest, max(with_zero, with_one))
    gain = 0.0
    for s in range(control[SIZE]):
        if reals[MIXTURE, s] > 0.0:
            with_zero, with_one = _rises(reals, whole, whole[MEMBER, s])
            high = exp(rate * (with_one - largest))
            gain += reals[MIXTURE, s] * (high - exp(rate * (with_zero - largest)))
    return 1 if gain > 0.0 else 0


@engine
def _outwards(reals: Reals, whole: Whole, i: int) -> int:
    """Return the outcome that moves the realised mean of i away from its point; twin of `adversaries.Push`."""
    z = reals[POINT, i]
    ones = float(whole[COUNT + 1, i])
    share = (ones + float(whole[COUNT + 0, i])) * z
    if ones == share:
        return 1 if z > 0.5 else 0
    return 1 if ones > share else 0


@engine
def _mean_forecast(reals: Reals, whole: Whole, control: Whole) -> float:
    """Return the mean of this round's forecast."""
    mean = 0.0
    for s in range(control[SIZE]):
        mean += reals[MIXTURE, s] * reals[POINT, whole[MEMBER, s]]
    return mean


@engine
def _counted(whole: Whole) -> int:
    """Return the number of rounds in all columns."""
    rounds = 0
    for j in range(whole.shape[1]):
        rounds += whole[COUNT + 0, j] + whole[COUNT + 1, j]
    return rounds


@engine
def _peak(reals: Reals, whole: Whole, control: Whole, level: float) -> int:
    """Play along until a bucket has reached the level, then push it; twin of `adversaries.Peak`."""
    i = _likeliest(reals, whole, control)
    if _realised_regret(reals, whole, i) >= level:
        return _outwards(reals, whole, i)
    return 1 if (_counted(whole) * GOLDEN_RATIO) % 1.0 < _mean_forecast(reals, whole, control) else 0


@engine
def _richest(reals: Reals, whole: Whole, control: Whole) -> int:
    """Return the member with the largest realised regret, the lowest one on ties."""
    richest = 0
    for s in range(1, control[SIZE]):
        if _realised_regret(reals, whole, whole[MEMBER, s]) > _realised_regret(
            reals, whole, whole[MEMBER, richest]
        ):
            richest = s
    return whole[MEMBER, richest]  # type: ignore[no-any-return]


@engine
def _feed(reals: Reals, whole: Whole, control: Whole) -> int:
    """Oppose a certain forecast, push the richest member of a mixture; twin of `adversaries.Feed`."""
    if control[SIZE] == 1:
        return 1 if reals[POINT, whole[MEMBER, 0]] < 0.5 else 0
    return _outwards(reals, whole, _richest(reals, whole, control))


@engine
def _jump(reals: Reals, whole: Whole, control: Whole, period: float) -> int:
    """Compare the mean forecast with a threshold that jumps; twin of `adversaries.Jump`."""
    jumps = 1.0 + math.floor(_counted(whole) / period)
    return 1 if _mean_forecast(reals, whole, control) < (jumps * GOLDEN_RATIO) % 1.0 else 0


@engine
def choose(reals: Reals, whole: Whole, control: Whole, adversary: int) -> int:
    """Return the outcome of the adversary with this code."""
    if adversary == OPPOSE:
        return 1 if _mean_forecast(reals, whole, control) < 0.5 else 0
    if adversary == BORDER:
        return _border(reals, whole, control)
    if adversary == PUSH:
        return _outwards(reals, whole, _likeliest(reals, whole, control))
    if adversary == FEED:
        return _feed(reals, whole, control)
    if adversary <= GREEDY_REALISED:
        return _greedy(reals, whole, control, adversary == GREEDY_EXPECTED)
    kind, setting = adversary % _KINDS, (adversary // _KINDS) / _SETTING_STEPS
    if kind == THRESHOLD:
        return 1 if _mean_forecast(reals, whole, control) < setting else 0
    if kind == GREEDY_EXP:
        return _greedy_exp(reals, whole, control, setting)
    if kind == JUMP:
        return _jump(reals, whole, control, setting)
    return _peak(reals, whole, control, setting)
