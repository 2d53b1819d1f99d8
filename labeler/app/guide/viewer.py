"""The guide viewer: opened at a class, searched, and navigated by links."""

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

CONTENTS_TITLE = "Contents of the guide"

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
    """The view; `notice` is shown above the contents, `wanted` is highlighted in them.

    `extent` gives the size of the guide, shown with the contents.
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
    """A location in the guide: a page, the results of a query, or the contents."""

    slug: str | None = None
    wnid: str | None = None
    query: str = ""
    selected: int = 0

    @property
    def is_results(self) -> bool:
        return self.slug is None and bool(self.query.strip())


def guide_view(reader: GuideReader, location: GuideLocation) -> GuideView:
    """Return the view of a location."""
    if location.is_results:
        return _results(reader, location)
    page = reader.page(location.slug) if location.slug else None
    return _page(reader, location, page) if page else _contents(reader, location)


def fault_sentence(error: Exception) -> str:
    """Return why the guide can't be shown; only the page's file name is included, not its path."""
    where = "one of its pages can't be read"
    if isinstance(error, InputError):
        line = f" at line {error.line}" if error.line else ""
        where = f"“{Path(error.file).name}” is damaged{line}"
    return f"The guide can't be shown: {where}. Ask the study's lead to fix it."


def _results(reader: GuideReader, location: GuideLocation) -> GuideView:
    hits = reader.search(location.query)
    nothing = f"No page contains “{location.query.strip()}”. Try fewer letters or another word."
    return GuideView(
        GuideState.RESULTS,
        title="Pages found",
        notice="" if hits else nothing,
        query=location.query,
        results=hits,
        selected=location.selected if hits else None,
    )


def _page(reader: GuideReader, location: GuideLocation, page: GuidePage) -> GuideView:
    near = reader.nearest(location.wnid) if location.wnid else None
    return GuideView(
        GuideState.PAGE,
        title=page.title,
        notice=_notice(reader, near, _name(reader, location)) if near else "",
        html=reader.html(page, focus=location.wnid),
        wanted=reader.search_index.parse(location.query),
    )


def _contents(reader: GuideReader, location: GuideLocation) -> GuideView:
    name = _name(reader, location)
    return GuideView(
        GuideState.CONTENTS,
        title=CONTENTS_TITLE,
        notice=f"There is no page on “{name}” or on related classes." if location.wnid else "",
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
            return (
                f"There is no page on “{name}”. Showing “{near.page.title}”, which distinguishes "
                "it from a look-alike."
            )
        case PageRelation.RELATED:
            under = f" under “{reader.taxonomy[near.ancestor].name}”" if near.ancestor else ""
            return f"There is no page on “{name}”. Showing “{near.page.title}”, the nearest{under}."


def _name(reader: GuideReader, location: GuideLocation) -> str:
    wnid, taxonomy = location.wnid or "", reader.taxonomy
    if wnid in taxonomy.display_names:
        return taxonomy.display_names[wnid]
    return taxonomy[wnid].name if wnid in taxonomy else "this class"


class GuideViewer:
    """Shows one location of the guide at a time; the guide is loaded on first use."""

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
        """`on_visit` is called with the slug of every page that is shown.

        `source` loads the guide on a worker, `pictures` its picture files by path; without them the
        folder is used.
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
        """Return a picture file of the guide by its path; called on a worker."""

        return (self._pictures or folder_picture_loader(self._folder))(path)

    @property
    def runner(self) -> Runner:
        """The runner for loading the pictures of pages."""
        return self._runner

    @property
    def slug(self) -> str | None:
        """The slug of the open page, or None."""
        place, reader = self._history.current, self._reader
        slug = place.slug if place else None
        # The history may contain a page that was retired.
        retired = slug is not None and reader is not None and reader.page(slug) is None
        return None if retired else slug

    @property
    def shown_class(self) -> str | None:
        """The class at which the page was opened, or the first of its classes; None without one."""
        place, slug = self._history.current, self.slug
        if place is None or slug is None or self._reader is None:
            return None
        page = self._reader.page(slug)
        return place.wnid or next(iter(page.wnids if page else ()), None)

    @property
    def contents(self) -> "tuple[ContentsGroup, ...]":
        """All pages by superclass; while the guide is reloaded, the previous ones."""
        return self._contents

    def listen(self, show: Callable[[GuideView], None]) -> None:
        """Set the callback for new views."""
        self._show = show

    def close(self) -> None:
        """Drop pending requests."""
        self._latest.drop()
        self._pending = None

    def reload(self) -> None:
        """Reload the guide after a change and stay at the current location."""
        self._reader = None
        self._when_ready(lambda _reader: self._render())

    def open_contents(self) -> None:
        """Show the list of all pages."""
        self._when_ready(lambda _reader: self._go_to(GuideLocation()))

    def open_at(self, wnid: str) -> None:
        """Show the page on the class, or the nearest one, or the contents."""
        self._when_ready(lambda reader: self._open_nearest(reader, wnid))

    def open_page(self, slug: str) -> None:
        """Show the page; an unknown one is ignored."""
        self._when_ready(lambda reader: self._open_page(reader, slug))

    def search(self, typed: str) -> None:
        """List the matching pages; an empty query returns to where the search began."""
        self._when_ready(lambda _reader: self._search(typed))

    def select(self, row: int) -> None:
        """Focus a result; numbers out of range are clamped."""
        place = self._history.current
        if self._reader and place and place.is_results:
            last = len(self._reader.search(place.query)) - 1
            self._history.replace(replace(place, selected=max(0, min(row, last))))
            self._render()

    def move(self, steps: int) -> None:
        """Move down the results, or up with a negative number."""
        place = self._history.current
        self.select((place.selected if place else 0) + steps)

    def open_selected(self) -> None:
        """Open the focused result, with the query highlighted."""
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
        """Open the page of a link; for a link to a class, return its wnid."""

        match parse_link(address):
            case GuidePageLink(slug):
                self.open_page(slug)
            case GuideClassLink(wnid) if self._taxonomy.is_class(wnid):
                return wnid
        return None

    def _when_ready(self, action: ReaderAction) -> None:
        """Run an action on the guide; while it loads, only the latest action is kept."""
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
