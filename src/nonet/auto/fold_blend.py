"""The ensemble that a run ends with: averages of fold models, combined by the weights of a blend.

Members: one per configuration, the average of its models of all folds. F: the weighted mean (a sum
in ridge regression), with a temperature where it helps. C: arg max or any rule; the identity in
regression. It reads encoded tables.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator

from nonet._base.aliases import Array, Floats, Kind
from nonet._base.rule_words import rule_in_words
from nonet.auto.blend import PRIOR_ROWS, Blend, smooth
from nonet.combine.rule import Combination
from nonet.combine.table import bind_rule, resolve_combination_rule
from nonet.decide.calibrate import TemperatureCalibration
from nonet.ensemble import (
    EnsembleClassifier,
    EnsembleRegressor,
    HeldOutPredictions,
    normalize_support,
)
from nonet.members.member import Member


@dataclass(frozen=True, eq=False)
class SmoothedCombination:
    """A combination of probabilities none of which is 0, with a temperature where it helps.

    Attributes
    ----------
    combination : Combination
    temperature : TemperatureCalibration or None
        What sharpens or softens the probabilities.
    n_rows : float
        The number of held-out rows, which bounds how sure they can be.
    prior_rows : float, default=1.0
        How many rows of no class in particular count with them; 1 in files of earlier versions.
    """

    combination: Combination
    temperature: TemperatureCalibration | None
    n_rows: float
    prior_rows: float = 1.0

    @property
    def in_words(self) -> str:
        """What diagrams and reports call it."""
        tempered = "" if self.temperature is None else ", with a temperature"
        return f"{rule_in_words(self.combination)}{tempered}"

    @property
    def reads(self) -> Kind:
        """The kind of output that the members return."""
        return self.combination.reads

    def __call__(self, outputs: Array, X: Any = None) -> Floats:
        """Combine member outputs into probabilities."""
        probabilities = self._smooth(normalize_support(self.combination(outputs, X)))
        if self.temperature is None:
            return probabilities
        return self._smooth(self.temperature(probabilities))

    def _smooth(self, probabilities: Floats) -> Floats:
        return smooth(probabilities, self.n_rows, self.prior_rows)


class FoldModels(BaseEstimator):
    """The mean of the predictions of models that were fitted without different folds.

    The models are fitted on class codes, and every one knows all classes.

    Parameters
    ----------
    models : list of fitted estimators
    classes : ndarray of shape (n_classes,) or None
        The labels of the codes; None in regression.
    columns : list of ndarray of int or None, default=None
        Which columns each model reads; None is all of them.
    """

    def __init__(
        self,
        models: Sequence[Any],
        classes: Array | None,
        columns: Sequence[Array] | None = None,
    ) -> None:
        self.models = models
        self.classes = classes
        self.columns = columns

    @property
    def classes_(self) -> Array:
        """The labels."""
        if self.classes is None:
            raise AttributeError("regressors have no classes.")
        return self.classes

    def __sklearn_is_fitted__(self) -> bool:
        return True

    def predict(self, X: Any) -> Array:
        """Return the mean of the values, or the label of the highest mean probability."""
        if self.classes is None:
            return _mean([model.predict(read) for model, read in self._each_with(X)])
        labels: Array = self.classes[np.argmax(self.predict_proba(X), axis=1)]
        return labels

    def predict_proba(self, X: Any) -> Floats:
        """Return the mean of the probabilities."""
        return _mean([model.predict_proba(read) for model, read in self._each_with(X)])

    def _each_with(self, X: Any) -> Iterator[tuple[Any, Any]]:
        """Return each model with what it reads of X."""
        if self.columns is None:
            return ((model, X) for model in self.models)
        pairs = zip(self.models, self.columns, strict=True)
        return ((model, X[:, columns]) for model, columns in pairs)


def _mean(predictions: list[Floats]) -> Floats:
    total = np.array(predictions[0], dtype=np.float64)
    for other in predictions[1:]:
        total += other
    total /= len(predictions)
    return total


class FoldBlendRegressor(EnsembleRegressor):
    """The ensemble of a run in regression; made by `settle_regressor`, not by ``fit``."""

    def fit(self, X: Any, y: Any) -> Any:
        """Raise: the search of a run makes this ensemble."""
        raise TypeError(_NOT_FITTED_SO)


class FoldBlendClassifier(EnsembleClassifier):
    """The ensemble of a run in classification; made by `settle_classifier`, not by ``fit``."""

    def fit(self, X: Any, y: Any) -> Any:
        """Raise: the search of a run makes this ensemble."""
        raise TypeError(_NOT_FITTED_SO)


_NOT_FITTED_SO = (
    "the ensemble of a run is made by AutoEnsembleClassifier or AutoEnsembleRegressor; fit one of "
    "these."
)


def settle_regressor(members: list[Member], blend: Blend, decide: Any = None) -> FoldBlendRegressor:
    """Return the ensemble of fitted members in regression.

    Parameters
    ----------
    members : list of Member
        One for each name of the blend.
    blend : Blend
    decide : callable, 'identity' or None
        C, a function of the combined values.

    Returns
    -------
    ensemble : FoldBlendRegressor
    """
    ensemble = FoldBlendRegressor()
    ensemble.members_ = members
    rule = resolve_combination_rule("sum", "regression")
    ensemble.combine_ = bind_rule(rule, len(members), blend.weights, None)
    ensemble.decide_ = ensemble._bind_decide(decide)
    return ensemble


def settle_classifier(
    members: list[Member], blend: Blend, classes: Array, decide: Any, held_out: HeldOutPredictions
) -> FoldBlendClassifier:
    """Return the ensemble of fitted members in classification.

    Parameters
    ----------
    members : list of Member
        One for each name of the blend.
    blend : Blend
    classes : ndarray of shape (n_classes,)
        The labels.
    decide : str, DecisionRule or None
        C; it is tuned on the held-out support if it has to be.
    held_out : HeldOutPredictions
        The support of held-out rows.

    Returns
    -------
    ensemble : FoldBlendClassifier
    """
    ensemble = FoldBlendClassifier()
    ensemble.members_ = members
    ensemble.classes_ = classes
    rule = resolve_combination_rule("mean", "classification")
    mean = bind_rule(rule, len(members), blend.weights, classes)
    ensemble.combine_ = SmoothedCombination(mean, blend.temperature, blend.n_rows, PRIOR_ROWS)
    rules = ensemble._resolve_decide(decide, rule)
    ensemble.decide_ = ensemble._bind_decide(rules, None, np.array([]), held_out, {})
    return ensemble
