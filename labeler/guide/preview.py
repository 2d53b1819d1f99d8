"""A page while it is being written: what is wrong with it, and what it will look like."""

from dataclasses import dataclass

from labeler.guide.draft import DraftContext, PageProblem, find_problems
from labeler.guide.lenient import parse_page_leniently
from labeler.guide.page import GuidePage
from labeler.guide.reader import PageHtml
from labeler.guide.rendering.html import RenderOptions, render_page
from labeler.guide.rendering.html_tables import TableLayout


@dataclass(frozen=True, slots=True)
class DraftPreview:
    """What a text would be as a page; `wnids` are the classes that it covers."""

    title: str
    wnids: tuple[str, ...]
    html: PageHtml
    complaints: tuple[PageProblem, ...]

    @property
    def can_be_published(self) -> bool:
        return not any(complaint.blocks_publishing for complaint in self.complaints)


def preview_draft(text: str, *, slug: str, around: DraftContext) -> DraftPreview:
    """Check and render a text, whatever is wrong with it."""
    page = parse_page_leniently(text, slug=slug)
    return DraftPreview(
        title=page.title,
        wnids=page.wnids,
        html=render_page_html(page),
        complaints=find_problems(text, around),
    )


def render_page_html(page: GuidePage) -> PageHtml:
    """The page for wide and for narrow rooms, by itself."""
    written = {tables: render_page(page, RenderOptions(tables=tables)) for tables in TableLayout}
    return PageHtml(wide=written[TableLayout.COLUMNS], narrow=written[TableLayout.STACKED])
