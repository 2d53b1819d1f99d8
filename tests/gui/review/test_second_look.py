"""A flagged image is put to a second reviewer, and a proposed class waits for an answer."""

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt

from labeler.app.keymap import Action
from labeler.app.review.by_image import ANSWER_SUGGESTION
from labeler.app.review.plan import PlanSettings
from labeler.app.review.views import TAKEN_BACK, ReviewStage
from labeler.core.review.blind_types import OwnFlag
from labeler.core.study.entities import ProblemReason, Stage
from labeler.store.study_opening import open_study
from tests.adjustable_clock import AdjustableClock
from tests.gui.reviewing import Reviewing, put_into_review
from tests.gui.small_study import SmallStudy
from tests.gui.window_session import WindowSession

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")

ELEPHANT, TUSKER, DOG = "n02504458", "n01871265", "n02099601"


@pytest.fixture
def flagged(study: SmallStudy, tmp_path: Path) -> SmallStudy:
    """R and S review the same images, and S called one of them a drawing."""
    request = PlanSettings(stage=Stage.FINAL, seed=5, overlap=2)
    put_into_review(study, tmp_path / "answers", request=request)
    with open_study(study.folder, clock=AdjustableClock()) as store, store.write() as writing:
        visit = writing.review.reviewing.visits("S", Stage.FINAL)[0]
        drawing = OwnFlag(frozenset({ProblemReason.DRAWING}))
        writing.review.reviewing.flag(visit.visit_id, drawing)
    return study


def answer_checks(reviewing: Reviewing, answer: Callable[[], None]) -> None:
    view = lambda: reviewing.by_image._view  # noqa: E731
    for _check in range(2):
        reviewing.session.wait(lambda: view().stage is ReviewStage.CHECKING)
        asked = view().visit_id
        answer()
        reviewing.session.wait(
            lambda asked=asked: reviewing.review.screen is None or view().visit_id != asked
        )


@pytest.fixture
def reviewing(flagged: SmallStudy, open_session: Callable[..., WindowSession]) -> Reviewing:
    """A reviewer who has judged every label and is asked for second looks."""
    made = Reviewing(open_session())
    made.begin()
    made.judge_images(lambda _wnid: Qt.Key.Key_2)
    return made


def test_flagged_and_unflagged_images_are_asked_about_alike(
    flagged: SmallStudy, reviewing: Reviewing
) -> None:
    answer_checks(reviewing, lambda: reviewing.press(Qt.Key.Key_0))
    reviewing.wait_for_end()
    assert flagged.read("SELECT reasons FROM flag_answer") == [("",), ("",)]
    assert flagged.read("SELECT * FROM problematic") == []


def test_a_second_look_asks_about_the_picture_alone(
    flagged: SmallStudy, reviewing: Reviewing
) -> None:
    screen = reviewing.by_image
    reviewing.session.wait(lambda: screen._view.stage is ReviewStage.CHECKING)
    assert not screen.side.isVisible(), "the last label's class has nothing to do with it"
    assert not screen.labels.isVisible()
    progress = screen._view.progress
    assert (progress.done, progress.left) == (0, 2), "the looks are counted, not the labels"
    assert not screen.bar.buttons[Action.JUDGE_CORRECT].isVisible()
    answer_checks(
        reviewing,
        lambda: reviewing.session.click(screen.second_look.buttons[Action.NOTHING_WRONG]),
    )
    reviewing.wait_for_end()
    assert flagged.read("SELECT reasons FROM flag_answer") == [("",), ("",)]


def test_what_both_found_makes_the_image_problematic(
    flagged: SmallStudy, reviewing: Reviewing
) -> None:

    def call_it_a_drawing() -> None:
        reviewing.press(Qt.Key.Key_P)
        reviewing.press(Qt.Key.Key_Space)
        reviewing.session.click(reviewing.by_image.flag_form.save)

    answer_checks(reviewing, call_it_a_drawing)
    reviewing.wait_for_end()
    assert flagged.read("SELECT reason FROM problematic") == [("drawing",)]


def test_an_answer_at_a_second_look_is_taken_back_and_asked_for_again(
    flagged: SmallStudy, reviewing: Reviewing
) -> None:
    screen = reviewing.by_image
    reviewing.session.wait(lambda: screen._view.stage is ReviewStage.CHECKING)
    first, judged = screen._view.visit_id, reviewing.verdicts()
    reviewing.press(Qt.Key.Key_0)
    reviewing.session.wait(lambda: screen._view.visit_id != first)
    reviewing.session.click(screen.bar.buttons[Action.UNDO_VERDICT])
    reviewing.session.wait(lambda: screen._view.visit_id == first)
    assert screen._view.stage is ReviewStage.CHECKING
    assert screen.bar.notice.text() == TAKEN_BACK
    assert reviewing.verdicts() == judged, "no verdict was taken back in its place"
    assert flagged.read("SELECT withdrawn FROM flag_answer ORDER BY revision") == [(0,), (1,)]
    answer_checks(reviewing, lambda: reviewing.press(Qt.Key.Key_0))
    reviewing.wait_for_end()


def test_a_class_that_goes_together_is_proposed_and_never_set(
    study: SmallStudy, tmp_path: Path, open_session: Callable[..., WindowSession]
) -> None:
    put_into_review(study, tmp_path / "answers", humans={"A": ELEPHANT}, models={"telling": DOG})
    reviewing = Reviewing(open_session())
    reviewing.begin()
    visit = reviewing.by_image._view.visit_id
    for _label in range(2):
        reviewing.press(Qt.Key.Key_1 if reviewing.focused == ELEPHANT else Qt.Key.Key_2)
    assert len(reviewing.verdicts()) == 2
    assert reviewing.by_image._view.visit_id == visit, "the proposal waits for an answer"
    row = reviewing.by_image.proposal
    assert "tusks" in row.words.text()
    assert row.buttons[Action.NEXT_VISIT].isVisible(), "nothing but the proposal keeps the image"
    judged = reviewing.verdicts()
    reviewing.press(Qt.Key.Key_3)
    assert reviewing.by_image.bar.notice.text() == ANSWER_SUGGESTION
    assert reviewing.verdicts() == judged, "the key changed no verdict"
    reviewing.press(Qt.Key.Key_P)
    assert not row.isVisible(), "its key would be a letter in the form"
    reviewing.press(Qt.Key.Key_Escape)
    assert row.isVisible()
    reviewing.press(Qt.Key.Key_A)
    reviewing.session.wait(lambda: reviewing.focused == TUSKER)
    assert TUSKER not in {wnid for _image, wnid in reviewing.verdicts()}
    reviewing.press(Qt.Key.Key_2)
    reviewing.session.wait(lambda: reviewing.by_image._view.visit_id != visit)


def test_a_proposal_may_be_passed(
    study: SmallStudy, tmp_path: Path, open_session: Callable[..., WindowSession]
) -> None:
    put_into_review(study, tmp_path / "answers", humans={"A": ELEPHANT}, models={"telling": DOG})
    reviewing = Reviewing(open_session())
    reviewing.begin()
    visit = reviewing.by_image._view.visit_id
    for _label in range(2):
        reviewing.press(Qt.Key.Key_1)
    reviewing.session.click(reviewing.by_image.proposal.buttons[Action.NEXT_VISIT])
    assert reviewing.by_image._view.visit_id != visit
    assert not reviewing.by_image.proposal.isVisible()
    assert reviewing.by_image._view.proposed == ()
