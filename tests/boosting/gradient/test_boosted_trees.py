"""Boosted trees: the formulas of one tree, parameters, losses, bad input."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from sklearn.datasets import load_diabetes, load_iris
from sklearn.metrics import log_loss, mean_pinball_loss
from sklearn.model_selection import cross_val_score

from boosting.gradient.boosted_tables import few_values, two_classes
from boosting.gradient.naive_newton import NaiveNewton
from nonet import (
    BaggingClassifier,
    BoostedTreesClassifier,
    BoostedTreesRegressor,
    HistGradientBoostingClassifier,
    HistGradientBoostingRegressor,
    limit_threads,
    shap_values,
)
from nonet.losses import (
    AbsoluteLoss,
    ExponentialLoss,
    GammaLoss,
    HuberLoss,
    Loss,
    MultinomialLoss,
    PoissonLoss,
    QuantilesLoss,
    SquaredLoss,
    TweedieLoss,
)


@pytest.fixture
def rng():
    return np.random.default_rng(11)


# ---- One tree, by the formulas -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("ours", "naive"),
    [
        ({}, {}),
        ({"reg_lambda": 3.0}, {"l2": 3.0}),
        ({"reg_alpha": 2.5}, {"l1": 2.5}),
        ({"gamma": 6.0}, {"gamma": 6.0}),
        ({"max_delta_step": 0.4}, {"max_step": 0.4}),
        (
            {"reg_lambda": 1.0, "reg_alpha": 1.0, "gamma": 1.0, "max_delta_step": 0.5},
            {"l2": 1.0, "l1": 1.0, "gamma": 1.0, "max_step": 0.5},
        ),
        ({"min_child_weight": 12.0}, {"min_weight": 12.0}),
    ],
)
def test_one_tree_against_naive(ours, naive, rng):
    X, y = two_classes(rng, 400)
    model = BoostedTreesClassifier(
        n_estimators=1, learning_rate=1.0, num_leaves=7, min_child_samples=5, **ours
    ).fit(X, y)
    fraction = y.mean()
    reference = NaiveNewton(7, min_rows=5, **{"min_weight": 1e-3, "l2": 5.0, **naive})
    expected = reference.leaf_values(X, fraction - y, np.full(len(y), fraction * (1 - fraction)))
    start = np.log(fraction / (1 - fraction))
    np.testing.assert_allclose(model.decision_function(X) - start, expected, rtol=1e-9, atol=1e-12)


def test_equal_settings_equal_the_scikit_learn_face(rng):
    X, y = few_values(rng)
    ours = BoostedTreesRegressor(n_estimators=10, reg_lambda=0).fit(X, y)
    theirs = HistGradientBoostingRegressor(max_iter=10).fit(X, y)
    np.testing.assert_array_equal(ours.predict(X), theirs.predict(X))
    X, y = two_classes(rng)
    ours = BoostedTreesClassifier(n_estimators=10, reg_lambda=2.0).fit(X, y)
    theirs = HistGradientBoostingClassifier(max_iter=10, l2_regularization=2.0).fit(X, y)
    np.testing.assert_array_equal(ours.predict_proba(X), theirs.predict_proba(X))


# ---- Columns and thresholds --------------------------------------------------------------------


def columns_of_nodes(tree):
    """Give for every depth the columns that its nodes split on."""
    arrays = tree.arrays()
    found = {}
    waiting = [(0, 0)]
    while waiting:
        node, depth = waiting.pop()
        if arrays["left"][node] >= 0:
            found.setdefault(depth, set()).add(int(arrays["column"][node]))
            waiting += [(arrays["left"][node], depth + 1), (arrays["right"][node], depth + 1)]
    return found


def test_columns_are_drawn_for_tree_and_level(rng):
    X = rng.normal(size=(3000, 12))
    y = X.sum(axis=1) + rng.normal(size=3000)
    settings = {"n_estimators": 6, "random_state": 0, "num_leaves": 31}
    by_tree = BoostedTreesRegressor(colsample_bytree=0.25, **settings).fit(X, y)
    used = [set.union(*columns_of_nodes(t[0]).values()) for t in by_tree._booster.rounds]
    assert all(len(columns) <= 3 for columns in used)
    assert len(set.union(*used)) > 3
    by_level = BoostedTreesRegressor(colsample_bylevel=0.25, **settings).fit(X, y)
    for trees in by_level._booster.rounds:
        levels = columns_of_nodes(trees[0])
        assert all(len(columns) <= 3 for columns in levels.values())
        assert len(set.union(*levels.values())) > 3
    by_node = BoostedTreesRegressor(colsample_bynode=0.25, **settings).fit(X, y)
    levels = columns_of_nodes(by_node._booster.rounds[0][0])
    assert max(len(columns) for columns in levels.values()) > 3


def test_random_thresholds_differ_and_still_learn(rng):
    X, y = few_values(rng, 2000)
    plain = BoostedTreesRegressor().fit(X, y)
    one, other = (
        BoostedTreesRegressor(extra_trees=True, random_state=seed).fit(X, y) for seed in (0, 1)
    )
    assert (one.predict(X) != other.predict(X)).any()
    assert (one.predict(X) != plain.predict(X)).any()
    assert one.score(X, y) > 0.8


# ---- Losses ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "objective",
    [
        "squared_error",
        "absolute_error",
        "poisson",
        "gamma",
        SquaredLoss(),
        AbsoluteLoss(),
        HuberLoss(0.3),
        PoissonLoss(),
        GammaLoss(),
        TweedieLoss(1.5),
    ],
    ids=str,
)
def test_every_loss_becomes_smaller_round_by_round(objective, rng):
    X, y = few_values(rng)
    y = np.exp(y)
    model = BoostedTreesRegressor(objective, n_estimators=20).fit(X, y, eval_set=[(X, y)])
    values = model.evals_result_["validation_0"]["loss"]
    assert np.all(np.diff(values) < 1e-12)
    assert values[-1] == pytest.approx(model.best_score_)


def test_exponential_objective_equals_its_loss(rng):
    X, y = two_classes(rng)
    by_name = BoostedTreesClassifier("exponential", n_estimators=5).fit(X, y)
    by_loss = BoostedTreesClassifier(ExponentialLoss(), n_estimators=5).fit(X, y)
    np.testing.assert_array_equal(by_name.predict_proba(X), by_loss.predict_proba(X))
    fraction = 1 / (1 + np.exp(-2 * by_name.decision_function(X)))
    np.testing.assert_allclose(by_name.predict_proba(X)[:, 1], fraction)


def test_soft_labels_of_two_classes_are_weighted_hard_ones(rng):
    X, y = two_classes(rng, 400)
    soft = np.where(y == 1, 0.8, 0.1)
    settings = {"n_estimators": 5, "min_child_samples": 1, "min_child_weight": 0.0}
    ours = BoostedTreesRegressor("cross_entropy", **settings).fit(X, soft)
    twice = np.vstack([X, X])
    hard = BoostedTreesClassifier(**settings)
    hard.fit(twice, np.repeat([0, 1], len(X)), np.concatenate([1 - soft, soft]))
    np.testing.assert_allclose(ours.predict(X), hard.predict_proba(X)[:, 1], rtol=1e-6)


def test_soft_labels_of_many_classes_equal_hard_ones():
    X, y = load_iris(return_X_y=True)
    one_hot = np.eye(3)[y]
    soft = BoostedTreesRegressor("cross_entropy", n_estimators=5).fit(X, one_hot)
    hard = BoostedTreesClassifier(n_estimators=5).fit(X, y)
    np.testing.assert_allclose(soft.predict(X), hard.predict_proba(X), rtol=1e-9)
    np.testing.assert_allclose(soft.predict(X).sum(axis=1), 1)


def test_several_outputs_equal_one_model_each(rng):
    X, y = few_values(rng)
    Y = np.column_stack([y, -2 * y, X[:, 2]])
    together = BoostedTreesRegressor(n_estimators=6).fit(X, Y)
    for k in range(3):
        alone = BoostedTreesRegressor(n_estimators=6).fit(X, Y[:, k])
        np.testing.assert_array_equal(together.predict(X)[:, k], alone.predict(X))
    assert list(together.staged_predict(X))[-1].shape == Y.shape


def test_quantiles_cover_and_do_not_cross(rng):
    X = rng.uniform(size=(3000, 2))
    y = X[:, 0] + rng.normal(size=3000) * (0.1 + X[:, 1])
    levels = [0.1, 0.25, 0.5, 0.75, 0.9]
    model = BoostedTreesRegressor("quantile", quantile=levels, n_estimators=40, num_leaves=15)
    predictions = model.fit(X[:1500], y[:1500]).predict(X[1500:])
    assert (np.diff(predictions, axis=1) >= 0).all()
    fractions = (y[1500:, np.newaxis] <= predictions).mean(axis=0)
    np.testing.assert_allclose(fractions, levels, atol=0.06)
    alone = BoostedTreesRegressor("quantile", quantile=0.9, n_estimators=40, num_leaves=15)
    alone.fit(X[:1500], y[:1500])
    raw = alone.predict(X[1500:])
    assert mean_pinball_loss(y[1500:], predictions[:, 4], alpha=0.9) <= 1.01 * mean_pinball_loss(
        y[1500:], raw, alpha=0.9
    )


@pytest.mark.parametrize("weighted", [False, True])
def test_score_of_quantiles_is_minus_the_mean_pinball_loss_against_sklearn(rng, weighted):
    """Issue 18, item A.14: lists of quantiles could not be scored."""
    X = rng.uniform(size=(300, 2))
    y = X[:, 0] + rng.normal(size=300)
    levels, weights = [0.1, 0.5, 0.9], rng.integers(1, 4, size=300) if weighted else None
    model = BoostedTreesRegressor("quantile", quantile=levels, n_estimators=10).fit(X, y)
    quantiles = model.predict(X)
    losses = [
        mean_pinball_loss(y, quantiles[:, k], alpha=level, sample_weight=weights)
        for k, level in enumerate(levels)
    ]
    assert model.score(X, y, weights) == pytest.approx(-np.mean(losses), rel=1e-12)
    assert np.isfinite(cross_val_score(model, X, y, cv=2)).all()


def test_list_of_one_quantile_is_that_quantile(rng):
    X = rng.uniform(size=(200, 2))
    y = X[:, 0] + rng.normal(size=200)
    one, listed = (
        BoostedTreesRegressor("quantile", quantile=level, n_estimators=10).fit(X, y)
        for level in (0.9, [0.9])
    )
    np.testing.assert_array_equal(listed.predict(X), one.predict(X))
    assert listed.score(X, y) == one.score(X, y)


def test_sorting_never_worsens_the_sum_of_quantile_losses_against_theory(rng):
    levels = [0.1, 0.4, 0.8]
    loss = QuantilesLoss(levels)
    scores = rng.normal(size=(3, 500))
    y = rng.normal(size=500)
    sorted_scores = loss.inverse_link(scores)
    assert (loss.value(y, sorted_scores) <= loss.value(y, scores) + 1e-12).all()


# ---- Weights -----------------------------------------------------------------------------------


def test_scale_pos_weight_equals_weights_of_the_second_class(rng):
    X, y = two_classes(rng)
    scaled = BoostedTreesClassifier(n_estimators=5, scale_pos_weight=3.0).fit(X, y)
    weighted = BoostedTreesClassifier(n_estimators=5).fit(X, y, np.where(y == 1, 3.0, 1.0))
    by_class = BoostedTreesClassifier(n_estimators=5, class_weight={0: 1, 1: 3}).fit(X, y)
    np.testing.assert_array_equal(scaled.predict_proba(X), weighted.predict_proba(X))
    np.testing.assert_array_equal(scaled.predict_proba(X), by_class.predict_proba(X))


def test_weights_mean_repetition_in_the_mean_over_draws(rng):
    X, y = few_values(rng, 200)
    times = rng.integers(1, 4, size=200)
    twice, targets = np.repeat(X, times, axis=0), np.repeat(y, times)
    settings = {"n_estimators": 5, "learning_rate": 0.3, "num_leaves": 4, "subsample": 0.5}
    settings["min_child_samples"] = 1
    predictions = np.empty((2, 60, 200))
    for seed in range(60):
        model = BoostedTreesRegressor(random_state=seed, **settings)
        predictions[0, seed] = model.fit(X, y, times).predict(X)
        predictions[1, seed] = model.fit(twice, targets).predict(X)
    gaps = predictions.mean(axis=1)[0] - predictions.mean(axis=1)[1]
    errors = np.sqrt(predictions.var(axis=1, ddof=1).sum(axis=0) / 60)
    assert np.abs(gaps / errors).mean() < 1.5  # 0.8 on average if only the seed differs


# ---- As an estimator -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "settings",
    [
        {"subsample": 0.5},
        {"sampling_method": "goss"},
        {"sampling_method": "mvs", "subsample": 0.3},
        {"colsample_bytree": 0.5, "colsample_bylevel": 0.7, "colsample_bynode": 0.7},
        {"extra_trees": True},
    ],
)
def test_model_is_deterministic_on_any_number_of_threads(settings, rng):
    X = rng.normal(size=(70_000, 6))
    y = (X[:, 0] * X[:, 1] + rng.normal(size=70_000) > 0).astype(int)
    predictions = []
    for n_threads in (1, 2):
        with limit_threads(n_threads):
            model = BoostedTreesClassifier(
                n_estimators=12, learning_rate=0.3, random_state=3, **settings
            ).fit(X, y)
            predictions.append(model.predict_proba(X))
    np.testing.assert_array_equal(*predictions)


def test_bagging_of_boosters_is_no_worse_than_one(rng):
    X, y = two_classes(rng, 1200)
    one = BoostedTreesClassifier(n_estimators=100, learning_rate=0.5, reg_lambda=0)
    one.fit(X[:400], y[:400])
    many = BaggingClassifier(one, n_estimators=8, random_state=0).fit(X[:400], y[:400])
    losses = [log_loss(y[400:], model.predict_proba(X[400:])) for model in (many, one)]
    assert losses[0] < losses[1]


@pytest.mark.parametrize("strategy", ["one_output_per_tree", "multi_output_tree"])
def test_explanations_add_up_to_the_predictions_of_the_best_rounds(strategy, rng):
    X, score = few_values(rng, 900)
    y = np.digitize(score, [0.0, 0.8])
    model = BoostedTreesClassifier(
        early_stopping_rounds=5, learning_rate=0.3, multi_strategy=strategy, random_state=0
    ).fit(X, y)
    assert model.best_iteration_ < model.n_iter_
    found = shap_values(model, X[:50])
    np.testing.assert_allclose(
        found.base + found.values.sum(axis=1), model.decision_function(X[:50]), atol=1e-9
    )
    assert model.feature_importances_.sum() == pytest.approx(1)


def test_pickle_keeps_the_predictions(rng):
    X, y = two_classes(rng)
    model = BoostedTreesClassifier(n_estimators=5, early_stopping_rounds=2).fit(X, y)
    before = model.predict_proba(X)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(model)).predict_proba(X), before)


def test_verbose_prints_values_and_time_left(capsys, rng):
    X, y = few_values(rng)
    BoostedTreesRegressor(n_estimators=6, verbose=2).fit(X, y, eval_set=[(X, y)])
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 6
    assert lines[1].startswith("[nonet] BoostedTreesRegressor: 2 of 6 rounds, ")
    assert " s left, validation_0 loss " in lines[1]


def test_user_loss_of_several_scores_is_taken(rng):
    class Squares(Loss):
        n_scores = 2

        def value(self, y, score):
            return 0.5 * ((y.T - score) ** 2).sum(axis=0)

        def gradient_hessian(self, y, score):
            return score - y.T, np.ones_like(score)

        def start(self, y, sample_weight=None):
            return np.average(y, axis=0, weights=sample_weight)

    X, y = few_values(rng)
    Y = np.column_stack([y, y**2])
    own = BoostedTreesRegressor(Squares(), n_estimators=4).fit(X, Y)
    known = BoostedTreesRegressor(n_estimators=4).fit(X, Y)
    np.testing.assert_allclose(own.predict(X), known.predict(X), rtol=1e-12)


# ---- Bad input -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("settings", "data", "words"),
    [
        ({"objective": "poisson"}, {"y": -1.0}, "Poisson loss needs targets y of at least 0"),
        ({"objective": "cross_entropy"}, {"y": 2.0}, "logistic loss needs targets y between"),
        ({"objective": "quantile"}, {}, "needs a level"),
        ({"objective": "quantile", "quantile": [0.9, 0.1]}, {}, "must be in ascending order"),
        ({"objective": "no such"}, {}, "objective"),
        ({"objective": MultinomialLoss(3)}, {}, "codes 0 to 2"),
        ({"subsample": 0.0}, {}, "subsample"),
        ({"sampling_method": "goss", "subsample": 0.5}, {}, "leave it at 1"),
        ({"sampling_method": "goss", "top_rate": 0.8, "other_rate": 0.3}, {}, "exceed 1"),
        ({"eval_metric": "no such"}, {}, "eval_metric"),
        ({"eval_metric": ["rmse", "rmse"]}, {}, "several different"),
        ({"interaction_constraints": [[0, 99]]}, {}, "positions of columns, 0 to 9, but has 99"),
        ({"monotone_constraints": [2] + 9 * [0]}, {}, "monotone_constraints"),
        ({"categorical_features": [0], "monotone_constraints": [1] + 9 * [0]}, {}, "no order"),
        ({}, {"sample_weight": -1.0}, "sample_weight must be finite and at least 0"),
        ({}, {"y": np.nan}, "NaN"),
        ({}, {"X_val": [[0.0] * 10]}, "y_val is not given"),
        ({}, {"eval_set": [([[0.0] * 10], [1.0, 2.0])]}, "same number of rows, got 1 and 2"),
        ({}, {"eval_set": [[[0.0] * 10]]}, "list of pairs"),
        ({}, {"eval_set": [([[0.0] * 10], [1.0])], "sample_weight_eval_set": []}, "one entry"),
        ({}, {"base_margin": [1.0]}, "base_margin must hold finite numbers of shape"),
    ],
)
def test_regressor_rejects_bad_input(settings, data, words):
    X, y = load_diabetes(return_X_y=True)
    y, weights = y.copy(), None
    if settings.get("objective") == "cross_entropy":
        y = np.full(len(y), 0.5)
    data = dict(data)
    y[0] = data.pop("y", y[0])
    if "sample_weight" in data:
        weights = np.ones(len(y))
        weights[0] = data.pop("sample_weight")
    if settings.get("categorical_features"):
        X = np.round(X, 1)
    with pytest.raises(ValueError, match=words):
        BoostedTreesRegressor(n_estimators=2, **settings).fit(X, y, weights, **data)


def test_classifier_rejects_what_its_classes_do_not_allow():
    X, y = load_iris(return_X_y=True)
    with pytest.raises(ValueError, match="label 7, which is not among the classes"):
        BoostedTreesClassifier().fit(X, y, eval_set=[(X[:2], [0, 7])])
    with pytest.raises(ValueError, match="scale_pos_weight is for two classes"):
        BoostedTreesClassifier(scale_pos_weight=2.0).fit(X, y)
    with pytest.raises(ValueError, match="3 classes need a loss of 3 score"):
        BoostedTreesClassifier("exponential").fit(X, y)
    with pytest.raises(ValueError, match="monotone_constraints is for one output or two classes"):
        BoostedTreesClassifier(monotone_constraints=[1, 0, 0, 0]).fit(X, y)


def test_margins_reject_being_left_out(rng):
    X, y = few_values(rng)
    model = BoostedTreesRegressor(n_estimators=2).fit(X, y, base_margin=np.zeros(len(y)))
    with pytest.raises(ValueError, match="was fitted with base_margin .* needs a base_margin here"):
        model.predict(X)
    plain = BoostedTreesRegressor(n_estimators=2).fit(X, y)
    with pytest.raises(ValueError, match="was fitted without base_margin"):
        plain.predict(X, base_margin=np.zeros(len(y)))


@pytest.mark.parametrize("wrong", [(0, 99), (3, 1), 4, (-1, 2), (0, 1.5), (0, "1")])
def test_iteration_range_rejects_rounds_that_are_not_there(wrong, rng):
    X, y = few_values(rng)
    model = BoostedTreesRegressor(n_estimators=5).fit(X, y)
    with pytest.raises(ValueError, match="iteration_range must be two whole numbers"):
        model.predict(X, iteration_range=wrong)


def test_one_class_and_constant_target_are_predicted():
    X = np.arange(60.0).reshape(-1, 1)
    classes = BoostedTreesClassifier(n_estimators=3).fit(X, ["yes"] * 60)
    assert classes.predict(X).tolist() == ["yes"] * 60
    numbers = BoostedTreesRegressor(n_estimators=3).fit(X, np.full(60, 2.5))
    np.testing.assert_array_equal(numbers.predict(X), 2.5)
