"""The lead's results in the window."""

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QFileDialog

from labeler.app.classes.node_search import SubtreeSearch
from labeler.app.results.full_report import FullReport
from labeler.app.results.results import ResultsPresenter
from labeler.app.thumbnail_loader import ThumbnailLoader
from labeler.ui.kit.pictures.contact_sheet import decode_original
from labeler.ui.results.enlarged_image_dialog import EnlargedImageDialog
from labeler.ui.results.full_report_dialog import FullReportDialog
from labeler.ui.results.results_screen import ResultsScreen
from labeler.ui.results.subset_picker_dialog import SubsetPickerDialog
from labeler.ui.window.context import StudyContext

if TYPE_CHECKING:
    from labeler.app.results.results_data import ResultsReader

_PICTURE_SIZE = (1024, 1024)
# Each takes up to four megabytes; a list shows about a dozen.
_PICTURE_CACHE_SIZE = 48
_FILES = {
    "csv": "Table as CSV (*.csv)",
    "tex": "Table as LaTeX (*.tex)",
    "svg": "Figure as SVG (*.svg)",
    "png": "Figure as PNG (*.png)",
    "json": "Selection with numbers as JSON (*.json)",
}


class ResultsController(QObject):
    """Shows the results, and the dialogs for subsets and exports."""

    home_wanted = Signal()

    def __init__(self, context: StudyContext) -> None:
        super().__init__(context.window)
        self._context = context
        self._window, self._appearance = context.window, context.appearance
        self._study, workers = context.study, context.workers
        self.presenter = ResultsPresenter(
            self._reader,
            runner=workers.background,
            quick=workers.decoding,
            clock=context.clock,
            describe_error=context.describe_error,
        )
        self._pictures: ThumbnailLoader[int, QImage] = ThumbnailLoader(
            runner=workers.decoding, load=self._picture, kept=_PICTURE_CACHE_SIZE
        )

    def show(self) -> None:
        """Show the screen; it is filled when the numbers are computed."""
        presenter, pictures = self.presenter, self._pictures
        screen = ResultsScreen(self._appearance, self._window.keymap, presenter, pictures=pictures)
        screen.home_wanted.connect(self.home_wanted)
        screen.subset_wanted.connect(lambda: self._add_subset(screen))
        screen.export_wanted.connect(lambda: self._export(screen))
        screen.export_images_wanted.connect(lambda: self._export_images(screen))
        screen.report_wanted.connect(lambda: self._write_report(screen))
        screen.enlarge_wanted.connect(lambda row: self._enlarge(screen, row))
        screen.destroyed.connect(presenter.leave)
        screen.destroyed.connect(pictures.close)
        self._window.show_screen(screen)
        presenter.open()

    def _reader(self) -> "ResultsReader":
        # Called in the background: matplotlib takes longer to import than the window to open.
        from labeler.app.results.results_data import ResultsReader

        return ResultsReader(self._study.store, self._context.code, self._context.role)

    def _picture(self, number: int) -> QImage | None:
        results = self.presenter.results
        key = None if results is None else results.key_of(number)
        encoded = None if key is None else self._reader().picture(key)
        return None if encoded is None else decode_original(encoded, _PICTURE_SIZE)

    def _add_subset(self, screen: ResultsScreen) -> None:
        picker = SubsetPickerDialog(self._appearance, SubtreeSearch(self._study.taxonomy), screen)
        picker.picked.connect(self.presenter.add_subset)
        picker.open()

    def _enlarge(self, screen: ResultsScreen, row: int) -> None:
        listed = self.presenter.view.images
        if listed is not None:
            enlarged = EnlargedImageDialog(
                self._appearance,
                self._window.keymap,
                screen,
                pictures=self._pictures,
                numbers=listed.images.numbers,
                details=screen.details_of,
            )
            enlarged.show_row(row)
            enlarged.open()

    def _export(self, screen: ResultsScreen) -> None:
        shown = self.presenter.shown
        if shown is None:
            return
        endings = list(map(str, shown.formats))
        file, chosen = QFileDialog.getSaveFileName(
            screen,
            "Export",
            f"{shown.name}.{endings[0]}",
            ";;".join(_FILES[ending] for ending in endings),
        )
        if file:
            self.presenter.export(_with_suffix(Path(file), chosen, endings))

    def _export_images(self, screen: ResultsScreen) -> None:
        if self.presenter.view.images is not None:
            file, _chosen = QFileDialog.getSaveFileName(
                screen, "Export image list", "images.csv", "List as CSV (*.csv)"
            )
            if file:
                self.presenter.export_images(Path(file))

    def _write_report(self, screen: ResultsScreen) -> None:
        selection = self.presenter.view.selection
        added = () if selection is None else selection.subsets
        report = FullReport(
            self._reader,
            subsets=tuple(key for key in added if key.startswith("subtree:")),
            runner=self._context.workers.background,
            clock=self._context.clock,
            describe_error=self._context.describe_error,
        )
        FullReportDialog(self._appearance, report, screen).open()


def _with_suffix(file: Path, chosen: str, endings: list[str]) -> Path:
    """Add the suffix of the chosen file type if none was typed."""
    if file.suffix.lstrip(".").lower() in endings:
        return file
    ending = next((e for e in endings if _FILES[e] == chosen), endings[0])
    return file.with_name(f"{file.name}.{ending}")
