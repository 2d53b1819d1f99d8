"""An arrangement of docks as it is kept: where each stands, and its share of the window.

Qt keeps sizes in pixels, so that docks arranged in a small window would stay as small in a large
one. The shares bring them back to the same part of whatever window there is.
"""

import json
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QByteArray


@dataclass(frozen=True, slots=True)
class DockArrangement:
    """Qt's own state, and the share of the window's width and height that each dock had."""

    state: QByteArray
    shares: dict[str, tuple[float, float]]

    def written(self) -> QByteArray:
        return QByteArray(json.dumps(self.shares).encode() + b"\n" + bytes(self.state.data()))


def read_arrangement(kept: QByteArray) -> DockArrangement | None:
    """The arrangement that was written; None for anything else."""
    text, _newline, state = bytes(kept.data()).partition(b"\n")
    try:
        document: Any = json.loads(text)
        shares = {str(name): (float(w), float(h)) for name, (w, h) in document.items()}
    except (ValueError, TypeError, AttributeError):
        return None
    return DockArrangement(QByteArray(state), shares)
