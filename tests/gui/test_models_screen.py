"""The lead adds, starts, cancels and resumes models, by keyboard and by mouse."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QDialog
from pytestqt.qtbot import QtBot

from labeler.app.keymap import load_keymap
from labeler.app.presenters.models import Models
from labeler.app.presenters.models_views import Deed, ModelRow, ModelState
from labeler.app.scoring.desk import ScoringDesk
from labeler.core.catalogue import CatalogueEntry, WeightsPlace
from labeler.core.clock import SystemClock
from labeler.core.scoring import ModelSpec
from labeler.store.opening import open_study
from labeler.ui.dialogs.add_model import AddModelDialog
from labeler.ui.look import Look
from labeler.ui.screens.models import ModelsScreen
from labeler.ui.workers import Workers
from tests.scored_study import STAND_IN, make_scored_study

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")

CONTROL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
ENTRY = CatalogueEntry(
    name="scores", architecture="scores", input_size=224, outputs=1000, weights=WeightsPlace.HUB
)


class Desk(ScoringDesk):
    """The real desk, with timm's list cut short."""

    def catalogue(self) -> list[CatalogueEntry]:
        return [ENTRY]


@pytest.fixture(scope="session")
def made_to_score(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_scored_study(tmp_path_factory.mktemp("models"))


@pytest.fixture
def show(
    qtbot: QtBot,
    look: Look,
    made_to_score: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[Callable[[str], ModelsScreen]]:
    """Opens the screen for a lead; `presenter` of it belongs to the screen."""
    monkeypatch.setattr("labeler.scoring.process.WORKER", STAND_IN)
    workers, clock = Workers(), SystemClock()
    path = shutil.copytree(made_to_score, tmp_path / "study")
    with open_study(path, clock=clock) as store:
        presenters: list[Models] = []

        def shown(code: str = "L") -> ModelsScreen:
            presenter = Models(
                Desk(store, code),
                database=workers.database,
                background=workers.background,
                scoring=workers.scoring,
                clock=clock,
                told=str,
            )
            presenters.append(presenter)
            screen = ModelsScreen(look, load_keymap(), presenter)
            qtbot.addWidget(screen)
            screen.show()
            presenter.open()
            qtbot.waitUntil(lambda: bool(presenter.catalogue and presenter.view().datasets))
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
    assert screen.deed.words == "Start"
    qtbot.keyClick(screen.table, Qt.Key.Key_F5)
    qtbot.waitUntil(lambda: row(screen, "scores").state is ModelState.FINISHED, timeout=20_000)
    qtbot.waitUntil(lambda: row(screen, "scores").top1 == ("100.0%", "100.0%"))
    assert row(screen, "scores").progress == "80 of 80"
    assert not screen.deed.isEnabled()
    assert "words of a library" in screen.log.text.toPlainText()
    assert "Scoring new: 40 images, 0 of them done before." in screen.log.text.toPlainText()


def test_a_model_is_cancelled_by_mouse_and_resumed(
    show: Callable[[], ModelsScreen], qtbot: QtBot
) -> None:
    screen = show()
    add(screen, "hangs")
    qtbot.mouseClick(screen.deed, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: row(screen, "hangs").state is ModelState.RUNNING, timeout=20_000)
    assert screen.deed.words == "Cancel"
    qtbot.mouseClick(screen.deed, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: row(screen, "hangs").state is not ModelState.STOPPING)
    assert row(screen, "hangs").state in (ModelState.INTERRUPTED, ModelState.NOT_STARTED)
    assert row(screen, "hangs").deed in (Deed.RESUME, Deed.START)


def test_a_failure_is_told_and_the_next_model_has_its_turn(
    show: Callable[[], ModelsScreen], qtbot: QtBot
) -> None:
    screen = show()
    add(screen, "refuses", "scores")
    qtbot.keyClick(screen.table, Qt.Key.Key_F5, SHIFT)
    qtbot.waitUntil(lambda: row(screen, "scores").state is ModelState.FINISHED, timeout=20_000)
    assert row(screen, "refuses").state is ModelState.FAILED
    screen.table.choose("refuses")
    assert screen.log.failure.sentence == "this model is refused"
    assert screen.deed.words == "Try again"
    assert screen.remove.isEnabled()


def test_a_model_that_waits_is_cancelled_and_one_not_begun_is_removed(
    show: Callable[[], ModelsScreen], qtbot: QtBot
) -> None:
    screen = show()
    add(screen, "hangs", "scores")
    screen._presenter.start_all()
    screen.table.choose("scores")
    assert (row(screen, "scores").state, screen.deed.words) == (ModelState.WAITING, "Cancel")
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
    assert "when the evaluation is locked" in screen.notice.sentence


def test_without_torch_the_screen_says_how_to_install_it(
    show: Callable[[], ModelsScreen], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("labeler.app.scoring.desk.is_installed", lambda: False)
    screen = show()
    add(screen, "scores")
    assert "pip install" in screen.notice.sentence
    screen._presenter.do("scores", Deed.START)
    assert "pip install" in screen.told.sentence


def test_the_log_can_be_hidden(show: Callable[[], ModelsScreen], qtbot: QtBot) -> None:
    screen = show()
    add(screen, "scores")
    assert screen.log.isVisible()
    qtbot.keyClick(screen.table, Qt.Key.Key_L, CONTROL)
    assert not screen.log.isVisible()


@pytest.fixture
def dialog(qtbot: QtBot, qapp: QApplication, show: Callable[[], ModelsScreen]) -> AddModelDialog:
    screen = show()
    made = AddModelDialog(
        screen._look,
        screen,
        why_not=screen._presenter.why_not_add,
    )
    assert made.known.text() == "timm's list is being read …"
    screen._presenter.await_catalogue(made.take_catalogue)
    made.wanted.connect(screen._presenter.add)
    made.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
    made.show()
    return made


def test_a_model_is_added_by_its_name(dialog: AddModelDialog, qtbot: QtBot) -> None:
    qtbot.keyClicks(dialog.model, "scores")
    assert "1,000 outputs, weights: fetched from timm's hub" in dialog.known.text()
    with qtbot.waitSignal(dialog.wanted) as wanted:
        dialog.add()
    assert wanted.args == [ModelSpec(model="scores", name="scores")]
    assert dialog.result() == QDialog.DialogCode.Accepted


@pytest.mark.parametrize(
    ("model", "name", "sentence"),
    [
        ("", "", "Give the name of a model"),
        ("score", "", "Did you mean scores?"),
        ("scores", "a b", "without spaces"),
    ],
)
def test_what_cant_be_added_is_told(
    dialog: AddModelDialog, model: str, name: str, sentence: str
) -> None:
    dialog.model.setText(model)
    dialog.name.setText(name)
    dialog.add()
    assert sentence in dialog.told.sentence


def test_a_model_cant_be_added_twice(dialog: AddModelDialog) -> None:
    dialog.model.setText("scores")
    dialog.add()
    dialog.add()
    assert "already" in dialog.told.sentence
