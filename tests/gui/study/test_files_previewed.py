"""A lead previews files to import or export: what is wrong with them is listed, nothing changes."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt

# Its libraries' threads never end, and have the name of the worker that first imports it.
import labeler.app.results.report_writer  # noqa: F401
from labeler.app.exchange.export_formats import ExportFormat
from labeler.app.exchange.file_export import NO_TRIALS
from labeler.app.exchange.file_recognition import IMAGE_LIST, no_such_path_text
from labeler.app.study.setup.setup_step import SetupStep
from labeler.ui.study.setup.file_import_card import IMPORT_REFUSED
from tests.gui.exchanging_files import at_set_up, choose, looked_at, panel, texts
from tests.gui.leading import go_to, set_up
from tests.gui.window_session import WindowSession
from tests.unit.formats.paper import MARMOT, paper, written

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")


@pytest.fixture
def lead(looking_lead: WindowSession) -> WindowSession:
    """The lead of an empty study, at the step for files."""
    go_to(looking_lead, set_up(looking_lead), SetupStep.FILES)
    return looking_lead


def test_a_step_selected_before_loading_is_shown(lead: WindowSession) -> None:
    lead.click(at_set_up(lead).home)
    lead.home()
    lead.press(Qt.Key.Key_F9)
    screen = at_set_up(lead)
    assert not screen.steps[SetupStep.FILES].isVisible(), "the facts haven't arrived yet"
    screen.steps[SetupStep.FILES].click()
    lead.wait(screen.panels[SetupStep.FILES].isVisible)


def test_enter_previews_again_without_a_change(lead: WindowSession, tmp_path: Path) -> None:
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


def test_problems_are_listed_with_their_positions_and_prevent_the_import(
    lead: WindowSession, tmp_path: Path
) -> None:
    file = tmp_path / "my images.csv"
    file.write_text(
        f"dataset,image,target,path,problematic\nd,1,{MARMOT},,\nd,2,marmot,,\nd,1,{MARMOT},,ugly\n"
    )
    card = looked_at(lead, file)
    assert "my images.csv as datasets.csv" in card.kind.text()
    assert card.refused.sentence == IMPORT_REFUSED
    assert texts(card.faults)[0] == [
        "my images.csv",
        "3",
        "target",
        "'marmot' is not a class of the study.",
    ]
    assert texts(card.faults)[1][:3] == ["my images.csv", "4", "problematic"]
    assert not card.take.isEnabled()
    assert card.files.isHidden()


def test_unsupported_files_are_refused_with_a_message(lead: WindowSession, tmp_path: Path) -> None:
    card = panel(lead).coming_in
    card.preview_paths([tmp_path / "nothing here"])
    lead.wait(
        lambda: (
            no_such_path_text(tmp_path / "nothing here") in at_set_up(lead).error_banner.sentence
        )
    )
    (tmp_path / "list.csv").write_text("image,label\n")
    card.preview_paths([tmp_path / "list.csv"])
    lead.wait(lambda: IMAGE_LIST in at_set_up(lead).error_banner.sentence)
    assert card.preview.isHidden()
    assert not card.take.isEnabled()


def test_typing_another_path_clears_the_preview(lead: WindowSession, tmp_path: Path) -> None:
    card = looked_at(lead, written(tmp_path, paper()))
    lead.click(card.place)
    lead.type_in("x")
    assert card.preview.isHidden()
    assert not card.take.isEnabled(), "only what was previewed can be imported"


def test_a_format_that_has_nothing_to_write_says_so(lead: WindowSession, tmp_path: Path) -> None:
    card = panel(lead).going_out
    choose(card, ExportFormat.MODEL_VS_HUMAN)
    card.preview_folder(tmp_path / "out")
    lead.wait(lambda: NO_TRIALS in at_set_up(lead).error_banner.sentence)
    assert not card.give.isEnabled()
