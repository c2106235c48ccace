"""Without the packages of nonet[app]: what needs them is one sentence, all else works."""

import json
import subprocess
import sys

import pytest

from cli.small_tables import FAST

BARE = """
import json, sys

class Without:
    def __init__(self, finder):
        self.finder = finder

    def __getattr__(self, name):
        return getattr(self.finder, name)

    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("jinja2", "pandas", "polars", "pyarrow", "rich"):
            return None
        return self.finder.find_spec(name, path, target)

sys.meta_path = [Without(finder) for finder in sys.meta_path]
from nonet.cli.main import main

for arguments in json.loads(sys.argv[1]):
    print("code", main(arguments), file=sys.stderr, flush=True)
"""
REFUSED = {
    "read parquet": (["predict", "churn.run", "new.parquet"], "A Parquet file needs pyarrow"),
    "fit parquet": (["fit", "new.parquet", "--target", "left"], "A Parquet file needs pyarrow"),
    "write parquet": (
        ["predict", "churn.run", "new.csv", "--out", "p.parquet"],
        "a Parquet file needs pyarrow",
    ),
    "report": (["report", "churn.run"], "the report needs jinja2"),
    "read zstd": (["score", "churn.run", "new.csv.zst"], "A .zst file needs pyarrow"),
}
DONE = {
    "fit": ["fit", "churn.csv", "--target", "left", *FAST, "--out", "bare.run"],
    "predict": ["predict", "churn.run", "new.csv", "--out", "p.csv"],
    "score": ["score", "churn.run", "new.csv"],
    "explain": ["explain", "churn.run", "new.csv", "--row", "1"],
    "show": ["show", "churn.run"],
}


@pytest.fixture
def without_extras(folder, churn_run):
    """Run commands in one process that finds no package of nonet[app]."""
    (folder / "new.parquet").write_bytes(b"PAR1")
    (folder / "new.csv.zst").write_bytes(b"\x28\xb5\x2f\xfd")

    def run(commands):
        ended = subprocess.run(
            [sys.executable, "-c", BARE, json.dumps(commands)],
            capture_output=True,
            check=True,
            cwd=folder,
            text=True,
        )
        return ended.stderr.splitlines()

    return run


def test_what_needs_an_extra_says_how_to_install_it(without_extras):
    lines = without_extras([arguments for arguments, _ in REFUSED.values()])
    expected = [
        line
        for _, words in REFUSED.values()
        for line in (f"nonet: {words}: pip install nonet[app].", "code 3")
    ]
    assert lines == expected


def test_tables_in_csv_need_no_extra(without_extras):
    lines = without_extras(list(DONE.values()))
    assert [line for line in lines if line.startswith("code")] == ["code 0"] * len(DONE), lines
