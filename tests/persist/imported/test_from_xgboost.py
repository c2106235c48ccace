"""Models of XGBoost as boosted trees of nonet, against the originals."""

from __future__ import annotations

import io
import json

import numpy as np
import pytest

import nonet
from persist.imported.boosted_cases import (
    CODES,
    COUNTS,
    FRAME,
    LABELS,
    POSITIVE,
    Y,
    assert_same_leaves,
    outcomes_of_mutants,
)

xgboost = pytest.importorskip("xgboost")

FEW = {"n_estimators": 12, "enable_categorical": True, "max_cat_to_onehot": 2}
CASES = {
    "squared error": (xgboost.XGBRegressor(**FEW), Y),
    "two classes": (xgboost.XGBClassifier(**FEW), CODES > 0),
    "three classes": (xgboost.XGBClassifier(**FEW), CODES),
    "by leaf": (xgboost.XGBRegressor(grow_policy="lossguide", max_leaves=15, **FEW), Y),
    "poisson": (xgboost.XGBRegressor(objective="count:poisson", **FEW), COUNTS),
    "gamma": (xgboost.XGBRegressor(objective="reg:gamma", **FEW), POSITIVE),
    "tweedie": (xgboost.XGBRegressor(objective="reg:tweedie", **FEW), POSITIVE),
    "logistic": (xgboost.XGBRegressor(objective="reg:logistic", **FEW), CODES / 2),
    "pseudo huber": (xgboost.XGBRegressor(objective="reg:pseudohubererror", **FEW), Y),
    "absolute error": (xgboost.XGBRegressor(objective="reg:absoluteerror", **FEW), Y),
    "quantile": (
        xgboost.XGBRegressor(objective="reg:quantileerror", quantile_alpha=0.8, **FEW),
        Y,
    ),
    "dart": (xgboost.XGBRegressor(booster="dart", rate_drop=0.3, **FEW), Y),
    "parallel trees": (xgboost.XGBClassifier(num_parallel_tree=3, subsample=0.5, **FEW), CODES),
    "random forest": (xgboost.XGBRFRegressor(**FEW), Y),
    "several targets": (xgboost.XGBRegressor(**FEW), np.column_stack([Y, -Y])),
    "one hot": (xgboost.XGBRegressor(**{**FEW, "max_cat_to_onehot": 20}), Y),
}


@pytest.fixture(scope="module", params=CASES, ids=lambda name: name.replace(" ", "_"))
def pair(request):
    model, y = CASES[request.param]
    fitted = model.fit(FRAME, y)
    return fitted, nonet.from_xgboost(fitted)


def test_predictions_are_equal(pair):
    original, ours = pair
    raw = original.predict(FRAME, output_margin=True)
    if hasattr(original, "predict_proba"):
        found = ours.decision_function(FRAME)
        np.testing.assert_allclose(
            ours.predict_proba(FRAME), original.predict_proba(FRAME), atol=1e-6
        )
    else:
        found = ours.predict(FRAME, output_margin=True)
        np.testing.assert_allclose(
            ours.predict(FRAME), original.predict(FRAME), rtol=1e-5, atol=1e-6
        )
    # XGBoost sums in single precision.
    np.testing.assert_allclose(found, raw, atol=1e-6 * np.abs(raw).max())


def test_rows_reach_the_same_leaves(pair):
    original, ours = pair
    theirs = original.apply(FRAME).reshape(len(FRAME), -1)
    found = ours.apply(FRAME).reshape(len(FRAME), -1)
    assert found.shape == theirs.shape
    partitions = [_partitions(leaves) for leaves in (found, theirs)]
    assert partitions[0] == partitions[1]


def _partitions(leaves):
    """Return how each tree divides the rows; parallel trees of a round have another order."""
    firsts = [np.unique(column, return_index=True, return_inverse=True)[1:] for column in leaves.T]
    return sorted(tuple(first[code].tolist()) for first, code in firsts)


def test_model_goes_into_a_file_and_back(pair):
    _, ours = pair
    file = io.BytesIO()
    nonet.save(ours, file)
    file.seek(0)
    loaded = nonet.load(file)
    assert np.array_equal(loaded.predict(FRAME), ours.predict(FRAME))


def test_rows_are_compared_as_if_rounded():
    x = np.random.default_rng(0).normal(size=(300, 1))
    original = xgboost.XGBRegressor(n_estimators=10).fit(x, x[:, 0] ** 3)
    ours = nonet.from_xgboost(original)
    table = original.get_booster().trees_to_dataframe()
    thresholds = table["Split"].dropna().to_numpy()
    nearby = np.concatenate([thresholds * (1 + e) for e in (-6e-8, -1e-8, 0, 1e-8, 6e-8)])
    nearby = np.append(nearby, np.nan)[:, np.newaxis]
    assert_same_leaves(ours.apply(nearby), original.apply(nearby))


def test_numbers_as_categories_need_no_levels():
    rng = np.random.default_rng(0)
    x = np.column_stack([rng.integers(0, 12, 500), rng.normal(size=500)])
    y = np.isin(x[:, 0], [1, 5, 7]) + x[:, 1]
    params = {"feature_types": ["c", "q"], **FEW}
    original = xgboost.XGBRegressor(**params).fit(x, y)
    x[::9, 0] = np.nan
    np.testing.assert_allclose(
        nonet.from_xgboost(original).predict(x), original.predict(x), rtol=1e-5, atol=1e-6
    )


def test_shapley_values_are_those_of_xgboost():
    original = xgboost.XGBRegressor(**FEW).fit(FRAME, Y)
    rows = FRAME[:50]
    matrix = xgboost.DMatrix(rows, enable_categorical=True)
    expected = original.get_booster().predict(matrix, pred_contribs=True)
    found = nonet.shap_values(nonet.from_xgboost(original), rows)
    np.testing.assert_allclose(found.values, expected[:, :-1], atol=1e-5)
    np.testing.assert_allclose(found.base, expected[0, -1], atol=1e-5)


def test_best_iteration_is_kept():
    model = xgboost.XGBRegressor(
        n_estimators=300, learning_rate=0.5, early_stopping_rounds=3, enable_categorical=True
    )
    model.fit(FRAME[:200], Y[:200], eval_set=[(FRAME[200:], Y[200:])], verbose=False)
    ours = nonet.from_xgboost(model)
    assert ours.best_iteration_ == model.best_iteration + 1 < ours.n_iter_
    np.testing.assert_allclose(ours.predict(FRAME), model.predict(FRAME), rtol=1e-5, atol=1e-5)
    booster = model.get_booster()
    whole = booster.predict(xgboost.DMatrix(FRAME, enable_categorical=True))
    np.testing.assert_allclose(
        nonet.from_xgboost(booster).predict(FRAME), whole, rtol=1e-5, atol=1e-5
    )


def test_file_is_read_as_the_model(tmp_path):
    original = xgboost.XGBClassifier(**FEW).fit(FRAME, CODES)
    path = tmp_path / "model.json"
    original.save_model(path)
    ours = nonet.from_xgboost(path, classes=["low", "middle", "high"])
    assert np.array_equal(
        ours.predict_proba(FRAME), nonet.from_xgboost(original).predict_proba(FRAME)
    )
    assert (
        ours.predict(FRAME) == np.array(["low", "middle", "high"])[original.predict(FRAME)]
    ).all()
    assert set(LABELS) == set(ours.classes_)


def test_ranking_becomes_a_regression_of_scores():
    ranker = xgboost.XGBRanker(**FEW).fit(FRAME, CODES, qid=np.repeat(range(4), 100))
    ours = nonet.from_xgboost(ranker)
    np.testing.assert_allclose(ours.predict(FRAME), ranker.predict(FRAME), atol=1e-5)


@pytest.mark.parametrize(
    ("params", "sentence"),
    [
        ({"booster": "gblinear"}, "only trees can be read"),
        ({"objective": "binary:hinge"}, "no model with its link"),
        ({"multi_strategy": "multi_output_tree"}, "several outputs|cannot be read|damaged"),
    ],
)
def test_what_trees_of_nonet_cannot_do_is_refused(params, sentence):
    several = "multi_strategy" in params
    y = np.column_stack([Y, -Y]) if several else (CODES > 0).astype(float)
    model = xgboost.XGBRegressor(n_estimators=3, **params).fit(FRAME.iloc[:, 1:4].fillna(0), y)
    with pytest.raises(nonet.ModelFileError, match=sentence):
        nonet.from_xgboost(model)


@pytest.mark.parametrize("missing", [0.0, -999])
def test_another_missing_value_is_refused(missing):
    rows = np.random.default_rng(0).integers(0, 4, (100, 2)).astype(float)
    model = xgboost.XGBRegressor(n_estimators=3, missing=missing).fit(rows, rows[:, 0])
    with pytest.raises(nonet.ModelFileError, match="for a missing value"):
        nonet.from_xgboost(model)


# ---- Damaged documents -------------------------------------------------------------------------


def _document():
    model = xgboost.XGBRegressor(n_estimators=3, max_depth=3).fit(FRAME.iloc[:, :4], Y)
    return json.loads(model.get_booster().save_raw("json"))


def _tree(document):
    return document["learner"]["gradient_booster"]["model"]["trees"][0]


DAMAGES = {
    "child out of range": lambda d: _tree(d)["left_children"].__setitem__(0, 900),
    "circle": lambda d: _tree(d)["left_children"].__setitem__(1, 0),
    "column out of range": lambda d: _tree(d)["split_indices"].__setitem__(0, 99),
    "negative column": lambda d: _tree(d)["split_indices"].__setitem__(0, -5),
    "short array": lambda d: _tree(d)["split_conditions"].pop(),
    "words": lambda d: _tree(d)["split_conditions"].__setitem__(0, "x"),
    "no trees": lambda d: d["learner"]["gradient_booster"]["model"].pop("trees"),
    "too few scores": lambda d: d["learner"]["gradient_booster"]["model"].update(tree_info=[0, 0]),
    "score out of range": lambda d: d["learner"]["gradient_booster"]["model"].update(
        tree_info=[0, 5, 0]
    ),
    "base score": lambda d: d["learner"]["learner_model_param"].update(base_score="[x]"),
    "infinite base score": lambda d: d["learner"]["learner_model_param"].update(base_score="1e99"),
    "version of the future": lambda d: d.update(version=[9, 0, 0]),
    "version is a word": lambda d: d.update(version="new"),
    "version is null": lambda d: d.update(version=[None]),
    "huge number of columns": lambda d: d["learner"]["learner_model_param"].update(
        num_feature="99999999999999"
    ),
}


@pytest.mark.parametrize("damage", DAMAGES, ids=lambda name: name.replace(" ", "_"))
def test_damaged_document_ends_in_one_sentence(damage, tmp_path):
    document = _document()
    DAMAGES[damage](document)
    path = tmp_path / "model.json"
    path.write_text(json.dumps(document))
    with pytest.raises(nonet.ModelFileError) as caught:
        nonet.from_xgboost(path)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("content", [b"", b"[]", b"{}", b"\xff\x00", b'{"learner": 3}', b"tree\n"])
def test_other_files_end_in_one_sentence(content, tmp_path):
    path = tmp_path / "model.json"
    path.write_bytes(content)
    with pytest.raises(nonet.ModelFileError, match="no JSON document of XGBoost"):
        nonet.from_xgboost(path)


def test_missing_file_and_other_objects_are_refused(tmp_path):
    with pytest.raises(nonet.ModelFileError, match="cannot be read"):
        nonet.from_xgboost(tmp_path / "none.json")
    with pytest.raises(TypeError, match="from_xgboost reads fitted models of XGBoost"):
        nonet.from_xgboost(nonet.BoostedTreesRegressor())


def test_mutated_document_never_crashes(tmp_path):
    content, rows = json.dumps(_document()).encode(), FRAME.iloc[:, :4]
    outcomes = outcomes_of_mutants(nonet.from_xgboost, content, rows, tmp_path / "model.json")
    assert outcomes == {"read", "refused"}
