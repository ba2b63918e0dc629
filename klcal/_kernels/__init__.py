"""Compiled loops: arrays in, arrays out.

No checks and no generators live here: the callers check, and uniform draws come in as data. Every kernel has a
readable twin, named in its docstring, and agrees with it to the last bit: the same operations in the same order, and
never ``fastmath``, which would reorder sums and lose infinities.
"""
