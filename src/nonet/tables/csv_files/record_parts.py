"""The content of a CSV file in parts that end where a record ends, in quotes or not."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from nonet._base.aliases import Array

_QUOTE, _NEWLINE, _RETURN = b'"\n\r'


def whole_records(pieces: Iterable[bytes], delimiter: str) -> Iterator[bytes]:
    r"""Yield the content in parts of whole records.

    Parameters
    ----------
    pieces : iterable of bytes
        From the beginning of a record on; lines end with \n.
    delimiter : str
        What stands between values.

    Yields
    ------
    bytes
        The last part may lack the line end. A record that is cut off by a `BrokenFile` is lost.

    Examples
    --------
    >>> list(whole_records([b'1,a\n2,"b', b'\n"\n3,c'], ","))
    [b'1,a\n', b'2,"b\n"\n', b'3,c']
    """
    held, n_held, n_wanted = [], 0, 0
    for piece in pieces:
        held.append(piece)
        n_held += len(piece)
        if n_held < n_wanted:
            continue
        content = b"".join(held)
        end = end_of_records(content, delimiter)
        if end:
            yield content[:end]
        held = [content[end:]]
        n_held = len(content) - end
        # A record that takes many pieces is looked through a few times only.
        n_wanted = 0 if end else 2 * n_held
    rest = b"".join(held)
    if rest:
        yield rest


def end_of_records(content: bytes, delimiter: str) -> int:
    r"""Return the position after the last line end that is not in quotes, 0 if there is none.

    Examples
    --------
    >>> end_of_records(b'1,a\n2,"b\n', ",")
    4
    """
    if b'"' not in content:
        return content.rfind(b"\n") + 1
    marks = _find_quotes(content, ord(delimiter))
    end = len(content)
    while (end := content.rfind(b"\n", 0, end)) >= 0:
        n_before = int(np.searchsorted(marks, end))
        if n_before % 2 == 0:
            return end + 1
        end = int(marks[n_before - 1])  # where the value begins that the line end is in
    return 0


def _find_quotes(content: bytes, delimiter: int) -> Array:
    """Return the positions of the quotes that open and close values, in turns."""
    codes = np.frombuffer(content, dtype=np.uint8)
    quotes = np.flatnonzero(codes == _QUOTE)
    opening, closing = quotes[::2], quotes[1::2]
    before = codes[opening[opening > 0] - 1]
    after = codes[closing[closing < len(codes) - 1] + 1]
    # Two quotes in a value close and open it at once, which comes to the same.
    is_plain = (
        _is_one_of(before, delimiter, _NEWLINE, _QUOTE).all()
        and _is_one_of(after, delimiter, _NEWLINE, _RETURN, _QUOTE).all()
    )
    return quotes if is_plain else _follow_quotes(content, quotes, delimiter)


def _is_one_of(codes: Array, *allowed: int) -> Array:
    is_allowed = np.zeros(256, dtype=bool)
    is_allowed[[*allowed]] = True
    found: Array = is_allowed[codes]
    return found


def _follow_quotes(content: bytes, quotes: Array, delimiter: int) -> Array:
    """Return the same where some quotes stand within values: those open and close nothing."""
    found: list[int] = []
    escaped = -1
    for quote in quotes.tolist():
        if quote == escaped:
            continue
        if len(found) % 2:
            if content[quote + 1 : quote + 2] == b'"':
                escaped = quote + 1
            else:
                found.append(quote)
        elif quote == 0 or content[quote - 1] in (delimiter, _NEWLINE):
            found.append(quote)
    return np.array(found, dtype=np.intp)
