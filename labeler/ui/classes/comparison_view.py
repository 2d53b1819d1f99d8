"""Classes side by side, each below the image that is to be classified."""

from collections.abc import Callable

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFocusEvent, QImage, QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from labeler.app.classes.comparison import ComparedClass, ComparedClasses
from labeler.app.classes.reference_originals import OriginalLoader
from labeler.app.keymap import Action, Keymap, Scope
from labeler.ui.classes.comparison_column import ComparisonColumn
from labeler.ui.classes.told_apart import ClassDifferences
from labeler.ui.kit.input.typed_text import forward_typing
from labeler.ui.kit.text.empty_state import EmptyState
from labeler.ui.window.actions import Handlers, bind_scope
from labeler.ui.window.look import Appearance

NOTHING_TO_COMPARE = "Nothing to compare yet: put classes on the shortlist first."


class ComparisonView(QWidget):
    """Renders up to four columns, of which one has the keyboard's attention.

    `entered` is the key that would choose a class, where none is asked for.
    """

    chosen = Signal(str)
    entered = Signal(str)
    dropped = Signal(str)
    left = Signal()
    typed = Signal(str)

    def __init__(
        self, look: Appearance, keymap: Keymap, *, originals: OriginalLoader[QImage] | None = None
    ) -> None:
        super().__init__()
        self._look = look
        self._keymap = keymap
        self._originals = originals
        self._subject: QImage | None = None
        self._asks = True
        self._current = 0
        self.columns: list[ComparisonColumn] = []
        self.told_apart = ClassDifferences()
        self.message = EmptyState(look)
        self._stack = QStackedWidget()
        self._row = QHBoxLayout()
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName("Comparison")
        self._lay_out()
        bind_scope(self, keymap, Scope.COMPARISON, self._keys())
        self.render_comparison(ComparedClasses())

    def render_comparison(self, view: ComparedClasses[QImage]) -> None:
        """Show the classes; a column that was there already stays as it is."""
        self._take_columns(view.columns)
        self.told_apart.show_pairs(view.told_apart)
        for shown, column in zip(self.columns, view.columns, strict=True):
            shown.render_column(column)
        self._stack.setCurrentIndex(0 if view.columns else 1)
        self._go_to(self._current)

    def set_subject(self, image: QImage | None) -> None:
        """Show the image to classify on top of each column."""
        self._subject = image
        for column in self.columns:
            column.subject.show_image(image)

    def ask(self, asks: bool) -> None:
        """Ask which class it is; where that is answered, the room goes to the references."""
        self._asks = asks
        for column in self.columns:
            column.ask(asks)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        forward_typing(event, self.typed)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self._go_to(self._current)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._go_to(self._current)

    def _keys(self) -> Handlers:
        return {
            Action.NEXT_COLUMN: lambda: self._go_to(self._current + 1),
            Action.PREVIOUS_COLUMN: lambda: self._go_to(self._current - 1),
            Action.SCROLL_DOWN: lambda: self._scroll(1),
            Action.SCROLL_UP: lambda: self._scroll(-1),
            Action.CHOOSE_COLUMN: self._enter,
            Action.DROP_COLUMN: lambda: self._with_current(self.dropped.emit),
            Action.LEAVE_COMPARISON: self._leave,
        }

    def _go_to(self, place: int) -> None:
        """Make a column the current one; it is framed while the comparison has the keyboard."""
        self._current = max(0, min(place, len(self.columns) - 1))
        for number, column in enumerate(self.columns):
            column.set_current(number == self._current and self.hasFocus())
        if self.columns:
            self.setAccessibleDescription(self.columns[self._current].accessibleName())

    def _enter(self) -> None:
        self._with_current(self.chosen.emit if self._asks else self.entered.emit)

    def _scroll(self, rows: int) -> None:
        if self.columns:
            grid = self.columns[self._current].grid
            step = grid.tile_layout().row_height * rows
            grid.verticalScrollBar().setValue(grid.verticalScrollBar().value() + step)

    def _with_current(self, tell: Callable[[str], None]) -> None:
        if self.columns:
            tell(self.columns[self._current].wnid)

    def _leave(self) -> None:
        enlarged = [column.grid for column in self.columns if column.grid.is_enlarged]
        for grid in enlarged:
            grid.put_back()
        if not enlarged:
            self.left.emit()

    def _take_columns(self, wanted: tuple[ComparedClass[QImage], ...]) -> None:
        known = {column.wnid: column for column in self.columns}
        self.columns = [known.get(column.wnid) or self._column(column.wnid) for column in wanted]
        for place, column in enumerate(self.columns):
            self._row.insertWidget(place, column, stretch=1)
        for gone in [column for column in known.values() if column not in self.columns]:
            gone.hide()
            gone.deleteLater()

    def _column(self, wnid: str) -> ComparisonColumn:
        column = ComparisonColumn(self._look, self._keymap, wnid, originals=self._originals)
        column.subject.show_image(self._subject)
        column.ask(self._asks)
        column.chosen.connect(self.chosen)
        column.dropped.connect(self.dropped)
        column.pointed.connect(self._point_at)
        return column

    def _point_at(self, wnid: str) -> None:
        self.setFocus()
        self._go_to([column.wnid for column in self.columns].index(wnid))

    def _lay_out(self) -> None:
        side_by_side = QWidget()
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(8)
        side_by_side.setLayout(self._row)
        self.message.say(NOTHING_TO_COMPARE, icon="pictures")
        self._stack.addWidget(side_by_side)
        self._stack.addWidget(self.message)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(8)
        whole.addWidget(self.told_apart)
        whole.addWidget(self._stack, stretch=1)
