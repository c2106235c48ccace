"""Programs as users of XGBoost write them; the class is all that is exchanged.

A program gets the class of the estimator and the rows, and returns the fitted model.
"""

from __future__ import annotations

import numpy as np
from scipy.special import expit
from sklearn.metrics import mean_absolute_error

QUIET = {"verbosity": 0, "n_jobs": 1, "random_state": 3}


def two_classes(Model, part):
    model = Model(
        objective="binary:logistic",
        booster="gbtree",
        tree_method="hist",
        device="cpu",
        max_depth=4,
        learning_rate=0.05,
        n_estimators=300,
        eval_metric="auc",
        early_stopping_rounds=20,
        **QUIET,
    )
    model.fit(*part.train, eval_set=[part.valid], verbose=False)
    assert model.best_iteration < 300
    assert model.best_score == max(model.evals_result()["validation_0"]["auc"])
    return model


def many_classes(Model, part):
    model = Model(
        objective="multi:softprob",
        eval_metric=["merror", "mlogloss"],
        n_estimators=60,
        eta=0.1,
        max_depth=4,
        **QUIET,
    )
    model.fit(*part.train, eval_set=[part.train, part.valid], verbose=False)
    assert set(model.evals_result()["validation_1"]) == {"merror", "mlogloss"}
    return model


def numbers(Model, part):
    return Model(
        objective="reg:squarederror",
        n_estimators=80,
        learning_rate=0.1,
        max_depth=5,
        min_child_weight=3,
        gamma=0.1,
        subsample=0.8,
        colsample_bytree=0.8,
        colsample_bylevel=0.9,
        colsample_bynode=0.9,
        reg_alpha=0.05,
        reg_lambda=1,
        base_score=0.5,
        importance_type="weight",
        missing=np.nan,
        **QUIET,
    ).fit(*part.train)


def medians(Model, part):
    return Model(
        objective="reg:absoluteerror", n_estimators=80, learning_rate=0.1, max_depth=5, **QUIET
    ).fit(*part.train)


def upper_quantile(Model, part):
    return Model(
        objective="reg:quantileerror",
        quantile_alpha=0.9,
        n_estimators=60,
        learning_rate=0.1,
        max_depth=3,
        **QUIET,
    ).fit(*part.train)


def counts(Model, part):
    model = Model(
        objective="count:poisson",
        max_delta_step=0.7,
        n_estimators=200,
        learning_rate=0.1,
        max_depth=4,
        eval_metric="poisson-nloglik",
        early_stopping_rounds=10,
        **QUIET,
    )
    return model.fit(*part.train, eval_set=[part.valid], verbose=0)


def amounts(Model, part):
    return Model(
        objective="reg:tweedie",
        tweedie_variance_power=1.4,
        n_estimators=60,
        learning_rate=0.1,
        max_depth=4,
        max_bin=256,
        **QUIET,
    ).fit(*part.train)


def dropped_trees(Model, part):
    return Model(
        booster="dart",
        rate_drop=0.1,
        skip_drop=0.5,
        sample_type="uniform",
        normalize_type="tree",
        n_estimators=80,
        learning_rate=0.1,
        max_depth=5,
        **QUIET,
    ).fit(*part.train)


def by_leaves(Model, part):
    return Model(
        grow_policy="lossguide",
        max_leaves=12,
        max_depth=0,
        max_bin=128,
        n_estimators=80,
        learning_rate=0.1,
        **QUIET,
    ).fit(*part.train)


def categories(Model, part):
    model = Model(
        enable_categorical=True,
        tree_method="hist",
        max_cat_to_onehot=3,
        n_estimators=80,
        learning_rate=0.1,
        max_depth=4,
        **QUIET,
    )
    return model.fit(*part.train, eval_set=[part.valid], verbose=False)


def monotone(Model, part):
    model = Model(
        monotone_constraints="(1,-1,0,0,0,0,0,0)",
        interaction_constraints="[[0, 1, 2], [3, 4, 5, 6, 7]]",
        n_estimators=80,
        learning_rate=0.1,
        max_depth=4,
        **QUIET,
    ).fit(*part.train)
    steps = np.zeros((30, 8))
    steps[:, 0] = np.linspace(-3, 3, 30)
    assert (np.diff(model.predict(steps)) >= 0).all()
    return model


def _logistic(y_true, y_pred):
    fraction = expit(y_pred)
    return fraction - y_true, fraction * (1 - fraction)


def own_objective(Model, part):
    model = Model(objective=_logistic, n_estimators=60, learning_rate=0.1, max_depth=4, **QUIET)
    return model.fit(*part.train)


def own_metric(Model, part):
    model = Model(
        objective="reg:pseudohubererror",
        huber_slope=1.5,
        eval_metric=mean_absolute_error,
        early_stopping_rounds=15,
        n_estimators=200,
        learning_rate=0.1,
        max_depth=4,
        **QUIET,
    )
    return model.fit(*part.train, eval_set=[part.valid], verbose=False)


def rare_class(Model, part):
    y = part.train[1]
    model = Model(
        scale_pos_weight=np.sum(y == 0) / np.sum(y == 1),
        eval_metric="aucpr",
        n_estimators=60,
        learning_rate=0.1,
        max_depth=3,
        **QUIET,
    )
    return model.fit(*part.train, eval_set=[part.valid], verbose=False)


def several_labels(Model, part):
    return Model(n_estimators=60, learning_rate=0.1, max_depth=4, **QUIET).fit(*part.train)


def several_outputs(Model, part):
    model = Model(n_estimators=60, learning_rate=0.1, max_depth=4, **QUIET)
    return model.fit(*part.train)


PROGRAMS = {
    two_classes: ("binary", "auc"),
    many_classes: ("classes", "accuracy"),
    numbers: ("values", "r2"),
    medians: ("values", "absolute"),
    upper_quantile: ("values", "quantile"),
    counts: ("counts", "poisson"),
    amounts: ("amounts", "tweedie"),
    dropped_trees: ("binary", "auc"),
    by_leaves: ("binary", "auc"),
    categories: ("frame", "auc"),
    monotone: ("values", "r2"),
    own_objective: ("binary", "auc of scores"),
    own_metric: ("values", "r2"),
    rare_class: ("rare", "auc"),
    several_labels: ("labels", "labels"),
    several_outputs: ("outputs", "r2"),
}
