"""Virtual ensembles: the parts of uncertainty, compared with a known truth."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import spearmanr
from sklearn.linear_model import LinearRegression

from nonet import (
    BoostedTreesRegressor,
    GradientBoostingRegressor,
    HistGradientBoostingClassifier,
    HistGradientBoostingRegressor,
    virtual_ensemble,
)
from nonet.boosting import VirtualEnsemble

RANDOM = np.random.default_rng(0)
X = RANDOM.uniform(-1, 1, size=(300, 2))
Y = X[:, 0] + RANDOM.normal(size=300) / 4


def true_probability(table):
    # The two halves have nothing in common, so that each must be learned from its own rows.
    wave = np.where(table[:, 0] < 0, np.sin(4 * table[:, 1]), np.cos(4 * table[:, 1]))
    return 1 / (1 + np.exp(-4 * wave))


@pytest.fixture(scope="module")
def simulated():
    """Classes of known probability, 19 rows on the left for each one on the right."""
    random = np.random.default_rng(1)
    found = []
    new = random.uniform(-1, 1, size=(2000, 2))
    for _ in range(4):
        n = 2000
        many = random.uniform(size=n) < 0.95
        left, right = random.uniform(-1, 0, n), random.uniform(0, 1, n)
        table = np.column_stack([np.where(many, left, right), random.uniform(-1, 1, n)])
        y = random.uniform(size=n) < true_probability(table)
        model = HistGradientBoostingClassifier(max_iter=100)
        found.append((model.fit(table, y), virtual_ensemble(model, new)))
    return new, found


def test_data_uncertainty_follows_the_entropy_of_the_labels(simulated):
    new, found = simulated
    p, known = true_probability(new), new[:, 0] < 0
    entropy = -(p * np.log(p) + (1 - p) * np.log(1 - p))
    for _, result in found:
        assert spearmanr(result.data[known], entropy[known]).statistic > 0.6


def test_knowledge_uncertainty_is_larger_where_rows_are_few_and_ranks_errors(simulated):
    new, found = simulated
    few = new[:, 0] > 0
    ratios, ranks = [], []
    for model, result in found:
        ratios.append(result.knowledge[few].mean() / result.knowledge[~few].mean())
        errors = np.abs(model.predict_proba(new)[:, 1] - true_probability(new))
        ranks.append(spearmanr(result.knowledge, errors).statistic)
    assert np.min(ratios) > 1.3
    assert np.mean(ranks) > 0.1


def test_knowledge_is_mutual_information_against_theory():
    outputs = RANDOM.dirichlet(np.ones(3), size=(20, 5))
    found = VirtualEnsemble(outputs, (1, 2, 3, 4, 5), None)
    mean = outputs.mean(axis=1, keepdims=True)
    divergence = (outputs * np.log(outputs / mean)).sum(axis=2).mean(axis=1)
    np.testing.assert_allclose(found.knowledge, divergence)
    np.testing.assert_allclose(found.total, found.knowledge + found.data)


def test_last_member_is_the_model_itself():
    model = HistGradientBoostingRegressor(max_iter=20).fit(X, Y)
    found = virtual_ensemble(model, X, n_members=3)
    assert found.rounds == (10, 15, 20)
    np.testing.assert_allclose(found.outputs[:, -1], model.predict(X))
    fewer = HistGradientBoostingRegressor(max_iter=10).fit(X, Y)
    np.testing.assert_allclose(found.outputs[:, 0], fewer.predict(X))
    np.testing.assert_allclose(found.mean, found.outputs.mean(axis=1))


def test_rounds_after_the_best_one_are_left_out():
    model = BoostedTreesRegressor(learning_rate=0.5, early_stopping_rounds=5, random_state=0)
    model.fit(X, Y)
    found = virtual_ensemble(model, X, n_members=2)
    assert found.rounds[-1] == model.best_iteration_ < model.n_iter_
    np.testing.assert_allclose(found.outputs[:, -1], model.predict(X))


def test_total_of_numbers_adds_the_noise():
    model = GradientBoostingRegressor(n_estimators=10).fit(X, Y)
    noise = np.full(len(X), 1 / 16)
    found = virtual_ensemble(model, X, n_members=4, noise=noise)
    np.testing.assert_allclose(found.total, found.outputs.var(axis=1) + noise)


def test_data_uncertainty_of_numbers_rejects_an_unknown_noise():
    found = virtual_ensemble(HistGradientBoostingRegressor(max_iter=20).fit(X, Y), X)
    with pytest.raises(ValueError, match="pass it to virtual_ensemble as noise="):
        found.data  # noqa: B018


def test_virtual_ensemble_of_numbers_can_be_printed():
    """Issue 18, item A.14: the total uncertainty, unknown without noise, was shown all the same."""
    model = HistGradientBoostingRegressor(max_iter=20).fit(X, Y)
    assert "total" not in str(virtual_ensemble(model, X))
    assert "total" in str(virtual_ensemble(model, X, noise=np.ones(300)))


def test_virtual_ensemble_rejects_regressors_of_several_outputs():
    model = BoostedTreesRegressor("quantile", quantile=[0.1, 0.9], n_estimators=20).fit(X, Y)
    with pytest.raises(ValueError, match="regressors of one output, but this .* has 2"):
        virtual_ensemble(model, X)


@pytest.mark.parametrize("n_members", [1, 12, 2.5])
def test_virtual_ensemble_rejects_more_members_than_rounds(n_members):
    model = HistGradientBoostingRegressor(max_iter=20).fit(X, Y)
    with pytest.raises(ValueError, match=r"'n_members' must be .* for a booster of 20 rounds"):
        virtual_ensemble(model, X, n_members=n_members)


@pytest.mark.parametrize("noise", [[1.0], np.full(300, -1.0), np.full(300, np.nan)])
def test_virtual_ensemble_rejects_a_noise_that_is_no_variance(noise):
    model = HistGradientBoostingRegressor(max_iter=20).fit(X, Y)
    with pytest.raises(ValueError, match="noise must hold a variance"):
        virtual_ensemble(model, X, noise=noise)


def test_virtual_ensemble_rejects_noise_of_classes():
    model = HistGradientBoostingClassifier(max_iter=20).fit(X, Y > 0)
    with pytest.raises(ValueError, match="noise is for regressors"):
        virtual_ensemble(model, X, noise=np.ones(300))


def test_virtual_ensemble_rejects_other_models():
    with pytest.raises(TypeError, match="takes nonet's gradient boosting"):
        virtual_ensemble(LinearRegression(), X)
