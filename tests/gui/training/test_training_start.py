"""What to train on is chosen, suggested, saved; what waits is not ended unasked."""

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QDialog, QLabel

from labeler.app.study.home_cards import HomeCardKind
from labeler.core.training.request import TrainingSource
from labeler.ui.kit.input.key_caps import KeyCaps
from labeler.ui.training.open_training_dialog import OpenTrainingDialog
from labeler.ui.training.progress_screen import TrainingProgressScreen
from labeler.ui.training.suggestion_row import SuggestionRow
from tests.gui.small_study import MARMOT
from tests.gui.training_session import Training
from tests.gui.window_session import ALT, CONTROL, SHIFT


def test_a_family_is_saved_trained_on_and_forgotten(open_home: Callable[[], Training]) -> None:
    training = open_home()
    training.session.click(training.session.home().cards[HomeCardKind.TRAIN].button)
    start = training.start
    training.session.press(Qt.Key.Key_2, ALT)
    training.session.type_in("marmot")
    start.names.name.setText("mountain mice")
    training.session.click(start.names.save)
    training.session.wait(lambda: training.session.window.screen_shown is not start)

    start = training.start
    training.session.click(start.sources[TrainingSource.FAMILY])
    assert list(start.families.buttons) == ["mountain mice"]
    training.session.click(start.begin)
    training.wait_for_trial()
    assert training.target() == MARMOT


def test_what_can_not_be_trained_on_says_why(open_home: Callable[[], Training]) -> None:
    training = open_home()
    training.session.click(training.session.home().cards[HomeCardKind.TRAIN].button)
    start = training.start
    training.session.press(Qt.Key.Key_2, ALT)
    training.session.type_in("unicorn")

    assert "no class or branch called “unicorn”" in start.summary.text()
    assert not start.begin.isEnabled()
    start.manner.length.setFocus()
    start.manner.length.selectAll()
    training.session.type_in("0")
    training.session.press(Qt.Key.Key_1, ALT)
    assert start.summary.text() == "The length must be a number from 1 to 500."


def test_what_was_typed_for_another_question_goes_with_the_first_letter(
    open_home: Callable[[], Training],
) -> None:
    training = open_home()
    training.session.click(training.session.home().cards[HomeCardKind.TRAIN].button)
    start = training.start
    training.session.press(Qt.Key.Key_2, ALT)
    training.session.type_in("marmot, beaver")
    training.session.press(Qt.Key.Key_5, ALT)
    training.session.type_in("marmot")
    assert start.names.field.text() == "marmot"


def test_names_are_completed_with_the_keyboard(open_home: Callable[[], Training]) -> None:
    training = open_home()
    training.session.click(training.session.home().cards[HomeCardKind.TRAIN].button)
    start = training.start
    training.session.press(Qt.Key.Key_2, ALT)
    training.session.type_in("marm")
    training.session.press(Qt.Key.Key_Down)
    training.session.press(Qt.Key.Key_Return)
    training.session.type_in("rode")
    training.session.press(Qt.Key.Key_Tab)

    assert start.names.field.text() == "marmot, rodent, "
    assert start.summary.text() == "4 images, from beaver, marmot. No more are available."


@pytest.mark.qt_log_ignore("This plugin does not support")
def test_what_progress_suggests_is_begun_from_there_and_offered_before_a_training(
    training: Training,
) -> None:
    session = training.session
    training.answer(right=False)
    session.press(Qt.Key.Key_W, CONTROL)
    session.home()
    session.press(Qt.Key.Key_F4)
    progress = session.wait_for(TrainingProgressScreen)
    assert isinstance(progress, TrainingProgressScreen)
    session.wait(lambda: any(row.isVisible() for row in progress.findChildren(SuggestionRow)))
    session.press(Qt.Key.Key_1)
    question = asked(training)
    think_again(training)
    session.wait(lambda: session.opened.navigation.task is None)
    assert session.window.screen_shown is progress
    session.press(Qt.Key.Key_1)
    session.click(asked(training, but=question).replace)
    session.window.activateWindow()
    training.wait_for_trial()

    session.press(Qt.Key.Key_W, CONTROL)
    session.click(session.home().cards[HomeCardKind.TRAIN].button)
    assert training.start.go_on.isVisible()
    assert training.start.suggested.tiles


def asked(training: Training, but: QDialog | None = None) -> OpenTrainingDialog:
    """The question about the training that waits."""
    session = training.session

    def shown() -> list[OpenTrainingDialog]:
        found = session.window.findChildren(OpenTrainingDialog)
        return [each for each in found if each.isVisible() and each is not but]

    session.wait(lambda: bool(shown()) and shown()[0].go_on.hasFocus())
    return shown()[0]


def think_again(training: Training) -> None:
    """Leave the question unanswered, and have the keyboard where it was."""
    training.session.press(Qt.Key.Key_Escape)
    training.session.window.activateWindow()  # which a window system does by itself
    training.session.wait(lambda: QApplication.focusWidget() is not None)


def trainings(training: Training) -> list[tuple[str, bool]]:
    """What was asked for so far, and whether it has ended, the oldest first."""
    rows = training.session.study.read("SELECT source, ended_at FROM training ORDER BY begun_at")
    return [(source, ended is not None) for source, ended in rows]


@pytest.mark.qt_log_ignore("This plugin does not support")
def test_an_unfinished_training_is_not_ended_without_confirmation(
    training: Training,
) -> None:
    session = training.session
    training.answer()
    training.go_on()
    here = training.task.workbench.view.trial.trial_id
    session.press(Qt.Key.Key_W, CONTROL)
    session.click(session.home().cards[HomeCardKind.TRAIN].button)
    start = training.start
    session.press(Qt.Key.Key_1, ALT)
    session.press(Qt.Key.Key_Return, CONTROL)

    question = asked(training)
    texts = " ".join(each.text() for each in question.findChildren(QLabel))
    assert "Marmot, beaver: 1 of 4 images done." in texts
    for button in (question.cancel, question.replace, question.go_on):
        assert button.width() >= button.sizeHint().width()
    assert "It has to end before “Everything” starts. 3 images would stay unanswered" in texts
    think_again(training)
    assert session.window.screen_shown is start
    session.press(Qt.Key.Key_Return, CONTROL)
    asked(training, but=question)
    session.press(Qt.Key.Key_Return)
    training.wait_for_trial()
    assert training.task.workbench.view.trial.trial_id == here
    assert trainings(training) == [("subtrees", False)]


@pytest.mark.qt_log_ignore("This plugin does not support")
def test_a_suggestion_has_its_key_and_ends_what_waits_only_on_request(
    training: Training,
) -> None:
    session = training.session
    training.answer(right=False)
    session.press(Qt.Key.Key_W, CONTROL)
    session.click(session.home().cards[HomeCardKind.TRAIN].button)
    shown = [
        button.findChild(KeyCaps).accessibleName() for button in training.start.suggested.tiles
    ]
    assert shown == ["Ctrl 1", "Ctrl 2", "Ctrl 3"][: len(shown)]
    session.press(Qt.Key.Key_1, CONTROL)
    asked(training)
    session.press(Qt.Key.Key_E, CONTROL | SHIFT)
    training.wait_for_trial()

    assert training.position == 1
    assert [ended for _source, ended in trainings(training)] == [True, False]
