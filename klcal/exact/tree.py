r"""The tree in fractions: its states, its mixtures, and the worst case of small games.

Cells and forecasts are those that the package plays with, doubles read as fractions; everything after that is exact.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from math import prod
from typing import NamedTuple

from flint import arb

from klcal.exact.arithmetic import Mixture, expectation, maximum, total
from klcal.exact.balls import ball, precision
from klcal.exact.cells import kl_cost
from klcal.exact.learners import KT, beta_mean
from klcal.forecasters.tree import TreeNode, tree_node

BITS = 128


class Bucket(NamedTuple):
    """A node in a game: where it is, what it met, and its wealth."""

    level: int
    position: int
    zeros: int = 0
    ones: int = 0
    wealth: Fraction = Fraction(1)

    @property
    def node(self) -> TreeNode:
        """The node before any round."""
        return tree_node(self.level, self.position)

    @property
    def ends(self) -> tuple[Fraction, Fraction]:
        """Both ends of its cell."""
        return Fraction(self.node.lower), Fraction(self.node.upper)

    @property
    def prior(self) -> Fraction:
        """Its share of the capital at the start."""
        return Fraction(1, 2**self.level * (self.level + 1) * (self.level + 2))

    @property
    def mean(self) -> Fraction:
        """What it leans to."""
        return Fraction(beta_mean(self.zeros, self.ones, KT))


class State(NamedTuple):
    """The active nodes from left to right, and the full ones."""

    active: tuple[Bucket, ...] = (Bucket(0, 0),)
    full: tuple[Bucket, ...] = ()

    @property
    def product(self) -> Fraction:
        r"""The product :math:`\Pi` of all wealths."""
        return prod((bucket.wealth for bucket in (*self.active, *self.full)), start=Fraction(1))


def mixture(state: State, *, weighted: bool = True) -> Mixture:
    r"""Return the probabilities of the active nodes, by index.

    Parameters
    ----------
    state : State
        Before the round.
    weighted : bool
        Whether the coin is weighted by :math:`A_b = \Pi + \pi_bW_b`, or plain.

    Returns
    -------
    dict

    Examples
    --------
    >>> mixture(State())
    {0: 1}
    """
    for i, bucket in enumerate(state.active):
        if bucket.ends[0] <= bucket.mean <= bucket.ends[1]:
            return {i: 1}
    i = next(
        i
        for i, bucket in enumerate(state.active[:-1])
        if bucket.mean > bucket.ends[1] > state.active[i + 1].mean
    )
    left, right = state.active[i : i + 2]
    boundary, stakes = left.ends[1], _stakes(state, left, right) if weighted else (Fraction(1), Fraction(1))
    down, up = (left.mean - boundary) * stakes[0], (boundary - right.mean) * stakes[1]
    return {i: up / (up + down), i + 1: down / (up + down)}


def _stakes(state: State, *pair: Bucket) -> tuple[Fraction, ...]:
    whole = state.product
    return tuple(whole + bucket.prior * bucket.wealth for bucket in pair)


def after(state: State, i: int, y: int) -> State:
    """Return the state after active node i was drawn and y happened.

    Parameters
    ----------
    state : State
        Before the round.
    i : int
        Index of the drawn node.
    y : {0, 1}
        The outcome.

    Returns
    -------
    State

    Examples
    --------
    >>> [(bucket.level, bucket.position) for bucket in after(State(), 0, 1).active]
    [(1, 0), (1, 1)]
    """
    bucket = state.active[i]
    mean, (low, high) = bucket.mean, bucket.ends
    clipped = min(max(mean, low), high)
    gain = mean / clipped if y else (1 - mean) / (1 - clipped)
    new = Bucket(bucket.level, bucket.position, bucket.zeros + (1 - y), bucket.ones + y, bucket.wealth * gain)
    if new.zeros + new.ones < new.node.capacity:
        return State((*state.active[:i], new, *state.active[i + 1 :]), state.full)
    children = (Bucket(new.level + 1, 2 * new.position), Bucket(new.level + 1, 2 * new.position + 1))
    return State((*state.active[:i], *children, *state.active[i + 1 :]), (*state.full, new))


def reachable(rounds: int, *, weighted: bool = True) -> Iterator[State]:
    """Yield every state that some draws and outcomes lead to in fewer than `rounds` rounds, once.

    Parameters
    ----------
    rounds : int
        Number of rounds.
    weighted : bool
        As for `mixture`.

    Yields
    ------
    State

    Examples
    --------
    >>> len(list(reachable(2)))
    3
    """
    layer = {State()}
    for _ in range(rounds):
        yield from layer
        layer = {
            after(state, i, y) for state in layer for i in mixture(state, weighted=weighted) for y in (0, 1)
        }


@cache
def worst_tree(T: int) -> arb:
    r"""Return the worst case of E[KLCal] of the tree over all adaptive adversaries, in T rounds.

    Parameters
    ----------
    T : int
        Number of rounds; small.

    Returns
    -------
    arb
        The twin of `klcal.exact.worst_cases.worst_case`.

    Examples
    --------
    >>> worst_tree(1).overlaps(arb(2).log())
    True
    """

    @cache
    def worth(state: State, left: int) -> arb:
        if left == 0:
            buckets = (*state.active, *state.full)
            return ball(total(kl_cost(Fraction(b.node.point), b.zeros, b.ones) for b in buckets))
        chances = mixture(state)
        return ball(
            maximum(
                expectation((p, worth(after(state, i, y), left - 1)) for i, p in chances.items())
                for y in (0, 1)
            )
        )

    with precision(BITS):
        return worth(State(), T)
