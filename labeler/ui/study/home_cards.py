"""The cards of the home screen: the main one, smaller ones, and the lead's steps."""

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from labeler.app.keymap import Key
from labeler.app.study.home import DayBar
from labeler.app.study.home_cards import HomeCardView
from labeler.core.study.phases import PhaseState
from labeler.ui.kit.charts.progress_bar import ProgressBar
from labeler.ui.kit.input.command_button import ButtonKind, CommandButton
from labeler.ui.kit.layout.boxes import grow, hbox, stretch, vbox
from labeler.ui.kit.text.labels import IconLabel, label
from labeler.ui.window.theme import Appearance, TypeSize

_FACT_SPACING = 24


class EntryButton(CommandButton):
    """Shows its key only while focused, since Enter presses the focused button."""

    def __init__(
        self, appearance: Appearance, text: str, *, keys: Sequence[Key], kind: ButtonKind
    ) -> None:
        super().__init__(appearance, text, keys=keys, kind=kind)
        self.show_keys(False)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.show_keys(True)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.show_keys(False)


class HomeCard(QFrame):
    """Shows a card, with its state as text, icon and colour."""

    entered = Signal()

    def __init__(
        self, appearance: Appearance, view: HomeCardView, *, is_main: bool, in_a_line: bool = False
    ) -> None:
        """A card `in_a_line` has its text and button next to its title."""
        super().__init__()
        self._appearance = appearance
        self.view = view
        self._word = label(view.word)
        self.button = self._button(is_main) if view.button else None
        self.setProperty("kind", "card")
        self.setAccessibleName(f"{view.title}: {view.word}")
        self.setAccessibleDescription(f"{view.number} {view.counted} {view.sentence}".strip())
        if in_a_line:
            self._lay_out_in_a_line()
        else:
            self._lay_out()
        appearance.changed.connect(self._recolour)
        self._recolour()

    def add_below(self, part: QWidget) -> None:
        """Add a widget below everything else."""
        self._column.addWidget(part)

    def add_side(self, side: QWidget) -> None:
        """Add a widget at the right, behind a divider."""
        divider = QFrame()
        divider.setProperty("kind", "divider")
        divider.setFixedWidth(1)
        for part in (divider, side):
            self._across.addWidget(part)

    def _button(self, is_main: bool) -> CommandButton:
        kind = ButtonKind.PRIMARY if is_main else ButtonKind.PLAIN
        made = EntryButton(self._appearance, self.view.button, keys=[Key((), "Return")], kind=kind)
        made.setAccessibleName(f"{self.view.button}: {self.view.title}")
        made.clicked.connect(self.entered)
        return made

    def _lay_out(self) -> None:
        column = self._column = vbox(self._header(), spacing=8)
        if self.view.number:
            column.addLayout(self._numbers())
        if self.view.total:
            line = ProgressBar("Done")
            line.show_part(self.view.done, self.view.total)
            column.addWidget(line)
        if self.view.facts:
            column.addLayout(
                hbox(*(label(fact) for fact in self.view.facts), stretch(), spacing=_FACT_SPACING)
            )
        column.addWidget(label(self.view.sentence, rank="muted", wrap=True))
        self._buttons = hbox(stretch(1))
        if self.button is not None:
            self._buttons.insertWidget(0, self.button)
        column.addStretch()
        column.addLayout(self._buttons)
        self._across = hbox(grow(column), on=self, spacing=24, margins=(24, 16, 24, 16))

    def _lay_out_in_a_line(self) -> None:
        number = f"{self.view.number} {self.view.counted}".strip()
        words = " · ".join(filter(None, (number, *self.view.facts))) or self.view.sentence
        line = hbox(
            label(self.view.title, rank="heading"),
            label(words, rank="muted"),
            stretch(1),
            IconLabel(self._appearance, self.view.state, colour=self.view.state, size=16),
            self._word,
            spacing=12,
        )
        if self.button is not None:
            line.addWidget(self.button)
        column = self._column = vbox(line, spacing=12)
        self._across = hbox(grow(column), on=self, spacing=24, margins=(24, 12, 24, 16))

    def _header(self) -> QHBoxLayout:
        state = self.view.state
        return hbox(
            label(self.view.title, rank="heading"),
            stretch(),
            IconLabel(self._appearance, state, colour=state, size=16),
            self._word,
        )

    def _numbers(self) -> QHBoxLayout:
        return hbox(
            label(self.view.number, rank="title"),
            label(self.view.counted, rank="title"),
            stretch(),
        )

    def _recolour(self) -> None:
        colour = self._appearance.theme.colours[self.view.state]
        self._word.setStyleSheet(f"color: {colour}; font-weight: 600;")


class HomeStepCard(QWidget):
    """A step of the study for the lead: a mark, a title, what it waits for, perhaps a button.

    Work that isn't a step has no `number`, and so no mark.
    """

    entered = Signal()

    def __init__(
        self, appearance: Appearance, view: HomeCardView, *, number: int | None = None
    ) -> None:
        super().__init__()
        self._appearance, self.view, self._number = appearance, view, number
        self.button: CommandButton | None = None
        self.setAccessibleName(f"{view.title}: {view.word}")
        self.setAccessibleDescription(view.sentence)
        words = vbox(
            label(view.title, rank="number"),
            label(view.sentence, rank="caption", wrap=True),
            spacing=2,
        )
        if view.button:
            self.button = EntryButton(
                appearance, view.button, keys=[Key((), "Return")], kind=ButtonKind.PLAIN
            )
            self.button.setAccessibleName(f"{view.button}: {view.title}")
            self.button.clicked.connect(self.entered)
        self._lay_out(words)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)

    def _lay_out(self, words: QVBoxLayout) -> None:
        if self._number is None:
            parts = (self.button,) if self.button is not None else ()
            hbox(grow(words), *parts, on=self, spacing=12)
            return
        if self.button is not None:
            words.addLayout(hbox(self.button, stretch(1)))
        words.addStretch()
        mark = _StepMark(self._appearance, self.view.state, self._number)
        hbox(mark, grow(words), on=self, spacing=12, margins=(12, 0, 12, 12))

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self._number is None:
            return
        state = self.view.state
        colour = {PhaseState.LOCKED: "open", PhaseState.OPEN: "accent"}.get(state, "line")
        painter = QPainter(self)
        painter.fillRect(0, self.height() - 3, self.width(), 3, self._appearance.colour(colour))


class _StepMark(QWidget):
    """A disc with a tick for a finished step, filled with its number for the current one."""

    def __init__(self, appearance: Appearance, state: PhaseState, number: int) -> None:
        super().__init__()
        self._appearance, self._state, self._number = appearance, state, number
        self.setFixedSize(26, 40)

    def paintEvent(self, _event: QPaintEvent) -> None:
        colour, painter = self._appearance.colour, QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        disc = QRectF(1, 1, 24, 24)
        filled = {PhaseState.LOCKED: "open", PhaseState.OPEN: "accent"}.get(self._state)
        painter.setPen(colour(filled or "strong_line"))
        painter.setBrush(colour(filled) if filled else Qt.BrushStyle.NoBrush)
        painter.drawEllipse(disc)
        painter.setFont(self._appearance.font(TypeSize.BODY))
        painter.setPen(colour("on_accent") if filled else colour("muted"))
        text = "✓" if self._state is PhaseState.LOCKED else str(self._number)
        painter.drawText(disc, Qt.AlignmentFlag.AlignCenter, text)


class DaysChart(QWidget):
    """Bars of the images answered on each of the last days, today in the accent colour."""

    def __init__(self, appearance: Appearance, days: Sequence[DayBar]) -> None:
        super().__init__()
        self._appearance, self._days = appearance, tuple(days)
        self.setAccessibleName(
            "Images a day: " + ", ".join(f"{day.day:%-d %b} {day.images:,}" for day in days)
        )
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Expanding)

    def sizeHint(self) -> QSize:
        return QSize(round(256 * self._appearance.text_scale), 120)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        font = self._appearance.font(TypeSize.CAPTION)
        painter.setFont(font)
        line = painter.fontMetrics().height()
        painter.setPen(self._appearance.colour("muted"))
        painter.drawText(QPointF(0, painter.fontMetrics().ascent()), "Images a day")
        base = self.height() - line - 4
        self._paint_bars(painter, QRectF(0, line + 8, self.width(), base - line - 8))
        painter.setPen(self._appearance.colour("strong_line"))
        painter.drawLine(QPointF(0, base), QPointF(self.width(), base))
        painter.setPen(self._appearance.colour("muted"))
        row = QRectF(0, base + 2, self.width(), line + 2)
        painter.drawText(row, Qt.AlignmentFlag.AlignLeft, f"{self._days[0].day:%-d %b}")
        today = f"today {self._days[-1].images:,}"
        painter.drawText(row, Qt.AlignmentFlag.AlignRight, today)

    def _paint_bars(self, painter: QPainter, room: QRectF) -> None:
        most = max(day.images for day in self._days) or 1
        step = room.width() / len(self._days)
        for place, day in enumerate(self._days):
            high = room.height() * day.images / most
            is_today = place == len(self._days) - 1
            colour = self._appearance.colour("accent")
            colour.setAlphaF(1.0 if is_today else 0.45)
            bar = QRectF(room.left() + place * step + 2, room.bottom() - high, step - 6, high)
            painter.fillRect(bar, colour)


class NumbersCard(QFrame):
    """A small card with a heading and numbers, or a sentence."""

    def __init__(
        self,
        appearance: Appearance,
        heading: str,
        *,
        icon: str,
        numbers: Sequence[tuple[str, str]] = (),
        sentence: str = "",
    ) -> None:
        super().__init__()
        self.setProperty("kind", "card")
        self.setAccessibleName(heading)
        head = hbox(
            IconLabel(appearance, icon, colour="text", size=16),
            label(heading, rank="number"),
            stretch(),
        )
        column: QVBoxLayout = vbox(head, on=self, spacing=12, margins=(16, 16, 16, 16))
        if numbers:
            row = hbox(spacing=_FACT_SPACING)
            for number, unit in numbers:
                row.addLayout(
                    hbox(label(number, rank="number"), label(unit, rank="muted"), spacing=4)
                )
            row.addStretch()
            column.addLayout(row)
        if sentence:
            column.addWidget(label(sentence, rank="muted", wrap=True))
