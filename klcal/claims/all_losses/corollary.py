"""Claims on Corollary 2, term by term, and on one game judged by many losses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import cache, partial
from itertools import product

import numpy as np
from flint import arb

from klcal import adversaries, bounds, grids, measures
from klcal.claims._combinators import closed, jointly
from klcal.claims._evidence import Evidence
from klcal.claims._legacy import Claim
from klcal.exact.kinks import CHAPTER
from klcal.claims.all_losses.grid import beats_the_print
from klcal.exact.balls import ball, lower, precision, upper
from klcal.games.play import Run, run
from klcal.losses import LOSSES, ProperLoss, random_proper_loss
from klcal.measures.cells import Cells

_GAMES = tuple(product((10, 1000, 10**6), (2, 5, 42)))
_ROUNDING = 1 + 1e-12
_SEED = 20


def explicit_terms(factor: Fraction | int = 1, pinsker: float = 0.5) -> Evidence:
    """Close the steps from PKLCal to the other three terms, and compare the constants of klcal.bounds.

    With B on PKLCal: BREG <= c KL gives c B for a single loss; BREG <= (G/2)(rho - p)^2 <= (G/4) KL gives (G/4) B
    for all of L_G; and BREG <= 4 |rho - p| gives 4 PCal_1 <= 4 sqrt(T PCal_2) <= 4 sqrt(T B / 2) for all of L.

    Parameters
    ----------
    factor : Fraction or int
        On the right-hand side of the first identity.
    pinsker : float
        Constant of Pinsker's inequality: PCal_2 <= pinsker PKLCal.
    """
    misses = 0
    for T, K in _GAMES:
        B = bounds.theorem_2(T, K)
        pairs = [
            (bounds.proposition_3_from_kl(3.0, B), 3.0 / 2.0 * pinsker * B),
            (bounds.corollary_2(T, K), 4.0 * np.sqrt(T * pinsker * B)),
            *((bounds.proposition_2(loss, B), loss.kl_constant * B) for loss in LOSSES.values()),
        ]
        misses += sum(not (found == wanted or abs(found / wanted - 1.0) <= 1e-14) for found, wanted in pairs)
    return jointly(
        closed("growth-suffices", factor=factor),
        closed("bregman-integral", "kl-integral", "smooth-suffices", "pinsker-slope"),
        closed("outcome-gap", "symmetrised-bregman", "corollary-2-rest"),
        Evidence(misses, 0, "==", "klcal.bounds has these constants", {"games": len(_GAMES)}),
    )


def explicit_rates(constant: float = 5.63, share: Fraction = Fraction(97, 100)) -> Evidence:
    r"""Check the constants at K = max(2, ceil((T/log T)^(1/3))), given PKLCal <= 3.96 T^(1/3) (log T)^(2/3).

    :math:`4\sqrt{3.96/2} = 5.628...`; from below T/K with :math:`K \le \kappa + 1`,
    :math:`\kappa = (T/\log T)^{1/3}`, is at least :math:`\frac{\kappa}{\kappa+1}` of
    :math:`T^{2/3}(\log T)^{1/3}`, and at :math:`T \ge 10^6` that factor is 0.97 and grows.

    Parameters
    ----------
    constant : float
        Of the upper rate for all bounded losses.
    share : Fraction
        Of the lower rate.
    """
    with precision(96):
        most = upper(4 * (ball(Fraction(396, 100)) / 2).sqrt())
        kappa = (arb(10**6) / arb(10**6).log()).root(3)
        least = lower(kappa / (kappa + 1))
    ratio = bounds.theorem_2_rate(10**6) / np.cbrt(10**6 * np.log(10**6) ** 2)
    return jointly(
        Evidence(most, constant, "<=", "4 sqrt(3.96/2), in balls"),
        Evidence(least, share, ">=", "kappa/(kappa + 1) at T = 10^6, in balls"),
        Evidence(abs(ratio / 3.96 - 1.0), 1e-14, "<=", "the constant 3.96 is that of bounds.theorem_2_rate"),
    )


@cache
def played(T: int = 20_000, seed: int = _SEED) -> Mapping[str, Run]:
    """Play Algorithm 1 against every adversary of `klcal.adversaries`, once.

    Parameters
    ----------
    T : int
        Rounds.
    seed : int
        Of outcomes and draws.

    Returns
    -------
    mapping from str to Run
        Games by the adversary's name.

    Examples
    --------
    >>> played(100)["zeros"].horizon, "border" in played(100)
    (100, True)
    """
    fixed = {name: run(make(T, seed), rng=seed) for name, make in adversaries.OBLIVIOUS.items()}
    return fixed | {name: run(make(T), rng=seed) for name, make in adversaries.ADAPTIVE.items()}


def terms_in_games(factor: float = 1.0) -> Evidence:
    """Return the largest share that a term takes of its bound, for Algorithm 1 against every adversary.

    Parameters
    ----------
    factor : float
        Which share is allowed.
    """
    shares = []
    games = played()
    for game in games.values():
        cells, T, K = game.expected, game.horizon, grids.resolution(game.horizon)
        promised = bounds.theorem_2(T, K)
        shares += [
            measures.kl_calibration(cells) / promised,
            measures.max_swap_regret(cells) / bounds.corollary_2(T, K),
            *(
                measures.max_swap_regret(cells, G) / bounds.proposition_3_from_kl(G, promised)
                for G in (1, 4, 16)
            ),
            *(measures.swap_regret(cells, f) / bounds.proposition_2(f, promised) for f in LOSSES.values()),
        ]
    return Evidence(
        max(shares),
        factor,
        "<=",
        "largest share of its bound that a term takes, Algorithm 1 against all adversaries",
        {"games": len(games), "T": 20_000, "seed": _SEED},
    )


def _drawn_losses(count: int, seed: int) -> Iterator[ProperLoss]:
    rng = np.random.default_rng(seed)
    for number in range(count):
        yield random_proper_loss("steps" if number % 2 else "kinks", 1 + number % 7, rng=rng)


def _violations(cells: Cells, losses: tuple[ProperLoss, ...], factor: float) -> int:
    largest, largest_external = measures.max_swap_regret(cells), measures.max_external_regret(cells)
    wrong = 0
    for loss in losses:
        regret = measures.swap_regret(cells, loss)
        wrong += sum(
            regret > factor * bound * _ROUNDING for bound in measures.calibration_bounds(cells, loss)
        )
        if loss.name != "log":
            wrong += regret > largest * _ROUNDING
            wrong += measures.external_regret(cells, loss) > largest_external + 1e-9
    return wrong


def one_game_all_losses(factor: float = 1.0, draws: int = 8) -> Evidence:
    """Hold the zoo and random proper losses against their own constants and against the suprema, game by game.

    Parameters
    ----------
    factor : float
        On the bounds c KLCal and (G/2) Cal_2.
    draws : int
        Number of random losses.
    """
    losses = (*LOSSES.values(), *_drawn_losses(draws, _SEED))
    games = played()
    wrong = sum(
        _violations(cells, losses, factor) for g in games.values() for cells in (g.expected, g.realised)
    )
    return Evidence(
        wrong,
        0,
        "==",
        "violations of SReg <= c KLCal, SReg <= (G/2) Cal_2, SReg <= Msr and Reg <= UCal, expected and realised",
        {"games": len(games), "losses": len(losses), "seed": _SEED},
    )


CLAIMS: tuple[Claim, ...] = (
    Claim(
        label="cor:simultaneous_bounds_psreg",
        number="Corollary 2",
        title="four bounds at once",
        kind="symbolic",
        chapter=CHAPTER,
        statement=(
            "Algorithm 1 has PKLCal = O(T^(1/3) (log T)^(2/3)), PMsr over L_G G times that, PMsr over L_2 the same as"
            " PKLCal, and PMsr over the other bounded proper losses O(T^(2/3) (log T)^(1/3))."
        ),
        uses=(
            "thm:bound_pkcal/explicit",
            "prop:breg_div_decomposable",
            "prop:bound_breg_div_quadratically/kl",
            "cor:simultaneous_bounds_psreg/explicit",
            "cor:simultaneous_bounds_psreg/L_2",
            "new:grid_lower_bound/sine",
        ),
        check=explicit_terms,
        spoil=(
            partial(explicit_terms, factor=Fraction(99, 100)),
            partial(explicit_terms, pinsker=0.49),
            partial(beats_the_print, log_power=4, T=10**6),
        ),
        refute=beats_the_print,
        severity="statement",
        repair=(
            "With B the right-hand side of Theorem 2: PKLCal <= B; PMsr over L_G <= (G/4) B; PSReg <= c B for each"
            " loss with c = sup p(1-p)|l''(p)| finite; PMsr over all proper losses in [-1, 1] <= 4 sqrt(T B/2). The"
            " supremum over L_2 is that over all bounded losses, and of order T^(2/3) (log T)^(1/3)."
        ),
        rows=(88, 89),
    ),
    Claim(
        label="cor:simultaneous_bounds_psreg/rates",
        number="Corollary 2, constants",
        title="the constants of the four rates",
        kind="certified",
        chapter=CHAPTER,
        statement=(
            "At the paper's K and for T >= 2, PKLCal <= 3.96 R, PMsr over L_G <= 0.99 G R with R = T^(1/3) (log"
            " T)^(2/3), and PMsr over all bounded losses <= 5.63 T^(2/3) (log T)^(1/3); from below, some coin makes the"
            " last one at least 0.97 T^(2/3) (log T)^(1/3) in expectation for T >= 10^6."
        ),
        uses=("thm:bound_pkcal/rate", "cor:simultaneous_bounds_psreg", "new:grid_lower_bound/sine"),
        check=explicit_rates,
        spoil=(partial(explicit_rates, constant=5.62), partial(explicit_rates, share=Fraction(98, 100))),
        rows=(88,),
    ),
    Claim(
        label="cor:simultaneous_bounds_psreg/games",
        number="Corollary 2, in games",
        title="the four bounds against every adversary",
        kind="numeric",
        chapter=CHAPTER,
        statement="In games of 20000 rounds against every adversary of klcal all four terms stay below their bounds.",
        uses=("cor:simultaneous_bounds_psreg",),
        check=terms_in_games,
        spoil=(partial(terms_in_games, factor=0.39),),
        rows=(88,),
    ),
    Claim(
        label="new:one_game_all_losses",
        number="Propositions 2 and 3, in games",
        title="one game, many losses",
        kind="numeric",
        chapter=CHAPTER,
        statement=(
            "In the same games the losses of the zoo and eight random proper losses have swap regret at most c KLCal,"
            " at most (G/2) Cal_2 and at most Msr, for mixtures and for draws."
        ),
        uses=(
            "prop:breg_div_decomposable",
            "prop:bound_breg_div_quadratically/sharp",
            "new:msr_is_an_envelope",
        ),
        check=one_game_all_losses,
        spoil=(partial(one_game_all_losses, factor=0.999),),
    ),
)
