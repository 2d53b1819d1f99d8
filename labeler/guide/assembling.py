"""A guide put together from texts that don't lie in files."""

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType

from labeler.core.errors import InputError
from labeler.guide.lenient import parse_page_leniently
from labeler.guide.page import GuidePage, parse_page
from labeler.guide.pages import Guide

# More pages than any guide has: of a guide that is read again only what changed is parsed.
_CACHED_PAGES = 1024


def guide_from_texts(
    texts: Mapping[str, str], pictures: Mapping[str, str] = MappingProxyType({})
) -> Guide:
    """The guide of these pages by slug, in the order of a folder, with its pictures' hashes.

    They were sound when they were published: one that this program no longer accepts is shown as
    far as it goes, since it must not take all the others away.
    """
    return Guide(tuple(_page(slug, texts[slug]) for slug in sorted(texts)), dict(pictures))


@lru_cache(maxsize=_CACHED_PAGES)
def _page(slug: str, text: str) -> GuidePage:
    try:
        return parse_page(text, slug=slug, file=f"{slug}.md")
    except InputError:
        return parse_page_leniently(text, slug=slug)
