"""A class's place in the taxonomy on one line."""

from PySide6.QtCore import QSize
from PySide6.QtGui import QFontMetricsF, QResizeEvent
from PySide6.QtWidgets import QLabel, QSizePolicy

from labeler.app.presenters.class_views import STEP
from labeler.ui.widgets.labels import label
from labeler.ui.widgets.marked_text import fit_path


class PathLine(QLabel):
    """The way from the general to the particular; where it is too long its first steps go."""

    def __init__(self) -> None:
        super().__init__()
        self._path = ""
        self.setProperty("rank", "muted")
        self.setTextFormat(label().textFormat())
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def show_path(self, steps: tuple[str, ...]) -> None:
        self._path = STEP.join(steps)
        self.setAccessibleName("Place in the taxonomy: " + ", ".join(steps))
        self._fit()

    def minimumSizeHint(self) -> QSize:
        return QSize(0, super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        shown, _ = fit_path(self._path, (), metrics=QFontMetricsF(self.font()), width=self.width())
        self.setText(shown)
        self.setToolTip("" if shown == self._path else self._path)
