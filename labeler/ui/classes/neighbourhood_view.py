"""The neighbourhood of a class as picture tiles that can be navigated."""

from PySide6.QtCore import QEvent, QPoint, Qt, Signal
from PySide6.QtGui import (
    QHelpEvent,
    QImage,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import QToolTip

from labeler.app.classes.class_view import ClassLink
from labeler.app.classes.neighbourhood import NeighbourGroups, PictureSource
from labeler.app.keymap import Action, Keymap, Scope
from labeler.ui.classes.neighbourhood_layout import (
    MARGIN,
    NEIGHBOUR_GAP,
    TILE_WIDTH,
    ArrowDirection,
    NeighbourhoodLayout,
    lay_out_tiles,
)
from labeler.ui.classes.neighbourhood_painter import NeighbourhoodPainter, NeighbourTileState
from labeler.ui.kit.pictures.tile_scroll_area import TileScrollArea
from labeler.ui.window.actions import Handlers, bind_scope
from labeler.ui.window.theme import Appearance

NO_CLASS_IN_THE_MIDDLE = "Select a class to see its siblings, look-alikes and cousins."


class NeighbourhoodView(TileScrollArea):
    """Renders the groups around a class; Return or a click moves to the current tile's class."""

    walked = Signal(str)
    chosen = Signal(str)
    left = Signal()

    def __init__(
        self, appearance: Appearance, keymap: Keymap, pictures: PictureSource[QImage]
    ) -> None:
        super().__init__(appearance)
        self._pictures = pictures
        self._painter = NeighbourhoodPainter(appearance, pictures)
        self._view: NeighbourGroups | None = None
        self._classes: tuple[ClassLink, ...] = ()
        self._layout = NeighbourhoodLayout((), (), 0)
        self._current = 0
        self._hovered: int | None = None
        self._pressed: str | None = None
        self.setAccessibleName("Neighbourhood")
        self.viewport().setMouseTracking(True)
        actions = bind_scope(self, keymap, Scope.NEIGHBOURHOOD, self._handlers())
        # Ignored, because a held key would keep moving on.
        actions[Action.WALK].setAutoRepeat(False)
        appearance.changed.connect(self._lay_out)
        pictures.listen(self._picture_loaded)

    @property
    def current(self) -> ClassLink | None:
        """The class of the current tile."""
        return self._classes[self._current] if self._classes else None

    @property
    def tile_layout(self) -> NeighbourhoodLayout:
        return self._layout

    def render_view(self, view: NeighbourGroups) -> None:
        """Show a class in the middle of its neighbourhood, and make it current."""
        if view == self._view:
            return
        self._view = view
        self._classes = tuple(link for group in view.groups for link in group.classes)
        self._hovered = None
        self._pictures.request([link.wnid for link in self._classes])
        self.setAccessibleName(f"Neighbourhood of {view.centre.name}")
        self._lay_out()
        self._go_to(0)
        self.verticalScrollBar().setValue(0)

    def show_no_class(self) -> None:
        """Say what is missing: there is no class to show others around."""
        self._view, self._classes, self._hovered = None, (), None
        self.setAccessibleName("Neighbourhood")
        self.setAccessibleDescription(NO_CLASS_IN_THE_MIDDLE)
        self._lay_out()
        self.viewport().update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        painter.fillRect(event.rect(), self._appearance.colour("surround"))
        if self._view is None:
            self._painter.paint_sentence(painter, self.viewport().rect(), NO_CLASS_IN_THE_MIDDLE)
            return
        painter.setRenderHints(
            QPainter.RenderHint.SmoothPixmapTransform | QPainter.RenderHint.Antialiasing
        )
        painter.translate(0, -self.scrolled)
        shown = event.rect().translated(0, self.scrolled)
        for group, where in zip(self._view.groups, self._layout.titles, strict=True):
            self._painter.paint_title(painter, where, group.title)
        for number, where in enumerate(self._layout.tiles):
            if where.adjusted(
                -NEIGHBOUR_GAP, -NEIGHBOUR_GAP, NEIGHBOUR_GAP, NEIGHBOUR_GAP
            ).intersects(shown):
                self._painter.paint_tile(
                    painter, where, self._classes[number], state=self._state(number)
                )

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._lay_out()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        number = self._at(event.position().toPoint())
        if number is not None and event.button() is Qt.MouseButton.LeftButton:
            self._pressed = self._classes[number].wnid
            self._go_to(number)
            self._walk()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Consume the release, since the press was already handled."""
        event.accept()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        # The first click moved all tiles, so the double click refers to the tile it hit.
        if self._pressed is not None and event.button() is Qt.MouseButton.LeftButton:
            self.chosen.emit(self._pressed)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._hover(self._at(event.position().toPoint()))

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self._hover(None)

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            number = self._at(event.pos())
            name = "" if number is None else self._classes[number].name
            QToolTip.showText(event.globalPos(), name, self.viewport())
            return True
        return super().viewportEvent(event)

    def _handlers(self) -> Handlers:
        return {
            Action.NEIGHBOUR_RIGHT: lambda: self._step(ArrowDirection.RIGHT),
            Action.NEIGHBOUR_LEFT: lambda: self._step(ArrowDirection.LEFT),
            Action.NEIGHBOUR_BELOW: lambda: self._step(ArrowDirection.BELOW),
            Action.NEIGHBOUR_ABOVE: lambda: self._step(ArrowDirection.ABOVE),
            Action.WALK: self._walk_or_choose,
            Action.LEAVE_NEIGHBOURHOOD: self.left.emit,
        }

    def _step(self, direction: ArrowDirection) -> None:
        if self._classes:
            self._go_to(self._layout.neighbour(self._current, direction))

    def _walk(self) -> None:
        """Request the current class as the new centre, unless it is the centre."""
        if self.current is not None and self._current > 0:
            self.walked.emit(self.current.wnid)

    def _walk_or_choose(self) -> None:
        """Return moves to a neighbour; on the class in the middle, it chooses the class."""
        if self._current > 0:
            self._walk()
        elif self.current is not None:
            self.chosen.emit(self.current.wnid)

    def _go_to(self, number: int) -> None:
        self._current = number
        self._describe()
        self._ensure_visible()
        self.viewport().update()

    def _describe(self) -> None:
        """Describe the current tile to screen readers."""
        first = 0
        for group in self._view.groups if self._view else ():
            place = self._current - first
            if place < len(group.classes):
                name = group.classes[place].name
                where = f"{group.title}, {place + 1} of {len(group.classes)}"
                self.setAccessibleDescription(f"{name}: {where}")
                return
            first += len(group.classes)

    def _ensure_visible(self) -> None:
        where = self._layout.tiles[self._current]
        # Include the title above the first row.
        top = where.top() - self._painter.line - NEIGHBOUR_GAP - MARGIN
        self.scroll_to(top, where.bottom() + MARGIN)

    def _lay_out(self) -> None:
        counts = [len(group.classes) for group in self._view.groups] if self._view else []
        width, line = self.viewport().width(), self._painter.line
        self._layout = (
            lay_out_tiles(counts, width=width, line=line)
            if counts
            else NeighbourhoodLayout((), (), 0)
        )
        self.fit_scroll_bar(self._layout.height, step=TILE_WIDTH // 2)

    def _state(self, number: int) -> NeighbourTileState:
        return NeighbourTileState(
            is_centre=number == 0,
            current=number == self._current and self.hasFocus(),
            hovered=number == self._hovered,
        )

    def _at(self, point: QPoint) -> int | None:
        return self._layout.at(point + QPoint(0, self.scrolled))

    def _hover(self, number: int | None) -> None:
        if number != self._hovered:
            self._hovered = number
            self.viewport().setCursor(
                Qt.CursorShape.PointingHandCursor if number else Qt.CursorShape.ArrowCursor
            )
            self.viewport().update()

    def _picture_loaded(self, wnid: str) -> None:
        if any(link.wnid == wnid for link in self._classes):
            self.viewport().update()
