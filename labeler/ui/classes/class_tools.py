"""The widgets for finding, viewing and comparing classes, kept in sync.

A screen can place the widgets anywhere; an action in one updates all of them.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QWidget

from labeler.app.classes.browser import ClassBrowser, ClassBrowserView
from labeler.app.classes.taxonomy_browser import BranchMosaicView
from labeler.app.keymap import Action, Keymap
from labeler.core.study.entities import AttentionPlace, Role
from labeler.ui.classes.class_finder import ClassFinder, ResultView
from labeler.ui.classes.class_presenters import ClassPresenters
from labeler.ui.classes.class_tool_bindings import (
    bind_class_keys,
    wire_class_view,
    wire_finder,
    wire_guide,
    wire_taxonomy,
)
from labeler.ui.classes.class_view_panel import ClassViewPanel
from labeler.ui.classes.class_view_stack import ClassViewMode
from labeler.ui.classes.column_heading import ColumnVerdict
from labeler.ui.classes.map.map_opener import CHOOSE, SHOW, ClassMapOpener
from labeler.ui.classes.taxonomy.panel import TaxonomyPanel
from labeler.ui.guide.guide_panel import GuidePanel
from labeler.ui.kit.input.key_button import KeyButton
from labeler.ui.kit.text.labels import IconLabel
from labeler.ui.window.context import StudyContext
from labeler.ui.window.gc_policy import collect_everything_again, exempt_loaded_objects

if TYPE_CHECKING:
    from labeler.ui.classes.map.map_view import ClassMapOverlay

_ICON = 16


@dataclass(frozen=True, slots=True)
class _SavedClassTools:
    """The state of an unfinished trial: query, shortlist, and chosen class."""

    query: str = ""
    shortlist: tuple[str, ...] = ()
    show: str | None = None


class ClassTools(QObject):
    """Holds the widgets; `entered` is emitted for the key that chooses or submits.

    Each widget is created on first use, since the first image needs none of them.
    """

    entered = Signal(object)
    chosen = Signal(str)
    changed = Signal()
    search_wanted = Signal()
    taxonomy_wanted = Signal()
    class_view_wanted = Signal()
    map_wanted = Signal()
    guide_wanted = Signal()
    guide_toggled = Signal()
    tools_activated = Signal()
    search_left = Signal()
    # Whether classes are being looked for, or one was chosen.
    searching_changed = Signal(bool)

    def __init__(
        self,
        context: StudyContext,
        *,
        page_opened: Callable[[str], None] = lambda _slug: None,
        asks: bool = False,
    ) -> None:
        """`asks` is true if a class is to be chosen."""
        super().__init__()
        self._asks, self._can_choose = asks, True
        self._appearance, self._keymap = context.appearance, context.keymap
        self._memory = context.memory
        self._present = ClassPresenters(
            context.study,
            context.workers,
            page_opened=page_opened,
            shows_reasons=context.role is not Role.REVIEWER,
        )
        self._awake = False
        self._is_prepared = False
        self._left = _SavedClassTools()
        self._subject: QImage | None = None
        self._is_searching = True
        self._answer: str | None = None
        # Whether a search was started while classes were compared.
        self._adds_column = False
        self._typing_filter: Callable[[str], bool] = lambda _text: False
        self._map = ClassMapOpener(
            self._appearance,
            self._keymap,
            self._present,
            chosen=self._choose_on_map,
            focus=self.focus_search,
        )
        # The branch whose classes are shown in place of a class.
        self._branch: str | None = None

    @property
    def is_activated(self) -> bool:
        """Whether classes are listed and the state of the trial is restored."""
        return self._awake

    @property
    def can_search(self) -> bool:
        """Whether the search field exists yet."""
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
        finder = ClassFinder(
            self._appearance,
            self._keymap,
            # Without any pictures, the results are lines of text.
            pictures=self._present.first_references if self._has_pictures else None,
            result_view=_result_view(self._memory.result_view),
        )
        wire_finder(self, finder, self._keymap)
        if self._asks:
            finder.place_beside_field(*self._map_and_tree())
        finder.field.set_typing_filter(self._filter_typing)
        if self._awake:
            finder.render_results(self.browser.view)
        return finder

    def _map_and_tree(self) -> tuple[KeyButton, KeyButton]:
        """The buttons of the two other ways to find a class."""
        ways = {
            Action.SHOW_CLASS_MAP: ("Map", "map", self.map_wanted.emit),
            Action.TO_TAXONOMY: ("Tree", "tree", self.go_to_taxonomy),
        }
        buttons = []
        for action, (text, icon, show) in ways.items():
            mark = IconLabel(self._appearance, icon, colour="text", size=_ICON)
            button = KeyButton(self._appearance, self._keymap[action], text, mark=mark)
            button.clicked.connect(show)
            buttons.append(button)
        return buttons[0], buttons[1]

    @property
    def _has_pictures(self) -> bool:
        return self._present.references.has_pictures

    @cached_property
    def class_view(self) -> ClassViewPanel:
        class_view = ClassViewPanel(
            self._appearance, self._keymap, self._present, self._memory, asks=self._asks
        )
        class_view.set_choosing_enabled(self._can_choose)
        class_view.mark_chosen(self._answer)
        class_view.restore(self._left.shortlist)
        wire_class_view(self, class_view)
        if self._awake:
            class_view.render_view(self.browser.view)
        return class_view

    @cached_property
    def taxonomy(self) -> TaxonomyPanel:
        """The taxonomy panel, which is too slow to build before the first image."""
        panel = TaxonomyPanel(
            self._appearance, self._keymap, self._present.taxonomy, self._present.tree_pictures
        )
        wire_taxonomy(self, panel)
        if self._awake:
            _render_panel(panel, self.browser.view)
        return panel

    @cached_property
    def guide(self) -> GuidePanel:
        """The guide panel, created on first use."""
        guide = GuidePanel(
            self._appearance, self._keymap, self._present.guide, reference=self._present.reference
        )
        wire_guide(self, guide)
        return guide

    def places(self) -> dict[QWidget, AttentionPlace]:
        """The widgets by place of attention."""
        made = vars(self)
        wanted = {
            made.get("finder"): AttentionPlace.SEARCH,
            made.get("taxonomy"): AttentionPlace.TAXONOMY,
            made.get("guide"): AttentionPlace.GUIDE,
            self._map.overlay: AttentionPlace.TAXONOMY,
        }
        return {
            **(self.class_view.places() if "class_view" in made else {}),
            **{widget: place for widget, place in wanted.items() if widget is not None},
        }

    def bind_keys(self, screen: QWidget, keymap: Keymap) -> None:
        """Bind the keys that work anywhere on the screen."""
        bind_class_keys(self, screen, keymap)

    def activate(self) -> None:
        """List the classes and prepare for the first key, once the first image is painted.

        If something was typed before, the classes are listed, but the guide isn't read yet.
        """
        if self._is_prepared:
            return
        self._is_prepared = True
        if self._awake:
            self._present.load_guide()
        else:
            self._present.prepare(self._finish_activation)

    def _finish_activation(self) -> None:
        # If something was typed meanwhile, the search has already started.
        if not self._awake:
            self._awake = True
            self._restore()
            self.tools_activated.emit()
            exempt_loaded_objects()

    def reset(
        self, *, query: str = "", shortlist: tuple[str, ...] = (), show: str | None = None
    ) -> None:
        """Start over, or restore an unfinished trial; `show` is its class."""
        self._left = _SavedClassTools(query, shortlist, show)
        if "class_view" in vars(self):
            self.class_view.restore(shortlist)
        if self._awake:
            self._restore()

    def _restore(self) -> None:
        left = self._left
        self._set_searching(left.show is None)
        view = self.browser.reset(left.query)
        self.render_view(view)
        if left.show is not None and view.wnid != left.show:
            self.render_view(self.browser.go_to(left.show))
        # Typing replaces the restored query.
        if self.can_search:
            self.finder.field.selectAll()

    def start(self) -> None:
        """List all classes, and select the first one with pictures."""
        self._awake = self._is_prepared = True
        self._present.prepare()
        self.render_view(self.browser.start(self._present.references.illustrated))

    @property
    def awaits_query(self) -> bool:
        """Whether the search field is empty, or its text is replaced by the next letter."""
        if not self.can_search:
            return not self.query
        field = self.finder.field
        return field.selectedText() == field.text()

    def set_typing_filter(self, takes: Callable[[str], bool]) -> None:
        """Ask `takes` about each typed text first; it returns whether it used the text."""
        self._typing_filter = takes

    def _filter_typing(self, text: str) -> bool:
        return self._typing_filter(text)

    def focus_search(self) -> None:
        self.search_wanted.emit()
        self.finder.field.setFocus()
        # Typing replaces the old query.
        self.finder.field.selectAll()

    def find(self) -> None:
        """Focus the search, and look for a class again where only the image is shown."""
        if not self.finder.isVisible():
            self._set_searching(True)
        self.focus_search()

    def type_on(self, text: str) -> None:
        """Search for text that was typed elsewhere; it replaces the old query."""
        if self._typing_filter(text):
            return
        self.find()
        self.finder.field.setText(text)
        self.search(text)

    def show_class(self, wnid: str) -> None:
        """Show a class without moving the focus."""
        self._awake = True
        self.walk(wnid)

    def show_chosen(self, wnid: str) -> None:
        """Show the class that is the answer, and collapse the results."""
        self.show_class(wnid)
        self._set_searching(False)

    def set_subject(self, image: QImage | None) -> None:
        """Set the image to classify, for the map; a pause removes it."""
        self._subject = image
        self._map.hide()

    def mark_chosen(self, wnid: str | None) -> None:
        """Mark the class that is the answer."""
        self._answer = wnid
        if "class_view" in vars(self):
            self.class_view.mark_chosen(wnid)

    def compare(self) -> None:
        """Compare shortlisted classes, with one found meanwhile, or show the references again."""
        wnid = self.browser.view.wnid
        if self._adds_column and self._is_searching and wnid is not None:
            self._set_searching(False)
            self.class_view.add_to_comparison(wnid)
        else:
            self.class_view.toggle(ClassViewMode.COMPARISON)

    def set_choosing_enabled(self, can_choose: bool) -> None:
        """Show or hide the Choose buttons."""
        self._can_choose = can_choose
        if "class_view" in vars(self):
            self.class_view.set_choosing_enabled(can_choose)

    def show_side_by_side(
        self, wnids: tuple[str, ...], verdicts: Mapping[str, ColumnVerdict] | None = None
    ) -> None:
        """Compare several classes, or show a single one; the last is selected."""
        self._awake = True
        self.render_view(self.browser.go_to(wnids[-1]))
        self.class_view_wanted.emit()
        if len(wnids) > 1:
            self.class_view.compare(wnids, verdicts)
        else:
            self.class_view.restore(())
        self.finder.field.selectAll()

    def have_guide_row(self, one: str, other: str) -> bool:
        """Whether the guide tells the two classes apart."""
        return self._present.trait(one, other) is not None

    def load_guide(self, then: Callable[[], None]) -> None:
        """Read the guide's distinctions again, since they may have been edited."""
        self._present.load_guide(then)

    def show_map(self, screen: QWidget) -> None:
        """Cover the screen with the map, at the class or branch that is shown, or close it."""
        self._map.toggle(
            screen,
            self._branch or self.browser.view.wnid,
            subject=self._subject,
            can_choose=self._can_choose,
            words=CHOOSE if self._asks else SHOW,
        )

    @property
    def open_map(self) -> "ClassMapOverlay | None":
        """The map while it covers the screen."""
        return self._map.opened

    def leave_map(self) -> None:
        """Close the map if it is open, and show the class at its cursor."""
        opened = self.open_map
        if opened is not None:
            opened.hide()
            if opened.current_class is not None:
                self.walk(opened.current_class)

    def _choose_on_map(self, wnid: str) -> None:
        if self._asks:
            self.choose(wnid)
        else:
            self.follow(wnid)

    def open_guide(self) -> None:
        """Open the guide at the selected class, or at its contents."""
        self.guide_wanted.emit()
        wnid = self.browser.view.wnid
        if wnid is None:
            self._present.guide.open_contents()
        else:
            self._present.guide.open_at(wnid)

    def close(self) -> None:
        # A late listing must not find deleted widgets.
        self._awake = True
        if "class_view" in vars(self):
            self.class_view.close()
        self._map.close()
        self._present.close()
        collect_everything_again()

    def render_view(self, view: ClassBrowserView) -> None:
        """Show the results and the selected class in all widgets."""
        self._branch = None
        made = vars(self)
        if "finder" in made:
            self.finder.render_results(view)
        if "taxonomy" in made:
            _render_panel(self.taxonomy, view)
        if "class_view" in made:
            self.class_view.render_view(view)
        self.changed.emit()

    @property
    def is_searching(self) -> bool:
        """Whether classes are being looked for; false once one was chosen."""
        return self._is_searching

    def show_results(self) -> None:
        """Look for a class again, from the results found before."""
        self._set_searching(True)

    def _set_searching(self, searching: bool) -> None:
        if searching is not self._is_searching:
            self._is_searching = searching
            self.searching_changed.emit(searching)

    # Actions of the person.

    def enter(self) -> None:
        """Choose the selected class, submit it, or open the selected branch."""
        view = self.browser.view
        if view.selected is not None and view.wnid is None:
            self.open_branch()
            return
        self.entered.emit(self.browser.view.wnid)
        self._set_searching(self.browser.view.wnid is None)
        # After a choice, typing starts a new search.
        self.finder.field.end_typing()

    def search(self, typed: str) -> None:
        """Search for the typed text."""
        woken, self._awake = not self._awake, True
        self._preview_while_comparing()
        self._set_searching(True)
        self.render_view(self.browser.search(typed))
        if woken:
            self.tools_activated.emit()

    def _preview_while_comparing(self) -> None:
        if not self._is_searching:
            self._adds_column = False
        if "class_view" in vars(self) and self.class_view.compares:
            self._adds_column = True
            self.class_view.show_mode(ClassViewMode.REFERENCES)

    def clear_or_leave(self) -> None:
        """Close the open branch, clear the search, or leave it if it is empty."""
        if self.browser.view.branch is not None:
            self.close_branch()
            return
        if not self.query:
            self.search_left.emit()
        self.search("")

    def move(self, steps: int) -> None:
        """Move the selection by this many results."""
        self._set_searching(True)
        self.render_view(self.browser.move(steps))

    def walk(self, wnid: str) -> None:
        """Go to a class without moving the focus."""
        self.render_view(self.browser.go_to(wnid))

    def follow(self, wnid: str) -> None:
        """Go to a class and focus the search."""
        self.walk(wnid)
        self.focus_search()

    def show_node(self, wnid: str) -> None:
        """Show a node in the taxonomy."""
        self.taxonomy_wanted.emit()
        self.taxonomy.show_node(wnid)

    def show_branch(self, branch: BranchMosaicView) -> None:
        """Show the classes of a branch in place of the references."""
        self._branch = branch.key
        # The results would take the room of the pictures.
        self._set_searching(False)
        self.class_view.show_branch(branch)

    def show_from_taxonomy(self, wnid: str) -> None:
        """Show a class that was selected in the taxonomy, with all of its references."""
        self._set_searching(False)
        self.walk(wnid)

    def leave_taxonomy(self) -> None:
        """Return to the search, and to its results unless a class was chosen."""
        if self._answer is None:
            self._set_searching(True)
        self.focus_search()

    def choose(self, wnid: str) -> None:
        """Choose a class that was clicked."""
        self.walk(wnid)
        self._set_searching(False)
        self.chosen.emit(wnid)
        self.focus_search()
        # Typing starts a new search.
        self.finder.field.end_typing()

    def choose_row(self, row: int) -> None:
        """Choose a class among the results, or open a branch."""
        # The first click of a double click may have opened the branch below the pointer.
        if self.browser.view.selected != row:
            return
        view = self.browser.select(row)
        self.render_view(view)
        if view.wnid is None:
            self.open_branch()
        else:
            self._set_searching(False)
            self.chosen.emit(view.wnid)
            self.finder.field.end_typing()

    def click_row(self, row: int) -> None:
        """Select a class among the results, or open a branch."""
        view = self.browser.select(row)
        self.render_view(view)
        if view.wnid is None:
            self.open_branch()

    def open_branch(self) -> bool:
        """Show the classes of the selected branch; return whether one is selected."""
        view = self.browser.open_branch()
        if view is not None:
            self.render_view(view)
        return view is not None

    def close_branch(self) -> None:
        """Return to the results of the search."""
        self.render_view(self.browser.close_branch())

    def go_right(self) -> None:
        """Open the selected branch, or show the selected class in the taxonomy."""
        if not self.open_branch():
            self.go_to_taxonomy()

    def remember_result_view(self, result_view: ResultView) -> None:
        self._memory.remember_result_view(result_view.value)

    def go_to_taxonomy(self) -> None:
        """Show the selected class in the taxonomy."""
        self.taxonomy_wanted.emit()
        if self.browser.view.wnid is not None:
            self.taxonomy.show_class(self.browser.view.wnid)


def _result_view(saved: str) -> ResultView:
    return ResultView(saved) if saved in set(ResultView) else ResultView.LIST


def _render_panel(taxonomy: TaxonomyPanel, view: ClassBrowserView) -> None:
    found = list(view.class_wnids()) if view.query.strip() else None
    if found is None and view.wnid is None:
        taxonomy.reset()
    else:
        taxonomy.filter(found, show=view.wnid)
