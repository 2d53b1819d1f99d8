"""The page on which the lead searches for near-duplicates and sees what was found."""

from collections.abc import Mapping

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QLineEdit, QWidget

from labeler.app.curation.search_form import SEARCH_COLUMNS, SearchForm, SearchFormView
from labeler.core.curation.entities import DuplicateMetric
from labeler.ui.kit.charts.progress_bar import WorkProgressCard
from labeler.ui.kit.input.command_button import ButtonKind, CommandButton
from labeler.ui.kit.input.form_fields import CheckBox
from labeler.ui.kit.layout.boxes import grow, hbox, stretch, vbox
from labeler.ui.kit.tables.text_table import fill_table, text_table
from labeler.ui.kit.text.error_banner import BannerKind, ErrorBanner
from labeler.ui.kit.text.labels import label
from labeler.ui.window.theme import Appearance

ABOUT = (
    "Images that show the same object in the same pose, also with another zoom, colour, stretch or "
    "a small shift. Every image of a pool or an evaluation dataset is compared with all images of "
    "the study."
)
LIMIT_WORDS = {
    DuplicateMetric.L2: "Limit of pixels, in millions",
    DuplicateMetric.DSSIM: "Limit of structure",
    DuplicateMetric.FEATURES: "Limit of network features",
}
_LIMIT_WIDTH = 104
NEEDS_MODEL = "Score a model first: its network is used without predictions."
NEEDS_PACKAGES = "Needs the packages torch and timm."


class SearchPage(QWidget):
    """Chooses metrics, estimates and searches; the review opens from here."""

    review_wanted = Signal()

    def __init__(self, appearance: Appearance, form: SearchForm) -> None:
        super().__init__()
        self._form = form
        self.error = ErrorBanner(appearance)
        self.notice = ErrorBanner(appearance, BannerKind.DONE)
        self.sentences = label(wrap=True)
        self.found = text_table("Searches", SEARCH_COLUMNS)
        self.pixels = CheckBox(appearance, "Pixels")
        self.structure = CheckBox(appearance, "Structure (DSSIM)")
        self.features = CheckBox(appearance, "Network features of")
        self.model = QComboBox()
        self.model.setAccessibleName("Model")
        for box in (self.pixels, self.structure):
            box.setChecked(True)
        self.limits = {metric: QLineEdit() for metric in LIMIT_WORDS}
        for metric, words in LIMIT_WORDS.items():
            self.limits[metric].setAccessibleName(words)
            self.limits[metric].setMaximumWidth(_LIMIT_WIDTH)
        self.limits[DuplicateMetric.FEATURES].setPlaceholderText("measured")
        self._limits: Mapping[DuplicateMetric, str] = {}
        self.estimated = label(rank="muted", wrap=True)
        self.estimate = CommandButton(appearance, "Estimate")
        self.search = CommandButton(appearance, "Search")
        self.review = CommandButton(appearance, "Review pairs", kind=ButtonKind.PRIMARY)
        self.progress = WorkProgressCard(appearance, "Search")
        self._lay_out()
        self._connect()
        form.listen(self.render_view)

    @property
    def metrics(self) -> tuple[DuplicateMetric, ...]:
        boxes = {
            DuplicateMetric.L2: self.pixels,
            DuplicateMetric.FEATURES: self.features,
            DuplicateMetric.DSSIM: self.structure,
        }
        return tuple(metric for metric, box in boxes.items() if box.isChecked())

    def refresh(self) -> None:
        """Read what was found and reviewed."""
        self._form.refresh()

    def render_view(self, view: SearchFormView) -> None:
        self.error.say(view.trouble)
        self.notice.say(view.notice)
        self.sentences.setText("\n".join(view.sentences))
        fill_table(self.found, view.rows)
        self.estimated.setText(view.estimate)
        if view.models != tuple(self.model.itemText(n) for n in range(self.model.count())):
            self.model.clear()
            self.model.addItems(view.models)
        if view.limits != self._limits:
            self._limits = view.limits
            for metric, text in view.limits.items():
                self.limits[metric].setText(text)
        can_compute = bool(view.models) and view.can_compute_features
        self.features.setEnabled(can_compute)
        self.model.setEnabled(can_compute)
        why = NEEDS_MODEL if view.can_compute_features else NEEDS_PACKAGES
        self.features.setToolTip("" if can_compute else why)
        for button in (self.search, self.estimate):
            button.setEnabled(not view.running and not view.loading)
        self.review.setEnabled(view.open_pairs > 0 and not view.running)
        if view.running:
            self.progress.show_state(view.done, view.total, view.progress)
        self.progress.setVisible(view.running)

    def _lay_out(self) -> None:
        vbox(
            label(ABOUT, rank="muted", wrap=True),
            self.error,
            self.notice,
            hbox(
                self.pixels,
                *self._limit_field(DuplicateMetric.L2, "million"),
                self.structure,
                *self._limit_field(DuplicateMetric.DSSIM),
                self.features,
                self.model,
                *self._limit_field(DuplicateMetric.FEATURES),
                stretch(1),
                spacing=8,
            ),
            hbox(self.review, self.search, self.estimate, grow(self.estimated), spacing=8),
            self.progress,
            self.sentences,
            self.found,
            stretch(1),
            on=self,
            spacing=12,
            margins=(24, 16, 24, 16),
        )

    def _limit_field(self, metric: DuplicateMetric, unit: str = "") -> tuple[QWidget, ...]:
        """Return the field for a limit with its words."""
        return label("limit", rank="muted"), self.limits[metric], label(unit, rank="muted")

    def _connect(self) -> None:
        self.estimate.clicked.connect(lambda: self._form.estimate(self.metrics))
        self.search.clicked.connect(
            lambda: self._form.search(
                self.metrics,
                self.model.currentText() if self.features.isChecked() else "",
                {metric: self.limits[metric].text() for metric in self.metrics},
            )
        )
        self.progress.cancel.clicked.connect(self._form.stop)
        self.review.clicked.connect(self.review_wanted)
