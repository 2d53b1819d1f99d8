"""The classify task: tick every label that names an object of the image, mark the main one."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget

from labeler.app.crowd.annotator_session import ClassifyQuestion
from labeler.app.crowd.classify import ClassifyPresenter
from labeler.app.crowd.task_pictures import TaskPictures
from labeler.app.keymap import Action, Key, Keymap, Scope
from labeler.core.labeling.blind_types import BlindImage
from labeler.core.text import count_noun
from labeler.core.view_geometry import Viewport
from labeler.ui.crowd.label_choices import LabelChoices
from labeler.ui.crowd.picture_choice_grid import CANT_BE_SHOWN
from labeler.ui.crowd.task_screen import TaskScreen, bar
from labeler.ui.kit.input.command_button import ButtonKind, CommandButton
from labeler.ui.kit.layout.boxes import grow, hbox, stretch, vbox
from labeler.ui.kit.pictures.image_pyramid import ImagePyramid, pyramid_of, refit_pyramid
from labeler.ui.kit.pictures.image_view import ImageView, image_view_keys
from labeler.ui.kit.text.labels import label
from labeler.ui.window.actions import bind_scope
from labeler.ui.window.theme import Appearance

HEADING = "Tick every label that names a different object, mark the main one"
CLASSIFY_RULES = (
    "Unsure between two labels for one object: tick the likelier only. A part and its whole, like "
    "car and car wheel, are two objects."
)
_TOP, _BOTTOM = 40, 32
_DIGITS = "1–9"
_ROW_MARGIN = 8


class ClassifyScreen(TaskScreen):
    """The image on the left, its labels on the right."""

    def __init__(
        self,
        appearance: Appearance,
        keymap: Keymap,
        presenter: ClassifyPresenter,
        pictures: TaskPictures[QImage],
    ) -> None:
        super().__init__(appearance, keymap, presenter)
        self._presenter, self._pictures = presenter, pictures
        self._shown: ClassifyQuestion | None = None
        self.image = ImageView(appearance, keymap, takes_keys=False)
        self.image.viewport_changed.connect(self._refit)
        self._pixels: ImagePyramid | None = None
        self.labels = LabelChoices(appearance)
        self.labels.current_moved.connect(self._scroll_to_current)
        self.labels.toggled.connect(presenter.toggle)
        self.labels.main_wanted.connect(presenter.make_main)
        top, bottom = bar(_TOP), bar(_BOTTOM)
        title = label("Which objects?", rank="heading")
        hbox(
            title,
            self.place,
            self.progress,
            stretch(1),
            self.home,
            on=top,
            spacing=12,
            margins=(16, 4, 16, 4),
        )
        hbox(
            self.hint("tick", [], [Key((), _DIGITS)]),
            self.hint("tick and make main", [], [Key(("Shift",), _DIGITS)]),
            self.hint("move", [Action.PREVIOUS_TICK, Action.NEXT_TICK]),
            self.hint("tick", [Action.TICK_LABEL]),
            self.hint("main object", [Action.MARK_MAIN_LABEL]),
            self.hint("undo", [Action.UNDO_TICK]),
            stretch(1),
            on=bottom,
            spacing=16,
            margins=(16, 4, 16, 4),
        )
        middle = hbox(grow(self.image, 21), grow(self._panel(), 19), spacing=0)
        vbox(top, self.banner, grow(middle), bottom, on=self, spacing=0)
        pictures.listen(self._picture_came)
        bind_scope(
            self,
            keymap,
            Scope.CLASSIFY,
            {
                Action.TICK_LABEL: lambda: presenter.toggle(self.labels.current),
                Action.MARK_MAIN_LABEL: lambda: presenter.make_main(self.labels.current),
                Action.NEXT_TICK: lambda: self._move(1),
                Action.PREVIOUS_TICK: lambda: self._move(-1),
                Action.SUBMIT_TICKS: presenter.submit,
                Action.UNDO_TICK: presenter.undo,
                Action.PREVIOUS_CLASSIFIED: presenter.back,
            },
        )
        bind_scope(self, keymap, Scope.VIEW, image_view_keys(self.image))

    def _panel(self) -> QWidget:
        panel = QWidget()
        self._scroll = scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        inside = QWidget()
        vbox(self.labels, stretch(1), on=inside)
        scroll.setWidget(inside)
        self.summary = label(rank="muted")
        self.back = self._button("Back", Action.PREVIOUS_CLASSIFIED, ButtonKind.PLAIN)
        self.back.clicked.connect(self._presenter.back)
        self.submit_button = self._button("Submit", Action.SUBMIT_TICKS, ButtonKind.PRIMARY)
        self.submit_button.clicked.connect(self._presenter.submit)
        vbox(
            label(HEADING, rank="heading", wrap=True),
            label(CLASSIFY_RULES, rank="muted", wrap=True),
            grow(scroll),
            hbox(grow(self.summary), self.back, self.submit_button, spacing=12),
            on=panel,
            spacing=8,
            margins=(16, 16, 16, 16),
        )
        return panel

    def _button(self, words: str, action: Action, kind: ButtonKind) -> CommandButton:
        keys = self.keymap[action].keys[:1]
        made = CommandButton(self.appearance, words, keys=keys, actions=[action], kind=kind)
        made.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        return made

    def item_word(self) -> str:
        return "Image"

    def render_state(self) -> None:
        presenter = self._presenter
        question = presenter.question
        if question is not None and question is not self._shown:
            self._shown = question
            self.labels.show_labels(question.labels, question.references)
            self._scroll.verticalScrollBar().setValue(0)
            self._pixels = None
            self.image.clear()
            positions = (1, *(place for own in question.references for place in own))
            self._pictures.show(question.task.id, positions)
            self._show_picture()
        self.labels.show_ticks(presenter.state)
        self.labels.setEnabled(not presenter.busy)
        self.back.setEnabled(not presenter.busy)
        self.submit_button.setEnabled(not presenter.busy and not presenter.state.missing)
        self.submit_button.setToolTip(presenter.state.missing)
        self.submit_button.set_words("Save" if presenter.revises else "Submit")
        self.summary.setText(presenter.state.missing or self._summary())
        if not presenter.busy and not self.labels.hasFocus():
            self.labels.setFocus()

    def _summary(self) -> str:
        ticks = self._presenter.state
        assert self._shown is not None
        names = {text.wnid: text.name for text in self._shown.labels}
        return f"{count_noun(len(ticks.labels), 'object')} ticked, main: {names[ticks.main]}"

    def _picture_came(self, position: int) -> None:
        if position == 1:
            self._show_picture()
        else:
            self.labels.show_reference(position, self._pictures.get(position))

    def _show_picture(self) -> None:
        picture = self._pictures.get(1)
        if picture is not None:
            self._put(pyramid_of(picture, self.image.image_viewport))
        elif self._pictures.failed(1):
            self.image.say(CANT_BE_SHOWN)

    def _refit(self, viewport: Viewport) -> None:
        if self._pixels is not None:
            self._put(refit_pyramid(self._pixels, viewport))

    def _put(self, pixels: ImagePyramid) -> None:
        assert self._shown is not None
        self._pixels = pixels
        self.image.show_image(BlindImage(self._shown.task.id, pixels))

    def _scroll_to_current(self) -> None:
        """Keep the label with the cursor in sight: many labels don't fit."""
        self._scroll.ensureWidgetVisible(self.labels.rows[self.labels.current], 0, _ROW_MARGIN)

    def _move(self, step: int) -> None:
        self.labels.move_by(step)
        self.labels.show_ticks(self._presenter.state)
