"""NumPy's global random state belongs to the user: a seeded estimator does not touch it."""

from __future__ import annotations

import inspect
from collections.abc import Iterator

import numpy as np
import pytest
from sklearn.base import is_regressor

import nonet
from contracts.instances import every_instance

X = np.abs(np.random.default_rng(0).normal(size=(60, 4)))
TARGET = X[:, 0] + X[:, 1]
LABELS = (TARGET > 1.5).astype(int)

# Settings that draw random numbers where the instances of all contracts do not.
DRAWING = [
    nonet.AdaBoostClassifier(n_estimators=5, resample=True, stop_when="held_out"),
    nonet.BaggingClassifier(n_estimators=5, max_features=0.5, oob_score=True),
    nonet.BoostedTreesClassifier(n_estimators=5, drop_rate=0.5, sampling_method="goss"),
    nonet.BoostedTreesRegressor(n_estimators=5, early_stopping_rounds=2),
    nonet.ExtraTreesClassifier(n_estimators=5, decide="tuned_threshold"),
    nonet.GradientBoostingClassifier(n_estimators=5, n_iter_no_change=2, subsample=0.5),
    nonet.HistGradientBoostingClassifier(max_iter=5, early_stopping=True, scoring="accuracy"),
    nonet.RandomForestClassifier(n_estimators=20, decide="tuned_threshold", oob_score=True),
    nonet.RandomForestRegressor(n_estimators=20, max_features=2, stop_when="flat"),
]


def _seeded(estimator):
    if "random_state" in estimator.get_params(deep=False):
        estimator.set_params(random_state=0)
    return estimator


def _methods_of_rows(estimator) -> Iterator[str]:
    """Name the methods of a fitted estimator that take rows and nothing else."""
    for name, method in inspect.getmembers(type(estimator), inspect.isfunction):
        needed = [
            parameter.name
            for parameter in inspect.signature(method).parameters.values()
            if parameter.default is parameter.empty and parameter.kind is not parameter.VAR_KEYWORD
        ]
        takes_rows = not name.startswith(("_", "fit", "partial_fit")) and needed == ["self", "X"]
        if takes_rows and hasattr(estimator, name):
            yield name


def _state():
    kind, words, *rest = np.random.get_state()  # noqa: NPY002 - the state that users seed
    return kind, words.tolist(), rest


@pytest.mark.filterwarnings("ignore:.*in the bag of every member:UserWarning")
@pytest.mark.parametrize("estimator", [*every_instance(), *DRAWING], ids=repr)
def test_a_seeded_estimator_leaves_the_global_state_alone(estimator):
    """Issue 17, item 15: forests drew a seed that nobody read from the global state."""
    estimator = _seeded(estimator)
    before = _state()
    estimator.fit(X, TARGET if is_regressor(estimator) else LABELS)
    assert _state() == before, "fit drew from the global state"
    for name in _methods_of_rows(estimator):
        prediction = getattr(estimator, name)(X)
        if inspect.isgenerator(prediction):
            list(prediction)
        assert _state() == before, f"{name} drew from the global state"


def test_an_unseeded_forest_draws_one_seed_from_the_global_state():
    """None is where the global state is read, once per fit: the seed of the bags."""
    np.random.seed(5)  # noqa: NPY002 - the state that users seed
    np.random.randint(2**31)  # noqa: NPY002
    after_one_draw = _state()
    np.random.seed(5)  # noqa: NPY002
    nonet.RandomForestClassifier(n_estimators=5).fit(X, LABELS)
    assert _state() == after_one_draw
