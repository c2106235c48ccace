"""Numbers that the text of a script quotes, as the run of the script should give them."""

from __future__ import annotations

import re
from dataclasses import dataclass

# With decimals, before a % sign, or of two digits and more: a single digit is a count of the prose.
_NUMBER = re.compile(r"(?<![\w.,*/-])(\d[\d,]*\.\d+|\d[\d,]*\d|\d(?=\s*%))(?:\s*(%))?(?![\w/-])")


@dataclass(frozen=True)
class Quoted:
    """A number of a text, and half of the last digit that is given there."""

    words: str
    value: float
    half_unit: float

    def agrees(self, found: float) -> bool:
        """Return whether a number is written so when it is rounded."""
        return abs(found - self.value) <= self.half_unit * (1 + 1e-9)


def quoted_numbers(text: str) -> list[Quoted]:
    """List the numbers of a text in their order; 12 % is read as 0.12."""
    return [_read(digits, percent) for digits, percent in _NUMBER.findall(text)]


def _read(digits: str, percent: str) -> Quoted:
    plain = digits.replace(",", "")
    unit = 10.0 ** -len(plain.partition(".")[2])
    scale = 100.0 if percent else 1.0
    return Quoted(digits + percent, float(plain) / scale, unit / 2 / scale)
