"""Change what is in a model file, and repair its checksums: what an attacker can do."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import nonet
from nonet import ModelFileError
from nonet._base.archive import write_archive

Parts = dict[str, bytes]


def saved(model: Any, **options: Any) -> bytes:
    file = io.BytesIO()
    nonet.save(model, file, **options)
    return file.getvalue()


def unpack(content: bytes) -> tuple[dict[str, Any], Parts]:
    """Return the manifest and the other parts of a file."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    return json.loads(parts.pop("manifest.json")), parts


def pack(manifest: dict[str, Any], parts: Parts) -> bytes:
    """Return a file whose checksums are right, whatever is in it."""
    file = io.BytesIO()
    write_archive(file, manifest, parts)
    return file.getvalue()


def with_parts(content: bytes, change: Callable[[Parts], None]) -> bytes:
    manifest, parts = unpack(content)
    change(parts)
    return pack(manifest, parts)


def with_manifest(content: bytes, **changes: Any) -> bytes:
    manifest, parts = unpack(content)
    return pack({**manifest, **changes}, parts)


def with_records(content: bytes, change: Callable[[list[dict[str, Any]]], None]) -> bytes:
    """Return a file with other records in ``model.json``."""

    def rewrite(parts: Parts) -> None:
        records = json.loads(parts["model.json"])
        change(records["objects"])
        parts["model.json"] = json.dumps(records).encode()

    return with_parts(content, rewrite)


def with_state(content: bytes, class_name: str, **attributes: Any) -> bytes:
    """Return a file in which objects of a class have other attributes.

    Arrays are added as records in front of all others, whose references are moved.
    """

    def change(records: list[dict[str, Any]]) -> None:
        added = [_record(value) for value in attributes.values()]
        values = dict(zip(attributes, range(len(added)), strict=True))
        for record in records:
            _move(record, len(added))
        for record in records:
            if record.get("class") == class_name and "state" in record:
                record["state"].update({name: {"@": i} for name, i in values.items()})
        records[:0] = added

    def change_all(parts: Parts) -> None:
        records = json.loads(parts["model.json"])
        change(records["objects"])
        _move(records["root"], len(attributes))
        parts["model.json"] = json.dumps(records).encode()

    return with_parts(content, change_all)


def _record(value: Any) -> dict[str, Any]:
    if isinstance(value, np.ndarray):
        out = io.BytesIO()
        np.save(out, value)
        flat = value.ravel()
        if value.ndim == 1:
            return {"kind": "array", "dtype": value.dtype.str, "numbers": flat.tolist()}
        raise NotImplementedError
    if isinstance(value, list):
        return {"kind": "list", "items": value}
    return {"kind": "tuple", "items": [value]} if isinstance(value, tuple) else _scalar(value)


def _scalar(value: Any) -> dict[str, Any]:
    return {"kind": "scalar", "dtype": "<i8", "number": value}


def _move(thing: Any, by: int) -> None:
    if isinstance(thing, dict):
        if set(thing) == {"@"}:
            thing["@"] += by
            return
        thing = list(thing.values())
    for item in thing if isinstance(thing, list) else ():
        _move(item, by)


def refuses(content: bytes, reason: str = ".") -> str:
    """Check that a file is refused in one sentence with a reason; return the sentence."""
    with pytest.raises(ModelFileError, match=reason) as why:
        nonet.load(io.BytesIO(content))
    text = str(why.value)
    assert text.endswith(".")
    assert "\n" not in text
    return text
