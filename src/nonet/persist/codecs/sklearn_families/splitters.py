"""Splitters of cross-validation, which stacks keep as a parameter."""

from __future__ import annotations

from typing import Any

from sklearn import model_selection

from nonet.persist.codecs.instances import STABLE, ClassRule


def _folds_again(kind: type) -> ClassRule:
    """Return the rule of a splitter that keeps the class whose folds it repeats."""

    def restore(splitter: Any) -> None:
        splitter.cv = kind

    return ClassRule(left_out=("cv",), restore=restore, is_stable=True)


RULES = {
    model_selection.GroupKFold: STABLE,
    model_selection.GroupShuffleSplit: STABLE,
    model_selection.KFold: STABLE,
    model_selection.LeaveOneGroupOut: STABLE,
    model_selection.LeaveOneOut: STABLE,
    model_selection.PredefinedSplit: STABLE,
    model_selection.RepeatedKFold: _folds_again(model_selection.KFold),
    model_selection.RepeatedStratifiedKFold: _folds_again(model_selection.StratifiedKFold),
    model_selection.ShuffleSplit: STABLE,
    model_selection.StratifiedGroupKFold: STABLE,
    model_selection.StratifiedKFold: STABLE,
    model_selection.StratifiedShuffleSplit: STABLE,
    model_selection.TimeSeriesSplit: STABLE,
}
