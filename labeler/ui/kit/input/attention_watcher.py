"""Watches which part of the workbench has the person's attention, if any."""

from collections.abc import Callable, Mapping

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QInputEvent, QWindow
from PySide6.QtWidgets import QApplication, QWidget

from labeler.core.study.entities import AttentionPlace

# Keys that are shortcuts don't arrive as key presses, but every key sends ShortcutOverride first.
_INPUT_EVENTS = frozenset(
    {
        QEvent.Type.ShortcutOverride,
        QEvent.Type.MouseButtonPress,
        QEvent.Type.MouseButtonDblClick,
        QEvent.Type.Wheel,
    }
)


class AttentionWatcher(QObject):
    """Reports inputs, places of attention, and when the person leaves or returns.

    `places` names the parts of the workbench; input elsewhere doesn't change the place. A window
    with a part of the workbench, such as a floating dock, counts as the workbench.
    """

    def __init__(
        self,
        workbench: QWidget,
        *,
        places: Callable[[], Mapping[QWidget, AttentionPlace]],
        attend: Callable[[AttentionPlace], None],
        turn_away: Callable[[], None],
        input_made: Callable[[], None],
    ) -> None:
        super().__init__(workbench)
        self._workbench = workbench
        self._places = places
        self._attend, self._turn_away, self._input_made = attend, turn_away, input_made
        self._place = AttentionPlace.IMAGE
        self._present = True
        self._watching = self._watching_inputs = False
        self._stamp = 0

    def start(self, place: AttentionPlace = AttentionPlace.IMAGE) -> None:
        """Start watching; a trial starts with attention on its image."""
        self._place = place
        if not self._watching:
            self._watching = True
            application = _application()
            application.focusWindowChanged.connect(self._check_active_window)
            application.applicationStateChanged.connect(self._check_active_window)
        self._present = True
        self._check_active_window()

    def watch_inputs(self) -> None:
        """Start receiving inputs.

        The first event makes PySide6 load every Qt class, which takes longer than painting an
        image, and no input counts before the image is painted.
        """
        if self._watching and not self._watching_inputs:
            self._watching_inputs = True
            _application().installEventFilter(self)

    def stop(self) -> None:
        if self._watching_inputs:
            self._watching_inputs = False
            _application().removeEventFilter(self)
        if self._watching:
            self._watching = False
            application = _application()
            application.focusWindowChanged.disconnect(self._check_active_window)
            application.applicationStateChanged.disconnect(self._check_active_window)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if (
            event.type() in _INPUT_EVENTS
            and isinstance(watched, QWidget)
            and self._is_ours(watched)
        ):
            # An ignored event is sent to the parents with the same timestamp.
            stamp = event.timestamp() if isinstance(event, QInputEvent) else 0
            if not stamp or stamp != self._stamp:
                self._stamp = stamp
                self._take_in(watched)
        return False

    def _take_in(self, widget: QWidget) -> None:
        place = self._place_of(widget)
        if place is not None and place is not self._place:
            self._place = place
            self._attend(place)
        self._input_made()

    def _is_ours(self, widget: QWidget) -> bool:
        return widget is self._workbench or self._workbench.isAncestorOf(widget)

    def _place_of(self, widget: QWidget) -> AttentionPlace | None:
        part: QWidget | None = widget
        places = self._places()
        while part is not None and part is not self._workbench:
            if part in places:
                return places[part]
            part = part.parentWidget()
        return None

    def _check_active_window(self, _changed: QWindow | Qt.ApplicationState | None = None) -> None:
        present = self._is_in_front()
        if present and not self._present:
            self._attend(self._place)
        elif self._present and not present:
            self._turn_away()
        self._present = present

    def _is_in_front(self) -> bool:
        front = QApplication.activeWindow()
        # A menu is not an active window; the window below it stays active.
        return front is not None and (
            front is self._workbench.window() or self._workbench.isAncestorOf(front)
        )


def _application() -> QApplication:
    application = QApplication.instance()
    assert isinstance(application, QApplication), "there is a window, so there is an application"
    return application
