"""What contracts check of other estimators, on pairs of user and item."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from numpydoc.docscrape import ClassDoc
from sklearn.base import clone, is_regressor
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import cross_val_score

import nonet
from contracts import public

DATA = nonet.make_ratings(40, 30, 500, mean=9.0, random_state=0)
X, Y = DATA.X, DATA.y
SMALL = {
    nonet.RatingEnsemble: {
        "estimators": [
            ("bias", nonet.BiasModel()),
            ("als", nonet.ALSFactorization(2, n_iter=2, random_state=0)),
        ],
        "cv": 2,
    },
    nonet.SGDFactorization: {"n_iter": 2},
}
KINDS = public.rating_classes()
by_kind = pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)


class Unwanted:
    """Nothing any parameter allows."""

    def __repr__(self):
        return "<unwanted>"


def make(kind):
    model = kind(**SMALL.get(kind, {}))
    return model.set_params(random_state=0) if "random_state" in model.get_params() else model


def test_there_are_eight_kinds():
    assert len(KINDS) == 8


@by_kind
def test_predicts_the_same_after_pickle_and_clone(kind):
    model = make(kind).fit(X, Y)
    expected = model.predict(X)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(model)).predict(X), expected)
    np.testing.assert_array_equal(clone(model).fit(X, Y).predict(X), expected)


@by_kind
def test_comes_back_from_a_model_file_with_equal_bits(kind, tmp_path):
    model = make(kind).fit(X, Y)
    nonet.save(model, tmp_path / "ratings.nonet")
    loaded = nonet.load(tmp_path / "ratings.nonet")
    np.testing.assert_array_equal(loaded.predict(X), model.predict(X))
    users = np.unique(X[:, 0])[:3]
    recommended = zip(loaded.recommend(users, n=3), model.recommend(users, n=3), strict=True)
    for one, other in recommended:
        np.testing.assert_array_equal(one, other)


@by_kind
def test_is_a_regressor_that_scikit_learn_can_score(kind):
    model = make(kind)
    assert is_regressor(model)
    assert np.isfinite(cross_val_score(model, X, Y, cv=2)).all()
    assert model.fit(X, Y).n_features_in_ == 2


@by_kind
def test_is_not_fitted_before_fit(kind):
    with pytest.raises(NotFittedError):
        make(kind).predict(X)
    with pytest.raises(NotFittedError):
        make(kind).recommend([1])


@by_kind
def test_refused_data_changes_nothing(kind):
    model = make(kind).fit(X, Y)
    before = pickle.dumps(model)
    for bad_X, bad_y in ((X, np.full(len(Y), np.nan)), (X[:, :1], Y), (X, Y[:-1])):
        with pytest.raises(ValueError):  # noqa: PT011 - the words are checked elsewhere
            model.fit(bad_X, bad_y)
        assert pickle.dumps(model) == before


@by_kind
def test_rejects_bad_parameter_with_the_one_sentence(kind):
    for name in sorted(set(make(kind).get_params(deep=False))):
        model = make(kind).set_params(**{name: Unwanted()})
        with pytest.raises(ValueError, match=rf"^\w+: parameter '{name}' must be .+") as caught:
            model.fit(X, Y)
        assert str(caught.value).endswith(", but got <unwanted>.")


@by_kind
def test_documents_its_fitted_attributes(kind):
    documented = {attribute.name for attribute in ClassDoc(kind)["Attributes"]}
    assert {"n_features_in_", "feature_names_in_", "users_", "items_"} <= documented
    assert kind in {getattr(nonet.unsupervised, name) for name in nonet.unsupervised.__all__}
