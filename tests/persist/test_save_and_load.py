"""What save, load and describe_file do with good and with bad input."""

from __future__ import annotations

import errno
import io
import json
import os
import pickle
import signal
import subprocess
import sys
import zipfile

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import accuracy_score

import nonet
from contracts.fitted_outputs import outputs_of
from nonet import ModelFileError, combine, decide

X, Y = make_classification(n_samples=120, n_features=6, random_state=0)
NAMES = np.where(Y == 0, "no", "yes")


def tree():
    return nonet.DecisionTreeClassifier(max_depth=3, random_state=0).fit(X, NAMES)


def saved(model, **options) -> bytes:
    file = io.BytesIO()
    nonet.save(model, file, **options)
    return file.getvalue()


def through_file(model, trust=None):
    return nonet.load(io.BytesIO(saved(model, trust=trust)), trust=trust)


def assert_one_sentence(why):
    text = str(why.value)
    assert text.endswith(".")
    assert "\n" not in text
    assert ". " not in text.replace("nonet. ", "")


# ---- What comes back -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "model",
    [
        nonet.RandomForestClassifier(20, oob_score=True, random_state=0),
        nonet.RandomForestRegressor(20, oob_score=True, random_state=0),
        nonet.BaggingClassifier(n_estimators=20, oob_score=True, random_state=0),
        nonet.RandomForestClassifier(20, oob_score=accuracy_score, random_state=0),
        nonet.ExtraTreesClassifier(20, bootstrap=True, oob_score=True, random_state=0),
        nonet.GradientBoostingClassifier(n_estimators=5, subsample=0.7, random_state=0),
    ],
    ids=["forest", "regression", "bagging", "callable", "extra_trees", "boosting"],
)
def test_out_of_bag_attributes_come_back_with_equal_bits(model):
    outputs = outputs_of(model.fit(X, Y), X, Y)
    assert any(name.startswith("oob_") and "Error" not in text for name, text in outputs.items())
    assert "Error" not in outputs["shap_values"] or "Bagging" in repr(model)
    assert outputs_of(through_file(model), X, Y) == outputs


def test_loaded_booster_goes_on_with_warm_start_as_the_saved_one_would():
    model = nonet.HistGradientBoostingRegressor(max_iter=5, warm_start=True).fit(X, X[:, 0])
    loaded = through_file(model)
    for one in (model, loaded):
        one.set_params(max_iter=9).fit(X, X[:, 0])
    np.testing.assert_array_equal(loaded.predict(X), model.predict(X))


def test_members_may_differ_on_which_columns_hold_categories():
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.normal(size=600), rng.integers(0, 6, size=(600, 2))])
    y = 5 * (X[:, 1] % 2) + 3 * (X[:, 2] % 3) + 0.1 * X[:, 0]
    few = {"n_estimators": 8, "random_state": 0}
    members = [
        (f"boosted {columns}", nonet.BoostedTreesRegressor(**few, categorical_features=columns))
        for columns in ([1], [2], [1, 2])
    ]
    members.append(("forest", nonet.ExtraTreesRegressor(**few)))
    model = nonet.VotingRegressor(members).fit(X, y)
    np.testing.assert_array_equal(through_file(model).predict(X), model.predict(X))


def test_equal_models_give_equal_files():
    assert saved(tree()) == saved(tree())


def test_one_object_in_two_attributes_comes_back_as_one():
    shared = nonet.DecisionTreeClassifier(max_depth=2)
    model = nonet.VotingClassifier([("a", shared), ("b", shared)]).fit(X, Y)
    loaded = through_file(model)
    assert loaded.estimators[0][1] is loaded.estimators[1][1]


@pytest.mark.parametrize("compression", [1, 6, 9])
def test_compressed_file_holds_the_same_model(compression):
    model = nonet.RandomForestClassifier(20, random_state=0).fit(X, Y)
    content = saved(model, compression=compression)
    assert len(content) < len(saved(model))
    loaded = nonet.load(io.BytesIO(content))
    np.testing.assert_array_equal(loaded.predict_proba(X), model.predict_proba(X))


def test_file_is_a_zip_archive_with_a_manifest_and_plain_arrays(tmp_path):
    model = nonet.GatedClassifier([("a", LogisticRegression()), ("b", tree())], cv=2).fit(X, NAMES)
    nonet.save(model, tmp_path / "gate.nonet")
    with zipfile.ZipFile(tmp_path / "gate.nonet") as archive:
        assert archive.testzip() is None
        names = archive.namelist()
        manifest = json.loads(archive.read("manifest.json"))
        arrays = [name for name in names if name.endswith(".npy")]
        for name in arrays:
            np.load(io.BytesIO(archive.read(name)), allow_pickle=False)
    assert names[0] == "manifest.json"
    assert arrays
    assert set(manifest["parts"]) == set(names) - {"manifest.json"}
    assert (manifest["format"], manifest["version"]) == ("nonet model", 1)
    assert manifest["classes"] == ["no", "yes"]


@pytest.mark.parametrize(
    "labels", [NAMES.astype(object), NAMES == "yes", Y.astype(float), Y.astype(np.int8) + 3]
)
def test_labels_of_any_type_come_back(labels):
    model = nonet.RandomForestClassifier(5, random_state=0).fit(X, labels)
    loaded = through_file(model)
    assert loaded.classes_.dtype == model.classes_.dtype
    np.testing.assert_array_equal(loaded.predict(X), model.predict(X))


@pytest.mark.parametrize(
    "settings",
    [
        {"combine": combine.mean, "voting": "soft"},
        {"decide": decide.Abstain(0.7, abstain_label=-1), "voting": "soft"},
        {"decide": decide.CallableRule(np.sum), "voting": "soft"},
        {"decide": decide.MinimumCost([[0, 1], [5, 0]]), "voting": "soft"},
    ],
    ids=["mean", "abstain", "callable", "costs"],
)
def test_rules_come_back_with_their_functions(settings):
    models = [("a", LogisticRegression()), ("b", nonet.DecisionTreeClassifier(max_depth=2))]
    model = nonet.VotingClassifier(models, **settings).fit(X, Y)
    assert outputs_of(through_file(model), X, Y) == outputs_of(model, X, Y)


def test_random_generators_come_back_in_their_state():
    for generator in (
        np.random.RandomState(3),
        np.random.default_rng(3),
        np.random.Generator(np.random.MT19937(3)),
    ):
        generator.normal(size=5)
        model = tree().set_params(random_state=generator)
        loaded = through_file(model).random_state
        np.testing.assert_array_equal(loaded.normal(size=7), generator.normal(size=7))


def test_file_can_be_any_binary_stream():
    class Pipe(io.RawIOBase):
        def __init__(self):
            self.content = b""

        def writable(self):
            return True

        def write(self, content):
            self.content += bytes(content)
            return len(content)

    pipe = Pipe()
    nonet.save(tree(), pipe)
    assert nonet.load(io.BytesIO(pipe.content)).predict(X[:1]) == tree().predict(X[:1])


# ---- Objects that are neither nonet's nor in the table -------------------------------------------


class Constant(ClassifierMixin, BaseEstimator):
    """A member that no table knows."""

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        self.n_features_in_ = X.shape[1]
        return self

    def predict(self, X):
        return np.full(len(X), self.classes_[0])


def test_save_rejects_an_unknown_member_and_names_it():
    model = nonet.VotingClassifier([("odd", Constant())]).fit(X, Y)
    with pytest.raises(ModelFileError, match=r"estimators\[0\]\[1\] is a Constant .*trust=") as why:
        saved(model)
    assert_one_sentence(why)


def test_pickled_member_needs_trust_on_both_sides():
    model = nonet.VotingClassifier([("odd", Constant())]).fit(X, Y)
    content = saved(model, trust="pickle")
    with pytest.raises(ModelFileError, match="run code when they are read.*trust") as why:
        nonet.load(io.BytesIO(content))
    assert_one_sentence(why)
    loaded = nonet.load(io.BytesIO(content), trust="pickle")
    np.testing.assert_array_equal(loaded.predict(X), model.predict(X))
    assert nonet.describe_file(io.BytesIO(content)).trust == ["pickle"]


def test_trusted_file_pickles_only_what_has_no_form():
    assert nonet.describe_file(io.BytesIO(saved(tree(), trust="pickle"))).trust == []


@pytest.mark.parametrize("trust", [None, "pickle"])
def test_save_rejects_a_lambda_function(trust):
    model = nonet.VotingClassifier(
        [("a", tree())], voting="soft", decide=decide.CallableRule(lambda support: support)
    ).fit(X, NAMES)
    with pytest.raises(ModelFileError, match="a lambda function") as why:
        saved(model, trust=trust)
    assert_one_sentence(why)


def test_save_rejects_an_object_that_contains_itself():
    model = tree()
    model.note_ = [model]
    with pytest.raises(ModelFileError, match="part of itself"):
        saved(model)


# ---- Bad input -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "model", [nonet.RandomForestClassifier(), LogisticRegression(), nonet.RandomForestClassifier]
)
def test_save_rejects_a_model_that_is_not_fitted(model, tmp_path):
    with pytest.raises(ModelFileError, match="fitted") as why:
        nonet.save(model, tmp_path / "model.nonet")
    assert_one_sentence(why)
    assert not (tmp_path / "model.nonet").exists()


@pytest.mark.parametrize("thing", [3, None, "model", X, combine.Borda()], ids=lambda t: str(t)[:9])
def test_save_rejects_what_is_not_a_model(thing):
    with pytest.raises(ModelFileError, match="needs a fitted estimator") as why:
        saved(thing)
    assert_one_sentence(why)


def test_save_and_load_reject_a_directory(tmp_path):
    for call in (lambda: nonet.save(tree(), tmp_path), lambda: nonet.load(tmp_path)):
        with pytest.raises(ModelFileError, match="director") as why:
            call()
        assert_one_sentence(why)
    assert list(tmp_path.iterdir()) == []


def test_save_rejects_a_folder_that_does_not_exist(tmp_path):
    with pytest.raises(ModelFileError, match="cannot be written: no such file") as why:
        nonet.save(tree(), tmp_path / "none" / "model.nonet")
    assert_one_sentence(why)


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
def test_save_reports_a_full_disk():
    with pytest.raises(ModelFileError, match="no space left") as why:
        nonet.save(tree(), "/dev/full")
    assert_one_sentence(why)


@pytest.mark.parametrize("failing", ["fsync", "replace"])
def test_failed_save_leaves_the_old_file_and_no_other(failing, tmp_path, monkeypatch):
    path = tmp_path / "model.nonet"
    nonet.save(tree(), path)
    before = path.read_bytes()

    def fail(*args):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, failing, fail)
    with pytest.raises(ModelFileError, match="no space left.*nothing was changed") as why:
        nonet.save(nonet.RandomForestClassifier(5).fit(X, Y), path)
    assert_one_sentence(why)
    assert path.read_bytes() == before
    assert [file.name for file in tmp_path.iterdir()] == ["model.nonet"]


def test_killed_writer_leaves_the_old_file(tmp_path):
    path = tmp_path / "model.nonet"
    nonet.save(tree(), path)
    before = path.read_bytes()
    code = (
        "import os, signal, sys, numpy as np, nonet\n"
        "os.fsync = lambda file: os.kill(os.getpid(), signal.SIGKILL)\n"
        "X = np.arange(20.0).reshape(10, 2)\n"
        "nonet.save(nonet.DecisionTreeRegressor().fit(X, X[:, 0]), sys.argv[1])\n"
    )
    done = subprocess.run([sys.executable, "-c", code, str(path)], check=False)
    assert done.returncode == -signal.SIGKILL
    assert path.read_bytes() == before


def test_save_keeps_the_mode_of_a_file_and_follows_links(tmp_path):
    path, link = tmp_path / "model.nonet", tmp_path / "link.nonet"
    nonet.save(tree(), path)
    path.chmod(0o640)
    link.symlink_to(path)
    nonet.save(nonet.RandomForestClassifier(5).fit(X, Y), link)
    assert link.is_symlink()
    assert path.stat().st_mode & 0o777 == 0o640
    assert nonet.describe_file(path).class_name == "RandomForestClassifier"


def test_load_rejects_a_renamed_pickle(tmp_path):
    path = tmp_path / "model.nonet"
    path.write_bytes(pickle.dumps(tree()))
    with pytest.raises(ModelFileError, match="is a pickle") as why:
        nonet.load(path)
    assert_one_sentence(why)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "is empty"),
        (b"hello, world", "begins with"),
        (b"\x1f\x8b\x08\x00", "compressed data"),
        (b"PK\x03\x04 and nothing more", "cannot be read"),
    ],
)
def test_load_rejects_other_files(content, reason):
    for call in (nonet.load, nonet.describe_file):
        with pytest.raises(ModelFileError, match=reason) as why:
            call(io.BytesIO(content))
        assert_one_sentence(why)


def test_load_rejects_another_zip_archive(tmp_path):
    np.savez(tmp_path / "arrays.npz", a=X)
    with pytest.raises(ModelFileError, match="cannot be read|without a manifest") as why:
        nonet.load(tmp_path / "arrays.npz")
    assert_one_sentence(why)


@pytest.mark.parametrize("path", [3, None, [1]])
def test_save_and_load_reject_what_is_not_a_path(path):
    for call in (lambda: nonet.save(tree(), path), lambda: nonet.load(path)):
        with pytest.raises(ModelFileError, match="path or as an open binary file") as why:
            call()
        assert_one_sentence(why)


def test_load_rejects_a_file_in_text_mode():
    with pytest.raises(ModelFileError, match="binary mode"):
        nonet.load(io.StringIO("text"))


@pytest.mark.parametrize("options", [{"trust": True}, {"trust": "all"}, {"compression": 10}])
def test_save_rejects_bad_options(options):
    with pytest.raises(ModelFileError, match="must be") as why:
        saved(tree(), **options)
    assert_one_sentence(why)


def test_load_stays_within_its_memory_limit():
    with pytest.raises(ModelFileError, match="more than the limit of 1000.*max_bytes") as why:
        nonet.load(io.BytesIO(saved(tree())), max_bytes=1000)
    assert_one_sentence(why)


# ---- Descriptions --------------------------------------------------------------------------------


def test_description_reports_what_is_in_the_file():
    model = nonet.RandomForestClassifier(30, oob_score=True, random_state=0)
    model.fit(X, NAMES)
    about = nonet.describe_file(io.BytesIO(saved(model)))
    assert about.class_name == "RandomForestClassifier"
    assert about.parameters["n_estimators"] == 30
    assert about.classes == ["no", "yes"]
    assert about.columns["count"] == 6
    assert about.facts["oob_score_"] == model.oob_score_
    assert about.written_by["nonet"]
    assert about.requires == {}
    assert "trees/0_0.trees" in about.part_bytes
    assert "RandomForestClassifier" in str(about)
    assert 0 < about.n_bytes <= len(saved(model))


def test_description_needs_no_codec_and_no_version(monkeypatch):
    content = saved(nonet.VotingClassifier([("a", LogisticRegression())]).fit(X, Y))
    monkeypatch.setattr("sklearn.__version__", "99.1")
    about = nonet.describe_file(io.BytesIO(content))
    assert list(about.requires) == ["scikit-learn"]
    with pytest.raises(ModelFileError, match=r"but 99\.1 is installed") as why:
        nonet.load(io.BytesIO(content))
    assert_one_sentence(why)


def test_own_parts_need_no_version_of_scikit_learn(monkeypatch):
    content = saved(tree())
    monkeypatch.setattr("sklearn.__version__", "99.1")
    np.testing.assert_array_equal(nonet.load(io.BytesIO(content)).predict(X), tree().predict(X))
