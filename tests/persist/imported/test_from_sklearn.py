"""Models of scikit-learn as models of nonet, against the originals."""

from __future__ import annotations

import io

import numpy as np
import pandas as pd
import pytest
import sklearn.ensemble as theirs
import sklearn.tree as their_trees
from sklearn.linear_model import LinearRegression, LogisticRegression

import nonet

RNG = np.random.default_rng(0)
X = RNG.normal(size=(400, 5))
Y = X[:, 0] + X[:, 1] ** 2 + 0.3 * RNG.normal(size=400)
CODES = np.digitize(Y, [0, 1])
LABELS = np.array(["low", "middle", "high"])[CODES]
GAPS = np.where(RNG.random(X.shape) < 0.1, np.nan, X)
TWO = np.column_stack([CODES, CODES > 0])
FRAME = pd.DataFrame(GAPS, columns=list("vwxyz")).assign(
    word=pd.Categorical(RNG.choice(["p", "q", "r", None], 400)),
    number=pd.Categorical(RNG.choice([7, 2, 5], 400)),
)
FEW = {"n_estimators": 8, "random_state": 0}
TREE = {"max_depth": 5, "random_state": 0}
HISTOGRAM = {"max_iter": 8, "random_state": 0, "categorical_features": "from_dtype"}

CASES = [
    (their_trees.DecisionTreeClassifier(**TREE), GAPS, LABELS),
    (their_trees.DecisionTreeRegressor(**TREE), X, Y),
    (their_trees.ExtraTreeClassifier(**TREE), X, TWO),
    (their_trees.ExtraTreeRegressor(**TREE), X, np.column_stack([Y, -Y])),
    (theirs.RandomForestClassifier(**FEW), GAPS, LABELS),
    (theirs.RandomForestRegressor(oob_score=True, n_estimators=50, random_state=0), X, Y),
    (theirs.ExtraTreesClassifier(**FEW), X, TWO),
    (theirs.ExtraTreesRegressor(**FEW), X, np.column_stack([Y, -Y])),
    (theirs.GradientBoostingClassifier(**FEW), X, LABELS),
    (theirs.GradientBoostingClassifier(loss="exponential", **FEW), X, CODES > 0),
    (theirs.GradientBoostingRegressor(**FEW), X, Y),
    (theirs.GradientBoostingRegressor(loss="huber", init="zero", **FEW), X, Y),
    (theirs.HistGradientBoostingClassifier(**HISTOGRAM), FRAME, LABELS),
    (theirs.HistGradientBoostingClassifier(**HISTOGRAM), X, CODES > 0),
    (theirs.HistGradientBoostingRegressor(loss="poisson", **HISTOGRAM), FRAME, np.exp(Y / 3)),
    (theirs.IsolationForest(**FEW), X, None),
    (theirs.IsolationForest(max_features=2, contamination=0.1, **FEW), X, None),
]


@pytest.fixture(scope="module", params=CASES, ids=lambda case: type(case[0]).__name__)
def pair(request):
    """A fitted model of scikit-learn, what nonet reads it as, and its rows."""
    model, rows, y = request.param
    fitted = model.fit(rows, y)
    return fitted, nonet.from_sklearn(fitted), rows


def _outputs(model, rows):
    for name in ("predict_proba", "score_samples"):
        if hasattr(model, name):
            found = getattr(model, name)(rows)
            return np.hstack(found) if isinstance(found, list) else np.asarray(found)
    return np.asarray(model.predict(rows))


def test_predictions_are_equal(pair):
    original, ours, rows = pair
    np.testing.assert_allclose(_outputs(ours, rows), _outputs(original, rows), rtol=1e-10, atol=0)
    predicted, expected = ours.predict(rows), original.predict(rows)
    if expected.dtype.kind == "f":
        np.testing.assert_allclose(predicted, expected, rtol=1e-10)
    else:
        assert np.array_equal(predicted, expected)


def test_class_and_parameters_are_those_of_the_original(pair):
    original, ours, _ = pair
    assert type(ours).__name__ == type(original).__name__
    assert type(ours).__module__.startswith("nonet.")
    given = original.get_params(deep=False)
    assert {name: ours.get_params()[name] for name in given} == given


def test_leaves_and_importances_are_those_of_the_original(pair):
    original, ours, rows = pair
    if hasattr(original, "apply"):
        assert np.array_equal(ours.apply(rows), original.apply(rows))
    if hasattr(original, "feature_importances_"):
        found = ours.feature_importances_
        np.testing.assert_allclose(found, original.feature_importances_, atol=1e-12)


def test_model_goes_into_a_file(pair):
    _, ours, rows = pair
    file = io.BytesIO()
    nonet.save(ours, file)
    file.seek(0)
    assert np.array_equal(nonet.load(file).predict(rows), ours.predict(rows))


def test_rows_of_double_precision_reach_the_leaf_of_rounded_ones():
    tree = their_trees.DecisionTreeRegressor(random_state=0).fit(X[:, :1], Y)
    ours = nonet.from_sklearn(tree)
    thresholds = tree.tree_.threshold[tree.tree_.feature >= 0]
    nearby = np.concatenate([thresholds * (1 + e) for e in (-6e-8, -1e-8, 0, 1e-8, 6e-8)])
    assert np.array_equal(ours.apply(nearby[:, None]), tree.apply(nearby[:, None]))
    plain = nonet.DecisionTreeRegressor(random_state=0).fit(X[:, :1], Y)
    assert (plain.apply(nearby[:, None]) != tree.apply(nearby[:, None])).any()


@pytest.mark.parametrize(
    ("booster", "start", "y"),
    [
        (theirs.GradientBoostingRegressor, LinearRegression(), Y),
        (theirs.GradientBoostingClassifier, LogisticRegression(), CODES),
    ],
)
def test_starting_model_of_the_user_is_kept(booster, start, y):
    original = booster(init=start, **FEW).fit(X, y)
    ours = nonet.from_sklearn(original)
    # scikit-learn gives its starting model rounded rows.
    np.testing.assert_allclose(_outputs(ours, X), _outputs(original, X), rtol=1e-4, atol=1e-5)


def test_shapley_values_add_up_to_the_predictions():
    original = theirs.RandomForestRegressor(**FEW).fit(X, Y)
    found = nonet.shap_values(nonet.from_sklearn(original), X[:20])
    total = found.values.sum(axis=1) + found.base
    np.testing.assert_allclose(total, original.predict(X[:20]))


def test_forest_of_another_library_has_no_unseen_rows_and_takes_no_more_trees():
    ours = nonet.from_sklearn(theirs.RandomForestRegressor(**FEW).fit(X, Y))
    assert all(member.unseen_rows is None for member in ours.members_)
    ours.set_params(warm_start=True, n_estimators=9)
    with pytest.raises(ValueError, match="cannot add trees to those of another library"):
        ours.fit(X, Y)


@pytest.mark.parametrize(
    "model", [LinearRegression(), nonet.RandomForestClassifier(), "tree", None]
)
def test_from_sklearn_rejects_other_models(model):
    with pytest.raises(TypeError, match="from_sklearn reads trees, forests"):
        nonet.from_sklearn(model)


def _damaged_forest():
    model = theirs.RandomForestClassifier(**FEW).fit(X, LABELS)
    del model.estimators_[3].tree_
    return model


def _damaged_histogram():
    model = theirs.HistGradientBoostingClassifier(max_iter=3).fit(X, LABELS)
    model._predictors[0][0].nodes["left"][0] = 9999
    return model


def _histogram_of_another_version():
    model = theirs.HistGradientBoostingRegressor(max_iter=3).fit(X, Y)
    del model._baseline_prediction
    return model


@pytest.mark.parametrize(
    "make", [_damaged_forest, _damaged_histogram, _histogram_of_another_version]
)
def test_damaged_models_and_those_of_other_versions_end_in_one_sentence(make):
    with pytest.raises(nonet.ModelFileError, match="cannot be read .* fit it again") as caught:
        nonet.from_sklearn(make())
    assert "\n" not in str(caught.value)
