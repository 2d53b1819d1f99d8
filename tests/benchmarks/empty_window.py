"""An empty window of PySide6 until it is painted, in a process of its own; writes one line."""

import os
import sys

from PySide6.QtCore import QTimer
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QApplication, QMainWindow


class EmptyWindow(QMainWindow):
    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        super().paintEvent(event)
        os.write(sys.stdout.fileno(), b"painted\n")
        QTimer.singleShot(0, self.close)


if __name__ == "__main__":
    application = QApplication([])
    window = EmptyWindow()
    window.show()
    sys.exit(application.exec())
