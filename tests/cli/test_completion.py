"""``nonet completion``: scripts that shells accept, with all commands and options."""

import shutil
import subprocess

import pytest

from nonet.cli.main import COMMANDS


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_script_has_all_commands_and_options(nonet_command, shell):
    ended = nonet_command("completion", shell)
    assert (ended.code, ended.err) == (0, "")
    for command in COMMANDS:
        assert command.name in ended.out
    for option in ("max-tasks", "time-column", "proba", "metric", "json", "open"):
        assert option in ended.out
    assert "families" not in ended.out
    assert nonet_command("completion", shell, "--json").document["script"] == ended.out


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_script_is_one_that_the_shell_accepts(nonet_command, folder, shell):
    if shutil.which(shell) is None:
        return  # not on every machine; bash is on all that have make
    (folder / "script").write_text(nonet_command("completion", shell).out)
    checked = subprocess.run([shell, "-n", "script"], capture_output=True, check=False)
    assert (checked.returncode, checked.stderr) == (0, b"")


COMPLETE = """
source ./script
COMP_WORDS=({words}) COMP_CWORD={position}
_nonet
printf '%s\\n' "${{COMPREPLY[@]}}"
"""


@pytest.mark.parametrize(
    ("words", "completions"),
    [
        ("nonet re", ["resume", "report"]),
        ("nonet predict --p", ["--proba"]),
        ("nonet fit --time", ["--time", "--time-column"]),
        ("nonet predict mod", [""]),  # the shell completes files
    ],
)
def test_bash_completes(nonet_command, folder, words, completions):
    (folder / "script").write_text(nonet_command("completion", "bash").out)
    code = COMPLETE.format(words=words, position=len(words.split()) - 1)
    found = subprocess.run(["bash", "-c", code], capture_output=True, check=True, text=True)
    assert found.stdout.splitlines() == completions
