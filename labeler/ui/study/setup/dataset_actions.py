"""What can be done with the dataset whose row is marked; the buttons stay where they are."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QPixmap
from PySide6.QtWidgets import QVBoxLayout, QWidget

from labeler.app.study.setup.datasets import SetupDatasetRow, dataset_actions
from labeler.ui.kit.layout.boxes import vbox
from labeler.ui.kit.text.labels import label
from labeler.ui.study.setup.form import HintLabel
from labeler.ui.study.setup.setup_panel import push_button, row_layout


class TargetPreview(QWidget):
    """A picture with its target below it."""

    def __init__(self, target: str, jpeg: bytes) -> None:
        super().__init__()
        picture = label()
        pixmap = QPixmap()
        pixmap.loadFromData(jpeg)
        picture.setPixmap(pixmap.scaledToHeight(96, Qt.TransformationMode.SmoothTransformation))
        picture.setAccessibleName(target)
        vbox(picture, label(target, rank="caption"), on=self, spacing=4)


class DatasetActions(QWidget):
    """A row of buttons with a line about the dataset below them; what can't be pressed says why."""

    def __init__(self) -> None:
        super().__init__()
        self.odd = push_button("What was left out…", "Show what was left out of the chosen dataset")
        self.moved = push_button("It lies elsewhere now…", "Say where the chosen dataset lies now")
        self.remove = push_button("Remove it…", "Remove the chosen dataset from the study")
        self.go_on = push_button("&Go on with it", "Go on with the interrupted import")
        self.about = HintLabel()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(4)
        # What comes and goes is last, so that the others stay where they are.
        layout.addLayout(row_layout(self.odd, self.moved, self.remove, self.go_on, stretch=False))
        layout.addWidget(self.about)
        self.render_row(None)

    def render_row(self, row: SetupDatasetRow | None) -> None:
        view = dataset_actions(row)
        self.about.setText(view.about)
        for part, why_not in ((self.odd, view.no_odd), (self.moved, view.none_chosen)):
            part.setEnabled(not why_not)
            part.setToolTip(why_not)
        self.remove.setEnabled(not view.none_chosen)
        self.remove.setToolTip(view.none_chosen)
        self.go_on.setVisible(view.can_go_on)
