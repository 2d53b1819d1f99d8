"""The guide beside the work: opened at a class, searched, and gone through by its links."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from labeler.app.guide.guide_views import (
    GuideLocation,
    GuideState,
    GuideView,
    fault_sentence,
    guide_view,
)
from labeler.app.guide.navigation_history import NavigationHistory
from labeler.app.runner import Job, LatestRequest, Runner
from labeler.core.classes.taxonomy import Taxonomy

if TYPE_CHECKING:
    # The guide and its Markdown parser are imported by a worker, once somebody opens the guide.
    from labeler.guide.contents import ContentsGroup
    from labeler.guide.pages import Guide
    from labeler.guide.picture_files import PictureLoader
    from labeler.guide.reader import GuideReader

    Wish = Callable[[GuideReader], None]


class GuideViewer:
    """Shows one place of the guide at a time; loads the guide when it is first wanted."""

    def __init__(
        self,
        *,
        folder: Path,
        taxonomy: Taxonomy,
        runner: Runner,
        on_visit: Callable[[str], None] = lambda _slug: None,
        source: "Callable[[], Guide] | None" = None,
        pictures: "PictureLoader | None" = None,
    ) -> None:
        """`on_visit` hears the slug of every page that comes into view.

        `source` gives the guide on a worker, `pictures` its picture files by their paths; without
        them what lies in the folder is the guide.
        """
        self._folder, self._pictures = folder, pictures
        self._source = source
        self._taxonomy = taxonomy
        self._on_visit = on_visit
        self._runner = runner
        self._latest = LatestRequest(runner)
        self._reader: GuideReader | None = None
        self._contents: tuple[ContentsGroup, ...] = ()
        self._wish: Wish | None = None
        self._history: NavigationHistory[GuideLocation] = NavigationHistory()
        self._show: Callable[[GuideView], None] = lambda _view: None

    def own_picture(self, path: str) -> bytes | None:
        """A picture file of the guide by its path inside it; on a worker."""
        from labeler.guide.picture_files import folder_picture_loader

        return (self._pictures or folder_picture_loader(self._folder))(path)

    @property
    def runner(self) -> Runner:
        """Who fetches what the pages show."""
        return self._runner

    @property
    def slug(self) -> str | None:
        """The page that is open, if one is."""
        place, reader = self._history.current, self._reader
        slug = place.slug if place else None
        # A page that was retired leaves its place in the history behind.
        gone = slug is not None and reader is not None and reader.page(slug) is None
        return None if gone else slug

    @property
    def contents(self) -> "tuple[ContentsGroup, ...]":
        """All pages by superclass, once the guide is loaded; while it is read anew, as before."""
        return self._contents

    def listen(self, show: Callable[[GuideView], None]) -> None:
        """Have every view from now on shown by this one."""
        self._show = show

    def close(self) -> None:
        """Want nothing any more."""
        self._latest.drop()
        self._wish = None

    def reload(self) -> None:
        """Read the guide again, since somebody wrote in it, and stay where the reader is."""
        self._reader = None
        self._when_ready(lambda _reader: self._render())

    def open_contents(self) -> None:
        """Show the list of all pages."""
        self._when_ready(lambda _reader: self._go_to(GuideLocation()))

    def open_at(self, wnid: str) -> None:
        """Show the page on the class, or the nearest, or the contents where none is near."""
        self._when_ready(lambda reader: self._open_nearest(reader, wnid))

    def open_page(self, slug: str) -> None:
        """Show the page; where there is none of that name, nothing changes."""
        self._when_ready(lambda reader: self._open_page(reader, slug))

    def search(self, typed: str) -> None:
        """List the pages that fit; an empty query goes back to where the search began."""
        self._when_ready(lambda _reader: self._search(typed))

    def select(self, row: int) -> None:
        """Bring a result into focus; a row past either end means the one at the end."""
        place = self._history.current
        if self._reader and place and place.is_results:
            last = len(self._reader.search(place.query)) - 1
            self._history.replace(replace(place, selected=max(0, min(row, last))))
            self._render()

    def move(self, steps: int) -> None:
        """Go down the results, or up by a negative number."""
        place = self._history.current
        self.select((place.selected if place else 0) + steps)

    def open_selected(self) -> None:
        """Open the result in focus, with what was looked for marked in it."""
        place = self._history.current
        if self._reader and place and place.is_results:
            hits = self._reader.search(place.query)
            if hits:
                self._go_to(GuideLocation(slug=hits[place.selected].slug, query=place.query))

    def back(self) -> None:
        if self._history.back():
            self._arrive()

    def forward(self) -> None:
        if self._history.forward():
            self._arrive()

    def follow(self, address: str) -> str | None:
        """Go to the page that a link leads to; of a link to a class, say which, for the finder."""
        from labeler.guide.links import GuideClassLink, GuidePageLink, parse_link

        match parse_link(address):
            case GuidePageLink(slug):
                self.open_page(slug)
            case GuideClassLink(wnid) if self._taxonomy.is_class(wnid):
                return wnid
        return None

    def _when_ready(self, wish: "Wish") -> None:
        """Act on the guide; while it loads, only the newest wish is kept."""
        if self._reader is not None:
            wish(self._reader)
            return
        loading, self._wish = self._wish is not None, wish
        if not loading:
            self._show(GuideView(GuideState.LOADING))
            self._latest.request(self._load, done=self._loaded, failed=self._failed)

    def _load(self, _job: Job) -> "GuideReader":
        from labeler.guide.reader import make_reader, open_guide

        if self._source is None:
            return open_guide(self._folder, taxonomy=self._taxonomy)
        return make_reader(self._source(), taxonomy=self._taxonomy)

    def _loaded(self, reader: "GuideReader") -> None:
        self._reader, self._contents = reader, reader.contents
        if self._history.current is None:
            self._history.go_to(GuideLocation())
        wish, self._wish = self._wish, None
        if wish is not None:
            wish(reader)

    def _failed(self, error: Exception) -> None:
        self._wish = None
        self._show(GuideView(GuideState.FAULT, notice=fault_sentence(error)))

    def _open_nearest(self, reader: "GuideReader", wnid: str) -> None:
        near = reader.nearest(wnid)
        self._go_to(GuideLocation(slug=near.page.slug if near else None, wnid=wnid))

    def _open_page(self, reader: "GuideReader", slug: str) -> None:
        known = reader.page(slug) is not None
        self._go_to(GuideLocation(slug=slug)) if known else self._render()

    def _search(self, typed: str) -> None:
        place = self._history.current
        searching = place is not None and place.is_results
        if typed.strip():
            found = GuideLocation(query=typed)
            self._history.replace(found) if searching else self._history.go_to(found)
        elif searching:
            self._history.give_up()
        self._arrive()

    def _go_to(self, place: GuideLocation) -> None:
        self._history.go_to(place)
        self._arrive()

    def _arrive(self) -> None:
        place = self._history.current
        if place and place.slug:
            self._on_visit(place.slug)
        self._render()

    def _render(self) -> None:
        place = self._history.current
        if self._reader is not None and place is not None:
            view = guide_view(self._reader, place)
            back, forward = self._history.can_go_back, self._history.can_go_forward
            self._show(replace(view, can_go_back=back, can_go_forward=forward))
