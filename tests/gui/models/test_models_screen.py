"""The lead adds, starts, cancels and resumes models, by keyboard and by mouse."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from labeler.app.keymap import load_keymap
from labeler.app.models.model_list import ACCURACY_HIDDEN, NOTHING_SCORED, ModelList
from labeler.app.models.model_row import ModelAction, ModelRow, ModelState, ModelsView
from labeler.app.models.model_scoring import ModelScoring
from labeler.app.models.scoring_request import REPLACING, ScoringChoices
from labeler.core.clock import SystemClock
from labeler.core.models.scoring import CatalogueEntry, ModelSpec, WeightsLocation
from labeler.scoring.extras import NOT_INSTALLED_NOTICE
from labeler.store.study_opening import open_study
from labeler.ui.kit.text.error_banner import BannerKind
from labeler.ui.models.model_table import ModelTable
from labeler.ui.models.models_screen import ModelsScreen
from labeler.ui.window.theme import Appearance
from labeler.ui.window.workers import Workers
from tests.scored_study import LOAD_SCORER, make_scored_study
from tests.stand_in_worker import LIBRARY_OUTPUT, REFUSAL, load_stand_in

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")

CONTROL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
ENTRY = CatalogueEntry(
    name="scores", architecture="scores", input_size=224, outputs=1000, weights=WeightsLocation.HUB
)


class StubModelScoring(ModelScoring):
    """The real desk, with timm's list cut short."""

    def catalogue(self) -> list[CatalogueEntry]:
        return [ENTRY]


@pytest.fixture(scope="session")
def made_to_score(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_scored_study(tmp_path_factory.mktemp("models"))


@pytest.fixture
def show(
    qtbot: QtBot,
    appearance: Appearance,
    made_to_score: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[Callable[[str], ModelsScreen]]:
    """Opens the screen for a lead; `presenter` of it belongs to the screen."""
    monkeypatch.setattr(LOAD_SCORER, load_stand_in)
    workers, clock = Workers(), SystemClock()
    path = shutil.copytree(made_to_score, tmp_path / "study")
    with open_study(path, clock=clock) as store:
        presenters: list[ModelList] = []

        def shown(code: str = "L") -> ModelsScreen:
            presenter = ModelList(
                StubModelScoring(store, code),
                database=workers.database,
                background=workers.background,
                scoring=workers.scoring,
                clock=clock,
                describe_error=str,
            )
            presenters.append(presenter)
            screen = ModelsScreen(appearance, load_keymap(), presenter)
            qtbot.addWidget(screen)
            screen.show()
            presenter.open()
            qtbot.waitUntil(lambda: bool(presenter.finder.entries and presenter.view().datasets))
            return screen

        yield shown
        for presenter in presenters:
            presenter.close()
        workers.finish()


def add(screen: ModelsScreen, *models: str) -> None:
    for model in models:
        screen._presenter.add(ModelSpec(model=model, name=model, batch_size=4))


def row(screen: ModelsScreen, name: str) -> ModelRow:
    return next(r for r in screen._presenter.view().rows if r.name == name)


def test_a_study_without_models_says_how_to_add_one(
    show: Callable[[], ModelsScreen], qtbot: QtBot
) -> None:
    screen = show()
    assert not screen.table.isVisible()
    with qtbot.waitSignal(screen.add_wanted):
        qtbot.keyClick(screen, Qt.Key.Key_N, CONTROL)


def test_a_model_is_started_by_key_and_runs_to_its_end(
    show: Callable[[], ModelsScreen], qtbot: QtBot
) -> None:
    screen = show()
    add(screen, "scores")
    assert screen.action_button.words == "Start"
    qtbot.keyClick(screen.table, Qt.Key.Key_F5)
    qtbot.waitUntil(lambda: row(screen, "scores").state is ModelState.FINISHED, timeout=20_000)
    qtbot.waitUntil(lambda: row(screen, "scores").top1 == ("100.0%", "100.0%"))
    assert row(screen, "scores").progress == "80 of 80"
    assert not screen.action_button.isEnabled()
    assert LIBRARY_OUTPUT in screen.log.text.toPlainText()
    assert "Scoring new: 40 images, 0 of them already done." in screen.log.text.toPlainText()


def test_a_model_is_cancelled_by_mouse_and_can_be_started_again(
    show: Callable[[], ModelsScreen], qtbot: QtBot
) -> None:
    screen = show()
    add(screen, "hangs")
    qtbot.mouseClick(screen.action_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: row(screen, "hangs").state is ModelState.RUNNING, timeout=20_000)
    assert screen.action_button.words == "Cancel"
    qtbot.mouseClick(screen.action_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: row(screen, "hangs").state is not ModelState.STOPPING)
    assert row(screen, "hangs").state is ModelState.NOT_STARTED
    assert screen.log.banner.sentence == NOTHING_SCORED
    assert screen.log.banner.kind is BannerKind.PAUSED
    assert (screen.action_button.words, screen.remove.isEnabled()) == ("Start", True)


def test_a_failure_is_reported_and_the_next_model_has_its_turn(
    show: Callable[[], ModelsScreen], qtbot: QtBot
) -> None:
    screen = show()
    add(screen, "refuses", "scores")
    qtbot.keyClick(screen.table, Qt.Key.Key_F5, SHIFT)
    qtbot.waitUntil(lambda: row(screen, "scores").state is ModelState.FINISHED, timeout=20_000)
    assert row(screen, "refuses").state is ModelState.FAILED
    screen.table.choose("refuses")
    assert screen.log.banner.sentence == REFUSAL
    assert screen.log.banner.kind is BannerKind.ERROR
    assert screen.action_button.words == "Try again"
    assert screen.remove.isEnabled()


def test_a_model_that_waits_is_cancelled_and_one_not_begun_is_removed(
    show: Callable[[], ModelsScreen], qtbot: QtBot
) -> None:
    screen = show()
    add(screen, "hangs", "scores")
    screen._presenter.start_all()
    screen.table.choose("scores")
    assert (row(screen, "scores").state, screen.action_button.words) == (
        ModelState.WAITING,
        "Cancel",
    )
    qtbot.keyClick(screen.table, Qt.Key.Key_F5)
    assert row(screen, "scores").state is ModelState.NOT_STARTED
    qtbot.keyClick(screen.table, Qt.Key.Key_Delete)
    assert [r.name for r in screen._presenter.view().rows] == ["hangs"]


def test_a_lead_who_labels_sees_no_accuracy(
    show: Callable[..., ModelsScreen], qtbot: QtBot
) -> None:
    screen = show("B")
    add(screen, "scores")
    qtbot.keyClick(screen.table, Qt.Key.Key_F5)
    qtbot.waitUntil(lambda: row(screen, "scores").state is ModelState.FINISHED, timeout=20_000)
    assert row(screen, "scores").top1 == ("", "")
    assert screen.notice.sentence == ACCURACY_HIDDEN


def test_without_torch_the_screen_says_how_to_install_it(
    show: Callable[[], ModelsScreen], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("labeler.app.models.model_scoring.are_extras_installed", lambda: False)
    screen = show()
    assert screen.notice.sentence == NOT_INSTALLED_NOTICE
    for way in (screen.add, screen.testbed):
        assert not way.isEnabled()
        assert "aren't installed" in way.toolTip()
    assert screen.home.hasFocus()
    add(screen, "scores")
    assert not screen.action_button.isEnabled()
    assert not screen.start_all.isEnabled()
    screen._presenter.do("scores", ModelAction.START)
    assert "pip install" in screen.error_banner.sentence
    refusal = screen._presenter.why_not_add(ModelSpec(model="resnet", name="resnet"))
    assert refusal == screen.notice.sentence


def test_the_log_can_be_hidden(show: Callable[[], ModelsScreen], qtbot: QtBot) -> None:
    screen = show()
    add(screen, "scores")
    assert screen.log.isVisible()
    qtbot.keyClick(screen.table, Qt.Key.Key_L, CONTROL)
    assert not screen.log.isVisible()


def test_a_testbed_file_adds_its_models_and_a_wrong_one_is_reported(
    show: Callable[[], ModelsScreen], qtbot: QtBot, tmp_path: Path
) -> None:
    screen = show()
    with qtbot.waitSignal(screen.testbed_wanted):
        qtbot.keyClick(screen, Qt.Key.Key_O, CONTROL)
    add(screen, "scores")
    file = tmp_path / "testbed.toml"
    models = ('model = "scores"', 'model = "scores"\nname = "again"\nbatch_size = 2')
    file.write_text("".join(f"[[model]]\n{model}\n" for model in models), encoding="utf-8")
    screen._presenter.add_testbed(file)
    assert [r.name for r in screen._presenter.view().rows] == ["scores", "again"]
    file.write_text('[[model]]\nmodel = "scoer"', encoding="utf-8")
    screen._presenter.add_testbed(file)
    assert "'testbed.toml', scoer: timm has no model" in screen.error_banner.sentence
    file.write_text("models = 3", encoding="utf-8")
    screen._presenter.add_testbed(file)
    assert "'models' is unknown" in screen.error_banner.sentence


def test_a_chosen_dataset_is_scored_alone_with_the_chosen_number_of_labels(
    show: Callable[[], ModelsScreen], qtbot: QtBot
) -> None:
    screen = show()
    add(screen, "scores")
    with qtbot.waitSignal(screen.how_wanted):
        qtbot.keyClick(screen.table, Qt.Key.Key_E, CONTROL)
    screen._presenter.choose_how(ScoringChoices(datasets=("new",), ranks=2, device="cpu"))
    assert screen.scoring_text.text() == (
        "Next: new on cpu, 2 labels per image, automatic batch size."
    )
    qtbot.keyClick(screen.table, Qt.Key.Key_F5)
    qtbot.waitUntil(lambda: row(screen, "scores").state is ModelState.FINISHED, timeout=20_000)
    assert (row(screen, "scores").progress, row(screen, "scores").top1[0]) == ("40 of 40", "")
    screen._presenter.choose_how(ScoringChoices())
    assert (row(screen, "scores").state, screen.action_button.words) == (ModelState.MORE, "Start")
    assert row(screen, "scores").progress == "40 of 80"
    qtbot.keyClick(screen.table, Qt.Key.Key_F5)
    qtbot.waitUntil(lambda: row(screen, "scores").top1 == ("100.0%", "100.0%"), timeout=20_000)


def test_a_model_that_has_begun_continues_waiting_when_another_has_ended(
    show: Callable[[], ModelsScreen], qtbot: QtBot
) -> None:
    screen = show()
    presenter = screen._presenter
    add(screen, "scores", "hangs")
    presenter.choose_how(ScoringChoices(datasets=("new",)))
    presenter.do("scores", ModelAction.START)
    qtbot.waitUntil(lambda: row(screen, "scores").state is ModelState.FINISHED, timeout=20_000)
    presenter.choose_how(ScoringChoices())
    presenter.do("hangs", ModelAction.START)
    presenter.do("scores", ModelAction.START)
    qtbot.waitUntil(lambda: row(screen, "hangs").state is ModelState.RUNNING, timeout=20_000)
    presenter._snapshot_arrived(presenter._model_scoring.snapshot())
    assert (row(screen, "scores").state, row(screen, "scores").action) == (
        ModelState.WAITING,
        ModelAction.CANCEL,
    )


def test_a_finished_model_is_scored_again_when_that_is_asked_for(
    show: Callable[[], ModelsScreen], qtbot: QtBot
) -> None:
    screen = show()
    add(screen, "scores")
    qtbot.keyClick(screen.table, Qt.Key.Key_F5)
    qtbot.waitUntil(lambda: row(screen, "scores").state is ModelState.FINISHED, timeout=20_000)
    assert not screen.action_button.isEnabled()
    screen._presenter.choose_how(ScoringChoices(replace=True))
    assert REPLACING in screen.scoring_text.text()
    assert (screen.action_button.words, screen.start_all.isEnabled()) == ("Score again", False)
    qtbot.keyClick(screen.table, Qt.Key.Key_F5)
    qtbot.waitUntil(lambda: row(screen, "scores").state is not ModelState.FINISHED)
    qtbot.waitUntil(lambda: row(screen, "scores").state is ModelState.FINISHED, timeout=20_000)
    assert "Scoring new: 40 images, 0 of them already done." in screen.log.text.toPlainText()
    assert row(screen, "scores").progress == "80 of 80"


def test_the_name_keeps_its_room_next_to_many_datasets(
    qtbot: QtBot, appearance: Appearance
) -> None:
    datasets = tuple(f"validation-set-{number}" for number in range(3))
    name = "tf_efficientnet_b7.ns_jft_in1k"
    row = ModelRow(
        name=name,
        weights="hub",
        device="cpu",
        state=ModelState.FINISHED,
        done=1,
        total=1,
        progress="50,000 of 50,000",
        rate="120",
        top1=("88.0 %",) * len(datasets),
        sentence="",
        action=None,
        can_remove=False,
    )
    view = ModelsView(
        datasets=datasets, rows=(row,), notice="", how="", can_start_all=False, can_add=True
    )
    table = ModelTable(appearance)
    qtbot.addWidget(table)
    table.resize(800, 300)
    table.show()
    table.render_view(view)
    assert table.columnWidth(0) >= table.fontMetrics().horizontalAdvance("tf_efficientnet_b7")
    table.resize(1900, 300)
    assert table.columnWidth(0) > table.fontMetrics().horizontalAdvance(name)
    assert table.horizontalHeader().length() == table.viewport().width()
