"""What is wrong with many cases, apart from the exceptions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from fuzz.case import Case
from fuzz.exceptions import EXCEPTIONS
from fuzz.outcomes import complaint
from fuzz.subject import Subject


def complaints(
    subject: Subject,
    group: str,
    cases: Iterable[Case],
    exceptions: Mapping[tuple[str, str, str], str] = EXCEPTIONS,
) -> list[str]:
    """Return what is wrong, exceptions that are not needed included."""
    wrong = {case.name: complaint(subject, case) for case in cases}
    found = []
    for name, flaw in wrong.items():
        reason = exceptions.get((subject.name, group, name))
        if flaw is not None and reason is None:
            found.append(f"{name}: {flaw}")
        if flaw is None and reason is not None:
            found.append(f"{name}: the exception is not needed any more ({reason})")
    return found
