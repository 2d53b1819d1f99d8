"""A list of rows with check marks, drawn in the theme."""

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QIcon, QKeyEvent
from PySide6.QtWidgets import QListWidget, QListWidgetItem

from labeler.ui.window.icons import icon
from labeler.ui.window.theme import Appearance

_KEY, _TICKED = Qt.ItemDataRole.UserRole, Qt.ItemDataRole.UserRole + 1
_ROW_MARGIN = 10  # frame and padding


class CheckList(QListWidget):
    """Emits the checked keys, in list order, when a person changes them."""

    ticked = Signal(object)

    def __init__(self, appearance: Appearance, name: str, *, rows: int) -> None:
        """`rows` are visible without scrolling."""
        super().__init__()
        self._appearance, self._rows = appearance, rows
        self._signs: dict[bool, QIcon] = {}
        self.setObjectName("ticks")
        self.setAccessibleName(name)
        self.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setUniformItemSizes(True)
        self.itemClicked.connect(self._toggle)
        appearance.changed.connect(self._apply_theme_to_all)

    @property
    def keys(self) -> tuple[str, ...]:
        """The checked keys."""
        items = map(self.item, range(self.count()))
        return tuple(item.data(_KEY) for item in items if item.data(_TICKED))

    def show_rows(self, rows: tuple[tuple[str, str], ...], ticked: tuple[str, ...]) -> None:
        """Show keys with their titles; existing ones stay in place."""
        if [self.item(n).data(_KEY) for n in range(self.count())] != [key for key, _words in rows]:
            self.clear()
            for key, words in rows:
                item = QListWidgetItem(words)
                item.setData(_KEY, key)
                item.setToolTip(words)
                self.addItem(item)
            self.updateGeometry()
        wanted = set(ticked)
        for number in range(self.count()):
            item = self.item(number)
            on = item.data(_KEY) in wanted
            if item.data(_TICKED) is not on:
                item.setData(_TICKED, on)
                self._apply_theme(item)
        # After the check marks, which may be higher than the text.
        self._leave_no_room_below()

    def sizeHint(self) -> QSize:
        return QSize(200, self._height(self._rows))

    def minimumSizeHint(self) -> QSize:
        return QSize(120, self._height(min(2, self._rows)))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        item = self.currentItem()
        if event.key() in (Qt.Key.Key_Space, Qt.Key.Key_Return) and item is not None:
            self._toggle(item)
        else:
            super().keyPressEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._leave_no_room_below()

    def _leave_no_room_below(self) -> None:
        """Limit the height to the rows, to leave room for a longer list."""
        self.ensurePolished()
        self.setMaximumHeight(self._height(max(self.count(), self._rows)))

    def _height(self, rows: int) -> int:
        row = self.sizeHintForRow(0) if self.count() else self.fontMetrics().height() + 8
        return min(rows, max(self.count(), 1)) * row + _ROW_MARGIN

    def _toggle(self, item: QListWidgetItem) -> None:
        item.setData(_TICKED, not item.data(_TICKED))
        self._apply_theme(item)
        self.ticked.emit(self.keys)

    def _apply_theme_to_all(self) -> None:
        self._signs.clear()
        for number in range(self.count()):
            self._apply_theme(self.item(number))

    def _apply_theme(self, item: QListWidgetItem) -> None:
        on = bool(item.data(_TICKED))
        item.setIcon(self._sign(on))
        word = "checked" if on else "not checked"
        item.setData(Qt.ItemDataRole.AccessibleTextRole, f"{item.text()}, {word}")

    def _sign(self, on: bool) -> QIcon:
        """Drawn once: a hundred rows share two icons."""
        if on not in self._signs:
            theme = self._appearance.theme
            colour = theme.accent if on else theme.strong_line
            name = "ticked" if on else "unticked"
            self._signs[on] = icon(name, colour=colour, background=theme.surface)
        return self._signs[on]
