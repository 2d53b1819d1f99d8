"""The About dialog: versions and licences of the program and its libraries."""

from PySide6.QtCore import qVersion
from PySide6.QtGui import QTextOption
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QPlainTextEdit,
    QVBoxLayout,
    QWidget,
)

from labeler.app.about import AboutView
from labeler.ui.kit.input.form_fields import ChoiceBox
from labeler.ui.kit.text.labels import IconLabel, label
from labeler.ui.kit.text.text_dialogs import close_button_row
from labeler.ui.window.theme import Appearance


class AboutDialog(QDialog):
    """Shows the versions, and one licence at a time."""

    def __init__(self, appearance: Appearance, view: AboutView, parent: QWidget) -> None:
        super().__init__(parent)
        self._view = view
        self.setWindowTitle("About labeler")
        self.resize(760, 600)
        self.text = QPlainTextEdit()
        self.text.setReadOnly(True)
        self.text.setAccessibleName("Licence text")
        self.text.setWordWrapMode(QTextOption.WrapMode.WordWrap)
        self.choice = ChoiceBox(appearance, "Licence of")
        self.choice.addItems([licence.covers for licence in view.licences])
        self.choice.currentIndexChanged.connect(self._show_licence)
        self._lay_out(appearance)
        self._show_licence(0)

    def _lay_out(self, appearance: Appearance) -> None:
        top = QHBoxLayout()
        top.setSpacing(16)
        top.addWidget(IconLabel(appearance, "labeler", colour="accent", size=48))
        words = QVBoxLayout()
        words.setSpacing(4)
        words.addWidget(label(f"labeler {self._view.version}", rank="title"))
        words.addWidget(label(_parts(self._view), rank="caption", wrap=True))
        top.addLayout(words, stretch=1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(24, 24, 24, 16)
        layout.setSpacing(16)
        layout.addLayout(top)
        layout.addWidget(self.choice)
        layout.addWidget(self.text, stretch=1)
        layout.addLayout(close_button_row(self))

    def _show_licence(self, number: int) -> None:
        self.text.setPlainText(self._view.licences[number].text)


def _parts(view: AboutView) -> str:
    versions = (*view.versions, ("Qt", qVersion()))
    return " · ".join(f"{name} {number}" for name, number in versions)
