"""Grouping equal keys (`cells`); twin of both: ``np.unique(keys, return_inverse=True)`` and ``np.bincount``."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from klcal._kernels.compiling import compiled

# Odd 32-bit numbers without pattern (2^32 over the golden ratio and its square), one for each half of a key:
# products of halves fit into 64 bits, so the hash never overflows.
_SPREAD_LOW, _SPREAD_HIGH = np.uint64(0x9E3779B9), np.uint64(0x61C88647)


@compiled
def group_hashed(
    keys: npt.NDArray[np.uint64], outcomes: npt.NDArray[np.uint8], log2_slots: int
) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Return the distinct keys by first appearance, the count of each, and its count of outcomes 1.

    Open addressing in ``2**log2_slots`` slots, at most half of them used; with more distinct keys all results
    are empty.
    """
    slots = 1 << log2_slots
    limit = slots // 2
    low_half, half, fold, mask = np.uint64(0xFFFFFFFF), np.uint64(32), np.uint64(29), np.uint64(slots - 1)
    group_in_slot = np.full(slots, -1, np.int32)
    values = np.empty(limit, np.uint64)
    mass = np.zeros(limit)
    ones = np.zeros(limit)
    groups = 0
    for t in range(len(keys)):
        key = keys[t]
        spread = ((key & low_half) * _SPREAD_LOW) ^ ((key >> half) * _SPREAD_HIGH)
        slot = np.int64((spread ^ (spread >> fold)) & mask)
        group = group_in_slot[slot]
        while group >= 0 and values[group] != key:
            slot = (slot + 1) & (slots - 1)
            group = group_in_slot[slot]
        if group < 0:
            if groups == limit:
                groups = 0
                break
            group = groups
            groups += 1
            group_in_slot[slot] = group
            values[group] = key
        mass[group] += 1.0
        ones[group] += outcomes[t]
    return values[:groups], mass[:groups], ones[:groups]


@compiled
def group_sorted(
    keys: npt.NDArray[np.uint64], outcomes: npt.NDArray[np.uint8]
) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Return the distinct keys of a non-decreasing array, the count of each, and its count of outcomes 1.

    If the keys decrease anywhere all results are empty.
    """
    groups = 1
    for t in range(1, len(keys)):
        if keys[t] < keys[t - 1]:
            groups = 0
            break
        if keys[t] > keys[t - 1]:
            groups += 1
    values = np.empty(groups, np.uint64)
    mass = np.zeros(groups)
    ones = np.zeros(groups)
    if groups == 0:
        return values, mass, ones
    group = 0
    values[0] = keys[0]
    for t in range(len(keys)):
        if keys[t] != values[group]:
            group += 1
            values[group] = keys[t]
        mass[group] += 1.0
        ones[group] += outcomes[t]
    return values, mass, ones
