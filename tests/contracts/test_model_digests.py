"""Fitted models have the bits that were written down, on any number of threads."""

import json

import pytest

from contracts.model_digests import FILE, all_digests
from nonet._native.runtime import limit_threads


@pytest.mark.parametrize("n_threads", [1, 3])
def test_models_have_known_bits(n_threads):
    with limit_threads(n_threads):
        assert all_digests() == json.loads(FILE.read_text())
