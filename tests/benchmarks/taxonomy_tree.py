"""Filtering the taxonomy, a keystroke at a time, against the bare cost of showing that tree."""

import statistics
import time
from collections.abc import Callable, Iterator, Sequence

from PySide6.QtGui import QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QApplication, QTreeView

from labeler.app.classes.browser import ClassBrowser
from labeler.app.classes.class_view import PATH_SEPARATOR
from labeler.app.classes.taxonomy_browser import TaxonomyBrowser
from labeler.app.keymap import load_keymap
from labeler.app.study.preferences import ThemeChoice
from labeler.core.classes.branches import canonical_branches
from labeler.core.classes.groups import default_groups
from labeler.core.classes.search.class_search import ClassSearch
from labeler.core.classes.taxonomy import Taxonomy, load_default
from labeler.core.classes.taxonomy_tree import NO_PARENT, TaxonomyTree
from labeler.ui.classes.taxonomy.panel import TaxonomyPanel
from labeler.ui.window.theme import Appearance
from tests.benchmarks.search import keystrokes
from tests.benchmarks.table import Row

_EVERY = 5
_SIZE = (400, 700)

_CLASSES = 50


def bench_filtered_taxonomy() -> list[Row]:
    """Keys that leave as many classes as a search may find: the largest trees there are.

    They are typed twice, as those of the painted results are: the row with a bar is that of who
    has typed them before.
    """
    never_typed, typed_before = _measured(at_least=_CLASSES)
    name = f"key press to the filtered taxonomy, {_CLASSES} classes, all open"
    return [
        _row(name, typed_before, "≤ 1.5×"),
        _row(f"… of what was never typed before, {_CLASSES} classes", never_typed, "printed"),
    ]


def bench_any_filtered_taxonomy() -> Row:
    """Every kind of key; most leave a handful of classes, and the search is most of the time."""
    never_typed, _ = _measured(at_least=1, every=_EVERY)
    return _row("… of what was never typed before, whatever was found", never_typed, "printed")


_Times = Sequence[tuple[float, float]]


def _measured(*, at_least: int, every: int = 1) -> tuple[_Times, _Times]:
    """From a key press to the tree of all classes found, open and painted; and the bare cost.

    The bare cost is that of `expandAll` and painting the same rows, whose texts lie ready in a
    model of Qt's own, in a plain tree view of the same size and style.
    """
    running = QApplication.instance()
    application = running if isinstance(running, QApplication) else QApplication([])
    appearance = Appearance(application, ThemeChoice.LIGHT)
    taxonomy = load_default()
    typed = list(_finding(ClassSearch(taxonomy), at_least))[::every]
    ours, plain = _Ours(appearance, taxonomy), _Plain()
    first, again = (
        [(ours.timed(text), plain.timed(ours.tree)) for text in typed] for _ in ("first", "again")
    )
    for made in (ours.panel, plain.view, appearance):
        made.deleteLater()
    return first, again


def _finding(search: ClassSearch, at_least: int) -> Iterator[str]:
    """The keystrokes with something to do, each once: the same classes again cost nothing."""
    before: set[str] = set()
    for text in dict.fromkeys(keystrokes()):
        found = {hit.wnid for hit in search.search(text, limit=_CLASSES)}
        if len(found) >= at_least and found != before:
            yield text
            before = found


def _row(name: str, measured: _Times, bar: str) -> Row:
    own, bare = (statistics.median(times) for times in zip(*measured, strict=True))
    longest = max(time for time, _ in measured)
    return Row(
        name,
        f"{own * 1e3:.1f} ms median, {longest * 1e3:.0f} ms longest",
        f"expandAll + paint in a plain tree {bare * 1e3:.1f} ms",
        own / bare,
        bar,
    )


class _Ours:
    """The search and the panel that follows it."""

    def __init__(self, appearance: Appearance, taxonomy: Taxonomy) -> None:
        self._classes = ClassBrowser(taxonomy=taxonomy)
        self._browser = TaxonomyBrowser(lambda: canonical_branches(default_groups(taxonomy)))
        self.panel = TaxonomyPanel(appearance, load_keymap(), self._browser)
        self.panel.resize(*_SIZE)
        self.panel.show()
        self._browser.prepare()
        self._classes.prepare()

    @property
    def tree(self) -> TaxonomyTree:
        return self._browser.view.tree

    def timed(self, text: str) -> float:
        return _timed(lambda: self._type(text))

    def _type(self, text: str) -> None:
        view = self._classes.search(text)
        self.panel.filter([row.wnid for row in view.rows], show=view.wnid)
        QApplication.processEvents()


class _Plain:
    """A tree view with nothing of ours in it."""

    def __init__(self) -> None:
        self.view = QTreeView()
        self.view.setObjectName("taxonomy")
        self.view.setHeaderHidden(True)
        self.view.setUniformRowHeights(True)
        self.view.resize(*_SIZE)
        self.view.show()

    def timed(self, tree: TaxonomyTree) -> float:
        model = _standard_model(tree)
        self.view.setModel(model)
        return _timed(self._open_all)

    def _open_all(self) -> None:
        self.view.expandAll()
        QApplication.processEvents()


def _standard_model(tree: TaxonomyTree) -> QStandardItemModel:
    model = QStandardItemModel()
    rows = map(tree.row, range(len(tree)))
    items = [QStandardItem(PATH_SEPARATOR.join((*row.folded, row.name))) for row in rows]
    for item, parent in zip(items, tree.parents, strict=True):
        (model if parent == NO_PARENT else items[parent]).appendRow(item)
    return model


def _timed(work: Callable[[], None]) -> float:
    # What the work before has left to do isn't this work's.
    for _ in range(3):
        QApplication.processEvents()
    start = time.perf_counter()
    work()
    return time.perf_counter() - start
