"""The console script before the package is imported: Ctrl-C, and what needs no import."""

import subprocess
import sys
import tomllib
from pathlib import Path

import nonet

SCRIPT = Path(nonet.__file__).parents[1] / "nonet_command" / "__init__.py"
RUN = f"""
import importlib.util, os, signal, sys, time

class AtImport:
    def find_spec(self, name, path=None, target=None):
        if name == "nonet":
            {{at_import}}

sys.meta_path.insert(0, AtImport())
spec = importlib.util.spec_from_file_location("nonet_command", {str(SCRIPT)!r})
script = importlib.util.module_from_spec(spec)
spec.loader.exec_module(script)
sys.exit(script.main())
"""


def run(*arguments, at_import="pass"):
    """Run the script in a process that does something when the package is imported."""
    ended = subprocess.run(
        [sys.executable, "-c", RUN.format(at_import=at_import), *arguments],
        capture_output=True,
        check=False,
        text=True,
    )
    return ended.returncode, ended.stdout, ended.stderr


def test_ctrl_c_while_the_package_is_imported_ends_with_130_and_one_sentence():
    ended = run("show", "none", at_import="os.kill(os.getpid(), signal.SIGINT); time.sleep(60)")
    assert ended == (130, "", "nonet: interrupted; nothing was changed.\n")


def test_version_needs_no_import_of_the_package():
    ended = run("--version", at_import="raise AssertionError")
    assert ended == (0, f"nonet {nonet.__version__}\n", "")


def test_commands_and_their_exit_codes_are_those_of_main():
    code, out, err = run("show", "none")
    assert (code, out) == (3, "")
    assert "there is no model 'none'" in err


def test_console_script_is_declared(request):
    project = tomllib.loads((request.config.rootpath / "pyproject.toml").read_text())
    assert project["project"]["scripts"] == {"nonet": "nonet_command:main"}
