"""Models of CatBoost as boosted trees of nonet, against the originals."""

from __future__ import annotations

import io
import json
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pandas as pd
import pytest

import nonet
from nonet.persist.imported.city_hash import city_hash64
from persist.imported.boosted_cases import (
    CODES,
    COUNTS,
    LABELS,
    POSITIVE,
    WORDS,
    Y,
    assert_same_leaves,
    outcomes_of_mutants,
)
from persist.imported.boosted_cases import FRAME as MIXED

catboost = pytest.importorskip("catboost")

ROWS = MIXED[list("abcd")]
FEW = {
    "iterations": 12,
    "depth": 4,
    "verbose": 0,
    "random_seed": 0,
    "thread_count": 1,
    "allow_writing_files": False,
}


def _numbers(loss="RMSE", **params):
    return catboost.CatBoostRegressor(loss_function=loss, **params, **FEW)


def _classes(**params):
    return catboost.CatBoostClassifier(**params, **FEW)


CASES = {
    "squared error": (_numbers(), Y),
    "two classes": (_classes(), np.where(CODES > 0, "yes", "no")),
    "true and false": (_classes(), CODES > 0),
    "three classes": (_classes(), LABELS),
    "probabilities": (_classes(loss_function="CrossEntropy"), CODES / 2),
    "focal": (_classes(loss_function="Focal:focal_alpha=0.5;focal_gamma=2"), CODES > 0),
    "poisson": (_numbers("Poisson"), COUNTS),
    "tweedie": (_numbers("Tweedie:variance_power=1.5"), POSITIVE),
    "quantile": (_numbers("Quantile:alpha=0.8"), Y),
    "absolute error": (_numbers("MAE"), Y),
    "huber": (_numbers("Huber:delta=2"), Y),
    "expectile": (_numbers("Expectile:alpha=0.7"), Y),
    "two targets": (_numbers("MultiRMSE"), np.column_stack([Y, -Y])),
    "missing go right": (_numbers(nan_mode="Max"), Y),
    "by leaf": (_numbers(grow_policy="Lossguide", nan_mode="Max"), Y),
    "by depth, three classes": (_classes(grow_policy="Depthwise"), LABELS),
}


# CatBoost numbers leaves, and computes Shapley values, of symmetric trees only.
SYMMETRIC = [name for name in CASES if not name.startswith("by ")]


@cache
def _pair(name):
    model, y = CASES[name]
    fitted = model.fit(ROWS, y)
    return fitted, nonet.from_catboost(fitted)


@pytest.fixture(params=CASES, ids=lambda name: name.replace(" ", "_"))
def pair(request):
    return _pair(request.param)


@pytest.fixture(params=SYMMETRIC, ids=lambda name: name.replace(" ", "_"))
def symmetric_pair(request):
    return _pair(request.param)


def test_predictions_are_equal(pair):
    original, ours = pair
    if hasattr(ours, "classes_"):
        found, expected = ours.predict_proba(ROWS), original.predict_proba(ROWS)
    else:
        found, expected = ours.predict(ROWS), original.predict(ROWS)
    np.testing.assert_allclose(found, expected, rtol=1e-12)


def test_labels_are_those_of_the_original(pair):
    original, ours = pair
    if not hasattr(ours, "classes_"):
        assert type(ours) is nonet.BoostedTreesRegressor
        return
    expected = original.classes_ if len(original.classes_) else [0, 1]
    assert ours.classes_.tolist() == list(expected)
    assert ours.predict(ROWS).tolist() == original.predict(ROWS).ravel().tolist()


def test_raw_scores_are_equal(pair):
    original, ours = pair
    parts = ours._score_trees()
    sums = [nonet._native.tree.predict_values(list(g), ROWS.to_numpy()) for g in parts.groups]
    expected = original.predict(ROWS, prediction_type="RawFormulaVal").reshape(len(ROWS), -1)
    np.testing.assert_allclose(parts.start + np.column_stack(sums), expected, rtol=1e-12)


def test_rows_reach_the_same_leaves(symmetric_pair):
    original, ours = symmetric_pair
    assert_same_leaves(_leaves_of(ours, ROWS), original.calc_leaf_indexes(ROWS))


def _leaves_of(ours, rows):
    return np.asarray(ours.apply(rows)).reshape(len(rows), -1)


def test_shapley_values_are_those_of_catboost(symmetric_pair):
    original, ours = symmetric_pair
    theirs = original.get_feature_importance(catboost.Pool(ROWS[:30]), type="ShapValues")
    theirs = np.moveaxis(theirs, -1, 1)  # rows, columns and base, scores
    found = nonet.shap_values(ours, ROWS[:30]).values
    np.testing.assert_allclose(found, theirs[:, :-1].reshape(found.shape), atol=1e-10)


def test_model_goes_into_a_file_and_back(pair):
    _, ours = pair
    file = io.BytesIO()
    nonet.save(ours, file)
    file.seek(0)
    assert np.array_equal(nonet.load(file).predict(ROWS), ours.predict(ROWS))


def test_rows_of_double_precision_reach_the_leaves_of_rounded_ones():
    original = _numbers().fit(ROWS, Y)
    ours = nonet.from_catboost(original)
    borders = np.concatenate([np.asarray(b) for b in original.get_borders().values()])
    borders = borders[np.isfinite(borders) & (abs(borders) < 1e30)]
    near = [borders, np.nextafter(borders, np.inf), np.nextafter(borders, -np.inf)]
    at = np.concatenate([*near, borders * (1 + 1e-8), borders * (1 - 1e-8), [np.nan, np.inf]])
    rng = np.random.default_rng(3)
    rows = pd.DataFrame(rng.choice(at, (3000, 4)), columns=list("abcd"))
    assert_same_leaves(_leaves_of(ours, rows), original.calc_leaf_indexes(rows))
    np.testing.assert_allclose(ours.predict(rows), original.predict(rows), rtol=1e-12)


def test_missing_values_that_the_training_had_not_go_where_catboost_sends_them():
    full = ROWS.fillna(0.0).to_numpy()
    original = _numbers().fit(full, Y)
    gaps = np.where(np.random.default_rng(0).random(full.shape) < 0.3, np.nan, full)
    ours = nonet.from_catboost(original)
    assert not hasattr(ours, "feature_names_in_")
    np.testing.assert_allclose(ours.predict(gaps), original.predict(gaps), rtol=1e-12)


def test_file_is_read_as_the_model(tmp_path):
    original = _classes().fit(ROWS, LABELS)
    path = tmp_path / "model.json"
    original.save_model(path, format="json")
    expected = nonet.from_catboost(original).predict_proba(ROWS)
    for source in (path, str(path)):
        ours = nonet.from_catboost(source)
        assert ours.classes_.tolist() == ["high", "low", "middle"]
        assert np.array_equal(ours.predict_proba(ROWS), expected)
    assert nonet.from_catboost(path, classes=[7, 8, 9]).classes_.tolist() == [7, 8, 9]
    with pytest.raises(ValueError, match="classes must be a list of 3 labels"):
        nonet.from_catboost(path, classes=["a", "b"])


def test_ranking_becomes_a_regression_of_scores():
    ranker = catboost.CatBoostRanker(**FEW).fit(ROWS, CODES, group_id=np.arange(400) // 20)
    ours = nonet.from_catboost(ranker)
    np.testing.assert_allclose(ours.predict(ROWS), ranker.predict(ROWS), rtol=1e-12)


def test_early_stopped_model_has_its_best_rounds():
    model = catboost.CatBoostRegressor(**{**FEW, "iterations": 300, "learning_rate": 0.5})
    model.fit(ROWS[:200], Y[:200], eval_set=(ROWS[200:], Y[200:]), early_stopping_rounds=5)
    ours = nonet.from_catboost(model)
    assert ours.n_iter_ == model.tree_count_ < 300
    np.testing.assert_allclose(ours.predict(ROWS), model.predict(ROWS), rtol=1e-12)


# ---- Categories --------------------------------------------------------------------------------

SHOP = pd.DataFrame({"a": ROWS["a"], "word": WORDS, "code": np.arange(len(Y)) % 3})
LEVELS = {"word": sorted(set(WORDS)), "code": [0, 1, 2]}


def _fit_shop():
    words = {"cat_features": ["word", "code"], "one_hot_max_size": 20}
    return _numbers(**words).fit(SHOP, Y + 2 * (SHOP["code"] == 1))


def test_categories_are_read_by_their_hashes():
    original = _fit_shop()
    ours = nonet.from_catboost(original, categories=LEVELS)
    np.testing.assert_allclose(ours.predict(SHOP), original.predict(SHOP), rtol=1e-12)
    assert_same_leaves(_leaves_of(ours, SHOP), original.calc_leaf_indexes(SHOP))
    by_position = nonet.from_catboost(original, categories={1: LEVELS["word"], 2: [0, 1, 2]})
    assert np.array_equal(by_position.predict(SHOP), ours.predict(SHOP))


def test_unseen_categories_go_where_catboost_sends_them():
    original = _fit_shop()
    ours = nonet.from_catboost(original, categories=LEVELS)
    odd = SHOP.assign(word="new")
    np.testing.assert_allclose(ours.predict(odd), original.predict(odd), rtol=1e-12)


def test_categories_must_be_given():
    original = _fit_shop()
    with pytest.raises(nonet.ModelFileError, match=r"column 'word' by their hashes, and \d"):
        nonet.from_catboost(original)
    with pytest.raises(nonet.ModelFileError, match="1 of them are not among those given"):
        nonet.from_catboost(original, categories={**LEVELS, "code": [0, 1]})
    with pytest.raises(ValueError, match="categories names the column 'wrod'"):
        nonet.from_catboost(original, categories={"wrod": ["p"]})


@pytest.mark.parametrize("length", [1, 2, 4, 8, 9, 16, 17, 32, 33, 64, 65, 128, 129, 300])
def test_hash_is_that_of_catboost(length):
    word = "".join(np.random.default_rng(length).choice(list("abcdefghij é"), length))
    rows = np.array([[word], ["b"]] * 20, dtype=object)
    model = catboost.CatBoostRegressor(
        **{**FEW, "iterations": 1}, cat_features=[0], one_hot_max_size=5
    ).fit(rows, [0, 1] * 20)
    ours = nonet.from_catboost(model, categories={0: [word, "b"]})
    np.testing.assert_allclose(ours.predict(rows), model.predict(rows), rtol=1e-12)
    assert ours.predict(rows)[0] != ours.predict(rows)[1]


def test_hash_of_nothing_is_the_constant_of_the_reference():
    assert city_hash64(b"") == 0x9AE16A3B2F90404F


# ---- What is refused ---------------------------------------------------------------------------


def test_statistics_of_the_target_are_refused():
    model = _numbers(cat_features=["word"], one_hot_max_size=2).fit(SHOP[["a", "word"]], Y)
    with pytest.raises(nonet.ModelFileError, match=r"statistics of the target \(CTR\)"):
        nonet.from_catboost(model)


@pytest.mark.parametrize(
    ("model", "y", "loss"),
    [
        (_classes(loss_function="MultiClassOneVsAll"), LABELS, "MultiClassOneVsAll"),
        (_numbers("MultiQuantile:alpha=0.2,0.8"), Y, "MultiQuantile"),
        (_numbers("RMSEWithUncertainty"), Y, "RMSEWithUncertainty"),
    ],
)
def test_loss_with_another_link_is_refused(model, y, loss):
    with pytest.raises(nonet.ModelFileError, match=f"loss_function '{loss}' cannot be read"):
        nonet.from_catboost(model.fit(ROWS, y))


def test_other_objects_and_unfitted_models_are_refused(tmp_path):
    with pytest.raises(TypeError, match="from_catboost reads fitted models of CatBoost"):
        nonet.from_catboost(nonet.BoostedTreesRegressor())
    with pytest.raises(ValueError, match="this CatBoostRegressor is not fitted"):
        nonet.from_catboost(_numbers())
    with pytest.raises(nonet.ModelFileError, match="cannot be read"):
        nonet.from_catboost(tmp_path / "none.json")


# ---- Damaged files -----------------------------------------------------------------------------


def _document(model):
    with TemporaryDirectory() as folder:
        path = Path(folder) / "model.json"
        model.fit(ROWS, Y).save_model(path, format="json")
        return path.read_text()


@pytest.fixture(scope="module")
def text():
    return _document(_numbers())


@pytest.fixture(scope="module")
def nested():
    return _document(_numbers(grow_policy="Lossguide"))


def _changed(*path, to):
    def change(document):
        part = document
        for step in path[:-1]:
            part = part[step]
        part[path[-1]] = to
        return document

    return change


SPLIT = ("oblivious_trees", 0, "splits", 0)
DAMAGES = {
    "column out of range": _changed(*SPLIT, "float_feature_index", to=77),
    "negative column": _changed(*SPLIT, "float_feature_index", to=-1),
    "kind of split": _changed(*SPLIT, "split_type", to="OnlineCtr"),
    "border is no number": _changed(*SPLIT, "border", to="low"),
    "border is nan": _changed(*SPLIT, "border", to=float("nan")),
    "no leaves": _changed("oblivious_trees", 0, "leaf_values", to=[]),
    "leaf is infinite": _changed("oblivious_trees", 0, "leaf_values", to=[float("inf")] * 16),
    "words in leaves": _changed("oblivious_trees", 0, "leaf_values", to=["a"] * 16),
    "negative weights": _changed("oblivious_trees", 0, "leaf_weights", to=[-1] * 16),
    "many levels": _changed("oblivious_trees", 0, "splits", to=[{}] * 60),
    "very many levels": _changed(
        "oblivious_trees",
        0,
        "splits",
        to=[{"split_type": "FloatFeature", "float_feature_index": 0, "border": 0}] * 60,
    ),
    "trees are a number": _changed("oblivious_trees", to=3),
    "tree is null": _changed("oblivious_trees", 0, to=None),
    "many scores": _changed("scale_and_bias", to=[1, [0] * 5]),
    "bias is infinite": _changed("scale_and_bias", to=[1, [float("inf")]]),
    "bias is a word": _changed("scale_and_bias", to=[1, ["a"]]),
    "scale is missing": _changed("scale_and_bias", to=[]),
    "columns overlap": _changed("features_info", "float_features", 1, "flat_feature_index", to=0),
    "column far away": _changed(
        "features_info", "float_features", 1, "flat_feature_index", to=10**12
    ),
    "missing values": _changed("features_info", "float_features", 0, "nan_value_treatment", to="x"),
    "text columns": _changed("features_info", "text_features", to=[{}]),
    "loss of the future": _changed("model_info", "params", "loss_function", "type", to="Warp"),
    "options are a list": _changed("model_info", "params", "loss_function", "params", to=[1]),
    "no params": _changed("model_info", to={}),
    "info is a list": _changed("model_info", to=[]),
}


@pytest.mark.parametrize("damage", DAMAGES, ids=lambda name: name.replace(" ", "_"))
def test_damaged_document_ends_in_one_sentence(damage, text, tmp_path):
    path = tmp_path / "model.json"
    path.write_text(json.dumps(DAMAGES[damage](json.loads(text))))
    with pytest.raises(nonet.ModelFileError) as caught:
        nonet.from_catboost(path)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "content",
    [b"", b"[]", b"{}", b"\xff\x00", b"CBM1\x00\x01", b'{"a":' * 100_000, b'{"learner": 3}'],
)
def test_other_files_end_in_one_sentence(content, tmp_path):
    path = tmp_path / "model.json"
    path.write_bytes(content)
    with pytest.raises(nonet.ModelFileError, match="no JSON document of CatBoost"):
        nonet.from_catboost(path)


@pytest.mark.parametrize("kind", ["text", "nested"])
def test_mutated_document_never_crashes(kind, request, tmp_path):
    document = json.loads(request.getfixturevalue(kind))
    loss = document["model_info"]["params"]["loss_function"]
    document["model_info"] = {"params": {"loss_function": loss}}  # most of the rest is not read
    content = json.dumps(document).encode()
    outcomes = outcomes_of_mutants(nonet.from_catboost, content, ROWS, tmp_path / "model.json")
    assert outcomes == {"read", "refused"}
