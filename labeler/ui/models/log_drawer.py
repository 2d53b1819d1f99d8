"""A drawer with what was said while a model was scored."""

from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QFrame, QPlainTextEdit, QVBoxLayout

from labeler.app.models.models_views import ModelRow, ModelState
from labeler.ui.kit.text.error_banner import ErrorBanner
from labeler.ui.kit.text.labels import label
from labeler.ui.window.look import Appearance


class ModelLogPanel(QFrame):
    """Follows the chosen model; new lines are seen unless somebody has scrolled up."""

    def __init__(self, look: Appearance) -> None:
        super().__init__()
        self.title = label("Log", rank="heading")
        self.failure = ErrorBanner(look)
        self.note = ErrorBanner(look, icon="pause", colour="locked")
        self.text = QPlainTextEdit()
        self.text.setReadOnly(True)
        self.text.setPlaceholderText("Nothing has been said yet.")
        self.text.setObjectName("log")
        self.text.setAccessibleName("What was said while the model was scored")
        self._shown: tuple[str, tuple[str, ...]] = ("", ())
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 8, 0, 0)
        column.setSpacing(8)
        for part in (self.title, self.failure, self.note):
            column.addWidget(part)
        column.addWidget(self.text, stretch=1)

    def render_row(self, row: ModelRow | None, words: tuple[str, ...]) -> None:
        name = row.name if row is not None else ""
        failed = row is not None and row.state is ModelState.FAILED
        sentence = row.sentence if row is not None else ""
        self.title.setText(f"Log of {name}" if name else "Log")
        self._tell(self.failure, sentence if failed else "")
        self._tell(self.note, "" if failed else sentence)
        self._render_words(name, words)

    @staticmethod
    def _tell(place: ErrorBanner, sentence: str) -> None:
        if place.sentence != sentence:  # a screen reader hears it once
            place.say(sentence)

    def _render_words(self, name: str, words: tuple[str, ...]) -> None:
        before_name, before = self._shown
        self._shown = (name, words)
        if name == before_name and words[: len(before)] == before:
            for line in words[len(before) :]:
                self.text.appendPlainText(line)
            return
        self.text.setPlainText("\n".join(words))
        self.text.moveCursor(QTextCursor.MoveOperation.End)
