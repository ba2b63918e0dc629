r"""Theorem 2 in the stored tables: every game below its bound, step by step, and growth no steeper than the bound's."""

from __future__ import annotations

from functools import partial

import numpy as np

from klcal import bounds, experiments
from klcal.claims._combinators import jointly
from klcal.claims._evidence import Evidence
from klcal.claims._legacy import Claim
from klcal.claims.algorithm.learner import CHAPTER
from klcal.experiments.fitting import fit_power


def stored_games(share: float = 1.0) -> Evidence:
    """Check every game of the table "rate": regret, rounding and PKLCal against their bounds.

    Parameters
    ----------
    share : float
        Part of the bound on PKLCal that is granted.
    """
    table = experiments.stored("rate")
    cap = table["T"] * bounds.rounding_cost(table["K"], version="best")
    parts = table["regret"] + table["rounding"]
    apart = np.abs(table["pkl"] - parts) / table["pkl"]
    ratio = table["pkl"] / (share * (table["log_mass"] + cap))
    games = {"games": len(table), "T": f"{table['T'].min()} to {table['T'].max()}"}
    text = "largest PKLCal over the bound by its masses, all games of the table, in float64"
    return jointly(
        Evidence(float(ratio.max()), 1, "<=", text, games),
        Evidence(float(apart.max()), 1e-9, "<=", "PKLCal is regrets plus rounding, relatively"),
        Evidence(
            float((table["regret"] / table["log_mass"]).max()), 1, "<=", "regrets over sum of log(1 + S_i)"
        ),
        Evidence(float((table["rounding"] / cap).max()), 1, "<=", "rounding over T times the cost of a cell"),
    )


def no_steeper(power: float = 0.0) -> Evidence:
    r"""Compare fitted slopes over T: the worst adversary of each horizon against the bound at the same horizons.

    Parameters
    ----------
    power : float
        As a control, PKLCal is multiplied by this power of T.
    """
    worst = experiments.stored("rate").largest("pkl", by="T")
    fit = fit_power(worst["T"], worst["pkl"] * worst["T"].astype(float) ** power)
    bound = fit_power(worst["T"], bounds.theorem_2(worst["T"], worst["K"]))
    text = "lower end of the fitted slope of the largest PKLCal, against the fitted slope of the bound"
    return Evidence(
        fit.lower, bound.slope, "<=", text, {"slope": round(fit.slope, 3), "horizons": fit.points}
    )


def stored_doubling(share: float = 1.0) -> Evidence:
    """Check every game of unknown length in the table "doubling" against the bound.

    Parameters
    ----------
    share : float
        Part of the bound that is granted.
    """
    table = experiments.stored("doubling").where(doubling=True)
    caps = {int(T): share * bounds.doubling_trick(int(T), version="best") for T in table.unique("T")}
    ratio = table["pkl"] / np.array([caps[int(T)] for T in table["T"]])
    text = "largest PKLCal over the bound of the doubling trick, all games of the table, in float64"
    return Evidence(float(ratio.max()), 1, "<=", text, {"games": len(table)})


CLAIMS: tuple[Claim, ...] = (
    Claim(
        label="thm:bound_pkcal/stored-games",
        number="Theorem 2, long games",
        title="the stored table",
        kind="numeric",
        chapter=CHAPTER,
        statement="In every game of the stored table, all adversaries and horizons from 100 to 10^8, PKLCal is regrets "
        "plus rounding, each below its bound.",
        uses=("thm:bound_pkcal",),
        check=stored_games,
        spoil=(partial(stored_games, 0.57),),
        rows=(82,),
    ),
    Claim(
        label="thm:bound_pkcal/observed-slope",
        number="Theorem 2, observed growth",
        title="no steeper than the bound",
        kind="numeric",
        chapter=CHAPTER,
        statement="The fitted power of T by which the largest PKLCal of the stored table grows is not shown to be "
        "above that of the bound: the bound's slope is not below its interval.",
        uses=("thm:bound_pkcal/stored-games",),
        check=no_steeper,
        spoil=(partial(no_steeper, 0.1),),
        rows=(82,),
    ),
    Claim(
        label="sec:pseudo-KL-Cal/doubling-stored",
        number="Section 5, long games",
        title="the doubling trick in the stored table",
        kind="numeric",
        chapter=CHAPTER,
        statement="In every stored game of unknown length, ten oblivious adversaries and horizons from 100 to 10^7, "
        "PKLCal is below the bound of the doubling trick.",
        uses=("sec:pseudo-KL-Cal/doubling",),
        check=stored_doubling,
        spoil=(partial(stored_doubling, 0.45),),
        rows=(83,),
    ),
)
