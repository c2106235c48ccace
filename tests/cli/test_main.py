"""The door: usage, exit codes, one sentence for every error."""

import pytest

from nonet import __version__
from nonet.cli import score
from nonet.cli.command_error import CommandError
from nonet.cli.main import COMMANDS


def test_version_is_that_of_the_package(nonet_command):
    ended = nonet_command("--version")
    assert (ended.code, ended.out, ended.err) == (0, f"nonet {__version__}\n", "")


def test_help_lists_all_commands_and_exit_codes(nonet_command):
    ended = nonet_command("--help")
    assert ended.code == 0
    first_words = [line.split()[0] for line in ended.out.splitlines() if line.strip()]
    assert {command.name for command in COMMANDS} <= set(first_words)
    assert "130 interrupted" in " ".join(ended.out.split())


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.name)
def test_every_command_has_help_and_json(nonet_command, command):
    ended = nonet_command(command.name, "--help")
    assert ended.code == 0
    assert "--json" in ended.out
    assert "--families" not in ended.out  # for tests alone


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "COMMAND"),
        (["fly"], "fly"),
        (["fit"], "needs a TABLE"),
        (["fit", "churn.csv", "--time", "soon"], "90s, 10m"),
        (["fit", "churn.csv", "--max-tasks", "some"], "no whole number"),
        (["fit", "churn.csv", "--max-tasks", "0"], "'0' is less than 1"),
        (["resume", "churn.run", "--max-tasks", "0"], "'0' is less than 1"),
        (["fit", "churn.csv", "--task", "ranking"], "ranking"),
        (["fit", "churn.csv", "--kind", "age"], "COLUMN=KIND"),
        (["fit", "churn.csv", "--kind", "age=colour"], "identifier"),
        (["fit", "churn.csv", "--colour"], "--colour"),
        (["fit", "churn.csv", "--group", "city", "--time-column", "joined"], "not both"),
        (["fit", "churn.csv"], "--target; the columns of churn.csv are 'customer', 'age'"),
        (["fit", "churn.csv", "--target", "left", "--metric", "taste"], "roc_auc"),
        (["fit", "flats.csv", "--target", "price", "--metric", "taste"], "rmse"),
        (["completion", "csh"], "csh"),
    ],
)
def test_wrong_usage_ends_with_2_and_one_sentence(nonet_command, arguments, words):
    ended = nonet_command(*arguments)
    assert ended.code == 2
    assert words in ended.sentence


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["fit", "none.csv", "--target", "y"], "'none.csv' cannot be read"),
        (["fit", ".", "--target", "y"], "is a folder"),
        (["fit", "churn.csv", "--target", "lefd"], "did you mean 'left'?"),
        (["fit", "churn.csv", "--target", "left", "--drop", "left"], "--drop"),
        (["fit", "churn.csv", "--target", "left", "--id", "custmer"], "'customer'"),
        (["fit", "churn.csv", "--target", "left", "--weight", "city"], "weights"),
        (["fit", "churn.csv", "--target", "left", "--time-column", "city"], "'city'"),
        (["fit", "churn.csv", "--target", "customer"], "a class of its own"),
        (["fit", "churn.csv", "--target", "city", "--task", "regression"], "numbers"),
        (["fit", "churn.csv", "--target", "left", "--kind", "agee=number"], "did you mean 'age'?"),
        (["fit", "churn.csv", "--target", "left", "--kind", "Age=number"], "is called 'age'"),
        (["fit", "churn.csv", "--target", "left", "--kind", "left=text"], "is no feature"),
        (
            ["fit", "flats.csv", "--target", "price", "--metric", "roc_auc"],
            "'roc_auc' is about classes",
        ),
        (["predict", "none.nonet", "new.csv"], "no model 'none.nonet'"),
        (["predict", "churn.csv", "new.csv"], "churn.csv"),
        (["show", "none"], "no model 'none'"),
        (["show", "."], "not the folder of a run"),
        (["resume", "none.run"], "'none.run'"),
        (["score", ".", "new.csv"], "not the folder of a run"),
    ],
)
def test_bad_data_ends_with_3_and_one_sentence(nonet_command, arguments, words):
    ended = nonet_command(*arguments)
    assert ended.code == 3
    assert words in ended.sentence


RAISED = {
    "CommandError": (CommandError("it is so."), 3, "it is so."),
    "ValueError": (ValueError("first line\nsecond line"), 3, "first line."),
    "OSError": (OSError(28, "No space left on device", "a.csv"), 3, "'a.csv': No space left"),
    "ImportError": (ImportError("needs pyarrow."), 3, "needs pyarrow."),
    "MemoryError": (MemoryError(), 3, "not enough memory"),
    "KeyboardInterrupt": (KeyboardInterrupt(), 130, "nothing was changed"),
    "KeyError": (KeyError("x"), 1, "this is a bug in nonet (KeyError: 'x')"),
}


@pytest.mark.parametrize("name", RAISED)
def test_whatever_is_raised_ends_in_one_sentence(nonet_command, monkeypatch, name):
    why, code, words = RAISED[name]

    def raise_it(*arguments):
        raise why

    monkeypatch.setattr(score, "open_model", raise_it)
    ended = nonet_command("score", "model", "new.csv")
    assert ended.code == code
    assert words in ended.sentence


def test_traceback_is_shown_on_request_alone(nonet_command, monkeypatch):
    monkeypatch.setenv("NONET_TRACEBACK", "1")
    ended = nonet_command("score", "none", "new.csv")
    assert ended.code == 3
    assert "Traceback" in ended.err
    assert "there is no model 'none'" in ended.err.splitlines()[-1]
