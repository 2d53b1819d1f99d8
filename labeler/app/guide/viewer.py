"""The guide next to the work: opened at a class, searched, and gone through by its links."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import Enum
from pathlib import Path

from labeler.app.guide.navigation_history import NavigationHistory
from labeler.app.runner import LatestRequest, Runner
from labeler.core.classes.taxonomy import Taxonomy
from labeler.core.errors import InputError
from labeler.guide.contents import ContentsGroup
from labeler.guide.links import GuideClassLink, GuidePageLink, parse_link
from labeler.guide.nearest_page import NearPage, PageRelation
from labeler.guide.page import GuidePage
from labeler.guide.pages import Guide
from labeler.guide.picture_files import PictureLoader, folder_picture_loader
from labeler.guide.reader import GuideReader, PageHtml, make_reader, open_guide
from labeler.guide.search import GuideHit, SearchWords

ReaderAction = Callable[[GuideReader], None]


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
    html: PageHtml | None = None
    wanted: SearchWords | None = None
    query: str = ""
    results: tuple[GuideHit, ...] = ()
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


def guide_view(reader: GuideReader, place: GuideLocation) -> GuideView:
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


def _results(reader: GuideReader, place: GuideLocation) -> GuideView:
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


def _page(reader: GuideReader, place: GuideLocation, page: GuidePage) -> GuideView:
    near = reader.nearest(place.wnid) if place.wnid else None
    return GuideView(
        GuideState.PAGE,
        title=page.title,
        notice=_notice(reader, near, _name(reader, place)) if near else "",
        html=reader.html(page, focus=place.wnid),
        wanted=reader.search_index.wanted(place.query),
    )


def _contents(reader: GuideReader, place: GuideLocation) -> GuideView:
    name = _name(reader, place)
    return GuideView(
        GuideState.CONTENTS,
        title="Contents of the guide",
        notice=f"No page on “{name}”, nor on what is near it." if place.wnid else "",
        extent=_extent(reader),
        html=reader.contents_html,
    )


def _extent(reader: GuideReader) -> str:
    pages = reader.guide.pages
    classes = len({wnid for page in pages for wnid in page.wnids})
    if not pages:
        return "The guide has no pages yet."
    on = "1 class" if classes == 1 else f"{classes:,} classes"
    return f"{len(pages):,} page{'' if len(pages) == 1 else 's'} on {on}."


def _notice(reader: GuideReader, near: NearPage, name: str) -> str:
    match near.nearness:
        case PageRelation.COVERS:
            return ""
        case PageRelation.TELLS_APART:
            return f"No page on “{name}”; “{near.page.title}” tells it from its look-alike."
        case PageRelation.RELATED:
            under = f" under “{reader.taxonomy[near.ancestor].name}”" if near.ancestor else ""
            return f"No page on “{name}”; showing “{near.page.title}”, the nearest{under}."


def _name(reader: GuideReader, place: GuideLocation) -> str:
    wnid, taxonomy = place.wnid or "", reader.taxonomy
    if wnid in taxonomy.display_names:
        return taxonomy.display_names[wnid]
    return taxonomy[wnid].name if wnid in taxonomy else "this class"


class GuideViewer:
    """Shows one place of the guide at a time; loads the guide when it is first wanted."""

    def __init__(
        self,
        *,
        folder: Path,
        taxonomy: Taxonomy,
        runner: Runner,
        on_visit: Callable[[str], None] = lambda _slug: None,
        source: Callable[[], Guide] | None = None,
        pictures: PictureLoader | None = None,
    ) -> None:
        """`on_visit` hears the slug of every page that comes into view.

        `source` gives the guide on a worker, `pictures` its picture files by their paths; without
        them what is in the folder is the guide.
        """
        self._folder, self._pictures = folder, pictures
        self._source = source
        self._taxonomy = taxonomy
        self._on_visit = on_visit
        self._runner = runner
        self._latest = LatestRequest(runner)
        self._reader: GuideReader | None = None
        self._contents: tuple[ContentsGroup, ...] = ()
        self._pending: ReaderAction | None = None
        self._history: NavigationHistory[GuideLocation] = NavigationHistory()
        self._show: Callable[[GuideView], None] = lambda _view: None

    def own_picture(self, path: str) -> bytes | None:
        """A picture file of the guide by its path inside it; on a worker."""
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
    def contents(self) -> tuple[ContentsGroup, ...]:
        """All pages by superclass, once the guide is loaded; while it is read again, as before."""
        return self._contents

    def listen(self, show: Callable[[GuideView], None]) -> None:
        """Have every view from now on shown by this one."""
        self._show = show

    def close(self) -> None:
        """Want nothing any more."""
        self._latest.drop()
        self._pending = None

    def reload(self) -> None:
        """Read the guide again, since someone wrote in it, and stay where the reader is."""
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
        match parse_link(address):
            case GuidePageLink(slug):
                self.open_page(slug)
            case GuideClassLink(wnid) if self._taxonomy.is_class(wnid):
                return wnid
        return None

    def _when_ready(self, action: ReaderAction) -> None:
        """Act on the guide; while it loads, only the newest action is kept."""
        if self._reader is not None:
            action(self._reader)
            return
        loading, self._pending = self._pending is not None, action
        if not loading:
            self._show(GuideView(GuideState.LOADING))
            self._latest.run("read guide", self._load, done=self._loaded, failed=self._failed)

    def _load(self) -> GuideReader:
        if self._source is None:
            return open_guide(self._folder, taxonomy=self._taxonomy)
        return make_reader(self._source(), taxonomy=self._taxonomy)

    def _loaded(self, reader: GuideReader) -> None:
        self._reader, self._contents = reader, reader.contents
        if self._history.current is None:
            self._history.go_to(GuideLocation())
        action, self._pending = self._pending, None
        if action is not None:
            action(reader)

    def _failed(self, error: Exception) -> None:
        self._pending = None
        self._show(GuideView(GuideState.FAULT, notice=fault_sentence(error)))

    def _open_nearest(self, reader: GuideReader, wnid: str) -> None:
        near = reader.nearest(wnid)
        self._go_to(GuideLocation(slug=near.page.slug if near else None, wnid=wnid))

    def _open_page(self, reader: GuideReader, slug: str) -> None:
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
