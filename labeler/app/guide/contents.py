"""The state around the guide's pages: write permission, own drafts, the folder."""

from collections.abc import Callable
from dataclasses import dataclass

from labeler.app.guide.folder import FolderReport
from labeler.app.guide.guide_writer import GuideWriter
from labeler.app.incidents import error_sentence
from labeler.app.runner import LatestRequest, Runner
from labeler.core.clock import Clock
from labeler.core.guide.page_versions import PageDraft, PageVersion
from labeler.core.study.entities import Role
from labeler.guide.page import parse_page_leniently

# The guide and its Markdown parser are imported on a worker when the guide is opened.


@dataclass(frozen=True, slots=True)
class UnpublishedPage:
    """A page that isn't in the guide: a draft of the person, or retired."""

    slug: str
    title: str


@dataclass(frozen=True, slots=True, kw_only=True)
class GuideContentsView:
    """The contents; `why_not` says why the guide is read-only, `notice` is for leads."""

    is_ready: bool = False
    why_not: str = ""
    drafts: tuple[UnpublishedPage, ...] = ()
    retired: tuple[UnpublishedPage, ...] = ()
    notice: str = ""

    @property
    def can_write(self) -> bool:
        return self.is_ready and not self.why_not


class GuideContentsPresenter:
    """Updates whenever the guide comes into view, because phases may have changed."""

    def __init__(self, *, writer: GuideWriter, role: Role, runner: Runner, clock: Clock) -> None:
        self._writer = writer
        self._role = role
        self._clock = clock
        self._latest = LatestRequest(runner)
        self._show: Callable[[GuideContentsView], None] = lambda _view: None

    def listen(self, show: Callable[[GuideContentsView], None]) -> None:
        """Set the callback for new views."""
        self._show = show

    def refresh(self) -> None:
        """Update the view."""
        self._latest.run(
            "read guide contents", self._read_contents, done=self._arrived, failed=self._failed
        )

    def close(self) -> None:
        self._latest.drop()

    def _read_contents(self) -> GuideContentsView:
        refusal = self._writer.refusal() or ""
        drafts = () if refusal else tuple(map(_line, self._writer.drafts()))
        retired = tuple(map(_line, self._writer.retired()))
        report = self._writer.folder_report() if self._role is Role.LEAD else None
        notice = _folder_sentence(report) if report else ""
        return GuideContentsView(
            is_ready=True, why_not=refusal, drafts=drafts, retired=retired, notice=notice
        )

    def _arrived(self, view: GuideContentsView) -> None:
        self._show(view)

    def _failed(self, error: Exception) -> None:
        why = error_sentence(error, clock=self._clock)
        self._show(GuideContentsView(is_ready=True, why_not=why))


def _line(page: PageDraft | PageVersion) -> UnpublishedPage:
    return UnpublishedPage(page.slug, parse_page_leniently(page.text, slug=page.slug).title)


def _folder_sentence(report: FolderReport) -> str:
    """Return one or two sentences on what in the study's folder needs attention."""
    sentences = [f"Not imported from the study's folder: {fault}" for fault in report.faults[:1]]
    if len(report.faults) > 1:
        sentences.append(f"{len(report.faults) - 1} more pages there have problems.")
    sentences += [
        f"“{slug}” was edited in the folder, which conflicts with edits made here. Its versions "
        "include both."
        for slug in report.set_aside
    ]
    return " ".join(sentences)
