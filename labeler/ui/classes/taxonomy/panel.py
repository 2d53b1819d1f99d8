"""The taxonomy panel: the tree, the number of classes, and links to other places."""

from collections.abc import Collection

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QWidget

from labeler.app.classes.taxonomy_browser import TaxonomyBrowser, TaxonomyView
from labeler.app.keymap import Action, Keymap
from labeler.ui.classes.chip_row import ClassChipRow
from labeler.ui.classes.taxonomy.tree_pictures import TreePictures
from labeler.ui.classes.taxonomy.tree_view import TaxonomyTreeView
from labeler.ui.kit.input.key_button import KeyButton
from labeler.ui.kit.layout.boxes import grow, hbox, vbox
from labeler.ui.kit.text.labels import ElidedLabel
from labeler.ui.window.theme import Appearance

# Names of branches need this much.
_MIN_WIDTH = 264


class TaxonomyPanel(QWidget):
    """Shows the tree; only a person's actions emit signals."""

    class_selected = Signal(str)
    class_entered = Signal(str)
    class_chosen = Signal(str)
    left = Signal()
    typed = Signal(str)
    map_wanted = Signal()
    branch_selected = Signal(object)

    def __init__(
        self,
        appearance: Appearance,
        keymap: Keymap,
        browser: TaxonomyBrowser,
        pictures: TreePictures | None = None,
    ) -> None:
        super().__init__()
        self._browser = browser
        self._shown: TaxonomyView | None = None
        self.tree = TaxonomyTreeView(appearance, keymap, browser.view, pictures)
        self._summary = ElidedLabel(rank="caption")
        self.also_under = ClassChipRow("Also under")
        self.map_button = KeyButton(appearance, keymap[Action.SHOW_CLASS_MAP], "Map")
        # From the keyboard, the map has its own key.
        self.map_button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setFocusProxy(self.tree)
        self.setMinimumWidth(_MIN_WIDTH)
        self._lay_out()
        self._connect()
        self._render(browser.view)

    def filter(self, wnids: Collection[str] | None, *, show: str | None = None) -> None:
        """Show only these classes and their ancestors, expanded; None shows the whole taxonomy."""
        self._render(self._browser.filter(wnids, show=show))

    def reset(self) -> None:
        """Show the whole taxonomy with nothing selected."""
        self._render(self._browser.reset())

    def show_class(self, wnid: str) -> None:
        """Select a class and expand the branches above it."""
        self._render(self._browser.show(wnid))

    def show_node(self, wnid: str) -> None:
        """Select any node of the whole taxonomy, with its mosaic or class."""
        view = self._browser.show_node(wnid)
        self._render(view)
        self._announce(view)

    def _render(self, view: TaxonomyView) -> None:
        # After a person's selection, branches that they expanded stay open.
        if view is self._shown:
            self.tree.ensure_visible(view.selected)
        else:
            self.tree.render_view(view)
            self._render_head(view)

    def _render_head(self, view: TaxonomyView) -> None:
        self._shown = view
        self._summary.setText(view.summary)
        self.also_under.show_links(view.also_under)
        self.also_under.setVisible(bool(view.also_under))

    def _lay_out(self) -> None:
        # Keeps its place, so that the tree doesn't change its height.
        kept = self.also_under.sizePolicy()
        kept.setRetainSizeWhenHidden(True)
        self.also_under.setSizePolicy(kept)
        head = hbox(grow(self._summary), self.map_button)
        vbox(head, grow(self.tree), self.also_under, on=self, spacing=4)

    def _connect(self) -> None:
        self.tree.row_selected.connect(self._select)
        self.tree.class_entered.connect(self.class_entered)
        self.tree.class_chosen.connect(self.class_chosen)
        self.tree.left.connect(self.left)
        self.tree.typed.connect(self.typed)
        self.also_under.chosen.connect(self._follow)
        self.map_button.clicked.connect(self.map_wanted)

    def _select(self, row: int) -> None:
        view = self._browser.select(row)
        self._render_head(view)
        self._announce(view)

    def _follow(self, key: str) -> None:
        """Go to another place of the selected class."""
        view = self._browser.show_node(key)
        self._render(view)
        self._announce(view)
        self.tree.setFocus()

    def _announce(self, view: TaxonomyView) -> None:
        if view.selected_class is not None:
            self.class_selected.emit(view.selected_class)
        elif view.branch is not None:
            self.branch_selected.emit(view.branch)
