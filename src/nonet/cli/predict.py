"""``nonet predict``: predictions for the rows of a table, block by block."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterable
from itertools import chain
from typing import Any, BinaryIO

from nonet._base.atomic_file import replace_file
from nonet.cli.command import Command, add_model, add_table
from nonet.cli.command_error import UsageError
from nonet.cli.opened_model import OpenedModel, open_model
from nonet.cli.output import Output, write_whole
from nonet.cli.prediction_columns import predict_columns
from nonet.cli.row_files import (
    DelimitedWriter,
    JSONDocumentWriter,
    RowWriter,
    check_ending,
    write_blocks,
    write_rows,
)
from nonet.cli.unread_values import UnreadValues
from nonet.tables.blocks import read_blocks
from nonet.tables.column_names import count_of

_STANDARD_OUTPUT = "-"


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments of the command."""
    add_model(parser)
    add_table(parser, "rows to predict")
    parser.add_argument(
        "--out",
        metavar="FILE",
        default=_STANDARD_OUTPUT,
        help="a .csv, .tsv, .jsonl or .parquet file, or these with .gz; CSV to standard output by "
        "default",
    )
    parser.add_argument("--proba", action="store_true", help="add the probability of each class")
    parser.add_argument(
        "--id",
        nargs="+",
        action="extend",
        metavar="COL",
        help="columns that are passed through; those of the fit by default",
    )


def run(options: Namespace, output: Output) -> None:
    """Predict."""
    if options.out != _STANDARD_OUTPUT:
        check_ending(options.out)
    opened = open_model(options.model)
    _check_proba(opened, options)
    notes: list[str] = []
    unread = UnreadValues(opened.model)
    read = unread.watch(read_blocks(options.table, notes=notes))
    blocks = predict_columns(opened, read, options.id, with_proba=options.proba)
    # The first block is predicted before anything is written, because most errors are found there.
    blocks = chain([next(blocks)], blocks)
    output.talk(*(f"note      {note}" for note in notes))
    if options.out == _STANDARD_OUTPUT:
        _print_rows(blocks, output)
    else:
        _write_rows(options.out, blocks, output)
    output.talk(*(f"note      {note}" for note in unread.notes()))


def _write_rows(path: str, blocks: Iterable[dict[str, Any]], output: Output) -> None:
    written = _WrittenFile(path, blocks)
    replace_file(path, written.write)
    document = {"file": path, "n_rows": written.n_rows, "columns": written.names}
    output.print_result([f"{count_of(written.n_rows, 'prediction')} in {path}"], document)


def _check_proba(opened: OpenedModel, options: Namespace) -> None:
    if options.proba and not opened.has_probabilities:
        raise UsageError(f"{options.model!r} predicts no probabilities; leave out --proba.")


def _print_rows(blocks: Iterable[dict[str, Any]], output: Output) -> None:
    file: Any = _StandardOutput()
    is_json = output.as_json
    writer: RowWriter = (
        JSONDocumentWriter(file, output.command) if is_json else DelimitedWriter(file, ",")
    )
    write_blocks(writer, blocks)


class _StandardOutput:
    """Standard output as a file of bytes; one that takes text alone gets text."""

    def write(self, content: bytes) -> int:
        if hasattr(sys.stdout, "buffer"):
            write_whole(sys.stdout, content)
        elif sys.stdout is not None:
            sys.stdout.write(content.decode("utf-8", "replace"))
        return len(content)


class _WrittenFile:
    """What was written to a file: known when `replace_file` returns."""

    def __init__(self, path: str, blocks: Iterable[dict[str, Any]]) -> None:
        self._path, self._blocks = path, blocks
        self.n_rows, self.names = 0, list[str]()

    def write(self, file: BinaryIO) -> None:
        self.n_rows, self.names = write_rows(self._path, file, self._blocks)


COMMAND = Command("predict", "Predict the rows of a table.", add_arguments, run)
