"""Everything with which a person finds, sees and compares classes, kept in step.

The widgets stand wherever a screen puts them; what is done in one shows in all.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QWidget

from labeler.app.keymap import Action, Keymap, Scope
from labeler.core.study import Attention
from labeler.ui.actions import Handlers, bind
from labeler.ui.class_presenters import ClassPresenters
from labeler.ui.look import Look
from labeler.ui.widgets.sight import Sight
from labeler.ui.window_memory import WindowMemory
from labeler.ui.workers import Workers

if TYPE_CHECKING:
    from labeler.app.opened_study import OpenedStudy
    from labeler.app.presenters.class_browser import BrowserView, ClassBrowser
    from labeler.ui.class_sights import ClassSights
    from labeler.ui.widgets.class_finder import ClassFinder
    from labeler.ui.widgets.guide_view import GuidePanel
    from labeler.ui.widgets.taxonomy_panel import TaxonomyPanel


@dataclass(frozen=True, slots=True)
class _Left:
    """How a trial was left: what was typed, the classes to decide between, the one chosen."""

    query: str = ""
    shortlist: tuple[str, ...] = ()
    show: str | None = None


class ClassTools(QObject):
    """Holds the widgets; `entered` is the key that chooses or submits, `chosen` a choice.

    Each widget is made when it is first wanted, since none is needed for the first image.
    """

    entered = Signal(object)
    chosen = Signal(str)
    changed = Signal()
    search_wanted = Signal()
    taxonomy_wanted = Signal()
    looking_wanted = Signal()
    guide_wanted = Signal()
    guide_toggled = Signal()
    woken = Signal()
    search_left = Signal()

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
        self._look, self._keymap = look, keymap
        self._memory = memory
        self._present = ClassPresenters(study, workers, page_opened=page_opened)
        self._awake = False
        self._left = _Left()
        self._subject: QImage | None = None

    @property
    def is_awake(self) -> bool:
        """Whether classes can be seen, and what a trial was left with is there again."""
        return self._awake

    @property
    def can_search(self) -> bool:
        """Whether the search field is there already."""
        return "finder" in vars(self)

    @property
    def query(self) -> str:
        return self.browser.view.query if self._awake else self._left.query

    @property
    def shortlisted(self) -> tuple[str, ...]:
        made = "sights" in vars(self)
        return self._present.shortlist.view.wnids if made else self._left.shortlist

    @property
    def browser(self) -> "ClassBrowser":
        return self._present.browser

    @cached_property
    def finder(self) -> "ClassFinder":
        from labeler.ui.widgets.class_finder import ClassFinder

        finder = ClassFinder(self._look, self._keymap, pictures=self._present.pictures)
        finder.typed.connect(self._search)
        finder.row_chosen.connect(lambda row: self.render_view(self.browser.select(row)))
        finder.row_activated.connect(self._choose_row)
        finder.field.went_right.connect(self._go_to_taxonomy)
        entering = bind(finder, self._keymap, Scope.CLASSES, self._finder_keys(finder))
        # A key held down must not submit what it has just chosen.
        entering[Action.CHOOSE_CLASS].setAutoRepeat(False)
        if self._awake:
            finder.render_results(self.browser.view)
        return finder

    @cached_property
    def sights(self) -> "ClassSights":
        from labeler.ui.class_sights import ClassSights

        sights = ClassSights(self._look, self._keymap, self._present, self._memory)
        sights.set_subject(self._subject)
        sights.restore(self._left.shortlist)
        sights.walked.connect(self._walk)
        sights.followed.connect(self._follow)
        sights.node_wanted.connect(self._show_node)
        sights.shortlisted.connect(self.changed)
        sights.sighted.connect(self.looking_wanted)
        sights.typed.connect(self.type_on)
        sights.left.connect(self.focus_search)
        sights.chosen.connect(self._choose)
        sights.entered.connect(self.entered.emit)
        if self._awake:
            sights.render_view(self.browser.view)
        return sights

    @cached_property
    def taxonomy(self) -> "TaxonomyPanel":
        """The taxonomy's tree, which takes too long to unfold before the first image is there."""
        from labeler.ui.widgets.taxonomy_panel import TaxonomyPanel

        panel = TaxonomyPanel(self._look, self._keymap, self._present.taxonomy)
        panel.class_selected.connect(self._walk)
        panel.class_entered.connect(self.entered.emit)
        panel.class_chosen.connect(self._choose)
        panel.typed.connect(self.type_on)
        panel.left.connect(self.focus_search)
        if self._awake:
            _render_in(panel, self.browser.view)
        return panel

    @cached_property
    def guide(self) -> "GuidePanel":
        """The guide, which is made when it is first wanted."""
        from labeler.ui.widgets.guide_view import GuidePanel

        guide = GuidePanel(
            self._look, self._keymap, self._present.guide, reference=self._present.reference
        )
        guide.class_wanted.connect(self._follow)
        guide.typed.connect(self.type_on)
        guide.left.connect(self.focus_search)
        return guide

    def sights_in_steps(self) -> "tuple[Callable[[], object], ...]":
        """What makes the sights when there is time for it, a piece at a time."""
        return _import_sights, lambda: self.sights

    def guide_in_steps(self) -> "tuple[Callable[[], object], ...]":
        """What makes the guide when there is time for it, a piece at a time."""
        return _import_guide, lambda: self.guide

    def places(self) -> dict[QWidget, Attention]:
        """Which widget is which place of attention."""
        made = vars(self)
        wanted = {
            made.get("finder"): Attention.SEARCH,
            made.get("taxonomy"): Attention.TAXONOMY,
            made.get("guide"): Attention.GUIDE,
        }
        return {
            **(self.sights.places() if "sights" in made else {}),
            **{widget: place for widget, place in wanted.items() if widget is not None},
        }

    def bind_keys(self, screen: QWidget, keymap: Keymap) -> None:
        """Make the keys work that do so anywhere on the screen."""
        bind(screen, keymap, Scope.LOOKING, self._looking_keys())
        bind(screen, keymap, Scope.TILES, self._tile_keys(keymap))

    def wake(self) -> None:
        """List the classes and get ready for the first key, once the first image is painted."""
        if not self._awake:
            self._present.prepare(self._wake_up)

    def _wake_up(self) -> None:
        # Whoever typed meanwhile has begun afresh.
        if not self._awake:
            self._awake = True
            self._restore()
            self.woken.emit()

    def reset(
        self, *, query: str = "", shortlist: tuple[str, ...] = (), show: str | None = None
    ) -> None:
        """Start afresh, or where a trial was left; `show` is the class it was left with."""
        self._left = _Left(query, shortlist, show)
        if "sights" in vars(self):
            self.sights.restore(shortlist)
        if self._awake:
            self._restore()

    def _restore(self) -> None:
        left = self._left
        view = self.browser.reset(left.query)
        self.render_view(view)
        if left.show is not None and view.wnid != left.show:
            self.render_view(self.browser.go_to(left.show))
        # What is typed next replaces what was found again.
        if self.can_search:
            self.finder.field.selectAll()

    def start(self) -> None:
        """List all classes, with the first in focus that there are pictures of."""
        self._awake = True
        self._present.prepare()
        self.render_view(self.browser.start(self._present.references.illustrated))

    def focus_search(self) -> None:
        self.search_wanted.emit()
        self.finder.field.setFocus()

    def type_on(self, text: str) -> None:
        """Carry on in the search field with what was typed elsewhere."""
        self.focus_search()
        self.finder.field.insert(text)
        self._search(self.finder.field.text())

    def show_class(self, wnid: str) -> None:
        """Show a class without moving the keyboard."""
        self._awake = True
        self._walk(wnid)

    def set_subject(self, image: QImage | None) -> None:
        """The image to classify, for the comparison."""
        self._subject = image
        if "sights" in vars(self):
            self.sights.set_subject(image)

    def lay_side_by_side(self, wnids: tuple[str, ...]) -> None:
        """Show classes side by side, or a single one with its references; the last is in focus."""
        self._awake = True
        self.render_view(self.browser.go_to(wnids[-1]))
        self.looking_wanted.emit()
        if len(wnids) > 1:
            self.sights.compare(wnids)
        else:
            self.sights.restore(())
        self.finder.field.selectAll()

    def are_told_apart(self, one: str, other: str) -> bool:
        """Whether the guide has a row for the two classes."""
        return self._present.trait(one, other) is not None

    def learn_guide(self, then: Callable[[], None]) -> None:
        """Take in what the guide says now, which may have been rewritten."""
        self._present.learn_guide(then)

    def open_guide(self) -> None:
        """Open the guide at the class in focus, or at its contents."""
        self.guide_wanted.emit()
        wnid = self.browser.view.wnid
        if wnid is None:
            self._present.guide.open_contents()
        else:
            self._present.guide.open_at(wnid)

    def close(self) -> None:
        # Classes that are listed only now find the widgets gone.
        self._awake = True
        if "sights" in vars(self):
            self.sights.close()
        self._present.close()

    def render_view(self, view: "BrowserView") -> None:
        """Show the results and the class in focus wherever they can be seen."""
        made = vars(self)
        if "finder" in made:
            self.finder.render_results(view)
        if "taxonomy" in made:
            _render_in(self.taxonomy, view)
        if "sights" in made:
            self.sights.render_view(view)
        self.changed.emit()

    # What a person does.

    def _finder_keys(self, finder: "ClassFinder") -> Handlers:
        results = finder.results
        return {
            Action.CHOOSE_CLASS: self._enter,
            Action.NEXT_CLASS: lambda: self._move(1),
            Action.PREVIOUS_CLASS: lambda: self._move(-1),
            Action.NEXT_PAGE: lambda: self._move(results.rows_in_sight),
            Action.PREVIOUS_PAGE: lambda: self._move(-results.rows_in_sight),
            Action.CLEAR_SEARCH: self._clear_or_leave,
        }

    def _looking_keys(self) -> Handlers:
        return {
            Action.FIND_CLASS: self.focus_search,
            Action.BACK: lambda: self.render_view(self.browser.back()),
            Action.NEXT_SIBLING: lambda: self.render_view(self.browser.sibling(1)),
            Action.PREVIOUS_SIBLING: lambda: self.render_view(self.browser.sibling(-1)),
            Action.TO_REFERENCES: self._go_to_references,
            Action.TO_TAXONOMY: self._go_to_taxonomy,
            Action.SHOW_NEIGHBOURHOOD: lambda: self.sights.toggle(Sight.NEIGHBOURHOOD),
            Action.SHORTLIST: self._toggle_shortlisted,
            Action.CLEAR_SHORTLIST: self._clear_shortlist,
            Action.COMPARE: lambda: self.sights.toggle(Sight.COMPARISON),
            Action.SHOW_GUIDE: self.guide_toggled.emit,
        }

    # Named, since whatever is looked up here already would be made before it is wanted.

    def _go_to_references(self) -> None:
        self.sights.go_to_references()

    def _toggle_shortlisted(self) -> None:
        self.sights.toggle_shortlisted()

    def _clear_shortlist(self) -> None:
        self.sights.clear_shortlist()

    def _tile_keys(self, keymap: Keymap) -> Handlers:
        return {
            binding.action: partial(self._size_tiles, binding.action)
            for binding in keymap.of(Scope.TILES)
        }

    def _size_tiles(self, action: Action) -> None:
        self.sights.size_keys()[action]()

    def _enter(self) -> None:
        self.entered.emit(self.browser.view.wnid)
        # After a choice, what is typed next looks for another class.
        self.finder.field.selectAll()

    def _search(self, typed: str) -> None:
        woken, self._awake = not self._awake, True
        self.render_view(self.browser.search(typed))
        if woken:
            self.woken.emit()

    def _clear_or_leave(self) -> None:
        if not self.query:
            self.search_left.emit()
        self._search("")

    def _move(self, steps: int) -> None:
        self.render_view(self.browser.move(steps))

    def _walk(self, wnid: str) -> None:
        """Go to a class without leaving the place where it was pointed at."""
        self.render_view(self.browser.go_to(wnid))

    def _follow(self, wnid: str) -> None:
        self._walk(wnid)
        self.focus_search()

    def _show_node(self, wnid: str) -> None:
        self.taxonomy_wanted.emit()
        self.taxonomy.show_node(wnid)

    def _choose(self, wnid: str) -> None:
        self._walk(wnid)
        self.chosen.emit(wnid)
        self.focus_search()

    def _choose_row(self, row: int) -> None:
        view = self.browser.select(row)
        self.render_view(view)
        if view.wnid is not None:
            self.chosen.emit(view.wnid)
            self.finder.field.selectAll()

    def _go_to_taxonomy(self) -> None:
        self.taxonomy_wanted.emit()
        if self.browser.view.wnid is not None:
            self.taxonomy.show_class(self.browser.view.wnid)


def _render_in(taxonomy: "TaxonomyPanel", view: "BrowserView") -> None:
    found = [row.wnid for row in view.rows] if view.query.strip() else None
    if found is None and view.wnid is None:
        taxonomy.reset()
    else:
        taxonomy.filter(found, show=view.wnid)


def _import_sights() -> None:
    import labeler.ui.class_sights  # noqa: F401  (for the time it takes)


def _import_guide() -> None:
    import labeler.app.presenters.guide_viewer
    import labeler.ui.widgets.guide_view  # noqa: F401  (for the time it takes)
