"""The answer bar: the chosen class, the rest of the answer, and the buttons for it."""

from math import ceil

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFontMetrics, QResizeEvent
from PySide6.QtWidgets import QGridLayout, QSizePolicy, QStackedWidget, QVBoxLayout, QWidget

from labeler.app.keymap import Action, Keymap, parse_key
from labeler.app.labeling.workbench_view import (
    AnswerView,
    WorkbenchStage,
    WorkbenchView,
)
from labeler.core.labeling.answers import Question
from labeler.core.study.entities import CONFIDENCE_LEVELS
from labeler.ui.kit.input.form_fields import NoteField
from labeler.ui.kit.input.icon_button import IconButtonRow, IconKeyButton
from labeler.ui.kit.input.key_button import KeyButton
from labeler.ui.kit.layout.boxes import hbox
from labeler.ui.kit.text.labels import ElidedLabel, ElidedPath, label, wrapped_height
from labeler.ui.labeling.recent_classes_row import RecentClassesRow
from labeler.ui.window.theme import Appearance, TypeSize

_NOTICE_LINES = 2


class AnswerNotice(QWidget):
    """Two lines of text that keep their height when they are empty."""

    def __init__(self, appearance: Appearance) -> None:
        super().__init__()
        self._appearance = appearance
        self._notice = label(rank="notice", wrap=True)
        self._notice.setAlignment(Qt.AlignmentFlag.AlignTop)
        # Its height doesn't depend on its text.
        self._notice.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Ignored)
        self._alternative = ElidedLabel(rank="body", mode=Qt.TextElideMode.ElideMiddle)
        self._note = ElidedLabel(rank="caption")
        self._path = ElidedPath(rank="caption")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._notice, stretch=1)
        for line in self._lines:
            column.addWidget(line)
        column.addStretch()
        appearance.changed.connect(self._keep_height)
        self._keep_height()

    def show_texts(self, *, notice: str, alternative: str, note: str, path: str) -> None:
        """Show the notice, and the other texts in the remaining lines."""
        self._notice.setText(notice)
        self._notice.setToolTip(notice)
        self._alternative.setText(alternative)
        self._note.setText(note)
        self._path.setText(path)
        self._share_lines()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._share_lines()

    def _share_lines(self) -> None:
        left = _NOTICE_LINES - self._needed
        self._notice.setVisible(self._needed > 0)
        for line in self._lines:
            line.setVisible(bool(line.text()) and left > 0)
            left -= bool(line.text())

    @property
    def _lines(self) -> tuple[ElidedLabel, ...]:
        """The lines below the notice, the most important first."""
        return self._alternative, self._note, self._path

    @property
    def _needed(self) -> int:
        """Return how many lines the notice needs."""
        wide = self._notice.fontMetrics().horizontalAdvance(self._notice.text())
        return min(_NOTICE_LINES, ceil(wide / max(1, self.width())))

    def _keep_height(self) -> None:
        self.setFixedHeight(wrapped_height(self._appearance.font(TypeSize.BODY), _NOTICE_LINES))


CONFIDENCE_ACTIONS = (
    Action.CONFIDENCE_1,
    Action.CONFIDENCE_2,
    Action.CONFIDENCE_3,
    Action.CONFIDENCE_4,
    Action.CONFIDENCE_5,
)
_CONFIDENCE_QUESTION = "How sure?"
_CONFIDENCE_SPACING = 4
_CONFIDENCE_TEXTS = ("Guess", "Unsure", "Fair", "Sure", "Certain")
assert len(CONFIDENCE_ACTIONS) == len(_CONFIDENCE_TEXTS) == CONFIDENCE_LEVELS, (
    "every level has its button"
)


class ConfidenceRow(QWidget):
    """One button for each confidence level; the chosen one is checked."""

    pressed = Signal(Action)

    def __init__(self, appearance: Appearance, keymap: Keymap) -> None:
        super().__init__()
        self.setAccessibleName("Confidence")
        self._caption = ElidedLabel(rank="caption", mode=Qt.TextElideMode.ElideNone)
        self._caption.setText(_CONFIDENCE_QUESTION)
        self._caption.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        row = hbox(self._caption, on=self, spacing=_CONFIDENCE_SPACING)
        self.levels = []
        texts = zip(CONFIDENCE_ACTIONS, _CONFIDENCE_TEXTS, strict=True)
        for number, (action, word) in enumerate(texts, start=1):
            # The digit alone also submits, so it is the key that people use.
            button = KeyButton(
                appearance,
                keymap[action],
                word,
                checkable=True,
                shown=parse_key(str(number)),
                tight=True,
            )
            button.clicked.connect(lambda _checked=False, a=action: self.pressed.emit(a))
            row.addWidget(button, stretch=1)
            self.levels.append(button)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Leave the question out before the keys, which say what to press."""
        super().resizeEvent(event)
        widest = max(button.sizeHint().width() for button in self.levels)
        needed = self._caption.sizeHint().width() + len(self.levels) * (
            widest + _CONFIDENCE_SPACING
        )
        self._caption.setVisible(self.width() >= needed)

    def show_level(self, level: int | None) -> None:
        for number, button in enumerate(self.levels, start=1):
            button.setChecked(number == level)


_ABOVE_SECOND_ROW = 4
_NOTHING_CHOSEN = "Nothing chosen yet"
_NO_ANSWER_NEEDED = "It doesn't need an answer, but you can give one."
FLAG_TEXT, FLAGGED_TEXT = "Flag", "Flagged"
PAUSE_TEXT, RESUME_TEXT = "Pause", "Resume"


class AnswerBar(QWidget):
    """Shows the answer; each button emits the action it represents."""

    pressed = Signal(Action)
    noted = Signal(str)
    note_left = Signal()

    def __init__(
        self, appearance: Appearance, keymap: Keymap, *, only_forwards: bool = False
    ) -> None:
        """`only_forwards` is for training, which has no marks and no way back, but can be ended."""
        super().__init__()
        self._appearance, self._keymap = appearance, keymap
        self._only_forwards = only_forwards
        self._caption = ElidedLabel(rank="caption")
        self._name = ElidedLabel(rank="muted")
        self._remarks = AnswerNotice(appearance)
        self.submit = KeyButton(appearance, keymap[Action.SUBMIT], "Submit", main=True)
        self.submit.clicked.connect(lambda: self.pressed.emit(Action.SUBMIT))
        self.escape_hatch = self._icon_button(
            Action.ESCAPE_HATCH, "Hatch", "hatch", full_name="Escape hatch", checkable=True
        )
        self.known = self._icon_button(
            Action.KNOW_IMAGE, "Known", "known", full_name="Known image", checkable=True
        )
        self.note_button = self._icon_button(Action.EDIT_NOTE, "Note", "note", checkable=True)
        self.mark = self._icon_button(Action.MARK_TRIAL, "Mark", "mark", checkable=True)
        self.back = self._icon_button(Action.PREVIOUS_TRIAL, "Back", "arrow_left")
        self.next_button = self._icon_button(Action.NEXT_TRIAL, "Next", "arrow_right")
        self.flag = self._icon_button(Action.FLAG_IMAGE, FLAG_TEXT, "flag", checkable=True)
        self.flag.reserve_space_for(FLAG_TEXT, FLAGGED_TEXT)
        self._is_flagged = False
        self.pause = self._icon_button(Action.PAUSE, PAUSE_TEXT, "hold")
        self.pause.reserve_space_for(PAUSE_TEXT, RESUME_TEXT)
        self.end = self._icon_button(Action.END_TRAINING, "End", "stop", full_name="End training")
        self.confidence = ConfidenceRow(appearance, keymap)
        self.recent = RecentClassesRow(keymap)
        self._second_row = QStackedWidget()
        self.note = _note_field()
        self._lay_out()
        self._connect()

    def render_answer(self, view: WorkbenchView[object]) -> None:
        """Show the answer, and enable the buttons that apply."""
        answer = view.answer
        self._show_choice(answer, flagged=view.flagged)
        self.note.show_text(answer.note)
        self.close_note()
        self._show_words(view, notice=view.problem or view.notice)
        self._set_states(view)
        self.recent.show_classes(view.recent)
        rates = Question.CONFIDENCE in answer.questions and answer.label is not None
        self._second_row.setCurrentWidget(self.confidence if rates else self.recent)
        self.confidence.show_level(answer.confidence)

    def edit_note(self) -> None:
        """Open or close the note field."""
        if self.note.isVisibleTo(self) and self.note.hasFocus():
            self.note_left.emit()
            return
        self.note.setVisible(True)
        self.note.raise_()
        self.note.setFocus()

    def close_note(self) -> None:
        """Hide the note field unless it is being edited."""
        self.note.setVisible(self._is_writing)

    @property
    def _is_writing(self) -> bool:
        return self.window().focusWidget() is self.note

    def _show_choice(self, answer: AnswerView, *, flagged: str) -> None:
        chosen = answer.label
        self._name.setText(chosen.name if chosen else flagged or _NOTHING_CHOSEN)
        self._name.set_rank("heading" if chosen or flagged else "muted")
        self.submit.set_words("Submit change" if answer.is_revision else "Submit")

    def _show_words(self, view: WorkbenchView[object], *, notice: str) -> None:
        """Show the texts of the answer, and a notice next to the note."""
        answer = view.answer
        covered = notice if self._is_writing else ""
        self._caption.setText(covered or _caption_text(answer, flagged=view.flagged))
        self._caption.set_rank(
            "notice" if covered else "wanted" if answer.needs_alternative else "caption"
        )
        path = answer.label.path if answer.label else _NO_ANSWER_NEEDED if view.flagged else ""
        self._remarks.show_texts(
            notice=notice,
            alternative=_alternative_text(answer),
            note=_note_text(answer),
            path=path,
        )

    def _set_states(self, view: WorkbenchView[object]) -> None:
        answer, at_work = view.answer, view.stage is WorkbenchStage.TRIAL
        again = view.stage is WorkbenchStage.NOT_STORED
        self.submit.setEnabled(view.can_submit or again)
        if again:
            self.submit.set_words("Try again")
        for button in (self.escape_hatch, self.known, self.note_button, self.note):
            button.setEnabled(at_work)
        for button in (self.mark, self.back, self.next_button, self.flag, self.end):
            button.setEnabled(at_work and view.trial is not None)
        self.pause.setEnabled(view.stage in (WorkbenchStage.TRIAL, WorkbenchStage.PAUSED))
        paused = view.stage is WorkbenchStage.PAUSED
        self.pause.set_words(
            RESUME_TEXT if paused else PAUSE_TEXT, icon="resume" if paused else "hold"
        )
        self.escape_hatch.setChecked(answer.escape_hatch)
        self.known.setChecked(answer.knows_image)
        self.mark.setChecked(view.trial is not None and view.trial.marked)
        self.note_button.setChecked(bool(answer.note) or self.note.isVisibleTo(self))
        self._show_flag(bool(view.flagged))
        self.confidence.setEnabled(at_work)

    def _show_flag(self, flagged: bool) -> None:
        self._is_flagged = flagged
        self.flag.setChecked(flagged)
        self.flag.set_words(FLAGGED_TEXT if flagged else FLAG_TEXT, icon="flag")

    def _icon_button(
        self,
        action: Action,
        text: str,
        icon: str,
        *,
        full_name: str = "",
        checkable: bool = False,
    ) -> IconKeyButton:
        button = IconKeyButton(
            self._appearance,
            self._keymap[action],
            text,
            icon=icon,
            full_name=full_name,
            checkable=checkable,
        )
        button.clicked.connect(lambda _checked=False: self.pressed.emit(action))
        return button

    def _connect(self) -> None:
        self._appearance.changed.connect(self._keep_heights)
        self._keep_heights()
        # Clicking opens a menu of reasons and changes nothing yet.
        self.flag.clicked.connect(lambda: self.flag.setChecked(self._is_flagged))
        self.confidence.pressed.connect(self.pressed)
        self.note.edited.connect(self.noted)
        self.note.left.connect(self.note_left)
        self.note.unfocused.connect(self.close_note)

    def _keep_heights(self) -> None:
        """Fix the height of the lines, so that no choice moves the image."""
        for line, size in ((self._caption, TypeSize.BODY), (self._name, TypeSize.HEADING)):
            line.setMinimumHeight(QFontMetrics(self._appearance.font(size, strong=True)).height())

    def _lay_out(self) -> None:
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(8)
        layout.addLayout(self._words())
        layout.addWidget(self._buttons())

    def _words(self) -> QGridLayout:
        """Build the texts and the row below them; the note field covers both, and nothing moves.

        That row has the recent classes until one is chosen, then the confidence if it is asked for.
        """
        for part in (self.recent, self.confidence):
            self._second_row.addWidget(part)
        self._second_row.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        grid = QGridLayout()
        grid.setHorizontalSpacing(16)
        grid.setVerticalSpacing(0)
        grid.setColumnStretch(0, 1)
        grid.addWidget(self._caption, 0, 0)
        grid.addWidget(self._name, 1, 0)
        grid.addWidget(self.submit, 0, 1, 2, 1, Qt.AlignmentFlag.AlignVCenter)
        grid.addWidget(self._remarks, 2, 0, 1, 2)
        grid.setRowMinimumHeight(3, _ABOVE_SECOND_ROW)
        grid.addWidget(self._second_row, 4, 0, 1, 2)
        grid.addWidget(self.note, 2, 0, 3, 2)
        return grid

    def _buttons(self) -> IconButtonRow:
        forwards = (self.flag, self.pause, self.end)
        anywhere = (self.mark, self.back, self.next_button, self.flag, self.pause)
        about = (self.escape_hatch, self.known, self.note_button)
        buttons = (*about, *(forwards if self._only_forwards else anywhere))
        for unused in {self.mark, self.back, self.next_button, self.end} - set(buttons):
            unused.setParent(self)
            unused.hide()
        return IconButtonRow(buttons)


def _note_field() -> NoteField:
    """A text field that adopts the size of its container."""
    field = NoteField()
    field.setProperty("kind", "remark")
    field.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Ignored)
    field.setVisible(False)
    return field


def _caption_text(answer: AnswerView, *, flagged: str) -> str:
    """Return the caption above the chosen class."""
    if answer.needs_alternative:
        return "Escape hatch: choose the class of the intended subject"
    beside_label = f" · {flagged.lower()}" if flagged and answer.label is not None else ""
    return f"{_answer_state(answer)}{beside_label}"


def _answer_state(answer: AnswerView) -> str:
    """Return the caption of an answer that was submitted before, changed or not."""
    if answer.before is not None:
        return f"Your change, not submitted yet · before: {answer.before.name}"
    if answer.is_changed:
        return "Your answer, with a change that isn't submitted yet"
    return "Your answer, given before" if answer.is_revision else "Your answer"


def _alternative_text(answer: AnswerView) -> str:
    other = answer.alternative
    return "" if other is None else f"Escape hatch: the intended subject is {other.name}"


def _note_text(answer: AnswerView) -> str:
    return f"Note: {' '.join(answer.note.split())}" if answer.note.strip() else ""
