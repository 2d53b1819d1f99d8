"""An interrupted import is marked and resumed with one click; a missing folder is marked too."""

from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication, QFileDialog

from labeler.app.datasets.dataset_import import import_dataset
from labeler.app.datasets.import_request import DatasetRequest, ImportInterrupted
from labeler.app.study.setup.datasets import FOLDER_MISSING
from labeler.app.study.setup.setup_step import SetupStep
from labeler.core.study.entities import DatasetRole
from labeler.store.study_opening import open_study
from labeler.ui.study.setup.images_panel import ImagesPanel, listing_title
from labeler.ui.study.setup.setup_screen import SetupScreen
from tests.gui.leading import MARMOT, add_images, folder_of, go_to, pressed, set_up
from tests.gui.window_session import WindowSession

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")


def interrupt(lead: WindowSession, request: DatasetRequest) -> None:
    """Cancel an import immediately."""
    with open_study(folder_of(lead), clock=lead.clock) as store:
        begun = import_dataset(store, request, cancelled=lambda: True)
    assert isinstance(begun, ImportInterrupted)


def panel_of(screen: SetupScreen, step: SetupStep) -> ImagesPanel:
    panel = screen.panels[step]
    assert isinstance(panel, ImagesPanel)
    return panel


def states(panel: ImagesPanel) -> list[str]:
    rows = (panel.datasets.topLevelItem(row) for row in range(panel.datasets.topLevelItemCount()))
    return [row.text(2) for row in rows if row is not None]


def test_set_up_opens_at_an_interrupted_import_and_resumes_it(
    lead: WindowSession, pictures: Path
) -> None:
    request = DatasetRequest(
        name="practice", path=pictures, role=DatasetRole.TRAINING, per_class=1, seed=7
    )
    interrupt(lead, request)
    screen = set_up(lead)
    panel = panel_of(screen, SetupStep.TRAINING)
    assert panel.isVisible()
    assert screen.steps[SetupStep.TRAINING].toolTip() == "practice interrupted"
    header = panel.datasets.headerItem()
    assert header is not None
    assert header.text(2) == "State"
    assert states(panel) == ["interrupted"]
    pressed(lead, panel.dataset_actions.resume, screen, "Added 2 images as training dataset")
    lead.wait(lambda: states(panel) == ["complete"])
    assert panel.dataset_actions.resume.isHidden()
    with open_study(folder_of(lead), clock=lead.clock) as store, store.read() as study:
        kept = study.datasets.definition("practice")
    assert (kept.per_class, kept.seed) == (1, 7), "the original options"


def test_resuming_a_listed_dataset_asks_for_the_csv(lead: WindowSession, pictures: Path) -> None:
    listed = pictures / "list.csv"
    listed.write_text(f"image,label\n{MARMOT}/{MARMOT}_0.png,{MARMOT}\n")
    interrupt(lead, DatasetRequest(name="listed", path=listed))
    screen = set_up(lead)
    panel = panel_of(screen, SetupStep.IMAGES)
    lead.click(panel.dataset_actions.resume)
    asked = QApplication.activeModalWidget()
    assert isinstance(asked, QFileDialog)
    assert asked.windowTitle() == listing_title("listed")
    asked.fileSelected.emit(str(listed))
    asked.reject()
    lead.wait(lambda: "Added 1 image as evaluation dataset" in screen.said.sentence)


def test_an_import_with_a_missing_folder_says_what_to_do(
    lead: WindowSession, pictures: Path
) -> None:
    interrupt(lead, DatasetRequest(name="val", path=pictures))
    pictures.rename(pictures.with_name("moved"))
    screen = set_up(lead)
    panel = panel_of(screen, SetupStep.IMAGES)
    lead.wait(lambda: states(panel) == [f"interrupted, {FOLDER_MISSING}"])
    lead.click(panel.dataset_actions.resume)
    lead.wait(lambda: "locate the moved folder of val" in screen.error_banner.sentence)


def test_a_row_says_that_the_folder_is_missing(lead: WindowSession, pictures: Path) -> None:
    screen = set_up(lead)
    panel = add_images(lead, screen, pictures)
    lead.wait(lambda: states(panel) == ["complete"])
    pictures.rename(pictures.with_name("moved"))
    go_to(lead, screen, SetupStep.PEOPLE)
    screen._set_up.refresh()
    lead.wait(lambda: states(panel) == [FOLDER_MISSING])
    assert screen.steps[SetupStep.IMAGES].toolTip() == f"val: {FOLDER_MISSING}"


def test_a_cancelled_import_becomes_selected(lead: WindowSession, pictures: Path) -> None:
    screen = set_up(lead)
    panel = add_images(lead, screen, pictures)
    lead.wait(panel.datasets.isVisible)
    panel.select("val")
    assert panel.dataset_actions.resume.isHidden()
    interrupt(lead, DatasetRequest(name="more", path=pictures))
    screen._set_up.refresh()
    lead.wait(panel.dataset_actions.resume.isVisible)
    assert [item.text(0) for item in panel.datasets.selectedItems()] == ["more"]
    panel.select("val")
    screen._set_up.refresh()
    lead.wait(lambda: states(panel) == ["complete", "interrupted"])
    assert [item.text(0) for item in panel.datasets.selectedItems()] == ["val"]


def test_browsing_starts_next_to_a_refused_folder(lead: WindowSession, tmp_path: Path) -> None:
    (tmp_path / "deep" / "empty").mkdir(parents=True)
    screen = set_up(lead)
    panel = panel_of(screen, SetupStep.IMAGES)
    panel.preview_path(tmp_path / "deep" / "empty")
    lead.wait(lambda: bool(screen.error_banner.sentence))
    lead.click(panel.browse)
    asked = QApplication.activeModalWidget()
    assert isinstance(asked, QFileDialog)
    assert Path(asked.directory().absolutePath()) == tmp_path / "deep"
    asked.reject()
