"""How many keys a labeler presses for one answer, replayed in the real window.

The walks in `key_press_walks.csv` are fixed: a class, the way in which a person looks for it, and
what they type. A person types until the wanted class is the highlighted result, and goes down the
list if it isn't after the last letter. Every key counts, a modifier too (Ctrl+S is two), and so do
the keys that choose and submit.
"""

import csv
import statistics
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from labeler.app.labeling.workbench_view import WorkbenchStage
from tests.benchmarks.demo_study import demo_copy
from tests.benchmarks.labeler_at_work import LabelerAtWork, labeler_at_work, serve_until
from tests.benchmarks.table import Row

WALKS = Path(__file__).with_name("key_press_walks.csv")
_BARS = {"name": "≤ 6 keys", "description": "≤ 10 keys"}
# The same walks with docks instead of the one-thing-at-a-time layout: keys on average, and how many
# walks didn't find their class.
_BEFORE = {
    "name": (5.3, 0),
    "synonym": (5.8, 0),
    "description": (7.7, 6),
    "group": (15.3, 0),
    "comparison": (32.7, 3),
}
_COMPARISON = "comparison"
# Someone who doesn't find the class in so many rows searches for something else.
_MOST_ROWS = 60


@dataclass(frozen=True, slots=True)
class Walk:
    """A class, the way to it, and the texts typed on the way, several in a comparison."""

    wnid: str
    class_name: str
    way: str
    typed: tuple[str, ...]


def walks() -> list[Walk]:
    """Return the fixed list."""
    with WALKS.open(encoding="utf-8", newline="") as lines:
        return [
            Walk(row["wnid"], row["class_name"], row["way"], tuple(row["typed"].split("+")))
            for row in csv.DictReader(lines)
        ]


class CountedKeys:
    """Presses keys in the window and counts them."""

    def __init__(self, labeler: LabelerAtWork) -> None:
        self._labeler = labeler
        self.pressed = 0

    def press(self, key: Qt.Key, *, ctrl: bool = False) -> None:
        self.pressed += 2 if ctrl else 1
        self._labeler.press(key, ctrl=ctrl)
        QApplication.processEvents()

    def look_for(self, typed: str, wnid: str | None) -> bool:
        """Type until the class is highlighted, then go down; None types the whole text."""
        for letter in typed:
            self.press(Qt.Key(ord(letter.upper())))
            if self._highlighted == wnid:
                return True
        for _ in range(_MOST_ROWS if wnid is not None else 0):
            self.press(Qt.Key.Key_Down)
            if self._highlighted == wnid:
                return True
        return wnid is None

    @property
    def _highlighted(self) -> str | None:
        return self._labeler.tools.browser.view.wnid


def replay(labeler: LabelerAtWork, walk: Walk) -> int | None:
    """Answer the image with the walk's class; return the keys pressed, or None if not found."""
    keys = CountedKeys(labeler)
    before = labeler.trial
    found = _compare(keys, labeler, walk) if walk.way == _COMPARISON else _search(keys, walk)
    chosen = labeler.evaluation.workbench.view.answer.label
    if not found or chosen is None or chosen.wnid != walk.wnid:
        labeler.evaluation.workbench.choose(walk.wnid)
        labeler.evaluation.workbench.submit()
        counted = None
    else:
        keys.press(Qt.Key.Key_Return)
        counted = keys.pressed
    serve_until(lambda: _has_moved_on(labeler, before))
    return counted


def _has_moved_on(labeler: LabelerAtWork, before: str | None) -> bool:
    """Return whether another image is painted, or the last one is answered."""
    is_over = labeler.evaluation.workbench.view.stage is WorkbenchStage.FINISHED
    return is_over or labeler.trial not in (None, before)


def _search(keys: CountedKeys, walk: Walk) -> bool:
    found = keys.look_for(walk.typed[0], walk.wnid)
    keys.press(Qt.Key.Key_Return)
    return found


def _compare(keys: CountedKeys, labeler: LabelerAtWork, walk: Walk) -> bool:
    """Put each class on the shortlist, compare them, and choose the last column."""
    names = {row.name.lower(): row.wnid for row in labeler.tools.browser.reset().rows}
    for typed in walk.typed:
        keys.look_for(typed, walk.wnid if typed == walk.typed[-1] else names.get(typed))
        keys.press(Qt.Key.Key_S, ctrl=True)
    keys.press(Qt.Key.Key_K, ctrl=True)
    for _ in walk.typed[1:]:
        keys.press(Qt.Key.Key_Right)
    keys.press(Qt.Key.Key_Return)
    return True


def bench_key_presses() -> list[Row]:
    """Replay all walks, each as the answer to an image of its own."""
    counted: dict[str, list[int | None]] = {}
    with _labeler() as labeler:
        for walk in walks():
            counted.setdefault(walk.way, []).append(replay(labeler, walk))
    return [_row(way, keys) for way, keys in counted.items()]


def _row(way: str, counted: list[int | None]) -> Row:
    found = [keys for keys in counted if keys is not None]
    mean, (before, lost_before) = statistics.fmean(found), _BEFORE[way]
    return Row(
        f"workbench: keys per answer, class found by {way}",
        f"{mean:.1f} keys on average, {statistics.median(found):.0f} median, {max(found)} at most, "
        f"{_lost(len(counted) - len(found))} of {len(counted)}",
        f"with docks {before} keys, {_lost(lost_before)}",
        mean / before,
        _BARS.get(way, "printed"),
    )


def _lost(walks: int) -> str:
    return f"{walks} not found"


@contextmanager
def _labeler() -> Iterator[LabelerAtWork]:
    with (
        tempfile.TemporaryDirectory() as place,
        labeler_at_work(demo_copy(Path(place))) as labeler,
    ):
        yield labeler
