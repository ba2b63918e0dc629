r"""Forecasters that follow a mean: what they promise under the squared loss and under the log loss."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from itertools import product

import sympy as sp

from klcal.claims._combinators import jointly, vanishing
from klcal.claims._evidence import Evidence
from klcal.claims._legacy import Claim
from klcal.claims.comparisons._common import CHAPTER, harmonic
from klcal.forecasters.baselines import RunningMean, calibeat


def step(power: int = 1) -> Evidence:
    r"""Check that an outcome y after n outcomes with mean w adds :math:`(w-y)^2/(n+1)` to the regret.

    With :math:`V_n` the squared loss of the best constant, :math:`V_{n+1} = V_n + \frac n{n+1}(w-y)^2`.

    Parameters
    ----------
    power : int
        Power of n + 1 in the denominator.
    """
    n, w, y = sp.symbols("n w y", positive=True)
    after = (n * w + y) / (n + 1)
    # The best constant loses n w(1-w) on n outcomes with mean w, as y^2 = y.
    before, then = n * w * (1 - w), (n + 1) * after * (1 - after)
    growth = (w - y) ** 2 - (then - before)
    wanted = (w - y) ** 2 / (n + 1) ** power
    values = [sp.cancel((growth - wanted).subs(y, outcome)) for outcome in (0, 1)]
    return vanishing("one round adds (w - y)^2/(n + 1) to the regret, for y = 0 and y = 1", values)


def leader(spare: Fraction = Fraction(0), longest: int = 10) -> Evidence:
    """Check the squared regret of the running mean on all sequences of up to `longest` rounds, in fractions.

    Parameters
    ----------
    spare : Fraction
        Taken off the bound.
    longest : int
        Longest game.
    """
    excess = max(
        (_regret(outcomes) - (harmonic(T) - Fraction(3, 4) - spare), T)
        for T in range(2, longest + 1)
        for outcomes in product((0, 1), repeat=T)
    )
    text = f"regret minus its bound, all sequences of 2 to {longest} outcomes, exact"
    return Evidence(excess[0], 0, "<=", text, {"largest at T": excess[1]})


def _regret(outcomes: tuple[int, ...]) -> Fraction:
    """Return the squared regret of the running mean, which starts at 1/2."""
    ones, lost = 0, Fraction(0)
    for n, y in enumerate(outcomes):
        w = Fraction(ones, n) if n else Fraction(1, 2)
        lost += (w - y) ** 2
        ones += y
    mean = Fraction(ones, len(outcomes))
    return lost - len(outcomes) * mean * (1 - mean)


def forecasts_are_the_means() -> Evidence:
    """Count where the package's running mean is not the fraction, rounded: all sequences of eight outcomes."""
    wrong = 0
    for outcomes in product((0, 1), repeat=8):
        found = RunningMean().forecasts(outcomes).tolist()
        wanted = [0.5] + [float(Fraction(sum(outcomes[:n]), n)) for n in range(1, 8)]
        wrong += found != wanted
    return Evidence(wrong, 0, "==", "klcal's running mean is that mean, all sequences of eight outcomes")


def infinitely_wrong(prior: int = 0) -> Evidence:
    """Count the sequences of three outcomes, not all equal, on which a certain forecast is wrong; it is all of them.

    Parameters
    ----------
    prior : int
        Imaginary ones and zeros that are added to the outcomes.
    """
    mixed = [outcomes for outcomes in product((0, 1), repeat=3) if 0 < sum(outcomes) < 3]
    hit = 0
    for outcomes in mixed:
        forecasts = RunningMean(prior).forecasts(outcomes).tolist()
        hit += any(p == 1 - y for p, y in zip(forecasts, outcomes, strict=True))
    text = "sequences of three outcomes, not all equal, with a forecast of 0 before a 1 or of 1 before a 0"
    return Evidence(hit, len(mixed), "==", text)


def _games(rounds: int) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Yield all games of up to so many rounds with forecasts 0 and 1."""
    for T in range(1, rounds + 1):
        yield from product(product((0, 1), repeat=T), product((0, 1), repeat=T))


def beaten(spare: Fraction = Fraction(0), rounds: int = 5) -> Evidence:
    """Check calibeating under the squared loss on all games of a base that says 0 or 1, in fractions.

    Parameters
    ----------
    spare : Fraction
        Taken off the bound.
    rounds : int
        Longest game.
    """
    worst = Fraction(-rounds)
    wrong = 0
    for forecasts, outcomes in _games(rounds):
        new, lost, allowed = [], Fraction(0), Fraction(0)
        for t, (p, y) in enumerate(zip(forecasts, outcomes, strict=True)):
            met = [outcomes[s] for s in range(t) if forecasts[s] == p]
            new.append(Fraction(sum(met), len(met)) if met else Fraction(p))
            lost += (new[-1] - y) ** 2
        for p in set(forecasts):
            met = [y for q, y in zip(forecasts, outcomes, strict=True) if q == p]
            mean = Fraction(sum(met), len(met))
            allowed += len(met) * mean * (1 - mean) + harmonic(len(met)) - spare
        worst = max(worst, lost - allowed)
        wrong += calibeat(forecasts, outcomes).tolist() != [float(q) for q in new]
    text = (
        f"loss minus refinement minus sum of 1 + 1/2 + ... + 1/n_b, all games of up to {rounds} rounds, exact"
    )
    return jointly(
        Evidence(worst, 0, "<=", text, {"rounds": rounds}),
        Evidence(wrong, 0, "==", "klcal's calibeating gives these forecasts"),
    )


def follow_the_leader() -> Evidence:
    """Check the step, the bound on all short games, the package's forecasts, and the infinite log loss."""
    return jointly(step(), leader(), forecasts_are_the_means(), infinitely_wrong())


CLAIMS: tuple[Claim, ...] = (
    Claim(
        label="new:follow-the-leader",
        number="new",
        title="the running mean: logarithmic under the squared loss, infinite under the log loss",
        kind="symbolic",
        chapter=CHAPTER,
        statement="The running mean, started at 1/2, has external regret sum (w_t - y_t)^2/t <= 1 + 1/2 + ... + 1/T - "
        "3/4 under the squared loss, with equality at T = 2; under the log loss its regret is infinite as soon as "
        "both outcomes have occurred. (Laplace's rule: see the claim about buckets.)",
        uses=("new:laplace-in-buckets",),
        check=follow_the_leader,
        spoil=(partial(step, 2), partial(leader, Fraction(1, 100)), partial(infinitely_wrong, 1)),
    ),
    Claim(
        label="new:calibeating",
        number="new, after Foster and Hart",
        title="calibeating: nearly as good as knowing the mean of every bin",
        kind="exact",
        chapter=CHAPTER,
        statement="Replacing a base's forecast by the mean of the earlier outcomes in its bin gives a total squared "
        "loss of at most the refinement sum n_b rho_b(1 - rho_b) plus sum (1 + 1/2 + ... + 1/n_b), for every base and "
        "all outcomes; with Laplace's rule in the bins the log loss is at most sum n_b H(rho_b) + sum log(n_b + 1).",
        uses=("new:follow-the-leader", "new:laplace-in-buckets", "new:murphy"),
        check=beaten,
        spoil=(partial(beaten, Fraction(1, 100)),),
    ),
)
