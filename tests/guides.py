"""The guides that tests read: a small one with fixed contents, and the one that ships."""

from pathlib import Path

import labeler

SMALL_GUIDE = Path(__file__).parent / "data" / "guide"
SHIPPED_GUIDE = Path(labeler.__file__).parents[1] / "guide"
