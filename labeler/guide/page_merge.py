"""Merging two versions of a page."""

from labeler.guide.page_text import with_version
from labeler.guide.three_way_merge import Merge, merge


def merge_pages(base: str, *, mine: str, theirs: str) -> Merge:
    """Merge the texts but for their versions, which the program sets and nobody disagrees on."""
    old, own, other = (with_version(text, 1) for text in (base, mine, theirs))
    return merge(old, mine=own, theirs=other)
