"""Splitters of cross-validation, which stacks keep as a parameter."""

from __future__ import annotations

from sklearn import model_selection

from nonet.persist.codecs.instances import PLAIN

RULES = {
    model_selection.GroupKFold: PLAIN,
    model_selection.GroupShuffleSplit: PLAIN,
    model_selection.KFold: PLAIN,
    model_selection.LeaveOneGroupOut: PLAIN,
    model_selection.LeaveOneOut: PLAIN,
    model_selection.PredefinedSplit: PLAIN,
    model_selection.RepeatedKFold: PLAIN,
    model_selection.RepeatedStratifiedKFold: PLAIN,
    model_selection.ShuffleSplit: PLAIN,
    model_selection.StratifiedGroupKFold: PLAIN,
    model_selection.StratifiedKFold: PLAIN,
    model_selection.StratifiedShuffleSplit: PLAIN,
    model_selection.TimeSeriesSplit: PLAIN,
}
