"""A person at the guide's screen in the real window, and what the study holds of it."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog

from labeler.app.guide.guide_writer import GuideWriter
from labeler.app.guide.publish import PageChange
from labeler.app.guide.study_guide import StudyGuide
from labeler.core.study.entities import Role
from labeler.core.study.phases import Phase
from labeler.store.study_opening import open_study
from labeler.ui.guide.guide_controller import GuideController
from tests.adjustable_clock import AdjustableClock
from tests.gui.window_session import CONTROL, WindowSession

PAGE = "marmot-and-beaver"


@dataclass(frozen=True)
class GuideSession:
    """What the person sees and does at the guide."""

    session: WindowSession
    journey: GuideController

    @property
    def text(self) -> str:
        return self.journey.writing.text.toPlainText()

    @property
    def preview(self) -> str:
        return self.journey.writing.preview.toPlainText()

    @property
    def state(self) -> str:
        return self.journey.writing.state.text()

    def dialog(self, kind: type[QDialog]) -> QDialog:
        self.wait(lambda: any(d.isVisible() for d in self.session.window.findChildren(kind)))
        found = self.session.dialog(kind)
        self.wait(found.isActiveWindow)
        return found

    def wait(self, condition: Callable[[], bool]) -> None:
        self.session.wait(condition)

    def press(self, key: Qt.Key, modifiers: Qt.KeyboardModifier = CONTROL) -> None:
        self.session.press(key, modifiers)

    def open(self, slug: str = PAGE) -> "GuideSession":
        """Read a page."""
        self.wait(lambda: self.journey.reading.contents.topLevelItemCount() > 0)
        self.journey.reading.contents.page_wanted.emit(slug)
        self.wait(self.journey.reading.versions.isEnabled)
        return self

    def edit(self, slug: str = PAGE) -> "GuideSession":
        """Open a page for writing, by key."""
        self.open(slug)
        self.wait(self.journey.reading.edit.isEnabled)
        self.press(Qt.Key.Key_E)
        self.wait(lambda: bool(self.preview))
        return self

    def type_at(self, words: str, new: str) -> None:
        """Go to some words of the text and type before them."""
        text = self.journey.writing.text
        text.go_to(1)
        assert text.find_next(words)
        cursor = text.textCursor()
        cursor.setPosition(cursor.selectionStart())
        text.setTextCursor(cursor)
        self.session.type_in(new)

    def publish(self, comment: str = "") -> None:
        """Ctrl+S, a few words, Return."""
        self.press(Qt.Key.Key_S)
        self.session.type_in(comment)
        self.session.press(Qt.Key.Key_Return)
        self.session.wait_until_written()

    def versions(self, slug: str = PAGE) -> list[tuple]:
        """Number, author and comment of the page's versions, oldest first."""
        return self.session.study.read(
            "SELECT number, code, comment FROM guide_version"
            " LEFT JOIN participant ON participant.id = participant_id"
            " WHERE page = ? ORDER BY number",
            slug,
        )

    def drafts(self) -> list[str]:
        return [text for (text,) in self.session.study.read("SELECT text FROM guide_draft")]


def at_the_guide(session: WindowSession) -> GuideSession:
    """From home to the guide's screen."""
    session.click(session.home().guide)
    journey = session.navigation.guide
    assert journey is not None
    session.wait(lambda: session.window.screen_shown is journey.screen)
    return GuideSession(session, journey)


def allow_writing(folder: Path) -> None:
    """Lock the evaluation and open the training, past the rules, which are tested elsewhere."""
    with open_study(folder, clock=AdjustableClock()) as store, store.write() as study:
        study.phases.lock(Phase.EVALUATE)
        study.phases.open(Phase.TRAIN)


def save_as(folder: Path, code: str, old: str, new: str, *, slug: str = PAGE) -> None:
    """Have someone else publish a change of the page meanwhile."""
    with open_study(folder, clock=AdjustableClock()) as store:
        writer = GuideWriter(store, StudyGuide(store), code=code, role=Role.LABELER)
        opened = writer.open_page(slug)
        assert old in opened.text
        text = opened.text.replace(old, new)
        writer.save(PageChange(slug=slug, text=text, base=opened.base, comment="meanwhile"))
