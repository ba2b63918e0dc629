"""The dual game, played in two engines."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from klcal import _checks
from klcal._checks import FloatArray, IntArray, OutcomeArray
from klcal._kernels import dual_game as kernel
from klcal.adversaries import Seed
from klcal.games.dual_game._announcers import ANNOUNCERS, Greedy, menu
from klcal.games.dual_game._answers import answers, borders
from klcal.grids import Grid
from klcal.measures import Cells, cell_regrets
from klcal.measures.coins import binomial_chances


@dataclass(frozen=True, eq=False)
class DualGames:
    """Independent games against the same announcer.

    Parameters
    ----------
    grid : Grid
        The forecasts.
    nearest : str
        How announcements were answered.
    mass, ones : ndarray, shape (games, n)
        How often each point was the forecast, and how often with outcome 1.
    announcements : ndarray, shape (games, T), or None
        The announced probabilities, when recorded.
    answers : ndarray of int64, shape (games, T), or None
        Grid index of every forecast, when recorded.
    outcomes : ndarray of uint8, shape (games, T), or None
        The outcomes, when recorded.
    """

    grid: Grid
    nearest: str
    mass: FloatArray
    ones: FloatArray
    announcements: FloatArray | None = None
    answers: IntArray | None = None
    outcomes: OutcomeArray | None = None

    def __len__(self) -> int:
        return len(self.mass)

    def cells(self, game: int = 0) -> Cells:
        """Return the cells of one game; every measure applies to them."""
        return Cells(self.grid.points, self.mass[game], self.ones[game])

    def kl_calibration(self) -> FloatArray:
        """Return KLCal of every game, shape (games,)."""
        return np.asarray(cell_regrets(self.grid.points, self.ones, self.mass - self.ones).sum(axis=1))

    def kl_path(self, game: int = 0) -> FloatArray:
        """Return KLCal of one recorded game after each of its rounds, shape (T,)."""
        if self.answers is None or self.outcomes is None:
            raise ValueError("games must be recorded to have a path; play them with record=True")
        visits = self.answers[game][:, np.newaxis] == np.arange(len(self.grid))
        mass = np.cumsum(visits, axis=0).astype(np.float64)
        ones = np.cumsum(visits * self.outcomes[game][:, np.newaxis], axis=0).astype(np.float64)
        return DualGames(self.grid, self.nearest, mass, ones).kl_calibration()


def play(
    announcer: npt.ArrayLike | Greedy,
    grid: Grid,
    nearest: str = "kl",
    *,
    games: int = 1,
    engine: str = "fast",
    rng: Seed = None,
    record: bool = False,
) -> DualGames:
    r"""Play the dual game: announce :math:`\tilde p_t`, answer with the nearest point, draw :math:`y_t`.

    Parameters
    ----------
    announcer : array_like, shape (T,), or Greedy
        Announced probabilities, or the announcer that looks at the counts.
    grid : Grid
        The forecasts, strictly inside (0, 1).
    nearest : {"euclid", "kl", "chi-square"}
        As for `borders`.
    games : int
        How many independent games.
    engine : {"fast", "reference"}
        Compiled, or plain NumPy; both use one uniform number per round and play the same game.
    rng : None, int, Generator, ...
        Source of the outcomes, for ``numpy.random.default_rng``.
    record : bool
        Whether to keep announcements, answers and outcomes.

    Returns
    -------
    DualGames
        The counts of every game, and what was recorded.

    Examples
    --------
    >>> from klcal.grids import inner_grid
    >>> played = play([0.0, 1.0, 1.0], inner_grid(3), rng=0)
    >>> played.mass.tolist(), played.ones.tolist()
    ([[1.0, 2.0]], [[0.0, 2.0]])
    >>> round(float(np.exp(played.kl_calibration()[0])), 12)  # (4/3)^3
    2.37037037037
    """
    games = _checks.integer("games", games, least=1)
    play_rounds = _ENGINES[_checks.choice("engine", engine, _ENGINES)]
    given = None if isinstance(announcer, Greedy) else _checked(announcer)
    rounds = announcer.horizon if isinstance(announcer, Greedy) else len(_checked(announcer))
    table = (grid.points.copy(), borders(grid, nearest), menu(grid, nearest))
    code = kernel.GREEDY if given is None else kernel.GIVEN
    generator = np.random.default_rng(rng)
    kept = games if record else 1
    announcements = np.zeros((kept, rounds))
    indices = np.zeros((kept, rounds), dtype=np.int64)
    outcomes = np.zeros((kept, rounds), dtype=np.uint8)
    counts = np.zeros((games, 2, len(grid)), dtype=np.int64)
    for game in range(games):
        row = game if record else 0
        if given is not None:
            announcements[row] = given
        records = (counts[game], indices[row], outcomes[row])
        play_rounds(*table, code, announcements[row], generator.random(rounds), *records)
    mass, ones = counts.sum(axis=1).astype(np.float64), counts[:, 1].astype(np.float64)
    if not record:
        return DualGames(grid, nearest, mass, ones)
    return DualGames(grid, nearest, mass, ones, announcements, indices, outcomes)


def _checked(announcements: npt.ArrayLike) -> FloatArray:
    array = _checks.probabilities("announcer", announcements, ndim=1)
    _checks.nonempty("announcer", array)
    return array


def _reference(
    points: FloatArray,
    borders: FloatArray,
    menu: FloatArray,
    announcer: int,
    announcements: FloatArray,
    uniforms: FloatArray,
    counts: IntArray,
    indices: IntArray,
    outcomes: OutcomeArray,
) -> None:
    """Play ``len(uniforms)`` rounds in plain NumPy; see `klcal._kernels.dual_game.play_rounds`."""
    replies = np.searchsorted(borders, menu, side="left").astype(np.int64)
    opponent = Greedy(len(uniforms))
    for t, uniform in enumerate(uniforms):
        if announcer == kernel.GREEDY:
            announcements[t] = opponent.announce(menu, replies, points, counts)
        indices[t] = np.searchsorted(borders, announcements[t], side="left")
        outcomes[t] = uniform < announcements[t]
        counts[outcomes[t], indices[t]] += 1


_ENGINES = {"fast": kernel.play_rounds, "reference": _reference}


def _law_of_ones(probabilities: FloatArray) -> FloatArray:
    """Return the law of the number of ones among independent outcomes."""
    law = np.ones(1)
    for p, count in zip(*np.unique(probabilities, return_counts=True), strict=True):
        law = np.convolve(law, binomial_chances(int(count), np.arange(count + 1), float(p)))
    return law


def expected_kl_calibration(announcements: npt.ArrayLike, grid: Grid, nearest: str = "kl") -> float:
    r"""Return E[KLCal] against announcements written before the game, from the law of the counts.

    .. math:: \mathbb E[\mathsf{KLCal}] = \sum_i \mathbb E\bigl[n_i\,\mathsf{KL}(\tfrac{k_i}{n_i}, z_i)\bigr]

    No game is played: the number of rounds :math:`n_i` with forecast :math:`z_i` is known, and the number of ones
    :math:`k_i` among them is a sum of independent outcomes.

    Parameters
    ----------
    announcements : array_like, shape (T,)
        Announced probabilities.
    grid : Grid
        The forecasts, strictly inside (0, 1).
    nearest : {"euclid", "kl", "chi-square"}
        As for `borders`.

    Returns
    -------
    float
        The expectation, up to the rounding of floats.

    Examples
    --------
    >>> from klcal.grids import inner_grid
    >>> # 2 log 2 with probability 1/2
    >>> cost = float(expected_kl_calibration([0.5, 0.5], inner_grid(2)))
    >>> round(cost / float(np.log(2)), 12)
    1.0
    """
    announced = _checked(announcements)
    places = answers(announced, grid, nearest)
    total = 0.0
    for i in np.unique(places).tolist():
        law = _law_of_ones(announced[places == i])
        ones = np.arange(len(law), dtype=np.float64)
        total += float(law @ cell_regrets(grid.points[i], ones, ones[::-1]))
    return total


def announcer_costs(grid: Grid, T: int, nearest: str = "kl") -> dict[str, float]:
    """Return E[KLCal] against each announcer of `ANNOUNCERS`, from the law of the counts.

    Parameters
    ----------
    grid : Grid
        The forecasts, strictly inside (0, 1), at least two.
    T : int
        Number of rounds, at least 1.
    nearest : {"euclid", "kl", "chi-square"}
        As for `borders`.

    Returns
    -------
    dict
        Name of the announcer -> `expected_kl_calibration`.

    Examples
    --------
    >>> from klcal.grids import inner_grid
    >>> costs = announcer_costs(inner_grid(3), 1)
    >>> for name, cost in costs.items():
    ...     print(name, round(cost, 3))
    at the end 0.288
    in the worst cell 0.837
    round the borders 0.837
    sweep 0.837
    """
    return {
        name: expected_kl_calibration(announce(grid, T, nearest), grid, nearest)
        for name, announce in ANNOUNCERS.items()
    }
