"""Programs as users of LightGBM write them; the class is all that is exchanged.

A program gets the class of the estimator and the rows, and returns the fitted model.
"""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import expit

REASON = "a peer to compare with, not needed otherwise"
lightgbm = pytest.importorskip("lightgbm", reason=REASON)

QUIET = {"verbose": -1, "n_jobs": 1, "random_state": 3}


def two_classes(Model, part):
    model = Model(
        objective="binary",
        boosting_type="gbdt",
        num_leaves=15,
        learning_rate=0.05,
        n_estimators=300,
        max_depth=-1,
        **QUIET,
    )
    stop = [lightgbm.early_stopping(20, verbose=False), lightgbm.log_evaluation(0)]
    return model.fit(*part.train, eval_set=[part.valid], eval_metric="auc", callbacks=stop)


def many_classes(Model, part):
    model = Model(
        objective="multiclass",
        num_class=3,
        n_estimators=60,
        feature_fraction=0.8,
        min_data_in_leaf=10,
        **QUIET,
    )
    return model.fit(*part.train, eval_set=[part.valid], eval_metric="multi_logloss")


def numbers(Model, part):
    model = Model(
        objective="regression",
        metric="rmse",
        num_iterations=80,
        eta=0.1,
        bagging_fraction=0.8,
        bagging_freq=1,
        feature_fraction=0.9,
        lambda_l1=0.1,
        lambda_l2=0.5,
        min_gain_to_split=0.01,
        seed=1,
        verbosity=-1,
        num_threads=1,
    )
    return model.fit(*part.train)


def medians(Model, part):
    values = {}
    model = Model(objective="regression_l1", n_estimators=80, min_child_samples=10, **QUIET)
    model.fit(
        *part.train,
        eval_set=[part.train, part.valid],
        eval_names=["train", "valid"],
        eval_metric=["mae", "rmse"],
        callbacks=[lightgbm.record_evaluation(values)],
    )
    assert len(values["valid"]["rmse"]) == 80
    return model


def upper_quantile(Model, part):
    return Model(
        objective="quantile", alpha=0.9, n_estimators=60, num_leaves=8, reg_lambda=1.0, **QUIET
    ).fit(*part.train)


def counts(Model, part):
    model = Model(objective="poisson", n_estimators=100, subsample=0.9, subsample_freq=2, **QUIET)
    stop = [lightgbm.early_stopping(10, verbose=False)]
    return model.fit(*part.train, eval_set=[part.valid], eval_metric="poisson", callbacks=stop)


def amounts(Model, part):
    return Model(
        objective="tweedie",
        tweedie_variance_power=1.4,
        n_estimators=60,
        num_leaves=12,
        max_bin=127,
        **QUIET,
    ).fit(*part.train)


def dropped_trees(Model, part):
    return Model(
        boosting_type="dart",
        objective="binary",
        n_estimators=80,
        drop_rate=0.1,
        skip_drop=0.5,
        drop_seed=4,
        **QUIET,
    ).fit(*part.train)


def one_side_sampling(Model, part):
    return Model(
        boosting_type="goss", top_rate=0.3, other_rate=0.2, n_estimators=80, reg_lambda=1, **QUIET
    ).fit(*part.train)


def categories(Model, part):
    model = Model(n_estimators=60, min_data_per_group=20, cat_smooth=5, cat_l2=5, **QUIET)
    return model.fit(*part.train, categorical_feature=["town"], eval_set=[part.valid])


def monotone(Model, part):
    signs = [1, -1, 0, 0, 0, 0, 0, 0]
    model = Model(
        monotone_constraints=signs,
        monotone_constraints_method="basic",
        n_estimators=80,
        importance_type="gain",
        **QUIET,
    ).fit(*part.train)
    steps = np.zeros((30, 8))
    steps[:, 0] = np.linspace(-3, 3, 30)
    assert (np.diff(model.predict(steps)) >= 0).all()
    return model


def _logistic(y_true, y_pred):
    fraction = expit(y_pred)
    return fraction - y_true, fraction * (1 - fraction)


def _wrong_fraction(y_true, y_pred):
    return "wrong", np.mean((y_pred > 0) != y_true), False


def own_functions(Model, part):
    model = Model(objective=_logistic, n_estimators=120, num_leaves=12, **QUIET)
    stop = [lightgbm.early_stopping(25, verbose=False)]
    return model.fit(
        *part.train, eval_set=[part.valid], eval_metric=_wrong_fraction, callbacks=stop
    )


def rare_class(Model, part):
    return Model(is_unbalance=True, n_estimators=60, num_leaves=10, **QUIET).fit(*part.train)


def robust(Model, part):
    model = Model(objective="huber", alpha=1.2, n_estimators=80, min_split_gain=0.0, **QUIET)
    return model.fit(*part.train, eval_set=part.valid, eval_metric="l1")


PROGRAMS = {
    two_classes: ("binary", "auc"),
    many_classes: ("classes", "accuracy"),
    numbers: ("values", "r2"),
    medians: ("values", "absolute"),
    upper_quantile: ("values", "quantile"),
    counts: ("counts", "poisson"),
    amounts: ("amounts", "tweedie"),
    dropped_trees: ("binary", "auc"),
    one_side_sampling: ("binary", "auc"),
    categories: ("frame", "auc"),
    monotone: ("values", "r2"),
    own_functions: ("binary", "auc of scores"),
    rare_class: ("rare", "auc"),
    robust: ("values", "r2"),
}
