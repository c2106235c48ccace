"""CityHash64, version 1.0: how CatBoost numbers categories.

The hash of G. Pike and J. Alakuijala, 2011. Later versions give other numbers.
"""

from __future__ import annotations

_K0, _K1, _K2, _K3 = 0xC3A5C85C97CB3127, 0xB492B66FBE98F273, 0x9AE16A3B2F90404F, 0xC949D7C7509E6557
_MUL = 0x9DDFEA08EB382D69
_MASK = (1 << 64) - 1


def city_hash64(content: bytes) -> int:
    """Return the hash of bytes, a number of 64 bits.

    Examples
    --------
    >>> hex(city_hash64(b""))
    '0x9ae16a3b2f90404f'
    """
    n = len(content)
    if n <= 16:
        return _of_16(content, n)
    if n <= 32:
        return _of_32(content, n)
    return _of_64(content, n) if n <= 64 else _of_more(content, n)


def _word(content: bytes, at: int, size: int = 8) -> int:
    return int.from_bytes(content[at : at + size], "little")


def _rotate(value: int, by: int) -> int:
    value &= _MASK
    return (value >> by | value << (64 - by)) & _MASK


def _shift(value: int) -> int:
    value &= _MASK
    return value ^ value >> 47


def _join(low: int, high: int) -> int:
    low, high = low & _MASK, high & _MASK
    first = _shift((low ^ high) * _MUL)
    return _shift((high ^ first) * _MUL) * _MUL & _MASK


def _of_16(content: bytes, n: int) -> int:
    if n > 8:
        last = _word(content, n - 8)
        return _join(_word(content, 0), _rotate(last + n, n)) ^ last
    if n >= 4:
        return _join(n + (_word(content, 0, 4) << 3), _word(content, n - 4, 4))
    if n == 0:
        return _K2
    low = content[0] + (content[n >> 1] << 8)
    high = n + (content[n - 1] << 2)
    return _shift(low * _K2 ^ high * _K3) * _K2 & _MASK


def _of_32(content: bytes, n: int) -> int:
    a, b = _word(content, 0) * _K1, _word(content, 8)
    c, d = _word(content, n - 8) * _K2, _word(content, n - 16) * _K0
    return _join(_rotate(a - b, 43) + _rotate(c, 30) + d, a + _rotate(b ^ _K3, 20) - c + n)


def _sums_of_32(words: list[int], a: int, z: int) -> tuple[int, int]:
    """Return two sums of a start a and the words at 8, 16 of a stretch of 32 bytes, and z."""
    b, c = _rotate(a + z, 52), _rotate(a, 37)
    a += words[0]
    c += _rotate(a, 7)
    a += words[1]
    return a + z, b + _rotate(a, 31) + c


def _of_64(content: bytes, n: int) -> int:
    a = _word(content, 0) + (n + _word(content, n - 16)) * _K0
    first = _sums_of_32([_word(content, 8), _word(content, 16)], a, _word(content, 24))
    a = _word(content, 16) + _word(content, n - 32)
    tail = [_word(content, n - 24), _word(content, n - 16)]
    last = _sums_of_32(tail, a, _word(content, n - 8))
    mixed = _shift((first[0] + last[1]) * _K2 + (last[0] + first[1]) * _K0)
    return _shift(mixed * _K0 + first[1]) * _K2 & _MASK


def _weak(content: bytes, at: int, a: int, b: int) -> tuple[int, int]:
    w, x, y, z = (_word(content, at + step) for step in (0, 8, 16, 24))
    a += w
    b = _rotate(b + a + z, 21)
    c = a
    a += x + y
    return (a + z) & _MASK, (b + _rotate(a, 44) + c) & _MASK


def _of_more(content: bytes, n: int) -> int:
    x, y = _word(content, 0), _word(content, n - 16) ^ _K1
    z = _word(content, n - 56) ^ _K0
    v = _weak(content, n - 64, n, y)
    w = _weak(content, n - 32, n * _K1, _K0)
    z += _shift(v[1]) * _K1
    x, y = _rotate(z + x, 39) * _K1, _rotate(y, 33) * _K1
    for at in range(0, (n - 1) & ~63, 64):
        x = _rotate(x + y + v[0] + _word(content, at + 16), 37) * _K1
        y = _rotate(y + v[1] + _word(content, at + 48), 42) * _K1
        x, y, z = (x ^ w[1]) & _MASK, (y ^ v[0]) & _MASK, _rotate(z ^ w[0], 33)
        v = _weak(content, at, v[1] * _K1, x + w[0])
        w = _weak(content, at + 32, z + w[1], y)
        x, z = z, x
    return _join(_join(v[0], w[0]) + _shift(y) * _K1 + z, _join(v[1], w[1]) + x)
