"""A labeler trains in the window: answers, is reported, goes on, and comes back later."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QSettings, Qt

from labeler.app.labeling.workbench_view import WorkbenchStage
from labeler.app.study.home_cards import HomeCardKind
from labeler.ui.classes.class_view_stack import ClassViewMode
from labeler.ui.guide.editor_screen import GuideEditorScreen
from labeler.ui.kit.input.key_caps import KeyCaps
from labeler.ui.training.progress_screen import TrainingProgressScreen
from labeler.ui.training.training_band import NOT_EVALUATION
from labeler.ui.training.training_screen import TrainingWorkbenchScreen
from labeler.ui.window.hint_bar import CHOOSE_HINT
from labeler.ui.window.navigation import LaunchRequest
from tests.gui.forbidden import forbidden_in
from tests.gui.labeling.test_targets_change_nothing import give_other_targets, told_now
from tests.gui.searching import FoundText, all_texts
from tests.gui.small_study import BEAVER, MARMOT, SmallStudy, copied
from tests.gui.training_session import NAMES, Training
from tests.gui.window_session import CONTROL, SHIFT, WindowSession


def test_a_labeler_trains_on_marmot_and_beaver_until_the_missed_class_is_known(
    training: Training, open_home: Callable[[], Training]
) -> None:
    missed = training.target()
    training.answer(right=False)
    met = [missed]
    while True:
        training.session.press(Qt.Key.Key_Return)
        training.session.wait(lambda: training.stage is not WorkbenchStage.FEEDBACK)
        if training.task.workbench.view.trial is None:
            break
        training.wait_for_trial()
        met.append(training.target())
        training.answer()

    summary = training.summary()
    assert met.count(missed) == 2
    assert (summary.view.right, summary.view.wrong) == (3, 1)
    assert summary.band.isVisible()
    assert NOT_EVALUATION in summary.band.accessibleName()
    assert [each.wnid for each in summary.view.again] == [missed]
    training.session.window.close()

    later = open_home()
    card = later.session.home().cards[HomeCardKind.TRAIN]
    assert "4" in later.session.texts()
    assert card.button is not None


def test_a_wrong_answer_is_reported_in_word_shape_and_colour_with_both_classes(
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
    sights = training.task.tools.class_view
    assert sights.stack.mode is ClassViewMode.COMPARISON
    assert [column.wnid for column in sights.comparison.columns] == [other, target]
    assert sights.comparison.differences.isVisible()


def test_a_right_answer_is_reported_with_its_references(training: Training) -> None:
    target = training.target()
    training.answer()

    assert training.screen.feedback.word.text() == "Right:"
    assert training.screen.feedback.heading.text() == NAMES[target]
    assert training.task.tools.browser.view.wnid == target
    assert training.task.tools.class_view.stack.mode is ClassViewMode.REFERENCES


def test_after_feedback_nothing_is_left_to_choose_and_enter_continues_from_the_comparison(
    training: Training,
) -> None:
    training.answer(right=False)
    before = training.task.workbench.trial
    comparison = training.task.tools.class_view.comparison
    assert not any(column.choose.isVisible() for column in comparison.columns)
    assert "next image" in training.session.texts()
    assert CHOOSE_HINT not in training.session.texts()
    training.session.click(comparison.columns[0], QPoint(20, 12))
    training.session.wait(comparison.hasFocus)
    training.session.press(Qt.Key.Key_Return)
    training.session.wait(lambda: training.task.workbench.trial is not before)
    training.wait_for_trial()
    assert CHOOSE_HINT in training.session.texts()


def test_the_next_image_comes_without_anything_of_the_one_before(training: Training) -> None:
    training.answer(right=False)
    training.go_on()

    assert training.screen.answer.isVisible()
    assert training.task.tools.finder.results.verticalScrollBar().value() == 0
    assert training.task.tools.shortlisted == ()
    assert training.task.tools.browser.view.wnid is None
    assert training.task.tools.class_view.stack.mode is ClassViewMode.REFERENCES


def test_nothing_is_on_the_strip_before_the_answer(training: Training) -> None:
    bar = training.screen.feedback

    assert not bar.isVisible()
    assert (bar.word.text(), bar.heading.text(), bar.details.text()) == ("", "", "")


@pytest.mark.qt_log_ignore("This plugin does not support")
def test_no_part_of_a_training_tells_a_dataset_a_file_or_another_person(
    open_home: Callable[[], Training], study: SmallStudy
) -> None:
    forbidden = forbidden_in(study)
    training = open_home()
    training.session.click(training.session.home().cards[HomeCardKind.TRAIN].button)
    assert training.start
    assert forbidden.found_in(all_texts()) == []
    training.session.press(Qt.Key.Key_W, CONTROL)
    training.begin()
    assert forbidden.found_in(all_texts()) == []
    training.answer(right=False)
    assert forbidden.found_in(all_texts()) == []
    training.session.press(Qt.Key.Key_E, CONTROL | SHIFT)
    assert training.summary()
    assert forbidden.found_in(all_texts()) == []


def test_until_the_answer_is_stored_the_window_says_the_same_whatever_the_targets_are(
    open_session: Callable[..., WindowSession],
    training_study_once: Path,
    tmp_path: Path,
    settings: QSettings,
) -> None:
    def told(
        change: Callable[[SmallStudy], None],
    ) -> tuple[set[FoundText], set[FoundText], set[FoundText]]:
        settings.clear()
        folder = tmp_path / "one after the other"
        shutil.rmtree(folder, ignore_errors=True)
        change(copied(training_study_once, folder))
        session = open_session(LaunchRequest(study=folder))
        training = Training(session)
        session.click(session.sign_in().cards[HomeCardKind.TRAIN].button)
        session.click(training.start.begin)  # everything, in an order that no target changes
        training.wait_for_trial()
        at_first = told_now(session)
        session.choose("beaver")
        session.wait(lambda: bool(training.task.tools.class_view.panel.grid.tiles))
        chosen = told_now(session)
        session.press(Qt.Key.Key_Return)
        session.wait(lambda: training.stage is WorkbenchStage.FEEDBACK)
        afterwards = told_now(session)
        session.press(Qt.Key.Key_Q, CONTROL)
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
    training.session.choose("marmot")
    training.session.window.close()

    later = open_home()
    later.session.press(Qt.Key.Key_Return)
    assert later.start.go_on.isVisible()
    later.session.press(Qt.Key.Key_Return)
    later.wait_for_trial()

    view = later.task.workbench.view
    assert view.trial.trial_id == here
    assert view.answer.label.wnid == MARMOT


def test_a_training_ends_when_the_labeler_wants_and_continues_with_one_key(
    training: Training,
) -> None:
    training.answer(right=False)
    training.session.press(Qt.Key.Key_E, CONTROL | SHIFT)

    summary = training.summary()
    assert (summary.view.right, summary.view.wrong) == (0, 1)
    training.session.wait(lambda: all(row.image.shows_image for row in summary.missed))
    assert len(summary.missed) == 1
    training.session.wait(summary.again.hasFocus)
    training.session.press(Qt.Key.Key_Return)
    training.wait_for_trial()
    assert training.position == 1


def test_from_the_summary_every_way_has_its_key(training: Training) -> None:
    training.answer(right=False)
    training.session.press(Qt.Key.Key_E, CONTROL | SHIFT)
    summary = training.summary()
    ways = (summary.again, summary.other, summary.progress, summary.home)
    keys = [way.findChild(KeyCaps).accessibleName() for way in ways]
    assert keys == ["⏎", "Ctrl N", "F4", "Ctrl W"]
    training.session.wait(summary.again.hasFocus)
    training.session.press(Qt.Key.Key_N, CONTROL)
    assert training.start
    training.begin_there()
    training.session.press(Qt.Key.Key_E, CONTROL | SHIFT)
    training.summary()
    training.session.press(Qt.Key.Key_F4)
    training.session.wait_for(TrainingProgressScreen)


def test_a_mistake_is_written_down_in_the_guide_and_the_feedback_comes_back(
    training: Training,
) -> None:
    training.answer(right=False)
    training.session.press(Qt.Key.Key_N, CONTROL | SHIFT)

    editors = training.session.window.findChildren(GuideEditorScreen)
    training.session.wait(lambda: any(editor.isVisible() for editor in editors))
    training.session.wait(lambda: training.task._writing.editor.text != "")
    training.session.press(Qt.Key.Key_Escape)

    training.session.wait_for(TrainingWorkbenchScreen)
    assert training.screen.feedback.isVisible()
    training.session.wait(training.task.tools.finder.field.hasFocus)
    training.go_on()
