"""Refuse private words where the field has its own: part of `make lint`.

The check reads the package, the core, the tests, the docs, the examples and the benchmarks:
identifiers (split at underscores and capitals), comments, docstrings, messages and the text of
pages. The tables give what to write instead; ``RIGHT`` lists the phrases in which a word is right.
"""

from __future__ import annotations

import io
import re
import sys
import tokenize
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
FOLDERS = ("src", "cpp", "docs", "examples", "benchmarks", "tests")
PAGES = ("README.md", "ARCHITECTURE.md", "CONTRIBUTING.md")
# Generated pages, and the table of former names.
LEFT_OUT = (
    "docs/_build/",
    "docs/gallery/",
    "docs/api/generated/",
    "src/nonet/_base/missing_names.py",
)
SUFFIXES = {".py", ".hpp", ".cpp", ".rst", ".md", ".toml"}

NAME_WORDS = {
    "answer": "prediction, output",
    "answers": "predictions, outputs",
    "ask": "predict",
    "asked": "predicted, requested",
    "asks": "predicts",
    "chance": "probability",
    "chances": "probabilities",
    "cuts": "thresholds",
    "judged": "scored",
    "place": "index, position",
    "places": "indices, positions",
    "share": "fraction",
    "shares": "fractions",
    "texts": "docs",
}
NAME_PATTERNS = {r"(?<![a-z])(rows|columns|bytes|bits|words|cells|bins|points|leaves)_a_": "_per_"}
PROSE = {
    r"slopes? of the loss|slopes and": "gradient, hessian",
    r"drawn cuts?|cuts": "threshold, random threshold",
    r"places?": "index, position",
    r"shares? of|shares": "fraction, proportion, probability",
    r"chances?": "probability",
    r"ask(s|ed|ing)?": "predict, request, call",
    r"answer(s|ed|ing)?": "prediction, output, return",
    r"judged?|judges": "score, evaluate",
    r"tells?|says?": "return, report, raise, show",
    r"texts": "docs",
    r"(one|two|three|\d+|values?|trees?|rows?|bytes|weight) an? "
    r"(row|tree|class|split|member|column|node|block|round|fold|score|thread|task|leaf)": "per",
}
RIGHT = re.compile(
    r"in place|last place|takes? place|decimal places?|placeholder"
    r"|by.chance|(at|than) chance|chance (level|agreement)"
    r"|shares? (a|an|the|one|their|its|this|it|them|no|what|columns|bins|memory|code|nothing)\b"
    r"|(threads|uses|nodes)_share_|shares?_(bins|labels)|make_shared|sharex|sharey"
    r"|get_texts|\.texts|^texts$|^ *texts :|that is to say",  # Matplotlib's, and columns of text
    re.I,
)


def pieces(path: Path) -> Iterator[tuple[int, str, bool]]:
    """Yield (line, text, whether it is an identifier) for the words of a file."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".py":
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type == tokenize.NAME:
                yield token.start[0], token.string, True
            elif token.type in (tokenize.STRING, tokenize.COMMENT):
                for number, line in enumerate(token.string.splitlines()):
                    yield token.start[0] + number, line, False
    elif path.suffix in {".hpp", ".cpp"}:
        for number, line in enumerate(text.splitlines(), 1):
            for found in re.finditer(r'//.*|"(?:\\.|[^"\\])*"|[A-Za-z_]\w*', line):
                yield number, found[0], found[0][0] not in '/"'
    else:
        for number, line in enumerate(text.splitlines(), 1):
            yield number, line, False


def private_names(name: str) -> Iterator[str]:
    """Yield what to write instead of each private word in an identifier."""
    if RIGHT.search(name) or RIGHT.search(name.replace("_", " ")):
        return
    yield from (instead for pattern, instead in NAME_PATTERNS.items() if re.search(pattern, name))
    words = re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+", name)
    yield from (NAME_WORDS[word.lower()] for word in words if word.lower() in NAME_WORDS)


def private_prose(text: str) -> Iterator[str]:
    """Yield what to write instead of each private word in prose."""
    text = RIGHT.sub(" ", text)
    for pattern, instead in PROSE.items():
        if re.search(rf"(?<![\w.-])(?:{pattern})(?![\w-])", text, re.I):
            yield instead


def files() -> Iterator[Path]:
    """Yield all files that are checked."""
    yield from (ROOT / page for page in PAGES)
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*")):
            name = path.relative_to(ROOT).as_posix()
            if path.suffix in SUFFIXES and not name.startswith(LEFT_OUT):
                yield path


def main() -> int:
    """Print every private word with its line, and return the exit status."""
    n_found = 0
    for path in files():
        for line, text, is_name in pieces(path):
            for instead in (private_names if is_name else private_prose)(text):
                n_found += 1
                print(f"{path.relative_to(ROOT)}:{line}: write {instead}: {text.strip()[:100]}")
    if n_found:
        print(f"{n_found} private words; the vocabulary is in docs/glossary.rst.")
    return int(n_found > 0)


if __name__ == "__main__":
    sys.exit(main())
