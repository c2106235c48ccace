"""Records and arrays that someone has changed end in one sentence, never in a crash."""

from __future__ import annotations

import io
import json
import struct

import pytest
from sklearn import svm
from sklearn.datasets import make_classification

import nonet
from nonet import ModelFileError
from nonet.persist.codecs.nonet_classes import nonet_classes
from persist.rewriting import pack, refuses, saved, unpack, with_parts, with_records

X, Y = make_classification(n_samples=80, n_features=6, random_state=0)

MEMBERS = [("own", nonet.DecisionTreeClassifier(max_depth=3)), ("theirs", svm.SVC())]
CONTENT = saved(nonet.VotingClassifier(MEMBERS).fit(X, Y))


# ---- The records ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "record",
    [
        {"kind": "os.system"},
        {"kind": "nonet", "class": "Popen", "state": {}},
        {"kind": "nonet", "class": "DecisionTreeClassifier", "state": {}},
        {"kind": "sklearn", "class": "FunctionTransformer", "state": {}},
        {"kind": "function", "name": "os.system"},
        {"kind": "function", "name": "nonet.save"},
        {"kind": "type", "name": "subprocess.Popen"},
        {"kind": "partial", "function": 3, "items": [], "names": {}},
        {"kind": "list", "items": [{"@": 10**9}]},
        {"kind": "list", "items": [{"@": -1}]},
        {"kind": "list", "items": [{"@": 0}]},
        {"kind": "list", "items": [[1]]},
        {"kind": "list", "items": 7},
        {"kind": "list", "trees": 0, "start": 0, "count": 10**12},
        {"kind": "list", "trees": 99, "start": 0, "count": 1},
        {"kind": "tree", "trees": 0, "start": -1},
        {"kind": "tree", "trees": "../x", "start": 0},
        {"kind": "dict", "items": [[1]]},
        {"kind": "array", "part": "model.json"},
        {"kind": "array", "part": "nothing.npy"},
        {"kind": "array", "objects": [1, 2], "shape": [3]},
        {"kind": "array", "objects": [], "shape": [0] * 40},
        {"kind": "array", "dtype": "<i2", "numbers": [70000]},
        {"kind": "array", "dtype": "O", "numbers": [1]},
        {"kind": "array", "dtype": "V8", "numbers": [1]},
        {"kind": "scalar", "npy": "zz"},
        {"kind": "bytes", "base64": "!"},
        {"kind": "float", "value": "__import__"},
        {"kind": "slice", "items": [1, 2]},
        {"kind": "range", "items": [0, 1, 0]},
        {"kind": "random_state", "words": 0, "position": 0, "has_gauss": 0, "gauss": 0.0},
        {"kind": "generator", "name": "os"},
        {"kind": "pickle", "part": "arrays/0.npy"},
        {"kind": "sparse", "format": "csr_matrix", "shape": [2, 2], "data": 1},
        {"kind": "sklearn_loss", "class": "HuberLoss", "argument": "x"},
        {"kind": 3},
        [],
        "record",
    ],
    ids=lambda record: json.dumps(record)[:50],
)
def test_odd_record_is_refused(record):
    refuses(with_records(CONTENT, lambda records: records.insert(0, record)))


def test_pickle_is_never_read_without_trust(tmp_path):
    """The manifest may hide it: the record itself needs trust."""
    bomb = b"cposix\nsystem\n(S'touch %s'\ntR." % bytes(tmp_path / "pwned")
    record = {"kind": "pickle", "part": "pickles/0.pickle"}
    manifest, parts = unpack(with_records(CONTENT, lambda records: records.insert(0, record)))
    parts["pickles/0.pickle"] = bomb
    refuses(pack(manifest, parts), "pickled object")
    assert not (tmp_path / "pwned").exists()


def test_nested_references_cannot_take_for_ever():
    def nest(records):
        deep = [{"kind": "tuple", "items": [1]}]
        deep += [{"kind": "tuple", "items": [{"@": i}, {"@": i}]} for i in range(60)]
        records[:] = deep

    refuses(with_records(CONTENT, nest), "too often")


def test_key_that_is_not_a_scalar_is_refused():
    def add(records):
        records[:0] = [
            {"kind": "list", "items": []},
            {"kind": "dict", "items": [[{"@": 0}, 1]]},
        ]

    refuses(with_records(CONTENT, add), "not a scalar")


@pytest.mark.parametrize(
    "name", ["predict", "__class__", "__dict__", "n_jobs.x", "", "a" * 200, "classes_"]
)
def test_attribute_over_a_method_is_refused(name):
    def add(records):
        for record in records:
            if record.get("class") == "VotingClassifier":
                record["state"][name] = 1

    content = with_records(CONTENT, add)
    if name == "classes_":  # a value of another type is the author's, and ends in an exception
        assert nonet.load(io.BytesIO(content)).classes_ == 1
    else:
        refuses(content)


# ---- Arrays --------------------------------------------------------------------------------------


def header(text, version=b"\x01\x00"):
    text = text.encode() + b"\n"
    return b"\x93NUMPY" + version + struct.pack("<H", len(text)) + text


@pytest.mark.parametrize(
    "part",
    [
        b"",
        b"\x93NUMPY",
        header("{'descr': '<f8', 'fortran_order': False, 'shape': (1000000000000,), }"),
        header("{'descr': '<f8', 'fortran_order': False, 'shape': (2,), }") + bytes(15),
        header("{'descr': '<f8', 'fortran_order': False, 'shape': (2,), }") + bytes(17),
        header("{'descr': '|O', 'fortran_order': False, 'shape': (1,), }") + bytes(8),
        header("{'descr': '|V0', 'fortran_order': False, 'shape': (5,), }"),
        header("{'descr': '<f8', 'fortran_order': False, 'shape': (-1,), }"),
        header("{'descr': '<f8', 'fortran_order': False, 'shape': (" + "9" * 5000 + ",), }"),
        header("{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (1,), }") + bytes(8),
        header("__import__('os').system('true')"),
        header("{'descr': '<f8', 'fortran_order': False, 'shape': (2,), }", b"\x02\x00")
        + bytes(16),
        header("{'descr': '|b1', 'fortran_order': False, 'shape': (1,), }") + b"\x07",
        header("{'descr': '<U1', 'fortran_order': False, 'shape': (1,), }") + b"\xff" * 4,
        b"\x80\x04K\x01.",
    ],
    ids=range(15),
)
def test_odd_array_is_refused(part):
    def change(parts):
        parts[next(name for name in parts if name.endswith(".npy"))] = part

    refuses(with_parts(CONTENT, change), "part 'arrays/")


def test_objects_of_any_class_without_their_attributes_end_in_a_sentence():
    for name in nonet_classes():
        record = {"kind": "nonet", "class": name, "state": {"x": 1}}
        content = with_records(CONTENT, lambda records, record=record: records.insert(0, record))
        with pytest.raises(ModelFileError):  # the record, or the references that it has moved
            nonet.load(io.BytesIO(content))
