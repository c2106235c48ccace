"""The page of a report: facts in, one HTML file out.

The file holds all that it shows: styles and pictures are inline, there is no script, and nothing
is loaded. Templates escape whatever comes from the facts.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from nonet._base.pictures.labels import clip_strings

LARGEST_PAGE = 2_000_000
# A name is on the page several times, in full as a tooltip. If very long names make the page
# too large, they are shortened before it is written again.
_LONGEST_STRINGS = (10_000, 1_000, 200)


def render_page(facts: Mapping[str, Any]) -> str:
    """Return the page of a report as one HTML file.

    Parameters
    ----------
    facts : dict
        The facts of a report, as ``Report.facts`` holds them; ``report/README.md`` describes
        them. A section that is missing is replaced with a sentence.

    Returns
    -------
    html : str
        A page of at most 2 MB that needs no script and no other file.

    Examples
    --------
    >>> page = render_page({"format": 1, "title": "Churn", "task": "classification"})
    >>> page.startswith("<!doctype html>"), "<script" in page
    (True, False)
    """
    template = _load_template()
    page = ""
    for longest in _LONGEST_STRINGS:
        page = str(template.render(facts=clip_strings(facts, longest)))
        if len(page.encode()) <= LARGEST_PAGE:
            return page
    raise ValueError(
        f"facts must fit on a page of {LARGEST_PAGE:,} bytes, but got facts that make "
        f"{len(page.encode()):,} bytes; shorten the lists in them as make_report does."
    )


def _load_template() -> Any:
    try:
        from nonet.report.page_template import load_template
    except ModuleNotFoundError as missing:
        if missing.name not in ("jinja2", "markupsafe"):
            raise
        raise ImportError(
            "the page of a report needs jinja2, which is not installed; "
            "run `pip install nonet[app]`."
        ) from missing
    return load_template()
