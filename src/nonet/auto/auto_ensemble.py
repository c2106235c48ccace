"""The auto-ensembler: from a table to the best ensemble of many configurations.

Members: configurations of a portfolio, fitted without each of several folds. F: a mean with weights
found on held-out predictions. C: arg max or any rule; the identity in regression.

References
----------
R. Caruana, A. Niculescu-Mizil, G. Crew, A. Ksikes, Ensemble selection from libraries of
models, ICML 2004.

N. Erickson et al., AutoGluon-Tabular: robust and accurate AutoML for structured data, 2020.
"""

from __future__ import annotations

from typing import Any, cast

import numpy as np
from sklearn.utils import assert_all_finite
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import column_or_1d

from nonet._base.aliases import Array
from nonet.auto.auto_docs import with_auto_docs
from nonet.auto.fold_blend import settle_classifier, settle_regressor
from nonet.auto.outcome import Outcome
from nonet.auto.searched_ensemble import AutoEnsemble
from nonet.ensemble import (
    EnsembleClassifier,
    EnsembleRegressor,
    HeldOutPredictions,
    check_is_given,
)

_MIN_ROWS = 4


@with_auto_docs
class AutoEnsembleClassifier(AutoEnsemble, EnsembleClassifier):
    """Find the best ensemble of classifiers for a table, under a time limit.

    Configurations of a portfolio (boosted trees of many shapes, forests, linear models, neighbors,
    networks) are fitted without each of several folds. Their held-out predictions give weights, a
    leaderboard and an honest score.

    Parameters
    ----------
    {time_limit}
    metric : str, callable or None, default=None
        What is to be good: 'log_loss' (the same as None), or a scorer of scikit-learn or its name,
        such as 'roc_auc' or 'accuracy'.
    {random_state}
    decide : str or rule, default=None
        C: 'argmax' if None; a threshold or a rule for costs is tuned on held-out rows.
    {run}

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The labels.
    ensemble_ : FoldBlendClassifier
        The ensemble of fitted members, with ``members_``, ``combine_`` and ``decide_``; it reads
        encoded tables.
    {attributes}

    See Also
    --------
    nonet.fit_table : The same for a file or a frame that holds the target.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from nonet import AutoEnsembleClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> model = AutoEnsembleClassifier(time_limit=None, max_tasks=16, random_state=0).fit(X, y)
    >>> model.honest_score_.score < 0.2
    True
    >>> model.predict(X[:2])
    array([0, 0])
    """

    _task = "classification"

    def _labels(self) -> Array | None:
        return self.classes_

    def _read_target(self, y: Any, n_rows: int) -> Array:
        check_is_given(self, y)
        labels = np.asarray(y)
        if labels.dtype.kind == "f":
            assert_all_finite(labels, input_name="y")
        check_classification_targets(labels)
        labels = column_or_1d(labels, warn=True)
        _check_length(labels, n_rows)
        self.classes_, codes = np.unique(labels, return_inverse=True)
        if len(self.classes_) < 2:
            raise ValueError(
                f"{type(self).__name__} needs at least 2 classes in y, but y holds only "
                f"{self.classes_.tolist()[0]!r}, so there is nothing to learn."
            )
        return cast(Array, codes)

    def _settle(self, outcome: Outcome) -> Any:
        held_out = HeldOutPredictions(
            [outcome.blend.support], [outcome.truth], outcome.weights, combined=True
        )
        members = outcome.members(self.classes_)
        return settle_classifier(members, outcome.blend, self.classes_, self.decide, held_out)


@with_auto_docs
class AutoEnsembleRegressor(AutoEnsemble, EnsembleRegressor):
    """Find the best ensemble of regressors for a table, under a time limit.

    Configurations of a portfolio (boosted trees of many shapes, forests, linear models, neighbors,
    networks) are fitted without each of several folds. Their held-out predictions give weights, a
    leaderboard and an honest score.

    Parameters
    ----------
    {time_limit}
    metric : str, callable or None, default=None
        What is to be good: 'rmse' (the same as None), or a scorer of scikit-learn or its name, such
        as 'neg_mean_absolute_error'.
    {random_state}
    decide : callable or None, default=None
        C: the identity if None, or a function of the combined values.
    {run}

    Attributes
    ----------
    ensemble_ : FoldBlendRegressor
        The ensemble of fitted members, with ``members_``, ``combine_`` and ``decide_``; it reads
        encoded tables.
    {attributes}

    See Also
    --------
    nonet.fit_table : The same for a file or a frame that holds the target.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from nonet import AutoEnsembleRegressor
    >>> X, y = load_diabetes(return_X_y=True)
    >>> model = AutoEnsembleRegressor(time_limit=None, max_tasks=16, random_state=0).fit(X, y)
    >>> 50 < model.honest_score_.score < 60
    True
    """

    _task = "regression"

    def _read_target(self, y: Any, n_rows: int) -> Array:
        check_is_given(self, y)
        values = column_or_1d(np.asarray(y), warn=True, dtype=np.float64)
        assert_all_finite(values, input_name="y")
        _check_length(values, n_rows)
        _check_range(values)
        return cast(Array, values)

    def _settle(self, outcome: Outcome) -> Any:
        return settle_regressor(outcome.members(None), outcome.blend, self.decide)


def _check_length(y: Array, n_rows: int) -> None:
    if n_rows < _MIN_ROWS:
        raise ValueError(
            f"the auto-ensembler needs at least {_MIN_ROWS} rows, of which some are held out, but "
            f"X has {n_rows} sample{'s' * (n_rows != 1)}."
        )
    if len(y) != n_rows:
        raise ValueError(
            f"Found input variables with inconsistent numbers of samples: X has {n_rows} rows, "
            f"but y has {len(y)}."
        )


def _check_range(y: Array) -> None:
    """Raise if squared errors of the values would be infinite, or 0 for all predictions."""
    smallest, largest = float(y.min()), float(y.max())
    with np.errstate(over="ignore", under="ignore"):
        total = len(y) * np.square(max(abs(smallest), abs(largest)))
    if smallest != largest and not np.finfo(float).tiny < total < np.finfo(float).max:
        raise ValueError(
            f"y goes from {smallest:.3g} to {largest:.3g}, where squared errors are out of the "
            "range of floats; divide it by a constant."
        )
