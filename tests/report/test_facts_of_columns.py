"""Importance, contributions, joint effects and dependence, against theory and brute force."""

from __future__ import annotations

from itertools import combinations
from math import factorial

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LinearRegression
from sklearn.neighbors import KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import SplineTransformer, StandardScaler

import nonet
from nonet.report import make_report
from nonet.report.evidence import losses_of
from nonet.report.explained_models import ExplainedFrame
from nonet.report.joint_effects import joint_effects
from nonet.report.partial_dependence import grid_of, partial_dependence
from nonet.report.permutation_importance import permutation_importance
from nonet.report.run_subject import subject_of_run
from nonet.report.sampled_shapley import sampled_walks
from nonet.report.shown_columns import ShownColumn
from nonet.report.work import Work, steps_per_row
from report.facts_cases import (
    BINARY,
    DIABETES,
    fitted,
    held_out,
    people,
    report_on,
    report_on_run,
    run_of,
)


class Formula:
    """A model of two outputs: a product with a sum, and a sum."""

    def predict(self, X):
        return np.column_stack([X[:, 0] * X[:, 1] + 2 * X[:, 2], X.sum(axis=1)])


def explained_formula(n=30, d=4):
    X = np.random.default_rng(0).normal(size=(n, d))
    return ExplainedFrame(Formula(), X, Formula().predict), X


def exact_shapley(f, x, z):
    """Return Shapley values of all columns of x against z, by all subsets."""
    d = len(x)
    values = np.zeros((d, 2))
    for j in range(d):
        others = [c for c in range(d) if c != j]
        for size in range(d):
            for subset in combinations(others, size):
                weight = factorial(size) * factorial(d - size - 1) / factorial(d)
                without, row = z.copy(), z.copy()
                without[list(subset)] = x[list(subset)]
                row[:] = without
                row[j] = x[j]
                values[j] += weight * (f(row[None])[0] - f(without[None])[0])
    return values


def test_sampled_shapley_against_all_subsets():
    explained, X = explained_formula(d=3)
    walks = sampled_walks(explained, np.arange(3), np.array([4]), np.array([7]), 400, seed=0)
    found = walks.mean(axis=1)[0]
    # Of two columns that interact, both orders are walked equally often: the values are exact.
    assert found == pytest.approx(exact_shapley(Formula().predict, X[4], X[7]), abs=1e-9)


def test_contributions_sum_to_the_difference_of_predictions():
    explained, X = explained_formula()
    rows = np.arange(10)
    walks = sampled_walks(explained, np.arange(4), rows, np.array([11]), 2, seed=3)
    found = walks.mean(axis=1)
    difference = Formula().predict(X[rows]) - Formula().predict(X[[11]])
    assert found.sum(axis=1) == pytest.approx(difference)


def test_columns_that_are_not_explained_keep_their_values():
    explained, X = explained_formula()
    found = sampled_walks(explained, np.array([2]), np.array([0]), np.array([1]), 1, seed=0)
    assert found[0, 0, 0] == pytest.approx([2 * (X[0, 2] - X[1, 2]), X[0, 2] - X[1, 2]])


def test_permutation_importance_against_naive():
    model, (X, y) = fitted("line"), held_out(DIABETES)
    explained = ExplainedFrame(model, X, model.predict)
    rows = np.arange(len(y))
    weights = np.ones(len(y))
    found = permutation_importance(
        explained, np.array([2, 0]), rows, y, "squared_error", weights, 3, seed=9
    )
    random, naive = np.random.default_rng(9), []
    before = losses_of("squared_error", y, model.predict(X))
    for column in (2, 0):
        rises = []
        for _ in range(3):
            shuffled = X.copy()
            shuffled[:, column] = X[random.permutation(rows), column]
            rises.append(losses_of("squared_error", y, model.predict(shuffled)) - before)
        naive.append(np.mean(rises))
    assert found.values == pytest.approx(naive)


def test_joint_effects_are_of_columns_that_interact_alone():
    explained, X = explained_formula(n=200)
    rows = np.arange(200)
    others = np.random.default_rng(1).permutation(200)
    found = joint_effects(explained, np.arange(3), rows, others)
    strength = dict(zip(found.pairs, found.strengths, strict=True))
    step = X[others] - X[rows]
    assert strength[0, 1] == pytest.approx(np.sqrt(np.mean((step[:, 0] * step[:, 1]) ** 2) / 2))
    assert strength[0, 2] == pytest.approx(0.0, abs=1e-12)


def test_partial_dependence_against_naive():
    model, (X, _) = fitted("forest of values"), held_out(DIABETES)
    explained = ExplainedFrame(model, X, model.predict)
    column = ShownColumn("bmi", "number", X[:, 2])
    grid = grid_of(column)
    rows = np.arange(40)
    found = partial_dependence(explained, 2, grid, rows)[:, :, 0].mean(axis=0)
    for point, mean in zip(X[grid.sources, 2], found, strict=True):
        changed = X[rows].copy()
        changed[:, 2] = point
        assert mean == pytest.approx(model.predict(changed).mean())


def test_points_of_a_column_that_is_nearly_always_0_cover_its_other_values():
    gain = np.concatenate([np.zeros(950), np.arange(1.0, 51.0)])
    points = gain[grid_of(ShownColumn("gain", "number", gain)).sources]
    assert 6 < len(points) <= 12
    assert points[0] == 0
    assert points[-1] > 45
    assert np.diff(points).max() < 10


def test_batches_give_the_same_predictions(monkeypatch):
    explained, _ = explained_formula()
    rows, swaps = np.arange(30), {1: np.arange(30)[::-1]}
    whole = explained.predict(rows, swaps)
    monkeypatch.setattr("nonet.report.explained_models._MAX_CELLS", 12)
    assert (explained.predict(rows, swaps) == whole).all()


@pytest.mark.parametrize("max_cells", [4, 28, 4_000_000])
def test_questions_together_are_predicted_as_alone(max_cells, monkeypatch):
    monkeypatch.setattr("nonet.report.explained_models._MAX_CELLS", max_cells)
    X = np.random.default_rng(0).normal(size=(30, 4))
    n_predicted = []

    def predict(rows):
        n_predicted.append(len(rows))
        return Formula().predict(rows)

    explained = ExplainedFrame(Formula(), X, predict)
    rows, others = np.array([3, 9, 9]), np.array([7, 0, 29])
    found = explained.predict_each([(rows, {}), (rows[:1], {0: others[:1]}), (rows, {2: others})])
    swapped = X[rows]
    swapped[:, 2] = X[others, 2]
    alone = [X[rows], np.array([[X[7, 0], *X[3, 1:]]]), swapped]
    for predictions, expected in zip(found, alone, strict=True):
        assert (predictions == Formula().predict(expected)).all()
    assert sum(n_predicted) == 7
    assert max(n_predicted) <= max_cells // 4


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_frames_are_put_together_as_arrays_are(library):
    frames = pytest.importorskip(library)
    X = np.arange(12.0).reshape(4, 3)
    frame = frames.DataFrame({"a": X[:, 0], "b": X[:, 1], "c": X[:, 2]})
    explained = ExplainedFrame(Formula(), frame, lambda rows: np.asarray(rows))
    found = explained.predict(np.array([3, 0, 0]), {1: np.array([0, 1, 2])})
    assert found.tolist() == [[9, 1, 11], [0, 4, 2], [0, 7, 2]]


# ---- Reports -------------------------------------------------------------------------------------


def linear_case():
    random = np.random.default_rng(0)
    X = pd.DataFrame(random.normal(size=(400, 4)), columns=["up", "down", "little", "nothing"])
    y = 3 * X.up - 2 * X.down + 0.3 * X.little + 0.1 * random.normal(size=400)
    return LinearRegression().fit(X, y), X, y


def test_facts_of_a_linear_model_against_theory():
    model, X, y = linear_case()
    facts = make_report(model, X, y).facts["columns"]
    importance = {one["column"]: one for one in facts["importance"]["list"]}
    assert list(importance) == ["up", "down", "little", "nothing"]
    # Shuffling adds twice the variance of the column's term.
    assert importance["up"]["value"] == pytest.approx(2 * 9 * X.up.var(), rel=0.1)
    assert importance["up"]["direction"] == "raises"
    assert importance["down"]["direction"] == "lowers"
    assert not importance["nothing"]["is_clear"]
    for pair in facts["interactions"]["list"]:
        assert pair["strength"] == pytest.approx(0.0, abs=1e-9)
    up = facts["dependence"]["list"][0]
    slope = np.polyfit(up["grid"], up["mean"], 1)[0]
    assert slope == pytest.approx(model.coef_[0], rel=1e-3)
    values = {one["column"]: one["mean_absolute"] for one in facts["shapley"]["list"]}
    assert values["up"] / values["down"] == pytest.approx(
        np.abs(model.coef_[0] / model.coef_[1]), rel=0.3
    )


def test_contributions_of_trees_are_exact_shapley_values():
    model, (X, _) = fitted("forest of values"), held_out(DIABETES)
    facts = report_on("forest of values").facts["columns"]["shapley"]
    assert (facts["method"], facts["scale"]) == ("exact, of trees", "value")
    exact = nonet.shap_values(model, X).importances  # of all rows: 221 are few enough
    assert facts["n_rows"] == 221
    names = [f"x{j}" for j in np.argsort(-exact)]
    assert [one["column"] for one in facts["list"]] == names
    assert facts["list"][0]["mean_absolute"] == pytest.approx(exact.max())


def test_contributions_to_a_booster_are_log_odds():
    facts = report_on("booster").facts["columns"]["shapley"]
    assert (facts["method"], facts["scale"]) == ("exact, of trees", "log-odds")
    assert facts["output"] == "log-odds of 1"


def test_contributions_to_many_classes_are_shown_for_each():
    facts = report_on("stack").facts["columns"]
    assert facts["output"] == "probability of each class"
    assert [one["label"] for one in facts["shapley"]["classes"]] == [0, 1, 2]
    sizes = np.array([one["mean_absolute"] for one in facts["shapley"]["classes"]])
    listed = [one["mean_absolute"] for one in facts["shapley"]["list"]]
    assert sizes.sum(axis=0) == pytest.approx(listed, rel=1e-4)
    assert {one["direction"] for one in facts["shapley"]["list"]} == {None}


def test_wide_tables_are_reduced_to_columns_that_move_the_predictions():
    random = np.random.default_rng(0)
    X = random.normal(size=(200, 150))
    from sklearn.linear_model import Ridge

    y = 5 * X[:, 120] + X[:, 3]
    facts = make_report(Ridge().fit(X, y), X, y).facts["columns"]
    assert (facts["n_columns"], facts["n_looked"]) == (150, 100)
    assert "150 columns" in facts["preselected"]
    assert facts["importance"]["list"][0]["column"] == "x120"
    assert facts["importance"]["n_left_out"] == 80


# ---- Runs ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("target", ["churn", "price"])
def test_models_of_the_folds_repeat_the_held_out_predictions(target):
    run = run_of(target)
    subject = subject_of_run(run, 50_000, 0)
    held_out_rows = run.held_out
    blended = [held_out_rows.names.index(member.name) for member in run.model.members_]
    outputs = subject.explained.outputs(np.arange(240), {})
    kept = held_out_rows.outputs[:, blended]
    assert outputs.reshape(kept.shape) == pytest.approx(kept, abs=1e-4 * float(np.abs(kept).max()))


def test_explanations_of_a_run_use_the_models_of_the_folds():
    facts = report_on_run("churn").facts["columns"]
    assert facts["explained"] == "the models of the folds, each on rows that it was not fitted on"
    ranked = [one["column"] for one in facts["importance"]["list"]]
    assert ranked[:2] == ["age", "city"]
    assert facts["importance"]["list"][0]["direction"] == "raises"
    dates = next(one for one in facts["shapley"]["list"] if one["column"] == "when")
    assert dates["kind"] == "date"
    assert set(ranked) == {"age", "city", "when", "member"}


def test_a_run_whose_models_do_not_repeat_what_was_kept_is_not_explained(monkeypatch):
    run = run_of("churn")
    monkeypatch.setattr(
        "nonet.report.run_subject.ExplainedFolds.outputs",
        lambda self, rows, swaps: np.zeros((len(rows), len(run.model.members_), 2)),
    )
    facts = make_report(run).facts
    assert "do not repeat the held-out predictions" in facts["columns"]["missing"]


def test_table_of_a_run_has_what_was_dropped_and_the_kinds():
    table = report_on_run("churn").facts["table"]
    assert table["kinds"] == {
        "number": 1,
        "category": 1,
        "date": 1,
        "boolean": 1,
        "identifier": 1,
        "constant": 1,
    }
    assert [one["name"] for one in table["dropped"]] == ["id", "constant"]
    columns = {one["name"]: one for one in table["columns"]}
    frame = people()
    assert columns["age"]["n_missing"] == frame.age.isna().sum()
    assert columns["age"]["mean"] == pytest.approx(frame.age.mean())
    assert columns["age"]["quantiles"]["0.25"] == pytest.approx(frame.age.quantile(0.25))
    assert columns["when"]["minimum"] == str(frame.when.min().date())
    counts = frame.city.value_counts()
    assert {one["level"]: one["count"] for one in columns["city"]["levels"]} == counts.to_dict()
    levels = {one["level"]: one["count"] for one in columns["member"]["levels"]}
    assert levels == {"false": (~frame.member).sum(), "true": frame.member.sum()}
    classes = {one["label"]: one["count"] for one in table["target"]["classes"]}
    assert classes == frame.churn.value_counts().to_dict()


def test_summary_of_an_array_against_numpy():
    X, y = held_out(BINARY)
    table = report_on("logit").facts["table"]
    first = table["columns"][0]
    assert first["mean"] == pytest.approx(X[:, 0].mean())
    assert first["n_distinct"] == len(np.unique(X[:, 0]))
    assert sum(first["histogram"]["counts"]) == len(y)
    assert (table["n_columns"], table["n_used"], table["dropped"]) == (30, 30, [])


# ---- Work ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "steps"),
    [("forest", 12), ("booster", 8), ("sklearn forest", 9), ("sklearn booster", 18), ("line", 20)],
)
def test_steps_of_a_model_are_counted(name, steps):
    assert steps_per_row(fitted(name)) == steps


def test_steps_of_a_pipeline_count_the_columns_that_it_makes():
    X, y = np.random.default_rng(0).normal(size=(50, 3)), np.arange(50.0)
    plain = make_pipeline(StandardScaler(), LinearRegression()).fit(X, y)
    splines = make_pipeline(SplineTransformer(n_knots=20), LinearRegression()).fit(X, y)
    assert steps_per_row(splines) - steps_per_row(plain) == 3 * 22 - 3


def test_steps_of_a_large_tree_are_more_than_one():
    X = np.random.default_rng(0).normal(size=(3_000, 2))
    trees = nonet.ExtraTreesRegressor(2, random_state=0).fit(X, X[:, 0])
    n_nodes = sum(tree.n_nodes for tree in trees._score_trees().trees)
    assert n_nodes > 10_000
    assert steps_per_row(trees) == pytest.approx(n_nodes / 2_500)


def test_steps_of_neighbors_grow_with_rows_and_with_many_columns():
    def steps(n_rows, n_columns):
        X = np.random.default_rng(0).normal(size=(n_rows, n_columns))
        return steps_per_row(KNeighborsRegressor().fit(X, X[:, 0]))

    assert steps(400, 5) == 200
    assert steps(800, 5) == 400
    assert steps(400, 500) == 1000


def test_work_does_not_grow_with_the_cost_of_a_row():
    for steps in (1.0, 100.0, 10_000.0):
        work = Work.of(steps)
        assert 10_000 <= work.n_rows <= 200_000
        assert work.rows_for(0.25, 100, 30, 1_000) <= 1_000
    assert 1e6 * Work.of(1e6).n_rows <= 5e8
