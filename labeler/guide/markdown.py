"""The Markdown that pages are written in: CommonMark and tables, without HTML."""

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
    """The lines of a page that say something; headings and table heads are the same on all."""
    lines = body.split("\n")
    following = (*lines[1:], "")
    return tuple(
        _plain(line)
        for line, below in zip(lines, following, strict=True)
        if not (line.startswith("#") or _RULE.fullmatch(line) or not line or _is_rule(below))
    )


def plain_words(text: str) -> str:
    """Words of a page as they are read, without what marks them."""
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


# The parser stops at a depth of blocks and links, but takes emphasis inside emphasis without end.
_MAX_DEPTH = 20
_SPACE = frozenset({"text", "softbreak", "hardbreak"})


class _Parser(MarkdownIt):
    def validateLink(self, url: str) -> bool:  # noqa: ARG002, N802
        """Take every address for a link: where links may lead is the guide's own rule."""
        return True


def parse_markdown(body: str) -> list[Token]:
    """A page's body as tokens that don't nest deeply."""
    tokens = _Parser("commonmark", {"html": False}).enable("table").parse(body)
    for token in tokens:
        if token.children:
            token.children = list(_limit_depth(token.children))
    return tokens


def _limit_depth(tokens: Sequence[Token]) -> Iterator[Token]:
    """Leave out what opens and closes too deep inside; the words stay."""
    depth = 0
    for token in tokens:
        depth += max(token.nesting, 0)
        if token.nesting == 0 or depth <= _MAX_DEPTH:
            yield token
        depth += min(token.nesting, 0)


def has_only_pictures(inline: Sequence[Token]) -> bool:
    """Whether a paragraph has pictures and nothing else but space around them."""
    kinds = {token.type for token in inline if token.content.strip() or token.type not in _SPACE}
    return kinds == {"image"}


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
