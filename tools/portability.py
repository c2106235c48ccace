"""Build the C++ core for other compilers, processors and systems, as far as Linux can show it.

Three kinds of proof, from strong to weak:

- `clang`, `aarch64`: the core and its tests are compiled with warnings as errors, and the tests
  run (those of aarch64 in an emulator). They compare known bits with those of x86-64.
- `macos`, `windows`: every file of the core and of its tests is compiled for the system, with
  warnings as errors; nothing is linked or run.

A target whose tools are missing is skipped with one sentence. Run it by `make portability`, or
name the targets: `python tools/portability.py build/portability clang`.
"""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).parents[1]
WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wshadow", "-Werror"]
OLDEST_CLANG = 16  # that has what the core uses of C++20
ARM_SYSTEM = "/usr/aarch64-linux-gnu"  # where Debian puts the libraries of the cross-compiler


class Missing(Exception):
    """A tool is missing; the message says what to install."""


def find_clang() -> str:
    """Return the newest clang++ that is installed."""
    names = ["clang++", *(f"clang++-{version}" for version in range(OLDEST_CLANG, 40))]
    found = {clang_version(path): path for name in names if (path := shutil.which(name))}
    if not found or max(found) < OLDEST_CLANG:
        raise Missing(f"needs clang++ {OLDEST_CLANG} or later (Debian: apt-get install clang-19)")
    return found[max(found)]


def clang_version(path: str) -> int:
    """Return the major version of a compiler."""
    text = subprocess.run([path, "--version"], capture_output=True, text=True, check=True).stdout
    found = re.search(r"version (\d+)", text)
    return int(found.group(1)) if found else 0


def find_tool(name: str, package: str) -> str:
    """Return the path of a tool."""
    if path := shutil.which(name):
        return path
    raise Missing(f"needs {name} (Debian: apt-get install {package})")


def find_zig() -> list[str]:
    """Return the command of zig, which brings the headers of other systems along."""
    if path := shutil.which("zig"):
        return [path]
    if importlib.util.find_spec("ziglang") is not None:
        return [sys.executable, "-m", "ziglang"]
    raise Missing("needs zig (pip install ziglang)")


def build_and_test(folder: Path, *settings: str) -> None:
    """Build the core and its tests without Python, and run the tests."""
    configure = ["cmake", "-S", ROOT, "-B", folder, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release"]
    options = ["-DNONET_WERROR=ON", "-DNONET_TESTS=ON", "-DNONET_MODULE=OFF"]
    run([*configure, *options, *settings])
    run(["cmake", "--build", folder, "--target", "nonet_core_tests"])
    run(["ctest", "--test-dir", folder, "--output-on-failure", "--no-tests=error"])


def compile_files(folder: Path, command: list[str]) -> None:
    """Compile every file of the core and of its tests, without optimisation, and link nothing."""
    folder.mkdir(parents=True, exist_ok=True)
    files = [file for file in (ROOT / "cpp").rglob("*.cpp") if file.parent.name != "bindings"]
    flags = ["-std=c++20", "-ffp-contract=off", "-I", ROOT / "cpp", *WARNINGS]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        list(
            pool.map(
                lambda f: run([*command, *flags, "-c", f, "-o", folder / f"{f.stem}.o"]), files
            )
        )


def run(command: list[str | Path]) -> None:
    """Run a command; if it fails, what it printed is the message."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(" ".join(map(str, command)) + "\n" + done.stdout + done.stderr)


def clang(folder: Path) -> None:
    """Clang on this machine."""
    build_and_test(folder, f"-DCMAKE_CXX_COMPILER={find_clang()}")


def aarch64(folder: Path) -> None:
    """GCC for Linux on 64-bit ARM, tests in an emulator."""
    compiler = find_tool("aarch64-linux-gnu-g++", "g++-aarch64-linux-gnu")
    emulator = find_tool("qemu-aarch64", "qemu-user")
    build_and_test(
        folder,
        "-DCMAKE_SYSTEM_NAME=Linux",
        "-DCMAKE_SYSTEM_PROCESSOR=aarch64",
        f"-DCMAKE_CXX_COMPILER={compiler}",
        f"-DCMAKE_CROSSCOMPILING_EMULATOR={emulator};-L;{ARM_SYSTEM}",
    )


def macos(folder: Path) -> None:
    """Clang for macOS on 64-bit ARM and on x86-64."""
    for target in ("aarch64-macos", "x86_64-macos"):
        compile_files(folder / target, [*find_zig(), "c++", "-target", target])


def windows(folder: Path) -> None:
    """Clang and GCC for Windows on x86-64."""
    zig = find_zig()
    gcc = find_tool("x86_64-w64-mingw32-g++-posix", "g++-mingw-w64-x86-64-posix")
    compile_files(folder / "clang", [*zig, "c++", "-target", "x86_64-windows-gnu"])
    # Without inlining the templates have more sections and names than an object file can hold.
    compile_files(folder / "gcc", [gcc, "-O1", "-Wa,-mbig-obj"])


TARGETS: dict[str, Callable[[Path], None]] = {
    "clang": clang,
    "aarch64": aarch64,
    "macos": macos,
    "windows": windows,
}


def show(name: str, folder: Path) -> bool:
    """Try a target, and print how it went; return whether it did not fail."""
    start = time.monotonic()
    try:
        TARGETS[name](folder)
        print(f"{name}: passed in {time.monotonic() - start:.0f} s", flush=True)
    except Missing as missing:
        print(f"{name}: skipped, {missing}.", flush=True)
    except RuntimeError as failure:
        print(f"{name}: failed\n{failure}", flush=True)
        return False
    return True


def main() -> int:
    """Try the targets that are named, or all."""
    build, names = Path(sys.argv[1]).resolve(), sys.argv[2:] or list(TARGETS)
    unknown = set(names) - set(TARGETS)
    if unknown:
        print(f"There is no target {sorted(unknown)}; the targets are {list(TARGETS)}.")
        return 2
    return 0 if all([show(name, build / name) for name in names]) else 1


if __name__ == "__main__":
    sys.exit(main())
