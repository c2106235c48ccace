from __future__ import annotations

import io
import json
import os
import zipfile

import numpy as np
import pytest
from sklearn.model_selection import TimeSeriesSplit
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import nonet
from nonet import Ledger, ModelFileError, VotingClassifier, make_ledger
from nonet._base.archive import write_archive
from nonet._base.plain_arrays import array_to_bytes

RNG = np.random.default_rng(0)
X = RNG.normal(size=(60, 3))
LABELS = np.where(X[:, 0] + 0.5 * RNG.normal(size=60) > 0, "yes", "no")
MODELS = [("bayes", GaussianNB()), ("tree", DecisionTreeClassifier(max_depth=2, random_state=0))]


@pytest.mark.parametrize("y", [LABELS, LABELS.astype(object), (LABELS == "yes").astype(int)])
def test_saved_ledger_comes_back_equal(y, tmp_path):
    ledger = make_ledger(MODELS, X, y, cv=TimeSeriesSplit(4))
    ledger.save(tmp_path / "record.ledger")
    back = Ledger.load(tmp_path / "record.ledger")
    np.testing.assert_array_equal(back.outputs, ledger.outputs)
    np.testing.assert_array_equal(back.coverage, ledger.coverage)
    np.testing.assert_array_equal(back.target, ledger.target)
    np.testing.assert_array_equal(back.classes[0], ledger.classes[0])
    assert (back.names, back.kinds, back.reads) == (ledger.names, ledger.kinds, ledger.reads)
    for one, other in zip(back.held_out_rows, ledger.held_out_rows, strict=True):
        np.testing.assert_array_equal(one, other)


def test_loaded_ledger_serves_an_ensemble_as_the_first_did(tmp_path):
    ledger = make_ledger(MODELS, X, LABELS)
    ledger.save(tmp_path / "record.npz")
    vote = VotingClassifier(MODELS, voting="soft", weights="simplex")
    expected = vote.fit(X, LABELS, ledger=ledger).predict_proba(X)
    loaded = vote.fit(X, LABELS, ledger=Ledger.load(tmp_path / "record.npz"))
    np.testing.assert_array_equal(loaded.predict_proba(X), expected)


def test_file_holds_nothing_pickled(tmp_path):
    make_ledger(MODELS, X, LABELS.astype(object)).save(tmp_path / "record.ledger")
    with zipfile.ZipFile(tmp_path / "record.ledger") as stored:
        assert b"DecisionTreeClassifier(max_depth=2" in stored.read("ledger.json")
        arrays = [name for name in stored.namelist() if name.endswith(".npy")]
        assert arrays
        for name in arrays:
            np.load(io.BytesIO(stored.read(name)), allow_pickle=False)


def test_load_rejects_another_file(tmp_path):
    np.savez(tmp_path / "other.npz", coverage=np.ones(3))
    with pytest.raises(ModelFileError, match="is not a file of nonet"):
        Ledger.load(tmp_path / "other.npz")


def test_load_rejects_a_model_file(tmp_path):
    nonet.save(DecisionTreeClassifier().fit(X, LABELS), tmp_path / "tree.nonet")
    with pytest.raises(ModelFileError, match="is not a ledger, but a 'nonet model'"):
        Ledger.load(tmp_path / "tree.nonet")


def changed(path, change):
    """Write the file again after a change, with right checksums."""
    with zipfile.ZipFile(path) as stored:
        parts = {name: stored.read(name) for name in stored.namelist()}
    manifest = json.loads(parts.pop("manifest.json"))
    change(manifest, parts)
    with open(path, "wb") as file:
        write_archive(file, manifest, parts)


def test_load_rejects_another_version(tmp_path):
    path = tmp_path / "late.ledger"
    make_ledger(MODELS, X, LABELS).save(path)
    changed(path, lambda manifest, parts: manifest.update(version=99))
    with pytest.raises(ModelFileError, match="of version 2, but is of version 99"):
        Ledger.load(path)


@pytest.mark.parametrize(
    "change",
    [
        lambda parts: parts.pop("coverage.npy"),
        lambda parts: parts.update({"coverage.npy": array_to_bytes(np.ones(3))}),
        lambda parts: parts.update({"coverage.npy": array_to_bytes(np.ones((9, 2)))}),
        lambda parts: parts.update({"target.npy": array_to_bytes(np.ones(3))}),
        lambda parts: parts.update({"held_out_rows.npy": array_to_bytes(np.full(60, 10**6))}),
        lambda parts: parts.update({"predictions_0.npy": array_to_bytes(np.ones((60, 3)))}),
        lambda parts: parts.update({"ledger.json": b"[]"}),
        lambda parts: parts.update({"ledger.json": b"{}"}),
        lambda parts: parts.update(
            {"ledger.json": parts["ledger.json"].replace(b'"reads": "prob', b'"reads": "xrob')}
        ),
    ],
    ids=range(9),
)
def test_load_rejects_a_record_that_does_not_fit_its_arrays(change, tmp_path):
    path = tmp_path / "record.ledger"
    make_ledger(MODELS, X, LABELS).save(path)
    changed(path, lambda manifest, parts: change(parts))
    with pytest.raises(ModelFileError):
        Ledger.load(path)


def test_load_rejects_a_damaged_file(tmp_path):
    path = tmp_path / "record.ledger"
    make_ledger(MODELS, X, LABELS).save(path)
    content = bytearray(path.read_bytes())
    content[content.index(b"\x93NUMPY") + 200] ^= 1
    path.write_bytes(content)
    with pytest.raises(ModelFileError, match="is damaged"):
        Ledger.load(path)


def test_failed_save_leaves_the_old_file(tmp_path, monkeypatch):
    path = tmp_path / "record.ledger"
    ledger = make_ledger(MODELS, X, LABELS)
    ledger.save(path)
    before = path.read_bytes()

    def fail(*args):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(ModelFileError, match="no space left"):
        ledger.take(["bayes"]).save(path)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def test_save_rejects_labels_that_are_neither_text_nor_numbers(tmp_path):
    ledger = Ledger(("a",), "values", [np.ones((1, 1))], np.ones((1, 1)), target=np.array([None]))
    with pytest.raises(TypeError, match="text or numbers"):
        ledger.save(tmp_path / "record.npz")
