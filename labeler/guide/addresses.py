"""Every address in a page, with the line that it stands on."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from markdown_it.token import Token

from labeler.guide.markdown import parse_markdown

_BREAKS = frozenset({"softbreak", "hardbreak"})


@dataclass(frozen=True, slots=True)
class LinkAddress:
    """What a link or a picture names, as it is written, counted from the body's first line."""

    written: str
    line: int
    is_picture: bool


def find_addresses(body: str) -> Iterator[LinkAddress]:
    """The addresses of a page's links and pictures in the order in which they stand."""
    line = 0
    for token in parse_markdown(body):
        # A table's cells have no line of their own, but their row has.
        line = token.map[0] if token.map else line
        if token.type == "inline":
            yield from _inline(token.children or (), line)


def _inline(tokens: Sequence[Token], line: int) -> Iterator[LinkAddress]:
    for token in tokens:
        if token.type == "link_open":
            yield LinkAddress(str(token.attrGet("href") or ""), line, is_picture=False)
        elif token.type == "image":
            yield LinkAddress(str(token.attrGet("src") or ""), line, is_picture=True)
            # What describes a picture is only words, but may go on over several lines.
            line += _line_breaks(token.children or ())
        elif token.type in _BREAKS:
            line += 1


def _line_breaks(tokens: Sequence[Token]) -> int:
    return sum(token.type in _BREAKS for token in tokens)
