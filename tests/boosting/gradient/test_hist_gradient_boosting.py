import pickle

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn import ensemble as sklearn_ensemble
from sklearn.datasets import load_diabetes, load_iris
from sklearn.metrics import mean_pinball_loss

from nonet import HistGradientBoostingClassifier, HistGradientBoostingRegressor, limit_threads
from nonet.losses import Loss, SquaredLoss


@pytest.fixture
def rng():
    return np.random.default_rng(0)


LOSSES = ["squared_error", "absolute_error", "poisson", "gamma", "quantile"]


def few_values(rng, n=2000, n_columns=5):
    """Rows with fewer distinct values than bins, so that bins are values."""
    X = rng.integers(0, 40, (n, n_columns)).astype(float)
    y = np.exp(X[:, 0] / 40) + X[:, 1] * X[:, 2] / 800 + rng.exponential(size=n)
    return X, y


def settings_of(loss):
    return {"loss": loss, "quantile": 0.8 if loss == "quantile" else None}


@pytest.mark.parametrize("loss", LOSSES)
def test_regressor_against_sklearn(loss, rng):
    X, y = few_values(rng)
    settings = settings_of(loss) | {"max_iter": 15}
    ours = HistGradientBoostingRegressor(**settings).fit(X, y)
    peer = sklearn_ensemble.HistGradientBoostingRegressor(**settings).fit(X, y)
    np.testing.assert_allclose(ours.predict(X), peer.predict(X), rtol=1e-6)


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"max_leaf_nodes": None, "max_depth": 4},
        {"l2_regularization": 5.0, "learning_rate": 0.5},
        {"min_samples_leaf": 100},
        {"interaction_cst": [[0, 1], [2, 3, 4]]},
        {"interaction_cst": "pairwise"},
        {"interaction_cst": "no_interactions"},
        {"class_weight": "balanced"},
        {"class_weight": {0: 1.0, 1: 3.0}},
        {"early_stopping": True, "random_state": 3, "tol": 1e-3, "n_iter_no_change": 2},
        {"early_stopping": True, "random_state": 3, "scoring": "roc_auc", "n_iter_no_change": 2},
        {"early_stopping": True, "validation_fraction": None, "tol": 1e-2, "n_iter_no_change": 2},
    ],
)
def test_classifier_against_sklearn(settings, rng):
    X, y = few_values(rng)
    if "early_stopping" not in settings:
        # A side that no training row taught is a tie, which we settle by the larger child.
        X[rng.random(X.shape) < 0.05] = np.nan
    label = (y > np.median(y)).astype(int)
    settings = {"max_iter": 15} | settings
    ours = HistGradientBoostingClassifier(**settings).fit(X, label)
    peer = sklearn_ensemble.HistGradientBoostingClassifier(**settings).fit(X, label)
    assert ours.n_iter_ == peer.n_iter_
    np.testing.assert_allclose(ours.predict_proba(X), peer.predict_proba(X), atol=1e-6)
    np.testing.assert_allclose(ours.decision_function(X), peer.decision_function(X), atol=1e-5)
    np.testing.assert_allclose(ours.train_score_, peer.train_score_, rtol=1e-5)
    np.testing.assert_allclose(ours.validation_score_, peer.validation_score_, rtol=1e-5)


def test_weights_against_sklearn(rng):
    X, y = few_values(rng)
    weights = rng.random(len(y))
    settings = {"max_iter": 10}
    ours = HistGradientBoostingRegressor(**settings).fit(X, y, weights)
    peer = sklearn_ensemble.HistGradientBoostingRegressor(**settings).fit(X, y, weights)
    np.testing.assert_allclose(ours.predict(X), peer.predict(X), rtol=1e-5)


def test_several_classes_against_sklearn(rng):
    X, y = few_values(rng)
    labels = np.array(["low", "middle", "top"])[np.digitize(y, np.quantile(y, [0.3, 0.7]))]
    ours = HistGradientBoostingClassifier(max_iter=10).fit(X, labels)
    peer = sklearn_ensemble.HistGradientBoostingClassifier(max_iter=10).fit(X, labels)
    assert ours.n_trees_per_iteration_ == 3
    np.testing.assert_allclose(ours.predict_proba(X), peer.predict_proba(X), atol=1e-6)
    np.testing.assert_array_equal(ours.predict(X), peer.predict(X))


def test_first_tree_has_the_splits_of_sklearn(rng):
    X, y = few_values(rng)
    ours = HistGradientBoostingRegressor(max_iter=1).fit(X, y)
    peer = sklearn_ensemble.HistGradientBoostingRegressor(max_iter=1).fit(X, y)
    nodes = peer._predictors[0][0].nodes
    arrays = ours._booster.rounds[0][0].arrays()
    inner = arrays["left"] >= 0
    splits = nodes[nodes["is_leaf"] == 0]
    expected = sorted(zip(splits["feature_idx"], splits["num_threshold"], strict=True))
    found = zip(arrays["column"][inner], arrays["threshold"][inner], strict=True)
    assert sorted(found) == expected


def test_given_validation_rows_against_sklearn(rng):
    X, y = few_values(rng)
    settings = {"max_iter": 60, "learning_rate": 0.3, "n_iter_no_change": 3, "early_stopping": True}
    given = {"X_val": X[1500:], "y_val": y[1500:]}
    ours = HistGradientBoostingRegressor(**settings).fit(X[:1500], y[:1500], **given)
    peer = sklearn_ensemble.HistGradientBoostingRegressor(**settings)
    peer.fit(X[:1500], y[:1500], **given)
    assert ours.n_iter_ == peer.n_iter_ < 60
    np.testing.assert_allclose(ours.validation_score_, peer.validation_score_, rtol=1e-6)


def test_model_is_deterministic_on_any_number_of_threads(rng):
    X = rng.normal(size=(20_000, 6))
    y = X[:, 0] * X[:, 1] + rng.normal(size=20_000)
    predictions = set()
    for n_threads in (1, 2, 8):
        with limit_threads(n_threads):
            model = HistGradientBoostingRegressor(
                max_iter=5, max_features=0.5, early_stopping=False, random_state=1
            )
            predictions.add(model.fit(X, y).predict(X).tobytes())
    assert len(predictions) == 1


def test_whole_weights_mean_repetition(rng):
    X, y = few_values(rng, 600)
    times = rng.integers(0, 3, 600)
    settings = {"max_iter": 10, "min_samples_leaf": 1}
    weighted = HistGradientBoostingRegressor(**settings).fit(X, y, times)
    repeated = HistGradientBoostingRegressor(**settings)
    repeated.fit(np.repeat(X, times, axis=0), np.repeat(y, times))
    np.testing.assert_allclose(weighted.predict(X), repeated.predict(X), rtol=1e-9)


def test_warm_start_continues_where_it_stopped(rng):
    X, y = few_values(rng)
    at_once = HistGradientBoostingRegressor(max_iter=12).fit(X, y)
    in_parts = HistGradientBoostingRegressor(max_iter=5, warm_start=True).fit(X, y)
    in_parts.set_params(max_iter=12).fit(X, y)
    assert in_parts.n_iter_ == 12
    np.testing.assert_allclose(in_parts.predict(X), at_once.predict(X), rtol=1e-12)
    with pytest.raises(ValueError, match="'max_iter' must be at least 12 with warm_start"):
        in_parts.set_params(max_iter=3).fit(X, y)


def test_stages_end_at_the_model(rng):
    X, y = few_values(rng)
    label = (y > np.median(y)).astype(int)
    model = HistGradientBoostingClassifier(max_iter=7).fit(X, label)
    for stages, end in [
        (model.staged_predict(X), model.predict(X)),
        (model.staged_predict_proba(X), model.predict_proba(X)),
        (model.staged_decision_function(X), model.decision_function(X)),
    ]:
        predictions = list(stages)
        assert len(predictions) == 7
        np.testing.assert_allclose(predictions[-1], end, rtol=1e-12)
    regressor = HistGradientBoostingRegressor(max_iter=7).fit(X, y)
    np.testing.assert_allclose(list(regressor.staged_predict(X))[-1], regressor.predict(X))


@pytest.mark.parametrize("level", [0.1, 0.5, 0.9])
def test_quantile_loss_covers_its_fraction(level, rng):
    X = rng.uniform(size=(4000, 2))
    y = X[:, 0] + rng.normal(size=4000) * (0.2 + X[:, 1])
    model = HistGradientBoostingRegressor("quantile", quantile=level, max_iter=30)
    model.fit(X[:2000], y[:2000])
    fraction = np.mean(y[2000:] <= model.predict(X[2000:]))
    assert abs(fraction - level) < 0.05
    constant = np.full(2000, np.quantile(y[:2000], level))
    ours = mean_pinball_loss(y[2000:], model.predict(X[2000:]), alpha=level)
    assert ours < mean_pinball_loss(y[2000:], constant, alpha=level)


@pytest.mark.parametrize("sign", [1, -1])
def test_monotone_constraint_holds_on_a_grid(sign, rng):
    X = rng.uniform(size=(1500, 3))
    y = sign * X[:, 0] + np.sin(9 * X[:, 0]) + X[:, 1] + 0.1 * rng.normal(size=1500)
    model = HistGradientBoostingRegressor(monotonic_cst=[sign, 0, 0], max_iter=40).fit(X, y)
    grid = np.linspace(0, 1, 200)
    for other in rng.uniform(size=(20, 2)):
        rows = np.column_stack([grid, np.tile(other, (200, 1))])
        assert (sign * np.diff(model.predict(rows)) >= 0).all()


def test_categories_are_split_as_sets(rng):
    colours = rng.choice(list("abcdefghij"), 3000)
    y = np.isin(colours, list("aceg")) * 3.0 + 0.1 * rng.normal(size=3000)
    settings = {"max_iter": 1, "max_leaf_nodes": 2, "learning_rate": 1.0}
    for frame in (
        pd.DataFrame({"colour": pd.Categorical(colours), "noise": rng.normal(size=3000)}),
        pl.DataFrame({"colour": pl.Series(colours, dtype=pl.Categorical), "noise": y * 0}),
    ):
        model = HistGradientBoostingRegressor(**settings).fit(frame, y)
        np.testing.assert_array_equal(model.is_categorical_, [True, False])
        assert model.score(frame, y) > 0.99


def test_user_loss_equals_the_built_in_one(rng):
    class OwnSquares(Loss):
        def value(self, y, score):
            return 0.5 * (y - score) ** 2

        def gradient_hessian(self, y, score):
            return score - y, np.ones_like(score)

    X, y = few_values(rng)
    own = HistGradientBoostingRegressor(OwnSquares(), max_iter=8).fit(X, y)
    known = HistGradientBoostingRegressor(SquaredLoss(), max_iter=8).fit(X, y)
    np.testing.assert_array_equal(own.predict(X), known.predict(X))


def test_wrong_slopes_of_a_user_loss_are_rejected(rng):
    class WrongSign(Loss):
        def value(self, y, score):
            return 0.5 * (y - score) ** 2

        def gradient_hessian(self, y, score):
            return y - score, np.ones_like(score)

    X, y = few_values(rng, 100)
    with pytest.raises(ValueError, match="gradient of WrongSign"):
        HistGradientBoostingRegressor(WrongSign()).fit(X, y)


def test_infinities_are_taken_as_ends(rng):
    X, y = few_values(rng)
    wild = X.copy()
    wild[X[:, 0] == 39, 0] = np.inf
    wild[X[:, 0] == 0, 0] = -np.inf
    tame = HistGradientBoostingRegressor(max_iter=5).fit(X, y)
    model = HistGradientBoostingRegressor(max_iter=5).fit(wild, y)
    np.testing.assert_allclose(model.predict(wild), tame.predict(X))


def test_verbose_prints_a_line_a_round(capsys, rng):
    X, y = few_values(rng, 300)
    HistGradientBoostingRegressor(max_iter=3, verbose=2, early_stopping=True).fit(X, y)
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 3
    assert lines[0].startswith("[nonet] HistGradientBoostingRegressor: 1 of 3 rounds, ")
    assert "validation score" in lines[0]


def test_one_class_is_always_predicted():
    model = HistGradientBoostingClassifier(max_iter=3).fit([[1.0], [2.0]], ["yes", "yes"])
    assert model.predict([[5.0]]).tolist() == ["yes"]
    np.testing.assert_allclose(model.predict_proba([[5.0]]), [[1.0]], atol=1e-10)


def test_constant_target_is_predicted():
    X = np.arange(60.0).reshape(-1, 1)
    model = HistGradientBoostingRegressor().fit(X, np.full(60, 2.5))
    np.testing.assert_array_equal(model.predict(X), 2.5)


def test_pickle_keeps_the_predictions():
    X, y = load_iris(return_X_y=True)
    model = HistGradientBoostingClassifier(max_iter=5).fit(X, y)
    copy = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(copy.predict_proba(X), model.predict_proba(X))


@pytest.mark.parametrize(
    ("settings", "data", "words"),
    [
        ({"loss": "poisson"}, {"y": -1.0}, "Poisson loss needs targets y of at least 0"),
        ({"loss": "gamma"}, {"y": 0.0}, "gamma loss needs targets y above 0"),
        ({"loss": "quantile"}, {}, "needs a level"),
        ({"max_iter": 0}, {}, "max_iter"),
        ({"interaction_cst": [[0, 99]]}, {}, "positions of columns, 0 to 9, but has 99"),
        ({"interaction_cst": [3]}, {}, "interaction_cst"),
        ({"interaction_cst": [[0.5]]}, {}, "must be groups of column positions"),
        ({"categorical_features": [0], "monotonic_cst": [1] + 9 * [0]}, {}, "no order"),
        ({}, {"sample_weight": -1.0}, "sample_weight must be finite and at least 0"),
        ({}, {"y": np.nan}, "NaN"),
        ({"early_stopping": False}, {"X_val": [[0.0] * 10], "y_val": [1.0]}, "early_stopping"),
        ({"early_stopping": True}, {"X_val": [[0.0] * 10]}, "y_val is not given"),
        ({"early_stopping": True}, {"X_val": [[0.0] * 10], "y_val": [1.0, 2.0]}, "same number"),
    ],
)
def test_regressor_rejects_bad_input(settings, data, words):
    X, y = load_diabetes(return_X_y=True)
    y, weights = y.copy(), None
    data = dict(data)
    y[0] = data.pop("y", y[0])
    if "sample_weight" in data:
        weights = np.ones(len(y))
        weights[0] = data.pop("sample_weight")
    if settings.get("categorical_features"):
        X = np.round(X, 1)
    with pytest.raises(ValueError, match=words):
        HistGradientBoostingRegressor(**settings).fit(X, y, weights, **data)


def test_classifier_rejects_an_unseen_class_in_validation():
    X, y = load_iris(return_X_y=True)
    model = HistGradientBoostingClassifier(early_stopping=True)
    with pytest.raises(ValueError, match="label 7, which is not among the classes learned"):
        model.fit(X, y, X_val=X[:2], y_val=[0, 7])


def test_monotone_constraint_rejects_several_classes():
    X, y = load_iris(return_X_y=True)
    with pytest.raises(ValueError, match="two classes"):
        HistGradientBoostingClassifier(monotonic_cst=[1, 0, 0, 0]).fit(X, y)
