"""The diagram of an ensemble: its members, the combination rule F and the decision rule C.

The diagram is inline SVG made from a plain dictionary (``why.parts`` of the facts of a report).
It takes its colours from the text around it, so that it looks right on a page, and in a notebook
that is light or dark.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from html import escape
from math import isfinite
from typing import Any

from nonet._base.pictures.labels import clean, fit_width, text_width
from nonet._base.pictures.number_format import format_fraction, format_number
from nonet._base.pictures.svg import element, label, line, picture

_WIDTH = 360.0
_MEMBER_WIDTH, _GAP = 170.0, 6.0
_ONE_LINE, _TWO_LINES = 28.0, 40.0  # heights of a member: its name, or its name and its class
_RULE_LEFT, _RULE_WIDTH = 212.0, 147.5
_HEAD, _ARROW = 22.0, 26.0  # heights of the heading, and of the arrow from F to C
_LETTER, _SMALL_LETTER = 11.5, 10.0
# A parameter and its value; the last part of the name of a class.
_PART = re.compile(r"(?<==)|(?<=[a-z])(?=[A-Z][a-z]*\W*$)")
_HEADING = 82.0  # where the class of all members begins
_MOST_RULE_LINES = 6
_MOST_MEMBERS = 12
_MOST_ALIKE_MEMBERS = 5  # Trees of a forest: more of them would show nothing new.
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
    common = _common_kind(members)
    tall = _ONE_LINE if common is not None else _TWO_LINES
    combine, decide = _wrap(parts["combine"]), _wrap(parts["decide"])
    heights = _heights(len(lines), tall), _rule_height(combine) + _ARROW + _rule_height(decide)
    first, top = (_HEAD + (max(heights) - height) / 2 for height in heights)
    drawn = [
        *_heading(common or "", first - 9),
        *_members(lines, first, top + _rule_height(combine) / 2, tall),
        *_rules(combine, decide, top),
    ]
    height = _HEAD + max(heights) + 4
    words = {"title": "Members, F and C", "description": describe(parts)}
    return picture(_WIDTH, height, drawn, key=key, **words)


def diagram_html(parts: Mapping[str, Any], *, title: str, key: str = "ensemble-diagram") -> str:
    """Return the diagram for a notebook, with the name of the ensemble above it.

    Examples
    --------
    >>> members = [{"name": "forest", "kind": "RandomForestClassifier", "weight": None}]
    >>> parts = {"members": members, "n_members": 1, "combine": "mean", "decide": "argmax"}
    >>> "<b>VotingClassifier</b>" in diagram_html(parts, title="VotingClassifier")
    True
    """
    formula = "a(x) = C(F(b<sub>1</sub>(x), …, b<sub>k</sub>(x)))"
    head = f"<p style='margin:0 0 .5em'><b>{escape(clean(title))}</b>: {formula}</p>"
    return f"<div style='max-width:480px;margin:.8em 0'>{head}{draw_diagram(parts, key=key)}</div>"


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
    are_alike = len({(_weight(member), member.get("kind")) for member in members}) <= 1
    most = _MOST_ALIKE_MEMBERS if are_alike else _MOST_MEMBERS
    return members if len(members) == most + 1 else members[:most]


def _with_weight(member: Mapping[str, Any]) -> str:
    weight = _weight(member)
    short = fit_width(member["name"], 240)
    return short if weight is None else f"{short} ({format_fraction(weight)})"


def _heights(n_lines: int, tall: float) -> float:
    return n_lines * (tall + _GAP) - _GAP


def _more(n_hidden: int) -> dict[str, Any]:
    return {"name": f"and {format_number(n_hidden)} more", "kind": "", "weight": None}


def _common_kind(members: Sequence[Mapping[str, Any]]) -> str | None:
    """Return the class of all members for the heading; '' if names hold it, None if it needs lines.

    It needs a line of each member where classes differ, and where the heading has no room.
    """
    unnamed = {"" if _is_named(member) else clean(member["kind"]) for member in members}
    common = min(unnamed, default="")
    fits = text_width(common, _SMALL_LETTER) <= _RULE_LEFT - _HEADING - 24
    return common if len(unnamed) <= 1 and (fits or not common) else None


def _is_named(member: Mapping[str, Any]) -> bool:
    """Return whether the name of a member holds its class, or it has none."""
    return str(member.get("kind") or "").lower() in str(member["name"]).lower()


def _heading(kind: str, y: float) -> list[str]:
    """Return the words above the members, with their class where it is the same for all."""
    words = label(0.0, y, "members b" + ":" * bool(kind), style=_text(weight=600))
    named = label(_HEADING, y, kind, style=_text(size=_SMALL_LETTER))
    return [words, named] if kind else [words]


def _members(
    lines: Sequence[Mapping[str, Any]], first: float, middle: float, tall: float
) -> list[str]:
    heaviest = max((_weight(member) or 0.0 for member in lines), default=0.0) or 1.0
    drawn = []
    for i, member in enumerate(lines):
        y = first + i * (tall + _GAP)
        drawn.append(_thread(y + tall / 2, middle, _weight(member), heaviest))
        drawn.append(_member(member, y, tall, heaviest))
    return drawn


def _member(member: Mapping[str, Any], y: float, tall: float, heaviest: float) -> str:
    weight = _weight(member)
    number = "" if weight is None else format_fraction(weight)
    bar = _MEMBER_WIDTH * max(weight or 0.0, 0.0) / heaviest
    box = {"x": 0.5, "y": y, "height": tall, "rx": 4}
    kind = clean(member.get("kind") or "")
    return element(
        "g",
        element("title", escape(f"{clean(member['name'])}{kind and f': {kind}'}")),
        element("rect", **box, width=bar, style=f"fill:{_BLUE};fill-opacity:.22"),
        element("rect", **box, width=_MEMBER_WIDTH, style=_OUTLINE),
        *_member_text(member, y, tall, text_width(number, _LETTER)),
        label(_MEMBER_WIDTH - 6, y + tall / 2 + 4, number, style=_text(anchor="end")),
    )


def _member_text(member: Mapping[str, Any], y: float, tall: float, taken: float) -> list[str]:
    """Return the name of a member, and below it its class if there are two lines."""
    room = _MEMBER_WIDTH - 18 - taken
    name = _fit_name(member["name"], room)
    if tall == _ONE_LINE or not member.get("kind"):
        return [label(8.0, y + tall / 2 + 4, name, style=_text())]
    kind = fit_width(member["kind"], room, _SMALL_LETTER)
    small = _text(size=_SMALL_LETTER)
    return [label(8.0, y + 17, name, style=_text()), label(8.0, y + 32, kind, style=small)]


def _fit_name(name: Any, room: float) -> str:
    """Return a name that fits; a number at its end, by which members differ, is kept."""
    stem, bracket, number = clean(name).rpartition("[")
    if not (stem and number.rstrip("]").isdecimal()):
        return fit_width(name, room, _LETTER)
    end = bracket + number
    return fit_width(stem, room - text_width(end, _LETTER), _LETTER) + end


def _thread(y: float, middle: float, weight: float | None, heaviest: float) -> str:
    wide = 1.2 if weight is None else 0.6 + 3.4 * max(weight, 0.0) / heaviest
    start, end = _MEMBER_WIDTH + 1, _RULE_LEFT
    bend = (start + end) / 2
    return element(
        "path",
        d=f"M{start:.1f} {y:.1f}C{bend:.1f} {y:.1f} {bend:.1f} {middle:.1f} {end:.1f} {middle:.1f}",
        style=f"fill:none;stroke:{_BLUE};stroke-opacity:.75;stroke-width:{wide:.1f}",
    )


def _rules(combine: Sequence[str], decide: Sequence[str], top: float) -> list[str]:
    """Return F, and below it C."""
    end = top + _rule_height(combine)
    return [
        *_rule("F", "combine", combine, top),
        _arrow(_RULE_LEFT + _RULE_WIDTH / 2, end, _ARROW),
        *_rule("C", "decide", decide, end + _ARROW),
    ]


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
    """Return a rule in a few lines that fit into its box."""
    room = _RULE_WIDTH - 20
    lines: list[str] = []
    for word in _words(clean(text), room):
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and text_width(longer, _LETTER) <= room:
            lines[-1] = longer
        else:
            lines.append(fit_width(word, room, _LETTER))
    if len(lines) <= _MOST_RULE_LINES:
        return lines
    last = fit_width(f"{lines[_MOST_RULE_LINES - 1]} {lines[_MOST_RULE_LINES]}", room, _LETTER)
    return [*lines[: _MOST_RULE_LINES - 1], last]


def _words(text: str, room: float) -> list[str]:
    """Return the words of a text; one that is too long is split, if it has parts."""
    parts = [
        [w] if text_width(w, _LETTER) <= room else _PART.sub(" ", w).split() for w in text.split()
    ]
    return [part for of_word in parts for part in of_word]


def _weight(member: Mapping[str, Any]) -> float | None:
    weight = member.get("weight")
    return float(weight) if weight is not None and isfinite(weight) else None


def _text(weight: int = 400, anchor: str = "start", size: float = _LETTER) -> str:
    return f"fill:currentColor;font:{weight} {size}px system-ui,sans-serif;text-anchor:{anchor}"


_OUTLINE = "fill:none;stroke:currentColor;stroke-opacity:.45"
