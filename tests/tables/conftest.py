"""Fixtures of the tests of tables."""

import pytest


@pytest.fixture
def small_parts(monkeypatch):
    for module in ("arrow_parts", "row_parts"):
        part = {"_PART": 64, "_ROWS": 3}
        for name, value in part.items():
            monkeypatch.setattr(f"nonet.tables.csv_files.{module}.{name}", value, raising=False)
