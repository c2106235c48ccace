"""The frame of a figure: two scales, their axes, and a legend above."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from nonet._base.pictures.labels import clean, fit_width, text_width
from nonet._base.pictures.svg import LETTER, WIDTH, group, label, line, marker
from nonet.report.figures.scale import Scale

DASHES = ("", "dash-1", "dash-2", "dash-3")


@dataclass(frozen=True)
class Frame:
    """Two scales on a picture of a given height."""

    x: Scale
    y: Scale
    height: float

    def point(self, x: float, y: float) -> tuple[float, float]:
        """Return the pixels of a point."""
        return self.x.position(x), self.y.position(y)

    def axes(self, x_label: str, y_label: str, *, x_ticks: Sequence[tuple[float, str]] = ()) -> str:
        """Return both axes with grid lines, ticks and labels."""
        return "".join(
            [
                *(self._row(value, text) for value, text in self.y.ticks()),
                line(self.x.start, self.y.start, self.x.end, self.y.start, "axis"),
                self.x_axis(x_label, x_ticks=x_ticks),
                label(2.0, self.y.end - 9, y_label, width=WIDTH - 4, class_="axis-label"),
            ]
        )

    def x_axis(
        self, x_label: str, n_ticks: int = 6, *, x_ticks: Sequence[tuple[float, str]] = ()
    ) -> str:
        """Return the ticks and the label below the frame."""
        bottom = max(self.y.start, self.y.end)
        marks = [
            _centred(self.x.position(value), bottom + 16, text, "tick")
            for value, text in self._with_room(x_ticks or self.x.ticks(n_ticks))
        ]
        middle = (self.x.start + self.x.end) / 2
        name = fit_width(x_label, WIDTH - 8)
        return "".join(marks) + _centred(middle, bottom + 34, name, "axis-label", x_label)

    def _with_room(self, ticks: Sequence[tuple[float, str]]) -> Sequence[tuple[float, str]]:
        """Return every tick, or every second, third, ... one if their labels would touch."""
        widest = max((text_width(text) for _, text in ticks), default=0) + 8
        return ticks[:: 1 + int(len(ticks) * widest // (self.x.end - self.x.start))]

    def _row(self, value: float, text: str) -> str:
        y = self.y.position(value)
        return line(self.x.start, y, self.x.end, y, "grid") + label(
            self.x.start - 6, y + 4, text, class_="tick end"
        )


def make_frame(
    x_range: tuple[float, float],
    y_range: tuple[float, float],
    *,
    height: float = 260.0,
    top: float = 26.0,
) -> Frame:
    """Return a frame with room on its left for the labels of the y axis."""
    y = Scale(*y_range, height - 42.0, top)
    widest = max((text_width(text) for _, text in y.ticks()), default=0)
    return Frame(Scale(*x_range, widest + 12.0, WIDTH - 14.0), y, height)


def legend(
    names: Sequence[str], *, drawn_as: Literal["lines", "points", "boxes"] = "lines"
) -> tuple[str, float]:
    """Return a legend of series, in as many lines as it needs, and its height."""
    if len(names) < 2:
        return "", 0.0
    parts, x, y = [], 2.0, 12.0
    for tone, name in enumerate(names):
        shown = fit_width(name, 150)
        wide = 32 + text_width(shown, LETTER)
        if x + wide > WIDTH and x > 2:
            x, y = 2.0, y + 18
        parts.append(_legend_entry(x, y, tone, name, drawn_as))
        x += wide + 8
    return "".join(parts), y + 8


def _centred(x: float, y: float, text: str, class_: str, full: str = "") -> str:
    """Return text around x, moved as far as it takes to be inside of the picture."""
    half = text_width(text, LETTER) / 2
    moved = max(min(x, WIDTH - half), half)
    drawn = label(moved, y, text, class_=f"{class_} middle")
    return group([drawn], full) if full and clean(full) != text else drawn


def _legend_entry(x: float, y: float, tone: int, name: str, drawn_as: str) -> str:
    dash = DASHES[tone % len(DASHES)]
    sample = line(x, y - 4, x + 22, y - 4, f"line tone-{tone % 6} {dash}".strip())
    if drawn_as == "points":
        sample += marker(x + 11, y - 4, tone, class_=f"fill-{tone % 6}")
    if drawn_as == "boxes":
        sample = marker(x + 12, y - 4, 1, 6.0, class_=f"fill-{tone % 6}")
    return sample + label(x + 27, y, name, width=150, class_="tick")
