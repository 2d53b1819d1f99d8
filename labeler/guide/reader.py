"""A guide prepared for reading: loaded, indexed, grouped, and rendered page by page."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from labeler.core.classes.taxonomy import Taxonomy
from labeler.guide.contents import ContentsGroup, build_contents, render_contents
from labeler.guide.nearest_page import NearPage, nearest_page
from labeler.guide.page import GuidePage
from labeler.guide.pages import Guide, load_guide
from labeler.guide.rendering.html import RenderOptions, render_page
from labeler.guide.rendering.html_tables import TableLayout
from labeler.guide.search import GuideHit, GuideSearch


@dataclass(frozen=True, slots=True)
class PageHtml:
    """A page as the contents of an HTML body, for wide and narrow views."""

    wide: str
    narrow: str


@dataclass(frozen=True)
class GuideReader:
    """A guide with everything that a viewer needs."""

    guide: Guide
    taxonomy: Taxonomy
    search_index: GuideSearch
    contents: tuple[ContentsGroup, ...]

    def page(self, slug: str) -> GuidePage | None:
        return self._pages.get(slug)

    def search(self, typed: str) -> tuple[GuideHit, ...]:
        return self.search_index.search(typed)

    def nearest(self, wnid: str) -> NearPage | None:
        return nearest_page(self.guide, wnid, taxonomy=self.taxonomy)

    def html(self, page: GuidePage, *, focus: str | None) -> PageHtml:
        """Render the page with the rows on the class in focus highlighted."""
        rendered = {
            tables: render_page(page, RenderOptions(focus, self._covering, tables))
            for tables in TableLayout
        }
        return PageHtml(wide=rendered[TableLayout.COLUMNS], narrow=rendered[TableLayout.STACKED])

    @cached_property
    def contents_html(self) -> PageHtml:
        """The list of all pages."""
        rendered = render_contents(self.contents)
        return PageHtml(wide=rendered, narrow=rendered)

    @cached_property
    def _pages(self) -> Mapping[str, GuidePage]:
        return {page.slug: page for page in self.guide.pages}

    @cached_property
    def _covering(self) -> Mapping[str, str]:
        return {wnid: page.slug for page in self.guide.pages for wnid in page.wnids}


def open_guide(folder: Path, *, taxonomy: Taxonomy) -> GuideReader:
    """Load and index the guide; slow, so not for the GUI thread."""
    return make_reader(load_guide(folder), taxonomy=taxonomy)


def make_reader(guide: Guide, *, taxonomy: Taxonomy) -> GuideReader:
    """Index a guide for reading."""
    covered = (wnid for page in guide.pages for wnid in page.wnids if wnid in taxonomy)
    return GuideReader(
        guide=guide,
        taxonomy=taxonomy,
        search_index=GuideSearch(guide, names={w: taxonomy[w].lemmas for w in covered}),
        contents=build_contents(guide, taxonomy=taxonomy),
    )
