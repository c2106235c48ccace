"""Bins files: the rows of any source, binned in two passes, for fits that do not hold them."""

from __future__ import annotations

import mmap
import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from nonet._base.aliases import Floats
from nonet._base.params import Boolean, Integer, Nothing, Rule, bad_parameter
from nonet._base.progress import Progress, Steps
from nonet._base.streams import as_random_state
from nonet._base.warn import warn_caller
from nonet._native.data import BinnedDataset
from nonet.tables.bins_estimate import BinsEstimate, announce, estimate_work
from nonet.tables.bins_header_maker import (
    ANY_NUMBERS,
    HeaderMaker,
    names_of,
    read_categories,
    read_weights,
    stored_numbers,
)
from nonet.tables.bins_writer import BinsWriter, BlockBuffer, part_of, read_part
from nonet.tables.row_sources import RowBlock, RowSource, open_source
from nonet.trees.binned_table import BinnedTable, map_table, open_bins
from nonet.trees.bins_header import ROWS_PER_BLOCK, BinsHeader
from nonet.trees.category_codes import CategoryCodes

_RULES: dict[str, Rule] = {
    "max_bins": Integer(2, 65_535),
    "min_category_rows": Integer(0),
    "random_state": Nothing() | Integer(0),
    "append": Boolean(),
    "verbose": Boolean() | Integer(0),
}


def make_bins(
    source: Any,
    path: str | os.PathLike[str],
    *,
    target: Any = None,
    weights: Any = None,
    categorical_features: Any = "from_dtype",
    max_bins: int = 255,
    min_category_rows: int = 3,
    random_state: int | None = None,
    append: bool = False,
    verbose: int = 1,
) -> BinnedTable:
    """Bin the rows of a source that need not fit into memory, into one file.

    The source is read twice: once for the edges of the bins, from the same sample of rows as a fit
    in memory, and once for the bins of all rows. Estimators take the result in place of X and keep
    a few bytes per row in memory; the model is the same, bit for bit. Before the work begins, its
    time, memory and disk are estimated and printed to stderr.

    Parameters
    ----------
    source : path, list of paths, array, frame, list, or callable
        Where the rows come from: a file (CSV, Parquet, Arrow, JSON lines, ``.npy``), a folder or a
        list of such files with the same columns; a matrix, also one that is mapped from a file; a
        frame; a list of matrices or frames; or a callable that returns a new iterator of these each
        time it is called. Items of lists and iterators may be pairs ``(X, y)`` or triples
        ``(X, y, weights)``.
    path : str or Path
        The file to make. It appears under this name when it is complete. If the work is
        interrupted, even by the system, the next call with the same files and parameters goes on
        where it ended; sources other than files cannot be recognised, and are begun anew.
    target : str, int or array-like, default=None
        The name or position of the column of targets, or the targets of all rows: numbers or
        strings.
    weights : str, int or array-like, default=None
        The same for weights of rows, which edges and fits take into account.
    categorical_features : None, 'from_dtype' or array-like, default='from_dtype'
        Columns of categories, as in the estimators. In text files, columns of which the first rows
        hold other text than numbers are categories.
    max_bins : int, default=255
        Maximum number of bins per column; estimators need the same.
    min_category_rows : int, default=3
        In columns of more than 255 categories, those of fewer rows share one code: 3 as in
        boosting; forests in memory join none, which is 0.
    random_state : int or None, default=None
        Seed of the sample of 200,000 rows from which edges are found if there are more: with a
        number, the sample of boosters with that ``random_state``; None is that of forests and of
        `share_bins`.
    append : bool, default=False
        Whether the rows are added to those of an existing file, on its edges, labels and
        categories; categories that it does not know are missing values. The file is replaced when
        the new one is complete.
    verbose : int, default=1
        0 prints nothing, 1 the estimate and some steps, 2 all steps.

    Returns
    -------
    bins : BinnedTable
        To be given as X, as ``fit(bins, None)``; ``bins.estimate`` has the numbers printed.

    See Also
    --------
    open_bins : Open a file that was made before.

    Examples
    --------
    >>> import nonet
    >>> rng = np.random.default_rng(0)
    >>> def read():
    ...     for seed in range(3):
    ...         X = np.random.default_rng(seed).normal(size=(1000, 4))
    ...         yield X, X[:, 0] + X[:, 1] > 0
    >>> bins = nonet.make_bins(read, "rows.bins", verbose=0)
    >>> model = nonet.HistGradientBoostingClassifier(random_state=0).fit(bins, None)
    >>> model.predict(np.array([[1.0, 1.0, 0.0, 0.0]]))
    array([ True])
    """
    given = {
        "max_bins": max_bins,
        "min_category_rows": min_category_rows,
        "random_state": random_state,
        "append": append,
        "verbose": verbose,
    }
    for name, rule in _RULES.items():
        if not rule.allows(given[name]):
            raise bad_parameter("make_bins", name, rule.describe(), given[name])
    path, rows = Path(path), open_source(source, target, weights)
    _check_folder(path)
    steps = Steps("make_bins", "blocks", int(verbose))
    if append:
        return _append(path, rows, steps)
    seed = 0 if random_state is None else _seed_of_boosters(random_state)
    maker = HeaderMaker(max_bins, seed, categorical_features, min_category_rows)
    marked = rows.mark is not None and not isinstance(target, np.ndarray)
    origin = _origin(rows, given, target, weights, categorical_features) if marked else {}
    estimate = estimate_work(rows)
    announce(estimate, path, steps.level)
    begun = _begun(path, origin)
    header = begun or _learn(rows, maker, origin, steps, estimate)
    _encode(path, rows, header, steps, goes_on=begun is not None)
    return _opened(path, header, estimate)


def _seed_of_boosters(random_state: int) -> int:
    rng = as_random_state(random_state)
    return int(rng.randint(np.iinfo(np.uint32).max, dtype="u8"))


def _check_folder(path: Path) -> None:
    if path.is_dir():
        raise ValueError(f"{str(path)!r} is a folder; give the path of a file in it.")
    if not path.resolve().parent.is_dir():
        raise ValueError(f"{str(path.parent)!r} is no folder; make it, or choose another path.")


# ---- Before the work -----------------------------------------------------------------------------


def _origin(
    rows: RowSource, given: dict[str, Any], target: Any, weights: Any, features: Any
) -> dict[str, Any]:
    """Return by what the same work is recognised later."""
    parameters = {name: value for name, value in given.items() if name not in ("append", "verbose")}
    columns = [None if one is None else str(one) for one in (target, weights, features)]
    return {"source": rows.mark, "parameters": parameters, "columns": columns}


def _begun(path: Path, origin: dict[str, Any]) -> BinsHeader | None:
    """Return the header of a file that was begun from the same source; warn if it was not."""
    if not part_of(path).exists():
        return None
    header = read_part(path)
    if header is not None and origin and dict(header.origin) == origin:
        return header
    warn_caller(
        f"{path.name} was begun before, but {_why_anew(header, origin)}, so that it is begun anew."
    )
    return None


def _why_anew(header: BinsHeader | None, origin: dict[str, Any]) -> str:
    if header is None:
        return "its first rows were not complete"
    if not origin:
        return "a source that is no file cannot be recognised"
    return "from another source or with other parameters"


# ---- The passes ----------------------------------------------------------------------------------


def _learn(
    rows: RowSource,
    maker: HeaderMaker,
    origin: dict[str, Any],
    steps: Steps,
    estimate: BinsEstimate,
) -> BinsHeader:
    n_blocks = -(-estimate.n_rows // ROWS_PER_BLOCK)
    with steps.track(n_blocks) as progress:
        for block in rows.read():
            maker.add(block)
            progress.reach(maker.n_rows // ROWS_PER_BLOCK, name="edges")
    return maker.finish(origin)


def _encode(
    path: Path,
    rows: RowSource,
    header: BinsHeader,
    steps: Steps,
    *,
    goes_on: bool,
    before: Path | None = None,
) -> None:
    """Write the rows that are not in the file yet, after those of a file before if there is one."""
    try:
        writer = BinsWriter(path, header, goes_on=goes_on)
    except OSError as why:
        raise _not_written(path, why) from why
    try:
        n_before = 0
        if before is not None:
            old = open_bins(before, check=False).header
            writer.copy_rows(before, old)
            n_before = old.n_rows
        with steps.track(header.n_blocks) as progress:
            _write_rows(rows, header, writer, progress, n_before)
        writer.finish()
    except OSError as why:
        raise _not_written(path, why) from why
    finally:
        writer.close()


def _write_rows(
    rows: RowSource, header: BinsHeader, writer: BinsWriter, progress: Progress, n_before: int
) -> None:
    def write(some: range, table: Floats, y: Any, weights: Any) -> None:
        writer.write_rows(some, BinnedDataset.on_edges(table, header.edges), y, weights)
        progress.reach(some.start // ROWS_PER_BLOCK + 1, name="bins")

    buffer = BlockBuffer(header.n_columns, write, writer.n_rows_done)
    n_seen = n_before
    for block in rows.read():
        first, n_seen = n_seen, n_seen + block.n_rows
        if n_seen > header.n_rows:
            break
        if n_seen > writer.n_rows_done:
            skipped = max(0, writer.n_rows_done - first)
            table, y, weights = _encode_block(header, block, first)
            buffer.add(
                table[skipped:],
                None if y is None else y[skipped:],
                None if weights is None else weights[skipped:],
            )
    if n_seen != header.n_rows:
        raise ValueError(
            f"source must give the same rows each time it is read, but gave {header.n_rows:,} at "
            f"first and {'more' if n_seen > header.n_rows else f'{n_seen:,}'} then."
        )
    buffer.flush()


def _encode_block(
    header: BinsHeader, block: RowBlock, first_row: int
) -> tuple[Floats, Floats | None, Floats | None]:
    """Return the numbers, codes, targets and weights of a block."""
    names = names_of(block.X)
    if block.X.shape[1] != header.n_columns or names != header.names:
        raise ValueError(
            f"rows from {first_row} on have the columns {names or block.X.shape[1]}, but the file "
            f"has {header.names or header.n_columns}."
        )
    for role, given, has in (
        ("targets", block.y, header.has_target),
        ("weights", block.weights, header.has_weights),
    ):
        if has and given is None:
            raise ValueError(f"rows from {first_row} on have no {role}, but the file has them.")
    codes = CategoryCodes(dict(header.known), dict(header.joined))
    read_categories(block.X, list(codes.known))
    table = codes.encode(block.X, None, **ANY_NUMBERS)
    y = stored_numbers(header, block.y, first_row, block.n_rows) if header.has_target else None
    return table, y, read_weights(block) if header.has_weights else None


def _not_written(path: Path, why: OSError) -> ValueError:
    reason = (why.strerror or type(why).__name__).lower()
    return ValueError(
        f"{str(path)!r} cannot be written: {reason}; what is there so far is in "
        f"{part_of(path).name}, and the same call goes on with it."
    )


def _opened(path: Path, header: BinsHeader, estimate: BinsEstimate) -> BinnedTable:
    with path.open("rb") as file:
        memory = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    table = map_table(path, header, memory, check=False)
    table.estimate = estimate
    return table


# ---- More rows -----------------------------------------------------------------------------------


def _append(path: Path, rows: RowSource, steps: Steps) -> BinnedTable:
    """Write a file of the old rows and the new ones in place of the old one."""
    old = open_bins(path)
    has_missing, n_new = old.header.edges.has_missing.copy(), 0
    for table in _encoded(rows, old.header):
        has_missing |= BinnedDataset.on_edges(table, old.header.edges).all_edges().has_missing
        n_new += len(table)
    edges = replace(old.header.edges, has_missing=has_missing)
    header = replace(old.header, n_rows=old.header.n_rows + n_new, edges=edges, origin={})
    _encode(path, rows, header, steps, goes_on=False, before=path)
    return open_bins(path, check=False)


def _encoded(rows: RowSource, header: BinsHeader) -> Iterator[Floats]:
    first = header.n_rows
    for block in rows.read():
        yield _encode_block(header, block, first)[0]
        first += block.n_rows
