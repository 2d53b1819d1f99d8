"""The search field with its results below it, as a list or as pictures."""

from enum import StrEnum

from PySide6.QtCore import QModelIndex, Signal
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QStackedWidget, QWidget

from labeler.app.classes.browser import ClassBrowserView
from labeler.app.classes.map_pictures import FirstReferences
from labeler.app.keymap import Action, Keymap
from labeler.core.text import count_noun
from labeler.ui.classes.result_grid import ClassResultGrid
from labeler.ui.classes.result_list import ClassResultList
from labeler.ui.kit.input.key_button import KeyButton
from labeler.ui.kit.input.search_field import SearchField
from labeler.ui.kit.layout.boxes import grow, hbox, vbox
from labeler.ui.kit.text.empty_state import EmptyState
from labeler.ui.kit.text.labels import ElidedLabel
from labeler.ui.window.theme import Appearance

_FIELD_WIDTH = 220
PICTURES_TEXT, LIST_TEXT, BACK_TEXT = "Pictures", "List", "Back to results"


class ResultView(StrEnum):
    """How results are shown."""

    LIST = "list"
    PICTURES = "pictures"


class ClassFinder(QWidget):
    """Renders the query and its results, and emits signals for typing and clicks.

    A screen that embeds it calls `render_results` with each view of the class browser, and
    connects these signals:

    - `typed`: the query was edited;
    - `row_chosen`: a row was clicked, so it becomes the selected one;
    - `row_activated`: a row was double-clicked, so it is chosen, or opened if it is a branch;
    - `moved`: Left or Right was pressed among pictures, so the selection moves by this many rows;
    - `went_right`: Right was pressed at the end of the query, and the results are a list;
    - `branch_closed`: the results of the search are wanted again;
    - `result_view_changed`: the person chose the list or the pictures;
    - `grid_shown`: pictures are shown instead of the list, or the other way round.

    `step` and `page` say how many rows an arrow key and a page key move. An open branch is shown
    as pictures, if there are any.
    """

    typed = Signal(str)
    row_chosen = Signal(int)
    row_activated = Signal(int)
    moved = Signal(int)
    went_right = Signal()
    branch_closed = Signal()
    result_view_changed = Signal(ResultView)
    grid_shown = Signal(bool)

    def __init__(
        self,
        appearance: Appearance,
        keymap: Keymap,
        *,
        pictures: FirstReferences[QImage] | None = None,
        result_view: ResultView = ResultView.LIST,
    ) -> None:
        super().__init__()
        self.field = SearchField(appearance, keymap)
        self.results = ClassResultList(appearance, pictures=pictures)
        self.grid = None if pictures is None else ClassResultGrid(appearance, pictures=pictures)
        self._result_view = result_view
        self._view: ClassBrowserView | None = None
        # With large text it shrinks instead of taking space from its neighbours.
        self._count = ElidedLabel(rank="caption")
        self.back = KeyButton(appearance, keymap[Action.CLEAR_SEARCH], BACK_TEXT)
        self.view_button = KeyButton(appearance, keymap[Action.TOGGLE_RESULT_VIEW], PICTURES_TEXT)
        self.view_button.reserve_space_for(PICTURES_TEXT, LIST_TEXT)
        self._beside = QWidget()
        self._line = QWidget()
        self._shows_results = True
        self._showed_grid = False
        self._nothing = EmptyState(appearance)
        self._stack = QStackedWidget()
        self._lay_out()
        self._connect()

    @property
    def result_view(self) -> ResultView:
        """How the results are shown now."""
        if self.grid is None:
            return ResultView.LIST
        is_open = self._view is not None and self._view.branch is not None
        return ResultView.PICTURES if is_open else self._result_view

    @property
    def step(self) -> int:
        """How many rows Up and Down move."""
        return self.grid.columns if self.grid and self._shows_grid else 1

    @property
    def page(self) -> int:
        """How many rows a page has."""
        return (
            self.grid.visible_rows if self.grid and self._shows_grid else self.results.visible_rows
        )

    def toggle_result_view(self) -> None:
        """Show the list instead of the pictures, or the other way round."""
        if self.grid is None or (self._view is not None and self._view.branch is not None):
            return
        is_list = self._result_view is ResultView.LIST
        self._result_view = ResultView.PICTURES if is_list else ResultView.LIST
        if self._view is not None:
            self.render_results(self._view)
        self.result_view_changed.emit(self._result_view)

    def render_results(self, view: ClassBrowserView) -> None:
        """Show the query, the rows and the selected row."""
        self._view = view
        if self.field.text() != view.query:
            self.field.setText(view.query)
        self.field.gives_arrows_away = self._shows_grid
        shown = self._shown_list()
        shown.show_rows(view.rows)
        shown.show_current(view.selected)
        self._count.setText(counted(view))
        self.back.setVisible(view.branch is not None)
        is_list = self.result_view is ResultView.LIST
        self.view_button.set_words(PICTURES_TEXT if is_list else LIST_TEXT)
        self.view_button.setVisible(self.grid is not None and view.branch is None)
        self.field.setAccessibleDescription(view.details.name if view.details else "no class")
        if not view.rows:
            self._nothing.say(_nothing_found(view.query), icon="search")
        self._stack.setCurrentWidget(shown if view.rows else self._nothing)
        if self._shows_grid is not self._showed_grid:
            self._showed_grid = self._shows_grid
            self.grid_shown.emit(self._shows_grid)
        self._show_line()

    def _show_line(self) -> None:
        """Show the line that counts the results above them; without them the field says it."""
        self._line.setVisible(self._shows_results)
        found = len(self._view.rows) if self._view is not None and self._view.query.strip() else 0
        counted = f"{count_noun(found, 'result')} ↓" if found else ""
        self.field.show_count("" if self._shows_results else counted)

    @property
    def _shows_grid(self) -> bool:
        return self.result_view is ResultView.PICTURES

    def _shown_list(self) -> ClassResultList | ClassResultGrid:
        return self.grid if self.grid is not None and self._shows_grid else self.results

    def show_results(self, shown: bool) -> None:
        """Show the results, or only how many there are, in the field."""
        self._stack.setVisible(shown)
        self._shows_results = shown
        self._show_line()

    def place_beside_field(self, *buttons: KeyButton) -> None:
        """Place buttons, as high as the search field, to the right of it."""
        # In a narrow place, the buttons leave their keys out before the query is cut off.
        self.field.setMinimumWidth(_FIELD_WIDTH)
        for button in buttons:
            button.setMinimumHeight(self.field.sizeHint().height())
        hbox(*buttons, on=self._beside)
        self._beside.show()

    def _lay_out(self) -> None:
        self.setFocusProxy(self.field)
        for part in filter(None, (self.results, self.grid, self._nothing)):
            self._stack.addWidget(part)
        self.back.hide()
        self._beside.hide()
        if self.grid is None:
            self.view_button.hide()
        hbox(self.back, grow(self._count), self.view_button, on=self._line)
        top = hbox(grow(self.field), self._beside)
        vbox(top, self._line, grow(self._stack), on=self, spacing=4)

    def _connect(self) -> None:
        self.field.textEdited.connect(self.typed)
        self.field.went_left.connect(lambda: self.moved.emit(-1))
        self.field.went_right.connect(self._go_right)
        self.view_button.clicked.connect(self.toggle_result_view)
        self.back.clicked.connect(self.branch_closed)
        for shown in filter(None, (self.results, self.grid)):
            shown.clicked.connect(self._clicked)
            shown.doubleClicked.connect(lambda index: self.row_activated.emit(index.row()))

    def _go_right(self) -> None:
        if self._shows_grid:
            self.moved.emit(1)
        else:
            self.went_right.emit()

    def _clicked(self, index: QModelIndex) -> None:
        self.row_chosen.emit(index.row())
        self.field.setFocus()


def counted(view: ClassBrowserView) -> str:
    """Return how many classes and groups there are."""
    classes = count_noun(view.classes, "class", "classes")
    if view.branch is not None:
        return f"{view.branch.name}: {classes}"
    if not view.query.strip():
        return f"All {classes} in the order of the taxonomy"
    if not view.rows:
        return "No class"
    groups = count_noun(view.branches, "group")
    found = f"{classes} and {groups}" if view.branches else classes
    return found if len(view.rows) == 1 else f"{found}, best first"


def _nothing_found(query: str) -> str:
    return (
        f"No class matches “{query.strip()}”. Try fewer letters, another name, "
        "or a word that describes what you see."
    )
