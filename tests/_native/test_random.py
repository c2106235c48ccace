"""The core's random words against NumPy's generator of the same name."""

import numpy as np
import pytest

from nonet._native import runtime


def numpy_words(seed, stream, n_words, block):
    names = [*stream, 0, 0, 0, 0][:4]
    # NumPy counts up before it makes a block, over the whole 256-bit counter.
    counter = sum(word << 64 * i for i, word in enumerate([block, *names[1:]])) - 1
    key = seed + (names[0] << 64)
    return np.random.Philox(key=key, counter=counter % 2**256).random_raw(n_words)


@pytest.mark.parametrize("seed", [0, 1, 2**64 - 1])
@pytest.mark.parametrize("stream", [(), (0,), (7,), (7, 3), (1, 2, 3), (2**64 - 1, 5, 6, 7)])
@pytest.mark.parametrize("block", [0, 1, 12345])
def test_words_against_numpy(seed, stream, block):
    words = runtime.philox_words(seed, stream, 11, block=block)
    np.testing.assert_array_equal(words, numpy_words(seed, stream, 11, block))


def test_words_of_neighbouring_streams_share_nothing():
    streams = [(), (1,), (1, 1), (2,), (0, 1), (0, 0, 1), (0, 0, 0, 1)]
    words = np.concatenate([runtime.philox_words(3, stream, 400) for stream in streams])
    assert np.unique(words).size == words.size


def test_words_rejects_five_names():
    with pytest.raises(ValueError, match="at most 4 integers"):
        runtime.philox_words(0, (1, 2, 3, 4, 5), 4)
