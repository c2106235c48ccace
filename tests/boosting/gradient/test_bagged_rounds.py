"""Bags of boosters, each without one fold of the rows: what they see, and where they stop."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_diabetes, load_wine
from sklearn.metrics import log_loss, root_mean_squared_error
from sklearn.model_selection import train_test_split

from nonet import BoostedTreesClassifier, BoostedTreesRegressor, limit_threads, shap_values
from nonet.boosting.gradient.boosted_trees.bag_folds import NEVER
from nonet.boosting.gradient.boosted_trees.bag_folds import assign_folds as assign_folds_of
from nonet.boosting.gradient.boosted_trees.bagged_stage import BagMember
from nonet.boosting.gradient.rows import Rows

DATA = {
    "two classes": (BoostedTreesClassifier, load_breast_cancer),
    "three classes": (BoostedTreesClassifier, load_wine),
    "numbers": (BoostedTreesRegressor, load_diabetes),
}


def make_noise(n_rows=400):
    rng = np.random.default_rng(1)
    return rng.normal(size=(n_rows, 5)), rng.integers(2, size=n_rows)


# ---- Folds --------------------------------------------------------------------------------------


def assign_folds(target, weights, groups, n_folds, seed, *, is_class, X=None):
    X = np.arange(len(target), dtype=float)[:, np.newaxis] if X is None else X
    return assign_folds_of(Rows(X, target, weights), groups, n_folds, seed, is_class=is_class)


def test_folds_have_the_same_fraction_of_each_class():
    target = np.repeat([0, 1, 2], [100, 50, 7])
    folds = assign_folds(target, None, None, 5, 0, is_class=True)
    for code, n_rows in enumerate((20, 10)):
        np.testing.assert_array_equal(np.bincount(folds[target == code]), [n_rows] * 5)
    counts = np.bincount(folds[target == 2], minlength=5)
    assert set(counts.tolist()) == {1, 2}


def test_folds_of_numbers_have_similar_means():
    target = np.random.default_rng(0).exponential(size=1000)
    folds = assign_folds(target, None, None, 10, 3, is_class=False)
    means = [target[folds == k].mean() for k in range(10)]
    assert np.std(means) < 0.2 * target.std() / np.sqrt(100)  # a fifth of that of random folds


def test_rows_without_weight_are_held_out_by_nobody():
    target = np.array([0] * 30 + [1] * 3)
    weights = np.ones(33)
    weights[:3] = 0
    folds = assign_folds(target, weights, None, 4, 0, is_class=True)
    assert (folds[:3] == NEVER).all()
    assert (folds[3:] != NEVER).all()
    assert len(np.unique(folds[30:])) == 3  # a rare class is in as many folds as it has rows


def test_few_rows_are_held_out_by_nobody():
    assert (assign_folds(np.zeros(7), None, None, 4, 0, is_class=False) == NEVER).all()


def test_repeated_rows_stay_together():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(40, 3)), rng.normal(size=40)
    X[0, 0] = np.nan
    rows = rng.integers(40, size=200)
    folds = assign_folds(y[rows], None, None, 5, 0, is_class=False, X=X[rows])
    assert all(len(np.unique(folds[rows == row])) == 1 for row in np.unique(rows))


def test_repeated_rows_of_integers_stay_together():
    rng = np.random.default_rng(0)
    X = np.array([[i // 25, i // 5 % 5, i % 5] for i in range(125)], dtype=float)
    rows = np.repeat(np.arange(125), 2)
    y = rng.normal(size=125)
    folds = assign_folds(y[rows], None, None, 5, 0, is_class=False, X=X[rows])
    np.testing.assert_array_equal(folds[::2], folds[1::2])
    np.testing.assert_array_equal(np.bincount(folds), [50] * 5)


def test_some_repeated_rows_are_rows_like_others():
    X, y = np.arange(100.0)[:, np.newaxis], np.arange(100.0)
    X[90:], y[90:] = X[:10], y[:10]
    folds = assign_folds(y, None, None, 10, 0, is_class=False, X=X)
    np.testing.assert_array_equal(np.bincount(folds), [10] * 10)
    assert (folds[90:] != folds[:10]).all()  # neighbours by y are in folds of their own


def test_rows_of_other_targets_are_not_repeated():
    """Two values of a column: rows with the same value are not the same row."""
    y = np.random.default_rng(0).normal(size=60)
    X = (np.arange(60.0) % 2)[:, np.newaxis]
    folds = assign_folds(y, None, None, 6, 0, is_class=False, X=X)
    np.testing.assert_array_equal(np.bincount(folds), [10] * 6)


def test_repeated_rows_do_not_defeat_the_choice_of_rounds():
    X, y = make_noise()
    model = BoostedTreesClassifier(random_state=0)
    model.fit(np.repeat(X, 3, axis=0), np.repeat(y, 3))
    assert model.n_iter_ <= 8 * 10
    assert model.held_out_losses_.min() > 0.68


@pytest.mark.parametrize("n_positive", [1, 3, 7])
def test_rare_positives_of_noise_do_not_run_to_the_last_round(n_positive):
    X, _ = make_noise(600)
    y = np.arange(600) < n_positive
    model = BoostedTreesClassifier(random_state=0).fit(X, y)
    assert model.n_iter_ <= 8 * 60
    constant = log_loss(y, np.full(600, y.mean()))
    assert model.held_out_losses_.min() > 0.6 * constant


def test_positives_of_one_group_keep_their_base_rate():
    X, _ = make_noise(600)
    groups = np.arange(600) % 10
    y = (groups == 0) & (X[:, 1] < 1)
    model = BoostedTreesClassifier(random_state=0).fit(X, y, groups=groups)
    assert 0.5 * y.mean() < model.predict_proba(X)[:, 1].mean() < 2 * y.mean()


def test_one_class_needs_no_rounds():
    X, _ = make_noise()
    assert BoostedTreesClassifier(random_state=0).fit(X, np.ones(400)).n_iter_ <= 8 * 2


def test_outputs_of_all_scales_choose_the_rounds():
    X, _ = make_noise(600)
    rng = np.random.default_rng(0)
    Y = np.column_stack([100 * rng.normal(size=600), X[:, 0] + 0.2 * rng.normal(size=600)])
    model = BoostedTreesRegressor(random_state=0).fit(X, Y)
    assert np.corrcoef(model.predict(X)[:, 1], Y[:, 1])[0, 1] > 0.9


def test_small_samples_of_rows_leave_one_to_every_tree():
    X, y = make_noise(70)
    model = BoostedTreesClassifier(random_state=0, subsample=0.02).fit(X, y)
    assert model.n_bags_ == 8
    assert np.isfinite(model.predict_proba(X)).all()


def test_groups_stay_together():
    groups = np.repeat(np.arange(20), np.arange(1, 21))
    folds = assign_folds(np.zeros(len(groups)), None, groups, 5, 0, is_class=False)
    for group in range(20):
        assert len(np.unique(folds[groups == group])) == 1
    assert np.ptp(np.bincount(folds)) <= 3


def test_few_groups_are_few_folds():
    X, y = make_noise()
    model = BoostedTreesClassifier(random_state=0).fit(X, y, groups=np.arange(400) % 3)
    assert model.n_bags_ == 8


@pytest.mark.parametrize(
    ("groups", "words"),
    [
        (np.zeros(400), "at least two different values .* there is 1"),
        (np.arange(5), "one label for each of the 400 rows, but has the shape \\(5,\\)"),
        (np.zeros((400, 1)), "has the shape \\(400, 1\\)"),
        (np.array(["a", None] * 200, dtype=object), "row 1 has none"),
        (np.where(np.arange(400) == 7, np.nan, 1.0), "row 7 has none"),
    ],
    ids=["one", "short", "table", "None", "NaN"],
)
def test_rejects_groups(groups, words):
    X, y = make_noise()
    with pytest.raises(ValueError, match=words):
        BoostedTreesClassifier().fit(X, y, groups=groups)


# ---- What a booster sees ------------------------------------------------------------------------


def test_held_out_labels_do_not_change_the_booster(monkeypatch):
    """Exchange the labels of a fold: its booster must stay as it is."""
    seen = []

    def record(self, n_rounds):
        grow(self, n_rounds)
        seen.append(self)

    grow = BagMember.grow
    monkeypatch.setattr(BagMember, "grow", record)
    X, y = make_noise()
    with limit_threads(1):
        BoostedTreesClassifier(n_bags=4, n_estimators=6, random_state=0).fit(X, y)
        first = {id(member): member for member in seen}
        held_out = next(iter(first.values())).held_out
        seen.clear()
        # As many rows of each class, so that the constant of the start is the same.
        other = y.copy()
        other[held_out] = np.roll(y[held_out], 1)
        monkeypatch.setattr(
            "nonet.boosting.gradient.boosted_trees.bagged_rounds.assign_folds",
            lambda *_, **__: np.where(np.isin(np.arange(400), held_out), 0, NEVER),
        )
        BoostedTreesClassifier(n_bags=4, n_estimators=6, random_state=0).fit(X, other)
    before, after = next(iter(first.values())), seen[0]
    np.testing.assert_array_equal(before.stage.rows.scores, after.stage.rows.scores)


def test_held_out_losses_show_no_skill_on_noise():
    X, y = make_noise()
    model = BoostedTreesClassifier(random_state=0).fit(X, y)
    entropy = log_loss(y, np.full(len(y), y.mean()))
    assert model.held_out_losses_.min() > entropy - 0.005
    assert model.n_iter_ <= 8 * 10  # boosting stops at once
    assert log_loss(y, model.predict_proba(X)) < entropy - 0.005  # rows that it saw would show


@pytest.mark.parametrize("name", DATA)
def test_held_out_loss_is_close_to_that_of_new_rows(name):
    kind, load = DATA[name]
    X, y = load(return_X_y=True)
    rows, new = train_test_split(np.arange(len(y)), random_state=0, test_size=0.4)
    model = kind(random_state=0).fit(X[rows], y[rows])
    predict = model.predict if name == "numbers" else model.predict_proba
    if name == "numbers":
        loss = root_mean_squared_error(y[new], predict(X[new])) ** 2 / 2
    else:
        loss = log_loss(y[new], predict(X[new]))
    # Of an average of boosters, and of boosters.
    assert 0.3 * model.held_out_losses_.min() < loss < 1.5 * model.held_out_losses_.min()


# ---- The model ----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", DATA)
def test_bag_is_the_mean_of_its_boosters(name, monkeypatch):
    members = {}

    def record(self, n_rounds):
        members[id(self)] = self
        grow(self, n_rounds)

    grow = BagMember.grow
    monkeypatch.setattr(BagMember, "grow", record)
    kind, load = DATA[name]
    X, y = load(return_X_y=True)
    model = kind(n_bags=3, n_estimators=7, random_state=0).fit(X, y)
    mean = np.mean([member.stage.rows.scores for member in members.values()], axis=0)
    np.testing.assert_allclose(model._scores(X), mean, rtol=1e-9, atol=1e-12)
    assert model.n_iter_ == 21


@pytest.mark.parametrize("name", DATA)
def test_bag_is_deterministic_on_any_number_of_threads(name):
    kind, load = DATA[name]
    X, y = load(return_X_y=True)
    found = []
    for n_threads in (1, 2, 3):
        with limit_threads(n_threads):
            model = kind(random_state=3).fit(X, y)
        found.append((model._scores(X), model.held_out_losses_))
    for scores, losses in found[1:]:
        np.testing.assert_array_equal(scores, found[0][0])
        np.testing.assert_array_equal(losses, found[0][1])


def test_bag_is_better_than_the_fast_preset():
    """On rows that are few and noisy, where one booster of a hundred rounds overfits."""
    X, y = load_diabetes(return_X_y=True)
    gains = []
    for seed in range(5):
        rows, new = train_test_split(np.arange(len(y)), random_state=seed)
        best, fast = (
            root_mean_squared_error(
                y[new],
                BoostedTreesRegressor(preset=preset, random_state=0)
                .fit(X[rows], y[rows])
                .predict(X[new]),
            )
            for preset in ("best", "fast")
        )
        gains.append(fast - best)
    assert min(gains) > 0


def test_one_bag_finds_its_rounds_and_sees_all_rows():
    X, y = load_diabetes(return_X_y=True)
    model = BoostedTreesRegressor(n_bags=1, random_state=0).fit(X, y)
    assert model.n_iter_ == np.argmin(model.held_out_losses_) + 1
    again = BoostedTreesRegressor(
        n_estimators=model.n_iter_,
        learning_rate=model.learning_rate_,
        num_leaves=model.num_leaves_,
        min_child_samples=model.min_child_samples_,
        reg_lambda=model.reg_lambda_,
        extra_trees=model.extra_trees_,
        random_state=0,
    ).fit(X, y)
    np.testing.assert_array_equal(model.predict(X), again.predict(X))


def test_losses_of_bags_are_those_of_any_objective():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 3))
    counts = rng.poisson(np.exp(X[:, 0]))
    for objective in ("poisson", "absolute_error", "gamma"):
        model = BoostedTreesRegressor(objective, random_state=0).fit(X, counts + 1.0)
        assert model.n_bags_ == 8
        assert model.held_out_losses_.min() < model.held_out_losses_[0]
    band = BoostedTreesRegressor("quantile", quantile=[0.1, 0.9], random_state=0).fit(X, counts)
    assert (np.diff(band.predict(X), axis=1) >= 0).all()


def test_bag_with_margins_starts_from_them():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 3))
    margin = 5 * X[:, 0]
    y = margin + np.sin(X[:, 1])
    model = BoostedTreesRegressor(random_state=0).fit(X, y, base_margin=margin)
    predictions = model.predict(X, base_margin=margin)
    assert root_mean_squared_error(y, predictions) < 0.2


def test_weights_of_rows_count_in_held_out_losses():
    """Rows of other labels, with next to no weight, change next to nothing."""
    X, y = load_breast_cancer(return_X_y=True)
    rng = np.random.default_rng(0)
    wrong = rng.random(len(y)) < 0.3
    labels, weights = np.where(wrong, 1 - y, y), np.where(wrong, 1e-6, 1.0)
    model = BoostedTreesClassifier(random_state=0).fit(X, labels, sample_weight=weights)
    assert model.held_out_losses_.min() < 0.15
    assert model.score(X, y) > 0.97


def test_shapley_values_of_a_bag_add_up_to_its_scores():
    X, y = load_diabetes(return_X_y=True)
    model = BoostedTreesRegressor(n_bags=3, n_estimators=5, random_state=0).fit(X, y)
    explained = shap_values(model, X[:5])
    total = explained.values.sum(axis=1) + explained.base
    np.testing.assert_allclose(total, model.predict(X[:5]), rtol=1e-9)


def test_interrupted_bag_keeps_whole_rounds(monkeypatch):
    def interrupt(self, n_rounds):
        if len(self.rounds) >= 3 and self.losses[0] == members[0].losses[0]:
            raise KeyboardInterrupt
        if self not in members:
            members.append(self)
        grow(self, n_rounds)

    members: list[BagMember] = []
    grow = BagMember.grow
    monkeypatch.setattr(BagMember, "grow", interrupt)
    X, y = load_diabetes(return_X_y=True)
    model = BoostedTreesRegressor(n_bags=4, n_estimators=50, on_interrupt="keep", random_state=0)
    with limit_threads(1), pytest.warns(UserWarning, match="interrupted; the 12 of 200"):
        model.fit(X, y)
    assert model.interrupted_
    assert model.n_iter_ == 12


def test_verbose_prints_the_held_out_loss(capsys):
    X, y = load_diabetes(return_X_y=True)
    BoostedTreesRegressor(n_bags=2, n_estimators=4, verbose=2, random_state=0).fit(X, y)
    lines = capsys.readouterr().err.splitlines()
    assert lines[-1].startswith(
        f"[nonet] BoostedTreesRegressor: {len(lines)} of {len(lines)} rounds"
    )
    assert "held-out loss" in lines[-1]
