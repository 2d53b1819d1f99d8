"""The Markdown of pages: CommonMark and tables, without HTML."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from markdown_it import MarkdownIt
from markdown_it.token import Token

_LINK = re.compile(r"!?\[([^\[\]]*)\]\([^()]*\)")
_MARKS = re.compile(r"[*_`]+(?=\S)|(?<=\S)[*_`]+|^\s*(?:[-+*>]|[0-9]+\.)\s+|\\(?=[|*_`\\])")
_BORDER = re.compile(r"\s*(?<!\\)\|\s*")
_RULE = re.compile(r"[\s|:-]+")


def plain_lines(body: str) -> tuple[str, ...]:
    """Return the lines of a page with content, without headings and table headers."""
    lines = body.split("\n")
    following = (*lines[1:], "")
    return tuple(
        _plain(line)
        for line, below in zip(lines, following, strict=True)
        if not (line.startswith("#") or _RULE.fullmatch(line) or not line or _is_rule(below))
    )


def plain_words(text: str) -> str:
    """Return text without Markdown markup."""
    return _MARKS.sub("", _LINK.sub(r"\1", text)).strip()


def _is_rule(line: str) -> bool:
    return line.startswith("|") and _RULE.fullmatch(line) is not None


def _plain(line: str) -> str:
    words = _LINK.sub(r"\1", line)
    cells = [cell for cell in _BORDER.split(words) if cell] if line.startswith("|") else []
    if len(cells) > 1:
        words = f"{cells[0]}, {cells[1]}: {' '.join(cells[2:])}"
    elif cells:
        words = cells[0]
    return _MARKS.sub("", words).strip()


# The parser limits the depth of blocks and links, but not of nested emphasis.
_MAX_DEPTH = 20
_SPACE = frozenset({"text", "softbreak", "hardbreak"})


class _Parser(MarkdownIt):
    def validateLink(self, url: str) -> bool:  # noqa: ARG002, N802
        """Accept every address as a link: the guide has its own rules for links."""
        return True


def parse_markdown(body: str) -> list[Token]:
    """Parse a page's body to tokens with limited nesting."""
    tokens = _Parser("commonmark", {"html": False}).enable("table").parse(body)
    for token in tokens:
        if token.children:
            token.children = list(_limit_depth(token.children))
    return tokens


def _limit_depth(tokens: Sequence[Token]) -> Iterator[Token]:
    """Drop opening and closing tokens that are nested too deeply; the text stays."""
    depth = 0
    for token in tokens:
        depth += max(token.nesting, 0)
        if token.nesting == 0 or depth <= _MAX_DEPTH:
            yield token
        depth += min(token.nesting, 0)


def has_only_pictures(inline: Sequence[Token]) -> bool:
    """Return whether a paragraph contains only pictures and whitespace."""
    kinds = {token.type for token in inline if token.content.strip() or token.type not in _SPACE}
    return kinds == {"image"}


_BREAKS = frozenset({"softbreak", "hardbreak"})


@dataclass(frozen=True, slots=True)
class LinkAddress:
    """The address of a link or picture as written, and its line in the body, from 0."""

    written: str
    line: int
    is_picture: bool


def find_addresses(body: str) -> Iterator[LinkAddress]:
    """Yield the addresses of a page's links and pictures in order."""
    line = 0
    for token in parse_markdown(body):
        # Table cells have no line number, but their row has.
        line = token.map[0] if token.map else line
        if token.type == "inline":
            yield from _inline(token.children or (), line)


def _inline(tokens: Sequence[Token], line: int) -> Iterator[LinkAddress]:
    for token in tokens:
        if token.type == "link_open":
            yield LinkAddress(str(token.attrGet("href") or ""), line, is_picture=False)
        elif token.type == "image":
            yield LinkAddress(str(token.attrGet("src") or ""), line, is_picture=True)
            # The description of a picture is plain text, but may span several lines.
            line += _line_breaks(token.children or ())
        elif token.type in _BREAKS:
            line += 1


def _line_breaks(tokens: Sequence[Token]) -> int:
    return sum(token.type in _BREAKS for token in tokens)
