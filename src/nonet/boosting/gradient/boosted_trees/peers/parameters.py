"""The parameters of LightGBM and XGBoost, as data: what each is called here.

The guide shows the same in words (docs/guide/migration.rst). A name that both libraries use with
different meanings is `Special`, and so is one that depends on others.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from nonet.boosting.gradient.boosted_trees.peers.spellings import (
    Neutral,
    Renamed,
    Special,
    Spelling,
    Unneeded,
)

# Values of parameters that have one name in all libraries, in our spelling.
OWN_VALUES: Mapping[str, Mapping[Any, Any]] = {
    "max_depth": {-1: None, 0: None},
    "num_leaves": {0: None},
    "max_bins": {256: 255},
    "early_stopping_rounds": {0: None, -1: None},
    "verbose": {-1: 0},
    "sampling_method": {"gradient_based": "mvs"},
    "categorical_features": {"auto": "from_dtype"},
}

# Parameters that XGBoost sets to None by default, which stands for the default here.
NONE_IS_DEFAULT = (
    "objective",
    "n_estimators",
    "learning_rate",
    "min_child_weight",
    "reg_lambda",
    "reg_alpha",
    "gamma",
    "max_delta_step",
    "subsample",
    "sampling_method",
    "colsample_bytree",
    "colsample_bylevel",
    "colsample_bynode",
    "multi_strategy",
    "max_cat_threshold",
    "max_cat_to_onehot",
    "scale_pos_weight",
)

_OTHER_NAMES: Mapping[str, tuple[str, ...]] = {
    "n_estimators": (
        "num_iterations",
        "num_iteration",
        "n_iter",
        "num_tree",
        "num_trees",
        "num_round",
        "num_rounds",
        "nrounds",
        "num_boost_round",
        "max_iter",
    ),
    "learning_rate": ("eta", "shrinkage_rate"),
    "num_leaves": ("max_leaves", "num_leaf", "max_leaf", "max_leaf_nodes"),
    "min_child_samples": (
        "min_data_in_leaf",
        "min_data_per_leaf",
        "min_data",
        "min_samples_leaf",
    ),
    "min_child_weight": (
        "min_sum_hessian_in_leaf",
        "min_sum_hessian_per_leaf",
        "min_sum_hessian",
        "min_hessian",
    ),
    "reg_lambda": ("lambda", "lambda_l2", "l2_regularization"),
    "reg_alpha": ("lambda_l1", "l1_regularization"),
    "gamma": ("min_split_gain", "min_gain_to_split", "min_split_loss"),
    "max_delta_step": ("max_tree_output", "max_leaf_output"),
    "subsample": ("bagging_fraction", "sub_row", "bagging"),
    "colsample_bytree": ("feature_fraction", "sub_feature"),
    "colsample_bynode": ("feature_fraction_bynode", "sub_feature_bynode"),
    "extra_trees": ("extra_tree",),
    "drop_rate": ("rate_drop",),
    "max_bins": ("max_bin",),
    "categorical_features": (
        "categorical_feature",
        "categorical_column",
        "cat_feature",
        "cat_features",
        "cat_column",
    ),
    "monotone_constraints": ("monotone_constraint", "monotonic_cst", "mc"),
    "interaction_constraints": ("interaction_cst",),
    "eval_metric": ("metric", "metrics", "metric_types"),
    "early_stopping_rounds": ("early_stopping_round", "early_stopping", "n_iter_no_change"),
    "random_state": ("seed", "random_seed"),
    "n_jobs": ("nthread", "nthreads", "num_thread", "num_threads"),
}

_CPU = "leave it out, since fits run on the processor"
FOREST = "use RandomForestClassifier or RandomForestRegressor"
_CONSTANTS = "use plain trees: leaves hold constants"
_ONE_MACHINE = "leave it out, since fits run on one machine"
_OWN_METRIC = "give a function as eval_metric"
_SPLIT_COST = "use gamma, which every split must gain"
_NO_RANKING = "leave it out: there is no ranking"
_NO_CENSORING = "leave it out: there is no censoring"
_NAN = "replace missing values by NaN, which needs no parameter"

_NEUTRAL: Mapping[str, Neutral] = {
    "device": Neutral(["cpu"], _CPU),
    "device_type": Neutral(["cpu"], _CPU),
    "gpu_id": Neutral([-1], _CPU),
    "gpu_device_id": Neutral([-1], _CPU),
    "gpu_platform_id": Neutral([-1], _CPU),
    "gpu_use_dp": Neutral([False], _CPU),
    "num_gpu": Neutral([1], _CPU),
    "predictor": Neutral(["auto", "cpu_predictor"], _CPU),
    "tree_method": Neutral(
        ["auto", "hist", "approx"], "use 'hist': thresholds are those of at most 255 bins"
    ),
    "num_parallel_tree": Neutral([1], FOREST),
    "missing": Neutral([math.nan], _NAN),
    "use_missing": Neutral([True], "fill in missing values before fit"),
    "zero_as_missing": Neutral([False], _NAN),
    "process_type": Neutral(["default"], "use init_model or warm_start to add rounds"),
    "updater": Neutral([], "leave it out"),
    "sample_type": Neutral(["uniform"], "use 'uniform', which drops every round alike"),
    "normalize_type": Neutral(["tree"], "use 'tree'"),
    "one_drop": Neutral([0, False], "use a larger drop_rate"),
    "max_drop": Neutral([50], "leave it at 50"),
    "xgboost_dart_mode": Neutral([False], "leave it out"),
    "uniform_drop": Neutral([False], "leave it out"),
    "linear_tree": Neutral([False], _CONSTANTS),
    "linear_lambda": Neutral([0], _CONSTANTS),
    "path_smooth": Neutral([0], "use reg_lambda or min_child_samples"),
    "monotone_penalty": Neutral([0], "use monotone_constraints alone"),
    "monotone_splits_penalty": Neutral([0], "use monotone_constraints alone"),
    "pos_bagging_fraction": Neutral([1], "use subsample and class_weight"),
    "neg_bagging_fraction": Neutral([1], "use subsample and class_weight"),
    "bagging_by_query": Neutral([False], _NO_RANKING),
    "feature_contri": Neutral([], "leave it out, or drop columns of X"),
    "feature_weights": Neutral([], "leave it out, or drop columns of X"),
    "forcedsplits_filename": Neutral([""], "leave it out"),
    "cegb_tradeoff": Neutral([1], _SPLIT_COST),
    "cegb_penalty_split": Neutral([0], _SPLIT_COST),
    "cegb_penalty_feature_lazy": Neutral([], _SPLIT_COST),
    "cegb_penalty_feature_coupled": Neutral([], _SPLIT_COST),
    "refit_decay_rate": Neutral([0.9], "leave it out"),
    "min_data_in_bin": Neutral([1, 3], "use max_bins"),
    "max_bin_by_feature": Neutral([], "use max_bins"),
    "forcedbins_filename": Neutral([""], "use max_bins"),
    "eval_at": Neutral([], _NO_RANKING),
    "label_gain": Neutral([], _NO_RANKING),
    "lambdarank_truncation_level": Neutral([], _NO_RANKING),
    "lambdarank_norm": Neutral([], _NO_RANKING),
    "lambdarank_position_bias_regularization": Neutral([], _NO_RANKING),
    "lambdarank_pair_method": Neutral([], _NO_RANKING),
    "lambdarank_num_pair_per_sample": Neutral([], _NO_RANKING),
    "lambdarank_unbiased": Neutral([], _NO_RANKING),
    "ndcg_exp_gain": Neutral([], _NO_RANKING),
    "aft_loss_distribution": Neutral([], _NO_CENSORING),
    "aft_loss_distribution_scale": Neutral([], _NO_CENSORING),
    "expectile_alpha": Neutral([], "derive a custom loss from nonet.losses.Loss"),
    "reg_sqrt": Neutral([False], "fit numpy.sqrt(y), and square the predictions"),
    "sigmoid": Neutral([1], "leave it at 1"),
    "auc_mu_weights": Neutral([], _OWN_METRIC),
    "multi_error_top_k": Neutral([1], _OWN_METRIC),
    "is_provide_training_metric": Neutral([False], "give the training set in eval_set"),
    "metric_freq": Neutral([1], "give the number of rounds as verbose in fit"),
    "snapshot_freq": Neutral([-1], "use on_interrupt='keep'"),
    "ignore_column": Neutral([""], "drop columns of X"),
    "pred_early_stop": Neutral([False], "leave it out: predictions use every round"),
    "tree_learner": Neutral(["serial"], _ONE_MACHINE),
    "num_machines": Neutral([1], _ONE_MACHINE),
    "machines": Neutral([""], _ONE_MACHINE),
    "machine_list_filename": Neutral([""], _ONE_MACHINE),
    **dict.fromkeys(
        ("objective_type", "application", "app", "loss"), Neutral([], "call it objective")
    ),
}

# Seeds (random_state replaces them), how the libraries divide their work, and what y determines.
_UNNEEDED = (
    "bagging_seed",
    "bagging_fraction_seed",
    "data_random_seed",
    "data_seed",
    "drop_seed",
    "extra_seed",
    "feature_fraction_seed",
    "objective_seed",
    "seed_per_iteration",
    "deterministic",
    "force_col_wise",
    "force_row_wise",
    "histogram_pool_size",
    "hist_pool_size",
    "is_enable_sparse",
    "is_sparse",
    "enable_sparse",
    "enable_bundle",
    "is_enable_bundle",
    "bundle",
    "feature_pre_filter",
    "pre_partition",
    "two_round",
    "max_cached_hist_node",
    "extmem_single_page",
    "subsample_for_bin",
    "bin_construct_sample_cnt",
    "monotone_constraints_method",
    "monotone_constraining_method",
    "mc_method",
    "use_quantized_grad",
    "num_grad_quant_bins",
    "quant_train_renew_leaf",
    "stochastic_rounding",
    "validate_parameters",
    "disable_default_eval_metric",
    "use_label_encoder",
    "enable_categorical",
    "num_class",
    "num_classes",
    "poisson_max_delta_step",
    "top_k",
    "local_listen_port",
    "time_out",
    "pred_early_stop_freq",
    "pred_early_stop_margin",
    "saved_feature_importance_type",
    "refresh_leaf",
    "verbosity",
    "silent",
)

# What `translation` reads itself.
_SPECIAL = (
    "alpha",
    "quantile_alpha",
    "huber_slope",
    "fair_c",
    "tweedie_variance_power",
    "base_score",
    "boost_from_average",
    "importance_type",
    "boosting",
    "boosting_type",
    "boost",
    "booster",
    "data_sample_strategy",
    "grow_policy",
    "subsample_freq",
    "bagging_freq",
    "feature_types",
    "first_metric_only",
    "early_stopping_min_delta",
    "callbacks",
)

_COMMON: Mapping[str, Spelling] = {
    **{
        name: Renamed(own, OWN_VALUES.get(own, {}))
        for own, names in _OTHER_NAMES.items()
        for name in names
    },
    **_NEUTRAL,
    **dict.fromkeys(_UNNEEDED, Unneeded()),
    **dict.fromkeys(_SPECIAL, Special()),
}

_NO_CLASSES = "use BoostedTreesClassifier, or sample_weight"

CLASSIFIER_NAMES: Mapping[str, Spelling] = {
    **_COMMON,
    **dict.fromkeys(("is_unbalance", "unbalance", "unbalanced_sets"), Special()),
}

REGRESSOR_NAMES: Mapping[str, Spelling] = {
    **_COMMON,
    "class_weight": Neutral([], _NO_CLASSES),
    "scale_pos_weight": Neutral([1], _NO_CLASSES),
    "is_unbalance": Neutral([False], _NO_CLASSES),
}
