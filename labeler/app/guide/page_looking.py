"""Looking a page over while it is written: at every key, elsewhere, only the newest counts."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from labeler.app.runner import Latest, Runner

if TYPE_CHECKING:
    # The guide and its Markdown parser are imported by a worker, once somebody writes.
    from labeler.app.guide.open_page import OpenPage
    from labeler.guide.preview import LookedOver


class PageLooking:
    """Has texts checked and rendered; what was found in one that is outdated is dropped."""

    def __init__(
        self,
        runner: Runner,
        *,
        seen: "Callable[[LookedOver], None]",
        failed: Callable[[Exception], None],
    ) -> None:
        self._latest = Latest(runner)
        self._seen = seen
        self._failed = failed

    def look_over(self, text: str, page: "OpenPage") -> None:
        """Look at the text in place of whatever was to be looked at before."""
        self._latest.request(
            lambda _job: _looked_over(text, page), done=self._seen, failed=self._failed
        )

    def drop(self) -> None:
        """Want nothing any more."""
        self._latest.drop()


def _looked_over(text: str, page: "OpenPage") -> "LookedOver":
    from labeler.guide.preview import look_over

    return look_over(text, slug=page.slug, around=page.around)
