r"""Equation 4 and what it rests on: how well a grid competes with [0, 1], and bounds on the divergence."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from itertools import pairwise

import sympy as sp
from flint import arb

from klcal import bounds
from klcal.claims._combinators import closed, jointly, vanishing
from klcal.claims._evidence import Evidence
from klcal.claims._legacy import Claim
from klcal.claims.grids._common import (
    BITS,
    CHAPTER,
    RESOLUTIONS,
    agreement,
    divergence,
    full_points,
    inner_points,
    largest,
    positive,
    sine_squared,
)
from klcal.exact.balls import ball, hull, lower, precision, supremum, upper

QUARTER = arb.pi() / 4
_PANELS = 16


def worst_in_cell(low: arb, high: arb) -> arb:
    r"""Return the largest value over :math:`\rho` between two points of the smaller divergence to them.

    :math:`\mathsf{KL}(\rho, p^-)` rises and :math:`\mathsf{KL}(\rho, p^+)` falls between the points, so the
    largest minimum is where they cross; their difference is linear in :math:`\rho`.

    Examples
    --------
    >>> worst_in_cell(arb(0.25), arb(0.75)).overlaps((arb(4) / 3).log() / 2)
    True
    """
    ones, zeros = (high / low).log(), ((1 - low) / (1 - high)).log()
    return divergence(zeros / (ones + zeros), low)


def worst_on_full_grid(K: int) -> arb:
    r"""Return :math:`\max_\rho \min_z \mathsf{KL}(\rho, z)` over the full grid: the worst cell, or an end.

    Below :math:`z_0` the divergence falls in :math:`\rho`, so the end contributes
    :math:`\mathsf{KL}(0, z_0)`. Half of the symmetric grid is enough.
    """
    points = full_points(K)[: K // 2 + 2]
    worst = divergence(arb(0), points[0])
    for low, high in pairwise(points):
        worst = worst.max(worst_in_cell(low, high))
    return worst


def inner_cells(K: int) -> Iterator[arb]:
    """Yield the worst divergence of every cell between two points of the inner grid, up to symmetry."""
    for low, high in pairwise(inner_points(K)[1 : K // 2 + 2 if K > 2 else 2]):
        yield worst_in_cell(low, high)


def envelope(h: arb) -> arb:
    r"""Return a bound on the worst divergence of any inner cell of half-width h, over :math:`4h^2`.

    Let the cell be :math:`[\sin^2(m-h), \sin^2(m+h)]` with :math:`3h \le m \le \pi/4`, and write the
    divergences from :math:`\rho = \sin^2 m` to its ends as integrals of
    :math:`4\sin(m-\varphi)\sin(m+\varphi)/\sin2\varphi`. Their mean is

    .. math:: 2\sin^2h
              + 2\int_0^h \frac{\sin^2\varepsilon\,\sin4\varepsilon}{\sin^22m - \sin^22\varepsilon}\,d\varepsilon,

    which falls in m, so m = 3h is worst; that is the value returned. It bounds the value V at the crossing
    :math:`\rho^*`. With :math:`\ell` the logit, V is the mean plus half the integral of
    :math:`\ell(p^-) + \ell(p^+) - 2\ell(\rho)` from :math:`\rho^*` to :math:`\sin^2m`. The crossing is below
    :math:`\sin^2m`, since there the divergence to :math:`p^-` is the larger one: the difference of the two
    integrals has the sign of :math:`\sin4m`. And on the way :math:`\ell(\rho)` is at least the mean of the
    two logits, as at that mean the divergence to :math:`p^-` is the smaller one: the mean is not positive for
    :math:`m \le \pi/4`, and
    :math:`\tanh(u+v) + \tanh(u-v) - 2\tanh u = 2\sinh2u\,(\frac{1}{\cosh2u+\cosh2v} - \frac{1}{\cosh2u+1})`
    has the sign of :math:`-u`.

    Examples
    --------
    >>> 0.5149 < lower(envelope(arb(0))) < upper(envelope(arb(0))) < 0.5152
    True
    """
    total = arb(0)
    for j in range(_PANELS):
        # The integrand over (9 - x^2) sinc sinc is x^3 at epsilon = hx, and that factor is integrated exactly.
        weight = ball(Fraction((j + 1) ** 4 - j**4, 4 * _PANELS**4))
        x = hull(Fraction(j, _PANELS), Fraction(j + 1, _PANELS))
        spread = (h * x).sinc() ** 2 * (4 * h * x).sinc()
        total += weight * spread / ((9 - x**2) * (2 * h * (3 - x)).sinc() * (2 * h * (3 + x)).sinc())
    return (h.sinc() ** 2 + total) / 2


def _sign_of_the_tilt() -> Evidence:
    """Check the identity of hyperbolic tangents that places the crossing."""
    a, b = sp.symbols("a b", positive=True)

    def tanh(square: sp.Expr) -> sp.Expr:
        return (square - 1) / (square + 1)

    # With a = e^(2u) and b = e^(2v) everything is rational.
    cosh_u, cosh_v, sinh_u = (a + 1 / a) / 2, (b + 1 / b) / 2, (a - 1 / a) / 2
    left = tanh(a * b) + tanh(a / b) - 2 * tanh(a)
    return vanishing(
        "the crossing lies above the mean logit",
        [left - 2 * sinh_u * (1 / (cosh_u + cosh_v) - 1 / (cosh_u + 1))],
    )


def _envelope_is_the_mean() -> Evidence:
    """Check `envelope` against the divergences from sin^2(3h) to both ends of the second cell, K = 3..32."""
    misses = 0
    for K in range(3, 33):
        theta = arb.pi() / (2 * K)
        rho = (3 * theta / 2).sin() ** 2
        ends = (sine_squared(1, 2 * K), sine_squared(2, 2 * K))
        mean = sum((divergence(rho, z) for z in ends), arb(0)) / 2
        misses += not envelope(theta / 2).overlaps(mean / theta**2)
    return Evidence(misses, 0, "==", "the envelope holds the mean of the two divergences at m = 3h")


@precision(BITS)
def comparator_as_cited(constant: float | None = None) -> Evidence:
    r"""Check :math:`\min_z\mathsf{KL}(\rho, z) \le (2-\sqrt2)\pi^2/K^2` for all :math:`\rho` and all K >= 2.

    At K = 2..64 by the closed form of `worst_in_cell`; for all K because the error is at most
    :math:`-2\log\cos\theta < 2\theta^2 = \frac{\pi^2}{2K^2}` (``new:comparator-log-secant``).
    """
    cited = (2 - arb(2).sqrt()) * arb.pi() ** 2
    value, K = largest((K, K**2 * worst_on_full_grid(K)) for K in RESOLUTIONS)
    text = "K^2 times the largest min-KL over all rho in [0, 1] at K = 2..64"
    return jointly(
        Evidence(value, lower(cited) if constant is None else constant, "<=", text, {"K": K}),
        positive("-2 log cos x < 2 x^2", lambda x: 2 * x * x + 2 * x.cos().log(), QUARTER),
        Evidence(upper(arb.pi() ** 2 / 2), lower(cited), "<=", "pi^2/2 against (2 - sqrt 2) pi^2"),
        agreement(
            "(2 - sqrt 2) pi^2/K^2",
            lambda K: bounds.comparator_error(K, version="paper"),
            lambda K: cited / K**2,
        ),
    )


@precision(BITS)
def comparator_log_secant(factor: float = 1.0) -> Evidence:
    r"""Check :math:`\min_z\mathsf{KL}(\rho, z) \le -2\log\cos\frac\pi{2K}` on both grids, all :math:`\rho`.

    The worst :math:`\rho` of a cell has the Chernoff information of its ends, at most twice the Bhattacharyya
    distance :math:`-\log\cos(b-a)`. Independently for all K: `envelope` is below
    :math:`0.9\,\theta^2 < -2\log\cos\theta` for every inner cell; an end cell is a cell of half the width,
    and outside the grid the worst is :math:`-\log(1-z_0)`, or on the inner grid
    :math:`-\log(1-z_1) = -2\log\cos\theta`, attained at :math:`\rho = 0`.
    """
    angle = {K: arb.pi() / (2 * K) for K in RESOLUTIONS}
    cells = [
        (K, value / (-2 * factor * angle[K].cos().log())) for K in RESOLUTIONS for value in inner_cells(K)
    ]
    ratio, K = largest(cells)
    above = supremum(lambda x: envelope(arb.pi() / 12 * x), [(0, 1)], below=0.9 * factor, bits=BITS)
    return jointly(
        Evidence(
            ratio, 1, "<=", "largest min-KL over -2 log cos(pi/2K), all inner cells at K = 2..64", {"K": K}
        ),
        Evidence(above.upper, 0.9 * factor, "<", "envelope over theta^2, all K >= 3 covered by balls"),
        positive("0.9 x^2 < -2 log cos x", lambda x: -20 * x.cos().log() - 9 * x * x, QUARTER),
        _envelope_is_the_mean(),
        _sign_of_the_tilt(),
        closed("bhattacharyya", "chernoff-tilt", "comparator-crossing"),
        agreement(
            "KL(0, z_1) on the inner grid",
            lambda K: factor * bounds.comparator_error_inner(K),
            lambda K: divergence(arb(0), sine_squared(1, 2 * K)),
        ),
        agreement("-2 log cos(pi/2K)", bounds.comparator_error, lambda K: -2 * angle[K].cos().log()),
    )


@precision(BITS)
def comparator_constant(constant: float = 1.2946) -> Evidence:
    r"""Check that :math:`K^2\max_\rho\min_z\mathsf{KL}` is largest at K = 3: :math:`\frac92\log\frac43 = 1.29457`.

    At K = 3 the worst cell is [1/4, 3/4] with :math:`\rho = \frac12`. K = 2 and 4..64 are computed; for
    larger K inner cells are below :math:`\frac{\pi^2}4` times `envelope`, end cells and ends below
    :math:`\frac{\pi^2}8`. As :math:`K \to \infty` the cell next to the end decides:
    :math:`\frac{\pi^2}4(1 + \rho(\log\rho - 1))` with :math:`\rho = 3/\log4`, a Poisson limit, 1.249864.
    """
    best = ball(Fraction(9, 2)) * (arb(4) / 3).log()
    errors = {K: worst_on_full_grid(K) for K in RESOLUTIONS}
    others, K = largest((K, K**2 * error) for K, error in errors.items() if K != 3)
    quarter = arb.pi() ** 2 / 4
    above = supremum(lambda x: quarter * envelope(arb.pi() / 260 * x), [(0, 1)], below=lower(best), bits=BITS)
    rho = 3 / arb(4).log()
    limit = quarter * (1 + rho * (rho.log() - 1))
    far = 10**6 * worst_on_full_grid(1000)
    return jointly(
        Evidence(upper(best), constant, "<=", "(9/2) log(4/3), the value at K = 3"),
        Evidence(upper(abs(9 * errors[3] - best)), 1e-30, "<=", "the grid of K = 3 has that value"),
        Evidence(others, lower(best), "<", "K^2 times the error at K = 2 and 4..64", {"K": K}),
        Evidence(above.upper, lower(best), "<", "inner cells at all K >= 65, covered by balls"),
        positive("-2 log cos x < 2 x^2", lambda x: 2 * x * x + 2 * x.cos().log(), QUARTER),
        Evidence(upper(quarter / 2), lower(best), "<", "pi^2/8, for the ends"),
        Evidence(upper(abs(far - limit)), 1e-6, "<=", "K = 1000 against the Poisson limit 1.249864"),
        agreement(
            "the largest error",
            lambda K: bounds.comparator_error(K, version="best"),
            lambda K: errors[K],
            tolerance=1e-12,
        ),
    )


_TENTHS = tuple(Fraction(k, 10) for k in range(1, 10))


@precision(BITS)
def pinsker(constant: Fraction = Fraction(2)) -> Evidence:
    r"""Check :math:`\mathsf{KL}(\rho, p) \ge \texttt{constant}\cdot(\rho-p)^2` on the whole square.

    For fixed :math:`\rho` the difference has derivative :math:`(p-\rho)(\frac{1}{p(1-p)} - 2c)`, so it is
    smallest at :math:`p = \rho`, where it is 0, if :math:`2c \le \frac1{p(1-p)}` everywhere. The least value
    of the right side is 4, because :math:`\frac1{p(1-p)} - 4 = \frac{(1-2p)^2}{p(1-p)}`. At p = 1/2 the ratio
    tends to 2: no larger c will do.
    """
    p = sp.Symbol("p", positive=True)
    step = ball(Fraction(1, 2**20))
    near = divergence(arb(0.5) + step, arb(0.5)) / step**2
    pairs = [(rho, q) for rho in (Fraction(0), *_TENTHS, Fraction(1)) for q in _TENTHS if rho != q]
    return jointly(
        Evidence(Fraction(1, 2) * 4, constant, ">=", "half the least value of 1/(p(1-p)), which is 4"),
        vanishing("1/(p(1-p)) - 4 is a square", [1 / (p * (1 - p)) - 4 - (1 - 2 * p) ** 2 / (p * (1 - p))]),
        closed("pinsker-slope"),
        Evidence(
            upper(near), 2 + 1e-9, "<=", "the ratio at rho = 1/2 + 2^-20, p = 1/2: the constant 2 is best"
        ),
        *(
            Evidence(
                max(
                    _excess(bounds.pinsker(float(rho), float(q), version=v), c * (rho - q) ** 2)
                    for rho, q in pairs
                ),
                1e-14,
                "<=",
                f"klcal.bounds.pinsker, {v}, agrees with {c} (rho - p)^2",
            )
            for v, c in (("paper", 1), ("sharpened", 2))
        ),
        Evidence(
            min(lower(divergence(ball(rho), ball(q)) - ball(2 * (rho - q) ** 2)) for rho, q in pairs),
            0,
            ">",
            "KL - 2(rho - p)^2 in balls on a grid of pairs",
        ),
    )


def _excess(value: float, exact: Fraction) -> float:
    return float(abs(Fraction(value) - exact))


@precision(BITS)
def chi_square(constant: Fraction = Fraction(1)) -> Evidence:
    r"""Check :math:`\mathsf{KL}(\rho, p) \le \texttt{constant}\cdot\chi^2(\rho, p)` on the whole square.

    :math:`\chi^2 - \mathsf{KL} = \rho\,h(\rho/p) + (1-\rho)\,h(\frac{1-\rho}{1-p})` with
    :math:`h(x) = x - 1 - \log x \ge 0`. At :math:`\rho = 0` the ratio tends to 1 as p tends to 0: no smaller
    constant will do. Jensen gives the smaller :math:`\log(1+\chi^2)`, as
    :math:`\frac{\rho^2}p + \frac{(1-\rho)^2}{1-p} = 1 + \chi^2`.
    """
    tiny = ball(Fraction(1, 2**20))
    near = divergence(arb(0), tiny) / (tiny / (1 - tiny))
    rho, p = sp.symbols("rho p", positive=True)
    pairs = [(r, q) for r in (Fraction(0), *_TENTHS, Fraction(1)) for q in _TENTHS if r != q]
    chi = {(r, q): (r - q) ** 2 / (q * (1 - q)) for r, q in pairs}
    slack = min(
        lower((1 + ball(c)).log() - divergence(ball(r), ball(q))) for (r, q), c in chi.items() if 0 < r < 1
    )
    return jointly(
        Evidence(
            lower(near), constant, "<=", "the ratio at rho = 0, p = 2^-20, which no constant may undercut"
        ),
        closed("chi-squared", "kl-below-chi-squared", "excess-slope", "excess-at-1"),
        vanishing(
            "the likelihood ratio has mean 1 + chi^2",
            [rho**2 / p + (1 - rho) ** 2 / (1 - p) - 1 - (rho - p) ** 2 / (p * (1 - p))],
        ),
        Evidence(slack, 0, ">", "log(1 + chi^2) - KL in balls on a grid of pairs"),
        Evidence(
            max(_excess(bounds.chi_square(float(r), float(q)), c) for (r, q), c in chi.items()),
            1e-13,
            "<=",
            "klcal.bounds.chi_square agrees with (rho - p)^2/(p(1-p))",
        ),
        Evidence(
            max(
                upper(abs(arb(bounds.log_chi_square(float(r), float(q))) - (1 + ball(c)).log()))
                for (r, q), c in chi.items()
            ),
            1e-14,
            "<=",
            "klcal.bounds.log_chi_square agrees with log(1 + chi^2)",
        ),
    )


@precision(BITS)
def range_of_log_loss(factor: float = 2.0) -> Evidence:
    r"""Check that the log loss on the inner grid is at most :math:`-2\log\sin\frac\pi{2K} \le 2\log K`.

    The extreme points are :math:`z_1` and :math:`1 - z_1`. For all K:
    :math:`\sin\theta \ge \frac2\pi\theta = \frac1K`, covered by balls with 0.64 for :math:`\frac2\pi`.
    """
    losses = {K: max((-z.log()).max(-(1 - z).log()) for z in inner_points(K)[1:K]) for K in RESOLUTIONS}
    ratio, K = largest((K, loss / (factor * arb(K).log())) for K, loss in losses.items())
    return jointly(
        Evidence(ratio, 1, "<=", f"largest loss over {factor} log K at K = 2..64", {"K": K}),
        positive("sin x > 0.64 x", lambda x: 100 * x.sin() - 64 * x, QUARTER),
        Evidence(upper(2 / arb.pi()), 0.64, "<", "2/pi"),
        closed("range-log-loss"),
        agreement("the largest loss", bounds.log_loss_range, lambda K: losses[K]),
    )


CLAIMS: tuple[Claim, ...] = (
    Claim(
        label="eq:psreg_[0,1]_to_psreg_Z",
        number="Equation 4",
        title="a grid competes with [0, 1]",
        kind="certified",
        chapter=CHAPTER,
        statement="For every rho~_p in [0, 1] some z of the full grid has KL(rho~_p, z) <= (2 - sqrt 2) "
        "pi^2/K^2, hence PSReg <= sup over maps into the grid + (2 - sqrt 2) pi^2 T/K^2 (the display before "
        "it prints rho_p).",
        uses=("new:comparator-log-secant",),
        check=comparator_as_cited,
        spoil=(partial(comparator_as_cited, 1.2945),),
        rows=(61, 62, 63),
    ),
    Claim(
        label="new:comparator-log-secant",
        number="Equation 4, sharpened",
        title="comparator error by Bhattacharyya",
        kind="certified",
        chapter=CHAPTER,
        statement="max over rho of min over z of KL(rho, z) is at most -2 log cos(pi/2K) on the full grid "
        "and equal to it on the inner grid, for all K >= 2.",
        check=comparator_log_secant,
        spoil=(partial(comparator_log_secant, 0.5), partial(comparator_log_secant, 0.999)),
        rows=(61,),
    ),
    Claim(
        label="new:comparator-constant",
        number="Equation 4, sharpened",
        title="the true comparator constant",
        kind="certified",
        chapter=CHAPTER,
        statement="On the full grid K^2 times the largest min-KL is at most (9/2) log(4/3) = 1.29457, with "
        "equality at K = 3, and 1.249864 in the limit; the cited constant 5.78 is 4.5 times larger.",
        uses=("new:comparator-log-secant",),
        check=comparator_constant,
        spoil=(partial(comparator_constant, 1.2945),),
        rows=(61,),
    ),
    Claim(
        label="pinsker",
        number="Section 1",
        title="Pinsker's inequality with its best constant",
        kind="symbolic",
        chapter=CHAPTER,
        statement="KL(rho, p) >= 2(rho - p)^2 on the whole square, and 2 is the best constant; the paper "
        "uses 1.",
        check=pinsker,
        spoil=(partial(pinsker, Fraction(2001, 1000)),),
        rows=(4,),
    ),
    Claim(
        label="thm:log_loss_swap_reg/chi-square",
        number="Theorem 1, proof",
        title="KL is at most chi-square",
        kind="symbolic",
        chapter=CHAPTER,
        statement="KL(rho, p) <= (rho - p)^2/(p(1-p)) on the whole square, and 1 is the best constant.",
        check=chi_square,
        spoil=(partial(chi_square, Fraction(999, 1000)),),
        rows=(42,),
    ),
    Claim(
        label="eq:range_log_loss",
        number="Equation 7",
        title="range of the log loss on the grid",
        kind="certified",
        chapter=CHAPTER,
        statement="On the inner grid the log loss is at most log(1/sin^2(pi/2K)) <= 2 log K, for all K >= 2.",
        check=range_of_log_loss,
        spoil=(partial(range_of_log_loss, 1.75),),
        rows=(44,),
    ),
)
