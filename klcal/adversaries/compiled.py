"""Which adaptive adversaries have a compiled twin."""

from __future__ import annotations

from klcal._kernels import opponents
from klcal.adversaries.adaptive import Adaptive, Border, Greedy, Oppose, Threshold
from klcal.adversaries.against_tree import Feed, Jump
from klcal.adversaries.tail import GreedyExp, Peak, Push


def compiled_code(adversary: Adaptive) -> int | None:
    """Return the code of an adversary's compiled twin, or None if it has none.

    Only the exact classes of this package have one: a subclass may choose differently. Settings are passed on in
    thousandths, so an adversary with any other setting plays without a twin.

    Parameters
    ----------
    adversary : Adaptive
        Any adaptive adversary.

    Returns
    -------
    int or None
        A code of `klcal._kernels.opponents`.

    Examples
    --------
    >>> compiled_code(Oppose(10)) == opponents.OPPOSE
    True
    >>> compiled_code(Threshold(10, 1 / 3)) is None
    True
    """
    if type(adversary) is Oppose:
        return opponents.OPPOSE
    if type(adversary) is Border:
        return opponents.BORDER
    if type(adversary) is Greedy:
        return opponents.GREEDY_EXPECTED if adversary.cells == "expected" else opponents.GREEDY_REALISED
    if type(adversary) is Threshold:
        return opponents.with_setting(opponents.THRESHOLD, adversary.threshold)
    if type(adversary) is GreedyExp:
        return opponents.with_setting(opponents.GREEDY_EXP, adversary.rate)
    if type(adversary) is Push:
        return opponents.PUSH
    if type(adversary) is Peak:
        return opponents.with_setting(opponents.PEAK, adversary.level)
    if type(adversary) is Feed:
        return opponents.FEED
    if type(adversary) is Jump:
        return opponents.with_setting(opponents.JUMP, float(adversary.period))
    return None
