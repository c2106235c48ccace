"""The command line that all benchmarks share, and the page that they write.

Every script takes --quick, which shows in seconds that it runs, and --write, which puts its tables
into its section of docs/benchmarks.md. Scripts on real tables take the folder of these tables.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from pathlib import Path

PAGE = Path(__file__).parents[1] / "docs" / "benchmarks.md"


def make_parser(doc: str) -> argparse.ArgumentParser:
    """Make a parser of the shared options; its help is the docstring of the script."""
    parser = argparse.ArgumentParser(
        description=doc, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--quick", action="store_true", help="tiny data, one turn: does it run?")
    parser.add_argument("--write", action="store_true", help=f"put the tables into {PAGE.name}")
    return parser


def read_options_with_folder(doc: str) -> argparse.Namespace:
    """Read the shared options and the folder of real tables, which only --quick does without."""
    parser = make_parser(doc)
    parser.add_argument("folder", nargs="?", type=Path, help="Parquet files and datasets.json")
    options = parser.parse_args()
    if options.folder is None and not options.quick:
        parser.error("give the folder of the data, or --quick")
    return options


def publish(section: str, parts: Iterable[str], options: argparse.Namespace) -> None:
    """Print the parts of a report as they come; with --write the page holds those so far."""
    text = ""
    for part in parts:
        print(f"{part}\n", flush=True)
        text = f"{text}\n\n{part}" if text else part
        if options.write:
            replace_section(PAGE, section, text)


def replace_section(page: Path, name: str, text: str) -> None:
    """Put text between the two marks of a section of a Markdown page."""
    begin, end = f"<!-- begin {name} -->", f"<!-- end {name} -->"
    before, found, rest = page.read_text().partition(begin)
    if not found or end not in rest:
        raise ValueError(f"{page.name} has no section {name!r}: it needs {begin} and {end}.")
    after = rest.partition(end)[2]
    page.write_text(f"{before}{begin}\n{text}\n{end}{after}")
