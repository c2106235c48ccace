"""Base class of boosted ensembles: the learner, the members and their weights."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np
from sklearn.base import MetaEstimatorMixin, is_classifier
from sklearn.metrics import accuracy_score, r2_score
from sklearn.utils import get_tags
from sklearn.utils.validation import check_is_fitted

from nonet._base.aliases import Array, Floats
from nonet._base.number_tables import read_table
from nonet._base.params import (
    Boolean,
    Having,
    Instance,
    Integer,
    Nothing,
    Real,
    Rule,
)
from nonet.boosting.adaboost.learners.choose_learner import make_learner
from nonet.boosting.adaboost.learners.learners import LearnerTask, RoundLearner
from nonet.boosting.adaboost.methods.method import BoostingMethod, TrainingRows
from nonet.boosting.adaboost.rounds import Rounds
from nonet.ensemble import Ensemble


class BoostedEnsemble(MetaEstimatorMixin, Ensemble):
    """Parent of the ensembles whose members are fitted in sequence on reweighted rows."""

    _divides_weights: ClassVar[bool] = True  # by their sum, so that they may have any scale
    _rules: ClassVar[Mapping[str, Rule]] = {
        "estimator": Nothing() | Having("an estimator with fit and predict", "fit", "predict"),
        "n_estimators": Integer(1),
        "learning_rate": Real(0, open_low=True),
        "random_state": Nothing()
        | Integer(0)
        | Instance("a RandomState or a Generator", np.random.RandomState, np.random.Generator),
        "resample": Boolean(),
        "max_bins": Integer(2, 65_535),
    }
    estimator_weights_: Floats

    def _default_estimator(self) -> Any:
        raise NotImplementedError

    def _make_learner(self, method: BoostingMethod, rows: TrainingRows, seed: int) -> RoundLearner:
        """Return the learner that fits the members."""
        self.estimator_ = method.prepare(self.estimator, self._default_estimator())
        return make_learner(
            LearnerTask(self.estimator_, rows, method.reads, seed, self.resample, self.max_bins)
        )

    def _take_rounds(self, rounds: Rounds, n_kept: int) -> None:
        """Store the members; rounds that were not run have weight 0 and error 1."""
        if not rounds.members:
            raise ValueError(
                f"{type(self).__name__} has no member: the first {type(self.estimator_).__name__} "
                f"was rejected, because {rounds.stopped}; choose a stronger estimator."
            )
        self.members_ = rounds.members[:n_kept]
        self.estimator_weights_ = np.zeros(self.n_estimators)
        self.estimator_weights_[:n_kept] = rounds.weights[:n_kept]
        self.estimator_errors_ = np.ones(self.n_estimators)
        self.estimator_errors_[:n_kept] = rounds.errors[:n_kept]

    @property
    def _member_weights(self) -> Floats:
        return self.estimator_weights_[: len(self.members_)]

    def _threads(self) -> AbstractContextManager[None]:
        return nullcontext()  # rounds are sequential: threads work inside a round

    def member_outputs(self, X: Any) -> Any:
        """Return the outputs of every member on X, in the form that F reads.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)

        Returns
        -------
        outputs : ndarray of shape (n_samples, n_members[, n_classes])
            Values, class codes, probabilities or scores, as given by ``combine_.reads``.
        """
        check_is_fitted(self)
        return super().member_outputs(self._check_table(X, reset=False))

    def _check_table(self, X: Any, *, reset: bool) -> Any:
        # A user's learner may accept inputs that are no tables, such as images.
        return read_table(self, X, reset=reset, allow_nd=self.estimator is not None)

    def _staged_prefixes(self, outputs: Array) -> Iterator[Floats]:
        """Apply F to the first member, the first two, and so on."""
        weights = self.combine_.weights
        for n in range(1, len(self.members_) + 1):
            first = None if weights is None else weights[:n]
            yield replace(self.combine_, weights=first)(outputs[:, :n])

    def staged_score(self, X: Any, y: Any, sample_weight: Any = None) -> Iterator[float]:
        """Yield the score after each round: accuracy in classification, R squared in regression.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
        sample_weight : array-like of shape (n_samples,), default=None

        Yields
        ------
        score : float
        """
        metric = accuracy_score if is_classifier(self) else r2_score
        for predicted in self.staged_predict(X):
            yield float(metric(y, predicted, sample_weight=sample_weight))

    def __len__(self) -> int:
        return len(self.members_)

    def __getitem__(self, position: int) -> Any:
        return self.estimators_[position]

    def __iter__(self) -> Iterator[Any]:
        return iter(self.estimators_)

    @property
    def feature_importances_(self) -> Floats:
        """Importances of the members, averaged by their weights."""
        check_is_fitted(self)
        if not all(hasattr(model, "feature_importances_") for model in self.estimators_):
            raise AttributeError(
                f"{type(self).__name__} has no feature_importances_, because "
                f"{type(self.estimator_).__name__} has none."
            )
        importances = np.array([model.feature_importances_ for model in self.estimators_])
        averaged: Floats = self._member_weights @ importances / self._member_weights.sum()
        return averaged

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        given = self._default_estimator() if self.estimator is None else self.estimator
        tags.input_tags.sparse = get_tags(given).input_tags.sparse
        tags.input_tags.allow_nan = get_tags(given).input_tags.allow_nan
        return tags
