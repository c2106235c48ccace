from __future__ import annotations

import numpy as np
import pytest
from sklearn.model_selection import TimeSeriesSplit
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from nonet import Ledger, VotingClassifier, make_ledger

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
    make_ledger(MODELS, X, LABELS.astype(object)).save(tmp_path / "record.npz")
    with np.load(tmp_path / "record.npz", allow_pickle=False) as stored:
        assert b"DecisionTreeClassifier(max_depth=2" in bytes(stored["record"])
        assert all(stored[name].dtype.kind != "O" for name in stored.files)


def test_load_rejects_another_file(tmp_path):
    np.savez(tmp_path / "other.npz", coverage=np.ones(3))
    with pytest.raises(ValueError, match="is not a ledger"):
        Ledger.load(tmp_path / "other.npz")


def test_load_rejects_another_version(tmp_path):
    record = np.frombuffer(b'{"format": "nonet ledger", "version": 99}', dtype=np.uint8)
    np.savez(tmp_path / "late.npz", record=record)
    with pytest.raises(ValueError, match="of version 1, but is .* version 99"):
        Ledger.load(tmp_path / "late.npz")


def test_save_rejects_labels_that_are_neither_text_nor_numbers(tmp_path):
    ledger = Ledger(("a",), "values", [np.ones((1, 1))], np.ones((1, 1)), target=np.array([None]))
    with pytest.raises(TypeError, match="text or numbers"):
        ledger.save(tmp_path / "record.npz")
