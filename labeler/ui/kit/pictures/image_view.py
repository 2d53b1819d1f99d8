"""The image of a trial on a neutral background, with zoom controls."""

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QFrame, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from labeler.app.keymap import Action, Keymap, Scope
from labeler.app.trial_image_loader import TrialImageState, TrialImageView
from labeler.core.labeling.blind_types import BlindImage
from labeler.core.view_geometry import ACTUAL_SIZE, MAX_SCALE, Viewport
from labeler.ui.kit.input.key_caps import KeyCaps
from labeler.ui.kit.input.search_field import typed_text
from labeler.ui.kit.layout.boxes import aligned, grow, hbox, stretch, vbox
from labeler.ui.kit.pictures.image_canvas import ImageCanvas
from labeler.ui.kit.pictures.image_pyramid import ImagePyramid
from labeler.ui.kit.pictures.loupe import LoupeSwitch
from labeler.ui.kit.pictures.zoom_bar import FIT_ZOOM, ZoomBar, ZoomState
from labeler.ui.kit.text.empty_state import EmptyState
from labeler.ui.kit.text.labels import IconLabel, label
from labeler.ui.window.actions import Handlers, bind_scope
from labeler.ui.window.theme import Appearance

_CARD_WIDTH = 288


class PauseCard(QFrame):
    """Says why the image is covered, and offers to resume."""

    resume_wanted = Signal()

    def __init__(self, appearance: Appearance, keymap: Keymap) -> None:
        super().__init__()
        self.setProperty("kind", "card")
        self._icon = IconLabel(appearance, "pause", colour="muted", size=40)
        self._sentence = label(wrap=True)
        self._sentence.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._sentence.setFixedWidth(_CARD_WIDTH)
        self.resume = QPushButton("Resume")
        self.resume.setDefault(True)
        self.resume.setAccessibleName("Resume")
        self.resume.clicked.connect(self.resume_wanted)
        self._lay_out(KeyCaps(appearance, keymap[Action.PAUSE].keys[:1]))

    @property
    def sentence(self) -> str:
        return self._sentence.text()

    def say(self, sentence: str) -> None:
        self._sentence.setText(sentence)
        # A layout that centres a wrapped label gives it the height of too few lines.
        self._sentence.setMinimumHeight(self._sentence.heightForWidth(_CARD_WIDTH))
        self.setAccessibleName(sentence)

    def _lay_out(self, caps: KeyCaps) -> None:
        foot = hbox(stretch(), self.resume, caps, stretch())
        vbox(
            aligned(self._icon, Qt.AlignmentFlag.AlignHCenter),
            aligned(self._sentence, Qt.AlignmentFlag.AlignHCenter),
            foot,
            on=self,
            spacing=16,
            margins=(24, 24, 24, 24),
        )


_SURROUND_WIDTH = 8

# Room for the cards, so that nothing next to the image moves when one of them appears.
_MIN_SIZE = QSize(392, 256)


class ImageView(QWidget):
    """Shows one image, or a card in its place; nothing here shows where the image came from.

    To fit, an image fills the view, enlarged up to `MAX_FIT_SCALE`; "1:1" gives each of its pixels
    one of the device.
    """

    painted = Signal(str)
    viewport_changed = Signal(Viewport)
    resume_wanted = Signal()
    typed = Signal(str)
    left = Signal()

    def __init__(self, appearance: Appearance, keymap: Keymap, *, takes_keys: bool = True) -> None:
        """One that takes no keys leaves them all to its screen, such as 1 for a verdict."""
        super().__init__()
        self._appearance = appearance
        self.canvas = ImageCanvas(appearance)
        self.zoom_bar = ZoomBar(keymap)
        self.loupe = LoupeSwitch(self, keymap)
        self.card = PauseCard(appearance, keymap)
        self.message = EmptyState(appearance)
        self._failed = False
        self._lay_out()
        self._connect()
        if takes_keys:
            bind_scope(self, keymap, Scope.IMAGE, self._handlers())
            self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName("Image to classify")
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.NoContextMenu)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self._show_zoom()

    @property
    def image_viewport(self) -> Viewport:
        """The space for the image, in device pixels."""
        return self.canvas.image_viewport

    @property
    def is_covered(self) -> bool:
        return self.card.isVisibleTo(self)

    def render_trial_image(self, view: TrialImageView[ImagePyramid]) -> None:
        """Show a trial's image."""
        if view.image is not None:
            self.show_image(view.image)
        elif view.state is TrialImageState.FAILED:
            self.say(view.sentence)
        else:
            self.clear()

    def show_image(self, image: BlindImage[ImagePyramid]) -> None:
        """Show an image, fitted; a rescaled image of the same trial keeps zoom and position."""
        self._put(image)

    def clear(self) -> None:
        """Show no image."""
        self._put(None)

    def say(self, sentence: str) -> None:
        """Show a message instead of the image."""
        self.message.say(sentence, icon="damaged", colour="fault")
        self._put(None, failed=True)

    def cover(self, sentence: str) -> None:
        """Cover the image for a pause."""
        self.canvas.set_covered(True)
        self.message.hide()
        self.card.say(sentence)
        self.card.show()
        self._allow_zoom()
        self.card.resume.setFocus()

    def uncover(self) -> None:
        """Show the image again after a pause."""
        if self.card.resume.hasFocus():
            self.setFocus()
        self.card.hide()
        self.message.setVisible(self._failed)
        self._allow_zoom()
        self.canvas.set_covered(False)

    def fit(self) -> None:
        """Fit the image to the view."""
        self.canvas.fit()

    def actual_size(self) -> None:
        """Show one image pixel per device pixel."""
        self.canvas.zoom_to(ACTUAL_SIZE)

    def zoom(self, steps: int) -> None:
        """Zoom in at the centre, or out if negative."""
        self.canvas.zoom(steps)

    def pan(self, dx: int, dy: int) -> None:
        """Pan by eighths of the view."""
        self.canvas.pan(dx, dy)

    def follow_keymap(self, keymap: Keymap) -> None:
        self.loupe.follow_keymap(keymap)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Forward typed text to the search; other keys are left to the keymap."""
        text = typed_text(event)
        if text and not self.is_covered:
            self.typed.emit(text)
        else:
            event.ignore()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(event.rect(), self._appearance.colour("surround"))
        if self.hasFocus():
            painter.setPen(QPen(self._appearance.colour("focus_on_surround"), 2))
            painter.drawRect(self.rect().adjusted(2, 2, -2, -2))

    def _put(self, image: BlindImage[ImagePyramid] | None, *, failed: bool = False) -> None:
        if failed or self._failed:
            self._failed = failed
            self.message.setVisible(failed and not self.is_covered)
            self._allow_zoom()
        self.canvas.show_image(image)

    def _allow_zoom(self) -> None:
        self.zoom_bar.setDisabled(self._failed or self.is_covered)

    def _lay_out(self) -> None:
        self.message.setContentsMargins(16, 16, 16, 16)
        self.canvas.setMinimumSize(_MIN_SIZE)
        over = QVBoxLayout(self.canvas)
        over.setContentsMargins(0, 0, 0, 0)
        for card in (self.card, self.message):
            card.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
            card.hide()
            over.addWidget(card, alignment=Qt.AlignmentFlag.AlignCenter)
        vbox(
            grow(self.canvas),
            self.zoom_bar,
            on=self,
            spacing=0,
            margins=(_SURROUND_WIDTH, _SURROUND_WIDTH, _SURROUND_WIDTH, _SURROUND_WIDTH),
        )

    def _connect(self) -> None:
        self.canvas.painted.connect(self.painted)
        self.canvas.viewport_changed.connect(self.viewport_changed)
        self.canvas.transform_changed.connect(self._show_zoom)
        self.card.resume_wanted.connect(self.resume_wanted)
        self.zoom_bar.stepped.connect(self.zoom)
        self.zoom_bar.fit_wanted.connect(self.fit)
        self.zoom_bar.actual_wanted.connect(self.actual_size)
        self.zoom_bar.loupe.toggled.connect(self.loupe.keep)
        self.loupe.changed.connect(self.canvas.set_loupe)
        self._appearance.changed.connect(self.update)
        self._appearance.key_hints_changed.connect(self._show_keys)
        self._show_keys()

    def _show_keys(self) -> None:
        self.zoom_bar.show_keys(self._appearance.key_hints_shown)

    def _handlers(self) -> Handlers:
        return {
            Action.IMAGE_LARGER: lambda: self.zoom(1),
            Action.IMAGE_SMALLER: lambda: self.zoom(-1),
            Action.IMAGE_FIT: self.fit,
            Action.IMAGE_ACTUAL: self.actual_size,
            Action.IMAGE_LEFT: lambda: self.pan(-1, 0),
            Action.IMAGE_RIGHT: lambda: self.pan(1, 0),
            Action.IMAGE_UP: lambda: self.pan(0, -1),
            Action.IMAGE_DOWN: lambda: self.pan(0, 1),
            Action.LEAVE_IMAGE: self.left.emit,
        }

    def _show_zoom(self) -> None:
        geometry, transform = self.canvas.view_geometry, self.canvas.transform
        if geometry is None or transform is None:
            # Unchanged between two images, because dimming it briefly would flicker.
            self.zoom_bar.show_zoom(FIT_ZOOM)
            return
        zoom = ZoomState(
            readout=FIT_ZOOM.readout if self.canvas.fits else f"{100 * transform.scale:.0f} %",
            can_enlarge=transform.scale < MAX_SCALE,
            can_reduce=transform.scale > geometry.smallest_scale,
        )
        self.zoom_bar.show_zoom(zoom)


def image_view_keys(image: ImageView) -> Handlers:
    """Return the handlers of the keys that zoom and pan."""
    return {
        Action.FIT_IMAGE: image.fit,
        Action.ACTUAL_SIZE: image.actual_size,
        Action.ZOOM_IN: lambda: image.zoom(1),
        Action.ZOOM_OUT: lambda: image.zoom(-1),
        Action.HOLD_LOUPE: image.loupe.hold,
        Action.PAN_LEFT: lambda: image.pan(-1, 0),
        Action.PAN_RIGHT: lambda: image.pan(1, 0),
        Action.PAN_UP: lambda: image.pan(0, -1),
        Action.PAN_DOWN: lambda: image.pan(0, 1),
    }
