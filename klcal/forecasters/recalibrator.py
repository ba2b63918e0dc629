"""The tree as a recalibrator with scikit-learn's verbs, for the outputs of a model that exists."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from klcal import _checks
from klcal._checks import FloatArray, IntArray
from klcal.forecasters.baselines import OnePerBin, RunningMean, Streaming
from klcal.forecasters.stream import Forecaster
from klcal.measures.cells import bin_places

try:
    from sklearn.base import BaseEstimator, ClassifierMixin  # type: ignore[import-untyped]
    from sklearn.utils.multiclass import type_of_target  # type: ignore[import-untyped]
    from sklearn.utils.validation import check_is_fitted, validate_data  # type: ignore[import-untyped]
except ModuleNotFoundError:
    raise ModuleNotFoundError(
        "the recalibrator needs scikit-learn, which is not installed: python -m pip install scikit-learn"
    ) from None


# Who plays in each bin.
_METHODS: dict[str, Callable[[np.random.Generator], Streaming]] = {
    "tree": lambda rng: Forecaster(rng=rng),
    "means": lambda _: RunningMean(prior=1),
}


class Recalibrator(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    r"""Replace a model's probabilities by calibrated ones: bins of its outputs, and in each bin a tree.

    `fit` and `partial_fit` play `klcal.forecasters.baselines.OnePerBin` on the rows, in their order: the forecaster of
    a bin is told its outcomes. `predict_proba` returns the mean of what the forecaster of the bin would draw next,
    whose log loss is at most the mean log loss of the draws; a bin without rows returns the model's own number.

    Parameters
    ----------
    bins : int
        How many bins, equally wide in the angle :math:`\arcsin\sqrt p`.
    method : {"tree", "means"}
        The tree keeps the KL-calibration of its draws small against any sequence of outcomes; its forecasts become
        finer slowly. The mean of the outcomes of the bin, by Laplace's rule, learns faster if they are alike.
    random_state : None, int or Generator
        Source of the trees' draws.

    Notes
    -----
    After a fit, `classes_` has the two labels; forecasts are probabilities of the second. `repair_` has the
    forecasters, `rows_` how many rows each has met, `said_` the mean of what each would draw next.

    Examples
    --------
    >>> said, y = [0.9, 0.9, 0.9, 0.1] * 1000, [1, 0, 0, 0] * 1000
    >>> Recalibrator(random_state=0).fit(said, y).predict_proba([0.9, 0.1]).round(2)
    array([[0.68, 0.32],
           [0.98, 0.02]])
    """

    def __init__(
        self, bins: int = 10, method: str = "tree", random_state: np.random.Generator | int | None = None
    ) -> None:
        self.bins = bins
        self.method = method
        self.random_state = random_state

    def fit(self, X: npt.ArrayLike, y: npt.ArrayLike) -> Recalibrator:
        """Learn from outputs of a model and what happened, from nothing.

        Parameters
        ----------
        X : array_like, shape (n,), (n, 1) or (n, 2)
            Probabilities of the second class, or both columns of a model's ``predict_proba``.
        y : array_like, shape (n,)
            Labels of two classes.
        """
        return self._learn(X, y, None, reset=True)

    def partial_fit(
        self, X: npt.ArrayLike, y: npt.ArrayLike, classes: npt.ArrayLike | None = None
    ) -> Recalibrator:
        """Learn from further rows; the first call names all classes if its rows do not have both.

        Parameters
        ----------
        X, y : array_like
            As for `fit`.
        classes : array_like, shape (2,), optional
            Both labels.
        """
        return self._learn(X, y, classes, reset=not hasattr(self, "classes_"))

    def predict_proba(self, X: npt.ArrayLike) -> FloatArray:
        """Return a column of probabilities for each class."""
        check_is_fitted(self)
        p = self._forecasts(validate_data(self, _column(X), reset=False))
        places = bin_places(p, self.bins)
        q = np.where(self.rows_[places] > 0, self.said_[places], p)
        return np.column_stack([1.0 - q, q])

    def predict(self, X: npt.ArrayLike) -> npt.NDArray[Any]:
        """Return the likelier class of each row."""
        likely = (self.predict_proba(X)[:, 1] > 0.5).astype(int)
        return np.asarray(self.classes_[likely])

    def _learn(
        self, X: npt.ArrayLike, y: npt.ArrayLike, classes: npt.ArrayLike | None, *, reset: bool
    ) -> Recalibrator:
        rows, labels = validate_data(self, _column(X), y, reset=reset)
        if (kind := type_of_target(labels, input_name="y", raise_unknown=True)) != "binary":
            raise ValueError(f"Only binary classification is supported. The type of the target is {kind}.")
        p = self._forecasts(rows)
        if reset:
            self.classes_ = np.unique(labels if classes is None else classes)
            if len(self.classes_) != 2:
                raise ValueError(f"y must have two classes; got one class, {self.classes_.tolist()}")
            make = _METHODS[_checks.choice("method", self.method, _METHODS)]
            self.repair_ = OnePerBin(make, bins=self.bins, rng=self.random_state)
            self.rows_: IntArray = np.zeros(self.bins, dtype=np.int64)
            self.said_: FloatArray = np.full(self.bins, 0.5)
        if not np.isin(labels, self.classes_).all():
            raise ValueError(f"y must have no classes besides {self.classes_.tolist()}; got others")
        outcomes, places = (labels == self.classes_[1]).astype(int), bin_places(p, self.bins)
        for place in np.unique(places).tolist():  # bins play apart from each other
            one, met = cast(Streaming, self.repair_.forecasters[place]), outcomes[places == place]
            for outcome in met.tolist():
                one.update(outcome)
            self.rows_[place] += len(met)
            self.said_[place] = one.mixture() @ one.grid.points
        return self

    def _forecasts(self, rows: FloatArray) -> FloatArray:
        if rows.shape[1] > 2:
            raise ValueError(f"X must have one column, or one for each of two classes; got {rows.shape[1]}")
        return _checks.probabilities("X", np.ascontiguousarray(rows[:, -1], dtype=np.float64))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags


def _column(X: npt.ArrayLike) -> Any:
    """Return a list of numbers as a column; everything else is left to scikit-learn."""
    values = np.asarray(X)
    return values.reshape(-1, 1) if values.ndim == 1 else X
