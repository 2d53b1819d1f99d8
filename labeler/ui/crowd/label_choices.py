"""The labels of an image to classify, each with a tick and a mark for the main one."""

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QImage, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QFrame, QToolButton, QVBoxLayout, QWidget

from labeler.app.crowd.annotator_session import LabelText
from labeler.app.crowd.classify import Ticks
from labeler.app.keymap import Key
from labeler.ui.kit.input.form_fields import CheckBox
from labeler.ui.kit.input.key_caps import KeyCaps
from labeler.ui.kit.layout.boxes import grow, hbox, vbox
from labeler.ui.kit.pictures.fitted_image import FittedImage
from labeler.ui.kit.text.labels import label
from labeler.ui.window.theme import Appearance

MAIN, NOT_MAIN = "★ main", "☆"
_MOST_DIGITS = 9
_REFERENCE = QSize(74, 56)


class LabelChoiceRow(QFrame):
    """One label: number, tick box, names and definition, and the main mark."""

    ticked = Signal()
    main_wanted = Signal()

    def __init__(
        self, appearance: Appearance, number: int, text: LabelText, references: int
    ) -> None:
        """`references` is the number of reference images, which are shown when they come."""
        super().__init__()
        self._appearance = appearance
        self.references = [
            FittedImage(appearance, height=_REFERENCE.height(), name=f"Reference of {text.name}")
            for _ in range(references)
        ]
        for picture in self.references:
            picture.setFixedWidth(_REFERENCE.width())
        self.tick = CheckBox(appearance, "")
        self.tick.setFixedWidth(self.tick.sizeHint().height())
        self.tick.setAccessibleName(text.name)
        self.tick.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.tick.clicked.connect(self.ticked)
        self.main = QToolButton()
        self.main.setAccessibleName(f"{text.name}: main object")
        self.main.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.main.setMinimumWidth(64)
        self.main.clicked.connect(self.main_wanted)
        name = label(text.name, rank="heading", wrap=True)
        also = ", ".join(text.other_names[:3])
        gloss = label(text.gloss, rank="muted", wrap=True)
        words = vbox(
            name, *([label(also, rank="caption", wrap=True)] if also else []), gloss, spacing=2
        )
        caps = [KeyCaps(appearance, [Key((), str(number))])] if number <= _MOST_DIGITS else []
        strip = [hbox(*self.references, spacing=2)] if self.references else []
        hbox(
            *caps,
            self.tick,
            *strip,
            grow(words),
            self.main,
            on=self,
            spacing=12,
            margins=(12, 8, 12, 8),
        )
        self._chosen = self._current = False
        self._restyle()
        appearance.changed.connect(self._restyle)

    def show_state(self, *, ticked: bool, main: bool, current: bool) -> None:
        self.tick.setChecked(ticked)
        self.main.setText(MAIN if main else NOT_MAIN)
        if (ticked, current) != (self._chosen, self._current):
            self._chosen, self._current = ticked, current
            self._restyle()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton:
            self.ticked.emit()

    def _restyle(self) -> None:
        colour = self._appearance.colour
        ground = colour("accent_soft" if self._chosen else "surface").name()
        edge = "accent" if self._current else "strong_line" if self._chosen else "line"
        self.setStyleSheet(
            f"LabelChoiceRow {{ background: {ground}; border: 2px solid {colour(edge).name()};"
            " border-radius: 8px; }"
        )


class LabelChoices(QWidget):
    """The rows; a digit ticks a label, Shift with a digit makes it the main one."""

    toggled = Signal(int)
    main_wanted = Signal(int)
    current_moved = Signal()

    def __init__(self, appearance: Appearance) -> None:
        super().__init__()
        self._appearance = appearance
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(8)
        self.rows: list[LabelChoiceRow] = []
        self._wnids: tuple[str, ...] = ()
        self._references: dict[int, FittedImage] = {}
        self.current = 0
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName("Labels")

    def show_labels(
        self, labels: Sequence[LabelText], references: Sequence[Sequence[int]] = ()
    ) -> None:
        """Show other labels, none of them ticked, with the positions of their references."""
        for row in self.rows:
            self._column.removeWidget(row)
            row.deleteLater()
        self._wnids, self.current = tuple(text.wnid for text in labels), 0
        positions = references or [()] * len(labels)
        self.rows = [
            LabelChoiceRow(self._appearance, number, text, len(own))
            for number, (text, own) in enumerate(zip(labels, positions, strict=True), 1)
        ]
        self._references = {
            position: picture
            for row, own in zip(self.rows, positions, strict=True)
            for position, picture in zip(own, row.references, strict=True)
        }
        for number, row in enumerate(self.rows):
            self._column.addWidget(row)
            row.ticked.connect(lambda place=number: self._choose(place))
            row.main_wanted.connect(lambda place=number: self.main_wanted.emit(place))
        self.setFocus()

    def show_reference(self, position: int, picture: QImage | None) -> None:
        """Show a reference image that has come."""
        if position in self._references:
            self._references[position].show_image(picture)

    def show_ticks(self, ticks: Ticks) -> None:
        for number, (row, wnid) in enumerate(zip(self.rows, self._wnids, strict=True)):
            row.show_state(
                ticked=wnid in ticks.labels, main=wnid == ticks.main, current=number == self.current
            )

    def move_by(self, step: int) -> None:
        """Move to the next or previous label."""
        self._move_to(max(0, min(len(self.rows) - 1, self.current + step)))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        number = self._digit(event)
        if number is None:
            event.ignore()
        elif event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self._move_to(number)
            self.main_wanted.emit(number)
        else:
            self._choose(number)

    def _digit(self, event: QKeyEvent) -> int | None:
        """Return the label of a digit key; with Shift, Qt reports another character."""
        shifted = "!@#$%^&*("
        if event.key() in range(Qt.Key.Key_1, Qt.Key.Key_9 + 1):
            number = event.key() - Qt.Key.Key_1
        elif event.text() and event.text() in shifted:
            number = shifted.index(event.text())
        else:
            return None
        return number if number < len(self.rows) else None

    def _choose(self, number: int) -> None:
        self._move_to(number)
        self.toggled.emit(number)

    def _move_to(self, number: int) -> None:
        self.current = number
        self.current_moved.emit()
