"""Everything with which a person finds, sees and compares classes, kept in step.

The widgets stand wherever a screen puts them; what is done in one shows in all.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QVBoxLayout, QWidget

from labeler.app.keymap import Action, Keymap, Scope
from labeler.app.presenters.class_browser import BrowserView, ClassBrowser
from labeler.app.presenters.references import ReferencesView
from labeler.app.presenters.shortlist import ShortlistView
from labeler.core.study import Attention
from labeler.ui.actions import Handlers, bind
from labeler.ui.class_presenters import ClassPresenters
from labeler.ui.look import Look
from labeler.ui.widgets.class_card import ClassCard
from labeler.ui.widgets.class_finder import ClassFinder
from labeler.ui.widgets.comparison import ComparisonView
from labeler.ui.widgets.guide_view import GuidePanel
from labeler.ui.widgets.looking_glass import LookingGlass, Sight
from labeler.ui.widgets.neighbourhood import NeighbourhoodView
from labeler.ui.widgets.reference_keys import image_keys, size_keys
from labeler.ui.widgets.reference_panel import ReferencePanel
from labeler.ui.widgets.shortlist_bar import ShortlistBar
from labeler.ui.widgets.taxonomy_panel import TaxonomyPanel
from labeler.ui.window_memory import WindowMemory
from labeler.ui.workers import Workers

if TYPE_CHECKING:
    from labeler.app.opened_study import OpenedStudy

FETCHED_AHEAD = 2


class ClassTools(QObject):
    """Holds the widgets; `entered` is the key that chooses or submits, `chosen` a choice."""

    entered = Signal(object)
    chosen = Signal(str)
    changed = Signal()
    taxonomy_wanted = Signal()
    looking_wanted = Signal()
    guide_wanted = Signal()
    guide_toggled = Signal()

    def __init__(
        self,
        *,
        look: Look,
        keymap: Keymap,
        study: "OpenedStudy",
        workers: Workers,
        memory: WindowMemory,
        page_opened: Callable[[str], None] = lambda _slug: None,
    ) -> None:
        super().__init__()
        self._present = present = ClassPresenters(study, workers, page_opened=page_opened)
        self._shown: str | None = None
        # Look-alikes take a while: they come after the results and the references.
        self._late = QTimer(self, singleShot=True, interval=0)
        self._late.timeout.connect(self._render_look_alikes)
        self.finder = ClassFinder(look, keymap, pictures=present.pictures)
        self.taxonomy = TaxonomyPanel(look, keymap, present.taxonomy)
        self.card = ClassCard()
        self.panel = ReferencePanel(look, keymap, originals=present.originals)
        self.neighbourhood = NeighbourhoodView(look, keymap, present.pictures)
        self.comparison = ComparisonView(look, keymap, originals=present.originals)
        self.shortlist_bar = ShortlistBar(look, keymap)
        self.guide = GuidePanel(look, keymap, present.guide, reference=present.reference)
        self.glass = LookingGlass(
            look,
            keymap,
            {
                Sight.REFERENCES: self.panel,
                Sight.NEIGHBOURHOOD: self.neighbourhood,
                Sight.COMPARISON: self.comparison,
            },
            head=self.panel.head,
        )
        self._connect()
        self._recall_tile_size(memory)
        bind(
            self.panel.grid,
            keymap,
            Scope.REFERENCES,
            image_keys(self.panel.grid, leave=self.focus_search),
        )
        entering = bind(self.finder, keymap, Scope.CLASSES, self._finder_keys())
        # A key held down must not submit what it has just chosen.
        entering[Action.CHOOSE_CLASS].setAutoRepeat(False)
        present.references.listen(self._render_references)
        self.panel.clear()
        self.card.hide()
        present.prepare()

    @property
    def query(self) -> str:
        return self._present.browser.view.query

    @property
    def shortlisted(self) -> tuple[str, ...]:
        return self._present.shortlist.view.wnids

    @property
    def browser(self) -> ClassBrowser:
        return self._present.browser

    def looking(self) -> QWidget:
        """The class in words and pictures, with the shortlist below: one widget for a screen."""
        whole = QWidget()
        column = QVBoxLayout(whole)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addWidget(self.card)
        column.addWidget(self.glass, stretch=1)
        column.addWidget(self.shortlist_bar)
        return whole

    def places(self) -> dict[QWidget, Attention]:
        """Which widget is which place of attention."""
        return {
            self.finder: Attention.SEARCH,
            self.taxonomy: Attention.TAXONOMY,
            self.neighbourhood: Attention.TAXONOMY,
            self.card: Attention.TAXONOMY,
            self.panel: Attention.REFERENCES,
            self.comparison: Attention.COMPARISON,
            self.shortlist_bar: Attention.COMPARISON,
            self.guide: Attention.GUIDE,
        }

    def bind_keys(self, screen: QWidget, keymap: Keymap) -> None:
        """Make the keys work that do so anywhere on the screen."""
        bind(screen, keymap, Scope.LOOKING, self._looking_keys())
        bind(screen, keymap, Scope.TILES, size_keys(self.panel.grid))

    def reset(
        self, *, query: str = "", shortlist: tuple[str, ...] = (), show: str | None = None
    ) -> None:
        """Start afresh, or where a trial was left; `show` is the class it was left with."""
        self._render_shortlist(self._present.shortlist.restore(shortlist))
        self._show_sight(Sight.REFERENCES)
        view = self.browser.reset(query)
        self.render_view(view)
        if show is not None and view.wnid != show:
            self.render_view(self.browser.go_to(show))
        # What is typed next replaces what was found again.
        self.finder.field.selectAll()

    def start(self) -> None:
        """List all classes, with the first in focus that there are pictures of."""
        self.render_view(self.browser.start(self._present.references.illustrated))

    def focus_search(self) -> None:
        self.finder.field.setFocus()

    def type_on(self, text: str) -> None:
        """Carry on in the search field with what was typed elsewhere."""
        self.finder.field.setFocus()
        self.finder.field.insert(text)
        self._search(self.finder.field.text())

    def set_subject(self, image: QImage | None) -> None:
        """The image to classify, for the comparison."""
        self.comparison.set_subject(image)

    def open_guide(self) -> None:
        """Open the guide at the class in focus, or at its contents."""
        wnid = self.browser.view.wnid
        if wnid is None:
            self._present.guide.open_contents()
        else:
            self._present.guide.open_at(wnid)
        self.guide_wanted.emit()

    def close(self) -> None:
        self._present.close()

    def _recall_tile_size(self, memory: WindowMemory) -> None:
        if memory.tile_size is not None:
            self.panel.grid.set_tile_size(memory.tile_size)
        self.panel.grid.tile_size_changed.connect(memory.remember_tile_size)

    # Rendering.

    def render_view(self, view: BrowserView) -> None:
        """Show the results and the class in focus everywhere."""
        self.finder.render_results(view)
        self._render_taxonomy(view)
        self._show_card()
        if view.wnid != self._shown:
            self._shown = view.wnid
            self._render_class(view)
        self.changed.emit()

    def _render_taxonomy(self, view: BrowserView) -> None:
        found = [row.wnid for row in view.rows] if view.query.strip() else None
        if found is None and view.wnid is None:
            self.taxonomy.reset()
        else:
            self.taxonomy.filter(found, show=view.wnid)

    def _render_class(self, view: BrowserView) -> None:
        if view.details is None:
            self._present.references.close()
            self.panel.clear()
            return
        self.card.render_details(view.details)
        self._late.start()
        self._present.references.open(view.details.wnid)
        self._present.references.prefetch(self.browser.neighbours(FETCHED_AHEAD))
        if self.glass.sight is Sight.NEIGHBOURHOOD:
            self.neighbourhood.render_view(self._present.neighbourhood.walk(view.details.wnid))

    def _render_look_alikes(self) -> None:
        wnid = self.browser.view.wnid
        if wnid is not None:
            self.card.render_look_alikes(self.browser.look_alikes(wnid))

    def _render_references(self, view: ReferencesView[QImage]) -> None:
        details = self.browser.view.details
        self.panel.render_references(view, name=details.name if details else "")

    def _render_shortlist(self, view: ShortlistView) -> None:
        self.shortlist_bar.render_shortlist(view)
        if self.glass.sight is Sight.COMPARISON:
            self._present.comparison.compare(view.wnids)
        self.changed.emit()

    # What a person does.

    def _connect(self) -> None:
        self.finder.typed.connect(self._search)
        self.finder.row_chosen.connect(lambda row: self.render_view(self.browser.select(row)))
        self.finder.row_activated.connect(self._choose_row)
        self.finder.field.went_right.connect(self._go_to_taxonomy)
        self.taxonomy.class_selected.connect(self._select_in_taxonomy)
        self.card.chosen.connect(self._follow)
        self.card.node_chosen.connect(self._show_node)
        self.neighbourhood.walked.connect(self._walk)
        self.comparison.dropped.connect(self._drop)
        self.shortlist_bar.removed.connect(self._drop)
        self.shortlist_bar.chosen.connect(self._follow)
        self.guide.class_wanted.connect(self._follow)
        self.glass.sight_wanted.connect(self._want_sight)
        self._present.comparison.listen(self.comparison.render_comparison)
        for chooser in (
            self.neighbourhood.chosen,
            self.comparison.chosen,
            self.taxonomy.class_chosen,
        ):
            chooser.connect(self._choose)
        self.taxonomy.class_entered.connect(self.entered.emit)
        for part in (
            self.taxonomy,
            self.neighbourhood,
            self.comparison,
            self.guide,
            self.panel.grid,
        ):
            part.typed.connect(self.type_on)
        for part in (self.taxonomy, self.neighbourhood, self.comparison, self.guide):
            part.left.connect(self.focus_search)

    def _finder_keys(self) -> Handlers:
        results = self.finder.results
        return {
            Action.CHOOSE_CLASS: lambda: self.entered.emit(self.browser.view.wnid),
            Action.NEXT_CLASS: lambda: self._move(1),
            Action.PREVIOUS_CLASS: lambda: self._move(-1),
            Action.NEXT_PAGE: lambda: self._move(results.rows_in_sight),
            Action.PREVIOUS_PAGE: lambda: self._move(-results.rows_in_sight),
            Action.CLEAR_SEARCH: lambda: self._search(""),
        }

    def _looking_keys(self) -> Handlers:
        return {
            Action.FIND_CLASS: self.focus_search,
            Action.BACK: lambda: self.render_view(self.browser.back()),
            Action.NEXT_SIBLING: lambda: self.render_view(self.browser.sibling(1)),
            Action.PREVIOUS_SIBLING: lambda: self.render_view(self.browser.sibling(-1)),
            Action.TO_REFERENCES: self._go_to_references,
            Action.TO_TAXONOMY: self._go_to_taxonomy,
            Action.SHOW_NEIGHBOURHOOD: self._toggle_neighbourhood,
            Action.SHORTLIST: self._toggle_shortlist,
            Action.CLEAR_SHORTLIST: lambda: self._render_shortlist(self._present.shortlist.clear()),
            Action.COMPARE: self._toggle_comparison,
            Action.SHOW_GUIDE: self.guide_toggled.emit,
        }

    def _search(self, typed: str) -> None:
        self.render_view(self.browser.search(typed))

    def _move(self, steps: int) -> None:
        self.render_view(self.browser.move(steps))

    def _follow(self, wnid: str) -> None:
        self.render_view(self.browser.go_to(wnid))
        self.focus_search()

    def _walk(self, wnid: str) -> None:
        """Go to a class without leaving the neighbourhood."""
        self.render_view(self.browser.go_to(wnid))

    def _select_in_taxonomy(self, wnid: str) -> None:
        self.render_view(self.browser.go_to(wnid))

    def _show_node(self, wnid: str) -> None:
        self.taxonomy_wanted.emit()
        self.taxonomy.show_node(wnid)

    def _choose(self, wnid: str) -> None:
        self.render_view(self.browser.go_to(wnid))
        self.chosen.emit(wnid)
        self.focus_search()

    def _choose_row(self, row: int) -> None:
        view = self.browser.select(row)
        self.render_view(view)
        if view.wnid is not None:
            self.chosen.emit(view.wnid)

    def _go_to_references(self) -> None:
        self.looking_wanted.emit()
        self._show_sight(Sight.REFERENCES)
        self.panel.grid.setFocus()

    def _go_to_taxonomy(self) -> None:
        self.taxonomy_wanted.emit()
        if self.browser.view.wnid is not None:
            self.taxonomy.show_class(self.browser.view.wnid)

    def _toggle_neighbourhood(self) -> None:
        shown = self.glass.sight is Sight.NEIGHBOURHOOD
        self._want_sight(Sight.REFERENCES if shown else Sight.NEIGHBOURHOOD)

    def _toggle_comparison(self) -> None:
        shown = self.glass.sight is Sight.COMPARISON
        self._want_sight(Sight.REFERENCES if shown else Sight.COMPARISON)

    def _toggle_shortlist(self) -> None:
        wnid = self.browser.view.wnid
        if wnid is not None:
            self._render_shortlist(self._present.shortlist.toggle(wnid))

    def _drop(self, wnid: str) -> None:
        self._render_shortlist(self._present.shortlist.remove(wnid))

    def _want_sight(self, sight: Sight) -> None:
        self.looking_wanted.emit()
        self._show_sight(sight)
        if sight is Sight.REFERENCES:
            self.focus_search()
        else:
            self.glass.current.setFocus()

    def _show_card(self) -> None:
        """The class in words keeps its room above its references; other sights need it more."""
        at_references = self.glass.sight is Sight.REFERENCES
        self.card.keep_room(at_references)
        self.card.setVisible(at_references and self.browser.view.details is not None)

    def _show_sight(self, sight: Sight) -> None:
        self.glass.show_sight(sight)
        self._show_card()
        wnid = self.browser.view.wnid
        if sight is Sight.NEIGHBOURHOOD and wnid is not None:
            self.neighbourhood.render_view(self._present.neighbourhood.walk(wnid))
        if sight is Sight.COMPARISON:
            self._present.comparison.compare(self.shortlisted)
        else:
            self._present.comparison.close()
