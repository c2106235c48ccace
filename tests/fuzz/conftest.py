"""Settings for the fuzz."""

from __future__ import annotations

import pytest
from threadpoolctl import threadpool_limits


@pytest.fixture(autouse=True, scope="module")  # looking for the libraries takes 4 ms
def _one_thread_of_others():
    """OpenMP of other libraries does not survive the forks that are tried here."""
    with threadpool_limits(1):
        yield
