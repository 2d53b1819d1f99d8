"""The details of a class: names, path in the taxonomy, gloss, and links to other classes."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from labeler.app.classes.class_view import ClassDetails, ClassLink
from labeler.ui.classes.chip_pictures import ChipPictures
from labeler.ui.classes.chip_row import ClassChipRow
from labeler.ui.classes.taxonomy.breadcrumb import Breadcrumb
from labeler.ui.kit.layout.boxes import grow, hbox, vbox
from labeler.ui.kit.text.labels import ElidedLabel, label

_SPACING = 4


class ClassCard(QWidget):
    """Renders a class's details, with links to related classes and to the nodes of its path."""

    chosen = Signal(str)
    node_chosen = Signal(str)

    def __init__(self, *buttons: QAbstractButton, pictures: ChipPictures | None = None) -> None:
        """The buttons act on the class, for example to choose it as the answer.

        With `pictures`, look-alikes are shown with one each.
        """
        super().__init__()
        self._buttons = buttons
        self._name = ElidedLabel(rank="heading")
        # As wide as the name if possible, but a long name doesn't widen the panel.
        self._name.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self._other_names = ElidedLabel(rank="muted")
        self._path = Breadcrumb()
        self._gloss = label(rank="body", wrap=True)
        self._gloss.setMinimumWidth(1)
        self._siblings = ClassChipRow("Siblings")
        self._look_alikes = ClassChipRow("Look-alikes", pictures=pictures)
        self._lay_out()
        for row in (self._siblings, self._look_alikes):
            row.chosen.connect(self.chosen)
        self._path.node_chosen.connect(self.node_chosen)

    def render_details(self, details: ClassDetails) -> None:
        """Show another class."""
        self._name.setText(details.name)
        self._other_names.setText(", ".join(details.other_names))
        self._gloss.setText(_sentence(details.gloss))
        self._path.show_path(details.path_nodes[0])
        self._siblings.show_links(details.siblings)

    def render_look_alikes(self, links: tuple[ClassLink, ...]) -> None:
        self._look_alikes.show_links(links)

    def show_details(self, shown: bool) -> None:
        """Show everything, or only the name and the Choose button."""
        for line in self._lines:
            line.setVisible(shown)

    def reserve_space(self, kept: bool) -> None:
        """Keep the space while no class is shown, so that nothing below moves."""
        policy = self.sizePolicy()
        policy.setRetainSizeWhenHidden(kept)
        self.setSizePolicy(policy)

    @property
    def _lines(self) -> tuple[QWidget, ...]:
        """The widgets below the name."""
        return self._path, self._gloss, self._siblings, self._look_alikes

    def _lay_out(self) -> None:
        top = hbox(self._name, grow(self._other_names), spacing=16)
        top.addLayout(hbox(*self._buttons))
        vbox(top, *self._lines, on=self, spacing=_SPACING)


def _sentence(gloss: str) -> str:
    return gloss[:1].upper() + gloss[1:]
