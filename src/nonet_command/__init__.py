"""The console script ``nonet``, up to the moment at which the package is imported.

It lies beside the package: to import a module of a package is to import the package, which takes a
second or more. Ctrl-C in this second ends as Ctrl-C does later, with one sentence.
"""

from __future__ import annotations

import sys

_INTERRUPTED = 130


def main() -> int:
    """Run the command line with the arguments of the process, and return the exit code."""
    try:
        if sys.argv[1:] == ["--version"]:
            return _print_version()
        from nonet.cli.main import main as run

        return run()
    except KeyboardInterrupt:
        print("nonet: interrupted; nothing was changed.", file=sys.stderr)
        return _INTERRUPTED


def _print_version() -> int:
    from importlib.metadata import version

    print(f"nonet {version('nonet')}")
    return 0
