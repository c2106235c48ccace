"""Commands that run in this process, and runs that tests share."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from cli.small_tables import FAST, as_csv, churn_rows, flat_rows
from nonet.cli.main import main


@dataclass(frozen=True)
class Ended:
    """What a command has printed, and its exit code."""

    code: int
    out: str
    err: str

    @property
    def document(self):
        return json.loads(self.out)

    @property
    def sentence(self):
        """The error: one line on stderr that begins with the name of the program."""
        assert self.out == ""
        (line,) = self.err.splitlines()
        assert line.startswith("nonet: ")
        assert line.endswith(".")
        return line.removeprefix("nonet: ")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """The current folder, with the tables churn.csv, new.csv and flats.csv."""
    monkeypatch.chdir(tmp_path)
    _write_tables(tmp_path)
    return tmp_path


@pytest.fixture
def nonet_command(folder, capfdbinary):
    """Run a command in this process."""

    def run(*arguments):
        capfdbinary.readouterr()
        code = main([str(one) for one in arguments])
        out, err = capfdbinary.readouterr()
        return Ended(code, out.decode(), err.decode())

    return run


@pytest.fixture
def nonet_process(folder):
    """Run a command in a process of its own."""

    def run(*arguments, stdin=b"", **environment):
        ended = subprocess.run(
            [sys.executable, "-m", "nonet", *map(str, arguments)],
            input=stdin,
            capture_output=True,
            check=False,
            cwd=folder,
            env={**os.environ, **environment},
        )
        return Ended(ended.returncode, ended.stdout.decode(), ended.stderr.decode())

    return run


@pytest.fixture(scope="session")
def _fitted(tmp_path_factory):
    folder = tmp_path_factory.mktemp("fitted")
    _write_tables(folder)
    churn = ["churn.csv", "--target", "left", "--id", "customer", "--drop", "weight"]
    flats = ["flats.csv", "--target", "price"]
    for (table, *options), out in ((churn, "churn.run"), (flats, "flats.run")):
        whole = ["fit", str(folder / table), *options, "--out", str(folder / out), "--quiet", *FAST]
        assert main(whole) == 0
    return folder


@pytest.fixture
def churn_run(folder, _fitted):
    """The path of a run that predicts 'left'."""
    return _copy(_fitted / "churn.run", folder)


@pytest.fixture
def flats_run(folder, _fitted):
    """The path of a run that predicts 'price'."""
    return _copy(_fitted / "flats.run", folder)


def _copy(run: Path, folder: Path) -> str:
    shutil.copytree(run, folder / run.name)
    return run.name


def _write_tables(folder: Path) -> None:
    (folder / "churn.csv").write_bytes(as_csv(churn_rows()))
    (folder / "new.csv").write_bytes(as_csv(churn_rows(60, seed=1)))
    (folder / "flats.csv").write_bytes(as_csv(flat_rows()))
    (folder / "new_flats.csv").write_bytes(as_csv(flat_rows(60, seed=1)))
