"""The versions of a page: authors, dates, comments, changes, and restoring one."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime

from labeler.app.guide.guide_writer import GuideWriter
from labeler.app.incidents import error_sentence
from labeler.app.runner import LatestRequest, Runner
from labeler.app.time_text import format_ago
from labeler.core.clock import Clock
from labeler.core.guide.page_versions import PageOrigin, PageVersion
from labeler.guide.diff import DiffLine, diff_lines, replaced_pictures
from labeler.guide.draft import render_page_html
from labeler.guide.page import parse_page_leniently
from labeler.guide.page_text import with_version
from labeler.guide.reader import PageHtml

# The guide and its Markdown parser are imported on a worker when the guide is opened.

_ORIGINS = {
    PageOrigin.FOLDER: "from the study's folder",
    PageOrigin.EDIT: "",
    PageOrigin.MERGE: "merged",
    PageOrigin.RESTORE: "restored",
}
assert set(_ORIGINS) == set(PageOrigin), "every origin has a word"


@dataclass(frozen=True, slots=True)
class PageVersionRow:
    """A version in the list: its number, who and when, and the comment."""

    number: int
    heading: str
    comment: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PageVersionsView:
    """The versions of a page, newest first, and the contents of the selected one."""

    slug: str = ""
    title: str = ""
    rows: tuple[PageVersionRow, ...] = ()
    selected: int = 0
    changed: tuple[DiffLine, ...] = ()
    html: PageHtml | None = None
    pictures: Mapping[str, str] = field(default_factory=dict)
    is_retired: bool = False
    why_not: str = ""
    message: str = ""

    @property
    def can_restore(self) -> bool:
        """Whether the selected version isn't the current one."""
        is_old = self.is_retired or self.selected > 0
        return bool(self.rows) and is_old and not self.why_not


class PageVersions:
    """Shows one page's versions at a time."""

    def __init__(
        self,
        *,
        writer: GuideWriter,
        runner: Runner,
        clock: Clock,
        on_restored: Callable[[str], None] = lambda _slug: None,
    ) -> None:
        self._writer = writer
        self._runner = runner
        self._latest = LatestRequest(runner)
        self._clock = clock
        self._on_restored = on_restored
        self._versions: tuple[PageVersion, ...] = ()
        self._view = PageVersionsView()
        self._show: Callable[[PageVersionsView], None] = lambda _view: None

    @property
    def view(self) -> PageVersionsView:
        return self._view

    def listen(self, show: Callable[[PageVersionsView], None]) -> None:
        """Set the callback for new views."""
        self._show = show

    def close(self) -> None:
        self._latest.drop()

    def open(self, slug: str) -> None:
        """Load the versions of the page."""
        self._view = PageVersionsView(slug=slug, title=slug)
        self._load(slug)

    def select(self, row: int) -> None:
        """Select another version; numbers out of range are clamped."""
        if self._versions:
            at = max(0, min(row, len(self._versions) - 1))
            self._change(self._with_selected(replace(self._view, message=""), at))

    def restore(self) -> None:
        """Make the selected version the newest."""
        if not self._view.can_restore:
            return
        slug, number = self._view.slug, self._versions[self._view.selected].number
        seen = self._versions[0].number
        self._runner.run(
            "restore guide page",
            lambda: self._writer.restore(slug, number, seen=seen),
            done=lambda _saved: self._restored(slug),
            failed=lambda error: self._refused(slug, error),
        )

    def _load(self, slug: str, *, message: str = "") -> None:
        self._latest.run(
            "read page versions",
            lambda: (self._writer.history(slug), self._writer.refusal() or ""),
            done=lambda found: self._arrived(*found, message=message),
            failed=lambda error: self._change(replace(self._view, message=self._sentence(error))),
        )

    def _arrived(self, versions: tuple[PageVersion, ...], why_not: str, *, message: str) -> None:
        self._versions = versions
        rows = tuple(self._row(version) for version in versions)
        view = replace(self._view, rows=rows, why_not=why_not, message=message)
        self._change(self._with_selected(view, 0) if versions else view)

    def _restored(self, slug: str) -> None:
        self._on_restored(slug)
        self._load(slug)

    def _refused(self, slug: str, error: Exception) -> None:
        """Show the reason with the current versions."""
        self._load(slug, message=self._sentence(error))

    def _with_selected(self, view: PageVersionsView, at: int) -> PageVersionsView:
        version = self._versions[at]
        older = self._versions[at + 1] if at + 1 < len(self._versions) else None
        before = older.text if older else ""
        page = parse_page_leniently(version.text, slug=version.slug)
        return replace(
            view,
            selected=at,
            title=page.title,
            # Without the change of the version number.
            changed=(
                *diff_lines(with_version(before, version.number), version.text),
                *replaced_pictures(older.pictures if older else {}, version.pictures),
            ),
            html=render_page_html(page),
            pictures=version.pictures,
            is_retired=self._versions[0].retired,
        )

    def _row(self, version: PageVersion) -> PageVersionRow:
        when = format_ago(datetime.fromisoformat(version.at), now=self._clock.utc())
        word = "retired" if version.retired else _ORIGINS[version.origin]
        parts = (version.author or "", word, when)
        heading = " · ".join(part for part in parts if part)
        return PageVersionRow(version.number, heading, version.comment)

    def _sentence(self, error: Exception) -> str:
        return error_sentence(error, clock=self._clock)

    def _change(self, view: PageVersionsView) -> None:
        self._view = view
        self._show(view)
