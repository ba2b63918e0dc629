"""The Blum-Mansour reduction, round by round; twin of `algorithm_1.BlumMansour`, with other settings of `baselines`.

A learner plays the mean of its outcomes, with `prior` imaginary ones and as many zeros added to them: 1 is EWOO under
the log loss, 1/2 half counts, 0 follow-the-leader under the squared loss. `scheme` is how its point is rounded to the
grid.
"""

from __future__ import annotations

from klcal._kernels import bank
from klcal._kernels.bank import EXPECTED, REALISED, Bank, Records, add_weight, cell_of, loop
from klcal._kernels.compiling import Reals, engine, inlined
from klcal._kernels.elementary import ln

# How a leaning is rounded; twins of the schemes in `grids`.
LOG, LINEAR, NEAREST, LOG_ODDS = 0, 1, 2, 3


class Learner(bank.Learner):
    """It rounds its leaning to the grid point `cell` with probability `low` and to the next one with `high`."""

    scale: float  # z (1 - z) of its point, or its log-odds if they are kept
    low: float
    high: float
    place: int  # its position among the members, -1 if it is none
    order: int
    reach: int
    edge: int
    leak: int


class Entry(bank.Entry):
    """The members are the closed class, their shares its stationary distribution."""

    stack: int
    path: int
    old: int


class Control(bank.Control):
    """What is there once."""

    stale: bool  # whether the closed class must be searched
    classes: int  # how many closed ones the last search found
    scheme: int
    prior: float


def new_bank(points: Reals, feedback: int, scheme: int = LOG, prior: float = 1.0) -> Bank:
    """Return the state before the first round: every learner leans to 1/2."""
    new = bank.new_bank(
        points, 0.5, feedback, learner=Learner, entry=Entry, control=Control, room=len(points)
    )
    new.learners["scale"], new.learners["place"] = points * (1.0 - points), -1
    if scheme == LOG_ODDS:
        new.learners["scale"] = [ln(z / (1.0 - z)) for z in points.tolist()]
    new.control["stale"], new.control["scheme"], new.control["prior"] = True, scheme, prior
    _round_all(new.learners, new.control)
    return new


@engine
def _round_all(learners: Records, control: Records) -> None:
    """Round every learner's leaning."""
    for i in range(len(learners)):
        _round(learners, control[0], learners[i])


@inlined
def _round(learners: Records, now: Control, learner: Learner) -> None:
    """Round one leaning to the grid, clamped at the ends; twin of the functions in `grids`."""
    w = learner.leaning
    j = cell_of(learners, w, learner.cell)
    if j < 0 or j == len(learners) - 1:
        j = max(j, 0)
        low, high = 1.0, 0.0
    else:
        below, above = learners[j], learners[j + 1]
        if now.scheme == LOG:
            down = (above.point - w) * below.scale
            up = (w - below.point) * above.scale
            total = down + up
            low, high = down / total, up / total
        elif now.scheme == LINEAR:
            width = above.point - below.point
            low, high = (above.point - w) / width, (w - below.point) / width
        elif now.scheme == LOG_ODDS:
            at = ln(w / (1.0 - w))
            down, up = max(above.scale - at, 0.0), max(at - below.scale, 0.0)
            total = down + up
            low, high = (down / total, up / total) if total > 0.0 else (1.0, 0.0)
        else:
            low = 1.0 if w - below.point <= above.point - w else 0.0
            high = 1.0 - low
    # Only a change of the pattern of zeros can change which classes are closed.
    if j != learner.cell or (high > 0.0) != (learner.high > 0.0) or (low > 0.0) != (learner.low > 0.0):
        now.stale = True
    learner.cell, learner.low, learner.high = j, low, high


@engine
def _find_class(learners: Records, mixture: Records, now: Control) -> None:
    """Find the closed class with the lowest member (Tarjan's algorithm); twin of `algorithm_1._closed_classes`.

    A component is closed if no edge leaves it. ``edge[i]`` counts the edges of i already followed and is 3 once the
    component of i is known; ``leak[i]`` says that an edge seen below i enters a finished component.

    Only rows of members have changed since the last search. If the old class was the only closed one, every closed
    class must contain a changed row (another one would have been closed before), so a search from the old members
    finds them all.
    """
    n = len(learners)
    order, reach, edge, leak = learners.order, learners.reach, learners.edge, learners.leak
    stack, path, old = mixture.stack, mixture.path, mixture.old
    local = now.classes == 1
    roots = now.members if local else n
    for r in range(roots):
        old[r] = mixture[r].member if local else r
    for s in range(now.members):
        learners[mixture[s].member].place = -1
    edge[:] = 0
    clock, height, lowest = 0, 0, n
    now.classes = 0
    for r in range(roots):
        root = old[r]
        if edge[root] == 3:
            continue
        depth = 0
        path[0] = root
        while depth >= 0:
            i = path[depth]
            if edge[i] == 0:
                order[i] = reach[i] = clock
                leak[i] = 0
                stack[height] = i
                clock += 1
                height += 1
            if edge[i] < 2:
                j = learners[i].cell + edge[i]
                taken = (learners[i].low if edge[i] == 0 else learners[i].high) > 0.0
                edge[i] += 1
                if taken and edge[j] == 0:
                    depth += 1
                    path[depth] = j
                elif taken and edge[j] == 3:
                    leak[i] = 1
                elif taken:
                    reach[i] = min(reach[i], order[j])
                continue
            if reach[i] == order[i]:
                bottom = height
                smallest = n
                while bottom == height or stack[bottom] != i:
                    bottom -= 1
                    edge[stack[bottom]] = 3
                    smallest = min(smallest, stack[bottom])
                if leak[i] == 0:
                    now.classes += 1
                if leak[i] == 0 and smallest < lowest:
                    lowest = smallest
                    now.members = height - bottom
                    for s in range(bottom, height):
                        mixture[s - bottom].member = stack[s]
                height = bottom
            depth -= 1
            if depth >= 0:
                parent = path[depth]
                if edge[i] == 3:
                    leak[parent] = 1
                else:
                    reach[parent] = min(reach[parent], reach[i])
                    leak[parent] = max(leak[parent], leak[i])
    for s in range(now.members):
        i = mixture[s].member
        while s > 0 and mixture[s - 1].member > i:
            mixture[s].member = mixture[s - 1].member
            s -= 1
        mixture[s].member = i
    for s in range(now.members):
        learners[mixture[s].member].place = s
    now.stale = False


@inlined
def _transition(learners: Records, i: int, j: int) -> float:
    """Return the probability that learner i rounds to grid point j."""
    if learners[i].cell == j:
        return learners[i].low  # type: ignore[no-any-return]
    if learners[i].cell + 1 == j:
        return learners[i].high  # type: ignore[no-any-return]
    return 0.0


@engine
def _eliminate(learners: Records, mixture: Records, size: int, rates: Reals) -> None:
    """Grassmann-Taksar-Heyman elimination on the class, in the workspace `rates`; twin of `_by_elimination`."""
    for s in range(size):
        for k in range(size):
            rates[s, k] = 0.0
        learner = learners[mixture[s].member]
        if learner.low > 0.0:
            rates[s, learners[learner.cell].place] = learner.low
        if learner.high > 0.0:
            rates[s, learners[learner.cell + 1].place] = learner.high
    for k in range(size - 1, 0, -1):
        leaving = rates[k, 0]
        for j in range(1, k):
            leaving += rates[k, j]
        for i in range(k):
            if rates[i, k] > 0.0:
                rates[i, k] /= leaving
                for j in range(k):
                    rates[i, j] += rates[i, k] * rates[k, j]
    mixture[0].share = 1.0
    total = 1.0
    for k in range(1, size):
        weight = mixture[0].share * rates[0, k]
        for i in range(1, k):
            weight += mixture[i].share * rates[i, k]
        mixture[k].share = weight
        total += weight
    for k in range(size):
        mixture[k].share /= total


@inlined
def _solve_two(learners: Records, mixture: Records) -> None:
    """Closed form of two states; twin of `algorithm_1._by_trees`."""
    a, b = mixture[0].member, mixture[1].member
    into_a, into_b = _transition(learners, b, a), _transition(learners, a, b)
    total = into_a + into_b
    mixture[0].share = into_a / total
    mixture[1].share = into_b / total


@inlined
def _solve_three(learners: Records, mixture: Records) -> None:
    """Closed form of three states, the usual class around a grid point; twin of `algorithm_1._by_trees`."""
    a, b, c = mixture[0].member, mixture[1].member, mixture[2].member
    ab, ac = _transition(learners, a, b), _transition(learners, a, c)
    ba, bc = _transition(learners, b, a), _transition(learners, b, c)
    ca, cb = _transition(learners, c, a), _transition(learners, c, b)
    into_a = ba * ca + ba * cb + ca * bc
    into_b = ab * cb + ab * ca + cb * ac
    into_c = ac * bc + ac * ba + bc * ab
    total = into_a + into_b + into_c
    mixture[0].share = into_a / total
    mixture[1].share = into_b / total
    mixture[2].share = into_c / total


@inlined
def solve(learners: Records, mixture: Records, now: Control, rates: Reals) -> None:
    """Let the mixture be the stationary distribution of the closed class; twin of `algorithm_1.stationary`."""
    if now.stale:
        _find_class(learners, mixture, now)
    if now.members == 1:
        mixture[0].share = 1.0
    elif now.members == 2:
        _solve_two(learners, mixture)
    elif now.members == 3:
        _solve_three(learners, mixture)
    else:
        _eliminate(learners, mixture, now.members, rates)


@inlined
def _lean(learners: Records, now: Control, learner: Learner, ones: float, zeros: float) -> None:
    """Let a learner lean to its mean; twin of `algorithm_1.beta_mean` and of `algorithm_1.weighted_mean`."""
    learner.leaning = (ones + now.prior) / ((ones + zeros) + 2.0 * now.prior)
    _round(learners, now, learner)


@inlined
def advance(learners: Records, mixture: Records, now: Control, index: int, outcome: int) -> bool:
    """Feed one round to cells and learners; twin of `algorithm_1.BlumMansour.update`."""
    for s in range(now.members):
        if mixture[s].share > 0.0:
            fed = learners[mixture[s].member]
            add_weight(fed, outcome, mixture[s].share)
            if now.feedback == EXPECTED:
                _lean(learners, now, fed, fed.weight[1], fed.weight[0])
    drawn = learners[index]
    drawn.count[outcome] += 1
    if now.feedback == REALISED:
        _lean(learners, now, drawn, float(drawn.count[1]), float(drawn.count[0]))
    return False


begin, end, play_rounds = loop(solve, advance, Learner, Entry, Control)
