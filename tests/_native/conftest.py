"""Ways to lay out the same outputs in memory."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

Arrange = Callable[[NDArray[np.generic]], NDArray[np.generic]]


def row_major(outputs):
    return np.ascontiguousarray(outputs)


def member_major(outputs):
    return np.ascontiguousarray(outputs.swapaxes(0, 1)).swapaxes(0, 1)


def scattered(outputs):
    return np.repeat(outputs, 2, axis=0)[::2]


@pytest.fixture(params=[row_major, member_major, scattered], ids=lambda arrange: arrange.__name__)
def arrange(request) -> Arrange:
    return request.param


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(20)


@pytest.fixture
def four_threads(monkeypatch) -> None:
    monkeypatch.setenv("NONET_NUM_THREADS", "4")
