"""Oblivious adversaries: the whole sequence is written before the game.

Random sequences use a child of the given seed. So the same seed may be given to an adversary and to `klcal.run`: the
outcomes stay independent of the forecaster's draws, as every theorem about drawn forecasts requires.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from klcal import _checks
from klcal._checks import FloatArray, OutcomeArray
from klcal._kernels.opponents import GOLDEN_RATIO

#: Where randomness comes from, which is a generator, the number that starts one, or None for a new one.
Seed = np.random.Generator | int | None

# Random sequences are drawn in pieces, so that memory beyond the outcomes does not grow with T.
_PIECE = 1 << 18

# Coefficients of sin(2 pi x) at x, x^3, x^5, ...: on a quarter of a turn the terms left out are below 2e-18.
_SINE = list(
    itertools.accumulate(
        range(1, 11), lambda c, k: -c * math.tau * math.tau / (2 * k * (2 * k + 1)), initial=math.tau
    )
)


def _sine_of_turns(turns: FloatArray) -> FloatArray:
    r"""Return :math:`\sin(2\pi x)`, of plain IEEE operations: every machine finds the same wave."""
    x = turns - np.rint(turns)
    x = np.where(np.abs(x) > 0.25, np.copysign(0.5, x) - x, x)
    square, found = x * x, np.zeros_like(x)
    for coefficient in reversed(_SINE):
        found = found * square + coefficient
    return x * found


def constant(T: int, outcome: int = 0) -> OutcomeArray:
    """Return the same outcome T times.

    Parameters
    ----------
    T : int
        Number of rounds, at least 1.
    outcome : {0, 1}
        The outcome.

    Returns
    -------
    ndarray of uint8, shape (T,)
        The outcomes.

    Examples
    --------
    >>> constant(3, 1)
    array([1, 1, 1], dtype=uint8)
    """
    return np.full(_rounds(T), _checks.outcome("outcome", outcome), dtype=np.uint8)


def bernoulli(T: int, probability: float = 0.5, *, rng: Seed = None) -> OutcomeArray:
    """Return T independent coin flips.

    Parameters
    ----------
    T : int
        Number of rounds, at least 1.
    probability : float
        Probability of outcome 1.
    rng : None, int, Generator, ...
        For ``numpy.random.default_rng``.

    Returns
    -------
    ndarray of uint8, shape (T,)
        The outcomes.

    Examples
    --------
    >>> bernoulli(4, 1.0, rng=0)
    array([1, 1, 1, 1], dtype=uint8)
    """
    bias = _checks.probability("probability", probability)
    return _flips(T, lambda start, stop: np.full(stop - start, bias), rng)


def alternating(T: int) -> OutcomeArray:
    """Return 0, 1, 0, 1, ...

    Parameters
    ----------
    T : int
        Number of rounds, at least 1.

    Returns
    -------
    ndarray of uint8, shape (T,)
        The outcomes.

    Examples
    --------
    >>> alternating(5)
    array([0, 1, 0, 1, 0], dtype=uint8)
    """
    return blocks(T, 1)


def blocks(T: int, length: int = 100) -> OutcomeArray:
    """Return blocks of equal outcomes, the first of zeros.

    Parameters
    ----------
    T : int
        Number of rounds, at least 1.
    length : int
        Rounds per block, at least 1.

    Returns
    -------
    ndarray of uint8, shape (T,)
        The outcomes.

    Examples
    --------
    >>> blocks(7, 3)
    array([0, 0, 0, 1, 1, 1, 0], dtype=uint8)
    """
    length = _checks.integer("length", length, least=1)
    outcomes = np.empty(_rounds(T), dtype=np.uint8)
    for start in range(0, len(outcomes), _PIECE):
        rounds = np.arange(start, min(start + _PIECE, len(outcomes)))
        outcomes[start : start + _PIECE] = (rounds // length) % 2
    return outcomes


def regimes(
    T: int, probabilities: npt.ArrayLike = (0.1, 0.5, 0.9), *, switches: int = 9, rng: Seed = None
) -> OutcomeArray:
    """Return coin flips whose bias changes up to `switches` times, at equal distances, going round `probabilities`.

    Parameters
    ----------
    T : int
        Number of rounds, at least 1.
    probabilities : array_like
        The biases, in [0, 1].
    switches : int
        Largest number of changes, at least 0.
    rng : None, int, Generator, ...
        For ``numpy.random.default_rng``.

    Returns
    -------
    ndarray of uint8, shape (T,)
        The outcomes.

    Examples
    --------
    >>> regimes(6, [0.0, 1.0], switches=2, rng=0)
    array([0, 0, 1, 1, 0, 0], dtype=uint8)
    """
    biases = _checks.probabilities("probabilities", probabilities, ndim=1)
    _checks.nonempty("probabilities", biases)
    parts = _checks.integer("switches", switches, least=0) + 1
    length = math.ceil(_rounds(T) / parts)
    return _flips(T, lambda start, stop: biases[np.arange(start, stop) // length % len(biases)], rng)


def random_walk(T: int, step: float = 0.01, *, start: float = 0.5, rng: Seed = None) -> OutcomeArray:
    """Return coin flips whose bias walks randomly, reflected at 0 and 1.

    The walk moves by a uniform number in [-step, step] before every round.

    Parameters
    ----------
    T : int
        Number of rounds, at least 1.
    step : float
        Largest move, at least 0.
    start : float
        Bias before the first move.
    rng : None, int, Generator, ...
        For ``numpy.random.default_rng``. Two uniform numbers are used per round.

    Returns
    -------
    ndarray of uint8, shape (T,)
        The outcomes.

    Examples
    --------
    >>> random_walk(4, 0.0, start=1.0, rng=0)
    array([1, 1, 1, 1], dtype=uint8)
    """
    reach = _checks.real("step", step, least=0.0)
    position = _checks.probability("start", start)
    generator = _child(rng)
    outcomes = np.empty(_rounds(T), dtype=np.uint8)
    for begin in range(0, len(outcomes), _PIECE):
        uniforms = generator.random((min(_PIECE, len(outcomes) - begin), 2))
        walk = position + np.cumsum(reach * (2.0 * uniforms[:, 0] - 1.0))
        # Reflecting at both ends is folding the line with period 2.
        folded = np.abs((walk + 1.0) % 2.0 - 1.0)
        outcomes[begin : begin + _PIECE] = uniforms[:, 1] < folded
        position = float(folded[-1])
    return outcomes


def sinusoid(T: int, periods: float = 5.0, *, amplitude: float = 0.5, rng: Seed = None) -> OutcomeArray:
    r"""Return coin flips with bias :math:`\frac12 + a \sin(2\pi\,\mathrm{periods}\, t/T)`.

    Parameters
    ----------
    T : int
        Number of rounds, at least 1.
    periods : float
        Number of full waves over the horizon, at least 0.
    amplitude : float
        The amplitude a, in [0, 1/2].
    rng : None, int, Generator, ...
        For ``numpy.random.default_rng``.

    Returns
    -------
    ndarray of uint8, shape (T,)
        The outcomes.

    Examples
    --------
    >>> sinusoid(4, 0.0, amplitude=0.5, rng=0).shape
    (4,)
    """
    waves = _checks.real("periods", periods, least=0.0)
    height = _checks.real("amplitude", amplitude, least=0.0)
    if height > 0.5:
        raise ValueError(f"amplitude must be at most 0.5; got {amplitude!r}")

    def bias(start: int, stop: int) -> FloatArray:
        return 0.5 + height * _sine_of_turns(waves * np.arange(start, stop) / T)

    return _flips(T, bias, rng)


def low_discrepancy(T: int, frequency: float = GOLDEN_RATIO) -> OutcomeArray:
    r"""Return the most evenly spread sequence with the given frequency of ones.

    .. math:: y_t = \lfloor t f \rfloor - \lfloor (t - 1) f \rfloor

    so that every prefix of length t has :math:`\lfloor t f \rfloor` ones.

    Parameters
    ----------
    T : int
        Number of rounds, at least 1.
    frequency : float
        The frequency f, in [0, 1].

    Returns
    -------
    ndarray of uint8, shape (T,)
        The outcomes.

    Examples
    --------
    >>> low_discrepancy(8, 0.375)
    array([0, 0, 1, 0, 0, 1, 0, 1], dtype=uint8)
    """
    f = _checks.probability("frequency", frequency)
    outcomes = np.empty(_rounds(T), dtype=np.uint8)
    for start in range(0, len(outcomes), _PIECE):
        rounds = np.arange(start, min(start + _PIECE, len(outcomes)) + 1)
        outcomes[start : start + _PIECE] = np.diff(np.floor(rounds * f))
    return outcomes


def _rounds(T: int) -> int:
    return _checks.integer("T", T, least=1)


def _child(rng: Seed) -> np.random.Generator:
    return np.random.default_rng(rng).spawn(1)[0]


def _flips(T: int, bias: Callable[[int, int], FloatArray], rng: Seed) -> OutcomeArray:
    generator = _child(rng)
    outcomes = np.empty(_rounds(T), dtype=np.uint8)
    for start in range(0, len(outcomes), _PIECE):
        stop = min(start + _PIECE, len(outcomes))
        outcomes[start:stop] = generator.random(stop - start) < bias(start, stop)
    return outcomes
