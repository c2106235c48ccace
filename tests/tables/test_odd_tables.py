"""Odd tables end in a clear sentence or a stated repair."""

import re

import numpy as np
import pytest

from nonet.tables.encoder import TableEncoder
from nonet.tables.probes import rare_classes
from nonet.tables.readers import read_table
from nonet.tables.target import split_target
from tables.odd_tables import ODD_TABLES


def understand(odd, folder):
    """Read a file as a fit does; return the table, its target, the encoder and the notes."""
    path = folder / odd.file_name
    path.write_bytes(odd.content)
    notes = []
    table = read_table(path, notes=notes)
    features, target = split_target(table, odd.target, notes=notes)
    encoder = TableEncoder().fit(features)
    encoded = encoder.transform(features, notes)
    notes += [warning.sentence for warning in rare_classes(target, n_folds=5)]
    return table, target, encoder, encoded, notes


@pytest.mark.parametrize("odd", ODD_TABLES, ids=lambda odd: odd.name)
def test_odd_table_has_its_expected_outcome(odd, tmp_path):
    if odd.error is not None:
        with pytest.raises((ValueError, TypeError), match=f"(?s){odd.error}") as caught:
            understand(odd, tmp_path)
        assert "\n" not in str(caught.value)
        return
    table, target, encoder, encoded, notes = understand(odd, tmp_path)
    assert len(target.values) == encoded.n_rows == odd.n_rows
    assert target.task == odd.task
    assert odd.names in (None, table.names)
    for name, kind in odd.kinds.items():
        assert encoder.kinds_[name].kind == kind, encoder.kinds_[name]
    for name, values in odd.values.items():
        np.testing.assert_array_equal(
            encoded.values[: len(values), encoded.names.index(name)], values, err_msg=name
        )
    for repair in odd.repairs:
        assert any(re.search(repair, note) for note in notes), notes
