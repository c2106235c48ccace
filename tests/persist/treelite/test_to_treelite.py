"""Models of treelite against the models that they were made of."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import make_friedman1
from sklearn.linear_model import LogisticRegression

import nonet
from nonet._native.tree import find_leaves, predict_values
from nonet.losses import Loss

treelite = pytest.importorskip("treelite")

RNG = np.random.default_rng(0)
X, Y = make_friedman1(600, n_features=6, random_state=0)
X = X.astype(np.float32)
X[:, 5] = RNG.integers(0, 9, len(X))
Y += 4 * (X[:, 5] % 3)
CODES = np.digitize(Y, [15, 20])
LABELS = np.array(["low", "middle", "high"])[CODES]
GAPS = np.where(RNG.random(X.shape) < 0.1, np.nan, X).astype(np.float32)
BOTH = np.column_stack([Y, -Y])

SETS = {"categorical_features": [5]}
FEW = {"n_estimators": 15, "random_state": 0}
ROUNDS = {"max_iter": 15, "random_state": 0}
CASES = {
    "tree of classes": (nonet.DecisionTreeClassifier(random_state=0, **SETS), GAPS, LABELS),
    "tree of numbers": (nonet.DecisionTreeRegressor(random_state=0), GAPS, Y),
    "forest of two classes": (nonet.RandomForestClassifier(**FEW), GAPS, CODES > 0),
    "forest of three classes": (nonet.RandomForestClassifier(**FEW, **SETS), GAPS, LABELS),
    "forest of numbers": (nonet.RandomForestRegressor(**FEW, **SETS), GAPS, Y),
    "extra trees of numbers": (nonet.ExtraTreesRegressor(**FEW), X, BOTH),
    "isolation forest": (nonet.IsolationForest(**FEW), X, None),
    "isolation forest of some columns": (nonet.IsolationForest(max_features=2, **FEW), GAPS, None),
    "classic": (nonet.GradientBoostingRegressor(**FEW), X, Y),
    "classic from zero": (nonet.GradientBoostingRegressor(init="zero", **FEW), X, Y),
    "classic of three classes": (nonet.GradientBoostingClassifier(**FEW), X, LABELS),
    "exponential loss": (
        nonet.GradientBoostingClassifier(loss="exponential", **FEW),
        X,
        CODES > 0,
    ),
    "histogram": (nonet.HistGradientBoostingRegressor(**ROUNDS, **SETS), GAPS, Y),
    "histogram of counts": (
        nonet.HistGradientBoostingRegressor(loss="poisson", **ROUNDS),
        GAPS,
        np.floor(Y.clip(0)),
    ),
    "histogram of two classes": (
        nonet.HistGradientBoostingClassifier(**ROUNDS, **SETS),
        GAPS,
        CODES > 0,
    ),
    "histogram of three classes": (
        nonet.HistGradientBoostingClassifier(**ROUNDS, **SETS),
        GAPS,
        LABELS,
    ),
    "boosted": (nonet.BoostedTreesRegressor(**FEW, **SETS), GAPS, Y),
    "boosted bags": (nonet.BoostedTreesRegressor(n_bags=3, **FEW), GAPS, Y),
    "boosted with dropout": (nonet.BoostedTreesRegressor(drop_rate=0.3, **FEW), GAPS, Y),
    "boosted of probabilities": (
        nonet.BoostedTreesRegressor("cross_entropy", **FEW),
        GAPS,
        CODES / 2,
    ),
    "boosted of three classes": (nonet.BoostedTreesClassifier(**FEW, **SETS), GAPS, LABELS),
    "leaves of three classes": (
        nonet.BoostedTreesClassifier(multi_strategy="multi_output_tree", **FEW),
        GAPS,
        LABELS,
    ),
    "two targets": (nonet.BoostedTreesRegressor(**FEW), GAPS, BOTH),
    "leaves of two targets": (
        nonet.BoostedTreesRegressor(multi_strategy="multi_output_tree", **FEW),
        GAPS,
        BOTH,
    ),
}


@pytest.fixture(scope="module", params=CASES, ids=lambda name: name.replace(" ", "_"))
def fitted(request):
    model, rows, y = CASES[request.param]
    return model.fit(rows, y), rows


def _predictions(model, rows):
    """Return what treelite calls the predictions, of shape (rows, numbers)."""
    if isinstance(model, nonet.IsolationForest):
        return -model.score_samples(rows)[:, np.newaxis]
    if not hasattr(model, "classes_"):
        return model.predict(rows).reshape(len(rows), -1)
    proba = model.predict_proba(rows)
    is_binary_booster = len(model.classes_) == 2 and model._score_trees().loss is not None
    return proba[:, 1:] if is_binary_booster else proba


def _of_treelite(made, rows, **words):
    return treelite.gtil.predict(made, rows, **words).reshape(len(rows), -1)


@pytest.mark.parametrize(("dtype", "tolerance"), [("float64", 1e-6), ("float32", 1e-5)])
def test_predictions_are_equal(fitted, dtype, tolerance):
    model, rows = fitted
    found = _of_treelite(nonet.to_treelite(model, dtype=dtype), rows)
    np.testing.assert_allclose(found, _predictions(model, rows), rtol=tolerance)


def test_raw_scores_are_equal(fitted):
    model, rows = fitted
    trees = getattr(model, "_score_trees", lambda: None)()
    if trees is None or trees.loss is None:
        found, expected = (1.0, 1.0)  # the scores of trees and forests are their predictions
    else:
        sums = [predict_values(list(group), rows) for group in trees.groups]
        expected = trees.start + trees.scale * np.column_stack(sums)
        found = _of_treelite(nonet.to_treelite(model), rows, pred_margin=True)
    np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-12)


def _trees_of(model):
    if hasattr(model, "_score_trees"):
        parts = model._score_trees()
        return [tree for trees in zip(*parts.groups, strict=True) for tree in trees]
    return model._trees.trees


def _on_thresholds(trees, rows):
    """Return rows that hold thresholds in single precision, and the numbers beside them."""
    rng, table = np.random.default_rng(1), np.repeat(rows, 5, axis=0)
    for column in range(rows.shape[1]):
        found = [
            arrays["threshold"][(arrays["column"] == column) & (arrays["category_set"] < 0)]
            for arrays in (tree.arrays() for tree in trees)
        ]
        at = np.concatenate(found)
        at = at[np.isfinite(at)].astype(np.float32)  # only missing values are above infinity
        if len(at) and column != 5:
            near = np.concatenate([at, np.nextafter(at, -np.inf), np.nextafter(at, np.inf)])
            table[:, column] = rng.choice(near.astype(np.float32), len(table))
    return table


@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_rows_of_single_precision_reach_the_same_leaves(fitted, dtype):
    model, rows = fitted
    trees = _trees_of(model)
    table = _on_thresholds(trees, rows)
    found = treelite.gtil.predict_leaf(nonet.to_treelite(model, dtype=dtype), table)
    if hasattr(model, "_codes") or hasattr(model, "_category_codes"):
        encoder = getattr(model, "_codes", None) or model._category_codes
        table = encoder.encode(table) if encoder.known else table
    assert np.array_equal(found, find_leaves(trees, table))


def test_rows_of_double_precision_reach_the_same_leaves():
    rows = np.random.default_rng(2).random((500, 6))
    model = nonet.RandomForestRegressor(**FEW).fit(rows, rows[:, 0] + rows[:, 1] ** 2)
    table = np.repeat(rows, 2, axis=0)
    thresholds = model.estimators_[0].tree_.threshold
    table[:, 0] = np.resize(thresholds, len(table))
    found = treelite.gtil.predict_leaf(nonet.to_treelite(model), table)
    assert np.array_equal(found, model.apply(table))


@pytest.mark.slow
@pytest.mark.parametrize(("dtype", "tolerance"), [("float64", 1e-12), ("float32", 1e-5)])
def test_100_000_rows_reach_the_same_leaves(dtype, tolerance):
    model = nonet.BoostedTreesRegressor(n_estimators=200, n_bags=1, random_state=0, **SETS)
    model.fit(GAPS, Y)
    table = np.resize(GAPS, (20_000, GAPS.shape[1]))
    table[:, 5] = np.random.default_rng(4).choice([np.nan, 99, *range(9)], len(table))
    table = _on_thresholds(_trees_of(model), table)
    made = nonet.to_treelite(model, dtype=dtype)
    assert len(table) == 100_000
    assert np.array_equal(treelite.gtil.predict_leaf(made, table), model.apply(table))
    np.testing.assert_allclose(
        _of_treelite(made, table)[:, 0], model.predict(table), rtol=tolerance
    )


def test_unseen_and_missing_categories_go_where_ours_go():
    model = nonet.BoostedTreesRegressor(**FEW, **SETS).fit(GAPS, Y)
    odd = np.repeat(GAPS, 4, axis=0)
    odd[:, 5] = np.resize(np.array([np.nan, 77, -3, 3e9, 2], np.float32), len(odd))
    np.testing.assert_allclose(
        _of_treelite(nonet.to_treelite(model), odd)[:, 0], model.predict(odd), rtol=1e-12
    )


def test_large_and_rare_whole_numbers_are_categories_as_they_are():
    rows = np.column_stack([X[:, 0], RNG.integers(0, 400, len(X)) * 41_000.0])
    model = nonet.BoostedTreesRegressor(
        categorical_features=[1], max_cat_to_onehot=1, cat_smooth=0, min_data_per_group=1, **FEW
    )
    model.fit(rows, Y)
    assert model.joined_categories_
    found = _of_treelite(nonet.to_treelite(model), rows)[:, 0]
    np.testing.assert_allclose(found, model.predict(rows), rtol=1e-12)


def test_words_are_numbers_that_the_attributes_list():
    frame = pd.DataFrame({"size": Y, "word": pd.Categorical(RNG.choice(["q", "p", "ä"], len(Y)))})
    model = nonet.HistGradientBoostingClassifier(categorical_features="from_dtype", **ROUNDS)
    model.fit(frame, LABELS)
    made = nonet.to_treelite(model)
    about = made.attributes
    assert about["classes"] == ["high", "low", "middle"]
    assert about["feature_names"] == ["size", "word"]
    assert about["categories"] == {"1": {"p": 0, "q": 1, "ä": 2}}
    numbers = frame["word"].map(about["categories"]["1"]).astype(float)
    rows = np.column_stack([frame["size"], numbers])
    np.testing.assert_allclose(_of_treelite(made, rows), model.predict_proba(frame), rtol=1e-6)


def test_imported_models_are_written_too():
    theirs = pytest.importorskip("xgboost").XGBRegressor(n_estimators=15, n_jobs=1).fit(GAPS, Y)
    made = nonet.to_treelite(nonet.from_xgboost(theirs))
    np.testing.assert_allclose(_of_treelite(made, GAPS)[:, 0], theirs.predict(GAPS), rtol=1e-5)


def test_nodes_keep_their_statistics():
    model = nonet.RandomForestRegressor(**FEW).fit(X, Y)
    accessor = nonet.to_treelite(model).get_tree_accessor(3)
    tree = model.estimators_[3].tree_
    assert np.array_equal(accessor.get_field("data_count"), tree.n_node_samples)
    assert np.array_equal(accessor.get_field("sum_hess"), tree.weighted_n_node_samples)
    inner = tree.children_left >= 0
    assert np.array_equal(accessor.get_field("gain_present") == 1, inner)
    assert (accessor.get_field("gain")[inner] > 0).all()


def test_model_goes_into_bytes_of_treelite_and_back():
    made = nonet.to_treelite(nonet.RandomForestClassifier(**FEW, **SETS).fit(GAPS, LABELS))
    back = treelite.Model.deserialize_bytes(made.serialize_bytes())
    assert np.array_equal(_of_treelite(back, GAPS), _of_treelite(made, GAPS))


@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_compiled_model_predicts_the_same(dtype, tmp_path):
    tl2cgen = pytest.importorskip("tl2cgen")
    model = nonet.BoostedTreesClassifier(num_leaves=8, **FEW, **SETS).fit(GAPS, LABELS)
    path = tmp_path / "model.so"
    made = nonet.to_treelite(model, dtype=dtype)
    tl2cgen.export_lib(made, toolchain="gcc", libpath=path, params={})
    rows = tl2cgen.DMatrix(GAPS.astype(dtype), dtype=dtype)
    found = tl2cgen.Predictor(path, nthread=1).predict(rows).reshape(len(GAPS), -1)
    np.testing.assert_allclose(found, model.predict_proba(GAPS), rtol=1e-6)


# ---- What cannot be written --------------------------------------------------------------------


class _LogLinks(Loss):
    def value(self, y, score):
        return (y - score) ** 2 / 2

    def gradient_hessian(self, y, score):
        return score - y, np.ones_like(score)

    def inverse_link(self, score):
        return np.log1p(np.exp(score))


def _fit_shop(category):
    rows = np.array([[1, category], [2, 2], [3, category], [4, 2]] * 20, dtype=object)
    return nonet.DecisionTreeRegressor(categorical_features=[1]).fit(rows, np.arange(80))


REFUSED = {
    "ensemble": (
        lambda: nonet.VotingClassifier([("a", LogisticRegression())]).fit(np.nan_to_num(X), CODES),
        "one sum of trees .* but got VotingClassifier",
    ),
    "other library": (LogisticRegression, "one sum of trees .* but got LogisticRegression"),
    "own link": (
        lambda: nonet.BoostedTreesRegressor(_LogLinks(), **FEW).fit(X, Y),
        "no postprocessor",
    ),
    "sorted quantiles": (
        lambda: nonet.BoostedTreesRegressor("quantile", quantile=[0.1, 0.9], **FEW).fit(X, Y),
        "no postprocessor",
    ),
    "starting model": (
        lambda: nonet.GradientBoostingRegressor(
            init=nonet.DecisionTreeRegressor(max_depth=1), **FEW
        ).fit(X, Y),
        "also come from the model init",
    ),
    "rule of a forest": (
        lambda: nonet.RandomForestRegressor(combine="median", **FEW).fit(X, Y),
        "another rule than the mean",
    ),
    "negative category": (lambda: _fit_shop(-1), "column 1 has the category -1, but"),
    "fraction": (lambda: _fit_shop(0.5), "column 1 has the category 0.5, but"),
    "words and numbers": (lambda: _fit_shop("a"), "column 1 has the category 'a', but"),
    "trees of one row": (
        lambda: nonet.IsolationForest(max_samples=1, n_estimators=3).fit(X),
        "max_samples of at least 2",
    ),
}


@pytest.mark.parametrize("name", REFUSED, ids=lambda name: name.replace(" ", "_"))
def test_what_treelite_cannot_do_is_refused_in_one_sentence(name):
    make, sentence = REFUSED[name]
    with pytest.raises((ValueError, TypeError), match=sentence) as caught:
        nonet.to_treelite(make())
    assert str(caught.value).rstrip().endswith(".")
    assert "\n" not in str(caught.value)


def test_leaf_beyond_single_precision_is_refused():
    model = nonet.DecisionTreeRegressor().fit(X, Y * 1e100)
    with pytest.raises(nonet.ModelFileError, match="dtype='float64'"):
        nonet.to_treelite(model, dtype="float32")


def test_rejects_other_precisions_and_models_that_are_not_fitted():
    model = nonet.DecisionTreeRegressor()
    with pytest.raises(ValueError, match="dtype must be 'float64' or 'float32', got 'int8'"):
        nonet.to_treelite(model.fit(X, Y), dtype="int8")
    with pytest.raises(ValueError, match="not fitted"):
        nonet.to_treelite(nonet.BoostedTreesRegressor())
