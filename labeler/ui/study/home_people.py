"""The lead's part of the home screen: the next step, the people, the study's health."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFrame, QGridLayout, QLabel, QWidget

from labeler.app.keymap import Key
from labeler.app.study.lead_home import HealthLine, LeadStep, PersonProgress
from labeler.ui.kit.charts.progress_bar import ProgressBar
from labeler.ui.kit.input.command_button import ButtonKind
from labeler.ui.kit.layout.boxes import grow, hbox, stretch, vbox
from labeler.ui.kit.text.labels import IconLabel, label
from labeler.ui.study.home_cards import EntryButton
from labeler.ui.window.theme import Appearance

COPIED = "Copied. Paste it into a message."
_BAR_WIDTH = 140
_COLUMNS = ("Code", "Role", "Progress", "", "An image", "Last seen", "")


class LeadStepCard(QFrame):
    """The state of the study in a sentence, and the button for what comes next."""

    wanted = Signal(LeadStep)

    def __init__(self, appearance: Appearance, step: LeadStep) -> None:
        super().__init__()
        self._step = step
        self.setProperty("kind", "next_step")
        self.setAccessibleName(f"{step.headline} {step.explanation}".strip())
        self._explanation = label(step.explanation, rank="muted", wrap=True)
        words = vbox(label(step.headline, rank="heading", wrap=True), self._explanation, spacing=4)
        row = hbox(grow(words), on=self, spacing=16, margins=(24, 16, 24, 16))
        self.button: EntryButton | None = None
        if step.button:
            self.button = EntryButton(
                appearance, step.button, keys=[Key((), "Return")], kind=ButtonKind.PRIMARY
            )
            self.button.clicked.connect(self._press)
            row.addWidget(self.button)

    def _press(self) -> None:
        if self._step.reminder:
            QGuiApplication.clipboard().setText(self._step.reminder)
            self._explanation.setText(COPIED)
        else:
            self.wanted.emit(self._step)


class PeopleTable(QWidget):
    """A row for each person: code, role, progress, pace, when they were last seen, state."""

    def __init__(self, appearance: Appearance, rows: Sequence[PersonProgress]) -> None:
        super().__init__()
        self._appearance = appearance
        self.setAccessibleName("People and their progress")
        self._states: list[tuple[QLabel, str]] = []
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(16)
        grid.setVerticalSpacing(8)
        grid.setColumnStretch(3, 1)
        for column, heading in enumerate(_COLUMNS):
            grid.addWidget(label(heading, rank="caption"), 0, column)
        for number, row in enumerate(rows):
            grid.addWidget(_divider(), 2 * number + 1, 0, 1, len(_COLUMNS))
            self._add_row(grid, 2 * number + 2, row)
        appearance.changed.connect(self._recolour)
        self._recolour()

    def _add_row(self, grid: QGridLayout, number: int, row: PersonProgress) -> None:
        grid.addWidget(label(row.code, rank="number"), number, 0)
        grid.addWidget(label(row.role.value, rank="muted"), number, 1)
        if row.total:
            bar = ProgressBar(row.code)
            bar.setFixedWidth(_BAR_WIDTH)
            bar.show_part(row.done, row.total)
            grid.addWidget(bar, number, 2)
            grid.addWidget(label(row.progress), number, 3)
        else:
            grid.addWidget(label(row.progress, rank="muted"), number, 2, 1, 2)
        grid.addWidget(label(row.pace), number, 4, Qt.AlignmentFlag.AlignRight)
        grid.addWidget(label(row.seen, rank="muted"), number, 5)
        state = label(row.state)
        self._states.append((state, row.tone))
        grid.addWidget(state, number, 6)

    def _recolour(self) -> None:
        for state, tone in self._states:
            colour = self._appearance.theme.colours[tone] if tone else self._appearance.theme.muted
            state.setStyleSheet(f"color: {colour};")


class HealthPanel(QWidget):
    """Backups, the last check, folders and the disk; problems have an icon and come first."""

    def __init__(self, appearance: Appearance, lines: Sequence[HealthLine]) -> None:
        super().__init__()
        self._appearance, self._others = appearance, lines
        self._lines = QWidget()
        vbox(self._lines, stretch(), on=self)

    def show_backup(self, when: str, *, backed_up: bool) -> None:
        """Show the lines again, with the time of the last backup."""
        backups = HealthLine(f"Backups: {when}", problem=not backed_up)
        shown = sorted((*self._others, backups), key=lambda line: not line.problem)
        lines = QWidget()
        column = vbox(on=lines, spacing=8)
        for line in shown:
            name, colour = ("waiting", "locked") if line.problem else ("open", "open")
            if not line.known:
                name, colour = "waiting", "muted"
            words = label(line.text, rank="notice" if line.problem else "muted", wrap=True)
            icon = IconLabel(self._appearance, name, colour=colour, size=16)
            column.addLayout(hbox(icon, grow(words)))
        layout = self.layout()
        assert layout is not None
        layout.replaceWidget(self._lines, lines)
        self._lines.deleteLater()
        self._lines = lines


def _divider() -> QFrame:
    line = QFrame()
    line.setProperty("kind", "divider")
    line.setFixedHeight(1)
    return line
