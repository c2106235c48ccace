"""``nonet completion``: a script that lets a shell complete commands and options.

The lists are those of the parser, so that a new option needs no change here.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Sequence

from nonet.cli.command import Command
from nonet.cli.output import Output
from nonet.cli.parser import options_of

_SHELLS = ("bash", "zsh", "fish")


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("shell", choices=_SHELLS, help="the shell that the script is for")


def run(options: Namespace, output: Output) -> None:
    """Print the script."""
    script = {"bash": bash_script, "zsh": zsh_script, "fish": fish_script}[options.shell]
    text = script(options.commands)
    output.print_result(text.splitlines(), {"shell": options.shell, "script": text})


def bash_script(commands: Sequence[Command]) -> str:
    """Return the script for bash; files complete where there is no option."""
    cases = "\n".join(
        f"    {command.name}) words='{' '.join(_flags(command))}' ;;" for command in commands
    )
    return f"""\
# nonet completion bash: add  eval "$(nonet completion bash)"  to ~/.bashrc
_nonet() {{
  local words='{_names(commands)} --version --help' current="${{COMP_WORDS[COMP_CWORD]}}"
  COMPREPLY=()
  [[ $COMP_CWORD -gt 1 ]] && case "${{COMP_WORDS[1]}}" in
{cases}
  esac
  if [[ $COMP_CWORD -eq 1 || $current == -* ]]; then
    COMPREPLY=($(compgen -W "$words" -- "$current"))
  fi
}}
complete -o default -F _nonet nonet
"""


def zsh_script(commands: Sequence[Command]) -> str:
    """Return the script for zsh."""
    described = "\n".join(f"    '{one.name}:{_plain(one.summary)}'" for one in commands)
    cases = "\n".join(f"    {one.name}) compadd -- {' '.join(_flags(one))} ;;" for one in commands)
    return f"""\
#compdef nonet
# nonet completion zsh: add  eval "$(nonet completion zsh)"  to ~/.zshrc
_nonet() {{
  local -a commands
  commands=(
{described}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  if [[ $words[CURRENT] != -* ]]; then
    _files
    return
  fi
  case $words[2] in
{cases}
  esac
}}
compdef _nonet nonet
"""


def fish_script(commands: Sequence[Command]) -> str:
    """Return the script for fish."""
    lines = ["# nonet completion fish: save as ~/.config/fish/completions/nonet.fish"]
    for one in commands:
        lines.append(
            f"complete -c nonet -f -n __fish_use_subcommand -a {one.name} "
            f"-d '{_plain(one.summary)}'"
        )
        for action in options_of(one):
            for flag in action.option_strings:
                name = f"-l {flag[2:]}" if flag.startswith("--") else f"-s {flag[1:]}"
                condition = f"-n '__fish_seen_subcommand_from {one.name}'"
                help_text = _plain(str(action.help or ""))
                lines.append(f"complete -c nonet {condition} {name} -d '{help_text}'")
    return "\n".join(lines) + "\n"


def _names(commands: Sequence[Command]) -> str:
    return " ".join(command.name for command in commands)


def _flags(command: Command) -> list[str]:
    return [flag for action in options_of(command) for flag in action.option_strings]


def _plain(text: str) -> str:
    """Return text that can stand in single quotes of any shell."""
    return text.replace("'", "").replace(":", ",")


COMMAND = Command("completion", "Print a script for completion in a shell.", add_arguments, run)
