"""``nonet score``: the metric of scikit-learn, its standard error, and which rows it is from."""

import numpy as np
import pytest
from sklearn.ensemble import RandomForestClassifier
from sklearn.metrics import accuracy_score, log_loss, roc_auc_score, root_mean_squared_error

import nonet
from cli.small_tables import as_csv, churn_rows, flat_rows

NEW, FLATS = churn_rows(60, seed=1), flat_rows(60, seed=1)


def test_score_against_sklearn(nonet_command, churn_run):
    model = nonet.open_run(churn_run).model
    probabilities = model.predict_proba(NEW)
    expected = {
        "log_loss": log_loss(NEW["left"], probabilities),
        "roc_auc": roc_auc_score(np.array(NEW["left"]) == "yes", probabilities[:, 1]),
        "accuracy": accuracy_score(NEW["left"], model.predict(NEW)),
    }
    for metric, score in expected.items():
        ended = nonet_command("score", churn_run, "new.csv", "--metric", metric, "--json")
        assert ended.document["score"] == pytest.approx(score)
    assert nonet_command("score", churn_run, "new.csv", "--json").document["metric"] == "log_loss"


def test_words_name_metric_error_and_rows(nonet_command, flats_run):
    ended = nonet_command("score", flats_run, "new_flats.csv")
    predictions = nonet.open_run(flats_run).predict(FLATS)
    score = root_mean_squared_error(FLATS["price"], predictions)
    assert ended.code == 0
    assert ended.out.startswith(f"rmse {score:.4g} +- ")
    assert ended.out.endswith(" on 60 rows of new_flats.csv\n")


def test_document_of_json_is_golden(nonet_command, churn_run):
    ended = nonet_command("score", churn_run, "new.csv", "--json")
    document = ended.document
    assert {name: type(value) for name, value in document.items()} == {
        "command": str,
        "nonet": str,
        "model": str,
        "metric": str,
        "better": str,
        "score": float,
        "standard_error": float,
        "n_rows": int,
        "rows": str,
    }
    assert ended.out == nonet_command("score", churn_run, "new.csv", "--json").out


def test_standard_error_is_that_of_a_mean(nonet_command, churn_run):
    ended = nonet_command("score", churn_run, "new.csv", "--metric", "accuracy", "--json").document
    p = ended["score"]
    assert ended["standard_error"] == pytest.approx(np.sqrt(p * (1 - p) / 60), rel=0.3)


def test_rows_without_truth_are_left_out(nonet_command, folder, churn_run):
    labels = [label if i % 2 else "" for i, label in enumerate(NEW["left"])]
    (folder / "half.csv").write_bytes(as_csv({**NEW, "left": labels}))
    assert nonet_command("score", churn_run, "half.csv", "--json").document["n_rows"] == 30


def test_table_of_the_fit_is_named(nonet_command, churn_run):
    ended = nonet_command("score", churn_run, "churn.csv")
    assert ended.code == 0
    assert "the honest score is log_loss" in ended.err
    assert nonet_command("score", churn_run, "new.csv").err == ""


def test_label_that_the_model_does_not_know_is_refused(nonet_command, folder, churn_run):
    (folder / "other.csv").write_bytes(as_csv({**NEW, "left": ["perhaps"] * 60}))
    ended = nonet_command("score", churn_run, "other.csv")
    assert ended.code == 3
    assert "does not know: 'perhaps'; its classes are 'no', 'yes'" in ended.sentence


def test_model_file_alone_needs_the_name_of_the_target(nonet_command, folder, churn_run):
    nonet.open_run(churn_run).save(folder / "alone.nonet")
    refused = nonet_command("score", "alone.nonet", "new.csv")
    assert (refused.code, "--target" in refused.sentence) == (2, True)
    of_file = nonet_command("score", "alone.nonet", "new.csv", "--target", "left", "--json")
    of_run = nonet_command("score", churn_run, "new.csv", "--json")
    assert of_file.document["score"] == of_run.document["score"]


def test_models_fitted_in_python_are_scored(nonet_command, folder):
    """On arrays without names, on frames, and of scikit-learn."""
    rows = flat_rows()
    X = np.column_stack([rows["size"], rows["rooms"], rows["noise"]])
    new = np.column_stack([FLATS["size"], FLATS["rooms"], FLATS["noise"]])
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(X, columns=["size", "rooms", "noise"])
    models = {
        "array": nonet.RandomForestRegressor(10, random_state=0).fit(X, rows["price"]),
        "frame": nonet.RandomForestRegressor(10, random_state=0).fit(frame, rows["price"]),
    }
    for name, model in models.items():
        nonet.save(model, f"{name}.nonet")
        ended = nonet_command(
            "score", f"{name}.nonet", "new_flats.csv", "--target", "price", "--json"
        )
        assert (ended.code, ended.err) == (0, "")
        expected = root_mean_squared_error(FLATS["price"], models["array"].predict(new))
        assert ended.document["score"] == pytest.approx(expected)


def test_model_of_categories_fitted_in_python_is_scored(nonet_command):
    pandas = pytest.importorskip("pandas")
    columns = ["age", "city"]
    frame, new = (
        pandas.DataFrame(rows)[columns].astype({"city": "category"}) for rows in (churn_rows(), NEW)
    )
    model = nonet.BoostedTreesClassifier(n_estimators=10, random_state=0)
    model.fit(frame, churn_rows()["left"])
    nonet.save(model, "boosted.nonet")
    ended = nonet_command("score", "boosted.nonet", "new.csv", "--target", "left", "--json")
    expected = log_loss(NEW["left"], model.predict_proba(new))
    assert ended.document["score"] == pytest.approx(expected)


def test_classifier_of_sklearn_with_number_labels_is_scored(nonet_command, folder):
    rows = {**flat_rows(), "class": [i % 3 for i in range(100)]}
    X = np.column_stack([rows["size"], rows["rooms"], rows["noise"], rows["price"]])
    model = RandomForestClassifier(5, random_state=0).fit(X, rows["class"])
    nonet.save(model, "forest.nonet")
    (folder / "three.csv").write_bytes(as_csv(rows))
    arguments = ["--target", "class", "--metric", "accuracy", "--json"]
    ended = nonet_command("score", "forest.nonet", "three.csv", *arguments)
    assert ended.document["score"] == pytest.approx(model.score(X, rows["class"]))


def test_text_is_no_truth_of_a_regression(nonet_command, folder, flats_run):
    words = ["cheap", "", *["dear"] * 58]
    (folder / "words.csv").write_bytes(as_csv({**FLATS, "price": words}))
    for command in ("score", "explain"):
        ended = nonet_command(command, flats_run, "words.csv")
        assert ended.code == 3
        assert ended.sentence == (
            "the model predicts numbers, but column 'price' of words.csv holds none: 'cheap', "
            "'dear'; name another column with --target."
        )


def test_truth_that_is_missing_in_all_rows_is_one_sentence(nonet_command, folder, flats_run):
    (folder / "empty.csv").write_bytes(as_csv({**FLATS, "price": ["", "NA"] * 30}))
    ended = nonet_command("score", flats_run, "empty.csv")
    assert (ended.code, ended.sentence) == (3, "empty.csv has no row with a value of 'price'.")


def test_word_in_a_column_of_numbers_is_one_sentence(nonet_command, folder):
    rows = flat_rows()
    X = np.column_stack([rows["size"], rows["rooms"]])
    nonet.save(nonet.RandomForestRegressor(5, random_state=0).fit(X, rows["price"]), "rf.nonet")
    table = {"size": ["large"] * 60, "rooms": FLATS["rooms"]}
    (folder / "words.csv").write_bytes(as_csv(table))
    ended = nonet_command("predict", "rf.nonet", "words.csv")
    assert ended.code == 3
    assert "column 'size' of X holds the string 'large'" in ended.sentence
