"""The option --kind COLUMN=KIND."""

from __future__ import annotations

from argparse import Action, ArgumentError, ArgumentParser, Namespace
from collections.abc import Sequence
from typing import Any

from nonet.tables.column_kind import SETTABLE


class KindsAction(Action):
    """Collect COLUMN=KIND in a dictionary.

    Examples
    --------
    >>> parser = ArgumentParser()
    >>> _ = parser.add_argument("--kind", nargs="+", action=KindsAction)
    >>> parser.parse_args(["--kind", "zip=category", "a=b=text"]).kind
    {'zip': 'category', 'a=b': 'text'}
    """

    def __call__(
        self,
        parser: ArgumentParser,
        namespace: Namespace,
        values: str | Sequence[Any] | None,
        option_string: str | None = None,
    ) -> None:
        """Add the pairs to those of earlier options."""
        found = dict(getattr(namespace, self.dest) or {})
        for pair in values or ():
            column, mark, kind = str(pair).rpartition("=")
            if not mark or kind not in SETTABLE:
                kinds = ", ".join(SETTABLE)
                raise ArgumentError(self, f"{pair!r} must be COLUMN=KIND, with a kind of {kinds}")
            found[column] = kind
        setattr(namespace, self.dest, found)
