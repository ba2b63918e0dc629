"""Swap and external regret of many losses in one game, one row each."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from klcal._checks import _complain
from klcal.experiments.game import Game
from klcal.losses import LOSSES, ProperLoss
from klcal.measures import Cells, external_regret, max_external_regret, max_swap_regret, swap_regret

Regret = Callable[[Cells], float]

# Bounds on the second derivative of the univariate form: below, at and above the value 4 where they start to matter.
SMOOTHNESS = (1, 4, 16)


def checked_losses(losses: Mapping[str, ProperLoss]) -> Mapping[str, ProperLoss]:
    """Return losses by name, which must not be those of suprema over many losses.

    Parameters
    ----------
    losses : mapping from str to ProperLoss
        Losses by name.

    Returns
    -------
    mapping from str to ProperLoss
        The same.

    Examples
    --------
    >>> checked_losses({"bounded": LOSSES["log"]})
    Traceback (most recent call last):
        ...
    ValueError: losses must not be called bounded or smooth-...; got 'bounded'
    """
    for name, loss in losses.items():
        if name == "bounded" or name.startswith("smooth-"):
            raise _complain("losses", "not be called bounded or smooth-...", name)
        if not isinstance(loss, ProperLoss):
            raise _complain(f"losses[{name!r}]", "be a ProperLoss", loss)
    return losses


def measure_regrets(game: Game, losses: Mapping[str, ProperLoss] = LOSSES) -> list[dict[str, Any]]:
    """Play a game and return one row per loss.

    Parameters
    ----------
    game : Game
        What to play.
    losses : mapping from str to ProperLoss
        Under which losses; your own join the others as ``{**LOSSES, "mine": mine}``, in a sweep with
        ``measure=functools.partial(measure_regrets, losses=...)``.

    Returns
    -------
    list of dict
        ``loss``: a name in `losses`; ``bounded`` for the supremum over all proper losses in [-1, 1];
        ``smooth-G`` for the supremum over those whose univariate form has a second derivative of at most G.
        ``swap`` and ``external``: regrets of the draws; ``pseudo`` and ``pexternal``: those of the mixtures. There is
        no external regret for ``smooth-G`` (NaN).

    Examples
    --------
    >>> rows = measure_regrets(Game("paper", "fair coin", 100))
    >>> [row["loss"] for row in rows[-4:]], rows[-2]["swap"] == 2 * rows[0]["swap"]
    (['bounded', 'smooth-1', 'smooth-4', 'smooth-16'], True)
    """
    run, named = game.play(), checked_losses(losses)

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
            for name, loss in named.items()
        ),
        row("bounded", max_swap_regret, max_external_regret),
        *(row(f"smooth-{G}", partial(max_swap_regret, smoothness=G), lambda _: math.nan) for G in SMOOTHNESS),
    ]
