"""Codewords of binary BCH codes, an algebraic construction of error-correcting output codes.

The primitive BCH code of length 2**m - 1 and designed distance d has as generator the
polynomial of minimum degree over GF(2) that vanishes at the first d - 1 powers of a primitive
element of GF(2**m). Polynomials are stored as integers: bit i is the coefficient of x**i.

References: R. Bose & D. Ray-Chaudhuri (1960), On a class of error correcting binary group codes,
Information and Control 3, 68-79; A. Hocquenghem (1959), Codes correcteurs d'erreurs, Chiffres 2.
"""

from __future__ import annotations

import numpy as np

from nonet._base.aliases import Codes
from nonet._base.errors import ParameterError

# A primitive polynomial over GF(2) for each degree.
_PRIMITIVE = {3: 0b1011, 4: 0b10011, 5: 0b100101, 6: 0b1000011, 7: 0b10001001, 8: 0b100011101}


def bch_words(n_words: int, n_bits: int | None) -> Codes:
    """Return the words (rows of 0 and 1) of the shortest BCH code that is large enough.

    There are at least ``n_words`` words of at least ``n_bits`` bits. Of the codes of that length
    the one with the maximum designed distance is taken. None for ``n_bits`` requires a designed
    distance of at least 3, so that one error is corrected.
    """
    for degree in _PRIMITIVE:
        if n_bits is not None and 2**degree - 1 < n_bits:
            continue
        for distance in range(2 ** (degree - 1) - 1, 2, -2):
            generator = _generator(degree, distance)
            dimension = 2**degree - generator.bit_length()
            if 2**dimension >= n_words:
                return _words(generator, _enough_bits(n_words, dimension), 2**degree - 1)
    raise ParameterError(
        f"no BCH code of at most {2 ** max(_PRIMITIVE) - 1} bits has {n_words} words of "
        f"{n_bits} bits; use fewer columns, or 'dense'."
    )


def _enough_bits(n_words: int, dimension: int) -> int:
    """Return the number of message bits: one extra bit gives a choice of words."""
    return min(dimension, (n_words - 1).bit_length() + 1)


def _words(generator: int, n_message_bits: int, length: int) -> Codes:
    products = [_multiply(message, generator) for message in range(2**n_message_bits)]
    return np.array([[word >> bit & 1 for bit in range(length)] for word in products])


def _multiply(one: int, other: int) -> int:
    """Multiply two polynomials over GF(2)."""
    product = 0
    for bit in range(one.bit_length()):
        if one >> bit & 1:
            product ^= other << bit
    return product


def _generator(degree: int, distance: int) -> int:
    """Return the product of the minimal polynomials of the first distance - 1 powers."""
    generator, covered = 1, set[int]()
    for power in range(1, distance):
        if power not in covered:
            conjugates = _conjugates(power, degree)
            covered |= conjugates
            generator = _multiply(generator, _minimal_polynomial(conjugates, degree))
    return generator


def _conjugates(power: int, degree: int) -> set[int]:
    """Return the exponents of the elements with the same minimal polynomial."""
    order = 2**degree - 1
    return {power * 2**step % order for step in range(degree)}


def _minimal_polynomial(exponents: set[int], degree: int) -> int:
    """Multiply (x - a**e) over the exponents; all coefficients end as 0 or 1."""
    powers, logarithms = _field(degree)
    order = 2**degree - 1
    coefficients = [1]
    for exponent in sorted(exponents):
        shifted = [0, *coefficients]
        for position, value in enumerate(coefficients):
            if value:
                shifted[position] ^= powers[(logarithms[value] + exponent) % order]
        coefficients = shifted
    return sum(value << position for position, value in enumerate(coefficients))


def _field(degree: int) -> tuple[list[int], dict[int, int]]:
    """Return the powers of a primitive element and the exponent of each element."""
    powers = [1]
    for _ in range(2**degree - 2):
        doubled = powers[-1] << 1
        powers.append(doubled ^ _PRIMITIVE[degree] if doubled >> degree else doubled)
    return powers, {value: exponent for exponent, value in enumerate(powers)}
