"""Copies, processes, threads and seeds: none of them changes a bit of the predictions."""

from __future__ import annotations

import copy
import io
import os
import pickle
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from select import select
from signal import SIGKILL
from typing import Any

import joblib
import numpy as np
import pytest
from sklearn.base import clone

from fuzz.case import Case, Expect
from fuzz.subject import Subject, predict, quietly
from nonet import limit_threads


def through_joblib(model: Any) -> Any:
    file = io.BytesIO()
    joblib.dump(model, file)
    file.seek(0)
    return joblib.load(file)


COPIES: dict[str, Callable[[Any], Any]] = {
    "pickle": lambda model: pickle.loads(pickle.dumps(model)),
    "the oldest pickle": lambda model: pickle.loads(pickle.dumps(model, protocol=2)),
    "pickle twice": lambda model: pickle.loads(pickle.dumps(pickle.loads(pickle.dumps(model)))),
    "a deep copy": copy.deepcopy,
    "a shallow copy": copy.copy,
    "joblib": through_joblib,
}


def copied(name: str) -> Case:
    def run(subject: Subject) -> None:
        found = quietly(predict, COPIES[name](subject.fitted), subject.X)
        assert np.array_equal(found, subject.predictions_of_plain()), f"{name} predicts differently"

    return Case(f"copied by {name}", Expect.RIGHT, run)


def assert_fits_the_same(subject: Subject, model: Any, what: str) -> None:
    found = quietly(predict, quietly(subject.fit, subject.X, subject.y, model=model), subject.X)
    assert np.array_equal(found, subject.predictions_of_plain()), f"{what} changes predictions"


def cloned(subject: Subject) -> None:
    twin = clone(subject.fitted)
    assert not [name for name in vars(twin) if name.endswith("_")], "a clone is fitted"
    assert repr(twin) == repr(subject.make()), "a clone has other parameters"
    assert_fits_the_same(subject, twin, "clone")


def pickled_unfitted(subject: Subject) -> None:
    assert_fits_the_same(subject, pickle.loads(pickle.dumps(subject.make())), "pickle")


def set_again(subject: Subject) -> None:
    model = subject.make()
    assert_fits_the_same(subject, model.set_params(**model.get_params(deep=False)), "set_params")


def unknown_parameter(subject: Subject) -> None:
    with pytest.raises((ValueError, TypeError), match="no_such_parameter"):
        subject.make().set_params(no_such_parameter=1)


def shown(subject: Subject) -> None:
    for model in (subject.make(), subject.fitted):
        assert subject.name in repr(model), "repr does not name the class"
        assert model._repr_html_(), "no diagram"


# ---- Processes and threads ---------------------------------------------------------------------


HANGS_AFTER = 60  # seconds: a child of a fork may wait for threads that it does not have


def in_child(what: Callable[[Subject], Any], subject: Subject) -> Any:
    """Return what a forked child computes."""
    reader, writer = os.pipe()
    process = quietly(os.fork)  # Python warns of threads, which is what is tried here
    if process == 0:
        status = 1
        try:
            with os.fdopen(writer, "wb") as channel:
                pickle.dump(what(subject), channel)
            status = 0
        finally:
            os._exit(status)
    os.close(writer)
    with os.fdopen(reader, "rb") as channel:
        if not select([channel], [], [], HANGS_AFTER)[0]:
            os.kill(process, SIGKILL)
        written = channel.read()
    _, status = os.waitpid(process, 0)
    assert status == 0, f"the child ended with status {status}, or hung"
    return pickle.loads(written)


def forked(name: str, what: Callable[[Subject], Any]) -> Case:
    def run(subject: Subject) -> None:
        plain = subject.predictions_of_plain()
        assert np.array_equal(in_child(what, subject), plain), "a child predicts differently"

    return Case(name, Expect.RIGHT, run)


def fit_and_predict(subject: Subject) -> Any:
    return quietly(predict, quietly(subject.fit, subject.X, subject.y), subject.X)


def in_threads(name: str, what: Callable[[Subject], Any]) -> Case:
    def run(subject: Subject) -> None:
        plain = subject.predictions_of_plain()
        with ThreadPoolExecutor(3) as pool:
            found = list(pool.map(lambda _: what(subject), range(3)))
        same = all(np.array_equal(one, plain) for one in found)
        assert same, "threads beside each other predict differently"

    return Case(name, Expect.RIGHT, run)


def on_one_thread(subject: Subject) -> None:
    with limit_threads(1):
        assert_fits_the_same(subject, None, "limit_threads(1)")


def with_jobs(n_jobs: int) -> Case:
    def run(subject: Subject) -> None:
        model = subject.make().set_params(n_jobs=n_jobs)
        assert_fits_the_same(subject, model, f"n_jobs={n_jobs}")

    return Case(f"n_jobs={n_jobs}", Expect.RIGHT, run, suits=lambda one: "n_jobs" in one.params)


# ---- Seeds -------------------------------------------------------------------------------------


def has_seed(subject: Subject) -> bool:
    return "random_state" in subject.params


def seeded(name: str, make: Callable[[], Any]) -> Case:
    """Return the case of two fits with the same seed."""

    def run(subject: Subject) -> None:
        one, two = (
            quietly(
                subject.fit,
                subject.X,
                subject.y,
                model=subject.make().set_params(random_state=make()),
            )
            for _ in range(2)
        )
        same = np.array_equal(quietly(predict, one, subject.X), quietly(predict, two, subject.X))
        assert same, "the same seed predicts differently"

    return Case(f"seed {name}", Expect.RIGHT, run, suits=has_seed)


SEEDS: dict[str, Callable[[], Any]] = {
    "0": lambda: 0,
    "of NumPy's int": lambda: np.int64(7),
    "of 32 bits": lambda: 2**32 - 1,
    "of a RandomState": lambda: np.random.RandomState(3),
}


def global_state_is_left_alone(subject: Subject) -> None:
    before = np.random.get_state()[1].copy()  # noqa: NPY002
    fit_and_predict(subject)
    assert np.array_equal(before, np.random.get_state()[1]), "a seeded fit drew global numbers"  # noqa: NPY002


CASES: list[Case] = [
    *map(copied, COPIES),
    Case("clone of a fitted model", Expect.RIGHT, cloned),
    Case("pickle of an unfitted model", Expect.RIGHT, pickled_unfitted),
    Case("get_params and set_params", Expect.RIGHT, set_again),
    Case("set_params of an unknown name", Expect.RIGHT, unknown_parameter),
    Case("repr and diagram", Expect.RIGHT, shown),
    forked("fit in a forked child", fit_and_predict),
    forked("predict in a forked child", lambda one: quietly(predict, one.fitted, one.X)),
    in_threads("fit in three threads", fit_and_predict),
    in_threads("predict in three threads", lambda one: predict(one.fitted, one.X)),
    Case("one thread", Expect.RIGHT, on_one_thread),
    with_jobs(2),
    with_jobs(-1),
    *[seeded(name, make) for name, make in SEEDS.items()],
    Case("global random state", Expect.RIGHT, global_state_is_left_alone),
]
