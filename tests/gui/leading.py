"""A lead at the set-up: the way there, and each step as a hand takes it."""

from pathlib import Path

from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QWidget

from labeler.app.study.setup.steps import SetupStep
from labeler.core.study.phases import Phase
from labeler.ui.study.setup.confirm_dialog import ConfirmDialog
from labeler.ui.study.setup.images_panel import ImagesPanel
from labeler.ui.study.setup.people_panel import PeoplePanel
from labeler.ui.study.setup.sample_panel import SamplePanel
from labeler.ui.study.setup.setup_screen import SetupScreen
from tests.gui.sitting import Sitting

MARMOT, BEAVER = "n02361337", "n02363005"
# So many looks in a row that are the same: between two of them the window has done what waited.
_LOOKS = 5


def set_up(sitting: Sitting) -> SetupScreen:
    sitting.press(Qt.Key.Key_F9)
    screen = sitting.wait_for(SetupScreen)
    assert isinstance(screen, SetupScreen)
    sitting.wait(screen.steps[SetupStep.IMAGES].isVisible)
    return screen


def at_rest(sitting: Sitting, within: QWidget, *parts: QWidget) -> list[QRect]:
    """Where the parts stand once a page that has just come is laid out to the end."""
    seen: list[list[QRect]] = []

    def rests() -> bool:
        seen.append([QRect(part.mapTo(within, QPoint()), part.size()) for part in parts])
        return len(seen) >= _LOOKS and all(appearance == seen[-1] for appearance in seen[-_LOOKS:])

    sitting.wait(rests)
    return seen[-1]


def pressed(sitting: Sitting, button: QAbstractButton, screen: SetupScreen, said: str) -> None:
    """Click, and wait for what comes of it."""
    sitting.click(button)
    sitting.wait(lambda: said in screen.said.sentence)


def go_to(sitting: Sitting, screen: SetupScreen, step: SetupStep) -> None:
    sitting.click(screen.steps[step])
    sitting.wait(screen.panels[step].isVisible)


def add_images(sitting: Sitting, screen: SetupScreen, folder: Path) -> ImagesPanel:
    panel = screen.panels[SetupStep.IMAGES]
    assert isinstance(panel, ImagesPanel)
    panel.preview_path(folder)
    sitting.wait(panel.add.isEnabled)
    pressed(sitting, panel.add, screen, "Added 4 images as evaluation dataset")
    return panel


def add_labeler(sitting: Sitting, screen: SetupScreen, code: str) -> PeoplePanel:
    go_to(sitting, screen, SetupStep.PEOPLE)
    panel = screen.panels[SetupStep.PEOPLE]
    assert isinstance(panel, PeoplePanel)
    sitting.click(panel.code)
    sitting.type_in(code)
    pressed(sitting, panel.add, screen, f"Added {code}")
    sitting.wait(lambda: panel.code.text() == "" and _listed(panel, code))
    return panel


def _listed(panel: PeoplePanel, code: str) -> bool:
    return bool(panel.people.findItems(code, Qt.MatchFlag.MatchExactly))


def draw(sitting: Sitting, screen: SetupScreen) -> SamplePanel:
    go_to(sitting, screen, SetupStep.SAMPLE)
    panel = screen.panels[SetupStep.SAMPLE]
    assert isinstance(panel, SamplePanel)
    sitting.wait(panel.draw.isEnabled)
    pressed(sitting, panel.draw, screen, "Drew 2 images from val")
    return panel


def open_evaluation(sitting: Sitting, screen: SetupScreen) -> None:
    go_to(sitting, screen, SetupStep.PHASES)
    sitting.wait(screen.phases.cards[Phase.EVALUATE].open.isEnabled)
    sitting.click(screen.phases.cards[Phase.EVALUATE].open)
    asked = confirmation()
    assert "the guide is frozen" in words_of(asked)
    pressed(sitting, asked.do, screen, "The evaluation is open.")


def confirmation() -> ConfirmDialog:
    asked = QApplication.activeModalWidget()
    assert isinstance(asked, ConfirmDialog)
    return asked


def words_of(dialog: ConfirmDialog) -> str:
    return " ".join(each.text() for each in dialog.findChildren(QLabel))


def folder_of(sitting: Sitting) -> Path:
    study = sitting.opened.navigation._study
    assert study is not None
    return study.places.folder
