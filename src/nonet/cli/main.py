"""The door of the command line: parse, run the command, and end with a sentence and an exit code.

Every error is one sentence on stderr. ``NONET_TRACEBACK=1`` in the environment shows where it was
raised.
"""

from __future__ import annotations

import os
import sys
import traceback
import warnings
from argparse import Namespace
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress

from nonet._base.errors import one_sentence
from nonet.cli import (
    compare,
    completion,
    explain,
    fit,
    predict,
    report,
    resume,
    score,
    show,
)
from nonet.cli.command_error import CommandError
from nonet.cli.exit_codes import ExitCode
from nonet.cli.output import Output
from nonet.cli.parser import make_parser

COMMANDS = (
    fit.COMMAND,
    resume.COMMAND,
    predict.COMMAND,
    score.COMMAND,
    show.COMMAND,
    explain.COMMAND,
    report.COMMAND,
    compare.COMMAND,
    completion.COMMAND,
)

_TRACEBACK = "NONET_TRACEBACK"
# Warnings that commands print in their own words, or that only a caller of Python can act on.
_LEFT_OUT = (
    "the search was interrupted",
    "X does not have valid feature names",
    "X has feature names, but",
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command.

    Parameters
    ----------
    arguments : sequence of str, optional
        Those of the process by default.

    Returns
    -------
    code : int
        The exit code.

    Examples
    --------
    >>> main(["--version"])  # doctest: +ELLIPSIS
    nonet ...
    0
    """
    try:
        options = make_parser(COMMANDS).parse_args(arguments)
    except SystemExit as end:
        return int(end.code or 0)
    except BrokenPipeError:
        return _end_broken_pipe()
    output = Output(options.chosen.name, options.json, options.quiet)
    return int(_run(options, output))


def _run(options: Namespace, output: Output) -> int:
    """Run the command, and turn what it raises into a sentence and an exit code."""
    try:
        with _warnings_as_talk(output):
            code = options.chosen.run(options, output)
        if sys.stdout is not None:
            sys.stdout.flush()
        return ExitCode.OK if code is None else code
    except BrokenPipeError:
        return _end_broken_pipe()
    except KeyboardInterrupt:
        return _end(output, "interrupted; nothing was changed.", ExitCode.INTERRUPTED)
    except CommandError as why:
        return _end(output, str(why), why.code)
    except (ValueError, TypeError, ImportError) as why:
        return _end(output, one_sentence(str(why)), ExitCode.BAD_DATA)
    except OSError as why:
        return _end(output, _sentence_of(why), ExitCode.BAD_DATA)
    except MemoryError:
        sentence = "there is not enough memory for this; take fewer rows or columns."
        return _end(output, sentence, ExitCode.BAD_DATA)
    except Exception as why:
        sentence = (
            f"this is a bug in nonet ({type(why).__name__}: {' '.join(str(why).split())}); run the "
            f"command again with {_TRACEBACK}=1 in the environment, and report what it prints."
        )
        return _end(output, sentence, ExitCode.BUG)


def _end(output: Output, sentence: str, code: ExitCode) -> int:
    if os.environ.get(_TRACEBACK, "0") not in ("", "0"):
        traceback.print_exc()
    with suppress(BrokenPipeError):
        output.complain(sentence)
    return code


def _sentence_of(why: OSError) -> str:
    what = why.strerror or str(why) or type(why).__name__
    about = "" if why.filename is None else f"{str(why.filename)!r}: "
    return one_sentence(f"{about}{what}")


def _end_broken_pipe() -> int:
    """Leave quietly: what Python would flush at its end has no reader either."""
    with suppress(OSError, ValueError, AttributeError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return ExitCode.BROKEN_PIPE


@contextmanager
def _warnings_as_talk(output: Output) -> Iterator[None]:
    """Print nonet's own warnings as sentences, each once; those of other libraries are left out."""
    shown = set[str]()

    def show_warning(
        message: Warning | str, category: type[Warning], *where: object, **more: object
    ) -> None:
        sentence = one_sentence(str(message))
        if category is UserWarning and sentence not in shown:
            shown.add(sentence)
            output.talk(f"nonet: {sentence}")

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        warnings.filterwarnings("always", category=UserWarning)
        for start in _LEFT_OUT:
            warnings.filterwarnings("ignore", message=start)
        warnings.showwarning = show_warning
        yield
