"""Habits of the house that a tool does not keep."""

from __future__ import annotations

import warnings
from pathlib import Path

import pytest

import nonet

PACKAGE = Path(nonet.__file__).parent
ROOMS_WITHOUT_A_NOUN = {"utils", "util", "helpers", "helper", "misc", "common"}


def test_warnings_are_errors():
    with pytest.raises(UserWarning, match="a warning"):
        warnings.warn("a warning", stacklevel=1)


def test_expected_failures_are_strict(request):
    assert request.config.getini("xfail_strict") is True


def test_package_says_that_it_is_typed():
    assert (PACKAGE / "py.typed").exists()


def test_every_module_is_named_by_a_noun_of_the_subject():
    stems = {path.stem.strip("_") for path in PACKAGE.rglob("*.py")}
    assert stems & ROOMS_WITHOUT_A_NOUN == set()


def test_every_room_has_its_tests():
    tests = Path(__file__).parents[1]
    rooms = {path.parent.name for path in PACKAGE.glob("*/__init__.py")}
    folders = {"dask": "nonet_dask"}  # its tests import the package dask
    assert {room for room in rooms if not (tests / folders.get(room, room)).is_dir()} == set()
