"""The threads beside the window's own, each with its kind of work."""

import os
from dataclasses import dataclass, field

from labeler.ui.window.workers import QtRunner

# The window keeps a core to itself.
_DECODING_THREADS = max(1, min(2, (os.cpu_count() or 1) - 1))


@dataclass(frozen=True, slots=True)
class Workers:
    """`database` has one thread, so that what is written keeps its order."""

    database: QtRunner = field(default_factory=lambda: QtRunner(threads=1))
    decoding: QtRunner = field(default_factory=lambda: QtRunner(threads=_DECODING_THREADS))
    background: QtRunner = field(default_factory=lambda: QtRunner(threads=1))
    scoring: QtRunner = field(default_factory=lambda: QtRunner(threads=1))

    def finish(self) -> None:
        """Let what is to be written be written, and give up the rest."""
        self.scoring.close()
        self.decoding.close()
        self.background.close()
        self.database.finish()
