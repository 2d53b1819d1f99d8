"""A lead brings files in and takes them out in the window, and sees beforehand what comes of it."""

from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QWidget

# Threads of its libraries stay for good, and bear the name of the worker that imports it first.
import labeler.app.results.report_writer  # noqa: F401
from labeler.app.datasets.dataset_import import import_dataset
from labeler.app.datasets.import_request import DatasetRequest
from labeler.app.exchange.file_export import ExportFormat
from labeler.app.models.prediction_import import ALREADY_PREDICTED
from labeler.app.study.setup.steps import SetupStep
from labeler.core.classes.taxonomy import load_default
from labeler.formats.human_accuracy_pickle import WALL_CLOCK_TIMES
from labeler.store.study_opening import open_study
from labeler.ui.study.setup.file_export_card import FileExportCard
from labeler.ui.study.setup.file_import_card import FileImportCard
from labeler.ui.study.setup.files_panel import FilesPanel
from labeler.ui.study.setup.setup_screen import SetupScreen
from tests.gui.leading import at_rest, confirmation, folder_of, words_of
from tests.gui.window_session import WindowSession
from tests.unit.formats.paper import MARMOT, VAL_1, paper, written

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")


@pytest.fixture
def lead(lead: WindowSession) -> WindowSession:
    """The lead of an empty study, at the step for files."""
    lead.press(Qt.Key.Key_F9)
    screen = lead.wait_for(SetupScreen)
    assert isinstance(screen, SetupScreen)
    lead.wait(screen.steps[SetupStep.FILES].isVisible)
    lead.click(screen.steps[SetupStep.FILES])
    lead.wait(screen.panels[SetupStep.FILES].isVisible)
    return lead


def test_a_step_that_is_wanted_before_anything_is_known_is_shown(lead: WindowSession) -> None:
    lead.click(at_set_up(lead).home)
    lead.home()
    lead.press(Qt.Key.Key_F9)
    screen = at_set_up(lead)
    assert not screen.steps[SetupStep.FILES].isVisible(), "the study hasn't been looked at yet"
    screen.steps[SetupStep.FILES].click()
    lead.wait(screen.panels[SetupStep.FILES].isVisible)


def at_set_up(session: WindowSession) -> SetupScreen:
    screen = session.window.screen_shown
    assert isinstance(screen, SetupScreen)
    return screen


def panel(session: WindowSession) -> FilesPanel:
    found = at_set_up(session).panels[SetupStep.FILES]
    assert isinstance(found, FilesPanel)
    return found


def looked_at(session: WindowSession, *paths: Path) -> FileImportCard:
    """The card once it shows what the files would bring."""
    card = panel(session).coming_in
    card.preview_paths(paths)
    session.wait(card.preview.isVisible)
    return card


def texts(table: object) -> list[list[str]]:
    return [
        [table.topLevelItem(row).text(column) for column in range(table.columnCount())]  # type: ignore[attr-defined]
        for row in range(table.topLevelItemCount())  # type: ignore[attr-defined]
    ]


def images_in(session: WindowSession) -> int:
    study = session.opened.navigation._study
    assert study is not None
    with open_study(study.places.folder, clock=session.clock) as store, store.read() as found:
        return sum(dataset.images for dataset in found.datasets.all())


def test_a_dropped_file_is_recognised_shown_and_then_imported(
    lead: WindowSession, tmp_path: Path
) -> None:
    file = written(tmp_path, paper())
    drop(panel(lead), file)
    card = panel(lead).coming_in
    lead.wait(card.preview.isVisible)
    assert "The data of “Evaluating Machine Accuracy on ImageNet”" in card.kind.text()
    assert "Datasets: imagenet (2 images), imagenetv2 (2 images)." in card.found.text()
    assert WALL_CLOCK_TIMES in card.found.text()
    assert "People come without roles" in card.found.text()
    assert texts(card.files)[0] == ["datasets.csv", "4", "4", "0", ""]
    assert card.shown.title.text() == "First rows of datasets.csv"
    assert texts(card.shown.rows)[0] == ["imagenet", VAL_1, MARMOT, "", ""]
    assert images_in(lead) == 0, "nothing is imported by looking"
    assert card.take.text() == "&Import 31 rows"
    lead.click(card.take)
    lead.wait(lambda: "Imported 31 rows: 4 in datasets.csv, " in at_set_up(lead).said.sentence)
    assert images_in(lead) == 4
    lead.wait(lambda: card.place.text() == "")
    assert card.preview.isHidden(), "there is room for the next"


def test_what_is_dropped_on_a_field_goes_to_whoever_looks_at_it(
    lead: WindowSession, tmp_path: Path
) -> None:
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


def test_a_models_array_is_asked_about_looked_at_and_then_imported(
    lead: WindowSession, tmp_path: Path
) -> None:
    assert "no images to classify yet" in panel(lead).coming_in.scores.found.text()
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
    assert not card.scores.take.isEnabled(), "it wasn't looked at"
    (tmp_path / "order.txt").write_text("".join(f"{wnid}/1.JPEG\n" for wnid in reversed(wnids)))
    card.scores.order.setCurrentText("As a text file says")
    card.scores.order_list.setText(str(tmp_path / "order.txt"))
    lead.wait(lambda: card.scores.preview.size() == card.scores.preview.sizeHint())
    lead.click(card.scores.preview)
    lead.wait(card.scores.take.isEnabled)
    sentence = (
        "resnet on val: predictions for 6 of 6 images, 100.00% of them with the target first."
    )
    assert card.scores.found.text() == f"{sentence} Nothing is imported yet."
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


def test_enter_looks_again_where_nothing_was_changed(lead: WindowSession, tmp_path: Path) -> None:
    file = tmp_path / "datasets.csv"
    file.write_text("dataset,image,target,path,problematic\nd,1,marmot,,\n")
    card = looked_at(lead, file)
    assert not card.take.isEnabled()
    file.write_text(f"dataset,image,target,path,problematic\nd,1,{MARMOT},,\n")
    lead.click(card.place)
    lead.press(Qt.Key.Key_Return)
    lead.wait(card.take.isEnabled)


def test_the_rows_of_the_chosen_file_are_shown(lead: WindowSession, tmp_path: Path) -> None:
    card = looked_at(lead, written(tmp_path, paper()))
    card.files.setCurrentItem(card.files.topLevelItem(1))
    assert card.shown.title.text() == "First rows of participants.csv"
    assert texts(card.shown.rows)[0][:2] == ["human_a", "human"]


def test_faults_are_listed_with_their_places_and_nothing_can_be_imported(
    lead: WindowSession, tmp_path: Path
) -> None:
    file = tmp_path / "my images.csv"
    file.write_text(
        f"dataset,image,target,path,problematic\nd,1,{MARMOT},,\nd,2,marmot,,\nd,1,{MARMOT},,ugly\n"
    )
    card = looked_at(lead, file)
    assert "my images.csv as datasets.csv" in card.kind.text()
    assert "Nothing of this can be imported" in card.refused.sentence
    assert texts(card.faults)[0] == [
        "my images.csv",
        "3",
        "target",
        "'marmot' is no class of the study.",
    ]
    assert texts(card.faults)[1][:3] == ["my images.csv", "4", "problematic"]
    assert not card.take.isEnabled()
    assert card.files.isHidden()


def test_what_the_study_has_already_can_not_be_imported_again(
    lead: WindowSession, tmp_path: Path
) -> None:
    card = looked_at(lead, written(tmp_path, paper()))
    lead.click(card.take)
    lead.wait(card.preview.isHidden)
    again = looked_at(lead, tmp_path / "human_accuracy.pickle")
    assert "There is nothing new in it" in again.found.text()
    assert texts(again.files)[0] == ["datasets.csv", "4", "0", "4", ""]
    assert not again.take.isEnabled()


def test_what_is_nothing_to_import_is_told_in_a_sentence(
    lead: WindowSession, tmp_path: Path
) -> None:
    card = panel(lead).coming_in
    card.preview_paths([tmp_path / "nothing here"])
    lead.wait(lambda: "There is no folder or file" in at_set_up(lead).error_banner.sentence)
    (tmp_path / "list.csv").write_text("image,label\n")
    card.preview_paths([tmp_path / "list.csv"])
    lead.wait(lambda: "Add it as a dataset" in at_set_up(lead).error_banner.sentence)
    assert card.preview.isHidden()
    assert not card.take.isEnabled()


def test_typing_another_place_forgets_what_was_seen(lead: WindowSession, tmp_path: Path) -> None:
    card = looked_at(lead, written(tmp_path, paper()))
    lead.click(card.place)
    lead.type_in("x")
    assert card.preview.isHidden()
    assert not card.take.isEnabled(), "what would be imported is what was looked at"


def test_an_import_that_is_cancelled_leaves_the_study_as_it_was(
    lead: WindowSession, tmp_path: Path
) -> None:
    card = looked_at(lead, written(tmp_path, paper()))
    screen = at_set_up(lead)
    card.take.click()
    screen.work.cancel.click()
    lead.wait(lambda: bool(screen.said.sentence or screen.halted.sentence))
    # It may have been too late: the window tells which of the two it was, and it is so.
    stopped = screen.halted.sentence == "Cancelled: nothing was changed."
    assert images_in(lead) == (0 if stopped else 4)
    assert stopped == ("Imported" not in screen.said.sentence)


@pytest.mark.parametrize(
    ("wanted", "first", "lacks"),
    [
        (ExportFormat.EXCHANGE, ["datasets.csv", "4", ""], "themselves, people's roles"),
        (
            ExportFormat.MODEL_VS_HUMAN,
            ["imagenet_human_a_session_1.csv", "2", ""],
            "models' further guesses and scores",
        ),
        (ExportFormat.TIMM_RESULTS, ["results-imagenet.csv", "1", ""], "people, and which images"),
    ],
)
def test_every_format_is_written_from_the_window_after_a_look(
    lead: WindowSession, tmp_path: Path, wanted: ExportFormat, first: list[str], lacks: str
) -> None:
    with_answers(lead, tmp_path)
    card, out = panel(lead).going_out, tmp_path / "out"
    choose(card, wanted)
    assert lacks in card.omitted.text()
    card.preview_folder(out)
    lead.wait(card.give.isEnabled)
    assert texts(card.files)[0] == first
    assert not out.exists(), "nothing is written by looking"
    lead.click(card.give)
    lead.wait(lambda: "Wrote " in at_set_up(lead).said.sentence)
    assert (out / first[0]).is_file()
    lead.wait(lambda: at_set_up(lead).isAncestorOf(lead.window.focusWidget()))
    card.preview_folder(out)
    lead.wait(card.give.isEnabled)
    assert texts(card.files)[0][2] == "replaces the one there"


def test_files_that_are_there_are_replaced_only_after_a_question(
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
    assert "1 takes the place of one there" in card.counts.text()
    lead.click(card.give)
    asked = confirmation()
    assert "datasets.csv" in words_of(asked)
    lead.click(asked.cancel)
    assert (out / "datasets.csv").read_text() == "mine"
    lead.click(card.give)
    lead.click(confirmation().do)
    lead.wait(lambda: "1 file that lay there went." in at_set_up(lead).said.sentence)
    assert (out / "datasets.csv").read_text() != "mine"


def test_nothing_is_written_among_a_datasets_images(lead: WindowSession, pictures: Path) -> None:
    with open_study(folder_of(lead), clock=lead.clock) as store:
        import_dataset(store, DatasetRequest(name="val", path=pictures))
    card = panel(lead).going_out
    for place in (pictures, pictures / "export"):
        card.preview_folder(place)
        lead.wait(lambda place=place: str(place) in at_set_up(lead).error_banner.sentence)
        assert "belongs to the images of val" in at_set_up(lead).error_banner.sentence
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
    lead.qtbot.waitUntil(lambda: "Wrote " in at_set_up(lead).said.sentence, timeout=60_000)
    assert list((tmp_path / "out" / "tables").glob("*.tex"))


def test_names_are_written_only_when_ticked_and_only_where_they_can_be(
    lead: WindowSession, tmp_path: Path
) -> None:
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
        lead.wait(lambda: "Wrote 5 files" in at_set_up(lead).said.sentence)
        lead.wait(lambda: card.folder.text() == "")
        with (tmp_path / "out" / "participants.csv").open() as file:
            assert file.readline().endswith(header)


def test_a_format_that_has_nothing_to_write_says_so(lead: WindowSession, tmp_path: Path) -> None:
    card = panel(lead).going_out
    choose(card, ExportFormat.MODEL_VS_HUMAN)
    card.preview_folder(tmp_path / "out")
    lead.wait(lambda: "Nobody has answered yet" in at_set_up(lead).error_banner.sentence)
    assert not card.give.isEnabled()


def with_answers(session: WindowSession, folder: Path) -> None:
    card = looked_at(session, written(folder, paper()))
    session.click(card.take)
    session.wait(card.preview.isHidden)


def choose(card: FileExportCard, wanted: ExportFormat) -> None:
    """As someone does who opens the list and clicks."""
    place = card.format.findData(wanted)
    card.format.setCurrentIndex(place)
    card.format.activated.emit(place)


def drop(onto: QWidget, *files: Path) -> None:
    """As Qt has it: the first that takes what enters, from the place outwards, gets the drop."""
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
    raise AssertionError("nobody takes what is dropped here")
