"""Adapter for the ensembles of scikit-learn: their members as a panel.

An ensemble of this library stores its members, F and their role under names of its own; this file
finds the same in each class of scikit-learn. A class that is not named here works if it stores its
models in ``estimators_`` and they predict its labels.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.sparse import issparse
from sklearn import ensemble as sklearn_ensemble
from sklearn import multiclass as sklearn_multiclass
from sklearn.base import is_classifier
from sklearn.ensemble._forest import BaseForest

from nonet._base.aliases import Array, Floats
from nonet.diagnostics.member_predictions import unit_sum_weights
from nonet.diagnostics.panel import Panel
from nonet.ensemble import MemberRole
from nonet.members.member import Member

_CODED = (
    sklearn_multiclass.OneVsOneClassifier,
    sklearn_multiclass.OneVsRestClassifier,
    sklearn_multiclass.OutputCodeClassifier,
)
# Their members are fitted on positions in ``classes_``.
_ENCODES_LABELS = (
    sklearn_ensemble.VotingClassifier,
    sklearn_ensemble.BaggingClassifier,
    sklearn_ensemble.StackingClassifier,
    BaseForest,
)
# Their members are fitted on arrays, also where the ensemble is given a frame.
_STRIPS_NAMES = (
    sklearn_ensemble.BaggingClassifier,
    sklearn_ensemble.BaggingRegressor,
    sklearn_ensemble.AdaBoostClassifier,
    sklearn_ensemble.AdaBoostRegressor,
    BaseForest,
)
_VOTING = (sklearn_ensemble.VotingClassifier, sklearn_ensemble.VotingRegressor)


@dataclass(frozen=True)
class NamelessMember(Member):
    """A member that was fitted without column names."""

    def view(self, X: Any) -> Any:
        """Return X as this member sees it: an array, or a sparse matrix."""
        return super().view(X if issparse(X) else np.asarray(X))


def member_role(model: Any) -> MemberRole:
    """Return what the output of one member of the model is."""
    # Boosting has stages; where its members have no weights, they are steps on residuals.
    if hasattr(model, "staged_predict") and not hasattr(model, "estimator_weights_"):
        return "step"
    return "side" if isinstance(model, _CODED) else "predictor"


def averages_probabilities(model: Any) -> bool:
    """Return whether the model averages the probabilities of its members."""
    if isinstance(model, sklearn_ensemble.VotingClassifier):
        return bool(model.voting == "soft")
    if isinstance(model, sklearn_ensemble.BaggingClassifier):
        return all(hasattr(member, "predict_proba") for member in model.estimators_)
    return isinstance(model, BaseForest) and is_classifier(model)


def panel_of(model: Any, classes: Array | None, n_rows: int | None = None) -> Panel:
    """Return the members of a fitted model whose members predict its target.

    Parameters
    ----------
    model : fitted estimator
        One with ``estimators_``.
    classes : ndarray of shape (n_classes,) or None
        Its labels; None in regression.
    n_rows : int, default=None
        The number of rows it was fitted on, to find those that each member has not seen; None
        leaves that out.

    Returns
    -------
    panel : Panel
    """
    members = _members(model, n_rows)
    encodes = classes is not None and isinstance(model, _ENCODES_LABELS)
    return Panel(
        members,
        _weights(model, len(members)),
        classes,
        np.arange(len(classes)) if encodes and classes is not None else classes,
        averages_probabilities(model),
    )


def _members(model: Any, n_rows: int | None) -> list[Member]:
    models = getattr(model, "estimators_", None)
    if models is None:
        raise TypeError(
            f"{type(model).__name__} has no members; give a fitted ensemble, or put "
            "its predictions into nonet.diagnostics.record_predictions."
        )
    models = list(models)
    kind = NamelessMember if isinstance(model, _STRIPS_NAMES) else Member
    names = list(getattr(model, "named_estimators_", {})) or [
        f"{type(member).__name__}[{index}]" for index, member in enumerate(models)
    ]
    columns = getattr(model, "estimators_features_", [None] * len(models))
    unseen = _unseen_rows(model, len(models), n_rows)
    return [kind(*member) for member in zip(names, models, columns, unseen, strict=True)]


def _unseen_rows(model: Any, n_members: int, n_rows: int | None) -> list[Array | None]:
    if n_rows is None or not hasattr(model, "estimators_samples_"):
        return [None] * n_members
    return [np.setdiff1d(np.arange(n_rows), rows) for rows in model.estimators_samples_]


def _weights(model: Any, n_members: int) -> Floats:
    if isinstance(model, _VOTING):
        return unit_sum_weights(model._weights_not_none, n_members)
    given = getattr(model, "estimator_weights_", None)
    return unit_sum_weights(None if given is None else given[:n_members], n_members)
