"""What to use instead of a name that ``nonet`` does not have."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from difflib import get_close_matches

# Names of other libraries and of textbooks, and former names of this one: what follows "nonet."
SYNONYMS = {
    "AllPairsClassifier": "OneVsOneClassifier",
    "CalibratedClassifierCV": "decide.SigmoidCalibration",
    "CatBoostClassifier": "BoostedTreesClassifier",
    "CatBoostRegressor": "BoostedTreesRegressor",
    "ECOCClassifier": "OutputCodeClassifier",
    "EnsembleVoteClassifier": "VotingClassifier",
    "ErrorCorrectingOutputCodes": "OutputCodeClassifier",
    "GentleBoost": "AdaBoostClassifier(method='gentle')",
    "LGBMClassifier": "BoostedTreesClassifier",
    "LGBMRegressor": "BoostedTreesRegressor",
    "LightGBM": "BoostedTreesClassifier",
    "LogitBoost": "AdaBoostClassifier(method='logit')",
    "MixtureOfExperts": "GatedClassifier",
    "OneVsAllClassifier": "OneVsRestClassifier",
    "PastingClassifier": "BaggingClassifier(bootstrap=False)",
    "PastingRegressor": "BaggingRegressor(bootstrap=False)",
    "RealAdaBoost": "AdaBoostClassifier(method='samme_r')",
    "RejectOption": "decide.Abstain",
    "StackingCVClassifier": "StackingClassifier",
    "StackingCVRegressor": "StackingRegressor",
    "SuperLearner": "StackingClassifier",
    "TreeExplainer": "shap_values",
    "TunedThresholdClassifierCV": "decide.Threshold",
    "XGBClassifier": "BoostedTreesClassifier",
    "XGBRFClassifier": "RandomForestClassifier",
    "XGBRFRegressor": "RandomForestRegressor",
    "XGBRegressor": "BoostedTreesRegressor",
    "XGBoost": "BoostedTreesClassifier",
    "calibration_curve": "reliability_curve",
    "cross_val_predict": "make_ledger",
    "cross_val_score": "cv_error",
    "cross_validate": "cv_error",
    "feature_importances": "column_importances",
    "learning_curve": "size_curve",
    "partial_dependence": "tree_dependence",
    "permutation_importance": "oob_permutation_importance",
    "validation_curve": "cv_curve",
}


def explain_missing(name: str, names_per_room: Mapping[str, Sequence[str]]) -> str:
    """Return the text of the AttributeError for ``nonet.<name>``.

    ``names_per_room`` holds the public names of each sub-package, under its full name.
    """
    text = f"module 'nonet' has no attribute {name!r}"
    if name in SYNONYMS:
        return f"{text}; use nonet.{SYNONYMS[name]}."
    rooms = [room for room, names in names_per_room.items() if name in names]
    if rooms:
        return f"{text}; it is {rooms[0]}.{name}."
    near = _similar_names(name, names_per_room)
    return f"{text}; did you mean {' or '.join(near)}?" if near else text


def _similar_names(name: str, names_per_room: Mapping[str, Sequence[str]]) -> list[str]:
    """Return full names that are spelt almost like ``name``, the most similar first."""
    full_names = {synonym.lower(): f"nonet.{use}" for synonym, use in SYNONYMS.items()}
    for room, names in names_per_room.items():
        for known in names:
            full_names.setdefault(known.lower(), f"{room}.{known}")
    typed = name.lower()
    near = get_close_matches(typed, full_names, n=1, cutoff=0.9)
    near = near or get_close_matches(typed, full_names, n=2, cutoff=0.7)
    return list(dict.fromkeys(full_names[known] for known in near))
