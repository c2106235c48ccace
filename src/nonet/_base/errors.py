"""Exceptions of the library: each is a ValueError or a TypeError."""

from __future__ import annotations

from typing import Any


class ParameterError(ValueError, TypeError):
    """A parameter has a value that is not allowed.

    It is both a ValueError and a TypeError, as in scikit-learn, because "3.5 where a whole
    number is wanted" can be seen as either.
    """


class MemberError(ValueError):
    """A member of an ensemble failed; the message names the member, the step and the cause."""


class SparseTargetError(TypeError, ValueError):
    """y is sparse; scikit-learn's trees raise a TypeError for it, its forests a ValueError."""


class ModelFileError(ValueError):
    """A model cannot be written to a file, or a file cannot be read as a model.

    The message is one sentence: which file, what is wrong with it, and what to do.

    Examples
    --------
    >>> import nonet
    >>> try:
    ...     nonet.load("old.nonet")
    ... except nonet.ModelFileError as why:
    ...     print(why)
    'old.nonet' cannot be read: no such file or directory.
    """


class MemberTypeError(MemberError, TypeError):
    """A member failed with a TypeError of its own."""


def show(value: Any, n_characters: int = 80) -> str:
    """Return a value for a message: its repr on one line, truncated if it is long."""
    try:
        text = " ".join(repr(value).split())
    except Exception:  # a value of the user's may not even have a repr
        text = f"an object of type {type(value).__name__}"
    return text if len(text) <= n_characters else f"{text[: n_characters - 4]} ..."


def one_sentence(text: str) -> str:
    """Return the first line of a message of others, as a sentence."""
    first = text.strip().partition("\n")[0].rstrip(" :;,")
    return first if first.endswith((".", "!", "?")) else f"{first}."


def member_error(name: str, position: int, total: int, doing: str, why: BaseException) -> Exception:
    """Return the error that names the member which failed, keeping the family of the cause."""
    family = MemberTypeError if isinstance(why, TypeError) else MemberError
    reason = one_sentence(str(why) or type(why).__name__)
    return family(f"member {name!r} ({position + 1} of {total}) failed to {doing}: {reason}")
