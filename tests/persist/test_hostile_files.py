"""Files that someone has changed on purpose end in one sentence, never in a crash."""

from __future__ import annotations

import io
import json
import struct
import warnings
import zipfile

import numpy as np
import pytest
from sklearn import ensemble, neighbors, preprocessing, svm, tree
from sklearn.datasets import make_classification
from sklearn.feature_extraction.text import TfidfVectorizer

import nonet
from nonet import ModelFileError
from nonet._base.archive import MAX_RATIO
from persist.rewriting import (
    pack,
    saved,
    unpack,
    with_manifest,
    with_parts,
    with_records,
    with_state,
)

X, Y = make_classification(n_samples=80, n_features=6, random_state=0)


def model():
    return nonet.VotingClassifier(
        [("own", nonet.DecisionTreeClassifier(max_depth=3)), ("theirs", svm.SVC())]
    ).fit(X, Y)


CONTENT = saved(model())
FOREST = saved(nonet.RandomForestClassifier(5, random_state=0).fit(X, Y))


def refuses(content, reason="."):
    with pytest.raises(ModelFileError, match=reason) as why:
        nonet.load(io.BytesIO(content))
    text = str(why.value)
    assert text.endswith(".")
    assert "\n" not in text
    return text


# ---- The archive ---------------------------------------------------------------------------------


def rezipped(content, change):
    """Write the parts again with zipfile itself, after `change` has had the list of them."""
    manifest, parts = unpack(content)
    entries = [("manifest.json", json.dumps(manifest).encode()), *parts.items()]
    file = io.BytesIO()
    with warnings.catch_warnings(), zipfile.ZipFile(file, "w") as archive:
        warnings.simplefilter("ignore")  # names that are there twice
        for name, part in change(entries):
            archive.writestr(name, part)
    return file.getvalue()


@pytest.mark.parametrize(
    "name",
    [
        "../evil.npy",
        "/etc/passwd",
        "a\\b.npy",
        "C:evil.npy",
        "x",
        "A.npy",
        "arrays/",
        "a/b/c/d/e.npy",
    ],
)
def test_names_with_paths_are_refused(name):
    refuses(rezipped(CONTENT, lambda parts: [*parts, (name, b"x")]), "cannot be read")


def test_name_that_is_there_twice_is_refused():
    refuses(rezipped(CONTENT, lambda parts: [*parts, parts[1]]), "the same name")


def test_part_that_is_not_in_the_manifest_is_refused():
    refuses(rezipped(CONTENT, lambda parts: [*parts, ("extra.npy", b"x")]), "does not list")


def test_part_that_is_missing_is_refused():
    refuses(rezipped(CONTENT, lambda parts: parts[:-1]), "does not list")


@pytest.mark.parametrize("kind", ["bzip2", "lzma"])
def test_unknown_compression_is_refused(kind):
    file = io.BytesIO()
    method = {"bzip2": zipfile.ZIP_BZIP2, "lzma": zipfile.ZIP_LZMA}[kind]
    with zipfile.ZipFile(file, "w", method) as archive:
        archive.writestr("manifest.json", b"{}" * 100)
    refuses(file.getvalue(), "unknown way")


def test_encrypted_part_is_refused():
    content = bytearray(CONTENT)
    directory = content.rindex(b"PK\x01\x02")
    content[directory + 8] |= 1
    refuses(bytes(content), "encrypted")


def test_zip_bomb_is_refused_before_it_is_unpacked():
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("manifest.json", b"{}")
        archive.writestr("arrays/0.npy", bytes(50_000_000))
    refuses(file.getvalue(), f"more than {MAX_RATIO} times")


def test_bomb_of_overlapping_parts_is_refused():
    """Many entries of the directory that name the same bytes."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("manifest.json", b"{}")
        archive.writestr("arrays/0.npy", bytes(1000))
        info = archive.infolist()[-1]
        for number in range(1, 50):
            again = zipfile.ZipInfo(f"arrays/{number}.npy")
            for name in ("CRC", "compress_size", "file_size", "header_offset"):
                setattr(again, name, getattr(info, name))
            archive.filelist.append(again)
    refuses(file.getvalue(), "overlap")


def test_part_that_is_longer_than_declared_is_refused():
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("manifest.json", bytes(range(256)) * 40)
    content = bytearray(file.getvalue())
    struct.pack_into("<I", content, content.rindex(b"PK\x01\x02") + 24, 100)
    refuses(bytes(content), "cannot be read|declared")


@pytest.mark.parametrize("fraction", [0.0, 0.1, 0.5, 0.9, 0.99, 0.9999])
def test_truncated_file_is_refused(fraction):
    refuses(CONTENT[: int(len(CONTENT) * fraction)])


def test_flipped_bit_in_any_part_is_refused():
    with zipfile.ZipFile(io.BytesIO(FOREST)) as archive:
        infos = archive.infolist()
    assert {"manifest.json", "model.json", "trees/0.trees"} <= {info.filename for info in infos}
    for info in infos:
        start = info.header_offset + 30 + len(info.filename)
        for position in range(start, start + info.compress_size, info.compress_size // 7):
            damaged = bytearray(FOREST)
            damaged[position] ^= 4
            refuses(bytes(damaged))


# ---- The manifest --------------------------------------------------------------------------------


def test_later_version_is_refused_with_a_way_out():
    text = refuses(with_manifest(CONTENT, version=2), "version 2")
    assert "install a later release" in text


@pytest.mark.parametrize("version", [0, -1, "1", None, 1.5, True, [1]])
def test_version_that_is_none_is_refused(version):
    refuses(with_manifest(CONTENT, version=version))


@pytest.mark.parametrize(
    "required",
    [["1.0", "1.1"], ["1.0"], "1.9", [1, 2], ["a", "b"], ["2.0", "1.0"], ["9" * 500, "9" * 600]],
)
def test_other_versions_of_scikit_learn_are_refused(required):
    refuses(with_manifest(CONTENT, requires={"scikit-learn": required}))


def test_objects_of_scikit_learn_without_a_version_are_refused():
    refuses(with_manifest(CONTENT, requires={}), "names no version")


def test_manifest_of_another_class_is_refused():
    refuses(with_manifest(CONTENT, **{"class": "BaggingClassifier"}), "another model")


def test_another_format_is_refused():
    refuses(with_manifest(CONTENT, format="nonet ledger"), "not a model file")


@pytest.mark.parametrize("field", ["class", "parameters", "columns", "facts", "requires"])
def test_manifest_without_a_field_is_refused(field):
    refuses(with_manifest(CONTENT, **{field: 7}), f"no '{field}'")


@pytest.mark.parametrize("text", [b"", b"[", b"[" * 100_000, b"NaN", b"[1e999999]x", b"\xff\xfe"])
def test_records_that_are_not_json_are_refused(text):
    refuses(with_parts(CONTENT, lambda parts: parts.update({"model.json": text})))


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


# ---- Trees ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("position", range(8, 40))
def test_native_trees_with_another_byte_are_checked(position):
    def change(parts):
        part = bytearray(parts["trees/0.trees"])
        part[position] ^= 0xFF
        parts["trees/0.trees"] = bytes(part)

    content = with_parts(FOREST, change)
    try:
        loaded = nonet.load(io.BytesIO(content))
    except ModelFileError:
        return
    assert loaded.predict_proba(X).shape == (80, 2)  # another tree, but a tree


SKLEARN_TREE = saved(tree.DecisionTreeClassifier(max_depth=3, random_state=0).fit(X, Y))


def with_node_field(name, change):
    def rewrite(records):
        for record in records:
            if record["kind"] == "sklearn_tree":
                field = records[record["nodes"][name]["@"]]
                change(field["numbers"])

    return with_records(SKLEARN_TREE, rewrite)


@pytest.mark.parametrize(
    ("field", "position", "value"),
    [
        ("left_child", 0, 0),
        ("left_child", 0, 10**9),
        ("left_child", 0, -5),
        ("right_child", 0, 1),
        ("right_child", 1, 0),
        ("feature", 0, 6),
        ("feature", 0, -1),
        ("feature", 0, 10**12),
        ("left_child", -1, 3),
        ("right_child", -1, 3),
    ],
)
def test_tree_of_scikit_learn_with_wrong_nodes_is_refused(field, position, value):
    def change(numbers):
        numbers[position] = value

    refuses(with_node_field(field, change), "tree")


@pytest.mark.parametrize("field", ["left_child", "feature", "threshold"])
def test_tree_of_scikit_learn_with_fewer_nodes_is_refused(field):
    refuses(with_node_field(field, lambda numbers: numbers.pop()), "tree")


def test_tree_of_scikit_learn_on_fewer_columns_is_refused():
    def change(records):
        for record in records:
            if record["kind"] == "sklearn_tree":
                record["n_features"] = 5000

    refuses(with_records(SKLEARN_TREE, change), "other columns")


def test_estimator_with_other_columns_than_its_tree_is_refused():
    refuses(with_state(SKLEARN_TREE, "DecisionTreeClassifier", n_features_in_=2), "other columns")


# ---- Attributes that native code of scikit-learn indexes with ----------------------------------


@pytest.mark.parametrize(
    ("attribute", "value"),
    [
        ("_n_support", np.array([10**6, 10**6], dtype=np.int32)),
        ("_n_support", np.array([1, 1, 1], dtype=np.int32)),
        ("_n_support", np.array([-5, 5], dtype=np.int32)),
        ("support_", np.array([0], dtype=np.int32)),
        ("_intercept_", np.zeros(5)),
        ("_intercept_", np.zeros(0)),
        ("_probA", np.zeros(3)),
        ("_dual_coef_", np.zeros(3)),
        ("n_features_in_", 1),
        ("support_vectors_", np.zeros(4)),
    ],
)
def test_support_vectors_of_other_sizes_are_refused(attribute, value):
    content = saved(svm.SVC().fit(X, Y))
    refuses(with_state(content, "SVC", **{attribute: value}), "of class SVC")


@pytest.mark.parametrize(
    ("attribute", "value"),
    [
        ("_y", np.full(80, 10**6)),
        ("_y", np.full(80, -3)),
        ("_y", np.zeros(3, dtype=int)),
        ("n_samples_fit_", 10**9),
        ("n_features_in_", 2),
    ],
)
def test_neighbors_with_wrong_rows_are_refused(attribute, value):
    content = saved(neighbors.KNeighborsClassifier().fit(X, Y))
    refuses(with_state(content, "KNeighborsClassifier", **{attribute: value}), "Neighbors")


def test_search_tree_of_neighbors_is_never_read():
    content = saved(neighbors.KNeighborsClassifier(algorithm="kd_tree").fit(X, Y))
    refuses(with_state(content, "KNeighborsClassifier", _tree=3), "not an attribute")


def test_vocabulary_beyond_its_columns_is_refused():
    words = TfidfVectorizer().fit(["red green", "blue"])

    def change(records):
        for record in records:
            if record.get("names", {}).get("red") is not None:
                record["names"]["red"] = 10**6

    content = saved(words)
    refuses(with_records(content, change))


def test_one_hot_codes_beyond_their_columns_are_refused():
    encoder = preprocessing.OneHotEncoder(min_frequency=3).fit(np.array([["a"] * 9 + ["b", "c"]]).T)
    content = saved(encoder)

    def change(records):
        for record in records:
            if record.get("numbers") == [0, 1, 1]:
                record["numbers"] = [0, 9999, 1]

    refuses(with_records(content, change), "unknown code")


def test_number_of_output_columns_of_an_encoder_is_computed_again():
    encoder = preprocessing.OneHotEncoder().fit([["a"], ["b"], ["c"]])

    def change(records):
        for record in records:
            if record.get("class") == "OneHotEncoder":
                records[record["state"]["_n_features_outs"]["@"]]["items"] = [1]

    loaded = nonet.load(io.BytesIO(with_records(saved(encoder), change)))
    assert loaded.transform([["c"]]).shape == (1, 3)


def test_forest_whose_tree_has_other_columns_is_refused():
    forest = ensemble.RandomForestClassifier(3, random_state=0).fit(X, Y)
    content = saved(forest)
    refuses(with_state(content, "RandomForestClassifier", n_features_in_=3), "other columns")


def test_boosting_whose_tree_splits_an_unknown_column_is_refused():
    booster = ensemble.HistGradientBoostingClassifier(max_iter=2, min_samples_leaf=5).fit(X, Y)

    def change(records):
        for record in records:
            if record["kind"] == "sklearn_predictor":
                field = records[record["nodes"]["feature_idx"]["@"]]
                if "numbers" in field:
                    field["numbers"][0] = 10**6

    refuses(with_records(saved(booster), change), "unknown column")


def test_position_of_a_random_state_beyond_its_words_is_refused():
    """NumPy reads memory at this position without a check."""
    model = nonet.DecisionTreeClassifier(max_depth=2, random_state=np.random.RandomState(0))

    def change(records):
        for record in records:
            if record["kind"] == "random_state":
                record["position"] = 10**6

    refuses(with_records(saved(model.fit(X, Y)), change), "out of its range")


# ---- Forests and boosters of nonet --------------------------------------------------------------


def test_forest_with_trees_of_other_columns_is_refused():
    refuses(with_state(FOREST, "RandomForestClassifier", n_features_in_=2), "other columns")


def test_forest_without_trees_is_refused():
    refuses(with_state(FOREST, "RandomForestClassifier", _trees=1), "no trees")
