"""A page while it is being written: what is wrong with it, and what it will look like."""

from dataclasses import dataclass

from labeler.guide.draft import Complaint, Surroundings, complaints
from labeler.guide.lenient import page_as_far_as_it_goes
from labeler.guide.page import GuidePage
from labeler.guide.reader import PageHtml
from labeler.guide.rendering.html import Reading, render_page
from labeler.guide.rendering.html_tables import Tables


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
