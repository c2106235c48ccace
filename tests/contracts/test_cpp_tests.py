"""The C++ tests run with the others, and other targets report what they need."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def test_every_cpp_test_file_is_built():
    folder = ROOT / "cpp" / "tests"
    listed = re.findall(r"\w+\.cpp", (folder / "CMakeLists.txt").read_text())
    assert sorted(listed) == sorted(path.name for path in folder.glob("*.cpp"))


def test_make_test_runs_the_cpp_tests():
    (needs,) = re.findall(r"^test:(.*?)##", (ROOT / "Makefile").read_text(), flags=re.MULTILINE)
    assert "cpptest" in needs.split()


def try_targets(tmp_path, *names):
    command = [sys.executable, ROOT / "tools" / "portability.py", tmp_path / "build", *names]
    empty = {"PATH": str(tmp_path)}  # no tool is found
    return subprocess.run(command, env=empty, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    ("name", "tool"), [("clang", "clang++ 16 or later"), ("aarch64", "aarch64-linux-gnu-g++")]
)
def test_target_without_tools_is_skipped_in_one_sentence(tmp_path, name, tool):
    done = try_targets(tmp_path, name)
    assert done.returncode == 0
    assert done.stdout.startswith(f"{name}: skipped, needs {tool}")
    assert done.stdout.count("\n") == 1


def test_unknown_target_is_refused(tmp_path):
    done = try_targets(tmp_path, "amiga")
    assert done.returncode == 2
    assert "There is no target ['amiga']" in done.stdout
