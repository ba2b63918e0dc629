"""The tree with a plain coin: its capital in fractions, over all states of small games."""

from __future__ import annotations

from fractions import Fraction

from klcal.claims._combinators import none_of
from klcal.claims._evidence import Evidence, cases
from klcal.claims._ledger import Chapter
from klcal.exact.tree import State, after, mixture, reachable

chapter = Chapter("11_one_forecaster")

ROUNDS = 10


@chapter.claim(
    "new:tree/plain",
    "Theorem E, plain coin",
    "the tree without weights",
    kind="exact",
    scope=cases(f"the martingale, every state that {ROUNDS} rounds can reach"),
    controls={"a millionth added to the probability of the lower forecast": {"tilt": Fraction(1, 10**6)}},
    steps=("new:tree/move", "new:pair/clipped-leader", "new:tree/cell", "new:ville"),
)
def plain_coin(tilt: Fraction = Fraction(0)) -> Evidence:
    r"""With $A_b = 1$ the product $\Pi$ of all wealths is a martingale, so that with probability at least
    $1-\delta$, for all $t$ at once, $\mathsf{KLCal} \le \sum_{b\ \text{used}}(\log4n_b+n_b\varepsilon_b)+
    2\log\frac1\delta$. For every boundary $c$ the product $Q_c$ of the gains that nodes make at $c$ is a martingale
    too, so that, also with probability at least $1-\delta$, $\mathsf{Msr}_{\mathcal L} = O\bigl(\sqrt T(\log T)^{3/2}+
    \sqrt{T\log\frac1\delta}+\sqrt{T/\log T}\,\log\frac1\delta\bigr)$.

    $Q_c$ has the same factor as $\Pi$ in the rounds at $c$, and does not change in others.
    """

    def fails(state: State) -> bool:
        chances = dict(mixture(state, weighted=False))
        if len(chances) == 2:
            lower, upper = chances
            chances = {lower: chances[lower] + tilt, upper: chances[upper] - tilt}
        means = (sum(p * after(state, i, y).product for i, p in chances.items()) for y in (0, 1))
        return any(mean != state.product for mean in means)

    return none_of(
        "states in which the mean of the product changes", reachable(ROUNDS, weighted=False), fails
    )
