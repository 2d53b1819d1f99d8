"""What the guide's editor shows."""

from dataclasses import dataclass, field
from enum import Enum

from labeler.app.guide.publish import PageConflict
from labeler.guide.draft import DraftPreview
from labeler.guide.page_text import TextPosition

# The guide and its Markdown parser are imported by a worker, once someone writes.


class EditorStage(Enum):
    """What the person before the editor is doing."""

    OPENING = "opening"
    WRITING = "writing"
    SAVING = "saving"
    MERGING = "merging"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class EditorText:
    """A text that the editor is to show; `number` tells one putting from the next."""

    number: int = 0
    text: str = ""
    spot: TextPosition | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class EditorView:
    """The page being written: its text when it is replaced, its preview, whether it is saved.

    `message` is a sentence about what went wrong, `notice` one to know; `diverged` is there while
    the person decides about a text that someone else saved meanwhile.
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
        """Whether the guide has the page, and it could be taken out."""
        return self.stage is EditorStage.WRITING and self.version is not None

    @property
    def title(self) -> str:
        return self.preview.title if self.preview else self.slug

    @property
    def state(self) -> str:
        """Whether what is on the screen is in the guide, in words."""
        if self.stage in (EditorStage.OPENING, EditorStage.REFUSED):
            return ""
        if self.stage is EditorStage.SAVING:
            return "Saving …"
        version = f"Version {self.version}" if self.version else "New page"
        if not self.unsaved:
            return f"{version} · nothing unsaved"
        return f"{version} · not published, {'kept as your draft' if self.kept else 'keeping …'}"
