"""The dialog for writing the whole report: folder, formats, options and progress."""

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import (
    QDialog,
    QFileDialog,
    QFormLayout,
    QGridLayout,
    QLineEdit,
    QPushButton,
    QToolButton,
    QWidget,
)

from labeler.app.results.full_report import FullReport, FullReportView
from labeler.app.results.report_data import ReportFormat
from labeler.ui.kit.charts.progress_bar import ProgressBar
from labeler.ui.kit.input.file_field import open_file_dialog
from labeler.ui.kit.input.form_fields import CheckBox
from labeler.ui.kit.layout.boxes import aligned, grow, hbox, stretch, vbox
from labeler.ui.kit.text.error_banner import BannerKind, ErrorBanner
from labeler.ui.kit.text.labels import label
from labeler.ui.window.theme import Appearance

_ABOUT = (
    "Published accuracies, as in timm's results files. Their models appear as a faint background "
    "of the figures, labelled as published and not measured here."
)
_INDENT = 24


class PublishedResultsFields(QWidget):
    """A button that unfolds two fields, one for each compared dataset."""

    def __init__(self) -> None:
        super().__init__()
        self.unfold = QToolButton()
        self.unfold.setText("&More")
        self.unfold.setProperty("kind", "fold")
        self.unfold.setCheckable(True)
        self.unfold.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.original, self.new = QLineEdit(), QLineEdit()
        self._rows = QWidget()
        self._lay_out()
        self.unfold.toggled.connect(self._fold)
        self._fold(False)

    @property
    def places(self) -> tuple[str, str]:
        """The contents of the fields."""
        return self.original.text(), self.new.text()

    def _lay_out(self) -> None:
        form = QFormLayout(self._rows)
        form.setContentsMargins(_INDENT, 0, 0, 0)
        form.setVerticalSpacing(8)
        form.setHorizontalSpacing(16)
        form.addRow(label(_ABOUT, rank="caption", wrap=True))
        self._add(form, self.original, "&Original dataset", "results-imagenet.csv")
        self._add(form, self.new, "Ne&w dataset", "results-imagenetv2-matched-frequency.csv")
        vbox(aligned(self.unfold, Qt.AlignmentFlag.AlignLeft), self._rows, on=self)

    def _add(self, form: QFormLayout, field: QLineEdit, words: str, example: str) -> None:
        name = f"Published results for the {words.replace('&', '').lower()}"
        field.setAccessibleName(name)
        field.setPlaceholderText(f"For example {example}")
        browse = QPushButton("Choose…")
        browse.setAutoDefault(False)
        browse.setAccessibleName(f"Choose: {name}")
        browse.clicked.connect(lambda: self._choose(field, name))
        row = hbox(grow(field), browse)
        form.addRow(words, row)
        named = form.labelForField(row)
        if hasattr(named, "setBuddy"):
            named.setBuddy(field)

    def _choose(self, field: QLineEdit, name: str) -> None:
        asked = open_file_dialog(self, name, names="Results (*.csv)")
        asked.fileSelected.connect(field.setText)
        asked.open()

    def _fold(self, unfolded: bool) -> None:
        arrow = Qt.ArrowType.DownArrow if unfolded else Qt.ArrowType.RightArrow
        self.unfold.setArrowType(arrow)
        self._rows.setVisible(unfolded)


_WIDTH, _COLUMNS = 640, 2
_WORDS = {
    ReportFormat.HTML: "HTML page",
    ReportFormat.PDF: "PDF document",
    ReportFormat.CSV: "CSV tables",
    ReportFormat.LATEX: "LaTeX tables",
    ReportFormat.SVG: "SVG figures",
    ReportFormat.PNG: "PNG figures",
    ReportFormat.JSON: "JSON with all numbers",
}
assert set(_WORDS) == set(ReportFormat), "every format has a name"


class FullReportDialog(QDialog):
    """Renders the presenter's view; closing it cancels writing."""

    def __init__(self, appearance: Appearance, presenter: FullReport, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Write report")
        self.setMinimumWidth(_WIDTH)
        self._presenter = presenter
        self.folder = QLineEdit()
        self.browse = QPushButton("Choose…")
        self.formats = {each: CheckBox(appearance, words) for each, words in _WORDS.items()}
        self.names = CheckBox(appearance, "Include people's &names")
        self.published = PublishedResultsFields()
        self.line = ProgressBar("Report")
        self.progress = label(rank="muted", wrap=True)
        self.banner = ErrorBanner(appearance)
        self.start = QPushButton("Write report")
        self.cancel = QPushButton("Cancel")
        self.open_it = QPushButton("Open folder")
        self._written: str = ""
        self._lay_out()
        self._connect()
        presenter.listen(self.render_view)

    def render_view(self, view: FullReportView) -> None:
        self.line.setVisible(view.busy)
        self.line.show_part(view.done, view.total)
        self.progress.setVisible(view.busy)
        self.progress.setText(view.sentence if view.busy else "")
        self.banner.say(
            "" if view.busy else view.sentence,
            BannerKind.ERROR if view.failed else BannerKind.DONE,
        )
        asked = (self.folder, self.browse, self.names, self.published, self.start)
        for part in (*asked, *self.formats.values()):
            part.setEnabled(not view.busy)
        self.cancel.setText("Stop" if view.busy else "Close")
        self._written = "" if view.written is None else str(view.written)
        self.open_it.setVisible(bool(self._written))
        self._fit()
        if not view.busy:
            (self.open_it if self._written else self.folder).setFocus()

    def reject(self) -> None:
        """Esc and the button stop a running job; otherwise they close the dialog."""
        if self.start.isEnabled():
            super().reject()
        else:
            self._presenter.cancel()

    def _fit(self) -> None:
        """Fit the height to the contents, which wrapped text doesn't do by itself."""
        layout = self.layout()
        if layout is not None:
            layout.activate()
            self.resize(self.width(), layout.totalHeightForWidth(self.width()))

    def _choose_folder(self) -> None:
        folder = QFileDialog.getExistingDirectory(self, "Choose report folder", self.folder.text())
        if folder:
            self.folder.setText(folder)

    def _start(self) -> None:
        wanted = frozenset(each for each, box in self.formats.items() if box.isChecked())
        self._presenter.start(
            self.folder.text(),
            wanted,
            names=self.names.isChecked(),
            published=self.published.places,
        )

    def _connect(self) -> None:
        self.browse.clicked.connect(self._choose_folder)
        self.published.unfold.toggled.connect(self._fit)
        self.start.clicked.connect(self._start)
        self.cancel.clicked.connect(self.reject)
        self.open_it.clicked.connect(
            lambda: QDesktopServices.openUrl(QUrl.fromLocalFile(self._written))
        )
        self.finished.connect(lambda _code: self._presenter.leave())

    def _lay_out(self) -> None:
        self.folder.setPlaceholderText("Folder (files of an earlier report are replaced)")
        self.folder.setAccessibleName("Folder")
        where = hbox(grow(self.folder), self.browse)
        ticks = QGridLayout()
        ticks.setSpacing(8)
        for number, box in enumerate(self.formats.values()):
            box.setChecked(True)
            ticks.addWidget(box, number // _COLUMNS, number % _COLUMNS)
        foot = hbox(self.open_it, stretch(), self.cancel, self.start)
        self.start.setDefault(True)
        for button in (self.browse, self.cancel, self.open_it):
            button.setAutoDefault(False)
        vbox(
            label("Write report", rank="title"),
            where,
            ticks,
            self.names,
            self.published,
            self.line,
            self.progress,
            self.banner,
            foot,
            on=self,
            spacing=16,
            margins=(24, 24, 24, 16),
        )
