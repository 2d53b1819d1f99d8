"""The real program until its first trial is on the screen, in a process of its own.

    python -m tests.e2e.first_trial STUDY CODE

Writes one line, the names of all modules that are imported by then, and closes the window.
"""

import os
import sys

import labeler.commands.window  # noqa: F401
from labeler.cli import main

# isort: split
# Qt comes after the command and its database, as it does in the real program: PySide6 reads the
# source of every module that is imported after it.
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
        # Asked by attributes alone: to hand out a widget that Qt made by itself, PySide6 would get
        # every class of Qt ready, for which the program itself doesn't wait.
        for window in QApplication.topLevelWidgets():
            image = getattr(getattr(window, "screen_shown", None), "image", None)
            if image is not None:
                self._timer.stop()
                # Told while it is painted, as by the empty window: for what begins when the image
                # is on the screen no one waits.
                image.canvas.drawn.connect(lambda _number, image=image: self._tell(image))

    def _tell(self, image: QWidget) -> None:
        image.canvas.drawn.disconnect()
        os.write(sys.stdout.fileno(), " ".join(sys.modules).encode() + b"\n")
        QTimer.singleShot(0, image.window().close)


if __name__ == "__main__":
    application = QApplication(["labeler"])
    onlooker = Onlooker()
    study, code = sys.argv[1:]
    sys.exit(main([study, "--as", code]))
