"""What a command prints: results on stdout, as text or JSON, and talk on stderr."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TextIO

import numpy as np

from nonet import __version__


@dataclass(frozen=True)
class Output:
    """Where results and talk go.

    Attributes
    ----------
    command : str
        The name of the command, for JSON.
    as_json : bool, default=False
        Whether the result is one JSON document.
    is_quiet : bool, default=False
        Whether nothing but results and errors is printed.

    Examples
    --------
    >>> Output("score").print_result(["rmse 1.5"], {"score": 1.5})
    rmse 1.5
    """

    command: str
    as_json: bool = False
    is_quiet: bool = False

    def talk(self, *lines: str) -> None:
        """Print lines for those who wait."""
        if not self.is_quiet:
            _write(sys.stderr, lines)

    def complain(self, sentence: str) -> None:
        """Print an error or a warning, also if the output is quiet."""
        _write(sys.stderr, [f"nonet: {sentence}"])

    def print_result(self, lines: Sequence[str], document: Mapping[str, Any]) -> None:
        """Print the result: its lines, or the document as JSON.

        Parameters
        ----------
        lines : sequence of str
        document : mapping
            What JSON holds, NumPy's numbers and arrays included; what is not finite becomes null.
        """
        if not self.as_json:
            _write(sys.stdout, lines)
            return
        whole = {"command": self.command, "nonet": __version__, **document}
        _write(sys.stdout, [json.dumps(as_plain(whole), indent=2, allow_nan=False)])


def as_plain(value: Any) -> Any:
    """Return a value as JSON holds it.

    Examples
    --------
    >>> as_plain({"score": np.float64(0.5), "error": float("nan"), "classes": np.array([0, 1])})
    {'score': 0.5, 'error': None, 'classes': [0, 1]}
    """
    if isinstance(value, np.ndarray | np.generic):
        value = value.astype(str).tolist() if value.dtype.kind in "mM" else value.tolist()
    if isinstance(value, Mapping):
        return {str(name): as_plain(one) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [as_plain(one) for one in value]
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    return value if isinstance(value, str | int | None) else str(value)


def _write(stream: TextIO | None, lines: Sequence[str]) -> None:
    if stream is None:  # a program without a console
        return
    # One call, so that lines of other processes do not come in between.
    text = "".join(f"{line}\n" for line in lines)
    if hasattr(stream, "buffer"):
        encoding = stream.encoding or "utf-8"
        write_whole(stream, text.encode(encoding, "backslashreplace"))
    else:
        stream.write(text)
        stream.flush()


def write_whole(stream: TextIO, content: bytes) -> None:
    """Write bytes to a stream of text, all of them.

    With ``python -u`` the buffer of standard output is none, and a write to a pipe may end before
    the end of what it was given.

    Parameters
    ----------
    stream : text stream
        With a ``buffer``.
    content : bytes
    """
    stream.flush()
    left = memoryview(content)
    while left:
        left = left[stream.buffer.write(left) or 0 :]
    stream.buffer.flush()
