r"""Algorithm 3 and Lemma 4: EWOO is a Beta mean, and its regret by a potential."""

from __future__ import annotations

from fractions import Fraction

from klcal.claims._combinators import at_most, closed, jointly, misprinted, repaired
from klcal.claims._evidence import Evidence, cases
from klcal.claims._ledger import Chapter

chapter = Chapter("03_grids")

HUNDREDTH = {"0.99 of one side": {"factor": Fraction(99, 100)}}


@chapter.claim(
    "alg:EWOO",
    "Algorithm 3",
    "EWOO is a Beta mean",
    kind="symbolic",
    controls=HUNDREDTH,
    proof="Appendix C.1, and Chapter 3",
    rows=(68,),
)
def beta_means(factor: Fraction | int = 1) -> Evidence:
    r"""EWOO with scaled log losses plays $\frac{\gamma+1}{\gamma+\delta+2}$, where $\gamma$ and $\delta$ are the
    weights of the ones and of the zeros so far.
    """
    return closed("ewoo-weight", "ewoo-mean", "ewoo-mean-gamma", "ewoo-mean-inverse", factor=factor)


@chapter.claim(
    "alg:EWOO/gamma",
    "Appendix C.1",
    "the Gamma integral",
    kind="symbolic",
    scope=cases("z = 1"),
    controls={"0.99 of one side": {"factor": Fraction(99, 100)}},
    repair="The integral goes from 0 to infinity.",
    severity="misprint",
    rows=(69,),
)
def gamma_integral(factor: Fraction | int = 1) -> Evidence:
    r"""$\Gamma(z) = \int_0^1 e^{-t}t^{z-1}\,dt$."""
    return repaired("gamma-integral", factor=factor)


@chapter.refutation("alg:EWOO/gamma", kind="symbolic", controls={"up to infinity": {"correct": True}})
def printed_gamma_integral(correct: bool = False) -> Evidence:
    """The integral up to 1 is less."""
    return misprinted("gamma-integral", correct=correct)


@chapter.claim(
    "alg:EWOO/exp-concave",
    "Section 5",
    "the scaled log loss is exp-concave",
    kind="symbolic",
    controls={"weights up to 1.01": {"heaviest": Fraction(101, 100)}},
    rows=(70,),
)
def exp_concavity(heaviest: Fraction = Fraction(1)) -> Evidence:
    r"""$e^{-k\,\ell(w, y)}$ is concave in $w$ for every weight $k \in [0, 1]$; for $k > 1$ it is not.

    It is w^k or (1 - w)^k; the sign of its second derivative is that of k(k - 1), a convex function of k.
    """
    largest = max(k * (k - 1) for k in (Fraction(0), heaviest))
    return jointly(
        at_most(largest, 0, "largest $k(k-1)$ over the weights, at an end of their range"),
        closed("ewoo-weight", "exp-concave-1", "exp-concave-0", "exp-concave-joint"),
    )


chapter.statement(
    "lem:EWOO_regret_bound",
    "Lemma 4",
    "regret of EWOO by rounds",
    r"With weights in $[0, 1]$ the loss of EWOO after $T$ rounds exceeds that of every constant $w \in [0, 1]$ by at "
    r"most $\log(T+1)$.",
    proof="cited by the paper (Hazan, Agarwal and Kale, Theorem 7); Chapter 3",
    steps=("lem:EWOO_regret_bound/sharp",),
    uses=("alg:EWOO",),
    rows=(71,),
)


chapter.statement(
    "lem:EWOO_regret_bound/sharp",
    "Lemma 4, sharpened",
    "regret of EWOO by weight",
    r"With weights in $[0, 1]$ the loss of EWOO exceeds that of every constant $w \in [0, 1]$ by at most "
    r"$\log(1+S)$, where $S$ is the sum of the weights.",
    proof="Chapter 3",
    uses=("alg:EWOO",),
    rows=(71,),
)
