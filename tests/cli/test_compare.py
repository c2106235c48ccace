"""``nonet compare``: paired differences, against naive formulas and against theory."""

import numpy as np
import pytest
from sklearn.metrics import log_loss

import nonet
from cli.small_tables import FAST, as_csv, churn_rows
from nonet.auto.metric import Metric
from nonet.cli.paired_scores import compare_scores

NEW = churn_rows(60, seed=1)


@pytest.fixture
def weak_run(nonet_command, churn_run):
    """A second run on the same table, without the columns that matter."""
    options = ["--target", "left", "--drop", "age", "city", *FAST]
    assert nonet_command("fit", "churn.csv", *options, "--out", "weak.run").code == 0
    return "weak.run"


def test_models_are_compared_on_a_table(nonet_command, churn_run, weak_run):
    document = nonet_command("compare", churn_run, weak_run, "new.csv", "--json").document
    losses = [
        log_loss(NEW["left"], nonet.open_run(run).model.predict_proba(NEW))
        for run in (churn_run, weak_run)
    ]
    assert [model["score"] for model in document["models"]] == pytest.approx(losses)
    assert document["difference"] == pytest.approx(losses[0] - losses[1])
    assert document["winner"] == churn_run
    assert document["rows"] == "60 rows of new.csv"
    labels = [nonet.open_run(run).predict(NEW) for run in (churn_run, weak_run)]
    expected = nonet.mcnemar_test(NEW["left"], *labels)
    assert document["mcnemar_p_value"] == pytest.approx(expected.p_value)


def test_order_of_the_models_changes_signs_alone(nonet_command, churn_run, weak_run):
    one = nonet_command("compare", churn_run, weak_run, "new.csv", "--json").document
    other = nonet_command("compare", weak_run, churn_run, "new.csv", "--json").document
    assert other["difference"] == -one["difference"]
    assert other["p_value"] == one["p_value"]
    assert other["winner"] == one["winner"]


def test_model_is_no_better_than_itself(nonet_command, churn_run):
    ended = nonet_command("compare", churn_run, f"{churn_run}/model.nonet", "new.csv")
    assert ended.code == 0
    assert "A - B: 0 +- 0, smaller is better, p = 1" in ended.out
    assert ended.out.endswith("No difference beyond the noise of these rows.\n")


def test_runs_on_one_table_are_compared_on_held_out_rows(nonet_command, churn_run, weak_run):
    document = nonet_command("compare", churn_run, weak_run, "--json").document
    one, other = (nonet.open_run(run).held_out for run in (churn_run, weak_run))
    assert sorted(one.rows) == sorted(other.rows)
    scores = [nonet.open_run(run).honest_score.score for run in (churn_run, weak_run)]
    assert [model["score"] for model in document["models"]] == pytest.approx(scores)
    assert document["rows"] == f"{len(one.rows)} held-out rows of both runs"


def test_what_cannot_be_compared_is_refused(nonet_command, folder, churn_run, flats_run):
    other_task = nonet_command("compare", churn_run, flats_run, "new.csv")
    assert (other_task.code, "one of regression" in other_task.sentence) == (3, True)
    nonet.open_run(churn_run).save("alone.nonet")
    without_rows = nonet_command("compare", churn_run, "alone.nonet")
    assert (without_rows.code, "TABLE" in without_rows.sentence) == (2, True)
    (folder / "other.csv").write_bytes(as_csv(churn_rows(90, seed=5)))
    arguments = ["--target", "left", *FAST, "--out", "other.run"]
    assert nonet_command("fit", "other.csv", *arguments).code == 0
    other_table = nonet_command("compare", churn_run, "other.run")
    assert (other_table.code, "different tables" in other_table.sentence) == (2, True)


def test_single_row_has_no_error_no_test_and_no_winner(nonet_command, folder, churn_run, weak_run):
    (folder / "one.csv").write_bytes(as_csv(churn_rows(1)))
    ended = nonet_command("compare", churn_run, weak_run, "one.csv")
    assert (ended.code, ended.err) == (0, "")
    assert "nan" not in ended.out
    assert "no test on one row" in ended.out
    assert ended.out.endswith("No difference beyond the noise of these rows.\n")
    document = nonet_command("compare", churn_run, weak_run, "one.csv", "--json").document
    assert (document["p_value"], document["winner"], document["n_rows"]) == (None, None, 1)
    assert document["difference"] != 0


# ---- The test itself ---------------------------------------------------------------------------


def test_standard_error_of_a_mean_difference_against_naive():
    rng = np.random.default_rng(0)
    y = rng.normal(size=2000)
    first, second = y + rng.normal(size=2000), y + 1.1 * rng.normal(size=2000)
    mse = Metric("mean_squared_error", 1.0, "neg_mean_squared_error")
    found = compare_scores(mse, y, first, second)
    differences = (y - first) ** 2 - (y - second) ** 2
    assert found.difference == pytest.approx(differences.mean())
    naive = differences.std(ddof=1) / np.sqrt(2000)
    assert found.difference_error == pytest.approx(naive, rel=0.3)


def test_level_of_the_test_against_theory():
    """Two equally good models differ at the 5 % level in about 5 % of all tables."""
    rng = np.random.default_rng(1)
    rejected = 0
    for _ in range(300):
        y = rng.normal(size=200)
        found = compare_scores(
            Metric("rmse", 1.0), y, y + rng.normal(size=200), y + rng.normal(size=200)
        )
        rejected += found.winner is not None
    assert 3 <= rejected <= 33  # 0.0001 of binomial(300, 0.05) is outside


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_winner_has_the_smaller_loss_whatever_the_sign_of_the_metric(sign):
    y = np.arange(100.0)
    assert compare_scores(Metric("m", sign), y, y + 1, y + 3 + y % 2).winner == 0
    assert compare_scores(Metric("m", sign), y, y + 3 + y % 2, y + 1).winner == 1
