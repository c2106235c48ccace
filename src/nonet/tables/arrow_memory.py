"""Bytes for pyarrow's readers, in memory of its own.

The threads of these readers may hold what they have read until after the reader has returned. The
last of them to let go of memory of Python takes Python's lock, and if Python is about to end, this
ends the process with "terminate called without an active exception", after all work was done.
Memory of Arrow is freed without the lock.
"""

from __future__ import annotations

from typing import Any


def open_in_arrow(content: Any) -> Any:
    """Return a file of pyarrow that holds a copy of bytes.

    Parameters
    ----------
    content : bytes or memoryview

    Returns
    -------
    pyarrow.BufferReader

    Examples
    --------
    >>> open_in_arrow(b"size").read()
    b'size'
    """
    import pyarrow

    copy = pyarrow.allocate_buffer(len(content))
    pyarrow.FixedSizeBufferWriter(copy).write(content)
    return pyarrow.BufferReader(copy)
