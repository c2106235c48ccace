"""Suggestions for names that ``nonet`` does not have."""

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
    "LeastCost": "decide.MinimumCost",
    "LightGBM": "BoostedTreesClassifier",
    "LogitBoost": "AdaBoostClassifier(method='logit')",
    "MemberAnswers": "diagnostics.MemberPredictions",
    "MixtureOfExperts": "GatedClassifier",
    "NumberMethod": "boosting.RegressionMethod",
    "OneVsAllClassifier": "OneVsRestClassifier",
    "OwnRule": "decide.CallableRule",
    "PastingClassifier": "BaggingClassifier(bootstrap=False)",
    "PastingRegressor": "BaggingRegressor(bootstrap=False)",
    "RealAdaBoost": "AdaBoostClassifier(method='samme_r')",
    "RejectOption": "decide.Abstain",
    "StackingCVClassifier": "StackingClassifier",
    "StackingCVRegressor": "StackingRegressor",
    "SuperLearner": "StackingClassifier",
    "TreeExplainer": "to_shap",
    "TunedThresholdClassifierCV": "decide.Threshold",
    "VoteMethod": "boosting.LabelMethod",
    "XGBClassifier": "BoostedTreesClassifier",
    "XGBRFClassifier": "RandomForestClassifier",
    "XGBRFRegressor": "RandomForestRegressor",
    "XGBRegressor": "BoostedTreesRegressor",
    "XGBoost": "BoostedTreesClassifier",
    "calibration_curve": "reliability_curve",
    "can_it_still_gain": "possible_gains",
    "chance_of_original": "original_sample_probability",
    "choose_largest": "decide.choose_maximum",
    "choose_least_cost": "decide.choose_minimum_cost",
    "cross_val_predict": "make_ledger",
    "cross_val_score": "cv_error",
    "cross_validate": "cv_error",
    "distinct_share": "distinct_fraction",
    "feature_importances": "column_importances",
    "k_of_n_chance": "k_of_n_probability",
    "learning_curve": "size_curve",
    "left_out_chance": "left_out_probability",
    "margin_share": "margin_fraction",
    "never_left_out_chance": "never_left_out_probability",
    "partial_dependence": "tree_dependence",
    "permutation_importance": "oob_permutation_importance",
    "plot_vote_chances": "plots.plot_vote_probabilities",
    "record_answers": "record_predictions",
    "split_loss": "decompose_loss",
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
    begun = (f"{typed}classifier", f"{typed}regressor")
    near = [known for known in begun if known in full_names]
    near = near or get_close_matches(typed, full_names, n=1, cutoff=0.9)
    near = near or get_close_matches(typed, full_names, n=2, cutoff=0.7)
    return list(dict.fromkeys(full_names[known] for known in near))
