"""The real program until its first trial is on the screen, in a process of its own.

    python -m tests.e2e.first_trial STUDY CODE

Writes one line, the names of all modules that are imported by then, and closes the window.
"""

import os
import sys

from labeler.cli import main

# isort: split
# Qt comes after the command line, as it does in the real program.
from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QApplication, QWidget

_LOOK_EVERY_MS = 5


class Onlooker(QObject):
    """Waits for the image to be painted, without importing anything of the window's itself."""

    def __init__(self) -> None:
        super().__init__()
        self._timer = QTimer(self, interval=_LOOK_EVERY_MS)
        self._timer.timeout.connect(self._look)
        self._timer.start()

    def _look(self) -> None:
        for widget in QApplication.allWidgets():
            if type(widget).__name__ == "ImageView":
                self._timer.stop()
                widget.painted.connect(lambda _trial, image=widget: self._tell(image))

    def _tell(self, image: QWidget) -> None:
        image.painted.disconnect()
        os.write(sys.stdout.fileno(), " ".join(sys.modules).encode() + b"\n")
        QTimer.singleShot(0, image.window().close)


if __name__ == "__main__":
    application = QApplication(["labeler"])
    onlooker = Onlooker()
    study, code = sys.argv[1:]
    sys.exit(main([study, "--as", code]))
