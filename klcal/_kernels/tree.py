"""PAIR and the tree, round by round, the tree between two splits; twins in ``tests/oracles.py``.

A learner is a node: a bucket with a closed cell, from left to right. It is *up* if its mean lies above its cell, *down*
if below, and *inside* otherwise. The first is never down and the last never up. `front` is the lowest node that is not
up. If no node is inside, the front is down and the node below it is up: they are the lowest pair.

At most two nodes are inside at a time in a game, `first` and `second`, the lower one first. At the start all means are
1/2, so one cell contains them, or two adjacent ones. Later a node moves inside only as a member of a pair, the lower
member first, when no other is; and a split replaces a node by children with the mean 1/2, one of which is inside if 1/2
is an end of the node, none otherwise. In states that no game reaches more may be inside; after a `survey` the first one
is still the lowest.

So a round takes constant time on average: the front falls by one at most, and its climbs add up to its falls and the
number of nodes. Splitting needs new learners, so it is left to the caller: a round that has filled a node says so. The
buckets of PAIR are never full, and do not bet.
"""

from __future__ import annotations

import numpy as np

from klcal._kernels import bank
from klcal._kernels.bank import REALISED, Bank, Records, add_weight, loop, mix_one, mix_two
from klcal._kernels.compiling import Reals, engine, inlined
from klcal._kernels.elementary import exp, ln

_NEVER = np.iinfo(np.int64).max


class Learner(bank.Learner):
    """A node, or a bucket of PAIR."""

    lower: float
    upper: float
    log_wealth: float
    log_prior: float
    capacity: int  # rounds until it splits
    level: int
    position: int


class Control(bank.Control):
    """What is there once."""

    front: int
    inside: int
    first: int
    second: int
    bets: bool  # whether nodes have wealths
    weighted: bool  # and whether these weigh the coin
    full: bool  # whether the last round has filled a node
    log_total: float  # logarithm of the product of all wealths


def new_bank(
    points: Reals, ends: Reals, feedback: int, *, bets: bool = False, weighted: bool = False
) -> Bank:
    """Return the state before the first round: every node leans to 1/2; its cell reaches from one end to the next."""
    new = bank.new_bank(points, 0.5, feedback, learner=Learner, control=Control)
    new.learners["lower"], new.learners["upper"] = ends[:-1], ends[1:]
    new.learners["capacity"] = _NEVER
    new.control["bets"], new.control["weighted"] = bets, weighted
    survey(new.learners, new.control)
    return new


@inlined
def _side(node: Learner) -> int:
    """Return 1 if a node is up, -1 if it is down, 0 if it is inside its closed cell."""
    return int(node.leaning > node.upper) - int(node.leaning < node.lower)


@engine
def survey(learners: Records, control: Records) -> None:
    """Find the front and the nodes inside from scratch."""
    now = control[0]
    now.full = False
    now.front = 0
    _move_front(learners, now, 0, 0)
    now.inside = 0
    for i in range(len(learners)):
        if _side(learners[i]) == 0:
            _enter(now, i)


@inlined
def _move_front(learners: Records, now: Control, i: int, after: int) -> None:
    """Find the front again, `after` being the new side of node i."""
    if after <= 0 and i < now.front:
        now.front = i
    while _side(learners[now.front]) > 0:
        now.front += 1


@inlined
def _enter(now: Control, i: int) -> None:
    """Note that node i is inside now."""
    if now.inside == 0:
        now.first = i
    elif now.inside == 1:
        now.second = i
    now.inside += 1


@inlined
def _leave(now: Control, i: int) -> None:
    """Note that node i is no longer inside."""
    if now.first == i:
        now.first = now.second
    now.inside -= 1


@inlined
def solve(learners: Records, mixture: Records, now: Control, rates: Reals) -> None:  # noqa: ARG001
    """Make the mixture of the round."""
    if now.inside > 0:
        mix_one(mixture, now, now.first)
    else:
        below, above = learners[now.front - 1], learners[now.front]
        up = above.lower - above.leaning
        down = below.leaning - above.lower
        if now.weighted:
            total = now.log_total
            low = below.log_prior + below.log_wealth
            high = above.log_prior + above.log_wealth
            top = max(total, max(low, high))
            # One of the three is the largest, and its exponential is 1.
            shared = 1.0 if total == top else exp(total - top)
            down *= shared + (1.0 if low == top else exp(low - top))
            up *= shared + (1.0 if high == top else exp(high - top))
        mix_two(mixture, now, now.front - 1, up, down)


@inlined
def _bet(now: Control, node: Learner, boundary: float, outcome: int, weight: float) -> None:
    """Let a node bet on the outcome."""
    mean = node.leaning
    gain = weight * (ln(mean / boundary) if outcome == 1 else ln((1.0 - mean) / (1.0 - boundary)))
    node.log_wealth += gain
    now.log_total += gain


@inlined
def _lean(learners: Records, now: Control, i: int, ones: float, zeros: float, prior: float) -> None:
    """Let node i lean to its new mean; twin of `pair.kt_means` (prior 1/2) and `algorithm_1.beta_mean` (prior 1)."""
    node = learners[i]
    before = _side(node)
    node.leaning = (ones + prior) / ((ones + zeros) + 2.0 * prior)
    after = _side(node)
    if after != before:
        if before == 0:
            _leave(now, i)
        if after == 0:
            _enter(now, i)
        _move_front(learners, now, i, after)
    if ones + zeros >= node.capacity:
        now.full = True


@inlined
def advance(learners: Records, mixture: Records, now: Control, index: int, outcome: int) -> bool:
    """Feed one round to cells and nodes, and say whether one is full."""
    realised = now.feedback == REALISED
    bets = now.bets and now.members == 2
    boundary = learners[mixture[1].member].lower if bets else 0.0
    for s in range(now.members):
        i, weight = mixture[s].member, mixture[s].share
        node = learners[i]
        if bets and not realised:
            _bet(now, node, boundary, outcome, weight)
        elif bets and i == index:
            _bet(now, node, boundary, outcome, 1.0)
        if weight > 0.0:
            add_weight(node, outcome, weight)
            if not realised:
                _lean(learners, now, i, node.weight[1], node.weight[0], 1.0)
    drawn = learners[index]
    drawn.count[outcome] += 1
    if realised:
        _lean(learners, now, index, float(drawn.count[1]), float(drawn.count[0]), 0.5)
    return now.full


begin, end, play_rounds = loop(solve, advance, Learner, control=Control)
