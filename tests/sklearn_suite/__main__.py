"""Run scikit-learn's own tests on nonet's classes: `python tests/sklearn_suite [files] [options]`.

The tests come from the installed scikit-learn. `plugin.py` puts nonet's classes in place of
scikit-learn's before the tests are imported, and `differences.toml` names the tests that are left
out, with the reasons. The session is one of its own: nothing else sees the exchanged classes.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
import sklearn

HERE = Path(__file__).resolve().parent
SKLEARN = Path(sklearn.__file__).parent
FILES = [
    "ensemble/tests",
    "ensemble/_hist_gradient_boosting/tests",
    "tree/tests",
    "tests/test_multiclass.py",
]
OPTIONS = ["-p", "sklearn_suite.plugin", "-c", str(HERE / "session.ini"), "--rootdir", str(SKLEARN)]


def main(arguments: list[str]) -> int:
    """Run all files, or those that are named as `ensemble/tests/test_voting.py[::test]`."""
    sys.path.insert(0, str(HERE.parent))
    named = [word for word in arguments if (SKLEARN / word.partition("::")[0]).exists()]
    options = [word for word in arguments if word not in named]
    # For the workers: waiting OpenMP threads of scikit-learn spin otherwise.
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")
    return pytest.main([*OPTIONS, *options, *(str(SKLEARN / file) for file in named or FILES)])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
