"""Keys of tasks and hashes of data."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

from nonet.auto import task_key as module
from nonet.auto.task_key import hash_arrays, task_key

CONFIGURATION = {"learning_rate": 0.1, "depth": 3, "columns": (1, 2), "name": "é"}


def key(**changes):
    given = {"data": "d", "folds": "f", "configuration": CONFIGURATION, "fold": 0, "seed": 1}
    given |= changes
    return task_key(*given.values())


def test_key_depends_on_everything(monkeypatch):
    keys = [
        key(),
        key(data="e"),
        key(folds="g"),
        key(configuration=CONFIGURATION | {"depth": 4}),
        key(configuration=CONFIGURATION | {"learning_rate": np.nextafter(0.1, 1)}),
        key(fold=1),
        key(seed=2),
    ]
    monkeypatch.setattr(module, "version", lambda name: "99")
    keys.append(key())
    assert len(set(keys)) == len(keys)


def test_key_does_not_depend_on_order_or_number_types():
    other = dict(reversed(CONFIGURATION.items()))
    assert key(configuration=other | {"depth": np.int32(3)}, fold=np.int64(0)) == key()


def test_key_is_equal_in_another_process():
    code = (
        "from nonet.auto.task_key import *; "
        f"print(task_key('d', 'f', {CONFIGURATION!r}, 0, 1), hash_arrays(np.arange(3)))"
    )
    command = [sys.executable, "-X", "utf8", "-c", "import numpy as np; " + code]
    out = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert out.split() == [key(), hash_arrays(np.arange(3))]


def test_rejects_configuration_with_objects():
    with pytest.raises(TypeError, match="describe it by its name"):
        key(configuration={"estimator": object()})


@pytest.mark.parametrize("dtype", ["f8", "f4", "i8", "u1", "?", "U3", "M8[us]", "O"])
def test_hash_sees_one_changed_value(dtype):
    array = np.array([0, 1, 1, 0], dtype="i8").astype(dtype)
    other = array.copy()
    other[2] = array[0]
    assert hash_arrays(array) != hash_arrays(other)
    assert hash_arrays(array) == hash_arrays(array.copy())


def test_hash_does_not_depend_on_memory(monkeypatch):
    array = np.random.default_rng(0).normal(size=(50, 7))
    expected = hash_arrays(array)
    monkeypatch.setattr(module, "_BYTES_PER_BLOCK", 100)
    for same in (np.asfortranarray(array), array.astype(">f8"), np.repeat(array, 2, axis=0)[::2]):
        assert hash_arrays(same) == expected


def test_hash_sees_shapes_dtypes_and_bounds_of_arrays():
    a = np.arange(6.0)
    hashes = [
        hash_arrays(*arrays)
        for arrays in (
            [a],
            [a.reshape(2, 3)],
            [a.reshape(3, 2)],
            [a.astype("f4")],
            [a, None],
            [None, a],
            [a[:3], a[3:]],
            [a[:2], a[2:]],
            [np.array(["ab", "c"], dtype=object)],
            [np.array(["a", "bc"], dtype=object)],
            [np.array([1, 2], dtype=object)],
            [np.array(["1", "2"], dtype=object)],
        )
    ]
    assert len(set(hashes)) == len(hashes)
