"""A guide put together from texts that don't lie in files."""

from collections.abc import Mapping

from labeler.guide.page import parse_page
from labeler.guide.pages import Guide


def assemble(texts: Mapping[str, str]) -> Guide:
    """The guide of these pages by slug, in the order of a folder."""
    pages = (parse_page(texts[slug], slug=slug, file=f"{slug}.md") for slug in sorted(texts))
    return Guide(tuple(pages))
