"""``nonet explain``: against exact Shapley values, against theory, and against itself."""

import numpy as np
import pytest

import nonet
from cli.small_tables import as_csv, churn_rows, flat_rows
from nonet.auto.metric import Metric
from nonet.cli.permuted_columns import permutation_importances, prediction_changes
from nonet.cli.sampled_shapley import sample_shapley
from nonet.tables.as_table import as_table

FLATS = flat_rows()
NAMES = ["size", "rooms", "noise"]
X = np.column_stack([FLATS[name] for name in NAMES])


def effects(document):
    return {column["column"]: column["effect"] for column in document["columns"]}


def test_permutations_find_the_columns_that_matter(nonet_command, flats_run):
    document = nonet_command("explain", flats_run, "new_flats.csv", "--json").document
    assert document["method"].startswith("Permutation importance")
    assert document["unit"] == "increase of rmse"
    assert document["rows"] == "60 rows of new_flats.csv"
    found = effects(document)
    assert list(found) == ["size", "rooms", "noise"]
    assert found["size"] > 10 * abs(found["noise"])
    assert all(column["standard_error"] >= 0 for column in document["columns"])
    again = nonet_command("explain", flats_run, "new_flats.csv", "--json").document
    assert again == document


def test_table_without_truth_is_explained_by_changes(nonet_command, folder, flats_run):
    rows = flat_rows(60, seed=1)
    del rows["price"]
    (folder / "unknown.csv").write_bytes(as_csv(rows))
    document = nonet_command("explain", flats_run, "unknown.csv", "--json").document
    assert document["method"].startswith("Change of predictions")
    assert list(effects(document)) == ["size", "rooms", "noise"]


@pytest.mark.parametrize("row", [1, 60])
def test_contributions_to_a_row_sum_to_its_prediction(nonet_command, churn_run, row):
    arguments = ["explain", churn_run, "new.csv", "--row", row, "--json"]
    document = nonet_command(*arguments).document
    table = churn_rows(60, seed=1)
    model = nonet.open_run(churn_run).model
    probabilities = model.predict_proba(table)[row - 1]
    assert document["prediction"] == pytest.approx(probabilities.max())
    total = document["mean_prediction"] + sum(effects(document).values())
    assert total == pytest.approx(document["prediction"])
    values = {column["column"]: column["value"] for column in document["columns"]}
    assert values["city"] == table["city"][row - 1]
    assert float(values["age"]) == table["age"][row - 1]


@pytest.mark.parametrize("row", [0, 61])
def test_row_that_is_not_there_is_named(nonet_command, churn_run, row):
    ended = nonet_command("explain", churn_run, "new.csv", "--row", row)
    assert (ended.code, "rows are 1 to 60" in ended.sentence) == (2, True)


def test_trees_have_exact_shapley_values(nonet_command, folder):
    forest = nonet.RandomForestRegressor(10, random_state=0).fit(X, FLATS["price"])
    nonet.save(forest, "forest.nonet")
    exact = nonet.shap_values(forest, X)
    given = ["--target", "price", "--json"]
    document = nonet_command("explain", "forest.nonet", "flats.csv", *given).document
    assert document["method"] == "Exact Shapley values of the trees"
    np.testing.assert_allclose(
        [effects(document)[name] for name in NAMES], np.abs(exact.values).mean(axis=0)
    )
    document = nonet_command("explain", "forest.nonet", "flats.csv", "--row", 3, *given).document
    np.testing.assert_allclose([effects(document)[name] for name in NAMES], exact.values[2])
    assert document["prediction"] == pytest.approx(forest.predict(X)[2])


def test_classes_of_trees_are_explained_by_their_probability(nonet_command, folder):
    labels = [i % 3 for i in range(100)]
    forest = nonet.RandomForestClassifier(10, random_state=0).fit(X, labels)
    booster = nonet.BoostedTreesClassifier(n_estimators=5, random_state=0).fit(
        X, churn_rows()["left"]
    )
    for name, model, unit in (
        ("forest", forest, f"contributions to the probability of {forest.predict(X)[0]}"),
        ("booster", booster, "contributions to the log-odds"),
    ):
        nonet.save(model, f"{name}.nonet")
        (folder / "X.csv").write_bytes(as_csv({name: FLATS[name] for name in NAMES}))
        ended = nonet_command("explain", f"{name}.nonet", "X.csv", "--row", 1, "--json")
        document = ended.document
        assert document["unit"] == unit
        total = document["mean_score"] + sum(effects(document).values())
        assert total == pytest.approx(document["score"])
    assert document["score"] == pytest.approx(booster.decision_function(X)[0])
    assert document["prediction"] == booster.predict(X)[0]


def test_lines_name_method_rows_and_errors(nonet_command, churn_run):
    ended = nonet_command("explain", churn_run, "new.csv", "--row", 2)
    lines = ended.out.splitlines()
    assert lines[0].startswith(
        "Sampled Shapley values, 400 orders of the columns, row 2 of new.csv"
    )
    assert lines[1].startswith("prediction: 0.")
    assert lines[3].split() == ["column", "effect", "error", "value"]
    assert len(lines) == 4 + 3


# ---- Functions on tables -----------------------------------------------------------------------

SOME = as_table({name: FLATS[name] for name in NAMES})


def linear(table):
    return 3 * table["size"] + 10 * table["rooms"]


def test_sampled_shapley_against_theory():
    """Contributions of a linear function are its coefficients times the distance from the mean."""
    found = sample_shapley(linear, SOME, 7, NAMES)
    expected = [3, 10, 0] * (X[7] - X.mean(axis=0))
    assert found.n_orders == 400
    assert np.all(np.abs(found.contributions - expected) <= 4 * found.errors + 1e-9)
    assert found.contributions[2] == found.errors[2] == 0
    assert found.prediction == pytest.approx(linear(SOME)[7])


def test_sampled_shapley_shares_an_interaction():
    table = as_table({"a": [0.0, 2.0], "b": [0.0, 3.0]})
    found = sample_shapley(lambda rows: rows["a"] * rows["b"], table, 1, ["a", "b"])
    # The row is compared with itself in half of the orders.
    assert found.contributions == pytest.approx([1.5, 1.5], abs=4 * found.errors.max())
    assert found.base + found.contributions.sum() == pytest.approx(6.0)


def test_permutations_against_theory():
    """Permuting a column of a linear function adds twice its variance to the squared error."""
    y = linear(SOME)
    found = permutation_importances(linear, SOME, NAMES, y, Metric("rmse", 1.0), "rows")
    expected = np.sqrt(2 * np.array([3, 10, 0]) ** 2 * X.var(axis=0))
    np.testing.assert_allclose(found.effects, expected, rtol=0.2)
    assert found.effects[2] == 0


def test_changes_of_probabilities_are_at_most_one():
    def certain(table):
        is_large = table["size"] > np.median(table["size"])
        return np.column_stack([is_large, ~is_large]).astype(float)

    found = prediction_changes(certain, SOME, NAMES, "rows")
    assert found.effects[0] == pytest.approx(0.5, abs=0.15)
    assert found.effects[1] == found.effects[2] == 0
