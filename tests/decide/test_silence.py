from __future__ import annotations

import numpy as np
import pytest

from nonet.decide import decode, resolve_abstain_label


@pytest.mark.parametrize(
    "classes",
    [[-1, 1], [1, 2, 3], [-1.0, 1.0], np.array([1, 2], dtype=np.uint8), np.array([1, 2], object)],
    ids=str,
)
def test_default_label_is_the_notes_class_zero(classes):
    label = resolve_abstain_label(None, classes)
    assert label == 0
    assert not isinstance(label, bool)


@pytest.mark.parametrize(
    ("classes", "reason"),
    [
        ([0, 1], "0 is already a class"),
        ([0.0, 2.5], "0 is already a class"),
        (["cat", "dog"], "the classes are text"),
        (np.array(["cat", "dog"], object), "the classes are text"),
        (np.array([b"cat", b"dog"]), "the classes are objects"),
        (np.array(["cat", 3], object), "the classes are objects"),
    ],
    ids=str,
)
def test_missing_default_requires_a_label(classes, reason):
    with pytest.raises(ValueError, match=f"{reason}.*abstain_label"):
        resolve_abstain_label(None, classes)


@pytest.mark.parametrize(
    ("label", "classes"),
    [
        (1, [0, 1]),
        (np.int64(1), [0, 1]),
        (1.0, [0.5, 1.0]),
        ("dog", ["cat", "dog"]),
        ("dog", np.array(["cat", "dog"], object)),
        (0, [0, 1]),
        (0.1, np.array([0.1, 0.2], np.float32)),
    ],
    ids=str,
)
def test_resolve_abstain_label_rejects_a_class(label, classes):
    with pytest.raises(ValueError, match="is one of the classes: choose a label"):
        resolve_abstain_label(label, classes)


@pytest.mark.parametrize(
    ("label", "classes"),
    [
        (0, ["cat", "dog"]),
        ("?", [1, 2]),
        ("?", np.array([1, 2], object)),
        (0.5, [1, 2]),
        (True, [1, 2]),
        (np.nan, [1.0, 2.0]),
        (np.inf, [1.0, 2.0]),
        ([3], [1, 2]),
        (-1, np.array([1, 2], np.uint8)),
        (300, np.array([1, 2], np.uint8)),
        (1e300, np.array([1, 2], np.float32)),
        ("?", np.array([b"cat", b"dog"])),
    ],
    ids=str,
)
def test_resolve_abstain_label_rejects_what_does_not_fit_the_classes(label, classes):
    with pytest.raises(ValueError, match="abstain_label must fit the classes, which are"):
        resolve_abstain_label(label, classes)


@pytest.mark.parametrize("label", [None, 0, "?"])
def test_resolve_abstain_label_rejects_two_truth_values(label):
    with pytest.raises(ValueError, match="False and True leave no value"):
        resolve_abstain_label(label, [False, True])


@pytest.mark.parametrize(
    ("label", "classes", "dtype"),
    [
        (-1, np.array([0, 1], np.int8), np.int8),
        (np.int64(7), np.array([0, 1]), np.int64),
        (-1, np.array([0.0, 1.0]), np.float64),
        (0.5, np.array([0, 1], np.float32), np.float32),
        ("unsure", np.array(["cat", "dog"]), "<U6"),
        ("?", np.array(["cat", "dog"]), "<U3"),
        ("?", np.array(["cat", "dog"], object), object),
        (b"unsure", np.array([b"cat", b"dog"]), "S6"),
        ("?", np.array([1, "one"], object), object),
    ],
    ids=str,
)
def test_label_that_fits_survives_decoding(label, classes, dtype):
    resolved = resolve_abstain_label(label, classes)
    labels = decode(np.array([0, -1, 1]), classes, resolved)
    assert labels.tolist() == [classes.tolist()[0], label, classes.tolist()[1]]
    assert labels.dtype == dtype
