"""The study's screen: its state on top, below it the classes with their reference images."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QSplitter, QVBoxLayout, QWidget

from labeler.app.keymap import Action, Keymap, Scope
from labeler.app.overview import StudyOverview
from labeler.app.presenters.class_browser import BrowserView, ClassBrowser
from labeler.app.presenters.references import References, ReferencesView
from labeler.ui.actions import Handlers, bind
from labeler.ui.look import Look
from labeler.ui.widgets.class_card import ClassCard
from labeler.ui.widgets.class_finder import ClassFinder
from labeler.ui.widgets.reference_grid import USUAL_TILE_SIZE
from labeler.ui.widgets.reference_panel import ReferencePanel
from labeler.ui.widgets.study_header import StudyHeader

FETCHED_AHEAD = 2
_FINDER_WIDTH = 400


class StudyScreen(QWidget):
    """Renders what the class browser shows and forwards what a person does to it."""

    def __init__(
        self,
        *,
        look: Look,
        keymap: Keymap,
        study_name: str,
        overview: StudyOverview,
        browser: ClassBrowser,
        references: References[QImage],
    ) -> None:
        super().__init__()
        self._browser = browser
        self._references = references
        self._shown: str | None = None
        self.finder = ClassFinder(look, keymap)
        self.card = ClassCard()
        self.panel = ReferencePanel(look, keymap)
        self._lay_out(StudyHeader(look, study_name=study_name, overview=overview))
        self._connect()
        bind(self.finder, keymap, Scope.CLASSES, self._finder_actions())
        bind(self.panel.grid, keymap, Scope.REFERENCES, self._grid_actions())
        bind(self, keymap, Scope.TILES, self._size_actions())
        references.listen(self._render_references)
        self.render_view(browser.start(references.illustrated))
        self.finder.field.setFocus()

    def render_view(self, view: BrowserView) -> None:
        """Show the results and the class in focus; its references follow as they come."""
        self.finder.render_results(view)
        self.card.setVisible(view.details is not None)
        if view.wnid == self._shown:
            return
        self._shown = view.wnid
        if view.details is None:
            self._references.close()
            self.panel.clear()
            return
        self.card.render_details(view.details)
        self._references.open(view.details.wnid)
        self._references.prefetch(self._browser.neighbours(FETCHED_AHEAD))

    def _render_references(self, view: ReferencesView[QImage]) -> None:
        details = self._browser.view.details
        self.panel.render_references(view, name=details.name if details else "")

    def _lay_out(self, header: StudyHeader) -> None:
        right = QWidget()
        column = QVBoxLayout(right)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addWidget(self.card)
        column.addWidget(self.panel, stretch=1)
        splitter = QSplitter(Qt.Orientation.Horizontal)
        splitter.setHandleWidth(16)
        splitter.setChildrenCollapsible(False)
        splitter.addWidget(self.finder)
        splitter.addWidget(right)
        splitter.setStretchFactor(1, 1)
        splitter.setSizes([_FINDER_WIDTH, 3 * _FINDER_WIDTH])
        whole = QVBoxLayout(self)
        whole.setContentsMargins(16, 12, 16, 8)
        whole.setSpacing(16)
        whole.addWidget(header)
        whole.addWidget(splitter, stretch=1)
        self.setTabOrder(self.finder.field, self.panel.grid)

    def _connect(self) -> None:
        self.finder.typed.connect(lambda typed: self.render_view(self._browser.search(typed)))
        self.finder.row_chosen.connect(lambda row: self.render_view(self._browser.select(row)))
        self.card.chosen.connect(self._follow)
        self.panel.grid.typed.connect(self._type_on)

    def _finder_actions(self) -> Handlers:
        results = self.finder.results
        return {
            Action.NEXT_CLASS: lambda: self._move(1),
            Action.PREVIOUS_CLASS: lambda: self._move(-1),
            Action.NEXT_PAGE: lambda: self._move(results.rows_in_sight),
            Action.PREVIOUS_PAGE: lambda: self._move(-results.rows_in_sight),
            Action.CHOOSE_CLASS: self.panel.grid.setFocus,
            Action.CLEAR_SEARCH: lambda: self.render_view(self._browser.search("")),
        }

    def _grid_actions(self) -> Handlers:
        grid = self.panel.grid
        return {
            Action.ENLARGE: grid.enlarge_or_put_back,
            Action.LEAVE: self._leave_references,
            Action.NEXT_IMAGE: lambda: grid.step(1),
            Action.PREVIOUS_IMAGE: lambda: grid.step(-1),
            Action.IMAGE_BELOW: lambda: grid.step(grid.columns),
            Action.IMAGE_ABOVE: lambda: grid.step(-grid.columns),
            Action.FIRST_IMAGE: lambda: grid.go_to(0),
            Action.LAST_IMAGE: lambda: grid.go_to(len(grid.tiles) - 1),
        }

    def _size_actions(self) -> Handlers:
        grid = self.panel.grid
        return {
            Action.LARGER_TILES: lambda: grid.resize_tiles(1),
            Action.SMALLER_TILES: lambda: grid.resize_tiles(-1),
            Action.USUAL_TILES: lambda: grid.set_tile_size(USUAL_TILE_SIZE),
        }

    def _move(self, steps: int) -> None:
        self.render_view(self._browser.move(steps))

    def _follow(self, wnid: str) -> None:
        self.render_view(self._browser.go_to(wnid))
        self.finder.field.setFocus()

    def _type_on(self, text: str) -> None:
        """Carry on in the search field with what was typed among the images."""
        self.finder.field.setFocus()
        self.finder.field.insert(text)
        self.render_view(self._browser.search(self.finder.field.text()))

    def _leave_references(self) -> None:
        if self.panel.grid.is_enlarged:
            self.panel.grid.put_back()
        else:
            self.finder.field.setFocus()
