"""Classes side by side, with what tells them apart on top."""

from collections.abc import Callable, Mapping

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFocusEvent, QImage, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QPushButton,
    QSizePolicy,
    QStackedWidget,
    QToolButton,
    QWidget,
)

from labeler.app.classes.comparison import ComparedClass, ComparedClasses
from labeler.app.classes.reference_originals import OriginalLoader
from labeler.app.keymap import Action, Keymap, Scope, parse_key
from labeler.ui.classes.class_columns import ClassColumn, ClassDifferences
from labeler.ui.classes.column_heading import ColumnVerdict
from labeler.ui.classes.reference_grid import ReferenceGrid
from labeler.ui.kit.input.key_button import KeyButton
from labeler.ui.kit.input.key_caps import KeyCaps
from labeler.ui.kit.input.search_field import forward_typing
from labeler.ui.kit.layout.boxes import grow, hbox, stretch, vbox
from labeler.ui.kit.text.empty_state import EmptyState
from labeler.ui.kit.text.labels import IconLabel, label
from labeler.ui.window.actions import Handlers, action_tooltip, bind_scope
from labeler.ui.window.theme import Appearance

_CLOSE_BUTTON_SIZE = 24
_KEPT_COLUMNS = 4


class ComparisonColumn(ClassColumn):
    """Renders a class, with buttons to choose and to remove it."""

    chosen = Signal(str)
    dropped = Signal(str)

    def __init__(
        self,
        appearance: Appearance,
        keymap: Keymap,
        wnid: str,
        *,
        originals: OriginalLoader[QImage] | None,
    ) -> None:
        self._tick = IconLabel(appearance, "chosen", colour="accent", size=16)
        self._tick.setAccessibleName("Chosen")
        self._tick.hide()
        self._number = KeyCaps(appearance, ())
        self.choose = QPushButton("Choose")
        self.cross = QToolButton()
        self._caps = KeyCaps(appearance, keymap[Action.CHOOSE_COLUMN].keys[:1])
        self._choosing = _line(self.choose, self._caps)
        super().__init__(appearance, wnid, originals=originals)
        self._apply_theme(keymap)

    def parts(self) -> tuple[QWidget, ...]:
        name, path, references = super().parts()
        head = QWidget()
        hbox(self._number, self._tick, grow(name), self.cross, on=head, spacing=4)
        return (head, path, references, self._choosing)

    def ask(self, asks: bool) -> None:
        """Show or hide the Choose button and the number that does the same."""
        self._choosing.setVisible(asks)
        self._number.setVisible(asks)

    def set_number(self, number: int) -> None:
        """Show the digit that chooses the column."""
        self._number.show_keys((parse_key(str(number)),))

    @property
    def is_chosen(self) -> bool:
        return not self._tick.isHidden()

    def set_chosen(self, chosen: bool) -> None:
        """Mark the column as the answer."""
        self._tick.setVisible(chosen)
        set_style_property(self, "chosen", chosen)

    def render_column(self, column: ComparedClass[QImage]) -> None:
        super().render_column(column)
        self.choose.setAccessibleName(f"Choose {column.name}")
        self.cross.setAccessibleName(f"Remove {column.name} from the shortlist")

    def set_current(self, current: bool) -> None:
        """Frame the current column, and show the key that chooses it."""
        self._caps.setVisible(current)
        set_style_property(self, "current", current)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        super().mousePressEvent(event)
        self.pointed.emit(self.wnid)

    def _apply_theme(self, keymap: Keymap) -> None:
        self.cross.setText("✕")
        self.cross.setFixedWidth(_CLOSE_BUTTON_SIZE)
        self.cross.setToolTip(action_tooltip(keymap[Action.DROP_COLUMN]))
        self.choose.setToolTip(action_tooltip(keymap[Action.CHOOSE_COLUMN]))
        for button in (self.cross, self.choose):
            button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.choose.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.choose.clicked.connect(lambda: self.chosen.emit(self.wnid))
        self.cross.clicked.connect(lambda: self.dropped.emit(self.wnid))
        kept = self._caps.sizePolicy()
        kept.setRetainSizeWhenHidden(True)
        self._caps.setSizePolicy(kept)


def set_style_property(widget: QWidget, name: str, value: bool) -> None:
    """Set a property that the style sheet uses."""
    if widget.property(name) is not value:
        widget.setProperty(name, value)
        widget.style().unpolish(widget)
        widget.style().polish(widget)


def _line(wide: QWidget, narrow: QWidget) -> QWidget:
    line = QWidget()
    hbox(grow(wide), narrow, on=line, spacing=4)
    return line


NOTHING_TO_COMPARE = "Nothing to compare yet. Add classes to the shortlist first."


class ComparisonView(QWidget):
    """Renders up to four columns, one of which is current.

    `entered` is emitted for the key that chooses a class when there is nothing to choose, `wanted`
    to add the class that is offered.
    """

    chosen = Signal(str)
    entered = Signal(str)
    dropped = Signal(str)
    wanted = Signal()
    left = Signal()
    typed = Signal(str)

    def __init__(
        self,
        appearance: Appearance,
        keymap: Keymap,
        *,
        originals: OriginalLoader[QImage] | None = None,
    ) -> None:
        super().__init__()
        self._appearance = appearance
        self._keymap = keymap
        self._originals = originals
        self._chosen: str | None = None
        self._asks = True
        self._verdicts: Mapping[str, ColumnVerdict] = {}
        self._current = 0
        self.columns: list[ComparisonColumn] = []
        self._kept: list[ComparisonColumn] = []
        self.differences = ClassDifferences()
        self.refusal = label(rank="notice", wrap=True)
        self.refusal.hide()
        self.offered = KeyButton(appearance, keymap[Action.SHORTLIST], "")
        self.offered.clicked.connect(self.wanted)
        self.offered.hide()
        self.message = EmptyState(appearance)
        self._stack = QStackedWidget()
        self._row = QHBoxLayout()
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName("Comparison")
        self._lay_out()
        bind_scope(self, keymap, Scope.COMPARISON, self._keys())
        self.render_comparison(ComparedClasses())

    def render_comparison(self, view: ComparedClasses[QImage]) -> None:
        """Show the classes, and reuse existing columns."""
        self._take_columns(view.columns)
        self.differences.show_pairs(view.differences)
        for shown, column in zip(self.columns, view.columns, strict=True):
            shown.render_column(column)
        self._stack.setCurrentIndex(0 if view.columns else 1)
        self._go_to(self._current)

    def show_refusal(self, refusal: str) -> None:
        """Say why a class wasn't added, until the classes change."""
        self.refusal.setText(refusal)
        self.refusal.setVisible(bool(refusal))

    def offer(self, name: str) -> None:
        """Offer to add a class that was refused before, or nothing."""
        self.offered.set_words(f"Add {name}")
        self.offered.setVisible(bool(name))

    def mark_chosen(self, wnid: str | None) -> None:
        """Mark the column of the chosen class."""
        self._chosen = wnid
        for column in self.columns:
            column.set_chosen(column.wnid == wnid)

    def ask(self, asks: bool) -> None:
        """Show the Choose buttons, or leave the space to the references."""
        self._asks = asks
        for column in self.columns:
            column.ask(asks)

    def show_verdicts(self, verdicts: Mapping[str, ColumnVerdict]) -> None:
        """Head the columns of these classes with what they are in the feedback."""
        self._verdicts = verdicts
        for column in self.columns:
            column.show_verdict(verdicts.get(column.wnid))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Choose a column by its number; other text goes to the search."""
        text = event.text()
        if self._asks and text.isdecimal() and 0 < int(text) <= len(self.columns):
            self.chosen.emit(self.columns[int(text) - 1].wnid)
        else:
            forward_typing(event, self.typed)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self._go_to(self._current)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._go_to(self._current)

    def _keys(self) -> Handlers:
        return {
            Action.NEXT_COLUMN: lambda: self._step(1),
            Action.PREVIOUS_COLUMN: lambda: self._step(-1),
            Action.ENLARGE_IN_COLUMN: self._enlarge,
            Action.SCROLL_DOWN: lambda: self._scroll(1),
            Action.SCROLL_UP: lambda: self._scroll(-1),
            Action.CHOOSE_COLUMN: self._enter,
            Action.DROP_COLUMN: lambda: self._with_current(self.dropped.emit),
            Action.LEAVE_COMPARISON: self._leave,
        }

    def _go_to(self, place: int) -> None:
        """Make a column current; it is framed while the comparison has the focus."""
        self._current = max(0, min(place, len(self.columns) - 1))
        for number, column in enumerate(self.columns):
            column.set_current(number == self._current and self.hasFocus())
        if self.columns:
            self.setAccessibleDescription(self.columns[self._current].accessibleName())

    def _step(self, steps: int) -> None:
        """Go to another column, or to another image of the class while one is enlarged."""
        enlarged = self._enlarged
        if enlarged is None:
            self._go_to(self._current + steps)
        else:
            enlarged.step(steps)

    def _enlarge(self) -> None:
        """Enlarge an image of the current column, or put it back."""
        if self.columns:
            (self._enlarged or self.columns[self._current].grid).enlarge_or_put_back()

    @property
    def _enlarged(self) -> ReferenceGrid | None:
        """The grid of which an image is enlarged."""
        grids = (column.grid for column in self.columns)
        return next((grid for grid in grids if grid.is_enlarged), None)

    def _enter(self) -> None:
        self._with_current(self.chosen.emit if self._asks else self.entered.emit)

    def _scroll(self, rows: int) -> None:
        if self.columns:
            grid = self.columns[self._current].grid
            step = grid.tile_layout().row_height * rows
            grid.verticalScrollBar().setValue(grid.verticalScrollBar().value() + step)

    def _with_current(self, show: Callable[[str], None]) -> None:
        if self.columns:
            show(self.columns[self._current].wnid)

    def _leave(self) -> None:
        enlarged = self._enlarged
        if enlarged is not None:
            enlarged.put_back()
        else:
            self.left.emit()

    def _take_columns(self, wanted: tuple[ComparedClass[QImage], ...]) -> None:
        known = {column.wnid: column for column in (*self._kept, *self.columns)}
        self.columns = [known.get(column.wnid) or self._column(column.wnid) for column in wanted]
        for place, column in enumerate(self.columns):
            column.set_number(place + 1)
            self._row.insertWidget(place, column, stretch=1)
            self._prepare(column)
            column.show()
        self._keep([column for column in known.values() if column not in self.columns])

    def _keep(self, gone: list[ComparisonColumn]) -> None:
        """Hide columns and keep the latest, because the same classes are often compared again."""
        for column in gone:
            column.grid.put_back()
            column.hide()
        self._kept = gone[-_KEPT_COLUMNS:]
        for column in gone[:-_KEPT_COLUMNS]:
            column.grid.enlarge_over(column)
            column.deleteLater()

    def _prepare(self, column: ComparisonColumn) -> None:
        column.set_chosen(column.wnid == self._chosen)
        column.ask(self._asks)
        column.show_verdict(self._verdicts.get(column.wnid))

    def _column(self, wnid: str) -> ComparisonColumn:
        column = ComparisonColumn(self._appearance, self._keymap, wnid, originals=self._originals)
        column.grid.enlarge_over(self)
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
        offer = hbox(self.offered, stretch(1))
        vbox(self.refusal, offer, self.differences, grow(self._stack), on=self)
