"""Odd tables with their expected outcome: a clear sentence, or a stated repair.

They were written before the reader of files, and are used wherever tables come in: by the tests of
`nonet.tables`, of the auto-ensembler and of the command line.
"""

from __future__ import annotations

import bz2
import gzip
import lzma
from dataclasses import dataclass, field

N = 60


@dataclass(frozen=True)
class OddTable:
    """A file, and what is to come of it.

    Attributes
    ----------
    name : str
        What is odd about it.
    content : bytes
        The file.
    file_name : str
        Its name.
    target : str
        The column to predict.
    error : str or None
        A pattern of the sentence that refuses it; None if it can be used.
    repairs : tuple of str
        Patterns of sentences, each of which must be among the notes.
    kinds : dict of str to str
        Expected kinds of columns.
    names : tuple of str or None
        Expected names, the target included.
    n_rows : int
        Expected rows with a target.
    task : str
        Expected task.
    values : dict of str to list
        Expected first values of encoded columns.
    """

    name: str
    content: bytes
    file_name: str = "table.csv"
    target: str = "y"
    error: str | None = None
    repairs: tuple[str, ...] = ()
    kinds: dict[str, str] = field(default_factory=dict)
    names: tuple[str, ...] | None = None
    n_rows: int = N
    task: str = "classification"
    values: dict[str, list[float]] = field(default_factory=dict)


def lines(header: str, row: str, n_rows: int = N, end: str = "\n") -> str:
    """Return a file of equal rows in which {i} is the number of the row, and {ab} a class."""
    rows = (row.format(i=i, ab="ab"[i % 2], v=(7 * i) % 13, w=(5 * i) % 17) for i in range(n_rows))
    return end.join([header, *rows, ""])


def utf8(*parts: str) -> bytes:
    return "".join(parts).encode()


PLAIN = lines("v,w,y", "{v},{w}.5,{ab}")
NUMBERS = {"v": "number", "w": "number"}
FIRST = {"v": [0, 7, 1], "w": [0.5, 5.5, 10.5]}

ENCODINGS = [
    OddTable("plain", utf8(PLAIN), kinds=NUMBERS, values=FIRST),
    OddTable("byte order mark", b"\xef\xbb\xbf" + utf8(PLAIN), names=("v", "w", "y")),
    OddTable("UTF-16", PLAIN.encode("utf-16"), names=("v", "w", "y"), values=FIRST),
    OddTable("UTF-16, big endian", b"\xfe\xff" + PLAIN.encode("utf-16-be"), values=FIRST),
    OddTable(
        "Windows encoding",
        lines("größe,y", "{v},{ab}").encode("cp1252"),
        names=("größe", "y"),
        repairs=("not UTF-8.*cp1252",),
    ),
    OddTable(
        "mixed encodings",
        utf8(lines("city,y", "Zürich,{ab}")) + lines("Zürich,a", "Genève,{ab}").encode("cp1252"),
        repairs=("not UTF-8.*cp1252",),
        kinds={"city": "category"},
        n_rows=2 * N + 1,
    ),
    OddTable(
        "NUL bytes",
        utf8(PLAIN).replace(b"5,a\n", b"5,\x00a\n", 3),
        repairs=("NUL",),
        values=FIRST,
    ),
    OddTable("Windows line ends", utf8(lines("v,w,y", "{v},{w}.5,{ab}", end="\r\n")), values=FIRST),
    OddTable("old line ends", utf8(lines("v,w,y", "{v},{w}.5,{ab}", end="\r")), values=FIRST),
    OddTable("no line end at the end", utf8(PLAIN.rstrip("\n")), values=FIRST),
]

DELIMITERS = [
    OddTable("semicolons", utf8(lines("v;w;y", "{v};{w}.5;{ab}")), values=FIRST),
    OddTable(
        "semicolons and decimal commas",
        utf8(lines("v;w;y", "{v};{w},5;{ab}")),
        kinds=NUMBERS,
        values=FIRST,
    ),
    OddTable("tabs", utf8(lines("v\tw\ty", "{v}\t{w}.5\t{ab}")), values=FIRST),
    OddTable("tabs by name", utf8(lines("v\tw\ty", "{v}\t{w}.5\t{ab}")), "table.tsv", values=FIRST),
    OddTable("pipes", utf8(lines("v|w|y", "{v}|{w}.5|{ab}")), values=FIRST),
    OddTable("space after commas", utf8(lines("v, w, y", "{v}, {w}.5, {ab}")), values=FIRST),
    OddTable("Excel's first line", utf8("sep=;\n", lines("v;w;y", "{v};{w}.5;{ab}")), values=FIRST),
    OddTable(
        "commas in quotes",
        utf8(lines("v,w,city,y", '{v},{w}.5,"Paris, {ab}",{ab}')),
        kinds={"city": "category"},
        values=FIRST,
    ),
    OddTable(
        "quotes in quotes",
        utf8(lines("v,city,y", '{v},"the ""{ab}""",{ab}')),
        kinds={"city": "category"},
    ),
    OddTable(
        "lines in quotes",
        utf8(lines("v,w,city,y", '{v},{w}.5,"first\nsecond {ab}",{ab}')),
        kinds={"city": "category"},
        values=FIRST,
    ),
    OddTable(
        "more commas in text than delimiters",
        utf8(lines("v;city;y", "{v};a, b, c, {ab};{ab}")),
        names=("v", "city", "y"),
    ),
]

ROWS = [
    OddTable("empty file", b"", error="is empty"),
    OddTable("white space only", b" \n\n  \n", error="is empty"),
    OddTable("header only", b"v,w,y\n", error="header.*no rows"),
    OddTable("header without line end", b"v,w,y", error="header.*no rows"),
    OddTable("one row", b"v,w,y\n1,2,a\n", error="one class only"),
    OddTable(
        "empty lines", utf8(PLAIN.replace("\n", "\n\n")), values=FIRST, repairs=("empty lines",)
    ),
    OddTable(
        "short rows",
        utf8(PLAIN, "3\n", "4,1\n"),
        repairs=("2 rows.*fewer values",),
        values=FIRST,
    ),
    OddTable(
        "long rows",
        utf8(PLAIN, "3,1,a,99,100\n"),
        repairs=("1 row.*more values.*left out",),
        values=FIRST,
    ),
    OddTable("mostly long rows", utf8(PLAIN, "3,1,a,9\n" * N), error="more values than the header"),
    OddTable(
        "delimiters at the ends of rows",
        utf8(lines("v,w,y", "{v},{w}.5,{ab},")),
        names=("v", "w", "y"),
        values=FIRST,
    ),
    OddTable(
        "row names without a name",
        utf8(lines("v,w,y", "r{i},{v},{w}.5,{ab}")),
        names=("column_1", "v", "w", "y"),
        repairs=("header has no name for the first column",),
        values=FIRST,
    ),
    OddTable(
        "no header",
        utf8(lines("0.5,0,a", "{v}.5,{w},{ab}")),
        names=("0.5", "0", "a"),
        target="a",
    ),
    OddTable(
        "no header, numbers only",
        utf8(lines("0.5,0,1", "{v}.5,{w},{i}.25")),
        names=("x0", "x1", "x2"),
        repairs=("first line holds numbers",),
        target="x2",
        task="regression",
        n_rows=N + 1,
    ),
]

NAMES = [
    OddTable(
        "names that stand twice",
        utf8(lines("v,v,y", "{v},{w}.5,{ab}")),
        names=("v", "v_2", "y"),
        repairs=("'v' stood twice",),
    ),
    OddTable(
        "names that are missing",
        utf8(lines("v,,y", "{v},{w}.5,{ab}")),
        names=("v", "column_2", "y"),
        repairs=("had no name",),
    ),
    OddTable("names with space", utf8(lines(" v ,w w,y", "{v},{w},{ab}")), names=("v", "w w", "y")),
    OddTable("target that is not there", utf8(PLAIN), target="Y2", error="no column 'Y2'"),
    OddTable("target misspelt", utf8(lines("v,price", "{v},{w}")), target="prise", error="'price'"),
    OddTable("target in other case", utf8(PLAIN), target="Y"),
    OddTable("one column", utf8(lines("y", "{ab}")), error="no column beside the target"),
    OddTable("one column of numbers", utf8(lines("y", "{v}.5")), error="no column beside"),
]

TARGETS = [
    OddTable("target missing in all rows", utf8(lines("v,y", "{v},")), error="missing in all rows"),
    OddTable(
        "target missing in some rows",
        utf8(PLAIN, "3,1.5,\n4,1.5,NA\n"),
        repairs=("missing in 2 rows",),
        values=FIRST,
    ),
    OddTable("constant target", utf8(lines("v,y", "{v},a")), error="one class only"),
    OddTable("constant number", utf8(lines("v,y", "{v},3.5")), error="3.5 in all rows"),
    OddTable("infinite target", utf8(lines("v,y", "{v},{w}.25"), "3,inf\n"), error="infinite"),
    OddTable(
        "target of dates",
        utf8(lines("v,y", "{v},2024-01-1{ab}").replace("1a", "11").replace("1b", "12")),
        error="dates",
    ),
    OddTable("a class per row", utf8(lines("v,y", "{v},name {i}")), error="a class of its own"),
    OddTable("regression", utf8(lines("v,y", "{v},{w}.25")), task="regression"),
    OddTable("integers as classes", utf8(lines("w,y", "{w},{v}").replace(",12", ",1"))),
    OddTable("counts", utf8(lines("w,y", "{w},{i}")), task="regression"),
    OddTable("rare class", utf8(PLAIN, "3,1.5,rare\n"), repairs=("'rare'.*1 row",), n_rows=N + 1),
]

COLUMNS = [
    OddTable(
        "all missing",
        utf8(lines("v,w,y", "{v},,{ab}")),
        kinds={"w": "empty"},
    ),
    OddTable(
        "all NaN in all columns", utf8(lines("v,w,y", "NaN,NaN,{ab}")), error="nothing|anything"
    ),
    OddTable("constant column", utf8(lines("v,w,y", "{v},5,{ab}")), kinds={"w": "constant"}),
    OddTable("equal columns", utf8(lines("v,w,y", "{v},{v},{ab}")), kinds={"w": "duplicate"}),
    OddTable("counter", utf8(lines("n,v,y", "{i},{v},{ab}")), kinds={"n": "identifier"}),
    OddTable("codes", utf8(lines("n,v,y", "C-{i:05},{v},{ab}")), kinds={"n": "identifier"}),
    OddTable(
        "codes for missing",
        utf8(lines("v,w,y", "{v},{w}.5,{ab}"), "NA,?,a\nn/a,-,b\n,null,a\n"),
        kinds=NUMBERS,
        values=FIRST,
        n_rows=N + 3,
    ),
    OddTable(
        "numbers as text",
        utf8(lines("v,w,y", '"{v},000.5",${w}.50,{ab}').replace('"0,000', '"0')),
        kinds=NUMBERS,
    ),
    OddTable("percent", utf8(lines("v,w,y", "{v}%,{w} %,{ab}")), kinds=NUMBERS),
    OddTable(
        "dates in three formats",
        utf8(
            lines("a,b,c,y", "2024-01-{v:02},{w}.01.2024,01/{v}/2024,{ab}")
            .replace("-00", "-28")
            .replace(",0.", ",28.")
            .replace("/0/", "/28/")
        ),
        kinds={"a": "date", "b": "date", "c": "date"},
    ),
    OddTable(
        "dates in one column in three formats",
        utf8(
            lines("v,day,y", "{v},2024-01-31,{ab}", N // 2),
            "1,30.01.2024,a\n" * (N // 4),
            '2,"Jan 29, 2024",b\n' * (N // 4),
        ),
        kinds={"day": "date"},
    ),
    OddTable(
        "dates in which day and month are open",
        utf8(
            lines("v,day,y", "{v},0{v}/02/2024,{ab}")
            .replace("010/", "10/")
            .replace("011/", "11/")
            .replace("012/", "12/")
            .replace("00/", "03/"),
            "1,03/04/2024,a\n",
        ),
        kinds={"day": "category"},
        n_rows=N + 1,
    ),
    OddTable(
        "yes and no",
        utf8(lines("v,w,y", "{v},{ab},{ab}").replace(",a,", ",yes,").replace(",b,", ",No,")),
        kinds={"w": "boolean"},
    ),
    OddTable(
        "postal codes",
        utf8(lines("v,zip,y", "{v},0{v}115,{ab}")),
        kinds={"zip": "category"},
    ),
    OddTable(
        "100,000 categories",
        utf8(lines("city,y", "city number {i} x{v},{ab}", 100_000)),
        n_rows=100_000,
        kinds={"city": "text"},
    ),
    OddTable(
        "20,000 categories of several rows",
        utf8(
            lines("city,y", "c{v}{ab},{ab}", 10),
            *(f"k{i % 20_000},{'ab'[i % 2]}\n" for i in range(60_000)),
        ),
        n_rows=60_010,
        kinds={"city": "category"},
    ),
    OddTable(
        "short text",
        utf8(lines("v,story,y", "{v},a house of {i} rooms,{ab}")),
        kinds={"story": "text"},
    ),
    OddTable(
        "numbers with a word",
        utf8(PLAIN, "huh,1.5,a\n"),
        kinds=NUMBERS,
        n_rows=N + 1,
        values=FIRST,
    ),
    OddTable(
        "huge numbers", utf8(PLAIN, "1e999,1,a\n"), n_rows=N + 1, repairs=("infinite|no numbers",)
    ),
    OddTable(
        "wide",
        utf8(
            ",".join(f"x{j}" for j in range(2000)),
            ",y\n",
            *(
                ",".join(str((i * j) % 7) for j in range(2000)) + f",{'ab'[i % 2]}\n"
                for i in range(20)
            ),
        ),
        n_rows=20,
    ),
]

FILES = [
    OddTable("gzip", gzip.compress(utf8(PLAIN), mtime=0), "table.csv.gz", values=FIRST),
    OddTable("bzip2", bz2.compress(utf8(PLAIN)), "table.csv.bz2", values=FIRST),
    OddTable("xz", lzma.compress(utf8(PLAIN)), "table.csv.xz", values=FIRST),
    OddTable("damaged gzip", gzip.compress(utf8(PLAIN))[:40], "table.csv.gz", error="damaged"),
    OddTable("no gzip at all", utf8(PLAIN), "table.csv.gz", error="damaged"),
    OddTable("no Parquet at all", utf8(PLAIN), "table.parquet", error="Parquet"),
    OddTable("no Arrow at all", utf8(PLAIN), "table.arrow", error="Arrow"),
    OddTable(
        "a picture",
        b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 4,
        "table.csv",
        error="not a text file",
    ),
    OddTable("unknown ending", utf8(PLAIN), "table.data", values=FIRST),
    OddTable("Excel", b"PK\x03\x04" + bytes(100), "table.xlsx", error="save it as CSV"),
    OddTable(
        "JSON lines",
        utf8(*(f'{{"v": {i % 5}, "y": "{"ab"[i % 2]}"}}\n' for i in range(N))),
        "table.jsonl",
        kinds={"v": "number"},
    ),
    OddTable("broken JSON lines", b'{"v": 1}\n{"v": \n', "table.jsonl", error="line 2"),
    OddTable("JSON lines that are no objects", b"[1, 2]\n", "table.jsonl", error="line 1"),
]

ODD_TABLES = [*ENCODINGS, *DELIMITERS, *ROWS, *NAMES, *TARGETS, *COLUMNS, *FILES]
