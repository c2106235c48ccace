"""Ensembles of any members: bagging, AdaBoost, voting and stacking.

Their members check X themselves, and columns of members are indices that NumPy checks; the lists
must fit each other, so that no member is left out in silence.
"""

from __future__ import annotations

from typing import Any

from sklearn.ensemble import (
    AdaBoostClassifier,
    AdaBoostRegressor,
    BaggingClassifier,
    BaggingRegressor,
    StackingClassifier,
    StackingRegressor,
    VotingClassifier,
    VotingRegressor,
)

from nonet.persist.codecs.instances import ClassRule, need


def _has_members(model: Any) -> bool:
    if "estimators_" not in vars(model):  # not fitted
        return False
    members = model.estimators_
    need(type(members) is list and members, "there are no members")
    need(all(hasattr(member, "predict") for member in members), "a member does not predict")
    return True


def _check_bags(model: Any) -> None:
    if not _has_members(model):
        return
    columns = model.estimators_features_
    need(len(columns) == len(model.estimators_), "a member has no columns")
    for indices in columns:
        need(indices.dtype.kind in "iu" and indices.ndim == 1, "columns are not indices")
        in_range = (indices >= 0) & (indices < model.n_features_in_)
        need(in_range.all(), "a member has a column that is not there")


def _check_rounds(model: Any) -> None:
    if _has_members(model):
        n_weights = len(model.estimator_weights_)
        need(n_weights >= len(model.estimators_), "a member has no weight")


def _check_votes(model: Any) -> None:
    if _has_members(model):
        n_used = sum(member != "drop" for _, member in model.estimators)
        need(n_used == len(model.estimators_), "there is not one member for each name")


def _check_stack(model: Any) -> None:
    if _has_members(model):
        methods = model.stack_method_
        need(len(methods) == len(model.estimators_), "a member has no method of the stack")
        known = ("predict", "predict_proba", "decision_function")
        need(all(method in known for method in methods), "a member has an unknown method")
        need(hasattr(model.final_estimator_, "predict"), "the final model does not predict")


_BAGS = ClassRule(restore=_check_bags)
_ROUNDS = ClassRule(restore=_check_rounds)
_VOTES = ClassRule(restore=_check_votes)
_STACK = ClassRule(restore=_check_stack)
RULES = {
    AdaBoostClassifier: _ROUNDS,
    AdaBoostRegressor: _ROUNDS,
    BaggingClassifier: _BAGS,
    BaggingRegressor: _BAGS,
    StackingClassifier: _STACK,
    StackingRegressor: _STACK,
    VotingClassifier: _VOTES,
    VotingRegressor: _VOTES,
}
