"""Parameters of boosted trees: validation, and conversion to parameters of the engine."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from nonet._base.params import (
    Anything,
    ArrayLike,
    Boolean,
    Choice,
    Having,
    Instance,
    Integer,
    Nothing,
    Real,
    Rule,
)
from nonet._base.streams import RANDOM_STATE
from nonet._native.grow import GrowParams
from nonet.boosting.gradient.boosted_trees.auto_settings import AUTO, is_auto
from nonet.boosting.gradient.boosted_trees.threshold_kinds import KINDS, MIXED
from nonet.boosting.gradient.dart import Dropout
from nonet.boosting.gradient.row_sampling import (
    MinVarianceRows,
    OneSideRows,
    RowSampling,
    UniformRows,
)
from nonet.trees.category_columns import CATEGORIES_RULE

_FRACTION = Real(0, 1, open_low=True)
_AUTO = Choice(AUTO)
FUNCTION = Having("a function", "__call__")

# With the values of LightGBM and XGBoost for no limit, no output, and for what is not given.
COMMON_RULES: Mapping[str, Rule] = {
    "n_estimators": _AUTO | Nothing() | Integer(1),
    "learning_rate": _AUTO | Nothing() | Real(0, open_low=True),
    "num_leaves": _AUTO | Nothing() | Integer(2),
    "max_depth": Nothing() | Integer(-1),
    "min_child_samples": _AUTO | Integer(1),
    "min_child_weight": Nothing() | Real(0),
    "reg_lambda": _AUTO | Nothing() | Real(0),
    "reg_alpha": Nothing() | Real(0),
    "gamma": Nothing() | Real(0),
    "max_delta_step": Nothing() | Real(0),
    "subsample": Nothing() | _FRACTION,
    "sampling_method": Nothing() | Choice("uniform", "goss", "mvs"),
    "top_rate": Real(0, 1, open_low=True, open_high=True),
    "other_rate": Real(0, 1, open_low=True, open_high=True),
    "colsample_bytree": Nothing() | _FRACTION,
    "colsample_bylevel": Nothing() | _FRACTION,
    "colsample_bynode": _AUTO | Nothing() | _FRACTION,
    "extra_trees": Choice(AUTO, MIXED) | Boolean(),
    "drop_rate": Real(0, 1),
    "skip_drop": Real(0, 1),
    "multi_strategy": Nothing() | Choice("one_output_per_tree", "multi_output_tree"),
    "max_bins": Integer(2, 255),
    "categorical_features": CATEGORIES_RULE,
    "cat_smooth": Real(0),
    "cat_l2": Real(0),
    "min_data_per_group": Integer(1),
    "max_cat_threshold": Nothing() | Integer(1),
    "max_cat_to_onehot": Nothing() | Integer(1),
    "monotone_constraints": Nothing() | Instance("a dict", dict) | ArrayLike(),
    "interaction_constraints": Nothing()
    | Choice("pairwise", "no_interactions")
    | Instance("a list or tuple of groups of columns", list, tuple),
    "eval_metric": Anything(),
    "early_stopping_rounds": Nothing() | Integer(-1),
    "validation_split": Real(0, 1, open_low=True, open_high=True)
    | Having("a cross-validation splitter", "split"),
    "warm_start": Boolean(),
    "on_interrupt": Choice("raise", "keep"),
    "verbose": Boolean() | Integer(-1),
    "random_state": RANDOM_STATE,
    "n_jobs": Nothing() | Integer(1) | Integer(high=-1),
    "n_bags": _AUTO | Integer(1),
    "preset": Choice("best", "fast"),
}


def check_params_together(owner: Any, *, has_init_model: bool) -> None:
    """Raise for settings that contradict each other."""
    if owner.sampling_method == "goss":
        if owner.subsample < 1:
            raise ValueError(
                "sampling_method='goss' samples by top_rate and other_rate, but subsample is "
                f"{owner.subsample}; leave it at 1."
            )
        if owner.top_rate + owner.other_rate > 1:
            raise ValueError(
                "top_rate and other_rate are fractions of all rows and must not exceed 1 together, "
                f"got {owner.top_rate} and {owner.other_rate}."
            )

    if owner.drop_rate > 0 and owner.early_stopping_rounds is not None:
        raise ValueError(
            "drop_rate changes earlier trees in later rounds, so that boosting cannot return to an "
            "earlier round; set early_stopping_rounds to None, or drop_rate to 0."
        )
    _check_bags(owner, has_init_model)


def _check_bags(owner: Any, has_init_model: bool) -> None:
    if is_auto(owner, "n_bags") or owner.n_bags == 1:
        return
    excluded = {
        f"drop_rate={owner.drop_rate!r}": owner.drop_rate > 0,
        f"early_stopping_rounds={owner.early_stopping_rounds!r}": owner.early_stopping_rounds
        is not None,
        f"warm_start={owner.warm_start!r}": owner.warm_start,
        "an init_model": has_init_model,
    }
    for words in (words for words, is_set in excluded.items() if is_set):
        raise ValueError(
            f"n_bags={owner.n_bags} averages boosters that hold out rows of their own, which does "
            f"not go together with {words}; set n_bags to 1."
        )


def dropout_of(owner: Any) -> Dropout | None:
    """Return the rule that drops trees, or None if no trees are dropped."""
    if owner.drop_rate == 0:
        return None
    return Dropout(owner._random_seed, owner.drop_rate, owner.skip_drop)


def row_sampling(owner: Any, position: int = 0) -> RowSampling | None:
    """Return how the rows of a booster are sampled, or None if every tree sees all of them.

    `position` is that of the booster among bagged ones.
    """
    seed = owner._random_seed + position
    if owner.sampling_method == "goss":
        return OneSideRows.at_rate(seed, owner.top_rate, owner.other_rate, owner.learning_rate_)
    if owner.subsample == 1:
        return None
    kind = UniformRows if owner.sampling_method == "uniform" else MinVarianceRows
    return kind(seed, owner.subsample)


def columns_per_tree(owner: Any) -> int | None:
    """Return the number of columns sampled per tree, or None for all."""
    return _fraction_of(owner.colsample_bytree, owner.n_features_in_)


def boosted_tree_params(owner: Any, position: int = 0, kind: str | None = None) -> GrowParams:
    """Return the growing parameters of the trees of a booster, the one at `position`.

    `kind` is that of its thresholds; without one, the booster's own.

    `gamma` is on the scale of XGBoost's and LightGBM's gain, twice the decrease of the loss.
    """
    n_columns = owner.n_features_in_
    of_tree = columns_per_tree(owner) or n_columns
    of_level = _fraction_of(owner.colsample_bylevel, of_tree)
    thresholds = KINDS[kind or owner.thresholds_[position % len(owner.thresholds_)]]
    of_split = min(owner.colsample_bynode_, thresholds.column_fraction)
    return GrowParams(
        max_depth=owner.max_depth,
        max_leaf_nodes=owner.num_leaves_,
        min_rows_split=2 * owner.min_child_samples_,
        min_rows_leaf=owner.min_child_samples_,
        min_weight_leaf=owner.min_child_weight,
        l2=owner.reg_lambda_,
        l1=owner.reg_alpha,
        min_gain=owner.gamma / 2,
        max_step=owner.max_delta_step or None,
        columns_per_level=of_level,
        columns_per_split=_fraction_of(of_split, of_level or of_tree),
        monotone=owner._monotone_signs("monotone_constraints"),
        interactions=owner._interaction_groups("interaction_constraints", n_columns),
        threshold_policy="edge",
        threshold_draw=thresholds.draw,
        category_smoothing=owner.cat_smooth,
        min_category_support=owner.cat_smooth,
        category_l2=owner.cat_l2,
        min_rows_group=owner.min_data_per_group,
        max_categories_left=owner.max_cat_threshold,
        max_one_vs_rest=owner.max_cat_to_onehot,
        seed=owner._column_seed + position,
    )


def _fraction_of(fraction: float, n_columns: int) -> int | None:
    return None if fraction == 1 else max(1, int(fraction * n_columns))
