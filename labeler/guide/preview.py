"""A page while it is being written: what is wrong with it, and what it will look like."""

from dataclasses import dataclass

from labeler.core.errors import InputError
from labeler.guide.complaints import Complaint, Surroundings, complaints
from labeler.guide.front_matter import FrontMatter, PageStatus, parse_front_matter
from labeler.guide.front_matter import split_front_matter as split
from labeler.guide.page import GuidePage, unify_line_ends
from labeler.guide.reader import PageHtml
from labeler.guide.render import Reading, render_page
from labeler.guide.tables import Tables

_PAGE = "the page"


@dataclass(frozen=True, slots=True)
class LookedOver:
    """What a text would be as a page; `wnids` are the classes that it covers."""

    title: str
    wnids: tuple[str, ...]
    html: PageHtml
    complaints: tuple[Complaint, ...]

    @property
    def can_be_published(self) -> bool:
        return not any(complaint.forbids for complaint in self.complaints)


def look_over(text: str, *, slug: str, around: Surroundings) -> LookedOver:
    """Check and render a text, whatever is wrong with it."""
    page = page_as_far_as_it_goes(text, slug=slug)
    return LookedOver(
        title=page.title,
        wnids=page.wnids,
        html=render_both(page),
        complaints=complaints(text, around),
    )


def render_both(page: GuidePage) -> PageHtml:
    """The page for wide and for narrow rooms, by itself."""
    written = {tables: render_page(page, Reading(tables=tables)) for tables in Tables}
    return PageHtml(wide=written[Tables.COLUMNS], narrow=written[Tables.STACKED])


def page_as_far_as_it_goes(text: str, *, slug: str) -> GuidePage:
    """A page of which nothing is demanded: what can't be read is left out."""
    front, body = _parts(unify_line_ends(text))
    return GuidePage(
        slug=slug,
        title=front.title if front else slug,
        version=front.version if front else 0,
        wnids=front.wnids if front else (),
        status=front.status if front else PageStatus.UNVERIFIED,
        sources=front.sources if front else (),
        body="\n".join(body),
        distinctions=(),
        digest="",
    )


def _parts(text: str) -> tuple[FrontMatter | None, list[str]]:
    try:
        head, body = split(text, file=_PAGE)
    except InputError:
        return None, text.split("\n")
    try:
        return parse_front_matter(head, file=_PAGE), body
    except InputError:
        return None, body
