"""The summary of a training: its score, the missed images, and what to do next."""

from PySide6.QtCore import Signal
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from labeler.app.classes.references import ClassThumbnails
from labeler.app.keymap import Action, Key, Keymap, Scope
from labeler.app.thumbnail_loader import ThumbnailLoader
from labeler.app.training.summary import MissedImageView, TrainingSummaryView
from labeler.ui.classes.column_heading import ColumnVerdict
from labeler.ui.kit.input.command_button import ButtonKind, CommandButton
from labeler.ui.kit.layout.boxes import grow, hbox, stretch, vbox
from labeler.ui.kit.layout.page import Page
from labeler.ui.kit.pictures.fitted_image import UNREADABLE_MESSAGE, FittedImage
from labeler.ui.kit.text.labels import ElidedLabel, IconLabel, label
from labeler.ui.training.class_mosaic import ClassMosaic
from labeler.ui.training.training_band import TrainingBand
from labeler.ui.window.actions import bind_action, bind_scope
from labeler.ui.window.theme import Appearance

_WIDTH = 760
_PICTURE, _CLASS_PICTURE = 150, 108
_NONE = "You missed no classes, so there is nothing to repeat."


class TrainingSummaryScreen(Page):
    """Shows a training that has ended; Enter starts another like it."""

    again_wanted = Signal()
    other_wanted = Signal()
    progress_wanted = Signal()
    home_wanted = Signal()

    def __init__(
        self,
        appearance: Appearance,
        keymap: Keymap,
        view: TrainingSummaryView,
        *,
        images: ThumbnailLoader[int, QImage],
        classes: ClassThumbnails[QImage],
    ) -> None:
        super().__init__(appearance, width=_WIDTH)
        self.band = TrainingBand(appearance)
        self.add_band(self.band)
        self.view, self._images, self._classes = view, images, classes
        self.missed: list[MissedImageRow] = []
        enter = [Key((), "Return")]
        self.again = CommandButton(appearance, "Train again", keys=enter, kind=ButtonKind.PRIMARY)
        self.other = _command_button(appearance, keymap, "Something else…", Action.OTHER_TRAINING)
        self.progress = _command_button(appearance, keymap, "Progress", Action.SHOW_PROGRESS)
        self.home = _command_button(appearance, keymap, "Home", Action.GO_HOME)
        bind_scope(self, keymap, Scope.TRAINING_SUMMARY, {Action.OTHER_TRAINING: self.other.click})
        bind_action(self, keymap[Action.SHOW_PROGRESS], self.progress.click)
        self._lay_out(view)
        self.again.clicked.connect(self.again_wanted)
        self.other.clicked.connect(self.other_wanted)
        self.progress.clicked.connect(self.progress_wanted)
        self.home.clicked.connect(self.home_wanted)
        self.set_initial_focus(self.again)

    def _lay_out(self, view: TrainingSummaryView) -> None:
        self.column.addWidget(label(view.heading, rank="title", wrap=True))
        self.column.addLayout(self._counts(view))
        # Above the pictures, so that they are in sight however much was missed.
        buttons = hbox(self.again, self.other, self.progress, self.home, stretch(1))
        self.column.addLayout(buttons)
        self.column.addWidget(self._missed(view))

    def _counts(self, view: TrainingSummaryView) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(8)
        for name, colour, words in (
            ("right", "open", f"{view.right:,} right"),
            ("wrong", "fault", f"{view.wrong:,} wrong"),
        ):
            row.addWidget(IconLabel(self._appearance, name, colour=colour, size=20))
            row.addWidget(label(words))
            row.addSpacing(16)
        row.addWidget(label(view.facts, rank="muted"))
        row.addStretch(1)
        return row

    def _missed(self, view: TrainingSummaryView) -> QFrame:
        card = QFrame()
        card.setProperty("kind", "card")
        column = vbox(on=card, margins=(24, 16, 24, 16), spacing=12)
        if not view.missed:
            column.addWidget(label(_NONE, rank="muted", wrap=True))
            return card
        column.addWidget(label("What you missed", rank="heading"))
        for each in view.missed:
            row = MissedImageRow(self._appearance, each, self._images, self._classes)
            self.missed.append(row)
            column.addWidget(row)
        if view.more:
            column.addWidget(label(view.more, rank="muted"))
        return card


class MissedImageRow(QWidget):
    """A missed image, next to the class of the answer and the correct one."""

    def __init__(
        self,
        appearance: Appearance,
        view: MissedImageView,
        images: ThumbnailLoader[int, QImage],
        classes: ClassThumbnails[QImage],
    ) -> None:
        super().__init__()
        self.view, self._images, self._appearance = view, images, appearance
        self.image = FittedImage(appearance, height=_PICTURE, name="The image that you missed")
        self.setAccessibleName(f"{view.correct_name}, not {view.answer_name}")
        answer = self._column(ColumnVerdict.WRONG_ANSWER, view.answer_name, "")
        correct = self._column(ColumnVerdict.CORRECT, view.correct_name, view.when)
        for column, wnid in ((answer, view.answer), (correct, view.correct)):
            column.insertWidget(0, ClassMosaic(appearance, [wnid], classes, height=_CLASS_PICTURE))
        hbox(grow(self.image, 3), grow(answer, 2), grow(correct, 2), on=self, spacing=16)
        images.listen(self._arrived)
        images.listen_for_missing(self._arrived)
        images.request([view.image])
        self._arrived(view.image)

    def _column(self, verdict: ColumnVerdict, name: str, caption: str) -> QVBoxLayout:
        heading, icon, colour = verdict.value
        title = ElidedLabel(rank="number")
        title.setText(name)
        mark = IconLabel(self._appearance, icon, colour=colour, size=16)
        words = label(f"{heading} · {caption}" if caption else heading, rank="caption")
        return vbox(title, hbox(mark, grow(words)), spacing=4)

    def _arrived(self, image: int) -> None:
        if image == self.view.image:
            missing = UNREADABLE_MESSAGE if self._images.is_missing(image) else ""
            self.image.show_image(self._images.get(image), instead=missing)


def _command_button(
    appearance: Appearance, keymap: Keymap, text: str, action: Action
) -> CommandButton:
    return CommandButton(appearance, text, keys=keymap[action].keys[:1], actions=[action])
