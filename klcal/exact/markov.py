"""Stationary distributions of small Markov chains, by linear equations over fractions or balls."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from flint import arb, arb_mat, fmpq, fmpq_mat

from klcal.exact.arithmetic import Exact, Mixture, maximum, product, total
from klcal.exact.balls import ball


def closed_classes(rows: Sequence[Mixture]) -> list[tuple[int, ...]]:
    """Return the closed classes of a chain, the one with the smallest member first.

    Parameters
    ----------
    rows : sequence of dict
        Where each state leads, with which probability; an entry counts as positive because it is there.

    Returns
    -------
    list of tuple of int

    Examples
    --------
    >>> closed_classes([{0: 1}, {0: 1}, {2: 1}])
    [(0,), (2,)]
    """
    reach = [set(row) for row in rows]
    for _ in rows:
        reach = [ahead.union(*(reach[j] for j in ahead)) for ahead in reach]
    return sorted({tuple(sorted(ahead)) for ahead in reach if all(reach[j] == ahead for j in ahead)})


def stationary(rows: Sequence[Mixture], members: Sequence[int] | None = None) -> Mixture:
    """Return the stationary distribution on one closed class.

    Parameters
    ----------
    rows : sequence of dict
        Where each state leads, with which probability.
    members : sequence of int, optional
        The class; by default the lowest one.

    Returns
    -------
    dict
        Probabilities of the members: fractions if all entries are, else balls.

    Examples
    --------
    >>> stationary([{0: Fraction(1, 2), 1: Fraction(1, 2)}, {0: 1}])
    {0: Fraction(2, 3), 1: Fraction(1, 3)}
    """
    states = closed_classes(rows)[0] if members is None else tuple(members)
    balance = [[total((rows[j].get(i, 0), -int(i == j))) for j in states] for i in states[:-1]]
    return dict(zip(states, _solve([*balance, [1] * len(states)]), strict=True))


def _solve(matrix: Sequence[Sequence[Exact]]) -> list[Any]:
    """Return the solution of matrix x = (0, ..., 0, 1)."""
    size = len(matrix)
    right = [[int(i == size - 1)] for i in range(size)]
    if any(isinstance(entry, arb) for row in matrix for entry in row):
        balls = arb_mat([[ball(entry) for entry in row] for row in matrix]).solve(arb_mat(right))
        return [balls[i, 0] for i in range(size)]
    rationals = [[fmpq(Fraction(x).numerator, Fraction(x).denominator) for x in row] for row in matrix]
    solution = fmpq_mat(rationals).solve(fmpq_mat(right))
    return [Fraction(int(solution[i, 0].p), int(solution[i, 0].q)) for i in range(size)]


def one_step(mixture: Mixture, rows: Sequence[Mixture]) -> list[Any]:
    """Return the distribution after one step of the chain.

    Parameters
    ----------
    mixture : dict
        Probabilities of the states.
    rows : sequence of dict
        Where each state leads, with which probability.

    Returns
    -------
    list
        One probability per state.

    Examples
    --------
    >>> one_step({0: 1}, [{0: Fraction(1, 2), 1: Fraction(1, 2)}, {0: 1}])
    [Fraction(1, 2), Fraction(1, 2)]
    """
    return [
        total(product(share, rows[i].get(j, 0)) for i, share in mixture.items()) for j in range(len(rows))
    ]


def imbalance(mixture: Mixture, rows: Sequence[Mixture]) -> Any:
    """Return the largest change of a probability in one step: 0 for a stationary distribution.

    Parameters
    ----------
    mixture : dict
        Probabilities of the states.
    rows : sequence of dict
        Where each state leads, with which probability.

    Returns
    -------
    Fraction or arb

    Examples
    --------
    >>> imbalance({0: 1}, [{0: Fraction(1, 3), 1: Fraction(2, 3)}, {0: 1}])
    Fraction(2, 3)
    """
    after = one_step(mixture, rows)
    return maximum(abs(total((q, -mixture.get(j, 0)))) for j, q in enumerate(after))
