"""Files of all format versions stay readable, and predict what they predicted when written."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import numpy as np
import pytest

import nonet
from data.model_files import write
from nonet import ModelFileError
from nonet.persist.codecs.nonet_classes import FORMER_NAMES, nonet_classes
from nonet.persist.manifest import VERSION
from persist.rewriting import with_manifest, with_records

FOLDER = Path(__file__).parents[1] / "data" / "model_files"
FILES = sorted(FOLDER.glob("version_*/*.nonet"))
OWN = [path for path in FILES if path.stem != "with_sklearn"]
# Class names that files of the format may hold: one that is renamed needs a line in FORMER_NAMES.
NAMES = (FOLDER / "class_names.txt").read_text().split()


def identify(path):
    return f"{path.parent.name}/{path.stem}"


def test_every_version_of_the_format_has_golden_files():
    versions = {path.parent.name for path in FILES}
    assert versions == {f"version_{number}" for number in range(1, VERSION + 1)}
    assert {path.stem for path in FILES if path.parent.name == f"version_{VERSION}"} == set(
        write.models()
    )


@pytest.mark.parametrize("path", OWN, ids=identify)
def test_golden_file_predicts_what_it_predicted_when_written(path):
    assert_predicts_as_before(path)


def assert_predicts_as_before(path):
    expected = json.loads((path.parent / "predictions.json").read_text())[path.stem]
    found = write.expected(nonet.load(path))
    # Not to the last bit: exponentials of other processors round differently.
    np.testing.assert_allclose(as_numbers(found), as_numbers(expected), rtol=1e-12)


def as_numbers(texts):
    return [float.fromhex(text) for text in texts]


@pytest.mark.parametrize("path", OWN, ids=identify)
def test_golden_file_of_own_parts_needs_no_version_of_scikit_learn(path, monkeypatch):
    assert nonet.describe_file(path).requires == {}
    monkeypatch.setattr("sklearn.__version__", "99.0")
    nonet.load(path)


@pytest.mark.parametrize("path", FILES, ids=identify)
def test_golden_file_is_small_and_described(path):
    about = nonet.describe_file(path)
    assert path.stat().st_size < 16_000
    assert about.format_version == int(path.parent.name.removeprefix("version_"))
    assert about.columns["count"] == 4


def test_golden_file_with_scikit_learn_is_read_in_its_range_only():
    path = FOLDER / f"version_{VERSION}" / "with_sklearn.nonet"
    first, end = nonet.describe_file(path).requires["scikit-learn"]
    installed = tuple(int(part) for part in sys.modules["sklearn"].__version__.split(".")[:2])
    if tuple(map(int, first.split("."))) <= installed < tuple(map(int, end.split("."))):
        assert_predicts_as_before(path)
    else:
        with pytest.raises(ModelFileError, match="install one of these"):
            nonet.load(path)


def test_class_names_of_files_stay_known():
    """Add new names to class_names.txt; an old one that is gone needs a line in FORMER_NAMES."""
    assert set(NAMES) - set(nonet_classes()) == set()
    assert set(FORMER_NAMES.values()) <= set(nonet_classes())


def test_class_of_a_former_name_is_read(monkeypatch):
    def rename(records):
        for record in records:
            if record.get("class") == "DecisionTreeClassifier":
                record["class"] = "OldTree"

    path = FOLDER / "version_1" / "tree.nonet"
    content = with_manifest(with_records(path.read_bytes(), rename), **{"class": "OldTree"})
    with pytest.raises(ModelFileError, match="OldTree"):
        nonet.load(io.BytesIO(content))
    monkeypatch.setitem(FORMER_NAMES, "OldTree", "DecisionTreeClassifier")
    nonet_classes.cache_clear()
    try:
        assert type(nonet.load(io.BytesIO(content))) is nonet.DecisionTreeClassifier
    finally:
        monkeypatch.undo()
        nonet_classes.cache_clear()


def test_parameter_that_came_later_gets_its_default():
    def forget(records):
        for record in records:
            if record.get("class") == "RandomForestClassifier":
                del record["state"]["max_samples"], record["state"]["draw_features"]

    path = FOLDER / "version_1" / "forest.nonet"
    loaded = nonet.load(io.BytesIO(with_records(path.read_bytes(), forget)))
    fresh = nonet.RandomForestClassifier()
    assert loaded.max_samples == fresh.max_samples
    assert loaded.draw_features == fresh.draw_features
