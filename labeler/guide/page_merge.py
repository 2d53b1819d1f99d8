"""Merging two versions of a page."""

from labeler.guide.page_text import with_version
from labeler.guide.three_way_merge import ThreeWayMerge, merge_texts


def merge_pages(base: str, *, mine: str, theirs: str) -> ThreeWayMerge:
    """Merge the texts but for their versions, which the program sets and nobody disagrees on."""
    old, own, other = (with_version(text, 1) for text in (base, mine, theirs))
    return merge_texts(old, mine=own, theirs=other)
