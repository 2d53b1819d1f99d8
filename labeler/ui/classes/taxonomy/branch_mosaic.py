"""A branch of the taxonomy as a mosaic: its classes with four references each, in groups."""

from collections.abc import Callable
from typing import NamedTuple

from PySide6.QtCore import QEvent, QPoint, QRect, QRectF, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QSizePolicy, QWidget

from labeler.app.classes.class_view import ClassListRow
from labeler.app.classes.taxonomy_browser import BranchMosaicView
from labeler.app.keymap import Action, Keymap, Scope
from labeler.ui.classes.result_pictures import ResultPictures
from labeler.ui.kit.input.search_field import typed_text
from labeler.ui.kit.layout.boxes import grow, hbox, vbox
from labeler.ui.kit.text.labels import ElidedLabel
from labeler.ui.window.actions import bind_scope
from labeler.ui.window.theme import Appearance, TypeSize

TILE_WIDTH, PICTURES_HEIGHT, CAPTION, GAP, HEADING = 98, 76, 20, 6, 22
_STEPS = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}
_ROWS = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}
_RING = 2


class MosaicTile(NamedTuple):
    """A class and its place in the mosaic."""

    wnid: str
    area: QRect


class MosaicHeading(NamedTuple):
    """The name and the count of a group, and its place."""

    name: str
    classes: int
    area: QRect


class MosaicLayout(NamedTuple):
    """Where the groups and classes of a branch are, in a given width."""

    headings: tuple[MosaicHeading, ...]
    tiles: tuple[MosaicTile, ...]
    height: int


def lay_out_mosaic(view: BranchMosaicView, width: int) -> MosaicLayout:
    """Arrange the groups below each other, and each group's classes in rows."""
    columns = max(1, (width + GAP) // (TILE_WIDTH + GAP))
    tile_width = (width + GAP) // columns - GAP
    headings, tiles, y = [], [], 0
    for group in view.groups:
        if group.name:
            headings.append(
                MosaicHeading(group.name, len(group.wnids), QRect(0, y, width, HEADING))
            )
            y += HEADING
        for number, wnid in enumerate(group.wnids):
            row, column = divmod(number, columns)
            x, top = column * (tile_width + GAP), y + row * (PICTURES_HEIGHT + CAPTION + GAP)
            tiles.append(MosaicTile(wnid, QRect(x, top, tile_width, PICTURES_HEIGHT + CAPTION)))
        y += -(-len(group.wnids) // columns) * (PICTURES_HEIGHT + CAPTION + GAP) + GAP
    return MosaicLayout(tuple(headings), tuple(tiles), y)


class BranchMosaic(QAbstractScrollArea):
    """Paints the classes of a branch; a click shows a class, the choosing key chooses it."""

    class_shown = Signal(str)
    class_entered = Signal(str)
    typed = Signal(str)
    left = Signal()

    def __init__(
        self,
        appearance: Appearance,
        keymap: Keymap,
        pictures: ResultPictures,
        describe: Callable[[str], ClassListRow],
    ) -> None:
        super().__init__()
        self._appearance, self._pictures, self._describe = appearance, pictures, describe
        self._view: BranchMosaicView | None = None
        self._layout = MosaicLayout((), (), 0)
        self._cursor = 0
        self.setAccessibleName("Classes of the branch")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.viewport().setAutoFillBackground(False)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        pictures.listen(self.viewport().update)
        appearance.changed.connect(self.viewport().update)
        keys = {Action.CHOOSE_IN_TAXONOMY: self._enter, Action.LEAVE_TAXONOMY: self.left.emit}
        actions = bind_scope(self, keymap, Scope.TAXONOMY, keys)
        actions[Action.CHOOSE_IN_TAXONOMY].setAutoRepeat(False)

    @property
    def tiles(self) -> tuple[MosaicTile, ...]:
        return self._layout.tiles

    @property
    def current(self) -> str | None:
        """The class at the cursor."""
        return self.tiles[self._cursor].wnid if self.tiles else None

    def render_branch(self, view: BranchMosaicView) -> None:
        """Show another branch from the top."""
        self._view = view
        self._arrange()
        self.verticalScrollBar().setValue(0)
        self._go_to(0)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        painter = QPainter(self.viewport())
        scrolled = self.verticalScrollBar().value()
        sight = QRect(0, scrolled, self.viewport().width(), self.viewport().height())
        painter.translate(0, -scrolled)
        for heading in self._layout.headings:
            if heading.area.intersects(sight):
                self._paint_heading(painter, heading)
        seen = [tile for tile in self.tiles if tile.area.intersects(sight)]
        self._pictures.request([tile.wnid for tile in seen])
        for tile in seen:
            self._paint_tile(painter, tile)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key, text = Qt.Key(event.key()), typed_text(event)
        if key in _STEPS and not event.modifiers():
            self._go_to(self._cursor + _STEPS[key])
        elif key in _ROWS and not event.modifiers():
            self._go_to(self._in_next_row(_ROWS[key]))
        elif text:
            self.typed.emit(text)
        else:
            super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        tile = self._at(event.position().toPoint())
        if tile is not None and event.button() is Qt.MouseButton.LeftButton:
            self.class_shown.emit(tile.wnid)

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip:
            tile = self._at(self.viewport().mapFromGlobal(event.globalPos()))  # type: ignore[attr-defined]
            self.viewport().setToolTip(self._describe(tile.wnid).note if tile else "")
        return super().viewportEvent(event)

    def _arrange(self) -> None:
        if self._view is not None:
            self._layout = lay_out_mosaic(self._view, self.viewport().width())
        bar, height = self.verticalScrollBar(), self.viewport().height()
        bar.setRange(0, max(0, self._layout.height - height))
        bar.setPageStep(height)
        bar.setSingleStep(PICTURES_HEIGHT // 2)
        self.viewport().update()

    def _paint_heading(self, painter: QPainter, heading: MosaicHeading) -> None:
        painter.setFont(self._appearance.font(TypeSize.BODY, strong=True))
        painter.setPen(self._appearance.colour("text"))
        upright = Qt.AlignmentFlag.AlignVCenter
        used = painter.boundingRect(heading.area, upright, heading.name)
        painter.drawText(heading.area, upright, heading.name)
        painter.setFont(self._appearance.font(TypeSize.CAPTION))
        painter.setPen(self._appearance.colour("muted"))
        painter.drawText(
            heading.area.adjusted(used.width() + GAP, 0, 0, 0), upright, f"{heading.classes:,}"
        )

    def _paint_tile(self, painter: QPainter, tile: MosaicTile) -> None:
        row, area = self._describe(tile.wnid), tile.area
        pictures = area.adjusted(0, 0, 0, -CAPTION)
        self._pictures.paint(painter, QRectF(pictures), row, columns=2)
        if self.hasFocus() and tile.wnid == self.current:
            painter.setPen(QPen(self._appearance.colour("accent"), _RING))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(pictures.adjusted(1, 1, -1, -1))
        painter.setFont(self._appearance.font(TypeSize.CAPTION))
        painter.setPen(self._appearance.colour("text"))
        name = painter.fontMetrics().elidedText(row.name, Qt.TextElideMode.ElideRight, area.width())
        caption = area.adjusted(0, area.height() - CAPTION, 0, 0)
        painter.drawText(caption, Qt.AlignmentFlag.AlignVCenter, name)

    def _go_to(self, number: int) -> None:
        if not self.tiles:
            return
        self._cursor = max(0, min(number, len(self.tiles) - 1))
        tile, bar = self.tiles[self._cursor], self.verticalScrollBar()
        lowest = tile.area.bottom() + GAP - self.viewport().height()
        bar.setValue(min(max(bar.value(), lowest), max(0, tile.area.top() - HEADING)))
        self.setAccessibleDescription(self._describe(tile.wnid).name)
        self.viewport().update()

    def _in_next_row(self, way: int) -> int:
        """Return the tile in the next row that is closest to the column of the cursor."""
        here = self.tiles[self._cursor].area
        beyond = [n for n, t in enumerate(self.tiles) if (t.area.y() - here.y()) * way > 0]
        if not beyond:
            return self._cursor
        row = min(abs(self.tiles[n].area.y() - here.y()) for n in beyond)
        same = [n for n in beyond if abs(self.tiles[n].area.y() - here.y()) == row]
        return min(same, key=lambda n: abs(self.tiles[n].area.x() - here.x()))

    def _enter(self) -> None:
        if self.current is not None:
            self.class_entered.emit(self.current)

    def _at(self, point: QPoint) -> MosaicTile | None:
        at = point + QPoint(0, self.verticalScrollBar().value())
        return next((tile for tile in self.tiles if tile.area.contains(at)), None)


class BranchPage(QWidget):
    """The mosaic with the branch's name, number of classes and path above it."""

    def __init__(self, mosaic: BranchMosaic) -> None:
        super().__init__()
        self.mosaic = mosaic
        self._name, self._count = ElidedLabel(rank="heading"), ElidedLabel(rank="muted")
        # As wide as the name if possible, but a long name doesn't widen the panel.
        self._name.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self._path = ElidedLabel(rank="muted")
        self.setFocusProxy(mosaic)
        vbox(hbox(self._name, grow(self._count), spacing=12), self._path, grow(mosaic), on=self)

    def render_branch(self, view: BranchMosaicView) -> None:
        self._name.setText(view.name)
        self._count.setText(view.count)
        self._path.setText(view.path)
        self.mosaic.render_branch(view)
