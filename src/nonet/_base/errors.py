"""The exceptions of the library: each is a ValueError or TypeError with one full sentence."""

from __future__ import annotations


class ParameterError(ValueError, TypeError):
    """A parameter has a value that is not allowed.

    It is both a ValueError and a TypeError, as in scikit-learn, because "3.5 where a whole
    number is wanted" is either, depending on whom you ask.
    """


class MemberError(ValueError):
    """A member of an ensemble failed; the message says which one, where and why."""


class MemberTypeError(MemberError, TypeError):
    """A member failed with a TypeError of its own."""


def member_error(name: str, position: int, total: int, doing: str, why: BaseException) -> Exception:
    """Return the error that names the member which failed, keeping the family of the cause."""
    family = MemberTypeError if isinstance(why, TypeError) else MemberError
    reason = str(why) or type(why).__name__
    return family(f"member {name!r} ({position + 1} of {total}) failed to {doing}: {reason}")
