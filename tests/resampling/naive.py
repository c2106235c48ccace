"""Plain versions of what the package does by shorter ways."""

from __future__ import annotations

import numpy as np


def philox_block(seed, resample, pool):
    """The first four words of the stream (resample, pool), by NumPy's generator."""
    counter = (pool << 64) - 1  # NumPy counts up before it makes a block
    key = seed + (resample << 64)
    return np.random.Philox(key=key, counter=counter % 2**256).random_raw(4).tolist()


def rotated(word, by):
    return (word << by | word >> (64 - by)) % 2**64


def words(seed, resample, pool, n_words):
    """Words of xoshiro256++ from that block on."""
    s = philox_block(seed, resample, pool)
    for _ in range(n_words):
        yield (rotated((s[0] + s[3]) % 2**64, 23) + s[0]) % 2**64
        shifted = s[1] << 17 & 2**64 - 1
        s[2] ^= s[0]
        s[3] ^= s[1]
        s[1] ^= s[2]
        s[0] ^= s[3]
        s[2] ^= shifted
        s[3] = rotated(s[3], 45)


def draws_per_word(n_units):
    k = 1
    while k < 16 and n_units ** (k + 1) <= 2**56:
        k += 1
    return k


def draw_units(n_units, n_draws, seed, resample, pool=0):
    """The documented rule, in Python's own integers."""
    k = draws_per_word(n_units)
    passed_over_below = 2**64 % n_units**k
    drawn = []
    for word in words(seed, resample, pool, 4 * n_draws + 64):
        units = []
        for _ in range(k):
            unit, word = divmod(word * n_units, 2**64)
            units.append(unit)
        if word >= passed_over_below:
            drawn += units
        if len(drawn) >= n_draws:
            return drawn[:n_draws]
    raise AssertionError("too few words")


def jackknife(x, statistic):
    """Estimate, partials, pseudovalues, bias and variance, one by one."""
    n, estimate = len(x), statistic(x)
    partials = np.array([statistic(np.delete(x, i, axis=0)) for i in range(n)])
    pseudovalues = n * estimate - (n - 1) * partials
    bias = (n - 1) * (partials.mean(axis=0) - estimate)
    variance = pseudovalues.var(axis=0, ddof=1) / n
    return estimate, partials, pseudovalues, bias, variance
