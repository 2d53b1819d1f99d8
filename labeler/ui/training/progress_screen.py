"""The training progress: key numbers, suggestions, and a section with its images."""

from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QHBoxLayout, QWidget

from labeler.app.chart_views import (
    ImageListSource,
    KeyNumber,
    ProgressSection,
    TrainingProgressView,
)
from labeler.app.classes.references import ClassThumbnails
from labeler.app.keymap import Action, Keymap, Scope
from labeler.app.thumbnail_loader import ThumbnailLoader
from labeler.app.training.progress import NO_LABELERS, TrainingProgress
from labeler.core.training.request import TrainingRequest
from labeler.ui.kit.input.form_fields import ChoiceBox
from labeler.ui.kit.input.key_caps import KeyTabBar
from labeler.ui.kit.layout.boxes import gap, hsplit, vbox
from labeler.ui.kit.layout.flow_layout import clear_layout
from labeler.ui.kit.layout.titled_page import TitledPage
from labeler.ui.kit.text.labels import label
from labeler.ui.training.answered_images import AnsweredImages
from labeler.ui.training.progress_section_panel import ProgressChapterPanel, SectionChart
from labeler.ui.training.suggestion_row import SuggestionRow
from labeler.ui.window.actions import Handlers, bind_scope
from labeler.ui.window.theme import Appearance


class NumberRow(QWidget):
    """Shows key numbers in a row."""

    def __init__(self) -> None:
        super().__init__()
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(8)

    def render_numbers(self, figures: tuple[KeyNumber, ...]) -> None:
        clear_layout(self._row)
        for figure in figures:
            self._row.addWidget(label(figure.number, rank="title"))
            self._row.addWidget(label(figure.words, rank="muted"))
            self._row.addSpacing(24)
        self._row.addStretch()
        self.setAccessibleName(", ".join(f"{f.number} {f.words}" for f in figures))


_TABS = {
    ProgressSection.DAYS: "Over time",
    ProgressSection.SESSIONS: "Sessions",
    ProgressSection.FAMILIES: "Families",
    ProgressSection.PAIRS: "Confused pairs",
    ProgressSection.CLASSES: "Classes",
}
assert set(_TABS) == set(ProgressSection), "every chapter has its tab"
_KEYS = {
    ProgressSection.DAYS: Action.SHOW_DAYS,
    ProgressSection.SESSIONS: Action.SHOW_SESSIONS,
    ProgressSection.FAMILIES: Action.SHOW_FAMILIES,
    ProgressSection.PAIRS: Action.SHOW_PAIRS,
    ProgressSection.CLASSES: Action.SHOW_CLASSES,
}
_SIZES = (760, 400)  # of the chapter and the images


class TrainingProgressScreen(TitledPage):
    """Shows the presenter's view; `training_wanted` carries the training to start."""

    training_wanted = Signal(TrainingRequest)
    discussion_wanted = Signal()
    home_wanted = Signal()

    def __init__(
        self,
        appearance: Appearance,
        keymap: Keymap,
        presenter: TrainingProgress,
        *,
        pictures: ThumbnailLoader[int, QImage],
        classes: ClassThumbnails[QImage],
    ) -> None:
        super().__init__(appearance, keymap, title="Training progress", icon="progress")
        self._presenter = presenter
        self._view: TrainingProgressView | None = None
        self.people = ChoiceBox(appearance, "Whose progress")
        self.people.setSizeAdjustPolicy(ChoiceBox.SizeAdjustPolicy.AdjustToContents)
        self.figures = NumberRow()
        self.suggestions = SuggestionRow(appearance, keymap)
        self.tabs = KeyTabBar(
            appearance, keymap, {_KEYS[each]: _TABS[each] for each in ProgressSection}
        )
        self.chapter = ProgressChapterPanel(appearance, keymap, classes)
        self.images = AnsweredImages(appearance, pictures)
        self.discussion = self.add_header_button("Group discussion", Action.SHOW_DISCUSSION)
        self.home = self.add_header_button("Home", Action.GO_HOME)
        self._apply_theme()
        self._lay_out()
        self._connect()
        bind_scope(self, keymap, Scope.PROGRESS, self._keys())
        bind_scope(
            self,
            keymap,
            Scope.LOOKING_BACK,
            {
                Action.SHOW_PROGRESS: self.chapter.setFocus,
                Action.SHOW_DISCUSSION: self.discussion_wanted.emit,
            },
        )

    def render_view(self, view: TrainingProgressView | None) -> None:
        """Show a person's progress, or that there is no one to show."""
        self._view = view
        self.say("")
        if view is None:
            self.show_message_instead(NO_LABELERS, icon="person")
            return
        self.show_contents()
        self._render_people(view)
        self.figures.render_numbers(view.figures)
        self.suggestions.render_suggestions(view.suggestions, can_begin=view.own)
        self._render_chapter()
        # A person without any answers can start training with one key.
        begins = not view.timelines[ProgressSection.DAYS].points and self.suggestions.can_begin
        (self.suggestions.buttons[0] if begins else self.chapter).setFocus()

    def show_chapter(self, chapter: ProgressSection) -> None:
        self.tabs.setCurrentIndex(list(ProgressSection).index(chapter))
        self.chapter.setFocus()

    @property
    def shown(self) -> TrainingProgressView | None:
        return self._view

    @property
    def shown_chapter(self) -> ProgressSection:
        return list(ProgressSection)[self.tabs.currentIndex()]

    def _render_people(self, view: TrainingProgressView) -> None:
        self.people.blockSignals(True)
        self.people.clear()
        self.people.addItems(list(view.people))
        self.people.setCurrentText(view.code)
        self.people.blockSignals(False)
        self.people.setVisible(len(view.people) > 1 or not view.own)

    def _render_chapter(self) -> None:
        view, chapter = self._view, self.shown_chapter
        if view is None:
            return
        charts: dict[ProgressSection, SectionChart] = {
            **view.timelines,
            **view.bars,
            ProgressSection.FAMILIES: view.families,
            ProgressSection.PAIRS: view.pairs,
        }
        self.chapter.render_chapter(charts[chapter], view.tables[chapter], can_train=view.own)

    def _keys(self) -> Handlers:
        chapters: Handlers = {
            key: partial(self.show_chapter, chapter) for chapter, key in _KEYS.items()
        }
        train: Handlers = {Action.TRAIN_SELECTED: self.chapter.train_selected}
        return {**chapters, **train, **self.suggestions.handlers()}

    def _connect(self) -> None:
        self.people.textActivated.connect(self._presenter.open)
        self.tabs.currentChanged.connect(lambda _tab: self._render_chapter())
        self.chapter.opened.connect(self._point_at)
        self.chapter.train_wanted.connect(self.training_wanted)
        self.suggestions.wanted.connect(self.training_wanted)
        self.discussion.clicked.connect(self.discussion_wanted)
        self.home.clicked.connect(self.home_wanted)
        self._presenter.listen(
            show=self.render_view, show_images=self.images.render_images, fail=self.say
        )

    def _point_at(self, source: ImageListSource) -> None:
        self._presenter.point_at(source)

    def _apply_theme(self) -> None:
        self.tabs.setAccessibleName("Group progress by")

    def _lay_out(self) -> None:
        self.title_row.addWidget(self.people)
        progress = QWidget()
        column = vbox(self.figures, self.suggestions, gap(8), self.tabs, on=progress)
        body = hsplit(self.chapter, self.images, sizes=_SIZES, shares=(1, 0))
        column.addWidget(body, stretch=1)
        self.set_contents(progress, until_then="Loading progress…")
