"""A page of the guide: the classes it covers and how to distinguish them."""

import hashlib
from dataclasses import dataclass
from pathlib import Path

from labeler.core.errors import InputError
from labeler.guide.distinctions import Distinction, parse_distinctions
from labeler.guide.front_matter import (
    FrontMatter,
    PageSource,
    PageStatus,
    parse_front_matter,
    split_front_matter,
)
from labeler.guide.sections import SectionHeading, parse_sections


@dataclass(frozen=True, slots=True)
class GuidePage:
    """A page on one class or on a family of classes."""

    slug: str
    title: str
    version: int
    wnids: tuple[str, ...]
    status: PageStatus
    sources: tuple[PageSource, ...]
    body: str
    distinctions: tuple[Distinction, ...]
    digest: str


def parse_page(text: str, *, slug: str, file: Path | str) -> GuidePage:
    """Parse a page; the file is only used in error messages."""
    text = normalize_newlines(text)
    head, body = split_front_matter(text, file=file)
    front = parse_front_matter(head, file=file)
    sections = parse_sections(body, first_line=len(head) + 3, file=file)
    distinctions = parse_distinctions(
        sections[SectionHeading.HOW_TO_TELL], covered=frozenset(front.wnids), file=file
    )
    return GuidePage(
        slug=slug,
        title=front.title,
        version=front.version,
        wnids=front.wnids,
        status=front.status,
        sources=front.sources,
        body="\n".join(body).strip("\n") + "\n",
        distinctions=distinctions,
        digest=text_digest(text),
    )


def text_digest(text: str) -> str:
    """Return a hash of a page's text."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def normalize_newlines(text: str) -> str:
    """Normalize line endings, so that a page is the same on every machine."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


_PAGE = "the page"


def parse_page_leniently(text: str, *, slug: str) -> GuidePage:
    """Parse a page without requirements: invalid parts are left out."""
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
