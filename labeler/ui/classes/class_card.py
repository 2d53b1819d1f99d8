"""A class in words: name, other names, place in the taxonomy, gloss, and where to go from it."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from labeler.app.classes.class_view import ClassDetails, ClassLink
from labeler.ui.classes.chip_row import ClassChipRow
from labeler.ui.classes.taxonomy.breadcrumb import Breadcrumb
from labeler.ui.kit.layout.boxes import grow, hbox, vbox
from labeler.ui.kit.text.labels import ElidedLabel

_SPACING = 4


class ClassCard(QWidget):
    """Renders a class's details; a chip asks for its class, a step of a path for its node."""

    chosen = Signal(str)
    node_chosen = Signal(str)

    def __init__(self, *buttons: QAbstractButton) -> None:
        """The buttons do something with the class, such as take it as an answer."""
        super().__init__()
        self._buttons = buttons
        self._name = ElidedLabel(rank="heading")
        # As wide as the name where there is room; a long one makes no panel wider.
        self._name.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self._other_names = ElidedLabel(rank="muted")
        self._path = Breadcrumb()
        self._gloss = ElidedLabel(rank="body")
        self._siblings = ClassChipRow("Siblings")
        self._look_alikes = ClassChipRow("Look-alikes")
        self._lay_out()
        for row in (self._siblings, self._look_alikes):
            row.chosen.connect(self.chosen)
        self._path.node_chosen.connect(self.node_chosen)

    def render_details(self, details: ClassDetails) -> None:
        """Show a class in place of the one before."""
        self._name.setText(details.name)
        self._other_names.setText(", ".join(details.other_names))
        self._gloss.setText(_sentence(details.gloss))
        self._path.show_path(details.path_nodes[0])
        self._siblings.show_links(details.siblings)

    def render_look_alikes(self, links: tuple[ClassLink, ...]) -> None:
        self._look_alikes.show_links(links)

    def show_details(self, shown: bool) -> None:
        """Show everything, or no more than the name and the button that chooses."""
        for line in self._lines:
            line.setVisible(shown)

    def reserve_space(self, kept: bool) -> None:
        """Take up room also while there is no class to show, so that nothing below moves."""
        policy = self.sizePolicy()
        policy.setRetainSizeWhenHidden(kept)
        self.setSizePolicy(policy)

    @property
    def _lines(self) -> tuple[QWidget, ...]:
        """What is below the name."""
        return self._path, self._gloss, self._siblings, self._look_alikes

    def _lay_out(self) -> None:
        top = hbox(self._name, grow(self._other_names), spacing=16)
        top.addLayout(hbox(*self._buttons))
        vbox(top, *self._lines, on=self, spacing=_SPACING)


def _sentence(gloss: str) -> str:
    return gloss[:1].upper() + gloss[1:]
