"""A lead at the step of Set up that imports and exports files."""

from pathlib import Path

from labeler.app.exchange.export_formats import ExportFormat
from labeler.app.study.setup.setup_step import SetupStep
from labeler.ui.study.setup.file_export_card import FileExportCard
from labeler.ui.study.setup.file_import_card import FileImportCard
from labeler.ui.study.setup.files_panel import FilesPanel
from labeler.ui.study.setup.setup_screen import SetupScreen
from tests.gui.window_session import WindowSession


def at_set_up(session: WindowSession) -> SetupScreen:
    screen = session.window.screen_shown
    assert isinstance(screen, SetupScreen)
    return screen


def panel(session: WindowSession) -> FilesPanel:
    found = at_set_up(session).panels[SetupStep.FILES]
    assert isinstance(found, FilesPanel)
    return found


def looked_at(session: WindowSession, *paths: Path) -> FileImportCard:
    """Return the card once it shows the preview."""
    card = panel(session).coming_in
    card.preview_paths(paths)
    session.wait(card.preview.isVisible)
    return card


def texts(table: object) -> list[list[str]]:
    return [
        [table.topLevelItem(row).text(column) for column in range(table.columnCount())]  # type: ignore[attr-defined]
        for row in range(table.topLevelItemCount())  # type: ignore[attr-defined]
    ]


def choose(card: FileExportCard, wanted: ExportFormat) -> None:
    """Choose the format as a person does, by opening the list and clicking."""
    place = card.format.findData(wanted)
    card.format.setCurrentIndex(place)
    card.format.activated.emit(place)
