"""What stands below the answer: a notice, or what else belongs to the answer."""

from math import ceil

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QVBoxLayout, QWidget

from labeler.ui.kit.text.elided_label import ElidedLabel
from labeler.ui.kit.text.labels import label, wrapped_height
from labeler.ui.window.look import Appearance
from labeler.ui.window.theme import TypeSize

_TOP_MARGIN = 8
_NOTICE_LINES = 2


class AnswerNotice(QWidget):
    """Two lines, as high without words as with them."""

    def __init__(self, look: Appearance) -> None:
        super().__init__()
        self._look = look
        self._notice = label(rank="notice", wrap=True)
        self._notice.setAlignment(Qt.AlignmentFlag.AlignTop)
        # However many lines it would like to have, it gets those that are kept.
        self._notice.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Ignored)
        self._alternative = ElidedLabel(rank="body", mode=Qt.TextElideMode.ElideMiddle)
        self._note = ElidedLabel(rank="caption")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, _TOP_MARGIN, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._notice, stretch=1)
        column.addWidget(self._alternative)
        column.addWidget(self._note)
        column.addStretch()
        look.changed.connect(self._keep_height)
        self._keep_height()

    def tell(self, *, notice: str, alternative: str, note: str) -> None:
        """Show the notice, and the alternative and what was noted in the lines that are left."""
        self._notice.setText(notice)
        self._notice.setToolTip(notice)
        self._alternative.setText(alternative)
        self._note.setText(note)
        self._share_lines()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._share_lines()

    def _share_lines(self) -> None:
        left = _NOTICE_LINES - self._needed
        self._notice.setVisible(self._needed > 0)
        for line in (self._alternative, self._note):
            line.setVisible(bool(line.text()) and left > 0)
            left -= bool(line.text())

    @property
    def _needed(self) -> int:
        """How many lines the notice takes."""
        wide = self._notice.fontMetrics().horizontalAdvance(self._notice.text())
        return min(_NOTICE_LINES, ceil(wide / max(1, self.width())))

    def _keep_height(self) -> None:
        self.setFixedHeight(
            _TOP_MARGIN + wrapped_height(self._look.font(TypeSize.BODY), _NOTICE_LINES)
        )
