"""The class map over a screen: the sheet, a search field, and the image to classify."""

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QFrame, QWidget

from labeler.app.classes.class_map import ClassMap, Direction, MapStop
from labeler.app.classes.class_view import PATH_SEPARATOR
from labeler.app.keymap import Action, Keymap, Scope
from labeler.ui.classes.map.map_canvas import ClassMapCanvas
from labeler.ui.kit.input.command_button import ButtonKind, CommandButton
from labeler.ui.kit.input.search_field import SearchField
from labeler.ui.kit.layout.boxes import grow, hbox, stretch, vbox
from labeler.ui.kit.pictures.fitted_image import FittedImage
from labeler.ui.kit.text.labels import ElidedLabel, label
from labeler.ui.window.actions import Handlers, bind_scope
from labeler.ui.window.theme import Appearance

CHOOSE, CLOSE = "Choose", "Close"
ZOOM_IN, ZOOM_OUT = "Zoom in", "Zoom out"
_SIDE_WIDTH = 248
_SUBJECT_HEIGHT = 190


class ClassMapOverlay(QFrame):
    """Covers the screen it belongs to; `chosen` has the class that a person took."""

    chosen = Signal(str)
    closed = Signal()

    def __init__(
        self,
        appearance: Appearance,
        keymap: Keymap,
        class_map: ClassMap,
        canvas: ClassMapCanvas,
        screen: QWidget,
    ) -> None:
        super().__init__(screen)
        self.setObjectName("page")
        self.setAutoFillBackground(True)
        self._map, self._screen, self._appearance = class_map, screen, appearance
        self.canvas = canvas
        self.field = SearchField(appearance, keymap)
        self.subject = FittedImage(appearance, height=_SUBJECT_HEIGHT)
        self.place = ElidedLabel(rank="muted", mode=Qt.TextElideMode.ElideLeft)
        self.name, self.gloss = label("", rank="heading"), label("", rank="body")
        self.count = label("", rank="muted")
        self.choose = self._button(CHOOSE, Action.MAP_ENTER, keymap, kind=ButtonKind.PRIMARY)
        self.nearer = self._button(ZOOM_IN, Action.MAP_NEARER, keymap)
        self.farther = self._button(ZOOM_OUT, Action.MAP_FARTHER, keymap)
        self.leave = self._button(CLOSE, Action.LEAVE_MAP, keymap)
        self._lay_out()
        self._connect(keymap)
        self.hide()

    def open(self, at: str | None, *, subject: QImage | None, can_choose: bool) -> None:
        """Show the map where the person was looking; nothing depends on the image."""
        self._map.open(at)
        self.field.clear()
        self.subject.setVisible(subject is not None)
        self.subject.show_image(subject)
        self.choose.setVisible(can_choose)
        self.setGeometry(self._screen.rect())
        self.show()
        self.raise_()
        self.canvas.setFocus()
        self.canvas.show_view()
        self._render()

    def close_map(self) -> None:
        """Return to the screen."""
        self.hide()
        self.closed.emit()

    def enter(self) -> None:
        """Go to the best match, zoom in on a group, or choose the class."""
        view = self._map.view
        selected = self._map.selection()
        if view.best is not None and view.cursor not in (view.found or ()):
            self._map.go_to_best()
            self._moved()
        elif selected is not None and selected.is_class:
            self._take(selected.wnids[0])
        else:
            self._zoom(1)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self._screen and event.type() is QEvent.Type.Resize:
            self.setGeometry(self._screen.rect())
        return super().eventFilter(watched, event)

    def _take(self, wnid: str) -> None:
        if self.choose.isVisible():
            self.hide()
            self.chosen.emit(wnid)

    def _search(self, typed: str) -> None:
        self._map.search(typed)
        self.canvas.reveal_found()
        self._render()

    def _type_on(self, text: str) -> None:
        """Continue in the search field with text that was typed on the map."""
        self.field.setFocus()
        self.field.insert(text)
        self._search(self.field.text())

    def _clear_or_leave(self) -> None:
        if self.field.text():
            self.field.clear()
            self._search("")
            self.canvas.setFocus()
        else:
            self.close_map()

    def _zoom(self, steps: int) -> None:
        self._map.zoom(steps)
        self._moved()

    def _preview(self) -> None:
        """Show more references of the class, or fewer."""
        near = self._map.view.stop is MapStop.REFERENCES
        self._map.zoom_to(MapStop.CLASSES if near else MapStop.REFERENCES)
        self._moved()

    def _match(self, steps: int) -> None:
        self._map.next_match(steps)
        self.canvas.follow_cursor()
        self._render()

    def _go(self, direction: Direction) -> None:
        self._map.move(direction)
        self.canvas.follow_cursor()
        self._render()

    def _moved(self) -> None:
        self.canvas.show_view()
        self._render()

    def _render(self) -> None:
        selected, found = self._map.selection(), self._map.view.found
        self.place.setText(PATH_SEPARATOR.join(self._map.path()))
        self.name.setText("" if selected is None else selected.name)
        is_class = selected is not None and selected.is_class
        self.gloss.setText(self._map.gloss(selected.wnids[0]) if selected and is_class else "")
        self.count.setText("" if found is None else _found_text(len(found)))
        self.choose.setEnabled(is_class)

    def _handlers(self) -> Handlers:
        return {
            Action.MAP_RIGHT: lambda: self._go(Direction.RIGHT),
            Action.MAP_LEFT: lambda: self._go(Direction.LEFT),
            Action.MAP_DOWN: lambda: self._go(Direction.DOWN),
            Action.MAP_UP: lambda: self._go(Direction.UP),
            Action.MAP_NEARER: lambda: self._zoom(1),
            Action.MAP_FARTHER: lambda: self._zoom(-1),
            Action.MAP_PREVIEW: self._preview,
            Action.MAP_ENTER: self.enter,
            Action.NEXT_MATCH: lambda: self._match(1),
            Action.PREVIOUS_MATCH: lambda: self._match(-1),
            Action.LEAVE_MAP: self._clear_or_leave,
        }

    def _connect(self, keymap: Keymap) -> None:
        self._screen.installEventFilter(self)
        entering = bind_scope(self, keymap, Scope.CLASS_MAP, self._handlers())
        # A key held down must not choose what it has just found.
        entering[Action.MAP_ENTER].setAutoRepeat(False)
        self.field.textEdited.connect(self._search)
        self.canvas.typed.connect(self._type_on)
        self.canvas.changed.connect(self._render)
        self.canvas.activated.connect(lambda _position: self.enter())
        self.choose.clicked.connect(self.enter)
        self.nearer.clicked.connect(lambda: self._zoom(1))
        self.farther.clicked.connect(lambda: self._zoom(-1))
        self.leave.clicked.connect(self.close_map)

    def _button(
        self, text: str, action: Action, keymap: Keymap, *, kind: ButtonKind = ButtonKind.PLAIN
    ) -> CommandButton:
        keys = keymap[action].keys[:1]
        return CommandButton(self._appearance, text, keys=keys, actions=[action], kind=kind)

    def _lay_out(self) -> None:
        self.gloss.setWordWrap(True)
        self.name.setWordWrap(True)
        side = QWidget()
        side.setFixedWidth(_SIDE_WIDTH)
        zooms = (self.nearer, self.farther, self.leave)
        vbox(self.subject, self.name, self.gloss, self.choose, stretch(1), *zooms, on=side)
        top = hbox(grow(self.field, 2), self.count, grow(self.place, 3), spacing=16)
        sheet = vbox(top, grow(self.canvas))
        hbox(side, grow(sheet), on=self, spacing=16, margins=(16, 12, 16, 12))


def _found_text(count: int) -> str:
    if not count:
        return "No class found"
    return "1 class" if count == 1 else f"{count:,} classes"
