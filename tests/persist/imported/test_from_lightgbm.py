"""Models of LightGBM as boosted trees of nonet, against the originals."""

from __future__ import annotations

import io

import numpy as np
import pytest

import nonet
from nonet.persist.imported.lightgbm_text import codes_of_bits
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

lightgbm = pytest.importorskip("lightgbm")

FEW = {"n_estimators": 12, "verbose": -1, "random_state": 0}
CASES = {
    "squared error": (lightgbm.LGBMRegressor(**FEW), Y),
    "two classes": (lightgbm.LGBMClassifier(**FEW), LABELS == "high"),
    "three classes": (lightgbm.LGBMClassifier(**FEW), LABELS),
    "steep link": (lightgbm.LGBMClassifier(sigmoid=2.5, **FEW), CODES > 0),
    "poisson": (lightgbm.LGBMRegressor(objective="poisson", **FEW), COUNTS),
    "gamma": (lightgbm.LGBMRegressor(objective="gamma", **FEW), POSITIVE),
    "tweedie": (lightgbm.LGBMRegressor(objective="tweedie", **FEW), POSITIVE),
    "quantile": (lightgbm.LGBMRegressor(objective="quantile", alpha=0.8, **FEW), Y),
    "huber": (lightgbm.LGBMRegressor(objective="huber", **FEW), Y),
    "absolute error": (lightgbm.LGBMRegressor(objective="regression_l1", **FEW), Y),
    "mape": (lightgbm.LGBMRegressor(objective="mape", **FEW), POSITIVE),
    "cross entropy": (lightgbm.LGBMRegressor(objective="cross_entropy", **FEW), CODES / 2),
    "dart": (lightgbm.LGBMRegressor(boosting_type="dart", **FEW), Y),
    "random forest": (
        lightgbm.LGBMRegressor(boosting_type="rf", subsample=0.6, subsample_freq=1, **FEW),
        Y,
    ),
    "goss": (lightgbm.LGBMRegressor(data_sample_strategy="goss", **FEW), Y),
}


@pytest.fixture(scope="module", params=CASES, ids=lambda name: name.replace(" ", "_"))
def pair(request):
    model, y = CASES[request.param]
    fitted = model.fit(FRAME, y)
    return fitted, nonet.from_lightgbm(fitted)


def _raw(model, X):
    if hasattr(model, "decision_function"):
        return model.decision_function(X)
    return model.predict(X, raw_score=True)


def test_predictions_are_equal(pair):
    original, ours = pair
    if hasattr(original, "classes_"):
        assert np.array_equal(ours.classes_, original.classes_)
        assert np.array_equal(ours.predict(FRAME), original.predict(FRAME))
        found, expected = ours.predict_proba(FRAME), original.predict_proba(FRAME)
    else:
        found, expected = ours.predict(FRAME), original.predict(FRAME)
    np.testing.assert_allclose(found, expected, rtol=1e-12)


def test_rows_reach_the_same_leaves(pair):
    original, ours = pair
    assert_same_leaves(ours.apply(FRAME), original.predict(FRAME, pred_leaf=True))


def test_model_goes_into_a_file_and_back(pair):
    _, ours = pair
    file = io.BytesIO()
    nonet.save(ours, file)
    file.seek(0)
    assert np.array_equal(nonet.load(file).predict(FRAME), ours.predict(FRAME))


def test_unseen_and_missing_categories_go_where_lightgbm_sends_them():
    original = lightgbm.LGBMRegressor(**FEW).fit(FRAME, Y)
    ours = nonet.from_lightgbm(original)
    odd = FRAME.copy()
    odd["word"] = odd["word"].cat.set_categories([*"pqrstuvw", "new"])
    odd.loc[::2, "word"] = "new"
    odd.loc[1::4, "word"] = None
    expected = original.predict(odd)
    np.testing.assert_allclose(ours.predict(odd), expected, rtol=1e-12)


def test_numbers_as_categories_need_no_levels():
    X = FRAME.assign(word=FRAME["word"].cat.codes, number=FRAME["number"].cat.codes).to_numpy()
    original = lightgbm.LGBMRegressor(**FEW).fit(X, Y, categorical_feature=[4, 5])
    ours = nonet.from_lightgbm(original)
    assert ours.is_categorical_[4]
    assert not ours.is_categorical_[:4].any()
    np.testing.assert_allclose(ours.predict(X), original.predict(X), rtol=1e-12)
    X[::3, 4] = 99
    np.testing.assert_allclose(ours.predict(X), original.predict(X), rtol=1e-12)


def test_rows_on_thresholds_go_left():
    x = np.repeat(np.arange(20.0), 20)[:, np.newaxis]
    original = lightgbm.LGBMRegressor(**FEW).fit(x, x[:, 0] ** 2)
    ours = nonet.from_lightgbm(original)
    thresholds = original.booster_.trees_to_dataframe()["threshold"].dropna().to_numpy(float)
    nearby = np.concatenate([thresholds, np.nextafter(thresholds, np.inf), [np.nan, 0.0]])
    np.testing.assert_allclose(
        ours.predict(nearby[:, None]), original.predict(nearby[:, None]), rtol=1e-12
    )


def test_shapley_values_are_those_of_lightgbm():
    original = lightgbm.LGBMRegressor(**FEW).fit(FRAME, Y)
    ours = nonet.from_lightgbm(original)
    expected = original.predict(FRAME[:50], pred_contrib=True)
    found = nonet.shap_values(ours, FRAME[:50])
    np.testing.assert_allclose(found.values, expected[:, :-1], atol=1e-10)
    np.testing.assert_allclose(found.base, expected[0, -1])


def test_importances_are_gains():
    original = lightgbm.LGBMRegressor(importance_type="gain", **FEW).fit(FRAME, Y)
    gains = original.feature_importances_ / original.feature_importances_.sum()
    np.testing.assert_allclose(nonet.from_lightgbm(original).feature_importances_, gains, atol=1e-6)


def test_best_iteration_is_the_last_round():
    stop = lightgbm.early_stopping(3, verbose=False)
    model = lightgbm.LGBMRegressor(n_estimators=300, learning_rate=0.5, verbose=-1)
    X, y = FRAME[:200], Y[:200]
    model.fit(X, y, eval_X=FRAME[200:], eval_y=Y[200:], callbacks=[stop])
    ours = nonet.from_lightgbm(model)
    assert ours.n_iter_ == model.best_iteration_ < 300
    np.testing.assert_allclose(ours.predict(FRAME), model.predict(FRAME), rtol=1e-12)


def test_file_and_booster_are_read_as_the_model(tmp_path):
    original = lightgbm.LGBMClassifier(**FEW).fit(FRAME, LABELS)
    path = tmp_path / "model.txt"
    original.booster_.save_model(path)
    expected = nonet.from_lightgbm(original).predict_proba(FRAME)
    for source in (path, str(path), original.booster_):
        ours = nonet.from_lightgbm(source)
        assert ours.classes_.tolist() == [0, 1, 2]
        assert np.array_equal(ours.predict_proba(FRAME), expected)
    named = nonet.from_lightgbm(path, classes=["a", "b", "c"])
    assert set(named.predict(FRAME)) <= set("abc")
    with pytest.raises(ValueError, match="classes must be a list of 3 labels"):
        nonet.from_lightgbm(path, classes=["a", "b"])
    with pytest.raises(ValueError, match="3 different labels"):
        nonet.from_lightgbm(path, classes=["a", "b", "a"])


def test_boosting_goes_on_from_the_model():
    original = lightgbm.LGBMRegressor(**FEW).fit(FRAME, Y)
    first = nonet.from_lightgbm(original)
    longer = nonet.BoostedTreesRegressor(n_estimators=20, preset="fast")
    longer.fit(FRAME, Y, init_model=first)
    assert longer.n_iter_ == 12 + 20
    before = np.mean((first.predict(FRAME) - Y) ** 2)
    assert np.mean((longer.predict(FRAME) - Y) ** 2) < before


def test_ranking_becomes_a_regression_of_scores():
    ranker = lightgbm.LGBMRanker(**FEW).fit(FRAME, CODES, group=[100] * 4)
    ours = nonet.from_lightgbm(ranker)
    assert type(ours) is nonet.BoostedTreesRegressor
    np.testing.assert_allclose(ours.predict(FRAME), ranker.predict(FRAME), rtol=1e-12)


@pytest.mark.parametrize(
    ("params", "sentence"),
    [
        ({"linear_tree": True}, "linear models in its leaves"),
        ({"reg_sqrt": True}, "square roots"),
        ({"zero_as_missing": True}, "zeros for missing values"),
    ],
)
def test_what_trees_of_nonet_cannot_do_is_refused(params, sentence):
    rows = np.where(np.random.default_rng(0).random((400, 3)) < 0.5, 0, FRAME.iloc[:, 1:4])
    model = lightgbm.LGBMRegressor(**params, **FEW).fit(rows, POSITIVE)
    with pytest.raises(nonet.ModelFileError, match=sentence):
        nonet.from_lightgbm(model)


def test_objective_with_another_link_is_refused():
    model = lightgbm.LGBMClassifier(objective="multiclassova", **FEW).fit(FRAME, LABELS)
    with pytest.raises(nonet.ModelFileError, match="objective 'multiclassova' cannot be read"):
        nonet.from_lightgbm(model)


# ---- Damaged files -----------------------------------------------------------------------------


def _text():
    return lightgbm.LGBMRegressor(**FEW).fit(FRAME, Y).booster_.model_to_string()


def _changed(line, new):
    def change(text):
        rows = text.splitlines()
        position = next(i for i, row in enumerate(rows) if row.startswith(line))
        return "\n".join([*rows[:position], new(rows[position]), *rows[position + 1 :]])

    return change


DAMAGES = {
    "cut in a tree": lambda text: text[: text.index("Tree=3") + 60],
    "child out of range": _changed("left_child", lambda row: row.replace("=", "=900 ", 1)),
    "circle": _changed("left_child", lambda row: "left_child=" + "0 " * len(row.split())),
    "column out of range": _changed("split_feature", lambda row: row.replace("=", "=77 ", 1)),
    "words for numbers": _changed("threshold", lambda row: row.replace(".", "x")),
    "missing line": _changed("leaf_value", lambda row: ""),
    "many leaves": _changed("num_leaves", lambda row: "num_leaves=999999999999"),
    "no leaves": _changed("num_leaves", lambda row: "num_leaves=0"),
    "infinite threshold": _changed("threshold", lambda row: "threshold=" + "nan " * 30),
    "version of the future": _changed("version=", lambda row: "version=v9"),
    "set out of range": _changed("cat_boundaries", lambda row: "cat_boundaries=0 99"),
}


@pytest.mark.parametrize("damage", DAMAGES, ids=lambda name: name.replace(" ", "_"))
def test_damaged_text_ends_in_one_sentence(damage, tmp_path):
    path = tmp_path / "model.txt"
    path.write_text(DAMAGES[damage](_text()))
    with pytest.raises(nonet.ModelFileError):
        nonet.from_lightgbm(path)


@pytest.mark.parametrize("content", [b"", b"hello", b"\xff\xfe\x00", b'{"learner": {}}'])
def test_other_files_end_in_one_sentence(content, tmp_path):
    path = tmp_path / "model.txt"
    path.write_bytes(content)
    with pytest.raises(nonet.ModelFileError, match=r"no model text of LightGBM|cannot be read"):
        nonet.from_lightgbm(path)


def test_missing_file_and_other_objects_are_refused(tmp_path):
    with pytest.raises(nonet.ModelFileError, match="cannot be read"):
        nonet.from_lightgbm(tmp_path / "none.txt")
    with pytest.raises(TypeError, match="from_lightgbm reads fitted models of LightGBM"):
        nonet.from_lightgbm(nonet.BoostedTreesRegressor())


def test_mutated_file_never_crashes(tmp_path):
    trees, parameters, tail = _text().encode().partition(b"\nparameters:")
    path = tmp_path / "model.txt"

    def read(path):
        path.write_bytes(path.read_bytes() + parameters + tail)
        return nonet.from_lightgbm(path)

    outcomes = outcomes_of_mutants(read, trees, FRAME, path, b"0123456789-. =\nae")
    assert outcomes == {"read", "refused"}


def test_bits_of_words():
    assert codes_of_bits(np.array([1 << 31, 3], dtype=np.uint32)).tolist() == [31, 32, 33]
