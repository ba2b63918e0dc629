r"""What is measured in one game: the calibration measures, and how Algorithm 1 came to pay them.

Write :math:`P_{t,i}` for the mixture of round t, :math:`w_{t,i}` for the point of learner i and :math:`z_i` for its
grid point. By stationarity the loss of the forecasts is the loss of the rounded learners, so

.. math:: \mathsf{PKLCal} = \underbrace{\sum_i \mathsf{Reg}_i}_{\texttt{regret}}
          + \underbrace{\sum_t\sum_i P_{t,i}\,\log\frac{w_{t,i}(y_t)}{z_i(y_t)}}_{\texttt{rounding}},
          \qquad p(1) = p,\ p(0) = 1 - p,

with the regret :math:`\mathsf{Reg}_i` of learner i against the best fixed point. ``lem:EWOO_regret_bound`` bounds the
first part by :math:`\sum_i\log(1 + S_i)`, ``lem:rounding`` the second by T times `klcal.bounds.rounding_cost`. With
realised feedback KLCal takes the place of PKLCal, and a third part, ``noise``, is the difference between the drawn and
the mean cost of each round: a martingale.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from klcal._checks import FloatArray
from klcal._kernels import opponents, watching
from klcal._kernels.bank import POINT
from klcal.adversaries import compiled_code
from klcal.experiments.game import Game
from klcal.forecasters.learners import beta_mean, ewoo_plays, ewoo_regret_path
from klcal.forecasters.reduction import FEEDBACK, FastBlumMansour
from klcal.games.play import Run, _opponent
from klcal.grids import full_grid, rounding_change
from klcal.measures import calibration_error, kl_calibration
from klcal.measures.cells import Cells

Row = dict[str, Any]

# Rounds watched at a time: their mixtures should stay in the processor's cache.
_PIECE = 1 << 10


def play_game(game: Game) -> Row:
    r"""Play a game and measure its cells.

    Parameters
    ----------
    game : Game
        What to play.

    Returns
    -------
    dict
        ``points`` of the grid (of all grids together in a doubling game), how many of them were ``used``, that is got
        any probability, how many outcomes were ``ones``; KLCal of the draws and PKLCal of the mixtures (``kl``,
        ``pkl``), and likewise ``cal2``, ``pcal2``, ``cal1``, ``pcal1``; ``log_mass``, the sum of
        :math:`\log(1 + S_i)` over the expected masses, and ``log_count``, that of :math:`\log(1 + n_i)` over the
        numbers of draws.

    Examples
    --------
    >>> row = play_game(Game("paper", "zeros", 1))  # the first forecast is 1/2
    >>> row["points"], row["used"], row["ones"], row["pcal2"], row["cal1"]
    (3, 1, 0, 0.25, 0.5)
    """
    run = game.play()
    return _cell_columns(run.expected, run.realised)


def calibration_errors(expected: Cells, realised: Cells) -> dict[str, float]:
    """Return KLCal, Cal_2 and Cal_1 of the draws, each followed by that of the mixtures.

    Parameters
    ----------
    expected, realised : Cells
        Cells of the mixtures, and of the drawn forecasts.

    Returns
    -------
    dict
        ``kl``, ``pkl``, ``cal2``, ``pcal2``, ``cal1``, ``pcal1``.

    Examples
    --------
    >>> cells = Cells([0.5], [2], [2])
    >>> calibration_errors(cells, cells)["cal2"]
    0.5
    """
    return {
        "kl": kl_calibration(realised),
        "pkl": kl_calibration(expected),
        "cal2": calibration_error(realised, order=2),
        "pcal2": calibration_error(expected, order=2),
        "cal1": calibration_error(realised, order=1),
        "pcal1": calibration_error(expected, order=1),
    }


def _cell_columns(expected: Cells, realised: Cells) -> Row:
    return {
        "points": len(expected),
        "used": int(np.count_nonzero(expected.mass)),
        "ones": int(realised.ones.sum()),
        **calibration_errors(expected, realised),
        "log_mass": float(np.log1p(expected.mass).sum()),
        "log_count": float(np.log1p(realised.mass).sum()),
    }


def watch_game(game: Game) -> Row:
    """Play a game twice, once with `klcal.run` and once watching the learners, and measure both.

    Parameters
    ----------
    game : Game
        What to play: "paper" or "realised", with known horizon.

    Returns
    -------
    dict
        The columns of `play_game` and of `costs`. Raises ``RuntimeError`` if the two plays differ in a single bit.

    Examples
    --------
    >>> row = watch_game(Game("paper", "fair coin", 1000))
    >>> (
    ...     abs(row["pkl"] - row["regret"] - row["rounding"]) < 1e-12,
    ...     row["regret"] < row["log_mass"],
    ... )
    (True, True)
    """
    if game.doubling or game.algorithm not in FEEDBACK:
        raise ValueError(f"game must be one of Algorithm 1 with a known horizon to be watched; got {game}")
    run = game.play()
    expected, realised, inside = _watch(game)
    if expected != run.expected or realised != run.realised:
        raise RuntimeError(f"{game} went differently when it was watched")
    return {**_cell_columns(expected, realised), **inside}


def costs(run: Run) -> Row:
    """Return what happened inside a recorded game: the readable twin of what `watch_game` does.

    Parameters
    ----------
    run : Run
        A game with ``record=True``.

    Returns
    -------
    dict
        ``regret``, ``rounding``, ``noise`` as in the head of this module; ``class_mean`` and ``class_max``, the mean
        and the largest number of grid points that had positive probability in a round.

    Examples
    --------
    >>> from klcal.games.play import run
    >>> # says 1/2, loses log 2 to the best point, 1
    >>> found = costs(run([1], K=2, rng=0, record=True))
    >>> (
    ...     round(found["regret"], 12),
    ...     found["rounding"],
    ...     found["noise"],
    ...     found["class_max"],
    ... )
    (0.69314718056, 0.0, 0.0, 1)
    """
    if run.mixtures is None or run.draws is None or run.algorithm not in FEEDBACK:
        raise ValueError(f"run must be recorded (record=True) and of Algorithm 1; got {run.algorithm!r}")
    n, z = len(run.grid), run.grid.points
    drawn = np.eye(n)[run.draws]
    fed = run.mixtures if run.algorithm == "paper" else drawn
    y = run.outcomes[:, np.newaxis]
    # What each learner had received before each round.
    ones, zeros = (np.cumsum(fed * part, axis=0) - fed * part for part in (y, 1 - y))
    w = beta_mean(ones, zeros)
    gains = np.where(y == 1, np.log(w / z), np.log((1.0 - w) / (1.0 - z)))
    rounding = float((run.mixtures * gains).sum())
    noise = float((fed * gains).sum()) - rounding if run.algorithm == "realised" else 0.0
    sizes = np.count_nonzero(run.mixtures, axis=1)
    return _cost_columns(
        run.algorithm, run.expected, run.realised, rounding, noise, sizes.mean(), sizes.max()
    )


def learner_costs(run: Run) -> tuple[FloatArray, FloatArray]:
    r"""Return what every learner of a recorded game of Algorithm 1 paid: for learning, and for rounding.

    .. math:: R_i &= \sum_t p_{t,i}\,\ell(w_{t,i}, y_t) - \inf_w \sum_t p_{t,i}\,\ell(w, y_t), \\
              C_i &= \sum_t p_{t,i}\Bigl(\sum_j q_{t,i}(j)\,\ell(z_j, y_t) - \ell(w_{t,i}, y_t)\Bigr)

    Together they are PKLCal: Step 2 in the proof of ``thm:bound_pkcal``. Learner by learner C is not the part of
    the sum in `costs` that has the same number; only the totals agree.

    Parameters
    ----------
    run : Run
        A game of the algorithm "paper" with ``record=True``.

    Returns
    -------
    (ndarray, ndarray)
        :math:`R_i` and :math:`C_i`, one of each per grid point.

    Examples
    --------
    >>> from klcal.games.play import run
    >>> learning, rounding = learner_costs(run([1], K=2, rng=0, record=True))
    >>> learning.round(4), rounding
    (array([0.    , 0.6931, 0.    ]), array([0., 0., 0.]))
    """
    if run.mixtures is None or run.algorithm != "paper":
        raise ValueError(f"run must be recorded (record=True) and of Algorithm 1; got {run.algorithm!r}")
    plays = ewoo_plays(run.mixtures, run.outcomes)
    changes = np.array([rounding_change(w, run.grid, run.outcomes) for w in plays.T])
    return ewoo_regret_path(run.mixtures, run.outcomes)[-1], np.sum(run.mixtures.T * changes, axis=1)


def _cost_columns(
    algorithm: str,
    expected: Cells,
    realised: Cells,
    rounding: float,
    noise: float,
    class_mean: float,
    class_max: int,
) -> Row:
    paid = kl_calibration(expected if algorithm == "paper" else realised)
    return {
        "regret": paid - rounding - noise,
        "rounding": rounding,
        "noise": noise,
        "class_mean": float(class_mean),
        "class_max": int(class_max),
    }


def _watch(game: Game) -> tuple[Cells, Cells, Row]:
    """Play `game` piece by piece, watching each; return its cells and its costs."""
    reduction = FastBlumMansour(full_grid(game.row()["K"]), game.algorithm)
    n, generator = len(reduction.grid), game.streams()[0]
    adversary, sequence = _opponent(game.opponent())
    code = opponents.GIVEN if adversary is None else compiled_code(adversary)
    if code is None:
        raise ValueError(f"game must have an adversary with a compiled twin to be watched; got {game}")
    realises = game.algorithm == "realised"
    learners = np.zeros_like(reduction.bank.reals)
    learners[POINT] = reduction.grid.points
    totals, sizes, members = np.zeros(4), np.zeros(2, dtype=np.int64), np.zeros(n, dtype=np.int64)
    draws, mixtures = np.zeros(_PIECE, dtype=np.int64), np.zeros((_PIECE, n))
    for start in range(0, game.T, _PIECE):
        length = min(_PIECE, game.T - start)
        outcomes = sequence[start : start + length].copy()
        now = (draws[:length], mixtures[:length])
        reduction.play_rounds(outcomes, generator.random(length), code, *now)
        bits = now[1].view(np.uint64)
        watching.watch_rounds(learners, totals, sizes, members, realises, outcomes, *now, bits)
    expected, realised = reduction.expected, reduction.realised
    rounding, noise = float(totals[watching.ROUNDING]), float(totals[watching.NOISE])
    mean, largest = int(sizes[watching.SIZE_SUM]) / game.T, int(sizes[watching.SIZE_MAX])
    return (
        expected,
        realised,
        _cost_columns(game.algorithm, expected, realised, rounding, noise, mean, largest),
    )
