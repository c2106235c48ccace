"""The class with the largest support."""

import numpy as np
import pytest

from nonet._native import vote as vote_kernels


@pytest.mark.usefixtures("four_threads")
@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int64])
@pytest.mark.parametrize("shape", [(0, 3), (1, 1), (63, 2), (65, 10), (30_001, 7), (9, 1000)])
def test_argmax_against_numpy(rng, shape, dtype):
    support = rng.integers(0, 5, shape).astype(dtype)  # few values: many ties
    np.testing.assert_array_equal(vote_kernels.argmax(support), support.argmax(axis=1))


def test_argmax_of_infinities():
    support = [[-np.inf, -np.inf], [0.0, np.inf], [-np.inf, 0.0]]
    np.testing.assert_array_equal(vote_kernels.argmax(support), [0, 1, 1])


def test_argmax_takes_any_layout(rng):
    support = rng.random((40, 6))
    np.testing.assert_array_equal(
        vote_kernels.argmax(np.asfortranarray(support)), support.argmax(1)
    )


def test_argmax_rejects_nan():
    support = np.zeros((100, 3))
    support[70, 1] = np.nan
    with pytest.raises(ValueError, match="support holds NaN at row 70, class 1;"):
        vote_kernels.argmax(support)


@pytest.mark.parametrize("shape", [(3,), (3, 0), (3, 2, 1)])
def test_argmax_rejects_shapes_without_classes(shape):
    with pytest.raises(ValueError, match="2 dimensions"):
        vote_kernels.argmax(np.ones(shape))
