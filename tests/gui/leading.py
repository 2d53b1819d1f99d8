"""A lead at the Set up screen: opening it, and carrying out each step."""

from pathlib import Path

from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QWidget

from labeler.app.study.setup.confirmations import GUIDE_FROZEN
from labeler.app.study.setup.setup_step import SetupStep
from labeler.app.study.setup.study_setup import phase_open_text
from labeler.core.study.phases import Phase
from labeler.ui.kit.text.confirm_dialog import ConfirmDialog
from labeler.ui.study.setup.images_panel import ImagesPanel
from labeler.ui.study.setup.people_panel import PeoplePanel
from labeler.ui.study.setup.sample_panel import SamplePanel
from labeler.ui.study.setup.setup_screen import SetupScreen
from tests.gui.window_session import WindowSession

MARMOT, BEAVER = "n02361337", "n02363005"
# The number of equal observations in a row after which the layout counts as settled.
_LOOKS = 5


def set_up(session: WindowSession) -> SetupScreen:
    session.press(Qt.Key.Key_F9)
    screen = session.wait_for(SetupScreen)
    assert isinstance(screen, SetupScreen)
    session.wait(screen.steps[SetupStep.IMAGES].isVisible)
    return screen


def at_rest(session: WindowSession, within: QWidget, *parts: QWidget) -> list[QRect]:
    """Return the positions of the parts once the layout of a new page has settled."""
    seen: list[list[QRect]] = []

    def rests() -> bool:
        seen.append([QRect(part.mapTo(within, QPoint()), part.size()) for part in parts])
        return len(seen) >= _LOOKS and all(appearance == seen[-1] for appearance in seen[-_LOOKS:])

    session.wait(rests)
    return seen[-1]


def pressed(
    session: WindowSession, button: QAbstractButton, screen: SetupScreen, said: str
) -> None:
    """Click, and wait for the message."""
    session.click(button)
    session.wait(lambda: said in screen.said.sentence)


def go_to(session: WindowSession, screen: SetupScreen, step: SetupStep) -> None:
    session.click(screen.steps[step])
    session.wait(screen.panels[step].isVisible)


def add_images(session: WindowSession, screen: SetupScreen, folder: Path) -> ImagesPanel:
    panel = screen.panels[SetupStep.IMAGES]
    assert isinstance(panel, ImagesPanel)
    panel.preview_path(folder)
    session.wait(panel.add.isEnabled)
    pressed(session, panel.add, screen, "Added 4 images as evaluation dataset")
    return panel


def add_labeler(session: WindowSession, screen: SetupScreen, code: str) -> PeoplePanel:
    go_to(session, screen, SetupStep.PEOPLE)
    panel = screen.panels[SetupStep.PEOPLE]
    assert isinstance(panel, PeoplePanel)
    session.click(panel.code)
    session.type_in(code)
    pressed(session, panel.add, screen, f"Added {code}")
    session.wait(lambda: panel.code.text() == "" and _listed(panel, code))
    return panel


def _listed(panel: PeoplePanel, code: str) -> bool:
    return bool(panel.people.findItems(code, Qt.MatchFlag.MatchExactly))


def draw(session: WindowSession, screen: SetupScreen) -> SamplePanel:
    go_to(session, screen, SetupStep.SAMPLE)
    panel = screen.panels[SetupStep.SAMPLE]
    assert isinstance(panel, SamplePanel)
    session.wait(panel.draw.isEnabled)
    pressed(session, panel.draw, screen, "Drew 2 images from val")
    return panel


def open_evaluation(session: WindowSession, screen: SetupScreen) -> None:
    go_to(session, screen, SetupStep.PHASES)
    session.wait(screen.phases.cards[Phase.EVALUATE].open.isEnabled)
    session.click(screen.phases.cards[Phase.EVALUATE].open)
    asked = confirmation()
    assert GUIDE_FROZEN in words_of(asked)
    pressed(session, asked.do, screen, phase_open_text(Phase.EVALUATE))


def confirmation() -> ConfirmDialog:
    asked = QApplication.activeModalWidget()
    assert isinstance(asked, ConfirmDialog)
    return asked


def words_of(dialog: ConfirmDialog) -> str:
    return " ".join(each.text() for each in dialog.findChildren(QLabel))


def folder_of(session: WindowSession) -> Path:
    study = session.opened.navigation._study
    assert study is not None
    return study.places.folder
