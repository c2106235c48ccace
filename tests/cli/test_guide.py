"""The console blocks of the guide: each command prints what the page shows."""

import contextlib
import doctest
import io
import re
from pathlib import Path

import pytest

from nonet.cli.main import COMMANDS, main

PAGE = Path(__file__).parents[2] / "docs" / "guide" / "command_line.rst"
NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e-?\d+)?")
# Seconds in a leaderboard, before the rows; they differ from run to run.
SECONDS = re.compile(r"\d+\.\d(?=  \d+ held-out)")


def shown_commands(text):
    """Yield the commands of the console blocks of a page, each with the lines below it."""
    for block in re.findall(r"^\.\. code-block:: console\n\n((?:   .*\n|\n)+)", text, re.MULTILINE):
        lines = [line[3:] for line in block.splitlines()]
        for part in "\n".join(lines).split("$ ")[1:]:
            command, _, printed = part.partition("\n")
            yield command, printed


def run(command):
    """Run a command in this process, and return all that it prints."""
    command, _, file = command.partition(" > ")
    command, _, head = command.partition(" | head -")
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
        code = main(command.split()[1:])
    assert code == 0, printed.getvalue()
    lines = printed.getvalue().splitlines()
    return "" if file else "\n".join(lines[: int(head)] if head else lines)


def words_and_numbers(text):
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("[nonet]")]
    plain = " ".join(SECONDS.sub("", " ".join(lines)).split())
    return NUMBER.sub("#", plain), [float(number) for number in NUMBER.findall(plain)]


def test_commands_print_what_the_guide_shows(folder):
    text = PAGE.read_text(encoding="utf-8")
    examples = doctest.DocTestParser().get_examples(text)
    exec("".join(one.source for one in examples if "main" not in one.source), {})
    assert "bottle" in (folder / "new.csv").read_text()
    commands = [pair for pair in shown_commands(text) if pair[0].startswith("nonet ")]
    assert len(commands) >= 9
    for command, printed in commands:
        words, numbers = words_and_numbers(run(command))
        shown_words, shown_numbers = words_and_numbers(printed)
        assert words == shown_words, command
        # Products of matrices are rounded differently from machine to machine.
        assert numbers == pytest.approx(shown_numbers, rel=0.05, abs=1e-3), command
    (config,) = re.findall(r"code-block:: toml\n\n((?:   .*\n)+)", text)
    assert (folder / "wine.run" / "config.toml").read_text() == config.replace("   ", "")


def test_commands_of_the_page_are_all_there_are():
    text = PAGE.read_text(encoding="utf-8")
    table = text[text.index("further keys") : text.index("An error is one sentence")]
    listed = re.findall(r"^   \* - (\w+)$", table, re.MULTILINE)
    assert sorted(listed) == sorted(command.name for command in COMMANDS)
