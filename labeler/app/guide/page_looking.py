"""Looking a page over while it is written: at every key, elsewhere, only the newest counts."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from labeler.app.runner import LatestRequest, Runner

if TYPE_CHECKING:
    # The guide and its Markdown parser are imported by a worker, once somebody writes.
    from labeler.app.guide.open_page import OpenPage
    from labeler.guide.preview import DraftPreview


class PageChecker:
    """Has texts checked and rendered; what was found in one that is outdated is dropped."""

    def __init__(
        self,
        runner: Runner,
        *,
        seen: "Callable[[DraftPreview], None]",
        failed: Callable[[Exception], None],
    ) -> None:
        self._latest = LatestRequest(runner)
        self._seen = seen
        self._failed = failed

    def look_over(self, text: str, page: "OpenPage") -> None:
        """Look at the text in place of whatever was to be looked at before."""
        self._latest.request(
            lambda _job: _checked_page(text, page), done=self._seen, failed=self._failed
        )

    def drop(self) -> None:
        """Want nothing any more."""
        self._latest.drop()


def _checked_page(text: str, page: "OpenPage") -> "DraftPreview":
    from labeler.guide.preview import preview_draft

    return preview_draft(text, slug=page.slug, around=page.around)
