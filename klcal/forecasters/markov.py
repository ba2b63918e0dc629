"""Stationary distributions of finite Markov chains; knows nothing of forecasting.

One convention throughout: matrices are row-stochastic, ``Q[i, j]`` is the probability to go from i to j, and a
stationary distribution is a row vector with ``p = p @ Q``. (The paper stacks the same distributions as columns.)
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from klcal import _checks
from klcal._checks import FloatArray, IntArray


def closed_classes(Q: npt.ArrayLike) -> tuple[IntArray, ...]:
    """Return the closed communicating classes of a chain: the sets it can enter and never leave.

    Exact zeros of `Q` decide what is connected.

    Parameters
    ----------
    Q : array_like, shape (n, n)
        Row-stochastic matrix.

    Returns
    -------
    tuple of ndarray
        Increasing indices of each closed class, ordered by smallest member. There is always at least one.

    Examples
    --------
    >>> closed_classes([[1.0, 0.0, 0.0], [0.5, 0.0, 0.5], [0.0, 0.0, 1.0]])
    (array([0]), array([2]))
    """
    return _closed_classes(_stochastic(Q))


def stationary(Q: npt.ArrayLike) -> FloatArray:
    """Return the stationary distribution of `Q` that lives on its lowest closed class.

    Where several classes are closed, the one with the smallest member is taken: a rule that depends on `Q` alone.
    The chain may be periodic; no iteration is involved. Up to three states have a closed form, more take `gth`; neither
    subtracts.

    Parameters
    ----------
    Q : array_like, shape (n, n)
        Row-stochastic matrix.

    Returns
    -------
    ndarray, shape (n,)
        ``p`` with ``p = p @ Q``, zero outside the class.

    Examples
    --------
    A chain of period two, on which power iteration never settles:

    >>> stationary([[0.0, 1.0], [1.0, 0.0]])
    array([0.5, 0.5])
    """
    matrix = _stochastic(Q)
    members = _closed_classes(matrix)[0]
    distribution = np.zeros(len(matrix))
    distribution[members] = _irreducible(matrix[np.ix_(members, members)])
    return distribution


def gth(Q: npt.ArrayLike) -> FloatArray:
    """Return the stationary distribution of an irreducible chain by Grassmann-Taksar-Heyman elimination.

    States are eliminated from the last to the first. The algorithm never subtracts, so every entry is accurate to a
    small multiple of machine precision, however close the chain is to falling apart [1]_.

    Parameters
    ----------
    Q : array_like, shape (n, n)
        Row-stochastic and irreducible.

    Returns
    -------
    ndarray, shape (n,)
        The stationary distribution.

    References
    ----------
    .. [1] W. K. Grassmann, M. I. Taksar, D. P. Heyman, "Regenerative analysis and steady state distributions for
       Markov chains", Operations Research 33 (1985).

    Examples
    --------
    >>> gth([[0.5, 0.5], [0.25, 0.75]])
    array([0.33333333, 0.66666667])
    """
    matrix = _stochastic(Q)
    classes = _closed_classes(matrix)
    if len(classes) > 1 or len(classes[0]) < len(matrix):
        raise ValueError(f"Q must be irreducible; got closed classes {[c.tolist() for c in classes]}")
    return _gth(matrix)


def _stochastic(Q: npt.ArrayLike) -> FloatArray:
    matrix = _checks.real_array("Q", Q, ndim=2)
    return _checks.mixtures("Q", matrix, len(matrix))


def _closed_classes(matrix: FloatArray) -> tuple[IntArray, ...]:
    edges = csr_array(matrix > 0.0)
    count, component = connected_components(edges, directed=True, connection="strong")
    source, target = edges.nonzero()
    leaks = np.zeros(count, dtype=bool)
    leaks[component[source[component[source] != component[target]]]] = True
    classes = [np.flatnonzero(component == c) for c in range(count) if not leaks[c]]
    return tuple(sorted(classes, key=lambda members: int(members[0])))


def _irreducible(matrix: FloatArray) -> FloatArray:
    if len(matrix) <= 3:
        weights = _by_trees(matrix)
        return np.asarray(weights / np.cumsum(weights)[-1])
    return _gth(matrix)


def _by_trees(matrix: FloatArray) -> FloatArray:
    """Return unnormalised weights of up to three states by the Markov chain tree theorem.

    The weight of a state is the sum over all trees that lead into it of the product of their edges: no subtractions
    either, and no divisions.
    """
    if len(matrix) == 1:
        return np.ones(1)
    if len(matrix) == 2:
        return np.array([matrix[1, 0], matrix[0, 1]])
    (_, ab, ac), (ba, _, bc), (ca, cb, _) = matrix
    return np.array([ba * ca + ba * cb + ca * bc, ab * cb + ab * ca + cb * ac, ac * bc + ac * ba + bc * ab])


def _gth(matrix: FloatArray) -> FloatArray:
    # Sums run strictly from left to right (cumsum, not the pairwise np.sum), so that the compiled twin
    # `_kernels.blum_mansour._eliminate` reproduces them to the last bit.
    rates = matrix.copy()
    n = len(rates)
    for k in range(n - 1, 0, -1):
        rates[:k, k] /= np.cumsum(rates[k, :k])[-1]
        rates[:k, :k] += np.outer(rates[:k, k], rates[k, :k])
    weights = np.ones(n)
    for k in range(1, n):
        weights[k] = np.cumsum(weights[:k] * rates[:k, k])[-1]
    return np.asarray(weights / np.cumsum(weights)[-1])
