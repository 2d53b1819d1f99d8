"""The group's discussion in the window: answers side by side, notes, references, the guide."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel

from labeler.app.training.discussion import CHOOSE_TWO, NO_ONE_TRAINED
from labeler.store.study_opening import open_study
from labeler.ui.training.discussion_screen import DiscussionScreen
from labeler.ui.training.progress_screen import TrainingProgressScreen
from tests.adjustable_clock import AdjustableClock
from tests.gui.small_study import BEAVER, MARMOT, TELL_TALES, TIGER, SmallStudy, copied
from tests.gui.trained_study import add_training, answer
from tests.gui.window_session import CONTROL, WindowSession


@pytest.fixture
def study(study_once: Path, tmp_path: Path) -> SmallStudy:
    """The study of the evaluation, not the one of this folder's other tests."""
    return copied(study_once, tmp_path / "study")


@pytest.fixture
def images(study: SmallStudy, tmp_path: Path) -> dict[str, list[int]]:
    """A and B answered a beaver differently and a tiger alike; only A answered a marmot."""
    images = add_training(study, tmp_path)
    beaver, marmot, tiger = (images[wnid][0] for wnid in (BEAVER, MARMOT, TIGER))
    answer(study, ("A", tiger, TIGER), ("A", beaver, BEAVER), ("A", marmot, MARMOT))
    answer(study, ("B", tiger, TIGER), ("B", beaver, MARMOT))
    return images


@pytest.fixture
def screen(images: dict[str, list[int]], at_home: WindowSession) -> DiscussionScreen:
    at_home.press(Qt.Key.Key_F6)
    return discussing(at_home)


def discussing(session: WindowSession) -> DiscussionScreen:
    screen = session.wait_for(DiscussionScreen)
    assert isinstance(screen, DiscussionScreen)
    session.wait(lambda: screen.shown is not None)
    return screen


def texts(screen: DiscussionScreen) -> list[str]:
    return [each.text() for each in screen.findChildren(QLabel) if each.isVisible()]


def test_disagreements_come_first_with_everybodys_answer(
    screen: DiscussionScreen, at_home: WindowSession
) -> None:
    assert "2 images answered by all, 1 of them differently" in screen.summary.text()
    assert "1 more isn't shown" in screen.summary.text()
    assert screen.answers.accessibleName() == (
        "A: beaver, right; B: marmot, wrong; accepted: beaver"
    )
    at_home.wait(lambda: screen.picture.shows_image)


def test_the_references_of_the_classes_in_question_stand_beside(
    screen: DiscussionScreen, at_home: WindowSession
) -> None:
    at_home.wait(lambda: [column.wnid for column in screen.columns.columns] == [BEAVER, MARMOT])
    at_home.wait(lambda: all(column.grid.tiles for column in screen.columns.columns))
    at_home.wait(screen.columns.differences.isVisible)


def test_keys_and_clicks_go_from_image_to_image(
    screen: DiscussionScreen, at_home: WindowSession
) -> None:
    at_home.press(Qt.Key.Key_F8)
    assert screen.place.text() == "2 of 2"
    assert screen.answers.accessibleName().startswith("A: tiger, right; B: tiger, right")
    at_home.click(screen.previous)
    assert screen.place.text() == "1 of 2"
    at_home.press(Qt.Key.Key_Down)
    assert screen.place.text() == "2 of 2"


def test_a_note_is_kept_with_its_author(
    screen: DiscussionScreen, at_home: WindowSession, study: SmallStudy
) -> None:
    at_home.press(Qt.Key.Key_N, CONTROL)
    at_home.wait(screen.notes.field.hasFocus)
    at_home.type_in("Flat tail")
    at_home.press(Qt.Key.Key_Return, CONTROL)
    at_home.wait(lambda: "Flat tail" in texts(screen))
    assert screen.notes.field.toPlainText() == ""
    kept = study.read(
        "SELECT code, text FROM discussion_note JOIN participant ON participant.id = participant_id"
    )
    assert kept == [("A", "Flat tail")]
    at_home.press(Qt.Key.Key_F8)
    assert "Flat tail" not in texts(screen)


def test_a_note_of_someone_else_appears_and_a_long_thread_shows_the_newest(
    screen: DiscussionScreen,
    at_home: WindowSession,
    study: SmallStudy,
    images: dict[str, list[int]],
) -> None:
    beaver = images[BEAVER][0]
    texts_added = [f"Note {number}" for number in range(30)]
    with open_study(study.folder, clock=AdjustableClock()) as store:
        for text in texts_added:
            with store.write() as opened:
                opened.discussions.add_note(beaver, author="B", text=text)
    at_home.wait(lambda: texts_added[-1] in texts(screen))
    bar = screen.notes._scroll.verticalScrollBar()
    at_home.wait(lambda: bar.maximum() > 0 and bar.value() == bar.maximum())


def test_a_note_draft_stays_with_its_image(
    screen: DiscussionScreen, at_home: WindowSession
) -> None:
    at_home.press(Qt.Key.Key_N, CONTROL)
    at_home.type_in("Hm")
    at_home.press(Qt.Key.Key_F8)
    assert screen.notes.field.toPlainText() == ""
    at_home.press(Qt.Key.Key_F7)
    assert screen.notes.field.toPlainText() == "Hm"
    at_home.press(Qt.Key.Key_F4)
    at_home.wait_for(TrainingProgressScreen)
    at_home.press(Qt.Key.Key_F6)
    again = discussing(at_home)
    assert again.notes.field.toPlainText() == "Hm"


def test_what_was_typed_until_the_window_closed_is_kept(
    screen: DiscussionScreen, at_home: WindowSession, study: SmallStudy
) -> None:
    at_home.press(Qt.Key.Key_N, CONTROL)
    at_home.type_in("The tail is flat")

    at_home.window.close()

    ((kept,),) = study.read("SELECT contents FROM draft")
    assert "The tail is flat" in kept


def test_a_note_is_added_once_and_what_is_typed_meanwhile_stays(
    screen: DiscussionScreen, at_home: WindowSession, study: SmallStudy
) -> None:
    at_home.press(Qt.Key.Key_N, CONTROL)
    at_home.type_in("One")
    at_home.press(Qt.Key.Key_Return, CONTROL, times=2)
    at_home.type_in(" and two")
    at_home.wait(lambda: "One" in texts(screen))
    assert screen.notes.field.toPlainText() == "One and two"
    assert study.read("SELECT text FROM discussion_note") == [("One",)]


def test_the_guide_is_one_key_away_at_the_class_in_question(
    screen: DiscussionScreen, at_home: WindowSession
) -> None:
    at_home.press(Qt.Key.Key_F1)
    at_home.wait(screen.guide.isVisible)
    at_home.wait(lambda: "eaver" in screen.guide.page.toPlainText())
    at_home.press(Qt.Key.Key_F1)
    at_home.wait(screen.columns.isVisible)


def test_without_a_second_labeler_it_says_what_is_missing(
    screen: DiscussionScreen, at_home: WindowSession
) -> None:
    assert not screen.members["A"].isEnabled()
    at_home.click(screen.members["B"])
    at_home.wait(lambda: CHOOSE_TWO in " ".join(texts(screen)))
    at_home.click(screen.members["B"])
    at_home.wait(screen.picture.isVisible)


def test_without_training_answers_it_says_so(at_home: WindowSession) -> None:
    at_home.press(Qt.Key.Key_F6)
    screen = discussing(at_home)
    assert NO_ONE_TRAINED in " ".join(texts(screen))


def test_nothing_tells_a_file_or_a_dataset(screen: DiscussionScreen) -> None:
    result = " ".join(texts(screen))
    assert not [word for word in (*TELL_TALES, "gossippool") if word in result]


def test_progress_is_one_key_away(screen: DiscussionScreen, at_home: WindowSession) -> None:
    at_home.press(Qt.Key.Key_F4)
    at_home.wait_for(TrainingProgressScreen)
