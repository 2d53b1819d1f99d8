"""The view of the guide's editor."""

from dataclasses import dataclass, field
from enum import Enum

from labeler.app.guide.publish import PageConflict
from labeler.guide.draft import DraftPreview
from labeler.guide.page_text import TextPosition

# The guide and its Markdown parser are imported on a worker when someone edits.


class EditorStage(Enum):
    """The state of the editor."""

    OPENING = "opening"
    WRITING = "writing"
    SAVING = "saving"
    MERGING = "merging"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class EditorText:
    """A text to show in the editor; `number` distinguishes successive texts."""

    number: int = 0
    text: str = ""
    spot: TextPosition | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class EditorView:
    """The page being edited: its text when replaced, its preview, and its state.

    `message` is an error, `notice` information; `diverged` is set during a merge with a version
    that someone else saved meanwhile.
    """

    stage: EditorStage = EditorStage.OPENING
    slug: str = ""
    version: int | None = None
    put: EditorText = field(default_factory=EditorText)
    preview: DraftPreview | None = None
    unsaved: bool = False
    kept: bool = True
    message: str = ""
    notice: str = ""
    diverged: PageConflict | None = None

    @property
    def can_retire(self) -> bool:
        """Whether the page is in the guide and can be removed."""
        return self.stage is EditorStage.WRITING and self.version is not None

    @property
    def title(self) -> str:
        return self.preview.title if self.preview else self.slug

    @property
    def state(self) -> str:
        """Whether the text is published, in words."""
        if self.stage in (EditorStage.OPENING, EditorStage.REFUSED):
            return ""
        if self.stage is EditorStage.SAVING:
            return "Saving…"
        version = f"Version {self.version}" if self.version else "New page"
        if not self.unsaved:
            return f"{version} · saved"
        return f"{version} · not published, {'saved as draft' if self.kept else 'saving draft…'}"
