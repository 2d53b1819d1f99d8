"""The box in which a table or a figure is chosen, by groups."""

from PySide6.QtCore import QSignalBlocker
from PySide6.QtGui import QStandardItemModel

from labeler.app.results.results_view import ResultsEntry, ResultsSection, ResultsView
from labeler.ui.kit.input.choice_box import ChoiceBox
from labeler.ui.window.look import Appearance
from labeler.ui.window.theme import TypeSize

_VISIBLE_ITEMS = 30


class ResultPicker(ChoiceBox):
    """Places come one by one, and stay where they are."""

    def __init__(self, look: Appearance) -> None:
        super().__init__(look, "Tables and figures")
        self.setMaxVisibleItems(_VISIBLE_ITEMS)

    def render_view(self, view: ResultsView) -> None:
        with QSignalBlocker(self):
            listed = {self.itemData(n) for n in range(self.count())}
            for place in view.places:
                if place.key not in listed:
                    self._add(place)
            self.setCurrentIndex(self.findData(view.place.key))
        drawing = "The report's figures are still being drawn."
        self.setToolTip(drawing if view.drawing else view.place.title)

    def _add(self, place: ResultsEntry) -> None:
        if self.findText(place.group) < 0:
            self._add_group(place.group)
        self.addItem(place.title, place.key)

    def _add_group(self, group: ResultsSection) -> None:
        self.addItem(group.value)
        model = self.model()
        assert isinstance(model, QStandardItemModel)
        head = model.item(self.count() - 1)
        head.setFont(self._look.font(TypeSize.CAPTION, strong=True))
        head.setEnabled(False)
