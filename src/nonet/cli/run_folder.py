"""The folder of a run, as the command line uses it: a new one, and what it knows of its run."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from nonet.auto.folder_lock import LOCK_FILE
from nonet.auto.run_database import DATABASE
from nonet.auto.run_rows import has_rows
from nonet.auto.run_store import RunStore
from nonet.cli.command_error import CommandError

MODEL_FILE = "model.nonet"
CONFIG_FILE = "config.toml"
REPORT_FILE = "report.html"


def is_run(folder: str) -> bool:
    """Return whether a folder is that of a run.

    Examples
    --------
    >>> is_run("no such folder")
    False
    """
    return os.path.isfile(os.path.join(folder, DATABASE))


def check_is_new(folder: str) -> None:
    """Raise unless a folder is new or empty.

    Parameters
    ----------
    folder : str

    Examples
    --------
    >>> check_is_new("no such folder")
    """
    if is_run(folder):
        raise CommandError(
            f"{folder!r} holds a run already; go on with it by 'nonet resume {folder}', or give "
            "another folder with --out."
        )
    if os.path.exists(folder) and not _holds_nothing(folder):
        what = "a folder that is not empty" if os.path.isdir(folder) else "a file"
        raise CommandError(f"{folder!r} is {what}; give a new folder with --out.")


@contextmanager
def new_run_folder(folder: str) -> Iterator[None]:
    """Remove the folder of a run that ends with an error before its first result.

    It would be in the way of the next attempt. A folder that can be resumed after Ctrl-C stays, and
    so does one that was there before.

    Parameters
    ----------
    folder : str

    Examples
    --------
    >>> with new_run_folder("churn.run"):
    ...     pass
    """
    was_there = os.path.exists(folder)
    try:
        yield
    except KeyboardInterrupt:
        if not was_there and not can_be_resumed(folder):
            _remove(folder)
        raise
    except Exception:
        if not was_there and count_results(folder) == 0:
            _remove(folder)
        raise


def can_be_resumed(folder: str) -> bool:
    """Return whether the table of a run is stored, so that it can go on.

    Examples
    --------
    >>> can_be_resumed("no such folder")
    False
    """
    if not is_run(folder):
        return False
    with RunStore.open(folder, read_only=True) as store:
        return has_rows(store)


def count_results(folder: str) -> int:
    """Return how many tasks of a run are done.

    Examples
    --------
    >>> count_results("no such folder")
    0
    """
    if not is_run(folder):
        return 0
    with RunStore.open(folder, read_only=True) as store:
        return sum(record.state == "done" for record in store.records())


def facts_of(folder: str) -> dict[str, Any]:
    """Return what the folder of a run knows of it.

    Parameters
    ----------
    folder : str
    """
    with RunStore.open(folder, read_only=True) as store:
        return store.facts


def add_facts(folder: str, **facts: Any) -> None:
    """Add to what the folder of a run knows of it.

    Parameters
    ----------
    folder : str
    **facts : dict
    """
    with RunStore.open(folder) as store:
        store.update_facts(**facts)


def _remove(folder: str) -> None:
    """Remove a folder that this process has made."""
    if is_run(folder) or _holds_nothing(folder):
        with suppress(OSError):
            shutil.rmtree(folder)


def _holds_nothing(folder: str) -> bool:
    """Return whether a folder has at most the lock of a run that could not be begun."""
    return os.path.isdir(folder) and set(os.listdir(folder)) <= {LOCK_FILE}
