"""``nonet show``: runs that have ended or were left, and model files."""

import nonet
from cli.small_tables import FAST, churn_rows


def test_run_shows_all_of_its_leaderboard(nonet_command, churn_run):
    ended = nonet_command("show", churn_run)
    run = nonet.open_run(churn_run)
    assert (ended.code, ended.err) == (0, "")
    assert ended.out.startswith(
        "run       churn.run: classification of 'left' in churn.csv, classes 'no', 'yes'\n"
    )
    for row in run.leaderboard.rows:
        assert f"  {row.name} " in ended.out
    for note in run.notes:
        assert note in ended.out


def test_document_of_a_run_is_that_of_its_fit(nonet_command):
    fitted = nonet_command("fit", "churn.csv", "--target", "left", *FAST, "--json").document
    shown = nonet_command("show", "churn.run", "--json").document
    assert shown["kind"] == "run"
    assert shown["state"] == "ended"
    assert shown["tasks"] == {"done": 2, "failed": 0}
    assert shown["table"] == "churn.csv"
    assert shown["run"] == fitted["run"]


def test_model_file_is_described_without_loading_it(nonet_command, folder):
    rows = churn_rows()
    tree = nonet.DecisionTreeClassifier(max_depth=2, random_state=0)
    nonet.save(tree.fit([[age] for age in rows["age"]], rows["left"]), "tree.nonet")
    ended = nonet_command("show", "tree.nonet")
    lines = ended.out.splitlines()
    assert lines[0].startswith("model     tree.nonet: DecisionTreeClassifier, ")
    assert lines[1:3] == ["classes   'no', 'yes'", "columns   1"]
    document = nonet_command("show", "tree.nonet", "--json").document
    assert document["kind"] == "model"
    assert document["class"] == "DecisionTreeClassifier"
    assert document["parameters"]["max_depth"] == 2
    assert document["columns"]["count"] == 1


def test_model_file_of_a_run_names_its_columns(nonet_command, churn_run):
    ended = nonet_command("show", f"{churn_run}/model.nonet")
    assert "AutoEnsembleClassifier" in ended.out
    assert "'age', 'city', 'joined'" in ended.out


def test_damaged_model_file_is_one_sentence(nonet_command, churn_run):
    with open(f"{churn_run}/model.nonet", "r+b") as file:
        file.truncate(100)
    for command in (["show"], ["predict"], ["score"]):
        tables = [] if command == ["show"] else ["new.csv"]
        ended = nonet_command(*command, f"{churn_run}/model.nonet", *tables)
        assert ended.code == 3
        assert "model.nonet" in ended.sentence
