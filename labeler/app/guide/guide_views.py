"""What the guide's viewer shows of each place in the guide."""

from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING

from labeler.core.errors import InputError

if TYPE_CHECKING:
    # The guide and its Markdown parser are imported by a worker, once somebody opens the guide.
    from labeler.guide.excerpts import SearchWords
    from labeler.guide.nearest_page import NearPage
    from labeler.guide.page import GuidePage
    from labeler.guide.reader import GuideReader, PageHtml
    from labeler.guide.search import GuideHit


class GuideState(Enum):
    """What the viewer shows."""

    LOADING = "loading"
    FAULT = "fault"
    CONTENTS = "contents"
    RESULTS = "results"
    PAGE = "page"


@dataclass(frozen=True, slots=True)
class GuideView:
    """What the viewer shows; a notice is a sentence above it, `wanted` what to mark in it.

    `extent` says how much the guide has, where its contents are shown.
    """

    state: GuideState
    title: str = "Guide"
    notice: str = ""
    extent: str = ""
    html: "PageHtml | None" = None
    wanted: "SearchWords | None" = None
    query: str = ""
    results: "tuple[GuideHit, ...]" = ()
    selected: int | None = None
    can_go_back: bool = False
    can_go_forward: bool = False


@dataclass(frozen=True, slots=True)
class GuideLocation:
    """Where a reader is: on a page, among the results of a query, or else at the contents."""

    slug: str | None = None
    wnid: str | None = None
    query: str = ""
    selected: int = 0

    @property
    def is_results(self) -> bool:
        return self.slug is None and bool(self.query.strip())


def guide_view(reader: "GuideReader", place: GuideLocation) -> GuideView:
    """What there is to see at a place."""
    if place.is_results:
        return _results(reader, place)
    page = reader.page(place.slug) if place.slug else None
    return _page(reader, place, page) if page else _contents(reader, place)


def fault_sentence(error: Exception) -> str:
    """Why there is no guide; of a path only the page's own name may be seen."""
    where = "one of its pages can't be read"
    if isinstance(error, InputError):
        line = f" at line {error.line}" if error.line else ""
        where = f"“{Path(error.file).name}” is damaged{line}"
    return f"The guide can't be shown: {where}. Tell the study's lead, who can mend it."


def _results(reader: "GuideReader", place: GuideLocation) -> GuideView:
    hits = reader.search(place.query)
    nothing = f"No page has “{place.query.strip()}”. Try fewer letters or another word."
    return GuideView(
        GuideState.RESULTS,
        title="Pages found",
        notice="" if hits else nothing,
        query=place.query,
        results=hits,
        selected=place.selected if hits else None,
    )


def _page(reader: "GuideReader", place: GuideLocation, page: "GuidePage") -> GuideView:
    near = reader.nearest(place.wnid) if place.wnid else None
    return GuideView(
        GuideState.PAGE,
        title=page.title,
        notice=_notice(reader, near, _name(reader, place)) if near else "",
        html=reader.html(page, focus=place.wnid),
        wanted=reader.search_index.wanted(place.query),
    )


def _contents(reader: "GuideReader", place: GuideLocation) -> GuideView:
    name = _name(reader, place)
    return GuideView(
        GuideState.CONTENTS,
        title="Contents of the guide",
        notice=f"No page on “{name}”, nor on what is near it." if place.wnid else "",
        extent=_extent(reader),
        html=reader.contents_html,
    )


def _extent(reader: "GuideReader") -> str:
    pages = reader.guide.pages
    classes = len({wnid for page in pages for wnid in page.wnids})
    if not pages:
        return "The guide has no pages yet."
    on = "1 class" if classes == 1 else f"{classes:,} classes"
    return f"{len(pages):,} page{'' if len(pages) == 1 else 's'} on {on}."


def _notice(reader: "GuideReader", near: "NearPage", name: str) -> str:
    from labeler.guide.nearest_page import PageRelation

    match near.nearness:
        case PageRelation.COVERS:
            return ""
        case PageRelation.TELLS_APART:
            return f"No page on “{name}”; “{near.page.title}” tells it from its look-alike."
        case PageRelation.RELATED:
            under = f" under “{reader.taxonomy[near.ancestor].name}”" if near.ancestor else ""
            return f"No page on “{name}”; showing “{near.page.title}”, the nearest{under}."


def _name(reader: "GuideReader", place: GuideLocation) -> str:
    wnid, taxonomy = place.wnid or "", reader.taxonomy
    if wnid in taxonomy.display_names:
        return taxonomy.display_names[wnid]
    return taxonomy[wnid].name if wnid in taxonomy else "this class"
