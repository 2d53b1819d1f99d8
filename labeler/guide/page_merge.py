"""Merging two versions of a page."""

from labeler.guide.merge import Merge, merge
from labeler.guide.rewriting import with_version


def merge_pages(base: str, *, mine: str, theirs: str) -> Merge:
    """Merge the texts but for their versions, which the program sets and nobody disagrees on."""
    old, own, other = (with_version(text, 1) for text in (base, mine, theirs))
    return merge(old, mine=own, theirs=other)
