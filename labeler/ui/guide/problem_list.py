"""The problems of the page being edited, by line; a click goes to the line."""

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QWidget

from labeler.guide.draft import PageProblem
from labeler.ui.kit.layout.boxes import vbox
from labeler.ui.kit.text.labels import label
from labeler.ui.window.icons import icon
from labeler.ui.window.theme import Appearance

# The guide is only imported when someone opens it.

_LINE = Qt.ItemDataRole.UserRole
_VISIBLE_ROWS = 4
_AROUND = 12


class PageProblemList(QWidget):
    """A heading with a count, and the problems below."""

    line_wanted = Signal(int)

    def __init__(self, appearance: Appearance) -> None:
        super().__init__()
        self._appearance = appearance
        self._complaints: tuple[PageProblem, ...] | None = None
        self.heading = label(rank="caption")
        self.list = _WrappedList()
        self.list.setAccessibleName("Problems of the page")
        self.list.setObjectName("complaints")
        self.list.setIconSize(QSize(16, 16))
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.itemActivated.connect(self._want)
        self.list.itemClicked.connect(self._want)
        vbox(self.heading, self.list, on=self, spacing=4)
        appearance.changed.connect(self._write)
        self._write()

    def show_complaints(self, found: tuple[PageProblem, ...]) -> None:
        """Show problems; the same ones leave the list unchanged."""
        if found != self._complaints:
            self._complaints = found
            self._write()

    def _write(self) -> None:
        self.list.clear()
        found = self._complaints or ()
        for complaint in found:
            self.list.addItem(self._item(complaint))
        self.list.setVisible(bool(found))
        self.heading.setText(_counted(self._complaints))
        self.list.fit()

    def _item(self, complaint: PageProblem) -> QListWidgetItem:
        name, colour = ("damaged", "fault") if complaint.blocks_publishing else ("waiting", "muted")
        theme = self._appearance.theme
        drawn = icon(name, colour=theme.colours[colour], background=theme.surface)
        item = QListWidgetItem(drawn, f"Line {complaint.line}: {complaint.sentence}")
        item.setData(_LINE, complaint.line)
        item.setToolTip(complaint.sentence)
        return item

    def _want(self, item: QListWidgetItem) -> None:
        self.line_wanted.emit(item.data(_LINE))


class _WrappedList(QListWidget):
    """As high as its first few wrapped rows."""

    def __init__(self) -> None:
        super().__init__()
        self.setWordWrap(True)
        self.setResizeMode(QListWidget.ResizeMode.Adjust)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.fit()

    def fit(self) -> None:
        self.doItemsLayout()
        rows = [self.item(row) for row in range(min(self.count(), _VISIBLE_ROWS))]
        heights = [self.visualItemRect(row).height() for row in rows if row is not None]
        self.setFixedHeight(sum(heights) + _AROUND)


def _counted(found: tuple[PageProblem, ...] | None) -> str:
    if found is None:
        return "Checking page…"
    forbidding = sum(complaint.blocks_publishing for complaint in found)
    if forbidding:
        faults = "1 problem prevents" if forbidding == 1 else f"{forbidding} problems prevent"
        return f"{faults} publishing. The page is saved as your draft."
    return "Check before publishing:" if found else "The page can be published."
