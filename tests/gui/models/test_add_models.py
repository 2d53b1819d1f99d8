"""The lead finds models, ticks several, and says how they are to be scored."""

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QDialog, QTableView, QWidget
from pytestqt.qtbot import QtBot

from labeler.app.keymap import load_keymap
from labeler.app.models.model_finder import LIST_UNREADABLE, READING_LIST, ModelFinder
from labeler.app.models.scoring_request import ScoringChoices
from labeler.app.study.preferences import ThemeChoice
from labeler.core.models.scoring import CatalogueEntry, ModelSpec, Precision, WeightsLocation
from labeler.scoring.extras import NOT_INSTALLED_NOTICE
from labeler.ui.models.add_model_dialog import NOTHING_TICKED, AddModelDialog
from labeler.ui.models.scoring_options_dialog import (
    LOGITS_FOLDER_MISSING,
    NO_DATASET_TICKED,
    ScoringOptionsDialog,
)
from labeler.ui.window.theme import Appearance

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")

CONTROL = Qt.KeyboardModifier.ControlModifier
NAMES = ("resnet18.tv_in1k", "resnet50.tv_in1k", "tf_efficientnet_lite0.in1k", "vgg16.tv_in1k")


def entry(name: str) -> CatalogueEntry:
    return CatalogueEntry(
        name=name,
        architecture=name.partition(".")[0],
        input_size=224,
        outputs=1000,
        weights=WeightsLocation.INSTALLED if "lite0" in name else WeightsLocation.HUB,
        parameters=25_557_032,
    )


@pytest.fixture
def finder() -> ModelFinder:
    return ModelFinder()


@pytest.fixture
def parent(qtbot: QtBot) -> QWidget:
    made = QWidget()
    qtbot.addWidget(made)
    return made


@pytest.fixture
def dialog(appearance: Appearance, finder: ModelFinder, parent: QWidget) -> AddModelDialog:
    def why_not(spec: ModelSpec) -> str | None:
        return finder.why_unknown(spec.model) if spec.model else "Give the name of a model."

    made = AddModelDialog(appearance, load_keymap(), finder, parent, why_not=why_not)
    made.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
    assert made.known.text() == READING_LIST
    finder.take([entry(name) for name in NAMES])
    made.show()
    return made


def shown(dialog: AddModelDialog) -> list[str]:
    model = dialog.table.model()
    return [str(model.index(row, 0).data()) for row in range(model.rowCount())]


def test_what_is_installed_comes_first_and_words_narrow_the_list(
    dialog: AddModelDialog, qtbot: QtBot
) -> None:
    assert shown(dialog)[0] == "tf_efficientnet_lite0.in1k"
    assert dialog.known.text().startswith("4 of 4 models")
    qtbot.keyClicks(dialog.search, "tv res")
    assert shown(dialog) == ["resnet18.tv_in1k", "resnet50.tv_in1k"]


def test_several_models_are_ticked_by_keyboard_and_added_at_once(
    dialog: AddModelDialog, qtbot: QtBot
) -> None:
    qtbot.keyClicks(dialog.search, "resnet")
    qtbot.keyClick(dialog.search, Qt.Key.Key_Down)
    for key in (Qt.Key.Key_Space, Qt.Key.Key_Down, Qt.Key.Key_Space):
        qtbot.keyClick(dialog.table, key)
    dialog.search.setText("vgg")
    assert "2 ticked: resnet18.tv_in1k, resnet50.tv_in1k" in dialog.known.text()
    assert not dialog.checkpoint.isEnabled()
    with qtbot.waitSignal(dialog.wanted) as wanted:
        qtbot.keyClick(dialog.search, Qt.Key.Key_Return, CONTROL)
    assert wanted.args == [[ModelSpec(model=name, name=name) for name in NAMES[:2]]]
    assert dialog.result() == QDialog.DialogCode.Accepted


def test_a_typed_name_with_a_checkpoint_is_added(dialog: AddModelDialog, qtbot: QtBot) -> None:
    dialog.search.setText("resnet50")
    dialog.name.setText("ours")
    dialog.checkpoint.field.setText("/weights/ours.pth")
    with qtbot.waitSignal(dialog.wanted) as wanted:
        dialog.enter.click()
    (spec,) = wanted.args[0]
    assert spec == ModelSpec(model="resnet50", name="ours", checkpoint="/weights/ours.pth")


def test_what_cant_be_added_is_reported(dialog: AddModelDialog) -> None:
    before = dialog.name.geometry()
    dialog.add()
    assert dialog.error_banner.sentence == NOTHING_TICKED
    dialog.search.setText("resnet5O")
    dialog.add()
    assert "Did you mean resnet50" in dialog.error_banner.sentence
    assert NOTHING_TICKED in dialog.error_banner.sentence
    assert dialog.name.geometry() == before


def test_without_timm_the_form_says_so_at_once_and_adds_nothing(
    dialog: AddModelDialog, finder: ModelFinder
) -> None:
    finder.take([])
    finder.miss(NOT_INSTALLED_NOTICE)
    assert dialog.known.text() == NOT_INSTALLED_NOTICE
    assert not dialog.enter.isEnabled()
    dialog.search.setText("resnet50")
    dialog.add()
    assert dialog.error_banner.sentence == NOT_INSTALLED_NOTICE


def test_a_list_that_cannot_be_read_is_not_waited_for(
    dialog: AddModelDialog, finder: ModelFinder, qtbot: QtBot
) -> None:
    finder.take([])
    assert dialog.known.text() == LIST_UNREADABLE
    dialog.search.setText("resnet50")
    with qtbot.waitSignal(dialog.wanted):
        dialog.add()


def test_published_accuracies_are_next_to_the_models(
    dialog: AddModelDialog, tmp_path: Path
) -> None:
    file = tmp_path / "results-imagenet-real.csv"
    file.write_text(
        "model,top1,top5,param_count\nresnet50.tv_in1k,82.95,96.5,25.56\n", encoding="utf-8"
    )
    dialog.read_results(str(file))
    model = dialog.table.model()
    last = model.columnCount() - 1
    assert model.headerData(last, Qt.Orientation.Horizontal) == "Top-1 imagenet-real"
    row = shown(dialog).index("resnet50.tv_in1k")
    assert (model.index(row, last).data(), model.index(row, 1).data()) == ("82.95", "25.6 M")
    file.write_text("model\n", encoding="utf-8")
    dialog.read_results(str(file))
    assert "This isn't a results file of timm" in dialog.error_banner.sentence


@pytest.mark.parametrize("theme", [ThemeChoice.LIGHT, ThemeChoice.DARK])
def test_a_box_to_tick_is_seen_in_both_themes(
    dialog: AddModelDialog, appearance: Appearance, theme: ThemeChoice
) -> None:
    appearance.choose(theme)
    table = dialog.table
    cell = table.visualRect(dialog.table.model().index(0, 0))
    cell.setWidth(cell.height())
    assert appearance.colour("strong_line") in colours_in(table, cell)
    dialog.table.toggle(0)
    assert appearance.colour("accent") in colours_in(table, cell)


def colours_in(table: QTableView, where: QRect) -> list[QColor]:
    image = table.viewport().grab(where).toImage()
    return [image.pixelColor(x, y) for x in range(image.width()) for y in range(image.height())]


@pytest.fixture
def ask_how(
    appearance: Appearance, parent: QWidget
) -> Callable[[ScoringChoices], ScoringOptionsDialog]:
    def asked(how: ScoringChoices) -> ScoringOptionsDialog:
        made = ScoringOptionsDialog(appearance, how, {"original": 40, "new": 40}, parent)
        made.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
        made.show()
        return made

    return asked


def test_how_to_score_is_shown_and_chosen(
    ask_how: Callable[[ScoringChoices], ScoringOptionsDialog], qtbot: QtBot
) -> None:
    dialog = ask_how(ScoringChoices(datasets=("new",), device="cuda:1", ranks=3, batch_size=64))
    assert not dialog.datasets["original"].isChecked()
    dialog.datasets["original"].click()
    dialog.device.setCurrentText("cpu")
    dialog.batch_size.setValue(0)
    with qtbot.waitSignal(dialog.wanted) as wanted:
        dialog.take.click()
    assert wanted.args == [ScoringChoices(device="cpu", ranks=3)]


def test_at_least_one_dataset_is_scored(
    ask_how: Callable[[ScoringChoices], ScoringOptionsDialog],
) -> None:
    dialog = ask_how(ScoringChoices())
    for box in dialog.datasets.values():
        box.setChecked(False)
    dialog.answer()
    assert dialog.error_banner.sentence == NO_DATASET_TICKED


def test_what_few_want_is_folded_until_it_is_asked_for(
    ask_how: Callable[[ScoringChoices], ScoringOptionsDialog], qtbot: QtBot, tmp_path: Path
) -> None:
    dialog = ask_how(ScoringChoices())
    more = dialog.more
    assert not more.precision.isVisible()
    with qtbot.waitActive(dialog):
        dialog.activateWindow()
    qtbot.keyClick(dialog, Qt.Key.Key_M, Qt.KeyboardModifier.AltModifier)
    qtbot.waitUntil(more.precision.isVisible)
    more.precision.setCurrentIndex(1)
    more.replace.click()
    more.accept_chance.click()
    more.logits.setText(str(tmp_path / "nowhere" / "logits"))
    dialog.take.click()
    assert dialog.error_banner.sentence == LOGITS_FOLDER_MISSING.format(folder=tmp_path / "nowhere")
    layout = dialog.layout()
    assert layout is not None
    assert dialog.height() >= layout.totalHeightForWidth(dialog.width())
    more.logits.setText(str(tmp_path / "logits"))
    with qtbot.waitSignal(dialog.wanted) as wanted:
        dialog.take.click()
    chosen = ScoringChoices(
        precision=Precision.FLOAT32,
        logits=tmp_path / "logits",
        replace=True,
        accept_chance=True,
    )
    assert wanted.args == [chosen]
    assert ask_how(chosen).more.precision.isVisible()
