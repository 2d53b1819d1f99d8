"""The training progress in the window: plots, tables and images, by keyboard and by mouse."""

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from labeler.app.chart_views import ProgressSection
from labeler.app.study.home_cards import HomeCardKind
from labeler.app.study.phases import open_phase
from labeler.app.study.sign_in import Credentials
from labeler.app.training.progress import CHOOSE_SOMETHING
from labeler.core.study.entities import Role
from labeler.core.study.phases import Phase
from labeler.store.study_opening import open_study
from labeler.ui.study.home_screen import HomeScreen
from labeler.ui.training.progress_screen import TrainingProgressScreen
from labeler.ui.training.training_screen import TrainingWorkbenchScreen
from labeler.ui.training.training_start_screen import TrainingStartScreen
from tests.gui.small_study import BEAVER, MARMOT, TELL_TALES, TIGER, SmallStudy, copied
from tests.gui.trained_study import add_training, answer
from tests.gui.window_session import WindowSession


@pytest.fixture
def study(study_once: Path, tmp_path: Path) -> SmallStudy:
    """The study of the evaluation, not the one of this folder's other tests."""
    return copied(study_once, tmp_path / "study")


@pytest.fixture
def images(study: SmallStudy, tmp_path: Path) -> dict[str, list[int]]:
    return add_training(study, tmp_path)


@pytest.fixture
def trained(study: SmallStudy, images: dict[str, list[int]]) -> dict[str, list[int]]:
    """A confused a beaver and a marmot on one day and knew both on another; B knew a tiger."""
    beaver, marmot = images[BEAVER][0], images[MARMOT][0]
    answer(study, ("A", beaver, MARMOT), ("A", marmot, BEAVER), ("A", beaver, MARMOT), days=9)
    answer(study, ("A", beaver, BEAVER), ("A", marmot, MARMOT), ("B", images[TIGER][0], TIGER))
    return images


def looking_at(session: WindowSession) -> TrainingProgressScreen:
    """Wait for the progress and what it tells."""
    screen = session.wait_for(TrainingProgressScreen)
    assert isinstance(screen, TrainingProgressScreen)
    session.wait(lambda: screen.shown is not None)
    return screen


@pytest.fixture
def screen(trained: dict[str, list[int]], at_home: WindowSession) -> TrainingProgressScreen:
    at_home.press(Qt.Key.Key_F4)
    return looking_at(at_home)


def answers_shown(screen: TrainingProgressScreen) -> list[tuple[str, str]]:
    model = screen.images.list.model()
    rows = [model.index(row, 0).data(Qt.ItemDataRole.UserRole) for row in range(model.rowCount())]
    return [(row.answer, row.accepted) for row in rows]


def test_the_timeline_has_the_keyboard_and_opens_a_days_images(
    screen: TrainingProgressScreen, at_home: WindowSession
) -> None:
    at_home.wait(screen.chapter.timeline.hasFocus)
    assert screen.chapter.timeline.current == 1
    at_home.press(Qt.Key.Key_Left)
    assert "0 of 3 right" in screen.chapter.words.text()
    assert "0 of 3 right" in screen.chapter.timeline.accessibleDescription()
    at_home.press(Qt.Key.Key_Return)
    at_home.wait(lambda: len(answers_shown(screen)) == 3)
    assert answers_shown(screen)[0] == ("marmot", "beaver")
    at_home.wait(lambda: screen.images.large.shows_image)


def test_a_missing_image_file_is_reported(
    trained: dict[str, list[int]], at_home: WindowSession, tmp_path: Path
) -> None:
    for file in (tmp_path / "gossippool").rglob("*.JPEG"):
        file.unlink()
    at_home.press(Qt.Key.Key_F4)
    screen = looking_at(at_home)
    at_home.wait(screen.chapter.timeline.hasFocus)
    at_home.press(Qt.Key.Key_Return)
    at_home.wait(lambda: "can't be read" in screen.images.large.sentence)
    assert not screen.images.large.shows_image


def test_a_session_leads_to_its_images_from_plot_and_table(
    screen: TrainingProgressScreen, at_home: WindowSession
) -> None:
    at_home.wait(screen.chapter.timeline.hasFocus)
    at_home.press(Qt.Key.Key_T)
    assert screen.shown_chapter is ProgressSection.SESSIONS
    assert screen.chapter.timeline.current == 1
    at_home.press(Qt.Key.Key_Home)
    at_home.press(Qt.Key.Key_Return)
    at_home.wait(lambda: len(answers_shown(screen)) == 3)
    newest = screen.chapter.table.view.visualRect(screen.chapter.table.view.cells.index(0, 0))
    at_home.click(screen.chapter.table.view.viewport(), newest)
    at_home.wait(lambda: len(answers_shown(screen)) == 2)


def test_a_point_is_met_by_the_mouse(
    screen: TrainingProgressScreen, at_home: WindowSession
) -> None:
    timeline = screen.chapter.timeline
    at_home.click(timeline, timeline.place(0).toRect())
    at_home.wait(lambda: len(answers_shown(screen)) == 3)


def test_a_cell_leads_to_its_images(screen: TrainingProgressScreen, at_home: WindowSession) -> None:
    at_home.press(Qt.Key.Key_P)
    table = screen.chapter.table
    confused = table.view.cells.index(0, 2)
    at_home.click(table.view.viewport(), table.view.visualRect(confused))
    at_home.wait(lambda: len(answers_shown(screen)) == 3)
    assert "confused" in screen.images.heading.text()


def test_a_cell_is_reached_and_opened_by_keys(
    screen: TrainingProgressScreen, at_home: WindowSession
) -> None:
    at_home.press(Qt.Key.Key_C)
    table = screen.chapter.table
    table.setFocus()
    at_home.wait(table.view.hasFocus)
    assert table.view.currentIndex().data() == "tiger"
    at_home.press(Qt.Key.Key_Return)
    assert screen.images.sentence == CHOOSE_SOMETHING
    at_home.press(Qt.Key.Key_Down)
    at_home.press(Qt.Key.Key_Space)
    at_home.wait(lambda: len(answers_shown(screen)) > 0)


def test_a_table_is_ordered_by_any_column_and_turned(
    screen: TrainingProgressScreen, at_home: WindowSession
) -> None:
    at_home.press(Qt.Key.Key_C)
    table = screen.chapter.table

    def column(number: int) -> list[str]:
        return [
            table.view.cells.index(row, number).data() for row in range(table.view.cells.rowCount())
        ]

    header = table.view.horizontalHeader()
    where = header.sectionViewportPosition(1) + 8
    at_home.click(header.viewport(), header.viewport().rect().adjusted(where, 0, 0, 0).topLeft())
    assert column(1) == ["3", "2", "never seen"]
    table.setFocus()
    table.view.setCurrentIndex(table.view.cells.index(0, 0))
    at_home.press(Qt.Key.Key_S)
    assert column(0) == ["beaver", "marmot", "tiger"]
    at_home.press(Qt.Key.Key_S)
    assert column(0) == ["tiger", "marmot", "beaver"]


def test_every_chapter_has_a_key_a_tab_a_plot_and_a_table(
    screen: TrainingProgressScreen, at_home: WindowSession
) -> None:
    keys = (Qt.Key.Key_T, Qt.Key.Key_F, Qt.Key.Key_P, Qt.Key.Key_C, Qt.Key.Key_D)
    parts = screen.chapter
    charts = {
        ProgressSection.DAYS: parts.timeline,
        ProgressSection.SESSIONS: parts.timeline,
        ProgressSection.FAMILIES: parts.families,
        ProgressSection.PAIRS: parts.pairs,
        ProgressSection.CLASSES: parts.bars,
    }
    marks = {
        chapter: (lambda: parts.pairs.tiles) if chart is parts.pairs else chart.marks
        for chapter, chart in charts.items()
    }
    for key, chapter in zip(keys, [*list(ProgressSection)[1:], ProgressSection.DAYS], strict=True):
        at_home.press(key)
        assert screen.shown_chapter is chapter
        assert screen.chapter.table.view.cells.rowCount() > 0
        assert charts[chapter].isVisible()
        assert marks[chapter]()


def test_one_key_begins_the_training_that_is_suggested(
    screen: TrainingProgressScreen, at_home: WindowSession, study: SmallStudy
) -> None:
    with open_study(study.folder, clock=at_home.clock) as store:
        open_phase(store, Phase.TRAIN)
    assert screen.suggestions.buttons[0].words == "Marmot and beaver"
    at_home.press(Qt.Key.Key_1)
    at_home.wait_for(TrainingWorkbenchScreen)
    at_home.wait(lambda: bool(study.read("SELECT * FROM training")))
    ((source, subject),) = study.read("SELECT source, subject FROM training")
    assert (source, set(subject.split())) == ("subtrees", {BEAVER, MARMOT})


def trained_classes(session: WindowSession, study: SmallStudy) -> set[str]:
    session.wait_for(TrainingWorkbenchScreen)
    session.wait(lambda: bool(study.read("SELECT * FROM training")))
    ((subject,),) = study.read("SELECT subject FROM training")
    return set(subject.split())


def test_a_click_on_a_confused_pair_trains_on_both(
    screen: TrainingProgressScreen, at_home: WindowSession, study: SmallStudy
) -> None:
    with open_study(study.folder, clock=at_home.clock) as store:
        open_phase(store, Phase.TRAIN)
    at_home.press(Qt.Key.Key_P)
    at_home.click(screen.chapter.pairs.tiles[0])
    assert trained_classes(at_home, study) == {BEAVER, MARMOT}


def test_a_family_of_the_map_shows_its_images_then_trains(
    screen: TrainingProgressScreen, at_home: WindowSession, study: SmallStudy
) -> None:
    with open_study(study.folder, clock=at_home.clock) as store:
        open_phase(store, Phase.TRAIN)
    at_home.press(Qt.Key.Key_F)
    families = screen.chapter.families
    met = next(n for n, tile in enumerate(families.marks()) if tile.source is not None)
    at_home.click(families, families.place(met).toRect())
    at_home.wait(lambda: len(answers_shown(screen)) > 0)
    wanted = families.current_request
    assert wanted is not None
    at_home.click(screen.chapter.train)
    assert trained_classes(at_home, study) == set(wanted.subject)


def test_a_training_that_isnt_open_is_reported_at_home(
    screen: TrainingProgressScreen, at_home: WindowSession
) -> None:
    at_home.click(screen.suggestions.buttons[0])
    at_home.wait(lambda: "isn't open yet" in at_home.home().error_banner.sentence)


def test_the_page_before_a_training_suggests_and_leads_to_the_progress(
    trained: dict[str, list[int]], study: SmallStudy, open_session: Callable[..., WindowSession]
) -> None:
    session = open_session()
    with open_study(study.folder, clock=session.clock) as store:
        open_phase(store, Phase.TRAIN)
    session.sign_in()
    session.click(session.home().cards[HomeCardKind.TRAIN].button)
    start = session.wait_for(TrainingStartScreen)
    assert isinstance(start, TrainingStartScreen)
    assert "Marmot and beaver" in [tile.view.title for tile in start.suggested.tiles]
    session.press(Qt.Key.Key_F4)
    looking_at(session)


def test_a_labeler_cant_choose_whose_progress_it_is(screen: TrainingProgressScreen) -> None:
    assert not screen.people.isVisible()


def test_nothing_tells_a_file_or_a_dataset(
    screen: TrainingProgressScreen, at_home: WindowSession
) -> None:
    at_home.press(Qt.Key.Key_Return)
    at_home.wait(lambda: bool(answers_shown(screen)))
    texts = " ".join(at_home.texts())
    assert not [word for word in (*TELL_TALES, "gossippool") if word in texts]


def test_a_lead_chooses_whose_progress_to_see_and_begins_nothing(
    trained: dict[str, list[int]], open_session: Callable[..., WindowSession]
) -> None:
    session = open_session()
    signing_in = session.sign_in_screen()
    signing_in.signed_in_wanted.emit(Credentials(code="L", role=Role.LEAD))
    session.click(session.home().progress)
    screen = looking_at(session)
    assert screen.people.isVisible()
    assert screen.people.currentText() == "A"
    assert not any(button.isEnabled() for button in screen.suggestions.buttons)
    screen.people.setFocus()
    session.press(Qt.Key.Key_Down)
    session.wait(lambda: screen.shown is not None and screen.shown.code == "B")
    assert screen.shown is not None
    assert screen.shown.figures[0].number == "1"


def test_a_person_without_answers_gets_a_suggestion(
    images: dict[str, list[int]], at_home: WindowSession
) -> None:
    at_home.press(Qt.Key.Key_F4)
    screen = looking_at(at_home)
    assert "No answers yet" in " ".join(at_home.texts())
    assert not screen.chapter.timeline.isVisible()
    assert screen.suggestions.buttons[0].words == "Everything"


def test_home_is_one_key_away(screen: TrainingProgressScreen, at_home: WindowSession) -> None:
    at_home.press(Qt.Key.Key_W, Qt.KeyboardModifier.ControlModifier)
    at_home.wait_for(HomeScreen)
    QApplication.processEvents()
