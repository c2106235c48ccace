from __future__ import annotations

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_diabetes, make_classification
from sklearn.feature_selection import SelectKBest, f_classif
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.model_selection import GridSearchCV
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeRegressor

from nonet.resampling import (
    OneStandardError,
    best_of_many,
    cv_curve,
    one_standard_error,
    selection_leak,
)

X, Y = load_diabetes(return_X_y=True)


def test_simplest_within_one_standard_error_is_chosen():
    assert one_standard_error([5.0, 3.2, 3.0, 3.1], [1, 1, 0.25, 1]) == 1
    assert one_standard_error([5.0, 3.2, 3.0, 3.1], [1, 1, 0.1, 1]) == 2


def test_complexity_orders_models_and_the_better_of_equally_simple_wins():
    errors, spread = [3.0, 3.1, 3.05, 3.4], [0.2] * 4
    assert one_standard_error(errors, spread, complexity=[4, 2, 2, 1]) == 2


def test_least_error_itself_is_chosen_without_spread():
    assert one_standard_error([2.0, 1.0, 1.0], [0, 0, 0]) == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([], []), "list of finite numbers"),
        (([1.0, np.nan], [0, 0]), "errors must be a list of finite numbers"),
        (([1.0, 2.0], [0.0]), "one number for each of the 2 errors"),
        (([1.0, 2.0], [0.0, -1.0]), "at least 0"),
    ],
)
def test_one_standard_error_rejects_bad_input(arguments, message):
    with pytest.raises(ValueError, match=message):
        one_standard_error(*arguments)


def test_one_standard_error_rejects_complexity_of_another_length():
    with pytest.raises(ValueError, match="complexity must hold one number"):
        one_standard_error([1.0, 2.0], [0, 0], complexity=[1])


def test_search_chooses_what_the_plain_function_chooses():
    depths = [1, 2, 3, 4, 5, 6]
    tree = DecisionTreeRegressor(random_state=0)
    rule = OneStandardError("max_depth")
    search = GridSearchCV(tree, {"max_depth": depths}, refit=rule, cv=5).fit(X, Y)
    scores = np.array([search.cv_results_[f"split{k}_test_score"] for k in range(5)])
    spread = scores.std(axis=0, ddof=1) / np.sqrt(5)
    assert search.best_index_ == one_standard_error(-scores.mean(axis=0), spread)
    plain = GridSearchCV(tree, {"max_depth": depths}, cv=5).fit(X, Y)
    assert search.best_params_["max_depth"] <= plain.best_params_["max_depth"]


def test_search_prefers_larger_penalties_and_looks_at_the_named_scorer():
    rule = OneStandardError("alpha", simpler="larger", scorer="r2")
    search = GridSearchCV(
        Ridge(), {"alpha": [1e-3, 1e-2, 1e-1, 1.0]}, scoring=["r2", "neg_max_error"], refit=rule
    ).fit(X, Y)
    assert search.best_params_["alpha"] > 1e-3
    assert repr(clone(search).refit) == repr(rule)


def test_search_takes_a_function_of_parameters():
    rule = OneStandardError(lambda params: -params["alpha"])
    other = OneStandardError("alpha", simpler="larger")
    grid = {"alpha": [1e-3, 1e-2, 1e-1, 1.0]}
    chosen = [GridSearchCV(Ridge(), grid, refit=r).fit(X, Y).best_params_ for r in (rule, other)]
    assert chosen[0] == chosen[1]


def test_candidate_that_failed_is_never_chosen():
    results = {
        "params": [{"d": 1}, {"d": 2}, {"d": 3}],
        "split0_test_score": np.array([np.nan, 0.9, 0.9]),
        "split1_test_score": np.array([0.9, 0.8, 0.85]),
    }
    assert OneStandardError("d")(results) == 1


def test_search_rule_rejects_bad_input():
    with pytest.raises(ValueError, match="parameter 'complexity' must be"):
        OneStandardError(3)
    with pytest.raises(ValueError, match="parameter 'simpler' must be"):
        OneStandardError("d", simpler="less")
    results = {"params": [{"d": 1}], "split0_test_score": [1.0], "split1_test_score": [1.0]}
    with pytest.raises(ValueError, match="not a searched parameter"):
        OneStandardError("depth")(results)
    with pytest.raises(ValueError, match="at least 2 splits"):
        OneStandardError("d", scorer="r2")(results)
    bad = results | {"split0_test_score": [np.nan]}
    with pytest.raises(ValueError, match="no candidate"):
        OneStandardError("d")(bad)


# ---- The best of many ------------------------------------------------------------------------


def test_best_of_many_coins_is_no_better_than_a_coin_against_theory():
    apparent, corrected = [], []
    for seed in range(20):
        coins = np.random.default_rng(seed).integers(2, size=(60, 50))
        result = best_of_many(coins, n_resamples=200, random_state=0)
        apparent.append(result.apparent)
        corrected.append(result.error)
        assert result.optimism == pytest.approx(result.error - result.apparent)
    assert np.mean(apparent) < 0.37
    assert np.mean(corrected) == pytest.approx(0.5, abs=0.02)


def test_one_model_needs_no_correction():
    losses = np.random.default_rng(0).uniform(size=(200, 1))
    assert best_of_many(losses, [100, 100], method="folds").optimism == 0
    assert best_of_many(losses, random_state=0).optimism == pytest.approx(0, abs=0.01)


def test_correction_by_folds_against_naive():
    losses = np.random.default_rng(0).uniform(size=(30, 5))
    result = best_of_many(losses, [10, 12, 8], method="folds")
    parts = np.split(losses, [10, 22])
    gaps = [part.mean(axis=0)[result.best] - min(part.mean(axis=0)) for part in parts]
    assert result.error == pytest.approx(losses.mean(axis=0).min() + np.mean(gaps))


def test_curve_corrects_its_best_model():
    trees = {d: DecisionTreeRegressor(max_depth=d, random_state=0) for d in (1, 2, 3)}
    curve = cv_curve(trees, X[:80], Y[:80], cv=4)
    result = curve.best_of_many("folds")
    assert result.best == curve.best
    assert result.error >= result.apparent
    same = [curve.best_of_many(n_resamples=50, random_state=3).error for _ in range(2)]
    assert same[0] == same[1]


@pytest.mark.parametrize(
    ("losses", "settings", "message"),
    [
        (np.ones(5), {}, "shape \\(n, n_models\\)"),
        (np.full((3, 2), np.nan), {}, "must be finite"),
        (np.ones((4, 2)), {"method": "fold"}, "parameter 'method' must be"),
        (np.ones((4, 2)), {"method": "folds"}, "needs fold_sizes"),
        (np.ones((4, 2)), {"method": "folds", "fold_sizes": [2, 3]}, "sum to the 4 rows"),
        (np.ones((4, 2)), {"n_resamples": 0}, "parameter 'n_resamples' must be"),
    ],
)
def test_best_of_many_rejects_bad_input(losses, settings, message):
    with pytest.raises(ValueError, match=message):
        best_of_many(losses, **settings)


# ---- Selection outside the folds -------------------------------------------------------------


def test_leak_is_the_difference_of_the_two_ways():
    data = make_classification(60, 300, n_informative=2, random_state=0)
    leak = selection_leak(SelectKBest(f_classif, k=10), LogisticRegression(), *data, cv=3)
    assert leak.flattery == pytest.approx(leak.right.error - leak.wrong.error)
    np.testing.assert_array_equal(leak.wrong.rows, leak.right.rows)
    gaps = leak.right.fold_errors - leak.wrong.fold_errors
    assert leak.standard_error == pytest.approx(gaps.std(ddof=1) / np.sqrt(3))


def test_selector_that_does_not_look_at_y_leaks_nothing():
    data = make_classification(60, 20, random_state=0)
    keep_all = SelectKBest(f_classif, k="all")
    assert selection_leak(keep_all, KNeighborsClassifier(), *data).flattery == 0


def test_selection_leak_rejects_bad_input():
    data = make_classification(random_state=0)
    with pytest.raises(ValueError, match="parameter 'selector' must be"):
        selection_leak(3, LogisticRegression(), *data)
    split = [(np.arange(50), np.arange(50, 100))]
    with pytest.raises(ValueError, match="at least 2 splits"):
        selection_leak(SelectKBest(), LogisticRegression(), *data, cv=split)
