"""Tables for notebooks, in the look of reports: thin lines, and the colours of the text around.

All style is in the elements: a notebook has no style sheet of ours, and its own aligns headings
to the right and shades every second row.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from nonet._base.pictures.labels import clean

_FONT = "font:13px system-ui,sans-serif;font-variant-numeric:tabular-nums"
_TABLE = f"border-collapse:collapse;margin:0 0 .9em;color:inherit;{_FONT}"
_CAPTION = "caption-side:top;text-align:left;font-weight:600;color:inherit;padding:0 0 .4em"
_ROW = "background:none"
_LINE = "padding:.25em 1em .25em 0;border:0;border-bottom:1px solid rgba(128,128,128,.4)"
_CELL = f"{_LINE};vertical-align:top;text-align:"


def facts_table(title: str, facts: Iterable[tuple[str, str]]) -> str:
    """Return names and values, one pair per row.

    Parameters
    ----------
    title : str
    facts : iterable of (str, str)

    Returns
    -------
    html : str

    Examples
    --------
    >>> html = facts_table("Interval", [("low", "2.5"), ("high", "8")])
    >>> html.count("<tr"), "2.5</td>" in html
    (2, True)
    """
    rows = (
        _row(_cell(name, "left", "th", opacity=0.75, scope="row") + _cell(value, "left"))
        for name, value in facts
    )
    return _table(title, "".join(rows))


def rows_table(title: str, names: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table with named columns; columns of numbers are aligned to the right.

    Parameters
    ----------
    title : str
    names : sequence of str
    rows : iterable of sequence of str

    Returns
    -------
    html : str

    Examples
    --------
    >>> html = rows_table("Scores", ["name", "score"], [["forest", "0.9"], ["tree", "0.8"]])
    >>> html.count("<tr"), html.count("text-align:right")
    (3, 3)
    """
    cells = [list(row) for row in rows]
    sides = [_side([row[j] for row in cells]) for j in range(len(names))]
    head = "".join(
        _cell(name, side, "th", opacity=0.75, scope="col")
        for name, side in zip(names, sides, strict=True)
    )
    body = (
        _row("".join(_cell(cell, side) for cell, side in zip(row, sides, strict=True)))
        for row in cells
    )
    return _table(title, f"<thead>{_row(head)}</thead><tbody>{''.join(body)}</tbody>")


def _table(title: str, rows: str) -> str:
    caption = f'<caption style="{_CAPTION}">{escape(clean(title))}</caption>'
    return f'<table style="{_TABLE}">{caption}{rows}</table>'


def _row(cells: str) -> str:
    return f'<tr style="{_ROW}">{cells}</tr>'


def _cell(text: str, side: str, tag: str = "td", opacity: float = 1, scope: str = "") -> str:
    style = f"{_CELL}{side}" + (f";font-weight:400;opacity:{opacity}" if tag == "th" else "")
    attributes = f' scope="{scope}"' if scope else ""
    return f'<{tag}{attributes} style="{style}">{escape(clean(text))}</{tag}>'


def _side(cells: Sequence[str]) -> str:
    return "right" if cells and all(_is_number(cell) for cell in cells) else "left"


def _is_number(cell: str) -> bool:
    try:
        float(cell.replace(",", ""))
    except ValueError:
        return cell == "-"
    return True
