from __future__ import annotations

import numpy as np

from nonet.members.ledger_page import as_support, write_page


def test_several_predictions_of_a_row_are_averaged():
    entries = [
        (np.array([0, 1]), 0, [np.array([1.0, 2.0])]),
        (np.array([1]), 0, [np.array([5.0])]),
        (np.array([0, 1, 2]), 1, [np.array([7.0, 8.0, 9.0])]),
    ]
    (page,), coverage = write_page(entries, 2, 3, None)
    np.testing.assert_array_equal(page, [[1.0, 7.0], [3.5, 8.0], [np.nan, 9.0]])
    np.testing.assert_array_equal(coverage, [[1, 1], [2, 1], [0, 1]])


def test_several_labels_on_a_row_are_put_to_the_vote():
    entries = [
        (np.array([0, 1, 2]), 0, [np.array([2, 1, -1])]),
        (np.array([0, 1]), 0, [np.array([2, 0])]),
        (np.array([0]), 0, [np.array([1])]),
    ]
    (page,), coverage = write_page(entries, 1, 4, [3])
    np.testing.assert_array_equal(page[:, 0], [2, 0, -1, -1])
    np.testing.assert_array_equal(coverage[:, 0], [3, 2, 1, 0])


def test_kinds_share_a_page_as_support_of_the_classes():
    (labels,) = as_support([np.array([1, -1])], "labels", [2])
    np.testing.assert_array_equal(labels, [[0, 1], [0, 0]])
    (values,) = as_support([np.array([0.3])], "values", [2])
    np.testing.assert_array_equal(values, [[0.3, 0.3]])
    fractions = [np.array([[0.2, 0.8]])]
    assert as_support(fractions, "probabilities", [2]) is fractions
