"""The diagram of an ensemble: its members, the combination rule F and the decision rule C.

The diagram is inline SVG made from a plain dictionary (``why.parts`` of the facts of a report).
It takes its colours from the text around it, so that it looks right on a page, and in a notebook
that is light or dark.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from math import isfinite
from typing import Any

from nonet._base.pictures.labels import clean, fit_width, text_width
from nonet._base.pictures.number_format import format_fraction, format_number
from nonet._base.pictures.svg import element, label, line, picture

_WIDTH = 360.0
_MEMBER_WIDTH, _MEMBER_HEIGHT, _GAP = 170.0, 28.0, 6.0
_RULE_LEFT, _RULE_WIDTH = 212.0, 147.5
_LETTER = 11.5
_MOST_MEMBERS = 12
_MOST_EQUAL_MEMBERS = 5  # Trees of a forest: more of them would show nothing new.
_BLUE = "var(--tone-0, #2f7fc2)"


def draw_diagram(parts: Mapping[str, Any], *, key: str = "ensemble-diagram") -> str:
    """Return the diagram of an ensemble as inline SVG.

    Parameters
    ----------
    parts : dict
        ``members``: a list of dictionaries with ``name``, ``kind`` and ``weight`` (a fraction, or
        None); ``n_members``: how many there are in all; ``combine`` and ``decide``: F and C in
        words.
    key : str, default='ensemble-diagram'
        What the ids in the SVG begin with; two diagrams on one page need two keys.

    Returns
    -------
    svg : str

    Examples
    --------
    >>> members = [{"name": "forest", "kind": "RandomForestClassifier", "weight": 1.0}]
    >>> parts = {"members": members, "n_members": 1, "combine": "mean", "decide": "argmax"}
    >>> draw_diagram(parts)[:22]
    '<svg class="picture" v'
    """
    members = _shown(parts)
    n_hidden = max(int(parts.get("n_members") or 0), len(parts["members"])) - len(members)
    lines = [*members, *([_more(n_hidden)] if n_hidden else [])]
    combine, decide = _wrap(parts["combine"]), _wrap(parts["decide"])
    rules_height = _rule_height(combine) + 26 + _rule_height(decide)
    height = max(len(lines) * (_MEMBER_HEIGHT + _GAP) - _GAP, rules_height) + 26
    top = 22 + max(height - 26 - rules_height, 0) / 2
    middle = top + _rule_height(combine) / 2
    first = 22 + max(height - 26 - len(lines) * (_MEMBER_HEIGHT + _GAP) + _GAP, 0) / 2
    drawn = [
        label(0.0, first - 9, "members b", style=_text(weight=600)),
        *_members(lines, first, middle),
        *_rule("F", "combine", combine, top),
        _arrow(_RULE_LEFT + _RULE_WIDTH / 2, top + _rule_height(combine), 26.0),
        *_rule("C", "decide", decide, top + _rule_height(combine) + 26),
    ]
    return picture(
        _WIDTH, height, drawn, key=key, title="Members, F and C", description=describe(parts)
    )


def diagram_html(parts: Mapping[str, Any], *, title: str, key: str = "ensemble-diagram") -> str:
    """Return the diagram for a notebook, with the name of the ensemble above it.

    Examples
    --------
    >>> members = [{"name": "forest", "kind": "RandomForestClassifier", "weight": None}]
    >>> parts = {"members": members, "n_members": 1, "combine": "mean", "decide": "argmax"}
    >>> "<b>VotingClassifier</b>" in diagram_html(parts, title="VotingClassifier")
    True
    """
    formula = "a(x) = C( F( b<sub>1</sub>(x), …, b<sub>k</sub>(x) ) )"
    head = f"<p style='margin:0 0 .5em'><b>{escape(clean(title))}</b>: {formula}</p>"
    return f"<div style='max-width:480px'>{head}{draw_diagram(parts, key=key)}</div>"


def describe(parts: Mapping[str, Any]) -> str:
    """Return the diagram in words.

    Examples
    --------
    >>> members = [{"name": "forest", "kind": "RandomForestClassifier", "weight": 0.25}]
    >>> describe({"members": members, "n_members": 1, "combine": "mean", "decide": "argmax"})
    '1 member: forest (25 %). F: mean. C: argmax.'
    """
    members = _shown(parts)
    n_members = max(int(parts.get("n_members") or 0), len(parts["members"]))
    names = ", ".join(_with_weight(member) for member in members)
    rest = f" and {n_members - len(members):,} more" if n_members > len(members) else ""
    count = f"{n_members:,} member{'s' if n_members != 1 else ''}"
    rules = f"F: {clean(parts['combine'])}. C: {clean(parts['decide'])}."
    return f"{count}: {names}{rest}. {rules}"


def _shown(parts: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    members = list(parts["members"])
    are_equal = len({_weight(member) for member in members}) <= 1
    most = _MOST_EQUAL_MEMBERS if are_equal else _MOST_MEMBERS
    return members if len(members) == most + 1 else members[:most]


def _with_weight(member: Mapping[str, Any]) -> str:
    weight = _weight(member)
    short = fit_width(member["name"], 240)
    return short if weight is None else f"{short} ({format_fraction(weight)})"


def _more(n_hidden: int) -> dict[str, Any]:
    return {"name": f"and {format_number(n_hidden)} more", "kind": "", "weight": None}


def _members(lines: Sequence[Mapping[str, Any]], first: float, middle: float) -> list[str]:
    heaviest = max((_weight(member) or 0.0 for member in lines), default=0.0) or 1.0
    drawn = []
    for i, member in enumerate(lines):
        y = first + i * (_MEMBER_HEIGHT + _GAP)
        drawn.append(_thread(y + _MEMBER_HEIGHT / 2, middle, _weight(member), heaviest))
        drawn.append(_member(member, y, heaviest))
    return drawn


def _member(member: Mapping[str, Any], y: float, heaviest: float) -> str:
    weight = _weight(member)
    number = "" if weight is None else format_fraction(weight)
    room = _MEMBER_WIDTH - 18 - text_width(number, _LETTER)
    kind = f": {clean(member['kind'])}" if member.get("kind") else ""
    bar = _MEMBER_WIDTH * max(weight or 0.0, 0.0) / heaviest
    box = {"x": 0.5, "y": y, "height": _MEMBER_HEIGHT, "rx": 4}
    parts = [
        element("title", escape(f"{clean(member['name'])}{kind}")),
        element("rect", **box, width=bar, style=f"fill:{_BLUE};fill-opacity:.22"),
        element("rect", **box, width=_MEMBER_WIDTH, style=_OUTLINE),
        label(8.0, y + 18, fit_width(member["name"], room, _LETTER), style=_text()),
        label(_MEMBER_WIDTH - 6, y + 18, number, style=_text(anchor="end")),
    ]
    return element("g", *parts)


def _thread(y: float, middle: float, weight: float | None, heaviest: float) -> str:
    wide = 1.2 if weight is None else 0.6 + 3.4 * max(weight, 0.0) / heaviest
    start, end = _MEMBER_WIDTH + 1, _RULE_LEFT
    bend = (start + end) / 2
    return element(
        "path",
        d=f"M{start:.1f} {y:.1f}C{bend:.1f} {y:.1f} {bend:.1f} {middle:.1f} {end:.1f} {middle:.1f}",
        style=f"fill:none;stroke:{_BLUE};stroke-opacity:.75;stroke-width:{wide:.1f}",
    )


def _rule(letter: str, word: str, lines: Sequence[str], y: float) -> list[str]:
    height = _rule_height(lines)
    box = element("rect", x=_RULE_LEFT, y=y, width=_RULE_WIDTH, height=height, rx=6, style=_OUTLINE)
    head = label(_RULE_LEFT + 10, y + 18, f"{letter}: {word}", style=_text(weight=600))
    body = [
        label(_RULE_LEFT + 10, y + 35 + 15 * i, text, style=_text()) for i, text in enumerate(lines)
    ]
    return [box, head, *body]


def _rule_height(lines: Sequence[str]) -> float:
    return 28.0 + 15.0 * len(lines)


def _arrow(x: float, y: float, length: float) -> str:
    tip = y + length - 1
    head = f"M{x - 4:.1f} {tip - 6:.1f}L{x:.1f} {tip:.1f}L{x + 4:.1f} {tip - 6:.1f}"
    style = f"fill:none;stroke:{_BLUE};stroke-width:2"
    shaft = line(x, y, x, tip, "").replace(' class=""', f' style="{style}"')
    return shaft + element("path", d=head, style=style)


def _wrap(text: Any) -> list[str]:
    """Return a rule in at most four lines that fit into its box."""
    lines: list[str] = []
    for word in clean(text).split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and text_width(longer, _LETTER) <= _RULE_WIDTH - 20:
            lines[-1] = longer
        else:
            lines.append(fit_width(word, _RULE_WIDTH - 20, _LETTER))
    return lines if len(lines) <= 4 else [*lines[:3], f"{lines[3]} …"]


def _weight(member: Mapping[str, Any]) -> float | None:
    weight = member.get("weight")
    return float(weight) if weight is not None and isfinite(weight) else None


def _text(weight: int = 400, anchor: str = "start") -> str:
    return f"fill:currentColor;font:{weight} {_LETTER}px system-ui,sans-serif;text-anchor:{anchor}"


_OUTLINE = "fill:none;stroke:currentColor;stroke-opacity:.45"
