"""A labeler trains in the window: chooses, answers, is told, goes on, and comes back later."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QSettings, Qt
from PySide6.QtWidgets import QApplication, QDialog, QLabel

from labeler.app.presenters.home import Card
from labeler.app.presenters.workbench_views import Stage
from labeler.core.training import Source
from labeler.ui.dialogs.open_training import OpenTrainingDialog
from labeler.ui.screens.guide_editor import GuideEditorScreen
from labeler.ui.screens.training import TrainingScreen
from labeler.ui.screens.training_progress import TrainingProgressScreen
from labeler.ui.screens.training_start import TrainingStartScreen
from labeler.ui.screens.training_summary import TrainingSummaryScreen
from labeler.ui.shell import Wish
from labeler.ui.training import TrainingJourney, TrainingTask
from labeler.ui.widgets.key_caps import KeyCaps
from labeler.ui.widgets.sight import Sight
from labeler.ui.widgets.suggestion_row import SuggestionRow
from tests.gui.forbidden import forbidden_in
from tests.gui.searching import Told, everything_told
from tests.gui.sitting import ALT, CONTROL, SHIFT, Sitting
from tests.gui.small_study import BEAVER, MARMOT, SmallStudy, copied
from tests.gui.test_targets_change_nothing import give_other_targets, told_now
from tests.gui.training_study import make_training_study

NAMES = {BEAVER: "beaver", MARMOT: "marmot"}


class Training:
    """A labeler who trains at the real window."""

    def __init__(self, sitting: Sitting) -> None:
        self.sitting = sitting

    @property
    def start(self) -> TrainingStartScreen:
        screen = self.sitting.wait_for(TrainingStartScreen)
        assert isinstance(screen, TrainingStartScreen)
        return screen

    @property
    def task(self) -> TrainingTask:
        journey = self.sitting.opened.shell.task
        assert isinstance(journey, TrainingJourney)
        assert journey.task is not None
        return journey.task

    @property
    def screen(self) -> TrainingScreen:
        return self.task.screen

    @property
    def stage(self) -> Stage:
        return self.task.workbench.view.stage

    @property
    def position(self) -> int:
        trial = self.task.workbench.view.trial
        assert trial is not None
        return trial.position

    def target(self) -> str:
        """What the image shows, which only a test may know before the answer."""
        trial = self.task.workbench.view.trial
        assert trial is not None
        rows = self.sitting.study.read(
            "SELECT wnid FROM class JOIN image ON target_id = class.id"
            " JOIN trial ON image_id = image.id WHERE trial.id = ?",
            trial.trial_id.replace("-", ""),
        )
        return rows[0][0]

    def begin(self, names: str = "marmot, beaver") -> None:
        """From home into a training, with the keyboard alone."""
        self.sitting.click(self.sitting.home().cards[Card.TRAIN].button)
        start = self.start
        self.sitting.press(Qt.Key.Key_2, ALT)
        self.sitting.wait(start.names.field.hasFocus)
        self.sitting.type_in(names)
        self.sitting.press(Qt.Key.Key_Return)
        self.wait_for_trial()

    def wait_for_trial(self) -> None:
        self.sitting.wait_for(TrainingScreen)
        self.sitting.wait(self._is_shown)

    def _is_shown(self) -> bool:
        trial = self.task.workbench.trial
        shown = self.stage is Stage.TRIAL and trial is not None and trial.is_shown
        return shown and self.task.tools.is_awake

    def answer(self, *, right: bool = True) -> None:
        """Answer the trial and wait for what is told."""
        target = self.target()
        given = target if right else (MARMOT if target == BEAVER else BEAVER)
        self.sitting.press(Qt.Key.Key_F, CONTROL)
        self.sitting.press(Qt.Key.Key_Escape)
        self.sitting.type_in(NAMES[given])
        self.sitting.press(Qt.Key.Key_Return)
        self.sitting.press(Qt.Key.Key_Return)
        self.sitting.wait(lambda: self.stage is Stage.FEEDBACK)

    def go_on(self) -> None:
        before = self.task.workbench.trial
        self.sitting.press(Qt.Key.Key_Return)
        self.sitting.wait(lambda: self.task.workbench.trial is not before)
        if self.stage is not Stage.STORING:
            self.wait_for_trial()

    def summary(self) -> TrainingSummaryScreen:
        screen = self.sitting.wait_for(TrainingSummaryScreen)
        assert isinstance(screen, TrainingSummaryScreen)
        return screen


@pytest.fixture(scope="session")
def training_study_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_training_study(tmp_path_factory.mktemp("training"))


@pytest.fixture
def study(training_study_once: Path, tmp_path: Path) -> SmallStudy:
    return copied(training_study_once, tmp_path / "study")


@pytest.fixture
def open_home(sit_down: Callable[..., Sitting], study: SmallStudy) -> Callable[[], Training]:
    """Opens the window, as often as wanted, at the home of labeler A."""

    def open_it() -> Training:
        sitting = sit_down(Wish(study=study.folder))
        sitting.sign_in()
        return Training(sitting)

    return open_it


@pytest.fixture
def training(open_home: Callable[[], Training]) -> Training:
    made = open_home()
    made.begin()
    return made


def test_a_labeler_trains_on_marmot_and_beaver_until_the_missed_class_is_known(
    training: Training, open_home: Callable[[], Training]
) -> None:
    missed = training.target()
    training.answer(right=False)
    met = [missed]
    while True:
        training.sitting.press(Qt.Key.Key_Return)
        training.sitting.wait(lambda: training.stage is not Stage.FEEDBACK)
        if training.task.workbench.view.trial is None:
            break
        training.wait_for_trial()
        met.append(training.target())
        training.answer()

    summary = training.summary()
    assert met.count(missed) == 2
    assert (summary.view.right, summary.view.wrong) == (3, 1)
    assert [each.wnid for each in summary.view.again] == [missed]
    training.sitting.window.close()

    later = open_home()
    card = later.sitting.home().cards[Card.TRAIN]
    assert "4" in later.sitting.texts()
    assert card.button is not None


def test_a_wrong_answer_is_told_in_word_shape_and_colour_with_both_classes(
    training: Training,
) -> None:
    target = training.target()
    training.answer(right=False)

    bar = training.screen.feedback
    other = MARMOT if target == BEAVER else BEAVER
    assert bar.isVisible()
    assert not training.screen.answer.isVisible()
    assert (bar.word.text(), bar.heading.text()) == (
        "Wrong:",
        f"{NAMES[target]}, not {NAMES[other]}",
    )
    sights = training.task.tools.sights
    assert sights.glass.sight is Sight.COMPARISON
    assert [column.wnid for column in sights.comparison.columns] == [other, target]
    assert sights.comparison.told_apart.isVisible()


def test_a_right_answer_is_told_with_its_references(training: Training) -> None:
    target = training.target()
    training.answer()

    assert training.screen.feedback.word.text() == "Right:"
    assert training.screen.feedback.heading.text() == NAMES[target]
    assert training.task.tools.browser.view.wnid == target
    assert training.task.tools.sights.glass.sight is Sight.REFERENCES


def test_the_next_image_comes_without_anything_of_the_one_before(training: Training) -> None:
    training.answer(right=False)
    training.go_on()

    assert training.screen.answer.isVisible()
    assert training.task.tools.shortlisted == ()
    assert training.task.tools.browser.view.wnid is None
    assert training.task.tools.sights.glass.sight is Sight.REFERENCES


def test_nothing_is_on_the_strip_before_the_answer(training: Training) -> None:
    bar = training.screen.feedback

    assert not bar.isVisible()
    assert (bar.word.text(), bar.heading.text(), bar.told.text()) == ("", "", "")


@pytest.mark.qt_log_ignore("This plugin does not support")
def test_no_part_of_a_training_tells_a_dataset_a_file_or_another_person(
    open_home: Callable[[], Training], study: SmallStudy
) -> None:
    forbidden = forbidden_in(study)
    training = open_home()
    training.sitting.click(training.sitting.home().cards[Card.TRAIN].button)
    assert training.start
    assert forbidden.found_in(everything_told()) == []
    training.sitting.press(Qt.Key.Key_W, CONTROL)
    training.begin()
    assert forbidden.found_in(everything_told()) == []
    training.answer(right=False)
    assert forbidden.found_in(everything_told()) == []
    training.sitting.press(Qt.Key.Key_E, CONTROL | SHIFT)
    assert training.summary()
    assert forbidden.found_in(everything_told()) == []


def test_until_the_answer_is_stored_the_window_says_the_same_whatever_the_targets_are(
    sit_down: Callable[..., Sitting],
    training_study_once: Path,
    tmp_path: Path,
    settings: QSettings,
) -> None:
    def told(change: Callable[[SmallStudy], None]) -> tuple[set[Told], set[Told], set[Told]]:
        settings.clear()
        folder = tmp_path / "one after the other"
        shutil.rmtree(folder, ignore_errors=True)
        change(copied(training_study_once, folder))
        sitting = sit_down(Wish(study=folder))
        training = Training(sitting)
        sitting.click(sitting.sign_in().cards[Card.TRAIN].button)
        sitting.click(training.start.begin)  # everything, in an order that no target changes
        training.wait_for_trial()
        at_first = told_now(sitting)
        sitting.choose("beaver")
        sitting.wait(lambda: bool(training.task.tools.sights.panel.grid.tiles))
        chosen = told_now(sitting)
        sitting.press(Qt.Key.Key_Return)
        sitting.wait(lambda: training.stage is Stage.FEEDBACK)
        afterwards = told_now(sitting)
        sitting.press(Qt.Key.Key_Q, CONTROL)
        return at_first, chosen, afterwards

    one = told(lambda _study: None)
    other = told(lambda study: give_other_targets(study, "training"))

    for before, otherwise in zip(one[:2], other[:2], strict=True):
        assert (before - otherwise, otherwise - before) == (set(), set())
    assert one[2] != other[2]


def test_a_closed_window_comes_back_to_the_same_image(
    training: Training, open_home: Callable[[], Training]
) -> None:
    training.answer()
    training.go_on()
    here = training.task.workbench.view.trial.trial_id
    training.sitting.choose("marmot")
    training.sitting.window.close()

    later = open_home()
    later.sitting.press(Qt.Key.Key_Return)
    assert later.start.go_on.isVisible()
    later.sitting.press(Qt.Key.Key_Return)
    later.wait_for_trial()

    view = later.task.workbench.view
    assert view.trial.trial_id == here
    assert view.answer.label.wnid == MARMOT


def test_a_training_ends_when_the_labeler_wants_and_goes_on_with_one_key(
    training: Training,
) -> None:
    training.answer(right=False)
    training.sitting.press(Qt.Key.Key_E, CONTROL | SHIFT)

    summary = training.summary()
    assert (summary.view.right, summary.view.wrong) == (0, 1)
    training.sitting.wait(summary.again.hasFocus)
    training.sitting.press(Qt.Key.Key_Return)
    training.wait_for_trial()
    assert training.position == 1


def test_a_mistake_is_written_down_in_the_guide_and_the_feedback_comes_back(
    training: Training,
) -> None:
    training.answer(right=False)
    training.sitting.press(Qt.Key.Key_N, CONTROL | SHIFT)

    editors = training.sitting.window.findChildren(GuideEditorScreen)
    training.sitting.wait(lambda: any(editor.isVisible() for editor in editors))
    training.sitting.wait(lambda: training.task._writing.editor.text != "")
    training.sitting.press(Qt.Key.Key_Escape)

    training.sitting.wait_for(TrainingScreen)
    assert training.screen.feedback.isVisible()
    training.sitting.wait(training.task.tools.finder.field.hasFocus)
    training.go_on()


def test_a_family_is_saved_trained_on_and_forgotten(open_home: Callable[[], Training]) -> None:
    training = open_home()
    training.sitting.click(training.sitting.home().cards[Card.TRAIN].button)
    start = training.start
    training.sitting.press(Qt.Key.Key_2, ALT)
    training.sitting.type_in("marmot")
    start.names.name.setText("mountain mice")
    training.sitting.click(start.names.save)
    training.sitting.wait(lambda: training.sitting.window.screen_shown is not start)

    start = training.start
    training.sitting.click(start.sources[Source.FAMILY])
    assert list(start.families.buttons) == ["mountain mice"]
    training.sitting.click(start.begin)
    training.wait_for_trial()
    assert training.target() == MARMOT


def test_what_can_not_be_trained_on_says_why(open_home: Callable[[], Training]) -> None:
    training = open_home()
    training.sitting.click(training.sitting.home().cards[Card.TRAIN].button)
    start = training.start
    training.sitting.press(Qt.Key.Key_2, ALT)
    training.sitting.type_in("unicorn")

    assert "no class or branch called “unicorn”" in start.summary.text()
    assert not start.begin.isEnabled()
    start.manner.length.setFocus()
    start.manner.length.selectAll()
    training.sitting.type_in("0")
    training.sitting.press(Qt.Key.Key_1, ALT)
    assert start.summary.text() == "The length is a number from 1 to 500."


def test_names_are_completed_with_the_keyboard(open_home: Callable[[], Training]) -> None:
    training = open_home()
    training.sitting.click(training.sitting.home().cards[Card.TRAIN].button)
    start = training.start
    training.sitting.press(Qt.Key.Key_2, ALT)
    training.sitting.type_in("marm")
    training.sitting.press(Qt.Key.Key_Down)
    training.sitting.press(Qt.Key.Key_Return)
    training.sitting.type_in("rode")
    training.sitting.press(Qt.Key.Key_Tab)

    assert start.names.field.text() == "marmot, rodent, "
    assert start.summary.text() == "4 images, from beaver, marmot. That is all there are."


@pytest.mark.qt_log_ignore("This plugin does not support")
def test_what_progress_suggests_is_begun_from_there_and_offered_before_a_training(
    training: Training,
) -> None:
    sitting = training.sitting
    training.answer(right=False)
    sitting.press(Qt.Key.Key_W, CONTROL)
    sitting.home()
    sitting.press(Qt.Key.Key_F4)
    progress = sitting.wait_for(TrainingProgressScreen)
    assert isinstance(progress, TrainingProgressScreen)
    sitting.wait(lambda: any(row.isVisible() for row in progress.findChildren(SuggestionRow)))
    sitting.press(Qt.Key.Key_1)
    question = asked(training)
    think_again(training)
    sitting.wait(lambda: sitting.opened.shell.task is None)
    assert sitting.window.screen_shown is progress
    sitting.press(Qt.Key.Key_1)
    sitting.click(asked(training, but=question).replace)
    sitting.window.activateWindow()
    training.wait_for_trial()

    sitting.press(Qt.Key.Key_W, CONTROL)
    sitting.click(sitting.home().cards[Card.TRAIN].button)
    assert training.start.go_on.isVisible()
    assert training.start.suggested


def asked(training: Training, but: QDialog | None = None) -> OpenTrainingDialog:
    """The question about the training that waits."""
    sitting = training.sitting

    def shown() -> list[OpenTrainingDialog]:
        found = sitting.window.findChildren(OpenTrainingDialog)
        return [each for each in found if each.isVisible() and each is not but]

    sitting.wait(lambda: bool(shown()) and shown()[0].go_on.hasFocus())
    return shown()[0]


def think_again(training: Training) -> None:
    """Leave the question unanswered, and have the keyboard where it was."""
    training.sitting.press(Qt.Key.Key_Escape)
    training.sitting.window.activateWindow()  # which a window system does by itself
    training.sitting.wait(lambda: QApplication.focusWidget() is not None)


def trainings(training: Training) -> list[tuple[str, bool]]:
    """What was asked for so far, and whether it has ended, the oldest first."""
    rows = training.sitting.study.read("SELECT source, ended_at FROM training ORDER BY begun_at")
    return [(source, ended is not None) for source, ended in rows]


@pytest.mark.qt_log_ignore("This plugin does not support")
def test_a_training_that_waits_is_gone_on_with_rather_than_ended_unasked(
    training: Training,
) -> None:
    sitting = training.sitting
    training.answer()
    training.go_on()
    here = training.task.workbench.view.trial.trial_id
    sitting.press(Qt.Key.Key_W, CONTROL)
    sitting.click(sitting.home().cards[Card.TRAIN].button)
    start = training.start
    sitting.press(Qt.Key.Key_1, ALT)
    sitting.press(Qt.Key.Key_Return, CONTROL)

    question = asked(training)
    told = " ".join(each.text() for each in question.findChildren(QLabel))
    assert "Marmot, beaver: 1 of 4 images done." in told
    assert "To begin “Everything”, it has to end: 3 images stay unanswered" in told
    think_again(training)
    assert sitting.window.screen_shown is start
    sitting.press(Qt.Key.Key_Return, CONTROL)
    asked(training, but=question)
    sitting.press(Qt.Key.Key_Return)
    training.wait_for_trial()
    assert training.task.workbench.view.trial.trial_id == here
    assert trainings(training) == [("subtrees", False)]


@pytest.mark.qt_log_ignore("This plugin does not support")
def test_a_suggestion_has_its_key_and_ends_what_waits_only_when_told_to(
    training: Training,
) -> None:
    sitting = training.sitting
    training.answer(right=False)
    sitting.press(Qt.Key.Key_W, CONTROL)
    sitting.click(sitting.home().cards[Card.TRAIN].button)
    shown = [button.findChild(KeyCaps).accessibleName() for button in training.start.suggested]
    assert shown == ["Ctrl 1", "Ctrl 2", "Ctrl 3"][: len(shown)]
    sitting.press(Qt.Key.Key_1, CONTROL)
    asked(training)
    sitting.press(Qt.Key.Key_E, CONTROL | SHIFT)
    training.wait_for_trial()

    assert training.position == 1
    assert [ended for _source, ended in trainings(training)] == [True, False]
