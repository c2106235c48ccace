"""Print what nonet and some of its extras require, a line each: `requirements.py dev bench`.

pip takes extras only together with the package. `make setup` fetches the packages while the core
compiles, and so needs their names by themselves.
"""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path

PROJECT = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text())["project"]
EXTRAS = {f"nonet[{name}]": needs for name, needs in PROJECT["optional-dependencies"].items()}


def required_by(needs: list[str]) -> set[str]:
    """Return these requirements, with extras of nonet itself replaced by their own."""
    inner = [required_by(EXTRAS[need]) for need in needs if need in EXTRAS]
    return {need for need in needs if need not in EXTRAS}.union(*inner)


if __name__ == "__main__":
    named = [f"nonet[{name}]" for name in sys.argv[1:]]
    print(*sorted(required_by([*PROJECT["dependencies"], *named])), sep="\n")
