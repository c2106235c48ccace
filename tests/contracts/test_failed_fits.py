"""A fit that fails or is interrupted leaves every estimator as it was (issue 17, item 5)."""

from __future__ import annotations

import pickle
import signal
import warnings
from functools import partial

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin, clone, is_classifier
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import SGDClassifier
from sklearn.utils import get_tags
from sklearn.utils.validation import check_is_fitted, has_fit_parameter

import nonet
from contracts.instances import LEARNERS, MEMBERS, every_instance, instances, prediction
from contracts.interrupts import count_calls, interrupt_after

KEEP_THEIR_BEST = (nonet.AutoEnsembleClassifier, nonet.AutoEnsembleRegressor)
FRACTIONS = (0.03, 0.4, 0.8, 0.97)  # of the calls of a fit, where it is interrupted
WARM = {
    nonet.RandomForestClassifier: {"oob_score": True},
    nonet.RandomForestRegressor: {},
    nonet.ExtraTreesClassifier: {},
    nonet.ExtraTreesRegressor: {},
    nonet.IsolationForest: {},
    nonet.RandomTreesEmbedding: {},
    nonet.BaggingClassifier: {},
    nonet.BaggingRegressor: {},
    nonet.GradientBoostingClassifier: {"subsample": 0.7},
    nonet.GradientBoostingRegressor: {"subsample": 0.7, "loss": "huber"},
    nonet.HistGradientBoostingClassifier: {"early_stopping": True, "min_samples_leaf": 1},
    nonet.HistGradientBoostingRegressor: {"min_samples_leaf": 1},
    nonet.BoostedTreesClassifier: {"drop_rate": 0.5, "min_child_samples": 1},
    nonet.BoostedTreesRegressor: {"min_child_samples": 1},
}


def table(n_columns, seed):
    return np.random.default_rng(seed).integers(0, 9, size=(60, n_columns)).astype(float)


def first_data(estimator):
    """Return rows of four columns, and labels or numbers."""
    X = table(4, 0)
    if not is_classifier(estimator):
        return X, X @ [1.0, 2.0, 0.5, 0.0]
    several = get_tags(estimator).classifier_tags.multi_class
    names = np.array(["a", "b", "c"] if several else ["a", "b"])
    return X, names[X[:, 0].astype(int) % len(names)]


def other_data(estimator):
    """Return rows of five columns, and other labels or numbers."""
    X = table(5, 1)
    return X, (X[:, 1] > 4).astype(int) + 5 if is_classifier(estimator) else X[:, 1] - 3.0


def fit_quietly(estimator, X, y, **params):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return estimator.fit(X, y, **params)


def fitted(estimator):
    if "random_state" in estimator.get_params(deep=False):  # NumPy's own state is not ours
        estimator.random_state = 0
    return fit_quietly(estimator, *first_data(estimator))


def twin_of(estimator):
    """Return an estimator with the same attributes as the given one."""
    twin = object.__new__(type(estimator))
    vars(twin).update(vars(estimator))
    return twin


class State:
    """All that an estimator is made of, down to the last array, and what it predicts."""

    def __init__(self, estimator):
        self.names = list(vars(estimator))
        self.predictions = prediction(estimator, first_data(estimator)[0])
        self.bytes = pickle.dumps(estimator)

    def assert_same(self, estimator):
        assert list(vars(estimator)) == self.names
        assert pickle.dumps(estimator) == self.bytes
        predictions = prediction(estimator, first_data(estimator)[0])
        np.testing.assert_array_equal(predictions, self.predictions)
        self.bytes = pickle.dumps(estimator)  # some models count their calls


def positions_in(fit):
    """Return the calls at which a fit is interrupted."""
    n_calls = count_calls(fit)
    return [max(2, int(fraction * n_calls)) for fraction in FRACTIONS]


def is_interrupted(estimator, fit, position):
    """Return whether a fit that is interrupted raises; searches end with the best model so far."""
    try:
        with interrupt_after(position):
            fit(estimator)
    except KeyboardInterrupt:
        return True
    assert isinstance(estimator, KEEP_THEIR_BEST)
    check_is_fitted(estimator)
    return False


def assert_interrupts_change_nothing(estimator, fit):
    state = State(estimator)
    for position in positions_in(lambda: fit(twin_of(estimator))):
        model = twin_of(estimator) if isinstance(estimator, KEEP_THEIR_BEST) else estimator
        if model is not estimator:
            state = State(model)
        if is_interrupted(model, fit, position):
            state.assert_same(model)


by_name = pytest.mark.parametrize("estimator", every_instance(), ids=lambda e: repr(e)[:60])


@by_name
def test_interrupted_first_fit_leaves_nothing(estimator):
    data = first_data(estimator)
    estimator = clone(estimator)
    before = dict(vars(estimator))
    for position in positions_in(partial(fit_quietly, clone(estimator), *data)):
        if not is_interrupted(estimator, lambda model: fit_quietly(model, *data), position):
            estimator = clone(estimator)
            continue
        assert vars(estimator) == before
        with pytest.raises(NotFittedError):
            check_is_fitted(estimator)


@by_name
def test_interrupted_fit_on_other_data_changes_nothing(estimator):
    fitted(estimator)
    assert_interrupts_change_nothing(
        estimator, lambda model: fit_quietly(model, *other_data(model))
    )


@pytest.mark.parametrize("kind", WARM, ids=lambda kind: kind.__name__)
def test_interrupted_warm_start_changes_nothing(kind):
    size = "max_iter" if "max_iter" in kind().get_params() else "n_estimators"
    estimator = kind(**{size: 8}, warm_start=True, random_state=0, **WARM[kind])
    X, y = first_data(estimator)
    fit_quietly(estimator, X, y).set_params(**{size: 12})
    continued = fit_quietly(pickle.loads(pickle.dumps(estimator)), X, y)
    assert_interrupts_change_nothing(estimator, lambda model: fit_quietly(model, X, y))
    np.testing.assert_array_equal(
        prediction(fit_quietly(estimator, X, y), X), prediction(continued, X)
    )


def bad_calls(estimator):
    """Yield arguments that fit has to refuse."""
    X, y = other_data(estimator)
    text = np.full(X.shape, "text", dtype=object)
    yield text, y, {}
    yield X[:, :0], y, {}
    if has_fit_parameter(estimator, "sample_weight"):
        yield X, y, {"sample_weight": np.full(len(X), -1.0)}
    if get_tags(estimator).target_tags.required:
        yield X, y[:-1], {}
        yield X, None, {}
        yield X, np.where(np.arange(len(y)) == 7, np.nan, y), {}


@by_name
def test_refused_data_changes_nothing(estimator):
    state = State(fitted(estimator))
    for X, y, params in bad_calls(estimator):
        with pytest.raises((ValueError, TypeError)):
            fit_quietly(estimator, X, y, **params)
        state.assert_same(estimator)


class _FailsAtLast(BaseEstimator):
    """A learner that fails once too many of them have been fitted."""

    n_left = 0

    def fit(self, X, y, sample_weight=None):
        type(self).n_left -= 1
        if type(self).n_left < 0:
            raise RuntimeError("one too many")
        self.n_features_in_ = X.shape[1]
        if isinstance(self, ClassifierMixin):
            self.classes_ = np.unique(y)
        return self


class FailingClassifier(ClassifierMixin, _FailsAtLast):
    def predict(self, X):
        codes = (np.asarray(X)[:, 0].astype(int) // 2) % len(self.classes_)
        return self.classes_[codes]

    def predict_proba(self, X):
        return np.eye(len(self.classes_))[np.searchsorted(self.classes_, self.predict(X))]


class FailingRegressor(RegressorMixin, _FailsAtLast):
    def predict(self, X):
        return np.asarray(X)[:, 0]


def of_failing_members():
    for kind in [*MEMBERS, *LEARNERS]:
        failing = FailingClassifier if kind.__name__.endswith("Classifier") else FailingRegressor
        estimator = instances(kind)[0]
        name = "estimators" if kind in MEMBERS else "estimator"
        yield estimator.set_params(
            **{name: [("one", failing()), ("two", failing())] if kind in MEMBERS else failing()}
        )
    small = {"n_estimators": 4, "random_state": 0}
    yield nonet.BaggingClassifier(FailingClassifier(), **small)
    yield nonet.RandomSubspaceRegressor(FailingRegressor(), **small)
    yield nonet.AdaBoostClassifier(FailingClassifier(), **small)
    yield nonet.AdaBoostRegressor(FailingRegressor(), **small)
    yield nonet.ThreeLearnerClassifier(FailingClassifier(), random_state=0)


@pytest.mark.parametrize("estimator", list(of_failing_members()), ids=lambda e: type(e).__name__)
def test_member_that_fails_changes_nothing(estimator):
    if hasattr(estimator, "views"):
        estimator.views = {"one": slice(0, 2), "two": [0]}
    failing = FailingRegressor if not is_classifier(estimator) else FailingClassifier
    failing.n_left = n_fits = 1_000
    fitted(estimator)
    n_fits -= failing.n_left
    state = State(estimator)
    for n_left in sorted({0, n_fits // 2, n_fits - 1}):
        failing.n_left = n_left
        with pytest.raises((ValueError, RuntimeError), match="one too many"):
            fit_quietly(estimator, *first_data(estimator))
        state.assert_same(estimator)


def fail_after(n_calls):
    """Return a function that returns 0 so many times, and then fails."""
    left = [n_calls]

    def function(*_):
        left[0] -= 1
        if left[0] < 0:
            raise RuntimeError("one too many")
        return 0.0

    return function


@pytest.mark.parametrize(
    ("estimator", "setting", "params"),
    [
        (nonet.GradientBoostingRegressor(n_estimators=5), {}, {"monitor": fail_after(2)}),
        (
            nonet.HistGradientBoostingClassifier(max_iter=5, min_samples_leaf=1),
            {"early_stopping": True, "scoring": fail_after(4)},
            {},
        ),
        (
            nonet.BoostedTreesRegressor(n_estimators=5),
            {"eval_metric": fail_after(2), "early_stopping_rounds": 3},
            {},
        ),
        (
            nonet.RandomForestClassifier(n_estimators=5, random_state=0),
            {"oob_score": fail_after(0)},
            {},
        ),
    ],
    ids=lambda value: type(value).__name__,
)
def test_function_of_the_user_that_fails_changes_nothing(estimator, setting, params):
    before = estimator.get_params()
    state = State(fitted(estimator))
    estimator.set_params(**setting)
    with pytest.raises((ValueError, RuntimeError), match="one too many"):
        fit_quietly(estimator, *other_data(estimator), **params)
    state.assert_same(estimator.set_params(**{name: before[name] for name in setting}))


@pytest.mark.parametrize("kind", [nonet.OneVsRestClassifier, nonet.OneVsOneClassifier])
def test_interrupted_batch_changes_nothing(kind):
    """Members learn batches in place: those before the interrupt must be as they were, too."""
    estimator = kind(SGDClassifier(random_state=0))
    X, y = first_data(estimator)
    estimator.partial_fit(X[:30], y[:30], classes=["a", "b", "c"])
    assert_interrupts_change_nothing(estimator, lambda model: model.partial_fit(X[30:], y[30:]))


@pytest.mark.parametrize(
    "estimator",
    [
        nonet.RandomForestRegressor(100_000),
        nonet.ExtraTreesClassifier(100_000),
        nonet.HistGradientBoostingRegressor(max_iter=100_000),
        nonet.GradientBoostingClassifier(n_estimators=100_000),
        nonet.BoostedTreesClassifier(n_estimators=100_000),
        nonet.AdaBoostClassifier(n_estimators=100_000),
    ],
    ids=lambda e: type(e).__name__,
)
def test_signal_inside_the_core_leaves_nothing(estimator):
    """The fit would take minutes; the signal comes after a tenth of a second of it."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(5_000, 8))
    before = dict(vars(estimator))

    def interrupt(*_):
        raise KeyboardInterrupt

    usual = signal.signal(signal.SIGALRM, interrupt)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.1)
        with pytest.raises(KeyboardInterrupt):
            estimator.fit(X, (X[:, 0] + rng.normal(size=len(X)) > 0).astype(int))
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, usual)
    assert vars(estimator) == before
