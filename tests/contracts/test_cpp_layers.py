"""Includes of the C++ core point down, as imports of the package do."""

from __future__ import annotations

import re
from pathlib import Path

CPP = Path(__file__).parents[2] / "cpp"
# Rooms of one line do not include each other; the tests may include all.
LAYERS = [
    ["bindings"],
    ["cuda"],
    ["grow"],
    ["grow/search"],
    ["grow/criteria", "grow/sampling"],
    ["grow/histogram", "grow/node"],
    ["grow/task"],
    ["tree/bytes"],
    ["tree/explain", "tree/predict"],
    ["loss", "resample", "tree"],
    ["data", "vote"],
    ["base"],
]
RANKS = {room: rank for rank, rooms in enumerate(LAYERS) for room in rooms}


def room_of(path: Path) -> str:
    return path.parent.relative_to(CPP).as_posix()


def included_rooms(text: str) -> set[str]:
    return set(re.findall(r'#include "([\w/]+)/\w+\.hpp"', text))


def goes_up(room: str, included: str) -> bool:
    return included != room and RANKS[included] <= RANKS[room]


def test_every_room_has_a_layer():
    assert {room_of(path) for path in CPP.rglob("*.?pp")} - {"tests"} == set(RANKS)


def test_includes_point_down():
    files = [path for path in CPP.rglob("*.?pp") if room_of(path) != "tests"]
    assert [
        f"{path.relative_to(CPP)} includes {included}"
        for path in files
        for included in included_rooms(path.read_text())
        if goes_up(room_of(path), included)
    ] == []


def test_an_include_that_points_up_is_seen():
    assert included_rooms('#include "grow/search/split.hpp"\n') == {"grow/search"}
    assert goes_up("grow/node", "grow/search")
    assert goes_up("grow/node", "grow/histogram")
    assert not goes_up("grow/search", "grow/node")
