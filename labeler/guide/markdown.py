"""The Markdown that pages are written in: CommonMark and tables, without HTML."""

from markdown_it import MarkdownIt
from markdown_it.token import Token


class _Parser(MarkdownIt):
    def validateLink(self, url: str) -> bool:  # noqa: ARG002, N802
        """Take every address for a link: where links may lead is the guide's own rule."""
        return True


def parse_markdown(body: str) -> list[Token]:
    """A page's body as tokens; how deeply they nest is bounded by the parser."""
    return _Parser("commonmark", {"html": False}).enable("table").parse(body)
