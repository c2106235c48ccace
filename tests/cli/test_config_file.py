"""Config files: what is written is read back, and repeats the run."""

import json
import tomllib

import pytest

from cli.small_tables import FAST
from nonet.cli.command_error import CommandError
from nonet.cli.config_file import read_config, write_config

AWKWARD = {
    "table": 'C:\\data\\"my" table\t.csv',
    "target": "gehört = ja # nein",
    "metric": "tail\x7f\x01",
    "id": ["a b", "ß", "\U0001f600"],
    "max_tasks": 3,
    "report": True,
    "kind": {"zip code": "category", 'qu"ote': "text"},
}


@pytest.mark.parametrize("name", ["fit.toml", "fit.json"])
def test_settings_are_read_back(folder, name):
    write_config(name, AWKWARD)
    assert read_config(name) == AWKWARD


def test_file_is_toml(folder):
    write_config("fit.toml", AWKWARD)
    assert tomllib.loads((folder / "fit.toml").read_text(encoding="utf-8")) == AWKWARD


def test_windows_line_ends_and_byte_order_mark_are_read(folder):
    (folder / "fit.toml").write_bytes(b'\xef\xbb\xbftarget = "y"\r\nmax-tasks = 2\r\n')
    assert read_config("fit.toml") == {"target": "y", "max_tasks": 2}


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("fit.toml", "target: y", "is not TOML"),
        ("fit.json", "{", "is not JSON"),
        ("fit.json", "[1]", "names and values"),
    ],
)
def test_rejects_damaged_file(folder, name, content, words):
    (folder / name).write_text(content)
    with pytest.raises(CommandError, match=words):
        read_config(name)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("colour = 1", "'colour'; known are table, target"),
        ("max_tasks = 'many'", "a whole number"),
        ("time = 'soon'", "a duration"),
        ("id = 3", "a list of names"),
        ("task = 'ranking'", "'classification' or 'regression'"),
        ("report = 1", "true or false"),
        ("kind = 'x'", "a table of columns"),
    ],
)
def test_rejects_unknown_setting_in_one_sentence(nonet_command, folder, content, words):
    (folder / "fit.toml").write_text(content)
    ended = nonet_command("fit", "churn.csv", "--config", "fit.toml")
    assert ended.code == 3
    assert words in ended.sentence


def test_missing_config_is_one_sentence(nonet_command):
    ended = nonet_command("fit", "churn.csv", "--config", "none.toml")
    assert (ended.code, ended.sentence) == (
        3,
        "the config 'none.toml' cannot be read: no such file or directory.",
    )


def test_saved_config_repeats_the_run(nonet_command, folder):
    options = ["--target", "left", "--id", "customer", "--kind", "age=category", *FAST]
    first = nonet_command("fit", "churn.csv", *options, "--out", "one/a.run", "--json")
    # From another folder, since paths are relative to the config.
    again = nonet_command("fit", "--config", "one/a.run/config.toml", "--out", "b.run", "--json")
    assert (first.code, again.code) == (0, 0)
    one, other = first.document, again.document
    assert one["table"] == other["table"]
    assert one["run"]["score"] == other["run"]["score"]
    assert one["run"]["settings"] == other["run"]["settings"]


def test_options_override_the_config(nonet_command, folder):
    (folder / "fit.json").write_text(
        json.dumps({"table": "none.csv", "target": "city", "max-tasks": 1, "families": ["linear"]})
    )
    given = ["churn.csv", "--target", "left", "--config", "fit.json", "--json"]
    ended = nonet_command("fit", *given)
    assert ended.code == 0
    assert ended.document["table"]["target"] == "left"
    assert ended.document["run"]["settings"]["max_tasks"] == 1


def test_group_and_time_column_exclude_each_other_also_in_a_config(nonet_command, folder):
    (folder / "fit.toml").write_text('group = "city"')
    ended = nonet_command("fit", "churn.csv", "--config", "fit.toml", "--time-column", "joined")
    assert ended.code == 2
    assert "--group or --time-column" in ended.sentence
