"""The average of the models of the folds, as one member.

References
----------
L. Breiman, Stacked regressions, Machine Learning 24, 1996.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils.metaestimators import available_if

from nonet._base.aliases import Array, Kind
from nonet.members.ledger_page import write_page
from nonet.members.member import Member
from nonet.members.outputs import Targets, predict_member

Method = TypeVar("Method", bound=Callable[..., Any])


def _first_has(method: str) -> Callable[[Method], Method]:
    """Make a method available if the models have it."""
    decorator: Callable[[Method], Method] = available_if(
        lambda average: hasattr(average.models[0], method)
    )
    return decorator


class FoldAverage(BaseEstimator):
    """The mean of the predictions, or the vote, of models fitted on different folds.

    Parameters
    ----------
    models : list of fitted estimators
    classes : list of ndarray or None
        The classes of each target; None in regression.
    """

    def __init__(self, models: Sequence[Any], classes: Targets | None = None) -> None:
        self.models = models
        self.classes = classes

    @property
    def classes_(self) -> Any:
        """The classes of the models."""
        if self.classes is None:
            raise AttributeError("regressors have no classes.")
        return self.classes[0] if len(self.classes) == 1 else self.classes

    @property
    def n_features_in_(self) -> int:
        """Number of features seen during fit."""
        return int(self.models[0].n_features_in_)

    @property
    def feature_names_in_(self) -> Array:
        """Names of the features seen during fit, if they had any."""
        names: Array = self.models[0].feature_names_in_
        return names

    def __sklearn_is_fitted__(self) -> bool:
        return True

    def predict(self, X: Any) -> Array:
        """Return the mean of the values, or the class predicted most often."""
        if self.classes is None:
            return self._mean(X, "values")[0]
        codes = self._mean(X, "labels")
        labels = [known[of] for known, of in zip(self.classes, codes, strict=True)]
        return labels[0] if len(labels) == 1 else np.column_stack(labels)

    @_first_has("predict_proba")
    def predict_proba(self, X: Any) -> Any:
        """Return the mean of the probabilities."""
        probabilities = self._mean(X, "probabilities")
        return probabilities[0] if len(probabilities) == 1 else probabilities

    @_first_has("decision_function")
    def decision_function(self, X: Any) -> Any:
        """Return the mean of the scores of the classes."""
        scores = self._mean(X, "scores")
        return scores[0] if len(scores) == 1 else scores

    def _mean(self, X: Any, kind: Kind) -> Targets:
        members = [Member(f"fold {position}", model) for position, model in enumerate(self.models)]
        predictions = [predict_member(member, X, kind, self.classes) for member in members]
        rows = np.arange(len(predictions[0][0]))
        counts = None if self.classes is None else [len(known) for known in self.classes]
        pages, _ = write_page(
            [(rows, 0, prediction) for prediction in predictions], 1, len(rows), counts
        )
        return [page[:, 0] for page in pages]
