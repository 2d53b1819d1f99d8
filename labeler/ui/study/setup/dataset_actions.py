"""The actions for the selected dataset."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPixmap
from PySide6.QtWidgets import QVBoxLayout, QWidget

from labeler.app.study.setup.datasets import SetupDatasetRow, dataset_actions
from labeler.ui.kit.layout.boxes import vbox
from labeler.ui.kit.text.labels import label
from labeler.ui.study.setup.form import HintLabel
from labeler.ui.study.setup.setup_panel import push_button, row_layout

RESUME_IMPORT = "Resume import"
# Large enough to see what a picture shows; four fit in the narrowest window.
_PREVIEW_SIZE = QSize(176, 132)


class TargetPreview(QWidget):
    """A picture with its target below it."""

    def __init__(self, target: str, jpeg: bytes) -> None:
        super().__init__()
        picture = label()
        pixmap = QPixmap()
        pixmap.loadFromData(jpeg)
        shape, way = Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation
        picture.setPixmap(pixmap.scaled(_PREVIEW_SIZE, shape, way))
        picture.setAccessibleName(target)
        vbox(picture, label(target, rank="caption"), on=self, spacing=4)


class DatasetActions(QWidget):
    """Buttons with a line about the dataset below; a disabled button's tooltip says why."""

    def __init__(self) -> None:
        super().__init__()
        self.odd = push_button("Show skipped files…", "Show skipped files of the selected dataset")
        self.moved = push_button(
            "Locate moved folder…", "Locate the moved folder of the selected dataset"
        )
        self.remove = push_button("Remove…", "Remove the selected dataset from the study")
        self.resume = push_button(f"&{RESUME_IMPORT}", "Resume the interrupted import")
        self.about = HintLabel()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(4)
        # The button that comes and goes is last, so that the others don't move.
        layout.addLayout(row_layout(self.odd, self.moved, self.remove, self.resume, stretch=False))
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
        self.resume.setVisible(view.can_resume)
