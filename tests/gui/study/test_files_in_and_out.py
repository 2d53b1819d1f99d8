"""A lead imports and exports files in the window, with a preview."""

from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QWidget

# Its libraries' threads never end, and have the name of the worker that first imports it.
import labeler.app.results.report_writer  # noqa: F401
from labeler.app.datasets.dataset_import import import_dataset
from labeler.app.datasets.import_request import DatasetRequest
from labeler.app.exchange.export_formats import FORMAT_OMISSIONS, ExportFormat
from labeler.app.exchange.file_exchange import NOTHING_IMPORTED_YET, replaced_text
from labeler.app.exchange.file_import import FORMAT_DESCRIPTIONS, ROLES_HINT
from labeler.app.exchange.file_recognition import ForeignFormat
from labeler.app.models.prediction_import import ALREADY_PREDICTED
from labeler.app.study.setup.setup_step import SetupStep
from labeler.core.classes.taxonomy import load_default
from labeler.core.study.exchange_format import EXCHANGE_FILES
from labeler.formats.human_accuracy_pickle import WALL_CLOCK_TIMES
from labeler.store.study_opening import open_study
from labeler.ui.study.setup.file_export_card import REPLACES_FILE
from labeler.ui.study.setup.file_import_card import NOTHING_NEW
from labeler.ui.study.setup.prediction_import_form import FROM_LIST, NO_IMAGES
from tests.gui.exchanging_files import at_set_up, choose, looked_at, panel, texts
from tests.gui.leading import at_rest, confirmation, folder_of, go_to, set_up, words_of
from tests.gui.window_session import WindowSession
from tests.unit.formats.paper import MARMOT, VAL_1, paper, written

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")


@pytest.fixture
def lead(lead: WindowSession) -> WindowSession:
    """The lead of an empty study, at the step for files."""
    go_to(lead, set_up(lead), SetupStep.FILES)
    return lead


def images_in(session: WindowSession) -> int:
    study = session.navigation.context.study
    with open_study(study.places.folder, clock=session.clock) as store, store.read() as found:
        return sum(dataset.images for dataset in found.datasets.all())


def test_a_dropped_file_is_recognised_shown_and_then_imported(
    lead: WindowSession, tmp_path: Path
) -> None:
    file = written(tmp_path, paper())
    drop(panel(lead), file)
    card = panel(lead).coming_in
    lead.wait(card.preview.isVisible)
    assert card.kind.text() == FORMAT_DESCRIPTIONS[ForeignFormat.HUMAN_ACCURACY]
    assert "Datasets: imagenet (2 images), imagenetv2 (2 images)." in card.found.text()
    assert WALL_CLOCK_TIMES in card.found.text()
    assert ROLES_HINT in card.found.text()
    assert texts(card.files)[0] == ["datasets.csv", "4", "4", "0", ""]
    assert card.shown.title.text() == "First rows of datasets.csv"
    assert texts(card.shown.rows)[0] == ["imagenet", VAL_1, MARMOT, "", ""]
    assert images_in(lead) == 0, "a preview imports nothing"
    assert card.take.text() == "&Import 31 rows"
    lead.click(card.take)
    lead.wait(lambda: "Imported 31 rows: 4 in datasets.csv, " in at_set_up(lead).said.sentence)
    assert images_in(lead) == 4
    lead.wait(lambda: card.place.text() == "")
    assert card.preview.isHidden(), "there is room for the next"


def test_a_drop_on_a_field_is_previewed_by_its_card(lead: WindowSession, tmp_path: Path) -> None:
    file, folder = written(tmp_path, paper()), tmp_path / "out"
    folder.mkdir()
    step = panel(lead)
    drop(step.coming_in.place, file)
    lead.wait(step.coming_in.preview.isVisible)
    assert step.coming_in.place.text() == str(file)
    lead.click(step.coming_in.take)
    lead.wait(step.coming_in.preview.isHidden)
    drop(step.going_out.folder, folder)
    lead.wait(step.going_out.give.isEnabled)
    assert step.going_out.folder.text() == str(folder)


def test_an_array_is_described_previewed_and_imported(lead: WindowSession, tmp_path: Path) -> None:
    assert panel(lead).coming_in.scores.found.text() == NO_IMAGES
    wnids = load_default().class_wnids[:6]
    rows = "".join(f"val,{wnid}/1.JPEG,{wnid},,\n" for wnid in wnids)
    table = tmp_path / "datasets.csv"
    table.write_text(f"dataset,image,target,path,problematic\n{rows}")
    lead.click(looked_at(lead, table).take)
    lead.wait(lambda: images_in(lead) == len(wnids))
    np.save(tmp_path / "resnet.npy", np.arange(len(wnids))[::-1])
    card = panel(lead).coming_in
    lead.wait(lambda: card.scores.dataset.count() == 1)
    card.preview_paths([tmp_path / "resnet.npy"])
    lead.wait(card.scores.isVisible)
    assert card.scores.model.text() == "resnet"
    assert not card.scores.take.isEnabled(), "it wasn't previewed"
    (tmp_path / "order.txt").write_text("".join(f"{wnid}/1.JPEG\n" for wnid in reversed(wnids)))
    card.scores.order.setCurrentText(FROM_LIST)
    card.scores.order_list.setText(str(tmp_path / "order.txt"))
    lead.wait(lambda: card.scores.preview.size() == card.scores.preview.sizeHint())
    lead.click(card.scores.preview)
    lead.wait(card.scores.take.isEnabled)
    sentence = "resnet on val: predictions for 6 of 6 images, top-1 accuracy 100.00%."
    assert card.scores.found.text() == f"{sentence} {NOTHING_IMPORTED_YET}"
    lead.click(card.scores.take)
    lead.wait(lambda: f"Imported. {sentence}" in at_set_up(lead).said.sentence)
    lead.wait(card.scores.isHidden)
    lead.wait(lambda: not card._set_up.is_busy)
    card.preview_paths([tmp_path / "resnet.npy"])
    lead.wait(card.scores.isVisible)
    lead.wait(lambda: not card._set_up.is_busy)
    lead.click(card.scores.preview)
    again = ALREADY_PREDICTED.format(model="resnet", dataset="val")
    lead.wait(lambda: at_set_up(lead).error_banner.sentence == again)
    assert "--" not in at_set_up(lead).error_banner.sentence
    assert not card.scores.take.isEnabled()


def test_existing_rows_cannot_be_imported_again(lead: WindowSession, tmp_path: Path) -> None:
    card = looked_at(lead, written(tmp_path, paper()))
    lead.click(card.take)
    lead.wait(card.preview.isHidden)
    again = looked_at(lead, tmp_path / "human_accuracy.pickle")
    assert NOTHING_NEW in again.found.text()
    assert texts(again.files)[0] == ["datasets.csv", "4", "0", "4", ""]
    assert not again.take.isEnabled()


def test_an_import_that_is_cancelled_leaves_the_study_as_it_was(
    lead: WindowSession, tmp_path: Path
) -> None:
    card = looked_at(lead, written(tmp_path, paper()))
    screen = at_set_up(lead)
    card.take.click()
    screen.work.cancel.click()
    lead.wait(lambda: bool(screen.said.sentence or screen.halted.sentence))
    # It may have been too late to cancel; the message says which, and must be true.
    stopped = bool(screen.halted.sentence)
    assert images_in(lead) == (0 if stopped else 4)
    assert stopped == ("Imported" not in screen.said.sentence)


@pytest.mark.parametrize(
    ("wanted", "first"),
    [
        (ExportFormat.EXCHANGE, ["datasets.csv", "4", ""]),
        (ExportFormat.MODEL_VS_HUMAN, ["imagenet_human_a_session_1.csv", "2", ""]),
        (ExportFormat.TIMM_RESULTS, ["results-imagenet.csv", "1", ""]),
    ],
)
def test_every_format_is_exported_after_a_preview(
    lead: WindowSession, tmp_path: Path, wanted: ExportFormat, first: list[str]
) -> None:
    with_answers(lead, tmp_path)
    card, out = panel(lead).going_out, tmp_path / "out"
    choose(card, wanted)
    assert card.omitted.text() == "\n".join(FORMAT_OMISSIONS[wanted])
    card.preview_folder(out)
    lead.wait(card.give.isEnabled)
    assert texts(card.files)[0] == first
    assert not out.exists(), "a preview writes nothing"
    lead.click(card.give)
    lead.wait(lambda: "Exported " in at_set_up(lead).said.sentence)
    assert (out / first[0]).is_file()
    lead.wait(lambda: at_set_up(lead).isAncestorOf(lead.window.focusWidget()))
    card.preview_folder(out)
    lead.wait(card.give.isEnabled)
    assert texts(card.files)[0][2] == REPLACES_FILE


def test_existing_files_are_replaced_after_a_confirmation(
    lead: WindowSession, tmp_path: Path
) -> None:
    with_answers(lead, tmp_path)
    card, out = panel(lead).going_out, tmp_path / "out"
    out.mkdir()
    (out / "datasets.csv").write_text("mine")
    (button,) = at_rest(lead, card, card.give)
    card.preview_folder(out)
    lead.wait(card.give.isEnabled)
    assert at_rest(lead, card, card.give) == [button], "it stays where it is"
    assert "1 of them replacing existing ones" in card.counts.text()
    lead.click(card.give)
    asked = confirmation()
    assert "datasets.csv" in words_of(asked)
    lead.click(asked.cancel)
    assert (out / "datasets.csv").read_text() == "mine"
    lead.click(card.give)
    lead.click(confirmation().do)
    lead.wait(lambda: replaced_text(1) in at_set_up(lead).said.sentence)
    assert (out / "datasets.csv").read_text() != "mine"


def test_an_export_into_a_datasets_folder_is_refused(lead: WindowSession, pictures: Path) -> None:
    with open_study(folder_of(lead), clock=lead.clock) as store:
        import_dataset(store, DatasetRequest(name="val", path=pictures))
    card = panel(lead).going_out
    for place in (pictures, pictures / "export"):
        card.preview_folder(place)
        lead.wait(lambda place=place: str(place) in at_set_up(lead).error_banner.sentence)
        assert "is the image folder of val" in at_set_up(lead).error_banner.sentence
        assert not card.give.isEnabled()


def test_the_reports_tables_are_written_as_latex_from_the_window(
    lead: WindowSession, tmp_path: Path
) -> None:
    with_answers(lead, tmp_path)
    card = panel(lead).going_out
    choose(card, ExportFormat.LATEX)
    card.preview_folder(tmp_path / "out")
    lead.wait(card.give.isEnabled)
    lead.click(card.give)
    lead.qtbot.waitUntil(lambda: "Exported " in at_set_up(lead).said.sentence, timeout=60_000)
    assert list((tmp_path / "out" / "tables").glob("*.tex"))


def test_names_are_exported_only_on_request(lead: WindowSession, tmp_path: Path) -> None:
    card = panel(lead).going_out
    choose(card, ExportFormat.TIMM_RESULTS)
    assert card.names.isHidden()
    choose(card, ExportFormat.EXCHANGE)
    for ticked, header in ((False, "description\n"), (True, "description,name\n")):
        card.names.setChecked(ticked)
        card.preview_folder(tmp_path / "out")
        lead.wait(card.give.isEnabled)
        lead.click(card.give)
        if ticked:
            lead.click(confirmation().do)
        lead.wait(lambda: f"Exported {len(EXCHANGE_FILES)} files" in at_set_up(lead).said.sentence)
        lead.wait(lambda: card.folder.text() == "")
        with (tmp_path / "out" / "participants.csv").open() as file:
            assert file.readline().endswith(header)


def with_answers(session: WindowSession, folder: Path) -> None:
    card = looked_at(session, written(folder, paper()))
    session.click(card.take)
    session.wait(card.preview.isHidden)


def drop(onto: QWidget, *files: Path) -> None:
    """Deliver the drop as Qt does: to the first widget outwards that accepts the drag."""
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(file)) for file in files])
    about = (data, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier)
    taker: QWidget | None = onto
    while taker is not None:
        entering = QDragEnterEvent(QPoint(5, 5), Qt.DropAction.CopyAction, *about)
        entering.ignore()
        if taker.acceptDrops():
            taker.dragEnterEvent(entering)
        if entering.isAccepted():
            taker.dropEvent(QDropEvent(QPointF(5, 5), Qt.DropAction.CopyAction, *about))
            return
        taker = taker.parentWidget()
    raise AssertionError("no widget accepts the drop")
