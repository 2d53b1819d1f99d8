"""Opens and closes the class map over a screen, and returns the keyboard focus afterwards."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtGui import QImage
from PySide6.QtWidgets import QLineEdit, QWidget
from shiboken6 import isValid

from labeler.app.keymap import Keymap
from labeler.ui.window.theme import Appearance

if TYPE_CHECKING:  # the map needs numpy, which the first image doesn't wait for
    from labeler.ui.classes.class_presenters import ClassPresenters
    from labeler.ui.classes.map.map_view import ClassMapOverlay

CHOOSE, SHOW = "Choose", "Show"


class ClassMapOpener:
    """Makes the map when it is opened for the first time.

    `chosen` gets the class that a person took; `focus` sets the focus after the map was closed if
    the widget that had it before can't have it.
    """

    def __init__(
        self,
        appearance: Appearance,
        keymap: Keymap,
        present: "ClassPresenters",
        *,
        chosen: Callable[[str], None],
        focus: Callable[[], None],
    ) -> None:
        self._appearance, self._keymap, self._present = appearance, keymap, present
        self._chosen, self._focus = chosen, focus
        self._focused: QWidget | None = None
        self.overlay: ClassMapOverlay | None = None

    @property
    def opened(self) -> "ClassMapOverlay | None":
        """The map while it covers its screen."""
        return self.overlay if self.overlay is not None and self.overlay.isVisible() else None

    def toggle(
        self,
        screen: QWidget,
        at: str | None,
        *,
        subject: QImage | None,
        can_choose: bool,
        words: str,
    ) -> None:
        """Cover the screen with the map at a class or branch, or close it."""
        if self.opened is not None:
            self.opened.close_map()
            return
        self._focused = screen.window().focusWidget()
        if self.overlay is None:
            self.overlay = self._present.map_overlay(self._appearance, self._keymap, screen)
            self.overlay.chosen.connect(self._chosen)
            self.overlay.closed.connect(lambda: self._return_focus(screen))
        self.overlay.open(at, subject=subject, can_choose=can_choose, words=words)

    def hide(self) -> None:
        if self.overlay is not None:
            self.overlay.hide()

    def close(self) -> None:
        """Stop listening for pictures."""
        if self.overlay is not None:
            self.overlay.canvas.close_pictures()

    def _return_focus(self, screen: QWidget) -> None:
        before, self._focused = self._focused, None
        if before is None or not isValid(before) or not before.isVisibleTo(screen):
            self._focus()
            return
        before.setFocus()
        if isinstance(before, QLineEdit):
            # Typing starts a new search.
            before.selectAll()
