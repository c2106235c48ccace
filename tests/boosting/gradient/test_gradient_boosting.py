import pickle

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csc_matrix, csr_matrix
from sklearn import ensemble as sklearn_ensemble
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LinearRegression
from sklearn.neighbors import KNeighborsRegressor
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from nonet import GradientBoostingClassifier, GradientBoostingRegressor, limit_threads
from nonet._native.bags import sample_rows

PEERS = {
    GradientBoostingClassifier: sklearn_ensemble.GradientBoostingClassifier,
    GradientBoostingRegressor: sklearn_ensemble.GradientBoostingRegressor,
}
SETTINGS = {"n_estimators": 20, "min_samples_leaf": 5, "random_state": 3}
REGRESSION_LOSSES = ["squared_error", "absolute_error", "huber", "quantile"]


@pytest.fixture
def rng():
    return np.random.default_rng(0)


def few_values(rng, n=600):
    """Rows with fewer distinct values than bins, and weights that leave no ties between splits."""
    X = rng.integers(0, 60, (n, 5)).astype(float)
    y = np.sin(X[:, 0] / 10) + X[:, 1] * X[:, 2] / 1800 + 0.5 * rng.normal(size=n)
    return X, y, rng.random(n) + 0.1


def labels_of(y, n_classes):
    return np.array(["a", "b", "c"])[np.digitize(y, [1.0] if n_classes == 2 else [0.3, 1.2])]


def both(kind, X, y, weights=None, **settings):
    settings = SETTINGS | settings
    return [make(**settings).fit(X, y, weights) for make in (kind, PEERS[kind])]


def assert_same(ours, peer, X):
    predict = "decision_function" if hasattr(peer, "decision_function") else "predict"
    assert ours.n_estimators_ == peer.n_estimators_
    np.testing.assert_allclose(getattr(ours, predict)(X), getattr(peer, predict)(X), atol=1e-10)
    np.testing.assert_allclose(ours.train_score_, peer.train_score_, atol=1e-10)
    np.testing.assert_allclose(ours.feature_importances_, peer.feature_importances_, atol=1e-10)
    stages = zip(
        getattr(ours, f"staged_{predict}")(X), getattr(peer, f"staged_{predict}")(X), strict=True
    )
    for mine, theirs in stages:
        np.testing.assert_allclose(mine, theirs, atol=1e-10)


# ---- Against scikit-learn -----------------------------------------------------------------------


@pytest.mark.parametrize("subsample", [1.0, 0.5])
@pytest.mark.parametrize("loss", REGRESSION_LOSSES)
def test_regressor_against_sklearn(loss, subsample, rng):
    X, y, weights = few_values(rng)
    ours, peer = both(
        GradientBoostingRegressor, X, y, weights, loss=loss, alpha=0.8, subsample=subsample
    )
    assert_same(ours, peer, X)
    np.testing.assert_array_equal(ours.apply(X), peer.apply(X))


@pytest.mark.parametrize("subsample", [1.0, 0.5])
@pytest.mark.parametrize(
    ("loss", "n_classes"), [("log_loss", 2), ("exponential", 2), ("log_loss", 3)]
)
def test_classifier_against_sklearn(loss, n_classes, subsample, rng):
    X, y, weights = few_values(rng)
    labels = labels_of(y, n_classes)
    ours, peer = both(
        GradientBoostingClassifier, X, labels, weights, loss=loss, subsample=subsample
    )
    assert_same(ours, peer, X)
    leaves = ours.apply(X)
    assert leaves.shape == peer.apply(X).shape
    np.testing.assert_array_equal(leaves[:, 4, -1], ours.estimators_[4, -1].apply(X))
    np.testing.assert_array_equal(ours.predict(X), peer.predict(X))
    np.testing.assert_allclose(ours.predict_proba(X), peer.predict_proba(X), atol=1e-10)
    np.testing.assert_allclose(ours.predict_log_proba(X), peer.predict_log_proba(X), atol=1e-9)
    for method in ("staged_predict", "staged_predict_proba"):
        mine, theirs = list(getattr(ours, method)(X))[-1], list(getattr(peer, method)(X))[-1]
        if method == "staged_predict":
            np.testing.assert_array_equal(mine, theirs)
        else:
            np.testing.assert_allclose(mine, theirs, atol=1e-10)


@pytest.mark.parametrize(
    "settings",
    [
        {"max_leaf_nodes": 6},
        {"ccp_alpha": 0.005},
        {"min_impurity_decrease": 0.01},
        {"min_samples_split": 0.2},
        {"min_samples_leaf": 0.05},
        {"min_weight_fraction_leaf": 0.05},
        {"min_weight_fraction_leaf": 0.05, "subsample": 0.4},
        {"max_depth": None, "max_leaf_nodes": 20},
        {"learning_rate": 0.0},
        {"learning_rate": 1.0, "max_depth": 1},
        {"init": "zero"},
        {"init": DecisionTreeRegressor(max_depth=2)},
        {"n_iter_no_change": 2, "learning_rate": 0.5, "tol": 0.01, "n_estimators": 50},
        {"n_iter_no_change": 2, "learning_rate": 0.5, "subsample": 0.5, "loss": "huber"},
    ],
)
def test_settings_against_sklearn(settings, rng):
    X, y, weights = few_values(rng)
    assert_same(*both(GradientBoostingRegressor, X, y, weights, **settings), X)


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize(
    "settings",
    [
        {"init": "zero"},
        {"init": DecisionTreeClassifier(max_depth=3)},  # certain of some rows: odds are clipped
        {"n_iter_no_change": 2, "learning_rate": 0.5},
        {"ccp_alpha": 0.002},
    ],
)
def test_classifier_settings_against_sklearn(settings, n_classes, rng):
    X, y, weights = few_values(rng)
    labels = labels_of(y, n_classes)
    assert_same(*both(GradientBoostingClassifier, X, labels, weights, **settings), X)


@pytest.mark.parametrize("loss", ["squared_error", "huber"])
def test_rows_without_weights_against_sklearn(loss, rng):
    X, y, _ = few_values(rng)
    assert_same(*both(GradientBoostingRegressor, X, y, loss=loss), X)


@pytest.mark.parametrize("loss", ["absolute_error", "quantile"])
def test_first_loss_of_slopes_that_tie_against_sklearn(loss, rng):
    # Without weights the gradients have two values, and splits tie; the first round does not yet.
    X, y, _ = few_values(rng)
    ours, peer = both(GradientBoostingRegressor, X, y, loss=loss, n_estimators=1)
    np.testing.assert_allclose(ours.predict(X), peer.predict(X), atol=1e-10)


def test_out_of_bag_losses_against_sklearn(rng):
    X, y, weights = few_values(rng)
    ours, peer = both(GradientBoostingRegressor, X, y, weights, subsample=0.3)
    np.testing.assert_allclose(ours.oob_scores_, peer.oob_scores_, atol=1e-12)
    np.testing.assert_allclose(ours.oob_improvement_, peer.oob_improvement_, atol=1e-12)
    assert ours.oob_score_ == pytest.approx(peer.oob_score_)
    assert not hasattr(ours.set_params(subsample=1.0).fit(X, y), "oob_score_")


def test_trees_against_sklearn(rng):
    X, y, weights = few_values(rng)
    ours, peer = both(GradientBoostingClassifier, X, labels_of(y, 3), weights, n_estimators=3)
    assert ours.estimators_.shape == peer.estimators_.shape == (3, 3)
    assert len(ours) == len(peer)
    assert ours.estimators_ is ours.estimators_
    for mine, theirs in zip(ours.estimators_.ravel(), peer.estimators_.ravel(), strict=True):
        np.testing.assert_array_equal(mine.tree_.feature, theirs.tree_.feature)
        np.testing.assert_allclose(mine.tree_.threshold, theirs.tree_.threshold)
        np.testing.assert_allclose(mine.tree_.value, theirs.tree_.value, atol=1e-12)
        np.testing.assert_allclose(mine.tree_.impurity, theirs.tree_.impurity, atol=1e-12)
        np.testing.assert_allclose(mine.predict(X), theirs.predict(X), atol=1e-12)


@pytest.mark.parametrize("sparse", [csr_matrix, csc_matrix])
def test_sparse_rows_give_the_model_of_dense_rows(sparse, rng):
    X, y, weights = few_values(rng)
    X[X < 30] = 0
    settings = SETTINGS | {"subsample": 0.5, "n_iter_no_change": 50}
    dense = GradientBoostingRegressor(**settings).fit(X, y, weights)
    model = GradientBoostingRegressor(**settings).fit(sparse(X), y, weights)
    np.testing.assert_array_equal(model.predict(sparse(X)), dense.predict(X))
    np.testing.assert_array_equal(model.apply(sparse(X)), dense.apply(X))
    staged = list(model.staged_predict(sparse(X)))[-1]
    np.testing.assert_allclose(staged, dense.predict(X), atol=1e-12)


# ---- Of our own ---------------------------------------------------------------------------------


def test_selection_sampling_takes_each_row_equally_often(rng):
    taken = np.array([sample_rows(rng.random(10), 3) for _ in range(4000)])
    assert (taken.sum(axis=1) == 3).all()
    spread = np.sqrt(0.3 * 0.7 / 4000)
    assert np.abs(taken.mean(axis=0) - 0.3).max() < 4 * spread


def test_sum_of_trees_is_the_model_against_theory(rng):
    X, y, weights = few_values(rng)
    model = GradientBoostingRegressor(**SETTINGS, loss="huber").fit(X, y, weights)
    trees = sum(tree.predict(X) for tree in model.estimators_[:, 0])
    np.testing.assert_allclose(
        model.predict(X), model.init_.predict(X) + model.learning_rate * trees, atol=1e-12
    )


def test_whole_weights_mean_repetition(rng):
    X, y, _ = few_values(rng)
    times = rng.integers(0, 3, len(y))
    settings = SETTINGS | {"min_samples_leaf": 1}
    weighted = GradientBoostingRegressor(**settings).fit(X, y, times)
    repeated = GradientBoostingRegressor(**settings)
    repeated.fit(np.repeat(X, times, axis=0), np.repeat(y, times))
    np.testing.assert_allclose(weighted.predict(X), repeated.predict(X), rtol=1e-9)


def test_model_is_deterministic_on_any_number_of_threads(rng):
    X = rng.normal(size=(20_000, 6))
    y = X[:, 0] * X[:, 1] + rng.normal(size=20_000)
    predictions = set()
    for n_threads in (1, 2, 8):
        with limit_threads(n_threads):
            model = GradientBoostingRegressor(
                n_estimators=5, loss="huber", subsample=0.7, max_features=2, random_state=1
            )
            predictions.add(model.fit(X, y).predict(X).tobytes())
    assert len(predictions) == 1


@pytest.mark.parametrize("subsample", [1.0, 0.5])
def test_warm_start_continues_where_it_stopped(subsample, rng):
    X, y, weights = few_values(rng)
    settings = SETTINGS | {"subsample": subsample}
    at_once = GradientBoostingRegressor(**settings).fit(X, y, weights)
    in_parts = GradientBoostingRegressor(**settings | {"n_estimators": 7, "warm_start": True})
    in_parts.fit(X, y, weights).set_params(n_estimators=20).fit(X, y, weights)
    assert in_parts.n_estimators_ == 20
    np.testing.assert_allclose(in_parts.predict(X), at_once.predict(X), atol=1e-12)
    np.testing.assert_allclose(in_parts.train_score_, at_once.train_score_, atol=1e-12)
    with pytest.raises(ValueError, match="n_estimators' must be at least 20 with warm_start"):
        in_parts.set_params(n_estimators=3).fit(X, y)


@pytest.mark.parametrize("state", [None, 4, np.random.RandomState(4)])
def test_warm_start_stops_by_the_same_rows(state, rng):
    """Issue 17, item 3: without an integer seed the second fit was stopped by rows that the trees
    of the first had seen."""
    X, y = rng.normal(size=(200, 3)), rng.normal(size=200)
    held_out = []

    def note(number, model, seen):
        held_out.append(seen["X_val"])

    settings = {"n_iter_no_change": 50, "warm_start": True, "random_state": state}
    model = GradientBoostingRegressor(n_estimators=1, **settings).fit(X, y, monitor=note)
    model.set_params(n_estimators=2).fit(X, y, monitor=note)
    np.testing.assert_array_equal(*held_out)


def test_warm_start_may_begin_to_draw_bags(rng):
    X, y, _ = few_values(rng)
    model = GradientBoostingRegressor(**SETTINGS, warm_start=True).fit(X, y)
    model.set_params(n_estimators=25, subsample=0.5).fit(X, y)
    assert model.oob_scores_.shape == (25,)
    assert (model.oob_scores_[:20] == 0).all()
    assert (model.oob_scores_[20:] > 0).all()


def test_monitor_sees_the_rounds_and_ends_them(rng):
    X, y, _ = few_values(rng)
    seen = []

    def monitor(number, model, facts):
        seen.append((number, model.train_score_[number], model.predict(X)))
        np.testing.assert_allclose(facts["raw_predictions"][:, 0], model.predict(X), atol=1e-12)
        return number == 4

    model = GradientBoostingRegressor(**SETTINGS).fit(X, y, monitor=monitor)
    assert [number for number, _, _ in seen] == [0, 1, 2, 3, 4]
    assert model.n_estimators_ == len(model.train_score_) == 5
    for (_, score, predictions), staged in zip(seen, model.staged_predict(X), strict=True):
        np.testing.assert_allclose(predictions, staged, atol=1e-12)
        assert score == pytest.approx(np.mean((y - predictions) ** 2))


def test_missing_values_learn_their_side(rng):
    X, y, _ = few_values(rng)
    X[rng.random(len(X)) < 0.3, 0] = np.nan
    y = y + 3 * np.isnan(X[:, 0])
    model = GradientBoostingRegressor(n_estimators=100).fit(X, y)
    is_missing = np.isnan(X[:, 0])
    assert model.predict(X)[is_missing].mean() == pytest.approx(y[is_missing].mean(), abs=0.05)


def test_starting_model_is_copied_and_sees_the_labels(rng):
    X, y, _ = few_values(rng)
    labels = labels_of(y, 2)
    start = DummyClassifier()
    model = GradientBoostingClassifier(**SETTINGS, init=start).fit(X, labels)
    assert not hasattr(start, "classes_")
    np.testing.assert_array_equal(model.init_.classes_, ["a", "b"])
    plain = GradientBoostingClassifier(**SETTINGS).fit(X, labels)
    np.testing.assert_allclose(model.predict_proba(X), plain.predict_proba(X), atol=1e-12)


def test_frames_keep_names_and_pickles_keep_predictions(rng):
    X, y, _ = few_values(rng)
    frame = pd.DataFrame(X, columns=list("abcde"))
    model = GradientBoostingClassifier(**SETTINGS).fit(frame, labels_of(y, 3))
    assert model.feature_names_in_.tolist() == list("abcde")
    copy = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(copy.predict_proba(frame), model.predict_proba(frame))


def test_many_bins_are_exact_against_sklearn(rng):
    X = rng.normal(size=(700, 3)).astype(np.float32)
    y = X[:, 0] * X[:, 1] + 0.3 * rng.normal(size=700)
    ours, peer = both(GradientBoostingRegressor, X, y)
    assert np.abs(ours.predict(X) - peer.predict(X)).max() > 1e-3
    exact = GradientBoostingRegressor(**SETTINGS, max_bins=65_535).fit(X, y)
    np.testing.assert_allclose(exact.predict(X), peer.predict(X), atol=1e-10)


@pytest.mark.parametrize("loss", REGRESSION_LOSSES)
def test_constant_target_is_answered(loss):
    X = np.arange(20.0)[:, np.newaxis]
    model = GradientBoostingRegressor(loss=loss, n_estimators=3).fit(X, np.full(20, 7.0))
    np.testing.assert_allclose(model.predict(X), 7.0)
    assert (model.feature_importances_ == 0).all()


def test_huber_loss_of_mostly_right_predictions_is_finite():
    # More than a share alpha of the errors is 0: the width of the loss would be 0.
    X = np.arange(40.0)[:, np.newaxis]
    y = np.where(X[:, 0] < 38, 1.0, 50.0)
    model = GradientBoostingRegressor(loss="huber", n_estimators=3, alpha=0.5).fit(X, y)
    assert np.isfinite(model.predict(X)).all()
    assert np.isfinite(model.train_score_).all()


def test_verbose_shows_the_losses(rng, capsys):
    X, y, _ = few_values(rng)
    model = GradientBoostingRegressor(n_estimators=20, subsample=0.5, verbose=2).fit(X, y)
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 20
    loss, gain = model.train_score_[-1], model.oob_improvement_[-1]
    assert lines[-1].startswith("[nonet] GradientBoostingRegressor: 20 of 20 rounds, ")
    assert lines[-1].endswith(f", loss {loss:.6g}, out-of-bag gain {gain:.6g}")


@pytest.mark.parametrize("kind", [GradientBoostingRegressor, GradientBoostingClassifier])
def test_trees_of_an_earlier_fit_keep_their_parameters(kind, rng):
    """Net B of issue 18: estimators_ showed the parameters of the last fit everywhere."""
    X = rng.normal(size=(60, 3))
    y = X[:, 0] > 0
    model = kind(n_estimators=3, max_depth=1, warm_start=True).fit(X, y)
    seen = []
    model.set_params(n_estimators=5, max_depth=2)
    model.fit(X, y, monitor=lambda number, model, _: seen.append(len(model.estimators_)))
    assert [tree.max_depth for tree in model.estimators_[:, 0]] == [1, 1, 1, 2, 2]
    assert seen == [4, 5]


# ---- Bad input ----------------------------------------------------------------------------------


def test_classifier_rejects_one_class():
    with pytest.raises(ValueError, match="at least 2 classes .* y has 1 class"):
        GradientBoostingClassifier().fit([[1.0], [2.0]], ["a", "a"])
    with pytest.raises(ValueError, match="y has 1 class"):
        GradientBoostingClassifier().fit([[1.0], [2.0]], ["a", "b"], [1.0, 0.0])


def test_classifier_rejects_exponential_loss_of_three_classes():
    with pytest.raises(ValueError, match="exponential.* is for two classes, but y has 3"):
        GradientBoostingClassifier(loss="exponential").fit([[1.0], [2.0], [3.0]], [0, 1, 2])


def test_classifier_rejects_other_classes_in_a_warm_start(rng):
    X, y, _ = few_values(rng)
    model = GradientBoostingClassifier(**SETTINGS, warm_start=True).fit(X, labels_of(y, 2))
    with pytest.raises(ValueError, match="y has other classes now"):
        model.fit(X, labels_of(y, 3))


def test_warm_start_rejects_other_columns(rng):
    X, y, _ = few_values(rng)
    model = GradientBoostingRegressor(**SETTINGS, warm_start=True).fit(X, y)
    with pytest.raises(ValueError, match="with 5 columns, but X has 3 columns now"):
        model.fit(X[:, :3], y)
    assert model.predict(X).shape == y.shape


def test_fit_rejects_a_monitor_that_is_no_function():
    with pytest.raises(TypeError, match="monitor must be a function or None, got 3"):
        GradientBoostingRegressor().fit([[1.0], [2.0]], [1.0, 2.0], monitor=3)


def test_classifier_rejects_a_class_that_is_all_held_out():
    X, labels = np.arange(22.0)[:, np.newaxis], [0] * 20 + [1] * 2
    model = GradientBoostingClassifier(n_iter_no_change=2, validation_fraction=0.8, random_state=0)
    with pytest.raises(ValueError, match="A class has lost all its rows"):
        model.fit(X, labels)


@pytest.mark.parametrize(
    ("y", "weights", "message"),
    [
        ([1.0, np.nan, 3.0], None, "NaN"),
        ([1.0, 2.0, 3.0], [1.0, -1.0, 1.0], "row 1 has -1.0"),
        ([1.0, 2.0, 3.0], [0.0, 0.0, 0.0], "must not all be 0"),
        ([1e200, 2.0, 3.0], None, "divide it by a constant"),
        ([1.0, 2.0], None, "X has 3 rows, but y has 2"),
    ],
)
def test_regressor_rejects_bad_targets_and_weights(y, weights, message):
    with pytest.raises(ValueError, match=message):
        GradientBoostingRegressor().fit([[1.0], [2.0], [3.0]], y, weights)


def test_regressor_rejects_a_start_without_weights():
    X, y = [[1.0], [2.0], [3.0]], [1.0, 2.0, 3.0]
    model = GradientBoostingRegressor(init=KNeighborsRegressor(n_neighbors=1))
    with pytest.raises(ValueError, match="KNeighborsRegressor does not"):
        model.fit(X, y, [1.0, 1.0, 2.0])
    model.fit(X, y)


def test_regressor_rejects_a_class_as_start():
    with pytest.raises(ValueError, match="'init' must be None or .* a regressor"):
        GradientBoostingRegressor(init=LinearRegression).fit([[1.0], [2.0]], [1.0, 2.0])


def test_bags_reject_weights_that_leave_nothing_outside():
    X, y = np.arange(4.0)[:, np.newaxis], np.arange(4.0)
    model = GradientBoostingRegressor(subsample=0.5, random_state=0)
    with pytest.raises(ValueError, match="subsample must leave rows of positive weight"):
        model.fit(X, y, [1.0, 0.0, 0.0, 0.0])


@pytest.mark.parametrize("criterion", ["friedman_mse", "squared_error"])
def test_criterion_warns_as_in_sklearn(criterion):
    for kind in (GradientBoostingRegressor, sklearn_ensemble.GradientBoostingRegressor):
        with pytest.warns(FutureWarning, match="criterion"):
            kind(criterion=criterion, n_estimators=1).fit([[1.0], [2.0]], [1.0, 2.0])
