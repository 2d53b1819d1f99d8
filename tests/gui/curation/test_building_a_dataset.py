"""A lead builds a dataset in the window, from collection to final, and reviews its classes."""

from fractions import Fraction

import pytest
from PIL import Image
from PySide6.QtCore import Qt

from labeler.app.curation.building import BuildRequest, build_dataset
from labeler.app.curation.pool_import import PoolRequest, import_candidates
from labeler.app.curation.workspace import CurationStep
from labeler.app.study.home_cards import HomeCardKind
from labeler.app.study.people import add_person
from labeler.app.study.studies import open_study
from labeler.core.crowd.entities import ImageLabel, SelectionFrequency
from labeler.core.curation.entities import RejectReason, RevisionState, Strategy
from labeler.core.study.entities import Role
from labeler.ui.crowd.rounds_screen import CrowdRoundsScreen
from labeler.ui.curation.build_dialog import BuildDialog
from labeler.ui.curation.class_review_screen import ClassReviewScreen
from labeler.ui.curation.compare_dialog import CompareDialog
from labeler.ui.curation.duplicates_screen import DuplicatesScreen
from labeler.ui.curation.workspace_controller import WorkspaceController
from labeler.ui.curation.workspace_dialogs import NameDialog
from labeler.ui.curation.workspace_screen import WorkspaceScreen
from labeler.ui.kit.text.confirm_dialog import ConfirmDialog
from tests.gui.leading import BEAVER, MARMOT
from tests.gui.window_session import CONTROL

PER_CLASS = 2
pytestmark = pytest.mark.qt_log_ignore("This plugin does not support propagateSizeHints")


@pytest.fixture
def candidates(tmp_path):
    folder = tmp_path / "found"
    for place, wnid in enumerate((BEAVER, MARMOT)):
        (folder / wnid).mkdir(parents=True)
        for number in range(4):
            colour = (40 * number, 90, 200 * place)
            Image.new("RGB", (32, 24), colour).save(folder / wnid / f"{number}.jpg")
    return folder


@pytest.fixture
def workspace(study, clock, open_session):
    with open_study(study.folder, clock=clock) as store:
        add_person(store, "K", roles=[Role.ANNOTATOR])
        add_person(store, "Q", roles=[Role.LEAD])
    session = open_session()
    session.sign_in("Q")
    session.click(session.home().cards[HomeCardKind.CURATION].button)
    screen = session.wait_for(WorkspaceScreen)
    session.wait(lambda: bool(screen.view.steps))
    return session, screen


def collect(session, screen, folder, study, clock):
    screen.findChild(WorkspaceController).add(folder, "pool")
    session.wait(lambda: screen.view.pool == "pool")
    with open_study(study.folder, clock=clock) as store:
        give_frequencies(store)


def give_frequencies(store):
    """Let ten of ten annotators have selected every candidate."""
    with store.write() as opened:
        keys = [each.image for each in opened.pools.candidates("pool")]
        targets = opened.crowd.targets(keys)
        opened.crowd.replace_frequencies(
            {ImageLabel(key, targets[key]): SelectionFrequency(10, 10) for key in keys}
        )


def build(session, screen):
    before = len(screen.view.revisions)
    session.click(screen.build)
    dialog = session.dialog(BuildDialog)
    if before:
        assert dialog.strategy.currentText() == Strategy.THRESHOLD
        assert dialog.per_class.value() == PER_CLASS
        assert dialog.request().threshold == Fraction(3, 5)
    dialog.strategy.setCurrentText(str(Strategy.THRESHOLD))
    dialog.per_class.setValue(PER_CLASS)
    dialog.threshold.setText("often")
    session.click(dialog.preview)
    assert dialog.banner.isVisible()
    dialog.threshold.setText("0.6")
    session.click(dialog.preview)
    session.wait(lambda: bool(dialog.outcome.toPlainText()))
    assert dialog.excluded.toPlainText()
    session.click(dialog.build)
    session.wait(lambda: len(screen.view.revisions) == before + 1)


def test_a_dataset_is_built_reviewed_revised_and_declared_final(
    workspace, candidates, study, clock
):
    session, screen = workspace
    collect(session, screen, candidates, study, clock)
    build(session, screen)
    assert screen.view.last.images == 2 * PER_CLASS

    session.click(screen.review)
    review = session.wait_for(ClassReviewScreen)
    session.wait(lambda: review.name.text() != "")
    session.wait(lambda: review.focused.shows_image)
    review.reject(RejectReason.BLURRY)
    session.wait(lambda: "rejected" in review.summary.text())
    session.click(review.work_button)
    session.wait(lambda: review.progress.value() == 1)
    session.click(review.reviewed_button)
    session.wait(lambda: review.progress.value() == 2)
    session.click(review.home)

    screen = session.wait_for(WorkspaceScreen)
    session.wait(lambda: bool(screen.view.revisions))
    build(session, screen)
    last = screen.view.last
    assert (last.kept, last.added, last.removed) == (3, 1, 1)
    assert last.reviewed == 1

    session.click(screen.compare)
    compared = session.dialog(CompareDialog)
    session.wait(lambda: compared.removed.height() > 0)
    compared.reject()

    session.click(screen.review)
    review = session.wait_for(ClassReviewScreen)
    session.wait(lambda: review.progress.value() == 1)
    session.click(review.reviewed_button)
    session.wait(lambda: review.progress.value() == 2)
    session.click(review.home)
    screen = session.wait_for(WorkspaceScreen)
    session.wait(lambda: bool(screen.view.revisions))

    session.click(screen.final)
    session.click(session.dialog(ConfirmDialog).do)
    session.wait(lambda: screen.view.last.state is RevisionState.FINAL)
    assert all(step.done for step in screen.view.steps if step.step is CurationStep.FINAL)
    session.click(screen.add_dataset)
    session.click(session.dialog(NameDialog).do)
    session.wait(screen.error_banner.isVisible)
    with open_study(study.folder, clock=clock) as store, store.read() as opened:
        assert list(opened.built_datasets.linked()) == ["new-dataset-2"]


def test_candidates_are_rejected_before_the_first_build_and_the_way_leads_back(
    workspace, candidates, study, clock
):
    session, screen = workspace
    assert not screen.candidates.isEnabled()
    collect(session, screen, candidates, study, clock)
    session.click(screen.candidates)
    review = session.wait_for(ClassReviewScreen)
    session.wait(lambda: review.focused.shows_image)
    assert not any(w.isVisible() for w in (review.mode, review.work_button, review.progress))
    review.reject(RejectReason.DRAWING)
    session.wait(lambda: "rejected" in review.summary.text())
    session.click(review.reviewed_button)
    session.wait(lambda: review.place.text() == "Class 2 of 2")
    session.click(review.home)
    screen = session.wait_for(WorkspaceScreen)
    session.wait(lambda: bool(screen.view.classes))
    assert [row[3] for row in screen.view.classes] == ["1", "0"]
    session.click(screen.near_duplicates)
    session.click(session.wait_for(DuplicatesScreen).home)
    screen = session.wait_for(WorkspaceScreen)
    session.wait(lambda: bool(screen.view.steps))
    session.click(screen.rounds)
    session.click(session.wait_for(CrowdRoundsScreen).home)
    session.wait_for(WorkspaceScreen)


def test_a_final_declaration_that_comes_too_early_says_why(workspace, candidates, study, clock):
    session, screen = workspace
    collect(session, screen, candidates, study, clock)
    build(session, screen)
    session.click(screen.final)
    session.click(session.dialog(ConfirmDialog).do)
    session.wait(screen.error_banner.isVisible)
    assert screen.view.last.state is RevisionState.COMPLETE


def test_a_reviewer_goes_through_the_classes_with_the_keyboard(
    study, clock, open_session, candidates
):
    with open_study(study.folder, clock=clock) as store:
        add_person(store, "V", roles=[Role.REVIEWER])
        import_candidates(store, PoolRequest(pool="pool", path=candidates))
        give_frequencies(store)
        build_dataset(
            store,
            BuildRequest(
                dataset="new", pool="pool", strategy=Strategy.THRESHOLD, seed=1, per_class=PER_CLASS
            ),
        )
    session = open_session()
    session.sign_in("V")
    session.click(session.home().cards[HomeCardKind.CLASS_REVIEW].button)
    review = session.wait_for(ClassReviewScreen)
    session.wait(review.images.hasFocus)
    first = review.name.text()
    session.press(Qt.Key.Key_Right)
    assert review.images.cursor_position == 2
    session.press(Qt.Key.Key_D)
    session.press(Qt.Key.Key_Left)
    session.press(Qt.Key.Key_D)
    session.wait(lambda: review.summary.text() == "1 set of 2")
    session.press(Qt.Key.Key_Z, CONTROL)
    session.wait(lambda: review.summary.text() == "")
    session.press(Qt.Key.Key_A)
    assert review.images.count == 4
    session.press(Qt.Key.Key_Space)
    assert review.stack.currentWidget() is review.enlarged
    session.press(Qt.Key.Key_Space)
    session.press(Qt.Key.Key_Return)
    session.wait(lambda: review.name.text() != first)
    session.press(Qt.Key.Key_F7)
    session.wait(lambda: review.name.text() == first)
    assert "reviewed" in review.summary.text()
