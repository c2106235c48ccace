"""The installed command in processes of its own: odd tables, kill -9, limits of files, pipes."""

import os
import re
import signal
import subprocess
import sysconfig
import time
from pathlib import Path

import pytest

import nonet
from cli.small_tables import FAST, as_csv, churn_rows
from tables.odd_tables import ODD_TABLES

COMMAND = Path(sysconfig.get_path("scripts")) / "nonet"
LINEAR = ("fit", "churn.csv", "--target", "left", "--families", "linear")
# One of each kind of outcome; all others run in the process of the tests (test_odd_tables).
ODD = {"Windows encoding", "Windows line ends", "empty file", "damaged gzip"}


@pytest.fixture
def installed(folder):
    """Run the installed command, and return its exit code and what it prints."""

    def run(*arguments, **options):
        ended = subprocess.run(
            [COMMAND, *map(str, arguments)],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
            cwd=folder,
            **options,
        )
        return ended.returncode, ended.stdout.decode(), ended.stderr.decode()

    return run


def is_sentence(line):
    return line.startswith("nonet: ") and line.endswith(".")


@pytest.mark.parametrize(
    "odd", [one for one in ODD_TABLES if one.name in ODD], ids=lambda odd: odd.name
)
def test_odd_table_ends_with_a_model_or_a_sentence(installed, folder, odd):
    (folder / odd.file_name).write_bytes(odd.content)
    options = ["--target", odd.target, *FAST, "--out", "run"]
    code, out, err = installed("fit", odd.file_name, *options)
    if odd.error is not None:
        assert (code, out) == (3, "")
        assert is_sentence(err.splitlines()[-1])
        assert re.search(odd.error, err, re.DOTALL)
        return
    assert code == 0, err
    assert [repair for repair in odd.repairs if not re.search(repair, err)] == []
    assert (folder / "run" / "model.nonet").exists()


def test_chosen_odd_tables_are_there():
    assert {odd.name for odd in ODD_TABLES} >= ODD


def test_killed_fit_is_shown_and_resumed(installed, folder):
    child = subprocess.Popen(
        [COMMAND, *LINEAR, "--time", "none", "--max-tasks", "24", "--quiet"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        cwd=folder,
    )
    tasks = folder / "churn.run" / "tasks"
    while child.poll() is None and len(list(tasks.glob("*.nonet"))) < 3:
        time.sleep(0.002)
    child.send_signal(signal.SIGKILL)
    child.wait()
    code, out, _ = installed("show", "churn.run")
    assert code == 0
    if child.returncode == -signal.SIGKILL and not (folder / "churn.run/model.nonet").exists():
        assert "go on     nonet resume churn.run" in out
    code, _, err = installed("resume", "churn.run", "--max-tasks", "8")
    assert code == 0, err
    assert (folder / "churn.run" / "model.nonet").exists()


def limited(n_bytes):
    """Return what lets a process write files of at most so many bytes, as on a full disk."""
    resource = pytest.importorskip("resource")
    return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (n_bytes, n_bytes))


def test_fit_that_cannot_be_stored_is_not_in_the_way_of_the_next(installed, folder):
    code, out, err = installed(*LINEAR, "--max-tasks", "4", preexec_fn=limited(1000))
    assert (code, out) == (3, "")
    assert "cannot be written: file too large" in err.splitlines()[-1]
    assert is_sentence(err.splitlines()[-1])
    assert not (folder / "churn.run").exists()
    assert installed(*LINEAR, "--max-tasks", "4")[0] == 0


def test_fit_on_a_disk_that_becomes_full_keeps_what_is_finished(installed, folder):
    code, _, err = installed(*LINEAR, "--max-tasks", "8", preexec_fn=limited(150_000))
    assert code == 3
    assert is_sentence(err.splitlines()[-1])
    assert "Traceback" not in err
    code, _, err = installed("resume", "churn.run")
    assert code == 0, err
    whole = installed(*LINEAR, "--max-tasks", "8", "--out", "whole.run")
    assert whole[0] == 0
    resumed, plain = (nonet.open_run(folder / name) for name in ("churn.run", "whole.run"))
    assert resumed.honest_score == plain.honest_score


@pytest.mark.parametrize(
    "arguments",
    [("predict", "churn.run", "long.csv", "--out", "old"), ("report", "churn.run", "--out", "old")],
    ids=["predict", "report"],
)
def test_file_that_becomes_too_large_leaves_the_old_one(installed, folder, churn_run, arguments):
    (folder / "long.csv").write_bytes(as_csv(churn_rows(5000, seed=1)))
    path = folder / ("old.csv" if arguments[0] == "predict" else "old.html")
    path.write_text("old")
    before = sorted(folder.iterdir())
    code, out, err = installed(*arguments[:-1], path.name, preexec_fn=limited(10_000))
    assert (code, out) == (3, "")
    assert is_sentence(err.splitlines()[-1])
    assert path.read_text() == "old"
    assert sorted(folder.iterdir()) == before


def test_reader_that_ends_early_is_no_error(folder, churn_run):
    (folder / "long.csv").write_bytes(as_csv(churn_rows(5000, seed=1)))
    script = f'"{COMMAND}" predict churn.run long.csv --proba | head -n 1; echo ${{PIPESTATUS[0]}}'
    ended = subprocess.run(
        ["bash", "-c", script], capture_output=True, check=False, cwd=folder, text=True
    )
    head, code = ended.stdout.splitlines()
    assert head == "customer,prediction,probability_no,probability_yes"
    # 0 if all was written into the pipe before its reader ended.
    assert (int(code) in (0, 141), ended.stderr) == (True, "")


def test_command_without_standard_streams_ends_well(folder, churn_run):
    """As a service or a window without a console starts it."""
    script = f'exec 0<&- 1>&- 2>&-; "{COMMAND}" predict churn.run new.csv --out p.csv'
    ended = subprocess.run(["bash", "-c", script], check=False, cwd=folder)
    assert ended.returncode == 0
    assert len((folder / "p.csv").read_text().splitlines()) == 61


def test_command_in_plain_ascii_writes_other_letters(installed, folder):
    rows = {**churn_rows(), "größe": churn_rows()["age"]}
    (folder / "odd.csv").write_bytes(as_csv(rows))
    environment = {**os.environ, "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii"}
    code, out, err = installed("fit", "odd.csv", "--target", "left", *FAST, env=environment)
    assert (code, "Traceback" in err) == (0, False)
    assert "gr\\xf6\\xdfe" in err
    assert out
