"""What the guide's editor asks of a study."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from labeler.core.guide_versions import PageDraft

if TYPE_CHECKING:
    # The guide and its Markdown parser are imported by a worker, once somebody writes.
    from labeler.app.guide.open_page import OpenPage
    from labeler.app.guide.publishing import Diverged, PageChange, Saved


class WritingDesk(Protocol):
    """Every call may block, and refuses with a sentence."""

    def open_page(self, slug: str) -> "OpenPage": ...
    def open_for_pair(self, *, chosen: str, right: str) -> "OpenPage": ...
    def new_page(self, wnids: Sequence[str], *, title: str = "") -> "OpenPage": ...
    def keep_draft(self, slug: str, draft: PageDraft) -> None: ...
    def discard_draft(self, slug: str) -> None: ...
    def save(self, change: "PageChange") -> "Saved | Diverged": ...
