"""A recalibrator with scikit-learn's verbs, for the outputs of a model that exists: Venn-Abers."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from klcal import _checks
from klcal._checks import FloatArray
from klcal.measures.cells import Cells
from klcal.measures.isotonic import repaired, venn_abers

try:
    from sklearn.base import BaseEstimator, ClassifierMixin  # type: ignore[import-untyped]
    from sklearn.utils.multiclass import type_of_target  # type: ignore[import-untyped]
    from sklearn.utils.validation import (  # type: ignore[import-untyped]
        _check_sample_weight,
        check_is_fitted,
        validate_data,
    )
except ModuleNotFoundError:
    raise ModuleNotFoundError(
        "klcal.Recalibrator needs scikit-learn, which is not installed: python -m pip install scikit-learn"
    ) from None


class Recalibrator(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    r"""Replace a model's probabilities by calibrated ones: isotonic regression that never says 0 or 1.

    There is nothing to choose, and nothing random. Larger outputs get at least as large probabilities.

    Notes
    -----
    A new row is put among the rows of `fit`, once as a 0 and once as a 1; isotonic regression gives it :math:`p_0` and
    :math:`p_1`, and it gets :math:`p_1 / (1 - p_0 + p_1)` (Venn-Abers, of Vovk, Petej and Fedorova). If n rows and
    the new one are exchangeable, then for every increasing h the mean log loss is at most that of h of the output, and
    :math:`\mathbb E \log(1 + p_1 - p_0) \le \log(1 + 2/\sqrt{n + 1})` more (``venn-abers``). With more than 2,000
    distinct outputs those of equal rank and angle are pooled, which the theorem does not cover.

    After a fit, `classes_` has the two labels; forecasts are probabilities of the second. `cells_` has the rows and
    `repair_` what `klcal.measures.isotonic.venn_abers` made of them.

    Examples
    --------
    >>> said, y = [0.9, 0.9, 0.9, 0.1] * 1000, [1, 0, 0, 0] * 1000
    >>> Recalibrator().fit(said, y).predict_proba([0.9, 0.1]).round(3)
    array([[0.667, 0.333],
           [0.999, 0.001]])
    """

    def fit(
        self, X: npt.ArrayLike, y: npt.ArrayLike, sample_weight: npt.ArrayLike | None = None
    ) -> Recalibrator:
        """Learn from outputs of a model and what happened, from nothing.

        Parameters
        ----------
        X : array_like, shape (n,), (n, 1) or (n, 2)
            Probabilities of the second class, or both columns of a model's ``predict_proba``.
        y : array_like, shape (n,)
            Labels of two classes.
        sample_weight : array_like, shape (n,), optional
            How often each row counts; 2 is a row twice.
        """
        return self._learn(X, y, None, sample_weight, reset=True)

    def partial_fit(
        self,
        X: npt.ArrayLike,
        y: npt.ArrayLike,
        classes: npt.ArrayLike | None = None,
        sample_weight: npt.ArrayLike | None = None,
    ) -> Recalibrator:
        """Learn from further rows, as `fit` from all of them; the first call names all classes if it has not both.

        Parameters
        ----------
        X, y, sample_weight : array_like
            As for `fit`.
        classes : array_like, shape (2,), optional
            Both labels.
        """
        return self._learn(X, y, classes, sample_weight, reset=not hasattr(self, "classes_"))

    def predict_proba(self, X: npt.ArrayLike) -> FloatArray:
        """Return a column of probabilities for each class."""
        check_is_fitted(self)
        q = repaired(*self.repair_, self._forecasts(validate_data(self, _column(X), reset=False)))
        return np.column_stack([1.0 - q, q])

    def predict(self, X: npt.ArrayLike) -> npt.NDArray[Any]:
        """Return the likelier class of each row."""
        likely = (self.predict_proba(X)[:, 1] > 0.5).astype(int)
        return np.asarray(self.classes_[likely])

    def _learn(
        self,
        X: npt.ArrayLike,
        y: npt.ArrayLike,
        classes: npt.ArrayLike | None,
        weights: npt.ArrayLike | None,
        *,
        reset: bool,
    ) -> Recalibrator:
        rows, labels = validate_data(self, _column(X), y, reset=reset)
        if (kind := type_of_target(labels, input_name="y", raise_unknown=True)) != "binary":
            raise ValueError(f"Only binary classification is supported. The type of the target is {kind}.")
        p = self._forecasts(rows)
        w = _check_sample_weight(weights, rows, dtype=np.float64, ensure_non_negative=True)
        known = np.unique(labels if classes is None else classes) if reset else self.classes_
        if len(known) != 2:
            raise ValueError(f"y must have two classes; got one class, {known.tolist()}")
        if not np.isin(labels, known).all():
            raise ValueError(f"y must have no classes besides {known.tolist()}; got others")
        points, place = np.unique(p, return_inverse=True)
        counts = [np.bincount(place, w * (labels == label), len(points)) for label in known]
        new = Cells.from_weights(points, counts)
        self.classes_: npt.NDArray[Any] = known
        self.cells_: Cells = new if reset else Cells.merged(self.cells_, new)
        self.repair_ = venn_abers(self.cells_)
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
