"""The recipe of the wheels (issue 19, part 3): which interpreters and machines it covers."""

from __future__ import annotations

import re
import sys
import sysconfig
import tomllib
from pathlib import Path

import nonet._core

ROOT = Path(__file__).parents[2]
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
RECIPE = PYPROJECT["tool"]["cibuildwheel"]


def test_every_python_of_the_classifiers_is_built():
    classifiers = " ".join(PYPROJECT["project"]["classifiers"])
    versions = re.findall(r"Python :: 3\.(\d+)", classifiers)
    assert [int(version) for version in versions] == [11, 12, 13, 14]
    assert {f"cp3{version}-*" for version in versions} <= set(RECIPE["build"])


def test_free_threaded_python_is_declared_and_built():
    assert any("Free Threading" in words for words in PYPROJECT["project"]["classifiers"])
    assert "cp314t-*" in RECIPE["build"]
    assert "FREE_THREADED" in (ROOT / "CMakeLists.txt").read_text()


def test_linux_and_macos_are_built_for_both_processors():
    assert set(RECIPE["linux"]["archs"]) >= {"x86_64", "aarch64"}
    assert set(RECIPE["macos"]["archs"]) >= {"x86_64", "arm64"}


def test_import_leaves_the_global_lock_off():
    """A core that is not declared free-threaded would switch the lock of such a Python on."""
    free = bool(sysconfig.get_config_var("Py_GIL_DISABLED"))
    is_locked = getattr(sys, "_is_gil_enabled", lambda: True)()
    assert nonet._core.__name__ in sys.modules
    assert is_locked is not free
