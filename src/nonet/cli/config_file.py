"""Config files of fits: TOML or JSON, with the names of the options as keys."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from nonet._base.atomic_file import replace_file
from nonet._base.errors import one_sentence
from nonet.cli.command_error import CommandError

_JSON = ".json"
# Bytes that are no UTF-8, as in some names of files, survive being read and written.
_ERRORS = "surrogateescape"


def read_config(path: str) -> dict[str, Any]:
    r"""Return the settings of a config file; ``max-tasks`` is read as ``max_tasks``.

    Parameters
    ----------
    path : str
        A TOML file, or a JSON file if it ends in .json.

    Returns
    -------
    settings : dict

    Examples
    --------
    >>> _ = Path("fit.toml").write_text('target = "left"\nmax-tasks = 8\n')
    >>> read_config("fit.toml")
    {'target': 'left', 'max_tasks': 8}
    """
    try:
        text = Path(path).read_bytes().decode("utf-8-sig", _ERRORS)
    except OSError as why:
        reason = one_sentence((why.strerror or str(why)).lower())
        raise CommandError(f"the config {path!r} cannot be read: {reason}") from why
    try:
        found = json.loads(text) if _is_json(path) else tomllib.loads(text.replace("\r\n", "\n"))
    except ValueError as why:
        form = "JSON" if _is_json(path) else "TOML"
        reason = one_sentence(str(why))
        raise CommandError(f"the config {path!r} is not {form}: {reason}") from why
    if not isinstance(found, dict):
        raise CommandError(f"the config {path!r} must hold names and values, but is a list.")
    return {str(name).replace("-", "_"): value for name, value in found.items()}


def write_config(path: str, settings: Mapping[str, Any]) -> None:
    """Write a config file, completely or not at all.

    Parameters
    ----------
    path : str
    settings : mapping
        Text, numbers, booleans, lists of these, and mappings of names to text.

    Examples
    --------
    >>> write_config("fit.toml", {"target": "left", "id": ["key"], "kind": {"zip": "category"}})
    >>> print(Path("fit.toml").read_text(), end="")
    target = "left"
    id = ["key"]
    [kind]
    "zip" = "category"
    """
    text = json.dumps(settings, indent=2) + "\n" if _is_json(path) else _as_toml(settings)
    content = text.encode("utf-8", _ERRORS)
    replace_file(path, lambda file: _write(file, content))


def _write(file: Any, content: bytes) -> None:
    file.write(content)


def _is_json(path: str) -> bool:
    return Path(path).suffix.lower() == _JSON


def _as_toml(settings: Mapping[str, Any]) -> str:
    values = {name: one for name, one in settings.items() if not isinstance(one, Mapping)}
    lines = [f"{name} = {_toml_value(one)}" for name, one in values.items()]
    for name, one in settings.items():
        if name not in values:
            lines += [
                f"[{name}]",
                *(f"{_toml_value(k)} = {_toml_value(v)}" for k, v in one.items()),
            ]
    return "".join(f"{line}\n" for line in lines)


def _toml_value(value: Any) -> str:
    """Return a value in TOML; its strings, lists and numbers are those of JSON, but for DEL."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
