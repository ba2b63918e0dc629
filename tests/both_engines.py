"""Both engines of one forecaster on the same draws, and everybody they play against."""

from __future__ import annotations

import numpy as np

from klcal.adversaries import ADAPTIVE, AGAINST_THE_TREE, OBLIVIOUS

EVERY_ADVERSARY = (*OBLIVIOUS, *ADAPTIVE, *AGAINST_THE_TREE)


def opponent(name, T, seed=0):
    """Return outcomes, or an adversary that chooses them."""
    return ADAPTIVE[name](T) if name in ADAPTIVE else {**OBLIVIOUS, **AGAINST_THE_TREE}[name](T, seed)


def the_same(first, second):
    """Whether two games are the same to the last bit."""
    kept = "grid", "outcomes", "expected", "realised", "draws", "mixtures"
    pairs = [(getattr(first, name), getattr(second, name)) for name in kept]
    return all(np.array_equal(a, b) if isinstance(a, np.ndarray) else a == b for a, b in pairs)


def agree_in_every_round(plain, fast, outcomes, seed, same=("leanings", "mixture")):
    """Require that two reductions agree to the last bit: in what they show before every round, draws and cells."""
    uniforms = np.random.default_rng(seed).random(len(outcomes))
    for u, y in zip(uniforms, outcomes, strict=True):
        assert plain.grid == fast.grid
        for name in same:
            assert np.array_equal(getattr(plain, name)(), getattr(fast, name)()), name
        index = plain.draw(u)
        assert index == fast.draw(u)
        plain.update(index, y)
        fast.update(index, y)
    assert plain.expected == fast.expected
    assert plain.realised == fast.realised
