"""Swap and external regret of many losses in one game, one row each."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import Any

from klcal.experiments.game import Game
from klcal.losses import LOSSES
from klcal.measures import Cells, external_regret, max_external_regret, max_swap_regret, swap_regret

Regret = Callable[[Cells], float]

# Bounds on the second derivative of the univariate form: below, at and above the value 4 where they start to matter.
SMOOTHNESS = (1, 4, 16)


def measure_regrets(game: Game) -> list[dict[str, Any]]:
    """Play a game and return one row per loss.

    Parameters
    ----------
    game : Game
        What to play.

    Returns
    -------
    list of dict
        ``loss``: a name in ``klcal.LOSSES``; ``bounded`` for the supremum over all proper losses in [-1, 1];
        ``smooth-G`` for the supremum over those whose univariate form has a second derivative of at most G.
        ``swap`` and ``external``: regrets of the draws; ``pseudo`` and ``pexternal``: those of the mixtures. There is
        no external regret for ``smooth-G`` (NaN).

    Examples
    --------
    >>> rows = measure_regrets(Game("paper", "fair coin", 100))
    >>> [row["loss"] for row in rows[-4:]], rows[-2]["swap"] == 2 * rows[0]["swap"]
    (['bounded', 'smooth-1', 'smooth-4', 'smooth-16'], True)
    """
    run = game.play()

    def row(name: str, swap: Regret, external: Regret) -> dict[str, Any]:
        drawn, mixed = run.realised, run.expected
        return {
            "loss": name,
            "swap": swap(drawn),
            "pseudo": swap(mixed),
            "external": external(drawn),
            "pexternal": external(mixed),
        }

    return [
        *(
            row(name, partial(swap_regret, loss=loss), partial(external_regret, loss=loss))
            for name, loss in LOSSES.items()
        ),
        row("bounded", max_swap_regret, max_external_regret),
        *(row(f"smooth-{G}", partial(max_swap_regret, smoothness=G), lambda _: math.nan) for G in SMOOTHNESS),
    ]
