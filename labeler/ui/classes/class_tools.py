"""Everything with which a person finds, sees and compares classes, kept in step.

The widgets stand wherever a screen puts them; what is done in one shows in all.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QWidget

from labeler.app.classes.browser import ClassBrowser, ClassBrowserView
from labeler.app.keymap import Keymap
from labeler.core.study.entities import AttentionPlace
from labeler.ui.classes.class_finder import ClassFinder
from labeler.ui.classes.class_presenters import ClassPresenters
from labeler.ui.classes.class_tool_bindings import (
    bind_class_keys,
    wire_class_view,
    wire_finder,
    wire_guide,
    wire_taxonomy,
)
from labeler.ui.classes.class_view_panel import ClassViewPanel
from labeler.ui.classes.taxonomy.panel import TaxonomyPanel
from labeler.ui.guide.guide_panel import GuidePanel
from labeler.ui.window.context import StudyContext


@dataclass(frozen=True, slots=True)
class _SavedClassTools:
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
    class_view_wanted = Signal()
    guide_wanted = Signal()
    guide_toggled = Signal()
    tools_activated = Signal()
    search_left = Signal()

    def __init__(
        self,
        context: StudyContext,
        *,
        page_opened: Callable[[str], None] = lambda _slug: None,
        asks: bool = False,
    ) -> None:
        """`asks` is true where one of the classes is to be chosen."""
        super().__init__()
        self._asks, self._can_choose = asks, True
        self._appearance, self._keymap = context.appearance, context.keymap
        self._memory = context.memory
        self._present = ClassPresenters(context.study, context.workers, page_opened=page_opened)
        self._awake = False
        self._left = _SavedClassTools()
        self._subject: QImage | None = None

    @property
    def is_activated(self) -> bool:
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
        made = "class_view" in vars(self)
        return self._present.shortlist.view.wnids if made else self._left.shortlist

    @property
    def browser(self) -> ClassBrowser:
        return self._present.browser

    @cached_property
    def finder(self) -> ClassFinder:
        finder = ClassFinder(self._appearance, self._keymap, pictures=self._present.pictures)
        wire_finder(self, finder, self._keymap)
        if self._awake:
            finder.render_results(self.browser.view)
        return finder

    @cached_property
    def class_view(self) -> ClassViewPanel:
        class_view = ClassViewPanel(
            self._appearance, self._keymap, self._present, self._memory, asks=self._asks
        )
        if class_view.choose is not None:
            class_view.choose.setEnabled(self._can_choose)
        class_view.set_subject(self._subject)
        class_view.restore(self._left.shortlist)
        wire_class_view(self, class_view)
        if self._awake:
            class_view.render_view(self.browser.view)
        return class_view

    @cached_property
    def taxonomy(self) -> TaxonomyPanel:
        """The taxonomy's tree, which takes too long to unfold before the first image is there."""
        panel = TaxonomyPanel(self._appearance, self._keymap, self._present.taxonomy)
        wire_taxonomy(self, panel)
        if self._awake:
            _render_panel(panel, self.browser.view)
        return panel

    @cached_property
    def guide(self) -> GuidePanel:
        """The guide, which is made when it is first wanted."""
        guide = GuidePanel(
            self._appearance, self._keymap, self._present.guide, reference=self._present.reference
        )
        wire_guide(self, guide)
        return guide

    def places(self) -> dict[QWidget, AttentionPlace]:
        """Which widget is which place of attention."""
        made = vars(self)
        wanted = {
            made.get("finder"): AttentionPlace.SEARCH,
            made.get("taxonomy"): AttentionPlace.TAXONOMY,
            made.get("guide"): AttentionPlace.GUIDE,
        }
        return {
            **(self.class_view.places() if "class_view" in made else {}),
            **{widget: place for widget, place in wanted.items() if widget is not None},
        }

    def bind_keys(self, screen: QWidget, keymap: Keymap) -> None:
        """Make the keys work that do so anywhere on the screen."""
        bind_class_keys(self, screen, keymap)

    def activate(self) -> None:
        """List the classes and get ready for the first key, once the first image is painted."""
        if not self._awake:
            self._present.prepare(self._finish_activation)

    def _finish_activation(self) -> None:
        # Anyone who typed meanwhile has begun afresh.
        if not self._awake:
            self._awake = True
            self._restore()
            self.tools_activated.emit()

    def reset(
        self, *, query: str = "", shortlist: tuple[str, ...] = (), show: str | None = None
    ) -> None:
        """Start afresh, or where a trial was left; `show` is the class it was left with."""
        self._left = _SavedClassTools(query, shortlist, show)
        if "class_view" in vars(self):
            self.class_view.restore(shortlist)
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
        self.search(self.finder.field.text())

    def show_class(self, wnid: str) -> None:
        """Show a class without moving the keyboard."""
        self._awake = True
        self.walk(wnid)

    def set_subject(self, image: QImage | None) -> None:
        """The image to classify, for the comparison."""
        self._subject = image
        if "class_view" in vars(self):
            self.class_view.set_subject(image)

    def set_choosing_enabled(self, can_choose: bool) -> None:
        """Offer to choose a class, or not while nothing is asked."""
        self._can_choose = can_choose
        if "class_view" in vars(self) and self.class_view.choose is not None:
            self.class_view.choose.setEnabled(can_choose)

    def show_side_by_side(self, wnids: tuple[str, ...]) -> None:
        """Show classes side by side, or a single one with its references; the last is in focus."""
        self._awake = True
        self.render_view(self.browser.go_to(wnids[-1]))
        self.class_view_wanted.emit()
        if len(wnids) > 1:
            self.class_view.compare(wnids)
        else:
            self.class_view.restore(())
        self.finder.field.selectAll()

    def have_guide_row(self, one: str, other: str) -> bool:
        """Whether the guide has a row for the two classes."""
        return self._present.trait(one, other) is not None

    def load_guide(self, then: Callable[[], None]) -> None:
        """Take in what the guide says now, which may have been rewritten."""
        self._present.load_guide(then)

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
        if "class_view" in vars(self):
            self.class_view.close()
        self._present.close()

    def render_view(self, view: ClassBrowserView) -> None:
        """Show the results and the class in focus wherever they can be seen."""
        made = vars(self)
        if "finder" in made:
            self.finder.render_results(view)
        if "taxonomy" in made:
            _render_panel(self.taxonomy, view)
        if "class_view" in made:
            self.class_view.render_view(view)
        self.changed.emit()

    # What a person does.

    def enter(self) -> None:
        """Choose the class in focus, or submit it."""
        self.entered.emit(self.browser.view.wnid)
        # After a choice, what is typed next looks for another class.
        self.finder.field.selectAll()

    def search(self, typed: str) -> None:
        """Look for what was typed."""
        woken, self._awake = not self._awake, True
        self.render_view(self.browser.search(typed))
        if woken:
            self.tools_activated.emit()

    def clear_or_leave(self) -> None:
        """Clear the search; where nothing was typed, leave it."""
        if not self.query:
            self.search_left.emit()
        self.search("")

    def move(self, steps: int) -> None:
        """Go so many results on, or back."""
        self.render_view(self.browser.move(steps))

    def walk(self, wnid: str) -> None:
        """Go to a class without leaving the place where it was pointed at."""
        self.render_view(self.browser.go_to(wnid))

    def follow(self, wnid: str) -> None:
        """Go to a class and back to the search."""
        self.walk(wnid)
        self.focus_search()

    def show_node(self, wnid: str) -> None:
        """Show a node in the taxonomy."""
        self.taxonomy_wanted.emit()
        self.taxonomy.show_node(wnid)

    def choose(self, wnid: str) -> None:
        """Choose a class that was pointed at."""
        self.walk(wnid)
        self.chosen.emit(wnid)
        self.focus_search()
        # What is typed next looks for another class.
        self.finder.field.selectAll()

    def choose_row(self, row: int) -> None:
        """Choose a class among the results."""
        view = self.browser.select(row)
        self.render_view(view)
        if view.wnid is not None:
            self.chosen.emit(view.wnid)
            self.finder.field.selectAll()

    def go_to_taxonomy(self) -> None:
        """Show the class in focus in the taxonomy."""
        self.taxonomy_wanted.emit()
        if self.browser.view.wnid is not None:
            self.taxonomy.show_class(self.browser.view.wnid)


def _render_panel(taxonomy: TaxonomyPanel, view: ClassBrowserView) -> None:
    found = [row.wnid for row in view.rows] if view.query.strip() else None
    if found is None and view.wnid is None:
        taxonomy.reset()
    else:
        taxonomy.filter(found, show=view.wnid)
