from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest
from numpydoc.docscrape import ClassDoc
from scipy.sparse import csr_matrix
from sklearn.base import clone
from sklearn.datasets import load_iris, make_classification, make_hastie_10_2
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, StratifiedKFold
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier as SklearnTree

from nonet import (
    AdaBoostClassifier,
    AdaBoostRegressor,
    DecisionStump,
    DecisionTreeClassifier,
    limit_threads,
)
from nonet.boosting import BOOSTING_METHODS, STOP_RULES, AdaBoostRho, Confidence, LpBoost
from nonet.decide import Abstain, find_threshold

X, Y = make_classification(240, 8, n_informative=5, flip_y=0.05, random_state=2)
# The hard margin of linear programming is for rows that can be told apart; these cannot.
NAMED = [method for name, method in BOOSTING_METHODS.items() if name != "lp"]
METHODS = [*NAMED, AdaBoostRho(0.1), Confidence("closed"), LpBoost(nu=0.2)]


@pytest.mark.parametrize("method", METHODS, ids=repr)
def test_every_method_learns(method):
    model = AdaBoostClassifier(method=method, n_estimators=30).fit(X[::2], Y[::2])
    assert model.score(X[1::2], Y[1::2]) > 0.75


@pytest.mark.parametrize("method", METHODS, ids=repr)
def test_every_method_is_deterministic_over_threads(method):
    rows, labels = make_hastie_10_2(3000, random_state=0)
    model = AdaBoostClassifier(method=method, n_estimators=5, random_state=0)
    with limit_threads(1):
        alone = clone(model).fit(rows, labels)
    together = clone(model).fit(rows, labels)
    np.testing.assert_array_equal(together.estimator_weights_, alone.estimator_weights_)
    np.testing.assert_array_equal(together.decision_function(rows), alone.decision_function(rows))


@pytest.mark.parametrize("method", METHODS, ids=repr)
def test_every_method_ends_its_stages_where_it_predicts(method):
    model = AdaBoostClassifier(method=method, n_estimators=8).fit(X, Y)
    *_, scores = model.staged_decision_function(X)
    np.testing.assert_allclose(scores, model.decision_function(X), atol=1e-12)
    *_, labels = model.staged_predict(X)
    np.testing.assert_array_equal(labels, model.predict(X))


@pytest.mark.parametrize("method", METHODS, ids=repr)
def test_every_method_accepts_one_class(method):
    model = AdaBoostClassifier(method=method).fit(X, np.full(len(Y), "only"))
    assert set(model.predict(X)) == {"only"}
    np.testing.assert_array_equal(model.predict_proba(X), np.ones((len(X), 1)))


@pytest.mark.parametrize("base", [None, DecisionStump(), SklearnTree(max_depth=1)])
def test_one_row_is_answered(base):
    assert AdaBoostClassifier(base).fit([[1.0]], ["a"]).predict([[5.0]]) == ["a"]


@pytest.mark.parametrize("method", ["samme", "samme_r", "discrete", "mada", "m2", "mh"])
def test_three_classes_are_told_apart(method):
    rows, labels = load_iris(return_X_y=True)
    base = DecisionTreeClassifier(max_depth=2)
    model = AdaBoostClassifier(base, method=method, n_estimators=20).fit(rows, labels)
    assert model.score(rows, labels) > 0.97
    assert model.decision_function(rows).shape == (150, 3)
    np.testing.assert_allclose(model.predict_proba(rows).sum(axis=1), 1)


@pytest.mark.parametrize("method", ["confidence", "star", "arc_gv", "lp", "gentle", "logit"])
def test_two_class_method_rejects_three_classes(method):
    with pytest.raises(ValueError, match="boosts 2 classes, but y has 3"):
        AdaBoostClassifier(method=method).fit(*load_iris(return_X_y=True))


def test_documentation_names_every_method():
    """Issue 18, item A.21: five of twelve methods were missing in the docstring."""
    parameters = {
        entry.name: " ".join(entry.desc) for entry in ClassDoc(AdaBoostClassifier)["Parameters"]
    }
    assert [name for name in BOOSTING_METHODS if f"'{name}'" not in parameters["method"]] == []
    assert [name for name in STOP_RULES if f"'{name}'" not in parameters["stop_when"]] == []


def test_unknown_method_rejects_with_the_nearest_name():
    with pytest.raises(ValueError, match="did you mean 'samme'"):
        AdaBoostClassifier(method="same").fit(X, Y)


@pytest.mark.parametrize("rate", [0.0, -1.0])
def test_learning_rate_rejects_what_is_not_positive(rate):
    with pytest.raises(ValueError, match="parameter 'learning_rate' must be"):
        AdaBoostClassifier(learning_rate=rate).fit(X, Y)


def test_first_member_no_better_than_guessing_rejects_the_learner():
    crossed = [[0, 0], [0, 1], [1, 0], [1, 1]]
    with pytest.raises(ValueError, match=r"rejected, because a weighted error of 0\.5"):
        AdaBoostClassifier().fit(crossed, [0, 1, 1, 0])


def test_later_member_no_better_than_guessing_is_dropped():
    model = AdaBoostClassifier(DecisionStump(), n_estimators=50)
    model.fit([[0], [0], [0]], [0, 1, 1])
    assert len(model.estimators_) == 1
    assert model.round_log_.stopped == "a weighted error of 0.5 is not below 0.5"


def test_discrete_member_without_error_is_weighed_as_if_one_more_row_were_half_wrong():
    model = AdaBoostClassifier(method="discrete").fit([[0], [1], [2]], [0, 0, 1])
    assert len(model.estimators_) == 1
    assert model.estimator_weights_[0] == pytest.approx(np.log(7))


def test_learner_without_weights_rejects_unless_rows_are_drawn():
    with pytest.raises(ValueError, match="doesn't support sample_weight; resample=True"):
        AdaBoostClassifier(KNeighborsClassifier()).fit(X, Y)
    base = KNeighborsClassifier(15)
    model = AdaBoostClassifier(base, resample=True, n_estimators=5, random_state=0).fit(X, Y)
    assert model.score(X, Y) > 0.8


@pytest.mark.parametrize("base", [DecisionTreeClassifier(max_depth=1), SklearnTree(max_depth=1)])
def test_resampling_form_is_about_as_good_as_weighting(base):
    rows, labels = make_hastie_10_2(1200, random_state=1)
    weighted = AdaBoostClassifier(base, n_estimators=100).fit(rows[:600], labels[:600])
    drawn = AdaBoostClassifier(base, n_estimators=100, resample=True, random_state=0)
    drawn.fit(rows[:600], labels[:600])
    gap = weighted.score(rows[600:], labels[600:]) - drawn.score(rows[600:], labels[600:])
    assert abs(gap) < 0.06


def test_resampling_form_forgives_unlucky_draws():
    rows, labels = make_hastie_10_2(400, random_state=1)
    model = AdaBoostClassifier(DecisionStump(), n_estimators=60, resample=True, random_state=0)
    assert len(model.fit(rows, labels).estimators_) == 60


def test_resampling_form_is_deterministic_given_its_seed():
    models = [
        AdaBoostClassifier(resample=True, n_estimators=5, random_state=seed).fit(X, Y)
        for seed in (0, 0, 1)
    ]
    weights = [model.estimator_weights_ for model in models]
    np.testing.assert_array_equal(weights[0], weights[1])
    assert not np.array_equal(weights[0], weights[2])


def test_text_labels_reach_the_members():
    labels = np.where(Y == 1, "yes", "no")
    model = AdaBoostClassifier(n_estimators=3).fit(X, labels)
    assert model.estimators_[0].classes_.tolist() == ["no", "yes"]
    np.testing.assert_array_equal(model.predict(X) == "yes", model.decision_function(X) > 0)


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame], ids=["pandas", "polars"])
def test_frames_are_boosted_and_their_names_kept(frame):
    table = frame({f"column {j}": X[:, j] for j in range(X.shape[1])})
    model = AdaBoostClassifier(n_estimators=5).fit(table, Y)
    np.testing.assert_array_equal(
        model.predict(table), AdaBoostClassifier(n_estimators=5).fit(X, Y).predict(X)
    )
    assert model.feature_names_in_[0] == "column 0"
    assert model.estimators_[0].feature_names_in_[0] == "column 0"


@pytest.mark.parametrize("method", ["samme", "mh", "gentle"])
def test_sparse_table_is_boosted_as_the_dense_one(method):
    rows = X * (np.abs(X) > 1)
    models = [
        AdaBoostClassifier(method=method, n_estimators=5).fit(table, Y)
        for table in (rows, csr_matrix(rows))
    ]
    np.testing.assert_allclose(
        models[0].decision_function(rows), models[1].decision_function(csr_matrix(rows))
    )


def test_categories_of_a_tree_are_boosted():
    colours = np.random.default_rng(0).integers(0, 9, 240)
    labels = np.isin(colours, [1, 4, 7]).astype(int)
    base = DecisionTreeClassifier(max_depth=1, categorical_features=[0])
    table = np.column_stack([colours, X[:, 0]])
    model = AdaBoostClassifier(base, n_estimators=3).fit(table, labels)
    np.testing.assert_array_equal(model.predict(table), labels)
    assert len(model) == 1


def test_missing_values_are_boosted_by_trees_of_ours():
    rows = X.copy()
    rows[np.random.default_rng(0).uniform(size=X.shape) < 0.2] = np.nan
    assert AdaBoostClassifier(n_estimators=50).fit(rows, Y).score(rows, Y) > 0.8
    with pytest.raises(ValueError, match="NaN"):
        AdaBoostClassifier(DecisionStump()).fit(rows, Y)


def test_stump_rejects_missing_values_in_predict():
    model = AdaBoostClassifier(DecisionStump(), n_estimators=2).fit(X, Y)
    with pytest.raises(ValueError, match="NaN"):
        model.predict(np.full((1, 8), np.nan))


@pytest.mark.parametrize(
    "base", [DecisionStump(), DecisionTreeClassifier(max_depth=1), DecisionTreeClassifier()]
)
def test_binned_learner_against_naive_gives_the_members_of_the_learner_alone(base):
    rows = X.round(1)
    model = AdaBoostClassifier(base, n_estimators=4, method="discrete").fit(rows, Y)
    weights = np.full(len(Y), 1 / len(Y))
    for member, alpha in zip(model.estimators_, model.round_log_.alpha, strict=True):
        alone = clone(base).fit(rows, Y, sample_weight=weights)
        np.testing.assert_array_equal(member.predict(rows), alone.predict(rows))
        weights *= np.exp(np.where(member.predict(rows) == Y, -alpha, alpha))
        weights /= weights.sum()


@pytest.mark.parametrize("base", [DecisionStump(), DecisionTreeClassifier(max_depth=2)])
@pytest.mark.parametrize("n_classes", [2, 3])
def test_summed_votes_against_naive_are_those_of_the_members(base, n_classes):
    if n_classes == 3 and isinstance(base, DecisionStump):
        base = DecisionTreeClassifier(max_depth=1)
    rows, labels = make_classification(200, 6, n_informative=4, n_classes=n_classes, random_state=0)
    model = AdaBoostClassifier(base, n_estimators=20).fit(rows, labels)
    votes = model.combine_(model.member_outputs(rows))
    np.testing.assert_allclose(model._support(rows), votes, atol=1e-12)


def test_sample_weight_of_zero_is_a_row_left_out():
    weights = np.where(np.arange(len(Y)) % 3, 1.0, 0.0)
    kept = weights > 0
    with_zeros = AdaBoostClassifier(n_estimators=10).fit(X, Y, weights)
    without = AdaBoostClassifier(n_estimators=10).fit(X[kept], Y[kept])
    np.testing.assert_allclose(with_zeros.estimator_weights_, without.estimator_weights_)
    np.testing.assert_array_equal(with_zeros.predict(X[kept]), without.predict(X[kept]))


def test_class_weight_equals_the_same_sample_weight():
    by_class = AdaBoostClassifier(n_estimators=5, class_weight={0: 1, 1: 3}).fit(X, Y)
    by_row = AdaBoostClassifier(n_estimators=5).fit(X, Y, np.where(Y == 1, 3.0, 1.0))
    np.testing.assert_array_equal(by_class.estimator_weights_, by_row.estimator_weights_)


def test_balanced_classes_weigh_the_same_at_first():
    few = np.concatenate([np.flatnonzero(Y == 0), np.flatnonzero(Y == 1)[:20]])
    model = AdaBoostClassifier(n_estimators=1, class_weight="balanced").fit(X[few], Y[few])
    weights = model.round_log_.last_weights
    np.testing.assert_allclose(weights[Y[few] == 1].sum(), 0.5)


def test_class_of_no_weight_gets_no_leaf():
    weights = {0: 1e9, 1: 1e-6}
    assert (AdaBoostClassifier(class_weight=weights).fit(X, Y).predict(X) == 0).all()


@pytest.mark.parametrize("combine", ["mean", "median", "plurality"])
def test_combine_of_the_user_weighs_the_members(combine):
    model = AdaBoostClassifier(n_estimators=9, combine=combine).fit(X, Y)
    np.testing.assert_array_equal(model.combine_.weights, model.estimator_weights_)
    assert model.score(X, Y) > 0.8
    np.testing.assert_allclose(model.predict_proba(X).sum(axis=1), 1)
    *_, last = model.staged_predict(X)
    np.testing.assert_array_equal(last, model.predict(X))


def test_silence_falls_where_the_vote_is_close():
    model = AdaBoostClassifier(n_estimators=30, decide=Abstain(0.6, abstain_label=-1)).fit(X, Y)
    predictions = model.predict(X)
    silent = predictions == -1
    assert 0 < silent.mean() < 1
    fractions = model._support(X).max(axis=1)
    np.testing.assert_array_equal(silent, fractions < 0.6)


@pytest.mark.parametrize("method", ["samme_r", "confidence", "gentle", "logit", "mh"])
def test_rule_of_numbers_reads_probabilities_where_members_sum_scores(method):
    """Issue 18, item A.5: a bar of 0.6 was compared with sums of scores."""
    rule = Abstain(0.6, abstain_label=-1)
    model = AdaBoostClassifier(method=method, n_estimators=10, decide=rule).fit(X, Y)
    maximum = model.predict_proba(X).max(axis=1)
    np.testing.assert_array_equal(model.predict(X) == -1, maximum < 0.6)
    *_, last = model.staged_predict(X)
    np.testing.assert_array_equal(last, model.predict(X))
    assert np.mean(maximum < 0.6) > 0


def test_threshold_is_tuned_on_the_rows_of_hold_out():
    model = AdaBoostClassifier(
        n_estimators=20, hold_out=0.1, decide="tuned_threshold", random_state=0
    )
    model.fit(X, Y)
    assert len(model.round_log_.rows) == 216
    held = np.setdiff1d(np.arange(len(Y)), model.round_log_.rows)
    expected = find_threshold(model._support(X[held])[:, 1], Y[held] == model.classes_[1])
    assert model.decide_.rule.threshold_ == pytest.approx(expected, rel=1e-12)


def test_threshold_is_cross_fitted_without_hold_out():
    """Issue 17, item 3: all rows are learned from, and none tunes the threshold that was seen."""
    model = AdaBoostClassifier(n_estimators=20, decide="tuned_threshold", random_state=0).fit(X, Y)
    assert len(model.round_log_.rows) == len(Y)
    plain = AdaBoostClassifier(n_estimators=20, random_state=0)
    support = np.empty(len(Y))
    for train, test in StratifiedKFold(5).split(X, Y):
        support[test] = plain.fit(X[train], Y[train])._support(X[test])[:, 1]
    assert model.decide_.rule.threshold_ == find_threshold(support, model.classes_[1] == Y)


def test_parameters_of_method_and_estimator_can_be_searched():
    grid = {"method": ["samme", "mada"], "estimator__max_depth": [1, 2]}
    search = GridSearchCV(
        AdaBoostClassifier(DecisionTreeClassifier(), n_estimators=5), grid, cv=2
    ).fit(X, Y)
    assert set(search.best_params_) == set(grid)


def test_importances_are_missing_where_members_have_none():
    model = AdaBoostClassifier(LogisticRegression(), n_estimators=2).fit(X, Y)
    with pytest.raises(AttributeError, match="LogisticRegression has none"):
        _ = model.feature_importances_


def test_members_are_counted_and_iterated():
    model = AdaBoostClassifier(n_estimators=4).fit(X, Y)
    assert len(model) == 4
    assert list(model) == model.estimators_
    assert model[0] is model.estimators_[0]


def errors_under_label_noise(method, seed, noise=0.25):
    rows, labels = make_hastie_10_2(2500, random_state=seed)
    given = labels[:500].copy()
    flipped = np.random.default_rng(seed).uniform(size=500) < noise
    given[flipped] *= -1
    base = DecisionTreeClassifier(max_depth=2)
    model = AdaBoostClassifier(base, method=method, n_estimators=200).fit(rows[:500], given)
    spent = model.round_log_.mean_weights[flipped].sum()
    return 1 - model.score(rows[500:], labels[500:]), spent


def test_mada_resists_label_noise_better_than_adaboost():
    """Claimed for trees of depth 2: stumps learn more slowly, deep trees fit noise either way."""
    pairs = [
        (errors_under_label_noise("discrete", seed), errors_under_label_noise("mada", seed))
        for seed in range(6)
    ]
    gains = np.array([np.subtract(plain, mada) for plain, mada in pairs])
    mean, spread = gains.mean(axis=0), gains.std(axis=0, ddof=1) / np.sqrt(len(gains))
    assert (mean > 2 * spread).all()  # lower test error, and less weight on flipped rows


# ---- Found by the tests of scikit-learn (net B of issue 18) ------------------------------------


@pytest.mark.parametrize("kind", [AdaBoostClassifier, AdaBoostRegressor])
def test_every_member_has_a_random_state_of_its_own(kind):
    model = kind(n_estimators=8, random_state=0).fit(X, Y)
    seeds = [member.random_state for member in model.estimators_]
    assert len(set(seeds)) == len(seeds) > 1


@pytest.mark.parametrize(
    "model",
    [
        AdaBoostClassifier(DummyClassifier(strategy="most_frequent")),
        AdaBoostRegressor(DummyRegressor()),
    ],
    ids=lambda model: type(model).__name__,
)
def test_learner_of_the_user_may_read_more_than_two_dimensions(model):
    images = X.reshape(len(X), 2, 4)
    rare = Y * (X[:, 0] > 0)
    assert model.fit(images, rare).predict(images).shape == Y.shape


def test_default_learner_rejects_more_than_two_dimensions():
    with pytest.raises(ValueError, match="got 3D array"):
        AdaBoostClassifier().fit(X.reshape(len(X), 2, 4), Y)


@pytest.mark.parametrize(("method", "rate"), [("samme", 23.0), ("discrete", 500.0)])
def test_too_large_a_learning_rate_stops_with_a_warning(method, rate):
    """Weights fell to zero without a word, and later rounds learned nothing."""
    X, y = load_iris(return_X_y=True)
    kept = y > 0 if method == "discrete" else slice(None)
    model = AdaBoostClassifier(method=method, n_estimators=30, learning_rate=rate)
    with pytest.warns(UserWarning, match=r"boosting stops, because .*; lower learning_rate\."):
        model.fit(X[kept], y[kept])
    assert len(model.estimators_) == (2 if method == "samme" else 1)
    assert "leaves no weight" in model.round_log_.stopped
