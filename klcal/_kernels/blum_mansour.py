"""The Blum-Mansour reduction, round by round; twin of `algorithm_1.BlumMansour`, with other settings of `baselines`.

A learner plays the mean of its outcomes, with PRIOR imaginary ones and as many zeros added to them: 1 is EWOO under the
log loss, 0 follow-the-leader under the squared loss. SCHEME is how its point is rounded to the grid.
"""

from __future__ import annotations

from klcal._kernels import bank
from klcal._kernels.bank import (
    CELL,
    COUNT,
    EXPECTED,
    FEEDBACK,
    LEANING,
    MEMBER,
    MIXTURE,
    POINT,
    REALISED,
    SIZE,
    SUM,
    Bank,
    add_weight,
    cell_of,
    draw,
)
from klcal._kernels.compiling import Reals, Whole, engine, inlined
from klcal._kernels.rounds import Game, outcome_and_draw

# How a leaning is rounded; twins of the schemes in `rounding`.
LOG, LINEAR, NEAREST = 0, 1, 2

# Beyond what every bank has (`bank`): slots of `control`, rows of `reals` and of `whole`. SCRATCH opens seven rows for
# the search.
STALE, CLASSES, SCHEME, PRIOR = 1, 3, 4, 5
VARIANCE, LOW, HIGH = 1, 7, 8
PLACE, SCRATCH = 4, 5

_ROWS = 12


def new_bank(points: Reals, feedback: int, scheme: int = LOG, prior: int = 1) -> Bank:
    """Return the state before the first round: every learner leans to 1/2.

    Learner i stands on grid point POINT (with z (1 - z) in VARIANCE), has received the weights SUM, leans to LEANING
    and rounds it to grid point CELL with probability LOW and to the next one with probability HIGH. The members are
    the closed class, with their stationary distribution in MIXTURE; PLACE is the position of a state among them.
    """
    new = bank.new_bank(points, 0.5, feedback, rows=_ROWS, slots=6, room=len(points))
    new.reals[VARIANCE] = points * (1.0 - points)
    new.control[[STALE, SCHEME, PRIOR]] = 1, scheme, prior
    new.whole[PLACE] = -1
    _round_all(new.reals, new.whole, new.control)
    return new


@engine
def _round_all(reals: Reals, whole: Whole, control: Whole) -> None:
    """Round every learner's leaning."""
    for i in range(reals.shape[1]):
        _round_learner(reals, whole, control, i)


@inlined
def _round_learner(reals: Reals, whole: Whole, control: Whole, i: int) -> None:
    """Round one leaning to the grid, clamped at the ends; twin of the functions in `rounding`."""
    last = reals.shape[1] - 1
    w = reals[LEANING, i]
    j = cell_of(reals, w, whole[CELL, i])
    if j < 0 or j == last:
        j = max(j, 0)
        low, high = 1.0, 0.0
    elif control[SCHEME] == LOG:
        down = (reals[POINT, j + 1] - w) * reals[VARIANCE, j]
        up = (w - reals[POINT, j]) * reals[VARIANCE, j + 1]
        total = down + up
        low, high = down / total, up / total
    elif control[SCHEME] == LINEAR:
        width = reals[POINT, j + 1] - reals[POINT, j]
        low, high = (reals[POINT, j + 1] - w) / width, (w - reals[POINT, j]) / width
    else:
        low = 1.0 if w - reals[POINT, j] <= reals[POINT, j + 1] - w else 0.0
        high = 1.0 - low
    # Only a change of the pattern of zeros can change which classes are closed.
    if j != whole[CELL, i] or (high > 0.0) != (reals[HIGH, i] > 0.0) or (low > 0.0) != (reals[LOW, i] > 0.0):
        control[STALE] = 1
    whole[CELL, i] = j
    reals[LOW, i] = low
    reals[HIGH, i] = high


@engine
def _find_class(reals: Reals, whole: Whole, control: Whole) -> None:
    """Find the closed class with the lowest member (Tarjan's algorithm); twin of `algorithm_1._closed_classes`.

    A component is closed if no edge leaves it. ``edge[i]`` counts the edges of i already followed and is 3 once the
    component of i is known; ``leak[i]`` says that an edge seen below i enters a finished component.

    Only rows of members have changed since the last search. If the old class was the only closed one, every closed
    class must contain a changed row (another one would have been closed before), so a search from the old members
    finds them all.
    """
    n = reals.shape[1]
    order, reach, edge = whole[SCRATCH + 0], whole[SCRATCH + 1], whole[SCRATCH + 2]
    leak, stack, path = whole[SCRATCH + 3], whole[SCRATCH + 4], whole[SCRATCH + 5]
    old = whole[SCRATCH + 6]
    local = control[CLASSES] == 1
    roots = control[SIZE] if local else n
    for r in range(roots):
        old[r] = whole[MEMBER, r] if local else r
    for s in range(control[SIZE]):
        whole[PLACE, whole[MEMBER, s]] = -1
    edge[:] = 0
    clock, height, lowest = 0, 0, n
    control[CLASSES] = 0
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
                j = whole[CELL, i] + edge[i]
                taken = reals[LOW + edge[i], i] > 0.0
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
                    control[CLASSES] += 1
                if leak[i] == 0 and smallest < lowest:
                    lowest = smallest
                    control[SIZE] = height - bottom
                    for s in range(bottom, height):
                        whole[MEMBER, s - bottom] = stack[s]
                height = bottom
            depth -= 1
            if depth >= 0:
                parent = path[depth]
                if edge[i] == 3:
                    leak[parent] = 1
                else:
                    reach[parent] = min(reach[parent], reach[i])
                    leak[parent] = max(leak[parent], leak[i])
    for s in range(control[SIZE]):
        i = whole[MEMBER, s]
        while s > 0 and whole[MEMBER, s - 1] > i:
            whole[MEMBER, s] = whole[MEMBER, s - 1]
            s -= 1
        whole[MEMBER, s] = i
    for s in range(control[SIZE]):
        whole[PLACE, whole[MEMBER, s]] = s
    control[STALE] = 0


@inlined
def _transition(reals: Reals, whole: Whole, i: int, j: int) -> float:
    """Return the probability that learner i rounds to grid point j."""
    if whole[CELL, i] == j:
        return reals[LOW, i]  # type: ignore[no-any-return]
    if whole[CELL, i] + 1 == j:
        return reals[HIGH, i]  # type: ignore[no-any-return]
    return 0.0


@engine
def _eliminate(reals: Reals, whole: Whole, size: int, rates: Reals) -> None:
    """Grassmann-Taksar-Heyman elimination on the class, in the workspace `rates`; twin of `_by_elimination`."""
    for s in range(size):
        for k in range(size):
            rates[s, k] = 0.0
        i = whole[MEMBER, s]
        if reals[LOW, i] > 0.0:
            rates[s, whole[PLACE, whole[CELL, i]]] = reals[LOW, i]
        if reals[HIGH, i] > 0.0:
            rates[s, whole[PLACE, whole[CELL, i] + 1]] = reals[HIGH, i]
    for k in range(size - 1, 0, -1):
        leaving = rates[k, 0]
        for j in range(1, k):
            leaving += rates[k, j]
        for i in range(k):
            if rates[i, k] > 0.0:
                rates[i, k] /= leaving
                for j in range(k):
                    rates[i, j] += rates[i, k] * rates[k, j]
    reals[MIXTURE, 0] = 1.0
    total = 1.0
    for k in range(1, size):
        weight = reals[MIXTURE, 0] * rates[0, k]
        for i in range(1, k):
            weight += reals[MIXTURE, i] * rates[i, k]
        reals[MIXTURE, k] = weight
        total += weight
    for k in range(size):
        reals[MIXTURE, k] /= total


@inlined
def _solve_two(reals: Reals, whole: Whole) -> None:
    """Closed form of two states; twin of `algorithm_1._by_trees`."""
    a, b = whole[MEMBER, 0], whole[MEMBER, 1]
    into_a, into_b = _transition(reals, whole, b, a), _transition(reals, whole, a, b)
    total = into_a + into_b
    reals[MIXTURE, 0] = into_a / total
    reals[MIXTURE, 1] = into_b / total


@inlined
def _solve_three(reals: Reals, whole: Whole) -> None:
    """Closed form of three states, the usual class around a grid point; twin of `algorithm_1._by_trees`."""
    a, b, c = whole[MEMBER, 0], whole[MEMBER, 1], whole[MEMBER, 2]
    ab, ac = _transition(reals, whole, a, b), _transition(reals, whole, a, c)
    ba, bc = _transition(reals, whole, b, a), _transition(reals, whole, b, c)
    ca, cb = _transition(reals, whole, c, a), _transition(reals, whole, c, b)
    into_a = ba * ca + ba * cb + ca * bc
    into_b = ab * cb + ab * ca + cb * ac
    into_c = ac * bc + ac * ba + bc * ab
    total = into_a + into_b + into_c
    reals[MIXTURE, 0] = into_a / total
    reals[MIXTURE, 1] = into_b / total
    reals[MIXTURE, 2] = into_c / total


@inlined
def solve(reals: Reals, whole: Whole, control: Whole, rates: Reals) -> None:
    """Put the stationary distribution of the closed class into MIXTURE; twin of `algorithm_1.stationary`."""
    if control[STALE] == 1:
        _find_class(reals, whole, control)
    size = control[SIZE]
    if size == 1:
        reals[MIXTURE, 0] = 1.0
    elif size == 2:
        _solve_two(reals, whole)
    elif size == 3:
        _solve_three(reals, whole)
    else:
        _eliminate(reals, whole, size, rates)


@inlined
def _lean(reals: Reals, whole: Whole, control: Whole, i: int, ones: float, zeros: float) -> None:
    """Let learner i lean to its mean; twin of `algorithm_1.beta_mean` and of `baselines.weighted_mean`."""
    reals[LEANING, i] = (ones + control[PRIOR]) / ((ones + zeros) + 2.0 * control[PRIOR])
    _round_learner(reals, whole, control, i)


@inlined
def advance(reals: Reals, whole: Whole, control: Whole, index: int, outcome: int) -> None:
    """Feed one round to cells and learners; twin of `algorithm_1.BlumMansour.update`."""
    for s in range(control[SIZE]):
        weight = reals[MIXTURE, s]
        if weight > 0.0:
            i = whole[MEMBER, s]
            add_weight(reals, i, outcome, weight)
            if control[FEEDBACK] == EXPECTED:
                _lean(reals, whole, control, i, reals[SUM + 1, i], reals[SUM + 0, i])
    whole[COUNT + outcome, index] += 1
    if control[FEEDBACK] == REALISED:
        _lean(reals, whole, control, index, float(whole[COUNT + 1, index]), float(whole[COUNT + 0, index]))


@engine
def begin(reals: Reals, whole: Whole, control: Whole, rates: Reals, uniform: float) -> int:
    """Solve the round and return the grid index that `uniform` draws: for streams, one call from Python, not two."""
    solve(reals, whole, control, rates)
    return draw(reals, whole, control[SIZE], uniform)


@engine
def play_rounds(state: Bank, game: Game) -> None:
    """Play all rounds of the game."""
    reals, whole, control, rates = state
    for t in range(len(game.uniforms)):
        solve(reals, whole, control, rates)
        index = outcome_and_draw(reals, whole, control, game, t)
        advance(reals, whole, control, index, int(game.outcomes[t]))
