"""The class panel: details, references, neighbourhood, and comparison."""

from collections.abc import Mapping
from functools import cached_property

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QWidget

from labeler.app.classes.browser import ClassBrowserView
from labeler.app.classes.references import ReferencesView
from labeler.app.classes.shortlist import ShortlistView
from labeler.app.classes.taxonomy_browser import BranchMosaicView
from labeler.app.keymap import Action, Keymap, Scope
from labeler.core.study.entities import AttentionPlace
from labeler.ui.classes.chip_pictures import ChipPictures
from labeler.ui.classes.class_card import ClassCard
from labeler.ui.classes.class_presenters import ClassPresenters
from labeler.ui.classes.class_view_stack import ClassViewMode, ClassViewStack, StackedPages
from labeler.ui.classes.column_heading import ColumnVerdict
from labeler.ui.classes.comparison_view import ComparisonView
from labeler.ui.classes.neighbourhood_view import NeighbourhoodView
from labeler.ui.classes.reference_grid import reference_image_keys, tile_size_keys
from labeler.ui.classes.reference_panel import ReferencePanel
from labeler.ui.classes.result_pictures import ResultPictures
from labeler.ui.classes.shortlist_bar import ShortlistBar
from labeler.ui.classes.taxonomy.branch_mosaic import BranchMosaic, BranchPage
from labeler.ui.kit.input.key_button import KeyButton
from labeler.ui.kit.layout.boxes import grow, vbox
from labeler.ui.window.actions import Handlers, bind_scope
from labeler.ui.window.saved_state import SavedWindowState
from labeler.ui.window.theme import Appearance

PREFETCHED_CLASSES = 2
CHOOSE_TEXT, CHOSEN_TEXT = "Choose", "Chosen"


class ClassViewPanel(QObject):
    """Everything about a class in one widget; `activated` is emitted when it gets the focus.

    The neighbourhood and the comparison are created on first use, as most trials need neither.
    """

    chosen = Signal(str)
    entered = Signal(str)
    followed = Signal(str)
    walked = Signal(str)
    node_wanted = Signal(str)
    shortlisted = Signal()
    activated = Signal()
    typed = Signal(str)
    left = Signal()
    mode_changed = Signal()

    def __init__(
        self,
        appearance: Appearance,
        keymap: Keymap,
        present: ClassPresenters,
        memory: SavedWindowState,
        *,
        asks: bool = False,
    ) -> None:
        """`asks` is true if a class is to be chosen."""
        super().__init__()
        self._appearance, self._keymap, self._present = appearance, keymap, present
        self._shown: str | None = None
        # The class that was refused since the comparison was full, to be added once it isn't.
        self._waiting: str | None = None
        self._previews = False
        self._can_choose = True
        self._answer: str | None = None
        self.choose: KeyButton | None = None
        self.shortlist: KeyButton | None = None
        if asks:
            self.choose, self.shortlist = self._buttons()
        illustrated = present.references.has_pictures
        self.card = ClassCard(
            *filter(None, (self.shortlist, self.choose)),
            pictures=ChipPictures(appearance, present.pictures) if illustrated else None,
        )
        self.panel = ReferencePanel(
            appearance,
            keymap,
            originals=present.originals,
            has_pictures=illustrated,
        )
        self.shortlist_bar = ShortlistBar(appearance, keymap)
        self._reference_pages = StackedPages(self.panel)
        self.stack = ClassViewStack(
            appearance,
            keymap,
            {
                ClassViewMode.REFERENCES: lambda: self._reference_pages,
                ClassViewMode.NEIGHBOURHOOD: lambda: self.neighbourhood,
                ClassViewMode.COMPARISON: lambda: self.comparison,
            },
            head=self.panel.head,
        )
        self.widget = self._lay_out()
        self.panel.grid.enlarge_over(self.widget)
        # Look-alikes are slow, so they come after the results and the references.
        self._late = QTimer(self, singleShot=True, interval=0)
        self._recall_tile_size(memory)
        self._connect()
        self.panel.clear()
        self.card.hide()

    def _buttons(self) -> tuple[KeyButton, KeyButton]:
        """The buttons that choose the class and toggle it on the shortlist."""
        appearance, keymap = self._appearance, self._keymap
        shortlist = KeyButton(appearance, keymap[Action.SHORTLIST], "Shortlist", checkable=True)
        shortlist.clicked.connect(self.toggle_shortlisted)
        choose = KeyButton(appearance, keymap[Action.CHOOSE_CLASS], CHOOSE_TEXT)
        choose.reserve_space_for(CHOOSE_TEXT, CHOSEN_TEXT)
        return choose, shortlist

    @cached_property
    def neighbourhood(self) -> NeighbourhoodView:
        view = NeighbourhoodView(self._appearance, self._keymap, self._present.pictures)
        view.walked.connect(self.walked)
        view.chosen.connect(self.chosen)
        view.typed.connect(self.typed)
        view.left.connect(self.left)
        return view

    @cached_property
    def comparison(self) -> ComparisonView:
        view = ComparisonView(self._appearance, self._keymap, originals=self._present.originals)
        view.mark_chosen(self._answer)
        view.chosen.connect(self.chosen)
        view.entered.connect(self.entered)
        view.dropped.connect(self._drop)
        view.typed.connect(self.typed)
        view.left.connect(self.left)
        view.wanted.connect(self.toggle_shortlisted)
        self._present.comparison.listen(view.render_comparison)
        return view

    @cached_property
    def branch_page(self) -> BranchPage:
        pictures = ResultPictures(self._appearance, self._present.branch_references)
        mosaic = BranchMosaic(self._appearance, self._keymap, pictures, self._present.browser.row)
        mosaic.class_shown.connect(self.walked)
        mosaic.class_entered.connect(self.entered)
        mosaic.typed.connect(self.typed)
        mosaic.left.connect(self.left)
        page = BranchPage(mosaic)
        self._reference_pages.addWidget(page)
        return page

    def show_branch(self, branch: BranchMosaicView) -> None:
        """Show the classes of a branch in place of a class's references."""
        self.show_mode(ClassViewMode.REFERENCES)
        self.branch_page.render_branch(branch)
        self._reference_pages.setCurrentWidget(self.branch_page)
        self._show_card()

    @property
    def _shows_branch(self) -> bool:
        return self._reference_pages.currentWidget() is not self.panel

    def places(self) -> dict[QWidget, AttentionPlace]:
        """The widgets created so far, by place of attention."""
        made = vars(self)
        wanted = {
            made.get("neighbourhood"): AttentionPlace.TAXONOMY,
            made.get("comparison"): AttentionPlace.COMPARISON,
            made.get("branch_page"): AttentionPlace.TAXONOMY,
        }
        return {
            self.card: AttentionPlace.TAXONOMY,
            self.panel: AttentionPlace.REFERENCES,
            self.panel.head: AttentionPlace.REFERENCES,
            self.shortlist_bar: AttentionPlace.COMPARISON,
            **{widget: place for widget, place in wanted.items() if widget is not None},
        }

    def size_keys(self) -> Handlers:
        return tile_size_keys(self.panel.grid)

    def close(self) -> None:
        """Stop the timer, since the widgets may be deleted before it fires."""
        self._late.stop()

    def mark_chosen(self, wnid: str | None) -> None:
        """Mark the class that is the answer."""
        self._answer = wnid
        self._tick_chosen()
        if "comparison" in vars(self):
            self.comparison.mark_chosen(wnid)

    def compare(
        self, wnids: tuple[str, ...], verdicts: Mapping[str, ColumnVerdict] | None = None
    ) -> None:
        """Compare these classes with nothing to choose, after the image was answered."""
        self.restore(wnids)
        self.comparison.ask(False)
        self.comparison.show_verdicts(verdicts or {})
        self.show_mode(ClassViewMode.COMPARISON)

    def restore(self, shortlist: tuple[str, ...]) -> None:
        """Restore the shortlist of a trial, and show the references."""
        if "comparison" in vars(self):
            self.comparison.ask(True)
            self.comparison.show_verdicts({})
        self._waiting = None
        self._render_shortlist(self._present.shortlist.restore(shortlist))
        self.show_mode(ClassViewMode.REFERENCES)

    def set_preview(self, previews: bool) -> None:
        """Show only the name above the references, while results need the space."""
        self._previews = previews
        self._show_card()

    def render_view(self, view: ClassBrowserView) -> None:
        """Show the selected class."""
        self._reference_pages.setCurrentWidget(self.panel)
        self._show_card()
        if view.wnid != self._shown:
            self._shown = view.wnid
            self._tick_chosen()
            self._render_class(view)

    def toggle(self, mode: ClassViewMode) -> None:
        """Switch to another view mode, or back to the references."""
        self.open_mode(ClassViewMode.REFERENCES if self.stack.mode is mode else mode)

    def open_mode(self, mode: ClassViewMode) -> None:
        self.activated.emit()
        self.show_mode(mode)
        if mode is ClassViewMode.REFERENCES:
            self.left.emit()
        else:
            self.stack.current.setFocus()

    def go_to_references(self) -> None:
        self.activated.emit()
        self.show_mode(ClassViewMode.REFERENCES)
        self.panel.grid.setFocus()

    def show_mode(self, mode: ClassViewMode) -> None:
        self._reference_pages.setCurrentWidget(self.panel)
        self.stack.show_mode(mode)
        self._show_card()
        self._render_neighbourhood(self._present.browser.view.wnid)
        if mode is ClassViewMode.COMPARISON:
            self._present.comparison.compare(self._present.shortlist.view.wnids)
        elif "comparison" in vars(self):
            self._present.comparison.close()
        self.mode_changed.emit()

    def toggle_shortlisted(self) -> None:
        """Toggle the selected class on the shortlist, or add the one that waits for a column."""
        waiting = self._waiting if self.compares else None
        wnid = waiting or self._present.browser.view.wnid
        if wnid is not None:
            self._render_shortlist(self._present.shortlist.toggle(wnid))

    @property
    def compares(self) -> bool:
        return self.stack.mode is ClassViewMode.COMPARISON

    def add_to_comparison(self, wnid: str) -> None:
        """Compare this class too, unless it is among them already."""
        if wnid not in self._present.shortlist.view.wnids:
            view = self._present.shortlist.toggle(wnid)
            self._waiting = wnid if view.refusal else None
            self._render_shortlist(view)
        self.open_mode(ClassViewMode.COMPARISON)

    def clear_shortlist(self) -> None:
        self._render_shortlist(self._present.shortlist.clear())

    def _render_class(self, view: ClassBrowserView) -> None:
        if view.details is None:
            self._present.references.close()
            self.panel.clear()
            self._render_neighbourhood(None)
            return
        self.card.render_details(view.details)
        self._tick_shortlisted()
        self._late.start()
        self._present.references.open(view.details.wnid)
        self._present.references.prefetch(self._present.browser.neighbours(PREFETCHED_CLASSES))
        self._render_neighbourhood(view.details.wnid)

    def _render_neighbourhood(self, wnid: str | None) -> None:
        """Show the classes around a class, if they are what is shown."""
        if self.stack.mode is not ClassViewMode.NEIGHBOURHOOD:
            return
        if wnid is None:
            self.neighbourhood.show_no_class()
        else:
            self.neighbourhood.render_view(self._present.neighbourhood.walk(wnid))

    def _render_look_alikes(self) -> None:
        browser = self._present.browser
        if browser.view.wnid is not None:
            self.card.render_look_alikes(browser.look_alikes(browser.view.wnid))

    def _render_references(self, view: ReferencesView[QImage]) -> None:
        details = self._present.browser.view.details
        self.panel.render_references(view, name=details.name if details else "")

    def set_choosing_enabled(self, can_choose: bool) -> None:
        self._can_choose = can_choose
        self._tick_chosen()

    def _tick_chosen(self) -> None:
        """Say on the button whether the class is the answer already."""
        if self.choose is not None:
            is_answer = self._answer is not None and self._shown == self._answer
            self.choose.set_words(CHOSEN_TEXT if is_answer else CHOOSE_TEXT)
            self.choose.setEnabled(self._can_choose and not is_answer)

    def _tick_shortlisted(self) -> None:
        if self.shortlist is not None:
            view = self._present.browser.view
            self.shortlist.setChecked(view.wnid in self._present.shortlist.view.wnids)

    def _render_shortlist(self, view: ShortlistView) -> None:
        self.shortlist_bar.render_shortlist(view)
        self._tick_shortlisted()
        if self.stack.mode is ClassViewMode.COMPARISON:
            self._present.comparison.compare(view.wnids)
        if self._waiting in view.wnids:
            self._waiting = None
        if "comparison" in vars(self):
            self.comparison.show_refusal(view.refusal)
            self.comparison.offer(self._name_waiting() if not view.is_full else "")
        self.shortlisted.emit()

    def _name_waiting(self) -> str:
        return self._present.browser.row(self._waiting).name if self._waiting else ""

    def _show_card(self) -> None:
        """Show the details above the references only, since other views need the space.

        If a class is to be chosen, its name and the button also stay above the neighbourhood.
        """
        mode = self.stack.mode
        at_references = mode is ClassViewMode.REFERENCES and not self._shows_branch
        chooses = self.choose is not None and mode is ClassViewMode.NEIGHBOURHOOD
        self.shortlist_bar.setVisible(mode is not ClassViewMode.COMPARISON)
        self.card.reserve_space(at_references and not self._previews)
        self.card.show_details(at_references and not self._previews)
        seen = at_references or chooses
        self.card.setVisible(seen and self._present.browser.view.details is not None)

    def _choose(self) -> None:
        wnid = self._present.browser.view.wnid
        if wnid is not None:
            self.chosen.emit(wnid)

    def _drop(self, wnid: str) -> None:
        self._render_shortlist(self._present.shortlist.remove(wnid))

    def _recall_tile_size(self, memory: SavedWindowState) -> None:
        self.panel.grid.fit_tiles()
        if memory.tile_size:
            self.panel.grid.set_tile_size(memory.tile_size)
        self.panel.grid.tile_size_changed.connect(memory.remember_tile_size)
        self._present.references.show_at(self.panel.grid.sharp_slot)
        self.panel.grid.slot_wanted.connect(self._present.references.show_at)

    def _connect(self) -> None:
        self._late.timeout.connect(self._render_look_alikes)
        self.card.chosen.connect(self.followed)
        if self.choose is not None:
            self.choose.clicked.connect(self._choose)
        self.card.node_chosen.connect(self.node_wanted)
        self.shortlist_bar.removed.connect(self._drop)
        self.shortlist_bar.chosen.connect(self.followed)
        self.stack.mode_wanted.connect(self.open_mode)
        self.panel.grid.typed.connect(self.typed)
        self._present.references.listen(self._render_references)
        keys = reference_image_keys(self.panel.grid, leave=self.left.emit)
        bind_scope(self.panel.grid, self._keymap, Scope.REFERENCES, keys)

    def _lay_out(self) -> QWidget:
        container = QWidget()
        vbox(self.card, grow(self.stack), self.shortlist_bar, on=container)
        return container
