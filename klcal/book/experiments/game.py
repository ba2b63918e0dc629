"""`Game`: everything that one row of a table depends on, and the seeds of games."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import product
from typing import Any

import numpy as np

from klcal import _checks
from klcal._checks import OutcomeArray
from klcal.adversaries import ADAPTIVE, AGAINST_THE_TREE, OBLIVIOUS, Adaptive
from klcal.forecasters.stream import EVERY_ALGORITHM
from klcal.forecasters.tree import TREES
from klcal.games import play
from klcal.games.play import play_match
from klcal.grids import resolution

#: Entropy and spawn key of a `numpy.random.SeedSequence`, in one tuple.
SeedKey = tuple[int, ...]
#: A name, or a function or class of one's own.
Player = str | Callable[..., Any]


def player_name(player: Player) -> str:
    """Return what a table calls a player: a name of the package has no colon, one of your own is ``module:name``."""
    if isinstance(player, str):
        return player
    if isinstance(player, partial):
        named = (f"{key}={value!r}" for key, value in sorted(player.keywords.items()))
        words = [*map(repr, player.args), *named]
        return f"{player_name(player.func)}({', '.join(words)})"
    return f"{player.__module__}:{getattr(player, '__qualname__', type(player).__qualname__)}"


@dataclass(frozen=True)
class Game:
    """One game, described by plain values: hashable, picklable, and the same game wherever it is played.

    Parameters
    ----------
    algorithm : str or callable
        Who forecasts, as in `klcal.run`: "paper", "realised", ...; or your own: a function or class that makes a
        forecaster (`klcal.games.play_match`) from a horizon and a generator, or a ``functools.partial`` of one.
    adversary : str or callable
        Who chooses the outcomes: a name in ``adversaries.OBLIVIOUS``, ``adversaries.ADAPTIVE`` or
        ``adversaries.AGAINST_THE_TREE``; or your own, which makes outcomes or an adaptive adversary from the same two.
    T : int
        Number of rounds.
    K : int, optional
        Number of cells; ``resolution(T)`` by default. A doubling game chooses its own grids and takes none; nor does
        the tree or a forecaster of your own.
    seed : int or tuple of int
        A number, or entropy and spawn key, as `seeds` returns them. Forecaster and adversary get a stream each,
        spawned from it.
    doubling : bool
        Play without knowing the horizon (`klcal.run_doubling`); oblivious adversaries only.

    Examples
    --------
    >>> Game("paper", "zeros", 1000)
    Game(algorithm='paper', adversary='zeros', T=1000, K=6, seed=(0,), doubling=False)
    >>> Game("paper", "zeros", 1000) == Game("paper", "zeros", 1000, K=6)
    True
    """

    algorithm: Player
    adversary: Player
    T: int
    K: int | None = None
    seed: SeedKey = (0,)
    doubling: bool = False

    def __post_init__(self) -> None:
        if not callable(self.algorithm):
            _checks.choice("algorithm", self.algorithm, EVERY_ALGORITHM)
        if not callable(self.adversary):
            _checks.choice("adversary", self.adversary, [*OBLIVIOUS, *ADAPTIVE, *AGAINST_THE_TREE])
        # One form of each number, so that equal games are also written alike.
        object.__setattr__(self, "T", _checks.integer("T", self.T, least=1))
        object.__setattr__(self, "seed", _seed_key("seed", self.seed))
        if not isinstance(self.doubling, bool):
            raise _checks.complaint("doubling", "be True or False", self.doubling)
        if self.doubling and self.K is not None:
            raise _checks.complaint("K", "be None in a doubling game, which chooses its own grids", self.K)
        if self.doubling and self.adversary not in OBLIVIOUS:
            raise _checks.complaint("adversary", "be oblivious in a doubling game", self.adversary)
        if self._makes_its_own_cells:
            who = "the tree, which" if self.algorithm in TREES else "a forecaster of your own, which"
            if self.doubling:
                raise _checks.complaint("doubling", f"be False for {who} needs no horizon", self.doubling)
            if self.K is not None:
                raise _checks.complaint("K", f"be None for {who} makes its own cells", self.K)
        elif not self.doubling:
            K = resolution(self.T) if self.K is None else self.K
            object.__setattr__(self, "K", _checks.integer("K", K, least=2))

    def __repr__(self) -> str:
        names = {"algorithm": player_name(self.algorithm), "adversary": player_name(self.adversary)}
        told = {**vars(self), **names}
        return f"Game({', '.join(f'{name}={value!r}' for name, value in told.items())})"

    @property
    def _makes_its_own_cells(self) -> bool:
        return self.algorithm in TREES or callable(self.algorithm)

    @classmethod
    def from_row(cls, row: Mapping[str, Any], own: Iterable[Callable[..., Any]] = ()) -> Game:
        """Return the game of a row of a table; nothing is imported that a table names.

        Parameters
        ----------
        row : mapping
            The columns of `row`, and perhaps more.
        own : iterable of callable
            Players of your own that the row may name.

        Returns
        -------
        Game

        Examples
        --------
        >>> game = Game("paper", "border", 50, seed=(7, 1))
        >>> Game.from_row({**game.row(), "pkl": 3.0}) == game
        True
        """
        known = {player_name(each): each for each in own}
        return cls(
            algorithm=known.get(row["algorithm"], row["algorithm"]),
            adversary=known.get(row["adversary"], row["adversary"]),
            T=row["T"],
            K=None if row["doubling"] or row["K"] == 0 else row["K"],
            seed=tuple(int(part) for part in row["seed"].rstrip("/").split("/")),
            doubling=row["doubling"],
        )

    def row(self) -> dict[str, Any]:
        """Return the columns that describe the game.

        K of a doubling game is that of its last epoch, and 0 where the forecaster makes its own cells.

        Examples
        --------
        >>> game = Game("paper", "zeros", 1000, seed=(7, 1000, 0))
        >>> game.row()  # doctest: +NORMALIZE_WHITESPACE
        {'algorithm': 'paper', 'adversary': 'zeros', 'T': 1000, 'K': 6,
         'doubling': False, 'seed': '7/1000/0'}
        """
        last_epoch = 1 << (self.T.bit_length() - 1)
        own_grid = 0 if self._makes_its_own_cells else resolution(last_epoch)
        return {
            "algorithm": player_name(self.algorithm),
            "adversary": player_name(self.adversary),
            "T": self.T,
            "K": own_grid if self.K is None else self.K,
            "doubling": self.doubling,
            # A lone number would come back from a file as a number.
            "seed": "/".join(map(str, self.seed)) + "/" * (len(self.seed) == 1),
        }

    def streams(self) -> tuple[np.random.Generator, np.random.Generator]:
        """Return the forecaster's and the adversary's generator: two independent children of the seed.

        Examples
        --------
        >>> forecaster, adversary = Game("paper", "zeros", 10).streams()
        >>> forecaster.random() == adversary.random()
        False
        """
        forecaster, adversary = map(np.random.default_rng, _children(self.seed, 2))
        return forecaster, adversary

    def opponent(self) -> OutcomeArray | Adaptive:
        """Return the outcomes of an oblivious adversary, or the adaptive one.

        Examples
        --------
        >>> (
        ...     Game("paper", "alternating", 4).opponent(),
        ...     Game("paper", "border", 4).opponent(),
        ... )
        (array([0, 1, 0, 1], dtype=uint8), Border(horizon=4))
        """
        if callable(self.adversary):
            made, name = self.adversary(self.T, self.streams()[1]), player_name(self.adversary)
            opponent = made if isinstance(made, Adaptive) else _checks.outcomes(name, made)
            rounds = opponent.horizon if isinstance(opponent, Adaptive) else len(opponent)
            if rounds != self.T:
                raise _checks.complaint(name, f"play {self.T} rounds, as the game says", rounds)
            return opponent
        if self.adversary in ADAPTIVE:
            return ADAPTIVE[self.adversary](self.T)
        return {**OBLIVIOUS, **AGAINST_THE_TREE}[self.adversary](self.T, self.streams()[1])

    def play(self, *, record: bool | str = False) -> play.Run | play.DoublingRun:
        """Play the game with `klcal.run`, `klcal.run_doubling`, or `klcal.games.play_match` for your own forecaster.

        Parameters
        ----------
        record : bool or "draws"
            As for `klcal.run`; a doubling game and a forecaster of your own record nothing.

        Returns
        -------
        Run or DoublingRun

        Examples
        --------
        >>> Game("paper", "zeros", 100).play().expected.total
        100.0
        """
        forecaster, opponent = self.streams()[0], self.opponent()
        if callable(self.algorithm):
            if record is not False:
                raise _checks.complaint("record", "be False for a forecaster of your own", record)
            return play_match(self.algorithm(self.T, forecaster), opponent)
        if not self.doubling:
            return play.run(opponent, self.K, self.algorithm, rng=forecaster, record=record)
        if record is not False:
            raise _checks.complaint("record", "be False in a doubling game", record)
        return play.run_doubling(np.asarray(opponent), self.algorithm, rng=forecaster)


def games(
    *,
    adversary: Player | Iterable[Player],
    T: int | Iterable[int],
    algorithm: Player | Iterable[Player] = "paper",
    K: int | Iterable[int] | None = None,
    doubling: bool | Iterable[bool] = False,
    seed: int | SeedKey | Iterable[int | SeedKey] = 0,
) -> tuple[Game, ...]:
    """Return every combination of the given values as a game; the seed varies fastest.

    Parameters
    ----------
    adversary, T, algorithm, K, doubling
        As for `Game`; one value or several.
    seed : int or tuple of int, or a list or range of these
        A number is one seed, and so is a tuple, as `seeds` returns them; ``range(5)`` are five.

    Returns
    -------
    tuple of Game

    Examples
    --------
    >>> [
    ...     (game.adversary, game.T)
    ...     for game in games(adversary=["zeros", "border"], T=[10, 20])
    ... ]
    [('zeros', 10), ('zeros', 20), ('border', 10), ('border', 20)]
    >>> [game.seed for game in games(adversary="zeros", T=10, seed=range(3))]
    [(0,), (1,), (2,)]
    """
    parts = [_choices(part) for part in (algorithm, adversary, T, K, doubling)]
    every = product(*parts, [seed] if isinstance(seed, tuple) else _choices(seed))
    return tuple(Game(a, who, rounds, cells, key, double) for a, who, rounds, cells, double, key in every)


def _choices(value: Any) -> list[Any]:
    is_one = isinstance(value, str) or callable(value) or not isinstance(value, Iterable)
    return [value] if is_one else list(value)


def seeds(n: int, *, root: int | SeedKey) -> list[SeedKey]:
    """Return n seeds spawned from `root`, as tuples that can be stored and used again.

    Each is the entropy and spawn key of a child of ``numpy.random.SeedSequence``: different children, of one root or
    of different ones, give independent streams.

    Parameters
    ----------
    n : int
        How many, at least 1.
    root : int or tuple of int
        An integer that is at least 0, or a seed to spawn from.

    Returns
    -------
    list of tuple of int

    Examples
    --------
    >>> seeds(2, root=7), seeds(2, root=(7, 1))
    ([(7, 0), (7, 1)], [(7, 1, 0), (7, 1, 1)])
    """
    n = _checks.integer("n", n, least=1)
    key = _seed_key("root", root)
    return [(key[0], *child.spawn_key) for child in _children(key, n)]


def _children(key: SeedKey, n: int) -> list[np.random.SeedSequence]:
    return np.random.SeedSequence(key[0], spawn_key=key[1:]).spawn(n)


def _seed_key(name: str, value: object) -> SeedKey:
    if not isinstance(value, tuple):
        return (_checks.integer(name, value, least=0),)
    if not value:
        raise _checks.complaint(name, "be an integer, or a tuple of integers, entropy first", value)
    return tuple(_checks.integer(f"{name}[{i}]", part, least=0) for i, part in enumerate(value))
