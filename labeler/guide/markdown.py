"""The Markdown that pages are written in: CommonMark and tables, without HTML."""

from collections.abc import Iterator, Sequence

from markdown_it import MarkdownIt
from markdown_it.token import Token

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
