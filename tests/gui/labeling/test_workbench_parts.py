"""The small parts of the workbench: answer bar, progress, note, recent classes."""

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLabel, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from labeler.app.keymap import Action, Keymap, load_keymap
from labeler.app.labeling.evaluation_flow import FIRST_IMAGE
from labeler.app.labeling.workbench_view import (
    AnswerView,
    ChosenClass,
    ClockView,
    TrialProgressView,
    WorkbenchStage,
    WorkbenchView,
)
from labeler.core.labeling.answers import Question, TrialFlag
from labeler.core.labeling.blind_types import BlindTrial
from labeler.ui.kit.charts.task_progress import TaskProgressBar
from labeler.ui.kit.input.form_fields import NoteField
from labeler.ui.labeling.answer_bar import FLAG_TEXT, FLAGGED_TEXT, RESUME_TEXT, AnswerBar
from labeler.ui.labeling.recent_classes_row import RecentClassesRow
from labeler.ui.window.theme import Appearance

# The screenless platform says so whenever a widget has a size of its own.
pytestmark = pytest.mark.qt_log_ignore("This plugin does not support propagateSizeHints")

BEAVER = ChosenClass("n02363005", "beaver", "animal › mammal › rodent")
MARMOT = ChosenClass("n02361337", "marmot", "animal › mammal › rodent")
TRIAL = BlindTrial(trial_id="t", position=3, total=2000, answered=False, marked=False)
AT_WORK: WorkbenchView[object] = WorkbenchView(stage=WorkbenchStage.TRIAL, trial=TRIAL)
SAME_CLASS = (
    "The intended subject can't be the same class as your answer: choose another class, or take "
    "the escape hatch back."
)
ANSWERED = replace(AT_WORK, answer=AnswerView(label=BEAVER))


@pytest.fixture
def keymap() -> Keymap:
    return load_keymap()


@pytest.fixture
def bar(appearance: Appearance, keymap: Keymap, qtbot: QtBot) -> AnswerBar:
    made = AnswerBar(appearance, keymap)
    qtbot.addWidget(made)
    made.render_answer(AT_WORK)
    made.show()
    qtbot.waitUntil(made.isActiveWindow)
    return made


def texts(widget: QWidget) -> list[str]:
    return [w.text() for w in widget.findChildren(QLabel) if w.isVisible() and w.text()]


def test_the_answer_bar_offers_to_submit_what_is_chosen(bar: AnswerBar) -> None:
    assert "Nothing chosen yet" in texts(bar)
    assert not bar.submit.isEnabled()
    bar.render_answer(ANSWERED)
    assert {"beaver", "animal › mammal › rodent"} <= set(texts(bar))
    assert bar.submit.isEnabled()


def test_an_escape_hatch_asks_for_the_alternative_before_it_can_be_submitted(
    bar: AnswerBar,
) -> None:
    hatch = AnswerView(label=BEAVER, escape_hatch=True)
    bar.render_answer(replace(AT_WORK, answer=hatch))
    assert any("choose the class of the intended subject" in text for text in texts(bar))
    assert (bar.escape_hatch.isChecked(), bar.submit.isEnabled()) == (True, False)
    given = replace(hatch, alternative=MARMOT)
    bar.render_answer(replace(AT_WORK, answer=given))
    assert any("marmot" in text for text in texts(bar))
    assert bar.submit.isEnabled()


@pytest.mark.parametrize(
    ("stage", "words", "enabled"),
    [
        (WorkbenchStage.TRIAL, "Submit", True),
        (WorkbenchStage.PAUSED, "Submit", False),
        (WorkbenchStage.STORING, "Submit", False),
        (WorkbenchStage.NOT_STORED, "Try again", True),
    ],
)
def test_submit_says_what_it_can_do_at_each_stage(
    bar: AnswerBar, stage: WorkbenchStage, words: str, enabled: bool
) -> None:
    bar.render_answer(replace(ANSWERED, stage=stage))
    assert (bar.submit.words, bar.submit.isEnabled()) == (words, enabled)
    assert bar.submit.accessibleName() == words
    assert bar.mark.isEnabled() is (stage is WorkbenchStage.TRIAL)


def test_no_answer_makes_the_bar_higher(bar: AnswerBar) -> None:
    empty = bar.sizeHint().height()
    hatch = AnswerView(label=BEAVER, escape_hatch=True)
    for answer in (AnswerView(label=BEAVER), hatch, replace(hatch, alternative=MARMOT)):
        bar.render_answer(replace(AT_WORK, answer=answer))
        bar.ensurePolished()
        assert bar.sizeHint().height() == empty


def test_the_alternative_and_a_refusal_can_be_read_to_their_end(bar: AnswerBar) -> None:
    bar.resize(640, bar.sizeHint().height())
    ptarmigan = ChosenClass("n01795545", "black grouse, the one of the moors", "animal › bird")
    hatch = AnswerView(label=BEAVER, escape_hatch=True, alternative=ptarmigan, is_revision=True)
    bar.render_answer(replace(AT_WORK, answer=hatch))
    shown = _label(bar, "Escape hatch: the intended subject is black grouse, the one of the moors")
    assert shown.fontMetrics().horizontalAdvance(shown.text()) <= shown.width()
    assert _label(bar, "Your answer, given before").isVisible()
    height = bar.sizeHint().height()
    bar.render_answer(replace(AT_WORK, answer=hatch, notice=SAME_CLASS))
    QApplication.processEvents()
    refusal = _label(bar, SAME_CLASS)
    assert refusal.heightForWidth(refusal.width()) <= refusal.height()
    assert bar.sizeHint().height() == height


def test_a_note_is_written_without_moving_anything(bar: AnswerBar) -> None:
    bar.render_answer(ANSWERED)
    bar.resize(640, bar.sizeHint().height())
    before = bar.sizeHint(), bar.submit.geometry(), bar.note_button.geometry()
    bar.edit_note()
    QApplication.processEvents()
    assert bar.note.isVisible()
    assert (bar.sizeHint(), bar.submit.geometry(), bar.note_button.geometry()) == before
    assert not bar.note.geometry().intersects(bar.submit.geometry())
    assert bar.note.viewport().height() >= 2 * bar.note.fontMetrics().lineSpacing()


def test_a_notice_that_comes_while_a_note_is_written_can_be_read(bar: AnswerBar) -> None:
    bar.edit_note()
    bar.render_answer(replace(AT_WORK, notice="No class is chosen yet."))
    above = [text for text in bar.findChildren(QLabel) if text.text() == "No class is chosen yet."]
    assert any(not bar.note.geometry().intersects(text.geometry()) for text in above)


def test_resume_is_as_wide_as_pause(bar: AnswerBar) -> None:
    bar.resize(640, bar.sizeHint().height())
    before = bar.pause.geometry(), bar.flag.geometry()
    bar.render_answer(replace(ANSWERED, stage=WorkbenchStage.PAUSED))
    QApplication.processEvents()
    assert bar.pause.words == RESUME_TEXT
    assert (bar.pause.geometry(), bar.flag.geometry()) == before


def _label(widget: QWidget, text: str) -> QLabel:
    return next(w for w in widget.findChildren(QLabel) if w.isVisible() and w.text() == text)


def test_a_flagged_image_says_so_in_words_and_on_its_button(bar: AnswerBar, qtbot: QtBot) -> None:
    flags = frozenset({TrialFlag.INAPPROPRIATE})
    flagged = replace(AT_WORK, trial=replace(TRIAL, flagged=True), answer=AnswerView(flags=flags))
    wide = bar.flag.sizeHint().width()
    bar.render_answer(flagged)
    assert "Flagged: inappropriate" in texts(bar)
    assert "Nothing chosen yet" not in texts(bar)
    assert (bar.flag.words, bar.flag.isChecked()) == (FLAGGED_TEXT, True)
    assert bar.flag.sizeHint().width() == wide
    qtbot.mouseClick(bar.flag, Qt.MouseButton.LeftButton)
    assert bar.flag.isChecked(), "a press only offers reasons"
    answered = replace(flagged, answer=AnswerView(label=BEAVER, flags=flags))
    bar.render_answer(answered)
    assert "Your answer · flagged: inappropriate" in texts(bar)
    bar.render_answer(replace(flagged, trial=TRIAL))
    assert (bar.flag.words, bar.flag.isChecked()) == (FLAG_TEXT, False)
    assert "Nothing chosen yet" in texts(bar)


def test_a_change_that_is_not_submitted_is_not_called_an_answer_given_before(
    bar: AnswerBar,
) -> None:
    given = AnswerView(label=BEAVER, is_revision=True)
    bar.render_answer(replace(AT_WORK, answer=given))
    assert "Your answer, given before" in texts(bar)
    changed = replace(given, label=MARMOT, is_changed=True, before=BEAVER)
    bar.render_answer(replace(AT_WORK, answer=changed))
    assert "Your change, not submitted yet · before: beaver" in texts(bar)
    bar.render_answer(replace(AT_WORK, answer=replace(given, is_changed=True, note="blurred")))
    assert "Your answer, with a change that isn't submitted yet" in texts(bar)


def test_every_button_says_which_action_it_represents(bar: AnswerBar, qtbot: QtBot) -> None:
    bar.render_answer(ANSWERED)
    heard: list[Action] = []
    bar.pressed.connect(heard.append)
    for button in (bar.submit, bar.escape_hatch, bar.known, bar.mark, bar.back, bar.flag):
        qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert heard == [
        Action.SUBMIT,
        Action.ESCAPE_HATCH,
        Action.KNOW_IMAGE,
        Action.MARK_TRIAL,
        Action.PREVIOUS_TRIAL,
        Action.FLAG_IMAGE,
    ]


def test_confidence_is_asked_for_only_where_the_study_asks(bar: AnswerBar) -> None:
    assert not bar.confidence.isVisible()
    bar.render_answer(
        replace(AT_WORK, answer=AnswerView(questions=frozenset(Question), confidence=4))
    )
    assert (bar.recent.isVisible(), bar.confidence.isVisible()) == (True, False)
    asked = AnswerView(label=BEAVER, questions=frozenset(Question), confidence=4)
    bar.render_answer(replace(AT_WORK, answer=asked))
    assert (bar.recent.isVisible(), bar.confidence.isVisible()) == (False, True)
    assert [level.isChecked() for level in bar.confidence.levels] == [False] * 3 + [True, False]


def test_a_notice_or_a_trouble_is_reported_and_taken_back(bar: AnswerBar) -> None:
    bar.render_answer(replace(AT_WORK, notice=FIRST_IMAGE))
    assert FIRST_IMAGE in texts(bar)
    bar.render_answer(replace(AT_WORK, problem="The disk is full.", notice="Something else."))
    assert "The disk is full." in texts(bar)
    bar.render_answer(AT_WORK)
    assert not {"The disk is full.", FIRST_IMAGE} & set(texts(bar))


def test_a_note_is_in_sight_while_it_is_written_and_where_there_is_one(
    bar: AnswerBar,
) -> None:
    assert not bar.note.isVisible()
    bar.edit_note()
    bar.render_answer(AT_WORK)
    assert bar.note.isVisible()
    assert bar.note.hasFocus()
    bar.mark.setFocus()
    bar.render_answer(AT_WORK)
    assert not bar.note.isVisible()
    bar.render_answer(replace(AT_WORK, answer=AnswerView(note="blurred")))
    assert "Note: blurred" in texts(bar)
    bar.edit_note()
    assert bar.note.toPlainText() == "blurred"


def test_the_note_tells_what_a_person_types_and_not_what_is_rendered(qtbot: QtBot) -> None:
    note = NoteField()
    qtbot.addWidget(note)
    heard: list[str] = []
    note.edited.connect(heard.append)
    note.show_text("ab")
    assert heard == []
    note.moveCursor(note.textCursor().MoveOperation.End)
    qtbot.keyClicks(note, "cd")
    assert heard == ["abc", "abcd"]
    note.show_text("abcd")
    assert note.textCursor().position() == 4, "the cursor stays where it is typed"


@pytest.mark.parametrize("key", [Qt.Key.Key_Escape, Qt.Key.Key_Tab])
def test_esc_and_tab_leave_the_note(qtbot: QtBot, key: Qt.Key) -> None:
    note = NoteField()
    qtbot.addWidget(note)
    with qtbot.waitSignal(note.left):
        qtbot.keyClick(note, key)
    assert note.toPlainText() == ""


def test_progress_is_reported_in_numbers_and_the_pace_only_to_who_wants_it(
    keymap: Keymap, qtbot: QtBot
) -> None:
    strip = TaskProgressBar(keymap)
    qtbot.addWidget(strip)
    strip.show()
    progress = TrialProgressView(done=2, left=1998, total=2000, pace_ms=26_400)
    strip.render_progress(replace(AT_WORK, progress=progress))
    assert strip.position == "Image 3 of 2,000"
    assert strip.numbers == "2 done · 1,998 left · 26 s an image"
    strip.set_pace_shown(False)
    strip.render_progress(replace(AT_WORK, progress=progress))
    assert strip.numbers == "2 done · 1,998 left"


def test_the_clock_is_hidden_until_it_is_wanted(keymap: Keymap, qtbot: QtBot) -> None:
    strip = TaskProgressBar(keymap)
    qtbot.addWidget(strip)
    strip.show()
    assert not any("on this image" in text for text in texts(strip))
    strip.show_clock(ClockView(trial_ms=65_000, session_ms=3_725_000))
    assert "1:05 on this image · 1:02:05 in this session" in texts(strip)
    strip.show_clock(None)
    assert not any("on this image" in text for text in texts(strip))


def test_a_recent_class_is_chosen_by_its_chip(keymap: Keymap, qtbot: QtBot) -> None:
    row = RecentClassesRow(keymap)
    qtbot.addWidget(row)
    row.resize(800, 40)
    row.show()
    row.show_classes((BEAVER, MARMOT))
    chip = next(c for c in row.findChildren(QPushButton) if c.text().endswith("marmot"))
    with qtbot.waitSignal(row.chosen) as heard:
        qtbot.mouseClick(chip, Qt.MouseButton.LeftButton)
    assert heard.args == [MARMOT.wnid]
    row.show_classes(())
    assert not chip.isVisible()
