"""What is true of all kernels: equal bits for any layout and threads, clear errors."""

import numpy as np
import pytest

from nonet import _core
from nonet._native import runtime
from nonet._native import vote as vote_kernels

VALUE_KERNELS = {
    "weighted_sum": vote_kernels.weighted_sum,
    "weighted_mean": vote_kernels.weighted_mean,
    "order_mean": lambda outputs, weights: vote_kernels.order_mean(
        outputs, 1, outputs.shape[1] - 1
    ),
    "weighted_quantile": lambda outputs, weights: vote_kernels.weighted_quantile(
        outputs, weights, 0.4
    ),
    "weighted_log_sum": vote_kernels.weighted_log_sum,
    "borda": vote_kernels.borda,
}


@pytest.fixture(params=VALUE_KERNELS)
def kernel(request):
    return VALUE_KERNELS[request.param]


@pytest.mark.usefixtures("four_threads")
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_kernel_is_deterministic_over_threads_and_layouts(kernel, arrange, rng, dtype):
    outputs = rng.random((8001, 13, 5)).astype(dtype)
    weights = rng.random(13)
    with runtime.limit_threads(1):
        alone = kernel(outputs, weights)
    together = kernel(arrange(outputs), weights)
    assert alone.tobytes() == together.tobytes()


@pytest.mark.usefixtures("four_threads")
@pytest.mark.parametrize("n_classes", [10, 60])
def test_votes_is_deterministic_over_threads_and_layouts(arrange, rng, n_classes):
    codes = rng.integers(-1, n_classes, (40_001, 13))
    weights = rng.random(13)
    with runtime.limit_threads(1):
        alone = vote_kernels.votes(codes, weights, n_classes)
    together = vote_kernels.votes(arrange(codes), weights, n_classes)
    assert alone.tobytes() == together.tobytes()


def test_kernel_leaves_its_input_alone(kernel, arrange, rng):
    outputs = arrange(rng.random((70, 6, 3)))
    outputs.flags.writeable = False
    copy = outputs.copy()
    kernel(outputs, rng.random(6))
    np.testing.assert_array_equal(outputs, copy)


def test_kernel_returns_no_rows_for_no_rows(kernel):
    assert kernel(np.ones((0, 3, 2)), np.ones(3)).shape == (0, 2)


def test_kernel_rejects_no_members(kernel):
    with pytest.raises(ValueError, match=r"at least one member .* got shape \(4, 0, 2\)"):
        kernel(np.ones((4, 0, 2)), np.ones(0))


def test_kernel_rejects_a_flat_array(kernel):
    with pytest.raises(ValueError, match=r"dimensions .* got shape \(2, 3, 2, 1\)"):
        kernel(np.ones((2, 3, 2, 1)), np.ones(3))


@pytest.mark.parametrize("name", sorted(set(VALUE_KERNELS) - {"order_mean"}))
def test_kernel_rejects_bad_weights(name):
    kernel, outputs = VALUE_KERNELS[name], np.ones((4, 3, 2))
    with pytest.raises(ValueError, match=r"each of the 3 members, got shape \(2,\)"):
        kernel(outputs, [1, 2])
    with pytest.raises(ValueError, match="weights must be finite, got nan for member 1"):
        kernel(outputs, [1, np.nan, 1])


@pytest.mark.parametrize("name", ["weighted_sum", "weighted_mean"])
def test_sum_rejects_nan_and_names_its_position(arrange, name):
    outputs = np.zeros((3000, 3, 2))
    outputs[2900, 1, 1] = np.nan
    with pytest.raises(ValueError, match="outputs hold NaN at row 2900, member 1; impute them"):
        VALUE_KERNELS[name](arrange(outputs), None)


def test_core_refuses_a_result_of_the_wrong_shape():
    with pytest.raises(ValueError, match="one row per row and one column per class"):
        _core.weighted_sum(np.ones((4, 3, 2)), False, np.ones(3), 1.0, 1, np.empty((4, 3)))
