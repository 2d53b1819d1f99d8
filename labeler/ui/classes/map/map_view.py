"""The class map over a screen: the sheet, a search field, and the image to classify."""

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QAction, QHideEvent, QImage, QShowEvent
from PySide6.QtWidgets import QButtonGroup, QFrame, QToolButton, QWidget

from labeler.app.classes.class_map import STOPS, ClassMap, Direction, MapSelection, MapStop
from labeler.app.classes.class_view import PATH_SEPARATOR
from labeler.app.keymap import Action, Keymap, Scope
from labeler.core.text import count_noun
from labeler.ui.classes.map.map_canvas import ClassMapCanvas
from labeler.ui.classes.map.map_opener import CHOOSE
from labeler.ui.classes.map.map_preview import MapPreview
from labeler.ui.kit.input.command_button import ButtonKind, CommandButton
from labeler.ui.kit.input.search_field import SearchField
from labeler.ui.kit.layout.boxes import grow, hbox, vbox
from labeler.ui.kit.pictures.fitted_image import FittedImage
from labeler.ui.kit.text.labels import ElidedLabel, ElidedPath, label, wrapped_height
from labeler.ui.window.actions import Handlers, action_tooltip, bind_scope
from labeler.ui.window.theme import Appearance, TypeSize

CLOSE, ZOOM_IN, GO_TO_MATCH = "Close", "Zoom in", "Go to match"
# While nothing is pointed at.
HINT = "Point at a picture or press an arrow key to see a class. Type to find one."
_FIELD_WIDTH = 280
# The side takes a fifth of the window, within these limits; the image has this shape.
_SIDE_WIDTHS, _SUBJECT_SHAPE = (256, 400), 0.75
_GLOSS_LINES = 4


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
        *,
        preview: MapPreview,
        screen: QWidget,
    ) -> None:
        super().__init__(screen)
        self.setObjectName("page")
        self.setAutoFillBackground(True)
        self.setAccessibleName("Class map")
        self._map, self._screen, self._appearance = class_map, screen, appearance
        self._words, self._can_choose = CHOOSE, True
        self._silenced: list[QAction] = []
        # The zoom to which a second Space returns.
        self._before: MapStop | None = None
        self.canvas, self.preview = canvas, preview
        self.field = SearchField(appearance, keymap)
        self.subject = FittedImage(appearance)
        self.name, self.above = ElidedLabel(rank="heading"), ElidedPath(rank="caption")
        self.gloss = label("", rank="body", wrap=True)
        # How many classes match, or where the cursor is.
        self.place = ElidedPath(rank="muted")
        self.choose = self._button(CHOOSE, Action.MAP_ENTER, keymap, kind=ButtonKind.PRIMARY)
        self.leave = self._button(CLOSE, Action.LEAVE_MAP, keymap)
        self.stops = {stop: self._stop_button(stop) for stop in STOPS}
        self.farther = self._zoom_button("−", Action.MAP_FARTHER, keymap)
        self.nearer = self._zoom_button("+", Action.MAP_NEARER, keymap)
        self._lay_out()
        self._connect(keymap)
        self.hide()

    @property
    def current_class(self) -> str | None:
        """The class at the cursor; None if the cursor is on a group or nowhere."""
        selected = self._map.selection()
        return selected.wnids[0] if selected is not None and selected.is_class else None

    def open(
        self, at: str | None, *, subject: QImage | None, can_choose: bool, words: str = CHOOSE
    ) -> None:
        """Show the map where the person was looking; nothing depends on the image."""
        self._map.open(at)
        self._before = None
        self.field.clear()
        self.subject.setVisible(subject is not None)
        self.subject.show_image(subject)
        self._words, self._can_choose = words, can_choose
        self._cover()
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
        selected = self._map.selection()
        if self._map.match_ahead() is not None:
            self._map.go_to_best()
            self._moved()
            # The keys of the map work now, and the next letter starts a new search.
            self.canvas.setFocus()
        elif selected is not None and selected.is_class:
            self._take(selected.wnids[0])
        else:
            self._zoom(1)

    def search(self) -> None:
        """Go to the search field; typing replaces what is in it."""
        self.field.setFocus()
        self.field.selectAll()

    def sibling(self, steps: int) -> None:
        """Go to the next class of the family, or to a previous one if negative."""
        self._map.sibling(steps)
        self.canvas.follow_cursor()
        self._render()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        # Plain keys of the screen below would act on what the map covers.
        self._silenced = [a for a in self._screen.actions() if a.isEnabled() and _is_plain(a)]
        for action in self._silenced:
            action.setEnabled(False)

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        for action in self._silenced:
            action.setEnabled(True)
        self._silenced = []

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Keep Tab on the map: what it covers must not get the keys."""
        order = [part for part in self._tab_order if part.isVisible() and part.isEnabled()]
        if self.isHidden() or not order:
            # Qt looks for another place for the focus when the map closes.
            return super().focusNextPrevChild(forward)
        focused = self.focusWidget()
        here = order.index(focused) if focused in order else -1
        step = 1 if forward else -1
        order[(here + step) % len(order)].setFocus(Qt.FocusReason.TabFocusReason)
        return True

    @property
    def _tab_order(self) -> tuple[QWidget, ...]:
        zoom = (self.farther, self.nearer)
        return (self.field, *self.stops.values(), *zoom, self.canvas, self.choose, self.leave)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self._screen and event.type() is QEvent.Type.Resize:
            self._cover()
        return super().eventFilter(watched, event)

    def _cover(self) -> None:
        """Cover the screen; in a wide window the image and the references are larger."""
        narrow, wide = _SIDE_WIDTHS
        width = max(narrow, min(self._screen.width() // 5, wide))
        self._side.setFixedWidth(width)
        self.subject.setFixedHeight(round(width * _SUBJECT_SHAPE))
        self.setGeometry(self._screen.rect())

    def _take(self, wnid: str) -> None:
        if self._can_choose:
            self.hide()
            self.chosen.emit(wnid)

    def _search(self, typed: str) -> None:
        self._map.search(typed)
        self.canvas.reveal_found()
        self._render()

    def _type_on(self, text: str) -> None:
        """Start a new search with text that was typed on the map."""
        self.field.setFocus()
        self.field.setText(text)
        self._search(text)

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

    def _zoom_to(self, stop: MapStop) -> None:
        self._map.zoom_to(stop)
        self._moved()
        self.canvas.setFocus()

    def _preview(self) -> None:
        """Show more references of the class, or return to the zoom before."""
        if self._map.view.stop is MapStop.REFERENCES:
            self._map.zoom_to(self._before or MapStop.CLASSES)
            self._before = None
        else:
            self._before = self._map.view.stop
            self._map.zoom_to(MapStop.REFERENCES)
        self._moved()

    def _match(self, steps: int) -> None:
        self._map.next_match(steps)
        self._moved()

    def _go(self, direction: Direction) -> None:
        self._map.move(direction)
        self.canvas.follow_cursor()
        self._render()

    def _go_to(self, wnid: str) -> None:
        self._map.go_to(wnid)
        self._moved()
        self.canvas.setFocus()

    def _moved(self) -> None:
        self.canvas.show_view()
        self._render()

    def _render(self) -> None:
        selected, view = self._map.selection(), self._map.view
        self.place.setText(self._place_text())
        self._offer_enter(selected)
        self.stops[view.stop].setChecked(True)
        self.nearer.setEnabled(view.stop is not STOPS[-1])
        self.farther.setEnabled(view.stop is not STOPS[0])
        self._describe(self._map.match_ahead() or selected)

    def _place_text(self) -> str:
        found, classes = self._map.view.found, len(self._map.arrangement.wnids)
        if found is None:
            return PATH_SEPARATOR.join(self._map.path())
        if not found:
            return "No class found"
        return f"{len(found):,} of {count_noun(classes, 'class', 'classes')}"

    def _offer_enter(self, selected: MapSelection | None) -> None:
        """Label the button with what the key does: go to a match, choose a class, or zoom in."""
        ahead = self._map.match_ahead() is not None
        is_class = not ahead and selected is not None and selected.is_class
        self.choose.set_words(GO_TO_MATCH if ahead else self._words if is_class else ZOOM_IN)
        self.choose.setEnabled(ahead or selected is not None)
        self.choose.setVisible(self._can_choose or not is_class)

    def _hover(self, position: int | None) -> None:
        """Describe the class under the pointer; the cursor stays."""
        found = None if position is None else self._map.class_selection(position)
        self._describe(found or self._map.match_ahead() or self._map.selection())

    def _describe(self, selected: MapSelection | None) -> None:
        is_class = selected is not None and selected.is_class
        self.name.setText("" if selected is None else selected.name)
        self.above.setText("" if selected is None else selected.place)
        gloss = self._map.gloss(selected.wnids[0]) if selected and is_class else ""
        self.gloss.setText(gloss if selected is not None else HINT)
        self.gloss.setVisible(is_class or selected is None)
        self.preview.show_selection(selected)

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
        self.canvas.hovered.connect(self._hover)
        self.canvas.activated.connect(lambda _position: self.enter())
        self.preview.class_wanted.connect(self._go_to)
        self.choose.clicked.connect(self.enter)
        self.nearer.clicked.connect(lambda: self._zoom(1))
        self.farther.clicked.connect(lambda: self._zoom(-1))
        self.leave.clicked.connect(self.close_map)

    def _button(
        self, text: str, action: Action, keymap: Keymap, *, kind: ButtonKind = ButtonKind.PLAIN
    ) -> CommandButton:
        keys = keymap[action].keys[:1]
        return CommandButton(self._appearance, text, keys=keys, actions=[action], kind=kind)

    def _stop_button(self, stop: MapStop) -> QToolButton:
        button = _tool_button(stop.value)
        button.setCheckable(True)
        button.setAccessibleName(f"Zoom to {stop.value.lower()}")
        button.clicked.connect(lambda: self._zoom_to(stop))
        return button

    def _zoom_button(self, sign: str, action: Action, keymap: Keymap) -> QToolButton:
        button = _tool_button(sign)
        button.setToolTip(action_tooltip(keymap[action]))
        button.setAccessibleName(keymap[action].title)
        return button

    def _lay_out(self) -> None:
        font = self._appearance.font(TypeSize.BODY)
        # References stay in place unless a description is long.
        self.gloss.setMinimumHeight(wrapped_height(font, _GLOSS_LINES))
        self.gloss.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.field.setFixedWidth(_FIELD_WIDTH)
        side = self._side = QWidget()
        words = vbox(self.name, self.above, self.gloss, spacing=4)
        buttons = hbox(grow(self.choose), self.leave)
        vbox(self.subject, words, grow(self.preview), buttons, on=side)
        group = QButtonGroup(self)
        for button in self.stops.values():
            group.addButton(button)
        stops = hbox(*self.stops.values(), spacing=0)
        zoom = hbox(self.farther, self.nearer, spacing=0)
        top = hbox(self.field, grow(self.place), stops, zoom, spacing=12)
        sheet = vbox(top, grow(self.canvas))
        hbox(grow(sheet), side, on=self, spacing=16, margins=(16, 12, 16, 12))


def _tool_button(text: str) -> QToolButton:
    button = QToolButton()
    button.setText(text)
    # The arrows stay with the map; Tab reaches the field, the buttons and the map.
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    return button


def _is_plain(action: QAction) -> bool:
    """Whether a key of the action is a letter, a digit or a sign without a modifier."""
    return any(len(key.toString()) == 1 for key in action.shortcuts())
