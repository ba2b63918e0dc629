"""How often the p-values of `klcal.measure` reject, and what `klcal.Recalibrator` saves: prints `measure.md`.

Run by hand, up to an hour: ``python tests/benchmarks/bench_measure.py > tests/benchmarks/measure.md``.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from itertools import repeat

import numpy as np
from scipy.special import expit, logit
from sklearn.datasets import load_breast_cancer, load_digits, make_classification
from sklearn.ensemble import GradientBoostingClassifier, RandomForestClassifier
from sklearn.isotonic import IsotonicRegression
from sklearn.naive_bayes import GaussianNB

import klcal
from klcal.forecasters.baselines import RunningMean
from klcal.measures import isotonic
from klcal.measures.cells import bin_places

Array = np.ndarray
Rows = tuple[Array, Array]
TESTS = {
    "exact, tails": lambda r: r.p_value,
    "isotonic": lambda r: r.isotonic.p_value,
    "tilt": lambda r: r.tilt.p_value,
}
MANY, SEEDS = 3000, 4
# Fewer than the 999 of a report, which a test of level 1 % does not need to have its size; and a seed for each set,
# because sets that share their throws are wrong together.
THROWS = 99


def row(*words: object) -> None:
    """Print a row of a table."""
    sys.stdout.write(f"| {' | '.join(map(str, words))} |\n")
    sys.stdout.flush()


def p_values(name: str, sets: int, seed: int) -> Array:
    """Return the p-values of each test for each of many data sets."""
    isotonic._DRAWS = THROWS
    draw = {**NULLS, **FAULTS}[name]
    found = np.empty((sets, len(TESTS)))
    for number, (each, rng) in enumerate(zip(found, np.random.default_rng(seed).spawn(sets), strict=True)):
        isotonic._SEED = number
        report = klcal.measure(*draw(rng))
        each[:] = [test(report) for test in TESTS.values()]
    return found


def perfect(law: Callable[[np.random.Generator, int], Array], n: int) -> Callable[..., Rows]:
    """Return a source of perfect forecasts."""

    def draw(rng: np.random.Generator) -> Rows:
        p = law(rng, n)
        return p, (rng.random(n) < p).astype(int)

    return draw


NULLS = {
    "U(0,1), 50": perfect(lambda rng, n: rng.random(n), 50),
    "U(0,1), 1000": perfect(lambda rng, n: rng.random(n), 1000),
    "beta(.3,.3), 1000": perfect(lambda rng, n: rng.beta(0.3, 0.3, n), 1000),
    "beta(.5,20), 1000": perfect(lambda rng, n: rng.beta(0.5, 20, n), 1000),
    "beta(1,200), 1000": perfect(lambda rng, n: rng.beta(1, 200, n), 1000),
    "beta(1,200), 200": perfect(lambda rng, n: rng.beta(1, 200, n), 200),
    "11 values, 500": perfect(lambda rng, n: rng.integers(0, 11, n) / 10, 500),
    "1 % zeros, U(0,1), 1000": perfect(lambda rng, n: rng.random(n) * (rng.random(n) > 0.01), 1000),
    "U(0,1), 5000": perfect(lambda rng, n: rng.random(n), 5000),
}


def wrong(change: Callable[[Array], Array]) -> Callable[[np.random.Generator], Rows]:
    """Return a source of 1000 uniform forecasts whose truth is another number."""

    def draw(rng: np.random.Generator) -> Rows:
        p = rng.random(1000)
        return p, (rng.random(1000) < change(p)).astype(int)

    return draw


def certain(rng: np.random.Generator) -> Rows:
    """A fifth says 1e-9 where 1 % is true."""
    p = np.where(rng.random(1000) < 0.2, 1e-9, rng.random(1000))
    return p, (rng.random(1000) < np.where(p < 1e-6, 0.01, p)).astype(int)


def rare(rng: np.random.Generator) -> Rows:
    """Rare events, of which the rarest are less rare than was said."""
    p = rng.beta(0.5, 20, 1000)
    return p, (rng.random(1000) < np.where(p < 0.005, 0.02, p)).astype(int)


def refuted(rng: np.random.Generator) -> Rows:
    """One percent says 0 where 0.3 is true."""
    p = rng.random(1000) * (rng.random(1000) > 0.01)
    return p, (rng.random(1000) < np.where(p == 0.0, 0.3, p)).astype(int)


FAULTS = {
    "slope .8": wrong(lambda p: expit(0.8 * logit(p))),
    "logit +.2": wrong(lambda p: expit(logit(p) + 0.2)),
    "sine": wrong(lambda p: np.clip(p + 0.07 * np.sin(2 * np.pi * p), 0, 1)),
    "sawtooth, 10 teeth": wrong(lambda p: np.clip(p + 0.4 * ((10 * p) % 1 - 0.5), 0, 1)),
    "rare, below .005 true is .02": rare,
    "1 % zeros that are .3": refuted,
    "a fifth 1e-9, true is 1 %": certain,
}


def sizes() -> None:
    """Print how often perfect forecasts are rejected."""
    sys.stdout.write(f"## Perfect forecasts: share with p at most .01 / .05 / .5, {MANY} sets a row\n\n")
    sys.stdout.write(
        f"A share of .05 has a standard error of .004. Simulated p-values (isotonic, tilt) have {THROWS} throws here\n"
        "and a seed for each set; with the 999 throws and the one seed of a report it is off by another .007.\n\n"
    )
    row("forecasts, rounds", *TESTS)
    row(*["---"] * (1 + len(TESTS)))
    sets = [MANY // 4 if "5000" in name else MANY for name in NULLS]
    with ProcessPoolExecutor(2) as pool:
        for name, many, found in zip(NULLS, sets, pool.map(p_values, NULLS, sets, range(100)), strict=False):
            shares = [[f"{np.mean(p <= level):.3f}" for level in (0.01, 0.05, 0.5)] for p in found.T]
            row(name if many == MANY else f"{name} ({many} sets)", *map(" / ".join, shares))


def power() -> None:
    """Print how often wrong forecasts are rejected."""
    sys.stdout.write(
        f"\n## Wrong forecasts, 1000 rounds: share with p at most .05, {MANY // 5} sets a row\n\n"
    )
    row("truth", *TESTS)
    row(*["---"] * (1 + len(TESTS)))
    with ProcessPoolExecutor(2) as pool:
        for name, found in zip(
            FAULTS, pool.map(p_values, FAULTS, repeat(MANY // 5), range(100, 200)), strict=False
        ):
            row(name, *(f"{share:.2f}" for share in (found <= 0.05).mean(axis=0)))


def model(X: Array, y: Array, kind: type, seed: int, train: int, repair: int) -> tuple[Rows, Rows]:
    """Return what a model says of rows for its repair, and of the rest."""
    order = np.random.default_rng(seed).permutation(len(y))
    X, y = X[order], y[order]
    fitted = kind() if kind is GaussianNB else kind(random_state=seed)
    p = fitted.fit(X[:train], y[:train]).predict_proba(X[train:])[:, 1]
    return (p[:repair], y[train : train + repair]), (p[repair:], y[train + repair :])


def synthetic(seed: int, rows: int, **more: float) -> Rows:
    """Return scikit-learn's synthetic rows of two classes."""
    return make_classification(rows, n_informative=5, random_state=seed, **{"flip_y": 0.1, **more})


def drawn(source: Callable[[np.random.Generator], Rows], seed: int) -> tuple[Rows, Rows]:
    """Return some thousand rows for the repair and as many new ones."""
    rng = np.random.default_rng(seed)
    (p, y), (q, z) = (
        tuple(map(np.concatenate, zip(*(source(rng) for _ in range(5)), strict=True))) for _ in range(2)
    )
    return (p, y), (q, z)


DIGITS = load_digits(return_X_y=True)
SETS: dict[str, Callable[[int], tuple[Rows, Rows]]] = {
    "NB, synthetic, 300": lambda s: model(*synthetic(s, 8000), GaussianNB, s, 1000, 300),
    "NB, synthetic, 3000": lambda s: model(*synthetic(s, 9000), GaussianNB, s, 1000, 3000),
    "NB, breast cancer, 200": lambda s: model(*load_breast_cancer(return_X_y=True), GaussianNB, s, 150, 200),
    "NB, digits 8, 700": lambda s: model(DIGITS[0], (DIGITS[1] == 8) * 1, GaussianNB, s, 400, 700),
    "forest, digits 8, 700": lambda s: model(
        DIGITS[0], (DIGITS[1] == 8) * 1, RandomForestClassifier, s, 400, 700
    ),
    "forest, rare, 3000": lambda s: model(
        *synthetic(s, 9000, weights=[0.97]), RandomForestClassifier, s, 1000, 3000
    ),
    "NB, rare, 3000": lambda s: model(*synthetic(s, 9000, weights=[0.97]), GaussianNB, s, 1000, 3000),
    "boosting, breast cancer, 200": lambda s: model(
        *load_breast_cancer(return_X_y=True), GradientBoostingClassifier, s, 150, 200
    ),
    "boosting, synthetic, 3000": lambda s: model(
        *synthetic(s, 9000), GradientBoostingClassifier, s, 1000, 3000
    ),
    "perfect, 5000": lambda s: drawn(NULLS["U(0,1), 1000"], s),
    "slope .8, 5000": lambda s: drawn(FAULTS["slope .8"], s),
    "sine, 5000": lambda s: drawn(FAULTS["sine"], s),
    "a fifth 1e-9, 5000": lambda s: drawn(certain, s),
}


def in_bins(make: Callable[[int], klcal.Forecaster | RunningMean], old: Rows, new: Array) -> Array:
    """Return what a forecaster in each of ten bins of the angle says in the mean: the Recalibrator of before."""
    places, asked, said = bin_places(old[0], 10), bin_places(new, 10), new.copy()
    for place in np.intersect1d(places, asked).tolist():
        one = make(place)
        for outcome in old[1][places == place].tolist():
            one.update(outcome)
        said[asked == place] = one.mixture() @ one.grid.points
    return said


def log_loss(p: Array, y: Array) -> float:
    """Return the mean log loss, nothing clipped."""
    return klcal.measures.total_loss(klcal.Cells.from_forecasts(p, y)) / len(y)


def repairs() -> None:
    """Print the log loss of new rows, raw and repaired."""
    sys.stdout.write(f"\n## Log loss of new rows, mean of {SEEDS} seeds\n\n")
    sys.stdout.write(
        "The number of a set is that of the rows for the repair. *Said* is `saving` before, *saved* what it was.\n\n"
    )
    row("rows", "raw", "Recalibrator", "tree in bins", "means in bins", "isotonic", "said", "saved")
    row(*["---"] * 8)
    for name, make in SETS.items():
        found = []
        for seed in range(SEEDS):
            old, (p, y) = make(seed)
            q = {
                "Recalibrator": klcal.Recalibrator().fit(*old).predict_proba(p)[:, 1],
                "tree": in_bins(lambda place, seed=seed: klcal.Forecaster(rng=seed), old, p),
                "means": in_bins(lambda _: RunningMean(prior=1), old, p),
                "isotonic": IsotonicRegression(out_of_bounds="clip").fit(*old).predict(p),
            }
            losses = [log_loss(p, y), *(log_loss(np.clip(each, 0, 1), y) for each in q.values())]
            said = klcal.measure(*old).isotonic.saving[0]
            found.append([*losses, said, losses[0] - losses[1] if np.isfinite(losses[0]) else np.inf])
        row(name, *(f"{value:.4f}" for value in np.mean(found, axis=0)))


if __name__ == "__main__":
    sections = {"sizes": sizes, "power": power, "repairs": repairs}
    for section in sys.argv[1:] or sections:
        sections[section]()
