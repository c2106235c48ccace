"""Splitters of cross-validation, which stacks keep as a parameter."""

from __future__ import annotations

from typing import Any

from sklearn import model_selection

from nonet.persist.codecs.instances import PLAIN, ClassRule


def _folds_again(kind: type) -> ClassRule:
    """Return the rule of a splitter that keeps the class whose folds it repeats."""

    def restore(splitter: Any) -> None:
        splitter.cv = kind

    return ClassRule(left_out=("cv",), restore=restore)


RULES = {
    model_selection.GroupKFold: PLAIN,
    model_selection.GroupShuffleSplit: PLAIN,
    model_selection.KFold: PLAIN,
    model_selection.LeaveOneGroupOut: PLAIN,
    model_selection.LeaveOneOut: PLAIN,
    model_selection.PredefinedSplit: PLAIN,
    model_selection.RepeatedKFold: _folds_again(model_selection.KFold),
    model_selection.RepeatedStratifiedKFold: _folds_again(model_selection.StratifiedKFold),
    model_selection.ShuffleSplit: PLAIN,
    model_selection.StratifiedGroupKFold: PLAIN,
    model_selection.StratifiedKFold: PLAIN,
    model_selection.StratifiedShuffleSplit: PLAIN,
    model_selection.TimeSeriesSplit: PLAIN,
}
