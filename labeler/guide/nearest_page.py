"""Find the page to open for a class: the one that covers it, or the nearest useful one."""

from collections import Counter
from dataclasses import dataclass
from enum import Enum

from labeler.core.classes.taxonomy import Taxonomy
from labeler.guide.page import GuidePage
from labeler.guide.pages import Guide

# A more distant page, or one that covers fewer of the relatives than this, doesn't help: the page
# on mushrooms is of no use for broccoli, although both are vegetables.
_MAX_STEPS_UP = 3
_MIN_SHARE = 1 / 6


class PageRelation(Enum):
    """How a page relates to a class."""

    COVERS = "covers it"
    TELLS_APART = "tells it from a class that it covers"
    RELATED = "covers its relatives"


@dataclass(frozen=True, slots=True)
class NearPage:
    """A page for a class, and why it was chosen; `ancestor` is set for related pages."""

    page: GuidePage
    nearness: PageRelation
    ancestor: str | None = None


def nearest_page(guide: Guide, wnid: str, *, taxonomy: Taxonomy) -> NearPage | None:
    """Return the page that covers the class, distinguishes it, or covers most of its relatives."""
    if covering := guide.page_for(wnid):
        return NearPage(covering, PageRelation.COVERS)
    if page := _distinguishing_page(guide, wnid):
        return NearPage(page, PageRelation.TELLS_APART)
    return _relatives_page(guide, wnid, taxonomy=taxonomy)


def _distinguishing_page(guide: Guide, wnid: str) -> GuidePage | None:
    """Return the page with the most rows on a class that it doesn't cover."""
    rows = {page: sum(wnid in row.pair for row in page.distinctions) for page in guide.pages}
    best = max(guide.pages, key=lambda page: rows[page], default=None)
    return best if best is not None and rows[best] else None


def _relatives_page(guide: Guide, wnid: str, *, taxonomy: Taxonomy) -> NearPage | None:
    """Return the page that covers most of the smallest subtree around the class that has a page."""
    if wnid not in taxonomy:
        return None
    covering = {covered: page for page in guide.pages for covered in page.wnids}
    heights, under = taxonomy.heights(wnid), taxonomy.classes_under
    near = [ancestor for ancestor, steps in heights.items() if steps <= _MAX_STEPS_UP]
    for ancestor in sorted(near, key=lambda a: (heights[a], len(under(a)), a)):
        covered = [c for c in under(ancestor) if c in covering and _is_close(taxonomy, c, ancestor)]
        counted = Counter(covering[c] for c in covered).most_common(1)
        if counted and counted[0][1] >= _MIN_SHARE * len(under(ancestor)):
            return NearPage(counted[0][0], PageRelation.RELATED, ancestor)
    return None


def _is_close(taxonomy: Taxonomy, wnid: str, ancestor: str) -> bool:
    return taxonomy.heights(wnid)[ancestor] <= _MAX_STEPS_UP
