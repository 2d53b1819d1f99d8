"""The docks of the workbench: their first arrangement, and how it is saved and restored."""

import json
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QByteArray, QEvent, QObject, QSize, Qt, Signal
from PySide6.QtWidgets import (
    QApplication,
    QDockWidget,
    QMainWindow,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from labeler.ui.classes.class_finder import ResultView
from labeler.ui.classes.class_tools import ClassTools
from labeler.ui.labeling.layout_menu import LayoutPreset
from labeler.ui.window.idle_queue import IdleQueue


@dataclass(frozen=True, slots=True)
class DockArrangement:
    """Qt's dock state, and each dock's share of the window's width and height.

    Qt stores sizes in pixels, so docks arranged in a small window would stay small in a large one.
    """

    state: QByteArray
    shares: dict[str, tuple[float, float]]

    def written(self) -> QByteArray:
        return QByteArray(json.dumps(self.shares).encode() + b"\n" + bytes(self.state.data()))


def read_arrangement(kept: QByteArray) -> DockArrangement | None:
    """Parse a saved arrangement; return None if it is invalid."""
    text, _newline, state = bytes(kept.data()).partition(b"\n")
    try:
        document: Any = json.loads(text)
        shares = {str(name): (float(w), float(h)) for name, (w, h) in document.items()}
    except (ValueError, TypeError, AttributeError):
        return None
    return DockArrangement(QByteArray(state), shares)


# The version of the arrangement; one saved for other docks is not restored.
_VERSION = 2
# From this width on, the guide is next to the class.
_WIDE_WINDOW = 1700
# The share of the window's width for classes, in percent.
_CLASS_SHARE, _COMPARISON_SHARE = 51, 65
_SHARES = {LayoutPreset.WIDE_REFERENCES: 65}
# Reserved, so that nothing moves when the contents are added.
_CLASS_WIDTH = 440
# How results and references share the height while classes are being looked for.
_RESULTS_SHARE, _REFERENCES_SHARE = 5, 6
# Pictures of results are references themselves.
_GRID_SHARE = 14
# A narrower tree could not show names.
_TAXONOMY_WIDTH = 200


class ClassSide(QWidget):
    """The search on top; below it the results with a preview, or the chosen class alone."""

    comparing_changed = Signal(bool)

    def __init__(self, tools: ClassTools) -> None:
        super().__init__()
        self._tools = tools
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(8, 8, 8, 8)
        self._column.setSpacing(8)
        self.setMinimumWidth(_CLASS_WIDTH)
        tools.searching_changed.connect(self._share_height)

    def add_finder(self) -> None:
        if not self.isAncestorOf(self._tools.finder):
            self._column.insertWidget(0, self._tools.finder)
            self._tools.finder.grid_shown.connect(self._share_height)
            # A layout would show it after the next event, too late for the focus.
            self._tools.finder.show()
            self._share_height()

    def add_class_view(self) -> None:
        if not self.isAncestorOf(self._tools.class_view.widget):
            self._column.addWidget(self._tools.class_view.widget)
            self._tools.class_view.widget.show()
            self._tools.class_view.mode_changed.connect(self._follow_mode)
            self._share_height()

    def _follow_mode(self) -> None:
        self._share_height()
        self.comparing_changed.emit(self._tools.class_view.compares)

    def _share_height(self) -> None:
        if not self._tools.can_search:
            return
        compares = self._column.count() > 1 and self._tools.class_view.compares
        searching = self._tools.is_searching and not compares
        self._tools.finder.show_results(searching)
        is_grid = self._tools.finder.result_view is ResultView.PICTURES
        share = _GRID_SHARE if is_grid else _RESULTS_SHARE
        self._column.setStretchFactor(self._tools.finder, share if searching else 0)
        if self._column.count() > 1:
            self._tools.class_view.set_preview(searching)
            self._column.setStretchFactor(self._tools.class_view.widget, _REFERENCES_SHARE)


class WorkbenchDocks(QObject):
    """Places the class tools in docks, and opens them on demand."""

    def __init__(self, host: QMainWindow, tools: ClassTools) -> None:
        super().__init__(host)
        self._host = host
        self._tools = tools
        # The contents take a while to build, so the first image is shown before them.
        self.side = ClassSide(tools)
        self.a_class = self._dock("class", "Class")
        self.a_class.setWidget(self.side)
        # It says what it is by its search field.
        self.a_class.setTitleBarWidget(QWidget())
        self.side.comparing_changed.connect(self._make_room)
        # Its share of the width before classes were compared.
        self._share_before: float | None = None
        self._share = _CLASS_SHARE / 100
        self.a_class.installEventFilter(self)
        self.preset = LayoutPreset.BALANCED
        tools.searching_changed.connect(self._show_while_searching)
        self.taxonomy = self._dock("taxonomy", "Taxonomy", closable=True)
        self.taxonomy.widget().setMinimumWidth(_TAXONOMY_WIDTH)
        self.guide = self._dock("guide", "Guide", closable=True)
        # The class at which the guide was opened last, while it is open.
        self._guided: str | None = None
        self._filling = IdleQueue(self._begin_search, self._dock_class_view, parent=self)
        self._filling.finished.connect(tools.activate)
        host.setDockNestingEnabled(True)
        host.setDockOptions(
            QMainWindow.DockOption.AllowNestedDocks | QMainWindow.DockOption.AllowTabbedDocks
        )
        host.setTabPosition(Qt.DockWidgetArea.RightDockWidgetArea, QTabWidget.TabPosition.North)
        for dock in self._all:
            dock.visibilityChanged.connect(self._title_what_has_no_tab)
            dock.dockLocationChanged.connect(self._title_what_has_no_tab)
        for dock in (self.taxonomy, self.guide):
            dock.visibilityChanged.connect(self.keep_share)
        tools.tools_activated.connect(self._fill)
        tools.search_wanted.connect(self._put_finder)
        tools.taxonomy_wanted.connect(self._show_taxonomy)
        tools.class_view_wanted.connect(self._show_class)
        tools.guide_wanted.connect(self._show_guide)
        tools.guide_toggled.connect(self._toggle_guide)
        host.tabifiedDockWidgetActivated.connect(self._follow_tab)

    @property
    def is_class_hidden(self) -> bool:
        """Whether the image has the whole window."""
        return self.a_class.isHidden()

    def use_preset(self, preset: LayoutPreset) -> None:
        """Divide the window between the image and the classes."""
        self.preset = preset
        self._share_before = None
        hides = preset is LayoutPreset.IMAGE_ONLY
        self.a_class.setHidden(hides)
        if not hides:
            self._share_width()

    def _share_width(self) -> None:
        self._take_share(_SHARES.get(self.preset, _CLASS_SHARE) / 100)

    def _show_while_searching(self, searching: bool) -> None:
        """Give the image the whole window again once a class is chosen, if that is the layout."""
        if self.preset is LayoutPreset.IMAGE_ONLY and not searching:
            self.a_class.hide()
            self._host.setFocus()

    def _show_class_side(self) -> None:
        """Show the classes; in the image-only layout, only while one is looked for."""
        hides = self.preset is LayoutPreset.IMAGE_ONLY and not self._tools.is_searching
        if self.a_class.isHidden() and not hides:
            self.a_class.show()
            self._share_width()

    @property
    def _all(self) -> tuple[QDockWidget, ...]:
        return self.a_class, self.taxonomy, self.guide

    def fill(self) -> None:
        """Build the contents of the docks, now that the image is shown."""
        self._filling.start()

    def stop(self) -> None:
        """Stop building contents."""
        self._filling.stop()

    def cover(self, covered: bool) -> None:
        """Hide or show the contents of the docks; the docks stay in place."""
        direct = Qt.FindChildOption.FindDirectChildrenOnly
        for dock in self._all:
            for part in dock.widget().findChildren(QWidget, options=direct):
                kept = part.sizePolicy()
                kept.setRetainSizeWhenHidden(True)
                part.setSizePolicy(kept)
                part.setHidden(covered)

    def arrange(self, saved: QByteArray | None, preset: LayoutPreset | None = None) -> None:
        """Restore this person's arrangement and layout, or use the default ones."""
        kept = None if saved is None else read_arrangement(saved)
        if kept is None or not self._host.restoreState(kept.state, _VERSION):
            self._arrange_first(self._host.size())
        else:
            self._share_out(kept.shares)
        self.preset = preset or self.preset
        self.a_class.setHidden(self.preset is LayoutPreset.IMAGE_ONLY)

    def saved(self) -> QByteArray:
        room = self._host.size()
        shares = {
            dock.objectName(): (dock.width() / room.width(), dock.height() / room.height())
            for dock in self._all
            if not dock.isHidden() and not self._is_hidden_by_tab(dock)
        }
        return DockArrangement(self._host.saveState(_VERSION), shares).written()

    def _share_out(self, shares: dict[str, tuple[float, float]]) -> None:
        self._share, _height = shares.get(self.a_class.objectName(), (self._share, 0))
        docks, room = [dock for dock in self._all if dock.objectName() in shares], self._host.size()
        wide = [round(shares[dock.objectName()][0] * room.width()) for dock in docks]
        high = [round(shares[dock.objectName()][1] * room.height()) for dock in docks]
        self._host.resizeDocks(docks, wide, Qt.Orientation.Horizontal)
        self._host.resizeDocks(docks, high, Qt.Orientation.Vertical)

    def _is_hidden_by_tab(self, dock: QDockWidget) -> bool:
        """Return whether the dock is behind another tab, where it keeps its former size."""
        return any(other.height() > dock.height() for other in self._neighbours(dock))

    def _arrange_first(self, room: QSize) -> None:
        host, right = self._host, Qt.DockWidgetArea.RightDockWidgetArea
        # The tree is next to the class, which shows the pictures of the branch in focus.
        host.addDockWidget(right, self.taxonomy)
        host.splitDockWidget(self.taxonomy, self.a_class, Qt.Orientation.Horizontal)
        if room.width() >= _WIDE_WINDOW:
            host.splitDockWidget(self.a_class, self.guide, Qt.Orientation.Horizontal)
        else:
            host.tabifyDockWidget(self.a_class, self.guide)
        for dock in (self.taxonomy, self.guide):
            dock.hide()
        self._take_share(_CLASS_SHARE / 100)

    def _make_room(self, compares: bool) -> None:
        """Widen the classes while several are compared; the image shrinks."""
        if compares is (self._share_before is not None):
            return
        if self._share_before is None:
            self._share_before = self._share
            self._take_share(_COMPARISON_SHARE / 100)
        else:
            share, self._share_before = self._share_before, None
            self._take_share(share)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Remember the share that the person gives to the classes by dragging their edge."""
        if event.type() is QEvent.Type.Resize and QApplication.mouseButtons():
            self._share = self.a_class.width() / self._host.width()
        return super().eventFilter(watched, event)

    def keep_share(self) -> None:
        """Give the classes their share of the width, unless something else is next to them.

        Qt leaves docks as wide as they are when the window is resized, and gives the width of a
        dock that is closed to its neighbour.
        """
        is_placed = self._host.dockWidgetArea(self.a_class) != Qt.DockWidgetArea.NoDockWidgetArea
        others = {self.taxonomy, self.guide} - set(self._neighbours(self.a_class))
        is_alone = all(dock.isHidden() for dock in others)
        if is_placed and is_alone and not self.a_class.isHidden():
            self._take_share(self._share)

    def _take_share(self, share: float) -> None:
        self._share = share
        wide = round(self._host.width() * share)
        self._host.resizeDocks([self.a_class], [wide], Qt.Orientation.Horizontal)

    def _dock(self, name: str, title: str, *, closable: bool = False) -> QDockWidget:
        dock = QDockWidget(title, self._host)
        dock.setObjectName(name)
        features = QDockWidget.DockWidgetFeature.DockWidgetMovable
        if closable:
            features |= QDockWidget.DockWidgetFeature.DockWidgetClosable
        dock.setFeatures(features)
        dock.setWidget(QWidget())
        return dock

    def _begin_search(self) -> None:
        """Add the search field, and focus it unless the person has moved the focus."""
        self.side.add_finder()
        if self._host.hasFocus() and not self.is_class_hidden:
            self._tools.focus_search()

    def _put_finder(self) -> None:
        self.side.add_finder()
        self._show_class_side()
        self.a_class.raise_()

    def _dock_class_view(self) -> None:
        self.side.add_class_view()

    def _fill(self) -> None:
        """Build the missing contents of open docks, and reopen the guide if it was open."""
        self.side.add_finder()
        self._dock_class_view()
        if not self.taxonomy.isHidden():
            _put(self.taxonomy, self._tools.taxonomy)
        if not self.guide.isHidden():
            self._tools.open_guide()

    def _show_taxonomy(self) -> None:
        _put(self.taxonomy, self._tools.taxonomy)
        self.taxonomy.show()
        self.taxonomy.raise_()
        self._tools.taxonomy.setFocus()

    def _show_class(self) -> None:
        self._dock_class_view()
        self._show_class_side()
        self.a_class.raise_()

    def _show_guide(self) -> None:
        _put(self.guide, self._tools.guide)
        self._guided = self._tools.browser.view.wnid
        self.guide.show()
        self.guide.raise_()
        self._tools.guide.setFocus()

    def _follow_tab(self, dock: QDockWidget) -> None:
        """Show the class in the guide when its tab is clicked, unless a page of it is open."""
        in_focus = self._tools.browser.view.wnid if self._tools.is_activated else None
        if dock is self.guide and in_focus not in (None, self._guided):
            self._tools.open_guide()

    def _toggle_guide(self) -> None:
        """Open the guide at the class, or close it if it is open there."""
        if self.guide.isVisible() and not self.guide.visibleRegion().isEmpty():
            self.guide.hide()
            self._tools.focus_search()
        else:
            self._tools.open_guide()

    def _title_what_has_no_tab(self) -> None:
        """Hide the title of docks in tabs, because the tab shows it already."""
        for dock in (self.taxonomy, self.guide):
            tabbed = any(d.isVisible() or not d.isHidden() for d in self._neighbours(dock))
            if tabbed and dock.titleBarWidget() is None:
                dock.setTitleBarWidget(QWidget())
            elif not tabbed and dock.titleBarWidget() is not None:
                dock.setTitleBarWidget(None)  # type: ignore[arg-type]  # which brings Qt's own back

    def _neighbours(self, dock: QDockWidget) -> list[QDockWidget]:
        return self._host.tabifiedDockWidgets(dock)


def _put(dock: QDockWidget, widget: QWidget) -> None:
    if not dock.isAncestorOf(widget):
        dock.setWidget(_with_margins(widget))


def _with_margins(widget: QWidget) -> QWidget:
    framed = QWidget()
    column = QVBoxLayout(framed)
    column.setContentsMargins(8, 8, 8, 8)
    column.addWidget(widget)
    return framed
