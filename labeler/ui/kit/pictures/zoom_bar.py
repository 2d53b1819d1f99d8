"""The zoom bar below the image."""

from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLabel, QToolButton, QWidget

from labeler.app.keymap import Action, Keymap
from labeler.ui.kit.layout.boxes import hbox, stretch
from labeler.ui.kit.text.labels import label
from labeler.ui.window.actions import action_tooltip


@dataclass(frozen=True, slots=True)
class ZoomState:
    """The current zoom, and whether zooming in and out is possible."""

    readout: str
    can_enlarge: bool
    can_reduce: bool


# Not “Fit”, which is what the button next to it does.
FIT_ZOOM = ZoomState("Whole", can_enlarge=True, can_reduce=False)


class ZoomBar(QWidget):
    """Emits what is pressed; it never takes the keyboard focus."""

    stepped = Signal(int)
    fit_wanted = Signal()
    actual_wanted = Signal()

    def __init__(self, keymap: Keymap) -> None:
        super().__init__()
        self.setObjectName("zoom")
        self._zoom: ZoomState | None = None
        self.readout = _readout()
        self.smaller = _button(keymap, "−", Action.ZOOM_OUT)
        self.larger = _button(keymap, "+", Action.ZOOM_IN)
        self.fit = _button(keymap, "Fit", Action.FIT_IMAGE)
        self.actual = _button(keymap, "1:1", Action.ACTUAL_SIZE)
        self.loupe = _button(keymap, "Loupe", Action.HOLD_LOUPE)
        self.loupe.setCheckable(True)
        self._keys: list[QLabel] = []
        self.smaller.clicked.connect(lambda: self.stepped.emit(-1))
        self.larger.clicked.connect(lambda: self.stepped.emit(1))
        self.fit.clicked.connect(self.fit_wanted)
        self.actual.clicked.connect(self.actual_wanted)
        self._lay_out(keymap)

    def show_zoom(self, zoom: ZoomState) -> None:
        """Show the zoom; only changed parts are updated."""
        if zoom != self._zoom:
            self._zoom = zoom
            self.readout.setText(zoom.readout)
            self.readout.setMinimumWidth(self._widest_readout())
            self.larger.setEnabled(zoom.can_enlarge)
            self.smaller.setEnabled(zoom.can_reduce)

    def show_keys(self, shown: bool) -> None:
        """Show or hide the keys; their space is kept."""
        for key in self._keys:
            key.setVisible(shown)

    def _widest_readout(self) -> int:
        return self.readout.fontMetrics().horizontalAdvance("1600 %")

    def _lay_out(self, keymap: Keymap) -> None:
        row = hbox(
            stretch(),
            self.smaller,
            self.readout,
            self.larger,
            on=self,
            spacing=4,
            margins=(0, 4, 0, 0),
        )
        for button, action in (
            (self.fit, Action.FIT_IMAGE),
            (self.actual, Action.ACTUAL_SIZE),
            (self.loupe, Action.HOLD_LOUPE),
        ):
            row.addSpacing(8)
            row.addWidget(button)
            key = _key_label(keymap, action)
            self._keys.append(key)
            row.addWidget(key)


def _readout() -> QLabel:
    made = label(rank="caption")
    made.setAlignment(Qt.AlignmentFlag.AlignCenter)
    made.setAccessibleName("Zoom")
    return made


def _key_label(keymap: Keymap, action: Action) -> QLabel:
    """Return an action's key in outline; filled caps would be too bright next to the image."""
    made = label(" ".join(keymap[action].keys[0].caps), rank="caption")
    made.setProperty("kind", "outlined-key")
    kept = made.sizePolicy()
    kept.setRetainSizeWhenHidden(True)
    made.setSizePolicy(kept)
    return made


def _button(keymap: Keymap, text: str, action: Action) -> QToolButton:
    button, binding = QToolButton(), keymap[action]
    button.setText(text)
    button.setToolTip(action_tooltip(binding))
    button.setAccessibleName(binding.title)
    button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    return button
