"""Claims on Proposition 1, its two examples, and pseudo against expected swap regret."""

from __future__ import annotations

from fractions import Fraction

from klcal.claims._combinators import above
from klcal.claims._evidence import Evidence
from klcal.claims._ledger import Chapter
from klcal.exact.counterexamples import DrawTree, two_round_tree

chapter = Chapter("02_swap_regret_is_bregman")

HALF = Fraction(1, 2)


chapter.statement(
    "prop:swap_reg_breg_div/realised",
    "Proposition 1, first display",
    "swap regret against one swap function",
    r"For every proper loss and every swap function $\sigma$, $\mathsf{SReg}^\ell_\sigma = \sum_p n_p "
    r"\bigl(\mathsf{BREG}_{-\ell}(\rho_p, p) - \mathsf{BREG}_{-\ell}(\rho_p, \sigma(p))\bigr)$.",
    proof="Appendix A.1",
    steps=("lem:characterization_proper_loss",),
    rows=(12,),
)


chapter.statement(
    "prop:swap_reg_breg_div/pseudo",
    "Proposition 1, second display",
    "pseudo swap regret against one swap function",
    r"For every proper loss and every swap function $\sigma$, $\mathsf{PSReg}^\ell_\sigma = \sum_p \tilde n_p "
    r"\bigl(\mathsf{BREG}_{-\ell}(\tilde\rho_p, p) - \mathsf{BREG}_{-\ell}(\tilde\rho_p, \sigma(p))\bigr)$ "
    r"with the expected masses $\tilde n_p = \sum_t \mathcal P_t(p)$ and means $\tilde\rho_p$.",
    proof="Appendix A.1",
    steps=("lem:characterization_proper_loss",),
    rows=(13,),
)


chapter.statement(
    "prop:swap_reg_breg_div",
    "Proposition 1",
    "swap regret is a sum of Bregman divergences",
    r"For every proper loss, kinks included, $\mathsf{SReg}^\ell = \sum_p n_p\,\mathsf{BREG}_{-\ell}(\rho_p, "
    r"p)$ and $\mathsf{PSReg}^\ell = \sum_p \tilde n_p\,\mathsf{BREG}_{-\ell}(\tilde\rho_p, p)$: the supremum "
    "over swap functions is attained at the means. (Appendix C.4 cites Proposition 2 for this and means this "
    "one.)",
    proof="Appendix A.1",
    steps=(
        "prop:swap_reg_breg_div/realised",
        "prop:swap_reg_breg_div/pseudo",
    ),
    rows=(14, 93),
)


chapter.statement(
    "sec3:squared_loss",
    "Section 3, first example",
    "squared loss and l_2-calibration",
    r"For the squared loss $\mathsf{BREG}(\rho, p) = (\rho - p)^2$, so $\mathsf{SReg} = \mathsf{Cal}_2$ and "
    r"$\mathsf{PSReg} = \mathsf{PCal}_2$.",
    proof="Section 3",
    steps=("prop:swap_reg_breg_div",),
    uses=("eq:ell_2_cal", "eq:pseudo_ell_2_cal"),
    rows=(15,),
)


chapter.statement(
    "sec3:log_loss",
    "Section 3, second example",
    "log loss and KL-calibration",
    r"For the log loss and forecasts in $(0, 1)$, $\mathsf{BREG}(\rho, p) = \mathsf{KL}(\rho, p)$, so "
    r"$\mathsf{SReg} = \mathsf{KLCal}$ and $\mathsf{PSReg} = \mathsf{PKLCal}$.",
    proof="Section 3",
    steps=("prop:swap_reg_breg_div",),
    uses=("eq:KLCal_PKLCal_def",),
    rows=(16,),
)


chapter.statement(
    "sec3:pseudo_below_expected",
    "Section 3, after Proposition 1",
    "pseudo swap regret is the weaker notion",
    r'$\mathsf{PSReg}^\ell \le \mathbb{E}[\mathsf{SReg}^\ell]$ "trivially holds by definition".',
    proof="Chapter 2",
    repair=(
        r"$\mathsf{PSReg}^\ell \le \mathbb E[\mathsf{SReg}^\ell]$ if the outcomes are fixed in advance and the "
        r"mixtures $\mathcal P_t$ are determined by them, not by earlier draws. (Those of Algorithm 1 are.)"
    ),
    severity="statement",
    uses=("prop:swap_reg_breg_div",),
    rows=(17,),
)


@chapter.refutation(
    "sec3:pseudo_below_expected",
    kind="exact",
    controls={"the second mixture does not depend on the first draw": {"repeats": False}},
)
def repeating_the_draw(repeats: bool = True) -> Evidence:
    """Two rounds in which the second forecast repeats the first."""
    mixture = {HALF: HALF, Fraction(51, 100): HALF}
    tree = two_round_tree() if repeats else DrawTree.grow(lambda _: mixture, (1, 0))
    return above(
        tree.expected_pseudo_swap_regret(),
        tree.expected_swap_regret(),
        r"$\mathbb E[\mathsf{PSReg}]$ against $\mathbb E[\mathsf{SReg}]$ over both branches, in fractions",
    ).against(
        r"$T = 2$, $y = (1, 0)$, squared loss, $p_1$ uniform on $\{1/2, 51/100\}$, $p_2 = p_1$: "
        r"$\mathbb E[\mathsf{SReg}] = 1/10000$, $\mathbb E[\mathsf{PSReg}] = 5003/30000$"
    )
