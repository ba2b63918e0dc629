"""Both engines of one forecaster, round by round on the same draws."""

from __future__ import annotations

import numpy as np


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
