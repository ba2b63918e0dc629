r"""The arithmetic in the proof of the lower bound (chapter 12), in fractions and balls.

Numbers are in the units of the proof: biases in :math:`\theta`, visits in :math:`\theta^2`, where
:math:`\theta g = 48` and :math:`L = 2^{14}\theta^2`. So :math:`\frac4g = \frac{\theta}{12}`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from types import MappingProxyType

from flint import arb

from klcal.exact.balls import ball, hull

#: theta times g, and L over theta squared.
SPREAD, PATIENCE = 48, 2**14

LinearForm = Mapping[str, Fraction]


def largest_root(linear: arb, constant: arb) -> arb:
    r"""Return the largest x with :math:`x^2 \le ax + b`.

    Parameters
    ----------
    linear, constant : arb
        a and b, not negative.

    Examples
    --------
    >>> largest_root(arb(1), arb(2))
    2.00000000000000
    """
    return (linear + (linear**2 + 4 * constant).sqrt()) / 2


# ----- cells -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class ProofCells:
    """The windows of the proof in fractions: :math:`5k^2` of them cover [1/4, 3/4], each with two halves.

    Parameters
    ----------
    k : int
        Number of signs.

    Examples
    --------
    >>> ProofCells(1).truth(1)
    Fraction(3, 10)
    >>> ProofCells(1).halves(1)
    ((Fraction(1, 4), Fraction(3, 10)), (Fraction(3, 10), Fraction(7, 20)))
    """

    k: int

    @property
    def n(self) -> int:
        """Number of windows."""
        return 5 * self.k**2

    @property
    def g(self) -> Fraction:
        """Width of a window."""
        return Fraction(1, 2 * self.n)

    def truth(self, i: int) -> Fraction:
        """Return the middle of window i, counted from 1."""
        return Fraction(1, 4) + (i - Fraction(1, 2)) * self.g

    def halves(self, i: int) -> tuple[tuple[Fraction, Fraction], tuple[Fraction, Fraction]]:
        """Return both ends of the left and of the right half of window i."""
        q, half = self.truth(i), self.g / 2
        return (q - half, q), (q, q + half)

    def gaps(self) -> list[Fraction]:
        """Return how far apart neighbouring cells are, the outer two included: all 0 for a partition."""
        ends = [(Fraction(0), Fraction(1, 4))]
        for i in range(1, self.n + 1):
            ends += self.halves(i)
        ends.append((Fraction(3, 4), Fraction(1)))
        return [right[0] - left[1] for left, right in pairwise(ends)]

    def margins(self) -> list[Fraction]:
        r"""Return all distances, in g, between a counted cell and the truths that may follow.

        A plus of epoch i is followed by :math:`q_j`, :math:`j > i`, by :math:`q_j - \frac g2`, :math:`j > i`, or by
        3/4; a minus in the right half of window i by :math:`q_j`, :math:`j < i`, or by :math:`q_j - \frac g2`,
        :math:`j \le i`.
        """
        found = []
        for i in range(1, self.n + 1):
            top, bottom = self.truth(i), self.halves(i)[1][0]
            above = [self.truth(j) - shift for j in range(i + 1, self.n + 1) for shift in (0, self.g / 2)]
            below = [self.truth(j) for j in range(1, i)] + [
                self.truth(j) - self.g / 2 for j in range(1, i + 1)
            ]
            found += [(q - top) / self.g for q in (*above, Fraction(3, 4))]
            found += [(bottom - q) / self.g for q in below]
        return found


# ----- usable windows ----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class UsableWindow:
    """What is true of a typical cell of a window when its turn comes, in the units of the proof.

    Parameters
    ----------
    fall : arb
        How far its bias may be below 0 before the stage.
    earlier_visits : arb
        Its visits before the stage.
    late_root : arb
        The square root of its visits, if only its cost kept it from being counted.
    visits : arb
        Its visits when the turn comes.
    """

    fall: arb
    earlier_visits: arb
    late_root: arb
    visits: arb


def usable_window(noise: Fraction = Fraction(1, 8), fall: Fraction = Fraction(152, 1000)) -> UsableWindow:
    r"""Return the numbers of section 7 for the noise :math:`\frac\theta8` and the printed bound on the fall.

    Parameters
    ----------
    noise : Fraction
        What a clock deviates at most, in units of :math:`\theta`.
    fall : Fraction
        The printed bound on the fall, with which the later numbers are computed.

    Examples
    --------
    >>> bool(usable_window().fall < 0.152), bool(usable_window().visits < 0.13)
    (True, True)
    """
    step = ball(Fraction(4, SPREAD))
    earlier = ball(fall) ** 2
    reach = ball(fall + noise)
    root_kappa = ball(Fraction(1, 2 * PATIENCE)).sqrt()
    return UsableWindow(
        fall=largest_root(step, step * ball(noise)),
        earlier_visits=earlier,
        late_root=largest_root(step * root_kappa, earlier + step * reach),
        visits=earlier + step * (1 + reach),
    )


# ----- the walk ----------------------------------------------------------------------------------------------------


def walk_exit(first: int = 960) -> tuple[arb, arb]:
    r"""Return bounds on P\ :sub:`-` and on :math:`\mathbb E\tau/a^2` of the walk lemma, for all a from `first` on.

    .. math:: P_- \le \frac{a+1}{16a+1}, \qquad
              \mathbb E\tau \le \tfrac{16}3\bigl((a+1)^2 + (15a+1)^2P_-\bigr)

    Parameters
    ----------
    first : int
        The smallest a.

    Examples
    --------
    >>> low, time = walk_exit()
    >>> bool(low < 0.0626), bool(time < 81)
    (True, True)
    """
    x = hull(0, Fraction(1, first))
    low = (1 + x) / (16 + x)
    return low, ((1 + x) ** 2 + (15 + x) ** 2 * low) * 16 / 3


# ----- the time ----------------------------------------------------------------------------------------------------

_NOISES = ("Z1", "Z2", "Z4", "Z5", "Y")


def _form(**coefficients: int | Fraction) -> LinearForm:
    return MappingProxyType({name: Fraction(value) for name, value in coefficients.items()})


def _sum(*parts: tuple[int | Fraction, LinearForm]) -> LinearForm:
    total: dict[str, Fraction] = {}
    for factor, form in parts:
        for name, value in form.items():
            total[name] = total.get(name, Fraction(0)) + factor * value
    return MappingProxyType(total)


def split(coefficient: Fraction | int, kept: Fraction) -> Fraction:
    r"""Return the smallest c with :math:`\frac{s}{g}\sqrt{kV} \le \lambda V + c\,\frac k{g^2}` for all V.

    Parameters
    ----------
    coefficient : Fraction or int
        The factor s.
    kept : Fraction
        Lambda, positive.

    Examples
    --------
    >>> split(4, Fraction(1, 2)), split(8, Fraction(1)), split(8, Fraction(1, 4))
    (Fraction(8, 1), Fraction(16, 1), Fraction(64, 1))
    """
    return Fraction(coefficient) ** 2 / (4 * kept)


def block_visits() -> LinearForm:
    r"""Return the bound on all visits of one block (section 10) as a linear form.

    The keys stand for :math:`kL`, :math:`k\theta/g`, :math:`k/g^2`, 1, and for the noise terms divided by g. Each
    kind of visits is bounded by :math:`\frac4g` times the change of the biases and the noise; square roots are split
    by `split`, and what is kept on the left side is divided out.

    Examples
    --------
    >>> counts = {name: int(value) for name, value in block_visits().items()}
    >>> counts  # doctest: +NORMALIZE_WHITESPACE
    {'k/g2': 464, 'Z1/g': 56, 'k theta/g': 240, 'Z2/g': 16, '1': 4, 'kL': 4,
     'Z4/g': 8, 'Y/g': 8, 'Z5/g': 8}
    """
    half, quarter = Fraction(1, 2), Fraction(1, 4)
    square, theta, one, patience = (_form(**{name: 1}) for name in ("k/g2", "k theta/g", "1", "kL"))
    z1, z2, z4, z5, y = (_form(**{f"{name}/g": 1}) for name in _NOISES)
    # V1 <= (4/g)(sqrt(k V1) + Z1)
    before = _sum((2 * split(4, half), square), (8, z1))
    # V2 <= (4/g)(10 k theta + 2 sqrt(k V1) + sqrt(k V2) + Z2) + 1
    right = _sum(
        (80, theta), (2, before), (2 * (split(8, Fraction(1)) + split(4, half)), square), (8, z2), (2, one)
    )
    own = _sum((2, patience))
    # V4 <= (4/g)(10 k theta + 2 sqrt(k N) + Z1 + Z4 + Y), and N is the sum of all four
    known = _sum(
        (1, before), (1, right), (1, own), (40, theta), (split(8, quarter), square), (4, z1), (4, z4), (4, y)
    )
    stage = _sum((Fraction(4, 3), known))
    # V5 <= (4/g)(2 sqrt(k N) + sqrt(k V5) + Z5)
    after = _sum((half, stage), (2 * (split(8, quarter) + split(4, half)), square), (8, z5))
    return _sum((1, stage), (1, after))


def visits_in_patience(form: LinearForm) -> Fraction:
    r"""Return the certain part of a bound on the visits of a block, in units of kL, for k = 1 where it is largest.

    Parameters
    ----------
    form : mapping
        Such as `block_visits` returns.

    Examples
    --------
    >>> 4 < visits_in_patience(block_visits()) < 4 + Fraction(1, 1000)
    True
    """
    units = {
        "kL": Fraction(1),
        "k theta/g": Fraction(1, SPREAD * PATIENCE),
        "k/g2": Fraction(1, SPREAD**2 * PATIENCE),
        "1": Fraction(1, PATIENCE * 480**2),
    }
    return sum((form[name] * unit for name, unit in units.items()), Fraction(0))


def mean_noise(form: LinearForm) -> Fraction:
    r"""Return a bound on the mean of the random part of all visits, in units of :math:`k^2L`.

    Every clock has a mean of at most 1/g, there are 10k cells in a block, at most 2k epochs in a stage with
    :math:`\mathbb E[Y_i] \le \sqrt L`, and the two outer cells add :math:`\frac8g Z` each.

    Parameters
    ----------
    form : mapping
        Such as `block_visits` returns.

    Examples
    --------
    >>> mean_noise(block_visits()) < Fraction(27, 10_000)
    True
    """
    clocks = sum((form[f"{name}/g"] for name in _NOISES[:4]), Fraction(0)) * 10 + 16
    root = Fraction(2**7)  # of 2^14
    return clocks / (SPREAD**2 * PATIENCE) + 2 * form["Y/g"] * root / (SPREAD * PATIENCE)


# ----- a coin with a random bias -----------------------------------------------------------------------------------


def coin_regret(T: int) -> Fraction:
    r"""Return the smallest expected regret for the squared loss against a coin whose bias is uniform on [0, 1].

    The best forecast after n rounds with s ones is :math:`\frac{s+1}{n+2}`, and all s are equally likely; the best
    fixed forecast has the loss :math:`\frac{s(T-s)}T`.

    Parameters
    ----------
    T : int
        Number of rounds.

    Examples
    --------
    >>> coin_regret(1), coin_regret(2)
    (Fraction(1, 4), Fraction(11, 36))
    """
    paid = Fraction(0)
    for n in range(T):
        for s in range(n + 1):
            p = Fraction(s + 1, n + 2)  # the forecast, and the chance that the next outcome is 1
            paid += Fraction(1, n + 1) * p * (1 - p)
    best = sum((Fraction(s * (T - s), T) for s in range(T + 1)), Fraction(0)) / (T + 1)
    return paid - best
