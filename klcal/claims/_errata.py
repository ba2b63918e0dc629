"""The page of errata: what is printed, what is true, and the evidence, all from the ledger."""

from __future__ import annotations

import html
from dataclasses import dataclass

from klcal.claims._ledger import REGISTRY, SEVERITIES, Claim, Verdict
from klcal.claims._markup import anchor, badge, css, definitions, markup
from klcal.claims._render import Table, on_the_page_of_claims, verdicts
from klcal.claims._stored import place
from klcal.claims._words import facts, heading, paragraph

# What the page of errata leaves out: it is in the ledger.
_ELSEWHERE = ("near misses rejected", "builds on", "run again", "proof")


@dataclass(frozen=True)
class Slip:
    """Something noticed while reading that no check refutes: a wrong reference, a letter, a priority, a remark.

    Parameters
    ----------
    place : str
        Where in the paper.
    printed, meant : str
        What stands there, and what should.
    label : str
        The entry of the ledger that treats the passage.
    """

    place: str
    printed: str
    meant: str
    label: str


SLIPS = (
    Slip(
        "Lemma 1",
        "$g_p$ is called a subgradient of the concave function $f$.",
        "It is a supergradient; the word is often used for both.",
        "lem:characterization_proper_loss",
    ),
    Slip(
        "Section 5, before Equation 4",
        r"The display for the supremum over maps into the grid has $\rho_p$.",
        r"It should have $\tilde\rho_p$, as the quantity is a pseudo swap regret.",
        "eq:psreg_[0,1]_to_psreg_Z",
    ),
    Slip(
        "Lemma 5",
        "The change of the loss is written $= O(1/K^2)$.",
        "The proof shows $\\le$, which is all that is used; rounding may gain a constant (lem:rounding/lower-limit).",
        "lem:rounding",
    ),
    Slip(
        "Section 5, before Algorithm 1",
        "The comparator of a learner ranges over $j \\in [K+1]$.",
        "It should be $j \\in \\{0, \\dots, K\\}$, as the learners and grid points are numbered.",
        "alg:BM_log_loss/reduction",
    ),
    Slip(
        "Algorithms 1 and 2",
        r"Algorithm 1 starts with uniform $\boldsymbol q_1$, Algorithm 2 with the rounded $\frac12$ of EWOO.",
        "Either will do: the uniform start adds at most 0.7292 to the bound of Theorem 2.",
        "alg:BM_log_loss/start",
    ),
    Slip(
        "Algorithm 1, line 3",
        r"The forecaster computes a distribution with $Q_t\boldsymbol p_t = \boldsymbol p_t$.",
        "There can be several. The theorem holds with any of them; a program has to choose.",
        "alg:BM_log_loss/stationary",
    ),
    Slip(
        "Theorems 1 and 2, Corollary 3",
        "$K = (T/\\log T)^{1/3}$ and $K = T^{1/3}/(\\log T)^{5/6}$ number the points of a grid.",
        "They have to be rounded up to an integer, at least 2; the constants of this book hold for it.",
        "thm:bound_pkcal/rate",
    ),
    Slip(
        "Remark 1",
        "Linear rounding is set aside because it costs a constant at one point.",
        r"The example is right, but it does not rule the method out, which still reaches $T^{1/3}\log T$.",
        "new:linear-rounding-amortised",
    ),
    Slip(
        "Section 7",
        r"In-expectation bounds for $\mathsf{Cal}_2$ are called the first.",
        "Section 1 credits one of the same order to Foster and Hart.",
        "sec7:first_bounds",
    ),
    Slip(
        "Appendix B.1",
        "The maps of a deterministic forecaster are numbered from 0 in one place and from 1 in another.",
        "Either will do; both players have finitely many maps.",
        "eq:minmax",
    ),
    Slip(
        "Appendix B.1, Lemma 8, Appendix D",
        r"$\mu$ ranges over an interval that includes 0.",
        r"It should be $\mu > 0$; the bound has no value at 0.",
        "lem:Freedman",
    ),
    Slip(
        "Appendix B.1, Term I",
        "$\\min(x, a/x) \\le \\sqrt a$ is said to hold for all real $x$.",
        "For $x > 0$, the only case used; at 0 the quotient has no value.",
        "thm:log_loss_swap_reg",
    ),
    Slip(
        "Appendix B.1, Term I",
        "The identity for the log loss is quoted from the proof of Proposition 2.",
        "It is that of Proposition 1.",
        "eq:range_log_loss",
    ),
    Slip(
        "Appendix C.4",
        r"The Bregman form of $\mathsf{PSReg}$ is quoted from Proposition 2.",
        "It is that of Proposition 1.",
        "prop:swap_reg_breg_div",
    ),
)


def printed_wrongly(severity: str | None = None) -> tuple[Claim, ...]:
    """Return the claims whose printed form is refuted, gravest first and then in the paper's order.

    Parameters
    ----------
    severity : str, optional
        Only those of this severity, one of `SEVERITIES`.

    Returns
    -------
    tuple of Claim
        The place in the paper is that of the claim's first row of the inventory.

    Examples
    --------
    >>> "lem:hessian_growth" in [
    ...     claim.label for claim in printed_wrongly("statement")
    ... ]
    True
    """
    if severity is not None and severity not in SEVERITIES:
        raise ValueError(f"severity must be one of {', '.join(SEVERITIES)}; got {severity!r}")
    order = list(SEVERITIES)
    found = [claim for claim in REGISTRY.values() if claim.refutations]
    chosen = [claim for claim in found if severity in (None, claim.severity)]
    return tuple(sorted(chosen, key=lambda c: (order.index(c.severity), min(c.rows, default=0), c.label)))


@dataclass(frozen=True)
class Errata:
    """Refuted statements after their checks ran; in a notebook they show themselves."""

    found: tuple[Verdict, ...]

    def __repr__(self) -> str:
        return "\n".join(paragraph(each, _shown(each)) for each in self.found)

    def _repr_html_(self) -> str:
        return f'<div class="klcal-errata">{"".join(map(_card, self.found))}</div>'


def errata(severity: str) -> Errata:
    """Run the claims whose printed form is refuted and show what is printed, what is true, and why.

    Parameters
    ----------
    severity : str
        One of `SEVERITIES`: statement or misprint.

    Returns
    -------
    Errata
        In the paper's order. Raises `ClaimFailed` if a check fails.

    Examples
    --------
    >>> print(str(errata("misprint")).splitlines()[0])
    Equation 1: l_q-calibration error [eq:ell_2_cal]: repaired
    """
    return Errata(verdicts([claim.label for claim in printed_wrongly(severity)]))


def errata_counts() -> Table:
    """Count the printed statements that are refuted, by severity; nothing is run.

    Returns
    -------
    Table
        Severity, what it means, and how many.

    Examples
    --------
    >>> errata_counts().columns
    ('severity', 'meaning', 'entries')
    """
    rows = [(name, text, str(len(printed_wrongly(name)))) for name, text in SEVERITIES.items()]
    return Table(("severity", "meaning", "entries"), tuple(rows))


@dataclass(frozen=True)
class Slips:
    """What was noticed while reading, as a list; in a notebook it shows itself."""

    entries: tuple[Slip, ...] = SLIPS

    def __repr__(self) -> str:
        return "\n".join(f"{each.place}: {each.printed} {each.meant}" for each in self.entries)

    def _repr_html_(self) -> str:
        link = on_the_page_of_claims
        items = "".join(
            f"<li><b>{html.escape(each.place)}.</b> {markup(each.printed, link)} {markup(each.meant, link)} "
            f'<a href="claims.html#{anchor(each.label)}">{html.escape(each.label)}</a></li>'
            for each in self.entries
        )
        return f'<ul class="klcal-slips">{items}</ul>'


def slips() -> Slips:
    """Return what was noticed while reading and no check refutes: references, letters, priorities, remarks.

    Returns
    -------
    Slips
        Each with the entry of the ledger that treats the passage.

    Examples
    --------
    >>> slips().entries[-1].place
    'Appendix C.4'
    """
    return Slips()


def _shown(found: Verdict) -> list[tuple[str, str]]:
    """Return what is printed, why that fails, what is true, and the evidence for it, in this order."""
    told = [
        ("printed" if name == "statement" else name, text)
        for name, text in facts(found)
        if name not in _ELSEWHERE
    ]
    return sorted(told, key=lambda pair: _turn(pair[0]))


def _turn(name: str) -> int:
    if name == "printed":
        return 0
    if name == "counterexample" or name.startswith("against the print"):
        return 1
    return 2 if name in ("repaired", "true instead") else 3


def erratum(label: str) -> str:
    """Return the id of an entry on the page of errata.

    Examples
    --------
    >>> erratum("lem:hessian_growth")
    'erratum-lem-hessian_growth'
    """
    return anchor(label).replace("claim-", "erratum-", 1)


def _card(found: Verdict) -> str:
    claim = found.claim
    link = on_the_page_of_claims
    return (
        f'<section class="klcal-card {css(found.status)}" id="{erratum(claim.label)}" '
        f'aria-label="{html.escape(claim.number)}">'
        f"<p><span>{markup(heading(found))}</span> {badge(found.status)}</p>{definitions(_shown(found), link)}"
        f'<p class="klcal-links"><a href="{html.escape(place(claim.label))}">In the chapter</a> '
        f'<a href="{link(claim.label)}">In the ledger</a></p></section>'
    )
