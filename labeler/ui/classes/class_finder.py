"""The search field with the classes found below it."""

from PySide6.QtCore import QModelIndex, Signal
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QStackedWidget, QWidget

from labeler.app.classes.browser import ClassBrowserView
from labeler.app.classes.references import ClassThumbnails
from labeler.app.keymap import Keymap
from labeler.ui.classes.result_list import ClassResultList
from labeler.ui.kit.input.search_field import SearchField
from labeler.ui.kit.layout.boxes import grow, vbox
from labeler.ui.kit.text.empty_state import EmptyState
from labeler.ui.kit.text.labels import ElidedLabel
from labeler.ui.window.theme import Appearance


class ClassFinder(QWidget):
    """Renders the query and its results, and emits signals for typing and clicks."""

    typed = Signal(str)
    row_chosen = Signal(int)
    row_activated = Signal(int)

    def __init__(
        self,
        appearance: Appearance,
        keymap: Keymap,
        *,
        pictures: ClassThumbnails[QImage] | None = None,
    ) -> None:
        super().__init__()
        self.field = SearchField(appearance, keymap)
        self.results = ClassResultList(appearance, pictures=pictures)
        # With large text it shrinks instead of taking space from its neighbours.
        self._count = ElidedLabel(rank="caption")
        self._nothing = EmptyState(appearance)
        self._stack = QStackedWidget()
        self._stack.addWidget(self.results)
        self._stack.addWidget(self._nothing)
        self._lay_out()
        self.field.textEdited.connect(self.typed)
        self.results.clicked.connect(self._clicked)
        self.results.doubleClicked.connect(lambda index: self.row_activated.emit(index.row()))

    def render_results(self, view: ClassBrowserView) -> None:
        """Show the query, the rows and the selected row."""
        if self.field.text() != view.query:
            self.field.setText(view.query)
        self.results.show_rows(view.rows)
        self.results.show_current(view.selected)
        self._count.setText(_counted(view))
        self.field.setAccessibleDescription(view.details.name if view.details else "no class")
        if not view.rows:
            self._nothing.say(_nothing_found(view.query), icon="search")
        self._stack.setCurrentWidget(self.results if view.rows else self._nothing)

    def _lay_out(self) -> None:
        self.setFocusProxy(self.field)
        vbox(self.field, self._count, grow(self._stack), on=self, spacing=4)

    def _clicked(self, index: QModelIndex) -> None:
        self.row_chosen.emit(index.row())
        self.field.setFocus()


def _counted(view: ClassBrowserView) -> str:
    number = f"{len(view.rows):,}"
    if not view.query.strip():
        return f"All {number} classes in the order of the taxonomy"
    if len(view.rows) <= 1:
        return "1 class" if view.rows else "No class"
    return f"{number} classes, best first"


def _nothing_found(query: str) -> str:
    return (
        f"No class matches “{query.strip()}”. Try fewer letters, another name, "
        "or a word that describes what you see."
    )
