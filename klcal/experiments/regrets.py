"""Swap and external regret of many losses in one game, one row each."""

from __future__ import annotations

import math
from typing import Any

from klcal.experiments.game import Game
from klcal.losses import LOSSES
from klcal.measures import external_regret, max_external_regret, max_swap_regret, swap_regret

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
    drawn, mixed = run.realised, run.expected
    rows = [
        {
            "loss": name,
            "swap": swap_regret(drawn, loss),
            "pseudo": swap_regret(mixed, loss),
            "external": external_regret(drawn, loss),
            "pexternal": external_regret(mixed, loss),
        }
        for name, loss in LOSSES.items()
    ]
    rows.append(
        {
            "loss": "bounded",
            "swap": max_swap_regret(drawn),
            "pseudo": max_swap_regret(mixed),
            "external": max_external_regret(drawn),
            "pexternal": max_external_regret(mixed),
        }
    )
    rows += [
        {
            "loss": f"smooth-{G}",
            "swap": max_swap_regret(drawn, smoothness=G),
            "pseudo": max_swap_regret(mixed, smoothness=G),
            "external": math.nan,
            "pexternal": math.nan,
        }
        for G in SMOOTHNESS
    ]
    return rows
