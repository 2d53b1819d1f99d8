"""A page that may be faulty: half written, or written for a program that asked less."""

from labeler.core.errors import InputError
from labeler.guide.front_matter import (
    FrontMatter,
    PageStatus,
    parse_front_matter,
    split_front_matter,
)
from labeler.guide.page import GuidePage, normalize_newlines, text_digest

_PAGE = "the page"


def parse_page_leniently(text: str, *, slug: str) -> GuidePage:
    """A page of which nothing is demanded: what can't be read is left out."""
    text = normalize_newlines(text)
    front, body = _parts(text)
    return GuidePage(
        slug=slug,
        title=front.title if front else slug,
        version=front.version if front else 0,
        wnids=front.wnids if front else (),
        status=front.status if front else PageStatus.UNVERIFIED,
        sources=front.sources if front else (),
        body="\n".join(body),
        distinctions=(),
        digest=text_digest(text),
    )


def _parts(text: str) -> tuple[FrontMatter | None, list[str]]:
    try:
        head, body = split_front_matter(text, file=_PAGE)
    except InputError:
        return None, text.split("\n")
    try:
        return parse_front_matter(head, file=_PAGE), body
    except InputError:
        return None, body
