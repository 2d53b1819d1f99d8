"""The taxonomy panel: the tree, the number of classes, and a button for the next place."""

from collections.abc import Collection

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QToolButton, QWidget

from labeler.app.classes.taxonomy_browser import TaxonomyBrowser, TaxonomyView
from labeler.app.keymap import Keymap
from labeler.ui.classes.taxonomy.tree_view import TaxonomyTreeView
from labeler.ui.kit.layout.boxes import grow, hbox, vbox
from labeler.ui.kit.text.labels import ElidedLabel
from labeler.ui.window.theme import Appearance


class TaxonomyPanel(QWidget):
    """Shows the tree; only a person's actions emit signals."""

    class_selected = Signal(str)
    class_entered = Signal(str)
    class_chosen = Signal(str)
    left = Signal()
    typed = Signal(str)

    def __init__(self, appearance: Appearance, keymap: Keymap, browser: TaxonomyBrowser) -> None:
        super().__init__()
        self._browser = browser
        self._shown: TaxonomyView | None = None
        self.tree = TaxonomyTreeView(appearance, keymap, browser.view)
        self._summary = ElidedLabel(rank="caption")
        self._next_place = QToolButton()
        self._next_place.setToolTip("Show the next place of this class in the taxonomy")
        self.setFocusProxy(self.tree)
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
        """Select any node of the whole taxonomy and expand the branches above it."""
        self._render(self._browser.show_node(wnid))

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
        self._next_place.setText(view.place[:1].upper() + view.place[1:] + " ▸")
        self._next_place.setVisible(bool(view.place))

    def _lay_out(self) -> None:
        # Keeps its height when a class has only one place.
        self._summary.setMinimumHeight(self._next_place.sizeHint().height())
        head = hbox(grow(self._summary), self._next_place)
        vbox(head, grow(self.tree), on=self, spacing=4)

    def _connect(self) -> None:
        self.tree.row_selected.connect(self._select)
        self.tree.class_entered.connect(self.class_entered)
        self.tree.class_chosen.connect(self.class_chosen)
        self.tree.left.connect(self.left)
        self.tree.typed.connect(self.typed)
        self._next_place.clicked.connect(self._go_to_next_place)

    def _select(self, row: int) -> None:
        view = self._browser.select(row)
        self._render_head(view)
        if view.selected_class is not None:
            self.class_selected.emit(view.selected_class)

    def _go_to_next_place(self) -> None:
        self._render(self._browser.next_place())
