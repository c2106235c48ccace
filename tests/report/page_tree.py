"""A strict reader of pages: every element is closed by its own end tag, or the page is refused."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser

_VOID = {"meta", "br", "link", "img", "input", "hr"}


@dataclass
class Element:
    """An element with its attributes, its children and the text directly in it."""

    tag: str
    attributes: dict[str, str] = field(default_factory=dict)
    children: list[Element] = field(default_factory=list)
    text: str = ""

    def find(self, tag: str) -> list[Element]:
        """Return all elements below with this tag, in the order of the page."""
        return [one for one in self.walk() if one.tag == tag]

    def walk(self) -> list[Element]:
        """Return this element and all below, in the order of the page."""
        return [self, *(one for child in self.children for one in child.walk())]

    def words(self) -> str:
        """Return all text below; the order of text and elements is kept."""
        return " ".join(self.text.split() + [word for c in self.children for word in [c.words()]])


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.root = Element("page")
        self.open = [self.root]

    def handle_starttag(self, tag, attrs):
        names = [name for name, _ in attrs]
        assert len(set(names)) == len(names), f"attribute twice in <{tag}>: {names}"
        element = Element(tag, {name: value or "" for name, value in attrs})
        self.open[-1].children.append(element)
        if tag not in _VOID:
            self.open.append(element)

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        if tag not in _VOID:
            self.handle_endtag(tag)

    def handle_endtag(self, tag):
        assert self.open[-1].tag == tag, f"</{tag}> closes <{self.open[-1].tag}>"
        self.open.pop()

    def handle_data(self, data):
        self.open[-1].text += data


def read_page(page: str) -> Element:
    """Return the tree of a page."""
    reader = _Reader()
    reader.feed(page)
    reader.close()
    assert [element.tag for element in reader.open] == ["page"], "elements are left open"
    return reader.root
